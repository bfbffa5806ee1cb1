#!/usr/bin/env python3
"""Lays out the real tokenizers for golden.py: OUT/NAME/tokenizer.json, or tokenizer.model and reference.json.

    python tests/golden/real_tokenizers.py WHEELS FILES OUT        needs transformers 4, sentencepiece, protobuf, tiktoken

FILES is what bench/tokenizers/make_tokenizers.py makes. WHEELS holds the wheels mistral_common (Mistral's SentencePiece models
and tekken.json), llama_models (the ranks of Llama 3 and 4), litellm (Anthropic's tokenizer.json) and open_clip_torch (CLIP's
merges): pip download --no-deps NAME. What is no tokenizer.json yet becomes one by transformers' own converters; transformers 5
no longer converts a SentencePiece model of Llama's class by that class, so it takes version 4.
A .model goes to Bouquet as it is: its reference.json is what LlamaConverter makes, in both its ways, legacy and not.
"""
import base64
import gzip
import json
import os
import re
import shutil
import sys
import tempfile
import zipfile
from glob import glob
from types import SimpleNamespace

import sentencepiece
from tokenizers import AddedToken, processors
from transformers.convert_slow_tokenizer import CLIPConverter, LlamaConverter, TikTokenConverter, bytes_to_unicode
from transformers.integrations.mistral import MistralConverter

FROM_FILES = ("minilm", "xlmr", "bgem3", "qwen2", "deepseek")
MISTRAL = {"mistral_v1": ("tokenizer.model.v1", True), "mistral_v2": ("mistral_instruct_tokenizer_240216.model.v2", True),
           "mistral_v3": ("mistral_instruct_tokenizer_240323.model.v3", False),
           "mistral_v7": ("mistral_instruct_tokenizer_241114.model.v7", False)}
TEKKEN_SPECIALS = ("<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] "
                   "[IMG] <pad> [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT]")


def member(wheels, package, name):
    with zipfile.ZipFile(sorted(glob(f"{wheels}/{package}-*.whl"))[-1]) as wheel:
        return wheel.read(name)


def put(out, name, file, content):
    path = os.path.join(out, name, file)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as target:
        target.write(content if isinstance(content, bytes) else content.encode())
    return path


def start_template(tokenizer, start, number):
    """What Llama's post-processor is: the start token before each text."""
    return processors.TemplateProcessing(single=f"{start} $A", pair=f"{start} $A {start}:1 $B:1", special_tokens=[(start, number)])


def mistral(wheels, out):
    for name, (file, legacy) in MISTRAL.items():
        model = put(out, name, "tokenizer.model", member(wheels, "mistral_common", f"mistral_common/data/{file}"))
        put(out, name, "tokenizer_config.json", json.dumps(
            {"tokenizer_class": "LlamaTokenizer", "legacy": legacy, "add_bos_token": True, "add_eos_token": False}))
        pieces = sentencepiece.SentencePieceProcessor(model_file=model)
        tokenizer = LlamaConverter(SimpleNamespace(vocab_file=model, convert_ids_to_tokens=pieces.id_to_piece, legacy=legacy,
                                                   add_prefix_space=True)).converted()
        tokenizer.add_special_tokens(["<unk>", "<s>", "</s>"])
        tokenizer.post_processor = start_template(tokenizer, "<s>", 1)
        put(out, name, "reference.json", tokenizer.to_str())


def tekken(wheels, out):
    data = json.loads(member(wheels, "mistral_common", "mistral_common/data/tekken_240911.json"))
    config = data["config"]
    specials = TEKKEN_SPECIALS.split(" ")
    specials += [f"<SPECIAL_{i}>" for i in range(len(specials), config["default_num_special_tokens"])]
    vocab = {special: i for i, special in enumerate(specials)}
    pieces = data["vocab"][:config["default_vocab_size"] - len(specials)]
    vocab.update({base64.b64decode(piece["token_bytes"]): piece["rank"] for piece in pieces})
    converter = MistralConverter(vocab=vocab, pattern=config["pattern"], additional_special_tokens=specials)
    put(out, "tekken", "tokenizer.json", converter.converted().to_str())


def llama(wheels, out, name, folder, specials):
    source = member(wheels, "llama_models", f"llama_models/{folder}/tokenizer.py").decode()
    pattern = re.search(r'(?:pat_str|O200K_PATTERN) = r"+(.*?)"+ ', source).group(1)
    with tempfile.NamedTemporaryFile() as ranks:
        ranks.write(member(wheels, "llama_models", f"llama_models/{folder}/tokenizer.model"))
        ranks.flush()
        tokenizer = TikTokenConverter(vocab_file=ranks.name, pattern=pattern, additional_special_tokens=specials).converted()
    start = specials[0]
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False), start_template(tokenizer, start, tokenizer.token_to_id(start))])
    put(out, name, "tokenizer.json", tokenizer.to_str())


def clip(wheels, out):
    lines = gzip.decompress(member(wheels, "open_clip_torch", "open_clip/bpe_simple_vocab_16e6.txt.gz")).decode().split("\n")
    merges = [tuple(line.split()) for line in lines[1:49152 - 256 - 2 + 1]]
    pieces = list(bytes_to_unicode().values())
    pieces += [piece + "</w>" for piece in pieces] + ["".join(merge) for merge in merges] + ["<|startoftext|>", "<|endoftext|>"]
    ids = {piece: i for i, piece in enumerate(pieces)}
    start, end = "<|startoftext|>", "<|endoftext|>"
    tokenizer = CLIPConverter(SimpleNamespace(
        encoder=ids, bpe_ranks=dict.fromkeys(merges), unk_token=end, bos_token=start, bos_token_id=ids[start], eos_token=end,
        eos_token_id=ids[end])).converted()
    tokenizer.add_special_tokens([AddedToken(start, normalized=True), AddedToken(end, normalized=False)])
    put(out, "clip", "tokenizer.json", tokenizer.to_str())


def main():
    wheels, files, out = sys.argv[1:]
    os.environ["TIKTOKEN_CACHE_DIR"] = ""  # it would keep copies of the ranks by their path
    for name in FROM_FILES:
        os.makedirs(os.path.join(out, name), exist_ok=True)
        shutil.copy(os.path.join(files, name, "tokenizer.json"), os.path.join(out, name, "tokenizer.json"))
    reserved = [f"<|reserved_special_token_{i}|>" for i in range(256)]
    mistral(wheels, out)
    tekken(wheels, out)
    llama(wheels, out, "llama3", "llama3", [
        "<|begin_of_text|>", "<|end_of_text|>", *reserved[:2], "<|finetune_right_pad_id|>", "<|step_id|>", "<|start_header_id|>",
        "<|end_header_id|>", "<|eom_id|>", "<|eot_id|>", "<|python_tag|>", "<|image|>", *reserved[2:246]])
    llama(wheels, out, "llama4", "llama4", [
        "<|begin_of_text|>", "<|end_of_text|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|header_start|>",
        "<|header_end|>", "<|eom|>", "<|eot|>", "<|step|>", *reserved])
    put(out, "anthropic", "tokenizer.json",
        member(wheels, "litellm", "litellm/litellm_core_utils/tokenizers/anthropic_tokenizer.json"))
    clip(wheels, out)
    print(f"{len(os.listdir(out))} real tokenizers in {out}")


main()
