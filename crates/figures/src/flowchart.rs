//! Flow charts of the fast dice roller: one line for every round.
//!
//! A round begins with v equally likely states, rolls until there are at least n of them, and then
//! tests: below the threshold it accepts, otherwise the threshold is subtracted and the next round
//! begins with what is left. Where a v comes back, the chart closes into a cycle.

use std::fmt::Write as _;

use super::glyphs;
use super::pen::{Ink, Pen, Type};
use super::plot::title;
use super::render::{Drawing, FigureError};
use super::style::{self, Hue};

/// One round: rolls, then one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of equally likely states before the rolls.
    pub before: String,
    /// How many rolls the round takes.
    pub rolls: u64,
    /// The number of states after them.
    pub after: String,
    /// The threshold of the test: accepted below it, subtracted otherwise.
    pub subtract: String,
}

impl Round {
    /// A round from these numbers.
    pub fn new(
        before: impl Into<String>,
        rolls: u64,
        after: impl Into<String>,
        subtract: impl Into<String>,
    ) -> Round {
        Round {
            before: before.into(),
            rolls,
            after: after.into(),
            subtract: subtract.into(),
        }
    }
}

/// The flow chart of one target. Numbers are strings, for they may be long; beyond 14 digits their
/// middle is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowChart {
    /// The number of sides of the target.
    pub target: String,
    /// What one roll of the source is called: `flip` or `roll`.
    pub unit: String,
    /// The rounds in order. None at all for a target of one side.
    pub rounds: Vec<Round>,
    /// The round (counted from 0) to which the last one returns; None if the last test always
    /// accepts, as for powers of two.
    pub cycle: Option<usize>,
}

const RADIUS: f64 = 24.0;
const PITCH: f64 = 118.0;
const TEXT: f64 = 14.0;
/// Numbers longer than this are cut in the middle.
const LONG: usize = 14;

fn short(number: &str) -> String {
    glyphs::ellipsize(number, LONG)
}

impl FlowChart {
    fn check(&self) -> Result<(), FigureError> {
        match self.cycle {
            Some(row) if row >= self.rounds.len() => Err(FigureError::Mismatch(format!(
                "the cycle returns to round {row}, but there are {} rounds (counted from 0)",
                self.rounds.len()
            ))),
            _ => Ok(()),
        }
    }

    fn title(&self) -> String {
        format!(
            "Fast dice roller, n = {}",
            glyphs::ellipsize(&self.target, 40)
        )
    }

    /// What happens when round `i` does not accept: the text of its arrow and the round after it.
    fn next(&self, i: usize) -> Option<(String, usize)> {
        let next = if i + 1 < self.rounds.len() {
            Some(i + 1)
        } else {
            self.cycle
        };
        next.map(|row| (format!("subtract {}", short(&self.rounds[i].subtract)), row))
    }

    /// Draws the flow chart. Its height grows by 118 pixels per round.
    ///
    /// # Errors
    /// [`FigureError::Mismatch`] if the cycle returns to a round that is not there.
    pub fn draw(&self) -> Result<Drawing, FigureError> {
        self.check()?;
        let mut pen = Pen::default();
        let line = Ink::stroke(style::INK, 1.6);
        let loop_color = Hue::Vermillion.rgb();
        let loop_line = Ink::stroke(loop_color, 2.4);
        let accept = Hue::Green.rgb();
        let text = Type::centred(TEXT);
        let note = Type::centred(12.0).color(style::SOFT);

        let wide = |f: &dyn Fn(&Round) -> String| {
            self.rounds
                .iter()
                .map(|r| glyphs::width(&f(r), TEXT))
                .fold(0.0, f64::max)
        };
        let pill = |w: f64| (w / 2.0 + 11.0).max(RADIUS);
        let before = pill(wide(&|r| short(&r.before)).max(glyphs::width("1", TEXT)));
        let after = pill(wide(&|r| short(&r.after)));
        let arrow = wide(&|r| self.rolls(r)) + 40.0;
        // Wide enough that the text keeps clear of the slanted sides.
        let diamond = ((wide(&test) / 2.0 + 8.0) / 0.74).max(40.0);
        let half_high = 28.0;

        let cycle_space = if self.cycle.is_some() { 44.0 } else { 0.0 };
        let head = style::MARGIN + style::TITLE_SIZE * 1.35;
        let x0 = style::MARGIN + 12.0 + cycle_space + before;
        let x1 = x0 + before + arrow + after;
        let x2 = x1 + after + 40.0 + diamond;
        let x3 = x2 + diamond + 58.0 + 15.0;
        let width = (x3 + 15.0 + 62.0 + style::MARGIN)
            .max(glyphs::width(&self.title(), style::TITLE_SIZE) + 2.0 * style::MARGIN);
        title(&mut pen, &self.title(), width);
        let top = head + 40.0 + RADIUS;
        let row = |i: usize| top + PITCH * i as f64;
        let state = |pen: &mut Pen, x: f64, y: f64, half: f64, label: &str| {
            let color = Hue::Blue.rgb();
            pen.pill(
                &Ink::fill(color.tint(0.12)).outlined(color, 1.8),
                (x, y),
                RADIUS,
                half,
            );
            pen.text(&text, (x, y), label);
        };
        let tick = |pen: &mut Pen, y: f64, certain: bool| {
            pen.pill(&Ink::fill(accept), (x3, y), 14.0, 14.0);
            let check = Ink {
                round: true,
                ..Ink::stroke(style::WHITE, 3.0)
            };
            pen.line(
                &check,
                &[
                    (x3 - 6.0, y + 0.5),
                    (x3 - 1.8, y + 5.0),
                    (x3 + 6.4, y - 4.8),
                ],
            );
            let set = Type::start(12.0).color(accept.mix(style::INK, 0.35));
            let word = if certain { "always" } else { "accept" };
            pen.text(&set, (x3 + 20.0, y), word);
        };

        pen.arrow(
            &line,
            &[(x0, row(0) - RADIUS - 26.0), (x0, row(0) - RADIUS - 1.0)],
        );
        pen.text(
            &Type::start(12.0).color(style::SOFT),
            (x0 + 9.0, row(0) - RADIUS - 17.0),
            "start",
        );
        if self.rounds.is_empty() {
            pen.arrow(&line, &[(x0 + before + 2.0, row(0)), (x3 - 16.0, row(0))]);
            let none = format!("no {} at all", self.unit);
            pen.text(
                &text,
                ((x0 + before + x3 - 16.0) / 2.0, row(0) - 12.0),
                &none,
            );
            state(&mut pen, x0, row(0), before, "1");
            tick(&mut pen, row(0), true);
        }
        for (i, round) in self.rounds.iter().enumerate() {
            let y = row(i);
            // Rolls.
            let half = pill(glyphs::width(&short(&round.before), TEXT));
            let half_after = pill(glyphs::width(&short(&round.after), TEXT));
            pen.arrow(&line, &[(x0 + half + 2.0, y), (x1 - half_after - 2.0, y)]);
            let middle = (x0 + half + x1 - half_after) / 2.0;
            pen.text(&text, (middle - 3.0, y - 12.0), &self.rolls(round));
            state(&mut pen, x0, y, half, &short(&round.before));
            state(&mut pen, x1, y, half_after, &short(&round.after));
            // The test.
            pen.arrow(
                &line,
                &[(x1 + half_after + 2.0, y), (x2 - diamond - 1.0, y)],
            );
            let corners = [
                (x2 - diamond, y),
                (x2, y - half_high),
                (x2 + diamond, y),
                (x2, y + half_high),
            ];
            let color = Hue::Orange.rgb();
            pen.polygon(&Ink::fill(color.tint(0.14)).outlined(color, 1.8), &corners);
            pen.text(&text, (x2, y), &test(round));
            pen.arrow(&line, &[(x2 + diamond + 2.0, y), (x3 - 16.0, y)]);
            let next = self.next(i);
            if next.is_some() {
                pen.text(
                    &note,
                    ((x2 + diamond + x3 - 16.0) / 2.0 - 3.0, y - 10.0),
                    "yes",
                );
                pen.text(
                    &Type::start(12.0).color(style::SOFT),
                    (x2 + 8.0, y + half_high + 9.0),
                    "no",
                );
            }
            tick(&mut pen, y, next.is_none());
            // What is left.
            let Some((label, to)) = next else { continue };
            let turn = y + half_high + 18.0;
            let from = (x2, y + half_high + 1.0);
            if to == i + 1 {
                let end = (x0, row(to) - RADIUS - 1.0);
                pen.arrow(&line, &[from, (x2, turn), (x0, turn), end]);
                pen.label(&text, ((x0 + x2) / 2.0, turn), &label);
            } else {
                let left = style::MARGIN + 12.0;
                let half = pill(glyphs::width(&short(&self.rounds[to].before), TEXT));
                let end = (x0 - half - 1.0, row(to));
                pen.arrow(
                    &loop_line,
                    &[from, (x2, turn), (left, turn), (left, row(to)), end],
                );
                let set = text.color(loop_color.mix(style::INK, 0.35));
                pen.label(&set, ((x0 + x2) / 2.0, turn), &label);
                if to < i {
                    let middle = (turn + row(to)) / 2.0;
                    pen.label(
                        &Type {
                            angle: -90.0,
                            ..set
                        },
                        (left, middle),
                        "cycle",
                    );
                } else {
                    let small = Type {
                        color: set.color,
                        ..Type::start(12.0)
                    };
                    pen.text(&small, (left + 6.0, turn - 11.0), "cycle");
                }
            }
        }
        let last = row(self.rounds.len().max(1) - 1);
        let tail = if self.cycle.is_some() {
            half_high + 18.0 + 12.0
        } else {
            half_high
        };
        Ok(pen.finish(width, last + tail + style::MARGIN, &self.title()))
    }

    /// `3× flip`.
    fn rolls(&self, round: &Round) -> String {
        format!("{}× {}", round.rolls, self.unit)
    }

    /// The flow chart as text of box-drawing characters, for a terminal. Ends with a line break.
    pub fn to_text(&self) -> String {
        self.text(true)
    }

    /// The flow chart as text of ASCII characters alone. Ends with a line break.
    pub fn to_ascii(&self) -> String {
        self.text(false)
    }

    fn text(&self, boxes: bool) -> String {
        // Horizontal, vertical, corners (down-right, up-right, up-left), arrows, tick, times.
        let [bar, post, opens, closes, turns, right, down, tick, times] = match boxes {
            true => ["─", "│", "┌", "└", "┘", "▶", "▼", "✓", "×"],
            false => ["-", "|", "+", "+", "+", ">", "v", "ok", "x"],
        };
        let ascii = |text: String| {
            if boxes {
                text
            } else {
                text.replace('…', "...")
            }
        };
        let before: Vec<String> = self
            .rounds
            .iter()
            .map(|r| ascii(short(&r.before)))
            .collect();
        let after: Vec<String> = self.rounds.iter().map(|r| ascii(short(&r.after))).collect();
        let rolls: Vec<String> = self
            .rounds
            .iter()
            .map(|r| format!("{}{times} {}", r.rolls, self.unit))
            .collect();
        let tests: Vec<String> = self
            .rounds
            .iter()
            .map(|r| ascii(format!("< {}?", short(&r.subtract))))
            .collect();
        let width = |texts: &[String]| texts.iter().map(|t| t.chars().count()).max().unwrap_or(1);
        let (wide_before, wide_rolls, wide_after) = (width(&before), width(&rolls), width(&after));
        let wide_test = width(&tests);
        let margin = if self.cycle.is_some() { 6 } else { 2 };
        // Columns: where the states before a round stand, and where its test stands.
        let first = margin + (wide_before + 2) / 2;
        let test_at = margin + wide_before + 2 + wide_rolls + 8 + wide_after + 4;
        let elbow = test_at + wide_test / 2;

        let mut out = String::new();
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
            let end = if next.is_some() { "" } else { " always" };
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
            let label = ascii(label);
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

    /// The flow chart in the DOT language of Graphviz, numbers in full. Ends with a line break.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph flowchart {\n");
        let mut add = |line: String| {
            dot.push_str("  ");
            dot.push_str(&line);
            dot.push('\n');
        };
        add(format!(
            "label={};",
            quote(&format!("Fast dice roller, n = {}", self.target))
        ));
        add("labelloc=t;".into());
        add("rankdir=LR;".into());
        add("node [fontname=\"DejaVu Sans\"];".into());
        add("edge [fontname=\"DejaVu Sans\"];".into());
        if self.rounds.is_empty() {
            add("before0 [shape=circle, label=\"1\"];".into());
            add("accept0 [shape=plaintext, label=\"✓\"];".into());
            add("before0 -> accept0 [label=\"always\"];".into());
        }
        for (i, round) in self.rounds.iter().enumerate() {
            add(format!(
                "before{i} [shape=circle, label={}];",
                quote(&round.before)
            ));
            add(format!(
                "after{i} [shape=circle, label={}];",
                quote(&round.after)
            ));
            add(format!(
                "test{i} [shape=diamond, label={}];",
                quote(&format!("< {}?", round.subtract))
            ));
            add(format!("accept{i} [shape=plaintext, label=\"✓\"];"));
            add(format!(
                "before{i} -> after{i} [label={}];",
                quote(&self.rolls(round))
            ));
            add(format!("after{i} -> test{i};"));
            let next = self.next(i);
            let word = if next.is_some() { "yes" } else { "always" };
            add(format!("test{i} -> accept{i} [label=\"{word}\"];"));
            if let Some((_, to)) = next {
                let style = if to == i + 1 {
                    ""
                } else {
                    ", color=\"#d55e00\", penwidth=2"
                };
                let label = quote(&format!("subtract {}", round.subtract));
                add(format!(
                    "test{i} -> before{to} [label={label}, constraint=false{style}];"
                ));
            }
        }
        // One line per round: the first states in a column, held in order by unseen edges.
        if self.rounds.len() > 1 {
            let column: Vec<String> = (0..self.rounds.len())
                .map(|i| format!("before{i}"))
                .collect();
            add(format!(
                "{{ rank=same; {} [style=invis]; }}",
                column.join(" -> ")
            ));
        }
        dot.push_str("}\n");
        dot
    }
}

/// `< 6?`.
fn test(round: &Round) -> String {
    format!("< {}?", short(&round.subtract))
}

/// A string as DOT writes it.
pub(super) fn quote(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    )
}
