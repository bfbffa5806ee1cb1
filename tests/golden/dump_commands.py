"""What tokenizer_dump shall do, with what Hugging Face `tokenizers` makes of the same: the two answers are compared.

    commands = Commands(Tokenizer.from_file("tokenizer.json"))
    commands.encode("a text"); commands.encode("a", "pair", limit=8); commands.decode([1, 2, 3], skip=True)
    differences = commands.run("build/tests/tokenizer_dump", "tokenizer.json")

Of each encoding all is compared: ids, types, special mask, byte offsets and whether something was cut off. The program itself
checks that its encode_ids makes the same ids as its encode. `bytes` and `expected` are what is sent and what is to come back.
"""
import json
import os
import struct
import subprocess
import tempfile

import numpy
from tokenizers import Tokenizer

ROW = ("id", "type", "special", "begin", "end")


def load(text):
    """The tokenizer of a tokenizer.json without the file's own truncation and padding, which Bouquet ignores."""
    data = json.loads(text)
    data["truncation"] = data["padding"] = None
    return Tokenizer.from_str(json.dumps(data))


def byte_places(text):
    """For each place between characters its place in the bytes."""
    if text.isascii():
        return numpy.arange(len(text) + 1, dtype=numpy.uint32)
    points = numpy.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    places = numpy.zeros(len(points) + 1, dtype=numpy.uint32)
    numpy.cumsum(1 + (points > 0x7F) + (points > 0x7FF) + (points > 0xFFFF), out=places[1:])
    return places


def rows_of(encoding, a, b):
    """One row a token: id, type, special, begin, end; offsets in bytes."""
    rows = numpy.empty((len(encoding.ids), 5), dtype=numpy.uint32)
    if len(rows) == 0:
        return rows
    rows[:, 0], rows[:, 1], rows[:, 2] = encoding.ids, encoding.type_ids, encoding.special_tokens_mask
    offsets = numpy.array(encoding.offsets, dtype=numpy.int64)
    if b is None:
        rows[:, 3:] = byte_places(a)[offsets]
        return rows
    second = numpy.array([s == 1 for s in encoding.sequence_ids])
    rows[:, 3:][~second] = byte_places(a)[offsets[~second]]
    rows[:, 3:][second] = byte_places(b)[offsets[second]]
    return rows


class Commands:
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
        rows = rows_of(got, a, b)
        flags = (1 if specials else 0) | (2 if left else 0) | (4 if literal else 0)
        command = struct.pack("<III", 0 if b is None else 1, limit, flags)
        for text in (a,) if b is None else (a, b):
            raw = text.encode()
            command += struct.pack("<I", len(raw)) + raw
        self.bytes.append(command)
        self.expected.append((len(rows) < full, rows))
        self.shown.append({"text": a, "pair": b, "limit": limit, "specials": specials, "left": left, "literal": literal})
        return got.ids

    def decode(self, ids, skip):
        self.bytes.append(struct.pack("<IIII", 2, 0, 0 if skip else 1, len(ids)) + struct.pack(f"<{len(ids)}I", *ids))
        self.expected.append(self.tokenizer.decode(ids, skip_special_tokens=skip))
        self.shown.append({"decode": ids, "skip": skip})

    def run(self, dump, path):
        """The number of answers that differ; the first three are printed."""
        with tempfile.TemporaryFile() as commands:
            commands.write(b"".join(self.bytes))
            commands.seek(0)
            done = subprocess.run([dump, path], stdin=commands, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=1800, check=False)
        if done.returncode:
            print(f"{path}: {os.path.basename(dump)} failed: {done.stderr.decode(errors='replace')[:2000]}", flush=True)
            return len(self.expected)
        at, wrong = 0, 0
        for expected, shown in zip(self.expected, self.shown):
            got, at = read_answer(done.stdout, at, isinstance(expected, str))
            if not same(got, expected):
                wrong += 1
                if wrong <= 3:
                    print("DIFFERENCE", path, shown, *difference(got, expected), sep="\n  ", flush=True)
        assert at == len(done.stdout)
        return wrong


def read_answer(out, at, is_text):
    count, = struct.unpack_from("<I", out, at)
    if is_text:
        return out[at + 4:at + 4 + count].decode(), at + 4 + count
    cut, = struct.unpack_from("<I", out, at + 4)
    rows = numpy.frombuffer(out, dtype="<u4", count=5 * count, offset=at + 8).reshape(count, 5)
    return (bool(cut), rows), at + 8 + 20 * count


def same(got, expected):
    return got == expected if isinstance(expected, str) else (
        got[0] == expected[0] and numpy.array_equal(got[1], expected[1]))


def difference(got, expected):
    """Both sides from the first place on where they differ."""
    if isinstance(expected, str):
        at = len(os.path.commonprefix([got, expected]))
        return f"from character {at}", f"ours {got[at:at + 60]!r}", f"hf   {expected[at:at + 60]!r}"
    rows = min(len(got[1]), len(expected[1]))
    unlike = numpy.nonzero((got[1][:rows] != expected[1][:rows]).any(axis=1))[0]
    at = int(unlike[0]) if len(unlike) else rows
    sides = [f"{name} cut {cut}, {len(all_rows)} tokens: {all_rows[at:at + 6].tolist()}"
             for name, (cut, all_rows) in (("ours", got), ("hf  ", expected))]
    return f"from token {at} on ({', '.join(ROW)})", *sides


def fill(commands, texts, rnd, cuts, limits=(3, 4, 5, 8, 16, 31, 64, 128, 256)):
    """Every text whole; every `cuts`-th of them also cut, in a pair, with literal special tokens, and decoded again."""
    vocabulary = commands.tokenizer.get_vocab_size() + 50
    for i, text in enumerate(texts):
        ids = commands.encode(text)
        if i % cuts == 0:
            limit, left = rnd.choice(limits), rnd.random() < 0.5
            commands.encode(text, limit=limit, left=left, specials=rnd.random() < 0.8)
            if len(ids) < 4 * limit:  # `tokenizers` makes every pair of the pieces it cuts off
                commands.encode(text, texts[i - 1], limit=limit, left=left)
            commands.encode(text, texts[i - 1], specials=rnd.random() < 0.5)
            commands.encode(text, literal=True)
            commands.decode(ids, rnd.random() < 0.5)
            commands.decode([rnd.randrange(vocabulary) for _ in range(20)], True)
