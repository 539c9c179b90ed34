//! Pictures of exact numbers: charts, heat maps, flow charts and decision trees.
//!
//! Every picture starts as plain data (numbers and strings), is described once by a struct such as
//! [`Chart`] or [`FlowChart`], and is drawn into a [`Drawing`]: one SVG text, from which the PNG is
//! made too, so that the two never differ. Letters are drawn as outlines of the bundled DejaVu
//! Sans: neither the machine that draws nor the one that reads needs any font, and the bytes are
//! the same everywhere.
//!
//! The look (colours, line styles, sizes) lives in [`style`] alone. Charts are laid out and drawn
//! by plotters, flow charts and trees by a small pen of this
//! room.
//!
//! ```
//! use flipcost_figures::{Axis, Chart, Hue, Series};
//!
//! let entropy: Vec<(f64, f64)> = (1..=100).map(|n| (n as f64, (n as f64).log2())).collect();
//! let chart = Chart::new("What a fair die costs")
//!     .x(Axis::new("sides of the die, n"))
//!     .y(Axis::new("expected flips").range(0.0, 15.0))
//!     .series(Series::line("entropy, log₂ n", entropy).hue(Hue::Blue));
//! let drawing = chart.draw()?;
//! assert!(drawing.svg().starts_with("<svg"));
//! let png: Vec<u8> = drawing.png(2.0)?;
//! assert_eq!(&png[1..4], b"PNG");
//! # Ok::<(), flipcost_figures::FigureError>(())
//! ```
#![warn(missing_docs)]

mod axis;
mod canvas;
mod chart;
mod dot;
mod drawing;
mod error;
mod flowchart;
mod glyphs;
mod heatmap;
mod legend;
mod marks;
mod pen;
mod plot;
mod png;
mod ruler;
mod series;
pub mod style;
mod ticks;
mod tree;

pub use axis::{Axis, Scale, Ticks};
pub use chart::Chart;
pub use drawing::Drawing;
pub use error::FigureError;
pub use flowchart::{FlowChart, Round};
pub use heatmap::HeatMap;
pub use legend::Legend;
pub use series::{Mark, Series};
pub use style::{ColorMap, Dash, Hue, Rgb};
pub use tree::{NodeKind, Tree, TreeNode};

#[cfg(test)]
mod tests;
