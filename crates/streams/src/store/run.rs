//! Runs a store with real rolls, step by step.

use super::policy::{Move, Policy};
use super::staged::{StageDecision, Staged};

/// A step of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreStep {
    /// The source was rolled and showed this face, counted from 0.
    Roll(u64),
    /// The values were split into this many values and the rest; the number lies in one of the two
    /// parts.
    Split(u64),
    /// A stage of a request was decided; the number is that of the outcomes in its group. The
    /// decision is for the group, for the other outcomes, or for neither. In the last case the
    /// store is empty and the stage begins again.
    Decide(u64, StageDecision),
    /// The store gave this outcome, counted from 0.
    Outcome(u64),
}

/// The rule that a store follows.
enum StoreRule {
    /// A policy, and the place in the order of the target that is next.
    Whole(Policy, usize),
    /// `stage` is the current stage, and `j / t` the probability of its group, where t is the
    /// number of outcomes of the stage. After a group is chosen, `group` contains the first outcome
    /// of the group, the number of coins that are still to be flipped, and the number that the
    /// coins so far form.
    Staged {
        rule: Staged,
        stage: usize,
        j: u64,
        group: Option<(u64, u32, u64)>,
    },
}

/// A store with its number, which is uniform below `values`.
///
/// ```
/// use flipcost_streams::{Staged, StoreRun, StoreStep};
/// let mut run = StoreRun::staged(Staged::new(8, 4));
/// let mut coins = [1u64, 0, 1].into_iter();
/// let outcome = loop {
///     if let StoreStep::Outcome(face) = run.step(&mut || coins.next()).unwrap() {
///         break face;
///     }
/// };
/// assert_eq!(outcome, 0b101);
/// ```
pub struct StoreRun {
    rule: StoreRule,
    values: u64,
    number: u64,
}

impl StoreRun {
    /// Creates an empty store that follows a policy.
    pub fn new(policy: Policy) -> StoreRun {
        StoreRun {
            rule: StoreRule::Whole(policy, 0),
            values: 1,
            number: 0,
        }
    }

    /// Creates an empty store that follows the staged rule.
    pub fn staged(rule: Staged) -> StoreRun {
        let j = rule.group_size(0);
        let rule = StoreRule::Staged {
            rule,
            stage: 0,
            j,
            group: None,
        };
        StoreRun {
            rule,
            values: 1,
            number: 0,
        }
    }

    /// The stored number, and the number of values on which it is uniform.
    pub fn state(&self) -> (u64, u64) {
        (self.number, self.values)
    }

    /// The number of sides of the target that is next.
    pub fn target(&self) -> u64 {
        match &self.rule {
            StoreRule::Whole(policy, place) => policy.targets[*place],
            StoreRule::Staged { rule, .. } => rule.target(),
        }
    }

    /// Makes the next step; `roll` returns faces counted from 0. Returns `None`, and changes
    /// nothing, if `roll` returns `None`.
    pub fn step(&mut self, roll: &mut dyn FnMut() -> Option<u64>) -> Option<StoreStep> {
        match &mut self.rule {
            StoreRule::Whole(policy, place) => {
                let v = self.values;
                Some(match policy.move_at(*place, v) {
                    Move::Roll => {
                        let face = roll()?;
                        self.number = self.number * policy.source + face;
                        self.values = v * policy.source;
                        StoreStep::Roll(face)
                    }
                    Move::Split(k) => {
                        if self.number < k {
                            self.values = k
                        } else {
                            self.number -= k;
                            self.values = v - k;
                        }
                        StoreStep::Split(k)
                    }
                    Move::Output => {
                        let n = policy.targets[*place];
                        let face = self.number % n;
                        self.number /= n;
                        self.values = v / n;
                        *place = policy.next(*place);
                        StoreStep::Outcome(face)
                    }
                })
            }
            StoreRule::Staged {
                rule,
                stage,
                j,
                group,
            } => {
                if let Some((first, missing, number)) = *group {
                    if missing == 0 {
                        *group = None;
                        (*stage, *j) = (0, rule.group_size(0));
                        return Some(StoreStep::Outcome(first + number));
                    }
                    let face = roll()?;
                    *group = Some((first, missing - 1, number << 1 | face));
                    return Some(StoreStep::Roll(face));
                }
                if let Some(first) = rule.first_outcome_if_only_coins(*stage) {
                    *group = Some((first, rule.group_coins(*stage), 0));
                    return self.step(roll);
                }
                if !rule.is_filled(self.values) {
                    let face = roll()?;
                    self.number = self.number << 1 | face;
                    self.values <<= 1;
                    return Some(StoreStep::Roll(face));
                }
                let size = rule.group_size(*stage);
                let (decision, number, values, next) =
                    rule.decide(*stage, *j, self.number, self.values);
                (self.number, self.values) = (number, values);
                match decision {
                    StageDecision::Group => {
                        *group = Some((rule.first_outcome(*stage), rule.group_coins(*stage), 0));
                    }
                    StageDecision::Others => {
                        *stage += 1;
                        *j = rule.group_size(*stage);
                    }
                    StageDecision::Again => *j = next,
                }
                Some(StoreStep::Decide(size, decision))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::best_policy;
    use crate::store::policy::Policy;

    fn first(mut run: StoreRun, coins: &[u64]) -> Option<u64> {
        let mut coins = coins.iter().copied();
        loop {
            if let StoreStep::Outcome(face) = run.step(&mut || coins.next())? {
                return Some(face);
            }
        }
    }

    /// After any number of coins the first outcome of a policy, if there is one, is uniform: every
    /// move keeps the number uniform.
    #[test]
    fn outcomes_of_a_policy_are_uniform() {
        let policies = [(2, 3, 32), (2, 5, 40), (2, 6, 64), (2, 7, 64), (2, 11, 60)];
        for (m, n, s) in policies {
            let best = best_policy(m, &[n], s, &mut || true).unwrap().policy;
            for policy in [best, Policy::fill(m, &[n], s)] {
                for depth in [8u32, 12] {
                    let mut count = vec![0u64; n as usize];
                    for coins in 0u64..1 << depth {
                        let coins: Vec<u64> = (0..depth).map(|i| coins >> i & 1).collect();
                        if let Some(face) = first(StoreRun::new(policy.clone()), &coins) {
                            count[face as usize] += 1;
                        }
                    }
                    assert!(
                        count[0] > 0 && count.iter().all(|x| *x == count[0]),
                        "{count:?}"
                    );
                }
            }
        }
    }

    /// Targets in an order: after any number of coins every pair of the first two outcomes is
    /// equally frequent.
    #[test]
    fn outcomes_in_an_order_are_uniform() {
        for (order, s) in [([3, 5], 32), ([6, 4], 48), ([7, 3], 30)] {
            let policy = best_policy(2, &order, s, &mut || true).unwrap().policy;
            let mut count = vec![0u64; (order[0] * order[1]) as usize];
            for coins in 0u64..1 << 13 {
                let mut coins = (0..13).map(|i| coins >> i & 1);
                let mut run = StoreRun::new(policy.clone());
                let mut faces = Vec::new();
                while let Some(step) = run.step(&mut || coins.next()) {
                    if let StoreStep::Outcome(face) = step {
                        faces.push(face);
                    }
                    if let [first, second] = faces[..] {
                        count[(first * order[1] + second) as usize] += 1;
                        assert_eq!(run.target(), order[0]);
                        break;
                    }
                }
            }
            assert!(
                count[0] > 0 && count.iter().all(|x| *x == count[0]),
                "{order:?}: {count:?}"
            );
        }
    }

    /// The staged rule gives each face of a group, and each face in all, equally often.
    #[test]
    fn outcomes_of_a_group_are_equal() {
        for (n, s) in [(3, 16), (5, 16), (6, 8), (7, 8), (10, 16)] {
            let mut count = vec![0u64; n as usize];
            for coins in 0u64..1 << 12 {
                let coins: Vec<u64> = (0..12).map(|i| coins >> i & 1).collect();
                if let Some(face) = first(StoreRun::staged(Staged::new(n, s)), &coins) {
                    count[face as usize] += 1;
                }
            }
            let group = 1 << n.ilog2();
            assert!(count.iter().all(|x| *x > 0), "d{n}: {count:?}");
            assert!(
                count[..group].iter().all(|x| *x == count[0]),
                "d{n}: {count:?}"
            );
        }
    }
}
