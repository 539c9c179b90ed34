//! What can be verified, and what is found.

use crate::algorithms::largest_toll::LargestTolls;
use crate::number::real::Undecided;
use crate::number::sieve::OrderTable;
use std::ops::ControlFlow;
use std::str::FromStr;

/// What can be verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Primes with primitive root 2 have (p-1)/2 rounds.
    Layman,
    /// Where -1 is a power of 2, the rounds are half the flips.
    HalfPeriod,
    /// E(2n) = E(n) + 1.
    Halving,
    /// E(n) < log2 n + 2.
    Toll,
    /// E(n) < ceil(log2 n) + 1.
    CeilPlusOne,
    /// The amplified loaded dice roller with K = 2k costs less than 2 flips above the entropy.
    AldrToll,
    /// So does K = 2k - 1 for even sums.
    AldrTollEven,
}

/// A name that no claim has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a claim: choose one of {names}", names = Claim::ALL.map(Claim::id).join(", "))]
pub struct UnknownClaim(String);

impl FromStr for Claim {
    type Err = UnknownClaim;

    fn from_str(text: &str) -> Result<Claim, UnknownClaim> {
        let named = Claim::ALL.into_iter().find(|claim| claim.id() == text);
        named.ok_or_else(|| UnknownClaim(text.chars().take(60).collect()))
    }
}

impl Claim {
    /// All of them, in the order of the program's help.
    pub const ALL: [Claim; 7] = [
        Claim::Layman,
        Claim::Toll,
        Claim::CeilPlusOne,
        Claim::HalfPeriod,
        Claim::Halving,
        Claim::AldrToll,
        Claim::AldrTollEven,
    ];

    /// Its name, such as `half-period`, which [`Claim::from_str`] reads.
    pub fn id(self) -> &'static str {
        match self {
            Claim::Layman => "layman",
            Claim::Toll => "toll",
            Claim::CeilPlusOne => "ceil-plus-one",
            Claim::AldrToll => "aldr-toll",
            Claim::AldrTollEven => "aldr-toll-even",
            Claim::HalfPeriod => "half-period",
            Claim::Halving => "halving",
        }
    }

    /// The statement.
    pub fn statement(self) -> &'static str {
        match self {
            Claim::Layman => {
                "if 2 is a primitive root of the prime p, the cycle of p has (p-1)/2 rounds (A136043)"
            }
            Claim::HalfPeriod => {
                "if -1 is a power of 2 modulo an odd n > 1, the cycle of n has p/2 rounds, p its flips"
            }
            Claim::Halving => "E(2n) = E(n) + 1 for the fast dice roller with a coin",
            Claim::Toll => "E(n) < log2 n + 2 for the fast dice roller with a coin",
            Claim::CeilPlusOne => "E(n) < ceil(log2 n) + 1 for the fast dice roller with a coin",
            Claim::AldrToll => {
                "for all weights of sum n, aldr:K=2k costs less than 2 flips above the entropy, k the least with 2^k >= n"
            }
            Claim::AldrTollEven => {
                "for all weights of an even sum n, aldr:K=2k-1 costs less than 2 flips above the entropy, k the least with 2^k >= n"
            }
        }
    }

    /// Whether it is proved, and how it is checked.
    pub fn standing(self) -> &'static str {
        match self {
            Claim::Layman => {
                "theorem: 2^((p-1)/2) = -1, so the residues pair off as x and p-x, and one of each pair ends a round; checked by counting the 1 bits of one whole period of 1/p"
            }
            Claim::HalfPeriod => {
                "theorem: the residues pair off as x and n-x, and one of each pair ends a round; checked by counting the 1 bits of one whole period of 1/n; an even n has the cycle of its odd part"
            }
            Claim::Halving => {
                "theorem: 2^(t+1) mod 2n = 2 (2^t mod n); checked by stepping both streams of residues over the pre-period and a whole period"
            }
            Claim::Toll => {
                "theorem: E(n) < ceil(log2 n) + 1; checked by sums of 128 terms and a bound on the rest, by exact enclosures where they do not tell"
            }
            Claim::CeilPlusOne => {
                "theorem: the binary digits of 2^k/n - 1, k = ceil(log2 n), cost less than 1 flip above k; checked by sums of 128 terms and a bound on the rest, by exact enclosures where they do not tell"
            }
            Claim::AldrToll => {
                "theorem (Draper & Saad 2025): checked for every distribution of a sum at once, by a knapsack of its parts that bounds the largest toll from above; weights have no common divisor, others are met at a smaller sum"
            }
            Claim::AldrTollEven => {
                "open: decided here for every distribution of a sum at once, by a knapsack of its parts that bounds the largest toll from above; weights have no common divisor"
            }
        }
    }

    /// What a sweep can record, and how it is checked by another method, if it can.
    pub fn record(self) -> Option<Record> {
        match self {
            Claim::Toll | Claim::CeilPlusOne => Some(Record {
                values: "E(n) of every n as the nearest double, 8 bytes each, least first",
                second: "nearest doubles of sums of 2^t mod n over 2^t, in numbers of any length",
                count: 1000,
            }),
            Claim::Layman | Claim::HalfPeriod => Some(Record {
                values: "n, flips and rounds of the cycle of every n that the claim speaks of, 8 bytes each, least first",
                second: "the order of 2 by factoring, the rounds by stepping through the residues",
                count: 8,
            }),
            Claim::Halving | Claim::AldrToll | Claim::AldrTollEven => None,
        }
    }

    /// The least n of a sweep.
    pub fn first(self) -> u64 {
        match self {
            Claim::Layman | Claim::HalfPeriod => 3,
            Claim::Halving | Claim::Toll | Claim::CeilPlusOne => 1,
            Claim::AldrToll | Claim::AldrTollEven => 2,
        }
    }

    /// The largest n of a sweep.
    pub fn largest(self) -> u64 {
        match self {
            Claim::Layman | Claim::HalfPeriod => OrderTable::LARGEST,
            Claim::Halving => OrderTable::LARGEST / 2,
            Claim::Toll | Claim::CeilPlusOne => 1 << 40,
            Claim::AldrToll | Claim::AldrTollEven => LargestTolls::MOST,
        }
    }

    /// About how many steps of machine words a sweep to `to` takes, at most; saturates.
    pub fn work(self, to: u64) -> u128 {
        let to = u128::from(to);
        match self {
            // periods of up to n bits, counted in words
            Claim::Layman | Claim::HalfPeriod => to.saturating_mul(500 + to / 64),
            Claim::Halving => to.saturating_mul(5000 + 4 * to),
            Claim::Toll | Claim::CeilPlusOne => 100 * to,
            // some dozen useful parts, and a few sets of primes
            Claim::AldrToll => 50 * to * to,
            Claim::AldrTollEven => 25 * to * to,
        }
    }
}

/// The values that a sweep records, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which they are.
    pub values: &'static str,
    /// The other method that `sample` computes some of them by.
    pub second: &'static str,
    /// How many n a sample should have at most.
    pub count: u64,
}

/// Where a sweep leaves the values of [`Claim::record`], in order, if somebody wants them.
pub type Recorder<'a> = Option<&'a mut dyn FnMut(&[u8])>;

/// The result of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many n were checked.
    pub checked: u64,
    /// The extreme case, in words.
    pub extreme: Option<String>,
    /// The first n that contradicts the claim, in words.
    pub counterexample: Option<String>,
}

/// A sweep that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The end lies before the first n, or too far away.
    #[error("a sweep of this claim ends between n = {first} and n = {largest}, not at {to}")]
    Range {
        /// The least end.
        first: u64,
        /// The largest end.
        largest: u64,
        /// The requested end.
        to: u64,
    },
    /// The first n is too small, or behind the last.
    #[error(
        "the first n of this claim must lie between {first} and the last n, and {from} does not"
    )]
    Start {
        /// The least start.
        first: u64,
        /// The requested start.
        from: u64,
    },
    /// The claim's values are not recorded.
    #[error("the values of {} have no second method that would check them: toll, ceil-plus-one, layman and half-period do", claim.id())]
    NoRecord {
        /// The claim.
        claim: Claim,
    },
    /// A comparison could not be decided.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// The largest toll of a sum is too near the bound.
    #[error("the largest toll of the weight sum {sum} lies within 2^-40 of 2, too near to decide")]
    Near {
        /// The sum.
        sum: u64,
    },
    /// The progress callback stopped it.
    #[error("the sweep was stopped before its end")]
    Stopped,
}

pub(super) fn go_on(said: ControlFlow<()>) -> Result<(), VerifyError> {
    match said {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(VerifyError::Stopped),
    }
}

/// A number of things: `1 round`, `2 rounds`.
pub(super) fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for claim in Claim::ALL {
            assert_eq!(claim.id().parse(), Ok(claim));
            let error = "goldbach".parse::<Claim>().unwrap_err().to_string();
            assert!(error.contains("goldbach") && error.contains(claim.id()));
        }
    }
}
