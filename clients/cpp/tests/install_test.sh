#!/usr/bin/env bash
# install_test.sh DIRECTORY: installs the package below DIRECTORY, then configures, builds and runs the consumer against
# nothing but what was installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(realpath -m "$1")
rm -rf "$scratch/prefix" "$scratch/consumer"
mkdir -p "$scratch"

cmake -S "$here/.." -B "$scratch/library" >"$scratch/log"
cmake --build "$scratch/library" -j "${JOBS:-2}" >>"$scratch/log"
cmake --install "$scratch/library" --prefix "$scratch/prefix" >>"$scratch/log"
installed=$(cd "$scratch/prefix/include" && find . -type f)
[ "$installed" = ./bouquet/tokenizer.h ] || { echo "installed headers: $installed" >&2; exit 1; }

cp -r "$here/consumer" "$scratch/consumer"
cmake -S "$scratch/consumer" -B "$scratch/consumer/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" >>"$scratch/log"
cmake --build "$scratch/consumer/build" >>"$scratch/log"
cat >"$scratch/tokenizer.json" <<'JSON'
{"added_tokens":[],"normalizer":null,"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always",
  "split":true},"model":{"type":"Unigram","unk_id":0,"byte_fallback":false,
  "vocab":[["<unk>",0],["▁two",-1],["▁kind",-2],["s",-3],["▁kinds",-6]]}}
JSON
ids=$("$scratch/consumer/build/consumer" "$scratch/tokenizer.json" "two kinds, two")
[ "$ids" = "1 2 3 0 1 " ] || { echo "ids: $ids" >&2; exit 1; }
echo "installed, found, linked and run"
