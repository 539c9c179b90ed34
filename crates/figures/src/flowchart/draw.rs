//! Draws a flow chart as a picture.

use super::{FlowChart, FlowChartRound, shorten};
use crate::drawing::Drawing;
use crate::error::FigureError;
use crate::glyphs;
use crate::pen::{Ink, Pen, TextStyle, VerticalAnchor};
use crate::style::{self, Hue};

const RADIUS: f64 = 24.0;
const PITCH: f64 = 118.0;
const TEXT: f64 = 14.0;
/// A chart with more rounds than this is folded into columns.
const MAX_ROWS: usize = 10;
/// The largest width and height of a folded chart, in pixels.
const PAGE: (f64, f64) = (2000.0, 1400.0);

impl FlowChart {
    /// Draws the flow chart. Each round adds 118 pixels to its height. More than ten rounds are
    /// folded into columns, from left to right, on at most 2000 by 1400 pixels.
    ///
    /// # Errors
    /// [`FigureError::Mismatch`] if the cycle returns to a round that does not exist.
    pub fn draw(&self) -> Result<Drawing, FigureError> {
        self.check()?;
        let mut pen = Pen::default();
        let line = Ink::stroke(style::INK, 1.6);
        let loop_color = Hue::Vermillion.rgb();
        let loop_line = Ink::stroke(loop_color, 2.4);
        let accept = Hue::Green.rgb();
        let text = TextStyle::centred(TEXT);
        let note = TextStyle::centred(12.0).color(style::SOFT);

        let wide = |f: &dyn Fn(&FlowChartRound) -> String| {
            self.rounds
                .iter()
                .map(|r| glyphs::width(&f(r), TEXT))
                .fold(0.0, f64::max)
        };
        let pill = |w: f64| (w / 2.0 + 11.0).max(RADIUS);
        let before = pill(wide(&|r| shorten(&r.before)).max(glyphs::width("1", TEXT)));
        let after = pill(wide(&|r| shorten(&r.after)));
        let each = self.guide.as_ref().map_or("", |guide| &guide.roll);
        let arrow = wide(&|r| self.rolls(r)).max(glyphs::width(each, 12.0)) + 40.0;
        // The diamond is so wide that the text does not touch its slanted sides.
        let diamond = ((wide(&|r| self.test(r)) / 2.0 + 8.0) / 0.74).max(40.0);
        let half_high = 28.0;

        let cycle_space = if self.cycle.is_some() { 44.0 } else { 0.0 };
        let end = match self.guide {
            Some(_) => wide(&|r| self.result(r).unwrap_or_default()).max(43.0),
            None => 43.0,
        };
        let x0 = style::MARGIN + 12.0 + cycle_space + before;
        let x1 = x0 + before + arrow + after;
        let x2 = x1 + after + 40.0 + diamond;
        let x3 = x2 + diamond + 58.0 + 15.0;
        let column = x3 + 15.0 + 19.0 + end + style::MARGIN;
        let (rows, columns) = self.count_rows_and_columns(column);
        let high = PITCH * rows as f64 + RADIUS;
        let scale = (PAGE.0 / (column * columns as f64)).min(PAGE.1 / high);
        let scale = if columns > 1 { scale.min(1.0) } else { 1.0 };
        let width = (column * columns as f64 * scale)
            .max(glyphs::width(&self.title(), style::TITLE_SIZE) + 2.0 * style::MARGIN);
        pen.title(&self.title(), width);
        let mut head = style::MARGIN + style::TITLE_SIZE * 1.35;
        for line in self.guide.iter().flat_map(|guide| &guide.lines) {
            let set = TextStyle::start(13.0).level(VerticalAnchor::Top);
            for line in glyphs::wrap(line, 13.0, width - 2.0 * style::MARGIN) {
                pen.text(&set, (style::MARGIN, head), &line);
                head += 13.0 * 1.4;
            }
        }
        let top = head + 40.0 + RADIUS;
        if columns > 1 {
            pen.transform((0.0, top * (1.0 - scale)), (scale, scale));
        }
        let row = |i: usize| top + PITCH * (i % rows) as f64;
        let shift = |i: usize| column * (i / rows) as f64;
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
        let tick = |pen: &mut Pen, (x3, y): (f64, f64), word: &str| {
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
            let set = TextStyle::start(12.0).color(accept.mix(style::INK, 0.35));
            pen.text(&set, (x3 + 20.0, y), word);
        };

        pen.arrow(
            &line,
            &[(x0, row(0) - RADIUS - 26.0), (x0, row(0) - RADIUS - 1.0)],
        );
        pen.text(
            &TextStyle::start(12.0).color(style::SOFT),
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
            tick(&mut pen, (x3, row(0)), "always");
        }
        let (first0, first1, first2, first3) = (x0, x1, x2, x3);
        for (i, round) in self.rounds.iter().enumerate() {
            let y = row(i);
            let [x0, x1, x2, x3] = [first0, first1, first2, first3].map(|x| x + shift(i));
            // draw the rolls
            let half = pill(glyphs::width(&shorten(&round.before), TEXT));
            let half_after = pill(glyphs::width(&shorten(&round.after), TEXT));
            pen.arrow(&line, &[(x0 + half + 2.0, y), (x1 - half_after - 2.0, y)]);
            let middle = (x0 + half + x1 - half_after) / 2.0;
            pen.text(&text, (middle - 3.0, y - 12.0), &self.rolls(round));
            pen.text(&note, (middle - 3.0, y + 12.0), each);
            state(&mut pen, x0, y, half, &shorten(&round.before));
            state(&mut pen, x1, y, half_after, &shorten(&round.after));
            // draw the test
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
            pen.text(&text, (x2, y), &self.test(round));
            pen.arrow(&line, &[(x2 + diamond + 2.0, y), (x3 - 16.0, y)]);
            let next = self.next(i);
            if next.is_some() {
                pen.text(
                    &note,
                    ((x2 + diamond + x3 - 16.0) / 2.0 - 3.0, y - 10.0),
                    "yes",
                );
                pen.text(
                    &TextStyle::start(12.0).color(style::SOFT),
                    (x2 + 8.0, y + half_high + 9.0),
                    "no",
                );
            }
            let word = match (self.result(round), &next) {
                (Some(result), _) => result,
                (None, None) => "always".to_string(),
                (None, Some(_)) => "accept".to_string(),
            };
            tick(&mut pen, (x3, y), &word);
            if columns > 1 {
                let left = shift(i) + style::MARGIN + 12.0;
                let number = (i + 1).to_string();
                let set = TextStyle::start(12.0).color(style::SOFT);
                pen.text(&set, (left, y - RADIUS), &number);
                if self.cycle == Some(i) {
                    pen.arrow(&loop_line, &[(left, y), (x0 - half - 1.0, y)]);
                }
            }
            // draw what follows if the test fails
            let Some((label, to)) = next else { continue };
            let turn = y + half_high + 18.0;
            let from = (x2, y + half_high + 1.0);
            if to == i + 1 && row(to) < y {
                // go on to the next column
                let (gutter, x) = (shift(to) - 4.0, first0 + shift(to));
                let (over, end) = (row(to) - RADIUS - 24.0, row(to) - RADIUS - 1.0);
                let way = [
                    from,
                    (x2, turn),
                    (gutter, turn),
                    (gutter, over),
                    (x, over),
                    (x, end),
                ];
                pen.arrow(&line, &way);
                pen.label(&text, ((x2 + gutter) / 2.0, turn), &label);
            } else if to != i + 1 && columns > 1 {
                let end = (x0, turn);
                pen.arrow(&loop_line, &[from, (x2, turn), end]);
                let set = text.color(loop_color.mix(style::INK, 0.35));
                let label = format!("{label}, back to {}: cycle", to + 1);
                pen.label(&set, ((x0 + x2) / 2.0 + 10.0, turn), &label);
            } else if to == i + 1 {
                let end = (x0, row(to) - RADIUS - 1.0);
                pen.arrow(&line, &[from, (x2, turn), (x0, turn), end]);
                pen.label(&text, ((x0 + x2) / 2.0, turn), &label);
            } else {
                let left = style::MARGIN + 12.0;
                let half = pill(glyphs::width(&shorten(&self.rounds[to].before), TEXT));
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
                        &TextStyle {
                            angle: -90.0,
                            ..set
                        },
                        (left, middle),
                        "cycle",
                    );
                } else {
                    let small = TextStyle {
                        color: set.color,
                        ..TextStyle::start(12.0)
                    };
                    pen.text(&small, (left + 6.0, turn - 11.0), "cycle");
                }
            }
        }
        let last = match columns {
            1 => row(self.rounds.len().max(1) - 1),
            _ => row(rows - 1),
        };
        let tail = if self.cycle.is_some() {
            half_high + 18.0 + 12.0
        } else {
            half_high
        };
        if columns > 1 {
            pen.end();
        }
        let bottom = top + (last + tail - top) * scale;
        Ok(pen.finish(width, bottom + style::MARGIN, &self.title()))
    }

    /// Returns the number of rows of a column of this width, and the number of columns, so that the
    /// chart is about as wide as high.
    fn count_rows_and_columns(&self, width: f64) -> (usize, usize) {
        let all = self.rounds.len();
        if all <= MAX_ROWS {
            return (all.max(1), 1);
        }
        let rows = (all as f64 * width * PAGE.1 / (PITCH * PAGE.0))
            .sqrt()
            .ceil() as usize;
        let columns = all.div_ceil(rows.clamp(1, all));
        (all.div_ceil(columns), columns)
    }
}
