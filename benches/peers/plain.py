"""Does the tasks of run.py in plain Python 3, on all cores: plain.py WORK N [FILE].

Prints one line: a sum, and for a single n also the milliseconds inside the process.
`integer` is the type of the long numbers, so that flint_peer.py differs in that type only.
"""

import math
import multiprocessing
import os
import sys
import time

M61 = (1 << 61) - 1
CORES = len(os.sched_getaffinity(0))

integer = int
gcd = math.gcd
DIGITS = 50


def count_ones(x):
    return x.bit_count()


def sieve(limit):
    """Returns two tables for odd m: the order of 2 modulo m, and the power of two in the orders modulo the prime factors
    of m if all of these powers are equal, otherwise 0."""
    least = list(range(limit + 1))
    for q in range(2, math.isqrt(limit) + 1):
        if least[q] == q:
            for k in range(q * q, limit + 1, q):
                if least[k] == k:
                    least[k] = q
    period, exact = [0] * (limit + 2), [0] * (limit + 2)
    period[1] = 1
    for m in range(3, limit + 1, 2):
        q = least[m]
        if q == m:
            order = rest = m - 1
            while rest > 1:
                f = least[rest]
                while rest % f == 0:
                    rest //= f
                while order % f == 0 and pow(2, order // f, m) == 1:
                    order //= f
            period[m], exact[m] = order, order & -order
            continue
        r = m // q
        while r % q == 0:
            r //= q
        if r == 1:
            order = period[m // q]
            period[m] = order if pow(2, order, m) == 1 else order * q
            exact[m] = exact[q]
        else:
            period[m] = math.lcm(period[m // r], period[r])
            exact[m] = exact[q] if exact[q] == exact[r] else 0
    return period, exact


def order_alone(m):
    def primes(x):
        found, q = [], 2
        while q * q <= x:
            if x % q == 0:
                found.append(q)
                while x % q == 0:
                    x //= q
            q += 1
        return found + [x] if x > 1 else found

    order = m
    for q in primes(m):
        order = order // q * (q - 1)
    for q in primes(order):
        while order % q == 0 and pow(2, order // q, m) == 1:
            order //= q
    return order, order % 2 == 0 and pow(2, order // 2, m) == m - 1


def in_parallel(work, items):
    """Returns the results in order. The workers are forked, so they see the tables."""
    with multiprocessing.get_context("fork").Pool(CORES) as pool:
        yield from pool.imap(work, items)
        pool.close()
        pool.join()


def blocks(limit, size):
    return [range(start, min(start + size, limit + 1), 2) for start in range(1, limit + 1, size)]


def rounds_of(block):
    found = []
    one = integer(1)
    for m in block:
        p = PERIOD[m]
        if m == 1:
            found.append(1)
        elif EXACT[m] > 1:
            found.append(p // 2)
        else:
            found.append(count_ones(((one << p) - 1) // m))
    return found


def rounds(limit, path):
    ones = []
    for found in in_parallel(rounds_of, blocks(limit, 2048)):
        ones += found
    with open(path, "w") as file:
        file.write("".join(f"{n} {ones[n // (n & -n) >> 1]}\n" for n in range(1, limit + 1)))


def masks(bits):
    """Returns a mask for every i, with ones at those places j < bits for which bit i of j is set.

    J(B) is the sum of (B & mask) << i."""
    one = integer(1)
    found = []
    for i in range((bits - 1).bit_length()):
        step = 1 << i
        mask, width = ((one << step) - 1) << step, 2 * step
        while width < bits:
            mask |= mask << width
            width *= 2
        found.append(mask)
    return found


def weigh(b, masks):
    total = b & masks[0] if masks else integer(0)
    for i in range(1, len(masks)):
        total += (b & masks[i]) << i
    return total


def unreduced(m, p, half, weight):
    b = p // 2 if half else p
    power = integer(1) << b
    if half:
        denominator = power + 1
        return b * power + 2 * m - m * weight(denominator // m - 1, b), denominator
    denominator = power - 1
    return b * power - m * weight(denominator // m, b), denominator


def sum_of(block):
    total = 0
    for m in block:
        if m == 1:
            numerator, denominator = integer(0), integer(1)
        else:
            weight = lambda b, bits: weigh(b, MASKS[: (bits - 1).bit_length()])
            numerator, denominator = unreduced(m, PERIOD[m], EXACT[m] > 1, weight)
            g = gcd(numerator, denominator)
            if g != 1:
                numerator //= g
                denominator //= g
        n = m
        while n <= LIMIT:
            total += int(numerator % M61) + int(denominator % M61)
            numerator += denominator
            n *= 2
    return total


def one(n, reduced):
    start = time.perf_counter()
    k = (n & -n).bit_length() - 1
    m = n >> k
    p, half = order_alone(m)
    numerator, denominator = unreduced(m, p, half, weigh_halves)
    if reduced:
        g = gcd(numerator, denominator)
        if g != 1:
            numerator //= g
            denominator //= g
    numerator += k * denominator
    taken = (time.perf_counter() - start) * 1e3
    print((int(numerator % M61) + int(denominator % M61)) % M61, f"{taken:.3f}")


def weigh_halves(b, bits, base=1 << 14):
    """Returns J of a long number from its halves: J(low) + 2^h (J(high) + h high)."""
    small = masks(base)

    def go(b, bits):
        if bits <= base:
            return weigh(b, small)
        h = 1 << (bits - 1).bit_length() - 1
        high = b >> h
        return go(b & ((integer(1) << h) - 1), h) + ((go(high, bits - h) + h * high) << h)

    return go(b, bits)


def decimals_of(block):
    lines = []
    ten = integer(10) ** DIGITS
    for m in block:
        bits = 256
        value = integer(0)
        while m > 1:
            # E(m) 2^bits is at least this value, and below this value + 2 m
            power = integer(1) << bits
            low = power * bits - m * weigh(power // m, MASKS if bits == 256 else masks(bits))
            half = power >> 1
            value = (low * ten + half) >> bits
            if value == ((low + 2 * m) * ten + half) >> bits:
                break
            bits *= 2
        n = m
        while n <= LIMIT:
            whole, rest = divmod(value, ten)
            lines.append((n, f"{n},{whole}.{str(rest).zfill(DIGITS)}\n"))
            value += ten
            n *= 2
    return lines


def decimals(limit, path):
    lines = [""] * (limit + 1)
    lines[0] = "n,expected\n"
    for found in in_parallel(decimals_of, blocks(limit, 2048)):
        for n, line in found:
            lines[n] = line
    with open(path, "w") as file:
        file.writelines(lines)


def number(state, size):
    """Returns a number made of words of Marsaglia's xorshift generator (2003), the lowest first, and the new state."""
    words = bytearray()
    for _ in range(size):
        state ^= state << 13 & (1 << 64) - 1
        state ^= state >> 7
        state ^= state << 17 & (1 << 64) - 1
        words += state.to_bytes(8, "little")
    return integer(int.from_bytes(words, "little")), state


def product(bits):
    """Returns the mean time of 20 products; a first product is not counted."""
    x, state = number(1, bits // 64)
    y, _ = number(state, bits // 64)
    found = x * y
    start = time.perf_counter()
    for _ in range(20):
        found = x * y
    taken = (time.perf_counter() - start) * 1e3 / 20
    print(int(found % M61), f"{taken:.3f}")


def main():
    global LIMIT, PERIOD, EXACT, MASKS
    work, LIMIT = sys.argv[1], int(sys.argv[2])
    path = sys.argv[3] if len(sys.argv) > 3 else os.devnull
    if work in ("rounds", "fractions", "orders"):
        PERIOD, EXACT = sieve(LIMIT)
    if work == "rounds":
        rounds(LIMIT, path)
    elif work == "fractions":
        MASKS = masks(LIMIT)
        print(sum(in_parallel(sum_of, blocks(LIMIT, 256))) % M61)
    elif work == "one":
        one(LIMIT, True)
    elif work == "numerator":
        one(LIMIT, False)
    elif work == "product":
        product(LIMIT)
    elif work == "decimals":
        MASKS = masks(256)
        decimals(LIMIT, path)
    elif work == "orders":
        print(sum(PERIOD[n // (n & -n)] for n in range(1, LIMIT + 1)))
    else:
        sys.exit(f"no such work: {work}")


if __name__ == "__main__":
    main()
