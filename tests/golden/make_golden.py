"""Makes the golden files: small random checkpoints of every family, pooling, head and module, and what sentence-transformers
and transformers compute with them and with the real default model (f32, CPU).

    python3 -m venv venv && venv/bin/pip install -r tests/golden/requirements.txt
    venv/bin/python tests/golden/make_golden.py [FAMILY ...] [--minilm DIRECTORY]

Writes tests/golden/models/NAME (a model directory each, with golden.safetensors and golden.json inside) of the families named,
of all without a name, and tests/golden/minilm.{safetensors,json}. Everything is seeded: the same versions give the same
weights, and on the same kind of processor the same bytes.
"""
import argparse
import importlib
import pkgutil

import torch
from transformers.utils import logging

import families
from golden_minilm import real_model


def main():
    known = sorted(module.name for module in pkgutil.iter_modules(families.__path__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(known))
    parser.add_argument("--minilm", metavar="DIRECTORY")
    args = parser.parse_args()
    if unknown := set(args.families) - set(known):
        parser.error(f"no such family: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)  # the order of a sum is part of the bytes
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    for name in args.families or known:
        importlib.import_module(f"families.{name}").make()
    if args.minilm:
        real_model(args.minilm)


if __name__ == "__main__":
    main()
