//! `flipcost distribution`: the whole law of T.

use super::Failure;
use super::args::{self, OutputArgs, PrecisionArgs, RowFormat, SourceArg};
use flipcost::algorithms::{self, Algorithm};
use flipcost::law::Law;
use flipcost::number::expression::parse_rational;
use flipcost::number::real::Real;
use flipcost::number::{BigUint, Rational};
use flipcost::table::fraction;
use flipcost::table::{Cell, Precision};
use flipcost::task::Task;
use num_traits::{One, Zero};

/// The exact distribution of the number of rolls: P(T = t) and P(T > t)
#[derive(clap::Args)]
pub struct Distribution {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    /// The algorithm, by id (see `flipcost algorithms`)
    #[arg(short, long, value_name = "ID", value_parser = args::algorithm())]
    algorithm: &'static dyn Algorithm,
    #[command(flatten)]
    source: SourceArg,
    /// The last t [default: the worst case, or the first t with P(T > t) < 1/1000]
    #[arg(short, long, value_name = "T", value_parser = args::word, allow_negative_numbers = true)]
    upto: Option<u64>,
    /// Print quantiles instead: the least t with P(T <= t) >= q, for each q
    #[arg(short, long, value_name = "Q", value_delimiter = ',', value_parser = quantile, num_args = 0.., allow_negative_numbers = true, default_missing_value = "1/2,9/10,99/100,999/1000")]
    quantiles: Option<Vec<Rational>>,
    #[command(flatten)]
    precision: PrecisionArgs,
    #[command(flatten)]
    output: OutputArgs,
}

fn quantile(text: &str) -> Result<Rational, String> {
    let q = parse_rational(text).map_err(|error| error.to_string())?;
    if q > Rational::one() {
        return Err("a quantile lies between 0 and 1".to_string());
    }
    Ok(q)
}

/// The algorithm's law for these dice.
pub fn law(method: &dyn Algorithm, dice: &Task) -> Result<Law, Failure> {
    method
        .prepare(dice)
        .map_err(Failure::input)?
        .law()
        .map_err(|error| {
            Failure::Input(format!(
                "{} has no closed form for n = {}, and {error}",
                method.about().id,
                algorithms::short(dice.target().weight_sum())
            ))
        })
}

/// Rows at once; the fraction of row t has t digits in base m.
const MOST_ROWS: u64 = 20_000;

impl Distribution {
    pub fn run(self) -> Result<(), Failure> {
        let dice = Task::dice(self.source.source, self.n.clone()).map_err(Failure::input)?;
        let law = law(self.algorithm, &dice)?;
        if let Some(quantiles) = &self.quantiles {
            let row = |q: &Rational| match law.quantile(q) {
                Some(t) => vec![Cell::Exact(fraction(q)), Cell::Integer(t.into())],
                None => vec![Cell::Exact(fraction(q)), Cell::Text("inf".to_string())],
            };
            let rows: Vec<_> = quantiles.iter().map(row).collect();
            return self.output.write(&["quantile", "t"], &rows);
        }
        let last = self.upto.or(law.worst_case()).unwrap_or_else(|| {
            let enough = Rational::new(999.into(), 1000.into());
            law.quantile(&enough)
                .expect("below 1 every quantile is finite")
        });
        let precision = self.precision.precision();
        if last > MOST_ROWS {
            return Err(Failure::Input(format!(
                "--upto {last} asks for too many rows: {MOST_ROWS} is the most at once"
            )));
        }
        let rows = rows(&law, last, precision).map_err(Failure::input)?;
        self.output.write(
            &[
                "t",
                "probability_exact",
                "probability",
                "survival_exact",
                "survival",
            ],
            &rows,
        )?;
        if self.output.format() == RowFormat::Table && self.output.output.is_none() {
            let written = |value: &Real| precision.cell(value).map(|cell| cell.to_string());
            let mean = written(&law.mean()).map_err(Failure::input)?;
            let variance = written(&law.variance()).map_err(Failure::input)?;
            let worst = law.worst_case().map_or("unbounded".to_string(), |t| {
                format!("{t} {}s", dice.source().unit().singular())
            });
            println!(
                "mean {mean} {}s, variance {variance}, worst case {worst}",
                dice.source().unit().singular()
            );
        }
        Ok(())
    }
}

/// The rows t = 0 ..= last.
pub fn rows(
    law: &Law,
    last: u64,
    precision: Precision,
) -> Result<Vec<Vec<Cell>>, flipcost::number::real::Undecided> {
    let mut before = Rational::one(); // P(T > -1)
    let mut rows = Vec::new();
    for (t, survival) in (0..=last).zip(law.survival()) {
        let probability = &before - &survival;
        let double = |value: &Rational| precision.cell(&Real::Exact(value.clone()));
        rows.push(vec![
            Cell::Integer(t.into()),
            Cell::Exact(fraction(&probability)),
            double(&probability)?,
            Cell::Exact(fraction(&survival)),
            double(&survival)?,
        ]);
        if survival.is_zero() {
            break;
        }
        before = survival;
    }
    Ok(rows)
}
