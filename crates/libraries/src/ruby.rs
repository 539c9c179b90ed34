use super::draws::*;

libraries! { "Ruby";
    "ruby-rand", "rand(n), Random.rand", "Ruby 3.1", "random.c (limited_rand)", Run,
        "k bits of a word of 32, again until they are below n; above n = 2^32 the top bits first, again at once if they are too large",
        n up to WORD_64 => if n.is_one() {
            no_draws(32)
        } else if *n <= BigUint::from(WORD_32) {
            mask_attempts(32, 1, max_value_bits(n), n)
        } else {
            let high = largest_high_digit(n, WORD_32) + 1u8;
            high_low_digits(mask_attempts(32, 1, max_value_bits(n) - 32, &high), n)
        };
}
