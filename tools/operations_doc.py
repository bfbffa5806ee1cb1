#!/usr/bin/env python3
"""Rewrites the generated tables of docs/operations.md from `--help` and /metrics of a built binary.

    tools/operations_doc.py build/bouquet
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests/integration"))
from server import Server, subcommands  # noqa: E402


def options(binary, command):
    """(flag, default, text) of each option, joined over continuation lines."""
    found = []
    for line in subprocess.run([binary, command, "--help"], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("  -") and not line.startswith("  -h,"):
            head, _, text = line.strip().partition("  ")
            found.append([head, text.strip()])
        elif line.startswith(" " * 20) and found:
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
    for head, text in found:
        name = re.match(r"[-\w,!]+", head)[0]
        rest = head[len(name):]
        default = rest.rsplit("=", 1)[1].split(" ")[0] if "=" in rest else ""
        if "{" in default:
            default = ""
        if " " in rest.strip() and not text:
            text = rest.strip().split(" ", 1)[1]
        yield name.replace(",", ", "), default, text.replace("|", "\\|")


def flag_tables(binary):
    seen, out = set(), []
    for command in subcommands(binary):
        rows = [row for row in options(binary, command) if command == "serve" or row not in seen]
        seen.update(rows)
        if not rows:
            continue
        out.append(f"### bouquet {command}\n\n| flag | default | what it does |\n|---|---|---|")
        out += [f"| `{name}` | {default} | {text} |" for name, default, text in rows]
        out.append("")
    return "\n".join(out)


def metric_table(binary):
    with Server(binary, f"{ROOT}/tests/golden/models/pool-mean") as server:
        text = server.get("/metrics")[2].decode()
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)", text, re.M))
    rows = re.findall(r"^# HELP (\w+) (.*)", text, re.M)
    return "\n".join(["| metric | kind | what it counts |", "|---|---|---|"] + [f"| `{n}` | {kinds[n]} | {h} |" for n, h in sorted(rows)])


def main():
    path, binary = f"{ROOT}/docs/operations.md", sys.argv[1]
    page = open(path).read()
    for name, table in (("flags", flag_tables(binary)), ("metrics", metric_table(binary))):
        page = re.sub(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", lambda m: m[1] + "\n" + table.strip() + "\n" + m[2], page, flags=re.S)
    open(path, "w").write(page)


if __name__ == "__main__":
    main()
