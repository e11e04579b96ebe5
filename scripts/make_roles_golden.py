#!/usr/bin/env python3
"""Makes tests/data/roles_golden.json: every measure of what a head does (core/analysis/roles/roles.h), on random patterns, by
plain NumPy in double precision, straight from the definitions: per sentence and pooled over several.

Needs python3-numpy; the tests need only the file. Run it from anywhere: it writes the same bytes again. Patterns are
rounded to floats before they are measured, and written so that they read back as those floats.
"""
import math
import random

import numpy as np

from golden import write_cases

VOCABULARY = ["the", "The", "cat", "Cat", "dog", "it", "sat", "was", ",", ".", "...", "tired", "zyx"]
MARKS = {",", ".", "..."}
PATTERNS = [
    "previous_token", "next_token", "self", "first_token", "punctuation", "same_word", "induction", "rarest_word"
]
RELATIONS = 9

# Lengths of the sentences, mask, how sharp the patterns are (0: uniform; "one": a single key per row)
CASES = [
    ([1], "none", 1),
    ([2], "none", 2),
    ([3], "causal", 1),
    ([4], "none", 0),
    ([5], "none", "one"),
    ([6], "custom", 2),
    ([7], "causal", 3),
    ([8], "none", 4),
    ([9], "custom", "one"),
    ([13], "none", 2),
    ([4, 7], "none", 2),
    ([9, 3, 6], "causal", 3),
    ([5, 8, 2, 6], "custom", 2),
    ([6, 4, 9], "none", 0),
    ([12, 12, 7, 1], "none", "one"),
]


def make_mask(rng, kind, n):
    if kind == "none":
        return np.ones((n, n), dtype=int)
    if kind == "causal":
        return np.tril(np.ones((n, n), dtype=int))
    allowed = np.array([[rng.choice([0, 1, 1]) for _ in range(n)] for _ in range(n)])
    allowed[n // 2, :] = 0  # a query that may attend to nothing
    return allowed


def make_pattern(rng, allowed, sharpness):
    n = len(allowed)
    A = np.zeros((n, n))
    for i in range(n):
        keys = [j for j in range(n) if allowed[i, j]]
        if not keys:
            continue
        if sharpness == "one":
            A[i, rng.choice(keys)] = 1
            continue
        e = np.array([math.exp(sharpness * rng.gauss(0, 1)) for _ in keys])
        A[i, keys] = e / e.sum()
    return A.astype(np.float32)


def make_sentence(rng, n, kind, sharpness):
    tokens = [rng.choice(VOCABULARY) for _ in range(n)]
    known = {}
    for token in tokens:
        known.setdefault(token.lower(), (rng.randrange(0, 64), rng.randrange(6, 16) / 2, rng.random() < 0.1))
    allowed = make_mask(rng, kind, n)
    gold = [[] for _ in range(RELATIONS)]
    for r in range(RELATIONS):
        for _ in range(rng.choice([0, 0, 1, 2, 3]) if n > 1 else 0):
            i, j = rng.sample(range(n), 2)
            if [i, j] not in gold[r]:
                gold[r].append([i, j])
        gold[r].sort()
    vectors = [np.array([[rng.gauss(0, 1) for _ in range(3)] for _ in range(n)]).astype(np.float32) for _ in range(2)]
    return {
        "tokens": tokens,
        "features": [known[t.lower()][0] for t in tokens],
        "zipf": [known[t.lower()][1] for t in tokens],
        "guessed": [known[t.lower()][2] for t in tokens],
        "mask": kind,
        "allowed": allowed,
        "gold": gold,
        "attention": make_pattern(rng, allowed, sharpness),
        "contribution": vectors[0],
        "output": vectors[1],
    }


def wanted(sentence, pattern, i):
    """The keys that count for query i, whatever the mask."""
    tokens = [t.lower() for t in sentence["tokens"]]
    n = len(tokens)
    everywhere = range(n)
    if pattern == "previous_token":
        return {i - 1} & set(everywhere)
    if pattern == "next_token":
        return {i + 1} & set(everywhere)
    if pattern == "self":
        return {i}
    if pattern == "first_token":
        return {0}
    if pattern == "punctuation":
        return {j for j in everywhere if tokens[j] in MARKS}
    if pattern == "same_word":
        return {j for j in everywhere if j != i and tokens[j] == tokens[i]}
    if pattern == "induction":
        return {j for j in range(1, n) if j - 1 < i and tokens[j - 1] == tokens[i]}
    words = [j for j in everywhere if tokens[j] not in MARKS]
    rarity = {j: -1 if sentence["guessed"][j] else sentence["zipf"][j] for j in words}
    rarest = {j for j in words if rarity[j] == min(rarity.values())}
    return set() if len(words) > 1 and len(rarest) == len(words) else rarest


def row_of(sentence, i):
    """The row in double precision and the keys it may see; None where the query attends to nothing."""
    seen = [j for j in range(len(sentence["tokens"])) if sentence["allowed"][i, j]]
    return (sentence["attention"][i].astype(float), seen) if seen else None


def rows_of(sentences):
    for sentence in sentences:
        for i in range(len(sentence["tokens"])):
            row = row_of(sentence, i)
            if row:
                yield sentence, i, row[0], row[1]


def mean(values):
    values = list(values)
    return float(np.mean(values)) if values else None


def maxima(a):
    return {int(j) for j in np.flatnonzero(a == a.max())}


def on_targets(sentences, keys_of):
    """Mass and accuracy over the rows that see a target and something else; and these rows."""
    mass, hits, rows = [], [], []
    for sentence, i, a, seen in rows_of(sentences):
        targets = keys_of(sentence, i) & set(seen)
        if not targets or len(targets) == len(seen):
            continue
        mass.append(sum(a[j] for j in targets))
        hits.append(len(maxima(a) & targets) / len(maxima(a)))
        rows.append((i, targets))
    return {"mass": mean(mass), "accuracy": mean(hits), "rows": len(rows)}, rows


def best_offset(sentences, r):
    offsets = [to - start for s in sentences for start, to in s["gold"][r]]
    return min(set(offsets), key=lambda k: (-offsets.count(k), abs(k), k)) if offsets else None


def profile(sentences):
    longest = max(len(s["tokens"]) for s in sentences)
    result = {}
    for k in range(1 - longest, longest):
        there = [a[i + k] for s, i, a, _ in rows_of(sentences) if 0 <= i + k < len(a)]
        free = [(i + k in maxima(a)) / len(maxima(a)) for s, i, a, seen in rows_of(sentences)
                if i + k in seen and len(seen) > 1]
        result[k] = {"attention": mean(there), "maxima": mean(free), "rows": len(free)}
    return result


def positional(sentences, offsets):
    choosing = sum(len(seen) > 1 for _, _, _, seen in rows_of(sentences))
    candidates = [k for k, o in offsets.items() if o["rows"] > 0 and 2 * o["rows"] >= choosing]
    if not candidates:
        return {"offset": 0, "share": None, "rows": 0}
    best = min(candidates, key=lambda k: (-round(offsets[k]["maxima"], 9), abs(k), k))
    return {"offset": best, "share": offsets[best]["maxima"], "rows": offsets[best]["rows"]}


def semantic(sentences):
    attention, likeness = [], []
    for s in sentences:
        pairs = [(i, j) for i in range(len(s["tokens"])) for j in range(len(s["tokens"]))
                 if i != j and s["allowed"][i, j] and s["features"][i] and s["features"][j]]
        if len(pairs) < 2:
            continue
        bits = [np.array([f >> k & 1 for k in range(64)], dtype=float) for f in s["features"]]
        a = np.array([float(s["attention"][i, j]) for i, j in pairs])
        c = np.array([bits[i] @ bits[j] / (np.linalg.norm(bits[i]) * np.linalg.norm(bits[j])) for i, j in pairs])
        attention.extend(a - a.mean())
        likeness.extend(c - c.mean())
    spread = np.linalg.norm(attention) * np.linalg.norm(likeness) if attention else 0
    return float(np.dot(attention, likeness) / spread) if spread > 1e-9 else None


def measures(sentences):
    rows = list(rows_of(sentences))
    entropies = [-sum(p * math.log2(p) for p in a if p > 0) for _, _, a, _ in rows]
    offsets = profile(sentences)
    result = {
        "rows": len(rows),
        "entropy_bits": mean(entropies),
        "entropy_fraction": mean(e / math.log2(len(seen))
                                 for e, (_, _, _, seen) in zip(entropies, rows) if len(seen) > 1),
        "confidence": mean(a.max() for _, _, a, _ in rows),
        "mean_distance": mean(sum(p * abs(i - j) for j, p in enumerate(a)) for _, i, a, _ in rows),
        "offsets": [[k, o["attention"], o["maxima"]] for k, o in offsets.items()],
        "positional": positional(sentences, offsets),
        "semantic": semantic(sentences),
        "removal": math.sqrt(sum(np.sum(s["contribution"].astype(float) ** 2) for s in sentences) /
                             sum(np.sum(s["output"].astype(float) ** 2) for s in sentences)),
        "patterns": {p: on_targets(sentences, lambda s, i, p=p: wanted(s, p, i))[0] for p in PATTERNS},
        "relations": [],
    }
    for r in range(RELATIONS):
        score, found = on_targets(sentences, lambda s, i, r=r: {to for start, to in s["gold"][r] if start == i})
        k = best_offset(sentences, r)
        score["best_offset"] = k
        score["offset_accuracy"] = None if k is None else mean(i + k in targets for i, targets in found)
        result["relations"].append(score)
    return result


def main():
    rng = random.Random(3)
    cases = []
    for lengths, kind, sharpness in CASES:
        sentences = [make_sentence(rng, n, kind, sharpness) for n in lengths]
        cases.append({"sentences": sentences, "measures": measures(sentences)})
    write_cases("roles_golden.json", cases)


if __name__ == "__main__":
    main()
