//! `plan`: recipes for several dice.

use crate::support::{Folder, cells, check_equal, check_table, notes, output, stdout};

#[test]
fn plans_are_printed() {
    let first = stdout("plan 17 --dice 6,10 --format jsonl");
    let first: serde_json::Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    let wanted = serde_json::json!({
        "target": 17, "dice": "6,10", "splitting": true, "expected_exact": "714/347",
        "expected": 2.0576368876080693, "worst_case": "inf",
    });
    assert_eq!(first, wanted);
    check_table(
        r#"plan 17 --dice 6,10 --no-split --format jsonl => \n{"target":17,"dice":"6,10","splitting":false,"expected_exact":"4458/2159"
plan 12 --dice 6 --format csv => \n12,6,true,2,2,2\n
plan 100 --dice polyhedral => "4,6,8,10,12,20",true,2,2,2
plan 13 --dice 6,10 --cost 6=1,10=1.5 --format table => d10 (3/2 a roll) & begin at A
plan 7 --dice 6,10 -f csv => ,true,7956/5999,
plan 7 --dice 2,6 --cost 6=1e400 -f csv => ~inf,
! plan 13 --throw 6,6 --dice 6 => --dice
! plan 13 --throw 6,6 --cost 36=2 => --cost
! plan 13 --dice 6,10 --cost 6 => die=price
! plan 13 --dice 6,10 --cost 6=-1 => its value is -1
! plan 10 --dice 4,6 --optimal --no-split => --no-split
! plan 10 --dice 4,6 --effort 10 => --optimal"#,
    );
}

/// The search for the best of all rules. The expected values for the dice 2,3 and 4,6 come from an
/// independent search in Python, and the value for the d13 from a forum. A gap between the bounds
/// does not make the command fail.
#[test]
fn the_best_rule_of_all_is_found() {
    check_table(
        r#"plan 10 --dice 4,6 --optimal -f csv => \ntarget,dice,expected_exact,expected,lower_exact,proved\n10,"4,6",83/40,2.075,83/40,yes\n
plan 7 --dice 2,3 --optimal --effort 10^6 -f csv => \n7,"2,3",398/161,2.472049689440994,398/161,yes\n
plan 1:2:1 --dice 4 --optimal -f csv => \n1:2:1,4,1,1,1,yes\n
plan 3 --dice 6,10 --cost 6=2 --optimal -f csv => \n3,"6,10",10/9,1.1111111111111112,10/9,yes\n
plan 97 --dice polyhedral --optimal --effort 1000 -f csv => ,no\n"#,
    );
}

/// Follows every table of a printed rule. Each outcome must have its exact probability, and the
/// expected number of rolls must be the one printed above the rule.
#[test]
fn a_printed_rule_has_the_printed_cost() {
    use flipcost_dice_set::Die;
    use flipcost_dice_set::optimal::LookUp;
    use flipcost_dice_set::page::{RecipeBlock, RecipePage};
    for (n, dice, cost) in [
        (10u64, "4,6", "83/40"),
        (13, "polyhedral", "149832370840/110591999999"),
        (7, "2,3", "398/161"),
        (6, "6", "1"),
    ] {
        let text = stdout(&format!("plan {n} --dice {dice} --optimal -f table"));
        // the headline shows a decimal instead of a long fraction
        let printed = if cost.len() > 20 { "≈ 1.35482" } else { cost };
        assert!(
            text.contains(&format!("expected rolls  {printed}")),
            "{text}"
        );
        let mut page = RecipePage {
            intro: Vec::new(),
            blocks: Vec::<RecipeBlock>::new(),
        };
        let step = |line: &str| {
            let (name, roll) = line.split_once(": ")?;
            let letters = name.chars().all(|c| c.is_ascii_uppercase());
            letters.then(|| (name.to_string(), roll.to_string()))
        };
        let (mut rows, mut part) = (0, 0);
        for line in text.lines().skip_while(|line| step(line).is_none()) {
            let cells: Vec<String> = line.split_whitespace().map(String::from).collect();
            match (step(line), cells.first()) {
                (_, None) => {}
                (Some((name, text)), _) => {
                    page.blocks.push(RecipeBlock {
                        name,
                        text,
                        table: Vec::new(),
                    });
                    (rows, part) = (0, 0);
                }
                (None, Some(first)) => {
                    // a wide table is printed in several parts
                    if first == "face" {
                        (rows, part) = (0, part + 1);
                    }
                    let table = &mut page.blocks.last_mut().unwrap().table;
                    match part {
                        1 => table.push(cells),
                        _ => table[rows].extend_from_slice(&cells[1..]),
                    }
                    rows += 1;
                }
            }
        }
        let dice = dice.parse::<flipcost_dice_set::Dice>().unwrap();
        let dice: Vec<Die> = dice.get().iter().map(|m| Die::new(*m)).collect();
        let name = |die: &Die| match die.sides {
            2 => "coin".to_string(),
            m => format!("d{m}"),
        };
        let rule = LookUp::read(&page, n, &dice, &name, &|outcome| (outcome + 1).to_string());
        let (law, expected) = rule.expect(&text).law().unwrap();
        assert!(
            law.iter().all(|p| p.to_string() == format!("1/{n}")),
            "{text}"
        );
        assert_eq!(expected.to_string(), cost);
    }
}

/// The recipe takes two d6 as a d36 and uses 33 of its faces modulo 11; the fast dice roller also
/// keeps the other three faces. For a d7, both cost the same, so there is no note.
#[test]
fn recipes_by_factoring_are_printed() {
    check_table(
        "plan 12 --dice 6 --factoring => \\nA d12 from a d6: 2 rolls on average.\\n & \\n1. Roll a d6; a = 1 if the face is odd, 2 if it is even.\\n
plan 12 --dice 6,10,2 --factoring => \\nA d12 from a d6 and a coin: 2 rolls
plan 13 --dice 6,10 --factoring => \\nA d13 from a d6 and a d10: 57/26 ≈ 2.19231 rolls on average.\\n
plan 13 --factoring => up to 94 sides
plan 13 --dice polyhedral --factoring => larger ones cannot help
plan 11 --dice 6 --factoring => 24/11 & `flipcost plan 11 --dice 6` is cheaper: 82596/38885 ≈ 2.12411
plan 7 --dice 6 --factoring => 72/35",
    );
    assert_eq!(notes("plan 7 --dice 6 --factoring"), "");
    assert_eq!(notes("plan 12 --dice 6 --factoring"), "");
    // with given rolls, the steps are rows
    let walk = "plan 7 --dice 6 --factoring --rolls 1,2";
    assert!(stdout(walk).ends_with("\n3,,,,2\n"));
    check_equal(&format!("{walk} == {walk} -f csv"));
}

/// A throw of two d6 is one roll of a d36, and two of four cards are a d12.
#[test]
fn dice_thrown_together_are_one_roll() {
    for (throw, dice) in [
        ("20 --throw 6,6", "20 --dice 36"),
        ("20 --throw 6,6 --throw 10", "20 --dice 36,10"),
        ("6 --throw cards:2/4", "6 --dice 12"),
    ] {
        let costs = |line| {
            cells(
                &format!("plan {line}"),
                ["expected_exact", "expected", "worst_case"],
            )
        };
        assert_eq!(costs(throw), costs(dice), "{throw}");
    }
    check_table(
        "plan 20 --throw 6,6 --throw 10 -f csv => 20,\"6x6,10\",true,
plan 6 --throw cards:2/4 -f table => are the places of
plan 20 --throw 6,6 -f table => expected throws",
    );
    let page = stdout("plan 20 --throw 6,6 -f table");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("two d6 together: the dice,"), "{page}");
    assert!(page.contains("6(a - 1) + b, from 1 to 36"), "{page}");
}

/// With a coin and a d6, a d6 takes one roll, and the weights 1:2:3 are looked up from it. With
/// only the coin they take 2 flips; with only the d6 one roll. With only a coin, the plan says that
/// the Knuth-Yao algorithm is cheaper. Rolls lead to the result on the sheet: a name, or a value of
/// a formula whose dice are rolled as they are written.
#[test]
fn plans_take_weights() {
    check_table(
        r#"plan 1:2:3 --dice 2,6 => 1:2:3,"2,6",true,1,1,1\n1:2:3,"2,6",false,1,1,1\n1:2:3,2,false,2,2,inf\n1:2:3,6,false,1,1,1\n
plan "{'red':1,'blue':5}" --dice 2 -f table => A name is the\n  outcome & with the coin alone is cheaper
plan "{'red':1,'blue':5}" --dice 6 --rolls 1 => \n2,,,,red\n
plan "{'red':1,'blue':5}" --dice 6 --rolls 2 => \n2,,,,blue\n
plan "{'red':1,'blue':1}" --dice 6 --rolls 2 => \n2,,,,blue\n
plan 1:2:3 --dice 10 --rolls 7,3 => \n3,,,,2\n
plan 3d6 --dice 6 --rolls 2,3,4 => \n4,,,,9\n
plan 4d6kh3+2 --dice 6 --rolls 2,6,3,1 => \n5,,,,13\n
plan 3d6 --dice d6 -f table => Roll the dice of 3d6 and compute its value. & ~d216, carry
plan d20+5 --dice d20 -f table => \nd20+5 with these dice: d20 &  25"#,
    );
    let loot = "plan \"{'sword': 5, 'shield': 3, 'potion': 11}\" -f table --dice";
    let page = stdout(&format!("{loot} d20,d6")).replace("\n  ", " ");
    assert!(
        page.contains("A name is the outcome") && page.contains(" potion"),
        "{page}"
    );
    assert!(!page.contains("is the face of a d19"), "{page}");
    let (page, said) = output(&format!("{loot} d6"));
    let named =
        "The result is the face of a d19: 1 to 5 is sword, 6 to 8 is shield, 9 to 19 is potion.";
    assert!(page.replace("\n  ", " ").contains(named), "{page}");
    assert!(
        said.contains("Knuth and Yao's algorithm with the d6 alone is cheaper"),
        "{said}"
    );
    assert!(said.contains("flipcost show"), "{said}");
}

#[test]
fn plans_can_be_printed_as_a_page() {
    let folder = Folder::new();
    let page = stdout("plan 100 --dice 2 --format table");
    assert!(page.lines().count() < 50, "{page}");
    check_table(
        "plan 100 --dice 2 --format table => \\ncoin: c = 2c + flip, where heads is 0 and tails is 1\\n & \\nA  Flip the coin 2 times. Then go to B.\\nB  Flip the coin 5 times. c < 100: the result is c + 1. Otherwise c = c - 100,\\n   go to C.\\n
plan d36 --dice d6 -f table => roll the d6 twice & \\n  6      31 32 33",
    );
    for (line, file, begin) in [
        ("100 --dice 2", "a.txt", &*page),
        (
            "13 --dice 6,10",
            "a.md",
            "# A d13 with these dice: d6, d10\n",
        ),
        ("7 --dice 6", "a.csv", "target,dice,"),
    ] {
        stdout(&format!("plan {line} -o {}", folder.path(file)));
        assert!(folder.read(file).starts_with(begin), "{file}");
    }
    stdout(&format!("plan 7 --dice 6 -o {}", folder.path("b.md")));
    assert!(
        folder
            .read("b.md")
            .contains("| first | 1 | 2 | 3 | 4 | 5 | 6 |")
    );
    for line in [
        "13 --dice polyhedral",
        "100 --dice 6,10",
        "997 --dice 6,20",
        "5 --dice 20",
    ] {
        let page = stdout(&format!("plan {line} --format table"));
        assert!(
            page.lines().all(|line| line.chars().count() <= 80),
            "{page}"
        );
    }
}

/// For a d365 from three dice, a simple recipe has 8 lines and costs 1134/365; the cheapest recipe
/// has 20 steps and costs 3.05468. The recipe is the simplest one with the least cost, in whichever
/// order the dice are typed.
#[test]
fn a_simple_recipe_is_printed_instead_of_a_long_one() {
    check_table(
        "plan 365 --dice 10,8,6 -f table => expected rolls       1134/365 ≈ 3.10685\\n & the cheapest recipe  ≈ 3.05468, ≈ 0.0521650 less, in 20 steps & the cheapest one is printed by --cheapest & \\n8  The result is e. & ~\\nT  
plan 365 --dice 10,8,6 -f table --cheapest => \\nT   & ≈ 3.10102, 
plan 365 --dice 6,10,20 -f table => 156/73 ≈ 2.13699 & in 12 steps & \\n6  The result is c.
advise 365 --dice 6,10,20 --prefer simple -f table => 156/73 ≈ 2.13699 & in 12 steps & \\n6  The result is c.
plan 365 --dice 6,10,20 -f table --cheapest => ≈ 2.12948 & \\nL  Roll",
    );
    let [one, other] = ["d20,d10", "d10,d20"].map(|dice| {
        let page = stdout(&format!("plan d100 --dice {dice} -f table"));
        page.split_once("To roll").unwrap().1.to_string()
    });
    assert_eq!(one, other);
    assert!(one.starts_with(" a d100, roll the d10 twice"), "{one}");
}
