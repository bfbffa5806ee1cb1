"""Directories of tiny checkpoints, for the families."""
import torch
from safetensors.torch import load_file, save_file

from golden_models import PAIRS, assemble, fresh, golden_logits, labels, read_json, scatter, write_json
from golden_tokenizers import save_tokenizer

LIMIT = 72  # tokens of a text


def source_of(name, seed, config, model, tokenizer, dtype=torch.float32, extra=(), names=None, **changes):
    """A model as transformers saves it. config takes the tokenizer and changes; extra and names are save_tokenizer()'s."""
    source = fresh(name + ".source")
    tok = save_tokenizer(source, tokenizer, LIMIT, extra, **(names or {}))
    scatter(model(config(tok, **changes)), seed).to(dtype).save_pretrained(source)
    return source


def embedder(name, seed, config, model, tokenizer, modes="lasttoken", normalize=True, options=None, **changes):
    """That with sentence-transformers' Pooling and Normalize; options are assemble()'s."""
    source = source_of(name, seed, config, model, tokenizer, **changes)
    return assemble(name, seed, source, modes, normalize=normalize, **(options or {}))


def classifier(name, seed, config, model, tokenizer, count, names=None, limit=LIMIT, **changes):
    """A model with so many classes, and its logits."""
    folder = fresh(name)
    tok = save_tokenizer(folder, tokenizer, limit, **(names or {}))
    m = scatter(model(config(tok, **labels(count), **changes)), seed)
    m.save_pretrained(folder)
    golden_logits(folder, tok, m, PAIRS, limit)
    return folder


def prefix_weights(folder, prefix="model."):
    path = f"{folder}/model.safetensors"
    save_file({prefix + k: v for k, v in load_file(path).items()}, path, metadata={"format": "pt"})


def old_rope_keys(folder):
    """config.json as transformers 4 wrote it: rope_theta and rope_scaling side by side, torch_dtype, no layer_types."""
    config = read_json(f"{folder}/config.json")
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    kind = rope.pop("rope_type")
    config["rope_scaling"] = None if kind == "default" else {"type": kind, **rope}
    config["torch_dtype"] = config.pop("dtype")
    config.pop("layer_types", None)
    write_json(f"{folder}/config.json", config)
