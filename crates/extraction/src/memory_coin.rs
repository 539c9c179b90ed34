//! A coin whose flips depend on the flip before.

use flipcost::task::Source;
use flipcost_number::Real;
use flipcost_number::expression::{ExpressionError, parse_rational};
use flipcost_number::{BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Signed};
use std::fmt;
use std::str::FromStr;

/// A coin with memory: the probability of heads is one number after heads and another after tails.
///
/// ```
/// use flipcost_extraction::MemoryCoin;
/// let coin: MemoryCoin = "markov:1/3,3/5".parse()?;
/// assert_eq!(coin.stationary().to_string(), "9/19"); // (3/5) / (2/3 + 3/5)
/// assert_eq!(coin.to_string(), "markov:1/3,3/5");
/// assert!("markov:1/3".parse::<MemoryCoin>().is_err());
/// # Ok::<(), flipcost_extraction::MemoryCoinError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemoryCoin {
    /// The probability of heads after heads, and after tails; each between 0 and 1.
    pub(super) heads: [Rational; 2],
}

/// Not a coin with memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryCoinError {
    /// Not two probabilities.
    #[error(
        "\"{0}\" is no coin with memory: the probabilities of heads after heads and after tails were expected, as in markov:1/3,3/5"
    )]
    Text(String),
    /// One of them is no number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// One of them is 0 or 1, or beyond.
    #[error(
        "a probability of {0} is none that a coin with memory has: it lies between 0 and 1, both left out"
    )]
    Probability(Rational),
}

impl MemoryCoin {
    /// Of the probabilities of heads after heads and after tails.
    ///
    /// # Errors
    /// [`MemoryCoinError::Probability`] unless both lie between 0 and 1.
    pub fn new(
        after_heads: Rational,
        after_tails: Rational,
    ) -> Result<MemoryCoin, MemoryCoinError> {
        let heads = [after_heads, after_tails];
        let is_none = |p: &&Rational| !p.is_positive() || **p >= Rational::one();
        match heads.iter().find(is_none) {
            Some(wrong) => Err(MemoryCoinError::Probability(wrong.clone())),
            None => Ok(MemoryCoin { heads }),
        }
    }

    /// The probability of heads in the long run, and of the first flip of a block.
    pub fn stationary(&self) -> Rational {
        let [after_heads, after_tails] = &self.heads;
        after_tails / (Rational::one() - after_heads + after_tails)
    }

    /// Bits of a flip in the long run, the entropy rate.
    pub fn entropy(&self) -> Real {
        let heads = self.stationary();
        let of = |p: &Rational| {
            let (p, all) = (p.numer().magnitude(), p.denom().magnitude());
            let coin = Source::loaded([p.clone(), all - p]).expect("0 < p < 1");
            coin.entropy()
        };
        let [after_heads, after_tails] = self.heads.each_ref().map(of);
        let tails = Real::Exact(Rational::one() - &heads);
        (after_heads.times(&Real::Exact(heads))).plus(&after_tails.times(&tails))
    }

    /// The weights of staying and of changing in both states, of the same sum, and that sum.
    pub(super) fn weights(&self) -> ([[BigUint; 2]; 2], BigUint) {
        let [one, other] = self.heads.each_ref().map(Rational::denom);
        let all = one.magnitude().lcm(other.magnitude());
        let heads = self.heads.each_ref().map(|p| {
            let times = &all / p.denom().magnitude();
            p.numer().magnitude() * times
        });
        let [stay, change] = heads;
        let states = [[stay.clone(), &all - stay], [&all - &change, change]];
        (states, all)
    }
}

/// `markov:1/3,3/5`, as [`FromStr`] reads it.
impl fmt::Display for MemoryCoin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "markov:{},{}", self.heads[0], self.heads[1])
    }
}

impl FromStr for MemoryCoin {
    type Err = MemoryCoinError;

    fn from_str(text: &str) -> Result<MemoryCoin, MemoryCoinError> {
        let none = || MemoryCoinError::Text(text.chars().take(60).collect());
        let both = text.trim().strip_prefix("markov:").ok_or_else(none)?;
        let (after_heads, after_tails) = both.split_once(',').ok_or_else(none)?;
        if after_tails.contains([',', ':']) {
            return Err(none());
        }
        MemoryCoin::new(parse_rational(after_heads)?, parse_rational(after_tails)?)
    }
}
