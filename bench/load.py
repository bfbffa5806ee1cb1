#!/usr/bin/env python3
"""How long a large checkpoint takes to its first answer, and the memory it takes: one of BGE-M3's sizes (2.3 GB in f32) with
random weights, read from a cold page cache.

    bench/load.py BUILD SCRATCH_FOLDER [--layers N]
"""
import argparse
import array
import json
import math
import os
import random
import struct
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/integration"))
from server import HttpServer, free_port  # noqa: E402

HIDDEN, INNER, HEADS, WORDS, PLACES = 1024, 4096, 16, 250_002, 8194
TOKENIZER = os.path.join(HERE, "../tests/golden/models/xlm-roberta/tokenizer.json")  # small, of the same kind
GOAL = 1.1


def shapes(layers):
    yield "embeddings.word_embeddings.weight", (WORDS, HIDDEN)
    yield "embeddings.position_embeddings.weight", (PLACES, HIDDEN)
    yield "embeddings.token_type_embeddings.weight", (1, HIDDEN)
    linear = {"attention.self.query": (HIDDEN, HIDDEN), "attention.self.key": (HIDDEN, HIDDEN), "attention.self.value": (HIDDEN, HIDDEN),
              "attention.output.dense": (HIDDEN, HIDDEN), "intermediate.dense": (INNER, HIDDEN), "output.dense": (HIDDEN, INNER)}
    for name in ["embeddings.LayerNorm"] + [f"encoder.layer.{i}.{n}.LayerNorm" for i in range(layers) for n in ("attention.output", "output")]:
        yield name + ".weight", (HIDDEN,)
        yield name + ".bias", (HIDDEN,)
    for i in range(layers):
        for name, shape in linear.items():
            yield f"encoder.layer.{i}.{name}.weight", shape
            yield f"encoder.layer.{i}.{name}.bias", shape[:1]


def write_checkpoint(folder, layers):
    """Normal values of 0.02, a million of them over and over."""
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/config.json", "w") as file:
        json.dump({"architectures": ["XLMRobertaModel"], "model_type": "xlm-roberta", "hidden_size": HIDDEN, "intermediate_size": INNER,
                   "num_attention_heads": HEADS, "num_hidden_layers": layers, "vocab_size": WORDS, "max_position_embeddings": PLACES,
                   "type_vocab_size": 1, "layer_norm_eps": 1e-5, "hidden_act": "gelu", "pad_token_id": 1}, file)
    with open(TOKENIZER) as source, open(f"{folder}/tokenizer.json", "w") as copy:
        copy.write(source.read())
    header, at = {}, 0
    for name, shape in shapes(layers):
        size = 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    generator = random.Random(1)
    block = array.array("f", (generator.gauss(0, 0.02) for _ in range(1 << 20))).tobytes()
    path = f"{folder}/model.safetensors"
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for left in range(at, 0, -len(block)):
            file.write(block[:left])
        file.flush()
        os.fsync(file.fileno())
    return path


def needed(layers, word_bytes):
    """Bytes of the weights as they are kept: vectors and places in f32, matrices and words as the dtype says."""
    small = ("position", "token_type")
    return sum(math.prod(shape) * (word_bytes if len(shape) == 2 and not any(s in name for s in small) else 4)
               for name, shape in shapes(layers))


def forget(path):
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def read_cold(path):
    forget(path)
    begin = time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        while file.readinto(bytearray(1 << 23)):
            pass
    return time.perf_counter() - begin


class Loading(HttpServer):
    """`bouquet serve`, watched before it is ready."""

    def __init__(self, binary, model, *flags):
        self.port = free_port()
        super().__init__([binary, "serve", model, "--port", str(self.port), "--no-tune", "--no-access-log", "--log-level", "off", *flags])


class Watch(threading.Thread):
    """The most memory of a process's own (RssAnon), and with mapped files (VmHWM), in bytes."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.own, self.all, self.done = pid, 0, 0, False

    def run(self):
        while not self.done:
            try:
                with open(f"/proc/{self.pid}/status") as status:
                    fields = dict(line.split(":", 1) for line in status)
            except OSError:
                return
            self.own = max(self.own, 1024 * int(fields["RssAnon"].split()[0]))
            self.all = max(self.all, 1024 * int(fields["VmHWM"].split()[0]))
            time.sleep(0.01)


def measure(build, folder, path, dtype):
    forget(path)
    begin = time.perf_counter()
    with Loading(f"{build}/bouquet", folder, "--dtype", dtype) as server:
        watch = Watch(server.process.pid)
        watch.start()
        server.wait_until(server.is_ready, 300)
        status = server.post("/v1/embeddings", {"input": "one engine"})[0]
        seconds = time.perf_counter() - begin
        watch.done = True
        watch.join()
    assert status == 200, status
    return seconds, watch.own, watch.all


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("--layers", type=int, default=24, help="fewer for a quick try")
    args = parser.parse_args()
    path = write_checkpoint(args.folder, args.layers)
    print(f"checkpoint: {os.path.getsize(path) / 1e9:.2f} GB")
    print("| dtype | weights as kept | most memory of its own | of that | with the mapped file | first answer | the file alone, cold |")
    print("|---|---|---|---|---|---|---|")
    worst = 0
    for dtype, size in (("f32", 4), ("bf16", 2)):
        cold = read_cold(path)
        seconds, own, everything = measure(args.build, args.folder, path, dtype)
        need = needed(args.layers, size)
        worst = max(worst, own / need)
        print(f"| {dtype} | {need / 1e9:.2f} GB | {own / 1e9:.2f} GB | {own / need:.2f} | {everything / 1e9:.2f} GB | {seconds:.1f} s | {cold:.1f} s |")
    print(f"target load_memory {worst:.2f} (goal {GOAL}) {'ok' if worst <= GOAL else 'short'}")
    os.remove(path)


if __name__ == "__main__":
    main()
