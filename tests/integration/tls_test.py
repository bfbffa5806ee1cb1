"""Certificates between clients, gateway and inference server, and how they are replaced while all of them run.

    tls_test.py BOUQUET SOURCE_DIRECTORY
"""
import http.client
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

from server import Ivy, Tulip

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
MODEL = f"{SOURCE}/tests/golden/models/pool-mean"
SMALL = ["--threads", "1", "--pin-threads", "off", "--leave-time", "0"]


class SecureIvy(Ivy):
    """Speaks HTTPS; whose certificate it is, is looked at apart."""

    def request(self, method, path, body=None, headers=None, timeout=60):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=ssl._create_unverified_context())
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()


def shown_at(address):
    host, port = address.rsplit(":", 1)
    return ssl.get_server_certificate((host, int(port))).strip()


@unittest.skipUnless(shutil.which("openssl"), "there is no openssl to make certificates with")
class TlsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def make(self, name):
        """A new certificate and its key, self-signed, each put in the place of the old one at once; the certificate."""
        certificate, key = f"{self.folder}/{name}.pem", f"{self.folder}/{name}.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                        "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                        "-out", f"{certificate}.next", "-keyout", f"{key}.next"], check=True, capture_output=True)
        os.rename(f"{certificate}.next", certificate)
        os.rename(f"{key}.next", key)
        return open(certificate).read().strip()

    def wait_for(self, condition):
        deadline = time.time() + 20
        while not condition():
            self.assertLess(time.time(), deadline)
            time.sleep(0.05)

    def files(self, name, prefix):
        return [f"--{prefix}-cert", f"{self.folder}/{name}.pem", f"--{prefix}-key", f"{self.folder}/{name}.key"]

    def tulip(self, **kwargs):
        return Tulip(BOUQUET, MODEL, *SMALL, *self.files("tulip", "tls"), "--tls-client-ca", f"{self.folder}/gateway.pem",
                     log_level="info", **kwargs)

    def ivy(self, upstream):
        return SecureIvy(BOUQUET, MODEL, [upstream], *self.files("ivy", "tls"), *self.files("gateway", "upstream"),
                         "--upstream-ca", f"{self.folder}/tulip.pem", log_level="info")

    def embed(self, ivy):
        return ivy.post("/v1/embeddings", {"input": "one engine"})[0]

    def test_new_certificates_are_shown_without_a_restart(self):
        old = {name: self.make(name) for name in ("ivy", "tulip", "gateway")}
        with self.tulip() as tulip, self.ivy(tulip.address) as ivy:
            shown = lambda: (shown_at(f"127.0.0.1:{ivy.port}"), shown_at(tulip.address))
            self.assertEqual(shown(), (old["ivy"], old["tulip"]))
            new = {name: self.make(name) for name in old}
            self.wait_for(lambda: shown() == (new["ivy"], new["tulip"]))
            self.assertEqual(self.embed(ivy), 200)
            # A Tulip of the new certificates takes the place of the first: both sides must know the other's new one.
            self.assertEqual(tulip.stop(), 0)
            with self.tulip(address=tulip.address):
                self.wait_for(lambda: ivy.get("/ready")[0] == 200)
                self.assertEqual(self.embed(ivy), 200)

    def test_wrong_files_are_refused_and_the_old_ones_stay(self):
        old = {name: self.make(name) for name in ("ivy", "tulip", "gateway")}
        with self.tulip() as tulip, self.ivy(tulip.address) as ivy:
            for name, program in (("ivy", ivy), ("tulip", tulip), ("gateway", ivy)):
                right = open(f"{self.folder}/{name}.key").read()
                open(f"{self.folder}/{name}.key", "w").write("no key\n")
                program.send(signal.SIGHUP)
                self.wait_for(lambda: "reload refused" in program.output() and f"{name}.key" in program.output())
                open(f"{self.folder}/{name}.key", "w").write(right)
                program.send(signal.SIGHUP)
                self.wait_for(lambda: program.output().rfind("reloaded") > program.output().rfind("refused"))
            self.assertEqual((shown_at(f"127.0.0.1:{ivy.port}"), shown_at(tulip.address)), (old["ivy"], old["tulip"]))
            self.assertEqual(self.embed(ivy), 200)

    def test_what_does_not_fit_is_refused_at_the_start(self):
        for name in ("ivy", "gateway"):
            self.make(name)
        pem, ca = f"{self.folder}/gateway.pem", ["--upstream-ca", f"{self.folder}/ivy.pem"]
        for flags, word in (([*ca, "--upstream-cert", pem, "--upstream-key", f"{self.folder}/ivy.key"], "ivy.key is not the key of"),
                            (["--upstream-name", "tulip"], "needs TLS"),
                            (self.files("gateway", "upstream"), "needs TLS"),
                            (["--upstream-ca", f"{self.folder}/ivy.key"], "ivy.key holds no certificate")):
            result = subprocess.run([BOUQUET, "ivy", MODEL, "--upstream", "127.0.0.1:1", "--port", "0", *flags],
                                    capture_output=True, text=True, timeout=30)
            self.assertEqual(result.returncode, 1)
            self.assertIn(word, result.stderr)

    def test_a_tulip_without_files_has_nothing_to_reload(self):
        with Tulip(BOUQUET, MODEL, *SMALL, log_level="info") as tulip:
            tulip.send(signal.SIGHUP)
            self.wait_for(lambda: "there is no file to read again" in tulip.output())
            self.assertNotIn("reloaded", tulip.output())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
