//! Ranges and lists of targets and sources, and their summaries.

use crate::support::{Folder, cells, check_equal, check_table, column, stdout};
use flipcost_number::Rational;

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let sweep = |threads| {
        stdout(&format!(
            "cost 1..3000 --columns n,algorithm,expected,toll,worst_case,period,cycle_rounds --source 6 --threads {threads}"
        ))
    };
    let one = sweep(1);
    assert!(one.lines().count() > 18000 && one == sweep(2) && one == sweep(3));
}

/// The toll of n = 2^k + 1 approaches 2. Rows are in the order of n, then of the algorithms.
#[test]
fn every_table_can_be_sorted_and_cut() {
    check_table(
        "cost 1..10000 -a fast-dice-roller -c n,toll --top 2 --by toll => \\nn,toll\\n8193, & \\n4097,
cost 2..9 -a fast-dice-roller -c n,expected_exact --top 3 --by -expected_exact => \\nn,expected_exact\\n2,1\\n4,2\\n3,8/3\\n
cost 5..6 -c n,algorithm,expected_exact,worst_case -a interval,rejection,fast-dice-roller => \\nn,algorithm,expected_exact,worst_case\\n5,fast-dice-roller,18/5,inf\\n5,rejection,24/5,inf\\n5,interval,4,inf\\n6,fast-dice-roller,11/3,inf\\n6,rejection,4,inf\\n6,interval,4,inf\\n",
    );
}

/// A sweep over several sources writes all rows of the first source, then those of the next.
#[test]
fn several_sources_are_single_sweeps_in_order() {
    for columns in ["source,n,algorithm,expected_exact,toll", "n,period,source"] {
        let sweep = |sources: &str| stdout(&format!("cost 2..30 {sources} -c {columns} -f csv"));
        let several = sweep("--sources 2,3,6..7");
        let single = ["2", "3", "6", "7"].map(|source| sweep(&format!("-s {source}")));
        let rest = single[1..]
            .iter()
            .map(|rows| rows.split_once('\n').unwrap().1);
        assert_eq!(
            several,
            format!("{}{}", single[0], rest.collect::<String>())
        );
        assert_eq!(sweep("--sources 6"), single[2]);
        for threads in [1, 2, 5] {
            assert_eq!(sweep(&format!("--sources 2,3,6,7 -t {threads}")), several);
        }
    }
    let rows = column("cost 3..3 --sources 2..10002 -a rejection", "source");
    assert_eq!(rows.len(), 10_001);
    check_table(
        "! cost 1..9 --sources 2..3 -s 6 => cannot be used with
! cost 6 --sources 2..1000002 => 1000000 is the most",
    );
}

#[test]
fn the_best_algorithm_of_every_cell_is_shown() {
    check_table(
        "cost 2..6 --sources 2,6 --best => \\n2,6,fast-dice-roller,11/3,3.6666666666666665,3.6666666666666665,
cost 5 --sources 6 --best --algorithm bounded => \\n6,5,,,,,,,\\n
! cost 2..3000 --sources 2 --best -a rejection -o /tmp/x.svg => 1800 targets
! cost --sources 2,4,6,8,10,12,20 --best --weights 1:2 --weights 3d6 -o map.svg => fair dice",
    );
    let folder = Folder::new();
    let rows = stdout(&format!(
        "cost 2..12 --sources 2,6 --best -o {}",
        folder.path("c.svg")
    ));
    assert!(rows.starts_with("source,") && folder.read("c.svg").starts_with("<svg"));
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
    check_equal(&format!(
        "{line} --threads 1 == {line}\n{line} --threads 3 == {line}"
    ));
    let usual = stdout("cost 1..20 --summary");
    assert!(!usual.contains("expected_exact,") && usual.contains("fast-dice-roller,expected,"));
    check_table(
        "cost 1..4 -a fast-dice-roller -c expected --summary -d 20 => ,1.41666666666666666667,
cost 1..20 -a rejection -c n,over_optimum_exact --summary => over_optimum_exact
cost 1..20 --summary --exact => fast-dice-roller,expected_exact & fast-dice-roller,variance_exact
! cost 1..9 --summary -c algorithm,n => these columns only name the row
! cost 1..9 --quantiles 1/2 => --summary
! cost 1..9 --summary --resume -o x.csv => the rows of one range
! cost 1..9 --summary -f b-file -c period => choose another --format",
    );
}

/// The statistics agree with those of the rows themselves, for integers.
#[test]
fn a_summary_agrees_with_its_rows() {
    let line = "cost 1..500 -a fast-dice-roller -c cycle_rounds";
    let mut values: Vec<u64> = Vec::new();
    values.extend(
        column(line, "cycle_rounds")
            .iter()
            .map(|value| value.parse::<u64>().unwrap()),
    );
    let sum: u64 = values.iter().sum();
    let (mut records, mut largest) = (Vec::new(), 0);
    for (n, &value) in (1u64..).zip(&values) {
        if value > largest {
            largest = value;
            records.push(n);
        }
    }
    let (count, last) = (records.len() as u64, records[records.len() - 1]);
    values.sort();
    let names = [
        "largest",
        "largest_at",
        "records",
        "last_record_at",
        "quantile_0",
        "quantile_1/10",
        "quantile_1",
    ];
    let line = format!("{line} --summary --quantiles 0,1/10,1");
    let wanted = [
        largest,
        last,
        count,
        last,
        values[0],
        values[49],
        values[499],
    ];
    assert_eq!(cells(&line, names), [wanted.map(|value| value.to_string())]);
    let mean = Rational::new(sum.into(), 500.into()).to_string();
    assert_eq!(column(&line, "mean_exact"), [mean]);
}

/// The summary of a comparison names the sources.
#[test]
fn the_first_sentence_names_the_sources() {
    let said = crate::support::queries::answer("cost 6 --sources 2,4,6 --best");
    let said = said["summary"].as_str().unwrap();
    assert!(
        said.contains("0 rolls, from a d6") && said.contains("from a coin"),
        "{said}"
    );
}
