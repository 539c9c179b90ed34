//! The program `flipcost`: one small file per subcommand in `commands`, in `sweep` the files of
//! long runs, in `watch` what a run may take, in `failure` why one ends.
#![warn(missing_docs)]

pub mod commands;
mod failure;
mod numbers;
mod progress_bar;
mod sweep;
mod watch;
