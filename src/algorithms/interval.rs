//! The interval algorithm: zoom into [0, 1) until one outcome is left.
//!
//! Every roll keeps one of the m equal parts of the current interval; stop as soon as it lies
//! inside a cell [j/n, (j+1)/n), and output j. A node at depth t is undecided iff a cut j/n lies
//! strictly inside its interval, so
//!
//! ```text
//! s(t) = m^t               while m^t < n
//! s(t) = n - gcd(n, m^t)   from then on
//! ```
//!
//! Coin, n odd > 1: E = k + (n-1) / 2^(k-1), k = ceil(log2 n).
//!
//! **States.** While m^t < n, the depth and the place of the interval. From then on an undecided
//! node holds exactly one cut j/n, and all that counts is where it lies: r/n of the way through,
//! 0 < r < n. Face f moves it to m r - f n; at or below 0 the interval lies right of the cut, at or
//! above n left of it. So the states are finitely many.
//!
//! **Cost.** O(log n) products of O(log n) bits; the order of m modulo n is not needed.
//! **Source.** Han & Hoshi 1997, IEEE Trans. Inform. Theory 43(2).

use super::block::fits;
use super::{About, Program, Rule, Step};
use crate::law::{Blocks, Law};
use crate::number::BigUint;
use crate::number::order::{ceil_log, gcd_with_word};
use crate::task::{Refusal, Task};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::fmt;

/// See the module's page.
pub struct Interval {
    source: u64,
    target: BigUint,
}

/// Where we are in [0, 1).
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// The part [low, low + 1) / scale, with scale = m^t < n.
    Part { low: BigUint, scale: BigUint },
    /// The cut j/n lies r/n of the way through the interval.
    Cut { j: BigUint, r: BigUint },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Part { low, scale } => write!(f, "interval [{low}, {}) / {scale}", low + 1u8),
            Place::Cut { j, r } => write!(f, "between outcomes {j} and {}, cut at {r}/n", j + 1u8),
        }
    }
}

impl Interval {
    /// The part [low, low + 1) / scale, decided or brought into canonical form.
    fn settle(&self, low: BigUint, scale: BigUint) -> Step<Place> {
        let n = &self.target;
        let (cell, rest) = (&low * n).div_rem(&scale);
        // [low, low+1)/scale starts rest/(n scale) into the cell and is n/(n scale) wide
        if &rest + n <= scale {
            return Step::Output(cell);
        }
        if scale < *n {
            return Step::Roll(Place::Part { low, scale });
        }
        // the cut after this cell lies (scale - rest) / n of the way through
        Step::Roll(Place::Cut {
            j: cell + 1u8,
            r: scale - rest,
        })
    }
}

impl Rule for Interval {
    const ABOUT: About = About {
        id: "interval",
        name: "Interval algorithm",
        citation: "Han & Hoshi 1997",
        bounded: "if every prime factor of n divides m",
        rule: "keep the rolled part of [0, 1) until it lies inside one of n equal cells",
        law: "s(t) = m^t while m^t < n, then s(t) = n - gcd(n, m^t); E = sum of s(t) / m^t over all t >= 0",
    };
    const PROGRAM: Option<Program> = Some(Program {
        pari: concat!(
            "moments(m, n) = {my(t=0, e=0, s=0, c, r);\n",
            "  while(m^t < n || gcd(n, m^(t+1)) > gcd(n, m^t), c = if(m^t < n, m^t, n-gcd(n, m^t))/m^t; e += c; s += (2*t+1)*c; t++);\n",
            "  c = (n-gcd(n, m^t))/m^t; r = m/(m-1);\n",
            "  e += c*r; s += c*((2*t+1)*r + 2*r^2/m); [e, s-e^2];}"
        ),
        python: concat!(
            "from math import gcd\n",
            "from fractions import Fraction\n",
            "def moments(m, n):\n",
            "    t, e, s = 0, Fraction(0), Fraction(0)\n",
            "    while m**t < n or gcd(n, m**(t + 1)) > gcd(n, m**t):\n",
            "        c = Fraction(m**t if m**t < n else n - gcd(n, m**t), m**t)\n",
            "        e, s, t = e + c, s + (2*t + 1) * c, t + 1\n",
            "    c, r = Fraction(n - gcd(n, m**t), m**t), Fraction(m, m - 1)\n",
            "    e, s = e + c * r, s + c * ((2*t + 1) * r + 2 * r * r / m)\n",
            "    return e, s - e * e"
        ),
    });
    type State = Place;

    fn new(task: &Task) -> Result<Self, Refusal> {
        let dice = task.fair()?;
        fits(dice)?;
        Ok(Interval {
            source: dice.m,
            target: dice.n.clone(),
        })
    }

    fn start(&self) -> Step<Place> {
        self.settle(BigUint::zero(), BigUint::one())
    }

    fn step(&self, state: &Place, face: u64) -> Step<Place> {
        match state {
            Place::Part { low, scale } => {
                self.settle(low * self.source + face, scale * self.source)
            }
            Place::Cut { j, r } => {
                let (moved, passed) = (r * self.source, &self.target * face);
                if moved <= passed {
                    Step::Output(j.clone())
                } else if &moved - &passed >= self.target {
                    Step::Output(j - 1u8)
                } else {
                    Step::Roll(Place::Cut {
                        j: j.clone(),
                        r: moved - passed,
                    })
                }
            }
        }
    }

    fn law(&self) -> Option<Law> {
        let (m, n) = (self.source, &self.target);
        let mut head = Vec::new();
        let mut nodes = BigUint::one();
        for _ in 0..ceil_log(m, n) {
            head.push(nodes.clone());
            nodes *= m;
        }
        // From here on s(t) = n - gcd(n, m^t), until the gcd grows no more.
        let mut common = n.gcd(&nodes);
        let mut left = n / &common;
        loop {
            let more = gcd_with_word(m, &left);
            if more == 1 {
                break;
            }
            head.push(n - &common);
            common *= more;
            left /= more;
        }
        let rest = n - common;
        let returns = if rest.is_zero() {
            Vec::new()
        } else {
            vec![(1, BigUint::one())]
        };
        Some(Law::Blocks(
            Blocks::new(m, head, vec![rest], returns).into(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Entry, Task};
    use super::Interval;
    use crate::number::Rational;

    #[test]
    fn an_odd_target_costs_k_flips_and_a_dyadic_rest() {
        for n in (3u64..2000).step_by(2) {
            let k = 64 - (n - 1).leading_zeros() as u64;
            let law = Entry::<Interval>::NEW
                .prepare(&Task::dice(2u8, n).unwrap())
                .unwrap()
                .law()
                .unwrap();
            let rest = Rational::new((n - 1).into(), (1u64 << (k - 1)).into());
            assert_eq!(
                law.exact_mean(),
                Rational::from(num_bigint::BigInt::from(k)) + rest,
                "n = {n}"
            );
        }
    }
}
