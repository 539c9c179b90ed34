//! The record of a study: the versions and digests with which a reader can repeat the run and
//! compare its data.

use flipcost_number::BigUint;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The contents of `record.toml`, the record of a run.
#[derive(Serialize)]
pub struct RunRecord<'a> {
    /// The study's name.
    pub study: &'a str,
    /// The version of flipcost.
    pub version: &'a str,
    /// The SHA-256 of the study's file: the whole request.
    pub request_sha256: &'a str,
    /// The SHA-256 of every file that was written to `data/STUDY/`.
    pub sha256: BTreeMap<String, String>,
}

/// Returns the SHA-256 of some bytes in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    format!("{:064x}", BigUint::from_bytes_be(&Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values: FIPS 180-2, appendix B.
    #[test]
    fn the_digest_is_sha_256() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest(b"abc"), abc);
        let long = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        assert_eq!(
            digest(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            long
        );
    }
}
