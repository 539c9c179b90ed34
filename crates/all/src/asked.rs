//! Parses a question inside an expression, and finds the requested cell of its answer. See
//! [`super::measure`].

use crate::letters::{substitute_n, substitute_n_and_k};
use flipcost::table::{Cell, Column};
use flipcost_number::expression::parse_u64;
use flipcost_number::grammar::items;
use flipcost_number::{BigInt, Decimal, Enclosure, Rational, Real, Rounding};
use flipcost_question::{
    Answer, ArgumentKind, Arity, CellKind, Control, Description, FieldAbout, Query, QuestionKind,
    choose_question,
};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

/// The largest estimated number of steps of a question inside an expression.
const MAX_WORK: u128 = 1_000_000_000_000;

/// The word that selects the last row.
const LAST_ROW: &str = "last";

/// The number of decimals that are computed first, and the number of bits that these decimals give.
const FIRST_DECIMALS: u32 = 24;
const FIRST_BITS: u64 = 64;

/// The largest number of rows of an answer that is stored.
const MAX_CACHED_ROWS: usize = 10_000;

thread_local! {
    /// The last question with its answer. It is stored because a statement often uses several
    /// columns of the same answer one after another.
    static LAST_ANSWER: RefCell<Option<(String, Arc<Answer>)>> = const { RefCell::new(None) };
}

/// A question, and the number in its answer that an expression refers to.
#[derive(Debug)]
pub(crate) struct AnswerNumber {
    question: &'static Description,
    fields: Vec<(&'static FieldAbout, String)>,
    /// The row: the text of one of its cells, and, if it is given, the name of the column of this
    /// cell.
    row: Option<(Option<String>, String)>,
    column: String,
    /// The value of the number, if it does not depend on n.
    known: OnceLock<Result<Real, String>>,
}

impl AnswerNumber {
    /// Parses a question from its name and the text after the opening bracket.
    pub(crate) fn read(name: &str, rest: &str) -> Result<AnswerNumber, String> {
        let ask = name.replace('_', "-");
        let all = crate::QUESTIONS.kinds().iter();
        let named = all.filter(|kind| kind.ask == ask);
        let named: Vec<&'static Description> = named.map(QuestionKind::description).collect();
        if named.is_empty() {
            let all = crate::QUESTIONS.kinds().iter();
            let mut known: Vec<&str> = all.map(|kind| kind.ask).collect();
            known.dedup();
            return Err(format!(
                "there is no question {name}: choose one of {}",
                known.join(", ")
            ));
        }
        let form = || format!("a column must follow {name}(...), as in {name}(...).expected");
        let (rest, column) = rest.rsplit_once('.').ok_or_else(form)?;
        let (given, row) = match rest.strip_suffix(']') {
            Some(rest) => {
                let (given, row) = rest.rsplit_once('[').ok_or_else(form)?;
                let row = match row.split_once('=') {
                    Some((column, text)) => (Some(column.trim().to_string()), text),
                    None => (None, row),
                };
                (given, Some((row.0, row.1.trim().to_string())))
            }
            None => (rest, None),
        };
        let given = given.strip_suffix(')').ok_or_else(form)?;
        let fields = parse_fields(&named, given)?;
        let written: Vec<(String, Json)> = (fields.iter())
            .map(|(field, text)| match field.value.shape {
                Arity::Flag => (field.name.to_string(), true.into()),
                _ => (field.name.to_string(), text.as_str().into()),
            })
            .collect();
        let place = choose_question(&named, &written)
            .map_err(|_| format!("these fields of {name} cannot be combined"))?;
        let question = named[place];
        if fields.iter().any(|(field, _)| field.name == "digits") {
            return Err("leave out digits: a statement is decided exactly".to_string());
        }
        Ok(AnswerNumber {
            question,
            fields,
            row,
            column: column.to_string(),
            known: OnceLock::new(),
        })
    }

    /// Returns the cell of the answer for this n as it is in the answer.
    pub(crate) fn unchanged_cell(&self, n: Option<u64>) -> Result<Cell, String> {
        let columns = Column::find(&self.column)
            .ok()
            .map(|_| self.column.as_str());
        let answer = self.answer(n, columns, None, false)?;
        let row = self.find_row(&answer, n)?;
        Ok(row[self.column_index(&answer, &self.column)?].clone())
    }

    /// Returns the cells for all n of a range from the answer to a single question. Returns `None`
    /// if the question is not `cost(n, ...)`.
    pub(crate) fn cells_for_range(
        &self,
        range: RangeInclusive<u64>,
    ) -> Option<Result<Vec<Cell>, String>> {
        if self.question.ask != "cost" || self.row.is_some() {
            return None;
        }
        Column::find(&self.column).ok()?;
        let (target, others): (Vec<_>, Vec<_>) = (self.fields.iter())
            .partition(|(field, _)| field.argument.place == ArgumentKind::Target);
        let is_n = matches!(&target[..], [(_, text)] if text.trim() == "n");
        if !is_n
            || others
                .iter()
                .any(|(_, text)| substitute_n_and_k(text, 1).is_some())
        {
            return None;
        }
        let targets = format!("{}..{}", range.start(), range.end());
        let columns = ("columns".to_string(), format!("n,{}", self.column).into());
        let targets = ("target".to_string(), Json::from(targets));
        let others = others.iter();
        let others = others.map(|(field, text)| (field.name.to_string(), text.as_str().into()));
        let fields = others.chain([targets, columns]).collect();
        let query = crate::read("cost", fields).ok()?;
        let cells = self
            .answer_if_affordable(&query, Control::default())
            .map(|answer| {
                let mut rows = answer.rows.into_iter().peekable();
                let cell = |n: u64| {
                    let row = rows.next_if(|row| row[0].to_string() == n.to_string());
                    row.map_or(Cell::Empty, |mut row| row.swap_remove(1))
                };
                range.map(cell).collect()
            });
        Some(cells)
    }

    pub(crate) fn depends_on_n(&self) -> bool {
        let texts = self.fields.iter().map(|(_, text)| text);
        let row = self.row.iter().map(|(_, text)| text);
        texts
            .chain(row)
            .any(|text| substitute_n_and_k(text, 1).is_some())
    }

    pub(crate) fn value(self: &Arc<Self>, n: Option<u64>, exact: bool) -> Result<Real, String> {
        if exact || self.depends_on_n() {
            self.compute_value(n, exact)
        } else {
            self.known
                .get_or_init(|| self.compute_value(None, false))
                .clone()
        }
    }

    fn compute_value(self: &Arc<Self>, n: Option<u64>, exact: bool) -> Result<Real, String> {
        let none = |why: &str| Err(format!("{} of {} {why}", self.column, self.question.ask));
        let digits = (!self.column.ends_with("_exact")).then_some(FIRST_DECIMALS);
        Ok(match self.cell(n, exact, digits)? {
            Cell::Integer(value) => Real::integer(value.to_big()),
            Cell::Exact(value) => Real::Exact(Arc::unwrap_or_clone(value)),
            Cell::Flag(value) => Real::integer(u8::from(value)),
            // each end of an enclosure is an exact number
            Cell::Decimal(value) if value.rounding() != Rounding::Nearest => {
                let unit = BigInt::from(10u8).pow(count_decimals(value.text()));
                Real::Exact(Rational::new(value.units(), unit))
            }
            Cell::Decimal(value) if count_decimals(value.text()) >= FIRST_DECIMALS => {
                let (asked, first) = (Arc::clone(self), rounding_interval(&value, FIRST_BITS));
                Real::cached(move |bits| {
                    if bits <= FIRST_BITS {
                        first.clone()
                    } else {
                        asked.enclosure(n, bits)
                    }
                })
            }
            Cell::Double(_) | Cell::Decimal(_) => return none("is known only as a double"),
            Cell::Infinite => return none("is infinite"),
            Cell::Text(text) => match text.parse::<BigInt>() {
                Ok(value) => Real::integer(value),
                Err(_) => return none("is not a number"),
            },
            Cell::Formula(_) => return none("is a formula"),
            Cell::Empty | Cell::Undefined => return none("has no value"),
        })
    }

    /// Returns an interval of width at most 2^-bits that contains the value.
    fn enclosure(&self, n: Option<u64>, bits: u64) -> Enclosure {
        let places = (bits * 31 / 100 + 3) as u32;
        // if the value is a tie at this number of decimals, it may not be one with more decimals
        let cells =
            (places..places + 3).filter_map(|places| self.cell(n, false, Some(places)).ok());
        let decimal = cells.into_iter().find_map(|cell| match cell {
            Cell::Decimal(decimal) => Some(decimal),
            _ => None,
        });
        let decimal = decimal.expect("it was found with fewer digits");
        rounding_interval(&decimal, bits)
    }

    /// Returns the answer for this n. The columns and the decimals are requested if the question
    /// has fields for them.
    fn answer(
        &self,
        n: Option<u64>,
        columns: Option<&str>,
        digits: Option<u32>,
        exact: bool,
    ) -> Result<Arc<Answer>, String> {
        let mut fields: Vec<(String, Json)> = Vec::new();
        for (field, text) in &self.fields {
            let value = match field.value.shape {
                Arity::Flag => true.into(),
                _ => substitute_n(text, n).into(),
            };
            fields.push((field.name.to_string(), value));
        }
        let takes = |name: &str| {
            let given = fields.iter().any(|(given, _)| given == name);
            let mut others = self.fields.iter();
            let refused = others.any(|(other, _)| other.argument.without.contains(&name));
            // only questions about columns of the engine can select columns; other questions return
            // all of their columns
            let is_known =
                |field: &FieldAbout| name != "columns" || !(field.value.choices)().is_empty();
            !given && !refused && self.question.field(name).is_some_and(is_known)
        };
        let more = [
            ("columns", columns.map(Json::from)),
            ("digits", digits.map(Json::from)),
            ("exact", exact.then(|| true.into())),
        ];
        let more = (more.into_iter())
            .filter_map(|(name, value)| Some((name.to_string(), value.filter(|_| takes(name))?)));
        let more: Vec<_> = more.collect();
        fields.extend(more);
        let ask = self.question.ask;
        let read = self.columns_read();
        let key = format!("{ask} {fields:?} {read:?}");
        let control = read
            .into_iter()
            .fold(Control::default(), Control::with_columns);
        let last = LAST_ANSWER.with_borrow(|last| last.clone().filter(|(known, _)| *known == key));
        if let Some((_, answer)) = last {
            return Ok(answer);
        }
        let query = crate::read(ask, fields).map_err(|error| error.to_string())?;
        let answer = Arc::new(self.answer_if_affordable(&query, control)?);
        if answer.rows.len() <= MAX_CACHED_ROWS {
            LAST_ANSWER.set(Some((key, Arc::clone(&answer))));
        }
        Ok(answer)
    }

    /// Answers the question, unless its estimate is too large.
    fn answer_if_affordable(&self, query: &Query, control: Control) -> Result<Answer, String> {
        let (ask, work) = (self.question.ask, query.estimate().work);
        if work > MAX_WORK {
            return Err(format!(
                "{ask} takes too long inside a statement: about {work} steps, but at most {MAX_WORK} are allowed"
            ));
        }
        let answer = query.answer(&control.with_threads(1));
        answer.map_err(|error| error.to_string())
    }

    /// The columns whose cells are read; `None` if the row can be found by any cell.
    fn columns_read(&self) -> Option<Vec<String>> {
        let of_row = match &self.row {
            Some((None, text)) if text != LAST_ROW => return None,
            Some((column, _)) => column.clone(),
            None => None,
        };
        let own = [self.column.clone(), format!("{}_exact", self.column)];
        Some(own.into_iter().chain(of_row).collect())
    }

    /// Returns the index of a column of an answer.
    fn column_index(&self, answer: &Answer, name: &str) -> Result<usize, String> {
        let mut columns = answer.head.columns.iter();
        let place = columns.position(|column| column.name == name);
        place.ok_or_else(|| self.unknown_column_error(name, &answer.head.names()))
    }

    /// Returns the requested row.
    fn find_row<'a>(&self, answer: &'a Answer, n: Option<u64>) -> Result<&'a [Cell], String> {
        let row = match &self.row {
            None => match &answer.rows[..] {
                [row] => row,
                rows => return Err(self.ambiguous_row_error(rows)),
            },
            Some((None, text)) if text == LAST_ROW => {
                let none = || format!("{} has no rows", self.question.ask);
                answer.rows.last().ok_or_else(none)?
            }
            Some((column, text)) => {
                let text = substitute_n(text, n);
                let text = parse_u64(&text).map_or(text, |number| number.to_string());
                let column = column.as_ref().map(|name| self.column_index(answer, name));
                let column = column.transpose()?;
                let is_meant = |row: &&Vec<Cell>| match column {
                    Some(at) => row[at].to_string() == text,
                    None => row.iter().any(|cell| cell.to_string() == text),
                };
                let found = answer.rows.iter().find(is_meant);
                found
                    .ok_or_else(|| format!("no row of {} has the cell {text}", self.question.ask))?
            }
        };
        Ok(row)
    }

    /// Returns the requested cell, as a fraction if the answer has one.
    fn cell(&self, n: Option<u64>, exact: bool, digits: Option<u32>) -> Result<Cell, String> {
        let fraction = format!("{}_exact", self.column);
        let columns = self.columns_to_request(&fraction);
        let answer = self.answer(n, Some(&columns), digits, exact)?;
        let row = self.find_row(&answer, n)?;
        let exactly = (self.column_index(&answer, &fraction).ok()).map(|at| &row[at]);
        if let Some(cell) = exactly.filter(|cell| !cell.is_empty()) {
            return Ok(cell.clone());
        }
        let at = self.column_index(&answer, &self.column)?;
        if answer.head.columns[at].kind == CellKind::Statistical {
            let column = &self.column;
            Err(format!(
                "{column} is statistical, so it cannot decide a statement"
            ))
        } else {
            Ok(row[at].clone())
        }
    }

    /// Returns the error if several rows are possible and the expression does not select one of
    /// them.
    fn ambiguous_row_error(&self, rows: &[Vec<Cell>]) -> String {
        let (ask, many, column) = (self.question.ask, rows.len(), &self.column);
        let first = rows.first().and_then(|row| row.first());
        match (self.question.field("algorithms"), first) {
            (_, None) => format!("{ask} has no rows"),
            (Some(_), _) => format!(
                "{ask} has {many} rows: choose one algorithm, as in {ask}(..., algorithm: interval).{column}"
            ),
            (None, Some(first)) => format!(
                "{ask} has {many} rows: name one row in square brackets, as in {ask}(...)[{first}].{column}"
            ),
        }
    }

    fn unknown_column_error(&self, name: &str, known: &[&str]) -> String {
        let ask = self.question.ask;
        format!("{ask} has no column {name} here, only {}", known.join(", "))
    }

    /// Returns the columns to request, if the question lets the user select columns.
    fn columns_to_request(&self, fraction: &str) -> String {
        let of_row = self
            .row
            .iter()
            .map(|(column, _)| column.as_deref().unwrap_or("algorithm"));
        let plain = [fraction, self.column.as_str()];
        let known = plain.into_iter().filter(|name| Column::find(name).is_ok());
        let mut all: Vec<&str> = of_row.chain(known).collect();
        if all.is_empty() {
            all.push(&self.column); // the error will name the known columns
        }
        all.join(",")
    }
}

/// Parses the fields in the brackets after the name of a question.
fn parse_fields(
    questions: &[&'static Description],
    given: &str,
) -> Result<Vec<(&'static FieldAbout, String)>, String> {
    let mut all: Vec<&'static FieldAbout> = Vec::new();
    for field in questions.iter().flat_map(|question| &question.fields) {
        if all.iter().all(|known| known.name != field.name) {
            all.push(field);
        }
    }
    let named = |name: &str| {
        let name = name.trim().replace('-', "_");
        let mut all = all.iter().copied();
        all.find(|field| field.name == name || field.flag().replace('-', "_") == name)
    };
    let mut words = (all.iter().copied()).filter(|field| {
        matches!(
            field.argument.place,
            ArgumentKind::Target | ArgumentKind::Word
        )
    });
    let mut fields: Vec<(&FieldAbout, String)> = Vec::new();
    for item in items(given).filter(|item| !item.is_empty()) {
        if let Some((name, value)) = item.split_once(':')
            && let Some(field) = named(name)
        {
            fields.push((field, without_quotes(value).to_string()));
        } else if let Some(flag) = named(item).filter(|field| field.value.shape == Arity::Flag) {
            fields.push((flag, String::new()));
        } else if let (true, Some(word)) = (
            fields.iter().all(|(field, _)| {
                field.value.shape == Arity::Flag
                    || matches!(
                        field.argument.place,
                        ArgumentKind::Target | ArgumentKind::Word
                    )
            }),
            words.next(),
        ) {
            fields.push((word, without_quotes(item).to_string()));
        } else if let Some((_, last)) = fields
            .iter_mut()
            .rev()
            .find(|(field, _)| field.value.shape != Arity::Flag)
        {
            // this comma is part of a list
            last.push(',');
            last.push_str(item);
        } else {
            let known: Vec<&str> = all.iter().map(|field| field.name).collect();
            let ask = questions[0].ask;
            return Err(format!(
                "\"{item}\" is not a field of {ask}: choose one of {}",
                known.join(", ")
            ));
        }
    }
    let mut names: Vec<&str> = fields.iter().map(|(field, _)| field.name).collect();
    names.sort_unstable();
    match names.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(format!("{} is given twice", two[0])),
        None => Ok(fields),
    }
}

/// Removes the quotation marks around a value.
fn without_quotes(value: &str) -> &str {
    let value = value.trim();
    let inner = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(value)
}

/// Returns how many decimals a number has.
fn count_decimals(text: &str) -> u32 {
    text.split_once('.')
        .map_or(0, |(_, digits)| digits.len() as u32)
}

/// Returns the interval of values that are rounded to this decimal. Half a unit of the decimal's
/// last place must be below 2^-(bits + 1).
fn rounding_interval(decimal: &Decimal, bits: u64) -> Enclosure {
    let half = u8::from(decimal.rounding() != Rounding::Exact);
    let low = decimal.units() * 2 - half;
    let unit = BigInt::from(10u8).pow(count_decimals(decimal.text())) * 2;
    Enclosure::of_ratio(&low, &(half * 2).into(), &unit, bits + 4)
}
