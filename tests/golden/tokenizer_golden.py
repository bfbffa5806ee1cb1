#!/usr/bin/env python3
"""Compares the tokenizer with Hugging Face `tokenizers` on small tokenizer.json files that together have every option.

    python tests/golden/tokenizer_golden.py DUMP [--only bpe_] [--jobs 2]     each file with 1,001 texts
    python tests/golden/tokenizer_golden.py DUMP --write FILE                 makes the committed golden file

DUMP is the program tokenizer_dump. Real and trained tokenizers over far more texts: golden.py.
"""
import argparse
import functools
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time

from tokenizers import Tokenizer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpe_variants  # noqa: E402
import tokenizer_variants  # noqa: E402
from adversarial import adversarial  # noqa: E402
from dump_commands import Commands, fill  # noqa: E402


def variant_texts(rnd):
    words = tokenizer_variants.PIECES + [piece.replace("▁", " ") for piece, _ in tokenizer_variants.UNIGRAM] * 2
    plain = ["".join(rnd.choice(words + [" "] * 60).replace("##", "") for _ in range(rnd.randint(1, 200)))
             for _ in range(300)]
    return [""] + plain + adversarial(700, rnd, plain)


def compare(dump, variant):
    """(checks, differences) of one file."""
    rnd = random.Random(5)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(variant[1], file)
        file.flush()
        commands = Commands(Tokenizer.from_file(file.name))
        fill(commands, variant_texts(rnd), rnd, 2)
        return variant[0], len(commands.expected), commands.run(dump, file.name)


def compare_all(args):
    """The number of differences. Prints a line a minute, and one for each file that has differences."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    variants = [variant for variant in tokenizer_variants.variants().items() if variant[0].startswith(args.only)]
    began = said = time.monotonic()
    checks = wrong = 0
    with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
        for count, (name, some, differences) in enumerate(pool.imap(functools.partial(compare, args.dump), variants), 1):
            checks, wrong, now = checks + some, wrong + differences, time.monotonic()
            if differences:
                print(f"{name}: {some} checks, {differences} differences", flush=True)
            if now - said > 60:
                print(f"[{count}/{len(variants)}, {now - began:.0f} s] {name}: {checks} checks, {wrong} differences", flush=True)
                said = now
    print(f"{len(variants)} small files, {checks} checks: {wrong} differences", flush=True)
    return wrong if variants else 1


def write_golden(args):
    """JSON lines: the vocabulary of each model; then for each variant its file (without the vocabulary) and [command, expected]."""
    with open(args.write, "w") as out:
        vocabularies = {d["model"]["type"]: d["model"]["vocab"]
                        for d in (tokenizer_variants.base(), tokenizer_variants.wordlevel_base(),
                                  tokenizer_variants.unigram_base(), bpe_variants.base())}
        print(json.dumps(vocabularies, ensure_ascii=False), file=out)
        for index, (name, data) in enumerate(tokenizer_variants.variants().items()):
            rnd = random.Random(index)
            commands = Commands(Tokenizer.from_str(json.dumps(data)))
            texts = [t[:28] for t in rnd.sample(variant_texts(rnd), 5)]
            fill(commands, texts, rnd, 5)
            checks = []
            for command, expected in zip(commands.bytes, commands.expected):
                if not isinstance(expected, str):
                    expected = [int(expected[0])] + expected[1].flatten().tolist()
                checks.append([command.hex(), expected])
            if data["model"]["vocab"] in vocabularies.values():
                data["model"]["vocab"] = None
            print(json.dumps({"name": name, "file": data, "checks": checks}, ensure_ascii=False, separators=(",", ":")),
                  file=out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("--only", default="", help="variants whose names begin so")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write")
    args = parser.parse_args()
    if args.write:
        write_golden(args)
        return 0
    return 1 if compare_all(args) else 0


if __name__ == "__main__":
    sys.exit(main())
