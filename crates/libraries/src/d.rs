use super::draws::*;

libraries! { "D";
    "d-uniform-int", "uniform(0, n)", "phobos @3d56c741", "std/random.d", Read,
        "one word of 32 bits up to n = 2^32, two above, modulo n unless they are in the last block",
        n up to WORD_64 => {
            let bits = narrow_or_wide(n);
            cut_attempts(32, bits / 32, bits, n)
        };
}
