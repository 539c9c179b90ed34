//! `bias`: biased ways to reduce a random word.

use crate::support::{cells, check_equal, check_table, column, stdout};

/// The total variation is r (n - r) / (n W), the ratio (q + 1) / q; 31 values of 8 bits are those
/// of NumPy's issue 14774.
#[test]
fn biases_are_exact() {
    let names = [
        "total_variation_exact",
        "ratio_exact",
        "largest_exact",
        "smallest_exact",
    ];
    let line = "bias 31 --words 8 --double 53";
    let rows = cells(line, names);
    assert_eq!(rows[0], ["23/992", "9/8", "9/256", "1/32"]);
    assert_eq!(rows[1], rows[0]);
    assert_eq!(
        column(line, "id")[..3],
        ["modulo", "multiply-shift", "double"]
    );
    // D = 8 * 23 / 256^2; lambda of 30 degrees is 39.0744 and of 1 degree 14.8794
    assert_eq!(cells(line, ["detect", "detect_best"])[0], ["13918", "5300"]);
    let even = cells("bias 64 --words 8", ["detect", "total_variation_exact"]);
    assert_eq!(even[0], ["inf", "0"]);
    // only two of eight outcomes occur, so the divergence from a fair d8 is two bits, and `detect`
    // is empty because the test would have too few results
    let names = [
        "ratio_exact",
        "smallest_exact",
        "kullback_leibler_bits",
        "min_entropy_bits",
        "detect",
    ];
    assert_eq!(
        cells("bias 8 --words 1", names)[0],
        ["inf", "0", "2", "1", ""]
    );
    check_table(
        "bias 8 --words 1 => detect is empty where
bias 6 => ~detect is empty where
bias 6 --words 128 => \\nmodulo, & \\nmultiply-shift,",
    );
}

/// Several targets and words are compared; `--joint` compares all results together.
#[test]
fn several_words_are_compared() {
    let rows = stdout("bias 10,52,10^9 --words 32 -c target,words,id,total_variation_exact");
    assert_eq!(rows.lines().count(), 7, "{rows}");
    assert!(
        rows.contains("\n1000000000,32,modulo,198327627459/4096000000000\n"),
        "{rows}"
    );
    let rows = stdout("bias 10 --words 32,64 -c target,words,id");
    assert!(
        rows.ends_with("10,64,modulo\n10,64,multiply-shift\n"),
        "{rows}"
    );
    let joint = column("bias 6,10 --words 8 --joint", "joint_total_variation_exact");
    assert_eq!(joint[0], "193/20480");
    check_equal(
        "bias 6 --double == bias 6 --double 53
bias 6 --words 2^5 == bias 6
bias p256 --words 320 == bias p256 --from 2^320",
    );
    check_table("! bias 6 --words 10^12 => 4294967295 is the most");
}

/// In an earlier version a signed 64-bit count overflowed: the log2 of a distance became 63, or the
/// program was aborted.
#[test]
fn distances_of_very_many_results_do_not_overflow() {
    for line in [
        "2^64 --from=2 --samples 2^64-1",
        "2^64 --from=2 --samples 2^64-2",
        "2^64 --from=2 --samples 2^58",
        "2^256 --words=2 --samples 2^64-1",
        "2^32 --from=2 --samples 2^64-1",
        "3 --words=1 --samples 2^64-1",
        "1000 --words=1 --samples 10^19",
        "ed25519 --words=32 --samples 5*10^17",
    ] {
        let column = column(&format!("bias {line} --digits 20"), "advantage_log2");
        assert!(
            column.iter().all(|cell| cell == "0.00000000000000000000"),
            "{line}: {column:?}"
        );
    }
}
