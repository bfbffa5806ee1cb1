#!/usr/bin/env python3
"""A small GGUF file with a tensor of every type and metadata of every kind, and the values that the `gguf` package gives for its
tensors: tests/golden/weights/types.gguf and types.safetensors.

    pip install gguf==0.19.0 safetensors; python tests/golden/make_gguf.py

    python tests/golden/make_gguf.py FILE.gguf OUT.safetensors      the values of any file's tensors
"""
import os
import sys

import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import GGUFReader, GGUFValueType, GGUFWriter, quants
from safetensors.numpy import save_file

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights")
FLOATS = [Type.F32, Type.F16, Type.BF16]
QUANTISED = [Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q5_1, Type.Q8_0]
# The package reads these and does not write them; where their halves (scale, minimum) lie in a block.
READ_ONLY = {Type.Q2_K: (80, 82), Type.Q3_K: (108,), Type.Q4_K: (0, 2), Type.Q5_K: (0, 2), Type.Q6_K: (208,)}


def random_blocks(random, qtype, rows, halves):
    block_bytes = quants.GGML_QUANT_SIZES[qtype][1]
    blocks = random.integers(0, 256, (rows, block_bytes), dtype=np.uint8)
    for at in halves:
        blocks[:, at:at + 2] = random.normal(0, 0.01, (rows, 1)).astype(np.float16).view(np.uint8)
    return blocks


def write(path):
    random = np.random.default_rng(1)
    writer = GGUFWriter(path, "bert")
    writer.add_string("text", "caf\u00e9")
    for name, kind, value in [("u8", "UINT8", 255), ("i8", "INT8", -128), ("u16", "UINT16", 65535), ("i16", "INT16", -32768),
                              ("u32", "UINT32", 2**32 - 1), ("i32", "INT32", -2**31), ("u64", "UINT64", 2**64 - 1),
                              ("i64", "INT64", -2**63), ("f32", "FLOAT32", 1e-12), ("f64", "FLOAT64", 0.1), ("yes", "BOOL", True)]:
        writer.add_key_value(name, value, GGUFValueType[kind])
    for name, values in [("texts", ["[PAD]", "", "\u5317"]), ("integers", [1, -2, 3]), ("numbers", [0.5, -1.5]), ("flags", [True, False])]:
        writer.add_array(name, values)
    for qtype in FLOATS + QUANTISED:
        values = random.normal(0, 1, (2, 3) if qtype in FLOATS else (2, 64)).astype(np.float32)
        writer.add_tensor(qtype.name, quants.quantize(values, qtype), raw_dtype=qtype)
    for qtype, halves in READ_ONLY.items():
        writer.add_tensor(qtype.name, random_blocks(random, qtype, 2, halves), raw_dtype=qtype)
    writer.add_tensor("cube", random.normal(0, 1, (2, 3, 4)).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_values(path, out):
    reader = GGUFReader(path)
    save_file({t.name: np.ascontiguousarray(quants.dequantize(t.data, t.tensor_type).reshape(t.shape[::-1])) for t in reader.tensors}, out)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        write_values(*sys.argv[1:])
    else:
        os.makedirs(OUT, exist_ok=True)
        write(f"{OUT}/types.gguf")
        write_values(f"{OUT}/types.gguf", f"{OUT}/types.safetensors")
