//! The law of the fast dice roller: s(t) = m^t mod n.
//!
//! The residues x_t = m^t mod n are periodic from t = s on, with period p (see
//! [`crate::number::order`]), so with C = sum_{i<p} x_{s+i} m^{p-1-i}
//!
//! ```text
//! E[T] = sum_{t<s} x_t / m^t + m^(1-s) C / (m^p - 1).
//! ```
//!
//! That fraction has about p log2 m bits. For decimals the period is not needed: as x_t < n,
//!
//! ```text
//! 0 <= sum_{t>=K}        x_t / m^t <= n m^(1-K) / (m - 1) <= 2 n / m^K
//! 0 <= sum_{t>=K} (2t+1) x_t / m^t <= n (4K + 6) / m^K.
//! ```

use super::Size;
use crate::number::enclosure::{self, Enclosure};
use crate::number::order::{self, BigOrbit};
use crate::number::reduce::reduce;
use crate::number::{BigInt, BigUint, Rational, doubles, numerator};
use num_integer::Integer;
use num_traits::{One, Pow, ToPrimitive, Zero};
use std::sync::OnceLock;

/// Exact means up to this many bits are computed at once instead of enclosed.
const SMALL: u128 = 256;

/// Words of effort that are spent to factor a target beyond 2^64 in search of its period.
const EFFORT: u64 = 200_000;

/// s(t) = m^t mod n.
pub struct Residues {
    source: u64,
    target: BigUint,
    orbit: OnceLock<Option<BigOrbit>>,
}

/// Targets of more bits are not factored at all.
const MOST_FACTORED: u64 = 2048;

/// Bits beyond (s + p) log2 m that a fraction may take: its whole part, and what is rounded.
const SPARE: u128 = 16;

/// sum_{t<K} x_t m^(K-1-t) and, if asked, the same weighted by t, as integers.
struct Sums {
    plain: BigUint,
    weighted: BigUint,
}

impl Residues {
    /// The law for a source of m >= 2 and a target of n >= 1 sides.
    ///
    /// # Panics
    /// If m < 2 or n = 0.
    pub fn new(source: u64, target: BigUint) -> Self {
        assert!(
            source >= 2 && !target.is_zero(),
            "a source has at least 2 sides and a target at least 1, not {source} and {target}"
        );
        Residues {
            source,
            target,
            orbit: OnceLock::new(),
        }
    }

    /// Sides of the source.
    pub fn source(&self) -> u64 {
        self.source
    }

    /// Sides of the target.
    pub fn target(&self) -> &BigUint {
        &self.target
    }

    /// Pre-period and period of m^t mod n; `None` if n is too large to be factored here. Cost: that of
    /// factoring n, about n^(1/4) products of words at worst below 2^64, and a fixed number of steps
    /// beyond; kept.
    pub fn orbit(&self) -> Option<&BigOrbit> {
        let find = || match self.target.to_u64() {
            Some(n) => {
                let orbit = order::orbit(self.source, n);
                let (pre_period, period) = (orbit.pre_period, orbit.period.into());
                Some(BigOrbit {
                    pre_period,
                    period,
                    minus_one: orbit.minus_one,
                })
            }
            // one step of the search costs about bits^2, and a test for primes bits^3
            None if self.target.bits() > MOST_FACTORED => None,
            None => {
                let bits = self.target.bits();
                order::orbit_big(
                    self.source,
                    &self.target,
                    EFFORT.min((1 << 31) / (bits * bits)),
                )
            }
        };
        self.orbit.get_or_init(find).as_ref()
    }

    /// x_0, x_1, x_2, ... One division of n's length per term.
    pub fn survivors(&self) -> impl Iterator<Item = BigUint> + '_ {
        let mut x = BigUint::one() % &self.target;
        std::iter::repeat_with(move || {
            let next = &x * self.source % &self.target;
            std::mem::replace(&mut x, next)
        })
    }

    /// The sums over t from 0 to K-1, starting at the residue x. O(K) steps of a word (n < 2^64) or
    /// of n's length, and O(K^2 / 64) word operations for the result.
    fn sums(&self, first: &BigUint, rolls: u64) -> Sums {
        let m = self.source;
        let mut sums = Sums {
            plain: BigUint::zero(),
            weighted: BigUint::zero(),
        };
        let small = (first.to_u64(), self.target.to_u64());
        if let (Some(mut x), Some(n)) = small {
            // As many rolls at a time as one word holds: m^w < 2^52, sums below 2^116, t < 2^12 apart.
            let width = (52 / (64 - m.leading_zeros() as u64)).max(1);
            let mut t = 0;
            while t < rolls {
                let w = width.min(rolls - t);
                let (mut plain, mut weighted, mut scale) = (0u128, 0u128, 1u64);
                for i in 0..w {
                    plain = plain * m as u128 + x as u128;
                    weighted = weighted * m as u128 + x as u128 * i as u128;
                    x = (x as u128 * m as u128 % n as u128) as u64;
                    scale *= m;
                }
                sums.weighted = sums.weighted * scale + weighted + BigUint::from(plain) * t;
                sums.plain = sums.plain * scale + plain;
                t += w;
            }
            return sums;
        }
        let mut x = first.clone();
        for t in 0..rolls {
            sums.plain = sums.plain * m + &x;
            sums.weighted = sums.weighted * m + &x * t;
            x = x * m % &self.target;
        }
        sums
    }

    fn depth(&self, slack_bits: u64) -> u64 {
        // m^K >= 2^slack_bits
        slack_bits / (63 - self.source.leading_zeros() as u64) + 1
    }

    fn enclose(
        &self,
        bits: u64,
        numerator: impl Fn(&Sums) -> BigUint,
        tail: impl Fn(u64) -> u64,
    ) -> Enclosure {
        let rolls = self.depth(bits + self.target.bits() + 66);
        let scale = Pow::pow(BigInt::from(self.source), rolls - 1);
        let sums = self.sums(&(BigUint::one() % &self.target), rolls);
        // the tail, in units of m^(1-K): tail(K) n / m^K <= tail(K) n / m / m^(K-1)
        let slack =
            BigInt::from((&self.target * tail(rolls)).div_ceil(&BigUint::from(self.source)));
        let sum = BigInt::from(numerator(&sums));
        let value = Enclosure::of_ratio(&sum, &slack, &scale, bits + 4);
        debug_assert!(value.is_within(bits));
        value
    }

    /// `E[T]` within 2^-bits. O(log n + bits) residues; the period is not needed.
    pub fn mean_within(&self, bits: u64) -> Enclosure {
        if let (2, 0..=62, Some(n)) = (self.source, bits, self.target.to_u64())
            && let Some(value) = doubles::expected_flips_fixed(n)
        {
            return Enclosure {
                low: value.low.into(),
                high: value.high.into(),
                bits: 64,
            };
        }
        self.enclose(bits, |sums| sums.plain.clone(), |_| 2)
    }

    /// `E[T^2]` within 2^-bits. O(log n + bits) residues; the period is not needed.
    pub fn second_moment_within(&self, bits: u64) -> Enclosure {
        self.enclose(
            bits,
            |sums| &sums.plain + (&sums.weighted << 1u8),
            |rolls| 4 * rolls + 6,
        )
    }

    /// Is the exact mean a fraction of a few words at most, or T bounded? (A bounded T has an m-adic
    /// mean, on which a rounding or comparison can turn exactly.)
    pub fn is_small(&self) -> bool {
        let bounded = match self.target.to_u64() {
            Some(n) => order::coprime_part(self.source, n) == 1,
            None => order::coprime_part_big(self.source, &self.target)
                .0
                .is_one(),
        };
        bounded || matches!(self.size(), Size::Bits(bits) if bits <= SMALL)
    }

    /// The bits of the exact mean, at most: (s + p) log2 m, and the whole part. The mean's denominator
    /// divides m^s (m^p - 1). Cost: that of [`Residues::orbit`], once.
    pub fn size(&self) -> Size {
        let bounded = self.bounded_at();
        match (self.orbit(), bounded) {
            (None, None) => Size::Unknown,
            // targets of many digits: a word and a bit for every roll
            (None, Some(rolls)) => Size::Bits(u128::from(rolls) * 33 + SPARE),
            (Some(orbit), None) => {
                Size::Bits(fraction_bits(self.source, &orbit.period + orbit.pre_period))
            }
            (Some(orbit), Some(_)) => {
                Size::Bits(fraction_bits(self.source, orbit.pre_period.into()))
            }
        }
    }

    /// Pre-period and period as counts of rolls to be summed; `None` if the period is not known or 2^64
    /// rolls or more.
    fn lengths(&self) -> Option<(u64, u64)> {
        let orbit = self.orbit()?;
        Some((orbit.pre_period, orbit.period.to_u64()?))
    }

    /// `E[T]` as a reduced fraction of about b = p log2 m bits: ask [`Residues::size`] first. Cost:
    /// O(b^2) bit operations, memory O(b).
    ///
    /// # Panics
    /// As [`Residues::exact_moments`].
    pub fn exact_mean(&self) -> Rational {
        match self.target.to_u64() {
            Some(n) => numerator::expected_rolls(self.source, n),
            None => self.exact_moments().0,
        }
    }

    /// (`E[T]`, `E[T^2]`) as reduced fractions, from one pass over pre-period and period: ask
    /// [`Residues::size`] first. Cost: O(b^2) bit operations, memory O(b), for b = p log2 m bits.
    ///
    /// With q = m^-p, A = sum_i x_(s+i) m^-i and B = sum_i i x_(s+i) m^-i over one period:
    /// sum_{t>=s} (2t+1) x_t m^-t = m^-s [ ((2s+1) A + 2 B) / (1-q) + 2 p A q / (1-q)^2 ].
    ///
    /// # Panics
    /// If the period is not known, or 2^64 rolls or more, and T is not bounded: then
    /// [`Residues::size`] is [`Size::Unknown`], or at least 2^64 bits.
    pub fn exact_moments(&self) -> (Rational, Rational) {
        match self.target.to_u64() {
            Some(n) => numerator::moments(self.source, n),
            None => self.moments_by_period(),
        }
    }

    fn moments_by_period(&self) -> (Rational, Rational) {
        let m = BigInt::from(self.source);
        let (s, p) = match self.bounded_at() {
            Some(rolls) => (rolls, 1),
            None => (self.lengths()).expect("a period that is known and can be summed"),
        };
        let ratio = |a: BigInt, b: &BigInt| reduce(a.magnitude(), b.magnitude()); // none is negative
        let head = self.sums(&(BigUint::one() % &self.target), s);
        let scale = Pow::pow(&m, s.max(1) - 1);
        let head_mean = ratio(head.plain.clone().into(), &scale);
        let head_second = ratio((head.plain + (head.weighted << 1u8)).into(), &scale);
        let first = BigUint::from(self.source).modpow(&s.into(), &self.target);
        if first.is_zero() {
            return (head_mean, head_second);
        }
        let cycle = self.sums(&first, p);
        // A / (1-q) = m plain / (m^p - 1), B / (1-q) = m weighted / (m^p - 1), q / (1-q) = 1 / (m^p - 1)
        let whole = Pow::pow(&m, p) - 1;
        let down = Pow::pow(&m, s);
        let plain = BigInt::from(cycle.plain) * &m;
        let weighted = BigInt::from(cycle.weighted) * &m;
        let mean = head_mean + ratio(plain.clone(), &(&whole * &down));
        let top = (&plain * (2 * s + 1) + (weighted << 1u8)) * &whole + (plain << 1u8) * p;
        let second = head_second + ratio(top, &(&whole * &whole * down));
        (mean, second)
    }

    /// The least k with n | m^k, if there is one: then T <= k.
    fn bounded_at(&self) -> Option<u64> {
        let (mut rest, mut k) = (self.target.clone(), 0);
        while !rest.is_one() {
            let common = rest.gcd(&self.source.into());
            if common.is_one() {
                return None;
            }
            rest /= common;
            k += 1;
        }
        Some(k)
    }

    /// The largest T of positive probability: k if n divides m^k (k least), else unbounded.
    pub fn worst_case(&self) -> Option<u64> {
        self.bounded_at()
    }
}

/// The bits of a fraction with a denominator up to m^rolls and a whole part below 2^16, rounded up;
/// `u128::MAX` for that many or more. At most rolls / 2^60 + 1 above log2(m^rolls) + 16.
fn fraction_bits(m: u64, rolls: BigUint) -> u128 {
    let log = enclosure::log2(&m.into(), 60);
    let bits = (BigInt::from(rolls) * log.high).div_ceil(&(BigInt::one() << log.bits));
    let bits = bits.to_u128().unwrap_or(u128::MAX);
    bits.saturating_add(SPARE)
}
