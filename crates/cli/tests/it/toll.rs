//! `toll`: the extremes of the toll.

use crate::support::{check_table, stdout};

/// In an octave, from 2^k to 2^(k+1), the least toll is 0, at 2^k, and the greatest is at 2^k + 1.
/// The records of A136043 up to 100 agree with the sequence.
#[test]
fn extremes_of_the_toll_are_found_in_each_octave() {
    check_table(
        "toll extremes --from 1024 --to 2047 --parts 1 --format csv => \\n1024,2047,0,1024,1.98 & ,1025,true
! toll extremes --to 10^8 --of cycle-rounds => up to 10^7",
    );
    let line = "toll extremes --from 1 --to 100 --parts 1 --of cycle-rounds --format csv";
    let rows = stdout(line);
    let terms = stdout("sequence A136043 --terms 100");
    let terms = terms
        .trim()
        .split(", ")
        .map(|term| term.parse::<u64>().unwrap());
    let row: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(row[4], terms.max().unwrap().to_string());
}
