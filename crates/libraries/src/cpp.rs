use super::draws::*;

libraries! { "C++" or "cpp";
    "libstdcxx-mt19937", "std::uniform_int_distribution, libstdc++", "GCC 12", "bits/uniform_int_dist.h", Run,
        "Lemire's multiplication of 32 bits; above n = 2^32 a high digit and a low word, again until they are below n",
        n up to WORD_64 => if *n <= BigUint::from(WORD_32) { multiply_attempts(32, 1, 32, n) } else {
                let high = largest_high_digit(n, WORD_32) + 1u8;
                high_low_digits(multiply_attempts(32, 1, 32, &high), n)
            };
    "libstdcxx-generate-mt19937", "std::uniform_int_distribution, libstdc++, filling an array", "GCC 12", "bits/uniform_int_dist.h", Run,
        "buckets of floor((2^32 - 1) / n) values; a mask for a power of two",
        n up to WORD_32 - 1 => match n.count_ones() {
            1 => mask_attempts(32, 1, max_value_bits(n), n),
            _ => cut_below(32, 32, n),
        };
    "libcxx-mt19937", "std::uniform_int_distribution, libc++", "llvm-project @0cff562c", "libcxx/include/__random/uniform_int_distribution.h", Run,
        "k bits of words of 32, again until they are below n",
        n up to WORD_64 => if n.is_one() { no_draws(32) } else { masked_words(32, n) };
    "msvc-mt19937", "std::uniform_int_distribution, MSVC", "microsoft/STL @2a62bf7b", "stl/inc/algorithm", Read,
        "Lemire's multiplication of one word of 32 bits up to n = 2^32, of two above",
        n up to WORD_64 => {
            let bits = narrow_or_wide(n);
            multiply_attempts(32, bits / 32, bits, n)
        };
    "boost-mt19937", "boost::random::uniform_int_distribution", "boostorg/random @143d83b4", "include/boost/random/uniform_int_distribution.hpp", Run,
        "buckets of floor(2^32 / n) values; above n = 2^32 a high digit and a low word, again until they are below n",
        n up to WORD_64 => if n.is_one() {
            no_draws(32)
        } else if *n <= BigUint::from(WORD_32) {
            attempts(32, 1, 32, n, Map::Quotient(BigUint::from(WORD_32) / n))
        } else {
            let high = largest_high_digit(n, WORD_32) + 1u8;
            let map = Map::Quotient(BigUint::from(WORD_32) / &high);
            high_low_digits(attempts(32, 1, 32, &high, map), n)
        };
}
