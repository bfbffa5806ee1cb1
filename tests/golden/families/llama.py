"""Llama and Mistral embedders: biases, a head_dim of its own, tied weights, a window."""
import torch
from transformers import LlamaConfig, LlamaModel, MistralConfig, MistralModel

from golden_builders import embedder, old_rope_keys, prefix_weights
from golden_models import LONG_TEXTS, edit_json, golden_embeddings


def sizes(tokenizer):
    return dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=36, num_hidden_layers=2, max_position_embeddings=256,
                bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id, rms_norm_eps=1e-5)


def llama(tokenizer, **changes):
    base = dict(num_attention_heads=6, num_key_value_heads=2, rope_parameters={"rope_type": "default", "rope_theta": 500.0})
    return LlamaConfig(**{**sizes(tokenizer), **base, **changes})


def mistral(tokenizer, **changes):
    base = dict(num_attention_heads=4, num_key_value_heads=2, head_dim=10, sliding_window=9,
                rope_parameters={"rope_type": "default", "rope_theta": 1000.0})
    return MistralConfig(**{**sizes(tokenizer), **base, **changes})


def make():
    golden_embeddings(embedder("llama", 160, llama, LlamaModel, "llama3", "lasttoken", head_dim=10, attention_bias=True,
                               mlp_bias=True, num_hidden_layers=1), LONG_TEXTS)
    folder = embedder("smollm2", 161, llama, LlamaModel, "gpt2", "lasttoken", num_attention_heads=3, num_key_value_heads=3,
                      tie_word_embeddings=True, dtype=torch.bfloat16)
    prefix_weights(folder)
    old_rope_keys(folder)
    edit_json(f"{folder}/config.json", architectures=["LlamaForCausalLM"])
    golden_embeddings(folder, LONG_TEXTS)
    golden_embeddings(embedder("llama2", 162, llama, LlamaModel, "llama2", ("mean", "lasttoken"), False, num_attention_heads=4,
                               num_key_value_heads=1), LONG_TEXTS)
    folder = embedder("mistral", 163, mistral, MistralModel, "mistral", "lasttoken")
    old_rope_keys(folder)
    golden_embeddings(folder, LONG_TEXTS)
