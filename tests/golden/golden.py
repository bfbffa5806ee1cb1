#!/usr/bin/env python3
"""Compares the tokenizer with Hugging Face `tokenizers` over many texts: the proof that ids are exactly the same.

    python tests/golden/golden.py DUMP CORPUS.jsonl TOKENIZERS [--texts 10000] [--only qwen2 ...] [--jobs 2]

DUMP is the program tokenizer_dump, CORPUS.jsonl the texts (golden_corpus.py). TOKENIZERS has a folder for each tokenizer with a
tokenizer.json that both read; or a tokenizer.model for ours, and reference.json, the same as `tokenizers` reads it
(real_tokenizers.py, trained_tokenizers.py). Compared are ids, types, special mask, byte offsets and the cut of every text,
encode_ids with encode, and for every tenth text also cuts at both ends, pairs, literal special tokens and decoding.
The exit status is 1 where anything differs.
"""
import argparse
import collections
import json
import multiprocessing
import os
import random
import sys
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # each process has its own core
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dump_commands import Commands, fill, load  # noqa: E402

SLICE = 5000  # texts to one run of tokenizer_dump
LIMITS = (3, 8, 16, 31, 64, 128, 256)
Result = collections.namedtuple("Result", "name texts checks differences seconds")
texts_of_all = []  # of the parent, so that no process gets a copy
loaded = {}        # in a worker: the tokenizer it used last


def files_of(folder):
    """(what ours reads, what `tokenizers` reads)."""
    json_file, model, reference = (os.path.join(folder, name) for name in ("tokenizer.json", "tokenizer.model", "reference.json"))
    return (model, reference) if os.path.exists(reference) else (json_file, json_file)


def reference_of(folder):
    if folder not in loaded:
        loaded.clear()
        with open(files_of(folder)[1], encoding="utf-8") as file:
            loaded[folder] = load(file.read())
    return loaded[folder]


def compare(task):
    dump, folder, start, end = task
    began = time.monotonic()
    commands = Commands(reference_of(folder))
    texts = texts_of_all[start:end]
    for text in texts:
        commands.encode(text)
    # A small limit makes `tokenizers` keep many pieces of a long text, which takes it long.
    fill(commands, [text[:3000] for text in texts[::10]], random.Random(start), 1, LIMITS)
    wrong = commands.run(dump, files_of(folder)[0])
    return Result(os.path.basename(folder), len(texts), len(commands.expected), wrong, time.monotonic() - began)


def tasks_of(args):
    folders = sorted(entry.path for entry in os.scandir(args.tokenizers) if entry.is_dir())
    for folder in folders:
        if args.only and os.path.basename(folder) not in args.only:
            continue
        for start in range(0, len(texts_of_all), SLICE):
            yield args.dump, folder, start, min(start + SLICE, len(texts_of_all))


def run(args):
    """The sums by tokenizer; prints each as it is complete."""
    tasks = list(tasks_of(args))
    slices = collections.Counter(os.path.basename(task[1]) for task in tasks)
    done, sums, began = collections.Counter(), {}, time.monotonic()
    with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
        for count, got in enumerate(pool.imap(compare, tasks), 1):
            before = sums.get(got.name, Result(got.name, 0, 0, 0, 0.0))
            sums[got.name] = Result(got.name, *(a + b for a, b in zip(before[1:], got[1:])))
            done[got.name] += 1
            if done[got.name] == slices[got.name]:
                total = sums[got.name]
                print(f"[{count}/{len(tasks)}, {time.monotonic() - began:.0f} s] {total.name}: {total.texts} texts, "
                      f"{total.checks} checks, {total.differences} differences", flush=True)
    return list(sums.values())


def read_texts(path, count):
    with open(path, encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    return texts[:count] if count else texts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("corpus")
    parser.add_argument("tokenizers")
    parser.add_argument("--texts", type=int, default=0, help="the first so many; 0: all")
    parser.add_argument("--only", nargs="*", default=[], help="tokenizers of these names")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    texts_of_all.extend(read_texts(args.corpus, args.texts))
    sums = run(args)
    wrong = sum(total.differences for total in sums)
    print(f"{len(sums)} tokenizers, {len(texts_of_all)} texts each, {sum(total.checks for total in sums)} checks: "
          f"{wrong} differences", flush=True)
    return 1 if wrong or not sums else 0


if __name__ == "__main__":
    sys.exit(main())
