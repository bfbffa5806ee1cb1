"""The shapes of published tokenizer.json files: everything but vocabulary and ids, for trained_tokenizers.py.

    shapes(charsmap)["gemma"].normalizer      charsmap: the Precompiled normalizer for the shapes that have one
"""
from dataclasses import dataclass, field

from bpe_variants import CL100K, O200K, byte_level, sequence, split

SPM_MARKS = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
SPACES = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
TO_MARKS = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}
BERT_WORDS = {"type": "BertPreTokenizer"}
BYTE_PIECES = [f"<0x{byte:02X}>" for byte in range(256)]
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"
CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
FORCED_WORDS = split("▁", "MergedWithNext", kind="String")


@dataclass
class Shape:
    model: str
    normalizer: dict | None
    pre_tokenizer: dict | None
    post_processor: object  # ids -> the JSON, or None
    decoder: dict | None
    added: list
    size: int = 16000
    unk: str | None = None
    pieces: list = field(default_factory=list)   # in the vocabulary, but no added tokens
    options: dict = field(default_factory=dict)  # of the model
    train_pre: dict | None = None                # splits words for the trainer only

    @property
    def is_byte_level(self):
        return "ByteLevel" in str(self.pre_tokenizer) or "ByteLevel" in str(self.normalizer)


def tokens(text, **flags):
    return [{"content": content, **flags} for content in text.split(" ")]


def template(single, pair):
    """ids -> TemplateProcessing from "[CLS] A [SEP]", "[CLS] A [SEP] B:1 [SEP]:1"."""
    def piece(text):
        name, _, kind = text.partition(":")
        return {"Sequence" if name in "AB" else "SpecialToken": {"id": name, "type_id": int(kind or 0)}}

    def make(ids):
        names = {part.partition(":")[0] for part in (single + " " + pair).split(" ")} - {"A", "B"}
        return {"type": "TemplateProcessing", "single": [piece(p) for p in single.split(" ")],
                "pair": [piece(p) for p in pair.split(" ")],
                "special_tokens": {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in sorted(names)}}
    return make


def roberta(sep, cls, trim=True, prefix=False):
    return lambda ids: {"type": "RobertaProcessing", "sep": [sep, ids[sep]], "cls": [cls, ids[cls]], "trim_offsets": trim,
                        "add_prefix_space": prefix}


def bytes_then(*makers, **options):
    return lambda ids: sequence("processors", byte_level(**options), *[make(ids) for make in makers])


def just(part):
    return lambda ids: part


BERT_TEMPLATE = template("[CLS] A [SEP]", "[CLS] A [SEP] B:1 [SEP]:1")
FAIRSEQ_TEMPLATE = template("<s> A </s>", "<s> A </s> </s> B </s>")


def metaspace(scheme="always", divide=True):
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": divide}


def normalizers(*parts):
    return sequence("normalizers", *parts)


def bert_normalizer(lower, accents=None):
    return {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": accents, "lowercase": lower}


def wordpiece_shapes():
    decoder = {"type": "WordPiece", "prefix": "##", "cleanup": True}
    bert = tokens("[PAD] [UNK] [CLS] [SEP] [MASK]")

    def shape(lower, post=BERT_TEMPLATE, added=tuple(bert), unk="[UNK]", accents=None):
        return Shape("WordPiece", bert_normalizer(lower, accents), BERT_WORDS, post, decoder, list(added), unk=unk,
                     options={"unk_token": unk, "max_input_chars_per_word": 100})
    mpnet = [*tokens("<s> <pad> </s>", normalized=True), *tokens("[UNK]"), {"content": "<mask>", "lstrip": True, "late": True}]
    funnel = template("[CLS]:2 A [SEP]", "[CLS]:2 A [SEP] B:1 [SEP]:1")
    tsdae = [*bert, *tokens("[unused0] [unused1]", special=False, late=True), *tokens("query: passage:", special=False, late=True)]
    return {"bert_cased": shape(False), "bert_multilingual_cased": shape(False, accents=False), "electra": shape(True),
            "distilbert": shape(True, added=[*bert, {"content": "[ENT]", "normalized": True, "late": True}]),
            "mpnet": shape(True, roberta("</s>", "<s>"), mpnet), "funnel": shape(True, funnel), "nomic_gte": shape(True, added=tsdae),
            "potion": shape(True, None)}


def byte_shapes():
    """GPT-2 and what came of it."""
    end = "<|endoftext|>"
    plain, gpt2 = byte_level(), just(byte_level(trim=False))
    unsplit = byte_level(regex=False)
    pre = lambda *parts: sequence("pretokenizers", *parts)
    spaces = lambda **flags: [{"content": " " * n, "special": False, "late": True, **flags} for n in range(24, 1, -1)]
    rob = [*tokens("<s> <pad> </s> <unk>", normalized=True), {"content": "<mask>", "lstrip": True, "late": True}]
    modern = [*tokens("|||IP_ADDRESS|||", normalized=True, special=False), *tokens("<|padding|> <|endoftext|> [UNK] [CLS] [SEP] [PAD]"),
              {"content": "[MASK]", "lstrip": True}, *spaces(normalized=True), *tokens("[unused0] [unused1]", normalized=True,
                                                                                     special=False, late=True)]
    llama3 = tokens("<|begin_of_text|> <|end_of_text|> <|reserved_special_token_0|> <|start_header_id|> <|end_header_id|> <|eot_id|>",
                    late=True)
    start = template("<|begin_of_text|> A", "<|begin_of_text|> A <|begin_of_text|>:1 B:1")
    both = template("<|begin_of_text|> A <|end_of_text|>", "<|begin_of_text|> A <|end_of_text|> B <|end_of_text|>")
    phi = [*tokens(end), *spaces(normalized=True), *[{"content": "\t" * n, "special": False, "normalized": True, "late": True} for n in range(9, 1, -1)]]
    qwen = [*tokens("<|endoftext|> <|im_start|> <|im_end|>", late=True), *tokens("<tool_call> </tool_call> <think> </think>", special=False, late=True)]

    def shape(normalizer, pre_tokenizer, post, added, **more):
        return Shape("BPE", normalizer, pre_tokenizer, post, byte_level(), added, **more)
    cl100k, o200k = pre(split(CL100K), unsplit), pre(split(O200K), unsplit)
    return {
        "gpt2": shape(None, plain, gpt2, tokens(end, normalized=True)),
        "roberta": shape(None, plain, roberta("</s>", "<s>"), rob),
        "roberta_prefix": shape(None, byte_level(prefix=True), roberta("</s>", "<s>", prefix=True), rob),
        "gpt_neox_olmo": shape({"type": "NFC"}, plain, just(byte_level()), [*tokens(end), *spaces(normalized=True)]),
        "modernbert": shape({"type": "NFC"}, plain, template("[CLS] A [SEP]", "[CLS] A [SEP] B:1 [SEP]:1"), modern),
        "llama3": shape(None, cl100k, bytes_then(start, prefix=True, trim=False), llama3, options={"ignore_merges": True}),
        "eurobert": shape(None, cl100k, bytes_then(both, prefix=True, trim=False),
                          llama3 + [{"content": "<|mask|>", "lstrip": True, "late": True}], options={"ignore_merges": True}),
        "gpt4o": shape(None, o200k, just(byte_level(trim=False)), tokens("<|endoftext|> <|endofprompt|>", late=True)),
        "qwen3_embedding": shape({"type": "NFC"}, pre(split(CL100K.replace("{1,3}", "")), byte_level(trim=False, regex=False)),
                                 bytes_then(template("A <|endoftext|>", "A B:1 <|endoftext|>"), trim=False, regex=False), qwen),
        "bloom": shape(None, pre(split(BLOOM), unsplit), just(byte_level(prefix=True, trim=False, regex=False)), tokens("<unk> <s> </s> <pad>")),
        "falcon": shape(None, pre({"type": "Punctuation", "behavior": "Contiguous"}, plain,
                                  {"type": "Digits", "individual_digits": False}, split("[0-9][0-9][0-9]")),
                        just(byte_level(trim=False)), tokens(">>TITLE<< >>ABSTRACT<< <|endoftext|>", late=True)),
        "phi": shape(None, plain, gpt2, phi),
        "starcoder": shape(None, pre({"type": "Digits", "individual_digits": True}, plain), just(byte_level()),
                           tokens("<|endoftext|> <fim_prefix> <fim_middle> <fim_suffix> <filename>")),
        "command_r": shape({"type": "NFC"}, pre({"type": "Digits", "individual_digits": True}, plain),
                           bytes_then(template("<BOS_TOKEN> A", "<BOS_TOKEN> A <BOS_TOKEN> B"), trim=False), tokens("<PAD> <UNK> <BOS_TOKEN>")),
        "clip": shape(normalizers({"type": "NFC"}, {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}, {"type": "Lowercase"}),
                      pre(split(CLIP, "Removed", True), plain), roberta("<|endoftext|>", "<|startoftext|>", trim=False),
                      [*tokens("<|startoftext|>", normalized=True), *tokens("<|endoftext|>")],
                      options={"end_of_word_suffix": "</w>", "unk_token": "<|endoftext|>"}),
        "byte_normalizer": Shape("BPE", normalizers({"type": "NFC"}, {"type": "ByteLevel"}), split(CL100K), None,
                                 byte_level(), tokens("<s> </s>"))}


def text_shapes():
    """BPE over characters with bytes for those it lacks: Llama 2, Mistral, Phi 3, Gemma."""
    parts = [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]
    stripped = sequence("decoders", *parts, {"type": "Strip", "content": " ", "start": 1, "stop": 0})
    options = {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}
    prepend = normalizers({"type": "Prepend", "prepend": "▁"}, SPM_MARKS)
    start = template("<s> A", "<s> A <s>:1 B:1")
    names = tokens("<unk> <s> </s>")
    phi3 = [*names, *[{"content": t, "rstrip": True, "late": True} for t in ("<|assistant|>", "<|user|>", "<|system|>", "<|end|>")],
            {"content": "<|placeholder1|>", "rstrip": True, "normalized": True, "special": False, "late": True}]
    runs = [{"content": c * n, "special": False} for c, last in (("\n", 31), ("▁", 31), ("\t", 8)) for n in range(2, last + 1)]
    gemma = [*tokens("<pad> <eos> <bos> <unk> <mask>"), *tokens("[multimodal] <unused0> <unused1>", special=False), *runs,
             *tokens("<table> <caption> </table> <h1> <strong>", special=False), *tokens("<start_of_turn> <end_of_turn>")]
    gemma_ends = template("<bos> A <eos>", "<bos> A <eos> <bos>:1 B:1 <eos>:1")

    def shape(normalizer, pre_tokenizer, added, post=start, decoder=stripped, **more):
        return Shape("BPE", normalizer, pre_tokenizer, post, decoder, added, pieces=BYTE_PIECES, unk="<unk>",
                     options=options, **more)
    return {
        "llama2": shape(prepend, None, names, train_pre=FORCED_WORDS),
        "phi3": shape(prepend, None, phi3, train_pre=FORCED_WORDS),
        "mistral": shape(None, metaspace("first", False), names, train_pre=metaspace("first")),
        "gemma": shape(SPM_MARKS, split(" ", "MergedWithPrevious", kind="String"), gemma, template("<bos> A", "<bos> A <bos>:1 B:1"),
                       sequence("decoders", *parts), train_pre=FORCED_WORDS),
        "embeddinggemma": shape(SPM_MARKS, split(" ", "MergedWithPrevious", kind="String"), gemma, gemma_ends,
                                sequence("decoders", *parts), train_pre=FORCED_WORDS)}


def unigram_shapes(charsmap):
    words = sequence("pretokenizers", {"type": "WhitespaceSplit"}, metaspace())
    quotes = [{"type": "Replace", "pattern": {"String": mark}, "content": "\""} for mark in ("``", "''")]
    strip = {"type": "Strip", "strip_left": True, "strip_right": True}
    right = {"type": "Strip", "strip_left": False, "strip_right": True}
    fold = [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]
    mask = lambda content: {"content": content, "lstrip": True}
    fairseq = [*tokens("<s> <pad> </s> <unk>"), mask("<mask>")]
    albert = [*tokens("<pad> <unk> [CLS] [SEP]"), mask("[MASK]")]
    sentinels = tokens(" ".join(f"<extra_id_{i}>" for i in range(99, -1, -1)), late=True)

    def shape(normalizer, pre_tokenizer, post, added, decoder=None):
        return Shape("Unigram", normalizer, pre_tokenizer, post, decoder or metaspace(), added, size=8000, unk="<unk>")
    return {
        "t5": shape(charsmap, words, template("A </s>", "A </s> B </s>"), [*tokens("<pad> </s> <unk>"), *sentinels]),
        "t5_new": shape(normalizers(charsmap, right, TO_MARKS), metaspace(), template("A </s>", "A </s> B </s>"),
                        [*tokens("<pad> </s> <unk>"), *sentinels]),
        "albert": shape(normalizers(*quotes, *fold, charsmap), words, BERT_TEMPLATE, albert),
        "albert_new": shape(normalizers(*quotes, *fold, charsmap, SPACES), metaspace(), BERT_TEMPLATE, albert),
        "xlnet": shape(normalizers(*quotes, *fold, charsmap, SPACES), metaspace(),
                       template("A <sep> <cls>:2", "A <sep> B:1 <sep>:1 <cls>:2"),
                       [*tokens("<unk> <s> </s> <cls> <sep> <pad>"), mask("<mask>"), *tokens("<eod> <eop>")]),
        "deberta_v3": shape(normalizers(strip, charsmap, SPACES), metaspace(), template("[CLS] A [SEP]", "[CLS] A [SEP] B:1 [SEP]:1"),
                            [*tokens("[PAD] [CLS] [SEP]"), {"content": "<unk>", "normalized": True}, *tokens("[MASK]", late=True)]),
        "deberta_v3_punctuation": shape(
            normalizers(strip, charsmap, SPACES), sequence("pretokenizers", {"type": "Punctuation", "behavior": "Isolated"}, metaspace()),
            BERT_TEMPLATE, [*tokens("[PAD] [CLS] [SEP] <unk>"), *tokens("[MASK]", late=True)]),
        "camembert": shape(normalizers(charsmap, SPACES), words, FAIRSEQ_TEMPLATE,
                           [*tokens("<s>NOTUSED <pad> </s>NOTUSED <unk> <unk>NOTUSED <s> </s>"), mask("<mask>")]),
        "xlmr": shape(charsmap, words, FAIRSEQ_TEMPLATE, fairseq),
        "pegasus": shape(normalizers(charsmap, SPACES), sequence("pretokenizers", {"type": "WhitespaceSplit"}, metaspace()),
                         template("A </s>", "A B </s>"), [*tokens("<pad> </s> <unk>"), *tokens("<mask_1> <mask_2> <unk_2>", normalized=True)]),
        "mbart": shape(charsmap, words, template("A </s> en_XX", "A B </s> en_XX"), [*fairseq, *tokens("en_XX ja_XX", late=True)]),
        "potion_multilingual": shape(normalizers(charsmap, SPACES), metaspace(), None, fairseq)}


def shapes(charsmap):
    return {**wordpiece_shapes(), **byte_shapes(), **text_shapes(), **unigram_shapes(charsmap)}
