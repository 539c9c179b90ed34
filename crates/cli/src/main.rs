//! The program `flipcost`: see the library of the same name for what it computes.

fn main() -> std::process::ExitCode {
    flipcost_cli::commands::main()
}
