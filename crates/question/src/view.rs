//! The view of a table: which columns are shown, by which column the rows are sorted, and how many
//! rows are shown.

use crate::description::{FieldPairs, FieldValue, GivenField, plain_text};
use crate::did_you_mean;
use crate::sentence::field;
use crate::{Foot, Head, Names, QueryError, Sentence, Sink, say};
use flipcost::table::Cell;
use flipcost_number::expression::parse_rational;
use flipcost_number::{BigInt, Rational};
use std::cmp::{Ordering, Reverse};
use std::num::NonZeroU64;

/// A selection of the rows and columns of an answer. In JSON it has the fields `top`, `by` and,
/// unless the question has a field with this name, `columns`.
///
/// ```
/// use flipcost_question::Control;
/// let query = flipcost_all::from_json(r#"{"ask":"cost","target":"1..9","algorithms":["fast-dice-roller"],"columns":["n","expected_exact"],"top":2,"by":"expected_exact"}"#)?;
/// let rows = query.answer(&Control::default())?.rows;
/// assert_eq!(rows.iter().map(|row| row[1].to_string()).collect::<Vec<_>>(), ["14/3", "11/3"]);
/// # Ok::<(), flipcost_question::QueryError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowView {
    /// Show only this many rows.
    top: Option<NonZeroU64>,
    /// Sort by this column, the largest first; with a minus before the name, the least first.
    by: Option<String>,
    /// Show only these columns; all columns if the list is empty.
    columns: Vec<ColumnName>,
}

#[derive(Clone, Debug, PartialEq)]
struct ColumnName(String);

impl FieldValue for ColumnName {
    fn of_json(json: &serde_json::Value, _: Names) -> Result<ColumnName, Sentence> {
        Ok(ColumnName(plain_text(json)?.trim().to_string()))
    }

    fn json(&self) -> Option<serde_json::Value> {
        Some(self.0.as_str().into())
    }
}

/// The names of the fields of a view.
pub const VIEW_FIELDS: [&str; 3] = ["top", "by", "columns"];

impl RowView {
    /// The column by which the rows are sorted, and whether the least value comes first.
    pub(crate) fn order(&self) -> Option<(&str, bool)> {
        let by = self.by.as_deref()?.trim();
        Some((by.trim_start_matches('-'), by.starts_with('-')))
    }

    /// The maximum number of rows, if it is given.
    pub(crate) fn top(&self) -> Option<NonZeroU64> {
        self.top
    }

    /// Removes the fields of the view from the fields of a question, except fields that the
    /// question has itself.
    pub(crate) fn take_from(
        pairs: &mut FieldPairs,
        own: impl Fn(&str) -> bool,
    ) -> Result<RowView, QueryError> {
        let mut view = RowView::default();
        let is_of_view = |name: &str| VIEW_FIELDS.contains(&name) && !own(name);
        for (name, value) in pairs.0.extract_if(.., |(name, _)| is_of_view(name)) {
            match name.as_str() {
                "top" => view.top = FieldValue::of_field(&name, &value, Names::default())?,
                "by" => view.by = FieldValue::of_field(&name, &value, Names::default())?,
                _ => view.columns = FieldValue::of_field(&name, &value, Names::default())?,
            }
        }
        Ok(view)
    }

    /// Applies a view, given by its fields in JSON, to a list that is not an answer.
    ///
    /// # Errors
    /// If a field is invalid, or a column does not exist.
    pub fn apply_to_list(
        fields: Vec<(String, serde_json::Value)>,
        head: &Head,
        rows: Vec<Vec<Cell>>,
    ) -> Result<(Head, Vec<Vec<Cell>>), QueryError> {
        let view = RowView::take_from(&mut FieldPairs(fields), |_| false)?;
        let mut list = ListRows::default();
        let viewed: &mut dyn Sink = &mut ViewSink::new(&view, &|_, _, _| String::new(), &mut list);
        viewed.write_answer(head, rows, Foot::default())?;
        Ok((list.head, list.rows))
    }

    /// Whether the view keeps the answer as it is.
    pub(crate) fn keeps_all(&self) -> bool {
        *self == RowView::default()
    }

    /// The fields of the view.
    pub(crate) fn given_fields(&self) -> Vec<GivenField> {
        let given = |name, value: Option<serde_json::Value>| GivenField {
            name,
            usual: value.is_none(),
            value,
        };
        let [top, by, columns] = VIEW_FIELDS;
        vec![
            given(top, self.top.json()),
            given(by, self.by.json()),
            given(columns, self.columns.json()),
        ]
    }
}

/// A function that makes the summary from a whole answer.
pub(crate) type Summary<'a> = &'a dyn Fn(Head, Vec<Vec<Cell>>, Foot) -> String;

/// If an answer has more rows, the summary describes only the rows that are shown.
const MAX_SUMMARY_ROWS: usize = 1 << 16;

/// A sink that applies a [`RowView`] to the rows.
pub(crate) struct ViewSink<'a> {
    view: &'a RowView,
    sink: &'a mut dyn Sink,
    /// The indices of the columns that are shown, and of the column by which the rows are sorted.
    shown: Option<Vec<usize>>,
    by: Option<(usize, bool)>,
    /// The rows so far that may be shown, with their sort keys.
    rows: Vec<(OrderKey, Vec<Cell>)>,
    done: u64,
    /// The whole answer, from which the summary is made; `None` if the answer is long.
    whole: Option<(Head, Vec<Vec<Cell>>)>,
    summary: Summary<'a>,
}

impl<'a> ViewSink<'a> {
    /// Creates the sink; `summary` makes the summary from the whole answer.
    pub(crate) fn new(
        view: &'a RowView,
        summary: Summary<'a>,
        sink: &'a mut dyn Sink,
    ) -> ViewSink<'a> {
        ViewSink {
            view,
            sink,
            shown: None,
            by: None,
            rows: Vec::new(),
            done: 0,
            whole: Some((Head::default(), Vec::new())),
            summary,
        }
    }

    fn top(&self) -> usize {
        self.view.top.map_or(usize::MAX, |top| top.get() as usize)
    }

    fn sort(&mut self) {
        let is_least = self.by.is_some_and(|(_, is_least)| is_least);
        self.rows.sort_by(|(a, _), (b, _)| match (a, b) {
            (OrderKey::Nothing, b) => matches!(b, OrderKey::Nothing).cmp(&true).reverse(),
            (_, OrderKey::Nothing) => Ordering::Less,
            (a, b) if is_least => a.compare(b),
            (a, b) => b.compare(a),
        });
        self.rows.truncate(self.top());
    }

    fn send_rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        let cut = |row: Vec<Cell>| match &self.shown {
            Some(shown) => shown.iter().map(|at| row[*at].clone()).collect(),
            None => row,
        };
        self.sink.rows(rows.into_iter().map(cut).collect())
    }
}

/// Collects the rows of a list.
#[derive(Default)]
struct ListRows {
    head: Head,
    rows: Vec<Vec<Cell>>,
}

impl Sink for ListRows {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        self.head = head.clone();
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        self.rows.extend(rows);
        Ok(())
    }

    fn foot(&mut self, _: Foot) -> Result<(), QueryError> {
        Ok(())
    }
}

/// Returns the index of a column.
fn column_index(head: &Head, field_name: &str, name: &str) -> Result<usize, QueryError> {
    let names = head.names();
    names
        .iter()
        .position(|known| *known == name)
        .ok_or_else(|| {
            let what = say!(
                field(field_name),
                " names \"{name}\", which is not a column of this answer"
            );
            QueryError::wrong(field_name, what).right(did_you_mean(name, &names))
        })
}

impl Sink for ViewSink<'_> {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        if let Some(whole) = &mut self.whole {
            whole.0 = head.clone();
        }
        if let Some(by) = &self.view.by {
            let least = by.strip_prefix('-').map(str::trim);
            self.by = Some((
                column_index(head, "by", least.unwrap_or(by))?,
                least.is_some(),
            ));
        }
        if self.view.columns.is_empty() {
            return self.sink.head(head);
        }
        let places = self
            .view
            .columns
            .iter()
            .map(|name| column_index(head, "columns", &name.0));
        let places = places.collect::<Result<Vec<usize>, QueryError>>()?;
        let columns = places.iter().map(|at| head.columns[*at].clone()).collect();
        self.shown = Some(places);
        self.sink.head(&Head { columns }.all_answer())
    }

    fn rows(&mut self, mut rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        let new = rows.len();
        self.whole
            .take_if(|(_, rows)| rows.len() + new > MAX_SUMMARY_ROWS);
        if let Some((_, all)) = &mut self.whole {
            all.extend_from_slice(&rows);
        }
        let Some((at, _)) = self.by else {
            let left = self.view.top.map_or(u64::MAX, NonZeroU64::get) - self.done;
            rows.truncate(left.try_into().unwrap_or(usize::MAX));
            self.done += rows.len() as u64;
            return self.send_rows(rows);
        };
        self.rows
            .extend(rows.into_iter().map(|row| (OrderKey::new(&row[at]), row)));
        if self.rows.len() / 2 > self.top().max(1 << 10) {
            self.sort();
        }
        Ok(())
    }

    fn foot(&mut self, mut foot: Foot) -> Result<(), QueryError> {
        let whole = self.whole.take();
        foot.summary = whole.map(|(head, rows)| (self.summary)(head, rows, foot.clone()));
        self.sort();
        let rows = std::mem::take(&mut self.rows);
        let rows: Vec<Vec<Cell>> = rows.into_iter().map(|(_, row)| row).collect();
        for part in rows.chunks(1 << 12) {
            self.send_rows(part.to_vec())?;
        }
        self.sink.foot(foot)
    }
}

/// The sort key of a cell.
enum OrderKey {
    Nothing,
    Double(f64),
    Exact(Rational),
    Infinite,
    Text(String),
}

impl OrderKey {
    fn new(cell: &Cell) -> OrderKey {
        match cell {
            Cell::Empty | Cell::Undefined => OrderKey::Nothing,
            Cell::Infinite => OrderKey::Infinite,
            Cell::Double(value) if *value == f64::INFINITY => OrderKey::Infinite,
            Cell::Double(value) => OrderKey::Double(*value),
            Cell::Integer(value) => OrderKey::Exact(BigInt::from(value.to_big()).into()),
            Cell::Exact(value) => OrderKey::Exact(Rational::clone(value)),
            Cell::Flag(value) => OrderKey::Exact(BigInt::from(u8::from(*value)).into()),
            Cell::Decimal(value) => match parse_rational(value.text()) {
                Ok(value) => OrderKey::Exact(value),
                Err(_) => OrderKey::Text(value.text().to_string()),
            },
            Cell::Text(text) => OrderKey::Text(text.clone()),
            Cell::Formula(_) => OrderKey::Text(cell.to_string()),
        }
    }

    fn rational(&self) -> Option<Rational> {
        match self {
            OrderKey::Exact(value) => Some(value.clone()),
            OrderKey::Double(value) => Rational::from_float(*value),
            _ => None,
        }
    }

    /// Compares two keys. Numbers come before infinity, and infinity before texts. Texts are sorted
    /// in reverse, so that they run from A to Z when the largest comes first.
    fn compare(&self, other: &OrderKey) -> Ordering {
        match (self, other) {
            (OrderKey::Double(a), OrderKey::Double(b)) => a.total_cmp(b),
            (OrderKey::Text(a), OrderKey::Text(b)) => Reverse(a).cmp(&Reverse(b)),
            (a, b) => match (a.rational(), b.rational()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => a.rank().cmp(&b.rank()),
            },
        }
    }

    fn rank(&self) -> u8 {
        match self {
            OrderKey::Nothing => 0,
            OrderKey::Double(_) | OrderKey::Exact(_) => 1,
            OrderKey::Infinite => 2,
            OrderKey::Text(_) => 3,
        }
    }
}
