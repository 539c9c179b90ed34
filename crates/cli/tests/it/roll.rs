//! `roll`: results, and simulations of an algorithm.

use crate::support::{Folder, check_equal, check_table, column, refusal, run, stdout};

#[test]
fn rolls_of_a_person_are_accepted() {
    check_table(
        "roll 6 --source 6 --input 4,2 --count 2 => \\n4\\n2\\n
roll 6 --input TTTHT --trace => v = 2, c = 1 & (5 flips)\\n
roll 2 -a von-neumann -s unknown:2 --input HHHT => \\n1\\n
! roll 2 -a von-neumann --seed 1 -s unknown:2 => its probabilities are unknown
! roll 6 --source 6 --input 7 => 1 to 6",
    );
    check_equal("roll 100 --seed 7 --count 5 == roll 100 --seed 7 --count 5");
}

/// A d10 shows 10 as 0, and percentile dice show 100 as 00; no other die has a 0.
#[test]
fn the_face_0_is_the_largest_face() {
    check_equal(
        "roll 100 --source d10 --input 0,7 == roll 100 --source d10 --input 10,7
shuffle 5 --deal -s d10 --input 0,7,3,2,1,9,9 == shuffle 5 --deal -s d10 --input 10,7,3,2,1,9,9",
    );
    check_table(
        "roll 100 --source d10 --input 0,7 => \\n97\\n
roll 100 --source 100 --input 00 => \\n100\\n
! roll 7 -s d20 --input 0,7 => roll 1 of the input is \"0\", but a d20 shows 1 to 20",
    );
}

/// The Knuth-Yao tree makes 1, 2 and 3 from a coin: H gives 3, TH gives 2, TTH gives 1.
#[test]
fn rolls_have_the_names_of_the_outcomes() {
    check_table(
        "roll 1:2:3 --input H => \\n3\\n
roll 1:2:3 --input TH => \\n2\\n
roll 1:2:3 --input TTH => \\n1\\n
roll 1:2:3 --input TTTH => \\n2\\n
roll 1:2:3 --trace --input TH => output\\n2  (2 flips)\\n",
    );
    let sums = stdout("roll 3d6 --seed 1 --count 500");
    let sums: Vec<u32> = sums.lines().map(|sum| sum.parse().unwrap()).collect();
    assert!(sums.iter().all(|sum| (3..=18).contains(sum)));
    assert!(sums.contains(&10) && sums.contains(&5));
    let rolled = stdout("roll 6 -s word:64 --seed 1 -a lemire");
    assert!((1..=6).contains(&rolled.trim().parse::<u32>().unwrap()));
}

#[test]
fn simulations_do_not_depend_on_threads() {
    let line = "roll 6 --test --count 300000 --seed 9 --threads";
    let one = stdout(&format!("{line} 1"));
    assert_eq!(one, stdout(&format!("{line} 3")));
    assert!(
        one.contains("seed 9") && one.contains("agrees with the exact law"),
        "{one}"
    );
    assert_eq!(one.lines().count(), 5);
    check_table(r#"roll 6 --test --count 1000 --format jsonl => "seed":1, & "verdict":"agrees""#);
}

/// With few trials nothing is said, and with a single outcome there is nothing to test.
#[test]
fn simulations_test_the_law() {
    for target in [
        "1:2:3:0:5 -a knuth-yao",
        "1:2:3:0:5 -a fldr",
        "1:2:3:0:5 -a aldr:K=7",
        "1:2:3:0:5 -a alias",
        "1:2:3:0:5 -a interval",
        "6 -a fast-dice-roller",
    ] {
        let verdict = column(
            &format!("roll {target} --test --count 20000 --seed 4"),
            "verdict",
        );
        assert_eq!(verdict, ["agrees"], "{target}");
    }
    for trials in [1, 3, 9] {
        let line = format!("roll 6 --test --count {trials}");
        check_table(&format!(
            "{line} --format table => too few trials & ~agrees & ~confidence"
        ));
        assert_eq!(column(&line, "verdict"), ["untested"]);
    }
    check_table(
        "roll 1 --test --count 3 --format table => agrees with
roll 0:5 --test --count 1000 --seed 1 => the simulation agrees
roll 2 --test -s 1:2 -a interval --count 10 --seed 1 -f csv => \\ninterval,1:2,2,10,",
    );
}

/// A target is refused if every algorithm would need too many rolls of a source with too little
/// entropy, but not if the target has no more.
#[test]
fn rolls_without_enough_entropy_are_refused() {
    for (line, sentence) in [
        (
            "roll 1:1 -s p=1/10^400",
            "with a coin loaded 1:99999999...99999999 (400 digits) a result takes more than 2^50 rolls on average, whatever the algorithm",
        ),
        ("roll 1:1 -s p=1/10^400 --trace", "more than 2^50 rolls"),
        ("roll 6 -s 1:10^20", "more than 2^50 rolls"),
        (
            "roll 2 --test -s p=1/10^400 --count 100",
            "more than 2^50 rolls",
        ),
        (
            "supply --accept 2^-1000 --count 256 --failure 1-2^-5000 --block 1000000",
            "2^60 rolls or more would be needed",
        ),
        (
            "supply --accept 2^-1000 --failure 1/2 --block 1000000",
            "2^60 rolls or more would be needed",
        ),
        (
            "supply 6,7 --count 1000000000",
            "--count 1000000000 of a list of 2 asks for 2000000000 results: 1000000000 is the most",
        ),
    ] {
        let (status, _, said) = run(line);
        assert!(status == 2 && said.contains(sentence), "{line}: {said}");
    }
    stdout("roll 1:10^400 -s 1:10^400 --seed 1");
}

#[test]
fn weights_of_a_file_are_rolled() {
    let folder = Folder::new();
    let loot = folder.write("loot.txt", "sword 5\nlong bow 2\n");
    let rolled = stdout(&format!("roll @{loot} --count 30 --seed 1"));
    assert!(
        rolled.contains("sword\n") && rolled.contains("long bow\n"),
        "{rolled}"
    );
    let drops = folder.write("drops.csv", "item,count\nsword,5\nbow,2\n");
    for line in [format!("roll @{drops}"), format!("law @{drops}:cuont")] {
        assert!(refusal(&line).contains("as in @drops.csv:count"), "{line}");
    }
}
