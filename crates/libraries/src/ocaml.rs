use super::draws::*;

libraries! { "OCaml";
    "ocaml-5-random-int", "Random.int, full_int", "OCaml 5.2", "stdlib/random.ml", Copy,
        "30, 31 or 62 bits of a step of 64, modulo n unless they are in the last block",
        n up to (1 << 62) - 1 => cut_attempts(64, 1, ocaml(n).0, n);
    "ocaml-4-random-int", "Random.int, full_int", "OCaml 4.14 @001997e8", "stdlib/random.ml", Run,
        "30 bits, or 31 of two or 62 of three steps of 30, modulo n unless they are in the last block",
        n up to (1 << 62) - 1 => {
            let (bits, steps) = ocaml(n);
            cut_attempts(30, steps, bits, n)
        };
}

/// Returns the bits and the steps of `full_int`: the smallest of 30, 31 and 62 bits that can
/// represent n.
fn ocaml(n: &BigUint) -> (u32, u32) {
    match n.bits() {
        0..=30 => (30, 1),
        31 => (31, 2),
        _ => (62, 3),
    }
}
