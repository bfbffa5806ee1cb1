"""Several models behind one Ivy: chosen by name, each with its own replicas and recipe, changed by their files while they
are served.

    many_models_test.py BOUQUET SOURCE_DIRECTORY
"""
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

from server import Ivy, Server, Tulip, free_port

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
warnings.simplefilter("ignore", ResourceWarning)  # short-lived files are closed by the interpreter
MODELS = f"{SOURCE}/tests/golden/models"
SMALL = ["--threads", "1", "--pin-threads", "off", "--leave-time", "0"]
TEXT = "two kinds of traffic, one engine"


def tulip(model, **kwargs):
    return Tulip(BOUQUET, f"{MODELS}/{model}", *SMALL, **kwargs)


def vector_of(server, **fields):
    """The embedding of TEXT, or the status where there is none."""
    status, _, reply = server.post("/v1/embeddings", {"input": TEXT, **fields})
    return reply["data"][0]["embedding"] if status == 200 else status


class Load:
    """A client that asks for one model without pause, and what it got."""

    def __init__(self, ivy, model, expected):
        self.ivy, self.model, self.expected = ivy, model, expected
        self.answers, self.wrong, self.ended = 0, [], False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.ivy.port, timeout=60)
        while not self.ended:
            try:
                connection.request("POST", "/v1/embeddings", json.dumps({"input": TEXT, "model": self.model}))
                response = connection.getresponse()
                reply = json.loads(response.read())
                right = response.status == 200 and reply["data"][0]["embedding"] == self.expected
                problem = None if right else f"status {response.status}: {str(reply)[:150]}"
            except Exception as error:  # noqa: BLE001  a lost connection is a failed request
                problem = repr(error)
                connection.close()
            self.answers += 1
            if problem:
                self.wrong.append(problem)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended = True
        self.thread.join(60)


class ManyModels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mean, cls.other_mean, cls.cls_, cls.reranker = (tulip(m) for m in ("pool-mean", "pool-mean", "pool-cls", "reranker"))
        cls.expected = {}
        for model in ("pool-mean", "pool-cls"):
            with Server(BOUQUET, f"{MODELS}/{model}", "--threads", "1") as server:
                cls.expected[model] = vector_of(server)
        assert cls.expected["pool-mean"] != cls.expected["pool-cls"]

    @classmethod
    def tearDownClass(cls):
        for program in (cls.mean, cls.other_mean, cls.cls_, cls.reranker):
            program.stop()

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        """A file that is whole at every moment."""
        path = f"{self.folder.name}/{name}"
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)
        return path

    def write_models(self, *models):
        """Each is (name, model, upstreams, further lines...)."""
        return self.write("models.toml", "\n".join(
            f'[[model]]\nname = "{name}"\nmodel = "{MODELS}/{model}"\nupstreams = {json.dumps(upstreams)}\n' + "\n".join(more)
            for name, model, upstreams, *more in models))

    def ivy(self, file, **kwargs):
        ivy = Ivy(BOUQUET, None, [], "--models", file, **kwargs)
        self.addCleanup(ivy.stop)
        return ivy

    def wait_for(self, condition, seconds=20):
        deadline = time.time() + seconds
        while not condition():
            self.assertLess(time.time(), deadline)
            time.sleep(0.05)

    @staticmethod
    def states(ivy):
        """Of each model; that each of its prompts is a name of it too is left out."""
        models = json.loads(ivy.get("/v1/models")[2])["data"]
        return {m["id"]: m["state"] for m in models if ":" not in m["id"]}

    def test_the_model_is_chosen_by_name(self):
        ivy = self.ivy(self.write_models(
            ("org/mean", "pool-mean", [self.mean.address], 'aliases = ["text-embedding-3-small"]'),
            ("cls", "pool-cls", [self.cls_.address], "default = true"),
            ("ranker", "reranker", [self.reranker.address])))
        for name in ("org/mean", "mean", "text-embedding-3-small"):
            self.assertEqual(vector_of(ivy, model=name), self.expected["pool-mean"], name)
        for fields in ({}, {"model": ""}, {"model": "cls"}):
            self.assertEqual(vector_of(ivy, **fields), self.expected["pool-cls"], fields)
        self.assertEqual(ivy.post("/embed", {"inputs": TEXT})[2], [self.expected["pool-cls"]])
        self.assertEqual(ivy.post("/embed", {"inputs": TEXT, "model": "mean"})[2], [self.expected["pool-mean"]])
        self.assertEqual(ivy.post("/v1/rerank", {"query": "a", "documents": ["b"], "model": "ranker"})[0], 200)
        status, _, reply = ivy.post("/v1/embeddings", {"input": TEXT, "model": "gpt-4"})
        self.assertEqual((status, reply["error"]["code"]), (404, "model_not_found"))
        self.assertIn('"cls", "org/mean", "ranker"', reply["error"]["message"])
        self.assertEqual(list(self.states(ivy).items()), [("cls", "ready"), ("org/mean", "ready"), ("ranker", "ready")])
        self.assertEqual(ivy.metric("bouquet_model_replicas"), 3)

    def test_replicas_join_and_leave_under_load(self):
        def models(upstreams):
            return self.write_models(("mean", "pool-mean", upstreams), ("cls", "pool-cls", [self.cls_.address]))

        def ran(program):
            return program.metric("bouquet_tulip_tokens_total")

        ivy = self.ivy(models([self.mean.address]))
        with Load(ivy, "mean", self.expected["pool-mean"]) as mean, Load(ivy, "cls", self.expected["pool-cls"]) as cls:
            before = ran(self.other_mean)
            models([self.mean.address, self.other_mean.address])
            self.wait_for(lambda: ran(self.other_mean) > before)
            models([self.other_mean.address])
            self.wait_for(lambda: ivy.metric("bouquet_replicas") == 2)
            time.sleep(0.2)
            before, answers = ran(self.mean), mean.answers
            self.wait_for(lambda: mean.answers > answers + 50)
            self.assertEqual(ran(self.mean), before)
        self.assertEqual((mean.wrong, cls.wrong), ([], []))
        self.assertGreater(cls.answers, 50)

    def test_models_come_and_go_under_load(self):
        mean, cls = ("mean", "pool-mean", [self.mean.address]), ("cls", "pool-cls", [self.cls_.address])
        ivy = self.ivy(self.write_models(mean))
        self.assertEqual(vector_of(ivy, model="cls"), 404)
        with Load(ivy, "mean", self.expected["pool-mean"]) as load:
            for _ in range(2):
                self.write_models(mean, cls)
                self.wait_for(lambda: vector_of(ivy, model="cls") == self.expected["pool-cls"])
                self.write_models(mean)
                self.wait_for(lambda: vector_of(ivy, model="cls") == 404)
        self.assertEqual(load.wrong, [])
        self.assertGreater(load.answers, 50)

    def test_a_changed_recipe_is_followed_and_a_broken_one_refused(self):
        def tokens(model):
            return ivy.post("/v1/embeddings", {"input": "a " * 30, "model": model})[2]["usage"]["prompt_tokens"]

        recipe = self.write("mean.toml", "max_length = 10")
        ivy = self.ivy(self.write_models(("mean", "pool-mean", [self.mean.address], 'recipe = "mean.toml"'),
                                         ("cls", "pool-cls", [self.cls_.address])))
        whole = tokens("cls")
        self.assertEqual(tokens("mean"), 10)
        self.write("mean.toml", "max_length = 12")
        self.wait_for(lambda: tokens("mean") == 12)
        self.write("mean.toml", "truncate = true\nmax_lenght = 14")
        self.write_models(("mean", "pool-mean", [self.mean.address], 'recipe = "mean.toml"', 'aliases = ["m"]'),
                          ("cls", "pool-cls", [self.cls_.address]))
        self.wait_for(lambda: f"mean: {recipe}:2: unknown key max_lenght" in ivy.output())
        self.assertEqual((tokens("mean"), tokens("cls"), vector_of(ivy, model="m")), (12, whole, 404))
        self.write("mean.toml", "max_length = 14")
        self.wait_for(lambda: tokens("mean") == 14)
        self.assertEqual(vector_of(ivy, model="m"), vector_of(ivy, model="mean"))

    def test_a_model_without_replicas_fails_alone(self):
        lost = tulip("pool-cls")
        ivy = self.ivy(self.write_models(("mean", "pool-mean", [self.mean.address]), ("cls", "pool-cls", [lost.address])))
        self.assertEqual(vector_of(ivy, model="cls"), self.expected["pool-cls"])
        with Load(ivy, "mean", self.expected["pool-mean"]) as load:
            lost.stop()
            self.wait_for(lambda: vector_of(ivy, model="cls") == 503)
            self.assertEqual(ivy.get("/ready")[0], 200)
            self.assertEqual(self.states(ivy), {"mean": "ready", "cls": "not ready"})
            with tulip("pool-cls", address=lost.address):
                self.wait_for(lambda: vector_of(ivy, model="cls") == self.expected["pool-cls"])
        self.assertEqual(load.wrong, [])

    def test_a_model_whose_replicas_are_down_at_the_start_comes_later(self):
        address = f"127.0.0.1:{free_port()}"
        ivy = self.ivy(self.write_models(("mean", "pool-mean", [self.mean.address]), ("cls", "pool-cls", [address])))
        self.assertEqual(vector_of(ivy, model="mean"), self.expected["pool-mean"])
        self.assertEqual(vector_of(ivy, model="cls"), 503)
        with tulip("pool-cls", address=address):
            self.wait_for(lambda: vector_of(ivy, model="cls") == self.expected["pool-cls"])

    def test_upstreams_of_a_file(self):
        upstreams = self.write("upstreams", f"# one\n{self.mean.address}\n")
        with Ivy(BOUQUET, f"{MODELS}/pool-mean", [], "--upstreams-file", upstreams) as ivy:
            self.assertEqual(ivy.metric("bouquet_replicas"), 1)
            with Load(ivy, "", self.expected["pool-mean"]) as load:
                self.write("upstreams", f"{self.mean.address}\n{self.other_mean.address} # the second\n")
                self.wait_for(lambda: ivy.metric("bouquet_replicas") == 2)
                self.write("upstreams", "# nobody\n")
                self.wait_for(lambda: "names no upstream" in ivy.output())
                self.write("upstreams", f"{self.other_mean.address}\n")
                self.wait_for(lambda: ivy.metric("bouquet_replicas") == 1)
            self.assertEqual(load.wrong, [])

    def test_what_cannot_be_is_refused_by_name(self):
        good = ("mean", "pool-mean", ["127.0.0.1:1"])
        cases = (
            ((), "no [[model]]"),
            ((good, ("cls", "pool-cls", ["127.0.0.1:1"], 'aliases = ["mean"]')), 'two models go by "mean": mean and cls'),
            ((good, ("cls", "pool-cls", ["127.0.0.1:1"], "hedge = 1")), "unknown key hedge (of the model cls)"),
            ((good, ("cls", "nowhere", ["127.0.0.1:1"])), "nowhere"),
        )
        for models, words in cases:
            self.assertIn(words, self.refusal("--models", self.write_models(*models)))
        for flags in (["--upstream", "127.0.0.1:1"], ["--name", "x"], [f"{MODELS}/pool-mean"], ["--no-truncate"]):
            self.assertIn("leave one of them out", self.refusal("--models", self.write_models(good), *flags))

    def refusal(self, *flags):
        result = subprocess.run([BOUQUET, "ivy", "--port", "0", *flags], capture_output=True, text=True, timeout=30)
        self.assertNotEqual(result.returncode, 0)
        return result.stderr + result.stdout


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
