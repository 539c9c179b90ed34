//! Trials until some have succeeded: the negative binomial law.
//!
//! Of n independent trials with probability p = a/b each, the number of successes is binomial, and the
//! k-th success comes after trial n where fewer than k of them succeed:
//!
//! ```text
//! P(X > n)  = sum_{i<k}  C(n,i) p^i q^(n-i),   i = k-1, k-2, ...   term(i-1) = term(i) i q / ((n-i+1) p)
//! P(X <= n) = sum_{i>=k} C(n,i) p^i q^(n-i),   i = k, k+1, ...     term(i+1) = term(i) (n-i) p / ((i+1) q)
//! ```
//!
//! Above the mean, n p >= k, the ratios of the first line are below 1 and fall; below it those of the
//! second: the smaller of the two sides is summed in fixed point, from its largest term on.

use super::side::Side;
use flipcost_number::budget::spend;
use flipcost_number::scaled::Scaled;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, ToPrimitive, Zero};

/// k successes, each with probability a/b.
#[derive(Clone)]
pub(super) struct Trials {
    /// a, above 0.
    accepted: BigUint,
    /// b - a, above 0.
    rejected: BigUint,
    successes: u64,
}

impl Trials {
    /// For 0 < p < 1.
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

    /// C(n, i) to `bits` significant bits: a product and a quotient by a word for each of min(i, n-i).
    fn ways(n: u64, i: u64, bits: u64) -> Scaled {
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
        // each step loses less than two units of at most 2^-bits of the value, which the others keep
        let lost = ((&ways * (2 * i + 2)) >> (bits - 1)) + 1u8;
        Scaled {
            high: &ways + lost,
            low: ways,
            exponent,
        }
    }

    /// The largest term of the side that is summed, P(i successes in n trials).
    fn term(&self, n: u64, i: u64, bits: u64) -> Scaled {
        let all = &self.accepted + &self.rejected;
        let p = Scaled::ratio(&self.accepted, &all, bits).power(i, bits);
        let q = Scaled::ratio(&self.rejected, &all, bits).power(n - i, bits);
        Trials::ways(n, i, bits).times(&p, bits).times(&q, bits)
    }

    /// The side of n trials that is summed, enclosed to `bits` significant bits. Cost: min(k, n-k)
    /// products and quotients by a word, and about sqrt(bits k) of numbers with `bits` bits.
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
            // the next term is this one times up / down
            let next = if above {
                i.checked_sub(1)
                    .map(|next| (next, &self.rejected * i, &self.accepted * (n - next)))
            } else {
                (i < n).then(|| (i + 1, &self.accepted * (n - i), &self.rejected * (i + 1)))
            };
            let Some((next, up, down)) = next else {
                break None; // that was the last
            };
            if term.is_zero() {
                break Some((up, down));
            }
            spend(bits / 8 + 100);
            term = term * up / down;
            (i, steps) = (next, steps + 1);
        };
        // a term is at most `steps` units too small; after the last, ratios are below up / down < 1
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

    /// About where P(X > n) = 2^-level: the bound of Chernoff, for the start of a search.
    pub fn about(&self, level: f64) -> u64 {
        let k = self.successes as f64;
        let p = Rational::new(
            BigInt::from(self.accepted.clone()),
            BigInt::from(&self.accepted + &self.rejected),
        );
        let p = p.to_f64().unwrap_or(0.5).clamp(1e-300, 1.0 - 1e-16);
        // n KL(k/n, p) in bits, rising in n from the mean on
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
