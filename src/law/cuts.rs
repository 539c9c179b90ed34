//! The law of the interval algorithm for a loaded source.
//!
//! A roll of face j keeps the part [l_j, l_j + p_j) of the current interval, where l_j = p_1 +
//! ... + p_(j-1). A sequence of rolls is undecided while a cut between two outcomes lies strictly
//! inside its interval. At each depth a cut lies inside at most one interval. So P(T > t) is a sum
//! of at most k products of face probabilities, where k is the number of cuts. A cut at the
//! fraction c, 0 < c < 1, of the interval moves by
//!
//! ```text
//! c -> (c - l_j) / p_j,   l_j < c < l_j + p_j;   it ends where c = l_j
//! ```
//!
//! **Does it end?** Let p_j = a_j / A and L_j = A l_j. A cut ends when it reaches an end of a face.
//! A prime of the denominator of c that does not divide A stays in the denominator, since dividing
//! by a_j can only raise its power. So such a cut never ends, and neither does a cut that returns
//! to an earlier position. For a prime r of A and its valuation v (the exponent of r), c' = (A c -
//! L_j) / a_j has v(c') >= min(v(c) + v(A), v(L_j)) - v(a_j) for each face j. If v(c) >= V implies
//! v(c') >= V for every j, then v stays at V or above, so that c never reaches an end L_j / A with
//! v below V. If every end between two faces is excluded in this way by some prime, the cut never
//! ends. Other cuts are followed roll by roll. For some of them this decides nothing: for 1/4 from
//! 1:4:1:4, for example, v_2 changes without a pattern. If a cut remains undecided, only the worst
//! case is unknown.
//!
//! **Mean from a coin.** For a single cut that never ends, E(c) = 1 + p_j E((c - l_j) / p_j) has
//! the unique bounded solution E(c) = (1 - c) / p_2 + c / p_1. So the mean is a fraction once no
//! interval contains two cuts.
//!
//! **Moments.** After t rolls, each of the k remaining cuts keeps at most one sequence undecided at
//! each later depth. Given the interval after t rolls, every sequence of s further rolls has at
//! most the probability p^s, where p is the largest p_j. Since sum_s (t+s+1)^(j-1) p^s <=
//! (t+1)^(j-1) (j-1)! / (1-p)^j, the terms from t on add to `E[T^j]` at most j! (t+1)^(j-1) /
//! (1-p)^j times the sum, over the undecided intervals, of the mass times the number of cuts.
//!
//! **Source.** The algorithm: Han & Hoshi 1997. The statements above are proved here.

use super::{FractionSize, LawKind};
use crate::task::RollUnit;
use flipcost_number::Real;
use flipcost_number::budget::spend;
use flipcost_number::rationals::binomials;
use flipcost_number::{BigInt, BigUint, Enclosure, Rational};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::any::Any;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// The maximum number of rolls for which a cut is followed to see whether it ends, for a source
/// with this sum of weights.
pub(crate) fn max_followed_rolls(base: &BigUint) -> u64 {
    4096.min((1 << 18) / base.bits())
}

/// The law of the rolls of a loaded source that separate the cuts of [0, 1).
#[derive(Debug)]
pub(crate) struct Cuts {
    /// The ends of the faces: 0, a_1, a_1 + a_2, ..., A.
    ends: Vec<BigUint>,
    first: CutInterval,
    /// For each cut, the roll at which the cut ends.
    cut_ends: Vec<CutEnd>,
    /// The small primes that divide the sum of the weights.
    primes: Vec<PrimeValuations>,
    mean: OnceLock<Option<Rational>>,
}

/// The roll at which a cut ends, if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CutEnd {
    /// The cut ends with this roll.
    At(u64),
    Never,
    /// The cut does not end within this many rolls.
    After(u64),
}

impl CutEnd {
    /// Checks whether the cut has ended after this many rolls.
    fn has_ended(self, rolls: &BigUint) -> bool {
        matches!(self, CutEnd::At(last) if *rolls >= last.into())
    }
}

/// The largest prime divisor of the sum of the weights that is used.
const MAX_PRIME: u64 = 1000;
/// The number of rolls for which the valuations of a cut are followed; fewer for sources with many
/// faces. The first rolls decide most cuts.
const FOLLOWED_ROLLS: u64 = 64;

/// The exponents of one prime in the sum of the weights, in each weight, and in the end of each
/// face (without the first end, 0).
#[derive(Debug)]
struct PrimeValuations {
    prime: u64,
    sum: i64,
    weights: Vec<i64>,
    ends: Vec<i64>,
}

/// The exponent of a prime in a number above 0.
fn valuation(number: &BigUint, prime: u64) -> i64 {
    let (mut rest, mut often) = (number.clone(), 0);
    while (&rest % prime).is_zero() {
        rest /= prime;
        often += 1;
    }
    often
}

impl PrimeValuations {
    /// Computes the valuations for the small primes that divide the last of these ends.
    fn all(ends: &[BigUint]) -> Vec<PrimeValuations> {
        let Some(sum) = ends.last() else {
            return Vec::new();
        };
        let mut found: Vec<PrimeValuations> = Vec::new();
        for prime in 2..=MAX_PRIME {
            let is_prime = (2..).take_while(|d| d * d <= prime).all(|d| prime % d > 0);
            if !is_prime || !(sum % prime).is_zero() {
                continue;
            }
            let of = |number: &BigUint| valuation(number, prime);
            found.push(PrimeValuations {
                prime,
                sum: of(sum),
                weights: (ends.windows(2).map(|ends| of(&(&ends[1] - &ends[0])))).collect(),
                ends: ends[1..].iter().map(of).collect(),
            });
        }
        found
    }

    /// Returns a lower bound of the current `valuation` and all its values after further rolls;
    /// `None` if no bound was found.
    fn least_later_valuation(&self, valuation: i64) -> Option<i64> {
        let mut least = valuation;
        for _ in 0..FOLLOWED_ROLLS {
            spend(4 * self.weights.len() as u64);
            let moved = least + self.sum;
            let before = std::iter::once(moved).chain(self.ends.iter().map(|end| moved.min(*end)));
            let after = before.zip(&self.weights).map(|(v, weight)| v - weight);
            let after = after.min().expect("two faces");
            if after >= least {
                return Some(least);
            }
            least = after;
        }
        None
    }
}

/// Cancels the common factors of two numbers; every prime of these factors must divide `of`.
fn cancel_common_factors(mut a: BigUint, mut b: BigUint, of: &BigUint) -> (BigUint, BigUint) {
    loop {
        let common = (&a % of).gcd(&(&b % of)).gcd(of);
        if common.is_one() {
            return (a, b);
        }
        a /= &common;
        b /= common;
    }
}

/// An interval [0, width), with the cuts strictly inside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CutInterval {
    /// The number of cuts to the left of the interval.
    pub before: usize,
    /// The positions of the cuts, strictly inside and in order.
    pub cuts: Vec<BigUint>,
    /// The width of the interval.
    pub width: BigUint,
}

impl CutInterval {
    /// Returns the part of the interval from `low` / `sum` to `high` / `sum`.
    pub fn subinterval(&self, low: &BigUint, high: &BigUint, sum: &BigUint) -> CutInterval {
        let (low, high) = (&self.width * low, &self.width * high);
        let passed = self.cuts.partition_point(|cut| cut * sum <= low);
        let inside = self.cuts[passed..].iter().map(|cut| cut * sum);
        CutInterval {
            before: self.before + passed,
            cuts: inside
                .take_while(|cut| *cut < high)
                .map(|cut| cut - &low)
                .collect(),
            width: high - low,
        }
    }

    /// Returns the same interval in the largest possible unit.
    pub fn reduced(mut self) -> CutInterval {
        let common = self.cuts.iter().fold(self.width.clone(), |a, b| a.gcd(b));
        if !common.is_one() {
            self.cuts.iter_mut().for_each(|cut| *cut /= &common);
            self.width /= common;
        }
        self
    }
}

/// Returns the part of a number that is coprime to `other`.
fn coprime_part(number: &BigUint, other: &BigUint) -> BigUint {
    let mut rest = number.clone();
    loop {
        let common = rest.gcd(other);
        if common.is_one() {
            return rest;
        }
        rest /= common;
    }
}

/// The ends of the faces with these weights: 0, a_1, a_1 + a_2, ..., A.
pub(crate) fn face_ends(weights: &[BigUint]) -> Vec<BigUint> {
    let zero = std::iter::once(BigUint::zero());
    let sums = weights.iter().scan(BigUint::zero(), |sum, weight| {
        *sum += weight;
        Some(sum.clone())
    });
    zero.chain(sums).collect()
}

impl Cuts {
    /// Computes the law for faces with these weights and cuts at `cuts[i]` / `whole`. Returns
    /// `None` if it is unknown whether some cut ends, although after all rolls that were followed
    /// its intervals may still have a probability above 2^-64. (Up to 4096 rolls are followed,
    /// fewer if the weights are long; for a coin it is always known whether a cut ends.) Cost:
    /// mostly a gcd for each cut.
    ///
    /// # Panics
    /// Unless there are at least two weights, all weights are above 0, and the cuts increase
    /// strictly and lie between 0 and `whole`.
    pub fn new(weights: Vec<BigUint>, cuts: Vec<BigUint>, whole: BigUint) -> Option<Cuts> {
        assert!(weights.len() >= 2 && weights.iter().all(|weight| !weight.is_zero()));
        let inside = |cut: &BigUint| !cut.is_zero() && *cut < whole;
        assert!(cuts.iter().all(inside) && cuts.is_sorted_by(|a, b| a < b));
        let first = CutInterval {
            before: 0,
            cuts,
            width: whole,
        };
        let mut law = Cuts {
            ends: face_ends(&weights),
            first,
            cut_ends: Vec::new(),
            primes: PrimeValuations::all(&face_ends(&weights)),
            mean: OnceLock::new(),
        };
        law.cut_ends = law.first.cuts.iter().map(|cut| law.cut_end(cut)).collect();
        match law.unsettled() {
            Some(rolls) if !law.has_rare_sequences(rolls) => None,
            _ => Some(law),
        }
    }

    /// The sum A of the weights: P(T > t) is an integer divided by A^t.
    fn sum(&self) -> &BigUint {
        self.ends.last().expect("two faces")
    }

    /// The number of faces.
    pub fn faces(&self) -> u64 {
        self.ends.len() as u64 - 1
    }

    /// Determines when a cut ends.
    fn cut_end(&self, cut: &BigUint) -> CutEnd {
        let base = self.sum();
        let common = cut.gcd(&self.first.width);
        let (mut c, mut of) = (cut / &common, &self.first.width / common);
        if !coprime_part(&of, base).is_one() {
            return CutEnd::Never;
        }
        let mut seen = HashSet::new();
        let most = max_followed_rolls(base);
        let looks = ((1 << 16) / self.faces()).clamp(1, FOLLOWED_ROLLS);
        for rolls in 0..most {
            spend(of.bits() / 8 + 16);
            if rolls < looks && self.never_reaches_end(&c, &of)
                || !seen.insert((c.clone(), of.clone()))
            {
                return CutEnd::Never;
            }
            let moved = &c * base;
            let face = self.ends.partition_point(|end| end * &of <= moved) - 1;
            let rest = moved - &self.ends[face] * &of;
            if rest.is_zero() {
                return CutEnd::At(rolls + 1);
            }
            let weight = &self.ends[face + 1] - &self.ends[face];
            (c, of) = cancel_common_factors(rest, of * &weight, &(base * &weight));
            let outside = coprime_part(&weight, base);
            if !(&of % &outside).gcd(&outside).is_one() {
                return CutEnd::Never;
            }
        }
        CutEnd::After(most)
    }

    /// Checks whether the valuations prove that the cut c / `of` never reaches an end between two
    /// faces.
    fn never_reaches_end(&self, c: &BigUint, of: &BigUint) -> bool {
        let bounds = self.primes.iter().filter_map(|adic| {
            let valuation = valuation(c, adic.prime) - valuation(of, adic.prime);
            Some((adic, adic.least_later_valuation(valuation)?))
        });
        let bounds: Vec<(&PrimeValuations, i64)> = bounds.collect();
        let is_off = |end: usize| {
            let below =
                |(adic, least): &(&PrimeValuations, i64)| adic.ends[end] - adic.sum < *least;
            bounds.iter().any(below)
        };
        (0..self.faces() as usize - 1).all(is_off)
    }

    /// Checks whether every sequence of `rolls` rolls has a probability below 2^-64.
    fn has_rare_sequences(&self, rolls: u64) -> bool {
        let (_, rest) = self.likeliest_face();
        // (1 - rest/A)^t < exp(-t rest/A), and 64 ln 2 < 45
        rest * rolls > self.sum() * 45u8
    }

    /// The undecided parts of an interval after a roll, each with its face.
    fn children<'a>(
        &'a self,
        part: &'a CutInterval,
    ) -> impl Iterator<Item = (usize, CutInterval)> + 'a {
        let of = |(face, ends): (usize, &[BigUint])| {
            (face, part.subinterval(&ends[0], &ends[1], self.sum()))
        };
        let all = self.ends.windows(2).enumerate().map(of);
        all.filter(|(_, part)| !part.cuts.is_empty())
    }

    /// Rolls once in each undecided interval. Each interval is listed with its mass, multiplied by
    /// `base`^t.
    fn roll_intervals(&self, live: &[(BigUint, CutInterval)]) -> Vec<(BigUint, CutInterval)> {
        let mut later = Vec::new();
        for (mass, part) in live {
            spend((part.cuts.len() as u64 + self.faces()) * (part.width.bits() / 16 + 16));
            later.extend(self.children(part).map(|(face, child)| {
                let weight = &self.ends[face + 1] - &self.ends[face];
                (mass * weight, child)
            }));
        }
        later
    }

    /// The undecided interval before any roll.
    fn first_interval(&self) -> Vec<(BigUint, CutInterval)> {
        if self.first.cuts.is_empty() {
            Vec::new()
        } else {
            vec![(BigUint::one(), self.first.clone())]
        }
    }

    /// `E[T]` as a fraction. It is known if at most 4096 rolls (fewer if the weights are long)
    /// separate the cuts, and T is bounded or the source is a coin. Cost: at most these rolls,
    /// once.
    pub fn mean_fraction(&self) -> Option<&Rational> {
        let mean = || {
            let coin = self.faces() == 2;
            if !coin && self.worst_case().is_none() {
                return None;
            }
            let number = |n: &BigUint| Rational::from(BigInt::from(n.clone()));
            let base = self.sum();
            // The sum of the terms so far is in units of base / scale. For an interval with a
            // single cut that never ends, all later terms are added as one term.
            let (mut live, mut sum, mut scale) =
                (self.first_interval(), BigUint::zero(), BigUint::one());
            let mut closed = Rational::zero();
            for _ in 0..max_followed_rolls(base) {
                let single = |(_, part): &(BigUint, CutInterval)| {
                    coin && part.cuts.len() == 1 && self.cut_ends[part.before] == CutEnd::Never
                };
                let (done, left): (Vec<_>, Vec<_>) = live.into_iter().partition(single);
                for (mass, part) in done {
                    let [_, heads, _] = &self.ends[..] else {
                        unreachable!("a coin")
                    };
                    let c = number(&part.cuts[0]) / number(&part.width);
                    let linear =
                        (Rational::one() - &c) / number(&(base - heads)) + c / number(heads);
                    closed += number(&mass) * linear * number(base) / number(&scale);
                }
                let alive: BigUint = left.iter().map(|(mass, _)| mass).sum();
                sum = sum * base + alive;
                if left.is_empty() {
                    return Some(closed + number(&sum) / number(&scale));
                }
                live = self.roll_intervals(&left);
                scale *= base;
            }
            None
        };
        self.mean.get_or_init(mean).as_ref()
    }

    /// `E[T^j]` within 2^-bits. Let p be the largest probability and b = log2(1 / (1 - p)) + 1.
    /// Cost: for each cut O((bits + b) / b) runs of the likeliest face, and for each run
    /// O(log(bits + b) + b) products of O(bits + j b) bits.
    fn moment_within(&self, j: u32, bits: u64) -> Enclosure {
        let (_, rest) = self.likeliest_face();
        // (1 - p)^-j is at most 2^(j * load)
        let load = (self.sum() / rest).bits();
        let mut places = bits + 64 + (u64::from(j) + 2) * load;
        loop {
            match MomentSum::new(self, j, places).moment(bits) {
                Some(found) if found.is_within(bits) => return found,
                _ => places *= 2,
            }
        }
    }

    /// The likeliest face, and the sum of the weights of the other faces.
    fn likeliest_face(&self) -> (usize, BigUint) {
        let weight = |face: usize| &self.ends[face + 1] - &self.ends[face];
        let face = (0..self.faces() as usize).max_by_key(|face| weight(*face));
        let face = face.expect("two faces");
        (face, self.sum() - weight(face))
    }
}

impl PartialEq for Cuts {
    fn eq(&self, other: &Cuts) -> bool {
        (&self.ends, &self.first) == (&other.ends, &other.first)
    }
}

impl LawKind for Cuts {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn unit(&self) -> RollUnit {
        RollUnit::of_sides(self.faces().into())
    }

    fn base(&self) -> BigUint {
        self.sum().clone()
    }

    /// Cost of term t: for each cut, a few products of a weight with a number of O(t log base)
    /// bits.
    fn undecided_nodes(&self) -> Box<dyn Iterator<Item = BigUint> + '_> {
        let mut live = self.first_interval();
        Box::new(std::iter::repeat_with(move || {
            let alive = live.iter().map(|(mass, _)| mass).sum();
            live = self.roll_intervals(&live);
            alive
        }))
    }

    fn worst_case(&self) -> Option<u64> {
        let at = |last: &CutEnd| match last {
            CutEnd::At(last) => Some(*last),
            CutEnd::Never | CutEnd::After(_) => None,
        };
        let lasts: Option<Vec<u64>> = self.cut_ends.iter().map(at).collect();
        Some(lasts?.into_iter().max().unwrap_or(0))
    }

    /// If it is unknown whether some cut ends, returns the number of rolls for which this cut was
    /// followed.
    fn unsettled(&self) -> Option<u64> {
        let rolls = |last: &CutEnd| match last {
            CutEnd::After(rolls) => Some(*rolls),
            CutEnd::At(_) | CutEnd::Never => None,
        };
        if self.cut_ends.contains(&CutEnd::Never) {
            None
        } else {
            self.cut_ends.iter().filter_map(rolls).min()
        }
    }

    fn size(&self) -> FractionSize {
        FractionSize::Sum
    }

    fn has_fraction(&self) -> bool {
        false
    }

    fn exact_mean(&self) -> Result<Rational, FractionSize> {
        self.mean_fraction().cloned().ok_or(FractionSize::Sum)
    }

    fn moments(self: Arc<Self>) -> [Real; 4] {
        let moment = |j| {
            let law = self.clone();
            Real::cached(move |bits| law.moment_within(j, bits))
        };
        let mean = self.mean_fraction().cloned().map(Real::Exact);
        [
            mean.unwrap_or_else(|| moment(1)),
            moment(2),
            moment(3),
            moment(4),
        ]
    }
}

/// Adds up the terms of a moment, in numbers with `places` binary places. If all cuts of an
/// interval stay in the part of the likeliest face for 2^i rolls, these rolls are one step, a run:
/// after 2^i rolls of that face the part begins at x (1 - p^(2^i)) and is p^(2^i) wide, where x = l
/// / (1 - p) is the fixed point of a roll.
struct MomentSum<'a> {
    law: &'a Cuts,
    j: usize,
    places: u64,
    /// The cuts, as numbers between 0 and 1.
    cuts: Vec<Enclosure>,
    /// For each face, the start and the width of its part.
    faces: Vec<[Enclosure; 2]>,
    /// For each i, the start and the width after 2^i rolls of the likeliest face, and the sums of
    /// s^m p^s over s < 2^i, m < j.
    runs: Vec<([Enclosure; 2], Vec<Enclosure>)>,
}

/// An undecided interval after `rolls` rolls, and the cuts inside.
struct LiveInterval {
    rolls: BigUint,
    low: Enclosure,
    mass: Enclosure,
    cuts: Vec<usize>,
    /// The index of the longest run that may follow, plus 1.
    runs: usize,
}

fn scale_enclosure(x: &Enclosure, factor: &BigInt) -> Enclosure {
    Enclosure {
        low: &x.low * factor,
        high: &x.high * factor,
        bits: x.bits,
    }
}

impl<'a> MomentSum<'a> {
    fn new(law: &'a Cuts, j: u32, places: u64) -> MomentSum<'a> {
        let part = |a: &BigUint, b: &BigUint| {
            let [a, b] = [a, b].map(|x| BigInt::from(x.clone()));
            Enclosure::of_ratio(&a, &BigInt::zero(), &b, places)
        };
        let (likeliest, rest) = law.likeliest_face();
        let (base, j) = (law.sum(), j as usize);
        let whole = part(&BigUint::one(), &BigUint::one());
        let fixed = part(&law.ends[likeliest], &rest);
        let faces = law.ends.windows(2);
        let faces: Vec<[Enclosure; 2]> = faces
            .map(|ends| [part(&ends[0], base), part(&(&ends[1] - &ends[0]), base)])
            .collect();
        let mut sums = vec![part(&BigUint::zero(), base); j];
        sums[0] = whole.clone();
        let mut runs = vec![(faces[likeliest].clone(), sums)];
        while let Some(([_, power], sums)) = runs.last()
            && power.high.bits() > places / 2
        {
            spend((j as u64 + 1) * places / 16);
            let length = BigInt::one() << (runs.len() - 1);
            // The terms of the second half: (s + length)^m p^(s + length)
            let doubled = |m: usize| {
                let ways = binomials(m).into_iter().zip(sums).enumerate();
                let later = ways.map(|(i, (ways, sum))| {
                    scale_enclosure(
                        sum,
                        &(BigInt::from(ways) * num_traits::pow(length.clone(), m - i)),
                    )
                });
                let later = later.reduce(|a, b| a.plus(&b)).expect("one at least");
                sums[m].plus(&power.times(&later))
            };
            let sums = (0..j).map(doubled).collect();
            let power = power.times(power);
            let low = fixed.times(&whole.minus(&power));
            runs.push(([low, power], sums));
        }
        let cuts = law.first.cuts.iter();
        let cuts = cuts.map(|cut| part(cut, &law.first.width)).collect();
        MomentSum {
            law,
            j,
            places,
            cuts,
            faces,
            runs,
        }
    }

    /// Returns the part of an interval that is left after `more` further rolls; `None` if the
    /// precision does not determine which cuts lie inside.
    fn part(
        &self,
        of: &LiveInterval,
        more: BigUint,
        [low, wide]: &[Enclosure; 2],
    ) -> Option<LiveInterval> {
        spend((of.cuts.len() as u64 + 2) * (self.places / 16 + 16));
        let rolls = &of.rolls + more;
        let low = of.low.plus(&of.mass.times(low));
        let mass = of.mass.times(wide);
        let high = low.plus(&mass);
        let mut cuts = Vec::new();
        for &cut in &of.cuts {
            let at = &self.cuts[cut];
            let ended = self.law.cut_ends[cut].has_ended(&rolls);
            if ended || at.high <= low.low || high.high <= at.low {
                continue; // a cut that has ended lies at an end of its interval
            }
            if at.low <= low.high || high.low <= at.high {
                return None;
            }
            cuts.push(cut);
        }
        let runs = self.runs.len();
        Some(LiveInterval {
            rolls,
            low,
            mass,
            cuts,
            runs,
        })
    }

    /// Finds the longest run that keeps all cuts. Returns the interval after the run, and the run's
    /// contribution to the sum, divided by the mass.
    fn run(&self, live: &LiveInterval) -> Option<(LiveInterval, Enclosure)> {
        let keeps = |i: usize| {
            let later = self.part(live, BigUint::one() << i, &self.runs[i].0)?;
            (later.cuts.len() == live.cuts.len()).then_some((i, later))
        };
        // Most runs are short, so try the shortest first: a run can keep all cuts only if all
        // shorter runs do.
        let (runs, later) = if live.runs == self.runs.len() {
            (0..live.runs).map_while(keeps).last()?
        } else {
            (0..live.runs).rev().find_map(keeps)?
        };
        let (t, one) = (BigInt::from(live.rolls.clone()), BigInt::one());
        let power = |x: &BigInt, e: usize| num_traits::pow(x.clone(), e);
        let sums = self.runs[runs].1.iter().zip(binomials(self.j)).enumerate();
        // Expand (t + s + 1)^j - (t + s)^j by powers of s
        let terms = sums.map(|(m, (sum, ways))| {
            let of_t = power(&(&t + &one), self.j - m) - power(&t, self.j - m);
            scale_enclosure(sum, &(BigInt::from(ways) * of_t))
        });
        let sum = terms.reduce(|a, b| a.plus(&b)).expect("j is above 0");
        // The next run must be shorter, because two equal runs in a row would have been one longer
        // run.
        let runs = if runs + 1 == self.runs.len() {
            self.runs.len()
        } else {
            runs
        };
        Some((LiveInterval { runs, ..later }, sum))
    }

    /// Computes the moment to within about 2^-bits; `None` if the precision is too small.
    fn moment(&self, bits: u64) -> Option<Enclosure> {
        let [low, mass] = [BigInt::zero(), BigInt::one() << self.places];
        let exact = |at: BigInt| Enclosure {
            low: at.clone(),
            high: at,
            bits: self.places,
        };
        let mut sum = exact(BigInt::zero());
        let all = self.cuts.len();
        let mut open = vec![LiveInterval {
            rolls: BigUint::zero(),
            low: exact(low),
            mass: exact(mass),
            cuts: (0..all).collect(),
            runs: self.runs.len(),
        }];
        let j = self.j as u32;
        let (_, rest) = self.law.likeliest_face();
        let (factor, rest) = (
            self.law.sum().pow(j) * (1..=j).product::<u32>(),
            rest.pow(j),
        );
        let enough = BigInt::from(rest.clone()) << (self.places - bits - 2);
        while let Some(live) = open.pop() {
            if live.cuts.is_empty() {
                continue;
            }
            // The remaining terms add at most `top` / `rest`; they are dropped at most once for
            // each cut.
            let later = (&live.rolls + 1u8).pow(j - 1) * &factor * live.cuts.len();
            let top = &live.mass.high * BigInt::from(later);
            if &top * all <= enough {
                sum.high += top / BigInt::from(rest.clone()) + 1;
                continue;
            }
            match self.run(&live) {
                Some((later, often)) => {
                    sum = sum.plus(&live.mass.times(&often));
                    open.push(later);
                }
                None => {
                    let once = (&live.rolls + 1u8).pow(j) - live.rolls.pow(j);
                    sum = sum.plus(&scale_enclosure(&live.mass, &once.into()));
                    for face in &self.faces {
                        open.push(self.part(&live, BigUint::one(), face)?);
                    }
                }
            }
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Law;
    use super::*;
    use crate::algorithms::find;
    use crate::task::{Source, Target, Task};
    use proptest::prelude::*;

    fn law(weights: &[u64], target: &[u64]) -> Option<Arc<Cuts>> {
        let of = |numbers: &[u64]| {
            numbers
                .iter()
                .map(|n| (*n).into())
                .collect::<Vec<BigUint>>()
        };
        let ends = face_ends(&of(target));
        let (whole, cuts) = (ends[target.len()].clone(), ends[1..target.len()].to_vec());
        Cuts::new(of(weights), cuts, whole).map(Arc::new)
    }

    /// Computes P(T > t) from the definition, over all sequences of this length.
    fn words(weights: &[u64], target: &[u64], depth: u32) -> BigUint {
        let (sum, whole) = (weights.iter().sum::<u64>(), target.iter().sum::<u64>());
        let ratio = |a: u64, b: u64| Rational::new(a.into(), b.into());
        let cuts = target.iter().scan(0, |sum, w| {
            *sum += w;
            Some(ratio(*sum, whole))
        });
        let cuts: Vec<Rational> = cuts.collect();
        let mut words = vec![(Rational::zero(), Rational::one(), BigUint::one())];
        for _ in 0..depth {
            let split = |(low, width, mass): &(Rational, Rational, BigUint)| {
                let mut begin = low.clone();
                let part = |weight: &u64| {
                    let width = width * ratio(*weight, sum);
                    let end = &begin + &width;
                    let low = std::mem::replace(&mut begin, end);
                    (low, width, mass * *weight)
                };
                weights.iter().map(part).collect::<Vec<_>>()
            };
            words = words.iter().flat_map(split).collect();
        }
        let open = |(low, width, _): &&(Rational, Rational, BigUint)| {
            let high = low + width;
            cuts.iter().any(|cut| low < cut && *cut < high)
        };
        words.iter().filter(open).map(|(_, _, mass)| mass).sum()
    }

    const SOURCES: [&[u64]; 11] = [
        &[1, 2],
        &[2, 1],
        &[1, 3],
        &[2, 3],
        &[1, 1, 2],
        &[1, 2, 3],
        &[4, 1, 1],
        &[1, 1, 8],
        &[1, 2, 9],
        &[1, 4, 1, 4],
        &[2, 3, 4, 3],
    ];
    const TARGETS: [&[u64]; 6] = [
        &[1, 1],
        &[1, 1, 1],
        &[1, 1, 1, 1],
        &[3, 5],
        &[1, 2, 4],
        &[1, 1, 1, 1, 1, 1],
    ];

    #[test]
    fn undecided_nodes_are_those_of_all_words() {
        for source in SOURCES {
            for target in TARGETS {
                let law = law(source, target).unwrap();
                for (t, alive) in law.undecided_nodes().take(6).enumerate() {
                    let of_words = words(source, target, t as u32);
                    assert_eq!(alive, of_words, "{target:?} from {source:?}, t = {t}");
                }
            }
        }
    }

    /// The sum of the first 400 terms is below each moment and near it: for p <= 3/4, all later
    /// terms add less than 2^-100. The exact mean lies in the enclosures.
    #[test]
    fn moments_are_the_sums_of_the_terms() {
        for source in SOURCES {
            for target in TARGETS {
                let law = law(source, target).unwrap();
                let what = format!("{target:?} from {source:?}");
                let mut raw = [0u8; 4].map(|_| Rational::zero());
                let mut scale = BigInt::one();
                for (t, s) in law.undecided_nodes().take(400).enumerate() {
                    let survival = Rational::new(s.into(), scale.clone());
                    for (j, raw) in raw.iter_mut().enumerate() {
                        let power = |t: usize| num_traits::pow(BigInt::from(t), j + 1);
                        *raw += &survival * (power(t + 1) - power(t));
                    }
                    scale *= BigInt::from(law.base().clone());
                }
                let near = Rational::new(1.into(), BigInt::one() << 100u8);
                for (j, sum) in (1u32..).zip(&raw) {
                    let got = law.moment_within(j, 80);
                    assert!(got.is_within(80));
                    assert!(got.low() <= sum + &near && *sum <= got.high(), "{what}");
                }
                if let Some(mean) = law.mean_fraction() {
                    assert!(raw[0] <= *mean && *mean <= &raw[0] + &near, "{what}");
                    assert!(law.moment_within(1, 200).contains(mean), "{what}");
                }
                assert_eq!(
                    law.mean_fraction().is_some(),
                    source.len() == 2 || law.worst_case().is_some(),
                    "{what}"
                );
                if let Some(last) = law.worst_case() {
                    let mut counts = law.undecided_nodes().skip(last as usize);
                    assert!(
                        last == 0
                            || !law
                                .undecided_nodes()
                                .nth(last as usize - 1)
                                .unwrap()
                                .is_zero()
                    );
                    assert!(counts.next().unwrap().is_zero(), "{what}");
                }
            }
        }
    }

    /// From 1:1:4 and 1:1:8, cuts whose denominators are powers of 2 never reach ends whose
    /// denominators contain 3 or 5. For 1:2:9, the exponent of 2 in 1/2 and 1/3 stays at -1 or
    /// above, while 1/12 and 3/12 have -2; 1/8 reaches 3/12 after one roll. A cut whose exponents
    /// have no pattern is reported as undecided.
    #[test]
    fn valuations_keep_cuts_from_ends() {
        let lasts = |source, target| law(source, target).unwrap().cut_ends.clone();
        assert_eq!(lasts(&[1, 1, 4], &[1, 1, 1, 1]), [CutEnd::Never; 3]);
        assert_eq!(lasts(&[1, 1, 8], &[1, 1]), [CutEnd::Never]);
        assert_eq!(lasts(&[1, 2, 9], &[1, 1, 1]), [CutEnd::Never; 2]);
        assert_eq!(lasts(&[1, 2, 9], &[1, 1]), [CutEnd::Never]);
        assert_eq!(lasts(&[1, 2, 9], &[1, 7]), [CutEnd::At(2)]);
        let wanders = law(&[1, 4, 1, 4], &[1, 3]).unwrap();
        assert_eq!(wanders.cut_ends, [CutEnd::After(4096)]);
        assert_eq!(
            (wanders.worst_case(), wanders.unsettled()),
            (None, Some(4096))
        );
    }

    /// A face that comes up 10^60 times in a row or more: the mean of a fair bit is (1/p + 1/q) /
    /// 2, and T is nearly the minimum of a geometric number of rolls and its median.
    #[test]
    fn faces_that_are_almost_certain() {
        let likely = BigUint::from(10u8).pow(60);
        let weights = vec![BigUint::one(), likely.clone()];
        let bit = Cuts::new(weights, vec![1u8.into()], 2u8.into()).unwrap();
        let mean = bit.mean_fraction().unwrap();
        assert!(bit.moment_within(1, 200).contains(mean));
        // the integral of 2 t exp(-p t) up to (ln 2) / p is (1 - ln 2) / p^2
        let second = bit.moment_within(2, 64);
        let square = Rational::from(BigInt::from(likely.pow(2)));
        let ratio = (second.low() / &square, second.high() / square);
        let near = |x: u64| Rational::new(x.into(), 1_000_000_000_000u64.into());
        assert!(near(306_852_819_440) < ratio.0 && ratio.1 < near(306_852_819_441)); // 1 - ln 2
    }

    /// For a fair bit the mean is (1/p + 1/q) / 2; it lies between H(target)/H(source) and Han &
    /// Hoshi's bound.
    #[test]
    fn a_fair_bit_from_a_loaded_coin() {
        for (a, b) in [(1u64, 2u64), (1, 3), (2, 3), (3, 7), (5, 12), (1, 1000)] {
            let mean = Rational::new((a + b).pow(2).into(), (2 * a * b).into());
            assert_eq!(law(&[a, b], &[1, 1]).unwrap().mean_fraction(), Some(&mean));
        }
    }

    proptest! {
        /// If the chain of the rule's steps is finite, its law is that of the cuts.
        #[test]
        fn cuts_agree_with_the_chain(
            weights in prop::collection::vec(1u64..5, 2..4),
            target in prop::collection::vec(1u64..9, 1..5),
        ) {
            let source = Source::loaded(weights.clone()).unwrap();
            prop_assume!(!source.is_fair());
            let task = Task::new(Target::weighted(target.clone()).unwrap(), source);
            let interval = find("interval").unwrap().prepare(&task);
            let law = law(&weights, &target);
            prop_assume!(interval.is_ok() && law.is_some());
            let (interval, law) = (interval.unwrap(), law.unwrap());
            let given = interval.law().unwrap();
            let base = BigInt::from(weights.iter().sum::<u64>());
            for (t, (s, survival)) in law.undecided_nodes().zip(given.survival()).take(20).enumerate() {
                prop_assert_eq!(Rational::new(s.into(), num_traits::pow(base.clone(), t)), survival);
            }
            if let Ok((chain, _)) = interval.chain(1 << 10) {
                let probabilities = chain.probabilities();
                for (outcome, weight) in task.target().iter() {
                    let share = Rational::new(weight.clone().into(), task.target().weight_sum().clone().into());
                    prop_assert_eq!(&probabilities[&outcome], &share);
                }
                let chain = Law::from(chain);
                let (mean, second) = chain.0.exact_moments().unwrap();
                prop_assert!(law.moment_within(1, 90).contains(&mean));
                prop_assert!(law.moment_within(2, 90).contains(&second));
                prop_assert!(law.mean_fraction().is_none_or(|fraction| *fraction == mean));
                prop_assert_eq!(law.worst_case(), chain.max());
            }
        }
    }
}
