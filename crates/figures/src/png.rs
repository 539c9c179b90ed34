//! Renders a picture as a PNG file; tiny-skia fills and strokes its shapes.

use std::collections::HashMap;

use tiny_skia::{
    BlendMode, Color, FillRule, LineCap, LineJoin, Mask, MaskType, Paint, Path, PathBuilder,
    Pixmap, PixmapPaint, Stroke, StrokeDash, Transform,
};

use super::drawing::Drawing;
use super::error::FigureError;
use super::glyphs;
use super::pen::{Ink, Shape, TextLine};
use super::style::{Rgb, WHITE};

/// The largest number of pixels that [`Drawing::png`] makes: 2^27, half a gigabyte of memory.
const PIXEL_LIMIT: u64 = 1 << 27;

impl Drawing {
    /// Returns the picture as the bytes of a PNG file, enlarged by the factor `scale` (2 suits most
    /// screens). Time and memory grow with the number of pixels. [The crate's
    /// page](crate#the-same-bytes-on-every-machine) says on which machines the bytes are the same.
    ///
    /// # Errors
    /// [`FigureError::TooLarge`] above 2^27 pixels; [`FigureError::Backend`] if the picture has no
    /// pixels.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, FigureError> {
        let (width, height) = self.size();
        let (w, h) = (width * f64::from(scale), height * f64::from(scale));
        if w.ceil() * h.ceil() > PIXEL_LIMIT as f64 {
            return Err(FigureError::TooLarge {
                width: w,
                height: h,
                limit: PIXEL_LIMIT,
            });
        }
        let pixels = Pixmap::new(w.ceil() as u32, h.ceil() as u32)
            .ok_or_else(|| FigureError::Backend(format!("no picture has {w} x {h} pixels")))?;
        let mut raster = Raster {
            letters: HashMap::new(),
            groups: vec![(Transform::from_scale(scale, scale), None)],
            layers: vec![pixels],
        };
        raster.path(&Ink::fill(WHITE), &self.background_path());
        for shape in &self.shapes {
            match shape {
                Shape::Path(ink, data) => raster.path(ink, data),
                Shape::Text(line) => raster.text(line),
                Shape::Group { place, scale } => raster.begin(transform(*place, 0.0, *scale), None),
                Shape::Clip { data, .. } => raster.begin(Transform::identity(), path(data)),
                Shape::End => raster.end(),
            }
        }
        (raster.layers[0].encode_png()).map_err(|e| FigureError::Backend(e.to_string()))
    }
}

/// A picture that is being drawn, as pixels.
struct Raster<'a> {
    /// The outlines of letters.
    letters: HashMap<&'a str, Option<Path>>,
    /// The open groups, each with its transform and the path of its clip.
    groups: Vec<(Transform, Option<Path>)>,
    /// The picture, and above it a layer for each open group that has a clip.
    layers: Vec<Pixmap>,
}

impl<'a> Raster<'a> {
    fn transform(&self) -> Transform {
        self.groups.last().expect("the picture is a group").0
    }

    fn top(&mut self) -> &mut Pixmap {
        self.layers.last_mut().expect("the picture is a layer")
    }

    fn begin(&mut self, moved: Transform, clip: Option<Path>) {
        if clip.is_some() {
            self.layer();
        }
        let transform = self.transform().pre_concat(moved);
        self.groups.push((transform, clip));
    }

    fn end(&mut self) {
        if let Some((transform, Some(path))) = self.groups.pop() {
            let mut outside = self.layers[0].clone();
            outside.fill(Color::BLACK);
            let clear = Paint {
                blend_mode: BlendMode::Clear,
                ..Paint::default()
            };
            outside.fill_path(&path, &clear, FillRule::Winding, transform, None);
            let mut mask = Mask::from_pixmap(outside.as_ref(), MaskType::Alpha);
            mask.invert();
            self.top().apply_mask(&mask);
            self.merge(1.0);
        }
    }

    /// Adds an empty layer.
    fn layer(&mut self) {
        let mut empty = self.layers[0].clone();
        empty.fill(Color::TRANSPARENT);
        self.layers.push(empty);
    }

    /// Draws the last layer on the layer below it.
    fn merge(&mut self, opacity: f32) {
        let layer = self.layers.pop().expect("a layer was begun");
        let paint = PixmapPaint {
            opacity,
            ..PixmapPaint::default()
        };
        let place = Transform::identity();
        (self.top()).draw_pixmap(0, 0, layer.as_ref(), &paint, place, None);
    }

    fn path(&mut self, ink: &Ink, data: &str) {
        let Some(path) = path(data) else {
            return;
        };
        let is_clear = ink.opacity < 1.0;
        if is_clear {
            self.layer();
        }
        let transform = self.transform();
        let mut paint = Paint {
            anti_alias: !ink.crisp,
            ..Paint::default()
        };
        if let Some(fill) = ink.fill {
            paint.set_color(color(fill));
            (self.top()).fill_path(&path, &paint, FillRule::Winding, transform, None);
        }
        if let Some(line) = ink.stroke {
            paint.set_color(color(line));
            let dash = ink.dash.pattern(ink.width);
            let dash = dash
                .iter()
                .map(|length| round_to_hundredths(*length) as f32);
            let stroke = Stroke {
                width: round_to_hundredths(ink.width) as f32,
                line_cap: if ink.round {
                    LineCap::Round
                } else {
                    LineCap::Butt
                },
                line_join: LineJoin::Round,
                dash: StrokeDash::new(dash.collect(), 0.0),
                ..Stroke::default()
            };
            (self.top()).stroke_path(&path, &paint, &stroke, transform, None);
        }
        if is_clear {
            self.merge(round_to_hundredths(ink.opacity) as f32);
        }
    }

    /// Draws the letters of a line: their outlines at their positions.
    fn text(&mut self, line: &'a TextLine) {
        // rounded to six decimals, as in the SVG
        let scale = (line.scale * 1e6).round_ties_even() / 1e6;
        let moved = transform(line.place, round_to_hundredths(line.angle), (scale, scale));
        let place = self.transform().pre_concat(moved);
        let mut paint = Paint::default();
        paint.set_color(color(line.color));
        let layer = self.layers.last_mut().expect("the picture is a layer");
        for (letter, x) in &line.shaped.letters {
            let outline = self.letters.entry(letter);
            let outline = outline.or_insert_with(|| path(&glyphs::outline(letter)));
            if let Some(outline) = outline {
                let place = place.pre_concat(Transform::from_translate(*x as f32, 0.0));
                layer.fill_path(outline, &paint, FillRule::Winding, place, None);
            }
        }
    }
}

/// Rounds a number as the SVG writes it.
fn round_to_hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn color(color: Rgb) -> Color {
    Color::from_rgba8(color.0, color.1, color.2, u8::MAX)
}

fn parse_number(text: &str) -> f64 {
    text.parse().expect("the pen writes numbers")
}

fn parse_numbers(text: &str, between: char) -> Vec<f64> {
    text.split(between)
        .filter(|text| !text.is_empty())
        .map(parse_number)
        .collect()
}

/// Returns the transform that scales, then rotates by an angle in degrees, then moves.
fn transform((x, y): (f64, f64), angle: f64, (sx, sy): (f64, f64)) -> Transform {
    let (sin, cos) = libm::sincos(angle.to_radians());
    let row = [
        cos * sx,
        sin * sx,
        -sin * sy,
        cos * sy,
        round_to_hundredths(x),
        round_to_hundredths(y),
    ];
    let [sx, ky, kx, sy, tx, ty] = row.map(|value| value as f32);
    Transform::from_row(sx, ky, kx, sy, tx, ty)
}

/// Parses path data with the commands that the pen and the outlines of letters use.
fn path(data: &str) -> Option<Path> {
    /// The distance of the control points of a quarter circle from its ends, as a part of the
    /// radius.
    const QUARTER: f64 = 0.552_284_749_830_793_6;
    let mut builder = PathBuilder::new();
    let (mut x, mut y, mut start) = (0.0, 0.0, (0.0, 0.0));
    let commands = data.match_indices(|c: char| c.is_ascii_alphabetic());
    for (at, command) in commands {
        let values = data[at + 1..]
            .split(|c: char| c.is_ascii_alphabetic())
            .next();
        let values = parse_numbers(&values.unwrap_or_default().replace('-', " -"), ' ');
        let size = match command.to_ascii_lowercase().as_str() {
            "h" | "v" => 1,
            "q" => 4,
            "c" => 6,
            "a" => 7,
            "z" => {
                builder.close();
                (x, y) = start;
                continue;
            }
            _ => 2,
        };
        for (i, to) in values.chunks_exact(size).enumerate() {
            let (left, top) = if command.starts_with(|c: char| c.is_lowercase()) {
                (x, y)
            } else {
                (0.0, 0.0)
            };
            let before = (x, y);
            (x, y) = match (size, command) {
                (1, "h" | "H") => (left + to[0], y),
                (1, _) => (x, top + to[0]),
                _ => (left + to[size - 2], top + to[size - 1]),
            };
            let [ax, bx, ay, by] = match size {
                4 => [left + to[0], 0.0, top + to[1], 0.0],
                6 => [left + to[0], left + to[2], top + to[1], top + to[3]],
                _ => [0.0; 4],
            };
            let mut cubic = |points: [f64; 6]| {
                let [ax, ay, bx, by, x, y] = points.map(|value| value as f32);
                builder.cubic_to(ax, ay, bx, by, x, y);
            };
            match size {
                // half a circle, up or down, clockwise
                7 => {
                    let (r, middle) = (
                        if y > before.1 { to[0] } else { -to[0] },
                        before.1 + to[6] / 2.0,
                    );
                    let (k, x0, y0) = (QUARTER * r, before.0, before.1);
                    cubic([x0 + k, y0, x0 + r, middle - k, x0 + r, middle]);
                    cubic([x0 + r, middle + k, x0 + k, y, x, y]);
                }
                6 => cubic([ax, ay, bx, by, x, y]),
                4 => builder.quad_to(ax as f32, ay as f32, x as f32, y as f32),
                2 if i == 0 && command.eq_ignore_ascii_case("m") => {
                    start = (x, y);
                    builder.move_to(x as f32, y as f32);
                }
                _ => builder.line_to(x as f32, y as f32),
            }
        }
    }
    builder.finish()
}
