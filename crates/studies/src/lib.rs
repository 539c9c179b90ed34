//! Studies: TOML files that say what to compute, what to draw and what to check.
//!
//! A study reproduces one article: its charts and tables, and its claims, each decided exactly.
//! [`Study::read`] reads it; [`run`] draws and checks all of it and writes `data/NAME/` and
//! `figures/NAME/`.
//!
//! The files are in layers; each file imports only from layers below its own:
//!
//! ```text
//! html                             the studies as static pages
//! run                              writes the results of a study
//! page                             what a study's file may hold, from the types
//! embedded                         the studies of this repository, in the program
//! study                            a study's file: figures, documents and checks in their order
//! check                            a claim and its question, once or for all n
//! figures/*  checks/*  documents/* the kinds: one file each, in a list with one line each
//! draw, decide, compose            what a kind of figure, check, document can do
//! costs, terms, rule, tables/*, sheet, shown, ways the computations that the kinds share
//! axis, values, tagged, schema, limits, record, reference, error the values of a file
//! ```
//!
//! The document `questions` parses its command lines as the program does, with
//! `flipcost_terminal::question`.
//!
//! A new kind of check is a struct that serde reads and that implements [`decide::Decide`], in one
//! file in `checks/`, with a `mod` and one line in the list of [`checks`]. The list gives its key
//! in a `[[check]]`, the error for an unknown key, and its place on the page about studies. A new
//! kind of figure ([`figures`], [`draw::Draw`]) or document ([`documents`], [`compose::Compose`])
//! is added in the same way.

#![warn(missing_docs)]

mod axis;
mod batch;
pub mod case;
pub mod check;
pub mod checks;
pub mod compose;
pub mod costs;
pub mod decide;
pub mod documents;
pub mod draw;
mod embedded;
pub mod error;
pub mod figures;
pub mod html;
pub mod limits;
mod octaves;
pub mod page;
pub mod place;
pub mod range;
pub mod record;
pub mod rule;
pub mod schema;
pub mod sheet;
pub mod shown;
pub mod study;
pub mod tables;
pub mod terms;
pub mod values;
pub mod ways;

mod reference;
mod run;
#[cfg(test)]
mod sentences;
mod source_line;
mod tagged;

pub use check::{CheckedClaim, ClaimOrigin, ClaimStatus};
pub use embedded::EmbeddedStudy;
pub use error::StudyError;
pub use run::{FinishedPiece, REPORT_HEADERS, StudyReport, run};
pub use study::Study;
