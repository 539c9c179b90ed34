//! Properties that hold for all bytes. There is one file for each target; the fuzzer and the replay
//! of its corpus use these files.

mod ask;
mod bfile;
mod detect;
mod identify;
mod internal;
mod journal;
mod lanes;
mod line;
mod list;
mod names;
mod numbers;
mod request;
mod rolls;
mod rule;
mod study;

pub use ask::ask;
pub use bfile::bfile;
pub use detect::detect;
pub use identify::identify;
pub use internal::internal;
pub use journal::journal;
pub use lanes::lanes;
pub use line::{FILES, line, random_command_line, random_question};
pub use list::list;
pub use names::names;
pub use numbers::numbers;
pub use request::request;
pub use rolls::rolls;
pub use rule::rule;
pub use study::study;

/// A target: a property that holds for all bytes.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("ask", ask),
    ("bfile", bfile),
    ("detect", detect),
    ("identify", identify),
    ("internal", internal),
    ("journal", journal),
    ("lanes", lanes),
    ("line", line),
    ("list", list),
    ("names", names),
    ("numbers", numbers),
    ("request", request),
    ("rolls", rolls),
    ("rule", rule),
    ("study", study),
];
