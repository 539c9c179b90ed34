//! The draws of the library functions that shuffle: a row for each function.
//!
//! A shuffle of K cards rolls dice. In most libraries these are a dK, a d(K-1), ..., a d2; in
//! others one roll gives several indices ([`ShuffleDice`]). One function rolls every die, usually a
//! function of the table of libraries. So a row of the table states the dice and how each die is
//! rolled. `shuffle_cost` computes the sums.

use super::draws::*;
use super::function::Searchable;
use super::library::DieDraws;
use super::{RuleEvidence, library};
use flipcost::task::Refusal;

/// A row of the table: a shuffle of a library.
///
/// ```
/// use flipcost_libraries::SHUFFLES;
/// let line = SHUFFLES.iter().find(|line| line.id == "cpython-shuffle").unwrap();
/// assert_eq!(line.cost(52).unwrap().words.decimals(4)?, "76.3951"); // words of 32 bits
/// # Ok::<(), flipcost_number::Undecided>(())
/// ```
#[derive(Clone, Copy)]
pub struct LibraryShuffle {
    /// The id of the shuffle in commands and queries.
    pub id: &'static str,
    /// The language, or the system.
    pub language: &'static str,
    /// The function that a user calls.
    pub function: &'static str,
    /// The version that was read.
    pub version: &'static str,
    /// The file with the source.
    pub file: &'static str,
    /// How we know the rule.
    pub checked: RuleEvidence,
    /// How the indices are drawn, in one sentence.
    pub rule: &'static str,
    pub(super) dice: ShuffleDice,
    /// Returns the draws for a die of n sides.
    pub(super) draws: DieDraws,
}

/// The dice that a shuffle rolls.
#[derive(Clone, Copy)]
pub(super) enum ShuffleDice {
    /// One die for each index, down to the die with this number of sides. If the number is 1, there
    /// is also a die for the last card.
    From(u64),
    /// One die for two indices if K^2 is at most the number R of values of a word; the exact
    /// condition is K <= floor((R - 1) / K).
    Pairs(u128),
    /// One die for as many indices as have a product below 2^32, beginning with the first index.
    /// The indices of the last batch may exceed K.
    Batches,
}

impl ShuffleDice {
    /// The number of lists of dice. The dice of every deck are the first dice of one of these
    /// lists.
    pub(super) const DICE_LISTS: usize = 3;

    /// Returns whether one word gives two indices.
    fn are_paired(self, cards: u64) -> bool {
        let cards = u128::from(cards);
        matches!(self, ShuffleDice::Pairs(word) if (word - 1) / cards >= cards)
    }

    /// Returns the number of the list that begins with the dice of a deck.
    pub(super) fn order(self, cards: u64) -> usize {
        if self.are_paired(cards) {
            (cards % 2) as usize
        } else {
            2
        }
    }

    /// Returns the sides of the dice for K cards.
    pub(super) fn sides(self, cards: u64) -> Box<dyn Iterator<Item = u128>> {
        match self {
            ShuffleDice::Pairs(_) if self.are_paired(cards) => {
                let alone = cards.is_multiple_of(2).then_some(2);
                let pairs = (2 + u128::from(alone.is_some())..u128::from(cards)).step_by(2);
                Box::new(alone.into_iter().chain(pairs.map(|i| i * (i + 1))))
            }
            ShuffleDice::From(first) => Box::new((first..=cards).map(u128::from)),
            ShuffleDice::Pairs(_) => Box::new((2..=cards).map(u128::from)),
            ShuffleDice::Batches => {
                let mut next = 2;
                Box::new(std::iter::from_fn(move || {
                    let (mut product, mut i) = (u128::from(next), next + 1);
                    if next > cards {
                        return None;
                    }
                    while product * u128::from(i) < WORD_32 {
                        product *= u128::from(i);
                        i += 1;
                    }
                    next = i;
                    Some(product)
                }))
            }
        }
    }
}

impl Searchable for LibraryShuffle {
    fn texts(&self) -> [&'static str; 4] {
        [self.id, self.language, self.function, self.version]
    }
}

/// Returns the draws of the library function with this id.
pub(super) fn draws_of_function(id: &str, n: &BigUint) -> Result<WordDraws, Refusal> {
    (library(id).expect("a line of the table").draws)(n)
}

/// The number of draws whose distance from uniform is computed exactly. For each later draw an
/// upper bound is added.
pub(super) const EXACT_DRAWS: u64 = 1024;

/// Lists the shuffles. Each line has these parts: the id, language, name, version and file of a
/// function; how we know its rule; its dice; the rule in words; and the draws for a die.
macro_rules! shuffles {
    ($($id:literal, $language:literal, $function:literal, $version:literal, $file:literal, $checked:ident, $dice:expr,
       $rule:literal, $n:ident => $draws:expr;)*) => {
        /// All shuffles, language by language.
        pub const SHUFFLES: &[LibraryShuffle] = &[$(LibraryShuffle {
            id: $id,
            language: $language,
            function: $function,
            version: $version,
            file: $file,
            checked: RuleEvidence::$checked,
            rule: $rule,
            dice: $dice,
            draws: |$n| $draws,
        }),*];
    };
}

shuffles! {
    "cpython-shuffle", "Python", "random.shuffle", "CPython 3.13", "Lib/random.py", Run, ShuffleDice::From(2),
        "cpython-randbelow for K, ..., 2", n => draws_of_function("cpython-randbelow", n);
    "cpython-secrets-shuffle", "Python", "random.SystemRandom().shuffle", "CPython 3.13", "Lib/random.py", Read, ShuffleDice::From(2),
        "cpython-secrets for K, ..., 2; a word is a byte", n => draws_of_function("cpython-secrets", n);
    "numpy-generator-shuffle", "Python", "numpy.random.Generator.shuffle", "NumPy 2.4", "numpy/random/_generator.pyx", Run, ShuffleDice::From(2),
        "random_interval for K, ..., 2: k bits of a word of 32 until they are below n", n => draws_of_function("numpy-randint-legacy", n);
    "numpy-generator-permutation", "Python", "numpy.random.Generator.permutation", "NumPy 2.4", "numpy/random/_generator.pyx", Run, ShuffleDice::From(2),
        "a shuffle of a copy", n => draws_of_function("numpy-randint-legacy", n);
    "numpy-legacy-shuffle", "Python", "numpy.random.shuffle", "NumPy 2.4", "numpy/random/mtrand.pyx", Run, ShuffleDice::From(2),
        "random_interval for K, ..., 2", n => draws_of_function("numpy-randint-legacy", n);
    "numpy-legacy-permutation", "Python", "numpy.random.permutation", "NumPy 2.4", "numpy/random/mtrand.pyx", Run, ShuffleDice::From(2),
        "a shuffle of a copy", n => draws_of_function("numpy-randint-legacy", n);
    "java-collections-shuffle", "Java", "Collections.shuffle(list), with java.util.Random", "JDK 17, 25", "java/util/Collections.java", Run, ShuffleDice::From(2),
        "java-random-nextint for K, ..., 2", n => draws_of_function("java-random-nextint", n);
    "java-collections-shuffle-splittable", "Java", "Collections.shuffle(list, SplittableRandom)", "JDK 25", "java/util/Collections.java", Read, ShuffleDice::From(2),
        "java-threadlocalrandom for K, ..., 2", n => draws_of_function("java-threadlocalrandom", n);
    "java-collections-shuffle-generator-64", "Java", "Collections.shuffle(list, RandomGenerator of 64 bits)", "JDK 25", "java/util/Collections.java", Read, ShuffleDice::From(2),
        "java-randomgenerator-64 for K, ..., 2", n => draws_of_function("java-randomgenerator-64", n);
    "java-collections-shuffle-securerandom", "Java", "Collections.shuffle(list, SecureRandom)", "JDK 25", "java/util/Collections.java", Read, ShuffleDice::From(2),
        "java-securerandom for K, ..., 2; a word is a byte", n => draws_of_function("java-securerandom", n);
    "kotlin-shuffle", "Kotlin", "MutableList.shuffle(Random(seed))", "Kotlin", "libraries/stdlib/src/kotlin/collections/MutableCollections.kt", Copy, ShuffleDice::From(2),
        "kotlin-random-seeded for K, ..., 2", n => draws_of_function("kotlin-random-seeded", n);
    "go-math-rand-shuffle", "Go", "math/rand.Shuffle", "Go 1.27.3", "src/math/rand/rand.go", Run, ShuffleDice::From(2),
        "Lemire's multiplication of 32 bits of a step of 64 for K, ..., 2", n => Ok(multiply_attempts(64, 1, 32, n));
    "go-math-rand-perm", "Go", "math/rand.Perm", "Go 1.27.3", "src/math/rand/rand.go", Run, ShuffleDice::From(1),
        "go-math-rand for 1, ..., K", n => draws_of_function("go-math-rand", n);
    "go-math-rand-v2-shuffle", "Go", "math/rand/v2.Shuffle, Perm", "Go 1.27.3", "src/math/rand/v2/rand.go", Run, ShuffleDice::From(2),
        "go-math-rand-v2 for K, ..., 2", n => draws_of_function("go-math-rand-v2", n);
    "rust-rand-0.8-shuffle", "Rust", "rand SliceRandom::shuffle", "rand 0.8.8", "src/seq/mod.rs", Run, ShuffleDice::From(2),
        "gen_range for K, ..., 2: a word of 32 bits times n, again unless the low half is below n shifted to the top",
        n => Ok(mask_attempts(32, 1, n.bits() as u32, n));
    "rust-rand-0.9-shuffle", "Rust", "rand SliceRandom::shuffle", "rand 0.9.2 to 0.10.3", "src/seq/increasing_uniform.rs", Run, ShuffleDice::Batches,
        "random_range for the product of as many of 2, ..., K as stay below 2^32: biased", n => draws_of_function("rust-rand-random-range32", n);
    "rust-rand-0.9-shuffle-unbiased", "Rust", "rand SliceRandom::shuffle, feature unbiased", "rand 0.9.2 to 0.10.3", "src/seq/increasing_uniform.rs", Run, ShuffleDice::Batches,
        "the same by rust-rand-unbiased32", n => draws_of_function("rust-rand-unbiased32", n);
    "rust-fastrand-shuffle", "Rust", "fastrand::shuffle", "fastrand 2.5.0", "src/lib.rs", Read, ShuffleDice::From(2),
        "rust-fastrand-usize for 2, ..., K", n => draws_of_function("rust-fastrand-usize", n);
    "libstdcxx-shuffle-mt19937", "C++", "std::shuffle, libstdc++, mt19937", "GCC 12", "bits/stl_algo.h", Run, ShuffleDice::Pairs(WORD_32),
        "libstdcxx-mt19937 for the product of two indices up to K = 65535, for one above", n => draws_of_function("libstdcxx-mt19937", n);
    "libstdcxx-shuffle-mt19937-64", "C++", "std::shuffle, libstdc++, mt19937_64", "GCC 12", "bits/stl_algo.h", Run, ShuffleDice::Pairs(WORD_64),
        "Lemire's multiplication of 64 bits for the product of two indices", n => Ok(multiply_attempts(64, 1, 64, n));
    "libcxx-shuffle-mt19937", "C++", "std::shuffle, libc++, mt19937", "LLVM 14", "include/c++/v1/__algorithm/shuffle.h", Run, ShuffleDice::From(2),
        "libcxx-mt19937 for K, ..., 2", n => draws_of_function("libcxx-mt19937", n);
    "libcxx-shuffle-mt19937-64", "C++", "std::shuffle, libc++, mt19937_64", "LLVM 14", "include/c++/v1/__algorithm/shuffle.h", Run, ShuffleDice::From(2),
        "k bits of a word of 64 for K, ..., 2, again until they are below n", n => Ok(if n.is_one() { no_draws(64) } else { masked_words(64, n) });
    "msvc-shuffle-mt19937", "C++", "std::shuffle, MSVC, mt19937", "microsoft/STL @2a62bf7b", "stl/inc/algorithm", Read, ShuffleDice::From(2),
        "msvc-mt19937 for 2, ..., K", n => draws_of_function("msvc-mt19937", n);
    "boost-random-shuffle-mt19937", "C++", "std::random_shuffle with boost::random_number_generator, mt19937", "Boost 1.74", "boost/random/random_number_generator.hpp", Run, ShuffleDice::From(2),
        "boost-mt19937 for 2, ..., K", n => draws_of_function("boost-mt19937", n);
    "julia-shuffle", "Julia", "shuffle!", "Julia 1.11", "stdlib/Random/src/misc.jl", Read, ShuffleDice::From(2),
        "k bits of a word of 64, two at least, for 2, ..., K, again until they are below n", n => Ok(mask_attempts(64, 1, max_value_bits(n).max(2), n));
    "r-sample-shuffle", "R", "sample(x), R >= 3.6", "R 4.2", "src/main/random.c", Run, ShuffleDice::From(1),
        "r-sample-rejection for K, ..., 1", n => draws_of_function("r-sample-rejection", n);
    "r-sample-rounding-shuffle", "R", "sample(x), R < 3.6, or sample.kind = \"Rounding\"", "R 4.2", "src/main/RNG.c", Run, ShuffleDice::From(1),
        "floor(n u), u of 32 bits, for K, ..., 1: biased", n => Ok(double_attempts(32, 1, 32, n));
    "php-shuffle", "PHP", "shuffle()", "PHP 8.2", "ext/standard/array.c", Run, ShuffleDice::From(2),
        "php-mt-rand for K, ..., 2", n => draws_of_function("php-mt-rand", n);
    "php-randomizer-shuffle", "PHP", "Random\\Randomizer::shuffleArray, the usual engine", "PHP 8.3", "ext/standard/array.c, ext/random/engine_secure.c", Read, ShuffleDice::From(2),
        "php-random-int for K, ..., 2", n => draws_of_function("php-random-int", n);
    "ruby-shuffle", "Ruby", "Array#shuffle", "Ruby 3.1", "array.c", Run, ShuffleDice::From(2),
        "ruby-rand for K, ..., 2", n => draws_of_function("ruby-rand", n);
    "dotnet-shuffle", ".NET", "new Random().Shuffle", ".NET 9", "src/libraries/System.Private.CoreLib/src/System/Random.cs", Read, ShuffleDice::From(2),
        "dotnet-next for K, ..., 2", n => draws_of_function("dotnet-next", n);
    "dotnet-shuffle-secure", ".NET", "RandomNumberGenerator.Shuffle", "dotnet/runtime @0175c78c", "src/libraries/System.Security.Cryptography/src/System/Security/Cryptography/RandomNumberGenerator.cs", Read, ShuffleDice::From(2),
        "dotnet-getint32 for K, ..., 2", n => draws_of_function("dotnet-getint32", n);
    "swift-shuffle", "Swift", "MutableCollection.shuffle", "Swift @01072d81", "stdlib/public/core/CollectionAlgorithms.swift", Read, ShuffleDice::From(2),
        "swift-int-random for K, ..., 2", n => draws_of_function("swift-int-random", n);
    "js-fisher-yates-v8", "JavaScript", "i = K, ..., 2: Math.floor(Math.random() * i), V8", "Node 20", "the program itself", Run, ShuffleDice::From(2),
        "js-math-random-v8 for K, ..., 2: biased", n => draws_of_function("js-math-random-v8", n);
    "js-fisher-yates-v8-53", "JavaScript", "i = K, ..., 2: Math.floor(Math.random() * i), V8", "V8 13.6 and later", "the program itself", Copy, ShuffleDice::From(2),
        "js-math-random-v8-53 for K, ..., 2: biased", n => draws_of_function("js-math-random-v8-53", n);
    "lodash-shuffle-v8", "JavaScript", "lodash _.shuffle, V8", "lodash 4.18.1", "lodash.js", Read, ShuffleDice::From(1),
        "js-math-random-v8 for K, ..., 1: biased", n => draws_of_function("js-math-random-v8", n);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(dice: ShuffleDice, cards: u64) -> Vec<u128> {
        dice.sides(cards).collect()
    }

    #[test]
    fn small_decks_have_the_expected_dice() {
        assert_eq!(sides(ShuffleDice::From(1), 3), [1, 2, 3]);
        assert_eq!(sides(ShuffleDice::Pairs(WORD_32), 6), [2, 12, 30]);
        assert_eq!(sides(ShuffleDice::Pairs(WORD_32), 7), [6, 20, 42]);
        assert_eq!(sides(ShuffleDice::Pairs(WORD_32), 2), [2]);
        assert_eq!(sides(ShuffleDice::Pairs(WORD_32), 1), []);
        // two indices share a die as long as K^2 < 2^32
        assert_eq!(sides(ShuffleDice::Pairs(WORD_32), 65535).len(), 32767);
        assert_eq!(sides(ShuffleDice::Pairs(WORD_32), 65536).len(), 65535);
        // The first batches are 12! and 13 14 ... 19. The number of words equals the number of
        // batches for 52 cards.
        let batches = sides(ShuffleDice::Batches, 52);
        assert_eq!(batches[0], (1..=12).product());
        assert_eq!(batches[1], (13..=19).product());
        assert!(batches.iter().all(|product| *product < WORD_32));
        assert_eq!(sides(ShuffleDice::Batches, 1), []);
    }
}
