//! The finished picture.

/// A finished picture: an SVG whose letters are outlines, so that no reader needs a font.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    svg: String,
    width: f64,
    height: f64,
}

impl Drawing {
    pub(super) fn new(svg: String, width: f64, height: f64) -> Drawing {
        Drawing { svg, width, height }
    }

    /// The picture as SVG text. The same description gives the same bytes on every machine.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Width and height in pixels at scale 1.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }
}
