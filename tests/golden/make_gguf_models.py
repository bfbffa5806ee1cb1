#!/usr/bin/env python3
"""Golden models as GGUF files, named and laid out as llama.cpp's converter does: tests/golden/gguf/.

    pip install -r tests/golden/requirements.txt; python tests/golden/make_gguf_models.py

What they must compute is what their directories compute (tests/integration/gguf_test.py).
"""
import os

import gguf
import torch
from safetensors.torch import load_file

from golden_models import HERE, read_json

OUT = os.path.join(HERE, "gguf")
CONTROL, NORMAL, UNUSED = (int(t) for t in (gguf.TokenType.CONTROL, gguf.TokenType.NORMAL, gguf.TokenType.UNUSED))


def pairs_together(weight, heads):
    """Rows (half, pair) of each head -> (pair, half), for rotary positions of neighbours."""
    return weight.reshape(heads, 2, weight.shape[0] // heads // 2, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


def add_decoder_keys(writer, config):
    heads = config["num_attention_heads"]
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(config.get("head_dim") or config["hidden_size"] // heads)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])


def add_keys(writer, config, pooling):
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_context_length(config["max_position_embeddings"])
    if pooling is not None:
        writer.add_pooling_type(pooling)
    if config["model_type"] == "bert":
        writer.add_layer_norm_eps(config["layer_norm_eps"])
        writer.add_causal_attention(False)
    else:
        add_decoder_keys(writer, config)


def wordpiece(token):
    if token.startswith("[") and token.endswith("]"):
        return token
    return token[2:] if token.startswith("##") else "\u2581" + token


def add_tokenizer(writer, folder, vocab_size, kind, pre, frame):
    """frame: ids of the tokens that begin and end a text, by the writer's names for them."""
    file = read_json(f"{folder}/tokenizer.json")
    vocab = dict(file["model"]["vocab"])
    added = {token["content"]: token["id"] for token in file["added_tokens"]}
    vocab.update(added)
    by_id = {id: token for token, id in vocab.items()}
    tokens = [by_id.get(id, f"[PAD{id}]") for id in range(vocab_size)]
    writer.add_tokenizer_model(kind)
    writer.add_tokenizer_pre(pre)
    writer.add_token_list([wordpiece(t) if kind == "bert" and t not in added else t for t in tokens])
    writer.add_token_types([CONTROL if token in added else NORMAL if token in vocab else UNUSED for token in tokens])
    if kind == "gpt2":
        writer.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in file["model"]["merges"]])
    for name, token in frame.items():
        getattr(writer, f"add_{name}_token_id")(vocab[token])
        if name in ("bos", "eos"):
            getattr(writer, f"add_add_{name}_token")(True)


def write_tensors(writer, folder, config):
    architecture = getattr(gguf.MODEL_ARCH, config["model_type"].upper())
    names = gguf.get_tensor_name_map(architecture, config["num_hidden_layers"])
    for name, value in load_file(f"{folder}/model.safetensors").items():
        if "position_ids" in name or "pooler" in name:
            continue
        full = name if name.startswith(("model.", "lm_head")) or config["model_type"] == "bert" else "model." + name
        here = names.get_name(full, try_suffixes=(".weight", ".bias"))
        assert here, name
        if config["model_type"] == "llama" and (".attn_q." in here or ".attn_k." in here):
            value = pairs_together(value, config["num_attention_heads" if ".attn_q." in here else "num_key_value_heads"])
        if value.dtype == torch.bfloat16 and value.ndim > 1:
            writer.add_tensor(here, value.view(torch.uint8).numpy(), raw_dtype=gguf.GGMLQuantizationType.BF16)
        else:
            writer.add_tensor(here, value.float().contiguous().numpy())


def convert(name, folder, tokenizer, pooling=None):
    config = read_json(f"{folder}/config.json")
    writer = gguf.GGUFWriter(f"{OUT}/{name}.gguf", config["model_type"])
    add_keys(writer, config, pooling)
    add_tokenizer(writer, folder, config["vocab_size"], *tokenizer)
    write_tensors(writer, folder, config)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    os.makedirs(OUT, exist_ok=True)
    models, generators = f"{HERE}/models", f"{HERE}/generators"
    convert("bert", f"{models}/pool-mean", ("bert", "default", {}), gguf.PoolingType.MEAN)
    convert("llama", f"{models}/llama", ("gpt2", "llama-bpe", {"bos": "<|begin_of_text|>"}), gguf.PoolingType.LAST)
    convert("qwen3", f"{models}/qwen3-embedding", ("gpt2", "qwen2", {"eos": "<|endoftext|>"}), gguf.PoolingType.LAST)
    convert("llama-writes", f"{generators}/llama", ("gpt2", "llama-bpe", {"bos": "<|begin_of_text|>"}))


if __name__ == "__main__":
    main()
