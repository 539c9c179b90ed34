//! The program `flipcost`: the terminal, files and studies around the library of that name.
//!
//! `commands` holds one small file per subcommand, `studies` what a study computes, draws and
//! checks, `sweep` the files of long runs, `rows` the formats of rows, `terminal` what a
//! reader's terminal can show, `screen` what is shown there, `interrupt` what Ctrl-C leaves, and
//! `watch` what a run may take.
#![warn(missing_docs)]

pub mod commands;
mod interrupt;
mod question;
mod rows;
mod screen;
pub mod studies;
pub mod sweep;
mod terminal;
mod watch;
