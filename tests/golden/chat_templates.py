"""The prompts of rerankers that are language models, as sentence-transformers has them: a message with the role query, one with
the role document, and perhaps one with the role system, for an instruction."""


def template(text):
    """text is split at its {{ }}; jinja would drop a newline at the end, so what stands between is said as expressions."""
    parts = []
    for i, part in enumerate(text.replace("{{", "\0").replace("}}", "\0").split("\0")):
        parts.append("{{- %s }}" % (part.strip() if i % 2 else '"%s"' % part.replace('"', '\\"').replace("\n", "\\n")))
    return "\n".join(parts)


def content(role):
    return f'{{{{ (messages | selectattr("role", "eq", "{role}") | first).content }}}}'


INSTRUCTION = ('{{ (messages | selectattr("role", "eq", "system") | map(attribute="content") | first) | '
               'default("Given a web search query, retrieve relevant passages that answer the query") }}')

QWEN3_RERANKER = template(
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that "
    'the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n<Instruct>: ' + INSTRUCTION
    + "\n<Query>: " + content("query") + "\n<Document>: " + content("document")
    + "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n")

MXBAI_RERANK_V2 = template(
    "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\nquery: "
    + content("query") + "\ndocument: " + content("document")
    + "\nYou are a search relevance expert who evaluates how well documents match search queries. For each query-document pair, "
    "carefully analyze the semantic relationship between them, then provide your binary relevance judgment (0 for not relevant, "
    "1 for relevant).\nRelevance:<|im_end|>\n<|im_start|>assistant\n")
