//! Every n in a range: cut into chunks, computed on many threads, handed on in order.
//!
//! The result does not depend on the number of threads: a chunk is a fixed range of n, and the
//! chunks reach the sink in order. Memory is bounded by a few chunks per thread.

use rayon::prelude::*;
use std::ops::RangeInclusive;

/// How a range is worked through.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Consecutive n that are computed together.
    pub chunk: u64,
    /// Threads; 0 takes all cores.
    pub threads: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            chunk: 1024,
            threads: 0,
        }
    }
}

/// More threads than this are not started.
const MOST_THREADS: usize = 512;

/// Calls `work` on consecutive chunks of `range` in parallel and `sink` on the results in order;
/// stops at the first error. `sink` also gets the last n of the chunk, to report progress.
pub fn ordered<T: Send, E: Send>(
    range: RangeInclusive<u64>,
    pace: Pace,
    work: impl Fn(RangeInclusive<u64>) -> Result<T, E> + Sync,
    mut sink: impl FnMut(T, u64) -> Result<(), E>,
) -> Result<(), E> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(pace.threads.min(MOST_THREADS))
        .build();
    let pool = pool.expect("threads can be started");
    let (first, last) = (*range.start(), *range.end());
    let chunk = pace.chunk.max(1);
    let wave = pool.current_num_threads() as u64 * 4;
    let chunks = if first > last {
        0
    } else {
        (last - first) / chunk + 1
    };
    let bounds = |i: u64| {
        let low = first + i * chunk;
        (low, low.saturating_add(chunk - 1).min(last))
    };
    let mut done = 0;
    while done < chunks {
        let now = done..chunks.min(done + wave);
        let results: Vec<Result<T, E>> = pool.install(|| {
            let parts = now.clone().into_par_iter();
            parts.map(|i| work(bounds(i).0..=bounds(i).1)).collect()
        });
        for (i, result) in now.clone().zip(results) {
            sink(result?, bounds(i).1)?;
        }
        done = now.end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_does_not_depend_on_threads_or_chunks() {
        for (threads, chunk) in [(1, 1), (2, 7), (5, 100), (3, 1000)] {
            let mut seen = Vec::new();
            ordered(
                5..=777,
                Pace { chunk, threads },
                |part| Ok::<_, ()>(part.collect::<Vec<_>>()),
                |part, _| {
                    seen.extend(part);
                    Ok(())
                },
            )
            .unwrap();
            assert!(seen.into_iter().eq(5..=777));
        }
    }

    #[test]
    fn the_end_of_the_words_is_reached() {
        let mut count = 0;
        let pace = Pace {
            chunk: 3,
            threads: 2,
        };
        let work = |part: RangeInclusive<u64>| Ok::<_, ()>(part.count());
        let sink = |n, _| {
            count += n;
            Ok(())
        };
        ordered(u64::MAX - 9..=u64::MAX, pace, work, sink).unwrap();
        assert_eq!(count, 10);
    }
}
