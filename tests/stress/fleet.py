#!/usr/bin/env python3
"""A fleet under steady mixed load while its replicas are killed, stopped, filled, restarted and cut off: no request
fails while one replica is well, and every answer is that of a single process, to the bit.

    fleet.py BOUQUET MODEL [--rounds 2] [--clients 6]

Four `bouquet tulip` behind one `bouquet ivy`, and a `bouquet serve` of the same model beside them for the answers. All
of it in a network namespace of its own, where that and nftables are at hand: there packets to one replica can get lost.
At the end the gateway is killed: its clients see that, and the replica drops its work.
"""
import argparse
import fcntl
import http.client
import json
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../integration"))
from server import Ivy, Server, Tulip  # noqa: E402

WORDS = ["two", "kinds", "of", "traffic", "one", "engine", "river", "stone", "Hokkaidō", "北京", "😀", "x"]
TEXTS = [" ".join(WORDS[(i * 7 + k * k) % len(WORDS)] for k in range(1 + i % 9)) for i in range(64)]
LONGEST = 10  # seconds that a request may take, whatever happens
TULIP_FLAGS = ["--threads", "1", "--pin-threads", "off", "--leave-time", "0.3", "--max-queued-tokens", "4000"]


class Load:
    """Clients that ask without pause, and what came of it."""

    def __init__(self, ivy, expected, clients):
        self.ivy, self.expected = ivy, expected
        self.lock, self.answers, self.wrong, self.slowest = threading.Lock(), 0, [], 0.0
        self.ended = False
        self.threads = [threading.Thread(target=self.run, args=(seed,), daemon=True) for seed in range(clients)]
        for thread in self.threads:
            thread.start()

    def run(self, seed):
        rng = random.Random(seed)
        connection = http.client.HTTPConnection("127.0.0.1", self.ivy.port, timeout=60)
        while not self.ended:
            chosen = [rng.randrange(len(TEXTS)) for _ in range(rng.choice((1, 1, 1, 1, 4, 40)))]
            start = time.time()
            try:
                connection.request("POST", "/v1/embeddings", json.dumps({"input": [TEXTS[i] for i in chosen]}))
                response = connection.getresponse()
                reply = json.loads(response.read())
                right = response.status == 200 and [d["embedding"] for d in reply["data"]] == [self.expected[i] for i in chosen]
                problem = None if right else f"status {response.status}: {str(reply)[:150]}"
            except Exception as error:  # noqa: BLE001  a lost connection is a failed request
                problem = repr(error)
                connection.close()
            with self.lock:
                self.answers += 1
                self.slowest = max(self.slowest, time.time() - start)
                if problem:
                    self.wrong.append(problem)

    def take(self):
        """Answers, what was wrong and the slowest request since the last call."""
        with self.lock:
            taken = self.answers, self.wrong, self.slowest
            self.answers, self.wrong, self.slowest = 0, [], 0.0
        return taken

    def stop(self):
        self.ended = True
        for thread in self.threads:
            thread.join(60)


class Fleet:
    def __init__(self, binary, model, count):
        self.binary, self.model = binary, model
        self.tulips = [Tulip(binary, model, *TULIP_FLAGS) for _ in range(count)]

    def addresses(self):
        return [tulip.address for tulip in self.tulips]

    def start_again(self, i):
        self.tulips[i] = Tulip(self.binary, self.model, *TULIP_FLAGS, address=self.tulips[i].address)

    def kill(self, i):
        """Dies at once, and is back a second later."""
        self.tulips[i].stop(signal.SIGKILL)
        time.sleep(1)
        self.start_again(i)

    def freeze(self, i):
        """Neither answers nor hangs up, for five seconds."""
        self.tulips[i].send(signal.SIGSTOP)
        time.sleep(5)
        self.tulips[i].send(signal.SIGCONT)

    def stutter(self, i):
        """Runs a fifth of the time, for four seconds."""
        for _ in range(40):
            self.tulips[i].send(signal.SIGSTOP)
            time.sleep(0.08)
            self.tulips[i].send(signal.SIGCONT)
            time.sleep(0.02)

    def cut_off(self, i):
        """All packets to it and from it get lost, for five seconds."""
        port = self.tulips[i].address.rsplit(":", 1)[1]
        rules = "".join(f"add rule inet stress in tcp {end} {port} drop\n" for end in ("dport", "sport"))
        nft("add table inet stress\nadd chain inet stress in { type filter hook input priority 0; }\n" + rules)
        time.sleep(5)
        nft("delete table inet stress\n")

    def fill(self, i):
        """Somebody else's bulk fills its queue, for two seconds."""
        with Ivy(self.binary, self.model, [self.tulips[i].address], log_level="error") as other:
            threads = [threading.Thread(target=self.flood, args=(other, time.time() + 2)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    @staticmethod
    def flood(other, end):
        while time.time() < end:
            other.post("/v1/embeddings", {"input": TEXTS * 30})

    def restart(self, i):
        """Is told to end under load, and started anew."""
        if self.tulips[i].stop(signal.SIGTERM) != 0:
            raise RuntimeError(f"a Tulip did not end well: {self.tulips[i].output()}")
        self.start_again(i)

    def restart_all(self, _):
        """The same with each in turn."""
        for i in range(len(self.tulips)):
            self.restart(i)

    def stop(self):
        for tulip in self.tulips:
            tulip.send(signal.SIGCONT)
            tulip.stop()


def nft(commands):
    subprocess.run(["nft", "-f", "-"], input=commands, text=True, check=True)


def enter_namespace():
    """Starts this program again in a network of its own; why not, where that can't be."""
    if os.environ.get("BOUQUET_STRESS_NAMESPACE"):
        with socket.socket() as s:  # "lo" is down at first
            fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
        return None
    if not shutil.which("nft"):
        return "no nft here (package nftables)"
    unshare = ["unshare", "--net"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    probe = subprocess.run(unshare + ["nft", "list", "ruleset"], capture_output=True, text=True)
    if probe.returncode:
        return f"no network namespace to be had: {probe.stderr.strip()}"
    os.environ["BOUQUET_STRESS_NAMESPACE"] = "1"
    os.execvp("unshare", unshare + [sys.executable] + sys.argv)


def send_and_see(address, ended):
    """Sends a request; notes how the connection ended."""
    connection = http.client.HTTPConnection(*address, timeout=30)
    try:
        connection.request("POST", "/v1/embeddings", json.dumps({"input": TEXTS}))
        ended.append(f"status {connection.getresponse().status}")
    except (ConnectionError, http.client.HTTPException):
        ended.append("closed")
    except OSError as error:
        ended.append(repr(error))


def killed_gateway(binary, model):
    """An Ivy that dies with much under way: what is wrong about how clients and Tulip take it."""
    slow = ["--threads", "1", "--kernels", "null", "--null-batch-us", "200000", "--batch-sequences", "8"]
    with Tulip(binary, model, *slow) as tulip:
        ivy = Ivy(binary, model, [tulip.address], log_level="error")
        ended = []
        clients = [threading.Thread(target=send_and_see, args=(("127.0.0.1", ivy.port), ended)) for _ in range(8)]
        for client in clients:
            client.start()
        tulip.wait_until(lambda: tulip.metric("bouquet_tulip_queued_tokens") > 100, 10)
        queued = tulip.metric("bouquet_tulip_queued_tokens")
        ivy.stop(signal.SIGKILL)
        for client in clients:
            client.join()
        time.sleep(1)
        left, before = tulip.metric("bouquet_tulip_queued_tokens"), tulip.metric("bouquet_tulip_tokens_total")
        time.sleep(1)
        computed = tulip.metric("bouquet_tulip_tokens_total") - before
    print(f"killed gateway: {len(ended)} clients saw {set(ended)}; of {queued:g} tokens queued {left:g} were left a second "
          f"later, {computed:g} were computed in the next")
    return (ended != ["closed"] * 8) + (left != 0) + (computed != 0)


def expected_answers(binary, model):
    with Server(binary, model, "--threads", "1") as server:
        return [d["embedding"] for d in server.post("/v1/embeddings", {"input": TEXTS})[2]["data"]]


def left_behind(ivy, tulips):
    """Jobs in the gateway and tokens in the queues, once the last reply's traces are gone."""
    for _ in range(50):
        left = ivy.metric("bouquet_jobs_in_flight") + sum(tulip.metric("bouquet_tulip_queued_tokens") for tulip in tulips)
        if left == 0:
            break
        time.sleep(0.1)
    return left


def tell(name, taken):
    """Prints what came of an event; how much of it was wrong."""
    answers, wrong, slowest = taken
    print(f"{name:12} {answers:6} answers, {len(wrong)} wrong, the slowest {slowest:.2f} s", flush=True)
    for line in wrong[:3]:
        print("WRONG", line)
    return len(wrong) + (answers == 0) + (slowest > LONGEST)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("model")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--clients", type=int, default=6)
    args = parser.parse_args()
    not_cut_off = enter_namespace()
    failed = 0
    expected = expected_answers(args.binary, args.model)
    fleet = Fleet(args.binary, args.model, 4)
    events = [fleet.kill, fleet.freeze, fleet.stutter, fleet.fill, fleet.restart, fleet.restart_all]
    if not_cut_off:
        print(f"skipped: cut_off: {not_cut_off}")
    else:
        events.insert(2, fleet.cut_off)
    try:
        with Ivy(args.binary, args.model, fleet.addresses(), log_level="error") as ivy:
            load = Load(ivy, expected, args.clients)
            time.sleep(1)
            failed += tell("start", load.take())
            for round_ in range(args.rounds):
                for at, event in enumerate(events):
                    event((at + round_) % 4)
                    time.sleep(0.5)
                    failed += tell(event.__name__, load.take())
            load.stop()
            failed += len(load.take()[1])
            left = left_behind(ivy, fleet.tulips)
            print(f"left behind in jobs and queues: {left:g}")
            failed += left != 0
            if ivy.stop() != 0 or failed:
                print(ivy.output()[-2000:])
    finally:
        fleet.stop()
    failed += killed_gateway(args.binary, args.model)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
