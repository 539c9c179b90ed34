//! Encloses the first two moments of the fast dice roller in machine words, for many targets.
//!
//! With x_t = m^t mod n, E(T) is the sum of x_t / m^t, and E(T^2) is the sum of (2t + 1) x_t / m^t
//! ([`crate::law::Residues`]). Each of the terms t < K is computed as x_t (2t + 1) floor(2^108 /
//! m^t) 2^-108, which is too small by less than n (2t + 1) 2^-108, and the remaining terms are
//! bounded:
//!
//! ```text
//! 0 <= sum_{t>=K}        x_t / m^t <= 2 n / m^K
//! 0 <= sum_{t>=K} (2t+1) x_t / m^t <= n (4K + 6) / m^K.
//! ```

use crate::roller::narrow::Narrow;

/// The number of binary places of the powers m^-t.
const PLACES: u32 = 108;

/// The number of binary places of the results.
const RESULT_PLACES: u32 = 80;

/// The powers m^-t of a source, for targets below 2^32.
pub(crate) struct Moments {
    source: u64,
    /// The numbers floor(2^108 / m^t), down to 0.
    powers: Vec<u128>,
}

impl Moments {
    /// Prepares a source of 2 <= m <= 2^32 sides. Cost: 108 / log2 m divisions.
    ///
    /// # Panics
    /// If m is outside its range.
    pub(crate) fn new(source: u64) -> Moments {
        assert!(
            (2..=1 << 32).contains(&source),
            "a source has 2 to 2^32 sides, not {source}"
        );
        let next = |power: &u128| Some(power / u128::from(source)).filter(|power| *power > 0);
        Moments {
            source,
            powers: std::iter::successors(Some(1 << PLACES), next).collect(),
        }
    }

    /// Encloses E(T) for a target of 1 <= n < 2^32 sides; `None` for other n. Cost: two products of
    /// words for each of about (80 + log2 n) / log2 m rolls.
    pub(crate) fn mean(&self, n: u64) -> Option<Narrow> {
        let [mean, _] = self.moments::<false>(n)?;
        Some(mean)
    }

    /// Encloses E(T^2) - E(T)^2 in the same way, at twice the cost; also returns `None` if E(T) is
    /// 0.
    pub(crate) fn variance(&self, n: u64) -> Option<Narrow> {
        let [mean, second] = self.moments::<true>(n)?;
        second.minus(mean.times(mean)?)
    }

    /// Encloses E(T), and E(T^2) if it is requested, for a target of 1 <= n < 2^32 sides, to within
    /// 2^-74 plus the truncation error.
    fn moments<const SECOND: bool>(&self, n: u64) -> Option<[Narrow; 2]> {
        if n == 0 || n >> 32 != 0 {
            return None;
        }
        // Use the powers up to the first K with n / m^K below 2^-80, or all of them if there is no
        // such K.
        let ends = |power: &u128| power.saturating_mul(n.into()) >> (PLACES - 80) == 0;
        let rolls = self.powers.partition_point(|power| !ends(power));
        // The remainder of x m divided by n. Its quotient is computed from x floor(2^32 m / n), and
        // is exact or one too small.
        let factor = self.source % n;
        let quotient = (factor << 32) / n;
        // The sums are at most E(T) and E(T^2), which are at most 2^12, so they do not overflow.
        let (mut sums, mut x) = ([0u128; 2], 1 % n);
        for (t, power) in (0u64..).zip(&self.powers[..rolls]) {
            let term = u128::from(x) * power;
            sums[0] += term;
            if SECOND {
                sums[1] += term * u128::from(2 * t + 1);
            }
            x = match self.source {
                2 => 2 * x, // saves the wait for two products
                _ => x * factor - ((x * quotient) >> 32) * n,
            };
            x = x.min(x.wrapping_sub(n));
            if x == 0 {
                break;
            }
        }
        let (n, rolls) = (u128::from(n), rolls as u128);
        // An upper bound of m^-K, in units of 2^-108.
        let last = self.powers.get(rolls as usize).map_or(0, |power| *power) + 1;
        let cut = [n * rolls, n * rolls * rolls];
        let tail = [2 * n * last, n * (4 * rolls + 6) * last];
        Some([0, 1].map(|i| Narrow {
            low: (sums[i] >> (PLACES - RESULT_PLACES)) as i128,
            high: ((sums[i] + cut[i] + tail[i]) >> (PLACES - RESULT_PLACES)) as i128 + 1,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Residues;
    use flipcost_number::{BigInt, Rational};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// The enclosures contain both moments of the law; for this comparison, the law encloses
        /// them much more narrowly.
        #[test]
        fn enclosures_hold_those_of_the_law(
            m in prop_oneof![2u64..40, 2u64..=1 << 32], n in 1u64..1 << 32, shift in 0u32..32,
        ) {
            let n = (n >> shift).max(1);
            let law = Residues::new(m.into(), n.into());
            let moments = Moments::new(m);
            let exact = |end: i128| Rational::new(end.into(), BigInt::from(1) << RESULT_PLACES);
            let inner = [law.mean_within(200), law.second_moment_within(200)];
            let found = moments.moments::<true>(n).unwrap();
            prop_assert_eq!(moments.mean(n), Some(found[0]));
            for (found, inner) in found.into_iter().zip(inner) {
                prop_assert!(exact(found.low) <= inner.high() && inner.low() <= exact(found.high));
                let width = exact(found.high) - exact(found.low);
                // The maximum width: n K^2 2^-108 with K < 120, and (4K + 6) 2^-80.
                let wide = exact(1024) + Rational::new((n << 14).into(), BigInt::from(1) << PLACES);
                prop_assert!(width <= wide, "m = {m}, n = {n}: {width}");
            }
        }
    }

    #[test]
    fn other_targets_are_left() {
        let moments = Moments::new(6);
        assert!(moments.mean(0).is_none());
        assert!(moments.mean(1 << 32).is_none());
        assert_eq!(moments.mean(6).and_then(Narrow::nearest), Some(1.0));
    }
}
