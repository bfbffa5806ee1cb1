"""`bouquet embed`: formats agree, an interrupted run resumes without losing, doubling or redoing lines, and it runs where
nothing is writable and nobody has a name.

    embed_test.py BOUQUET SOURCE_DIRECTORY
"""
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]
warnings.simplefilter("ignore", ResourceWarning)  # short-lived files are closed by the interpreter
MODEL = f"{SOURCE}/tests/golden/models/pool-mean"


def embed(*arguments, text=None, env=None):
    return subprocess.run([BOUQUET, "embed", "-m", MODEL, *arguments], input=text, capture_output=True, text=True, timeout=120, env=env)


def read_npy(path):
    raw = open(path, "rb").read()
    assert raw[:6] == b"\x93NUMPY"
    size = struct.unpack("<H", raw[8:10])[0]
    shape = eval(raw[10:10 + size])["shape"]  # the format's own header is a Python literal
    values = struct.unpack(f"<{shape[0] * shape[1]}f", raw[10 + size:])
    return [list(values[i:i + shape[1]]) for i in range(0, len(values), shape[1])]


class EmbedTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text=None):
        path = os.path.join(self.folder.name, name)
        if text is not None:
            open(path, "w").write(text)
        return path

    def test_formats_agree(self):
        texts = ["one engine", "two kinds, of \"traffic\"", "a"]
        lines = embed(text="\n".join(texts) + "\n")
        self.assertEqual(lines.returncode, 0, lines.stderr)
        want = [json.loads(line)["embedding"] for line in lines.stdout.splitlines()]
        self.assertEqual(len(want), 3)
        jsonl = self.path("in.jsonl", "".join(json.dumps({"body": t}) + "\n" for t in texts))
        csv = self.path("in.csv", "id,text\n" + "".join(f'{i},"{t.replace(chr(34), chr(34) * 2)}"\n' for i, t in enumerate(texts)))
        out = self.path("out.npy")
        self.assertEqual(embed(jsonl, "--field", "body", "-o", out).returncode, 0)
        for got, row in zip(read_npy(out), want):
            self.assertEqual(got, [struct.unpack("f", struct.pack("f", x))[0] for x in row])
        self.assertEqual([json.loads(line)["embedding"] for line in embed(csv).stdout.splitlines()], want)
        self.assertNotEqual(embed(jsonl, "--field", "body", "-o", out).returncode, 0)  # never overwrites

    def test_resumes_after_being_killed(self):
        source = self.path("in.txt", "".join(f"one engine of {'xyz'[i % 3]} {chr(97 + i % 26)}\n" for i in range(60000)))
        whole, cut = self.path("whole.npy"), self.path("cut.npy")
        self.assertEqual(embed(source, "-o", whole).returncode, 0)
        process = subprocess.Popen([BOUQUET, "embed", "-m", MODEL, source, "-o", cut], stderr=subprocess.DEVNULL)
        while not os.path.exists(cut + ".progress") and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if not os.path.exists(cut):
            done = json.load(open(cut + ".progress"))["rows"]
            again = embed(source, "-o", cut)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertIn(f"resuming after {done} ", again.stderr)
        self.assertEqual(open(cut, "rb").read(), open(whole, "rb").read())

    def test_says_what_is_saved_when_interrupted(self):
        source, out = self.path("long.txt", "one engine of many words\n" * 60000), self.path("long.npy")
        process = subprocess.Popen([BOUQUET, "embed", "-m", MODEL, source, "-o", out], stderr=subprocess.PIPE, text=True)
        while not os.path.exists(out + ".progress") and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        if process.returncode != 0:  # else it was faster
            self.assertIn(f"interrupted after {json.load(open(out + '.progress'))['rows']} texts; the same command goes on", said)

    def test_errors_name_the_line(self):
        self.assertIn("line 2", embed(text="a\n\nb\n").stderr)
        self.assertIn(":2", embed(self.path("x.jsonl", '{"text":"a"}\n{"no":1}\n')).stderr)

    def test_needs_no_home_and_no_writable_folder(self):
        result = embed(text="a\n", env={"PATH": os.environ["PATH"], "BOUQUET_CACHE": "/proc/none", "HF_HOME": "/proc/none"})
        self.assertEqual(result.returncode, 0, result.stderr)
        result = embed(text="a\n", env={"PATH": os.environ["PATH"]})
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
