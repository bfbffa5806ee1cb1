"""SPLADE: the head of a masked language model, pooled over the tokens to a weight for every piece of the vocabulary."""
import shutil

import torch
from sentence_transformers import SparseEncoder
from sentence_transformers.base.modules import Transformer
from sentence_transformers.sparse_encoder.modules import SpladePooling
from transformers import BertConfig, BertForMaskedLM, DistilBertForMaskedLM

from families.bert_kin import distilbert
from golden_builders import LIMIT, source_of
from golden_models import LONG_TEXTS, check_close, check_tokens, fresh, read_json, save_case, write_json


def bert(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=36, num_hidden_layers=2, num_attention_heads=3,
                max_position_embeddings=LIMIT, pad_token_id=tokenizer.pad_token_id)
    return BertConfig(**{**base, **changes})


def golden_sparse(folder):
    """rows: one dense row of the vocabulary's size a text."""
    model = SparseEncoder(folder, device="cpu", model_kwargs={"dtype": torch.float32})
    rows = [model.encode([text], batch_size=1, convert_to_sparse_tensor=False)[0].numpy() for text in LONG_TEXTS]
    together = model.encode(LONG_TEXTS, batch_size=len(LONG_TEXTS), convert_to_sparse_tensor=False)
    check_close(rows, [row.numpy() for row in together], folder)
    limit = model.max_seq_length
    encoded = [model.tokenizer(text, truncation=True, max_length=limit, return_token_type_ids=True) for text in LONG_TEXTS]
    check_tokens(folder, LONG_TEXTS, encoded, limit)
    save_case(folder, encoded, rows, LONG_TEXTS)


def splade(name, seed, config, model, **pooling):
    source = source_of(name, seed, config, model, "electra")
    folder = fresh(name)
    modules = [Transformer(source, transformer_task="fill-mask"), SpladePooling(**pooling)]
    SparseEncoder(modules=modules, device="cpu").save(folder, create_model_card=False)
    shutil.rmtree(source)
    return folder


def old_types(folder):
    """modules.json as sentence-transformers 5.0 wrote it."""
    modules = read_json(f"{folder}/modules.json")
    for module, kind in zip(modules, ("MLMTransformer", "SpladePooling")):
        module["type"] = f"sentence_transformers.sparse_encoder.models.{kind}"
    write_json(f"{folder}/modules.json", modules)
    write_json(f"{folder}/sentence_bert_config.json", {"max_seq_length": LIMIT, "do_lower_case": False})
    pooling = read_json(f"{folder}/1_SpladePooling/config.json")
    pooling["word_embedding_dimension"] = pooling.pop("embedding_dimension")
    write_json(f"{folder}/1_SpladePooling/config.json", pooling)


def make():
    golden_sparse(splade("splade", 190, bert, BertForMaskedLM))
    folder = splade("splade-distilbert", 191, distilbert, DistilBertForMaskedLM, pooling_strategy="sum",
                    activation_function="log1p_relu")
    old_types(folder)
    golden_sparse(folder)
