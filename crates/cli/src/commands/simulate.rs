//! `flipcost simulate`: Monte Carlo against the exact law.

use super::Failure;
use super::args::{self, OutputArgs, RowFormat, SourceArg};
use super::sweep::progress;
use crate::rows::Output;
use flipcost::algorithms::simulate::{ChiSquare, simulate_telling};
use flipcost::algorithms::{Algorithm, FAST_DICE_ROLLER};
use flipcost::number::BigUint;
use flipcost::table::Cell;
use flipcost::task::Task;
use std::path::PathBuf;

/// Roll very often, and test mean, outcomes and numbers of rolls against the exact law
#[derive(clap::Args)]
pub struct Simulate {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    /// The algorithm, by id (see `flipcost algorithms`)
    #[arg(short, long, value_name = "ID", default_value = FAST_DICE_ROLLER.about().id, value_parser = args::algorithm())]
    algorithm: &'static dyn Algorithm,
    #[command(flatten)]
    source: SourceArg,
    /// How often the target is rolled
    #[arg(long, value_name = "K", default_value = "1_000_000", value_parser = args::positive, allow_negative_numbers = true)]
    trials: u64,
    /// The seed of the generator: the same seed repeats the same rolls
    #[arg(long, value_name = "S", default_value = "1", value_parser = args::word, allow_negative_numbers = true)]
    seed: u64,
    /// Threads [default: all cores]; the result does not depend on it
    #[arg(short, long, value_name = "T", value_parser = args::positive, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// Write one row of numbers with the verdict, instead of sentences (table)
    #[arg(short, long, default_value = "table")]
    format: RowFormat,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The most trials: counts stay exact.
const MOST: u64 = 1 << 40;

impl Simulate {
    pub fn run(self) -> Result<(), Failure> {
        if self.trials > MOST {
            return Err(Failure::Input(format!(
                "{} trials are too many: 2^40 is the most",
                self.trials
            )));
        }
        let dice = Task::dice(self.source.source, self.n.clone()).map_err(Failure::input)?;
        let method = self.algorithm;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0).min(1024) as usize)
            .build()
            .map_err(Failure::input)?;
        let bar = progress(self.trials);
        let tell = |trials| bar.inc(trials);
        let found = pool.install(|| simulate_telling(method, &dice, self.trials, self.seed, &tell));
        bar.finish_and_clear();
        let found = found.map_err(Failure::input)?;
        let verdict = if found.agrees { "agrees" } else { "disagrees" };
        let (low, high) = found.interval;
        match self.format {
            RowFormat::Table => {
                let test = |test: &ChiSquare| {
                    format!(
                        "chi-square {:.3}, {} degrees of freedom, p = {:.4}",
                        test.statistic, test.degrees, test.p
                    )
                };
                let text = format!(
                    "{} trials of {}, a d{} from {}, seed {}\n\
                     mean      {:.6} {}s, 95% confidence {low:.6} to {high:.6}; exact {}, p = {:.4}\n\
                     outcomes  {}\n\
                     rolls     {}\n\
                     {}\n",
                    found.trials,
                    method.about().id,
                    self.n,
                    dice.source().with_article(),
                    found.seed,
                    found.mean,
                    dice.source().unit().singular(),
                    found.expected,
                    found.mean_p,
                    test(&found.outcomes),
                    test(&found.rolls),
                    found.verdict()
                );
                Output::write_all(self.output.as_deref(), text.as_bytes())?;
            }
            RowFormat::Csv | RowFormat::Jsonl => {
                let word = |text: &str| Cell::Text(text.to_string());
                let count = |k: u64| Cell::Integer(k.into());
                let columns = [
                    ("algorithm", word(method.about().id)),
                    ("source", count(self.source.source)),
                    ("target", Cell::Integer((&self.n).into())),
                    ("trials", count(found.trials)),
                    ("seed", count(found.seed)),
                    ("mean", Cell::Double(found.mean)),
                    ("mean_low", Cell::Double(low)),
                    ("mean_high", Cell::Double(high)),
                    ("expected", Cell::Double(found.expected)),
                    ("mean_p", Cell::Double(found.mean_p)),
                    (
                        "outcomes_chi_square",
                        Cell::Double(found.outcomes.statistic),
                    ),
                    ("outcomes_degrees", count(found.outcomes.degrees)),
                    ("outcomes_p", Cell::Double(found.outcomes.p)),
                    ("rolls_chi_square", Cell::Double(found.rolls.statistic)),
                    ("rolls_degrees", count(found.rolls.degrees)),
                    ("rolls_p", Cell::Double(found.rolls.p)),
                    ("verdict", word(verdict)),
                ];
                let (headers, row): (Vec<&str>, Vec<Cell>) = columns.into_iter().unzip();
                let output = OutputArgs {
                    format: Some(self.format),
                    output: self.output,
                };
                output.write(&headers, &[row])?;
            }
        }
        match found.agrees {
            true => Ok(()),
            false => Err(Failure::Mismatch(found.verdict())),
        }
    }
}
