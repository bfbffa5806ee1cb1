#!/usr/bin/env python3
"""Tiny random language models and what transformers writes with them, greedily: tests/golden/generators/.

    pip install -r tests/golden/requirements.txt; python tests/golden/make_generators.py

golden.safetensors: the prompts' ids, the words that follow each, and as rows the logits that the last of them was chosen by.
"""
import os

import torch
from safetensors.torch import save_file
from transformers import (LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM, Qwen2Config, Qwen2ForCausalLM, Qwen3Config,
                          Qwen3ForCausalLM)

import golden_models
from golden_builders import old_rope_keys
from golden_models import fresh, scatter
from golden_tokenizers import save_tokenizer

golden_models.OUT = os.path.join(golden_models.HERE, "generators")

WORDS = 20
MARGIN = 1e-3  # by which the chosen word leads: nearer ones would be a matter of rounding
PROMPTS = ["a", "one engine", "two kinds of traffic, one engine", "tokens and tokenizing " * 6]


def sizes(tokenizer, **changes):
    return {**dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=36, num_hidden_layers=2, num_attention_heads=6,
                   num_key_value_heads=2, max_position_embeddings=128, rms_norm_eps=1e-5, bos_token_id=None, eos_token_id=None,
                   pad_token_id=None), **changes}


def follow(model, ids):
    """Greedy words after ids, the logits of the last, and the least lead of any."""
    with torch.no_grad():
        out = model.generate(torch.tensor([ids]), do_sample=False, max_new_tokens=WORDS, min_new_tokens=WORDS, use_cache=False,
                             return_dict_in_generate=True, output_logits=True)
    best = torch.stack([step[0] for step in out.logits]).topk(2).values
    return out.sequences[0, len(ids):], out.logits[-1][0], float((best[:, 0] - best[:, 1]).min())


def generator(name, seed, config, model_class, tokenizer, old_keys=False, dtype=torch.float32, **changes):
    """Tries seeds until no word is a near thing."""
    folder = fresh(name)
    tok = save_tokenizer(folder, tokenizer, 72, ())
    for attempt in range(seed, seed + 100):
        model = scatter(model_class(config(**sizes(tok, **changes))), attempt).to(dtype)
        model.save_pretrained(folder)
        model = model_class.from_pretrained(folder, dtype=torch.float32).eval()
        prompts = [tok(text).input_ids for text in PROMPTS]
        words, rows, leads = zip(*(follow(model, ids) for ids in prompts))
        if min(leads) > MARGIN:
            break
    else:
        raise SystemExit(f"{name}: no seed from {seed} on")
    if old_keys:
        old_rope_keys(folder)
    ids = torch.tensor(sum(prompts, []), dtype=torch.int32)
    save_file({"ids": ids, "types": torch.zeros(len(ids), dtype=torch.uint8), "rows": torch.stack(rows),
               "lengths": torch.tensor([len(p) for p in prompts], dtype=torch.int32),
               "words": torch.stack(words).to(torch.int32)}, f"{folder}/golden.safetensors")
    print(name, attempt, [len(set(w.tolist())) for w in words], "different words of", WORDS)


def main():
    rope = lambda theta: {"rope_type": "default", "rope_theta": theta}
    generator("llama", 500, LlamaConfig, LlamaForCausalLM, "llama3", rope_parameters=rope(500.0), attention_bias=True)
    generator("llama-tied", 600, LlamaConfig, LlamaForCausalLM, "gpt2", old_keys=True, tie_word_embeddings=True,
              num_attention_heads=3, num_key_value_heads=1, dtype=torch.bfloat16, rope_parameters=rope(300.0))
    generator("mistral", 700, MistralConfig, MistralForCausalLM, "mistral", sliding_window=17, head_dim=10,
              rope_parameters=rope(1000.0))
    generator("qwen2", 800, Qwen2Config, Qwen2ForCausalLM, "qwen3", rope_parameters=rope(700.0))
    generator("qwen3", 900, Qwen3Config, Qwen3ForCausalLM, "qwen3", head_dim=18, tie_word_embeddings=True,
              rope_parameters=rope(900.0))


if __name__ == "__main__":
    main()
