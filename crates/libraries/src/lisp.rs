use super::draws::*;

libraries! { "Lisp" or "sbcl";
    "sbcl-random", "(random n), fixnum", "SBCL @03e2875b", "src/code/target-random.lisp", Run,
        "k bits of 32, or of 64 above n = 2^32, again until they are below n",
        n up to 1 << 62 => if n.is_one() { no_draws(32) } else { mask_attempts(narrow_or_wide(n), 1, max_value_bits(n), n) };
}
