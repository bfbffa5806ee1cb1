#!/usr/bin/env python3
"""Clients as nobody wants them: thousands that say nothing, some that read nothing, halves of requests, bodies without
end, and requests that two servers would read differently. The server answers with 4xx or hangs up, its memory stays
bounded, and whoever asks properly is served all the while.

    clients.py BOUQUET MODEL [--idle 10000]
"""
import argparse
import json
import os
import re
import resource
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../integration"))
from server import Server  # noqa: E402

SPARE_FILES = 200  # descriptors for all but the idle connections
FLAGS = ["--threads", "1", "--pin-threads", "off", "--no-access-log", "--header-timeout", "2", "--body-timeout", "2"]
BODY = b'{"input":"one engine"}'
GOOD = b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY
SECOND = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"  # what an attacker would want to have served as a request of its own


def head(*lines):
    return b"\r\n".join((b"POST /v1/embeddings HTTP/1.1", b"Host: x") + lines) + b"\r\n\r\n"


# Each is refused, and nothing behind it is taken for a request.
SMUGGLING = {
    "length and chunks": head(b"Content-Length: 5", b"Transfer-Encoding: chunked") + b"0\r\n\r\n",
    "chunks and length": head(b"Transfer-Encoding: chunked", b"Content-Length: 5") + b"0\r\n\r\n",
    "two lengths": head(b"Content-Length: 22", b"Content-Length: 0") + BODY,
    "a list of lengths": head(b"Content-Length: 22, 0") + BODY,
    "a signed length": head(b"Content-Length: +22") + BODY,
    "a negative length": head(b"Content-Length: -1") + BODY,
    "a length in hex": head(b"Content-Length: 0x16") + BODY,
    "a length past 64 bits": head(b"Content-Length: 18446744073709551638") + BODY,
    "an unknown coding": head(b"Transfer-Encoding: xchunked") + b"0\r\n\r\n",
    "chunked, then another": head(b"Transfer-Encoding: chunked, identity") + b"0\r\n\r\n",
    "a space before the colon": head(b"Content-Length : 22") + BODY,
    "a folded header": head(b"X: a\r\n b", b"Transfer-Encoding:\r\n chunked") + b"0\r\n\r\n",
    "a bare line feed in a name": head(b"X\nContent-Length: 22") + BODY,
    "a NUL in a value": head(b"X: a\0b", b"Content-Length: 22") + BODY,
    "a chunk size past 64 bits": head(b"Transfer-Encoding: chunked") + b"10000000000000001\r\nx\r\n0\r\n\r\n",
    "a chunk size that is none": head(b"Transfer-Encoding: chunked") + b"zz\r\nx\r\n0\r\n\r\n",
    "a chunk longer than it says": head(b"Transfer-Encoding: chunked") + b"1\r\nxyz\r\n0\r\n\r\n",
}


def connect(server, receive_buffer=None):
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(20)
    connection.connect(("127.0.0.1", server.port))
    return connection


def read_to_end(connection):
    """All that comes until the server hangs up."""
    got = b""
    try:
        while piece := connection.recv(65536):
            got += piece
    except ConnectionResetError:
        pass
    return got


def statuses(reply):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", reply)]


class Checks:
    def __init__(self):
        self.failed = 0

    def check(self, holds, what):
        if not holds:
            self.failed += 1
            print("WRONG", what)

    def served(self, server, when):
        start = time.time()
        status = server.post("/v1/embeddings", {"input": "one engine"})[0]
        self.check(status == 200 and time.time() - start < 5, f"{when}: status {status} after {time.time() - start:.1f} s")


def idle(checks, server, wanted):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    count = min(wanted, hard - SPARE_FILES)
    before = server.resident_kb()
    connections = [connect(server) for _ in range(count)]
    checks.served(server, f"beside {count} idle connections")
    each = (server.resident_kb() - before) / count
    for connection in connections[:: max(1, count // 50)]:  # they are alive, not just in a queue
        connection.sendall(GOOD)
    for connection in connections[:: max(1, count // 50)]:
        checks.check(statuses(connection.recv(65536))[:1] == [200], "an idle connection was not served")
    for connection in connections:
        connection.close()
    print(f"{count} idle connections: {each:.1f} KB each")
    checks.check(each < 24, f"an idle connection takes {each:.1f} KB")
    if count < wanted:
        print(f"not {wanted}: the system allows {hard} descriptors")


def slow_readers(checks, server):
    """Twenty clients that ask for large replies, ten times, and take none of them."""
    body = json.dumps({"input": ["x"] * 2048}).encode()
    request = b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    before = server.resident_kb()
    connections = [connect(server, receive_buffer=4096) for _ in range(20)]
    for connection in connections:
        connection.setblocking(False)
        try:
            connection.send(request * 10)
        except BlockingIOError:
            pass
    checks.served(server, "beside slow readers")
    deadline = time.time() + 30
    while server.metric("bouquet_connections") > 1 and time.time() < deadline:  # the one that asks
        time.sleep(0.2)
    checks.check(time.time() < deadline, "the server still waits for clients that do not read")
    grown = server.resident_kb() - before
    print(f"20 slow readers: {grown / 1024:.0f} MB more afterwards")
    checks.check(grown < 200 * 1024, "memory after slow readers")
    for connection in connections:
        connection.close()


def halves(checks, server):
    """Requests that stop in the middle are told so, and hung up on."""
    for name, part in (("a header", GOOD[:30]), ("a body", GOOD[:-5]), ("a chunk", head(b"Transfer-Encoding: chunked") + b"10\r\nabc")):
        connection = connect(server)
        connection.sendall(part)
        start = time.time()
        reply = read_to_end(connection)
        checks.check(statuses(reply) in ([408], []) and time.time() - start < 10, f"half {name}: {reply[:80]}")
    print("halves of requests: ended")


def oversized(checks, server):
    for name, request in (("a declared body", head(b"Content-Length: 99999999999")),
                          ("a chunked body", head(b"Transfer-Encoding: chunked") + b"2000000\r\n" + b"x" * 100)):
        connection = connect(server)
        connection.sendall(request)
        reply = read_to_end(connection)
        checks.check(statuses(reply) == [413], f"{name} that is too large: {reply[:80]}")
    connection = connect(server)
    connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 70000)
    reply = read_to_end(connection)
    checks.check(statuses(reply) == [431], f"a header that is too large: {reply[:80]}")
    print("oversized: refused")


def smuggling(checks, server):
    for name, request in SMUGGLING.items():
        connection = connect(server)
        connection.sendall(request + SECOND)
        reply = read_to_end(connection)
        found = statuses(reply)
        checks.check(len(found) == 1 and 400 <= found[0] < 500 or found == [501], f"{name}: {found} {reply[:100]}")
    print(f"{len(SMUGGLING)} requests of two meanings: refused, and nothing behind them served")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("model")
    parser.add_argument("--idle", type=int, default=10000)
    args = parser.parse_args()
    checks = Checks()
    with Server(args.binary, args.model, *FLAGS, "--idle-timeout", "3", "--max-body-bytes", str(16 << 20),
                log_level="error") as server:
        checks.served(server, "first")
        for part in (smuggling, halves, oversized, slow_readers):
            part(checks, server)
            checks.served(server, f"after {part.__name__}")
    with Server(args.binary, args.model, *FLAGS, "--max-connections", str(args.idle + 100), log_level="error") as server:
        idle(checks, server, args.idle)
        checks.served(server, "at the end")
    return bool(checks.failed)


if __name__ == "__main__":
    sys.exit(main())
