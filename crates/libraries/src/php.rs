use super::draws::*;

libraries! { "PHP";
    "php-random-int", "random_int", "php-src @03bef8d5", "ext/random/random.c", Run,
        "64 bits, modulo n unless they are beyond the largest multiple; a mask for a power of two",
        n up to WORD_64 => match n.count_ones() {
            _ if n.is_one() => no_draws(64),
            1 => mask_attempts(64, 1, max_value_bits(n), n),
            _ => cut_attempts(64, 1, 64, n),
        };
    "php-mt-rand", "mt_rand(a, b)", "php-src @03bef8d5", "ext/random/random.c", Run,
        "one word of 32 bits up to n = 2^32, two above, modulo n unless they are beyond the largest multiple",
        n up to WORD_64 => {
            let bits = narrow_or_wide(n);
            cut_attempts(32, bits / 32, bits, n)
        };
    "php-mt-rand-legacy", "mt_rand(a, b) with MT_RAND_PHP", "php-src @03bef8d5", "ext/random/random.c", Run,
        "31 bits of a word of 32 as a double, times n: biased",
        n up to MAX_EXACT_DOUBLE => double_attempts(32, 1, 31, n);
}
