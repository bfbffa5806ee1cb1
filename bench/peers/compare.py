#!/usr/bin/env python3
"""Times ROSE, ONNX Runtime and sentence-transformers over the same token ids, in interleaved rounds with equal threads.

    compare.py BUILD MODEL [ROUNDS]

Installs the peers into .venv-bench (pinned, several GB). Before any figure the vectors of all three are compared.
"""
import math
import os
import random
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from workers import Worker, write_cases  # noqa: E402

VENV = os.path.join(HERE, "../../.venv-bench")
LENGTHS = (16, 128, 256)


def install():
    with open(f"{HERE}/requirements.txt") as file:
        wanted = file.read()
    stamp = f"{VENV}/installed"
    if not os.path.exists(stamp) or open(stamp).read() != wanted:
        print("Installing the peers into .venv-bench (several GB)", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([f"{VENV}/bin/pip", "install", "-q", "--disable-pip-version-check", "-r", f"{HERE}/requirements.txt"], check=True)
        with open(stamp, "w") as file:
            file.write(wanted)
    return f"{VENV}/bin/python"


def make_cases():
    """One text of each length, and 256 of mixed length: most are short, as queries and passages are."""
    rng = random.Random(1)
    text = lambda tokens: [101] + [rng.randrange(2000, 29000) for _ in range(tokens - 2)] + [102]
    cases = {f"{tokens} tokens": [text(tokens)] for tokens in LENGTHS}
    cases["256 mixed texts"] = [text(round(8 * 32 ** rng.random())) for _ in range(256)]
    return cases


def turns(worker, case, count):
    """The median of a few runs in a row, after one that warms the caches. Peers' threads spin for a while: let them sleep first."""
    time.sleep(0.15)
    worker.run(case)
    return statistics.median(worker.run(case)[0] for _ in range(count))


def same_vectors(workers, case):
    ours = workers["rose f32"].run(case)[1]
    for name, worker in workers.items():
        theirs = worker.run(case)[1]
        cosine = sum(a * b for a, b in zip(ours, theirs)) / math.hypot(*ours) / math.hypot(*theirs)
        limit = 1e-3 if "bf16" in name else 1e-5
        if len(theirs) != len(ours) or not 1 - cosine <= limit:
            sys.exit(f"{name} computes other vectors on {case}: cosine {cosine}")


def compare(workers, case, rounds):
    same_vectors(workers, case)
    times = {name: [] for name in workers}
    for _ in range(rounds):
        for name, worker in workers.items():
            times[name].append(turns(worker, case, 1 if "mixed" in case else 5))
    medians = {name: statistics.median(values) for name, values in times.items()}
    print(f"{case}:", ", ".join(f"{name} {value * 1e3:.2f} ms" for name, value in medians.items()))
    for peer in ("onnxruntime", "sentence-transformers"):
        ratio = statistics.median(theirs / ours for theirs, ours in zip(times[peer], times["rose f32"]))
        print(f"target {peer}_over_rose_f32_{case.replace(' ', '_')} {ratio:.2f} (goal 1.00) {'ok' if ratio > 1 else 'short'}", flush=True)


def main():
    build, model = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    python, threads = install(), len(os.sched_getaffinity(0))
    os.makedirs(f"{build}/peers", exist_ok=True)
    onnx, cases = f"{build}/peers/{os.path.basename(os.path.normpath(model))}.onnx", f"{build}/peers/cases.txt"
    texts = make_cases()
    write_cases(cases, texts)
    if not os.path.exists(onnx):
        subprocess.run([python, f"{HERE}/make_onnx.py", model, onnx], check=True, stdout=subprocess.DEVNULL)
    worker = [python, f"{HERE}/worker.py"]
    os.environ.update(OMP_PROC_BIND="true", OMP_PLACES="threads")  # PyTorch's threads: a processor each, as ROSE's
    workers = {
        "rose f32": Worker(f"{build}/case_worker", model, cases, "f32", threads),
        "rose bf16": Worker(f"{build}/case_worker", model, cases, "bf16", threads),
        "onnxruntime": Worker(*worker, "onnxruntime", onnx, cases, threads),
        "sentence-transformers": Worker(*worker, "sentence-transformers", model, cases, threads),
    }
    for case in texts:
        compare(workers, case, rounds)


if __name__ == "__main__":
    main()
