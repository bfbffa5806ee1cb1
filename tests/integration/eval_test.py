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

    def run_of(self, *args, folder=FOLDER):
        path = os.path.join(self.scratch.name, "run.txt")
        done = evaluate("--json", "--run", path, *args, folder=folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path) as file:
            return json.loads(done.stdout), file.read()

    def test_a_server_ranks_the_same(self):
        scores, here = self.run_of("-m", TINY)
        self.assertEqual((scores["queries"], scores["documents"]), (32, 24))
        self.assertEqual((scores["dtype"], scores["similarity"]), ("f32", "cosine"))
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

    def copy_folder(self, name, **appended):
        """A copy of the test's folder with lines added to its files: corpus="...", english="..."."""
        copy = os.path.join(self.scratch.name, name)
        shutil.copytree(FOLDER, copy)
        for file, line in appended.items():
            with open(f"{copy}/{'qrels/english.tsv' if file == 'english' else file + '.jsonl'}", "a") as out:
                out.write(line + "\n")
        return copy

    def test_an_id_that_comes_twice_is_refused(self):
        folder = self.copy_folder("twice", corpus='{"_id": "bread", "text": "again"}')
        self.assertIn('corpus.jsonl, line 25: _id "bread" came before', evaluate("-m", TINY, folder=folder).stderr)

    def test_tells_what_does_not_fit_together(self):
        folder = self.copy_folder("apart", corpus='{"_id": "bread-own", "text": "why does sourdough taste sour"}',
                                  english="bread-own\tnowhere\t1\nnobody\tbread\t1\nbread-own\tbread-own\t1")
        done = evaluate("-m", TINY, "--split", "english", "--json", folder=folder)
        self.assertIn("1 judgements are of documents that corpus.jsonl does not give", done.stderr)
        self.assertIn("1 judged queries are not in queries.jsonl", done.stderr)
        self.assertIn("1 relevant documents have their query's own id", done.stderr)
        kept = evaluate("-m", TINY, "--split", "english", "--json", "--no-ignore-identical-ids", folder=folder)
        self.assertNotIn("own id", kept.stderr)
        self.assertGreater(json.loads(kept.stdout)["recall_at_100"], json.loads(done.stdout)["recall_at_100"])

    def test_a_run_goes_to_depth_100_and_is_tried_first(self):
        lines = "\n".join(json.dumps({"_id": f"more {i}", "text": f"a passage, number {i}"}) for i in range(150))
        self.assertEqual(len(self.run_of("-m", TINY, folder=self.copy_folder("deep", corpus=lines))[1].splitlines()), 32 * 100)
        nowhere = evaluate("-m", "/no/such/model", "--run", f"{self.scratch.name}/no/run.txt")
        self.assertIn("cannot write", nowhere.stderr)

    def test_compares_as_the_model_says(self):
        model = os.path.join(self.scratch.name, "model")
        shutil.copytree(TINY, model)
        for name, expected in [("dot", "dot"), ("cosine", "cosine"), (None, "cosine")]:
            with open(f"{model}/config_sentence_transformers.json", "w") as file:
                json.dump({"prompts": {}, "similarity_fn_name": name}, file)
            self.assertEqual(self.run_of("-m", model)[0]["similarity"], expected)
        with open(f"{model}/config_sentence_transformers.json", "w") as file:
            json.dump({"prompts": {}, "similarity_fn_name": "euclidean"}, file)
        self.assertIn("compares by euclidean", evaluate("-m", model).stderr)
        self.assertEqual(self.run_of("-m", model, "--similarity", "dot")[0]["similarity"], "dot")

    def test_leading_dimensions(self):
        self.assertNotEqual(self.run_of("-m", TINY, "--dimensions", "8")[1], self.run_of("-m", TINY)[1])
        self.assertIn("--dimensions 9999 is more than the model's", evaluate("-m", TINY, "--dimensions", "9999").stderr)

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
