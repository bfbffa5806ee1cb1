"""Makes the golden files: small random BERT checkpoints of every pooling, head and module, and what sentence-transformers
and transformers compute with them and with the real default model (f32, CPU).

    python3 -m venv venv && venv/bin/pip install -r tests/golden/requirements.txt
    venv/bin/python tests/golden/make_golden.py MINILM_DIRECTORY

Writes tests/golden/models/NAME (a model directory each, with golden.safetensors and golden.json inside) and
tests/golden/minilm.{safetensors,json}. Everything is seeded: the same versions give the same bytes.
"""
import json
import os
import shutil
import sys

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Dense, Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification, BertModel, PreTrainedTokenizerFast

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "models")

WORDS = ["two", "kinds", "of", "traffic", "one", "engine", "token", "##s", "##ing", "vector", ",", ".", "!", "?"]
LETTERS = [chr(c) for c in range(ord("a"), ord("z") + 1)]
VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + WORDS + LETTERS + ["##" + c for c in LETTERS]

TEXTS = [
    "a", "one engine", "two kinds of traffic, one engine", "tokens and tokenizing", "Vector!", "x y z",
    "the quick brown fox jumps over the lazy dog", "?", "Of traffic. Of engines. Of two kinds of tokens, one vector a text!",
    "z " * 70,
]
PAIRS = [("one engine", "two kinds of traffic"), ("a", "b"), ("vector", "tokens " * 40), ("Is it one?", "It is of two kinds."),
         ("the lazy dog " * 8, "fox")]


def tiny_tokenizer(folder, max_length):
    tok = Tokenizer(models.WordPiece({t: i for i, t in enumerate(VOCAB)}, unk_token="[UNK]", max_input_chars_per_word=100))
    tok.normalizer = normalizers.BertNormalizer(lowercase=True)
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tok.decoder = decoders.WordPiece()
    tok.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    fast = PreTrainedTokenizerFast(tokenizer_object=tok, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]",
                                   sep_token="[SEP]", mask_token="[MASK]", model_max_length=max_length,
                                   model_input_names=["input_ids", "token_type_ids", "attention_mask"])
    fast.save_pretrained(folder)
    return fast


def config(**changes):
    base = dict(vocab_size=len(VOCAB), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
                max_position_embeddings=64, hidden_act="gelu")
    return BertConfig(**{**base, **changes})


def randomize(model, seed):
    torch.manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.normal_(0, 0.25)
    return model.eval()


def rewrite_weights(folder, change):
    path = os.path.join(folder, "model.safetensors")
    save_file(change(load_file(path)), path, metadata={"format": "pt"})


def save_case(folder, tokenizer, encoded, rows, texts):
    """ids/lengths/types of every input, and the row the reference computes for it alone."""
    save_file({
        "ids": np.concatenate([np.array(e["input_ids"], np.int32) for e in encoded]),
        "types": np.concatenate([np.array(e["token_type_ids"], np.uint8) for e in encoded]),
        "lengths": np.array([len(e["input_ids"]) for e in encoded], np.int32),
        "rows": np.ascontiguousarray(np.stack(rows).astype(np.float32)),
    }, os.path.join(folder, "golden.safetensors"))
    json.dump({"texts": texts}, open(os.path.join(folder, "golden.json"), "w"), ensure_ascii=True)


def golden_embeddings(folder, texts):
    st = SentenceTransformer(folder, device="cpu")
    rows = [st.encode([t], batch_size=1)[0] for t in texts]
    limit = st.max_seq_length
    encoded = [st.tokenizer(t, truncation=True, max_length=limit, return_token_type_ids=True) for t in texts]
    save_case(folder, st.tokenizer, encoded, rows, texts)


def golden_logits(folder, tokenizer, model, pairs, limit):
    encoded, rows = [], []
    for a, b in pairs:
        e = tokenizer(a, b, truncation="longest_first", max_length=limit, return_token_type_ids=True)
        batch = {k: torch.tensor([v]) for k, v in e.items()}
        with torch.no_grad():
            rows.append(model(**batch).logits[0].numpy())
        encoded.append(e)
    save_case(folder, tokenizer, encoded, rows, [list(p) for p in pairs])


def fresh(name):
    folder = os.path.join(OUT, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def embedder(name, seed, modes, dense=(), normalize=False, **changes):
    """A sentence-transformers directory in today's schema."""
    source = fresh(name + ".source")
    c = config(**changes)
    randomize(BertModel(c), seed).save_pretrained(source)
    tiny_tokenizer(source, 48)
    transformer = Transformer(source)
    width = c.hidden_size
    modules = [transformer, Pooling(width, pooling_mode=modes)]
    width *= 1 if isinstance(modes, str) else len(modes)
    for out_features, activation in dense:
        layer = Dense(width, out_features, activation_function=activation)
        randomize(layer, seed + 1)
        modules.append(layer)
        width = out_features
    if normalize:
        modules.append(Normalize())
    folder = fresh(name)
    SentenceTransformer(modules=modules, device="cpu").save(folder, create_model_card=False)
    shutil.rmtree(source)
    return folder


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


def classifier(name, seed, labels):
    folder = fresh(name)
    c = config(num_labels=labels, id2label={i: f"label-{i}" for i in range(labels)},
               label2id={f"label-{i}": i for i in range(labels)})
    model = randomize(BertForSequenceClassification(c), seed)
    model.save_pretrained(folder)
    golden_logits(folder, tiny_tokenizer(folder, 64), model, PAIRS, 64)


def tiny_models():
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


REAL_TEXTS = [
    "hello", "two kinds of traffic", "one engine", "This is a test", "北京天安门", "Hokkaidō", "Café crème brûlée in São Paulo, naïve résumé",
    "Быстрая коричневая лиса перепрыгивает через ленивую собаку", "速い茶色の狐が怠け者の犬を飛び越える", "الثعلب البني السريع", "😀 👩‍👩‍👧 emoji",
    "importData" + " test" * 64, "trust", "Hello?", "Hello!", "def f(x):\n    return x + 1\n", " ",
] + [" ".join(["the quick brown fox jumps over the lazy dog"] * n) for n in (2, 5, 10, 14, 20, 28, 40, 80)]


def real_model(path):
    st = SentenceTransformer(path, device="cpu")
    st.max_seq_length = 256
    encoded = [st.tokenizer(t, truncation=True, max_length=256, return_token_type_ids=True) for t in REAL_TEXTS]
    rows = [st.encode([t], batch_size=1)[0] for t in REAL_TEXTS]
    save_case(HERE, st.tokenizer, encoded, rows, REAL_TEXTS)
    for suffix in ("safetensors", "json"):
        os.replace(f"{HERE}/golden.{suffix}", f"{HERE}/minilm.{suffix}")


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    tiny_models()
    if len(sys.argv) > 1:
        real_model(sys.argv[1])
