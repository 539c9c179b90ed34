//! The table: what each function draws for a die of n sides.
//!
//! K = bit length of n, k = bit length of n - 1. *Cut* keeps the largest multiple of n below 2^L, by
//! whichever test; *cut below* the largest multiple up to 2^L - 1; *mask* takes k bits until they are
//! below n. A function that returns at once for n = 1 draws nothing there.

use super::super::attempt::{Attempt, Map};
use super::super::canon::Canon;
use super::call::{Call, Digits, Look, highest, monotone};
use super::{Checked, Draws, Library, at_most};
use crate::law::product_of_doubles;
use crate::number::BigUint;
use crate::task::{Refusal, Source};
use num_traits::{One, ToPrimitive};

const WORD_32: u128 = 1 << 32;
const WORD_64: u128 = 1 << 64;
/// The most sides for which the words of each outcome are listed.
const MOST_LISTED: u128 = 1 << 24;

/// Bit length of n - 1.
fn k(n: &BigUint) -> u32 {
    (n - 1u8).bits() as u32
}

fn word(bits: u32) -> Source {
    Source::word(bits).expect("1 to 64 bits")
}

fn power(bits: u32) -> BigUint {
    BigUint::one() << bits
}

/// Attempts of c words of w bits that look at L of their bits.
fn attempts(w: u32, c: u32, look: u32, n: &BigUint, map: Map) -> Draws {
    let attempt = Attempt {
        words: c,
        values: power(look),
        ..Attempt::of_word(1 << w, n, map)
    };
    Draws {
        source: word(w),
        bits: Some(w),
        call: Call::Attempts(attempt, Look::Bits(look)),
    }
}

fn nothing(w: u32) -> Draws {
    Draws {
        source: word(w),
        bits: Some(w),
        call: Call::Free,
    }
}

/// The largest multiple of n below 2^L, by a remainder.
fn cut(w: u32, c: u32, look: u32, n: &BigUint) -> Draws {
    let map = Map::largest_multiple(&power(look), n);
    attempts(w, c, look, n, map)
}

/// The same by Lemire's multiplication.
fn product(w: u32, c: u32, look: u32, n: &BigUint) -> Draws {
    attempts(w, c, look, n, Map::Product)
}

/// The largest multiple of n up to 2^L - 1, by division into buckets.
fn cut_below(w: u32, look: u32, n: &BigUint) -> Draws {
    let each = (power(look) - 1u8) / n;
    attempts(w, 1, look, n, Map::Quotient(each))
}

/// Bits until they are below n.
fn mask(w: u32, c: u32, look: u32, n: &BigUint) -> Draws {
    attempts(w, c, look, n, Map::Below)
}

/// k bits of as many words as hold them.
fn masked_words(w: u32, n: &BigUint) -> Draws {
    let look = k(n);
    mask(w, look.div_ceil(w).max(1), look, n)
}

/// 32 bits up to 2^32, 64 above.
fn narrow_or_wide(n: &BigUint) -> u32 {
    match *n <= BigUint::from(WORD_32) {
        true => 32,
        false => 64,
    }
}

/// A high digit and a low word of as many values as the words of the high one.
fn digits(high: Draws, n: &BigUint) -> Draws {
    let Call::Attempts(attempt, Look::Bits(look)) = high.call else {
        unreachable!("a high digit takes attempts");
    };
    let low = attempt.source;
    Draws {
        call: Call::Digits(Digits {
            high: attempt,
            look,
            low,
            target: n.clone(),
        }),
        ..high
    }
}

/// floor(u n) in doubles, u of so many bits out of c words of w bits.
fn doubles(w: u32, c: u32, look: u32, n: &BigUint) -> Result<Draws, Refusal> {
    at_most(n, MOST_LISTED)?;
    let bounds = product_of_doubles(look, n.to_u64().expect("a word"));
    Ok(attempts(w, c, look, n, Map::Bounds(bounds)))
}

/// One word of R values, which have no whole number of bits, or of which so many bits are drawn.
fn odd_word(values: u64, drawn: Option<u32>, look: Look, n: &BigUint, map: Map) -> Draws {
    Draws {
        source: Source::die(values).expect("a word of values"),
        bits: drawn,
        call: Call::Attempts(Attempt::of_word(values.into(), n, map), look),
    }
}

/// Canon's method with two words of w bits.
fn canon(w: u32, n: &BigUint) -> Draws {
    match n.is_one() {
        // one word is drawn in any case
        true => cut(w, 1, w, n),
        false => Draws {
            source: word(w),
            bits: Some(w),
            call: Call::Canon(Canon::of_words(1 << w, n, 2)),
        },
    }
}

/// Two words of b bits, of which the high one is lost for n above 2^(b/2).
fn jax(b: u32, n: &BigUint) -> Draws {
    let look = match *n <= power(b / 2) {
        true => 2 * b,
        false => b,
    };
    attempts(b, 2, look, n, Map::Remainder(power(look)))
}

/// R of MRG32k3a.
const RACKET: u64 = 4_294_967_087;

/// A line; the last part says what it draws for n, which is at most `$most`.
macro_rules! library {
    ($id:literal, $language:literal, $function:literal, $version:literal, $file:literal,
     $checked:ident, $rule:literal, $most:expr, |$n:ident| $draws:expr) => {
        Library {
            id: $id,
            language: $language,
            function: $function,
            version: $version,
            file: $file,
            checked: Checked::$checked,
            rule: $rule,
            draws: |$n| {
                at_most($n, $most)?;
                Ok($draws)
            },
        }
    };
}

const ANY: u128 = u128::MAX;
const INT: u128 = (1 << 31) - 1;
const LONG: u128 = (1 << 63) - 1;

/// Every line, in the order in which they are listed.
pub static LIBRARIES: &[Library] = &[
    library!(
        "cpython-randbelow",
        "Python",
        "random.randrange, randint, choice",
        "CPython 3.13",
        "Lib/random.py",
        Run,
        "K bits of words of 32 bits, again until they are below n",
        ANY,
        |n| mask(32, (n.bits() as u32).div_ceil(32), n.bits() as u32, n)
    ),
    library!(
        "cpython-secrets",
        "Python",
        "secrets.randbelow, SystemRandom",
        "CPython 3.13",
        "Lib/random.py",
        Run,
        "K bits of bytes, again until they are below n",
        ANY,
        |n| mask(8, (n.bits() as u32).div_ceil(8), n.bits() as u32, n)
    ),
    library!(
        "numpy-integers-int64",
        "Python",
        "Generator.integers (int64)",
        "NumPy @038c7435",
        "numpy/random/src/distributions/distributions.c",
        Run,
        "Lemire's multiplication of 32 bits up to n = 2^32, of 64 above",
        WORD_64,
        |n| match n.is_one() {
            true => nothing(32),
            false => {
                let w = narrow_or_wide(n);
                product(w, 1, w, n)
            }
        }
    ),
    library!(
        "numpy-integers-uint8-array",
        "Python",
        "Generator.integers (uint8), filling an array",
        "NumPy @038c7435",
        "numpy/random/src/distributions/distributions.c",
        Run,
        "Lemire's multiplication of 8 bits, four of them to a word of 32",
        256,
        |n| match n.is_one() {
            true => nothing(8),
            false => product(8, 1, 8, n),
        }
    ),
    library!(
        "numpy-integers-uint8-scalar",
        "Python",
        "Generator.integers (uint8), one value",
        "NumPy @038c7435",
        "numpy/random/src/distributions/distributions.c",
        Run,
        "Lemire's multiplication of the four 8-bit parts of a word of 32, then another word",
        256,
        |n| match n.is_one() {
            true => nothing(32),
            false => {
                let map = Map::Pieces(4, Box::new(Map::Product));
                let mut draws = attempts(32, 1, 32, n, map);
                if let Call::Attempts(_, look) = &mut draws.call {
                    *look = Look::Pieces(8);
                }
                draws
            }
        }
    ),
    library!(
        "numpy-integers-uint16-array",
        "Python",
        "Generator.integers (uint16), filling an array",
        "NumPy @038c7435",
        "numpy/random/src/distributions/distributions.c",
        Run,
        "Lemire's multiplication of 16 bits, two of them to a word of 32",
        65536,
        |n| match n.is_one() {
            true => nothing(16),
            false => product(16, 1, 16, n),
        }
    ),
    library!(
        "numpy-randint-legacy",
        "Python",
        "RandomState.randint (int64)",
        "NumPy @038c7435",
        "numpy/random/src/distributions/distributions.c",
        Run,
        "k bits of a word of 32 bits up to n = 2^32, of 64 above, again until they are below n",
        WORD_64,
        |n| match n.is_one() {
            true => nothing(32),
            false => mask(narrow_or_wide(n), 1, k(n), n),
        }
    ),
    library!(
        "java-random-nextint",
        "Java",
        "java.util.Random.nextInt(bound)",
        "JDK 25",
        "java/util/Random.java",
        Run,
        "31 bits of a step, modulo n unless they are beyond the largest multiple",
        INT,
        |n| cut(32, 1, 31, n)
    ),
    library!(
        "java-nextlong",
        "Java",
        "nextLong(bound)",
        "JDK 25",
        "jdk/internal/util/random/RandomSupport.java",
        Run,
        "63 bits of 64, modulo n unless they are beyond the largest multiple",
        LONG,
        |n| cut(64, 1, 63, n)
    ),
    library!(
        "java-threadlocalrandom",
        "Java",
        "ThreadLocalRandom.nextInt, SplittableRandom.nextInt",
        "JDK 25",
        "jdk/internal/util/random/RandomSupport.java",
        Run,
        "31 bits of 32, modulo n unless they are beyond the largest multiple",
        INT,
        |n| cut(32, 1, 31, n)
    ),
    library!(
        "java-randomgenerator-64",
        "Java",
        "RandomGenerator.nextInt of a 64-bit generator",
        "JDK 25",
        "jdk/internal/util/random/RandomSupport.java",
        Run,
        "31 bits of a step of 64, modulo n unless they are beyond the largest multiple",
        INT,
        |n| cut(64, 1, 31, n)
    ),
    library!(
        "java-securerandom",
        "Java",
        "SecureRandom.nextInt(bound)",
        "JDK 25",
        "java/security/SecureRandom.java",
        Run,
        "31 bits of 4 bytes, modulo n unless they are beyond the largest multiple",
        INT,
        |n| cut(8, 4, 31, n)
    ),
    library!(
        "kotlin-random-seeded",
        "Kotlin",
        "Random(seed).nextInt(until)",
        "Kotlin @00506a75",
        "libraries/stdlib/src/kotlin/random/Random.kt",
        Read,
        "31 bits of 32, modulo n unless they are beyond the largest multiple; the top k bits for a power of two",
        INT,
        |n| match n.count_ones() {
            1 => mask(32, 1, k(n), n),
            _ => cut(32, 1, 31, n),
        }
    ),
    library!(
        "go-math-rand",
        "Go",
        "math/rand.Intn",
        "Go @0b9974d3",
        "src/math/rand/rand.go",
        Run,
        "31 bits of a step of 64 for n < 2^31, else 63, modulo n unless they are beyond the largest multiple",
        LONG,
        |n| cut(64, 1, if n.bits() <= 31 { 31 } else { 63 }, n)
    ),
    library!(
        "go-math-rand-v2",
        "Go",
        "math/rand/v2.IntN",
        "Go @0061fdb4",
        "src/math/rand/v2/rand.go",
        Run,
        "Lemire's multiplication of 64 bits; a mask for a power of two",
        LONG,
        |n| match n.count_ones() {
            1 => mask(64, 1, k(n), n),
            _ => product(64, 1, 64, n),
        }
    ),
    library!(
        "go-crypto-rand",
        "Go",
        "crypto/rand.Int",
        "Go 1.27.3",
        "src/crypto/rand/util.go",
        Run,
        "k bits of bytes, again until they are below n",
        ANY,
        |n| match n.is_one() {
            true => nothing(8),
            false => masked_words(8, n),
        }
    ),
    library!(
        "go-crypto-rand-old",
        "Go",
        "crypto/rand.Int, older",
        "Go @2bd616b1",
        "src/crypto/rand/util.go",
        Read,
        "K bits of bytes, again until they are below n",
        ANY,
        |n| mask(8, (n.bits() as u32).div_ceil(8), n.bits() as u32, n)
    ),
    library!(
        "rust-rand-uniform32",
        "Rust",
        "rand Uniform::new(0, n).sample",
        "rand 0.10.2 @bb1262f7",
        "src/distr/uniform_int.rs",
        Run,
        "Lemire's multiplication of 32 bits up to n = 2^32, of 64 above",
        WORD_64,
        |n| {
            let w = narrow_or_wide(n);
            product(w, 1, w, n)
        }
    ),
    library!(
        "rust-rand-unbiased32",
        "Rust",
        "rand random_range, feature unbiased",
        "rand 0.10.2 @bb1262f7",
        "src/distr/uniform_int.rs",
        Run,
        "multiply by n, and draw another word of 32 bits as long as it could carry",
        WORD_32,
        |n| match n.is_one() {
            true => cut(32, 1, 32, n),
            false => Draws {
                source: word(32),
                bits: Some(32),
                call: Call::interval(word(32), n)?
            },
        }
    ),
    library!(
        "rust-fastrand-i32",
        "Rust",
        "fastrand::i32(..n)",
        "fastrand @04e2d02a",
        "src/lib.rs",
        Run,
        "Lemire's multiplication of the low 32 bits of a step of 64",
        WORD_32,
        |n| product(64, 1, 32, n)
    ),
    library!(
        "rust-fastrand-usize",
        "Rust",
        "fastrand::usize(..n)",
        "fastrand @04e2d02a",
        "src/lib.rs",
        Run,
        "Lemire's multiplication of 64 bits",
        WORD_64,
        |n| product(64, 1, 64, n)
    ),
    library!(
        "libstdcxx-mt19937",
        "C++",
        "std::uniform_int_distribution, libstdc++",
        "GCC 12",
        "bits/uniform_int_dist.h",
        Run,
        "Lemire's multiplication of 32 bits; above n = 2^32 a high digit and a low word, again until they are below n",
        WORD_64,
        |n| match *n <= BigUint::from(WORD_32) {
            true => product(32, 1, 32, n),
            false => {
                let high = highest(n, WORD_32) + 1u8;
                digits(product(32, 1, 32, &high), n)
            }
        }
    ),
    library!(
        "libstdcxx-generate-mt19937",
        "C++",
        "std::uniform_int_distribution, libstdc++, filling an array",
        "GCC 12",
        "bits/uniform_int_dist.h",
        Run,
        "buckets of floor((2^32 - 1) / n) values; a mask for a power of two",
        WORD_32 - 1,
        |n| match n.count_ones() {
            1 => mask(32, 1, k(n), n),
            _ => cut_below(32, 32, n),
        }
    ),
    library!(
        "libcxx-mt19937",
        "C++",
        "std::uniform_int_distribution, libc++",
        "llvm-project @0cff562c",
        "libcxx/include/__random/uniform_int_distribution.h",
        Run,
        "k bits of words of 32, again until they are below n",
        WORD_64,
        |n| match n.is_one() {
            true => nothing(32),
            false => masked_words(32, n),
        }
    ),
    library!(
        "msvc-mt19937",
        "C++",
        "std::uniform_int_distribution, MSVC",
        "microsoft/STL @2a62bf7b",
        "stl/inc/algorithm",
        Read,
        "Lemire's multiplication of one word of 32 bits up to n = 2^32, of two above",
        WORD_64,
        |n| {
            let bits = narrow_or_wide(n);
            product(32, bits / 32, bits, n)
        }
    ),
    library!(
        "boost-mt19937",
        "C++",
        "boost::random::uniform_int_distribution",
        "boostorg/random @143d83b4",
        "include/boost/random/uniform_int_distribution.hpp",
        Run,
        "buckets of floor(2^32 / n) values; above n = 2^32 a high digit and a low word, again until they are below n",
        WORD_64,
        |n| match *n <= BigUint::from(WORD_32) {
            _ if n.is_one() => nothing(32),
            true => attempts(32, 1, 32, n, Map::Quotient(BigUint::from(WORD_32) / n)),
            false => {
                let high = highest(n, WORD_32) + 1u8;
                let map = Map::Quotient(BigUint::from(WORD_32) / &high);
                digits(attempts(32, 1, 32, &high, map), n)
            }
        }
    ),
    library!(
        "julia-rand-int64",
        "Julia",
        "rand(1:n), Int64",
        "Julia @00b8606b",
        "stdlib/Random/src/generation.jl",
        Read,
        "Lemire's multiplication of 64 bits",
        WORD_64,
        |n| product(64, 1, 64, n)
    ),
    library!(
        "julia-rand-int32",
        "Julia",
        "rand(1:n), Int32 and smaller",
        "Julia @00b8606b",
        "stdlib/Random/src/generation.jl",
        Read,
        "Lemire's multiplication of 32 bits of a step of 64",
        WORD_32,
        |n| product(64, 1, 32, n)
    ),
    library!(
        "r-sample-rejection",
        "R",
        "sample",
        "R 3.6 and later",
        "src/main/RNG.c (R_unif_index)",
        Run,
        "k bits of floor(k / 16) + 1 chunks of 16, each from a step of 32, again until they are below n",
        1 << 52,
        |n| mask(32, k(n) / 16 + 1, k(n), n)
    ),
    library!(
        "php-random-int",
        "PHP",
        "random_int",
        "php-src @03bef8d5",
        "ext/random/random.c",
        Run,
        "64 bits, modulo n unless they are beyond the largest multiple; a mask for a power of two",
        WORD_64,
        |n| match n.count_ones() {
            _ if n.is_one() => nothing(64),
            1 => mask(64, 1, k(n), n),
            _ => cut(64, 1, 64, n),
        }
    ),
    library!(
        "php-mt-rand",
        "PHP",
        "mt_rand(a, b)",
        "php-src @03bef8d5",
        "ext/random/random.c",
        Run,
        "one word of 32 bits up to n = 2^32, two above, modulo n unless they are beyond the largest multiple",
        WORD_64,
        |n| {
            let bits = narrow_or_wide(n);
            cut(32, bits / 32, bits, n)
        }
    ),
    library!(
        "ruby-rand",
        "Ruby",
        "rand(n), Random.rand",
        "Ruby 3.1",
        "random.c (limited_rand)",
        Run,
        "k bits of a word of 32, again until they are below n; above n = 2^32 the top bits first, again at once if they are too large",
        WORD_64,
        |n| match *n <= BigUint::from(WORD_32) {
            _ if n.is_one() => nothing(32),
            true => mask(32, 1, k(n), n),
            false => {
                let high = highest(n, WORD_32) + 1u8;
                digits(mask(32, 1, k(n) - 32, &high), n)
            }
        }
    ),
    library!(
        "dotnet-next",
        ".NET",
        "new Random().Next(n)",
        ".NET 8 @43f28251",
        "Random.ImplBase.cs",
        Read,
        "Lemire's multiplication of the top 32 bits of a step of 64",
        INT,
        |n| product(64, 1, 32, n)
    ),
    library!(
        "dotnet-next-6",
        ".NET",
        "new Random().Next(n)",
        ".NET 6 and 7",
        "Random.Xoshiro256StarStarImpl.cs",
        Copy,
        "the top k bits of a step of 64, again until they are below n",
        INT,
        |n| match n.is_one() {
            true => nothing(64),
            false => mask(64, 1, k(n), n),
        }
    ),
    library!(
        "dotnet-getint32",
        ".NET",
        "RandomNumberGenerator.GetInt32",
        ".NET @0175c78c",
        "RandomNumberGenerator.cs",
        Read,
        "k bits of 32, again until they are below n",
        INT,
        |n| match n.is_one() {
            true => nothing(32),
            false => mask(32, 1, k(n), n),
        }
    ),
    library!(
        "node-randomint",
        "JavaScript",
        "crypto.randomInt",
        "Node 20.20",
        "lib/internal/crypto/random.js",
        Read,
        "48 bits, modulo n unless they are from the largest multiple up to 2^48 - 1 on",
        (1 << 48) - 1,
        |n| {
            let most = power(48) - 1u8;
            attempts(48, 1, 48, n, Map::largest_multiple(&most, n))
        }
    ),
    library!(
        "swift-int-random",
        "Swift",
        "Int.random(in:)",
        "Swift @04092d37",
        "stdlib/public/core/Random.swift",
        Read,
        "Lemire's multiplication of 64 bits",
        WORD_64,
        |n| product(64, 1, 64, n)
    ),
    library!(
        "openbsd-arc4random-uniform",
        "C",
        "arc4random_uniform",
        "openbsd/src @0d943ef0",
        "lib/libc/crypt/arc4random_uniform.c",
        Read,
        "32 bits, modulo n unless they are below 2^32 mod n",
        WORD_32 - 1,
        |n| match n.is_one() {
            true => nothing(32),
            false => cut(32, 1, 32, n),
        }
    ),
    library!(
        "linux-u32-below-const",
        "C",
        "get_random_u32_below(v), v a constant",
        "Linux 6.2 and later",
        "include/linux/random.h",
        Copy,
        "multiplication of 8, 16 or 32 bits, the least that hold v",
        WORD_32 - 1,
        |n| match k(n) {
            0 => nothing(8),
            1..=8 => product(8, 1, 8, n),
            9..=16 => product(16, 1, 16, n),
            _ => product(32, 1, 32, n),
        }
    ),
    library!(
        "linux-u32-below",
        "C",
        "get_random_u32_below(v)",
        "Linux 6.2 and later",
        "drivers/char/random.c",
        Copy,
        "Lemire's multiplication of 32 bits",
        WORD_32 - 1,
        |n| product(32, 1, 32, n)
    ),
    library!(
        "libsodium-uniform",
        "C",
        "randombytes_uniform",
        "jedisct1/libsodium @027f9f9f",
        "src/libsodium/randombytes/randombytes.c",
        Run,
        "32 bits, modulo n unless they are below 2^32 mod n",
        WORD_32 - 1,
        |n| match n.is_one() {
            true => nothing(32),
            false => cut(32, 1, 32, n),
        }
    ),
    library!(
        "gmp-urandomm",
        "C",
        "mpz_urandomm, gmp_urandomm_ui",
        "GMP 6.2.1",
        "mpz/urandomm.c",
        Run,
        "k bits of words of 32, at most 80 times until they are below n; then less n",
        ANY,
        |n| match n.is_one() {
            true => nothing(32),
            false => {
                let mut draws = masked_words(32, n);
                if let Call::Attempts(attempt, _) = &mut draws.call {
                    attempt.last = Some((80, Map::Remainder(attempt.values.clone())));
                }
                draws
            }
        }
    ),
    library!(
        "gsl-uniform-int",
        "C",
        "gsl_rng_uniform_int",
        "GSL 2.7.1",
        "rng/rng.c",
        Run,
        "buckets of floor((2^32 - 1) / n) values",
        WORD_32 - 1,
        |n| cut_below(32, 32, n)
    ),
    library!(
        "haskell-uniformr-int",
        "Haskell",
        "uniformR (0, n-1) :: Int",
        "haskell/random @096483d6",
        "src/System/Random/Internal.hs",
        Read,
        "k bits of 64, again until they are below n",
        WORD_64,
        |n| match n.is_one() {
            true => nothing(64),
            false => mask(64, 1, k(n), n),
        }
    ),
    library!(
        "lua-54-random",
        "Lua",
        "math.random(n)",
        "Lua 5.4",
        "lmathlib.c (project)",
        Run,
        "k bits of 64, again until they are below n",
        WORD_64,
        |n| mask(64, 1, k(n), n)
    ),
    library!(
        "erlang-uniform",
        "Erlang",
        "rand:uniform(n), exsss",
        "OTP",
        "lib/stdlib/src/rand.erl",
        Copy,
        "58 bits, modulo n unless they are beyond the largest multiple",
        1 << 58,
        |n| cut(58, 1, 58, n)
    ),
    library!(
        "postgres-random-range",
        "SQL",
        "random(min, max)",
        "PostgreSQL 17 @29275b1d",
        "src/common/pg_prng.c",
        Read,
        "the top k bits of 64, again until they are below n",
        WORD_64,
        |n| match n.is_one() {
            true => nothing(64),
            false => mask(64, 1, k(n), n),
        }
    ),
    library!(
        "zig-uintlessthan-u32",
        "Zig",
        "Random.uintLessThan(u32, n)",
        "Zig @01d6de09",
        "lib/std/Random.zig",
        Run,
        "Lemire's multiplication of 32 bits",
        WORD_32 - 1,
        |n| product(32, 1, 32, n)
    ),
    library!(
        "zig-uintlessthan-u64",
        "Zig",
        "Random.uintLessThan(u64, n)",
        "Zig @01d6de09",
        "lib/std/Random.zig",
        Run,
        "Lemire's multiplication of 64 bits",
        WORD_64 - 1,
        |n| product(64, 1, 64, n)
    ),
    library!(
        "d-uniform-int",
        "D",
        "uniform(0, n)",
        "phobos @3d56c741",
        "std/random.d",
        Read,
        "one word of 32 bits up to n = 2^32, two above, modulo n unless they are in the last block",
        WORD_64,
        |n| {
            let bits = narrow_or_wide(n);
            cut(32, bits / 32, bits, n)
        }
    ),
    library!(
        "ocaml-5-random-int",
        "OCaml",
        "Random.int, full_int",
        "OCaml 5.2",
        "stdlib/random.ml",
        Copy,
        "30, 31 or 62 bits of a step of 64, modulo n unless they are in the last block",
        (1 << 62) - 1,
        |n| cut(64, 1, ocaml(n).0, n)
    ),
    library!(
        "ocaml-4-random-int",
        "OCaml",
        "Random.int, full_int",
        "OCaml 4.14 @001997e8",
        "stdlib/random.ml",
        Run,
        "30 bits, or 31 of two or 62 of three steps of 30, modulo n unless they are in the last block",
        (1 << 62) - 1,
        |n| {
            let (bits, steps) = ocaml(n);
            cut(30, steps, bits, n)
        }
    ),
    library!(
        "racket-random",
        "Racket",
        "(random n)",
        "Racket, ChezScheme @a6b132b8",
        "c/random.c",
        Read,
        "buckets of a value of MRG32k3a, which has 4294967087 of them",
        RACKET as u128,
        |n| odd_word(
            RACKET,
            None,
            Look::NoBits,
            n,
            Map::Quotient(BigUint::from(RACKET) / n)
        )
    ),
    library!(
        "sbcl-random",
        "Lisp",
        "(random n), fixnum",
        "SBCL @03e2875b",
        "src/code/target-random.lisp",
        Run,
        "k bits of 32, or of 64 above n = 2^32, again until they are below n",
        1 << 62,
        |n| match n.is_one() {
            true => nothing(32),
            false => mask(narrow_or_wide(n), 1, k(n), n),
        }
    ),
    library!(
        "pari-random",
        "PARI/GP",
        "random(n)",
        "PARI 2.5 and later",
        "src/basemath/random.c (random_Fl)",
        Run,
        "the top k bits of 64, again until they are below n",
        WORD_64 - 1,
        |n| match n.is_one() {
            true => nothing(64),
            false => mask(64, 1, k(n), n),
        }
    ),
    library!(
        "rust-rand-random-range32",
        "Rust",
        "rand random_range(0..n), i32",
        "rand 0.10.2 @bb1262f7",
        "src/distr/uniform_int.rs",
        Run,
        "Canon's method with two words of 32 bits at most: biased",
        WORD_32,
        |n| canon(32, n)
    ),
    library!(
        "rust-rand-random-range64",
        "Rust",
        "rand random_range(0..n), i64",
        "rand 0.10.2 @bb1262f7",
        "src/distr/uniform_int.rs",
        Run,
        "Canon's method with two words of 64 bits at most: biased",
        WORD_64,
        |n| canon(64, n)
    ),
    library!(
        "nim-rand",
        "Nim",
        "rand(r, n - 1)",
        "nim-lang/Nim @b534f34e",
        "lib/pure/random.nim",
        Read,
        "64 bits up to the largest multiple of n - 1, modulo n; the 22nd word as it is: biased",
        1 << 63,
        |n| match n.is_one() {
            true => nothing(64),
            false => {
                let range = n - 1u8;
                let limit = (power(64) - 1u8) / &range * &range + 1u8;
                let mut draws = attempts(64, 1, 64, n, Map::Remainder(limit));
                if let Call::Attempts(attempt, _) = &mut draws.call {
                    attempt.last = Some((22, Map::Remainder(power(64))));
                }
                draws
            }
        }
    ),
    library!(
        "cpython-float-times-n",
        "Python",
        "int(random.random() * n)",
        "CPython",
        "Modules/_randommodule.c",
        Run,
        "53 bits of two words of 32 as a double, times n: biased",
        MOST_LISTED,
        |n| doubles(32, 2, 53, n)?
    ),
    library!(
        "js-math-random-v8",
        "JavaScript",
        "Math.floor(Math.random() * n)",
        "V8 of Node 20",
        "src/numbers/math-random.cc",
        Run,
        "52 bits of 64 as a double, times n: biased",
        MOST_LISTED,
        |n| doubles(64, 1, 52, n)?
    ),
    library!(
        "perl-int-rand",
        "Perl",
        "int(rand n)",
        "Perl 5.36",
        "util.c (drand48)",
        Run,
        "48 bits as a double, times n: biased",
        MOST_LISTED,
        |n| doubles(48, 1, 48, n)?
    ),
    library!(
        "r-sample-rounding",
        "R",
        "sample, before 3.6 or sample.kind = \"Rounding\"",
        "R before 3.6; 4.2.2 on request",
        "src/main/RNG.c",
        Run,
        "32 bits as a double, times n: biased",
        MOST_LISTED,
        |n| doubles(32, 1, 32, n)?
    ),
    library!(
        "c-rand-mod-glibc",
        "C",
        "rand() % n",
        "glibc 2.36, musl",
        "stdlib/rand.c",
        Run,
        "31 bits modulo n: biased",
        1 << 31,
        |n| attempts(31, 1, 31, n, Map::Remainder(power(31)))
    ),
    library!(
        "c-rand-mod-msvc",
        "C",
        "rand() % n",
        "Microsoft C",
        "stdlib.h",
        Memory,
        "15 bits modulo n: biased",
        1 << 15,
        |n| attempts(15, 1, 15, n, Map::Remainder(power(15)))
    ),
    library!(
        "bash-random-mod",
        "Bash",
        "$RANDOM % n",
        "bash 5.1 and later",
        "lib/sh/random.c, variables.c (get_random_number)",
        Run,
        "a state of 31 bits folded to 15, modulo n: biased; that a value which repeats the last is drawn again is not counted",
        1 << 15,
        |n| odd_word((1 << 31) - 2, Some(31), Look::Bits(15), n, Map::Folded)
    ),
    library!(
        "dotnet-next-seeded",
        ".NET",
        "new Random(seed).Next(n)",
        ".NET, compatibility generator",
        "Random.Net5CompatImpl.cs",
        Copy,
        "a value from 0 to 2^31 - 2 as a double, times n: biased",
        MOST_LISTED,
        |n| {
            let (values, sides) = ((1u64 << 31) - 1, n.to_u64().expect("a word"));
            let each = 1.0 / values as f64;
            let outcome = |x: u64| (x as f64 * each * sides as f64) as u64;
            let bounds = monotone(values, sides, outcome);
            odd_word(values, Some(31), Look::Bits(31), n, Map::Bounds(bounds))
        }
    ),
    library!(
        "sqlite-abs-random-mod",
        "SQL",
        "abs(random()) % n",
        "SQLite",
        "src/func.c",
        Copy,
        "63 bits of 64 modulo n: biased",
        1 << 63,
        |n| attempts(64, 1, 63, n, Map::Remainder(power(63)))
    ),
    library!(
        "zig-uintlessthanbiased-u32",
        "Zig",
        "Random.uintLessThanBiased(u32, n)",
        "Zig @01d6de09",
        "lib/std/Random.zig",
        Run,
        "32 bits times n, the high half: biased",
        WORD_32 - 1,
        |n| attempts(32, 1, 32, n, Map::Share)
    ),
    library!(
        "jax-randint-uint8",
        "Python",
        "jax.random.randint, uint8",
        "JAX up to 0.5.3",
        "jax/_src/random.py",
        Copy,
        "two words of 8 bits modulo n, the high one lost above n = 16: biased",
        256,
        |n| jax(8, n)
    ),
    library!(
        "jax-randint-int32",
        "Python",
        "jax.random.randint, int32; in 0.10.2 the smaller types too",
        "JAX 0.10.2",
        "jax/_src/random.py",
        Run,
        "two words of 32 bits modulo n, the high one lost above n = 65536: biased",
        WORD_32,
        |n| jax(32, n)
    ),
    library!(
        "php-mt-rand-legacy",
        "PHP",
        "mt_rand(a, b) with MT_RAND_PHP",
        "php-src @03bef8d5",
        "ext/random/random.c",
        Run,
        "31 bits of a word of 32 as a double, times n: biased",
        MOST_LISTED,
        |n| doubles(32, 1, 31, n)?
    ),
];

/// Bits and steps of full_int: the first of 30, 31 and 62 bits that hold n.
fn ocaml(n: &BigUint) -> (u32, u32) {
    match n.bits() {
        0..=30 => (30, 1),
        31 => (31, 2),
        _ => (62, 3),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LIBRARIES, Words, library};
    use super::*;
    use crate::algorithms::Prepared;
    use crate::algorithms::rolls::Instance;
    use crate::law::{Bias, Law, OutcomeLaw};
    use crate::number::{BigInt, Rational};
    use crate::threads;
    use num_integer::Integer;
    use num_traits::Zero;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// The theorem of a call, by counting all its words: outcomes, mean, variance, worst case and the
    /// first 30 survival values are those that it claims; word by word, and flip by flip.
    fn theorem(draws: impl Fn() -> Draws, n: u64, what: &str) {
        for flips in [false, true] {
            let draws = draws();
            let source = match flips {
                false => draws.source.in_a_word().expect("a word"),
                true => 2,
            };
            let bits = draws.bits.filter(|_| flips);
            if flips && bits.is_none() {
                continue;
            }
            let exact = OutcomeLaw::uniform(n);
            let instance = Instance {
                algorithm: Words { draws, bits },
                source,
                outcomes: Some(n),
            };
            let law = instance.law().expect("a closed form");
            let (chain, _) = instance.chain(1 << 22).expect("few words");
            let claimed = instance.outcomes();
            assert_ne!(claimed.as_ref(), Some(&exact), "{what} n = {n}");
            let claimed = claimed.unwrap_or(exact);
            assert_eq!(chain.outcome_law(), claimed, "{what} n = {n}");
            let (mean, second) = chain.moments();
            assert_eq!(law.exact_mean(), mean, "{what} n = {n}");
            assert_eq!(
                law.exact_variance(),
                second - &mean * &mean,
                "{what} n = {n}"
            );
            assert_eq!(law.worst_case(), chain.worst_case(), "{what} n = {n}");
            let counted = Law::Chain(chain.into());
            assert!(
                law.survival().take(30).eq(counted.survival().take(30)),
                "{what} n = {n}"
            );
        }
    }

    #[test]
    fn every_rule_at_small_words() {
        threads::map(70, &|i| {
            let n = i as u64 + 1;
            let big = BigUint::from(n);
            let n_ = &big;
            for w in [3u32, 4, 6] {
                let fits = n <= 1 << w;
                if fits {
                    theorem(|| cut(w, 1, w, n_), n, "cut");
                    theorem(|| product(w, 1, w, n_), n, "product");
                    theorem(|| attempts(w, 1, w, n_, Map::Share), n, "share");
                    theorem(|| mask(w, 1, k(n_), n_), n, "mask");
                    let each = power(w) / n_;
                    theorem(
                        || attempts(w, 1, w, n_, Map::Quotient(each.clone())),
                        n,
                        "buckets",
                    );
                }
                if n < 1 << w {
                    theorem(|| cut_below(w, w, n_), n, "cut below");
                    let most = power(w) - 1u8;
                    let map = || Map::largest_multiple(&most, n_);
                    theorem(|| attempts(w, 1, w, n_, map()), n, "remainder below");
                }
                if n <= 1 << (w - 1) {
                    theorem(|| cut(w, 1, w - 1, n_), n, "fewer bits");
                }
                if (2..=1 << w).contains(&n) {
                    theorem(|| canon(w, n_), n, "canon");
                    theorem(
                        || {
                            let mut draws = mask(w, 1, k(n_), n_);
                            if let Call::Attempts(attempt, _) = &mut draws.call {
                                attempt.last = Some((3, Map::Remainder(attempt.values.clone())));
                            }
                            draws
                        },
                        n,
                        "three attempts",
                    );
                    theorem(
                        || {
                            let range = n_ - 1u8;
                            let limit = (power(w) - 1u8) / &range * &range + 1u8;
                            let mut draws = attempts(w, 1, w, n_, Map::Remainder(limit));
                            if let Call::Attempts(attempt, _) = &mut draws.call {
                                attempt.last = Some((4, Map::Remainder(power(w))));
                            }
                            draws
                        },
                        n,
                        "four attempts of one multiple less",
                    );
                    theorem(|| jax_like(w, n_), n, "two words");
                }
                theorem(
                    || attempts(w, 1, w, n_, Map::Remainder(power(w))),
                    n,
                    "modulo",
                );
                if w < 6 {
                    theorem(|| masked_words(w, n_), n, "masked words");
                }
                if w == 4 && n > 16 {
                    let high = highest(n_, 16) + 1u8;
                    theorem(|| digits(product(4, 1, 4, &high), n_), n, "high and low");
                    let look = k(n_) - 4;
                    theorem(
                        || digits(mask(4, 1, look, &high), n_),
                        n,
                        "masked high and low",
                    );
                }
            }
            if n <= 4 {
                let pieces = || Map::Pieces(4, Box::new(Map::Product));
                theorem(|| attempts(8, 1, 8, n_, pieces()), n, "pieces");
            }
            if (1..=20).contains(&n) {
                let words = || {
                    odd_word(
                        23,
                        None,
                        Look::NoBits,
                        n_,
                        Map::Quotient(BigUint::from(23 / n)),
                    )
                };
                theorem(words, n, "23 values");
            }
        });
    }

    /// [`jax`] of words of 4 and 6 bits.
    fn jax_like(w: u32, n: &BigUint) -> Draws {
        let look = if *n <= power(w / 2) { 2 * w } else { w };
        attempts(w, 2, look, n, Map::Remainder(power(look)))
    }

    /// floor(u n) of real doubles, word by word.
    #[test]
    fn doubles_are_rounded_as_they_are() {
        for bits in [5u32, 8, 12, 16] {
            for n in (1..=40u64).chain([255, 256, 257, 1000, 4095]) {
                let bounds = product_of_doubles(bits, n);
                assert_eq!(bounds.len() as u64, n + 1);
                for y in 0..1u64 << bits {
                    let u = y as f64 / (1u64 << bits) as f64;
                    let outcome = (u * n as f64) as usize;
                    let y = BigUint::from(y);
                    assert!(
                        bounds[outcome] <= y && y < bounds[outcome + 1],
                        "{bits} {n} {y}"
                    );
                }
            }
        }
        // of 53 bits, the words beside each bound
        for n in [3u64, 6, 7, 49, 52, 1_000_003] {
            let bounds = product_of_doubles(53, n);
            for (j, bound) in bounds.iter().enumerate().skip(1).take(n as usize - 1) {
                let y = bound.to_u64().unwrap();
                let outcome = |y: u64| (y as f64 / (1u64 << 53) as f64 * n as f64) as usize;
                assert!(outcome(y) >= j && outcome(y - 1) < j, "{n} {j}");
            }
        }
    }

    /// Each of the 2^15 values has 2^16 states, but 0 has 2 fewer; counted over all 2^31 - 2 states for
    /// its low bits.
    #[test]
    fn states_of_bash() {
        let fold = |state: u32| (state >> 16 ^ state) & 7;
        let parts = threads::concat((1 << 31) - 2, &|part| {
            let mut counts = [0u64; 8];
            part.for_each(|i| counts[fold(i as u32 + 1) as usize] += 1);
            vec![counts]
        });
        let sum = |a: [u64; 8], b: [u64; 8]| std::array::from_fn(|i| a[i] + b[i]);
        let counts = parts.into_iter().reduce(sum).unwrap();
        assert_eq!(counts[0], (1 << 28) - 2);
        assert!(counts[1..].iter().all(|count| *count == 1 << 28));
        let cost = library("bash-random-mod")
            .unwrap()
            .cost(&8u8.into())
            .unwrap();
        let law = cost.outcomes.unwrap();
        let all = (1u64 << 31) - 2;
        assert_eq!(law.classes()[0].probability, ratio(1 << 28, all));
        assert_eq!(law.classes()[1].probability, ratio((1 << 28) - 2, all));
    }

    fn words(id: &str, n: u64) -> Rational {
        let cost = library(id).unwrap().cost(&n.into()).unwrap();
        cost.words.exact_mean()
    }

    fn bias(id: &str, n: u64) -> Bias {
        let cost = library(id).unwrap().cost(&n.into()).unwrap();
        Bias::new(&cost.outcomes.expect("a bias"), &n.into())
    }

    /// The formulas that the table's sources state, at full width.
    #[test]
    fn formulas() {
        assert_eq!(words("cpython-randbelow", 6), ratio(4, 3));
        assert_eq!(words("cpython-randbelow", 1), ratio(2, 1));
        for n in [3u64, 6, 52, 1000] {
            let rest = (1u64 << 32) % n;
            let all = ratio(1 << 32, 1);
            let kept = ratio(1 << 32, (1 << 32) - rest);
            assert_eq!(words("rust-rand-uniform32", n), kept);
            assert_eq!(words("boost-mt19937", n), kept);
            // the interval algorithm with a word: 1 + (n - g) / (2^32 - 1)
            let g = n.gcd(&(1 << 32));
            let more = ratio(n - g, (1 << 32) - 1);
            assert_eq!(words("rust-rand-unbiased32", n), ratio(1, 1) + more);
            assert_eq!(
                words("rust-rand-random-range32", n),
                ratio(1, 1) + ratio(n - g, 1) / all
            );
            if n < 256 {
                let g = ratio(256 % n, 256);
                let scalar = (ratio(1, 1) - g.pow(4)).recip();
                assert_eq!(words("numpy-integers-uint8-scalar", n), scalar);
            }
        }
        // a high digit and a low word: (E(H + 1) + 1) (H + 1) 2^32 / n
        let n = (7u64 << 32) + 5;
        let high = words("libstdcxx-mt19937", 8) + ratio(1, 1);
        let rounds = Rational::new(BigInt::from(8u64 << 32), n.into());
        assert_eq!(words("libstdcxx-mt19937", n), high * &rounds);
        // 1 + (H + 1) / 2^(k - 32) words a round of the largest power: Ruby
        let k = 64 - (n - 1).leading_zeros();
        let round = ratio(1, 1) + ratio(8, 1 << (k - 32));
        let expected = round * Rational::new(BigInt::one() << k, n.into());
        assert_eq!(words("ruby-rand", n), expected);
        // GMP: p = n / 2^k, f = (1 - p)^80, attempts (1 - f) / p, total variation f (2n - 2^k) / n
        let p = ratio(5, 8);
        let f = (ratio(1, 1) - &p).pow(80);
        assert_eq!(words("gmp-urandomm", 5), (ratio(1, 1) - &f) / p);
        assert_eq!(bias("gmp-urandomm", 5).total_variation(), f * ratio(2, 5));
        // NumPy issue 14774: 31 values of 8 bits; JAX, counted for 8 bits and n = 100
        assert_eq!(
            bias("jax-randint-uint8", 100).total_variation(),
            ratio(77, 800)
        );
        assert_eq!(bias("jax-randint-uint8", 100).ratio(), Some(ratio(3, 2)));
        assert_eq!(
            bias("jax-randint-int32", 3 << 30).ratio(),
            Some(ratio(2, 1))
        );
        assert_eq!(
            bias("jax-randint-int32", 3 << 30).total_variation(),
            ratio(1, 6)
        );
    }

    /// A shuffle of 52 cards by CPython takes 76.395 words of 32 bits: n = 52, ..., 2.
    #[test]
    fn a_shuffle_of_cpython() {
        let all = (2..=52).map(|n| words("cpython-randbelow", n));
        let all: Rational = all.sum();
        assert_eq!((all * ratio(1000, 1)).round(), ratio(76395, 1));
    }

    /// Every line at every n of its type: a law that ends, outcomes that sum to 1 and are as many as n,
    /// and bits that are looked at among those that are drawn; ids are unique.
    #[test]
    fn every_line() {
        let mut ids = std::collections::BTreeSet::new();
        LIBRARIES.iter().for_each(|line| {
            assert!(ids.insert(line.id), "{} is twice in the table", line.id);
            for n in [
                1u64,
                2,
                3,
                6,
                20,
                52,
                100,
                255,
                256,
                257,
                1 << 15,
                65535,
                65536,
                1_000_000,
            ] {
                let Ok(cost) = line.cost(&n.into()) else {
                    assert!(n > 256, "{} {n}", line.id);
                    continue;
                };
                let mean = cost.words.exact_mean();
                assert!(mean < ratio(40, 1), "{} {n}: {mean}", line.id);
                if let Some(law) = &cost.outcomes {
                    assert!(law.outcomes() <= n.into() && *law != OutcomeLaw::uniform(n));
                }
                let (drawn, used) = (cost.bits_drawn(), cost.bits_used);
                match (drawn, used) {
                    (Some(drawn), Some(used)) => {
                        assert!(used <= drawn && (used.is_zero() == mean.is_zero() || n == 1));
                    }
                    (drawn, used) => assert_eq!((drawn, used), (None, None), "{}", line.id),
                }
            }
            assert!(line.cost(&BigUint::zero()).is_err());
        });
        assert_eq!(ids.len(), 71);
    }
}
