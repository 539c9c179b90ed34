//! Logarithms in the group of the d-th roots of 1 modulo a prime q, for the residues of small primes: power residue
//! symbols, as numbers modulo d.
//!
//! d divides q - 1, z is an element of order d, and the logarithm of x is the j with x^((q-1)/d) = z^j.
//!
//! **Montgomery's products without a last subtraction**, for q < 2^30: x, y < 2q have x y < 4 q^2 < 2^32 q, and
//! (x y + c q) / 2^32 < 2q. Powers of 32 numbers are computed side by side.
#![allow(unsafe_code)]

use crate::number::factor::{Montgomery, factor};
use crate::number::transform::Path;

/// Numbers whose powers are computed together.
const WIDTH: usize = 32;
const HALF: u64 = u32::MAX as u64;
/// Places of the table of logarithms: at most 255 of them are taken.
const PLACES: usize = 1 << 10;

/// Logarithms of residues modulo q.
pub(super) struct Logarithms {
    q: u64,
    order: u32,
    /// The exponent (q - 1)/d.
    exponent: u64,
    ring: Montgomery,
    /// 2^32 modulo q, 2^64 modulo q, -1/q modulo 2^32, for q < 2^30
    half: Option<Half>,
    /// z^j, or 0, and j
    table: Vec<(u64, u8)>,
}

#[derive(Clone, Copy)]
struct Half {
    q: u64,
    one: u64,
    square: u64,
    negated: u64,
}

/// Where a residue is looked for first.
fn place(x: u64) -> usize {
    (x.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize
}

impl Logarithms {
    /// For an odd prime q and a divisor d of q - 1, 1 < d < 256.
    pub(super) fn new(q: u64, order: u32) -> Self {
        let exponent = (q - 1) / u64::from(order);
        let ring = Montgomery::new(q);
        let primes = factor(u64::from(order));
        let generates = |z: &u64| {
            primes
                .iter()
                .all(|&(r, _)| ring.pow(*z, u64::from(order) / r) != ring.one())
        };
        let root = (2..)
            .map(|x| ring.pow(ring.enter(x), exponent))
            .find(generates)
            .expect("the group is cyclic");
        let half = (q < 1 << 30).then(|| {
            let one = (1 << 32) % q;
            Half {
                q,
                one,
                square: one * one % q,
                negated: u64::from((crate::number::factor::inverse_of_odd(q) as u32).wrapping_neg()),
            }
        });
        let mut table = vec![(0, 0); PLACES];
        let mut power = ring.one();
        for j in 0..order {
            let x = match half {
                Some(half) => ring.leave(power) * half.one % q,
                None => power,
            };
            let mut at = place(x);
            while table[at].0 != 0 {
                at = (at + 1) % PLACES;
            }
            table[at] = (x, j as u8);
            power = ring.mul(power, root);
        }
        Self {
            q,
            order,
            exponent,
            ring,
            half,
            table,
        }
    }

    pub(super) fn order(&self) -> u32 {
        self.order
    }

    pub(super) fn modulus(&self) -> u64 {
        self.q
    }

    /// The logarithm of a root of 1, as the table has it.
    #[inline]
    fn look_up(&self, x: u64) -> u8 {
        let mut at = place(x);
        while self.table[at].0 != x {
            at = (at + 1) % PLACES;
        }
        self.table[at].1
    }

    /// Of x, not a multiple of q.
    pub(super) fn of(&self, x: u64) -> u32 {
        let power = self.ring.pow(self.ring.enter(x), self.exponent);
        let x = match self.half {
            Some(half) => self.ring.leave(power) * half.one % self.q,
            None => power,
        };
        self.look_up(x).into()
    }

    /// Of many, 0 for multiples of q.
    pub(super) fn of_all(&self, numbers: &[u32]) -> Vec<u8> {
        let Some(half) = self.half else {
            let of = |&x: &u32| match u64::from(x) % self.q {
                0 => 0,
                x => self.of(x) as u8,
            };
            return numbers.iter().map(of).collect();
        };
        let path = Path::chosen();
        let mut logarithms = Vec::with_capacity(numbers.len());
        for group in numbers.chunks(WIDTH) {
            let mut x = [1; WIDTH];
            for (x, &number) in x.iter_mut().zip(group) {
                *x = u64::from(number);
                if *x >= self.q {
                    *x %= self.q;
                }
            }
            match path {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the path is here, and with it AVX-512F.
                Some(Path::Avx512) => unsafe { avx512(&mut x, self.exponent, half) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the path is here, and with it AVX2.
                Some(Path::Avx2) => unsafe { avx2(&mut x, self.exponent, half) },
                _ => powers(&mut x, self.exponent, half),
            }
            let found = x[..group.len()].iter().map(|&x| match x {
                0 => 0,
                x => self.look_up(x),
            });
            logarithms.extend(found);
        }
        logarithms
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512(x: &mut [u64; WIDTH], exponent: u64, half: Half) {
    powers(x, exponent, half);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(x: &mut [u64; WIDTH], exponent: u64, half: Half) {
    powers(x, exponent, half);
}

/// x y / 2^32 modulo q, below 2q, for x, y < 2q.
#[inline(always)]
fn product(x: u64, y: u64, half: Half) -> u64 {
    let product = (x & HALF) * (y & HALF);
    let c = ((product & HALF) * half.negated) & HALF;
    (product + c * (half.q & HALF)) >> 32
}

/// x^exponent in Montgomery's form, below q, for x < q given as they are; exponent > 0.
#[inline(always)]
fn powers(x: &mut [u64; WIDTH], exponent: u64, half: Half) {
    let mut base = *x;
    for base in &mut base {
        *base = product(*base, half.square, half);
    }
    let mut power = base;
    for bit in (0..exponent.ilog2()).rev() {
        for power in &mut power {
            *power = product(*power, *power, half);
        }
        if exponent >> bit & 1 == 1 {
            for (power, &base) in power.iter_mut().zip(&base) {
                *power = product(*power, base, half);
            }
        }
    }
    for (x, power) in x.iter_mut().zip(power) {
        *x = power.min(power.wrapping_sub(half.q));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::factor::pow_mod;

    /// Logarithms of products are sums, the d-th powers are those of logarithm 0, and one by one or together.
    #[test]
    fn logarithms_are_characters() {
        for (q, d) in [(7, 2), (31, 6), (41, 4), (65_537, 128), (999_999_937, 16), (1_000_000_000_039, 6)] {
            let logarithms = Logarithms::new(q, d);
            let numbers: Vec<u32> = (1..200).collect();
            let all = logarithms.of_all(&numbers);
            let unit = |x: u64| x % q != 0;
            for (&x, &log) in numbers.iter().zip(&all) {
                let x = u64::from(x);
                if !unit(x) {
                    continue;
                }
                assert_eq!(u32::from(log), logarithms.of(x), "{x} modulo {q}");
                let is_power = pow_mod(x, (q - 1) / u64::from(d), q) == 1;
                assert_eq!(log == 0, is_power, "{x} modulo {q}");
                for y in (1..50).filter(|&y| unit(y)) {
                    let sum = (u32::from(log) + logarithms.of(y)) % d;
                    assert_eq!(logarithms.of(x * y), sum, "{x} {y} modulo {q}");
                }
            }
        }
    }
}
