//! Exact laws of T, the number of source rolls that an algorithm uses.
//!
//! Everything follows from the survival sequence P(T > t) = s(t) / m^t, where s(t) counts the
//! undecided nodes at depth t of the algorithm's decision tree:
//!
//! ```text
//! E[T]   = sum_{t>=0} P(T > t)
//! E[T^2] = sum_{t>=0} (2t+1) P(T > t)
//! P(T = t) = P(T > t-1) - P(T > t)
//! ```
//!
//! Seven kinds of law are enough: `Blocks` (a head, then blocks that may start again), `Residues`
//! (s(t) = m^t mod n, or for weights the sum of such residues), `Stages` (a die, then a coin that
//! depends on its face), [`Chain`] (any finite absorbing Markov chain, solved exactly), `Doubling`
//! (an infinite product, for a coin of unknown bias), `Cuts` (the interval algorithm for a loaded
//! source) and `Words` (a rule that takes its flips from the bits of words). The outcomes of an
//! algorithm have their own law, an [`OutcomeLaw`]; a [`Bias`] compares it with the target.
//! `FaceCounts` tests from its rolls whether a die is fair.
//!
//! The first two lines are the sums of 1 and of (t+1)^2 - t^2 = 2t+1 over all t < T. The tree is
//! the DDG tree of Knuth & Yao 1976, who treat a coin; here a node has m branches. The first line
//! is machine-checked for every tree: `proofs/Trees.v, mean_is_sum_of_survival`.

pub(crate) mod bias;
pub(crate) mod blocks;
pub(crate) mod chain;
mod chain_law;
mod compare;
mod cuts;
#[cfg(feature = "statistics")]
mod detection;
mod doubling;
mod draws;
mod fundamental;
mod generating;
mod lifting;
mod moments;
pub(crate) mod outcomes;
pub(crate) mod residues;
mod stages;
mod unknown;
mod weighted;
mod words;

pub use bias::Bias;
pub use bias::log2;
pub(crate) use bias::surprise;
pub(crate) use blocks::Blocks;
pub use chain::{Branch, Chain, ChainError, ChainState, Fundamental, Next, Step, TooLarge};
pub(crate) use cuts::{CutInterval, Cuts, face_ends, max_followed_rolls};
#[cfg(feature = "statistics")]
pub use detection::{Detection, chi_square_tail};
pub(crate) use doubling::Doubling;
pub use draws::{Draws, LevelError, TooSmall};
pub use outcomes::{DoubleBounds, widths};
pub use outcomes::{OutcomeClass, OutcomeError, OutcomeLaw};
pub(crate) use residues::Residues;
pub(crate) use stages::Stages;
pub(crate) use unknown::unknown_faces;
pub use unknown::{CostFormula, UnknownLaw};
pub(crate) use words::Words;

use crate::task::RollUnit;
use flipcost_number::Real;
use flipcost_number::budget::spend_on;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::any::Any;
use std::fmt;
use std::panic::RefUnwindSafe;
use std::sync::Arc;

/// The exact law of the number of source rolls of an algorithm.
///
/// ```
/// use flipcost::prelude::*;
/// let law = FAST_DICE_ROLLER.law(&Task::die(6, Source::COIN)?)?;
/// assert_eq!(law.mean()?.to_string(), "11/3");
/// assert_eq!((law.variance()?.to_string(), law.std_dev().to_string()), ("16/9".into(), "4/3".into()));
/// let survival: Vec<String> = law.survival().take(6).map(|p| p.to_string()).collect();
/// assert_eq!(survival, ["1", "1", "1", "1/4", "1/4", "1/16"]); // P(T > t), t = 0, 1, ...
/// assert_eq!((law.quantile(&"9/10".parse()?), law.max()), (Some(5), None));
/// assert_eq!(law.to_string(), "mean 11/3, standard deviation 4/3, unbounded, in flips");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Law(Arc<dyn LawKind>);

/// The values that each kind of law computes. The methods of [`Law`] with the same names document
/// these values and their cost.
pub(crate) trait LawKind: Any + Send + Sync + RefUnwindSafe {
    fn unit(&self) -> RollUnit;
    fn undecided_nodes(&self) -> Box<dyn Iterator<Item = BigUint> + '_>;
    /// The base: P(T > t) is the number of undecided nodes of depth t divided by base^t.
    fn base(&self) -> BigUint;
    fn worst_case(&self) -> Option<u64>;
    fn size(&self) -> FractionSize;

    fn mean(self: Arc<Self>) -> Real {
        let [mean, ..] = self.moments();
        mean
    }

    fn mean_of_long(self: Arc<Self>) -> Real {
        self.mean()
    }

    fn second_moment(self: Arc<Self>) -> Real {
        let [_, second, ..] = self.moments();
        second
    }

    fn variance(self: Arc<Self>) -> Real {
        let mean = self.clone().mean();
        self.second_moment().minus(&mean.times(&mean))
    }

    /// `E[T]`, ..., `E[T^4]`.
    fn moments(self: Arc<Self>) -> [Real; 4];

    fn exact_mean(&self) -> Result<Rational, FractionSize> {
        Err(self.size())
    }

    fn exact_moments(&self) -> Result<(Rational, Rational), FractionSize> {
        Err(self.size())
    }

    fn exact_variance(&self) -> Result<Rational, FractionSize> {
        let (mean, second) = self.exact_moments()?;
        Ok(second - &mean * &mean)
    }

    /// `E[T^j]`, j = 0, ..., 4.
    fn exact_powers(&self) -> Result<[Rational; 5], FractionSize> {
        Err(self.size())
    }

    /// `E[z^T]`, 0 < z < 1.
    fn generating_function(&self, _z: &Rational) -> Result<Rational, FractionSize> {
        Err(self.size())
    }

    fn has_fraction(&self) -> bool {
        true
    }

    fn unsettled(&self) -> Option<u64> {
        None
    }

    /// If every block is decided only at its end: the probability that a block is accepted, and its
    /// number of rolls.
    fn attempts(&self) -> Option<(Rational, u64)> {
        None
    }

    fn in_bits(&self, _bits: u32) -> Option<Law> {
        None
    }

    /// E[N] and E[N^2] of N = ceil(T / bits), if they are known exactly.
    fn moments_of_words(&self, _bits: u32) -> Option<(Rational, Rational)> {
        None
    }

    fn name(&self) -> &'static str {
        std::any::type_name::<Self>()
    }

    /// Whether the other law is of the same kind with the same numbers.
    fn is_same(&self, other: &dyn Any) -> bool;

    /// The probabilities P(T > t) satisfy a linear recurrence of this order, if it is known.
    fn order(&self) -> Option<u128> {
        None
    }
}

/// Converts each kind of law into a [`Law`].
macro_rules! convert_kinds {
    ($($kind:ident)*) => {$(
        impl From<$kind> for Law {
            fn from(kind: $kind) -> Law {
                Law(Arc::new(kind))
            }
        }
    )*};
}

convert_kinds!(Blocks Residues Stages Chain Doubling Cuts Words);

/// The approximate size of an exact fraction; see [`Law::size`].
///
/// ```
/// use flipcost::law::FractionSize;
/// use flipcost::prelude::*;
/// let task = Task::new(Target::uniform(1_000_003u32)?, Source::COIN);
/// let law = FAST_DICE_ROLLER.law(&task)?;
/// assert!(matches!(law.size(), FractionSize::Bits(bits) if bits > 1_000_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum FractionSize {
    /// Numerator and denominator have at most about this many bits each; saturates at `u128::MAX`.
    Bits(u128),
    /// The period of the law is unknown, because finding it would require factoring a large number.
    Unknown,
    /// The value is an infinite product that is not known as a fraction.
    Product,
    /// The value is an infinite sum that is not known as a fraction.
    Sum,
}

/// The maximum number of bits of a fraction that is written; longer fractions are not written even
/// if they are requested.
const MAX_WRITTEN: u128 = 1 << 34;
/// The end of a message about a fraction with more than `MAX_WRITTEN` bits.
pub const TOO_MANY: &str = ", too many to be written";

/// Writes the size: `the exact fraction would have about 1000002 bits (301030 digits) in numerator
/// and denominator each`. With `#`, as in `{:#}`, the subject is left out.
impl fmt::Display for FractionSize {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if !f.alternate() {
            f.write_str("the exact fraction ")?;
        }
        match self {
            FractionSize::Unknown => f.write_str(
                "would have a denominator of an unknown number of bits: its period needs the prime \
                 factors of n, which were not found",
            ),
            FractionSize::Sum => f.write_str("is an infinite sum, and no fraction is known"),
            FractionSize::Product => {
                f.write_str("is an infinite product or a limit, and no fraction is known")
            }
            FractionSize::Bits(u128::MAX) => {
                write!(f, "would have more than 2^128 bits{TOO_MANY}")
            }
            FractionSize::Bits(bits) => {
                // log10 2 = 0.30102999566...
                const SCALE: u128 = 100_000_000_000;
                const LOG: u128 = 30_102_999_566;
                let digits = bits / SCALE * LOG + bits % SCALE * LOG / SCALE;
                write!(
                    f,
                    "would have about {bits} bits ({digits} digits) in numerator and denominator each"
                )?;
                if *bits > MAX_WRITTEN {
                    f.write_str(TOO_MANY)?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for FractionSize {}

/// P(T > t), from the number of undecided nodes at depth t.
fn survival_fraction(nodes: BigUint, base: &BigUint, t: u64) -> Rational {
    if nodes.is_zero() {
        return Rational::zero();
    }
    Rational::new(
        nodes.into(),
        num_traits::pow(base.clone(), t as usize).into(),
    )
}

impl Law {
    /// The law of a rule that works in blocks and starts again after a rejected block, for a source
    /// of m sides. `head[t]` nodes of the decision tree are undecided after t rolls, for t below
    /// the length t0 of the head. The first blocks start at depth t0: `alive[i]` nodes of all these
    /// blocks together are undecided i rolls later. For each (i, r) in `returns`, r nodes of one
    /// block start the next block after its i rolls. The caller must prove that this is the law of
    /// the rule's steps. Cost: nothing.
    ///
    /// ```
    /// use flipcost::law::Law;
    /// // a d6 from a coin by rejection: blocks of 3 flips, 2 of the 8 results start a new block
    /// let law = Law::blocks(2u8, vec![], [1u8, 2, 4].map(Into::into).to_vec(), vec![(3, 2u8.into())]);
    /// assert_eq!((law.mean()?.to_string().as_str(), law.max()), ("4", None));
    /// # Ok::<(), flipcost::Error>(())
    /// ```
    pub fn blocks(
        source: impl Into<BigUint>,
        head: Vec<BigUint>,
        alive: Vec<BigUint>,
        returns: Vec<(usize, BigUint)>,
    ) -> Law {
        Blocks::new(source, head, alive, returns).into()
    }

    /// Creates a law from a kind that other laws share.
    pub(crate) fn shared(kind: Arc<impl LawKind + 'static>) -> Law {
        Law(kind)
    }

    /// The unit of T: flips of a coin, words of random bits, or rolls (also for several dice).
    pub fn unit(&self) -> RollUnit {
        self.0.unit()
    }

    /// P(T > t) as (numerators, base): the t-th numerator, which is the number of undecided nodes
    /// of depth t, is divided by base^t. Cost of term t: a few products of O(t log base) bits
    /// (blocks, a [`Chain`]), or one division of numbers as long as n (residues).
    pub fn undecided_nodes(&self) -> (Box<dyn Iterator<Item = BigUint> + '_>, BigUint) {
        (self.0.undecided_nodes(), self.0.base())
    }

    /// P(T > t) for t = 0, 1, 2, ... as reduced fractions. Cost of term t: one gcd of O(t log m)
    /// bits.
    pub fn survival(&self) -> impl Iterator<Item = Rational> + '_ {
        let (undecided, base) = self.undecided_nodes();
        let (base, mut scale) = (BigInt::from(base), BigInt::one());
        undecided.map(move |s| {
            let probability = Rational::new(s.into(), scale.clone());
            scale *= &base;
            probability
        })
    }

    /// The maximum number of bits of a mean that [`Law::mean`] computes, about five million digits.
    /// For every fair die of up to 16 million sides from a coin, the mean is shorter.
    pub const MAX_BITS: u128 = 1 << 24;

    /// If the upper bound of the bits of a mean is at most this, the mean is always computed,
    /// because it may be shorter than the bound.
    pub(crate) const MAX_TRIED_BITS: u128 = 1 << 9;

    /// The maximum number of bits of the mean for which [`Law::variance`], which takes longer, is
    /// computed. It suffices for every fair die of up to a million sides from a coin.
    pub(crate) const MAX_VARIANCE_BITS: u128 = 1 << 20;

    /// `E[T]` in source rolls, as a reduced fraction.
    ///
    /// ```
    /// use flipcost::law::FractionSize;
    /// use flipcost::prelude::*;
    /// let mean = |n: u64| FAST_DICE_ROLLER.law(&Task::die(n, Source::COIN)?)?.mean().map_err(flipcost::Error::from);
    /// assert_eq!(mean(6)?.to_string(), "11/3");
    /// let long = mean(1_000_000_000_000_000_003).unwrap_err();
    /// assert!(matches!(long, flipcost::Error::Fraction(FractionSize::Bits(bits)) if bits > 10u128.pow(16)));
    /// # Ok::<(), flipcost::Error>(())
    /// ```
    ///
    /// Cost, where b is the number of bits of [`Law::size`]: O(b^2) bit operations at worst, or one
    /// elimination of a [`Chain`]. From a coin it takes 0.4 s for n = 10^7.
    ///
    /// # Errors
    /// The size of the fraction, if it is above [`Law::MAX_BITS`] or unknown; [`Law::mean_real`]
    /// gives decimals even then.
    pub fn mean(&self) -> Result<Rational, FractionSize> {
        self.mean_up_to(Law::MAX_BITS)
    }

    /// As [`Law::mean`], with a given limit on the bits of the fraction. The fraction is computed
    /// if [`Law::size`], which is an upper bound, is at most `MAX_TRIED_BITS` or the limit.
    ///
    /// # Errors
    /// The size of the fraction, if it is larger or unknown; some infinite sums and products are
    /// not known as fractions.
    pub fn mean_up_to(&self, most_bits: u128) -> Result<Rational, FractionSize> {
        match self.size() {
            FractionSize::Bits(bits) if bits > most_bits.max(Law::MAX_TRIED_BITS) => {
                Err(FractionSize::Bits(bits))
            }
            _ => {
                let mean = self.0.exact_mean()?;
                match u128::from(mean.denom().bits()) {
                    bits if bits <= most_bits => Ok(mean),
                    bits => Err(FractionSize::Bits(bits)),
                }
            }
        }
    }

    /// `E[T]` for any target: exact if the fraction is short, otherwise enclosed as narrowly as
    /// requested. Cost: nothing at first; an enclosure within 2^-bits takes O(log n + bits) rolls.
    pub fn mean_real(&self) -> Real {
        self.0.clone().mean()
    }

    /// `E[T]` without a search for a short fraction, which would require factoring n. It is meant
    /// for sums of many means, which need only enclosures.
    pub fn mean_enclosed(&self) -> Real {
        self.0.clone().mean_of_long()
    }

    /// `E[T^2]`.
    #[cfg(test)]
    pub(crate) fn second_moment(&self) -> Result<Rational, FractionSize> {
        self.fraction_up_to(Law::MAX_VARIANCE_BITS, |kind| Ok(kind.exact_moments()?.1))
    }

    /// `E[T^2]` for any target; see [`Law::mean_real`].
    #[cfg(test)]
    pub(crate) fn second_moment_real(&self) -> Real {
        self.0.clone().second_moment()
    }

    /// `Var[T]` = `E[T^2]` - `E[T]^2` in source rolls squared, as a reduced fraction. Cost: O(b^2)
    /// bit operations, where b is the number of bits of [`Law::size`].
    ///
    /// # Errors
    /// The size of the mean, if it is above 2^20 bits or unknown; the variance takes twice as many
    /// bits.
    pub fn variance(&self) -> Result<Rational, FractionSize> {
        self.variance_up_to(Law::MAX_VARIANCE_BITS)
    }

    /// As [`Law::variance`], with a given limit on the bits of the mean.
    ///
    /// # Errors
    /// The size of the mean, if it is larger or unknown.
    pub fn variance_up_to(&self, most_bits: u128) -> Result<Rational, FractionSize> {
        self.fraction_up_to(most_bits, |kind| kind.exact_variance())
    }

    /// `Var[T]` for any target; see [`Law::mean_real`].
    pub fn variance_real(&self) -> Real {
        self.0.clone().variance()
    }

    /// The standard deviation of T in source rolls: exact if it is a short fraction.
    pub fn std_dev(&self) -> Real {
        self.variance_real().sqrt()
    }

    /// Computes another fraction of the law, if [`Law::size`] is at most `most_bits`.
    fn fraction_up_to<T>(
        &self,
        most_bits: u128,
        fraction: impl Fn(&dyn LawKind) -> Result<T, FractionSize>,
    ) -> Result<T, FractionSize> {
        match self.size() {
            FractionSize::Bits(bits) if bits <= most_bits => fraction(&*self.0),
            size => Err(size),
        }
    }

    /// P(T > t) as a reduced fraction, of up to t log2 m bits. Cost: the first t terms of
    /// [`Law::undecided_nodes`]; for many t in a row use [`Law::survival`].
    ///
    /// ```
    /// use flipcost::prelude::*;
    /// let law = FAST_DICE_ROLLER.law(&Task::die(6, Source::COIN)?)?;
    /// let three = [law.pmf(3), law.cdf(3), law.sf(3)].map(|p| p.to_string());
    /// assert_eq!(three, ["3/4", "3/4", "1/4"]);
    /// # Ok::<(), flipcost::Error>(())
    /// ```
    pub fn sf(&self, t: u64) -> Rational {
        if self.max().is_some_and(|most| t >= most) {
            return Rational::zero();
        }
        let (mut undecided, base) = self.undecided_nodes();
        let nodes = (undecided.nth(t as usize)).expect("the counts never end");
        survival_fraction(nodes, &base, t)
    }

    /// log2 P(T > t); `None` if P is 0. Cost: as [`Law::sf`].
    pub fn log2_sf(&self, t: u64) -> Option<Real> {
        let p = self.sf(t);
        (!p.is_zero()).then(|| log2(&p))
    }

    /// P(T <= t) as a reduced fraction. Cost: as [`Law::sf`].
    pub fn cdf(&self, t: u64) -> Rational {
        Rational::one() - self.sf(t)
    }

    /// P(T = t) as a reduced fraction. Cost: as [`Law::sf`].
    pub fn pmf(&self, t: u64) -> Rational {
        let Some(before) = t.checked_sub(1) else {
            return self.cdf(0);
        };
        if self.max().is_some_and(|most| t > most) {
            return Rational::zero();
        }
        let (mut undecided, base) = self.undecided_nodes();
        let mut next = |n: u64| undecided.nth(n as usize).expect("the counts never end");
        let all = next(before) * &base;
        survival_fraction(all - next(0), &base, t)
    }

    /// The number of bits of the exact mean (the variance has twice as many).
    ///
    /// For blocks and residues this is an upper bound, known before the mean is computed: from the
    /// lengths of head and block, or from the period. Cost: nothing, or factoring the target once.
    /// For a [`Chain`] no such bound is known: the mean is computed and kept, and the size is that
    /// of its denominator.
    pub fn size(&self) -> FractionSize {
        self.0.size()
    }

    /// Whether the mean is known as a fraction, not only as an infinite sum or product.
    pub(crate) fn has_fraction(&self) -> bool {
        self.0.has_fraction()
    }

    /// If [`Law::max`] is `None` although T may be bounded, returns the number of rolls after which
    /// the search for a bound was given up; only the interval algorithm for a loaded source has
    /// such laws.
    pub fn unsettled(&self) -> Option<u64> {
        self.0.unsettled()
    }

    /// The largest T of positive probability; `None` if T is unbounded. Cost: a visit to every
    /// branch of a [`Chain`] or every depth of blocks, or O(log n) divisions of numbers as long as
    /// n.
    pub fn max(&self) -> Option<u64> {
        self.0.worst_case()
    }

    /// The law of the same rule if each face of a source with 2^bits sides is made from single
    /// flips; `None` except for [blocks](Law::blocks).
    pub fn in_bits(&self, bits: u32) -> Option<Law> {
        self.0.in_bits(bits)
    }

    /// The least t with P(T <= t) >= q; `None` if q = 1 and T is unbounded, or q > 1. Cost: the
    /// first t terms of [`Law::undecided_nodes`].
    pub fn quantile(&self, q: &Rational) -> Option<u64> {
        (self.quantile_while(q, &mut |_| true)).expect("it was not stopped")
    }

    /// The least t with P(T > t) <= p; for a quantile close to 1, p is easier to write than 1 - p.
    /// `None` if p = 0 and T is unbounded, or p < 0. Cost: as [`Law::quantile`].
    ///
    /// ```
    /// use flipcost::prelude::*;
    /// let law = FAST_DICE_ROLLER.law(&Task::die(6, Source::COIN)?)?;
    /// let rare = Rational::new(1.into(), (1u64 << 40).into());
    /// assert_eq!(law.quantile_above(&rare), Some(41)); // P(T > 41) = 4^-20
    /// assert_eq!(law.log2_sf(41).unwrap(), -40);
    /// # Ok::<(), flipcost::Error>(())
    /// ```
    pub fn quantile_above(&self, p: &Rational) -> Option<u64> {
        if *p < Rational::zero() {
            return None;
        }
        (self.quantile_above_while(p, &mut |_| true)).expect("it was not stopped")
    }

    /// As [`Law::quantile`], but stops when `go_on` returns false. `go_on` is called at each t
    /// below the quantile; for q close to 1 these may be many calls.
    ///
    /// # Errors
    /// The t at which the search stopped; the quantile is larger.
    pub fn quantile_while(
        &self,
        q: &Rational,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<u64>, u64> {
        let left = Rational::one() - q;
        if left < Rational::zero() {
            return Ok(None);
        }
        self.quantile_above_while(&left, go_on)
    }

    /// The least t with P(T > t) <= p, for p >= 0.
    fn quantile_above_while(
        &self,
        left: &Rational,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<u64>, u64> {
        if left.is_zero() {
            return Ok(self.max());
        }
        // s(t) / base^t <= a / b, in integers.
        let (undecided, base) = self.undecided_nodes();
        let (a, b) = (left.numer().magnitude(), left.denom().magnitude());
        let mut scaled = a.clone();
        for (t, s) in undecided.enumerate() {
            spend_on(b.bits(), s.bits());
            if s * b <= scaled {
                return Ok(Some(t as u64));
            }
            if !go_on(t as u64) {
                return Err(t as u64);
            }
            scaled *= &base;
        }
        unreachable!("the counts never end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// A die of m = 2 r + 1 sides is rolled until it does not show any of the first r faces: as a
    /// block of one roll, and as a chain of one state.
    fn geometric(r: u64) -> [Law; 2] {
        let m = 2 * r + 1;
        let blocks = Blocks::new(m, vec![], vec![1u8.into()], vec![(1, r.into())]);
        let step = |_: &(), face: u64| {
            if face < r {
                Step::Roll(())
            } else {
                Step::Output(face.into())
            }
        };
        let (chain, _) = Chain::explore(Step::Roll(()), 1000, |_| m, step).unwrap();
        [blocks.into(), chain.into()]
    }

    fn residues(m: u64, n: u64) -> Law {
        Residues::new(m.into(), n.into()).into()
    }

    /// The fast dice roller as a chain whose state is v; c is uniform below v.
    fn roller(m: u64, n: u64) -> Law {
        let roll = move |v: u64| match v % n {
            0 => Step::Output(BigUint::zero()),
            v => Step::Roll(v),
        };
        // Of the m v values after a roll, all except m v mod n lead to outcomes; v stays below n.
        let step = move |&v: &u64, face: u64| {
            if face < m * v % n {
                roll(m * v)
            } else {
                Step::Output(BigUint::zero())
            }
        };
        let (chain, _) = Chain::explore(roll(1), 100_000, |v| m * v, step).unwrap();
        chain.into()
    }

    fn convert_kinds() -> Vec<Law> {
        let mut convert_kinds: Vec<Law> = geometric(3).into_iter().collect();
        convert_kinds.extend(
            [(2, 1), (2, 6), (2, 8), (3, 7), (6, 12), (10, 30)].map(|(m, n)| residues(m, n)),
        );
        let alive = [1u8, 2, 2].map(BigUint::from).to_vec();
        let returns = vec![(1, 1u8.into()), (2, 4u8.into()), (3, 3u8.into())];
        convert_kinds.push(Blocks::new(3u8, vec![], alive, returns).into());
        convert_kinds.push(roller(3, 11));
        convert_kinds
    }

    /// Far beyond the maximum number of rolls there are no undecided nodes, and no time is spent on
    /// counting them.
    #[test]
    fn beyond_the_most_rolls_all_is_decided() {
        let law = residues(2, 8);
        assert_eq!(law.max(), Some(3));
        assert!(law.cdf(u64::MAX).is_one() && law.pmf(u64::MAX).is_zero());
        assert!(law.sf(3).is_zero() && law.pmf(3).is_one());
    }

    #[test]
    fn one_law_of_several_kinds() {
        let same = |a: &Law, b: &Law| {
            assert_eq!(a.0.exact_moments(), b.0.exact_moments());
            assert_eq!(a.mean(), b.mean());
            assert_eq!(a.max(), b.max());
            a.survival()
                .zip(b.survival())
                .take(40)
                .for_each(|(a, b)| assert_eq!(a, b));
            for q in [ratio(1, 2), ratio(9, 10), ratio(999, 1000), ratio(1, 1)] {
                assert_eq!(a.quantile(&q), b.quantile(&q));
            }
        };
        for r in 1..=6u64 {
            let [blocks, chain] = geometric(r);
            same(&blocks, &chain);
            // E = m / (m - r)
            assert_eq!(chain.mean(), Ok(ratio(2 * r + 1, r + 1)));
        }
        for m in [2u64, 3, 6, 10] {
            for n in 1..=40 {
                same(&residues(m, n), &roller(m, n));
            }
        }
    }

    /// The quantile is the least t with P(T <= t) >= q, for q at, below and above every step of the
    /// law.
    #[test]
    fn a_quantile_is_what_its_definition_says() {
        for law in convert_kinds() {
            let reached: Vec<Rational> = law
                .survival()
                .take(30)
                .map(|p| Rational::one() - p)
                .collect();
            let tiny = ratio(1, 1 << 40);
            let near = |p: &Rational| [p - &tiny, p.clone(), p + &tiny];
            for q in reached.iter().take(20).flat_map(near) {
                let found = law.quantile(&q);
                match reached.iter().position(|p| *p >= q) {
                    Some(t) => assert_eq!(found, Some(t as u64), "q = {q}"),
                    // The quantile is beyond the listed terms, or q is above 1.
                    None => assert!(q > Rational::one() && found.is_none() || found >= Some(30)),
                }
            }
            // The search can be stopped at any t below the quantile, but not at the quantile.
            if let Some(t) = law.quantile(&ratio(9, 10)) {
                for last in 0..=t {
                    let found = law.quantile_while(&ratio(9, 10), &mut |t| t < last);
                    let expected = if last < t { Err(last) } else { Ok(Some(t)) };
                    assert_eq!(found, expected);
                }
            }
            assert_eq!(law.quantile(&Rational::one()), law.max());
            assert_eq!(law.quantile(&ratio(3, 2)), None);
            assert_eq!(law.quantile(&-ratio(3, 2)), Some(0));
        }
    }

    /// Partial sums of P(T > t) and (2t+1) P(T > t) converge to the moments: they are never above
    /// the moments, within a millionth of them after 400 terms for every law here, and equal to
    /// them if T is bounded.
    #[test]
    fn survival_sums_to_the_moments() {
        for law in convert_kinds() {
            let (mean, second) = law.0.exact_moments().unwrap();
            let (mut sum, mut squares) = (Rational::zero(), Rational::zero());
            let mut before = Rational::one();
            for (t, p) in law.survival().take(400).enumerate() {
                assert!(p <= before, "survival never grows");
                squares += &p * BigInt::from(2 * t + 1);
                sum += &p;
                before = p;
                assert!(sum <= mean && squares <= second);
            }
            match law.max() {
                Some(_) => assert_eq!((sum, squares), (mean, second)),
                None => {
                    let near = ratio(1, 1_000_000);
                    assert!(&mean - sum < near && &second - squares < near);
                }
            }
        }
    }

    #[test]
    fn the_variance_is_that_of_the_moments() {
        for law in convert_kinds() {
            let (mean, second) = law.0.exact_moments().unwrap();
            let variance = &second - &mean * &mean;
            assert_eq!(law.variance().as_ref(), Ok(&variance));
            assert_eq!(law.mean().as_ref(), Ok(&mean));
            let same = |real: Real, exact: &Rational| real.enclose(80).contains(exact);
            assert!(same(law.mean_real(), &mean) && same(law.second_moment_real(), &second));
            assert!(same(law.variance_real(), &variance));
        }
    }

    #[test]
    fn a_mean_above_its_limit_is_not_computed() {
        for law in convert_kinds() {
            let FractionSize::Bits(bits) = law.size() else {
                panic!("these are small")
            };
            let reduced = u128::from(law.mean().unwrap().denom().bits());
            assert!(reduced <= bits && bits <= Law::MAX_TRIED_BITS);
            assert_eq!(law.mean_up_to(reduced), law.mean());
            let size = FractionSize::Bits(reduced);
            assert_eq!(law.mean_up_to(reduced - 1), Err(size));
        }
        // The bound of the size is that of 46 rolls of a d10, at least 153 bits, but the reduced
        // fraction has 80 bits
        let mean = residues(10, 47).mean_up_to(80).unwrap();
        let text = "1869248526620294210598830/900000000000000000000009";
        assert_eq!(mean.to_string(), text);
        // This target has a period of (10^18 + 8) / 4 flips
        let large = residues(2, 1_000_000_000_000_000_009).mean_up_to(1 << 37);
        assert_eq!(large, Err(FractionSize::Bits(250_000_000_000_000_002 + 16)));
    }
}
