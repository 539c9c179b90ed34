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
//! let query = flipcost_query::from_json(r#"{"ask":"bounded","sources":"6","targets":"4..5"}"#)?;
//! assert_eq!(query.command().to_string(), "flipcost bounded --sources 6 --targets 4,5");
//! let answer = query.answer(&Control::default())?;
//! assert_eq!(answer.head.columns[2].name, "rolls");
//! assert_eq!(answer.rows[0][2].to_string(), "2"); // a d4 is made of two rolls of a d6
//! assert_eq!(answer.rows[1][2].to_string(), "never");
//! # Ok::<(), flipcost_query::QueryError>(())
//! ```

#![warn(missing_docs)]

mod all;
mod answer;
mod at;
mod block_source;
mod cell;
mod chunks;
mod claims;
mod command;
mod control;
mod cost_target;
mod dice;
mod door;
mod error;
mod fraction;
mod number;
mod precision;
mod query;
pub mod question;
mod rolls;
mod sentence;
mod set;
mod sheet;
mod sides;
mod sink;
mod sources;
mod spell;
mod value;

mod asked;
mod column;
pub mod description;
pub mod entry;
mod kept;
mod long;
mod places;
mod questions;
mod target_text;
mod targets;
mod units;

pub use all::{descriptions, from_json, read, register};
pub use answer::Answer;
pub use asked::{Measure, filled};
pub use at::At;
pub use block_source::{BlockSource, BlockSourceError};
pub use claims::{ClaimName, UnknownClaim, claims};
pub use column::{ColumnError, ColumnId, unit};
pub use command::CommandLine;
pub use control::{Control, Estimate, Progress, memory};
pub use cost_target::{CostTarget, CostTargetError, FunctionText, Player};
pub use description::{Always, ChoiceError, Description, FieldAbout, Place, Purpose, Shape, Usual};
pub use door::Door;
pub use error::{InputError, QueryError};
pub use fraction::{Fraction, FractionError};
pub use kept::{cell_of_state, cell_state};
pub use number::{Number, Positive};
pub use precision::spelled;
pub use query::{Query, QuestionKind, register_questions};
pub use questions::*;
pub use sentence::{Field, Sentence, Terminal, field, readable};
pub use set::{Dice, DiceError, Price, PriceError, Throw, ThrowError};
pub use sheet::Sheet;
pub use sides::{Sides, SidesError, Widest};
pub use sink::{ColumnHead, Foot, Head, Kind, Sink, Verdict, cell_to_json};
pub use sources::{Sources, SourcesError};
pub use spell::{power_of_two, spell, spell_measured};
pub use target_text::{TargetText, TargetTextError};
pub use targets::{Targets, TargetsError};
pub use units::{Part, Unit};
pub use value::{AlgorithmId, Natural, Numbers, NumbersError};
