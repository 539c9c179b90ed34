//! The law of a chain whose source has unknown probabilities; the results are rational functions of
//! these probabilities.
//!
//! A coin shows its first face with probability p; a die of m sides shows its face i with
//! probability p_i. If all states of a rule's chain roll the source, the equations of
//! [`super::Chain`]
//!
//! ```text
//! h(u) = 1 + sum_w P(u -> w) h(w)                    E[T] = h(start)
//! g(u) = 2 h(u) - 1 + sum_w P(u -> w) g(w)           E[T^2] = g(start)
//! f(u) = P(u -> i) + sum_w P(u -> w) f(w)            P(outcome i) = f(start)
//! ```
//!
//! are solved over the rational functions by elimination; the state found last is eliminated first.
//! For a rule that starts again after a finite tree, only one division is needed, at the start.

use super::{Chain, Next};
use flipcost_number::collect::ordered;
use flipcost_number::{BigInt, BigUint, Polynomial, Rational, RationalFunction};
use std::collections::BTreeMap;
use std::fmt;

/// The probabilities of the faces of an unknown source: p and 1 - p for a coin, p1, ..., pm for a
/// die.
pub(crate) fn unknown_faces(m: u64) -> Vec<Polynomial> {
    let p = Polynomial::variable;
    match m {
        2 => vec![p(0), &Polynomial::one() - &p(0)],
        m => (0..m as usize).map(p).collect(),
    }
}

/// A formula in the unknown probabilities of a source: in p for a coin, in p1, p2, ... for a die.
///
/// ```
/// use flipcost::algorithms::find;
/// use flipcost::law::CostFormula;
/// use flipcost::task::{Source, Target, Task};
/// let task = Task::new(Target::uniform(2u8)?, Source::unknown(2)?);
/// let cost = |id| find(id).unwrap().formula(&task, 1000).unwrap();
/// assert_eq!(cost("von-neumann").to_string(), "1/(p - p^2)");
/// assert!(matches!(cost("hoeffding-simons"), CostFormula::Text(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CostFormula {
    /// A rational function.
    Rational(RationalFunction),
    /// A text: an infinite product or a limit, or a function with too many terms to be expanded.
    Text(String),
}

impl fmt::Display for CostFormula {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CostFormula::Rational(function) => function.fmt(f),
            CostFormula::Text(text) => f.write_str(text),
        }
    }
}

/// The law of a rule for all probabilities of its source.
///
/// ```
/// use flipcost::law::{Chain, Step};
/// // The coin is tossed until it shows its first face.
/// let toss = |_: &(), face: u64| if face == 0 { Step::Output(0u8.into()) } else { Step::Roll(()) };
/// let (chain, _) = Chain::explore(Step::Roll(()), 10, |_| 2, toss).unwrap();
/// let law = chain.of_unknown_source().unwrap();
/// assert_eq!(law.mean().to_string(), "1/p");
/// assert_eq!(law.variance().to_string(), "(1 - p)/p^2");
/// ```
pub struct UnknownLaw {
    faces: u64,
    system: EliminatedSystem,
    start: Next,
    outcomes: Vec<BigUint>,
    /// For each state, the probability of each outcome by its next roll.
    ends: Vec<BTreeMap<u32, RationalFunction>>,
}

/// The matrix I - P after elimination.
struct EliminatedSystem {
    states: Vec<EliminatedState>,
}

/// The equation of a state, expressed in terms of earlier states.
struct EliminatedState {
    /// The later states that were substituted, in this order, and their coefficients.
    replaced: Vec<(usize, RationalFunction)>,
    /// 1 / (1 - P(u -> u)).
    scale: Option<RationalFunction>,
    earlier: BTreeMap<usize, RationalFunction>,
}

fn zero() -> RationalFunction {
    Polynomial::zero().into()
}

fn constant_one() -> RationalFunction {
    Polynomial::one().into()
}

fn add(row: &mut BTreeMap<usize, RationalFunction>, to: usize, more: &RationalFunction) {
    let sum = row.entry(to).or_insert_with(zero);
    *sum = &*sum + more;
    if sum.is_zero() {
        row.remove(&to);
    }
}

impl EliminatedSystem {
    fn new(rows: Vec<BTreeMap<usize, RationalFunction>>) -> EliminatedSystem {
        let mut done: Vec<Option<EliminatedState>> = rows.iter().map(|_| None).collect();
        for (state, mut row) in rows.into_iter().enumerate().rev() {
            let mut replaced = Vec::new();
            while let Some((&to, _)) = row.range(state + 1..).next_back() {
                let often = row.remove(&to).expect("it is there");
                let known = done[to].as_ref().expect("later states come first");
                for (next, p) in &known.earlier {
                    add(&mut row, *next, &(&often * p));
                }
                replaced.push((to, often));
            }
            let scale = row
                .remove(&state)
                .map(|own| (&constant_one() - &own).inverse());
            if let Some(scale) = &scale {
                row.values_mut().for_each(|p| *p = &*p * scale);
            }
            done[state] = Some(EliminatedState {
                replaced,
                scale,
                earlier: row,
            });
        }
        EliminatedSystem {
            states: done.into_iter().flatten().collect(),
        }
    }

    /// Solves x = b + P x.
    fn solve(&self, mut b: Vec<RationalFunction>) -> Vec<RationalFunction> {
        for (state, of) in self.states.iter().enumerate().rev() {
            let mut sum = std::mem::replace(&mut b[state], zero());
            for (to, often) in of.replaced.iter().filter(|(to, _)| !b[*to].is_zero()) {
                sum = &sum + &(often * &b[*to]);
            }
            b[state] = match &of.scale {
                Some(scale) => &sum * scale,
                None => sum,
            };
        }
        for (state, of) in self.states.iter().enumerate() {
            for (to, p) in &of.earlier {
                b[state] = &b[state] + &(p * &b[*to]);
            }
        }
        b
    }
}

impl Chain {
    /// Returns the law for unknown probabilities of the faces of the source; `None` unless every
    /// state rolls the same die once. Cost: an elimination over rational functions; for a rule that
    /// starts again after a finite tree, one product of a polynomial and a probability for every
    /// face of every state.
    pub fn of_unknown_source(&self) -> Option<UnknownLaw> {
        let m = match self.len() {
            0 => 2,
            _ => self.branches(0).len() as u64,
        };
        let same = |state: u32| self.branches(state).len() as u64 == m && self.rolls(state) == 1;
        if !(0..self.len() as u32).all(same) {
            return None;
        }
        let faces: Vec<RationalFunction> = unknown_faces(m).into_iter().map(Into::into).collect();
        let (mut rows, mut ends) = (Vec::new(), Vec::new());
        for state in 0..self.len() as u32 {
            let (mut row, mut end) = (BTreeMap::new(), BTreeMap::new());
            for (next, p) in self.branches(state).iter().zip(&faces) {
                match next {
                    Next::State(to) => add(&mut row, *to as usize, p),
                    Next::Outcome(i) => {
                        let sum = end.entry(*i).or_insert_with(zero);
                        *sum = &*sum + p;
                    }
                }
            }
            rows.push(row);
            ends.push(end);
        }
        Some(UnknownLaw {
            faces: m,
            system: EliminatedSystem::new(rows),
            start: self.start(),
            outcomes: self.outcomes().to_vec(),
            ends,
        })
    }
}

impl UnknownLaw {
    fn beginning_at_start(
        &self,
        mut values: Vec<RationalFunction>,
        free: RationalFunction,
    ) -> RationalFunction {
        match self.start {
            Next::State(state) => values.swap_remove(state as usize),
            Next::Outcome(_) => free,
        }
    }

    fn remaining(&self) -> Vec<RationalFunction> {
        self.system.solve(vec![constant_one(); self.ends.len()])
    }

    /// `E[T]`, in rolls.
    pub fn mean(&self) -> RationalFunction {
        self.beginning_at_start(self.remaining(), zero())
    }

    /// `Var[T]`, in rolls squared.
    pub fn variance(&self) -> RationalFunction {
        let remaining = self.remaining();
        let reward = |h: &RationalFunction| &(h + h) - &constant_one();
        let second = self.system.solve(remaining.iter().map(reward).collect());
        let mean = self.beginning_at_start(remaining, zero());
        &self.beginning_at_start(second, zero()) - &(&mean * &mean)
    }

    /// The probability of every outcome as a function of the unknown probabilities. Cost: as
    /// [`UnknownLaw::mean`] for every outcome.
    pub fn outcomes(&self) -> BTreeMap<BigUint, RationalFunction> {
        let of = |(i, outcome): (usize, &BigUint)| {
            let i = i as u32;
            let at_once = |end: &BTreeMap<u32, RationalFunction>| end.get(&i).cloned();
            let values = self
                .ends
                .iter()
                .map(|end| at_once(end).unwrap_or_else(zero));
            let certain = if self.start == Next::Outcome(i) {
                constant_one()
            } else {
                zero()
            };
            let solved = self.system.solve(values.collect());
            (outcome.clone(), self.beginning_at_start(solved, certain))
        };
        ordered(self.outcomes.iter().enumerate().map(of))
    }

    /// Checks whether the outcomes have these probabilities, whatever the probabilities of the
    /// source are. For a coin this is an identity of functions of p. For a die of m sides, all
    /// words (sequences of rolls) are extended to the same length; then the words of every type
    /// must be divided among the outcomes in these proportions.
    pub fn shares(&self, probability: impl Fn(&BigUint) -> Rational) -> bool {
        let all = self.outcomes();
        let parts = all.values().flat_map(|f| [f.numerator(), f.denominator()]);
        let degree = parts.map(Polynomial::degree).max().unwrap_or(0);
        let lifted = |f: &Polynomial| match self.faces {
            2 => f.clone(),
            m => f.homogenised(degree, m as usize),
        };
        all.iter().all(|(outcome, f)| {
            let p = probability(outcome);
            let part = |x: &BigInt| Polynomial::constant(x.clone());
            let (above, below) = (lifted(f.numerator()), lifted(f.denominator()));
            &above * &part(p.denom()) == &below * &part(p.numer())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Step;

    /// Toss until r heads come in a row: E = (1 - p^r) / (p^r (1 - p)) (Feller 1968, XIII.7); for
    /// p = 1/2 the law is that of the chain of a fair coin.
    #[test]
    fn runs_of_heads() {
        for r in 1..7u32 {
            let step = |&run: &u32, face: u64| match (face, run + 1) {
                (0, run) if run == r => Step::Output(BigUint::ZERO),
                (0, run) => Step::Roll(run),
                _ => Step::Roll(0),
            };
            let (chain, _) = Chain::explore(Step::Roll(0), 1000, |_| 2, step).unwrap();
            let law = chain.of_unknown_source().unwrap();
            let p = Polynomial::variable(0);
            let (run, one) = (p.power(r), Polynomial::one());
            let feller = RationalFunction::new(&one - &run, &run * &(&one - &p));
            assert_eq!(law.mean(), feller);
            let half = [Rational::new(1.into(), 2.into())];
            let (mean, second) = chain.moments();
            let variance = second - &mean * &mean;
            assert_eq!(law.mean().evaluate(&half), Some(mean));
            assert_eq!(law.variance().evaluate(&half), Some(variance));
            assert!(law.shares(|_| Rational::from_integer(1.into())));
        }
    }

    /// Gambler's ruin (Feller 1968, XIV.2) with c = q/p: P(n) = (1 - c^i) / (1 - c^n).
    #[test]
    fn the_ruin_of_a_gambler() {
        for n in 2..7u32 {
            for i in 1..n {
                let step = |&at: &u32, face: u64| match at + 1 - 2 * face as u32 {
                    0 => Step::Output(0u8.into()),
                    at if at == n => Step::Output(1u8.into()),
                    at => Step::Roll(at),
                };
                let (chain, _) = Chain::explore(Step::Roll(i), 1000, |_| 2, step).unwrap();
                let law = chain.of_unknown_source().unwrap();
                let [p, q]: [Polynomial; 2] = unknown_faces(2).try_into().unwrap();
                // (p^i - q^i) p^(n - i) / (p^n - q^n)
                let lost = |k: u32| &p.power(k) - &q.power(k);
                let wins = RationalFunction::new(&lost(i) * &p.power(n - i), lost(n));
                assert_eq!(law.outcomes()[&1u8.into()], wins, "{i} of {n}");
                assert!(!law.shares(|_| Rational::new(1.into(), 2.into())));
            }
        }
    }
}
