"""A GGUF file computes what the directory that it was made of computes: ids, vectors to the bit, text.

    gguf_test.py BOUQUET SOURCE_DIRECTORY
"""
import subprocess
import sys
import unittest

from server import Server

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
GOLDEN = f"{SOURCE}/tests/golden"
EMBEDDERS = {"bert": "pool-mean", "llama": "llama", "qwen3": "qwen3-embedding"}
TEXTS = ["a", "two kinds of traffic, one engine", "The Quick  brown fox's 12345 words!\n\n\tCaf\u00e9 e\u0301 \u5317\u4eac", "tokens of engines " * 30,
         " leading", "<|endoftext|> and [SEP]"]


def bouquet(*args, stdin=None):
    return subprocess.run([BOUQUET, *args], input=stdin, capture_output=True, text=True, timeout=120)


class GgufTest(unittest.TestCase):
    def same(self, name, folder, *command, stdin=None):
        files = [f"{GOLDEN}/gguf/{name}.gguf", f"{GOLDEN}/{folder}"]
        here, there = (bouquet(command[0], "-m", file, *command[1:], stdin=stdin) for file in files)
        self.assertEqual(here.returncode, 0, here.stderr)
        self.assertEqual(there.returncode, 0, there.stderr)
        self.assertTrue(here.stdout)
        self.assertEqual(here.stdout, there.stdout, name)

    def test_ids(self):
        for name, folder in EMBEDDERS.items():
            for text in TEXTS:
                self.same(name, f"models/{folder}", "tokenize", "--format", "ids", "-t", text)

    def test_vectors(self):
        lines = "\n".join(text.replace("\n", " ") for text in TEXTS)
        for name, folder in EMBEDDERS.items():
            self.same(name, f"models/{folder}", "embed", "--max-length", "60", "--format", "text", stdin=lines)

    def test_text(self):
        self.same("llama-writes", "generators/llama", "generate", "-p", "one engine", "-p", "a", "--max-tokens", "9", "--json")

    def test_served(self):
        with Server(BOUQUET, f"{GOLDEN}/gguf/bert.gguf", log_level="off") as server:
            status, _, reply = server.post("/v1/embeddings", {"input": TEXTS[1]})
            self.assertEqual(status, 200)
            self.assertEqual(len(reply["data"][0]["embedding"]), 32)

    def test_refusals(self):
        for command, file, expected in [
                ("embed", "gguf/llama-writes.gguf", "llama.pooling_type is neither 1 (mean), 2 (cls) nor 3 (last token)"),
                ("embed", "weights/types.gguf", "tokenizer.ggml.model \"\" is not supported"),
                ("generate", "gguf/bert.gguf", "bert is no causal language model")]:
            refused = bouquet(command, "-m", f"{GOLDEN}/{file}", stdin="a\n")
            self.assertEqual(refused.returncode, 1)
            self.assertIn(expected, refused.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
