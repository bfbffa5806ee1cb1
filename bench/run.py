#!/usr/bin/env python3
"""Measures what docs/benchmarks.md shows.

    bench/run.py BUILD MODEL [engine|peers|overhead|mixed|startup|load ...] > report.txt
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/integration"))
from server import Server  # noqa: E402

BUILD, MODEL = sys.argv[1], sys.argv[2]


def run(*command):
    subprocess.run([str(c) for c in command], check=True)


def processor():
    with open("/proc/cpuinfo") as info:
        text = info.read()
    field = lambda name: re.search(rf"^{name}\s*: (.*)$", text, re.M)[1]
    flags = set(field("flags").split())
    level = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "portable"
    print(f"{field('model name')}, family {field('cpu family')} model {field('model')}, {len(os.sched_getaffinity(0))} processors, {level}")


def serve(*flags):
    return Server(f"{BUILD}/bouquet", MODEL, "--no-access-log", *flags, log_level="off")


def engine():
    run(f"{BUILD}/engine_bench", MODEL)


def peers():
    run(sys.executable, f"{HERE}/peers/compare.py", BUILD, MODEL)


def overhead():
    with serve() as server:
        run(f"{BUILD}/overhead_bench", MODEL, server.port)


def metric(server, name):
    return float(re.search(rf"^{name}(?:{{.*}})? (\S+)$", server.get("/metrics")[2].decode(), re.M)[1])


def tuned(server, cache):
    """Waits until the server has measured its own batch sizes, which it keeps in `cache`; the saturation point in tokens."""
    deadline = time.time() + 120
    while not glob.glob(f"{cache}/**/*.json", recursive=True):
        if time.time() > deadline:
            sys.exit("the server did not finish measuring its batch sizes")
        time.sleep(0.2)
    time.sleep(0.2)
    return metric(server, "bouquet_tulip_saturation_tokens")


BULK_TOKENS = 128  # of each bulk text of workload 5; a batch holds at least one of them whole


def mixed():
    report, cache = f"{BUILD}/mixed.json", os.path.abspath(f"{BUILD}/bench-cache")
    shutil.rmtree(cache, ignore_errors=True)  # what another build found out
    os.environ["BOUQUET_CACHE"] = cache
    for lanes in ("2", "1"):
        with serve("--tune", "--lanes", lanes) as server:
            budget = max(tuned(server, cache), BULK_TOKENS)
            run(f"{BUILD}/bouquet", "bench", "--url", server.url, "--workload", "5", "--mixed-seconds", "15", "--json", report)
        with open(report) as file:
            alone, beside, queries = json.load(file)
        tokens_per_second = beside["per_second"] * BULK_TOKENS + queries["per_second"] * 8
        batch_ms = budget / tokens_per_second * 1e3
        p99 = queries["p99_ms"]
        share = beside["per_second"] / alone["per_second"]
        print(f"--lanes {lanes}: at this run's tokens a second a batch of {budget:.0f} takes {batch_ms:.1f} ms; queries' p99 {p99:.1f} ms = {p99 / batch_ms:.2f} batches; "
              f"bulk keeps {share:.1%}")
        if lanes == "2":
            print(f"target mixed_p99_batches {p99 / batch_ms:.2f} (goal 3.00) {'ok' if p99 <= 3 * batch_ms else 'short'}")
            print(f"target mixed_bulk_share {share:.3f} (goal 0.800) {'ok' if share >= 0.8 else 'short'}", flush=True)


def fleet():
    run(sys.executable, f"{HERE}/fleet.py", f"{BUILD}/bouquet", MODEL)


def load():
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(MODEL))) as folder:
        run(sys.executable, f"{HERE}/load.py", BUILD, folder)


def startup():
    run(sys.executable, f"{HERE}/startup.py", BUILD, MODEL)


def main():
    sections = {"fleet": fleet, "engine": engine, "peers": peers, "overhead": overhead, "mixed": mixed, "startup": startup,
                "load": load}
    processor()
    for name in sys.argv[3:] or sections:
        print(f"\n== {name}", flush=True)
        sections[name]()


if __name__ == "__main__":
    main()
