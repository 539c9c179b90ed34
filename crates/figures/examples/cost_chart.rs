//! The chart of `benches/cost_of_n.py`: seconds against N, both axes logarithmic.
//! `cargo run --release -p flipcost-figures --example cost_chart -- analysis/cost-of-n.csv` writes
//! the SVG and the PNG beside the CSV.

use flipcost_figures::{Axis, Chart, Mark, Scale, Series};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: cost_chart FILE.csv")?;
    let mut reader = csv::Reader::from_path(&path)?;
    let mut series: Vec<Series> = Vec::new();
    for record in reader.records() {
        let record = record?;
        let point = (record[1].parse()?, record[2].parse()?);
        match series.iter_mut().find(|series| series.name == record[0]) {
            Some(series) => series.points.push(point),
            None => series.push(Series::new(&record[0], Mark::Line, vec![point])),
        }
    }
    let chart = Chart::new("Time of a sweep over all n up to N")
        .x(Axis::new("N").scale(Scale::Log10))
        .y(Axis::new("elapsed time of the process, seconds").scale(Scale::Log10));
    let drawing = series.into_iter().fold(chart, Chart::series).draw()?;
    let path = Path::new(&path);
    std::fs::write(path.with_extension("svg"), drawing.svg())?;
    std::fs::write(path.with_extension("png"), drawing.png(2.0)?)?;
    Ok(())
}
