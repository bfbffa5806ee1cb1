"""Engines under test as processes of their own: cases in, seconds and a check of what was computed out."""
import subprocess
import sys


def write_cases(path, cases):
    """NAME, a tab, texts parted by ';', each the ids of its tokens."""
    with open(path, "w") as file:
        for name, texts in cases.items():
            print(name, ";".join(" ".join(map(str, ids)) for ids in texts), sep="\t", file=file)


class Worker:
    """bench/case_worker, or bench/peers/worker.py."""

    def __init__(self, *command):
        self.process = subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            sys.exit(f"{command[0]} did not start")

    def run(self, case):
        """Seconds, and the check: a sum over all its vectors, weighted by their place."""
        print(case, file=self.process.stdin, flush=True)
        seconds, *check = self.process.stdout.readline().split()
        return float(seconds), [float(x) for x in check]

    def close(self):
        self.process.stdin.close()
        self.process.wait()
