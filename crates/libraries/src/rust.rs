use super::draws::*;

libraries! { "Rust";
    "rust-rand-uniform32", "rand Uniform::new(0, n).sample", "rand 0.10.2 @bb1262f7", "src/distr/uniform_int.rs", Run,
        "Lemire's multiplication of 32 bits up to n = 2^32, of 64 above",
        n up to WORD_64 => {
            let w = narrow_or_wide(n);
            multiply_attempts(w, 1, w, n)
        };
    "rust-rand-unbiased32", "rand random_range, feature unbiased", "rand 0.10.2 @bb1262f7", "src/distr/uniform_int.rs", Run,
        "multiply by n, and draw another word of 32 bits as long as it could carry",
        n up to WORD_32 => if n.is_one() { cut_attempts(32, 1, 32, n) } else { WordDraws {
                source: word_source(32),
                bits: Some(32),
                call: Call::interval(word_source(32), n)?
            } };
    "rust-fastrand-i32", "fastrand::i32(..n)", "fastrand @04e2d02a", "src/lib.rs", Run,
        "Lemire's multiplication of the low 32 bits of a step of 64",
        n up to WORD_32 => multiply_attempts(64, 1, 32, n);
    "rust-fastrand-usize", "fastrand::usize(..n)", "fastrand @04e2d02a", "src/lib.rs", Run,
        "Lemire's multiplication of 64 bits",
        n up to WORD_64 => multiply_attempts(64, 1, 64, n);
    "rust-rand-random-range32", "rand random_range(0..n), i32", "rand 0.10.2 @bb1262f7", "src/distr/uniform_int.rs", Run,
        "Canon's method with two words of 32 bits at most: biased",
        n up to WORD_32 => canon_words(32, n);
    "rust-rand-random-range64", "rand random_range(0..n), i64", "rand 0.10.2 @bb1262f7", "src/distr/uniform_int.rs", Run,
        "Canon's method with two words of 64 bits at most: biased",
        n up to WORD_64 => canon_words(64, n);
}
