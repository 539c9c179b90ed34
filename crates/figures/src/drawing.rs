//! The finished picture.

use super::pen::Shape;

/// A finished picture: a list of shapes, whose letters are outlines, so that no reader needs a font.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    pub(super) title: String,
    pub(super) shapes: Vec<Shape>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Drawing {
    /// Width and height in pixels at scale 1.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// The path of what is drawn on.
    pub(super) fn paper(&self) -> String {
        let (width, height) = self.size();
        format!("M0 0h{width}v{height}h-{width}z")
    }
}
