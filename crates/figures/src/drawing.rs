//! A finished picture, and the shapes that make it up.

use super::glyphs::LaidOutText;
use super::style::{Dash, Rgb};
use std::sync::Arc;

/// A finished picture: a list of shapes. Its letters are outlines, so a program that shows the
/// picture needs no font.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    pub(super) title: String,
    pub(super) shapes: Vec<Shape>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Drawing {
    /// Returns the width and the height in pixels at scale 1.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// Returns the path of the background.
    pub(super) fn background_path(&self) -> String {
        let (width, height) = self.size();
        format!("M0 0h{width}v{height}h-{width}z")
    }
}

/// A shape of a picture, or the beginning or the end of a group of shapes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A path with its look; its data is written as in SVG.
    Path(Ink, String),
    Text(TextLine),
    /// Moves and stretches the shapes that follow, up to the matching end.
    Group {
        place: (f64, f64),
        scale: (f64, f64),
    },
    /// Clips the shapes that follow to this path, up to the matching end.
    Clip {
        /// The name of the path. It is derived from the shape, so that two pictures in one page
        /// never use the same name for different shapes.
        id: String,
        data: String,
    },
    End,
}

/// A line of letters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextLine {
    pub text: String,
    pub color: Rgb,
    /// The position of the first letter.
    pub place: (f64, f64),
    /// The rotation in degrees, clockwise.
    pub angle: f64,
    /// The number of pixels in a font unit.
    pub scale: f64,
    pub shaped: Arc<LaidOutText>,
}

/// The look of a shape: its colours, its line and its edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ink {
    pub fill: Option<Rgb>,
    pub stroke: Option<Rgb>,
    pub width: f64,
    pub dash: Dash,
    pub opacity: f64,
    /// Whether lines have round ends.
    pub round: bool,
    /// Whether edges are drawn on whole pixels, which leaves no gaps between areas that touch each
    /// other.
    pub crisp: bool,
}

impl Ink {
    /// Returns a line.
    pub fn stroke(color: Rgb, width: f64) -> Ink {
        Ink {
            stroke: Some(color),
            width,
            ..Ink::fill(color).hollow()
        }
    }

    /// Returns a filled area without an outline.
    pub fn fill(color: Rgb) -> Ink {
        Ink {
            fill: Some(color),
            stroke: None,
            width: 1.0,
            dash: Dash::Solid,
            opacity: 1.0,
            round: false,
            crisp: false,
        }
    }

    fn hollow(self) -> Ink {
        Ink { fill: None, ..self }
    }

    /// Returns the same ink with an outline.
    pub fn outlined(self, color: Rgb, width: f64) -> Ink {
        Ink {
            stroke: Some(color),
            width,
            ..self
        }
    }

    /// Returns the same ink with broken lines.
    pub fn dashed(self, dash: Dash) -> Ink {
        Ink { dash, ..self }
    }
}
