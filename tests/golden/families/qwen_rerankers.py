"""Rerankers on Qwen: a head for classes, or the logits of two words of a language model after a chat template."""
import os

import numpy as np
import torch
from sentence_transformers import CrossEncoder
from sentence_transformers.base.modules import Transformer
from sentence_transformers.cross_encoder.modules import LogitScore
from transformers import Qwen2ForCausalLM, Qwen2ForSequenceClassification, Qwen3ForCausalLM, Qwen3ForSequenceClassification

from chat_templates import MXBAI_RERANK_V2, QWEN3_RERANKER
from families.qwen import qwen2, qwen3
from golden_builders import classifier, old_rope_keys
from golden_models import PAIRS, check_tokens, edit_json, fresh, save_case, scatter
from golden_tokenizers import save_tokenizer

LIMIT = 1000
EXTRA = ["\u010a", "yes", "no"]  # U+010A: a newline in a byte-level vocabulary


def padded(config):
    """A classifier reads the last token that isn't pad_token_id."""
    return lambda tokenizer, **changes: config(tokenizer, pad_token_id=tokenizer.pad_token_id, **changes)


def golden_scores(folder, words):
    """rows: the logit of the word for relevant after the last token less that of the other, as CrossEncoder scores."""
    reranker = CrossEncoder(folder, device="cpu", model_kwargs={"dtype": torch.float32})
    tokenizer, pairs = reranker.tokenizer, PAIRS[:3]
    prompts = [tokenizer.apply_chat_template([{"role": "query", "content": query}, {"role": "document", "content": document}],
                                             tokenize=False) for query, document in pairs]
    encoded = [tokenizer(prompt, return_token_type_ids=True) for prompt in prompts]
    check_tokens(folder, prompts, encoded, LIMIT)
    ids = tokenizer.convert_tokens_to_ids(list(words))
    logits = [reranker[0].model(torch.tensor([e["input_ids"]])).logits[0, -1, ids].numpy() for e in encoded]
    rows = [np.array([yes - no]) for yes, no in logits]
    scores = reranker.predict(pairs, activation_fn=torch.nn.Identity())
    assert np.abs(scores - np.concatenate(rows)).max() < 1e-4, folder
    save_case(folder, encoded, rows, [list(p) for p in pairs])
    edit_json(f"{folder}/golden.json", prompts=prompts, token_ids=ids)


def reranker(name, seed, config, model, prompt, words, **changes):
    """With sentence-transformers' modules: Transformer, LogitScore."""
    source = fresh(name + ".source")
    tok = save_tokenizer(source, "qwen3", LIMIT, EXTRA, chat_template=prompt)
    scatter(model(config(tok, max_position_embeddings=1024, **changes)), seed).save_pretrained(source)
    transformer = Transformer(source, transformer_task="text-generation")
    folder = fresh(name)
    modules = [transformer, LogitScore(*transformer.tokenizer.convert_tokens_to_ids(list(words)))]
    CrossEncoder(modules=modules, device="cpu").save(folder, create_model_card=False)
    for file in os.listdir(source):
        os.remove(f"{source}/{file}")
    os.rmdir(source)
    golden_scores(folder, words)
    return folder


def without_modules(folder):
    """As the model's authors ship it: nothing of sentence-transformers, and a server has to know the prompt."""
    for file in ("modules.json", "1_LogitScore/config.json", "config_sentence_transformers.json", "sentence_bert_config.json",
                 "chat_template.jinja"):
        os.remove(f"{folder}/{file}")
    os.rmdir(f"{folder}/1_LogitScore")


def make():
    classifier("qwen3-classifier-1", 70, padded(qwen3), Qwen3ForSequenceClassification, "qwen3", 1, limit=LIMIT)
    classifier("qwen2-classifier-2", 71, padded(qwen2), Qwen2ForSequenceClassification, "qwen3_embedding", 2, limit=LIMIT)
    reranker("qwen3-reranker", 72, qwen3, Qwen3ForCausalLM, QWEN3_RERANKER, ("yes", "no"))
    folder = reranker("qwen3-reranker-plain", 73, qwen3, Qwen3ForCausalLM, QWEN3_RERANKER, ("yes", "no"), num_hidden_layers=1,
                      tie_word_embeddings=False)
    old_rope_keys(folder)
    without_modules(folder)
    reranker("qwen2-reranker", 74, qwen2, Qwen2ForCausalLM, MXBAI_RERANK_V2, ("1", "0"))
