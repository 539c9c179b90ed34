//! The picture as a PNG file: the shapes that the pen wrote as SVG, filled and stroked by tiny-skia.

use std::collections::HashMap;

use tiny_skia::{
    BlendMode, Color, FillRule, LineCap, LineJoin, Mask, MaskType, Paint, Path, PathBuilder,
    Pixmap, PixmapPaint, Stroke, StrokeDash, Transform,
};

use super::drawing::Drawing;
use super::error::FigureError;

/// The most pixels that [`Drawing::png`] makes: 2^27, half a gigabyte of memory.
const PIXEL_LIMIT: u64 = 1 << 27;

impl Drawing {
    /// The picture as the bytes of a PNG file, `scale` times as large (2 suits most screens). Time
    /// and memory grow with the number of pixels. How far the bytes are the same on every machine:
    /// see [the crate's page](crate#the-same-bytes-on-every-machine).
    ///
    /// # Errors
    /// [`FigureError::TooLarge`] above 2^27 pixels; [`FigureError::Backend`] if there are none.
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
            paths: HashMap::new(),
            groups: vec![Group {
                transform: Transform::from_scale(scale, scale),
                fill: None,
                clip: None,
            }],
            layers: vec![pixels],
        };
        let mut clip = None;
        // The pen escapes `<` and `>` in texts.
        let tags = self.svg().split('<').filter_map(|tag| tag.split_once('>'));
        for (tag, _) in tags {
            match tag.split(' ').next() {
                Some("path") => {
                    let path = attribute(tag, "d").and_then(path);
                    match (clip.take().or(attribute(tag, "id")), path) {
                        (_, None) => {}
                        (None, Some(path)) => raster.path(tag, &path),
                        (Some(id), Some(path)) => {
                            raster.paths.insert(id, path);
                        }
                    }
                }
                Some("clipPath") => clip = attribute(tag, "id"),
                Some("use") => raster.letter(tag),
                Some("g") => raster.begin(tag),
                Some("/g") => raster.end(),
                _ => {}
            }
        }
        (raster.layers[0].encode_png()).map_err(|e| FigureError::Backend(e.to_string()))
    }
}

/// A picture that is being drawn.
struct Raster<'a> {
    /// What has a name: outlines of letters, and clips.
    paths: HashMap<&'a str, Path>,
    /// The groups that are open.
    groups: Vec<Group<'a>>,
    /// The picture, and over it what the open groups with a clip have drawn.
    layers: Vec<Pixmap>,
}

#[derive(Clone, Copy)]
struct Group<'a> {
    transform: Transform,
    /// The colour of its letters.
    fill: Option<Color>,
    clip: Option<&'a str>,
}

impl<'a> Raster<'a> {
    fn group(&self) -> Group<'a> {
        *self.groups.last().expect("the picture is a group")
    }

    fn top(&mut self) -> &mut Pixmap {
        self.layers.last_mut().expect("the picture is a layer")
    }

    fn begin(&mut self, tag: &'a str) {
        let outer = self.group();
        let clip = attribute(tag, "clip-path");
        let clip = clip.map(|url| url.trim_start_matches("url(#").trim_end_matches(')'));
        let moved = attribute(tag, "transform").map_or(Transform::identity(), transform);
        self.groups.push(Group {
            transform: outer.transform.pre_concat(moved),
            fill: color(tag, "fill"),
            clip,
        });
        if clip.is_some() {
            self.layer();
        }
    }

    fn end(&mut self) {
        let Some(Group {
            transform, clip, ..
        }) = self.groups.pop()
        else {
            return;
        };
        if let Some(path) = clip.and_then(|id| self.paths.get(id)) {
            let mut outside = self.layers[0].clone();
            outside.fill(Color::BLACK);
            let clear = Paint {
                blend_mode: BlendMode::Clear,
                ..Paint::default()
            };
            outside.fill_path(path, &clear, FillRule::Winding, transform, None);
            let mut mask = Mask::from_pixmap(outside.as_ref(), MaskType::Alpha);
            mask.invert();
            self.top().apply_mask(&mask);
            self.merge(1.0);
        }
    }

    /// A new layer.
    fn layer(&mut self) {
        let mut empty = self.layers[0].clone();
        empty.fill(Color::TRANSPARENT);
        self.layers.push(empty);
    }

    /// Draws the last layer on the one below.
    fn merge(&mut self, opacity: f32) {
        let layer = self.layers.pop().expect("a layer was begun");
        let paint = PixmapPaint {
            opacity,
            ..PixmapPaint::default()
        };
        let place = Transform::identity();
        (self.top()).draw_pixmap(0, 0, layer.as_ref(), &paint, place, None);
    }

    fn path(&mut self, tag: &str, path: &Path) {
        let opacity = attribute(tag, "opacity").map(number);
        if opacity.is_some() {
            self.layer();
        }
        let transform = self.group().transform;
        let mut paint = Paint {
            anti_alias: attribute(tag, "shape-rendering").is_none(),
            ..Paint::default()
        };
        if let Some(color) = color(tag, "fill") {
            paint.set_color(color);
            (self.top()).fill_path(path, &paint, FillRule::Winding, transform, None);
        }
        if let Some(color) = color(tag, "stroke") {
            paint.set_color(color);
            let dash = attribute(tag, "stroke-dasharray").map(|dash| numbers(dash, ' '));
            let stroke = Stroke {
                width: attribute(tag, "stroke-width").map_or(1.0, number) as f32,
                line_cap: match attribute(tag, "stroke-linecap") {
                    Some(_) => LineCap::Round,
                    None => LineCap::Butt,
                },
                line_join: LineJoin::Round,
                dash: dash.and_then(|dash| {
                    StrokeDash::new(dash.into_iter().map(|length| length as f32).collect(), 0.0)
                }),
                ..Stroke::default()
            };
            (self.top()).stroke_path(path, &paint, &stroke, transform, None);
        }
        if let Some(opacity) = opacity {
            self.merge(opacity as f32);
        }
    }

    /// A letter: an outline at its place in the line.
    fn letter(&mut self, tag: &str) {
        let Group {
            transform, fill, ..
        } = self.group();
        let outline = attribute(tag, "href").and_then(|id| self.paths.get(&id[1..]));
        if let (Some(outline), Some(fill), Some(layer)) = (outline, fill, self.layers.last_mut()) {
            let x = attribute(tag, "x").map_or(0.0, number) as f32;
            let transform = transform.pre_concat(Transform::from_translate(x, 0.0));
            let mut paint = Paint::default();
            paint.set_color(fill);
            layer.fill_path(outline, &paint, FillRule::Winding, transform, None);
        }
    }
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let is_it =
        |at: &usize| tag[..*at].ends_with(' ') && tag[*at + name.len()..].starts_with("=\"");
    let at = tag.match_indices(name).map(|(at, _)| at).find(is_it)?;
    tag[at + name.len() + 2..].split('"').next()
}

fn number(text: &str) -> f64 {
    text.parse().expect("the pen writes numbers")
}

fn numbers(text: &str, between: char) -> Vec<f64> {
    text.split(between)
        .filter(|text| !text.is_empty())
        .map(number)
        .collect()
}

/// A colour of six hexadecimal digits; none for `none`.
fn color(tag: &str, name: &str) -> Option<Color> {
    let digits = attribute(tag, name)?.strip_prefix('#')?;
    let [_, r, g, b] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some(Color::from_rgba8(r, g, b, u8::MAX))
}

/// A move, then perhaps a turn, then a scale.
fn transform(text: &str) -> Transform {
    let (mut place, mut angle, mut scale) = (vec![0.0, 0.0], 0.0, vec![1.0]);
    for (name, values) in text.split(')').filter_map(|part| part.split_once('(')) {
        let values = numbers(values, ' ');
        match name {
            "translate" => place = values,
            "rotate" => angle = values[0],
            _ => scale = values,
        }
    }
    let (sx, sy) = (scale[0], scale[scale.len() - 1]);
    let (sin, cos) = libm::sincos(angle.to_radians());
    let row = [cos * sx, sin * sx, -sin * sy, cos * sy, place[0], place[1]];
    let [sx, ky, kx, sy, tx, ty] = row.map(|value| value as f32);
    Transform::from_row(sx, ky, kx, sy, tx, ty)
}

/// Path data of the commands that the pen and the outlines of letters have.
fn path(data: &str) -> Option<Path> {
    /// Where the control points of a quarter of a circle lie.
    const QUARTER: f64 = 0.552_284_749_830_793_6;
    let mut builder = PathBuilder::new();
    let (mut x, mut y, mut start) = (0.0, 0.0, (0.0, 0.0));
    let commands = data.match_indices(|c: char| c.is_ascii_alphabetic());
    for (at, command) in commands {
        let values = data[at + 1..]
            .split(|c: char| c.is_ascii_alphabetic())
            .next();
        let values = numbers(&values.unwrap_or_default().replace('-', " -"), ' ');
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
                // Half a circle, up or down, clockwise.
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
