//! Files of sweeps: formats, interrupted and resumed runs, and files that are in the way.

use crate::support::{Folder, PROGRAM, check_table, flipcost, refusal, run, stdout};
use std::fs::{self, File};
use std::process::{Command, Stdio};

/// Starts a run that writes a file, and kills it as soon as this many bytes are written. Returns
/// whether it was still running.
fn killed(arguments: &str, file: &str, bytes: u64) -> bool {
    let mut child = Command::new(PROGRAM)
        .args(arguments.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let part = format!("{file}.part");
    let reached = || fs::metadata(&part).is_ok_and(|part| part.len() >= bytes);
    while !reached() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
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
    let folder = Folder::new();
    let file = folder.path("long");
    for format in ["csv", "jsonl"] {
        let line = format!("{LONG} --format {format}");
        let whole = stdout(&line);
        let length = whole.len() as u64;
        // kills the run at the start, then resumes it and kills it at later and later points
        let places = [0, length / 100, length / 5, length / 2, length * 4 / 5];
        let kills = places.map(|bytes| killed(&format!("{line} -o {file} --resume"), &file, bytes));
        let running = kills.into_iter().filter(|running| *running).count();
        assert!(running >= 3, "{line}: {kills:?}");
        stdout(&format!("{line} -o {file} --resume"));
        assert!(folder.read("long") == whole, "{line}: {kills:?}");
        assert_eq!(folder.names(), ["long"]);
        fs::remove_file(&file).unwrap();
    }
}

/// The files of a run that was killed in the middle. They are made from the files of a complete
/// run.
struct KilledRun {
    folder: Folder,
    whole: String,
}

const SHORT: &str = "cost 3..3000 --columns n,period -a fast-dice-roller --format csv";
const FILE: &str = "f.csv";
const PART: &str = "f.csv.part";
const JOURNAL: &str = "f.csv.part.journal";

impl KilledRun {
    /// Makes the two files so that the journal ends at n = 500 and the partial file is longer.
    fn new() -> KilledRun {
        let (folder, whole) = (Folder::new(), stdout(SHORT));
        let bytes: usize = whole
            .split_inclusive('\n')
            .take(1 + 498)
            .map(str::len)
            .sum();
        let heading = format!(
            "{{\"flipcost\":\"{}\",\"format\":\"csv\",\"header\":\"n,period\\n\",\"rows\":2998,\"query\":{}}}\n",
            env!("CARGO_PKG_VERSION"),
            stdout(&format!("--query {SHORT}")).trim_end()
        );
        let reached = |rows: u64, bytes: usize| {
            let mut crc = crc32fast::Hasher::new();
            crc.update(&whole.as_bytes()[..bytes]);
            crc.update(&rows.to_le_bytes());
            let crc = crc.finalize();
            format!("{{\"done\":{rows},\"bytes\":{bytes},\"crc32\":{crc}}}\n")
        };
        // the second line of progress is cut off, so the first is the last complete one
        let torn = &reached(898, whole.len())[..20];
        folder.write(JOURNAL, &format!("{heading}{}{torn}", reached(498, bytes)));
        folder.write(PART, &(whole[..bytes].to_string() + "501,gar"));
        KilledRun { folder, whole }
    }

    fn line(&self, more: &str) -> String {
        format!("{SHORT} -o {} {more}", self.folder.path(FILE))
    }

    fn files(&self) -> [Vec<u8>; 2] {
        [PART, JOURNAL].map(|name| fs::read(self.folder.path(name)).unwrap())
    }

    /// Runs the program to the end, and checks that only the complete file is left.
    fn ends_whole(&self, more: &str) {
        stdout(&self.line(more));
        assert!(self.folder.read(FILE) == self.whole);
        assert_eq!(self.folder.names(), [FILE]);
    }
}

/// After a power cut, the partial file can have content while the journal is empty. A scheduler
/// that always passes `--resume` must then still be able to start the run, and the old file must be
/// kept. A journal that is cut off after its first line still says how much of the partial file is
/// complete, or that nothing is.
#[test]
fn a_run_begins_again_if_its_journal_is_missing_or_cut() {
    let journal = KilledRun::new().folder.read(JOURNAL);
    let first = journal.find('\n').unwrap();
    for cut in [None, Some(0), Some(1), Some(first / 2), Some(first)] {
        let left = KilledRun::new();
        let part = left.folder.read(PART);
        match cut {
            None => fs::remove_file(left.folder.path(JOURNAL)).unwrap(),
            Some(cut) => drop(left.folder.write(JOURNAL, &journal[..cut])),
        }
        let refused = refusal(&left.line(""));
        assert!(refused.contains("is in the way"), "{cut:?}: {refused}");
        stdout(&left.line("--resume"));
        assert!(left.folder.read(FILE) == left.whole, "{cut:?}");
        assert_eq!(left.folder.names(), [FILE, "f.csv.part.1"]);
        assert!(left.folder.read("f.csv.part.1") == part);
    }
    for cut in [
        first + 1,
        first + 2,
        journal.len() - 20,
        journal.len() - 1,
        journal.len(),
    ] {
        let left = KilledRun::new();
        left.folder.write(JOURNAL, &journal[..cut]);
        left.ends_whole("--resume");
    }
}

#[test]
fn changed_files_are_not_continued() {
    let in_journal = [
        ("\"done\":498", "\"done\":499"),
        ("\"done\":498", "\"done\":99999"),
        ("\"done\":498", "\"done\":1"),
        ("\"bytes\":", "\"bytes\":0,\"x\":"),
        ("\"crc32\":", "\"crc32\":0,\"x\":"),
    ];
    let in_part = [("n,period", "N,period"), ("3,2\n", "3,4\n")];
    let all = in_part.map(|change| (PART, change)).into_iter();
    for (name, (from, to)) in all.chain(in_journal.map(|change| (JOURNAL, change))) {
        let left = KilledRun::new();
        let text = left.folder.read(name);
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        left.folder.write(name, &changed);
        let before = left.files();
        let sentence = refusal(&left.line("--resume"));
        assert!(
            sentence.contains("does not match its journal any more"),
            "{to}: {sentence}"
        );
        assert!(before == left.files());
        left.ends_whole("");
    }
}

/// Without `--resume` a run begins again; also if the partial file has fewer bytes than the journal
/// counts, or if the complete file was renamed but the journal not removed.
#[test]
fn a_run_begins_again_without_resume_or_a_usable_journal() {
    let left = KilledRun::new();
    left.ends_whole("");
    left.ends_whole("--resume"); // there is nothing to continue
    let left = KilledRun::new();
    left.folder.write(PART, "n,per");
    left.ends_whole("--resume");
    let left = KilledRun::new();
    fs::remove_file(left.folder.path(PART)).unwrap();
    left.ends_whole("--resume");
}

#[test]
fn files_of_another_request_are_not_touched() {
    let left = KilledRun::new();
    let (before, resume) = (left.files(), left.line("--resume"));
    for (line, names) in [
        (
            resume.replace("3000", "3001"),
            "target is \"3..3000\" and not \"3..3001\"",
        ),
        (resume.replace("period", "preperiod"), "columns"),
        (left.line("--resume --source 6"), "source"),
        (resume.replace("csv -o", "jsonl -o"), "format"),
    ] {
        let sentence = refusal(&line);
        assert!(
            sentence.contains(names) && sentence.contains(PART),
            "{line}: {sentence}"
        );
    }
    assert!(before == left.files());
    // the user's own files have the names of the journal and the partial file
    left.folder.write(JOURNAL, "Dear diary,\n");
    for more in ["", "--resume"] {
        assert!(refusal(&left.line(more)).contains("in the way"));
    }
    fs::remove_file(left.folder.path(JOURNAL)).unwrap();
    assert!(refusal(&left.line("")).contains("in the way"));
    assert!(before[0] == fs::read(left.folder.path(PART)).unwrap());
}

#[test]
fn two_runs_do_not_write_one_file() {
    let left = KilledRun::new();
    let part = File::open(left.folder.path(PART)).unwrap();
    part.lock().unwrap();
    for more in ["", "--resume"] {
        assert!(refusal(&left.line(more)).contains("another run"));
    }
    drop(part);
    left.ends_whole("--resume");
}

#[test]
fn files_that_cannot_be_continued_get_one_sentence() {
    let folder = Folder::new();
    let (file, sweep) = (folder.path("x"), "! cost 1..9 --columns n");
    check_table(&format!(
        "{sweep} --resume => --output
{sweep} --resume -o /dev/null => device
{sweep} --resume --format table -o {file} => --format table
{sweep} --resume -f latex -o {file} => --resume does not work with --format latex
{sweep} --resume -o {file}.json => does not work with --format json
{sweep} --resume -o {file} --sources 2..3 => one range of fair dice from one source
{sweep} -o {} => directory
{sweep} -o {file}/y => cannot write",
        folder.path("")
    ));
    assert!(folder.names().is_empty());
}

/// The extension of a file chooses the format of its rows, unless `--format` does. A note says that
/// a file was replaced.
#[test]
fn file_extensions_select_formats() {
    let folder = Folder::new();
    for line in [
        "cost 6 -c algorithm,expected_exact",
        "cost 5..7 -c n,expected",
    ] {
        for (name, more, format) in [
            ("a.csv", "", "csv"),
            ("a.json", "", "json"),
            ("a.jsonl", "", "jsonl"),
            ("a.MD", "", "markdown"),
            ("a.tex", "", "latex"),
            ("a.txt", "", "csv"),
            ("b.json", "-f csv", "csv"),
        ] {
            stdout(&format!("{line} {more} -o {}", folder.path(name)));
            assert_eq!(
                folder.read(name),
                stdout(&format!("{line} -f {format}")),
                "{name}"
            );
        }
    }
    for (line, begin) in [("cost 6", "n,source,"), ("sequence A136043", "n,a\n1,1\n")] {
        let line = format!("{line} -o {}", folder.path("new.csv"));
        assert!(!run(&line).2.contains("replaced: "), "{line}");
        assert!(run(&line).2.contains("replaced: "), "{line}");
        assert!(folder.read("new.csv").starts_with(begin));
        fs::remove_file(folder.path("new.csv")).unwrap();
    }
}

/// worst_case is an integer for n = 1, 2 and unbounded for n = 3: the run fails after it has
/// written some rows.
#[test]
fn a_failed_run_keeps_the_old_file() {
    let folder = Folder::new();
    let file = folder.write("rounds.txt", "good");
    let line = "cost 1..9 --format b-file --columns";
    refusal(&format!("{line} worst_case -a interval -o {file}"));
    assert_eq!(folder.read("rounds.txt"), "good");
    assert_eq!(folder.names().len(), 1);
    stdout(&format!("{line} cycle_rounds -o {file}"));
    let wanted = "1 1\n2 1\n3 1\n4 1\n5 2\n6 1\n7 1\n8 1\n9 3\n";
    assert_eq!(folder.read("rounds.txt"), wanted);
}

/// If the output path is that of standard output, the rows go to wherever standard output leads,
/// even if that is a file.
#[cfg(unix)]
#[test]
fn standard_output_can_be_named_by_its_path() {
    let folder = Folder::new();
    let log = folder.write("log", "before\n");
    for name in ["/dev/stdout", "/dev/fd/1"] {
        let file = fs::OpenOptions::new().append(true).open(&log).unwrap();
        let line = format!("cost 6 -a interval -c n,expected_exact -f csv -o {name}");
        let mut command = Command::new(PROGRAM);
        let status = command.args(line.split(' ')).stdout(file).status().unwrap();
        assert!(status.success());
    }
    let row = "n,expected_exact\n6,4\n";
    assert_eq!(folder.read("log"), format!("before\n{row}{row}"));
    assert_eq!(folder.names(), ["log"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_of_the_file_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let (file, link) = (folder.write("file", "before"), folder.path("link"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", &link).unwrap();
    stdout(&format!("cost 1..9 --columns n --format csv -o {link}"));
    assert!(folder.read("file").starts_with("n\n1\n"));
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(folder.names(), ["file", "link"]);
}

#[cfg(unix)]
#[test]
fn other_files_are_not_taken_for_a_part() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let file = folder.path(FILE);
    let sweep = |more: &str| refusal(&format!("cost 1..50 -o {file} {more}"));
    let pipe = |name: &str| {
        let made = Command::new("mkfifo").arg(folder.path(name)).status();
        assert!(made.unwrap().success());
    };
    let remove = |name: &str| fs::remove_file(folder.path(name)).unwrap();
    pipe(JOURNAL);
    for more in ["", "--resume"] {
        assert!(sweep(more).contains("f.csv.part.journal\": it is a link, a pipe"));
        assert_eq!(folder.names(), [JOURNAL]);
    }
    remove(JOURNAL);
    folder.write("precious", "");
    for (name, why) in [(PART, "in the way"), (JOURNAL, "it is a link")] {
        symlink(folder.path("precious"), folder.path(name)).unwrap();
        for more in ["", "--resume"] {
            assert!(sweep(more).contains(why));
        }
        assert_eq!(folder.read("precious"), "");
        remove(name);
    }
    pipe(PART);
    assert!(sweep("--resume").contains("in the way"));
    remove(PART);
    pipe(FILE);
    assert!(sweep("--resume").contains("is a device or a pipe"));
    remove(FILE);
    symlink(FILE, &file).unwrap();
    assert!(sweep("").contains("does not lead to a file"));
    let compare = refusal(&format!("cost 2..20 --sources 2,6 --best -o {file}"));
    assert!(compare.contains("does not lead to a file"));
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
}

/// A run that has renamed its complete file removes the journal while it still holds the lock on
/// it, so that it cannot remove the journal of the next run.
#[test]
fn a_run_waits_until_the_last_run_removed_its_journal() {
    let folder = Folder::new();
    let last = File::create(folder.path(JOURNAL)).unwrap();
    last.lock().unwrap();
    let file = folder.path(FILE);
    let mut next = Command::new(PROGRAM)
        .args(["cost", "1..50", "-o", &file])
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(next.try_wait().unwrap().is_none(), "it waits");
    fs::remove_file(folder.path(JOURNAL)).unwrap();
    drop(last);
    assert!(next.wait().unwrap().success());
    assert_eq!(folder.read(FILE).lines().count(), 1 + 50 * 9);
    assert_eq!(folder.names(), [FILE]);
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
            let output = flipcost(arguments)
                .env("FLIPCOST_LANES", path)
                .output()
                .unwrap();
            assert!(output.stdout == whole.as_bytes(), "{arguments} by {path}");
        }
    }
}
