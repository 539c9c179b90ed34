//! `flipcost figure`: draws one chart from the command line.

use super::{Failure, answer, picture};
use clap::ValueEnum;
use flipcost::algorithms::UnknownAlgorithm;
use flipcost::table::ColumnKind;
use flipcost::table::{ALGORITHM, N, SOURCE};
use flipcost_figures::{Chart, Scale};
use flipcost_one_draw::pictures::curves::Curves;
use flipcost_one_draw::pictures::unknown_coin::against_p;
use flipcost_one_draw::questions::{Cost, CostRows};
use flipcost_question::targets::TargetList;
use flipcost_question::{AlgorithmId, ColumnError, ColumnId, Query, Sides, Sources, TargetText};
use flipcost_terminal::question::{parse_source, parse_sources};
use flipcost_terminal::screen;
use std::path::PathBuf;

/// Draw a column for every target in a range, or for one target against p, with a curve for each
/// algorithm
#[derive(clap::Args)]
pub struct FigureArgs {
    /// The column, or an expression of columns such as "expected - log2(n)"
    #[arg(value_name = "COLUMN", default_value = "expected", value_parser = parse_column)]
    column: ColumnId,
    /// The first target
    #[arg(long, value_name = "A", default_value = "1", value_parser = crate::numbers::parse_positive, allow_negative_numbers = true)]
    from: u64,
    /// The last target
    #[arg(long, value_name = "B", default_value = "100", value_parser = crate::numbers::parse_positive, allow_negative_numbers = true)]
    to: u64,
    /// Draw one target against the probability of heads of an unknown coin, as in --target 2
    /// --source unknown:2
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with_all = ["from", "to", "sources", "scale"])]
    target: Option<TargetText>,
    /// The sides of the source: 2 is a coin, 6 a common die; with --target, unknown:2
    #[arg(
        short,
        long,
        value_name = "M",
        default_value = "2",
        allow_negative_numbers = true,
        value_parser = parse_source
    )]
    source: Sides,
    /// Several sources, as in 2..6, with a curve for each source and algorithm
    #[arg(long, value_name = "LIST", conflicts_with = "source", value_parser = parse_sources)]
    sources: Option<Sources>,
    /// Only these algorithms, by id
    #[arg(short, long, value_name = "ID", value_delimiter = ',', value_parser = parse_algorithm)]
    algorithm: Vec<AlgorithmId>,
    /// The scale of the n axis
    #[arg(long, default_value = "linear")]
    scale: ScaleArg,
    /// The title
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The label of the n or p axis
    #[arg(long, value_name = "TEXT")]
    x_label: Option<String>,
    /// The label of the value axis
    #[arg(long, value_name = "TEXT")]
    y_label: Option<String>,
    /// Width and height in pixels, as in 1200x800
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<(f64, f64)>,
    /// The picture file: its name ends in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// The allowed range of the width and of the height of a picture.
const PIXEL_RANGE: std::ops::RangeInclusive<u32> = 240..=10_000;

fn parse_column(text: &str) -> Result<ColumnId, ColumnError> {
    ColumnId::read(text, flipcost_all::algorithms())
}

fn parse_algorithm(id: &str) -> Result<AlgorithmId, UnknownAlgorithm> {
    AlgorithmId::find(id, flipcost_all::algorithms())
}

/// Parses a width and a height.
fn parse_size(text: &str) -> Result<(f64, f64), String> {
    let side = |side: &str| {
        side.trim()
            .parse()
            .ok()
            .filter(|side| PIXEL_RANGE.contains(side))
    };
    let sides = text.split_once(['x', 'X', '×']);
    match sides.and_then(|(width, height)| Some((side(width)?, side(height)?))) {
        Some((width, height)) => Ok((width.into(), height.into())),
        None => Err(format!(
            "a width and a height of {} to {} pixels were expected, as in 1200x800",
            PIXEL_RANGE.start(),
            PIXEL_RANGE.end()
        )),
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum ScaleArg {
    /// Linear
    Linear,
    /// Logarithmic
    Log2,
}

/// The largest number of sources in one chart.
const MAX_SOURCES: usize = 20;

impl FigureArgs {
    /// The question of a chart against the probability of heads, if one was requested.
    fn probability_query(&self) -> Result<Option<Query>, Failure> {
        let unknown = self.source.0.is_unknown();
        let target = match &self.target {
            Some(target) => target.clone(),
            None if unknown => {
                let source = self.source.0.with_article();
                return Err(Failure::Input(format!(
                    "costs from {source} are drawn for one target, against the probability of heads: add --target, as in --target 2"
                )));
            }
            None => return Ok(None),
        };
        self.check_drawable()?;
        let cost = Cost {
            target,
            algorithms: self.algorithm.clone(),
            ..Cost::new(2.into(), self.source.clone())
        };
        match cost.against_p(self.column) {
            Some(curve) => Ok(Some(curve.into())),
            None => Err(Failure::Input(format!(
                "--target is drawn against the probability of heads of an unknown coin, but the source is {}: --source unknown:2 was expected",
                self.source.0.with_article()
            ))),
        }
    }

    fn check_drawable(&self) -> Result<(), Failure> {
        match self.column.0.kind() {
            ColumnKind::Count | ColumnKind::Decimal => Ok(()),
            _ => Err(Failure::Input(format!(
                "the column {} holds no numbers to draw: choose one such as expected or toll",
                self.column
            ))),
        }
    }

    /// The question of a chart of the rows of a range.
    fn cost_rows(&self) -> Result<CostRows, Failure> {
        let (from, to) = (self.from, self.to);
        if from <= to && to - from > 1_000_000 {
            return Err(Failure::Input(format!(
                "a chart of {} targets holds too many points: 1000000 is the most",
                to - from + 1
            )));
        }
        self.check_drawable()?;
        let mut shown = vec![ColumnId(N), ColumnId(ALGORITHM)];
        if self.sources.is_some() {
            shown.insert(0, ColumnId(SOURCE));
        }
        if !shown.contains(&self.column) {
            shown.push(self.column);
        }
        let curves = match &self.sources {
            Some(sources) => sources.get().len(),
            None => 1,
        };
        if curves > MAX_SOURCES {
            return Err(Failure::Input(format!(
                "a chart of {curves} sources holds too many curves: {MAX_SOURCES} sources are the most"
            )));
        }
        let target: TargetList = format!("{from}..{to}").parse().map_err(Failure::input)?;
        let query = CostRows {
            sources: self.sources.clone(),
            algorithms: self.algorithm.clone(),
            columns: shown,
            ..CostRows::new(target, self.source.clone())
        };
        query.request()?;
        Ok(query)
    }

    pub fn query(&self) -> Result<Query, Failure> {
        match self.probability_query()? {
            Some(cost) => Ok(cost),
            None => Ok(self.cost_rows()?.into()),
        }
    }

    /// Applies the requested scale, size and labels to the chart.
    fn adjust_chart(&self, mut chart: Chart) -> Chart {
        for (text, given) in [
            (&mut chart.title, &self.title),
            (&mut chart.x.label, &self.x_label),
            (&mut chart.y.label, &self.y_label),
        ] {
            if let Some(given) = given {
                text.clone_from(given);
            }
        }
        chart.size = self.size.unwrap_or(chart.size);
        chart.typeset()
    }

    pub fn run(self) -> Result<(), Failure> {
        let scale = match self.scale {
            ScaleArg::Linear => Scale::Linear,
            ScaleArg::Log2 => Scale::Log2,
        };
        if let Some(cost) = self.probability_query()? {
            picture::check_picture_path(&self.output)?;
            let answer = answer::collect(cost)?;
            let chart = self.adjust_chart(against_p(&answer)?);
            picture::write_picture(&self.output, || chart.draw())?;
            for note in answer.foot.render_notes(flipcost_all::terminal()) {
                screen::print_remark(&note);
            }
            return Ok(());
        }
        let rows = self.cost_rows()?;
        picture::check_picture_path(&self.output)?;
        let mut curves = Curves::new(self.column.0);
        let query = Query::from(rows.clone());
        let (control, bar) = answer::start_progress(&query);
        let gathered = query.run(&control, &mut curves);
        bar.finish_and_clear();
        gathered?;
        let chart = self.adjust_chart(curves.chart_of(&rows, scale));
        picture::write_picture(&self.output, || chart.draw())
    }
}
