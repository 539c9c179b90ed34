//! Counts the rounds in the cycle of the fast dice roller's flow chart: OEIS A136043, the number of
//! ones in the repetend of 1/n in base 2.
//!
//! **Identity.** A round consists of flips until there are at least n nodes, and one test whether
//! the value is accepted. For odd n let H be the subgroup of the powers of 2 in G = (Z/n)*; it has
//! p elements, where p is the order of 2 modulo n. In a cycle of p flips, a round ends at every
//! flip that takes x to 2x - n; these flips correspond to the ones among the p digits of the
//! repetend. Their number is the sum of floor(2x/n) = (2x - (2x mod n))/n over the cycle. Hence
//!
//! ```text
//! a(n) = ones in the repetend of 1/n = (1/n) * the sum of x in H, 0 < x < n;    a(2n) = a(n)
//! ```
//!
//! and a(1) = 1: for a power of two there is no cycle, and 1 is the value in the OEIS.
//! Machine-checked: `proofs/Rounds.v, rounds_in_cycle`, `proofs/Rounds.v, rounds_from_residues`,
//! `proofs/Rounds.v, rounds_in_cycle_of_even`.
//!
//! **Code.** Each odd n belongs to one of these cases:
//!
//! | case | a(n) from | cost, once p is known |
//! | --- | --- | --- |
//! | -1 in H | p | O(1) |
//! | every character of G/H has order 1 or 2 | class numbers | 2^w look-ups, w primes |
//! | q^2 divides n, same index for n/q | a(n/q) | O(1) |
//! | n = q d, p(n) = p(d) (q - 1) | a(d), p(d) flips | O(p(d) / 64) |
//! | large n, |G/H| < 256 | values of L-functions ([`super::characters`]) | O(sqrt n) for each |
//! | all others | the flips, 64 at a time | O(p / 64) |
//!
//! Flips are counted from the low end of the repetend, for many periods in parallel
//! ([`super::lanes`]).
//!
//! **-1 in H.** Pair x with n - x: a(n) = p/2. (J. W. Layman remarks this in A136043 for the case
//! that 2 is a primitive root; machine-checked: `proofs/HalfPeriod.v, rounds_are_half_the_period`.)
//!
//! **Class numbers.** The indicator function of H is the mean of the i = |G/H| characters chi of
//! G/H. So a(n) is the mean, over these chi, of the sums of chi(x) x / n over G. For one chi this
//! sum is
//!
//! - phi(n)/2 for chi = 1,
//! - 0 for an even chi != 1 (pair x with n - x),
//! - B(chi') * product over primes q | n of (1 - chi'(q)) for an odd chi that is induced by the
//!   primitive character chi' of conductor d, where B(chi') = sum of chi'(x) x / d over x mod d is
//!   a generalized Bernoulli number (Washington 1997, chapter 4; the product comes from removing
//!   the multiples of q, one prime at a time).
//!
//! If every character of G/H has order at most 2, the odd ones are chi' = (./d) with d | n
//! squarefree and d = 3 mod 4, and chi'(2) = 1 makes that d = 7 mod 8. Dirichlet's class number
//! formula says B = -h(-d) for d > 4. Therefore
//!
//! ```text
//! a(n) = ( phi(n)/2 - sum of h(-d) e(d) ) / i,   over squarefree d | n with d = 7 mod 8,
//! e(d) = product of (1 - (q/d)) over the primes q | n that do not divide d
//! ```
//!
//! A quadratic character of G corresponds to a set of primes of n. With w primes there are 2^w
//! characters, and half of them have chi(2) = -1 unless all primes are 1 or 7 mod 8. So the
//! condition is i = 2^w if all primes are +-1 mod 8, and otherwise i = 2^(w-1). For n = d prime: a
//! = ((n-1)/2 - h)/2. Below 10^7, the n of this case have 70% of all flips in the cycles of n with
//! -1 not in H.
//!
//! **Repeated primes.** Let q^2 | n and d = n/q. If |G/H| is the same for n and d, both have the
//! same characters with the same conductors and the same primes, so p(n)/2 - a(n) = p(d)/2 - a(d).
//!
//! **A prime that multiplies the order.** Let n = q d for a prime q that does not divide d, and
//! p(n) = p(d) (q - 1). Then H consists of all units that are powers of 2 modulo d. Let ((t)) = t -
//! 1/2 for 0 < t < 1, so that a(n) = p(n)/2 plus the sum of ((x/n)) over H. For a fixed y, the sum
//! of ((x/n)) over the q lifts x = y + kd is ((y/d)), by ((t)) + ((t + 1/q)) + ... = ((qt)). One of
//! the lifts is a multiple of q, x = q y' with y' = y/q modulo d, and for this lift ((x/n)) =
//! ((y'/d)). So
//!
//! ```text
//! a(n) = p(n)/2 + a(d) - ones in a period of c/d, c = 1/q modulo d
//! ```
//!
//! It is therefore enough to count p(d) flips, from another starting state.

use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use flipcost_number::threads;

use super::characters;
use super::class_number::{ClassNumbers, MAX_DISCRIMINANT, class_number, jacobi};
use super::half_open;
use super::lanes::{CountKernel, Job, WIDTH, count_ones};
use crate::roller::residues::LowWords;
use flipcost_number::budget::spend;
use flipcost_number::factor::{factor, pow_mod};
use flipcost_number::order::{Orbit, orbit};
use flipcost_number::sieve::{Factors, OrderTable, orbits_in};

/// Returns A136043(n): the number of rounds in the cycle, 1 for powers of two. Cost: O(p / 64)
/// products on all threads, where p is the order of 2 modulo the odd part of n; O(1) after the
/// order if -1 is a power of 2. For large n the sequence A136043 of [`crate::sequences`] is faster.
///
/// ```
/// use flipcost::roller::rounds::cycle_rounds;
/// assert_eq!([6, 11, 16, 23].map(cycle_rounds), [1, 5, 1, 4]);
/// ```
///
/// # Panics
/// If n = 0.
pub fn cycle_rounds(n: u64) -> u64 {
    let Orbit {
        period, minus_one, ..
    } = orbit(2, n);
    let odd = n >> n.trailing_zeros();
    if odd == 1 {
        1
    } else if minus_one {
        period / 2
    } else {
        ones_in_period(odd, period)
    }
}

/// The number of words in one stretch of a long period.
const STRETCH_WORDS: u64 = 1 << 18;

/// Counts the set bits among the low `bits` bits of -1/n, n odd. A long period is divided into
/// stretches, which all threads count in parallel; a stretch that begins with word w starts at c =
/// 2^-64w modulo n.
pub fn ones_in_period(n: u64, bits: u64) -> u64 {
    let words = bits / 64;
    spend(words + 100);
    let last = LowWords::starting(n, state_before_word(n, words))
        .next()
        .expect("words never end");
    let rest = u64::from((last & ((1 << (bits % 64)) - 1)).count_ones());
    let path = CountKernel::chosen();
    let together = if n < 1 << 32 { 32 } else { WIDTH as u64 };
    let whole = threads::map(words.div_ceil(together * STRETCH_WORDS) as usize, &|i| {
        let first = together * STRETCH_WORDS * i as u64;
        let all = (words - first).min(together * STRETCH_WORDS);
        let share = all / together;
        let start = |j: usize| state_before_word(n, first + j as u64 * share);
        let left = LowWords::starting(n, start(together as usize)).take((all % together) as usize);
        let ones: u64 = match u32::try_from(n) {
            Ok(n) => {
                let bits = 64 * share as u32;
                let job = |j| Job {
                    n,
                    bits,
                    start: start(j) as u32,
                };
                path.ones(&std::array::from_fn::<Job, 32, _>(job))
                    .iter()
                    .sum()
            }
            Err(_) => path
                .streams([n; WIDTH], std::array::from_fn(start), share)
                .0
                .iter()
                .sum(),
        };
        ones + left.map(|word| u64::from(word.count_ones())).sum::<u64>()
    });
    whole.into_iter().sum::<u64>() + rest
}

/// The state c before word w: 2^-64w modulo n, in 1..=n.
fn state_before_word(n: u64, word: u64) -> u64 {
    match (n, word) {
        (1, _) | (_, 0) => 1,
        _ => pow_mod(pow_mod(n / 2 + 1, 64, n), word, n),
    }
}

/// Returns A136043(n) for every n of the range, in order, on all threads of the pool.
///
/// Ranges that begin near 1 are fastest: they use the formulas of the module documentation, tables
/// of orders and class numbers up to the end (10 bytes per odd n and 1/4 per n), and lanes. For
/// large n the orders come from a sieve of the range; the value of an n is computed by a formula if
/// that is faster than counting, and otherwise n below 2^32 are counted in lanes. The result is the
/// same for any number of threads.
///
/// # Panics
/// If the range holds 0.
pub fn cycle_rounds_range(range: RangeInclusive<u64>) -> Vec<u64> {
    let range = half_open(range);
    if range.is_empty() {
        return Vec::new();
    }
    let last = range.end - 1;
    if last <= RoundsTable::MAX_LIMIT && (last < 1 << 14 || (range.end - range.start) > last / 8) {
        return RoundsTable::up_to(last).range(range);
    }
    let plans = threads::map_of(&orbits_by_n(range), &|&(n, orbit)| {
        plan_beyond_table(n, orbit)
    });
    execute_plans(&plans)
}

/// The orbit of 2 modulo n for every n of a range, each with its n.
fn orbits_by_n(range: Range<u64>) -> Vec<(u64, Orbit)> {
    range.clone().zip(orbits_in(2, range)).collect()
}

/// Returns the odd n > 1 of a range, each with the order of 2 and A136043(n). Limits and cost: as
/// [`cycle_rounds_range`].
///
/// # Panics
/// If the range holds 0.
pub fn odd_cycles(range: RangeInclusive<u64>) -> Vec<OddCycle> {
    let mut all = orbits_by_n(half_open(range));
    all.retain(|(n, _)| n % 2 == 1 && *n > 1);
    let plans = threads::map_of(&all, &|&(n, orbit)| plan_beyond_table(n, orbit));
    let cycle = |((n, orbit), rounds): ((u64, Orbit), u64)| OddCycle {
        n,
        flips: orbit.period,
        rounds,
    };
    all.into_iter()
        .zip(execute_plans(&plans))
        .map(cycle)
        .collect()
}

/// The cycle of an odd n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OddCycle {
    /// The number n of sides of the target.
    pub n: u64,
    /// The order of 2 modulo n.
    pub flips: u64,
    /// The number of rounds of the cycle.
    pub rounds: u64,
}

/// Computes the values of all plans; returns them in the order of the plans.
fn execute_plans(plans: &[CountPlan]) -> Vec<u64> {
    let mut values = vec![0; plans.len()];
    let mut open = Vec::new();
    for (i, plan) in plans.iter().enumerate() {
        match *plan {
            CountPlan::Known(value) => values[i] = value,
            CountPlan::Count(job, rest) => open.push((job, rest, i as u32)),
        }
    }
    for (at, value) in count_planned(&open) {
        values[at as usize] = value;
    }
    values
}

/// The measured time of one step of the sums of [`characters`], and below that of their
/// preparation, each as the number of words of a period that could be counted in this time.
const WORDS_PER_STEP: u64 = 8;
const WORDS_TO_BEGIN: u64 = 20_000;

fn plan_beyond_table(n: u64, orbit: Orbit) -> CountPlan {
    let (odd, period) = (n >> n.trailing_zeros(), orbit.period);
    if odd == 1 {
        return CountPlan::Known(1);
    }
    if orbit.minus_one {
        return CountPlan::Known(period / 2);
    }
    // A single sum already takes more than sqrt n steps.
    let most_steps = (period / 64).saturating_sub(WORDS_TO_BEGIN) / WORDS_PER_STEP;
    if most_steps > odd.isqrt()
        && let Some(rounds) = rounds_by_formula(odd, period, most_steps)
    {
        return CountPlan::Known(rounds);
    }
    match (u32::try_from(odd), u32::try_from(period)) {
        (Ok(n), Ok(bits)) => CountPlan::Count(Job { n, bits, start: 1 }, Correction::Plus(0)),
        _ => CountPlan::Known(ones_in_period(odd, period)),
    }
}

/// Counts the jobs of plans in lanes, and returns pairs of the number of a plan and its value, in
/// any order.
fn count_planned(open: &[(Job, Correction, u32)]) -> impl Iterator<Item = (u32, u64)> {
    let order = longest_first(open);
    // Each share for a thread consists of whole groups of lanes, and there are enough shares for
    // all threads.
    let share = (order.len() / (8 * threads::count()))
        .next_multiple_of(32)
        .clamp(32, 320);
    let shares: Vec<&[u32]> = order.chunks(share).collect();
    let counted = threads::map_of(&shares, &|share| {
        let plans = share.iter().map(|&at| open[at as usize]);
        let jobs: Vec<Job> = plans.clone().map(|(job, ..)| job).collect();
        let value = |((_, rest, at), ones): ((Job, Correction, u32), u64)| match rest {
            Correction::Plus(more) => (at, u64::from(more) + ones),
            Correction::Minus(from) => (at, u64::from(from) - ones),
        };
        plans.zip(count_ones(&jobs)).map(value).collect::<Vec<_>>()
    });
    counted.into_iter().flatten()
}

/// The indices of the jobs, sorted with the longest first, so that jobs of similar lengths are
/// neighbours. A counting sort takes linear time.
fn longest_first(open: &[(Job, Correction, u32)]) -> Vec<u32> {
    let most = open.iter().map(|(job, ..)| job.bits).max().unwrap_or(0);
    // The unit of length is a word, or larger, so that there are at most 2^16 different lengths.
    let shift = 6.max(16u32.saturating_sub(most.leading_zeros()));
    let length = |job: &Job| ((most - job.bits) >> shift) as usize;
    let mut next = vec![0u32; (most >> shift) as usize + 2];
    for (job, ..) in open {
        next[length(job) + 1] += 1;
    }
    for i in 1..next.len() {
        next[i] += next[i - 1];
    }
    let mut order = vec![0; open.len()];
    for (i, (job, ..)) in open.iter().enumerate() {
        let place = &mut next[length(job)];
        order[*place as usize] = i as u32;
        *place += 1;
    }
    order
}

/// A table of the orders and class numbers that determine A136043 for all n up to a limit; it is
/// filled one range at a time.
#[derive(Debug)]
pub(crate) struct RoundsTable {
    orders: OrderTable,
    classes: ClassNumbers,
    /// a(2i + 1) if it is known, otherwise 0. Known values save work without changing results.
    known: Vec<AtomicU32>,
    /// a(n) is known for all n below this.
    known_below: AtomicU64,
}

/// The way to find a(n), chosen before any flip is counted.
#[derive(Debug, Clone, Copy)]
enum CountPlan {
    Known(u64),
    /// Count the ones of this job, and then correct the count by a sum or a difference.
    Count(Job, Correction),
}

#[derive(Debug, Clone, Copy)]
enum Correction {
    Plus(u32),
    Minus(u32),
}

impl RoundsTable {
    /// The largest supported limit: 2^26.
    pub(crate) const MAX_LIMIT: u64 = ClassNumbers::MAX_LIMIT;

    /// Prepares the table for all n <= limit. Cost: O(limit^(3/2)) subtractions for the class
    /// numbers; 10 bytes per odd n.
    ///
    /// # Panics
    /// If the limit is above [`RoundsTable::MAX_LIMIT`].
    pub(crate) fn up_to(limit: u64) -> Self {
        assert!(
            limit <= Self::MAX_LIMIT,
            "the table of rounds reaches 2^26, not {limit}"
        );
        Self {
            orders: OrderTable::new(2, limit),
            classes: ClassNumbers::new(limit),
            known: std::iter::repeat_with(AtomicU32::default)
                .take((limit / 2 + 1) as usize)
                .collect(),
            known_below: AtomicU64::new(1),
        }
    }

    /// The table of orders that this table contains.
    pub(crate) fn orders(&self) -> &OrderTable {
        &self.orders
    }

    /// A136043(n) for every n of the range, in order. Memory: 8 bytes per n, and about 12 bytes per
    /// n of a block of 2^20.
    ///
    /// # Panics
    /// If the range holds 0 or exceeds the limit.
    pub(crate) fn range(&self, range: Range<u64>) -> Vec<u64> {
        if range.is_empty() {
            return Vec::new();
        }
        let limit = self.orders.limit();
        assert!(
            range.start > 0 && range.end <= limit + 1,
            "the table holds 1..={limit}, not all of {range:?}"
        );
        let mut start = range.start;
        while start < range.end {
            // The first blocks are small, because later blocks use the values of earlier blocks.
            let end = range.end.min(start + start.clamp(1 << 16, 1 << 20));
            self.compute_block(start..end);
            start = end;
        }
        let mut values = vec![0; (range.end - range.start) as usize];
        threads::change(&mut values, 1 << 14, &|first, part| {
            for (n, value) in (range.start + first as u64..).zip(part) {
                *value = self.entry_of(n).load(Ordering::Relaxed).into();
            }
        });
        values
    }

    /// The entry of a(n), which is stored under the odd part of n.
    fn entry_of(&self, n: u64) -> &AtomicU32 {
        &self.known[(n >> n.trailing_zeros() >> 1) as usize]
    }

    /// a(n), if it is known.
    fn known_rounds(&self, n: u64) -> Option<u64> {
        let value = self.entry_of(n).load(Ordering::Relaxed);
        (value > 0).then_some(u64::from(value))
    }

    /// Computes all values of a block.
    fn compute_block(&self, block: Range<u64>) {
        let length = block.end - block.start;
        // The ordering Acquire makes the values visible that other threads have stored.
        let whole = self.known_below.load(Ordering::Acquire) >= block.start;
        let open: Vec<(Job, Correction, u32)> = threads::concat(length as usize, &|part| {
            let (mut open, mut factors) = (Vec::new(), Factors::default());
            // Collect, without a branch, the n modulo which -1 is not a power of 2.
            let (mut rest, mut count) = (vec![0; part.len()], 0);
            let nowhere = AtomicU32::default();
            for n in part.map(|i| block.start + i as u64) {
                if whole && n % 2 == 0 {
                    continue;
                }
                let odd = n >> n.trailing_zeros();
                // The loop also reaches odd parts that lie in this block.
                if odd < n && odd >= block.start || self.known_rounds(odd).is_some() {
                    continue;
                }
                let minus_one = self.orders.minus_one(odd);
                // Do not overwrite an entry that another thread may have written.
                let place = [&nowhere, self.entry_of(odd)][usize::from(minus_one)];
                place.store((self.orders.period(odd) / 2) as u32, Ordering::Relaxed);
                rest[count] = odd;
                count += usize::from(!minus_one);
            }
            for &odd in &rest[..count] {
                match self.plan_count(odd, &mut factors) {
                    CountPlan::Known(value) => self.store_rounds(odd as u32, value),
                    CountPlan::Count(job, rest) => open.push((job, rest, odd as u32)),
                }
            }
            open
        });
        for (odd, value) in count_planned(&open) {
            self.store_rounds(odd, value);
        }
        if whole {
            self.known_below.fetch_max(block.end, Ordering::Release);
        }
    }

    fn store_rounds(&self, odd: u32, value: u64) {
        self.entry_of(odd.into())
            .store(value as u32, Ordering::Relaxed);
    }

    /// Chooses the plan for an odd n if -1 is not a power of 2 modulo n; `factors` is overwritten.
    fn plan_count(&self, n: u64, factors: &mut Factors) -> CountPlan {
        if n == 1 {
            return CountPlan::Known(1);
        }
        let period = self.orders.period(n);
        self.orders.put_factors(n, factors);
        let factors = factors.as_slice();
        if let Some(quadratic) = quadratic_index(factors, period) {
            let class = |d| {
                self.classes
                    .get(d)
                    .expect("d <= n is in the table, 7 mod 8")
            };
            return CountPlan::Known(
                (period * quadratic / 2 - class_sum(factors, class)) / quadratic,
            );
        }
        let mut rest = n;
        for &(q, k) in factors {
            for _ in 1..k {
                if self.orders.period(rest / q) * q != self.orders.period(rest) {
                    break;
                }
                rest /= q;
            }
        }
        let bits = if rest == n {
            period
        } else {
            self.orders.period(rest)
        };
        let by_prime = |&(q, k): &(u64, u32)| {
            // p(n) = p(d) (q - 1) requires that p(d) is odd and that 2 is a primitive root modulo
            // q, and therefore not a square
            let may = k == 1 && rest == n && matches!(q % 8, 3 | 5);
            if !may || bits.trailing_zeros() != (q - 1).trailing_zeros() {
                return None;
            }
            let d = n as u32 / q as u32;
            let all = self.orders.period(d.into()) * (q - 1) == bits;
            let known = if all {
                self.known_rounds(d.into())
            } else {
                None
            };
            known.map(|rounds| (q as u32, d, rounds))
        };
        // Try the largest prime first, because then the fewest flips have to be counted.
        if let Some((q, d, rounds)) = factors.iter().rev().find_map(by_prime) {
            let job = Job {
                n: d,
                bits: self.orders.period(d.into()) as u32,
                start: inverse_modulo(q % d, d),
            };
            return CountPlan::Count(job, Correction::Minus((bits / 2 + rounds) as u32));
        }
        let job = Job {
            n: rest as u32,
            bits: bits as u32,
            start: 1,
        };
        CountPlan::Count(job, Correction::Plus(((period - bits) / 2) as u32))
    }
}

/// Computes 1/x modulo n by Euclid's algorithm, for 1 < n < 2^31.
fn inverse_modulo(x: u32, n: u32) -> u32 {
    let (mut a, mut b) = (n, x);
    let (mut u, mut v) = (0i32, 1i32);
    while b != 0 {
        let q = a / b;
        (a, b) = (b, a - q * b);
        (u, v) = (v, u.wrapping_sub((q as i32).wrapping_mul(v))); // the final v is n or -n
    }
    debug_assert_eq!(a, 1);
    u.rem_euclid(n as i32) as u32
}

/// The error of [`cycle_rounds_alone`] if too many flips would have to be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the powers of 2 modulo {n} have no formula here, and counting the {flips} flips of their cycle would take about {}", self.duration()
)]
pub(crate) struct TooManyFlips {
    /// The target.
    pub(crate) n: u64,
    /// The number of flips of its cycle.
    pub(crate) flips: u64,
}

impl TooManyFlips {
    /// The time for 64 flips on one core, in nanoseconds: 1.0 to 2.5 were measured.
    const NANOSECONDS: u64 = 2;

    /// The expected time on one core, in words for a message.
    pub(crate) fn duration(&self) -> String {
        let seconds = self.flips / 64 * Self::NANOSECONDS / 1_000_000_000;
        let (amount, unit) = match seconds {
            0..120 => (seconds.max(1), "second"),
            120..7200 => (seconds / 60, "minute"),
            7200..172_800 => (seconds / 3600, "hour"),
            172_800..63_072_000 => (seconds / 86_400, "day"),
            _ => (seconds / 31_536_000, "year"),
        };
        let plural = if amount == 1 { "" } else { "s" };
        format!("{amount} {unit}{plural} of one core")
    }
}

/// Returns A136043(n) for a single n of up to about 15 digits, by the fastest method that applies.
///
/// If -1 is a power of 2, the result is p/2. Below 2^46, values of L-functions give it in about
/// sqrt(n) steps, if |G/H| < 256 (see the module documentation). For larger n, class numbers give
/// it if all characters of G/H have order at most 2. Otherwise flips are counted, 64 at a time on
/// all threads, if the cycle has at most `most_flips` flips.
///
/// # Errors
/// [`TooManyFlips`] if counting is the only method and the cycle is longer than `most_flips`.
///
/// # Panics
/// If n = 0.
pub(crate) fn cycle_rounds_alone(n: u64, most_flips: u64) -> Result<u64, TooManyFlips> {
    let Orbit {
        period, minus_one, ..
    } = orbit(2, n);
    let odd = n >> n.trailing_zeros();
    if odd == 1 {
        return Ok(1);
    }
    if minus_one {
        return Ok(period / 2);
    }
    if period <= most_flips.min(1 << 20) {
        return Ok(ones_in_period(odd, period));
    }
    if let Some(rounds) = rounds_by_formula(odd, period, u64::MAX) {
        return Ok(rounds);
    }
    if period <= most_flips {
        return Ok(ones_in_period(odd, period));
    }
    Err(TooManyFlips { n, flips: period })
}

/// Computes the result from values of L-functions in at most `most_steps` steps; for large n from
/// class numbers instead, if all characters have order at most 2.
fn rounds_by_formula(odd: u64, period: u64, most_steps: u64) -> Option<u64> {
    if odd > MAX_DISCRIMINANT {
        return None;
    }
    let factors = factor(odd);
    if odd <= characters::MAX_ORDER_N {
        let index = totient(&factors) / period;
        return characters::ones_by_characters(&factors, index, period, most_steps);
    }
    let quadratic = quadratic_index(&factors, period)?;
    Some((period * quadratic / 2 - class_sum(&factors, class_number)) / quadratic)
}

/// The index of the group of powers of 2, if all characters of the quotient have order at most 2.
fn quadratic_index(factors: &[(u64, u32)], period: u64) -> Option<u64> {
    let squares = factors.iter().all(|(q, _)| matches!(q % 8, 1 | 7));
    let quadratic = 1u64 << (factors.len() - usize::from(!squares));
    (totient(factors) == period * quadratic).then_some(quadratic)
}

/// The order of (Z/n)*.
fn totient(factors: &[(u64, u32)]) -> u64 {
    factors
        .iter()
        .map(|&(q, k)| (q - 1) * q.pow(k - 1))
        .product()
}

/// The sum over d in the module documentation.
fn class_sum(factors: &[(u64, u32)], class: impl Fn(u64) -> u64) -> u64 {
    if let [(q, _)] = *factors {
        return if q % 8 == 7 { class(q) } else { 0 };
    }
    let mut sum = 0;
    for set in 1u32..1 << factors.len() {
        let inside = |i: usize| set >> i & 1 == 1;
        let d: u64 = (0..factors.len())
            .filter(|&i| inside(i))
            .map(|i| factors[i].0)
            .product();
        if d % 8 != 7 {
            continue;
        }
        let mut others = (0..factors.len())
            .filter(|&i| !inside(i))
            .map(|i| factors[i].0);
        // 1 - (q/d) is 0 or 2
        if others.all(|q| jacobi(q, d) == -1) {
            sum += class(d) << (factors.len() - set.count_ones() as usize);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Follows the flow chart flip by flip, until a round begins with a v that occurred before, and
    /// counts the rounds since then.
    fn count_rounds_by_flow_chart(n: u64) -> u64 {
        let (mut seen, mut v, mut rounds) = (HashMap::new(), 1, 0);
        loop {
            if v == 0 {
                return 1; // a power of two is decided in the first rounds
            }
            if let Some(before) = seen.insert(v, rounds) {
                return rounds - before;
            }
            while v < n {
                v *= 2;
            }
            v -= n;
            rounds += 1;
        }
    }

    #[test]
    fn the_reference_values() {
        let text = include_str!("../../data/reference/a136043.txt");
        let expected: Vec<u64> = text
            .lines()
            .map(|line| line.split(' ').nth(1).unwrap().parse().unwrap())
            .collect();
        assert_eq!(expected.len(), 2000);
        assert_eq!(cycle_rounds_range(1..=2000), expected);
        assert_eq!((1..2001).map(cycle_rounds).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_flow_chart_and_the_formulas() {
        let values = cycle_rounds_range(1..=11_999);
        for (n, value) in (1..).zip(values) {
            assert_eq!(value, count_rounds_by_flow_chart(n), "n = {n}");
        }
    }

    #[test]
    fn formulas_and_words_far_out() {
        let table = RoundsTable::up_to(3_000_000);
        for start in [1 << 20, 2_000_001, 2_900_000] {
            let range = start..start + 3000;
            let expected: Vec<u64> = range.clone().map(cycle_rounds).collect();
            assert_eq!(table.range(range), expected);
        }
        let whole = table.range(1..2_500_000);
        for n in (1..2_500_000).step_by(997) {
            assert_eq!(whole[n as usize - 1], cycle_rounds(n), "n = {n}");
        }
        assert_eq!(whole[999..5000], table.range(1000..5001));
    }

    /// Several threads compute overlapping ranges at the same time, and a value that one thread has
    /// stored is not overwritten.
    #[test]
    fn ranges_side_by_side() {
        let whole = RoundsTable::up_to(240_000).range(1..240_001);
        threads::Workers::new(4).run(|| {
            let table = RoundsTable::up_to(240_000);
            let part = |i: u64| 1 + 3000 * (i * 37 % 79)..3001 + 3000 * (i * 37 % 79);
            let all = threads::map(79, &|i| table.range(part(i as u64)));
            for (i, values) in (0..).zip(all) {
                let range = part(i);
                let expected = &whole[range.start as usize - 1..range.end as usize - 1];
                assert_eq!(values, expected, "{range:?}");
            }
        });
    }

    #[test]
    fn alone_with_class_numbers() {
        // Large n of all kinds with long periods, for which the formula is used.
        let mut answered = 0;
        for n in (20_000_001..20_000_400).chain([7 * 1_000_003, 31 * 999_983, 49 * 400_009]) {
            match cycle_rounds_alone(n, 0) {
                Ok(value) => {
                    answered += 1;
                    assert_eq!(value, cycle_rounds(n), "n = {n}");
                }
                Err(TooManyFlips { flips, .. }) => {
                    assert_eq!(flips, orbit(2, n).period);
                    assert_eq!(cycle_rounds_alone(n, flips), Ok(cycle_rounds(n)));
                }
            }
        }
        assert!(answered > 100, "{answered}");
    }

    /// Compares stretches that begin anywhere with counting word by word.
    #[test]
    fn stretches_of_long_periods() {
        let n = 1_000_000_000_039;
        for bits in [
            0,
            1,
            63,
            64,
            65,
            64 * 5 + 3,
            64 * (6 * STRETCH_WORDS + 7) + 11,
            64 * (13 * STRETCH_WORDS + 6),
        ] {
            let mut words = LowWords::new(n);
            let whole = words
                .by_ref()
                .take((bits / 64) as usize)
                .map(|word| u64::from(word.count_ones()));
            let whole: u64 = whole.sum();
            let rest = words.next().unwrap() & ((1 << (bits % 64)) - 1);
            assert_eq!(
                ones_in_period(n, bits),
                whole + u64::from(rest.count_ones()),
                "{bits}"
            );
        }
    }

    /// Compares ranges of large n, on both sides of 2^32, with the values computed for each n
    /// alone.
    #[test]
    fn ranges_far_out() {
        for start in [(1 << 26) + 1, 3_000_000_000, (1u64 << 32) - 20] {
            let small = |n: &u64| orbit(2, *n).period < 1 << 26 || orbit(2, *n).minus_one;
            let end = start + 40;
            let values = (start..end).filter(small).map(|n| (n, cycle_rounds(n)));
            let values: Vec<_> = values.collect();
            assert!(values.len() > 10);
            for (n, value) in values {
                assert_eq!(cycle_rounds_range(n..=n), [value], "n = {n}");
            }
        }
        let range = (1 << 26) + 1..=(1 << 26) + 59;
        let each: Vec<u64> = range.clone().map(cycle_rounds).collect();
        assert_eq!(cycle_rounds_range(range), each);
    }

    /// For primes 7 mod 8 of index 2 the value is ((p-1)/2 - h(-p))/2, with h(-p) =
    /// `qfbclassno(-p)` of PARI/GP 2.15.
    #[test]
    fn large_primes_by_class_numbers() {
        for (p, h) in [(1_000_000_007, 26_629), (1_000_000_000_271, 1_499_213)] {
            assert_eq!(
                cycle_rounds_alone(p, 0),
                Ok(((p - 1) / 2 - h) / 2),
                "p = {p}"
            );
        }
    }

    #[test]
    fn values_that_need_long_counting_are_reported() {
        let stepping = TooManyFlips {
            n: 7,
            flips: 64 * 5_400_000_000_000,
        };
        assert_eq!(stepping.duration(), "3 hours of one core");
        let found = (1_000_000_000_001..)
            .step_by(2)
            .find_map(|n| cycle_rounds_alone(n, 0).err());
        assert!(found.unwrap().to_string().contains("would take about"));
    }

    proptest! {
        #[test]
        fn single_rounds_agree_with_the_table(n in 1u64..200_000) {
            prop_assert_eq!(cycle_rounds_range(n..=n + 1), vec![cycle_rounds(n), cycle_rounds(n + 1)]);
            prop_assert_eq!(cycle_rounds(2 * n), cycle_rounds(n));
        }
    }
}
