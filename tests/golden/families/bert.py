"""BERT: every pooling, head, module, schema and layout of weights."""
import json
import os
import shutil

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from transformers import BertConfig, BertForSequenceClassification, BertModel

from golden_models import (PAIRS, TEXTS, assemble, fresh, golden_embeddings, golden_logits, labels, randomize,
                           rewrite_weights)
from golden_tokenizers import BERT_VOCAB, bert_tokenizer


def config(**changes):
    base = dict(vocab_size=len(BERT_VOCAB), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
                max_position_embeddings=64, hidden_act="gelu")
    return BertConfig(**{**base, **changes})


def embedder(name, seed, modes, dense=(), normalize=False, **changes):
    source = fresh(name + ".source")
    randomize(BertModel(config(**changes)), seed).save_pretrained(source)
    bert_tokenizer(source, 48)
    return assemble(name, seed, source, modes, dense, normalize)


def to_old_schema(folder):
    """The directory as sentence-transformers 2 wrote it: one flag a pooling mode, max_seq_length, short module types."""
    modules = json.load(open(f"{folder}/modules.json"))
    for m in modules:
        m["type"] = "sentence_transformers.models." + m["type"].rsplit(".", 1)[1]
    json.dump(modules, open(f"{folder}/modules.json", "w"))
    json.dump({"max_seq_length": 40, "do_lower_case": False}, open(f"{folder}/sentence_bert_config.json", "w"))
    path = f"{folder}/1_Pooling/config.json"
    p = json.load(open(path))
    modes = [p["pooling_mode"]] if isinstance(p["pooling_mode"], str) else p["pooling_mode"]
    flags = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens", "mean_sqrt_len_tokens": "mean_sqrt_len_tokens"}
    json.dump({"word_embedding_dimension": p["embedding_dimension"],
               **{"pooling_mode_" + flag: mode in modes for mode, flag in flags.items()}}, open(path, "w"))


def move_transformer(folder):
    """The Transformer in a subfolder of its own, its tensors under "bert.", with a pooler and position_ids to ignore."""
    sub = os.path.join(folder, "0_Transformer")
    os.makedirs(sub)
    for f in os.listdir(folder):
        if os.path.isfile(f"{folder}/{f}") and f not in ("modules.json", "config_sentence_transformers.json") and not f.startswith("golden"):
            shutil.move(f"{folder}/{f}", f"{sub}/{f}")
    modules = json.load(open(f"{folder}/modules.json"))
    modules[0]["path"] = "0_Transformer"
    json.dump(modules, open(f"{folder}/modules.json", "w"))
    rewrite_weights(sub, lambda w: {**{"bert." + k: v for k, v in w.items()},
                                    "bert.embeddings.position_ids": np.arange(64, dtype=np.int64)[None],
                                    "cls.predictions.bias": np.zeros(3, np.float32)})


def shard(folder):
    weights = load_file(f"{folder}/model.safetensors")
    names = sorted(weights)
    parts = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for file, keys in parts.items():
        save_file({k: weights[k] for k in keys}, f"{folder}/{file}", metadata={"format": "pt"})
    json.dump({"metadata": {}, "weight_map": {k: f for f, keys in parts.items() for k in keys}},
              open(f"{folder}/model.safetensors.index.json", "w"))
    os.remove(f"{folder}/model.safetensors")


def old_norm_names(weights):
    return {k.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): v
            for k, v in weights.items()}


def classifier(name, seed, count):
    folder = fresh(name)
    model = randomize(BertForSequenceClassification(config(**labels(count))), seed)
    model.save_pretrained(folder)
    golden_logits(folder, bert_tokenizer(folder, 64), model, PAIRS, 64)


def make():
    for i, mode in enumerate(["cls", "mean", "max", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]):
        golden_embeddings(embedder(f"pool-{mode}", 10 + i, mode, normalize=mode in ("cls", "mean")), TEXTS)
    golden_embeddings(embedder("pool-cls-mean-dense", 20, ("cls", "mean"), [(24, torch.nn.Tanh()), (16, torch.nn.Identity())],
                               normalize=True), TEXTS)
    golden_embeddings(embedder("heads-of-64", 21, "mean", normalize=True, hidden_size=128, num_attention_heads=2,
                               num_hidden_layers=1, intermediate_size=96), TEXTS)
    golden_embeddings(embedder("gelu-new", 22, "mean", hidden_act="gelu_new", num_attention_heads=4), TEXTS)
    folder = embedder("old-schema", 23, ("cls", "max"))
    golden_embeddings(folder, TEXTS)
    to_old_schema(folder)
    golden_embeddings(folder, TEXTS)
    folder = embedder("subfolder-prefixed", 24, "mean", normalize=True)
    golden_embeddings(folder, TEXTS)
    move_transformer(folder)
    folder = embedder("sharded-old-norms", 25, "mean")
    golden_embeddings(folder, TEXTS)
    rewrite_weights(folder, old_norm_names)
    shard(folder)
    folder = embedder("half-precision", 26, "mean", normalize=True)
    rewrite_weights(folder, lambda w: {k: v.astype(np.float16) for k, v in w.items()})
    cfg = json.load(open(f"{folder}/config.json"))
    cfg["dtype"] = "float32"  # the reference computes in f32 over the same halves
    json.dump(cfg, open(f"{folder}/config.json", "w"))
    golden_embeddings(folder, TEXTS)
    classifier("reranker", 30, 1)
    classifier("classifier-3", 31, 3)
