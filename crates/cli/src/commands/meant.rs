//! What a command line that cannot be read was probably meant to be.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use flipcost_question::{ArgumentKind, find_renamed};
use flipcost_terminal::question::{asked_by, commands, one_sentence, query_of};
use std::ffi::OsString;

/// What is wrong with the words, the program's name being the first, and the line that was probably
/// meant.
pub fn sentence(error: &clap::Error, typed: &[String]) -> String {
    if let Some(renamed) = renamed(error, typed) {
        return renamed;
    }
    let said = one_sentence(&error.to_string());
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return said;
    };
    match line(word, typed) {
        Some(line) => format!("unexpected argument '{word}' found: did you mean `{line}`?"),
        None => said,
    }
}

/// That a command or an option has another name now.
fn renamed(error: &clap::Error, typed: &[String]) -> Option<String> {
    let words = typed[1..].iter().map(String::as_str);
    let mut words = words.filter(|word| !word.starts_with('-') && *word != "help");
    let (first, second) = (words.next()?, words.next());
    let option = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) => Some(option),
        _ => None,
    };
    let names = [
        option.map(|option| (format!("{first} {option}"), "option")),
        second.map(|second| (format!("{first} {second}"), "command")),
        Some((first.to_string(), "command")),
    ];
    let mut found = names.into_iter().flatten().filter_map(|(name, kind)| {
        let line = find_renamed(&name)?.line;
        Some(format!(
            "there is no {kind} `{name}` any more: `flipcost {line}` does the same"
        ))
    });
    found.next()
}

/// The line without `--list`, or with the option that the word is probably the value of: a target
/// before all others.
fn line(word: &str, typed: &[String]) -> Option<String> {
    let at = typed.iter().rposition(|other| other == word)?;
    let rest: Vec<&str> = (typed[1..at].iter().chain(&typed[at + 1..]))
        .map(String::as_str)
        .collect();
    let read = |words: &[&str]| {
        let all = ["flipcost"].iter().chain(words).map(OsString::from);
        Some(query_of(all).ok()?.command().to_string())
    };
    if word == "--list" {
        return read(&rest);
    }
    let command = commands().into_iter().find(|name| {
        let mut words = name.split(' ').zip(&rest);
        rest.len() >= name.split(' ').count() && words.all(|(name, word)| name == *word)
    })?;
    let fields = asked_by(command).flat_map(|question| &question.fields);
    let mut flags: Vec<String> = fields
        .filter(|field| field.argument.place == ArgumentKind::Option)
        .map(|field| format!("--{}", field.flag()))
        .filter(|flag| !rest.contains(&flag.as_str()))
        .collect();
    flags.sort_by_key(|flag| !flag.starts_with("--target"));
    let range = word.split_once("..").and_then(|(from, to)| {
        read(
            &[
                &rest[..],
                &["--from", from, "--to", to.trim_start_matches('=')],
            ]
            .concat(),
        )
    });
    range.or_else(|| {
        let mut lines = flags
            .iter()
            .filter_map(|flag| read(&[&rest[..], &[flag, word]].concat()));
        lines.next()
    })
}
