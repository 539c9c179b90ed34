//! Why a picture could not be drawn.

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
        /// Where the axis would begin.
        low: f64,
        /// Where the axis would end.
        high: f64,
        /// The reason.
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
    /// Letters too small to be read on a page.
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
