//! A search for terms never panics, whether the bytes are the terms or the file to search.

use flipcost_oeis::identify::{self, TermSearch};
use flipcost_oeis::{ANumber, list, stripped};

/// Checks the property that the module describes.
pub fn identify(bytes: &[u8]) {
    let _ = identify::search(
        "fuzz",
        bytes,
        &TermSearch::new((0..8).map(Into::into).collect()),
    );
    if let Ok(terms) = list::parse("fuzz", bytes) {
        let mut line = Vec::new();
        stripped::write_line(&mut line, ANumber::NONE_YET, &terms).unwrap();
        if terms.len() >= identify::MIN_TERMS {
            let outcome = identify::search("fuzz", &line[..], &TermSearch::new(terms)).unwrap();
            assert_eq!(outcome.total, 1);
        }
    }
}
