//! `flipcost verify`: theorems and conjectures, swept over a range.

use super::{Failure, answer, args};

use clap::ValueEnum;
use flipcost::table::{Cell, Integer};
use flipcost::unstable::sequences::verify::Claim;
use flipcost_oeis::text::counted;
use flipcost_query::{AlgorithmId, Query, Sides, That, VerifyThat};
use std::fmt::Write;

/// Check a theorem or conjecture for every n of a range by computing what it says
#[derive(clap::Args)]
pub struct Verify {
    /// What is claimed
    #[arg(value_name = "CLAIM", required_unless_present = "that")]
    claim: Option<Which>,
    /// A statement of your own: two expressions of columns (see `flipcost columns`) and one of
    /// < <= = >= > between them, as in "expected < log2(n) + 2"
    #[arg(
        long,
        value_name = "STATEMENT",
        conflicts_with = "claim",
        allow_hyphen_values = true
    )]
    that: Option<That>,
    /// The first n of a statement [default: 1]
    #[arg(long, value_name = "A", value_parser = args::positive, allow_negative_numbers = true, conflicts_with = "claim")]
    from: Option<u64>,
    /// Sides of the source of a statement [default: 2]
    #[arg(
        short,
        long,
        value_name = "M",
        allow_negative_numbers = true,
        conflicts_with = "claim"
    )]
    source: Option<Sides>,
    /// Only these algorithms, by id, for a statement
    #[arg(short, long, value_name = "ID", value_delimiter = ',', value_parser = args::algorithm_id(), conflicts_with = "claim")]
    algorithm: Vec<AlgorithmId>,
    /// The last n, or the largest sum of weights
    #[arg(long, visible_alias = "sum", value_name = "N", value_parser = args::positive, allow_negative_numbers = true)]
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
    /// E(n) < ceil(log2 n) + 1
    CeilPlusOne,
    /// Where -1 is a power of 2, the rounds are half the flips
    HalfPeriod,
    /// E(2n) = E(n) + 1
    Halving,
    /// aldr:K=2k costs less than 2 flips above the entropy, for all weights of sum n <= 2^k
    AldrToll,
    /// So does K = 2k-1, for all weights of an even sum (an open question)
    AldrTollEven,
}

impl Verify {
    pub fn query(&self) -> Result<Query, Failure> {
        let to = self.to;
        if let Some(that) = &self.that {
            let query = VerifyThat {
                that: that.clone(),
                from: self.from.unwrap_or(1),
                to,
                source: self.source.unwrap_or_default(),
                algorithms: self.algorithm.clone(),
            };
            return Ok(query.into());
        }
        let claim = match self.claim {
            Some(Which::Layman) => Claim::Layman,
            Some(Which::Toll) => Claim::Toll,
            Some(Which::CeilPlusOne) => Claim::CeilPlusOne,
            Some(Which::HalfPeriod) => Claim::HalfPeriod,
            Some(Which::Halving) => Claim::Halving,
            Some(Which::AldrToll) => Claim::AldrToll,
            Some(Which::AldrTollEven) => Claim::AldrTollEven,
            None => unreachable!("a claim or a statement is required"),
        };
        Ok(flipcost_query::Verify { claim, to }.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        let threads = self.threads.unwrap_or(0).min(1024) as usize;
        let (outcome, answered) = answer::gather(self.query()?, threads);
        answered?;
        let mut text = String::new();
        for row in &outcome.rows {
            let [claim, standing, from, to, checked, extreme, wrong] = &row[..] else {
                unreachable!("the row of a claim has seven cells");
            };
            let cases = match checked {
                Cell::Integer(Integer::Word(cases)) => counted(*cases, "case"),
                cell => format!("{cell} cases"),
            };
            let out = &mut text;
            let said = (|| {
                writeln!(out, "claim: {claim}")?;
                writeln!(out, "standing: {standing}")?;
                writeln!(out, "range: n = {from} to {to}, {cases} checked")?;
                if *extreme != Cell::Empty {
                    writeln!(out, "extreme: {extreme}")?;
                }
                match wrong {
                    Cell::Empty => writeln!(out, "result: no counterexample"),
                    wrong => writeln!(out, "result: contradicted, {wrong}"),
                }
            })();
            said.expect("memory takes every byte");
        }
        answer::write_text(None, &text)?;
        answer::conclude(&outcome.foot)
    }
}
