"""What the real default model gives: tests/golden/minilm.{safetensors,json}."""
from sentence_transformers import SentenceTransformer

from golden_models import HERE, save_case

REAL_TEXTS = [
    "hello", "two kinds of traffic", "one engine", "This is a test", "北京天安门", "Hokkaidō", "Café crème brûlée in São Paulo, naïve résumé",
    "Быстрая коричневая лиса перепрыгивает через ленивую собаку", "速い茶色の狐が怠け者の犬を飛び越える", "الثعلب البني السريع", "😀 👩‍👩‍👧 emoji",
    "importData" + " test" * 64, "trust", "Hello?", "Hello!", "def f(x):\n    return x + 1\n", " ",
] + [" ".join(["the quick brown fox jumps over the lazy dog"] * n) for n in (2, 5, 10, 14, 20, 28, 40, 80)]


def real_model(path):
    st = SentenceTransformer(path, device="cpu")
    st.max_seq_length = 256
    encoded = [st.tokenizer(t, truncation=True, max_length=256, return_token_type_ids=True) for t in REAL_TEXTS]
    rows = [st.encode([t], batch_size=1)[0] for t in REAL_TEXTS]
    save_case(HERE, encoded, rows, REAL_TEXTS, "minilm")
