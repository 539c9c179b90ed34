//! `flipcost verify`: theorems and conjectures, swept over a range.

use super::Failure;
use super::args;
use super::sweep::progress;
use crate::rows::Output;
use clap::ValueEnum;
use flipcost::sequences::verify::{self, Claim};
use flipcost_oeis::text::counted;

/// Check a theorem or conjecture for every n of a range by computing what it says
#[derive(clap::Args)]
pub struct Verify {
    /// What is claimed
    #[arg(value_name = "CLAIM")]
    claim: Which,
    /// The last n
    #[arg(long, value_name = "N", value_parser = args::positive, allow_negative_numbers = true)]
    to: u64,
    /// Threads [default: all cores]
    #[arg(long, value_name = "T", value_parser = args::positive, allow_negative_numbers = true)]
    threads: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Primes p with primitive root 2 have (p-1)/2 rounds
    Layman,
    /// E(n) < log2 n + 2
    Toll,
    /// Where -1 is a power of 2, the rounds are half the flips
    HalfPeriod,
    /// E(2n) = E(n) + 1
    Halving,
}

impl Verify {
    pub fn run(self) -> Result<(), Failure> {
        let claim = match self.claim {
            Which::Layman => Claim::Layman,
            Which::Toll => Claim::Toll,
            Which::HalfPeriod => Claim::HalfPeriod,
            Which::Halving => Claim::Halving,
        };
        let bar = progress(self.to);
        let threads = self.threads.unwrap_or(0).min(1024) as usize;
        let outcome = verify::verify(claim, self.to, threads, |n| bar.set_position(n));
        bar.finish_and_clear();
        let outcome = outcome.map_err(Failure::input)?;
        let mut output = Output::open(None)?;
        output.with(|out| {
            writeln!(out, "claim: {}", claim.statement())?;
            writeln!(out, "standing: {}", claim.standing())?;
            let (first, to, checked) = (claim.first(), self.to, outcome.checked);
            let cases = counted(checked, "case");
            writeln!(out, "range: n = {first} to {to}, {cases} checked")?;
            if let Some(extreme) = &outcome.extreme {
                writeln!(out, "extreme: {extreme}")?;
            }
            match &outcome.counterexample {
                Some(wrong) => writeln!(out, "result: contradicted, {wrong}"),
                None => writeln!(out, "result: no counterexample"),
            }
        })?;
        output.finish()?;
        match outcome.counterexample {
            Some(wrong) => Err(Failure::Mismatch(format!("a counterexample: {wrong}"))),
            None => Ok(()),
        }
    }
}
