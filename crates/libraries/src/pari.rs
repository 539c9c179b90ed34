use super::draws::*;

libraries! { "PARI/GP" or "gp";
    "pari-random", "random(n)", "PARI 2.5 and later", "src/basemath/random.c (random_Fl)", Run,
        "the top k bits of 64, again until they are below n",
        n up to WORD_64 - 1 => if n.is_one() { no_draws(64) } else { mask_attempts(64, 1, max_value_bits(n), n) };
}
