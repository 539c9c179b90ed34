//! Computes the exact value of a policy, and proves that no other policy is better.
//!
//! # The value
//!
//! In some states v a policy rolls a die of m_v sides at price p_v; every other state is split, in
//! the end into states that roll. Choose L > 0 so that L p is an integer for every price p. Then
//! x_v = L F(v) solves the integer system A x = b over the states that roll:
//!
//! ```text
//! m_v x_v - sum of x over the parts of (v m_v mod n) = L p_v m_v v.
//! ```
//!
//! A has no positive entry outside its diagonal. If some x >= 0 has A x > 0, then A is a
//! nonsingular M-matrix: its inverse has no negative entry (so the policy ends with probability 1,
//! at this expected cost), and elimination lowers the diagonal without reaching 0, so that
//!
//! ```text
//! 0 < det A <= B = product of m_v.                                                     (1)
//! ```
//!
//! An approximation X / 2^P of x is kept in integers, with the residual R = 2^P b - A X. Both are
//! refined: doubles give a correction, and the new residual is exact. If X >= 0 and A X = 2^P b -
//! R > 0, then with r = max |R| / min (A X)
//!
//! ```text
//! |2^P x - X| = |A^-1 R| <= r A^-1 A X = r X.                                           (2)
//! ```
//!
//! # Ties, and the exact fraction
//!
//! By Cramer's rule every x_v is an integer over det A. So the difference between the two sides of
//! a Bellman inequality, times the m of its die, is 0 or at least 1/B by (1): a narrower enclosure
//! that contains 0 proves equality. Once the enclosure of x_1 is narrower than 1/B^2 (where B is
//! computed for the states that can be reached from 1), x_1 is the fraction with the least
//! denominator in the enclosure, because two different fractions with denominators up to B differ
//! by at least 1/B^2.
//!
//! # Optimality
//!
//! F(v) / v is the value of a Markov decision process with one player, who stands on one of the v
//! nodes. A roll costs p and leaves the player undecided with probability (v m mod n) / (v m). A
//! split is free and leads to a smaller state, so only rolls can repeat without end. Every price is
//! positive, so a policy that may never end costs an infinite amount. If F solves
//!
//! ```text
//! F(v) = min( min_i [ p_i v + F(v m_i mod n) / m_i ], min_{a+b=v} [ F(a) + F(b) ] )
//! ```
//!
//! for all v, then F <= the cost of every policy that ends (unroll the inequality), so the policy
//! with the value F has the least cost from every v. Any policy that chooses among the actions with
//! the minimum also ends: otherwise there would be a set of states that it never leaves, and the
//! mean of the equation over this set would say that rolling is free.

use super::policy::{Action, PlanProblem};
use flipcost_number::budget::spend;
use flipcost_number::nearest_f64;
use flipcost_number::{BigInt, Rational};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The values of a policy that ends: L F(v) 2^bits for every v, each within `error`.
pub(super) struct PolicyValues {
    units: Vec<BigInt>,
    error: BigInt,
    bits: u64,
}

/// The result of checking the inequalities for a policy.
pub(super) enum PolicyVerdict {
    /// Another policy is better at some v and nowhere worse.
    Improved(Vec<Action>),
    /// The policy is optimal; the lists contain all optimal actions for every v.
    Optimal(Vec<Vec<Action>>),
}

impl PlanProblem<'_> {
    /// Returns the factor L, which turns the prices into integers without a common factor.
    fn price_unit(&self) -> Rational {
        let prices = || self.dice.iter().map(|die| &die.price);
        let all = prices().fold(BigInt::one(), |all, p| all.lcm(p.denom()));
        let scaled = prices().map(|p| (p * &all).to_integer());
        let common = scaled.fold(BigInt::zero(), |common, p| common.gcd(&p));
        Rational::new(all, common)
    }

    /// Returns the integer L p v.
    fn integer_price(&self, unit: &Rational, die: usize, v: usize) -> BigInt {
        (&self.dice[die].price * unit).to_integer() * v
    }

    fn most_sides(&self) -> u128 {
        self.dice.iter().map(|die| die.sides).max().unwrap_or(2)
    }

    /// Marks the states that are reached from 1, including those that are split.
    pub fn reached_states(&self, policy: &[Action]) -> Vec<bool> {
        let mut seen = vec![false; self.target];
        let mut open = vec![1 % self.target];
        while let Some(v) = open.pop() {
            if v == 0 || std::mem::replace(&mut seen[v], true) {
                continue;
            }
            match policy[v] {
                Action::Roll(die) => open.push(self.nodes_left(v, die)),
                Action::Split(a) => open.extend([a, v - a]),
            }
        }
        seen
    }

    fn product_of_sides(&self, policy: &[Action], of: impl Fn(usize) -> bool) -> BigInt {
        let sides = |v: usize| match policy[v] {
            Action::Roll(die) => BigInt::from(self.dice[die].sides),
            Action::Split(_) => BigInt::one(),
        };
        (1..self.target).filter(|&v| of(v)).map(sides).product()
    }

    /// Returns an approximate x with A x = r; `None` if the sweeps do not converge. Cost: O(n) per
    /// sweep.
    fn solve_approximately(&self, policy: &[Action], r: &[f64]) -> Option<Vec<f64>> {
        const SWEEPS: usize = 20_000;
        let rests: Vec<usize> = (0..self.target)
            .map(|v| self.next_nodes(policy, v))
            .collect();
        let mut x = vec![0.0; self.target];
        for _ in 0..SWEEPS {
            spend(4 * self.target as u64);
            let (mut change, mut size) = (0.0f64, 0.0f64);
            for v in 1..self.target {
                let value = match policy[v] {
                    Action::Roll(die) => (r[v] + x[rests[v]]) / self.dice[die].sides as f64,
                    Action::Split(a) => x[a] + x[v - a],
                };
                change = change.max((value - x[v]).abs());
                size = size.max(value.abs());
                x[v] = value;
            }
            if !size.is_finite() {
                return None;
            }
            if change <= size * 2f64.powi(-46) {
                return Some(x);
            }
        }
        None
    }

    fn next_nodes(&self, policy: &[Action], v: usize) -> usize {
        match policy[v] {
            Action::Roll(die) => self.nodes_left(v, die),
            Action::Split(_) => 0,
        }
    }

    /// Returns the values of a policy, precise enough to decide ties and to find the exact
    /// fraction; `None` if it could not be shown that the policy ends. Cost: O(n^2 log m) bits in
    /// all; each pass adds about 40 bits to every value.
    pub fn evaluate(&self, policy: &[Action]) -> Option<PolicyValues> {
        let n = self.target;
        let unit = self.price_unit();
        let right: Vec<BigInt> = (0..n)
            .map(|v| match policy[v] {
                Action::Roll(die) if v > 0 => {
                    self.integer_price(&unit, die, v) * self.dice[die].sides
                }
                _ => BigInt::zero(),
            })
            .collect();
        let rolls: Vec<usize> = (1..n)
            .filter(|&v| matches!(policy[v], Action::Roll(_)))
            .collect();
        let bound = self.product_of_sides(policy, |_| true);
        let reached = self.reached_states(policy);
        let near = self.product_of_sides(policy, |v| reached[v]);
        let needed = bound.bits().max(2 * near.bits()) + 2;
        let spare = BigInt::from(self.most_sides()) + 1;

        let mut units = vec![BigInt::zero(); n];
        let mut residual = right.clone();
        let (mut bits, mut enough) = (0u64, needed + 64);
        let mut before = None;
        loop {
            let doubles: Vec<f64> = residual
                .iter()
                .map(|r| nearest_f64(r, &BigInt::one()))
                .collect();
            spend(n as u64 * (bits / 16 + 100));
            let step = self.solve_approximately(policy, &doubles)?;
            let size = step.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            // Use all digits of the correction that a double holds, but not those below a unit.
            let shift = (46 - size.max(1.0).log2().ceil() as i64).max(0);
            let largest = residual.iter().map(|r| r.magnitude()).max()?.clone();
            if shift == 0 && before.as_ref().is_some_and(|old| largest >= *old) {
                return None;
            }
            before = Some(largest);
            let scale = 2f64.powi(shift as i32);
            let mut digits = vec![BigInt::zero(); n];
            for v in 1..n {
                digits[v] = match policy[v] {
                    Action::Roll(_) => integer_from_double((step[v] * scale).round()),
                    Action::Split(a) => &digits[a] + &digits[v - a],
                };
            }
            for &v in &rolls {
                let Action::Roll(die) = policy[v] else {
                    continue;
                };
                let back = &digits[v] * self.dice[die].sides - &digits[self.nodes_left(v, die)];
                residual[v] = (std::mem::take(&mut residual[v]) << shift) - back;
            }
            for (x, digit) in units.iter_mut().zip(digits) {
                *x = (std::mem::take(x) << shift) + digit;
            }
            bits += shift as u64;
            if bits < enough {
                continue;
            }
            // Inequality (2) of the module documentation.
            let least = rolls
                .iter()
                .map(|&v| (&right[v] << bits) - &residual[v])
                .min()?;
            if !least.is_positive() || units.iter().any(|x| x.is_negative()) {
                return None;
            }
            let most = rolls.iter().map(|&v| residual[v].abs()).max()?;
            let error = (most * units.iter().max()?).div_ceil(&least) + 1;
            let width: BigInt = &error * &spare * 2;
            if &width * &bound < BigInt::one() << bits
                && &error * 2 * &near * &near < BigInt::one() << bits
                && &error << 24u8 < BigInt::one() << bits
            {
                return Some(PolicyValues { units, error, bits });
            }
            enough = needed.max(bits) + width.bits();
        }
    }

    /// Decides all Bellman inequalities: proves each, disproves it, or proves that both sides are
    /// equal. With splitting there are O(n^2) inequalities; leading digits decide most of them.
    pub fn judge_policy(&self, policy: &[Action], values: &PolicyValues) -> PolicyVerdict {
        let unit = self.price_unit();
        let PolicyValues { units, error, bits } = values;
        let one = BigInt::one() << *bits;
        let leading: Vec<f64> = units.iter().map(|x| nearest_f64(x, &one)).collect();
        let mut improved = policy.to_vec();
        let mut optimal = vec![Vec::new(); self.target];
        let mut better = false;
        for v in 1..self.target {
            let mut best: Option<(Rational, Action)> = None;
            spend(200);
            for action in self.actions(v) {
                spend(4);
                if action == policy[v] {
                    optimal[v].push(action);
                    continue;
                }
                // The action's value minus the policy's value, multiplied by m; the error; m.
                let (difference, error, m) = match action {
                    Action::Roll(die) => {
                        let m = self.dice[die].sides;
                        let first = (self.integer_price(&unit, die, v) * m) << *bits;
                        let rest = &units[self.nodes_left(v, die)];
                        (first + rest - &units[v] * m, error * (m + 1), m)
                    }
                    // The split is worse by at least 10^-6 of a value of at least 1; the error is
                    // below 2^-24.
                    Action::Split(a) if leading[a] + leading[v - a] > leading[v] * 1.000001 => {
                        continue;
                    }
                    Action::Split(a) => (&units[a] + &units[v - a] - &units[v], error * 3, 1),
                };
                if difference > error {
                    continue;
                }
                if difference < -error {
                    let gain = Rational::new(difference, m.into());
                    if best.as_ref().is_none_or(|(most, _)| gain < *most) {
                        best = Some((gain, action));
                    }
                    continue;
                }
                // |true difference| 2^P <= 2 error < 2^P / B, so the difference is 0: see
                // `evaluate`.
                optimal[v].push(action);
            }
            if let Some((_, action)) = best {
                improved[v] = action;
                better = true;
            }
        }
        if better {
            PolicyVerdict::Improved(improved)
        } else {
            PolicyVerdict::Optimal(optimal)
        }
    }

    /// Returns the exact F(1).
    pub fn start_value(&self, values: &PolicyValues) -> Rational {
        let (low, high) = (
            &values.units[1] - &values.error,
            &values.units[1] + &values.error,
        );
        simplest_fraction(low, high, BigInt::one() << values.bits) / self.price_unit()
    }

    /// For every v, returns the least worst case in rolls among these actions; `None` if every
    /// choice is unbounded.
    pub fn worst_cases(&self, optimal: &[Vec<Action>]) -> Vec<Option<u64>> {
        let mut worst: Vec<Option<u64>> = vec![None; self.target];
        worst[0] = Some(0);
        loop {
            let mut changed = false;
            for v in 1..self.target {
                spend(20 + optimal[v].len() as u64);
                let least = optimal[v]
                    .iter()
                    .filter_map(|a| self.worst_case_after(&worst, v, *a));
                let least = least.min();
                if least.is_some() && (worst[v].is_none() || least < worst[v]) {
                    worst[v] = least;
                    changed = true;
                }
            }
            if !changed {
                return worst;
            }
        }
    }

    fn worst_case_after(&self, worst: &[Option<u64>], v: usize, action: Action) -> Option<u64> {
        match action {
            Action::Roll(die) => worst[self.nodes_left(v, die)].map(|t| t + 1),
            Action::Split(a) => Some(worst[a]?.max(worst[v - a]?)),
        }
    }

    /// Chooses one of the optimal actions for every v: first by the least worst case, then a roll
    /// before a split, then the roll that decides most nodes, then the die with the fewest sides.
    pub fn choose_policy(&self, optimal: &[Vec<Action>], worst: &[Option<u64>]) -> Vec<Action> {
        let share = |v: usize, die: usize| {
            Rational::new(self.nodes_left(v, die).into(), self.dice[die].sides.into())
        };
        let choice = |v: usize| {
            let fits = |a: &&Action| self.worst_case_after(worst, v, **a) == worst[v];
            let roll = |a: &Action| match a {
                Action::Roll(die) => Some((share(v, *die), self.dice[*die].sides, *die)),
                Action::Split(_) => None,
            };
            let of = || optimal[v].iter().filter(fits);
            match of().filter_map(roll).min() {
                Some((_, _, die)) => Action::Roll(die),
                None => of().next().copied().unwrap_or(Action::Roll(0)),
            }
        };
        (0..self.target).map(choice).collect()
    }
}

/// Converts a double whose value is an integer, without an error.
fn integer_from_double(whole: f64) -> BigInt {
    match whole.to_i64() {
        Some(small) if whole.abs() < 9e15 => small.into(),
        _ => Rational::from_float(whole).map_or_else(BigInt::zero, |x| x.to_integer()),
    }
}

/// Returns the fraction with the least denominator in [low, high] / one, 0 <= low <= high: the
/// common beginning of the continued fractions of both ends, then the least integer between their
/// rests. Cost: O(bits) divisions.
fn simplest_fraction(low: BigInt, high: BigInt, one: BigInt) -> Rational {
    let (mut low, mut high) = ((low, one.clone()), (high, one));
    let (mut now, mut last) = (
        (BigInt::one(), BigInt::zero()),
        (BigInt::zero(), BigInt::one()),
    );
    loop {
        let least = low.0.div_ceil(&low.1);
        let last_term = &least * &high.1 <= high.0;
        let term = if last_term { least } else { least - 1 };
        let next = (&term * &now.0 + &last.0, &term * &now.1 + &last.1);
        if last_term {
            return Rational::new(next.0, next.1);
        }
        let rest = |end: (BigInt, BigInt)| (end.1.clone(), end.0 - &term * end.1);
        (low, high) = (rest(high), rest(low));
        (last, now) = (now, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simplest_fraction_of_an_interval_has_the_least_denominator() {
        let one = BigInt::from(1000);
        for low in (0..900u32).step_by(7) {
            for width in [0u32, 1, 3, 20, 99] {
                let found = simplest_fraction(low.into(), (low + width).into(), one.clone());
                let q = (1..=1000u32)
                    .find(|q| (low * q).div_ceil(1000) <= (low + width) * q / 1000)
                    .unwrap();
                assert_eq!(*found.denom(), q.into(), "[{low}, {}]", low + width);
                assert!(&found * &one >= Rational::from(BigInt::from(low)));
                assert!(&found * &one <= Rational::from(BigInt::from(low + width)));
            }
        }
    }
}
