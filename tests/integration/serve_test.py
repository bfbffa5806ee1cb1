"""The whole server from outside: golden vectors through every dialect, batch invariance to the bit, edge cases of the
dialects, drain and reload.

    serve_test.py BOUQUET SOURCE_DIRECTORY
"""
import base64
import contextlib
import http.client
import json
import os
import re
import signal
import struct
import sys
import tempfile
import threading
import time
import unittest
import warnings

from server import Server

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
warnings.simplefilter("ignore", ResourceWarning)  # short-lived files are closed by the interpreter
MODELS = f"{SOURCE}/tests/golden/models"
REAL = os.environ.get("BOUQUET_TEST_MODEL", "")


def golden(model_or_file):
    folder = model_or_file if os.path.isdir(model_or_file) else os.path.dirname(model_or_file)
    stem = "golden" if os.path.isdir(model_or_file) else os.path.basename(model_or_file)
    texts = json.load(open(f"{folder}/{stem}.json"))["texts"]
    raw = open(f"{folder}/{stem}.safetensors", "rb").read()
    size = struct.unpack("<Q", raw[:8])[0]
    entry = json.loads(raw[8:8 + size])["rows"]
    begin, end = entry["data_offsets"]
    values = struct.unpack(f"<{(end - begin) // 4}f", raw[8 + size + begin:8 + size + end])
    width = entry["shape"][1]
    return texts, [values[i:i + width] for i in range(0, len(values), width)]


class Embeddings(unittest.TestCase):
    model, reference = f"{MODELS}/pool-mean", f"{MODELS}/pool-mean"

    @classmethod
    def setUpClass(cls):
        cls.server = Server(BOUQUET, cls.model, "--name", "tiny")
        cls.texts, cls.rows = golden(cls.reference)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def embed(self, value, **extra):
        status, _, reply = self.server.post("/v1/embeddings", {"input": value, **extra})
        self.assertEqual(status, 200, reply)
        return [d["embedding"] for d in reply["data"]]

    def test_golden_through_both_dialects(self):
        openai = self.embed(self.texts, normalize=True)
        status, _, tei = self.server.post("/embed", {"inputs": self.texts})
        self.assertEqual(status, 200)
        self.assertEqual(tei, openai)
        for got, want in zip(openai, self.rows):
            self.assertLess(max(abs(a - b) for a, b in zip(got, want)), 1.5e-5)

    def test_same_bits_alone_in_batches_and_at_once(self):
        together = self.embed(self.texts)
        for text, row in zip(self.texts, together):
            self.assertEqual(self.embed(text)[0], row)
        self.assertEqual(self.embed([self.texts[1]] * 16), [together[1]] * 16)
        for clients in (2, 4, 16):
            results = []
            threads = [threading.Thread(target=lambda: results.append(self.embed(self.texts[2])[0])) for _ in range(clients)]
            [t.start() for t in threads]
            [t.join() for t in threads]
            self.assertEqual(results, [together[2]] * clients)

    def test_base64_is_bit_equal(self):
        floats = self.embed(self.texts[0])[0]
        packed = base64.b64decode(self.embed(self.texts[0], encoding_format="base64")[0])
        self.assertEqual(struct.pack(f"<{len(floats)}f", *floats), packed)

    def test_empty_inputs_name_the_index(self):
        for value, place in (("", "input"), (["a", ""], "input[1]"), ([], "input"), ([[]], "input")):
            status, _, reply = self.server.post("/v1/embeddings", {"input": value})
            self.assertEqual(status, 400, value)
            self.assertIn(place, json.dumps(reply))
        self.assertEqual(len(self.embed(" ")), 1)

    def test_dimensions(self):
        full, cut = self.embed(self.texts[1])[0], self.embed(self.texts[1], dimensions=8)[0]
        norm = sum(x * x for x in full[:8]) ** 0.5
        self.assertEqual(len(cut), 8)
        self.assertLess(max(abs(a / norm - b) for a, b in zip(full, cut)), 1e-6)
        for bad in (0, -1, len(full) + 1, "8", 1.5):
            status, _, reply = self.server.post("/v1/embeddings", {"input": "a", "dimensions": bad})
            self.assertEqual(status, 400, bad)
            self.assertIn("dimensions", json.dumps(reply))

    def test_long_texts(self):
        text = "z " * 33668
        status, headers, reply = self.server.post("/v1/embeddings", {"input": text})
        self.assertEqual(status, 200)
        self.assertEqual({k.lower(): v for k, v in headers.items()}.get("x-bouquet-truncated"), "1")
        limit = reply["usage"]["prompt_tokens"]
        self.assertEqual(reply["data"][0]["embedding"], self.embed("z " * (limit - 2))[0])
        status, _, reply = self.server.post("/v1/embeddings", {"input": text, "truncate": False})
        self.assertIn(status, (400, 413))
        self.assertIn(str(limit), json.dumps(reply))

    def test_hostile_json(self):
        for body in (b"", b"{", b"[]", b'{"input": "\\ud800"}', b'{"input": "\xff"}', b'{"input": "a", "input": "b"}', b"\xef\xbb\xbf{}",
                     b'{"input": "a"} x', b'{"input": {"image": "x"}}', b'{"input": [1, "a"]}', b'{"input": [[99999999]]}', b'{"input": 1e999}'):
            status, _, reply = self.server.post("/v1/embeddings", body)
            self.assertIn(status, (200, 400), body)
        self.assertEqual(len(self.embed("nul \x00 and \ufeff")), 1)

    def test_lists_of_odd_lengths(self):
        for count in (33, 100, 270, 2048):
            self.assertEqual(len(self.embed(["a"] * count)), count)
        status, _, _ = self.server.post("/v1/embeddings", {"input": ["a"] * 2049})
        self.assertIn(status, (400, 413))

    def test_clients_that_leave_hurt_nobody(self):
        import socket
        for _ in range(20):
            s = socket.create_connection(("127.0.0.1", self.server.port))
            body = json.dumps({"input": ["a b c"] * 200}).encode()
            s.sendall(b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            s.close()
        self.assertEqual(len(self.embed("a")), 1)

    def test_model_routes(self):
        status, _, raw = self.server.get("/v1/models")
        self.assertEqual(status, 200)
        self.assertEqual(json.loads(raw)["data"][0]["id"], "tiny")
        self.assertEqual(self.server.get("/v1/models/tiny")[0], 200)
        self.assertEqual(self.server.get("/health")[0], 200)
        status, headers, _ = self.server.get("/v1/embeddings")
        self.assertEqual(status, 405)
        self.assertIn("POST", {k.lower(): v for k, v in headers.items()}["allow"])


@unittest.skipUnless(REAL, "BOUQUET_TEST_MODEL names no model directory")
class RealEmbeddings(Embeddings):
    model, reference = REAL, f"{SOURCE}/tests/golden/minilm"

    def test_the_limit_is_256_and_may_be_raised(self):
        self.assertEqual(self.server.post("/v1/embeddings", {"input": "hello " * 600})[2]["usage"]["prompt_tokens"], 256)
        with Server(BOUQUET, REAL, "--max-length", "512") as server:
            self.assertEqual(server.post("/v1/embeddings", {"input": "hello " * 600})[2]["usage"]["prompt_tokens"], 512)

    def test_usage_and_ids(self):
        self.assertEqual(self.server.post("/v1/embeddings", {"input": "This is a test"})[2]["usage"]["prompt_tokens"], 6)
        hello = self.embed("hello")[0]
        self.assertEqual(self.embed([[101, 7592, 102]])[0], hello)
        self.assertEqual(self.embed([101, 7592, 102]), [hello])
        status, _, reply = self.server.post("/v1/embeddings", {"input": [[9906, 1917]]})
        self.assertEqual(status, 400)
        self.assertIn("check_embedding_ctx_length", json.dumps(reply))

    def test_unicode(self):
        self.assertEqual(self.embed("Hokkaidō"), self.embed("Hokkaido"))
        self.assertEqual(self.server.post("/v1/embeddings", {"input": "北京天安门"})[2]["usage"]["prompt_tokens"], 7)


class Rerank(unittest.TestCase):
    def test_scores_of_all_dialects(self):
        pairs, rows = golden(f"{MODELS}/reranker")
        with Server(BOUQUET, f"{MODELS}/reranker") as server:
            for (query, document), (logit,) in zip(pairs, rows):
                status, _, tei = server.post("/rerank", {"query": query, "texts": [document], "raw_scores": True})
                self.assertEqual(status, 200, tei)
                self.assertAlmostEqual(tei[0]["score"], logit, delta=2e-4 * max(1, abs(logit)))
                status, _, cohere = server.post("/v1/rerank", {"query": query, "documents": [document]})
                self.assertEqual(status, 200, cohere)
                self.assertAlmostEqual(cohere["results"][0]["relevance_score"], 1 / (1 + 2.718281828459045 ** -logit), delta=1e-4)
            reply = server.post("/v1/rerank", {"query": "one", "documents": ["x", "engine", "x"], "top_n": 10})[2]
            scores = [r["relevance_score"] for r in reply["results"]]
            self.assertEqual(scores, sorted(scores, reverse=True))
            same = [r["index"] for r in reply["results"] if r["index"] in (0, 2)]
            self.assertEqual(same, [0, 2])
            self.assertEqual(server.post("/v1/rerank", {"query": "a", "documents": []})[0], 400)
            self.assertIn(server.post("/v1/embeddings", {"input": "a"})[0], (400, 404))

    def test_predict(self):
        pairs, rows = golden(f"{MODELS}/classifier-3")
        with Server(BOUQUET, f"{MODELS}/classifier-3") as server:
            status, _, reply = server.post("/predict", {"inputs": pairs[0], "raw_scores": True})
            self.assertEqual(status, 200, reply)
            by_label = {p["label"]: p["score"] for p in reply}
            for i, logit in enumerate(rows[0]):
                self.assertAlmostEqual(by_label[f"label-{i}"], logit, delta=2e-4 * max(1, abs(logit)))


class Lifecycle(unittest.TestCase):
    def test_sigterm_finishes_what_is_in_flight(self):
        server = Server(BOUQUET, f"{MODELS}/pool-mean")
        results = []

        def client():
            results.append(server.post("/v1/embeddings", {"input": ["one engine " * 15] * 1500})[0])

        threads = [threading.Thread(target=client) for _ in range(4)]
        [t.start() for t in threads]
        def begun():  # a connection that is not yet accepted would not be in flight
            line = re.search(rb"^bouquet_jobs_in_flight (\d+)", server.get("/metrics")[2], re.M)
            return int(line[1]) + len(results)

        deadline = time.time() + 30
        while begun() < 4 and time.time() < deadline:
            time.sleep(0.005)
        self.assertEqual(server.stop(), 0, server.output())
        [t.join() for t in threads]
        self.assertEqual(results, [200] * 4)

    def test_sigterm_cuts_off_no_client_that_keeps_its_connection(self):
        server = Server(BOUQUET, f"{MODELS}/pool-mean")
        asked, failures = [0] * 4, []

        def client(me):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            try:
                while connection.sock or asked[me] == 0:  # http.client closes it when the server says so
                    connection.request("POST", "/v1/embeddings", json.dumps({"input": "one engine"}))
                    response = connection.getresponse()
                    response.read()
                    asked[me] += 1
                    if response.status != 200:
                        failures.append(response.status)
            except (OSError, http.client.HTTPException) as error:
                failures.append(repr(error))

        threads = [threading.Thread(target=client, args=[i]) for i in range(4)]
        [t.start() for t in threads]
        self.wait_for(lambda: min(asked) > 10)
        self.assertEqual(server.stop(), 0, server.output())
        [t.join() for t in threads]
        self.assertEqual(failures, [])

    @contextlib.contextmanager
    def serving_files(self):
        """A server with the key "old" and texts cut to 10 tokens; its two files, and what a text costs a key (or its status)."""
        with tempfile.TemporaryDirectory() as folder:
            keys, recipe = f"{folder}/keys", f"{folder}/recipe.toml"
            open(keys, "w").write("old\n")
            open(recipe, "w").write("max_length = 10\n")
            with Server(BOUQUET, f"{MODELS}/pool-mean", "--api-key-file", keys, "--recipe", recipe) as server:
                def tokens(key):
                    status, _, reply = server.post("/v1/embeddings", {"input": "a " * 30}, headers={"Authorization": f"Bearer {key}"})
                    return reply["usage"]["prompt_tokens"] if status == 200 else status

                self.assertEqual((tokens("old"), tokens("new")), (10, 401))
                yield server, keys, recipe, tokens

    def test_sighup_reloads_keys_and_recipe_all_or_nothing(self):
        with self.serving_files() as (server, keys, recipe, tokens):
            open(keys, "w").write("new\n")
            open(recipe, "w").write("max_length = 20\n")
            server.process.send_signal(signal.SIGHUP)
            self.wait_for(lambda: tokens("new") == 20)
            self.assertEqual(tokens("old"), 401)
            open(recipe, "w").write("max_lenght = 30\n")
            server.process.send_signal(signal.SIGHUP)
            self.wait_for(lambda: "max_lenght" in server.output())
            self.assertEqual(tokens("new"), 20)
            metrics = server.get("/metrics", headers={"x-api-key": "new"})[2].decode()
            for result in ("done", "refused"):
                self.assertRegex(metrics, rf'bouquet_reloads_total{{result="{result}"}} [1-9]')

    def test_changed_files_are_read_without_a_signal(self):
        with self.serving_files() as (server, keys, recipe, tokens):
            open(f"{recipe}.next", "w").write("max_length = 20\n")
            os.rename(f"{recipe}.next", recipe)
            self.wait_for(lambda: tokens("old") == 20)
            open(recipe, "w").write("\nmax_lenght = 30\n")
            open(keys, "w").write("new\n")
            self.wait_for(lambda: f"{recipe}:2: unknown key max_lenght" in server.output())
            self.assertEqual((tokens("old"), tokens("new")), (20, 401))
            open(recipe, "w").write("max_length = 5\n")
            self.wait_for(lambda: tokens("new") == 5)
            self.assertEqual(tokens("old"), 401)

    def wait_for(self, condition):
        deadline = time.time() + 10
        while not condition():
            self.assertLess(time.time(), deadline)
            time.sleep(0.05)

    def test_bad_settings_are_refused_by_name(self):
        import subprocess
        for flags, word in ((["--max-length", "100000"], "positions"), (["--recipe", "/nowhere"], "nowhere"), (["--dtype", "f8"], "dtype")):
            result = subprocess.run([BOUQUET, "serve", f"{MODELS}/pool-mean", "--port", "0", *flags], capture_output=True, text=True, timeout=30)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(word, result.stderr + result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
