#!/usr/bin/env python3
"""Makes tests/data/mixing_golden.json: what core/analysis/mixing.h measures, on random contributions, by plain NumPy in
double precision straight from the definitions (the greedy order by summing the silenced contributions anew each time).

Needs python3-numpy; the tests need only the file. Run it from anywhere: it writes the same bytes again. Contributions are
rounded to floats before they are measured, and written so that they read back as those floats.
"""

import itertools

import numpy as np

from golden import write_cases

# heads, tokens, d_model, whether there is a bias, how alike the heads write (0: not at all, 1: one direction)
CASES = [
    (1, 1, 4, False, 0),
    (2, 3, 4, False, 0),
    (3, 5, 6, True, 0),
    (4, 12, 8, False, 0.9),
    (8, 12, 16, True, 0.5),
    (6, 4, 12, False, 1),
]


def shares(Z, Y, b):
    squared = (Z**2).sum(axis=(1, 2))
    along = (Z * Y).sum(axis=(1, 2))
    whole = (Y**2).sum()
    return {
        "size": squared / squared.sum(),
        "along": along / whole,
        "bias_along": (np.broadcast_to(b, Y.shape) * Y).sum() / whole,
    }


def silencing(Z, Y):
    left, order, change = list(range(len(Z))), [], [0.0]
    while left:
        cost = [np.linalg.norm(Z[order + [h]].sum(axis=0)) for h in left]
        order.append(left.pop(int(np.argmin(cost))))
        change.append(np.linalg.norm(Z[order].sum(axis=0)) / np.linalg.norm(Y))
    return {"order": order, "change": change}


def in_any_order(Z, Y):
    """The mean change of Y after 0, 1, ... heads are silenced, over all orders of them."""
    change = [[np.linalg.norm(Z[list(order[:k])].sum(axis=0)) / np.linalg.norm(Y) for k in range(len(Z) + 1)]
              for order in itertools.permutations(range(len(Z)))]
    return np.mean(change, axis=0)


def cosines(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


def varying(z, y):
    """The same of what differs from token to token."""
    same = np.linalg.norm(z.mean(axis=1), axis=1) ** 2 * z.shape[1]
    constant = same / (z**2).sum(axis=(1, 2))
    z, y = z - z.mean(axis=1, keepdims=True), y - y.mean(axis=0)
    if z.shape[1] == 1:  # nothing does
        return {"constant": constant}
    none = np.zeros(y.shape[1])
    return {
        "constant": constant,
        "overall": shares(z, y, none),
        "tokens": [shares(z[:, t:t + 1], y[t:t + 1], none) for t in range(z.shape[1])],
        "ablation": np.linalg.norm(z, axis=(1, 2)) / np.linalg.norm(y),
        "silencing": silencing(z, y),
        "cosines": cosines(z.reshape(len(z), -1)),
        "first_token_cosines": cosines(z[:, 0]),
    }


def make_case(rng, heads, n, d_model, has_bias, alike):
    own = rng.normal(size=(heads, n, d_model)) * rng.uniform(0.2, 2, size=(heads, 1, 1))
    common = rng.normal(size=(n, d_model))
    sign = rng.choice([-1, 1], size=(heads, 1, 1))
    Z = np.float32((1 - alike) * own + alike * sign * common)
    b = np.float32(rng.normal(size=d_model) if has_bias else np.zeros(d_model))
    Y = np.float32(Z.astype(float).sum(axis=0) + b)
    z, y = Z.astype(float), Y.astype(float)
    return {
        "contributions": Z,
        "bias": b if has_bias else None,
        "output": Y,
        "overall": shares(z, y, b.astype(float)),
        "tokens": [shares(z[:, t:t + 1], y[t:t + 1], b.astype(float)) for t in range(n)],
        "ablation": np.linalg.norm(z, axis=(1, 2)) / np.linalg.norm(y),
        "silencing": silencing(z, y),
        "cosines": cosines(z.reshape(heads, -1)),
        "first_token_cosines": cosines(z[:, 0]),
        "in_any_order": in_any_order(z, y) if heads < 8 else None,
        "varying": varying(z, y),
    }


def main():
    rng = np.random.default_rng(11)
    cases = [make_case(rng, *case) for case in CASES]
    write_cases("mixing_golden.json", cases)


if __name__ == "__main__":
    main()
