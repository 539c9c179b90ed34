//! The reasons why a rule has no law, each a sentence with the line of the program.

use flipcost_number::BigUint;

fn line_suffix(line: &Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

/// A failure to parse, run or explore a rule.
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
    /// The program has a syntax error.
    #[error("{file}{}: {what}", line_suffix(line))]
    Syntax {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: Option<usize>,
        /// The error.
        what: String,
    },
    /// The program has no functions that make a rule.
    #[error(
        "{0}: a rule has either fn start(n, m) and fn step(state, face, n, m), or fn rule(n, m); \
         \"flipcost rule new\" prints one to start from"
    )]
    NoRule(String),
    /// The program has both forms of a rule.
    #[error("{0}: it gives the rule in both forms: give either start and step, or rule, not both")]
    TwoRules(String),
    /// The functions of the rule belong to another process.
    #[error(
        "{0}: its functions exist only in the process that made it: a rule can be sent to another process only as a text or a table"
    )]
    Elsewhere(String),
    /// A table of probabilities has a source.
    #[error("{0}: the table has its own probabilities and rolls no source: leave out the source")]
    OwnDice(String),
    /// The program stopped with an error.
    #[error("{file}{}: {what}", line_suffix(line))]
    Run {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: Option<usize>,
        /// The error.
        what: String,
    },
    /// The source has too many faces, since each face is followed.
    #[error("{file}: every face of the source is followed, and {faces} faces are too many")]
    Wide {
        /// The file.
        file: String,
        /// The faces of the source.
        faces: BigUint,
    },
    /// The chain has too many states to explore.
    #[error("{file}: more than {states} states{}", .path.as_ref().map_or_else(String::new, |path| format!(", as after the rolls {path}")))]
    TooLarge {
        /// The file.
        file: String,
        /// The limit.
        states: usize,
        /// The rolls to the first state beyond the limit.
        path: Option<String>,
    },
    /// The same face of the same state led to two different results.
    #[error(
        "{file}: {place} leads to {}, and to {} when asked again: the same state must always lead to the same result",
        leads[0], leads[1]
    )]
    Unsteady {
        /// The file.
        file: String,
        /// The face and the state.
        place: String,
        /// The two results.
        leads: [String; 2],
    },
}

impl Fault {
    /// Returns the sentence without the name of the file at its beginning.
    pub(crate) fn without_file(&self, file: &str) -> String {
        let sentence = self.to_string();
        let rest = sentence.strip_prefix(file).unwrap_or(&sentence);
        rest.trim_start_matches([':', ',', ' ']).to_string()
    }
}
