//! The random words that library functions draw for a die of n sides. The files of the languages
//! use these rules.
//!
//! K is the bit length of n, k that of n - 1, and L the number of bits that are used. A rule called
//! *cut* accepts the values below the largest multiple of n that is at most 2^L, even if the
//! function's own test is written differently. A rule called *cut below* accepts the values below
//! the largest multiple of n that is at most 2^L - 1. A rule called *mask* draws k bits until their
//! value is below n. A function that returns at once for n = 1 draws nothing then.

use super::call::DigitCall;
pub(super) use super::call::{BitsRead, Call, largest_high_digit, least_word_of_each_outcome};
pub(super) use super::library::{ANY_SIDES, WordDraws, check_at_most};
use flipcost::algorithms::WordRule;
use flipcost::algorithms::attempt::Attempt;
pub use flipcost::algorithms::attempt::Map;
use flipcost::law::DoubleBounds;
use flipcost::task::{Refusal, Source};
pub(super) use flipcost_number::BigUint;
pub(super) use num_traits::{One, ToPrimitive};

pub(super) const WORD_32: u128 = 1 << 32;
pub(super) const WORD_64: u128 = 1 << 64;
/// Refuses a number of sides for which the words of each outcome would take too long to count.
pub(super) fn check_listable_sides(n: &BigUint) -> Result<(), Refusal> {
    const MAX_DRAWS: u32 = 1 << 24;
    if *n <= MAX_DRAWS.into() {
        return Ok(());
    }
    Err(Refusal::Rule(format!(
        "its words are counted one by one, which works for n up to {MAX_DRAWS} only"
    )))
}

/// Refuses targets for which the law of a limited number of attempts would have millions of digits.
pub(super) fn check_target_bits(n: &BigUint) -> Result<(), Refusal> {
    const MAX_BITS: u64 = 128;
    if n.bits() <= MAX_BITS {
        return Ok(());
    }
    Err(Refusal::Rule(format!(
        "its attempts are followed one by one, which works for n below 2^{MAX_BITS} only"
    )))
}

/// The largest n for which a double represents every integer up to n.
pub(super) const MAX_EXACT_DOUBLE: u128 = 1 << 53;

/// Returns the bit length of n - 1.
pub(super) fn max_value_bits(n: &BigUint) -> u32 {
    (n - 1u8).bits() as u32
}

pub(super) fn word_source(bits: u32) -> Source {
    Source::word(bits).expect("1 to 64 bits")
}

pub(super) fn power_of_two(bits: u32) -> BigUint {
    BigUint::one() << bits
}

/// Draws c words of w bits and uses `look` of their bits; repeats this until the bits are accepted.
pub(super) fn attempts(w: u32, c: u32, look: u32, n: &BigUint, map: Map) -> WordDraws {
    let attempt = Attempt {
        words: c,
        values: power_of_two(look),
        ..Attempt::of_word(power_of_two(w), n, map)
    };
    WordDraws {
        source: word_source(w),
        bits: Some(w),
        call: Call::Attempts(attempt, BitsRead::Bits(look)),
    }
}

pub(super) fn no_draws(w: u32) -> WordDraws {
    WordDraws {
        source: word_source(w),
        bits: Some(w),
        call: Call::Free,
    }
}

/// Accepts `look` bits whose value is below the largest multiple of n that is at most 2^look; the
/// result is the remainder modulo n.
pub(super) fn cut_attempts(w: u32, c: u32, look: u32, n: &BigUint) -> WordDraws {
    let map = Map::largest_multiple(&power_of_two(look), n);
    attempts(w, c, look, n, map)
}

/// Accepts the same number of values as [`cut_attempts`], by Lemire's multiplication.
pub(super) fn multiply_attempts(w: u32, c: u32, look: u32, n: &BigUint) -> WordDraws {
    attempts(w, c, look, n, Map::Product)
}

/// Accepts `look` bits whose value is below the largest multiple of n that is at most 2^look - 1;
/// the result is a quotient.
pub(super) fn cut_below(w: u32, look: u32, n: &BigUint) -> WordDraws {
    let each = (power_of_two(look) - 1u8) / n;
    attempts(w, 1, look, n, Map::Quotient(each))
}

/// Draws `look` bits until their value is below n.
pub(super) fn mask_attempts(w: u32, c: u32, look: u32, n: &BigUint) -> WordDraws {
    attempts(w, c, look, n, Map::Below)
}

/// Draws k bits, from as few words as contain them, until their value is below n.
pub(super) fn masked_words(w: u32, n: &BigUint) -> WordDraws {
    let look = max_value_bits(n);
    mask_attempts(w, look.div_ceil(w).max(1), look, n)
}

/// Returns the number of bits of a word: 32 for n up to 2^32, 64 for larger n.
pub(super) fn narrow_or_wide(n: &BigUint) -> u32 {
    if *n <= BigUint::from(WORD_32) { 32 } else { 64 }
}

/// Draws a high digit with the words of `high`, and a low digit from one word.
pub(super) fn high_low_digits(high: WordDraws, n: &BigUint) -> WordDraws {
    let Call::Attempts(attempt, BitsRead::Bits(look)) = high.call else {
        unreachable!("a high digit takes attempts");
    };
    let low = attempt.source.to_u128().expect("a machine word");
    WordDraws {
        call: Call::Digits(DigitCall {
            high: attempt,
            look,
            low,
            target: n.clone(),
        }),
        ..high
    }
}

/// Returns the draws of floor(u n) in doubles, where u has `look` bits, taken from c words of w
/// bits.
pub(super) fn double_attempts(w: u32, c: u32, look: u32, n: &BigUint) -> WordDraws {
    let n_ = n.to_u64().expect("a word");
    attempts(
        w,
        c,
        look,
        n,
        Map::Doubles(DoubleBounds { bits: look, n: n_ }),
    )
}

/// Returns the draws of a rule whose attempts each take one word of `values` values. `drawn` is the
/// number of bits of this word; `None` if the number is not an integer.
pub(super) fn draw_of_values(
    values: u64,
    drawn: Option<u32>,
    look: BitsRead,
    n: &BigUint,
    map: Map,
) -> WordDraws {
    WordDraws {
        source: Source::die(values).expect("a word of values"),
        bits: drawn,
        call: Call::Attempts(Attempt::of_word(values, n, map), look),
    }
}

/// Returns the draws of Canon's method with two words of w bits.
pub(super) fn canon_words(w: u32, n: &BigUint) -> WordDraws {
    if n.is_one() {
        // One word is always drawn.
        cut_attempts(w, 1, w, n)
    } else {
        WordDraws {
            source: word_source(w),
            bits: Some(w),
            call: Call::Words(WordRule::canon(1 << w, n, 2)),
        }
    }
}

pub(super) const MAX_INT: u128 = (1 << 31) - 1;
pub(super) const MAX_LONG: u128 = (1 << 63) - 1;

/// Lists the functions of a language and the language's other names. Each line has these parts: the
/// id, name, version and file of a function; how we know its rule
/// ([`RuleEvidence`](super::RuleEvidence)); the rule in words; the largest number of sides; and the
/// draws.
macro_rules! libraries {
    ($language:literal $(or $also:literal)*;
     $($id:literal, $function:literal, $version:literal, $file:literal, $checked:ident,
       $rule:literal,
       $n:ident up to $most:expr => $draws:expr;)*) => {
        const ALSO: &[&str] = &[$($also),*];
        pub(super) const LIBRARIES: &[super::Library] = &[$(super::Library {
            id: $id,
            language: $language,
            also: ALSO,
            function: $function,
            version: $version,
            file: $file,
            checked: super::RuleEvidence::$checked,
            rule: $rule,
            draws: |$n| {
                check_at_most($n, $most)?;
                Ok($draws)
            },
        }),*];
    };
}
pub(super) use libraries;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LIBRARIES, PreparedCall, library};
    use flipcost::algorithms::Prepared;
    use flipcost::law::{Bias, Law, OutcomeLaw};
    use flipcost::task::{Target, Task};
    use flipcost_number::threads;
    use flipcost_number::{BigInt, Rational};
    use num_integer::Integer;
    use num_traits::Zero;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// Checks the law of a call by counting all its words, both word by word and flip by flip: the
    /// outcomes, the mean, the variance, the worst case and the first 30 survival values.
    fn check_law_by_counting(draws: impl Fn() -> WordDraws, n: u64, what: &str) {
        for flips in [false, true] {
            let draws = draws();
            let source = if flips {
                Source::COIN
            } else {
                draws.source.clone()
            };
            let bits = draws.bits.filter(|_| flips);
            if flips && bits.is_none() {
                continue;
            }
            let exact = OutcomeLaw::uniform(n);
            let task = Task::new(Target::uniform(n).expect("a die"), source);
            let instance = PreparedCall::new(draws, bits, &task);
            let law = instance.law().expect("a closed form");
            let (chain, _) = instance.chain(1 << 22).expect("few words");
            let claimed = instance
                .bias()
                .expect("a call ends")
                .map(|bias| bias.outcomes());
            assert_ne!(claimed.as_ref(), Some(&exact), "{what} n = {n}");
            let claimed = claimed.unwrap_or(exact);
            assert_eq!(chain.outcome_law(), claimed, "{what} n = {n}");
            let (mean, second) = chain.moments();
            assert_eq!(law.mean().unwrap(), mean, "{what} n = {n}");
            assert_eq!(
                law.variance().unwrap(),
                second - &mean * &mean,
                "{what} n = {n}"
            );
            assert_eq!(law.max(), chain.worst_case(), "{what} n = {n}");
            let counted = Law::from(chain);
            assert!(
                law.survival().take(30).eq(counted.survival().take(30)),
                "{what} n = {n}"
            );
        }
    }

    #[test]
    fn every_rule_has_its_law_for_small_words() {
        threads::map(70, &|i| {
            let n = i as u64 + 1;
            let big = BigUint::from(n);
            let n_ = &big;
            for w in [3u32, 4, 6] {
                let fits = n <= 1 << w;
                if fits {
                    check_law_by_counting(|| cut_attempts(w, 1, w, n_), n, "cut");
                    check_law_by_counting(|| multiply_attempts(w, 1, w, n_), n, "product");
                    check_law_by_counting(|| attempts(w, 1, w, n_, Map::Share), n, "share");
                    check_law_by_counting(
                        || mask_attempts(w, 1, max_value_bits(n_), n_),
                        n,
                        "mask",
                    );
                    let each = power_of_two(w) / n_;
                    check_law_by_counting(
                        || attempts(w, 1, w, n_, Map::Quotient(each.clone())),
                        n,
                        "buckets",
                    );
                }
                if n < 1 << w {
                    check_law_by_counting(|| cut_below(w, w, n_), n, "cut below");
                    let most = power_of_two(w) - 1u8;
                    let map = || Map::largest_multiple(&most, n_);
                    check_law_by_counting(|| attempts(w, 1, w, n_, map()), n, "remainder below");
                }
                if n <= 1 << (w - 1) {
                    check_law_by_counting(|| cut_attempts(w, 1, w - 1, n_), n, "fewer bits");
                }
                if (2..=1 << w).contains(&n) {
                    check_law_by_counting(|| canon_words(w, n_), n, "canon");
                    check_law_by_counting(
                        || {
                            let mut draws = mask_attempts(w, 1, max_value_bits(n_), n_);
                            if let Call::Attempts(attempt, _) = &mut draws.call {
                                attempt.last = Some((3, Map::Remainder(attempt.values.clone())));
                            }
                            draws
                        },
                        n,
                        "three attempts",
                    );
                    check_law_by_counting(
                        || {
                            let range = n_ - 1u8;
                            let limit = (power_of_two(w) - 1u8) / &range * &range + 1u8;
                            let mut draws = attempts(w, 1, w, n_, Map::Remainder(limit));
                            if let Call::Attempts(attempt, _) = &mut draws.call {
                                attempt.last = Some((4, Map::Remainder(power_of_two(w))));
                            }
                            draws
                        },
                        n,
                        "four attempts of one multiple less",
                    );
                    check_law_by_counting(|| jax_like(w, n_), n, "two words");
                }
                check_law_by_counting(
                    || attempts(w, 1, w, n_, Map::Remainder(power_of_two(w))),
                    n,
                    "modulo",
                );
                if w < 6 {
                    check_law_by_counting(|| masked_words(w, n_), n, "masked words");
                }
                if w == 4 && n > 16 {
                    let high = largest_high_digit(n_, 16) + 1u8;
                    check_law_by_counting(
                        || high_low_digits(multiply_attempts(4, 1, 4, &high), n_),
                        n,
                        "high and low",
                    );
                    let look = max_value_bits(n_) - 4;
                    check_law_by_counting(
                        || high_low_digits(mask_attempts(4, 1, look, &high), n_),
                        n,
                        "masked high and low",
                    );
                }
            }
            if n <= 4 {
                let pieces = || Map::Pieces(4, Box::new(Map::Product));
                check_law_by_counting(|| attempts(8, 1, 8, n_, pieces()), n, "pieces");
            }
            if (1..=20).contains(&n) {
                let words = || {
                    draw_of_values(
                        23,
                        None,
                        BitsRead::NoBits,
                        n_,
                        Map::Quotient(BigUint::from(23 / n)),
                    )
                };
                check_law_by_counting(words, n, "23 values");
            }
        });
    }

    /// Returns the draws of [`jax`] for words of w bits, in tests with 4 and 6 bits.
    fn jax_like(w: u32, n: &BigUint) -> WordDraws {
        let look = if *n <= power_of_two(w / 2) { 2 * w } else { w };
        attempts(w, 2, look, n, Map::Remainder(power_of_two(look)))
    }

    /// Compares floor(u n) with real doubles, word by word.
    #[test]
    fn floor_of_doubles_matches_real_doubles() {
        let product_of_doubles = |bits: u32, n: u64| -> Vec<BigUint> {
            let bounds = DoubleBounds { bits, n };
            (0..=n).map(|j| bounds.least(j).into()).collect()
        };
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
        // With 53 bits, the test checks the words next to each bound.
        for n in [3u64, 6, 7, 49, 52, 1_000_003] {
            let bounds = product_of_doubles(53, n);
            for (j, bound) in bounds.iter().enumerate().skip(1).take(n as usize - 1) {
                let y = bound.to_u64().unwrap();
                let outcome = |y: u64| (y as f64 / (1u64 << 53) as f64 * n as f64) as usize;
                assert!(outcome(y) >= j && outcome(y - 1) < j, "{n} {j}");
            }
        }
    }

    /// The generator has 2^31 - 2 states. Each of the 2^15 values comes from 2^16 states, except 0,
    /// which comes from 2 fewer. The test counts the states by their low bits.
    #[test]
    fn values_of_bash_have_equally_many_states_except_0() {
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
        cost.words.mean().unwrap()
    }

    fn bias(id: &str, n: u64) -> Bias {
        let cost = library(id).unwrap().cost(&n.into()).unwrap();
        Bias::new(&cost.outcomes.expect("a bias"), n)
    }

    /// Compares the table with the formulas that its sources state, for words of full width.
    #[test]
    fn the_table_satisfies_the_formulas_of_its_sources() {
        assert_eq!(words("cpython-randbelow", 6), ratio(4, 3));
        assert_eq!(words("cpython-randbelow", 1), ratio(2, 1));
        for n in [3u64, 6, 52, 1000] {
            let rest = (1u64 << 32) % n;
            let all = ratio(1 << 32, 1);
            let kept = ratio(1 << 32, (1 << 32) - rest);
            assert_eq!(words("rust-rand-uniform32", n), kept);
            assert_eq!(words("boost-mt19937", n), kept);
            // The interval algorithm with one word: 1 + (n - g) / (2^32 - 1).
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
        // A high digit and a low word: (E(H + 1) + 1) (H + 1) 2^32 / n.
        let n = (7u64 << 32) + 5;
        let high = words("libstdcxx-mt19937", 8) + ratio(1, 1);
        let rounds = Rational::new(BigInt::from(8u64 << 32), n.into());
        assert_eq!(words("libstdcxx-mt19937", n), high * &rounds);
        // Ruby draws 1 + (H + 1) / 2^(k - 32) words in a round of the largest power.
        let k = 64 - (n - 1).leading_zeros();
        let round = ratio(1, 1) + ratio(8, 1 << (k - 32));
        let expected = round * Rational::new(BigInt::one() << k, n.into());
        assert_eq!(words("ruby-rand", n), expected);
        // GMP: p = n / 2^k, f = (1 - p)^80, attempts (1 - f) / p, total variation f (2n - 2^k) / n.
        let p = ratio(5, 8);
        let f = (ratio(1, 1) - &p).pow(80);
        assert_eq!(words("gmp-urandomm", 5), (ratio(1, 1) - &f) / p);
        assert_eq!(bias("gmp-urandomm", 5).total_variation(), f * ratio(2, 5));
        // NumPy issue 14774: 31 values of 8 bits. JAX, counted for 8 bits and n = 100.
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

    /// CPython's shuffle of 52 cards takes 76.395 words of 32 bits on average; its dice have 52,
    /// ..., 2 sides.
    #[test]
    fn a_shuffle_of_cpython_takes_76_words() {
        let all = (2..=52).map(|n| words("cpython-randbelow", n));
        let all: Rational = all.sum();
        assert_eq!((all * ratio(1000, 1)).round(), ratio(76395, 1));
    }

    /// Tests every row of the table for every n of its type. The call ends with probability 1, the
    /// probabilities of the n outcomes sum to 1, the bits used are among those drawn, and the ids
    /// are unique.
    #[test]
    fn every_function_is_consistent_for_every_n() {
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
                let mean = cost.words.mean().unwrap();
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
        assert_eq!(ids.len(), 74);
    }
}
