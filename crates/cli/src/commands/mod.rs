//! The program: clap definitions and one small file per subcommand. No arithmetic.

mod advise;
mod algorithms;
mod answer;
mod args;
mod ask;
mod band;
mod batch;
mod bias;
mod bounded;
mod certificate;
mod cite;
mod columns;
mod compare;
mod cost;
mod decimals;
mod distribution;
mod drafts;
mod explore;
mod export;
mod figure;
mod flowchart;
mod folder;
mod follow;
mod frontier;
mod generate;
mod glossary;
mod help;
mod import;
mod law;
mod leaves;
mod libraries;
mod merge;
mod mr;
mod oeis;
mod plan;
mod recipe;
mod reproduce;
mod roll;
mod sequence;
mod shuffle;
mod simulate;
mod stream;
mod study;
mod submission;
mod sweep;
mod table;
mod toll_distribution;
mod tree;
mod verify;

use crate::rows::OutputError;
use crate::{screen, terminal};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use flipcost_query::Query;
use std::ffi::OsString;
use std::process::ExitCode;

/// What it costs, exactly, to roll dice with coins, and any die with any other.
#[derive(Parser)]
#[command(name = "flipcost", version, about, long_about = None, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    /// Print the query of the command as one line of JSON, for `flipcost ask`, and run nothing
    #[arg(long)]
    query: bool,
    /// Print long answers without a pager (also FLIPCOST_PAGER=cat)
    #[arg(long, global = true, help_heading = "Everywhere")]
    no_pager: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Cost(cost::Cost),
    Compare(compare::Compare),
    Sweep(sweep::Sweep),
    Merge(merge::Merge),
    Distribution(distribution::Distribution),
    Band(band::Band),
    TollDistribution(toll_distribution::TollDistribution),
    Bounded(bounded::Bounded),
    Plan(plan::Plan),
    Batch(batch::Batch),
    Stream(stream::Stream),
    Shuffle(shuffle::Shuffle),
    Roll(roll::Roll),
    Follow(follow::Follow),
    Simulate(simulate::Simulate),
    Recipe(recipe::Recipe),
    Law(law::Law),
    Advise(advise::Advise),
    Bias(bias::Bias),
    Libraries(libraries::Libraries),
    Frontier(frontier::Frontier),
    Table(table::Table),
    Tree(tree::Tree),
    Leaves(leaves::Leaves),
    Flowchart(flowchart::Flowchart),
    Mr(mr::Mr),
    Sequence(sequence::Sequence),
    Oeis(oeis::Oeis),
    Verify(verify::Verify),
    Decimals(decimals::Decimals),
    Figure(figure::Figure),
    Reproduce(reproduce::Reproduce),
    Study(study::Study),
    Export(export::Export),
    Import(import::Import),
    Algorithms(algorithms::Algorithms),
    Columns(columns::Columns),
    Cite(cite::Cite),
    Glossary(glossary::Glossary),
    Ask(ask::Ask),
    Explore(explore::Explore),
    Completions(generate::Completions),
    Man(generate::Man),
}

/// Why a run did not succeed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Bad input or output: one sentence, exit status 2.
    #[error("{0}")]
    Input(String),
    /// Output could not be written: exit status 2, or a quiet end if the reader went away.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A check found a mismatch: exit status 1.
    #[error("{0}")]
    Mismatch(String),
}

impl Failure {
    fn input(error: impl std::fmt::Display) -> Failure {
        Failure::Input(error.to_string())
    }

    /// `--query` of a command without one.
    fn no_question() -> Failure {
        let what = "this command asks no question of the engine, so there is no query to print";
        Failure::Input(what.to_string())
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Also for help, which leaves no arguments that are read.
    if arguments.iter().any(|argument| argument == "--no-pager") {
        screen::without_pager();
    }
    let cli = command()
        .try_get_matches_from(asked(arguments.into_iter().collect()))
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match cli {
        Ok(cli) => cli,
        Err(error)
            if !error.use_stderr()
                || error.kind()
                    == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            return match print(&error) {
                Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
                Err(error) => {
                    complain(&error.to_string());
                    ExitCode::from(2)
                }
                Ok(()) => ExitCode::from(if error.use_stderr() { 2 } else { 0 }),
            };
        }
        Err(error) => {
            complain(&one_sentence(&error.to_string()));
            return ExitCode::from(2);
        }
    };
    crate::interrupt::watch();
    // An unforeseen panic still ends in one sentence; the library documents what it asserts.
    let done = match cli.query {
        true => cli.command.print_query(),
        false => cli.command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(Failure::Mismatch(sentence)) => {
            complain(&sentence);
            ExitCode::from(1)
        }
        Err(failure) => {
            complain(&failure.to_string());
            ExitCode::from(2)
        }
    }
}

/// The question that a command line asks, the program's name being its first word.
///
/// # Errors
/// The sentence that the program says of such a command line.
pub(crate) fn query_of(arguments: impl IntoIterator<Item = OsString>) -> Result<Query, String> {
    let cli = command()
        .try_get_matches_from(arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .map_err(|error| match error.use_stderr() {
            true => one_sentence(&error.to_string()),
            false => "it asks for help, and no question".to_string(),
        })?;
    cli.command.query().map_err(|failure| failure.to_string())
}

/// The arguments, with `help study` read as `study`: the page is the help on studies.
fn asked(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.len() > 2 && arguments[1] == "help" && arguments[2] == "study" {
        arguments.remove(1);
    }
    arguments
}

fn command() -> clap::Command {
    help::with_help(Cli::command())
}

impl Command {
    /// `--query`: the question, as JSON, unanswered.
    fn print_query(self) -> Result<(), Failure> {
        let line = self.query()?.to_json() + "\n";
        Ok(crate::rows::Output::write_all(None, line.as_bytes())?)
    }

    /// The question that it asks.
    fn query(self) -> Result<Query, Failure> {
        match self {
            Command::Cost(command) => command.query(),
            Command::Compare(command) => command.query(),
            Command::Sweep(command) => command.query(),
            Command::Figure(command) => command.query(),
            Command::Band(command) => command.query(),
            Command::TollDistribution(command) => command.query(),
            Command::Bounded(command) => command.query(),
            Command::Columns(command) => command.query(),
            Command::Distribution(command) => command.query(),
            Command::Plan(command) => command.query(),
            Command::Batch(command) => command.query(),
            Command::Stream(command) => command.query(),
            Command::Shuffle(command) => command.query(),
            Command::Recipe(command) => command.query(),
            Command::Law(command) => command.query(),
            Command::Advise(command) => command.query(),
            Command::Bias(command) => command.query(),
            Command::Libraries(command) => command.query(),
            Command::Frontier(command) => command.query(),
            Command::Roll(command) => command.query(),
            Command::Follow(command) => command.query(),
            Command::Simulate(command) => command.query(),
            Command::Table(command) => command.query(),
            Command::Tree(command) => command.query(),
            Command::Leaves(command) => command.query(),
            Command::Flowchart(command) => command.query(),
            Command::Mr(command) => command.query(),
            Command::Export(command) => command.query(),
            Command::Import(command) => command.query(),
            Command::Sequence(command) => command.query(),
            Command::Oeis(command) => command.query(),
            Command::Verify(command) => command.query(),
            Command::Decimals(command) => command.query(),
            Command::Algorithms(command) => command.query(),
            Command::Cite(command) => command.query(),
            _ => Err(Failure::no_question()),
        }
    }

    fn run(self) -> Result<(), Failure> {
        match self {
            Command::Cost(command) => command.run(),
            Command::Compare(command) => command.run(),
            Command::Sweep(command) => command.run(),
            Command::Merge(command) => command.run(),
            Command::Distribution(command) => command.run(),
            Command::Band(command) => command.run(),
            Command::TollDistribution(command) => command.run(),
            Command::Bounded(command) => command.run(),
            Command::Plan(command) => command.run(),
            Command::Batch(command) => command.run(),
            Command::Stream(command) => command.run(),
            Command::Shuffle(command) => command.run(),
            Command::Roll(command) => command.run(),
            Command::Follow(command) => command.run(),
            Command::Simulate(command) => command.run(),
            Command::Recipe(command) => command.run(),
            Command::Law(command) => command.run(),
            Command::Advise(command) => command.run(),
            Command::Bias(command) => command.run(),
            Command::Libraries(command) => command.run(),
            Command::Frontier(command) => command.run(),
            Command::Table(command) => command.run(),
            Command::Tree(command) => command.run(),
            Command::Leaves(command) => command.run(),
            Command::Flowchart(command) => command.run(),
            Command::Mr(command) => command.run(),
            Command::Sequence(command) => command.run(),
            Command::Oeis(command) => command.run(),
            Command::Verify(command) => command.run(),
            Command::Decimals(command) => command.run(),
            Command::Figure(command) => command.run(),
            Command::Reproduce(command) => command.run(),
            Command::Study(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Import(command) => command.run(),
            Command::Algorithms(command) => command.run(),
            Command::Columns(command) => command.run(),
            Command::Cite(command) => command.run(),
            Command::Glossary(command) => command.run(),
            Command::Ask(command) => command.run(),
            Command::Explore(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    }
}

/// A sentence on stderr; a reader who left does not matter.
fn complain(sentence: &str) {
    say("error:", "\x1b[1;31m", sentence);
}

/// A remark on stderr about a run that goes on.
fn remark(sentence: &str) {
    say("note:", "\x1b[1m", sentence);
}

/// A sentence on stderr under a name in this style: one line, folded where a terminal shows it.
fn say(name: &str, style: &str, sentence: &str) {
    use std::io::Write;
    let line = format!("{name} {}", shown(sentence));
    let line = match terminal::error_width() {
        Some(width) => screen::fold(&line, width, 2),
        None => line,
    };
    let rest = &line[name.len()..];
    let _ = writeln!(anstream::stderr().lock(), "{style}{name}\x1b[0m{rest}");
}

/// Help, or what is said to a command line without arguments, in colours where they are wanted.
fn print(message: &clap::Error) -> Result<(), OutputError> {
    use std::io::{IsTerminal, Write};
    let text = message.render();
    // A person at a terminal gets either in the pager, if it is long.
    if message.use_stderr() && !(terminal::is_read() && std::io::stderr().is_terminal()) {
        let _ = write!(anstream::stderr().lock(), "{}", text.ansi());
        return Ok(());
    }
    let plain = anstream::stdout().current_choice() == anstream::ColorChoice::Never;
    screen::print(&match plain {
        true => text.to_string(),
        false => text.ansi().to_string(),
    })
}

/// A sentence as a terminal may get it. It can quote what was typed, or what stands in a file:
/// control characters, and those that turn the direction of writing, are written as escapes, and of
/// what is very long the middle is left out.
fn shown(sentence: &str) -> String {
    const LONGEST: usize = 2000; // a sentence
    const WORD: usize = 300; // what stands between blanks
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let ends_line = |c| matches!(c, '\u{2028}' | '\u{2029}');
    let mut plain = String::new();
    for c in sentence.chars() {
        match c.is_control() || turns(c) || ends_line(c) {
            true => plain.extend(c.escape_default()),
            false => plain.push(c),
        }
    }
    let words: Vec<String> = plain.split(' ').map(|word| shortened(word, WORD)).collect();
    shortened(&words.join(" "), LONGEST)
}

/// A text with its middle left out where it has more than `most` characters.
fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_string();
    }
    let (head, tail) = (most * 2 / 3, most / 6);
    let begin: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(count - tail).collect();
    format!("{begin}... ({count} characters) ...{end}")
}

/// clap's message without usage and blank lines: what is wrong, and its tips.
fn one_sentence(message: &str) -> String {
    let lines = message
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let wanted: Vec<&str> = lines
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .collect();
    wanted.join(" ").trim_start_matches("error: ").to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_definitions_hold_together() {
        super::command().debug_assert();
    }
}
