use super::draws::*;

libraries! { "Racket";
    "racket-random", "(random n)", "Racket, ChezScheme @a6b132b8", "c/random.c", Read,
        "buckets of a value of MRG32k3a, which has 4294967087 of them",
        n up to RACKET as u128 => draw_of_values(
            RACKET,
            None,
            BitsRead::NoBits,
            n,
            Map::Quotient(BigUint::from(RACKET) / n)
        );
}

/// The number R of values of MRG32k3a.
const RACKET: u64 = 4_294_967_087;
