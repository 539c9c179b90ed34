//! The program `flipcost`: one small file per subcommand in `commands`, the files of long runs in
//! `sweep`, the limits of a run in `watch`, and the reasons why a run fails in `failure`.
#![warn(missing_docs)]

pub mod commands;
mod failure;
mod numbers;
mod progress_bar;
mod sweep;
mod watch;
