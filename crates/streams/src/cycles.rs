//! Finds the states in which a chain of decisions ends up, and the cost between two visits of one
//! state.

use flipcost::law::Fundamental;
use flipcost_number::Rational;
use num_traits::Zero;
use std::collections::BTreeMap;

/// A graph of states, with the edges in both directions.
pub(crate) struct Graph {
    ahead: Vec<Vec<usize>>,
    back: Vec<Vec<usize>>,
}

/// Returns which states can be reached along the edges.
fn reachable_states(from: usize, edges: &[Vec<usize>]) -> Vec<bool> {
    let (mut seen, mut open) = (vec![false; edges.len()], vec![from]);
    seen[from] = true;
    while let Some(at) = open.pop() {
        for &to in &edges[at] {
            if !std::mem::replace(&mut seen[to], true) {
                open.push(to);
            }
        }
    }
    seen
}

impl Graph {
    /// Creates the graph from the successors of each state.
    pub fn new(ahead: Vec<Vec<usize>>) -> Graph {
        let mut back = vec![Vec::new(); ahead.len()];
        for (from, ahead) in ahead.iter().enumerate() {
            for to in ahead {
                back[*to].push(from);
            }
        }
        Graph { ahead, back }
    }

    /// The states that can be reached from this one.
    pub fn reached(&self, from: usize) -> Vec<bool> {
        reachable_states(from, &self.ahead)
    }

    /// The states from which this one can be reached.
    pub fn leading(&self, to: usize) -> Vec<bool> {
        reachable_states(to, &self.back)
    }

    /// Returns a recurrent state that can be reached from this state: every state that it leads to
    /// leads back to it.
    pub fn recurrent(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            let (there, again) = (self.reached(at), self.leading(at));
            match (0..there.len()).find(|&state| there[state] && !again[state]) {
                Some(further) => at = further,
                None => return at,
            }
        }
    }
}

/// The expected effects of a visit to a state.
pub(crate) struct Visit {
    /// The next states, each with its probability.
    pub next: Vec<(usize, Rational)>,
    pub rolls: Rational,
    pub outcomes: Rational,
}

/// Returns the expected number of rolls and the expected number of outcomes from every state until
/// `home` is reached. Every state must lead to `home`.
pub(crate) fn costs_until(home: usize, visits: Vec<Visit>) -> [Vec<Rational>; 2] {
    let (mut rows, mut rolls, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
    for visit in visits {
        let mut row: BTreeMap<usize, Rational> = BTreeMap::new();
        for (to, part) in visit.next {
            if to != home {
                *row.entry(to).or_insert_with(Rational::zero) += part;
            }
        }
        rows.push(row);
        rolls.push(visit.rolls);
        outcomes.push(visit.outcomes);
    }
    let chain = Fundamental::new(rows);
    [rolls, outcomes].map(|rewards| chain.values(rewards))
}
