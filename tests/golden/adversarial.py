"""Texts that are hard to tokenize, for tokenizer_golden.py and golden_corpus.py.

    adversarial(700, random.Random(5), ["plain text", "another"])    every_code_point()
"""
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
