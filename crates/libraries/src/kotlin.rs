use super::draws::*;

libraries! { "Kotlin";
    "kotlin-random-seeded", "Random(seed).nextInt(until)", "Kotlin @00506a75", "libraries/stdlib/src/kotlin/random/Random.kt", Read,
        "31 bits of 32, modulo n unless they are beyond the largest multiple; the top k bits for a power of two",
        n up to MAX_INT => match n.count_ones() {
            1 => mask_attempts(32, 1, max_value_bits(n), n),
            _ => cut_attempts(32, 1, 31, n),
        };
}
