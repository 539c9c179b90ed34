//! `supply`: how many rolls suffice.

use crate::support::{Folder, cells, check_table, column, stdout};

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
        let line = format!("supply {of} --count 256 --block 2 --failure 2^-256 --at 560,336 -d 3");
        let wanted = [
            [failure, "", "558", "279", "-258.159", algorithm],
            ["", "560", "560", "280", "-261.240", algorithm],
            ["", "336", "336", "168", "-6.908", algorithm],
        ];
        assert_eq!(cells(&line, names), wanted);
    }
}

/// FIPS 203 draws candidates of 12 bits until 256 of them are below 3329: 467 candidates suffice. A
/// rule that keeps remainders would need 398. For a power of two, both rules take the same words.
#[test]
fn words_are_drawn_as_programs_draw_them() {
    let names = ["rolls", "bytes", "algorithm"];
    let of = "supply 3329 --source word:12 --count 256 --failure 2^-128";
    let wanted = [
        ["467", "701", "bitmask-words"],
        ["398", "597", "fast-dice-roller"],
    ];
    assert_eq!(cells(of, names), wanted);
    let even = cells("supply 256 --source word:8 --at 1", names);
    assert_eq!(even, [["1", "1", "bitmask-words"]]);
    // if a rule is named, only that rule is shown; for a coin there is no column of bytes
    assert_eq!(column(&format!("{of} -a rejection"), "rolls").len(), 1);
    assert!(!stdout("supply 6 -f csv").contains("bytes"));
}

/// HashToPoint of Falcon draws 512 or 1024 numbers of 16 bits below 61445, each of two bytes.
#[test]
fn bytes_of_falcon_suffice() {
    for (count, bytes) in [(512, "1092.17779"), (1024, "2184.35557")] {
        let line = format!("supply --accept 61445/65536 --count {count} --each 2 -d 5");
        let rows = cells(&line, ["expected", "algorithm"]);
        assert_eq!(
            (rows.len(), &rows[0]),
            (3, &[bytes.to_string(), String::new()])
        );
    }
}

/// SampleInBall takes 8 bytes of signs and 213 more: these are the 221 bytes of the standard, which
/// fit in two blocks of 136 bytes.
#[test]
fn bytes_of_sample_in_ball_suffice() {
    let of = "supply 197..256 -s word:8 -a rejection-ceil --offset 8 --failure 2^-256";
    assert_eq!(cells(of, ["rolls", "blocks"]), [["213", "221"]]);
    let blocks = cells(&format!("{of} --block 136"), ["rolls", "blocks"]);
    assert_eq!(blocks, [["264", "2"]]);
}

/// A list is drawn in order, each target by the algorithm that `cost` ranks first. A certain number
/// of rolls has no tail.
#[test]
fn lists_are_drawn_in_order() {
    let rows = cells(
        "supply 4,7:8:9 --at 100 -d 2",
        ["expected_exact", "algorithm"],
    );
    assert_eq!(rows, [["9/2", "fast-dice-roller;knuth-yao"]]);
    let rows = cells(
        "supply 8 --count 3",
        ["rolls", "tail_log2", "variance_exact"],
    );
    assert!(rows.iter().all(|row| row == &["9", "-inf", "0"]));
    check_table(
        r#"supply 8 --at 3 -f json => "-inf"
supply 2 -s 1:2 -a interval --exact --format csv => ,9/4,2.25,2.25,,interval\n"#,
    );
}

/// A number of rolls suffices if its failure probability equals the requested one: P(T > 5) is 6/32
/// for two heads, and P(T > 3) is 1/4 for two results of 1:1:2.
#[test]
fn equal_probabilities_suffice() {
    for (line, rolls) in [
        (
            "--accept 1/2 --count 2 --failure 3/16,1/2,0.187",
            &["5", "3", "6"][..],
        ),
        ("1:1:2 --count 2 --failure 1/4,0.249", &["3", "4"]),
        ("6 --failure 2^-64,1", &["65", "0"]),
    ] {
        assert_eq!(column(&format!("supply {line}"), "rolls"), rolls);
    }
}

#[test]
fn a_supply_is_drawn() {
    let folder = Folder::new();
    assert_eq!(
        stdout(&format!(
            "supply 6 --count 20 -o {}",
            folder.path("tail.svg")
        )),
        ""
    );
    let picture = folder.read("tail.svg");
    assert!(picture.contains("2⁻¹²⁸: ") && picture.contains("flips at hand, t"));
    check_table("! supply 6 --accept 1/2 => --accept\n! supply 6,x => is not a target");
}
