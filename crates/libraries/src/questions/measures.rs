//! The columns that show the distance of outcomes from the intended law.

use crate::reduction::total_variation_of_samples_log2;
use flipcost::law::Detection;
use flipcost::law::{Bias as Distance, log2};
use flipcost::table::Precision;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::precision::nonnegative_decimal;
use flipcost_question::prelude::*;
use num_traits::{One, ToPrimitive, Zero};

/// The outcomes of two laws, with their probabilities in both laws.
pub(crate) struct Comparison(pub Distance);

impl Comparison {
    pub fn new(pairs: impl IntoIterator<Item = (Rational, Rational)>) -> Comparison {
        let there = |(p, q): &(Rational, Rational)| !p.is_zero() || !q.is_zero();
        let pairs = pairs.into_iter().filter(there);
        Comparison(Distance::between(
            pairs.map(|(p, q)| (p, q, BigUint::one())),
        ))
    }

    /// Returns the cells of `total_variation_exact` and `total_variation`.
    pub fn total_variation_cells(&self, precision: Precision) -> Result<[Cell; 2], QueryError> {
        let distance = self.0.total_variation();
        let decimal = nonnegative_decimal(&Real::Exact(distance.clone()), precision)?;
        Ok([Cell::from(distance), decimal])
    }

    /// Returns the number of results after which a test finds the difference. If one law has
    /// outcomes that the other law never has, this is the number of results after which such an
    /// outcome has occurred with probability 0.9.
    pub fn detect(&self) -> Cell {
        self.detection(Distance::detect)
    }

    pub fn detection(&self, test: fn(&Distance) -> Detection) -> Cell {
        if self.0.is_finite() {
            return test(&self.0).into();
        }
        let new = self.0.impossible().to_f64().unwrap_or(1.0);
        let results = (0.1f64.ln() / (-new).ln_1p()).ceil().max(1.0);
        Cell::from(Detection::Results(BigInt::from(results as u128)))
    }
}

/// Rejects a number of samples that is 0.
pub(crate) fn check_samples_not_zero(samples: Option<u64>) -> Result<(), QueryError> {
    if samples != Some(0) {
        return Ok(());
    }
    let what = say!(field("samples").is(0), " is too small");
    Err(QueryError::wrong("samples", what).right("it must be at least 1"))
}

/// Appends the columns of [`advantage_cells`].
pub(crate) fn advantage_head(head: Head) -> Head {
    head.column("advantage_log2", CellKind::Decimal)
        .answers()
        .column("bound_log2", CellKind::Decimal)
        .answers()
}

/// Returns the distance of this many results from equally many results of the target, and the upper
/// bound of this distance.
pub(crate) fn advantage_cells(
    bias: &Distance,
    samples: u64,
    precision: Precision,
) -> Result<[Cell; 2], QueryError> {
    let advantage = total_variation_of_samples_log2(bias, samples).map_err(QueryError::input)?;
    let advantage = match advantage {
        None => Cell::Empty,
        Some(advantage) => logarithm_cell(advantage, precision)?,
    };
    let bound =
        fraction_logarithm_cell(&(bias.total_variation() * BigInt::from(samples)), precision)?;
    Ok([advantage, bound])
}

/// Returns the cell of a logarithm; the logarithm of 0, given as `None`, is shown as minus
/// infinity.
pub(crate) fn logarithm_cell(
    value: Option<Real>,
    precision: Precision,
) -> Result<Cell, QueryError> {
    match value {
        Some(value) => decimal(&value, precision),
        None => Ok(Cell::Double(f64::NEG_INFINITY)),
    }
}

/// Returns the cell of the logarithm of a fraction of at least 0.
pub(crate) fn fraction_logarithm_cell(
    value: &Rational,
    precision: Precision,
) -> Result<Cell, QueryError> {
    logarithm_cell((!value.is_zero()).then(|| log2(value)), precision)
}

/// Returns the cell of a distance as a decimal.
pub(crate) fn total_variation_cell(
    value: &Rational,
    precision: Precision,
) -> Result<Cell, QueryError> {
    nonnegative_decimal(&Real::Exact(value.clone()), precision)
}

/// The note that explains `detect` and `detect_best`.
pub const STATISTICAL: &str = "detect is statistical: the results after which a test of all outcomes (size 0.01, power 0.9) finds the bias; detect_best tests two classes, the outcomes that are favoured and the others";

/// Returns the columns of `distance_row`.
pub fn head() -> Head {
    add_measure_columns(Head::new().column("id", CellKind::Text))
}

/// Appends the columns of the distance of outcomes from a fair die.
pub(crate) fn add_measure_columns(head: Head) -> Head {
    head.column("total_variation_exact", CellKind::Exact)
        .column("total_variation", CellKind::Decimal)
        .answers()
        .columns(
            CellKind::Exact,
            ["ratio_exact", "largest_exact", "smallest_exact"],
        )
        .measured("kullback_leibler_bits", CellKind::Decimal, "bits")
        .measured("min_entropy_bits", CellKind::Decimal, "bits")
        .measured("detect", CellKind::Statistical, "results")
        .answers()
        .measured("detect_best", CellKind::Statistical, "results")
        .answers()
}

/// Adds a note on why `detect` is empty for biased rows, if there is such a row.
pub(crate) fn note_on_detection(foot: &mut Foot, head: &Head, rows: &[Vec<Cell>]) {
    let at = |name: &str| head.names().iter().position(|column| *column == name);
    let (Some(distance), Some(ratio)) = (at("total_variation_exact"), at("ratio_exact")) else {
        return;
    };
    let found = [at("detect"), at("detect_best")].into_iter().flatten();
    let found: Vec<usize> = found.collect();
    let silent = |row: &Vec<Cell>| {
        let known = row[distance] != Cell::Empty && row[ratio] != Cell::Empty;
        known && found.iter().any(|at| row[*at] == Cell::Empty)
    };
    if rows.iter().any(silent) {
        foot.note("detect is empty where fewer than 5 results for each outcome reveal the bias: the test is not valid for so few results");
    }
}

/// Returns the cell of the largest probability divided by the smallest.
pub(crate) fn ratio_cell(bias: &Distance) -> Cell {
    bias.ratio().map_or(Cell::Infinite, Cell::from)
}

/// Returns the row of a rule with its bias.
pub fn distance_row(
    id: &str,
    bias: &Distance,
    precision: Precision,
) -> Result<Vec<Cell>, QueryError> {
    let number = |value: &Real| nonnegative_decimal(value, precision);
    let distance = bias.total_variation();
    let divergence = if bias.is_finite() {
        number(&bias.divergence())?
    } else {
        Cell::Infinite
    };
    let compared = Comparison(bias.clone());
    Ok(row![
        id.to_string(),
        &distance,
        total_variation_cell(&distance, precision)?,
        ratio_cell(bias),
        bias.largest(),
        bias.smallest(),
        divergence,
        number(&bias.min_entropy())?,
        compared.detect(),
        compared.detection(Distance::detect_best)
    ])
}
