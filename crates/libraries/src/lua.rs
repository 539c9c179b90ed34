use super::draws::*;

libraries! { "Lua";
    "lua-54-random", "math.random(n)", "Lua 5.4", "lmathlib.c (project)", Run,
        "k bits of 64, again until they are below n",
        n up to WORD_64 => mask_attempts(64, 1, max_value_bits(n), n);
}
