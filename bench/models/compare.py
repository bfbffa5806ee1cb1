#!/usr/bin/env python3
"""Tokens a second of ROSE beside transformers, for architectures at their real sizes with random weights.

    compare.py BUILD SCRATCH_FOLDER [--rounds N] [--only NAME ...] [--tiny]

Ids in, vectors (or logits) out, as many threads for both; f32 beside f32, bf16 weights beside bfloat16. Both run in turns, ratios are
medians of the rounds' ratios. What they compute is compared first: a cosine below 0.999 (bfloat16: 0.99) ends the run.
"""
import argparse
import gc
import os
import random
import shutil
import statistics
import sys
import time

import numpy as np
import torch
from transformers import (BertConfig, BertForSequenceClassification, Gemma3TextConfig, Gemma3TextModel, ModernBertConfig, ModernBertModel,
                          Qwen3Config, Qwen3Model, XLMRobertaConfig, XLMRobertaModel)

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from workers import Worker, write_cases  # noqa: E402

THREADS = len(os.sched_getaffinity(0))
SHAPES = {"1x128": (1, 128), "1x512": (1, 512), "4x512": (4, 512)}  # texts, tokens
CLOSE = {"f32": 0.999, "bf16": 0.99}
NEAR, FAR = "sliding_attention", "full_attention"


def models(tiny):
    layers = lambda count: 2 if tiny else count
    words = lambda count: 1000 if tiny else count
    common = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)
    rope = lambda far, near: {FAR: {"rope_type": "default", "rope_theta": far}, NEAR: {"rope_type": "default", "rope_theta": near}}
    return {
        "BGE-M3": lambda: XLMRobertaModel(XLMRobertaConfig(
            vocab_size=words(250_002), hidden_size=1024, num_hidden_layers=layers(24), num_attention_heads=16, intermediate_size=4096,
            max_position_embeddings=8194, type_vocab_size=1, layer_norm_eps=1e-5, pad_token_id=1, bos_token_id=0, eos_token_id=2),
            add_pooling_layer=False),
        "Qwen3-Embedding-0.6B": lambda: Qwen3Model(Qwen3Config(
            vocab_size=words(151_936), hidden_size=1024, num_hidden_layers=layers(28), num_attention_heads=16, num_key_value_heads=8,
            head_dim=128, intermediate_size=3072, max_position_embeddings=32_768, use_cache=False, **common)),
        "ModernBERT-base": lambda: ModernBertModel(ModernBertConfig(
            vocab_size=words(50_368), num_hidden_layers=layers(22), **common, cls_token_id=1, sep_token_id=2)),
        "EmbeddingGemma-300m": lambda: Gemma3TextModel(Gemma3TextConfig(
            vocab_size=words(262_144), hidden_size=768, num_hidden_layers=layers(24), num_attention_heads=3, num_key_value_heads=1,
            head_dim=256, intermediate_size=1152, max_position_embeddings=2048, sliding_window=512, query_pre_attn_scalar=256,
            layer_types=[FAR if i % 6 == 5 else NEAR for i in range(layers(24))], rope_parameters=rope(1e6, 1e4),
            use_bidirectional_attention=True, use_cache=False, **common)),
        "MiniLM reranker": lambda: BertForSequenceClassification(BertConfig(
            vocab_size=words(30_522), hidden_size=384, num_hidden_layers=layers(6), num_attention_heads=12, intermediate_size=1536,
            num_labels=1, **common)),
    }


class Transformers:
    def __init__(self, model, cases, dtype):
        self.model = model.to({"f32": torch.float32, "bf16": torch.bfloat16}[dtype]).eval()
        self.cases = {name: torch.tensor(texts) for name, texts in cases.items()}

    def run(self, name):
        ids = self.cases[name]
        begin = time.perf_counter()
        with torch.inference_mode():
            out = self.model(ids)
            rows = out.logits if hasattr(out, "logits") else torch.nn.functional.normalize(out.last_hidden_state.float().mean(1))
        seconds = time.perf_counter() - begin
        rows = rows.float().numpy()
        weights = np.arange(1, len(rows) + 1) / len(rows)  # as the worker's check
        return seconds, weights @ rows


def rested(side, case):
    """Seconds of a run, after the other side's threads have stopped waiting for more with the processor in their hands."""
    time.sleep(0.1)
    return side.run(case)[0]


def agree(ours, theirs):
    """Cosine of the checks; of single logits, how near they are."""
    if len(ours) == 1:
        return 1 - abs(ours[0] - theirs[0])
    return float(ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs))


def compare(name, dtype, rose, torch_model, cases, rounds):
    ratios = []
    for case, texts in cases.items():
        check = agree(np.array(rose.run(case)[1]), torch_model.run(case)[1])
        if check < CLOSE[dtype]:
            raise SystemExit(f"{name} {dtype} {case}: they compute different things ({check:.5f})")
        pairs = [(rested(rose, case), rested(torch_model, case)) for _ in range(rounds)]
        ratio = statistics.median(theirs / ours for ours, theirs in pairs)
        tokens = sum(map(len, texts))
        ours, theirs = (tokens / statistics.median(side) for side in zip(*pairs))
        print(f"| {name} | {dtype} | {case} | {ours:,.0f} | {theirs:,.0f} | **{ratio:.2f}** | {check:.5f} |", flush=True)
        ratios.append(ratio)
    return ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--tiny", action="store_true", help="two layers and a thousand words, to try the script")
    args = parser.parse_args()
    torch.set_num_threads(THREADS)
    print("| model | weights | texts x tokens | ROSE tokens/s | transformers tokens/s | times | agree |\n|---|---|---|---|---|---|---|")
    worst = float("inf")
    for name, make in models(args.tiny).items():
        if args.only and name not in args.only:
            continue
        torch.manual_seed(1)
        model = make()
        folder = os.path.join(args.folder, "model")
        model.save_pretrained(folder)
        generator = random.Random(1)
        draw = lambda tokens: [generator.randrange(5, 1000) for _ in range(tokens)]
        cases = {case: [draw(tokens) for _ in range(texts)] for case, (texts, tokens) in SHAPES.items()}
        path = os.path.join(folder, "cases.txt")
        write_cases(path, cases)
        for dtype in ("f32", "bf16"):
            rose = Worker(f"{args.build}/case_worker", folder, path, dtype, THREADS)
            worst = min([worst, *compare(name, dtype, rose, Transformers(model, cases, dtype), cases, args.rounds)])
            rose.close()
        del model
        gc.collect()
        shutil.rmtree(folder)
    print(f"target models_vs_transformers {worst:.2f} (goal 1.00, in every row) {'ok' if worst > 1 else 'short'}")


if __name__ == "__main__":
    sys.exit(main())
