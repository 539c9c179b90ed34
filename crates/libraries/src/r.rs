use super::draws::*;

libraries! { "R";
    "r-sample-rejection", "sample", "R 3.6 and later", "src/main/RNG.c (R_unif_index)", Run,
        "k bits of floor(k / 16) + 1 chunks of 16, each from a step of 32, again until they are below n",
        n up to 1 << 52 => mask_attempts(32, max_value_bits(n) / 16 + 1, max_value_bits(n), n);
    "r-sample-rounding", "sample, before 3.6 or sample.kind = \"Rounding\"", "R before 3.6; 4.2.2 on request", "src/main/RNG.c", Run,
        "32 bits as a double, times n: biased",
        n up to MAX_INT => double_attempts(32, 1, 32, n);
}
