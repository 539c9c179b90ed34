//! Finds a good policy in floating point: for v nodes, which die to roll, or how to split the
//! nodes.
//!
//! The proof does not rely on these results: [`super::proof`] proves that the policy is optimal, or
//! improves it.

use super::die::Die;
use flipcost_number::budget::spend;
use flipcost_number::nearest_f64;

/// What to do with v nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Roll this die (an index into the set of dice).
    Roll(usize),
    /// Continue the first a nodes and the other v - a nodes separately.
    Split(usize),
}

/// The problem: the target, the set of dice, and whether nodes may be split.
pub(super) struct PlanProblem<'a> {
    pub target: usize,
    pub dice: &'a [Die],
    pub split: bool,
}

impl PlanProblem<'_> {
    /// The number of undecided nodes after each of v nodes is rolled with this die: v m mod n.
    pub fn nodes_left(&self, v: usize, die: usize) -> usize {
        // No overflow: v < 2^13 and m <= 2^64.
        (v as u128 * self.dice[die].sides % self.target as u128) as usize
    }

    /// Returns every action at v nodes.
    pub fn actions(&self, v: usize) -> impl Iterator<Item = Action> + use<> {
        let splits = if self.split { v / 2 } else { 0 };
        (0..self.dice.len())
            .map(Action::Roll)
            .chain((1..=splits).map(Action::Split))
    }

    /// Returns the policy that rolls only this die; it always ends.
    pub fn alone(&self, die: usize) -> Vec<Action> {
        vec![Action::Roll(die); self.target]
    }

    /// Finds a policy by value iteration (Gauss-Seidel) from F = 0. Every sweep allows one more
    /// roll, then splits, in the order of increasing v. A sweep takes O(n) steps, or O(n^2) with
    /// splitting. The values converge as fast as nodes are decided, by a factor of about the number
    /// of sides per sweep.
    pub fn search(&self) -> Vec<Action> {
        const SWEEPS: usize = 2000;
        let prices: Vec<f64> = {
            let dearest = self.dice.iter().map(|die| &die.price).max();
            let of = |die: &Die| dearest.map(|most| &die.price / most);
            let nearest = |die| of(die).map_or(1.0, |p| nearest_f64(p.numer(), p.denom()));
            self.dice.iter().map(nearest).collect()
        };
        let rolled = |f: &[f64], v: usize, die: usize| {
            v as f64 * prices[die] + f[self.nodes_left(v, die)] / self.dice[die].sides as f64
        };
        let best_roll = |f: &[f64], v: usize| {
            (0..self.dice.len())
                .map(|die| (rolled(f, v, die), Action::Roll(die)))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .expect("a set of dice is not empty")
        };
        let best_split = |f: &[f64], v: usize| {
            let (low, high) = (&f[1..=v / 2], &f[v - v / 2..v]);
            low.iter()
                .zip(high.iter().rev())
                .map(|(a, b)| a + b)
                .fold(f64::INFINITY, f64::min)
        };
        let mut f = vec![0.0; self.target];
        for _ in 0..SWEEPS {
            let mut change: f64 = 0.0;
            for v in 1..self.target {
                spend(if self.split { v as u64 } else { 10 });
                let mut value = best_roll(&f, v).0;
                if self.split {
                    value = value.min(best_split(&f, v));
                }
                change = change.max((value - f[v]).abs() / value);
                f[v] = value;
            }
            if change < 1e-14 {
                break;
            }
        }
        let choose = |v: usize| {
            let (value, roll) = best_roll(&f, v);
            if !self.split || value <= best_split(&f, v) * (1.0 + 1e-11) {
                return roll;
            }
            let sum = |a: &usize| f[*a] + f[v - *a];
            let a = (1..=v / 2).min_by(|a, b| sum(a).total_cmp(&sum(b)));
            a.map_or(roll, Action::Split)
        };
        // For v = 0 the action does not matter.
        std::iter::once(Action::Roll(0))
            .chain((1..self.target).map(choose))
            .collect()
    }
}
