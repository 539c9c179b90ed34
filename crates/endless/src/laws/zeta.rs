//! The zeta law, whose probabilities are proportional to x^-s.

use crate::law::{Digits, DigitsError, log2_enclosure};
use flipcost_number::budget::spend;
use flipcost_number::{BigInt, Enclosure, Rational, ln};
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeMap;

/// P(x) = x^-s / zeta(s) for x = 1, 2, ...: Zipf's law with infinitely many outcomes.
///
/// Billions of outcomes contribute to the first digits of the cost, so their digits are counted,
/// not listed. Let f = floor(2^t / zeta(s)). The digit t of P(x) is 1 if floor(2^t P(x)) = floor(f
/// / x^s) is odd. This number is at least m for the outcomes up to r_m, the largest r with m r^s <=
/// f. So the digit is 1 for r_1 - r_2 + r_3 - ... outcomes. Outcomes up to a bound x are listed;
/// for the others this sum has only about f / x^s terms.
///
/// At most r_1 <= 2^(t/s) outcomes have the digit 1 at place t. Let q = 2^(1/s - 1) <= 0.63. The
/// digits after place d contribute to the mean number of flips at most the sum of t q^t over t > d,
/// which is q^d (d q / (1-q) + q / (1-q)^2) <= q^d (2 d + 6). They contribute to the second moment
/// at most the sum of t^2 q^t, which is at most 2 q^d (d + 6)^2.
#[derive(Clone, Debug)]
pub struct Zeta {
    /// The exponent, at least 3.
    pub s: u32,
}

/// The largest exponent. For a larger exponent, the entropy is too close to 0 to be determined from
/// the digits that are computed.
pub const MAX_EXPONENT: u32 = 32;

/// The maximum number of outcomes among which the leaves of a level are searched.
const MAX_LISTED: u128 = 1 << 28;

/// B_2k / (2k)! for k = 1, ..., 6, as numerator and denominator.
const BERNOULLI: [(i64, i64); 6] = [
    (1, 12),
    (-1, 720),
    (1, 30_240),
    (-1, 1_209_600),
    (1, 47_900_160),
    (-691, 1_307_674_368_000),
];

impl Zeta {
    /// The largest depth to which digits are counted: at most 2^28 outcomes are listed.
    pub fn max_depth(&self) -> u64 {
        u64::from(27 * (self.s.min(8) + 1) - 6).min(120)
    }

    /// Returns floor(f / x^s), where `near` is f as a double. A quotient below 2^48 is computed in
    /// doubles, whose error of at most a few units is then corrected. Requires f < 2^120 and x^s <=
    /// f.
    fn quotient(&self, (f, near): (u128, f64), x: u64) -> u128 {
        let power = u128::from(x).wrapping_pow(self.s);
        if f >> 48 >= power {
            return f / power;
        }
        let mut q = u128::from((near / (x as f64).powi(self.s as i32)) as u64);
        while q.wrapping_mul(power) > f {
            q -= 1;
        }
        while (q + 1).wrapping_mul(power) <= f {
            q += 1;
        }
        q
    }

    /// Returns the largest r with m r^s <= f.
    fn last_outcome(&self, f: u128, m: u128) -> u128 {
        let reaches = |r: u128| {
            let product = r.checked_pow(self.s).and_then(|power| power.checked_mul(m));
            product.is_some_and(|product| product <= f)
        };
        let guess = f as f64 / m as f64;
        let mut r = match self.s {
            3 => guess.cbrt(),
            s => guess.powf(1.0 / f64::from(s)),
        } as u128;
        while !reaches(r) {
            r -= 1;
        }
        while reaches(r + 1) {
            r += 1;
        }
        r
    }

    /// Encloses zeta(s) and the sum of ln(x) / x^s, by Euler and Maclaurin's formula from n on.
    ///
    /// Let a_j = s (s+1) ... (s+j-1), and let a_j' be the derivative of a_j by s. The j-th
    /// derivative of x^-s is (-1)^j a_j x^(-s-j), and that of ln(x) x^-s is (-1)^j x^(-s-j) (a_j ln
    /// x - a_j'). The twelfth derivatives are positive from n = 8 on, where ln x is above the sum
    /// of 1 / (s+i) over i < 12. So each remainder is at most the sixth term of the formula, which
    /// is the last.
    fn sums(&self, bits: u64) -> (Enclosure, Enclosure) {
        let n = 1u64 << (bits / 14 + 2);
        let whole = |value: u64| Rational::from(BigInt::from(value));
        let power = |x: u64, k: u32| Rational::new(BigInt::one(), BigInt::from(x).pow(k));
        let s = self.s;
        let zero = Enclosure::of_rational(&Rational::zero(), bits);
        let (mut zeta, mut logs) = (zero.clone(), zero);
        for x in 1..n {
            spend(bits * 64);
            let term = Enclosure::of_rational(&power(x, s), bits);
            logs = logs.plus(&term.times(&ln(&whole(x), bits).coarsen(bits)));
            zeta = zeta.plus(&term);
        }
        // The terms from n on contribute a to zeta, and a ln n + b to the other sum.
        let less = whole(u64::from(s - 1));
        let mut a = power(n, s - 1) / &less + power(n, s) / whole(2);
        let mut b = power(n, s - 1) / (&less * &less);
        let (mut rising, mut slope, mut last) = (whole(u64::from(s)), whole(1), Rational::zero());
        for (k, (top, below)) in (1u32..).zip(BERNOULLI) {
            let factor = Rational::new(top.into(), below.into()) * power(n, s + 2 * k - 1);
            last = &factor * &rising;
            a += &last;
            b -= factor * &slope;
            for i in [2 * k - 1, 2 * k] {
                let next = whole(u64::from(s + i));
                slope = slope * &next + &rising;
                rising *= next;
            }
        }
        let log = ln(&whole(n), bits).coarsen(bits);
        let slack = Enclosure::of_rational(&(last.abs() * whole(bits)), bits).high + 1;
        let rest = Enclosure::of_rational(&a, bits);
        let widen = |value: Enclosure| Enclosure {
            low: value.low - &slack,
            high: value.high + &slack,
            bits,
        };
        let other = rest.times(&log).plus(&Enclosure::of_rational(&b, bits));
        (widen(zeta.plus(&rest)), widen(logs.plus(&other)))
    }

    /// Returns floor(2^depth / zeta(s)), for a depth of at most 120.
    fn scaled_first(&self, depth: u64) -> Result<u128, DigitsError> {
        let (zeta, _) = self.sums(depth + 40);
        let shifted = BigInt::one() << (2 * depth + 40);
        let [low, high] = [&shifted / &zeta.high, &shifted / &zeta.low];
        if low == high {
            low.to_u128().ok_or(DigitsError::TooMany)
        } else {
            Err(DigitsError::Undecided)
        }
    }

    /// Encloses the probabilities of some outcomes.
    pub fn probabilities<'a>(
        &self,
        outcomes: impl Iterator<Item = &'a i64>,
        bits: u64,
    ) -> BTreeMap<i64, Enclosure> {
        let (zeta, _) = self.sums(bits);
        let probability = |x: &i64| {
            let power = Rational::new(BigInt::one(), BigInt::from(*x).pow(self.s));
            let power = Enclosure::of_rational(&power, bits);
            (*x, power.over(&zeta).expect("zeta(s) is above 1"))
        };
        outcomes.map(probability).collect()
    }

    /// Returns the outcomes with the digit 1 at place t.
    ///
    /// # Errors
    /// [`DigitsError::TooMany`] if more than 2^28 outcomes can have this digit.
    pub fn leaves_at(&self, t: u64) -> Result<Vec<i64>, DigitsError> {
        if t > self.max_depth() {
            return Err(DigitsError::TooMany);
        }
        let f = self.scaled_first(t)?;
        let last = self.last_outcome(f, 1);
        if last > MAX_LISTED {
            return Err(DigitsError::TooMany);
        }
        spend(16 * last as u64);
        let has_digit = |x: &u64| self.quotient((f, f as f64), *x) % 2 == 1;
        let outcomes = (1..=last as u64).filter(has_digit);
        Ok(outcomes.map(|x| x as i64).collect())
    }

    /// Returns the digits up to this depth, with the numbers of leaves but not their outcomes.
    ///
    /// # Errors
    /// [`DigitsError::TooMany`] for a depth above [`Zeta::max_depth`].
    pub fn digits(&self, depth: u64) -> Result<Digits, DigitsError> {
        if depth > self.max_depth() {
            return Err(DigitsError::TooMany);
        }
        let first = self.scaled_first(depth)?;
        let balanced = ((depth + 3) as f64 / f64::from(self.s + 1)).exp2() as u128;
        let listed = balanced.min(self.last_outcome(first, 1));
        // For each byte of a quotient, counts how often each value of this byte occurs.
        let mut counts = [[0u64; 256]; 16];
        let both = (first, first as f64);
        for x in 1..=listed as u64 {
            if x % 4096 == 0 {
                spend(1 << 16);
            }
            let mut rest = self.quotient(both, x);
            for counts in &mut counts {
                counts[rest as u8 as usize] += 1;
                rest >>= 8;
                if rest == 0 {
                    break;
                }
            }
        }
        let mut leaves = vec![0u64; depth as usize + 1];
        for (t, leaves) in leaves.iter_mut().enumerate() {
            let place = depth as usize - t;
            let with_bit = |(byte, _): &(usize, &u64)| byte >> (place % 8) & 1 == 1;
            let counted = counts[place / 8].iter().enumerate().filter(with_bit);
            *leaves += counted.map(|(_, count)| count).sum::<u64>();
            for m in 1u128.. {
                spend(64);
                let last = self.last_outcome(first >> place, m);
                if last <= listed {
                    break;
                }
                let others = (last - listed) as u64;
                *leaves = match m % 2 {
                    1 => *leaves + others,
                    _ => *leaves - others,
                };
            }
        }
        // q^d = 2^(-d (s-1) / s), rounded up
        let exponent = depth * u64::from(self.s - 1) / u64::from(self.s);
        let unit = Rational::new(BigInt::one(), BigInt::one() << exponent);
        let [mean, square] = [2 * depth + 6, 2 * (depth + 6) * (depth + 6)];
        let tails = [0, mean, square].map(|factor| &unit * BigInt::from(factor));
        Ok(Digits::from_counts(depth, leaves, tails, self.entropy(128)))
    }

    /// Encloses the entropy, log2 zeta(s) + s / (zeta(s) ln 2) times the sum of ln(x) / x^s.
    pub(crate) fn entropy(&self, bits: u64) -> Enclosure {
        let (zeta, logs) = self.sums(bits);
        let two = ln(&Rational::from(BigInt::from(2)), bits).coarsen(bits);
        let mean = logs
            .over(&zeta.times(&two))
            .expect("zeta(s) ln 2 is above 0");
        let s = Enclosure::of_rational(&Rational::from(BigInt::from(self.s)), bits);
        log2_enclosure(&zeta).plus(&mean.times(&s))
    }
}
