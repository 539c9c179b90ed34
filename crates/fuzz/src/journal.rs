//! Whatever files an interrupted run has left, `--resume` refuses them or produces the same bytes
//! as an uninterrupted run. Parsing the results of units never panics.

use flipcost_cli::commands;
use flipcost_question::{Answer, JoinedUnits};
use std::path::Path;

fn write_sweep(file: &Path) {
    let line = "flipcost cost 1..20 -a interval -c n,expected_exact --resume -o";
    let words = line.split(' ').map(Into::into);
    let _ = commands::run(words.chain([file.as_os_str().to_owned()]));
}

/// Checks the property that the module describes. The bytes before the first zero are the partial
/// result, and those after it are the journal.
pub fn journal(bytes: &[u8]) {
    let _ = JoinedUnits::from_bytes(bytes, &flipcost_all::QUESTIONS);
    let _ = Answer::from_bytes(bytes, &flipcost_all::QUESTIONS);
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (part, journal) = match bytes.iter().position(|byte| *byte == 0) {
        Some(zero) => (&bytes[..zero], &bytes[zero + 1..]),
        None => (bytes, &bytes[..0]),
    };
    write_sweep(&at("whole.csv"));
    std::fs::write(at("rows.csv.part"), part).expect("a file");
    std::fs::write(at("rows.csv.part.journal"), journal).expect("a file");
    write_sweep(&at("rows.csv"));
    if let Ok(rows) = std::fs::read(at("rows.csv")) {
        assert_eq!(rows, std::fs::read(at("whole.csv")).expect("a whole run"));
    }
}
