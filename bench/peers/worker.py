#!/usr/bin/env python3
"""A peer for compare.py: reads cases, then runs one a line of stdin and answers its seconds and a
check: the sum over its texts of (place + 1) / texts times the vector.

    worker.py onnxruntime MODEL.onnx CASES THREADS
    worker.py sentence-transformers MODEL CASES THREADS

Timed is what turns token ids into vectors; texts are sorted by length and padded in batches of 32, as these libraries do.
"""
import os
import sys
import time

import numpy as np

BATCH = 32


def read_cases(path):
    with open(path) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    return {name: [[int(i) for i in text.split()] for text in texts.split(";")] for name, texts in lines}


def padded(texts):
    longest = max(map(len, texts))
    ids = np.zeros((len(texts), longest), np.int64)
    mask = np.zeros_like(ids)
    for i, text in enumerate(texts):
        ids[i, :len(text)] = text
        mask[i, :len(text)] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


def batches(texts):
    """Padded batches, the longest texts first, and the place each text got."""
    order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
    return [padded([texts[i] for i in order[at:at + BATCH]]) for at in range(0, len(order), BATCH)], np.argsort(order)


def onnxruntime_runner(path, threads):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 3
    processors = sorted(os.sched_getaffinity(0))[:threads]
    if threads > 1:  # a processor for each thread, as ROSE has; the caller's own thread is one of them
        options.add_session_config_entry("session.intra_op_thread_affinities", ";".join(str(p + 1) for p in processors[1:]))
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    os.sched_setaffinity(0, {processors[0]})

    def run(batch):
        hidden, mask = session.run(None, batch)[0], batch["attention_mask"].astype(np.float32)[..., None]
        mean = (hidden * mask).sum(1) / mask.sum(1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)
    return run, lambda batch: batch


def sentence_transformers_runner(path, threads):
    import torch
    from sentence_transformers import SentenceTransformer
    torch.set_num_threads(threads)
    model = SentenceTransformer(path, device="cpu")

    def run(batch):
        with torch.inference_mode():
            return model(dict(batch))["sentence_embedding"].numpy()
    return run, lambda batch: {name: torch.from_numpy(value) for name, value in batch.items()}


def main():
    kind, model, cases, threads = sys.argv[1], sys.argv[2], read_cases(sys.argv[3]), int(sys.argv[4])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the libraries print is not an answer
    run, prepare = {"onnxruntime": onnxruntime_runner, "sentence-transformers": sentence_transformers_runner}[kind](model, threads)
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        parts, places = batches(cases[line.strip()])
        parts = [prepare(part) for part in parts]
        start = time.perf_counter()
        vectors = [run(part) for part in parts]
        seconds = time.perf_counter() - start
        weighted = np.concatenate(vectors)[places].astype(np.float64).T @ np.arange(1, len(places) + 1)
        print(f"{seconds:.9f}", *(f"{x:.7g}" for x in weighted / len(places)), file=answers, flush=True)


if __name__ == "__main__":
    main()
