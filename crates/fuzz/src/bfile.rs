//! The parser of b-files never panics, and the terms that it parses survive a round trip.

use flipcost_oeis::bfile;

/// Checks the property that the module describes.
pub fn bfile(bytes: &[u8]) {
    if let Ok(read) = bfile::parse("fuzz", bytes) {
        let lines = (i128::from(read.first)..).zip(&read.terms);
        let text: String = lines.map(|(n, term)| format!("{n} {term}\n")).collect();
        let again = bfile::parse("fuzz", text.as_bytes()).unwrap();
        assert_eq!((again.first, again.terms), (read.first, read.terms));
    }
}
