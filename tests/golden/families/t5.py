"""The encoder of T5 (sentence-t5, gtr): relative positions in buckets, scores that are not scaled."""
import numpy as np
import torch
from transformers import T5Config, T5EncoderModel

from golden_builders import source_of
from golden_models import LONG_TEXTS, assemble, golden_embeddings, read_json, rewrite_weights, write_json


def config(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer) + 5, d_model=24, d_kv=6, d_ff=36, num_layers=2, num_heads=5,
                pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id)
    return T5Config(**{**base, **changes})


def embedder(name, seed, **changes):
    return assemble(name, seed, source_of(name, seed, config, T5EncoderModel, "t5", **changes), "mean",
                    [(16, torch.nn.Identity())], True, dense_bias=False)


def whole_model_names(weights):
    """As saved from the whole T5Model of transformers 4: the table under its other name too, and a decoder that nobody reads."""
    return {**weights, "encoder.embed_tokens.weight": weights["shared.weight"],
            "decoder.block.0.layer.0.SelfAttention.q.weight": np.zeros((3, 3), np.float32)}


def make():
    golden_embeddings(embedder("t5", 170), LONG_TEXTS)
    folder = embedder("t5-gated", 171, feed_forward_proj="gated-gelu", relative_attention_num_buckets=10,
                      relative_attention_max_distance=30)
    rewrite_weights(folder, whole_model_names)
    values = read_json(f"{folder}/config.json")
    write_json(f"{folder}/config.json", {k: v for k, v in values.items() if k not in ("is_gated_act", "dense_act_fn")})
    golden_embeddings(folder, LONG_TEXTS)
