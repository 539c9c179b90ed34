//! The least bias that so many flips can reach, and where the functions of libraries are.

use crate::questions::Frontier;
use flipcost::table::Cell;
use flipcost_figures::Drawing;
use flipcost_figures::{Axis, Chart, Dash, Hue, Scale, Series, Ticks};
use flipcost_number::Rational;
use flipcost_one_draw::pictures::curves::place;
use flipcost_question::Answer;
use flipcost_question::PictureError;

/// The rows that are no library's.
const FRONTIER: &str = "frontier";
/// Pictures of this size have room for the names of the libraries.
const SIZE: (f64, f64) = (1040.0, 760.0);
/// The share of the height below the curves, where what is exact has its names.
const STRIP: f64 = 0.3;
/// Distances up to this are not drawn: doubles end near 1e-308.
const LEAST: f64 = 1e-200;
/// Points that are nearer than this share of an axis are one.
const NEAR: f64 = 0.004;

/// What is said of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Biased,
    /// Biased by less than is drawn.
    Below,
    Exact,
}

/// Functions that are at one place.
struct PointGroup {
    standing: Standing,
    at: (f64, f64),
    ids: Vec<String>,
}

impl PointGroup {
    fn name(&self) -> String {
        match &self.ids[..] {
            [one] => one.clone(),
            [first, second] => format!("{first}, {second}"),
            [first, ..] => format!("{first} and {} others", self.ids.len() - 1),
            [] => String::new(),
        }
    }
}

/// The total variation distance against bits: the least of all rules against the flips that they may
/// take and against those that they take on average, and a point for each function of a library at the
/// bits that it draws on average. What is exact, or nearer to fair than the curves go, is on the lower
/// edge, in another colour each.
///
/// # Errors
/// [`PictureError::Kind`] for an answer of another kind; [`PictureError::Input`] if no row is biased.
pub fn frontier(answer: &Answer) -> Result<Chart, PictureError> {
    let Some(query) = answer.query.downcast::<crate::questions::Frontier>() else {
        return Err(PictureError::kind(answer));
    };
    let at = |name: &str| {
        let mut columns = answer.head.columns.iter();
        let place = columns.position(|column| column.name == name);
        place.ok_or_else(|| PictureError::kind(answer))
    };
    let distance_exact = at("total_variation_exact")?;
    let (bits, distance, expected) = (at("bits")?, at("total_variation")?, at("expected")?);
    let id = at("id").ok();
    let is_curve = |row: &&Vec<Cell>| match id.map(|id| &row[id]) {
        Some(Cell::Text(id)) => id == FRONTIER,
        _ => true,
    };
    let curve = |x: usize| -> Vec<(f64, f64)> {
        let rows = answer.rows.iter().filter(is_curve);
        let point = |row: &Vec<Cell>| (place(&row[x]), place(&row[distance]));
        rows.map(point).filter(|(_, y)| *y > LEAST).collect()
    };
    let (most, mean) = (curve(bits), curve(expected));
    let Some(lowest) = most.iter().map(|(_, y)| *y).reduce(f64::min) else {
        let what = "every rule is exact: there is no bias to draw";
        return Err(PictureError::Input(what.into()));
    };
    let floor = match id {
        // room below the curves for the names of what is exact
        Some(_) => lowest.powf(1.0 / (1.0 - STRIP)),
        None => lowest,
    };
    let last = most.last().map_or(0.0, |(bits, _)| *bits);
    let libraries = answer.rows.iter().filter(|row| !is_curve(row));
    let libraries = libraries.filter_map(|row| {
        let (x, y) = (place(&row[expected]), place(&row[distance]));
        let is_exact = row[distance_exact] == Cell::from(Rational::default());
        let (standing, y) = if is_exact {
            (Standing::Exact, floor)
        } else if y < lowest {
            (Standing::Below, floor)
        } else {
            (Standing::Biased, y)
        };
        let name = row[id?].to_string();
        x.is_finite().then_some((name, standing, (x, y)))
    });
    let libraries: Vec<(String, Standing, (f64, f64))> = libraries.collect();
    let widest = (libraries.iter().map(|(.., (x, _))| *x)).fold(last, f64::max);
    let (across, up) = (widest * NEAR, NEAR * (1.0 / floor).ln());
    let mut groups: Vec<PointGroup> = Vec::new();
    for (id, standing, (x, y)) in libraries {
        let near = |group: &&mut PointGroup| {
            let (u, v) = group.at;
            group.standing == standing && (x - u).abs() <= across && (y.ln() - v.ln()).abs() <= up
        };
        match groups.iter_mut().find(near) {
            Some(group) => group.ids.push(id),
            None => groups.push(PointGroup {
                standing,
                at: (x, y),
                ids: vec![id],
            }),
        }
    }
    let libraries_are_drawn = !groups.is_empty();
    let of = query.target.with_article();
    let title = if libraries_are_drawn {
        format!("Bias against bits for {of}: the least of any rule, and that of libraries")
    } else {
        format!("Bias against bits for {of}: the least of any rule")
    };
    let mut chart = Chart::new(title)
        .x(Axis::new("bits (flips of a coin)"))
        .y(Axis::new("total variation").scale(Scale::Log10))
        .series(
            Series::line("least with at most so many bits", most)
                .hue(Hue::Blue)
                .dash(Dash::Solid),
        )
        .series(
            Series::line("the same, against the bits on average", mean)
                .hue(Hue::SkyBlue)
                .dash(Dash::Dashed),
        );
    if !libraries_are_drawn {
        return Ok(chart);
    }
    for (standing, name, hue) in [
        (
            Standing::Biased,
            "a library, by the bits that it draws on average",
            Hue::Vermillion,
        ),
        (Standing::Exact, "a library without bias", Hue::Green),
        (
            Standing::Below,
            "a library with less bias than this scale shows",
            Hue::Orange,
        ),
    ] {
        let groups = || groups.iter().filter(|group| group.standing == standing);
        let points: Vec<(f64, f64)> = groups().map(|group| group.at).collect();
        if !points.is_empty() {
            let names = groups().map(PointGroup::name).collect();
            chart = chart.series(Series::points(name, points).hue(hue).labels(names));
        }
    }
    chart.x = chart.x.range(0.0, widest * 1.2);
    let (last, steps) = (lowest.log10(), 7.0);
    let step = (-last / steps).ceil().max(1.0);
    let powers = (0..).map(|i| -step * f64::from(i));
    let powers = powers.take_while(|power| *power > last - step / 4.0);
    let mut ticks = Ticks::powers_of_ten(powers.map(|power| power as i32));
    ticks.push((floor, "less or 0".to_string()));
    chart.y = chart.y.range(floor, 1.0).ticks(Ticks::At(ticks));
    Ok(chart.size(SIZE.0, SIZE.1))
}

impl Frontier {
    pub(crate) fn picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        Ok(frontier(answer)?.draw()?)
    }
}
