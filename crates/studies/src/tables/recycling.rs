//! The table `recycling`: see [`Recycling`].

use super::tabulate::{Rows, Tabulate};
use crate::draw::headers;
use crate::error::{Mistake, StudyError};
use crate::limits::{MAX_CAPACITIES, check_at_most};
use crate::values::{Span, task};
use flipcost::table::Cell;
use flipcost_number::common_decimals;
use flipcost_number::{BigInt, Rational, Real};
use flipcost_streams::eager_repeat;
use schemars::JsonSchema;
use serde::Deserialize;

/// The loss of an endless stream of one target from a coin, for each target and c. Before every
/// outcome the store is filled up to 2^c values. If the chain of the stores has at most 600 states,
/// the cost is exact; otherwise it has the decimals that a rigorous enclosure decides. The table
/// also has the largest store for every capacity.
///
/// The loss is the flips per outcome minus log2 n. Grant's bound of the loss is H(p) / (1 - p),
/// where p = (n-1) / s, s is the least store, and H(p) is the entropy of a coin of probability p.
///
/// ```toml
/// table = { recycling = { targets = [5, 6, 52], bits = "6..12" } }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recycling {
    /// The sides of the targets.
    targets: Vec<u64>,
    /// The range of the exponent c.
    bits: Span,
}

/// H(p) / (1 - p) = -p/(1-p) log2 p - log2(1-p), 0 < p < 1.
fn grants_bound(p: &Rational) -> Real {
    let log = |x: &Rational| {
        let part = |part: &BigInt| Real::log(part.magnitude().clone(), 2);
        part(x.numer()).minus(&part(x.denom()))
    };
    let q = Rational::from_integer(1.into()) - p;
    let odds = Real::Exact(p / &q);
    let none = Real::integer(0);
    none.minus(&odds.times(&log(p))).minus(&log(&q))
}

fn recycling_row(n: u64, bits: u64) -> Result<Option<Vec<Cell>>, StudyError> {
    let task = task(2, n)?;
    let capacity = 1u64 << bits;
    let run = eager_repeat(task.source(), task.target(), capacity)?;
    let Some((least, largest)) = run.stores.filter(|_| capacity >= n) else {
        return Ok(None);
    };
    let entropy = Real::log(n, 2);
    let bound = grants_bound(&Rational::new(BigInt::from(n - 1), least.into()));
    let cost = [&run.low, &run.high].map(|cost| Real::Exact(cost.clone()));
    let loss = [&cost[0], &cost[1]].map(|cost| cost.minus(&entropy));
    let part = [&loss[0], &loss[1]].map(|loss| loss.over(&bound));
    let known = |[low, high]: [Real; 2]| {
        let common = common_decimals(&low, &high, 12)?;
        Ok::<_, StudyError>(common.map_or(Cell::Empty, Cell::Decimal))
    };
    let exact = run.exact.filter(|exact| exact.to_string().len() <= 100);
    Ok(Some(vec![
        Cell::Integer(n.into()),
        Cell::Integer(capacity.into()),
        Cell::Integer((largest as u64).into()),
        Cell::Integer((run.states.unwrap_or(0) as u64).into()),
        exact.map_or(Cell::Empty, Cell::from),
        known(cost)?,
        known(loss)?,
        Cell::Decimal(bound.decimal(12)?),
        known(part)?,
    ]))
}

impl Tabulate for Recycling {
    fn rows(&self) -> Result<Rows, StudyError> {
        check_at_most("bits", *self.bits.0.end(), "bits of a store", 24)?;
        let all = self.bits.count() * self.targets.len() as u64;
        check_at_most("targets", all, "capacities", MAX_CAPACITIES)?;
        let mut rows = Vec::new();
        for &n in &self.targets {
            if n < 2 {
                let what = "a target of one outcome takes no flips";
                let mistake = Mistake::in_field("targets", n, what);
                return Err(mistake.right("give targets of 2 outcomes or more").into());
            }
            for bits in self.bits.0.clone() {
                rows.extend(recycling_row(n, bits)?);
            }
        }
        let heads = headers([
            "n",
            "capacity",
            "largest_store",
            "states",
            "flips_exact",
            "flips",
            "loss",
            "bound",
            "part_of_bound",
        ]);
        Ok((heads, rows))
    }
}
