//! The bits of Peres's method of a die.
//!
//! A die has what a coin has not: two faces that differ may be any two. Their unordered pairs are the rolls of a die of m(m-1)/2
//! faces, independent of their orders, so Psi of their sequence follows the other three parts. With two faces it is constant and
//! gives nothing.
//!
//! **By power sums.** The weights a_i enter by P_j = sum of a_i^j alone, j = 1, 2, 4, ...: two equal faces are a roll of the
//! die of weights a_i^2, whose sums are P_2j, and two that differ one of the weights 2 a_i a_k, whose sums are 2^(j-1) (P_j^2 - P_2j).
//! Of m pairs of which d differ, their places are among C(m, d) that are equally likely, and the m - d equal ones and the d others
//! are independent rolls of these dice, so the sums over all words are those of three independent parts:
//!
//! ```text
//! (mass, bits, squares)(2m) = sum over d of (C, T, S)(m, d) moved by d bits * equal(m - d) * differ(d)
//! (M, T, S) * (M', T', S') = (M M', T M' + M T', S M' + 2 T T' + M S')
//! ```
//!
//! with C, T, S of a coin as in `peres_types`. Cost of n rolls: O(n^2) products of n digits beside those of the coin. Where
//! nobody knows the weights, all of these are polynomials in them.
//!
//! **Source.** Pae 2015, A generalization of Peres's algorithm for generating random bits from loaded dice, IEEE Trans. Inf.
//! Theory 61 (its abstract, and Pae 2018, Peres-style recursive algorithms; that this is fair and what it yields is derived here).

use super::extractor::{NotComputed, Yielded};
use super::peres_types::{Counted, to_length};
use flipcost::task::Source;
use flipcost_number::budget::spend;
use flipcost_number::reduce::reduce;
use flipcost_number::{BigInt, BigUint, Polynomial};
use num_traits::{One, Zero};

/// The sequences that say which pairs differ, as coins: those of each level, or those of all levels.
struct Coins {
    tables: Vec<Vec<Counted>>,
    /// Where it ends, if it does not go through all.
    levels: Option<u32>,
}

impl Coins {
    /// For n rolls.
    fn new(n: usize, levels: Option<u32>) -> Coins {
        let tables = match levels {
            None => vec![to_length(n / 2, None)],
            Some(levels) => (1..=levels)
                .map(|level| to_length(n >> level, Some(levels - level)))
                .collect(),
        };
        Coins { tables, levels }
    }

    fn level(&self, level: usize) -> &[Counted] {
        &self.tables[level.min(self.tables.len() - 1)]
    }

    fn ends(&self, level: usize) -> bool {
        self.levels.is_some_and(|levels| level as u32 >= levels)
    }
}

/// What n rolls of a known source of any number of faces yield, with all levels or so many, one at least.
pub(super) fn yielded(
    source: &Source,
    n: usize,
    levels: Option<u32>,
) -> Result<Yielded, NotComputed> {
    let powers = power_sums(source, n)?;
    let sums = of_length(n, &powers, &Coins::new(n, levels));
    let bits = reduce(&sums.bits, &sums.mass);
    let variance = reduce(&sums.squares, &sums.mass) - &bits * &bits;
    Ok(Yielded {
        bits: bits.into(),
        variance: Some(variance),
    })
}

/// The expected bits from n rolls of a die of so many faces, as a polynomial in their probabilities.
pub(super) fn polynomial(faces: usize, n: usize, among: Option<u32>) -> Polynomial {
    let power = |level: u32| {
        Polynomial::from_terms((0..faces).map(|face| {
            let mut powers = vec![0; face + 1];
            powers[face] = 1 << level;
            (powers, BigInt::one())
        }))
    };
    let powers: Vec<Polynomial> = (0..levels(n)).map(power).collect();
    of_length(n, &powers, &Coins::new(n, among)).bits
}

/// The power sums that n rolls take.
fn levels(n: usize) -> u32 {
    1 + n.max(1).ilog2()
}

/// P_1, P_2, P_4, ..., as many as n rolls take.
fn power_sums(source: &Source, n: usize) -> Result<Vec<BigUint>, NotComputed> {
    let levels = levels(n);
    match source.weights() {
        _ if source.is_unknown() => Err(NotComputed::Unknown),
        None => Ok(vec![source.sides(); levels as usize]),
        Some(weights) => {
            let sum = |level: u32| weights.iter().map(|weight| weight.pow(1 << level)).sum();
            Ok((0..levels).map(sum).collect())
        }
    }
}

/// What weights are: numbers, or polynomials where they are unknown.
trait Weight: Clone {
    fn from_integer(number: &BigUint) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    /// About the words of its digits.
    fn words(&self) -> u64;
}

impl Weight for BigUint {
    fn from_integer(number: &BigUint) -> BigUint {
        number.clone()
    }

    fn plus(&self, other: &BigUint) -> BigUint {
        self + other
    }

    fn minus(&self, other: &BigUint) -> BigUint {
        self - other
    }

    fn times(&self, other: &BigUint) -> BigUint {
        self * other
    }

    fn words(&self) -> u64 {
        self.bits() / 64
    }
}

impl Weight for Polynomial {
    fn from_integer(number: &BigUint) -> Polynomial {
        Polynomial::constant(BigInt::from(number.clone()))
    }

    fn plus(&self, other: &Polynomial) -> Polynomial {
        self + other
    }

    fn minus(&self, other: &Polynomial) -> Polynomial {
        self - other
    }

    fn times(&self, other: &Polynomial) -> Polynomial {
        self * other
    }

    fn words(&self) -> u64 {
        self.terms().count() as u64
    }
}

/// Over the words of one length: the sum of their weights, that of their bits, and that of the squares of these.
#[derive(Clone)]
struct WeightedSums<N> {
    mass: N,
    bits: N,
    squares: N,
}

impl<N: Weight> WeightedSums<N> {
    fn without_bits(mass: N) -> WeightedSums<N> {
        WeightedSums {
            mass,
            bits: N::from_integer(&BigUint::zero()),
            squares: N::from_integer(&BigUint::zero()),
        }
    }

    /// Words of both parts.
    fn and(&self, other: &WeightedSums<N>) -> WeightedSums<N> {
        let crossed = self.bits.times(&other.bits);
        let [first, second] = [&self.bits, &self.squares].map(|sum| sum.times(&other.mass));
        let [bits, squares] = [&other.bits, &other.squares].map(|sum| self.mass.times(sum));
        WeightedSums {
            mass: self.mass.times(&other.mass),
            bits: first.plus(&bits),
            squares: second.plus(&crossed).plus(&crossed).plus(&squares),
        }
    }

    fn add(&mut self, other: &WeightedSums<N>) {
        self.mass = self.mass.plus(&other.mass);
        self.bits = self.bits.plus(&other.bits);
        self.squares = self.squares.plus(&other.squares);
    }
}

/// The sums of n rolls of the die of these power sums, by those of a coin up to n/2.
fn of_length<N: Weight>(n: usize, powers: &[N], coins: &Coins) -> WeightedSums<N> {
    let (equal, differ) = pairs(n / 2, powers, coins, 0);
    paired(n, &powers[0], coins.level(0), &equal, &differ)
}

/// The sums of all lengths up to the longest, of equal pairs and of those that differ.
fn pairs<N: Weight>(
    longest: usize,
    powers: &[N],
    coins: &Coins,
    level: usize,
) -> (Vec<WeightedSums<N>>, Vec<WeightedSums<N>>) {
    let differ: Vec<N> = (powers.iter().zip(&powers[1..]).enumerate())
        .map(|(power, (sum, next))| {
            let twice = BigUint::one() << ((1usize << power) - 1);
            sum.times(sum).minus(next).times(&N::from_integer(&twice))
        })
        .collect();
    let all = |powers: &[N]| match powers {
        [] => vec![WeightedSums::without_bits(N::from_integer(&BigUint::one()))],
        _ => to_longest(longest, powers, coins, level + 1),
    };
    (all(&powers[1..]), all(&differ))
}

/// The sums of all lengths up to the longest.
fn to_longest<N: Weight>(
    longest: usize,
    powers: &[N],
    coins: &Coins,
    level: usize,
) -> Vec<WeightedSums<N>> {
    if coins.ends(level) {
        let one = WeightedSums::without_bits(N::from_integer(&BigUint::one()));
        let next =
            |all: &WeightedSums<N>| Some(WeightedSums::without_bits(all.mass.times(&powers[0])));
        return std::iter::successors(Some(one), next)
            .take(longest + 1)
            .collect();
    }
    let (equal, differ) = pairs(longest / 2, powers, coins, level);
    (0..=longest)
        .map(|n| paired(n, &powers[0], coins.level(level), &equal, &differ))
        .collect()
}

/// The sums of n rolls by those of their pairs.
fn paired<N: Weight>(
    n: usize,
    sum: &N,
    coin: &[Counted],
    equal: &[WeightedSums<N>],
    differ: &[WeightedSums<N>],
) -> WeightedSums<N> {
    let m = n / 2;
    let (by_heads, places) = &coin[m];
    let mut all = WeightedSums::without_bits(N::from_integer(&BigUint::zero()));
    for d in 0..=m {
        spend(10 * (1 + n as u64 * sum.words()));
        let (mass, bits) = (&places[d], &by_heads.bits[d]);
        let orders = WeightedSums {
            mass: N::from_integer(mass),
            bits: N::from_integer(&(bits + mass * d)),
            squares: N::from_integer(&(&by_heads.squares[d] + bits * (2 * d) + mass * (d * d))),
        };
        all.add(&orders.and(&equal[m - d]).and(&differ[d]));
    }
    match n % 2 {
        1 => all.and(&WeightedSums::without_bits(sum.clone())),
        _ => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peres_types;
    use flipcost_number::Rational;

    /// Of a coin it is Peres's method, which `peres_types` counts by heads; and the mass of all words is the sum's power.
    #[test]
    fn of_two_faces_it_is_that_of_a_coin() {
        let weights = [BigUint::from(2u8), BigUint::from(5u8)];
        let coin = Source::loaded([2u8, 5]).unwrap();
        for n in (0..20).chain([63, 64, 127, 200]) {
            let (die, coins) = (
                yielded(&coin, n, None).unwrap(),
                peres_types::of_length(n, None).yielded(&weights),
            );
            assert_eq!(die.bits.exact(), coins.bits.exact(), "{n}");
            assert_eq!(die.variance, coins.variance, "{n}");
            let sums = of_length(n, &power_sums(&coin, n).unwrap(), &Coins::new(n, None));
            assert_eq!(sums.mass, BigUint::from(7u8).pow(n as u32));
        }
    }

    /// Two rolls of a die of m sides differ with probability 1 - 1/m, and give one bit then.
    #[test]
    fn wide_words_are_dice() {
        let word = yielded(&"word:64".parse().unwrap(), 2, None).unwrap();
        let one_in = Rational::new(1.into(), (1u128 << 64).into());
        assert_eq!(word.bits, Rational::one() - one_in);
    }
}
