//! The tests do not run studies that take hours. The data of these studies are committed with a
//! record of how they were made; these tests check the record and recompute some rows.

use crate::support;

use flipcost_number::threads;
use flipcost_studies::record::digest;
use std::path::PathBuf;
use support::stdout;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the rows of a table as cells, without its header.
fn rows(study: &str, table: &str) -> Vec<Vec<String>> {
    let path = root().join("data").join(study).join(table);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows = reader.records();
    rows.map(|row| row.unwrap().iter().map(String::from).collect())
        .collect()
}

/// Returns a sample of `count` rows, spread over the whole table.
fn sample<T>(rows: Vec<T>, count: usize) -> Vec<T> {
    assert!(rows.len() >= count);
    let step = rows.len() / count;
    rows.into_iter().step_by(step).take(count).collect()
}

#[test]
fn every_table_matches_its_record() {
    for study in ["loaded-table", "several-dice", "store"] {
        let folder = root().join("data").join(study);
        let record = std::fs::read_to_string(folder.join("record.toml")).unwrap();
        let record: toml::Table = record.parse().unwrap();
        let request = root().join("analysis/long").join(format!("{study}.toml"));
        let request = std::fs::read(request).unwrap();
        assert_eq!(record["request_sha256"].as_str(), Some(&*digest(&request)));
        let tables = record["sha256"].as_table().unwrap();
        assert!(tables.len() >= 2, "{study}");
        for (name, sum) in tables {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            assert_eq!(sum.as_str(), Some(&*digest(&bytes)), "{study}: {name}");
        }
    }
}

/// Recomputes fifty rows whose search is short, and compares them.
#[test]
fn optima_for_several_dice_are_found_again() {
    let request = root().join("analysis/long/several-dice.toml");
    let request: toml::Table = std::fs::read_to_string(request).unwrap().parse().unwrap();
    let effort = request["best-rules"][0]["effort"].as_integer().unwrap();
    let all = rows("several-dice", "optimum.csv");
    assert_eq!(all.len(), 64 * 99);
    let short = |row: &Vec<String>| (1000..200_000).contains(&row[8].parse::<u64>().unwrap());
    let short: Vec<_> = all.into_iter().filter(short).collect();
    threads::map_of(&sample(short, 50), &|row| {
        let line = format!(
            "plan {} --dice {} --optimal --effort {effort} -f csv",
            row[0], row[1]
        );
        let answer = stdout(&line);
        let mut found = csv::Reader::from_reader(answer.as_bytes());
        let found = found.records().next().unwrap().unwrap();
        let found: Vec<&str> = found.iter().collect();
        assert_eq!(found, &row[..6], "{line}");
        let plan = stdout(&format!("plan {} --dice {} -f csv", row[0], row[1]));
        let mut plans = csv::Reader::from_reader(plan.as_bytes());
        let costs = plans.records().map(|row| row.unwrap()[3].to_string());
        assert!(costs.into_iter().any(|cost| cost == row[6]), "{line}");
    });
}

/// The tables are consistent: lower bounds are at most upper bounds, and no row with a gap between
/// them is marked as proved.
#[test]
fn optima_for_several_dice_are_consistent() {
    use flipcost_number::Rational;
    let exact = |text: &str| text.parse::<Rational>().unwrap();
    for row in rows("several-dice", "optimum.csv") {
        let [expected, lower, kept] = [2, 4, 6].map(|at| exact(&row[at]));
        assert!(lower <= expected && expected <= kept, "{row:?}");
        assert_eq!(lower == expected, row[5] == "yes", "{row:?}");
    }
}

/// Recomputes fifty stores, each with its certificate, and compares them.
#[test]
fn optima_of_stores_are_found_again() {
    let all = rows("store", "optima.csv");
    assert!(all.len() > 5000);
    threads::map_of(&sample(all, 50), &|row| {
        let line = format!("stream {} --states {} -f csv", row[0], row[1]);
        let answer = stdout(&line);
        let mut found = csv::Reader::from_reader(answer.as_bytes());
        let found = found.records().next().unwrap().unwrap();
        assert_eq!((&found[4], &found[6]), (&*row[2], &*row[3]), "{line}");
        assert_eq!((&found[7], &found[8]), (&*row[4], "yes"), "{line}");
    });
}
