"""EuroBERT: Llama's layers, attending both ways."""
from transformers import EuroBertConfig, EuroBertForSequenceClassification, EuroBertModel

from golden_builders import classifier, embedder, old_rope_keys, prefix_weights
from golden_models import LONG_TEXTS, golden_embeddings


def config(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=36, num_hidden_layers=2, num_attention_heads=6,
                num_key_value_heads=2, max_position_embeddings=128,
                rope_parameters={"rope_type": "default", "rope_theta": 250.0}, pad_token_id=tokenizer.pad_token_id,
                bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id, mask_token_id=tokenizer.mask_token_id)
    return EuroBertConfig(**{**base, **changes})


def make():
    folder = embedder("eurobert", 130, config, EuroBertModel, "eurobert", "mean")
    prefix_weights(folder)
    old_rope_keys(folder)
    golden_embeddings(folder, LONG_TEXTS)
    for i, (pooling, count) in enumerate((("late", 1), ("bos", 2), ("mean", 3))):
        classifier(f"eurobert-classifier-{pooling}", 131 + i, config, EuroBertForSequenceClassification, "eurobert", count,
                   classifier_pooling=pooling, num_hidden_layers=1, num_key_value_heads=6)
