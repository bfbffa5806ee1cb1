"""Qwen3 and Qwen2 embedders: grouped heads, norms of heads, RoPE and its scalings, the last token."""
import os

import torch
from safetensors.numpy import load_file
from transformers import Qwen2Config, Qwen2Model, Qwen3Config, Qwen3Model

from golden_builders import LIMIT, embedder, old_rope_keys, prefix_weights
from golden_models import LONG_TEXTS, edit_json, golden_embeddings, read_json, write_json

PROMPTS = {"query": "Instruct: one text of a kind\nQuery:", "document": ""}


def qwen3(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=36, num_hidden_layers=2, num_attention_heads=6,
                num_key_value_heads=2, head_dim=8, max_position_embeddings=256, rms_norm_eps=1e-6, tie_word_embeddings=True,
                rope_parameters={"rope_type": "default", "rope_theta": 1000.0}, bos_token_id=tokenizer.pad_token_id,
                eos_token_id=tokenizer.eos_token_id)
    return Qwen3Config(**{**base, **changes})


def qwen2(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=40, num_hidden_layers=2, num_attention_heads=4,
                num_key_value_heads=2, max_position_embeddings=256, rms_norm_eps=1e-6, tie_word_embeddings=False,
                rope_parameters={"rope_type": "default", "rope_theta": 500.0}, bos_token_id=tokenizer.pad_token_id,
                eos_token_id=tokenizer.eos_token_id)
    return Qwen2Config(**{**base, **changes})


SCALINGS = {
    "linear": {"rope_theta": 1000.0, "factor": 2.5},
    "dynamic": {"rope_theta": 1000.0, "factor": 4.0},
    "yarn": {"rope_theta": 100.0, "factor": 4.0, "original_max_position_embeddings": 32},
    "llama3": {"rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
               "original_max_position_embeddings": 64},
}


def scaled(kind, seed):
    rope = {"rope_type": kind, **SCALINGS[kind]}
    folder = embedder(f"qwen3-rope-{kind}", seed, qwen3, Qwen3Model, "qwen3", rope_parameters=rope, num_hidden_layers=1,
                      num_attention_heads=2, num_key_value_heads=1, head_dim=16)
    if kind in ("linear", "yarn"):
        old_rope_keys(folder)
    golden_embeddings(folder, LONG_TEXTS)


def to_vocab_and_merges(folder):
    """The tokenizer in the two files of GPT-2, with its added tokens in tokenizer_config.json, and no tokenizer.json."""
    data = read_json(f"{folder}/tokenizer.json")
    added = {str(t["id"]): {k: v for k, v in t.items() if k != "id"} for t in data["added_tokens"]}
    names = {t["content"] for t in data["added_tokens"]}
    write_json(f"{folder}/vocab.json", {k: v for k, v in data["model"]["vocab"].items() if k not in names})
    with open(f"{folder}/merges.txt", "w", encoding="utf-8") as file:
        file.write("#version: 0.2\n" + "".join(" ".join(merge) + "\n" for merge in data["model"]["merges"]))
    write_json(f"{folder}/tokenizer_config.json", {
        "add_bos_token": False, "add_prefix_space": False, "added_tokens_decoder": added, "bos_token": None,
        "clean_up_tokenization_spaces": False, "eos_token": "<|im_end|>", "errors": "replace", "model_max_length": LIMIT,
        "pad_token": "<|endoftext|>", "split_special_tokens": False, "tokenizer_class": "Qwen2Tokenizer", "unk_token": None})
    os.remove(f"{folder}/tokenizer.json")


def make():
    folder = embedder("qwen3-embedding", 60, qwen3, Qwen3Model, "qwen3_embedding", dtype=torch.bfloat16, extra=["\u010a"],
                      options={"prompts": PROMPTS})
    golden_embeddings(folder, LONG_TEXTS)
    golden_embeddings(folder, LONG_TEXTS, PROMPTS["query"], "golden-query")
    folder = embedder("qwen3-prefixed", 61, qwen3, Qwen3Model, "qwen3_embedding", num_attention_heads=4, head_dim=12,
                      hidden_size=16, num_hidden_layers=3, intermediate_size=24)
    prefix_weights(folder)
    old_rope_keys(folder)
    edit_json(f"{folder}/config.json", architectures=["Qwen3ForCausalLM"], sliding_window=4)  # with use_sliding_window false
    golden_embeddings(folder, LONG_TEXTS)
    golden_embeddings(embedder("qwen3-sliding", 62, qwen3, Qwen3Model, "qwen3", "mean", False, attention_bias=True,
                               num_hidden_layers=3, hidden_size=16, intermediate_size=20, use_sliding_window=True,
                               sliding_window=7, max_window_layers=1), LONG_TEXTS)
    for i, kind in enumerate(SCALINGS):
        scaled(kind, 63 + i)
    folder = embedder("qwen2", 67, qwen2, Qwen2Model, "qwen3_embedding", use_sliding_window=True, sliding_window=6,
                      max_window_layers=1)
    old_rope_keys(folder)
    golden_embeddings(folder, LONG_TEXTS)
    golden_embeddings(embedder("qwen2-bidirectional", 68, qwen2, Qwen2Model, "qwen3", ("lasttoken", "weightedmean"), False,
                               is_causal=False), LONG_TEXTS)
    folder = embedder("qwen3-merges", 69, qwen3, Qwen3Model, "qwen3", num_hidden_layers=1)
    golden_embeddings(folder, LONG_TEXTS)
    before = load_file(f"{folder}/golden.safetensors")
    to_vocab_and_merges(folder)
    golden_embeddings(folder, LONG_TEXTS)
    assert all((before[k] == v).all() for k, v in load_file(f"{folder}/golden.safetensors").items())
