//! The number of flips that suffice for many draws from a law without an end.

use super::{check_row_count, require_coin};
use crate::law::Digits;
use crate::text::EndlessText;
use flipcost_number::budget::spend;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::Probability;
use flipcost_question::prelude::*;
use num_traits::{One, Zero};

question! {
    /// How many flips suffice, except with a given probability, for draws from a law with
    /// infinitely many outcomes by its optimal tree
    pub struct EndlessSupply: "supply" {
        /// The law.
        targets: EndlessText; word("N"),
        /// How many draws
        count: u64 = 1; option("K"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Failure probabilities [default: 2^-64,2^-128,2^-256]
        failure: Vec<Probability>; option("P"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Libraries
    examples: ["supply dgauss:sigma=3/2 --count 256 --failure 2^-128"]
}

/// The maximum number of draws.
const MAX_COUNT: u64 = 1024;
/// The least failure probability is 2^-MAX_BITS.
const MAX_BITS: u64 = 1024;

/// For each number of flips 0, 1, 2, ..., a lower bound of the probability that a number of draws
/// take exactly this number, in units of 2^-bits. Rounding and unknown digits make the sum less
/// than 1.
struct FlipBounds {
    bits: u64,
    at: Vec<BigUint>,
}

impl FlipBounds {
    fn from_digits(digits: &Digits, bits: u64) -> FlipBounds {
        let unit = |(t, leaves): (usize, &u64)| match bits.checked_sub(t as u64) {
            Some(shift) => BigUint::from(*leaves) << shift,
            None => BigUint::zero(),
        };
        let at = digits.leaves.iter().enumerate().map(unit).collect();
        FlipBounds { bits, at }
    }

    /// Returns the bounds for the sum of two numbers of flips. Cost: the product of the two
    /// lengths, in operations on numbers of `bits` bits.
    fn convolve(&self, other: &FlipBounds) -> FlipBounds {
        let mut at = vec![BigUint::zero(); self.at.len() + other.at.len() - 1];
        for (i, a) in self.at.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            spend(other.at.len() as u64 * (self.bits / 32 + 1));
            for (j, b) in other.at.iter().enumerate().filter(|(_, b)| !b.is_zero()) {
                at[i + j] += a * b;
            }
        }
        for all in &mut at {
            *all >>= self.bits;
        }
        while at.len() > 1 && at.last().is_some_and(Zero::is_zero) {
            at.pop();
        }
        FlipBounds {
            bits: self.bits,
            at,
        }
    }

    /// Returns the bounds for this many draws, by doubling.
    fn repeat(self, count: u64) -> FlipBounds {
        let mut sum: Option<FlipBounds> = None;
        for place in (0..u64::BITS - count.leading_zeros()).rev() {
            sum = sum.map(|sum| sum.convolve(&sum));
            if count >> place & 1 == 1 {
                sum = Some(match &sum {
                    Some(sum) => sum.convolve(&self),
                    None => FlipBounds {
                        bits: self.bits,
                        at: self.at.clone(),
                    },
                });
            }
        }
        sum.unwrap_or(self)
    }

    /// Returns the least t with P(more than t flips) <= p. Returns `None` if the probability that
    /// the bounds leave unknown makes two answers possible.
    fn quantile_above(&self, p: &Rational) -> Option<(u64, Rational)> {
        let unit = BigInt::one() << self.bits;
        let part = |value: BigUint| Rational::new(value.into(), unit.clone());
        let all: BigUint = self.at.iter().sum();
        let missing = Rational::one() - part(all.clone());
        let mut rest = all;
        for (t, here) in self.at.iter().enumerate() {
            rest -= here;
            let low = part(rest.clone());
            if &low + &missing <= *p {
                return Some((t as u64, low));
            }
            if low <= *p {
                return None;
            }
        }
        None
    }
}

impl EndlessSupply {
    fn failures(&self) -> Vec<Rational> {
        if self.failure.is_empty() {
            return [64u64, 128, 256]
                .map(|bits| Rational::new(1.into(), BigInt::one() << bits))
                .into();
        }
        self.failure.iter().map(|p| p.get().clone()).collect()
    }
}

impl Question for EndlessSupply {
    fn summary(&self, answer: &Answer) -> String {
        let draws = count_with_noun(self.count, "draw");
        let told = |row: usize| {
            let flips = answer.measure(row, "rolls").unwrap_or_default();
            let p = answer.phrase(row, "failure").unwrap_or_default();
            format!("{flips} except with probability {p}")
        };
        let all: Vec<String> = (0..answer.rows.len()).map(told).collect();
        format!(
            "{draws} from {} by its optimal tree take at most {}",
            self.targets,
            all.join(", ")
        )
    }

    fn estimate(&self) -> Estimate {
        Estimate::space(1 << 26, 400)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        require_coin(&self.source)?;
        check_row_count("count", self.count, MAX_COUNT)?;
        if self.count == 0 {
            let what = say!(field("count").is(0), " is too small");
            return Err(QueryError::wrong("count", what).right("at least 1 was expected"));
        }
        let precision = precision(self.digits, false)?;
        let failures = self.failures();
        let least = |p: &Rational| p.denom().bits() - p.numer().bits().min(p.denom().bits());
        if failures.iter().any(|p| p.is_zero() || least(p) > MAX_BITS) {
            let what = "a failure probability must be above 0, and at least 2^-1024";
            return Err(QueryError::wrong("failure", what));
        }
        let mut depth = failures.iter().map(least).max().unwrap_or(0) + 64;
        let head = Head::new()
            .column("failure", CellKind::Exact)
            .answers()
            .measured("rolls", CellKind::Count, "flips")
            .answers()
            .column("tail_log2", CellKind::Decimal);
        loop {
            control.go_on()?;
            let digits = self.targets.checked("targets", depth)?;
            let flips = FlipBounds::from_digits(&digits, depth).repeat(self.count);
            let levels: Option<Vec<(u64, Rational)>> =
                failures.iter().map(|p| flips.quantile_above(p)).collect();
            if let Some(levels) = levels {
                let mut rows = Vec::new();
                for (p, (t, tail)) in failures.iter().zip(levels) {
                    let log = flipcost::law::log2(&tail);
                    rows.push(row![p, t, tail_cell(&log, precision)?]);
                }
                return sink.write_answer(&head, rows, Foot::default());
            }
            depth += 64;
        }
    }
}

fn tail_cell(log: &Real, precision: flipcost::table::Precision) -> Result<Cell, QueryError> {
    decimal(log, precision)
}
