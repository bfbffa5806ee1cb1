#!/usr/bin/env python3
"""Mixed valid, invalid, oversized, cancelled and slow requests for a while: every valid answer is right to the bit, nothing
hangs, memory stays flat.

    soak.py BOUQUET MODEL --seconds 600
"""
import argparse
import http.client
import json
import os
import random
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../integration"))
from server import Server  # noqa: E402

TEXTS = ["two kinds of traffic", "one engine", "Hokkaidō", "北京天安门", "a", "the quick brown fox " * 12, "😀 emoji", "x " * 400]
TIMEOUT = 30  # seconds; a request that takes longer hangs


class Tally:
    def __init__(self):
        self.lock = threading.Lock()
        self.counts, self.wrong = {}, []

    def add(self, kind, problem=None):
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            if problem:
                self.wrong.append(f"{kind}: {problem}")


def expect(tally, kind, allowed, status, reply):
    tally.add(kind, None if status in allowed else f"status {status}: {str(reply)[:200]}")


def valid(server, tally, rng, expected):
    chosen = [rng.randrange(len(TEXTS)) for _ in range(rng.choice((1, 1, 1, 2, 16, 64)))]
    status, _, reply = server.post("/v1/embeddings", {"input": [TEXTS[i] for i in chosen]}, timeout=TIMEOUT)
    if status == 429:
        return tally.add("refused under load")
    right = status == 200 and [d["embedding"] for d in reply["data"]] == [expected[i] for i in chosen]
    tally.add("valid", None if right else f"status {status}, wrong vector")


def invalid(server, tally, rng, _):
    body = rng.choice([b"{", b"[]", b'{"input":""}', b'{"input":[]}', b'{"input":[[99999999]]}', b'{"input":"a","dimensions":0}', b"\xff\xfe",
                       b'{"input":{"image":"x"}}', b'{"input":"a","model":"nobody"}'])
    status, _, reply = server.post("/v1/embeddings", body, timeout=TIMEOUT)
    expect(tally, "invalid", {400, 404}, status, reply)


def oversized(server, tally, rng, _):
    if rng.random() < 0.5:
        status, _, reply = server.post("/v1/embeddings", {"input": ["a"] * 5000}, timeout=TIMEOUT)
        return expect(tally, "too many inputs", {400, 413, 422}, status, reply)
    long_text(server, tally)


def long_text(server, tally):
    status, _, reply = server.post("/v1/embeddings", {"input": "word " * 200000}, timeout=TIMEOUT)
    expect(tally, "long text", {200, 429}, status, reply)


def full_batches(server, tally):
    status, _, reply = server.post("/v1/embeddings", {"input": [TEXTS[7]] * 16}, timeout=TIMEOUT)
    expect(tally, "full batches", {200, 429}, status, reply)


def cancelled(server, tally, rng, _):
    body = json.dumps({"input": [TEXTS[5]] * rng.choice((1, 100, 500))}).encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT) as s:
        s.sendall(b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        time.sleep(rng.random() * 0.02)
    tally.add("cancelled")


def slow(server, tally, rng, expected):
    body = json.dumps({"input": TEXTS[1]}).encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT) as s:
        s.sendall(b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body))
        for i in range(len(body)):
            s.sendall(body[i:i + 1])
            time.sleep(0.01)
        response = http.client.HTTPResponse(s)
        response.begin()
        reply = json.loads(response.read())
    right = response.status == 429 or (response.status == 200 and reply["data"][0]["embedding"] == expected[1])
    tally.add("slow", None if right else f"status {response.status}")


def client(server, tally, expected, seed, end, together):
    rng = random.Random(seed)
    for work in (long_text, full_batches):  # the largest there is, on every thread at once: memory grows to its working size
        together.wait()
        work(server, tally)
    kinds = [valid] * 12 + [invalid] * 4 + [oversized, cancelled, slow]
    while time.time() < end and not tally.wrong:
        kind = rng.choice(kinds)
        try:
            kind(server, tally, rng, expected)
        except Exception as error:  # noqa: BLE001  a broken connection or a hang is what this looks for
            tally.add(kind.__name__, repr(error))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("model")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--clients", type=int, default=8)
    args = parser.parse_args()
    tally = Tally()
    with Server(args.binary, args.model, log_level="off") as server:
        expected = [server.post("/v1/embeddings", {"input": t})[2]["data"][0]["embedding"] for t in TEXTS]
        end = time.time() + args.seconds
        together = threading.Barrier(args.clients, timeout=2 * TIMEOUT)
        threads = [threading.Thread(target=client, args=(server, tally, expected, seed, end, together)) for seed in range(args.clients)]
        [t.start() for t in threads]
        time.sleep(args.seconds / 2)  # buffers have grown to their working size by then
        warm = server.resident_kb()
        [t.join() for t in threads]
        final = server.resident_kb()
        ready = server.get("/ready")[0]
        status = server.stop()
    print(", ".join(f"{n} {kind}" for kind, n in sorted(tally.counts.items())))
    growth = (final - warm) / warm * 100
    print(f"memory at half time {warm} kB, at the end {final} kB ({growth:+.1f} %); ready {ready}; exit status {status}")
    for line in tally.wrong[:5]:
        print("WRONG", line)
    allowed = 5 if args.seconds >= 300 else 8  # percent; a short run still grows into its buffers
    return bool(tally.wrong) or growth > allowed or ready != 200 or status != 0


if __name__ == "__main__":
    sys.exit(main())
