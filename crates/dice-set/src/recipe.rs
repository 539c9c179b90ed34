//! A plan as a recipe: lookup tables that a person can follow with physical dice.

use super::Die;
use super::policy::{Action, PlanProblem};
use flipcost::law::Step;
use flipcost_number::BigUint;
use std::collections::HashMap;
use std::fmt;

/// A table of the recipe: what to do at one of v equally likely nodes.
///
/// At position c (counted from 0), roll the die of m sides, and let f be its face (counted from 0).
/// Then k = c m + f is one of `nodes` times m equally likely numbers. If k < `decided`, the outcome
/// is k mod n. Otherwise k - `decided` is a position in the list of all positions of the parts, one
/// part after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeTable {
    /// The number v of equally likely positions.
    pub nodes: u64,
    /// The die that is rolled.
    pub die: Die,
    /// How many of the `nodes` times m numbers are outcomes: the largest multiple of n.
    pub decided: u128,
    /// The tables to which the other numbers lead, given as indices into [`Recipe::tables`].
    pub parts: Vec<usize>,
}

/// A position in the recipe: a table, and a line of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecipePlace {
    /// The index of the table in [`Recipe::tables`].
    pub table: usize,
    /// The position c, from 0 to `nodes` - 1.
    pub position: u64,
    /// Whether the table has only one line.
    alone: bool,
}

/// Writes the letters of the table, with the number of the line, counted from 1, if there are
/// several: A, B1, B2, ..., AA1.
impl fmt::Display for RecipePlace {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&if self.alone {
            letters(self.table)
        } else {
            format!("{}{}", letters(self.table), self.position + 1)
        })
    }
}

pub(super) fn letters(index: usize) -> String {
    let last = (b'A' + (index % 26) as u8) as char;
    match index / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letters(more - 1)),
    }
}

/// A line of a table: what every face does in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeLine {
    /// The place.
    pub place: RecipePlace,
    /// The number of sides of the die that is rolled there.
    pub sides: u128,
    /// What each face does, in increasing order of the faces.
    pub faces: Vec<Step<RecipePlace>>,
}

/// An algorithm with several dice that a person can follow and a program can run.
///
/// ```
/// use flipcost_dice_set::{Die, plan};
/// let recipe = plan(12, &[Die::new(2), Die::new(6)])?.recipe;
/// assert!(recipe.to_string().ends_with("B2     7  8  9 10 11 12")); // for a person
/// # Ok::<(), flipcost_dice_set::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    target: u64,
    tables: Vec<RecipeTable>,
}

impl Recipe {
    pub(super) fn new(problem: &PlanProblem, policy: &[Action]) -> Recipe {
        let parts = |v: usize| {
            let (mut open, mut parts) = (vec![v], Vec::new());
            while let Some(v) = open.pop() {
                match policy[v] {
                    _ if v == 0 => {}
                    Action::Roll(_) => parts.push(v),
                    Action::Split(a) => open.extend([a, v - a]),
                }
            }
            parts.sort_unstable_by(|a, b| b.cmp(a));
            parts
        };
        // Go breadth first, starting from the single node before any roll.
        let mut order = parts(1 % problem.target);
        let mut index: HashMap<usize, usize> = order.iter().map(|v| (*v, 0)).collect();
        let mut tables = Vec::new();
        while tables.len() < order.len() {
            let v = order[tables.len()];
            let Action::Roll(die) = policy[v] else {
                unreachable!("a part is a state that rolls")
            };
            let rest = problem.nodes_left(v, die);
            let mut place = |part: usize| {
                *index.entry(part).or_insert_with(|| {
                    order.push(part);
                    order.len() - 1
                })
            };
            let parts = parts(rest).into_iter().map(&mut place).collect();
            let die = problem.dice[die].clone();
            tables.push(RecipeTable {
                nodes: v as u64,
                decided: v as u128 * die.sides - rest as u128,
                die,
                parts,
            });
        }
        Recipe {
            target: problem.target as u64,
            tables,
        }
    }

    /// The number n of sides of the target.
    pub fn target(&self) -> u64 {
        self.target
    }

    /// The tables; the recipe begins with the first. The list is empty for n = 1.
    pub fn tables(&self) -> &[RecipeTable] {
        &self.tables
    }

    pub fn place(&self, table: usize, position: u64) -> RecipePlace {
        RecipePlace {
            table,
            position,
            alone: self.tables[table].nodes == 1,
        }
    }

    /// Returns the state before any roll: the first place, or the outcome of a die with one side.
    pub fn start(&self) -> Step<RecipePlace> {
        match self.tables.first() {
            Some(_) => Step::Roll(self.place(0, 0)),
            None => Step::Output(BigUint::ZERO),
        }
    }

    /// The number of sides of the die that is rolled at a place.
    pub fn sides(&self, place: &RecipePlace) -> u128 {
        self.tables[place.table].die.sides
    }

    /// Returns the state after a roll at `place` that showed `face` (counted from 0).
    pub fn step(&self, place: &RecipePlace, face: u64) -> Step<RecipePlace> {
        let table = &self.tables[place.table];
        let k = u128::from(place.position) * table.die.sides + u128::from(face);
        if k < table.decided {
            return Step::Output((k % u128::from(self.target)).into());
        }
        let mut position = (k - table.decided) as u64; // below n
        for &part in &table.parts {
            let nodes = self.tables[part].nodes;
            if position < nodes {
                return Step::Roll(self.place(part, position));
            }
            position -= nodes;
        }
        unreachable!("every undecided number of {place} is in one of its parts")
    }

    /// Iterates over the lines of all tables, table after table. Cost: one step per cell; there are
    /// at most n^2 m / 2 cells.
    pub fn steps(&self) -> impl Iterator<Item = RecipeLine> + '_ {
        let lines = move |table: usize| {
            (0..self.tables[table].nodes).map(move |position| {
                let place = self.place(table, position);
                let sides = self.sides(&place);
                let faces = (0..sides)
                    .map(|face| self.step(&place, face as u64))
                    .collect();
                RecipeLine {
                    place,
                    sides,
                    faces,
                }
            })
        };
        (0..self.tables.len()).flat_map(lines)
    }
}
