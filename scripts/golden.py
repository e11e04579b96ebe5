"""Cases of reference numbers, written to tests/data so that they read back as they were measured."""
import json
import math
import pathlib

import numpy as np


def plain(value, digits=12):
    if isinstance(value, np.ndarray):
        return [plain(v, digits) for v in value]
    if isinstance(value, np.float32):
        return float(f"{value:.9g}")
    if isinstance(value, float):
        return "inf" if value == math.inf else float(f"{value:.{digits}g}")
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, dict):
        return {key: plain(v, digits) for key, v in value.items()}
    return [plain(v, digits) for v in value] if isinstance(value, list) else value


def write_cases(name, cases, digits=12):
    path = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / name
    lines = ",\n".join(json.dumps(plain(case, digits), separators=(",", ":")) for case in cases)
    path.write_text("[\n" + lines + "\n]\n")
    print(f"{path}: {len(cases)} cases, {path.stat().st_size} bytes")
