#!/usr/bin/env python3
"""The same small weights in every form that torch.save gives them, and as safetensors: tests/golden/weights/.

    pip install -r tests/golden/requirements.txt; python tests/golden/make_weights.py
"""
import collections
import os

import torch
from safetensors.torch import save_file

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights")


def tensors():
    torch.manual_seed(1)
    words = torch.randn(5, 3)
    return collections.OrderedDict([
        ("words.weight", words),
        ("decoder.weight", words),  # tied: the same storage
        ("slice", torch.randn(4, 3)[1:3]),  # begins within its storage
        ("half", torch.randn(3, 2).half()),
        ("bfloat", torch.randn(2, 3).bfloat16()),
        ("double", torch.randn(2).double()),
        ("position_ids", torch.arange(4).expand((1, -1))),
        ("int", torch.tensor([1, -2, 2**31 - 1], dtype=torch.int32)),
        ("short", torch.tensor([-3, 4], dtype=torch.int16)),
        ("char", torch.tensor([-1, 2, 3], dtype=torch.int8)),
        ("byte", torch.tensor([0, 255], dtype=torch.uint8)),
        ("bool", torch.tensor([True, False, True])),
        ("scalar", torch.tensor(2.5)),
        ("empty", torch.empty(0, 3)),
        ("name with \u00e9", torch.ones(1)),
    ])


def as_module(state):
    """As Module.state_dict() gives it: with versions in an attribute."""
    state._metadata = collections.OrderedDict([("", {"version": 1}), ("words", {"version": 1, "assign": None})])
    return state


def as_parameters(state):
    kept = {}  # tied ones stay tied
    return {name: kept.setdefault(id(t), torch.nn.Parameter(t, requires_grad=t.is_floating_point())) for name, t in state.items()}


def not_row_by_row(state):
    """The same values with their elements in another order in the storage."""
    cube = torch.randn(2, 3, 4)
    state["words.weight"] = state["words.weight"].t().contiguous().t()
    state["half"] = state["half"].t().contiguous().t()
    state["slice"] = torch.stack([state["slice"], state["slice"]], dim=-1)[..., 1]
    state["double"] = state["double"].repeat_interleave(3)[::3]
    state["byte"] = state["byte"].repeat_interleave(2)[::2]
    state["cube"] = cube.permute(2, 0, 1)
    return state


def main():
    os.makedirs(OUT, exist_ok=True)
    save_file({name: t.clone().contiguous() for name, t in tensors().items()}, f"{OUT}/weights.safetensors")
    torch.save(as_module(tensors()), f"{OUT}/ordered.bin")
    torch.save(dict(tensors()), f"{OUT}/protocol4.bin", pickle_protocol=4)
    torch.save(as_parameters(tensors()), f"{OUT}/parameters.bin")
    torch.save(as_module(tensors()), f"{OUT}/stream.bin", _use_new_zipfile_serialization=False)
    torch.save(as_parameters(tensors()), f"{OUT}/stream4.bin", _use_new_zipfile_serialization=False, pickle_protocol=4)
    strided = not_row_by_row(tensors())
    torch.save(strided, f"{OUT}/strided.pt")
    save_file({name: t.clone().contiguous() for name, t in strided.items()}, f"{OUT}/strided.safetensors")


if __name__ == "__main__":
    main()
