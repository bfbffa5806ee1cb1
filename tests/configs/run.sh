#!/usr/bin/env bash
# run.sh BUILD: the server's tests again under hostile settings: batches of one, tiny budgets, no graphs, reference kernels,
# one worker, one lane. Each line is a configuration; what it is for stands before the colon.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

while IFS=: read -r name flags; do
  [ -n "$name" ] || continue
  echo "configuration: $name ($flags)"
  BOUQUET_TEST_SERVE_FLAGS="$flags" python3 "$root/tests/integration/serve_test.py" "$build/bouquet" "$root" 2>&1 | tail -3
done <"$here/settings.txt"
