//! A recipe with its most important numbers, as text of any width and as Markdown.

use crate::page::{
    NUMBER_IS_OUTCOME, RecipeBlock, RecipePage, WRITING_TO_MEMORY, wrap_line, write_steps,
};
use flipcost_number::Rational;
use flipcost_question::Sentence;
use std::fmt::Write;

/// A recipe to print or save.
#[derive(Clone, Debug, PartialEq)]
pub struct RecipeSheet {
    /// The title, which names the target and the dice.
    pub title: String,
    /// The most important numbers of the recipe: their names and values.
    pub facts: Vec<(String, String)>,
    /// General instructions.
    pub intro: Vec<String>,
    /// The steps, tables or rules; the recipe begins with the first.
    pub steps: Vec<RecipeBlock>,
    /// For each step that is a table of two dice: the sides of the die for the lines and of the die
    /// for the columns in a picture. `None` for other steps.
    pub pairs: Vec<Option<[u64; 2]>>,
    /// Notes on the recipe, for example that there is another recipe.
    pub notes: Vec<Sentence>,
    /// Whether a proof shows that no rule of any form costs less.
    pub is_proved: bool,
    /// Whether the recipe is a simple recipe and not the cheapest one.
    pub is_simple: bool,
    /// The cost of the printed recipe.
    pub cost: Rational,
    /// The maximum number of rolls; `None` if there is no bound.
    pub worst: Option<u64>,
}

impl RecipePage {
    /// Replaces the faces of the die in the tables by the names of outcomes. Returns false if there
    /// are no tables, or if a name could be mistaken for a place in the tables.
    pub(super) fn name_outcomes(&mut self, names: &[(u64, String)]) -> bool {
        let is_clear = |name: &str| {
            let is_place = name.starts_with(|c: char| c.is_ascii_uppercase())
                && name
                    .chars()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
            name != "again" && !is_place && name.chars().count() <= 16
        };
        let has_tables = self.blocks.iter().all(|block| !block.table.is_empty());
        if self.blocks.is_empty() || !has_tables || !names.iter().all(|(_, name)| is_clear(name)) {
            return false;
        }
        let cells = (self.blocks.iter_mut())
            .flat_map(|block| &mut block.table[1..])
            .flat_map(|row| &mut row[1..]);
        for cell in cells {
            let name = |face: u64| names.iter().find(|(last, _)| face <= *last);
            if let Some((_, name)) = cell.parse().ok().and_then(name) {
                *cell = name.clone();
            }
        }
        if names.iter().any(|(_, name)| name.parse::<i64>().is_err()) {
            let name_ends = NUMBER_IS_OUTCOME.replace("number", "name");
            self.intro[0] = self.intro[0].replace(NUMBER_IS_OUTCOME, &name_ends);
        }
        // The title already names the target. The first sentence must not name the die whose faces
        // were replaced.
        if let Some((_, rest)) = self.intro[0].split_once(", begin") {
            self.intro[0] = format!("Begin{rest}");
        }
        true
    }
}

impl RecipeSheet {
    /// Returns text with lines of at most `width` letters, unless a single cell is wider. The text
    /// ends with a line break.
    pub fn to_text(&self, width: usize) -> String {
        let width = width.max(20);
        let mut text = String::new();
        wrap_line(&mut text, &self.title, width, 2);
        text.push('\n');
        let names = self.facts.iter().map(|(name, _)| name.chars().count());
        let wide = names.max().unwrap_or(0);
        for (name, value) in &self.facts {
            wrap_line(&mut text, &format!("{name:wide$}  {value}"), width, 4);
        }
        if !self.intro.is_empty() {
            text.push('\n');
        }
        write_steps(&mut text, &self.intro, &self.steps, width);
        text
    }

    /// Returns Markdown that ends with a line break.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.title);
        for (name, value) in &self.facts {
            writeln!(text, "- {name}: {value}").expect(WRITING_TO_MEMORY);
        }
        for line in &self.intro {
            write!(text, "\n{line}\n").expect(WRITING_TO_MEMORY);
        }
        let mut rules = false;
        for step in &self.steps {
            if step.table.is_empty() {
                if !rules {
                    text.push('\n');
                }
                rules = true;
                writeln!(text, "- **{}** {}", step.name, step.text).expect(WRITING_TO_MEMORY);
                continue;
            }
            write!(text, "\n## {}: {}\n\n", step.name, step.text).expect(WRITING_TO_MEMORY);
            for (i, row) in step.table.iter().enumerate() {
                writeln!(text, "| {} |", row.join(" | ")).expect(WRITING_TO_MEMORY);
                if i == 0 {
                    let rule = vec!["---:"; row.len() - 1].join(" | ");
                    writeln!(text, "| --- | {rule} |").expect(WRITING_TO_MEMORY);
                }
            }
        }
        text
    }
}
