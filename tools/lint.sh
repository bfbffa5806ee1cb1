#!/usr/bin/env bash
# Format, layering, and that the kernels of newer processors define nothing the linker could share.
set -euo pipefail
cd "$(dirname "$0")/.."

unformatted=$(git ls-files '*.cc' '*.h' | grep -v unicode_tables | xargs clang-format-14 --dry-run 2>&1 | grep -oE '^[^:]+' | sort -u || true)
if [ -n "$unformatted" ]; then
  echo "not formatted (make format):"
  echo "$unformatted"
  exit 1
fi
python3 tools/layering.py
for object in build/CMakeFiles/bouquet_rose.dir/src/rose/kernels/cpu/level_avx*.cc.o; do  # sanitizers add symbols of their own
  [ -f "$object" ] || continue
  if nm -C "$object" | grep -E ' [WVu] '; then
    echo "$object defines symbols that an older processor's code could be linked to"
    exit 1
  fi
done
echo "lint passed"
