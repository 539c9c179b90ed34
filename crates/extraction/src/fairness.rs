//! Is a die fair? The exact multinomial test of the numbers of times that its faces came.
//!
//! Of n rolls of a fair die of m faces the counts k_1..k_m have probability n! / (m^n prod k_i!). The **p-value** of those
//! seen is the probability of all counts that are no more likely: prod k_i! at least as large. So it is 1 minus that of
//! the counts *inside*, those with a smaller product, and these are near n/m each: they are enumerated.
//!
//! ```text
//! P(k) = Z prod u_i(k_i),  u_i(k) = (n a_i/A)^k / (k! M_i),  M_i its largest value,  Z = n!/n^n prod M_i
//! ```
//!
//! for a die whose faces have the weights a_i of sum A (all 1: a fair one). Faces of one weight are enumerated in descending
//! order, with 1/r! for r equal counts among them, and the last two of them as one: for each sum s of both, the sums of
//! u(k) u(s-k) from the middle outwards are known, and how far outwards is still inside comes from a search. A branch ends
//! where even equal counts of the other faces would not be inside. Products are compared by logarithms in units of
//! 2^-64, which are certain to within 16 n of them, and by exact numbers where that does not decide.
//!
//! u is rounded down, so that sums are lower ends, and what was rounded off is counted. An exact p-value is the
//! multiple of m^-n between ends that are close enough. What is rarer than 2^-200 is enumerated from outside (`fairness_rare.rs`). Cost: the counts inside, about (n/m)^((m-2)/2) of them times a constant.
//!
//! **Power.** A test of size 1/100, or another, calls a die unfair whose p-value is at most that; how often it does so for a die with
//! other weights is the same sum with their u. Where too many counts are inside, both are enclosed (`fairness_range.rs`).
//!
//! **Source.** Fisher 1922; Mehta & Patel 1983, A network algorithm for performing Fisher's exact test, JASA 78; Cressie & Read
//! 1989, Pearson's X^2 and the loglikelihood ratio statistic G^2, Int. Statist. Rev. 57. Pearson 1900 for chi-square.

use crate::places::FixedWords;
use flipcost::law::detection::{chi_square_tail, to_30_bits};
use flipcost_number::Enclosure;
use flipcost_number::Real;
use flipcost_number::budget::{spend, spend_on};
use flipcost_number::fixed::log2_fixed;
use flipcost_number::reduce::reduce;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::{Add, Mul, Range};

/// The most counts inside that are enumerated, and for a power, which takes many enumerations.
const MOST: u64 = 8_000_000;
const MOST_OF_POWER: u64 = 200_000;
/// The most places that an enumeration comes through, or all those of a power together: with many faces a count inside is far
/// down.
const MOST_PLACES: u64 = 8_000_000;
/// The most rolls for which a power is enumerated.
const MOST_ROLLS_OF_POWER: u64 = 20_000;
/// An exact p-value has at most about so many bits, and its enumeration takes about so many products of words.
const EXACT: u64 = 1600;
const EXACT_WORK: u64 = 1_000_000_000;
/// Sums have so many places before the point.
const HEAD: u32 = 24;

/// How often each face came.
///
/// ```
/// use flipcost_extraction::fairness::FaceCounts;
/// let seen = FaceCounts::new(vec![3, 0]).unwrap();
/// // three heads, or three tails
/// assert_eq!(seen.p_value().unwrap().to_string(), "1/4");
/// assert_eq!(seen.chi_square().to_string(), "3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceCounts {
    counts: Vec<u64>,
    rolls: u64,
}

impl FaceCounts {
    /// The most faces.
    pub const MOST_FACES: usize = 1000;
    /// The most rolls.
    pub const MOST_ROLLS: u64 = 1 << 20;

    /// Of 2 to 1000 faces, and 1 to 2^20 rolls; else `None`.
    pub fn new(counts: Vec<u64>) -> Option<FaceCounts> {
        let rolls = counts
            .iter()
            .try_fold(0u64, |sum, count| sum.checked_add(*count))?;
        let faces = (2..=Self::MOST_FACES).contains(&counts.len());
        (faces && (1..=Self::MOST_ROLLS).contains(&rolls)).then_some(FaceCounts { counts, rolls })
    }

    /// All rolls.
    pub fn rolls(&self) -> u64 {
        self.rolls
    }

    /// The count of each face.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The probability that a fair die gives counts that are no more likely than these: exact, or enclosed where its fraction
    /// would be long; `None` where too many counts would have to be enumerated.
    pub fn p_value(&self) -> Option<Real> {
        let faces = self.counts.len() as u64;
        if let (Some(least), Some(most)) = (self.counts.iter().min(), self.counts.iter().max())
            && most - least <= 1
        {
            return Some(Real::integer(1)); // none are more likely
        }
        if self.is_rare() {
            return self.rare_p_value().map(Real::Exact);
        }
        let fair = GroupedWeights::new(&vec![BigUint::one(); self.counts.len()]);
        let seen = Likelihood::from_counts(self);
        let mut limit = Limit {
            branches: MOST,
            places: MOST_PLACES,
        };
        let sum = Inside::<2>::sum(&fair, self.rolls, &seen, &mut limit)?;
        let p = Real::integer(1) - sum.real(fair, self.rolls, seen);
        Some(in_lowest_terms(
            p,
            &faces.into(),
            self.rolls,
            MOST_PLACES - limit.places,
        ))
    }

    /// Pearson's statistic, sum (k_i - n/m)^2 / (n/m).
    pub fn chi_square(&self) -> Rational {
        let squares: BigUint = self.counts.iter().map(|&k| BigUint::from(k) * k).sum();
        let over = reduce(&(squares * self.counts.len()), &self.rolls.into());
        over - Rational::from(BigInt::from(self.rolls))
    }

    /// The probability that a chi-square variable of m - 1 degrees of freedom reaches that: the usual approximation to
    /// [`FaceCounts::p_value`]. To 30 bits, so that the functions of the system do not decide it.
    pub fn chi_square_tail(&self) -> f64 {
        let statistic = self.chi_square().to_f64().unwrap_or(f64::INFINITY);
        to_30_bits(chi_square_tail(self.counts.len() as u64 - 1, statistic))
    }
}

/// A multiple of 1/base^n, found by an enumeration that comes through so many places: as a fraction, if that is not long.
fn in_lowest_terms(value: Real, base: &BigUint, n: u64, places: u64) -> Real {
    let size = n.saturating_mul(base.bits());
    let words = size / 64 + 2;
    if size > EXACT || places * words * words > EXACT_WORK {
        return value;
    }
    let all = BigInt::from(base.pow(n as u32));
    let found = value.enclose(all.bits() + 2);
    let near = (found.high() * &all).floor().to_integer();
    Real::Exact(reduce(near.magnitude(), all.magnitude()))
}

/// How often the exact test of this size calls a die with these weights unfair after n rolls; `None` where too many counts
/// would have to be enumerated.
///
/// ```
/// use flipcost_extraction::fairness::test_power;
/// // 7 flips: only HHHHHHH and TTTTTTT, 2/128 of a fair coin, are rare, and not rare enough; 8 are, 2/256
/// let (coin, size) = ([1u8, 3].map(Into::into), "1/100".parse().unwrap());
/// assert_eq!(test_power(&coin, 7, &size).unwrap().to_f64().unwrap(), 0.0);
/// let [heads, tails] = [0.25f64, 0.75].map(|p| p.powi(8));
/// assert_eq!(test_power(&coin, 8, &size).unwrap().to_f64().unwrap(), heads + tails);
/// ```
pub fn test_power(weights: &[BigUint], n: u64, size: &Rational) -> Option<Real> {
    if n > MOST_ROLLS_OF_POWER {
        return None;
    }
    let fair = GroupedWeights::new(&vec![BigUint::one(); weights.len()]);
    let logs = Logs::up_to(n);
    let enough = Rational::one() - size;
    let mut places = MOST_PLACES;
    let mut sum = |weights: &GroupedWeights, at: &Likelihood, branches: u64| {
        let mut limit = Limit { branches, places };
        let sum = Inside::<2>::sum(weights, n, at, &mut limit);
        let through = places - limit.places;
        places = limit.places;
        sum.map(|sum| (sum, through))
    };
    // the least bound below which a fair die is found with a probability of 1 - size at least
    let (mut low, mut high) = (
        logs.balanced(n, weights.len() as u64),
        logs.of[n as usize] + 2 * logs.slack() + 1,
    );
    while high - low > 4 * logs.slack() {
        let middle = low + (high - low) / 2;
        // beyond what can matter an enumeration is long
        let at = Likelihood::bound(logs.clone(), middle);
        let is_enough = match sum(&fair, &at, MOST_OF_POWER) {
            Some((sum, _)) => sum.enclosure(&fair, n).low() >= enough,
            None => true,
        };
        if is_enough {
            high = middle
        } else {
            low = middle
        }
    }
    if high > logs.of[n as usize] {
        return Some(Real::integer(0)); // no counts are rare enough
    }
    let bound = Likelihood::bound(logs.clone(), high + logs.slack());
    sum(&fair, &bound, MOST_OF_POWER)?;
    let loaded = GroupedWeights::new(weights);
    let (sum, through) = sum(&loaded, &bound, MOST)?;
    let all = loaded.sum.clone();
    let power = Real::integer(1) - sum.real(loaded, n, bound);
    Some(in_lowest_terms(power, &all, n, through))
}

/// log2 k! in units of 2^-64, k from 0, each at most 16 k units too small.
#[derive(Clone, Debug)]
pub(super) struct Logs {
    pub(super) of: Vec<u128>,
}

impl Logs {
    pub(super) fn up_to(n: u64) -> Logs {
        let mut of = vec![0];
        (1..=n).for_each(|k| of.push(of[k as usize - 1] + log2_fixed(k).low));
        Logs { of }
    }

    /// A sum of logarithms of counts of n rolls is at most so much too small.
    pub(super) fn slack(&self) -> u128 {
        16 * self.of.len() as u128
    }

    /// The least sum for so many rolls and faces.
    fn balanced(&self, rolls: u64, faces: u64) -> u128 {
        balanced(rolls, faces, |k| self.of[k as usize])
    }
}

/// The least sum of a convex function of counts of so many faces, of so many rolls together: of counts that differ by 1 at
/// most.
pub(super) fn balanced<T>(rolls: u64, faces: u64, of: impl Fn(u64) -> T) -> T
where
    T: From<u64> + Add<Output = T> + Mul<Output = T>,
{
    let (each, more) = match faces {
        0 => return 0.into(),
        _ => (rolls / faces, rolls % faces),
    };
    let fewer = T::from(faces - more) * of(each);
    match more {
        0 => fewer,
        _ => fewer + T::from(more) * of(each + 1),
    }
}

/// Which counts are inside: those with a product of factorials below that of the counts seen, or with a sum of logarithms
/// below a bound.
#[derive(Clone, Debug)]
struct Likelihood {
    logs: Logs,
    bound: u128,
    seen: Option<Vec<u64>>,
}

impl Likelihood {
    fn from_counts(seen: &FaceCounts) -> Likelihood {
        let logs = Logs::up_to(seen.rolls);
        let bound = seen.counts.iter().map(|&k| logs.of[k as usize]).sum();
        Likelihood {
            logs,
            bound,
            seen: Some(seen.counts.clone()),
        }
    }

    fn bound(logs: Logs, bound: u128) -> Likelihood {
        Likelihood {
            logs,
            bound,
            seen: None,
        }
    }

    /// Can counts with at least this sum be inside?
    fn reaches(&self, sum: u128) -> bool {
        sum < self.bound + self.logs.slack()
    }

    /// Are these counts, with such a sum, inside?
    fn holds(&self, before: &[u64], last: [u64; 2], sum: u128) -> bool {
        match &self.seen {
            Some(seen) if sum.abs_diff(self.bound) <= self.logs.slack() => {
                let counts: Vec<u64> = before.iter().copied().chain(last).collect();
                factorials(&counts, seen) == Ordering::Less
            }
            _ => sum < self.bound,
        }
    }
}

/// The order of two products of factorials: as products over j of j^(how many counts are at least j).
pub(super) fn factorials(one: &[u64], other: &[u64]) -> Ordering {
    let at_least = |counts: &[u64], j: u64| counts.iter().filter(|&&k| k >= j).count() as u32;
    let most = one.iter().chain(other).max().copied().unwrap_or(0);
    let (mut up, mut down) = (BigUint::one(), BigUint::one());
    for j in 2..=most {
        let (a, b) = (at_least(one, j), at_least(other, j));
        up *= BigUint::from(j).pow(a.saturating_sub(b));
        down *= BigUint::from(j).pow(b.saturating_sub(a));
    }
    up.cmp(&down)
}

/// Faces in groups of one weight, the largest group last.
#[derive(Clone, Debug)]
struct GroupedWeights {
    groups: Vec<(BigUint, usize)>,
    sum: BigUint,
}

impl GroupedWeights {
    fn new(weights: &[BigUint]) -> GroupedWeights {
        let mut groups: BTreeMap<BigUint, usize> = BTreeMap::new();
        weights
            .iter()
            .for_each(|weight| *groups.entry(weight.clone()).or_default() += 1);
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, faces)| *faces);
        GroupedWeights {
            groups,
            sum: weights.iter().sum(),
        }
    }

    /// The likeliest count of a face of this weight alone.
    fn mode(&self, weight: &BigUint, n: u64) -> u64 {
        (weight * n / &self.sum).to_u64().expect("at most n")
    }

    /// Z times the orders of the faces within their groups, as a numerator and a denominator.
    fn scale(&self, n: u64) -> [BigInt; 2] {
        let power = |x: BigUint, k: u64| {
            spend_on(x.bits() * k, x.bits() * k);
            x.pow(k as u32)
        };
        let (mut up, mut down) = (product(1..n + 1), power(n.into(), n));
        for (weight, faces) in &self.groups {
            let (mode, each) = (self.mode(weight, n), *faces as u64);
            up *= power(weight * n, mode * each) * product(1..each + 1);
            down *= power(self.sum.clone(), mode * each) * power(product(1..mode + 1), each);
        }
        [up.into(), down.into()]
    }
}

/// The product of these numbers, by halves.
pub(super) fn product(range: Range<u64>) -> BigUint {
    match range.end - range.start {
        0 => BigUint::one(),
        1 => range.start.into(),
        count => {
            let middle = range.start + count / 2;
            let (low, high) = (product(range.start..middle), product(middle..range.end));
            spend_on(low.bits(), high.bits());
            low * high
        }
    }
}

/// The sum over the counts inside, in units of 2^-(64 W - HEAD), how much more it may be, and the number of branches.
struct Sum {
    low: BigUint,
    slack: BigUint,
    bits: u64,
}

impl Sum {
    /// The probability of the counts inside.
    fn enclosure(&self, weights: &GroupedWeights, n: u64) -> Enclosure {
        let [up, down] = weights.scale(n);
        let low = BigInt::from(self.low.clone()) * &up;
        let slack = BigInt::from(self.slack.clone()) * up;
        Enclosure::of_ratio(&low, &slack, &(down << self.bits), self.bits)
    }

    /// The same within any 2^-bits.
    fn real(self, weights: GroupedWeights, n: u64, likelihood: Likelihood) -> Real {
        let first = self.enclosure(&weights, n);
        Real::cached(move |bits| {
            #[expect(clippy::type_complexity, reason = "it is used once")]
            let of: [fn(&GroupedWeights, u64, &Likelihood, &mut Limit) -> Option<Sum>;
                6] = [
                Inside::<4>::sum,
                Inside::<8>::sum,
                Inside::<16>::sum,
                Inside::<40>::sum,
                Inside::<80>::sum,
                Inside::<160>::sum,
            ];
            let again = of.iter().map(|of| {
                let sum = of(&weights, n, &likelihood, &mut Limit::none());
                sum.expect("there is no limit").enclosure(&weights, n)
            });
            // beyond 10000 bits it does not get narrower
            let mut narrowest = first.clone();
            for found in again {
                if narrowest.is_within(bits) {
                    break;
                }
                narrowest = found;
            }
            narrowest
        })
    }
}

/// How much of an enumeration may still be done.
#[derive(Clone, Copy)]
struct Limit {
    branches: u64,
    places: u64,
}

impl Limit {
    fn none() -> Limit {
        Limit {
            branches: u64::MAX,
            places: u64::MAX,
        }
    }
}

/// The enumeration, with numbers of W words.
struct Inside<'a, const W: usize> {
    likelihood: &'a Likelihood,
    /// u of each group, and its faces.
    groups: Vec<(Vec<FixedWords<W>>, usize)>,
    /// For the last two faces, of one group, by the sum of their counts: the sums of u(k) u(s-k) / (the orders of
    /// both) over the k from s/2 on up to each.
    pairs: Vec<Vec<FixedWords<W>>>,
    counts: Vec<u64>,
    sum: BigUint,
    branches: u64,
    limit: &'a mut Limit,
}

/// Where the enumeration is: the group, how many of its faces have their counts, and how many of these, the last ones, are equal.
#[derive(Clone, Copy)]
struct EnumerationState {
    group: usize,
    face: usize,
    equal: usize,
    /// Rolls that are left.
    rolls: u64,
    /// The sum of the logarithms.
    logs: u128,
}

impl<const W: usize> Inside<'_, W> {
    /// `None` if the limit is reached.
    fn sum(
        weights: &GroupedWeights,
        n: u64,
        likelihood: &Likelihood,
        limit: &mut Limit,
    ) -> Option<Sum> {
        let groups = weights
            .groups
            .iter()
            .map(|(weight, faces)| (factors(weights, weight, n), *faces));
        let mut inside = Inside::<W> {
            likelihood,
            groups: groups.collect(),
            pairs: vec![Vec::new(); n as usize + 1],
            counts: Vec::new(),
            sum: BigUint::zero(),
            branches: 0,
            limit,
        };
        let start = EnumerationState {
            group: 0,
            face: 0,
            equal: 0,
            rolls: n,
            logs: 0,
        };
        let one = FixedWords([u64::MAX; W]);
        inside.walk(start, one)?;
        // each product and quotient, and each factor, is off by a unit; the sums of pairs by one for each of their terms
        let faces: usize = weights.groups.iter().map(|(_, faces)| faces).sum();
        let each = n + 4 * faces as u64 + 4;
        Some(Sum {
            low: inside.sum,
            slack: BigUint::from(inside.branches) * each,
            bits: 64 * W as u64 - u64::from(HEAD),
        })
    }

    /// Adds what is inside below a place with such a product before it.
    fn walk(&mut self, at: EnumerationState, product: FixedWords<W>) -> Option<()> {
        self.limit.places = self.limit.places.checked_sub(1)?;
        let last = at.group + 1 == self.groups.len();
        let (left, faces) = (self.groups[at.group].1 - at.face, self.groups[at.group].1);
        if last && left == 1 {
            return self.single(at, product);
        }
        if last && left == 2 {
            return self.pair(at, product);
        }
        let others: usize = self.groups[at.group + 1..]
            .iter()
            .map(|group| group.1)
            .sum();
        let rest = (left - 1 + others) as u64;
        let highest = match at.face {
            0 => at.rolls,
            _ => at.rolls.min(self.counts[self.counts.len() - 1]),
        };
        // in descending order the first of the last group is no less than the mean
        let lowest = if last {
            at.rolls.div_ceil(left as u64)
        } else {
            0
        };
        // from equal counts outwards the sum of the logarithms grows
        let middle = (at.rolls / (rest + 1)).clamp(lowest, highest);
        for outwards in [
            &mut (lowest..=middle).rev() as &mut dyn Iterator<Item = u64>,
            &mut (middle + 1..=highest),
        ] {
            for k in outwards {
                let logs = at.logs + self.likelihood.logs.of[k as usize];
                let balanced = self.likelihood.logs.balanced(at.rolls - k, rest);
                if !self.likelihood.reaches(logs + balanced) {
                    break;
                }
                let again = at.face > 0 && self.counts.last() == Some(&k);
                let equal = if again { at.equal + 1 } else { 1 };
                let factor = self.groups[at.group].0[k as usize];
                let product = product.times(&factor).over_word(equal as u64);
                let (group, face) = if at.face + 1 == faces {
                    (at.group + 1, 0)
                } else {
                    (at.group, at.face + 1)
                };
                self.counts.push(k);
                let done = self.walk(
                    EnumerationState {
                        group,
                        face,
                        equal,
                        rolls: at.rolls - k,
                        logs,
                    },
                    product,
                );
                self.counts.pop();
                done?;
            }
        }
        Some(())
    }

    /// One branch more, with what is inside of it.
    fn add(&mut self, value: &FixedWords<W>) -> Option<()> {
        spend(50 + (W * W) as u64);
        self.branches += 1;
        self.sum += value.value();
        self.limit.branches = self.limit.branches.checked_sub(1)?;
        Some(())
    }

    /// The last face, alone in its group: it has the rolls that are left.
    fn single(&mut self, at: EnumerationState, product: FixedWords<W>) -> Option<()> {
        let logs = at.logs + self.likelihood.logs.of[at.rolls as usize];
        // not one of two: 0! is 1
        if !self.likelihood.holds(&self.counts, [at.rolls, 0], logs) {
            return Some(());
        }
        let factor = &self.groups[at.group].0[at.rolls as usize];
        let value = product.times(factor).over_word(1 << HEAD);
        self.add(&value)
    }

    /// The last two faces, in their group: k >= s - k, and k is at most the count before them.
    fn pair(&mut self, at: EnumerationState, product: FixedWords<W>) -> Option<()> {
        let s = at.rolls;
        let highest = match at.face {
            0 => s,
            _ => s.min(self.counts[self.counts.len() - 1]),
        };
        let middle = s.div_ceil(2);
        let holds = |k: u64| {
            let logs = &self.likelihood.logs.of;
            let sum = at.logs + logs[k as usize] + logs[(s - k) as usize];
            self.likelihood.holds(&self.counts, [k, s - k], sum)
        };
        // the sum of both logarithms grows with k
        let (mut low, mut high) = (middle, highest + 1);
        while low < high {
            let k = low.midpoint(high);
            if holds(k) { low = k + 1 } else { high = k }
        }
        // inside are middle..low
        if middle >= low {
            return Some(());
        }
        let u = &self.groups[at.group].0;
        let sums = &mut self.pairs[s as usize];
        let more = (low - middle).saturating_sub(sums.len() as u64);
        self.limit.places = self.limit.places.checked_sub(more)?;
        for k in middle + sums.len() as u64..low {
            let both = u[k as usize]
                .times(&u[(s - k) as usize])
                .over_word(1 << HEAD);
            let both = both.over_word(if 2 * k == s { 2 } else { 1 });
            sums.push(sums.last().unwrap_or(&FixedWords::ZERO).plus(&both));
        }
        // with the count before them: k itself, or both, may be equal to it
        let tie = at.face > 0 && low - 1 == self.counts[self.counts.len() - 1];
        let below = low - u64::from(tie);
        let free = match below.checked_sub(middle + 1) {
            Some(place) => sums[place as usize],
            None => FixedWords::ZERO,
        };
        let mut value = free.times(&product);
        if tie {
            let k = low - 1;
            let orders = (at.equal as u64 + 1) * if 2 * k == s { at.equal as u64 + 2 } else { 1 };
            let both = u[k as usize].times(&u[(s - k) as usize]).times(&product);
            value = value.plus(&both.over_word(orders).over_word(1 << HEAD));
        }
        self.add(&value)
    }
}

/// u(0) to u(n) for a face of this weight: from the largest outwards by ratios of at most 1, with 64 places more
/// than they keep.
fn factors<const W: usize>(
    weights: &GroupedWeights,
    weight: &BigUint,
    n: u64,
) -> Vec<FixedWords<W>> {
    let mode = weights.mode(weight, n);
    let (up, down) = (weight * n, &weights.sum);
    let most = BigUint::one() << (64 * W + 64);
    let mut all = vec![FixedWords::ZERO; n as usize + 1];
    let kept = |term: &BigUint| {
        FixedWords::from_biguint(&((term >> 64u8).min((BigUint::one() << (64 * W)) - 1u8)))
    };
    all[mode as usize] = kept(&most);
    spend(200 * n * W as u64);
    let mut term = most.clone();
    for k in mode + 1..=n {
        term = term * &up / (down * k);
        all[k as usize] = kept(&term);
        if term.is_zero() {
            break;
        }
    }
    term = most;
    for k in (0..mode).rev() {
        term = term * down * (k + 1) / &up;
        all[k as usize] = kept(&term);
        if term.is_zero() {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size() -> Rational {
        Rational::new(1.into(), 100.into())
    }

    /// All counts of n rolls of so many faces.
    fn all(n: u64, faces: usize) -> Vec<Vec<u64>> {
        if faces == 1 {
            return vec![vec![n]];
        }
        let with = |k: u64| {
            all(n - k, faces - 1).into_iter().map(move |mut rest| {
                rest.push(k);
                rest
            })
        };
        (0..=n).flat_map(with).collect()
    }

    fn factorial(k: u64) -> BigUint {
        (1..=k).map(BigUint::from).product()
    }

    fn product(counts: &[u64]) -> BigUint {
        counts.iter().map(|&k| factorial(k)).product()
    }

    /// n! prod a_i^k_i / (A^n prod k_i!).
    fn probability(counts: &[u64], weights: &[u64]) -> Rational {
        let n = counts.iter().sum();
        let powers = weights
            .iter()
            .zip(counts)
            .map(|(&a, &k)| BigUint::from(a).pow(k as u32));
        let sum = BigUint::from(weights.iter().sum::<u64>()).pow(n as u32);
        reduce(
            &(factorial(n) * powers.product::<BigUint>()),
            &(sum * product(counts)),
        )
    }

    /// The definition, for every vector of counts of few rolls.
    #[test]
    fn p_values_by_the_definition() {
        for (n, faces) in [(1, 2), (7, 2), (12, 2), (9, 3), (7, 4), (6, 6), (3, 7)] {
            let everything = all(n, faces);
            for seen in &everything {
                let rarer = everything
                    .iter()
                    .filter(|counts| product(counts) >= product(seen));
                let sum: Rational = rarer
                    .map(|counts| probability(counts, &vec![1; faces]))
                    .sum();
                let found = FaceCounts::new(seen.clone()).unwrap();
                assert_eq!(found.p_value().unwrap(), sum, "{seen:?}");
            }
        }
    }

    /// The power is the probability of all counts whose p-value is at most 1/100.
    #[test]
    fn powers_by_the_definition() {
        for (n, weights) in [
            (9, vec![1, 2]),
            (8, vec![1, 3, 1]),
            (8, vec![1, 2, 3]),
            (7, vec![2, 1, 1, 1]),
            (6, vec![1, 2, 1, 2, 5]),
        ] {
            let rare = |counts: &Vec<u64>| {
                let found = FaceCounts::new(counts.clone()).unwrap().p_value().unwrap();
                found.exact().unwrap() <= &Rational::new(1.into(), 100.into())
            };
            let counts = all(n, weights.len()).into_iter().filter(rare);
            let sum: Rational = counts.map(|counts| probability(&counts, &weights)).sum();
            let big: Vec<BigUint> = weights.iter().map(|&a| a.into()).collect();
            let found = test_power(&big, n, &size()).unwrap();
            assert!(
                found.enclose(60).contains(&sum),
                "{weights:?} {n}: {sum} {found}"
            );
        }
    }

    /// 17, 12, 20, 15, 18, 18 of 100 rolls, and 10, 2, 8, 4, 6, 0 of 30: by another program, which listed the partitions. A
    /// long fraction is enclosed.
    #[test]
    fn a_hundred_rolls() {
        let seen = FaceCounts::new(vec![17, 12, 20, 15, 18, 18]).unwrap();
        assert_eq!(seen.chi_square(), Rational::new(59.into(), 25.into()));
        assert!((seen.chi_square_tail() - 0.7975).abs() < 1e-3);
        let p = seen.p_value().unwrap();
        assert!(p.exact().is_some());
        assert_eq!(p.to_f64(), Ok(0.7864816378746131));
        let few = FaceCounts::new(vec![10, 2, 8, 4, 6, 0])
            .unwrap()
            .p_value()
            .unwrap();
        assert_eq!(few.to_string(), "1539814460275532729/255872592269367312384");
        let many = FaceCounts::new(vec![170, 120, 200, 150, 180, 180]).unwrap();
        let p = many.p_value().unwrap();
        // enclosed, and a lot like the approximation
        assert!(p.exact().is_none() && p.to_f64().unwrap() < many.chi_square_tail());
    }

    /// Equal products of other counts are ties: 6! 1! 1! = 5! 3! 0!.
    #[test]
    fn ties_are_no_more_likely() {
        assert_eq!(factorials(&[6, 1, 1], &[5, 3, 0]), Ordering::Equal);
        let p = |counts: [u64; 3]| FaceCounts::new(counts.to_vec()).unwrap().p_value().unwrap();
        assert_eq!(p([6, 1, 1]).exact(), p([3, 0, 5]).exact());
    }

    #[test]
    fn what_is_no_count_of_faces() {
        for counts in [
            vec![],
            vec![5],
            vec![0, 0],
            vec![u64::MAX, 1],
            vec![1; 1001],
        ] {
            assert_eq!(FaceCounts::new(counts), None);
        }
    }

    /// A power of a load whose weights have a power of two as their sum may lie halfway between two doubles: it is
    /// known as a fraction.
    #[test]
    fn short_powers_are_fractions() {
        for (weights, n) in [(vec![3u8, 5], 20), (vec![1, 3], 29), (vec![1, 1, 2], 31)] {
            let weights: Vec<BigUint> = weights.into_iter().map(BigUint::from).collect();
            let power = test_power(&weights, n, &size()).unwrap();
            assert!(power.exact().is_some() && power.to_f64().is_ok());
        }
    }
}
