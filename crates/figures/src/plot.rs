//! Where plotters comes in: it maps data to the page, and draws grid, axes and series, one layer
//! after the other, on the pen's [`Canvas`].

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;

use std::convert::Infallible;

use super::canvas::{Canvas, UNIT, units};
use super::chart::{Axis, Scale, Ticks};
use super::glyphs;
use super::pen::{Level, Pen, Type};
use super::render::FigureError;
use super::style::{self, Dash, Rgb};

/// What a layer draws on.
pub(super) type Context<'a, 'b> = ChartContext<'a, Canvas<'b>, Cartesian2d<Ruler, Ruler>>;

/// What drawing a layer ends with.
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<Infallible>>;

/// An axis with its range and ticks decided, in the coordinate in which it is linear.
#[derive(Clone, Debug)]
pub(super) struct Ruler {
    pub label: String,
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
    /// Place and label.
    pub ticks: Vec<(f64, String)>,
    /// Places between the labelled ones.
    pub minor: Vec<f64>,
}

impl Ruler {
    /// Decides range and ticks. `data` is the range of the data, `snug` whether the axis should end
    /// with the data (x) or at round numbers (y), `room` how many labels there is room for.
    pub fn new(
        axis: &Axis,
        data: (f64, f64),
        snug: bool,
        room: usize,
    ) -> Result<Ruler, FigureError> {
        let given = axis.range.is_some();
        let (low, high) = axis.range.unwrap_or(data);
        let wrong = |why| FigureError::Range {
            axis: axis.label.clone(),
            low,
            high,
            why,
        };
        if !(low.is_finite() && high.is_finite()) {
            return Err(wrong("both ends must be finite numbers"));
        }
        if low > high || (given && low == high) {
            return Err(wrong("it must rise"));
        }
        if axis.scale != Scale::Linear && low <= 0.0 {
            return Err(wrong("a logarithmic axis begins above 0"));
        }
        let (mut low, mut high) = (axis.scale.forward(low), axis.scale.forward(high));
        if !given {
            if high - low < 1e-9 * (1.0 + low.abs()) {
                (low, high) = (low - 0.5, high + 0.5);
            } else if snug && axis.scale == Scale::Linear {
                // Data from 1 on begin near enough to 0 for a labelled origin.
                if low > 0.0 && low < 0.04 * high {
                    low = 0.0;
                }
            } else if axis.scale == Scale::Linear {
                // From zero if that costs little, else with a little air.
                if low > 0.0 && low < 0.35 * high {
                    low = 0.0;
                }
                let air = (high - low) * 0.04;
                high += air;
                if low != 0.0 {
                    low -= air;
                }
            } else if !snug {
                // Logarithmic: a little air on both sides.
                let air = (high - low) * 0.04;
                (low, high) = (low - air, high + air);
            }
        }
        let (ticks, minor) = match &axis.ticks {
            Ticks::At(list) => (
                list.iter()
                    .map(|(v, text)| (axis.scale.forward(*v), text.clone()))
                    .collect(),
                Vec::new(),
            ),
            Ticks::Every(step) => (steps(low, high, *step), Vec::new()),
            Ticks::Auto => match axis.scale {
                Scale::Linear => (steps(low, high, round_step(low, high, room)), Vec::new()),
                Scale::Log2 => log2_ticks(low, high, room),
                Scale::Log10 => log10_ticks(low, high, room),
            },
        };
        let inside = |v: &f64| *v >= low - 1e-9 * (high - low) && *v <= high + 1e-9 * (high - low);
        Ok(Ruler {
            label: axis.label.clone(),
            scale: axis.scale,
            low,
            high,
            ticks: ticks.into_iter().filter(|(v, _)| inside(v)).collect(),
            minor: minor.into_iter().filter(inside).collect(),
        })
    }

    /// The widest tick label.
    pub fn label_width(&self) -> f64 {
        self.ticks
            .iter()
            .map(|(_, t)| glyphs::width(t, style::TICK_SIZE))
            .fold(0.0, f64::max)
    }

    fn text_at(&self, v: f64) -> String {
        let near = |t: &&(f64, String)| (t.0 - v).abs() <= 1e-9 * (self.high - self.low);
        self.ticks
            .iter()
            .find(near)
            .map(|(_, text)| text.clone())
            .unwrap_or_default()
    }
}

impl Ranged for Ruler {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.low) / (self.high - self.low);
        (f64::from(from) + f64::from(to - from) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match hint.weight().allow_light_points() {
            true => self.minor.clone(),
            false => self.ticks.iter().map(|(v, _)| *v).collect(),
        }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Ruler {
    fn format(v: &f64) -> String {
        decimal(*v, 6)
    }

    fn format_ext(&self, v: &f64) -> String {
        self.text_at(*v)
    }
}

/// The least of 1, 2, 5 times a power of ten that gives no more than `room` steps; or the next of
/// these, if it alone meets both ends of the axis.
fn round_step(low: f64, high: f64, room: usize) -> f64 {
    let least = (high - low) / room.max(1) as f64;
    let ten = 10f64.powf(least.log10().floor());
    // A hair of slack, so that an exact step is not missed by rounding.
    let fits = |step: &f64| *step >= least * (1.0 - 1e-9);
    let steps: Vec<f64> = [1.0, 2.0, 5.0, 10.0, 20.0]
        .iter()
        .map(|f| f * ten)
        .filter(fits)
        .collect();
    let whole = |v: f64| (v - v.round()).abs() < 1e-9;
    let meets = |step: &&f64| whole(low / **step) && whole(high / **step);
    *steps
        .iter()
        .take(2)
        .find(meets)
        .or(steps.first())
        .unwrap_or(&ten)
}

fn steps(low: f64, high: f64, step: f64) -> Vec<(f64, String)> {
    if !(step > 0.0 && step.is_finite()) || (high - low) / step > 1000.0 {
        return Vec::new();
    }
    let decimals = (0..12).find(|d| {
        let scaled = step * 10f64.powi(*d);
        (scaled - scaled.round()).abs() < 1e-6 * scaled
    });
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last)
        .map(|i| {
            (
                i as f64 * step,
                decimal(i as f64 * step, decimals.unwrap_or(12) as usize),
            )
        })
        .collect()
}

/// A number as a reader of a chart wants it: a true minus sign, thin spaces in long numbers.
pub(super) fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, part) = text
        .split_once('.')
        .map_or((text.as_str(), None), |(w, p)| (w, Some(p)));
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('−');
    }
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && whole.len() > 4 && (whole.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    if let Some(part) = part {
        out.push('.');
        out.push_str(part);
    }
    out
}

/// Ticks at powers: all in full (1024) if that is short, else all as powers (2⁴⁰).
fn powers(base: u32, exponents: impl Iterator<Item = i32>) -> Vec<(f64, String)> {
    let exponents: Vec<i32> = exponents.collect();
    let short = if base == 2 { -6..=19 } else { -4..=5 };
    let full = exponents.iter().all(|e| short.contains(e));
    exponents
        .iter()
        .map(|e| (f64::from(*e), power(base, *e, full)))
        .collect()
}

fn power(base: u32, exponent: i32, full: bool) -> String {
    let value = f64::from(base).powi(exponent);
    match (full, exponent) {
        (_, 0) => return "1".into(),
        (_, 1) => return base.to_string(),
        (true, 1..) => return decimal(value, 0),
        (true, _) if base == 2 => return format!("1/{}", 2f64.powi(-exponent)),
        (true, _) => return decimal(value, -exponent as usize),
        _ => {}
    }
    let raised: String = exponent
        .to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            d => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][d as usize - '0' as usize],
        })
        .collect();
    format!("{base}{raised}")
}

type TicksAndMinor = (Vec<(f64, String)>, Vec<f64>);

/// Whole exponents, every one or every so many.
fn exponents(low: f64, high: f64, room: usize) -> impl Iterator<Item = i32> {
    let (first, last) = ((low - 1e-9).ceil() as i32, (high + 1e-9).floor() as i32);
    let every = (last - first + 1).div_euclid(room.max(1) as i32 + 1) + 1;
    (first..=last).filter(move |e| e.rem_euclid(every) == 0)
}

fn log2_ticks(low: f64, high: f64, room: usize) -> TicksAndMinor {
    let ticks = powers(2, exponents(low, high, room.max(14)));
    let minor = exponents(low, high, 64).map(f64::from).collect();
    (ticks, minor)
}

fn log10_ticks(low: f64, high: f64, room: usize) -> TicksAndMinor {
    let mut ticks = powers(10, exponents(low, high, room));
    let digits = |few: &'static [i32]| {
        let decades = low.floor() as i32..=high.ceil() as i32;
        decades.flat_map(move |e| few.iter().map(move |d| (e, *d)))
    };
    let place = |(e, d): (i32, i32)| f64::from(e) + f64::from(d).log10();
    if high - low < 2.5 {
        // Few decades: label 2 and 5 too.
        ticks.extend(digits(&[2, 5]).map(|(e, d)| {
            let value = f64::from(d) * 10f64.powi(e);
            (place((e, d)), decimal(value, (-e).max(0) as usize))
        }));
        ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let minor = if high - low < 8.0 {
        digits(&[2, 3, 4, 5, 6, 7, 8, 9]).map(place).collect()
    } else {
        exponents(low, high, 400).map(f64::from).collect()
    };
    (ticks, minor)
}

/// The place of a chart on its page: all in pixels.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
    pub x: Ruler,
    pub y: Ruler,
}

impl Plot {
    /// Where a point (in the linear coordinate) stands on the page.
    pub fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let across = (x - self.x.low) / (self.x.high - self.x.low);
        let up = (y - self.y.low) / (self.y.high - self.y.low);
        (
            self.left + across * (self.right - self.left),
            self.bottom - up * (self.bottom - self.top),
        )
    }

    /// The point of a pair of values in the linear coordinate, if it has one there; what lies far
    /// outside is brought near, where it is clipped.
    pub fn point(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let near = |ruler: &Ruler, v: f64| {
            let v = ruler.scale.forward(v);
            let span = ruler.high - ruler.low;
            (!v.is_nan()).then(|| v.clamp(ruler.low - 9.0 * span, ruler.high + 9.0 * span))
        };
        Some((near(&self.x, x)?, near(&self.y, y)?))
    }

    /// Whether a point in the linear coordinate lies on the plot.
    pub fn holds(&self, (x, y): (f64, f64)) -> bool {
        let on = |r: &Ruler, v: f64| {
            let slack = 1e-9 * (r.high - r.low);
            v >= r.low - slack && v <= r.high + slack
        };
        on(&self.x, x) && on(&self.y, y)
    }

    /// What follows shows on the plot only (a line along an edge in full width), up to [`Pen::end`].
    pub fn clip(&self, pen: &mut Pen) {
        let (w, h) = (self.right - self.left, self.bottom - self.top);
        pen.clip(self.left - 1.0, self.top - 1.0, w + 2.0, h + 2.0);
    }

    /// Has plotters draw one layer.
    pub fn layer<F>(&self, pen: &mut Pen, dash: Dash, draw: F) -> Result<(), FigureError>
    where
        F: for<'a, 'b> FnOnce(&mut Context<'a, 'b>) -> Drawn,
    {
        let size = (self.width, self.height);
        let area = Canvas { pen, size, dash }.into_drawing_area();
        ChartBuilder::on(&area)
            .margin_top(units(self.top))
            .margin_right(units(self.width - self.right))
            .margin_left(units(style::MARGIN))
            .margin_bottom(units(style::MARGIN))
            .x_label_area_size(units(self.height - self.bottom - style::MARGIN))
            .y_label_area_size(units(self.left - style::MARGIN))
            .build_cartesian_2d(self.x.clone(), self.y.clone())
            .and_then(|mut context| draw(&mut context))
            .map_err(|e| FigureError::Backend(e.to_string()))
    }

    /// The grid (lines up from x, across from y, as wanted), the axes, their ticks and labels.
    pub fn axes(&self, pen: &mut Pen, grid: (bool, bool)) -> Result<(), FigureError> {
        self.layer(pen, Dash::Solid, |context| {
            let font = |size: f64| (style::FONT, size * UNIT).into_font();
            let line = |c: Rgb, width: f64| color(c).stroke_width((width * UNIT) as u32);
            let mut mesh = context.configure_mesh();
            if !grid.0 {
                mesh.disable_x_mesh();
            }
            if !grid.1 {
                mesh.disable_y_mesh();
            }
            mesh.light_line_style(line(style::GRID_LIGHT, 0.8))
                .bold_line_style(line(style::GRID, 0.8))
                .axis_style(line(style::AXIS, 1.0))
                .x_label_style(font(style::TICK_SIZE).color(&color_of(style::INK)))
                .y_label_style(font(style::TICK_SIZE).color(&color_of(style::INK)))
                .axis_desc_style(font(style::LABEL_SIZE).color(&color_of(style::INK)))
                .x_desc(self.x.label.as_str())
                .y_desc(self.y.label.as_str())
                .set_all_tick_mark_size((4.0 * UNIT) as i32)
                .draw()
        })
    }
}

/// The title of a picture, in as many lines as it takes, and the height that it needs.
pub(super) fn title(pen: &mut Pen, text: &str, width: f64) -> f64 {
    let set = Type::start(style::TITLE_SIZE).level(Level::Top);
    let mut y = style::MARGIN;
    for line in glyphs::wrap(text, style::TITLE_SIZE, width - 2.0 * style::MARGIN) {
        pen.text(&set, (style::MARGIN, y), &line);
        y += style::TITLE_SIZE * 1.35;
    }
    y
}

/// A colour as plotters has it.
pub(super) fn color_of(c: Rgb) -> RGBColor {
    RGBColor(c.0, c.1, c.2)
}

/// A colour as plotters has it, ready to get a stroke width.
pub(super) fn color(c: Rgb) -> ShapeStyle {
    ShapeStyle::from(&color_of(c))
}
