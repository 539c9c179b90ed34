//! A command line, built word by word and printed as a shell reads it.

use std::fmt;

/// The words of a command line, without the program's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    words: Vec<String>,
}

impl CommandLine {
    /// Begins with a command, such as `cost` or `oeis check`.
    pub(crate) fn new(command: &str) -> CommandLine {
        let words = command.split(' ').map(str::to_string).collect();
        CommandLine { words }
    }

    /// Adds a positional argument.
    pub(crate) fn word(mut self, word: impl fmt::Display) -> CommandLine {
        self.words.push(word.to_string());
        self
    }

    /// Adds a target, as a positional argument unless it could be taken for an option.
    pub(crate) fn target(self, target: &crate::TargetText) -> CommandLine {
        let text = target.to_string();
        match text.starts_with('-') {
            true => self.option("weights", text),
            false => self.word(text),
        }
    }

    /// Adds `--name value`, or `--name=value` if the value could be taken for another option.
    pub(crate) fn option(self, name: &str, value: impl fmt::Display) -> CommandLine {
        let value = value.to_string();
        match value.starts_with('-') {
            true => self.word(format!("--{name}={value}")),
            false => self.word(format!("--{name}")).word(value),
        }
    }

    /// Adds `--name value`, if there is a value.
    pub(crate) fn maybe(self, name: &str, value: Option<impl fmt::Display>) -> CommandLine {
        match value {
            Some(value) => self.option(name, value),
            None => self,
        }
    }

    /// Adds `--source M`, unless it is a coin.
    pub(crate) fn source(self, source: crate::Sides) -> CommandLine {
        let other = (source != crate::Sides::default()).then_some(source);
        self.maybe("source", other)
    }

    /// Adds `--name a,b,c`, unless the list is empty.
    pub(crate) fn list<T: fmt::Display>(self, name: &str, values: &[T]) -> CommandLine {
        if values.is_empty() {
            return self;
        }
        let values: Vec<String> = values.iter().map(T::to_string).collect();
        self.option(name, values.join(","))
    }

    /// Adds `--name value` for each value.
    pub(crate) fn each<T: fmt::Display>(self, name: &str, values: &[T]) -> CommandLine {
        (values.iter()).fold(self, |line, value| line.option(name, value))
    }

    /// Adds `--name`, if it is set.
    pub(crate) fn flag(self, name: &str, set: bool) -> CommandLine {
        match set {
            true => self.word(format!("--{name}")),
            false => self,
        }
    }

    /// The words, without the program's name.
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

/// `flipcost` and the words, quoted where a shell needs it.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "flipcost")?;
        for word in &self.words {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:=/+^%@".contains(c);
            match !word.is_empty() && word.chars().all(plain) {
                true => write!(f, " {word}")?,
                false => write!(f, " '{}'", word.replace('\'', "'\\''"))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_it_back() {
        let line = CommandLine::new("oeis check")
            .word("52!")
            .option("name", "it's")
            .option("against", "-x");
        assert_eq!(
            line.to_string(),
            r"flipcost oeis check '52!' --name 'it'\''s' --against=-x"
        );
        let words = ["oeis", "check", "52!", "--name", "it's", "--against=-x"];
        assert_eq!(line.words(), words);
    }
}
