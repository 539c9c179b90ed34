//! Makes faces of fair dice from the bits of random words.

/// The unused bits of a word. If too few bits are left for a face, they are dropped, so that all
/// bits of a face come from a single word.
#[derive(Default)]
pub(super) struct WordBits {
    pool: u64,
    left: u32,
}

impl WordBits {
    /// Returns a face of a die of m sides, 1 <= m <= 2^64: takes the least k bits with 2^k >= m,
    /// again and again until they are below m.
    #[inline]
    pub(super) fn face<E>(
        &mut self,
        m: u128,
        mut word: impl FnMut() -> Result<u64, E>,
    ) -> Result<u64, E> {
        if m.is_power_of_two() {
            return self.take(m.trailing_zeros(), (m - 1) as u64, &mut word);
        }
        let m = m as u64; // not 2^64
        let k = 64 - m.leading_zeros();
        loop {
            let face = self.take(k, u64::MAX >> (64 - k), &mut word)?;
            if face < m {
                return Ok(face);
            }
        }
    }

    /// Takes the next k <= 64 bits; the caller also passes the mask 2^k - 1.
    #[inline]
    pub(super) fn take<E>(
        &mut self,
        k: u32,
        mask: u64,
        word: &mut impl FnMut() -> Result<u64, E>,
    ) -> Result<u64, E> {
        if self.left < k {
            self.pool = word()?;
            self.left = 64;
        }
        let value = self.pool & mask;
        self.pool = self.pool.checked_shr(k).unwrap_or(0);
        self.left -= k;
        Ok(value)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Generates arbitrary words for tests: a linear congruential generator of full period with
    /// Knuth's multiplier.
    pub(in crate::algorithms) fn words() -> impl Iterator<Item = u64> {
        std::iter::successors(Some(1u64), |word| {
            Some(
                word.wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407),
            )
        })
        .map(|word| word ^ (word >> 32))
    }

    /// Each face is the value of the next group of k bits that is below m.
    #[test]
    fn faces_are_the_groups_of_bits_that_fit() {
        for m in [
            1u128,
            2,
            3,
            5,
            6,
            8,
            20,
            33,
            1 << 32,
            (1 << 32) + 1,
            (1 << 63) + 1,
            1 << 64,
        ] {
            let k = (m - 1).checked_ilog2().map_or(0, |log| log + 1);
            let groups = words().flat_map(|word| {
                let groups = (0..64 / k.max(1))
                    .map(move |i| u128::from(word >> (k * i % 64)) & ((1 << k) - 1));
                groups.collect::<Vec<_>>()
            });
            let mut bits = WordBits::default();
            let mut source = words();
            for group in groups
                .filter(|group| *group < m)
                .take(if m == 1 { 0 } else { 300 })
            {
                let word = || Ok::<u64, Infallible>(source.next().unwrap());
                let Ok(face) = bits.face(m, word);
                assert_eq!(u128::from(face), group, "{m}");
            }
        }
    }
}
