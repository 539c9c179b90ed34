//! The table `fourier`: see [`FourierSums`].

use super::tabulate::{Rows, Tabulate};
use crate::error::StudyError;
use crate::limits::{MAX_CURVES, MAX_OSCILLATIONS, check_at_most};
use crate::values::{FromText, MeasureText};
use flipcost::table::Cell;
use flipcost_number::threads;
use flipcost_toll::fourier::Fourier;
use schemars::JsonSchema;
use serde::Deserialize;

/// The toll of the fast dice roller with a coin over one period of log2 n, and partial sums of the
/// toll's Fourier series.
///
/// ```toml
/// table = { fourier = { block = 10, terms = [5, 20] } }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FourierSums {
    /// The exponent k of the range of n, which is 2^k to 2^(k+1).
    block: u32,
    /// The numbers of oscillations of the partial sums, in addition to the mean.
    terms: Vec<usize>,
}

/// The largest exponent k.
const MAX_BLOCK: u32 = 14;

/// The number of bits of the coefficients after the binary point. If these bits do not determine
/// the double to which a sum rounds, more bits are computed.
const COEFFICIENT_BITS: u64 = 100;

impl Tabulate for FourierSums {
    fn rows(&self) -> Result<Rows, StudyError> {
        check_at_most(
            "terms",
            self.terms.len() as u64,
            "partial sums",
            MAX_CURVES as u64,
        )?;
        check_at_most("block", self.block.into(), "for block", MAX_BLOCK.into())?;
        let most = self.terms.iter().copied().max().unwrap_or(0);
        check_at_most("terms", most as u64, "oscillations", MAX_OSCILLATIONS)?;
        let targets: Vec<u64> = (1u64 << self.block..2 << self.block).collect();
        let fourier = Fourier::new(most, COEFFICIENT_BITS);
        let sums = threads::map_of(&targets, &|n| fourier.partial_sums(*n, &self.terms));
        let toll = MeasureText::read("cost(n, algorithm: fast-dice-roller).toll")?;
        let tolls = toll.cells(&targets)?.unwrap_or_default();
        let mut rows = Vec::new();
        for ((n, toll), sums) in targets.iter().zip(tolls).zip(sums) {
            let mut row = vec![Cell::Integer((*n).into()), toll];
            for sum in sums {
                row.push(Cell::Decimal(sum.decimal(10)?));
            }
            rows.push(row);
        }
        let sums = self.terms.iter().map(|terms| format!("sum_{terms}"));
        let heads = ["n", "toll"].map(String::from).into_iter().chain(sums);
        Ok((heads.collect(), rows))
    }
}
