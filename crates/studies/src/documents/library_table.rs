//! The document `library-table`: see [`LibraryTable`].

use crate::compose::{Compose, DocumentContents};
use crate::costs::costs;
use crate::error::StudyError;
use crate::limits::{MAX_LIBRARY_DICE, MAX_LIBRARY_SIDES, check_at_most};
use crate::sheet::markdown;
use crate::values::{FigureName, Line, coin, task};
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::law::Bias;
use flipcost::table::EXACT_LIMIT;
use flipcost::table::{Cell, Precision, Unwritten};
use flipcost_libraries::{LIBRARIES, Library};
use flipcost_number::threads;
use flipcost_number::{BigUint, Real};
use schemars::JsonSchema;
use serde::Deserialize;

/// The random bits that each library function draws for one roll of each die, and how far its
/// results are from fair; the optimum and the entropy are the last rows.
///
/// ```toml
/// [[library-table]]
/// name = "bits-per-result"
/// title = "Random bits for one result"
/// dice = [{ name = "a d6", n = 6 }, { name = "a card", n = 52 }]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LibraryTable {
    name: FigureName,
    title: Line,
    /// The dice; the table has a column for each die.
    dice: Vec<TableDie>,
}

/// A die that has a column in this table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TableDie {
    /// The usual name of the die.
    name: Line,
    n: u64,
}

/// The cost of one result of a library function.
struct ResultCost {
    /// The random bits, if each word has a whole number of bits.
    bits: Option<Real>,
    /// The random words.
    words: Option<Real>,
    bias: Option<Bias>,
}

/// Marks a function whose results are biased, after its bits.
const BIASED_MARK: &str = "†";

impl ResultCost {
    /// Returns the cost of a library function; `None` if n does not fit the type of its argument.
    fn from_library(line: &Library, n: &BigUint) -> Option<ResultCost> {
        let cost = line.cost(n).ok()?;
        Some(ResultCost {
            bits: cost.bits_drawn().map(Real::Exact),
            words: Some(cost.words.mean_real()),
            bias: cost.outcomes.as_ref().map(|law| Bias::new(law, n.clone())),
        })
    }

    /// Creates a cost from a lower bound in flips.
    fn from_lower_bound(bits: Real) -> ResultCost {
        ResultCost {
            bits: Some(bits),
            words: None,
            bias: None,
        }
    }

    /// Returns three cells: the exact bits, the bits in decimals, and the total variation distance.
    fn cells(&self) -> Result<[Cell; 3], StudyError> {
        let number = |value: Option<&Real>| match value {
            Some(value) => match Precision::default().cell(value) {
                Err(Unwritten::TooSmall | Unwritten::TooLarge) => Ok(Cell::Undefined),
                cell => cell,
            },
            None => Ok(Cell::Empty),
        };
        let exact = self.bits.as_ref().and_then(Real::exact);
        let distance = self.bias.as_ref().map(Bias::total_variation);
        let distance = Real::Exact(distance.unwrap_or_default());
        Ok([
            exact.map_or(Cell::Empty, Cell::from),
            number(self.bits.as_ref())?,
            number(Some(&distance))?,
        ])
    }

    /// Returns the cell that a reader sees: the bits with two decimals, and a mark if the function
    /// is biased.
    fn to_cell(&self) -> Result<Cell, StudyError> {
        let decimals = |value: &Real| -> Result<String, StudyError> {
            match value.exact().filter(|value| value.is_integer()) {
                Some(whole) => Ok(whole.to_string()),
                None => Ok(value.decimals(2)?),
            }
        };
        let text = match (&self.bits, &self.words) {
            (Some(bits), _) => decimals(bits)?,
            (None, Some(words)) => match decimals(words)?.as_str() {
                "1" => "1 word".to_string(),
                words => format!("{words} words"),
            },
            (None, None) => String::new(),
        };
        let mark = if self.bias.is_some() { BIASED_MARK } else { "" };
        Ok(Cell::Text(format!("{text}{mark}")))
    }
}

impl LibraryTable {
    /// Returns two lower bounds for each die: the cost of the best algorithm, and the entropy.
    fn bounds(&self) -> Result<[Vec<Option<ResultCost>>; 2], StudyError> {
        let (mut optimum, mut entropy) = (Vec::new(), Vec::new());
        for die in &self.dice {
            let costs = costs(FAST_DICE_ROLLER, &task(coin(), die.n)?)?;
            let exact = costs.law().mean_up_to(EXACT_LIMIT);
            let mean = exact.map_or_else(|_| costs.mean().clone(), Real::Exact);
            optimum.push(Some(ResultCost::from_lower_bound(mean)));
            entropy.push(Some(ResultCost::from_lower_bound(costs.entropy().clone())));
        }
        Ok([optimum, entropy])
    }
}

impl Compose for LibraryTable {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn title(&self) -> &str {
        &self.title.0
    }

    fn compose(&self) -> Result<DocumentContents, StudyError> {
        check_at_most("dice", self.dice.len() as u64, "dice", MAX_LIBRARY_DICE)?;
        for die in &self.dice {
            task(coin(), die.n)?;
            check_at_most("n", die.n, "sides", MAX_LIBRARY_SIDES)?;
        }
        let of_line = |line: &Library| {
            let drawn = self
                .dice
                .iter()
                .map(|die| ResultCost::from_library(line, &die.n.into()));
            ([line.id, line.language, line.function], drawn.collect())
        };
        let mut lines: Vec<([&str; 3], Vec<Option<ResultCost>>)> =
            threads::map_of(&LIBRARIES, &of_line);
        let [optimum, entropy] = self.bounds()?;
        lines.push((["optimum", "", FAST_DICE_ROLLER.about().name], optimum));
        lines.push((["entropy", "", "lower bound"], entropy));
        let mut headers: Vec<String> = ["id", "language", "function"].map(String::from).into();
        let mut read: Vec<String> = headers.clone();
        for TableDie { name, n } in &self.dice {
            let columns = ["bits_drawn_exact", "bits_drawn", "total_variation"];
            headers.extend(columns.map(|column| format!("{n} {column}")));
            read.push(format!("{}, n = {n}", name.0));
        }
        let (mut rows, mut shown) = (Vec::new(), Vec::new());
        for (names, dice) in &lines {
            let names = names.map(|name| Cell::Text(name.to_string()));
            let (mut row, mut seen) = (names.to_vec(), names.to_vec());
            for drawn in dice {
                match drawn {
                    Some(drawn) => {
                        row.extend(drawn.cells()?);
                        seen.push(drawn.to_cell()?);
                    }
                    None => {
                        row.extend([const { Cell::Empty }; 3]);
                        seen.push(Cell::Text("n too large".to_string()));
                    }
                }
            }
            rows.push(row);
            shown.push(seen);
        }
        let text = format!(
            "\nBits of the random words that one call draws on average: a whole number, or two \
             decimals. {BIASED_MARK} marks results that are not equally likely; how far they are from fair is in \
             the column total_variation of the CSV file of the same name.\n\n{}",
            markdown(&read, &shown)
        );
        Ok(DocumentContents {
            text,
            table: Some((headers, rows)),
        })
    }
}
