//! The question `oeis draft`: a submission to the OEIS.

use super::sequence::{SequenceId, indexed_rows};
use crate::draft::{self, Signature};
use crate::entry_of_sequence::entry;
use flipcost::sequences::Sequence;
use flipcost_number::threads::Workers;
use flipcost_question::prelude::*;
use std::cell::RefCell;
use std::num::NonZeroU64;

question! {
    /// Write a submission: the entry in internal format, and its b-file
    ///
    /// A submission to the OEIS: the entry in internal format as a text, and the terms of its
    /// b-file as rows. The notes say what the author has to fill in.
    pub struct OeisDraft: "oeis-draft", "oeis draft" {
        /// The A-number, or the id of a sequence (see `flipcost list sequences`)
        id: SequenceId; word("ID"),
        /// The author's name as registered with the OEIS; empty leaves a place to fill in.
        author: String = String::new(); option("NAME"),
        /// The date as the OEIS writes it, such as `Nov 21 2026`; empty leaves a place to fill in.
        date: String = String::new(); option("DATE"),
        /// The largest number of terms in the b-file; by default 10000, and fewer where terms are
        /// slow.
        terms: Option<NonZeroU64>; option("K").short('t'),
    }
    purpose: Sequences
    examples: [
        "oeis draft cycle-rounds:source=3",
        "oeis draft cycle-rounds:source=3 --author \"Ann Example\" -o draft",
    ]
}

/// The default number of terms of a b-file.
const TERMS: u64 = 10_000;
/// The largest number of terms of a b-file that a question may request; b-files of the OEIS have up
/// to some 100,000.
const MAX_B_FILE_TERMS: u64 = 1_000_000;
/// The number of terms that are computed at a time, since the b-file may end early, before a term
/// that is too long.
const CHUNK: u64 = 256;

impl OeisDraft {
    fn count(&self, sequence: &Sequence) -> u64 {
        let practical = sequence.practical().unwrap_or(TERMS);
        self.terms.map_or(practical, NonZeroU64::get)
    }
}

impl Question for OeisDraft {
    fn summary(&self, answer: &Answer) -> String {
        format!(
            "a draft of {} for the OEIS with a b-file of {}",
            self.id.0,
            count_with_noun(answer.rows.len() as u64, "term")
        )
    }

    fn is_streamed(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let Ok(sequence) = super::sequence::find("id", &self.id) else {
            return Estimate::NOTHING;
        };
        let count = self.count(&sequence);
        let last = sequence.offset().saturating_add(count);
        let digits = u128::from(sequence.digits(last).min(1000));
        let output = u128::from(count) * (20 + digits) + 10_000;
        Estimate::space(2 * output, output)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let sequence = super::sequence::find("id", &self.id)?;
        draft::check_date(&self.date).map_err(QueryError::for_field("date"))?;
        if let Some(terms) = self.terms.filter(|terms| terms.get() > MAX_B_FILE_TERMS) {
            let what = say!("{terms} terms are too many for a b-file");
            return Err(
                QueryError::wrong("terms", what).right(say!("{MAX_B_FILE_TERMS} is the most"))
            );
        }
        let (first, count) = (sequence.offset(), self.count(&sequence));
        let workers = Workers::new(control.threads);
        let stopped: RefCell<Option<QueryError>> = RefCell::new(None);
        let chunk = |from: u64| {
            control.go_on()?;
            let last = first.saturating_add(count) - 1;
            let to = last.min(from + CHUNK - 1);
            let terms = workers.run(|| sequence.terms(from..=to));
            control.progress(to + 1 - first, count);
            terms.map_err(QueryError::input)
        };
        let chunks = (first..first.saturating_add(count))
            .step_by(CHUNK as usize)
            .map_while(|from| match chunk(from) {
                Ok(terms) => Some(terms),
                Err(error) => {
                    *stopped.borrow_mut() = Some(error);
                    None
                }
            });
        let signature = Signature {
            author: self.author.clone(),
            date: self.date.clone(),
        };
        let made = draft::draft(&entry(&sequence), chunks.flatten(), Some(&signature));
        if let Some(error) = stopped.into_inner() {
            return Err(error);
        }
        let made = made.map_err(QueryError::input)?;
        let head = Head::new().columns(CellKind::Count, ["n", "a"]);
        sink.head(&head)?;
        indexed_rows(first as i64, &made.terms, control, sink)?;
        sink.foot(Foot {
            notes: made.notes.into_iter().map(Sentence::from).collect(),
            text: Some(made.text),
            ..Foot::default()
        })
    }
}
