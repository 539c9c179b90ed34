//! Why a run failed.

use flipcost_terminal::rows::OutputError;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Bad input or output: one sentence, exit status 2.
    #[error("{0}")]
    Input(String),
    /// Output could not be written: exit status 2, or no message if the reader has closed the pipe.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A check found a mismatch: exit status 1.
    #[error("{0}")]
    Mismatch(String),
}

impl Failure {
    pub fn input(error: impl std::fmt::Display) -> Failure {
        Failure::Input(error.to_string())
    }

    /// The failure of `--query` for a command that does not ask a question.
    pub fn no_question() -> Failure {
        let what = "this command asks no question of the engine, so there is no query to print";
        Failure::Input(what.to_string())
    }
}
