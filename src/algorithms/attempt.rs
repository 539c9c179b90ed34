//! Attempts: draw some words, look at some of their bits, and either return an outcome or try
//! again. This is the core of the algorithms for machine words and of the functions of libraries.
//!
//! An attempt draws c words of R values each, most significant first, so R^c values in all. The
//! rule distinguishes only W equally likely values x of them (W divides R^c). A [`Map`] gives x an
//! outcome or rejects it. If a of the W values are accepted,
//!
//! ```text
//! E = c W / a   words,   P(T > jc + i) = (1 - a/W)^j,   0 <= i < c.
//! ```
//!
//! If the number of attempts is limited, the last one has a separate map that accepts all values.

use super::Step;
use crate::law::{Blocks, DoubleBounds, Law, OutcomeClass, OutcomeLaw, widths};
use crate::task::Refusal;
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// Maps each of the W values of an attempt to a face of the target, a fair die of n sides, or
/// rejects the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Map {
    /// x mod n for x below this limit, which is exactly fair if n divides the limit; larger x are
    /// rejected.
    Remainder(BigUint),
    /// floor(x / q) for x below q n, so that each outcome has q values; larger x are rejected.
    Quotient(BigUint),
    /// floor(x n / W), but x is rejected if x n mod W < W mod n: Lemire's multiplication.
    Product,
    /// x itself; x is rejected if it is not below n.
    Below,
    /// floor(x n / W), without rejection.
    Share,
    /// Splits x into this many numbers of equal length in bits, the lowest first; the first number
    /// that the inner map accepts gives the outcome.
    Pieces(u32, Box<Map>),
    /// floor(u n), computed in doubles, for u = x / W, where W is a power of two.
    Doubles(DoubleBounds),
    /// The outcome is j for x from the j-th of these bounds up to below the next bound; the last
    /// bound is W.
    Bounds(Vec<BigUint>),
    /// The state x + 1, from 1 to 2^31 - 2, is folded to 15 bits: its two halves are combined by
    /// exclusive or. The outcome is the result mod n.
    Folded,
}

/// A rule that makes attempts, with or without a limit on their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The number R of values of a word.
    pub source: BigUint,
    /// The number c of words of an attempt.
    pub words: u32,
    /// The number W of values that an attempt distinguishes: it reduces the R^c values modulo W.
    pub values: BigUint,
    /// The number n of sides of the target.
    pub target: BigUint,
    /// The map from values to outcomes.
    pub map: Map,
    /// The maximum number of attempts, and the map of the last one; `None` without a limit.
    pub last: Option<(u32, Map)>,
}

/// The words drawn so far.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AttemptState {
    /// The number of rejected attempts, if they are limited.
    attempts: u32,
    words: u32,
    value: BigUint,
}

impl fmt::Debug for AttemptState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.attempts {
            0 => {}
            1 => write!(f, "1 attempt rejected, ")?,
            attempts => write!(f, "{attempts} attempts rejected, ")?,
        }
        words_drawn(f, self.words, &self.value)
    }
}

/// Writes the words drawn so far, and the number that they make.
pub(super) fn words_drawn(f: &mut fmt::Formatter, words: u32, value: &BigUint) -> fmt::Result {
    match words {
        0 => f.write_str("no word drawn"),
        1 => write!(f, "1 word drawn, value {value}"),
        words => write!(f, "{words} words drawn, value {value}"),
    }
}

/// Pairs of a number of values and the number of outcomes to which exactly that many values lead.
type Counts = Vec<(BigUint, BigUint)>;

impl Map {
    /// Takes x mod n for x below the largest multiple of n up to a limit; rejects other values.
    pub fn largest_multiple(limit: &BigUint, n: &BigUint) -> Map {
        Map::Remainder(limit - limit % n)
    }

    /// The outcome of one of the W values; `None` if the value is rejected.
    fn outcome(&self, x: &BigUint, values: &BigUint, n: &BigUint) -> Option<BigUint> {
        match self {
            Map::Remainder(limit) => (x < limit).then(|| x % n),
            Map::Quotient(each) => {
                let outcome = x / each;
                (outcome < *n).then_some(outcome)
            }
            Map::Product => {
                let (high, low) = (x * n).div_rem(values);
                (low >= values % n).then_some(high)
            }
            Map::Below => (x < n).then(|| x.clone()),
            Map::Share => Some(x * n / values),
            Map::Pieces(count, map) => {
                let each = values.nth_root(*count);
                let mut left = x.clone();
                (0..*count).find_map(|_| {
                    let (rest, piece) = left.div_rem(&each);
                    left = rest;
                    map.outcome(&piece, &each, n)
                })
            }
            Map::Doubles(DoubleBounds { bits, n }) => {
                let unit = x.to_u64().expect("53 bits") as f64 / 2f64.powi(*bits as i32);
                Some(((unit * *n as f64) as u64).into())
            }
            Map::Bounds(bounds) => {
                let above = bounds.partition_point(|bound| bound <= x);
                Some((above - 1).into())
            }
            Map::Folded => {
                let state = x.to_u64().expect("31 bits") + 1;
                Some(((state >> 16 ^ state) & 0x7FFF) % n)
            }
        }
    }

    /// Counts the values that lead to each outcome, and returns pairs of a count and the number of
    /// outcomes with that count; outcomes without any value are left out.
    fn counts(&self, values: &BigUint, n: &BigUint) -> Counts {
        // for x below a limit, x mod n
        let shared = |limit: &BigUint| {
            let (each, more) = limit.div_rem(n);
            vec![(&each + 1u8, more.clone()), (each, n - more)]
        };
        let counts = match self {
            Map::Remainder(limit) => shared(limit),
            Map::Quotient(each) => vec![(each.clone(), n.clone())],
            Map::Product => vec![(values / n, n.clone())],
            Map::Below => vec![(BigUint::one(), n.clone())],
            Map::Share => shared(values),
            Map::Pieces(count, map) => {
                let each = values.nth_root(*count);
                let parts = map.counts(&each, n);
                let accepted = count_values(&parts);
                // Each outcome has the same share of the accepted values in every piece.
                let all = values - (&each - &accepted).pow(*count);
                let part = |(k, outcomes)| (k * &all / &accepted, outcomes);
                parts.into_iter().map(part).collect()
            }
            Map::Doubles(bounds) => bounds.counts(),
            Map::Bounds(bounds) => widths(bounds),
            // If all 2^31 states existed, 2^16 of them would fold to each of the 2^15 values. The
            // states 0 and 2^31 - 1 do not exist, and both would fold to 0.
            Map::Folded => {
                let folded = BigUint::from(1u32 << 15);
                let mut counts: Counts = shared(&folded)
                    .into_iter()
                    .map(|(k, outcomes)| (k << 16u8, outcomes))
                    .collect();
                let first = counts
                    .iter_mut()
                    .find(|(_, outcomes)| !outcomes.is_zero())
                    .expect("a die has a side");
                first.1 -= 1u8;
                let zero = &first.0 - 2u8;
                counts.push((zero, BigUint::one()));
                counts
            }
        };
        counts
            .into_iter()
            .filter(|(k, outcomes)| !k.is_zero() && !outcomes.is_zero())
            .collect()
    }
}

/// The total number of values in these pairs.
fn count_values(counts: &Counts) -> BigUint {
    counts.iter().map(|(k, outcomes)| k * outcomes).sum()
}

impl Attempt {
    /// Creates attempts of one word with R values; the map looks at the whole word.
    pub fn of_word(source: impl Into<BigUint>, target: &BigUint, map: Map) -> Attempt {
        let source = source.into();
        Attempt {
            words: 1,
            values: source.clone(),
            source,
            target: target.clone(),
            map,
            last: None,
        }
    }

    /// The state before the first word.
    pub fn start(&self) -> Step<AttemptState> {
        Step::Roll(AttemptState {
            attempts: 0,
            words: 0,
            value: BigUint::zero(),
        })
    }

    /// The state after one more word.
    pub fn step(&self, at: &AttemptState, face: u64) -> Step<AttemptState> {
        let mut now = AttemptState {
            attempts: at.attempts,
            words: at.words + 1,
            value: &at.value * &self.source + face,
        };
        if now.words < self.words {
            return Step::Roll(now);
        }
        let map = match &self.last {
            Some((most, last)) if now.attempts + 1 == *most => last,
            _ => &self.map,
        };
        let x = &now.value % &self.values;
        if let Some(outcome) = map.outcome(&x, &self.values, &self.target) {
            return Step::Output(outcome);
        }
        now.attempts += u32::from(self.last.is_some());
        (now.words, now.value) = (0, BigUint::zero());
        Step::Roll(now)
    }

    /// The probability that an attempt is accepted, a / W.
    pub fn accepts(&self) -> Rational {
        let accepted = count_values(&self.map.counts(&self.values, &self.target));
        Rational::new(accepted.into(), self.values.clone().into())
    }

    /// The average number of bits that the rule looks at; `None` if the number of values is not a
    /// power of two.
    pub(crate) fn bits_used(&self) -> Option<Rational> {
        let bits = self.values.bits() - 1;
        (self.values.count_ones() == 1)
            .then(|| Rational::from_integer(bits.into()) / self.accepts())
    }

    /// The law of the number of words.
    pub fn law(&self) -> Law {
        let all = self.source.pow(self.words);
        let share = &all / &self.values;
        let rejected =
            (&self.values - count_values(&self.map.counts(&self.values, &self.target))) * share;
        let inside = || (0..self.words).map(|t| self.source.pow(t));
        let law = match &self.last {
            None => {
                let returns = if rejected.is_zero() {
                    vec![]
                } else {
                    vec![(self.words as usize, rejected)]
                };
                Blocks::new(self.source.clone(), vec![], inside().collect(), returns)
            }
            Some((most, _)) => {
                let mut begun = BigUint::one();
                let mut head = Vec::new();
                for _ in 0..*most {
                    head.extend(inside().map(|nodes| nodes * &begun));
                    begun *= &rejected;
                }
                while head.last().is_some_and(Zero::is_zero) {
                    head.pop();
                }
                Blocks::new(self.source.clone(), head, vec![], vec![])
            }
        };
        law.into()
    }

    /// The law of the outcomes, if it is not uniform.
    pub fn outcomes(&self) -> Option<OutcomeLaw> {
        let classes = |map: &Map| {
            let counts = map.counts(&self.values, &self.target);
            let all = BigInt::from(count_values(&counts));
            let class = move |(k, multiplicity): (BigUint, BigUint)| OutcomeClass {
                probability: Rational::new(k.into(), all.clone()),
                multiplicity,
            };
            counts.into_iter().map(class).collect::<Vec<_>>()
        };
        let law = match &self.last {
            None => OutcomeLaw::new(classes(&self.map)),
            Some((most, last)) => {
                // With a limit, the law of the outcomes is a mixture of that of the last map and
                // that of the earlier attempts. Both lists of classes have the same order: either
                // both maps count x mod n, or the map of the earlier attempts is uniform.
                let left = (Rational::one() - self.accepts()).pow(*most as i32 - 1);
                let before = classes(&self.map);
                let after = classes(last);
                OutcomeLaw::new(mix_laws(&before, &after, &left))
            }
        };
        let law = law.expect("probabilities sum to 1");
        (law != OutcomeLaw::uniform(self.target.clone())).then_some(law)
    }
}

/// Mixes two laws in which the likelier outcomes come first; `share` is the probability of the
/// second law.
fn mix_laws(
    first: &[OutcomeClass],
    second: &[OutcomeClass],
    share: &Rational,
) -> Vec<OutcomeClass> {
    let mut classes = Vec::new();
    let (mut first, mut second) = (first.iter().cloned(), second.iter().cloned());
    let (mut a, mut b) = (first.next(), second.next());
    while let (Some(one), Some(two)) = (&mut a, &mut b) {
        let multiplicity = (&one.multiplicity).min(&two.multiplicity).clone();
        classes.push(OutcomeClass {
            probability: &one.probability * (Rational::one() - share) + &two.probability * share,
            multiplicity: multiplicity.clone(),
        });
        one.multiplicity -= &multiplicity;
        two.multiplicity -= &multiplicity;
        if one.multiplicity.is_zero() {
            a = first.next();
        }
        if b.as_ref().is_some_and(|two| two.multiplicity.is_zero()) {
            b = second.next();
        }
    }
    classes
}

/// Defines an algorithm by its attempt; each invocation gives only its name, description and
/// numbers. For a target of one side no word is drawn.
macro_rules! attempt_algorithm {
    ($name:ident, $about:expr, $code:expr, |$m:ident, $n:ident| $attempt:expr) => {
        /// See the module documentation.
        pub struct $name(Option<super::attempt::Attempt>);

        impl super::Rule for $name {
            type State = super::attempt::AttemptState;

            fn start(&self) -> super::Step<Self::State> {
                match &self.0 {
                    Some(attempt) => attempt.start(),
                    None => super::Step::Output(flipcost_number::BigUint::ZERO),
                }
            }

            fn step(&self, state: &Self::State, face: u64) -> super::Step<Self::State> {
                let attempt = self.0.as_ref().expect("a target of one side takes no step");
                attempt.step(state, face)
            }
        }

        impl super::RuleInfo for $name {
            const ABOUT: super::About = $about;
            const PURPOSE: super::Purpose = super::Purpose::Words;
            const PSEUDOCODE: &'static [&'static str] = $code;

            fn new(task: &crate::task::Task) -> Result<Self, crate::task::Refusal> {
                let ($m, $n) = task.fair_of_any_width()?;
                if num_traits::One::is_one($n) {
                    Ok($name(None))
                } else {
                    Ok($name(Some($attempt?)))
                }
            }

            fn closed_law(&self) -> Option<crate::law::Law> {
                Some(match &self.0 {
                    Some(attempt) => attempt.law(),
                    None => super::attempt::no_words(),
                })
            }

            fn bits_used(&self) -> Option<flipcost_number::Rational> {
                match &self.0 {
                    Some(attempt) => attempt.bits_used(),
                    None => None,
                }
            }
        }
    };
}
pub(super) use attempt_algorithm;

/// The law of a rule that draws no word.
pub(super) fn no_words() -> Law {
    Blocks::new(2u8, vec![], vec![], vec![]).into()
}

/// Refuses a target with more sides than the m values of one word.
pub(crate) fn require_one_word(m: &BigUint, n: &BigUint) -> Result<(), Refusal> {
    if n <= m {
        Ok(())
    } else {
        Err(Refusal::Rule(format!(
            "a result uses a single word of {m} values, and a d{} has more: base-conversion and bitmask-words use several words",
            flipcost_number::short::short(n)
        )))
    }
}

/// Returns the number of bits of a word with m values; refuses a source whose m is not a power of
/// two.
pub(crate) fn bits_of_word(m: &BigUint) -> Result<u64, Refusal> {
    if m.count_ones() == 1 {
        Ok(m.bits() - 1)
    } else {
        Err(Refusal::Rule(format!(
            "it masks the bits of a word, and {m} sides are not a whole number of bits: a power of two was expected"
        )))
    }
}
