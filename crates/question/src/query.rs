//! Questions of any kind, and their answers.

use crate::chunked::Chunked;
use crate::description::{Described, GivenField, serialize_question};
use crate::long::{FractionShortener, OptionalFractions};
use crate::picture::PictureError;
use crate::sentence::{SentencePart, json_text};
use crate::view::{RowView, VIEW_FIELDS, ViewSink};
use crate::{
    Buffers, CommandLine, Control, Estimate, Foot, FrontEnd, Head, QueryError, Sentence, Sink, say,
};
use flipcost::table::Cell;
use flipcost_figures::Drawing;
use serde::Serializer;
use std::any::Any;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// The methods that every kind of question has.
pub trait Question {
    /// Estimates the work, memory and output. This takes little time, and is called before the
    /// question runs.
    fn estimate(&self) -> Estimate {
        Estimate::SMALL
    }
    /// The exact columns that stay empty if a fraction is long and was not requested.
    fn optional_fractions(&self) -> Option<OptionalFractions> {
        None
    }
    /// Whether the answer is produced in chunks that can be shown, saved or interrupted. Other
    /// questions give their answer all at once.
    fn is_streamed(&self) -> bool {
        false
    }
    /// Answers the question: calls [`Sink::head`] once, [`Sink::rows`] any number of times, and
    /// [`Sink::foot`] once.
    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError>;
    /// One plain sentence with the requested value; it comes first in every answer.
    fn summary(&self, answer: &Answer) -> String;
    /// Another question that is cheaper to compute, and whose answer begins with at least the first
    /// `rows` rows of this one; `None` if there is none.
    fn first_rows(&self, _rows: u64) -> Option<Query> {
        None
    }
    /// Whether the question reads a file of this machine. If so, it is refused when it comes from
    /// another machine.
    fn names_a_file(&self) -> bool {
        false
    }
    /// The question whose answer is drawn if a picture of this question is requested; it may be the
    /// question itself. `None` if there is no picture.
    fn picture_query(&self) -> Option<Query> {
        None
    }
    /// Draws the answer.
    ///
    /// # Errors
    /// [`PictureError::Kind`] if answers of this kind are not drawn, [`PictureError::Input`] if the
    /// picture would be too large, [`PictureError::Figure`] if drawing fails.
    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        Err(PictureError::kind(answer))
    }
    /// Writes the answer as lines of text, without its notes, if rows are not enough.
    ///
    /// # Errors
    /// The errors of [`Question::draw_picture`].
    fn to_text(&self, answer: &Answer, _front_end: FrontEnd) -> Result<String, PictureError> {
        Err(PictureError::kind(answer))
    }
}

/// A sink that puts notes on how the question was understood before all other notes.
struct ReadingsSink<'a> {
    readings: Vec<String>,
    sink: &'a mut dyn Sink,
}

impl Sink for ReadingsSink<'_> {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        self.sink.head(head)
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        self.sink.rows(rows)
    }

    fn buffers(&mut self, rows: Buffers) -> Result<(), QueryError> {
        self.sink.buffers(rows)
    }

    fn foot(&mut self, mut foot: Foot) -> Result<(), QueryError> {
        let readings = self.readings.drain(..).map(Sentence::from);
        foot.notes.splice(0..0, readings);
        self.sink.foot(foot)
    }
}

/// The methods of [`Question`] and [`Described`], for any kind of question.
trait AnyQuestion: Debug + Send + Sync {
    fn ask(&self) -> &'static str;
    fn question(&self) -> &dyn Question;
    fn given_fields(&self) -> Vec<GivenField>;
    fn places(&self) -> Option<&dyn Chunked>;
    fn readings(&self) -> Vec<String>;
    fn line(&self) -> CommandLine;
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn AnyQuestion) -> bool;
}

impl<Q: Question + Described + Debug + PartialEq + Send + Sync + 'static> AnyQuestion for Q {
    fn ask(&self) -> &'static str {
        Q::ASK
    }

    fn question(&self) -> &dyn Question {
        self
    }

    fn given_fields(&self) -> Vec<GivenField> {
        Described::given_fields(self)
    }

    fn places(&self) -> Option<&dyn Chunked> {
        Described::places(self)
    }

    fn readings(&self) -> Vec<String> {
        Described::readings(self)
    }

    fn line(&self) -> CommandLine {
        Described::line(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn AnyQuestion) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }
}

/// A question. In JSON its kind is the field `ask`.
#[derive(Clone)]
pub struct Query(Arc<dyn AnyQuestion>, Arc<RowView>);

impl Debug for Query {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for Query {
    fn eq(&self, other: &Query) -> bool {
        self.0.equals(&*other.0) && self.1 == other.1
    }
}

impl<Q: Question + Described + Debug + PartialEq + Send + Sync + 'static> From<Q> for Query {
    fn from(question: Q) -> Query {
        Query(Arc::new(question), Arc::default())
    }
}

impl Query {
    /// The question itself.
    pub fn question(&self) -> &dyn Question {
        self.0.question()
    }

    /// The query's name in JSON, for example `toll-extremes`.
    pub fn ask(&self) -> &'static str {
        self.0.ask()
    }

    /// The question as type `Q`, if it has this type.
    pub fn downcast<Q: Described + 'static>(&self) -> Option<&Q> {
        self.0.as_any().downcast_ref()
    }

    /// Whether the question has type `Q`.
    pub fn is<Q: Described + 'static>(&self) -> bool {
        self.downcast::<Q>().is_some()
    }

    /// The query with this view of its answer.
    pub(crate) fn with_view(self, view: RowView) -> Query {
        Query(self.0, Arc::new(view))
    }

    fn given_fields(&self) -> Vec<GivenField> {
        let mut given = self.0.given_fields();
        let view = self.1.given_fields().into_iter();
        given.extend(view.filter(|field| field.value.is_some()));
        given
    }

    /// Whether a view shortens or sorts the answer.
    pub fn has_view(&self) -> bool {
        !self.1.keeps_all()
    }

    /// Returns the places of the question, if its answer is assembled from places.
    pub fn places(&self) -> Option<&dyn Chunked> {
        self.0.places()
    }

    fn readings(&self) -> Vec<String> {
        self.0.readings()
    }

    fn line(&self) -> CommandLine {
        let mut line = self.0.line();
        // The words after -- come last.
        let end = line.words.iter().position(|word| word == "--");
        let last = line.words.split_off(end.unwrap_or(line.words.len()));
        for field in self.1.given_fields() {
            if let Some(value) = &field.value {
                line.option(field.name, &json_text(value));
            }
        }
        line.words.extend(last);
        line
    }

    /// The query as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("queries are plain values")
    }

    /// The command line that asks this question.
    pub fn command(&self) -> CommandLine {
        self.line()
    }

    /// Estimates the work, the memory and the bytes of output. This takes little time, and happens
    /// before anything runs.
    pub fn estimate(&self) -> Estimate {
        let mut estimate = self.with_first_rows().question().estimate();
        if let Some(top) = self.1.top() {
            // Assume at most 4096 bytes for a row.
            estimate.output = estimate.output.min(u128::from(top.get()) << 12);
        }
        estimate
    }

    /// The column by which the rows are sorted, and whether the least value comes first; `None` if
    /// the rows keep their order.
    pub(crate) fn order(&self) -> Option<(&str, bool)> {
        self.1.order()
    }

    /// Whether the answer is produced in chunks that can be shown, saved or interrupted, for
    /// example a sweep. Other questions give their answer all at once.
    pub fn is_streamed(&self) -> bool {
        self.question().is_streamed()
    }

    /// Answers the query; passes the answer to the sink.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the question cannot be answered, [`QueryError::Stopped`] if
    /// `control` stops it, [`QueryError::Sink`] if the sink fails.
    pub fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let first = self.with_first_rows();
        first.run_with(control, sink, |sink| first.question().run(control, sink))
    }

    /// Restricts the question to the rows that are shown, if these are the first rows.
    fn with_first_rows(&self) -> Query {
        let first = match (self.order(), self.1.top()) {
            (None, Some(top)) => self.question().first_rows(top.get()),
            _ => None,
        };
        first.map_or_else(
            || self.clone(),
            |Query(question, _)| Query(question, self.1.clone()),
        )
    }

    /// Writes the answer that `tell` produces, with notes on how the question was understood, and
    /// without fractions that are too long.
    pub fn run_with(
        &self,
        control: &Control,
        sink: &mut dyn Sink,
        tell: impl FnOnce(&mut dyn Sink) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let sink = &mut ReadingsSink {
            readings: self.readings(),
            sink,
        };
        let mut shortened;
        let sink: &mut dyn Sink = match self.question().optional_fractions() {
            Some(short) => {
                shortened = FractionShortener::new(short, sink);
                &mut shortened
            }
            None => sink,
        };
        self.with_context(control, || {
            if self.has_view() {
                let query = Query(self.0.clone(), Arc::default());
                let summary = |head, rows, foot| {
                    let query = query.clone();
                    Answer {
                        query,
                        head,
                        rows,
                        foot,
                    }
                    .summary()
                };
                tell(&mut ViewSink::new(&self.1, &summary, sink))
            } else {
                tell(sink)
            }
        })
    }

    /// Runs the work, and adds the values of the fields to its errors.
    pub fn with_context<T>(
        &self,
        control: &Control,
        work: impl FnOnce() -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        control.run(work).map_err(|error| match error {
            QueryError::Input(wrong) => {
                let fields = serde_json::to_value(self).unwrap_or_default();
                QueryError::Input(wrong.with_fields(&fields).into())
            }
            error => error,
        })
    }
}

impl serde::Serialize for Query {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize_question(Some(self.ask()), self.given_fields(), to)
    }
}

impl From<&Answer> for Sentence {
    fn from(answer: &Answer) -> Sentence {
        answer.query.clone().into()
    }
}

impl From<Query> for Sentence {
    fn from(query: Query) -> Sentence {
        SentencePart::Question(query.command().to_string(), query.to_json()).into()
    }
}

/// A whole answer together with its question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The question.
    pub query: Query,
    /// The answer's columns.
    pub head: Head,
    /// The answer's rows, a cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// The part of an answer after the rows.
    pub foot: Foot,
}

impl Query {
    /// Collects the whole answer, which may have up to [`Answer::MAX_ROWS`] rows.
    ///
    /// # Errors
    /// The errors of [`Query::run`]; also [`QueryError::Input`] if there are too many rows.
    pub fn answer(&self, control: &Control) -> Result<Answer, QueryError> {
        let mut answer = Answer::new(self.clone());
        self.run(control, &mut answer)?;
        Ok(answer)
    }
}

impl Answer {
    /// Creates an empty answer.
    pub fn new(query: Query) -> Answer {
        Answer {
            query,
            head: Head::default(),
            rows: Vec::new(),
            foot: Foot::default(),
        }
    }

    /// The maximum number of rows that are collected. [`Query::run`] can stream more rows.
    pub const MAX_ROWS: usize = 1_000_000;

    /// Draws the answer.
    ///
    /// # Errors
    /// [`PictureError::Kind`] if answers of this kind are not drawn, [`PictureError::Input`] if the
    /// picture would be too large, [`PictureError::Figure`] if drawing fails.
    pub fn draw_picture(&self) -> Result<Drawing, PictureError> {
        if self.query.has_view() {
            let what = "a picture shows all rows and columns";
            return Err(PictureError::Input(say!(
                what,
                ": leave out ",
                VIEW_FIELDS.join(", ")
            )));
        }
        self.query.question().draw_picture(self)
    }

    /// Writes the answer as lines of text, with its notes as this front end renders them. The text
    /// ends with a line break.
    ///
    /// # Errors
    /// [`PictureError::Kind`] if answers of this kind have only rows, [`PictureError::Input`] if
    /// the text would be too large.
    pub fn to_text(&self, front_end: FrontEnd) -> Result<String, PictureError> {
        let mut text = self.query.question().to_text(self, front_end)?;
        for note in &self.foot.notes {
            text += &note.render(front_end);
            text.push('\n');
        }
        Ok(text)
    }

    /// Iterates over the rows; each row is reduced to the cells of these columns, in this order.
    pub fn cells<'a, const N: usize>(
        &'a self,
        names: [&str; N],
    ) -> Result<Vec<[&'a Cell; N]>, PictureError> {
        let mut at = [0; N];
        for (place, name) in at.iter_mut().zip(names) {
            let mut columns = self.head.columns.iter();
            *place = columns
                .position(|column| column.name == name)
                .ok_or_else(|| PictureError::Input(say!("the answer has no column {name}")))?;
        }
        let row = |row: &'a Vec<Cell>| at.map(|i| row.get(i).unwrap_or(&Cell::Empty));
        Ok(self.rows.iter().map(row).collect())
    }

    /// The cells of the column with this name; `None` if there is no such column.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = &Cell>> {
        let at = (self.head.columns.iter()).position(|column| column.name == name)?;
        Some(self.rows.iter().map(move |row| &row[at]))
    }
}

impl Sink for Answer {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        self.head = head.clone();
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        if self.rows.len() + rows.len() > Answer::MAX_ROWS {
            let most = Answer::MAX_ROWS;
            return Err(
                QueryError::general(say!("the answer has more than {most} rows"))
                    .right("ask for a smaller range, or let the program write them to a file"),
            );
        }
        self.rows.extend(rows);
        Ok(())
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.foot = foot;
        Ok(())
    }
}
