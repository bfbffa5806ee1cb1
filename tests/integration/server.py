"""Starts Bouquet's programs for a test and talks to them; standard library only."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time

GIVEN = set()  # ports


def free_port():
    """None that was given before: who was stopped may want to listen at its old one again."""
    while True:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        if port not in GIVEN:
            GIVEN.add(port)
            return port


def subcommands(binary):
    text = subprocess.run([binary, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (\w+) ", text[text.index("Subcommands:"):].split("\n\n")[0], re.M)


class Program:
    """A process whose output is kept."""

    def __init__(self, command):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, text=True)

    def output(self):
        self.log.seek(0)
        return self.log.read()

    def wait_until(self, is_ready, seconds=60):
        deadline = time.time() + seconds
        while not is_ready():
            if self.process.poll() is not None:
                raise RuntimeError(f"the program ended: {self.output()}")
            if time.time() > deadline:
                self.stop(signal.SIGKILL)
                raise RuntimeError(f"the program is not ready: {self.output()}")
            time.sleep(0.02)

    def resident_kb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def send(self, sig):
        self.process.send_signal(sig)

    def stop(self, sig=signal.SIGTERM, timeout=60):
        if self.process.poll() is None:
            self.process.send_signal(sig)
        return self.process.wait(timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class HttpServer(Program):
    """A program that answers at self.port."""

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def is_ready(self):
        try:
            return self.get("/ready")[0] == 200
        except OSError:
            return False

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

    def metric(self, name):
        """The sum of a metric's series."""
        lines = self.get("/metrics")[2].decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if re.match(rf"{name}[ {{]", line))

    def post(self, path, value, **kwargs):
        """Status, headers and the parsed reply."""
        body = value if isinstance(value, (bytes, str)) else json.dumps(value)
        status, headers, raw = self.request("POST", path, body, **kwargs)
        return status, headers, json.loads(raw) if raw else None


class Server(HttpServer):
    """`bouquet serve`."""

    def __init__(self, binary, model, *flags, log_level="warn"):
        self.port = free_port()
        # --port and --no-tune stand first so that a test's own flags win where they repeat them
        command = [binary, "serve", model, "--port", str(self.port), "--log-level", log_level, "--no-tune", *flags]
        command += os.environ.get("BOUQUET_TEST_SERVE_FLAGS", "").split()
        super().__init__(command)
        self.wait_until(self.is_ready)


class Tulip(HttpServer):
    """`bouquet tulip`, at self.address once it listens; its metrics are at self.port."""

    def __init__(self, binary, model, *flags, address=None, log_level="warn", prefix=()):
        self.address, self.port = address or f"127.0.0.1:{free_port()}", free_port()
        super().__init__([*prefix, binary, "tulip", model, "--listen", self.address, "--metrics-listen", f"127.0.0.1:{self.port}",
                          "--log-level", log_level, "--no-tune", *flags])
        self.wait_until(self.is_ready)


class Ivy(HttpServer):
    """`bouquet ivy` in front of Tulips: of one model, or, without one, of those that the flags tell of."""

    def __init__(self, binary, model, upstreams, *flags, log_level="warn", prefix=()):
        self.port = free_port()
        command = [*prefix, binary, "ivy", *([model] if model else []), "--port", str(self.port), "--log-level", log_level, *flags]
        for upstream in upstreams:
            command += ["--upstream", upstream]
        super().__init__(command)
        self.wait_until(self.is_ready)
