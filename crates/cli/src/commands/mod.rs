//! The program: clap definitions and one small file per subcommand. No arithmetic.

mod advise;
mod algorithms;
mod answer;
mod args;
mod ask;
mod batch;
mod certificate;
mod compare;
mod cost;
mod distribution;
mod document;
mod drafts;
mod explore;
mod export;
mod figure;
mod folder;
mod frontier;
mod generate;
mod glossary;
mod help;
mod law;
mod merge;
mod mr;
mod oeis;
mod picture;
mod plan;
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
mod verify;

use crate::question::{self, one_sentence};
use crate::rows::OutputError;
use crate::{screen, terminal};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
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

/// The commands that ask no question, or make one of their own.
#[derive(Subcommand)]
enum Command {
    Merge(merge::Merge),
    Figure(figure::Figure),
    Reproduce(reproduce::Reproduce),
    Study(study::Study),
    Glossary(glossary::Glossary),
    Ask(ask::Ask),
    Explore(explore::Explore),
    Completions(generate::Completions),
    Man(generate::Man),
    Oeis(oeis::Oeis),
}

/// How the program shows the answers of one command.
trait Shown: clap::Args {
    /// The question that the command asks.
    fn ask(&self, name: &str, matches: &ArgMatches) -> Result<Query, Failure> {
        question::read(name, matches, Vec::new()).map_err(Failure::Input)
    }

    /// What is done in place of asking.
    fn instead(&self, _: &ArgMatches) -> Option<Result<(), Failure>> {
        None
    }

    fn run(self, query: Query) -> Result<(), Failure>;
}

/// What most commands do: rows, in a format, to a file or the standard output.
#[derive(clap::Args)]
struct Rows {
    #[command(flatten)]
    output: args::OutputArgs,
}

impl Shown for Rows {
    fn run(self, query: Query) -> Result<(), Failure> {
        answer::write(query, &self.output)
    }
}

/// The arguments that a command has beside those of its question, and what it does.
struct Door {
    arguments: fn(clap::Command) -> clap::Command,
    ask: fn(&str, &ArgMatches) -> Result<Query, Failure>,
    run: fn(&str, &ArgMatches) -> Result<(), Failure>,
}

/// What clap found is well formed, or it would have said so.
fn read<S: Shown>(matches: &ArgMatches) -> Result<S, Failure> {
    S::from_arg_matches(matches).map_err(|error| Failure::Input(one_sentence(&error.to_string())))
}

fn door<S: Shown>() -> Door {
    Door {
        arguments: |command| S::augment_args(command),
        ask: |name, matches| read::<S>(matches)?.ask(name, matches),
        run: |name, matches| {
            let shown = read::<S>(matches)?;
            if let Some(done) = shown.instead(matches) {
                return done;
            }
            let query = shown.ask(name, matches)?;
            shown.run(query)
        },
    }
}

/// How a command shows its answers: those that do more than write rows.
fn door_of(command: &str) -> Door {
    match command {
        "advise" => door::<advise::Advise>(),
        "algorithms" => door::<algorithms::Algorithms>(),
        "batch" => door::<batch::Batch>(),
        "cite" | "recipe" => door::<document::Document>(),
        "compare" => door::<compare::Compare>(),
        "cost" => door::<cost::Cost>(),
        "distribution" => door::<distribution::Distribution>(),
        "export" => door::<export::Export>(),
        "export family" => door::<export::Family>(),
        "flowchart" | "tree" => door::<picture::Picture>(),
        "frontier" => door::<frontier::Frontier>(),
        "law" => door::<law::Law>(),
        "mr" => door::<mr::Mr>(),
        "oeis check" => door::<oeis::Check>(),
        "oeis draft" => door::<oeis::Draft>(),
        "plan" => door::<plan::Plan>(),
        "roll" => door::<roll::Roll>(),
        "sequence" => door::<sequence::Terms>(),
        "sequence list" => door::<sequence::List>(),
        "shuffle" => door::<shuffle::Shuffle>(),
        "simulate" => door::<simulate::Simulate>(),
        "stream" => door::<stream::Stream>(),
        "sweep" => door::<sweep::Sweep>(),
        "table" => door::<table::Table>(),
        "verify" => door::<verify::Verify>(),
        _ => door::<Rows>(),
    }
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
    let matches = command().try_get_matches_from(asked(arguments));
    let matches = match matches {
        Ok(matches) => matches,
        Err(error)
            if !error.use_stderr()
                || error.kind()
                    == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            return match show(&error) {
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
    let done = obey(&matches);
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

/// Does what a command line asks for.
fn obey(matches: &ArgMatches) -> Result<(), Failure> {
    let only_query = matches.get_flag("query");
    let (name, below) = question::path(matches);
    if question::commands().contains(&name.as_str()) {
        let door = door_of(&name);
        return match only_query {
            true => print(&(door.ask)(&name, below)?),
            false => (door.run)(&name, below),
        };
    }
    let cli = Cli::from_arg_matches(matches)
        .map_err(|error| Failure::Input(one_sentence(&error.to_string())))?;
    match (cli.command, only_query) {
        (Command::Figure(command), true) => print(&command.query()?),
        (_, true) => Err(Failure::no_question()),
        (command, false) => command.run(),
    }
}

/// `--query`: the question, as JSON, unanswered.
fn print(query: &Query) -> Result<(), Failure> {
    let line = query.to_json() + "\n";
    Ok(crate::rows::Output::write_all(None, line.as_bytes())?)
}

/// The arguments, with `help study` read as `study`: the page is the help on studies.
fn asked(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.len() > 2 && arguments[1] == "help" && arguments[2] == "study" {
        arguments.remove(1);
    }
    arguments
}

fn command() -> clap::Command {
    let mut program = Cli::command();
    for name in question::commands() {
        let command = question::command(name, door_of(name).arguments);
        program = question::with(program, name, command);
    }
    help::with_help(program)
}

impl Command {
    fn run(self) -> Result<(), Failure> {
        match self {
            Command::Merge(command) => command.run(),
            Command::Figure(command) => command.run(),
            Command::Reproduce(command) => command.run(),
            Command::Study(command) => command.run(),
            Command::Glossary(command) => command.run(),
            Command::Ask(command) => command.run(),
            Command::Explore(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
            Command::Oeis(command) => command.run(),
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
fn show(message: &clap::Error) -> Result<(), OutputError> {
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

#[cfg(test)]
mod tests {
    #[test]
    fn the_definitions_hold_together() {
        super::command().debug_assert();
    }
}
