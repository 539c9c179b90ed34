//! Explains a command line that cannot be parsed: clap's sentence and tips, the most similar name,
//! and, for a first word that is not a command, the command lines that the user probably meant.

use super::help::examples;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use flipcost::task::{Source, coin_weights};
use flipcost_question::nearest;
use flipcost_terminal::first_word::is_target;
use flipcost_terminal::question::{error_sentence, extract_tips};
use std::path::Path;

/// The words that precede a source.
const SOURCE_WORDS: [&str; 3] = ["from", "with", "using"];

/// Returns a sentence that says what is wrong with the command line, and tips. `typed` holds the
/// words of the command line, beginning with the program's name.
pub fn explain_parse_error(
    program: &clap::Command,
    error: &clap::Error,
    typed: &[String],
) -> (String, Vec<String>) {
    let text = error.to_string();
    let mut tips = extract_tips(&text);
    let value = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let (sentence, nearest) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = value(ContextKind::InvalidSubcommand).unwrap_or_default();
            if typed.get(1).is_some_and(|first| first == word)
                && let Some(sentence) = explain_first_word(word, typed)
            {
                return (sentence, Vec::new());
            }
            let parent = typed
                .get(1)
                .and_then(|first| program.find_subcommand(first));
            let names = parent.unwrap_or(program).get_subcommands();
            (
                error_sentence(&text),
                nearest(word, names.map(clap::Command::get_name)),
            )
        }
        ErrorKind::UnknownArgument => {
            let word = value(ContextKind::InvalidArg).unwrap_or_default();
            if SOURCE_WORDS.contains(&word) && typed.last().is_some_and(|last| last == word) {
                let sentence =
                    format!("a source is missing after '{word}', as in `flipcost d7 from d6`");
                return (sentence, Vec::new());
            }
            // drops clap's tip for passing the option as a value, which is rarely what the user
            // meant
            tips.retain(|tip| !tip.contains(" as a value"));
            if let Some(option) = option_for_value(program, typed, word) {
                tips = vec![format!("did you mean '{option} {word}'?")];
            } else if tips.is_empty()
                && word.starts_with("--")
                && let Some(lines) = suggest_lines(&[word], &typed[1..])
            {
                tips.push(format!("did you mean {lines}?"));
            }
            (format!("unexpected argument '{word}' found"), None)
        }
        ErrorKind::InvalidValue => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(known)) => {
                let word = value(ContextKind::InvalidValue).unwrap_or_default();
                (
                    error_sentence(&text),
                    nearest(word, known.iter().map(String::as_str)),
                )
            }
            _ => (error_sentence(&text), None),
        },
        _ => (error_sentence(&text), None),
    };
    if tips.is_empty()
        && let Some(near) = nearest
    {
        tips.push(format!("did you mean '{near}'?"));
    }
    if tips.is_empty() {
        match error.kind() {
            ErrorKind::InvalidSubcommand => {
                tips.push("`flipcost help all` lists all commands".to_string());
            }
            ErrorKind::UnknownArgument | ErrorKind::MissingRequiredArgument => {
                tips.extend(example_tip(typed));
            }
            _ => {}
        }
    }
    (sentence, tips)
}

/// Shows the first example of the command that was typed.
fn example_tip(typed: &[String]) -> Option<String> {
    let line = typed[1..].join(" ");
    let (_, lines) = (examples().into_iter())
        .find(|(name, _)| line == *name || line.starts_with(&format!("{name} ")))?;
    Some(format!("an example: `flipcost {}`", lines.first()?))
}

/// Explains a first word that is not a command: it may be a file, a target that cannot be read, or
/// a word in the list of meanings.
fn explain_first_word(word: &str, typed: &[String]) -> Option<String> {
    if Path::new(word).is_file() {
        return Some(format!(
            "\"{word}\" is not a command: a file with weights is written @FILE, as in `flipcost @{word}`"
        ));
    }
    let is_number = |c: char| c.is_ascii_digit() || "(.-".contains(c);
    let rest = word.strip_prefix(['d', 'D', 'p']).unwrap_or(word);
    if rest.starts_with(is_number) || word.contains(['=', ':', '(']) {
        let read = flipcost_all::read("cost", vec![("target".to_string(), word.into())]);
        return Some(read.err()?.render(flipcost_all::terminal()));
    }
    let topics = typed[1..].iter().flat_map(|word| word.split_whitespace());
    let lines = suggest_lines(&topics.collect::<Vec<_>>(), &typed[1..])?;
    Some(format!(
        "\"{word}\" is not a command and not a target: {lines}"
    ))
}

/// Returns the option of the typed command that takes the word: a file if the word is the name of a
/// file, a source if it is a die.
fn option_for_value(program: &clap::Command, typed: &[String], word: &str) -> Option<String> {
    let mut command = program;
    for word in &typed[1..] {
        match command.find_subcommand(word) {
            Some(below) => command = below,
            None => break,
        }
    }
    let is_die = word.starts_with(['d', 'D']) && word.parse::<Source>().is_ok();
    let is_file = Path::new(word)
        .extension()
        .and_then(|extension| extension.to_str())
        // 2..100 is a range
        .is_some_and(|extension| extension.starts_with(|c: char| c.is_ascii_alphabetic()));
    let takes_word = |argument: &&clap::Arg| {
        let names = argument.get_value_names().unwrap_or_default();
        let takes_file = names.iter().any(|name| name == "FILE") && argument.get_id() != "output";
        is_file && takes_file || is_die && argument.get_id() == "source"
    };
    let option = command.get_arguments().find(takes_word)?;
    Some(format!("--{}", option.get_long()?))
}

/// Returns the suggested lines for the first known topic, filled in with the target among the
/// words.
fn suggest_lines(topics: &[&str], typed: &[String]) -> Option<String> {
    let mut target = "6".to_string();
    let mut others = Vec::new();
    for word in typed.iter().flat_map(|word| word.split_whitespace()) {
        match coin_weights(word) {
            Some((heads, tails)) => target = format!("{heads}:{tails}"),
            // a suggested line has room for one target, so a range is not filled in
            None if is_target(word) && !word.contains("..") => target = word.to_string(),
            None => others.push(word),
        }
    }
    let topics: Vec<&str> = (topics.iter().copied())
        .filter(|topic| others.contains(topic))
        .collect();
    let (topic, lines) = lines_for_topic(&topics)?;
    let shown = lines.into_iter().map(|(line, about)| {
        let line = line.split(' ').map(|word| match word {
            "N" => target.as_str(),
            "WORD" => topic,
            word => word,
        });
        let line = line.collect::<Vec<_>>().join(" ");
        let about = about.replace(" N ", &format!(" {target} "));
        format!("`flipcost {line}` ({about})")
    });
    Some(shown.collect::<Vec<_>>().join("; "))
}

/// Returns the first topic in the list of meanings that is among these, with the command lines
/// below it and what each of them does.
fn lines_for_topic<'a>(topics: &[&'a str]) -> Option<(&'a str, Vec<(&'static str, &'static str)>)> {
    let plain = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphabetic() && !"+#".contains(c));
        word.to_lowercase()
    };
    let mut lines = include_str!("../../data/meanings.txt").lines();
    let topic = lines.find_map(|line| {
        let mut known = line.split(' ').filter(|_| !line.starts_with([' ', '#']));
        let find = |known: &str| topics.iter().copied().find(|topic| plain(topic) == known);
        known.find_map(find)
    })?;
    let below = lines.map_while(|line| line.strip_prefix("  ")?.rsplit_once(": "));
    Some((topic, below.collect()))
}
