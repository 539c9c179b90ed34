//! The command `flipcost supply`, which says how many rolls suffice.

use crate::support;

use std::fs;
use support::queries::{check_round_trip, check_rows_equal_csv};
use support::{bytes, refusal, stdout};

const ROWS: [&str; 6] = [
    "supply 6",
    "supply 4,7:8:9 --count 3 -s 6 -a knuth-yao --failure 2^-20,1/3 --at 9",
    "supply 197..256 -s word:8 -a rejection-ceil --block 136 --offset 8",
    "supply --accept 3329/4096 --count 256 --at 560,336 --block 2",
    "supply --accept 1/3,0.5 --each 4 --digits 12",
    "supply 1009 --count 4 --exact",
];

#[test]
fn a_query_and_its_command_line_agree() {
    check_round_trip(&ROWS);
}

#[test]
fn an_answer_has_the_rows_of_its_command() {
    check_rows_equal_csv(&ROWS);
}

/// Returns the rows of a command, each as the cells of these columns.
fn cells<const N: usize>(arguments: &str, names: [&str; N]) -> Vec<[String; N]> {
    let text = stdout(&format!("{arguments} -f csv"));
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = names.map(|name| head.iter().position(|column| *column == name).unwrap());
    lines.map(|row| at.map(|at| row[at].to_string())).collect()
}

/// FIPS 203 counts iterations, each of two candidates: its Appendix B states 280, and 279 is the
/// least number for a failure probability of 2^-256. Three blocks of SHAKE128 are too few bytes
/// with probability 0.0083276925 = 2^-6.908.
#[test]
fn iterations_of_ml_kem_match_fips_203() {
    let names = ["failure", "at", "rolls", "blocks", "tail_log2", "algorithm"];
    let failure =
        "1/115792089237316195423570985008687907853269984665640564039457584007913129639936";
    for (of, algorithm) in [
        ("--accept 3329/4096", ""),
        ("3329 -s word:12 -a rejection", "rejection"),
    ] {
        let rows = cells(
            &format!("supply {of} --count 256 --block 2 --failure 2^-256 --at 560,336 -d 3"),
            names,
        );
        let wanted = [
            [failure, "", "558", "279", "-258.159", algorithm],
            ["", "560", "560", "280", "-261.240", algorithm],
            ["", "336", "336", "168", "-6.908", algorithm],
        ];
        assert_eq!(rows, wanted.map(|row| row.map(String::from)));
    }
}

/// FIPS 203 draws candidates of 12 bits until 256 of them are below 3329: 467 candidates suffice. A
/// rule that keeps remainders would need 398.
#[test]
fn words_are_drawn_as_programs_draw_them() {
    let of = "supply 3329 --source word:12 --count 256 --failure 2^-128";
    let rows = cells(of, ["rolls", "bytes", "algorithm"]);
    let wanted = [
        ["467", "701", "bitmask-words"],
        ["398", "597", "fast-dice-roller"],
    ];
    assert_eq!(rows, wanted.map(|row| row.map(String::from)));
    // for a power of two, both rules take the same words
    let rows = cells(
        "supply 256 --source word:8 --at 1",
        ["rolls", "bytes", "algorithm"],
    );
    assert_eq!(
        rows,
        [["1", "1", "bitmask-words"]].map(|row| row.map(String::from))
    );
    // if a rule is named, only that rule is shown; for a coin there is no column of bytes
    assert_eq!(cells(&format!("{of} -a rejection"), ["rolls"]).len(), 1);
    assert!(!stdout("supply 6 -f csv").contains("bytes"));
}

/// HashToPoint of Falcon draws 512 or 1024 numbers of 16 bits below 61445, each of two bytes.
#[test]
fn bytes_of_falcon_suffice() {
    for (count, bytes) in [(512, "1092.17779"), (1024, "2184.35557")] {
        let rows = cells(
            &format!("supply --accept 61445/65536 --count {count} --each 2 -d 5"),
            ["expected", "algorithm"],
        );
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0], [bytes.to_string(), String::new()]);
    }
}

/// SampleInBall takes 8 bytes of signs and 213 more: these are the 221 bytes of the standard, which
/// fit in two blocks of 136 bytes.
#[test]
fn bytes_of_sample_in_ball_suffice() {
    let of = "supply 197..256 -s word:8 -a rejection-ceil --offset 8 --failure 2^-256";
    assert_eq!(
        cells(of, ["rolls", "blocks"]),
        [["213", "221"]].map(|row| row.map(String::from))
    );
    let blocks = cells(&format!("{of} --block 136"), ["rolls", "blocks"]);
    assert_eq!(blocks, [["264", "2"]].map(|row| row.map(String::from)));
}

/// A list is drawn in order, each target by the algorithm that `cost` ranks first. A certain number
/// of rolls has no tail.
#[test]
fn lists_are_drawn_in_order() {
    let rows = cells(
        "supply 4,7:8:9 --at 100 -d 2",
        ["expected_exact", "algorithm"],
    );
    assert_eq!(
        rows,
        [["9/2", "fast-dice-roller;knuth-yao"]].map(|row| row.map(String::from))
    );
    let rows = cells(
        "supply 8 --count 3",
        ["rolls", "tail_log2", "variance_exact"],
    );
    assert!(
        rows.iter()
            .all(|row| *row == ["9", "-inf", "0"].map(String::from))
    );
    let json = stdout("supply 8 --at 3 -f json");
    assert!(json.contains("\"-inf\""), "{json}");
}

/// A number of rolls suffices if its failure probability equals the requested one: P(T > 5) is 6/32
/// for two heads, and P(T > 3) is 1/4 for two results of 1:1:2.
#[test]
fn equal_probabilities_suffice() {
    let rolls = |arguments: &str| cells(arguments, ["rolls"]).concat();
    assert_eq!(
        rolls("supply --accept 1/2 --count 2 --failure 3/16,1/2,0.187"),
        ["5", "3", "6"]
    );
    assert_eq!(
        rolls("supply 1:1:2 --count 2 --failure 1/4,0.249"),
        ["3", "4"]
    );
    assert_eq!(rolls("supply 6 --failure 2^-64,1"), ["65", "0"]);
}

#[test]
fn a_supply_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tail.svg").to_str().unwrap().to_string();
    assert!(bytes(&format!("supply 6 --count 20 -o {file}")).is_empty());
    let picture = fs::read_to_string(&file).unwrap();
    assert!(picture.contains("2⁻¹²⁸: ") && picture.contains("flips at hand, t"));
}

#[test]
fn errors_are_one_sentence() {
    for (arguments, said) in [
        ("supply", "neither targets nor --accept"),
        ("supply 6 --failure 0", "above 0 and at most 1"),
        (
            "supply 6 --failure 1.5",
            "a probability lies between 0 and 1",
        ),
        (
            "supply 6 --count 0",
            "--count 0 is too small: it must be at least 1",
        ),
        (
            "supply 6 --block 0",
            "--block 0 is too small: it must be at least 1",
        ),
        ("supply --accept 0", "above 0 and at most 1"),
        ("supply --accept 1/2 --each 0", "--each 0 is too small"),
        ("supply 6 --accept 1/2", "--accept"),
        ("supply 7 -a bounded", "bounded"),
        ("supply 6 --each 2", "--accept"),
        ("supply 6,x", "is not a target"),
        ("supply 6 --at x", "is not a number"),
    ] {
        let sentence = refusal(arguments);
        assert!(sentence.contains(said), "{arguments}: {sentence}");
    }
}
