//! Finite chains, explored from a step and solved exactly.
//!
//! A [`Chain`] holds every state that an algorithm can reach. All its quantities are solutions of
//! sparse linear systems over the rationals: with P the transitions between unfinished states,
//!
//! ```text
//! visits    v = e_start + P^T v      P(outcome) = sum_u v(u) P(u -> outcome)
//! remaining h = 1 + P h              E[T] = h(start)
//! E[T^2] = sum_u v(u) (2 h(u) - 1).
//! ```

use crate::number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::hash::Hash;
use std::sync::OnceLock;

/// What an algorithm does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<S> {
    /// Roll again, from this state.
    Roll(S),
    /// The target shows this face (from 0).
    Output(BigUint),
}

/// Where a face leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Next {
    /// Another unfinished state.
    State(u32),
    /// An outcome, by its index in [`Chain::outcomes`].
    Outcome(u32),
}

/// The chain has more transitions than were allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its chain has more than {limit} transitions")]
pub struct TooLarge {
    /// The limit that was passed.
    pub limit: usize,
}

/// A finite chain: unfinished states, what each face does, and the outcomes.
pub struct Chain {
    start: Next,
    /// For every state, the next step per face (the number of faces is the length).
    moves: Vec<Vec<Next>>,
    outcomes: Vec<BigUint>,
    base: u64,
    phases: OnceLock<Phases>,
}

impl Chain {
    /// Explores every reachable state, in breadth-first order, together with the states' own names.
    /// `sides` says how many faces the die of a state has. Cost: one step per state and face.
    pub fn explore<S: Clone + Eq + Hash>(
        start: Step<S>,
        limit: usize,
        sides: impl Fn(&S) -> u64,
        mut step: impl FnMut(&S, u64) -> Step<S>,
    ) -> Result<(Chain, Vec<S>), TooLarge> {
        let mut states: Vec<S> = Vec::new();
        let mut known: HashMap<S, u32> = HashMap::new();
        let mut outcomes: Vec<BigUint> = Vec::new();
        let mut named: HashMap<BigUint, u32> = HashMap::new();
        let mut place = |step: Step<S>, states: &mut Vec<S>| match step {
            Step::Roll(state) => Next::State(*known.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() as u32 - 1
            })),
            Step::Output(outcome) => {
                Next::Outcome(*named.entry(outcome).or_insert_with_key(|outcome| {
                    outcomes.push(outcome.clone());
                    outcomes.len() as u32 - 1
                }))
            }
        };
        let start = place(start, &mut states);
        let mut moves: Vec<Vec<Next>> = Vec::new();
        let (mut spent, mut base) = (0u64, 1u64);
        while moves.len() < states.len() {
            let state = states[moves.len()].clone();
            let faces = sides(&state);
            spent = spent.saturating_add(faces);
            if spent > limit as u64 {
                return Err(TooLarge { limit });
            }
            base = base.lcm(&faces);
            let row = (0..faces)
                .map(|face| place(step(&state, face), &mut states))
                .collect();
            moves.push(row);
        }
        let chain = Chain {
            start,
            moves,
            outcomes,
            base,
            phases: OnceLock::new(),
        };
        Ok((chain, states))
    }

    /// The first state, or an outcome that needs no roll.
    pub fn start(&self) -> Next {
        self.start
    }

    /// What each face of each state does.
    pub fn moves(&self) -> &[Vec<Next>] {
        &self.moves
    }

    /// The outcomes that can be reached.
    pub fn outcomes(&self) -> &[BigUint] {
        &self.outcomes
    }

    /// The survivors of depth t are counted in units of base^-t (the least common multiple of the
    /// dice; the source itself where there is only one).
    pub fn base(&self) -> u64 {
        self.base.max(2)
    }

    /// The numbers P(T > t) base^t, t = 0, 1, 2, ...
    pub fn survivors(&self) -> impl Iterator<Item = BigUint> + '_ {
        let mut now: BTreeMap<u32, BigUint> = BTreeMap::new();
        if let Next::State(first) = self.start {
            now.insert(first, BigUint::one());
        }
        std::iter::repeat_with(move || {
            let alive: BigUint = now.values().sum();
            let mut next: BTreeMap<u32, BigUint> = BTreeMap::new();
            for (state, count) in &now {
                let row = &self.moves[*state as usize];
                let weight = self.base() / row.len() as u64;
                for target in row {
                    if let Next::State(to) = target {
                        *next.entry(*to).or_default() += count * weight;
                    }
                }
            }
            now = next;
            alive
        })
    }

    fn phases(&self) -> &Phases {
        self.phases.get_or_init(|| {
            let count = |row: &Vec<Next>| {
                let mut times: BTreeMap<usize, u64> = BTreeMap::new();
                for next in row {
                    if let Next::State(to) = next {
                        *times.entry(*to as usize).or_default() += 1;
                    }
                }
                let faces = BigInt::from(row.len());
                let share = |(to, k): (usize, u64)| (to, Rational::new(k.into(), faces.clone()));
                times.into_iter().map(share).collect()
            };
            let start = match self.start {
                Next::State(start) => Some(start as usize),
                Next::Outcome(_) => None,
            };
            Phases::new(start, self.moves.iter().map(count).collect())
        })
    }

    /// Expected remaining rolls from every state.
    pub fn remaining(&self) -> &[Rational] {
        self.phases().remaining()
    }

    /// Expected number of visits to every state.
    pub fn visits(&self) -> &[Rational] {
        self.phases().visits()
    }

    /// `E[T]`.
    pub fn mean(&self) -> Rational {
        self.phases().mean()
    }

    /// (`E[T]`, `E[T^2]`).
    pub fn moments(&self) -> (Rational, Rational) {
        self.phases().moments()
    }

    /// The exact probability of every outcome, in the order of the outcomes' values.
    pub fn probabilities(&self) -> BTreeMap<BigUint, Rational> {
        let mut all: Vec<Rational> = vec![Rational::zero(); self.outcomes.len()];
        if let Next::Outcome(only) = self.start {
            all[only as usize] = Rational::one();
        }
        for (row, visits) in self.moves.iter().zip(self.visits()) {
            let share = visits / BigInt::from(row.len());
            let mut times: BTreeMap<u32, u64> = BTreeMap::new();
            for next in row {
                if let Next::Outcome(outcome) = next {
                    *times.entry(*outcome).or_default() += 1;
                }
            }
            for (outcome, k) in times {
                all[outcome as usize] += &share * BigInt::from(k);
            }
        }
        self.outcomes.iter().cloned().zip(all).collect()
    }

    /// The longest path from the start; `None` if there is a cycle.
    pub fn worst_case(&self) -> Option<u64> {
        self.phases().worst_case()
    }
}

/// Phases and the probabilities with which one roll leads from one to another; what is missing to 1
/// ends. A chain whose values are forgotten: all that the law of T needs.
pub struct Phases {
    start: Option<usize>,
    moves: Vec<BTreeMap<usize, Rational>>,
    remaining: OnceLock<Vec<Rational>>,
    visits: OnceLock<Vec<Rational>>,
}

impl Phases {
    /// The phases, each with its positive probabilities; no start means that no roll is needed.
    pub fn new(start: Option<usize>, moves: Vec<BTreeMap<usize, Rational>>) -> Self {
        Phases {
            start,
            moves,
            remaining: OnceLock::new(),
            visits: OnceLock::new(),
        }
    }

    /// P(T > t), t = 0, 1, 2, ...
    pub fn survival(&self) -> impl Iterator<Item = Rational> + '_ {
        let mut now: BTreeMap<usize, Rational> = self
            .start
            .map(|s| (s, Rational::one()))
            .into_iter()
            .collect();
        std::iter::repeat_with(move || {
            let alive = now.values().sum();
            let mut next: BTreeMap<usize, Rational> = BTreeMap::new();
            for (from, mass) in &now {
                for (to, probability) in &self.moves[*from] {
                    *next.entry(*to).or_insert_with(Rational::zero) += mass * probability;
                }
            }
            now = next;
            alive
        })
    }

    /// Expected remaining rolls from every phase.
    pub fn remaining(&self) -> &[Rational] {
        self.remaining
            .get_or_init(|| solve(self.moves.clone(), vec![Rational::one(); self.moves.len()]))
    }

    /// Expected number of visits to every phase.
    pub fn visits(&self) -> &[Rational] {
        self.visits.get_or_init(|| {
            let mut transposed = vec![BTreeMap::new(); self.moves.len()];
            for (from, row) in self.moves.iter().enumerate() {
                for (to, probability) in row {
                    transposed[*to].insert(from, probability.clone());
                }
            }
            let mut first = vec![Rational::zero(); self.moves.len()];
            if let Some(start) = self.start {
                first[start] = Rational::one();
            }
            solve(transposed, first)
        })
    }

    /// `E[T]`.
    pub fn mean(&self) -> Rational {
        self.start
            .map_or_else(Rational::zero, |start| self.remaining()[start].clone())
    }

    /// (`E[T]`, `E[T^2]`).
    pub fn moments(&self) -> (Rational, Rational) {
        let two = BigInt::from(2);
        let pairs = self.visits().iter().zip(self.remaining());
        let second = pairs.map(|(v, h)| v * (h * &two - BigInt::one()));
        (self.mean(), second.sum())
    }

    /// The longest path from the start; `None` if there is a cycle.
    pub fn worst_case(&self) -> Option<u64> {
        let Some(start) = self.start else {
            return Some(0);
        };
        let paths: Vec<Vec<usize>> = self
            .moves
            .iter()
            .map(|row| row.keys().copied().collect())
            .collect();
        // Depth-first with an explicit stack: 0 unseen, 1 open, 2 done.
        let (mut mark, mut depth) = (vec![0u8; paths.len()], vec![0u64; paths.len()]);
        let mut stack = vec![(start, 0usize)];
        mark[start] = 1;
        while let Some((at, i)) = stack.pop() {
            let Some(&to) = paths[at].get(i) else {
                mark[at] = 2;
                depth[at] = 1 + paths[at].iter().map(|to| depth[*to]).max().unwrap_or(0);
                continue;
            };
            stack.push((at, i + 1));
            match mark[to] {
                0 => {
                    mark[to] = 1;
                    stack.push((to, 0));
                }
                1 => return None,
                _ => {}
            }
        }
        Some(depth[start])
    }
}

/// Solves x = b + A x over the rationals, A sparse with a unique solution, by eliminating the
/// unknown that touches the fewest others first. A chain of single successors costs O(states).
pub fn solve(mut rows: Vec<BTreeMap<usize, Rational>>, mut b: Vec<Rational>) -> Vec<Rational> {
    let n = rows.len();
    let mut columns: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
    for (i, row) in rows.iter().enumerate() {
        for j in row.keys() {
            columns[*j].insert(i);
        }
    }
    let cost = |rows: &Vec<BTreeMap<usize, Rational>>, columns: &Vec<BTreeSet<usize>>, k: usize| {
        rows[k].len() * columns[k].len()
    };
    let mut queue: BinaryHeap<Reverse<(usize, usize)>> = (0..n)
        .map(|k| Reverse((cost(&rows, &columns, k), k)))
        .collect();
    let mut order = Vec::with_capacity(n);
    let mut done = vec![false; n];
    while let Some(Reverse((price, k))) = queue.pop() {
        if done[k] || price != cost(&rows, &columns, k) {
            continue;
        }
        done[k] = true;
        order.push(k);
        // x_k = (b_k + sum_{j != k} a_kj x_j) / (1 - a_kk)
        if let Some(own) = rows[k].remove(&k) {
            columns[k].remove(&k);
            let scale = (Rational::one() - own).recip();
            rows[k].values_mut().for_each(|a| *a *= &scale);
            b[k] *= scale;
        }
        let row = rows[k].clone();
        for i in std::mem::take(&mut columns[k]) {
            let Some(factor) = rows[i].remove(&k) else {
                continue;
            };
            if !b[k].is_zero() {
                let more = &factor * &b[k];
                b[i] += more;
            }
            for (j, a) in &row {
                let more = &factor * a;
                *rows[i].entry(*j).or_insert_with(Rational::zero) += more;
                columns[*j].insert(i);
            }
            queue.push(Reverse((cost(&rows, &columns, i), i)));
        }
        for j in row.keys() {
            columns[*j].remove(&k);
            queue.push(Reverse((cost(&rows, &columns, *j), *j)));
        }
    }
    for k in order.into_iter().rev() {
        let value = rows[k]
            .iter()
            .fold(b[k].clone(), |sum, (j, a)| sum + a * &b[*j]);
        b[k] = value;
    }
    b
}
