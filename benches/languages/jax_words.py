"""Runs jax.random.randint: reads `id n calls`, prints `id n outcome word word`. The two words of each element are the
bits of the two keys into which randint splits its key."""

import sys

import jax
import jax.numpy as jnp

for line in sys.stdin:
    id, n, calls = line.split()
    n, calls = int(n), int(calls)
    # smaller types are sampled as int32
    for kind in [jnp.int32, jnp.uint8] if n <= 256 else [jnp.int32]:
        key = jax.random.key(12345)
        outcomes = jax.random.randint(key, (calls,), 0, n, dtype=kind)
        high, low = (jax.random.bits(part, (calls,), jnp.uint32) for part in jax.random.split(key))
        for outcome, first, second in zip(outcomes.tolist(), high.tolist(), low.tolist()):
            print(id, n, outcome, first, second)
