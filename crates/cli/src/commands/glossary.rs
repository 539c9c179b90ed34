//! `flipcost list words`: the terms of the field, as this program uses them.

use super::Failure;
use super::args::TableArgs;
use flipcost::table::{COLUMNS, Cell};
use flipcost_question::did_you_mean;
use flipcost_terminal::screen;

/// The words that flipcost uses, including the names of columns, and what they mean
#[derive(clap::Args)]
pub struct ListWordsArgs {
    /// List only words that contain all of these parts, or, if no word does, words whose meaning
    /// contains them
    #[arg(value_name = "WORD", num_args = 0..)]
    parts: Vec<String>,
    #[command(flatten)]
    list: TableArgs,
}

/// Iterates over the words with their meanings: the rows of the glossary's table, then the columns.
fn glossary_entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = flipcost_page::file("glossary.md")
        .unwrap_or_default()
        .lines();
    let words = lines.filter_map(|line| {
        let (word, meaning) = line
            .strip_prefix("| ")?
            .strip_suffix(" |")?
            .split_once(" | ")?;
        (word != "word" && word != "---").then_some((word, meaning))
    });
    let columns = COLUMNS.iter().map(|column| (column.name(), column.about()));
    let is_new = |name: &str| !words.clone().any(|(word, _)| word == name);
    words.clone().chain(
        columns
            .filter(move |(name, _)| is_new(name))
            .collect::<Vec<_>>(),
    )
}

/// Normalizes a text for the search: converts it to lower case and hyphens and underscores to
/// blanks.
fn normalize_for_search(text: &str) -> String {
    text.to_lowercase().replace(['-', '_'], " ")
}

impl ListWordsArgs {
    pub fn run(self) -> Result<(), Failure> {
        let word = self.parts.join(" ");
        let parts = normalize_for_search(&word);
        let has_all = |text: &str| {
            let text = normalize_for_search(text);
            parts.split_whitespace().all(|part| text.contains(part))
        };
        let mut found: Vec<_> = glossary_entries()
            .filter(|(name, _)| has_all(name))
            .collect();
        if found.is_empty() {
            found = glossary_entries()
                .filter(|(_, meaning)| has_all(meaning))
                .collect();
        }
        if found.is_empty() {
            let all: Vec<&str> = glossary_entries().map(|(name, _)| name).collect();
            let right = did_you_mean(&word, &all);
            return Err(Failure::Input(format!(
                "the glossary has no word with \"{word}\": {right}"
            )));
        }
        if self.list.is_table() {
            let row = |(name, meaning): &(&str, &str)| {
                [name, meaning]
                    .map(|text| Cell::Text(text.to_string()))
                    .into()
            };
            let rows = found.iter().map(row).collect();
            return self.list.write(&["word", "meaning"], rows);
        }
        let line = |(name, meaning): &(&str, &str)| format!("{name}: {meaning}\n");
        Ok(screen::print_text(
            &found.iter().map(line).collect::<String>(),
        )?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glossary_has_the_words_of_the_help() {
        for word in ["toll", "entropy bound", "splitting", "eager", "repetend"] {
            assert!(glossary_entries().any(|(name, _)| name == word), "{word}");
        }
    }
}
