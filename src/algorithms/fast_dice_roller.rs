//! The fast dice roller: a rejected value is not discarded but reused as randomness for the next
//! attempt.
//!
//! The state (v, c) holds a number c that is uniform on [0, v). A roll changes it to (m v, m c +
//! face). As soon as v >= n, let q = floor(v/n): if c < q n the outcome is c mod n, otherwise the
//! roller continues with (v - q n, c - q n). After t rolls exactly m^t mod n nodes are undecided:
//!
//! ```text
//! P(T > t) = (m^t mod n) / m^t,   E(n) = sum_{t>=0} (m^t mod n) / m^t
//! ```
//!
//! For a coin E(2n) = E(n) + 1. Machine-checked: `proofs/Fairness.v, fair_after`,
//! `proofs/Trees.v, roller_is_fair`, `proofs/Survival.v, undecided_after`,
//! `proofs/Series.v, expected_cost_is_series`, `proofs/Halving.v, E_of_double`.
//!
//! **Optimal.** For every t and m, no algorithm has a smaller P(T > t). After t rolls an algorithm
//! has given each outcome to a whole number of the m^t nodes of depth t (a leaf at a smaller depth
//! counts for its m^j descendants). Since the outcome has probability 1/n in the end, this number
//! is at most floor(m^t / n). So at least m^t - n floor(m^t / n) = m^t mod n nodes are undecided.
//! Knuth & Yao 1976 prove this for the coin; the argument is the same for every m. Machine-checked:
//! `proofs/Optimality.v, optimal`.
//!
//! **Source.** Lumbroso 2013, arXiv 1304.1916.

use super::{
    About, Memory, NotKnown, Quantity, QuantityResult, Rule, RuleInfo, Step, TableRequest,
    TableValue, TableValues, Tables, WorkLimit,
};
use crate::law::residues::fraction_size;
use crate::law::{FractionSize, Law, Residues};
use crate::roller::decimals::{ExpectedDecimals, expected_flips_decimals};
use crate::roller::doubles;
use crate::roller::fractions::ExpectedFractions;
use crate::roller::moments::Moments;
use crate::roller::rounds::{RoundsTable, cycle_rounds_alone, cycle_rounds_range};
use crate::task::{Fair, Refusal, Task};
use flipcost_number::budget::{spend, spend_on};
use flipcost_number::factor::pow_mod;
use flipcost_number::order::{Orbit, pre_period};
use flipcost_number::threads;
use flipcost_number::{BigUint, Decimal, sieve};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// See the module documentation.
pub(crate) struct FastDiceRoller {
    law: Arc<Residues>,
}

/// A state of the fast dice roller: c is uniform on [0, v).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Uniform {
    /// The number of values that c may have.
    pub v: BigUint,
    /// The current value.
    pub c: BigUint,
}

impl fmt::Display for Uniform {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "v = {}, c = {}", self.v, self.c)
    }
}

/// The next action in a state.
pub enum UniformAction {
    /// v < n: roll again.
    Expand(Uniform),
    /// Reject: continue with the rest (v - q n, c - q n).
    Reject(Uniform),
    /// Output c mod n. The state (q, floor(c/n)) is independent of the outcome.
    Output(BigUint, Uniform),
}

impl Uniform {
    /// The state before any roll.
    #[allow(clippy::new_without_default)] // no value is usual
    pub fn new() -> Self {
        Uniform {
            v: BigUint::one(),
            c: BigUint::zero(),
        }
    }

    /// Adds one more roll of a die of m sides.
    pub fn expand(&self, m: impl Into<u128>, face: u64) -> Self {
        let m = m.into();
        Uniform {
            v: &self.v * m,
            c: &self.c * m + face,
        }
    }

    /// Extracts an outcome of a die of n sides, if the state allows it.
    pub fn extract(self, n: &BigUint) -> UniformAction {
        let Uniform { v, c } = self;
        if v < *n {
            return UniformAction::Expand(Uniform { v, c });
        }
        let (q, rest) = v.div_rem(n);
        let used = v - &rest; // q n
        if c < used {
            let (kept, outcome) = c.div_rem(n);
            UniformAction::Output(outcome, Uniform { v: q, c: kept })
        } else {
            let c = c - used;
            UniformAction::Reject(Uniform { v: rest, c })
        }
    }
}

impl FastDiceRoller {
    fn next_step(&self, state: Uniform) -> Step<Uniform> {
        match state.extract(self.law.target()) {
            UniformAction::Expand(state) | UniformAction::Reject(state) => Step::Roll(state),
            UniformAction::Output(outcome, _) => Step::Output(outcome),
        }
    }
}

impl Rule for FastDiceRoller {
    type State = Uniform;

    fn start(&self) -> Step<Uniform> {
        self.next_step(Uniform::new())
    }

    fn state_name(&self, state: &Uniform) -> String {
        state.to_string()
    }

    fn step(&self, at: &Uniform, face: u64) -> Step<Uniform> {
        self.next_step(at.expand(self.law.source(), face))
    }
}

impl RuleInfo for FastDiceRoller {
    const ABOUT: About = About {
        id: "fast-dice-roller",
        name: "Fast dice roller",
        citation: "Lumbroso 2013; optimal by Knuth & Yao 1976",
        memory: Memory::TwoNumbers,
        bounded: "if every prime factor of n divides m",
        rule: "multiply the state by m with every roll, output once it reaches n, keep the rest of a rejection",
        law: "the undecided nodes at depth t number s(t) = m^t mod n, so E = sum of (m^t mod n) / m^t over all t >= 0",
    };
    const OPTIMAL: bool = true;
    const PSEUDOCODE: &'static [&'static str] = &[
        "v = 1, c = 0",
        "repeat:",
        "    v = m v, c = m c + roll()",
        "    if v >= n:",
        "        q = floor(v / n)",
        "        if c < q n: return c mod n",
        "        v = v - q n, c = c - q n",
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        let dice = task.fair()?;
        let law = Residues::new(dice.m, dice.n.clone()).into();
        Ok(FastDiceRoller { law })
    }

    fn roller_sides(&self) -> Option<(u128, u64)> {
        Some((self.law.source(), self.law.target().to_u64()?))
    }

    fn closed_law(&self) -> Option<Law> {
        Some(Law::shared(self.law.clone()))
    }

    const QUANTITIES: &'static [Quantity] =
        &[Quantity::Preperiod, Quantity::Period, Quantity::CycleRounds];

    fn quantity(&self, quantity: Quantity, limit: WorkLimit) -> QuantityResult {
        let orbit = || self.law.orbit().ok_or(NotKnown::NotFactored);
        match quantity {
            Quantity::Preperiod => Ok(orbit()?.pre_period.into()),
            Quantity::Period => Ok(orbit()?.period.clone()),
            Quantity::CycleRounds => self.rounds(limit.most_rolls),
        }
    }

    fn tables(source: u64, last: u64, wanted: &[TableRequest]) -> Option<Box<dyn Tables>> {
        let rounds = wanted.contains(&TableRequest::Quantity(Quantity::CycleRounds));
        let tabled = source == 2 && rounds && last <= RoundsTable::MAX_LIMIT;
        let table = tabled.then(|| RoundsTable::up_to(last));
        let digits = wanted.iter().find_map(|wanted| match wanted {
            TableRequest::MeanDecimals(digits) => Some(*digits),
            _ => None,
        });
        Some(Box::new(RollerTables {
            source,
            table,
            decimals: digits.map(|digits| ExpectedDecimals::up_to(last, digits).into()),
            moments: Moments::new(source),
        }))
    }
}

impl FastDiceRoller {
    /// The number of rounds in the cycle of the flow chart; for a coin, this is the number of ones
    /// in the repetend of 1/n.
    fn rounds(&self, most_rolls: u64) -> QuantityResult {
        let (source, target) = (self.law.source(), self.law.target());
        if let (2, Some(n)) = (source, target.to_u64()) {
            // One unit of work counts 64 flips.
            let rounds = cycle_rounds_alone(n, most_rolls.saturating_mul(64));
            return match rounds {
                Ok(rounds) => Ok(rounds.into()),
                Err(stepping) => Err(NotKnown::TooLong(stepping.to_string())),
            };
        }
        let orbit = self.law.orbit().ok_or(NotKnown::NotFactored)?;
        let period = orbit.period.to_u64().filter(|p| *p <= most_rolls);
        let period = period.ok_or_else(|| {
            let period = flipcost_number::short::short(&orbit.period);
            NotKnown::TooLong(format!("{period} rolls would have to be counted"))
        })?;
        let first = BigUint::from(source).modpow(&orbit.pre_period.into(), target);
        Ok(if first.is_zero() {
            1
        } else {
            count_rounds(source, target, first, period)
        }
        .into())
    }
}

/// Tables for many targets at once. Orders come from a sieve, rounds from class numbers, doubles
/// and decimals from machine words; all fractions are computed together.
struct RollerTables {
    source: u64,
    table: Option<RoundsTable>,
    decimals: Option<Arc<ExpectedDecimals>>,
    moments: Moments,
}

impl RollerTables {
    fn orbits(&self, targets: Range<u64>) -> Vec<Orbit> {
        match &self.table {
            Some(table) => threads::map((targets.end - targets.start) as usize, &|i| {
                table.orders().orbit(targets.start + i as u64)
            }),
            None => sieve::orbits_in(self.source, targets),
        }
    }

    fn rounds(&self, targets: Range<u64>) -> Option<Vec<u64>> {
        match &self.table {
            Some(table) => Some(table.range(targets)),
            None => (self.source == 2).then(|| cycle_rounds_range(targets.start..=targets.end - 1)),
        }
    }

    /// Returns the least t with m^t mod n = 0, if it exists.
    fn worst_case(&self, n: u64) -> Option<u64> {
        let rolls = pre_period(self.source, n);
        let [m, n] = [self.source, n].map(u128::from);
        let undecided = (0..rolls).fold(1 % n, |x, _| x * m % n);
        (undecided == 0).then_some(rolls)
    }

    /// Returns the sizes of the fractions in bits. They are computed as in the law, so that the
    /// values of a row do not depend on the range in which it is computed.
    fn fraction_sizes<'a>(&self, orbits: impl Iterator<Item = &'a Orbit>) -> Vec<u128> {
        let size = fraction_size(self.source.into());
        let rolls = |orbit: &Orbit| (orbit.pre_period + orbit.period).into();
        orbits.map(|orbit| size(rolls(orbit))).collect()
    }
}

/// Returns, for each fraction, its size if it has more than `most_bits` bits.
fn too_large(sizes: Vec<u128>, most_bits: u128) -> TableValues {
    let size = |bits| (bits > most_bits).then_some(FractionSize::Bits(bits));
    TableValues::TooLarge(sizes.into_iter().map(size).collect())
}

impl Tables for RollerTables {
    fn many(&self, wanted: &[TableRequest], targets: Range<u64>) -> Vec<Option<TableValues>> {
        let orbits = OnceCell::new();
        let orbits = || orbits.get_or_init(|| self.orbits(targets.clone())).iter();
        let one = |wanted: &TableRequest| match wanted {
            TableRequest::Quantity(Quantity::Preperiod) => Some(TableValues::Words(
                orbits().map(|orbit| orbit.pre_period).collect(),
            )),
            TableRequest::Quantity(Quantity::Period) => Some(TableValues::Words(
                orbits().map(|orbit| orbit.period).collect(),
            )),
            TableRequest::Quantity(Quantity::CycleRounds) => {
                self.rounds(targets.clone()).map(TableValues::Words)
            }
            TableRequest::MeanFraction { most_bits } => {
                let sizes = self.fraction_sizes(orbits());
                Some(
                    if self.source == 2 && sizes.iter().all(|bits| bits <= most_bits) {
                        TableValues::Fractions(ExpectedFractions::for_range(
                            targets.start..=targets.end - 1,
                        ))
                    } else {
                        too_large(sizes, (*most_bits).max(Law::MAX_TRIED_BITS))
                    },
                )
            }
            TableRequest::LawFraction { most_bits } => {
                Some(too_large(self.fraction_sizes(orbits()), *most_bits))
            }
            TableRequest::MeanDecimals(_) if self.source == 2 && targets.end <= 1 << 32 => {
                self.decimals.clone().map(TableValues::Decimals)
            }
            _ => None, // computed one by one
        };
        wanted.iter().map(one).collect()
    }

    fn single_value(&self, wanted: TableRequest, n: u64) -> Option<TableValue> {
        match wanted {
            TableRequest::MeanDouble if self.source == 2 => {
                Some(TableValue::Double(doubles::expected_flips_double(n)))
            }
            TableRequest::MeanDecimals(digits) if self.source == 2 => {
                let text = expected_flips_decimals(n, digits)?;
                Some(TableValue::Decimals(Decimal::nearest(text)))
            }
            TableRequest::MeanNarrow if self.source == 2 => {
                doubles::expected_flips_narrow(n).map(TableValue::Narrow)
            }
            TableRequest::MeanNarrow => self.moments.mean(n).map(TableValue::Narrow),
            TableRequest::MeanDouble => self.moments.mean(n)?.nearest().map(TableValue::Double),
            TableRequest::VarianceNarrow => self.moments.variance(n).map(TableValue::Narrow),
            TableRequest::WorstCase => Some(TableValue::WorstCase(self.worst_case(n))),
            _ => None,
        }
    }
}

/// Counts the rounds among the next `rolls` rolls from the residue x: the rolls with m x >= n.
fn count_rounds(m: u128, n: &BigUint, x: BigUint, rolls: u64) -> u64 {
    if let (Some(mut x), Some(n)) = (x.to_u64(), n.to_u64()) {
        if m < n.into() && m * u128::from(n) < 1 << 64 {
            return count_word_rounds(m as u64, n, x, rolls);
        }
        return (0..rolls).fold(0, |count, _| {
            spend(10);
            let v = x as u128 * m; // below 2^128
            x = (v % n as u128) as u64;
            count + (v >= n as u128) as u64
        });
    }
    let mut x = x;
    (0..rolls).fold(0, |count, _| {
        spend_on(n.bits(), n.bits());
        let v = &x * m;
        let ends = v >= *n;
        x = v % n;
        count + ends as u64
    })
}

/// As [`count_rounds`], for m < n and m n < 2^64. The rolls are divided into four parts, and the
/// loop counts one roll of each part in turn: a product has to wait only for the previous product
/// of its own part.
fn count_word_rounds(m: u64, n: u64, x: u64, rolls: u64) -> u64 {
    // The quotient of m x and n, from x floor(2^64 m / n), is exact or one too small.
    let quotient = ((u128::from(m) << 64) / u128::from(n)) as u64;
    let ends_from = n.div_ceil(m);
    let roll = |x: &mut u64| {
        let ends = *x >= ends_from;
        let whole = ((u128::from(*x) * u128::from(quotient)) >> 64) as u64;
        let rest = *x * m - whole * n;
        *x = rest.min(rest.wrapping_sub(n));
        u64::from(ends)
    };
    let part = rolls / 4;
    let first = |i: u64| {
        let power = pow_mod(m, i * part, n);
        (u128::from(power) * u128::from(x) % u128::from(n)) as u64
    };
    let mut residues = [0, 1, 2, 3].map(first);
    let mut count = 0;
    for _ in 0..part {
        spend(8);
        count += residues.iter_mut().map(roll).sum::<u64>();
    }
    (4 * part..rolls).fold(count, |count, _| count + roll(&mut residues[3]))
}

/// One row of the flow chart: the rolls until v >= n, then one test whether the value is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Round {
    /// v before the round.
    pub before: BigUint,
    /// The number of rolls in the round.
    pub rolls: u64,
    /// v at the test of this round.
    pub after: BigUint,
}

/// The flow chart of a target: one row for each round, and the round to which the cycle returns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RoundCycle {
    /// The rounds before the cycle and in the cycle.
    pub rounds: Vec<Round>,
    /// The index of the round to which the last round returns; `None` if the last round always
    /// accepts.
    pub back_to: Option<usize>,
}

impl RoundCycle {
    /// The number of rounds before the cycle.
    pub fn rounds_before(&self) -> usize {
        self.back_to.unwrap_or(self.rounds.len())
    }

    /// The number of rolls before the cycle.
    pub fn rolls_before(&self) -> u64 {
        self.rounds[..self.rounds_before()]
            .iter()
            .map(|round| round.rolls)
            .sum()
    }

    /// The number of rolls in the cycle.
    pub fn rolls_in_cycle(&self) -> u64 {
        self.rounds[self.rounds_before()..]
            .iter()
            .map(|round| round.rolls)
            .sum()
    }
}

/// Returns the flow chart of the fast dice roller for the first `reach` rolls; `None` if there are
/// more than `most` rounds. Cost: a product and a division of numbers as long as n for each round.
///
/// The number v before a round is a residue, and the first residue of the cycle is the first to
/// repeat. So the cycle closes at the first v that occurred before.
pub fn flow_chart(dice: Fair, most: usize, reach: u64) -> Option<RoundCycle> {
    let Fair { m, n } = dice;
    let bits_of_roll = u64::from(m.ilog2() + 1);
    let mut made = 0; // rolls
    let mut rounds: Vec<Round> = Vec::new();
    let mut seen = std::collections::HashMap::new();
    let mut v = BigUint::one() % n; // n = 1 is decided before any roll
    loop {
        if v.is_zero() || made > reach {
            return Some(RoundCycle {
                rounds,
                back_to: None,
            });
        }
        if let Some(&back) = seen.get(&v) {
            return Some(RoundCycle {
                rounds,
                back_to: Some(back),
            });
        }
        if rounds.len() == most {
            return None;
        }
        seen.insert(v.clone(), rounds.len());
        let (before, mut rolls) = (v.clone(), 0);
        while v < *n {
            // Make all rolls at once that certainly keep v below n, and then single rolls.
            let more = ((n.bits() - 1).saturating_sub(v.bits()) / bits_of_roll).max(1);
            spend_on(v.bits(), more * bits_of_roll);
            v *= BigUint::from(m).pow(more as u32);
            rolls += more;
        }
        spend_on(v.bits(), n.bits());
        made += rolls;
        let after = v.clone();
        v = v.mod_floor(n);
        rounds.push(Round {
            before,
            rolls,
            after,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Source;

    fn rounds(n: u64) -> (Vec<(u64, u64, u64)>, Option<usize>) {
        let chart = flow_chart(
            Task::die(n, Source::COIN).unwrap().fair().unwrap(),
            100,
            u64::MAX,
        )
        .unwrap();
        let line = |r: &Round| {
            (
                r.before.to_u64().unwrap(),
                r.rolls,
                r.after.to_u64().unwrap(),
            )
        };
        (chart.rounds.iter().map(line).collect(), chart.back_to)
    }

    #[test]
    fn the_flow_charts_of_the_article() {
        // Estep 2024, "How can computers roll dice?"
        assert_eq!(rounds(6), (vec![(1, 3, 8), (2, 2, 8)], Some(1)));
        assert_eq!(rounds(32), (vec![(1, 5, 32)], None));
        let eleven = vec![(1, 4, 16), (5, 2, 20), (9, 1, 18), (7, 1, 14), (3, 2, 12)];
        assert_eq!(rounds(11), (eleven, Some(0)));
    }

    #[test]
    fn the_cycle_of_the_chart_is_that_of_the_numbers() {
        for m in [2u64, 3, 6, 10] {
            for n in 2u64..300 {
                let dice = Task::die(n, Source::die(m).unwrap()).unwrap();
                let chart = flow_chart(dice.fair().unwrap(), 1000, u64::MAX).unwrap();
                let roller = FastDiceRoller::new(&dice).unwrap();
                let limit = WorkLimit { most_rolls: 1000 };
                let of = |quantity| roller.quantity(quantity, limit).unwrap();
                let (period, rounds) = (of(Quantity::Period), of(Quantity::CycleRounds));
                if chart.back_to.is_some() {
                    assert_eq!(period, chart.rolls_in_cycle().into(), "m = {m}, n = {n}");
                    assert_eq!(
                        rounds,
                        (chart.rounds.len() - chart.rounds_before()).into(),
                        "m = {m}, n = {n}"
                    );
                } else {
                    assert_eq!(
                        (period, rounds),
                        (1u8.into(), 1u8.into()),
                        "m = {m}, n = {n}"
                    );
                }
            }
        }
    }

    #[test]
    fn rounds_in_four_parts_are_those_one_by_one() {
        for (m, n) in [
            (20u64, (1 << 59) + 3),
            (3, u64::MAX / 3),
            (10, 11),
            (1 << 31, (1 << 32) + 15),
        ] {
            for rolls in [0u64, 3, 4, 1000, 1003] {
                let roll = |(count, x): (u64, u128), _| {
                    let v = x * u128::from(m);
                    (count + u64::from(v >= n.into()), v % u128::from(n))
                };
                let (count, _) = (0..rolls).fold((0, 1), roll);
                assert_eq!(count_word_rounds(m, n, 1, rolls), count, "m = {m}, n = {n}");
            }
        }
    }

    #[test]
    fn the_halving_rule() {
        let mean = |n: u64| {
            FastDiceRoller::new(&Task::die(n, Source::COIN).unwrap())
                .unwrap()
                .closed_law()
                .unwrap()
                .mean()
                .unwrap()
        };
        for n in 1..200 {
            assert_eq!(mean(2 * n), mean(n) + num_bigint::BigInt::one());
        }
    }
}
