#!/usr/bin/env python3
"""Trains small tokenizers in the pipeline shapes of published ones, for golden.py: OUT/NAME/tokenizer.json.

    python tests/golden/trained_tokenizers.py CORPUS.jsonl FILES OUT [--only gemma ...]

CORPUS.jsonl is of golden_corpus.py; FILES has xlmr/tokenizer.json (bench/tokenizers/make_tokenizers.py), whose character map the
Unigram shapes take. A folder that is there already is left alone. Normalizer, pre-tokenizer, post-processor, decoder and the
flags of added tokens are as in the published tokenizer.json (pipeline_shapes.py); vocabulary and ids are the trainer's.
"""
import argparse
import json
import os
import sys
import time

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from pipeline_shapes import shapes  # noqa: E402


def training_texts(path, every):
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    useful = [row["text"] for row in rows if row["kind"] in ("prose", "code", "translations", "chat templates", "script blocks")]
    return useful[::every]


def empty_tokenizer(shape):
    """With the parts of the shape and no vocabulary; what splits words for the trainer may be another pre-tokenizer."""
    parts = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": shape.normalizer,
             "pre_tokenizer": shape.train_pre or shape.pre_tokenizer, "post_processor": None, "decoder": shape.decoder,
             "model": {"type": "BPE", "vocab": {}, "merges": []}}
    tokenizer = Tokenizer.from_str(json.dumps(parts))
    tokenizer.model = {"Unigram": models.Unigram, "WordPiece": lambda: models.WordPiece(unk_token=shape.unk),
                       "BPE": models.BPE}[shape.model]()
    return tokenizer


def trainer_of(shape):
    specials = [token["content"] for token in shape.added if not token.get("late")] + shape.pieces
    common = {"vocab_size": shape.size, "special_tokens": specials, "show_progress": False}
    if shape.model == "Unigram":
        return trainers.UnigramTrainer(unk_token=shape.unk, max_piece_length=16, **common)
    if shape.model == "WordPiece":
        return trainers.WordPieceTrainer(limit_alphabet=3000, **common)
    if shape.is_byte_level:
        common["initial_alphabet"] = pre_tokenizers.ByteLevel.alphabet()
    if shape.options.get("end_of_word_suffix"):
        common["end_of_word_suffix"] = shape.options["end_of_word_suffix"]
    return trainers.BpeTrainer(limit_alphabet=3000, **common)


def finish(tokenizer, shape):
    """The trained vocabulary with the shape's pre-tokenizer, options and added tokens, the late ones behind the vocabulary."""
    data = json.loads(tokenizer.to_str())
    vocabulary = data["model"]["vocab"]
    ids = {piece: i for i, (piece, _) in enumerate(vocabulary)} if shape.model == "Unigram" else dict(vocabulary)
    data["added_tokens"] = []
    for token in shape.added:
        number = ids.setdefault(token["content"], len(ids))
        flags = {key: value for key, value in token.items() if key != "late"}
        data["added_tokens"].append({"id": number, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                                     "special": True, **flags})
    data["added_tokens"].sort(key=lambda token: token["id"])
    data["model"].update(shape.options)
    data["pre_tokenizer"] = shape.pre_tokenizer
    data["post_processor"] = shape.post_processor(ids) if shape.post_processor else None
    return json.dumps(data, ensure_ascii=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("files")
    parser.add_argument("out")
    parser.add_argument("--only", nargs="*", default=[])
    args = parser.parse_args()
    with open(os.path.join(args.files, "xlmr", "tokenizer.json"), encoding="utf-8") as file:
        charsmap = json.load(file)["normalizer"]
    texts = {}
    for name, shape in shapes(charsmap).items():
        path = os.path.join(args.out, name, "tokenizer.json")
        if os.path.exists(path) or (args.only and name not in args.only):
            continue
        every = 80 if shape.model == "Unigram" else 12  # the trainer of Unigram is slow
        if every not in texts:
            texts[every] = training_texts(args.corpus, every)
        began = time.monotonic()
        tokenizer = empty_tokenizer(shape)
        tokenizer.train_from_iterator(texts[every], trainer_of(shape))
        text = finish(tokenizer, shape)
        Tokenizer.from_str(text)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".part", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".part", path)
        print(f"{name}: {tokenizer.get_vocab_size()} pieces in {time.monotonic() - began:.0f} s", flush=True)


main()
