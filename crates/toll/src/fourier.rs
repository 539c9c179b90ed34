//! The Fourier series of the toll of the fast dice roller with a coin, which has period 1 in log2 n
//! (`toll.rs`): the mean, plus the sum over h of c_h exp(2 pi i h log2 n) and its conjugate.
//!
//! **Coefficients.** For the coefficient of exp(2 pi i h log2 n), h > 0, let c = 2 pi i h / ln 2.
//! The term log2 y of the toll gives 1 / (2 pi i h), and its fractional parts give the integral of
//! {u} u^(c-2) from 1 on, divided by ln 2, which is -1/c - zeta(1-c) / (1-c), divided by ln 2. The
//! first parts cancel, and the coefficient is -zeta(1-c) / ((1-c) ln 2), as Lumbroso (2013) states
//! it.
//!
//! **How they are enclosed.** zeta is computed by Euler and Maclaurin's sum up to N = 2^L, where
//! m^c = w^h for w = exp(2 pi i log2 m), where w is the same for m and 2m, and w = 1 for m = N. For
//! u^-s, Re s = 1, the remainder after the term with B_2K is at most |B_2K| / (2K)! times the
//! integral of the absolute value of the derivative of order 2K from N on, which is |s + 2K - 1| /
//! 2K times the last term. N is at least 10 h, and |s| < 10 h: each term is smaller than the one
//! before by a factor of (|s| + 2K)^2 / (2 pi N)^2, which is near 1/39.

use super::toll::{bernoulli, ln2, mean_over_log, narrowing_real};
use flipcost_number::disc::{Disc, turn};
use flipcost_number::e_pi::pi;
use flipcost_number::threads;
use flipcost_number::{BigInt, Rational, Real};
use flipcost_number::{Enclosure, log2};

/// Enclosures of the first Fourier coefficients.
pub struct Fourier {
    /// The coefficient of exp(2 pi i h log2 n) is at index h - 1.
    coefficients: Vec<Disc>,
    bits: u64,
}

fn fraction(p: u64, q: u64, bits: u64) -> Enclosure {
    Enclosure::of_rational(&Rational::new(p.into(), q.into()), bits)
}

/// Computes exp(2 pi i log2 n).
fn turn_of_log(n: u64, bits: u64) -> Disc {
    let log = log2(&n.into(), bits + 8).coarsen(bits + 8);
    let whole = BigInt::from(n.ilog2()) << log.bits;
    let part = Enclosure {
        low: log.low - &whole,
        high: log.high - whole,
        bits: log.bits,
    };
    turn(&part, bits)
}

/// Computes exp(2 pi i log2 m) for the odd m below `end`; the value for m is at index m / 2.
fn log_turns(end: u64, bits: u64) -> Vec<Disc> {
    let mut turns = vec![Disc::integer(1, bits)];
    for m in (3..end).step_by(2) {
        let factor = (3..=m.isqrt()).step_by(2).find(|p| m.is_multiple_of(*p));
        turns.push(match factor {
            Some(p) => turns[p as usize / 2].times(&turns[(m / p) as usize / 2]),
            None => turn_of_log(m, bits),
        });
    }
    turns
}

impl Fourier {
    /// Computes the coefficients for h = 1 to `count`, to within about 2^-bits. Cost: O(count
    /// (count + bits)) products.
    pub fn new(count: usize, bits: u64) -> Fourier {
        // Each of the sums below accumulates fewer than 2^24 rounding errors.
        let wide = bits + 32;
        let end = (10 * count as u64 + bits).next_power_of_two();
        let turns = log_turns(end, wide);
        // For each h, adds m^c / m over an odd m and its multiples 2m, 4m, ... below the end.
        let part = |i: usize| {
            let m = 2 * i as u64 + 1;
            let doublings = ((end - 1) / m).ilog2();
            let weight = fraction((2u64 << doublings) - 1, m << doublings, wide);
            let mut term = Disc::real(&weight, wide);
            let powers = (0..count).map(|_| {
                term = term.times(&turns[i]);
                term.clone()
            });
            powers.collect::<Vec<Disc>>()
        };
        let add = |a: Vec<Disc>, b: Vec<Disc>| {
            let sums = a.iter().zip(&b).map(|(a, b)| a.plus(b));
            sums.collect::<Vec<Disc>>()
        };
        // Integer addition is exact, so the order does not matter.
        let sums = threads::concat(turns.len(), &|parts| {
            parts.map(part).reduce(add).into_iter().collect()
        });
        let none = || vec![Disc::integer(0, wide); count];
        let sums = sums.into_iter().reduce(add).unwrap_or_else(none);
        let bernoulli = bernoulli(wide as usize / 4 + 8);
        let coefficient =
            |i: usize| coefficient(i as u64 + 1, sums[i].clone(), end, &bernoulli, wide);
        Fourier {
            coefficients: threads::map(count, &coefficient),
            bits: wide,
        }
    }

    /// Encloses the sum of the first `count` oscillations at log2 n, for each of `counts`.
    fn oscillations(&self, n: u64, counts: &[usize]) -> Vec<Enclosure> {
        let turn = turn_of_log(n, self.bits);
        let (mut power, mut sum) = (Disc::integer(1, self.bits), Disc::integer(0, self.bits));
        let mut sums = vec![sum.re()];
        for coefficient in &self.coefficients {
            power = power.times(&turn);
            let term = power.times(coefficient);
            sum = sum.plus(&term).plus(&term);
            sums.push(sum.re());
        }
        counts.iter().map(|count| sums[*count].clone()).collect()
    }

    /// Returns the mean plus the first `count` oscillations at log2 n, for each of `counts`. Cost:
    /// one product per oscillation.
    ///
    /// # Panics
    /// If a count is larger than the number of coefficients.
    pub fn partial_sums(&self, n: u64, counts: &[usize]) -> Vec<Real> {
        let known = self.oscillations(n, counts).into_iter().zip(counts);
        let mean = mean_over_log();
        let sum = |(known, count): (Enclosure, &usize)| {
            let count = *count;
            let oscillations = narrowing_real(move |bits| {
                if known.is_within(bits) {
                    known.clone()
                } else {
                    Fourier::new(count, bits).oscillations(n, &[count])[0].clone()
                }
            });
            mean.plus(&oscillations)
        };
        known.map(sum).collect()
    }
}

/// The amplitude of the h-th oscillation of the toll around its mean: twice the absolute value of
/// the coefficient.
pub fn amplitude(h: usize) -> Real {
    let half = narrowing_real(move |bits| {
        let fourier = Fourier::new(h, bits);
        fourier.coefficients[h - 1].abs()
    });
    half.plus(&half)
}

/// Computes -zeta(1-c) / ((1-c) ln 2), given the sum of m^(c-1) over m < `end`, a power of two.
fn coefficient(h: u64, sum: Disc, end: u64, bernoulli: &[Rational], bits: u64) -> Disc {
    let enclosed = |value: &Rational| Enclosure::of_rational(value, bits);
    let none = fraction(0, 1, bits);
    let one = fraction(1, 1, bits);
    // s = 1 - c = 1 - i t
    let turns = pi(bits).times(&fraction(2 * h, 1, bits));
    let t = turns.over(&ln2(bits)).expect("ln 2 is not 0");
    let shifted = |i: u64| Disc::new(&fraction(i + 1, 1, bits), &none.minus(&t), bits);
    let over_t = one.over(&t).expect("t is above 9");
    // N^(1-s) / (s-1) = i / t, and half of N^-s
    let ends = Disc::new(&fraction(1, 2 * end, bits), &over_t, bits);
    let mut zeta = sum.plus(&ends);
    // B_2k (s)_(2k-1) / (2k)! N^-2k
    let square = Rational::new(1.into(), BigInt::from(end) * end);
    let real = |value: &Rational| Disc::real(&enclosed(value), bits);
    let mut term = shifted(0).times(&real(&(&square / BigInt::from(2) * &bernoulli[0])));
    for (i, pair) in bernoulli.windows(2).enumerate() {
        let k = i as u64 + 1;
        zeta = zeta.plus(&term);
        let product: BigInt = (term.most() * shifted(2 * k - 1).most()) >> bits;
        let rest: BigInt = product / (2 * k) + 2;
        if rest.bits() <= 8 || i + 2 == bernoulli.len() {
            zeta = zeta.widened(&rest);
            break;
        }
        let denominator = BigInt::from((2 * k + 1) * (2 * k + 2));
        let ratio = &square / denominator * &pair[1] / &pair[0];
        // Divide by the two divisors one after the other, since their product is large and the
        // ratio is small.
        term = term
            .times(&shifted(2 * k - 1).times(&real(&ratio)))
            .times(&shifted(2 * k));
    }
    // 1 / (s ln 2) = (1 + i t) / ((1 + t^2) ln 2)
    let below = one.plus(&t.times(&t)).times(&ln2(bits));
    let [re, im] = [&one, &t].map(|part| part.over(&below).expect("it is above 0"));
    zeta.times(&Disc::new(&re, &im, bits)).negated()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from another program, mpmath 1.3 with 50 digits: zeta(s) = 1 + zeta(s, 2), Hurwitz's
    /// function. (From the alternating series zeta(s) would be 0/0 here, since 2^(1-s) = 1.)
    #[test]
    fn amplitudes() {
        for (h, amplitude_of_h) in [
            (1, "0.427461061328349226676091854751"),
            (2, "0.292001554501417106857015664685"),
            (3, "0.208031833230971391041391753599"),
            (100, "0.005796970469508012020802705768"),
        ] {
            assert_eq!(amplitude(h).decimals(30).unwrap(), amplitude_of_h, "{h}");
        }
    }

    /// Values from the same program as in `amplitudes`. If more decimals are requested than the
    /// coefficients have, the coefficients are computed again with more bits.
    #[test]
    fn partial_sums() {
        let fourier = Fourier::new(100, 40);
        for (n, five, hundred) in [
            (1025, "1.036779247895545240256", "1.532365459036899979697"),
            (1400, "1.404434709626892025489", "1.444317831859406523969"),
        ] {
            let sums = fourier.partial_sums(n, &[0, 5, 100]);
            let found = [0, 1, 2].map(|i| sums[i].decimals(21).unwrap());
            let mean = mean_over_log().decimals(21).unwrap();
            assert_eq!(found, [&mean, five, hundred], "{n}");
        }
    }

    /// The enclosures of the coefficients are as narrow as requested, even if the sum has many
    /// terms.
    #[test]
    fn enclosures_are_narrow() {
        for (count, bits) in [(1, 400), (200, 60), (20, 120)] {
            let fourier = Fourier::new(count, bits);
            assert!(fourier.coefficients.iter().all(|c| c.re().is_within(bits)));
        }
    }
}
