//! The parts of an answer besides its numbers: notes, names, and the rows of a table on a screen.

use crate::support::{refusal, run};

/// Returns the notes of a line.
fn notes(arguments: &[&str]) -> String {
    let (status, _, said) = run(arguments);
    assert_eq!(status, 0, "{arguments:?}: {said}");
    said
}

/// Dice that are written twice in a formula are rolled twice. A note says so, and shows a formula
/// that rolls them once: one roll of 2d6 is between 7 and 9 with probability 15/36 = 5/12.
#[test]
fn the_same_dice_twice_are_two_rolls() {
    let said = notes(&["law", "2d6>=7 and 2d6<=9"]);
    let line = "flipcost law 'r>=7 and r<=9 where r = 2d6'";
    assert!(said.contains("2d6 is rolled twice"), "{said}");
    assert!(said.contains(line), "{said}");
    let once = notes(&["law", "r>=7 and r<=9 where r = 2d6"]);
    assert!(once.contains("its probability is 5/12"), "{once}");
    assert!(!once.contains("rolled twice"), "{once}");
    let said = notes(&["law", "count(5d10>=8) - count(5d10=1)"]);
    let line = "flipcost law 'count(r>=8) - count(r=1) where r = 5d10'";
    assert!(
        said.contains("5d10 is rolled twice") && said.contains(line),
        "{said}"
    );
    let (_, rows, _) = run(&["law", "count(r>=8) - count(r=1) where r = 5d10"]);
    assert!(rows.contains("\n1,29430,2943/10000,0.2943\n"), "{rows}");
    let single = notes(&["law", "2d6>=7 and d6<=3"]);
    assert!(!single.contains("rolled twice"), "{single}");
    // without a comparison there is no event
    assert!(!notes(&["law", "d2-1"]).contains("an event"));
}

#[test]
fn notes_name_dice_that_are_not_used() {
    let said = notes(&["law", "a>=5 and a<=9", "--dice", "2d6"]);
    let wanted = "b is not used: a is a single d6, and a+b is the sum of all dice";
    assert!(said.contains(wanted), "{said}");
    assert!(!notes(&["law", "a+b", "--dice", "2d6"]).contains("not used"));
}

#[test]
fn a_note_has_all_likeliest_values_and_no_long_fractions() {
    let said = notes(&["law", "3d6"]);
    let wanted =
        "unfair: the least probability is 1/216 (of 3 and 18), the largest 1/8 (of 10 and 11)";
    assert!(said.contains(wanted), "{said}");
    let said = notes(&["law", "100d6"]);
    assert!(said.lines().all(|line| line.len() < 200), "{said}");
}

#[test]
fn an_expression_without_a_value_is_named_with_its_row() {
    let line = [
        "cost",
        "1..4",
        "-a",
        "fast-dice-roller",
        "-c",
        "n,expected/entropy",
    ];
    let said = notes(&line);
    assert!(
        said.contains("expected/entropy is left out of n = 1: a denominator cannot be 0"),
        "{said}"
    );
    assert!(!said.contains("is not an expression"), "{said}");
    let said = refusal("cost 2..6 -c n,toll=expected-log2(n)");
    let wanted =
        "toll is a column already: another name was expected, as in my_toll=expected-log2(n)";
    assert!(said.contains(wanted), "{said}");
}

/// `libraries fair` lists the functions with a total variation distance of 0, and `libraries
/// biased` those with a positive one. A number as the word is refused with a hint at `--target`.
#[test]
fn library_functions_are_selected_by_fairness() {
    let distances = |word: &str| {
        let (_, rows, _) = run(&[
            "libraries",
            word,
            "-c",
            "total_variation_exact",
            "-f",
            "csv",
        ]);
        rows.lines().skip(1).map(str::to_string).collect::<Vec<_>>()
    };
    let (fair, biased) = (distances("fair"), distances("biased"));
    assert!(
        !fair.is_empty() && fair.iter().all(|distance| distance == "0"),
        "{fair:?}"
    );
    assert!(
        !biased.is_empty() && biased.iter().all(|distance| distance != "0"),
        "{biased:?}"
    );
    let (_, all, _) = run(&["libraries", "-f", "csv"]);
    assert_eq!(all.lines().count() - 1, fair.len() + biased.len());
    for number in ["10", "100", "64"] {
        let said = refusal(&format!("libraries {number}"));
        assert!(
            said.contains(&format!("libraries --target {number}")),
            "{said}"
        );
    }
}

/// The headline gives the cost of the printed recipe. If a Knuth-Yao tree is cheaper, a note names
/// it and its command.
#[test]
fn a_recipe_has_the_names_of_its_outcomes() {
    let loot = "{'sword': 5, 'shield': 3, 'potion': 11}";
    let (_, page, _) = run(&["plan", loot, "--dice", "d20,d6", "-f", "table"]);
    let page = page.replace("\n  ", " ");
    assert!(
        page.contains("A name is the outcome") && page.contains(" potion"),
        "{page}"
    );
    assert!(!page.contains("is the face of a d19"), "{page}");
    let (_, page, said) = run(&["plan", loot, "--dice", "d6", "-f", "table"]);
    let page = page.replace("\n  ", " ");
    assert!(
        page.contains(
            "The result is the face of a d19: 1 to 5 is sword, 6 to 8 is shield, 9 to 19 is potion."
        ),
        "{page}"
    );
    assert!(
        said.contains("Knuth and Yao's algorithm with the d6 alone is cheaper"),
        "{said}"
    );
    assert!(said.contains("flipcost show"), "{said}");
    let (_, page, _) = run(&["plan", "3d6", "--dice", "d6", "-f", "table"]);
    assert!(
        page.contains("Roll the dice of 3d6 and compute its value.")
            && !page.contains("d216, carry"),
        "{page}"
    );
    let (_, page, _) = run(&["plan", "d20+5", "--dice", "d20", "-f", "table"]);
    assert!(
        page.starts_with("d20+5 with these dice: d20") && page.contains(" 25"),
        "{page}"
    );
}

#[test]
fn small_losses_of_a_method_are_not_rounded_to_zero() {
    let (_, page, _) = run(&["advise", "p256"]);
    assert!(!page.contains("0.000 flips"), "{page}");
    let (_, page, _) = run(&["advise", "p256", "-f", "table"]);
    assert!(
        page.contains("5.99") && page.contains("A die of p256 sides"),
        "{page}"
    );
}

#[test]
fn sides_are_counted_from_1() {
    let said = refusal("cost 5.5");
    assert!(
        said.contains("a whole number from 1 was expected"),
        "{said}"
    );
}

/// A user's own rule is compared with the target. If they differ, `rule check` exits with status 1,
/// while `cost --rule` exits with 0.
#[test]
fn a_rule_can_be_costed_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three flips.rhai");
    let text = "fn rule(n, m) { let x = 0; for i in 0..3 { x = 2*x + flip(); } x % n }";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let (status, rows, said) = run(&["cost", "1:2:3", "--rule", file]);
    assert_eq!((status, rows.lines().count()), (0, 2), "{said}");
    assert!(said.contains("from those of the weights is 1/4"), "{said}");
    let (status, rows, _) = run(&["rule", "check", file, "--targets", "6"]);
    let row = "6,false,1/6,3,11/3,true,1,7,14,\"0 has 1/4 (as after HHH, TTH), 2 has 1/8 (as after HTH)\"";
    assert_eq!((status, rows.lines().nth(1)), (1, Some(row)));
    let (status, rows, said) = run(&["rule", "check", file, "--targets", "8"]);
    assert_eq!(
        (status, rows.contains("8,true,0,3,3,true,1,7,14,")),
        (0, true),
        "{said}"
    );
    // half of the probability is never decided, so the rule is not fair
    let endless = "fn start(n, m) { 0 } fn step(x, face, n, m) { if x == 0 && face == 1 { out(0) } else { x + 1 } }";
    let file = folder.path().join("endless.rhai");
    std::fs::write(&file, endless).unwrap();
    let (status, rows, said) = run(&["rule", "check", file.to_str().unwrap(), "--targets", "2"]);
    let row = rows.lines().nth(1).unwrap_or_default();
    assert_eq!((status, &row[..8]), (1, "2,,,,1,,"), "{rows}{said}");
    let sentence = "endless.rhai is fair for n = 2 is not decided";
    assert!(
        said.contains("whether ") && said.contains(sentence),
        "{said}"
    );
    let missing = refusal("rule check no-such-file.rhai");
    assert!(missing.contains("no-such-file.rhai"), "{missing}");
}
