"""What the module promises beyond the C++ tests: types, characters instead of bytes, threads, errors."""
import json
import os
import threading
import unittest

import numpy as np
from bouquet_tokenizer import Tokenizer


def added(id_, content):
    return dict(id=id_, content=content, special=True, single_word=False, lstrip=False, rstrip=False, normalized=False)


FILE = json.dumps({
    "added_tokens": [added(1, "[CLS]"), added(2, "[SEP]")],
    "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                   "lowercase": True},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
              "vocab": {p: i for i, p in enumerate(["[UNK]", "[CLS]", "[SEP]", "ab", "##c", "北", "x", "é"])}}})


def on_four_threads(work):
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class TokenizerTest(unittest.TestCase):
    def setUp(self):
        self.tokenizer = Tokenizer.from_str(FILE)

    def test_ids_are_arrays(self):
        ids = self.tokenizer.encode("ABC x")
        self.assertEqual(ids.dtype, np.int32)
        self.assertEqual(ids.tolist(), [1, 3, 4, 6, 2])
        self.assertEqual(self.tokenizer.encode("abc", add_special_tokens=False).tolist(), [3, 4])
        self.assertEqual(self.tokenizer.encode("x [SEP]", literal_special_tokens=True).tolist().count(2), 1)

    def test_length_and_side(self):
        self.assertEqual(self.tokenizer.encode("ab x 北", max_length=3).tolist(), [1, 3, 2])
        self.assertEqual(self.tokenizer.encode("ab x 北", max_length=3, truncation_side="left").tolist(), [1, 5, 2])

    def test_offsets_are_characters(self):
        full = self.tokenizer.encode_full("北北 ab", "ü x")
        self.assertEqual(full.ids.tolist(), [1, 5, 5, 3, 2, 0, 6, 2])
        self.assertEqual(full.offsets.tolist(), [[0, 0], [0, 1], [1, 2], [3, 5], [0, 0], [0, 1], [2, 3], [0, 0]])
        self.assertEqual(full.type_ids.tolist(), [0, 0, 0, 0, 0, 1, 1, 1])
        self.assertEqual(full.special_tokens_mask.tolist(), [1, 0, 0, 0, 1, 0, 0, 1])
        self.assertFalse(full.truncated)
        self.assertEqual(len(full), 8)

    def test_batch_is_in_order(self):
        texts = ["ab " * (i % 50) + "x" for i in range(5000)]
        for threads in (0, 1, 3):
            many = self.tokenizer.encode_batch(texts, threads=threads)
            self.assertEqual([len(ids) for ids in many], [i % 50 + 3 for i in range(5000)])

    def test_batches_from_many_threads(self):
        texts = ["ab " * 100] * 300
        right = [[1] + [3] * 100 + [2]] * 300
        wrong = []

        def work():
            for _ in range(20):
                if [ids.tolist() for ids in self.tokenizer.encode_batch(texts, threads=4)] != right:
                    wrong.append(True)

        on_four_threads(work)
        self.assertEqual(wrong, [])

    def test_batch_in_a_forked_child(self):
        texts = ["ab " * 100] * 300
        self.tokenizer.encode_batch(texts, threads=2)
        if (child := os.fork()) == 0:
            os._exit(0 if len(self.tokenizer.encode_batch(texts, threads=2)[299]) == 102 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_threads_share_it(self):
        wrong = []

        def work():
            for _ in range(500):
                if self.tokenizer.encode("abc x").tolist() != [1, 3, 4, 6, 2]:
                    wrong.append(True)

        on_four_threads(work)
        self.assertEqual(wrong, [])

    def test_decode_and_vocabulary(self):
        self.assertEqual(self.tokenizer.decode([1, 3, 4, 6, 2]), "abc x")
        self.assertEqual(self.tokenizer.token_to_id("ab"), 3)
        self.assertIsNone(self.tokenizer.token_to_id("nothing"))
        self.assertEqual(self.tokenizer.id_to_token(3), "ab")
        self.assertIsNone(self.tokenizer.id_to_token(99))
        self.assertEqual(self.tokenizer.vocab_size, 8)

    def test_errors_say_what_is_wrong(self):
        with self.assertRaisesRegex(ValueError, "is not JSON"):
            Tokenizer.from_str("{")
        with self.assertRaisesRegex(ValueError, "nowhere"):
            Tokenizer.from_file("/nowhere/tokenizer.json")
        with self.assertRaisesRegex(ValueError, "max_length"):
            self.tokenizer.encode("a", max_length=0)
        with self.assertRaisesRegex(ValueError, "truncation_side"):
            self.tokenizer.encode("a", truncation_side="up")
        with self.assertRaises(TypeError):
            self.tokenizer.encode(5)
        with self.assertRaises(UnicodeEncodeError):
            self.tokenizer.encode("\ud800")
        with self.assertRaises(TypeError):
            self.tokenizer.encode_batch(["a", 5])


if __name__ == "__main__":
    unittest.main()
