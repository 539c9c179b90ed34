//! The program `flipcost`; its library says what it computes.

fn main() -> std::process::ExitCode {
    flipcost_cli::commands::main()
}
