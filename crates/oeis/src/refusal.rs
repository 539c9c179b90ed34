//! The error that all functions return if they cannot read a file.

use std::fmt;

/// The reason why a file was refused: one sentence that names the file and the line, describes the
/// mistake and says what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct OeisFileError {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// The line, counted from 1; `None` for the whole file.
    pub line: Option<u64>,
    /// The mistake, without a period at its end.
    pub wrong: String,
    /// The remedy, without a period at its end.
    pub right: String,
}

impl OeisFileError {
    /// Refuses line `line` (counted from 1) of `file`.
    pub fn at_line(
        file: &str,
        line: u64,
        wrong: impl Into<String>,
        right: impl Into<String>,
    ) -> Self {
        OeisFileError {
            file: file.to_owned(),
            line: Some(line),
            wrong: wrong.into(),
            right: right.into(),
        }
    }

    /// Refuses `file` as a whole.
    pub fn whole_file(file: &str, wrong: impl Into<String>, right: impl Into<String>) -> Self {
        OeisFileError {
            file: file.to_owned(),
            line: None,
            wrong: wrong.into(),
            right: right.into(),
        }
    }

    /// Refuses `file` because reading it failed, after `line` complete lines if this number is
    /// known.
    pub fn io(file: &str, line: Option<u64>, cause: &std::io::Error) -> Self {
        let (wrong, right) = flipcost_question::unreadable_error(cause);
        OeisFileError {
            file: file.to_owned(),
            line,
            wrong,
            right,
        }
    }
}

impl fmt::Display for OeisFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}; {}.", self.wrong, self.right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_sentence_with_file_and_line() {
        let refusal =
            OeisFileError::at_line("b1.txt", 7, "\"x\" is not an integer", "a term is digits");
        assert_eq!(
            refusal.to_string(),
            "b1.txt, line 7: \"x\" is not an integer; a term is digits."
        );
        let missing = OeisFileError::io("no", None, &std::io::ErrorKind::NotFound.into());
        assert_eq!(
            missing.to_string(),
            "no: no such file; give the path of a file."
        );
    }
}
