//! Expressions of columns, used as columns of a table and in the statements of `verify`.

use crate::support;

use support::queries::ask;
use support::run;

fn verify(that: &str, more: &[&str]) -> (i32, String, String) {
    run(&[&["verify", "--that", that, "--to", "300"], more].concat())
}

/// Knuth and Yao 1976: E(n) < log2 n + 2 for the optimal algorithm. Rejection in blocks of
/// ceil(log2 n) flips needs up to twice that many.
#[test]
fn a_statement_holds_or_has_a_counterexample() {
    let (status, said, errors) = verify(
        "expected < log2(n) + 2",
        &["-a", "fast-dice-roller", "--from", "2"],
    );
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(said.contains("n = 2 to 300, 299 cases checked\n"), "{said}");
    assert!(said.ends_with("result: no counterexample\n"), "{said}");
    // 3 flips per round, and a round succeeds with probability 5/8: 24/5 flips, more than log2 5 +
    // 2 = 4.32
    let wrong = verify("expected < log2(n) + 2", &["-a", "rejection-ceil"]);
    let (status, said, errors) = wrong.clone();
    assert_eq!(status, 1, "{errors}");
    let named =
        "n = 5 with rejection-ceil: the left side is 24/5, the right side 4.321928094887363";
    assert!(said.contains(named), "{said}{errors}");
    assert_eq!(errors, "error: the claim is contradicted\n");
    for threads in ["1", "2", "7"] {
        let again = verify(
            "expected < log2(n) + 2",
            &["-a", "rejection-ceil", "--threads", threads],
        );
        assert_eq!(again, wrong);
    }
}

#[test]
fn impossible_tasks_are_left_out_and_counted() {
    let (status, said, errors) = verify("worst_case >= entropy", &["-a", "bounded"]);
    assert_eq!(status, 0, "{errors}");
    assert!(said.contains("9 cases checked"), "{said}"); // 1, 2, 4, ..., 256
    assert!(errors.contains("291 cases are left out"), "{errors}");
    let (status, _, errors) = verify("n > 0", &["-a", "bounded", "--from", "5", "--to", "7"]);
    assert_eq!(status, 2, "--to twice");
    assert!(errors.contains("--to"), "{errors}");
    let nothing = [
        "verify", "--that", "n > 0", "-a", "bounded", "--from", "5", "--to", "7",
    ];
    let (status, _, errors) = run(&nothing);
    assert!(
        status == 2 && errors.contains("nothing to check"),
        "{errors}"
    );
}

#[test]
fn undecided_cases_are_refused_with_their_target() {
    for (that, what) in [
        // both sides equal log2 3 at n = 3, written in two ways, so no enclosure decides the
        // comparison
        (
            "entropy >= 1 + log2(n / 2)",
            "n = 3 with fast-dice-roller is not decided",
        ),
        ("worst_case < 9", "worst_case has no value: it is infinite"),
        (
            "1 / (n - 6) < 2",
            "n = 6 with fast-dice-roller is not decided",
        ),
        ("expected", "a comparison such as"),
        ("expected < entrpy", "at character 12"),
        ("1 < (2 < 3)", "comparisons cannot be in brackets"),
    ] {
        let (status, said, errors) = verify(that, &["-a", "fast-dice-roller"]);
        assert_eq!((status, said.as_str()), (2, ""), "{that}");
        assert!(
            errors.contains(what) && errors.lines().count() == 1,
            "{errors}"
        );
    }
    for (line, what) in [
        (&["verify", "--to", "9"][..], "CLAIM"),
        (&["verify", "toll", "--to", "9", "--parts", "2"], "--check"),
        (
            &["verify", "toll", "--that", "n > 0", "--to", "9"],
            "cannot be used with",
        ),
        (
            &["verify", "--that", "n > 0", "--from", "9", "--to", "3"],
            "reversed",
        ),
    ] {
        let (status, _, errors) = run(line);
        assert!(status == 2 && errors.contains(what), "{errors}");
    }
}

#[test]
fn a_statement_is_a_query() {
    let line = [
        "--query",
        "verify",
        "--that",
        "variance < 9 * source",
        "--to",
        "40",
        "-s",
        "6",
        "-a",
        "fast-dice-roller",
    ];
    let (_, query, _) = run(&line);
    let (answers, status) = ask(&query);
    assert_eq!(status, 0);
    assert_eq!(answers[0]["verdict"], "holds");
    assert_eq!(
        answers[0]["command"],
        "flipcost verify --that 'variance < 9 * source' --to 40 --source 6 --algorithm fast-dice-roller"
    );
}

/// toll is expected - log2 n, and 1/toll is not defined where the toll is 0.
#[test]
fn an_expression_can_be_a_column() {
    let columns = "n,toll,expected - log2(n),expected_exact*3";
    let lines = ["cost", "4..6", "-a", "fast-dice-roller", "-c", columns];
    let (status, said, errors) = run(&lines);
    assert_eq!((status, errors.as_str()), (0, ""));
    let wanted = "n,toll,expected - log2(n),expected_exact*3\n4,0,0,6\n\
        5,1.2780719051126377,1.2780719051126377,10.8\n6,1.0817041659455104,1.0817041659455104,11\n";
    assert_eq!(said, wanted);
    let decimals = [&lines[..], &["-d", "30"]].concat();
    let (_, said, _) = run(&decimals);
    assert!(said.ends_with(
        "6,1.081704165945510485212927722719,1.081704165945510485212927722719,11.000000000000000000000000000000\n"
    ), "{said}");
    let one = [
        "cost",
        "6",
        "-a",
        "fast-dice-roller",
        "-f",
        "jsonl",
        "-c",
        "algorithm,toll ^ 2",
    ];
    let (_, said, _) = run(&one);
    assert!(
        said.starts_with("{\"algorithm\":\"fast-dice-roller\",\"toll ^ 2\":1.17008"),
        "{said}"
    );
    let empty = ["cost", "3..8", "-a", "fast-dice-roller", "-c", "1/toll"];
    let (status, said, errors) = run(&empty);
    assert_eq!(
        (status, said.lines().filter(|line| *line == "\"\"").count()),
        (0, 2),
        "{said}"
    );
    assert!(
        errors.contains("1/toll is left out of n = 4 (and 1 more)"),
        "{errors}"
    );
}
