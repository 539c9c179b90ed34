//! The formats of the On-Line Encyclopedia of Integer Sequences, and the work that one does with them.
//!
//! A sequence reaches this room as its index of the first term (the *offset*), its terms, and, for a
//! submission, an [`Entry`] that says what it is. From there:
//!
//! * formats, each with a parser that never panics and a writer: [`bfile`], [`internal`],
//!   [`stripped`], [`names`], [`list`]; [`detect`] tells them apart and loads the terms of any;
//! * [`check`] compares computed terms with published ones;
//! * [`identify`] searches the whole encyclopedia for terms, also behind a shift, a factor,
//!   differences or sums;
//! * [`draft`] writes a submission;
//! * [`mod@published`] are the terms that the library carries with it, to be checked against;
//! * `fetch`, behind the cargo feature of that name, downloads an entry.
//!
//! Every refusal is a [`Refusal`]: one sentence that names the file and the line, says what is wrong
//! there and what would be right.

pub mod bfile;
pub mod check;
pub mod detect;
pub mod draft;
mod entry;
#[cfg(feature = "fetch")]
pub mod fetch;
pub mod identify;
pub mod internal;
pub mod list;
pub mod names;
#[cfg(test)]
mod properties;
pub mod published;
mod refusal;
pub mod stripped;
pub mod text;

pub use entry::{ANumber, Entry, NotAnANumber};
pub use published::{Published, published};
pub use refusal::Refusal;
