//! The value of a policy, exactly, and the proof that no other policy is better.
//!
//! # The value
//!
//! A policy rolls a die of m_v sides at price p_v in some states v, and splits the others into such
//! states. With L > 0 such that every L p is an integer, x_v = L F(v) solves the integer system A
//! x = b over the states that roll:
//!
//! ```text
//! m_v x_v - sum of x over the parts of (v m_v mod n) = L p_v m_v v.
//! ```
//!
//! A has no positive entry off its diagonal. If some x >= 0 has A x > 0 then A is a nonsingular
//! M-matrix: its inverse has no negative entry (so the policy ends with probability 1, at this
//! expected cost), and elimination only lowers the diagonal without reaching 0, so that
//!
//! ```text
//! 0 < det A <= B = product of m_v.                                                     (1)
//! ```
//!
//! An approximation X / 2^P of x is kept in integers together with the residual R = 2^P b - A X,
//! and both are refined: the correction is found in doubles, and the new residual is exact. If X >=
//! 0 and A X = 2^P b - R > 0, then with r = max |R| / min (A X)
//!
//! ```text
//! |2^P x - X| = |A^-1 R| <= r A^-1 A X = r X.                                           (2)
//! ```
//!
//! # Ties, and the exact fraction
//!
//! By Cramer's rule every x_v is an integer over det A. So a difference between two sides of a
//! Bellman inequality, times the m of its die, is 0 or at least 1/B by (1): an enclosure that is
//! narrower and holds 0 proves equality. And x_1 is the fraction of least denominator in its
//! enclosure as soon as that is narrower than 1/B^2 (B over the states that 1 leads to), because
//! two fractions with denominators up to B are further apart.
//!
//! # Optimality
//!
//! F(v) / v is the value of a Markov decision process with one player, who stands on one of the v
//! nodes: a roll costs p and leaves the player undecided with probability (v m mod n) / (v m); a
//! split is free and leads to a smaller state, so that only rolls can repeat without end. Every
//! price is positive: a policy that may never end costs an infinity. If F solves
//!
//! ```text
//! F(v) = min( min_i [ p_i v + F(v m_i mod n) / m_i ], min_{a+b=v} [ F(a) + F(b) ] )
//! ```
//!
//! for all v, then F <= the cost of every policy that ends (unroll the inequality), so the policy
//! whose value F is has the least cost, from every v. Any choice among actions that attain the
//! minimum ends too: over a set of states that is never left the mean of the equation would say
//! that rolling costs nothing.

use super::policy::{Action, Game};
use flipcost_number::budget::spend;
use flipcost_number::nearest_f64;
use flipcost_number::{BigInt, Rational};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// L F(v) 2^bits for every v, each within `error`, of a policy that ends.
pub(super) struct PolicyValues {
    units: Vec<BigInt>,
    error: BigInt,
    bits: u64,
}

/// What the inequalities say of a policy.
pub(super) enum PolicyVerdict {
    /// A policy that is better, somewhere, and nowhere worse.
    Improved(Vec<Action>),
    /// The policy is optimal; for every v, all the actions that are.
    Optimal(Vec<Vec<Action>>),
}

impl Game<'_> {
    /// L, which makes the prices integers without a common factor.
    fn unit(&self) -> Rational {
        let prices = || self.dice.iter().map(|die| &die.price);
        let all = prices().fold(BigInt::one(), |all, p| all.lcm(p.denom()));
        let scaled = prices().map(|p| (p * &all).to_integer());
        let common = scaled.fold(BigInt::zero(), |common, p| common.gcd(&p));
        Rational::new(all, common)
    }

    /// L p v, an integer.
    fn priced(&self, unit: &Rational, die: usize, v: usize) -> BigInt {
        (&self.dice[die].price * unit).to_integer() * v
    }

    fn largest(&self) -> u128 {
        self.dice.iter().map(|die| die.sides).max().unwrap_or(2)
    }

    /// The states that 1 leads to, among them those that are split.
    pub fn reached(&self, policy: &[Action]) -> Vec<bool> {
        let mut seen = vec![false; self.target];
        let mut open = vec![1 % self.target];
        while let Some(v) = open.pop() {
            if v == 0 || std::mem::replace(&mut seen[v], true) {
                continue;
            }
            match policy[v] {
                Action::Roll(die) => open.push(self.rest(v, die)),
                Action::Split(a) => open.extend([a, v - a]),
            }
        }
        seen
    }

    fn bound(&self, policy: &[Action], of: impl Fn(usize) -> bool) -> BigInt {
        let sides = |v: usize| match policy[v] {
            Action::Roll(die) => BigInt::from(self.dice[die].sides),
            Action::Split(_) => BigInt::one(),
        };
        (1..self.target).filter(|&v| of(v)).map(sides).product()
    }

    /// x with A x = r, nearly; `None` if the sweeps do not settle. O(n) per sweep.
    fn solve_nearly(&self, policy: &[Action], r: &[f64]) -> Option<Vec<f64>> {
        const SWEEPS: usize = 20_000;
        let rests: Vec<usize> = (0..self.target).map(|v| self.after(policy, v)).collect();
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

    fn after(&self, policy: &[Action], v: usize) -> usize {
        match policy[v] {
            Action::Roll(die) => self.rest(v, die),
            Action::Split(_) => 0,
        }
    }

    /// The value of a policy within the tolerance that ties and the exact fraction ask for; `None`
    /// if it cannot be shown to end. O(n^2 log m) bits, reached 40 at a time.
    pub fn evaluate(&self, policy: &[Action]) -> Option<PolicyValues> {
        let n = self.target;
        let unit = self.unit();
        let right: Vec<BigInt> = (0..n)
            .map(|v| match policy[v] {
                Action::Roll(die) if v > 0 => self.priced(&unit, die, v) * self.dice[die].sides,
                _ => BigInt::zero(),
            })
            .collect();
        let rolls: Vec<usize> = (1..n)
            .filter(|&v| matches!(policy[v], Action::Roll(_)))
            .collect();
        let bound = self.bound(policy, |_| true);
        let reached = self.reached(policy);
        let near = self.bound(policy, |v| reached[v]);
        let needed = bound.bits().max(2 * near.bits()) + 2;
        let spare = BigInt::from(self.largest()) + 1;

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
            let step = self.solve_nearly(policy, &doubles)?;
            let size = step.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            // Digits of the correction that doubles can hold, but no fraction of a unit.
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
                    Action::Roll(_) => integer((step[v] * scale).round()),
                    Action::Split(a) => &digits[a] + &digits[v - a],
                };
            }
            for &v in &rolls {
                let Action::Roll(die) = policy[v] else {
                    continue;
                };
                let back = &digits[v] * self.dice[die].sides - &digits[self.rest(v, die)];
                residual[v] = (std::mem::take(&mut residual[v]) << shift) - back;
            }
            for (x, digit) in units.iter_mut().zip(digits) {
                *x = (std::mem::take(x) << shift) + digit;
            }
            bits += shift as u64;
            if bits < enough {
                continue;
            }
            // (2)
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

    /// All Bellman inequalities, each proved, disproved, or proved to be an equality. With
    /// splitting O(n^2) of them, most settled by their leading digits.
    pub fn judge(&self, policy: &[Action], values: &PolicyValues) -> PolicyVerdict {
        let unit = self.unit();
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
                // (the action's value - the policy's value) m, its error and m
                let (difference, error, m) = match action {
                    Action::Roll(die) => {
                        let m = self.dice[die].sides;
                        let first = (self.priced(&unit, die, v) * m) << *bits;
                        let rest = &units[self.rest(v, die)];
                        (first + rest - &units[v] * m, error * (m + 1), m)
                    }
                    // Worse by 10^-6 of a value that is at least 1, with an error below 2^-24.
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
                // |true difference| 2^P <= 2 error < 2^P / B, so it is 0: see `evaluate`.
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

    /// F(1), exactly.
    pub fn first(&self, values: &PolicyValues) -> Rational {
        let (low, high) = (
            &values.units[1] - &values.error,
            &values.units[1] + &values.error,
        );
        simplest(low, high, BigInt::one() << values.bits) / self.unit()
    }

    /// The least worst case in rolls that actions among these allow from every v; `None` where none
    /// is bounded.
    pub fn worst_cases(&self, optimal: &[Vec<Action>]) -> Vec<Option<u64>> {
        let mut worst: Vec<Option<u64>> = vec![None; self.target];
        worst[0] = Some(0);
        loop {
            let mut changed = false;
            for v in 1..self.target {
                spend(20 + optimal[v].len() as u64);
                let least = optimal[v].iter().filter_map(|a| self.worst(&worst, v, *a));
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

    fn worst(&self, worst: &[Option<u64>], v: usize, action: Action) -> Option<u64> {
        match action {
            Action::Roll(die) => worst[self.rest(v, die)].map(|t| t + 1),
            Action::Split(a) => Some(worst[a]?.max(worst[v - a]?)),
        }
    }

    /// One action for every v, of those that are optimal: first the least worst case, then a roll
    /// before a split, the roll that decides most, the die with the fewest sides.
    pub fn choose(&self, optimal: &[Vec<Action>], worst: &[Option<u64>]) -> Vec<Action> {
        let share = |v: usize, die: usize| {
            Rational::new(self.rest(v, die).into(), self.dice[die].sides.into())
        };
        let choice = |v: usize| {
            let fits = |a: &&Action| self.worst(worst, v, **a) == worst[v];
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

/// A whole number, exactly.
fn integer(whole: f64) -> BigInt {
    match whole.to_i64() {
        Some(small) if whole.abs() < 9e15 => small.into(),
        _ => Rational::from_float(whole).map_or_else(BigInt::zero, |x| x.to_integer()),
    }
}

/// The fraction of least denominator in [low, high] / one, 0 <= low <= high: the common part of
/// the ends' continued fractions, then the least integer between them. O(bits) divisions.
fn simplest(low: BigInt, high: BigInt, one: BigInt) -> Rational {
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
                let found = simplest(low.into(), (low + width).into(), one.clone());
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
