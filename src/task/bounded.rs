//! Decides whether a target can be made in a bounded number of rolls.
//!
//! **Theorem.** Let all weights be above 0: outcomes of weight 0 are removed first, and no face of
//! a source has weight 0. From a source a_1 : ... : a_m (coprime, m >= 2, sum A) the target w_1 :
//! ... : w_n (coprime, sum W) can be made in a bounded number of rolls if and only if
//!
//! ```text
//! (1) every prime factor of W divides A, and
//! (2) for each face j, g_j = gcd of a_l over all l /= j divides all w_i but one at most.
//! ```
//!
//! A word is a sequence of rolls; its type k says how often it contains each face, and its mass is
//! a^k = prod a_j^(k_j). A tree of depth t (all leaves extended to depth t) assigns whole words to
//! outcome i, with total mass w_i A^t / W. Call a word pure if all its rolls are equal, otherwise
//! mixed; there are at least t words of each mixed type.
//!
//! *Only if.* W divides A^t, since the w_i are coprime. A prime r of g_j divides all a_l except
//! a_j. Let r^e divide g_j. The mass of every word except the pure word of face j is divisible by
//! r^e, so r^e divides w_i A^t / W for every outcome without that word. Since A = a_j modulo r^e is
//! invertible, and so is W, whose primes divide A, r^e divides w_i.
//!
//! *If.* Let g be the product of the g_j, which are pairwise coprime. For t >= 2 it is the greatest
//! common divisor of the mixed masses: a prime r that does not divide the weights of two faces i, l
//! does not divide a_i^(t-1) a_l either; if j is the only such face, a_j^(t-1) a_l has the power of
//! r in a_l, at least that of g_j. Assign to outcome i floor(M w_i / W) of the M words of each
//! mixed type. Assign the pure word of face j to an outcome whose weight g_j does not divide (to
//! any outcome if there is none), and the other words one by one to the outcome with the most mass
//! still missing. Let a_1 be the largest weight, and E_i the mass that outcome i then lacks
//! (negative if it has too much). Then |E_i| <= c a_1^t, where c does not depend on t, the sum of
//! the E_i is 0, and g divides all of them, by the argument above for each prime. It remains to
//! write such an E as a sum of y_k a^k over mixed types k of degree t with integers |y_k| <= K,
//! where K does not depend on t. Then |y_k| words of type k are moved from outcome n to outcome i,
//! or back if y_k < 0; both outcomes have enough of them if t min(w_i) / W > n K + n.
//!
//! For each prime r of a_1 there is a mixed word of s rolls whose mass has no higher power of r
//! than g: it has one roll of some face, and s - 1 rolls of a face whose weight is smaller than a_1
//! and not divisible by r. By the Chinese remainder theorem, at most a_1 g of each of these words
//! add up to E modulo a_1 g. Subtract them from E and divide by a_1. The quotient E' is again
//! divisible by g, |E'| <= |E| / a_1 + c' (a_1 - 1)^(s-1), and it remains to write E' with mixed
//! types of degree s - 1, to each of which one more roll of face 1 is added. From s = t down to 2,
//! |E| / a_1^s stays bounded, and each type is used at a bounded number of values of s. At s = 2 a
//! bounded multiple of g remains, which is a sum of the a_i a_l, i /= l, whose greatest common
//! divisor is g. If a_1 = 1 the source is fair, and (1) suffices. QED.
//!
//! So in a bounded number of rolls, a coin a : b with a /= b makes no fair die of 2 sides or more,
//! and the source 1:2:3 makes exactly the fair dice of 2^i 3^j sides.
//!
//! **Several sources.** Here a rule may choose a source for each roll. The target can be made in a
//! bounded number of rolls if and only if it can be made so from the die that shows a roll of every
//! source at once: a rule of at most t rolls takes its i-th roll from the i-th of t rolls of that
//! die. The weights of this die are the products of one weight of each source, their sum is the
//! product of the sums, and
//!
//! ```text
//! (3) g_(j, l) = gcd(g_j, h_l)     for a source a with g_j and a source b with h_l.
//! ```
//!
//! Proof: the other faces are (j, l') with l' /= l, whose weights have the greatest common divisor
//! a_j h_l, and (j', l') with j' /= j, whose weights have the greatest common divisor g_j, since
//! the weights of b are coprime; and a_j is coprime to g_j. So if one of the sources is fair, its
//! h_l are 1, and only (1) remains. Two coins a : b and c : d make a fair die of n sides if and
//! only if each prime factor of n divides (a + b)(c + d), and a b is coprime to c d. A single kind
//! of loaded coin makes no fair die, and two kinds can make any fair die: 1 : n - 1 with a fair
//! coin, or 1 : n - 1 with 1 : n. (`docs/loaded-coins.md` has the tree for the first pair.)
//!
//! A source of unknown probabilities does not help. If the probability of one of its faces tends to
//! 1, the probabilities of the outcomes, which are polynomials, tend to those of the rule that
//! replaces each roll of this source by this face. That rule rolls only the other sources.
//!
//! **Source.** Feldman, Impagliazzo, Naor, Nisan & Rudich 1993 ask which dice can be made from a
//! set of coins in bounded time, and prove that two kinds of coins are enough for any one die (only
//! the abstract was read; their tree is in Itoh & Mochiduki 1994). The theorems and proofs here are
//! our own.

use super::{Source, Target, Task};
use flipcost_number::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};
use std::collections::BTreeSet;
use std::slice;

impl Task {
    /// Checks whether some rule makes the target in a bounded number of rolls; see
    /// [`Target::is_bounded`].
    ///
    /// ```
    /// use flipcost::task::{Source, Target, Task};
    /// let possible = |source: &str, weights: &[u64]| {
    ///     Task::new(Target::weighted(weights.to_vec()).unwrap(), source.parse().unwrap()).is_bounded()
    /// };
    /// assert!(possible("1:2:3", &[1, 1]) && possible("1:2:3", &[1; 6]) && !possible("1:2:3", &[1; 5]));
    /// assert!(!possible("1:3", &[1, 1]) && possible("1:3", &[3, 5])); // 3:5: XOR of two tosses
    /// assert!(possible("6", &[1; 12]) && !possible("unknown:2", &[1, 1]));
    /// ```
    pub fn is_bounded(&self) -> bool {
        self.target().is_bounded(slice::from_ref(self.source()))
    }
}

impl Target {
    /// Returns the largest divisor of the target's sum of weights that has no prime factor in
    /// common with the sum of weights of any of these sources.
    pub(crate) fn prime_to(&self, sources: &[Source]) -> BigUint {
        let mut rest = self.weight_sum().clone();
        for sum in sources.iter().filter_map(Source::weight_sum) {
            loop {
                let part = rest.gcd(&sum);
                if part.is_one() {
                    break;
                }
                rest /= part;
            }
        }
        rest
    }

    /// Checks whether some rule makes the target in a bounded number of rolls of these sources,
    /// where the rule chooses a source for each roll. Cost: greatest common divisors of all weights
    /// of the sources, and for at most log2 of these weights a division of each weight of the
    /// target.
    ///
    /// ```
    /// use flipcost::task::{Source, Target};
    /// let coins = [Source::loaded([1u8, 6])?, Source::COIN]; // one with heads 1/7, and a fair one
    /// assert!(Target::uniform(7u8)?.is_bounded(&coins));
    /// assert!(!Target::uniform(7u8)?.is_bounded(&coins[..1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_bounded(&self, sources: &[Source]) -> bool {
        if self.possible().is_one() {
            return true;
        }
        let rest = self.prime_to(sources);
        // The values g of all faces of the die that shows all sources at once, without repetitions.
        let mut common = BTreeSet::from([BigUint::zero()]);
        for source in sources {
            // Sources of unknown probabilities do not help.
            if source.weight_sum().is_none() {
                continue;
            }
            let others = source
                .weights()
                .map_or(vec![BigUint::one()], gcds_of_others);
            let others = BTreeSet::from_iter(others);
            let both = |before: &BigUint| {
                others
                    .iter()
                    .map(move |g| g.gcd(before))
                    .collect::<Vec<_>>()
            };
            common = common.iter().flat_map(both).collect();
        }
        let but_one = |g: &BigUint| g.is_one() || divides_all_but_one(self, g);
        rest.is_one() && common.iter().all(but_one)
    }
}

/// Computes g_j for each face j: the greatest common divisor of the weights of the other faces.
fn gcds_of_others(weights: &[BigUint]) -> Vec<BigUint> {
    let grow = |common: &mut BigUint, weight: &BigUint| {
        let before = common.clone();
        *common = common.gcd(weight);
        Some(before)
    };
    let before = weights.iter().scan(BigUint::zero(), grow);
    let after: Vec<BigUint> = weights.iter().rev().scan(BigUint::zero(), grow).collect();
    before
        .zip(after.iter().rev())
        .map(|(a, b)| a.gcd(b))
        .collect()
}

/// Checks whether g > 1 divides all weights except at most one.
fn divides_all_but_one(target: &Target, g: &BigUint) -> bool {
    match target.weights() {
        None => target.weight_sum().is_one(),
        Some(weights) => weights
            .iter()
            .filter(|w| !w.is_multiple_of(g))
            .nth(1)
            .is_none(),
    }
}

#[cfg(test)]
mod tests {
    use crate::task::{Source, Target, Task};
    use flipcost_number::BigUint;
    use num_integer::Integer;
    use num_traits::One;
    use std::collections::BTreeMap;

    /// The sums of the masses of all sets of words of t rolls, as a set of bits.
    fn sums(weights: &[u64], t: u32) -> BigUint {
        let mut words = BTreeMap::from([(1u64, 1u64)]);
        for _ in 0..t {
            let mut longer = BTreeMap::new();
            for (mass, count) in words {
                for weight in weights {
                    *longer.entry(mass * weight).or_default() += count;
                }
            }
            words = longer;
        }
        let mut sums = BigUint::one();
        for (mass, count) in words {
            for _ in 0..count {
                sums |= &sums << mass;
            }
        }
        sums
    }

    /// Compares the theorem with all sets of words of t rolls, A^t <= 70000, for all sources of 2
    /// or 3 faces with weights up to 5 and sum up to 9, and all targets w : W - w for which W
    /// divides A.
    #[test]
    fn the_theorem_by_all_sets_of_words() {
        let mut sources: Vec<Vec<u64>> = Vec::new();
        for a in 1..=5u64 {
            for b in a..=5 {
                sources.push(vec![a, b]);
                sources.extend((b..=5).map(|c| vec![a, b, c]));
            }
        }
        let mut cases = [0, 0];
        for weights in sources {
            let sum: u64 = weights.iter().sum();
            let common = weights.iter().fold(0, |g: u64, w| g.gcd(w));
            if common > 1 || sum > 9 || weights.iter().all(|w| *w == weights[0]) {
                continue;
            }
            let depths = (1..).take_while(|t| sum.pow(*t) <= 70_000);
            let found: Vec<(u64, BigUint)> =
                depths.map(|t| (sum.pow(t), sums(&weights, t))).collect();
            let source = Source::loaded(weights.clone()).unwrap();
            for all in (2..=sum).filter(|all| sum.is_multiple_of(*all)) {
                for w in (1..all).filter(|w| w.gcd(&all) == 1) {
                    let task = Task::new(Target::weighted([w, all - w]).unwrap(), source.clone());
                    let by_words = found
                        .iter()
                        .any(|(power, sums)| sums.bit(w * (power / all)));
                    assert_eq!(task.is_bounded(), by_words, "{task}");
                    cases[usize::from(by_words)] += 1;
                }
            }
        }
        assert!(cases[0] > 20 && cases[1] > 20, "{cases:?}");
        assert_eq!(cases[0] + cases[1], 143); // as docs/loaded-coins.md says
    }

    /// Checks (3), and that a rule that chooses a source for each roll makes no more targets than
    /// one that rolls every source at once, for all pairs of coins of sum up to 7, and for coins
    /// with dice.
    #[test]
    fn several_sources_are_one_that_shows_all() {
        let mut sources: Vec<Vec<u64>> =
            vec![vec![1, 1, 1], vec![1, 2, 3], vec![2, 2, 3], vec![2, 4, 5]];
        for a in 1..=6u64 {
            sources.extend((1..=7 - a).filter(|b| a.gcd(b) == 1).map(|b| vec![a, b]));
        }
        let loaded = |weights: &Vec<u64>| Source::loaded(weights.clone()).unwrap();
        let mut cases = [0, 0];
        for one in &sources {
            for other in &sources {
                let products = one.iter().flat_map(|a| other.iter().map(move |b| a * b));
                let at_once = Source::loaded(products.collect::<Vec<u64>>()).unwrap();
                let both = [loaded(one), loaded(other)];
                for weights in (2..=12u64)
                    .map(|n| vec![1u64; n as usize])
                    .chain([vec![1, 2], vec![3, 5]])
                {
                    let target = Target::weighted(weights).unwrap();
                    let possible = target.is_bounded(&both);
                    assert_eq!(
                        possible,
                        Task::new(target.clone(), at_once.clone()).is_bounded(),
                        "{one:?} {other:?} {target}"
                    );
                    cases[usize::from(possible)] += 1;
                    if let ([a, b], [c, d], Some(n)) = (&one[..], &other[..], target.sides()) {
                        let n: u64 = n.try_into().unwrap();
                        let primes =
                            (2..=n).filter(|r| n.is_multiple_of(*r) && (2..*r).all(|s| r % s > 0));
                        let divide = primes
                            .into_iter()
                            .all(|r| ((a + b) * (c + d)).is_multiple_of(r));
                        assert_eq!(possible, divide && (a * b).gcd(&(c * d)) == 1);
                    }
                }
            }
        }
        assert!(cases[0] > 100 && cases[1] > 100, "{cases:?}");
    }

    /// One kind of coin makes no fair die, two kinds can make any, and an unknown coin does not
    /// help.
    #[test]
    fn how_many_kinds_of_coins() {
        let coin = |a: u64, b: u64| Source::loaded([a, b]).unwrap();
        let unknown = Source::unknown(2).unwrap();
        for n in 2..=60u64 {
            let die = Target::uniform(n).unwrap();
            for total in 3..=24u64 {
                for a in (1..total).filter(|a| 2 * a != total) {
                    assert!(
                        !die.is_bounded(&[coin(a, total - a), unknown.clone()]),
                        "{n} {a}"
                    );
                }
            }
            assert!(die.is_bounded(&[coin(1, n - 1), Source::COIN]));
            assert!(die.is_bounded(&[coin(1, n - 1), coin(1, n)]));
            assert_eq!(
                die.is_bounded(&[Source::COIN, unknown.clone()]),
                n.is_power_of_two()
            );
        }
    }

    /// 1:2:3 makes the fair dice of 2^i 3^j sides, 1:1:2 those of 2^i sides, and a loaded coin
    /// none.
    #[test]
    fn fair_dice() {
        let possible = |source: &str| -> Vec<u64> {
            let source: Source = source.parse().unwrap();
            let dice =
                (1..=16u64).map(|n| (n, Task::new(Target::uniform(n).unwrap(), source.clone())));
            dice.filter(|(_, task)| task.is_bounded())
                .map(|(n, _)| n)
                .collect()
        };
        assert_eq!(possible("1:2:3"), [1, 2, 3, 4, 6, 8, 9, 12, 16]);
        assert_eq!(possible("1:1:2"), [1, 2, 4, 8, 16]);
        assert_eq!(possible("6"), [1, 2, 3, 4, 6, 8, 9, 12, 16]);
        for coin in ["1:2", "2:3", "1:7", "unknown:2"] {
            assert_eq!(possible(coin), [1]);
        }
    }
}
