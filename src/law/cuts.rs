//! The law of the interval algorithm on a loaded source.
//!
//! A roll keeps, of the present interval, the part of its face: [l_j, l_j + p_j) of it, where
//! l_j = p_1 + ... + p_(j-1). A word is undecided while a cut between two outcomes lies strictly
//! inside its interval, and a cut lies inside one interval of a depth at most. So P(T > t) is a sum of
//! at most k products of face probabilities, k the number of cuts. A cut at c, 0 < c < 1 of the way
//! through, moves by
//!
//! ```text
//! c -> (c - l_j) / p_j,   l_j < c < l_j + p_j;   it ends where c = l_j
//! ```
//!
//! **Does it end?** With p_j = a_j / A: a prime of the denominator of c that does not divide A stays
//! in it, since a_j only adds to its power. Such a cut never ends, and one that comes back neither.
//!
//! **Mean from a coin.** Of one cut that never ends, E(c) = 1 + p_j E((c - l_j) / p_j) has the one
//! bounded solution E(c) = (1 - c) / p_2 + c / p_1. So the mean is a fraction once no interval holds
//! two cuts.
//!
//! **Moments.** After t rolls each of the k cuts that are left holds up at most one word of each later
//! depth, and all words of s further rolls are at most p^s likely, p the largest of the p_j, given
//! their interval. Since sum_s (t+s+1)^(j-1) p^s <= (t+1)^(j-1) (j-1)! / (1-p)^j, the terms from t on
//! add to `E[T^j]` at most j! (t+1)^(j-1) / (1-p)^j times the sum over the live intervals of mass
//! times cuts.
//!
//! **Source.** The algorithm: Han & Hoshi 1997. The two statements above are proved as said.

use crate::budget::spend;
use crate::number::real::Real;
use crate::number::{BigInt, BigUint, Enclosure, Rational};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// A cut is followed for so many rolls to see whether it ends.
const MOST_ROLLS: usize = 4096;

/// Cuts of [0, 1), which a loaded source tells apart roll by roll.
///
/// ```
/// use flipcost::law::Cuts;
/// let weights = [1u8, 2].map(Into::into).to_vec();
/// let law = Cuts::new(weights, vec![1u8.into()], 2u8.into()).unwrap(); // a fair bit, p = 1/3
/// let undecided: Vec<String> = law.undecided_nodes().take(4).map(|s| s.to_string()).collect();
/// assert_eq!(undecided, ["1", "2", "2", "4"]); // over 1, 3, 9, 27
/// assert_eq!(law.mean_fraction().unwrap().to_string(), "9/4");
/// ```
#[derive(Debug)]
pub struct Cuts {
    /// The ends of the faces: 0, a_1, a_1 + a_2, ..., A.
    ends: Vec<BigUint>,
    first: Part,
    /// When each cut ends; `None`: never.
    lasts: Vec<Option<u64>>,
    mean: OnceLock<Option<Rational>>,
}

/// An interval in units of its own: [0, width), with the cuts strictly inside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    /// The number of cuts before it.
    pub before: usize,
    /// Strictly inside, in order.
    pub cuts: Vec<BigUint>,
    /// Its width.
    pub width: BigUint,
}

impl Part {
    /// The part from `low` to `high` of `sum`.
    pub fn of(&self, low: &BigUint, high: &BigUint, sum: &BigUint) -> Part {
        let (low, high) = (&self.width * low, &self.width * high);
        let passed = self.cuts.partition_point(|cut| cut * sum <= low);
        let inside = self.cuts[passed..].iter().map(|cut| cut * sum);
        Part {
            before: self.before + passed,
            cuts: inside
                .take_while(|cut| *cut < high)
                .map(|cut| cut - &low)
                .collect(),
            width: high - low,
        }
    }

    /// The same in the largest unit.
    pub fn reduced(mut self) -> Part {
        let common = self.cuts.iter().fold(self.width.clone(), |a, b| a.gcd(b));
        if !common.is_one() {
            self.cuts.iter_mut().for_each(|cut| *cut /= &common);
            self.width /= common;
        }
        self
    }

    /// Is its one cut, in lowest terms, one that never ends from a source of this sum?
    fn never_ends(&self, sum: &BigUint) -> bool {
        let mut rest = self.width.clone();
        loop {
            let common = rest.gcd(sum);
            if common.is_one() {
                return !rest.is_one();
            }
            rest /= common;
        }
    }
}

/// The ends of faces of these weights: 0, a_1, a_1 + a_2, ..., A.
pub(crate) fn ends(weights: &[BigUint]) -> Vec<BigUint> {
    let zero = std::iter::once(BigUint::zero());
    let sums = weights.iter().scan(BigUint::zero(), |sum, weight| {
        *sum += weight;
        Some(sum.clone())
    });
    zero.chain(sums).collect()
}

impl Cuts {
    /// For faces of these weights and cuts at `cuts[i]` / `whole`; `None` if one of the cuts neither
    /// ended nor came back in 4096 rolls, and is not known never to end (from a coin that is always
    /// known). Cost: a gcd for each cut, mostly.
    ///
    /// # Panics
    /// Unless there are two weights at least, none is 0, and the cuts rise strictly from above 0 to below
    /// `whole`.
    pub fn new(weights: Vec<BigUint>, cuts: Vec<BigUint>, whole: BigUint) -> Option<Cuts> {
        assert!(weights.len() >= 2 && weights.iter().all(|weight| !weight.is_zero()));
        let inside = |cut: &BigUint| !cut.is_zero() && *cut < whole;
        assert!(cuts.iter().all(inside) && cuts.is_sorted_by(|a, b| a < b));
        let first = Part {
            before: 0,
            cuts,
            width: whole,
        };
        let mut law = Cuts {
            ends: ends(&weights),
            first,
            lasts: Vec::new(),
            mean: OnceLock::new(),
        };
        law.lasts = (law.first.cuts.iter())
            .map(|cut| law.last(cut))
            .collect::<Option<_>>()?;
        Some(law)
    }

    /// The sum of the weights, A: P(T > t) is an integer over its t-th power.
    pub fn base(&self) -> &BigUint {
        self.ends.last().expect("two faces")
    }

    /// How many faces there are.
    pub fn faces(&self) -> u64 {
        self.ends.len() as u64 - 1
    }

    /// When a cut ends; within, whether it is known.
    fn last(&self, cut: &BigUint) -> Option<Option<u64>> {
        let mut part = Part {
            before: 0,
            cuts: vec![cut.clone()],
            width: self.first.width.clone(),
        };
        let mut seen = HashSet::new();
        for rolls in 0..MOST_ROLLS {
            spend(part.width.bits() / 16 + 16);
            part = part.reduced();
            if part.never_ends(self.base()) || !seen.insert(part.clone()) {
                return Some(None);
            }
            let child = self.children(&part).next();
            match child {
                Some((_, child)) => part = child,
                None => return Some(Some(rolls as u64 + 1)),
            }
        }
        None
    }

    /// The parts that are undecided after a roll, each with its face.
    fn children<'a>(&'a self, part: &'a Part) -> impl Iterator<Item = (usize, Part)> + 'a {
        let of =
            |(face, ends): (usize, &[BigUint])| (face, part.of(&ends[0], &ends[1], self.base()));
        let all = self.ends.windows(2).enumerate().map(of);
        all.filter(|(_, part)| !part.cuts.is_empty())
    }

    /// One roll of all that is live, with its mass times `base`^t.
    fn roll(&self, live: &[(BigUint, Part)]) -> Vec<(BigUint, Part)> {
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

    /// What is live before any roll.
    fn live(&self) -> Vec<(BigUint, Part)> {
        match self.first.cuts.is_empty() {
            true => Vec::new(),
            false => vec![(BigUint::one(), self.first.clone())],
        }
    }

    /// The numbers P(T > t) base^t, t = 0, 1, 2, ... Cost of term t: for each cut a few products of a
    /// weight with a number of O(t log base) bits.
    pub fn undecided_nodes(&self) -> impl Iterator<Item = BigUint> + '_ {
        let mut live = self.live();
        std::iter::repeat_with(move || {
            let alive = live.iter().map(|(mass, _)| mass).sum();
            live = self.roll(&live);
            alive
        })
    }

    /// The largest T of positive probability; `None` if T is unbounded.
    pub fn worst_case(&self) -> Option<u64> {
        let lasts: Option<Vec<u64>> = self.lasts.iter().copied().collect();
        Some(lasts?.into_iter().max().unwrap_or(0))
    }

    /// `E[T]` as a fraction, where T is bounded or the source is a coin, and 4096 rolls tell the cuts
    /// apart. Cost: of so many rolls at most, once.
    pub fn mean_fraction(&self) -> Option<&Rational> {
        let mean = || {
            let coin = self.faces() == 2;
            let base = Rational::from(BigInt::from(self.base().clone()));
            let (mut live, mut sum) = (self.live(), Rational::zero());
            let mut scale = BigInt::one();
            for _ in 0..MOST_ROLLS {
                let (mut more, mut left) = (Rational::zero(), Vec::new());
                for (mass, part) in live {
                    let single = part.cuts.len() == 1 && self.lasts[part.before].is_none();
                    let each = match coin && single {
                        true => {
                            let [_, heads, _] = &self.ends[..] else {
                                unreachable!("a coin")
                            };
                            let number = |n: BigUint| Rational::from(BigInt::from(n));
                            let (cut, width) = (&part.cuts[0], &part.width);
                            let tails = number(self.base() - heads);
                            let c = number(cut.clone()) / number(width.clone());
                            let linear = (Rational::one() - &c) / tails + c / number(heads.clone());
                            number(mass) * linear * &base
                        }
                        false => {
                            let each = Rational::from(BigInt::from(mass.clone()));
                            left.push((mass, part));
                            each
                        }
                    };
                    more += each;
                }
                sum += more / &scale;
                if left.is_empty() {
                    return Some(sum);
                }
                live = self.roll(&left);
                scale *= BigInt::from(self.base().clone());
            }
            None
        };
        self.mean.get_or_init(mean).as_ref()
    }

    /// `E[T^j]` within 2^-bits. Cost: O(bits / log2(1/p)) rolls, p the largest of the probabilities.
    fn moment_within(&self, j: u32, bits: u64) -> Enclosure {
        let base = self.base();
        let largest = self.ends.windows(2).map(|ends| &ends[1] - &ends[0]).max();
        let other = (base - largest.expect("two faces")).pow(j);
        let factor = base.pow(j) * (1..=j).product::<u32>();
        let (mut live, mut sum, mut scale) = (self.live(), BigUint::zero(), BigUint::one());
        for t in 0u64.. {
            // what is still to come is at most `top` / `bottom`
            let cuts: BigUint = live.iter().map(|(mass, part)| mass * part.cuts.len()).sum();
            let top = cuts * BigUint::from(t + 1).pow(j - 1) * &factor;
            let bottom = &scale * &other;
            if top.bits() + bits + 2 <= bottom.bits() || live.is_empty() {
                let near = |top: BigUint, bottom: &BigUint| {
                    let ratio = Rational::new_raw(top.into(), bottom.clone().into());
                    Enclosure::of_rational(&ratio, bits + 2)
                };
                // t terms are summed, in units of base^-(t - 1)
                let low = near(sum * base, &scale);
                return low.plus(&Enclosure {
                    low: BigInt::zero(),
                    ..near(top, &bottom)
                });
            }
            let alive: BigUint = live.iter().map(|(mass, _)| mass).sum();
            let rolls = BigUint::from(t);
            sum = sum * base + alive * ((&rolls + 1u8).pow(j) - rolls.pow(j));
            scale *= base;
            live = self.roll(&live);
        }
        unreachable!("what is live tends to 0")
    }

    /// `E[T]`, ..., `E[T^4]`, in rolls.
    pub fn moments(self: &Arc<Self>) -> [Real; 4] {
        let moment = |j| {
            let law = self.clone();
            Real::kept(move |bits| law.moment_within(j, bits))
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
        let ends = ends(&of(target));
        let (whole, cuts) = (ends[target.len()].clone(), ends[1..target.len()].to_vec());
        Cuts::new(of(weights), cuts, whole).map(Arc::new)
    }

    /// P(T > t) summed over the tree as it is defined, by all words of a depth.
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

    const SOURCES: [&[u64]; 8] = [
        &[1, 2],
        &[2, 1],
        &[1, 3],
        &[2, 3],
        &[1, 1, 2],
        &[1, 2, 3],
        &[4, 1, 1],
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
                let Some(law) = law(source, target) else {
                    assert_eq!(source, [4, 1, 1], "its weights share primes with their sum");
                    continue;
                };
                for (t, alive) in law.undecided_nodes().take(6).enumerate() {
                    let of_words = words(source, target, t as u32);
                    assert_eq!(alive, of_words, "{target:?} from {source:?}, t = {t}");
                }
            }
        }
    }

    /// The sums of the first terms are below each moment, and near it: with p <= 3/4, what is left
    /// after 400 rolls is below 2^-100. The exact mean lies in the enclosures.
    #[test]
    fn moments_are_the_sums_of_the_terms() {
        for source in SOURCES {
            for target in TARGETS {
                let Some(law) = law(source, target) else {
                    assert_eq!(source, [4, 1, 1], "its weights share primes with their sum");
                    continue;
                };
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

    /// A fair bit: (1/p + 1/q) / 2; Han & Hoshi's bound is above, H(target)/H(source) below.
    #[test]
    fn a_fair_bit_from_a_loaded_coin() {
        for (a, b) in [(1u64, 2u64), (1, 3), (2, 3), (3, 7), (5, 12), (1, 1000)] {
            let mean = Rational::new((a + b).pow(2).into(), (2 * a * b).into());
            assert_eq!(law(&[a, b], &[1, 1]).unwrap().mean_fraction(), Some(&mean));
        }
    }

    proptest! {
        /// A chain that closes has the law of the cuts.
        #[test]
        fn it_is_the_law_of_the_steps(
            weights in prop::collection::vec(1u64..5, 2..4),
            target in prop::collection::vec(1u64..9, 1..5),
        ) {
            let source = Source::loaded(weights.clone()).unwrap();
            prop_assume!(!source.is_fair());
            let task = Task::new(source, Target::weighted(target.clone()).unwrap());
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
                let chain = Law::Chain(chain.into());
                let (mean, second) = chain.exact_moments();
                prop_assert!(law.moment_within(1, 90).contains(&mean));
                prop_assert!(law.moment_within(2, 90).contains(&second));
                prop_assert!(law.mean_fraction().is_none_or(|fraction| *fraction == mean));
                prop_assert_eq!(law.worst_case(), chain.worst_case());
            }
        }
    }
}
