//! The program: clap definitions, and one small file per subcommand. It does no arithmetic.

mod advise;
mod answer;
mod args;
mod ask;
mod batch;
mod certificate;
mod cite;
mod cost;
mod distribution;
mod explore;
mod export;
mod figure;
mod generate;
mod glossary;
mod help;
mod list;
mod meant;
mod oeis;
mod page;
mod picture;
mod plan;
mod reproduce;
mod roll;
mod sequence;
mod show;
mod shown;
mod shuffle;
mod stream;
mod supply;
mod verify;

pub(crate) use crate::failure::Failure;
use flipcost_terminal::question::{self, error_sentence};
use flipcost_terminal::screen::print_error;
pub(crate) use shown::QuestionCommand;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use flipcost_question::Query;
use flipcost_terminal::rows::{Output, OutputError};
use flipcost_terminal::{first_word, screen, terminal};
use help::HelpDetail;
use std::ffi::OsString;
use std::process::ExitCode;

/// What it costs, exactly, to roll dice with coins, and any die with any other.
#[derive(Parser)]
#[command(name = "flipcost", bin_name = "flipcost", version, long_about = None, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    options: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(clap::Args)]
struct GlobalArgs {
    /// Print the query of the command as one line of JSON, for `flipcost ask`, and run nothing
    #[arg(long)]
    query: bool,
    /// Print long answers without a pager (also FLIPCOST_PAGER=cat)
    #[arg(long, global = true, help_heading = "Everywhere")]
    no_pager: bool,
    /// Lift the limits of time and memory, which are a minute and 4 GB for a single answer
    #[arg(long, global = true, help_heading = "Everywhere")]
    yes: bool,
}

/// The commands that do not ask a question, or that build one themselves.
#[derive(Subcommand)]
enum Command {
    Figure(Box<figure::FigureArgs>),
    Reproduce(reproduce::ReproduceArgs),
    List(list::ListArgs),
    Ask(ask::AskArgs),
    Explore(explore::ExploreArgs),
    Completions(generate::CompletionsArgs),
    Man(generate::ManArgs),
    Oeis(oeis::OeisArgs),
}

/// The output of most commands: rows, in a format, to a file or to standard output.
#[derive(clap::Args)]
struct RowsArgs {
    #[command(flatten)]
    output: args::OutputArgs,
}

impl QuestionCommand for RowsArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        answer::write(query, &self.output)
    }
}

/// The arguments that a command has besides those of its question, and functions that build and run
/// the question.
struct CommandEntry {
    arguments: fn(clap::Command) -> clap::Command,
    ask: fn(&str, &ArgMatches) -> Result<Query, Failure>,
    run: fn(&str, &ArgMatches) -> Result<(), Failure>,
}

/// Reads the arguments, which clap has already checked.
fn read_arguments<S: QuestionCommand>(matches: &ArgMatches) -> Result<S, Failure> {
    S::from_arg_matches(matches).map_err(|error| Failure::Input(error_sentence(&error.to_string())))
}

fn command_entry<S: QuestionCommand>() -> CommandEntry {
    CommandEntry {
        arguments: |command| S::augment_args(command),
        ask: |name, matches| read_arguments::<S>(matches)?.ask(name, matches),
        run: |name, matches| {
            let shown = read_arguments::<S>(matches)?;
            if let Some(done) = shown.run_instead(matches) {
                return done;
            }
            let query = shown.ask(name, matches)?;
            let output = args::OutputArgs::from_matches(matches);
            if let Some(path) = &output.output {
                Output::check(path)?;
            }
            if query.has_view() {
                return answer::write(query, &output);
            }
            shown.run(query)
        },
    }
}

/// Returns the entry of a command, whose code shows the command's answers; most commands only write
/// rows.
fn entry_for_command(command: &str) -> CommandEntry {
    match command {
        "advise" => command_entry::<advise::AdviseArgs>(),
        "batch" => command_entry::<batch::BatchArgs>(),
        "cite" => command_entry::<cite::CiteArgs>(),
        "cost" => command_entry::<cost::CostArgs>(),
        "distribution" => command_entry::<distribution::DistributionArgs>(),
        "export" => command_entry::<export::ExportArgs>(),
        "list algorithms" => command_entry::<list::ListAlgorithmsArgs>(),
        "list sequences" => command_entry::<list::ListSequencesArgs>(),
        "oeis check" => command_entry::<oeis::OeisCheckArgs>(),
        "oeis draft" => command_entry::<oeis::OeisDraftArgs>(),
        "plan" => command_entry::<plan::PlanArgs>(),
        "roll" => command_entry::<roll::RollArgs>(),
        "rule new" => command_entry::<cite::RuleNewArgs>(),
        "sequence" => command_entry::<sequence::SequenceArgs>(),
        "show" => command_entry::<show::ShowArgs>(),
        "shuffle" => command_entry::<shuffle::ShuffleArgs>(),
        "stream" => command_entry::<stream::StreamArgs>(),
        "supply" => command_entry::<supply::SupplyArgs>(),
        "test-die" => command_entry::<page::PageArgs>(),
        "verify" => command_entry::<verify::VerifyArgs>(),
        _ => command_entry::<RowsArgs>(),
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Runs the program with these arguments, which begin with its name, and returns its exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    flipcost_number::memory::keep_freed();
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(line) = first_word::complete_command(&arguments) {
        screen::print_remark(&format!(
            "this asks `{}`",
            first_word::format_command_line(&line)
        ));
        if let Some(recipe) = first_word::recipe_command(&line) {
            screen::print_remark(&format!("`{recipe}` prints the recipe"));
        }
        arguments = line;
    }
    let arguments = move_help_last(first_word::translate_source_options(arguments));
    // The pager is disabled before parsing, because a request for help ends the parser before it
    // reads any argument.
    if arguments.iter().any(|argument| argument == "--no-pager") {
        screen::disable_pager();
    }
    // The watch starts before parsing, because reading the arguments may already take long.
    crate::watch::start_watching(arguments.iter().any(|argument| argument == "--yes"));
    let typed: Vec<String> = (arguments.iter())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if typed.len() == 3 && typed[1..] == ["help", "all"] {
        let help = help::add_full_help(command()).render_help();
        return match screen::print_paged(&render_styled(&help)) {
            Err(error) if !error.is_closed_pipe() => {
                print_error(&error.to_string());
                2
            }
            _ => 0,
        };
    }
    let matches = match parse(arguments, &typed) {
        Ok(matches) => matches,
        Err(error)
            if !error.use_stderr()
                || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            return match print_message(&error) {
                Err(error) if error.is_closed_pipe() => 0,
                Err(error) => {
                    print_error(&error.to_string());
                    2
                }
                Ok(()) => {
                    if error.use_stderr() {
                        2
                    } else {
                        0
                    }
                }
            };
        }
        Err(error) => {
            let (sentence, tips) = meant::explain_parse_error(&command(), &error, &typed);
            print_error(&sentence);
            tips.iter().for_each(|tip| screen::print_tip(tip));
            return 2;
        }
    };
    flipcost_terminal::interrupt::install_handlers();
    // Reports an unexpected panic in one sentence.
    match run_command(&matches) {
        Ok(()) => 0,
        Err(Failure::Output(error)) if error.is_closed_pipe() => 0,
        Err(Failure::Mismatch(sentence)) => {
            print_error(&sentence);
            1
        }
        Err(failure) => {
            print_error(&failure.to_string());
            2
        }
    }
}

/// Rewrites `help cost` as `cost --help`.
fn move_help_last(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let word = arguments.get(2).and_then(|word| word.to_str());
    let names_command = word.is_some_and(|word| single_command(word).is_some());
    if names_command && arguments[1] == "help" {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    arguments
}

/// Parses a command line. If its first word is a command, only that command's arguments are built,
/// which takes a tenth of the time that all commands take. All commands are built for help and for
/// errors.
fn parse(arguments: Vec<OsString>, typed: &[String]) -> Result<ArgMatches, clap::Error> {
    let first = arguments.get(1).and_then(|word| word.to_str());
    if let Some(alone) = first.and_then(single_command) {
        match alone.try_get_matches_from(&arguments) {
            Err(error) if error.kind() != ErrorKind::DisplayVersion => {}
            read => return read,
        }
    }
    let program = match HelpDetail::requested_by(typed) {
        Some(detail) => help::add_help(command(), &typed[1..], detail),
        None => command(),
    };
    program.try_get_matches_from(arguments)
}

/// Runs the command of a parsed command line.
fn run_command(matches: &ArgMatches) -> Result<(), Failure> {
    let only_query = matches.get_flag("query");
    let (name, below) = question::command_and_matches(matches);
    if question::commands().contains(&name.as_str()) {
        let entry = entry_for_command(&name);
        return if only_query {
            print_query(&(entry.ask)(&name, below)?)
        } else {
            (entry.run)(&name, below)
        };
    }
    let cli = Cli::from_arg_matches(matches)
        .map_err(|error| Failure::Input(error_sentence(&error.to_string())))?;
    match (cli.command, only_query) {
        (Command::Figure(command), true) => print_query(&command.query()?),
        (_, true) => Err(Failure::no_question()),
        (command, false) => command.run(),
    }
}

/// Prints the question as JSON for `--query`, without answering it.
fn print_query(query: &Query) -> Result<(), Failure> {
    let line = query.to_json() + "\n";
    Ok(flipcost_terminal::rows::Output::write_all(
        None,
        line.as_bytes(),
    )?)
}

/// Returns the program without the commands that ask questions. If the environment variable COLUMNS
/// is smaller than the narrowest supported terminal, the width is [`terminal::output_width`].
fn base_program() -> clap::Command {
    let columns = std::env::var("COLUMNS").ok();
    let columns = columns.and_then(|columns| columns.parse::<usize>().ok());
    if columns.is_some_and(|columns| columns < terminal::MIN_WIDTH) {
        Cli::command().term_width(terminal::output_width())
    } else {
        Cli::command()
    }
}

/// All commands and their arguments, for clap.
pub fn command() -> clap::Command {
    let mut program = base_program();
    for name in question::commands() {
        let command = question::build_command(name, entry_for_command(name).arguments);
        program = question::add_subcommand(program, name, command);
    }
    help::with_help(program)
}

/// Returns the program with only one command and its arguments, without help, or `None` if there is
/// no such command. For `--version`, returns the program with only its version.
fn single_command(word: &str) -> Option<clap::Command> {
    if ["--version", "-V"].contains(&word) {
        return Some(clap::Command::new("flipcost").version(env!("CARGO_PKG_VERSION")));
    }
    let mut program = if Command::has_subcommand(word) {
        base_program()
    } else {
        GlobalArgs::augment_args(clap::Command::new("flipcost").bin_name("flipcost"))
    };
    for name in question::commands() {
        if name.split(' ').next() == Some(word) {
            let command = question::build_command(name, entry_for_command(name).arguments);
            program = question::add_subcommand(program, name, command);
        }
    }
    program.find_subcommand(word)?;
    Some(program)
}

impl Command {
    fn run(self) -> Result<(), Failure> {
        match self {
            Command::Figure(command) => command.run(),
            Command::Reproduce(command) => command.run(),
            Command::List(command) => command.run(),
            Command::Ask(command) => command.run(),
            Command::Explore(command) => command.run(),
            Command::Completions(command) => command.run(self::command()),
            Command::Man(command) => command.run(self::command()),
            Command::Oeis(command) => command.run(),
        }
    }
}

/// Prints help, or the message for an empty command line, in colors if the terminal shows them.
fn print_message(message: &clap::Error) -> Result<(), OutputError> {
    use std::io::{IsTerminal, Write};
    let text = message.render();
    // on a terminal, a long text goes through the pager
    if message.use_stderr() && !(terminal::is_terminal() && std::io::stderr().is_terminal()) {
        let _ = write!(anstream::stderr().lock(), "{}", text.ansi());
        return Ok(());
    }
    screen::print_paged(&render_styled(&text))
}

/// Renders a text of clap, in colors if the terminal shows them.
fn render_styled(text: &clap::builder::StyledStr) -> String {
    if anstream::stdout().current_choice() == anstream::ColorChoice::Never {
        text.to_string()
    } else {
        text.ansi().to_string()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_definitions_of_commands_are_valid() {
        super::command().debug_assert();
    }
}
