//! No bytes make the parser of stripped panic, and what it reads is written back to the same terms.

use flipcost_oeis::stripped;

/// See the module.
pub fn stripped(bytes: &[u8]) {
    for line in stripped::parse("fuzz", bytes).unwrap_or_default() {
        let mut out = Vec::new();
        stripped::write_line(&mut out, line.a_number, &line.terms).unwrap();
        assert_eq!(stripped::parse("fuzz", &out).unwrap(), [line]);
    }
}
