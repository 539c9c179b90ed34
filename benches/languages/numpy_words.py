"""Runs functions of NumPy: reads `id n calls`, prints `id n outcome word ...`. A copy of the bit generator is stepped by
next_uint32 or next_uint64 until it has the same state as the original. For arrays, one call returns all outcomes:
it prints a line for each outcome, and a line with all the words, which has the outcome `-`."""

import sys

import numpy as np


def state(generator):
    """Returns the whole state in a form that can be compared, without the stored half word if it was already used."""
    whole = dict(generator.state)
    if not whole.get("has_uint32"):
        whole.pop("uinteger", None)
    inner = whole.pop("state")
    return repr(whole), tuple(np.asarray(part).tobytes() if not isinstance(part, int) else part for part in inner.values())


def steps(real, twin, wide):
    step = twin.ctypes.next_uint64 if wide else twin.ctypes.next_uint32
    words, end = [], state(real)
    while state(twin) != end:
        words.append(step(twin.ctypes.state))
    return words


for line in sys.stdin:
    id, n, calls = line.split()
    n, calls = int(n), int(calls)
    wide = n > 2**32
    if id == "numpy-randint-legacy":
        real, twin = np.random.MT19937(12345), np.random.MT19937(12345)
        old = np.random.RandomState(real)
        call = lambda: old.randint(0, n, dtype=np.int64 if n < 2**63 else np.uint64)
    else:
        real, twin = np.random.PCG64(12345), np.random.PCG64(12345)
        new = np.random.Generator(real)
        types = {"numpy-integers-int64": np.int64 if n < 2**63 else np.uint64, "numpy-integers-uint8-scalar": np.uint8}
        call = lambda: new.integers(0, n, dtype=types[id])
    if id.endswith("-array"):
        bits = 8 if "uint8" in id else 16
        outcomes = new.integers(0, n, size=calls, dtype=f"uint{bits}")
        for outcome in outcomes:
            print(id, n, outcome)
        pieces = [word >> shift & (1 << bits) - 1 for word in steps(real, twin, False) for shift in range(0, 32, bits)]
        print(id, n, "-", *pieces)
        continue
    for _ in range(calls):
        outcome = call()
        print(id, n, outcome, *steps(real, twin, wide))
