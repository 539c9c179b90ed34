//! The negative binomial law: the number of trials until a given number have succeeded.
//!
//! Among n independent trials that each succeed with probability p = a/b, the number of successes
//! is binomial, and the k-th success comes after trial n if fewer than k of the n trials succeed:
//!
//! ```text
//! P(X > n)  = sum_{i<k}  C(n,i) p^i q^(n-i),   i = k-1, k-2, ...   term(i-1) = term(i) i q / ((n-i+1) p)
//! P(X <= n) = sum_{i>=k} C(n,i) p^i q^(n-i),   i = k, k+1, ...     term(i+1) = term(i) (n-i) p / ((i+1) q)
//! ```
//!
//! For n p >= k, the ratios term(i-1) / term(i) of the first line are below 1 and decrease; for n p
//! < k, those of the second line are and do. The smaller of the two sums is added up in fixed
//! point, beginning with its largest term.

use super::side::Side;
use flipcost_number::budget::spend;
use flipcost_number::e_pi::pi;
use flipcost_number::exponential::exp;
use flipcost_number::scaled::Scaled;
use flipcost_number::{BigInt, BigUint, Enclosure, Rational};
use num_traits::{One, ToPrimitive, Zero};

/// The maximum number of terms of Stirling's series.
const MAX_TERMS: u32 = 128;

/// Encloses ln(x! e^x / x^x / sqrt(2 pi x)) between two consecutive partial sums of Stirling's
/// series, sum B_2k / (2k (2k-1) x^(2k-1)) (Whittaker & Watson, 12.33); `None` if the series does
/// not give this many bits after the point.
fn stirling_error(x: u64, bits: u64) -> Option<Enclosure> {
    if x < 1 << 10 {
        return None;
    }
    let mut terms = 8;
    while terms <= MAX_TERMS {
        let mut sum = Enclosure::of_rational(&Rational::zero(), bits + 16);
        for (k, tangent) in (1..).zip(tangent_numbers(terms)) {
            let four = BigInt::from(4).pow(k);
            let by = (&four - 1u8) * four * (2 * k - 1) * BigInt::from(x).pow(2 * k - 1);
            let sign = if k % 2 == 1 { 1 } else { -1 };
            let term = Rational::new(BigInt::from(tangent) * sign, by);
            let next = sum.plus(&Enclosure::of_rational(&term, bits + 16));
            let between = Enclosure {
                low: sum.low.min(next.low.clone()),
                high: sum.high.max(next.high.clone()),
                bits: sum.bits,
            };
            if between.is_within(bits) {
                return Some(between);
            }
            sum = next;
        }
        terms *= 2;
    }
    None
}

/// The tangent numbers T_1, T_2, ..., for which B_2k = (-1)^(k-1) 2k T_k / (4^k (4^k - 1)) (Brent &
/// Harvey 2013, Fast computation of Bernoulli, tangent and secant numbers).
fn tangent_numbers(count: u32) -> Vec<BigUint> {
    let mut all = vec![BigUint::one()];
    for k in 1..count {
        all.push(&all[k as usize - 1] * k);
    }
    for k in 1..count as usize {
        for j in k..count as usize {
            all[j] = &all[j - 1] * (j - k) + &all[j] * (j - k + 2);
        }
    }
    all
}

/// The number of trials until the k-th success, where a trial succeeds with probability a/b.
#[derive(Clone)]
pub(super) struct Trials {
    /// The number a, above 0.
    accepted: BigUint,
    /// The number b - a, above 0.
    rejected: BigUint,
    successes: u64,
}

impl Trials {
    /// Creates the law for 0 < p < 1.
    pub fn new(accept: &Rational, successes: u64) -> Trials {
        let accepted = accept.numer().magnitude().clone();
        Trials {
            rejected: accept.denom().magnitude() - &accepted,
            accepted,
            successes,
        }
    }

    pub(crate) fn successes(&self) -> u64 {
        self.successes
    }

    /// C(n, i) to `bits` significant bits. Cost: a product and a quotient by a word for each of
    /// min(i, n-i) steps.
    fn binomial(n: u64, i: u64, bits: u64) -> Scaled {
        let i = i.min(n - i);
        let (mut ways, mut exponent) = (BigUint::one() << bits, -i128::from(bits));
        for j in 1..=i {
            ways = ways * (n - i + j) / j;
            let more = ways.bits().saturating_sub(bits + 64);
            if more >= 64 {
                ways >>= more;
                exponent += i128::from(more);
            }
            if j % 64 == 0 {
                spend(64 * (bits / 16 + 60));
            }
        }
        // Each step loses less than two units, and a unit is at most 2^-bits of the value; later
        // steps do not increase this relative loss.
        let lost = ((&ways * (2 * i + 2)) >> (bits - 1)) + 1u8;
        Scaled {
            high: &ways + lost,
            low: ways,
            exponent,
        }
    }

    /// The largest term of the sum: P(i successes in n trials).
    fn term(&self, n: u64, i: u64, bits: u64) -> Scaled {
        let all = &self.accepted + &self.rejected;
        if let Some(term) = self.stirling_term(n, i, &all, bits) {
            return term;
        }
        let p = Scaled::ratio(&self.accepted, &all, bits).power(i, bits);
        let q = Scaled::ratio(&self.rejected, &all, bits).power(n - i, bits);
        Trials::binomial(n, i, bits).times(&p, bits).times(&q, bits)
    }

    /// Computes the largest term by Stirling's series, if i and n - i are large enough for this
    /// many bits. Let s(x) be the series of ln(x! e^x / x^x / sqrt(2 pi x)):
    ///
    /// ```text
    /// C(n,i) p^i q^(n-i) = (n p / i)^i (n q / (n-i))^(n-i) sqrt(n / (2 pi i (n-i))) e^(s(n) - s(i) - s(n-i))
    /// ```
    fn stirling_term(&self, n: u64, i: u64, all: &BigUint, bits: u64) -> Option<Scaled> {
        let rest = n - i;
        let [series, of_i, of_rest] = [n, i, rest].map(|x| stirling_error(x, bits));
        let series = series?.minus(&of_i?.plus(&of_rest?));
        let power = |weight: &BigUint, k: u64| {
            Scaled::ratio(&(weight * n), &(all * k), bits + 64).power(k, bits + 64)
        };
        // The term is at least 2^-64, so at least `bits` of its bits after the point are
        // significant.
        let unit = bits + 192;
        let square = Rational::new(n.into(), BigInt::from(2) * i * rest);
        let root = Enclosure::of_rational(&square, unit)
            .over(&pi(unit))
            .and_then(|square| square.sqrt())
            .expect("it is above 0");
        let of = |value: Enclosure| {
            Some(Scaled {
                low: value.low.to_biguint()?,
                high: value.high.to_biguint()?,
                exponent: -i128::from(value.bits),
            })
        };
        Some(
            power(&self.accepted, i)
                .times(&power(&self.rejected, rest), bits + 64)
                .times(&of(root)?, bits + 64)
                .times(&of(exp(&series))?, bits),
        )
    }

    /// The smaller of P(X > n) and P(X <= n), enclosed to `bits` significant bits. Cost: about
    /// sqrt(bits k) products and quotients of numbers with `bits` bits; if Stirling's series does
    /// not give that many bits, also min(k, n-k) products and quotients by a word.
    pub fn side(&self, n: u64, bits: u64) -> Side {
        let k = self.successes;
        if n < k {
            return Side::Below(Scaled::exact(BigUint::zero(), 0));
        }
        let above = &self.accepted * n >= (&self.accepted + &self.rejected) * k;
        let mut work = bits + 40 + 2 * u64::from(u64::BITS - n.leading_zeros());
        loop {
            let sum = self.sum(n, above, work);
            if sum.is_within(bits) {
                return if above {
                    Side::Above(sum)
                } else {
                    Side::Below(sum)
                };
            }
            work += 64;
        }
    }

    fn sum(&self, n: u64, above: bool, bits: u64) -> Scaled {
        let first = if above {
            self.successes - 1
        } else {
            self.successes
        };
        let (mut term, mut sum, mut steps) = (BigUint::one() << bits, BigUint::zero(), 0u64);
        let mut i = first;
        let ratio = loop {
            sum += &term;
            // Compute the next term as this term times up / down.
            let next = if above {
                i.checked_sub(1)
                    .map(|next| (next, &self.rejected * i, &self.accepted * (n - next)))
            } else {
                (i < n).then(|| (i + 1, &self.accepted * (n - i), &self.rejected * (i + 1)))
            };
            let Some((next, up, down)) = next else {
                break None; // this was the last term
            };
            if term.is_zero() {
                break Some((up, down));
            }
            spend(bits / 8 + 100);
            term = term * up / down;
            (i, steps) = (next, steps + 1);
        };
        // Each term is at most `steps` units too small. For the dropped terms after the last one,
        // the ratios are below up / down < 1.
        let rest = ratio.map_or(BigUint::zero(), |(up, down): (BigUint, BigUint)| {
            ((&up * (steps + 1)) / (down - up)) + 1u8
        });
        let lost = BigUint::from(steps + 1) * (steps + 1) + rest;
        let first = self.term(n, first, bits);
        let sum = Scaled {
            high: &sum + lost,
            low: sum,
            exponent: -i128::from(bits),
        };
        first.times(&sum, bits)
    }

    /// Estimates the n with P(X > n) = 2^-level by Chernoff's bound, to start a search.
    pub fn estimate_quantile(&self, level: f64) -> u64 {
        let k = self.successes as f64;
        let p = Rational::new(
            BigInt::from(self.accepted.clone()),
            BigInt::from(&self.accepted + &self.rejected),
        );
        let p = p.to_f64().unwrap_or(0.5).clamp(1e-300, 1.0 - 1e-16);
        // n KL(k/n, p) in bits, which increases with n as long as n p >= k.
        let bits = |n: f64| {
            let x = (k / n).min(1.0 - 1e-16);
            let rest = (1.0 - x) * ((-x).ln_1p() - (-p).ln_1p());
            n * (x * (x / p).ln() + rest) / std::f64::consts::LN_2
        };
        let (mut low, mut high) = (k / p, k / p + 1.0);
        while bits(high) < level && high < 1e18 {
            high *= 2.0;
        }
        for _ in 0..80 {
            let middle = (low + high) / 2.0;
            if bits(middle) < level {
                low = middle;
            } else {
                high = middle;
            }
        }
        (high as u64).max(self.successes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    /// Stirling's series and the product of the binomial coefficient give the same largest term.
    #[test]
    fn stirling_agrees_with_the_product() {
        for (n, i, accept, bits) in [
            (5000u64, 1200u64, (1, 4), 120),
            (5000, 3800, (1, 3), 160),
            (40_000, 20_000, (1, 2), 180),
            (40_000, 20_100, (1, 2), 1100),
            (1_000_000, 400_000, (2, 7), 90),
        ] {
            let p = Rational::new(accept.0.into(), accept.1.into());
            let trials = Trials::new(&p, i);
            let all = &trials.accepted + &trials.rejected;
            let long = trials.stirling_term(n, i, &all, bits).unwrap();
            let q = Rational::one() - &p;
            let ways = Trials::binomial(n, i, bits + 80);
            let [p, q] = [(p, i), (q, n - i)]
                .map(|(p, k)| Scaled::from_rational(&p, bits + 80).power(k, bits + 80));
            let near = ways.times(&p, bits + 80).times(&q, bits + 80);
            assert!(long.is_within(bits - 4) && near.is_within(bits + 20));
            // The narrower enclosure lies inside the wider one.
            let end = |end: &BigUint, exponent: i128| {
                let unit = BigInt::one() << u64::try_from(-exponent).unwrap();
                Rational::new(end.clone().into(), unit)
            };
            let [low, high] = [&near.low, &near.high].map(|x| end(x, near.exponent));
            assert_ne!(long.compare(&low), Some(Ordering::Greater), "{n} {i}");
            assert_ne!(long.compare(&high), Some(Ordering::Less), "{n} {i}");
        }
        assert_eq!(
            tangent_numbers(5),
            [1u32, 2, 16, 272, 7936].map(BigUint::from)
        );
        let short = Trials::new(&Rational::new(1.into(), 2.into()), 900);
        assert!(short.stirling_term(5000, 900, &2u8.into(), 90).is_none());
    }
}
