#!/usr/bin/env python3
"""Time from start to ready, and the first minute's latency, with lazy capture, pre-capture and no graphs.

    startup.py BUILD MODEL [SECONDS]

The first minute is an open loop: texts of random length and small lists at a fixed rate, so that many shapes are new;
latency counts from the moment a request was due.
"""
import os
import random
import statistics
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/integration"))
from server import Server  # noqa: E402

RATE = 12  # requests a second, about half of what two cores can do
SENDERS = 8


def first_minute(server, seconds):
    rng = random.Random(7)
    due = [i / RATE for i in range(int(seconds * RATE))]
    bodies = [{"input": [" ".join(["word"] * rng.randint(2, 60)) for _ in range(rng.choice((1, 1, 1, 1, 2, 4)))]} for _ in due]
    latencies, failures, lock, turn = [], [], threading.Lock(), iter(range(len(due)))
    start = time.perf_counter()

    def sender():
        while True:
            with lock:
                i = next(turn, None)
            if i is None:
                return
            time.sleep(max(0, start + due[i] - time.perf_counter()))
            try:
                status = server.post("/v1/embeddings", bodies[i])[0]
            except OSError as error:
                status = error
            if status == 200:
                latencies.append(time.perf_counter() - start - due[i])
            else:
                failures.append(status)
    threads = [threading.Thread(target=sender) for _ in range(SENDERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        sys.exit(f"{len(failures)} of {len(due)} requests failed, such as with {failures[0]}")
    return sorted(latencies)


def main():
    build, model = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 60
    for graphs in ("lazy", "precapture", "off"):
        ready = []
        for _ in range(5):
            start = time.perf_counter()
            with Server(f"{build}/bouquet", model, "--graphs", graphs, "--no-access-log", log_level="off"):
                ready.append(time.perf_counter() - start)
        with Server(f"{build}/bouquet", model, "--graphs", graphs, "--no-access-log", log_level="off") as server:
            times = first_minute(server, seconds)
        at = lambda q: times[int(q * (len(times) - 1))] * 1e3
        print(f"--graphs {graphs}: ready after {statistics.median(ready):.2f} s; first {seconds:.0f} s: "
              f"p50 {at(.5):.1f} ms, p99 {at(.99):.1f}, max {at(1):.1f}", flush=True)
        print(f"target ready_s_{graphs} {statistics.median(ready):.2f} (goal 2.00) {'ok' if statistics.median(ready) < 2 else 'short'}", flush=True)


if __name__ == "__main__":
    main()
