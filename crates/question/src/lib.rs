//! Questions as values: reads, describes, estimates and answers every question of flipcost.
//!
//! A [`Query`] is plain data: it is read from JSON, written as JSON, and printed as the command
//! line that asks it. [`Query::estimate`] predicts the time, the memory and the size of the output
//! before anything runs. [`Query::run`] hands a [`Head`] (columns with kind and unit), rows in
//! chunks and a [`Foot`] (notes, verdict, a document) to a [`Sink`]. An [`Answer`] collects all of
//! them.
//!
//! ```
//! use flipcost_question::{Control, Query};
//! let query = flipcost_all::from_json(r#"{"ask":"cost","target":"4..5","source":"6","algorithms":["bounded"],"columns":["n","worst_case","possible"]}"#)?;
//! assert_eq!(query.command().to_string(), "flipcost cost 4..5 --source 6 --algorithm bounded --columns n,worst_case,possible");
//! let answer = query.answer(&Control::default())?;
//! assert_eq!(answer.head.columns[1].name, "worst_case");
//! assert_eq!(answer.rows[0][1].to_string(), "2"); // a d4 is made of two rolls of a d6
//! assert_eq!(answer.rows[1][2].to_string(), "false"); // and no number of them makes a d5
//! # Ok::<(), flipcost_question::QueryError>(())
//! ```

pub mod answer_bytes;
mod answer_json;
pub mod at;
pub mod buffers;
pub mod cell;
pub mod chunked;
pub mod chunks;
pub mod column;
pub mod command;
pub mod control;
pub mod description;
pub mod dice;
pub mod endless;
pub mod error;
pub mod fraction;
pub mod front_end;
pub mod long;
pub mod names;
pub mod number;
pub mod picture;
pub mod precision;
pub mod prelude;
pub mod query;
pub mod questions;
pub mod rolls;
pub mod sentence;
pub mod side_files;
pub mod sides;
pub mod sink;
pub mod sources;
pub mod spell;
pub mod summary;
pub mod target_text;
pub mod targets;
pub mod text;
pub mod units;
pub mod value;
pub mod view;

pub use at::KnownSources;
pub use buffers::{Buffer, Buffers};
pub use column::{ColumnError, ColumnId, unit};
pub use command::CommandLine;
pub use control::{Control, Estimate, Progress, process_memory};
pub use description::{
    Always, ArgumentKind, Arity, ChoiceError, Description, FieldAbout, FieldDefault,
    QuestionPurpose,
};
pub use description::{NoFittingQuestion, choose_question};
pub use error::{InputError, QueryError};
pub use flipcost_number::near::{self, did_you_mean, nearest};
pub use fraction::{Probability, ProbabilityError};
pub use front_end::FrontEnd;
pub use names::Names;
pub use number::{Number, Positive};
pub use picture::PictureError;
pub use precision::fraction_with_decimal;
pub use query::{Answer, Query, Question};
pub use questions::{QuestionKind, Questions};
pub use sentence::{Field, Sentence, Terminal, field, make_printable};
pub use sides::{LargestDie, Sides, SidesError};
pub use sink::{CellKind, ColumnHead, Foot, Head, Sink, Verdict, cell_to_json};
pub use sources::{Sources, SourcesError};
pub use spell::{format_cell, format_measured, power_of_two};
pub use target_text::{TargetText, TargetTextError, short_number_phrase};
pub use targets::{Targets, TargetsError};
pub use text::{
    WIDTH, count_with_noun, display_name, file_size, open_decompressed, unreadable_error,
};
pub use units::{JoinedUnits, Unit};
pub use value::{AlgorithmId, Natural, Numbers, NumbersError};
pub use view::{RowView, VIEW_FIELDS};

// Names that the macros use in other crates.
#[doc(hidden)]
pub use {serde, serde_json};
