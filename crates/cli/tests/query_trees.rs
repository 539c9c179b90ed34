//! Trees, flow charts, tables, rolls, simulations, MR-expansions and PRISM models as questions:
//! what `--query` prints, `ask` answers, and an answer's command line asks again.

mod support;

use serde_json::Value;
use support::{flipcost, refusal, stdout};

/// Command lines, and how the same question is written shortest.
const COMMANDS: &[(&str, &str)] = &[
    ("tree 6", "tree 6"),
    ("tree 6 --source 2", "tree 6"),
    ("tree 6 -a fast-dice-roller", "tree 6"),
    ("tree 5 -a interval", "tree 5 --algorithm interval"),
    ("tree 5 --depth 3", "tree 5 --depth 3"),
    ("tree 5 --depth 0", "tree 5 --depth 0"),
    ("tree 12 -s 6", "tree 12 --source 6"),
    (
        "tree 12 -a factoring --depth 2 -s 6",
        "tree 12 --algorithm factoring --depth 2 --source 6",
    ),
    ("tree 10^18+9 --depth 4", "tree 10^18+9 --depth 4"),
    ("tree 1", "tree 1"),
    (
        "tree 300 -s 2^8 --depth 1",
        "tree 300 --depth 1 --source word:8",
    ),
    ("flowchart 6", "flowchart 6"),
    ("flowchart 6 -s 6", "flowchart 6 --source 6"),
    ("flowchart 8", "flowchart 8"),
    ("flowchart 1", "flowchart 1"),
    (
        "flowchart 2^100 -s 2^32",
        "flowchart 2^100 --source word:32",
    ),
    (
        "flowchart 2^256 -s word:16",
        "flowchart 2^256 --source word:16",
    ),
    ("flowchart 1_009", "flowchart 1_009"),
    ("flowchart 6 -s word:2", "flowchart 6 --source 4"),
    ("table 6 -s 4", "table 6 --source 4"),
    (
        "table 6 -s 4 -a base-conversion",
        "table 6 --source 4 --algorithm base-conversion",
    ),
    ("table 6", "table 6"),
    ("table 6 -a base-conversion-early", "table 6"),
    (
        "table 6 -a rejection -f markdown",
        "table 6 --algorithm rejection",
    ),
    (
        "table 9 -s 6 -a bounded",
        "table 9 --source 6 --algorithm bounded",
    ),
    ("roll 6 --seed 7", "roll 6 --seed 7"),
    ("roll 6 --seed 7 -c 3", "roll 6 --count 3 --seed 7"),
    ("roll 6 --seed 7 --count 1", "roll 6 --seed 7"),
    (
        "roll 13 -s 6 -a interval --seed 7 -t",
        "roll 13 --source 6 --algorithm interval --seed 7 --trace",
    ),
    (
        "roll 6 --input HTHTT --trace",
        "roll 6 --trace --input HTHTT",
    ),
    (
        "roll 6 -s 6 -i 4,2 -c 2",
        "roll 6 --source 6 --count 2 --input 4,2",
    ),
    ("roll 6 -c 0", "roll 6 --count 0"),
    ("roll 6", "roll 6"),
    (
        "roll 52! --seed 18446744073709551615",
        "roll '52!' --seed 18446744073709551615",
    ),
    ("simulate 6 --trials 1000", "simulate 6 --trials 1000"),
    (
        "simulate 6 --trials 1_000 --seed 1 --threads 2 -f csv",
        "simulate 6 --trials 1000",
    ),
    (
        "simulate 12 -a interval -s 6 --trials 2^10 --seed 2",
        "simulate 12 --algorithm interval --source 6 --trials 1024 --seed 2",
    ),
    ("simulate 1 --trials 1", "simulate 1 --trials 1"),
    ("mr 1/29", "mr 1/29"),
    ("mr 1/29 -b 3 -t 5", "mr 1/29 --base 3 --terms 5"),
    ("mr sqrt(2) --terms 12", "mr 'sqrt(2)' --terms 12"),
    ("mr e-2", "mr e-2"),
    (
        "mr 2^100 --terms 2 --base 2^32",
        "mr 2^100 --base 4294967296 --terms 2",
    ),
    ("mr (1+sqrt(5))/2 --terms 0", "mr '(1+sqrt(5))/2' --terms 0"),
    ("export prism 6", "export prism 6"),
    ("export prism 6 -s 2 -a fast-dice-roller", "export prism 6"),
    (
        "export prism 5 -a interval -s 3",
        "export prism 5 --algorithm interval --source 3",
    ),
    (
        "export jani 4:7:8 -a fldr",
        "export jani 4:7:8 --algorithm fldr",
    ),
    ("export drn d6 -a fdr", "export drn 6"),
    ("export dot 5 -s 6", "export dot 5 --source 6"),
    (
        "export family --to 9 --chosen 0",
        "export family --to 9 --chosen 0",
    ),
];

/// The query of a command line.
fn query(words: &[String]) -> String {
    let mut command = flipcost("--query");
    let output = command.args(words).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    let line = String::from_utf8(output.stdout).unwrap();
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

/// The words of a command line as a shell reads them, the program's name left out.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in line.strip_prefix("flipcost ").unwrap().chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

/// Answers of `ask` to these lines, its exit status, and what it said on stderr.
fn ask(lines: &str) -> (Vec<Value>, i32, String) {
    let output = flipcost("ask -").write_stdin(lines).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let errors = String::from_utf8(output.stderr).unwrap();
    (answers.collect(), output.status.code().unwrap(), errors)
}

/// The one answer to a command line.
fn answer(arguments: &str) -> Value {
    let arguments: Vec<String> = arguments.split(' ').map(String::from).collect();
    let (mut answers, status, errors) = ask(&query(&arguments));
    assert_eq!((status, errors.as_str(), answers.len()), (0, "", 1));
    answers.remove(0)
}

#[test]
fn an_answer_says_its_own_question() {
    assert!(COMMANDS.len() >= 40);
    let queries: Vec<String> = (COMMANDS.iter())
        .map(|(arguments, _)| query(&arguments.split(' ').map(String::from).collect::<Vec<_>>()))
        .collect();
    let (answers, status, errors) = ask(&queries.concat());
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(answers.len(), queries.len());
    for (((_, shortest), asked), answer) in COMMANDS.iter().zip(&queries).zip(&answers) {
        let asked_value: Value = serde_json::from_str(asked).unwrap();
        assert_eq!(answer["query"], asked_value, "{shortest}");
        let command = answer["command"].as_str().unwrap();
        assert_eq!(command, format!("flipcost {shortest}"));
        let again = query(&words(command));
        let (again_value, same) = (serde_json::from_str::<Value>(&again).unwrap(), &asked_value);
        assert_eq!(&again_value, same, "{command}");
        let columns = answer["columns"].as_array().unwrap().len();
        for row in answer["rows"].as_array().unwrap() {
            assert_eq!(row.as_array().unwrap().len(), columns, "{command}");
        }
    }
}

/// A query with nothing but what it needs is that of the bare command.
#[test]
fn what_a_query_leaves_out_is_as_on_the_command_line() {
    for (json, arguments) in [
        (r#"{"ask":"tree","target":6}"#, "tree 6"),
        (r#"{"ask":"flowchart","target":"6"}"#, "flowchart 6"),
        (r#"{"ask":"table","target":6,"source":4}"#, "table 6 -s 4"),
        (r#"{"ask":"roll","target":6,"seed":1}"#, "roll 6 --seed 1"),
        (
            r#"{"ask":"simulate","target":6,"trials":10}"#,
            "simulate 6 --trials 10",
        ),
        (r#"{"ask":"mr","x":"1/29"}"#, "mr 1/29"),
        (r#"{"ask":"mr","x":3}"#, "mr 3"),
        (
            r#"{"ask":"export","language":"prism","target":6}"#,
            "export prism 6",
        ),
    ] {
        let (answers, status, errors) = ask(json);
        assert_eq!((status, errors.as_str()), (0, ""), "{json}");
        assert_eq!(answers[0], answer(arguments), "{json}");
    }
}

#[test]
fn a_bad_query_is_one_sentence_with_its_line() {
    let bad = [
        (r#"{"ask":"tree"}"#, "needs the field `target`"),
        (r#"{"ask":"tree","target":6,"deep":3}"#, "deep"),
        (r#"{"ask":"tree","target":-6}"#, "its value is -6"),
        (r#"{"ask":"tree","target":0}"#, "at least 1"),
        (r#"{"ask":"tree","target":"six"}"#, "character 1"),
        (r#"{"ask":"tree","target":6,"source":1}"#, "2 to 2^64"),
        (
            r#"{"ask":"tree","target":6,"source":"word:65"}"#,
            "2 to 2^64",
        ),
        (
            r#"{"ask":"tree","target":6,"source":"word:0"}"#,
            "1 to 64 bits",
        ),
        (
            r#"{"ask":"tree","target":6,"algorithm":"intervall"}"#,
            "intervall",
        ),
        (
            r#"{"ask":"tree","target":6,"algorithm":"recycling"}"#,
            "batches take it",
        ),
        (r#"{"ask":"tree","target":6,"depth":1001}"#, "too deep"),
        (
            r#"{"ask":"tree","target":"2^300","depth":30}"#,
            "1000000 nodes",
        ),
        (
            r#"{"ask":"tree","target":5,"source":6,"algorithm":"bounded"}"#,
            "5 divides no power",
        ),
        (r#"{"ask":"flowchart","target":0}"#, "at least 1"),
        (r#"{"ask":"flowchart","target":"10^9+7"}"#, "10000 rounds"),
        (r#"{"ask":"flowchart","target":6,"depth":3}"#, "depth"),
        (
            r#"{"ask":"table","target":6,"algorithm":"fast-dice-roller"}"#,
            "starting afresh",
        ),
        (r#"{"ask":"table","target":"2^40"}"#, "rows"),
        (r#"{"ask":"roll","target":6,"input":"HXT"}"#, "roll 2"),
        (r#"{"ask":"roll","target":6,"input":"HT"}"#, "ran out"),
        (
            r#"{"ask":"roll","target":6,"input":"HT","trace":true}"#,
            "ran out",
        ),
        (
            r#"{"ask":"roll","target":6,"input":"HTH","seed":1}"#,
            "not from both",
        ),
        (r#"{"ask":"roll","target":6,"count":-1}"#, "value is -1"),
        (
            r#"{"ask":"simulate","target":6,"trials":0}"#,
            "it must be at least 1",
        ),
        (
            r#"{"ask":"simulate","target":6,"trials":1099511627777}"#,
            "2^40",
        ),
        (r#"{"ask":"simulate","target":"2^20+1"}"#, "1048576"),
        (r#"{"ask":"simulate","target":6,"threads":2}"#, "threads"),
        (r#"{"ask":"mr","x":"0"}"#, "greater than 0"),
        (r#"{"ask":"mr","x":"1/0"}"#, "denominator"),
        (r#"{"ask":"mr","x":"1/29","base":1}"#, "2 to 2^32"),
        (r#"{"ask":"mr","x":"pi","terms":200001}"#, "200000"),
        (
            r#"{"ask":"export","language":"prism","target":"10^9+7"}"#,
            "transitions",
        ),
        (r#"{"ask":"export","target":6}"#, "`language`"),
        (r#"{"ask":"flowchart","target":6"#, "EOF"),
    ];
    // a good one before, between and after them
    let good = r#"{"ask":"flowchart","target":6}"#;
    let lines: Vec<&str> = (bad.iter()).flat_map(|(line, _)| [good, line]).collect();
    let (answers, status, errors) = ask(&format!("{}\n{good}\n", lines.join("\n")));
    assert_eq!((status, errors.lines().count()), (2, 1), "{errors}");
    assert!(errors.contains(&bad.len().to_string()), "{errors}");
    assert_eq!(answers.len(), 2 * bad.len() + 1);
    for (i, (line, says)) in bad.iter().enumerate() {
        assert_eq!(answers[2 * i]["command"], "flipcost flowchart 6");
        let failed = answers[2 * i + 1].as_object().unwrap();
        let error = failed["error"].as_str().unwrap();
        assert!(error.contains(says), "{line}: {error}");
        assert_eq!(error.lines().count(), 1, "{line}: {error}");
        assert_eq!(failed["line"], 2 * i + 2);
        assert!(!failed.contains_key("rows"), "{line}");
    }
}

#[test]
fn a_bad_command_line_has_no_query() {
    for (arguments, says) in [
        ("--query tree 0", "at least 1"),
        ("--query tree 6 --source 1", "2 to 2^64"),
        ("--query flowchart six", "character 1"),
        ("--query roll 6 --input HT --seed 5", "--seed"),
        ("simulate 6 --trials 0", "it must be at least 1"),
        ("--query mr 0", "greater than 0"),
        ("mr 1/29 --base 1", "2 to 2^32"),
        (
            "--query export prism 6 -a intervall",
            "did you mean interval?",
        ),
    ] {
        let sentence = refusal(arguments);
        assert!(sentence.contains(says), "{arguments}: {sentence}");
    }
}

/// A cell of an answer as CSV shows it.
fn shown(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        cell => cell.to_string(),
    }
}

fn lines_of(answer: &Value) -> Vec<String> {
    let rows = answer["rows"].as_array().unwrap().iter();
    let line = |row: &Value| -> Vec<String> { row.as_array().unwrap().iter().map(shown).collect() };
    rows.map(|row| line(row).join(",")).collect()
}

fn kinds(answer: &Value) -> Vec<(&str, &str)> {
    let text =
        |value: &'static str, column| -> &str { (column as &Value)[value].as_str().unwrap() };
    let columns = answer["columns"].as_array().unwrap().iter();
    columns
        .map(|column| (text("name", column), text("kind", column)))
        .collect()
}

/// The rows of an answer are those that the command writes.
#[test]
fn rows_are_those_of_the_command() {
    for arguments in [
        "table 6 -s 4",
        "table 6 -a base-conversion",
        "table 100 -s 10",
        "simulate 6 --trials 100000 --seed 3 -f csv",
        "simulate 13 -s 6 -a interval --trials 5000 -f csv",
    ] {
        let csv = stdout(arguments);
        let answer = answer(arguments);
        let names: Vec<&str> = kinds(&answer).into_iter().map(|(name, _)| name).collect();
        let mut all = vec![names.join(",")];
        all.extend(lines_of(&answer));
        assert_eq!(csv.lines().collect::<Vec<_>>(), all, "{arguments}");
    }
    let rolls = "roll 52! --count 3000 --seed 5";
    let results = answer(rolls);
    let first = results["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| shown(&row[0]));
    assert_eq!(
        stdout(rolls).lines().collect::<Vec<_>>(),
        first.collect::<Vec<_>>()
    );
    let mr = answer("mr 1/1000003 --terms 500");
    let terms: Vec<String> = mr["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| shown(&row[1]))
        .collect();
    let text = format!(
        "{}\n{}\n",
        terms.join(", "),
        mr["notes"][0].as_str().unwrap()
    );
    assert_eq!(stdout("mr 1/1000003 --terms 500"), text);
    let model = answer("export prism 6 -s 3");
    assert_eq!(
        stdout("export prism 6 -s 3"),
        model["text"].as_str().unwrap()
    );
}

#[test]
fn what_is_exact_and_what_is_statistical() {
    let tree = answer("tree 3 --depth 2");
    assert_eq!(kinds(&tree).last(), Some(&("probability_exact", "exact")));
    assert_eq!(tree["rows"].as_array().unwrap().len(), 7);
    assert_eq!(lines_of(&tree)[3], "3,1,2,1,outcome,,,1,1/4");
    assert_eq!(
        lines_of(&tree)[6],
        "6,2,2,2,undecided,,\"v = 1, c = 0\",,1/4".replace('"', "")
    );
    assert_eq!(tree["notes"][0], "undecided after 2 flips: 1/4");
    let chart = answer("flowchart 6");
    assert_eq!(lines_of(&chart), ["1,1,3,8,6,false", "2,2,2,8,6,true"]);
    let rolls = answer("roll 6 --seed 1");
    assert_eq!(
        kinds(&rolls),
        [("result", "statistical"), ("rolls", "statistical")]
    );
    let simulation = answer("simulate 6 --trials 1000");
    assert!(kinds(&simulation).contains(&("mean", "statistical")));
    assert!(kinds(&simulation).contains(&("expected", "decimal")));
    assert_eq!(simulation["verdict"], "holds");
    let trace = answer("roll 6 --input HTHTT --trace");
    assert_eq!(trace["rows"][0][2].as_str().unwrap().lines().count(), 3);
    assert_eq!(trace["notes"][0], "not needed: 2 of the flips given");
}

/// What is drawn of a die of 2^32 sides and of a word of 32 bits is the same.
#[test]
fn a_wide_die_is_a_word() {
    for command in [
        "tree 10^9+7 --depth 0",
        "flowchart 6",
        "roll 6 --seed 1 --count 5 --trace",
    ] {
        let die = stdout(&format!("{command} -s 2^32"));
        assert_eq!(die, stdout(&format!("{command} -s word:32")), "{command}");
    }
}
