use super::draws::*;

libraries! { "Python" or "numpy" or "jax";
    "cpython-randbelow", "random.randrange, randint, choice", "CPython 3.13", "Lib/random.py", Run,
        "K bits of words of 32 bits, again until they are below n",
        n up to ANY_SIDES => mask_attempts(32, (n.bits() as u32).div_ceil(32), n.bits() as u32, n);
    "cpython-secrets", "secrets.randbelow, SystemRandom", "CPython 3.13", "Lib/random.py", Run,
        "K bits of bytes, again until they are below n",
        n up to ANY_SIDES => mask_attempts(8, (n.bits() as u32).div_ceil(8), n.bits() as u32, n);
    "numpy-integers-int64", "Generator.integers (int64)", "NumPy @038c7435", "numpy/random/src/distributions/distributions.c", Run,
        "Lemire's multiplication of 32 bits up to n = 2^32, of 64 above",
        n up to WORD_64 => if n.is_one() { no_draws(32) } else {
                let w = narrow_or_wide(n);
                multiply_attempts(w, 1, w, n)
            };
    "numpy-integers-uint8-array", "Generator.integers (uint8), filling an array", "NumPy @038c7435", "numpy/random/src/distributions/distributions.c", Run,
        "Lemire's multiplication of 8 bits, four of them to a word of 32",
        n up to 256 => if n.is_one() { no_draws(8) } else { multiply_attempts(8, 1, 8, n) };
    "numpy-integers-uint8-scalar", "Generator.integers (uint8), one value", "NumPy @038c7435", "numpy/random/src/distributions/distributions.c", Run,
        "Lemire's multiplication of the four 8-bit parts of a word of 32, then another word",
        n up to 256 => if n.is_one() { no_draws(32) } else {
                let map = Map::Pieces(4, Box::new(Map::Product));
                let mut draws = attempts(32, 1, 32, n, map);
                if let Call::Attempts(_, look) = &mut draws.call {
                    *look = BitsRead::Pieces(8);
                }
                draws
            };
    "numpy-integers-uint16-array", "Generator.integers (uint16), filling an array", "NumPy @038c7435", "numpy/random/src/distributions/distributions.c", Run,
        "Lemire's multiplication of 16 bits, two of them to a word of 32",
        n up to 65536 => if n.is_one() { no_draws(16) } else { multiply_attempts(16, 1, 16, n) };
    "numpy-randint-legacy", "RandomState.randint (int64)", "NumPy @038c7435", "numpy/random/src/distributions/distributions.c", Run,
        "k bits of a word of 32 bits up to n = 2^32, of 64 above, again until they are below n",
        n up to WORD_64 => if n.is_one() { no_draws(32) } else { mask_attempts(narrow_or_wide(n), 1, max_value_bits(n), n) };
    "cpython-float-times-n", "int(random.random() * n)", "CPython", "Modules/_randommodule.c", Run,
        "53 bits of two words of 32 as a double, times n: biased",
        n up to MAX_EXACT_DOUBLE => double_attempts(32, 2, 53, n);
    "jax-randint-uint8", "jax.random.randint, uint8", "JAX up to 0.5.3", "jax/_src/random.py", Copy,
        "two words of 8 bits modulo n, the high one lost above n = 16: biased",
        n up to 256 => jax(8, n);
    "jax-randint-int32", "jax.random.randint, int32; in 0.10.2 the smaller types too", "JAX 0.10.2", "jax/_src/random.py", Run,
        "two words of 32 bits modulo n, the high one lost above n = 65536: biased",
        n up to WORD_32 => jax(32, n);
}

/// Draws two words of b bits. The high word has no effect for n above 2^(b/2).
fn jax(b: u32, n: &BigUint) -> WordDraws {
    let look = if *n <= power_of_two(b / 2) { 2 * b } else { b };
    attempts(b, 2, look, n, Map::Remainder(power_of_two(look)))
}
