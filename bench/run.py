#!/usr/bin/env python3
"""Measures what docs/benchmarks.md shows: the engine alone, what the server adds to it, and mixed load.

    bench/run.py BUILD MODEL > report.txt
"""
import os
import re
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/integration"))
from server import Server  # noqa: E402

BUILD, MODEL = sys.argv[1], sys.argv[2]


def run(*command):
    print("$", *[os.path.basename(str(c)) for c in command], flush=True)
    print(subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True).stdout, flush=True)


def histogram_mean(text, name):
    total = float(re.search(rf"^{name}_sum\S* (\S+)", text, re.M)[1])
    count = float(re.search(rf"^{name}_count\S* (\S+)", text, re.M)[1])
    return total, count


def overhead():
    """What gateway, tokenizer and scheduler add: p50 of a request less the mean time of its own batch, interleaved."""
    import http.client
    with Server(f"{BUILD}/bouquet", MODEL, "--no-access-log", log_level="off") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        for tokens in (16, 128, 256):
            body = '{"input":"' + "the " * (tokens - 2) + '"}'
            before = histogram_mean(server.get("/metrics")[2].decode(), "bouquet_tulip_compute_seconds")
            times = []
            for i in range(220):
                start = time.perf_counter()
                connection.request("POST", "/v1/embeddings", body)
                connection.getresponse().read()
                times.append(time.perf_counter() - start)
            after = histogram_mean(server.get("/metrics")[2].decode(), "bouquet_tulip_compute_seconds")
            batch = (after[0] - before[0]) / (after[1] - before[1])
            mean, p50 = statistics.mean(times), statistics.median(times)
            added = (mean - batch) * 1e3
            print(f"{tokens} tokens: request p50 {p50 * 1e3:.3f} ms, mean {mean * 1e3:.3f}; its batch mean {batch * 1e3:.3f}; added {added:.3f} ms")
            print(f"target added_ms_{tokens}_tokens {added:.3f} (goal 0.300) {'ok' if added < 0.3 else 'short'}", flush=True)


def mixed():
    for lanes in ("2", "1"):
        with Server(f"{BUILD}/bouquet", MODEL, "--no-access-log", "--lanes", lanes, log_level="off") as server:
            print(f"--lanes {lanes}")
            run(f"{BUILD}/bouquet", "bench", "--url", server.url, "--workload", "5", "--mixed-seconds", "10")


def main():
    run(f"{BUILD}/engine_bench", MODEL)
    overhead()
    mixed()


if __name__ == "__main__":
    main()
