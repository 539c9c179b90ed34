//! Dice of one kind and what is done with them: `4d6kh3`, `5d10cs>=8`, `3d6!`.

use super::endless::{Endless, SummedLaw};
use super::finite::{certain, ends, kept_sum, times, total};
use super::work::{Counts, DiceWork, counts_of};
use flipcost_number::BigUint;
use flipcost_number::collect::ordered;
use flipcost_number::grammar::{AlgebraError, Operator};
use num_traits::{One, Zero};
use std::ops::Range;

/// What may stand after the sides.
pub(crate) const MODIFIERS: &str = "kh3 or kl1 (the highest or lowest are kept), dh1 or dl1 (they are dropped), ro1 (ones are rolled again once), ! (the highest face is rolled on and added), cs>=8 (how many are at least 8)";

/// n dice with these faces, each with its weight.
#[derive(Clone, Debug)]
pub(super) struct DicePool {
    n: usize,
    faces: Counts,
    /// Is the highest face rolled on and added?
    pub(super) explodes: bool,
    /// The places that count, the highest die being place 0.
    kept: Range<usize>,
    /// Instead of their sum, how many of them stand so to a number.
    hits: Option<(Operator, i64)>,
}

/// The letters of a modifier and what stands behind them.
struct Modifiers<'a> {
    text: &'a str,
    at: usize,
    next: usize,
}

impl<'a> Modifiers<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.next..]
    }

    fn refuse(&self, place: usize, what: impl std::fmt::Display) -> AlgebraError {
        AlgebraError::new(self.at + place, what)
    }

    fn take(&mut self, part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
        self.next += length;
        &rest[..length]
    }

    fn number(&mut self) -> Result<Option<u64>, AlgebraError> {
        let place = self.next;
        match self.take(|c| c.is_ascii_digit()) {
            "" => Ok(None),
            digits => match digits.parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(self.refuse(place, "a number below 2^64 was expected")),
            },
        }
    }

    /// `1`, `<= 2`, `>=8`.
    fn comparison(&mut self) -> Result<(Operator, i64), AlgebraError> {
        self.take(|c| c == ' ');
        let operator = match self.take(|c| "<=>".contains(c)) {
            "<" => Operator::Less,
            "<=" => Operator::AtMost,
            ">=" => Operator::AtLeast,
            ">" => Operator::Greater,
            _ => Operator::Equal,
        };
        self.take(|c| c == ' ');
        let place = self.next;
        let number = self.number()?.and_then(|number| i64::try_from(number).ok());
        let wrong = || self.refuse(place, "a face was expected, as in ro1, ro<=2 and cs>=8");
        Ok((operator, number.ok_or_else(wrong)?))
    }
}

impl DicePool {
    /// One die of these sides.
    pub(super) fn die(from: i64, sides: u64, at: usize) -> Result<DicePool, AlgebraError> {
        DicePool::new(1, from, sides, at)
    }

    fn new(n: u64, from: i64, sides: u64, at: usize) -> Result<DicePool, AlgebraError> {
        if !(1..=1 << 20).contains(&n) || !(1..=1 << 22).contains(&sides) {
            let what = "1 to 2^20 dice of 1 to 2^22 sides were expected";
            return Err(AlgebraError::new(at, what));
        }
        Ok(DicePool {
            n: n as usize,
            faces: ordered((from..from + sides as i64).map(|face| (face, BigUint::one()))),
            explodes: false,
            kept: 0..n as usize,
            hits: None,
        })
    }

    /// Reads a text such as `4d6ro1!kh3`, which begins at this character.
    pub(super) fn read(text: &str, at: usize) -> Result<DicePool, AlgebraError> {
        let small = text.to_ascii_lowercase();
        let mut rest = Modifiers {
            text: &small,
            at,
            next: 0,
        };
        let n = rest.number()?.unwrap_or(1);
        rest.next += 1; // d
        let place = rest.next;
        let mut pool = match rest.number()? {
            Some(sides) => DicePool::new(n, 1, sides, at)?,
            None => {
                rest.next += 1;
                match &small[place..rest.next] {
                    "f" => DicePool::new(n, -1, 3, at)?,
                    _ => DicePool::new(n, 1, 100, at)?,
                }
            }
        };
        let mut last = 0;
        while !rest.rest().is_empty() {
            let place = rest.next;
            let word = match rest.take(|c| c.is_ascii_alphabetic()) {
                "" => rest.take(|c| c == '!'),
                word => word,
            };
            // each die for itself, then which are kept, then how many
            let order = match word {
                "ro" => 1,
                "!" => 2,
                "k" | "kh" | "kl" | "d" | "dh" | "dl" => 3,
                "cs" => 4,
                _ => {
                    let what = format!("after the sides may stand {MODIFIERS}");
                    return Err(rest.refuse(place, what));
                }
            };
            if order < last || order == last && order != 3 {
                let what = "dice are written in this order: ro1 or ro<=2 once, then !, then kh3 and so on, then cs>=8";
                return Err(rest.refuse(place, what));
            }
            last = order;
            match word {
                "ro" => pool.roll_again(rest.comparison()?),
                "!" => pool.explode().map_err(|what| rest.refuse(place, what))?,
                "cs" => pool.hits = Some(rest.comparison()?),
                _ => {
                    let count = rest.number()?.unwrap_or(1);
                    pool.keep(word, count)
                        .map_err(|what| rest.refuse(place, what))?;
                }
            }
        }
        Ok(pool)
    }

    fn roll_again(&mut self, (operator, number): (Operator, i64)) {
        let again = |face: i64| operator.of_words(face, number) == Some(1);
        let all = total(&self.faces);
        let rolled = self.faces.iter().filter(|(face, _)| again(**face));
        let rolled: BigUint = rolled.map(|(_, weight)| weight).sum();
        for (face, weight) in &mut self.faces {
            if again(*face) {
                *weight *= &rolled;
            } else {
                *weight *= &all + &rolled;
            }
        }
        self.faces.retain(|_, weight| !weight.is_zero());
    }

    fn explode(&mut self) -> Result<(), &'static str> {
        if self.faces.len() < 2 || ends(&self.faces).0 < 1 {
            return Err("a die of one side explodes without end, and dF does not explode");
        }
        self.explodes = true;
        Ok(())
    }

    fn keep(&mut self, word: &str, count: u64) -> Result<(), String> {
        let there = self.kept.len();
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let (drops, left) = match word {
            "d" | "dh" | "dl" => (true, there.saturating_sub(count)),
            _ => (false, count),
        };
        if count == 0 || left == 0 || left > there {
            let (verb, most) = if drops {
                ("dropped", there - 1)
            } else {
                ("kept", there)
            };
            return Err(format!("1 to {most} of {there} dice are {verb}"));
        }
        match word {
            "kl" | "dh" => self.kept.start = self.kept.end - left,
            _ => self.kept.end = self.kept.start + left,
        }
        Ok(())
    }

    /// How many stand so to a number, in place of their sum; `None` if it is a number of hits already.
    pub(super) fn hits(mut self, operator: Operator, number: i64) -> Option<DicePool> {
        self.hits
            .replace((operator, number))
            .is_none()
            .then_some(self)
    }

    /// Is it a number of dice that is counted already?
    pub(super) fn is_counted(&self) -> bool {
        self.hits.is_some()
    }

    /// What it shows when each die is rolled once, which gives a face from 1; `None` where dice are rolled again or on.
    pub(super) fn rolled<E>(
        &self,
        mut roll: impl FnMut(u64) -> Result<u64, E>,
    ) -> Result<Option<i64>, E> {
        if self.explodes || self.faces.values().any(|weight| !weight.is_one()) {
            return Ok(None);
        }
        let (least, most) = ends(&self.faces);
        let face = |_| Ok(least - 1 + roll(least.abs_diff(most) + 1)? as i64);
        let mut shown = (0..self.n).map(face).collect::<Result<Vec<i64>, E>>()?;
        shown.sort_unstable_by(|a, b| b.cmp(a));
        let kept = shown[self.kept.clone()].iter();
        Ok(Some(match self.hits {
            None => kept.sum(),
            Some((operator, number)) => kept
                .map(|face| i64::from(operator.of_words(*face, number) == Some(1)))
                .sum(),
        }))
    }

    /// Its law.
    pub(super) fn law(self, work: &mut DiceWork) -> Result<SummedLaw, AlgebraError> {
        let DicePool {
            n,
            mut faces,
            explodes,
            kept,
            hits,
        } = self;
        let Some((operator, number)) = hits else {
            return Ok(if explodes {
                SummedLaw::Endless(Endless::of_pool(n, &faces, kept, work)?)
            } else if kept == (0..n) {
                let sum = times(&faces, n as u64, work)?;
                SummedLaw::Finite(sum.ok_or_else(|| work.beyond())?)
            } else {
                SummedLaw::Finite(kept_sum(n, &faces, kept, |face| face, work)?)
            });
        };
        if explodes {
            // all that is above the number counts alike
            let die = Endless::of_pool(1, &faces, 0..1, work)?;
            let cap = number.checked_add(1).ok_or_else(|| work.beyond())?;
            let cap = Endless::of_finite(&certain(cap), work)?;
            faces = counts_of(die.bounded(&cap, work)?, work)?;
        }
        let hit = |face: i64| operator.of_words(face, number) == Some(1);
        if kept != (0..n) {
            let worth = |face| i64::from(hit(face));
            return Ok(SummedLaw::Finite(kept_sum(n, &faces, kept, worth, work)?));
        }
        let mut die = Counts::new();
        for (face, weight) in faces {
            *die.entry(hit(face).into()).or_default() += weight;
        }
        let sum = times(&die, n as u64, work)?;
        Ok(SummedLaw::Finite(sum.ok_or_else(|| work.beyond())?))
    }
}
