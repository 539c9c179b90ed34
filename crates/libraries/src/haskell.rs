use super::draws::*;

libraries! { "Haskell";
    "haskell-uniformr-int", "uniformR (0, n-1) :: Int", "haskell/random @096483d6", "src/System/Random/Internal.hs", Read,
        "k bits of 64, again until they are below n",
        n up to WORD_64 => if n.is_one() { no_draws(64) } else { mask_attempts(64, 1, max_value_bits(n), n) };
}
