//! The alias method: a fair die picks a column, and the column's coin picks one of two outcomes.
//!
//! Each of the r outcomes with a weight above 0 has a column. All columns have the height M, in
//! units in which the weights are r a_i: outcome i fills the lowest b_i units of its column, and
//! one other outcome, its alias, fills the upper M - b_i units. The fast dice roller of r sides
//! picks the column, and the optimal tree of the weights b_i and M - b_i picks the outcome; no
//! randomness is kept between the two. That tree has one undecided node at depth t unless M divides
//! m^t b_i. Let c(t) be the number of columns for which M does not divide m^t b_i. Then
//!
//! ```text
//! E = E(r) + (1/r) sum_{t>=0} c(t) / m^t,   E(r) = sum_{t>=0} (m^t mod r) / m^t
//! ```
//!
//! **Columns.** They are built by Vose's method: the columns lower than M wait on one stack, and
//! all others on a second stack, both pushed in the order of the outcomes. At each step the column
//! on top of the second stack fills up the column on top of the first. What is left of it returns
//! to the first stack if it is now lower than M, and otherwise to the second. The resulting
//! columns, and so the cost, depend on the order. A column of height exactly M is full, but stays
//! on the second stack, as in the library rand. With `alias:full=1` it is finished at once, as in
//! StatsBase: 1:7:1:1:7:1 then costs 5 flips instead of 16/3.
//!
//! **Cost.** Building the columns takes O(r) sums, and the counts c(t) take O(r) greatest common
//! divisors, of numbers as long as M. **Source.** Walker 1977, ACM Trans. Math. Software 3(3); Vose
//! 1991, IEEE Trans. Software Eng. 17(9).

use super::fast_dice_roller::{Uniform, UniformAction};
use super::{About, Arguments, Memory, Parameter, Purpose, Rule, RuleInfo, Step};
use crate::law::{Law, Stages};
use crate::task::{Refusal, Target, Task};
use flipcost_number::BigUint;
use flipcost_number::order::{coprime_part_big, gcd_with_word};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;
use std::sync::OnceLock;

/// See the module documentation.
pub(crate) struct Alias {
    source: u128,
    /// M, the height of the columns.
    height: BigUint,
    /// The number r of columns.
    faces: BigUint,
    columns: AliasColumns,
    law: OnceLock<Law>,
}

enum AliasColumns {
    /// The columns of a fair die, which are all full.
    Full,
    Mixed(Vec<AliasColumn>),
}

/// A column: the lowest b of its M units belong to its own outcome, the others to its alias.
struct AliasColumn {
    outcome: usize,
    own: BigUint,
    alias: usize,
}

/// The stage of one draw: rolling the die that picks the column, or tossing the coin of a column.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// The state of the fast dice roller.
    Die(Uniform),
    /// m^t b mod M for the column's b.
    Coin { column: u64, rest: BigUint },
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Stage::Die(state) => state.fmt(f),
            Stage::Coin { column, rest } => write!(f, "column {}, rest {rest}", column + 1),
        }
    }
}

/// Builds Vose's columns. Cost: O(r) sums.
fn vose_columns(target: &Target, faces: &BigUint, full: bool) -> AliasColumns {
    let Some(weights) = target.weights() else {
        return AliasColumns::Full;
    };
    let height = target.weight_sum();
    let possible = weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| !weight.is_zero());
    let mut columns: Vec<AliasColumn> = possible
        .map(|(outcome, weight)| AliasColumn {
            outcome,
            own: weight * faces,
            alias: outcome,
        })
        .collect();
    let (mut low, mut high): (Vec<usize>, Vec<usize>) = (0..columns.len())
        .filter(|i| !full || columns[*i].own != *height)
        .partition(|i| columns[*i].own < *height);
    while let (Some(below), Some(above)) = (low.pop(), high.pop()) {
        columns[below].alias = columns[above].outcome;
        let missing = height - &columns[below].own;
        columns[above].own -= missing;
        if columns[above].own < *height {
            low.push(above)
        } else if !full || columns[above].own != *height {
            high.push(above)
        }
    }
    AliasColumns::Mixed(columns)
}

impl Alias {
    fn next_step(&self, state: Uniform) -> Step<Stage> {
        match state.extract(&self.faces) {
            UniformAction::Expand(state) | UniformAction::Reject(state) => {
                Step::Roll(Stage::Die(state))
            }
            UniformAction::Output(face, _) => {
                let columns = match &self.columns {
                    AliasColumns::Full => return Step::Output(face),
                    AliasColumns::Mixed(columns) => columns,
                };
                let column = face.to_u64().expect("fewer than 2^64 weights");
                let AliasColumn { outcome, own, .. } = &columns[column as usize];
                if *own == self.height {
                    Step::Output((*outcome).into())
                } else {
                    Step::Roll(Stage::Coin {
                        column,
                        rest: own.clone(),
                    })
                }
            }
        }
    }

    /// Returns c(t) for every t up to its last change, and the value that it keeps from then on.
    fn coin_counts(&self) -> (Vec<u64>, u64) {
        let AliasColumns::Mixed(columns) = &self.columns else {
            return (Vec::new(), 0);
        };
        let (rest, most) = coprime_part_big(self.source, &self.height);
        let mut ends = vec![0u64; most as usize + 1]; // columns that are decided after t tosses
        let mut endless = 0;
        for AliasColumn { own, .. } in columns {
            if !own.is_multiple_of(&rest) {
                endless += 1;
                continue;
            }
            // the least t with M | m^t b
            let (mut left, mut t) = (&self.height / self.height.gcd(own), 0);
            while !left.is_one() {
                left /= gcd_with_word(self.source, &left);
                t += 1;
            }
            ends[t] += 1;
        }
        let mut alive = columns.len() as u64;
        let mut head: Vec<u64> = (ends.iter())
            .map(|decided| {
                alive -= decided;
                alive
            })
            .collect();
        while head.last() == Some(&endless) {
            head.pop();
        }
        (head, endless)
    }
}

impl Rule for Alias {
    type State = Stage;

    fn start(&self) -> Step<Stage> {
        self.next_step(Uniform::new())
    }

    fn step(&self, state: &Stage, face: u64) -> Step<Stage> {
        let (column, rest) = match state {
            Stage::Die(state) => return self.next_step(state.expand(self.source, face)),
            Stage::Coin { column, rest } => (*column, rest),
        };
        let AliasColumns::Mixed(columns) = &self.columns else {
            unreachable!("full columns toss no coin")
        };
        let AliasColumn { outcome, alias, .. } = &columns[column as usize];
        // The column has m equal parts: the lowest belong to its own outcome, at most one is shared
        // by both outcomes, and all above belong to the alias.
        let (own, rest) = (rest * self.source).div_rem(&self.height);
        let own = own.to_u64().expect("below m");
        if face < own {
            Step::Output((*outcome).into())
        } else if face > own || rest.is_zero() {
            Step::Output((*alias).into())
        } else {
            Step::Roll(Stage::Coin { column, rest })
        }
    }
}

impl RuleInfo for Alias {
    const ABOUT: About = About {
        id: "alias",
        name: "Alias method",
        citation: "Walker 1977; Vose 1991",
        memory: Memory::State,
        bounded: "if every prime factor of the number of outcomes r and of every column's coin divides m",
        rule: "roll a fair die of r, the number of outcomes, for a column (fast dice roller), then toss the column's coin for one of its two outcomes (optimal tree)",
        law: "E = E(r) + (1/r) sum of c(t) / m^t over all t >= 0: E(r) of the fast dice roller, c(t) columns with an undecided coin after t rolls",
    };
    const PURPOSE: Purpose = Purpose::Weights;
    const BITS: bool = true;
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "full",
        about: "1 if a column of exactly the average counts as full and fills up no other column; otherwise 0, the default",
        least: 0,
        most: 1,
    }];

    fn new(task: &Task) -> Result<Self, Refusal> {
        Alias::with(task, &Arguments::NONE)
    }

    fn with(task: &Task, arguments: &Arguments) -> Result<Self, Refusal> {
        let target = task.target();
        let faces = target.possible();
        Ok(Alias {
            source: task.words()?,
            height: target.weight_sum().clone(),
            columns: vose_columns(target, &faces, arguments.get("full") == Some(1)),
            faces,
            law: OnceLock::new(),
        })
    }

    fn closed_law(&self) -> Option<Law> {
        let law = || match self.faces.to_u64() {
            Some(faces) => {
                let (head, rest) = self.coin_counts();
                Stages::new(self.source, faces, head, rest).into()
            }
            // A fair die: all weights are equal.
            None => crate::law::Residues::new(self.source, self.faces.clone()).into(),
        };
        Some(self.law.get_or_init(law).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(weights: &[u64]) -> Vec<(usize, u64, usize)> {
        let target = Target::weighted(weights).unwrap();
        let AliasColumns::Mixed(columns) = vose_columns(&target, &target.possible(), false) else {
            panic!("not fair")
        };
        let column = |c: &AliasColumn| (c.outcome, c.own.to_u64().unwrap(), c.alias);
        columns.iter().map(column).collect()
    }

    /// Computed by hand: 1:2:3 has the sum 6, and its columns begin with the heights 3, 6 and 9;
    /// the last column fills up the first, and both are then full.
    #[test]
    fn columns_by_hand() {
        assert_eq!(table(&[1, 2, 3]), [(0, 3, 2), (1, 6, 1), (2, 6, 2)]);
        // Columns of 4, 4, 12, 12 and 8: column 3 fills up column 1 and then column 0, and column 2
        // fills up column 3.
        assert_eq!(
            table(&[1, 1, 3, 3]),
            [(0, 4, 3), (1, 4, 3), (2, 8, 2), (3, 4, 2)]
        );
        // An outcome of weight 0 has no column.
        assert_eq!(table(&[0, 1, 0, 3]), [(1, 2, 3), (3, 4, 3)]);
    }

    /// In 1:7:1:1:7:1 the average weight is 3. Picking the column costs E(6) = 11/3, and the coin
    /// of a column that is not full costs two flips.
    #[test]
    fn a_column_of_the_average() {
        let target = Target::weighted([1u8, 7, 1, 1, 7, 1]).unwrap();
        let task = Task::new(target, crate::task::Source::COIN);
        let mean = |id: &str| {
            super::super::find(id)
                .unwrap()
                .law(&task)
                .unwrap()
                .mean()
                .unwrap()
                .to_string()
        };
        assert_eq!(
            (mean("alias"), mean("alias:full=1")),
            ("16/3".to_string(), "5".to_string())
        );
    }

    /// The columns give each outcome r times its weight.
    #[test]
    fn columns_give_each_outcome_its_weight() {
        for seed in 1u64..300 {
            let weights: Vec<u64> = (0..seed % 11 + 2)
                .map(|i| (seed * 7919 + i * i * 31) % 17)
                .collect();
            let Ok(target) = Target::weighted(weights) else {
                continue;
            };
            let AliasColumns::Mixed(columns) = vose_columns(&target, &target.possible(), false)
            else {
                continue;
            };
            let mut held = vec![BigUint::zero(); target.outcomes().to_usize().unwrap()];
            for AliasColumn {
                outcome,
                own,
                alias,
            } in &columns
            {
                assert!(own <= target.weight_sum());
                held[*outcome] += own;
                held[*alias] += target.weight_sum() - own;
            }
            for (i, weight) in target.iter() {
                assert_eq!(held[i.to_usize().unwrap()], weight * columns.len());
            }
        }
    }
}
