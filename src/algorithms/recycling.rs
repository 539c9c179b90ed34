//! Recycling: keep what an outcome leaves over for the next one.
//!
//! The state (v, c) is that of the fast dice roller, but it is kept between the targets n_1, n_2,
//! ...: expand (roll) until v >= n_i; with q = floor(v/n_i) reject c >= q n_i and go on with
//! (v - q n_i, c - q n_i), else extract c mod n_i and keep (q, floor(c/n_i)), which is uniform and
//! independent of all outcomes so far. A single target costs what the fast dice roller costs; a
//! sequence costs less, and its order matters.
//!
//! **Law of a sequence.** c is uniform given v and the outcomes, so (i, v) is a chain by itself:
//!
//! ```text
//! V = v m^e, e the least with V >= n_i     e rolls
//! (i, v) -> (i+1, floor(V/n_i))            with probability q n_i / V
//! (i, v) -> (i, V mod n_i)                 otherwise, with probability below 1/2
//! ```
//!
//! **Eager variant.** Expand until V >= max(n, C), the capacity, before every extraction. The only
//! information that is lost is whether a state was accepted: with H(p) the entropy of a coin of
//! probability p in units of log m, measuring the state by log_m v turns every roll into exactly
//! what it adds, so for an endless stream of one target
//!
//! ```text
//! rolls per outcome = log_m n + mean of H((V mod n) / V) / mean of (1 - (V mod n) / V)
//! log_m n <= rolls per outcome <= log_m n + H(p) / (1 - p),   p = (n-1)/C <= 1/2,
//! ```
//!
//! which tends to the entropy bound as C grows.
//!
//! **Source.** Langkaas 2019, "Roll your own random number generator"; Mennucci's bit recycling;
//! Draper & Saad 2025, arXiv 2505.18879 (randomness recycling).

use super::block::ceil_log;
use super::fast_dice_roller::{Extract, FastDiceRoller, Uniform};
use super::{About, Algorithm, Cycle, Dice, Impossible, Step, Survey};
use crate::law::{Chain, Law, Residues, TooLarge, chain::solve};
use crate::number::enclosure::Enclosure;
use crate::number::real::Real;
use crate::number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// See the module's page: for one target it is the fast dice roller, whose rest is not used.
pub struct Recycling(FastDiceRoller);

impl Algorithm for Recycling {
    const ABOUT: About = About {
        id: "recycling",
        name: "Recycling (expand, extract, reject)",
        citation: "Langkaas 2019; Mennucci 2010",
        bounded: "if every prime factor of n divides m",
        rule: "the fast dice roller, but floor(c/n), uniform below floor(v/n), is kept for the next target; one target alone costs the same",
    };
    type State = Uniform;

    fn new(dice: &Dice) -> Result<Self, Impossible> {
        FastDiceRoller::new(dice).map(Recycling)
    }

    fn start(&self) -> Step<Uniform> {
        self.0.start()
    }

    fn step(&self, at: &Uniform, face: u64) -> Step<Uniform> {
        self.0.step(at, face)
    }

    fn law(&self) -> Option<Law> {
        self.0.law()
    }

    fn cycle(&self, most_rolls: u64) -> Option<Cycle> {
        self.0.cycle(most_rolls)
    }

    fn survey(source: u64, last: u64, rounds: bool) -> Option<Box<dyn Survey>> {
        FastDiceRoller::survey(source, last, rounds)
    }
}

/// What a generator that keeps its state did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A roll: its face (from 0), and the state after it.
    Expand {
        /// The face, from 0.
        face: u64,
        /// v after the roll.
        v: BigUint,
        /// c after the roll.
        c: BigUint,
    },
    /// A rejection, and the state that it leaves.
    Reject {
        /// v after the rejection.
        v: BigUint,
        /// c after the rejection.
        c: BigUint,
    },
    /// An outcome, and the state that is kept.
    Extract {
        /// The target's sides.
        sides: BigUint,
        /// Its face, from 1, as it is read off a die.
        face: BigUint,
        /// v after the extraction.
        v: BigUint,
        /// c after the extraction.
        c: BigUint,
    },
}

/// A generator that keeps its state between targets.
///
/// ```
/// use flipcost::algorithms::recycling::Recycler;
/// // The worked example of Langkaas 2019: a d6 shows 6, 3, 4, 3; a d4, then a d13.
/// let mut rolls = [6u64, 3, 4, 3].into_iter();
/// let mut roll = || rolls.next().map(|face| face - 1);
/// let mut recycler = Recycler::new(6);
/// assert_eq!(recycler.draw(&4u8.into(), &mut roll, None), Some(1u8.into()));
/// assert_eq!(recycler.draw(&13u8.into(), &mut roll, None), Some(2u8.into()));
/// ```
pub struct Recycler {
    source: u64,
    state: Uniform,
    capacity: BigUint,
}

impl Recycler {
    /// A generator without any state yet, for a source of m >= 2 sides.
    pub fn new(source: u64) -> Self {
        Recycler::eager(source, 1)
    }

    /// A generator that expands to at least this capacity before every extraction.
    pub fn eager(source: u64, capacity: u64) -> Self {
        assert!(source >= 2, "a source of {source} sides cannot be rolled");
        Recycler {
            source,
            state: Uniform::new(),
            capacity: capacity.into(),
        }
    }

    /// One outcome of a target of n >= 1 sides, from 1; `roll` returns faces from 0 and may run out,
    /// and then the state is as before the missing roll.
    pub fn draw(
        &mut self,
        n: &BigUint,
        roll: &mut dyn FnMut() -> Option<u64>,
        mut trace: Option<&mut dyn FnMut(Event)>,
    ) -> Option<BigUint> {
        assert!(!n.is_zero(), "a target of 0 sides has no outcome");
        let enough = n.max(&self.capacity).clone();
        let mut tell = |event| {
            if let Some(trace) = trace.as_mut() {
                trace(event)
            }
        };
        loop {
            while self.state.v < enough {
                let face = roll()?;
                self.state = self.state.expand(self.source, face);
                let Uniform { v, c } = self.state.clone();
                tell(Event::Expand { face, v, c });
            }
            match self.state.clone().extract(n) {
                Extract::Expand(_) => unreachable!("v >= n"),
                Extract::Reject(state) => {
                    self.state = state;
                    let Uniform { v, c } = self.state.clone();
                    tell(Event::Reject { v, c });
                }
                Extract::Output(outcome, state) => {
                    self.state = state;
                    let Uniform { v, c } = self.state.clone();
                    let face = outcome + 1u8;
                    tell(Event::Extract {
                        sides: n.clone(),
                        face: face.clone(),
                        v,
                        c,
                    });
                    return Some(face);
                }
            }
        }
    }
}

/// The exact probability of every sequence of outcomes (from 0) of a batch; refuses a batch whose
/// chain has more than `limit` transitions.
pub fn joint(
    source: u64,
    targets: &[u64],
    limit: usize,
) -> Result<BTreeMap<Vec<u64>, Rational>, TooLarge> {
    type Place = (usize, BigUint, Uniform);
    let sides: Vec<BigUint> = targets.iter().map(|&n| n.into()).collect();
    let settle = |(mut i, mut code, mut state): Place| {
        loop {
            let Some(n) = sides.get(i) else {
                return Step::Output(code);
            };
            match state.extract(n) {
                Extract::Expand(state) => return Step::Roll((i, code, state)),
                Extract::Reject(rest) => state = rest,
                Extract::Output(outcome, kept) => {
                    code = code * n + outcome;
                    i += 1;
                    state = kept;
                }
            }
        }
    };
    let start = settle((0, BigUint::zero(), Uniform::new()));
    let step =
        |(i, code, state): &Place, face| settle((*i, code.clone(), state.expand(source, face)));
    let (chain, _) = Chain::explore(start, limit, |_| source, step)?;
    let decode = |(mut code, p): (BigUint, Rational)| {
        let digit = |n: &BigUint| {
            let (rest, digit) = code.div_rem(n);
            code = rest;
            digit.to_u64().expect("below n")
        };
        let mut outcomes: Vec<u64> = sides.iter().rev().map(digit).collect();
        outcomes.reverse();
        (outcomes, p)
    };
    Ok(chain.probabilities().into_iter().map(decode).collect())
}

/// What one way to serve a batch costs.
#[derive(Clone)]
pub struct Mode {
    /// `keep`, `separate`, `product` or `bound`.
    pub id: &'static str,
    /// Expected rolls for the whole batch.
    pub cost: Real,
    /// Expected rolls spent on each target, in the order of the batch (none for `product`).
    pub shares: Vec<Real>,
}

/// A sequence of targets, and what it costs.
#[derive(Clone)]
pub struct Batch {
    /// Sides of the source.
    pub source: u64,
    /// The targets, in order.
    pub targets: Vec<BigUint>,
    /// The state kept between the targets.
    pub keep: Mode,
    /// A fresh fast dice roller for every target.
    pub separate: Mode,
    /// One fast dice roller for the product of the targets, then cut.
    pub product: Mode,
    /// The entropy bound.
    pub bound: Mode,
}

impl Batch {
    /// The four modes, in order.
    pub fn modes(&self) -> [&Mode; 4] {
        [&self.keep, &self.separate, &self.product, &self.bound]
    }
}

/// Fractions of about this many bits are computed; larger ones are enclosed.
const SMALL: f64 = 4096.0;

/// The sum; exact where all terms are exact and the fraction stays small.
pub(super) fn total(terms: &[Real]) -> Real {
    let exact: Option<Vec<&Rational>> = terms.iter().map(Real::exact).collect();
    if let Some(exact) = exact
        && exact.iter().map(|x| x.denom().bits()).sum::<u64>() <= 4 * SMALL as u64
    {
        return Real::Exact(exact.into_iter().sum());
    }
    let terms = terms.to_vec();
    let more = 65 - (terms.len() as u64).leading_zeros() as u64;
    Real::enclosed(move |bits| {
        let mut sum = Enclosure::of_rational(&Rational::zero(), bits + more);
        for term in &terms {
            sum = sum.plus(&term.enclose(bits + more).coarsen(bits + more + 4));
        }
        debug_assert!(sum.is_within(bits));
        sum
    })
}

/// E of the fast dice roller.
fn fast(source: u64, n: &BigUint) -> Real {
    Law::Residues(Residues::new(source, n.clone()).into()).mean()
}

/// The costs of a batch. Exact fractions where they have up to a few thousand bits, else enclosures.
///
/// ```
/// use flipcost::algorithms::recycling::batch;
/// // Langkaas 2019: a d4 and a d13 from a d6
/// let costs = batch(6, &[4u8.into(), 13u8.into()]);
/// assert_eq!(costs.keep.cost.exact().unwrap().to_string(), "2327482/699855");
/// assert_eq!(costs.bound.cost.decimals(4).unwrap(), "2.2052");
/// ```
pub fn batch(source: u64, targets: &[BigUint]) -> Batch {
    eager_batch(source, 1, targets)
}

/// The same, where `keep` expands to at least this capacity before every extraction.
pub fn eager_batch(source: u64, capacity: u64, targets: &[BigUint]) -> Batch {
    assert!(source >= 2, "a source of {source} sides cannot be rolled");
    assert!(
        targets.iter().all(|n| !n.is_zero()),
        "a target of 0 sides has no outcome"
    );
    let product: BigUint = targets.iter().product();
    let separate: Vec<Real> = targets.iter().map(|n| fast(source, n)).collect();
    let logs: Vec<Real> = targets.iter().map(|n| Real::log(n, source)).collect();
    let mode = |id, cost, shares| Mode { id, cost, shares };
    Batch {
        source,
        targets: targets.to_vec(),
        keep: keep(source, capacity, targets),
        separate: mode("separate", total(&separate), separate),
        product: mode("product", fast(source, &product), Vec::new()),
        bound: mode("bound", Real::log(&product, source), logs),
    }
}

/// The state kept.
fn keep(source: u64, capacity: u64, targets: &[BigUint]) -> Mode {
    let chain = Kept {
        source,
        capacity: capacity.into(),
        targets: targets.to_vec(),
    };
    let id = "keep";
    if let Some(shares) = chain.exact() {
        let cost = Real::Exact(shares.iter().sum());
        let shares = shares.into_iter().map(Real::Exact).collect();
        return Mode { id, cost, shares };
    }
    let chain = std::sync::Arc::new(chain);
    let whole = chain.clone();
    let share = |i: usize| {
        let chain = chain.clone();
        Real::enclosed(move |bits| chain.within(bits, |shares| shares[i].clone()))
    };
    let sum = |shares: &[Enclosure]| {
        let zero = Enclosure::of_rational(&Rational::zero(), 1);
        shares.iter().fold(zero, |sum, share| sum.plus(share))
    };
    Mode {
        id,
        cost: Real::enclosed(move |bits| whole.within(bits, sum)),
        shares: (0..targets.len()).map(share).collect(),
    }
}

/// The chain (i, v).
struct Kept {
    source: u64,
    capacity: BigUint,
    targets: Vec<BigUint>,
}

/// One round from v: e rolls, then a test of V.
struct Test {
    rolls: u64,
    /// V.
    v: BigUint,
    /// floor(V / n).
    quotient: BigUint,
    /// V mod n.
    rest: BigUint,
}

impl Kept {
    fn test(&self, i: usize, v: &BigUint) -> Test {
        let n = &self.targets[i];
        let (mut v, mut rolls) = (v.clone(), 0);
        while v < *n || v < self.capacity {
            v *= self.source;
            rolls += 1;
        }
        let (quotient, rest) = v.div_rem(n);
        Test {
            rolls,
            v,
            quotient,
            rest,
        }
    }

    /// The states of each target, or `None` if the exact fractions would be large: their
    /// denominators divide products of all the V.
    fn states(&self) -> Option<Vec<BTreeSet<BigUint>>> {
        let mut entries = BTreeSet::from([BigUint::one()]);
        let (mut all, mut bits) = (Vec::new(), 0.0);
        for i in 0..self.targets.len() {
            let mut seen = BTreeSet::new();
            let mut exits = BTreeSet::new();
            let mut open: Vec<BigUint> = entries.into_iter().collect();
            while let Some(v) = open.pop() {
                if v.is_zero() || seen.contains(&v) {
                    continue;
                }
                let test = self.test(i, &v);
                bits += test.v.bits() as f64;
                if bits > SMALL {
                    return None;
                }
                seen.insert(v);
                exits.insert(test.quotient);
                open.push(test.rest);
            }
            all.push(seen);
            entries = exits;
        }
        Some(all)
    }

    /// Expected rolls spent on every target, from the expected visits to every state.
    fn exact(&self) -> Option<Vec<Rational>> {
        let states = self.states()?;
        let mut entries = BTreeMap::from([(BigUint::one(), Rational::one())]);
        let mut shares = Vec::new();
        for (i, states) in states.into_iter().enumerate() {
            let states: Vec<BigUint> = states.into_iter().collect();
            let index: HashMap<&BigUint, usize> =
                states.iter().enumerate().map(|(k, v)| (v, k)).collect();
            let tests: Vec<Test> = states.iter().map(|v| self.test(i, v)).collect();
            let mut rows = vec![BTreeMap::new(); states.len()];
            for (from, test) in tests.iter().enumerate() {
                if !test.rest.is_zero() {
                    let back = ratio(&test.rest, &test.v);
                    rows[index[&test.rest]].insert(from, back);
                }
            }
            let first = |v| entries.get(v).cloned().unwrap_or_else(Rational::zero);
            let visits = solve(rows, states.iter().map(first).collect());
            let spent = tests.iter().zip(&visits);
            shares.push(spent.map(|(test, x)| x * BigInt::from(test.rolls)).sum());
            let mut exits: BTreeMap<BigUint, Rational> = BTreeMap::new();
            for (test, x) in tests.into_iter().zip(visits) {
                let accepted = x * ratio(&(&test.v - &test.rest), &test.v);
                *exits.entry(test.quotient).or_insert_with(Rational::zero) += accepted;
            }
            entries = exits;
        }
        Some(shares)
    }

    /// A function of the shares within 2^-bits.
    fn within(&self, bits: u64, of: impl Fn(&[Enclosure]) -> Enclosure) -> Enclosure {
        let mut work = bits + 32;
        loop {
            let value = of(&self.enclosed(work));
            if value.is_within(bits) {
                return value;
            }
            work += 32;
        }
    }

    /// Enclosures of the shares: the probabilities are propagated in units of 2^-work, rounded down.
    /// What is lost is counted, and a lost unit would have cost at most two rounds of
    /// ceil(log_m max(n_i, C)) rolls at every target, since a round is rejected with a probability
    /// below 1/2.
    fn enclosed(&self, work: u64) -> Vec<Enclosure> {
        let mut entries = BTreeMap::from([(BigUint::one(), BigUint::one() << work)]);
        let mut lost = BigUint::zero();
        let mut shares = Vec::new();
        for (i, n) in self.targets.iter().enumerate() {
            let mut exits: BTreeMap<BigUint, BigUint> = BTreeMap::new();
            let mut now = entries;
            let mut spent = BigUint::zero();
            while !now.is_empty() {
                let mut next: BTreeMap<BigUint, BigUint> = BTreeMap::new();
                for (v, mass) in now {
                    let test = self.test(i, &v);
                    spent += &mass * test.rolls;
                    let back = &mass * &test.rest / &test.v;
                    let on = &mass * (&test.v - &test.rest) / &test.v;
                    lost += mass - &back - &on;
                    if !back.is_zero() {
                        *next.entry(test.rest).or_default() += back;
                    }
                    if !on.is_zero() {
                        *exits.entry(test.quotient).or_default() += on;
                    }
                }
                now = next;
            }
            let most = 2 * u64::from(ceil_log(self.source, n.max(&self.capacity)));
            shares.push(Enclosure {
                low: BigInt::from(spent.clone()),
                high: BigInt::from(spent + &lost * most),
                bits: work,
            });
            entries = exits;
        }
        shares
    }
}

fn ratio(p: &BigUint, q: &BigUint) -> Rational {
    Rational::new(p.clone().into(), q.clone().into())
}

/// The order of a batch that costs least with the state kept.
#[derive(Clone)]
pub struct BestOrder {
    /// The targets in that order.
    pub targets: Vec<BigUint>,
    /// What it costs.
    pub cost: Real,
    /// Were all orders compared? (Otherwise no move of one target to another place is better.)
    pub exhaustive: bool,
    /// Is it proved that no order is better? Then all orders that doubles could not tell apart were
    /// compared exactly. If not, though all orders were compared, too many were that close: none is
    /// better by more than a relative 1e-9 (with a coin, often all orders cost the same).
    pub proved: bool,
}

/// Batches of up to this many targets are searched exhaustively.
pub const EXHAUSTIVE: usize = 8;

/// Doubles within this factor are not told apart; their sums of positive terms are good to 1e-12.
const APART: f64 = 1.0 + 1e-9;

/// The best order of a batch for [`batch`]'s `keep`.
///
/// Up to [`EXHAUSTIVE`] targets all orders are compared: in doubles, by branch and bound (the rest
/// of an order costs at least its entropy minus that of the state), and all those that are within
/// 1e-9 of the best then exactly. Beyond, and for targets above 2^64: from decreasing order, single
/// targets are moved as long as that helps.
pub fn best_order(source: u64, targets: &[BigUint]) -> BestOrder {
    let mut sorted = targets.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let words: Option<Vec<u64>> = sorted.iter().map(ToPrimitive::to_u64).collect();
    let cost = |targets: &[BigUint]| keep(source, 1, targets).cost;
    let Some(words) = words else {
        return BestOrder {
            cost: cost(&sorted),
            targets: sorted,
            exhaustive: false,
            proved: false,
        };
    };
    let big = |words: &[u64]| words.iter().map(|&n| n.into()).collect::<Vec<BigUint>>();
    let first = locally_best(source, words);
    if first.len() > EXHAUSTIVE {
        let targets = big(&first);
        return BestOrder {
            cost: cost(&targets),
            targets,
            exhaustive: false,
            proved: false,
        };
    }
    let mut search = Orders {
        source,
        best: near_cost(source, &first),
        found: Vec::new(),
    };
    let mut left = first.clone();
    left.sort_unstable_by(|a, b| b.cmp(a));
    search.extend(&mut Vec::new(), &left, &Spread::from([(1, 1.0)]), 0.0);
    let near = search.best * APART;
    let mut found = search.found;
    found.retain(|(cost, _)| *cost <= near);
    let proved = found.len() <= TIES;
    let mut best: Option<(Real, Vec<BigUint>)> = None;
    let mut decided = true;
    for (_, order) in found.into_iter().take(TIES) {
        let order = big(&order);
        let new = cost(&order);
        let better = match &best {
            None => true,
            Some((old, _)) => match new.compare(old) {
                Ok(order) => order == Ordering::Less,
                Err(_) => {
                    decided = false;
                    false
                }
            },
        };
        if better {
            best = Some((new, order));
        }
    }
    let (cost, targets) = best.unwrap_or_else(|| (cost(&[]), Vec::new()));
    BestOrder {
        targets,
        cost,
        exhaustive: true,
        proved: proved && decided,
    }
}

/// So many orders of about the same cost are compared exactly.
const TIES: usize = 64;

/// The probability of every v.
type Spread = BTreeMap<u128, f64>;

/// One target of a batch in doubles: rolls spent, and the states kept.
fn advance(m: u64, n: u64, entries: &Spread) -> (f64, Spread) {
    let (m, n) = (u128::from(m), u128::from(n));
    let (mut spent, mut exits, mut now) = (0.0, Spread::new(), entries.clone());
    while !now.is_empty() {
        let mut next = Spread::new();
        for (mut v, mass) in now {
            while v < n {
                v *= m;
                spent += mass;
            }
            let rest = v % n;
            let back = mass * (rest as f64 / v as f64);
            if back > 1e-17 {
                *next.entry(rest).or_insert(0.0) += back;
            }
            *exits.entry(v / n).or_insert(0.0) += mass - back;
        }
        now = next;
    }
    (spent, exits)
}

fn near_cost(m: u64, order: &[u64]) -> f64 {
    let mut state = Spread::from([(1, 1.0)]);
    let mut cost = 0.0;
    for &n in order {
        let (spent, next) = advance(m, n, &state);
        cost += spent;
        state = next;
    }
    cost
}

struct Orders {
    source: u64,
    best: f64,
    found: Vec<(f64, Vec<u64>)>,
}

impl Orders {
    /// Every order that starts with `chosen` and goes on with `left` (decreasing).
    fn extend(&mut self, chosen: &mut Vec<u64>, left: &[u64], state: &Spread, cost: f64) {
        if left.is_empty() {
            self.best = self.best.min(cost);
            self.found.push((cost, chosen.clone()));
            return;
        }
        let log = |x: f64| x.ln() / (self.source as f64).ln();
        let entropy: f64 = left.iter().map(|&n| log(n as f64)).sum();
        let stored: f64 = state.iter().map(|(&v, p)| p * log(v as f64)).sum();
        if cost + entropy - stored > self.best * APART + 1e-9 {
            return;
        }
        for i in 0..left.len() {
            if i > 0 && left[i] == left[i - 1] {
                continue;
            }
            let mut rest = left.to_vec();
            let n = rest.remove(i);
            let (spent, next) = advance(self.source, n, state);
            chosen.push(n);
            self.extend(chosen, &rest, &next, cost + spent);
            chosen.pop();
        }
    }
}

/// No move of one target to another place is better (in doubles).
fn locally_best(m: u64, mut order: Vec<u64>) -> Vec<u64> {
    let mut best = near_cost(m, &order);
    loop {
        let mut better = None;
        for i in 0..order.len() {
            for j in (0..order.len()).filter(|&j| j != i) {
                let mut moved = order.clone();
                let n = moved.remove(i);
                moved.insert(j, n);
                let cost = near_cost(m, &moved);
                if cost * APART < best {
                    best = cost;
                    better = Some(moved);
                }
            }
        }
        match better {
            Some(moved) => order = moved,
            None => return order,
        }
    }
}

/// The rolls per outcome of an endless stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongRun {
    /// Exact, where the chain is small.
    pub exact: Option<Rational>,
    /// Not above the value.
    pub low: Rational,
    /// Not below the value.
    pub high: Rational,
    /// States V of the chain, where it was explored.
    pub states: Option<usize>,
}

/// Chains of up to this many states are solved exactly.
const EXACT_STATES: usize = 600;
/// Chains of up to this many states are explored and enclosed by a certificate.
const EXPLORED_STATES: usize = 20_000;
/// A certificate solves a dense system of up to this many equations.
const LARGEST_CORE: usize = 5000;
/// States of a certificate are below this.
const WIDEST: u128 = 1 << 34;

/// Rolls per outcome of an endless stream of one target, the state kept: the stationary cost.
///
/// ```
/// use flipcost::algorithms::recycling::repeat;
/// assert_eq!(repeat(6, 6).exact, Some(flipcost::number::BigInt::from(1).into()));
/// ```
pub fn repeat(source: u64, n: u64) -> LongRun {
    eager(source, n, 1)
}

/// The same for the eager variant of this capacity. Exact for small chains; else enclosed by an
/// integer certificate, or for large capacities by the bound of the module's page.
///
/// **Certificate.** With r(V) and a(V) the mean rolls and outcomes until the next state, any numbers
/// h(V) prove that the rolls per outcome lie between the least and the largest value of
/// (r + P h - h) / a. Doubles propose h, integers of 2^-48 check it.
pub fn eager(source: u64, n: u64, capacity: u64) -> LongRun {
    assert!(source >= 2, "a source of {source} sides cannot be rolled");
    assert!(n >= 1, "a target of 0 sides has no outcome");
    let enough = u128::from(n.max(capacity));
    let limit = if enough * u128::from(source) < WIDEST {
        EXPLORED_STATES
    } else {
        EXACT_STATES
    };
    let Some(stream) = Stream::explore(source, n.into(), enough, limit) else {
        return by_entropy(source, n, enough);
    };
    let states = Some(stream.states.len());
    if stream.states.len() <= EXACT_STATES
        && let Some(value) = stream.exact()
    {
        return LongRun {
            exact: Some(value.clone()),
            low: value.clone(),
            high: value,
            states,
        };
    }
    if enough * u128::from(source) >= WIDEST {
        return by_entropy(source, n, enough);
    }
    let Some((low, high)) = stream.certified() else {
        return by_entropy(source, n, enough);
    };
    LongRun {
        exact: None,
        low,
        high,
        states,
    }
}

/// log_m n <= rolls per outcome <= log_m n + H(p) / (1-p), p = (n-1)/C, or p = 1/2 if that is more.
fn by_entropy(source: u64, n: u64, enough: u128) -> LongRun {
    let log = |x: u128| Real::log(&x.into(), source);
    let (rest, all) = if u128::from(n - 1) * 2 <= enough {
        (u128::from(n - 1), enough)
    } else {
        (1, 2)
    };
    // C H(p) / (C - rest), C H(p) = C log C - rest log rest - (C - rest) log (C - rest)
    let times = |k: u128| Real::integer(k).times(&log(k.max(1)));
    let lost = times(all).minus(&times(rest)).minus(&times(all - rest));
    let toll = lost.over(&Real::integer(all - rest));
    let (low, high) = (log(n.into()), log(n.into()).plus(&toll));
    let unit = BigInt::one() << 96u8;
    let (low, high) = (low.enclose(96).coarsen(96), high.enclose(96).coarsen(96));
    LongRun {
        exact: None,
        low: Rational::new(low.low, unit.clone()),
        high: Rational::new(high.high, unit),
        states: None,
    }
}

/// The chain on V, the state at a test, of an endless stream of one target.
struct Stream {
    target: u128,
    /// V.
    states: Vec<u128>,
    /// For every V, the next states and the rolls to reach them: accepted, and rejected (if V mod n
    /// is not 0).
    next: Vec<[(usize, u64); 2]>,
}

impl Stream {
    fn explore(source: u64, target: u128, enough: u128, limit: usize) -> Option<Stream> {
        let (mut states, mut index) = (Vec::new(), HashMap::new());
        let mut place = |mut v: u128, states: &mut Vec<u128>| {
            let mut rolls = 0;
            while v < enough {
                v *= u128::from(source);
                rolls += 1;
            }
            let new = states.len();
            let at = *index.entry(v).or_insert(new);
            if at == new {
                states.push(v);
            }
            (at, rolls)
        };
        place(1, &mut states);
        let mut next = Vec::new();
        while next.len() < states.len() {
            if states.len() > limit {
                return None;
            }
            let v: u128 = states[next.len()];
            let accepted = place(v / target, &mut states);
            let rejected = match v % target {
                0 => accepted, // never used
                rest => place(rest, &mut states),
            };
            next.push([accepted, rejected]);
        }
        Some(Stream {
            target,
            states,
            next,
        })
    }

    /// V mod n: so many of the V values of c are rejected.
    fn rejected(&self, state: usize) -> u128 {
        self.states[state] % self.target
    }

    /// A state that every state reaches, if there is one.
    fn regeneration(&self) -> Option<usize> {
        let count = self.states.len();
        let mut before = vec![Vec::new(); count];
        for (from, next) in self.next.iter().enumerate() {
            for (to, _) in next {
                before[*to].push(from);
            }
        }
        let reach = |from: usize, edges: &dyn Fn(usize) -> Vec<usize>| {
            let (mut seen, mut open) = (vec![false; count], vec![from]);
            seen[from] = true;
            while let Some(at) = open.pop() {
                for to in edges(at) {
                    if !seen[to] {
                        seen[to] = true;
                        open.push(to);
                    }
                }
            }
            seen
        };
        let mut at = 0;
        loop {
            let back = reach(at, &|state| before[state].clone());
            if back.iter().all(|&seen| seen) {
                return Some(at);
            }
            let ahead = reach(at, &|state| self.next[state].map(|(to, _)| to).to_vec());
            at = (0..count).find(|&state| ahead[state] && !back[state])?;
        }
    }

    /// Rolls and outcomes between two visits of one state, from the visits to all others.
    fn exact(&self) -> Option<Rational> {
        let home = self.regeneration()?;
        let count = self.states.len();
        let mut rows: Vec<BTreeMap<usize, Rational>> = vec![BTreeMap::new(); count];
        let big = |x: u128| Rational::from(BigInt::from(x));
        for (from, [accepted, rejected]) in self.next.iter().enumerate() {
            let (all, back) = (big(self.states[from]), self.rejected(from));
            for ((to, _), part) in [(accepted, self.states[from] - back), (rejected, back)] {
                if *to != home && part > 0 {
                    let entry = rows[*to].entry(from).or_insert_with(Rational::zero);
                    *entry += big(part) / &all;
                }
            }
        }
        let mut first = vec![Rational::zero(); count];
        first[home] = Rational::one();
        let visits = solve(rows, first);
        let (mut rolls, mut outcomes) = (Rational::zero(), Rational::zero());
        for (state, visits) in visits.iter().enumerate() {
            let share = visits / big(self.states[state]);
            let back = self.rejected(state);
            let accepted = big(self.states[state] - back);
            let [on, off] = self.next[state].map(|(_, rolls)| big(rolls.into()));
            rolls += &share * (&accepted * on + big(back) * off);
            outcomes += share * accepted;
        }
        Some(rolls / outcomes)
    }

    /// The certificate; `None` if it is too much work to propose one.
    fn certified(&self) -> Option<(Rational, Rational)> {
        const UNIT: f64 = (1u64 << 48) as f64;
        let potential = self.potential()?;
        let h: Vec<i128> = potential
            .iter()
            .map(|x| (x * UNIT).round() as i128)
            .collect();
        // (V r + a h(accepted) + b h(rejected) - V h(V)) / a in units of 2^-48; V < 2^34
        let bound = |state: usize| {
            let (v, back) = (self.states[state] as i128, self.rejected(state) as i128);
            let [(on, on_rolls), (off, off_rolls)] = self.next[state];
            let unit = 1i128 << 48;
            let part = |to: usize, rolls: u64| h[to] + i128::from(rolls) * unit;
            let sum = (v - back) * part(on, on_rolls) + back * part(off, off_rolls) - v * h[state];
            (sum, v - back)
        };
        let order = |a: &(i128, i128), b: &(i128, i128)| {
            (BigInt::from(a.0) * b.1).cmp(&(BigInt::from(b.0) * a.1))
        };
        let bounds = || (0..self.states.len()).map(bound);
        let exact = |(p, q): (i128, i128)| Rational::new(p.into(), BigInt::from(q) << 48u8);
        let low = bounds().min_by(order).expect("has a state");
        let high = bounds().max_by(order).expect("has a state");
        Some((exact(low), exact(high)))
    }

    /// Rolls minus (rolls per outcome) times outcomes until the next visit of one state, in doubles.
    /// `None` if the core is too large.
    fn potential(&self) -> Option<Vec<f64>> {
        let Some(home) = self.regeneration() else {
            return Some(vec![0.0; self.states.len()]);
        };
        // Follow the accepted path of every state down to the core, whose values are unknown: home,
        // the states entered by a rejection, and one state of every other cycle of accepted moves.
        let count = self.states.len();
        let mut core: Vec<usize> = vec![home];
        let mut place = vec![usize::MAX; count];
        place[home] = 0;
        for state in 0..count {
            let (to, _) = self.next[state][1];
            if self.rejected(state) > 0 && place[to] == usize::MAX {
                place[to] = core.len();
                core.push(to);
            }
        }
        let mut walk = vec![usize::MAX; count]; // the walk that came by first
        for first in 0..count {
            let mut at = first;
            while walk[at] == usize::MAX && place[at] == usize::MAX {
                walk[at] = first;
                at = self.next[at][0].0;
            }
            if walk[at] == first && place[at] == usize::MAX {
                place[at] = core.len();
                core.push(at);
            }
        }
        (core.len() <= LARGEST_CORE).then(|| self.eliminate(&core, &place))
    }

    /// The values of all states as affine functions of those of the core, in the order (rolls,
    /// outcomes, weight of every core state), and then the core's own equations.
    fn eliminate(&self, core: &[usize], place: &[usize]) -> Vec<f64> {
        let (size, count) = (core.len(), self.states.len());
        let width = size + 2;
        let mut affine: Vec<Option<Vec<f64>>> = vec![None; count];
        let value = |to: usize, affine: &Vec<Option<Vec<f64>>>| -> Option<Vec<f64>> {
            if place[to] != usize::MAX {
                let mut unit = vec![0.0; width];
                unit[2 + place[to]] = 1.0;
                return Some(unit);
            }
            affine[to].clone()
        };
        let mut row = vec![None; size];
        for state in 0..count {
            // the path from here to a state whose value is known
            let mut path = vec![state];
            loop {
                let (to, _) = self.next[path[path.len() - 1]][0];
                if place[to] != usize::MAX || affine[to].is_some() {
                    break;
                }
                path.push(to);
            }
            for at in path.into_iter().rev() {
                if place[at] == usize::MAX && affine[at].is_some() {
                    continue;
                }
                let all = self.states[at] as f64;
                let back = self.rejected(at) as f64 / all;
                let [(on, on_rolls), (off, off_rolls)] = self.next[at];
                let mut sum: Vec<f64> = value(on, &affine).expect("was reached");
                sum.iter_mut().for_each(|x| *x *= 1.0 - back);
                sum[0] += (1.0 - back) * on_rolls as f64 + back * off_rolls as f64;
                sum[1] += 1.0 - back;
                if back > 0.0 {
                    sum[2 + place[off]] += back;
                }
                match place[at] {
                    usize::MAX => affine[at] = Some(sum),
                    at => row[at] = Some(sum),
                }
            }
        }
        // x_k = r_k - g o_k + sum_j w_kj x_j with x_0 = 0 (home); unknowns g, x_1, ...
        let mut matrix: Vec<Vec<f64>> = (0..size)
            .map(|k| {
                let row = row[k].as_ref().expect("every state was visited");
                let mut line = vec![row[1]]; // g
                line.extend((1..size).map(|j| f64::from(u8::from(j == k)) - row[2 + j]));
                line.push(row[0]);
                line
            })
            .collect();
        for k in 0..size {
            let pivot = (k..size)
                .max_by(|&a, &b| matrix[a][k].abs().total_cmp(&matrix[b][k].abs()))
                .expect("not empty");
            matrix.swap(k, pivot);
            let line = matrix[k].clone();
            for (i, other) in matrix.iter_mut().enumerate() {
                let factor = other[k] / line[k];
                if i != k && factor != 0.0 {
                    for (x, y) in other.iter_mut().zip(&line).skip(k) {
                        *x -= factor * y;
                    }
                }
            }
        }
        let solved: Vec<f64> = (0..size).map(|k| matrix[k][size] / matrix[k][k]).collect();
        let g = solved[0];
        let at_core = |k: usize| if k == 0 { 0.0 } else { solved[k] };
        (0..count)
            .map(|state| match &affine[state] {
                None => at_core(place[state]),
                Some(sum) => {
                    let rest: f64 = (0..size).map(|k| sum[2 + k] * at_core(k)).sum();
                    sum[0] - g * sum[1] + rest
                }
            })
            .collect()
    }
}

/// Rolls per outcome when j outcomes are taken from one fast dice roller of n^j: E(n^j) / j.
pub fn power(source: u64, n: u64, j: u32) -> Real {
    assert!(source >= 2, "a source of {source} sides cannot be rolled");
    assert!(n >= 1 && j >= 1, "a power of at least one die with sides");
    fast(source, &BigUint::from(n).pow(j)).over(&Real::integer(j))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(list: &[u64]) -> Vec<BigUint> {
        list.iter().map(|&n| n.into()).collect()
    }

    fn exact(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn the_costs_of_a_d4_and_a_d13_from_a_d6() {
        // Langkaas 2019 gives the rule; the fractions are from an independent program.
        let both = batch(6, &targets(&[4, 13]));
        assert_eq!(both.keep.cost.exact(), Some(&exact("2327482/699855")));
        // 4/3 + sum_t (6^t mod 13) / 6^t = 1.33333 + 2.32230
        assert_eq!(both.separate.cost.decimals(4).unwrap(), "3.6556");
        assert_eq!(both.product.cost.decimals(4).unwrap(), "3.0780");
        assert_eq!(both.bound.cost.decimals(4).unwrap(), "2.2052");
        let other = batch(6, &targets(&[13, 4]));
        let cost = exact("20100730738/6530347005");
        assert_eq!(other.keep.cost.exact(), Some(&cost));
        let best = best_order(6, &targets(&[4, 13]));
        assert_eq!(best.targets, targets(&[13, 4]));
        assert_eq!(best.cost.exact(), Some(&cost));
        assert!(best.exhaustive && best.proved);
    }

    #[test]
    fn a_single_target_costs_what_the_fast_dice_roller_costs() {
        for (m, n) in [(2u64, 6u64), (3, 7), (6, 52), (10, 48)] {
            let one = batch(m, &targets(&[n]));
            let cost = one.keep.cost.exact().unwrap();
            assert_eq!(Some(cost), one.separate.cost.exact(), "m = {m}, n = {n}");
        }
    }

    #[test]
    fn outcomes_of_a_batch_are_independent_and_fair() {
        for (m, list) in [
            (6u64, vec![4u64, 13]),
            (6, vec![13, 4]),
            (2, vec![3, 5, 3]),
            (20, vec![2, 1, 3, 7]),
        ] {
            let all = joint(m, &list, 1_000_000).unwrap();
            let count: u64 = list.iter().product();
            assert_eq!(all.len() as u64, count);
            let fair = Rational::new(1.into(), count.into());
            assert!(all.values().all(|p| *p == fair), "{m} {list:?}");
        }
    }

    #[test]
    fn enclosures_of_a_batch_hold_its_exact_cost() {
        for (m, capacity, list) in [
            (6u64, 1u64, vec![4u64, 13, 52]),
            (2, 1, vec![5, 3, 7]),
            (10, 1000, vec![6, 6, 6]),
        ] {
            let targets = targets(&list);
            let capacity = BigUint::from(capacity);
            let chain = Kept {
                source: m,
                capacity,
                targets,
            };
            let exact = chain.exact().unwrap();
            for (share, exact) in chain.enclosed(80).iter().zip(exact) {
                assert!(share.contains(&exact));
                assert!(share.is_within(60));
            }
        }
    }

    /// All orders, exactly.
    #[test]
    fn the_best_order_is_the_best() {
        let list = [3u64, 4, 10, 13];
        for m in [2, 6] {
            let best = best_order(m, &targets(&list));
            let mut orders = vec![vec![]];
            for n in list {
                orders = orders
                    .into_iter()
                    .flat_map(|order: Vec<u64>| {
                        (0..=order.len()).map(move |i| {
                            let mut longer = order.clone();
                            longer.insert(i, n);
                            longer
                        })
                    })
                    .collect();
            }
            assert_eq!(orders.len(), 24);
            let least = orders
                .iter()
                .map(|order| keep(m, 1, &targets(order)).cost.exact().unwrap().clone())
                .min();
            assert_eq!(best.cost.exact(), least.as_ref());
        }
        assert_eq!(best_order(6, &[]).targets, Vec::<BigUint>::new());
    }

    #[test]
    fn a_stream_costs_what_a_long_batch_tends_to() {
        for (m, n) in [(6u64, 4u64), (6, 2), (10, 3), (20, 6), (3, 2)] {
            let long = repeat(m, n);
            let value = long.exact.unwrap();
            // The state keeps at most what one batch can gain.
            let mut state = Spread::from([(1, 1.0)]);
            let mut cost = 0.0;
            for i in 0..3000 {
                let (spent, next) = advance(m, n, &state);
                state = next;
                cost += if i < 1000 { 0.0 } else { spent };
            }
            let mean = cost / 2000.0;
            let value = Real::Exact(value).nearest_f64().unwrap();
            assert!(
                (mean - value).abs() < 2e-3,
                "m = {m}, n = {n}: {mean} {value}"
            );
        }
        // Langkaas 2019: bits from a d6, always rolled twice (36, then 18, 9, ...)
        let bit = |capacity| eager(6, 2, capacity).exact.unwrap();
        assert!(bit(36) < bit(1));
        assert!(Real::Exact(bit(36)).compare(&Real::log(&2u8.into(), 6)) == Ok(Ordering::Greater));
    }

    #[test]
    fn a_stream_with_a_large_core_is_bounded_at_once() {
        let run = repeat(6, 10_007);
        assert!(run.exact.is_none() && run.low < run.high);
    }

    #[test]
    fn certificates_and_the_entropy_bound_hold_the_exact_cost() {
        for (m, n, capacity) in [
            (6u64, 2u64, 36u64),
            (6, 2, 216),
            (2, 6, 64),
            (10, 7, 100),
            (6, 5, 1),
        ] {
            let enough = u128::from(n.max(capacity));
            let stream = Stream::explore(m, n.into(), enough, 10_000).unwrap();
            let exact = stream.exact().unwrap();
            let (low, high) = stream.certified().unwrap();
            assert!(low <= exact && exact <= high, "{m} {n} {capacity}");
            let width = Rational::new(1.into(), (1i64 << 36).into());
            assert!(&high - &low < width, "{m} {n} {capacity}: {low} {high}");
            let rough = by_entropy(m, n, enough);
            assert!(rough.low <= exact && exact <= rough.high);
        }
        let (fine, finer) = (eager(2, 6, 1 << 16), eager(2, 6, 1 << 40));
        assert!(fine.low <= fine.high && finer.high < fine.high);
        let toll = |long: &LongRun| {
            let cost = Real::Exact(long.high.clone());
            cost.minus(&Real::log(&6u8.into(), 2))
                .nearest_f64()
                .unwrap()
        };
        assert!(toll(&fine) < 2e-3, "{}", toll(&fine));
        assert!(toll(&finer) < 1e-9, "{}", toll(&finer));
    }

    #[test]
    fn powers_come_down_to_the_bound() {
        let one = power(6, 13, 1).nearest_f64().unwrap();
        let ten = power(6, 13, 10).nearest_f64().unwrap();
        let bound = Real::log(&13u8.into(), 6).nearest_f64().unwrap();
        assert!(bound < ten && ten < one);
    }

    #[test]
    fn the_worked_example_step_by_step() {
        let mut rolls = [6u64, 3, 4, 3].into_iter();
        let mut roll = || rolls.next().map(|face| face - 1);
        let mut recycler = Recycler::new(6);
        let mut told = Vec::new();
        for n in [4u8, 13] {
            let mut tell = |event: Event| {
                told.push(match event {
                    Event::Expand { v, .. } => format!("roll {v}"),
                    Event::Reject { v, .. } => format!("reject {v}"),
                    Event::Extract { face, v, .. } => format!("{face} keeps {v}"),
                })
            };
            recycler
                .draw(&n.into(), &mut roll, Some(&mut tell))
                .unwrap();
        }
        assert_eq!(
            told,
            [
                "roll 6",
                "reject 2",
                "roll 12",
                "1 keeps 3",
                "roll 18",
                "reject 5",
                "roll 30",
                "2 keeps 2"
            ]
        );
    }
}
