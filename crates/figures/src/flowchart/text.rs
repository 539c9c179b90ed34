//! Renders a flow chart as text, for a terminal.

use super::FlowChart;
use crate::glyphs;

/// The width of the text in letters.
const WIDTH: usize = 80;

impl FlowChart {
    /// Renders the flow chart with box-drawing characters, for a terminal. The text ends with a
    /// line break.
    pub fn to_text(&self) -> String {
        // shortens the numbers of states until the lines fit in the width
        let text = |long: usize| self.render_with_numbers(long);
        let wide = |text: &str| text.lines().any(|line| line.chars().count() > WIDTH);
        let short = (7..=super::MAX_NUMBER_LETTERS)
            .rev()
            .map(text)
            .find(|text| !wide(text));
        short.unwrap_or_else(|| text(7))
    }

    /// Renders the chart with each number of states shortened to at most `long` characters.
    fn render_with_numbers(&self, long: usize) -> String {
        let cells: Vec<[String; 4]> = (self.rounds.iter())
            .map(|round| {
                [
                    format!("({})", glyphs::ellipsize(&round.before, long)),
                    format!("{} ", self.rolls(round)),
                    format!("({}) ", glyphs::ellipsize(&round.after, long)),
                    self.test(round),
                ]
            })
            .collect();
        let [before_width, rolls_width, after_width, test_width] = [0, 1, 2, 3].map(|column| {
            let widths = cells.iter().map(|cells| cells[column].chars().count());
            widths.max().unwrap_or(0)
        });
        let margin = if self.cycle.is_some() { 6 } else { 2 };
        // the arrow to the next round leaves the test at the text column `elbow` and arrives at
        // `first`
        let first = margin + before_width / 2;
        let elbow = margin + before_width + rolls_width + after_width + 8 + test_width / 2;
        let (rolls_width, after_width) = (rolls_width + 2, after_width + 1);

        let mut out = self.render_head();
        let mut in_cycle = false;
        for (i, [before, rolls, after, test]) in cells.iter().enumerate() {
            let returns = self.cycle == Some(i);
            in_cycle |= returns;
            let lead = match (returns, in_cycle) {
                (true, _) => format!("┌{}▶ ", "─".repeat(margin - 3)),
                (_, true) => format!("{:<margin$}", "│"),
                _ => " ".repeat(margin),
            };
            let next = self.next(i);
            let end = match (self.result(&self.rounds[i]), &next) {
                (Some(result), _) => format!(" {result}"),
                (None, Some(_)) => String::new(),
                (None, None) => " always".to_string(),
            };
            out += &format!(
                "{lead}{before:>before_width$} ── {rolls:─<rolls_width$}▶ {after:─<after_width$} {test:<test_width$} ──▶ ✓{end}\n"
            );
            let Some((label, to)) = next else { continue };
            let side = if in_cycle { "│" } else { "" };
            out += &format!("{side:<elbow$}│ {label}\n");
            out += &if to == i + 1 {
                let run = "─".repeat(elbow - first - 1);
                format!("{side:<first$}┌{run}┘\n{side:<first$}▼\n")
            } else {
                format!("└{}┘\n", "─".repeat(elbow - 1))
            };
        }
        out
    }

    /// Returns the instructions, and for a chart without rounds also the outcome.
    fn render_head(&self) -> String {
        let mut out = String::new();
        for line in self.guide.iter().flat_map(|guide| &guide.lines) {
            out += &format!("{}\n", textwrap::fill(line, WIDTH));
        }
        if self.guide.is_some() {
            out.push('\n');
        }
        if self.rounds.is_empty() {
            out += "  (1) ──▶ ✓ always\n";
        }
        out
    }
}
