#!/usr/bin/env python3
"""Makes tests/data/answer_golden.json: what becomes of an answer when a head is changed, in the random stacks of
make_block_golden.py that read words out, by PyTorch in double precision. A head's output, times its gate, is replaced
where it is made: by zeros, by its mean over the rows of two inputs, by what it is with the other input.

Needs python3-torch and python3-numpy; the tests need only the file.
"""
import math

import torch

import make_block_golden as base
from golden import write_cases


class Hook:
    """In the place of base.opened: notes what every head of a layer gives, and gives something else where that is asked
    for. A layer is known by its weights."""

    def __init__(self):
        self.opened, self.noted, self.changed = base.opened, {}, {}
        base.opened = self

    def __call__(self, output, x, s, w, h):
        given = self.noted[id(w), h] = self.opened(output, x, s, w, h)
        return self.changed.get((id(w), h), given)


def run(m, w_model, layers, stream):
    for s, w in layers:
        stream = base.block(stream, s, w, lambda name, value: value)
    out = {}
    probabilities = base.read_out(stream, m, w_model, lambda name, value: out.setdefault(name, value))
    return out["logits"], probabilities


def read(asked, words, logits, probabilities):
    token, first = asked["token"], asked["question"] * words
    rival = logits[token, first + asked["rival"]] if asked["rival"] is not None else math.nan
    return [float(logits[token, first + asked["answer"]]), None if math.isnan(rival) else float(rival),
            float(probabilities[token, first + asked["answer"]])]


def answers(hook, m, w_model, layers, n, d_model, seed):
    words, questions = m["readout"]["words"], m["readout"].get("questions", 1)
    token, question, answer, other = (base.drawn("asked", seed, [4], 1 << 20) * 64).long().abs().tolist()
    asked = {"token": token % n, "question": question % questions, "answer": answer % words,
             "rival": (answer + 1 + other % (words - 1)) % words if words > 1 else None}
    own = base.read_in(m, w_model, seed, n, d_model)
    if m["embedding"]:
        counterfactual = own.flip(0) if not m["embedding"]["places"] else None
    else:
        counterfactual = base.drawn("counterfactual", seed, [n, d_model], 128)
    made = {"asked": asked, "read": read(asked, words, *run(m, w_model, layers, own)), "heads": []}
    here = dict(hook.noted)
    if counterfactual is not None:
        run(m, w_model, layers, counterfactual)
        there = dict(hook.noted)
    for k, (s, w) in enumerate(layers):
        for h in range(s["heads"]):
            at = (id(w), h)
            changes = {"zero": torch.zeros_like(here[at])}
            if counterfactual is not None:
                mean = torch.cat([here[at], there[at]]).mean(dim=0, keepdim=True)
                changes |= {"mean": mean.expand_as(here[at]), "patched": there[at]}
            of_head = {"layer": k, "head": h}
            for kind, value in changes.items():
                hook.changed = {at: value}
                of_head[kind] = read(asked, words, *run(m, w_model, layers, own))
            hook.changed = {}
            made["heads"].append(of_head)
    return made


def main():
    torch.set_num_threads(1)
    hook, cases = Hook(), []

    def capture(m, w_model, layers, n, d_model, seed):
        if m["readout"]:
            cases.append({"seed": seed, **answers(hook, m, w_model, layers, n, d_model, seed)})
        return {}

    base.gradients = capture
    rng = base.random.Random(base.SEED)
    for seed in range(base.STACKS):
        base.make_stack(rng, seed)
    write_cases("answer_golden.json", cases, digits=12)


if __name__ == "__main__":
    main()
