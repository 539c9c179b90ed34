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
//! Where a sweep counts rounds, it counts the 1 bits of one whole period of 1/n, bit for bit. The
//! period p comes from the sieve of orders, and 2^p mod n = 1 is computed anew: it makes the low p
//! bits of the 2-adic -1/n, which are counted, the bits of (2^p - 1)/n.

use crate::algorithms;
use crate::algorithms::largest_toll::{LargestToll, LargestTolls, least_depth};
use crate::kernels::doubles;
use crate::kernels::lanes::{Job, count_ones};
use crate::law::Law;
use crate::number::factor::pow_mod;
use crate::number::fixed::Fixed;
use crate::number::real::{Real, Undecided};
use crate::number::residues::ResidueSequence;
use crate::number::sieve::OrderTable;
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
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Outcome, VerifyError> {
    let (first, largest) = (claim.first(), claim.largest());
    if !(first..=largest).contains(&to) {
        return Err(VerifyError::Range { first, largest, to });
    }
    let pace = |chunk| Pace { chunk, threads };
    match claim {
        Claim::Toll => return excesses(Level::Log, to, pace(1 << 18), progress),
        Claim::CeilPlusOne => return excesses(Level::CeilOfLog, to, pace(1 << 18), progress),
        Claim::AldrToll => return all_weights(2..=to, 0, pace(8), progress),
        Claim::AldrTollEven => return all_weights(2..=to, 1, pace(8), progress),
        Claim::Layman | Claim::HalfPeriod | Claim::Halving => {}
    }
    // The lanes want many periods of about the same length.
    let (table, chunk) = match claim {
        Claim::Halving => (OrderTable::new(2, 2), 2048),
        _ => (OrderTable::new(2, to), 1 << 17),
    };
    let work = |part: RangeInclusive<u64>| {
        let mut found = Found::default();
        match claim {
            Claim::Halving => part.for_each(|n| halving(n, &mut found)),
            _ => rounds(claim, part, &table, &mut found),
        }
        Ok::<Found, VerifyError>(found)
    };
    let mut all = Found::default();
    ordered(first..=to, pace(chunk), work, |found, last| {
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

/// Counts the rounds of every n of a part that the claim speaks of, the longest periods first.
fn rounds(claim: Claim, part: RangeInclusive<u64>, table: &OrderTable, found: &mut Found) {
    // An order of n-1 is one modulo a prime.
    let meant = |n: u64| match claim {
        Claim::Layman => table.period(n) == n - 1,
        _ => table.minus_one(n),
    };
    let odd = part.filter(|n| n % 2 == 1 && meant(*n));
    let mut jobs: Vec<Job> = odd
        .map(|n| Job {
            n: n as u32,
            bits: table.period(n) as u32,
            start: 1,
        })
        .collect();
    jobs.iter()
        .for_each(|job| found.see(job.bits.into(), job.n.into()));
    jobs.sort_unstable_by_key(|job| job.bits);
    let mut wrong: Vec<(u32, String)> = jobs
        .iter()
        .zip(count_ones(&jobs))
        .filter_map(|(job, ones)| Some((job.n, contradiction(*job, ones)?)))
        .collect();
    wrong.sort_unstable();
    found.wrong = wrong.into_iter().map(|(_, words)| words).next();
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
    let orbit = crate::number::order::orbit(2, n);
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
        let dice = Task::dice(2u8, n).expect("a coin, and n >= 1");
        let law = algorithms::FAST_DICE_ROLLER
            .prepare(&dice)
            .ok()
            .and_then(|b| b.closed_law());
        let mean = law
            .as_ref()
            .map(Law::mean)
            .expect("the fast dice roller has a law");
        match self {
            Level::Log => mean.minus(&Real::log(&n.into(), 2)),
            Level::CeilOfLog => mean.minus(&Real::integer(ceil_log2(n))),
        }
    }
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
    to: u64,
    pace: Pace,
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Outcome, VerifyError> {
    let work = |part: RangeInclusive<u64>| {
        let range = *part.start()..part.end().saturating_add(1);
        Ok::<_, VerifyError>(peak(level, range)?)
    };
    let (mut most, mut wrong) = (None, None);
    ordered(1..=to, pace, work, |(part, bad), last| {
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
        checked: to,
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
    use crate::number::order;

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
