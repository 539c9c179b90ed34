//! Policies of a store: the move at each size, and the chain that results from a policy.

use std::collections::BTreeMap;

/// A move of a store whose number is uniform on v values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Rolls the source: v becomes m v.
    Roll,
    /// Splits the values: with probability k / v the number is below k and continues with k values,
    /// otherwise with v - k.
    Split(u64),
    /// Gives an outcome: v = n q becomes q.
    Output,
}

/// A policy: a move for each size from 1 to the largest that can be reached, and for each target
/// that may come next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The number m of sides of the source.
    pub source: u64,
    /// The numbers of sides of the targets in the order in which they come, again and again; often
    /// a single one.
    pub targets: Vec<u64>,
    /// The moves: `moves[i][v - 1]` while target i is next, for v from 1 to m floor(S / m).
    pub moves: Vec<Vec<Move>>,
}

/// A size at which the policy rolls, and the place in the order of the target that is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Root {
    pub place: usize,
    pub size: u64,
}

/// The result of a test of one number before the next roll: its splits and outcomes.
///
/// Counts refer to the v values of the number: `ends[q]` times q of them continue as a number on q
/// values, and over all v values together `outputs` outcomes are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestResult {
    pub ends: BTreeMap<Root, u64>,
    pub outputs: u64,
}

impl Policy {
    /// The policy "fill, then extract": roll while m v <= S, split off the largest multiple of n
    /// and give an outcome from it. Sizes below n that cannot be rolled are split into one value
    /// and the rest.
    pub fn fill(source: u64, targets: &[u64], states: u64) -> Policy {
        let moves = |target: &u64| {
            let sizes = 1..=largest(source, states);
            sizes.map(|v| fill(source, *target, states, v)).collect()
        };
        Policy {
            source,
            targets: targets.to_vec(),
            moves: targets.iter().map(moves).collect(),
        }
    }

    /// The move at v if the target at this place of the order is next.
    pub fn move_at(&self, place: usize, v: u64) -> Move {
        self.moves[place][v as usize - 1]
    }

    pub(super) fn set(&mut self, place: usize, v: u64, found: Move) {
        self.moves[place][v as usize - 1] = found;
    }

    /// The largest size of the policy.
    pub fn largest(&self) -> u64 {
        self.moves[0].len() as u64
    }

    /// The number of targets in the order.
    pub(super) fn places(&self) -> usize {
        self.targets.len()
    }

    /// The place in the order after this one.
    pub fn next(&self, place: usize) -> usize {
        (place + 1) % self.places()
    }

    /// The largest size at which the policy rolls.
    pub(super) fn last_root(&self) -> u64 {
        self.largest() / self.source
    }

    /// Returns the sizes at which the policy does not roll, in ascending order, each with every
    /// place in the order of targets. Their splits and outcomes lead to sizes that come earlier, or
    /// at which the policy rolls.
    pub(super) fn tests(&self) -> impl Iterator<Item = (usize, u64)> + use<> {
        let places = self.places();
        (self.last_root() + 1..=self.largest())
            .flat_map(move |v| (0..places).map(move |place| (place, v)))
    }

    /// Which sizes are reached from size 1 and the first target: by place in the order and by v,
    /// from v = 0.
    pub fn reached(&self) -> Vec<Vec<bool>> {
        let mut reached = vec![vec![false; self.largest() as usize + 1]; self.places()];
        let mut open = vec![(0, 1)];
        while let Some((place, v)) = open.pop() {
            if v == 0 || std::mem::replace(&mut reached[place][v as usize], true) {
                continue;
            }
            match self.move_at(place, v) {
                Move::Roll => open.push((place, v * self.source)),
                Move::Split(k) => open.extend([(place, k), (place, v - k)]),
                Move::Output => open.push((self.next(place), v / self.targets[place])),
            }
        }
        reached
    }

    /// The size at the next test, and the number of rolls until then.
    pub(super) fn rolled(&self, mut v: u64) -> (u64, u64) {
        let mut rolls = 0;
        while v <= self.last_root() {
            v *= self.source;
            rolls += 1;
        }
        (v, rolls)
    }

    /// The results of every test, in the order of [`tests`](Policy::tests).
    pub(super) fn test_results(&self) -> PolicyTestResults {
        let mut results = PolicyTestResults {
            roots: self.last_root(),
            places: self.places(),
            all: Vec::new(),
        };
        for (place, v) in self.tests() {
            let mut result = TestResult::default();
            let mut add = |place: usize, size: u64, times: u64| {
                if size <= results.roots {
                    *result.ends.entry(Root { place, size }).or_default() += times
                } else {
                    let known = results.get(place, size);
                    for (end, count) in &known.ends {
                        *result.ends.entry(*end).or_default() += times * count;
                    }
                    result.outputs += times * known.outputs;
                }
            };
            match self.move_at(place, v) {
                Move::Split(k) => {
                    add(place, k, 1);
                    add(place, v - k, 1);
                }
                Move::Output => {
                    let n = self.targets[place];
                    add(self.next(place), v / n, n);
                    result.outputs += v;
                }
                Move::Roll => unreachable!("sizes above the last root are not rolled"),
            }
            results.all.push(result);
        }
        results
    }
}

/// The results of every test of a policy.
pub(super) struct PolicyTestResults {
    roots: u64,
    places: usize,
    all: Vec<TestResult>,
}

impl PolicyTestResults {
    /// The result at a size at which the policy does not roll.
    pub fn get(&self, place: usize, v: u64) -> &TestResult {
        &self.all[(v - self.roots - 1) as usize * self.places + place]
    }
}

/// The largest size that can be reached, m floor(S / m): only a roll makes a size larger, and a
/// roll multiplies by m.
pub fn largest(source: u64, states: u64) -> u64 {
    states / source * source
}

fn fill(source: u64, target: u64, states: u64, v: u64) -> Move {
    match v {
        v if v <= states / source => Move::Roll,
        v if v < target => Move::Split(v - 1),
        v if v.is_multiple_of(target) => Move::Output,
        v => Move::Split(v - v % target),
    }
}
