//! The drawing backend for the library plotters. It passes what plotters draws to the
//! [`super::pen`].
//!
//! plotters places everything on a grid of whole numbers. One unit of its grid is a tenth of a
//! pixel here, so that curves keep their shape; the canvas divides by [`UNIT`] before it calls the
//! pen. The canvas adds two things that plotters cannot express: dashes, and letters drawn as
//! outlines, which [`super::glyphs`] measures and draws.

use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};

use super::glyphs;
use super::pen::{Anchor, Ink, Pen, TextStyle, VerticalAnchor};
use super::style::{Dash, Rgb};

/// The number of units of plotters' grid in one pixel.
pub(super) const UNIT: f64 = 10.0;

/// Converts a length from pixels to units of plotters' grid.
pub(super) fn units(pixels: f64) -> u32 {
    (pixels * UNIT).round() as u32
}

/// A drawing backend: plotters draws a picture of this size in pixels with this pen.
pub(super) struct Canvas<'a> {
    pub pen: &'a mut Pen,
    pub size: (f64, f64),
    /// The dash pattern of lines.
    pub dash: Dash,
}

type DrawResult = Result<(), DrawingErrorKind<Infallible>>;

/// Converts a position from plotters' grid to pixels.
fn to_pixels((x, y): BackendCoord) -> (f64, f64) {
    (f64::from(x) / UNIT, f64::from(y) / UNIT)
}

fn rgb(color: BackendColor) -> Rgb {
    let (red, green, blue) = color.rgb;
    Rgb(red, green, blue)
}

/// Returns the ink for the outline or the area of a shape in this style; `None` if it is invisible.
fn ink(style: &impl BackendStyle, fill: bool) -> Option<Ink> {
    let color = style.color();
    let ink = if fill {
        Ink::fill(rgb(color))
    } else {
        Ink::stroke(rgb(color), f64::from(style.stroke_width()) / UNIT)
    };
    (color.alpha > 0.0).then_some(Ink {
        opacity: color.alpha,
        ..ink
    })
}

impl Canvas<'_> {
    fn line(&mut self, style: &impl BackendStyle, points: &[(f64, f64)]) {
        if let Some(ink) = ink(style, false) {
            self.pen.line(&ink.dashed(self.dash), points);
        }
    }
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (units(self.size.0), units(self.size.1))
    }

    fn ensure_prepared(&mut self) -> DrawResult {
        Ok(())
    }

    fn present(&mut self) -> DrawResult {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> DrawResult {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> DrawResult {
        self.line(style, &[to_pixels(from), to_pixels(to)]);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> DrawResult {
        let points: Vec<_> = path.into_iter().map(to_pixels).collect();
        self.line(style, &points);
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> DrawResult {
        if let Some(ink) = ink(style, fill) {
            let ((x0, y0), (x1, y1)) = (to_pixels(upper_left), to_pixels(bottom_right));
            self.pen.rect(&ink, x0, y0, x1 - x0, y1 - y0);
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> DrawResult {
        if let Some(ink) = ink(style, true) {
            let corners: Vec<_> = corners.into_iter().map(to_pixels).collect();
            self.pen.polygon(&ink, &corners);
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> DrawResult {
        let (center, radius) = (to_pixels(center), f64::from(radius) / UNIT);
        match ink(style, fill) {
            Some(ink) if fill => {
                self.pen
                    .dot(rgb(style.color()), ink.opacity, center, radius);
            }
            Some(ink) => self.pen.pill(&ink, center, radius, radius),
            None => {}
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> DrawResult {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        let anchor = style.anchor();
        let set = TextStyle {
            size: style.size() / UNIT,
            color: rgb(style.color()),
            anchor: match anchor.h_pos {
                HPos::Left => Anchor::Start,
                HPos::Center => Anchor::Middle,
                HPos::Right => Anchor::End,
            },
            level: match anchor.v_pos {
                VPos::Top => VerticalAnchor::Top,
                VPos::Center => VerticalAnchor::Middle,
                VPos::Bottom => VerticalAnchor::Bottom,
            },
            angle: match style.transform() {
                FontTransform::None => 0.0,
                FontTransform::Rotate90 => 90.0,
                FontTransform::Rotate180 => 180.0,
                FontTransform::Rotate270 => 270.0,
            },
        };
        self.pen.text(&set, to_pixels(at), text.trim());
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let size = style.size() / UNIT;
        Ok((units(glyphs::width(text, size)), units(size)))
    }
}
