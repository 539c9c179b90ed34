//! Class numbers of imaginary quadratic fields, all up to a limit together.
//!
//! h(-d) is the number of reduced forms a x^2 + b x y + c y^2 of discriminant b^2 - 4ac = -d that are
//! primitive: |b| <= a <= c, and b >= 0 if |b| = a or a = c (Gauss; Cohen 1993, section 5.3). For
//! squarefree d every form is primitive. We count those with d = 7 mod 8, the ones that decide how
//! many ones are in the period of 1/n (see [`super::rounds`]): then b is odd and ac even, so for
//! given a and b >= 0, c runs over an arithmetic progression, and so does d: a sieve.

use rayon::prelude::*;

use super::factor::factor;

/// The number of reduced forms of discriminant -d for d = 7, 15, 23, ... (8i + 7) up to a limit.
#[derive(Debug, Clone)]
pub struct ClassNumbers {
    counts: Vec<u16>,
}

impl ClassNumbers {
    /// The largest limit: 2^26, where h(-d) < sqrt(d) ln(d) / pi < 47,000 (Cohen 1993, exercise
    /// 5.27) fits its 16 bits for every squarefree d.
    pub const LARGEST: u64 = 1 << 26;

    /// All d = 7 mod 8, d <= limit. O(limit^(3/2)) additions; limit / 4 bytes. On all threads of the rayon pool, same result for any number.
    ///
    /// # Panics
    /// If the limit is above [`ClassNumbers::LARGEST`].
    pub fn new(limit: u64) -> Self {
        assert!(
            limit <= Self::LARGEST,
            "class numbers reach 2^26, not {limit}"
        );
        let size = ((limit + 1) / 8) as usize; // indices i with 8i + 7 <= limit
        let mut counts = vec![0u16; size];
        const BLOCK: usize = 1 << 17;
        counts
            .par_chunks_mut(BLOCK)
            .enumerate()
            .for_each(|(i, chunk)| count_block(i * BLOCK, chunk));
        Self { counts }
    }

    /// h(-d) for squarefree d; for other d the number of reduced forms, imprimitive ones too, modulo
    /// 2^16. None unless d = 7 mod 8 and d <= limit. O(1).
    #[inline]
    pub fn get(&self, d: u64) -> Option<u64> {
        if d % 8 != 7 {
            return None;
        }
        self.counts.get((d / 8) as usize).map(|&h| u64::from(h))
    }
}

fn count_block(first: usize, chunk: &mut [u16]) {
    // d from 8 first + 7 to the last; index of d is (d - 7) / 8
    let low = 8 * first as u64 + 7;
    let high = 8 * (first + chunk.len() - 1) as u64 + 7;
    let mut b = 1u64;
    // 4ac - b^2 >= 4a^2 - b^2 >= 3 b^2
    while 3 * b * b <= high {
        let mut a = b;
        while 4 * a * a - b * b <= high {
            // d = 4ac - b^2 = 7 mod 8 iff ac is even
            let stride_c = if a.is_multiple_of(2) { 1 } else { 2 };
            let mut c = a.max((low + b * b).div_ceil(4 * a));
            if a % 2 == 1 && c % 2 == 1 {
                c += 1;
            }
            let mut d = 4 * a * c - b * b;
            if d <= high && c == a {
                chunk[((d - low) / 8) as usize] += 1; // (a, b, a): b and -b are equivalent
                c += stride_c;
                d = 4 * a * c - b * b;
            }
            if d <= high {
                let weight = if a == b { 1 } else { 2 }; // (a, a, c) once, (a, +-b, c) twice
                let mut at = ((d - low) / 8) as usize;
                let step = (a * stride_c / 2) as usize;
                while at < chunk.len() {
                    chunk[at] = chunk[at].wrapping_add(weight);
                    at += step;
                }
            }
            a += 1;
        }
        b += 2;
    }
}

/// The largest d of [`class_number`]: 2^53, about 9 * 10^15.
pub const LARGEST_DISCRIMINANT: u64 = 1 << 53;

/// h(-d) of one squarefree d = 7 mod 8, d > 7 or d = 7.
///
/// Dirichlet's class number formula, summed with the functional equation (Cohen 1993, proposition
/// 5.3.14), chi = (./d) = (-d/.):
///
/// ```text
/// h(-d) = sum over k >= 1 of chi(k) ( erfc(k sqrt(pi/d)) + sqrt(d)/(pi k) exp(-pi k^2 / d) )
/// ```
///
/// About 2 sqrt(d log d) terms, on all threads, with the same result for any number of them. erfc is the
/// running integral of the exponentials that are needed anyway (Simpson's rule, error O(1/d^2) in all).
///
/// The sum is of doubles: its error is estimated, not proved (for d <= 2^53 below 10^-4, if the
/// platform's `exp` is good to a few units in the last place). It is checked before it is rounded:
/// it must lie within 1/100 of an integer divisible by 2^(w-1), w the number of primes of d (genus theory, Gauss).
///
/// # Panics
/// If d is not 7 mod 8, above [`LARGEST_DISCRIMINANT`] or not squarefree, or the check fails.
pub fn class_number(d: u64) -> u64 {
    assert!(
        d % 8 == 7 && d <= LARGEST_DISCRIMINANT,
        "d = 7 mod 8 up to 2^53, not {d}"
    );
    let factors = factor(d);
    assert!(
        factors.iter().all(|&(_, k)| k == 1),
        "{d} is not squarefree"
    );
    let size = d as f64;
    let pi = std::f64::consts::PI;
    let unit = (pi / size).sqrt();
    // beyond, exp(-x^2) sqrt(d) < 10^-12 and the terms fall faster than geometrically
    let terms = ((size.sqrt().ln() + 30.0).sqrt() / unit).ceil() as u64 + 1;
    const CHUNK: u64 = 1 << 14;
    let density = 2.0 / pi.sqrt() * unit;
    let chunks: Vec<(f64, f64, f64)> = (0..terms.div_ceil(CHUNK) as usize)
        .into_par_iter()
        .map(|i| {
            // k from first + 1 on; the integral of the density up to k, from that at first
            let first = i as u64 * CHUNK;
            let (mut sum, mut characters, mut integral) = (0.0, 0.0, 0.0);
            let bell = |x: f64| (-x * x).exp();
            let mut before = bell(first as f64 * unit);
            for k in first + 1..=first + CHUNK {
                let here = bell(k as f64 * unit);
                integral += density / 6.0 * (before + 4.0 * bell((k as f64 - 0.5) * unit) + here);
                before = here;
                let chi = f64::from(jacobi(k, d));
                sum += chi * (size.sqrt() / (pi * k as f64) * here - integral);
                characters += chi;
            }
            (sum, characters, integral)
        })
        .collect();
    let (mut value, mut erfc) = (0.0, 1.0);
    for (sum, characters, integral) in chunks {
        value += sum + erfc * characters;
        erfc -= integral;
    }
    let rounded = value.round();
    let divisor = 1u64 << (factors.len() - 1);
    assert!(
        (value - rounded).abs() < 0.01 && (rounded as u64).is_multiple_of(divisor),
        "the class number of -{d} came out as {value}, not near a multiple of {divisor}"
    );
    rounded as u64
}

/// The Jacobi symbol (a/n), n odd (Cohen 1993, algorithm 1.4.10). O(log n) divisions.
pub fn jacobi(mut a: u64, mut n: u64) -> i32 {
    if a >= n {
        a %= n;
    }
    let mut negative = false;
    // Pulls the twos out of a and turns the symbol around; n only matters modulo 8 here.
    let mut turn = |a: u32, n: u32, twos: u32| {
        negative ^= twos % 2 == 1 && matches!(n % 8, 3 | 5);
        negative ^= a & n & 3 == 3;
    };
    while (a | n) >> 32 != 0 && a != 0 {
        let twos = a.trailing_zeros();
        a >>= twos;
        turn(a as u32, n as u32, twos);
        (a, n) = (n % a, a);
    }
    // Half words: their divisions are several times faster.
    if a != 0 {
        let (mut short, mut below) = (a as u32, n as u32);
        while short != 0 {
            let twos = short.trailing_zeros();
            short >>= twos;
            turn(short, below, twos);
            (short, below) = (below % short, short);
        }
        n = u64::from(below);
    }
    match (n, negative) {
        (1, false) => 1,
        (1, true) => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, one discriminant at a time.
    fn reduced_forms(d: i64) -> u64 {
        let mut count = 0;
        for a in 1..=d {
            if 3 * a * a > d {
                break;
            }
            for b in -a + 1..=a {
                if (b * b + d) % (4 * a) == 0 {
                    let c = (b * b + d) / (4 * a);
                    if c > a || (c == a && b >= 0) {
                        count += 1;
                    }
                }
            }
        }
        count
    }

    #[test]
    fn forms_by_definition() {
        for limit in [0, 6, 7, 8, 14, 15, 4001] {
            let table = ClassNumbers::new(limit);
            for d in 0..5000 {
                let expected = (d % 8 == 7 && d <= limit).then(|| reduced_forms(d as i64));
                assert_eq!(table.get(d), expected, "d = {d}");
            }
        }
        let table = ClassNumbers::new(3_000_000); // several blocks
        for d in (7..3_000_000).step_by(8 * 1999) {
            assert_eq!(table.get(d), Some(reduced_forms(d as i64)), "d = {d}");
        }
    }

    /// h(-d) of Cohen 1993, appendix B.1, and of every field with class number one, 7 mod 8: only 7.
    #[test]
    fn known_class_numbers() {
        let table = ClassNumbers::new(1000);
        for (d, h) in [
            (7, 1),
            (15, 2),
            (23, 3),
            (31, 3),
            (39, 4),
            (47, 5),
            (71, 7),
            (199, 9),
            (431, 21),
        ] {
            assert_eq!(table.get(d), Some(h), "d = {d}");
        }
    }

    #[test]
    fn one_at_a_time_or_together() {
        let table = ClassNumbers::new(3_000_000);
        for d in (7..20_000)
            .step_by(8)
            .chain((2_000_007..3_000_000).step_by(8 * 1009))
        {
            if factor(d).iter().all(|&(_, k)| k == 1) {
                assert_eq!(Some(class_number(d)), table.get(d), "d = {d}");
            }
        }
    }

    #[test]
    fn every_jacobi_symbol_counts_solutions() {
        for q in [3, 5, 7, 11, 13, 17, 19, 23] {
            for a in 0..q {
                let solutions = (0..q).filter(|x| x * x % q == a).count() as i32;
                assert_eq!(jacobi(a, q), solutions - 1, "({a}/{q})");
            }
        }
        assert_eq!((jacobi(2, 15), jacobi(7, 15), jacobi(3, 15)), (1, -1, 0));
    }
}
