//! The program `flipcost`: one small file per subcommand in `commands`, in `sweep` the files of long
//! runs, and in `watch` what a run may take.
#![warn(missing_docs)]

pub mod commands;
pub mod sweep;
mod watch;
