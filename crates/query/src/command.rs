//! A command line, built word by word and printed as a shell reads it.

use crate::description::{Description, Given, Place};
use crate::sentence::bare;
use serde_json::Value;
use std::fmt;

/// The words of a command line, without the program's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    words: Vec<String>,
}

impl CommandLine {
    /// The one that asks a question: what stands by its place first, then the options that are not
    /// as usual, both in the order of the fields.
    pub(crate) fn of(description: &Description, given: &[Given]) -> CommandLine {
        let mut line = CommandLine {
            words: description.command.split(' ').map(String::from).collect(),
        };
        let about = |given: &Given| {
            let field = description.field(given.name);
            field.expect("every field is described")
        };
        let values = |given: &Given| match given.value.as_ref() {
            None => Vec::new(),
            Some(Value::Array(all)) => all.iter().map(bare).collect(),
            Some(value) => vec![bare(value)],
        };
        let by_place = |place| matches!(place, Place::Word | Place::Target);
        // what could be taken for an option stands after all of them
        let mut last = Vec::new();
        for field in given
            .iter()
            .filter(|field| by_place(about(field).argument.place))
        {
            for word in values(field) {
                match word.starts_with('-') {
                    true => last.push(word),
                    false => line.words.push(word),
                }
            }
        }
        for field in given
            .iter()
            .filter(|field| !field.usual || about(field).argument.printed)
        {
            let about = about(field);
            let name = about.flag();
            let values = values(field);
            match about.argument.place {
                Place::Word | Place::Target => {}
                Place::Flag => line
                    .words
                    .extend(values.iter().map(|_| format!("--{name}"))),
                Place::Option if about.argument.each => {
                    values.iter().for_each(|value| line.option(&name, value));
                }
                Place::Option if values.is_empty() => {}
                Place::Option => line.option(&name, &values.join(",")),
            }
        }
        if !last.is_empty() {
            line.words.push("--".to_string());
            line.words.append(&mut last);
        }
        line
    }

    /// Adds `--name value`, or `--name=value` if the value could be taken for another option.
    pub(crate) fn option(&mut self, name: &str, value: &str) {
        match value.starts_with('-') {
            true => self.words.push(format!("--{name}={value}")),
            false => self.words.extend([format!("--{name}"), value.to_string()]),
        }
    }

    /// Adds `--name`.
    pub(crate) fn flag(&mut self, name: &str) {
        self.words.push(format!("--{name}"));
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
    use crate::Query;

    #[test]
    fn a_shell_reads_it_back() {
        for (query, line) in [
            (
                r#"{"ask":"oeis-check","id":"it's","against":"-x"}"#,
                r"flipcost oeis check 'it'\''s' --against=-x",
            ),
            (
                r#"{"ask":"decimals","of":"-2^2","digits":3}"#,
                "flipcost decimals --digits 3 -- -2^2",
            ),
            (
                r#"{"ask":"shuffle","cards":4,"deal":true,"names":["-a","b"]}"#,
                "flipcost shuffle 4 --deal --names=-a,b",
            ),
        ] {
            let query = Query::from_json(query).unwrap();
            assert_eq!(query.command().to_string(), line);
        }
    }
}
