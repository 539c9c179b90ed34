//! Draws a flow chart as a picture.

use super::{FlowChart, FlowChartRound, shorten};
use crate::drawing::Drawing;
use crate::error::FigureError;
use crate::glyphs;
use crate::pen::{Ink, Pen, TextStyle, VerticalAnchor};
use crate::style::{self, Hue};

const RADIUS: f64 = 24.0;
const ROUND_HEIGHT: f64 = 118.0;
const TEXT: f64 = 14.0;
/// The size of notes at arrows.
const NOTE_TEXT_SIZE: f64 = 12.0;
/// Half the height of a test.
const HALF_HEIGHT: f64 = 28.0;
/// A chart with more rounds than this is folded into columns.
const MAX_ROWS: usize = 10;
/// The largest width and height of a folded chart, in pixels.
const PAGE: (f64, f64) = (2000.0, 1400.0);

fn line() -> Ink {
    Ink::stroke(style::INK, 1.6)
}

fn loop_line() -> Ink {
    Ink::stroke(Hue::Vermillion.rgb(), 2.4)
}

fn text() -> TextStyle {
    TextStyle::centred(TEXT)
}

fn loop_text() -> TextStyle {
    text().color(Hue::Vermillion.rgb().mix(style::INK, 0.35))
}

fn centred_note() -> TextStyle {
    TextStyle::centred(NOTE_TEXT_SIZE).color(style::SOFT)
}

fn note() -> TextStyle {
    TextStyle::start(NOTE_TEXT_SIZE).color(style::SOFT)
}

/// Half the width of a state whose text is this wide.
fn half_pill(text_width: f64) -> f64 {
    (text_width / 2.0 + 11.0).max(RADIUS)
}

/// Half the width of a state with this number.
fn half_state(number: &str) -> f64 {
    half_pill(glyphs::width(&shorten(number), TEXT))
}

/// The measures of the columns in which the rounds of a chart are drawn.
struct ChartColumns {
    /// Half the width of the widest state before a round.
    half_before: f64,
    /// Half the width of a test.
    half_test: f64,
    /// In the first column: the centres of the states before and after the rolls, of the test and
    /// of the outcome.
    centres: [f64; 4],
    width: f64,
    rows: usize,
    count: usize,
}

impl ChartColumns {
    fn new(chart: &FlowChart) -> ChartColumns {
        let wide = |f: &dyn Fn(&FlowChartRound) -> String| {
            (chart.rounds.iter())
                .map(|r| glyphs::width(&f(r), TEXT))
                .fold(0.0, f64::max)
        };
        let half_before = half_pill(wide(&|r| shorten(&r.before)).max(glyphs::width("1", TEXT)));
        let half_after = half_pill(wide(&|r| shorten(&r.after)));
        let each = glyphs::width(chart.effect_of_roll(), NOTE_TEXT_SIZE);
        let arrow = wide(&|r| chart.rolls(r)).max(each) + 40.0;
        // The test is wide enough that its text does not touch the slanted sides.
        let half_test = ((wide(&|r| chart.test(r)) / 2.0 + 8.0) / 0.74).max(40.0);
        let cycle_space = if chart.cycle.is_some() { 44.0 } else { 0.0 };
        let end = wide(&|r| chart.result(r).unwrap_or_default()).max(43.0);
        let before = style::MARGIN + 12.0 + cycle_space + half_before;
        let after = before + half_before + arrow + half_after;
        let test = after + half_after + 40.0 + half_test;
        let outcome = test + half_test + 58.0 + 15.0;
        let width = outcome + 15.0 + 19.0 + end + style::MARGIN;
        let (rows, count) = chart.count_rows_and_columns(width);
        ChartColumns {
            half_before,
            half_test,
            centres: [before, after, test, outcome],
            width,
            rows,
            count,
        }
    }
}

/// A flow chart that is being drawn.
struct Picture<'a> {
    chart: &'a FlowChart,
    columns: ChartColumns,
    /// The y of the first row.
    top: f64,
    pen: Pen,
}

impl FlowChart {
    /// Draws the flow chart. Each round adds 118 pixels to its height. More than ten rounds are
    /// folded into columns, from left to right, on at most 2000 by 1400 pixels.
    ///
    /// # Errors
    /// [`FigureError::Mismatch`] if the cycle returns to a round that does not exist.
    pub fn draw(&self) -> Result<Drawing, FigureError> {
        self.check()?;
        let columns = ChartColumns::new(self);
        let wide = columns.width * columns.count as f64;
        let high = ROUND_HEIGHT * columns.rows as f64 + RADIUS;
        let folded = columns.count > 1;
        let scale = (PAGE.0 / wide).min(PAGE.1 / high);
        let scale = if folded { scale.min(1.0) } else { 1.0 };
        let width = (wide * scale)
            .max(glyphs::width(&self.title(), style::TITLE_SIZE) + 2.0 * style::MARGIN);
        let mut pen = Pen::default();
        let top = self.draw_head(&mut pen, width) + 40.0 + RADIUS;
        if folded {
            pen.transform((0.0, top * (1.0 - scale)), (scale, scale));
        }
        let mut picture = Picture {
            chart: self,
            columns,
            top,
            pen,
        };
        picture.draw_start();
        for i in 0..self.rounds.len() {
            picture.draw_round(i);
        }
        let last = picture.round_y(picture.columns.rows - 1);
        let tail = match self.cycle {
            Some(_) => HALF_HEIGHT + 18.0 + 12.0,
            None => HALF_HEIGHT,
        };
        let mut pen = picture.pen;
        if folded {
            pen.end();
        }
        let bottom = top + (last + tail - top) * scale;
        Ok(pen.finish(width, bottom + style::MARGIN, &self.title()))
    }

    /// Draws the title and the instructions of a picture of this width; returns their height.
    fn draw_head(&self, pen: &mut Pen, width: f64) -> f64 {
        pen.title(&self.title(), width);
        let mut height = style::MARGIN + style::TITLE_SIZE * 1.35;
        for line in self.guide.iter().flat_map(|guide| &guide.lines) {
            let set = TextStyle::start(13.0).level(VerticalAnchor::Top);
            for line in glyphs::wrap(line, 13.0, width - 2.0 * style::MARGIN) {
                pen.text(&set, (style::MARGIN, height), &line);
                height += 13.0 * 1.4;
            }
        }
        height
    }

    /// Returns the text that says what a roll does to the carried number.
    fn effect_of_roll(&self) -> &str {
        self.guide.as_ref().map_or("", |guide| &guide.roll)
    }

    /// Returns the number of rows in a column and the number of columns of this width, so that the
    /// picture has about the proportions of a page.
    fn count_rows_and_columns(&self, width: f64) -> (usize, usize) {
        let all = self.rounds.len();
        if all <= MAX_ROWS {
            return (all.max(1), 1);
        }
        let rows = (all as f64 * width * PAGE.1 / (ROUND_HEIGHT * PAGE.0))
            .sqrt()
            .ceil() as usize;
        let columns = all.div_ceil(rows.clamp(1, all));
        (all.div_ceil(columns), columns)
    }
}

impl Picture<'_> {
    /// The y of a round.
    fn round_y(&self, i: usize) -> f64 {
        self.top + ROUND_HEIGHT * (i % self.columns.rows) as f64
    }

    /// The x at which the column of a round begins.
    fn shift(&self, i: usize) -> f64 {
        self.columns.width * (i / self.columns.rows) as f64
    }

    /// [`ChartColumns::centres`] in the column of a round.
    fn centres(&self, i: usize) -> [f64; 4] {
        self.columns.centres.map(|x| x + self.shift(i))
    }

    fn draw_state(&mut self, place: (f64, f64), half_width: f64, label: &str) {
        let color = Hue::Blue.rgb();
        let ink = Ink::fill(color.tint(0.12)).outlined(color, 1.8);
        self.pen.pill(&ink, place, RADIUS, half_width);
        self.pen.text(&text(), place, label);
    }

    /// Draws a tick, followed by the outcome.
    fn draw_outcome(&mut self, (x, y): (f64, f64), word: &str) {
        let accept = Hue::Green.rgb();
        self.pen.pill(&Ink::fill(accept), (x, y), 14.0, 14.0);
        let check = Ink {
            round: true,
            ..Ink::stroke(style::WHITE, 3.0)
        };
        let tick = [(x - 6.0, y + 0.5), (x - 1.8, y + 5.0), (x + 6.4, y - 4.8)];
        self.pen.line(&check, &tick);
        let set = TextStyle::start(NOTE_TEXT_SIZE).color(accept.mix(style::INK, 0.35));
        self.pen.text(&set, (x + 20.0, y), word);
    }

    /// Draws the arrow to the first state. If the chart has no rounds, also draws the arrow from
    /// there to the outcome.
    fn draw_start(&mut self) {
        let ([x, .., outcome], y) = (self.columns.centres, self.round_y(0));
        let entry = [(x, y - RADIUS - 26.0), (x, y - RADIUS - 1.0)];
        self.pen.arrow(&line(), &entry);
        self.pen
            .text(&note(), (x + 9.0, y - RADIUS - 17.0), "start");
        if self.chart.rounds.is_empty() {
            let half = self.columns.half_before;
            let way = [(x + half + 2.0, y), (outcome - 16.0, y)];
            self.pen.arrow(&line(), &way);
            let none = format!("no {} at all", self.chart.unit);
            let middle = (x + half + outcome - 16.0) / 2.0;
            self.pen.text(&text(), (middle, y - 12.0), &none);
            self.draw_state((x, y), half, "1");
            self.draw_outcome((outcome, y), "always");
        }
    }

    fn draw_round(&mut self, i: usize) {
        self.draw_rolls(i);
        let next = self.chart.next(i);
        self.draw_test(i, next.is_some());
        if self.columns.count > 1 {
            self.draw_number(i);
        }
        match next {
            Some((label, to)) if to == i + 1 => self.draw_next(i, &label),
            Some((label, to)) if self.columns.count > 1 => self.draw_named_return(i, &label, to),
            Some((label, to)) => self.draw_return(i, &label, to),
            None => {}
        }
    }

    /// Draws the states before and after the rolls of a round, and the arrow between them.
    fn draw_rolls(&mut self, i: usize) {
        let (round, y, [before, after, ..]) =
            (&self.chart.rounds[i], self.round_y(i), self.centres(i));
        let [half, half_after] = [half_state(&round.before), half_state(&round.after)];
        let way = [(before + half + 2.0, y), (after - half_after - 2.0, y)];
        self.pen.arrow(&line(), &way);
        let middle = (before + half + after - half_after) / 2.0 - 3.0;
        let (rolls, effect) = (self.chart.rolls(round), self.chart.effect_of_roll());
        self.pen.text(&text(), (middle, y - 12.0), &rolls);
        self.pen.text(&centred_note(), (middle, y + 12.0), effect);
        self.draw_state((before, y), half, &shorten(&round.before));
        self.draw_state((after, y), half_after, &shorten(&round.after));
    }

    /// Draws the test of a round, and its outcome.
    fn draw_test(&mut self, i: usize, may_fail: bool) {
        let round = &self.chart.rounds[i];
        let (y, [_, after, test, outcome]) = (self.round_y(i), self.centres(i));
        let half = self.columns.half_test;
        let way = [
            (after + half_state(&round.after) + 2.0, y),
            (test - half - 1.0, y),
        ];
        self.pen.arrow(&line(), &way);
        let corners = [
            (test - half, y),
            (test, y - HALF_HEIGHT),
            (test + half, y),
            (test, y + HALF_HEIGHT),
        ];
        let color = Hue::Orange.rgb();
        let ink = Ink::fill(color.tint(0.14)).outlined(color, 1.8);
        self.pen.polygon(&ink, &corners);
        self.pen.text(&text(), (test, y), &self.chart.test(round));
        let way = [(test + half + 2.0, y), (outcome - 16.0, y)];
        self.pen.arrow(&line(), &way);
        if may_fail {
            let middle = (test + half + outcome - 16.0) / 2.0 - 3.0;
            self.pen.text(&centred_note(), (middle, y - 10.0), "yes");
            let below = (test + 8.0, y + HALF_HEIGHT + 9.0);
            self.pen.text(&note(), below, "no");
        }
        let word = match self.chart.result(round) {
            Some(result) => result,
            None if may_fail => "accept".to_string(),
            None => "always".to_string(),
        };
        self.draw_outcome((outcome, y), &word);
    }

    /// Draws the number of a round of a folded chart, with an arrow if the cycle returns to this
    /// round.
    fn draw_number(&mut self, i: usize) {
        let (y, [before, ..]) = (self.round_y(i), self.centres(i));
        let left = self.shift(i) + style::MARGIN + 12.0;
        let number = (i + 1).to_string();
        self.pen.text(&note(), (left, y - RADIUS), &number);
        if self.chart.cycle == Some(i) {
            let half = half_state(&self.chart.rounds[i].before);
            let way = [(left, y), (before - half - 1.0, y)];
            self.pen.arrow(&loop_line(), &way);
        }
    }

    /// Returns two points below the test of a round: where the arrow of a rejection leaves the
    /// test, and where it turns.
    fn rejection_arrow_start(&self, i: usize) -> [(f64, f64); 2] {
        let ([_, _, test, _], below) = (self.centres(i), self.round_y(i) + HALF_HEIGHT);
        [(test, below + 1.0), (test, below + 18.0)]
    }

    /// Draws the arrow from a rejection to the next round, which may be in the next column.
    fn draw_next(&mut self, i: usize, label: &str) {
        let [from, corner @ (test, turn)] = self.rejection_arrow_start(i);
        let ([x, ..], row) = (self.centres(i + 1), self.round_y(i + 1));
        let end = (x, row - RADIUS - 1.0);
        let middle = if row < self.round_y(i) {
            let gutter = self.shift(i + 1) - 4.0;
            let over = row - RADIUS - 24.0;
            let way = [(gutter, turn), (gutter, over), (x, over), end];
            self.pen
                .arrow(&line(), &[&[from, corner], &way[..]].concat());
            (test + gutter) / 2.0
        } else {
            self.pen.arrow(&line(), &[from, corner, (x, turn), end]);
            (x + test) / 2.0
        };
        self.pen.label(&text(), (middle, turn), label);
    }

    /// Draws the return of the cycle in a folded chart: a short arrow with the number of the round
    /// to which the cycle returns.
    fn draw_named_return(&mut self, i: usize, label: &str, to: usize) {
        let ([from, corner @ (test, turn)], [x, ..]) =
            (self.rejection_arrow_start(i), self.centres(i));
        self.pen.arrow(&loop_line(), &[from, corner, (x, turn)]);
        let label = format!("{label}, back to {}: cycle", to + 1);
        let middle = ((x + test) / 2.0 + 10.0, turn);
        self.pen.label(&loop_text(), middle, &label);
    }

    /// Draws the arrow of the cycle back to its first round.
    fn draw_return(&mut self, i: usize, label: &str, to: usize) {
        let ([from, corner @ (test, turn)], [x, ..]) =
            (self.rejection_arrow_start(i), self.centres(i));
        let (left, row) = (style::MARGIN + 12.0, self.round_y(to));
        let half = half_state(&self.chart.rounds[to].before);
        let way = [
            from,
            corner,
            (left, turn),
            (left, row),
            (x - half - 1.0, row),
        ];
        self.pen.arrow(&loop_line(), &way);
        let set = loop_text();
        self.pen.label(&set, ((x + test) / 2.0, turn), label);
        if to < i {
            let upwards = TextStyle {
                angle: -90.0,
                ..set
            };
            self.pen
                .label(&upwards, (left, (turn + row) / 2.0), "cycle");
        } else {
            let small = note().color(set.color);
            self.pen.text(&small, (left + 6.0, turn - 11.0), "cycle");
        }
    }
}
