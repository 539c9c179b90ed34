use super::draws::*;

libraries! { "SQL";
    "postgres-random-range", "random(min, max)", "PostgreSQL 17 @29275b1d", "src/common/pg_prng.c", Read,
        "the top k bits of 64, again until they are below n",
        n up to WORD_64 => if n.is_one() { no_draws(64) } else { mask_attempts(64, 1, max_value_bits(n), n) };
    "sqlite-abs-random-mod", "abs(random()) % n", "SQLite", "src/func.c", Copy,
        "63 bits of 64 modulo n: biased",
        n up to 1 << 63 => attempts(64, 1, 63, n, Map::Remainder(power_of_two(63)));
}
