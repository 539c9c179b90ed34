//! Processes every n of a range: cuts the range into chunks, computes the chunks on many threads,
//! and delivers them in order.
//!
//! The result does not depend on the number of threads: a chunk is a fixed range of n, and the sink
//! receives the chunks in order. The sink runs on the calling thread while the next chunks are
//! computed. To bound the memory, only a fixed number of chunks (the window) may be computed but
//! not yet delivered.

use crate::threads::{Scope, Workers};
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// A chunk of more n than this is large: its computation is itself parallel.
const LARGE_CHUNK: u64 = 1 << 16;

/// Returns the maximum number of chunks in flight, which are begun but have not reached the sink:
/// four per thread, or three in all if they are large. A large chunk is itself computed in
/// parallel, and a thread that waits inside one chunk picks up another. A fourth large chunk would
/// delay the first.
fn max_in_flight(chunk: u64, threads: usize) -> u64 {
    if chunk > LARGE_CHUNK {
        3
    } else {
        threads as u64 * 4
    }
}

impl Workers {
    /// Calls `work` on consecutive chunks of `range`, in parallel, and `sink` on the results in
    /// order; stops at the first error. `chunk` is the number of n in a chunk. To report progress,
    /// `sink` also receives the last n of the chunk.
    ///
    /// # Errors
    /// The first error of `work` or `sink`, in the order of the chunks.
    pub fn ordered<T: Send, E: Send>(
        &self,
        range: RangeInclusive<u64>,
        chunk: u64,
        work: impl Fn(RangeInclusive<u64>) -> Result<T, E> + Sync,
        sink: impl FnMut(T, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let chunk = chunk.max(1);
        let (first, last) = (*range.start(), *range.end());
        let plan = ChunkedRange {
            first,
            last,
            chunk,
            window: max_in_flight(chunk, self.count()),
        };
        if self.is_single_threaded() {
            // No other thread can compute chunks.
            return plan.run_sequentially(work, sink);
        }
        let stopped = AtomicBool::new(false);
        let (work, stopped) = (&work, &stopped);
        let mut sink = sink;
        let mut outcome = Ok(());
        self.scope(&mut |scope| outcome = plan.run(&scope, work, stopped, &mut sink));
        outcome
    }
}

/// A range, divided into chunks.
#[derive(Clone, Copy)]
struct ChunkedRange {
    first: u64,
    last: u64,
    chunk: u64,
    /// The maximum number of chunks in flight.
    window: u64,
}

impl ChunkedRange {
    fn count(self) -> u64 {
        if self.first > self.last {
            0
        } else {
            (self.last - self.first) / self.chunk + 1
        }
    }

    fn chunk_at(self, i: u64) -> RangeInclusive<u64> {
        let low = self.first + i * self.chunk;
        low..=low.saturating_add(self.chunk - 1).min(self.last)
    }

    /// Processes all chunks on this thread.
    fn run_sequentially<T, E>(
        self,
        work: impl Fn(RangeInclusive<u64>) -> Result<T, E>,
        mut sink: impl FnMut(T, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        (0..self.count()).try_for_each(|i| {
            let chunk = self.chunk_at(i);
            let end = *chunk.end();
            sink(work(chunk)?, end)
        })
    }

    fn run<'a, T: Send + 'a, E: Send + 'a>(
        self,
        scope: &Scope<'_, 'a>,
        work: &'a (impl Fn(RangeInclusive<u64>) -> Result<T, E> + Sync),
        stopped: &'a AtomicBool,
        mut sink: impl FnMut(T, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let (sender, results) = mpsc::channel();
        let begin = |i: u64| {
            let sender = sender.clone();
            scope.spawn(Box::new(move || {
                if !stopped.load(Ordering::Relaxed) {
                    let result = catch_unwind(AssertUnwindSafe(|| work(self.chunk_at(i))));
                    let _ = sender.send((i, result)); // fails if the receiver is gone
                }
            }));
        };
        let chunks = self.count();
        let mut begun = chunks.min(self.window);
        (0..begun).for_each(begin);
        // The results of the chunks that were begun, starting with the next one to deliver.
        let mut waiting: VecDeque<_> = (0..begun).map(|_| None).collect();
        for i in 0..chunks {
            let result = loop {
                if let Some(result) = waiting[0].take() {
                    break result;
                }
                let (at, result) = results.recv().expect("this thread keeps a sender");
                waiting[(at - i) as usize] = Some(result);
            };
            waiting.pop_front();
            let result = result.unwrap_or_else(|panic| {
                stopped.store(true, Ordering::Relaxed);
                resume_unwind(panic)
            });
            let sunk = result.and_then(|result| sink(result, *self.chunk_at(i).end()));
            if let Err(error) = sunk {
                stopped.store(true, Ordering::Relaxed);
                return Err(error);
            }
            if begun < chunks {
                begin(begun);
                waiting.push_back(None);
                begun += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn the_order_does_not_depend_on_threads_or_chunks() {
        for (threads, chunk) in [(1, 1), (2, 7), (5, 100), (3, 1000)] {
            let mut seen = Vec::new();
            Workers::new(threads)
                .ordered(
                    5..=777,
                    chunk,
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
    fn one_thread_gives_the_same_chunks() {
        let plan = ChunkedRange {
            first: 5,
            last: 777,
            chunk: 100,
            window: 1,
        };
        let mut seen = Vec::new();
        let work = |part: RangeInclusive<u64>| Ok::<_, u64>(part.collect::<Vec<_>>());
        let sink = |part: Vec<u64>, end| {
            assert_eq!(part.last(), Some(&end));
            seen.extend(part);
            Ok(())
        };
        plan.run_sequentially(work, sink).unwrap();
        assert!(seen.into_iter().eq(5..=777));
        let stop = |part: RangeInclusive<u64>| {
            if part.contains(&300) {
                Err(300)
            } else {
                Ok(())
            }
        };
        assert_eq!(plan.run_sequentially(stop, |(), _| Ok(())), Err(300));
    }

    #[test]
    fn a_range_may_end_at_the_largest_word() {
        let mut count = 0;
        let (chunk, workers) = (3, Workers::new(2));
        let work = |part: RangeInclusive<u64>| Ok::<_, ()>(part.count());
        let sink = |n, _| {
            count += n;
            Ok(())
        };
        workers
            .ordered(u64::MAX - 9..=u64::MAX, chunk, work, sink)
            .unwrap();
        assert_eq!(count, 10);
    }

    #[test]
    fn a_slow_sink_limits_the_chunks_in_flight() {
        let (chunk, workers) = (1, Workers::new(3));
        let (begun, mut sunk) = (AtomicU64::new(0), 0);
        let work = |_: RangeInclusive<u64>| {
            begun.fetch_add(1, Ordering::Relaxed);
            Ok::<_, ()>(())
        };
        let sink = |(), _| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            assert!(begun.load(Ordering::Relaxed) - sunk <= max_in_flight(1, 3));
            sunk += 1;
            Ok(())
        };
        workers.ordered(1..=100, chunk, work, sink).unwrap();
        assert_eq!(sunk, 100);
        assert_eq!(max_in_flight(1 << 20, 500), 3);
    }

    #[test]
    fn the_first_error_in_order_stops_and_a_panic_is_passed_on() {
        let (chunk, workers) = (1, Workers::new(4));
        let mut seen = Vec::new();
        let work = |part: RangeInclusive<u64>| match *part.start() {
            n if n % 10 == 7 => Err(n),
            n => Ok(n),
        };
        let sink = |n, _| {
            seen.push(n);
            Ok(())
        };
        assert_eq!(workers.ordered(1..=100, chunk, work, sink), Err(7));
        assert!(seen.into_iter().eq(1..=6));
        let work = |part: RangeInclusive<u64>| {
            assert!(*part.start() != 50, "fifty");
            Ok::<_, ()>(())
        };
        let run = || workers.ordered(1..=100, chunk, work, |(), _| Ok(()));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
