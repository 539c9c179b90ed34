//! Why a file is no model: one sentence.

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{file}\"{}: {wrong}", .line.map_or(String::new(), |line| format!(", line {line}")))]
pub struct ModelFileError {
    /// The file, as the caller named it.
    pub file: String,
    /// The line, counted from 1; `None` where the whole file is meant.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub wrong: String,
}

impl ModelFileError {
    /// Of one line.
    pub(crate) fn at_line(file: &str, line: usize, wrong: impl Into<String>) -> ModelFileError {
        ModelFileError {
            file: file.to_string(),
            line: Some(line),
            wrong: wrong.into(),
        }
    }

    /// Of the whole file.
    pub(crate) fn whole_file(file: &str, wrong: impl Into<String>) -> ModelFileError {
        ModelFileError {
            file: file.to_string(),
            line: None,
            wrong: wrong.into(),
        }
    }
}
