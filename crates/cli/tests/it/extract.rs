//! `extract` and `test-die`: fair bits from unfair rolls, and what recorded rolls say about a die.

use crate::support::{Folder, cells, check_equal, check_table, refusal, stdout};

/// Two rolls of a die loaded 1:2:3 differ with probability 22/36. The values for an unknown die at
/// these weights are those of the loaded die.
#[test]
fn bits_of_a_loaded_die_are_counted() {
    check_table("extract --source 1:2:3 --length 2 -f csv => von-neumann,2,11/18, & ~peres");
    let names = ["method", "length", "bits_exact"];
    let known = cells("extract -s 1:2:3 --length 6 --method elias", names);
    assert_eq!(
        known,
        cells(
            "extract -s unknown:3 --at 1:2:3 --length 6 --method elias",
            names
        )
    );
    check_table(
        "extract -s unknown:3 --at 1:2:3 --length 6 --method elias -f csv => \\nmethod,length,at,bits_exact, & ,1:2:3,",
    );
}

/// Counts with their faces are read as counts, and an ambiguous input is refused with one sentence.
#[test]
fn rolls_and_counts_are_distinguished() {
    let folder = Folder::new();
    let faces = folder.write("fc.csv", "face,count\n1,17\n2,12\n3,20\n4,15\n5,18\n6,18\n");
    let rows = stdout(&format!("test-die @{faces}:count -f csv"));
    assert_eq!(rows, stdout("test-die 17,12,20,15,18,18 -f csv"));
    assert!(rows.contains("6,100,"), "{rows}");
    let rolls = folder.write("rolls.csv", "player,total\na,6\nb,5\na,1\nb,6\n");
    assert_eq!(
        stdout(&format!("test-die @{rolls}:total")),
        stdout("test-die 1,0,0,0,1,2")
    );
    let error = refusal(&format!("test-die @{rolls}"));
    assert!(error.contains("columns player, total"), "{error}");
    let sixty: Vec<String> = (0..60).map(|i| (1 + 7 * i % 20).to_string()).collect();
    let sixty = sixty.join(",");
    check_table(&format!(
        "! test-die {sixty} => --rolls & --counts
test-die {sixty} --rolls -c faces,rolls -f csv => \\n20,60\\n
test-die {sixty} --counts -c faces,rolls -f csv => \\n60,630\\n
test-die HTHHT -c faces,rolls -f csv => \\n2,5\\n"
    ));
}

/// A comma with a blank after it separates numbers, and one with three digits after it may be part
/// of a number.
#[test]
fn commas_between_counts_are_read_in_one_way() {
    check_equal("test-die 17, 12, 20 == test-die 17,12,20");
    let said = refusal("test-die 1,200 1,100");
    assert!(said.contains("1,200 1,100"), "{said}");
}
