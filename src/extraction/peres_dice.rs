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
//! with C, T, S of a coin as in `peres_types`. Cost of n rolls: O(n^2) products of n digits beside those of the coin.
//!
//! **Source.** Pae 2015, A generalization of Peres's algorithm for generating random bits from loaded dice, IEEE Trans. Inf.
//! Theory 61 (its abstract, and Pae 2018, Peres-style recursive algorithms; that this is fair and what it yields is derived here).

use super::extractor::{NotComputed, Yielded};
use super::peres_types::{Counted, to_length};
use crate::budget::spend;
use crate::number::BigUint;
use crate::number::reduce::reduce;
use crate::task::Source;
use num_traits::{One, Zero};

/// What n rolls of a known source of any number of faces yield.
pub(super) fn yielded(source: &Source, n: usize) -> Result<Yielded, NotComputed> {
    let powers = power_sums(source, n)?;
    let sums = of_length(n, &powers, &to_length(n / 2));
    let bits = reduce(&sums.bits, &sums.mass);
    let variance = reduce(&sums.squares, &sums.mass) - &bits * &bits;
    Ok(Yielded {
        bits: bits.into(),
        variance: Some(variance),
    })
}

/// P_1, P_2, P_4, ..., as many as n rolls take.
fn power_sums(source: &Source, n: usize) -> Result<Vec<BigUint>, NotComputed> {
    let levels = 1 + n.max(1).ilog2();
    match source.weights() {
        _ if source.is_unknown() => Err(NotComputed::Unknown),
        None => Ok(vec![source.sides(); levels as usize]),
        Some(weights) => {
            let sum = |level: u32| weights.iter().map(|weight| weight.pow(1 << level)).sum();
            Ok((0..levels).map(sum).collect())
        }
    }
}

/// Over the words of one length: the sum of their weights, that of their bits, and that of the squares of these.
#[derive(Clone)]
struct Sums {
    mass: BigUint,
    bits: BigUint,
    squares: BigUint,
}

impl Sums {
    fn without_bits(mass: BigUint) -> Sums {
        Sums {
            mass,
            bits: BigUint::zero(),
            squares: BigUint::zero(),
        }
    }

    /// Words of both parts.
    fn and(&self, other: &Sums) -> Sums {
        Sums {
            mass: &self.mass * &other.mass,
            bits: &self.bits * &other.mass + &self.mass * &other.bits,
            squares: &self.squares * &other.mass
                + ((&self.bits * &other.bits) << 1u8)
                + &self.mass * &other.squares,
        }
    }

    fn add(&mut self, other: &Sums) {
        self.mass += &other.mass;
        self.bits += &other.bits;
        self.squares += &other.squares;
    }
}

/// The sums of n rolls of the die of these power sums, by those of a coin up to n/2.
fn of_length(n: usize, powers: &[BigUint], coin: &[Counted]) -> Sums {
    let (equal, differ) = pairs(n / 2, powers, coin);
    paired(n, &powers[0], coin, &equal, &differ)
}

/// The sums of all lengths up to the longest, of equal pairs and of those that differ.
fn pairs(longest: usize, powers: &[BigUint], coin: &[Counted]) -> (Vec<Sums>, Vec<Sums>) {
    let differ: Vec<BigUint> = (powers.iter().zip(&powers[1..]).enumerate())
        .map(|(level, (sum, next))| (sum * sum - next) << ((1usize << level) - 1))
        .collect();
    let all = |powers: &[BigUint]| match powers {
        [] => vec![Sums::without_bits(BigUint::one())],
        _ => to_longest(longest, powers, coin),
    };
    (all(&powers[1..]), all(&differ))
}

/// The sums of all lengths up to the longest.
fn to_longest(longest: usize, powers: &[BigUint], coin: &[Counted]) -> Vec<Sums> {
    let (equal, differ) = pairs(longest / 2, powers, coin);
    (0..=longest)
        .map(|n| paired(n, &powers[0], coin, &equal, &differ))
        .collect()
}

/// The sums of n rolls by those of their pairs.
fn paired(n: usize, sum: &BigUint, coin: &[Counted], equal: &[Sums], differ: &[Sums]) -> Sums {
    let m = n / 2;
    let (by_heads, places) = &coin[m];
    let mut all = Sums::without_bits(BigUint::zero());
    for d in 0..=m {
        spend(10 * (1 + n as u64 * sum.bits() / 64));
        let (mass, bits) = (&places[d], &by_heads.bits[d]);
        let orders = Sums {
            mass: mass.clone(),
            bits: bits + mass * d,
            squares: &by_heads.squares[d] + bits * (2 * d) + mass * (d * d),
        };
        all.add(&orders.and(&equal[m - d]).and(&differ[d]));
    }
    match n % 2 {
        1 => all.and(&Sums::without_bits(sum.clone())),
        _ => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::peres_types;
    use crate::number::Rational;

    /// Of a coin it is Peres's method, which `peres_types` counts by heads; and the mass of all words is the sum's power.
    #[test]
    fn of_two_faces_it_is_that_of_a_coin() {
        let weights = [BigUint::from(2u8), BigUint::from(5u8)];
        let coin = Source::loaded([2u8, 5]).unwrap();
        for n in (0..20).chain([63, 64, 127, 200]) {
            let (die, coins) = (
                yielded(&coin, n).unwrap(),
                peres_types::of_length(n).yielded(&weights),
            );
            assert_eq!(die.bits.exact(), coins.bits.exact(), "{n}");
            assert_eq!(die.variance, coins.variance, "{n}");
            let sums = of_length(n, &power_sums(&coin, n).unwrap(), &to_length(n / 2));
            assert_eq!(sums.mass, BigUint::from(7u8).pow(n as u32));
        }
    }

    /// Two rolls of a die of m sides differ with probability 1 - 1/m, and give one bit then.
    #[test]
    fn wide_words_are_dice() {
        let word = yielded(&"word:64".parse().unwrap(), 2).unwrap();
        let one_in = Rational::new(1.into(), (1u128 << 64).into());
        assert_eq!(word.bits, Rational::one() - one_in);
    }
}
