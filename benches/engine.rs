//! Benchmarks of the engine's public functions: the law of one n, decimals, a sweep.

use flipcost::algorithms::{FAST_DICE_ROLLER, Faces, Sampler};
use flipcost::table::{Column, Precision, Request};
use flipcost::task::{Source, Task};
use flipcost_number::expression::parse_natural;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

fn main() {
    divan::main();
}

/// Computes the exact mean and variance of the fast dice roller for one n.
#[divan::bench(args = [6u64, 1_000, 65_537, 100_003])]
fn law_of_one_n(n: u64) -> flipcost_number::Rational {
    let dice = Task::die(n, Source::COIN).unwrap();
    let law = FAST_DICE_ROLLER.prepare(&dice).unwrap().law().unwrap();
    law.variance().unwrap()
}

/// Computes decimals of `E[T]` without enumerating the period.
#[divan::bench(args = [("10^18+9", 50), ("10^200+1", 50), ("10^9+7", 10_000)])]
fn decimals((n, digits): (&str, u32)) -> String {
    let dice = Task::die(parse_natural(n).unwrap(), Source::COIN).unwrap();
    let law = FAST_DICE_ROLLER.prepare(&dice).unwrap().law().unwrap();
    law.mean_real().decimals(digits).unwrap()
}

/// Computes a column for a range of n: doubles of the fast dice roller, and of its toll.
#[divan::bench(args = ["expected", "toll", "cycle_rounds"])]
fn sweep(column: &str) -> usize {
    let request = Request {
        algorithms: vec![FAST_DICE_ROLLER],
        source: flipcost::task::Source::COIN,
        columns: vec![Column::find(column).unwrap()],
        precision: Precision::default(),
    };
    let surveys = request.tables(20_000);
    request.rows(1..=20_000, &surveys).unwrap().len()
}

/// Rolls a d6 from flips with a sampler that is prepared once. The next benchmark prepares a new
/// sampler for each roll.
#[divan::bench]
fn roll_d6_with_prepared_sampler(bencher: divan::Bencher) {
    let task = Task::die(6u8, Source::COIN).unwrap();
    let sampler = Sampler::new(FAST_DICE_ROLLER.prepare(&task).unwrap()).unwrap();
    let mut rng = StdRng::seed_from_u64(1);
    bencher.bench_local(|| {
        (0..1000)
            .map(|_| sampler.sample_words(|| rng.next_u64()))
            .sum::<u64>()
    });
}

#[divan::bench]
fn roll_d6_with_new_sampler(bencher: divan::Bencher) {
    let task = Task::die(6u8, Source::COIN).unwrap();
    let mut rng = StdRng::seed_from_u64(1);
    let mut bits = std::iter::repeat_with(|| rng.next_u64());
    let mut faces = Faces::from_fn(|_| bits.next().map(|word| word & 1));
    bencher.bench_local(|| FAST_DICE_ROLLER.roll(&task, &mut faces).unwrap());
}
