use super::draws::*;

libraries! { "Nim";
    "nim-rand", "rand(r, n - 1)", "nim-lang/Nim @b534f34e", "lib/pure/random.nim", Read,
        "64 bits up to the largest multiple of n - 1, modulo n; the 22nd word as it is: biased",
        n up to 1 << 63 => if n.is_one() { no_draws(64) } else {
                let range = n - 1u8;
                let limit = (power_of_two(64) - 1u8) / &range * &range + 1u8;
                let mut draws = attempts(64, 1, 64, n, Map::Remainder(limit));
                if let Call::Attempts(attempt, _) = &mut draws.call {
                    attempt.last = Some((22, Map::Remainder(power_of_two(64))));
                }
                draws
            };
}
