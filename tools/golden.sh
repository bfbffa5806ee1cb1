#!/usr/bin/env bash
# golden.sh BOUQUET_BUILD MODEL: compares tokens with Hugging Face `tokenizers` over tens of thousands of texts (installs it
# into .venv; 10 minutes), with texts from Debian's packages where apt-get can fetch them.
set -euo pipefail
build=$1 model=$2
cd "$(dirname "$0")/.."
[ -d .venv ] || { echo "Installing tokenizers into .venv"; python3 -m venv .venv; .venv/bin/pip -q install --disable-pip-version-check tokenizers==0.23.3; }
dump=$build/tokenizer_dump
root=.cache/debian
mkdir -p "$root"
(cd "$root" && for package in manpages manpages-dev manpages-zh manpages-ja manpages-ru manpages-de manpages-fr manpages-es manpages-el manpages-uk manpages-vi; do
  [ -d "$package" ] || { apt-get download -qq -o APT::Sandbox::User=root "$package" && dpkg -x "$package"_*.deb "$package" && rm -f "$package"_*.deb; } || true
done)
.venv/bin/python tests/golden/tokenizer_golden.py "$dump" --model "$model/tokenizer.json" --root "$root"
exec .venv/bin/python tests/golden/tokenizer_golden.py "$dump" --variants
