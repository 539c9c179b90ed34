//! The counting loop for all vector types, written as a macro that is expanded for each of them.

/// The number of bits per block: 16 steps of 32 bits.
pub(super) const BLOCK: u32 = 512;

/// Defines `ones` for vectors of `$lanes` lanes, with `$flight` vectors in flight (processed in
/// parallel). The module that invokes the macro must define these functions for its vector type:
/// `from_lanes`, `to_lanes`, `product` (of the low halves of the lanes), `high` (the high halves,
/// moved down), `negative` and `less_one` (-q and q - 1 for the 32-bit words q in the low halves of
/// two vectors, with the second vector's results moved to the high halves), `add` (a full adder on
/// every bit: updates the sum and returns the carry) and `count` (the number of set bits of each
/// lane).
macro_rules! kernel {
    ($features:literal, $vector:ty, lanes: $lanes:literal, flight: $flight:literal) => {
        use super::job::Job;
        use flipcost_number::factor::inverse_of_odd;

        const V: usize = $flight;
        const WIDTH: usize = $lanes * V;

        /// Counts the set bits in the first `blocks` blocks of these jobs, and returns the counts
        /// and the states c after the blocks; requires start < n for all jobs.
        #[target_feature(enable = $features)]
        pub(super) fn ones(jobs: &[Job; WIDTH], blocks: u32) -> ([u64; WIDTH], [u64; WIDTH]) {
            let load = |value: &dyn Fn(Job) -> u64| -> [$vector; V] {
                std::array::from_fn(|v| {
                    from_lanes(std::array::from_fn(|i| value(jobs[$lanes * v + i])))
                })
            };
            let n = load(&|job| u64::from(job.n));
            let inverse = load(&|job| inverse_of_odd(u64::from(job.n)) & 0xFFFF_FFFF);
            let zero = [from_lanes([0; $lanes]); V];
            // Keep the value in memory, so that the stack frame is aligned and each spilled
            // register stays within one cache line.
            std::hint::black_box(&zero);
            let mut d = load(&|job| u64::from(job.start));
            let (mut ones, mut twos, mut fours, mut total) = (zero, zero, zero, zero);
            for _ in 0..blocks {
                // The loop is unrolled, so that every vector keeps its register.
                let (even, odd) = words(&mut d, &inverse, &n);
                let first = adders(&mut ones, even, odd);
                let (even, odd) = words(&mut d, &inverse, &n);
                let second = adders(&mut ones, even, odd);
                let low = adders(&mut twos, first, second);
                let (even, odd) = words(&mut d, &inverse, &n);
                let third = adders(&mut ones, even, odd);
                let (even, odd) = words(&mut d, &inverse, &n);
                let fourth = adders(&mut ones, even, odd);
                let high = adders(&mut twos, third, fourth);
                let eights = adders(&mut fours, low, high);
                for v in 0..V {
                    total[v] = sum(total[v], count(eights[v]));
                }
            }
            let (mut counts, mut states) = ([0; WIDTH], [0; WIDTH]);
            for v in 0..V {
                let parts = [
                    (total[v], 8),
                    (count(fours[v]), 4),
                    (count(twos[v]), 2),
                    (count(ones[v]), 1),
                ];
                for (vector, weight) in parts {
                    for (i, lane) in to_lanes(vector).into_iter().enumerate() {
                        counts[$lanes * v + i] += weight * lane;
                    }
                }
                states[$lanes * v..][..$lanes].copy_from_slice(&to_lanes(d[v]));
            }
            (counts, states)
        }

        /// Computes four steps of 32 bits for every period, beginning with a step of even number.
        /// Returns the words of the even steps, and the words of the odd steps.
        #[inline]
        #[target_feature(enable = $features)]
        fn words(
            d: &mut [$vector; V],
            inverse: &[$vector; V],
            n: &[$vector; V],
        ) -> ([$vector; V], [$vector; V]) {
            let mut step = || {
                let mut q = *d;
                for v in 0..V {
                    // d < 2^32 in each lane.
                    q[v] = product(d[v], inverse[v]);
                    d[v] = high(product(q[v], n[v]));
                }
                q
            };
            let (mut even, mut odd) = (step(), step());
            let second = step();
            for v in 0..V {
                even[v] = negative(even[v], second[v]);
            }
            let second = step();
            for v in 0..V {
                odd[v] = less_one(odd[v], second[v]);
            }
            (even, odd)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn adders(sum: &mut [$vector; V], a: [$vector; V], b: [$vector; V]) -> [$vector; V] {
            let mut carry = a;
            for v in 0..V {
                carry[v] = add(&mut sum[v], a[v], b[v]);
            }
            carry
        }
    };
}
