//! The question `oeis check`: whether computed terms of named sequences agree with published ones.

use super::sequence::{SequenceId, integer};
use crate::check::{self, ComparisonReport};
use crate::entry_of_sequence::a_number;
use crate::{detect, published};
use flipcost::sequences;
use flipcost::sequences::Sequence;
use flipcost_number::BigInt;
use flipcost_number::threads::Workers;
use flipcost_question::Verdict;
use flipcost_question::count_with_noun;
use flipcost_question::prelude::*;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

question! {
    /// Compare computed terms with published ones
    ///
    /// Compares computed terms with those that the OEIS publishes: a row for each sequence. The
    /// verdict fails if a term differs.
    pub struct OeisCheck: "oeis-check", "oeis check" {
        /// The A-number, or the id of a sequence (see `flipcost list sequences`)
        id: Option<SequenceId>; word("ID"),
        /// Every sequence that has an A-number
        all: bool; flag().without(&["id"]),
        /// A b-file, an entry in internal format, or a plain list [default: the terms inside the
        /// program]
        against: Option<PathBuf>; option("FILE").without(&["all"]),
        /// Shift the published terms by a few places if no term agrees at its own index, but all
        /// agree after the shift
        align: bool; flag(),
        /// How many terms to compute [default: as many as are published, and a few more]
        terms: Option<NonZeroU64>; option("K").short('t'),
    }
    purpose: Sequences
    examples: [
        "oeis check A136043",
        "oeis check --all",
        "oeis check cycle-rounds:source=3 --against b-file.txt",
    ]
}

/// Returns whether a text looks like the name of a file.
fn looks_like_file(id: &str) -> bool {
    let path = Path::new(id);
    path.extension().is_some() && !id.contains(':') || path.is_file()
}

/// Returns the A-number in the name of a b-file, such as b136043.txt. For other names, returns an
/// A-number that serves as an example.
fn number_of_file(file: &str) -> String {
    let stem = Path::new(file)
        .file_stem()
        .map(|stem| stem.to_string_lossy());
    let digits = stem.as_ref().and_then(|stem| stem.strip_prefix(['a', 'b']));
    let digits =
        digits.filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_digit()));
    format!("A{}", digits.unwrap_or("136043"))
}

/// Published terms, and their offset if it is known.
type Published = (Option<i64>, Vec<BigInt>);

impl OeisCheck {
    /// The check of one sequence against the terms inside the program.
    pub fn new(id: impl Into<SequenceId>) -> OeisCheck {
        OeisCheck {
            id: Some(id.into()),
            all: false,
            against: None,
            align: false,
            terms: None,
        }
    }

    /// Returns the published terms of a sequence, and their offset if it is known.
    fn published(&self, sequence: &Sequence) -> Result<Published, QueryError> {
        let name = sequence.name();
        let number = a_number(sequence);
        if let Some(file) = &self.against {
            let loaded = detect::load(file, number).map_err(QueryError::for_field("against"))?;
            return Ok((loaded.offset, loaded.terms));
        }
        let carried = number.and_then(published::find).ok_or_else(|| {
            let what = say!("the program contains no published terms of {name}");
            QueryError::wrong("id", what)
                .right(say!("give terms with ", field("against").with_word("FILE")))
        })?;
        Ok((Some(carried.offset), carried.terms))
    }

    /// Returns every sequence that has an A-number, with its published terms.
    fn all(&self) -> Result<Vec<(Sequence, Published)>, QueryError> {
        if self.against.is_some() {
            let what = say!(
                field("against"),
                " has the terms of one sequence and ",
                field("all"),
                " means every one"
            );
            return Err(QueryError::wrong("against", what).right("give one of them"));
        }
        let mut all = sequences::all();
        all.retain(|sequence| sequence.a_number().is_some());
        all.sort_by_key(a_number);
        let with_terms = |one: Sequence| Ok((one.clone(), self.published(&one)?));
        all.into_iter().map(with_terms).collect()
    }

    /// Returns the sequences to check, each with its published terms.
    fn sequences(&self) -> Result<Vec<(Sequence, Published)>, QueryError> {
        match (&self.id, self.all) {
            (Some(_), true) => {
                let what = say!(
                    field("id"),
                    " names one sequence and ",
                    field("all"),
                    " means every one"
                );
                Err(QueryError::wrong("all", what).right("give one of them"))
            }
            (Some(id), false) => {
                let sequence = super::sequence::find("id", id).map_err(|error| {
                    let SequenceId(id, _) = id;
                    if !looks_like_file(id) {
                        return error;
                    }
                    let what = say!(
                        "\"{id}\" is a file of terms, but no sequence is named to compare them with"
                    );
                    let check = OeisCheck {
                        against: Some(id.into()),
                        ..OeisCheck::new(number_of_file(id))
                    };
                    QueryError::wrong("id", what)
                        .right(say!("give a name and the file, as in ", check))
                })?;
                let published = self.published(&sequence)?;
                Ok(vec![(sequence, published)])
            }
            (None, true) => self.all(),
            (None, false) => {
                let what = "no sequence to check is given";
                Err(QueryError::wrong("id", what).right(say!(
                    "give its ",
                    field("id"),
                    ", such as A136043, or ",
                    field("all").is(true),
                    " for every sequence that has an A-number"
                )))
            }
        }
    }

    fn report(
        &self,
        sequence: &Sequence,
        (offset, published): Published,
        control: &Control,
    ) -> Result<ComparisonReport, QueryError> {
        let offset_here = sequence.offset();
        let ahead = offset.map_or(0, |offset| {
            (offset - offset_here as i64).clamp(0, 1 << 20) as u64
        });
        let enough = published.len() as u64 + ahead + check::MAX_SHIFT as u64;
        let most = sequence.practical().unwrap_or(u64::MAX);
        let count = self.terms.map_or(enough.min(most), NonZeroU64::get);
        let terms = Workers::new(control.threads).run(|| sequence.first(count));
        let terms = terms.map_err(QueryError::input)?;
        let compare = if self.align {
            check::check_with_shift
        } else {
            check::check
        };
        Ok(ComparisonReport {
            is_own_file: self.against.is_some(),
            ..compare(offset_here as i64, &terms, offset, &published)
        })
    }
}

/// Returns the row of a sequence.
fn report_row(sequence: &Sequence, report: &ComparisonReport) -> Vec<Cell> {
    let text = |text: &str| Cell::Text(text.to_string());
    let signed = |value: Option<i64>| value.map_or(Cell::Empty, |v| integer(&v.into()));
    let wrong = report.mismatch.as_ref();
    let term = |value: Option<&BigInt>| value.map_or(Cell::Empty, integer);
    let count = |value: usize| Cell::Integer((value as u64).into());
    vec![
        text(sequence.id()),
        sequence.a_number().map_or(Cell::Empty, text),
        text(match report.verdict {
            check::Agreement::Agree => "agree",
            check::Agreement::Mismatch => "differ",
            check::Agreement::NothingToCompare => "nothing to compare",
        }),
        count(report.compared),
        count(report.equal),
        signed(Some(report.first)),
        signed(report.published_offset),
        signed(wrong.map(|wrong| wrong.index)),
        term(wrong.map(|wrong| &wrong.computed)),
        term(wrong.map(|wrong| &wrong.published)),
        count(report.computed_beyond),
        count(report.published_unchecked),
        text(&report.to_string()),
    ]
}

impl Question for OeisCheck {
    fn summary(&self, answer: &Answer) -> String {
        let verdicts = answer.column("verdict").into_iter().flatten();
        let bad = verdicts.filter(|cell| cell.to_string() != "holds").count();
        match (answer.rows.len(), answer.cell(0, "a_number")) {
            (1, Cell::Empty) => format!("{}: {}", answer.cell(0, "id"), answer.cell(0, "report")),
            (1, number) => format!("{number}: {}", answer.cell(0, "report")),
            (many, _) if bad == 0 => format!("all {many} sequences agree with what is published"),
            (many, _) => format!("{bad} of {many} sequences do not agree with what is published"),
        }
    }

    fn is_streamed(&self) -> bool {
        true
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let sequences = self.sequences()?;
        let head = Head::new()
            .columns(CellKind::Text, ["id", "a_number", "verdict"])
            .measured("compared", CellKind::Count, "terms")
            .measured("equal", CellKind::Count, "terms")
            .column("from", CellKind::Count)
            .column("published_offset", CellKind::Count)
            .column("differs_at", CellKind::Count)
            .column("computed", CellKind::Count)
            .column("published", CellKind::Count)
            .measured("beyond", CellKind::Count, "terms")
            .measured("not_compared", CellKind::Count, "terms")
            .column("report", CellKind::Text);
        sink.head(&head)?;
        let (mut agree, mut compared, mut wrong) = (0, 0, Vec::new());
        let mut movable = false;
        let all = sequences.len() as u64;
        for (done, (sequence, published)) in (1..).zip(sequences) {
            control.go_on()?;
            let report = self.report(&sequence, published, control)?;
            sink.rows(vec![report_row(&sequence, &report)])?;
            compared += report.compared as u64;
            movable |= report.agrees_at.is_some();
            let name = sequence.name();
            match report.verdict {
                check::Agreement::Agree => agree += 1,
                check::Agreement::Mismatch => wrong.push(name.to_string()),
                check::Agreement::NothingToCompare => {
                    let what = say!(
                        "{name} has no index in common with the published terms, so nothing was compared"
                    );
                    return Err(QueryError::general(what));
                }
            }
            control.progress(done, all);
        }
        let mut foot = Foot::default();
        if self.all {
            let (all, terms) = (
                count_with_noun(all, "sequence"),
                count_with_noun(compared, "term"),
            );
            foot.note(format!("{agree} of {all} agree, {terms} compared"));
            foot.note(published::ATTRIBUTION);
        }
        if movable {
            foot.note(say!(
                "some terms agree only after a shift; ",
                field("align").is(true),
                " shifts them"
            ));
        }
        foot.verdict = Some(match wrong[..] {
            [] => Verdict::Holds,
            _ => Verdict::Fails(format!(
                "the terms of {} differ from {}",
                wrong.join(", "),
                match self.against {
                    Some(_) => "those of the file",
                    None => "the published ones",
                }
            )),
        });
        sink.foot(foot)
    }

    fn names_a_file(&self) -> bool {
        self.against.is_some()
    }
}
