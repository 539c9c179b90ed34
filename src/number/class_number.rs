//! Class numbers of imaginary quadratic fields, all up to a limit together.
//!
//! h(-d) is the number of reduced forms a x^2 + b x y + c y^2 of discriminant b^2 - 4ac = -d that are
//! primitive: |b| <= a <= c, and b >= 0 if |b| = a or a = c (Gauss; Cohen 1993, section 5.3). For
//! squarefree d every form is primitive. We count those with d = 7 mod 8, the ones that decide how
//! many ones are in the period of 1/n (see [`super::rounds`]): then b is odd and ac even, so for
//! given a and b >= 0, c runs over an arithmetic progression, and so does d: a sieve.

use rayon::prelude::*;

/// The number of reduced forms of discriminant -d for d = 7, 15, 23, ... (8i + 7) up to a limit.
#[derive(Debug, Clone)]
pub struct ClassNumbers {
    counts: Vec<u16>,
}

impl ClassNumbers {
    /// The largest limit: 2^26, where h(-d) < sqrt(d) ln(d) / pi < 47,000 (Cohen 1993, exercise
    /// 5.27) fits its 16 bits for every squarefree d.
    pub const LARGEST: u64 = 1 << 26;

    /// All d = 7 mod 8, d <= limit. O(limit^(3/2)) additions, 0.06 limit^(3/2) of them or so;
    /// limit / 4 bytes. On all threads of the rayon pool, same result for any number.
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
            let stride_c = if a % 2 == 0 { 1 } else { 2 };
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
}
