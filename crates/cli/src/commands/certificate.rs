//! Certificates of `flipcost verify`. A certificate says what was checked and has digests of the
//! computed values, part by part, so that anybody can recompute any part.

use super::{Failure, answer};
use crate::sweep::journal::Heading;
use crate::sweep::part::SweepOutput;
use flipcost::table::{Cell, Integer};
use flipcost_all::ClaimName;
use flipcost_all::questions::Verify;
use flipcost_one_draw::questions::Remarks;
use flipcost_question::Foot;
use flipcost_question::Query;
use flipcost_question::Verdict;
use flipcost_question::count_with_noun;
use flipcost_terminal::files;
use flipcost_toll::verify::Claim;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The number of n in each part, 2^24; the last part may have fewer.
const PART_LENGTH: u64 = 1 << 24;

/// A certificate, as its TOML file stores it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimCertificate {
    /// The command that makes the certificate, without the name of the file.
    pub command: String,
    /// The version of flipcost that made the certificate.
    pub version: String,
    /// The claim's name.
    pub claim: String,
    /// The statement of the claim.
    pub statement: String,
    /// Whether the claim is a theorem, and how it was checked.
    pub standing: String,
    /// Which values are digested.
    pub values: String,
    /// How a sample of the values was computed a second time.
    pub second_method: String,
    /// The first n.
    pub from: u64,
    /// The last n.
    pub to: u64,
    /// The certificate's parts, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub part: Vec<CertificatePart>,
}

/// A part of a range that was checked without a counterexample.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CertificatePart {
    /// The first n.
    pub from: u64,
    /// The last n.
    pub to: u64,
    /// The number of n about which the claim makes a statement.
    pub checked: u64,
    /// A description of the extreme case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extreme: Option<String>,
    /// The SHA-256 of the values.
    pub values_sha256: String,
    /// The number of n that were also computed by the second method.
    pub sample: u64,
    /// The SHA-256 of the sampled values, the same by both methods.
    pub sample_sha256: String,
}

fn file_failure(path: &Path, what: impl std::fmt::Display) -> Failure {
    let shown = path.display();
    Failure::Input(format!(
        "\"{shown}\" is not a certificate of `flipcost verify`: {what}"
    ))
}

/// Splits a range of n into parts.
fn split_range(from: u64, to: u64) -> impl Iterator<Item = (u64, u64)> {
    let starts = (from..=to).step_by(PART_LENGTH as usize);
    starts.map(move |start| (start, to.min(start.saturating_add(PART_LENGTH - 1))))
}

/// The question that checks a part or the whole range.
fn verify_question(claim: Claim, from: Option<u64>, to: u64) -> Verify {
    Verify {
        claim: ClaimName(claim),
        from,
        to,
        digest: true,
    }
}

/// Checks one part. Returns its entry in the certificate, or the sentence that contradicts the
/// claim.
fn check_part(
    claim: Claim,
    from: u64,
    to: u64,
    threads: usize,
) -> Result<Result<CertificatePart, String>, Failure> {
    let found = answer::collect_with_threads(verify_question(claim, Some(from), to), threads)?;
    if let Some(Verdict::Fails(wrong)) = found.foot.verdict {
        return Ok(Err(wrong));
    }
    let cell = |name: &'static str| {
        let mut column = found.column(name).expect("a column of the answer");
        column.next().expect("one row").clone()
    };
    let count = |name| match cell(name) {
        Cell::Integer(Integer::Word(count)) => count,
        other => unreachable!("{other} is not a count"),
    };
    Ok(Ok(CertificatePart {
        from,
        to,
        checked: count("checked"),
        extreme: match cell("extreme") {
            Cell::Empty => None,
            words => Some(words.to_string()),
        },
        values_sha256: cell("values_sha256").to_string(),
        sample: count("sample"),
        sample_sha256: cell("sample_sha256").to_string(),
    }))
}

impl ClaimCertificate {
    /// Makes the certificate of a range, without parts, before any part is checked.
    fn new(claim: Claim, from: Option<u64>, to: u64) -> Result<ClaimCertificate, Failure> {
        let query = verify_question(claim, from, to);
        let Some(record) = claim.record else {
            // the engine refuses this question, and its error gives the reason
            return Err(answer::collect(query)
                .err()
                .unwrap_or_else(|| unreachable!("the engine refuses a claim without records")));
        };
        Ok(ClaimCertificate {
            command: Query::from(query).command().to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            claim: claim.id.to_string(),
            statement: claim.statement.to_string(),
            standing: claim.standing.to_string(),
            values: record.values.to_string(),
            second_method: record.second.to_string(),
            from: from.unwrap_or(claim.first),
            to,
            part: Vec::new(),
        })
    }

    /// Reads a certificate and checks that its parts cover its range.
    pub fn read(path: &Path) -> Result<ClaimCertificate, Failure> {
        let text = files::read_text(path, files::DEFAULT_MAX_BYTES).map_err(|error| {
            Failure::Input(format!("cannot read \"{}\": {error}", path.display()))
        })?;
        let read: ClaimCertificate =
            toml::from_str(&text).map_err(|error| file_failure(path, error.message()))?;
        let ClaimName(claim) = (read.claim.parse())
            .map_err(|error: flipcost_all::UnknownClaim| file_failure(path, error))?;
        if !(claim.first..=claim.largest).contains(&read.from) || read.from > read.to {
            return Err(file_failure(
                path,
                format!("it has no n from {} to {}", read.from, read.to),
            ));
        }
        let known = read.part.iter().map(|part| (part.from, part.to));
        if !split_range(read.from, read.to).eq(known) {
            return Err(file_failure(path, "its parts do not cover its range"));
        }
        Ok(read)
    }

    fn claim(&self) -> Claim {
        let ClaimName(claim) = self.claim.parse().expect("a claim's name, as it was read");
        claim
    }
}

/// Writes a table of texts and numbers as TOML.
fn to_toml(table: &impl Serialize) -> String {
    toml::to_string(table).expect("it holds texts and numbers")
}

/// Checks a claim for a range, part by part, and writes its certificate. With `resume`, parts that
/// an interrupted run has finished are not checked again.
pub fn write_certificate(
    path: &Path,
    claim: Claim,
    from: Option<u64>,
    to: u64,
    resume: bool,
    threads: usize,
) -> Result<(), Failure> {
    let made = ClaimCertificate::new(claim, from, to)?;
    // Does not overwrite a different certificate, because computing it may have taken long.
    if path.exists() {
        let there = ClaimCertificate::read(path);
        if !there.is_ok_and(|there| there.command == made.command) {
            return Err(Failure::Input(format!(
                "\"{}\" already exists, but is not the certificate of `{}`: remove it, or name another file",
                path.display(),
                made.command
            )));
        }
    }
    let query = verify_question(claim, from, to).into();
    let heading = Heading::new(&query, None, to_toml(&made))?;
    let mut file = SweepOutput::open(Some(path), &heading, resume)?;
    let above = made.from - 1;
    let next = above + file.done() + 1;
    let mut count = 0;
    for (from, to) in split_range(made.from, made.to) {
        count += 1;
        if from < next {
            continue;
        }
        match check_part(claim, from, to, threads)? {
            Ok(part) => file.write(format!("\n[[part]]\n{}", to_toml(&part)).as_bytes())?,
            Err(wrong) => return contradiction_failure(wrong),
        }
        file.record_progress(to - above, to, Remarks::default())?;
    }
    file.finish(&count_with_noun(count, "part")).map(drop)
}

/// The failure of a check that found a contradiction.
fn contradiction_failure(wrong: String) -> Result<(), Failure> {
    answer::print_foot(&Foot {
        verdict: Some(Verdict::Fails(wrong)),
        ..Foot::default()
    })
}

/// Recomputes at most `most` parts of a certificate, spread evenly, or all parts if `most` is
/// `None`, and compares them with the stored parts.
pub fn check_certificate(path: &Path, most: Option<u64>, threads: usize) -> Result<(), Failure> {
    let known = ClaimCertificate::read(path)?;
    let claim = known.claim();
    let own = ClaimCertificate::new(claim, Some(known.from), known.to)?;
    let due = ClaimCertificate {
        command: known.command.clone(),
        part: known.part.clone(),
        ..own.clone()
    };
    if known.version == own.version && known != due {
        return Err(file_failure(
            path,
            "its texts about the claim differ from those of this program",
        ));
    }
    // the command may have left out --from, whose default is the first n of the claim
    let usual = ClaimCertificate::new(claim, None, known.to)?;
    let first = claim.first == known.from;
    if known.command != own.command && !(first && known.command == usual.command) {
        let (stated, wanted) = (&known.command, if first { usual } else { own }.command);
        return contradiction_failure(format!(
            "not as certified: its command is `{stated}`, but its claim and range need `{wanted}`"
        ));
    }
    let all = known.part.len();
    let some = most.map_or(all, |most| all.min(most as usize));
    let chosen = (0..some).map(|i| &known.part[i * all / some]);
    let mut wrong = None;
    for one in chosen {
        let found = check_part(known.claim(), one.from, one.to, threads)?;
        if found.as_ref() != Ok(one) {
            let said = found.map_or_else(|wrong| wrong, |_| "other values".to_string());
            wrong = Some(format!(
                "the part from n = {} to {}: {said}",
                one.from, one.to
            ));
            break;
        }
    }
    let result = match &wrong {
        None => "as certified".to_string(),
        Some(wrong) => format!("not as certified, {wrong}"),
    };
    // prints this program's statement of the claim, not the one in the file
    let text = format!(
        "claim: {}\nrange: n = {} to {}\nversion: {}, as the file says (not checked)\nparts: {some} of {all} computed again\nresult: {result}\n",
        claim.statement, known.from, known.to, known.version
    );
    answer::write_text(None, &text)?;
    match wrong {
        Some(wrong) => contradiction_failure(wrong),
        None => Ok(()),
    }
}
