"""`bouquet simulate`: the same seed gives the same output and drawing, errors name the flag.

    simulate_test.py BOUQUET SOURCE_DIRECTORY
"""
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BOUQUET = sys.argv[1]


def simulate(*arguments):
    command = [BOUQUET, "simulate", "--replicas", "10", "--requests", "2000", "--no-progress", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


class SimulateTest(unittest.TestCase):
    def test_the_same_seed_gives_the_same_output(self):
        once, again, other = simulate(), simulate(), simulate("--seed", "2")
        self.assertEqual(once.returncode, 0, once.stderr)
        self.assertEqual(once.stdout, again.stdout)
        self.assertNotEqual(once.stdout, other.stdout)
        self.assertIn("every request was answered once", once.stdout)

    def test_rows_are_chosen(self):
        rows = simulate("--policy", "ours", "--policy", "random", "--cut", "chunked").stdout
        self.assertIn("ours, chunked", rows)
        self.assertIn("random, chunked", rows)
        self.assertNotIn("whole", rows)
        self.assertNotIn("round-robin", rows)

    def test_the_drawing_is_well_formed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fleet.svg")
            self.assertEqual(simulate("--svg", path).returncode, 0)
            root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(len(root.findall(".//{http://www.w3.org/2000/svg}polyline")), 16)

    def test_errors_name_the_flag(self):
        for arguments, flag in ((["--load", "much"], "--load"), (["--policy", "best"], "--policy"),
                                (["--shortest", "9", "--longest", "8"], "--shortest"),
                                (["--batch-tokens", "2048"], "--batch-tokens"), (["--svg", "/no/such/folder/x.svg"], "--svg")):
            run = simulate(*arguments)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(flag, run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
