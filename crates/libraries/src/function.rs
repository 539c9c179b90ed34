//! A line of a table of functions of libraries that draw something else than a die.

use crate::{Checked, LIBRARIES};
use flipcost_question::near;
use flipcost_question::prelude::*;

/// A function, and what it does.
#[derive(Clone, Copy)]
pub(crate) struct Function<R: 'static> {
    pub id: &'static str,
    pub language: &'static str,
    /// What a user writes.
    pub function: &'static str,
    pub version: &'static str,
    pub file: &'static str,
    pub checked: Checked,
    pub rule: R,
}

/// The lines of a table.
macro_rules! functions {
    ($name:ident: $rule:ty; $($id:literal, $language:literal, $function:literal, $version:literal, $file:literal, $checked:ident => $does:expr;)*) => {
        pub(crate) static $name: &[crate::function::Function<$rule>] = &[$(crate::function::Function {
            id: $id,
            language: $language,
            function: $function,
            version: $version,
            file: $file,
            checked: crate::Checked::$checked,
            rule: $does,
        }),*];
    };
}
pub(crate) use functions;

impl<R> Function<R> {
    fn has(&self, word: &str) -> bool {
        let texts = [self.id, self.language, self.function, self.version];
        texts.iter().any(|text| text.to_lowercase().contains(word))
    }

    /// Whose line it is.
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

/// The columns of [`Function::cells`] behind others.
pub(crate) fn described(head: Head) -> Head {
    head.column("language", CellKind::Text)
        .names_rows()
        .column("function", CellKind::Text)
        .names_rows()
        .columns(CellKind::Text, ["version", "file", "checked"])
        .explained(&crate::CHECKED)
}

/// The lines that have the word: of a language, whatever it is called, or else anywhere.
pub(crate) fn with_word<R>(
    all: &'static [Function<R>],
    word: Option<&str>,
) -> Result<Vec<&'static Function<R>>, QueryError> {
    let word: String = word
        .unwrap_or_default()
        .chars()
        .take(40)
        .collect::<String>()
        .to_lowercase();
    let of_language = |line: &&Function<R>| {
        let known = LIBRARIES
            .iter()
            .find(|known| known.language == line.language);
        let also = known.map_or(&[][..], |known| known.also);
        line.language.to_lowercase() == word || also.iter().any(|name| name.to_lowercase() == word)
    };
    let mut lines: Vec<_> = all.iter().filter(of_language).collect();
    if lines.is_empty() {
        lines = all.iter().filter(|line| line.has(&word)).collect();
    }
    if lines.is_empty() {
        let names = all.iter().flat_map(|line| [line.id, line.language]);
        let near = near::nearest(&word, names)
            .map_or(String::new(), |near| format!("did you mean {near}? "));
        let what = say!("no line has the word \"{word}\" in its id, language, function or version");
        return Err(
            QueryError::wrong("word", what).right(say!(near, "python or java is such a word"))
        );
    }
    Ok(lines)
}
