use super::draws::*;

libraries! { "Swift";
    "swift-int-random", "Int.random(in:)", "Swift @04092d37", "stdlib/public/core/Random.swift", Read,
        "Lemire's multiplication of 64 bits",
        n up to WORD_64 => multiply_attempts(64, 1, 64, n);
}
