//! No bytes make the parser of plain lists panic, and what it reads is written back to the same
//! terms.

use flipcost_oeis::list;

/// See the module.
pub fn list(bytes: &[u8]) {
    if let Ok(terms) = list::parse("fuzz", bytes) {
        let mut out = Vec::new();
        list::write(&mut out, &terms).unwrap();
        assert_eq!(list::parse("fuzz", &out).unwrap(), terms);
    }
}
