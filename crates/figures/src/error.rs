//! The errors of pictures that could not be drawn.

/// The reason why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// There is nothing to show.
    #[error("nothing to draw: {0}")]
    Empty(String),
    /// An axis whose range is empty, not finite, or not positive on a logarithmic scale.
    #[error("the axis {axis:?} cannot run from {low} to {high}: {why}")]
    Range {
        /// The label of this axis.
        axis: String,
        /// The number at which the axis would begin.
        low: f64,
        /// The number at which the axis would end.
        high: f64,
        /// The reason.
        why: &'static str,
    },
    /// The parts of the data do not fit together: for example, two rows have different lengths.
    #[error("the figure's parts do not fit: {0}")]
    Mismatch(String),
    /// The picture has more pixels than memory can hold.
    #[error(
        "a picture of {width:.0} x {height:.0} pixels is too large: at most {limit} pixels in all"
    )]
    TooLarge {
        /// Pixels across.
        width: f64,
        /// Pixels down.
        height: f64,
        /// The largest allowed number of pixels.
        limit: u64,
    },
    /// The letters would be too small to be read on a page.
    #[error(
        "the picture would be {width:.0} x {height:.0} pixels with the smallest letters that can be read: 2000 x 1400 is the most"
    )]
    Unreadable {
        /// Pixels across.
        width: f64,
        /// Pixels down.
        height: f64,
    },
    /// A drawing library refused.
    #[error("drawing failed: {0}")]
    Backend(String),
}
