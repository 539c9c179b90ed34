//! Builds whole command lines, and whole questions of the page. They are made from bytes and from
//! the program's own descriptions: every command, every argument and every listed value. So new
//! commands and arguments are covered automatically.
//!
//! Other values are natural numbers of up to many thousand digits, at and beyond the edges of
//! machine words, and meaningless texts. Ranges are short and counts are small, so that no line
//! needs hours of real work.

use clap::{Arg, ArgAction, Command};
use flipcost_cli::commands;
use flipcost_number::budget::Budget;
use flipcost_question::{Arity, Description, FieldAbout};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Duration;

/// The longest time that a line may take in this test.
const MAX_TIME: Duration = Duration::from_secs(20);

const SMALL_NUMBERS: &[&str] = &[
    "0", "1", "2", "3", "6", "7", "8", "12", "20", "97", "100", "1000", "2570", "65537",
];
const EDGE_NUMBERS: [u128; 5] = [1 << 32, 1 << 53, 1 << 63, 1 << 64, 1 << 127];
const LARGE_NUMBERS: &[&str] = &[
    "10^18+9",
    "52!",
    "2^256",
    "3^200",
    "10^100",
    "10^1000",
    "10^5000",
    "2^20000",
    "2^70000-1",
    "10^100000",
    "10^100000+7",
    "10^1000000",
    "400000!",
    "9^5290000",
    "2^16777215",
    "2^128+1",
];
const WEIGHTS: &[&str] = &[
    "4:7:8",
    "1:10^18",
    "1:10^5000",
    "1/3:2/3",
    "1:2^70000",
    "3d6",
    "doubles:0.1,0.9",
    "1:0:1",
    "0:0",
    "1/10^3000:1/3",
    "doubles:1e-300,1",
    "1:2:3:4:5:6:7",
    "binomial:10,1/3",
    "200d6",
    "4d6ro1kh3",
    "min(3d6!!kh2, 20)",
    "5d10cs>=8",
    "d6! >= 10 and 2d6 != 7",
    "d6!",
    "10^9d2",
    "1:",
    ":",
];
const NONSENSE: &[&str] = &[
    "",
    " ",
    "-1",
    "1e6",
    "1.5",
    "10^^6",
    "2^2^2^2^2^2",
    "333352!!",
    "\x1b[31mred",
    "a\nb",
    "\u{202e}red",
    "٣",
    "inf",
    "nan",
    "0x10",
    "1/0",
    "--",
    "é\u{301}",
    "18446744073709551616",
    "6,6",
    "..",
    "5..3",
    "1..2^64",
];
const REALS: &[&str] = &[
    "1/29",
    "e",
    "pi",
    "sqrt(2)",
    "ln(2)",
    "pi^889",
    "e-2",
    "1/(2^127-1)",
    "10^400000/3",
    "0",
    "pi-pi",
];
const DICE: &[&str] = &[
    "6",
    "6,10",
    "polyhedral",
    "2,3",
    "4294967296",
    "4294967297",
    "6,6",
    "2^32,2^31",
];
const RANGES: &[&str] = &[
    "2..9",
    "6,10",
    "2..3,5",
    "1",
    "9..2",
    "2..300",
    "0..3",
    "2^64-2..2^64-1",
];
const COUNTS: &[&str] = &[
    "0", "1", "2", "5", "17", "100", "1000", "-1", "x", "2^64", "10^30",
];
const SEQUENCES: &[&str] = &[
    "A136043",
    "A000001",
    "cycle-rounds:source=2",
    "mr-period:base=3",
    "expected-numerator",
    "toll-records",
    "no-such",
    "mr-period:base=0",
    "cycle-rounds:source=2^70",
];
const ALGORITHMS: &[&str] = &[
    "fast-dice-roller",
    "rejection",
    "interval",
    "base-conversion-early",
    "factoring",
    "recycling",
    "x",
];
const SENTENCES: &[&str] = &[
    "expected < log2(n) + 2",
    "toll = 0",
    "n",
    "expected <",
    "cost(6).expected = 11/3",
    "toll > 10^100000",
    "1/0 = 1",
];

/// Files that `fuzz/soak.py` puts into the folder of a line, and paths at which no file can exist.
pub const FILES: &[&str] = &[
    "b.txt",
    "marked.txt",
    "noise",
    "empty",
    "study.toml",
    "deep.toml",
    "asks.jsonl",
    "missing",
    ".",
    "no/such/place",
    "out.csv",
    "out.svg",
    "out.png",
    "/dev/full",
    "/dev/null",
];

/// Choices made by the bytes: each byte makes two choices, and after the last byte all choices are
/// zero.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn choose_below(&mut self, most: usize) -> usize {
        let (two, rest) = self.0.split_at(self.0.len().min(2));
        self.0 = rest;
        two.iter()
            .fold(0, |all, byte| all * 256 + usize::from(*byte))
            % most
    }

    fn happens_in_percent(&mut self, percent: usize) -> bool {
        self.choose_below(100) < percent
    }

    fn choose_word(&mut self, words: &[&str]) -> String {
        words[self.choose_below(words.len())].to_string()
    }

    fn choose_nonsense(&mut self) -> String {
        match self.choose_below(8) {
            0 => "(".repeat(60) + "1",
            1 => "9".repeat(5000),
            2 => "x".repeat(3000),
            3 => ["400000!"; 200].join("+"),
            _ => self.choose_word(NONSENSE),
        }
    }

    fn choose_natural(&mut self) -> String {
        match self.choose_below(20) {
            0..9 => self.choose_word(SMALL_NUMBERS),
            9..12 => {
                (EDGE_NUMBERS[self.choose_below(5)] + self.choose_below(5) as u128 - 2).to_string()
            }
            12..16 => self.choose_word(LARGE_NUMBERS),
            16..18 => self.choose_word(WEIGHTS),
            _ => self.choose_nonsense(),
        }
    }

    /// Returns a value for an argument with this name in the help of the command.
    fn choose_value(&mut self, command: &str, name: &str, listed: &[String]) -> String {
        if !listed.is_empty() && self.happens_in_percent(93) {
            return listed[self.choose_below(listed.len())].clone();
        }
        if self.happens_in_percent(4) {
            return self.choose_nonsense();
        }
        match name.to_uppercase().as_str() {
            "FILE" | "FOLDER" | "STUDY" => self.choose_word(FILES),
            "DICE" => self.choose_word(DICE),
            "X" => {
                let all = [REALS, SMALL_NUMBERS, LARGE_NUMBERS][self.choose_below(3)];
                self.choose_word(all)
            }
            "K" | "D" | "T" | "J" | "J/K" => self.choose_word(COUNTS),
            "I/K" => self.choose_word(&["1/1", "2/3", "3/2", "0/1", "1/0", "1000000/1000000", "x"]),
            "TERMS" if self.happens_in_percent(10) => "1,".repeat(3000) + "1",
            "TERMS" => self.choose_word(&["1,1,2,3,5,8", "1", "1,-1,1,-1", "x", ","]),
            "Q" | "QUANTILES" => {
                self.choose_word(&["1/2", "0.9,0.99", "1", "0", "2", "1-1/10^300", "x"])
            }
            "ROLLS" if self.happens_in_percent(10) => "H".repeat(3000),
            "ROLLS" => self.choose_word(&["HTHTTHTHHT", "H", "1,2,3", "9", ""]),
            "PRICES" => self.choose_word(&["6=2", "10=1/2,6=0", "6=-1", "x", "7=1"]),
            "CLAIM" | "STATEMENT" | "EXPRESSION" => self.choose_word(SENTENCES),
            "ID" if command.starts_with("sequence") || command.starts_with("oeis") => {
                self.choose_word(SEQUENCES)
            }
            "ID" => self.choose_word(ALGORITHMS),
            "A-NUMBER" => "x".to_string(), // so that nothing is downloaded
            "M" => self.choose_word(&[
                "2", "3", "6", "10", "2^32", "2^32+1", "1", "0", "2..5", "6,10",
            ]),
            "N" if command == "cost" && self.happens_in_percent(20) => self.choose_word(RANGES),
            _ => self.choose_natural(),
        }
    }

    /// Chooses a short range.
    fn choose_range(&mut self) -> (u64, u64) {
        let starts = [
            1,
            1,
            2,
            1000,
            1_000_000,
            (1 << 32) - 3,
            1 << 53,
            u64::MAX - 8,
        ];
        let first = starts[self.choose_below(starts.len())];
        (first, first + self.choose_below(9) as u64)
    }
}

/// Collects the commands that end without a stop by the user, with their names. These are all
/// commands except the page.
fn collect_commands(command: &Command, name: &str, all: &mut Vec<(String, Command)>) {
    for below in command.get_subcommands() {
        let word = below.get_name();
        if !matches!(word, "help" | "explore") {
            collect_commands(below, format!("{name} {word}").trim_start(), all);
        }
    }
    let acts = command
        .get_arguments()
        .any(|argument| !is_help_or_unlimited(argument));
    if acts || !command.has_subcommands() {
        all.push((name.to_string(), command.clone()));
    }
}

/// Returns whether an argument asks for help, or removes the limits of a run.
fn is_help_or_unlimited(argument: &Arg) -> bool {
    argument.is_global_set() || matches!(argument.get_id().as_str(), "help" | "version" | "query")
}

/// Returns a command line without the program's name. Its files are in `folder`.
pub fn random_command_line(bytes: &[u8], folder: &Path) -> Vec<String> {
    let mut choices = Choices(bytes);
    let mut all = Vec::new();
    collect_commands(&commands::command(), "", &mut all);
    all.retain(|(name, _)| !name.is_empty());
    let (name, command) = &all[choices.choose_below(all.len())];
    let mut line: Vec<String> = name.split(' ').map(String::from).collect();
    if choices.happens_in_percent(2) {
        line.insert(0, "--query".to_string());
    }
    let named = |long: &str| {
        command
            .get_arguments()
            .any(|argument| argument.get_long() == Some(long))
    };
    let ranged = named("from") && named("to");
    for argument in command
        .get_arguments()
        .filter(|argument| !is_help_or_unlimited(argument))
    {
        let long = argument.get_long();
        if ranged && matches!(long, Some("from" | "to")) {
            continue;
        }
        let often = match long {
            None => 97,
            Some("dice" | "output" | "algorithm" | "to") => 50,
            Some(_) => 20,
        };
        if !choices.happens_in_percent(often) {
            continue;
        }
        line.extend(long.map(|long| format!("--{long}")));
        if matches!(argument.get_action(), ArgAction::Set | ArgAction::Append) {
            let called = argument.get_value_names().and_then(|names| names.first());
            let listed: Vec<String> = (argument.get_possible_values().iter())
                .map(|value| value.get_name().to_string())
                .collect();
            let value = choices.choose_value(name, called.map_or("", |called| called), &listed);
            line.push(if FILES.contains(&value.as_str()) {
                folder.join(value).to_string_lossy().into_owned()
            } else {
                value
            });
        }
    }
    if ranged && choices.happens_in_percent(90) {
        let (first, last) = choices.choose_range();
        let bounds = [
            "--from".to_string(),
            first.to_string(),
            "--to".to_string(),
            last.to_string(),
        ];
        line.extend(bounds);
    }
    line.iter().map(|word| word.replace('\0', "")).collect()
}

/// Returns a question as one line of JSON.
pub fn random_question(bytes: &[u8]) -> String {
    let mut choices = Choices(bytes);
    let all = flipcost_all::descriptions();
    let Description {
        ask,
        command,
        fields,
        ..
    } = all[choices.choose_below(all.len())];
    let mut object = Map::from_iter([("ask".to_string(), json!(ask))]);
    let ranged = ["from", "to"]
        .iter()
        .all(|name| fields.iter().any(|field| field.name == *name));
    for field in fields {
        let often = if field.usual == flipcost_question::FieldDefault::Required {
            97
        } else {
            20
        };
        if !(ranged && matches!(field.name, "from" | "to")) && choices.happens_in_percent(often) {
            object.insert(
                field.name.to_string(),
                random_json(&mut choices, command, field),
            );
        }
    }
    if ranged && choices.happens_in_percent(90) {
        let (first, last) = choices.choose_range();
        object.insert("from".to_string(), json!(first));
        object.insert("to".to_string(), json!(last));
    }
    if choices.happens_in_percent(2) {
        object.insert(choices.choose_nonsense(), json!(choices.choose_nonsense()));
    }
    Value::Object(object).to_string()
}

fn random_json(choices: &mut Choices, command: &str, field: &FieldAbout) -> Value {
    if choices.happens_in_percent(2) {
        return [
            json!(null),
            json!(1.5),
            json!([[]]),
            json!({}),
            json!(-1),
            json!(false),
        ][choices.choose_below(6)]
        .clone();
    }
    let listed: Vec<String> = (field.value.choices)()
        .iter()
        .map(|choice| choice.name.to_string())
        .collect();
    let mut text = || json!(choices.choose_value(command, field.argument.value, &listed));
    match field.value.shape {
        Arity::Flag => json!(true),
        Arity::One => text(),
        Arity::Several => json!([text()]),
    }
}

/// Checks that a command line ends and does not panic. The output is discarded by the script that
/// runs the fuzzer.
pub fn line(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let words = random_command_line(bytes, folder.path());
    let all = ["flipcost".to_string()]
        .into_iter()
        .chain(words)
        .map(Into::into);
    let _ = Budget::default()
        .timeout(MAX_TIME)
        .run(|| commands::run(all));
    check_page_question(bytes);
}

/// Checks that a question of the page ends with an answer or with one sentence.
fn check_page_question(bytes: &[u8]) {
    let control = flipcost_question::Control::default().with_time(MAX_TIME);
    let reply = flipcost_page::reply(
        &random_question(bytes),
        flipcost_page::Form::Answer,
        &control,
    );
    let told: Value = serde_json::from_slice(&reply.body).expect("JSON");
    assert!(reply.is_answered() || told["error"].is_string());
}
