"""Steps of training in PyTorch, as the recipes have them (core/learn/tasks): forward, backward, clipping and Adam, on one
batch that is drawn before. Used by bench_theirs.py."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Layer(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.W = nn.ParameterList([nn.Parameter(torch.randn(d, d) / math.sqrt(d)) for _ in range(4)])

    def forward(self, x, hidden=None, noise=0.0):
        B, n, d = x.shape
        q, k, v = ((x @ W).view(B, n, self.heads, d // self.heads).transpose(1, 2) for W in list(self.W)[:3])
        scores = q @ k.transpose(-1, -2) / math.sqrt(d // self.heads)
        o = (scores if hidden is None else scores + hidden).softmax(-1) @ v
        if noise:
            o = o + noise * torch.randn_like(o)
        return x + o.transpose(1, 2).reshape(B, n, d) @ self.W[3]


class Model(nn.Module):
    """Words that are summed, places, layers, a readout for all questions side by side."""

    def __init__(self, words, d, heads, layers, answers, places=None):
        super().__init__()
        self.E = nn.Parameter(torch.randn(words, d))
        self.P = nn.Parameter(places) if places is not None else None
        self.layers = nn.ModuleList([Layer(d, heads) for _ in range(layers)])
        self.U = nn.Parameter(torch.randn(d, answers) / math.sqrt(d))
        self.b = nn.Parameter(torch.zeros(answers))

    def forward(self, words, hidden=None, noise=0.0):
        x = self.E[words].sum(2) if words.dim() == 3 else self.E[words]
        if self.P is not None:
            x = x + self.P
        for layer in self.layers:
            x = layer(x, hidden, noise)
        return x @ self.U + self.b


def step(model, loss, rate):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.99))

    def work():
        with torch.enable_grad():
            optimizer.zero_grad()
            value = loss()
            value.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        return value

    return work


def induction(heads):
    model = Model(24, 48, heads, 2, 24)
    period = torch.randint(9, 16, (32,))
    words = torch.rand(32, 24).argsort(1).gather(1, torch.arange(33)[None] % period[:, None])
    places = torch.randn(32, 48)
    causal = torch.full((32, 32), -1e9).triu(1)
    asked = (torch.arange(32)[None] >= period[:, None]).float()
    model.P = nn.Parameter(places, requires_grad=False)

    def loss():
        losses = F.cross_entropy(model(words[:, :-1], causal).transpose(1, 2), words[:, 1:], reduction="none")
        return (losses * asked).sum() / asked.sum()

    return step(model, loss, 6e-3)


def students(heads):
    model = Model(20 + 8 + 80, 32, heads, 1, 32)
    names = torch.rand(48, 20).argsort(1)[:, :12]
    fruits = 20 + torch.randint(8, (48, 12))
    asks = 28 + 20 * torch.arange(4) + torch.randint(20, (48, 12, 4))
    words = torch.cat([names[..., None], fruits[..., None], asks], 2)
    answers = torch.randint(8, (48 * 12 * 4,))
    return step(model, lambda: F.cross_entropy(model(words).reshape(-1, 8), answers), 1e-2)


def grammar(heads):
    model = Model(107, 64, heads, 1, 4 * 107, torch.randn(16, 64))
    words = torch.randint(107, (32, 16))
    lengths = torch.randint(7, 16, (32,))
    hidden = torch.where(torch.arange(16)[None] < lengths[:, None], 0.0, -1e9)[:, None, None, :]
    share = [0.95, 0.95, 0.2, 0.1]  # of the places that are asked each question
    answers = [torch.where(torch.rand(32, 16) < s, torch.randint(107, (32, 16)), -1).reshape(-1) for s in share]
    asked = [a >= 0 for a in answers]

    def loss():
        logits = model(words, hidden, 1.0).view(32 * 16, 4, 107)
        parts = [w * F.cross_entropy(logits[:, q][asked[q]], answers[q][asked[q]]) for q, w in enumerate([2.0, 1, 1, 1])]
        return sum(parts) / 4

    return step(model, loss, 1e-2)


STEPS = {"induction": induction, "students": students, "grammar": grammar}
