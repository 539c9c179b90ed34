//! A sequence of the engine as an entry of the OEIS.

use crate::{ANumber, Entry};
use flipcost::sequences::Sequence;

/// The A-number of a sequence, if the OEIS has it.
pub fn a_number(sequence: &Sequence) -> Option<ANumber> {
    sequence.a_number()?.parse().ok()
}

/// What a submission says of a sequence.
pub fn entry(sequence: &Sequence) -> Entry {
    let about = sequence.description().clone();
    Entry {
        id: sequence.id().to_string(),
        a_number: a_number(sequence),
        offset: sequence.offset() as i64,
        title: about.title,
        definition: about.definition,
        comments: about.comments,
        references: about.references,
        links: about.links,
        formulas: about.formulas,
        examples: about.examples,
        pari: about.pari,
        python: about.python,
        cross_references: about.cross_references,
        keywords: about.keywords,
    }
}
