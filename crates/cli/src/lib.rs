//! The program `flipcost`: one small file per subcommand in `commands`, and in `sweep` the files of long
//! runs.
#![warn(missing_docs)]

pub mod commands;
pub mod sweep;
