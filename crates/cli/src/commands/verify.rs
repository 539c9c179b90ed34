//! Shows the answers of `flipcost verify`, and handles certificates.

use super::{Failure, QuestionCommand, answer, certificate};
use clap::{ArgMatches, ValueHint};
use flipcost::table::{Cell, Integer};
use flipcost_question::Query;
use flipcost_question::{Verdict, count_with_noun};
use flipcost_terminal::{question, terminal};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct VerifyArgs {
    /// Write a certificate: the digests of --digest for each block of 2^24 values of n
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["that", "digest"])]
    certificate: Option<PathBuf>,
    /// Continue the certificate that an interrupted run of the same command left next to the file
    #[arg(long, requires = "certificate")]
    resume: bool,
    /// Compute the values of a certificate again and compare the digests
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["that", "claim", "from", "to", "digest", "certificate"])]
    check: Option<PathBuf>,
    /// Compute only this many parts of the certificate again, spread evenly
    #[arg(long, value_name = "K", value_parser = crate::numbers::parse_positive, requires = "check")]
    parts: Option<u64>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "T", value_parser = crate::numbers::parse_positive, allow_negative_numbers = true)]
    threads: Option<u64>,
}

impl VerifyArgs {
    fn threads(&self) -> usize {
        self.threads.unwrap_or(0).min(1024) as usize
    }

    /// Checks that `--parts` is given only with `--check`; clap does not enforce this when another
    /// option excludes `--check`.
    fn check_parts_option(&self) -> Result<(), Failure> {
        match (&self.parts, &self.check) {
            (Some(_), None) => Err(Failure::Input(
                "--parts counts the parts of a certificate: name the certificate, as in --check FILE"
                    .to_string(),
            )),
            _ => Ok(()),
        }
    }
}

impl QuestionCommand for VerifyArgs {
    fn ask(&self, name: &str, matches: &ArgMatches) -> Result<Query, Failure> {
        self.check_parts_option()?;
        if !matches.contains_id("claim") && !matches.contains_id("that") {
            return Err(Failure::Input(
                "CLAIM is missing: `flipcost list claims` lists them, and --that checks your own statement"
                    .to_string(),
            ));
        }
        if self.check.is_some() || self.certificate.is_some() {
            return Err(Failure::Input(
                "a certificate needs many questions: `--query verify CLAIM --from A --to B --digest` prints the question of one part"
                    .to_string(),
            ));
        }
        question::query_from_matches(name, matches, Vec::new()).map_err(Failure::Input)
    }

    fn run_instead(&self, matches: &ArgMatches) -> Option<Result<(), Failure>> {
        if let Some(path) = &self.check {
            return Some(certificate::check_certificate(
                path,
                self.parts,
                self.threads(),
            ));
        }
        let path = self.certificate.as_ref()?;
        let query =
            question::query_from_matches("verify", matches, Vec::new()).map_err(Failure::Input);
        Some(query.and_then(|query| {
            let Some(query) = query.downcast::<flipcost_all::questions::Verify>() else {
                unreachable!("a certificate is for a claim");
            };
            let (claim, from, to) = (query.claim.0, query.from, query.to);
            certificate::write_certificate(path, claim, from, to, self.resume, self.threads())
        }))
    }

    fn run(self, query: Query) -> Result<(), Failure> {
        let threads = self.threads();
        let (outcome, answered) = answer::collect_partial(query, threads);
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
                Cell::Integer(Integer::Word(cases)) => count_with_noun(*cases, "case"),
                cell => format!("{cell} cases"),
            };
            let out = &mut text;
            let said = (|| {
                writeln!(out, "claim: {claim}")?;
                writeln!(out, "standing: {standing}")?;
                if *to != Cell::Empty {
                    writeln!(out, "range: n = {from} to {to}, {cases} checked")?;
                }
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
                    // the summary above already names the counterexample
                    _ if terminal::is_terminal() => writeln!(out, "result: contradicted"),
                    wrong => writeln!(out, "result: contradicted, {wrong}"),
                }
            })();
            said.expect("memory takes every byte");
        }
        answer::print_answer_text(&outcome, &text)?;
        answer::print_notes(&outcome.foot.notes);
        match outcome.foot.verdict {
            Some(Verdict::Fails(_)) => Err(Failure::Mismatch("the claim is contradicted".into())),
            _ => Ok(()),
        }
    }
}
