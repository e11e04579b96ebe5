#!/usr/bin/env python3
"""Makes tests/data/block_golden.json, ends_golden.json and pads_golden.json: random stacks of layers that mix all settings, carried out with PyTorch in double
precision as the papers have it; every layer that torch.nn.TransformerEncoderLayer can be is compared with that as well.

Needs python3-torch and python3-numpy; the tests need only the file. Run it from anywhere: it writes the same bytes
again with the same libraries on the same machine.

The file has for each stack the layers as a document says them, with the shape of each weight in the place of its
numbers: these and X, or the tables whose rows it is, are drawn by name (drawn, given), here and in
tests/core/document/block_golden.tests.cpp alike, as multiples of 1/64, exact in floats. What is expected is the stream
that leaves the last layer, and the probabilities where there is a readout; of every other stage one number, the sum of
its entries times weights that are drawn by its name; of the gradients of two losses by each parameter likewise.

A new setting: its choices in draw_layer (of the model as a whole: draw_model), its default in DEFAULTS, its weights in
shapes, and what it does in its place below.
"""
import functools
import math
import random

import numpy as np
import torch
import torch.nn.functional as F

from golden import write_cases

SEED = 47  # of the stacks; make_answer_golden.py draws the same
STACKS = 360
OWN = 60  # stacks in which heads have a mask, a window or a temperature of their own
ADDED = 70  # stacks with settings that came after those of the others, which stay as they are
PADDED = 80  # stacks with pads at the left: a file of their own, without gradients
ENDS = 130  # stacks with what stands around the layers and is not trained: a file of their own, without gradients
LARGEST_SCORE = 16  # floats know the exponential of a larger one to no more than 1e-6

# What a document may leave out.
DEFAULTS = {
    "mask": "none", "d_k": None, "scale": True, "temperature": 1, "residual": False, "gates": None, "qk_norm": False, "soft_cap": 0, "window": 0, "sink": "none", "output_gate": "none", "talking_heads": "none", "differential": None, "parallel": False,
    "norm": {"kind": "layer", "place": "before", "epsilon": 1e-5, "shared": False},
    "feed_forward": {"activation": "relu", "gated": False}, "rotary": {"base": 10000, "width": 0, "pairs": "halves", "scaling": "none", "factor": 4, "original_length": 2048, "slow_turns": 1, "fast_turns": 4, "magnitude": 0},
    "differential": {"lambda_0": 0.2}, "alibi": {"slopes": "geometric"}, "offset_bias": {"reach": None}, "dropout": 0, "dropout_seed": 1, "kv_of": None, "own": None,
    "final_norm": {"epsilon": 1e-5},
}

PARTS = ("norm", "feed_forward", "rotary", "differential", "alibi", "offset_bias")  # switches that are an object where they are on

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": functools.partial(F.gelu, approximate="tanh"),
               "silu": F.silu, "relu_squared": lambda x: F.relu(x) ** 2}
OWN_ACTIVATIONS = ("relu", "gelu", "gelu_tanh", "silu")  # drawn first; the others in the place of some of them


# --- numbers by name: core/linalg/random.h ---------------------------------------------------------------------------

BITS = 2**64 - 1


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & BITS
    z = (z ^ z >> 27) * 0x94D049BB133111EB & BITS
    return z ^ z >> 31


def drawn(name, seed, shape, most):
    """Whole numbers from -most to most, divided by 64: SplitMix64 from the name's hash."""
    state = 0xCBF29CE484222325
    for byte in name.encode():
        state = (state ^ byte) * 0x100000001B3 & BITS
    state = mix(state ^ mix(seed + 0x9E3779B97F4A7C15 & BITS))
    values = []
    for _ in range(math.prod(shape)):
        state = state + 0x9E3779B97F4A7C15 & BITS
        values.append(((mix(state) >> 11) % (2 * most + 1) - most) / 64)
    return torch.tensor(values, dtype=torch.float64).reshape(shape)


def given(name, seed, shape):
    """A parameter: a table within 1, another matrix within 1.5 / sqrt(rows), a bias or shift within 0.5, a gain from 0.5
    to 1.5."""
    if name in ("E", "P", "T"):
        return drawn(name, seed, shape, 64)
    if len(shape) == 2:
        return drawn(name, seed, shape, int(96 / math.sqrt(shape[0])))
    return drawn(name, seed, shape, 32) + (1 if "gain" in name else 0)


# --- what is drawn ---------------------------------------------------------------------------------------------------


def divisors(number):
    return [k for k in range(1, number + 1) if number % k == 0]


def draw_mask(rng, n):
    """A custom mask may hide every key from a query."""
    kind = rng.choice(["none", "causal", "custom"])
    return [[int(rng.random() < 0.6) for _ in range(n)] for _ in range(n)] if kind == "custom" else kind


def draw_norm(rng):
    return {"kind": rng.choice(["layer", "rms"]), "place": rng.choice(["before", "after"]),
            "epsilon": rng.choice([1e-5, 1e-5, 1e-6, 0.01, 0.3]), "shared": False}


def draw_feed_forward(rng, d_model):
    return {"width": rng.choice([1, 3, 8, 4 * d_model]), "activation": rng.choice(OWN_ACTIVATIONS),
            "gated": rng.random() < 0.4}


def draw_rotary(rng, d_k):
    return {"base": rng.choice([10000, 500000, 10, 2.5]), "width": 2 * rng.randint(0, d_k // 2),
            "pairs": rng.choice(["halves", "neighbours"])}


def draw_variants(rng, mask, d_k, chance):
    """Each with that chance. Differential attention excludes heads that talk, and turns halves."""
    differential = d_k % 2 == 0 and rng.random() < 1.6 * chance
    return {"differential": {"lambda_0": rng.choice([0, 0.2, 0.35, 0.8])} if differential else None,
            "sink": rng.choice(["zero", "learned"]) if rng.random() < chance else "none",
            "output_gate": rng.choice(["head", "element"]) if rng.random() < chance else "none",
            "talking_heads": rng.choice(["before", "after", "both"]) if not differential and rng.random() < 2 * chance else "none",
            "window": rng.randint(1, 4) if mask == "causal" and rng.random() < 2 * chance else 0,
            "alibi": {"slopes": "geometric"} if mask == "causal" and rng.random() < 2 * chance else None, "soft_cap": rng.choice([0.5, 3, 10, 50]) if rng.random() < chance else 0, "qk_norm": rng.random() < chance, "rotary": draw_rotary(rng, d_k // 2 if differential else d_k) if rng.random() < chance else None}


def draw_layer(rng, n, d_model):
    """All settings of a layer; None for what is off."""
    own = rng.random() < 0.2
    heads = rng.randint(1, 6) if own else rng.choice(divisors(d_model))
    d_k = rng.choice([1, 2, 3, 5, 8]) if own else d_model // heads
    mask = draw_mask(rng, n)
    s = {"heads": heads, "d_k": d_k if own else None, "kv_heads": rng.choice(divisors(heads)), "mask": mask,
         "scale": rng.random() < 0.75, "temperature": rng.choice([1, 1, 0.7, 2, 3.3]),
         "gates": [rng.randint(0, 16) / 8 for _ in range(heads)] if rng.random() < 0.3 else None,
         "residual": rng.random() < 0.75, "offset_bias": None, "dropout": 0, "dropout_seed": 1, "kv_of": None,
         "norm": draw_norm(rng) if rng.random() < 0.75 else None,
         "feed_forward": draw_feed_forward(rng, d_model) if rng.random() < 0.75 else None,
         **draw_variants(rng, mask, d_k, 0 if rng.random() < 0.6 else 0.45)}
    after = s["norm"] is not None and s["norm"]["place"] == "after"
    s["parallel"] = s["feed_forward"] is not None and not after and rng.random() < 0.5
    if s["parallel"] and s["norm"]:
        s["norm"]["shared"] = rng.random() < 0.5
    return s


def draw_slopes(rng, s):
    """Which slopes ALiBi has; mostly the interleaved ones where they are others."""
    if s["alibi"]:
        others = s["heads"] & s["heads"] - 1
        s["alibi"]["slopes"] = "interleaved" if rng.random() < (0.65 if others else 0.4) else "geometric"


def draw_scaling(rng):
    """Some pairs of so few words turn often, some not once: bounds on both sides of what they do."""
    kind = rng.choice(["none", "linear", "llama3", "yarn"])
    scaling = {"scaling": kind}
    if kind != "none":
        scaling["factor"] = rng.choice([1.5, 4, 8, 32])
    if kind in ("llama3", "yarn"):
        scaling |= {"original_length": rng.choice([16, 64, 2048]), "slow_turns": rng.choice([0.05, 0.5, 1]), "fast_turns": rng.choice([2, 4, 32])}
    if kind == "yarn":
        scaling["magnitude"] = rng.choice([0, 0, 0.75, 1.25])
    return scaling


def draw_later(rng, s, n):
    """Settings that came later, by numbers of their own, so that what others draw stays; no other place of norms
    where PyTorch's own layer is compared with."""
    if s["norm"] and not is_encoder_layer(s, n) and rng.random() < 0.4:
        s["norm"]["place"] = rng.choice(["both", "output"])
        s["norm"]["shared"] = s["norm"]["shared"] and s["norm"]["place"] == "both"
    if s["feed_forward"] and rng.random() < 0.25:
        s["feed_forward"]["activation"] = "relu_squared"
    if s["rotary"]:
        s["rotary"] |= draw_scaling(rng)
    s["qk_norm_over"] = "all_heads" if s["qk_norm"] and rng.random() < 0.5 else "head"


def draw_own(rng, s):
    """What heads have of their own, in documents' words; with the chance of a half each, and one at least. Heads that
    talk have the layer's mask, and ALiBi asks for causal ones."""
    s["own"] = []
    while not s["own"]:
        for h in range(s["heads"]):
            if rng.random() < 0.5:
                continue
            rule, kind = {"head": h}, s["mask"]
            if s["talking_heads"] == "none":
                if rng.random() < 0.5:
                    kind = rule["mask"] = "causal" if s["alibi"] else rng.choice(["none", "causal", "causal"])
                if kind == "causal" and rng.random() < 0.6:
                    rule["window"] = rng.randint(1, 4)
            if len(rule) == 1 or rng.random() < 0.5:
                rule["temperature"] = rng.choice([0.5, 0.7, 1, 2, 3.3])
            s["own"].append(rule)


def of_head(s, h):
    """The mask, the window and the temperature of a head; a mask of its own has a window of its own, or none."""
    rule = next((rule for rule in s.get("own") or [] if rule["head"] == h), {})
    window = rule.get("window", 0 if "mask" in rule else s["window"])
    return rule.get("mask", s["mask"]), window, rule.get("temperature", s["temperature"])


def draw_added(rng, s):
    """Settings of the added stacks alone."""
    s["offset_bias"] = {"reach": rng.choice([1, 2, 3, 9])} if rng.random() < 0.6 else None
    s["dropout"] = rng.choice([0.1, 0.25, 0.5]) if rng.random() < 0.5 else 0
    s["dropout_seed"] = rng.choice([1, 2, 30, 16777216]) if s["dropout"] else 1
    if s["heads"] > 2 and rng.random() < 0.7:  # groups that are not all of one size
        s["kv_of"] = [0]
        while len(s["kv_of"]) < s["heads"]:
            s["kv_of"].append(s["kv_of"][-1] + (rng.random() < 0.4))
        sizes = {s["kv_of"].count(k) for k in s["kv_of"]}
        s["kv_heads"] = s["kv_of"][-1] + 1
        s["kv_of"] = s["kv_of"] if len(sizes) > 1 else None


def width_of_head(s, d_model):
    return s["d_k"] or d_model // s["heads"]


def shapes(rng, s, d_model):
    """The parameters of a layer with these settings; biases by chance."""
    d_k = width_of_head(s, d_model)
    concat, kv_width = s["heads"] * d_k, s["kv_heads"] * d_k
    of = {"W_Q": [d_model, concat], "W_K": [d_model, kv_width], "W_V": [d_model, kv_width], "W_O": [concat, d_model]}
    biases = {"b_Q": concat, "b_K": kv_width, "b_V": kv_width, "b_O": d_model}
    if s["feed_forward"]:
        width = s["feed_forward"]["width"]
        of |= {"W_1": [d_model, width], "W_2": [width, d_model]}
        of |= {"W_3": [d_model, width]} if s["feed_forward"]["gated"] else {}
        biases |= {"b_1": width, "b_2": d_model}
    if s["sink"] == "learned":
        of |= {"sink": [s["heads"]]}
    if s["output_gate"] != "none":
        of |= {"W_G": [d_model, concat]} if s["output_gate"] == "element" else {"w_G": [d_model, s["heads"]]}
    for P, places in (("P_L", ("before", "both")), ("P_W", ("after", "both"))):
        of |= {P: [s["heads"], s["heads"]]} if s["talking_heads"] in places else {}
    if s["offset_bias"]:
        of |= {"B": [s["heads"], 2 * s["offset_bias"]["reach"] + 1]}
    if s["differential"]:
        of |= {"lambda_" + name: [d_k // 2] for name in ("q1", "k1", "q2", "k2")}
        of |= {"gain_O": [concat]}
    if s["qk_norm"]:
        of |= {"gain_Q": [concat], "gain_K": [kv_width]}
    if s["norm"]:
        before = "" if s["norm"]["place"] == "output" else "12" if s["feed_forward"] and not s["norm"]["shared"] else "1"
        given_by = ("YF" if s["feed_forward"] else "Y") if s["norm"]["place"] in ("both", "output") else ""
        for k in before + given_by:
            of |= {"gain_" + k: [d_model]}
            of |= {"shift_" + k: [d_model]} if s["norm"]["kind"] == "layer" else {}
    return of | {name: [width] for name, width in biases.items() if rng.random() < 0.5}


def draw_model(rng, n, d_model):
    """What stands around the layers: the table that words are read in by, with their places in it, the final norm, the
    readout; None for what is off. With the parameters, for each object of the document."""
    m, weights = {"embedding": None, "final_norm": None, "readout": None}, {}
    if rng.random() < 0.5:
        words = rng.randint(2, 9)
        m["embedding"] = {"words": words, "rows": [[rng.randrange(words)] for _ in range(n)],
                          "places": rng.randint(n, n + 3) if rng.random() < 0.6 else None}
        weights["embedding"] = {"E": [words, d_model]}
        if m["embedding"]["places"]:
            weights["embedding"]["P"] = [m["embedding"]["places"], d_model]
    if rng.random() < 0.6:
        m["final_norm"] = {"kind": rng.choice(["layer", "rms"]), "epsilon": rng.choice([1e-5, 1e-5, 1e-6, 0.01, 0.3])}
        weights["final_norm"] = {"gain": [d_model]} | (
            {"shift": [d_model]} if m["final_norm"]["kind"] == "layer" else {})
    kind = rng.choice(["none", "tied", "own", "own"] if m["embedding"] else ["none", "own"])
    if kind != "none":
        words = m["embedding"]["words"] if kind == "tied" else rng.randint(1, 11)
        questions = rng.choice([1, 1, 2, 3, 4]) if kind == "own" else 1
        m["readout"] = {"kind": kind, "words": words, "questions": questions}
        weights["readout"] = {"W_U": [d_model, questions * words]} if kind == "own" else {}
        weights["readout"] |= {"b_U": [questions * words]} if rng.random() < 0.5 else {}
    return m, weights


def draw_ends(rng, seed, m, weights, d_model):
    """Beside that: types of tokens, the norm after the embedding, the transform, the cap of the logits. What has few
    choices takes them in turn."""
    if m["embedding"]:
        m["types"] = rng.choice([0, 1, 2, 2, 3])
        weights["embedding"] |= {"T": [m["types"], d_model]} if m["types"] else {}
        if rng.random() < 0.8:
            m["embedding_norm"] = {"kind": ["layer", "rms"][seed % 2], "epsilon": rng.choice([1e-5, 1e-12, 0.01, 0.3])}
            weights["embedding_norm"] = {"gain_E": [d_model]} | (
                {"shift_E": [d_model]} if m["embedding_norm"]["kind"] == "layer" else {})
    if rng.random() < 0.8:
        m["transform"] = {"activation": list(ACTIVATIONS)[seed % len(ACTIVATIONS)]}
        weights["transform"] = {"W_T": [d_model, d_model]} | ({"b_T": [d_model]} if rng.random() < 0.5 else {})
    if m["readout"] and rng.random() < 0.6:
        m["readout"]["cap"] = rng.choice([0.5, 2, 30])


def add_words(rng, embedding):
    """Some tokens are made of two or three words."""
    for rows in embedding["rows"]:
        rows += [rng.randrange(embedding["words"]) for _ in range(rng.choice([0, 0, 0, 1, 2]))]


def add_pads(rng, m, pads):
    """In the place of the first tokens, as the last of the words."""
    m["pads"], m["pad_places"] = pads, rng.random() < 0.2
    if m["embedding"]:
        m["embedding"]["rows"][:pads] = [[m["embedding"]["words"] - 1]] * pads


def vocabulary(words, last=""):
    """The last one separates, where there are types, or is the pad."""
    return [f"w{k}" for k in range(words - bool(last))] + [last] * bool(last)


def model_document(m, weights):
    """The objects beside the layers; words are w0, w1 and so on."""
    document = {"pads": m["pads"]} if m.get("pads") else {}
    if m.get("pad_places"):
        document["pad_places"] = "all"
    if m["embedding"]:
        words = vocabulary(m["embedding"]["words"], "[PAD]" if m.get("pads") else "[SEP]" if m.get("types") else "")
        tokens = ["+".join(words[row] for row in rows) for rows in m["embedding"]["rows"]]
        document["tokens"] = tokens[m.get("pads", 0):]
        document["embedding"] = {"kind": "learned", "vocabulary": words,
                                 "positions": "learned" if m["embedding"]["places"] else "none",
                                 **({"types": m["types"]} if m.get("types") else {}), **weights["embedding"]}
    if m.get("embedding_norm"):
        document["embedding_norm"] = m["embedding_norm"] | weights["embedding_norm"]
    if m.get("transform"):
        document["transform"] = m["transform"] | weights["transform"]
    if m["final_norm"]:
        document["final_norm"] = {key: value for key, value in m["final_norm"].items()
                                  if value != DEFAULTS["final_norm"].get(key)} | weights["final_norm"]
    if m["readout"]:
        own = {"vocabulary": vocabulary(m["readout"]["words"])} if m["readout"]["kind"] == "own" else {}
        if m["readout"]["questions"] > 1:
            own["questions"] = [f"q{k}" for k in range(m["readout"]["questions"])]
        if "cap" in m["readout"]:
            own["cap"] = m["readout"]["cap"]
        document["readout"] = {"kind": m["readout"]["kind"], **own, **weights["readout"]}
    return document


def as_document(s, d_model, weights):
    """The layer as a document says it, what is as it is by default left out."""
    defaults = {**DEFAULTS, "kv_heads": s["heads"], "qk_norm_over": s["qk_norm_over"], "number": s["number"], "pads": s["pads"], **{part: None for part in PARTS}}
    if s["kv_of"]:  # which says how many there are
        defaults["kv_heads"] = s["kv_heads"]
    layer = {key: value for key, value in s.items() if value != defaults.get(key)}
    for part in PARTS:
        if s[part]:
            defaults = {**DEFAULTS[part], "width": 4 * d_model}
            layer[part] = {key: value for key, value in s[part].items() if value != defaults[key]}
    if s["qk_norm_over"] != "head":
        layer["qk_norm"] = {"over": s["qk_norm_over"]}
    if layer.get("alibi") == {}:
        layer["alibi"] = True  # of which nothing must be said
    return {**layer, "weights": weights}


# --- the reference ---------------------------------------------------------------------------------------------------


def single(number):
    """As documents hold numbers."""
    return float(np.float32(number))


class Stages:
    """What a layer computes, by name. What is only handed on has none of its own."""

    def __init__(self, stream):
        self.stream, self.named = stream, {}

    def note(self, name, value):
        if not any(value is other for other in (self.stream, *self.named.values())):
            self.named[name] = value
        return value


def normed(x, s, gain, shift):
    """s: its kind and epsilon."""
    epsilon = single(s["epsilon"])
    if s["kind"] == "layer":
        return F.layer_norm(x, x.shape[-1:], gain, shift, epsilon)
    return x / torch.sqrt((x**2).mean(dim=-1, keepdim=True) + epsilon) * gain


def norm(x, s, w, which):
    return normed(x, s["norm"], w["gain_" + which], w.get("shift_" + which)) if s["norm"] else x


def places_of(n, pads):
    """As the field counts them (cumsum(attention_mask) - 1): of the first word 0; pads stand there, too."""
    return (torch.arange(n) - pads).clamp(min=0)


def allowed_keys(s, n, h=0):
    """[n x n], row = query. Pads see nothing, and nothing sees them."""
    words = torch.arange(n) >= s["pads"]
    return allowed_words(s, n, h) & words & words[:, None]


def allowed_words(s, n, h):
    mask, window, _ = of_head(s, h)
    if mask == "none":
        return torch.ones(n, n, dtype=torch.bool)
    if mask == "causal":
        return torch.ones(n, n).tril().triu(1 - (window or n)).bool()
    return torch.tensor(mask, dtype=torch.bool)


def linear(x, W, b):
    return x @ W if b is None else x @ W + b


def brought_to_size(x, s, gain):
    if gain is None:
        return x
    epsilon = single(s["norm"]["epsilon"] if s["norm"] else 1e-5)
    return x / torch.sqrt((x**2).mean(dim=-1, keepdim=True) + epsilon) * gain


def frequencies(s, width):
    """Of each pair, and what rotated numbers are multiplied by. Scaled by factor: all; those of wavelengths above
    length / slow, not those below length / fast, and between by what is between (Llama 3.1's code); or by a ramp in the
    number of the pair (Peng et al. 2023)."""
    r, base = s["rotary"], single(s["rotary"]["base"])
    whole = [base ** (-2 * j / max(width, 1)) for j in range(width // 2)]
    factor = single(r.get("factor", 4))
    if r["scaling"] == "none":
        return whole, 1
    if r["scaling"] == "linear":
        return [f / factor for f in whole], 1
    length, slow, fast = r["original_length"], single(r["slow_turns"]), single(r["fast_turns"])
    if r["scaling"] == "llama3":
        made = []
        for f in whole:
            wavelength = 2 * math.pi / f
            if wavelength > length / slow:
                made.append(f / factor)
            elif wavelength < length / fast:
                made.append(f)
            else:
                smooth = (length / wavelength - slow) / (fast - slow)
                made.append((1 - smooth) * f / factor + smooth * f)
        return made, 1
    place = lambda turns: width * math.log(length / (2 * math.pi * turns)) / (2 * math.log(base))
    low, high = max(0, math.floor(place(fast))), min(width - 1, math.ceil(place(slow)))
    high += 0.001 if high == low else 0
    ramp = [min(1, max(0, (j - low) / (high - low))) for j in range(width // 2)]
    magnitude = single(r["magnitude"]) or 0.1 * math.log(factor) + 1
    return [f / factor * share + f * (1 - share) for f, share in zip(whole, ramp)], magnitude


def turned(x, s):
    """Su et al. 2021, equation 15, by complex numbers: a pair is one, and turning it a product."""
    if not s["rotary"]:
        return x
    n, d_k = x.shape
    width = s["rotary"]["width"] or d_k // 2 * 2
    r, rest = x[:, :width], x[:, width:]
    halves = s["rotary"]["pairs"] == "halves"
    pairs = torch.stack(r.chunk(2, dim=1) if halves else (r[:, ::2], r[:, 1::2]), dim=2).contiguous()
    of_pairs, magnitude = frequencies(s, width)
    angles = places_of(n, s["pads"]).double()[:, None] * torch.tensor(of_pairs, dtype=torch.float64)
    pairs = torch.view_as_real(torch.view_as_complex(pairs) * torch.polar(magnitude * torch.ones_like(angles), angles))
    r = torch.cat([pairs[..., 0], pairs[..., 1]], dim=1) if halves else pairs.flatten(1)
    return torch.cat([r, rest], dim=1)


def opened(output, x, s, w, h):
    """What the head takes, times its gates: Qiu et al. 2025, equation 5."""
    if s["output_gate"] == "none":
        return output
    if s["output_gate"] == "head":
        return output * torch.sigmoid(x @ w["w_G"][:, h:h + 1])
    return output * torch.sigmoid(x @ w["W_G"][:, h * output.shape[1]:(h + 1) * output.shape[1]])


def set_of(s, h):
    """Whose keys and values a head reads."""
    return s["kv_of"][h] if s["kv_of"] else h // (s["heads"] // s["kv_heads"])


def heard(P, of_heads):
    """Shazeer et al. 2020, section 3: of what all heads have, what each hears."""
    return list(of_heads) if P is None else list(torch.einsum("hl,lij->hij", P, torch.stack(of_heads)))


def in_halves(x, s):
    """What meets in the scores: all columns, or of differential attention each half."""
    return x.chunk(2, dim=-1) if s["differential"] else (x,)


def made_ready(x, s, gain):
    """Queries or keys of a head, or of half a head."""
    return turned(brought_to_size(x, s, gain), s)


def slopes(s):
    """Press et al. 2022, section 3, for any number of heads; or, as they and others have it in code, of the next power of
    two first all slopes at even steps, then from the steepest one on those at odd steps."""
    heads = s["heads"]
    of = heads if s["alibi"]["slopes"] == "geometric" else 2 ** (heads - 1).bit_length()
    steps = range(1, of + 1)
    if of != heads:
        steps = sorted(steps, key=lambda step: (step % 2, step))
    return [2 ** (-8 * step / of) for step in steps][:heads]


def by_offset(biases, n, pads):
    """[n x n], row = query: of a key's offset, or of the nearest that is reached, the bias (Shaw et al. 2018, section
    3.2; a number for each head and offset: Raffel et al. 2020)."""
    reach, places = len(biases) // 2, places_of(n, pads)
    return biases[(places - places[:, None]).clamp(-reach, reach) + reach]


def scored(query, key, s, w, h):
    n, width = query.shape
    scores = query @ key.T / single(of_head(s, h)[2])
    if s["scale"]:
        scores = scores / math.sqrt(width)
    if s["soft_cap"]:
        scores = single(s["soft_cap"]) * torch.tanh(scores / single(s["soft_cap"]))
    if s["alibi"]:
        places = places_of(n, s["pads"]).double()
        scores = scores - slopes(s)[h] * (places[:, None] - places)
    if s["offset_bias"]:
        scores = scores + by_offset(w["B"][h], n, s["pads"])
    return scores


def softmaxed(scores, allowed, s, w, h):
    if s["sink"] != "none":
        sink = w["sink"][h] if s["sink"] == "learned" else torch.tensor(0.0, dtype=torch.float64)
        return F.softmax(torch.cat([scores, sink.expand(len(scores), 1)], dim=1), dim=1)[:, :-1]
    # A query that may see nothing attends to nothing; by the formula that would be 0 / 0.
    return torch.where(allowed.any(dim=1, keepdim=True), F.softmax(scores, dim=1), torch.zeros_like(scores))


def first_from(state):
    """Of SplitMix64 the first number from that state."""
    return mix(state + 0x9E3779B97F4A7C15 & BITS)


def dropped(pattern, s, h):
    """Srivastava et al. 2014: a weight is 0 with the probability, else divided by what is left. The number that is drawn
    for a weight is that of the seed, the layer, the head, the query and the key."""
    if not s["dropout"]:
        return pattern
    rate, key = single(s["dropout"]), s["dropout_seed"]
    for number in (s["number"], h):
        key = first_from(key) + number
    places = [k - s["pads"] for k in range(len(pattern))]
    rows = [first_from(first_from(key) + i & BITS) for i in places]
    kept = [[(first_from(row + j & BITS) >> 11) / 2**53 >= rate for j in places] for row in rows]
    return pattern * torch.tensor(kept, dtype=torch.float64) / (1 - rate)


def lambda_of(s, w):
    """Ye et al. 2024, equation 2."""
    return (torch.exp(torch.dot(w["lambda_q1"], w["lambda_k1"])) - torch.exp(torch.dot(w["lambda_q2"], w["lambda_k2"]))
            + single(s["differential"]["lambda_0"]))


def left_of(output, s, w, columns):
    """A head's output, as it leaves it but for gates: Ye et al. 2024, equation 3."""
    if not s["differential"]:
        return output
    epsilon = single(s["norm"]["epsilon"] if s["norm"] else 1e-5)
    normed = output / torch.sqrt((output**2).mean(dim=-1, keepdim=True) + epsilon)
    return (1 - single(s["differential"]["lambda_0"])) * normed * w["gain_O"][columns]


def attention(x, s, w, note):
    n, d_model = x.shape
    heads, d_k = s["heads"], width_of_head(s, d_model)
    Q, K, V = (linear(x, w["W_" + m], w.get("b_" + m)) for m in "QKV")
    together = s["qk_norm"] and s["qk_norm_over"] == "all_heads"
    if together:
        Q, K = brought_to_size(Q, s, w["gain_Q"]), brought_to_size(K, s, w["gain_K"])
    Q, K, V = (rows.split(d_k, dim=1) for rows in (Q, K, V))
    allowed = [allowed_keys(s, n, h) for h in range(heads)]
    all_scores, outputs = [], []  # of each head, or of the first and the second half of each
    for h in range(heads):
        group = set_of(s, h)
        gains = (w["gain_Q"][h * d_k:(h + 1) * d_k], w["gain_K"][group * d_k:(group + 1) * d_k]) if s["qk_norm"] and not together else ()
        queries, keys = in_halves(Q[h], s), in_halves(K[group], s)
        gains = [in_halves(gain, s) for gain in gains] or [[None] * len(queries)] * 2
        for query, key, gain_q, gain_k in zip(queries, keys, *gains):
            all_scores.append(scored(made_ready(query, s, gain_q), made_ready(key, s, gain_k), s, w, h))
    parts = len(all_scores) // heads
    all_scores = [scores.masked_fill(~allowed[k // parts], -math.inf)
                  for k, scores in enumerate(heard(w.get("P_L"), all_scores))]
    patterns = [softmaxed(scores, allowed[k // parts], s, w, k // parts) for k, scores in enumerate(all_scores)]
    if s["differential"]:
        note("scores_2", torch.cat(all_scores[1::2]))
        note("attention_2", torch.cat(patterns[1::2]))
        patterns = [first - lambda_of(s, w) * second for first, second in zip(patterns[::2], patterns[1::2])]
    patterns = heard(w.get("P_W"), patterns)
    for h, pattern in enumerate(patterns):
        gate = s["gates"][h] if s["gates"] else 1
        output = left_of(dropped(pattern, s, h) @ V[set_of(s, h)], s, w, slice(h * d_k, (h + 1) * d_k))
        outputs.append(gate * opened(output, x, s, w, h))
    note("scores", torch.cat(all_scores[::parts]))
    note("attention", torch.cat(patterns))
    return note("output", linear(torch.cat(outputs, dim=1), w["W_O"], w.get("b_O")))


def feed_forward(x, s, w, note):
    hidden = ACTIVATIONS[s["feed_forward"]["activation"]](linear(x, w["W_1"], w.get("b_1")))
    if s["feed_forward"]["gated"]:
        hidden = hidden * (x @ w["W_3"])
    note("hidden", hidden)
    return note("feed_forward", linear(hidden, w["W_2"], w.get("b_2")))


def block(x, s, w, note):
    """The stream that leaves, from the one that enters, x [n x d_model]."""
    def plus(stream, part):
        return stream + part if s["residual"] else part

    place = s["norm"]["place"] if s["norm"] else None

    def read_by(stream, which):
        return note("norm_" + which, norm(stream, s, w, which)) if place in ("before", "both") else stream

    def given_by(part, which):
        return note("normed_" + which, norm(part, s, w, which)) if place in ("both", "output") else part

    if s["parallel"]:  # x + Attention(N_1(x)) + F(N_2(x))
        read = read_by(x, "1")
        beside = read if place is None or s["norm"]["shared"] else read_by(x, "2")
        heads = given_by(attention(read, s, w, note), "Y")
        return note("stream", plus(x, heads + given_by(feed_forward(beside, s, w, note), "F")))
    between = "stream_1" if s["feed_forward"] else "stream"
    if s["norm"] and s["norm"]["place"] == "after":  # y = N_1(x + Attention(x)), N_2(y + F(y))
        y = note(between, norm(note("sum_1", plus(x, attention(x, s, w, note))), s, w, "1"))
        if not s["feed_forward"]:
            return y
        return note("stream", norm(note("sum_2", plus(y, feed_forward(y, s, w, note))), s, w, "2"))
    # y = x + Attention(N_1(x)), y + F(N_2(y)); of what a part gives its norm
    y = note(between, plus(x, given_by(attention(read_by(x, "1"), s, w, note), "Y")))
    if not s["feed_forward"]:
        return y
    return note("stream", plus(y, given_by(feed_forward(read_by(y, "2"), s, w, note), "F")))


def read_in(m, w, seed, n, d_model):
    """X: rows of tables, or numbers of its own."""
    if not m["embedding"]:
        return drawn("X", seed, [n, d_model], 128)
    rows = m["embedding"]["rows"]
    begins = np.cumsum([0] + [len(of_token) for of_token in rows[:-1]])
    X = F.embedding_bag(torch.tensor(sum(rows, [])), w["E"], torch.tensor(begins), mode="sum")
    if m["embedding"]["places"]:
        before = 0 if m.get("pad_places") else m.get("pads", 0)  # that have no place
        X = X + F.pad(w["P"][:n - before], (0, 0, before, 0))
    if m.get("types"):  # up to the first token that is the separator, that included, the first; after it the second
        ends = [rows == [m["embedding"]["words"] - 1] for rows in m["embedding"]["rows"]]
        X = X + w["T"][[min(m["types"] - 1, int(any(ends[:k]))) for k in range(n)]]
    return normed(X, m["embedding_norm"], w["gain_E"], w.get("shift_E")) if m.get("embedding_norm") else X


def read_out(stream, m, w, note):
    """The probabilities of the next words, or None."""
    if m.get("transform"):
        transformed = note("transformed", linear(stream, w["W_T"], w.get("b_T")))
        stream = note("activated", ACTIVATIONS[m["transform"]["activation"]](transformed))
    final = normed(stream, m["final_norm"], w["gain"], w.get("shift")) if m["final_norm"] else stream
    if m["final_norm"] or m["readout"]:
        note("final", final)
    if not m["readout"]:
        return None
    W_U = w["E"].T if m["readout"]["kind"] == "tied" else w["W_U"]
    logits = linear(final, W_U, w.get("b_U"))
    if cap := m["readout"].get("cap"):
        logits = cap * torch.tanh(logits / cap)
    logits = note("logits", logits)
    return torch.cat([F.softmax(of_one, dim=1) for of_one in logits.split(m["readout"]["words"], dim=1)], dim=1)


# --- the same by PyTorch's own layer ---------------------------------------------------------------------------------


def is_encoder_layer(s, n):
    return (s["residual"] and not s.get("own") and not s["d_k"] and not s["parallel"] and not s["rotary"] and not s["qk_norm"] and not s["soft_cap"] and not s["alibi"] and not s["offset_bias"] and not s["dropout"] and s["sink"] == "none" and s["output_gate"] == "none" and s["talking_heads"] == "none" and not s["differential"]
            and s["norm"] is not None and s["norm"]["kind"] == "layer" and s["norm"]["place"] in ("before", "after")
            and s["feed_forward"] is not None and not s["feed_forward"]["gated"]
            and bool(allowed_keys(s, n).any(dim=1).all()))  # else its rows are NaN


def by_encoder_layer(x, s, w):
    """What it has no setting for goes into its weights: temperature and scale into W_Q, gates into W_O, shared keys and
    values as copies for every head."""
    d_model, heads = x.shape[1], s["heads"]
    layer = torch.nn.TransformerEncoderLayer(
        d_model, heads, s["feed_forward"]["width"], dropout=0, activation=ACTIVATIONS[s["feed_forward"]["activation"]],
        layer_norm_eps=single(s["norm"]["epsilon"]), norm_first=s["norm"]["place"] == "before").double()
    d_k = d_model // heads
    into_Q = (1 if s["scale"] else math.sqrt(d_k)) / single(s["temperature"])
    gates = torch.tensor(s["gates"] or [1.0] * heads, dtype=torch.float64).repeat_interleave(d_k)

    def bias(name, like):
        return w.get(name, torch.zeros(like.shape[1], dtype=torch.float64))

    def for_every_head(values):
        groups = values.split(d_k, dim=-1)
        return torch.cat([groups[set_of(s, h)] for h in range(heads)], dim=-1)

    def copy(parameter, values):
        parameter.copy_(values)

    with torch.no_grad():
        copy(layer.self_attn.in_proj_weight,
             torch.cat([w["W_Q"] * into_Q, for_every_head(w["W_K"]), for_every_head(w["W_V"])], dim=1).T)
        copy(layer.self_attn.in_proj_bias,
             torch.cat([bias("b_Q", w["W_Q"]) * into_Q, *(for_every_head(bias("b_" + m, w["W_" + m])) for m in "KV")]))
        copy(layer.self_attn.out_proj.weight, (gates[:, None] * w["W_O"]).T)
        copy(layer.self_attn.out_proj.bias, bias("b_O", w["W_O"]))
        for k, part in (("1", layer.linear1), ("2", layer.linear2)):
            copy(part.weight, w["W_" + k].T)
            copy(part.bias, bias("b_" + k, w["W_" + k]))
        for k, part in (("1", layer.norm1), ("2", layer.norm2)):
            copy(part.weight, w["gain_" + k])
            copy(part.bias, w["shift_" + k])
        return layer(x[:, None, :], src_mask=~allowed_keys(s, len(x)))[:, 0, :]


# --- stacks ----------------------------------------------------------------------------------------------------------


def seen(scores):
    """Masked ones as 0."""
    return scores.masked_fill(scores == -math.inf, 0)


def summed(name, seed, value):
    return float((drawn(name, seed, value.shape, 64) * seen(value)).sum())


def gradients(m, w_model, layers, n, d_model, seed):
    """By autograd, of two losses by every parameter, a number each: the mean square of the stream less what is drawn as
    target, and where there is a readout the mean cross-entropy of drawn answers."""
    parameters = {**w_model, **{f"layers.{k}.{name}": value for k, (_, w) in enumerate(layers) for name, value in w.items()}}
    learned = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    w_model = {name: learned[name] for name in w_model}
    stream = read_in(m, w_model, seed, n, d_model)
    if not m["embedding"]:
        learned["X"] = stream = stream.clone().requires_grad_()
    for k, (s, w) in enumerate(layers):
        stream = block(stream, s, {name: learned[f"layers.{k}.{name}"] for name in w}, lambda name, value: value)
    losses = {"square": ((stream - drawn("target", seed, [n, d_model], 128)) ** 2).mean()}
    if m["readout"]:
        out = {}
        read_out(stream, m, w_model, lambda name, value: out.setdefault(name, value))
        parts = m["readout"].get("questions", 1)
        by_question = out["logits"].reshape(n * parts, -1)
        whole = (drawn("answers", seed, [n, parts], 4096) * 64).round().long() % by_question.shape[1]
        losses["cross"] = F.cross_entropy(by_question, whole.reshape(-1))
    made = {}
    for kind, loss in losses.items():
        found = torch.autograd.grad(loss, list(learned.values()), retain_graph=True, allow_unused=True)
        made[kind] = [[name, summed(f"{kind}.{name}", seed, value.reshape(-1, value.shape[-1]))]
                      for name, value in zip(learned, found) if value is not None]
    return made


def make_stack(rng, seed, ends=False, own=False, added=False, pads=0):
    """The case, and what is different about those of its layers that PyTorch's own was compared with."""
    n, d_model = pads + rng.randint(1, 7), rng.choice([2, 3, 4, 5, 6, 8, 9, 10, 12, 16])
    m, of_model = draw_model(random.Random(f"model {seed}"), n, d_model)
    if m["embedding"]:
        add_words(random.Random(f"words {seed}"), m["embedding"])
    if pads:
        add_pads(random.Random(f"pads {seed}"), m, pads)
    if ends:
        draw_ends(random.Random(f"ends {seed}"), seed, m, of_model, d_model)
    w_model = {name: given(name, seed, shape) for part in of_model.values() for name, shape in part.items()}
    stream = read_in(m, w_model, seed, n, d_model)
    layers, stages, compared, carried_out = [], [], [], []
    for k in range(rng.choice([1, 1, 1, 2, 2, 2, 3, 3, 4])):
        while True:
            s = draw_layer(rng, n, d_model)
            s["number"], s["pads"] = k, pads
            draw_slopes(random.Random(f"slopes {seed} {k}"), s)
            draw_later(random.Random(f"later {seed} {k}"), s, n)
            if own:
                draw_own(random.Random(f"own {seed} {k}"), s)
            if added:
                draw_added(random.Random(f"added {seed} {k}"), s)
            weights = shapes(rng, s, d_model)
            w = {name: given(f"layers.{k}.{name}", seed, shape) for name, shape in weights.items()}
            made = Stages(stream)
            leaves = block(stream, s, w, made.note)
            if all(seen(made.named[name]).abs().max() <= LARGEST_SCORE for name in ("scores", "scores_2") if name in made.named):
                break
        if is_encoder_layer(s, n):
            difference = (by_encoder_layer(stream, s, w) - leaves).abs().max()
            assert difference <= 1e-12 * leaves.abs().max(), f"stack {seed}, layer {k}: PyTorch's layer differs"
            compared.append((s["norm"]["place"], s["feed_forward"]["activation"]))
        carried_out.append((s, w))
        layers.append(as_document(s, d_model, weights))
        stages.append([[name, summed(f"layers.{k}.{name}", seed, value)] for name, value in made.named.items()])
        stream = leaves
    out = {}
    probabilities = read_out(stream, m, w_model, lambda name, value: out.setdefault(name, value))
    case = {"seed": seed, "n": n, "document": {"d_model": d_model, **model_document(m, of_model), "layers": layers},
            "stages": stages, "stream": stream.numpy(),
            "out": [[name, summed(name, seed, value)] for name, value in out.items()]}
    if probabilities is not None:
        assert out["logits"].abs().max() <= LARGEST_SCORE, f"stack {seed}: draw smaller weights of the readout"
        case["probabilities"] = probabilities.numpy()
    if ends and "activated" in out:  # of next to nothing that is left floats know few digits
        case["cancels"] = bool(out["activated"].abs().max() < 0.01 * out["transformed"].abs().max())
    if not ends and not pads:
        case["gradients"] = gradients(m, w_model, carried_out, n, d_model, seed)
    return case, compared


def main():
    torch.set_num_threads(1)
    rng = random.Random(SEED)
    cases, compared = [], []
    for seed in range(STACKS):
        case, of_it = make_stack(rng, seed)
        cases.append(case)
        compared += of_it
    cases += [make_stack(random.Random(f"own stack {seed}"), 2000 + seed, own=True)[0] for seed in range(OWN)]
    cases += [make_stack(random.Random(f"added stack {seed}"), 3000 + seed, added=True)[0] for seed in range(ADDED)]
    missing = {(place, activation) for place in ("before", "after") for activation in ACTIVATIONS} - set(compared)
    assert not missing, f"PyTorch's layer was not compared with at all its settings: {missing}"
    write_cases("block_golden.json", cases, digits=15)
    rng = random.Random(14)
    ends = [make_stack(rng, 1000 + seed, ends=True)[0] for seed in range(ENDS)]
    padded = [make_stack(random.Random(f"padded stack {seed}"), 4000 + seed, own=seed % 3 == 0, added=seed % 3 == 1,
                         pads=1 + seed % 4)[0] for seed in range(PADDED)]
    write_cases("pads_golden.json", padded, digits=15)
    write_cases("ends_golden.json", [case for case in ends if not case.pop("cancels", False)], digits=15)
    print(f"{len(compared)} layers compared with torch.nn.TransformerEncoderLayer")


if __name__ == "__main__":
    main()
