//! Every n in a range: cut into chunks, computed on many threads, handed on in order.
//!
//! The result does not depend on the number of threads: a chunk is a fixed range of n, and the
//! chunks reach the sink in order. The sink runs on the calling thread while the next chunks are
//! computed; a chunk is only begun when the one [`Pace::window`] before it has reached the sink,
//! which bounds the memory.

pub mod cost;
pub mod job;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

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

/// Large chunks in flight hold about this many n together.
const IN_FLIGHT: u64 = 1 << 22;

impl Pace {
    /// Chunks that are begun and have not reached the sink, on this many threads: four for every
    /// thread, less if they are large (whose work is expected to be parallel in itself).
    pub fn window(&self, threads: usize) -> u64 {
        let large = (IN_FLIGHT / self.chunk.max(1)).max(2);
        (threads as u64 * 4).min(large)
    }
}

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
    let window = pace.window(pool.current_num_threads());
    let chunks = if first > last {
        0
    } else {
        (last - first) / chunk + 1
    };
    let bounds = |i: u64| {
        let low = first + i * chunk;
        (low, low.saturating_add(chunk - 1).min(last))
    };
    let stopped = AtomicBool::new(false);
    let (sender, results) = mpsc::channel();
    pool.in_place_scope(|scope| {
        let begin = |i: u64| {
            let (work, stopped, sender) = (&work, &stopped, sender.clone());
            scope.spawn(move |_| {
                if !stopped.load(Ordering::Relaxed) {
                    let (low, high) = bounds(i);
                    let result = catch_unwind(AssertUnwindSafe(|| work(low..=high)));
                    let _ = sender.send((i, result)); // no one listens after an error
                }
            });
        };
        let mut begun = chunks.min(window);
        (0..begun).for_each(begin);
        let mut waiting = BTreeMap::new();
        for i in 0..chunks {
            while !waiting.contains_key(&i) {
                let (at, result) = results.recv().expect("this thread keeps a sender");
                waiting.insert(at, result);
            }
            let result = waiting.remove(&i).expect("it was waited for");
            let result = result.unwrap_or_else(|panic| {
                stopped.store(true, Ordering::Relaxed);
                resume_unwind(panic)
            });
            let sunk = result.and_then(|result| sink(result, bounds(i).1));
            if let Err(error) = sunk {
                stopped.store(true, Ordering::Relaxed);
                return Err(error);
            }
            if begun < chunks {
                begin(begun);
                begun += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

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

    #[test]
    fn a_slow_sink_bounds_what_is_in_flight() {
        let pace = Pace {
            chunk: 1,
            threads: 3,
        };
        let (begun, mut sunk) = (AtomicU64::new(0), 0);
        let work = |_: RangeInclusive<u64>| {
            begun.fetch_add(1, Ordering::Relaxed);
            Ok::<_, ()>(())
        };
        let sink = |(), _| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            assert!(begun.load(Ordering::Relaxed) - sunk <= pace.window(3));
            sunk += 1;
            Ok(())
        };
        ordered(1..=100, pace, work, sink).unwrap();
        assert_eq!(sunk, 100);
        let large = Pace {
            chunk: 1 << 20,
            threads: 0,
        };
        assert_eq!(large.window(500), 4);
    }

    #[test]
    fn the_first_error_in_order_stops_and_a_panic_is_passed_on() {
        let pace = Pace {
            chunk: 1,
            threads: 4,
        };
        let mut seen = Vec::new();
        let work = |part: RangeInclusive<u64>| match *part.start() {
            n if n % 10 == 7 => Err(n),
            n => Ok(n),
        };
        let sink = |n, _| {
            seen.push(n);
            Ok(())
        };
        assert_eq!(ordered(1..=100, pace, work, sink), Err(7));
        assert!(seen.into_iter().eq(1..=6));
        let work = |part: RangeInclusive<u64>| {
            assert!(*part.start() != 50, "fifty");
            Ok::<_, ()>(())
        };
        let run = || ordered(1..=100, pace, work, |(), _| Ok(()));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
