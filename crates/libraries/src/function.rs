//! The rows of the tables of library functions that do not roll a die. They are functions for
//! Bernoulli trials, doubles and weights.

use crate::{LIBRARIES, RuleEvidence};
use flipcost_question::near;
use flipcost_question::prelude::*;

/// A library function and its rule.
#[derive(Clone, Copy)]
pub(crate) struct Function<R: 'static> {
    pub id: &'static str,
    pub language: &'static str,
    /// The call of the function, as a user writes it.
    pub function: &'static str,
    pub version: &'static str,
    pub file: &'static str,
    pub checked: RuleEvidence,
    pub rule: R,
}

/// Makes a table from a list of its rows.
macro_rules! functions {
    ($name:ident: $rule:ty; $($id:literal, $language:literal, $function:literal, $version:literal, $file:literal, $checked:ident => $does:expr;)*) => {
        pub(crate) static $name: &[crate::function::Function<$rule>] = &[$(crate::function::Function {
            id: $id,
            language: $language,
            function: $function,
            version: $version,
            file: $file,
            checked: crate::RuleEvidence::$checked,
            rule: $does,
        }),*];
    };
}
pub(crate) use functions;

/// A row of a table that a user can find by words of its texts.
pub trait Searchable {
    /// Returns the id, the language, the function and the version, in this order.
    fn texts(&self) -> [&'static str; 4];
}

impl<R> Searchable for Function<R> {
    fn texts(&self) -> [&'static str; 4] {
        [self.id, self.language, self.function, self.version]
    }
}

impl<R> Function<R> {
    /// Returns the cells that describe the function.
    pub fn cells(&self) -> Vec<Cell> {
        row![
            self.language,
            self.function,
            self.version,
            self.file,
            self.checked.word()
        ]
    }
}

/// Appends the columns of [`Function::cells`].
pub(crate) fn described(head: Head) -> Head {
    head.column("language", CellKind::Text)
        .names_rows()
        .column("function", CellKind::Text)
        .names_rows()
        .columns(CellKind::Text, ["version", "file", "checked"])
        .explained(&crate::CHECKED)
}

/// Returns the rows of the language that `word` names, by any of its names. If it names no
/// language, returns the rows that contain the word.
///
/// # Errors
/// If no row contains the word.
pub fn with_word<L: Searchable>(
    all: &'static [L],
    word: Option<&str>,
    field: &str,
) -> Result<Vec<&'static L>, QueryError> {
    let word: String = word
        .unwrap_or_default()
        .chars()
        .take(40)
        .collect::<String>()
        .to_lowercase();
    let of_language = |line: &&L| {
        let [_, language, ..] = line.texts();
        let known = LIBRARIES.iter().find(|known| known.language == language);
        let also = known.map_or(&[][..], |known| known.also);
        language.to_lowercase() == word || also.iter().any(|name| name.to_lowercase() == word)
    };
    let has_word = |line: &&L| {
        let texts = line.texts();
        texts.iter().any(|text| text.to_lowercase().contains(&word))
    };
    let mut lines: Vec<_> = all.iter().filter(of_language).collect();
    if lines.is_empty() {
        lines = all.iter().filter(has_word).collect();
    }
    if lines.is_empty() {
        let names = all.iter().flat_map(|line| {
            let [id, language, ..] = line.texts();
            [id, language]
        });
        let near = near::nearest(&word, names)
            .map_or(String::new(), |near| format!("did you mean {near}? "));
        let what = say!("no row has the word \"{word}\" in its id, language, function or version");
        return Err(QueryError::wrong(field, what)
            .right(say!(near, "a word such as python or java was expected")));
    }
    Ok(lines)
}
