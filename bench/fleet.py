#!/usr/bin/env python3
"""What it costs to run gateway and inference server apart, and how evenly a fleet shares its work.

    bench/fleet.py BOUQUET MODEL [--rounds 7] [--requests 150] [--only hop spread gateway slow workloads]

"hop": the same request to one process (`serve`), to `ivy` and `tulip` over TCP, and over a unix socket, in turns; the
figure is the median over the rounds of the differences of their medians. "spread": 2,048 texts in one request over
four Tulips; the tokens that the busiest and the idlest ran. "gateway": Ivy on one processor, before a Tulip whose
kernels compute nothing. "slow": four such Tulips that take the time of a real model, and the same with one of them five
times slower. "workloads": those of `bouquet bench`, token ids straight to a Tulip (1 and 3) and texts through a gateway (4).
"""
import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/integration"))
from server import Ivy, Server, Tulip  # noqa: E402

HOP_GOAL_MS, SPREAD_GOAL, SLOW_GOAL = 0.3, 0.10, 1.5
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


def hop(binary, model, rounds, count, kernels, *flags):
    """Compares one process with two; the added p50 of a short query."""
    with tempfile.TemporaryDirectory() as folder:
        socket = f"unix:{folder}/tulip"
        # One compute thread each: on a small machine the gateway would else wait for a processor, which is not the hop.
        flags = ["--threads", "1", "--pin-threads", "off", *flags]
        with Server(binary, model, *flags) as serve, Tulip(binary, model, "--listen", socket, *flags) as tulip, \
                Ivy(binary, model, [tulip.address]) as over_tcp, Ivy(binary, model, [socket]) as over_unix:
            servers = {"serve": serve, "ivy, tulip (TCP)": over_tcp, "ivy, tulip (unix)": over_unix}
            short = compare(f"a short query, {kernels}", servers, json.dumps(SHORT), rounds, count)
            compare(f"256 vectors, 400 KB between them, {kernels}", servers, json.dumps(LARGE), rounds, max(5, count // 30))
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


def bench(binary, url, *flags, processor=None):
    """The row of one `bouquet bench --workload 6`."""
    with tempfile.NamedTemporaryFile("r") as out:
        command = pinned(processor) + [binary, "bench", "--url", url, "--workload", "6", "--json", out.name]
        subprocess.run(command + [str(flag) for flag in flags], check=True, stdout=subprocess.DEVNULL)
        return json.load(out)[0]


def pinned(processor):
    return [] if processor is None else ["taskset", "-c", str(processor)]


def null_flags(batch_us=0, token_us=0):
    return ["--kernels", "null", "--null-batch-us", str(batch_us), "--null-token-us", str(token_us), "--threads", "1",
            "--pin-threads", "off", "--max-length", "512"]


def empty_call(binary, model):
    """What the hop can't be below: a call to a Tulip that computes nothing, at once after another and after a rest."""
    with Tulip(binary, model, *null_flags()) as tulip:
        flags = ["--dialect", "tulip", "--own-requests"]
        at_once = bench(binary, tulip.address, *flags, 2000)
        rested = bench(binary, tulip.address, *flags, 500, "--own-rate", 150)
    print(f"\na call that computes nothing: {at_once['p50_ms']:.2f} ms, one after the other; {rested['p50_ms']:.2f} ms after "
          "a rest of some ms")


def gateway(binary, model):
    """Requests a second of a gateway with one processor; its Tulip and the clients have another."""
    print("\nIvy alone on one processor, before null kernels: p50 / p99 ms, requests a second, Ivy's processor ms a request")
    with Tulip(binary, model, *null_flags(), prefix=pinned(1)) as tulip, \
            Ivy(binary, model, [tulip.address], "--no-access-log", prefix=pinned(0)) as ivy:
        for inputs, tokens, clients, requests in ((1, 8, 1, 3000), (1, 8, 16, 10000), (1, 8, 64, 10000),
                                                  (100, 512, 1, 60), (100, 512, 4, 120)):
            before = ivy.processor_seconds()
            row = bench(binary, ivy.url, "--own-inputs", inputs, "--own-tokens", tokens, "--own-clients", clients,
                        "--own-requests", requests, processor=1)
            spent = (ivy.processor_seconds() - before) / (requests + 3)  # three warm up
            print(f"  {inputs:3} x {tokens:3} tokens, {clients:2} clients  {row['p50_ms']:8.2f} / {row['p99_ms']:8.2f}   "
                  f"{row['per_second'] / inputs:8.0f}   {spent * 1000:6.2f}")


def slow(binary, model):
    """p99 with one of four replicas five times slower, over that of four alike, at a load that three could bear."""
    p99 = {}
    print("\nfour replicas that take 22.8 ms for 128 tokens: p50 / p99 ms at 80 and 120 requests a second")
    for name, factors in (("all alike", (1, 1, 1, 1)), ("one five times slower", (1, 1, 1, 5))):
        tulips = [Tulip(binary, model, *null_flags(10000 * f, 100 * f)) for f in factors]
        try:
            with Ivy(binary, model, [t.address for t in tulips], "--no-access-log") as ivy:
                ivy.wait_until(lambda: ivy.metric("bouquet_replicas") == 4)
                flags = ["--own-tokens", 128, "--own-clients", 64, "--own-rate"]
                bench(binary, ivy.url, *flags, 80, "--own-requests", 800)  # newcomers' slow start is over then
                rows = [bench(binary, ivy.url, *flags, rate, "--own-requests", 30 * rate) for rate in (80, 120)]
        finally:
            for tulip in tulips:
                tulip.stop()
        p99[name] = rows[0]["p99_ms"]
        print(f"  {name:24}" + "".join(f" {row['p50_ms']:8.1f} / {row['p99_ms']:8.1f}" for row in rows))
    return p99["one five times slower"] / p99["all alike"]


def workloads(binary, model):
    """The standard workloads: token ids straight to a Tulip, then texts through a gateway."""
    with Tulip(binary, model, "--max-length", "512") as tulip, Ivy(binary, model, [tulip.address], "--no-access-log") as ivy:
        for flags in (["--dialect", "tulip", "--url", tulip.address, "--workload", "1", "3", "--throughput-batches", "8"],
                      ["--url", ivy.url, "--workload", "4", "--concurrency-requests", "20"]):
            sys.stdout.flush()
            subprocess.run([binary, "bench", *flags], check=True)


def target(name, value, goal):
    print(f"target {name} {value:.3f} (goal {goal}) {'ok' if value <= goal else 'short'}")


SECTIONS = ("hop", "spread", "gateway", "slow", "workloads")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("model")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=150)
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS)
    options = parser.parse_args()
    targets = []
    if "hop" in options.only:
        empty_call(options.binary, options.model)
        hop(options.binary, options.model, options.rounds, options.requests, "null kernels", "--kernels", "null")
        added = hop(options.binary, options.model, options.rounds, options.requests, "the model")
        targets.append(("fleet_hop_added_p50_ms", added, HOP_GOAL_MS))
    if "spread" in options.only:
        targets.append(("fleet_spread_of_2048_texts", spread(options.binary, options.model), SPREAD_GOAL))
    if "gateway" in options.only:
        gateway(options.binary, options.model)
    if "slow" in options.only:
        targets.append(("fleet_p99_with_one_slow", slow(options.binary, options.model), SLOW_GOAL))
    if "workloads" in options.only:
        workloads(options.binary, options.model)
    print()
    for one in targets:
        target(*one)


main()
