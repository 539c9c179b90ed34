//! Builds the command-line arguments of questions from their descriptions, and reads questions from
//! command lines.

use crate::files;
use clap::builder::{
    PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser, ValueParser,
};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use flipcost_all::first_word::translate_source_options;
pub use flipcost_all::first_word::{commands, questions_of_command};
use flipcost_all::terminal;
use flipcost_number::grammar::items;
use flipcost_question::description::Choice;
use flipcost_question::side_files::rule_file;
use flipcost_question::{
    ArgumentKind, Arity, Description, FieldAbout, FieldDefault, NoFittingQuestion, Query, Sides,
    SidesError, Sources, TargetText, VIEW_FIELDS, choose_question,
};
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The id of the option that gives a target by its weights, instead of N.
const WEIGHTS_OPTION: &str = "weights";

/// Returns the fields of all questions of a command, without repetitions. Of several fields with
/// the same name, keeps a field for a target, which may be given by its weights, or else the first.
fn distinct_fields<'a>(questions: &[&'a Description]) -> Vec<&'a FieldAbout> {
    let mut all: Vec<&FieldAbout> = Vec::new();
    for field in questions.iter().flat_map(|question| &question.fields) {
        match all.iter_mut().find(|known| known.name == field.name) {
            None => all.push(field),
            Some(known) if known.argument.place == ArgumentKind::Target => {}
            Some(known) if field.argument.place == ArgumentKind::Target => *known = field,
            Some(_) => {}
        }
    }
    all
}

/// Builds a command with the arguments of all its questions and the arguments that `more` adds.
pub fn build_command(name: &'static str, more: fn(Command) -> Command) -> Command {
    let questions: Vec<&Description> = questions_of_command(name).collect();
    let usual = questions[0];
    let last = name.rsplit(' ').next().unwrap_or(name);
    let mut command = Command::new(last);
    // an argument may declare a conflict with an argument that `more` adds; clap needs to know
    // whether `more` really adds it
    let beside = more(Command::new(""));
    let there = |id: &&'static str| {
        let mut ids = beside.get_arguments().map(Arg::get_id);
        let mut fields = questions.iter().filter_map(|question| question.field(id));
        ids.any(|known| known == id) || fields.next().is_some()
    };
    for field in distinct_fields(&questions) {
        let everywhere = questions.iter().all(|question| {
            let field = question.field(field.name);
            field.is_some_and(|field| field.usual == FieldDefault::Required)
        });
        let without: Vec<&'static str> = field
            .argument
            .without
            .iter()
            .copied()
            .filter(there)
            .collect();
        if everywhere && field.argument.place == ArgumentKind::Target {
            let either = ArgGroup::new("wanted").args([field.id(), WEIGHTS_OPTION]);
            command = command.group(either.required(true));
        }
        let same = questions
            .iter()
            .filter_map(|question| question.field(field.name));
        let mut choices: Vec<Choice> = Vec::new();
        for choice in same.flat_map(|field| (field.value.choices)()) {
            if choices.iter().all(|known| known.name != choice.name) {
                choices.push(choice);
            }
        }
        let lists = list_field_named(&questions, field.name).is_some();
        for argument in field_arguments(field, &choices, everywhere, &without, lists) {
            command = command.arg(argument);
        }
    }
    for argument in view_arguments(&command) {
        command = command.arg(argument);
    }
    if distinct_fields(&questions)
        .iter()
        .any(|field| field.value.python == ALGORITHM_TYPE)
    {
        let rule = Arg::new(RULE_OPTION).long(RULE_OPTION).value_name("FILE");
        command =
            command.arg(rule.help("A rule of your own, as -a rule:FILE (see `flipcost rule new`)"));
    }
    command = more(command);
    if let Some(first) = usual.about.first() {
        command = command.about(first.trim_end_matches('.').to_string());
    }
    let named = questions
        .iter()
        .filter(|question| question.ask == usual.ask);
    let about: Vec<&str> = named
        .flat_map(|one| &one.about)
        .map(String::as_str)
        .collect();
    if about.len() > 1 {
        command = command.long_about(about.join("\n\n"));
    }
    command
}

/// Returns the options that every table has, except those that the command already has.
fn view_arguments(command: &Command) -> Vec<Arg> {
    let [top, by, columns] = VIEW_FIELDS;
    let argument = |name: &'static str, value: &'static str, help: &'static str| {
        let argument = Arg::new(name).long(name).value_name(value);
        let argument = argument.help(help).help_heading("Rows");
        argument
            .allow_hyphen_values(name == by)
            .allow_negative_numbers(true)
    };
    let all = [
        argument(columns, "NAMES", "Only these columns, in this order").short('c'),
        argument(top, "K", "Only the first K rows"),
        argument(
            by,
            "COLUMN",
            "Sort the rows by this column, largest first; -COLUMN sorts them smallest first",
        ),
    ];
    let is_new = |argument: &Arg| {
        command
            .get_arguments()
            .all(|own| own.get_id() != argument.get_id())
    };
    all.into_iter().filter(is_new).collect()
}

fn field_arguments(
    field: &FieldAbout,
    choices: &[Choice],
    required: bool,
    without: &[&'static str],
    lists: bool,
) -> Vec<Arg> {
    let about = &field.argument;
    // an expression may begin with a minus; an option whose value is optional must not take the
    // next option for its value
    let hyphen =
        about.place == ArgumentKind::Option && about.missing.is_none() && !field.value.closed;
    let mut argument = Arg::new(field.id()).help(field_help(field));
    if about.place == ArgumentKind::Flag {
        argument = argument.long(field.flag()).action(ArgAction::SetTrue);
    } else {
        argument = argument
            .value_name(about.value)
            .value_parser(choice_parser(field, choices))
            .allow_negative_numbers(true)
            .allow_hyphen_values(about.dash || hyphen)
            .required(required && about.place != ArgumentKind::Target)
            .action(match field.value.shape {
                Arity::Several => ArgAction::Append,
                _ => ArgAction::Set,
            });
    }
    if about.place == ArgumentKind::Option {
        argument = argument.long(field.flag());
    }
    if about.place == ArgumentKind::Option
        && field.value.shape == Arity::Several
        && field.value.closed
        && !about.each
    {
        argument = argument.value_delimiter(',');
    }
    if about.place == ArgumentKind::Word && field.value.shape == Arity::Several {
        argument = argument.num_args(1..);
    }
    if let Some(letter) = about.short {
        argument = argument.short(letter);
    }
    if let Some(alias) = about.alias {
        argument = argument.visible_alias(alias);
    }
    if let Some(missing) = about.missing {
        argument = argument.num_args(0..=1).default_missing_value(missing);
    }
    if let Some(with) = about.with {
        argument = argument.requires(with);
    }
    argument = argument.conflicts_with_all(without);
    if about.place != ArgumentKind::Target {
        return vec![argument];
    }
    vec![argument, weights_argument(field, lists)]
}

/// Returns the help text of a field, with its default.
fn field_help(field: &FieldAbout) -> String {
    let mut help = match field.argument.help {
        Some(help) => help.to_string(),
        None => field.about.first().cloned().unwrap_or_default(),
    };
    if help.ends_with('.') && !help.ends_with("..") {
        help.pop();
    }
    if let FieldDefault::Is(usual) = &field.usual
        && !usual.is_empty()
    {
        help += &format!(" [default: {usual}]");
    }
    help
}

/// Returns the option that gives a target by its weights; it can be repeated for several targets if
/// `lists` is set.
fn weights_argument(field: &FieldAbout, lists: bool) -> Arg {
    Arg::new(WEIGHTS_OPTION)
        .long(WEIGHTS_OPTION)
        .value_name("TEXT")
        .allow_negative_numbers(true)
        .help(if lists {
            "The weights of the target, instead of N and in the same notation; repeat the option for another target"
        } else {
            "The weights of the target, instead of N and in the same notation"
        })
        .action(if lists {
            ArgAction::Append
        } else {
            ArgAction::Set
        })
        .conflicts_with(field.id())
}

/// Accepts any text, or only the choices if the list of choices is closed.
fn choice_parser(field: &FieldAbout, choices: &[Choice]) -> ValueParser {
    match (field.value.closed, choices.is_empty()) {
        (_, true) => StringValueParser::new().into(),
        (true, _) => PossibleValuesParser::new(choices.iter().map(possible_value)).into(),
        (false, _) => SuggestedValues(choices.iter().map(possible_value).collect()).into(),
    }
}

fn possible_value(choice: &Choice) -> PossibleValue {
    let value = PossibleValue::new(choice.name);
    match choice.about.first() {
        Some(about) => value.help(about.trim_end_matches('.').to_string()),
        None => value,
    }
}

/// A parser that accepts any text, and suggests these values in help and completions.
#[derive(Clone)]
struct SuggestedValues(Vec<PossibleValue>);

impl TypedValueParser for SuggestedValues {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().cloned()))
    }
}

/// Reads the question from the arguments of a command, and adds these fields.
///
/// # Errors
/// One sentence that says what is wrong.
pub fn query_from_matches(
    name: &str,
    matches: &ArgMatches,
    more: Vec<(String, Value)>,
) -> Result<Query, String> {
    let questions: Vec<&Description> = questions_of_command(name).collect();
    let mut given = more;
    for field in distinct_fields(&questions) {
        if given.iter().any(|(name, _)| name == field.name) {
            continue;
        }
        if let Some(value) = field_value(field, list_field_named(&questions, field.name), matches)?
        {
            given.push((field.name.to_string(), value));
        }
    }
    for name in VIEW_FIELDS.into_iter().filter(|name| {
        questions
            .iter()
            .all(|question| question.field(name).is_none())
    }) {
        if let Ok(Some(value)) = matches.try_get_one::<String>(name) {
            given.push((name.to_string(), value.as_str().into()));
        }
    }
    let place = choose_question(&questions, &given).map_err(|unfit| {
        let field = |name: &str| questions.iter().find_map(|question| question.field(name));
        let placed = |name: &str| field(name).map_or(name.to_string(), FieldAbout::help_notation);
        match unfit {
            NoFittingQuestion::Apart(one, other) => {
                let (one, other) = (placed(&one), placed(&other));
                format!("the argument '{one}' cannot be used with '{other}'")
            }
            NoFittingQuestion::List(list, other) => {
                let (list, other) = (placed(&list), placed(&other));
                format!("'{list}' is a list, and '{other}' works with a single value only")
            }
            NoFittingQuestion::Choice { field, known } => {
                format!("{} must be one of {}", placed(field), known.join(", "))
            }
            NoFittingQuestion::Endless(_) => {
                let refused = flipcost_all::read(questions[0].ask, given.clone());
                refused.map_or_else(|error| error.render(terminal()), |_| String::new())
            }
        }
    })?;
    let file = given.iter().filter_map(|(_, value)| value.as_str());
    let file = file
        .filter(|text| Path::new(text).is_file())
        .map(String::from)
        .next();
    flipcost_all::read(questions[place].ask, given).map_err(|error| {
        let said = error.render(terminal());
        match file {
            Some(file) => format!("{said}: did you mean the file @{file}?"),
            None => said,
        }
    })
}

/// Returns the field with this name whose value is a list, if one of these questions has such a
/// field.
fn list_field_named<'a>(questions: &[&'a Description], name: &str) -> Option<&'a FieldAbout> {
    let mut fields = questions.iter().filter_map(|question| question.field(name));
    fields.find(|field| field.value.list)
}

/// Returns the JSON value of a field, if it was given. It may be a list if one of the questions has
/// a field of this name that is a list.
fn field_value(
    field: &FieldAbout,
    list: Option<&FieldAbout>,
    matches: &ArgMatches,
) -> Result<Option<Value>, String> {
    let about = &field.argument;
    if about.place == ArgumentKind::Flag {
        return Ok(matches.get_flag(field.id()).then_some(Value::Bool(true)));
    }
    let mut words: Vec<String> = Vec::new();
    let names: &[&str] = match about.place {
        ArgumentKind::Target => &[field.id(), WEIGHTS_OPTION],
        _ => &[field.id()],
    };
    for name in names {
        if let Ok(Some(values)) = matches.try_get_many::<String>(name) {
            words.extend(values.cloned());
        }
    }
    if field.value.python == ALGORITHM_TYPE
        && let Ok(Some(file)) = matches.try_get_one::<String>(RULE_OPTION)
    {
        words.push(format!("{RULE_OPTION}:{file}"));
    }
    if words.is_empty() {
        return Ok(None);
    }
    if let Some(value) = rules_value(field, &words)? {
        return Ok(Some(value));
    }
    if list.is_some() && words.len() > 1 {
        words = vec![join_targets(&words)];
    }
    let several = field.value.shape == Arity::Several && !about.each;
    if let Some(alone) = field.value.file {
        for word in &mut words {
            let mut parts = vec![word.clone()];
            if several || list.is_some() {
                parts = items(word).map(String::from).collect();
            }
            let as_item = list.and_then(|list| list.value.file);
            let value_of = match parts.len() {
                1 => alone,
                _ => as_item.unwrap_or(alone),
            };
            if parts.iter().any(|part| part.starts_with('@')) {
                let read = |part: String| match part.strip_prefix('@') {
                    Some(path) => read_text_and_column(path)
                        .and_then(|(text, column)| value_of(&text, column))
                        .map_err(|why| {
                            let why = with_file_name(&why, path);
                            format!(
                                "invalid value '{part}' for '{}': {why}",
                                field.help_notation()
                            )
                        }),
                    None => Ok(part),
                };
                let parts: Result<Vec<String>, String> = parts.into_iter().map(read).collect();
                *word = parts?.join(",");
            }
        }
    }
    Ok(Some(match (field.value.shape, about.each) {
        (Arity::Several, true) => words.into(),
        (Arity::Several, false) => join_words(&words).into(),
        _ => words.remove(0).into(),
    }))
}

/// Joins words of one list. Blanks stay between words that all have commas: in `1,200 1,100` these
/// may be marks between groups of three digits.
fn join_words(words: &[String]) -> String {
    let words: Vec<&str> = words
        .iter()
        .map(|word| word.trim_end_matches(','))
        .collect();
    let have_commas = words.iter().all(|word| word.contains(','));
    words.join(if have_commas { " " } else { "," })
}

/// Joins targets into one list.
fn join_targets(targets: &[String]) -> String {
    let item = |target: &String| match items(target).count() {
        1 => format!("{target},"),
        _ => format!("({target}),"),
    };
    targets.iter().map(item).collect()
}

/// The Python type of fields that hold algorithms or rules.
const ALGORITHM_TYPE: &str = "AlgorithmLike";
const RULE_TYPE: &str = "RuleLike";
/// The option for a user's own rule, and the prefix of its file among algorithms.
const RULE_OPTION: &str = "rule";

/// Returns the value of a field that names a user's own rules: the name of each rule with the text
/// of its file below. Returns `None` if these words name no rules.
fn rules_value(field: &FieldAbout, words: &[String]) -> Result<Option<Value>, String> {
    let read = |path: &str| {
        let text = match rule_file(path) {
            Some(text) => Ok(text),
            None => files::read_text(Path::new(path), MAX_RULE_BYTES).map_err(|error| {
                format!(
                    "invalid value '{path}' for '{}': {error}",
                    field.help_notation()
                )
            }),
        };
        text.map(|text| format!("{path}\n{text}"))
    };
    match field.value.python {
        RULE_TYPE => read(&words[0]).map(|text| Some(text.into())),
        ALGORITHM_TYPE
            if words
                .iter()
                .any(|word| word.contains(&format!("{RULE_OPTION}:"))) =>
        {
            let mut all: Vec<String> = Vec::new();
            for item in words.iter().flat_map(|word| items(word)) {
                match (
                    item.strip_prefix(&format!("{RULE_OPTION}:")),
                    all.last_mut(),
                ) {
                    (Some(path), _) => all.push(format!("{RULE_OPTION}:{}", read(path)?)),
                    (None, Some(last)) if item.contains('=') && !item.contains(':') => {
                        *last += &format!(",{item}");
                    }
                    (None, _) => all.push(item.to_string()),
                }
            }
            Ok(Some(if field.value.shape == Arity::Several {
                all.into()
            } else {
                all.remove(0).into()
            }))
        }
        _ => Ok(None),
    }
}

/// The largest size of a rule, in bytes.
const MAX_RULE_BYTES: u64 = 1 << 18;

/// The largest size of a file of weights: 1 GB.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// Reads a target from a file of weights.
pub fn read_target(path: &str) -> Result<TargetText, String> {
    let (text, column) = read_text_and_column(path)?;
    TargetText::of_file(&text, column).map_err(|error| with_file_name(&error.to_string(), path))
}

/// Reads a source, which may be a file of weights, as in `@FILE`.
pub fn parse_source(text: &str) -> Result<Sides, String> {
    match text.strip_prefix('@') {
        Some(path) => {
            let (text, column) = read_text_and_column(path)?;
            Sides::of_file(&text, column).map_err(|error| with_file_name(&error.to_string(), path))
        }
        None => text.parse().map_err(|error: SidesError| error.to_string()),
    }
}

/// Inserts the name of the file into the example `@FILE:COLUMN` of an error. A column that follows
/// the file in `path` is left out.
fn with_file_name(error: &str, path: &str) -> String {
    let path = match path.rsplit_once(':') {
        Some((file, _)) if !Path::new(path).exists() => file,
        _ => path,
    };
    let name = Path::new(path).file_name().unwrap_or_default();
    error.replace("@FILE:", &format!("@{}:", name.to_string_lossy()))
}

/// Reads several sources; those that begin with `@` are read from files.
pub fn parse_sources(text: &str) -> Result<Sources, String> {
    let read = |item: &str| {
        if item.starts_with('@') {
            parse_source(item).map(|source| source.to_string())
        } else {
            Ok(item.to_string())
        }
    };
    let all: Result<Vec<String>, String> = items(text).map(read).collect();
    let sources = all?.join(",").parse::<Sources>();
    sources.map_err(|error| error.to_string())
}

/// Reads a file of weights, and returns its text with the column that follows its name, as in
/// `loot.csv:count`.
fn read_text_and_column(path: &str) -> Result<(String, Option<&str>), String> {
    match path.rsplit_once(':') {
        Some((file, column)) if !Path::new(path).exists() && Path::new(file).exists() => {
            Ok((read_weights_text(file)?, Some(column)))
        }
        _ => Ok((read_weights_text(path)?, None)),
    }
}

/// Reads a file of weights as text.
pub fn read_weights_text(path: &str) -> Result<String, String> {
    let read = files::read_text(Path::new(path), MAX_FILE_BYTES);
    read.map_err(|error| format!("cannot read \"{path}\": {error}"))
}

/// Reads the question from the words of a command line, which begin with the program's name.
///
/// # Errors
/// One sentence that says what is wrong.
pub fn query_from_words(words: impl IntoIterator<Item = OsString>) -> Result<Query, String> {
    let mut program = Command::new("flipcost").subcommand_required(true);
    for name in commands() {
        program = add_subcommand(program, name, build_command(name, |command| command));
    }
    let words = translate_source_options(words.into_iter().collect());
    let matches = program.try_get_matches_from(words).map_err(|error| {
        match (error.kind(), error.use_stderr()) {
            (ErrorKind::InvalidSubcommand, _) => "this command does not ask a question".to_string(),
            (_, true) => error_sentence(&error.to_string()),
            (_, false) => "it asks for help and does not ask a question".to_string(),
        }
    })?;
    let (name, matches) = command_and_matches(&matches);
    query_from_matches(&name, matches, Vec::new())
}

/// Adds a command to a program. A name of two words makes a subcommand of the first word's command.
pub fn add_subcommand(program: Command, name: &'static str, command: Command) -> Command {
    match name.split_once(' ') {
        None if program.find_subcommand(name).is_some() => {
            // keeps the subcommands that exist already
            program.mut_subcommand(name, |known| {
                let below: Vec<Command> = known.get_subcommands().cloned().collect();
                command.subcommands(below)
            })
        }
        None => program.subcommand(command),
        Some((above, _)) => {
            let program = match program.find_subcommand(above) {
                Some(_) => program,
                None => program.subcommand(Command::new(above)),
            };
            program.mut_subcommand(above, |known| {
                let own = known.get_arguments().next().is_some();
                let known = known.subcommand(command);
                if own {
                    known
                        .args_conflicts_with_subcommands(true)
                        .subcommand_negates_reqs(true)
                } else {
                    known.subcommand_required(true).arg_required_else_help(true)
                }
            })
        }
    }
}

/// Returns the name of the command that was given (one or two words) and its arguments.
pub fn command_and_matches(matches: &ArgMatches) -> (String, &ArgMatches) {
    let mut name = String::new();
    let mut at = matches;
    while let Some((word, below)) = at.subcommand() {
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        at = below;
    }
    (name, at)
}

/// Extracts what is wrong from clap's message, without usage, tips and blank lines.
pub fn error_sentence(message: &str) -> String {
    let wanted: Vec<&str> = message_parts(message)
        .filter(|line| !line.starts_with(TIP_MARK))
        .collect();
    wanted.join(" ").trim_start_matches("error: ").to_string()
}

/// Extracts the tips from clap's message.
pub fn extract_tips(message: &str) -> Vec<String> {
    let tips = message_parts(message).filter_map(|line| line.strip_prefix(TIP_MARK));
    tips.map(|tip| tip.trim().to_string()).collect()
}

const TIP_MARK: &str = "tip:";

fn message_parts(message: &str) -> impl Iterator<Item = &str> {
    let lines = message
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    lines
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_question::{Control, QueryError};

    /// Returns every example of the help, and every question in `sentences.txt`.
    fn questions() -> Vec<Query> {
        let lines = flipcost_all::descriptions()
            .into_iter()
            .flat_map(|one| one.examples);
        // arguments that are not fields of the question say how its answer is shown
        let asked = lines.filter_map(|line| {
            // the rule in the examples is the one that `rule new` prints
            let rule = concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/src/new.rhai");
            let words = line.split(' ').map(|word| word.replace("my.rhai", rule));
            let words = words.map(OsString::from);
            query_from_words([OsString::from("flipcost")].into_iter().chain(words)).ok()
        });
        let text = include_str!("../../all/tests/sentences.txt");
        let read = text.split("\n\n").filter_map(|block| {
            let question = block.lines().next()?;
            flipcost_all::from_json(question).ok()
        });
        asked.chain(read).collect()
    }

    #[test]
    fn a_printed_command_line_is_parsed_as_the_same_question() {
        let all = questions();
        assert!(all.len() > 200, "{}", all.len());
        for query in all {
            let line = query.command();
            let words = line.words().iter().map(OsString::from);
            let read = query_from_words([OsString::from("flipcost")].into_iter().chain(words));
            if read.as_ref() != Ok(&query) {
                // a question whose answer is an error need not have a command line
                let refused = query.answer(&Control::default());
                assert!(
                    matches!(refused, Err(QueryError::Input(_))),
                    "{line}: {read:?}"
                );
            }
            let json = query.to_json();
            assert_eq!(flipcost_all::from_json(&json).unwrap(), query, "{json}");
        }
    }

    #[test]
    fn every_question_can_be_asked() {
        let all = questions();
        for description in flipcost_all::descriptions() {
            assert!(
                all.iter().any(|query| query.ask() == description.ask),
                "no example asks {}",
                description.ask
            );
        }
    }
}
