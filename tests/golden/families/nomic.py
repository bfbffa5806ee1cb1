"""NomicBERT: BERT with RoPE and SwiGLU. The same weights in the layouts of the remote code and of transformers."""
import shutil

from transformers import NomicBertConfig, NomicBertModel

from golden_builders import embedder
from golden_models import LONG_TEXTS, fresh, golden_embeddings, read_json, write_json
from golden_tokenizers import WITH_TYPES

PROMPTS = {"query": "search query: ", "document": "search document: "}


def config(tokenizer, **changes):
    base = dict(vocab_size=72, hidden_size=24, intermediate_size=36, num_hidden_layers=2, num_attention_heads=3,
                max_position_embeddings=128, rope_parameters={"rope_type": "default", "rope_theta": 1000.0},
                pad_token_id=tokenizer.pad_token_id)
    return NomicBertConfig(**{**base, **changes})


def remote_config(values):
    """The keys of nomic-ai/nomic-embed-text-v1.5."""
    return {
        "activation_function": "swiglu", "architectures": ["NomicBertModel"], "attn_pdrop": 0.0,
        "auto_map": {"AutoConfig": "nomic-ai/nomic-bert-2048--configuration_hf_nomic_bert.NomicBertConfig",
                     "AutoModel": "nomic-ai/nomic-bert-2048--modeling_hf_nomic_bert.NomicBertModel"},
        "bos_token_id": None, "causal": False, "dense_seq_output": True, "embd_pdrop": 0.0, "eos_token_id": None,
        "fused_bias_fc": True, "fused_dropout_add_ln": True, "initializer_range": 0.02,
        "layer_norm_epsilon": values["layer_norm_eps"], "max_trained_positions": values["max_position_embeddings"],
        "mlp_fc1_bias": False, "mlp_fc2_bias": False, "model_type": "nomic_bert", "n_embd": values["hidden_size"],
        "n_head": values["num_attention_heads"], "n_inner": values["intermediate_size"],
        "n_layer": values["num_hidden_layers"], "n_positions": 8192, "pad_vocab_size_multiple": 8, "parallel_block": False,
        "parallel_block_tied_norm": False, "prenorm": False, "qkv_proj_bias": False, "reorder_and_upcast_attn": False,
        "resid_pdrop": 0.0, "rotary_emb_base": int(values["rope_parameters"]["rope_theta"]), "rotary_emb_fraction": 1.0,
        "rotary_emb_interleaved": False, "rotary_emb_scale_base": None, "rotary_scaling_factor": None,
        "scale_attn_by_inverse_layer_idx": False, "scale_attn_weights": True, "torch_dtype": "float32",
        "type_vocab_size": values["type_vocab_size"], "use_cache": True, "use_flash_attn": True, "use_rms_norm": False,
        "use_xentropy": True, "vocab_size": values["vocab_size"]}


def make():
    # transformers saves the names of the remote code: encoder.layers.N.attn.Wqkv ...
    folder = embedder("nomic-bert", 110, config, NomicBertModel, "electra", "mean", options={"prompts": PROMPTS}, names=WITH_TYPES)
    golden_embeddings(folder, LONG_TEXTS)
    copy = shutil.copytree(folder, fresh("nomic-bert-remote"), dirs_exist_ok=True)
    write_json(f"{copy}/config.json", remote_config(read_json(f"{folder}/config.json")))
    copy = shutil.copytree(folder, fresh("nomic-bert-native-names"), dirs_exist_ok=True)
    NomicBertModel.from_pretrained(folder).save_pretrained(copy, save_original_format=False)
