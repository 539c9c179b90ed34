//! Sweeps and figures over several sources, summaries of sweeps, and rows as documents.

use crate::support;

use flipcost_number::Rational;
use support::queries::{check_round_trip, check_rows_equal_csv, query};
use support::{refusal, run, stdout};

/// A sweep over several sources writes all rows of the first source, then those of the next.
#[test]
fn several_sources_are_single_sweeps_in_order() {
    for columns in ["source,n,algorithm,expected_exact,toll", "n,period,source"] {
        let sweep = |sources: &str| stdout(&format!("cost 2..30 {sources} -c {columns} -f csv"));
        let several = sweep("--sources 2,3,6..7");
        let single = ["2", "3", "6", "7"].map(|source| sweep(&format!("-s {source}")));
        let mut wanted = single[0].clone();
        for rows in &single[1..] {
            wanted += rows.split_once('\n').unwrap().1;
        }
        assert_eq!(several, wanted);
        assert_eq!(sweep("--sources 6").as_str(), single[2]);
        for threads in [1, 2, 5] {
            assert_eq!(sweep(&format!("--sources 2,3,6,7 -t {threads}")), several);
        }
    }
}

#[test]
fn several_sources_are_a_query() {
    let lines = [
        "cost 2..9 --sources 2..4,6 -a interval,rejection -c source,n,toll",
        "cost 5..6 --sources 10 -d 5",
    ];
    check_round_trip(&lines);
    check_rows_equal_csv(&lines);
    let figure = query("figure toll --to 9 --sources 2,3 -a interval -o x.svg");
    let sweep = query("cost 1..9 --sources 2,3 -a interval -c source,n,algorithm,toll");
    assert_eq!(figure, sweep);
}

#[test]
fn options_for_a_single_source_are_refused_for_several() {
    for (more, what) in [
        ("-s 6", "cannot be used with"),
        (
            "-o x.csv --resume",
            "one range of fair dice from one source",
        ),
        ("-f b-file -c period", "name one source"),
    ] {
        let said = refusal(&format!("cost 1..9 --sources 2..3 {more}"));
        assert!(said.contains(what), "{said}");
    }
    let said = refusal("cost 1..9 --sources 1..3");
    assert!(said.contains("'1..3'"), "{said}");
    let said = refusal("cost 1..9 --sources 2..1000002");
    assert!(said.contains("1000000 is the most"), "{said}");
    let said = refusal("figure toll --sources 2..40 -o x.svg");
    assert!(said.contains("20 sources are the most"), "{said}");
    let said = refusal("cost 1..9 -f latex -o x.tex --resume");
    assert!(
        said.contains("--resume does not work with --format latex"),
        "{said}"
    );
}

#[test]
fn rows_are_documents() {
    let line = "cost 6 -a fast-dice-roller,rejection -c algorithm,expected_exact,worst_case";
    assert_eq!(
        stdout(&format!("{line} -f latex")),
        "\\begin{tabular}{lrr}\nalgorithm & expected\\_exact & worst\\_case \\\\\n\\hline\n\
         fast-dice-roller & $\\frac{11}{3}$ & $\\infty$ \\\\\nrejection & 4 & $\\infty$ \\\\\n\
         \\end{tabular}\n"
    );
    assert_eq!(
        stdout(&format!("{line} -f markdown")),
        "A d6 from a coin takes 11/3 ≈ 3.667 flips on average by the fast dice roller; no method takes fewer.\n\n\
         | algorithm | expected_exact | worst_case |\n| --- | ---: | ---: |\n\
         | fast-dice-roller | 11/3 | inf |\n| rejection | 4 | inf |\n"
    );
    let lines = "cost 1..9 -c n,algorithm,toll";
    let array = stdout(&format!("{lines} -f json"));
    let objects: Vec<serde_json::Value> = serde_json::from_str(&array).unwrap();
    let each = stdout(&format!("{lines} -f jsonl"));
    let each = each.lines().map(|line| serde_json::from_str(line).unwrap());
    assert_eq!(objects, each.collect::<Vec<serde_json::Value>>());
}

/// The worst cases of most targets are infinite, and the finite ones are drawn as separate points.
#[test]
fn isolated_values_and_equal_curves_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |line: &str| {
        let path = folder.path().join("x.svg").display().to_string();
        stdout(&format!("figure {line} -o {path}"));
        std::fs::read_to_string(path).unwrap()
    };
    let has = |svg: &str, text: &str| assert!(svg.contains(text), "{text} is not in\n{svg}");
    let worst = draw("worst_case --to 40 -a fast-dice-roller");
    has(&worst, "worst_case of fast-dice-roller from a coin");
    let rounds = draw("cycle_rounds --to 20");
    has(&rounds, "cycle_rounds (rounds)");
    let entropy = draw("entropy --to 20 -a interval,rejection,fast-dice-roller");
    has(&entropy, "fast-dice-roller = rejection = interval");
    let sources = draw("toll --to 20 --sources 2,6 -a interval");
    has(&sources, "toll of interval from sources 2,6");
    has(&sources, "source 6");
}

/// E(1), ..., E(4) are 0, 1, 8/3 and 2: their mean is 17/12, half of them are at most 1, three
/// quarters are at most 2, and E(3) is the third and last record.
#[test]
fn a_summary_has_the_mean_and_the_records() {
    let line = "cost 1..4 -a fast-dice-roller -c expected_exact,expected,toll --summary";
    let wanted = "source,algorithm,column,unit,values,mean_exact,mean,least,least_at,largest,largest_at,\
        records,last_record_at,quantile_1/4,quantile_1/2,quantile_3/4\n\
        2,fast-dice-roller,expected_exact,flips,4,17/12,1.4166666666666667,0,1,8/3,3,3,3,0,1,2\n\
        2,fast-dice-roller,expected,flips,4,,1.4166666666666667,0,1,2.6666666666666665,3,3,3,0,1,2\n\
        2,fast-dice-roller,toll,flips,4,,0.2704260414863776,0,1,1.0817041659455104,3,2,3,0,0,0\n";
    assert_eq!(stdout(line), wanted);
    for threads in [1, 3] {
        assert_eq!(stdout(&format!("{line} --threads {threads}")), wanted);
    }
    let exact = stdout("cost 1..4 -a fast-dice-roller -c expected --summary -d 20");
    assert!(exact.contains(",1.41666666666666666667,"), "{exact}");
}

/// The statistics agree with those of the rows themselves, for integers.
#[test]
fn a_summary_agrees_with_its_rows() {
    let rows = stdout("cost 1..500 -a fast-dice-roller -c cycle_rounds");
    let mut values: Vec<u64> = rows
        .lines()
        .skip(1)
        .map(|row| row.parse().unwrap())
        .collect();
    let sum: u64 = values.iter().sum();
    let (mut records, mut largest) = (Vec::new(), 0);
    for (n, &value) in (1..).zip(&values) {
        if value > largest {
            largest = value;
            records.push(n);
        }
    }
    let (count, last) = (records.len(), records[records.len() - 1]);
    values.sort();
    let [first, tenth, all] = [values[0], values[49], values[499]];
    let summary =
        stdout("cost 1..500 -a fast-dice-roller -c cycle_rounds --summary --quantiles 0,1/10,1");
    let row: Vec<&str> = summary.lines().nth(1).unwrap().split(',').collect();
    let mean = Rational::new(sum.into(), 500.into()).to_string();
    assert_eq!(row[5], mean);
    let wanted = [largest, last, count as u64, last, first, tenth, all];
    assert_eq!(row[9..], wanted.map(|value| value.to_string()));
}

#[test]
fn a_summary_refuses_unsuitable_requests() {
    for (more, what) in [
        (
            "--summary -c algorithm,n",
            "these columns only name the row",
        ),
        ("--summary --quantiles 1/2,0.5", "1/2 twice"),
        ("--summary --quantiles 2", "between 0 and 1"),
        ("--quantiles 1/2", "--summary"),
        ("--summary --resume -o x.csv", "the rows of one range"),
        ("--summary -f b-file -c period", "choose another --format"),
    ] {
        let line = format!("cost 1..9 {more}");
        let error = refusal(&line);
        assert!(error.contains(what), "{error}");
    }
}

/// The extension of a file chooses the format of its rows, unless --format does.
#[test]
fn file_extensions_select_formats() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "cost 6 -c algorithm,expected_exact",
        "cost 5..7 -c n,expected",
    ] {
        for (name, format) in [
            ("a.csv", "csv"),
            ("a.json", "json"),
            ("a.jsonl", "jsonl"),
            ("a.MD", "markdown"),
            ("a.tex", "latex"),
            ("a.txt", "csv"),
        ] {
            let path = folder.path().join(name);
            stdout(&format!("{line} -o {}", path.display()));
            let written = std::fs::read_to_string(&path).unwrap();
            assert_eq!(written, stdout(&format!("{line} -f {format}")), "{name}");
        }
        let path = folder.path().join("b.json");
        stdout(&format!("{line} -f csv -o {}", path.display()));
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            stdout(&format!("{line} -f csv"))
        );
    }
    let path = folder.path().join("c.json");
    let error = refusal(&format!("cost 1..3 --resume -o {}", path.display()));
    assert!(
        error.contains("does not work with --format json"),
        "{error}"
    );
}

/// Tests four extreme loaded sources: a rule that returns to a node that returns to itself, a
/// search that finds nothing better than the interval algorithm, a coin that is too loaded for a
/// search, and a chain with infinitely many states.
#[test]
fn extreme_loaded_sources_are_answered() {
    let rule = stdout("cost 4 -s 1:2:3 --optimal");
    assert!(
        rule.contains("expected rolls: 2\n") && !rule.contains("-> 0"),
        "{rule}"
    );
    let row = stdout("cost 2 -s 1:1000 --optimal --effort 10^4 -f json");
    let row: Vec<serde_json::Value> = serde_json::from_str(&row).unwrap();
    assert_eq!(row[0]["expected"], row[0]["interval"]);
    let (status, _, said) = run(&[
        "cost",
        "2",
        "-s",
        "1:100000",
        "--optimal",
        "--effort",
        "10^4",
    ]);
    assert!(
        status == 2 && said.contains("is too likely for a search"),
        "{said}"
    );
    let rolled = stdout("roll 2 --test -s 1:2 -a interval --count 10 --seed 1 -f csv");
    assert!(rolled.contains("\ninterval,1:2,2,10,"), "{rolled}");
    // a summary of a sweep from a loaded source
    let summary = stdout("cost 2..5 -s 1:2 -a interval -c expected --summary -f csv");
    assert!(
        summary
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("1:2,interval,expected"),
        "{summary}"
    );
}

/// The summary names the source of each row if there are several sources.
#[test]
fn the_first_sentence_names_the_sources() {
    let answers = crate::support::queries::ask(
        r#"{"ask":"cost","target":"6","sources":"2,4,6","best":true}"#,
    );
    let said = answers.0[0]["summary"].as_str().unwrap().to_string();
    assert!(
        said.contains("0 rolls, from a d6") && said.contains("from a coin"),
        "{said}"
    );
}
