#!/usr/bin/env python3
"""Byte-level tokenizers as vocab.json and merges.txt alone, and the ids that transformers makes of texts with them:
tests/golden/bpe_files/.

    pip install -r tests/golden/requirements.txt; python tests/golden/make_bpe_files.py
"""
import json
import os
import shutil

from tokenizers import ByteLevelBPETokenizer
from transformers import GPT2Tokenizer, Qwen2Tokenizer, RobertaTokenizer

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "bpe_files")
TEXTS = ["", "a", "two kinds of traffic, one engine", " leading and  double spaces ", "It's 12345 o'clock\n\n\tCaf\u00e9 e\u0301 \u5317\u4eac \U0001f600",
         "<s>x</s> <mask> y <pad>", "a <|endoftext|> b", "  <mask>"]
PAIRS = [("one engine", "two kinds"), ("a", " b")]


def vocabulary(folder, specials):
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(TEXTS * 3 + ["engines of traffic kinds clock"] * 3, vocab_size=340, min_frequency=2, special_tokens=specials,
                                show_progress=False)
    trained.save_model(folder)


def make(name, tokenizer_class, specials, config):
    folder = os.path.join(OUT, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    vocabulary(folder, specials)
    with open(f"{folder}/tokenizer_config.json", "w") as file:
        json.dump({"tokenizer_class": tokenizer_class.__name__, **config}, file, indent=1)
    tokenizer = tokenizer_class.from_pretrained(folder)
    golden = {"texts": [[text, tokenizer(text).input_ids] for text in TEXTS],
              "pairs": [[a, b, tokenizer(a, b).input_ids] for a, b in PAIRS]}
    with open(f"{folder}/golden.json", "w") as file:
        json.dump(golden, file, indent=1)


def main():
    roberta = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    make("roberta", RobertaTokenizer, roberta, {})
    mask = {"__type": "AddedToken", "content": "<mask>", "lstrip": True, "rstrip": False, "single_word": False, "normalized": False}
    make("roberta-prefix-space", RobertaTokenizer, roberta, {"add_prefix_space": True, "trim_offsets": False, "mask_token": mask})
    make("gpt2", GPT2Tokenizer, ["<|endoftext|>"], {})
    make("qwen2", Qwen2Tokenizer, ["<|endoftext|>"], {})


if __name__ == "__main__":
    main()
