"""Folders in the hub's layout, of published sizes, for scripts/bench: GPT-2 small of random numbers, and a Llama of eight
billion zeros in a sparse file, which takes no room."""
import json
import pathlib
import struct


def safetensors(path, kind, shapes, numbers=None):
    """Arrays in that order; numbers(count) gives the bytes of an array, else they are zeros that the file does not hold."""
    size = {"F32": 4, "BF16": 2}[kind]
    header, at = {}, 0
    for name, shape in shapes.items():
        count = 1
        for length in shape:
            count *= length
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, at + size * count]}
        at += size * count
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for entry in header.values() if numbers else ():
            begin, end = entry["data_offsets"]
            file.write(numbers((end - begin) // size))
        file.truncate(8 + len(text) + at)


def gpt2(folder, layers=12, d=768, words=50257, places=1024, heads=12):
    import numpy
    draw = numpy.random.default_rng(1)
    shapes = {"wte.weight": (words, d), "wpe.weight": (places, d), "ln_f.weight": (d,), "ln_f.bias": (d,)}
    for k in range(layers):
        for name, shape in {"ln_1.weight": (d,), "ln_1.bias": (d,), "attn.c_attn.weight": (d, 3 * d), "attn.c_attn.bias": (3 * d,),
                            "attn.c_proj.weight": (d, d), "attn.c_proj.bias": (d,), "ln_2.weight": (d,), "ln_2.bias": (d,),
                            "mlp.c_fc.weight": (d, 4 * d), "mlp.c_fc.bias": (4 * d,), "mlp.c_proj.weight": (4 * d, d),
                            "mlp.c_proj.bias": (d,)}.items():
            shapes[f"h.{k}.{name}"] = shape
    folder = pathlib.Path(folder)
    safetensors(folder / "model.safetensors", "F32", shapes,
                lambda count: (0.02 * draw.standard_normal(count, dtype=numpy.float32)).tobytes())
    (folder / "config.json").write_text(json.dumps({"model_type": "gpt2", "n_head": heads, "layer_norm_epsilon": 1e-5}))


def llama(folder, layers=32, d=4096, hidden=14336, words=128256, heads=32, sets=8):
    shapes = {"model.embed_tokens.weight": (words, d), "lm_head.weight": (words, d), "model.norm.weight": (d,)}
    for k in range(layers):
        for name, shape in {"input_layernorm": (d,), "post_attention_layernorm": (d,), "self_attn.q_proj": (d, d),
                            "self_attn.k_proj": (d // heads * sets, d), "self_attn.v_proj": (d // heads * sets, d),
                            "self_attn.o_proj": (d, d), "mlp.gate_proj": (hidden, d), "mlp.up_proj": (hidden, d),
                            "mlp.down_proj": (d, hidden)}.items():
            shapes[f"model.layers.{k}.{name}.weight"] = shape
    folder = pathlib.Path(folder)
    safetensors(folder / "model.safetensors", "BF16", shapes)
    (folder / "config.json").write_text(json.dumps({"model_type": "llama", "num_attention_heads": heads,
                                                    "num_key_value_heads": sets, "rms_norm_eps": 1e-5, "tie_word_embeddings": False}))
