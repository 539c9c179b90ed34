//! Draws a heat map of the tolls of the best algorithms, with a cell for each source and target.
//! The toll is the cost above the entropy.

use crate::questions::CostRows;
use flipcost::table::Cell;
use flipcost::task::Target;
use flipcost_figures::{Axis, Drawing, HeatMap, Ticks};
use flipcost_question::PictureError;
use flipcost_question::{Answer, QueryError, Sides, Terminal, field, say};
use num_traits::ToPrimitive;

/// The largest number of sources that get a label: more labels would overlap.
const MAX_LABELS: usize = 24;

/// The size in pixels of the smallest cell in which a number is written.
const MIN_CELL_SIZE: (f64, f64) = (26.0, 14.0);

/// The pixels around the cells, which the labels and the colour bar need.
const MARGINS: (f64, f64) = (200.0, 150.0);

/// The largest map, in pixels: with more targets or sources a cell would be less than a pixel.
const MAX_SIZE: (f64, f64) = (2000.0, 1400.0);

/// Returns a size in which every source and every target has at least one pixel.
///
/// # Errors
/// [`PictureError::Input`] if a page has no room for the map.
fn map_size(targets: usize, sources: usize) -> Result<(f64, f64), PictureError> {
    let usual = flipcost_figures::style::CHART_SIZE;
    let (width, height) = (targets as f64 + MARGINS.0, sources as f64 + MARGINS.1);
    if width > MAX_SIZE.0 || height > MAX_SIZE.1 {
        let most = (MAX_SIZE.1 - MARGINS.1, MAX_SIZE.0 - MARGINS.0);
        return Err(PictureError::Input(say!(
            "a map of {sources} sources and {targets} targets cannot be read: ",
            format!("{} sources and {} targets are the most", most.0, most.1),
            Terminal(", while --format csv writes all")
        )));
    }
    Ok((usual.0.max(width), usual.1.max(height)))
}

fn source_name(source: &Sides) -> String {
    match source.0.small() {
        Some(2) => "coin".to_string(),
        Some(m) => format!("d{m}"),
        None => source.to_string(),
    }
}

/// Returns a heat map of the toll in bits of the best algorithm for each source and target.
///
/// # Errors
/// [`PictureError::Kind`] if the answer is not about the best algorithm of every pair, or if a toll
/// is not a double.
pub fn heat_map(answer: &Answer) -> Result<Drawing, PictureError> {
    let query = answer.query.downcast::<CostRows>();
    let Some(query) = query.filter(|query| query.best) else {
        return Err(PictureError::kind(answer));
    };
    let sides = |one: Result<Target, QueryError>| one.ok()?.sides()?.to_f64();
    let xs: Vec<f64> = query.target.iter_targets().map_while(sides).collect();
    if xs.len() as u128 != query.target.count() || !xs.is_sorted_by(|a, b| a < b) {
        return Err(PictureError::Input(say!(
            "a map has an axis of fair dice in increasing order, and ",
            field("target"),
            " names other targets"
        )));
    }
    let one = std::slice::from_ref(&query.source);
    let sources = query.sources.as_ref().map_or(one, |sources| sources.get());
    let (width, height) = map_size(xs.len(), sources.len())?;
    let tolls = answer
        .column("toll_bits")
        .ok_or_else(|| PictureError::kind(answer))?;
    let tolls: Vec<Option<f64>> = tolls.map(Cell::to_f64).collect();
    let usual = flipcost_figures::style::CHART_SIZE;
    let fits = (usual.0 - MARGINS.0) / xs.len().max(1) as f64 >= MIN_CELL_SIZE.0
        && (usual.1 - MARGINS.1) / sources.len().max(1) as f64 >= MIN_CELL_SIZE.1;
    let text = |toll: &Option<f64>| toll.map_or(String::new(), |toll| format!("{toll:.2}"));
    let texts: Vec<Vec<String>> = if fits {
        (tolls.chunks(xs.len().max(1)))
            .map(|row| row.iter().map(text).collect())
            .collect()
    } else {
        Vec::new()
    };
    let values = tolls.chunks(xs.len().max(1)).map(<[_]>::to_vec).collect();
    let places: Vec<f64> = (0..sources.len()).map(|i| i as f64).collect();
    let every = sources.len().div_ceil(MAX_LABELS).max(1);
    let ticks = sources.iter().zip(&places).step_by(every);
    let ticks = ticks.map(|(m, at)| (*at, source_name(m))).collect();
    let title = "What the best algorithm pays above the entropy";
    let map = HeatMap::new(title, xs, places, values)
        .x(Axis::new("sides of the target"))
        .y(Axis::new("source").ticks(Ticks::At(ticks)))
        .value(Axis::new("toll, bits"))
        .missing("impossible")
        .texts(texts)
        .size(width, height);
    Ok(map.draw()?)
}
