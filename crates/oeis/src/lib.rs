//! Parsers and tools for the files of the On-Line Encyclopedia of Integer Sequences (OEIS).
//!
//! A sequence is given by the index of its first term (the *offset*) and its terms. A submission
//! also contains an [`Entry`], which describes the sequence. The modules:
//!
//! * [`bfile`], [`internal`], [`stripped`], [`names`] and [`list`] are formats, each with a parser
//!   that never panics; [`detect`] loads the terms of one sequence from a file;
//! * [`check`] compares computed terms with published ones;
//! * [`identify`] searches the whole encyclopedia for terms. It also finds entries that contain the
//!   terms plus or times a constant, their differences or their partial sums;
//! * [`draft`] writes a submission, [`entry_of_sequence`] describes a sequence of the engine,
//!   [`literature`] is the bibliography;
//! * [`mod@published`] contains published terms of 36 sequences, to compare with;
//! * `fetch`, behind the cargo feature of that name, downloads an entry.
//!
//! If a file cannot be read, the error is an [`OeisFileError`]: one sentence that names the file
//! and the line, describes the mistake and says what would be right.
//!
//! ```
//! use flipcost_oeis::{bfile, check, published};
//!
//! let file = bfile::parse("mine.txt", b"1 1\n2 1\n3 1\n4 1\n5 2\n")?;
//! let entry = published::find("A136043".parse().unwrap()).unwrap();
//! let report = check::check(file.first, &file.terms, Some(entry.offset), &entry.terms);
//! assert_eq!((report.verdict, report.compared), (check::Agreement::Agree, 5));
//! # Ok::<(), flipcost_oeis::OeisFileError>(())
//! ```
#![warn(missing_docs)]

pub mod bfile;
pub mod check;
pub mod detect;
pub mod draft;
mod entry;
pub mod entry_of_sequence;
#[cfg(any(test, feature = "fetch"))]
pub mod fetch;
pub mod identify;
pub mod internal;
pub mod list;
pub mod literature;
pub mod names;
#[cfg(test)]
mod properties;
pub mod published;
pub mod questions;
mod refusal;
pub mod stripped;
pub mod text;

pub use entry::{ANumber, Entry, NotAnANumber};
pub use published::{Published, published};
pub use refusal::OeisFileError;
