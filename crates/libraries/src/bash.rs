use super::draws::*;

libraries! { "Bash";
    "bash-random-mod", "$RANDOM % n", "bash 5.1 and later", "lib/sh/random.c, variables.c (get_random_number)", Run,
        "a state of 31 bits folded to 15, again if that repeats the last value, so that results depend on the ones before; modulo n: biased",
        n up to 1 << 15 => draw_of_values((1 << 31) - 2, Some(31), BitsRead::Fresh(15), n, Map::Folded);
}
