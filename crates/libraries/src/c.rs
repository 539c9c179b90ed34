use super::draws::*;

libraries! { "C";
    "openbsd-arc4random-uniform", "arc4random_uniform", "openbsd/src @0d943ef0", "lib/libc/crypt/arc4random_uniform.c", Read,
        "32 bits, modulo n unless they are below 2^32 mod n",
        n up to WORD_32 - 1 => if n.is_one() { no_draws(32) } else { cut_attempts(32, 1, 32, n) };
    "linux-u32-below-const", "get_random_u32_below(v), v a constant", "Linux 6.2 and later", "include/linux/random.h", Copy,
        "multiplication of 8, 16 or 32 bits, the least that hold v",
        n up to WORD_32 - 1 => match max_value_bits(n) {
            0 => no_draws(8),
            1..=8 => multiply_attempts(8, 1, 8, n),
            9..=16 => multiply_attempts(16, 1, 16, n),
            _ => multiply_attempts(32, 1, 32, n),
        };
    "linux-u32-below", "get_random_u32_below(v)", "Linux 6.2 and later", "drivers/char/random.c", Copy,
        "Lemire's multiplication of 32 bits",
        n up to WORD_32 - 1 => multiply_attempts(32, 1, 32, n);
    "libsodium-uniform", "randombytes_uniform", "jedisct1/libsodium @027f9f9f", "src/libsodium/randombytes/randombytes.c", Run,
        "32 bits, modulo n unless they are below 2^32 mod n",
        n up to WORD_32 - 1 => if n.is_one() { no_draws(32) } else { cut_attempts(32, 1, 32, n) };
    "gmp-urandomm", "mpz_urandomm, gmp_urandomm_ui", "GMP 6.2.1", "mpz/urandomm.c", Run,
        "k bits of words of 32, at most 80 times until they are below n; then less n",
        n up to ANY_SIDES => if n.is_one() { no_draws(32) } else {
                check_target_bits(n)?;
                let mut draws = masked_words(32, n);
                if let Call::Attempts(attempt, _) = &mut draws.call {
                    attempt.last = Some((80, Map::Remainder(attempt.values.clone())));
                }
                draws
            };
    "gsl-uniform-int", "gsl_rng_uniform_int", "GSL 2.7.1", "rng/rng.c", Run,
        "buckets of floor((2^32 - 1) / n) values",
        n up to WORD_32 - 1 => cut_below(32, 32, n);
    "c-rand-mod-glibc", "rand() % n", "glibc 2.36, musl", "stdlib/rand.c", Run,
        "31 bits modulo n: biased",
        n up to 1 << 31 => attempts(31, 1, 31, n, Map::Remainder(power_of_two(31)));
    "c-rand-mod-msvc", "rand() % n", "Microsoft C", "stdlib.h", Memory,
        "15 bits modulo n: biased",
        n up to 1 << 15 => attempts(15, 1, 15, n, Map::Remainder(power_of_two(15)));
}
