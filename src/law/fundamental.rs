//! The fundamental matrix N = (I - P)^-1 of an absorbing Markov chain, computed exactly.
//!
//! P contains the probabilities of the steps between unfinished states; a row sums to less than 1
//! if the chain can end there. Entry (u, w) of N is the expected number of visits to w from u. All
//! other expected values are products with N:
//!
//! ```text
//! N r      expected reward from every state, r(u) for every visit to u
//! s^T N    expected visits to every state, s(u) the probability (or mass) to begin at u
//! ```
//!
//! N is never written out: for n states it has n^2 entries, while P often has only a small multiple
//! of n entries that are not 0. Instead the steps of one elimination of I - P are stored, a sparse
//! LU decomposition with pivots on the diagonal. In terms of the chain, a state is eliminated by
//! redirecting every transition into this state to its successors. The only subtractions are 1 -
//! P(u -> u), so no cancellation makes the fractions grow. If most of the remaining states lead to
//! most others, they are not eliminated; their equations are solved as in `law/lifting.rs`.
//!
//! **Source.** Kemeny & Snell 1960, Finite Markov Chains, chapter III (the fundamental matrix);
//! Markowitz 1957 (the order of the pivots: the fewest products first).

pub(crate) use super::lifting::Rows;
use super::lifting::{Dense, is_dense};
use flipcost_number::Rational;
use flipcost_number::reduce::{plus, times};
use num_traits::{One, Zero};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// N = (I - P)^-1 as the steps of an elimination.
pub struct Fundamental {
    /// The pivots, in the order of elimination.
    pivots: Vec<Pivot>,
    /// The states that remain after the elimination, if any.
    dense: Option<Dense>,
}

struct Pivot {
    state: usize,
    /// 1 / (1 - P(u -> u)), the expected number of visits in a row; `None` for 1.
    scale: Option<Rational>,
    /// The transitions from the state to states that are eliminated later.
    row: Vec<(usize, Rational)>,
    /// The transitions into this state from states that are eliminated later.
    column: Vec<(usize, Rational)>,
}

impl Fundamental {
    /// Eliminates I - P. The state with the fewest neighbours is eliminated first. Cost: for a path
    /// of n states, O(n) products of fractions; in lowest terms, these are quotients of minors of
    /// I - P. For a full matrix, O(n^3) products of words.
    ///
    /// # Panics
    /// If the chain may stay in some states forever, since N does not exist then.
    pub fn new(mut rows: Rows) -> Fundamental {
        let n = rows.len();
        let mut columns: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
        for (from, row) in rows.iter().enumerate() {
            for to in row.keys() {
                columns[*to].insert(from);
            }
        }
        let products =
            |rows: &Rows, columns: &[BTreeSet<usize>], k: usize| rows[k].len() * columns[k].len();
        let mut queue: BinaryHeap<Reverse<(usize, usize)>> = (0..n)
            .map(|k| Reverse((products(&rows, &columns, k), k)))
            .collect();
        let mut done = vec![false; n];
        let (mut pivots, mut dense) = (Vec::with_capacity(n), None);
        let mut tried = false;
        while let Some(Reverse((price, state))) = queue.pop() {
            if done[state] || price != products(&rows, &columns, state) {
                continue;
            }
            if !tried && is_dense(n - pivots.len(), price) {
                tried = true;
                let left = (0..n).filter(|state| !done[*state]).collect();
                dense = Dense::new(&rows, left);
                if dense.is_some() {
                    break;
                }
            }
            done[state] = true;
            let mut row = std::mem::take(&mut rows[state]);
            columns[state].remove(&state);
            let scale = row.remove(&state).map(|own| {
                let leave = Rational::one() - own;
                assert!(!leave.is_zero(), "a state of the chain is never left");
                leave.recip()
            });
            if let Some(scale) = &scale {
                row.values_mut().for_each(|p| *p = times(p, scale));
            }
            let mut column = Vec::new();
            for from in std::mem::take(&mut columns[state]) {
                let Some(enter) = rows[from].remove(&state) else {
                    continue;
                };
                for (to, p) in &row {
                    let sum = rows[from].entry(*to).or_insert_with(Rational::zero);
                    *sum = plus(sum, &times(&enter, p));
                    columns[*to].insert(from);
                }
                queue.push(Reverse((products(&rows, &columns, from), from)));
                column.push((from, enter));
            }
            for to in row.keys() {
                columns[*to].remove(&state);
                queue.push(Reverse((products(&rows, &columns, *to), *to)));
            }
            pivots.push(Pivot {
                state,
                scale,
                row: row.into_iter().collect(),
                column,
            });
        }
        Fundamental { pivots, dense }
    }

    /// Computes N r: for every state, the expected sum of all rewards from that state on, including
    /// its own. Cost: one product for every entry of the elimination, and for n dense states O(n^2)
    /// products of words for every word of the result.
    pub fn values(&self, mut reward: Vec<Rational>) -> Vec<Rational> {
        for pivot in &self.pivots {
            if let Some(scale) = &pivot.scale {
                reward[pivot.state] = times(&reward[pivot.state], scale);
            }
            if reward[pivot.state].is_zero() {
                continue;
            }
            for (from, enter) in &pivot.column {
                reward[*from] = plus(&reward[*from], &times(enter, &reward[pivot.state]));
            }
        }
        if let Some(dense) = &self.dense {
            dense.solve(&mut reward, false);
        }
        for pivot in self.pivots.iter().rev() {
            let own = std::mem::take(&mut reward[pivot.state]);
            let ahead = pivot.row.iter();
            reward[pivot.state] =
                ahead.fold(own, |sum, (to, p)| plus(&sum, &times(p, &reward[*to])));
        }
        reward
    }

    /// Computes s^T N: the expected number of visits to every state, if the chain begins with the
    /// probabilities s. Cost: as [`Fundamental::values`], which is the transposed product.
    pub(crate) fn visits(&self, mut start: Vec<Rational>) -> Vec<Rational> {
        for pivot in &self.pivots {
            if start[pivot.state].is_zero() {
                continue;
            }
            for (to, p) in &pivot.row {
                start[*to] = plus(&start[*to], &times(p, &start[pivot.state]));
            }
        }
        if let Some(dense) = &self.dense {
            dense.solve(&mut start, true);
        }
        for pivot in self.pivots.iter().rev() {
            let own = std::mem::take(&mut start[pivot.state]);
            let before = pivot.column.iter();
            let all = before.fold(own, |sum, (from, enter)| {
                plus(&sum, &times(enter, &start[*from]))
            });
            start[pivot.state] = match &pivot.scale {
                Some(scale) => times(&all, scale),
                None => all,
            };
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// Random chains: weights of the transitions between n states, and a positive weight of
    /// absorption for each state.
    fn chains() -> impl Strategy<Value = (Vec<Vec<u64>>, Vec<u64>, Vec<u64>)> {
        (1usize..8).prop_flat_map(|n| {
            let weight = prop_oneof![3 => Just(0u64), 2 => 1u64..5];
            let rows = prop::collection::vec(prop::collection::vec(weight, n), n);
            let vector = || prop::collection::vec(0u64..4, n);
            (rows, vector(), vector())
        })
    }

    fn matrix(weights: &[Vec<u64>]) -> Rows {
        let row = |weights: &Vec<u64>| {
            let total = weights.iter().sum::<u64>() + 1;
            let entries = weights.iter().enumerate().filter(|(_, w)| **w > 0);
            entries.map(|(to, &w)| (to, ratio(w, total))).collect()
        };
        weights.iter().map(row).collect()
    }

    fn vector(entries: &[u64]) -> Vec<Rational> {
        entries.iter().map(|&x| ratio(x, 1)).collect()
    }

    proptest! {
        /// x = N r solves x = r + P x, y = s^T N solves y = s + y P, and y r = s x.
        #[test]
        fn both_products_solve_their_equations((weights, r, s) in chains()) {
            let (p, r, s) = (matrix(&weights), vector(&r), vector(&s));
            let fundamental = Fundamental::new(p.clone());
            let x = fundamental.values(r.clone());
            for (state, row) in p.iter().enumerate() {
                let ahead: Rational = row.iter().map(|(to, p)| p * &x[*to]).sum();
                prop_assert_eq!(&x[state], &(&r[state] + ahead));
            }
            let y = fundamental.visits(s.clone());
            let mut into = s.clone();
            for (from, row) in p.iter().enumerate() {
                for (to, p) in row {
                    into[*to] += p * &y[from];
                }
            }
            prop_assert_eq!(&into, &y);
            let product = |a: &[Rational], b: &[Rational]| -> Rational {
                a.iter().zip(b).map(|(a, b)| a * b).sum()
            };
            prop_assert_eq!(product(&y, &r), product(&s, &x));
            prop_assert_eq!(Fundamental::new(p).values(r), x);
        }
    }

    #[test]
    fn the_fundamental_matrix_of_a_random_walk() {
        // Kemeny & Snell: states 1, 2, 3 between two barriers; a step to either side has
        // probability 1/2
        let half = ratio(1, 2);
        let p = vec![
            BTreeMap::from([(1, half.clone())]),
            BTreeMap::from([(0, half.clone()), (2, half.clone())]),
            BTreeMap::from([(1, half)]),
        ];
        let fundamental = Fundamental::new(p);
        let rows: Vec<Vec<String>> = (0..3)
            .map(|u| {
                let start = (0..3).map(|w| ratio(u64::from(u == w), 1)).collect();
                let visits = fundamental.visits(start);
                visits.iter().map(Rational::to_string).collect()
            })
            .collect();
        assert_eq!(
            rows,
            [["3/2", "1", "1/2"], ["1", "2", "1"], ["1/2", "1", "3/2"]]
        );
    }

    #[test]
    #[should_panic(expected = "never left")]
    fn a_state_that_is_never_left_has_no_fundamental_matrix() {
        Fundamental::new(vec![BTreeMap::from([(0, Rational::one())])]);
    }
}
