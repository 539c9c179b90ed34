//! Sweeps that are interrupted and resumed.

use crate::support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use support::{bytes as stdout, refusal};

/// Returns the names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// Starts a run that writes a file, and kills it as soon as this many bytes are written. Returns
/// whether it was still running.
fn killed(arguments: &str, file: &Path, bytes: u64) -> bool {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_flipcost"))
        .args(arguments.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let part = PathBuf::from(format!("{}.part", file.display()));
    let reached = || fs::metadata(&part).is_ok_and(|part| part.len() >= bytes);
    while !reached() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
    running
}

const LONG: &str =
    "cost 1000..60000 --columns n,toll,variance -d 40 -a fast-dice-roller --threads 1";

#[test]
fn a_killed_run_is_continued_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long");
    let name = file.display();
    for format in ["csv", "jsonl"] {
        let run = format!("{LONG} --format {format}");
        let whole = stdout(&run);
        let length = whole.len() as u64;
        // kills the run at the start, then resumes it and kills it at later and later points
        let places = [0, length / 100, length / 5, length / 2, length * 4 / 5];
        let kills = places.map(|bytes| killed(&format!("{run} -o {name} --resume"), &file, bytes));
        assert!(
            kills.into_iter().filter(|running| *running).count() >= 3,
            "{run}: {kills:?}"
        );
        stdout(&format!("{run} -o {name} --resume"));
        assert!(fs::read(&file).unwrap() == whole, "{run}: {kills:?}");
        assert_eq!(names(folder.path()), ["long"]);
        fs::remove_file(&file).unwrap();
    }
}

/// The files of a run that was killed in the middle. They are made from the files of a complete
/// run.
struct KilledRun {
    folder: tempfile::TempDir,
    file: PathBuf,
    whole: Vec<u8>,
}

const SHORT: &str = "cost 3..3000 --columns n,period -a fast-dice-roller --format csv";

impl KilledRun {
    /// Makes the two files so that the journal ends at n = 500 and the partial file is longer.
    fn new() -> KilledRun {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f.csv");
        let whole = stdout(SHORT);
        let left = KilledRun {
            folder,
            file,
            whole,
        };
        let lines = left.whole.split_inclusive(|byte| *byte == b'\n');
        let bytes: usize = lines.take(1 + 498).map(<[u8]>::len).sum();
        let heading = format!(
            "{{\"flipcost\":\"{}\",\"format\":\"csv\",\"header\":\"n,period\\n\",\"rows\":2998,\"query\":{}}}\n",
            env!("CARGO_PKG_VERSION"),
            String::from_utf8(stdout(&format!("--query {SHORT}")))
                .unwrap()
                .trim_end()
        );
        let reached = |rows: u64, bytes: usize| {
            let mut crc = crc32fast::Hasher::new();
            crc.update(&left.whole[..bytes]);
            crc.update(&rows.to_le_bytes());
            let crc = crc.finalize();
            format!("{{\"done\":{rows},\"bytes\":{bytes},\"crc32\":{crc}}}\n")
        };
        // the second line of progress is cut off, so the first is the last complete one
        let torn = &reached(898, left.whole.len())[..20];
        fs::write(
            left.journal(),
            heading + reached(498, bytes).as_str() + torn,
        )
        .unwrap();
        fs::write(left.part(), [&left.whole[..bytes], b"501,gar"].concat()).unwrap();
        left
    }

    fn part(&self) -> PathBuf {
        self.folder.path().join("f.csv.part")
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("f.csv.part.journal")
    }

    fn run(&self, more: &str) -> String {
        format!("{SHORT} -o {} {more}", self.file.display())
    }

    fn is_whole(&self) {
        assert!(fs::read(&self.file).unwrap() == self.whole);
        assert_eq!(names(self.folder.path()), ["f.csv"]);
    }
}

/// After a power cut, the partial file can have content while the journal is empty. A scheduler
/// that always passes `--resume` must then still be able to start the run, and the old file must be
/// kept.
#[test]
fn a_run_begins_again_if_its_journal_is_missing_or_cut() {
    let left = KilledRun::new();
    let first = fs::read_to_string(left.journal())
        .unwrap()
        .find('\n')
        .unwrap();
    for cut in [None, Some(0), Some(1), Some(first / 2), Some(first)] {
        let left = KilledRun::new();
        let part = fs::read(left.part()).unwrap();
        match cut {
            None => fs::remove_file(left.journal()).unwrap(),
            Some(cut) => {
                let journal = fs::read(left.journal()).unwrap();
                fs::write(left.journal(), &journal[..cut]).unwrap();
            }
        }
        let refused = refusal(&left.run(""));
        assert!(refused.contains("is in the way"), "{cut:?}: {refused}");
        stdout(&left.run("--resume"));
        assert!(fs::read(&left.file).unwrap() == left.whole, "{cut:?}");
        assert_eq!(names(left.folder.path()), ["f.csv", "f.csv.part.1"]);
        let kept = fs::read(left.folder.path().join("f.csv.part.1")).unwrap();
        assert!(kept == part);
    }
    // a journal that is cut off after its first line still says how much of the partial file is
    // complete, or that nothing is
    let journal = fs::read(left.journal()).unwrap();
    for cut in [first + 1, first + 2, journal.len() - 20, journal.len() - 1] {
        let left = KilledRun::new();
        fs::write(left.journal(), &journal[..cut]).unwrap();
        stdout(&left.run("--resume"));
        left.is_whole();
    }
}

#[test]
fn the_last_complete_line_of_the_journal_counts() {
    let left = KilledRun::new();
    stdout(&left.run("--resume"));
    left.is_whole();
}

#[test]
fn changed_files_are_not_continued() {
    type Change = fn(&mut Vec<u8>);
    let journal = |text: &mut Vec<u8>, from: &str, to: &str| {
        let changed = String::from_utf8_lossy(text).replacen(from, to, 1);
        assert_ne!(changed.as_bytes(), &text[..]);
        *text = changed.into_bytes();
    };
    let in_part: [Change; 2] = [|part| part[0] = b'N', |part| part[50] ^= 1];
    let in_journal = [
        ("\"done\":498", "\"done\":499"),
        ("\"done\":498", "\"done\":99999"),
        ("\"done\":498", "\"done\":1"),
        ("\"bytes\":", "\"bytes\":0,\"x\":"),
        ("\"crc32\":", "\"crc32\":0,\"x\":"),
    ];
    for i in 0..in_part.len() + in_journal.len() {
        let left = KilledRun::new();
        let name = if i < 2 { left.part() } else { left.journal() };
        let mut bytes = fs::read(&name).unwrap();
        match in_part.get(i) {
            Some(change) => change(&mut bytes),
            None => journal(&mut bytes, in_journal[i - 2].0, in_journal[i - 2].1),
        }
        fs::write(&name, bytes).unwrap();
        let before = [left.part(), left.journal()].map(|path| fs::read(path).unwrap());
        let sentence = refusal(&left.run("--resume"));
        assert!(
            sentence.contains("does not match its journal any more"),
            "{i}: {sentence}"
        );
        assert!(before == [left.part(), left.journal()].map(|path| fs::read(path).unwrap()));
        stdout(&left.run(""));
        left.is_whole();
    }
}

#[test]
fn a_run_begins_again_without_resume_or_a_usable_journal() {
    let left = KilledRun::new();
    stdout(&left.run(""));
    left.is_whole();
    // there is nothing to continue
    stdout(&left.run("--resume"));
    left.is_whole();
    // the partial file has fewer bytes than the journal counts
    let left = KilledRun::new();
    fs::write(left.part(), "n,per").unwrap();
    stdout(&left.run("--resume"));
    left.is_whole();
    // the complete file was renamed, but the journal was not removed
    let left = KilledRun::new();
    fs::remove_file(left.part()).unwrap();
    stdout(&left.run("--resume"));
    left.is_whole();
}

#[test]
fn files_of_another_request_are_not_touched() {
    let left = KilledRun::new();
    let before = [left.part(), left.journal()].map(|path| fs::read(path).unwrap());
    for (arguments, names) in [
        (
            left.run("--resume").replace("3000", "3001"),
            "target is \"3..3000\" and not \"3..3001\"",
        ),
        (
            left.run("--resume").replace("period", "preperiod"),
            "columns",
        ),
        (left.run("--resume --source 6"), "source"),
        (left.run("--resume").replace("csv -o", "jsonl -o"), "format"),
    ] {
        let sentence = refusal(&arguments);
        assert!(sentence.contains(names), "{arguments}: {sentence}");
        assert!(sentence.contains("f.csv.part"), "{sentence}");
    }
    assert!(before == [left.part(), left.journal()].map(|path| fs::read(path).unwrap()));
    // the user's own files have the names of the journal and the partial file
    fs::write(left.journal(), "Dear diary,\n").unwrap();
    for more in ["", "--resume"] {
        assert!(refusal(&left.run(more)).contains("in the way"));
    }
    fs::remove_file(left.journal()).unwrap();
    assert!(refusal(&left.run("")).contains("in the way"));
    assert!(before[0] == fs::read(left.part()).unwrap());
}

#[test]
fn two_runs_do_not_write_one_file() {
    let left = KilledRun::new();
    let part = fs::File::open(left.part()).unwrap();
    part.lock().unwrap();
    for more in ["", "--resume"] {
        assert!(refusal(&left.run(more)).contains("another run"));
    }
    drop(part);
    stdout(&left.run("--resume"));
    left.is_whole();
}

#[test]
fn files_that_cannot_be_continued_get_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x").display().to_string();
    let sweep = "cost 1..9 --columns n";
    for (arguments, names) in [
        (format!("{sweep} --resume"), "--output"),
        (format!("{sweep} --resume -o /dev/null"), "device"),
        (
            format!("{sweep} --resume --format table -o {file}"),
            "--format table",
        ),
        (
            format!("{sweep} -o {}", folder.path().display()),
            "directory",
        ),
        (format!("{sweep} -o {file}/y"), "cannot write"),
    ] {
        let sentence = refusal(&arguments);
        assert!(sentence.contains(names), "{arguments}: {sentence}");
    }
    assert!(names(folder.path()).is_empty());
}

/// If the output path is that of standard output, the rows go to wherever standard output leads,
/// even if that is a file.
#[cfg(unix)]
#[test]
fn standard_output_can_be_named_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    fs::write(&log, "before\n").unwrap();
    for name in ["/dev/stdout", "/dev/fd/1"] {
        let file = fs::OpenOptions::new().append(true).open(&log).unwrap();
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_flipcost"))
            .args([
                "cost",
                "6",
                "-a",
                "interval",
                "-c",
                "n,expected_exact",
                "-f",
                "csv",
                "-o",
                name,
            ])
            .stdout(file)
            .status()
            .unwrap();
        assert!(status.success());
    }
    let row = "n,expected_exact\n6,4\n";
    assert_eq!(
        fs::read_to_string(&log).unwrap(),
        format!("before\n{row}{row}")
    );
    assert_eq!(names(folder.path()), ["log"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_of_the_file_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
    fs::write(&file, "before").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", &link).unwrap();
    let run = format!("cost 1..9 --columns n --format csv -o {}", link.display());
    stdout(&run);
    assert!(fs::read(&file).unwrap().starts_with(b"n\n1\n"));
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(names(folder.path()), ["file", "link"]);
}

/// The code for each set of vector instructions of this processor, and the portable code, write the
/// same bytes. The requests cover every method: A136043 near 1, by class numbers or flips, and for
/// large n by L-functions; fractions whose divisors are found together or one by one; and orders by
/// powers of 2.
#[test]
fn every_code_path_gives_the_same_bytes() {
    for arguments in [
        "cost 1..60000 -a fast-dice-roller -c n,cycle_rounds --format b-file",
        "cost 30000000..30000060 -a fast-dice-roller -c n,cycle_rounds",
        "cost 1000000000..1000000060 -a fast-dice-roller -c n,cycle_rounds",
        "cost 1..4000 -a fast-dice-roller -c n,expected_exact",
        "cost 1000003 -a fast-dice-roller -c expected_exact --format csv",
        "cost 900000..1000000 -a fast-dice-roller -c n,period --format b-file",
    ] {
        let whole = stdout(arguments);
        for path in ["avx512", "avx2", "neon", "popcnt", "portable"] {
            let output = support::flipcost(arguments)
                .env("FLIPCOST_LANES", path)
                .output()
                .unwrap();
            assert!(output.stdout == whole, "{arguments} by {path}");
        }
    }
}
