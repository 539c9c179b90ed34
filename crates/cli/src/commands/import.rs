//! `flipcost import`: what somebody else's chain costs.

use super::args::{OutputArgs, PrecisionArgs, SourceArg};
use super::{Failure, answer};
use flipcost_query::{ModelFormat, Query};
use std::path::PathBuf;

/// Read somebody's chain: its exact cost, its outcomes, whether it is fair, and how far it is from
/// the optimum
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Import {
    #[command(subcommand)]
    format: Format,
}

#[derive(clap::Subcommand)]
enum Format {
    Drn(Drn),
    PrismExplicit(PrismExplicit),
}

/// A discrete-time Markov chain in DRN, the explicit format of Storm
///
/// Numbers are taken as exactly what is written: a third is 1/3. Final states are those that only
/// lead to themselves; those with the same labels are one outcome. A chain without rewards costs 1
/// for every step.
#[derive(clap::Args)]
struct Drn {
    /// The file, also compressed by gzip
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The reward that is the cost, where there are several
    #[arg(long, value_name = "NAME")]
    reward: Option<String>,
    #[command(flatten)]
    how: How,
}

/// A discrete-time Markov chain in the explicit files of PRISM, as -exporttrans, -exportlabels and
/// -exportstaterewards write them
///
/// See `flipcost import drn --help`.
#[derive(clap::Args)]
struct PrismExplicit {
    /// The file of the transitions, .tra
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file of the labels, .lab [default: state 0 is initial, and every final state an outcome]
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// The file of the rewards of states, .srew [default: every step costs 1]
    #[arg(long, value_name = "FILE")]
    rewards: Option<PathBuf>,
    #[command(flatten)]
    how: How,
}

#[derive(clap::Args)]
struct How {
    /// List the outcomes with their probabilities instead
    #[arg(long)]
    law: bool,
    #[command(flatten)]
    source: SourceArg,
    #[command(flatten)]
    precision: PrecisionArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl Import {
    fn how(&self) -> &How {
        match &self.format {
            Format::Drn(drn) => &drn.how,
            Format::PrismExplicit(files) => &files.how,
        }
    }

    pub fn query(&self) -> Result<Query, Failure> {
        let how = self.how();
        let (format, file) = match &self.format {
            Format::Drn(drn) => (ModelFormat::Drn, &drn.file),
            Format::PrismExplicit(files) => (ModelFormat::PrismExplicit, &files.file),
        };
        let mut query = flipcost_query::Import {
            format,
            source: how.source.source,
            law: how.law,
            digits: how.precision.digits,
            exact: how.precision.exact,
            ..flipcost_query::Import::drn(file)
        };
        match &self.format {
            Format::Drn(drn) => query.reward.clone_from(&drn.reward),
            Format::PrismExplicit(files) => {
                query.labels.clone_from(&files.labels);
                query.rewards.clone_from(&files.rewards);
            }
        }
        Ok(query.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.how().output)
    }
}
