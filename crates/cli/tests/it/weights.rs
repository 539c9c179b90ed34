//! Targets with weights, through the program.

use crate::support;

use std::path::{Path, PathBuf};
use support::queries::{ask, check_round_trip, check_rows_equal_csv, query};
use support::{bytes, flipcost, refusal, run, stdout};

/// Returns a file in a temporary directory.
fn file(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, text).unwrap();
    (directory, path)
}

fn at(path: &Path) -> String {
    format!("@{}", path.display())
}

/// Command lines about weights that write rows as CSV.
const ROWS: [&str; 22] = [
    "cost 4:7:8",
    "cost 4,7,8 -a fldr,aldr:K=11,knuth-yao -c algorithm,expected_exact,toll",
    "cost 3d6 --source 6 --digits 12",
    "cost binomial:n=6,p=1/3 -a knuth-yao --exact",
    "cost {'red':3,'blue':1} -c target,weight_sum,expected",
    "cost 0:7:0",
    "cost 6 -a knuth-yao,aldr:K=5",
    "cost --weights 1:2:3 --weights 3d6 --weights 6 -a fldr,interval",
    "cost --weights 4:7:8 --digits 9",
    "cost --sources 2,6 --best --weights 1:2:3 --weights 3d6",
    "distribution 1:2:3 --upto 9",
    "distribution 3d6 -a alias --quantiles 1/2,0.99",
    "batch 1:2:3 6 2d4",
    "law a+b+c --dice 6,6,6",
    "law a*a-b --dice 4,4 --digits 5",
    "law (-a)/2 --dice 10",
    "law 3d6",
    "law d6!",
    "law 4d6kh3>=10",
    "law a+b --dice 2d6",
    "cost max(d6,d8) -a knuth-yao",
    "cost 5d10cs>=8 -a fldr",
];

#[test]
fn a_query_and_its_command_line_agree() {
    check_round_trip(&ROWS);
    check_round_trip(&[
        "roll 3d6 --count 2 --seed 1 --trace",
        "roll 1:2:3 --input HTHH --trace",
        "show 1:2:3 --as tree --depth 3",
        "show 1:2:3 --as table --source 6",
        "roll 1:2:3 --test -a aldr:K=7 --count 1000",
        "batch 1:2:3 6 --trace --seed 3",
        "export prism 1:2:3 -a fldr",
        "cost --weights=-1d6+7*1d2",
    ]);
}

#[test]
fn an_answer_has_the_rows_of_its_command() {
    check_rows_equal_csv(&ROWS);
}

/// The weights 4:7:8 have the sum 19 = 32 - 13. In FLDR, the five binary digits of 4, 7, 8 and 13
/// leave 1, 2, 2, 1, 1 open nodes at depths 0 to 4. So an attempt costs 1 + 2/2 + 2/4 + 1/8 + 1/16
/// = 43/16 flips, and 32/19 attempts are needed: 86/19 flips.
#[test]
fn costs_of_weights_have_the_known_values() {
    let of = |line: &str| stdout(&format!("cost {line} -c expected_exact"));
    let of = |line: &str| of(line).lines().nth(1).unwrap().to_string();
    assert_eq!(of("4:7:8 -a fldr"), "86/19");
    assert_eq!(of("4:7:8 -a knuth-yao"), "1538/513");
    // the probabilities 1/2, 1/3, 1/6 take 1/2 + (1/2)(1 + ...) flips, 2 in all (Knuth & Yao 1976)
    assert_eq!(of("--weights 1:2:3 -a knuth-yao"), "2");
    assert_eq!(of("6 -a knuth-yao"), "11/3");
    // 1:2:1 is decided by two flips at most
    assert_eq!(of("2d2 -a knuth-yao"), "3/2");
    assert_eq!(of("0:5:0 -a alias"), "0");
    assert_eq!(of("1000000:2000000 -a interval"), of("1:2 -a interval"));
}

/// Equal weights are a fair die, byte for byte.
#[test]
fn equal_weights_are_a_fair_die() {
    for rest in ["", " -s 6 -d 9", " -a fast-dice-roller,rejection -f jsonl"] {
        let fair = stdout(&format!("cost 6{rest}"));
        for text in ["1:1:1:1:1:1", "5,5,5,5,5,5", "--weights 1d6"] {
            assert_eq!(stdout(&format!("cost {text}{rest}")), fair, "{text}{rest}");
        }
    }
    let tree = stdout("show 1:1:1 --as tree");
    assert_eq!(tree, stdout("show 3 --as tree"));
    assert_eq!(query("cost 6")["target"], "6");
}

#[test]
fn parameters_are_accepted_everywhere() {
    let rows = stdout("cost 4:7:8 -a aldr:K=11,aldr:K=5 -c algorithm");
    assert_eq!(rows.lines().count(), 3);
    assert!(rows.contains("aldr:K=11") && rows.contains("aldr:K=5"));
    let error = refusal("roll 1:2 -a aldr:K=0");
    assert!(error.contains("a whole number from 1 to 65536"), "{error}");
    let error = refusal("roll 1:2 -a interval:K=2");
    assert!(error.contains("interval has no parameters"), "{error}");
    let error = refusal("cost 6 -a aldrr:K=2");
    assert!(error.contains("is not an algorithm"), "{error}");
}

#[test]
fn files_become_their_weights() {
    let (_directory, lines) = file("w.txt", "# loaded\n4\n7\n8\n");
    assert_eq!(
        query(&format!("cost {}", at(&lines)))["target"],
        "4:7:8",
        "the query needs no file"
    );
    let (_directory, table) = file("w.csv", "name,weight\nred,1/2\nblue,1/6\nelse,1/3\n");
    let line = format!("roll {} --seed 3 --count 20", at(&table));
    let asked = query(&line);
    assert_eq!(asked["target"], "{'red': 3, 'blue': 1, 'else': 2}");
    let rolled = stdout(&line);
    assert!(
        rolled
            .lines()
            .all(|name| ["red", "blue", "else"].contains(&name))
    );
    let (answers, status) = ask(&asked.to_string());
    assert_eq!(status, 0);
    let results = answers[0]["rows"].as_array().unwrap().iter();
    let results: Vec<&str> = results.map(|row| row[0].as_str().unwrap()).collect();
    assert_eq!(results, rolled.lines().collect::<Vec<_>>());
    let (_directory, dict) = file("d.py", "Die({2: Fraction(1, 3), 5: Fraction(2, 3)})");
    assert_eq!(
        query(&format!("cost {}", at(&dict)))["target"],
        "{2: 1, 5: 2}"
    );
    let (_directory, wrong) = file("wrong.txt", "1\ntwo\n");
    let error = refusal(&format!("cost {}", at(&wrong)));
    assert!(error.contains("line 2 of the weights"), "{error}");
}

/// The Knuth-Yao tree makes 1, 2 and 3 from a coin: H gives 3, TH gives 2, TTH gives 1.
#[test]
fn rolls_have_the_names_of_the_outcomes() {
    for (input, outcome) in [("H", "3"), ("TH", "2"), ("TTH", "1"), ("TTTH", "2")] {
        let rolled = stdout(&format!("roll 1:2:3 --input {input}"));
        assert_eq!(rolled.trim(), outcome, "{input}");
    }
    let sums = stdout("roll 3d6 --seed 1 --count 500");
    let sums: Vec<u32> = sums.lines().map(|sum| sum.parse().unwrap()).collect();
    assert!(sums.iter().all(|sum| (3..=18).contains(sum)));
    assert!(sums.contains(&10) && sums.contains(&5));
    let traced = stdout("roll 1:2:3 --trace --input TH");
    assert!(traced.ends_with("output\n2  (2 flips)\n"), "{traced}");
    let names = stdout("show 2d2 --as tree --depth 2");
    assert!(names.contains("= 3  (1/2)"), "{names}");
}

#[test]
fn simulations_test_the_weights() {
    for algorithm in ["knuth-yao", "fldr", "aldr:K=7", "alias", "interval"] {
        let line = format!("roll 1:2:3:0:5 --test -a {algorithm} --count 20000 --seed 4 -f csv");
        let row = stdout(&line);
        assert!(row.contains(",1:2:3:0:5,"), "{row}");
        assert!(row.trim_end().ends_with(",agrees"), "{row}");
    }
}

/// The table of FLDR for 1:2:3 has 6 of 8 places for outcomes.
#[test]
fn weights_have_tables_and_models() {
    let table = stdout("show 1:2:3 --as table");
    assert!(table.contains("discard (early)"), "{table}");
    let model = stdout("export prism 1:2:3");
    assert!(model.contains("the weights 1:2:3") && model.contains("R{\"rolls\"}=?"));
}

/// A target alone costs its Knuth-Yao optimum: 2 flips for 1:2:3, 11/3 for a d6.
#[test]
fn batches_take_weights() {
    let rows = stdout("batch 1:2:3 6");
    assert!(rows.contains("separate,1:2:3 6,17/3,"), "{rows}");
    let traced = stdout("batch 2d2 3d6 --trace --seed 1");
    let last = traced.lines().last().unwrap();
    let results = last.strip_prefix("results: ").unwrap();
    let results: Vec<u32> = results.split(' ').map(|sum| sum.parse().unwrap()).collect();
    assert!((2..=4).contains(&results[0]) && (3..=18).contains(&results[1]));
}

/// A stream of weights costs as much as a stream of the die with their sum as sides, and its bound
/// is the entropy: weights 1:1:2 have 3/2 bits, and take 2 flips each if no randomness is kept.
#[test]
fn streams_and_orders_take_weights() {
    let rows = |line: &str| -> Vec<Vec<String>> {
        let cells = |row: &str| row.split(',').map(String::from).collect();
        stdout(line).lines().skip(1).map(cells).collect()
    };
    let weights = rows("batch 1:2:3 --repeat --power 2");
    let die = rows("batch 6 --repeat --power 2");
    for (mode, (ours, fair)) in ["repeat", "power"].iter().zip(weights.iter().zip(&die)) {
        assert_eq!((&*ours[0], &*fair[0]), (*mode, *mode));
        assert_eq!(ours[2..], fair[2..]);
    }
    assert_eq!(weights[2][..3], ["separate", "1:2:3", "2"]);
    assert_eq!(
        rows("batch 1:1:2 --repeat")[2][..3],
        ["bound", "1:1:2", "3/2"]
    );
    let best = rows("batch 4 6:7 -s 6 --best-order");
    let fair = rows("batch 4 13 -s 6 --best-order");
    let (best, fair) = (best.last().unwrap(), fair.last().unwrap());
    assert_eq!(best[1].replace("6:7", "13"), fair[1]);
    assert_eq!(best[2..], fair[2..]);
}

/// A file from a spreadsheet begins with a byte order mark and has line ends of two characters.
#[test]
fn a_file_from_a_spreadsheet_is_parsed() {
    let (_directory, path) = file("sheet.csv", "\u{feff}red,1\r\nblue,2\r\n");
    let rows = stdout(&format!(
        "cost {} -a knuth-yao -c target,expected_exact",
        at(&path)
    ));
    assert_eq!(rows.lines().last(), Some("1:2,2"));
}

/// With a single outcome there is nothing to test, and the test passes.
#[test]
fn a_simulation_of_one_outcome_agrees() {
    for target in ["0:5", "1"] {
        let row = stdout(&format!("roll {target} --test --count 1000 --seed 1"));
        assert!(row.contains("the simulation agrees"), "{row}");
    }
}

/// A target that could be mistaken for an option comes after the options.
#[test]
fn the_command_line_of_a_batch_is_parsed_again() {
    let text = r#"{"ask":"batch","targets":["-1+2d6"],"power":2}"#;
    let question = flipcost_all::from_json(text).unwrap();
    let line = question.command().to_string();
    assert_eq!(line, "flipcost batch --power 2 -- -1+2d6");
    let line = line.strip_prefix("flipcost ").unwrap();
    assert_eq!(stdout(line), stdout("batch 2d6 --power 2"));
}

/// With a coin and a d6, a d6 takes one roll, and the weights 1:2:3 are looked up from it. With
/// only the coin they take 2 flips; with only the d6 one roll. With only a coin, the plan says that
/// the Knuth-Yao algorithm is cheaper.
#[test]
fn plans_take_weights() {
    let rows = stdout("plan 1:2:3 --dice 2,6");
    let expected = "1:2:3,\"2,6\",true,1,1,1\n1:2:3,\"2,6\",false,1,1,1\n1:2:3,2,false,2,2,inf\n1:2:3,6,false,1,1,1\n";
    assert!(rows.ends_with(expected), "{rows}");
    let output = flipcost("plan {'red':1,'blue':5} --dice 2 -f table")
        .output()
        .unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.contains("A name is the\n  outcome"), "{page}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("with the coin alone is cheaper"), "{said}");
}

/// Rolls lead to the result on the sheet: a name, or a value of a formula whose dice are rolled as
/// they are written.
#[test]
fn rolls_lead_to_results_of_weights() {
    for (line, result) in [
        ("plan {'red':1,'blue':5} --dice 6 --rolls 1", "2,,,,red\n"),
        ("plan {'red':1,'blue':5} --dice 6 --rolls 2", "2,,,,blue\n"),
        ("plan {'red':1,'blue':1} --dice 6 --rolls 2", "2,,,,blue\n"),
        ("plan 1:2:3 --dice 10 --rolls 7,3", "3,,,,2\n"),
        ("plan 3d6 --dice 6 --rolls 2,3,4", "4,,,,9\n"),
        ("plan 4d6kh3+2 --dice 6 --rolls 2,6,3,1", "5,,,,13\n"),
    ] {
        let rows = stdout(line);
        assert!(rows.ends_with(result), "{line}: {rows}");
    }
}

#[test]
fn the_lines_of_a_file_can_be_swept() {
    let (_directory, path) = file("v.txt", "1:2:3\n# a comment\n\n4,7,8\n3d6\n6\n");
    let line = format!("cost --weights-file {}", path.display());
    let rows = stdout(&format!("{line} -a fldr,knuth-yao"));
    let targets: Vec<&str> = (rows.lines().skip(1).step_by(2))
        .map(|row| row.split(',').next().unwrap())
        .collect();
    assert_eq!(targets, ["1:2:3", "4:7:8", "3d6", "6"]);
    for threads in [1, 3] {
        let again = stdout(&format!("{line} -a fldr,knuth-yao -t {threads}"));
        assert_eq!(again, rows);
    }
    // the rows of `cost`, in the order of the registry
    let one = stdout("cost 4:7:8 -a fldr");
    assert!(rows.contains(one.lines().nth(1).unwrap()));
    // a target that the algorithm cannot make has an empty row
    let empty = stdout("cost 1:2, -a rejection -c target,algorithm,expected");
    assert_eq!(empty, "target,algorithm,expected\n1:2,rejection,\n");
    let (_directory, none) = file("none.txt", "# nothing\n");
    let error = refusal(&format!("cost --weights-file {}", none.display()));
    assert!(error.contains("no line with weights"), "{error}");
    let (_directory, wrong) = file("wrong.txt", "1:2\n1:x\n");
    let error = refusal(&format!("cost --weights-file {}", wrong.display()));
    assert!(error.contains("line 2 of "), "{error}");
}

#[test]
fn laws_of_formulas_are_exact() {
    let output = flipcost("law a+b+c --dice 6,6,6").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "unfair is no failure");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(
        notes.contains("mean 21/2 = 10.5, variance 35/4 = 8.75"),
        "{notes}"
    );
    let said =
        "unfair: the least probability is 1/216 (of 3 and 18), the largest 1/8 (of 10 and 11)";
    assert!(notes.contains(said), "{notes}");
    let rows = String::from_utf8(output.stdout).unwrap();
    assert!(rows.contains("\n10,27,1/8,0.125\n"), "{rows}");
    let fair = flipcost("law a+6*(b%2) --dice 6,6").output().unwrap();
    let notes = String::from_utf8(fair.stderr).unwrap();
    assert!(
        notes.contains("fair: each of the 12 values has probability 1/12"),
        "{notes}"
    );
    assert!(refusal("law a+b --dice 6").contains("character 3"));
    assert!(refusal("law a --dice 0").contains("0 sides"));
    assert!(refusal("law a*a --dice 2^40").contains("1 to 2^22 sides were expected"));
    let directory = tempfile::tempdir().unwrap();
    for (formula, dice) in [("a*b", "6,6"), ("a", "1"), ("a+100*b", "100,100")] {
        let path = directory.path().join("law.svg");
        bytes(&format!(
            "law {formula} --dice {dice} -o {}",
            path.display()
        ));
        let svg = std::fs::read_to_string(&path).unwrap();
        assert!(
            svg.starts_with("<svg") && svg.contains("The law of"),
            "{formula}"
        );
    }
}

/// Returns the last row of a law, and the notes.
fn law(formula: &str, more: &[&str]) -> (String, String) {
    let (status, rows, notes) = run(&[&["law", formula], more].concat());
    assert_eq!(status, 0, "{notes}");
    (rows.lines().last().unwrap().to_string(), notes)
}

/// Dice in the notation of players: each line is one that somebody types.
#[test]
fn dice_are_parsed_in_the_notation_of_players() {
    for (formula, more, row, note) in [
        (
            "3d6",
            &[][..],
            "18,1,1/216,0.004629629629629629",
            "mean 21/2 = 10.5",
        ),
        (
            "3d6 >= 15",
            &[],
            "1,20,5/54,0.09259259259259259",
            "an event, 1 if it happens and 0 if not: its probability is 5/54",
        ),
        (
            "3d6 == 18",
            &[],
            "1,1,1/216,0.004629629629629629",
            "its probability is 1/216",
        ),
        (
            "a+b",
            &["--dice", "2d6"],
            "12,1,1/36,0.027777777777777776",
            "mean 7",
        ),
        (
            "a >= 2 and a <= 5",
            &["--dice", "d6"],
            "1,4,2/3,0.6666666666666666",
            "its probability is 2/3",
        ),
        ("3d6+2", &[], "20,1,1/216,0.004629629629629629", "mean 25/2"),
        (
            "2d20kh1",
            &[],
            "20,39,39/400,0.0975",
            "mean 553/40 = 13.825",
        ),
        (
            "4d6kh3",
            &[],
            "18,21,7/432,0.016203703703703703",
            "mean 15869/1296",
        ),
        (
            "4d6kh3 >= 10",
            &[],
            "1,1069,1069/1296,0.8248456790123457",
            "its probability is 1069/1296",
        ),
        (
            "4d6ro1",
            &[],
            "24,2401,2401/1679616,0.0014294934080170706",
            "mean 47/3",
        ),
        ("5d10cs>=8", &[], "5,243,243/100000,0.00243", "mean 3/2"),
        (
            "count(5d10 >= 8)",
            &[],
            "5,243,243/100000,0.00243",
            "mean 3/2",
        ),
        ("max(d6, d8)", &[], "8,6,1/8,0.125", "mean 251/48"),
        ("9d10", &[], "90,1,1/1000000000,0.000000001", "mean 99/2"),
        (
            "8d6",
            &[],
            "48,1,1/1679616,0.0000005953741807651273",
            "mean 28",
        ),
        (
            "d6! >= 10",
            &[],
            "1,,1/12,0.08333333333333333",
            "its probability is 1/12",
        ),
        (
            "3d6!!kh2",
            &[],
            "85,,597197/1828079220031488,0.00000000032668004398065065",
            "mean 2268/215",
        ),
        (
            "max(d8!, d6!) >= 4",
            &[],
            "1,,13/16,0.8125",
            "its probability is 13/16",
        ),
    ] {
        let (last, notes) = law(formula, more);
        assert_eq!(last, row, "{formula}");
        assert!(
            notes.contains(note) && notes.contains("mean "),
            "{formula}: {notes}"
        );
        assert!(
            !note.contains("event") || !notes.contains("unfair"),
            "{notes}"
        );
    }
    let (_, notes) = law("d6!", &[]);
    assert!(notes.contains("mean 21/5 = 4.2"), "{notes}");
    let rest = "its law has no end: all values above 70 together have probability 1/1088391168";
    assert!(notes.contains(rest), "{notes}");
}

/// The same notation works in every target, and outputs name the target as it was typed.
#[test]
fn formulas_of_dice_are_targets_everywhere() {
    for target in [
        "3d6+2",
        "4d6kh3",
        "4d6ro1",
        "5d10cs>=8",
        "3d6 >= 15",
        "max(d6,d8)",
        "min(d6!, 20)",
        "d6! >= 10",
    ] {
        let (status, rows, errors) =
            run(&["cost", target, "-c", "target,expected", "-a", "knuth-yao"]);
        assert_eq!(status, 0, "{errors}");
        let row = rows.lines().nth(1).unwrap();
        let name = if target.contains(',') {
            format!("\"{target}\"")
        } else {
            target.to_string()
        };
        assert!(row.starts_with(&format!("{name},")), "{row}");
        let (status, _, errors) = run(&["roll", target, "--seed", "1"]);
        assert_eq!(status, 0, "{errors}");
    }
    let (status, _, error) = run(&["cost", "d6!"]);
    assert_eq!(status, 2);
    assert!(
        error.contains("its law has no end") && error.contains("min(d6!, 20)"),
        "{error}"
    );
    let (status, _, error) = run(&["law", "4d6y"]);
    assert!(
        status == 2 && error.contains("kh3") && error.contains("ro1") && error.contains("cs>=8"),
        "{error}"
    );
    let (status, _, error) = run(&["law", "a+b"]);
    assert!(status == 2 && error.contains("--dice 6,6"), "{error}");
    let help = stdout("help law");
    for written in [
        "4d6kh3",
        "4d6ro1",
        "d6!",
        "5d10cs>=8",
        "max(a, b)",
        "==",
        "and, or",
    ] {
        assert!(help.contains(written), "{written}: {help}");
    }
}

/// A file is never guessed to contain weights.
#[test]
fn a_file_of_weights_is_never_guessed() {
    let target = |name: &str, text: &str, column: &str| -> Result<String, String> {
        let (_directory, path) = file(name, text);
        let of = format!("{}{column}", at(&path));
        let (status, rows, error) = run(&["cost", &of, "-c", "target", "-a", "knuth-yao"]);
        if status == 0 {
            Ok(rows.lines().nth(1).unwrap().to_string())
        } else {
            Err(error)
        }
    };
    let loot = "item,count,price\nsword,60,5\naxe,30,7\nring,10,900\n";
    for (name, text, column) in [
        ("w.tsv", "60\t30\t10\n", ""),
        ("w.csv", "60;30;10", ""),
        ("w.txt", "60% 30% 10%\n", ""),
        (
            "w.csv",
            "item,weight,price\nsword,60,5\naxe,30,7\nring,10,900\n",
            "",
        ),
        ("loot.csv", loot, ":count"),
        ("loot.csv", loot, ":2"),
        ("w.json", "[60, 30, 10]", ""),
        (
            "w.json",
            "{\"sword\": 0.6, \"axe\": 0.3, \"ring\": 0.1}",
            "",
        ),
        (
            "w.json",
            "[{\"item\": \"sword\", \"weight\": 6}, {\"item\": \"axe\", \"weight\": 3}, {\"item\": \"ring\", \"weight\": 1}]",
            "",
        ),
    ] {
        assert_eq!(
            target(name, text, column),
            Ok("6:3:1".into()),
            "{text}{column}"
        );
    }
    let error = target("loot.csv", loot, "").unwrap_err();
    assert!(
        error.contains("columns item, count, price") && error.contains("@loot.csv:price"),
        "{error}"
    );
    let error = target("loot.csv", loot, ":amount").unwrap_err();
    assert!(error.contains("no column is called \"amount\""), "{error}");
    let rolls = "player,total\na,6\nb,5\na,1\nb,6\n";
    let (_directory, path) = file("rolls.csv", rolls);
    let rows = stdout(&format!("test-die {}:total", at(&path)));
    assert_eq!(rows, stdout("test-die 1,0,0,0,1,2"));
    let error = refusal(&format!("test-die {}", at(&path)));
    assert!(error.contains("columns player, total"), "{error}");
}

/// Counts with their faces are read as counts, and an ambiguous input is refused with one sentence.
#[test]
fn rolls_and_counts_are_distinguished() {
    let faces = "face,count\n1,17\n2,12\n3,20\n4,15\n5,18\n6,18\n";
    let (_directory, path) = file("fc.csv", faces);
    let rows = stdout(&format!("test-die {}:count -f csv", at(&path)));
    assert_eq!(rows, stdout("test-die 17,12,20,15,18,18 -f csv"));
    assert!(rows.contains("6,100,"), "{rows}");
    let sixty: Vec<String> = (0..60).map(|i| (1 + 7 * i % 20).to_string()).collect();
    let sixty = sixty.join(",");
    let error = refusal(&format!("test-die {sixty}"));
    assert!(
        error.contains("--rolls") && error.contains("--counts"),
        "{error}"
    );
    let columns = "-c faces,rolls -f csv";
    for (word, shown) in [("--rolls", "20,60"), ("--counts", "60,630")] {
        let rows = stdout(&format!("test-die {sixty} {word} {columns}"));
        assert!(rows.contains(shown), "{word}: {rows}");
    }
    let rows = stdout(&format!("test-die HTHHT {columns}"));
    assert!(rows.contains("2,5"), "{rows}");
}

#[test]
fn errors_are_one_sentence() {
    for (line, what) in [
        ("cost", "<N|--weights <TEXT>|--weights-file <FILE>>"),
        ("cost 6 --weights 1:2", "cannot be used with"),
        ("cost 1:x", "character 3"),
        ("cost 0:0", "all 0"),
        (
            "cost poisson:l=3",
            "poisson has no l: it is written as in poisson:1",
        ),
        ("cost @/no/such/file", "cannot read"),
        ("cost zipf:n=10^6", "more than 2147483648 bits"),
        ("cost 1:2 -a fast-dice-roller", "fair dice only"),
        ("plan 5000:1 --dice 2,6", "the sum must be at most 5000"),
        (
            "cost 2..3 --sources 2,4,6,8,10,12,20 --best --weights 1:2",
            "cannot be used with",
        ),
        (
            "cost --sources 2,4,6,8,10,12,20 --best --weights 1:2 --weights 3d6 -o map.svg",
            "fair dice",
        ),
        ("cost --weights 1:2 -f b-file", "b-file"),
    ] {
        let error = refusal(line);
        assert!(error.contains(what), "{line}: {error}");
    }
}

/// Tests a hundred thousand weights of 48 bits, and one weight of 5000 bits.
#[test]
fn many_weights_and_long_weights_are_answered() {
    let many: String = (0..100_000u64)
        .map(|i| format!("{}\n", 1 + i * 0x9E37_79B9_7F4A % (1 << 48)))
        .collect();
    let (_directory, path) = file("many.txt", &many);
    let rows = stdout(&format!(
        "cost {} -a fldr -c expected_exact,worst_case",
        at(&path)
    ));
    assert!(rows.ends_with(",inf\n") && !rows.contains("\n,"), "{rows}");
    let rows = stdout("cost 2^5000,1,3 -a knuth-yao,interval,aldr -c algorithm,expected");
    assert!(rows.contains("interval,"), "{rows}");
}

/// The tree of bits taken from words is that of a coin, not of a die with words as faces.
#[test]
fn the_tree_of_bits_from_words_is_that_of_a_coin() {
    let rows = |line: &str| {
        let (_, rows, said) = run(&line.split(' ').collect::<Vec<_>>());
        (rows, said)
    };
    let line = "show 1:2:3 --as tree -f csv -a knuth-yao --depth 4";
    let (coin, _) = rows(line);
    let (words, said) = rows(&format!("{line} --source word:64"));
    assert_eq!(words, coin);
    assert!(said.contains("this is the tree of a coin"), "{said}");
    let (_, said) = rows("show 1:2:3 --as leaves --upto 4 --source word:64");
    assert!(said.contains("this is the tree of a coin"), "{said}");
}

/// An id from the rows of another question is not an algorithm, and the error names that question.
#[test]
fn ids_of_other_questions_are_not_algorithms() {
    for (line, answer) in [
        (
            "cost 1:2:3 -a cpython-choices",
            "flipcost libraries --target 1:2:3",
        ),
        (
            "cost 52 -a cpython-shuffle",
            "flipcost shuffle 52 --libraries",
        ),
        ("cost 52 -a r-sample", "flipcost subset 52 5"),
        (
            "cost 2 -a rust-rand-random-bool",
            "flipcost libraries bernoulli --target 0.1",
        ),
        (
            "cost 2 -a r-runif",
            "flipcost libraries doubles --target 0,1",
        ),
    ] {
        let error = refusal(line);
        assert!(error.contains(answer), "{error}");
        let id = line.rsplit(' ').next().unwrap();
        assert!(
            stdout(answer.strip_prefix("flipcost ").unwrap()).contains(id),
            "{line}"
        );
    }
}
