//! The program `flipcost`: see the library of the same name for what it computes.

use std::process::ExitCode;

fn main() -> ExitCode {
    flipcost_number::memory::keep_freed();
    flipcost_cli::commands::main()
}
