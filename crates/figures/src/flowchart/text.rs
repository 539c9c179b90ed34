//! Renders a flow chart as text, for a terminal.

use std::fmt::Write as _;

use super::FlowChart;
use crate::glyphs;

/// The width of the text in letters.
const WIDTH: usize = 80;

impl FlowChart {
    /// Renders the flow chart with box-drawing characters, for a terminal. The text ends with a
    /// line break.
    pub fn to_text(&self) -> String {
        // numbers of states are shortened until the lines fit the width
        let text = |long: usize| self.render_with_numbers(long);
        let wide = |text: &str| text.lines().any(|line| line.chars().count() > WIDTH);
        let short = (7..=super::LONG).rev().map(text).find(|text| !wide(text));
        short.unwrap_or_else(|| text(7))
    }

    fn render_with_numbers(&self, long: usize) -> String {
        // the characters: horizontal, vertical, corners (down-right, up-right, up-left), arrows,
        // tick, times
        let [bar, post, opens, closes, turns, right, down, tick, times] =
            ["─", "│", "┌", "└", "┘", "▶", "▼", "✓", "×"];
        let before: Vec<String> = self
            .rounds
            .iter()
            .map(|r| glyphs::ellipsize(&r.before, long))
            .collect();
        let after: Vec<String> = self
            .rounds
            .iter()
            .map(|r| glyphs::ellipsize(&r.after, long))
            .collect();
        let rolls: Vec<String> = self
            .rounds
            .iter()
            .map(|r| format!("{}{times} {}", r.rolls, self.unit))
            .collect();
        let tests: Vec<String> = self.rounds.iter().map(|r| self.test(r)).collect();
        let width = |texts: &[String]| texts.iter().map(|t| t.chars().count()).max().unwrap_or(1);
        let (wide_before, wide_rolls, wide_after) = (width(&before), width(&rolls), width(&after));
        let wide_test = width(&tests);
        let margin = if self.cycle.is_some() { 6 } else { 2 };
        // The columns of the states before a round, and of its test.
        let first = margin + (wide_before + 2) / 2;
        let test_at = margin + wide_before + 2 + wide_rolls + 8 + wide_after + 4;
        let elbow = test_at + wide_test / 2;

        let mut out = String::new();
        for line in self.guide.iter().flat_map(|guide| &guide.lines) {
            writeln!(out, "{}", textwrap::fill(line, WIDTH)).expect("a String takes all");
        }
        if self.guide.is_some() {
            out.push('\n');
        }
        if self.rounds.is_empty() {
            writeln!(out, "  (1) {}{right} {tick} always", bar.repeat(2))
                .expect("a String takes all");
        }
        let mut in_cycle = false;
        for i in 0..self.rounds.len() {
            let returns = self.cycle == Some(i);
            in_cycle |= returns;
            let lead = match (returns, in_cycle) {
                (true, _) => format!("{opens}{}{right} ", bar.repeat(margin - 3)),
                (_, true) => format!("{post}{}", " ".repeat(margin - 1)),
                _ => " ".repeat(margin),
            };
            let fill =
                |text: &str, wide: usize, with: &str| with.repeat(wide - text.chars().count());
            let next = self.next(i);
            let end = match (self.result(&self.rounds[i]), &next) {
                (Some(result), _) => format!(" {result}"),
                (None, Some(_)) => String::new(),
                (None, None) => " always".to_string(),
            };
            writeln!(
                out,
                "{lead}{}({}) {bar}{bar} {} {}{bar}{bar}{right} ({}) {}{bar} {}{} {bar}{bar}{right} {tick}{end}",
                " ".repeat(wide_before - before[i].chars().count()),
                before[i],
                rolls[i],
                fill(&rolls[i], wide_rolls, bar),
                after[i],
                fill(&after[i], wide_after, bar),
                tests[i],
                fill(&tests[i], wide_test, " "),
            )
            .expect("a String takes all");
            let Some((label, to)) = next else { continue };
            let pad = |lead: &str, at: usize| {
                let used = lead.chars().count();
                format!("{lead}{}", " ".repeat(at.saturating_sub(used)))
            };
            let side = if in_cycle { post } else { "" };
            writeln!(out, "{}{post} {label}", pad(side, elbow)).expect("a String takes all");
            if to == i + 1 {
                let run = bar.repeat(elbow - first - 1);
                writeln!(out, "{}{opens}{run}{turns}", pad(side, first))
                    .expect("a String takes all");
                writeln!(out, "{}{down}", pad(side, first)).expect("a String takes all");
            } else {
                writeln!(out, "{closes}{}{turns}", bar.repeat(elbow - 1))
                    .expect("a String takes all");
            }
        }
        out
    }
}
