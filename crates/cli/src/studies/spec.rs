//! What a study file may say. A mistake is reported with file, line and key.

use super::check::Check;
use super::draw::{Bars, Curves, Figure, Flow, Survival};
use super::draw_tables::{BlockSheet, Capacities, Grid, Recipes};
use super::sequences::SequenceChart;
use crate::rows::OutputError;
use flipcost::algorithms::{self, Algorithm};
use flipcost::number::expression::{parse_natural, parse_rational};
use flipcost::number::real::Undecided;
use flipcost::number::{BigUint, Rational};
use flipcost::table::{COLUMNS, Column, RowError};
use flipcost_figures::{Axis, FigureError, Scale, Ticks};
use serde::Deserialize;
use std::ops::RangeInclusive;
use std::path::Path;

/// Why a study could not be run.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The file says something that cannot be meant.
    #[error("{0}")]
    Spec(String),
    /// A value could not be computed.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A rounding or comparison could not be decided.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// A figure could not be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// A result could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl StudyError {
    pub(super) fn folder(path: &Path, error: std::io::Error) -> Self {
        StudyError::Spec(format!(
            "cannot make the folder \"{}\": {error}",
            path.display()
        ))
    }
}

/// A study, as its file states it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Study {
    /// The file's name without its ending.
    #[serde(skip)]
    pub name: String,
    /// The article.
    pub title: String,
    /// What it asks.
    pub question: String,
    #[serde(default, rename = "chart")]
    charts: Vec<Curves>,
    #[serde(default, rename = "histogram")]
    histograms: Vec<Bars>,
    #[serde(default, rename = "flow-chart")]
    flow_charts: Vec<Flow>,
    #[serde(default, rename = "survival")]
    survivals: Vec<Survival>,
    #[serde(default, rename = "sequence-chart")]
    sequence_charts: Vec<SequenceChart>,
    #[serde(default, rename = "grid")]
    grids: Vec<Grid>,
    #[serde(default, rename = "block-table")]
    block_tables: Vec<BlockSheet>,
    #[serde(default, rename = "recipes")]
    recipes: Vec<Recipes>,
    #[serde(default, rename = "capacities")]
    capacities: Vec<Capacities>,
    /// The claims.
    #[serde(default, rename = "check")]
    pub checks: Vec<Check>,
}

/// Letters of a figure's name, which becomes the name of its files.
const LONGEST_NAME: usize = 100;

impl Study {
    /// Reads a study file.
    pub fn read(path: &Path) -> Result<Study, StudyError> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| {
            StudyError::Spec(format!("cannot read the study \"{shown}\": {error}"))
        })?;
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .unwrap_or("study");
        Study::parse(&text, name, &shown.to_string())
    }

    /// A study from its text.
    pub fn parse(text: &str, name: &str, file: &str) -> Result<Study, StudyError> {
        let mut study: Study = toml::from_str(text).map_err(|error| {
            let (line, key) = match error.span() {
                Some(span) => {
                    let before = &text[..span.start.min(text.len())];
                    let line = before.matches('\n').count() + 1;
                    let own = text.lines().nth(line - 1).unwrap_or("").trim();
                    let key: String = own.chars().take(60).collect();
                    (format!(", line {line}"), format!(" (at `{key}`)"))
                }
                None => (String::new(), String::new()),
            };
            let message = error.message().replace('\n', " ");
            StudyError::Spec(format!("{file}{line}: {message}{key}"))
        })?;
        study.name = name.to_string();
        let mut names = std::collections::BTreeSet::new();
        for figure in study.figures() {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if figure.name().is_empty() || !figure.name().chars().all(plain) {
                let name = figure.name();
                return Err(StudyError::Spec(format!(
                    "{file}: the figure's name \"{name}\" must be letters, digits and hyphens"
                )));
            }
            if figure.name().len() > LONGEST_NAME {
                return Err(StudyError::Spec(format!(
                    "{file}: the figure's name \"{}...\" has {} letters: {LONGEST_NAME} is the most",
                    &figure.name()[..20],
                    figure.name().len()
                )));
            }
            if !names.insert(figure.name()) {
                return Err(StudyError::Spec(format!(
                    "{file}: two figures are named \"{}\"",
                    figure.name()
                )));
            }
        }
        for check in &study.checks {
            let texts = [&check.claim, &check.published];
            if let Some(text) = texts.iter().find(|text| text.contains(char::is_control)) {
                return Err(StudyError::Spec(format!(
                    "{file}: the text {text:?} of a check must be one line"
                )));
            }
            check.question().map_err(|what| {
                StudyError::Spec(format!("{file}: the check \"{}\" {what}", check.claim))
            })?;
        }
        Ok(study)
    }

    /// Its figures, in the order of their kinds.
    pub fn figures(&self) -> impl Iterator<Item = &dyn Figure> {
        fn all<F: Figure>(figures: &[F]) -> impl Iterator<Item = &dyn Figure> {
            figures.iter().map(|figure| figure as &dyn Figure)
        }
        all(&self.charts)
            .chain(all(&self.histograms))
            .chain(all(&self.flow_charts))
            .chain(all(&self.survivals))
            .chain(all(&self.sequence_charts))
            .chain(all(&self.grids))
            .chain(all(&self.block_tables))
            .chain(all(&self.recipes))
            .chain(all(&self.capacities))
    }
}

/// Values that are written as strings and mean something to us.
macro_rules! from_text {
    ($name:ident($inner:ty), $parse:expr) => {
        #[derive(Clone, Deserialize)]
        #[serde(try_from = "Text")]
        #[allow(missing_docs)]
        pub struct $name(pub $inner);

        impl TryFrom<Text> for $name {
            type Error = String;
            fn try_from(text: Text) -> Result<Self, String> {
                let parse: fn(&str) -> Result<$inner, String> = $parse;
                parse(&text.0).map($name)
            }
        }
    };
}

/// A string, or an integer taken as its digits.
#[derive(Deserialize)]
#[serde(untagged)]
enum Raw {
    Text(String),
    Integer(i64),
}

#[derive(Deserialize)]
#[serde(from = "Raw")]
struct Text(String);

impl From<Raw> for Text {
    fn from(raw: Raw) -> Self {
        match raw {
            Raw::Text(text) => Text(text),
            Raw::Integer(value) => Text(value.to_string()),
        }
    }
}

fn quoted(what: &str, text: &str, known: &[&str]) -> String {
    format!(
        "\"{text}\" is not {what}: choose one of {}",
        known.join(", ")
    )
}

from_text!(MethodId(&'static dyn Algorithm), |text| {
    algorithms::find(text).map_err(|error| error.to_string())
});
from_text!(ColumnName(&'static Column), |text| {
    let names: Vec<&str> = COLUMNS.iter().map(|c| c.name()).collect();
    Column::find(text).ok_or_else(|| quoted("a column", text, &names))
});
from_text!(Natural(BigUint), |text| parse_natural(text)
    .map_err(|e| e.to_string()));
from_text!(Fraction(Rational), |text| parse_rational(text)
    .map_err(|e| e.to_string()));
from_text!(Span(RangeInclusive<u64>), |text| {
    let wrong = || format!("\"{text}\" is not a range of n: write it as 1..=100");
    let (low, high) = text.split_once("..=").ok_or_else(wrong)?;
    let word = |part| flipcost::number::expression::parse_u64(part).map_err(|e| e.to_string());
    let (low, high) = (word(low.trim())?, word(high.trim())?);
    if low == 0 || low > high {
        Err(format!("the range \"{text}\" must rise from 1 or more"))
    } else {
        Ok(low..=high)
    }
});

/// An axis.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AxisSpec {
    label: String,
    range: Option<(f64, f64)>,
    #[serde(default)]
    scale: ScaleSpec,
    every: Option<Step>,
}

/// The distance of an axis's ticks.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
struct Step(f64);

impl TryFrom<f64> for Step {
    type Error = String;
    fn try_from(step: f64) -> Result<Self, String> {
        match step > 0.0 && step.is_finite() {
            true => Ok(Step(step)),
            false => Err(format!(
                "ticks every {step} cannot be drawn: every must be a number above 0"
            )),
        }
    }
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ScaleSpec {
    #[default]
    Linear,
    Log2,
    Log10,
}

impl AxisSpec {
    /// The distance of the ticks, where it is given.
    pub fn every(&self) -> Option<f64> {
        self.every.map(|Step(step)| step)
    }

    /// The axis of a chart.
    pub fn axis(&self) -> Axis {
        let scale = match self.scale {
            ScaleSpec::Linear => Scale::Linear,
            ScaleSpec::Log2 => Scale::Log2,
            ScaleSpec::Log10 => Scale::Log10,
        };
        let mut axis = Axis::new(self.label.clone()).scale(scale);
        if let Some((low, high)) = self.range {
            axis = axis.range(low, high);
        }
        if let Some(step) = self.every() {
            axis = axis.ticks(Ticks::Every(step));
        }
        axis
    }
}

/// A coin, unless a study says otherwise.
pub fn coin() -> u64 {
    2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        match Study::parse(text, "x", "x.toml") {
            Ok(_) => panic!("accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_mistake_is_named_by_file_line_and_key() {
        let head = "title = \"t\"\nquestion = \"q\"\n";
        let colour = refusal(&format!("{head}colour = 1\n"));
        assert!(
            colour.starts_with("x.toml, line 3: ") && colour.contains("colour"),
            "{colour}"
        );
        let algorithm = refusal(&format!(
            "{head}[[check]]\nclaim = \"c\"\npublished = \"p\"\nexpected = {{ algorithm = \"rejektion\", n = 6, is = \"4\" }}\n"
        ));
        assert!(
            algorithm.contains("line 6") && algorithm.contains("rejektion"),
            "{algorithm}"
        );
        let policy = refusal(&format!(
            "{head}[[check]]\nclaim = \"c\"\npublished = \"p\"\nexpected = {{ algorithm = \"recycling\", n = 6, is = \"4\" }}\n"
        ));
        assert!(
            policy.contains("line 6") && policy.contains("`flipcost batch`"),
            "{policy}"
        );
        let empty = refusal(&format!(
            "{head}[[check]]\nclaim = \"c\"\npublished = \"p\"\n"
        ));
        assert!(empty.contains("\"c\""), "{empty}");
        assert!(refusal("title = ").contains("line 1"));
        let lines = refusal(&format!(
            "{head}[[check]]\nclaim = \"a\\nb\"\npublished = \"p\"\n"
        ));
        assert!(lines.contains("must be one line"), "{lines}");
    }

    #[test]
    fn an_axis_needs_a_distance_above_0_and_a_name_an_end() {
        let chart = |name: &str, every: &str| {
            format!(
                "title = \"t\"\nquestion = \"q\"\n[[chart]]\nname = \"{name}\"\ntitle = \"t\"\ny = {{ label = \"y\", every = {every} }}\n"
            )
        };
        for every in ["0.0", "-1.0", "nan", "inf", "0"] {
            let refused = refusal(&chart("c", every));
            assert!(refused.contains("must be a number above 0"), "{refused}");
        }
    }
}
