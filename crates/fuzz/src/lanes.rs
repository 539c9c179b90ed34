//! Every way to count bits finds the same.

use flipcost::roller::lanes::{CountKernel, Job};

/// See the module. A job is ten bytes: n, the number of bits, where it starts.
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
    for (_, path) in CountKernel::ALL.iter().filter(|(_, path)| path.is_here()) {
        assert_eq!(
            path.ones(&jobs),
            CountKernel::Portable.ones(&jobs),
            "{path:?}"
        );
    }
}
