//! Tests of the names, notations and defaults that new users meet first.

use crate::support;

use support::{refusal, run, stdout};

#[test]
fn claims_are_listed() {
    assert!(refusal("verify").contains("`flipcost list claims`"));
    let rows = stdout("list claims");
    assert!(rows.starts_with("id,claim,standing,from\n"), "{rows}");
    assert_eq!(rows.lines().count(), 8);
    assert!(rows.contains("\naldr-toll-even,"), "{rows}");
    assert!(refusal("verify toll").contains("--to"));
}

/// Library functions are found by the names that their languages use; one word in each row names
/// the origin of the function.
#[test]
fn libraries_are_found_by_the_names_of_their_languages() {
    let ids = |word: &str| -> Vec<String> {
        let (status, rows, said) = run(&["libraries", word]);
        assert_eq!(status, 0, "{said}");
        let id = |row: &str| row.split(',').next().unwrap().to_string();
        rows.lines().skip(1).map(id).collect()
    };
    assert_eq!(ids("C#"), ids(".NET"));
    assert_eq!(ids("golang"), ids("go"));
    assert_eq!(ids("node"), ids("javascript"));
    assert_eq!(ids("node").len(), 5);
    let rows = stdout("libraries");
    let words = ["run", "source", "copy", "memory"];
    for row in rows.lines().skip(1) {
        let checked = row.rsplit(',').next().unwrap();
        assert!(words.contains(&checked), "{row}");
    }
}

/// In binary, 1/6 = 0.00101010...
#[test]
fn the_view_why_explains_the_cost_of_a_d6() {
    let text = stdout("show 6 --as why");
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.starts_with("1/6 = 0.00101010... in binary"), "{text}");
    assert!(
        text.contains("11/3") && text.contains("Knuth and Yao"),
        "{text}"
    );
    assert!(stdout("show 10 --as why --source 3").contains("in base 3"));
    assert!(refusal("show 1:2:3 --as why").contains("for weights see `flipcost cost 1:2:3`"));
    // digits in a large base are written as numbers in brackets; 1/6 = 715827882/2^32 + (4/6)/2^32
    assert!(
        stdout("show 6 --as why --source word:32").starts_with("1/6 = 0.[715827882][2863311530]")
    );
}

/// A formula depends on whether faces count from 0 or from 1: with three bits, (4a + 2b + c) mod 6
/// is 0 in two of the 8 cases, and 1 in two.
#[test]
fn faces_count_from_1_or_0() {
    for formula in ["3d6", "1:2:3"] {
        let said = refusal(&format!("law {formula} --faces-from 0"));
        assert!(
            said.contains("--faces-from numbers the faces of dice with letters: it needs --dice"),
            "{said}"
        );
    }
    let (_, rows, said) = run(&["law", "(4*a+2*b+c) % 6", "--dice", "2,2,2"]);
    assert!(
        said.contains("faces are numbered from 1") && said.contains("--faces-from 0"),
        "{said}"
    );
    assert!(rows.contains("\n1,2,1/4,"), "{rows}");
    let (_, rows, said) = run(&[
        "law",
        "(4*a+2*b+c) % 6",
        "--dice",
        "2,2,2",
        "--faces-from",
        "0",
    ]);
    assert!(!said.contains("faces count"), "{said}");
    assert!(
        rows.contains("\n0,2,1/4,") && rows.contains("\n2,1,1/8,"),
        "{rows}"
    );
}

/// For a d365 from three dice, a simple recipe has 8 lines and costs 1134/365; the cheapest recipe
/// has 20 steps and costs 3.05468.
#[test]
fn a_simple_recipe_is_printed_instead_of_a_long_one() {
    let (_, text, said) = run(&["plan", "365", "--dice", "10,8,6", "-f", "table"]);
    assert!(
        text.contains("expected rolls       1134/365 ≈ 3.10685\n"),
        "{text}"
    );
    assert!(
        text.contains("the cheapest recipe  ≈ 3.05468, ≈ 0.0521650 less, in 20 steps"),
        "{text}"
    );
    assert!(
        said.contains("the cheapest one is printed by --cheapest"),
        "{said}"
    );
    assert!(
        text.contains("\n8  The result is e.") && !text.contains("\nT  "),
        "{text}"
    );
    let cheapest = stdout("plan 365 --dice 10,8,6 -f table --cheapest");
    assert!(
        cheapest.contains("\nT  ") && cheapest.contains("≈ 3.10102, "),
        "{cheapest}"
    );
}

/// Rejection for a d6 costs 4 flips, and the optimum is 11/3.
#[test]
fn a_column_has_the_cost_above_another_method() {
    let columns = "algorithm,over_optimum_exact,over:rejection";
    let rows = stdout(&format!(
        "cost 6 -a rejection,fast-dice-roller -c {columns}"
    ));
    assert!(
        rows.contains("fast-dice-roller,0,-0.3333333333333333\n"),
        "{rows}"
    );
    assert!(rows.contains("rejection,1/3,0\n"), "{rows}");
    let line = "cost 1..20 -a rejection -c n,over_optimum_exact --summary";
    let rows = stdout(line);
    assert_eq!(rows.lines().count(), 2, "{rows}");
    assert!(rows.contains("over_optimum_exact"), "{rows}");
    // for weights, the optimum is the cost of the Knuth-Yao algorithm
    let rows = stdout("cost 4:7:8 -a knuth-yao,fldr -c algorithm,over_optimum_exact");
    assert!(rows.contains("knuth-yao,0\n"), "{rows}");
    assert!(refusal("cost 6 -c over:rejektion").contains("rejektion"));
}

#[test]
fn counts_of_0_are_refused_before_a_question_is_asked() {
    for line in [
        "--query roll 6 --test --count 0",
        "--query sequence A136043 --terms 0",
        "--query oeis identify 1,2,3,4 --limit 0",
        "--query plan 7 --dice 2 --optimal --effort 0",
    ] {
        assert!(refusal(line).contains("it must be at least 1"), "{line}");
    }
}

/// The option `-o` writes the text of a proof, a rule or a list to a file.
#[test]
fn texts_are_written_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (rule, proof) = (path("my.rhai"), path("why.md"));
    stdout(&format!("rule new -o {rule}"));
    assert_eq!(std::fs::read_to_string(&rule).unwrap(), stdout("rule new"));
    stdout(&format!("show 6 --as why -o {proof}"));
    let text = std::fs::read_to_string(&proof).unwrap();
    assert!(
        text.starts_with("No method makes a d6 from a coin"),
        "{text}"
    );
    assert!(
        text.contains("theorem of Knuth and Yao") && text.contains("| 11/18 |"),
        "{text}"
    );
}

/// Hints name the option that a file, a word or a column of an algorithm belongs to.
#[test]
fn hints_name_the_right_option() {
    for (line, hint) in [
        ("oeis check A136043 b.txt", "--against b.txt"),
        ("show 6 --why", "show 6 --as why"),
    ] {
        let (status, _, said) = run(&line.split(' ').collect::<Vec<_>>());
        assert!(status == 2 && said.contains(hint), "{line}: {said}");
    }
    let that = "fast-dice-roller.expected <= rejection.expected";
    let (_, _, said) = run(&["verify", "--that", that]);
    assert!(
        said.contains("cost(n, algorithm: fast-dice-roller).expected"),
        "{said}"
    );
    let said = refusal("sequence order:base=7");
    assert!(
        said.contains("2 unless it is given") && said.contains("base=7,step=7"),
        "{said}"
    );
    let (status, _, said) = run(&["coin", "from", "bent", "coin"]);
    assert_eq!(status, 2);
    assert!(
        said.contains("p=60%") && said.contains("unknown:2"),
        "{said}"
    );
}

/// The answer to `cost` with a die as the source names the command that prints the recipe.
#[test]
fn a_die_from_a_die_names_its_recipe() {
    for (line, recipe) in [
        ("d100 from d10", "plan d100 --dice d10"),
        ("2:3 from d10", "plan 2:3 --dice d10"),
    ] {
        let (_, _, said) = run(&line.split(' ').collect::<Vec<_>>());
        assert!(
            said.contains(&format!("`flipcost {recipe}` prints the recipe")),
            "{said}"
        );
    }
    // the recipe is the simplest one with the least cost, in whichever order the dice are typed
    let [one, other] = ["d20,d10", "d10,d20"].map(|dice| {
        let page = stdout(&format!("plan d100 --dice {dice} -f table"));
        page.split_once("To roll").unwrap().1.to_string()
    });
    assert_eq!(one, other);
    assert!(one.starts_with(" a d100, roll the d10 twice"), "{one}");
    let grid = stdout("plan d36 --dice d6 -f table");
    assert!(
        grid.contains("roll the d6 twice") && grid.contains("\n  6      31 32 33"),
        "{grid}"
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
    let rows = stdout("bias 6,10 --words 8 --joint -c joint_total_variation_exact");
    assert_eq!(rows.lines().nth(1), Some("193/20480"));
    assert!(refusal("bias 6 --joint").contains("6,10"));
}

/// Fair methods come before biased ones, the cheapest first, and the lower bound comes last.
#[test]
fn the_cheapest_fair_method_is_first() {
    let rows = stdout("subset 8 3 -c method,rolls");
    assert!(rows.starts_with("method,rolls\none-roll,6.42857"), "{rows}");
    assert!(rows.lines().last().unwrap().starts_with("bound,"), "{rows}");
}

/// Markdown and LaTeX documents contain the columns that answer the question.
#[test]
fn documents_contain_the_answering_columns() {
    let table = stdout("cost 6 -f latex");
    assert!(
        table.starts_with("\\begin{tabular}{lrrr}\nalgorithm & expected\\_exact &"),
        "{table}"
    );
}
