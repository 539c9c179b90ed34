use super::draws::*;

libraries! { "Go" or "golang";
    "go-math-rand", "math/rand.Intn", "Go @0b9974d3", "src/math/rand/rand.go", Run,
        "31 bits of a step of 64 for n < 2^31, else 63, modulo n unless they are beyond the largest multiple",
        n up to MAX_LONG => cut_attempts(64, 1, if n.bits() <= 31 { 31 } else { 63 }, n);
    "go-math-rand-v2", "math/rand/v2.IntN", "Go @0061fdb4", "src/math/rand/v2/rand.go", Run,
        "Lemire's multiplication of 64 bits; a mask for a power of two",
        n up to MAX_LONG => match n.count_ones() {
            1 => mask_attempts(64, 1, max_value_bits(n), n),
            _ => multiply_attempts(64, 1, 64, n),
        };
    "go-crypto-rand", "crypto/rand.Int", "Go 1.27.3", "src/crypto/rand/util.go", Run,
        "k bits of bytes, again until they are below n",
        n up to ANY_SIDES => if n.is_one() { no_draws(8) } else { masked_words(8, n) };
    "go-crypto-rand-old", "crypto/rand.Int, older", "Go @2bd616b1", "src/crypto/rand/util.go", Read,
        "K bits of bytes, again until they are below n",
        n up to ANY_SIDES => mask_attempts(8, (n.bits() as u32).div_ceil(8), n.bits() as u32, n);
}
