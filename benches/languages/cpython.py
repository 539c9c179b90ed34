"""Runs random and secrets of CPython: reads `id n calls word ...`, prints `id n outcome word ...` for each call."""

import random
import secrets
import sys
from random import Random, SystemRandom


def stepped(call, real, twin):
    """Returns the result of a call, and the words that bring a copy of the generator to the same state."""
    outcome = call(real)
    words = []
    while twin.getstate() != real.getstate():
        words.append(twin.getrandbits(32))
    return outcome, words


def of_a_seed(call, calls):
    real, twin = Random(12345), Random(12345)
    return [stepped(call, real, twin) for _ in range(calls)]


def of_bytes(call, calls, given):
    """Runs the calls with the given bytes instead of those that os.urandom would return."""
    made, place = [], 0
    taken = []

    def urandom(count):
        nonlocal place
        part = given[place : place + count]
        if len(part) < count:
            raise EOFError
        place += count
        taken.extend(part)
        return bytes(part)

    random._urandom = urandom
    for _ in range(calls):
        taken.clear()
        try:
            outcome = call()
        except EOFError:
            break
        made.append((outcome, list(taken)))
    return made


for line in sys.stdin:
    id, n, calls, *given = line.split()
    n, calls, given = int(n), int(calls), [int(word) for word in given]
    if id == "cpython-randbelow":
        made = of_a_seed(lambda real: real.randrange(n), calls)
    elif id == "cpython-float-times-n":
        made = of_a_seed(lambda real: int(real.random() * n), calls)
    elif id == "cpython-secrets":
        made = of_bytes(lambda: secrets.randbelow(n), calls, given)
    for outcome, words in made:
        print(id, n, outcome, *words)
