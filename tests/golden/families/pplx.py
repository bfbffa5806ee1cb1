"""pplx-embed: Qwen3 that attends both ways, the mean of it, not normalized; and chunks embedded within their document.

The remote code isn't run: it is transformers' Qwen3Model with a mask of padding alone.
"""
import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from transformers import Qwen3Model

from families.qwen import qwen3
from golden_builders import LIMIT
from golden_models import LONG_TEXTS, edit_json, fresh, golden_of, old_pipeline, read_json, scatter, write_json
from golden_tokenizers import save_tokenizer

SEPARATOR = "<|endoftext|>"
DOCUMENTS = [
    ["one engine"], ["two kinds of traffic", "one engine"], ["a", "b", "of tokens and of vectors"],
    ["the quick brown fox", "jumps over", "the lazy dog", "?"],
]
# It has neither a directory nor a configuration.
QUANTIZER = {"idx": 2, "name": "2", "path": "", "type": "st_quantize.FlexibleQuantizer", "kwargs": ["quantization"]}


def directory(folder, width):
    """What stands around the weights."""
    edit_json(f"{folder}/config.json", model_type="bidirectional_pplx_qwen3", architectures=["PPLXQwen3Model"],
              auto_map={"AutoConfig": "configuration.PPLXQwen3Config", "AutoModel": "modeling.PPLXQwen3Model"},
              use_bidirectional_attention=True)
    old_pipeline(folder, width, "mean_tokens", limit=LIMIT)
    write_json(f"{folder}/modules.json", read_json(f"{folder}/modules.json") + [QUANTIZER])
    write_json(f"{folder}/special_tokens_map.json", {"eos_token": "<|im_end|>", "pad_token": SEPARATOR, "sep_token": SEPARATOR})


def codes(rows):
    """int8 of the quantizer; torch.round goes to the even one of two."""
    return torch.clamp(torch.round(torch.tanh(torch.tensor(rows)) * 127), -128, 127).to(torch.int8).numpy()


def hidden(model, ids):
    return model(torch.tensor([ids])).last_hidden_state[0].numpy()


def golden_codes(folder):
    values = load_file(f"{folder}/golden.safetensors")
    save_file({**values, "codes": codes(values["rows"])}, f"{folder}/golden.safetensors")


def spans_of(document, ids, separator):
    """(document, begin, end) of every run between separators."""
    cuts = [-1, *(i for i, token in enumerate(ids) if token == separator), len(ids)]
    return [(document, a + 1, b) for a, b in zip(cuts, cuts[1:])]


def golden_context(folder, model, tokenizer):
    joined = [SEPARATOR.join(chunks) for chunks in DOCUMENTS]
    encoded = [tokenizer(text)["input_ids"] for text in joined]
    spans = [span for i, ids in enumerate(encoded) for span in spans_of(i, ids, tokenizer.sep_token_id)]
    states = [hidden(model, ids) for ids in encoded]
    rows = np.stack([states[i][begin:end].mean(0) for i, begin, end in spans])
    save_file({"ids": np.concatenate([np.array(ids, np.int32) for ids in encoded]),
               "lengths": np.array([len(ids) for ids in encoded], np.int32), "spans": np.array(spans, np.int32), "rows": rows,
               "codes": codes(rows)}, f"{folder}/golden-context.safetensors")
    write_json(f"{folder}/golden-context.json", {"documents": DOCUMENTS})


def make():
    folder = fresh("pplx-embed")
    tokenizer = save_tokenizer(folder, "qwen3", LIMIT, sep_token=SEPARATOR)
    model = scatter(Qwen3Model(qwen3(tokenizer, hidden_size=20, num_hidden_layers=3, intermediate_size=24)), 80)
    model.save_pretrained(folder)
    model.config.is_causal = False
    golden_of(folder, tokenizer, LONG_TEXTS, LIMIT, lambda ids: hidden(model, ids).mean(0))
    golden_codes(folder)
    golden_context(folder, model, tokenizer)
    directory(folder, model.config.hidden_size)
