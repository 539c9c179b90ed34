//! `ask` and `--query`: a command line is printed as a question, the question is answered, and the
//! command line in its answer asks the same question again.

use crate::support::queries::*;
use crate::support::{Folder, check_equal, check_table, flipcost, notes, output, stdout};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Command lines that write rows.
const ROWS: &str = r#"
cost 6
cost 12 --source 6
cost 10^18+9 -a fast-dice-roller --digits 50
cost 52! -a fast-dice-roller,rejection -c expected,algorithm,toll
cost 7 -s 2^32 -c algorithm,expected_exact
cost 1_000_003 -a fast-dice-roller -c variance,variance_exact,cycle_rounds
cost 1009 -a fast-dice-roller --exact
cost 5 -s 6 -a interval,bounded
cost 1..40
cost 2^63..2^63+1 -a fast-dice-roller -c n,expected,preperiod
cost 90..99 -s 10 --summary --quantiles 1/10,0.9
cost 1..3000 -a fast-dice-roller -c n,cycle_rounds,period
cost 65000..65010 -a fast-dice-roller --exact -c expected_exact
cost 5,7 --sources 2..4,20 --best -a rejection,interval --digits 3
cost 1,8,100 --sources 2,10..12 -a bounded -c source,n,possible,worst_case,missing_prime
cost 2^30 --sources 2^20 -a bounded -c source,n,possible,worst_case,missing_prime
cost 2..12 -s 6,10 -a bounded -c source,n,possible,worst_case,missing_prime
cost 6, -s 10 -c n,algorithm,toll
cost 2..9 --sources 2..4,6 -a interval,rejection -c source,n,toll
cost 5..6 --sources 10 -d 5
cost 4,7,8 -a fldr,aldr:K=11,knuth-yao -c algorithm,expected_exact,toll
cost 3d6 --source 6 --digits 12
cost binomial:n=6,p=1/3 -a knuth-yao --exact
cost "{'red':3,'blue':1}" -c target,weight_sum,expected
cost 0:7:0
cost --weights 1:2:3 --weights 3d6 --weights 6 -a fldr,interval
cost --sources 2,6 --best --weights 1:2:3 --weights 3d6
cost 5d10cs>=8 -a fldr
distribution 6 -a fast-dice-roller -u 3
distribution 6 --algorithm rejection --source 4 --upto 10
distribution 10^6+3 -a fast-dice-roller --digits 30 --upto 2*10
distribution 7 -a interval --exact
distribution 6 -a fast-dice-roller -q
distribution 12 -a factoring -s 6 --quantiles 0,1 --digits 3
distribution 6 -a parity-bits -s word:8 -u 5
distribution 3d6 -a alias --quantiles 1/2,0.99
batch 4 13 --source 6 --best-order
batch 2^10 3! 52 --digits 20
batch 4 13 -s 6 --capacity 1,10,100
batch 10^30+57 10^20+39 -s 10 -d 5
batch 2 --source 6 --repeat --capacity 1,6,36
batch 13 -s 6 --repeat --capacity 10^12,10^15 --power 2
batch (2+3)*4-1 --power 2
batch 1:2:3 6 2d4
law a+b+c --dice 6,6,6
law a*a-b --dice 4,4 --digits 5
law (-a)/2 --dice 10
law d6!
law 4d6kh3>=10
law a+b --dice 2d6
shuffle 1
shuffle 52 --digits 3
shuffle 20 -s 2^5 -d 0
shuffle 10 --draw 4 --source 6
shuffle 52 -a cpython-randbelow -s word:32 -d 3
shuffle 20 --libraries
shuffle 100 --batches --source word:64
shuffle 4 --broken
shuffle 10 --draw 4 --deal --seed 7
shuffle 10 --deal --names Ann,Bob,Cy --seed 7
shuffle 3 --deal --source 6 --input 4,1,1
plan 17 --dice 6,10 --no-split
plan 13 --dice 6,10 --cost 10=1.5,6=2 --no-split
plan 100 --dice polyhedral
plan 7 --dice word:3,2
plan 5! --dice 6
plan 13 --throw 6,6 --throw 10
supply 4,7:8:9 --count 3 -s 6 -a knuth-yao --failure 2^-20,1/3 --at 9
supply 197..256 -s word:8 -a rejection-ceil --block 136 --offset 8
supply --accept 3329/4096 --count 256 --at 560,336 --block 2
supply --accept 1/3,0.5 --each 4 --digits 12
supply 1009 --count 4 --exact
show 6 --rolls HTT
show 7 --source 6 --rolls 6,1
show 6 --as leaves --upto 5 --digits 10
show 6 --as table -s 4
show 100 --as table -s 10
roll 6 --test --count 100000 --seed 3
roll 13 --test -s 6 -a interval --count 5000
toll extremes --from 10^18 --to 10^18+10^12 --parts 3 --of expected
decimals 11/3 --digits 7
list columns
"#;

/// Command lines that write a text or random rolls, some with the shortest line of their question.
const TEXTS: &str = r#"
batch 4 13 --source 6 --trace --input 6,3,4,3,1,1
batch 6 6 --trace --input HTHHTTTHHTTH
batch 4 13 52 -t --seed 18446744073709551615 --capacity 1000 -s 2^10
plan 3^4 --dice polyhedral --factoring
plan 13 --dice 6,10 --factoring
show 6 --as tree --source 2 -a fast-dice-roller => show 6 --as tree
show 5 --as tree --depth 0 -a interval => show 5 --as tree --algorithm interval --depth 0
show 300 --as tree -s 2^8 --depth 1 => show 300 --as tree --depth 1 --source word:8
show 2^100 --as flowchart -s 2^32 => show 2^100 --as flowchart --source word:32
show 6 --as flowchart -s word:2 => show 6 --as flowchart --source 4
show 6 --as table -a base-conversion-early -f markdown => show 6 --as table
show 9 --as table -s 6 -a bounded => show 9 --as table --source 6 --algorithm bounded
show 1:2:3 --as tree --depth 3
roll 6
roll 6 --seed 7 -k 3 => roll 6 --count 3 --seed 7
roll 6 --seed 7 --count 1 => roll 6 --seed 7
roll 13 -s 6 -a interval --seed 7 -t => roll 13 --source 6 --algorithm interval --seed 7 --trace
roll 6 -s 6 -i 4,2 -k 2 => roll 6 --source 6 --count 2 --input 4,2
roll 1:2:3 --input HTHH --trace => roll 1:2:3 --trace --input HTHH
roll 6 -k 0 => roll 6 --count 0
roll 52! --seed 18446744073709551615 => roll '52!' --seed 18446744073709551615
roll 6 --test --count 1_000 --seed 1 --threads 2 -f csv => roll 6 --test --count 1000
roll 12 --test -s 6 --count 2^10 --seed 2 => roll 12 --test --source 6 --count 1024 --seed 2
sequence mr:x=1/29,base=3 -t 5 => sequence mr:x=1/29,base=3 --terms 5
sequence mr:x=sqrt(2) --terms 12 -f jsonl => sequence 'mr:x=sqrt(2)' --terms 12
sequence a136043 --from 5 --to 7
sequence bounded-exponent -t 20 --format internal => sequence bounded-exponent --terms 20
sequence variance-denominator -o never-written => sequence variance-denominator
list sequences -f jsonl -o never-written => list sequences
oeis check first-v:source=2 --against B-FILE
oeis check --all --terms 40
oeis identify -1,-2,-3,-5,-8,-13 --stripped STRIPPED
oeis identify [1,1,1,1,2,1,1,1,3] --limit 1
oeis identify 3,5,8,13,21,34 --stripped STRIPPED --names NAMES -f csv
oeis identify --sequence first-v --limit 2^4 -o never-written
oeis draft total-flips --date='Nov 21 2026' -t 10
oeis draft mr-period:base=7 --author "it's - me" -o never-written
verify half-period --to 50 --threads 1 => verify half-period --to 50
verify aldr-toll-even --to 40
verify aldr-toll --sum 40
list algorithms -f table => list algorithms
export prism 6 -s 2 -a fast-dice-roller => export prism 6
export drn d6 -a fdr => export drn 6
export dot 5 -s 6 => export dot 5 --source 6
cite interval --format bibtex
cost --weights=-1d6+7*1d2
"#;

#[test]
fn a_query_and_its_command_line_agree() {
    let folder = Folder::new();
    let stripped = "# c\nA000045 ,0,1,1,2,3,5,8,13,21,34,\nA136043 ,1,1,1,1,2,1,1,1,3,\n";
    let stripped = folder.write("s", stripped);
    let names = folder.write("n", "A000045 Fibonacci numbers.\nA136043 Periods.\n");
    let b_file = folder.write("b", "1 0\n2 0\n3 1\n4 0\n");
    let texts = TEXTS
        .replace("STRIPPED", &stripped)
        .replace("NAMES", &names);
    check_round_trip(&format!("{ROWS}{}", texts.replace("B-FILE", &b_file)));
    assert!(!std::path::Path::new("never-written").exists());
    assert_eq!(
        query_text("sequence A136043"),
        "{\"ask\":\"sequence\",\"id\":\"A136043\"}\n"
    );
}

#[test]
fn an_answer_has_the_rows_and_notes_of_its_command() {
    check_rows_equal_csv(ROWS);
}

#[test]
fn an_answer_has_the_text_of_its_command() {
    let lines = "batch 4 13 --source 6 --trace --input 6,3,4,3,1,1
batch 4 13 52 --trace --seed 5
plan 12 --dice 6 --factoring
plan 13 --dice 6,10 --factoring
plan 1 --dice 2 --factoring
oeis draft first-v --terms 60
export prism 6 -s 3";
    for line in lines.lines() {
        let answer = answer(line);
        let (text, notes) = output(line);
        assert_eq!(answer["text"], text, "{line}");
        let said = answer["notes"].as_array().unwrap();
        assert!(
            said.len() == notes.lines().count() || line.starts_with("oeis"),
            "{line}"
        );
        for (said, told) in said.iter().zip(notes.lines()) {
            // each front end names fields and questions in its own way, between marks
            let said = said.as_str().unwrap();
            assert!(
                said == &told["note: ".len()..] || said.contains('`'),
                "{line}: {said}"
            );
        }
    }
    // above the rows of a table stand the numbers that belong to all of them
    for line in [
        "plan 13 --dice 6,10",
        "shuffle 3 --deal --seed 1",
        "distribution 6",
        "batch 6",
    ] {
        let page = stdout(&format!("{line} --format table"));
        match answer(line).get("text").and_then(Value::as_str) {
            Some(text) if line.starts_with("distribution") => assert!(page.ends_with(text)),
            Some(text) => assert_eq!(page, text),
            None => assert!(
                line.starts_with("batch") && !page.contains("mean"),
                "{page}"
            ),
        }
    }
}

#[test]
fn the_rows_of_a_recipe_and_of_a_trace_are_steps() {
    let recipe = answer("plan 13 --dice 6,10 --factoring");
    let rows = recipe["rows"].as_array().unwrap();
    let last = &rows.last().unwrap().as_array().unwrap()[2..];
    assert_eq!(
        last,
        json!([13, "57/26", 2.1923076923076925]).as_array().unwrap()
    );
    let text = recipe["text"].as_str().unwrap();
    for (i, row) in rows.iter().enumerate() {
        let step = format!("{}. {}", i + 1, row[1].as_str().unwrap());
        assert!(text.contains(&step), "{step}");
    }
    let trace = answer("batch 4 13 --source 6 --trace --input 6,3,4,3");
    let rows = trace["rows"].as_array().unwrap();
    assert_eq!(rows[0], json!(["roll", 6, 6, 6, 5]));
    assert_eq!(rows[1], json!(["reject", null, null, 2, 1]));
    let results: Vec<_> = rows.iter().filter(|row| row[0] == "result").collect();
    assert_eq!(
        json!(results),
        json!([["result", 4, 1, 3, 2], ["result", 13, 2, 2, 1]])
    );
}

/// Lines with an error have its sentence, its line and its field, and the others are answered. What
/// each question refuses is in `crates/all/tests/sentences.txt`.
#[test]
fn bad_queries_have_errors_and_others_are_answered() {
    let lines = r#"{"ask":"cost","target":6,"sides":1}

nonsense
{"ask":"cost","target":6,"columns":["expected_exact"],"algorithms":["fast-dice-roller"]}
{"ask":"oeis-check","id":"A136043","against":"no-such-file"}
"#;
    let output = flipcost("ask -").write_stdin(lines).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.lines().count() == 1 && errors.contains('3'),
        "{errors}"
    );
    let (answers, status) = ask(lines);
    assert_eq!((answers.len(), status), (4, 2));
    assert_eq!(
        json!([answers[0]["field"], answers[0]["given"]]),
        json!(["sides", "1"])
    );
    for (at, line, said) in [(0, 1, "sides"), (1, 3, "not JSON"), (3, 5, "no such file")] {
        let error = answers[at]["error"].as_str().unwrap();
        assert!(
            error.contains(said) && error.lines().count() == 1,
            "{error}"
        );
        assert_eq!(answers[at]["line"], line, "{error}");
        assert!(answers[at].get("rows").is_none(), "{error}");
    }
    assert_eq!(answers[2]["rows"], json!([["11/3"]]));
    check_table(
        "! ask => one JSON object per line
! --query explore => asks no question
! --query oeis fetch A136043 => no query to print
! --query roll 6 --input HT --seed 5 => --seed",
    );
}

/// A query with only its required fields is the same as that of the command without options.
#[test]
fn omitted_fields_have_the_defaults_of_the_command_line() {
    let table = r#"
{"ask":"show","view":"tree","target":6} => show 6 --as tree
{"ask":"show","view":"flowchart","target":"6"} => show 6 --as flowchart
{"ask":"show","view":"table","target":6,"source":4} => show 6 --as table -s 4
{"ask":"roll","target":6,"seed":1} => roll 6 --seed 1
{"ask":"roll","test":true,"target":6,"count":10} => roll 6 --test --count 10
{"ask":"sequence","id":"mr:x=1/29"} => sequence mr:x=1/29
{"ask":"export","language":"prism","target":6} => export prism 6
"#;
    for (text, line) in table.lines().filter_map(|row| row.split_once(" => ")) {
        assert_eq!(ask(text).0[0], answer(line), "{text}");
    }
}

#[test]
fn columns_have_kind_and_unit() {
    let cost = answer("cost 6 -s 6 -c n,expected,expected_exact,variance");
    let columns = json!([
        {"name": "n", "kind": "count"},
        {"name": "expected", "kind": "decimal", "unit": "rolls"},
        {"name": "expected_exact", "kind": "exact", "unit": "rolls"},
        {"name": "variance", "kind": "decimal", "unit": "rolls^2"},
    ]);
    assert_eq!(cost["columns"], columns);
    let kinds = |line: &str| -> BTreeSet<String> {
        let answer = answer(line);
        let columns = answer["columns"].as_array().unwrap().iter();
        columns
            .map(|column| format!("{} {}", column["name"], column["kind"]))
            .collect()
    };
    for (line, kind) in [
        (
            "show 3 --as tree --depth 2",
            r#""probability_exact" "exact""#,
        ),
        ("roll 6 --seed 1", r#""result" "statistical""#),
        ("roll 6 --test --count 1000", r#""mean" "statistical""#),
        ("roll 6 --test --count 1000", r#""expected" "decimal""#),
    ] {
        assert!(kinds(line).contains(kind), "{line}: {:?}", kinds(line));
    }
}

#[test]
fn rows_of_drawings_and_rolls_are_values() {
    let tree = answer("show 3 --as tree --depth 2");
    assert_eq!(lines_of(&tree).len(), 7);
    assert_eq!(lines_of(&tree)[3], "3,1,2,1,outcome,,,1,1/4");
    assert_eq!(lines_of(&tree)[6], "6,2,2,2,undecided,,v = 1, c = 0,,1/4");
    assert_eq!(tree["notes"][0], "undecided after 2 flips: probability 1/4");
    assert_eq!(
        lines_of(&answer("show 6 --as flowchart")),
        ["1,1,3,8,6,false", "2,2,2,8,6,true"]
    );
    let trace = answer("roll 6 --input HTHTT --trace");
    assert_eq!(trace["rows"][0][2].as_str().unwrap().lines().count(), 3);
    assert_eq!(trace["notes"][0], "unused: 2 of the given flips");
    assert_eq!(answer("roll 6 --test --count 1000")["verdict"], "holds");
    let first = |line: &str, column: usize| -> Vec<String> {
        let rows = lines_of(&answer(line)).into_iter();
        rows.map(|row| row.split(',').nth(column).unwrap().to_string())
            .collect()
    };
    let rolls = "roll 52! --count 3000 --seed 5";
    assert_eq!(stdout(rolls).lines().collect::<Vec<_>>(), first(rolls, 0));
    for terms in [
        "sequence mr:x=1/1000003 --terms 500",
        "sequence bounded-exponent --terms 9",
    ] {
        assert_eq!(stdout(terms), first(terms, 1).join(", ") + "\n");
    }
    let expansion = answer("sequence mr:x=1/1000003 --terms 5");
    assert!(
        expansion["pre_period"].is_u64() && expansion["period"].is_u64(),
        "{expansion}"
    );
    // exact numbers are texts
    assert_eq!(
        answer("sequence bounded-exponent --terms 9")["rows"][2],
        json!([3, "-1"])
    );
}

#[test]
fn checks_of_sequences_and_claims_are_answers() {
    let all = answer("oeis check --all");
    let printed = stdout("oeis check --all");
    let rows = all["rows"].as_array().unwrap();
    assert_eq!(rows.len() + 2, printed.lines().count());
    for (row, line) in rows.iter().zip(printed.lines()) {
        assert!(line.starts_with(row[1].as_str().unwrap()), "{line}");
        assert!(line.ends_with(row[12].as_str().unwrap()), "{line}");
        assert_eq!((&row[2], &row[3]), (&"agree".into(), &row[4]), "{line}");
    }
    let notes = all["notes"].as_array().unwrap().iter();
    let notes: String = notes
        .map(|note| format!("{}\n", note.as_str().unwrap()))
        .collect();
    assert!(printed.ends_with(&notes) && all["verdict"] == "holds");
    let layman = answer("verify layman --to 2000");
    assert_eq!(
        layman["rows"][0].as_array().unwrap()[2..5],
        [json!(3), json!(2000), json!(117)]
    );
    assert_eq!(
        json!([layman["rows"][0][6], layman["verdict"]]),
        json!([null, "holds"])
    );
    // a mismatch has a verdict, and the command fails
    let folder = Folder::new();
    let file = folder.write("wrong", "1 1\n2 1\n3 1\n4 1\n5 7\n6 1\n");
    let wrong = answer(&format!("oeis check A136043 --against {file}"));
    let row = &wrong["rows"][0].as_array().unwrap()[2..10];
    assert_eq!(json!(row), json!(["differ", 6, 5, 1, 1, 5, 2, 7]));
    let said = "the terms of A136043 differ from those of the file";
    assert_eq!(wrong["verdict"]["fails"], said);
    let line = "verify --that 'variance < 9 * source' --to 40 --source 6 --algorithm interval";
    let statement = answer(line);
    assert_eq!(statement["verdict"], "holds");
    assert_eq!(statement["command"], format!("flipcost {line}"));
}

/// A target that could be mistaken for an option comes after the options, and the chosen rows and
/// columns belong to the question.
#[test]
fn the_command_line_of_a_question_is_parsed_again() {
    let text = r#"{"ask":"batch","targets":["-1+2d6"],"power":2}"#;
    let line = flipcost_all::from_json(text).unwrap().command().to_string();
    assert_eq!(line, "flipcost batch --power 2 -- -1+2d6");
    check_equal("batch --power 2 -- -1+2d6 == batch 2d6 --power 2");
    let typed = "libraries python --top 2 --by -words -c id,words";
    let query = query_text(typed);
    assert!(
        query.contains(r#""top":2,"by":"-words","columns":["id","words"]}"#),
        "{query}"
    );
    let printed = flipcost_all::from_json(&query)
        .unwrap()
        .command()
        .to_string();
    let wanted = "libraries python --top 2 --by=-words --columns id,words";
    assert_eq!(printed, format!("flipcost {wanted}"));
    assert_eq!(stdout(wanted), stdout(typed));
    let query = query_text("cost 8 -c 'mine = expected/log2(n)'");
    assert!(query.contains(r#"["mine = expected/log2(n)"]"#), "{query}");
    assert!(notes("list algorithms").is_empty());
}
