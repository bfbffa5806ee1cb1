#!/usr/bin/env python3
"""Compares the tokenizer with Hugging Face `tokenizers`: ids, types, special mask, byte offsets, cuts, pairs, decode.

    python tests/golden/tokenizer_golden.py DUMP --model tokenizer.json --root ROOT   every text under ROOT
    python tests/golden/tokenizer_golden.py DUMP --variants                           the small files with every option
    python tests/golden/tokenizer_golden.py DUMP --write FILE                         makes the committed golden file
    python tests/golden/tokenizer_golden.py DUMP --model tokenizer.json --time        ns a token, one thread

DUMP is the program tokenizer_dump; ROOT has unpacked packages of manual pages and handbooks (dpkg -x NAME.deb ROOT).
"""
import argparse
import array
import glob
import gzip
import html
import itertools
import json
import os
import random
import re
import struct
import subprocess
import sys
import sysconfig
import tempfile

from tokenizers import Tokenizer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpe_variants  # noqa: E402
import tokenizer_variants  # noqa: E402

ODD = ["\u0301", "e\u0301", "n\u0303", "\u200b", "\u200d", "\ufeff", "\u00ad", "\x00", "\x07", "\x7f", "\u0085",
       "\u2028", "\u3000", "\u00a0", "\x0b", "\x0c", "\r", "\r\n", "\t", "ﬁ", "①", "Å", "㌔", "ｱｲｳ", "ＡＢＣ", "ß", "İ",
       "ı", "Σ", "ς", "ǅ", "\u1e9b\u0323", "가", "\u1112\u1161\u11ab", "\ud7a3", "\ue000", "\U0010ffff", "\ufffd",
       "\ufffe", "don't", "I'LL", "ſ", "K", "<s>", "</s>", "[CLS]", "[SEP]", "[MASK]", "[UNK]", "[PAD]", "[cls]",
       "[ SEP ]", "[[SEP]]", "▁", "##ing", "  ", "    ", " \n ", "\n\n\n", "....", "-----", "=====", "0123456789",
       "3.14159", "http://a.b/c?d=e&f=g", "ŉ", "ก็", "ကို", "क्षि", "ﷺ", "\u202e", "x" * 120, "é\u0323",
       "a\u0323\u0301\u0345\u0334", "\u0344\u0323", "\u0f73\u0f71", "豈", "\u2126", "\u1e69", "\u0958", "ΰ\u0345",
       "\u302a\u302e\u16ff0", "\U0001d165\U0001d16d\u0301", "𝒳", "𑄮", "㐀", "\U0002b81e"]
EMOJI = ["😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "👍🏽", "❤️", "☺", "🧑🏿‍🚀", "1️⃣", "©", "™", "㊗", "🀄"]
TAGS = ["<l>", "<r>", "<lr>", "<w>", "word", "<l>x", "Foo", "foo", "FÓOBAR", "[Néw]", "[new]", "Wö", "wo", "<L>",
        "<R>", "北京", "京", "a b", " <s>", "<e> ", "x  y", "ab", "abab", "babx", "bc", "the", "。", "<x>", "<y>",
        "hello", "ing", "zoo", "①", "！！", "a！！b", "1", "fo\u0301obar", "We\u0308"]


def random_char(rnd):
    return chr(rnd.choice([rnd.randint(1, 0x24F), rnd.randint(0x250, 0xD7FF), rnd.randint(0xE000, 0xFFFF),
                           rnd.randint(0x10000, 0x1FFFF), rnd.randint(0x20000, 0x10FFFF)]))


def adversarial(count, rnd, plain):
    """Texts of six kinds: emoji, odd strings, any code points, runs, base64, plain text with odd strings put in."""
    out = []
    for i in range(count):
        kind = i % 7
        if kind == 0:
            text = "".join(rnd.choice(EMOJI + [" "]) for _ in range(rnd.randint(1, 80)))
        elif kind == 1:
            text = "".join(rnd.choice(ODD + [" ", "a", "the "]) for _ in range(rnd.randint(1, 100)))
        elif kind == 2:
            text = "".join(random_char(rnd) for _ in range(rnd.randint(1, 150)))
        elif kind == 3:
            text = rnd.choice("a=- \n.字あ😀\u0301") * rnd.randint(1, 800) + rnd.choice(ODD)
        elif kind == 4:
            letters = "abcdefghijklmnopqrstuvwxyzABCDEF0123456789+/"
            text = "".join(rnd.choice(letters) for _ in range(rnd.randint(5, 900)))
        elif kind == 5:
            parts = TAGS + [" ", "  ", "\n", ",", "a", "A", "\u3000"]
            text = "".join(rnd.choice(parts) for _ in range(rnd.randint(1, 40)))
        else:
            base, text, last = rnd.choice(plain)[:rnd.randint(5, 600)], "", 0
            for at in sorted(rnd.randint(0, len(base)) for _ in range(8)):
                text += base[last:at] + rnd.choice(ODD + EMOJI + TAGS)
                last = at
            text += base[last:]
        out.append(text)
    return out


def every_code_point():
    """Each code point between letters, in texts of 64."""
    points = [chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
    return ["".join("a" + c + "b " for c in points[i:i + 64]) for i in range(0, len(points), 64)]


def read_plain(path):
    raw = gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    if path.endswith((".html", ".page")):
        return html.unescape(re.sub(r"(?s)<[^>]+>", " ", text))
    return "\n".join(line for line in text.splitlines() if not line.startswith((".\\\"", "'\\\"")))


def corpus(root, rnd, count):
    kinds = ("/**/man/**/*.gz", "/**/*.page", "/**/*.html")
    paths = [p for kind in kinds for p in glob.glob(root + kind, recursive=True) if os.path.isfile(p)]
    paths += glob.glob(sysconfig.get_paths()["stdlib"] + "/*.py")
    folders, groups = {}, {}
    for path in sorted(set(paths)):
        folders.setdefault(os.path.dirname(path), []).append(path)
    for path in [p for some in folders.values() for p in rnd.sample(some, min(len(some), 80))]:
        text, at = read_plain(path), 0
        group = groups.setdefault(os.path.dirname(path), [])
        while at < len(text) and len(group) < 1500:
            size = rnd.choice((60, 200, 700, 1500))
            group.append(text[at:at + size])
            at += size
    texts = []
    while len(texts) < count and groups:
        for name in list(groups):
            if groups[name]:
                texts.append(groups[name].pop(rnd.randrange(len(groups[name]))))
            else:
                del groups[name]
    return texts


class Commands:
    """The commands for tokenizer_dump with what `tokenizers` makes of each."""

    def __init__(self, tokenizer):
        self.tokenizer, self.bytes, self.expected, self.shown = tokenizer, [], [], []

    def encode(self, a, b=None, limit=0, specials=True, left=False, literal=False):
        tok = self.tokenizer
        tok.encode_special_tokens = literal
        tok.no_truncation()
        full = 0
        if limit:
            # Below the template's own ids `tokenizers` does not cut at all; the C++ keeps to the limit.
            limit = max(limit, tok.num_special_tokens_to_add(b is not None))
            full = len(tok.encode(a, b, add_special_tokens=specials))
            tok.enable_truncation(limit, strategy="longest_first", direction="left" if left else "right")
        got = tok.encode(a, b, add_special_tokens=specials)
        places = [list(itertools.accumulate((len(c.encode()) for c in text), initial=0)) for text in (a, b or "")]
        ids, rows = got.ids, []
        for row in zip(ids, got.type_ids, got.special_tokens_mask, got.offsets, got.sequence_ids):
            place = places[row[4] or 0]
            rows += row[0], row[1], row[2], place[row[3][0]], place[row[3][1]]
        flags = (1 if specials else 0) | (2 if left else 0) | (4 if literal else 0)
        command = struct.pack("<III", 0 if b is None else 1, limit, flags)
        for text in (a,) if b is None else (a, b):
            raw = text.encode()
            command += struct.pack("<I", len(raw)) + raw
        self.bytes.append(command)
        self.expected.append(array.array("I", [len(ids), len(ids) < full] + rows))
        self.shown.append((a, b, limit, specials, left, literal))
        return ids

    def decode(self, ids, skip):
        self.bytes.append(struct.pack("<IIII", 2, 0, 0 if skip else 1, len(ids)) + struct.pack(f"<{len(ids)}I", *ids))
        self.expected.append(self.tokenizer.decode(ids, skip_special_tokens=skip))
        self.shown.append(("decode", ids, skip))

    def run(self, dump, path):
        out = subprocess.run([dump, path], input=b"".join(self.bytes), stdout=subprocess.PIPE, check=True,
                             timeout=120).stdout
        at, wrong = 0, 0
        for expected, shown in zip(self.expected, self.shown):
            if isinstance(expected, str):
                size, = struct.unpack_from("<I", out, at)
                got = out[at + 4:at + 4 + size].decode()
                at += 4 + size
            else:
                count, = struct.unpack_from("<I", out, at)
                got = array.array("I", out[at:at + 8 + 20 * count])
                at += 8 + 20 * count
            if got != expected:
                wrong += 1
                if wrong <= 3:
                    print("DIFFERENCE", shown, "\n  ours", got, "\n  hf  ", expected)
        assert at == len(out)
        return wrong


def fill(commands, texts, rnd, cuts):
    vocabulary = commands.tokenizer.get_vocab_size() + 50
    for i, text in enumerate(texts):
        ids = commands.encode(text)
        if i % cuts == 0:
            limit, left = rnd.choice((3, 4, 5, 8, 16, 31, 64, 128, 256)), rnd.random() < 0.5
            commands.encode(text, limit=limit, left=left, specials=rnd.random() < 0.8)
            if len(ids) < 4 * limit:  # `tokenizers` makes every pair of the pieces it cuts off
                commands.encode(text, texts[i - 1], limit=limit, left=left)
            commands.encode(text, texts[i - 1], specials=rnd.random() < 0.5)
            commands.encode(text, literal=True)
            commands.decode(ids, rnd.random() < 0.5)
            commands.decode([rnd.randrange(vocabulary) for _ in range(20)], True)


def load(text):
    data = json.loads(text)
    data["truncation"] = data["padding"] = None
    return Tokenizer.from_str(json.dumps(data))


def compare_model(args):
    rnd = random.Random(11)
    tokenizer = load(open(args.model).read())
    plain = corpus(args.root, rnd, args.count)
    total = 0
    for name, texts, cuts in (("plain", plain, 12), ("adversarial", adversarial(args.count // 3, rnd, plain), 5),
                              ("every code point", every_code_point(), 50)):
        wrong = 0
        for start in range(0, len(texts), 500):
            commands = Commands(tokenizer)
            fill(commands, texts[start:start + 500], rnd, cuts)
            wrong += commands.run(args.dump, args.model)
        print(f"{name}: {len(texts)} texts, {wrong} differences", flush=True)
        total += wrong
    return total


def variant_texts(rnd):
    words = tokenizer_variants.PIECES + [piece.replace("▁", " ") for piece, _ in tokenizer_variants.UNIGRAM] * 2
    plain = ["".join(rnd.choice(words + [" "] * 60).replace("##", "") for _ in range(rnd.randint(1, 200)))
             for _ in range(300)]
    return [""] + plain + adversarial(700, rnd, plain)


def compare_variants(args):
    total = 0
    for name, data in tokenizer_variants.variants().items():
        if not name.startswith(args.only):
            continue
        rnd = random.Random(5)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(data, file)
            file.flush()
            commands = Commands(Tokenizer.from_file(file.name))
            fill(commands, variant_texts(rnd), rnd, 1)
            wrong = commands.run(args.dump, file.name)
        print(f"{name}: {len(commands.expected)} checks, {wrong} differences", flush=True)
        total += wrong
    return total


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
                    expected = list(expected)[1:]
                checks.append([command.hex(), expected])
            if data["model"]["vocab"] in vocabularies.values():
                data["model"]["vocab"] = None
            print(json.dumps({"name": name, "file": data, "checks": checks}, ensure_ascii=False, separators=(",", ":")),
                  file=out)
    return 0


def measure(args):
    tokenizer = load(open(args.model).read())
    rnd = random.Random(3)
    texts = [t for t in corpus(args.root, rnd, 4000) if len(t) > 600]
    plain = " ".join(t for t in texts if sum(c < "\x7f" for c in t) > 0.995 * len(t))
    commands = []
    for start in range(0, min(len(plain), 2_000_000), 4000):
        piece = plain[start:start + 4000]
        offsets = tokenizer.encode(piece).offsets
        if len(offsets) > 512:
            raw = piece[:offsets[510][1]].encode()
            commands.append(struct.pack("<IIII", 0, 0, 1, len(raw)) + raw)
    print(len(commands), "texts of 512 tokens")
    return subprocess.run([args.dump, "--time", args.model], input=b"".join(commands), check=True).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("--model")
    parser.add_argument("--root", default="/usr/share")
    parser.add_argument("--count", type=int, default=21000)
    parser.add_argument("--variants", action="store_true")
    parser.add_argument("--only", default="", help="variants whose names begin so")
    parser.add_argument("--write")
    parser.add_argument("--time", action="store_true")
    args = parser.parse_args()
    if args.write:
        return write_golden(args)
    if args.variants:
        return 1 if compare_variants(args) else 0
    return measure(args) if args.time else (1 if compare_model(args) else 0)


sys.exit(main())
