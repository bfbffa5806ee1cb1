"""Token ids exactly as Hugging Face `tokenizers` makes them from the same tokenizer.json, many times faster.

    from bouquet_tokenizer import Tokenizer
    tokenizer = Tokenizer.from_file("tokenizer.json")
    ids = tokenizer.encode("two kinds of traffic")          # a NumPy array of int32
    many = tokenizer.encode_batch(texts, max_length=512)    # on all processors
"""
from ._native import Encoding, Tokenizer

__all__ = ["Encoding", "Tokenizer"]
