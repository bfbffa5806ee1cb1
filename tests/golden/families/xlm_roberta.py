"""RoBERTa, XLM-RoBERTa and CamemBERT: positions count from pad_token_id + 1, classifiers have a head of two layers."""
import functools
import os

import numpy as np
import torch
from transformers import (CamembertConfig, CamembertModel, RobertaConfig, RobertaForSequenceClassification, RobertaModel,
                          XLMRobertaConfig, XLMRobertaForSequenceClassification, XLMRobertaModel)

from golden_builders import LIMIT, classifier, embedder
from golden_models import LONG_TEXTS, golden_embeddings, rewrite_weights
from legacy_pickle import legacy_save


def config(kind, tokenizer, **changes):
    """pad_token_id 1, two positions more than tokens, one type, as all of them ship."""
    base = dict(vocab_size=len(tokenizer), hidden_size=24, num_hidden_layers=2, num_attention_heads=3, intermediate_size=40,
                max_position_embeddings=LIMIT + 2, type_vocab_size=1, layer_norm_eps=1e-5, pad_token_id=1,
                bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id)
    return kind(**{**base, **changes})


xlm_roberta = functools.partial(config, XLMRobertaConfig)
roberta = functools.partial(config, RobertaConfig)
camembert = functools.partial(config, CamembertConfig)


def masked_model_names(weights):
    """As saved from the ...ForMaskedLM of transformers 4: a prefix, a buffer of positions and a head that nobody reads."""
    return {**{"roberta." + k: v for k, v in weights.items() if not k.startswith("pooler.")},
            "roberta.embeddings.position_ids": np.arange(LIMIT + 2, dtype=np.int64)[None],
            "lm_head.bias": np.zeros(3, np.float32), "lm_head.dense.weight": np.zeros((3, 3), np.float32)}


def to_pickle(folder, save):
    """As torch.save wrote it of a model: an OrderedDict with _metadata, and in it the buffer of positions, of int64."""
    weights = XLMRobertaModel.from_pretrained(folder).state_dict()
    weights["embeddings.position_ids"] = torch.arange(LIMIT + 2)[None]
    save(weights, f"{folder}/pytorch_model.bin")
    os.remove(f"{folder}/model.safetensors")


def make():
    golden_embeddings(embedder("xlm-roberta", 40, xlm_roberta, XLMRobertaModel, "xlmr", "mean"), LONG_TEXTS)
    golden_embeddings(embedder("xlm-roberta-types", 41, xlm_roberta, XLMRobertaModel, "xlmr", "cls", False, type_vocab_size=2,
                               num_attention_heads=4, hidden_size=32, num_hidden_layers=1), LONG_TEXTS)
    for name, seed, save in (("xlm-roberta-pickle", 42, torch.save), ("xlm-roberta-pickle-legacy", 43, legacy_save)):
        folder = embedder(name, seed, xlm_roberta, XLMRobertaModel, "xlmr", "mean")
        to_pickle(folder, save)
        golden_embeddings(folder, LONG_TEXTS)
    folder = embedder("roberta", 44, roberta, RobertaModel, "roberta", "mean")
    rewrite_weights(folder, masked_model_names)
    golden_embeddings(folder, LONG_TEXTS)
    golden_embeddings(embedder("camembert", 45, camembert, CamembertModel, "camembert", ("cls", "mean"), False), LONG_TEXTS)
    classifier("xlm-roberta-reranker", 46, xlm_roberta, XLMRobertaForSequenceClassification, "xlmr", 1)
    classifier("xlm-roberta-classifier-3", 47, xlm_roberta, XLMRobertaForSequenceClassification, "xlmr", 3)
    classifier("roberta-reranker", 48, roberta, RobertaForSequenceClassification, "roberta", 1)
    classifier("roberta-classifier-3", 49, roberta, RobertaForSequenceClassification, "roberta", 3)
