//! Arguments that several commands share, and the way to the sinks.

use super::{Failure, remark};
use crate::rows;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use flipcost::algorithms::{self, Algorithm};
use flipcost::bag;
use flipcost::number::BigUint;
use flipcost::number::expression::{ExpressionError, parse_natural, parse_u64};
use flipcost::number::real::Real;
use flipcost::table::{Cell, Column, Precision};
use flipcost::task::{Refusal, Target, Task};
use flipcost_query::{AlgorithmId, Natural, Numbers, NumbersError, Sides};
use num_traits::{ToPrimitive, Zero};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Sides of a target.
pub fn target(text: &str) -> Result<BigUint, String> {
    let n = parse_natural(text).map_err(|error| error.to_string())?;
    if n.is_zero() {
        return Err("a target of 0 sides has no outcome: n must be at least 1".to_string());
    }
    Ok(n)
}

/// Sides of a target, as they are written.
pub fn written_target(text: &str) -> Result<Natural, String> {
    target(text)?;
    text.parse()
        .map_err(|error: ExpressionError| error.to_string())
}

/// The sides of a source that the algorithms for fair dice take.
fn fair_source(m: impl Into<BigUint>) -> Result<u64, Refusal> {
    let m = m.into();
    match m.to_u64() {
        Some(sides) if (2..=Task::WIDEST).contains(&sides) => Ok(sides),
        _ => Err(Refusal::WideSource(m)),
    }
}

/// Sides of a source.
pub fn source(text: &str) -> Result<u64, String> {
    let m = parse_natural(text).map_err(|error| error.to_string())?;
    fair_source(m).map_err(|error| error.to_string())
}

/// A natural number that fits a machine word, as the ends of a range must.
pub fn word(text: &str) -> Result<u64, String> {
    parse_u64(text).map_err(|error| error.to_string())
}

/// A natural number above 0 that fits a machine word.
pub fn positive(text: &str) -> Result<u64, String> {
    match word(text)? {
        0 => Err("it must be at least 1".to_string()),
        n => Ok(n),
    }
}

/// Decimals after the point.
pub fn digits(text: &str) -> Result<u32, String> {
    match word(text)? {
        n if n <= 1_000_000 => Ok(n as u32),
        n => Err(format!("{n} decimals are too many: 1000000 is the most")),
    }
}

/// A list and ranges, as in 2,4,10..20, every number of which passes a check.
fn numbers<E: ToString>(
    text: &str,
    check: impl Fn(u64) -> Result<(), E>,
) -> Result<Numbers, String> {
    let numbers: Numbers = text
        .parse()
        .map_err(|error: NumbersError| error.to_string())?;
    let mut all = numbers.get().iter();
    all.try_for_each(|number| check(*number).map_err(|error| error.to_string()))?;
    Ok(numbers)
}

/// Several sources.
pub fn sources(text: &str) -> Result<Numbers, String> {
    numbers(text, |m| fair_source(m).map(|_| ()))
}

/// Several targets.
pub fn targets(text: &str) -> Result<Numbers, String> {
    numbers(text, |n| Target::uniform(n).map(|_| ()))
}

/// An algorithm by its id. The policies for streams are possible values that are not listed, so that
/// a sentence of their own says where they are found.
pub fn algorithm() -> impl TypedValueParser<Value = &'static dyn Algorithm> {
    let ids = algorithms::ids().into_iter().map(PossibleValue::new);
    let policies = algorithms::POLICIES.map(|policy| PossibleValue::new(policy).hide(true));
    PossibleValuesParser::new(ids.chain(policies)).try_map(|id| algorithms::find(&id))
}

/// The same, as a question holds it.
pub fn algorithm_id() -> impl TypedValueParser<Value = AlgorithmId> {
    algorithm().map(AlgorithmId)
}

/// These methods, each once, in the order of the registry; all of them if none is given.
pub fn methods(given: &[&'static dyn Algorithm]) -> Vec<&'static dyn Algorithm> {
    let same =
        |method: &dyn Algorithm, other: &dyn Algorithm| method.about().id == other.about().id;
    let wanted = |method: &&'static dyn Algorithm| {
        given.is_empty() || given.iter().any(|one| same(*one, *method))
    };
    algorithms::REGISTRY
        .iter()
        .copied()
        .filter(wanted)
        .collect()
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// Aligned columns
    Table,
    /// Comma-separated values with a header line
    Csv,
    /// One JSON object per line
    Jsonl,
}

impl From<RowFormat> for rows::Format {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::Table => rows::Format::Table,
            RowFormat::Csv => rows::Format::Csv,
            RowFormat::Jsonl => rows::Format::Jsonl,
        }
    }
}

/// `--source`.
#[derive(clap::Args, Clone)]
pub struct SourceArg {
    /// Sides of the source: 2 is a coin, 6 a common die
    #[arg(short, long, value_name = "M", default_value = "2", value_parser = source, allow_negative_numbers = true)]
    pub source: u64,
}

/// `--source`, as a question holds it.
#[derive(clap::Args, Clone)]
pub struct SidesArg {
    /// Sides of the source: 2 is a coin, 6 a common die
    #[arg(
        short,
        long,
        value_name = "M",
        default_value = "2",
        allow_negative_numbers = true
    )]
    pub source: Sides,
}

/// `--digits` and `--exact`.
#[derive(clap::Args, Clone)]
pub struct PrecisionArgs {
    /// Print D correctly rounded decimals instead of the nearest double
    #[arg(short, long, value_name = "D", value_parser = digits, allow_negative_numbers = true)]
    pub digits: Option<u32>,
    /// Print exact fractions however large they are
    #[arg(long)]
    pub exact: bool,
}

impl PrecisionArgs {
    pub fn precision(&self) -> Precision {
        let limit = Precision::default().exact_limit;
        // beyond this, numerator and denominator would not fit in memory
        let exact_limit = if self.exact { 1 << 37 } else { limit };
        Precision {
            digits: self.digits,
            exact_limit,
        }
    }
}

/// `--digits` alone, where the exact fractions that are too large are never computed.
#[derive(clap::Args, Clone)]
pub struct DigitsArg {
    /// Print D correctly rounded decimals instead of the nearest double
    #[arg(short, long, value_name = "D", value_parser = digits, allow_negative_numbers = true)]
    pub digits: Option<u32>,
}

impl DigitsArg {
    /// The exact fraction, where it is known.
    pub fn exact(&self, value: &Real) -> Cell {
        let fraction = value.exact().map(flipcost::table::columns::fraction);
        fraction.map_or(Cell::Empty, Cell::Exact)
    }

    /// Decimals, or the nearest double.
    pub fn cell(&self, value: &Real) -> Result<Cell, Failure> {
        let precision = Precision {
            digits: self.digits,
            ..Precision::default()
        };
        precision.cell(value).map_err(Failure::input)
    }
}

/// `--format` and `-o`.
#[derive(clap::Args, Clone)]
pub struct OutputArgs {
    /// How rows are written [default: table on a terminal, csv elsewhere]
    #[arg(short, long)]
    pub format: Option<RowFormat>,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Is this the name of a picture, of a kind that is drawn here or not?
fn is_picture(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let kinds = ["svg", "png", "dot", "gif", "jpg", "jpeg", "pdf", "eps"];
    extension.is_some_and(|extension| kinds.contains(&extension.to_lowercase().as_str()))
}

impl OutputArgs {
    /// The format that was asked for, or the one that suits where the rows go.
    pub fn format(&self) -> RowFormat {
        let reader = self.output.is_none() && std::io::stdout().is_terminal();
        self.format.unwrap_or(if reader {
            RowFormat::Table
        } else {
            RowFormat::Csv
        })
    }

    /// Takes the file away if its name is a picture's.
    pub fn take_picture(&mut self) -> Option<PathBuf> {
        self.output.take_if(|path| is_picture(path))
    }

    /// Writes rows that are all at hand.
    pub fn write(&self, headers: &[&str], rows: &[Vec<Cell>]) -> Result<(), Failure> {
        refuse_picture(self.output.as_deref())?;
        let mut sink = rows::sink(self.format().into(), headers);
        let mut output = rows::Output::open(self.output.as_deref())?;
        output.with(|out| {
            sink.begin(out)?;
            rows.iter().try_for_each(|row| sink.row(row, out))?;
            sink.end(out)
        })?;
        Ok(output.finish()?)
    }
}

/// One sentence on the exact fractions that were left out.
pub fn say_left_out(count: usize, first: Option<(String, flipcost::table::columns::SizeInWords)>) {
    if let Some((of, size)) = first {
        let more = if count > 1 {
            format!(" (and {} more)", count - 1)
        } else {
            String::new()
        };
        remark(&format!(
            "the exact fraction of {of}{more} is left out: it {size}; --exact asks for it all the same"
        ));
    }
}

/// No column is named twice.
pub fn each_once(columns: &[Column]) -> Result<(), Failure> {
    match (1..columns.len()).find(|&i| columns[..i].contains(&columns[i])) {
        Some(twice) => Err(Failure::Input(format!(
            "--columns names {} twice: once is enough",
            columns[twice].name()
        ))),
        None => Ok(()),
    }
}

/// Rows are not written under a picture's name.
pub fn refuse_picture(path: Option<&Path>) -> Result<(), Failure> {
    match path.filter(|path| is_picture(path)) {
        Some(path) => Err(Failure::Input(format!(
            "\"{}\" is a picture's name, and this command writes rows: a name such as rows.csv or rows.jsonl was expected",
            path.display()
        ))),
        None => Ok(()),
    }
}

/// Task in the order in which they were named, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceList(pub Vec<u64>);

/// The dice of a bag, as in 6,10; each once.
pub fn bag(text: &str) -> Result<DiceList, String> {
    if text == "polyhedral" {
        let sides = bag::polyhedral().iter().map(|die| die.sides).collect();
        return Ok(DiceList(sides));
    }
    let mut dice = Vec::new();
    for part in text.split(',') {
        let sides = source(part)?;
        if dice.contains(&sides) {
            return Err(bag::PlanError::Twice(sides).to_string());
        }
        dice.push(sides);
    }
    Ok(DiceList(dice))
}

/// Refuses more pairs of a source and a target than this.
pub fn check_pairs(sources: &Numbers, targets: &Numbers, most: usize) -> Result<(), Failure> {
    let (sources, targets) = (sources.get().len(), targets.get().len());
    if sources.saturating_mul(targets) > most {
        return Err(Failure::Input(format!(
            "{sources} sources and {targets} targets are too many pairs: {most} is the most"
        )));
    }
    Ok(())
}

/// A number of dice as a sentence or a cell names them: `6,10`.
pub fn joined<T: ToString>(values: &[T], between: &str) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    values.join(between)
}
