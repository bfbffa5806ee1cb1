"""GTE of Alibaba-NLP (gte-base-en-v1.5, gte-multilingual): BERT with RoPE, fixed NTK scaling and GeGLU.

The remote code's model_type is "new", that of transformers "gte"; transformers writes the remote code's names of tensors.
"""
import shutil

from transformers import GteConfig, GteForSequenceClassification, GteModel

from golden_builders import classifier, embedder
from golden_models import LONG_TEXTS, fresh, golden_embeddings, read_json, rewrite_weights, write_json
from golden_tokenizers import WITH_TYPES


def ntk(theta, factor, head_dim):
    """theta * factor, and every frequency divided by factor^(2/head_dim): which transformers can say as linear scaling."""
    return {"rope_type": "linear", "rope_theta": theta * factor, "factor": factor ** (2 / head_dim)}


def config(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=36, num_hidden_layers=2, num_attention_heads=3,
                max_position_embeddings=128, pad_token_id=tokenizer.pad_token_id, type_vocab_size=0,
                rope_parameters=ntk(100.0, 2.0, 8))
    return GteConfig(**{**base, **changes})


def remote_config(values, theta, factor):
    """The keys of Alibaba-NLP/gte-base-en-v1.5."""
    kind = "NewModel" if values["architectures"] == ["GteModel"] else "NewForSequenceClassification"
    return {**{k: v for k, v in values.items() if k not in ("rope_parameters", "dtype", "tie_word_embeddings")},
            "model_type": "new", "architectures": [kind],
            "auto_map": {"AutoConfig": "configuration.NewConfig", "AutoModel": "modeling.NewModel",
                         "AutoModelForSequenceClassification": "modeling.NewForSequenceClassification"},
            "layer_norm_type": "layer_norm", "logn_attention_clip1": False, "logn_attention_scale": False, "pack_qkv": True,
            "position_embedding_type": "rope", "rope_scaling": {"factor": factor, "type": "ntk"}, "rope_theta": theta,
            "torch_dtype": "float32", "unpad_inputs": False, "use_memory_efficient_attention": False}


def to_remote(folder, theta, factor):
    write_json(f"{folder}/config.json", remote_config(read_json(f"{folder}/config.json"), theta, factor))


def reranker(name, seed):
    """As gte-multilingual-reranker-base: XLM-RoBERTa's tokenizer, one type, a pooler."""
    folder = classifier(name, seed, config, GteForSequenceClassification, "xlmr", 1, type_vocab_size=1,
                        rope_parameters=ntk(50.0, 8.0, 8))
    rewrite_weights(folder, lambda weights: {k.replace("gte.", "new.", 1): v for k, v in weights.items()})
    to_remote(folder, 50, 8.0)


def make():
    folder = embedder("gte", 120, config, GteModel, "electra", "cls", False, names=WITH_TYPES)
    golden_embeddings(folder, LONG_TEXTS)
    copy = shutil.copytree(folder, fresh("gte-new"), dirs_exist_ok=True)
    to_remote(copy, 100, 2.0)
    copy = shutil.copytree(folder, fresh("gte-native-names"), dirs_exist_ok=True)
    GteModel.from_pretrained(folder).save_pretrained(copy, save_original_format=False)
    reranker("gte-new-reranker", 121)
