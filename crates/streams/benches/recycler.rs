//! Compares two ways to draw fair numbers from a generator of words: the sampler that keeps a store
//! of 64 bits, and rand's uniform ranges. Both draw from the same generator. Before the timing, the
//! benchmark counts how many bits each of them takes for one number.

use flipcost_streams::Recycler;
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use std::convert::Infallible;

/// How many numbers are drawn to count the bits.
const COUNTED: u64 = 1_000_000;

/// A generator that counts the bits that are taken from it.
struct Counted(StdRng, u64);

impl rand::TryRng for Counted {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.1 += 32;
        Ok(self.0.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.1 += 64;
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.1 += 8 * bytes.len() as u64;
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

fn main() {
    println!("bits for each number   entropy   recycler   rand");
    for n in [6u32, 52, 1000] {
        let mut words = StdRng::seed_from_u64(1);
        let mut recycler = Recycler::new();
        for _ in 0..COUNTED {
            recycler.draw(n.into(), &mut || words.next_u64());
        }
        let mut counted = Counted(StdRng::seed_from_u64(1), 0);
        for _ in 0..COUNTED {
            divan::black_box(counted.random_range(0..n));
        }
        let each = |bits: u64| bits as f64 / COUNTED as f64;
        println!(
            "d{n:<21} {:<9.4} {:<10.4} {:.4}",
            f64::from(n).log2(),
            each(recycler.coins()),
            each(counted.1)
        );
    }
    divan::main();
}

#[divan::bench(args = [6u64, 52, 1000])]
fn recycler(bencher: divan::Bencher, n: u64) {
    let mut words = StdRng::seed_from_u64(1);
    let mut recycler = Recycler::new();
    bencher.bench_local(|| recycler.draw(divan::black_box(n), &mut || words.next_u64()));
}

#[divan::bench(args = [6u32, 52, 1000])]
fn rand_random_range(bencher: divan::Bencher, n: u32) {
    let mut words = StdRng::seed_from_u64(1);
    bencher.bench_local(|| words.random_range(0..divan::black_box(n)));
}
