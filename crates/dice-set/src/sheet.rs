//! A recipe with its headline numbers, as text of any width and as Markdown.

use crate::page::RecipeBlock;
use crate::recipe::Recipe;
use flipcost_number::Rational;
use flipcost_question::Sentence;
use std::fmt::{self, Write};

/// The letters of a line of a file.
pub const WIDTH: usize = 80;

/// A recipe to take away.
#[derive(Clone, Debug, PartialEq)]
pub struct RecipeSheet {
    /// What is made of what.
    pub title: String,
    /// What it costs: names and values.
    pub facts: Vec<(String, String)>,
    /// What to do in general.
    pub intro: Vec<String>,
    /// The steps, tables or rules; the first is where it begins.
    pub steps: Vec<RecipeBlock>,
    /// For each step the sides of two dice, if it is a table whose face is read from both: the line
    /// and the column of a picture.
    pub pairs: Vec<Option<[u64; 2]>>,
    /// What is said beside it: which other recipe there is.
    pub notes: Vec<Sentence>,
    /// Is it a simple recipe in place of the cheapest?
    pub is_simple: bool,
    /// The cost of what is printed, and the most rolls, if there is a bound.
    pub cost: Rational,
    pub worst: Option<u64>,
}

const IN_MEMORY: &str = "memory takes every byte";

/// A line folded to a width, what is folded standing under its text.
fn fold(out: &mut String, line: &str, width: usize, indent: usize) {
    let indent = " ".repeat(indent);
    let options = textwrap::Options::new(width).subsequent_indent(&indent);
    writeln!(out, "{}", textwrap::fill(line, options)).expect(IN_MEMORY);
}

/// The columns of a table that stand beside each other in this width, each as wide as the widest
/// cell: the table is printed in so many parts, the first column in each.
fn parts(table: &[Vec<String>], width: usize) -> (usize, usize, usize) {
    let wide = |cells: &[String]| cells.iter().map(|cell| cell.chars().count()).max();
    let first = table
        .iter()
        .filter_map(|row| wide(&row[..1]))
        .max()
        .unwrap_or(0);
    let cell = table
        .iter()
        .filter_map(|row| wide(&row[1..]))
        .max()
        .unwrap_or(0);
    let room = width.saturating_sub(first + 3) / (cell + 1);
    (first, cell, room.max(1))
}

/// What to do in general, then tables and rules.
fn write_steps(text: &mut String, intro: &[String], steps: &[RecipeBlock], width: usize) {
    for line in intro {
        fold(text, line, width, 2);
    }
    let letters = steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
    let mut rules = false;
    for step in steps {
        if step.table.is_empty() {
            if !rules {
                text.push('\n');
            }
            rules = true;
            let line = format!("{:letters$}  {}", step.name, step.text);
            fold(text, &line, width, letters + 2);
            continue;
        }
        text.push('\n');
        fold(text, &format!("{}: {}", step.name, step.text), width, 2);
        let (first, cell, room) = parts(&step.table, width);
        let columns: Vec<usize> = (1..step.table[0].len()).collect();
        for part in columns.chunks(room) {
            for row in &step.table {
                write!(text, "  {:<first$} ", row[0]).expect(IN_MEMORY);
                for &column in part {
                    write!(text, " {:>cell$}", row[column]).expect(IN_MEMORY);
                }
                text.push('\n');
            }
        }
    }
}

/// What a person does, outcomes and faces from 1: sentences, then look-up tables or rules, in lines of 80 letters.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let page = self.page(&|die| format!("d{}", die.sides));
        let mut text = String::new();
        write_steps(&mut text, &page.intro, &page.blocks, WIDTH);
        f.write_str(text.trim_end())
    }
}

impl RecipeSheet {
    /// As text of lines of at most `width` letters, if no single cell is wider. Ends with a line
    /// break.
    pub fn to_text(&self, width: usize) -> String {
        let width = width.max(20);
        let mut text = String::new();
        fold(&mut text, &self.title, width, 2);
        text.push('\n');
        let names = self.facts.iter().map(|(name, _)| name.chars().count());
        let wide = names.max().unwrap_or(0);
        for (name, value) in &self.facts {
            fold(&mut text, &format!("{name:wide$}  {value}"), width, 4);
        }
        if !self.intro.is_empty() {
            text.push('\n');
        }
        write_steps(&mut text, &self.intro, &self.steps, width);
        text
    }

    /// As Markdown. Ends with a line break.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.title);
        for (name, value) in &self.facts {
            writeln!(text, "- {name}: {value}").expect(IN_MEMORY);
        }
        for line in &self.intro {
            write!(text, "\n{line}\n").expect(IN_MEMORY);
        }
        let mut rules = false;
        for step in &self.steps {
            if step.table.is_empty() {
                if !rules {
                    text.push('\n');
                }
                rules = true;
                writeln!(text, "- **{}** {}", step.name, step.text).expect(IN_MEMORY);
                continue;
            }
            write!(text, "\n## {}: {}\n\n", step.name, step.text).expect(IN_MEMORY);
            for (i, row) in step.table.iter().enumerate() {
                writeln!(text, "| {} |", row.join(" | ")).expect(IN_MEMORY);
                if i == 0 {
                    let rule = vec!["---:"; row.len() - 1].join(" | ");
                    writeln!(text, "| --- | {rule} |").expect(IN_MEMORY);
                }
            }
        }
        text
    }
}
