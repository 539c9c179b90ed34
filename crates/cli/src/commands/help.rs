//! The help of `flipcost` in addition to the arguments: the commands by purpose, and examples.

use clap::{Arg, ArgAction, Command};
use flipcost_question::QuestionPurpose;
use flipcost_terminal::question;
use std::fmt::Write;

/// The purposes in order, each with its title and an example.
const PURPOSE_GROUPS: [(QuestionPurpose, &str, &str); 7] = [
    (
        QuestionPurpose::Table,
        "At the table",
        "flipcost plan 7 --dice 2,6",
    ),
    (QuestionPurpose::Numbers, "Exact numbers", "flipcost cost 6"),
    (
        QuestionPurpose::Libraries,
        "Machine words and libraries",
        "flipcost libraries python",
    ),
    (
        QuestionPurpose::Sequences,
        "Integer sequences and the OEIS",
        "flipcost sequence A136043",
    ),
    (
        QuestionPurpose::Pictures,
        "Pictures and studies",
        "flipcost figure toll --to 1000 -o toll.svg",
    ),
    (
        QuestionPurpose::Models,
        "Models for model checkers",
        "flipcost export prism 6",
    ),
    (
        QuestionPurpose::Reference,
        "Reference and other programs",
        "flipcost list words toll",
    ),
];

/// The commands that most people need.
const USUAL_COMMANDS: [&str; 12] = [
    "cost",
    "plan",
    "roll",
    "shuffle",
    "law",
    "advise",
    "libraries",
    "bias",
    "supply",
    "sequence",
    "figure",
    "explore",
];

/// The commands that do not ask a question.
const OTHER_COMMANDS: [(QuestionPurpose, &str); 7] = [
    (QuestionPurpose::Pictures, "explore"),
    (QuestionPurpose::Pictures, "figure"),
    (QuestionPurpose::Pictures, "reproduce"),
    (QuestionPurpose::Reference, "ask"),
    (QuestionPurpose::Reference, "completions"),
    (QuestionPurpose::Reference, "man"),
    (QuestionPurpose::Reference, "help"),
];

/// The commands of a purpose: first those that ask questions, then the others.
fn commands_of_purpose(purpose: QuestionPurpose) -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    let questions = flipcost_all::descriptions().into_iter();
    for question in questions.filter(|question| question.purpose == purpose) {
        let name = question.command.split(' ').next().unwrap_or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let others = OTHER_COMMANDS.iter().filter(|(of, _)| *of == purpose);
    names.extend(others.map(|(_, name)| *name));
    names
}

/// The examples of each command.
pub fn examples() -> Vec<(&'static str, Vec<&'static str>)> {
    let asked = question::commands().into_iter().map(|name| {
        let lines = question::questions_of_command(name).flat_map(|question| question.examples);
        (name, lines.copied().collect())
    });
    let others = OTHER_EXAMPLES
        .iter()
        .map(|(name, lines)| (*name, lines.to_vec()));
    asked.chain(others).collect()
}

/// Examples of the commands that do not ask a question.
const OTHER_EXAMPLES: &[(&str, &[&str])] = &[
    ("toll", &["toll extremes --to 1000 --parts 8"]),
    ("rule", &["rule new", "rule check my.rhai --targets 2..20"]),
    ("list", &["list algorithms interval", "list words toll"]),
    ("list words", &["list words", "list words toll"]),
    ("list studies", &["list studies"]),
    ("explore", &["explore --open", "explore --port 0"]),
    (
        "oeis",
        &[
            "oeis check A136043",
            "oeis identify 1,2,1,2,1,1,2",
            "oeis identify 1,1,1,1,2,_,1,1,3",
            "oeis extend A136043 b136043.txt --terms 1000 -o longer.txt",
            "oeis draft cycle-rounds:source=3",
        ],
    ),
    (
        "oeis extend",
        &[
            "oeis extend A136043 b136043.txt",
            "oeis extend A136043 b136043.txt --terms 1000 -o longer.txt",
        ],
    ),
    ("oeis fetch", &["oeis fetch A136043 -o entries"]),
    (
        "figure",
        &[
            "figure toll --to 1000 -o toll.svg",
            "figure \"variance / expected\" -o ratio.svg",
            "figure toll --sources 2,3,6 -a fast-dice-roller -o tolls.svg",
            "figure --target 2 --source unknown:2 -o flips.svg",
        ],
    ),
    (
        "reproduce",
        &[
            "reproduce",
            "reproduce vitez",
            "reproduce --keys plot",
            "reproduce --keys example > mine.toml",
        ],
    ),
    (
        "ask",
        &[
            "ask queries.jsonl",
            "--query cost 6 | flipcost ask -",
            "ask - < queries.jsonl > answers.jsonl",
        ],
    ),
    ("completions", &["completions bash"]),
    ("man", &["man"]),
];

/// The text after the options in `flipcost help all`.
const HELP_NOTES: &str = "`flipcost d7 from d6,d10` asks what a d7 costs with these dice.\nNumbers may be written 1_000_000, 1e6, 10^18+9, 52!, \
    1/29, 2^-128, 0xff or 60%, dice d6 or coin.\nFaces count from 1: heads is face 1, tails is face 2.\nExit status: 0 done, 1 a check found a mismatch, 2 unusable input or output, 130 \
    interrupted.";

/// Returns the name of a command and its short description, folded to 80 columns.
fn command_summary(command: &Command, name: &str) -> String {
    let about = command
        .find_subcommand(name)
        .and_then(Command::get_about)
        .map(ToString::to_string)
        .unwrap_or("Print this message, the help of a command, or `help all`".to_string());
    let options = textwrap::Options::new(80)
        .initial_indent("  ")
        .subsequent_indent("              ");
    textwrap::fill(&format!("{name:10}  {about}"), options) + "\n"
}

/// The commands that most people need, and how to list the others.
fn format_usual_commands(command: &Command) -> String {
    let lines: String = USUAL_COMMANDS
        .iter()
        .map(|name| command_summary(command, name))
        .collect();
    format!(
        "The most used commands:\n{lines}\n`flipcost help all` lists all commands; `flipcost COMMAND --help` has examples.\n\n"
    )
}

/// All commands, by purpose.
fn format_groups(command: &Command) -> String {
    let mut text = String::new();
    for (purpose, title, example) in PURPOSE_GROUPS {
        writeln!(text, "{title} (for example, {example}):").expect(MEMORY_WRITE_NEVER_FAILS);
        for name in commands_of_purpose(purpose) {
            text += &command_summary(command, name);
        }
        text.push('\n');
    }
    text
}

const MEMORY_WRITE_NEVER_FAILS: &str = "memory takes every byte";

/// Adds examples to the help of the command at this path of subcommand names.
fn with_examples(command: Command, path: &[&str], examples: &str) -> Command {
    match path {
        // puts the text above the options, where readers see it at once
        [] => command.after_help(examples.to_string()).help_template(
            "{before-help}{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}",
        ),
        // the command may have been removed together with its package
        [name, ..] if command.find_subcommand(name).is_none() => command,
        [name, below @ ..] => {
            command.mut_subcommand(name, |sub| with_examples(sub, below, examples))
        }
    }
}

/// Descriptions of commands that exist only as groups of subcommands.
const GROUP_DESCRIPTIONS: [(&str, &str); 2] = [
    (
        "toll",
        "The toll of the optimal roller over all n: its extremes, distribution and oscillations; the largest toll from loaded dice",
    ),
    (
        "rule",
        "Your own rule: print one to start from, or check whether yours is fair and ends, and what it costs",
    ),
];

/// Adds help and examples to the command.
pub fn with_help(mut command: Command) -> Command {
    for (name, about) in GROUP_DESCRIPTIONS {
        if command.find_subcommand(name).is_some() {
            command = command.mut_subcommand(name, |group| group.about(about));
        }
    }
    for (name, lines) in examples() {
        let lines: Vec<String> = lines
            .iter()
            .map(|line| format!("  flipcost {line}"))
            .collect();
        let examples = format!("Examples:\n{}", lines.join("\n"));
        let path: Vec<&str> = name.split(' ').collect();
        command = with_examples(command, &path, &examples);
    }
    let list = format_usual_commands(&command);
    add_command_list(command, &list)
}

/// How detailed the help of a command is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HelpDetail {
    /// `-h`: what fits on a screen; options with a letter come first.
    Screen,
    /// `--help`: all options.
    Whole,
}

impl HelpDetail {
    /// Returns the kind of help that these words request, if they request help.
    pub fn requested_by(words: &[String]) -> Option<HelpDetail> {
        let has = |flag: &str| words.iter().any(|word| word == flag);
        match (has("--help"), has("-h")) {
            (true, _) => Some(HelpDetail::Whole),
            (_, true) => Some(HelpDetail::Screen),
            _ => None,
        }
    }

    fn max_examples(self) -> usize {
        match self {
            HelpDetail::Screen => 3,
            HelpDetail::Whole => 6,
        }
    }
}

/// The largest number of lines of `-h`.
const MAX_SCREEN_LINES: usize = 40;

/// The help lists the possible values of an argument only if it has at most this many.
const MAX_LISTED_VALUES: usize = 8;

/// Builds the help of the command that the words name.
pub fn add_help(command: Command, words: &[String], detail: HelpDetail) -> Command {
    let is_name = |word: &&String| command.find_subcommand(word.as_str()).is_some();
    let Some(name) = words.iter().find(is_name).cloned() else {
        return if command.get_name() == "flipcost" {
            command
        } else {
            add_detailed_help(command, detail)
        };
    };
    let at = words.iter().position(|word| *word == name).unwrap_or(0);
    let below = words[at + 1..].to_vec();
    let command = if detail == HelpDetail::Screen && command.get_name() == "flipcost" {
        let globals = ["no_pager", "yes"];
        globals.iter().fold(command, |command, id| {
            command.mut_arg(id, |global| global.hide(true))
        })
    } else {
        command
    };
    command.mut_subcommand(&name, |sub| add_help(sub, &below, detail))
}

fn add_detailed_help(command: Command, detail: HelpDetail) -> Command {
    let about = command
        .get_long_about()
        .or(command.get_about())
        .map(ToString::to_string);
    let paragraphs = match detail {
        HelpDetail::Screen => 1,
        HelpDetail::Whole => 2,
    };
    let about = about.unwrap_or_default();
    let about: Vec<&str> = about.split("\n\n").take(paragraphs).collect();
    let examples = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let examples: Vec<&str> = examples.lines().take(1 + detail.max_examples()).collect();
    let help = match detail {
        HelpDetail::Screen => "Print this; --help prints all options",
        HelpDetail::Whole => "Print this; -h prints a short version",
    };
    // asks clap for its short help, because its long help puts an empty line after each option
    let flag = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::HelpShort)
        .help(help);
    let mut command = command
        .about(about.join("\n\n"))
        .long_about(None)
        .after_help(examples.join("\n"))
        .disable_help_flag(true)
        .arg(flag)
        .mut_args(|argument| {
            let many = argument.get_possible_values().len() > MAX_LISTED_VALUES;
            argument.hide_possible_values(many)
        });
    if detail == HelpDetail::Screen {
        let lines = |command: &Command| {
            let mut narrow = command.clone().term_width(80);
            narrow.render_help().to_string().lines().count()
        };
        while lines(&command) > MAX_SCREEN_LINES {
            let is_rare = |argument: &&Arg| {
                !argument.is_hide_set()
                    && argument.get_short().is_none()
                    && !argument.is_positional()
                    && !argument.is_required_set()
            };
            let rare = command.get_arguments().filter(is_rare).last();
            let Some(id) = rare.map(|argument| argument.get_id().clone()) else {
                break;
            };
            command = command.mut_arg(id, |argument| argument.hide(true));
        }
    }
    command
}

/// Adds the text of `flipcost help all`: the help with all commands by purpose.
pub fn add_full_help(command: Command) -> Command {
    let list = format_groups(&command);
    add_command_list(command, &list)
}

fn add_command_list(command: Command, list: &str) -> Command {
    command
        .help_template(format!(
            "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}\n"
        ))
        .after_help(HELP_NOTES)
}

#[cfg(test)]
mod tests {
    use super::super::command;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_in_one_group_and_has_examples() {
        let all = command();
        let commands: BTreeSet<&str> = all.get_subcommands().map(Command::get_name).collect();
        let mut grouped: Vec<&str> = PURPOSE_GROUPS
            .iter()
            .flat_map(|group| commands_of_purpose(group.0))
            .collect();
        grouped.retain(|name| *name != "help");
        assert_eq!(grouped.len(), commands.len());
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), commands);
        let shown: BTreeSet<&str> = examples().into_iter().map(|(name, _)| name).collect();
        let actions = all.get_subcommands().flat_map(|sub| {
            let name = sub.get_name();
            let actions = (sub.get_subcommands()).map(clap::Command::get_name);
            actions.map(move |action| format!("{name} {action}"))
        });
        let mut wanted: BTreeSet<String> = actions.collect();
        wanted.extend(commands.into_iter().map(String::from));
        assert_eq!(shown, wanted.iter().map(String::as_str).collect());
    }

    #[test]
    fn every_example_is_a_command_line() {
        let lines = examples().into_iter().flat_map(|(_, lines)| lines);
        let lines = lines.map(|line| format!("flipcost {line}"));
        let groups = PURPOSE_GROUPS.iter().map(|group| group.2.to_string());
        for line in lines.chain(groups) {
            // splits the line into words; a quoted part is one word
            let parts = line.split('"').enumerate();
            let words = parts.flat_map(|(i, part)| match i % 2 {
                1 => vec![part],
                _ => part.split_whitespace().collect(),
            });
            let of_shell = |word: &&str| !["|", "<", ">"].contains(word);
            let parsed = command().try_get_matches_from(words.take_while(of_shell));
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }

    /// Each example must fit on one line, because a folded example could not be copied.
    #[test]
    fn examples_stand_on_one_line_before_the_options() {
        for (name, lines) in examples() {
            for line in lines {
                assert!(format!("  flipcost {line}").len() <= 80, "{name}: {line}");
            }
        }
        let mut all = command();
        all.build();
        let cost = all.find_subcommand_mut("cost").unwrap();
        let text = cost.render_long_help().to_string();
        let place = |part: &str| text.find(part).unwrap();
        assert!(place("Usage:") < place("Examples:\n  flipcost cost 6\n"));
        assert!(place("Examples:") < place("Options:"), "{text}");
    }

    /// `-h` fits on a screen; `--help` has at most 90 lines for `cost` and 70 for others.
    #[test]
    fn help_is_short() {
        let mut long = Vec::new();
        for (name, _) in examples() {
            let words: Vec<String> = name.split(' ').map(String::from).collect();
            for detail in [HelpDetail::Screen, HelpDetail::Whole] {
                let mut program = add_help(command().term_width(80), &words, detail);
                program.build();
                let mut sub = &mut program;
                for word in &words {
                    sub = sub.find_subcommand_mut(word).unwrap();
                }
                let lines = sub.render_help().to_string().lines().count();
                let most = match (detail, name) {
                    (HelpDetail::Screen, _) => MAX_SCREEN_LINES,
                    (HelpDetail::Whole, "cost") => 90,
                    (HelpDetail::Whole, _) => 70,
                };
                if lines > most {
                    long.push(format!("{name}: {lines}, at most {most}"));
                }
            }
        }
        assert!(long.is_empty(), "{long:#?}");
    }

    #[test]
    fn the_list_of_commands_fits_80_columns() {
        for line in command().render_help().to_string().lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
        let (all, most) = (format_groups(&command()), format_usual_commands(&command()));
        for line in all.lines().chain(most.lines()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let short = command().render_help().to_string();
        assert!(short.lines().count() <= 45, "{short}");
    }
}
