//! The weights of a law without an end, which has infinitely many outcomes or an irrational
//! probability. This module encloses the weights to any number of bits, and bounds the tail of the
//! law.
//!
//! A [`LawFamily`] lists its weights in one or two [`WeightBranch`]es. Each branch is log-concave
//! (the ratio of a weight to the weight before it never grows) and decreases from its first or
//! second outcome on. Let v be the last listed weight of a branch, w the one before it, and v < w.
//! Then the remaining weights of the branch sum to at most v r / (1 - r) with r = v / w.

use flipcost_number::budget::spend;
use flipcost_number::{BigInt, BigUint, Enclosure, Rational, Real, ln};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use std::fmt;

/// The maximum number of outcomes that are listed.
pub const MAX_OUTCOMES: usize = 1 << 19;

/// The maximum number of additional bits that are computed to separate a probability from a
/// multiple of its last requested digit.
const MAX_EXTRA_BITS: u64 = 1 << 14;

/// Outcomes are listed one by one down to probabilities of 2^-(depth + MARGIN_BITS).
const MARGIN_BITS: u64 = 64;

/// The weights of consecutive outcomes.
pub struct WeightBranch<'a> {
    /// The outcome of the first weight.
    pub first: i64,
    /// 1 if the outcomes increase, -1 if they decrease.
    pub step: i64,
    /// Whether -x has the same weight as x.
    pub mirrored: bool,
    /// The weights as enclosures. If the iterator ends, the branch has no tail.
    pub weights: Box<dyn Iterator<Item = Enclosure> + 'a>,
}

/// The c and the function h of weights of the form 2^(-c h(x)).
pub type Exponents = (Real, fn(i64) -> BigInt);

/// A family of laws; each family has a file in `laws`.
pub trait LawFamily: Send + Sync {
    /// Returns the weights in units of 2^-bits; the largest weight is at least 2^-20.
    fn branches(&self, bits: u64) -> Vec<WeightBranch<'_>>;

    /// Returns floor(2^depth P(x)) if P(x) may be a multiple of 2^-depth, because no enclosure can
    /// decide this case.
    fn dyadic(&self, _x: i64, _depth: u64) -> Option<BigUint> {
        None
    }

    /// Returns c and h if every outcome x has the weight 2^(-c h(x)).
    fn power(&self) -> Option<Exponents> {
        None
    }
}

/// An outcome, and the first binary digits of its probability.
#[derive(Clone, Debug)]
pub struct OutcomeDigits {
    /// The outcome.
    pub x: i64,
    /// floor(2^depth P(x)).
    pub digits: BigUint,
}

/// The first binary digits of the probabilities of all outcomes.
#[derive(Clone, Debug)]
pub struct Digits {
    /// The number of digits after the point.
    pub depth: u64,
    /// All outcomes that have a digit 1 among these digits, in the order of the branches.
    pub outcomes: Vec<OutcomeDigits>,
    /// `leaves[t]` is the number of outcomes whose probability has the digit 1 at place t.
    pub leaves: Vec<u64>,
    /// The number of outcomes that were listed one by one.
    listed: u64,
    /// Upper bounds of three sums over all outcomes that are not listed: the sum of P log2(1/P),
    /// and the sums of t / 2^t and t^2 / 2^t over the places t of their digits 1.
    tails: [Rational; 3],
    /// The entropy without the contribution of the tails.
    entropy: Enclosure,
}

/// The reason why the digits of a law are not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigitsError {
    /// The digits of more than [`MAX_OUTCOMES`] outcomes would have to be computed.
    TooMany,
    /// A probability is so close to a multiple of the last digit that the two may be equal.
    Undecided,
}

impl fmt::Display for DigitsError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            DigitsError::TooMany => write!(
                f,
                "more than {MAX_OUTCOMES} outcomes contribute to these digits"
            ),
            DigitsError::Undecided => write!(
                f,
                "a probability is so near to a binary fraction that {MAX_EXTRA_BITS} digits do not tell \
                 them apart"
            ),
        }
    }
}

/// The listed weights.
struct ListedWeights {
    weights: Vec<(i64, bool, Enclosure)>,
    /// For each branch with a tail: its last listed weight, an upper bound of the ratio of each
    /// later weight to the one before it, and 2 if the tail counts twice, otherwise 1.
    tails: Vec<(Rational, Rational, u8)>,
}

/// Returns the natural logarithm of an interval above 0, in units of the interval's bits.
pub fn ln_enclosure(x: &Enclosure) -> Enclosure {
    let bits = x.bits + 8;
    let (low, high) = (ln(&x.low(), bits), ln(&x.high(), bits));
    Enclosure {
        low: low.coarsen(bits).low,
        high: high.coarsen(bits).high,
        bits,
    }
    .coarsen(x.bits)
}

/// Returns log2 of an interval above 0, in units of the interval's bits.
pub fn log2_enclosure(x: &Enclosure) -> Enclosure {
    let two = ln(&Rational::from(BigInt::from(2)), x.bits + 8);
    ln_enclosure(x)
        .over(&two)
        .expect("ln 2 is above 0")
        .coarsen(x.bits)
}

/// Returns the interval `[0, x]`.
fn zero_up_to(x: &Rational, bits: u64) -> Enclosure {
    Enclosure {
        low: BigInt::zero(),
        ..Enclosure::of_rational(x, bits)
    }
}

/// Returns the real number that a function encloses with a given number of working bits. This
/// number grows until the enclosure is narrow enough.
pub(crate) fn real_from_enclosures(of: impl Fn(u64) -> Enclosure + Send + Sync + 'static) -> Real {
    Real::cached(move |bits| {
        let mut work = bits + 64;
        loop {
            let value = of(work);
            if value.is_within(bits) {
                return value;
            }
            work += 64;
        }
    })
}

fn rational_from_integer(n: impl Into<BigInt>) -> Rational {
    Rational::from(n.into())
}

fn list_weights(
    family: &dyn LawFamily,
    depth: u64,
    work: u64,
    limited: bool,
) -> Result<Option<ListedWeights>, DigitsError> {
    let mut listed = ListedWeights {
        weights: Vec::new(),
        tails: Vec::new(),
    };
    let small = BigInt::one() << (work - depth - MARGIN_BITS);
    for branch in family.branches(work) {
        let (mut x, mut before, mut ended) = (branch.first, None::<Enclosure>, true);
        for weight in branch.weights {
            spend(work / 16);
            if limited && listed.weights.len() >= MAX_OUTCOMES {
                return Err(DigitsError::TooMany);
            }
            listed.weights.push((x, branch.mirrored, weight.clone()));
            x += branch.step;
            let falls = before.as_ref().filter(|before| weight.high < before.low);
            if let Some(before) = falls
                && weight.high <= small
            {
                let ratio = weight.high() / before.low();
                let times = 1 + u8::from(branch.mirrored);
                listed.tails.push((weight.high(), ratio, times));
                ended = false;
                break;
            }
            if weight.high <= BigInt::one() {
                return Ok(None); // too few bits to see that the weights decrease
            }
            before = Some(weight);
        }
        debug_assert!(ended || !listed.tails.is_empty());
    }
    Ok(Some(listed))
}

impl ListedWeights {
    /// Returns the sum of the listed weights, and the sum of all weights.
    fn sums(&self, bits: u64) -> (Enclosure, Enclosure) {
        let mut sum = Enclosure::of_rational(&Rational::zero(), bits);
        for (x, mirrored, weight) in &self.weights {
            let times = 1 + i32::from(*mirrored && *x != 0);
            sum.low += &weight.low * times;
            sum.high += &weight.high * times;
        }
        let mut all = sum.clone();
        for (last, ratio, times) in &self.tails {
            let rest = rational_from_integer(*times) * last * ratio / (Rational::one() - ratio);
            all = all.plus(&zero_up_to(&rest, bits));
        }
        (sum, all)
    }

    /// Returns an upper bound of two sums over the outcomes of the tails: the sum of t^2 / 2^t over
    /// the places t of their digits 1, and the sum of P log2(1/P).
    ///
    /// For an outcome with 2^-m <= p < 2^(1-m), the first sum is at most the sum over all t >= m,
    /// which is 2^(1-m) ((m-1)^2 + 4 (m-1) + 6) <= 2 p (L^2 + 4 L + 6) <= 4 p L^2 with L =
    /// log2(1/p) >= 6. This bound increases with p. The outcomes of a tail have probabilities of at
    /// most P, P r, P r^2, ... Let l = log2(1/r) >= 1 - r. As L >= 1, the bound for all of them is
    /// below 4 P L^2 times the sum of r^k (1 + k l)^2. That sum is at most its integral plus its
    /// largest term, which is below 3 + 12 / l.
    fn tail_bound(&self, all: &Enclosure) -> Rational {
        let mut tail = Rational::zero();
        for (last, ratio, times) in &self.tails {
            let p = last / all.low();
            let log = rational_from_integer(p.denom().bits() - p.numer().bits() + 1).pow(2);
            let sum =
                rational_from_integer(3) + rational_from_integer(12) / (Rational::one() - ratio);
            tail += rational_from_integer(4 * u32::from(*times)) * p * log * sum;
        }
        // Round up to a multiple of a power of 2.
        let bits = tail.denom().bits().saturating_sub(tail.numer().bits()) + 8;
        Enclosure::of_rational(&tail, bits).high()
    }

    /// Returns the entropy without the tails: the sum of p log2(1/p).
    fn entropy(&self, family: &dyn LawFamily, sum: &Enclosure, all: &Enclosure) -> Enclosure {
        let bits = all.bits;
        let over = |x: Enclosure| x.over(all).expect("the sum is above 0");
        if let Some((c, h)) = family.power() {
            let mut moment = Enclosure::of_rational(&Rational::zero(), bits);
            for (x, mirrored, weight) in &self.weights {
                let times = h(*x) * (1 + i32::from(*mirrored && *x != 0));
                moment.low += &weight.low * &times;
                moment.high += &weight.high * &times;
            }
            let log = log2_enclosure(all).times(&over(sum.clone()));
            return over(moment.times(&c.enclose(bits))).plus(&log);
        }
        let mut entropy = Enclosure::of_rational(&Rational::zero(), bits);
        for (x, mirrored, weight) in &self.weights {
            spend(bits);
            let p = over(weight.clone());
            if !p.low.is_positive() {
                // p log2(1/p) <= p bits for p >= 2^-bits; this upper bound increases with p.
                let most = p.high.clone() * BigInt::from(bits) + BigInt::from(bits);
                entropy.high += most * 2;
                continue;
            }
            let times = 1 + i32::from(*mirrored && *x != 0);
            let part = log2_enclosure(&p).negated().times(&p);
            entropy.low += part.low * times;
            entropy.high += part.high * times;
        }
        entropy
    }
}

/// Returns the probabilities of all outcomes that are not far below 2^-bits, with at least `bits` +
/// 128 digits.
pub fn probabilities(family: &dyn LawFamily, bits: u64) -> BTreeMap<i64, Enclosure> {
    let mut guard = 64 + MARGIN_BITS;
    loop {
        let work = bits + guard;
        if let Ok(Some(listed)) = list_weights(family, bits, work, false) {
            let (_, all) = listed.sums(work);
            let of = |(x, _, weight): &(i64, bool, Enclosure)| {
                (*x, weight.over(&all).expect("the sum is above 0"))
            };
            let mut known: BTreeMap<i64, Enclosure> = listed.weights.iter().map(of).collect();
            let mirrored = listed.weights.iter().filter(|(_, mirrored, _)| *mirrored);
            for (x, ..) in mirrored {
                known.insert(-x, known[x].clone());
            }
            return known;
        }
        guard *= 2;
    }
}

impl Digits {
    /// Returns the exact first `depth` digits of all probabilities. Cost: two divisions of
    /// `depth` + 200 bits and one evaluation of the family's recurrence for each outcome with a
    /// probability of at least 2^-(depth + 64).
    ///
    /// # Errors
    /// A [`DigitsError`], if `limited` is set. Otherwise the numbers of outcomes and digits are
    /// unlimited.
    pub fn of_family(
        family: &dyn LawFamily,
        depth: u64,
        limited: bool,
    ) -> Result<Digits, DigitsError> {
        let mut guard = 64 + MARGIN_BITS;
        loop {
            let work = depth + guard;
            if let Some(listed) = list_weights(family, depth, work, limited)?
                && let Some(digits) = Digits::from_listed(family, depth, &listed, work)
            {
                return Ok(digits);
            }
            if limited && guard >= MAX_EXTRA_BITS {
                return Err(DigitsError::Undecided);
            }
            guard *= 2;
        }
    }

    /// Creates the digits of a law whose leaves are only counted.
    pub(crate) fn from_counts(
        depth: u64,
        leaves: Vec<u64>,
        tails: [Rational; 3],
        entropy: Enclosure,
    ) -> Digits {
        Digits {
            depth,
            outcomes: Vec::new(),
            leaves,
            listed: 0,
            tails,
            entropy,
        }
    }

    fn from_listed(
        family: &dyn LawFamily,
        depth: u64,
        listed: &ListedWeights,
        work: u64,
    ) -> Option<Digits> {
        let (sum, all) = listed.sums(work);
        let tail = listed.tail_bound(&all);
        let mut digits = Digits {
            depth,
            outcomes: Vec::new(),
            leaves: vec![0; depth as usize + 1],
            listed: 0,
            tails: [(); 3].map(|()| tail.clone()),
            entropy: listed.entropy(family, &sum, &all),
        };
        for (x, mirrored, weight) in &listed.weights {
            digits.listed += 1 + u64::from(*mirrored && *x != 0);
            let known = family.dyadic(*x, depth);
            let known = known.or_else(|| {
                let low = (&weight.low.clone().max(BigInt::zero()) << depth).div_floor(&all.high);
                let high = (&weight.high << depth).div_floor(&all.low);
                (low == high).then(|| low.magnitude().clone())
            })?;
            let both = [*x, -x];
            let many = 1 + usize::from(*mirrored && *x != 0);
            for x in &both[..many] {
                digits.push_outcome(*x, &known);
            }
        }
        Some(digits)
    }

    fn push_outcome(&mut self, x: i64, digits: &BigUint) {
        if digits.is_zero() {
            return;
        }
        for place in 0..digits.bits() {
            if digits.bit(place) {
                self.leaves[(self.depth - place) as usize] += 1;
            }
        }
        self.outcomes.push(OutcomeDigits {
            x,
            digits: digits.clone(),
        });
    }

    /// Encloses the sum of t^k / 2^t over the places t of all digits 1 of all probabilities, for k
    /// = 1 or 2: the k-th moment of the number of flips.
    ///
    /// The digits of a listed outcome after place D contribute at most the sum of t^k / 2^t over
    /// t > D, which is (D + 2) / 2^D for k = 1 and (D^2 + 4 D + 6) / 2^D for k = 2.
    pub fn moment(&self, k: u32) -> Enclosure {
        let d = self.depth;
        let mut low = BigInt::zero();
        for (t, leaves) in self.leaves.iter().enumerate() {
            low += (BigInt::from(*leaves) * BigInt::from(t).pow(k)) << (d - t as u64);
        }
        let place = BigInt::from(d);
        let rest = match k {
            1 => place + 2,
            _ => &place * &place + BigInt::from(4) * place + 6,
        };
        let value = Enclosure {
            high: &low + rest * BigInt::from(self.listed),
            low,
            bits: d,
        };
        value.plus(&zero_up_to(&self.tails[k as usize], d + 64))
    }

    /// The entropy in bits.
    pub fn entropy(&self) -> Enclosure {
        let bits = self.entropy.bits;
        self.entropy.plus(&zero_up_to(&self.tails[0], bits))
    }

    /// The number of undecided nodes of the tree at each depth t up to `depth`, which is P(T > t)
    /// times 2^t.
    pub fn undecided(&self) -> impl Iterator<Item = BigUint> + '_ {
        let mut open = BigInt::one();
        self.leaves.iter().enumerate().map(move |(t, leaves)| {
            open = if t == 0 { open.clone() } else { &open << 1u8 } - BigInt::from(*leaves);
            open.magnitude().clone()
        })
    }
}
