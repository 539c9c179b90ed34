//! Pictures of exact numbers: charts, heat maps, flow charts and decision trees.
//!
//! A picture is described by plain data (numbers and strings) in a struct, for example [`Chart`] or
//! [`FlowChart`], and is drawn into a [`Drawing`]. The SVG and the PNG are made from the same
//! drawing, so that they never differ. Letters are drawn as outlines of the bundled DejaVu Sans:
//! neither the machine that draws nor the machine that shows the picture needs a font.
//!
//! The look (colours, line styles, sizes) is defined in [`style`] alone. All lines, areas and
//! letters come from one pen that writes SVG. The library plotters lays out the charts and draws
//! their axes and series: the pen is a drawing backend of plotters. Flow charts, trees and heat
//! maps use the pen directly.
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
//! # #[cfg(feature = "png")]
//! # {
//! let png: Vec<u8> = drawing.png(2.0)?;
//! assert_eq!(&png[1..4], b"PNG");
//! # }
//! # Ok::<(), flipcost_figures::FigureError>(())
//! ```
//!
//! # The same bytes on every machine
//!
//! Only this crate writes the SVG, and the same description gives the same bytes everywhere. The
//! advances and outlines of letters are whole numbers from the font. Positions are computed with
//! additions, multiplications, divisions and roundings of f64, whose results IEEE 754 fixes to the
//! last bit (except on 32-bit x86 without SSE2), and with the logarithms and powers of the crate
//! `libm`; `clippy.toml` refuses those of the system. (plotters turns the corners of its triangles
//! with the system's sines, then rounds them to tenths of a pixel, which removes an error in the
//! last bit.) Numbers that the caller computes in floating point are the caller's responsibility.
//!
//! A PNG (feature `png`, on by default) is drawn by tiny-skia. Three things can change its bytes:
//!
//! - the versions of tiny-skia, png and flate2, which the repository's `Cargo.lock` fixes;
//! - the back end of flate2, which compresses: miniz_oxide, in Rust, unless another crate of the
//!   program selects a different one. Then the bytes differ, but not the pixels;
//! - floating point in tiny-skia: it computes in f32, with or without SIMD, as the compiler
//!   decides. The pictures here need only operations that IEEE 754 fixes, except where the outlines
//!   of curves are found: there tiny-skia uses functions of the system's library, and an error in
//!   their last bit could in principle change the shade of a pixel at an edge.
//!
//! So there is no proof that the bytes of a PNG are the same everywhere. We compared them with the
//! versions of November 2026 on 69 pictures: those of the repository's `figures/` and of this
//! crate's tests. They were the same on x86-64 with SSE2, with AVX2, without SIMD and without
//! optimisation, and on AArch64 with NEON. Windows, macOS and WebAssembly were not tried. To
//! compare pictures across machines, compare the SVG.
#![warn(missing_docs)]

mod axis;
mod canvas;
mod chart;
mod drawing;
mod error;
mod flowchart;
mod glyphs;
mod heatmap;
mod legend;
mod marks;
mod pen;
mod plot;
#[cfg(feature = "png")]
mod png;
mod ruler;
mod series;
mod sheet;
pub mod style;
mod svg;
mod ticks;
mod tree;

pub use axis::{Axis, Scale, Ticks};
pub use chart::Chart;
pub use drawing::Drawing;
pub use error::FigureError;
pub use flowchart::{FlowChart, FlowChartRound, Guide};
pub use heatmap::HeatMap;
pub use legend::Legend;
pub use series::{Mark, Series};
pub use sheet::{Sheet, SheetPart};
pub use style::{ColorMap, Dash, Hue, Rgb, StyleNameError};
pub use tree::{NodeKind, Tree, TreeNode};

#[cfg(test)]
mod tests;
