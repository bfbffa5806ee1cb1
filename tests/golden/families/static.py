"""Static embeddings: the mean of rows of a table. sentence-transformers' StaticEmbedding and model2vec's own layout."""
import json
import os

import numpy as np
import torch
from model2vec import StaticModel
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer

from golden_models import LONG_TEXTS, fresh, read_json, save_case, write_json
from golden_tokenizers import all_shapes, tokenizer_json

WIDTH = 16
TEXTS = LONG_TEXTS + ["7 8 one", "7", ""]  # unknown words, nothing but unknown words, nothing


def tokenizer(kind):
    return Tokenizer.from_str(json.dumps(tokenizer_json(all_shapes()[kind], ())))


def table(seed, rows):
    torch.manual_seed(seed)
    return torch.empty(rows, WIDTH).normal_(0, 1)


def save(folder, ids, rows):
    """ids: of which the mean is taken."""
    save_case(folder, [{"input_ids": i, "token_type_ids": [0] * len(i)} for i in ids], rows, TEXTS)


def sentence_transformer(name, seed, kind, *modules):
    """Every token counts, unknown ones too, and special tokens are not added."""
    folder = fresh(name)
    tok = tokenizer(kind)
    static = StaticEmbedding(tok, embedding_weights=table(seed, tok.get_vocab_size()))
    SentenceTransformer(modules=[static, *modules], device="cpu").save(folder, create_model_card=False)
    model = SentenceTransformer(folder, device="cpu")
    save(folder, [tok.encode(text, add_special_tokens=False).ids for text in TEXTS], model.encode(TEXTS))
    return folder


def into_folder(folder):
    """As sentence-transformers 3 to 5 saved it: 0_StaticEmbedding/, the module's short name."""
    os.makedirs(f"{folder}/0_StaticEmbedding")
    for file in ("model.safetensors", "tokenizer.json"):
        os.rename(f"{folder}/{file}", f"{folder}/0_StaticEmbedding/{file}")
    modules = read_json(f"{folder}/modules.json")
    modules[0] |= {"path": "0_StaticEmbedding", "type": "sentence_transformers.models.StaticEmbedding"}
    write_json(f"{folder}/modules.json", modules)


def model2vec(name, seed, kind, **parts):
    """Unknown tokens are left out of the mean; texts are cut by characters, then by tokens."""
    folder = fresh(name)
    tok = tokenizer(kind)
    rows = parts.pop("rows", tok.get_vocab_size())
    config = {"model_type": "model2vec", "architectures": ["StaticModel"], "apply_pca": WIDTH, "hidden_dim": WIDTH,
              "seq_length": 1000000, **parts.pop("config")}
    vectors = parts.pop("vectors", lambda values: values)(table(seed, rows).numpy())
    model = StaticModel(vectors, tok, config, config["normalize"], max_length=config.get("max_length", 512), **parts)
    model.save_pretrained(folder)
    os.remove(f"{folder}/README.md")
    model = StaticModel.from_pretrained(folder)
    cut = model.max_length * model.median_token_length
    ids = [model.tokenize([text[:cut]])[0] for text in TEXTS]
    save(folder, ids, model.encode(TEXTS).astype(np.float32))
    return folder


def make():
    into_folder(sentence_transformer("static", 220, "xlmr"))
    sentence_transformer("static-normalized", 221, "electra", Normalize())
    model2vec("model2vec", 222, "potion", config={"normalize": True})
    numbers = np.random.default_rng(223)
    size = tokenizer("potion").get_vocab_size()
    model2vec("model2vec-quantized", 223, "potion", rows=20, config={"normalize": False, "max_length": 20},
              vectors=lambda values: np.clip(np.round(values * 40), -127, 127).astype(np.int8),
              weights=numbers.uniform(0.1, 2, size), token_mapping=numbers.integers(0, 20, size))
