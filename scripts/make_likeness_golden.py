#!/usr/bin/env python3
"""Makes tests/data/likeness_golden.json: how alike heads are (core/analysis/likeness/likeness.h), their tree and map
(clustering.h), how many there are in effect and their ranks (diversity.h), on random traces, by NumPy and SciPy in double
precision, straight from the definitions: everything is built, n x n Gram matrices and d_model x d_model products too.

Needs python3-numpy and python3-scipy; the tests need only the file. Run it from anywhere: it writes the same bytes again.
Inputs are rounded to floats before they are measured, and written so that they read back as those floats.
"""
import math
import random

import numpy as np

from golden import write_cases
import scipy.cluster.hierarchy as hierarchy
import scipy.spatial.distance as spatial
import scipy.stats as stats

MEASURES = ["cosine", "js_bits", "kl_bits", "cka", "qk", "ov"]

# Lengths of the sentences, heads, d_k, mask, share of the weights that are exactly 0
CASES = [
    ([1], 2, 2, "none", 0),
    ([3], 3, 2, "none", 0),
    ([3], 2, 4, "causal", 0),
    ([5], 4, 2, "causal", 0),
    ([5], 3, 6, "none", 0.4),
    ([12], 8, 2, "none", 0),
    ([12], 4, 3, "causal", 0.3),
    ([12], 3, 13, "none", 0),
    ([5, 3], 3, 3, "none", 0),
    ([3, 1, 5], 3, 10, "causal", 0),
    ([12, 5, 3], 5, 2, "none", 0.2),
]
FLAT = 3  # in this case the output of head 1 is the same for every token
LOST = 6  # in this case the last query attends to nothing
ALIKE = 5  # in this case heads 2 and 3 are nearly the same


def gauss(rng, rows, cols, size=1.0):
    return np.array([[size * rng.gauss(0, 1) for _ in range(cols)] for _ in range(rows)]).astype(np.float32)


def make_pattern(rng, n, mask, zeros, lost):
    A = np.zeros((n, n))
    for i in range(n - lost):
        keys = list(range(i + 1 if mask == "causal" else n))
        kept = rng.choice(keys)
        weights = {j: math.exp(rng.gauss(0, 1.5)) for j in keys if j == kept or rng.random() >= zeros}
        for j, w in weights.items():
            A[i, j] = w / sum(weights.values())
    return A.astype(np.float32)


def make_case(rng, number, lengths, h, d_k, mask, zeros):
    d_model = h * d_k
    case = {"lengths": lengths, "heads": h, "d_k": d_k}
    for name in ["W_Q", "W_K", "W_V", "W_O"]:
        case[name] = gauss(rng, d_model, d_model)
    case["attention"] = [[make_pattern(rng, n, mask, zeros, number == LOST) for _ in range(h)] for n in lengths]
    case["output"] = [[gauss(rng, n, d_k) for _ in range(h)] for n in lengths]
    case["Q"] = [gauss(rng, lengths[0], d_k) for _ in range(h)]
    case["K"] = [gauss(rng, lengths[0], d_k) for _ in range(h)]
    if number == FLAT:
        case["output"][0][1][:] = case["output"][0][1][0]
    if number == ALIKE:
        mixed = 0.98 * case["attention"][0][2].astype(float) + 0.02 * case["attention"][0][3].astype(float)
        case["attention"][0][3] = mixed.astype(np.float32)
    return case


def stacked(case, name, head):
    """All sentences' rows of the head that attend to something, in double precision."""
    rows = []
    for sentence in range(len(case["lengths"])):
        attends = case["attention"][sentence][head].sum(axis=1) > 0
        rows.extend(row.astype(float) for row in case[name][sentence][head][attends])
    return rows


def flat(case, head):
    return np.concatenate(stacked(case, "attention", head))


def js_bits(case, i, g):
    values = []
    for p, q in zip(stacked(case, "attention", i), stacked(case, "attention", g)):
        m = (p + q) / 2
        values.append(entropy_bits(m) - (entropy_bits(p) + entropy_bits(q)) / 2)
        assert abs(values[-1] - spatial.jensenshannon(p, q, base=2) ** 2) < 1e-6
    return float(np.mean(values))


def entropy_bits(p):
    p = p[p > 0]
    return -float(np.sum(p * np.log2(p)))


def kl_bits(case, i, g):
    values = []
    for p, q in zip(stacked(case, "attention", i), stacked(case, "attention", g)):
        if np.any((p > 0) & (q == 0)):
            values.append(math.inf)
            assert stats.entropy(p, q, base=2) == math.inf
            continue
        on = p > 0
        values.append(float(np.sum(p[on] * np.log2(p[on] / q[on]))))
        assert abs(values[-1] - stats.entropy(p, q, base=2)) < 1e-5
    return float(np.mean(values))


def hsic(K, L):
    """Song et al. 2012, equation 5, with the whole Gram matrices."""
    n = len(K)
    K, L, one = K - np.diag(np.diag(K)), L - np.diag(np.diag(L)), np.ones(n)
    return (np.trace(K @ L) + (one @ K @ one) * (one @ L @ one) / ((n - 1) * (n - 2)) -
            2 / (n - 2) * (one @ K @ L @ one)) / (n * (n - 3))


def cka(case, i, g):
    X, Y = np.array(stacked(case, "output", i)), np.array(stacked(case, "output", g))
    if len(X) < 4 or np.ptp(X, axis=0).max() == 0 or np.ptp(Y, axis=0).max() == 0:
        return None
    K, L = X @ X.T, Y @ Y.T
    return float(hsic(K, L) / math.sqrt(hsic(K, K) * hsic(L, L)))


def form_cosine(case, left, right, i, g):
    def form(head):
        d_k = case["d_k"]
        block = slice(head * d_k, (head + 1) * d_k)
        first = case[left][:, block].astype(float)
        return first @ (case[right][block] if right == "W_O" else case[right][:, block].T).astype(float)

    a, b = form(i), form(g)
    return float(np.sum(a * b) / (np.linalg.norm(a) * np.linalg.norm(b)))


def likeness(case, measure, i, g):
    if measure == "cosine":
        return float(flat(case, i) @ flat(case, g) / (np.linalg.norm(flat(case, i)) * np.linalg.norm(flat(case, g))))
    if measure == "js_bits":
        return js_bits(case, i, g)
    if measure == "kl_bits":
        return kl_bits(case, i, g)
    if measure == "cka":
        return cka(case, i, g)
    return form_cosine(case, "W_Q", "W_K", i, g) if measure == "qk" else form_cosine(case, "W_V", "W_O", i, g)


def distances(measure, values):
    """Distances between heads; what is not finite counts as the largest that is."""
    h = len(values)
    D = np.zeros((h, h))
    for i in range(h):
        for g in range(h):
            v, back = values[i][g], values[g][i]
            if i == g:
                continue
            if v is None:
                D[i, g] = math.nan
            elif measure == "js_bits":
                D[i, g] = math.sqrt(max(v, 0))
            elif measure == "kl_bits":
                D[i, g] = (v + back) / 2
            else:
                D[i, g] = 1 - v
    finite = D[np.isfinite(D) & ~np.eye(h, dtype=bool)]
    D[~np.isfinite(D)] = finite.max() if len(finite) else 1
    return D


def tree(D):
    Z = hierarchy.linkage(spatial.squareform(D, checks=False), "average")
    return {"merges": [[int(a), int(b), float(d), int(s)] for a, b, d, s in Z],
            "leaf_order": [int(k) for k in hierarchy.leaves_list(Z)]}


def scaling(D):
    h = len(D)
    J = np.eye(h) - np.ones((h, h)) / h
    values, vectors = np.linalg.eigh(-0.5 * J @ (D ** 2) @ J)
    points = np.zeros((h, 2))
    for axis in range(min(2, h)):
        value = values[h - 1 - axis]
        points[:, axis] = vectors[:, h - 1 - axis] * math.sqrt(value) if value > 1e-12 * abs(values).max() else 0
    on_map = spatial.squareform(spatial.pdist(points))
    size = np.sum(D ** 2)
    return {"points": points, "stress": math.sqrt(np.sum((D - on_map) ** 2) / size) if size > 0 else 0.0,
            "eigenvalues": values[::-1][:3]}


def clear_tree(D):
    """Whether no two distances are so near to each other that rounding decides the tree."""
    Z = hierarchy.linkage(spatial.squareform(D, checks=False), "average")
    near = spatial.squareform(D, checks=False)
    return len(set(np.round(near, 6))) == len(near) and len(set(np.round(Z[:, 2], 6))) == len(Z)


def effective_number(values):
    p = np.maximum(values, 0)
    p = p[p > 1e-300] / p.sum()
    return float(math.exp(stats.entropy(p)))


def spectrum(M):
    values = np.linalg.svd(M, compute_uv=False)
    return {"rank": int(np.linalg.matrix_rank(M, tol=max(M.shape) * 2.0 ** -23 * values[0])),
            "effective_rank": effective_number(values), "values": values}


def measures(case):
    h, d_k = case["heads"], case["d_k"]
    result = {m: [[likeness(case, m, i, g) for g in range(h)] for i in range(h)] for m in MEASURES}
    result["gram"] = [[float(flat(case, i) @ flat(case, g)) for g in range(h)] for i in range(h)]
    # Singular values, as Roy and Vetterli have the effective rank; of a Gram matrix they are its eigenvalues.
    cosines = np.array(result["cosine"])
    values = np.linalg.svd(cosines, compute_uv=False)
    result["effective_heads"] = effective_number(np.where(values > 1e-14 * values.max(), values, 0))
    result["trees"], result["maps"] = {}, {}
    for m in MEASURES:
        D = distances(m, result[m])
        result["maps"][m] = scaling(D)
        if clear_tree(D):
            result["trees"][m] = tree(D)
    result["ranks"] = []
    for i in range(h):
        block = slice(i * d_k, (i + 1) * d_k)
        result["ranks"].append({
            "scores": spectrum(case["Q"][i].astype(float) @ case["K"][i].astype(float).T),
            "query_key": spectrum(case["W_Q"][:, block].astype(float) @ case["W_K"][:, block].astype(float).T)})
        for name, most in (("scores", min(case["lengths"][0], d_k)), ("query_key", d_k)):
            # Singular values beyond the inner size are rounding alone.
            result["ranks"][-1][name]["values"] = result["ranks"][-1][name]["values"][:most]
    return result


def main():
    rng = random.Random(4)
    cases = []
    for number, (lengths, h, d_k, mask, zeros) in enumerate(CASES):
        case = make_case(rng, number, lengths, h, d_k, mask, zeros)
        case["measures"] = measures(case)
        cases.append(case)
    write_cases("likeness_golden.json", cases)


if __name__ == "__main__":
    main()
