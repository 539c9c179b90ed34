//! Sweeps and figures over several sources, and rows as documents.

mod support;

use support::queries::{query, read_back, rows_as_csv};
use support::{refusal, stdout};

/// The rows of several sources are those of each source, one after the other.
#[test]
fn several_sources_are_single_sweeps_in_order() {
    for columns in ["source,n,algorithm,expected_exact,toll", "n,period,source"] {
        let sweep = |sources: &str| {
            stdout(&format!(
                "sweep --from 2 --to 30 {sources} -c {columns} -f csv"
            ))
        };
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
        "sweep --from 2 --to 9 --sources 2..4,6 -a interval,rejection -c source,n,toll",
        "sweep --from 5 --to 6 --sources 10 -d 5",
    ];
    read_back(&lines);
    rows_as_csv(&lines);
    let figure = query("figure toll --to 9 --sources 2,3 -a interval -o x.svg");
    let sweep = query("sweep --from 1 --to 9 --sources 2,3 -a interval -c source,n,algorithm,toll");
    assert_eq!(figure, sweep);
}

#[test]
fn what_does_not_go_with_several_sources_is_said() {
    for (more, what) in [
        ("-s 6", "cannot be used with"),
        ("--shard 1/2", "cannot be used with"),
        ("-o x.csv --resume", "cannot be used with"),
        ("-f b-file -c period", "name one source"),
    ] {
        let said = refusal(&format!("sweep --from 1 --to 9 --sources 2..3 {more}"));
        assert!(said.contains(what), "{said}");
    }
    let said = refusal("sweep --from 1 --to 9 --sources 1..3");
    assert!(said.contains("'1..3'"), "{said}");
    let said = refusal("sweep --from 1 --to 9 --sources 2..20000");
    assert!(said.contains("10000 is the most"), "{said}");
    let said = refusal("figure toll --sources 2..40 -o x.svg");
    assert!(said.contains("20 sources are the most"), "{said}");
    let said = refusal("sweep --from 1 --to 9 -f latex --shard 1/2");
    assert!(
        said.contains("--shard does not go with --format latex"),
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
        "| algorithm | expected_exact | worst_case |\n| --- | ---: | ---: |\n\
         | fast-dice-roller | 11/3 | inf |\n| rejection | 4 | inf |\n"
    );
    let lines = "sweep --from 1 --to 9 -c n,algorithm,toll";
    let array = stdout(&format!("{lines} -f json"));
    let objects: Vec<serde_json::Value> = serde_json::from_str(&array).unwrap();
    let each = stdout(&format!("{lines} -f jsonl"));
    let each = each.lines().map(|line| serde_json::from_str(line).unwrap());
    assert_eq!(objects, each.collect::<Vec<serde_json::Value>>());
}

/// The worst cases of most targets are infinite: the finite ones are points of their own.
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
    has(
        &worst,
        "worst_case of fast-dice-roller, n = 1 to 40, from a coin",
    );
    let rounds = draw("cycle_rounds --to 20");
    has(&rounds, "cycle_rounds (rounds)");
    let entropy = draw("entropy --to 20 -a interval,rejection,fast-dice-roller");
    has(&entropy, "fast-dice-roller = rejection = interval");
    let sources = draw("toll --to 20 --sources 2,6 -a interval");
    has(&sources, "toll of interval, n = 1 to 20, from sources 2,6");
    has(&sources, "source 6");
}
