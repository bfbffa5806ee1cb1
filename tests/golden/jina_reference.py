"""JinaBERT v2 (jina-embeddings-v2-*), which no library carries: BERT with symmetric ALiBi and a gated feed-forward.

From its two remote implementations, jinaai/jina-bert-implementation (v2-small-en ...) and jinaai/jina-bert-v2-qk-post-norm
(v2-base-code): names of tensors, order of norms and the half of the gate differ.
"""
import math

import torch
from torch.nn.functional import gelu, layer_norm, linear


def slopes(heads):
    """One a head. Of a count that is no power of two: those of the power below, then every other one of twice that power."""
    power = 2 ** math.floor(math.log2(heads))
    start = 2 ** (-8 / power)
    first = [start ** (i + 1) for i in range(power)]
    return first if power == heads else first + slopes(2 * power)[0::2][:heads - power]


class JinaBert:
    def __init__(self, weights, config):
        self.weights, self.config = weights, config
        self.is_code = "encoder.layer.0.mlp.up_gated_layer.weight" in weights

    def linear(self, name, x):
        return linear(x, self.weights[name + ".weight"], self.weights.get(name + ".bias"))

    def norm(self, name, x):
        weight = self.weights[name + ".weight"]
        return layer_norm(x, weight.shape, weight, self.weights[name + ".bias"], self.config["layer_norm_eps"])

    def attention(self, layer, x):
        heads = self.config["num_attention_heads"]
        q, k, v = (self.linear(f"{layer}.attention.self.{name}", x) for name in ("query", "key", "value"))
        if self.is_code:  # norms over all heads together
            q, k = self.norm(f"{layer}.attention.self.layer_norm_q", q), self.norm(f"{layer}.attention.self.layer_norm_k", k)
        q, k, v = (t.view(len(x), heads, -1).transpose(0, 1) for t in (q, k, v))
        place = torch.arange(len(x))
        bias = -torch.tensor(slopes(heads))[:, None, None] * (place[:, None] - place[None]).abs()
        scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[2]) + bias
        mixed = (scores.softmax(2) @ v).transpose(0, 1).reshape(x.shape)
        return self.norm(f"{layer}.attention.output.LayerNorm", self.linear(f"{layer}.attention.output.dense", mixed) + x)

    def layer(self, name, x):
        y = self.attention(name, x)
        if self.is_code:
            y = self.norm(f"{name}.layer_norm_1", x + y)
            up, gate = self.linear(f"{name}.mlp.up_gated_layer", y).chunk(2, dim=1)
            return self.norm(f"{name}.layer_norm_2", y + self.linear(f"{name}.mlp.down_layer", up * gelu(gate)))
        gate, up = self.linear(f"{name}.mlp.gated_layers", y).chunk(2, dim=1)
        return self.norm(f"{name}.mlp.layernorm", self.linear(f"{name}.mlp.wo", gelu(gate) * up) + y)

    def __call__(self, ids):
        embeddings = {name: self.weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "token_type")}
        x = self.norm("embeddings.LayerNorm", embeddings["word"][ids] + embeddings["token_type"][0])
        for i in range(self.config["num_hidden_layers"]):
            x = self.layer(f"encoder.layer.{i}", x)
        return x
