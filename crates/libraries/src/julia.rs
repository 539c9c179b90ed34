use super::draws::*;

libraries! { "Julia";
    "julia-rand-int64", "rand(1:n), Int64", "Julia @00b8606b", "stdlib/Random/src/generation.jl", Read,
        "Lemire's multiplication of 64 bits",
        n up to WORD_64 => multiply_attempts(64, 1, 64, n);
    "julia-rand-int32", "rand(1:n), Int32 and smaller", "Julia @00b8606b", "stdlib/Random/src/generation.jl", Read,
        "Lemire's multiplication of 32 bits of a step of 64",
        n up to WORD_32 => multiply_attempts(64, 1, 32, n);
}
