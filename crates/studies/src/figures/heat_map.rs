//! The figure `heat-map`: see [`HeatMapFigure`].

use crate::axis::AxisSpec;
use crate::draw::{Draw, DrawContext, DrawnFigure};
use crate::error::{Mistake, StudyError};
use crate::limits::{MAX_COLUMNS, MAX_POINTS, check_at_most};
use crate::values::{ColumnsText, FigureName, FromText, Line, MeasureText, Span, texts};
use flipcost::table::Cell;
use flipcost_all::substitute_variables;
use flipcost_figures::{Axis, HeatMap, Ticks};
use flipcost_number::expression::ExpressionError;
use flipcost_number::grammar::Formula;
use flipcost_number::threads;
use schemars::JsonSchema;
use serde::Deserialize;

/// The answers to one question for every pair of x and y, as colours; the table has a row for each
/// pair.
///
/// ```toml
/// [[heat-map]]
/// name = "survival"
/// title = "Still undecided after t flips: the fast dice roller"
/// columns = ["1..=128"]
/// rows = ["0..=20"]
/// heads = ["n", "t"]
/// ask = "distribution(x, algorithm: fast-dice-roller, upto: y)[last]"
/// table = ["survival_exact"]
/// colour = "survival_exact"
/// missing = "exactly 0"
/// keep = "x > 1"
/// every = 2
/// size = [900, 600]
/// x = { label = "sides of the die, n" }
/// y = { label = "flips, t" }
/// value = { label = "P(T > t)", scale = "log10", range = [1e-5, 1] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HeatMapFigure {
    name: FigureName,
    title: Line,
    /// The values of x: texts from left to right, or a range.
    columns: Vec<Line>,
    /// The values of y: texts from top to bottom, or a range, which begins at the bottom.
    rows: Vec<Line>,
    /// The step of y, if its values are a range.
    #[serde(default = "default_every")]
    every: usize,
    /// A formula of x and y: only pairs for which it is not 0 are shown. All pairs are shown if the
    /// key is missing.
    keep: Option<PairFormula>,
    /// The headers of the two columns of the table that show x and y.
    heads: (Line, Line),
    /// A question about x and y, written as in the check `that`; `[ROW]` selects a row if the
    /// answer has several.
    ask: Line,
    /// The columns of the answer that the table shows.
    table: Vec<Line>,
    /// An expression of these columns that gives the colour. On a logarithmic scale, 0 has no
    /// colour.
    colour: ColumnsText,
    /// The label of the cells without a colour.
    missing: Option<Line>,
    /// Width and height of the picture.
    size: Option<(u16, u16)>,
    x: AxisSpec,
    y: AxisSpec,
    /// The axis of the colours.
    value: AxisSpec,
}

fn default_every() -> usize {
    1
}

texts! {
    /// A formula of x and y.
    PairFormula(Formula): "a formula of x and y, such as \"x <= y\"", read_pair_formula;
}

fn read_pair_formula(text: &str) -> Result<Formula, ExpressionError> {
    Formula::read(text, &["x", "y"])
}

impl HeatMapFigure {
    /// Returns whether `keep` admits this pair.
    fn keeps(&self, x: &str, y: &str) -> Result<bool, StudyError> {
        let Some(PairFormula(formula)) = &self.keep else {
            return Ok(true);
        };
        let number = |text: &str| {
            let what = || Mistake::new(format!("\"{text}\" is not a number")).field("keep");
            text.parse::<i64>().map_err(|_| what())
        };
        let value = formula.value(&[number(x)?, number(y)?]);
        Ok(value.map_err(|error| Mistake::new(error).field("keep"))? != 0)
    }

    /// Returns the cells of the table for an x and a y.
    fn cells(&self, x: &str, y: &str) -> Result<Vec<Cell>, StudyError> {
        let ask = substitute_variables(&self.ask.0, &|letter| match letter {
            'x' => Some(x.to_string()),
            'y' => Some(y.to_string()),
            _ => None,
        });
        let ask = ask.unwrap_or_else(|| self.ask.0.clone());
        let cell = |column: &Line| MeasureText::read(&format!("{ask}.{}", column.0))?.cell(None);
        let cells = self.table.iter().map(cell);
        let cells = cells.collect::<Result<Vec<Cell>, StudyError>>();
        cells.map_err(|error| error.with_place(format!("`{ask}`")))
    }

    /// Returns the value that gives a cell its colour, if it has one.
    fn colour(&self, heads: &[String], cells: &[Cell]) -> Result<Option<f64>, StudyError> {
        let colour = self.colour.value(heads, cells)?;
        Ok(colour.filter(|colour| *colour > 0.0 || !self.value.is_logarithmic()))
    }
}

/// The places along an axis: either the numbers of a range, or texts in the given order, which
/// label the ticks.
struct AxisPlaces {
    texts: Vec<String>,
    are_numbers: bool,
}

impl AxisPlaces {
    fn new(lines: &[Line], every: usize) -> Result<AxisPlaces, StudyError> {
        let range = match lines {
            [Line(range)] if range.contains("..") => Span::from_zero(range)?,
            lines => {
                let texts = lines.iter().map(|line| line.0.clone()).collect();
                return Ok(AxisPlaces {
                    texts,
                    are_numbers: false,
                });
            }
        };
        check_at_most("rows", range.count(), "rows or columns", MAX_COLUMNS)?;
        Ok(AxisPlaces {
            texts: range
                .0
                .step_by(every.max(1))
                .map(|n| n.to_string())
                .collect(),
            are_numbers: true,
        })
    }

    /// Returns the axis, and the positions of the places, counted from the first or from the last
    /// place.
    fn axis(&self, spec: &AxisSpec, from_last: bool) -> (Vec<f64>, Axis) {
        if self.are_numbers {
            let numbers = self
                .texts
                .iter()
                .map(|text| text.parse().unwrap_or(f64::NAN));
            return (numbers.collect(), spec.axis());
        }
        let mut texts = self.texts.clone();
        if from_last {
            texts.reverse();
        }
        let numbers: Vec<f64> = (1..=texts.len()).map(|place| place as f64).collect();
        let ticks = Ticks::At(numbers.iter().copied().zip(texts).collect());
        (
            numbers,
            Axis {
                ticks,
                ..spec.axis()
            },
        )
    }
}

impl Draw for HeatMapFigure {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, work: &DrawContext) -> Result<DrawnFigure, StudyError> {
        let columns = AxisPlaces::new(&self.columns, 1)?;
        let rows = AxisPlaces::new(&self.rows, self.every)?;
        let texts = rows.texts.iter();
        let pairs = texts.flat_map(|y| columns.texts.iter().map(move |x| (x, y)));
        let pairs: Vec<(&String, &String)> = pairs.collect();
        check_at_most("rows", pairs.len() as u64, "cells", MAX_POINTS)?;
        if pairs.is_empty() {
            return Err(Mistake::new("a map needs at least one cell")
                .field("rows")
                .into());
        }
        let heads: Vec<String> = self.table.iter().map(|head| head.0.clone()).collect();
        let found = threads::map_of(&pairs, &|(x, y)| {
            if !self.keeps(x, y)? {
                return Ok((None, Vec::new()));
            }
            let cells = self.cells(x, y)?;
            (work.on_part_done)();
            Ok((self.colour(&heads, &cells)?, cells))
        });
        let found = found.into_iter().collect::<Result<Vec<_>, StudyError>>()?;
        let colours = found.chunks(columns.texts.len());
        let mut colours: Vec<Vec<Option<f64>>> = colours
            .map(|line| line.iter().map(|(colour, _)| *colour).collect())
            .collect();
        if !rows.are_numbers {
            colours.reverse();
        }
        let (across, x) = columns.axis(&self.x, false);
        let (up, y) = rows.axis(&self.y, true);
        let mut map = HeatMap::new(&self.title.0, across, up, colours)
            .x(x)
            .y(y)
            .value(self.value.axis());
        if let Some(missing) = &self.missing {
            map = map.missing(missing.0.clone());
        }
        if let Some((width, height)) = self.size {
            map = map.size(width.into(), height.into());
        }
        let text = |text: &String| Cell::Text(text.clone());
        let row = |((x, y), (_, cells)): (&(&String, &String), (_, Vec<Cell>))| {
            (!cells.is_empty()).then(|| [vec![text(x), text(y)], cells].concat())
        };
        let places = [&self.heads.0, &self.heads.1].map(|head| head.0.clone());
        Ok(DrawnFigure {
            drawing: map.draw()?,
            headers: places.into_iter().chain(heads).collect(),
            rows: pairs.iter().zip(found).filter_map(row).collect(),
        })
    }
}
