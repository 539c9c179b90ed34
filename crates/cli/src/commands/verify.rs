//! `flipcost verify`: theorems and conjectures, swept over a range.

use super::{Failure, answer, args, certificate};

use clap::{ValueEnum, ValueHint};
use flipcost::table::{Cell, Integer};
use flipcost::unstable::sequences::verify::Claim;
use flipcost_oeis::text::counted;
use flipcost_query::{AlgorithmId, Query, Sides, That, VerifyThat};
use std::fmt::Write;
use std::path::PathBuf;

/// Check a theorem or conjecture for every n of a range by computing what it says
#[derive(clap::Args)]
pub struct Verify {
    /// What is claimed
    #[arg(value_name = "CLAIM", required_unless_present_any = ["that", "check"])]
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
    /// The first n [default: the least that the claim speaks of]
    #[arg(long, value_name = "A", value_parser = args::positive, allow_negative_numbers = true)]
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
    #[arg(long, visible_alias = "sum", value_name = "N", value_parser = args::positive, allow_negative_numbers = true, required_unless_present = "check")]
    to: Option<u64>,
    /// Also print the SHA-256 of the values that decide the claim, and check some of them by a second
    /// method: of toll, ceil-plus-one, layman and half-period
    #[arg(long, conflicts_with = "that")]
    digest: bool,
    /// Write a certificate: digests as with --digest, for each 2^24 n; an interrupted run is gone on with
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["that", "digest"])]
    certificate: Option<PathBuf>,
    /// Compute a certificate again, and compare
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["that", "claim", "from", "to", "digest", "certificate"])]
    check: Option<PathBuf>,
    /// Only so many parts of the certificate, spread evenly
    #[arg(long, value_name = "K", value_parser = args::positive, requires = "check")]
    parts: Option<u64>,
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
    fn claim(&self) -> Claim {
        match self.claim {
            Some(Which::Layman) => Claim::Layman,
            Some(Which::Toll) => Claim::Toll,
            Some(Which::CeilPlusOne) => Claim::CeilPlusOne,
            Some(Which::HalfPeriod) => Claim::HalfPeriod,
            Some(Which::Halving) => Claim::Halving,
            Some(Which::AldrToll) => Claim::AldrToll,
            Some(Which::AldrTollEven) => Claim::AldrTollEven,
            None => unreachable!("a claim or a statement is required"),
        }
    }

    fn to(&self) -> u64 {
        self.to.expect("required, but for --check")
    }

    /// `--parts` needs `--check`: clap asks for that only where nothing excludes it.
    fn parts_of_a_certificate(&self) -> Result<(), Failure> {
        match (&self.parts, &self.check) {
            (Some(_), None) => Err(Failure::Input(
                "--parts counts the parts of a certificate: name it, as in --check FILE"
                    .to_string(),
            )),
            _ => Ok(()),
        }
    }

    pub fn query(&self) -> Result<Query, Failure> {
        self.parts_of_a_certificate()?;
        if self.check.is_some() || self.certificate.is_some() {
            return Err(Failure::Input(
                "a certificate is many questions: `--query verify CLAIM --from A --to B --digest` is that of one part"
                    .to_string(),
            ));
        }
        let to = self.to();
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
        let query = flipcost_query::Verify {
            claim: self.claim(),
            from: self.from,
            to,
            digest: self.digest,
        };
        Ok(query.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        self.parts_of_a_certificate()?;
        let threads = self.threads.unwrap_or(0).min(1024) as usize;
        if let Some(path) = &self.check {
            return certificate::check(path, self.parts, threads);
        }
        if let Some(path) = &self.certificate {
            return certificate::write(path, self.claim(), self.from, self.to(), threads);
        }
        let (outcome, answered) = answer::gather(self.query()?, threads);
        answered?;
        let mut text = String::new();
        for row in &outcome.rows {
            let [
                claim,
                standing,
                from,
                to,
                checked,
                extreme,
                wrong,
                digests @ ..,
            ] = &row[..]
            else {
                unreachable!("the row of a claim has seven cells or more");
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
                if let [values, sample, swept, second] = digests {
                    writeln!(out, "values: SHA-256 {values}")?;
                    writeln!(out, "{sample} of them: SHA-256 {swept}")?;
                    writeln!(out, "by a second method: SHA-256 {second}")?;
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
