"""Kinds of texts that golden_corpus.py synthesizes; each function makes one text from a random.Random and, some, from prose."""
import base64
import json
import unicodedata

SPECIALS = ("[CLS] [SEP] [MASK] [UNK] [PAD] <s> </s> <unk> <pad> <mask> <|endoftext|> <|im_start|> <|im_end|> <bos> <eos> "
            "<start_of_turn> <end_of_turn> <|begin_of_text|> <|end_of_text|> <|eot_id|> <|start_header_id|> <|end_header_id|> "
            "[INST] [/INST] [TOOL_CALLS] [IMG] [PREFIX] [SUFFIX] <<SYS>> <</SYS>> <think> </think> <tool_call> </tool_call> "
            "<｜begin▁of▁sentence｜> <｜end▁of▁sentence｜> <｜User｜> <｜Assistant｜> <｜tool▁calls▁begin｜> <extra_id_0> "
            "<extra_id_99> <EOT> <META> <SOS> <|startoftext|> <|channel|> <|message|> <|system|> <|user|> <|assistant|> <|end|> "
            "<unused0> <table> </table> ▁ ▁▁ ▁▁▁▁ ## ##ing [unused0] <0x0A> <0xE4> |||IP_ADDRESS||| <|fim_prefix|> </w> Ġ Ċ "
            "<0x00> <|reserved_special_token_0|> <sep> <cls> <|padding|> <fim_suffix>").split(" ")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"
CONTROLS = [chr(c) for c in (*range(0, 0x20), *range(0x7F, 0xA1), 0xAD, 0x34F, 0x61C, 0x180E, *range(0x2000, 0x2010),
                             *range(0x2028, 0x2030), *range(0x205F, 0x2070), 0x3000, 0xFEFF, 0xFFF9, 0xFFFC, 0xFFFD, 0xFFFF,
                             0xE0001, 0xE0020, 0xE0100, 0xF0000)]
SPACES = [" ", "  ", "   ", "    ", "\t", "\t\t", "\n", "\n\n", "\r\n", " \n", "\n ", "\u00a0", "\u3000", "\u2003", " " * 17, "\x0b"]


def wide(text):
    """The full-width form, which NFKC and the character maps of SentencePiece fold back."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" if c == " " else c for c in text)


def special(plain, rnd):
    """Special tokens in text: as they are, full-width, in other letters, cut by spaces, glued to words and each other."""
    parts = []
    for _ in range(rnd.randint(1, 14)):
        token = rnd.choice(SPECIALS)
        form = rnd.randrange(8)
        token = (token, token, wide(token), token.swapcase(), " ".join(token), f" {token} ", token[:-1],
                 unicodedata.normalize("NFKD", token))[form]
        parts += token, rnd.choice(("", "", " ", "  ", "\n", "x", "é", "word", rnd.choice(plain)[:40]))
    return "".join(parts)


def chat(plain, rnd):
    turns = [(rnd.choice(("user", "assistant", "system", "tool")), rnd.choice(plain)[:rnd.choice((20, 100, 400, 1500))])
             for _ in range(rnd.randint(1, 5))]
    call = json.dumps({"name": "get_weather", "arguments": {"city": "北京", "unit": "°C", "n": rnd.randrange(10**6)}},
                      ensure_ascii=rnd.random() < 0.5)
    forms = (
        lambda: "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns) + "<|im_start|>assistant\n<think>\n",
        lambda: "<|begin_of_text|>" + "".join(f"<|start_header_id|>{role}<|end_header_id|>\n\n{text}<|eot_id|>" for role, text in turns),
        lambda: "<s>" + " ".join(f"[INST] {text} [/INST] {call}</s>" for _, text in turns),
        lambda: "[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\n" + turns[0][1] + " [/INST]",
        lambda: "<bos>" + "".join(f"<start_of_turn>{role}\n{text}<end_of_turn>\n" for role, text in turns),
        lambda: "<｜begin▁of▁sentence｜>" + "".join(f"<｜{role.title()}｜>{text}" for role, text in turns) + "<｜end▁of▁sentence｜>",
        lambda: "".join(f"<|{role}|>\n{text}<|end|>\n" for role, text in turns) + "<|assistant|>",
        lambda: f"[AVAILABLE_TOOLS] [{call}][/AVAILABLE_TOOLS][TOOL_CALLS] [{call}]</s>[TOOL_RESULTS] {call}[/TOOL_RESULTS]",
        lambda: f"<tool_call>\n{call}\n</tool_call>" + "".join(f"\n### {role.title()}:\n{text}" for role, text in turns),
        lambda: "query: " + turns[0][1], lambda: "[CLS] " + turns[0][1] + " [SEP] " + turns[-1][1] + " [SEP]")
    return rnd.choice(forms)()


def word(rnd, longest=12):
    return "".join(rnd.choice(LETTERS[:26]) for _ in range(rnd.randint(1, longest)))


def link(rnd):
    query = "&".join(f"{word(rnd, 6)}={rnd.choice(('%E5%8C%97%20', '1', word(rnd), '', 'a+b', '☃'))}" for _ in range(rnd.randint(0, 6)))
    path = "/".join(word(rnd) + rnd.choice(("", ".html", "_v2", "-" + word(rnd))) for _ in range(rnd.randint(0, 6)))
    host = rnd.choice(("www.example.com", "localhost:8080", "192.168.0.1", "[::1]:443", "münchen.de", "例え.jp"))
    return f"{rnd.choice(('http', 'https', 'ftp', 'ssh'))}://{host}/{path}?{query}#{word(rnd)}"


def structured(plain, rnd):
    blob = rnd.randbytes(rnd.randint(1, 600))
    forms = (
        lambda: " ".join(link(rnd) for _ in range(rnd.randint(1, 12))),
        lambda: f"{word(rnd)}.{word(rnd)}+{rnd.randrange(99)}@{word(rnd)}.co.uk, @{word(rnd)} #{word(rnd)}",
        lambda: json.dumps({word(rnd): rnd.choice((1, None, [1.5e-9, True], rnd.choice(plain)[:80])) for _ in range(8)},
                           indent=rnd.choice((None, 1, 4)), ensure_ascii=False),
        lambda: base64.b64encode(blob).decode(), blob.hex, lambda: blob.hex("-", 4),
        lambda: "\n".join(f"2024-0{rnd.randint(1, 9)}-{rnd.randint(10, 28)}T12:{rnd.randint(10, 59)}:00.{rnd.randrange(1000):03}Z "
                          f"[INFO] {word(rnd)}: took {rnd.random() * 100:.3f}ms (0x{rnd.getrandbits(48):x})" for _ in range(9)),
        lambda: "\n".join("| " + " | ".join(word(rnd) for _ in range(5)) + " |" for _ in range(6)) + "\n|---|:-:|",
        lambda: f"C:\\Users\\{word(rnd)}\\{word(rnd)}.txt ../../{word(rnd)}/*.{word(rnd, 3)} ~/.{word(rnd)}rc",
        lambda: " ".join(str(rnd.choice((rnd.randrange(10**9), rnd.random(), -rnd.randrange(999), f"{rnd.randrange(10**12):,}")))
                         for _ in range(rnd.randint(1, 60))),
        lambda: "\\frac{a_{" + str(rnd.randrange(99)) + "}}{\\sqrt{x^2}} \\leq ∑ᵢ αᵢ·βᵢ ≠ ∞ ⇒ ½ ² ₃ Ⅷ ㎏")
    return rnd.choice(forms)()


def controls(plain, rnd):
    """Controls and spaces of every kind between words, before the first and after the last."""
    words = rnd.choice(plain).split()[:rnd.randint(0, 60)]
    parts = []
    for item in [*words, ""]:
        parts += "".join(rnd.choice(rnd.choice((CONTROLS, SPACES))) for _ in range(rnd.choice((0, 1, 1, 1, 2, 5)))), item
    parts.append(rnd.choice(("", "", " ", "   ", "\n", "\x00", "\u200b", "▁", " ▁", "▁ ")))
    return "".join(parts)


def long_run(rnd):
    """No place to cut: one word, or one character, of hundreds or thousands of bytes."""
    unit = rnd.choice(("a", "=", "-", "あ", "字", "ก", "😀", "\u0301", "ab", "1", "é", "▁", "ﷺ", " ", "\n", "x\u0301", "가", "क्षि", "\u200d"))
    forms = (lambda: unit * (rnd.randint(100, 6000) // len(unit.encode())),
             lambda: "".join(rnd.choice(LETTERS) for _ in range(rnd.randint(128, 6000))),
             lambda: "".join(chr(rnd.randint(0x4E00, 0x9FFF)) for _ in range(rnd.randint(43, 2000))),
             lambda: "".join(chr(rnd.randint(0x0E01, 0x0E4E)) for _ in range(rnd.randint(43, 2000))),
             lambda: rnd.choice(LETTERS) * 127 + unit * rnd.randint(0, 4) + "b" * rnd.randint(0, 3))
    return rnd.choice(forms)()


def random_bytes(rnd):
    """Any bytes, bytes that are mostly UTF-8's leads and continuations, and any code points."""
    size = rnd.choice((3, 20, 100, 400))
    forms = (lambda: rnd.randbytes(size), lambda: bytes(rnd.choice((rnd.randint(0x20, 0x7E), rnd.randint(0x80, 0xF4))) for _ in range(size)),
             lambda: b"".join(chr(rnd.choice((rnd.randint(0, 0x7FF), rnd.randint(0x800, 0xD7FF), rnd.randint(0xE000, 0x10FFFF)))).encode()
                              for _ in range(size)))
    return rnd.choice(forms)().decode(errors="replace")


def near_tie(rnd):
    """Many ways to cut with nearly the same score: runs and mixes of few letters."""
    letters = rnd.choice(("ab", "=", "RUA", "na", "の", "-=", "xo", "00", "啊哈", "lolo", "ห", "!?", "aA"))
    text = "".join(rnd.choice(letters) for _ in range(rnd.randint(2, 300)))
    return rnd.choice(("", " ")).join((rnd.choice(("", "the ")), text, rnd.choice(("", letters * 9, " " + text))))


def graphemes(odd, rnd):
    """Clusters of 5 and 6 bytes and around, which the character maps look up whole or by their parts."""
    bases = ("a", "e", "é", "ß", "Å", "か", "ｶ", "ﾊ", "த", "க", "ா", "ெ", "가", "ᄀ", "क", "ﬁ", "㌔", "①", "ｱ", "\u1100\u1161", "ά", "İ")
    marks = ("\u0301", "\u0323", "\u0308", "\u3099", "\u309a", "ﾞ", "ﾟ", "\u0bbe", "\u0bc6\u0bbe", "\u093c", "\u200d", "\ufe0f", "\u11a8",
             "\u0345", "\u20dd", "\U0001f3fd", "\u094d", "\u0e33", "\u0f71")
    parts = []
    for _ in range(rnd.randint(1, 60)):
        parts.append(rnd.choice(bases) + "".join(rnd.choice(marks) for _ in range(rnd.choice((0, 1, 1, 2, 3)))))
        parts.append(rnd.choice(("", "", "", " ", rnd.choice(odd))))
    return "".join(parts)


def script_words(scripts, rnd):
    """Texts in one script each, all scripts as often: words of its characters, some with a second script between."""
    ranges = {}
    for first, last, script in scripts:
        ranges.setdefault(script, []).append((first, last))
    names = sorted(ranges)

    def character(script):
        first, last = rnd.choice(ranges[script])
        return chr(rnd.randint(first, last))

    while True:
        rnd.shuffle(names)
        for name in names:
            other = rnd.choice(("Common", "Latin", rnd.choice(names)))
            words = ["".join(character(name) for _ in range(rnd.randint(1, 9))) + rnd.choice(("", "", ",", character(other)))
                     for _ in range(rnd.choice((1, 3, 10, 40)))]
            yield " ".join(words)
