"""docs/operations.md names every flag and every metric, and none that isn't there.

    operations_doc_test.py BOUQUET SOURCE_DIRECTORY
"""
import re
import subprocess
import sys
import unittest

from server import Server, subcommands

BOUQUET, SOURCE = sys.argv[1], sys.argv[2]


class OperationsDocTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(f"{SOURCE}/docs/operations.md") as page:
            cls.doc = page.read()

    def test_flags(self):
        flags = set()
        for command in subcommands(BOUQUET):
            text = subprocess.run([BOUQUET, command, "--help"], capture_output=True, text=True, check=True).stdout
            flags |= set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
        documented = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", self.doc))
        self.assertEqual(sorted(flags - documented - {"--help"}), [], "flags that the page lacks")
        self.assertEqual(sorted(documented - flags - {"--version", "--help"}), [], "flags that only the page has")

    def test_metrics(self):
        with Server(BOUQUET, f"{SOURCE}/tests/golden/models/pool-mean") as server:
            text = server.get("/metrics")[2].decode()
        metrics = set(re.findall(r"^# TYPE (\w+)", text, re.M))
        documented = set(re.findall(r"\bbouquet_[a-z_]+\b", self.doc))
        self.assertTrue(metrics)
        self.assertEqual(sorted(metrics - documented), [], "metrics that the page lacks")
        self.assertEqual(sorted(documented - metrics), [], "metrics that only the page has")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
