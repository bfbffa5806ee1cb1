"""ModernBERT: layers that see everything and layers that see a window, each kind with a theta of its own."""
import numpy as np
from transformers import ModernBertConfig, ModernBertForSequenceClassification, ModernBertModel

from golden_builders import classifier, embedder
from golden_models import LONG_TEXTS, golden_embeddings, read_json, rewrite_weights, write_json

BIASES = dict(attention_bias=True, mlp_bias=True, norm_bias=True, classifier_bias=True)


def thetas(everywhere, near):
    return {"full_attention": {"rope_type": "default", "rope_theta": everywhere},
            "sliding_attention": {"rope_type": "default", "rope_theta": near}}


def config(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), hidden_size=18, intermediate_size=20, num_hidden_layers=4, num_attention_heads=3,
                max_position_embeddings=128, local_attention=10, rope_parameters=thetas(1000.0, 50.0),
                pad_token_id=tokenizer.pad_token_id, bos_token_id=tokenizer.cls_token_id, cls_token_id=tokenizer.cls_token_id,
                eos_token_id=tokenizer.sep_token_id, sep_token_id=tokenizer.sep_token_id)
    return ModernBertConfig(**{**base, **changes})


def old_keys(folder, every):
    """config.json as transformers 4 wrote it: a count for the kinds of layers, a key for each theta."""
    values = read_json(f"{folder}/config.json")
    rope = values.pop("rope_parameters")
    del values["layer_types"]
    write_json(f"{folder}/config.json", {
        **values, "global_attn_every_n_layers": every, "global_rope_theta": rope["full_attention"]["rope_theta"],
        "local_rope_theta": rope["sliding_attention"]["rope_theta"], "torch_dtype": values.pop("dtype"),
        "architectures": ["ModernBertForMaskedLM"]})


def masked_model_names(weights):
    return {**{"model." + k: v for k, v in weights.items()}, "head.dense.weight": np.zeros((3, 3), np.float32),
            "head.norm.weight": np.zeros(3, np.float32), "decoder.bias": np.zeros(3, np.float32)}


def make():
    golden_embeddings(embedder("modernbert", 90, config, ModernBertModel, "modernbert", "cls", False), LONG_TEXTS)
    folder = embedder("modernbert-masked-lm", 91, config, ModernBertModel, "modernbert", "mean", local_attention=7,
                      layer_types=["full_attention", "sliding_attention"] * 2)
    old_keys(folder, 2)
    rewrite_weights(folder, masked_model_names)
    golden_embeddings(folder, LONG_TEXTS)
    golden_embeddings(embedder("modernbert-biased", 92, config, ModernBertModel, "modernbert", "mean", num_hidden_layers=3,
                               hidden_activation="gelu_pytorch_tanh", **BIASES), LONG_TEXTS)
    classifier("modernbert-reranker", 93, config, ModernBertForSequenceClassification, "modernbert", 1)
    classifier("modernbert-classifier-3", 94, config, ModernBertForSequenceClassification, "modernbert", 3,
               classifier_pooling="mean", num_hidden_layers=3, **BIASES)
