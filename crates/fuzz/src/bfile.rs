//! No bytes make the parser of b-files panic, and what it reads is written back to the same terms.

use flipcost_oeis::bfile;

/// See the module.
pub fn bfile(bytes: &[u8]) {
    let _ = bfile::check_strict("fuzz", bytes);
    if let Ok(read) = bfile::parse("fuzz", bytes) {
        let mut out = Vec::new();
        bfile::write(&mut out, &[], read.first, &read.terms).unwrap();
        let again = bfile::check_strict("fuzz", &out).unwrap();
        assert_eq!((again.first, again.terms), (read.first, read.terms));
    }
}
