//! `flipcost list words`: the words of the field, as this program uses them.

use super::Failure;
use flipcost_terminal::screen;

/// The words that flipcost uses, and what they mean
#[derive(clap::Args)]
pub struct ListWordsArgs {
    /// Only the words that hold this text
    #[arg(value_name = "WORD")]
    word: Option<String>,
}

/// Word and meaning of every line of the table.
fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("../../data/glossary.md").lines();
    lines.filter_map(|line| {
        let (word, meaning) = line
            .strip_prefix("| ")?
            .strip_suffix(" |")?
            .split_once(" | ")?;
        (word != "word" && word != "---").then_some((word, meaning))
    })
}

impl ListWordsArgs {
    pub fn run(self) -> Result<(), Failure> {
        let word = self.word.unwrap_or_default().to_lowercase();
        let named = entries().filter(|(name, _)| name.to_lowercase().contains(&word));
        let text: String = named
            .map(|(name, meaning)| format!("{name}: {meaning}\n"))
            .collect();
        if text.is_empty() {
            let all: Vec<&str> = entries().map(|(name, _)| name).collect();
            return Err(Failure::Input(format!(
                "the glossary has no word with \"{word}\": it has {}",
                all.join("; ")
            )));
        }
        Ok(screen::print_text(&text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_help_are_there() {
        for word in ["toll", "entropy bound", "splitting", "eager", "repetend"] {
            assert!(entries().any(|(name, _)| name == word), "{word}");
        }
    }
}
