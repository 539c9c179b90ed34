//! The engine's sequences agree with the published terms, and their entries follow the rules of the
//! OEIS's format.

use flipcost::sequences::{all, find};
use flipcost_oeis::draft::{Signature, draft};
use flipcost_oeis::entry_of_sequence::{a_number, entry};
use flipcost_oeis::{ANumber, check, published};
use std::collections::BTreeSet;

#[test]
fn every_published_sequence_is_computed() {
    let mut numbered: BTreeSet<ANumber> = all().iter().filter_map(a_number).collect();
    for entry in published() {
        let sequence = find(&entry.a_number.to_string()).unwrap();
        assert_eq!(sequence.offset() as i64, entry.offset, "{}", entry.a_number);
        let terms = sequence.first(entry.terms.len() as u64).unwrap();
        let report = check::check(entry.offset, &terms, Some(entry.offset), &entry.terms);
        assert_eq!(
            report.verdict,
            check::Agreement::Agree,
            "{}: {report}",
            entry.a_number
        );
        assert_eq!((report.compared, report.shift()), (entry.terms.len(), 0));
        assert!(numbered.remove(&entry.a_number));
    }
    assert!(numbered.is_empty(), "{numbered:?} is not published here");
}

#[test]
fn every_listed_sequence_is_consistent() {
    let mut ids = BTreeSet::new();
    for sequence in all() {
        let id = sequence.id().to_string();
        assert!(ids.insert(id.clone()), "{id} is listed twice");
        let again = find(&id).unwrap();
        assert_eq!(entry(&again), entry(&sequence), "{id}");
        // A range gives the same terms as the whole, wherever it begins.
        let count = sequence.practical().unwrap_or(60).min(60);
        let whole = sequence.first(count).unwrap();
        let from = sequence.offset() + 7;
        let part = sequence.terms(from..=from + 4).unwrap();
        assert_eq!(part, whole[7..12], "{id}");
        let made = draft(&entry(&sequence), whole, Some(&Signature::default())).expect(&id);
        for text in made.text.lines().filter(|line| !line.starts_with("%o")) {
            assert!(
                !text.contains(['{', '}']) || text.contains("Sum_{t>=0}"),
                "{id}: {text}"
            );
            for bad in ["a fair n-sided one", "2-sided", "With a coin", "-1-1"] {
                assert!(!text.contains(bad), "{id}: {text}");
            }
        }
        let cited = made.text.contains("Lumbroso 2013");
        assert_eq!(cited, made.text.contains("arXiv:1304.1916"), "{id}");
        assert!(
            entry(&sequence).pari.is_some() && entry(&sequence).python.is_some(),
            "{id}"
        );
        let default = find(id.split(':').next().unwrap()).unwrap();
        assert!(!entry(&default).examples.is_empty(), "{id} has no example");
    }
    assert!(ids.len() > 80, "{}", ids.len());
}
