//! Monte Carlo simulation of an algorithm, compared with its exact law.
//!
//! The trials are divided into chunks of fixed size, each with a separate stream of the generator,
//! and only integers are added up. So the result depends on the seed and the number of trials, but
//! not on the number of threads. Means, intervals and p-values are statistics, computed in doubles:
//! unlike all other results of this crate, their last digits are not certified.

use super::faces::Faces;
use super::sampler::MoveTable;
use super::{Algorithm, AlgorithmError, Prepared};
use crate::law::Law;
use crate::law::chi_square_tail;
use crate::task::{Refusal, Task};
use flipcost_number::BigInt;
use flipcost_number::budget::spend;
use flipcost_number::nearest_f64;
use flipcost_number::short::short;
use flipcost_number::threads;
use num_traits::{One, ToPrimitive};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The result of a chi-square test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChiSquare {
    /// The sum of (observed - expected)^2 / expected.
    pub statistic: f64,
    /// The number of cells minus one; cells in which fewer than 5 trials are expected are pooled.
    pub degrees: u64,
    /// The probability of a statistic at least as large, if the law is true.
    pub p: f64,
}

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Simulation {
    /// The number of trials.
    pub trials: u64,
    /// The seed.
    pub seed: u64,
    /// The mean number of rolls.
    pub mean: f64,
    /// The 95 % confidence interval of the mean.
    pub interval: (f64, f64),
    /// The double nearest to `E[T]`.
    pub expected: f64,
    /// The probability of a mean at least as far from `E[T]`, by the normal approximation.
    pub mean_p: f64,
    /// The test of the outcomes against the target.
    pub outcomes: ChiSquare,
    /// The test of the numbers of rolls against their law.
    pub rolls: ChiSquare,
    /// Whether all three probabilities are at least 0.001.
    pub agrees: bool,
    /// Whether there were enough trials to test the outcomes: at least two groups of outcomes, with
    /// at least 5 expected trials each. With fewer trials the simulation says nothing about the
    /// law.
    pub tested: bool,
}

impl Simulation {
    /// The verdict, with the three p-values, in one line.
    pub fn verdict(&self) -> String {
        let (mean, outcomes, rolls) = (self.mean_p, self.outcomes.p, self.rolls.p);
        if !self.tested {
            return format!(
                "too few trials for any test of the exact law: at least two groups of outcomes need {MIN_EXPECTED} expected trials each, and {} trials are too few",
                self.trials
            );
        }
        let say = if self.agrees {
            "agrees with"
        } else {
            "DISAGREES with"
        };
        format!(
            "the simulation {say} the exact law (p-values: mean {mean:.3}, outcomes {outcomes:.3}, rolls {rolls:.3}; level {SIGNIFICANCE_LEVEL})"
        )
    }
}

/// The significance level: a test rejects the law below this p-value.
const SIGNIFICANCE_LEVEL: f64 = 0.001;

/// The least expected number of trials in a cell of a chi-square test.
const MIN_EXPECTED: u32 = 5;

/// The number of trials in one stream.
const CHUNK_TRIALS: u64 = 1 << 16;

/// Chains of up to this many transitions are sampled from a table; larger ones step by step.
const MAX_TRANSITIONS: usize = 500_000;

/// The maximum number of outcomes that are counted.
const MAX_OUTCOMES: u64 = 1 << 20;

/// A way to roll an algorithm. A roll returns the index of the outcome, below n, and the number of
/// source rolls used.
enum SimulatedRoller {
    /// The second value maps the chain's index of an outcome to the outcome, if the target has
    /// weights. The faces of a fair die are equally likely, so they are counted by the chain's
    /// indices.
    Table(MoveTable, Option<Vec<usize>>),
    Steps(Box<dyn Prepared>),
}

impl SimulatedRoller {
    /// Rolls with a table if the chain is small and all its dice are fair.
    fn new(bound: Box<dyn Prepared>, dice: &Task) -> SimulatedRoller {
        let table = bound.chain(MAX_TRANSITIONS).ok();
        let sampler = table.and_then(|(chain, _)| MoveTable::from_chain(&chain));
        match sampler.filter(MoveTable::is_fair) {
            Some(sampler) => {
                let order = || {
                    sampler
                        .outcomes()
                        .iter()
                        .map(|outcome| *outcome as usize)
                        .collect()
                };
                let order = dice.target().weights().map(|_| order());
                SimulatedRoller::Table(sampler, order)
            }
            None => SimulatedRoller::Steps(bound),
        }
    }

    fn roll(&self, faces: &mut Faces) -> Result<(usize, u64), AlgorithmError> {
        Ok(match self {
            SimulatedRoller::Table(sampler, order) => {
                let (found, rolls) = sampler.roll(|sides| faces.roll(sides.into()))?;
                (order.as_ref().map_or(found, |order| order[found]), rolls)
            }
            SimulatedRoller::Steps(bound) => {
                let rolled = bound.roll(faces)?;
                let outcome = rolled.outcome.to_usize().expect("it is below n");
                (outcome, rolled.rolls)
            }
        })
    }
}

/// Counts how often each outcome and each number of rolls occurred.
#[derive(Clone, Default)]
struct Tally {
    outcomes: Vec<u64>,
    rolls: Vec<u64>,
}

fn add(to: &mut Vec<u64>, from: &[u64]) {
    if to.len() < from.len() {
        to.resize(from.len(), 0);
    }
    to.iter_mut().zip(from).for_each(|(a, b)| *a += b);
}

impl Tally {
    fn count(&mut self, outcome: usize, rolls: u64) {
        self.outcomes[outcome] += 1;
        let rolls = rolls as usize;
        if self.rolls.len() <= rolls {
            self.rolls.resize(rolls + 1, 0);
        }
        self.rolls[rolls] += 1;
    }

    fn merge(mut self, other: Tally) -> Tally {
        add(&mut self.outcomes, &other.outcomes);
        add(&mut self.rolls, &other.rolls);
        self
    }
}

/// Rolls the target `trials` times and tests the mean, the outcomes and the numbers of rolls
/// against the exact law: with a two-sided test of the mean (normal approximation) and two
/// chi-square tests (Pearson 1900). Cost: about `trials` times the mean number of rolls, divided
/// among all threads; the result does not depend on the number of threads.
///
/// # Errors
/// [`Refusal`] if the algorithm refuses the task, for 0 trials, for more than 2^20 outcomes, or if
/// the law has no closed form and too large a chain.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::algorithms::simulate::simulate;
/// use flipcost::task::{Source, Task};
/// let dice = Task::die(6u8, Source::COIN).unwrap();
/// let found = simulate(FAST_DICE_ROLLER, &dice, 100_000, 1).unwrap();
/// assert!(found.agrees, "{}", found.verdict());
/// ```
pub fn simulate(
    method: &dyn Algorithm,
    dice: &Task,
    trials: u64,
    seed: u64,
) -> Result<Simulation, Refusal> {
    let found = simulate_telling(method, dice, trials, seed, &|_| true)?;
    Ok(found.expect("nobody stops it"))
}

/// As [`simulate`], with progress reports: any thread calls `tell` with the number of trials that
/// it has just finished, and `tell` returns whether to continue. If `tell` returns false, the
/// result is `None`.
///
/// # Errors
/// See [`simulate`].
pub fn simulate_telling(
    method: &dyn Algorithm,
    dice: &Task,
    trials: u64,
    seed: u64,
    tell: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Option<Simulation>, Refusal> {
    let count = check_size(dice, trials)?;
    let bound = method.prepare(dice)?;
    if bound.bias()?.is_some() {
        return Err(Refusal::Rule(
            "its outcomes are biased, and a simulation tests exact algorithms: the column total_variation says how far they are from the target"
                .into(),
        ));
    }
    let law = bound.law()?;
    let roller = SimulatedRoller::new(bound, dice);
    let empty = || Tally {
        outcomes: vec![0; count],
        rolls: Vec::new(),
    };
    // Holds at most one tally for each thread; the order in which tallies are added does not
    // matter.
    let tallies = Mutex::new(Vec::new());
    let lock = || tallies.lock().unwrap_or_else(PoisonError::into_inner);
    let stopped = AtomicBool::new(false);
    let chunks = threads::map(trials.div_ceil(CHUNK_TRIALS) as usize, &|chunk| {
        if stopped.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut tally = lock().pop().unwrap_or_else(empty);
        let mut faces = Faces::chunk(seed, chunk as u64);
        let length = CHUNK_TRIALS.min(trials - chunk as u64 * CHUNK_TRIALS);
        spend(16 * length);
        for _ in 0..length {
            let (outcome, rolls) = roller.roll(&mut faces)?;
            tally.count(outcome, rolls);
        }
        lock().push(tally);
        stopped.fetch_or(!tell(length), Ordering::Relaxed);
        Ok(())
    });
    chunks.into_iter().collect::<Result<(), AlgorithmError>>()?;
    if stopped.into_inner() {
        return Ok(None);
    }
    let tallies = tallies.into_inner().unwrap_or_else(PoisonError::into_inner);
    let tally = tallies
        .into_iter()
        .reduce(Tally::merge)
        .unwrap_or_else(empty);
    Ok(Some(test_tally(&law, dice, &tally, trials, seed)))
}

/// Rejects a simulation without trials, and a target of too many outcomes; returns their number.
fn check_size(dice: &Task, trials: u64) -> Result<usize, Refusal> {
    if trials == 0 {
        return Err(Refusal::Rule(
            "a simulation needs at least one trial".into(),
        ));
    }
    let n = dice.target().outcomes();
    if n > MAX_OUTCOMES.into() {
        let what = match dice.target().sides() {
            Some(n) => format!("a d{}", short(n)),
            None => format!("a target of {n} weights"),
        };
        return Err(Refusal::Rule(format!(
            "{what} has too many outcomes to count: {MAX_OUTCOMES} is the most"
        )));
    }
    Ok(n.to_usize().expect("the outcomes are counted"))
}

fn test_tally(law: &Law, dice: &Task, tally: &Tally, trials: u64, seed: u64) -> Simulation {
    let all = trials as f64;
    let (mut sum, mut squares) = (0u128, 0u128);
    for (t, &k) in tally.rolls.iter().enumerate() {
        sum += t as u128 * k as u128;
        squares += (t as u128).pow(2) * k as u128;
    }
    let mean = sum as f64 / all;
    let spread = (squares as f64 / all - mean * mean).max(0.0);
    let half = 1.959964 * (spread / all).sqrt();
    let double = |x: flipcost_number::Real| x.to_f64().unwrap_or(f64::NAN);
    let (expected, variance) = (double(law.mean_real()), double(law.variance_real()));
    let mean_p = if variance > 0.0 {
        // the square of a standard normal variable
        chi_square_tail(1, (mean - expected).powi(2) * all / variance)
    } else {
        f64::from(u8::from(mean == expected))
    };
    let outcomes = test_outcomes(dice, tally, all);
    let rolls = test_rolls(law, tally, all);
    Simulation {
        trials,
        seed,
        mean,
        interval: (mean - half, mean + half),
        expected,
        mean_p,
        outcomes,
        rolls,
        agrees: mean_p.min(outcomes.p).min(rolls.p) >= SIGNIFICANCE_LEVEL,
        tested: outcomes.degrees > 0 || dice.target().possible().is_one(),
    }
}

/// Tests the outcomes: the probability of an outcome is 1/n, or proportional to its weight.
fn test_outcomes(dice: &Task, tally: &Tally, trials: f64) -> ChiSquare {
    if let Some(weights) = dice.target().weights() {
        let below = BigInt::from(dice.target().weight_sum().clone());
        // Cells are pooled until at least 5 trials are expected in a pool; the cells that are left
        // at the end may not fill another pool.
        let (mut cells, mut open) = (Vec::new(), (0.0, 0.0));
        for (&seen, weight) in tally.outcomes.iter().zip(weights) {
            open.0 += seen as f64;
            open.1 += trials * nearest_f64(&weight.clone().into(), &below);
            if open.1 >= 5.0 {
                cells.push(std::mem::take(&mut open));
            }
        }
        match cells.last_mut() {
            Some(last) => *last = (last.0 + open.0, last.1 + open.1),
            None => cells.push(open),
        }
        return chi_square(&cells);
    }
    let sides = dice
        .target()
        .weight_sum()
        .to_f64()
        .expect("a number of outcomes");
    let pooled = (5.0 * sides / trials).ceil().max(1.0) as usize;
    // The cells after the last full pool are added to that pool.
    let pools = (tally.outcomes.len() / pooled).max(1);
    let mut cells = vec![(0.0, 0.0); pools];
    for (i, &seen) in tally.outcomes.iter().enumerate() {
        let cell = &mut cells[(i / pooled).min(pools - 1)];
        cell.0 += seen as f64;
        cell.1 += trials / sides;
    }
    chi_square(&cells)
}

/// Tests the numbers of rolls: P(T = t) follows from the undecided nodes of the DDG tree. Cells are
/// pooled until at least 5 trials are expected in a pool.
fn test_rolls(law: &Law, tally: &Tally, trials: f64) -> ChiSquare {
    let (undecided, base) = law.undecided_nodes();
    let base = BigInt::from(base);
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let (mut open, mut before, mut scale) = ((0.0, 0.0), BigInt::one(), BigInt::one());
    let mut counted = 0;
    for (t, alive) in undecided.enumerate() {
        // t = 0: P(T > -1) = 1
        let alive = BigInt::from(alive);
        let seen = tally.rolls.get(t).copied().unwrap_or(0);
        counted += seen;
        open.0 += seen as f64;
        open.1 += trials * nearest_f64(&(&before - &alive), &scale);
        let tail = trials * nearest_f64(&alive, &scale);
        if tail < 5.0 {
            // The tail is added to the last pool, which is not full.
            open.0 += trials - counted as f64;
            open.1 += tail;
            if open.1 < 5.0
                && let Some(last) = cells.last_mut()
            {
                last.0 += open.0;
                last.1 += open.1;
            } else {
                cells.push(open);
            }
            break;
        }
        if open.1 >= 5.0 {
            cells.push(std::mem::take(&mut open));
        }
        before = alive * &base;
        scale *= &base;
    }
    chi_square(&cells)
}

/// Computes the test from pairs (observed, expected).
fn chi_square(cells: &[(f64, f64)]) -> ChiSquare {
    let statistic = cells
        .iter()
        .map(|(seen, expected)| (seen - expected).powi(2) / expected)
        .sum();
    let degrees = cells.len().saturating_sub(1) as u64;
    let p = if degrees == 0 {
        1.0
    } else {
        chi_square_tail(degrees, statistic)
    };
    ChiSquare {
        statistic,
        degrees,
        p,
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::RuleEntry;
    use super::super::interval::Interval;
    use super::super::{FAST_DICE_ROLLER, REGISTRY};
    use super::*;
    use crate::task::{Source, Target};

    /// Published values: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4 "Critical
    /// Values of the Chi-Square Distribution", to the three decimals printed there.
    #[test]
    fn the_tail_is_that_of_the_published_tables() {
        let levels = [0.10, 0.05, 0.025, 0.01, 0.001];
        for (degrees, critical) in [
            (1, [2.706, 3.841, 5.024, 6.635, 10.828]),
            (2, [4.605, 5.991, 7.378, 9.210, 13.816]),
            (5, [9.236, 11.070, 12.833, 15.086, 20.515]),
            (10, [15.987, 18.307, 20.483, 23.209, 29.588]),
            (30, [40.256, 43.773, 46.979, 50.892, 59.703]),
            (100, [118.498, 124.342, 129.561, 135.807, 149.449]),
        ] {
            for (level, x) in levels.into_iter().zip(critical) {
                let (low, high) = (x - 0.0005, x + 0.0005);
                assert!(chi_square_tail(degrees, low) > level, "{degrees}, {x}");
                assert!(chi_square_tail(degrees, high) < level, "{degrees}, {x}");
            }
        }
        assert_eq!(chi_square_tail(7, 0.0), 1.0);
        // Q(1, x/2) = exp(-x/2)
        for x in [0.02, 1.0, 3.8, 4.2, 60.0] {
            assert!((chi_square_tail(2, x) / (-x / 2.0).exp() - 1.0).abs() < 1e-12);
        }
    }

    /// Tail probabilities for many degrees of freedom, three standard deviations below the mean, at
    /// the mean, and three above it. The expected values are evaluated with 40 digits in mpmath
    /// 1.3.
    #[test]
    fn the_tail_of_many_degrees_is_accurate() {
        for (degrees, x, p) in [
            (10_000, 9_577.0, 0.9987755177037635),
            (10_000, 10_000.0, 0.4981193659661826),
            (10_000, 10_423.0, 0.001565391777933529),
            (1_000_000, 995_758.0, 0.9986647745905177),
            (1_000_000, 1_000_000.0, 0.4998119368033945),
            (1_000_000, 1_004_242.0, 0.001368686459301669),
        ] {
            let tail = chi_square_tail(degrees, x);
            assert!((tail / p - 1.0).abs() < 1e-9, "{degrees}, {x}: {tail}");
        }
    }

    #[test]
    fn every_algorithm_agrees_with_its_law() {
        for method in REGISTRY {
            for (m, n) in [(2u64, 1u64), (2, 6), (6, 12), (3, 7), (10, 1000)] {
                let Ok(found) = simulate(
                    *method,
                    &Task::die(n, Source::die(m).unwrap()).unwrap(),
                    200_000,
                    7,
                ) else {
                    continue;
                };
                // By chance, a test fails for about one seed in 1000; this seed is fixed.
                assert!(
                    found.agrees,
                    "{} {m} {n}: {}",
                    method.about().id,
                    found.verdict()
                );
            }
        }
    }

    #[test]
    fn weights_agree_with_their_laws() {
        for (m, weights) in [
            (2u64, vec![1u32, 2, 0, 3]),
            (6, vec![4, 7, 8]),
            (3, (1..200).collect()),
        ] {
            let target = Target::weighted(weights).unwrap();
            let task = Task::new(target.clone(), Source::die(m).unwrap());
            for method in crate::algorithms::suited_to(&task) {
                let found = simulate(method, &task, 100_000, 3).unwrap();
                assert!(
                    found.agrees,
                    "{} {task}: {}",
                    method.about().id,
                    found.verdict()
                );
            }
        }
        // Outcomes that disagree with the law: they are rolled for 1:2:3 but tested against 3:2:1.
        let task = |weights: [u8; 3]| Task::new(Target::weighted(weights).unwrap(), Source::COIN);
        let tally = Tally {
            outcomes: vec![10_000, 20_000, 30_000],
            rolls: Vec::new(),
        };
        assert!(test_outcomes(&task([1, 2, 3]), &tally, 60_000.0).p > 0.99);
        assert!(test_outcomes(&task([3, 2, 1]), &tally, 60_000.0).p < SIGNIFICANCE_LEVEL);
    }

    #[test]
    fn a_wrong_law_is_found_out() {
        let dice = Task::die(6u8, Source::COIN).unwrap();
        let found = simulate(&RuleEntry::<Interval>::NEW, &dice, 200_000, 7).unwrap();
        let other = FAST_DICE_ROLLER.prepare(&dice).unwrap();
        let mut tally = Tally {
            outcomes: vec![200_000 / 6; 6],
            rolls: Vec::new(),
        };
        tally.rolls = vec![0, 0, 0, 100_000, 0, 100_000];
        let judged = test_tally(&other.law().unwrap(), &dice, &tally, 200_000, 7);
        assert!(found.agrees && !judged.agrees);
        tally.outcomes[0] = 30_000;
        assert!(test_outcomes(&dice, &tally, 200_000.0).p < SIGNIFICANCE_LEVEL);
    }

    #[test]
    fn a_large_chain_is_stepped_through() {
        // The table of this target would exceed the maximum number of transitions.
        let method = FAST_DICE_ROLLER;
        let found = simulate(
            method,
            &Task::die(10_007u16, Source::COIN).unwrap(),
            50_000,
            1,
        )
        .unwrap();
        assert!(found.agrees, "{}", found.verdict());
        let large = Task::die(MAX_OUTCOMES + 1, Source::COIN).unwrap();
        assert!(simulate(method, &large, 1, 1).is_err());
    }

    /// With the same faces, the table and the steps give the same result.
    #[test]
    fn a_table_and_the_steps_agree() {
        let dice = Task::die(35u8, Source::die(6u8).unwrap()).unwrap();
        for method in REGISTRY {
            let Ok(bound) = method.prepare(&dice) else {
                continue;
            };
            let sampler = MoveTable::from_chain(&bound.chain(MAX_TRANSITIONS).unwrap().0).unwrap();
            let (table, steps) = (
                SimulatedRoller::Table(sampler, None),
                SimulatedRoller::Steps(bound),
            );
            let (mut a, mut b) = (Faces::chunk(3, 0), Faces::chunk(3, 0));
            for _ in 0..1000 {
                let (index, rolls) = table.roll(&mut a).unwrap();
                let SimulatedRoller::Table(sampler, _) = &table else {
                    unreachable!()
                };
                let outcome = sampler.outcomes()[index] as usize;
                assert_eq!((outcome, rolls), steps.roll(&mut b).unwrap());
            }
        }
    }

    #[test]
    fn a_simulation_is_stopped_between_chunks() {
        let dice = Task::die(6u8, Source::COIN).unwrap();
        let done = std::sync::atomic::AtomicU64::new(0);
        let tell = |trials| {
            done.fetch_add(trials, std::sync::atomic::Ordering::Relaxed);
            false
        };
        let found = simulate_telling(FAST_DICE_ROLLER, &dice, 1 << 40, 1, &tell);
        assert_eq!(found, Ok(None));
        let chunks = done.into_inner() / CHUNK_TRIALS;
        assert!(chunks <= threads::count() as u64, "{chunks}");
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let dice = Task::die(35u8, Source::die(6u8).unwrap()).unwrap();
        let run = |count| {
            threads::Workers::new(count)
                .run(|| simulate(FAST_DICE_ROLLER, &dice, 300_000, 42).unwrap())
        };
        assert_eq!(run(1), run(3));
    }
}
