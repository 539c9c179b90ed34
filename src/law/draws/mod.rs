//! The law of the total number of rolls for many draws: a sum of independent numbers of rolls.
//!
//! An example: how many rolls are enough for 256 results, except with probability 2^-128? The mean
//! and the variance of T = T_1 + ... + T_K are sums. The tails of T are found in one of two ways:
//! for attempts with the same probability of acceptance, by the negative binomial law in closed
//! form (`trials`); for all others, by tilted convolution (`convolved`). Each way gives two bounds
//! of the smaller of P(T > t) and P(T <= t), as close to each other as requested, so that
//! comparisons can be decided. If the two sides of a comparison may be equal, the exact fraction is
//! found: P(T > t) is a multiple of 1/D, where D is the product of the denominators of t rolls, and
//! an enclosure narrower than 1/D contains only one such multiple.

mod convolved;
mod masses;
mod side;
mod trials;

use super::{FractionSize, Law};
use crate::task::RollUnit;
use convolved::{Convolved, RepeatedDraw};
use flipcost_number::Enclosure;
use flipcost_number::Real;
use flipcost_number::reduce::{sum, times};
use flipcost_number::scaled::Scaled;
use flipcost_number::total::total;
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use side::Side;
pub use side::{MAX_BITS, TooSmall};
use std::cmp::Ordering;
use std::sync::Arc;
use trials::Trials;

/// The law of many draws in a row, each with its own law of the number of rolls.
///
/// ```
/// use flipcost::law::Draws;
/// use flipcost::number::{BigInt, Rational};
/// // ML-KEM's SampleNTT (FIPS 203): 256 candidates below 3329 of 4096
/// let accept = Rational::new(3329.into(), 4096.into());
/// let draws = Draws::attempts(accept, 1).repeat(256);
/// let rare = Rational::new(1.into(), BigInt::from(1) << 256);
/// assert_eq!(draws.quantile_above(&rare)?, Some(557)); // 279 pairs of candidates
/// let log = draws.log2_sf(560)?.unwrap();
/// assert_eq!(log.decimals(5)?, "-261.23997");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Draws(pub(super) Arc<DrawParts>);

pub(super) struct DrawParts {
    /// The distinct laws, each with the number of draws that have it.
    pub(super) parts: Vec<(RepeatedDraw, u64)>,
    method: TailMethod,
}

/// The method by which the tails are computed.
enum TailMethod {
    /// Attempts of this many rolls each, until a given number of them are accepted.
    Attempts(Trials, u64),
    Convolved(Convolved),
}

/// The reason why a quantile is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// The probability is too small to be computed.
    #[error(transparent)]
    TooSmall(#[from] TooSmall),
    /// About 2^60 rolls or more would be needed.
    #[error("2^60 rolls or more would be needed, too many to be counted")]
    TooMany,
    /// No enclosure that was tried separates P(T > t) from the requested probability.
    #[error("P(T > {0}) is not known to differ from the probability: they may be equal")]
    Undecided(u64),
}

/// The maximum number of bits for counting the undecided nodes of one draw; beyond it, another
/// method is used.
const MAX_COUNTED_BITS: u64 = 1 << 14;
/// Fractions of up to this many bits are always computed exactly.
const SHORT_BITS: u64 = 1 << 10;
/// Fractions of up to this many bits are computed to decide a comparison.
const MAX_EXACT: u64 = 1 << 16;
/// The numbers of significant bits for a comparison, from the first attempt up to the maximum,
/// which is used only if both sides may be equal.
const COMPARISON_BITS: std::ops::Range<u64> = 40..1 << 13;

impl Law {
    /// Returns the law of this many draws in a row.
    ///
    /// # Panics
    /// If `count` is 0.
    ///
    /// ```
    /// use flipcost::prelude::*;
    /// use flipcost::number::Rational;
    /// let d6 = FAST_DICE_ROLLER.law(&Task::die(6, Source::COIN)?)?;
    /// let dice = d6.repeat(100);
    /// assert_eq!(dice.mean()?.to_string(), "1100/3");
    /// assert_eq!(dice.quantile_above(&Rational::new(1.into(), (1u64 << 40).into()))?, Some(488)); // 300 + 2 * 94
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repeat(&self, count: u64) -> Draws {
        Draws::from(self.clone()).repeat(count)
    }

    /// Returns the law of one draw with this law, followed by other draws.
    pub fn then(&self, others: impl Into<Draws>) -> Draws {
        Draws::from(self.clone()).then(others)
    }
}

/// Creates a single draw. Blocks that are accepted or rejected only at their ends become attempts.
impl From<Law> for Draws {
    fn from(law: Law) -> Draws {
        match law.0.attempts() {
            Some((accept, each)) => Draws::attempts(accept, each),
            None => Draws::from_parts(vec![(RepeatedDraw::Law(law), 1)]),
        }
    }
}

impl RepeatedDraw {
    fn is(&self, other: &RepeatedDraw) -> bool {
        match (self, other) {
            (RepeatedDraw::Law(a), RepeatedDraw::Law(b)) => Arc::ptr_eq(&a.0, &b.0),
            (
                RepeatedDraw::Attempts { accept, each },
                RepeatedDraw::Attempts {
                    accept: other,
                    each: others,
                },
            ) => accept == other && each == others,
            _ => false,
        }
    }

    fn mean(&self) -> Real {
        match self {
            RepeatedDraw::Law(law) => law.mean_real(),
            RepeatedDraw::Attempts { accept, each } => {
                Real::Exact(times(&accept.recip(), &BigInt::from(*each).into()))
            }
        }
    }

    /// The variance each^2 (1-p) / p^2.
    fn variance(&self) -> Real {
        match self {
            RepeatedDraw::Law(law) => law.variance_real(),
            RepeatedDraw::Attempts { accept, each } => {
                // q and q - p are prime to p, the numerator of p/q
                let (p, q) = (accept.numer(), accept.denom());
                let of_one = Rational::new_raw((q - p) * q, p * p);
                let square = BigInt::from(*each) * *each;
                Real::Exact(times(&of_one, &square.into()))
            }
        }
    }

    fn max(&self) -> Option<u64> {
        match self {
            RepeatedDraw::Law(law) => law.max(),
            RepeatedDraw::Attempts { accept, each } => accept.is_one().then_some(*each),
        }
    }

    /// Returns (b, k) such that the probability of each path of t rolls is a multiple of 1 /
    /// b^floor(t/k).
    fn denominator(&self) -> (BigUint, u64) {
        match self {
            RepeatedDraw::Law(law) => (law.undecided_nodes().1, 1),
            RepeatedDraw::Attempts { accept, each } => (accept.denom().magnitude().clone(), *each),
        }
    }
}

impl Draws {
    /// Creates one draw: attempts of `each` rolls are repeated until one is accepted; an attempt is
    /// accepted with probability `accept`.
    ///
    /// # Panics
    /// Unless 0 < accept <= 1 and each > 0.
    pub fn attempts(accept: Rational, each: u64) -> Draws {
        assert!(
            accept > Rational::zero() && accept <= Rational::one() && each > 0,
            "an attempt of a roll at least is accepted with a probability above 0"
        );
        Draws::from_parts(vec![(RepeatedDraw::Attempts { accept, each }, 1)])
    }

    fn from_parts(parts: Vec<(RepeatedDraw, u64)>) -> Draws {
        let method = match &parts[..] {
            [(RepeatedDraw::Attempts { accept, each }, count)] if !accept.is_one() => {
                TailMethod::Attempts(Trials::new(accept, *count), *each)
            }
            _ => TailMethod::Convolved(Convolved::new(parts.clone())),
        };
        Draws(Arc::new(DrawParts { parts, method }))
    }

    /// Returns these draws `count` times in a row.
    ///
    /// # Panics
    /// If `count` is 0, or if there are 2^64 draws or more.
    pub fn repeat(&self, count: u64) -> Draws {
        assert!(count > 0, "at least one draw");
        let times = |(draw, times): &(RepeatedDraw, u64)| {
            (
                draw.clone(),
                times.checked_mul(count).expect("fewer than 2^64 draws"),
            )
        };
        Draws::from_parts(self.0.parts.iter().map(times).collect())
    }

    /// Returns these draws, followed by others.
    ///
    /// # Panics
    /// If there are 2^64 draws or more.
    pub fn then(&self, others: impl Into<Draws>) -> Draws {
        Draws::all([self.clone(), others.into()])
    }

    /// Returns the draws of all these lists in a row.
    ///
    /// # Panics
    /// If there are no draws, or 2^64 draws or more.
    pub fn all(lists: impl IntoIterator<Item = Draws>) -> Draws {
        let mut parts: Vec<(RepeatedDraw, u64)> = Vec::new();
        for list in lists {
            for (draw, count) in &list.0.parts {
                match parts.iter_mut().find(|(known, _)| known.is(draw)) {
                    Some((_, known)) => {
                        *known = known.checked_add(*count).expect("fewer than 2^64 draws");
                    }
                    None => parts.push((draw.clone(), *count)),
                }
            }
        }
        assert!(!parts.is_empty(), "at least one draw");
        Draws::from_parts(parts)
    }

    /// The number of draws.
    pub fn count(&self) -> u64 {
        self.0.parts.iter().map(|(_, count)| count).sum()
    }

    /// The largest mean number of rolls of a draw whose probabilities must be listed one by one;
    /// memory is proportional to this mean. `None` if the tails have a closed form.
    pub fn listed_mean(&self) -> Option<Real> {
        if let TailMethod::Attempts(..) = self.0.method {
            return None;
        }
        let means = self.0.parts.iter().map(|(draw, _)| draw.mean());
        means.reduce(|a, b| match a.compare(&b) {
            Ok(Ordering::Less) => b,
            _ => a,
        })
    }

    /// The unit of T: the common unit of all laws, or rolls if the units differ.
    pub fn unit(&self) -> RollUnit {
        let unit = |(draw, _): &(RepeatedDraw, u64)| match draw {
            RepeatedDraw::Law(law) => law.unit(),
            RepeatedDraw::Attempts { .. } => RollUnit::Rolls,
        };
        let mut units = self.0.parts.iter().map(unit);
        let first = units.next().expect("at least one draw");
        if units.all(|unit| unit == first) {
            first
        } else {
            RollUnit::Rolls
        }
    }

    fn sum(&self, of: impl Fn(&RepeatedDraw) -> Real) -> Real {
        let many = |(draw, count): &(RepeatedDraw, u64)| of(draw).times(&Real::integer(*count));
        total(&self.0.parts.iter().map(many).collect::<Vec<_>>())
    }

    /// `E[T]`, the sum of the means of the draws, as a reduced fraction. Cost: as [`Law::mean`].
    ///
    /// # Errors
    /// The size of the mean of a draw, if it is above [`Law::MAX_BITS`] or unknown.
    pub fn mean(&self) -> Result<Rational, FractionSize> {
        self.mean_up_to(Law::MAX_BITS)
    }

    /// `E[T]` for any targets: exact if the means are exact ([`Law::mean_real`]) and the sum stays
    /// short, otherwise enclosed.
    pub fn mean_real(&self) -> Real {
        self.sum(RepeatedDraw::mean)
    }

    /// `Var[T]`, the sum of the variances of the draws, as a reduced fraction. Cost: as
    /// [`Law::variance`].
    ///
    /// # Errors
    /// The size of the mean of a draw, if it is above 2^20 bits or unknown.
    pub fn variance(&self) -> Result<Rational, FractionSize> {
        self.variance_up_to(Law::MAX_VARIANCE_BITS)
    }

    /// `Var[T]` for any targets: exact if the variances are exact ([`Law::variance_real`]) and the
    /// sum stays short, otherwise enclosed.
    pub fn variance_real(&self) -> Real {
        self.sum(RepeatedDraw::variance)
    }

    /// The standard deviation of T in rolls: exact if it is a short fraction.
    pub fn std_dev(&self) -> Real {
        self.variance_real().sqrt()
    }

    fn sum_up_to(
        &self,
        most_bits: u128,
        law: impl Fn(&Law, u128) -> Result<Rational, FractionSize>,
        of: impl Fn(&RepeatedDraw) -> Real,
    ) -> Result<Rational, FractionSize> {
        let mut parts = Vec::new();
        for (draw, count) in &self.0.parts {
            let one = match draw {
                RepeatedDraw::Law(known) => law(known, most_bits)?,
                attempts => of(attempts).exact().expect("a fraction").clone(),
            };
            parts.push(times(&one, &BigInt::from(*count).into()));
        }
        Ok(sum(&parts))
    }

    /// As [`Draws::mean`], with a given limit for the bits of the mean of a draw.
    ///
    /// # Errors
    /// The size of the mean that exceeds the limit.
    pub fn mean_up_to(&self, most_bits: u128) -> Result<Rational, FractionSize> {
        self.sum_up_to(most_bits, Law::mean_up_to, RepeatedDraw::mean)
    }

    /// As [`Draws::variance`], with a given limit for the bits of the mean of a draw.
    ///
    /// # Errors
    /// As [`Draws::mean_up_to`].
    pub fn variance_up_to(&self, most_bits: u128) -> Result<Rational, FractionSize> {
        self.sum_up_to(most_bits, Law::variance_up_to, RepeatedDraw::variance)
    }

    /// The largest T of positive probability; `None` if T is unbounded.
    pub fn max(&self) -> Option<u64> {
        let parts = self.0.parts.iter();
        let parts = parts.map(|(draw, count)| draw.max()?.checked_mul(*count));
        parts.sum()
    }

    /// Returns the least T of positive probability, and a step: every possible T exceeds the least
    /// by a multiple of the step, except for values that are too unlikely to be listed.
    fn lattice(&self) -> (u64, u64) {
        match &self.0.method {
            TailMethod::Attempts(trials, each) => (trials.successes().saturating_mul(*each), *each),
            TailMethod::Convolved(law) => law.lattice(),
        }
    }

    /// P(T > t) as a fraction, if it is known without computation.
    fn known_survival(&self, t: u64) -> Option<Rational> {
        if self.max().is_some_and(|worst| t >= worst) {
            return Some(Rational::zero());
        }
        if let [(RepeatedDraw::Law(law), 1)] = &self.0.parts[..] {
            let (mut undecided, base) = law.undecided_nodes();
            if base.bits().saturating_mul(t) <= MAX_COUNTED_BITS {
                let nodes = undecided.nth(t as usize).expect("the counts never end");
                let all = num_traits::pow(base, t as usize);
                return Some(Rational::new(nodes.into(), all.into()));
            }
        }
        (t < self.lattice().0).then(Rational::one)
    }

    /// The smaller of P(T > t) and P(T <= t); t must be at least the least number of rolls.
    fn side(&self, t: u64, bits: u64) -> Result<Side, TooSmall> {
        match &self.0.method {
            TailMethod::Attempts(trials, each) => Ok(trials.side(t / each, bits)),
            TailMethod::Convolved(law) => law.side(t, bits),
        }
    }

    /// A number D for which P(T > t) is a multiple of 1/D, if D has at most `most_bits` bits. The
    /// probability of a path through t rolls has at most t / k factors, where k is the least number
    /// of rolls for a factor.
    fn denominator(&self, t: u64, most_bits: u64) -> Option<BigUint> {
        let (mut all, mut fewest) = (BigUint::one(), u64::MAX);
        for (draw, _) in &self.0.parts {
            let (base, each) = draw.denominator();
            if base.bits() > most_bits {
                return None;
            }
            all = all.lcm(&base);
            fewest = fewest.min(each);
        }
        let factors = t / fewest;
        let short = all.bits().saturating_mul(factors) <= most_bits;
        short.then(|| num_traits::pow(all, factors as usize))
    }

    /// P(T > t) as a fraction: the only multiple of 1/D between the bounds.
    fn exact(&self, t: u64, denominator: BigUint) -> Result<Rational, TooSmall> {
        if let Some(known) = self.known_survival(t) {
            return Ok(known);
        }
        let of = |side: Scaled| {
            let (low, unit) = (&side.low * &denominator, side.exponent);
            let i = flipcost_number::scaled::shifted_up(&low, unit);
            debug_assert!(
                i <= flipcost_number::scaled::shifted_down(&(&side.high * &denominator), unit)
            );
            Rational::new(i.into(), denominator.clone().into())
        };
        Ok(match self.side(t, denominator.bits() + 2)? {
            Side::Above(side) => of(side),
            Side::Below(side) => Rational::one() - of(side),
        })
    }

    /// P(T > t): exact if the fraction is short, otherwise enclosed. Cost: as [`Draws::log2_sf`].
    ///
    /// # Errors
    /// If the probability is smaller than 2^-262144.
    ///
    /// ```
    /// use flipcost::law::Draws;
    /// // two heads: P(T > 3) = 4 / 2^3
    /// let heads = Draws::attempts("1/2".parse()?, 1).repeat(2);
    /// assert_eq!(heads.sf(3)?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sf(&self, t: u64) -> Result<Real, TooSmall> {
        if let Some(known) = self.sf_up_to(t, SHORT_BITS)? {
            return Ok(Real::Exact(known));
        }
        let (Side::Above(near) | Side::Below(near)) = self.side(t, 8)?;
        let zeros = u64::try_from(-near.exponent - i128::from(near.high.bits())).unwrap_or(0);
        let draws = self.clone();
        Ok(Real::cached(move |bits| {
            // The tail is below 2^-zeros.
            let significant = (bits + 2).saturating_sub(zeros).max(8);
            match draws.side(t, significant).expect("it is not too small") {
                Side::Above(side) => side.fixed(bits + 2),
                Side::Below(side) => {
                    let one = Scaled::one().fixed(bits + 2);
                    one.minus(&side.fixed(bits + 2))
                }
            }
        }))
    }

    /// P(T > t) as a reduced fraction; `None` if the denominators of t rolls have more than
    /// `most_bits` bits. Cost: as [`Draws::log2_sf`] with that many bits.
    ///
    /// # Errors
    /// If the probability is smaller than 2^-262144.
    pub fn sf_up_to(&self, t: u64, most_bits: u64) -> Result<Option<Rational>, TooSmall> {
        if let Some(known) = self.known_survival(t) {
            return Ok(Some(known));
        }
        let denominator = self.denominator(t, most_bits);
        denominator
            .map(|denominator| self.exact(t, denominator))
            .transpose()
    }

    /// log2 P(T > t); `None` if P is 0.
    ///
    /// Cost, for K draws and a precision of b bits: for one draw as [`Law::undecided_nodes`]; for
    /// attempts K products and quotients by a word. Otherwise it takes the law of one draw up to
    /// the point where its tail is as small as P, and log2 K products of lists. The length of a
    /// list is about 10 sqrt(b K) standard deviations of one draw, and each term has twice b + log2
    /// K bits.
    ///
    /// # Errors
    /// If P is smaller than 2^-262144.
    pub fn log2_sf(&self, t: u64) -> Result<Option<Real>, TooSmall> {
        let known = self.known_survival(t);
        if known.as_ref().is_some_and(Zero::is_zero) {
            return Ok(None);
        }
        if known.as_ref().is_some_and(One::is_one) {
            return Ok(Some(Real::integer(0)));
        }
        if known.is_none() {
            self.side(t, 8)?;
        }
        let draws = self.clone();
        let side = move |bits| match &known {
            Some(exact) => Side::Above(Scaled::from_rational(exact, bits)),
            None => draws.side(t, bits).expect("it is not too small"),
        };
        Ok(Some(Real::cached(move |bits| match side(bits + 3) {
            Side::Above(side) => side.log2(bits + 3).expect("it is above 0"),
            Side::Below(_) => log2_of_rest(bits, &side),
        })))
    }

    /// Compares P(T > t) with a probability above 0.
    fn compare(&self, t: u64, p: &Rational) -> Result<Ordering, LevelError> {
        if let Some(known) = self.known_survival(t) {
            return Ok(known.cmp(p));
        }
        let rest = Rational::one() - p;
        let mut bits = COMPARISON_BITS.start;
        let mut exact = None;
        loop {
            let order = match self.side(t, bits)? {
                Side::Above(side) => side.compare(p),
                Side::Below(side) => side.compare(&rest).map(Ordering::reverse),
            };
            if let Some(order) = order {
                return Ok(order);
            }
            let exact = exact.get_or_insert_with(|| self.denominator(t, MAX_EXACT));
            if let Some(denominator) = exact.take() {
                let divided = (&denominator % p.denom().magnitude()).is_zero();
                if divided {
                    return Ok(self.exact(t, denominator)?.cmp(p));
                }
            }
            if bits >= COMPARISON_BITS.end {
                return Err(LevelError::Undecided(t));
            }
            bits *= 2;
        }
    }

    /// P(T <= t): exact if the fraction is short, otherwise enclosed. Cost: as [`Draws::log2_sf`].
    ///
    /// # Errors
    /// As [`Draws::sf`].
    pub fn cdf(&self, t: u64) -> Result<Real, TooSmall> {
        Ok(Real::integer(1).minus(&self.sf(t)?))
    }

    /// P(T = t): exact if the fraction is short, otherwise enclosed. Cost: twice that of
    /// [`Draws::log2_sf`].
    ///
    /// # Errors
    /// As [`Draws::sf`].
    pub fn pmf(&self, t: u64) -> Result<Real, TooSmall> {
        let before = t
            .checked_sub(1)
            .map(|before| self.cdf(before))
            .transpose()?;
        Ok(self.cdf(t)?.minus(&before.unwrap_or(Real::integer(0))))
    }

    /// The least t with P(T <= t) >= q; `None` if q = 1 and T is unbounded, or q > 1. Cost: as
    /// [`Draws::quantile_above`].
    ///
    /// # Errors
    /// As [`Draws::quantile_above`], with p = 1 - q.
    pub fn quantile(&self, q: &Rational) -> Result<Option<u64>, LevelError> {
        let p = Rational::one() - q;
        if p < Rational::zero() {
            Ok(None)
        } else {
            self.quantile_above(&p)
        }
    }

    /// The least t with P(T > t) <= p; for a quantile close to 1, p is easier to write than 1 - p.
    /// `None` if p = 0 and T is unbounded. The comparisons are decided by enclosures, or by exact
    /// fractions if both sides may be equal. Cost: a few times that of [`Draws::log2_sf`] at the
    /// result.
    ///
    /// # Errors
    /// If p is above 0 and below 2^-262144, if t is above 2^60, or if no enclosure that was tried
    /// separates p from P(T > t).
    pub fn quantile_above(&self, p: &Rational) -> Result<Option<u64>, LevelError> {
        if *p <= Rational::zero() {
            return Ok(self.max());
        }
        if *p >= Rational::one() {
            return Ok(Some(0));
        }
        let level = -Scaled::from_rational(p, 64).about_log2();
        if level > MAX_BITS as f64 {
            return Err(TooSmall.into());
        }
        self.search_quantile(p, level).map(Some)
    }

    fn search_quantile(&self, p: &Rational, level: f64) -> Result<u64, LevelError> {
        let (first, step) = self.lattice();
        let (mut low, mut high) = match self.search_lattice((first, step), p, level)? {
            0 => return Ok(first),
            place => (first + (place - 1) * step, first + place * step),
        };
        // Between lattice points T has probability 0, except for probabilities that were too small
        // to be listed.
        if step > 1
            && !matches!(self.0.method, TailMethod::Attempts(..))
            && self.compare(high - 1, p)?.is_le()
        {
            while low + 1 < high {
                let middle = low.midpoint(high);
                if self.compare(middle, p)?.is_le() {
                    high = middle
                } else {
                    low = middle
                }
            }
        }
        Ok(high)
    }

    /// Finds the first lattice point t with P(T > t) <= p, counted in steps above the least number
    /// of rolls. Searches by secants of log2 P(T > t), between a t that is known to be too small
    /// and a t that is known to be large enough.
    fn search_lattice(
        &self,
        (first, step): (u64, u64),
        p: &Rational,
        level: f64,
    ) -> Result<u64, LevelError> {
        let about = match &self.0.method {
            TailMethod::Attempts(trials, each) => {
                trials.estimate_quantile(level).saturating_mul(*each)
            }
            TailMethod::Convolved(law) => law.estimate_quantile(level),
        };
        let furthest = ((1 << 61) - first.min(1 << 60)) / step;
        // These are the largest place known to be too small, and the least known to be large
        // enough.
        let (mut low, mut high) = (None::<u64>, None::<u64>);
        let mut place = about.saturating_sub(first) / step;
        let mut jump = 1u64;
        // The previous t, and the number of bits by which its tail is above p.
        let mut before: Option<(u64, f64)> = None;
        let mut secants = 0;
        loop {
            if first >> 60 > 0 || place >= furthest {
                return Err(LevelError::TooMany);
            }
            let above = self.log_ratio_estimate(first + place * step, p)?;
            if self.compare(first + place * step, p)?.is_le() {
                high = Some(place)
            } else {
                low = Some(place)
            }
            match (low, high) {
                (_, Some(0)) => break,
                (Some(low), Some(high)) if low + 1 == high => break,
                _ => {}
            }
            let secant = before.and_then(|(other, then)| {
                let slope = (above - then) / (place as f64 - other as f64);
                let next = place as f64 - above / slope;
                (slope < 0.0 && next.is_finite() && secants < 24).then_some(next.max(0.0))
            });
            before = Some((place, above));
            secants += 1;
            let next = match secant {
                // Try just beyond the estimate, so that both sides of the quantile are found.
                Some(next) => {
                    if above > 0.0 {
                        next.ceil() as u64
                    } else {
                        next.floor() as u64
                    }
                }
                None => {
                    let jumped = if above > 0.0 {
                        place.saturating_add(jump)
                    } else {
                        place.saturating_sub(jump)
                    };
                    jump = jump.saturating_mul(4);
                    jumped
                }
            };
            place = match (low, high) {
                (Some(low), Some(high)) if secants >= 24 => low.midpoint(high),
                (Some(low), Some(high)) => next.clamp(low + 1, high - 1),
                (Some(low), None) => next.max(low + 1),
                (None, Some(high)) => next.min(high - 1),
                (None, None) => next,
            };
        }
        Ok(high.expect("it was found"))
    }

    /// Estimates log2 (P(T > t) / p); below the mean it uses odds instead of probabilities.
    fn log_ratio_estimate(&self, t: u64, p: &Rational) -> Result<f64, TooSmall> {
        if let Some(known) = self.known_survival(t) {
            return Ok(if known.is_zero() {
                -1.0
            } else {
                (known / p).to_f64().map_or(1.0, f64::log2)
            });
        }
        let over = |side: Scaled, p: Rational| {
            side.times(&Scaled::from_rational(&p.recip(), 96), 96)
                .about_log2()
        };
        Ok(match self.side(t, COMPARISON_BITS.start)? {
            Side::Above(side) => over(side, p.clone()),
            Side::Below(side) => -over(side, Rational::one() - p),
        })
    }

    /// E[ceil((T + offset) / block)]: the expected number of blocks of rolls that are used, if
    /// `offset` rolls of the first block are lost. With U = (-(T + offset)) mod block, the unused
    /// rolls of the last block, this is `(E[T] + offset + E[U]) / block`. Cost: for K draws, log2 K
    /// products of lists of `block` terms.
    ///
    /// # Panics
    /// If `block` is 0.
    ///
    /// ```
    /// use flipcost::law::Draws;
    /// let accept: flipcost::number::Rational = "3329/4096".parse()?;
    /// let draws = Draws::attempts(accept, 1).repeat(256);
    /// assert_eq!(draws.expected_blocks(2, 0).decimals(8)?, "157.74113848");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_blocks(&self, block: u64, offset: u64) -> Real {
        assert!(block > 0, "a block has a roll");
        let used = self.mean_real().plus(&Real::integer(offset));
        if block == 1 {
            return used;
        }
        let law = Convolved::new(self.0.parts.clone());
        let unused = Real::cached(move |bits| law.unused(block, offset, bits).fixed(bits + 2));
        used.plus(&unused).over(&Real::integer(block))
    }
}

/// Encloses log2 (1 - x) to within 2^-bits. `side` returns the tail x with a given number of
/// significant bits.
fn log2_of_rest(bits: u64, side: &impl Fn(u64) -> Side) -> Enclosure {
    let mut work = bits + 4;
    loop {
        let rest = match side(work) {
            Side::Below(x) => {
                let x = x.fixed(work);
                let one = BigInt::one() << work;
                let end = |x: BigInt| (&one - x).to_biguint();
                end(x.high.clone())
                    .zip(end(x.low))
                    .map(|(low, high)| Scaled {
                        low,
                        high,
                        exponent: -i128::from(work),
                    })
            }
            Side::Above(x) => Some(x),
        };
        let log = rest.and_then(|rest| rest.log2(bits + 3));
        if let Some(log) = log.filter(|log| log.is_within(bits)) {
            return log;
        }
        work += 32 + work / 2;
    }
}

#[cfg(test)]
mod tests;
