//! The picture as a PNG file, rendered by resvg.

use resvg::{tiny_skia, usvg};

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
    /// [`FigureError::TooLarge`] above 2^27 pixels; [`FigureError::Backend`] if resvg refuses.
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
        let tree = usvg::Tree::from_str(self.svg(), &usvg::Options::default())
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
