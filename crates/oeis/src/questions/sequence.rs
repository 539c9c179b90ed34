//! The question `sequence`: the terms of a named sequence.

use flipcost::algorithms::Catalogue;
use flipcost::sequences;
use flipcost::sequences::{MAX_INDEX, MAX_TERMS, SequenceError};
use flipcost_number::mr;
use flipcost_number::threads::Workers;
use flipcost_number::{BigInt, Rational, Real};
use flipcost_question::Natural;
use flipcost_question::nearest;
use flipcost_question::prelude::*;
use flipcost_question::serde_json::Value as Json;
use num_traits::ToPrimitive;
use std::fmt;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;

question! {
    /// The terms of a named sequence, by its A-number or by its id, such as mr-period:base=3
    ///
    /// The terms of a named sequence: a row for each, with its index n and a(n). For the
    /// MR-expansion of a rational number, a note gives the pre-period and the period.
    pub struct NamedSequence: "sequence" {
        /// Its A-number, or its id (see `flipcost list sequences`)
        id: SequenceId; word("ID"),
        /// How many terms, counted from the first index [default: 50, fewer where terms are slow]
        terms: Option<NonZeroU64>; option("K").short('t').without(&["to"]),
        /// The first index [default: the offset of the sequence]
        from: Option<u64>; option("A"),
        /// The last index
        to: Option<u64>; option("B"),
    }
    purpose: Sequences
    examples: ["sequence A136043", "sequence mr-period:base=3 --terms 100", "sequence mr:x=1/29,base=3"]
}

/// A sequence by its A-number or id, as it was typed; and the algorithms that the id can contain.
#[derive(Clone)]
pub struct SequenceId(pub String, pub Catalogue);

impl<T: Into<String>> From<T> for SequenceId {
    fn from(text: T) -> SequenceId {
        SequenceId(text.into(), Catalogue::default())
    }
}

impl PartialEq for SequenceId {
    fn eq(&self, other: &SequenceId) -> bool {
        self.0 == other.0
    }
}

impl fmt::Debug for SequenceId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FieldValue for SequenceId {
    fn of_json(json: &Json, names: Names) -> Result<SequenceId, Sentence> {
        Ok(SequenceId(String::of_json(json, names)?, names.algorithms))
    }

    fn json(&self) -> Option<Json> {
        self.0.json()
    }
}

/// The default number of terms; fewer if terms are slow.
const TERMS: u64 = 50;
/// The number of steps for writing a short term.
const STEPS_OF_WRITING: u128 = 150;
/// The number of rows that are passed on together.
const CHUNK: usize = 4096;

impl NamedSequence {
    /// Returns the question about the first 50 terms of a sequence.
    pub fn new(id: impl Into<SequenceId>) -> NamedSequence {
        NamedSequence {
            id: id.into(),
            terms: None,
            from: None,
            to: None,
        }
    }

    /// Returns the sequence, and the indices of its terms.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the sequence does not exist, or the range of indices is invalid.
    pub fn resolve(&self) -> Result<(sequences::Sequence, RangeInclusive<u64>), QueryError> {
        let sequence = find("id", &self.id)?;
        let from = self.from.unwrap_or(sequence.offset());
        let to = match (self.terms, self.to) {
            (Some(_), Some(_)) => {
                let what = say!(
                    field("terms"),
                    " and ",
                    field("to"),
                    " both say where the terms end"
                );
                return Err(QueryError::wrong("to", what).right("give one of them"));
            }
            (_, Some(to)) => to,
            (terms, None) => {
                // if terms are slow, compute only as many as take a short time
                let usual = sequence.practical().unwrap_or(TERMS).clamp(1, TERMS);
                from.saturating_add(terms.map_or(usual, NonZeroU64::get) - 1)
            }
        };
        if from > to {
            return Err(QueryError::reversed_range(from, to, "index"));
        }
        if to - from >= MAX_TERMS {
            let what = say!("{MAX_TERMS} terms are the most at once");
            return Err(QueryError::general(what).right("ask for a smaller range"));
        }
        check_expansion(&sequence, to)?;
        Ok((sequence, from..=to))
    }
}

/// The largest number of terms of the MR-expansion of an irrational number. All of them are
/// computed before the first is shown.
const MAX_IRRATIONAL: u64 = 200_000;

/// Refuses an MR-expansion that would take too long: that of a fraction with too many bits, or too
/// many terms of the expansion of an irrational number.
fn check_expansion(sequence: &sequences::Sequence, to: u64) -> Result<(), QueryError> {
    match sequence.mr_expansion() {
        Some((Real::Exact(x), _)) => {
            let bits = x.numer().bits().max(x.denom().bits());
            if bits <= Natural::MAX_BITS {
                return Ok(());
            }
            let most = Natural::MAX_BITS;
            let right = format!("numerator and denominator must be below 2^{most}");
            Err(QueryError::wrong("id", say!("a fraction of {bits} bits is too long")).right(right))
        }
        Some(_) if to > MAX_IRRATIONAL => {
            let what = format!("{to} terms of an irrational number are too many");
            Err(QueryError::wrong("terms", what).right(format!("{MAX_IRRATIONAL} is the most")))
        }
        _ => Ok(()),
    }
}

impl Question for NamedSequence {
    fn summary(&self, answer: &Answer) -> String {
        let terms = answer.rows.len();
        let count = count_with_noun(terms as u64, "term");
        let ends = [0, terms.saturating_sub(1)].map(|row| answer.cell(row, "n"));
        format!(
            "{count} of {}, from n = {} to {}",
            self.id.0, ends[0], ends[1]
        )
    }

    fn is_streamed(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let Ok((sequence, range)) = self.resolve() else {
            return Estimate::NOTHING;
        };
        let count = u128::from(range.end() - range.start()) + 1;
        let digits = u128::from(sequence.digits(*range.end()));
        Estimate::new(
            steps_with_writing(&sequence, &range),
            count * (40 + digits / 2),
            count * (20 + digits),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let (sequence, range) = self.resolve()?;
        let from = *range.start();
        // All terms are computed before the first row is shown, so that a term without a value
        // leaves no incomplete answer.
        let terms = compute_terms_in_parts(&sequence, range, control)?;
        let head = Head::new().columns(CellKind::Count, ["n", "a"]);
        sink.head(&head)?;
        indexed_rows(from as i64, &terms, control, sink)?;
        sink.foot(period_note(&sequence, control)?)
    }
}

/// The number of terms in which the period of a rational is searched for, if its numbers are
/// machine words.
const MAX_SEARCHED: u64 = 20_000_000;

/// Returns the note with the pre-period and the period, if the sequence is the MR-expansion of a
/// rational. For other sequences, returns no note.
fn period_note(sequence: &sequences::Sequence, control: &Control) -> Result<Foot, QueryError> {
    let mut foot = Foot::default();
    let Some((Real::Exact(x), base)) = sequence.mr_expansion() else {
        return Ok(foot);
    };
    // each term of a long rational takes more time, so fewer terms are searched
    let most = MAX_SEARCHED / (1 + x.denom().bits() / 64);
    let found = mr::period(x, base, most, || control.go_on().is_ok());
    control.go_on()?;
    foot.note(match &found {
        Some(period) => format!("pre-period {}, period {}", period.before, period.length),
        None => format!("no period was found: the search ends after {most} terms"),
    });
    if let Some(period) = found {
        foot.values = vec![
            (
                "pre_period".to_string(),
                Cell::Integer(period.before.into()),
            ),
            ("period".to_string(), Cell::Integer(period.length.into())),
        ];
    }
    Ok(foot)
}

/// Estimates the number of steps for computing and writing the terms of a range.
fn steps_with_writing(sequence: &sequences::Sequence, range: &RangeInclusive<u64>) -> u128 {
    let count = u128::from(range.end() - range.start()) + 1;
    let digits = u128::from(sequence.digits(*range.end()));
    let writing = count.saturating_mul(STEPS_OF_WRITING + digits * digits / (1 << 14));
    sequence.work(range).saturating_add(writing)
}

/// Returns the terms of a range, which are computed in parts if the range is long and can be split.
fn compute_terms_in_parts(
    sequence: &sequences::Sequence,
    range: RangeInclusive<u64>,
    control: &Control,
) -> Result<Vec<BigInt>, QueryError> {
    let (first, last) = range.into_inner();
    let count = last - first + 1;
    // A range beyond the limit is not split, so that a single error refuses it.
    let part = sequence.part().filter(|_| last <= MAX_INDEX);
    let part = part.unwrap_or(count).min(count);
    let workers = Workers::new(control.threads);
    // the time of a term depends on its index, and all terms are written afterwards
    let all = steps_with_writing(sequence, &(first..=last));
    let mut terms = Vec::new();
    for from in (first..=last).step_by(part as usize) {
        control.go_on()?;
        let to = from.saturating_add(part - 1).min(last);
        let some = workers.run(|| sequence.terms(from..=to));
        terms.extend(some.map_err(QueryError::input)?);
        control.progress_of_time(sequence.work(&(first..=to)), all, count);
    }
    Ok(terms)
}

/// Returns the sequence of an id or an A-number; errors are about this field.
pub fn find(
    name: &str,
    SequenceId(id, algorithms): &SequenceId,
) -> Result<sequences::Sequence, QueryError> {
    sequences::find_with(id, *algorithms).map_err(|error| {
        let wrong = QueryError::wrong(name, error.to_string());
        match error {
            SequenceError::Unknown(_) => {
                let all = crate::questions::SequenceList { word: None };
                let ids: Vec<String> = sequences::all()
                    .iter()
                    .map(|one| one.id().to_string())
                    .collect();
                let near = nearest(id, ids.iter().map(String::as_str));
                let near = near.map_or(String::new(), |near| format!("did you mean {near}? "));
                wrong.right(say!(near, all, " names them all"))
            }
            _ => wrong,
        }
    })
}

/// Returns rows with an index and a term; the index of the first row is `from`.
pub(crate) fn indexed_rows(
    from: i64,
    terms: &[BigInt],
    control: &Control,
    sink: &mut dyn Sink,
) -> Result<(), QueryError> {
    for (i, chunk) in terms.chunks(CHUNK).enumerate() {
        control.go_on()?;
        let first = from + (i * CHUNK) as i64;
        let row = |(n, term): (i64, &BigInt)| vec![integer(&n.into()), integer(term)];
        sink.rows((first..).zip(chunk).map(row).collect())?;
    }
    Ok(())
}

/// Returns the cell of an integer. A negative integer is an exact number, since a count cannot be
/// negative.
pub(crate) fn integer(value: &BigInt) -> Cell {
    match (value.to_u64(), value.to_biguint()) {
        (Some(word), _) => Cell::Integer(word.into()),
        (None, Some(big)) => Cell::Integer(big.into()),
        (None, None) => Cell::from(Rational::from(value.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_question::Query;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn estimates_grow_with_the_range_and_are_fast() {
        let of = |id: &str, terms| {
            let terms = NonZeroU64::new(terms);
            Query::from(NamedSequence {
                terms,
                ..NamedSequence::new(id)
            })
            .estimate()
        };
        for sequence in sequences::all() {
            let (few, many) = (of(sequence.id(), 10), of(sequence.id(), 100_000));
            assert!(
                few.work < many.work && few.output < many.output,
                "{}",
                sequence.id()
            );
        }
        assert_eq!(of("no such sequence", 10).work, 0);
    }

    #[test]
    fn a_run_in_parts_reports_progress_and_can_be_stopped() {
        let query = Query::from(NamedSequence {
            terms: NonZeroU64::new(1000),
            ..NamedSequence::new("expected-numerator")
        });
        let done = Arc::new(AtomicU64::new(0));
        let told = done.clone();
        let control = Control::default();
        let stop = control.clone();
        let control = control.with_progress(move |progress| {
            assert!(progress.all == 1000 && progress.done < 1000);
            assert_eq!(told.swap(progress.done, Ordering::Relaxed), 0);
            stop.stop();
        });
        assert!(matches!(query.answer(&control), Err(QueryError::Stopped)));
        assert!(done.load(Ordering::Relaxed) > 0);
    }

    #[test]
    fn a_negative_term_is_exact() {
        let query = Query::from(NamedSequence {
            from: Some(5),
            to: Some(8),
            ..NamedSequence::new("bounded-exponent")
        });
        let answer = query.answer(&Control::default()).unwrap();
        let terms: Vec<Cell> = answer.column("a").unwrap().cloned().collect();
        let exact = Cell::from(Rational::from(BigInt::from(-1)));
        assert_eq!(
            terms,
            [
                exact.clone(),
                exact.clone(),
                exact,
                Cell::Integer(3u64.into())
            ]
        );
    }
}
