//! Helpers that the tests of the program share.

pub mod queries;

use assert_cmd::Command;
use std::path::PathBuf;
use std::process::Output;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_flipcost");

/// Returns the root folder of the project.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Splits a command line into words as a shell does, with single and double quotes.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut quote) = (Vec::new(), None);
    let mut word: Option<String> = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(mark), _) if mark == letter => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Prepares the program with the arguments of this line.
pub fn flipcost(line: &str) -> Command {
    let mut command = Command::cargo_bin("flipcost").unwrap();
    command.args(words(line));
    command
}

/// Runs the program; returns exit status, stdout and stderr.
pub fn run(line: &str) -> (i32, String, String) {
    let output = flipcost(line).output().unwrap();
    let status = output.status.code().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    (status, said, errors(output.stderr))
}

/// Returns the text of stderr, without the note about a long run, which may appear on a busy
/// machine.
pub fn errors(stderr: Vec<u8>) -> String {
    let printed = String::from_utf8(stderr).unwrap();
    let lines = printed.split_inclusive('\n');
    (lines.filter(|line| !line.starts_with("note: this takes"))).collect()
}

/// Returns the output and the notes of a run that succeeds.
pub fn output(line: &str) -> (String, String) {
    let (status, said, notes) = run(line);
    assert_eq!(status, 0, "{line}: {notes}");
    (said, notes)
}

pub fn stdout(line: &str) -> String {
    output(line).0
}

pub fn notes(line: &str) -> String {
    output(line).1
}

/// Returns the error for bad input: exit status 2, nothing on stdout, one line on stderr.
pub fn refusal(line: &str) -> String {
    let output = flipcost(line).output().unwrap();
    assert!(output.stdout.is_empty(), "{line}");
    sentence(line, output)
}

/// Checks for exit status 2 and one error on stderr, apart from tips and the question that was
/// understood.
pub fn sentence(line: &str, output: Output) -> String {
    let sentence = errors(output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}: {sentence}");
    let besides = ["  tip: ", "note: this asks `"];
    let said = sentence
        .lines()
        .filter(|line| !besides.iter().any(|begin| line.starts_with(begin)));
    assert_eq!(said.count(), 1, "{line}: {sentence}");
    sentence
}

/// Checks a table of command lines: each row is a line, ` => `, and texts with ` & ` between them,
/// all of which must be shown. A text after `~` must be absent, and `\n` in a text ends a line.
pub fn check_shown(table: &str, show: impl Fn(&str) -> String) {
    let mut wrong = Vec::new();
    let rows = table
        .lines()
        .filter(|row| !row.is_empty() && !row.starts_with('#'));
    for row in rows {
        let (line, wanted) = row.split_once(" =>").unwrap();
        let shown = format!("\n{}", show(line));
        let is_right = |text: &str| {
            let text = text.replace("\\n", "\n");
            match text.strip_prefix('~') {
                Some(absent) => !shown.contains(absent),
                None => shown.contains(&text),
            }
        };
        let wanted = wanted.strip_prefix(' ').unwrap_or_default();
        if !wanted.split(" & ").all(is_right) {
            wrong.push(format!("{row}:{shown}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks such a table with the rows and the notes of each line. A line after `! ` must be refused.
pub fn check_table(table: &str) {
    check_shown(table, |line| match line.strip_prefix("! ") {
        Some(line) => refusal(line),
        None => {
            let (rows, notes) = output(line);
            format!("{rows}{notes}")
        }
    });
}

/// Checks a table with two command lines and ` == ` in each row, which must write the same.
pub fn check_equal(table: &str) {
    for row in table.lines().filter(|row| !row.is_empty()) {
        let (one, other) = row.split_once(" == ").unwrap();
        assert_eq!(stdout(one), stdout(other), "{row}");
    }
}

/// Returns the rows of CSV as cells of these columns.
pub fn cells<const N: usize>(line: &str, names: [&str; N]) -> Vec<[String; N]> {
    let text = stdout(&format!("{line} -f csv"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().unwrap().clone();
    let place = |name| {
        let found = head.iter().position(|column| column == name);
        found.unwrap_or_else(|| panic!("{line} has no column {name}"))
    };
    let places = names.map(place);
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| places.map(|at| row[at].to_string()))
        .collect()
}

/// Returns one column of the rows.
pub fn column(line: &str, name: &str) -> Vec<String> {
    cells(line, [name]).concat()
}

/// A folder for files, which is removed at the end.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        self.path(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    /// Returns the names of its files in order.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }
}
