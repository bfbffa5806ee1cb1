"""DistilBERT, MPNet and ELECTRA: BERT without types, with relative positions, with embeddings of another width."""
import numpy as np
from transformers import (DistilBertConfig, DistilBertForSequenceClassification, DistilBertModel, ElectraConfig,
                          ElectraForSequenceClassification, ElectraModel, MPNetConfig, MPNetForSequenceClassification,
                          MPNetModel)

from golden_builders import LIMIT, classifier, embedder
from golden_models import LONG_TEXTS, golden_embeddings, rewrite_weights
from golden_tokenizers import WITH_TYPES


def distilbert(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), dim=24, hidden_dim=40, n_layers=2, n_heads=3, max_position_embeddings=LIMIT,
                pad_token_id=tokenizer.pad_token_id)
    return DistilBertConfig(**{**base, **changes})


def mpnet(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=40, num_hidden_layers=2, num_attention_heads=3,
                max_position_embeddings=LIMIT + 2, layer_norm_eps=1e-5)
    return MPNetConfig(**{**base, **changes})


def electra(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), embedding_size=16, hidden_size=24, intermediate_size=40, num_hidden_layers=2,
                num_attention_heads=3, max_position_embeddings=LIMIT, pad_token_id=tokenizer.pad_token_id)
    return ElectraConfig(**{**base, **changes})


def discriminator_names(weights):
    return {**{"electra." + k: v for k, v in weights.items()},
            "discriminator_predictions.dense.weight": np.zeros((3, 3), np.float32)}


def make():
    golden_embeddings(embedder("distilbert", 100, distilbert, DistilBertModel, "distilbert", "mean"), LONG_TEXTS)
    classifier("distilbert-classifier-2", 101, distilbert, DistilBertForSequenceClassification, "distilbert", 2)
    golden_embeddings(embedder("mpnet", 102, mpnet, MPNetModel, "mpnet", "mean"), LONG_TEXTS)
    classifier("mpnet-reranker", 103, mpnet, MPNetForSequenceClassification, "mpnet", 1)
    golden_embeddings(embedder("electra", 104, electra, ElectraModel, "electra", "cls", False), LONG_TEXTS)
    folder = embedder("electra-discriminator", 105, electra, ElectraModel, "electra", "mean", embedding_size=24)
    rewrite_weights(folder, discriminator_names)
    golden_embeddings(folder, LONG_TEXTS)
    classifier("electra-reranker", 106, electra, ElectraForSequenceClassification, "electra", 1, WITH_TYPES)
