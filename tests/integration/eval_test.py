"""`bouquet eval`: a server's rankings are those of the model in this process, bad folders are named, and real models find
what belongs together.

    eval_test.py BOUQUET SOURCE_DIRECTORY
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from server import Server

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
FOLDER = f"{SOURCE}/tests/retrieval"
TINY = f"{SOURCE}/tests/golden/models/pool-mean"


def evaluate(*args, folder=FOLDER):
    return subprocess.run([BOUQUET, "eval", folder, "--no-progress", *args], capture_output=True, text=True, timeout=250)


class EvalTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def run_of(self, *args):
        path = os.path.join(self.scratch.name, "run.txt")
        done = evaluate("--json", "--run", path, *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path) as file:
            return json.loads(done.stdout), file.read()

    def test_a_server_ranks_the_same(self):
        scores, here = self.run_of("-m", TINY)
        self.assertEqual((scores["queries"], scores["documents"]), (32, 24))
        self.assertEqual(len(here.splitlines()), 32 * 24)
        with Server(BOUQUET, TINY, log_level="off") as server:
            self.assertEqual(self.run_of("--url", f"http://127.0.0.1:{server.port}")[1], here)

    def test_prompts_and_prefixes(self):
        plain = self.run_of("-m", TINY)[1]
        self.assertNotEqual(self.run_of("-m", TINY, "--query-prefix", "two kinds: ")[1], plain)
        self.assertNotEqual(self.run_of("-m", TINY, "--similarity", "dot", "--document-prefix", "one ")[1], plain)
        refused = evaluate("-m", TINY, "--query-prompt", "nonsense")
        self.assertIn('the model has no prompt "nonsense"', refused.stderr)

    def test_names_what_is_wrong(self):
        for args, expected in [(("--split", "other"), "other.tsv"), (("-m", f"{SOURCE}/tests/golden/models/reranker"), "scores, not embeddings")]:
            refused = evaluate("-m", TINY, *args) if args[0] != "-m" else evaluate(*args)
            self.assertEqual(refused.returncode, 1)
            self.assertIn(expected, refused.stderr)
        broken = os.path.join(self.scratch.name, "broken")
        shutil.copytree(FOLDER, broken)
        with open(f"{broken}/corpus.jsonl", "a") as file:
            file.write("{\n")
        self.assertIn("corpus.jsonl, line 25: no JSON object", evaluate("-m", TINY, folder=broken).stderr)

    def first_always(self, model, split):
        done = evaluate("-m", model, "--split", split, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["ndcg_at_10"], 1)

    def test_minilm_finds_english(self):
        model = os.environ.get("BOUQUET_TEST_MODEL")
        if not model:
            self.skipTest("BOUQUET_TEST_MODEL names no model directory")
        self.first_always(model, "english")

    def test_multilingual_e5_finds_all_six_languages(self):
        model = os.environ.get("BOUQUET_TEST_MULTILINGUAL")
        if not model:
            self.skipTest("BOUQUET_TEST_MULTILINGUAL names no model directory (make eval makes one)")
        self.first_always(model, "own")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
