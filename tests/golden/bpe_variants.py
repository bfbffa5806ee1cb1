"""The variants of byte-pair encoding for tokenizer_variants.py: one vocabulary, every option."""
import copy

MERGES = ("Ġ Ġ|ĠĠ ĠĠ|t h|th e|Ġ the|i n|in g|h e|he l|l o|hel lo|Ġ hello|Ã ©|Ġ Ã©|Ġ a|a b|ab c|b c|- -|-- --|= =|å Į|"
          "åĮ Ĺ|ä º|äº ¬|åĮĹ äº¬|Ċ Ċ|w o|r d|wo rd|' s|1 2|12 3|A B|Ġ w|Ġw o|e s|es t|▁ ▁|▁▁ ▁▁|▁ the|▁ a|é s|f o|fo o|"
          "Ġ 1|. .|.. ..|Ì ģ|e Ìģ|o o|a Ġ|ð Ł|ðŁ ĺ").split("|")
SUFFIX_MERGES = "t h|th e</w>|n g</w>|i ng</w>|h e|l l|he ll|hell o</w>|a b</w>|a b|e s</w>".split("|")
PREFIX_MERGES = "t ##h|th ##e|##i ##n|##in ##g|h ##e|he ##l|##l ##o|hel ##lo|a ##b|##b ##c|ab ##c".split("|")


def byte_alphabet():
    printed = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in printed]
    return {**{b: chr(b) for b in printed}, **{b: chr(0x100 + i) for i, b in enumerate(others)}}


def make_vocab(left_out=()):
    letters = "abcdefghilnorstw"
    words = ["<unk>", "<s>", "</s>", "<mask>"] + [c for b, c in sorted(byte_alphabet().items()) if b not in left_out]
    words += ["▁", "é", "か", "。", " ", "\u3000", "whole", "Ġwhole", "▁whole", "ĠĠĠ", "a▁b", "Ġaverylongwordindeed"]
    words += [f"<0x{b:02X}>" for b in range(256) if b not in (0xF0, 0xA0)]
    words += [c + "</w>" for c in letters] + ["##" + c for c in letters] + ["#</w>", "a▁"]
    for merges, cut in ((MERGES, 0), (SUFFIX_MERGES, 0), (PREFIX_MERGES, 2)):
        for left, right in (m.split(" ") for m in merges):
            words.append(left + right[cut:])
    return {w: i for i, w in enumerate(dict.fromkeys(words))}


VOCAB = make_vocab()


def byte_level(prefix=False, trim=True, regex=True):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": trim, "use_regex": regex}


def sequence(key, *parts):
    return {"type": "Sequence", key: list(parts)}


def split(pattern, behavior="Isolated", invert=False, kind="Regex"):
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": invert}


def added(content, number, **flags):
    return {"id": number, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True, **flags}


def base(**parts):
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [added(w, i) for i, w in enumerate(("<unk>", "<s>", "</s>"))] + [added("<mask>", 3, lstrip=True)],
        "normalizer": None, "pre_tokenizer": byte_level(), "post_processor": byte_level(), "decoder": byte_level(),
        **parts, "model": model()}


def model(**options):
    return {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
            "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
            "vocab": VOCAB, "merges": [m.split(" ") for m in MERGES], **options}


GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|"
          r"\s+(?!\S)|\s+")
QWEN2 = CL100K.replace("{1,3}", "")
O200K = "|".join([r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                  r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                  r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])
DEEPSEEK = ["\\p{N}{1,3}", "[一-龥\u3040-ゟ゠-ヿ]+",
            "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| "
            "?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"]
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


def pre_tokenizers():
    bytes_ = byte_level(regex=False)
    pre = lambda *parts: sequence("pretokenizers", *parts)
    out = {"prefix": byte_level(prefix=True), "no_regex": byte_level(regex=False),
           "prefix_no_regex": byte_level(True, regex=False), "gpt2": pre(split(GPT2), bytes_),
           "llama3": pre(split(CL100K), bytes_), "llama3_removed": pre(split(CL100K, "Removed", True), bytes_),
           "llama3_prefix": pre(split(CL100K), byte_level(True, regex=False)), "qwen2": pre(split(QWEN2), bytes_),
           "o200k": pre(split(O200K), bytes_), "deepseek": pre(*[split(p) for p in DEEPSEEK], bytes_),
           "deepseek_next": pre(split(DEEPSEEK[2], "MergedWithNext"), bytes_),
           "starcoder": pre({"type": "Digits", "individual_digits": True}, byte_level()),
           "digits_prefix": pre({"type": "Digits", "individual_digits": False}, byte_level(prefix=True)),
           "falcon": pre({"type": "Punctuation", "behavior": "Contiguous"}, byte_level(),
                         {"type": "Digits", "individual_digits": False}, split("[0-9][0-9][0-9]")),
           "bytes_twice": pre(byte_level(), byte_level()), "white": pre({"type": "WhitespaceSplit"}, byte_level(True)),
           "mapped_punctuation": pre(byte_level(), {"type": "Punctuation"})}
    for behavior in BEHAVIORS:
        out[f"punctuation_{behavior}"] = pre({"type": "Punctuation", "behavior": behavior}, byte_level())
        for invert in (False, True):
            out[f"split_{behavior}_{invert}"] = pre(
                split(r"[aeiou\s]|\d+|", behavior, invert), split("t", behavior, invert, "String"), bytes_)
    return out


def post_processors():
    template = {"type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}},
                         {"Sequence": {"id": "B", "type_id": 1}}],
                "special_tokens": {s: {"id": s, "ids": [i], "tokens": [s]} for i, s in ((1, "<s>"), (2, "</s>"))}}
    roberta = lambda trim, prefix: {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 1],
                                    "trim_offsets": trim, "add_prefix_space": prefix}
    return {"untrimmed": byte_level(trim=False), "trim_prefix": byte_level(prefix=True),
            "roberta": roberta(True, False), "roberta_prefix": roberta(True, True), "roberta_plain": roberta(False, True),
            "llama3": sequence("processors", byte_level(), template),
            "twice": sequence("processors", byte_level(), byte_level(prefix=True), roberta(True, False)),
            "none": sequence("processors", byte_level(trim=False))}


def text_models():
    """Words are text: Llama 2, Gemma, and vocabularies that mark the ends or the insides of words."""
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
    marks = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    decoder = sequence("decoders", {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                       {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0})
    llama = base(normalizer=sequence("normalizers", {"type": "Prepend", "prepend": "▁"}, marks), pre_tokenizer=None,
                 post_processor=None, decoder=decoder)
    llama["model"] = model(unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    out = {"llama2": llama}
    out["gemma"] = dict(llama, normalizer=marks, pre_tokenizer=split(" ", "MergedWithPrevious", kind="String"))
    out["mistral"] = dict(llama, normalizer=None, pre_tokenizer=metaspace)
    over = copy.deepcopy(llama)
    over["model"]["merges"] += [["a", "▁"]]
    out["over_marks"] = over
    whole = copy.deepcopy(llama)
    whole["model"]["ignore_merges"] = True
    out["whole_words"] = whole
    white = base(pre_tokenizer={"type": "Whitespace"}, post_processor=None)
    for name, options in {"dropped": {}, "unknown": {"unk_token": "<unk>"}, "fused": {"unk_token": "<unk>", "fuse_unk": True},
                          "bytes": {"byte_fallback": True}, "bytes_fused": {"byte_fallback": True, "unk_token": "<unk>",
                                                                            "fuse_unk": True}}.items():
        out[name] = dict(white, model=model(**options))
    endings = {"type": "BPEDecoder", "suffix": "</w>"}
    out["suffix"] = dict(white, decoder=endings, model=model(
        end_of_word_suffix="</w>", unk_token="<unk>", merges=SUFFIX_MERGES))
    out["prefix"] = dict(white, decoder={"type": "WordPiece", "prefix": "##", "cleanup": False}, model=model(
        continuing_subword_prefix="##", unk_token="<unk>", merges=PREFIX_MERGES))
    return out


def variants():
    out = {"plain": base(), "no_decoder": base(decoder=None), "no_post": base(post_processor=None)}
    out.update({f"pre_{name}": base(pre_tokenizer=pre) for name, pre in pre_tokenizers().items()})
    for name, post in post_processors().items():
        out[f"post_{name}"] = base(post_processor=post)
        out[f"post_{name}_prefix"] = base(post_processor=post, pre_tokenizer=byte_level(prefix=True))
    out.update({f"text_{name}": data for name, data in text_models().items()})
    out["ignore_merges"] = dict(base(), model=model(ignore_merges=True))
    out["old"] = dict(base(), model=model(merges=["#version: 0.2"] + MERGES, dropout=0.0, unk_token="",
                                          continuing_subword_prefix="", end_of_word_suffix=""))
    for name in ("type", "byte_fallback", "ignore_merges"):
        del out["old"]["model"][name]
    some = make_vocab(left_out=(0x20, 0xE4, ord("z")))
    gone = {"Ġ", "ä", "z"}
    merges = [m.split(" ") for m in MERGES if all(p in some and not gone & set(p) for p in m.split(" "))]
    for name, options in {"dropped": {}, "unknown": {"unk_token": "<unk>"}}.items():
        out[f"some_bytes_{name}"] = dict(base(), model=model(vocab=some, merges=merges, **options))
    lower = dict(base(), normalizer={"type": "Lowercase"})
    lower["added_tokens"] = lower["added_tokens"] + [
        added("hello", VOCAB["hello"], normalized=True, special=False), added("<r>", len(VOCAB), rstrip=True),
        added("word", VOCAB["word"], single_word=True), added("\u3000", VOCAB["\u3000"], special=False)]
    out["added"] = lower
    out["added_prefix"] = dict(lower, pre_tokenizer=byte_level(prefix=True), post_processor=byte_level(prefix=True))
    return {f"bpe_{name}": copy.deepcopy(data) for name, data in out.items()}
