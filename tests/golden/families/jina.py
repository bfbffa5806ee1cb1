"""jina-embeddings-v2 (ALiBi) and v3 (RoPE, and an adapter a task in the weights themselves)."""
import re

import torch
from safetensors.torch import load_file, save_file
from transformers import JinaEmbeddingsV3Config, JinaEmbeddingsV3Model

from golden_builders import LIMIT, embedder
from golden_models import (LONG_TEXTS, fresh, golden_embeddings, golden_of, old_pipeline, read_json, scatter, unit,
                           write_json)
from golden_tokenizers import bert_tokenizer, save_tokenizer
from jina_reference import JinaBert

TASKS = ["retrieval.query", "retrieval.passage", "separation", "classification", "text-matching"]
INSTRUCTIONS = {"retrieval.query": "Represent the query for retrieving evidence documents: ",
                "retrieval.passage": "Represent the document for retrieval: "}
RANK, ALPHA = 2, 1


def v2_config(vocab_size, code, heads):
    remote = "jinaai/jina-bert-v2-qk-post-norm" if code else "jinaai/jina-bert-implementation"
    return {"architectures": ["JinaBertForMaskedLM"],
            "auto_map": {"AutoConfig": f"{remote}--configuration_bert.JinaBertConfig",
                         "AutoModel": f"{remote}--modeling_bert.JinaBertModel"},
            "attention_probs_dropout_prob": 0.0, "attn_implementation": "torch", "classifier_dropout": None,
            "emb_pooler": "mean", "feed_forward_type": "geglu", "gradient_checkpointing": False, "hidden_act": "gelu",
            "hidden_dropout_prob": 0.1, "hidden_size": 24, "initializer_range": 0.02, "intermediate_size": 36,
            "layer_norm_eps": 1e-12, "max_position_embeddings": 8192, "model_max_length": 8192, "model_type": "bert",
            "num_attention_heads": heads, "num_hidden_layers": 2, "pad_token_id": 1 if code else 0,
            "position_embedding_type": "alibi", "torch_dtype": "float32", "transformers_version": "4.26.0",
            "type_vocab_size": 2, "use_cache": True, "vocab_size": vocab_size}


def v2_shapes(config, code):
    """Names in the order they are drawn, with the dimensions of each."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    yield "embeddings.word_embeddings.weight", (config["vocab_size"], hidden)
    yield "embeddings.token_type_embeddings.weight", (config["type_vocab_size"], hidden)
    norms, linears = ["attention.output.LayerNorm"], {"attention.output.dense": (hidden, hidden)}
    linears |= {f"attention.self.{name}": (hidden, hidden) for name in ("query", "key", "value")}
    if code:
        norms += ["attention.self.layer_norm_q", "attention.self.layer_norm_k", "layer_norm_1", "layer_norm_2"]
        gated, down = "mlp.up_gated_layer", "mlp.down_layer"
    else:
        norms, gated, down = norms + ["mlp.layernorm"], "mlp.gated_layers", "mlp.wo"
    linears |= {down: (hidden, inner)}
    for layer in (f"encoder.layer.{i}." for i in range(config["num_hidden_layers"])):
        yield f"{layer}{gated}.weight", (2 * inner, hidden)  # has no bias
        for name, shape in linears.items():
            yield from ((f"{layer}{name}.weight", shape), (f"{layer}{name}.bias", shape[:1]))
        for name in norms:
            yield from ((f"{layer}{name}.weight", (hidden,)), (f"{layer}{name}.bias", (hidden,)))
    yield from (("embeddings.LayerNorm.weight", (hidden,)), ("embeddings.LayerNorm.bias", (hidden,)))
    yield from (("pooler.dense.weight", (hidden, hidden)), ("pooler.dense.bias", (hidden,)))


def drawn(shapes, seed):
    """As golden_models.scatter(): about 1 for the weights of norms."""
    torch.manual_seed(seed)
    return {name: torch.empty(shape).normal_(0, 0.25) + (len(shape) == 1 and name.endswith("weight")) for name, shape in shapes}


def v2(name, seed, code, heads):
    folder = fresh(name)
    tok = save_tokenizer(folder, "roberta", LIMIT) if code else bert_tokenizer(folder, LIMIT)
    config = v2_config(len(tok) if code else 72, code, heads)
    weights = drawn(v2_shapes(config, code), seed)
    save_file(weights, f"{folder}/model.safetensors", metadata={"format": "pt"})
    write_json(f"{folder}/config.json", config)
    old_pipeline(folder, config["hidden_size"], "mean_tokens", limit=LIMIT)
    model = JinaBert(weights, config)
    golden_of(folder, tok, LONG_TEXTS, LIMIT, lambda ids: model(ids).mean(0).numpy())


def v3_config(tokenizer, **changes):
    base = dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=36, num_hidden_layers=2, num_attention_heads=3,
                max_position_embeddings=LIMIT + 2, rope_parameters={"rope_type": "default", "rope_theta": 500.0},
                pad_token_id=1, bos_token_id=0, eos_token_id=2)
    return JinaEmbeddingsV3Config(**{**base, **changes})


def with_adapters(weights, seed):
    """The remote code's names: every matrix is an original and, task by task, two thin ones: B A, but A B of an embedding."""
    torch.manual_seed(seed)
    result = {}
    for name, value in weights.items():
        if value.dim() == 1 or name.startswith("pooler"):
            result["roberta." + name] = value
            continue
        base = "roberta." + name.replace(".weight", ".parametrizations.weight")
        rows, columns = value.shape
        a, b = ((rows, RANK), (RANK, columns)) if "embeddings" in name else ((RANK, columns), (rows, RANK))
        result |= {f"{base}.original": value, f"{base}.0.lora_A": torch.empty(len(TASKS), *a).normal_(0, 0.25),
                   f"{base}.0.lora_B": torch.empty(len(TASKS), *b).normal_(0, 0.25)}
    return result


def merged(weights, task):
    """The weights of one task under the names before."""
    result = {}
    for name, value in weights.items():
        if match := re.fullmatch(r"roberta\.(.*)\.parametrizations\.weight\.original", name):
            a, b = (weights[name.replace("original", f"0.lora_{part}")][task] for part in "AB")
            delta = a @ b if "embeddings" in name else b @ a
            result[match[1] + ".weight"] = value + delta * (ALPHA / RANK)
        elif "lora" not in name:
            result[name.removeprefix("roberta.")] = value
    return result


def v3_row(folder, weights):
    """The reference over these weights; they pass through a directory, for the conversion of their names."""
    save_file(weights, f"{folder}/model.safetensors", metadata={"format": "pt"})
    model = JinaEmbeddingsV3Model.from_pretrained(folder, add_pooling_layer=False).eval()
    return lambda ids: unit(model(torch.tensor([ids])).last_hidden_state[0].mean(0).numpy())


def v3_directory(folder, values):
    """What stands around the weights."""
    old_pipeline(folder, values["hidden_size"], "mean_tokens", "Normalize", limit=LIMIT)
    modules = read_json(f"{folder}/modules.json")
    modules[0] |= {"name": "transformer", "type": "custom_st.Transformer", "kwargs": ["task"]}
    write_json(f"{folder}/modules.json", modules)
    remote = "jinaai/xlm-roberta-flash-implementation"
    write_json(f"{folder}/config.json", {
        **{k: v for k, v in values.items() if k not in ("rope_parameters", "dtype", "tie_word_embeddings")},
        "model_type": "xlm-roberta", "architectures": ["XLMRobertaModel"],
        "auto_map": {"AutoConfig": f"{remote}--configuration_xlm_roberta.XLMRobertaFlashConfig",
                     "AutoModel": f"{remote}--modeling_lora.XLMRobertaLoRA"},
        "emb_pooler": None, "load_trained_adapters": True, "lora_adaptations": TASKS, "lora_alpha": ALPHA,
        "lora_dropout_p": 0.0, "lora_main_params_trainable": False, "lora_rank": RANK, "matryoshka_dimensions": [6, 12, 18],
        "position_embedding_type": "rotary", "rotary_emb_base": values["rope_parameters"]["rope_theta"],
        "task_instructions": {task: INSTRUCTIONS.get(task, "") for task in TASKS}, "torch_dtype": "float32",
        "use_flash_attn": True})


def v3(name, seed):
    folder = fresh(name)
    tok = save_tokenizer(folder, "xlmr", LIMIT)
    config = v3_config(tok, hidden_size=18, intermediate_size=28)
    model = scatter(JinaEmbeddingsV3Model(config, add_pooling_layer=False), seed)
    model.save_pretrained(folder)
    plain = load_file(f"{folder}/model.safetensors")
    weights = with_adapters(plain, seed + 1)
    golden_of(folder, tok, LONG_TEXTS, LIMIT, v3_row(folder, plain))
    for task in ("retrieval.query", "text-matching"):
        golden_of(folder, tok, LONG_TEXTS, LIMIT, v3_row(folder, merged(weights, TASKS.index(task))), f"golden-{task}")
    save_file(weights, f"{folder}/model.safetensors", metadata={"format": "pt"})
    v3_directory(folder, read_json(f"{folder}/config.json"))


def make():
    v2("jina-v2", 140, False, 6)
    v2("jina-v2-code", 141, True, 4)
    golden_embeddings(embedder("jina-v3-hf", 142, v3_config, JinaEmbeddingsV3Model, "xlmr", "mean"), LONG_TEXTS)
    v3("jina-v3", 143)
