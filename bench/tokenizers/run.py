#!/usr/bin/env python3
"""Times Bouquet's tokenizer beside others on the same texts: one loop for all, str in, ids out.

    bench/tokenizers/run.py TOKENIZERS CORPUS [--families xlmr ...] [--lengths 512] [--rounds 3] [--texts 2000]

TOKENIZERS holds FAMILY/tokenizer.json (make_tokenizers.py), CORPUS the streams {en,mixed,zh,ja,code}.txt
(make_corpus.py). "Cold" is the first pass over the texts in a process just forked, after 40 texts of another kind;
"warm" the median of five more passes over the first tenth. One text a call on one thread; then, for texts of 512 tokens,
64 texts a call on all processors. Each round runs every library once, in turn; figures are
medians over the rounds, in microseconds a text. Ids are compared with those of Hugging Face `tokenizers`: a library that
differs is marked "not exact", and no target is measured against it.
"""
import argparse
import array
import gc
import hashlib
import os
import pickle
import resource
import statistics
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from libraries import FAMILIES, KINDS, LIBRARIES, batches_of, ids_of  # noqa: E402

BATCH, BATCHED_LENGTH = 64, 512  # texts a call, tokens a text
LOADS_IN_CHILD = {"snaptokens", "splintr"}  # hang when forked after loading
GOALS = {"xlmr": (1.5, 20), "minilm": (1.25, 40), "qwen2": (1.25, 50)}  # over the best exact rival; over `tokenizers`


def stream(corpus, kind):
    if kind != "cjk":
        return open(os.path.join(corpus, kind + ".txt"), encoding="utf-8").read()
    return "".join(stream(corpus, name) for name in ("zh", "ja"))


def cut(path, text, length, count):
    """`count` texts of `length` tokens, one after the other, from all over the stream."""
    import bouquet_tokenizer
    tokenizer = bouquet_tokenizer.Tokenizer.from_file(path)
    texts, stride = [], max(1, len(text) // count)
    for i in range(count):
        full = tokenizer.encode_full(text[i * stride:i * stride + 16 * length], max_length=length)
        end = int(full.offsets[:, 1].max()) if len(full) else 0
        if end:
            texts.append(text[i * stride:i * stride + end])
    return texts


def timed(encode, calls, count):
    """Microseconds a text, of `count` in all."""
    start = time.perf_counter_ns()
    for call in calls:
        encode(call)
    return (time.perf_counter_ns() - start) / 1000 / count


def digest(results):
    sha = hashlib.sha256()
    for result in results:
        sha.update(array.array("i", ids_of(result)).tobytes() + b"|")
    return sha.hexdigest()


class OneByOne:
    """One text a call, on one thread."""

    def make(self, name, path):
        return LIBRARIES[name](path)

    def calls(self, texts):
        return texts

    def results(self, encode, texts):
        return (encode(text) for text in texts)


class Batches:
    """BATCH texts a call, on all processors."""

    def make(self, name, path):
        return batches_of(name, path)

    def calls(self, texts):
        return [texts[i:i + BATCH] for i in range(0, len(texts), BATCH)]

    def results(self, encode, texts):
        return (result for call in self.calls(texts) for result in encode(call))


def resident_mb():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 2**20


def measure(way, make, texts, warm_up):
    """In a forked child: cold and warm microseconds a text, MB that came with the texts, and a hash of the first ids."""
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        try:
            encode = make()
            again = first_tenth(texts)
            all_calls, some_calls = way.calls(texts), way.calls(again)
            for call in way.calls(warm_up):
                encode(call)
            gc.collect()
            gc.disable()
            before = resident_mb()
            cold = timed(encode, all_calls, len(texts))
            grown = resident_mb() - before
            warm = statistics.median(timed(encode, some_calls, len(again)) for _ in range(5))
            os.write(write, pickle.dumps((cold, warm, grown, digest(way.results(encode, again)))))
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else None


def first_tenth(texts):
    return texts[:max(1, len(texts) // 10)]


def run_row(way, path, names, texts, warm_up, rounds):
    loaded = {name: way.make(name, path) for name in names if name not in LOADS_IN_CHILD}
    makers = {name: (lambda name=name: loaded.get(name) or way.make(name, path)) for name in names}
    results = {name: [] for name in names}
    for round_ in range(rounds):
        order = names[round_ % len(names):] + names[:round_ % len(names)]
        for name in order:
            if (result := measure(way, makers[name], texts, warm_up)) is not None:
                results[name].append(result)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizers")
    parser.add_argument("corpus")
    parser.add_argument("--families", nargs="+", default=list(FAMILIES))
    parser.add_argument("--lengths", nargs="+", type=int, default=[64, 512, 4096])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--texts", type=int, default=2000)
    options = parser.parse_args()
    targets = []
    for family in options.families:
        path = os.path.join(options.tokenizers, family, "tokenizer.json")
        for kind in KINDS[family]:
            text = stream(options.corpus, kind)
            other = stream(options.corpus, "code" if kind != "code" else "en")
            for length in options.lengths:
                count = options.texts if length < 4096 else options.texts // 5
                texts = cut(path, text, length, count)
                warm_up = cut(path, other, length, 40)
                results = run_row(OneByOne(), path, FAMILIES[family], texts, warm_up, options.rounds)
                targets += report(family, kind, str(length), results)
                if length == BATCHED_LENGTH:
                    results = run_row(Batches(), path, FAMILIES[family], texts, warm_up, options.rounds)
                    targets += report(family, kind, f"{length}_batches", results)
    print("\n".join(targets))


def report(family, kind, what, results):
    print(f"\n{family}, {kind}, {what}")
    right = results["huggingface"][0][3]
    best = {}
    rows = {name: tuple(statistics.median(r[i] for r in rounds) for i in range(3))
            for name, rounds in results.items() if rounds}
    for name, (cold, warm, grown) in rows.items():
        exact = results[name][0][3] == right
        print(f"  {name:14} cold {cold:9.1f}  warm {warm:9.1f} us   +{grown:5.0f} MB{'' if exact else '   not exact'}")
        if exact and name not in ("bouquet", "huggingface"):
            best[name] = (cold, warm)
    mine = rows["bouquet"]
    over_rival, over_huggingface = GOALS[family]
    for i, how in enumerate(("cold", "warm")):
        if best:
            rival = min(best, key=lambda name: best[name][i])
            ratio = best[rival][i] / mine[i]
            yield target(f"{family}_{kind}_{what}_{how}_over_{rival}", ratio, over_rival)
        yield target(f"{family}_{kind}_{what}_{how}_over_tokenizers", rows["huggingface"][i] / mine[i], over_huggingface)


def target(name, value, goal):
    return f"target {name} {value:.2f} (goal {goal}) {'ok' if value >= goal else 'short'}"


main()
