//! The program `flipcost`: see the library for what it computes.

use std::process::ExitCode;

fn main() -> ExitCode {
    flipcost::cli::main()
}
