use super::draws::*;

libraries! { "Erlang";
    "erlang-uniform", "rand:uniform(n), exsss", "OTP", "lib/stdlib/src/rand.erl", Copy,
        "58 bits, modulo n unless they are beyond the largest multiple",
        n up to 1 << 58 => cut_attempts(58, 1, 58, n);
}
