"""Starts a `bouquet serve` for a test and talks to it; standard library only."""
import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
import time


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    def __init__(self, binary, model, *flags, log_level="warn"):
        self.port = free_port()
        self.log = tempfile.TemporaryFile("w+")
        # --port and --no-tune stand first so that a test's own flags win where they repeat them
        command = [binary, "serve", model, "--port", str(self.port), "--log-level", log_level, "--no-tune", *flags]
        command += os.environ.get("BOUQUET_TEST_SERVE_FLAGS", "").split()
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, text=True)
        deadline = time.time() + 60
        while True:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended: {self.output()}")
            try:
                if self.get("/ready")[0] == 200:
                    return
            except OSError:
                pass
            if time.time() > deadline:
                self.stop()
                raise RuntimeError(f"the server is not ready: {self.output()}")
            time.sleep(0.02)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def output(self):
        self.log.seek(0)
        return self.log.read()

    def request(self, method, path, body=None, headers=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()

    def get(self, path, **kwargs):
        return self.request("GET", path, **kwargs)

    def post(self, path, value, **kwargs):
        """Status, headers and the parsed reply."""
        body = value if isinstance(value, (bytes, str)) else json.dumps(value)
        status, headers, raw = self.request("POST", path, body, **kwargs)
        return status, headers, json.loads(raw) if raw else None

    def resident_kb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def stop(self, sig=signal.SIGTERM, timeout=60):
        if self.process.poll() is None:
            self.process.send_signal(sig)
        return self.process.wait(timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
