//! `batch` and `stream`: several dice from one stream of rolls.

use crate::support::{Folder, cells, check_equal, check_table, flipcost, sentence, stdout};

/// The worked example of Langkaas, in which a d6 shows 6, 3, 4, 3.
#[test]
fn the_worked_example_gives_the_results_1_and_2() {
    let lines = [
        "  d6 shows 6  ->  v = 6, c = 5",
        "  reject  ->  v = 2, c = 1",
        "  d6 shows 3  ->  v = 12, c = 8",
        "d4 = 1  ->  v = 3, c = 2",
        "d13 = 2  ->  v = 2, c = 1",
        "results: 1 2",
    ];
    let text = stdout("batch 4 13 --source 6 --trace --input 6,3,4,3");
    let mut rest = text.lines();
    assert!(
        lines.iter().all(|line| rest.any(|other| other == *line)),
        "{text}"
    );
    // if the rolls run out, the steps before that are printed
    let line = "batch 4 13 --source 6 --trace --input 6,3";
    let said = sentence(line, flipcost(line).output().unwrap());
    assert!(said.contains("ran out before result 2 of 2"), "{said}");
    let seeded = "batch 4 13 52 --trace --seed 5";
    assert_eq!(stdout(seeded), stdout(seeded));
    let results = stdout("batch 2d2 3d6 --trace --seed 1");
    let results = results.trim_end().rsplit_once("results: ").unwrap().1;
    let results: Vec<u32> = results.split(' ').map(|sum| sum.parse().unwrap()).collect();
    assert!((2..=4).contains(&results[0]) && (3..=18).contains(&results[1]));
}

#[test]
fn a_d4_and_a_d13_are_rolled_together_with_a_d6() {
    let names = ["mode", "order", "expected_exact"];
    let rows = cells("batch 4 13 --source 6 --best-order", names);
    assert_eq!(rows[0], ["keep", "4 13", "2327482/699855"]);
    assert_eq!(
        [1, 2, 3].map(|at| &*rows[at][0]),
        ["separate", "product", "bound"]
    );
    assert_eq!(rows[4], ["keep", "13 4", "20100730738/6530347005"]);
    check_table(
        r#"batch 4 13 --source 6 --digits 4 --format jsonl => "mode":"keep","order":"4 13","expected_exact":"2327482/699855","expected":"3.3257","shares":"1.3333 1.9923""#,
    );
    // the given order is not listed again as the best order
    let keep = |line| {
        cells(line, ["mode"])
            .iter()
            .filter(|[mode]| mode == "keep")
            .count()
    };
    assert_eq!(keep("batch 6 6 7 --best-order"), 1);
    // long targets are shortened
    let weights: Vec<String> = (1..=2000).map(|weight| weight.to_string()).collect();
    let long = stdout(&format!("batch {}", weights.join(":")));
    assert!(long.len() < 2000, "{}", long.len());
}

/// The stream of a d15 ends up in one of two closed classes, which have the same cost. Of 2^64
/// faces, 4 are left over by a d6 and rolled again.
#[test]
fn the_cost_of_a_stream_is_exact() {
    check_table(
        "batch 2 --source 6 --repeat --capacity 36 => \\nrepeat,2,3/5,0.6,, & \\neager,2,11433/28793,0.3970756781162088,, & \\nseparate,2,1,1,, & \\nbound,2,,0.3868528072345416,,
batch 6 --power 3 => \\npower,6^3,491/171,2.871345029239766,,
batch 15 --repeat --capacity 147 => \\nrepeat,15,64/15,4.266666666666667,, & \\neager,15,64/15,4.266666666666667,, & \\nbound,15,,3.9068905956085187,,
batch 6 -s word:64 => 18446744073709551619/18446744073709551615",
    );
    // too large for an exact solution: the cost is an interval
    let line = "batch 13 --source 6 --repeat --capacity 10^15";
    let eager = &cells(line, ["mode", "expected_exact", "low", "high"])[1];
    assert_eq!((&*eager[0], &*eager[1]), ("eager", ""));
    assert!(eager[2].parse::<f64>().unwrap() < eager[3].parse::<f64>().unwrap());
}

/// A target alone costs its Knuth-Yao optimum: 2 flips for 1:2:3, 11/3 for a d6. A stream of
/// weights costs as much as a stream of the die with their sum as sides, and its bound is the
/// entropy: weights 1:1:2 have 3/2 bits, and take 2 flips each if no randomness is kept.
#[test]
fn batches_take_weights() {
    check_table(
        "batch 1:2:3 6 => separate,1:2:3 6,17/3,
batch 1:2:3 --repeat --power 2 => \\nseparate,1:2:3,2,
batch 1:1:2 --repeat => \\nbound,1:1:2,3/2,
batch 3,(binomial:n=2,p=1/3) -s 6 => binomial
! batch binomial:n=2,p=1/3 => stands in brackets",
    );
    check_equal("batch 4,7,8 -s 6 == batch 4 7 8 -s 6");
    let rows = |line: &str| cells(line, ["mode", "expected_exact", "expected"]);
    let weights = rows("batch 1:2:3 --repeat --power 2");
    assert_eq!(weights[..2], rows("batch 6 --repeat --power 2")[..2]);
    let weights = rows("batch 4 6:7 -s 6 --best-order");
    assert_eq!(weights.last(), rows("batch 4 13 -s 6 --best-order").last());
}

#[test]
fn streams_are_drawn() {
    let folder = Folder::new();
    let line = "batch 2 --source 6 --repeat --capacity 64";
    stdout(&format!("{line} --chart {}", folder.path("a.svg")));
    let rows = stdout(&format!("{line} -o {}", folder.path("b.svg")));
    assert!(rows.starts_with("mode,"));
    assert_eq!(folder.read("a.svg"), folder.read("b.svg"));
    check_table(
        "! batch => required
! batch 4 --input 1,2 => --trace
! batch 6 7 --capacity 9 -o /tmp/x.png => the chart",
    );
}

/// Stores that make two dice alternately: 2788/611 is 2 * 2005/611 - 2. Making a d4 from coins
/// wastes nothing, so the cost of a d4 and a d13 is their optimum. A list with the same die twice
/// costs the same as that die.
#[test]
fn a_store_serves_dice_in_turn() {
    check_table(
        r#"stream 4,13 --states 52 -f csv => \ntarget,source,states,class,expected_exact,expected,fill_exact,loss_bits,proved,exceptions & \n"4,13",2,52,whole,2005/611,3.281505728314239,, & ,yes,0\n
stream 13 --states 52 -f csv => \n13,2,52,whole,2788/611,
stream 6,6 --states 64 -f csv => \n"6,6",2,64,whole,17/6,
stream 4,13 --states 52 --trace --results 2 --input HHHHHHHHHHHH => \nresult d4,1,8,0\n & \nresult d13,1,4,0\n"#,
    );
    check_equal("stream 4..5 --states 64 == stream 4,5 --states 64");
}
