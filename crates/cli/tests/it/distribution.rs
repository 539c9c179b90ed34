//! `distribution`: the law of the number of rolls.

use crate::support::{cells, check_table, column, output, run};

/// The quantiles at 0.95 and at 1 - 2^-128 differ, and neither is 0. P(T > t) <= 2^-128 needs more
/// than 64 rounds of two flips.
#[test]
fn a_quantile_is_an_expression() {
    let levels = column("distribution 6 -q 1-1/20,1-1/2^128,1-2^-128", "t");
    let levels: Vec<u64> = levels.iter().map(|level| level.parse().unwrap()).collect();
    assert!(
        levels[0] < 10 && levels[1] > 120 && levels[1] == levels[2],
        "{levels:?}"
    );
    check_table("! distribution 6 -a interval -q -0.5 => its value is -1/2");
}

#[test]
fn a_note_says_where_a_law_is_cut() {
    let (rows, note) = output("distribution 8 -a fast-dice-roller --upto 6");
    assert_eq!(rows.lines().count(), 5);
    assert!(note.contains("the distribution ends at t = 3"), "{note}");
    assert_eq!(output("distribution 8 -a fast-dice-roller --upto 3").1, "");
}

/// P(T = t) has t binary digits; a long fraction is written only on request.
#[test]
fn long_fractions_are_written_on_request() {
    let longest = |line: &str| {
        let (rows, note) = output(line);
        (rows.lines().map(str::len).max().unwrap(), note)
    };
    let (short, note) = longest("distribution 10007 --upto 4000");
    assert!(
        short <= 2100 && note.contains("--exact asks for it all the same"),
        "{note}"
    );
    assert!(longest("distribution 10007 --upto 4000 --exact").0 > short);
}

/// It is not known how long the cuts of this die last.
#[test]
fn an_unknown_worst_case_is_empty() {
    let line = "4 -s 1:4:1:4 -a interval";
    let quantiles = cells(
        &format!("distribution {line} --quantiles 1/2,1"),
        ["quantile", "t"],
    );
    assert_eq!(quantiles, [["1/2", "2"], ["1", ""]]);
    let (status, rows, _) = run(&format!("cost {line} -c algorithm,worst_case -f csv"));
    assert_eq!((status, &*rows), (0, "algorithm,worst_case\ninterval,\n"));
}
