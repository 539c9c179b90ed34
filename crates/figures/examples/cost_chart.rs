//! Draws the times that `benches/peers/cost_of_n.py` measured: a chart for each kind of work, with
//! seconds against n on two logarithmic axes, the exponents fitted to the upper half of the sizes,
//! and a line for the theory. `cargo run --release -p flipcost-figures --example cost_chart` reads
//! `analysis/cost-of-n/measured.csv` and writes an SVG and a PNG for each kind of work into the
//! same folder.

use flipcost_figures::{Axis, Chart, Dash, Hue, Legend, Scale, Series};
use std::path::Path;

/// A kind of work: its name in the file, the title of its chart, the label of n, and the time that
/// theory predicts, as the exponents a and b of n^a (ln n)^b and as text.
type Work = (
    &'static str,
    &'static str,
    &'static str,
    (f64, f64),
    &'static str,
);

/// A kind of work, a tool, and the seconds for each size.
type Measured = (String, String, Vec<(f64, f64)>);

/// The colours and dashes of flipcost and the other tools.
const SERIES_STYLES: [(Hue, Dash); 3] = [
    (Hue::Blue, Dash::Solid),
    (Hue::Vermillion, Dash::Dashed),
    (Hue::Green, Dash::LongDash),
];

const UP_TO: &str = "N";

const WORKS: [Work; 8] = [
    (
        "rounds",
        "W1: A136043(n) for all n up to N",
        UP_TO,
        (2.0, 0.0),
        "N²",
    ),
    (
        "fractions",
        "W2: E(n) in lowest terms for all n up to N",
        UP_TO,
        (2.0, 2.0),
        "N² log² N",
    ),
    (
        "texts",
        "W2: E(n) in lowest terms for all n up to N, as CSV",
        UP_TO,
        (2.0, 2.0),
        "N² log² N",
    ),
    (
        "one",
        "W3: one E(n) in lowest terms",
        "n, a prime with 2 as primitive root",
        (1.0, 2.0),
        "n log² n",
    ),
    (
        "numerator",
        "W3: one E(n), not reduced",
        "n, a prime with 2 as primitive root",
        (1.0, 0.0),
        "n",
    ),
    (
        "decimals",
        "W4: 50 decimals of E(n) for all n up to N, as CSV",
        UP_TO,
        (1.0, 0.0),
        "N",
    ),
    (
        "orders",
        "W5: orders of 2 modulo all n up to N",
        UP_TO,
        (1.0, 1.0),
        "N log N",
    ),
    (
        "product",
        "W6: one product of two numbers",
        "bits of each",
        (1.0, 1.0),
        "n log n",
    ),
];

/// Returns the exponent a of the curve c n^a that fits the points best, by least squares on the
/// logarithms.
fn fit_exponent(points: &[(f64, f64)]) -> f64 {
    let logs = points.iter().map(|&(x, y)| (libm::log(x), libm::log(y)));
    let count = points.len() as f64;
    let (sum_x, sum_y) = logs
        .clone()
        .fold((0.0, 0.0), |s, (x, y)| (s.0 + x, s.1 + y));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let (above, below) = logs.fold((0.0, 0.0), |s, (x, y)| {
        let dx = x - mean_x;
        (s.0 + dx * (y - mean_y), s.1 + dx * dx)
    });
    above / below
}

/// Returns the points of the larger sizes, to which the exponent is fitted, since start-up time no
/// longer dominates there.
fn larger_sizes(points: &[(f64, f64)]) -> &[(f64, f64)] {
    &points[(points.len() - 1) / 2..]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../analysis/cost-of-n"
    ));
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(folder.join("measured.csv"))?;
    let mut measured: Vec<Measured> = Vec::new();
    for record in reader.records() {
        let record = record?;
        let point = (record[2].parse()?, record[3].parse()?);
        match measured
            .iter_mut()
            .find(|series| series.0 == record[0] && series.1 == record[1])
        {
            Some(series) => series.2.push(point),
            None => measured.push((record[0].to_owned(), record[1].to_owned(), vec![point])),
        }
    }
    for (work, title, what, (power, logs), written) in WORKS {
        let of_work: Vec<_> = measured.iter().filter(|series| series.0 == work).collect();
        let own = &of_work.first().ok_or(format!("no rows of {work}"))?.2;
        let law = |n: f64| libm::pow(n, power) * libm::pow(libm::log(n), logs);
        let last = own[own.len() - 1];
        let theory: Vec<_> = own
            .iter()
            .map(|&(n, _)| (n, last.1 * law(n) / law(last.0)))
            .collect();
        let mut chart = Chart::new(title)
            .x(Axis::new(what).scale(Scale::Log10))
            .y(Axis::new("seconds on one core").scale(Scale::Log10))
            .legend(Legend::Auto)
            .series(
                Series::line(
                    format!(
                        "theory, {written}: exponent {:.2} here",
                        fit_exponent(larger_sizes(&theory))
                    ),
                    theory,
                )
                .hue(Hue::Grey)
                .dash(Dash::Dotted),
            );
        for ((_, tool, points), (hue, dash)) in of_work.iter().zip(SERIES_STYLES) {
            let name = format!(
                "{tool}: fitted exponent {:.2}",
                fit_exponent(larger_sizes(points))
            );
            chart = chart
                .series(Series::line(name, points.clone()).hue(hue).dash(dash))
                .series(Series::points("", points.clone()).hue(hue));
        }
        let drawing = chart.draw()?;
        let path = folder.join(work);
        std::fs::write(path.with_extension("svg"), drawing.svg())?;
        std::fs::write(path.with_extension("png"), drawing.png(2.0)?)?;
    }
    Ok(())
}
