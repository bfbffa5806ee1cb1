#!/usr/bin/env python3
"""Makes the texts of golden.py: over 100,000 different ones, of every script, from one word to 8 KB; deterministic.

    python tests/golden/golden_corpus.py STREAMS ROOT OUT.jsonl [--texts 100000] [--seed 1]

STREAMS holds {en,mixed,zh,ja,code,adv}.txt (bench/tokenizers/make_corpus.py), ROOT the unpacked Debian packages iso-codes,
libgtk-3-common, vlc-l10n, unicode-cldr-core and unicode-data (dpkg -x NAME.deb ROOT/NAME). A line of OUT.jsonl is
{"kind": ..., "text": ...}. On top of `--texts` come texts that have every code point once. Prints the share of each kind and the
scripts, by Unicode's script property, that the texts have.
"""
import argparse
import bz2
import collections
import gettext
import glob
import html
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from adversarial import EMOJI, ODD, adversarial, every_code_point  # noqa: E402
from text_kinds import chat, controls, graphemes, long_run, near_tie, random_bytes, script_words, special, structured  # noqa: E402

SHARES = {  # in percent of the texts
    "prose": 22, "code": 8, "translations": 24, "script blocks": 7, "chat templates": 5, "URLs and data": 5, "emoji": 3,
    "controls and spaces": 5, "long runs": 2, "random bytes": 4, "special tokens": 6, "near ties": 2, "graphemes": 2,
    "normalization test": 1, "adversarial": 4}
LANGUAGES_OF = ("iso-codes", "vlc-l10n", "libgtk-3-common")


def pieces_of(stream, rnd):
    """Cuts anywhere: short and long pieces; most are short."""
    at = 0
    while at < len(stream):
        size = rnd.choice((12, 40, 80, 80, 120, 200, 200, 300, 500, 900, 1800, 5000))
        yield stream[at:at + size]
        at += size + rnd.randrange(200)


def prose(streams, rnd):
    sources = [list(pieces_of(streams[name], rnd)) for name in ("en", "mixed", "mixed", "zh", "ja")]
    while True:
        yield rnd.choice(rnd.choice(sources))


def code(streams, rnd):
    pieces = list(pieces_of(streams["code"], rnd))
    while True:
        yield rnd.choice(pieces)


def catalogue(path):
    with open(path, "rb") as file:
        messages = gettext.GNUTranslations(file)._catalog  # pylint: disable=protected-access
    return [value for key, value in messages.items() if key and isinstance(value, str) and value]


def read_languages(root):
    """Language -> its strings: translated messages and Unicode's names of emoji, places, languages, units."""
    strings = collections.defaultdict(list)
    for package in LANGUAGES_OF:
        for path in sorted(glob.glob(f"{root}/{package}/usr/share/locale/*/LC_MESSAGES/*.mo")):
            strings[path.split("/")[-3]] += catalogue(path)
    cldr = f"{root}/unicode-cldr-core/usr/share/unicode/cldr/common"
    for path in sorted(glob.glob(f"{cldr}/main/*.xml") + glob.glob(f"{cldr}/annotations/*.xml")):
        with open(path, encoding="utf-8") as file:
            found = re.findall(r">([^<>\n]+)</(?!cp)", file.read())
        strings[os.path.basename(path)[:-4]] += [html.unescape(text) for text in found if not text.isascii()]
    return {name: list(dict.fromkeys(some)) for name, some in sorted(strings.items()) if len(some) >= 20}


def translations(languages, rnd):
    """Every language as often; single strings and many together."""
    names = list(languages)
    while True:
        rnd.shuffle(names)
        for name in names:
            count = rnd.choice((1, 1, 1, 2, 3, 5, 10, 30, 120))
            joint = rnd.choice((" ", " ", "\n", ", ", ". ", "; "))
            start = rnd.randrange(len(languages[name]))
            yield joint.join(languages[name][start:start + count])[:3000]


def read_scripts(root):
    """(first, last, script) of Unicode's Scripts.txt."""
    with open(f"{root}/unicode-data/usr/share/unicode/Scripts.txt", encoding="utf-8") as file:
        rows = re.findall(r"(?m)^([0-9A-F]+)(?:\.\.([0-9A-F]+))? *; (\w+)", file.read())
    return [(int(first, 16), int(last or first, 16), script) for first, last, script in rows]


def read_normalization_test(root):
    path = f"{root}/unicode-data/usr/share/unicode/NormalizationTest.txt.bz2"
    lines = bz2.open(path, "rt", encoding="utf-8").read().splitlines()
    columns = [line.split(";")[:5] for line in lines if line and line[0] not in "#@"]
    return ["".join(chr(int(point, 16)) for point in column.split()) for row in columns for column in row]


def normalization_test(strings, rnd):
    while True:
        yield rnd.choice(("", " ", "a")).join(rnd.choice(strings) for _ in range(rnd.choice((1, 2, 8, 40))))


def emoji(root, rnd):
    with open(f"{root}/unicode-data/usr/share/unicode/emoji/emoji-test.txt", encoding="utf-8") as file:
        rows = re.findall(r"(?m)^([0-9A-F ]+?) *;", file.read())
    some = ["".join(chr(int(point, 16)) for point in row.split()) for row in rows] + EMOJI
    while True:
        yield "".join(rnd.choice(some) + rnd.choice(("", "", " ", "ok ", "\u200d")) for _ in range(rnd.randint(1, 60)))


def endless(make, *args):
    while True:
        yield make(*args)


def make_sources(args, rnd):
    streams = {name: open(f"{args.streams}/{name}.txt", encoding="utf-8", newline="").read()
               for name in ("en", "mixed", "zh", "ja", "code", "adv")}
    scripts = read_scripts(args.root)
    languages = read_languages(args.root)
    print(f"{len(languages)} languages and regions", flush=True)
    plain = list(pieces_of(streams["mixed"], rnd))
    hard = adversarial(args.texts // 20, rnd, plain) + streams["adv"].split("\x1e")
    rnd.shuffle(hard)
    return {"prose": prose(streams, rnd), "code": code(streams, rnd), "translations": translations(languages, rnd),
            "script blocks": script_words(scripts, rnd), "chat templates": endless(chat, plain, rnd),
            "URLs and data": endless(structured, plain, rnd), "emoji": emoji(args.root, rnd),
            "controls and spaces": endless(controls, plain, rnd), "long runs": endless(long_run, rnd),
            "random bytes": endless(random_bytes, rnd), "special tokens": endless(special, plain, rnd),
            "near ties": endless(near_tie, rnd), "graphemes": endless(graphemes, ODD, rnd),
            "normalization test": normalization_test(read_normalization_test(args.root), rnd), "adversarial": iter(hard)}


def make(args):
    """[(kind, text)], no text twice, in an order that mixes the kinds."""
    rnd = random.Random(args.seed)
    seen, texts = set(), []
    for kind, source in make_sources(args, rnd).items():
        wanted = args.texts * SHARES[kind] // 100
        for text in source:
            text = text.encode()[:8192].decode(errors="ignore")
            if text not in seen:
                seen.add(text)
                texts.append((kind, text))
                wanted -= 1
            if wanted == 0:
                break
    texts += [("every code point", text) for text in every_code_point()] + [("empty", "")]
    rnd.shuffle(texts)
    return texts


def report(texts, scripts):
    """Prints the share of each kind, and how many texts have at least 3 characters of each script."""
    table = {}
    for first, last, script in scripts:
        table.update(dict.fromkeys(range(first, last + 1), script))
    sizes, counts, having = collections.Counter(), collections.Counter(), collections.Counter()
    for kind, text in texts:
        counts[kind] += 1
        sizes[kind] += len(text.encode())
        of_text = collections.Counter(table.get(ord(c)) for c in text)
        having.update(script for script, count in of_text.items() if script and count >= 3 and kind != "every code point")
    for kind, count in counts.most_common():
        print(f"{count:7} {kind}: {100 * count / len(texts):.1f} % of the texts, {sizes[kind] / 1e6:.1f} MB")
    many = [f"{script} {count}" for script, count in having.most_common() if script not in ("Common", "Inherited")]
    print(f"{len(texts)} texts, {sum(sizes.values()) / 1e6:.1f} MB, longest {max(len(t.encode()) for _, t in texts)} bytes")
    print(f"{len(many)} scripts, {sum(int(s.split()[1]) >= 100 for s in many)} of them in 100 texts or more: " + ", ".join(many))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("streams")
    parser.add_argument("root")
    parser.add_argument("out")
    parser.add_argument("--texts", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    texts = make(args)
    with open(args.out + ".part", "w", encoding="utf-8") as out:
        for kind, text in texts:
            print(json.dumps({"kind": kind, "text": text}), file=out)
    os.replace(args.out + ".part", args.out)
    report(texts, read_scripts(args.root))


main()
