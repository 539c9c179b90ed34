//! All functions that count bits give the same result.

use flipcost::roller::lanes::{Job, KERNELS, count_ones, count_ones_by};

/// Checks the property that the module describes. A job is ten bytes, which give n, the number of
/// bits, and the position at which the job starts.
pub fn lanes(bytes: &[u8]) {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let job = |bytes: &[u8]| {
        let n = word(&bytes[..4]) | 1;
        Job {
            n,
            bits: u32::from(u16::from_le_bytes([bytes[4], bytes[5]])),
            start: word(&bytes[6..]) % n + 1,
        }
    };
    let jobs: Vec<Job> = bytes.chunks_exact(10).take(100).map(job).collect();
    let ones = count_ones_by("portable", &jobs).expect("it is on every processor");
    assert_eq!(count_ones(&jobs), ones);
    for kernel in KERNELS {
        let counts = count_ones_by(kernel, &jobs);
        assert!(counts.is_none_or(|counts| counts == ones), "{kernel}");
    }
}
