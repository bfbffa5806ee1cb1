"""`bouquet pull` against a local server that plays the hub: download, cache, resume, hashes, refusals, redirects.

    hub_test.py BOUQUET SOURCE_DIRECTORY
"""
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

from fake_hub import COMMIT, FakeHub

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
warnings.simplefilter("ignore", ResourceWarning)  # short-lived files are closed by the interpreter
MODEL = os.path.join(SOURCE, "tests/golden/models/pool-mean")


class HubTest(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.hub = FakeHub(MODEL)
        self.addCleanup(self.home.cleanup)
        self.addCleanup(lambda: self.hub.close())

    def pull(self, model="org/tiny", env=(), args=()):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HF_") and "proxy" not in k.lower()}
        environment.update({"HOME": self.home.name, "HF_HOME": os.path.join(self.home.name, "hf"), "HF_ENDPOINT": self.hub.url})
        environment.update(dict(env))
        return subprocess.run([BOUQUET, "pull", model, "--print-path", *args], env=environment, capture_output=True, text=True, timeout=120)

    def good(self, **kwargs):
        result = self.pull(**kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        folder = result.stdout.strip()
        for name in ("config.json", "model.safetensors", "1_Pooling/config.json"):
            self.assertEqual(open(os.path.join(folder, name), "rb").read(), self.hub.files[name])
        return folder

    def test_downloads_once_into_the_cache_layout(self):
        folder = self.good()
        self.assertTrue(folder.endswith(f"models--org--tiny/snapshots/{COMMIT}"))
        before = len(self.hub.requests)
        self.good()
        self.good(model=f"org/tiny@{COMMIT}")
        self.assertEqual(len(self.hub.requests), before)

    def test_pickled_weights_where_there_are_no_safetensors(self):
        with open(os.path.join(SOURCE, "tests/golden/weights/ordered.bin"), "rb") as file:
            pickled = file.read()
        self.hub.files["pytorch_model.bin"] = self.hub.files["2_Dense/pytorch_model.bin"] = pickled
        folder = self.good()
        self.assertFalse(os.path.exists(os.path.join(folder, "pytorch_model.bin")))
        del self.hub.files["model.safetensors"]
        other = tempfile.TemporaryDirectory()
        self.addCleanup(other.cleanup)
        result = self.pull(env={"HF_HOME": other.name})
        self.assertEqual(result.returncode, 0, result.stderr)
        folder = result.stdout.strip()
        self.assertEqual(open(os.path.join(folder, "pytorch_model.bin"), "rb").read(), pickled)
        self.assertFalse(os.path.exists(os.path.join(folder, "model.safetensors")))

    def test_offline(self):
        result = self.pull(env={"HF_HUB_OFFLINE": "1"})
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("HF_HUB_OFFLINE", result.stderr)
        self.assertEqual(self.hub.requests, [])
        self.good()
        self.good(env={"HF_HUB_OFFLINE": "1"})

    def test_cut_connections_resume(self):
        self.hub.faults = ["cut", "cut"]
        self.good()
        self.assertTrue(any("Range" in headers for _, headers in self.hub.requests))

    def test_a_wrong_hash_is_never_kept(self):
        self.hub.faults = ["hash"]
        self.good()
        other = tempfile.TemporaryDirectory()
        self.addCleanup(other.cleanup)
        self.hub.faults = ["hash"] * 50
        result = self.pull(env={"HF_HOME": other.name})
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("hash", result.stderr)
        self.assertFalse(any("snapshots" in root and "model.safetensors" in names for root, _, names in os.walk(other.name)))

    def test_errors_say_what_to_do(self):
        self.hub.faults = ["401"]
        self.assertIn("HF_TOKEN", self.pull().stderr)
        self.hub.faults = ["404"]
        self.assertIn("not found", self.pull().stderr)
        self.assertIn("org/name", self.pull(model="a/b/c").stderr)

    def test_busy_hubs_are_asked_again(self):
        self.hub.faults = ["429", "500"]
        self.good()

    def test_the_token_goes_to_the_hub_alone(self):
        self.hub.close()
        self.hub = FakeHub(MODEL, token="secret")
        elsewhere = FakeHub(MODEL)
        self.addCleanup(elsewhere.close)
        self.hub.redirect_to = elsewhere.url
        self.assertNotEqual(self.pull().returncode, 0)
        self.good(env={"HF_TOKEN": "secret"})
        self.assertTrue(elsewhere.requests)
        self.assertFalse(any("Authorization" in headers for _, headers in elsewhere.requests))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
