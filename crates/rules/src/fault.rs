//! Why a rule has no law: one sentence, with the line of the program.

use flipcost_number::BigUint;

fn line_suffix(line: &Option<usize>) -> String {
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
    #[error("{file}{}: {what}", line_suffix(line))]
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
    /// It has both.
    #[error("{0}: it has start and step, and rule as well: one of the two was expected")]
    TwoRules(String),
    /// Its functions are not known here.
    #[error(
        "{0}: its functions are those of another process: a rule as a text or a table can be sent to others"
    )]
    Elsewhere(String),
    /// A table of probabilities beside a source that is not fair.
    #[error("{0}: the probabilities are in the table, which rolls no source: none was expected")]
    OwnDice(String),
    /// It stopped.
    #[error("{file}{}: {what}", line_suffix(line))]
    Run {
        /// The file.
        file: String,
        /// The line, from 1.
        line: Option<usize>,
        /// What went wrong.
        what: String,
    },
    /// The source has more faces than are followed one by one.
    #[error("{file}: the faces of the source are followed one by one, and {faces} are too many")]
    Wide {
        /// The file.
        file: String,
        /// The faces of the source.
        faces: BigUint,
    },
    /// Its outcome is none of the target.
    #[error("{file}: {}it gives {outcome}, and the outcomes of a target with {n} are 0 to {}", .path.as_ref().map_or_else(String::new, |path| format!("after the rolls {path} ")), n - 1u8)]
    Outside {
        /// The file.
        file: String,
        /// The rolls, if they are known.
        path: Option<String>,
        /// The outcome.
        outcome: BigUint,
        /// How many outcomes the target has.
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
    /// The same face of the same state gave something else.
    #[error(
        "{file}: {place} leads to {}, and to {} when asked again: a rule depends on nothing but its state",
        leads[0], leads[1]
    )]
    Unsteady {
        /// The file.
        file: String,
        /// The face and the state.
        place: String,
        /// Where it led.
        leads: [String; 2],
    },
}

impl Fault {
    /// The sentence without the name of the file at its beginning, where that is said before.
    pub(crate) fn without_file(&self, file: &str) -> String {
        let sentence = self.to_string();
        let rest = sentence.strip_prefix(file).unwrap_or(&sentence);
        rest.trim_start_matches([':', ',', ' ']).to_string()
    }
}
