//! Why a rule has no law: one sentence, with the line of the program.

use flipcost_number::BigUint;

fn at(line: &Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

/// Why a rule could not be read, run or explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The program is too long.
    #[error("{file}: a program has at most {most} bytes")]
    Long {
        /// The file.
        file: String,
        /// The limit.
        most: usize,
    },
    /// It cannot be read.
    #[error("{file}{}: {what}", at(line))]
    Syntax {
        /// The file.
        file: String,
        /// The line, from 1.
        line: Option<usize>,
        /// What is wrong.
        what: String,
    },
    /// It has none of the functions that make a rule.
    #[error(
        "{0}: a rule has either fn start(n, m) and fn step(state, face, n, m), or fn rule(n, m); \
         \"flipcost rule new\" prints one to start from"
    )]
    NoRule(String),
    /// It stopped.
    #[error("{file}{}: {what}", at(line))]
    Run {
        /// The file.
        file: String,
        /// The line, from 1.
        line: Option<usize>,
        /// What went wrong.
        what: String,
    },
    /// It rolls a die that the source is not.
    #[error(
        "{file}: it rolls a d{sides}, and the source has {source_sides} sides: --source {sides}"
    )]
    OtherDie {
        /// The file.
        file: String,
        /// The die that it rolls.
        sides: u64,
        /// The die that is there.
        source_sides: u64,
    },
    /// Its outcome is none of the target.
    #[error("{file}: after the rolls {path} it gives {outcome}, and a d{n} has the outcomes 0 to {}", n - 1u8)]
    Outside {
        /// The file.
        file: String,
        /// The rolls.
        path: String,
        /// The outcome.
        outcome: BigUint,
        /// The sides of the target.
        n: BigUint,
    },
    /// Its chain is longer than is explored.
    #[error("{file}: more than {states} states{}", .path.as_ref().map_or_else(String::new, |path| format!(", as after the rolls {path}")))]
    TooLarge {
        /// The file.
        file: String,
        /// The limit.
        states: usize,
        /// The rolls to a state beyond it.
        path: Option<String>,
    },
    /// The same rolls gave something else.
    #[error(
        "{file}: the same rolls {path} lead to different states: it depends on something other than its state"
    )]
    Unsteady {
        /// The file.
        file: String,
        /// The rolls.
        path: String,
    },
}
