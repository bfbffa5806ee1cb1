"""Small tokenizer.json files that together use every option and flag, for tokenizer_golden.py and the golden file."""
import copy

PIECES = ("[PAD] [UNK] [CLS] [SEP] [MASK] a b c d e f g h i t o n s the of and to in is it un ##able ##a "
          "##b ##c ##d ##e ##f ##g ##h ##i ##t ##o ##n ##s ##ing hello world é ##é É ö ##ö ß ##ß İ i̇ ##̇ "
          "##́ ##̣ 北 京 ##北 か ##か ゙ が ᄀ ##ᅡ 가 ! ? . , ' - ## # $ ^ _ ` ~ + 。 、 – 1 2 ##1 ##2 do not A B The "
          "##A ##B Hello ṩ ##ṩ ς σ ##ς ##σ foo bar").split(" ")
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


def variants():
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
