//! The interval algorithm: every roll narrows an interval within [0, 1), until the interval lies in
//! the cell of a single outcome.
//!
//! A roll divides the current interval into m equal parts and keeps one. The algorithm stops as
//! soon as the interval lies inside the cell of an outcome: [j/n, (j+1)/n) of a fair die, [A_i/M,
//! A_(i+1)/M) for weights with the sums A_i = a_1 + ... + a_i. A node at depth t is undecided if
//! and only if a cut A_i/M lies strictly inside its interval, and cut i lies in the interval with
//! the index floor(m^t A_i / M), so
//!
//! ```text
//! s(t) = number of different floor(m^t A_i / M) with m^t A_i mod M > 0,  0 < A_i < M
//! ```
//!
//! Two cuts are at least 1/M apart: once m^t >= M, an interval contains at most one cut, and s(t)
//! is the number of cuts with m^t A_i mod M > 0. This number no longer changes once the gcd of m^t
//! and M has stopped growing. For a fair die
//!
//! ```text
//! s(t) = m^t               while m^t < n
//! s(t) = n - gcd(n, m^t)   from then on
//! ```
//!
//! Coin, n odd > 1: E = k + (n-1) / 2^(k-1), k = ceil(log2 n).
//!
//! **States.** While m^t < M, the state is the depth and the position of the interval. From then on
//! an undecided node contains exactly one cut, and only the relative position r/M of the cut within
//! the interval matters, 0 < r < M. Face f moves it to m r - f M. If that is at most 0, the
//! interval lies to the right of the cut; if it is at least M, to the left. So there are finitely
//! many states.
//!
//! For a loaded source, the width of the part for each face is the probability of the face, in the
//! order of the faces. The law is that of `Cuts`, or of the chain if the chain is short.
//!
//! **Cost.** O(log n) products of O(log n) bits for a fair die, O(log M) divisions of numbers as
//! long as M for each weight; the order of m modulo M is not needed. **Source.** Han & Hoshi 1997,
//! IEEE Trans. Inform. Theory 43(2).

use super::block::check_block_size;
use super::cumulative::Cumulative;
use super::{About, Memory, Purpose, Rule, RuleInfo, Step, ddg};
use crate::law::{self, Blocks, Chain, CutInterval, Law};
use crate::task::{Refusal, Task};
use flipcost_number::order::{ceil_log, coprime_part_big, gcd_with_word};
use flipcost_number::short::short;
use flipcost_number::{BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;
use std::sync::OnceLock;

/// For a loaded source, the maximum product of the number of cuts and the number of faces.
const MAX_CUT_FACES: u64 = 1 << 20;
/// For a loaded source, the maximum number of transitions of a chain that is solved for the law.
const MAX_SOLVED_CHAIN: usize = 1 << 10;

/// See the module documentation.
pub struct Interval {
    source: FaceCuts,
    /// The sum M of the weights; n for a fair die.
    sum: BigUint,
    cells: Cumulative,
    law: OnceLock<Law>,
}

/// The parts into which a roll divides the current interval.
enum FaceCuts {
    /// The number of equal parts.
    Equal(u128),
    /// The ends of the parts as sums of weights, beginning with 0; and the law.
    Loaded(Vec<BigUint>, Law),
}

/// The current interval within [0, 1).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IntervalState(IntervalPlace);

#[derive(Clone, PartialEq, Eq, Hash)]
enum IntervalPlace {
    /// The interval [low, low + 1) / scale, with scale = m^t < M.
    Part {
        /// The index of the interval.
        low: BigUint,
        /// The number of intervals at this depth.
        scale: BigUint,
    },
    /// The interval contains one cut between two outcomes, at r/M of its width.
    Cut {
        /// The outcome before the cut.
        left: BigUint,
        /// The outcome after the cut.
        right: BigUint,
        /// The position of the cut, in units of 1/M of the width.
        r: BigUint,
    },
    /// For a loaded source: the cuts inside the interval.
    Cuts(CutInterval),
}

impl fmt::Debug for IntervalState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            IntervalPlace::Part { low, scale } => {
                write!(f, "interval [{low}, {}) / {scale}", low + 1u8)
            }
            IntervalPlace::Cut { left, right, r } => {
                let (left, right) = (left + 1u8, right + 1u8); // written from 1, like faces
                write!(f, "between outcomes {left} and {right}, cut at {r}/n")
            }
            IntervalPlace::Cuts(part) => {
                // The width of each outcome within the interval, from the first outcome that the
                // interval overlaps.
                let ends = part.cuts.iter().chain([&part.width]);
                let mut from = BigUint::ZERO;
                for (outcome, end) in (part.before + 1..).zip(ends) {
                    let mark = if from.is_zero() { "" } else { ", " };
                    let share = Rational::new((end - &from).into(), part.width.clone().into());
                    write!(f, "{mark}{outcome} has {share}")?;
                    from.clone_from(end);
                }
                Ok(())
            }
        }
    }
}

impl Interval {
    /// Makes the rule for a task.
    ///
    /// # Errors
    /// [`Refusal`] if the rule does not work for the task.
    pub fn new(task: &Task) -> Result<Self, Refusal> {
        if let Some(weights) = task.source().weights() {
            return Interval::for_loaded_source(task, weights);
        }
        if task.source().is_unknown() {
            return Err(Refusal::UnknownSource(task.source().clone()));
        }
        let (source, target) = (task.words()?, task.target());
        match task.fair() {
            Ok(dice) => check_block_size(dice)?,
            Err(_) => {
                let depth = target.weight_sum().bits() / u64::from(source.ilog2()) + 1;
                ddg::check_tree_size(source, target, depth)?;
            }
        }
        Ok(Interval {
            source: FaceCuts::Equal(source),
            sum: target.weight_sum().clone(),
            cells: Cumulative::from_target(target),
            law: OnceLock::new(),
        })
    }

    /// The closed form of its law.
    pub fn law(&self) -> Law {
        let law = || match (&self.source, self.cells.cuts()) {
            (FaceCuts::Loaded(_, law), _) => law.clone(),
            (FaceCuts::Equal(m), None) => Interval::blocks_of_fair_die(*m, &self.sum).into(),
            (FaceCuts::Equal(m), Some(cuts)) => {
                Interval::blocks_of_cuts(*m, &self.sum, cuts).into()
            }
        };
        self.law.get_or_init(law).clone()
    }

    /// Makes the rule for a loaded source.
    fn for_loaded_source(task: &Task, weights: &[BigUint]) -> Result<Self, Refusal> {
        let (source, target) = (task.source(), task.target());
        let cells = Cumulative::from_target(target);
        let faces = weights.len() as u64;
        let few = target
            .outcomes()
            .to_u64()
            .filter(|n| n.saturating_mul(faces) <= MAX_CUT_FACES);
        few.ok_or_else(|| {
            Refusal::Rule(format!(
                "with a loaded source it follows every cut between two outcomes, and {} cuts through {faces} faces are too many",
                short(&target.outcomes())
            ))
        })?;
        let cuts = match cells.cuts() {
            Some(cuts) => cuts,
            None => fair_cuts(target.weight_sum()),
        };
        let sum = target.weight_sum().clone();
        let law = law::Cuts::new(weights.to_vec(), cuts, sum.clone()).ok_or_else(|| {
            let rolls = law::max_followed_rolls(&source.weight_sum().unwrap_or_default());
            Refusal::Rule(format!(
                "{rolls} rolls did not show whether a face of its source ever ends at a cut between two outcomes"
            ))
        })?;
        let mut interval = Interval {
            source: FaceCuts::Loaded(law::face_ends(weights), law.into()),
            sum,
            cells,
            law: OnceLock::new(),
        };
        // Every roll makes the numbers longer by the same number of bits.
        let longer = weights.iter().sum::<BigUint>().bits() as usize / 16 + 1;
        let chain = Chain::explore(
            interval.start(),
            MAX_SOLVED_CHAIN / longer,
            |_| faces,
            |place, face| interval.step(place, face),
        );
        if let (Ok((chain, _)), FaceCuts::Loaded(_, law)) = (chain, &mut interval.source) {
            *law = chain.loaded(source).into();
        }
        Ok(interval)
    }

    /// Decides the outcome of an interval of a loaded source, or brings the interval into canonical
    /// form.
    fn settle_interval(&self, part: CutInterval) -> Step<IntervalState> {
        if part.cuts.is_empty() {
            Step::Output(self.cells.outcome(part.before))
        } else {
            Step::Roll(IntervalState(IntervalPlace::Cuts(part.reduced())))
        }
    }

    /// Decides the outcome of the interval [low, low + 1) / scale, or brings the interval into
    /// canonical form.
    fn settle_part(&self, low: BigUint, scale: BigUint) -> Step<IntervalState> {
        let sum = &self.sum;
        // Scale [0, 1) to length M, so that each outcome is as wide as its weight. Then the
        // interval begins at low M / scale and has the width M / scale.
        let begin = &low * sum;
        let (outcome, end) = self.cells.find(&(&begin / &scale));
        let cut = end * &scale;
        if &begin + sum <= cut {
            return Step::Output(outcome);
        }
        if scale < *sum {
            return Step::Roll(IntervalState(IntervalPlace::Part { low, scale }));
        }
        let (right, _) = self.cells.find(&(&cut / &scale));
        Step::Roll(IntervalState(IntervalPlace::Cut {
            left: outcome,
            right,
            r: cut - begin,
        }))
    }

    /// The law for a fair die of n.
    fn blocks_of_fair_die(m: u128, n: &BigUint) -> Blocks {
        let mut head = Vec::new();
        let mut nodes = BigUint::one();
        for _ in 0..ceil_log(m, n) {
            head.push(nodes.clone());
            nodes *= m;
        }
        // From here on s(t) = n - gcd(n, m^t); it changes until the gcd stops growing.
        let mut common = n.gcd(&nodes);
        let mut left = n / &common;
        loop {
            let more = gcd_with_word(m, &left);
            if more == 1 {
                break;
            }
            head.push(n - &common);
            common *= more;
            left /= more;
        }
        geometric_blocks(m, head, n - common)
    }

    /// The law for the cuts between cells of sum M, from the counts in the module documentation.
    fn blocks_of_cuts(m: u128, sum: &BigUint, cuts: Vec<BigUint>) -> Blocks {
        let last = u64::from(ceil_log(m, sum)).max(coprime_part_big(m, sum).1);
        let mut cuts = CutPositions {
            same: vec![true; cuts.len()],
            rest: cuts,
        };
        let mut head = Vec::new();
        for _ in 0..last {
            head.push(cuts.intervals().into());
            cuts.advance_depth(m, sum);
        }
        geometric_blocks(m, head, cuts.intervals().into())
    }
}

/// The cuts of a fair die: 1, ..., n - 1.
fn fair_cuts(n: &BigUint) -> Vec<BigUint> {
    let n = n.to_u64().expect("the number of followed cuts is limited");
    (1..n).map(BigUint::from).collect()
}

/// The law with the numbers `head` of undecided nodes at the first depths, and `rest` undecided
/// nodes at every later depth.
fn geometric_blocks(m: u128, head: Vec<BigUint>, rest: BigUint) -> Blocks {
    let returns = if rest.is_zero() {
        Vec::new()
    } else {
        vec![(1, BigUint::one())]
    };
    Blocks::new(m, head, vec![rest], returns)
}

/// The positions of the cuts at one depth.
struct CutPositions {
    /// m^t A_i mod M: the position of cut i within its interval.
    rest: Vec<BigUint>,
    /// Whether cut i is in the same interval as the cut before it.
    same: Vec<bool>,
}

impl CutPositions {
    /// The number of intervals that contain a cut strictly inside.
    fn intervals(&self) -> usize {
        // The cuts are in order, so the cuts of one interval follow each other; only the first can
        // be the left end of the interval.
        let (mut count, mut counted) = (0, false);
        for (i, (rest, same)) in self.rest.iter().zip(&self.same).enumerate() {
            counted &= *same && i > 0;
            if !counted && !rest.is_zero() {
                (count, counted) = (count + 1, true);
            }
        }
        count
    }

    fn advance_depth(&mut self, m: u128, sum: &BigUint) {
        let mut before = BigUint::zero();
        for (rest, same) in self.rest.iter_mut().zip(&mut self.same) {
            let (part, left) = (&*rest * m).div_rem(sum);
            *same &= part == before;
            (before, *rest) = (part, left);
        }
    }
}

impl Rule for Interval {
    type State = IntervalState;

    fn start(&self) -> Step<IntervalState> {
        match (&self.source, self.cells.cuts()) {
            (FaceCuts::Equal(_), _) => self.settle_part(BigUint::zero(), BigUint::one()),
            (FaceCuts::Loaded(..), cuts) => self.settle_interval(CutInterval {
                before: 0,
                cuts: cuts.unwrap_or_else(|| fair_cuts(&self.sum)),
                width: self.sum.clone(),
            }),
        }
    }

    fn step(&self, state: &IntervalState, face: u64) -> Step<IntervalState> {
        let source = match (&self.source, &state.0) {
            (FaceCuts::Loaded(ends, _), IntervalPlace::Cuts(part)) => {
                let (face, sum) = (face as usize, &ends[ends.len() - 1]);
                return self.settle_interval(part.subinterval(&ends[face], &ends[face + 1], sum));
            }
            (FaceCuts::Equal(source), _) => *source,
            (FaceCuts::Loaded(..), _) => unreachable!("from a loaded source all places are cuts"),
        };
        match &state.0 {
            IntervalPlace::Cuts(_) => unreachable!("of a loaded source"),
            IntervalPlace::Part { low, scale } => {
                self.settle_part(low * source + face, scale * source)
            }
            IntervalPlace::Cut { left, right, r } => {
                let (moved, passed) = (r * source, &self.sum * face);
                if moved <= passed {
                    Step::Output(right.clone())
                } else if &moved - &passed >= self.sum {
                    Step::Output(left.clone())
                } else {
                    Step::Roll(IntervalState(IntervalPlace::Cut {
                        left: left.clone(),
                        right: right.clone(),
                        r: moved - passed,
                    }))
                }
            }
        }
    }
}

impl RuleInfo for Interval {
    const ABOUT: About = About {
        id: "interval",
        name: "Interval algorithm",
        citation: "Han & Hoshi 1997",
        memory: Memory::TwoNumbers,
        bounded: "if every prime factor of n divides m",
        rule: "with every roll narrow the part of [0, 1), until it lies inside one of n equal cells",
        law: "s(t) = m^t while m^t < n, then s(t) = n - gcd(n, m^t); E = sum of s(t) / m^t over all t >= 0",
    };
    const PURPOSE: Purpose = Purpose::Both;
    const BITS: bool = true;
    const SAME_IN_WORDS: bool = true;
    const PSEUDOCODE: &'static [&'static str] = &[
        "low = 0, scale = 1",
        "until floor(low n / scale) = floor(((low + 1) n - 1) / scale):",
        "    low = m low + roll(), scale = m scale",
        "return floor(low n / scale)",
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        Interval::new(task)
    }

    fn closed_law(&self) -> Option<Law> {
        Some(self.law())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Algorithm;
    use super::super::entry::RuleEntry;
    use super::Interval;
    use crate::task::{Source, Target, Task};
    use flipcost_number::Rational;

    #[test]
    fn an_odd_target_costs_k_flips_and_a_dyadic_rest() {
        for n in (3u64..2000).step_by(2) {
            let k = 64 - (n - 1).leading_zeros() as u64;
            let law = RuleEntry::<Interval>::NEW
                .prepare(&Task::die(n, Source::COIN).unwrap())
                .unwrap()
                .law()
                .unwrap();
            let rest = Rational::new((n - 1).into(), (1u64 << (k - 1)).into());
            assert_eq!(
                law.mean().unwrap(),
                Rational::from(num_bigint::BigInt::from(k)) + rest,
                "n = {n}"
            );
        }
    }

    /// The interval algorithm costs at least the entropy, and at most the bound of Han & Hoshi.
    #[test]
    fn between_the_entropy_and_the_bound() {
        let interval = RuleEntry::<Interval>::NEW;
        for source in ["2", "3", "6", "1:2", "1:9", "1:2:3"] {
            for target in [
                &[1u64, 1][..],
                &[1; 3],
                &[1; 5],
                &[1; 17],
                &[1, 2],
                &[3, 5],
                &[1, 6, 8, 9],
            ] {
                let target = Target::weighted(target).unwrap();
                let task = Task::new(target, source.parse().unwrap());
                let mean = interval
                    .prepare(&task)
                    .unwrap()
                    .law()
                    .unwrap()
                    .mean_real()
                    .enclose(40);
                assert!(mean.high() >= task.entropy().enclose(40).low(), "{task}");
                assert!(
                    mean.low() <= task.interval_bound().enclose(40).high(),
                    "{task}"
                );
            }
        }
    }
}
