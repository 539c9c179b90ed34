//! Class numbers of imaginary quadratic fields: a table of all class numbers up to a limit
//! ([`ClassNumbers`]), or a single large one ([`class_number`]).
//!
//! The number of ones in the period of 1/n depends on h(-d) for d = 7 mod 8 (see
//! [`super::rounds`]).
//!
//! **Definition.** The class number h(-d) is the number of primitive reduced binary quadratic forms
//! a x^2 + b x y + c y^2 of discriminant b^2 - 4ac = -d: |b| <= a <= c, and b >= 0 if |b| = a or
//! a = c (Gauss; Cohen 1993, section 5.3). For squarefree d every form is primitive.
//!
//! **Identity.** Let H(d) be the number of all reduced forms of discriminant -d. The sum over all
//! odd squares below 8m is
//!
//! ```text
//! H(8m - 1) + H(8m - 9) + H(8m - 25) + ... = sum over odd d | m, d^2 < 2m, of (2m/d - d)
//! ```
//!
//! (Kronecker 1860, J. reine angew. Math. 57; Dickson 1923, History of the theory of numbers III,
//! chapter VI). Let f(m) be the sum on the right and h_i = H(8i + 7). As (2t+1)^2 = 8 T + 1 with
//! the triangular number T = t(t+1)/2,
//!
//! ```text
//! h_i = f(i + 1) - h_(i-1) - h_(i-3) - h_(i-6) - h_(i-10) - ...
//! ```
//!
//! **Code.** The forms are not counted: all h_i follow from that recurrence. It subtracts
//! consecutive numbers from consecutive numbers, and processors do many such subtractions at once.
//!
//! **Cost.** For all d up to a limit L: O(L^(3/2)) subtractions and L / 4 bytes. For a single d:
//! about sqrt(d log d) Jacobi symbols.

use flipcost_number::threads;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use flipcost_number::Enclosure;
use flipcost_number::e_pi::pi;
use flipcost_number::exponential::exp;
use flipcost_number::factor::factor;

/// A table of the number of reduced forms of discriminant -d, for d = 7, 15, 23, ... (8i + 7) up to
/// a limit.
#[derive(Debug, Clone)]
pub struct ClassNumbers {
    counts: Vec<u16>,
}

impl ClassNumbers {
    /// The largest limit: 2^26. Up to this limit h(-d) < sqrt(d) ln(d) / pi < 47,000 for squarefree
    /// d (Cohen 1993, exercise 5.27), so that h(-d) fits in 16 bits.
    pub const MAX_LIMIT: u64 = 1 << 26;

    /// Computes the table for all d = 7 mod 8, d <= limit, on all threads of the pool; the table is
    /// the same for any number of threads. Cost: limit^(3/2) / 24 subtractions, eight or more at a
    /// time; limit / 4 bytes.
    ///
    /// # Panics
    /// If the limit is above [`ClassNumbers::MAX_LIMIT`].
    pub fn new(limit: u64) -> Self {
        assert!(
            limit <= Self::MAX_LIMIT,
            "class numbers reach 2^26, not {limit}"
        );
        let mut counts = vec![0u16; ((limit + 1) / 8) as usize]; // indices i with 8i + 7 <= limit
        threads::change(&mut counts, CHUNK_OF_SUMS, &divisor_sums);
        subtract_earlier(&mut counts);
        Self { counts }
    }

    /// Returns h(-d) for squarefree d; for other d the number of reduced forms, including
    /// imprimitive ones, modulo 2^16. `None` unless d = 7 mod 8 and d <= limit. Cost: O(1).
    #[inline]
    pub(crate) fn get(&self, d: u64) -> Option<u64> {
        if d % 8 != 7 {
            return None;
        }
        self.counts.get((d / 8) as usize).map(|&h| u64::from(h))
    }
}

/// The number of sums in one task, chosen so that they fit in the nearest cache.
const CHUNK_OF_SUMS: usize = 1 << 13;

/// Computes f(i + 1) modulo 2^16 for consecutive i, beginning with `first`.
fn divisor_sums(first: usize, sums: &mut [u16]) {
    let last = first + sums.len(); // the last m
    for d in (1..).step_by(2).take_while(|d| d * d < 2 * last) {
        // m = d k with 2k > d
        let least = (d / 2 + 1).max((first + 1).div_ceil(d));
        for k in least..=last / d {
            let sum = &mut sums[d * k - 1 - first];
            *sum = sum.wrapping_add((2 * k - d) as u16);
        }
    }
}

/// Turns f(i + 1) into h_i, modulo 2^16: completes the first half, subtracts its contributions from
/// the second half, and completes the second half.
fn subtract_earlier(values: &mut [u16]) {
    if values.len() <= 64 {
        for i in 1..values.len() {
            values[i] = (1..)
                .map(|t| t * (t + 1) / 2)
                .take_while(|&triangle| triangle <= i)
                .fold(values[i], |sum, triangle| {
                    sum.wrapping_sub(values[i - triangle])
                });
        }
        return;
    }
    let middle = (values.len() / 2).next_multiple_of(64);
    let (done, rest) = values.split_at_mut(middle);
    subtract_earlier(done);
    threads::change(rest, CHUNK_OF_SUMS, &|after, chunk| {
        subtract_from_chunk(done, after, chunk);
    });
    subtract_earlier(rest);
}

/// Subtracts the contributions of finished values from a chunk of later values, which begins
/// `after` places behind the first finished value.
fn subtract_from_chunk(done: &[u16], after: usize, chunk: &mut [u16]) {
    let start = done.len() + after;
    // Start at about the first triangular number above `after`.
    for t in (2 * after).isqrt().max(1).. {
        let triangle = t * (t + 1) / 2;
        // Targets start + j, with 0 <= start + j - triangle < done.len().
        let low = triangle.saturating_sub(start);
        if low >= chunk.len() {
            return;
        }
        let high = (triangle.saturating_sub(after)).min(chunk.len());
        if low < high {
            let from = &done[start + low - triangle..start + high - triangle];
            for (value, earlier) in chunk[low..high].iter_mut().zip(from) {
                *value = value.wrapping_sub(*earlier);
            }
        }
    }
}

/// The largest d that [`class_number`] supports: 2^53, about 9 * 10^15.
pub(crate) const MAX_DISCRIMINANT: u64 = 1 << 53;

/// The least d for which the series is used; for smaller d, the reduced forms are counted directly.
const SERIES_FROM: u64 = 1 << 20;
/// The number of terms of the series that are computed from one pair of starting values, which are
/// enclosed directly.
const TERMS_PER_CHUNK: u64 = 1 << 13;
/// The terms of the series are in units of 2^-UNIT_BITS.
const UNIT_BITS: u64 = 63;

/// Returns h(-d) for a squarefree d = 7 mod 8; the result is proved.
///
/// The method is Dirichlet's class number formula, summed with the functional equation (Cohen 1993,
/// proposition 5.3.14). With chi = (./d) = (-d/.), a = pi/d and G(s) = exp(-a s^2):
///
/// ```text
/// h(-d) = sum over k >= 1 of chi(k) ( (2/sqrt d) I(k) + (sqrt d / (pi k)) G(k) )
/// I(k)  = integral of G from k to infinity
/// ```
///
/// The first part is (2/sqrt d) times the sum over j of S(j) w(j), where S(j) = chi(1) + ... +
/// chi(j), and w(j) is the integral of G from j to j + 1. With L = ln(sqrt d) + 7, the sums end at
/// the first multiple K of 2^13 above sqrt((L + 1)/a), and w(j) is approximated by the mean of G(j)
/// and G(j + 1). G is computed by G(k+1) = G(k) R(k), R(k+1) = R(k) e^-2a from an enclosure at
/// every 2^13-th k, in units of 2^-63 and rounded down. **The error** is below 1/16, so that the
/// nearest integer is h:
///
/// - the rest after K: (sqrt d / pi) e^-L (1 + 1/L) < 0.0004;
/// - the trapezium rule, |G''| <= 2a and |S(j)| <= j: (2/sqrt d) (K^2/2) (a/6) = a K^2 / (6 sqrt
///   d). Its maximum is 0.033 at d = 2^20, where K = 2^13 is more than three times as large as
///   necessary; it is below 0.00001 for d >= 2^40;
/// - rounding: after i steps R is at most 2 + 3i units too small and G at most 2 + 3i(i+1)/2 < 2^27
///   units. The resulting error is at most (K^2/sqrt d) 2^-36 in the first part and (sqrt d/pi)
///   (2^27 (1 + ln K) + K) 2^-63 in the second, together below 0.0002 for d <= 2^40 and below 0.03
///   for d <= 2^53.
///
/// So the total error is below 0.034 for d <= 2^40, and below 0.031 for larger d.
///
/// Cost: about sqrt(d log d) Jacobi symbols, on all threads; the result is the same for any number
/// of threads.
///
/// # Panics
/// If d is not 7 mod 8, above [`MAX_DISCRIMINANT`] or not squarefree.
pub fn class_number(d: u64) -> u64 {
    assert!(
        d % 8 == 7 && d <= MAX_DISCRIMINANT,
        "d = 7 mod 8 up to 2^53, not {d}"
    );
    let factors = factor(d);
    assert!(
        factors.iter().all(|&(_, k)| k == 1),
        "{d} is not squarefree"
    );
    if d < SERIES_FROM {
        return reduced_forms(d);
    }
    let least = (d as f64).sqrt().ln() + 8.0; // L + 1, a margin for the doubles
    let terms = (d as f64 * least / std::f64::consts::PI).sqrt() as u64;
    let angle = pi(256).over(&enclosed_integer(d)).expect("d > 0"); // a
    let parts = threads::map((terms / TERMS_PER_CHUNK) as usize + 1, &|i| {
        ChunkSums::new(d, &angle, i as u64 * TERMS_PER_CHUNK)
    });
    let (mut areas, mut quotients, mut characters) = (0i128, 0i128, 0i128);
    for part in parts {
        areas += part.areas + characters * part.pairs;
        quotients += part.quotients;
        characters += part.characters;
    }
    let units = |sum: i128| Enclosure {
        low: sum.into(),
        high: sum.into(),
        bits: UNIT_BITS,
    };
    let root = enclosed_integer(d).sqrt().expect("d > 0");
    let first = units(areas).over(&root).expect("a root");
    let second = (units(quotients).times(&root).over(&pi(256))).expect("pi is not 0");
    let value = first.plus(&second);
    let unit = BigInt::from(1u8) << value.bits;
    let nearest = (&value.low + (&unit >> 1u8)) >> value.bits;
    let near = (&value.low - &nearest * &unit).magnitude() << 4u8 < *unit.magnitude();
    let genera = 1u64 << (factors.len() - 1); // h is a multiple of this number (Gauss)
    let class_number = nearest
        .to_u64()
        .filter(|h| near && h.is_multiple_of(genera));
    class_number.unwrap_or_else(|| unreachable!("h(-{d}) is proved to be near an integer"))
}

/// Encloses the integer d with 256 bits after the point.
fn enclosed_integer(d: u64) -> Enclosure {
    let end = BigInt::from(d) << 256u32;
    Enclosure {
        low: end.clone(),
        high: end,
        bits: 256,
    }
}

/// The sums over [`TERMS_PER_CHUNK`] consecutive k; see [`class_number`].
struct ChunkSums {
    /// The sum of s(k) (G(k) + G(k+1)), where s(k) is the sum of chi from the chunk's start.
    areas: i128,
    /// The sum of G(k) + G(k+1).
    pairs: i128,
    /// The sum of chi(k) G(k) / k.
    quotients: i128,
    /// The sum of chi(k).
    characters: i128,
}

impl ChunkSums {
    /// Computes the sums over consecutive k, beginning with `before` + 1.
    fn new(d: u64, angle: &Enclosure, before: u64) -> ChunkSums {
        let start = before + 1;
        // e^(-a times), rounded down
        let at = |times: u128| {
            let times = BigInt::from(times);
            let x = Enclosure {
                low: &angle.low * &times,
                high: &angle.high * &times,
                bits: angle.bits,
            };
            let low = exp(&x.coarsen(128).negated()).coarsen(UNIT_BITS).low;
            low.to_u64().expect("at most 2^63")
        };
        let step = |x: u64, y: u64| ((u128::from(x) * u128::from(y)) >> UNIT_BITS) as u64;
        let mut bell = at(u128::from(start) * u128::from(start));
        let mut ratio = at(2 * u128::from(start) + 1);
        let fall = at(2);
        let mut part = ChunkSums {
            areas: 0,
            pairs: 0,
            quotients: 0,
            characters: 0,
        };
        for k in start..start + TERMS_PER_CHUNK {
            let next = step(bell, ratio);
            ratio = step(ratio, fall);
            let chi = i128::from(jacobi(k, d));
            part.characters += chi;
            let pair = i128::from(bell) + i128::from(next);
            part.pairs += pair;
            part.areas += part.characters * pair;
            part.quotients += chi * i128::from(bell / k);
            bell = next;
        }
        part
    }
}

/// Counts the reduced forms of discriminant -d, d = 7 mod 8: b is odd, and 4ac = b^2 + d. Cost: O(d
/// / 12) divisions.
fn reduced_forms(d: u64) -> u64 {
    let mut count = 0;
    for b in (1..).step_by(2).take_while(|b| 3 * b * b <= d) {
        let product = (b * b + d) / 4;
        let forms = |&a: &u64| product.is_multiple_of(a);
        for a in (b..).take_while(|a| a * a <= product).filter(forms) {
            // (a, b, c) and (a, -b, c) are equivalent if b = a or a = c
            count += if a == b || a * a == product { 1 } else { 2 };
        }
    }
    count
}

/// The Jacobi symbol (a/n), n odd (Cohen 1993, algorithm 1.4.10). Cost: O(log n) divisions.
pub(crate) fn jacobi(mut a: u64, mut n: u64) -> i32 {
    if a >= n {
        a %= n;
    }
    let mut negative = false;
    // Updates the sign for the removal of factors of 2 from a and for reciprocity, which depend
    // only on n and a modulo 8.
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
    // Continue with 32-bit values, whose divisions are several times faster.
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

    /// Counts reduced forms by the definition, for a single discriminant.
    fn forms_by_definition_of(d: i64) -> u64 {
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
                let expected = (d % 8 == 7 && d <= limit).then(|| forms_by_definition_of(d as i64));
                assert_eq!(table.get(d), expected, "d = {d}");
            }
        }
        let table = ClassNumbers::new(3_000_000); // several blocks
        for d in (7..3_000_000).step_by(8 * 1999) {
            assert_eq!(
                table.get(d),
                Some(forms_by_definition_of(d as i64)),
                "d = {d}"
            );
        }
    }

    /// h(-d) from Cohen 1993, appendix B.1. Of the fields with class number one, only d = 7 is 7
    /// mod 8.
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
    fn single_class_numbers_agree_with_the_table() {
        let table = ClassNumbers::new(3_000_000);
        let far = (SERIES_FROM + 7..3_000_000).step_by(8 * 1009);
        for d in (7..20_000).step_by(8).chain(far) {
            if factor(d).iter().all(|&(_, k)| k == 1) {
                assert_eq!(Some(class_number(d)), table.get(d), "d = {d}");
            }
        }
    }

    /// The series agrees with the count of all forms near 2^20, where the series is shortest, and
    /// for a prime of nine digits.
    #[test]
    fn the_series_against_the_forms() {
        for d in [1_048_583, 1_048_607, 40_000_007, 100_000_007] {
            if factor(d).iter().all(|&(_, k)| k == 1) {
                assert_eq!(class_number(d), reduced_forms(d), "d = {d}");
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
