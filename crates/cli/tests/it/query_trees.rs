//! Trees, flow charts, tables, rolls, simulations, MR-expansions and PRISM models as questions:
//! `--query` prints a question, `ask` answers it, and the command line in the answer asks the same
//! question again.

use crate::support;

use serde_json::Value;
use support::{flipcost, refusal, stdout};

/// Command lines, each with the shortest form of the same question.
const COMMANDS: &[(&str, &str)] = &[
    ("show 6 --as tree", "show 6 --as tree"),
    ("show 6 --as tree --source 2", "show 6 --as tree"),
    ("show 6 --as tree -a fast-dice-roller", "show 6 --as tree"),
    (
        "show 5 --as tree -a interval",
        "show 5 --as tree --algorithm interval",
    ),
    ("show 5 --as tree --depth 3", "show 5 --as tree --depth 3"),
    ("show 5 --as tree --depth 0", "show 5 --as tree --depth 0"),
    ("show 12 --as tree -s 6", "show 12 --as tree --source 6"),
    (
        "show 12 --as tree -a factoring --depth 2 -s 6",
        "show 12 --as tree --algorithm factoring --depth 2 --source 6",
    ),
    (
        "show 10^18+9 --as tree --depth 4",
        "show 10^18+9 --as tree --depth 4",
    ),
    ("show 1 --as tree", "show 1 --as tree"),
    (
        "show 300 --as tree -s 2^8 --depth 1",
        "show 300 --as tree --depth 1 --source word:8",
    ),
    ("show 6 --as flowchart", "show 6 --as flowchart"),
    (
        "show 6 --as flowchart -s 6",
        "show 6 --as flowchart --source 6",
    ),
    ("show 8 --as flowchart", "show 8 --as flowchart"),
    ("show 1 --as flowchart", "show 1 --as flowchart"),
    (
        "show 2^100 --as flowchart -s 2^32",
        "show 2^100 --as flowchart --source word:32",
    ),
    (
        "show 2^256 --as flowchart -s word:16",
        "show 2^256 --as flowchart --source word:16",
    ),
    ("show 1_009 --as flowchart", "show 1_009 --as flowchart"),
    (
        "show 6 --as flowchart -s word:2",
        "show 6 --as flowchart --source 4",
    ),
    ("show 6 --as table -s 4", "show 6 --as table --source 4"),
    (
        "show 6 --as table -s 4 -a base-conversion",
        "show 6 --as table --source 4 --algorithm base-conversion",
    ),
    ("show 6 --as table", "show 6 --as table"),
    (
        "show 6 --as table -a base-conversion-early",
        "show 6 --as table",
    ),
    (
        "show 6 --as table -a rejection -f markdown",
        "show 6 --as table --algorithm rejection",
    ),
    (
        "show 9 --as table -s 6 -a bounded",
        "show 9 --as table --source 6 --algorithm bounded",
    ),
    ("roll 6 --seed 7", "roll 6 --seed 7"),
    ("roll 6 --seed 7 -k 3", "roll 6 --count 3 --seed 7"),
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
        "roll 6 -s 6 -i 4,2 -k 2",
        "roll 6 --source 6 --count 2 --input 4,2",
    ),
    ("roll 6 -k 0", "roll 6 --count 0"),
    ("roll 6", "roll 6"),
    (
        "roll 52! --seed 18446744073709551615",
        "roll '52!' --seed 18446744073709551615",
    ),
    ("roll 6 --test --count 1000", "roll 6 --test --count 1000"),
    (
        "roll 6 --test --count 1_000 --seed 1 --threads 2 -f csv",
        "roll 6 --test --count 1000",
    ),
    (
        "roll 12 --test -a interval -s 6 --count 2^10 --seed 2",
        "roll 12 --test --algorithm interval --source 6 --count 1024 --seed 2",
    ),
    ("roll 1 --test --count 1", "roll 1 --test --count 1"),
    ("sequence mr:x=1/29", "sequence mr:x=1/29"),
    (
        "sequence mr:x=1/29,base=3 -t 5",
        "sequence mr:x=1/29,base=3 --terms 5",
    ),
    (
        "sequence mr:x=sqrt(2) --terms 12",
        "sequence 'mr:x=sqrt(2)' --terms 12",
    ),
    ("sequence mr:x=e-2", "sequence mr:x=e-2"),
    (
        "sequence mr:x=2^10,base=2^32 --terms 2",
        "sequence mr:x=2^10,base=2^32 --terms 2",
    ),
    (
        "sequence mr:x=(1+sqrt(5))/2 --terms 1",
        "sequence 'mr:x=(1+sqrt(5))/2' --terms 1",
    ),
    ("export prism 6", "export prism 6"),
    ("export prism 6 -s 2 -a fast-dice-roller", "export prism 6"),
    (
        "export prism 5 -a interval -s 3",
        "export prism 5 --algorithm interval --source 3",
    ),
    (
        "export drn 4:7:8 -a fldr",
        "export drn 4:7:8 --algorithm fldr",
    ),
    ("export drn d6 -a fdr", "export drn 6"),
    ("export dot 5 -s 6", "export dot 5 --source 6"),
];

/// Returns the query of a command line.
fn query(words: &[String]) -> String {
    let mut command = flipcost("--query");
    let output = command.args(words).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    let line = String::from_utf8(output.stdout).unwrap();
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

/// Splits a command line as a shell does, and leaves out the program's name.
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

/// Returns the answers of `ask` to these lines, its exit status, and its stderr.
fn ask(lines: &str) -> (Vec<Value>, i32, String) {
    let output = flipcost("ask -").write_stdin(lines).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let errors = String::from_utf8(output.stderr).unwrap();
    // on a busy machine the program may print a note about a long run
    let is_late = |line: &&str| line.starts_with("note: this takes more than 2 s");
    let errors: Vec<&str> = (errors.split_inclusive('\n').filter(|line| !is_late(line))).collect();
    let errors = errors.concat();
    (answers.collect(), output.status.code().unwrap(), errors)
}

/// Returns the only answer to a command line.
fn answer(arguments: &str) -> Value {
    let arguments: Vec<String> = arguments.split(' ').map(String::from).collect();
    let (mut answers, status, errors) = ask(&query(&arguments));
    assert_eq!((status, errors.as_str(), answers.len()), (0, "", 1));
    answers.remove(0)
}

#[test]
fn an_answer_contains_its_question() {
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

/// A query with only its required fields is the same as that of the command without options.
#[test]
fn omitted_fields_have_the_defaults_of_the_command_line() {
    for (json, arguments) in [
        (
            r#"{"ask":"show","view":"tree","target":6}"#,
            "show 6 --as tree",
        ),
        (
            r#"{"ask":"show","view":"flowchart","target":"6"}"#,
            "show 6 --as flowchart",
        ),
        (
            r#"{"ask":"show","view":"table","target":6,"source":4}"#,
            "show 6 --as table -s 4",
        ),
        (r#"{"ask":"roll","target":6,"seed":1}"#, "roll 6 --seed 1"),
        (
            r#"{"ask":"roll","test":true,"target":6,"count":10}"#,
            "roll 6 --test --count 10",
        ),
        (
            r#"{"ask":"sequence","id":"mr:x=1/29"}"#,
            "sequence mr:x=1/29",
        ),
        (r#"{"ask":"sequence","id":"mr:x=3"}"#, "sequence mr:x=3"),
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
        (
            r#"{"ask":"show","view":"tree"}"#,
            "needs the field `target`",
        ),
        (
            r#"{"ask":"show","view":"tree","target":6,"deep":3}"#,
            "deep",
        ),
        (
            r#"{"ask":"show","view":"tree","target":-6}"#,
            "its value is -6",
        ),
        (r#"{"ask":"show","view":"tree","target":0}"#, "at least 1"),
        (
            r#"{"ask":"show","view":"tree","target":"six"}"#,
            "character 1",
        ),
        (
            r#"{"ask":"show","view":"tree","target":6,"source":1}"#,
            "2 to 2^64",
        ),
        (
            r#"{"ask":"show","view":"tree","target":6,"source":"word:65"}"#,
            "2 to 2^64",
        ),
        (
            r#"{"ask":"show","view":"tree","target":6,"source":"word:0"}"#,
            "1 to 64 bits",
        ),
        (
            r#"{"ask":"show","view":"tree","target":6,"algorithm":"intervall"}"#,
            "intervall",
        ),
        (
            r#"{"ask":"show","view":"tree","target":6,"algorithm":"recycling"}"#,
            "batches use it",
        ),
        (
            r#"{"ask":"show","view":"tree","target":6,"depth":1001}"#,
            "too deep",
        ),
        (
            r#"{"ask":"show","view":"tree","target":"2^300","depth":30}"#,
            "1000000 nodes",
        ),
        (
            r#"{"ask":"show","view":"tree","target":5,"source":6,"algorithm":"bounded"}"#,
            "5 divides no power",
        ),
        (
            r#"{"ask":"show","view":"flowchart","target":0}"#,
            "at least 1",
        ),
        (
            r#"{"ask":"show","view":"flowchart","target":"10^9+7"}"#,
            "10000 rounds",
        ),
        (
            r#"{"ask":"show","view":"flowchart","target":6,"depth":3}"#,
            "depth",
        ),
        (
            r#"{"ask":"show","view":"table","target":6,"algorithm":"fast-dice-roller"}"#,
            "starting again",
        ),
        (r#"{"ask":"show","view":"table","target":"2^40"}"#, "rows"),
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
            r#"{"ask":"roll","test":true,"target":6,"count":0}"#,
            "it must be at least 1",
        ),
        (
            r#"{"ask":"roll","test":true,"target":6,"count":1099511627777}"#,
            "2^40",
        ),
        (r#"{"ask":"roll","test":true,"target":"2^20+1"}"#, "1048576"),
        (
            r#"{"ask":"roll","test":true,"target":6,"threads":2}"#,
            "threads",
        ),
        (r#"{"ask":"sequence","id":"mr:x=0"}"#, "greater than 0"),
        (r#"{"ask":"sequence","id":"mr:x=1/0"}"#, "denominator"),
        (r#"{"ask":"sequence","id":"mr:x=1/29,base=1"}"#, "2 to 2^32"),
        (
            r#"{"ask":"sequence","id":"mr:x=pi","terms":200001}"#,
            "200000",
        ),
        (
            r#"{"ask":"export","language":"prism","target":"10^9+7"}"#,
            "transitions",
        ),
        (r#"{"ask":"export","target":6}"#, "`language`"),
        (r#"{"ask":"flowchart","target":6"#, "EOF"),
    ];
    // a valid query before, between and after the invalid ones
    let good = r#"{"ask":"show","view":"flowchart","target":6}"#;
    let lines: Vec<&str> = (bad.iter()).flat_map(|(line, _)| [good, line]).collect();
    let (answers, status, errors) = ask(&format!("{}\n{good}\n", lines.join("\n")));
    assert_eq!((status, errors.lines().count()), (2, 1), "{errors}");
    assert!(errors.contains(&bad.len().to_string()), "{errors}");
    assert_eq!(answers.len(), 2 * bad.len() + 1);
    for (i, (line, says)) in bad.iter().enumerate() {
        assert_eq!(answers[2 * i]["command"], "flipcost show 6 --as flowchart");
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
        ("--query show 0 --as tree", "at least 1"),
        ("--query show 6 --as tree --source 1", "2 to 2^64"),
        ("--query show six --as flowchart", "character 1"),
        ("--query roll 6 --input HT --seed 5", "--seed"),
        ("roll 6 --test --count 0", "it must be at least 1"),
        ("sequence mr:x=1/29,base=1", "2 to 2^32"),
        (
            "--query export prism 6 -a intervall",
            "did you mean interval?",
        ),
    ] {
        let sentence = refusal(arguments);
        assert!(sentence.contains(says), "{arguments}: {sentence}");
    }
}

/// Returns a cell of an answer in the format of CSV.
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

/// The rows of an answer are the rows that the command writes.
#[test]
fn rows_are_those_of_the_command() {
    for arguments in [
        "show 6 --as table -s 4",
        "show 6 --as table -a base-conversion",
        "show 100 --as table -s 10",
        "roll 6 --test --count 100000 --seed 3 -f csv",
        "roll 13 --test -s 6 -a interval --count 5000 -f csv",
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
    let mr = answer("sequence mr:x=1/1000003 --terms 500");
    let terms: Vec<String> = mr["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| shown(&row[1]))
        .collect();
    let text = terms.join(", ") + "\n";
    assert!(mr["pre_period"].is_u64() && mr["period"].is_u64(), "{mr}");
    assert_eq!(stdout("sequence mr:x=1/1000003 --terms 500"), text);
    let model = answer("export prism 6 -s 3");
    assert_eq!(
        stdout("export prism 6 -s 3"),
        model["text"].as_str().unwrap()
    );
}

#[test]
fn exact_and_statistical_values_differ_in_form() {
    let tree = answer("show 3 --as tree --depth 2");
    assert_eq!(kinds(&tree).last(), Some(&("probability_exact", "exact")));
    assert_eq!(tree["rows"].as_array().unwrap().len(), 7);
    assert_eq!(lines_of(&tree)[3], "3,1,2,1,outcome,,,1,1/4");
    assert_eq!(
        lines_of(&tree)[6],
        "6,2,2,2,undecided,,\"v = 1, c = 0\",,1/4".replace('"', "")
    );
    assert_eq!(tree["notes"][0], "undecided after 2 flips: probability 1/4");
    let chart = answer("show 6 --as flowchart");
    assert_eq!(lines_of(&chart), ["1,1,3,8,6,false", "2,2,2,8,6,true"]);
    let rolls = answer("roll 6 --seed 1");
    assert_eq!(
        kinds(&rolls),
        [("result", "statistical"), ("rolls", "statistical")]
    );
    let simulation = answer("roll 6 --test --count 1000");
    assert!(kinds(&simulation).contains(&("mean", "statistical")));
    assert!(kinds(&simulation).contains(&("expected", "decimal")));
    assert_eq!(simulation["verdict"], "holds");
    let trace = answer("roll 6 --input HTHTT --trace");
    assert_eq!(trace["rows"][0][2].as_str().unwrap().lines().count(), 3);
    assert_eq!(trace["notes"][0], "unused: 2 of the given flips");
}

/// The drawings for a die of 2^32 sides are the same as those for a word of 32 bits.
#[test]
fn a_die_of_2_32_sides_is_a_word_of_32_bits() {
    for command in [
        "show 10^9+7 --as tree --depth 0",
        "show 6 --as flowchart",
        "roll 6 --seed 1 --count 5 --trace",
    ] {
        let die = stdout(&format!("{command} -s 2^32"));
        assert_eq!(die, stdout(&format!("{command} -s word:32")), "{command}");
    }
}
