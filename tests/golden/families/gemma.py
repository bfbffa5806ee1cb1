"""EmbeddingGemma: Gemma 3 that attends both ways, near and far by turns, and two projections; and what followed it."""
import torch
from transformers import (EmbeddingGemma2Config, EmbeddingGemma2Model, EmbeddingGemma2TextConfig, EmbeddingGemma2TextModel,
                          Gemma3TextConfig, Gemma3TextModel)

from golden_builders import LIMIT, embedder, prefix_weights, source_of
from golden_models import (LONG_TEXTS, assemble, fresh, golden_embeddings, golden_of, old_pipeline, read_json, scatter, unit,
                           write_json)
from golden_tokenizers import save_tokenizer

PROMPTS = {"query": "task: search result | query: ", "document": "title: none | text: ",
           "STS": "task: sentence similarity | query: "}
FAR, NEAR = "full_attention", "sliding_attention"


def thetas(far, near):
    return {FAR: {"rope_type": "default", "rope_theta": far}, NEAR: {"rope_type": "default", "rope_theta": near}}


def token_ids(tokenizer):
    return dict(vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id, bos_token_id=tokenizer.bos_token_id,
                eos_token_id=tokenizer.eos_token_id)


def gemma3(tokenizer, **changes):
    base = dict(**token_ids(tokenizer), hidden_size=18, intermediate_size=24, num_hidden_layers=4, num_attention_heads=3,
                num_key_value_heads=1, head_dim=10, query_pre_attn_scalar=7, max_position_embeddings=128, sliding_window=10,
                layer_types=[NEAR, NEAR, FAR, NEAR], rope_parameters=thetas(1000.0, 30.0), use_bidirectional_attention=True)
    return Gemma3TextConfig(**{**base, **changes})


def embedding_gemma(name, seed, **changes):
    source = source_of(name, seed, gemma3, Gemma3TextModel, "embeddinggemma", **changes)
    return assemble(name, seed, source, "mean", [(30, torch.nn.Identity()), (16, torch.nn.Identity())], True, dense_bias=False,
                    prompts=PROMPTS)


def old_keys(folder, window):
    """config.json as transformers 4 wrote it."""
    values = read_json(f"{folder}/config.json")
    rope = values.pop("rope_parameters")
    write_json(f"{folder}/config.json", {
        **values, "_sliding_window_pattern": 6, "rope_local_base_freq": rope[NEAR]["rope_theta"], "rope_scaling": None,
        "rope_theta": rope[FAR]["rope_theta"], "sliding_window": window, "torch_dtype": values.pop("dtype")})


def embedding_gemma2(tokenizer, **changes):
    base = dict(**token_ids(tokenizer), hidden_size=16, intermediate_size=20, num_hidden_layers=3, num_attention_heads=4,
                num_key_value_heads=2, head_dim=6, global_head_dim=10, num_global_key_value_heads=1, max_position_embeddings=128,
                sliding_window=5, layer_types=[NEAR, FAR, FAR], rope_parameters=thetas(1000.0, 30.0),
                hidden_size_per_layer_input=8, embedding_dim=20)
    return EmbeddingGemma2TextConfig(**{**base, **changes})


def scaled(model):
    """Every layer multiplies by a buffer, which a random model leaves at 1."""
    for i, layer in enumerate(model.layers):
        layer.layer_scalar.fill_(0.5 + 0.25 * i)
    return model


def multimodal(name, seed):
    """As the composite model ships: the text part under a prefix and in a config of its own, here without the towers."""
    folder = fresh(name)
    tok = save_tokenizer(folder, "embeddinggemma", LIMIT)
    rope = {**thetas(1000.0, 30.0), FAR: {"rope_type": "proportional", "partial_rotary_factor": 0.4, "rope_theta": 1000.0}}
    model = EmbeddingGemma2Model(EmbeddingGemma2Config(text_config=embedding_gemma2(tok, rope_parameters=rope)))
    scaled(scatter(model, seed).language_model)
    model.save_pretrained(folder)
    old_pipeline(folder, model.config.text_config.embedding_dim, "mean_tokens", "Normalize", limit=LIMIT)
    golden_of(folder, tok, LONG_TEXTS, LIMIT,
              lambda ids: unit(model(torch.tensor([ids])).last_hidden_state[0].mean(0).numpy()))


def make():
    folder = embedding_gemma("embeddinggemma", 150)
    golden_embeddings(folder, LONG_TEXTS)
    for prompt in ("query", "document"):
        golden_embeddings(folder, LONG_TEXTS, PROMPTS[prompt], f"golden-{prompt}")
    folder = embedding_gemma("embeddinggemma-old-keys", 151, layer_types=[NEAR, FAR], num_hidden_layers=2, num_attention_heads=2,
                             num_key_value_heads=2, head_dim=8)
    prefix_weights(folder)
    old_keys(folder, 7)
    golden_embeddings(folder, LONG_TEXTS)
    golden_embeddings(embedder("gemma3-causal", 152, gemma3, Gemma3TextModel, "gemma", use_bidirectional_attention=False,
                               sliding_window=6), LONG_TEXTS)
    golden_embeddings(embedder("embeddinggemma2-text", 155, embedding_gemma2, lambda c: scaled(EmbeddingGemma2TextModel(c)),
                               "embeddinggemma", "mean", options={"width": 20}), LONG_TEXTS)
    multimodal("embeddinggemma2", 157)
