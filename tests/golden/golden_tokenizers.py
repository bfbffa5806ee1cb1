"""Tiny tokenizers in the shape of each family's published one (pipeline_shapes.py), for checkpoints of few parameters.

    save_tokenizer(folder, "qwen3_embedding", 72)      writes tokenizer.json and tokenizer_config.json, returns the tokenizer

A vocabulary has the printable ASCII characters, a few words of golden_models.TEXTS and the special tokens. Nothing is trained.
"""
import json
import string
from dataclasses import replace

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from bpe_variants import byte_level
from pipeline_shapes import just, shapes

# The real one, a map of 300 KB, folds what NFKC folds and more.
CHARSMAP = {"type": "NFKC"}
WORDS = ["two", "kinds", "of", "traffic", "one", "engine", "token", "vector", "the", "is"]
ENDINGS = ["s", "ing"]

WORD_PIECES = ["two", "kinds", "of", "traffic", "one", "engine", "token", "##s", "##ing", "vector", ",", ".", "!", "?"]
WORD_PIECES += [*string.ascii_lowercase, *("##" + c for c in string.ascii_lowercase)]
BERT_SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
BERT_VOCAB = BERT_SPECIALS + WORD_PIECES

FAIRSEQ_NAMES = dict(bos_token="<s>", eos_token="</s>", sep_token="</s>", cls_token="<s>", unk_token="<unk>",
                     pad_token="<pad>", mask_token="<mask>")
BERT_NAMES = dict(unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")
GEMMA_NAMES = dict(bos_token="<bos>", eos_token="<eos>", unk_token="<unk>", pad_token="<pad>", mask_token="<mask>")
QWEN_NAMES = dict(eos_token="<|im_end|>", pad_token="<|endoftext|>", padding_side="left")
LLAMA_NAMES = dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="</s>")
LLAMA3_NAMES = dict(bos_token="<|begin_of_text|>", eos_token="<|end_of_text|>", pad_token="<|end_of_text|>")
NAMES = {
    "roberta": FAIRSEQ_NAMES, "xlmr": FAIRSEQ_NAMES, "camembert": FAIRSEQ_NAMES, "mpnet": {**FAIRSEQ_NAMES, "unk_token": "[UNK]"},
    "modernbert": BERT_NAMES, "distilbert": BERT_NAMES, "electra": BERT_NAMES, "nomic_gte": BERT_NAMES,
    "deberta_v3": {**BERT_NAMES, "unk_token": "<unk>", "bos_token": "[CLS]", "eos_token": "[SEP]"},
    "qwen3": QWEN_NAMES, "qwen3_embedding": QWEN_NAMES, "llama2": LLAMA_NAMES, "mistral": LLAMA_NAMES, "llama3": LLAMA3_NAMES,
    "eurobert": {**LLAMA3_NAMES, "mask_token": "<|mask|>"}, "gemma": GEMMA_NAMES, "embeddinggemma": GEMMA_NAMES,
    "gpt2": dict(bos_token="<|endoftext|>", eos_token="<|endoftext|>", pad_token="<|endoftext|>"),
    "t5": dict(eos_token="</s>", unk_token="<unk>", pad_token="<pad>"),
}
WITH_TYPES = {"model_input_names": ["input_ids", "token_type_ids", "attention_mask"]}


def bert_tokenizer(folder, max_length):
    tok = Tokenizer(models.WordPiece({t: i for i, t in enumerate(BERT_VOCAB)}, unk_token="[UNK]", max_input_chars_per_word=100))
    tok.normalizer = normalizers.BertNormalizer(lowercase=True)
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tok.decoder = decoders.WordPiece()
    tok.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    fast = PreTrainedTokenizerFast(tokenizer_object=tok, **BERT_NAMES, **WITH_TYPES, model_max_length=max_length)
    fast.save_pretrained(folder)
    return fast


def characters(space):
    return [space, *(chr(c) for c in range(0x21, 0x7F))]


def merged(space, extra):
    """Merges that put a word together from the left."""
    merges = []
    for word in [*(space + w for w in WORDS), *ENDINGS, *extra]:
        merges += [[word[:i], word[i]] for i in range(1, len(word))]
    return [list(m) for m in dict.fromkeys(map(tuple, merges))]


def bpe(shape, first, last, extra):
    space = "Ġ" if shape.is_byte_level else "▁"
    merges = merged(space, extra)
    letters = [c for word in extra for c in word]
    pieces = dict.fromkeys(first + characters(space) + letters + ["".join(m) for m in merges] + last)
    return {"type": "BPE", "vocab": {piece: i for i, piece in enumerate(pieces)}, "merges": merges}


def unigram(shape, first, last, extra):
    scored = [["▁" + w, -3 - i / 100] for i, w in enumerate(WORDS)] + [[e, -4 - i / 100] for i, e in enumerate(ENDINGS)]
    scored += [[w, -2 - i / 100] for i, w in enumerate(extra)]
    scored += [[c, -6 - i / 100] for i, c in enumerate(characters("▁")) if c not in ENDINGS]
    vocab = [[piece, 0.0] for piece in first] + scored + [[piece, 0.0] for piece in last]
    return {"type": "Unigram", "vocab": vocab, "unk_id": first.index(shape.unk), "byte_fallback": False}


def wordpiece(shape, first, last, extra):
    pieces = dict.fromkeys([*first, *WORD_PIECES, *extra, *last])
    return {"type": "WordPiece", "continuing_subword_prefix": "##", "vocab": {piece: i for i, piece in enumerate(pieces)}}


def is_wanted(token):
    """Runs of white space and the hundred sentinels of T5 would be most of a vocabulary."""
    return token["content"].strip("▁ \t\n") and "extra_id" not in token["content"]


def tokenizer_json(shape, extra):
    added = list(filter(is_wanted, shape.added))
    first, last = ([token["content"] for token in added if bool(token.get("late")) == late] for late in (False, True))
    model = {"BPE": bpe, "Unigram": unigram, "WordPiece": wordpiece}[shape.model](shape, first, last, extra)
    ids = {piece: i for i, (piece, _) in enumerate(model["vocab"])} if shape.model == "Unigram" else model["vocab"]
    tokens = [{"id": ids[token["content"]], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
               "special": True, **{key: value for key, value in token.items() if key != "late"}} for token in added]
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": sorted(tokens, key=lambda t: t["id"]),
            "normalizer": shape.normalizer, "pre_tokenizer": shape.pre_tokenizer,
            "post_processor": shape.post_processor(ids) if shape.post_processor else None, "decoder": shape.decoder,
            "model": {**model, **shape.options}}


def all_shapes():
    known = shapes(CHARSMAP)
    return {**known, "qwen3": replace(known["qwen3_embedding"], post_processor=just(byte_level(trim=False, regex=False)))}


def save_tokenizer(folder, kind, max_length, extra=(), **changes):
    """extra: more words of the vocabulary; changes: of what tokenizer_config.json says."""
    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_json(all_shapes()[kind], extra)))
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=max_length,
                                   **{"model_input_names": ["input_ids", "attention_mask"], **NAMES[kind], **changes})
    fast.save_pretrained(folder)
    return fast
