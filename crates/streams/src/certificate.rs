//! Certificates that enclose the long-run cost per outcome of a chain that is too large to be
//! solved exactly.
//!
//! Let r(V) and a(V) be the expected rolls and outcomes until the next state, and P the transition
//! matrix. Any numbers h(V) prove that the rolls per outcome of a closed class lie between the
//! least and the largest value of (r + P h - h) / a over its states, because under the stationary
//! distribution the mean of P h - h is 0. The best h solves Poisson's equation r + P h - h = g a.
//! Doubles propose h, and integers in units of 2^-48 check it, so a bad proposal makes the
//! enclosure wide but never wrong.

use super::embedded::Embedded;
use flipcost_number::{BigInt, Rational};

/// To propose a certificate, a dense system of at most this many equations is solved.
const MAX_CORE_STATES: usize = 5000;

impl Embedded {
    /// Returns a lower and an upper bound of the rolls per outcome of a closed class whose states
    /// are below 2^34; `None` if proposing a certificate is too much work.
    pub fn certified(&self) -> Option<(Rational, Rational)> {
        const UNIT: f64 = (1u64 << 48) as f64;
        let potential = self.potential()?;
        let h: Vec<i128> = potential
            .iter()
            .map(|x| (x * UNIT).round() as i128)
            .collect();
        // (V r + a h(accepted) + b h(rejected) - V h(V)) / a in units of 2^-48; V < 2^34
        let bound = |state: usize| {
            let (v, back) = (self.states[state] as i128, self.rejected(state) as i128);
            let [(on, on_rolls), (off, off_rolls)] = self.next[state];
            let unit = 1i128 << 48;
            let part = |to: usize, rolls: u64| h[to] + i128::from(rolls) * unit;
            let sum = (v - back) * part(on, on_rolls) + back * part(off, off_rolls) - v * h[state];
            (sum, v - back)
        };
        let order = |a: &(i128, i128), b: &(i128, i128)| {
            (BigInt::from(a.0) * b.1).cmp(&(BigInt::from(b.0) * a.1))
        };
        let bounds = || (0..self.states.len()).map(bound);
        let exact = |(p, q): (i128, i128)| Rational::new(p.into(), BigInt::from(q) << 48u8);
        let low = bounds().min_by(order).expect("has a state");
        let high = bounds().max_by(order).expect("has a state");
        Some((exact(low), exact(high)))
    }

    /// Returns h for every state, in doubles: the expected rolls until the next visit of `home`,
    /// minus the expected outcomes until then times the rolls per outcome. `None` if the core is
    /// too large.
    fn potential(&self) -> Option<Vec<f64>> {
        let home = self.home;
        // Find the core, the states whose values are the unknowns: home, the states that are
        // entered by a rejection, and one state of every other cycle of accepted moves. From every
        // state, accepted moves lead to the core.
        let count = self.states.len();
        let mut core: Vec<usize> = vec![home];
        let mut place = vec![usize::MAX; count];
        place[home] = 0;
        for state in 0..count {
            let (to, _) = self.next[state][1];
            if self.rejected(state) > 0 && place[to] == usize::MAX {
                place[to] = core.len();
                core.push(to);
            }
        }
        let mut walk = vec![usize::MAX; count]; // the walk that visited first
        for first in 0..count {
            let mut at = first;
            while walk[at] == usize::MAX && place[at] == usize::MAX {
                walk[at] = first;
                at = self.next[at][0].0;
            }
            if walk[at] == first && place[at] == usize::MAX {
                place[at] = core.len();
                core.push(at);
            }
        }
        (core.len() <= MAX_CORE_STATES).then(|| self.eliminate(&core, &place))
    }

    /// Writes the values of all states as affine functions of the values of the core, each as the
    /// list (rolls, outcomes, weight of every core state). Then sets up and solves the equations of
    /// the core.
    fn eliminate(&self, core: &[usize], place: &[usize]) -> Vec<f64> {
        let (size, count) = (core.len(), self.states.len());
        let width = size + 2;
        let mut affine: Vec<Option<Vec<f64>>> = vec![None; count];
        let value = |to: usize, affine: &Vec<Option<Vec<f64>>>| -> Option<Vec<f64>> {
            if place[to] != usize::MAX {
                let mut unit = vec![0.0; width];
                unit[2 + place[to]] = 1.0;
                return Some(unit);
            }
            affine[to].clone()
        };
        let mut row = vec![None; size];
        for state in 0..count {
            // The path from here to a state whose value is known.
            let mut path = vec![state];
            loop {
                let (to, _) = self.next[path[path.len() - 1]][0];
                if place[to] != usize::MAX || affine[to].is_some() {
                    break;
                }
                path.push(to);
            }
            for at in path.into_iter().rev() {
                if place[at] == usize::MAX && affine[at].is_some() {
                    continue;
                }
                let all = self.states[at] as f64;
                let back = self.rejected(at) as f64 / all;
                let [(on, on_rolls), (off, off_rolls)] = self.next[at];
                let mut sum: Vec<f64> = value(on, &affine).expect("was reached");
                sum.iter_mut().for_each(|x| *x *= 1.0 - back);
                sum[0] += (1.0 - back) * on_rolls as f64 + back * off_rolls as f64;
                sum[1] += 1.0 - back;
                if back > 0.0 {
                    sum[2 + place[off]] += back;
                }
                match place[at] {
                    usize::MAX => affine[at] = Some(sum),
                    at => row[at] = Some(sum),
                }
            }
        }
        // x_k = r_k - g o_k + sum_j w_kj x_j with x_0 = 0 (home); unknowns g, x_1, ...
        let mut matrix: Vec<Vec<f64>> = (0..size)
            .map(|k| {
                let row = row[k].as_ref().expect("every state was visited");
                let mut line = vec![row[1]]; // g
                line.extend((1..size).map(|j| f64::from(u8::from(j == k)) - row[2 + j]));
                line.push(row[0]);
                line
            })
            .collect();
        for k in 0..size {
            let pivot = (k..size)
                .max_by(|&a, &b| matrix[a][k].abs().total_cmp(&matrix[b][k].abs()))
                .expect("not empty");
            matrix.swap(k, pivot);
            let line = matrix[k].clone();
            for (i, other) in matrix.iter_mut().enumerate() {
                let factor = other[k] / line[k];
                if i != k && factor != 0.0 {
                    for (x, y) in other.iter_mut().zip(&line).skip(k) {
                        *x -= factor * y;
                    }
                }
            }
        }
        let solved: Vec<f64> = (0..size).map(|k| matrix[k][size] / matrix[k][k]).collect();
        let g = solved[0];
        let at_core = |k: usize| if k == 0 { 0.0 } else { solved[k] };
        (0..count)
            .map(|state| match &affine[state] {
                None => at_core(place[state]),
                Some(sum) => {
                    let rest: f64 = (0..size).map(|k| sum[2 + k] * at_core(k)).sum();
                    sum[0] - g * sum[1] + rest
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_contain_the_exact_cost() {
        for (m, n, capacity) in [
            (6u64, 2u64, 36u64),
            (6, 2, 216),
            (2, 6, 64),
            (10, 7, 100),
            (6, 5, 1),
            (2, 15, 147), // two closed classes
            (6, 14, 93),  // three
        ] {
            let enough = u128::from(n.max(capacity));
            let chain = Embedded::explore(m.into(), n.into(), enough, 10_000).unwrap();
            for class in chain.closed_classes() {
                let exact = class.cost();
                let (low, high) = class.certified().unwrap();
                assert!(low <= exact && exact <= high, "{m} {n} {capacity}");
                let width = Rational::new(1.into(), (1i64 << 36).into());
                assert!(&high - &low < width, "{m} {n} {capacity}: {low} {high}");
            }
        }
    }
}
