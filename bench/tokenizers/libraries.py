"""The tokenizers that run.py times: for each a function path -> (text -> ids), its way to take a batch, and what it can load.

What a library returns stays as it is while time is taken (a list, an array or an object of its own); `ids_of` makes a
list of it afterwards.
"""
import os


def bouquet(path):
    import bouquet_tokenizer
    return bouquet_tokenizer.Tokenizer.from_file(path).encode


def huggingface(path):
    import tokenizers
    return tokenizers.Tokenizer.from_file(path).encode


def sentencepiece(path):
    import sentencepiece
    model = os.path.join(os.path.dirname(path), "sentencepiece.bpe.model")
    return sentencepiece.SentencePieceProcessor(model_file=model).encode


def splintr(path):
    import splintr
    return splintr.from_json(path).encode


def nanotoken(path):
    import nanotoken
    return nanotoken.Tokenizer.from_json(open(path, encoding="utf-8").read()).encode


def gigatoken(path):
    import gigatoken
    return gigatoken.Tokenizer.from_json(open(path, encoding="utf-8").read()).encode


def snaptokens(path):
    import snaptokens
    return snaptokens.Tokenizer.from_file(path).encode


def tokie(path):
    import tokie
    return tokie.Tokenizer.from_json(path).encode


LIBRARIES = {f.__name__: f for f in (bouquet, huggingface, sentencepiece, splintr, nanotoken, gigatoken, snaptokens, tokie)}
FAMILIES = {
    "xlmr": ["bouquet", "huggingface", "sentencepiece", "splintr", "tokie"],
    "minilm": ["bouquet", "huggingface", "nanotoken", "splintr", "tokie"],
    "qwen2": ["bouquet", "huggingface", "gigatoken", "snaptokens", "splintr", "tokie"],
}


def batches_of(name, path):
    """texts -> what the library returns for each, made on all processors."""
    tokenizer = LIBRARIES[name](path).__self__
    if name == "sentencepiece":
        return lambda texts: tokenizer.encode(texts, num_threads=os.cpu_count())
    if name == "gigatoken":
        return lambda texts: tokenizer.encode_batch_list(texts, parallel=True)
    if name == "nanotoken":
        return tokenizer.encode_batch_list
    return tokenizer.encode_batch


KINDS = {"xlmr": ["en", "mixed", "cjk"], "minilm": ["en", "mixed"], "qwen2": ["en", "mixed", "code"]}


def ids_of(result):
    ids = getattr(result, "ids", result)
    return [int(i) for i in ids]
