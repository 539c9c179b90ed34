//! Logarithms modulo d of the residues of small primes modulo a power q of an odd prime. They are
//! power residue symbols, that is, d-th roots of 1 modulo q, written as exponents.
//!
//! The units modulo q form a cyclic group, and d divides their number phi. If z is an element of
//! order d, the logarithm of x is the j with x^(phi/d) = z^j.
//!
//! **Montgomery's products without a final subtraction**, for q < 2^30: if x, y < 2q, then x y < 4
//! q^2 < 2^32 q, and (x y + c q) / 2^32 < 2q. The powers of 32 numbers are computed in parallel
//! lanes.
#![allow(unsafe_code)]

use num_integer::gcd;

use flipcost_number::factor::{Montgomery, factor};
use flipcost_number::transform::ProductKernel;

/// The number of powers that are computed at once.
const LANES: usize = 32;
const HALF_WORD: u64 = u32::MAX as u64;
/// The largest order d for which a power is compared with all roots in parallel.
const MAX_COMPARED: u32 = 16;

/// A table of logarithms of residues modulo q.
pub(super) struct Logarithms {
    prime: u64,
    q: u64,
    order: u32,
    /// phi / d
    exponent: u64,
    ring: Montgomery,
    /// 2^32 modulo q, 2^64 modulo q, -1/q modulo 2^32, for q < 2^30
    half: Option<HalfWordModulus>,
    /// a table with at least four slots for each root: z^j, or 0 for an empty slot, and j
    table: Vec<(u64, u8)>,
    shift: u32,
}

#[derive(Clone, Copy)]
struct HalfWordModulus {
    q: u64,
    one: u64,
    square: u64,
    negated: u64,
}

impl Logarithms {
    /// Creates the logarithms modulo a power of an odd prime, for a divisor d of the number of
    /// units, 1 < d < 256.
    pub(super) fn new(prime: u64, power: u32, order: u32) -> Self {
        let q = prime.pow(power);
        let exponent = (q - q / prime) / u64::from(order);
        let ring = Montgomery::new(q);
        let primes = factor(u64::from(order));
        let generates = |z: &u64| {
            primes
                .iter()
                .all(|&(r, _)| ring.pow(*z, u64::from(order) / r) != ring.one())
        };
        let root = (2..)
            .filter(|x: &u64| !x.is_multiple_of(prime))
            .map(|x| ring.pow(ring.enter(x), exponent))
            .find(generates)
            .expect("the group is cyclic");
        let half = (q < 1 << 30).then(|| {
            let one = (1 << 32) % q;
            HalfWordModulus {
                q,
                one,
                square: one * one % q,
                negated: u64::from(
                    (flipcost_number::factor::inverse_of_odd(q) as u32).wrapping_neg(),
                ),
            }
        });
        let places = (4 * order).next_power_of_two();
        let mut found = Self {
            prime,
            q,
            order,
            exponent,
            ring,
            half,
            table: vec![(0, 0); places as usize],
            shift: 64 - places.ilog2(),
        };
        let mut power = ring.one();
        for j in 0..order {
            let x = found.table_key(power);
            let at = found.find_slot(x, |here| here == 0);
            found.table[at] = (x, j as u8);
            power = ring.mul(power, root);
        }
        found
    }

    /// The key of a power in the table: its Montgomery form modulo 2^32, or modulo 2^64.
    fn table_key(&self, power: u64) -> u64 {
        match self.half {
            Some(half) => self.ring.leave(power) * half.one % self.q,
            None => power,
        }
    }

    /// Finds the first slot in the probe sequence of x for which `is_it` holds.
    #[inline]
    fn find_slot(&self, x: u64, is_it: impl Fn(u64) -> bool) -> usize {
        let mask = self.table.len() - 1;
        let mut at = (x.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        while !is_it(self.table[at & mask].0) {
            at += 1;
        }
        at & mask
    }

    pub(super) fn order(&self) -> u32 {
        self.order
    }

    pub(super) fn prime(&self) -> u64 {
        self.prime
    }

    pub(super) fn modulus(&self) -> u64 {
        self.q
    }

    /// The conductor of the character e^(2 pi i c log(x) / d).
    pub(super) fn conductor(&self, c: u32) -> u64 {
        if c == 0 {
            return 1;
        }
        // For a prime q, there are q times as many units modulo q^(b + 1) as modulo q^b.
        let mut order = u64::from(self.order / gcd(self.order, c));
        let mut conductor = self.prime;
        while order.is_multiple_of(self.prime) {
            order /= self.prime;
            conductor *= self.prime;
        }
        conductor
    }

    /// Looks up the logarithm of a root of 1 in the table; 0 if x is not such a root.
    #[inline]
    fn look_up(&self, x: u64) -> u8 {
        self.table[self.find_slot(x, |here| here == x || here == 0)].1
    }

    /// The logarithm of x, which must not be a multiple of the prime.
    pub(super) fn logarithm(&self, x: u64) -> u32 {
        let power = self.ring.pow(self.ring.enter(x), self.exponent);
        self.look_up(self.table_key(power)).into()
    }

    /// The logarithms of numbers, which must be in increasing order; 0 for multiples of the prime.
    pub(super) fn logarithms_of(&self, numbers: &[u32]) -> Vec<u8> {
        let mut logarithms = vec![0; numbers.len()];
        let Some(half) = self.half else {
            for (group, logs) in numbers.chunks(8).zip(logarithms.chunks_mut(8)) {
                let mut x = [0; 8];
                for (x, &number) in x.iter_mut().zip(group) {
                    *x = self.ring.enter(number.into());
                }
                for (log, x) in logs.iter_mut().zip(self.ring.powers(x, self.exponent)) {
                    *log = self.look_up(x);
                }
            }
            return logarithms;
        };
        let path = ProductKernel::chosen();
        // The roots z, z^2, ..., if there are only a few.
        let mut few = Vec::new();
        if self.order <= MAX_COMPARED {
            few.resize(self.order as usize - 1, 0);
            for &(x, log) in self.table.iter().filter(|(_, log)| *log > 0) {
                few[log as usize - 1] = x;
            }
        }
        for (group, logs) in numbers.chunks(LANES).zip(logarithms.chunks_mut(LANES)) {
            let mut x = [0; LANES];
            x[..group.len()].copy_from_slice(group);
            if u64::from(group[group.len() - 1]) >= self.q {
                let q = half.q as u32;
                for x in &mut x {
                    *x %= q;
                }
            }
            match path {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the processor supports this kernel, and therefore AVX-512F.
                Some(ProductKernel::Avx512) => unsafe {
                    powers_by_avx512(&mut x, self.exponent, half, &few)
                },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the processor supports this kernel, and therefore AVX2.
                Some(ProductKernel::Avx2) => unsafe {
                    powers_by_avx2(&mut x, self.exponent, half, &few)
                },
                _ => montgomery_powers(&mut x, self.exponent, half, &few),
            }
            if few.is_empty() {
                for (log, &x) in logs.iter_mut().zip(&x) {
                    *log = self.look_up(x.into());
                }
            } else {
                for (log, &x) in logs.iter_mut().zip(&x) {
                    *log = x as u8;
                }
            }
        }
        logarithms
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn powers_by_avx512(x: &mut [u32; LANES], exponent: u64, half: HalfWordModulus, roots: &[u64]) {
    montgomery_powers(x, exponent, half, roots);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn powers_by_avx2(x: &mut [u32; LANES], exponent: u64, half: HalfWordModulus, roots: &[u64]) {
    montgomery_powers(x, exponent, half, roots);
}

/// Computes x y / 2^32 modulo q for x, y < 2q; the result is below 2q.
#[inline(always)]
fn montgomery_product(x: u64, y: u64, half: HalfWordModulus) -> u64 {
    let product = (x & HALF_WORD) * (y & HALF_WORD);
    let c = ((product & HALF_WORD) * half.negated) & HALF_WORD;
    (product + c * (half.q & HALF_WORD)) >> 32
}

/// Computes x^exponent in Montgomery's form, below q, for x < q in ordinary form and exponent > 0.
/// If roots are given, returns instead the number, counted from 1, of the root that equals the
/// power, or 0 if there is none.
#[inline(always)]
fn montgomery_powers(x: &mut [u32; LANES], exponent: u64, half: HalfWordModulus, roots: &[u64]) {
    // These are loops, because a closure would be compiled without the caller's vector
    // instructions.
    let mut base = [0; LANES];
    for i in 0..LANES {
        base[i] = montgomery_product(u64::from(x[i]), half.square, half);
    }
    let mut power = base;
    for bit in (0..exponent.ilog2()).rev() {
        for power in &mut power {
            *power = montgomery_product(*power, *power, half);
        }
        if exponent >> bit & 1 == 1 {
            for i in 0..LANES {
                power[i] = montgomery_product(power[i], base[i], half);
            }
        }
    }
    for i in 0..LANES {
        let less = power[i].wrapping_sub(half.q);
        power[i] = if power[i] < half.q { power[i] } else { less };
        x[i] = power[i] as u32;
    }
    if roots.is_empty() {
        return;
    }
    *x = [0; LANES];
    for (log, &root) in (1..).zip(roots) {
        for i in 0..LANES {
            x[i] |= if power[i] == root { log } else { 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::factor::pow_mod;

    /// The logarithm of a product is the sum of the logarithms, d-th powers have logarithm 0, and
    /// both functions give the same logarithms.
    #[test]
    fn logarithms_are_characters() {
        for (prime, power, d) in [
            (7, 1, 2),
            (31, 1, 6),
            (41, 1, 4),
            (3, 5, 54),
            (5, 3, 25),
            (65_537, 1, 128),
            (999_999_937, 1, 16),
            (1_000_000_000_039, 1, 6),
            (1_000_003, 2, 6),
        ] {
            let logarithms = Logarithms::new(prime, power, d);
            let q = logarithms.modulus();
            let totient = q - q / prime;
            let numbers: Vec<u32> = (1..200).collect();
            let all = logarithms.logarithms_of(&numbers);
            let unit = |x: u64| !x.is_multiple_of(prime);
            for (&x, &log) in numbers.iter().zip(&all) {
                let x = u64::from(x);
                if !unit(x) {
                    assert_eq!(log, 0, "{x} modulo {q}");
                    continue;
                }
                assert_eq!(u32::from(log), logarithms.logarithm(x), "{x} modulo {q}");
                let is_power = pow_mod(x, totient / u64::from(d), q) == 1;
                assert_eq!(log == 0, is_power, "{x} modulo {q}");
                for y in (1..50).filter(|&y| unit(y)) {
                    let sum = (u32::from(log) + logarithms.logarithm(y)) % d;
                    assert_eq!(logarithms.logarithm(x * y), sum, "{x} {y} modulo {q}");
                }
            }
        }
    }
}
