#!/usr/bin/env python3
"""Who may include whom (docs/architecture.md), checked from the include lines. Prints what is against it; exits 1 then."""
import os
import re
import sys

MAY = {"base": set(), "tokenizer": {"base"}, "rose": {"base"}, "tulip": {"rose", "base", "bouquet"},
       "ivy": {"tokenizer", "tulip", "base", "bouquet"}, "simulate": {"ivy", "tulip", "base"},
       "cli": {"simulate", "ivy", "tulip", "rose", "tokenizer", "base"}}
ROSE = ["tensor", "device", "kernels", "weights", "ops", "layers", "models", "engine"]
PRIVATE = {"src/ivy/http/sleeper.h"}  # included by one source and its test


def complaints(path, text):
    module, inner = re.match(r"src/(\w+)/(?:(\w+)/)?", path).groups()
    for include in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M):
        parts = include.split("/")
        if parts[0] in MAY and parts[0] != module and parts[0] not in MAY[module]:
            yield f"{path} includes {include}: {module} may not use {parts[0]}"
        if module == "ivy" and parts[0] == "tulip" and parts[-1] != "client.h":
            yield f"{path} includes {include}: of Tulip, Ivy may see client.h alone"
        if module == parts[0] == "rose" and inner in ROSE and len(parts) > 2 and parts[1] in ROSE:
            if ROSE.index(parts[1]) > ROSE.index(inner):
                yield f"{path} includes {include}: {inner} lies below {parts[1]}"
        backends = {"cpu", "reference", "null", "cuda"}
        if path.startswith("src/rose/kernels/") and include.startswith("rose/kernels/"):
            mine, theirs = path.split("/")[3], parts[2]
            if mine in backends and theirs in backends and mine != theirs:
                yield f"{path} includes {include}: back ends never include each other"
    if re.match(r"src/rose/(layers|models)/", path) and re.search(r"\b(cuda|cublas|avx\w*|neon)\b|^\s*#\s*if", text, re.M | re.I):
        yield f"{path}: layers and models name no device and have no #if"
    if path.endswith(".h") and path not in PRIVATE and re.search(r"#\s*include\s+<boost/(asio|beast)", text):
        yield f"{path}: Asio and Beast stay in .cc files"


def main():
    found = []
    for root, _, names in os.walk("src"):
        for name in names:
            path = os.path.join(root, name)
            if name.endswith((".h", ".cc")) and not name.endswith(("_test.cc", "_bench.cc")):
                with open(path) as file:
                    found += complaints(path, file.read())
    print("\n".join(found) or "layering holds")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
