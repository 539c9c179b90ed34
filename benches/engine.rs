//! Benchmarks of the engine and of the functions of the crate `number`, one by one:
//! `cargo bench --bench engine`.

use flipcost::algorithms::{FAST_DICE_ROLLER, Faces, Sampler};
use flipcost::prelude::*;
use flipcost::roller::doubles::{expected_flips_doubles, largest_toll};
use flipcost::roller::fractions::expected_flips_range;
use flipcost::roller::lanes::{Job, KERNELS, count_ones_by};
use flipcost::roller::numerator::{expected_flips, expected_flips_unreduced};
use flipcost::roller::rounds::cycle_rounds_range;
use flipcost::sequences;
use flipcost::table::{Column, Precision, Request};
use flipcost::task::{Source, Task};
use flipcost_number::expression::parse_natural;
use flipcost_number::order::orbit;
use flipcost_number::reduce::gcd;
use flipcost_number::sieve::{OrderTable, orbits_in, primes_up_to};
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

#[divan::bench(args = [1_000_000, 10_000_000])]
fn orders_of_2_up_to(limit: u64) -> OrderTable {
    OrderTable::new(2, limit)
}

#[divan::bench(args = [1_000_000])]
fn orders_of_6_up_to(limit: u64) -> OrderTable {
    OrderTable::new(6, limit)
}

#[divan::bench(args = [1_000_000])]
fn primes(limit: u64) -> Vec<u64> {
    primes_up_to(limit)
}

#[divan::bench(sample_count = 10, args = [1_000_000_000_000])]
fn a_hundred_thousand_orbits_from(start: u64) -> usize {
    orbits_in(2, start..start + 100_000).len()
}

#[divan::bench(args = [1_000_000_007, 1_000_000_000_000_000_009])]
fn one_orbit(n: u64) -> u64 {
    orbit(2, n).period
}

#[divan::bench(sample_count = 5, args = [1_000_000, 10_000_000])]
fn rounds_up_to(limit: u64) -> u64 {
    cycle_rounds_range(1..=limit).iter().sum()
}

#[divan::bench(sample_count = 5, args = [10_000_000_207])]
fn rounds_of_one(n: u64) -> u64 {
    let sequence = sequences::find("A136043").unwrap();
    sequence.terms(n..=n).unwrap().remove(0).try_into().unwrap()
}

/// Returns 64 jobs with a period of 10^6 bits each, which one thread counts.
fn jobs() -> Vec<Job> {
    (0..64)
        .map(|i| Job {
            n: 1_000_003 + 2 * i,
            bits: 1_000_000,
            start: 1,
        })
        .collect()
}

#[divan::bench(args = KERNELS)]
fn ones_in_64_periods(bencher: divan::Bencher, name: &str) {
    bencher.bench_local(|| count_ones_by(name, &jobs()));
}

/// Returns a pseudo-random odd number with this number of bits, from the generator xorshift.
fn scrambled(bits: u64, mut state: u64) -> BigUint {
    let digits = (0..bits.div_ceil(32))
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u32 | 1
        })
        .collect();
    BigUint::new(digits)
}

#[divan::bench(sample_count = 10, args = [10_000, 100_000, 1_000_000])]
fn greatest_common_divisor_of_bits(bencher: divan::Bencher, bits: u64) {
    let (a, b) = (scrambled(bits, 1), scrambled(bits, 2));
    bencher.bench_local(|| gcd(divan::black_box(&a), divan::black_box(&b)));
}

#[divan::bench(sample_count = 5, args = [20_000])]
fn reduced_fractions_up_to(limit: u64) -> usize {
    expected_flips_range(1..=limit).len()
}

/// Computes a reduced fraction whose period has 1,000,002 bits.
#[divan::bench(sample_count = 10, args = [1_000_003])]
fn one_reduced_fraction(n: u64) -> u64 {
    expected_flips(n).numer().bits()
}

/// Computes a numerator whose period has 10^8 bits.
#[divan::bench(sample_count = 10, args = [100_000_037])]
fn one_numerator(n: u64) -> u64 {
    expected_flips_unreduced(n).0.bits()
}

#[divan::bench(sample_count = 10, args = [1_000_000])]
fn doubles_up_to(limit: u64) -> usize {
    expected_flips_doubles(1..=limit).len()
}

/// Computes 50 decimals for each n, on one thread.
#[divan::bench(sample_count = 5, args = [100_000])]
fn decimals_up_to(limit: u64) -> usize {
    let law = |n| {
        FAST_DICE_ROLLER
            .law(&Task::die(n, Source::COIN).unwrap())
            .unwrap()
    };
    let decimals = |n: u64| law(n).mean_real().decimals(50).unwrap().len();
    (1..limit + 1).map(decimals).sum()
}

#[divan::bench(sample_count = 5, args = [10_000_000])]
fn largest_toll_up_to(limit: u64) -> u64 {
    largest_toll(1..=limit).map_or(0, |found| found.n)
}
