//! Policies of a store: what is done at each size, and the chain that a policy makes.

use std::collections::BTreeMap;

/// What is done with a number that is uniform on v values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// v becomes m v: a roll of the source.
    Roll,
    /// The number is cut: it is below k with probability k / v and goes on with k values, or else with
    /// v - k.
    Split(u64),
    /// v = n q becomes q: an outcome.
    Output,
}

/// A policy: a move for each size from 1 to the largest that can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Sides of the source, m.
    pub source: u64,
    /// Sides of the target, n.
    pub target: u64,
    /// `moves[v - 1]` for v from 1 to m floor(S / m).
    pub moves: Vec<Move>,
}

/// What one number at a test leads to, before the next roll: it splits and gives outcomes.
///
/// Counts are of values: of the v values of the number, those of `ends[q]` q go on as a number on q
/// values, and over all v values `outputs` outcomes are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fate {
    pub ends: BTreeMap<u64, u64>,
    pub outputs: u64,
}

impl Policy {
    /// "Fill, then extract": roll while m v <= S, cut the largest multiple of n off and give an outcome
    /// from it. Sizes below n that cannot be rolled are cut into one value and the rest.
    pub fn fill(source: u64, target: u64, states: u64) -> Policy {
        let moves = (1..=largest(source, states)).map(|v| fill(source, target, states, v));
        Policy {
            source,
            target,
            moves: moves.collect(),
        }
    }

    /// What is done at v.
    pub fn at(&self, v: u64) -> Move {
        self.moves[v as usize - 1]
    }

    /// The largest size.
    pub fn largest(&self) -> u64 {
        self.moves.len() as u64
    }

    /// Sizes up to this one are rolled.
    pub(super) fn last_root(&self) -> u64 {
        self.largest() / self.source
    }

    /// Which sizes are reached from 1: by place, from v = 0.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.moves.len() + 1];
        let mut open = vec![1];
        while let Some(v) = open.pop() {
            if v == 0 || std::mem::replace(&mut reached[v as usize], true) {
                continue;
            }
            match self.at(v) {
                Move::Roll => open.push(v * self.source),
                Move::Split(k) => open.extend([k, v - k]),
                Move::Output => open.push(v / self.target),
            }
        }
        reached
    }

    /// The size at the next test from here, and the rolls to it.
    pub(super) fn rolled(&self, mut v: u64) -> (u64, u64) {
        let mut rolls = 0;
        while v <= self.last_root() {
            v *= self.source;
            rolls += 1;
        }
        (v, rolls)
    }

    /// What every size above the last root leads to: those first whose sizes are small.
    pub(super) fn fates(&self) -> Vec<Fate> {
        let roots = self.last_root();
        let mut fates: Vec<Fate> = Vec::new();
        for v in roots + 1..=self.largest() {
            let mut fate = Fate::default();
            let mut add = |part: u64, times: u64| match part <= roots {
                true => *fate.ends.entry(part).or_default() += times,
                false => {
                    let known = &fates[(part - roots - 1) as usize];
                    for (q, count) in &known.ends {
                        *fate.ends.entry(*q).or_default() += times * count;
                    }
                    fate.outputs += times * known.outputs;
                }
            };
            match self.at(v) {
                Move::Split(k) => {
                    add(k, 1);
                    add(v - k, 1);
                }
                Move::Output => {
                    add(v / self.target, self.target);
                    fate.outputs += v;
                }
                Move::Roll => unreachable!("sizes above the last root are not rolled"),
            }
            fates.push(fate);
        }
        fates
    }
}

/// The largest size that can be reached: every size is at most m times a size, or below one.
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
