//! The law of the fast dice roller, s(t) = m^t mod n, and of the optimal algorithm for weights a_1,
//! ..., a_r of sum n without a common factor, s(t) = (1/n) sum_i (m^t a_i mod n) < r (see
//! `law/weighted.rs`). For equal weights both laws are the same.
//!
//! The residues x_t = m^t mod n are periodic from t = s on, with period p (see
//! [`flipcost_number::order`]), so with C = sum_{i<p} x_{s+i} m^{p-1-i}
//!
//! ```text
//! E[T] = sum_{t<s} x_t / m^t + m^(1-s) C / (m^p - 1).
//! ```
//!
//! (`proofs/Period.v, E_closed`; for s = 0, n coprime to m: `proofs/Period.v, E_closed_coprime`.)
//! This fraction has about p log2 m bits. Decimals do not need the period, because x_t < n (for
//! weights x_t <= r, so that O(log r + bits) terms are enough, however long n is):
//!
//! ```text
//! 0 <= sum_{t>=K}        x_t / m^t <= n m^(1-K) / (m - 1) <= 2 n / m^K
//! 0 <= sum_{t>=K} (2t+1) x_t / m^t <= n (4K + 6) / m^K.
//! ```
//!
//! The first line, with the bounds 0 and 2 n / m^K, is `proofs/Series.v, rest_is_small`.
//!
//! For a coin, E[T] - log2 n is exactly periodic in log2 n: the proof, and the extremes, means and
//! Fourier coefficients of this function, are in `toll.rs`.

use super::weighted::WeightGroups;
use super::{FractionSize, LawKind, generating, moments};
use crate::roller::{doubles, numerator};
use crate::task::{RollUnit, Target};
use flipcost_number::Real;
use flipcost_number::budget::spend;
use flipcost_number::order::{self, BigOrbit};
use flipcost_number::reduce::reduce;
use flipcost_number::{BigInt, BigUint, Rational};
use flipcost_number::{Enclosure, log2};
use num_integer::Integer;
use num_traits::{One, Pow, ToPrimitive, Zero};
use std::any::Any;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// Exact means of up to this many bits are computed immediately; longer means are enclosed.
const SMALL_MEAN_BITS: u128 = 256;

/// The maximum number of steps of Brent's rho for factoring a target beyond 2^64, which is needed
/// to find its period.
const WORK_LIMIT: u64 = 200_000;

/// The law s(t) = m^t mod n, or for weights the sum of such residues.
pub(crate) struct Residues {
    source: u128,
    /// The number n of sides, or the sum of the weights.
    target: BigUint,
    /// `None` if all weights are equal.
    weights: Option<WeightGroups>,
    orbit: OnceLock<Option<BigOrbit>>,
}

/// If T is bounded, the exact mean is computed if its number of rolls times the number of bits of
/// the target is at most this.
const MAX_SUMMED: u64 = 1 << 32;

/// Targets with more bits are never factored.
const MAX_FACTORED: u64 = 2048;

/// The extra bits of a fraction, beyond (s + p) log2 m, for its integer part and for rounding.
pub(crate) const SPARE_BITS: u128 = 16;

/// sum_{t<K} x_t m^(K-1-t), and the same sum weighted by t, as integers; the second is 0 if only
/// the mean is requested.
struct SurvivalSums {
    plain: BigUint,
    weighted: BigUint,
}

/// Which of the [`SurvivalSums`] are needed.
#[derive(Clone, Copy, PartialEq)]
enum SumsWanted {
    Plain,
    Both,
}

impl SurvivalSums {
    const ZERO: SurvivalSums = SurvivalSums {
        plain: BigUint::ZERO,
        weighted: BigUint::ZERO,
    };

    /// The sums of the first K = `rolls` terms, each a word, for a source of m <= 2^64 sides. Cost:
    /// O(K) steps on words, and O(K^2 / 64) word operations for the result.
    fn of_words(
        m: u128,
        mut terms: impl Iterator<Item = u64>,
        rolls: u64,
        which: SumsWanted,
    ) -> SurvivalSums {
        let mut sums = SurvivalSums::ZERO;
        // Process w rolls at a time, as many as two words can hold: for plain sums, m^w <= 2^63 and
        // the sum is below 2^127; for weighted sums, m^w <= 2^52, and a sum below 2^116 is
        // multiplied by t < 2^12. If m is larger, process a single roll, where the sum is the term
        // itself.
        let room = match which {
            SumsWanted::Plain => 63,
            SumsWanted::Both => 52,
        };
        let width = (room / u64::from(128 - (m - 1).leading_zeros())).max(1);
        let mut t = 0;
        while t < rolls {
            let w = width.min(rolls - t);
            let (mut plain, mut weighted, mut scale) = (0u128, 0u128, 1u128);
            for i in 0..w {
                let x = terms.next().expect("the terms never end");
                plain = plain * m + x as u128;
                if which == SumsWanted::Both {
                    weighted = weighted * m + x as u128 * i as u128;
                }
                scale *= m;
            }
            if which == SumsWanted::Both {
                sums.weighted = sums.weighted * scale + weighted + BigUint::from(plain) * t;
            }
            sums.plain = sums.plain * scale + plain;
            spend(sums.plain.bits() / 16 + w);
            t += w;
        }
        sums
    }
}

/// Encloses the sum over all t of x_t / m^t, or of (2t+1) x_t / m^t, within 2^-bits, for terms 0 <=
/// x_t < n. `sum(K)` is the sum of the first K terms, in units of m^(1-K), and `tail(K)` n / m^K
/// bounds the remaining terms.
fn enclose<T: Into<BigUint>>(
    m: u128,
    n: &BigUint,
    bits: u64,
    sum: impl Fn(u64) -> BigUint,
    tail: impl Fn(u64) -> T,
) -> Enclosure {
    // m^K >= 2^(bits + log2 n + 72). For a long n, K is found from the least k with m^k >= n
    // instead of from the length of n, since each further roll costs operations on numbers as long
    // as n.
    let log = u64::from(m.ilog2());
    let rolls = match n.bits() {
        short @ ..=64 => (bits + short + 72) / log + 1,
        _ => u64::from(order::ceil_log(m, n)) + (bits + 72) / log + 1,
    };
    let scale = Pow::pow(BigInt::from(m), rolls - 1);
    // the bound of the tail, in units of m^(1-K): tail(K) n / m^K = (tail(K) n / m) / m^(K-1)
    let slack = BigInt::from((n * tail(rolls).into()).div_ceil(&BigUint::from(m)));
    let sum = BigInt::from(sum(rolls));
    let value = Enclosure::of_ratio(&sum, &slack, &scale, bits + 4);
    debug_assert!(value.is_within(bits));
    value
}

/// Computes the moments from sums of the terms, for a sequence with a head of s terms and then a
/// cycle of p terms.
///
/// With q = m^-p, A = sum_i x_(s+i) m^-i and B = sum_i i x_(s+i) m^-i over one period:
/// sum_{t>=s} (2t+1) x_t m^-t = m^-s [ ((2s+1) A + 2 B) / (1-q) + 2 p A q / (1-q)^2 ].
fn periodic_moments(
    m: u128,
    s: u64,
    p: u64,
    head: SurvivalSums,
    cycle: SurvivalSums,
) -> (Rational, Rational) {
    let m = BigInt::from(m);
    let ratio = |a: BigInt, b: &BigInt| reduce(a.magnitude(), b.magnitude()); // both are nonnegative
    let scale = Pow::pow(&m, s.max(1) - 1);
    let head_mean = ratio(head.plain.clone().into(), &scale);
    let head_second = ratio((head.plain + (head.weighted << 1u8)).into(), &scale);
    if cycle.plain.is_zero() {
        return (head_mean, head_second);
    }
    // A / (1-q) = m plain / (m^p - 1), B / (1-q) = m weighted / (m^p - 1), q / (1-q) = 1 / (m^p -
    // 1)
    let whole = Pow::pow(&m, p) - 1;
    let down = Pow::pow(&m, s);
    let plain = BigInt::from(cycle.plain) * &m;
    let weighted = BigInt::from(cycle.weighted) * &m;
    let mean = head_mean + ratio(plain.clone(), &(&whole * &down));
    let top = (&plain * (2 * s + 1) + (weighted << 1u8)) * &whole + (plain << 1u8) * p;
    let second = head_second + ratio(top, &(&whole * &whole * down));
    (mean, second)
}

impl Residues {
    /// Creates the law for a source of 2 <= m <= 2^64 and a target of n >= 1 sides.
    ///
    /// # Panics
    /// If m is outside its range, or n = 0.
    pub fn new(source: u128, target: BigUint) -> Self {
        assert!(
            (2..=1 << 64).contains(&source) && !target.is_zero(),
            "a source has 2 to 2^64 sides and a target at least 1, not {source} and {target}"
        );
        Residues {
            source,
            target,
            weights: None,
            orbit: OnceLock::new(),
        }
    }

    /// Creates the law of the optimal algorithm for weights and a source of m sides. Cost: one sort
    /// of the weights.
    ///
    /// # Panics
    /// If m is outside its range, or the target has 2^64 outcomes or more.
    pub fn weighted(source: u128, target: &Target) -> Self {
        Residues {
            weights: Some(WeightGroups::new(target)),
            ..Residues::new(source, target.weight_sum().clone())
        }
    }

    /// The number of sides of the source.
    pub fn source(&self) -> u128 {
        self.source
    }

    /// Source and target as words, if they fit and the source is at most 2^32.
    fn source_and_target_as_words(&self) -> Option<(u64, u64)> {
        let source = u64::try_from(self.source).ok().filter(|m| *m <= 1 << 32)?;
        Some((source, self.target.to_u64()?))
    }

    /// The number of sides of the target.
    pub fn target(&self) -> &BigUint {
        &self.target
    }

    /// The pre-period and period of m^t mod n; `None` if n is too large to be factored here. Cost:
    /// factoring n takes at worst about n^(1/4) products if n is a word, and at most a fixed number
    /// of steps if it is longer; the result is kept.
    pub fn orbit(&self) -> Option<&BigOrbit> {
        let find = || match self.source_and_target_as_words() {
            Some((m, n)) => {
                let orbit = order::orbit(m, n);
                let (pre_period, period) = (orbit.pre_period, orbit.period.into());
                Some(BigOrbit {
                    pre_period,
                    period,
                    minus_one: orbit.minus_one,
                })
            }
            // One step of factoring costs about bits^2 operations, and a primality test bits^3.
            None if self.target.bits() > MAX_FACTORED => None,
            None => {
                let bits = self.target.bits();
                order::orbit_big(
                    self.source,
                    &self.target,
                    WORK_LIMIT.min((1 << 31) / (bits * bits)),
                )
            }
        };
        self.orbit.get_or_init(find).as_ref()
    }

    /// The sums over t from 0 to K-1.
    fn first_sums(&self, rolls: u64, which: SumsWanted) -> SurvivalSums {
        match &self.weights {
            None => self.sums(&(BigUint::one() % &self.target), rolls, which),
            Some(weights) => {
                let counts = weights.counts(self.source, &self.target);
                SurvivalSums::of_words(self.source, counts, rolls, which)
            }
        }
    }

    /// The sums over t from 0 to K-1, starting at the residue `first`. Cost: O(K) steps on words if
    /// n < 2^64, otherwise on numbers as long as n, and O(K^2 / 64) word operations for the result.
    fn sums(&self, first: &BigUint, rolls: u64, which: SumsWanted) -> SurvivalSums {
        let m = self.source;
        let small = (first.to_u64(), self.target.to_u64());
        if let (Some(x), Some(n)) = small {
            // both factors are below n, and their product is below n^2
            let factor = (m % u128::from(n)) as u64;
            if n <= 1 << 32 {
                let next = |x: &u64| Some(*x * factor % n);
                return SurvivalSums::of_words(
                    m,
                    std::iter::successors(Some(x), next),
                    rolls,
                    which,
                );
            }
            let (factor, n) = (u128::from(factor), u128::from(n));
            let next = |x: &u64| Some((u128::from(*x) * factor % n) as u64);
            return SurvivalSums::of_words(m, std::iter::successors(Some(x), next), rolls, which);
        }
        let mut sums = SurvivalSums::ZERO;
        let mut x = first.clone();
        let mut begun = 0;
        if first.is_one() {
            // As long as m^t < n, x_t = m^t, so the sums of the first j terms are j m^(j-1) and j
            // (j-1) / 2 m^(j-1).
            begun = self.powers_below().min(rolls);
            if begun > 0 {
                let power = BigUint::from(m).pow(begun as u32 - 1);
                sums.plain = &power * begun;
                sums.weighted = &power * (u128::from(begun) * u128::from(begun - 1) / 2);
                x = power * m % &self.target;
            }
        }
        for t in begun..rolls {
            spend(sums.plain.bits() / 16 + self.target.bits() / 16);
            sums.plain = sums.plain * m + &x;
            if which == SumsWanted::Both {
                sums.weighted = sums.weighted * m + &x * t;
            }
            x = x * m % &self.target;
        }
        sums
    }

    /// The number of powers m^0, m^1, ... below n, which is the number of t with P(T > t) = 1.
    /// Cost: one power, and a few more products.
    pub(crate) fn powers_below(&self) -> u64 {
        order::ceil_log(self.source, &self.target).into()
    }

    fn enclose(
        &self,
        bits: u64,
        which: SumsWanted,
        sum: impl Fn(SurvivalSums) -> BigUint,
        tail: impl Fn(u64) -> u64,
    ) -> Enclosure {
        let sum = |rolls| sum(self.first_sums(rolls, which));
        enclose(self.source, &self.most_undecided(), bits, sum, tail)
    }

    /// An upper bound of the number of undecided nodes at any depth.
    fn most_undecided(&self) -> Cow<'_, BigUint> {
        match &self.weights {
            None => Cow::Borrowed(&self.target),
            Some(weights) => Cow::Owned(weights.outcomes().into()),
        }
    }

    /// Encloses `E[T]` within 2^-bits. Cost: O(log n + bits) residues; the period is not needed.
    pub fn mean_within(&self, bits: u64) -> Enclosure {
        if let (2, Some(n), None) = (self.source, self.target.to_u64(), &self.weights)
            && let Some(value) = doubles::expected_flips_within(n, bits)
        {
            return value;
        }
        self.enclose(bits, SumsWanted::Plain, |sums| sums.plain, |_| 2u64)
    }

    /// Encloses `E[T^2]` within 2^-bits. Cost: O(log n + bits) residues; the period is not needed.
    pub fn second_moment_within(&self, bits: u64) -> Enclosure {
        let sum = |sums: SurvivalSums| sums.plain + (sums.weighted << 1u8);
        self.enclose(bits, SumsWanted::Both, sum, |rolls| 4 * rolls + 6)
    }

    /// Encloses `E[T^j]` within 2^-bits: the sum of ((t+1)^j - t^j) s(t) / m^t.
    fn power_within(&self, j: u32, bits: u64) -> Enclosure {
        let sum = |rolls: u64| {
            let mut sum = BigUint::zero();
            for (t, s) in (0..rolls).zip(self.undecided_nodes()) {
                let powers = BigUint::from(t + 1).pow(j) - BigUint::from(t).pow(j);
                sum = sum * self.source + s * powers;
            }
            sum
        };
        let tail = |rolls: u64| BigUint::from(rolls + 1).pow(j - 1) * (52 * j);
        enclose(self.source, &self.most_undecided(), bits, sum, tail)
    }

    /// If n = m^k for an n longer than a word, returns k; then T = k. Cost: one power.
    fn exponent_of_source(&self) -> Option<u64> {
        let power = !self.source.is_power_of_two() || self.target.count_ones() == 1;
        if self.target.bits() <= 64 || !power || self.weights.is_some() {
            return None;
        }
        let k = order::ceil_log(self.source, &self.target);
        (BigUint::from(self.source).pow(k) == self.target).then_some(k.into())
    }

    /// The number of rolls before the cycle of the sums, and the number of rolls in the cycle. If T
    /// is bounded, the cycle has one roll.
    ///
    /// # Errors
    /// The size of the mean, if the period is unknown or at least 2^64 rolls, and T is unbounded.
    fn summable_lengths(&self) -> Result<(u64, u64), FractionSize> {
        match self.max_rolls_if_bounded() {
            Some(rolls) => Ok((rolls, 1)),
            None => self.period_lengths().ok_or_else(|| self.size()),
        }
    }

    /// Checks whether the exact mean is a fraction of at most a few words, or T is bounded. (If T
    /// is bounded, the denominator of the mean divides a power of m, so a rounding or a comparison
    /// may be an exact tie, which only the exact mean decides. But a mean that takes long to
    /// compute is enclosed even then.) Cost: as [`Law::size`](crate::law::Law::size).
    pub fn is_small(&self) -> bool {
        let bounded = match self.source_and_target_as_words() {
            Some((m, n)) => order::coprime_part(m, n) == 1,
            None => (self.max_rolls_if_bounded())
                .is_some_and(|rolls| rolls.saturating_mul(self.target.bits()) <= MAX_SUMMED),
        };
        bounded || matches!(self.size(), FractionSize::Bits(bits) if bits <= SMALL_MEAN_BITS)
    }

    /// The pre-period and the period as numbers of rolls that can be added up; `None` if the period
    /// is unknown or at least 2^64 rolls.
    pub(super) fn period_lengths(&self) -> Option<(u64, u64)> {
        let orbit = self.orbit()?;
        Some((orbit.pre_period, orbit.period.to_u64()?))
    }

    fn moments_by_period(&self) -> Result<(Rational, Rational), FractionSize> {
        let (s, p) = self.summable_lengths()?;
        let head = self.first_sums(s, SumsWanted::Both);
        let cycle = match &self.weights {
            None => {
                let first = BigUint::from(self.source).modpow(&s.into(), &self.target);
                self.sums(&first, p, SumsWanted::Both)
            }
            Some(weights) => {
                let counts = weights.counts(self.source, &self.target).skip(s as usize);
                SurvivalSums::of_words(self.source, counts, p, SumsWanted::Both)
            }
        };
        Ok(periodic_moments(self.source, s, p, head, cycle))
    }

    /// Source and target as words, if there are no weights.
    fn fair_words(&self) -> Option<(u64, u64)> {
        self.source_and_target_as_words()
            .filter(|_| self.weights.is_none())
    }

    /// The least k for which n divides m^k, if it exists. Then k is the largest possible T, since
    /// the weights have no common factor. Cost: O(log n) greatest common divisors with a word.
    fn max_rolls_if_bounded(&self) -> Option<u64> {
        let (rest, k) = order::coprime_part_big(self.source, &self.target);
        rest.is_one().then_some(k)
    }
}

impl PartialEq for Residues {
    fn eq(&self, other: &Residues) -> bool {
        let numbers = |law: &Residues| (law.source, law.target.clone());
        numbers(self) == numbers(other) && self.weights == other.weights
    }
}

impl LawKind for Residues {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn order(&self) -> Option<u128> {
        let orbit = self.orbit()?;
        orbit.period.to_u128()?.checked_add(orbit.pre_period.into())
    }

    fn unit(&self) -> RollUnit {
        RollUnit::of_sides(self.source)
    }

    /// Cost: one division of a number as long as n per term; for weights, one for each distinct
    /// weight.
    fn undecided_nodes(&self) -> Box<dyn Iterator<Item = BigUint> + '_> {
        if let Some(weights) = &self.weights {
            let counts = weights.counts(self.source, &self.target);
            return Box::new(counts.map(BigUint::from));
        }
        let mut x = BigUint::one() % &self.target;
        Box::new(std::iter::repeat_with(move || {
            spend(self.target.bits() / 16 + 8);
            let next = &x * self.source % &self.target;
            std::mem::replace(&mut x, next)
        }))
    }

    fn base(&self) -> BigUint {
        self.source.into()
    }

    fn worst_case(&self) -> Option<u64> {
        self.max_rolls_if_bounded()
    }

    /// The denominator of the mean divides m^s (m^p - 1), so the size is (s + p) log2 m plus the
    /// bits of the integer part.
    fn size(&self) -> FractionSize {
        if self.exponent_of_source().is_some() {
            return FractionSize::Bits(64);
        }
        let bounded = self.max_rolls_if_bounded();
        match (self.orbit(), bounded) {
            (None, None) => FractionSize::Unknown,
            // For long targets, 33 bits are reserved for every roll.
            (None, Some(rolls)) => FractionSize::Bits(u128::from(rolls) * 33 + SPARE_BITS),
            (Some(orbit), None) => {
                FractionSize::Bits(fraction_bits(self.source, &orbit.period + orbit.pre_period))
            }
            (Some(orbit), Some(_)) => {
                FractionSize::Bits(fraction_bits(self.source, orbit.pre_period.into()))
            }
        }
    }

    fn mean(self: Arc<Self>) -> Real {
        if let Some(k) = self.exponent_of_source() {
            return Real::integer(k);
        }
        match self.is_small().then(|| self.exact_mean()) {
            Some(Ok(mean)) => Real::Exact(mean),
            _ => self.mean_of_long(),
        }
    }

    fn mean_of_long(self: Arc<Self>) -> Real {
        Real::enclosed(move |bits| self.mean_within(bits))
    }

    fn second_moment(self: Arc<Self>) -> Real {
        if let Some(k) = self.exponent_of_source() {
            return Real::integer(u128::from(k) * u128::from(k));
        }
        match self.is_small().then(|| self.exact_moments()) {
            Some(Ok((_, second))) => Real::Exact(second),
            _ => Real::enclosed(move |bits| self.second_moment_within(bits)),
        }
    }

    fn moments(self: Arc<Self>) -> [Real; 4] {
        if let Some(Ok([_, powers @ ..])) = self.is_small().then(|| self.exact_powers()) {
            return powers.map(Real::Exact);
        }
        let enclosed = |j| {
            let law = self.clone();
            Real::enclosed(move |bits| law.power_within(j, bits))
        };
        let (third, fourth) = (enclosed(3), enclosed(4));
        [self.clone().mean(), self.second_moment(), third, fourth]
    }

    fn exact_mean(&self) -> Result<Rational, FractionSize> {
        match (self.fair_words(), self.exponent_of_source()) {
            (Some((m, n)), _) => Ok(numerator::expected_rolls(m, n)),
            (None, Some(k)) => Ok(Rational::from(BigInt::from(k))),
            (None, None) => Ok(self.exact_moments()?.0),
        }
    }

    /// Computes both moments in one pass over pre-period and period. Cost: O(b^2) bit operations
    /// and O(b) memory, for b = p log2 m bits.
    fn exact_moments(&self) -> Result<(Rational, Rational), FractionSize> {
        match (self.fair_words(), self.exponent_of_source()) {
            (Some((m, n)), _) => Ok(numerator::moments(m, n)),
            (None, Some(k)) => {
                let k = Rational::from(BigInt::from(k));
                Ok((k.clone(), &k * &k))
            }
            (None, None) => self.moments_by_period(),
        }
    }

    fn exact_powers(&self) -> Result<[Rational; 5], FractionSize> {
        let lengths = self.summable_lengths()?;
        Ok(moments::of_period(
            self.source,
            self.undecided_nodes(),
            lengths,
        ))
    }

    fn generating_function(&self, z: &Rational) -> Result<Rational, FractionSize> {
        let lengths = self.summable_lengths()?;
        Ok(generating::of_period(
            self.source,
            self.undecided_nodes(),
            lengths,
            z,
        ))
    }
}

/// The number of bits of a fraction with a denominator up to m^rolls and an integer part below
/// 2^16, rounded up; at most `u128::MAX`. It exceeds log2(m^rolls) + 16 by at most rolls / 2^60 +
/// 1.
fn fraction_bits(m: u128, rolls: BigUint) -> u128 {
    fraction_size(m)(rolls)
}

/// Returns the function `rolls -> fraction_bits(m, rolls)`; log2 m is computed once.
pub(crate) fn fraction_size(m: u128) -> impl Fn(BigUint) -> u128 {
    let log = log2(&m.into(), 60);
    move |rolls| {
        let bits = (BigInt::from(rolls) * &log.high).div_ceil(&(BigInt::one() << log.bits));
        let bits = bits.to_u128().unwrap_or(u128::MAX);
        bits.saturating_add(SPARE_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Law;
    use super::*;
    use proptest::prelude::*;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    fn law(m: u64, n: impl Into<BigUint>) -> Residues {
        Residues::new(m.into(), n.into())
    }

    #[test]
    fn the_undecided_nodes_are_the_powers_modulo_n() {
        for m in [2u64, 3, 6, 10, 1 << 32] {
            for n in [1u64, 2, 7, 12, 100, u64::MAX] {
                let n = BigUint::from(n) << (m % 5 * 20);
                for (t, s) in law(m, n.clone()).undecided_nodes().take(40).enumerate() {
                    assert_eq!(
                        s,
                        BigUint::from(m).modpow(&t.into(), &n),
                        "m = {m}, n = {n}"
                    );
                }
            }
        }
    }

    /// The residues of the weights 1, 2, 4 modulo 7 are again 1, 2, 4, in another order: one node
    /// is always undecided, so the mean is 1 + 1/2 + 1/4 + ...
    #[test]
    fn the_optimum_of_weights_by_hand() {
        let law = Law::from(Residues::weighted(2, &Target::weighted([1, 2, 4]).unwrap()));
        assert!(law.undecided_nodes().0.take(9).all(|nodes| nodes.is_one()));
        assert_eq!(law.mean(), Ok(ratio(2, 1)));
    }

    /// The means of Lumbroso's roller from a coin, computed by hand from the periods of 2^t mod n.
    #[test]
    fn the_first_means_of_a_coin() {
        let means: Vec<String> = (1..=12u64)
            .map(|n| law(2, n).exact_mean().unwrap().to_string())
            .collect();
        let by_hand = [
            "0", "1", "8/3", "2", "18/5", "11/3", "24/7", "3", "14/3", "23/5", "160/33", "14/3",
        ];
        assert_eq!(means, by_hand);
    }

    /// x_(t+1)(m n) = m x_t(n) and x_0(m n) = 1: a target of m n sides takes one roll and then a
    /// target of n sides, so E(m n) = E(n) + 1, and E[T^2] increases by 2 E(n) + 1.
    #[test]
    fn m_times_as_many_sides_are_one_roll_more() {
        let large = [(BigUint::one() << 64) + 1u8, (BigUint::one() << 127) - 1u8];
        for m in [2u64, 3, 6, 10, 12] {
            let small = (1..=150u64).map(BigUint::from);
            // 2^64 = -1 and 2^127 = 1 modulo these n, which are longer than a word but have short
            // periods for a coin.
            let large = large.iter().filter(|_| m == 2).cloned();
            for n in small.chain(large) {
                let (mean, second) = law(m, n.clone()).exact_moments().unwrap();
                let more = law(m, &n * m).exact_moments().unwrap();
                let two = BigInt::from(2);
                let wanted = (&mean + ratio(1, 1), second + mean * two + ratio(1, 1));
                assert_eq!(more, wanted, "m = {m}, n = {n}");
                assert_eq!(
                    law(m, &n * m).exact_mean().unwrap(),
                    wanted.0,
                    "m = {m}, n = {n}"
                );
            }
        }
    }

    /// The sums of big numbers equal those of `roller/numerator.rs`.
    #[test]
    fn one_pass_and_binary_splitting_agree() {
        for m in [2u64, 3, 4, 6, 10, 20] {
            for n in 1..=130u64 {
                let law = law(m, n);
                assert_eq!(
                    law.moments_by_period(),
                    law.exact_moments(),
                    "m = {m}, n = {n}"
                );
            }
        }
    }

    /// The mean is the sum of the first K terms of the series, plus a rest between 0 and 2 n / m^K;
    /// a similar bound holds for the second moment.
    #[test]
    fn the_rest_of_the_series_is_bounded() {
        for (m, n) in [(2u64, 6u64), (2, 97), (3, 100), (6, 35), (10, 7)] {
            let (mean, second) = law(m, n).exact_moments().unwrap();
            let (mut sum, mut weighted, mut scale) =
                (Rational::zero(), Rational::zero(), BigInt::one());
            for (t, s) in law(m, n).undecided_nodes().take(60).enumerate() {
                let rest = |k: usize| Rational::new((BigUint::from(n) * k).into(), scale.clone());
                assert!(
                    sum <= mean && mean <= &sum + rest(2),
                    "m = {m}, n = {n}, t = {t}"
                );
                let most = &weighted + rest(4 * t + 6);
                assert!(
                    weighted <= second && second <= most,
                    "m = {m}, n = {n}, t = {t}"
                );
                let p = Rational::new(s.into(), scale.clone());
                weighted += &p * BigInt::from(2 * t + 1);
                sum += p;
                scale *= m;
            }
        }
    }

    /// n = m^k needs k rolls, even if n is so long that the mean is not summed; E(m n) = E(n) + 1
    /// also holds for such n.
    #[test]
    fn long_targets_that_divide_a_power_of_the_source() {
        let law = |n: BigUint| Law::from(law(6, n));
        let power = law(BigUint::from(6u8).pow(400_000u32));
        assert_eq!(power.mean().unwrap().to_string(), "400000");
        assert_eq!(power.mean_real().to_string(), "400000");
        assert_eq!(power.variance_real().to_string(), "0");
        let n = BigUint::one() << 300_000u32;
        let [mean, more] = [law(n.clone()), law(n * 6u8)].map(|law| law.mean_real());
        assert!(mean.exact().is_none());
        let [mean, more] = [mean, more].map(|mean| mean.decimals(6).unwrap());
        let [(whole, part), (next, same)] =
            [&mean, &more].map(|text| text.split_once('.').unwrap());
        let [whole, next]: [u64; 2] = [whole, next].map(|text| text.parse().unwrap());
        assert_eq!((whole + 1, part), (next, same));
    }

    #[test]
    fn bounded_iff_n_divides_a_power_of_m() {
        for m in 2u64..=30 {
            for n in 1u64..=150 {
                // m^7 contains every prime factor of m at least 7 times, as often as any n below
                // 2^8 can.
                let divides = (0..=7u32).find(|&k| (u128::from(m).pow(k)).is_multiple_of(n.into()));
                assert_eq!(
                    law(m, n).worst_case(),
                    divides.map(u64::from),
                    "m = {m}, n = {n}"
                );
            }
        }
        let large = law(6, BigUint::from(12u8).pow(3000u32));
        assert_eq!(large.worst_case(), Some(6000));
        assert!(matches!(large.size(), FractionSize::Bits(bits) if bits >= 6000 * 5 / 2));
    }

    /// Numerator and denominator have no more bits than the stated size.
    #[test]
    fn sizes_are_upper_bounds() {
        for m in [2u64, 3, 5, 6, 10, 64, 1 << 32] {
            for n in 1..=200u64 {
                let FractionSize::Bits(bits) = law(m, n).size() else {
                    panic!("a word has a period")
                };
                let mean = law(m, n).exact_mean().unwrap();
                let most = mean.numer().bits().max(mean.denom().bits());
                assert!(u128::from(most) <= bits, "m = {m}, n = {n}");
            }
        }
    }

    /// The period of 6 modulo the prime 2^127 + 101, times log2 6, exceeds 2^128. The size was once
    /// rounded to 2^128 - 1, and adding 16 overflowed.
    #[test]
    fn a_size_beyond_2_to_the_128_saturates() {
        let n: BigUint = (BigUint::one() << 127) + 101u8;
        let law = law(6, n.clone());
        assert_eq!(law.orbit().unwrap().period, &n - 1u8);
        assert_eq!(law.size(), FractionSize::Bits(u128::MAX));
        assert!(!law.is_small());
        let law = Law::from(law);
        assert_eq!(law.mean_real().decimals(6).unwrap(), "50.176102");
        assert_eq!(law.mean_up_to(1 << 37), Err(FractionSize::Bits(u128::MAX)));
    }

    /// Targets that cannot be factored: a product of two primes of 160 bits, and its multiples.
    #[test]
    fn an_unknown_period_has_an_unknown_size() {
        let prime = |low: u32| (BigUint::one() << 160) + low;
        let n = prime(7) * prime(291); // the first two primes above 2^160
        let law = law(2, n);
        assert_eq!((law.size(), law.orbit()), (FractionSize::Unknown, None));
        let law = Law::from(law);
        assert_eq!(law.mean_up_to(u128::MAX), Err(FractionSize::Unknown));
        let (mean, two) = (law.mean_real(), law.second_moment_real());
        assert!(mean.exact().is_none() && two.exact().is_none());
    }

    /// Checks rolls floor(log2 m) + 16 <= bits <= rolls ceil(log2 m) + rolls / 2^60 + 17, where the
    /// size is at most `u128::MAX`.
    fn is_upper_bound(m: u64, rolls: &BigUint) -> bool {
        let bits = fraction_bits(m.into(), rolls.clone());
        let saturated = |bits: BigUint| bits.to_u128().unwrap_or(u128::MAX);
        let below = saturated(rolls * m.ilog2() + SPARE_BITS);
        let above = rolls * m.next_power_of_two().trailing_zeros() + (rolls >> 60u8);
        below <= bits && bits <= saturated(above + SPARE_BITS + 1u8)
    }

    #[test]
    fn sizes_at_the_edges_of_words() {
        let edges = [
            0u128,
            1,
            1 << 32,
            (1 << 64) - 1,
            1 << 64,
            1 << 96,
            u128::MAX - 16,
            u128::MAX,
        ];
        for m in [
            2u64,
            3,
            6,
            1 << 16,
            (1 << 32) - 1,
            1 << 32,
            (1 << 63) - 1,
            1 << 63,
        ] {
            for rolls in edges {
                let rolls = BigUint::from(rolls);
                for rolls in [rolls.clone(), &rolls + 1u8, &rolls << 64] {
                    assert!(is_upper_bound(m, &rolls), "m = {m}, {rolls} rolls");
                }
            }
        }
        let coin = |rolls: u128| fraction_bits(2, rolls.into());
        assert_eq!(coin(u128::MAX - 17), u128::MAX - 1);
        assert_eq!(
            [coin(u128::MAX - 16), coin(u128::MAX - 15), coin(u128::MAX)],
            [u128::MAX; 3]
        );
        assert_eq!(
            fraction_bits(1 << 32, (u128::MAX >> 5).into()),
            u128::MAX - 31 + SPARE_BITS
        );
    }

    proptest! {
        #[test]
        fn sizes_of_any_power(m in 2u64..=1 << 63, rolls: u128, shift in 0u32..128) {
            prop_assert!(is_upper_bound(m, &(rolls >> shift).into()));
        }

        /// m^rolls has at most the stated number of bits; not counting the spare bits, one bit less
        /// would be too few.
        #[test]
        fn sizes_of_small_powers(m in 2u64..=1 << 32, rolls in 0u32..200) {
            let bits = fraction_bits(m.into(), rolls.into()) - SPARE_BITS;
            let power = BigUint::from(m).pow(rolls);
            prop_assert!(power <= BigUint::one() << bits);
            prop_assert!(power.is_one() || power >= BigUint::one() << (bits - 1));
        }

        /// For any source and target that fit in words, the size is computed without a panic or an
        /// overflow.
        #[test]
        fn any_word_has_a_size(m in 2u64..=1 << 32, n in 1u64..) {
            let FractionSize::Bits(bits) = law(m, n).size() else {
                return Err(TestCaseError::fail("a word has a period"));
            };
            let period = order::orbit(m, n).period;
            let bounded = order::coprime_part(m, n) == 1;
            prop_assert!(bits >= SPARE_BITS && (bounded || bits >= u128::from(period)));
            prop_assert!(bits <= 33 * (u128::from(period) + 64) + SPARE_BITS);
        }
    }
}
