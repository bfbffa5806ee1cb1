"""BGE-M3: XLM-RoBERTa with three outputs: dense, a weight a token, a vector a token. The heads are pickled state dicts."""
import numpy as np
import torch
from safetensors.numpy import save_file
from transformers import AutoTokenizer, XLMRobertaModel

from families.xlm_roberta import to_pickle, xlm_roberta
from golden_builders import LIMIT, embedder
from golden_models import LONG_TEXTS, golden_embeddings, randomize


def head(folder, name, seed, *shape):
    """A linear layer, saved as FlagEmbedding does."""
    layer = randomize(torch.nn.Linear(*shape), seed)
    torch.save(layer.state_dict(), f"{folder}/{name}.pt")
    return layer


def lexical(ids, weights, unused):
    """The greatest weight of every id, as FlagEmbedding has it: not of special tokens, and only above zero."""
    result = {}
    for token, weight in zip(ids, weights):
        if token not in unused and weight > result.get(token, 0):
            result[token] = weight
    return result


def golden_heads(folder, sparse, colbert):
    model, tok = XLMRobertaModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    unused = {tok.cls_token_id, tok.eos_token_id, tok.pad_token_id, tok.unk_token_id}
    encoded = [tok(text, truncation=True, max_length=LIMIT)["input_ids"] for text in LONG_TEXTS]
    states = [model(torch.tensor([ids])).last_hidden_state[0] for ids in encoded]
    weights = [torch.relu(sparse(state))[:, 0].numpy() for state in states]
    entries = [sorted(lexical(ids, w, unused).items()) for ids, w in zip(encoded, weights)]
    tokens = [torch.nn.functional.normalize(colbert(state[1:]), dim=1).numpy() for state in states]  # without <s>
    inputs = {"ids": np.concatenate(encoded).astype(np.int32), "lengths": np.array([len(ids) for ids in encoded], np.int32)}
    save_file({**inputs, "weights": np.concatenate(weights), "counts": np.array([len(e) for e in entries], np.int32),
               "indices": np.array([token for e in entries for token, _ in e], np.int32),
               "values": np.array([weight for e in entries for _, weight in e], np.float32)},
              f"{folder}/golden-sparse.safetensors")
    save_file({**inputs, "counts": inputs["lengths"] - 1, "tokens": np.concatenate(tokens)},
              f"{folder}/golden-colbert.safetensors")


def make():
    folder = embedder("bge-m3", 210, xlm_roberta, XLMRobertaModel, "xlmr", "cls")
    to_pickle(folder, torch.save)
    golden_embeddings(folder, LONG_TEXTS)
    golden_heads(folder, head(folder, "sparse_linear", 211, 24, 1), head(folder, "colbert_linear", 212, 24, 24))
