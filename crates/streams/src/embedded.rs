//! The embedded chain of an endless stream of one target: its states are the values V at every
//! test.
//!
//! A test accepts or rejects; then the state is expanded again. So every state has at most two
//! successors. The chain is finite, but it may be reducible: with a coin, n = 15 and the capacity
//! 147, a stream ends up at V = 160 or at V = 192 and stays there. The long-run cost is that of a
//! closed (recurrent) class.

use super::cycles::Graph;
use flipcost::law::Fundamental;
use flipcost_number::reduce::sum;
use flipcost_number::{BigInt, Rational};
use num_traits::{One, Zero};
use std::collections::{BTreeMap, HashMap};

/// The chain whose states are the V at the tests, or a closed class of this chain.
pub(super) struct Embedded {
    /// The number n of sides of the target.
    pub target: u128,
    /// The values V.
    pub states: Vec<u128>,
    /// For every V, the next state and the number of rolls to reach it: first after acceptance,
    /// then after rejection (which is possible if V mod n is not 0).
    pub next: Vec<[(usize, u64); 2]>,
    /// A state that can be reached from every state, if there is only one closed class.
    pub home: usize,
}

impl Embedded {
    /// Finds all states that a stream can reach; `None` if there are more than `limit`.
    pub fn explore(source: u128, target: u128, enough: u128, limit: usize) -> Option<Embedded> {
        let (mut states, mut index) = (Vec::new(), HashMap::new());
        let mut place = |mut v: u128, states: &mut Vec<u128>| {
            let mut rolls = 0;
            while v < enough {
                v *= source; // v < 2^64 before, and m <= 2^64
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
        Some(Embedded {
            target,
            states,
            next,
            home: 0,
        })
    }

    /// V mod n: the number of values of c, out of V, that are rejected.
    pub fn rejected(&self, state: usize) -> u128 {
        self.states[state] % self.target
    }

    /// Returns the closed classes (the recurrent states), each as a separate chain. If there is
    /// only one class, returns the whole chain, since transient states do not change the cost.
    /// Cost: linear in the number of states for each class.
    pub fn closed_classes(self) -> Vec<Embedded> {
        let count = self.states.len();
        let ahead = self.next.iter().map(|next| next.map(|(to, _)| to).to_vec());
        let graph = Graph::new(ahead.collect());
        let mut classes: Vec<(usize, Vec<bool>)> = Vec::new();
        let mut led = vec![false; count]; // leads to a class found before
        while let Some(open) = (0..count).find(|&state| !led[state]) {
            let at = graph.recurrent(open);
            let comes = graph.leading(at);
            led.iter_mut()
                .zip(comes)
                .for_each(|(led, comes)| *led |= comes);
            classes.push((at, graph.reached(at)));
        }
        if let [(home, _)] = classes[..] {
            return vec![Embedded { home, ..self }];
        }
        let class = |(_, inside): (usize, Vec<bool>)| self.restrict_to_states(&inside);
        classes.into_iter().map(class).collect()
    }

    /// Restricts the chain to these states, which must be closed.
    fn restrict_to_states(&self, inside: &[bool]) -> Embedded {
        let kept: Vec<usize> = (0..inside.len()).filter(|&state| inside[state]).collect();
        let place: HashMap<usize, usize> = kept.iter().enumerate().map(|(i, &k)| (k, i)).collect();
        let moved = |&state: &usize| self.next[state].map(|(to, rolls)| (place[&to], rolls));
        Embedded {
            target: self.target,
            states: kept.iter().map(|&state| self.states[state]).collect(),
            next: kept.iter().map(moved).collect(),
            home: 0,
        }
    }

    /// The rolls per outcome of a closed class: the ratio of the expected rolls to the expected
    /// outcomes between two visits of one state (regenerative cycles).
    pub fn cost(&self) -> Rational {
        let home = self.home;
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
        let visits = Fundamental::new(rows).values(first);
        let (mut rolls, mut outcomes) = (Vec::new(), Vec::new());
        for (state, visits) in visits.iter().enumerate() {
            let below = visits.denom() * self.states[state];
            let back = self.rejected(state);
            let accepted = BigInt::from(self.states[state] - back);
            let [on, off] = self.next[state].map(|(_, rolls)| rolls);
            let all = visits.numer() * (&accepted * on + BigInt::from(back) * off);
            rolls.push(Rational::new_raw(all, below.clone()));
            outcomes.push(Rational::new_raw(visits.numer() * accepted, below));
        }
        sum(&rolls) / sum(&outcomes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: u32, q: u32) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// An artificial chain, which is the chain of no stream. Its first state (10 = 2 * 4 + 2,
    /// accepted with probability 8/10) leads to one of two absorbing states with different costs.
    #[test]
    fn every_closed_class_has_its_own_cost() {
        let chain = || Embedded {
            target: 4,
            states: vec![10, 12, 9],
            next: vec![[(1, 7), (2, 7)], [(1, 2), (1, 2)], [(2, 2), (2, 3)]],
            home: 0,
        };
        let classes = chain().closed_classes();
        let costs: Vec<Rational> = classes.iter().map(Embedded::cost).collect();
        // One state accepts 12 of 12 values after 2 rolls. The other accepts 8 of 9 after 2 rolls
        // and rejects 1 of 9 after 3: (16 + 3) / 8.
        assert_eq!(costs, [ratio(2, 1), ratio(19, 8)]);
        let (low, high) = classes[1].certified().unwrap();
        assert!(low <= costs[1] && costs[1] <= high);
        // Without the edge to the second absorbing state there is one class, and the first state is
        // transient.
        let mut one = chain();
        one.next[0][1] = (1, 7);
        one.next.truncate(2);
        one.states.truncate(2);
        let one = one.closed_classes();
        assert_eq!((one.len(), one[0].cost()), (1, ratio(2, 1)));
    }

    #[test]
    fn a_chain_above_the_limit_is_given_up() {
        assert!(Embedded::explore(6, 10_007, 10_007, 100).is_none());
    }
}
