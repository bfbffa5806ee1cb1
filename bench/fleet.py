#!/usr/bin/env python3
"""What it costs to run gateway and inference server apart, and how evenly a fleet shares its work.

    bench/fleet.py BOUQUET MODEL [--rounds 7] [--requests 150]

"hop": the same request to one process (`serve`), to `ivy` and `tulip` over TCP, and over a unix socket, in turns; the
figure is the median over the rounds of the differences of their medians. "spread": 2,048 texts in one request over
four Tulips; the tokens that the busiest and the idlest ran.
"""
import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/integration"))
from server import Ivy, Server, Tulip  # noqa: E402

HOP_GOAL_MS, SPREAD_GOAL = 0.3, 0.10
SHORT = {"input": "two kinds of traffic, one engine"}
# 256 vectors of 384 numbers: about 400 KB from Tulip to Ivy; base64, so that writing the reply is not what is timed.
LARGE = {"input": ["x"] * 256, "encoding_format": "base64"}


def timed(connection, body, count):
    """Milliseconds of each of `count` requests, one after the other."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        connection.request("POST", "/v1/embeddings", body)
        response = connection.getresponse()
        response.read()
        times.append((time.perf_counter() - start) * 1000)
        if response.status != 200:
            raise RuntimeError(f"status {response.status}")
    return times


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def compare(name, servers, body, rounds, count):
    """Prints p50 and p99 of each server; returns the added p50 of all but the first."""
    connections = {n: http.client.HTTPConnection("127.0.0.1", s.port, timeout=60) for n, s in servers.items()}
    times = {n: [] for n in servers}
    for connection in connections.values():
        timed(connection, body, 20)
    for round_ in range(rounds):
        names = list(servers)
        for n in names[round_ % len(names):] + names[:round_ % len(names)]:
            times[n].append(timed(connections[n], body, count))
    base = [statistics.median(t) for t in times["serve"]]
    print(f"\n{name}: ms, p50 / p99")
    added = {}
    for n, per_round in times.items():
        together = [t for one in per_round for t in one]
        added[n] = statistics.median(statistics.median(t) - b for t, b in zip(per_round, base))
        print(f"  {n:16} {percentile(together, 0.5):8.3f} / {percentile(together, 0.99):8.3f}   added {added[n]:+.3f}")
    return added


def hop(binary, model, rounds, count):
    with tempfile.TemporaryDirectory() as folder:
        socket = f"unix:{folder}/tulip"
        # One compute thread each: on a small machine the gateway would else wait for a processor, which is not the hop.
        flags = ["--threads", "1", "--pin-threads", "off"]
        with Server(binary, model, *flags) as serve, Tulip(binary, model, "--listen", socket, *flags) as tulip, \
                Ivy(binary, model, [tulip.address]) as over_tcp, Ivy(binary, model, [socket]) as over_unix:
            servers = {"serve": serve, "ivy, tulip (TCP)": over_tcp, "ivy, tulip (unix)": over_unix}
            short = compare("a short query", servers, json.dumps(SHORT), rounds, count)
            compare("256 vectors, 400 KB between them", servers, json.dumps(LARGE), rounds, max(5, count // 30))
    return max(short["ivy, tulip (TCP)"], short["ivy, tulip (unix)"])


def spread(binary, model):
    texts = [" ".join(["word"] * (1 + (i * 37) % 90)) for i in range(2048)]
    tulips = [Tulip(binary, model, "--threads", "1", "--pin-threads", "off") for _ in range(4)]
    try:
        with Ivy(binary, model, [t.address for t in tulips], "--request-timeout", "600") as ivy:
            for _ in range(100):
                if ivy.metric("bouquet_replicas") == 4:
                    break
                time.sleep(0.1)
            before = [t.metric("bouquet_tulip_tokens_total") for t in tulips]
            status, _, _ = ivy.post("/v1/embeddings", {"input": texts, "encoding_format": "base64"}, timeout=600)
            tokens = [t.metric("bouquet_tulip_tokens_total") - b for t, b in zip(tulips, before)]
    finally:
        for tulip in tulips:
            tulip.stop()
    print(f"\n2,048 texts over four Tulips: status {status}, tokens " + ", ".join(f"{t:.0f}" for t in tokens))
    return max(tokens) / min(tokens) - 1


def target(name, value, goal):
    print(f"target {name} {value:.3f} (goal {goal}) {'ok' if value <= goal else 'short'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("model")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=150)
    options = parser.parse_args()
    added = hop(options.binary, options.model, options.rounds, options.requests)
    uneven = spread(options.binary, options.model)
    print()
    target("fleet_hop_added_p50_ms", added, HOP_GOAL_MS)
    target("fleet_spread_of_2048_texts", uneven, SPREAD_GOAL)


main()
