//! `sequence`: terms of integer sequences and expansions of real numbers.

use super::oeis::terms_of_b_file;
use crate::support::{Folder, check_equal, check_table, output, stdout};

#[test]
fn sequences_are_written_in_every_format() {
    check_table(
        r#"sequence A136043 --terms 9 => \n1, 1, 1, 1, 2, 1, 1, 1, 3\n
sequence A136043 --to 2 -f csv => \nn,a\n1,1\n2,1\n
sequence a007733 --from 5 --to 7 --format b-file => \n5 4\n6 2\n7 3\n
sequence first-v --from 10 --terms 2 -f jsonl => \n{"n":10,"a":6}\n{"n":11,"a":1}\n
! sequence A136043 --from 9 --to 3 => reversed
! sequence A136043 --terms 10^10 => at once
! sequence => ID
! sequence 42 => A000042
! sequence order:base=7 => 2 unless it is given & base=7,step=7"#,
    );
    check_equal("sequence 136043 --to 9 == sequence A136043 --to 9");
    let internal = stdout("sequence A136043 --terms 95 --format internal");
    assert!(internal.starts_with("%I A136043\n%S A136043 1,1,1,1,2,1,1,1,3,2,5,1,6,"));
    assert!(internal.contains("%O A136043 1,5\n") && !internal.contains("Your Name"));
    let data = internal
        .lines()
        .filter(|line| line[1..].starts_with(['S', 'T']));
    assert!(data.into_iter().all(|line| line.len() <= 80));
    let folder = Folder::new();
    let line = format!(
        "sequence A136043 --terms 10000 -f b-file -o {}",
        folder.path("b")
    );
    assert_eq!(output(&line), (String::new(), String::new()));
    assert_eq!(terms_of_b_file(&folder.read("b")), 10_000);
}

#[test]
fn expansions_of_reals_are_computed() {
    check_table(
        "sequence mr:x=e --terms 8 => \\n0, 0, 1, 2, 1, 2, 1, 1\\n
sequence 'mr:x=e - 2' --terms 6 => \\n1, 2, 1, 2, 1, 1\\n
sequence mr:x=1/29 --terms 5 => \\n5, 4, 1, 2, 3\\n & \\nnote: pre-period 0, period 14\\n
sequence mr:x=2^100 --terms 2 => \\n0, 0\\n & \\nnote: pre-period 1267650600228229401496703205375, period 1\\n
sequence mr:x=1,base=3 --terms 4 => \\n1, 0, 1, 0\\n & \\nnote: pre-period 0, period 2\\n
sequence mr:x=1/(2^1048575) -t 3 => \\n1048576, 1, 1\\n
! sequence mr:x=e-3 => greater than 0
! sequence mr:x=1/(e-e) => cannot be distinguished from 0
! sequence mr:x=six => six
! sequence mr:x=-1/3 => greater than 0
! sequence 'mr:x=e - e + 1/4' => cannot be decided",
    );
    assert_eq!(stdout("sequence mr:x=sqrt(4) --terms 3").lines().count(), 1);
}
