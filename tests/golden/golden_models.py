"""What all families of golden files share: the texts, random weights, directories, and what a reference computes.

A family is a module of families/ with a function make(); see make_golden.py.
"""
import json
import os
import shutil

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Dense, Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from tokenizers import Tokenizer

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "models")

TEXTS = [
    "a", "one engine", "two kinds of traffic, one engine", "tokens and tokenizing", "Vector!", "x y z",
    "the quick brown fox jumps over the lazy dog", "?", "Of traffic. Of engines. Of two kinds of tokens, one vector a text!",
    "z " * 70,
]
PAIRS = [("one engine", "two kinds of traffic"), ("a", "b"), ("vector", "tokens " * 40), ("Is it one?", "It is of two kinds."),
         ("the lazy dog " * 8, "fox")]

# No two places of these look alike, so that a wrong window or position shows: "z z z" has one value everywhere.
LONG_TEXTS = TEXTS + [
    "one kind of text, two engines! the quick fox is of a token",
    "of two kinds of traffic the one is quick, the other vector is lazy; tokens of engines jump over one dog, a fox over two texts",
]


def fresh(name):
    folder = os.path.join(OUT, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=True, indent=2)
        file.write("\n")


def edit_json(path, **changes):
    write_json(path, {**read_json(path), **changes})


def rewrite_weights(folder, change):
    path = os.path.join(folder, "model.safetensors")
    save_file(change(load_file(path)), path, metadata={"format": "pt"})


def randomize(model, seed):
    torch.manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.normal_(0, 0.25)
    return model.eval()


def scatter(model, seed):
    """Random as randomize() makes them, but norms scale by about 1 (those of Gemma 3 add the 1 themselves)."""
    randomize(model, seed)
    with torch.no_grad():
        for module in model.modules():
            kind = type(module).__name__
            if "Norm" in kind and "Gemma3" not in kind and getattr(module, "weight", None) is not None:
                module.weight += 1
    return model


def save_case(folder, encoded, rows, texts, name="golden"):
    """ids/lengths/types of every input, and the row the reference computes for it alone."""
    save_file({
        "ids": np.concatenate([np.array(e["input_ids"], np.int32) for e in encoded]),
        "types": np.concatenate([np.array(e["token_type_ids"], np.uint8) for e in encoded]),
        "lengths": np.array([len(e["input_ids"]) for e in encoded], np.int32),
        "rows": np.ascontiguousarray(np.stack(rows).astype(np.float32)),
    }, os.path.join(folder, f"{name}.safetensors"))
    with open(os.path.join(folder, f"{name}.json"), "w") as file:
        json.dump({"texts": texts}, file, ensure_ascii=True)


def check_close(rows, others, what):
    """The reference agrees with itself, however it is asked."""
    for row, other in zip(rows, others):
        largest = max(1, np.abs(row).max())
        assert np.abs(row - other).max() < 1e-5 * largest, (what, np.abs(row - other).max(), largest)


def check_tokens(folder, inputs, encoded, limit):
    """tokenizer.json alone gives the reference's ids, where there is one."""
    if not os.path.exists(f"{folder}/tokenizer.json"):
        return
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.enable_truncation(limit)
    for text, e in zip(inputs, encoded):
        ids = tokenizer.encode(*([text] if isinstance(text, str) else text)).ids
        assert ids == list(e["input_ids"]), (folder, text, ids, e["input_ids"])


def golden_embeddings(folder, texts, prompt=None, name="golden"):
    st = SentenceTransformer(folder, device="cpu", model_kwargs={"dtype": torch.float32})
    rows = [st.encode([t], batch_size=1, prompt=prompt)[0] for t in texts]
    check_close(rows, st.encode(texts, batch_size=len(texts), prompt=prompt), folder)
    inputs = [(prompt or "") + t for t in texts]
    encoded = [st.tokenizer(t, truncation=True, max_length=st.max_seq_length, return_token_type_ids=True) for t in inputs]
    check_tokens(folder, inputs, encoded, st.max_seq_length)
    save_case(folder, encoded, rows, texts, name)


def golden_of(folder, tokenizer, texts, limit, row, name="golden"):
    """Of a reference that is no sentence-transformers pipeline: row(ids) is what it computes."""
    encoded = [tokenizer(t, truncation=True, max_length=limit, return_token_type_ids=True) for t in texts]
    check_tokens(folder, texts, encoded, limit)
    save_case(folder, encoded, [row(e["input_ids"]) for e in encoded], texts, name)


def golden_logits(folder, tokenizer, model, pairs, limit):
    encoded, rows = [], []
    for a, b in pairs:
        e = tokenizer(a, b, truncation="longest_first", max_length=limit, return_token_type_ids=True)
        batch = {k: torch.tensor([v]) for k, v in e.items() if k in tokenizer.model_input_names}
        with torch.no_grad():
            rows.append(model(**batch).logits[0].numpy())
        encoded.append(e)
    check_tokens(folder, pairs, encoded, limit)
    save_case(folder, encoded, rows, [list(p) for p in pairs])


def assemble(name, seed, source, modes, dense=(), normalize=False, dense_bias=True, width=None, **options):
    """A sentence-transformers directory in today's schema around the transformers directory source, which goes."""
    transformer = Transformer(source)
    width = width or transformer.config.hidden_size
    modules = [transformer, Pooling(width, pooling_mode=modes)]
    width *= 1 if isinstance(modes, str) else len(modes)
    for out_features, activation in dense:
        layer = Dense(width, out_features, bias=dense_bias, activation_function=activation)
        randomize(layer, seed + 1)
        modules.append(layer)
        width = out_features
    if normalize:
        modules.append(Normalize())
    folder = fresh(name)
    SentenceTransformer(modules=modules, device="cpu", **options).save(folder, create_model_card=False)
    shutil.rmtree(source)
    return folder


def old_pipeline(folder, width, mode, *more, limit):
    """What sentence-transformers 2 wrote around a model: Transformer, Pooling and more modules, by name."""
    kinds = "sentence_transformers.models."
    modules = [("", kinds + "Transformer"), ("1_Pooling", kinds + "Pooling")]
    modules += [(f"{i}_{name}", kinds + name) for i, name in enumerate(more, 2)]
    write_json(f"{folder}/modules.json", [{"idx": i, "name": str(i), "path": path, "type": kind}
                                          for i, (path, kind) in enumerate(modules)])
    write_json(f"{folder}/sentence_bert_config.json", {"max_seq_length": limit, "do_lower_case": False})
    os.makedirs(f"{folder}/1_Pooling")
    flags = {name: name == mode for name in ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens",
                                             "weightedmean_tokens", "lasttoken")}
    write_json(f"{folder}/1_Pooling/config.json", {"word_embedding_dimension": width, "include_prompt": True,
                                                   **{"pooling_mode_" + name: value for name, value in flags.items()}})


def unit(row):
    return row / np.linalg.norm(row)


def labels(count):
    """Of a config with so many classes."""
    return dict(num_labels=count, id2label={i: f"label-{i}" for i in range(count)},
                label2id={f"label-{i}": i for i in range(count)})
