use super::*;
use crate::oeis::{check, published};
use std::collections::BTreeSet;

#[test]
fn every_published_sequence_is_computed() {
    for entry in published() {
        let sequence = find(&entry.a_number.to_string()).unwrap();
        assert_eq!(sequence.offset() as i64, entry.offset, "{}", entry.a_number);
        let terms = sequence.first(entry.terms.len() as u64).unwrap();
        let report = check::check(entry.offset, &terms, Some(entry.offset), &entry.terms);
        assert_eq!(
            report.verdict,
            check::Verdict::Agree,
            "{}: {report}",
            entry.a_number
        );
        assert_eq!((report.compared, report.shift()), (entry.terms.len(), 0));
    }
}
