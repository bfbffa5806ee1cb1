"""A local HTTP server that plays the hub, faults included: what it serves is one model directory."""
import hashlib
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "1234567890123456789012345678901234567890"


class FakeHub:
    """`faults` is a list of names, each used up by the first request it fits:
    cut (closes within a body), hash (sends other bytes), 401, 404, 429, 500, redirect (sends large files elsewhere)."""

    def __init__(self, directory, token=None):
        self.files = {}
        for root, _, names in os.walk(directory):
            for name in names:
                path = os.path.join(root, name)
                self.files[os.path.relpath(path, directory)] = open(path, "rb").read()
        self.token = token
        self.faults = []
        self.redirect_to = None
        self.requests = []  # (path, headers)
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def do_GET(self):
                hub.requests.append((self.path, dict(self.headers)))
                hub.answer(self)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def take(self, fault):
        if fault in self.faults:
            self.faults.remove(fault)
            return True
        return False

    def send(self, handler, status, body=b"", headers=()):
        handler.send_response(status)
        for name, value in headers:
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def listing(self):
        siblings = []
        for name, data in self.files.items():
            entry = {"rfilename": name, "size": len(data), "blobId": hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()}
            if name.endswith(".safetensors"):
                entry["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
            siblings.append(entry)
        return json.dumps({"sha": COMMIT, "siblings": siblings}).encode()

    def answer(self, handler):
        path = handler.path.split("?")[0]
        if self.token and handler.headers.get("Authorization") != f"Bearer {self.token}":
            return self.send(handler, 401)
        for status in (401, 404, 500):
            if self.take(str(status)):
                return self.send(handler, status)
        if self.take("429"):
            return self.send(handler, 429, headers=[("Retry-After", "1")])
        if path.startswith("/api/models/"):
            return self.send(handler, 200, self.listing())
        name = path.split(f"/resolve/{COMMIT}/", 1)[-1]
        data = self.files.get(name)
        if data is None:
            return self.send(handler, 404)
        if self.redirect_to and name.endswith(".safetensors"):
            return self.send(handler, 302, headers=[("Location", self.redirect_to + handler.path)])
        self.send_file(handler, data)

    def send_file(self, handler, data):
        if self.take("hash"):
            data = b"x" * len(data)
        start = 0
        if handler.headers.get("Range"):
            start = int(handler.headers["Range"].split("=")[1].split("-")[0])
            if start >= len(data):
                return self.send(handler, 416)
        if len(data) > 10000 and self.take("cut"):
            handler.send_response(206 if start else 200)
            handler.send_header("Content-Length", str(len(data) - start))
            handler.end_headers()
            handler.wfile.write(data[start:start + (len(data) - start) // 2])
            handler.wfile.flush()
            handler.close_connection = True
            handler.connection.close()
            return
        self.send(handler, 206 if start else 200, data[start:])
