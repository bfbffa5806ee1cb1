"""Small tokenizer.json files that together use every option and flag, for tokenizer_golden.py and the golden file."""
import base64
import copy
import zlib

import bpe_variants

PIECES = ("[PAD] [UNK] [CLS] [SEP] [MASK] a b c d e f g h i t o n s the of and to in is it un ##able ##a "
          "##b ##c ##d ##e ##f ##g ##h ##i ##t ##o ##n ##s ##ing hello world é ##é É ö ##ö ß ##ß İ i̇ ##̇ "
          "##́ ##̣ 北 京 ##北 か ##か ゙ が ᄀ ##ᅡ 가 ! ? . , ' - ## # $ ^ _ ` ~ + 。 、 – 1 2 ##1 ##2 do not A B The "
          "##A ##B Hello ṩ ##ṩ ς σ ##ς ##σ foo bar").split(" ")
# A small character map of SentencePiece: wide letters, ligatures, marks, controls that vanish or become spaces.
CHARSMAP = zlib.decompress(base64.b64decode(
    "eNot03tMT2Ecx/HPOb+ahazNZmzZ8qfNH2zZ2ELmGuWa+y2siCx3uf/KL5VyKUUpKSIphC5K5ZK5FrlEWVhyCbXc77f32fy21z7P8/095znPOe"
    "d55CSpo6yf3XCVqtxNGbTDaXcmrX407fZ9JZf+UhdqGT2kfBfJtafUjr7dWepGOnxNJSTb1Mg1mfwfGW3Ki3qqp01VdlOHGNeLfuwq6SBzdqBt"
    "s65vMGVPkjI+S7GJNjlCTDV5UWOecDIiwFQK43szNs/NVGmZKbf/ayxlruJEU/FVptypZXaXuI29EzxR4W2qH5lOsbzFprIsUwN52EFgbRqA8F"
    "pDQ0hvDMZwjMBQDMMojMZI+GAMxsIXfpiAiRiH8ZiMKfDHJEzHDEzFNMzGHMzELMzDfARgLoKwAIGsNZBchMVYiGCEppkKJUOwBMuxAkuxDKux"
    "BitR5GxoHbkeYViLTdiMDdiICGyxNoD1LrAVUXAgEtsQi2jEYAd2Ig7bkYDd2IV47MFeJILPqn1IRTJSkI4DSMN+HMQhZCATR5CNLBzGMeTiKH"
    "JwAieRh+M4jTPIxynrmVGMAhSiFOdwFiWowHmUoRyXLAWGLpAXcQVXcdnSbOgGeRPXcB23cBvVYYaqybu4hxrcwQM8xH3U4hHavA3VkfV4gqdo"
    "wGM0dTX0zMlQYw3ov8QrPMcLvMFbNOO1NVeeoTayBa34gI94h/f4gq/4BI6UfuAnvuE7/uAvfuG3dfI91IeN71MVJX8/dmBQsCpzVFnEoVVdYb"
    "2jPsajLptw1EepsSRHTeFxaorIRZ5ak5L1D1EKyys="))

# Scores with ties ("ab" + "c" against "a" + "bc"), a piece worse than its parts, bytes, pieces over words.
UNIGRAM = [["<unk>", 0.0], ["<s>", 0.0], ["</s>", 0.0], ["▁", -2.0], ["▁the", -3.5], ["▁hello", -5.25], ["lo▁wo", -1.0],
           ["ab", -2.5], ["bc", -2.5], ["a", -3.0], ["b", -3.0], ["c", -3.0], ["abc", -9.0], ["▁▁", -4.5], ["▁▁▁▁", -6.0],
           ["é", -4.125], ["e", -2.25], ["fi", -3.5], ["f", -4.0], ["i", -3.25], ["TM", -6.5], ["北京", -7.0], ["北", -6.0],
           ["か", -6.0], ["が", -5.5], ["ガ", -7.5], ["<0xE4>", -0.5], ["<0xBA>", -0.5], ["<0xAC>", -0.5], ["<mask>", 0.0],
           ["xyz", -11.0], ["▁a", -2.75], ["1", -3.0], ["11", -5.5], ["111", -9.5], ["=", -4.0], ["==", -8.0], ["\u0301", -8.0],
           ["\u00ad", -5.0], ["A", -5.0], ["word", -6.0], ["ing", -4.0], ["s", -3.0], ["t", -3.0], ["h", -3.5], ["o", -3.0],
           ["n", -3.0], ["l", -3.5], ["w", -4.0], ["r", -4.0], ["d", -4.0], [".", -3.0], [",", -3.0], ["é", -20.0]]
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def token(content, number, **flags):
    out = dict(id=number, content=content, single_word=False, lstrip=False, rstrip=False, normalized=False,
               special=True)
    out.update(flags)
    return out


def template(single, pair):
    def piece(text):
        name, _, kind = text.partition(":")
        where = "Sequence" if name in "AB" else "SpecialToken"
        return {where: {"id": name, "type_id": int(kind or 0)}}
    special = {s: {"id": s, "ids": [PIECES.index(s)], "tokens": [s]} for s in SPECIALS}
    special["[TWO]"] = {"id": "[TWO]", "ids": [4, 2], "tokens": ["[MASK]", "[CLS]"]}
    return {"type": "TemplateProcessing", "single": [piece(p) for p in single.split()],
            "pair": [piece(p) for p in pair.split()], "special_tokens": special}


def base():
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [token(s, PIECES.index(s)) for s in SPECIALS],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": template("[CLS] A [SEP]", "[CLS] A [SEP] B:1 [SEP]:1"),
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {p: i for i, p in enumerate(PIECES)}}}


def extra(*tokens):
    out = base()
    out["added_tokens"] += [token(c, len(PIECES) + i, **f) for i, (c, f) in enumerate(tokens)]
    return out


def metaspace(**options):
    out = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    out.update(options)
    return out


def unigram_base():
    special = {s: {"id": s, "ids": [i], "tokens": [s]} for i, s in ((1, "<s>"), (2, "</s>"))}
    piece = lambda s: {"SpecialToken": {"id": s, "type_id": 0}}
    part = lambda s: {"Sequence": {"id": s, "type_id": 0}}
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [token("<unk>", 0), token("<s>", 1), token("</s>", 2), token("<mask>", 29, lstrip=True)],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(CHARSMAP).decode()},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace()]},
        "post_processor": {"type": "TemplateProcessing", "single": [piece("<s>"), part("A"), piece("</s>")],
                           "pair": [piece("<s>"), part("A"), piece("</s>"), piece("</s>"), part("B"), piece("</s>")],
                           "special_tokens": special},
        "decoder": metaspace(),
        "model": {"type": "Unigram", "unk_id": 0, "vocab": UNIGRAM, "byte_fallback": False}}


def unigram_variants():
    out = {"unigram": unigram_base()}
    sequence = lambda *parts: {"type": "Sequence", "normalizers": list(parts)}
    map_ = unigram_base()["normalizer"]
    spaces = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    for name, normalizer in {
            "none": None, "replace": sequence(map_, spaces), "prepend": {"type": "Prepend", "prepend": "▁"},
            "strip": sequence({"type": "Strip", "strip_left": True, "strip_right": True}, map_),
            "strip_left": {"type": "Strip", "strip_left": True, "strip_right": False},
            "strip_right": {"type": "Strip", "strip_left": False, "strip_right": True},
            "llama": sequence({"type": "Prepend", "prepend": "▁"},
                              {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}),
            "longer": {"type": "Replace", "pattern": {"String": "a"}, "content": "é1 "},
            "gone": {"type": "Replace", "pattern": {"Regex": "=+"}, "content": ""},
            "albert": sequence({"type": "Replace", "pattern": {"String": "``"}, "content": "\""}, {"type": "NFD"},
                               {"type": "StripAccents"}, {"type": "Lowercase"}, map_)}.items():
        for pre in ("both", "meta"):
            v = dict(unigram_base(), normalizer=normalizer)
            if pre == "meta":
                v["pre_tokenizer"] = metaspace()
            out[f"unigram_{name}_{pre}"] = v
    for scheme in ("first", "never"):
        for split in (True, False):
            options = dict(prepend_scheme=scheme, split=split)
            v = dict(unigram_base(), pre_tokenizer=metaspace(**options), decoder=metaspace(**options))
            out[f"unigram_{scheme}_{split}"] = v
    old = {"type": "Metaspace", "replacement": "_", "add_prefix_space": True}
    out["unigram_old"] = dict(unigram_base(), pre_tokenizer=old, decoder=old)
    out["unigram_old_never"] = dict(unigram_base(), pre_tokenizer=dict(old, add_prefix_space=False, prepend_scheme="never"))
    out["unigram_words_first"] = dict(unigram_base(), pre_tokenizer={
        "type": "Sequence", "pretokenizers": [metaspace(), {"type": "BertPreTokenizer"}]})
    out["unigram_no_words"] = dict(unigram_base(), pre_tokenizer=None)
    fallback = unigram_base()
    fallback["model"]["byte_fallback"] = True
    fallback["decoder"] = {"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}
    out["unigram_bytes"] = fallback
    stripped = copy.deepcopy(fallback)
    stripped["decoder"] = {"type": "Strip", "content": "1", "start": 0, "stop": 1}
    out["unigram_strip_decoder"] = stripped
    tags = unigram_base()
    tags["added_tokens"] += [token("word", 80, single_word=True, special=False, normalized=True),
                             token("<r>", 81, rstrip=True), token("Ａb", 82, normalized=True, special=False),
                             token("京", 83, special=False)]
    out["unigram_tags"] = tags
    other = unigram_base()
    other["model"]["unk_id"] = 35
    out["unigram_other_unknown"] = other
    return copy.deepcopy(out)


def wordlevel_base():
    out = dict(base(), normalizer=None, pre_tokenizer={"type": "Whitespace"}, decoder=None)
    out["model"] = {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {p: i for i, p in enumerate(PIECES)}}
    return out


def rest_variants():
    """Normalizers, pre-tokenizers and decoders that few files have."""
    out = {"wordlevel": wordlevel_base()}
    replace = lambda pattern, content: {"type": "Replace", "pattern": pattern, "content": content}
    normalizers = {
        "nmt": {"type": "Nmt"}, "nmt_nfkc": {"type": "Sequence", "normalizers": [{"type": "Nmt"}, {"type": "NFKC"}]},
        "bytes": {"type": "ByteLevel"}, "regex": replace({"Regex": "[aeé]\\s*"}, "b c"),
        "regex_empty": replace({"Regex": "(?=b)"}, "-"), "regex_gone": replace({"Regex": "\\p{M}|\\d+$"}, ""),
        "start": replace({"Regex": "^"}, "the"), "quotes": replace({"String": ".."}, "!"),
        "dash": replace({"String": "-"}, ""), "line": replace({"String": "\n"}, "")}
    for name, normalizer in normalizers.items():
        out[f"rest_{name}"] = dict(base(), normalizer=normalizer)
        out[f"rest_unigram_{name}"] = dict(unigram_base(), normalizer=normalizer)
    sequence = lambda *parts: {"type": "Sequence", "pretokenizers": list(parts)}
    char, scripts = {"type": "CharDelimiterSplit", "delimiter": "a"}, {"type": "UnicodeScripts"}
    fixed, white, bert = {"type": "FixedLength", "length": 3}, {"type": "WhitespaceSplit"}, {"type": "BertPreTokenizer"}
    splits = {"char": char, "char_white": sequence(char, white), "wide_char": dict(char, delimiter="北"),
              "fixed": fixed, "fixed_default": {"type": "FixedLength"}, "white_fixed": sequence(white, fixed),
              "white_fixed_bert": sequence(white, fixed, bert), "scripts": scripts, "white_scripts": sequence(white, scripts),
              "scripts_bert": sequence(scripts, bert)}
    for name, pre_tokenizer in splits.items():
        out[f"rest_pre_{name}"] = dict(base(), pre_tokenizer=pre_tokenizer)
        out[f"rest_level_{name}"] = dict(wordlevel_base(), pre_tokenizer=pre_tokenizer)
    ctc = {"type": "CTC", "pad_token": "[PAD]", "word_delimiter_token": "-", "cleanup": True}
    for name, decoder in {"ctc": ctc, "ctc_plain": dict(ctc, cleanup=False),
                          "ctc_fuse": {"type": "Sequence", "decoders": [ctc, {"type": "Fuse"}]},
                          "regex": replace({"Regex": "[ab]"}, "X")}.items():
        out[f"rest_decode_{name}"] = dict(base(), decoder=decoder)
    normal = dict(normalized=True, special=False)
    for form in ("NFC", "NFD", "NFKC", "NFKD", "Nmt", "ByteLevel"):
        out[f"rest_added_{form}"] = dict(extra(
            ("fóobar", normal), ("[Néw]", dict(normalized=True)), ("Wö", dict(normal, single_word=True)),
            ("<L>", dict(normal, lstrip=True)), ("<R>", dict(normal, rstrip=True)), ("北京", normal), ("①", normal),
            ("ab", dict(normalized=True, single_word=True)), ("é", dict(normal)), ("<l>", dict(lstrip=True)),
            ("<w>", dict(single_word=True)), ("!!", normal)), normalizer={"type": form})
    return copy.deepcopy(out)


def variants():
    return {**rest_variants(), **wordpiece_variants(), **unigram_variants(), **bpe_variants.variants()}


def wordpiece_variants():
    out = {"plain": base()}
    for clean in (False, True):
        for chinese in (False, True):
            for accents in (None, False, True):
                for lower in (False, True):
                    v = base()
                    v["normalizer"].update(clean_text=clean, handle_chinese_chars=chinese, strip_accents=accents,
                                           lowercase=lower)
                    out[f"bert_{int(clean)}{int(chinese)}{accents}{int(lower)}"] = v
    parts = {"none": None, "lower": {"type": "Lowercase"}, "nfd": {"type": "NFD"}, "strip": {"type": "StripAccents"},
             "all": {"type": "Sequence",
                     "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]},
             "nfd_bert": {"type": "Sequence", "normalizers": [{"type": "Lowercase"}, base()["normalizer"]]},
             "empty": {"type": "Sequence", "normalizers": []}}
    parts.update({form.lower(): {"type": form} for form in ("NFC", "NFKC", "NFKD")})
    for name, normalizer in parts.items():
        out[f"norm_{name}"] = dict(base(), normalizer=normalizer)
    splits = {"none": None, "white": {"type": "Whitespace"}, "split": {"type": "WhitespaceSplit"},
              "both": {"type": "Sequence",
                       "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "BertPreTokenizer"}]},
              "empty": {"type": "Sequence", "pretokenizers": []}}
    for name, pre_tokenizer in splits.items():
        out[f"pre_{name}"] = dict(base(), pre_tokenizer=pre_tokenizer)
    short = base()
    short["model"].update(max_input_chars_per_word=4, continuing_subword_prefix="##")
    out["short_words"] = short
    untyped = base()
    del untyped["model"]["type"]
    out["untyped_model"] = untyped
    prefixless = base()
    prefixless["model"]["continuing_subword_prefix"] = ""
    out["no_prefix"] = prefixless
    out["post_none"] = dict(base(), post_processor=None)
    out["post_bert"] = dict(base(), post_processor={"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]})
    roberta = {"type": "RobertaProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2], "trim_offsets": False,
               "add_prefix_space": False}
    out["post_roberta"] = dict(base(), post_processor=roberta)
    out["post_odd"] = dict(base(), post_processor=template("[TWO]:3 A:2 [SEP]", "B:1 [TWO]:4 [SEP]:2 A:3"))
    out["decode_join"] = dict(base(), decoder=None)
    out["decode_plain"] = dict(base(), decoder={"type": "WordPiece", "prefix": "##", "cleanup": False})
    normal = dict(normalized=True, special=False)
    out["added_flags"] = extra(
        ("<l>", dict(lstrip=True)), ("<r>", dict(rstrip=True)), ("<lr>", dict(lstrip=True, rstrip=True)),
        ("<w>", dict(single_word=True)), ("word", dict(single_word=True, special=False)), ("<l>x", dict(special=False)))
    out["added_normalized"] = extra(
        ("Foo", normal), ("fóobar", normal), ("[Néw]", dict(normalized=True)), ("Wö", dict(normal, single_word=True)),
        ("<L>", dict(normal, lstrip=True)), ("<R>", dict(normal, rstrip=True)), ("北京", normal))
    out["added_spaces"] = extra(("a b", dict(special=False)), (" <s>", dict(lstrip=True)), ("<e> ", dict(rstrip=True)),
                                ("x  y", normal), (" ", dict(rstrip=True, special=False)))
    out["added_overlap"] = extra(("ab", dict(special=False)), ("abab", dict(special=False)), ("babx", {}),
                                 ("bc", normal), ("the", normal),
                                 ("京", dict(special=False)), ("。", dict(special=False)))
    ids = extra(("<x>", {}), ("<y>", dict(special=False)), ("<x>", dict(lstrip=True)), ("hello", dict(special=False)))
    ids["added_tokens"][5]["id"] = 900
    out["added_wrong_ids"] = ids
    lstrip_word = extra(("ing", dict(lstrip=True, special=False)), ("Zoo", dict(normal, lstrip=True)))
    out["added_lstrip_word"] = lstrip_word
    return copy.deepcopy(out)
