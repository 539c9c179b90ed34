//! Theorems, each checked for every n of a range by computing what it says.
//!
//! **layman.** *If 2 is a primitive root of the prime p, the cycle of p has a(p) = (p-1)/2 rounds*
//! (OEIS A136043; Layman had confirmed it to 2000). Proof. The order p-1 of 2 is even and h =
//! (p-1)/2 is the least exponent with 2^h = -1 modulo p: 2^h is a square root of 1 other than 1. So
//! the residues x = 2^t of one period pair off as x and p - x. Exactly one of the two is above p/2,
//! so exactly one has 2x >= p and ends a round. There are (p-1)/2 pairs. Conversely a(n) = (n-1)/2
//! for an odd n > 1 makes n such a prime (see the entry's remarks).
//!
//! **half-period.** *If -1 is a power of 2 modulo the odd part n' > 2 of n, the cycle of n has p/2
//! rounds, p its flips.* Proof: as above, with n' for p; the residues of the cycle are 2^s times
//! the powers of 2 modulo n', n = 2^s n', and x ends a round for n iff x / 2^s does for n'.
//! Machine-checked: `proofs/HalfPeriod.v, rounds_are_half_the_period`.
//!
//! **halving.** *E(2n) = E(n) + 1 for the fast dice roller with a coin.* Proof: 2^(t+1) mod 2n = 2
//! (2^t mod n), so x_0 = 1 and x_(t+1)/2^(t+1) for 2n is x_t/2^t for n. The sweep compares the two
//! streams of residues, each stepped separately, over the pre-period and one whole period: if they
//! match there, they match everywhere. Machine-checked: `proofs/Halving.v, E_of_double`.
//!
//! **toll.** *E(n) < log2 n + 2 for the fast dice roller with a coin* (Knuth & Yao 1976). Proof.
//! Let k = ceil(log2 n), r = n/2^k and x = 1/r - 1, 0 <= x < 1. Then E(n) = k + r nu(x), where
//! nu(x) is the sum of t b_t/2^t over the binary digits of x = 0.b_1 b_2 ... It is at most 1 + x:
//! with y = 0.b_2 b_3 ..., nu(x) = b_1/2 + (nu(y) + y)/2 <= b_1/2 + 1/2 + y < 1 + b_1/2 + y/2 = 1 +
//! x, by induction on the number of digits and then in the limit. So E(n) < k + r (1 + x) = k + 1,
//! and k < log2 n + 1.
//!
//! **ceil-plus-one.** *E(n) < ceil(log2 n) + 1 for the fast dice roller with a coin* (Huber & Vargas 2024,
//! with <=). Proof: the last but one step of the proof of `toll`. The 1 is the least upper bound: for n =
//! (2^k + 1) / 3 with an odd k >= 3 it is k / (2^k + 1) short of it (`law/toll.rs`). The inequality is
//! machine-checked: `proofs/Bound.v, E_below_ceil_plus_one`.
//!
//! **aldr-toll.** *The amplified loaded dice roller with K = 2k costs less than 2 flips above the
//! entropy, for all weights of sum n, k the least with 2^k >= n* (Draper & Saad 2025). Weights are
//! divided by their greatest common divisor first, so a sweep to n covers every distribution whose
//! weights then have a sum of at most n. The largest toll of a sum is a knapsack
//! (`algorithms/largest_toll.rs` has the reasons), bounded from above by
//! exact sums of values rounded up.
//!
//! **aldr-toll-even.** *So does K = 2k - 1, for all weights of an even sum n.* It is open, and false
//! for odd sums (7:3:3 costs 2.235 above the entropy). A sweep decides each sum by the same knapsack.
//!
//! **Certificates.** The values that decide a claim can be recorded, to be digested: [`Claim::record`]
//! says which. [`sample`] computes some of them again by another method.
//!
//! Where a sweep counts rounds, it counts the 1 bits of one whole period of 1/n, bit for bit. The
//! period p comes from the sieve of orders, and 2^p mod n = 1 is computed anew: it makes the low p
//! bits of the 2-adic -1/n, which are counted, the bits of (2^p - 1)/n.

use crate::algorithms;
use crate::algorithms::largest_toll::{LargestToll, LargestTolls, least_depth};
use crate::law::Law;
use crate::number::factor::pow_mod;
use crate::number::fixed::Fixed;
use crate::number::order;
use crate::number::real::{Real, Undecided};
use crate::number::residues::ResidueSequence;
use crate::number::sieve::OrderTable;
use crate::roller::doubles;
use crate::roller::lanes::{Job, count_ones};
use crate::sweep::{Pace, ordered};
use crate::task::Task;
use std::cmp::Ordering;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::str::FromStr;

/// What can be verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Primes with primitive root 2 have (p-1)/2 rounds.
    Layman,
    /// Where -1 is a power of 2, the rounds are half the flips.
    HalfPeriod,
    /// E(2n) = E(n) + 1.
    Halving,
    /// E(n) < log2 n + 2.
    Toll,
    /// E(n) < ceil(log2 n) + 1.
    CeilPlusOne,
    /// The amplified loaded dice roller with K = 2k costs less than 2 flips above the entropy.
    AldrToll,
    /// So does K = 2k - 1 for even sums.
    AldrTollEven,
}

/// A name that no claim has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a claim: choose one of {names}", names = Claim::ALL.map(Claim::id).join(", "))]
pub struct UnknownClaim(String);

impl FromStr for Claim {
    type Err = UnknownClaim;

    fn from_str(text: &str) -> Result<Claim, UnknownClaim> {
        let named = Claim::ALL.into_iter().find(|claim| claim.id() == text);
        named.ok_or_else(|| UnknownClaim(text.chars().take(60).collect()))
    }
}

impl Claim {
    /// All of them, in the order of the program's help.
    pub const ALL: [Claim; 7] = [
        Claim::Layman,
        Claim::Toll,
        Claim::CeilPlusOne,
        Claim::HalfPeriod,
        Claim::Halving,
        Claim::AldrToll,
        Claim::AldrTollEven,
    ];

    /// Its name, such as `half-period`, which [`Claim::from_str`] reads.
    pub fn id(self) -> &'static str {
        match self {
            Claim::Layman => "layman",
            Claim::Toll => "toll",
            Claim::CeilPlusOne => "ceil-plus-one",
            Claim::AldrToll => "aldr-toll",
            Claim::AldrTollEven => "aldr-toll-even",
            Claim::HalfPeriod => "half-period",
            Claim::Halving => "halving",
        }
    }

    /// The statement.
    pub fn statement(self) -> &'static str {
        match self {
            Claim::Layman => {
                "if 2 is a primitive root of the prime p, the cycle of p has (p-1)/2 rounds (A136043)"
            }
            Claim::HalfPeriod => {
                "if -1 is a power of 2 modulo an odd n > 1, the cycle of n has p/2 rounds, p its flips"
            }
            Claim::Halving => "E(2n) = E(n) + 1 for the fast dice roller with a coin",
            Claim::Toll => "E(n) < log2 n + 2 for the fast dice roller with a coin",
            Claim::CeilPlusOne => "E(n) < ceil(log2 n) + 1 for the fast dice roller with a coin",
            Claim::AldrToll => {
                "for all weights of sum n, aldr:K=2k costs less than 2 flips above the entropy, k the least with 2^k >= n"
            }
            Claim::AldrTollEven => {
                "for all weights of an even sum n, aldr:K=2k-1 costs less than 2 flips above the entropy, k the least with 2^k >= n"
            }
        }
    }

    /// Whether it is proved, and how it is checked.
    pub fn standing(self) -> &'static str {
        match self {
            Claim::Layman => {
                "theorem: 2^((p-1)/2) = -1, so the residues pair off as x and p-x, and one of each pair ends a round; checked by counting the 1 bits of one whole period of 1/p"
            }
            Claim::HalfPeriod => {
                "theorem: the residues pair off as x and n-x, and one of each pair ends a round; checked by counting the 1 bits of one whole period of 1/n; an even n has the cycle of its odd part"
            }
            Claim::Halving => {
                "theorem: 2^(t+1) mod 2n = 2 (2^t mod n); checked by stepping both streams of residues over the pre-period and a whole period"
            }
            Claim::Toll => {
                "theorem: E(n) < ceil(log2 n) + 1; checked by sums of 128 terms and a bound on the rest, by exact enclosures where they do not tell"
            }
            Claim::CeilPlusOne => {
                "theorem: the binary digits of 2^k/n - 1, k = ceil(log2 n), cost less than 1 flip above k; checked by sums of 128 terms and a bound on the rest, by exact enclosures where they do not tell"
            }
            Claim::AldrToll => {
                "theorem (Draper & Saad 2025): checked for every distribution of a sum at once, by a knapsack of its parts that bounds the largest toll from above; weights have no common divisor, others are met at a smaller sum"
            }
            Claim::AldrTollEven => {
                "open: decided here for every distribution of a sum at once, by a knapsack of its parts that bounds the largest toll from above; weights have no common divisor"
            }
        }
    }

    /// What a sweep can record, and how it is checked by another method, if it can.
    pub fn record(self) -> Option<Record> {
        match self {
            Claim::Toll | Claim::CeilPlusOne => Some(Record {
                values: "E(n) of every n as the nearest double, 8 bytes each, least first",
                second: "nearest doubles of sums of 2^t mod n over 2^t, in numbers of any length",
                count: 1000,
            }),
            Claim::Layman | Claim::HalfPeriod => Some(Record {
                values: "n, flips and rounds of the cycle of every n that the claim speaks of, 8 bytes each, least first",
                second: "the order of 2 by factoring, the rounds by stepping through the residues",
                count: 8,
            }),
            Claim::Halving | Claim::AldrToll | Claim::AldrTollEven => None,
        }
    }

    /// The least n of a sweep.
    pub fn first(self) -> u64 {
        match self {
            Claim::Layman | Claim::HalfPeriod => 3,
            Claim::Halving | Claim::Toll | Claim::CeilPlusOne => 1,
            Claim::AldrToll | Claim::AldrTollEven => 2,
        }
    }

    /// The largest n of a sweep.
    pub fn largest(self) -> u64 {
        match self {
            Claim::Layman | Claim::HalfPeriod => OrderTable::LARGEST,
            Claim::Halving => OrderTable::LARGEST / 2,
            Claim::Toll | Claim::CeilPlusOne => 1 << 40,
            Claim::AldrToll | Claim::AldrTollEven => LargestTolls::MOST,
        }
    }

    /// About how many steps of machine words a sweep to `to` takes, at most; saturates.
    pub fn work(self, to: u64) -> u128 {
        let to = u128::from(to);
        match self {
            // periods of up to n bits, counted in words
            Claim::Layman | Claim::HalfPeriod => to.saturating_mul(500 + to / 64),
            Claim::Halving => to.saturating_mul(5000 + 4 * to),
            Claim::Toll | Claim::CeilPlusOne => 100 * to,
            // some dozen useful parts, and a few sets of primes
            Claim::AldrToll => 50 * to * to,
            Claim::AldrTollEven => 25 * to * to,
        }
    }
}

/// The values that a sweep records, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which they are.
    pub values: &'static str,
    /// The other method that [`sample`] computes some of them by.
    pub second: &'static str,
    /// How many n a sample should have at most.
    pub count: u64,
}

/// Where a sweep leaves the values of [`Claim::record`], in order, if somebody wants them.
pub type Recorder<'a> = Option<&'a mut dyn FnMut(&[u8])>;

/// The result of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many n were checked.
    pub checked: u64,
    /// The extreme case, in words.
    pub extreme: Option<String>,
    /// The first n that contradicts the claim, in words.
    pub counterexample: Option<String>,
}

/// A sweep that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The end lies before the first n, or too far away.
    #[error("a sweep of this claim ends between n = {first} and n = {largest}, not at {to}")]
    Range {
        /// The least end.
        first: u64,
        /// The largest end.
        largest: u64,
        /// The requested end.
        to: u64,
    },
    /// The first n is too small, or behind the last.
    #[error(
        "the first n of this claim must lie between {first} and the last n, and {from} does not"
    )]
    Start {
        /// The least start.
        first: u64,
        /// The requested start.
        from: u64,
    },
    /// The claim's values are not recorded.
    #[error("the values of {} have no second method that would check them: toll, ceil-plus-one, layman and half-period do", claim.id())]
    NoRecord {
        /// The claim.
        claim: Claim,
    },
    /// A comparison could not be decided.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// The largest toll of a sum is too near the bound.
    #[error("the largest toll of the weight sum {sum} lies within 2^-40 of 2, too near to decide")]
    Near {
        /// The sum.
        sum: u64,
    },
    /// The progress callback stopped it.
    #[error("the sweep was stopped before its end")]
    Stopped,
}

/// One chunk's findings; the extreme case is a pair (size, n), the largest size first met.
#[derive(Clone, Default)]
struct Found {
    checked: u64,
    extreme: Option<(u64, u64)>,
    wrong: Option<String>,
    /// What is recorded, if it is.
    values: Vec<u8>,
}

impl Found {
    fn see(&mut self, size: u64, n: u64) {
        self.checked += 1;
        if self.extreme.is_none_or(|(most, _)| size > most) {
            self.extreme = Some((size, n));
        }
    }

    fn join(&mut self, later: Found) {
        self.checked += later.checked;
        if let Some((size, n)) = later.extreme {
            self.checked -= 1;
            self.see(size, n);
        }
        self.wrong = self.wrong.take().or(later.wrong);
    }
}

/// Checks a claim for every n from its first to `to`, on `threads` threads (0: all cores). After
/// each part of the range it calls `progress` with the last n done; `progress` may stop it.
///
/// # Errors
/// [`VerifyError::Range`] if the sweep would end before the first n or too far away,
/// [`VerifyError::Undecided`] if enclosures do not decide a comparison, [`VerifyError::Stopped`] if
/// `progress` breaks.
///
/// # Cost
/// layman to 10^7 counts 1.2 * 10^12 flips, many periods side by side (see [`count_ones`]); halving
/// steps through O(N^2) flips one by one, the others take less.
pub fn verify(
    claim: Claim,
    to: u64,
    threads: usize,
    progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Outcome, VerifyError> {
    verify_range(claim, claim.first()..=to, threads, None, progress)
}

/// As [`verify`], for the n of a range; the values of [`Claim::record`] go to `recorder`. They do not
/// depend on the number of threads, and those of two ranges side by side are those of both.
///
/// # Errors
/// As [`verify`], [`VerifyError::Start`] if the range begins before the first n of the claim or is
/// empty, [`VerifyError::NoRecord`] if values are wanted that the claim does not record.
pub fn verify_range(
    claim: Claim,
    range: RangeInclusive<u64>,
    threads: usize,
    mut recorder: Recorder,
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Outcome, VerifyError> {
    let (first, largest) = (claim.first(), claim.largest());
    let (from, to) = (*range.start(), *range.end());
    if !(first..=largest).contains(&to) {
        return Err(VerifyError::Range { first, largest, to });
    }
    if from < first || from > to {
        return Err(VerifyError::Start { first, from });
    }
    if recorder.is_some() && claim.record().is_none() {
        return Err(VerifyError::NoRecord { claim });
    }
    let pace = |chunk| Pace { chunk, threads };
    match claim {
        Claim::Toll => return excesses(Level::Log, range, pace(1 << 18), recorder, progress),
        Claim::CeilPlusOne => {
            return excesses(Level::CeilOfLog, range, pace(1 << 18), recorder, progress);
        }
        Claim::AldrToll => return all_weights(range, 0, pace(8), progress),
        Claim::AldrTollEven => return all_weights(range, 1, pace(8), progress),
        Claim::Layman | Claim::HalfPeriod | Claim::Halving => {}
    }
    // The lanes want many periods of about the same length.
    let (table, chunk) = match claim {
        Claim::Halving => (OrderTable::new(2, 2), 2048),
        _ => (OrderTable::new(2, to), 1 << 17),
    };
    let recorded = recorder.is_some();
    let work = |part: RangeInclusive<u64>| {
        let mut found = Found::default();
        match claim {
            Claim::Halving => part.for_each(|n| halving(n, &mut found)),
            _ => rounds(claim, part, &table, recorded, &mut found),
        }
        Ok::<Found, VerifyError>(found)
    };
    let mut all = Found::default();
    ordered(range, pace(chunk), work, |found, last| {
        if let Some(record) = &mut recorder {
            record(&found.values);
        }
        all.join(found);
        go_on(progress(last))
    })?;
    let words = |(size, n): (u64, u64)| match claim {
        Claim::Layman => {
            let rounds = counted(n / 2, "round");
            format!("the largest such prime is {n}, with {rounds}")
        }
        _ => format!("the longest period is {size}, at n = {n}"),
    };
    Ok(Outcome {
        checked: all.checked,
        extreme: all.extreme.map(words),
        counterexample: all.wrong,
    })
}

fn go_on(said: ControlFlow<()>) -> Result<(), VerifyError> {
    match said {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(VerifyError::Stopped),
    }
}

/// The odd n of a part that a claim about rounds speaks of, with their periods.
fn meant(claim: Claim, part: RangeInclusive<u64>, table: &OrderTable) -> impl Iterator<Item = Job> {
    // An order of n-1 is one modulo a prime.
    let meant = move |n: u64| match claim {
        Claim::Layman => table.period(n) == n - 1,
        _ => table.minus_one(n),
    };
    let odd = part.filter(move |n| n % 2 == 1 && meant(*n));
    odd.map(|n| Job {
        n: n as u32,
        bits: table.period(n) as u32,
        start: 1,
    })
}

/// Counts the rounds of every n of a part that the claim speaks of, the longest periods first.
fn rounds(
    claim: Claim,
    part: RangeInclusive<u64>,
    table: &OrderTable,
    recorded: bool,
    found: &mut Found,
) {
    let mut jobs: Vec<Job> = meant(claim, part, table).collect();
    jobs.iter()
        .for_each(|job| found.see(job.bits.into(), job.n.into()));
    jobs.sort_unstable_by_key(|job| job.bits);
    let mut counted: Vec<(Job, u64)> = jobs.iter().copied().zip(count_ones(&jobs)).collect();
    counted.sort_unstable_by_key(|(job, _)| job.n);
    found.wrong = counted
        .iter()
        .find_map(|(job, ones)| contradiction(*job, *ones));
    if recorded {
        let values = |(job, ones): &(Job, u64)| cycle(job.n.into(), job.bits.into(), *ones);
        found.values = counted.iter().flat_map(values).collect();
    }
}

/// What is recorded of a cycle.
fn cycle(n: u64, flips: u64, rounds: u64) -> [u8; 24] {
    let mut bytes = [0; 24];
    for (place, value) in bytes.chunks_exact_mut(8).zip([n, flips, rounds]) {
        place.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// Some values of [`Claim::record`], by the method of the sweep and by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many n.
    pub count: u64,
    /// As the sweep records them.
    pub swept: Vec<u8>,
    /// By the second method.
    pub second: Vec<u8>,
}

/// Values of at most `count` n, spread evenly over a range, by two methods. Of a claim about rounds they
/// are the first after each place whose period is at most 2^22, if there is one within 1000.
///
/// # Errors
/// [`VerifyError::NoRecord`] if the claim's values are not recorded, [`VerifyError::Undecided`] if
/// enclosures do not decide a rounding.
pub fn sample(claim: Claim, range: RangeInclusive<u64>, count: u64) -> Result<Sample, VerifyError> {
    let (from, to) = (*range.start(), *range.end());
    let step = ((to - from + 1) / count.max(1)).max(1);
    let places = (from..=to).step_by(step as usize).take(count as usize);
    let mut sample = Sample {
        count: 0,
        swept: Vec::new(),
        second: Vec::new(),
    };
    match claim {
        Claim::Toll | Claim::CeilPlusOne => {
            for n in places {
                let exact = mean(n).nearest_f64()?;
                sample.count += 1;
                sample
                    .swept
                    .extend(doubles::expected_flips_double(n).to_le_bytes());
                sample.second.extend(exact.to_le_bytes());
            }
        }
        Claim::Layman | Claim::HalfPeriod => {
            let table = OrderTable::new(2, to);
            for place in places {
                let near = place..=to.min(place + 1000.min(step - 1));
                let short = |job: &Job| job.bits <= 1 << 22;
                let Some(job) = meant(claim, near, &table).find(short) else {
                    continue;
                };
                let n = u64::from(job.n);
                let period = order::period(2, n);
                let residues = ResidueSequence::new(2, n).take(period as usize);
                let ends = residues.filter(|x| 2 * x >= n).count() as u64;
                let ones = count_ones(&[job])[0];
                sample.count += 1;
                sample.swept.extend(cycle(n, job.bits.into(), ones));
                sample.second.extend(cycle(n, period, ends));
            }
        }
        Claim::Halving | Claim::AldrToll | Claim::AldrTollEven => {
            return Err(VerifyError::NoRecord { claim });
        }
    }
    Ok(sample)
}

/// A number of things: `1 round`, `2 rounds`.
fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// What is wrong if the `bits` bits counted are no period of 1/n, or if not half of them are
/// `ones`.
fn contradiction(job: Job, ones: u64) -> Option<String> {
    let Job { n, bits, .. } = job;
    if pow_mod(2, bits.into(), n.into()) != 1 {
        return Some(format!("n = {n}: the period of 1/n is not {bits}"));
    }
    (2 * ones != u64::from(bits)).then(|| {
        let (rounds, flips) = (counted(ones, "round"), counted(bits.into(), "flip"));
        format!("n = {n} has {rounds} and {flips} in its cycle")
    })
}

fn halving(n: u64, found: &mut Found) {
    let orbit = order::orbit(2, n);
    let length = orbit.pre_period + orbit.period;
    found.see(orbit.period, n);
    let mut doubled = ResidueSequence::new(2, 2 * n);
    let start = doubled.next() == Some(1);
    let agree = ResidueSequence::new(2, n)
        .zip(doubled)
        .take(length as usize + 1)
        .all(|(x, y)| y == 2 * x);
    if !(start && agree) {
        let wrong = format!("E(2n) - E(n) is not 1 at n = {n}");
        found.wrong.get_or_insert(wrong);
    }
}

/// What E(n) is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// log2 n: the excess is the toll.
    Log,
    /// ceil(log2 n).
    CeilOfLog,
}

impl Level {
    /// Its name.
    fn name(self) -> &'static str {
        match self {
            Level::Log => "log2 n",
            Level::CeilOfLog => "ceil(log2 n)",
        }
    }

    /// What the excess stays below.
    fn bound(self) -> u8 {
        match self {
            Level::Log => 2,
            Level::CeilOfLog => 1,
        }
    }

    /// The excess of n to within 2^-59, where its odd part is below 2^32.
    fn near(self, n: u64) -> Option<Fixed> {
        match self {
            Level::Log => doubles::toll_fixed(n),
            Level::CeilOfLog => {
                let cost = doubles::expected_flips_fixed(n)?;
                let whole = u128::from(ceil_log2(n)) << 64;
                // The enclosure of E(n) may reach below k by its width alone.
                Some(Fixed {
                    low: cost.low.saturating_sub(whole),
                    high: cost.high.saturating_sub(whole),
                })
            }
        }
    }

    /// The excess of n, exactly or enclosed.
    fn exact(self, n: u64) -> Real {
        match self {
            Level::Log => mean(n).minus(&Real::log(&n.into(), 2)),
            Level::CeilOfLog => mean(n).minus(&Real::integer(ceil_log2(n))),
        }
    }
}

/// E(n), exactly or enclosed as closely as it is asked for.
fn mean(n: u64) -> Real {
    let dice = Task::dice(2u8, n).expect("a coin, and n >= 1");
    let law = algorithms::FAST_DICE_ROLLER
        .prepare(&dice)
        .ok()
        .and_then(|b| b.closed_law());
    law.as_ref()
        .map(Law::mean)
        .expect("the fast dice roller has a law")
}

fn ceil_log2(n: u64) -> u32 {
    n.ilog2() + u32::from(!n.is_power_of_two())
}

/// E(n) less a level, with its n.
#[derive(Clone, Copy)]
pub(super) struct Excess {
    /// Where.
    pub n: u64,
    level: Level,
    /// An enclosure of machine words, where there is one.
    near: Option<Fixed>,
}

fn excess(level: Level, n: u64) -> Excess {
    let near = level.near(n);
    Excess { n, level, near }
}

/// The toll of n.
pub(super) fn toll(n: u64) -> Excess {
    excess(Level::Log, n)
}

impl Excess {
    /// Is it above that of another n, with the same level? Enclosures of words decide where they
    /// can.
    pub fn is_above(self, other: Excess) -> Result<bool, Undecided> {
        if let (Some(a), Some(b)) = (self.near, other.near) {
            if a.low > b.high {
                return Ok(true);
            }
            if a.high < b.low {
                return Ok(false);
            }
        }
        // E(2n) = E(n) + 1, so n and 2n have the same excess: no enclosure could tell them apart
        if self.n >> self.n.trailing_zeros() == other.n >> other.n.trailing_zeros() {
            return Ok(false);
        }
        let [a, b] = [self, other].map(|one| one.level.exact(one.n));
        Ok(a.compare(&b)? == Ordering::Greater)
    }

    fn is_below_its_bound(self) -> Result<bool, Undecided> {
        let bound = self.level.bound();
        match self.near {
            Some(near) if near.high < u128::from(bound) << 64 => Ok(true),
            _ => {
                let exact = self.level.exact(self.n);
                Ok(exact.compare(&Real::integer(bound))? == Ordering::Less)
            }
        }
    }
}

/// The larger of two excesses; the first of two that are equal.
fn higher(a: Option<Excess>, b: Excess) -> Result<Option<Excess>, Undecided> {
    match a {
        Some(a) if !b.is_above(a)? => Ok(Some(a)),
        _ => Ok(Some(b)),
    }
}

/// The largest excess of a range, and the first n whose excess is not below its bound.
fn peak(level: Level, range: Range<u64>) -> Result<(Option<Excess>, Option<u64>), Undecided> {
    if level == Level::Log
        && range.end <= 1 << 32
        && let Some(found) = doubles::largest_toll(range.clone())
        && found.toll.high < 2 << 64
        && found.ties == 0
    {
        // the largest is below 2, and so is every other
        return Ok((Some(toll(found.n)), None));
    }
    let (mut most, mut wrong) = (None, None);
    for n in range {
        let excess = excess(level, n);
        if !excess.is_below_its_bound()? {
            wrong.get_or_insert(n);
        }
        most = higher(most, excess)?;
    }
    Ok((most, wrong))
}

fn excesses(
    level: Level,
    range: RangeInclusive<u64>,
    pace: Pace,
    mut recorder: Recorder,
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Outcome, VerifyError> {
    let recorded = recorder.is_some();
    let checked = range.end() - range.start() + 1;
    let work = |part: RangeInclusive<u64>| {
        let range = *part.start()..part.end().saturating_add(1);
        let costs = match recorded {
            true => doubles::expected_flips_doubles(range.clone()),
            false => Vec::new(),
        };
        let values: Vec<u8> = costs.into_iter().flat_map(f64::to_le_bytes).collect();
        let (most, wrong) = peak(level, range)?;
        Ok::<_, VerifyError>((most, wrong, values))
    };
    let (mut most, mut wrong) = (None, None);
    ordered(range, pace, work, |(part, bad, values), last| {
        if let Some(record) = &mut recorder {
            record(&values);
        }
        if let Some(part) = part {
            most = higher(most, part)?;
        }
        wrong = wrong.or(bad);
        go_on(progress(last))
    })?;
    let (name, bound) = (level.name(), level.bound());
    let extreme = match most {
        Some(Excess { n, .. }) => Some(format!(
            "the largest E(n) - {name} is {}, at n = {n}",
            level.exact(n).decimals(15)?
        )),
        None => None,
    };
    Ok(Outcome {
        checked,
        extreme,
        counterexample: wrong.map(|n| format!("E(n) is not below {name} + {bound} at n = {n}")),
    })
}

/// The largest tolls of the amplified loaded dice roller for K = 2k - `less`: all sums of the range,
/// or the even ones if `less` is 1.
fn all_weights(
    sums: RangeInclusive<u64>,
    less: u32,
    pace: Pace,
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Outcome, VerifyError> {
    let tolls = LargestTolls::up_to(*sums.end());
    let work = |part: RangeInclusive<u64>| {
        let meant = part.filter(|sum| less == 0 || sum % 2 == 0);
        let largest = |sum: u64| tolls.of(sum, 2 * least_depth(sum) - less);
        Ok::<_, VerifyError>(meant.map(|sum| (sum, largest(sum))).collect::<Vec<_>>())
    };
    let (mut checked, mut most, mut wrong) = (0, None::<(u64, LargestToll)>, None);
    ordered(sums, pace, work, |part, last| {
        for (sum, largest) in part {
            checked += 1;
            match largest.is_below(2) {
                Some(true) => {}
                Some(false) => {
                    wrong.get_or_insert_with(|| tells(sum, &largest));
                }
                None => return Err(VerifyError::Near { sum }),
            }
            if most
                .as_ref()
                .is_none_or(|(_, most)| largest.high > most.high)
            {
                most = Some((sum, largest));
            }
        }
        go_on(progress(last))
    })?;
    Ok(Outcome {
        checked,
        extreme: most.map(|(sum, largest)| format!("the largest toll is {}", tells(sum, &largest))),
        counterexample: wrong,
    })
}

/// `1.885213... flips, of the weights 12:6:3:2:1 (n = 24)`.
fn tells(sum: u64, largest: &LargestToll) -> String {
    let weights: Vec<String> = largest.weights.iter().map(u64::to_string).collect();
    format!(
        "{} flips, of the weights {} (n = {sum})",
        largest.decimals(),
        weights.join(":")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_the_rounds_that_are_seen() {
        let odd = (3..3000u64).step_by(2);
        for n in odd.chain([100_003, 1_000_003, 8_388_607]) {
            let bits = order::period(2, n) as u32;
            let job = Job {
                n: n as u32,
                bits,
                start: 1,
            };
            let residues = ResidueSequence::new(2, n).take(bits as usize);
            let seen = residues.filter(|x| 2 * x >= n).count() as u64;
            assert_eq!(count_ones(&[job]), [seen], "n = {n}");
            assert_eq!(
                contradiction(job, seen).is_none(),
                2 * seen == u64::from(bits)
            );
        }
        let job = Job {
            n: 11,
            bits: 9,
            start: 1,
        };
        assert!(contradiction(job, 4).unwrap().contains("is not 9"));
        let job = Job {
            n: 11,
            bits: 10,
            start: 1,
        };
        assert!(contradiction(job, 4).unwrap().contains("4 rounds"));
    }

    #[test]
    fn the_claims_hold_and_count_what_they_check() {
        let check = |claim, to| verify(claim, to, 2, |_| ControlFlow::Continue(())).unwrap();
        let layman = check(Claim::Layman, 2000);
        assert_eq!((layman.checked, layman.counterexample), (117, None));
        assert!(layman.extreme.unwrap().contains("1997"));
        // A014657 up to 100 without 1 and 2
        let half = check(Claim::HalfPeriod, 100);
        assert_eq!((half.checked, half.counterexample), (24, None));
        let halving = check(Claim::Halving, 500);
        assert_eq!((halving.checked, halving.counterexample), (500, None));
        let toll = check(Claim::Toll, 5000);
        assert_eq!((toll.checked, toll.counterexample), (5000, None));
        assert!(toll.extreme.unwrap().ends_with("at n = 4097"));
        // (2^13 + 1) / 3 = 2731, 13 / 8193 short of 1
        let ceil = check(Claim::CeilPlusOne, 5000);
        assert_eq!((ceil.checked, ceil.counterexample), (5000, None));
        assert!(
            ceil.extreme
                .unwrap()
                .ends_with("is 0.998413279628952, at n = 2731")
        );
        // Draper & Saad 2025, their code: 1.885213 is the largest toll of sum 24
        let weights = check(Claim::AldrToll, 24);
        assert_eq!((weights.checked, weights.counterexample), (23, None));
        let most = weights.extreme.unwrap();
        assert!(
            most.contains("1.885213") && most.ends_with("(n = 24)"),
            "{most}"
        );
        let even = check(Claim::AldrTollEven, 200);
        assert_eq!((even.checked, even.counterexample), (100, None));
        let short = verify(Claim::Layman, 2, 1, |_| ControlFlow::Continue(()));
        assert!(matches!(short, Err(VerifyError::Range { first: 3, .. })));
    }

    /// The values of a range by the sweep, on so many threads.
    fn recorded(claim: Claim, range: RangeInclusive<u64>, threads: usize) -> Vec<u8> {
        let mut all = Vec::new();
        let mut record = |values: &[u8]| all.extend_from_slice(values);
        let go_on = |_| ControlFlow::Continue(());
        verify_range(claim, range, threads, Some(&mut record), go_on).unwrap();
        all
    }

    #[test]
    fn values_do_not_depend_on_threads_or_parts() {
        for (claim, to) in [
            (Claim::Toll, 600_000),
            (Claim::CeilPlusOne, 1000),
            (Claim::Layman, 300_000),
            (Claim::HalfPeriod, 3000),
        ] {
            let first = claim.first();
            let whole = recorded(claim, first..=to, 1);
            assert_eq!(recorded(claim, first..=to, 3), whole, "{claim:?}");
            let halves = [first..=to / 3, to / 3 + 1..=to].map(|part| recorded(claim, part, 2));
            assert_eq!(halves.concat(), whole, "{claim:?}");
            // n, flips and rounds of the cycle of 3; E(1) and E(2)
            let begin = match claim {
                Claim::Toll | Claim::CeilPlusOne => [0f64, 1.0].map(f64::to_le_bytes).concat(),
                _ => [3u64, 2, 1].map(u64::to_le_bytes).concat(),
            };
            assert_eq!(whole[..begin.len()], begin, "{claim:?}");
        }
    }

    #[test]
    fn a_second_method_has_the_same_values() {
        for claim in Claim::ALL {
            let Some(record) = claim.record() else {
                let said = sample(claim, 2..=10, 1).unwrap_err();
                assert!(said.to_string().contains(claim.id()), "{said}");
                continue;
            };
            let range = claim.first().max(5000)..=200_000;
            let found = sample(claim, range, record.count).unwrap();
            assert_eq!(found.count, record.count, "{claim:?}");
            assert_eq!(found.swept, found.second, "{claim:?}");
        }
    }

    #[test]
    fn a_range_that_is_none_is_refused() {
        let (mut none, go_on) = (|_: &[u8]| {}, |_| ControlFlow::Continue(()));
        let empty = verify_range(Claim::Toll, RangeInclusive::new(9, 8), 1, None, go_on);
        assert_eq!(empty, Err(VerifyError::Start { first: 1, from: 9 }));
        let before = verify_range(Claim::Layman, 2..=9, 1, None, go_on);
        assert_eq!(before, Err(VerifyError::Start { first: 3, from: 2 }));
        let claim = Claim::Halving;
        let values = verify_range(claim, 1..=9, 1, Some(&mut none), go_on);
        assert_eq!(values, Err(VerifyError::NoRecord { claim }));
    }

    #[test]
    fn a_sweep_stops_when_it_is_told() {
        for claim in Claim::ALL {
            let mut parts = 0;
            let stopped = verify(claim, claim.largest().min(1 << 20), 1, |_| {
                parts += 1;
                ControlFlow::Break(())
            });
            assert_eq!(
                (stopped, parts),
                (Err(VerifyError::Stopped), 1),
                "{claim:?}"
            );
        }
    }

    #[test]
    fn names_are_read_back() {
        for claim in Claim::ALL {
            assert_eq!(claim.id().parse(), Ok(claim));
            let error = "goldbach".parse::<Claim>().unwrap_err().to_string();
            assert!(error.contains("goldbach") && error.contains(claim.id()));
        }
    }

    #[test]
    fn tolls_are_compared_as_their_values() {
        let some = [
            1u64,
            3,
            5,
            6,
            12,
            97,
            1 << 20,
            4097,
            (1 << 33) + 1,
            999_999_999_989,
        ];
        for (a, b) in some.iter().flat_map(|a| some.map(|b| (*a, b))) {
            let same = a >> a.trailing_zeros() == b >> b.trailing_zeros();
            for level in [Level::Log, Level::CeilOfLog] {
                let [exact_a, exact_b] = [a, b].map(|n| level.exact(n));
                let above = !same && exact_a.compare(&exact_b) == Ok(Ordering::Greater);
                let found = excess(level, a).is_above(excess(level, b));
                assert_eq!(found, Ok(above), "{a} {b} {level:?}");
            }
        }
    }
}
