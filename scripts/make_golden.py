#!/usr/bin/env python3
"""Makes tests/data/attention_golden.json: multi-head attention on random configurations, every stage by plain NumPy in
double precision, and attention and output by PyTorch's nn.MultiheadAttention as well.

Needs python3-numpy and python3-torch; the tests need only the file. Run it from anywhere: it writes the same bytes again
with the same libraries on the same machine. Inputs are multiples of 1/64, so they are exact in float, double and in the file.
"""
import json
import math
import pathlib
import random

import numpy as np
import torch

# n, d_model, heads, biases, mask, scale, temperature, and kv_heads where heads share keys and values (to PyTorch, which
# has no such layer, they are repeated for every head of the group). Custom masks: "custom" leaves every query something to attend to,
# "custom with empty rows" does not (there PyTorch gives NaN, and only NumPy speaks).
CONFIGURATIONS = [
    (1, 1, 1, "", "none", True, 1),
    (1, 4, 2, "", "none", True, 1),
    (1, 8, 8, "QKVO", "causal", True, 1),
    (2, 2, 1, "", "none", True, 1),
    (2, 2, 2, "QKVO", "none", True, 1),
    (3, 4, 1, "", "causal", True, 1),
    (3, 6, 3, "", "none", False, 1),
    (4, 6, 2, "QKV", "none", True, 1),
    (4, 8, 4, "O", "none", True, 1),
    (5, 15, 3, "", "none", True, 1),
    (5, 15, 5, "QKVO", "custom", True, 1),
    (5, 15, 15, "QKVO", "causal", True, 1),
    (6, 12, 3, "Q", "custom", True, 1),
    (6, 12, 4, "K", "none", True, 0.5),
    (7, 9, 3, "V", "causal", True, 1),
    (7, 10, 5, "", "custom", False, 2),
    (7, 14, 7, "QKVO", "custom with empty rows", True, 1),
    (8, 16, 4, "", "custom with empty rows", True, 1),
    (9, 7, 7, "QKVO", "none", True, 4),
    (9, 21, 3, "QKVO", "causal", True, 0.25),
    (11, 13, 1, "QKVO", "custom", True, 1),
    (13, 24, 6, "", "none", True, 1),
    (17, 20, 4, "QKVO", "custom with empty rows", False, 8),
    (12, 32, 8, "QKVO", "none", True, 1),
    (1, 4, 2, "QKVO", "none", True, 1, 1),
    (6, 12, 6, "", "none", True, 1, 2),
    (7, 16, 8, "QKVO", "causal", True, 0.5, 1),
    (8, 24, 12, "QKVO", "custom", False, 1, 3),
    (9, 16, 4, "KV", "custom with empty rows", True, 1, 2),
]


def draw(rng, rows, cols, size):
    return np.array([[rng.randint(-64 * size, 64 * size) / 64 for _ in range(cols)] for _ in range(rows)])


def draw_mask(rng, kind, n):
    """1 where the query (row) may attend to the key (column); None for no mask."""
    if kind == "none":
        return None
    if kind == "causal":
        return np.tril(np.ones((n, n), dtype=int))
    allowed = np.array([[rng.randint(0, 1) for _ in range(n)] for _ in range(n)])
    for i in range(n):
        allowed[i, rng.randrange(n)] = 1
    if kind == "custom with empty rows":
        allowed[rng.randrange(n), :] = 0
        allowed[n - 1, :] = 0
    return allowed


def by_numpy(case, heads, scale, temperature, allowed, kv_heads):
    X = case["X"]
    n, d_model = X.shape
    d_k = d_model // heads
    factor = (1 / math.sqrt(d_k) if scale else 1) / temperature
    zeros = np.zeros(d_model)
    stages = []
    Y = np.zeros((n, d_model))
    for i in range(heads):
        part = slice(i * d_k, (i + 1) * d_k)
        group = i // (heads // kv_heads)
        own = {"Q": part, "K": slice(group * d_k, (group + 1) * d_k), "V": slice(group * d_k, (group + 1) * d_k)}
        Q, K, V = (X @ case["W_" + m][:, own[m]] + case.get("b_" + m, zeros)[own[m]] for m in "QKV")
        scores = Q @ K.T * factor
        if allowed is not None:
            scores = np.where(allowed, scores, -np.inf)
        attention = np.zeros((n, n))
        for row in range(n):
            top = scores[row].max()
            if top > -np.inf:
                e = np.exp(scores[row] - top)
                attention[row] = e / e.sum()
        output = attention @ V
        contribution = output @ case["W_O"][part, :]
        Y = Y + contribution
        stages.append(dict(Q=Q, K=K, V=V, scores=scores, attention=attention, output=output, contribution=contribution))
    return stages, Y + case.get("b_O", zeros)


def repeated(case, heads, kv_heads):
    """The case with a copy of its group's keys and values for every head."""
    def repeat(values):
        blocks = np.split(values, kv_heads, axis=-1)
        return np.concatenate([blocks[i // (heads // kv_heads)] for i in range(heads)], axis=-1)

    return {name: repeat(value) if name[-1] in "KV" else value for name, value in case.items()}


def by_torch(case, heads, scale, temperature, allowed):
    """attention [heads x n x n] and Y. nn.MultiheadAttention always divides by sqrt(d_k): other factors go into Q."""
    X = case["X"]
    d_model = X.shape[1]
    into_Q = (1 if scale else math.sqrt(d_model // heads)) / temperature
    layer = torch.nn.MultiheadAttention(d_model, heads, bias=True, batch_first=True).double().eval()
    zeros = np.zeros(d_model)
    weights = np.concatenate([case["W_Q"].T * into_Q, case["W_K"].T, case["W_V"].T])
    biases = np.concatenate([case.get("b_Q", zeros) * into_Q, case.get("b_K", zeros), case.get("b_V", zeros)])
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.from_numpy(weights))
        layer.in_proj_bias.copy_(torch.from_numpy(biases))
        layer.out_proj.weight.copy_(torch.from_numpy(case["W_O"].T.copy()))
        layer.out_proj.bias.copy_(torch.from_numpy(case.get("b_O", zeros)))
        x = torch.from_numpy(X).unsqueeze(0)
        mask = None if allowed is None else torch.from_numpy(allowed == 0)
        Y, attention = layer(x, x, x, attn_mask=mask, need_weights=True, average_attn_weights=False)
    return attention[0].numpy(), Y[0].numpy()


def plain(value):
    """Lists for JSON: 15 significant digits, masked scores null."""
    if isinstance(value, np.ndarray):
        return [plain(v) for v in value]
    if isinstance(value, (float, np.floating)):
        return None if math.isinf(value) else float(f"{value:.15g}")
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def make_case(rng, n, d_model, heads, biases, kind, scale, temperature, kv_heads=None):
    case = {"X": draw(rng, n, d_model, 2)}
    kv_heads = kv_heads or heads
    width = {m: d_model // heads * kv_heads if m in "KV" else d_model for m in "QKVO"}
    for m in "QKVO":
        case["W_" + m] = draw(rng, d_model, width[m], 1)
    for m in biases:
        case["b_" + m] = draw(rng, 1, width[m], 1)[0]
    allowed = draw_mask(rng, kind, n)
    stages, Y = by_numpy(case, heads, scale, temperature, allowed, kv_heads)
    shared = {} if kv_heads == heads else {"kv_heads": kv_heads}
    result = {"heads": heads, **shared, "scale": scale, "temperature": temperature, "mask": kind.split()[0], **case}
    if result["mask"] == "custom":
        result["allowed"] = allowed
    result["numpy"] = {"heads": stages, "output": Y}
    if allowed is None or allowed.any(axis=1).all():
        attention, torch_Y = by_torch(repeated(case, heads, kv_heads), heads, scale, temperature, allowed)
        assert np.abs(torch_Y - Y).max() <= 1e-12 * np.abs(Y).max(), "NumPy and PyTorch disagree"
        result["torch"] = {"attention": attention, "output": torch_Y}
    return plain(result)


def main():
    torch.set_num_threads(1)
    rng = random.Random(1)
    cases = [make_case(rng, *configuration) for configuration in CONFIGURATIONS]
    path = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "attention_golden.json"
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    path.write_text("[\n" + lines + "\n]\n")
    print(f"{path}: {len(cases)} configurations, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
