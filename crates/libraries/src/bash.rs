use super::draws::*;

libraries! { "Bash";
    "bash-random-mod", "$RANDOM % n", "bash 5.1 and later", "lib/sh/random.c, variables.c (get_random_number)", Run,
        "a state of 31 bits folded to 15, modulo n: biased; that a value which repeats the last is drawn again is not counted",
        n up to 1 << 15 => odd_word((1 << 31) - 2, Some(31), BitsRead::Bits(15), n, Map::Folded);
}
