"""Every dialect from outside, against the golden vectors: the same numbers whatever asks for them, however they are encoded.

    dialects_test.py BOUQUET SOURCE_DIRECTORY
"""
import base64
import json
import math
import struct
import sys
import unittest

from server import Server

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
MODELS = f"{SOURCE}/tests/golden/models"
TYPES = {"F32": "f", "I8": "b", "I32": "i"}


def tensor(file, name):
    """The rows of a two-dimensional tensor of a safetensors file."""
    with open(file, "rb") as f:
        raw = f.read()
    size = struct.unpack("<Q", raw[:8])[0]
    entry = json.loads(raw[8:8 + size])[name]
    begin, end = entry["data_offsets"]
    code = TYPES[entry["dtype"]]
    values = struct.unpack(f"<{(end - begin) // struct.calcsize(code)}{code}", raw[8 + size + begin:8 + size + end])
    width = entry["shape"][1]
    return [list(values[i:i + width]) for i in range(0, len(values), width)]


def texts_of(model):
    with open(f"{MODELS}/{model}/golden.json") as f:
        return json.load(f)["texts"]


def pack(row, is_set, most_first):
    bits = [is_set(x) for x in row] + [False] * (-len(row) % 8)
    order = range(7, -1, -1) if most_first else range(8)
    return [sum(bit << k for bit, k in zip(bits[i:i + 8], order)) for i in range(0, len(bits), 8)]


def int8(row):
    return [max(-128, min(127, round(127 * x))) for x in row]  # round() goes to the even one of two


class Case(unittest.TestCase):
    model, flags = "pool-mean", ("--name", "tiny")

    @classmethod
    def setUpClass(cls):
        cls.server = Server(BOUQUET, f"{MODELS}/{cls.model}", *cls.flags)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def post(self, path, body, status=200):
        got, _, reply = self.server.post(path, body)
        self.assertEqual(got, status, reply)
        return reply


class Embedder(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.texts = texts_of("pool-mean")[:4]
        reply = cls.server.post("/v1/embeddings", {"input": cls.texts})[2]
        cls.rows = [d["embedding"] for d in reply["data"]]

    def test_one_vector_through_all(self):
        text, row = self.texts[1], self.rows[1]
        one = [row]
        self.assertEqual(self.post("/v2/embed", {"texts": [text]})["embeddings"]["float"], one)
        self.assertEqual(self.post("/v1/embed", {"texts": [text]})["embeddings"], one)
        for path in ("/embed", "/", "/invocations"):
            self.assertEqual(self.post(path, {"inputs": text}), one, path)
        self.assertEqual(self.post("/vertex", {"instances": [{"inputs": text}, {"inputs": [text]}]}), {"predictions": [one, one]})
        self.assertEqual(self.post("/api/embed", {"model": "tiny:latest", "input": text})["embeddings"], one)
        self.assertEqual(self.post("/api/embeddings", {"model": "tiny", "prompt": text})["embedding"], row)
        self.assertEqual(self.post("/pooling", {"input": text})["data"][0]["data"], row)
        self.assertEqual(self.post("/vectors", {"text": text})["vector"], row)
        for path in ("/openai/deployments/tiny/embeddings?api-version=2024-10-21", "/invocations", "/embeddings"):
            self.assertEqual(self.post(path, {"input": [{"text": text}]})["data"][0]["embedding"], row, path)

    def test_encodings(self):
        types = ["float", "int8", "uint8", "binary", "ubinary", "base64"]
        reply = self.post("/v2/embed", {"texts": self.texts, "embedding_types": types})["embeddings"]
        self.assertEqual(list(reply), types)
        self.assertEqual(reply["float"], self.rows)
        for i, row in enumerate(self.rows):
            bits = pack(row, lambda x: x > 0, most_first=True)
            self.assertEqual(reply["int8"][i], int8(row))
            self.assertEqual(reply["uint8"][i], [x + 128 for x in int8(row)])
            self.assertEqual(reply["ubinary"][i], bits)
            self.assertEqual(reply["binary"][i], [x - 128 for x in bits])
            self.assertEqual(base64.b64decode(reply["base64"][i]), struct.pack(f"<{len(row)}f", *row))
        both = self.post("/v1/embeddings", {"input": self.texts, "embedding_type": ["float", "ubinary"]})["data"]
        self.assertEqual([d["embedding"]["ubinary"] for d in both], reply["ubinary"])
        self.assertEqual([d["embedding"]["float"] for d in both], self.rows)
        packed = self.post("/v1/embeddings", {"input": self.texts, "encoding_format": "base64_binary"})["data"]
        for d, row in zip(packed, self.rows):
            self.assertEqual(list(base64.b64decode(d["embedding"])), pack(row, lambda x: x > 0, most_first=False))

    def test_quantised_rows_do_not_depend_on_their_batch(self):
        together = self.post("/v2/embed", {"texts": self.texts, "embedding_types": ["int8"]})["embeddings"]["int8"]
        for text, row in zip(self.texts, together):
            self.assertEqual(self.post("/v2/embed", {"texts": [text], "embedding_types": ["int8"]})["embeddings"]["int8"], [row])

    def test_scores_are_cosines(self):
        reply = self.post("/score", {"text_1": self.texts[0], "text_2": self.texts})["data"]
        for d, row in zip(reply, self.rows):
            self.assertAlmostEqual(d["score"], sum(a * b for a, b in zip(self.rows[0], row)), delta=1e-6)

    def test_chunks_see_each_other(self):
        chunks = self.texts[1:4]
        late = [d["embedding"] for d in self.post("/v1/embeddings", {"input": chunks, "late_chunking": True})["data"]]
        context = self.post("/v1/contextualizedembeddings", {"input": [chunks, chunks[:1]], "encoding_format": "float"})["data"]
        self.assertEqual([d["embedding"] for d in context[0]["data"]], late)
        self.assertEqual([len(d["data"]) for d in context], [3, 1])
        self.assertNotEqual(late[0], context[1]["data"][0]["embedding"])

    def test_tokens_and_back(self):
        reply = self.post("/tokenize", {"prompt": self.texts[1], "return_token_strs": True})
        tei = self.post("/tokenize", {"inputs": self.texts[1]})[0]
        self.assertEqual(reply["tokens"], [t["id"] for t in tei])
        self.assertEqual(reply["count"], len(reply["token_strs"]))
        self.assertIn(self.texts[1].lower(), self.post("/detokenize", {"tokens": reply["tokens"]})["prompt"])

    def test_errors_name_field_and_index_in_their_own_form(self):
        texts = ["a", ""]
        cases = (
            ("/v1/embeddings", {"input": texts, "encoding_format": "base64_int8"}, lambda e: (e["error"]["param"], e["error"]["message"])),
            ("/openai/deployments/tiny/embeddings", {"input": texts}, lambda e: (e["error"]["param"], e["error"]["message"])),
            ("/v1/contextualizedembeddings", {"input": [["a"], texts]}, lambda e: (e["error"]["param"], e["error"]["message"])),
            ("/v2/embed", {"texts": texts}, lambda e: e["message"]),
            ("/embed", {"inputs": texts}, lambda e: e["error"]),
            ("/vertex", {"instances": [{"inputs": "a"}, {"inputs": texts}]}, lambda e: e["error"]),
            ("/pooling", {"input": texts}, lambda e: (e["error"]["param"], e["error"]["message"])),
            ("/score", {"text_1": "a", "text_2": texts}, lambda e: (e["error"]["param"], e["error"]["message"])),
            ("/api/embed", {"input": texts}, lambda e: e["error"]),
            ("/invocations", {"inputs": texts}, lambda e: e["error"]),
        )
        for path, body, read in cases:
            self.assertIn("[1] is empty", str(read(self.post(path, body, status=400))), path)
        self.assertEqual(self.post("/vectors", {"text": ""}, status=400), {"error": "text is empty"})
        self.assertIn("images", self.post("/v2/embed", {"images": ["data:"]}, status=400)["message"])
        self.assertIn("output_dimension", self.post("/v2/embed", {"texts": ["a"], "output_dimension": 0}, status=400)["message"])
        for path, body in (("/v2/embed", {"texts": ["a"]}), ("/api/embed", {"input": "a"}), ("/score", {"text_1": "a", "text_2": "b"})):
            self.post(path, {**body, "model": "nothing"}, status=404)

    def test_what_clients_ask_first(self):
        self.assertEqual(json.loads(self.server.get("/api/tags")[2])["models"][0]["name"], "tiny")
        self.assertIn("embedding", self.post("/api/show", {"model": "tiny"})["capabilities"])
        self.assertIn("version", json.loads(self.server.get("/api/version")[2]))
        self.assertEqual(json.loads(self.server.get("/meta")[2])["dimensions"], len(self.rows[0]))
        for path, status in (("/ping", 200), ("/.well-known/live", 204), ("/.well-known/ready", 204)):
            self.assertEqual(self.server.get(path)[::2], (status, b""), path)


class Quantised(Case):
    """A model that was trained to be quantised."""
    model, flags = "pplx-embed", ("--name", "pplx")

    def decoded(self, data, code="b"):
        raw = base64.b64decode(data)
        return list(struct.unpack(f"<{len(raw)}{code}", raw))

    def assert_codes(self, got, want):
        """A value on the border between two codes may come out as either."""
        differences = [abs(a - b) for g, w in zip(got, want) for a, b in zip(g, w)]
        self.assertEqual(len(got), len(want))
        self.assertLessEqual(max(differences), 1)
        self.assertLess(sum(differences), 0.01 * len(differences))

    def test_int8_and_bits(self):
        texts, file = texts_of("pplx-embed"), f"{MODELS}/pplx-embed/golden.safetensors"
        reply = self.post("/v1/embeddings", {"input": texts, "encoding_format": "base64_int8"})["data"]
        self.assert_codes([self.decoded(d["embedding"]) for d in reply], tensor(file, "codes"))
        bits = self.post("/v1/embeddings", {"input": texts, "encoding_format": "base64_binary", "dimensions": 16})["data"]
        self.assertEqual([self.decoded(d["embedding"], "B") for d in bits],
                         [pack(row[:16], lambda x: x >= 0, most_first=False) for row in tensor(file, "rows")])
        both = self.post("/v2/embed", {"texts": texts, "embedding_types": ["float", "int8"]})["embeddings"]
        self.assert_codes(both["int8"], tensor(file, "codes"))
        floats = self.post("/v1/embeddings", {"input": texts})["data"]
        self.assertEqual(both["float"], [d["embedding"] for d in floats])
        self.assertAlmostEqual(math.hypot(*both["float"][0]), 1, delta=1e-6)

    def test_contexts(self):
        with open(f"{MODELS}/pplx-embed/golden-context.json") as f:
            documents = json.load(f)["documents"]
        reply = self.post("/v1/contextualizedembeddings", {"input": documents, "model": "pplx"})
        self.assertEqual([len(d["data"]) for d in reply["data"]], [len(d) for d in documents])
        got = [self.decoded(e["embedding"]) for d in reply["data"] for e in d["data"]]
        self.assert_codes(got, tensor(f"{MODELS}/pplx-embed/golden-context.safetensors", "codes"))

    def test_limits(self):
        for extra, word in (({}, "20"), ({"dimensions": 12}, "12"), ({"dimensions": 24}, "24")):
            reply = self.post("/v1/embeddings", {"input": "a", "encoding_format": "base64_binary", **extra}, status=400)
            self.assertEqual(reply["error"]["param"], "dimensions")
            self.assertIn(word, reply["error"]["message"])


class Reranker(Case):
    model, flags = "reranker", ("--name", "ranks")

    def test_scores_agree(self):
        texts = ["x", "engine", "two kinds"]
        ranked = self.post("/v2/rerank", {"model": "ranks", "query": "one", "documents": texts})
        by_index = {r["index"]: r["relevance_score"] for r in ranked["results"]}
        self.assertEqual(ranked["meta"]["api_version"]["version"], "2")
        one_to_many = self.post("/score", {"text_1": "one", "text_2": texts})["data"]
        self.assertEqual({d["index"]: d["score"] for d in one_to_many}, by_index)
        each = self.post("/v1/score", {"queries": ["one"] * 3, "documents": texts})["data"]
        self.assertEqual({d["index"]: d["score"] for d in each}, by_index)
        raw = self.post("/score", {"text_1": "one", "text_2": texts, "use_activation": False})["data"]
        for d in raw:
            self.assertAlmostEqual(1 / (1 + math.exp(-d["score"])), by_index[d["index"]], delta=1e-9)
        tei = self.post("/", {"query": "one", "texts": texts})
        self.assertEqual({d["index"]: d["score"] for d in tei}, by_index)
        self.assertEqual(self.post("/v2/embed", {"texts": ["a"]}, status=400).keys(), {"message"})
        self.post("/v1/contextualizedembeddings", {"input": [["a"]]}, status=400)


class EveryReranker(unittest.TestCase):
    """From two texts to a score, through each kind's own way of putting them together, against the original's."""

    def check(self, model):
        server = Server(BOUQUET, f"{MODELS}/{model}")
        try:
            golden = tensor(f"{MODELS}/{model}/golden.safetensors", "rows")
            for (query, document), (want,) in zip(texts_of(model), golden):
                status, _, reply = server.post("/rerank", {"query": query, "texts": [document], "raw_scores": True})
                self.assertEqual(status, 200, reply)
                self.assertAlmostEqual(reply[0]["score"], want, delta=2e-4 * max(1, abs(want)), msg=(query, document))
        finally:
            server.stop()

    def test_against_golden_scores(self):
        for model in ("reranker", "xlm-roberta-reranker", "roberta-reranker", "mpnet-reranker", "electra-reranker",
                      "deberta-v3-reranker", "modernbert-reranker", "gte-new-reranker", "qwen3-classifier-1",
                      "qwen3-reranker", "qwen3-reranker-plain", "qwen2-reranker"):
            with self.subTest(model=model):
                self.check(model)


class Classifier(Case):
    model = "classifier-3"

    def test_classes_agree(self):
        tei = {d["label"]: d["score"] for d in self.post("/predict", {"inputs": "one engine"})}
        (item,) = self.post("/classify", {"input": ["one engine"]})["data"]
        self.assertEqual(item["label"], max(tei, key=tei.get))
        self.assertEqual(item["probs"], [tei[f"label-{i}"] for i in range(item["num_classes"])])
        self.assertEqual(self.post("/pooling", {"input": "one engine"})["data"][0]["data"], item["probs"])


class ManyOutputs(Case):
    """A model with dense, sparse and token vectors."""
    model = "bge-m3"

    def test_sparse_vectors(self):
        one, two = self.post("/embed_sparse", {"inputs": ["one engine", "two kinds of traffic"]})
        self.assertEqual(self.post("/embed_sparse", {"inputs": "two kinds of traffic"}), [two])
        ids = {t["id"] for t in self.post("/tokenize", {"inputs": "one engine"})[0] if not t["special"]}
        self.assertLessEqual({w["index"] for w in one}, ids)
        self.assertTrue(all(w["value"] > 0 for w in one + two))

    def test_tokens(self):
        (rows,) = self.post("/embed_all", {"inputs": "one engine"})
        self.assertEqual(len(rows), len(self.post("/tokenize", {"inputs": "one engine"})[0]))
        vectors = self.post("/pooling", {"input": "one engine", "task": "token_embed"})["data"][0]["data"]
        self.assertEqual(len(vectors), len(rows) - 1)  # BGE-M3 gives none of the first token
        self.assertTrue(all(abs(math.fsum(x * x for x in v) - 1) < 1e-5 for v in vectors))


class LateInteraction(Case):
    model = "colbert"

    def test_vectors_of_queries_and_documents(self):
        for side in ("query", "document"):
            stem = f"{MODELS}/{self.model}/golden-tokens-{side}"
            with open(f"{stem}.json") as f:
                texts = json.load(f)["texts"]
            want = tensor(f"{stem}.safetensors", "tokens")
            got = self.post("/pooling", {"input": texts, "input_type": side})["data"]
            rows = [row for item in got for row in item["data"]]
            self.assertEqual(len(rows), len(want))
            self.assertLess(max(abs(a - b) for x, y in zip(rows, want) for a, b in zip(x, y)), 2e-5)
        self.post("/pooling", {"input": [[1, 2]]}, status=400)
        self.post("/pooling", {"input": "a", "dimensions": 17}, status=400)
        self.post("/v1/embeddings", {"input": "a"}, status=400)


class Sparse(Case):
    """A model that gives nothing but weights of its vocabulary."""
    model = "splade"

    def test_the_root_is_sparse(self):
        rows = self.post("/embed_sparse", {"inputs": "one engine"})
        self.assertEqual(self.post("/", {"inputs": "one engine"}), rows)
        self.assertTrue(rows[0])
        self.post("/embed", {"inputs": "one engine"}, status=424)


if __name__ == "__main__":
    del Case  # it has no tests of its own
    unittest.main(argv=sys.argv[:1], warnings="ignore")
