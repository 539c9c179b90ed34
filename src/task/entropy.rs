//! The entropy of a target in source rolls: no algorithm costs less (Shannon 1948; Knuth & Yao
//! 1976).
//!
//! ```text
//! H = sum_i (a_i / M) log_m (M / a_i) = log_m M - (1/M) sum_i a_i log_m a_i
//! ```
//!
//! **When H is rational.** H can be rational even if the probabilities are not powers of 1/m: the
//! weights 1:6:8:9 have exactly 7/4 bits. Let v_q(x) be the exponent of the prime q in x. Since m^H
//! is M^M / prod a_i^(a_i) to the power 1/M, unique factorization shows that H is rational if and
//! only if the exponents
//!
//! ```text
//! e_q = M v_q(M) - sum_i a_i v_q(a_i)
//! ```
//!
//! equal H M v_q(m), for the same H. Then H M g is an integer, where g is the greatest common
//! divisor of the v_q(m). If a prime q of some a_i divides neither M nor m, e_q < 0 = v_q(m), so H
//! is irrational. Otherwise H is enclosed, and only if H M g is near an integer, the numbers are
//! decomposed. Coprime factors, found by greatest common divisors, replace the primes (the argument
//! is the same for any coprime base).

use super::{Source, Target, Task};
use flipcost_number::Real;
use flipcost_number::budget::spend_on;
use flipcost_number::reduce::gcd;
use flipcost_number::{BigInt, BigUint, Rational};
use flipcost_number::{Enclosure, log2};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::sync::{Mutex, PoisonError};

impl Task {
    /// The entropy of the target in rolls of the source: `log_m n` for a fair die. It is exact if
    /// it is rational, otherwise enclosed. Cost: one logarithm for each distinct weight, for the
    /// first enclosure and for each enclosure that is narrower than all earlier ones.
    ///
    /// ```
    /// use flipcost::task::{Source, Target, Task};
    /// let entropy = |weights: &[u64]| {
    ///     let target = Target::weighted(weights.to_vec()).unwrap();
    ///     Task::new(target, Source::COIN).entropy().to_string()
    /// };
    /// assert_eq!(entropy(&[1, 1, 2]), "3/2"); // flips
    /// assert_eq!(entropy(&[1, 2, 3]), "≈1.45914791702724475739");
    /// assert_eq!(entropy(&[1, 6, 8, 9]), "7/4");
    /// ```
    ///
    /// # Panics
    /// If the source is unknown.
    pub fn entropy(&self) -> Real {
        if let Some(law) = self.source().law() {
            return loaded_entropy(self.target(), law);
        }
        let Some(m) = self.source().small() else {
            // The source is a word of bits, and may be wider than a machine word.
            let bits = self.source().bits().expect("a word of bits");
            let in_flips = Task::new(self.target().clone(), Source::COIN).entropy();
            return in_flips.over(&Real::integer(bits));
        };
        if let Some(n) = self.target().sides() {
            return Real::log(n.clone(), m);
        }
        let (groups, sum) = (self.target().groups(), self.target().weight_sum().clone());
        // For each distinct weight a_i, the pair of a_i times the number of outcomes that have it,
        // and a_i.
        let parts: Vec<(BigUint, BigUint)> = (groups.into_iter())
            .map(|(weight, count)| (&weight * count, weight))
            .collect();
        match exact_entropy(&parts, &sum, m) {
            Some(exact) => Real::Exact(exact),
            None => {
                // Keep the enclosure, because several columns of a row request it.
                let known: Mutex<Option<Enclosure>> = Mutex::new(None);
                Real::enclosed(move |bits| {
                    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                    match &*known {
                        Some(narrow) if narrow.is_within(bits) => narrow.clone(),
                        _ => known.insert(enclose_entropy(&parts, &sum, m, bits)).clone(),
                    }
                })
            }
        }
    }

    /// Han & Hoshi's bound of the expected rolls of the interval algorithm, for any order of faces
    /// and outcomes (1997, theorem 3): (H(target) + log2(2(m - 1)) + h(p)/(1 - p)) / H(source),
    /// with entropies in bits, where p is the largest probability of a face and h(p) the entropy of
    /// p and 1 - p. For a coin it is H(target) + 3. Cost: as [`Task::entropy`].
    ///
    /// ```
    /// use flipcost::task::{Source, Task};
    /// assert_eq!(Task::die(8u8, Source::COIN)?.interval_bound().to_string(), "6");
    /// # Ok::<(), flipcost::task::TaskError>(())
    /// ```
    ///
    /// # Panics
    /// As [`Task::entropy`].
    pub fn interval_bound(&self) -> Real {
        let source = self.source();
        let law = source.law().cloned();
        let law = law.unwrap_or_else(|| Target::uniform(source.sides()).expect("it has sides"));
        let (largest, _) = law.groups().pop().expect("it has faces");
        let rest = law.weight_sum() - &largest;
        let pair = Target::weighted([largest, rest.clone()]).expect("one is above 0");
        let share = Rational::new(law.weight_sum().clone().into(), rest.into());
        let tail = (Task::new(pair, Source::COIN).entropy()).times(&Real::Exact(share));
        let head = Real::log((law.outcomes() - 1u8) * 2u8, 2);
        self.entropy()
            .plus(&head.plus(&tail).over(&source.entropy()))
    }
}

impl Source {
    /// The entropy of a roll of the source in bits. Cost: as [`Task::entropy`].
    ///
    /// # Panics
    /// If the source is unknown.
    pub fn entropy(&self) -> Real {
        match self.law() {
            Some(law) => Task::new(law.clone(), Source::COIN).entropy(),
            None => Real::log(self.weight_sum().expect("known probabilities"), 2),
        }
    }
}

/// The entropy of a target divided by that of a loaded source. An entropy is log(X)/M, where X is
/// the rational number prod (M / a_i)^(a_i). So the quotient of two entropies is rational if and
/// only if the exponents of the primes in one X are a fixed multiple of those in the other. A
/// coprime base can replace the primes.
fn loaded_entropy(target: &Target, source: &Target) -> Real {
    let in_flips = |law: &Target| Task::new(law.clone(), Source::COIN).entropy();
    let mut base = CoprimeBase(Vec::new());
    let groups = [target.groups(), source.groups()];
    for law in [target, source] {
        base.insert(law.weight_sum().clone());
    }
    for (weight, _) in groups.iter().flatten() {
        base.insert(weight.clone());
    }
    let exponents = |law: &Target, groups: &[(BigUint, BigUint)], factor: &BigUint| {
        let count = |x: &BigUint| BigInt::from(multiplicity(x, factor));
        let parts = groups
            .iter()
            .map(|(weight, times)| BigInt::from(weight * times) * count(weight));
        BigInt::from(law.weight_sum().clone()) * count(law.weight_sum()) - parts.sum::<BigInt>()
    };
    let pairs: Vec<(BigInt, BigInt)> = (base.0.iter())
        .map(|factor| {
            let [of, over] = &groups;
            (
                exponents(target, of, factor),
                exponents(source, over, factor),
            )
        })
        .collect();
    let (x, y) = pairs
        .iter()
        .find(|(_, y)| !y.is_zero())
        .expect("a source has entropy");
    if pairs.iter().all(|(a, b)| a * y == b * x) {
        let [of, over] = [target, source].map(|law| BigInt::from(law.weight_sum().clone()));
        Real::Exact(Rational::new(x * over, y * of))
    } else {
        in_flips(target).over(&in_flips(source))
    }
}

/// Encloses the entropy H within 2^-bits.
fn enclose_entropy(parts: &[(BigUint, BigUint)], sum: &BigUint, m: u64, bits: u64) -> Enclosure {
    let total = BigInt::from(sum.clone());
    // For up to 60 bits, the logarithm of a word takes a few steps, and its enclosure is often
    // narrower than requested.
    let mut work = if bits <= 60 { 60 } else { bits + 3 };
    loop {
        let mut mean = Enclosure {
            low: BigInt::zero(),
            high: BigInt::zero(),
            bits: 0,
        };
        for (mass, weight) in parts {
            let log = log2(weight, work);
            let scaled = Enclosure {
                low: log.low * BigInt::from(mass.clone()),
                high: log.high * BigInt::from(mass.clone()),
                bits: log.bits,
            };
            mean = mean.plus(&scaled);
        }
        // The mean of enclosures of width 2^-work; the division adds a rounding error.
        let mean = Enclosure {
            low: mean.low.div_floor(&total),
            high: mean.high.div_ceil(&total),
            bits: mean.bits,
        };
        let flips = log2(sum, work).minus(&mean);
        let rolls = match m {
            2 => Some(flips),
            m => flips.over(&log2(&m.into(), work)),
        };
        match rolls.filter(|rolls| rolls.is_within(bits)) {
            Some(rolls) => return rolls,
            None => work += 16 + work / 4,
        }
    }
}

/// Returns H if it is rational.
fn exact_entropy(parts: &[(BigUint, BigUint)], sum: &BigUint, m: u64) -> Option<Rational> {
    if sum.is_one() {
        return Some(Rational::zero());
    }
    let (root, power) = least_root(m);
    // A prime of a weight that divides neither M nor m makes H irrational.
    let others = sum * root;
    let smooth = |weight: &BigUint| {
        // The divisor that is removed from the weight in one step is squared for the next step.
        let (mut rest, mut common) = (weight.clone(), gcd(weight, &others));
        while !common.is_one() {
            rest /= &common;
            common = gcd(&rest, &(&common * &common));
        }
        rest.is_one()
    };
    if !parts.iter().all(|(_, weight)| smooth(weight)) {
        return None;
    }
    let scale = BigInt::from(sum * power);
    // If H is rational, H M g is an integer j. Look for j in an enclosure that is too narrow to
    // contain two integers.
    let near = enclose_entropy(parts, sum, m, (scale.bits() + 8).max(56));
    let unit = BigInt::one() << near.bits;
    let j = (&near.low * &scale).div_ceil(&unit);
    if &j * &unit > &near.high * &scale {
        return None;
    }
    // Check prod a^(count a) root^j = M^M with a coprime base.
    let mut base = CoprimeBase(Vec::new());
    base.insert(sum.clone());
    base.insert(root.into());
    parts
        .iter()
        .for_each(|(_, weight)| base.insert(weight.clone()));
    let balanced = base.0.iter().all(|factor| {
        let count = |x: &BigUint| BigInt::from(multiplicity(x, factor));
        let weights: BigInt = (parts.iter())
            .map(|(mass, weight)| BigInt::from(mass.clone()) * count(weight))
            .sum();
        weights + &j * count(&root.into()) == BigInt::from(sum.clone()) * count(sum)
    });
    (balanced && !j.is_negative()).then(|| Rational::new(j, scale))
}

/// Returns (b, g) such that m = b^g with the largest g.
fn least_root(m: u64) -> (u64, u64) {
    let all = (1..64u32).rev().map(|g| {
        let b = num_integer::Roots::nth_root(&m, g);
        (b, g)
    });
    let mut exact = all.filter(|(b, g)| *b >= 2 && b.checked_pow(*g) == Some(m));
    let (b, g) = exact.next().expect("m = m^1");
    (b, g.into())
}

/// Numbers above 1 that are pairwise coprime.
struct CoprimeBase(Vec<BigUint>);

impl CoprimeBase {
    /// Refines the base until x is a product of powers of its numbers.
    fn insert(&mut self, x: BigUint) {
        let mut waiting = vec![x];
        while let Some(x) = waiting.pop() {
            if x.is_one() {
                continue;
            }
            let shared = self.0.iter().position(|factor| !gcd(factor, &x).is_one());
            match shared {
                None => self.0.push(x),
                Some(at) if self.0[at] == x => {}
                Some(at) => {
                    let factor = self.0.swap_remove(at);
                    let common = gcd(&factor, &x);
                    waiting.extend([factor / &common, x / &common, common]);
                }
            }
        }
    }
}

/// The largest k for which factor^k divides x.
fn multiplicity(x: &BigUint, factor: &BigUint) -> u64 {
    let (mut x, mut k) = (x.clone(), 0);
    loop {
        spend_on(x.bits(), factor.bits());
        let (quotient, rest) = x.div_rem(factor);
        if !rest.is_zero() {
            return k;
        }
        (x, k) = (quotient, k + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Source, Target};
    use super::*;
    use flipcost_number::factor::factor;
    use std::collections::BTreeMap;

    fn task(m: u64, weights: &[u64]) -> Task {
        let target = Target::weighted(weights).unwrap();
        Task::new(target, Source::die(m).unwrap())
    }

    /// Computes H from prime factorizations: e_q = H M v_q(m) for every prime q, or H is
    /// irrational.
    fn by_primes(m: u64, weights: &[u64]) -> Option<Rational> {
        let sum: u64 = weights.iter().sum();
        let mut exponents: BTreeMap<u64, i64> = BTreeMap::new();
        let mut add = |x: u64, times: i64| {
            for (q, k) in factor(x) {
                *exponents.entry(q).or_default() += times * i64::from(k);
            }
        };
        add(sum, sum as i64);
        weights
            .iter()
            .filter(|a| **a > 0)
            .for_each(|a| add(*a, -(*a as i64)));
        let source: BTreeMap<u64, i64> =
            factor(m).into_iter().map(|(q, k)| (q, k.into())).collect();
        let (q, v) = source.first_key_value().unwrap();
        let ratio = |top: i64, v: i64| Rational::new(top.into(), (v * sum as i64).into());
        let entropy = ratio(exponents.get(q).copied().unwrap_or(0), *v);
        let all = exponents.keys().chain(source.keys());
        let same = |q: &u64| {
            let e = Rational::from_integer(exponents.get(q).copied().unwrap_or(0).into());
            let v = BigInt::from(source.get(q).copied().unwrap_or(0) * sum as i64);
            e == &entropy * v
        };
        all.clone().all(same).then_some(entropy)
    }

    fn partitions(sum: u64, most: u64) -> Vec<Vec<u64>> {
        if sum == 0 {
            return vec![Vec::new()];
        }
        let first = |a: u64| {
            partitions(sum - a, a).into_iter().map(move |mut rest| {
                rest.push(a);
                rest
            })
        };
        (1..=most.min(sum)).flat_map(first).collect()
    }

    /// The entropy is exact if and only if it is rational; otherwise the enclosure contains the
    /// value of the definition.
    #[test]
    fn the_entropy_is_exact_where_it_is_rational() {
        let mut rational = 0;
        for m in [2u64, 4, 6, 9] {
            for sum in 1..=24 {
                for weights in partitions(sum, sum) {
                    let (entropy, wanted) = (task(m, &weights).entropy(), by_primes(m, &weights));
                    assert_eq!(entropy.exact(), wanted.as_ref(), "m = {m}, {weights:?}");
                    rational += usize::from(wanted.is_some());
                }
            }
        }
        assert!(rational > 100, "{rational}");
    }

    /// Entropies in rolls of loaded sources, for three targets: two rolls of the source, one roll
    /// of the source, and a fair coin.
    #[test]
    fn entropies_over_that_of_a_loaded_source() {
        let entropy = |source: &[u64], target: &[u64]| {
            let source = Source::loaded(source).unwrap();
            Task::new(Target::weighted(target).unwrap(), source).entropy()
        };
        let whole = |n: u64| Real::integer(n);
        for (source, target, rolls) in [
            (vec![1, 2], vec![1, 2], 1),
            (vec![1, 2], vec![2, 1], 1),
            (vec![1, 2], vec![1, 2, 2, 4], 2),
            (vec![2, 3, 5], vec![4, 6, 10, 6, 9, 15, 10, 15, 25], 2),
            (vec![1, 1, 2], vec![1, 1], 0),
        ] {
            let found = entropy(&source, &target);
            match rolls {
                0 => assert_eq!(found.to_string(), "2/3"), // 1 divided by 3/2
                _ => assert_eq!(found.exact(), whole(rolls).exact()),
            }
        }
        // 1 divided by H(1/3), which is 0.91829583 bits
        let found = entropy(&[1, 2], &[1, 1]);
        assert_eq!(
            (found.exact(), format!("{found:.8}").as_str()),
            (None, "1.08897369")
        );
    }

    /// The definition with three terms, each with its own logarithm.
    #[test]
    fn the_enclosure_holds_the_definition() {
        for (m, weights) in [(2u64, [1u64, 2, 3]), (6, [5, 7, 1]), (10, [1, 1 << 40, 3])] {
            let sum: u64 = weights.iter().sum();
            let term = |a: u64| {
                let log = Real::log(sum, m).minus(&Real::log(a, m));
                log.times(&Real::Exact(Rational::new(a.into(), sum.into())))
            };
            let all = weights
                .map(term)
                .into_iter()
                .reduce(|a, b| a.plus(&b))
                .unwrap();
            let entropy = task(m, &weights).entropy();
            for bits in [1, 30, 200] {
                let (a, b) = (entropy.enclose(bits), all.enclose(bits + 9));
                assert!(a.is_within(bits) && a.low() <= b.high() && b.low() <= a.high());
            }
        }
    }
}
