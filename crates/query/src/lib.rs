//! Every question that flipcost answers, as a value.
//!
//! A [`Query`] is plain data: it is read from JSON, written as JSON, and printed as the command
//! line that asks it. [`Query::estimate`] says about how much it will compute, hold and write,
//! before anything runs; [`Query::run`] hands a [`Head`] (columns with kind and unit), rows in
//! chunks and a [`Foot`] (notes, verdict, a document) to a [`Sink`]. An [`Answer`] is all of that,
//! collected.
//!
//! ```
//! use flipcost_query::{Control, Query};
//! let query = Query::from_json(r#"{"ask":"bounded","sources":"6","targets":"4..5"}"#)?;
//! assert_eq!(query.command().to_string(), "flipcost bounded --sources 6 --targets 4,5");
//! let answer = query.answer(&Control::default())?;
//! assert_eq!(answer.head.columns[2].name, "rolls");
//! assert_eq!(answer.rows[0][2].to_string(), "2"); // a d4 is made of two rolls of a d6
//! assert_eq!(answer.rows[1][2].to_string(), "never");
//! # Ok::<(), flipcost_query::QueryError>(())
//! ```

#![warn(missing_docs)]

mod answer;
mod chunks;
mod command;
mod control;
mod dice;
mod fraction;
mod number;
mod precision;
mod sentence;
mod set;
mod sheet;
mod sides;
mod sources;
mod spell;
mod value;

mod asked;
mod column;
pub mod description;
pub mod entry;
mod long;
mod questions;
mod target_text;
mod targets;

pub use answer::{Answer, ColumnHead, Foot, Head, Kind, Sink, Verdict, cell_to_json};
pub use asked::{Measure, filled};
pub use column::{ColumnError, ColumnId, Columns, unit};
pub use command::CommandLine;
pub use control::{Control, Estimate, Progress};
pub use description::{Always, ChoiceError, Description, FieldAbout, Place, Purpose, Shape, Usual};
pub use fraction::{Fraction, FractionError};
pub use number::{Number, Positive};
pub use precision::spelled;
pub use questions::*;
pub use sentence::{Door, Field, InputError, Sentence, Terminal, field};
pub use set::{Dice, DiceError, Price, PriceError, Throw, ThrowError};
pub use sheet::Sheet;
pub use sides::{Sides, SidesError};
pub use sources::{Sources, SourcesError};
pub use spell::{spell, spell_fraction, spell_measured};
pub use target_text::{TargetText, TargetTextError};
pub use targets::{Targets, TargetsError};
pub use value::{AlgorithmId, Natural, Numbers, NumbersError};

use description::{Described, Fields, Given, Pairs};
use flipcost::table::Cell;
use long::{Short, Shortened};
use std::panic::Location;
use std::sync::LazyLock;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The question cannot be answered as it stands.
    #[error("{0}")]
    Input(Box<InputError>),
    /// It was stopped through its [`Control`].
    #[error("it was stopped before it was answered")]
    Stopped,
    /// The sink did not take the answer.
    #[error("the answer could not be written: {0}")]
    Sink(#[from] std::io::Error),
}

impl QueryError {
    /// An error of the engine, which is one sentence, as that of a question.
    #[track_caller]
    pub fn input(error: impl std::fmt::Display) -> QueryError {
        Self::refused(error.to_string())
    }

    /// The same where it is known which field is wrong.
    #[track_caller]
    pub(crate) fn of<E: std::fmt::Display>(field: &str) -> impl Fn(E) -> QueryError {
        let place = Location::caller();
        move |error| {
            let what = error.to_string().into();
            QueryError::Input(InputError::said(place, Some(field), what).into())
        }
    }

    /// A field is wrong.
    #[track_caller]
    pub(crate) fn wrong(field: &str, what: impl Into<Sentence>) -> QueryError {
        let place = Location::caller();
        QueryError::Input(InputError::said(place, Some(field), what.into()).into())
    }

    /// The same in a field of another name.
    pub(crate) fn in_field(mut self, name: &str) -> QueryError {
        if let QueryError::Input(error) = &mut self {
            error.field = Some(name.to_string());
        }
        self
    }

    /// Something is wrong that is in no field alone.
    #[track_caller]
    pub(crate) fn refused(what: impl Into<Sentence>) -> QueryError {
        let place = Location::caller();
        QueryError::Input(InputError::said(place, None, what.into()).into())
    }

    #[track_caller]
    pub(crate) fn no_randomness(error: impl std::fmt::Display) -> QueryError {
        Self::refused(format!("the operating system gave no randomness: {error}"))
    }

    /// The same with what would be right.
    pub(crate) fn right(mut self, right: impl Into<Sentence>) -> QueryError {
        if let QueryError::Input(error) = &mut self {
            error.right = Some(right.into());
        }
        self
    }

    /// As an error of the question of this name.
    pub(crate) fn asked(mut self, ask: &str) -> QueryError {
        if let QueryError::Input(error) = &mut self {
            error.ask.get_or_insert_with(|| ask.to_string());
        }
        self
    }

    /// As JSON: its sentence as `error`, and `field` and `given` where they are known.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = serde_json::json!({ "error": self.to_string() });
        if let QueryError::Input(error) = self {
            for (name, value) in [("field", &error.field), ("given", &error.given)] {
                if let Some(value) = value {
                    json[name] = value.as_str().into();
                }
            }
        }
        json
    }

    /// Its sentence as it is said there.
    pub fn at(&self, door: Door) -> String {
        match self {
            QueryError::Input(error) => error.at(door),
            error => error.to_string(),
        }
    }
}

/// An answer on its way, whose first notes say how the question was read.
struct Remarked<'a> {
    readings: Vec<String>,
    sink: &'a mut dyn Sink,
}

impl Sink for Remarked<'_> {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        self.sink.head(head)
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        self.sink.rows(rows)
    }

    fn foot(&mut self, mut foot: Foot) -> Result<(), QueryError> {
        let readings = self.readings.drain(..).map(Sentence::from);
        foot.notes.splice(0..0, readings);
        self.sink.foot(foot)
    }
}

/// What every kind of question can do. One file each, and one line below.
trait Question {
    /// About how much it takes, before it runs. Cheap itself.
    fn estimate(&self) -> Estimate;
    /// Which exact columns stay empty where their fraction is long, since nobody asked for them.
    fn short(&self) -> Option<Short> {
        None
    }
    /// Answers it: [`Sink::head`], [`Sink::rows`] any number of times, [`Sink::foot`].
    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError>;
}

macro_rules! questions {
    ($($variant:ident),* $(,)?) => {
        /// A question. In JSON its field `ask` says which one it is.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Query {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant),)*
        }

        impl Query {
            fn question(&self) -> &dyn Question {
                match self { $(Query::$variant(question) => question,)* }
            }

            /// Its name in JSON, as in `toll-distribution`.
            pub fn ask(&self) -> &'static str {
                match self { $(Query::$variant(_) => $variant::ASK,)* }
            }

            /// What every question is, in the order of the program's help.
            pub fn descriptions() -> &'static [Description] {
                static ALL: LazyLock<Vec<Description>> =
                    LazyLock::new(|| vec![$($variant::description()),*]);
                &ALL
            }

            fn given(&self) -> Vec<Given> {
                match self { $(Query::$variant(question) => question.given(),)* }
            }

            fn readings(&self) -> Vec<String> {
                match self { $(Query::$variant(question) => question.readings(),)* }
            }

            fn line(&self) -> CommandLine {
                match self { $(Query::$variant(question) => question.line(),)* }
            }

            fn of_pairs(mut pairs: Pairs) -> Result<Query, QueryError> {
                let ask = pairs.take_ask()?;
                $(if ask == $variant::ASK {
                    let fields = Fields::new($variant::ASK, $variant::FIELDS, pairs)?;
                    return $variant::read(&fields).map(Query::$variant);
                })*
                Err(Pairs::unknown(&ask, &[$($variant::ASK),*]))
            }
        }

        $(impl From<$variant> for Query {
            fn from(question: $variant) -> Query {
                Query::$variant(question)
            }
        })*
    };
}

// One line for each kind of question, in the order of the program's help.
questions! {
    Cost,
    Why,
    Compare,
    Sweep,
    SweepSummary,
    SweepWeights,
    Band,
    TollDistribution,
    TollOscillations,
    LargestToll,
    RoundingUp,
    Bounded,
    Columns,
    Distribution,
    Plan,
    Batch,
    Stream,
    Shuffle,
    Recipe,
    Law,
    Advise,
    Bias,
    Libraries,
    Frontier,
    Roll,
    Follow,
    Simulate,
    Table,
    Tree,
    Leaves,
    Flowchart,
    Mr,
    Export,
    Family,
    Import,
    Sequence,
    SequenceList,
    OeisCheck,
    OeisIdentify,
    OeisDraft,
    Verify,
    VerifyThat,
    Claims,
    Decimals,
    Algorithms,
    Cite,
}

impl Query {
    /// Reads a query from one JSON object.
    ///
    /// # Errors
    /// [`QueryError::Input`] if it is no JSON, no query, or has a field that the query does not
    /// know.
    pub fn from_json(text: &str) -> Result<Query, QueryError> {
        Pairs::read(text)?.query()
    }

    /// The query as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("queries are plain values")
    }

    /// What a question of its kind is.
    pub fn description(&self) -> &'static Description {
        let mut all = Query::descriptions().iter();
        all.find(|description| description.ask == self.ask())
            .expect("every question is described")
    }

    /// The command line that asks it.
    pub fn command(&self) -> CommandLine {
        self.line()
    }

    /// About how much it takes: work, memory, bytes of output. Cheap, and computed before anything
    /// runs.
    pub fn estimate(&self) -> Estimate {
        self.question().estimate()
    }

    /// Answers it into a sink.
    ///
    /// # Errors
    /// [`QueryError::Input`] if it cannot be answered, [`QueryError::Stopped`] if `control` says
    /// so, [`QueryError::Sink`] if the sink fails.
    pub fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let question = self.question();
        let sink = &mut Remarked {
            readings: self.readings(),
            sink,
        };
        let run = match question.short() {
            Some(short) => question.run(control, &mut Shortened::new(short, sink)),
            None => question.run(control, sink),
        };
        run.map_err(|error| match error {
            QueryError::Input(wrong) => QueryError::Input(wrong.of(self).into()),
            error => error,
        })
    }

    /// The whole answer, of up to [`Answer::MOST_ROWS`] rows.
    ///
    /// # Errors
    /// As [`Query::run`]; and [`QueryError::Input`] if there are more rows.
    pub fn answer(&self, control: &Control) -> Result<Answer, QueryError> {
        let mut answer = Answer::new(self);
        self.run(control, &mut answer)?;
        Ok(answer)
    }
}
