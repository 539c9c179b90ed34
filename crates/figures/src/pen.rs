//! A pen that collects the shapes of a [`Drawing`].
//!
//! Neighbouring shapes with the same look become one path, and coordinates are rounded to
//! hundredths of a pixel. This keeps a chart with thousands of points small.

use std::fmt::Write as _;

use super::drawing::Drawing;
pub(super) use super::drawing::{Ink, Shape, TextLine};
use super::glyphs;
use super::style::{INK, MARGIN, Rgb, TITLE_SIZE, WHITE};

/// The part of a text that is placed at the given x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The part of a text that is placed at the given y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VerticalAnchor {
    Top,
    Middle,
    Bottom,
}

/// The size, the angle, the colour and the anchor of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextStyle {
    pub size: f64,
    pub color: Rgb,
    pub anchor: Anchor,
    pub level: VerticalAnchor,
    /// The rotation in degrees, clockwise.
    pub angle: f64,
}

impl TextStyle {
    /// Returns the style of text that is centred on its point in both directions.
    pub fn centred(size: f64) -> TextStyle {
        TextStyle {
            size,
            color: INK,
            anchor: Anchor::Middle,
            level: VerticalAnchor::Middle,
            angle: 0.0,
        }
    }

    /// Returns the style of text that starts at its point and is centred vertically.
    pub fn start(size: f64) -> TextStyle {
        TextStyle {
            anchor: Anchor::Start,
            ..TextStyle::centred(size)
        }
    }

    /// Returns the same text style in another colour.
    pub fn color(self, color: Rgb) -> TextStyle {
        TextStyle { color, ..self }
    }

    /// Returns the same text style with another vertical anchor.
    pub fn level(self, level: VerticalAnchor) -> TextStyle {
        TextStyle { level, ..self }
    }
}

/// A number as SVG shows it: with at most two decimals, and with no more characters than needed.
pub(super) struct Num(pub f64);

impl std::fmt::Display for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        let (sign, h) = (
            if hundredths < 0 { "-" } else { "" },
            hundredths.unsigned_abs(),
        );
        match (h / 100, h % 100) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, part) => {
                f.write_str(sign)?;
                if whole > 0 {
                    write!(f, "{whole}")?;
                }
                if part % 10 == 0 {
                    write!(f, ".{}", part / 10)
                } else {
                    write!(f, ".{part:02}")
                }
            }
        }
    }
}

/// Collects the shapes of one picture.
#[derive(Default)]
pub(super) struct Pen {
    shapes: Vec<Shape>,
}

impl Pen {
    /// Adds a shape given as path data. If it has the look of the last shape, the two become one
    /// path.
    pub fn path(&mut self, ink: &Ink, data: &str) {
        match self.shapes.last_mut() {
            Some(Shape::Path(last, all)) if last == ink => all.push_str(data),
            _ => self.shapes.push(Shape::Path(*ink, data.to_owned())),
        }
    }

    /// Draws a line through points.
    pub fn line(&mut self, ink: &Ink, points: &[(f64, f64)]) {
        self.path(ink, &line_data(points));
    }

    /// Draws a closed shape with these corners.
    pub fn polygon(&mut self, ink: &Ink, points: &[(f64, f64)]) {
        self.path(ink, &(line_data(points) + "z"));
    }

    /// Draws a rectangle, given its top left corner.
    pub fn rect(&mut self, ink: &Ink, x: f64, y: f64, w: f64, h: f64) {
        self.path(ink, &rect_data((x, y), (x + w, y + h)));
    }

    /// Draws a circle; if `half_width` is larger than `r`, a pill of height 2r.
    pub fn pill(&mut self, ink: &Ink, (x, y): (f64, f64), r: f64, half_width: f64) {
        let straight = (half_width - r).max(0.0);
        let (r, s) = (Num(r), Num(2.0 * straight));
        let d = Num(2.0 * r.0);
        let back = Num(-2.0 * straight);
        self.path(
            ink,
            &format!(
                "M{} {}h{s}a{r} {r} 0 0 1 0 {d}h{back}a{r} {r} 0 0 1 0 -{d}z",
                Num(x - straight),
                Num(y - r.0),
            ),
        );
    }

    /// Draws a curve from one point down to another; it leaves and arrives vertically.
    pub fn curve(&mut self, ink: &Ink, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) {
        let (a, b, c, d, e) = (Num(x0), Num(y0), Num((y0 + y1) / 2.0), Num(x1), Num(y1));
        self.path(ink, &format!("M{a} {b}C{a} {c} {d} {c} {d} {e}"));
    }

    /// Draws a filled dot; dots with the same look become one path.
    pub fn dot(&mut self, color: Rgb, opacity: f64, (x, y): (f64, f64), r: f64) {
        let ink = Ink {
            round: true,
            opacity,
            ..Ink::stroke(color, 2.0 * r)
        };
        self.path(&ink, &format!("M{} {}h.01", Num(x), Num(y)));
    }

    /// Draws a line that ends in an arrow head.
    pub fn arrow(&mut self, ink: &Ink, points: &[(f64, f64)]) {
        let [.., (x0, y0), (x1, y1)] = points else {
            return;
        };
        let size = 4.0 + 2.6 * ink.width;
        let length = libm::hypot(x1 - x0, y1 - y0).max(1e-9);
        let (dx, dy) = ((x1 - x0) / length, (y1 - y0) / length);
        let base = (x1 - dx * size, y1 - dy * size);
        let mut shaft = points.to_vec();
        if let Some(last) = shaft.last_mut() {
            *last = (x1 - dx * size * 0.7, y1 - dy * size * 0.7);
        }
        self.line(ink, &shaft);
        let w = size * 0.45;
        self.polygon(
            &Ink::fill(ink.stroke.unwrap_or(INK)),
            &[
                (*x1, *y1),
                (base.0 - dy * w, base.1 + dx * w),
                (base.0 + dy * w, base.1 - dx * w),
            ],
        );
    }

    /// Draws one line of text.
    pub fn text(&mut self, set: &TextStyle, (x, y): (f64, f64), text: &str) {
        if text.is_empty() {
            return;
        }
        let shaped = glyphs::shape(text);
        let scale = set.size / glyphs::EM;
        let left = match set.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -f64::from(shaped.width) / 2.0,
            Anchor::End => -f64::from(shaped.width),
        } * scale;
        let down = match set.level {
            VerticalAnchor::Top => 0.76,
            VerticalAnchor::Middle => 0.36,
            VerticalAnchor::Bottom => -0.24,
        } * set.size;
        // computes the position of the first letter, rotated about the anchor point
        let (sin, cos) = libm::sincos(set.angle.to_radians());
        self.shapes.push(Shape::Text(TextLine {
            text: text.to_owned(),
            color: set.color,
            place: (x + left * cos - down * sin, y + left * sin + down * cos),
            angle: set.angle,
            scale,
            shaped,
        }));
    }

    /// Draws the title of a picture of this width, in as many lines as the title needs, and returns
    /// its height.
    pub fn title(&mut self, text: &str, width: f64) -> f64 {
        let set = TextStyle::start(TITLE_SIZE).level(VerticalAnchor::Top);
        let mut y = MARGIN;
        for line in glyphs::wrap(text, TITLE_SIZE, width - 2.0 * MARGIN) {
            self.text(&set, (MARGIN, y), &line);
            y += TITLE_SIZE * 1.35;
        }
        y
    }

    /// Draws one line of text on a patch of background, for labels on lines.
    pub fn label(&mut self, set: &TextStyle, (x, y): (f64, f64), text: &str) {
        let (w, h) = (
            glyphs::width(text, set.size) + set.size * 0.6,
            set.size * 1.3,
        );
        if set.angle == 0.0 {
            self.rect(&Ink::fill(WHITE), x - w / 2.0, y - h / 2.0, w, h);
        } else {
            self.rect(&Ink::fill(WHITE), x - h / 2.0, y - w / 2.0, h, w);
        }
        self.text(set, (x, y), text);
    }

    /// Moves and stretches the shapes that follow, up to [`Pen::end`].
    pub fn transform(&mut self, place: (f64, f64), scale: (f64, f64)) {
        self.shapes.push(Shape::Group { place, scale });
    }

    /// Clips the shapes that follow to this rectangle, up to [`Pen::end`].
    pub fn clip(&mut self, x: f64, y: f64, w: f64, h: f64) {
        let [a, b, c, d] = [x, y, w, h].map(|length| length * 10.0);
        let id = format!("c{a:.0}-{b:.0}-{c:.0}-{d:.0}");
        let [x, y, back, w, h] = [x, y, -w, w, h].map(Num);
        let data = format!("M{x} {y}h{w}v{h}h{back}z");
        self.shapes.push(Shape::Clip { id, data });
    }

    /// Ends the last [`Pen::clip`] or [`Pen::transform`].
    pub fn end(&mut self) {
        self.shapes.push(Shape::End);
    }

    /// Returns the finished picture.
    pub fn finish(self, width: f64, height: f64, title: &str) -> Drawing {
        Drawing {
            title: title.to_owned(),
            shapes: self.shapes,
            width: width.ceil(),
            height: height.ceil(),
        }
    }
}

/// Returns a rectangle between two corners as path data. The coordinates are absolute, so that the
/// common edge of neighbouring rectangles is rounded in the same way and no gap appears.
pub(super) fn rect_data((x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> String {
    let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(Num);
    format!("M{x0} {y0}H{x1}V{y1}H{x0}z")
}

fn line_data(points: &[(f64, f64)]) -> String {
    let mut data = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let lead = if i == 0 { 'M' } else { ' ' };
        write!(data, "{lead}{} {}", Num(*x), Num(*y)).expect("a String takes all");
    }
    data
}
