"""ColBERT: a vector for every token, a query filled up with mask tokens, punctuation left out of documents."""
import os
import shutil
import string

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from sentence_transformers import MultiVectorEncoder
from sentence_transformers.base.modules import Dense, Normalize, Transformer
from sentence_transformers.multi_vector_encoder.modules import MultiVectorMask
from transformers import BertModel, ModernBertModel

from families.modernbert import config as modernbert
from families.sparse import bert
from golden_builders import source_of
from golden_models import LONG_TEXTS, edit_json, fresh, randomize, read_json, rewrite_weights, write_json

MARKS = {"query": "[unused0] ", "document": "[unused1] "}


def golden_tokens(folder, task):
    """ids and attended of every input with its mark and filling; kept says which of them have a vector in tokens."""
    model = MultiVectorEncoder(folder, device="cpu", model_kwargs={"dtype": torch.float32})
    encode = {"query": model.encode_query, "document": model.encode_document}[task]
    inputs, tokens = [], []
    for text in LONG_TEXTS:
        features = model.preprocess([text], prompt=model.prompts[task], task=task)
        inputs.append({name: features[name][0].numpy().copy() for name in ("input_ids", "attention_mask")})
        result = model(features, task=task)
        inputs[-1]["kept"] = result["attention_mask"][0].bool().numpy()
        tokens.append(encode([text])[0].numpy())
        assert np.allclose(result["token_embeddings"][0].numpy()[inputs[-1]["kept"]], tokens[-1])
    together = encode(LONG_TEXTS, batch_size=len(LONG_TEXTS))
    assert all(np.abs(one - other.numpy()).max() < 1e-5 for one, other in zip(tokens, together)), folder
    flat = lambda name, kind: np.concatenate([i[name] for i in inputs]).astype(kind)
    save_file({"ids": flat("input_ids", np.int32), "attended": flat("attention_mask", np.uint8), "kept": flat("kept", np.uint8),
               "lengths": np.array([len(i["input_ids"]) for i in inputs], np.int32),
               "counts": np.array([len(t) for t in tokens], np.int32), "tokens": np.concatenate(tokens)},
              f"{folder}/golden-tokens-{task}.safetensors")
    write_json(f"{folder}/golden-tokens-{task}.json", {"texts": LONG_TEXTS})


def golden_both(folder):
    for task in MARKS:
        golden_tokens(folder, task)


def colbert(name, seed, source, skiplist, width=16, prompts=MARKS, **lengths):
    """As sentence-transformers 6 saves one."""
    transformer = Transformer(source, **lengths)
    dense = Dense(transformer.config.hidden_size, width, bias=False, activation_function=torch.nn.Identity(),
                  module_input_name="token_embeddings")
    modules = [transformer, randomize(dense, seed + 1), MultiVectorMask(skiplist_words=skiplist),
               Normalize(module_input_name="token_embeddings")]
    folder = fresh(name)
    MultiVectorEncoder(modules=modules, device="cpu", prompts=prompts).save(folder, create_model_card=False)
    shutil.rmtree(source)
    return folder


def to_pylate(folder):
    """As PyLate 1 saved one: two modules, everything else in config_sentence_transformers.json, punctuation skipped unsaid."""
    modules = read_json(f"{folder}/modules.json")[:2]
    modules[0]["type"] = "sentence_transformers.models.Transformer"
    modules[1]["type"] = "pylate.models.Dense.Dense"
    write_json(f"{folder}/modules.json", modules)
    for file in os.listdir(folder):
        if file[:2] in ("2_", "3_"):
            shutil.rmtree(f"{folder}/{file}")
    edit_json(f"{folder}/config_sentence_transformers.json", model_type="ColBERT", prompts={}, similarity_fn_name="MaxSim",
              query_prefix=MARKS["query"], document_prefix=MARKS["document"], query_length=20, document_length=40,
              attend_to_expansion_tokens=False)
    write_json(f"{folder}/sentence_bert_config.json", {"max_seq_length": 39, "do_lower_case": False})
    dense = read_json(f"{folder}/1_Dense/config.json")
    write_json(f"{folder}/1_Dense/config.json", {k: v for k, v in dense.items() if not k.startswith("module_")})


def to_stanford(folder):
    """As colbert-ir/colbertv2.0: the projection beside the encoder's tensors, and artifact.metadata."""
    projection = load_file(f"{folder}/1_Dense/model.safetensors")["linear.weight"]
    rewrite_weights(folder, lambda weights: {**{"bert." + k: v for k, v in weights.items()}, "linear.weight": projection})
    edit_json(f"{folder}/config.json", architectures=["HF_ColBERT"])
    for file in os.listdir(folder):
        if os.path.isdir(f"{folder}/{file}"):
            shutil.rmtree(f"{folder}/{file}")
    for file in ("modules.json", "config_sentence_transformers.json", "sentence_bert_config.json"):
        os.remove(f"{folder}/{file}")
    write_json(f"{folder}/artifact.metadata", {"query_token_id": "[unused0]", "doc_token_id": "[unused1]", "query_maxlen": 24,
                                               "doc_maxlen": 48, "mask_punctuation": True, "attend_to_mask_tokens": False,
                                               "dim": 16, "similarity": "cosine"})


def make():
    expansion = {"strategy": "fixed", "attend": False, "length": 16}
    folder = colbert("colbert", 200, source_of("colbert", 200, bert, BertModel, "nomic_gte"), list(string.punctuation),
                     document_length=60, query_expansion=expansion)
    golden_both(folder)
    source = source_of("colbert-modernbert", 202, modernbert, ModernBertModel, "modernbert", num_hidden_layers=3)
    folder = colbert("colbert-modernbert", 202, source, None, 12, {"query": "query: ", "document": ""},
                     query_expansion={"strategy": "min", "attend": True, "length": 16})
    golden_both(folder)
    folder = colbert("colbert-pylate", 204, source_of("colbert-pylate", 204, bert, BertModel, "nomic_gte"), None)
    to_pylate(folder)
    golden_both(folder)
    folder = colbert("colbert-stanford", 206, source_of("colbert-stanford", 206, bert, BertModel, "nomic_gte"), None)
    to_stanford(folder)
    golden_both(folder)
