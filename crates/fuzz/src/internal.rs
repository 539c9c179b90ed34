//! No bytes make the parser of the internal format panic, and terms and offset survive a writing.

use flipcost_oeis::internal::{self, Signs};

/// See the module.
pub fn internal(bytes: &[u8]) {
    for entry in internal::parse("fuzz", bytes).unwrap_or_default() {
        for signs in [Signs::InPlace, Signs::Separate] {
            let mut out = Vec::new();
            internal::write(&mut out, &entry, signs).unwrap();
            let again = internal::parse("fuzz", &out).unwrap();
            assert_eq!(again[0].terms, entry.terms);
            assert_eq!(again[0].offset, entry.offset);
        }
    }
}
