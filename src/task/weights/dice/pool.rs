//! Dice of one kind with their modifiers: `4d6kh3`, `5d10cs>=8`, `3d6!`.

use super::endless::{Endless, SummedLaw};
use super::finite::{certain, ends, kept_sum, times, total};
use super::readings::{
    comparison_meanings, counted_faces, counting_readings, counts_of_bots, digit_die,
    explosion_on_face, factor_or_explosion, keeping_readings, kept_comparison_readings, kept_faces,
    kept_twice, nested_dice, notation_of_bots, only_die_kept, thousands_of_sides,
};
use super::work::{Counts, DiceWork, ShownFaces, counts_of};
use flipcost_number::BigUint;
use flipcost_number::collect::ordered;
use flipcost_number::grammar::{AlgebraError, Operator};
use num_traits::{One, Zero};
use std::ops::Range;

/// The modifiers that may follow the sides.
pub(crate) const MODIFIERS: &str = "kh3 or kl1 (the highest or lowest are kept), dh1 or dl1 (they are dropped), ro1 (ones are rolled again once), rr1 (until another face shows), ! (the highest face is rolled on and added), cs>=8 or t8 (how many are at least 8)";

/// A pool of n dice with these faces, each with its weight.
#[derive(Clone, Debug)]
pub(super) struct DicePool {
    /// The dice as written, or their name.
    pub(super) text: String,
    /// The position of the character after the dice in the text; 0 for a name.
    pub(super) end: usize,
    pub(super) n: usize,
    pub(super) faces: Counts,
    /// Whether dice that show the highest face are rolled again and added.
    pub(super) explodes: bool,
    /// The places that count; place 0 is the highest die.
    pub(super) kept: Range<usize>,
    /// If set, the dice that satisfy this comparison are counted, instead of adding the dice.
    pub(super) hits: Option<(Operator, i64)>,
    /// If the roll is known, the faces that the dice show, each with the number of dice that show
    /// it.
    pub(super) shown: Option<ShownFaces>,
}

/// Parses the letters of modifiers and their arguments.
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

    fn take_while(&mut self, part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
        self.next += length;
        &rest[..length]
    }

    fn parse_number(&mut self) -> Result<Option<u64>, AlgebraError> {
        let place = self.next;
        match self.take_while(|c| c.is_ascii_digit()) {
            "" => Ok(None),
            digits => match digits.parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(self.refuse(place, "a number below 2^64 was expected")),
            },
        }
    }

    /// Parses a comparison: `1`, `<= 2`, `>=8`; without a sign the operator is `None`.
    fn parse_comparison(&mut self) -> Result<(Option<Operator>, i64), AlgebraError> {
        self.take_while(|c| c == ' ');
        let operator = match self.take_while(|c| "<=>".contains(c)) {
            "" => None,
            "<" => Some(Operator::Less),
            "<=" => Some(Operator::AtMost),
            ">=" => Some(Operator::AtLeast),
            ">" => Some(Operator::Greater),
            _ => Some(Operator::Equal),
        };
        self.take_while(|c| c == ' ');
        let place = self.next;
        let number = self
            .parse_number()?
            .and_then(|number| i64::try_from(number).ok());
        let wrong = || self.refuse(place, "a face was expected, as in ro1, ro<=2 and cs>=8");
        Ok((operator, number.ok_or_else(wrong)?))
    }

    /// The rank of the modifier `word`, which begins at `place`, after the part of the dice parsed
    /// so far.
    fn rank(&mut self, (word, place): (&str, usize), pool: &DicePool) -> Result<u8, AlgebraError> {
        modifier_rank(word).map_err(|what| {
            let counts = ['c', 'C', 't', 'T'];
            let dice = pool.text[..place].split(counts).next();
            let test = match self.parse_comparison() {
                Ok((operator, number)) => (operator, Some(number)),
                Err(_) => (None, None),
            };
            let highest = (Operator::AtLeast, ends(&pool.faces).1);
            let dice = dice.unwrap_or_default();
            let counted = counts_of_bots((dice, word), test, pool.hits.unwrap_or(highest));
            self.refuse(place, counted.unwrap_or(what))
        })
    }

    /// Parses a comparison after the letters of a modifier. Refuses `<` and `>` alone, and `cs`
    /// with a number below the highest face, because both have two possible meanings.
    fn parse_test(&mut self, word: &str, highest: i64) -> Result<(Operator, i64), AlgebraError> {
        let place = self.next;
        let (operator, number) = self.parse_comparison()?;
        let (sign, next) = match operator {
            Some(Operator::Less) => ("<", number.saturating_sub(1)),
            Some(Operator::Greater) => (">", number.saturating_add(1)),
            None if word == "cs" && number < highest => {
                return Err(self.refuse(place, counted_faces(number)));
            }
            operator => return Ok((operator.unwrap_or(Operator::Equal), number)),
        };
        let what = format!(
            "{word}{sign}{number} has two readings: Roll20 reads it as {word}{sign}={number}, others as {word}{sign}={next}"
        );
        Err(self.refuse(place, what))
    }

    /// Parses the comparison of the faces that are rolled again. Refuses one face that the dice do
    /// not have.
    fn parse_faces(&mut self, word: &str, faces: &Counts) -> Result<(Operator, i64), AlgebraError> {
        let place = self.next;
        let (low, high) = ends(faces);
        let test = self.parse_test(word, high)?;
        if test.0 == Operator::Equal && !faces.contains_key(&test.1) {
            let what = format!(
                "no face is {}: several faces that are rolled again are written as a comparison, as in {word}<={}",
                test.1,
                high.min(low + 1)
            );
            return Err(self.refuse(place, what));
        }
        Ok(test)
    }
}

/// The rank of a modifier: modifiers of each single die first, then the choice of kept dice, then
/// the count.
fn modifier_rank(word: &str) -> Result<u8, String> {
    Ok(match word {
        "ro" | "rr" => 1,
        "!" | "!!" | "x" => 2,
        "k" | "kh" | "kl" | "d" | "dh" | "dl" => 3,
        "cs" | "t" => 4,
        _ => {
            let other = notation_of_bots(word).map(str::to_string);
            return Err(other.unwrap_or_else(|| {
                format!("after the number of sides, only these modifiers are known: {MODIFIERS}")
            }));
        }
    })
}

impl DicePool {
    /// A single die with this number of sides.
    pub(super) fn die(from: i64, sides: u64, at: usize) -> Result<DicePool, AlgebraError> {
        DicePool::new(1, from, sides, at)
    }

    fn new(n: u64, from: i64, sides: u64, at: usize) -> Result<DicePool, AlgebraError> {
        if !(1..=1 << 20).contains(&n) || !(1..=1 << 22).contains(&sides) {
            let what = "1 to 2^20 dice of 1 to 2^22 sides were expected";
            return Err(AlgebraError::new(at, what));
        }
        Ok(DicePool {
            text: String::new(),
            end: 0,
            n: n as usize,
            faces: ordered((from..from + sides as i64).map(|face| (face, BigUint::one()))),
            explodes: false,
            kept: 0..n as usize,
            hits: None,
            shown: None,
        })
    }

    /// Parses the dice before the modifiers: `4d6`, `d%` or `dF`.
    fn read_dice(rest: &mut Modifiers, text: &str) -> Result<DicePool, AlgebraError> {
        if let Some(both) = digit_die(text) {
            return Err(rest.refuse(0, both));
        }
        let n = rest.parse_number()?.unwrap_or(1);
        rest.next += 1; // d
        let place = rest.next;
        match rest.parse_number()? {
            Some(sides) => DicePool::new(n, 1, sides, rest.at),
            None => {
                rest.next += 1;
                match &rest.text[place..rest.next] {
                    "f" => DicePool::new(n, -1, 3, rest.at),
                    _ => DicePool::new(n, 1, 100, rest.at),
                }
            }
        }
    }

    /// Parses a text such as `4d6ro1!kh3`, which begins at the character `at` of the formula.
    pub(super) fn read(text: &str, at: usize) -> Result<DicePool, AlgebraError> {
        let small = text.to_ascii_lowercase();
        let mut rest = Modifiers {
            text: &small,
            at,
            next: 0,
        };
        let mut pool = DicePool::read_dice(&mut rest, text)?;
        pool.text = text.to_string();
        pool.end = at + text.len();
        let mut last = 0;
        let mut adds = false;
        let mut chosen = None;
        while !rest.rest().is_empty() {
            let place = rest.next;
            let word = match rest.take_while(|c| c.is_ascii_alphabetic()) {
                "" => rest.take_while(|c| c == '!'),
                word => word,
            };
            // The order is: modifiers of each single die, then the choice of kept dice, then the
            // count.
            let order = rest.rank((word, place), &pool)?;
            if order < last || order == last && order != 3 {
                let what = "modifiers are written in this order: ro1 or rr<=2 once, then !, then kh3 and so on, then cs>=8";
                return Err(rest.refuse(place, what));
            }
            last = order;
            match word {
                "ro" => pool.roll_again(rest.parse_faces(word, &pool.faces)?),
                "rr" => {
                    let test = rest.parse_faces(word, &pool.faces)?;
                    pool.roll_until(test)
                        .map_err(|what| rest.refuse(place, what))?;
                }
                "!" | "!!" | "x" => {
                    let from = rest.parse_number()?;
                    if let Some(number) = from.filter(|_| word == "x") {
                        let is_highest = ends(&pool.faces).1 == number as i64;
                        let both = factor_or_explosion((&text[..place], number), is_highest);
                        return Err(rest.refuse(place, both));
                    }
                    pool.explode_faces(from)
                        .map_err(|what| rest.refuse(place, what))?;
                    adds = word == "!!";
                }
                "cs" | "t" => {
                    let test = if word == "t" {
                        (Operator::AtLeast, rest.parse_comparison()?.1)
                    } else {
                        rest.parse_test(word, ends(&pool.faces).1)?
                    };
                    if pool.explodes && !adds {
                        return Err(rest.refuse(place, counting_readings(&text[..place], test)));
                    }
                    pool.hits = Some(test);
                }
                _ => {
                    if pool.explodes && !adds {
                        return Err(
                            rest.refuse(place, keeping_readings(&text[..place], &text[place..]))
                        );
                    }
                    let count = rest.parse_number()?;
                    let first = *chosen.get_or_insert(place);
                    pool.choose_dice((text, first, place), (word, count), rest.next)
                        .map_err(|what| rest.refuse(place, what))?;
                }
            }
        }
        Ok(pool)
    }

    /// Keeps or drops dice, as the modifier `word` says, which begins at `place` of the text and
    /// ends before `end`. The first modifier that chooses dice begins at `first`.
    fn choose_dice(
        &mut self,
        (text, first, place): (&str, usize, usize),
        (word, count): (&str, Option<u64>),
        end: usize,
    ) -> Result<(), String> {
        if word == "k" && count.is_none() && self.n == 1 {
            return Err(thousands_of_sides(&text[..place]));
        }
        if self.n == 1 && word.starts_with('k') && word.len() > 1 && text.starts_with(['d', 'D']) {
            return Err(only_die_kept(&text[..place], &text[place..end]));
        }
        let is_number = |count: &u64| word == "k" && (1..=self.n as u64).contains(count);
        if let Some(count) = count.filter(is_number) {
            return Err(kept_faces(&text[..place], count));
        }
        let there = self.kept.len();
        if let Some(sides) = count.filter(|sides| word == "d" && *sides >= there as u64) {
            return Err(nested_dice(&text[..place], sides, there));
        }
        self.keep_dice(word, count.unwrap_or(1))?;
        let letters = &text[first..end];
        if first < place && letters.contains(['k', 'K']) {
            let left = (self.kept.start, self.n - self.kept.end);
            return Err(kept_twice(&text[..first], letters, left));
        }
        Ok(())
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

    /// Keeps only the faces that are not rolled again.
    fn roll_until(&mut self, (operator, number): (Operator, i64)) -> Result<(), &'static str> {
        self.faces
            .retain(|face, _| operator.of_words(*face, number) != Some(1));
        if self.faces.is_empty() {
            return Err("a die whose faces are all rolled again never stops");
        }
        Ok(())
    }

    fn explode_faces(&mut self, from: Option<u64>) -> Result<(), String> {
        if self.faces.len() < 2 || ends(&self.faces).0 < 1 {
            let what = "a die of one side would explode forever, and dF does not explode";
            return Err(what.to_string());
        }
        let highest = ends(&self.faces).1;
        if from.is_some_and(|face| face != highest as u64) {
            return Err(format!(
                "a die explodes on its highest face, {highest}, and no other has a formula here"
            ));
        }
        self.explodes = true;
        Ok(())
    }

    /// The possible meanings of a comparison outside `count`, if there are several. `at` is the
    /// position of its sign; `!=` without a blank before it may also be an explosion.
    pub(super) fn comparison_readings(
        &self,
        (operator, number): (Operator, i64),
        at: usize,
    ) -> Option<String> {
        let is_one = self.kept.len() == 1;
        let is_glued = operator == Operator::NotEqual && self.end == at;
        let for_roll20 = match operator {
            Operator::Less => Operator::AtMost,
            Operator::Greater => Operator::AtLeast,
            other => other,
        };
        let splits = |operator| self.splits_faces(operator, number);
        if !(splits(operator) || is_glued || !is_one && splits(for_roll20)) {
            return None;
        }
        if self.n > 1 && is_one && self.text.ends_with(|c: char| c.is_ascii_alphabetic()) {
            return Some(kept_comparison_readings(&self.text, (operator, number)));
        }
        if is_one && !self.explodes && !is_glued {
            return None;
        }
        let dice = (self.text.as_str(), is_one, self.explodes);
        let mut meanings = comparison_meanings(dice, (operator, number));
        if is_glued && !self.explodes {
            let is_highest = number == ends(&self.faces).1;
            meanings += &explosion_on_face(&self.text, number, is_highest);
        }
        Some(meanings)
    }

    /// Whether the comparison is one of a single die, and leaves out the face that it names.
    pub(super) fn excludes_face(&self, operator: Operator, face: i64) -> bool {
        let is_strict = matches!(operator, Operator::Less | Operator::Greater);
        is_strict && self.n == 1 && self.faces.contains_key(&face)
    }

    /// Whether the comparison holds for some faces of a die but not for others.
    pub(super) fn splits_faces(&self, operator: Operator, number: i64) -> bool {
        let holds = |face: &i64| operator.of_words(*face, number) == Some(1);
        self.faces.keys().any(holds) && !self.faces.keys().all(holds)
    }

    /// Whether the dice are simply rolled once and added.
    pub(super) fn is_plain(&self) -> bool {
        let are_rolled = self.faces.values().all(BigUint::is_one);
        are_rolled && !self.explodes && self.hits.is_none() && self.keeps_all()
    }

    /// The same dice, under a name.
    pub(super) fn named(self, name: &str) -> DicePool {
        let (text, end) = (name.to_string(), 0);
        DicePool { text, end, ..self }
    }

    /// Counts the rolls of exploding dice that satisfy a comparison; every roll of a die is
    /// compared separately.
    pub(super) fn rolls(
        &self,
        operator: Operator,
        number: i64,
        work: &mut DiceWork,
    ) -> Result<Endless, AlgebraError> {
        let mut stops = self.faces.clone();
        let (top, again) = stops.pop_last().expect("a die has a face");
        let all = total(&self.faces);
        let hit = |face: i64| operator.of_words(face, number) == Some(1);
        let mut last = Counts::new();
        for (face, weight) in stops {
            *last.entry(hit(face).into()).or_default() += weight;
        }
        let die = Endless::of_counted_rolls(&last, &again, &all, hit(top));
        (1..self.n).try_fold(die.clone(), |sum, _| sum.plus(&die, work))
    }

    fn keep_dice(&mut self, word: &str, count: u64) -> Result<(), String> {
        let there = self.kept.len();
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let (drops, left) = match word {
            "d" | "dh" | "dl" => (true, there.saturating_sub(count)),
            _ => (false, count),
        };
        if count == 0 || left == 0 || left > there {
            return Err(match (drops, there) {
                (true, 1) => "a single die cannot be dropped".to_string(),
                (true, _) => format!("1 to {} of {there} dice are dropped", there - 1),
                (false, 1) => "the only die must be kept".to_string(),
                (false, _) => format!("1 to {there} of {there} dice are kept"),
            });
        }
        match word {
            "kl" | "dh" => self.kept.start = self.kept.end - left,
            _ => self.kept.end = self.kept.start + left,
        }
        Ok(())
    }

    /// Counts the dice that satisfy a comparison, instead of adding them; `None` if they are
    /// already counted.
    pub(super) fn count_hits(mut self, operator: Operator, number: i64) -> Option<DicePool> {
        self.hits
            .replace((operator, number))
            .is_none()
            .then_some(self)
    }

    /// Whether all dice are kept.
    pub(super) fn keeps_all(&self) -> bool {
        self.kept == (0..self.n)
    }

    /// Whether a die of the pool can show more than one face.
    pub(super) fn has_several(&self) -> bool {
        self.shown.is_none() && self.faces.len() > 1
    }

    /// Whether the dice are counted instead of added.
    pub(super) fn is_counted(&self) -> bool {
        self.hits.is_some()
    }

    /// Rolls each die once with a function that returns a face, counted from 1, and returns the
    /// value of the pool; `None` if dice are rolled again or explode.
    pub(super) fn roll_once<E>(
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

    /// The law of the value of the pool.
    pub(super) fn law(self, work: &mut DiceWork) -> Result<SummedLaw, AlgebraError> {
        let DicePool {
            n,
            mut faces,
            explodes,
            kept,
            hits,
            ..
        } = self;
        if let Some(shown) = self.shown {
            let worth = |face: i64| match hits {
                Some((operator, number)) => operator.of_words(face, number).unwrap_or_default(),
                None => face,
            };
            let value = shown.iter().map(|(face, dice)| worth(*face) * *dice as i64);
            return Ok(SummedLaw::Finite(certain(value.sum())));
        }
        let Some((operator, number)) = hits else {
            return Ok(if explodes {
                SummedLaw::Endless(Endless::of_pool(n, &faces, kept, work)?)
            } else if kept == (0..n) {
                let sum = times(&faces, n as u64, work)?;
                SummedLaw::Finite(sum.ok_or_else(|| work.too_long_series())?)
            } else {
                SummedLaw::Finite(kept_sum(n, &faces, kept, |face| face, work)?)
            });
        };
        if explodes {
            // All values above the number of the comparison have the same effect, so they can be
            // replaced by a single value.
            let die = Endless::of_pool(1, &faces, 0..1, work)?;
            let cap = number
                .checked_add(1)
                .ok_or_else(|| work.too_long_series())?;
            let cap = Endless::of_finite(&certain(cap), work)?;
            faces = counts_of(die.minimum_with(&cap, work)?, work)?;
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
        Ok(SummedLaw::Finite(
            sum.ok_or_else(|| work.too_long_series())?,
        ))
    }
}
