//! The finished picture, and the way from it to files: SVG as it is, PNG by resvg.

use resvg::{tiny_skia, usvg};

/// Why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// There is nothing to show.
    #[error("nothing to draw: {0}")]
    Empty(String),
    /// An axis whose range is empty, not finite, or not positive on a logarithmic scale.
    #[error("the axis {axis:?} cannot run from {low} to {high}: {why}")]
    Range {
        /// The label of the axis.
        axis: String,
        /// Where it would begin.
        low: f64,
        /// Where it would end.
        high: f64,
        /// What is wrong with that.
        why: &'static str,
    },
    /// Data whose parts do not fit each other.
    #[error("the figure's parts do not fit: {0}")]
    Mismatch(String),
    /// The picture has more pixels than can be held.
    #[error(
        "a picture of {width:.0} x {height:.0} pixels is too large: at most {limit} pixels in all"
    )]
    TooLarge {
        /// Pixels across.
        width: f64,
        /// Pixels down.
        height: f64,
        /// Pixels in all that are allowed.
        limit: u64,
    },
    /// A drawing library refused.
    #[error("drawing failed: {0}")]
    Backend(String),
}

/// A finished picture: an SVG whose letters are outlines, so that no reader needs a font.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    svg: String,
    width: f64,
    height: f64,
}

/// The most pixels that [`Drawing::png`] makes: 2^27, half a gigabyte of memory.
const PIXEL_LIMIT: u64 = 1 << 27;

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

    /// The picture as the bytes of a PNG file, `scale` times as large (2 suits most screens). The
    /// same description gives the same bytes on every machine of one kind; no system font is used.
    ///
    /// # Errors
    /// [`FigureError::TooLarge`] above 2^27 pixels; [`FigureError::Backend`] if resvg refuses.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, FigureError> {
        let (w, h) = (
            self.width * f64::from(scale),
            self.height * f64::from(scale),
        );
        if w.ceil() * h.ceil() > PIXEL_LIMIT as f64 {
            return Err(FigureError::TooLarge {
                width: w,
                height: h,
                limit: PIXEL_LIMIT,
            });
        }
        let tree = usvg::Tree::from_str(&self.svg, &usvg::Options::default())
            .map_err(|e| FigureError::Backend(e.to_string()))?;
        let mut pixels = tiny_skia::Pixmap::new(w.ceil() as u32, h.ceil() as u32)
            .ok_or_else(|| FigureError::Backend(format!("no picture has {w} x {h} pixels")))?;
        resvg::render(
            &tree,
            tiny_skia::Transform::from_scale(scale, scale),
            &mut pixels.as_mut(),
        );
        pixels
            .encode_png()
            .map_err(|e| FigureError::Backend(e.to_string()))
    }
}
