//! Follows a recipe with rolls that a person made: says which die is next, or the result.

use crate::recipe::Recipe;
use flipcost::algorithms::factoring::{Procedure, RecipeDie};
use flipcost::law::Step;
use flipcost::task::roll_formula;
use flipcost_number::BigUint;
use flipcost_question::Answer;
use flipcost_question::prelude::*;

/// Names a die.
pub(super) fn die_name(sides: u128) -> String {
    match sides {
        2 => "coin".to_string(),
        m => format!("d{m}"),
    }
}

/// Says in a sentence what the last row of a walk contains.
pub(crate) fn walk_summary(target: &str, answer: &Answer) -> String {
    let last = answer.rows.len().saturating_sub(1);
    match (answer.cell(last, "die"), answer.cell(last, "outcome")) {
        (Cell::Text(die), _) => {
            let die = die.parse().map_or(String::new(), die_name);
            format!("for {target} the next roll is that of a {die}")
        }
        (_, outcome) => {
            let rolls = count_with_noun(last as u64, "roll");
            format!("{target} shows {outcome}, after {rolls}")
        }
    }
}

/// The reason why a walk stops before the result is known.
pub(crate) enum WalkStop {
    /// The next roll is missing: the sides of its die, and the place in the recipe.
    Roll(u128, String),
    /// A given roll is impossible.
    Wrong(QueryError),
}

/// The rolls that a person made, in the order in which the recipe uses them.
pub(crate) struct GivenRolls<'a> {
    given: std::vec::IntoIter<&'a str>,
    rows: Vec<Vec<Cell>>,
    /// Whether the last roll was too large, so that the step begins again.
    again: bool,
}

impl<'a> GivenRolls<'a> {
    /// Parses faces separated by commas.
    pub(crate) fn parse(rolls: &'a str) -> Self {
        let faces: Vec<&str> = (rolls.split(',').map(str::trim))
            .filter(|face| !face.is_empty())
            .collect();
        GivenRolls {
            given: faces.into_iter(),
            rows: Vec::new(),
            again: false,
        }
    }

    /// Returns the face of the next roll, counted from 0.
    fn roll(&mut self, sides: u128, place: String) -> Result<u64, WalkStop> {
        let Some(face) = self.given.next() else {
            return Err(WalkStop::Roll(sides, place));
        };
        let number = face.parse().ok();
        let Some(face) = number.filter(|f: &u64| (1..=sides).contains(&u128::from(*f))) else {
            let die = die_name(sides);
            let at = self.rows.len() + 1;
            let what = say!(
                "roll {at} of ",
                field("rolls"),
                " is of a {die}, which has no face {face}"
            );
            let right = say!("1 to {sides} were expected");
            return Err(WalkStop::Wrong(
                QueryError::wrong("rolls", what).right(right),
            ));
        };
        let at = self.rows.len() as u64 + 1;
        let row = row![at, sides.to_string(), face, place, Cell::Empty];
        self.rows.push(row);
        Ok(face - 1)
    }

    /// Follows a recipe with tables; returns the outcome, counted from 0.
    pub(super) fn follow_recipe(&mut self, recipe: &Recipe) -> Result<BigUint, WalkStop> {
        let mut now = recipe.start();
        loop {
            match now {
                Step::Roll(place) => {
                    let face = self.roll(recipe.sides(&place), place.to_string())?;
                    now = recipe.step(&place, face);
                }
                Step::Output(outcome) => return Ok(outcome),
            }
        }
    }

    /// Returns the value of a formula, whose dice are rolled in the order in which they are
    /// written.
    pub(super) fn follow_formula(&mut self, formula: &str) -> Result<String, WalkStop> {
        let roll = |sides: u64| Ok(self.roll(sides.into(), String::new())? + 1);
        let shown = roll_formula(formula, roll)?;
        Ok(shown.expect("dice that are rolled once").to_string())
    }

    /// Follows a recipe of the factoring method; returns the outcome, counted from 0.
    pub(crate) fn follow_factoring(&mut self, die: &RecipeDie) -> Result<BigUint, WalkStop> {
        self.roll_made_die(die).map(BigUint::from)
    }

    /// Returns the face, counted from 0, of a die that the factoring method makes.
    fn roll_made_die(&mut self, die: &RecipeDie) -> Result<u64, WalkStop> {
        Ok(match &die.procedure {
            Procedure::Nothing => 0,
            Procedure::Roll(sides) => {
                let place = if self.again { "again" } else { "" };
                self.again = false;
                self.roll(*sides, place.to_string())? % die.sides
            }
            Procedure::Reduce(from) => self.roll_made_die(from)? % die.sides,
            Procedure::Retry(from) => loop {
                let face = self.roll_made_die(from)?;
                if face < die.sides {
                    break face;
                }
                self.again = true;
            },
            Procedure::Product(a, b) => {
                let face = self.roll_made_die(a)?;
                face * b.sides + self.roll_made_die(b)?
            }
        })
    }

    /// Writes a row for each roll, and a last row with the result in words.
    pub(crate) fn write(
        mut self,
        end: Result<String, WalkStop>,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let end = match end {
            Err(WalkStop::Wrong(error)) => return Err(error),
            Err(WalkStop::Roll(sides, place)) => Err((sides, place)),
            Ok(outcome) => Ok(outcome),
        };
        let rolls = self.rows.len() as u64;
        if self.given.next().is_some() {
            let what = say!("the result is known after ", count_with_noun(rolls, "roll"));
            return Err(
                QueryError::wrong("rolls", what).right(say!(field("rolls"), " gives more rolls"))
            );
        }
        let next = rolls + 1;
        self.rows.push(match end {
            Err((sides, place)) => {
                row![next, sides.to_string(), Cell::Empty, place, Cell::Empty]
            }
            Ok(outcome) => {
                row![next, Cell::Empty, Cell::Empty, Cell::Empty, outcome]
            }
        });
        let head = Head::new()
            .column("roll", CellKind::Count)
            .column("die", CellKind::Text)
            .column("face", CellKind::Count)
            .column("place", CellKind::Text)
            .column("outcome", CellKind::Text);
        sink.write_answer(&head, self.rows, Foot::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::factoring::recipe_with_remainders;
    use std::collections::BTreeMap;

    /// Follows the printed recipes for a d97 from a d20 and for a d7 from a d6: after two rolls,
    /// every outcome has the same number of pairs of rolls, and the other pairs continue.
    #[test]
    fn factoring_recipes_are_followed_to_equally_likely_outcomes() {
        for (sides, n, each) in [(20, 97, 4), (6, 7, 5), (10, 99, 1)] {
            let recipe = recipe_with_remainders(&[sides], n).unwrap();
            let mut pairs = BTreeMap::new();
            for (a, b) in (1..=sides).flat_map(|a| (1..=sides).map(move |b| (a, b))) {
                let rolls = format!("{a},{b}");
                let mut given = GivenRolls::parse(&rolls);
                let outcome = given.follow_factoring(&recipe.root).ok();
                assert_eq!(given.rows.len(), 2);
                *pairs.entry(outcome).or_insert(0u128) += 1;
            }
            let again = pairs.remove(&None).unwrap_or(0);
            assert_eq!(pairs.len() as u64, n);
            assert!(pairs.values().all(|count| *count == each), "{pairs:?}");
            assert_eq!(again + each * u128::from(n), sides * sides);
        }
    }
}
