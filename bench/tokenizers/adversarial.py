#!/usr/bin/env python3
"""Time against length of texts that are hard on tokenizers, without truncation: it must grow with the length, not with
its square.

    bench/tokenizers/adversarial.py TOKENIZERS [--families qwen2 ...] [--plot docs/adversarial.svg]

TOKENIZERS holds FAMILY/tokenizer.json (make_tokenizers.py). Each kind of text is timed at 1 KB, 2 KB ... 1 MB, in the
processor's time of this thread, the best of five times or more; the exponent is the slope of a line through the
logarithms. Most kinds are a single word, which costs byte-pair encoding n log n: 1.07 to 1.1 here, and more where what
fitted the caches does not any longer.
"""
import argparse
import json
import math
import os
import time

import numpy as np
from bouquet_tokenizer import Tokenizer

FAMILIES = ["minilm", "xlmr", "bgem3", "qwen2"]
LENGTHS = [1 << bits for bits in range(10, 21)]
LONG = 1 << 14  # bytes; shorter texts lie in the processor's caches, and their words in the tokenizer's
GOAL = 1.15

KINDS = {  # what is repeated
    "letter": "a",
    "alternating": "ab",
    "marks": "a" + "\u0301\u0323\u0327" * 300,  # not in canonical order
    "spaces": " ",
    "newlines": "\n",
    "digits": "0123456789",
    "nul": "\0",
    "mark_2581": "\u2581",
    "cjk": "北京大学生活在中国的首都以及其他城市里面学习汉语",
    "emoji_zwj": "👩‍👩‍👧‍👦🏳️‍🌈",
    "punctuation": "!?.,;-",
}


def kinds_of(file):
    """The kinds of all families, and those that are made of this one's tokens."""
    model, added = file["model"]["vocab"], [token["content"] for token in file["added_tokens"]]
    words = [token for token in (entry if isinstance(entry, str) else entry[0] for entry in model)
             if token.isascii() and token.isalpha() and token.islower()]
    longest = sorted(words, key=lambda token: (-len(token), token))[:50]
    return KINDS | {"long_tokens": "".join(longest), "look_alikes": "".join(token[:-1] for token in added[:20])}


def text_of(unit, size):
    """`size` bytes of the unit over and over, to the character."""
    return (unit.encode() * (size // len(unit.encode()) + 1))[:size].decode(errors="ignore")


def best_time(tokenizer, text):
    """Seconds of five times or more, tried for a quarter of a second or more."""
    times = []
    while len(times) < 5 or (sum(times) < 0.25 and len(times) < 1000):
        start = time.thread_time()
        tokenizer.encode(text)
        times.append(time.thread_time() - start)
    return min(times)


def measure(path):
    """Seconds by kind, one for each length."""
    tokenizer = Tokenizer.from_file(path)
    with open(path, encoding="utf-8") as file:
        kinds = kinds_of(json.load(file))
    best_time(tokenizer, text_of(KINDS["alternating"], LENGTHS[-1]))  # buffers grow
    return {kind: [best_time(tokenizer, text_of(unit, size)) for size in LENGTHS] for kind, unit in kinds.items()}


def exponent(seconds):
    first = LENGTHS.index(LONG)
    return float(np.polyfit(np.log(LENGTHS[first:]), np.log(seconds[first:]), 1)[0])


def report(family, times):
    print(f"\n{family:14} 1 KB us   32 KB us    1 MB us   ns a byte  exponent")
    for kind, seconds in times.items():
        first, middle, last = (seconds[LENGTHS.index(1 << bits)] * 1e6 for bits in (10, 15, 20))
        print(f"  {kind:12} {first:9.1f} {middle:10.0f} {last:10.0f} {last * 1000 / LENGTHS[-1]:11.1f} {exponent(seconds):9.3f}")
    for kind, seconds in times.items():
        value = exponent(seconds)
        yield f"target adversarial_{family}_{kind} {value:.3f} (goal {GOAL}) {'ok' if value <= GOAL else 'short'}"


PANEL = (250, 300)  # pixels
COLORS = ["#1b6ca8", "#d1495b", "#3a7d44", "#edae49", "#66489e", "#00798c", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22",
          "#17becf", "#ff7f0e", "#000000"]
DECADES = (-6, 1)  # of seconds


def place(size, seconds):
    x = 45 + (math.log2(size) - 10) / 10 * (PANEL[0] - 60)
    y = 30 + (DECADES[1] - math.log10(seconds)) / (DECADES[1] - DECADES[0]) * (PANEL[1] - 60)
    return f"{x:.1f},{y:.1f}"


def panel(family, times):
    """Lines of one family, over a grid; dashed: times that grow with the length, and with its square."""
    yield f'<text x="{PANEL[0] / 2}" y="18" text-anchor="middle" font-weight="bold">{family}</text>'
    for decade in range(DECADES[0], DECADES[1] + 1):
        left, right = place(LENGTHS[0], 10.0 ** decade), place(LENGTHS[-1], 10.0 ** decade)
        yield f'<polyline points="{left} {right}" stroke="#ddd"/>'
        x, y = left.split(",")
        label = {-6: "1 us", -3: "1 ms", 0: "1 s"}.get(decade, "")
        yield f'<text x="{float(x) - 4}" y="{float(y) + 4}" text-anchor="end">{label}</text>'
    for bits, label in ((10, "1 KB"), (15, "32 KB"), (20, "1 MB")):
        x, y = place(1 << bits, 10.0 ** DECADES[0]).split(",")
        yield f'<text x="{x}" y="{float(y) + 16}" text-anchor="middle">{label}</text>'
    for power, size in ((1, 1 << 20), (2, 1 << 15)):
        ends = place(1 << 10, 3e-6), place(size, 3e-6 * (size / 1024) ** power)
        yield f'<polyline points="{ends[0]} {ends[1]}" stroke="#555" stroke-dasharray="4 3"/>'
    for color, seconds in zip(COLORS, times.values()):
        points = " ".join(place(size, second) for size, second in zip(LENGTHS, seconds))
        yield f'<polyline points="{points}" stroke="{color}"/>'


def plot(path, all_times):
    kinds = next(iter(all_times.values()))
    width, height = PANEL[0] * len(all_times), PANEL[1] + 50
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
                   'font-size="11" fill="none"><rect width="100%" height="100%" fill="#fff"/><g fill="#333">\n')
        for index, (family, times) in enumerate(all_times.items()):
            lines = "\n".join(panel(family, times)).replace("<polyline ", '<polyline fill="none" ')
            file.write(f'<g transform="translate({index * PANEL[0]})">{lines}</g>\n')
        for index, (color, kind) in enumerate(zip(COLORS, kinds)):
            x, y = 45 + index % 7 * 135, PANEL[1] + 12 + index // 7 * 18
            file.write(f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{color}"/><text x="{x + 15}" y="{y}">{kind}</text>\n')
        file.write("</g></svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizers")
    parser.add_argument("--families", nargs="+", default=FAMILIES)
    parser.add_argument("--plot", help="an SVG to write")
    options = parser.parse_args()
    all_times = {family: measure(os.path.join(options.tokenizers, family, "tokenizer.json")) for family in options.families}
    targets = [line for family, times in all_times.items() for line in report(family, times)]
    print("\n" + "\n".join(targets))
    if options.plot:
        plot(options.plot, all_times)


main()
