"""DeBERTa v3 and v2: scores from content and from relative positions, apart."""
from transformers import DebertaV2Config, DebertaV2ForSequenceClassification, DebertaV2Model

from golden_builders import LIMIT, classifier, embedder
from golden_models import LONG_TEXTS, edit_json, golden_embeddings
from golden_tokenizers import WITH_TYPES


def sizes(tokenizer):
    return dict(vocab_size=len(tokenizer), hidden_size=24, intermediate_size=36, num_hidden_layers=2, num_attention_heads=3,
                max_position_embeddings=128, relative_attention=True, pad_token_id=tokenizer.pad_token_id)


def v3(tokenizer, **changes):
    """The keys of microsoft/deberta-v3-base, with fewer buckets."""
    base = dict(position_biased_input=False, pos_att_type="p2c|c2p", share_att_key=True, norm_rel_ebd="layer_norm",
                position_buckets=8, max_relative_positions=-1, type_vocab_size=0, pooler_hidden_size=24)
    return DebertaV2Config(**{**sizes(tokenizer), **base, **changes})


def v2(tokenizer, **changes):
    """What v3 doesn't use: positions' own projections, types, positions in the embeddings, no buckets."""
    base = dict(position_biased_input=True, pos_att_type="c2p|p2c", share_att_key=False, norm_rel_ebd="none",
                max_relative_positions=20, type_vocab_size=2, pooler_hidden_size=24,
                max_position_embeddings=LIMIT)
    return DebertaV2Config(**{**sizes(tokenizer), **base, **changes})


def make():
    folder = embedder("deberta-v3", 180, v3, DebertaV2Model, "deberta_v3", "mean")
    edit_json(f"{folder}/config.json", pos_att_type="p2c|c2p")  # which transformers would save as a list
    golden_embeddings(folder, LONG_TEXTS)
    classifier("deberta-v3-reranker", 181, v3, DebertaV2ForSequenceClassification, "deberta_v3", 1, WITH_TYPES, position_buckets=12)
    classifier("deberta-v2-classifier-3", 182, v2, DebertaV2ForSequenceClassification, "deberta_v3", 3, WITH_TYPES)
    golden_embeddings(embedder("deberta-v2-c2p", 183, v2, DebertaV2Model, "deberta_v3", "cls", False, pos_att_type="c2p",
                               position_biased_input=False, type_vocab_size=0), LONG_TEXTS)
