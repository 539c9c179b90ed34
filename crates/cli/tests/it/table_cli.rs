//! Tests of the commands for people who play with dice: batches, plans, tables, trees, comparisons,
//! simulations.

use crate::support;

use support::{late_refusal, refusal, stdout};

/// Checks that these lines are in the output, in this order.
fn check_lines_in_order(arguments: &str, lines: &[&str]) {
    let text = stdout(arguments);
    let mut rest = text.lines();
    for line in lines {
        assert!(rest.any(|l| l == *line), "{arguments}: {line:?} in\n{text}");
    }
}

#[test]
fn bad_input_gets_one_sentence_and_status_2() {
    for (arguments, names) in [
        ("cost 6 --sources 20..2", "reversed"),
        ("cost 6 --sources 1..5", "2 to 2^64"),
        ("cost 0..5", "at least 1"),
        ("cost 2,,5,", "missing"),
        ("cost 1..10^9 -s 6,10 -a bounded", "too many"),
        ("cost two,", "character 1"),
        ("batch", "required"),
        ("batch 0 4", "at least 1"),
        ("batch 4 13 --source 1", "2 to 2^64"),
        ("batch 4 13 --repeat", "one target"),
        ("batch 4 13 --power 2", "one target"),
        ("batch 4 --power 0", "at least 1"),
        ("batch 4 --power 10^6", "too high"),
        ("batch 4 --repeat --capacity 0", "at least 1"),
        ("batch 4 --chart /tmp/x.svg", "--capacity"),
        ("batch 4 -o /tmp/x.svg", "--capacity"),
        ("batch 4 --capacity 9 --chart /tmp/x.gif", ".svg"),
        ("batch 4 --input 1,2", "--trace"),
        ("batch 4 13 --source 6 --trace --input 6,7", "roll 2"),
        ("shuffle 0", "at least 1"),
        ("shuffle 10^8", "too large"),
        ("shuffle 5 --draw 6", "1 to 5"),
        ("shuffle 5 --names Ann,Bob", "--deal"),
        ("shuffle 5 --seed 1", "--deal"),
        ("shuffle 2 --deal --names Ann,Bob,Cy", "too few"),
        ("shuffle 5 --deal --names Ann,Ann", "twice"),
        ("shuffle 5 --deal --names Ann,,Bob", "player 2"),
        ("shuffle 5 --deal --digits 3", "--digits"),
        ("shuffle 5 --deal --input HT", "ran out"),
        ("shuffle 5 --deal --input HX", "roll 2"),
        ("plan 0 --dice 6", "at least 1"),
        ("plan 13", "--dice"),
        ("plan 13 --throw 6,6 --dice 6", "--dice"),
        ("plan 13 --throw 6,6 --cost 36=2", "--cost"),
        ("plan 13 --throw 6,6 --throw 4,9", "both have 36 results"),
        ("plan 13 --throw 6,1", "2 to 2^32"),
        ("plan 13 --throw 2^20,2^20", "more than 2^32"),
        ("plan 13 --dice 6 -o /tmp/x.gif", "picture"),
        ("plan 13 --dice 6,1", "2 to 2^64"),
        ("plan 13 --dice six", "is not a source"),
        ("plan 13 --dice 6,10 --cost 6=0", "not positive"),
        ("plan 13 --dice 6,10 --cost 6=-1", "its value is -1"),
        ("plan 13 --dice 6,10 --cost 6", "die=price"),
        ("plan 13 --dice 6,10 --cost 8=1", "not among the dice"),
        ("plan 13 --dice 6,10 --cost 6=1,6=2", "twice"),
        ("plan 10^6 --dice 6,10", "too large"),
        ("show 0 --as table", "at least 1"),
        (
            "show 6 --as table --algorithm fast-dice-roller",
            "starting again",
        ),
        ("show 2^40 --as table", "rows"),
        (
            "show 5 --as table --source 6 --algorithm bounded",
            "5 divides no power of 6",
        ),
        ("show 5 --as tree --depth 10^9", "too deep"),
        (
            "show 5 --as tree --depth 20 --algorithm rejection -o /tmp/x.svg",
            "nodes",
        ),
        ("show 5 --as tree -o /tmp/x.gif", ".svg"),
        (
            "show 300 --as tree --depth 9 -o /tmp/x.svg",
            "smaller --depth",
        ),
        (
            "cost 2..3000 --sources 2 --best -a rejection -o /tmp/x.svg",
            "1800 targets",
        ),
        (
            "show 5 --as tree --algorithm intervall",
            "did you mean interval?",
        ),
        ("export prism 0", "at least 1"),
        ("export prism 10^9+7", "transitions"),
        (
            "export prism 5 --source 6 --algorithm bounded",
            "5 divides no power of 6",
        ),
        ("cost 2..100 --sources 2..10^5 --best", "too many"),
        ("cost 2..100 --sources 6..2 --best", "reversed"),
        ("roll 6 --test --count 0", "it must be at least 1"),
        ("roll 6 --test --seed x", "character 1"),
        ("plan 0 --factoring", "at least 1"),
        ("plan 13 --dice 1,6 --factoring", "2 to 2^64"),
        ("plan 10^9+7 --dice 6 --factoring", "10000"),
        ("plan 2^70 --dice 6 --factoring", "2^64"),
        ("roll 2^20+1 --test", "1048576"),
        ("plan 5000 --dice 2^32", "2^8"),
        ("cost 2..9000 --sources 2..9000 --best", "pairs"),
        ("batch 6 7 --capacity 9 -o /tmp/x.png", "the chart"),
        ("batch 6 --repeat --capacity 9 -o /tmp/x.gif", ".svg"),
        ("show 6 --as tree -o /tmp/x.gif", ".png"),
        ("show 6 --as table --source 2 -a fast-dice-roller", "a coin"),
    ] {
        let sentence = refusal(arguments);
        assert!(sentence.contains(names), "{arguments}: {sentence}");
    }
}

#[test]
fn a_d6_makes_some_dice_in_a_bounded_number_of_rolls() {
    check_lines_in_order(
        "cost 2..=12 --sources 6 -a bounded -c source,n,possible,worst_case,missing_prime",
        &[
            "source,n,possible,worst_case,missing_prime",
            "6,2,true,1,",
            "6,4,true,2,",
            "6,5,false,,5",
            "6,9,true,2,",
            "6,12,true,2,",
        ],
    );
    // with two dice, a rule chooses one of them for each roll
    check_lines_in_order(
        "cost 14..15 -s 6,10 -a bounded -c source,n,possible,missing_prime",
        &["\"6,10\",14,false,7", "\"6,10\",15,true,"],
    );
    let all = "cost 2..100 --sources 2..20 -a bounded -c possible";
    assert_eq!(stdout(all).lines().count(), 1 + 19 * 99);
}

#[test]
fn a_d4_and_a_d13_are_rolled_together_with_a_d6() {
    let text = stdout("batch 4 13 --source 6 --best-order");
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split(',').collect()).collect();
    assert_eq!(
        rows[0],
        ["mode", "order", "expected_exact", "expected", "shares"]
    );
    let of = |i: usize| (rows[i][0], rows[i][1], rows[i][2]);
    assert_eq!(of(1), ("keep", "4 13", "2327482/699855"));
    assert_eq!(
        (of(2).0, of(3).0, of(4).0),
        ("separate", "product", "bound")
    );
    assert_eq!(of(5), ("keep", "13 4", "20100730738/6530347005"));
    let json = stdout("batch 4 13 --source 6 --digits 4 --format jsonl");
    assert!(json.starts_with("{\"mode\":\"keep\",\"order\":\"4 13\",\"expected_exact\":\"2327482/699855\",\"expected\":\"3.3257\",\"shares\":\"1.3333 1.9923\"}\n"));
}

/// Uses Langkaas's worked example, in which a d6 shows 6, 3, 4, 3. If the rolls run out, the steps
/// before that are printed.
#[test]
fn rolls_that_run_out_leave_what_was_traced() {
    let sentence = late_refusal("batch 4 13 --source 6 --trace --input 6,3");
    assert!(
        sentence.contains("ran out before result 2 of 2"),
        "{sentence}"
    );
}

#[test]
fn the_worked_example_gives_the_results_1_and_2() {
    check_lines_in_order(
        "batch 4 13 --source 6 --trace --input 6,3,4,3",
        &[
            "  d6 shows 6  ->  v = 6, c = 5",
            "  reject  ->  v = 2, c = 1",
            "  d6 shows 3  ->  v = 12, c = 8",
            "d4 = 1  ->  v = 3, c = 2",
            "d13 = 2  ->  v = 2, c = 1",
            "results: 1 2",
        ],
    );
    let seeded = "batch 4 13 52 --trace --seed 5";
    assert_eq!(stdout(seeded), stdout(seeded));
}

#[test]
fn the_cost_of_an_endless_stream_is_exact() {
    check_lines_in_order(
        "batch 2 --source 6 --repeat --capacity 36",
        &[
            "repeat,2,3/5,0.6,,",
            "eager,2,11433/28793,0.3970756781162088,,",
            "separate,2,1,1,,",
            "bound,2,,0.3868528072345416,,",
        ],
    );
    check_lines_in_order(
        "batch 6 --power 3",
        &["power,6^3,491/171,2.871345029239766,,"],
    );
    // a reducible chain: the stream ends up in one of two closed classes, which have the same cost
    check_lines_in_order(
        "batch 15 --repeat --capacity 147",
        &[
            "repeat,15,64/15,4.266666666666667,,",
            "eager,15,64/15,4.266666666666667,,",
            "bound,15,,3.9068905956085187,,",
        ],
    );
    // too large for an exact solution: the cost is an interval, and a note says so
    let text = stdout("batch 13 --source 6 --repeat --capacity 10^15");
    let eager: Vec<&str> = text.lines().nth(2).unwrap().split(',').collect();
    assert_eq!((eager[0], eager[2]), ("eager", ""));
    assert!(eager[4].parse::<f64>().unwrap() < eager[5].parse::<f64>().unwrap());
}

/// Tests stores that make two dice alternately. Making a d4 from coins wastes nothing, so the cost
/// of a d4 and a d13 is their optimum. A list with the same die twice costs the same as that die.
#[test]
fn a_store_serves_dice_in_turn() {
    let head =
        "target,source,states,class,expected_exact,expected,fill_exact,loss_bits,proved,exceptions";
    let row = |line: &str| {
        let text = stdout(&format!("stream {line} -f csv"));
        let (first, row) = text.split_once('\n').unwrap();
        assert_eq!(first, head);
        row.trim_end().to_string()
    };
    let both = row("4,13 --states 52");
    assert!(both.starts_with("\"4,13\",2,52,whole,2005/611,3.281505728314239,,"));
    assert!(both.ends_with(",yes,0"));
    assert!(row("13 --states 52").starts_with("13,2,52,whole,2788/611,")); // 2 * 2005/611 - 2
    assert!(row("6,6 --states 64").starts_with("\"6,6\",2,64,whole,17/6,"));
    check_lines_in_order(
        "stream 4,13 --states 52 --trace --results 2 --input HHHHHHHHHHHH",
        &["result d4,1,8,0", "result d13,1,4,0"],
    );
    for (line, names) in [
        ("3,1 --states 9", "leave it out"),
        ("3,,4 --states 9", "missing"),
        ("3,0 --states 9", "0 sides"),
        ("3,5 --states 9 --class staged", "single target"),
        ("3,5 --states 6000", "at most 10000"),
    ] {
        assert!(refusal(&format!("stream {line}")).contains(names), "{line}");
    }
}

/// Tests the search for the best of all rules. The expected values for the dice 2,3 and 4,6 come
/// from an independent search in Python, and the value for the d13 from a forum.
#[test]
fn the_best_rule_of_all_is_found() {
    let head = "target,dice,expected_exact,expected,lower_exact,proved";
    for (line, row) in [
        (
            "plan 10 --dice 4,6 --optimal",
            r#"10,"4,6",83/40,2.075,83/40,yes"#,
        ),
        (
            "plan 7 --dice 2,3 --optimal --effort 10^6",
            r#"7,"2,3",398/161,2.472049689440994,398/161,yes"#,
        ),
        (
            "plan 13 --dice 6,10 --optimal",
            r#"13,"6,10",7252300/3599999,2.0145283373689824,7252300/3599999,yes"#,
        ),
        ("plan 1:2:1 --dice 4 --optimal", "1:2:1,4,1,1,1,yes"),
        (
            "plan 3 --dice 6,10 --cost 6=2 --optimal",
            r#"3,"6,10",10/9,1.1111111111111112,10/9,yes"#,
        ),
    ] {
        assert_eq!(
            stdout(&format!("{line} -f csv")),
            format!("{head}\n{row}\n")
        );
    }
    // a gap between the bounds does not make the command fail
    let gap = stdout("plan 97 --dice polyhedral --optimal --effort 1000 -f csv");
    assert!(gap.ends_with(",no\n"), "{gap}");
    for (line, sentence) in [
        ("plan 10 --dice 4,6 --optimal --no-split", "--no-split"),
        ("plan 10 --dice 4,6 --effort 10", "--optimal"),
        ("plan 10 --dice 4,6 --optimal --effort 0", "at least 1"),
        ("plan 5001 --dice 4,6 --optimal", "too large"),
    ] {
        assert!(
            refusal(line).contains(sentence),
            "{line}: {}",
            refusal(line)
        );
    }
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

#[test]
fn a_deck_of_cards_is_shuffled() {
    let text = stdout("shuffle 52 --digits 3");
    let cost = |id: &str| {
        let line = text.lines().find(|l| l.starts_with(&format!("{id},")));
        line.unwrap().split(',').nth(2).unwrap().to_string()
    };
    let ids = ["fast-dice-roller", "rejection", "product", "bound"];
    let costs = ids.map(cost);
    assert_eq!(costs, ["277.842", "380.908", "226.680", "225.581"]);
}

/// CPython's shuffle takes 2^K / n words on average for each n, where K is the bit length of n.
/// Ruby's uses the bit length of n - 1, which saves about five words in all. An index into a deck
/// of 300 cards needs more than a byte.
#[test]
fn library_shuffles_take_the_words_of_their_rules() {
    let line = |text: &str, id: &str| {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{id},")));
        line.unwrap()
            .split(',')
            .map(str::to_string)
            .collect::<Vec<String>>()
    };
    let one = stdout("shuffle 52 -a cpython-randbelow -s word:32 --digits 3");
    assert_eq!(line(&one, "cpython-randbelow")[2], "76.395");
    let all = stdout("shuffle 52 --libraries --digits 3");
    assert_eq!(line(&all, "cpython-shuffle")[2..4], ["76.395", "2444.644"]);
    assert_eq!(line(&all, "ruby-shuffle")[2], "71.395");
    // too many cards: all methods are compared up to 200 cards only
    let large = stdout("shuffle 10000 -a fast-dice-roller --digits 0");
    assert!(line(&large, "bound")[2].parse::<u64>().unwrap() > 118_000);
}

/// The published batches of 52 cards are eight batches of six indices and one of three; the best
/// are four batches.
#[test]
fn batches_of_a_deck_match_the_published_ones() {
    let text = stdout("shuffle 52 --batches -s word:64 --digits 11");
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[1].starts_with("best,") && rows[1].contains(",4.01754504730,"));
    assert!(rows[1].ends_with(",4,\"1 of 10, 1 of 11, 1 of 12, 1 of 18\""));
    assert!(
        rows[2].starts_with("published,,9.00000000089,"),
        "{}",
        rows[2]
    );
    assert!(rows[2].ends_with(",9,\"8 of 6, 1 of 3\""));
    assert!(rows[3].starts_with("one-by-one,"));
}

/// The biased shuffle of three cards has 27 equally likely sequences of three swaps. Five of them
/// lead to each of three orders, and four to each of the other three orders.
#[test]
fn a_biased_shuffle_is_detected() {
    let text = stdout("shuffle 3 --broken");
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].starts_with("id,total_variation_exact,total_variation,ratio_exact,"));
    assert!(rows[1].starts_with("swap-any,1/18,0.05555555555555555,5/4,5/27,4/27,"));
    assert!(rows[2].starts_with("sattolo,2/3,0.6666666666666666,inf,1/2,0,"));
    assert!(rows[3].starts_with("sort-insertion,1/6,0.16666666666666666,2,1/4,1/8,"));
}

#[test]
fn plans_are_printed() {
    let json = stdout("plan 17 --dice 6,10 --format jsonl");
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    let names: Vec<&String> = first.as_object().unwrap().keys().collect();
    assert_eq!(names.len(), 6);
    assert_eq!(first["target"], 17);
    assert_eq!(first["dice"], "6,10");
    assert_eq!(first["splitting"], true);
    assert_eq!(first["expected_exact"], "714/347");
    assert_eq!(first["worst_case"], "inf");
    let plain = stdout("plan 17 --dice 6,10 --no-split --format jsonl");
    assert!(plain.starts_with(
        "{\"target\":17,\"dice\":\"6,10\",\"splitting\":false,\"expected_exact\":\"4458/2159\""
    ));
    check_lines_in_order("plan 12 --dice 6 --format csv", &["12,6,true,2,2,2"]);
    assert!(stdout("plan 100 --dice polyhedral").contains("\"4,6,8,10,12,20\",true,2,2,2"));
    let page = stdout("plan 13 --dice 6,10 --cost 6=1,10=1.5 --format table");
    assert!(
        page.contains("d10 (3/2 a roll)") && page.contains("begin at A"),
        "{page}"
    );
}

#[test]
fn the_table_of_a_d6_from_a_d4_is_printed() {
    let text = stdout("show 6 --as table --source 4");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "first roll,second roll,result");
    assert_eq!(lines[1], "1,1,1");
    assert_eq!((lines.len(), lines[13]), (14, "4,any,discard (early)"));
    check_lines_in_order(
        "show 6 --as table --source 4 --algorithm base-conversion --format markdown",
        &[
            "| first roll | second roll | result |",
            "| ---: | ---: | ---: |",
            "| 3 | 4 | 6 |",
            "| 4 | 4 | discard |",
        ],
    );
    let words = [
        "show", "6", "--as", "table", "-s", "4", "--format", "terminal",
    ];
    let (_, table, note) = support::run(&words);
    assert!(
        table.starts_with("first roll  second roll  result\n"),
        "{table}"
    );
    assert_eq!(note, "note: 12 of 13 rows give a result\n");
}

#[test]
fn a_recipe_states_the_range_of_the_search() {
    assert!(stdout("plan 13 --factoring").contains("up to 94 sides"));
    assert!(stdout("plan 13 --dice polyhedral --factoring").contains("larger ones cannot help"));
}

#[test]
fn states_count_outcomes_from_1() {
    check_lines_in_order(
        "show 3 --as tree --algorithm interval --depth 2",
        &["│  └─ T [between outcomes 1 and 2, cut at 1/n] ...  (1/4)"],
    );
}

#[test]
fn trees_are_printed_and_drawn() {
    check_lines_in_order(
        "show 3 --as tree --depth 2",
        &[
            "├─ H [v = 2, c = 0]",
            "│  ├─ H = 1  (1/4)",
            "undecided after 2 flips: probability 1/4",
        ],
    );
    check_lines_in_order(
        "show 12 --as tree --source 6",
        &["every outcome is decided after 2 rolls"],
    );
    let folder = tempfile::tempdir().unwrap();
    for (name, starts) in [("t.svg", "<svg"), ("t.png", "\u{fffd}PNG")] {
        let path = folder.path().join(name);
        stdout(&format!(
            "show 5 --as tree --algorithm interval -o {}",
            path.display()
        ));
        let bytes = std::fs::read(&path).unwrap();
        assert!(
            String::from_utf8_lossy(&bytes).starts_with(starts),
            "{name}"
        );
    }
}

#[test]
fn streams_and_comparisons_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (chart, output, map) = (path("a.svg"), path("b.svg"), path("c.svg"));
    stdout(&format!(
        "batch 2 --source 6 --repeat --capacity 64 --chart {chart}"
    ));
    let rows = stdout(&format!(
        "batch 2 --source 6 --repeat --capacity 64 -o {output}"
    ));
    assert!(rows.starts_with("mode,"));
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(&chart), read(&output));
    let rows = stdout(&format!("cost 2..12 --sources 2,6 --best -o {map}"));
    assert!(rows.starts_with("source,"));
    assert!(read(&map).starts_with("<svg"));
}

#[test]
fn a_chain_is_exported_for_a_model_checker() {
    check_lines_in_order(
        "export prism 6 --algorithm fast-dice-roller",
        &[
            "dtmc",
            "rewards \"rolls\"",
            "label \"done\" = s>=7;",
            "label \"outcome_5\" = s=12;",
        ],
    );
}

#[test]
fn the_best_algorithm_of_every_cell_is_shown() {
    let text = stdout("cost 2..6 --sources 2,6 --best");
    assert_eq!(text.lines().count(), 11);
    let line = text.lines().find(|l| l.starts_with("2,6,")).unwrap();
    assert!(line.starts_with("2,6,fast-dice-roller,11/3,3.6666666666666665,3.6666666666666665,"));
    check_lines_in_order(
        "cost 5 --sources 6 --best --algorithm bounded",
        &["6,5,,,,,,,"],
    );
}

#[test]
fn simulations_do_not_depend_on_threads() {
    let run = |threads: u32| {
        stdout(&format!(
            "roll 6 --test --count 300000 --seed 9 --threads {threads}"
        ))
    };
    let one = run(1);
    assert_eq!(one, run(3));
    assert!(
        one.contains("seed 9") && one.contains("agrees with the exact law"),
        "{one}"
    );
    assert_eq!(one.lines().count(), 5);
    let json = stdout("roll 6 --test --count 1000 --format jsonl");
    assert!(json.contains("\"seed\":1,") && json.contains("\"verdict\":\"agrees\""));
}

#[test]
fn recipes_are_printed() {
    check_lines_in_order(
        "plan 12 --dice 6 --factoring",
        &[
            "A d12 from a d6: 2 rolls on average.",
            "1. Roll a d6; a = 1 if the face is odd, 2 if it is even.",
        ],
    );
    check_lines_in_order(
        "plan 13 --dice 6,10 --factoring",
        &["A d13 from a d6 and a d10: 57/26 ≈ 2.19231 rolls on average."],
    );
}

/// Returns the width and the height of a picture.
fn size(svg: &str) -> (f64, f64) {
    let value = |name: &str| {
        let from = svg.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
        svg[from..].split('"').next().unwrap().parse().unwrap()
    };
    (value("width"), value("height"))
}

/// Follows the text of a flow chart for every sequence of flips up to a length. The outcomes must
/// occur equally often, and the number of undecided sequences must be that of the fast dice roller.
#[test]
fn a_flow_chart_can_be_followed() {
    let text = stdout("show 6 --as flowchart");
    let read = |after: &str| {
        let rest = &text[text.find(after).unwrap() + after.len()..];
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap()
    };
    assert!(
        text.contains("The source is a coin (heads is 0, tails is 1)."),
        "{text}"
    );
    assert!(text.contains("c = 2c + flip"), "{text}");
    let (below, less, first) = (read("c < "), read("c = c - "), read("(1) ── "));
    let again = read("(2) ── ");
    assert!(text.contains("✓ c + 1"), "{text}");
    let mut counts = [0; 7];
    let length = (first + 2 * again) as u32;
    for flips in 0..1u32 << length {
        let mut flip = (0..length).rev().map(|i| u64::from(flips >> i & 1));
        let (mut c, mut rolls) = (0, first);
        counts[loop {
            for _ in 0..rolls {
                c = 2 * c + flip.next().unwrap();
            }
            if c < below {
                break c as usize;
            } else if flip.len() == 0 {
                break 6;
            }
            (c, rolls) = (c - less, again);
        }] += 1;
    }
    // Of the 2^7 = 128 sequences of 7 flips, s(7) = 2 are undecided, and 21 give each of the six
    // outcomes.
    assert_eq!(counts, [21, 21, 21, 21, 21, 21, 2]);
}

#[test]
fn flow_charts_as_text_fit_80_letters() {
    for line in [
        "6",
        "997",
        "100 --source 6",
        "7 --source word:32",
        "10^40 --source 10",
    ] {
        let text = stdout(&format!("show {line} --as flowchart"));
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
    assert!(stdout("show 2 --as flowchart --source 6").contains("✓ c mod 2 + 1"));
    // joins the lines, which were folded at 80 letters
    let text = stdout("show 100 --as flowchart --source 6").replace('\n', " ");
    assert!(text.contains("c = 6c + roll - 1"));
}

#[test]
fn pictures_fit_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.svg").display().to_string();
    for line in [
        "show 997 --as flowchart",
        "show 100 --as tree",
        "show 6 --as tree",
        "plan 100 --dice 2",
        "plan 13 --dice 6,10",
        "cost 2..100 --sources 2..9 --best -a rejection",
    ] {
        stdout(&format!("{line} -o {path}"));
        let svg = std::fs::read_to_string(&path).unwrap();
        let (width, height) = size(&svg);
        assert!(
            width <= 2000.0 && height <= 1500.0,
            "{line}: {width} x {height}"
        );
    }
}

#[test]
fn plans_can_be_printed_as_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    let page = stdout("plan 100 --dice 2 --format table");
    assert!(page.lines().count() < 50, "{page}");
    check_lines_in_order(
        "plan 100 --dice 2 --format table",
        &[
            "coin: c = 2c + flip, where heads is 0 and tails is 1",
            "A  Flip the coin 2 times. Then go to B.",
            "B  Flip the coin 5 times. c < 100: the result is c + 1. Otherwise c = c - 100,",
            "   go to C.",
        ],
    );
    stdout(&format!("plan 100 --dice 2 -o {}", path("a.txt")));
    assert_eq!(read("a.txt"), page);
    for line in [
        "13 --dice polyhedral",
        "100 --dice 6,10",
        "997 --dice 6,20",
        "5 --dice 20",
    ] {
        let page = stdout(&format!("plan {line} --format table"));
        for line in page.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
    stdout(&format!("plan 13 --dice 6,10 -o {}", path("a.md")));
    let markdown = read("a.md");
    assert!(
        markdown.starts_with("# A d13 with these dice: d6, d10\n"),
        "{markdown}"
    );
    stdout(&format!("plan 7 --dice 6 -o {}", path("b.md")));
    assert!(
        read("b.md").contains("| first | 1 | 2 | 3 | 4 | 5 | 6 |"),
        "{}",
        read("b.md")
    );
    stdout(&format!("plan 7 --dice 6 -o {}", path("a.csv")));
    assert!(read("a.csv").starts_with("target,dice,"));
    stdout(&format!("plan 7 --dice 6 -o {}", path("a.png")));
    assert!(
        std::fs::read(path("a.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}

#[test]
fn a_recipe_names_a_cheaper_plan() {
    let notes = |line: &str| {
        let output = support::flipcost(line).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    // the recipe takes two d6 as a d36 and uses 33 of its faces modulo 11; the fast dice roller
    // also keeps the other three faces
    assert!(stdout("plan 11 --dice 6 --factoring").contains("24/11"));
    let said = notes("plan 11 --dice 6 --factoring");
    assert!(
        said.contains("`flipcost plan 11 --dice 6` is cheaper: 82596/38885 ≈ 2.12411"),
        "{said}"
    );
    // for a d7, both cost the same, so there is no note
    assert!(stdout("plan 7 --dice 6 --factoring").contains("72/35"));
    assert_eq!(notes("plan 7 --dice 6 --factoring"), "");
    assert_eq!(notes("plan 12 --dice 6 --factoring"), "");
}

/// A throw of two d6 is one roll of a d36.
#[test]
fn dice_thrown_together_are_one_roll() {
    let costs = |line: &str| {
        let text = stdout(&format!("{line} --format csv"));
        let cells = text.lines().nth(1).unwrap().rsplit(',').take(3);
        cells.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(costs("plan 20 --throw 6,6"), costs("plan 20 --dice 36"));
    assert_eq!(
        costs("plan 20 --throw 6,6 --throw 10"),
        costs("plan 20 --dice 36,10")
    );
    assert!(stdout("plan 20 --throw 6,6 --throw 10 -f csv").contains("20,\"6x6,10\",true,"));
    // two of four cards are a d12
    let cards = stdout("plan 6 --throw cards:2/4 -f table");
    assert!(cards.contains("are the places of"), "{cards}");
    assert_eq!(costs("plan 6 --throw cards:2/4"), costs("plan 6 --dice 12"));
    let page = stdout("plan 20 --throw 6,6 -f table");
    assert!(page.contains("expected throws"), "{page}");
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("two d6 together: the dice,")
            && words.contains("6(a - 1) + b, from 1 to 36"),
        "{page}"
    );
}

/// Goes through every sequence of rolls that deals three cards with two rolls of a d6, and checks
/// that each order occurs equally often.
#[test]
fn cards_are_dealt_fairly() {
    let mut orders = std::collections::BTreeMap::new();
    for face in 1..=6 {
        let order = stdout(&format!(
            "shuffle 3 --deal --source 6 --input {face} -f table"
        ));
        *orders.entry(order).or_insert(0) += 1;
    }
    assert_eq!(orders.len(), 6);
    assert!(orders.values().all(|count| *count == 1));
    let rows = stdout("shuffle 5 --deal --names Ann,Bob --seed 3");
    let players: Vec<&str> = rows
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next().unwrap())
        .collect();
    assert_eq!(players, ["Ann", "Bob", "Ann", "Bob", "Ann"]);
    let hands = stdout("shuffle 5 --deal --names Ann,Bob --seed 3 -f table");
    assert!(
        hands.starts_with("Ann: ") && hands.lines().count() == 2,
        "{hands}"
    );
    let drawn = stdout("shuffle 52 --draw 4 --deal --seed 3");
    assert_eq!(drawn.lines().count(), 5);
    // log2 (52 51 50 49), by Python's math.log2
    assert!(stdout("shuffle 52 --draw 4 --digits 3").contains("bound,,22.631,"));
}

/// Only the picture is drawn, not the rows, and only for a shuffle that has such a picture.
#[test]
fn places_of_cards_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("map.svg");
    let path = map.to_str().unwrap();
    stdout(&format!("shuffle 6 --broken --positions -o {path}"));
    let drawn = std::fs::read_to_string(&map).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("times as likely as 1/K"));
    assert!(refusal(&format!("shuffle 6 --broken -o {path}")).contains("this command writes rows"));
    assert!(
        refusal(&format!("shuffle 300 --broken --positions -o {path}")).contains("up to 200 cards")
    );
}
