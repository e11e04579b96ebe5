#!/usr/bin/env python3
"""Writes seeded models of every family that is opened, in just the layout that the hub has them in, with what PyTorch
computes of them: tests/data/checkpoints. The forward passes are written here from the papers and the files' layouts, in
float64 over the numbers that the file holds. Usage: scripts/make_model_golden.py [FAMILY...]"""

import json
import math
import pathlib
import struct
import sys

import torch
import torch.nn.functional as F

OUT = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "checkpoints"
IDS = [3, 1, 4, 1, 5, 9, 2]
TYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


class Made:
    """Draws arrays as they are asked for, keeps them by name, and gives them in float64."""

    def __init__(self, seed, dtype="F32"):
        self.random = torch.Generator().manual_seed(seed)
        self.arrays, self.dtype = {}, dtype

    def __call__(self, name, *shape, around=0.0, size=0.5):
        values = around + size * torch.randn(*shape, generator=self.random, dtype=torch.float64)
        stored = values.to(TYPES[self.dtype])
        self.arrays[name] = stored
        return stored.to(torch.float64)


def write(family, made, config, logits, patterns, stream=None, X=None):
    """logits: None where nothing is read out; then stream is what leaves the last layer. X: what a model without words reads."""
    folder = OUT / family
    folder.mkdir(parents=True, exist_ok=True)
    header, blob = {"__metadata__": {"format": "pt"}}, b""
    for name in sorted(made.arrays):
        array = made.arrays[name].contiguous()
        raw = array.view(torch.int16 if array.element_size() == 2 else torch.int32).numpy().tobytes()
        header[name] = {"dtype": made.dtype, "shape": list(array.shape), "data_offsets": [len(blob), len(blob) + len(raw)]}
        blob += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + blob)
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    rounded = lambda t: [[float(f"{v:.8g}") for v in row] for row in t.tolist()]
    begin = {"ids": IDS} if X is None else {"X": rounded(X)}
    end = {"stream": rounded(stream)} if logits is None else {"logits": rounded(logits)}
    golden = {**begin, **end, "patterns": [[rounded(head) for head in layer] for layer in patterns]}
    (folder / "golden.json").write_text(json.dumps(golden) + "\n")


def causal(n, window=None):
    i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
    seen = j <= i
    return seen if window is None else seen & (i - j < window)


def attention(q, k, v, seen, scale, cap=None, slopes=None):
    """q [h, n, d_k]; k, v with as many or fewer heads, each shared by neighbours. slopes: ALiBi's, of each head."""
    share = q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(share, 0), v.repeat_interleave(share, 0)
    scores = (q @ k.transpose(1, 2)) * scale
    if cap is not None:
        scores = cap * torch.tanh(scores / cap)
    if slopes is not None:
        places = torch.arange(q.shape[1], dtype=torch.float64)
        scores = scores + torch.tensor(slopes)[:, None, None] * (places[None, :] - places[:, None])
    pattern = torch.softmax(scores.masked_fill(~seen, -math.inf), -1)
    return pattern @ v, pattern


def heads_of(x, heads):
    return x.view(x.shape[0], heads, -1).transpose(0, 1)


def together(x):
    return x.transpose(0, 1).reshape(x.shape[1], -1)


def rms(x, gain, eps):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * gain


def layer_norm(x, gain, shift, eps):
    return F.layer_norm(x, x.shape[-1:], gain, shift, eps)


def frequencies(base, width, scaling):
    """With what cosines and sines are multiplied by. linear: Chen et al. 2023; llama3: by wavelengths, as Llama 3.1 was
    published; yarn: Peng et al. 2023, the ramp in the index of the pair."""
    whole = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "default":
        return whole, 1.0
    factor = scaling["factor"]
    if kind == "linear":
        return whole / factor, 1.0
    length = scaling["original_max_position_embeddings"]
    if kind == "llama3":
        low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
        made = []
        for f in whole.tolist():
            wavelength = 2 * math.pi / f
            smooth = (length / wavelength - low) / (high - low)
            made.append(f if wavelength < length / high else f / factor if wavelength > length / low else
                        (1 - smooth) * f / factor + smooth * f)
        return torch.tensor(made, dtype=torch.float64), 1.0
    turning = lambda turns: width * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base))
    low = max(math.floor(turning(scaling.get("beta_fast", 32))), 0)
    high = min(math.ceil(turning(scaling.get("beta_slow", 1))), width - 1)
    ramp = ((torch.arange(width // 2, dtype=torch.float64) - low) / (high - low)).clamp(0, 1)
    grown = lambda share: 0.1 * share * math.log(factor) + 1
    magnitude = grown(scaling["mscale"]) / grown(scaling["mscale_all_dim"]) if "mscale" in scaling else grown(1)
    return whole / factor * ramp + whole * (1 - ramp), scaling.get("attention_factor", magnitude)


def rotated(x, base, width, scaling={}):
    """Halves: numbers j and j + width / 2 of the first width of each head."""
    n = x.shape[1]
    frequency, magnitude = frequencies(base, width, scaling)
    angle = torch.arange(n, dtype=torch.float64)[:, None] * frequency
    cos, sin = magnitude * torch.cos(angle), magnitude * torch.sin(angle)
    a, b = x[..., : width // 2], x[..., width // 2 : width]
    return torch.cat([a * cos - b * sin, b * cos + a * sin, x[..., width:]], -1)


def gpt2(family, linear, seed, activation, biases=True, own=False, gamma=False, dtype="F32"):
    d, heads, layers, hidden, words, places = 12, 3, 2, 20, 11, 9
    w = Made(seed, dtype)
    gain, shift = ("gamma", "beta") if gamma else ("weight", "bias")
    at = lambda name: "transformer." + name if linear else name

    def norm(name, x):
        g = w(at(name) + "." + gain, d, around=1, size=0.2)
        return layer_norm(x, g, w(at(name) + "." + shift, d, size=0.2) if biases else None, 1e-5)

    def product(name, x, out):
        weight = w(at(name) + ".weight", out, x.shape[1]).T if linear else w(at(name) + ".weight", x.shape[1], out)
        return x @ weight + (w(at(name) + ".bias", out) if biases else 0)

    table = w(at("wte.weight"), words, d)
    x = table[IDS] + w(at("wpe.weight"), places, d)[: len(IDS)]
    patterns = []
    for k in range(layers):
        h = f"h.{k}."
        q, key, v = product(h + "attn.c_attn", norm(h + "ln_1", x), 3 * d).split(d, 1)
        out, pattern = attention(heads_of(q, heads), heads_of(key, heads), heads_of(v, heads), causal(len(IDS)), (d // heads) ** -0.5)
        patterns.append(pattern)
        x = x + product(h + "attn.c_proj", together(out), d)
        inner = product(h + "mlp.c_fc", norm(h + "ln_2", x), hidden)
        inner = F.gelu(inner) if activation == "gelu" else 0.5 * inner * (1 + torch.tanh(math.sqrt(2 / math.pi) * (inner + 0.044715 * inner**3)))
        x = x + product(h + "mlp.c_proj", inner, d)
    x = norm("ln_f", x)
    logits = x @ (w("lm_head.weight", words, d) if own else table).T
    if linear:
        w.arrays["transformer.h.0.attn.bias"] = torch.tril(torch.ones(1, 1, places, places)).to(TYPES[dtype])
    config = {"model_type": "gpt2", "n_head": heads, "n_embd": d, "activation_function": activation, "layer_norm_epsilon": 1e-5,
              "vocab_size": words, "n_positions": places, "resid_pdrop": 0.1}
    write(family, w, config, logits, patterns)


def gpt_neo():
    d, heads, layers, hidden, words, places, window = 12, 3, 2, 20, 11, 9, 3
    w = Made(3)
    norm = lambda name, x: layer_norm(x, w(name + ".weight", d, around=1, size=0.2), w(name + ".bias", d, size=0.2), 1e-5)
    table = w("transformer.wte.weight", words, d)
    x = table[IDS] + w("transformer.wpe.weight", places, d)[: len(IDS)]
    patterns = []
    for k in range(layers):
        h = f"transformer.h.{k}."
        seen = causal(len(IDS), window if k == 1 else None)
        y = norm(h + "ln_1", x)
        q, key, v = (heads_of(y @ w(h + f"attn.attention.{p}_proj.weight", d, d).T, heads) for p in "qkv")
        out, pattern = attention(q, key, v, seen, 1)
        patterns.append(pattern)
        x = x + together(out) @ w(h + "attn.attention.out_proj.weight", d, d).T + w(h + "attn.attention.out_proj.bias", d)
        y = norm(h + "ln_2", x) @ w(h + "mlp.c_fc.weight", hidden, d).T + w(h + "mlp.c_fc.bias", hidden)
        y = 0.5 * y * (1 + torch.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))
        x = x + y @ w(h + "mlp.c_proj.weight", d, hidden).T + w(h + "mlp.c_proj.bias", d)
    logits = norm("transformer.ln_f", x) @ table.T
    config = {"model_type": "gpt_neo", "hidden_size": d, "num_heads": heads, "num_layers": layers, "window_size": window,
              "attention_types": [[["global", "local"], 1]], "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5}
    write("gpt_neo", w, config, logits, patterns)


def gpt_neox(family, seed, parallel, share):
    d, heads, layers, hidden, words = 24, 3, 2, 20, 11
    d_k = d // heads
    w = Made(seed)
    norm = lambda name, x: layer_norm(x, w(name + ".weight", d, around=1, size=0.2), w(name + ".bias", d, size=0.2), 1e-5)
    linear = lambda name, x, out: x @ w(name + ".weight", out, x.shape[1], size=0.3).T + w(name + ".bias", out, size=0.3)
    table = w("gpt_neox.embed_in.weight", words, d)
    x, patterns = table[IDS], []
    for k in range(layers):
        at = f"gpt_neox.layers.{k}."
        # Rows of the weight are (head, 3, d_k).
        all_of = linear(at + "attention.query_key_value", norm(at + "input_layernorm", x), 3 * d).view(len(IDS), heads, 3, d_k)
        q, key, v = (all_of[:, :, p].transpose(0, 1) for p in range(3))
        width = int(share * d_k)
        out, pattern = attention(rotated(q, 10000, width), rotated(key, 10000, width), v, causal(len(IDS)), d_k**-0.5)
        patterns.append(pattern)
        attended = linear(at + "attention.dense", together(out), d)
        read = x if parallel else x + attended
        inner = F.gelu(linear(at + "mlp.dense_h_to_4h", norm(at + "post_attention_layernorm", read), hidden))
        x = x + attended + linear(at + "mlp.dense_4h_to_h", inner, d)
    logits = norm("gpt_neox.final_layer_norm", x) @ w("embed_out.weight", words, d).T
    config = {"model_type": "gpt_neox", "hidden_size": d, "num_attention_heads": heads, "hidden_act": "gelu", "rotary_pct": share,
              "rotary_emb_base": 10000, "layer_norm_eps": 1e-5, "use_parallel_residual": parallel, "tie_word_embeddings": False}
    write(family, w, config, logits, patterns)


def llama(family, seed, heads=4, sets=2, d_k=4, own=True, biases=False, norms=None, window=None, dtype="F32", folder=None, layers=2,
          place="before", local=(), scalar=None, cap=None, base=500.0, local_base=None, scaling={}, said={}):
    """norms: of queries and keys, "head" or "all" heads as one row. place: of the layers' norms. local: layers with the window, where
    not all have it, and with local_base, which is not scaled. scaling: of the rotation. said: what else the config says."""
    d, hidden, words, eps = 12, 20, 11, 1e-5
    gemma = family.startswith("gemma")
    w = Made(seed, dtype)
    more = 1 if gemma else 0
    norm = lambda name, x, width: rms(x, more + w(name + ".weight", width, around=1 - more, size=0.2), eps)
    linear = lambda name, x, out, bias=False: x @ w(name + ".weight", out, x.shape[1]).T + (w(name + ".bias", out) if bias else 0)
    table = w("model.embed_tokens.weight", words, d)
    x, patterns = table[IDS] * (math.sqrt(d) if gemma else 1), []
    for k in range(layers):
        at = f"model.layers.{k}."
        is_local = k in local
        turned = lambda y: rotated(y, local_base, d_k) if is_local and local_base else rotated(y, base, d_k, scaling)
        y = x if place == "output" else norm(at + "input_layernorm", x, d)
        q = linear(at + "self_attn.q_proj", y, heads * d_k, biases)
        key = linear(at + "self_attn.k_proj", y, sets * d_k, biases)
        v = heads_of(linear(at + "self_attn.v_proj", y, sets * d_k, biases), sets)
        if norms == "all":
            q, key = norm(at + "self_attn.q_norm", q, heads * d_k), norm(at + "self_attn.k_norm", key, sets * d_k)
        q, key = heads_of(q, heads), heads_of(key, sets)
        if norms == "head":
            q, key = norm(at + "self_attn.q_norm", q, d_k), norm(at + "self_attn.k_norm", key, d_k)
        seen = causal(len(IDS), window if not local or is_local else None)
        out, pattern = attention(turned(q), turned(key), v, seen, (scalar or d_k) ** -0.5, cap)
        patterns.append(pattern)
        y = linear(at + "self_attn.o_proj", together(out), d)
        x = x + (y if place == "before" else norm(at + "post_attention_layernorm", y, d))
        y = x if place == "output" else norm(at + ("post_attention" if place == "before" else "pre_feedforward") + "_layernorm", x, d)
        gate = linear(at + "mlp.gate_proj", y, hidden)
        gate = 0.5 * gate * (1 + torch.tanh(math.sqrt(2 / math.pi) * (gate + 0.044715 * gate**3))) if gemma else F.silu(gate)
        y = linear(at + "mlp.down_proj", gate * linear(at + "mlp.up_proj", y, hidden), d)
        x = x + (y if place == "before" else norm(at + "post_feedforward_layernorm", y, d))
    x = norm("model.norm", x, d)
    logits = x @ (w("lm_head.weight", words, d) if own else table).T
    if top := said.get("final_logit_softcapping"):
        logits = top * torch.tanh(logits / top)
    config = {"model_type": family, "hidden_size": d, "num_attention_heads": heads, "num_key_value_heads": sets, "head_dim": d_k,
              "rms_norm_eps": eps, "rope_theta": base, "hidden_act": "gelu_pytorch_tanh" if gemma else "silu",
              "tie_word_embeddings": not own, "sliding_window": window}
    config.update(said)
    write(folder or family, w, {key: value for key, value in config.items() if value != "-"}, logits, patterns)


LINEAR = {"type": "linear", "factor": 2.5}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 0.15, "high_freq_factor": 4.0, "original_max_position_embeddings": 32}
YARN = {"rope_type": "yarn", "factor": 4.0, "beta_fast": 2.0, "beta_slow": 0.1, "original_max_position_embeddings": 32}
GEMMA3 = dict(heads=4, sets=2, d_k=6, own=False, norms="head", window=3, layers=3, place="both", local=(0, 2), scalar=9, local_base=40.0,
              scaling={"rope_type": "linear", "factor": 8.0})


def transformer_lens(family, seed, norm_type, mlp, causal_mask=True):
    d, heads, d_k, layers, hidden, words, places = 12, 3, 5, 2, 20, 11, 9
    w = Made(seed)
    folded = norm_type.endswith("Pre")

    def norm(name, x):
        gain = torch.ones(d, dtype=torch.float64) if folded else w(name + ".w", d, around=1, size=0.2)
        if norm_type.startswith("RMS"):
            return rms(x, gain, 1e-5)
        return layer_norm(x, gain, None if folded else w(name + ".b", d, size=0.2), 1e-5)

    x = w("embed.W_E", words, d)[IDS] + w("pos_embed.W_pos", places, d)[: len(IDS)]
    seen = causal(len(IDS)) if causal_mask else torch.ones(len(IDS), len(IDS), dtype=torch.bool)
    patterns = []
    for k in range(layers):
        at = f"blocks.{k}."
        y = norm(at + "ln1", x)
        q, key, v = (torch.einsum("nd,hde->hne", y, w(at + f"attn.W_{p}", heads, d, d_k)) + w(at + f"attn.b_{p}", heads, d_k)[:, None]
                     for p in "QKV")
        out, pattern = attention(q, key, v, seen, d_k**-0.5)
        patterns.append(pattern)
        x = x + torch.einsum("hne,hed->nd", out, w(at + "attn.W_O", heads, d_k, d)) + w(at + "attn.b_O", d)
        w.arrays[at + "attn.mask"] = (torch.tril(torch.ones(places, places)) if causal_mask else torch.ones(places, places)).float()
        w.arrays[at + "attn.IGNORE"] = torch.tensor(-1e5)
        if mlp:
            y = norm(at + "ln2", x)
            x = x + F.relu(y @ w(at + "mlp.W_in", d, hidden) + w(at + "mlp.b_in", hidden)) @ w(at + "mlp.W_out", hidden, d) + w(at + "mlp.b_out", d)
    logits = norm("ln_final", x) @ w("unembed.W_U", d, words) + w("unembed.b_U", words)
    config = {"normalization_type": norm_type, "act_fn": "relu"}
    write(family, w, config, logits, patterns)


def interleaved_slopes(heads):
    """As the published code has them: of the power of two above, even steps first, then odd ones."""
    power = 2 ** math.ceil(math.log2(heads))
    all_of = [2.0 ** (-8 * step / power) for step in range(1, power + 1)]
    return all_of if power == heads else (all_of[1::2] + all_of[::2])[:heads]


def bloom():
    d, heads, layers, hidden, words = 18, 3, 2, 20, 11
    w = Made(30)
    norm = lambda name, x: layer_norm(x, w(name + ".weight", d, around=1, size=0.2), w(name + ".bias", d, size=0.2), 1e-5)
    linear = lambda name, x, out: x @ w(name + ".weight", out, x.shape[1], size=0.3).T + w(name + ".bias", out, size=0.3)
    table = w("transformer.word_embeddings.weight", words, d)
    x, patterns = norm("transformer.word_embeddings_layernorm", table[IDS]), []
    for k in range(layers):
        at = f"transformer.h.{k}."
        all_of = linear(at + "self_attention.query_key_value", norm(at + "input_layernorm", x), 3 * d).view(len(IDS), heads, 3, d // heads)
        q, key, v = (all_of[:, :, p].transpose(0, 1) for p in range(3))
        out, pattern = attention(q, key, v, causal(len(IDS)), (d // heads) ** -0.5, slopes=interleaved_slopes(heads))
        patterns.append(pattern)
        x = x + linear(at + "self_attention.dense", together(out), d)
        y = linear(at + "mlp.dense_h_to_4h", norm(at + "post_attention_layernorm", x), hidden)
        x = x + linear(at + "mlp.dense_4h_to_h", F.gelu(y, approximate="tanh"), d)
    logits = norm("transformer.ln_f", x) @ table.T
    write("bloom", w, {"model_type": "bloom", "hidden_size": d, "n_head": heads, "n_layer": layers, "layer_norm_epsilon": 1e-5,
                       "vocab_size": words}, logits, patterns)


def mpt(folder, seed, heads, alibi):
    d, layers, hidden, words, places = 18, 2, 20, 11, 9
    w = Made(seed)
    norm = lambda name, x: layer_norm(x, w(name + ".weight", d, around=1, size=0.2), None, 1e-5)
    linear = lambda name, x, out: x @ w(name + ".weight", out, x.shape[1], size=0.3).T
    table = w("transformer.wte.weight", words, d)
    x = table[IDS] + (0 if alibi else w("transformer.wpe.weight", places, d)[: len(IDS)])
    patterns = []
    for k in range(layers):
        at = f"transformer.blocks.{k}."
        q, key, v = linear(at + "attn.Wqkv", norm(at + "norm_1", x), 3 * d).split(d, 1)
        out, pattern = attention(heads_of(q, heads), heads_of(key, heads), heads_of(v, heads), causal(len(IDS)), (d // heads) ** -0.5,
                                 slopes=interleaved_slopes(heads) if alibi else None)
        patterns.append(pattern)
        x = x + linear(at + "attn.out_proj", together(out), d)
        x = x + linear(at + "ffn.down_proj", F.gelu(linear(at + "ffn.up_proj", norm(at + "norm_2", x), hidden)), d)
    logits = norm("transformer.norm_f", x) @ table.T
    write(folder, w, {"model_type": "mpt", "d_model": d, "n_heads": heads, "n_layers": layers, "vocab_size": words, "no_bias": True,
                      "attn_config": {"alibi": alibi, "alibi_bias_max": 8, "clip_qkv": None, "qk_ln": False, "attn_type": "multihead_attention"}},
          logits, patterns)


def torch_layers(folder, seed, kind, norm_first=False, activation="relu"):
    """Of PyTorch's own modules, with arrays drawn here."""
    d, heads, hidden = 12, 3, 20
    w = Made(seed)
    layer = lambda: torch.nn.TransformerEncoderLayer(d, heads, hidden, dropout=0, activation=activation, norm_first=norm_first, batch_first=True)
    made = (torch.nn.MultiheadAttention(d, heads, batch_first=True) if kind == "attention" else layer() if kind == "layer" else
            torch.nn.TransformerEncoder(layer(), 2, norm=torch.nn.LayerNorm(d), enable_nested_tensor=False))
    made = made.double().train()  # in eval PyTorch would go a faster way, which gives no patterns
    made.load_state_dict({name: w(name, *value.shape, around=1 if "norm" in name and "weight" in name else 0, size=0.4)
                          for name, value in made.state_dict().items()})
    X = torch.randn(len(IDS), d, generator=w.random, dtype=torch.float64).float().double()
    patterns = []

    def attend(module, x):
        out, pattern = torch.nn.MultiheadAttention.forward(module, x, x, x, average_attn_weights=False)
        patterns.append(pattern[0])
        return out

    with torch.no_grad():
        if kind == "attention":
            stream = attend(made, X[None])[0]
        else:
            stream = made(X[None])[0]  # what each reads, to ask its attention for its patterns
            x = X[None]
            for each in [made] if kind == "layer" else made.layers:
                attend(each.self_attn, each.norm1(x) if norm_first else x)
                x = each(x)
    config = {"nhead": heads, "norm_first": norm_first, "activation": activation}
    write(folder, w, {"num_heads": heads} if kind == "attention" else config, None, patterns, stream, X)


def nanda(folder, seed, blocks, mlp):
    d, heads, d_k, layers, hidden, words, places = 12, 3, 5, 2, 20, 11, 9
    w = Made(seed)
    x = w("embed.W_E", d, words).T[IDS] + w("pos_embed.W_pos", places, d)[: len(IDS)]
    patterns = []
    for k in range(layers):
        at = f"{blocks}.{k}."
        q, key, v = (torch.einsum("hed,nd->hne", w(at + f"attn.W_{p}", heads, d_k, d), x) for p in "QKV")
        out, pattern = attention(q, key, v, causal(len(IDS)), d_k**-0.5)
        patterns.append(pattern)
        x = x + together(out) @ w(at + "attn.W_O", d, heads * d_k).T
        w.arrays[at + "attn.mask"] = torch.tril(torch.ones(places, places))
        if mlp:
            inner = F.relu(x @ w(at + "mlp.W_in", hidden, d).T + w(at + "mlp.b_in", hidden))
            x = x + inner @ w(at + "mlp.W_out", d, hidden).T + w(at + "mlp.b_out", d)
    write(folder, w, {}, x @ w("unembed.W_U", d, words), patterns)


def encoder(family, kind, seed, prefix="", readout=True, gamma=False, own=False, named=True):
    """BERT, RoBERTa, DistilBERT: post-norm, no mask, exact gelu. Of BERT the word 4 is [SEP]: what follows it is of the
    second type."""
    d, heads, layers, hidden, words, places, eps = 12, 3, 2, 20, 11, 10, 1e-12
    w = Made(seed)
    distil, roberta = kind == "distilbert", kind == "roberta"
    names = dict(zip(("at", "q", "k", "v", "out", "first", "inner", "outer", "second"), (
        "transformer.layer.{}.", "attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin",
        "sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm") if distil else (
        "encoder.layer.{}.", "attention.self.query", "attention.self.key", "attention.self.value",
        "attention.output.dense", "attention.output.LayerNorm", "intermediate.dense", "output.dense",
        "output.LayerNorm")))
    gain, shift = ("gamma", "beta") if gamma else ("weight", "bias")
    norm = lambda name, x: layer_norm(x, w(f"{name}.{gain}", d, around=1, size=0.2), w(f"{name}.{shift}", d, size=0.2), eps)
    linear = lambda name, x, out: x @ w(name + ".weight", out, x.shape[1]).T + w(name + ".bias", out)
    n, pad = len(IDS), 1
    table = w(prefix + "embeddings.word_embeddings.weight", words, d)
    x = table[IDS]
    at = torch.arange(n) + (pad + 1 if roberta else 0)
    x = x + w(prefix + "embeddings.position_embeddings.weight", places, d)[at]
    if not distil:
        of_type = torch.tensor([0 if roberta else int(4 in IDS[:k]) for k in range(n)])
        x = x + w(prefix + "embeddings.token_type_embeddings.weight", 1 if roberta else 2, d)[of_type]
    x = norm(prefix + "embeddings.LayerNorm", x)
    seen, patterns = torch.ones(n, n, dtype=torch.bool), []
    for k in range(layers):
        of = prefix + names["at"].format(k)
        q, key, v = (heads_of(linear(of + names[p], x, d), heads) for p in "qkv")
        out, pattern = attention(q, key, v, seen, (d // heads) ** -0.5)
        patterns.append(pattern)
        x = norm(of + names["first"], x + linear(of + names["out"], together(out), d))
        x = norm(of + names["second"], x + linear(of + names["outer"], F.gelu(linear(of + names["inner"], x, hidden)), d))
    logits = None
    if readout:
        dense, after, decoder, bias = {
            "bert": ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.decoder",
                     "cls.predictions.bias"),
            "roberta": ("lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", "lm_head.bias"),
            "distilbert": ("vocab_transform", "vocab_layer_norm", "vocab_projector", "vocab_projector.bias")}[kind]
        y = norm(after, F.gelu(linear(dense, x, d)))
        W = w(decoder + ".weight", words, d) if own else table
        if not own and not roberta:  # tied, and kept twice
            w.arrays[decoder + ".weight"] = w.arrays[prefix + "embeddings.word_embeddings.weight"].clone()
        logits = y @ W.T + w(bias, words)
        if kind == "bert":  # kept twice as well
            w.arrays[decoder + ".bias"] = w.arrays[bias].clone()
            w("cls.seq_relationship.weight", 2, d), w("cls.seq_relationship.bias", 2)
    if not distil and not roberta:
        w(prefix + "pooler.dense.weight", d, d), w(prefix + "pooler.dense.bias", d)
    config = {"dim": d, "n_heads": heads, "n_layers": layers, "hidden_dim": hidden, "activation": "gelu",
              "sinusoidal_pos_embds": False} if distil else {
              "hidden_size": d, "num_attention_heads": heads, "num_hidden_layers": layers, "intermediate_size": hidden,
              "hidden_act": "gelu", "layer_norm_eps": eps, "type_vocab_size": 1 if roberta else 2, "pad_token_id": pad}
    config |= {"vocab_size": words, "max_position_embeddings": places} | ({"model_type": kind} if named else {})
    config |= {"tie_word_embeddings": False} if own else {}
    write(family, w, config, logits, patterns, stream=x)
    if kind == "bert":  # by which [SEP] is known
        vocabulary = ["[PAD]", "the", "[UNK]", "[CLS]", "[SEP]", "a", "cat", "dog", "ran", "##s", "."]
        (OUT / family / "vocab.txt").write_text("\n".join(vocabulary) + "\n")


FAMILIES = {
    "bert": lambda: encoder("bert", "bert", 21, prefix="bert."),
    "bert_old": lambda: encoder("bert_old", "bert", 22, prefix="bert.", gamma=True, named=False, own=True),
    "bert_without_readout": lambda: encoder("bert_without_readout", "bert", 23, readout=False, named=False),
    "roberta": lambda: encoder("roberta", "roberta", 24, prefix="roberta."),
    "distilbert": lambda: encoder("distilbert", "distilbert", 25, prefix="distilbert."),
    "gpt2": lambda: gpt2("gpt2", False, 1, "gelu_new"),
    "gpt2_f16": lambda: gpt2("gpt2_f16", False, 11, "gelu_new", own=True, dtype="F16"),
    "nanogpt": lambda: gpt2("nanogpt", True, 2, "gelu", biases=False, gamma=True),
    "mingpt": lambda: gpt2("mingpt", True, 12, "gelu_new", own=True),
    "gpt_neo": gpt_neo,
    "gpt_neox": lambda: gpt_neox("gpt_neox", 4, True, 0.25),
    "gpt_neox_in_line": lambda: gpt_neox("gpt_neox_in_line", 14, False, 1.0),
    "llama": lambda: llama("llama", 5),
    "mistral": lambda: llama("mistral", 6, window=3, dtype="BF16"),
    "qwen2": lambda: llama("qwen2", 7, heads=3, sets=1, own=False, biases=True),
    "qwen3": lambda: llama("qwen3", 8, norms="head", d_k=6, own=False),
    "gemma": lambda: llama("gemma", 9, d_k=6, sets=1, own=False),
    "llama_linear": lambda: llama("llama", 20, d_k=8, scaling=LINEAR, folder="llama_linear", said={"rope_scaling": LINEAR}),
    "llama_llama3": lambda: llama("llama", 21, d_k=8, scaling=LLAMA3, folder="llama_llama3", said={"rope_scaling": LLAMA3}),
    "qwen2_yarn": lambda: llama("qwen2", 22, d_k=8, biases=True, scaling=YARN, folder="qwen2_yarn",
                                said={"rope_parameters": {"rope_theta": 500.0, **YARN}, "rope_theta": "-"}),
    "mistral_yarn": lambda: llama("mistral", 23, d_k=8, scaling={**YARN, "mscale": 0.8, "mscale_all_dim": 0.3}, folder="mistral_yarn",
                                  said={"rope_scaling": {**YARN, "mscale": 0.8, "mscale_all_dim": 0.3}}),
    "gemma2": lambda: llama("gemma2", 24, d_k=6, own=False, window=3, place="both", local=(0,), scalar=9, cap=2.0,
                            said={"query_pre_attn_scalar": 9, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 1.5}),
    "gemma3_text": lambda: llama("gemma3_text", 25, **GEMMA3, said={"query_pre_attn_scalar": 9, "sliding_window_pattern": 2,
                                 "rope_local_base_freq": 40.0, "rope_scaling": GEMMA3["scaling"]}),
    "gemma3_text_now": lambda: llama("gemma3_text", 26, **GEMMA3, folder="gemma3_text_now", said={
        "query_pre_attn_scalar": 9, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"], "rope_theta": "-",
        "rope_parameters": {"sliding_attention": {"rope_type": "default", "rope_theta": 40.0},
                            "full_attention": {"rope_theta": 500.0, **GEMMA3["scaling"]}}}),
    "olmo2": lambda: llama("olmo2", 27, norms="all", place="output"),
    "bloom": bloom,
    "mpt": lambda: mpt("mpt", 31, 3, True),
    "mpt_places": lambda: mpt("mpt_places", 32, 2, False),
    "torch_attention": lambda: torch_layers("torch_attention", 33, "attention"),
    "torch_layer": lambda: torch_layers("torch_layer", 34, "layer"),
    "torch_encoder": lambda: torch_layers("torch_encoder", 35, "encoder", norm_first=True, activation="gelu"),
    "nanda": lambda: nanda("nanda", 36, "blocks", True),
    "nanda_attention_only": lambda: nanda("nanda_attention_only", 37, "attn_blocks", False),
    "transformer_lens": lambda: transformer_lens("transformer_lens", 10, "LN", True),
    "transformer_lens_folded": lambda: transformer_lens("transformer_lens_folded", 15, "RMSPre", False, causal_mask=False),
}

for name in sys.argv[1:] or FAMILIES:
    FAMILIES[name]()
