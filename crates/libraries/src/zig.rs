use super::draws::*;

libraries! { "Zig";
    "zig-uintlessthan-u32", "Random.uintLessThan(u32, n)", "Zig @01d6de09", "lib/std/Random.zig", Run,
        "Lemire's multiplication of 32 bits",
        n up to WORD_32 - 1 => multiply_attempts(32, 1, 32, n);
    "zig-uintlessthan-u64", "Random.uintLessThan(u64, n)", "Zig @01d6de09", "lib/std/Random.zig", Run,
        "Lemire's multiplication of 64 bits",
        n up to WORD_64 - 1 => multiply_attempts(64, 1, 64, n);
    "zig-uintlessthanbiased-u32", "Random.uintLessThanBiased(u32, n)", "Zig @01d6de09", "lib/std/Random.zig", Run,
        "32 bits times n, the high half: biased",
        n up to WORD_32 - 1 => attempts(32, 1, 32, n, Map::Share);
}
