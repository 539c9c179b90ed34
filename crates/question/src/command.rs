//! Builds a command line word by word, and prints it with shell quotes.

use std::fmt;

/// The words of a command line after the program's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub words: Vec<String>,
}

impl CommandLine {
    /// Adds `--name value`, or `--name=value` if the value could be mistaken for an option.
    pub fn option(&mut self, name: &str, value: &str) {
        if value.starts_with('-') {
            self.words.push(format!("--{name}={value}"))
        } else {
            self.words.extend([format!("--{name}"), value.to_string()])
        }
    }

    /// Adds `--name`.
    pub fn flag(&mut self, name: &str) {
        self.words.push(format!("--{name}"));
    }

    /// The words after the program's name.
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

/// Writes `flipcost` and the words, with shell quotes where they are needed.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "flipcost")?;
        for word in &self.words {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:=/+^%@".contains(c);
            if !word.is_empty() && word.chars().all(plain) {
                write!(f, " {word}")?
            } else {
                write!(f, " '{}'", word.replace('\'', "'\\''"))?
            }
        }
        Ok(())
    }
}
