//! Arguments that several commands share, and the way to the sinks.

use super::{Failure, remark};
use crate::rows;
use crate::sweep::job::Shard;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use flipcost::algorithms::{self, UnknownAlgorithm, libraries::LIBRARIES};
use flipcost::table::{COLUMNS, Cell};
use flipcost::task::{Source, SourceError, Target, TargetError};
use flipcost::unstable::number::expression::{ExpressionError, parse_u64};
use flipcost_query::{
    AlgorithmId, ColumnError, ColumnId, Natural, Numbers, NumbersError, QueryError, Sides,
    SidesError, TargetText, TargetTextError, Targets, TargetsError,
};
use std::ffi::OsStr;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

/// Why an argument cannot be used: the sentence that clap prints after the argument's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// It is not a number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// It is not a list of numbers and ranges.
    #[error(transparent)]
    Numbers(#[from] NumbersError),
    /// It is no target.
    #[error(transparent)]
    TargetText(#[from] TargetTextError),
    /// It is no list of targets.
    #[error(transparent)]
    Targets(#[from] TargetsError),
    /// A file that cannot be read.
    #[error("cannot read \"{0}\": {1}")]
    File(String, String),
    /// A target that cannot be rolled.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A source that the algorithms refuse.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A text that is no source.
    #[error(transparent)]
    Sides(#[from] SidesError),
    /// 0.
    #[error("it must be at least 1")]
    Zero,
    /// More decimals than are printed.
    #[error("{0} decimals are too many: {MOST_DIGITS} is the most")]
    Digits(u64),
    /// A base of an MR-expansion that is out of range.
    #[error(transparent)]
    Base(#[from] QueryError),
    /// More than is counted.
    #[error("{0} is too large: {most} is the most", most = u32::MAX)]
    Large(u64),
    /// A word in a list of sources that is too wide for it.
    #[error(
        "\"{0}\" is too wide for a list of sources: word:1 to word:63 were expected; -s takes word:64, where a command has it"
    )]
    WideWord(String),
    /// An id that no algorithm has, but one that is like it.
    #[error(
        "\"{0}\" is not an algorithm: did you mean {1}? `flipcost algorithms` and `flipcost libraries` list all"
    )]
    Like(String, &'static str),
    /// No algorithm.
    #[error("{}", unknown(.0))]
    Algorithm(#[from] UnknownAlgorithm),
    /// Not `I/K`.
    #[error("a part such as 3/8, the third of eight, was expected")]
    Shard,
    /// More parts than a sweep is cut into.
    #[error("{0} parts are too many: {most} is the most", most = Shard::MOST)]
    Shards(u64),
    /// A part beyond the last one.
    #[error("there is no part {index} of {of}")]
    NoShard {
        /// The part.
        index: u64,
        /// How many parts there are.
        of: u64,
    },
}

/// What is said of an id that no algorithm has, with the commands that tell more.
fn unknown(error: &UnknownAlgorithm) -> String {
    match error {
        UnknownAlgorithm::Id(id) => format!(
            "\"{id}\" is not an algorithm: choose one of {} (`flipcost algorithms` describes them), or a function of `flipcost libraries`",
            algorithms::ids().join(", ")
        ),
        UnknownAlgorithm::Policy(id) => format!(
            "{id} is a policy for a stream of targets, not an algorithm for one: see `flipcost batch`"
        ),
        error => error.to_string(),
    }
}

/// The most decimals that are printed.
const MOST_DIGITS: u64 = 1_000_000;

/// Sides of a target, as they were written.
pub fn natural(text: &str) -> Result<Natural, ArgumentError> {
    let n: Natural = text.parse()?;
    Target::uniform(n.value().clone())?;
    Ok(n)
}

/// The most bytes of a file of weights: 1 GB.
const LONGEST: u64 = 1 << 30;

/// The text of a file of weights.
fn file(path: &str) -> Result<String, ArgumentError> {
    let failed = |why: String| ArgumentError::File(path.to_string(), why);
    let read = || -> std::io::Result<String> {
        let mut text = String::new();
        std::fs::File::open(path)?
            .take(LONGEST)
            .read_to_string(&mut text)?;
        Ok(text)
    };
    match read() {
        Ok(text) if text.len() as u64 == LONGEST => {
            Err(failed(format!("it has {LONGEST} bytes or more")))
        }
        Ok(text) => Ok(text),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// A target: a fair die or weights, as they were written, or `@FILE` with the weights in a file.
pub fn wanted(text: &str) -> Result<TargetText, ArgumentError> {
    match text.strip_prefix('@') {
        Some(path) => Ok(TargetText::of_file(&file(path)?)?),
        None => Ok(text.parse()?),
    }
}

/// Targets in a row, each as [`wanted`] reads it.
pub fn wanted_list(text: &str) -> Result<Targets, ArgumentError> {
    Targets::read(text, |item| match item.starts_with('@') {
        true => wanted(item),
        false => Ok(Targets::item(item)?),
    })
}

/// Targets in a file, one a line, as [`wanted`] reads them; blank lines and those that begin with
/// `#` are skipped.
pub fn wanted_lines(path: &Path) -> Result<Vec<TargetText>, Failure> {
    let name = path.display().to_string();
    let text = file(&name).map_err(Failure::input)?;
    let lines = text.lines().zip(1u64..);
    let lines = lines.filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    let read = |(line, number): (&str, u64)| {
        wanted(line)
            .map_err(|error| Failure::Input(format!("line {number} of \"{name}\": {error}")))
    };
    lines.map(read).collect()
}

/// A target, of which stderr says how it was read if its weights have commas.
pub fn told(target: &TargetText) -> TargetText {
    target.reading().iter().for_each(|reading| remark(reading));
    target.clone()
}

/// A target, as N or by `--weights`.
#[derive(clap::Args, Clone)]
#[group(required = true, multiple = false)]
pub struct TargetArg {
    /// The target: the sides of a fair die (6, 10^18+9), weights (1:2:3), dice (3d6), a law
    /// (binomial:n=20,p=1/3), or @FILE with weights in a file: lines, a CSV column, a Python dict
    #[arg(value_name = "N", value_parser = wanted, allow_negative_numbers = true)]
    n: Option<TargetText>,
    /// The target by its weights, in place of N and in the same notation
    #[arg(long, value_name = "TEXT", value_parser = wanted, allow_negative_numbers = true)]
    weights: Option<TargetText>,
}

impl TargetArg {
    /// The one that was given.
    pub fn get(&self) -> TargetText {
        let given = self.n.as_ref().or(self.weights.as_ref());
        told(given.expect("one of them is required"))
    }
}

/// A natural number that fits a machine word, as the ends of a range must.
pub fn word(text: &str) -> Result<u64, ArgumentError> {
    Ok(parse_u64(text)?)
}

/// A natural number above 0 that fits a machine word.
pub fn positive(text: &str) -> Result<u64, ArgumentError> {
    match word(text)? {
        0 => Err(ArgumentError::Zero),
        n => Ok(n),
    }
}

/// A natural number of bits, or of what else is counted in 32 bits.
pub fn count(text: &str) -> Result<u32, ArgumentError> {
    let number = word(text)?;
    number.try_into().map_err(|_| ArgumentError::Large(number))
}

/// Decimals after the point.
pub fn digits(text: &str) -> Result<u32, ArgumentError> {
    match word(text)? {
        n if n <= MOST_DIGITS => Ok(n as u32),
        n => Err(ArgumentError::Digits(n)),
    }
}

/// A list and ranges, as in 2,4,10..20, every number of which passes a check.
fn numbers(
    text: &str,
    check: impl Fn(u64) -> Result<(), ArgumentError>,
) -> Result<Numbers, ArgumentError> {
    let numbers: Numbers = text.parse()?;
    numbers.get().iter().try_for_each(|number| check(*number))?;
    Ok(numbers)
}

/// Several sources: dice as in 2,6,10..20, and words as in word:8.
pub fn sources(text: &str) -> Result<Numbers, ArgumentError> {
    let part = |part: &str| match part.trim().starts_with("word:") {
        false => Ok(part.to_string()),
        true => {
            let sides: Sides = part.parse()?;
            match sides.0.small() {
                Some(sides) => Ok(sides.to_string()),
                None => Err(ArgumentError::WideWord(part.trim().to_string())),
            }
        }
    };
    let parts = text.split(',').map(part);
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    numbers(&parts.join(","), |m| Ok(Source::die(m).map(|_| ())?))
}

/// Several targets.
pub fn targets(text: &str) -> Result<Numbers, ArgumentError> {
    numbers(text, |n| Ok(Target::uniform(n).map(|_| ())?))
}

/// Capacities of a stream, in the same notation.
pub fn capacities(text: &str) -> Result<Numbers, ArgumentError> {
    numbers(text, |capacity| match capacity {
        0 => Err(ArgumentError::Zero),
        _ => Ok(()),
    })
}

/// An algorithm by its id, perhaps with parameters, as in `aldr:K=11`. The ids are possible values,
/// for the help and completions.
#[derive(Clone)]
pub struct AlgorithmParser;

/// See [`AlgorithmParser`].
pub fn algorithm_id() -> AlgorithmParser {
    AlgorithmParser
}

impl AlgorithmParser {
    /// The ids. Not listed among them are the policies for streams, of which a sentence of their own
    /// says where they are found, the short ids, and the functions of libraries.
    fn ids() -> impl Iterator<Item = PossibleValue> {
        let ids = algorithms::ids().into_iter().map(PossibleValue::new);
        let policies = algorithms::POLICIES.into_iter();
        let short = algorithms::SHORT_IDS.iter().map(|(short, _)| *short);
        let libraries = LIBRARIES.iter().map(|library| library.id);
        let hidden = policies.chain(short).chain(libraries);
        ids.chain(hidden.map(|id| PossibleValue::new(id).hide(true)))
    }
}

impl TypedValueParser for AlgorithmParser {
    type Value = AlgorithmId;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<AlgorithmId, clap::Error> {
        let find = |text: String| {
            text.parse::<AlgorithmId>().map_err(|error| match error {
                UnknownAlgorithm::Id(id) => match like(&id) {
                    Some(near) => ArgumentError::Like(id, near),
                    None => UnknownAlgorithm::Id(id).into(),
                },
                error => error.into(),
            })
        };
        (StringValueParser::new().try_map(find)).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::ids()))
    }
}

/// The id that is most like a text, if one is.
fn like(text: &str) -> Option<&'static str> {
    let ids = algorithms::ids().into_iter();
    let ids = ids.chain(LIBRARIES.iter().map(|library| library.id));
    let likeness = |id: &'static str| (strsim::jaro_winkler(text, id), id);
    let nearest = ids.map(likeness).max_by(|a, b| a.0.total_cmp(&b.0));
    nearest
        .filter(|(likeness, _)| *likeness > 0.85)
        .map(|(_, id)| id)
}

/// A column by its name, or an expression of columns. The names are possible values, for the help
/// and completions.
#[derive(Clone)]
pub struct ColumnParser;

/// See [`ColumnParser`].
pub fn column() -> ColumnParser {
    ColumnParser
}

impl TypedValueParser for ColumnParser {
    type Value = ColumnId;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<ColumnId, clap::Error> {
        let names = COLUMNS.iter().map(|column| column.name());
        let names = PossibleValuesParser::new(names).try_map(|name| name.parse::<ColumnId>());
        match value.to_str().map(|text| text.trim().parse::<ColumnId>()) {
            Some(Ok(column)) => Ok(column),
            Some(Err(ColumnError::Expression(_))) => {
                let expression = |text: String| text.trim().parse::<ColumnId>();
                StringValueParser::new()
                    .try_map(expression)
                    .parse_ref(command, argument, value)
            }
            _ => names.parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = COLUMNS.iter().map(|column| column.name());
        Some(Box::new(names.map(PossibleValue::new)))
    }
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
    /// One JSON array of objects
    Json,
    /// A Markdown table
    Markdown,
    /// A LaTeX tabular, fractions as \frac
    Latex,
}

impl RowFormat {
    /// The format that a file's name asks for, if it asks for one.
    pub fn of_name(path: &Path) -> Option<RowFormat> {
        let extension = path.extension()?.to_str()?.to_lowercase();
        Some(match extension.as_str() {
            "csv" => RowFormat::Csv,
            "jsonl" | "ndjson" => RowFormat::Jsonl,
            "json" => RowFormat::Json,
            "md" => RowFormat::Markdown,
            "tex" => RowFormat::Latex,
            _ => return None,
        })
    }
}

impl From<RowFormat> for rows::Format {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::Table => rows::Format::Table,
            RowFormat::Csv => rows::Format::Csv,
            RowFormat::Jsonl => rows::Format::Jsonl,
            RowFormat::Json => rows::Format::Json,
            RowFormat::Markdown => rows::Format::Markdown,
            RowFormat::Latex => rows::Format::Latex,
        }
    }
}

/// `--source`.
#[derive(clap::Args, Clone)]
pub struct SourceArg {
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

/// `--digits` alone, where the exact fractions that are too large are never computed.
#[derive(clap::Args, Clone)]
pub struct DigitsArg {
    /// Print D correctly rounded decimals instead of the nearest double
    #[arg(short, long, value_name = "D", value_parser = digits, allow_negative_numbers = true)]
    pub digits: Option<u32>,
}

/// `--format` and `-o`.
#[derive(clap::Args, Clone)]
pub struct OutputArgs {
    /// How rows are written [default: as the file's name ends, else table on a terminal and csv
    /// elsewhere]
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
    /// The format given, that of the file's name, or the one that suits where the rows go.
    pub fn format(&self) -> RowFormat {
        let reader = self.output.is_none() && std::io::stdout().is_terminal();
        let named = || self.output.as_deref().and_then(RowFormat::of_name);
        self.format.or_else(named).unwrap_or(if reader {
            RowFormat::Table
        } else {
            RowFormat::Csv
        })
    }

    /// Do the rows go to a person at a terminal, as a table?
    pub fn is_reader(&self) -> bool {
        let table = matches!(self.format, None | Some(RowFormat::Table));
        table && self.output.is_none() && std::io::stdout().is_terminal()
    }

    /// Takes the file away if its name is a picture's.
    pub fn take_picture(&mut self) -> Option<PathBuf> {
        self.output.take_if(|path| is_picture(path))
    }

    /// Writes a complete list of rows.
    pub fn write(&self, headers: &[&str], rows: &[Vec<Cell>]) -> Result<(), Failure> {
        refuse_picture(self.output.as_deref())?;
        let format = self.format().into();
        Ok(rows::write(self.output.as_deref(), format, headers, rows)?)
    }
}

/// No column is named twice.
pub fn each_once(columns: &[ColumnId]) -> Result<(), Failure> {
    match (1..columns.len()).find(|&i| columns[..i].contains(&columns[i])) {
        Some(twice) => Err(Failure::Input(format!(
            "--columns names {} twice: once is enough",
            columns[twice]
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

/// A number of dice as a sentence or a cell names them: `6,10`.
pub fn joined<T: ToString>(values: &[T], between: &str) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    values.join(between)
}

/// `--input` and `--seed`: where the rolls of `--trace` come from.
#[derive(clap::Args, Clone)]
pub struct TracedRolls {
    /// Your own physical rolls for --trace: HTHHT for a coin (H is face 1, T is 2), or faces as in
    /// 6,3,4,3
    #[arg(
        short,
        long,
        value_name = "ROLLS",
        requires = "trace",
        conflicts_with = "seed",
        allow_hyphen_values = true
    )]
    pub input: Option<String>,
    /// Repeatable rolls for --trace from this seed, instead of the operating system's randomness
    #[arg(long, value_name = "S", requires = "trace", value_parser = word, allow_negative_numbers = true)]
    pub seed: Option<u64>,
}
