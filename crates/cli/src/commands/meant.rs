//! What a command line that cannot be read was probably meant to be.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use flipcost_question::{ArgumentKind, Control, Door, find_renamed};
use flipcost_terminal::first_word::is_target;
use flipcost_terminal::question::{asked_by, commands, one_sentence, query_of, tips};
use std::ffi::OsString;

/// What is wrong with the words, the program's name being the first, with the line that was probably meant, and tips.
pub fn explain(error: &clap::Error, typed: &[String]) -> (String, Vec<String>) {
    if let Some(renamed) = renamed(error, typed) {
        return (renamed, Vec::new());
    }
    let text = error.to_string();
    let word = match error
        .get(ContextKind::InvalidArg)
        .or(error.get(ContextKind::InvalidSubcommand))
    {
        Some(ContextValue::String(word)) => word,
        _ => return (one_sentence(&text), tips(&text)),
    };
    let meant = match error.kind() {
        ErrorKind::UnknownArgument => line(word, typed)
            .map(|line| format!("unexpected argument '{word}' found: did you mean `{line}`?")),
        ErrorKind::InvalidSubcommand => first_word(word, typed),
        _ => None,
    };
    match meant {
        Some(meant) => (meant, Vec::new()),
        None => (one_sentence(&text), tips(&text)),
    }
}

/// What a first word that is no command is about: a target that cannot be read, or what the words say.
fn first_word(word: &str, typed: &[String]) -> Option<String> {
    let mut words = typed[1..].iter().filter(|other| !other.starts_with('-'));
    if words.find(|other| *other != "help")? != word {
        return None;
    }
    let is_number = |c: char| c.is_ascii_digit() || "(.-".contains(c);
    let rest = word.strip_prefix(['d', 'D', 'p']).unwrap_or(word);
    if rest.starts_with(is_number) || word.contains(['=', ':', '(']) {
        let read = flipcost_all::read("cost", vec![("target".to_string(), word.into())]);
        return Some(read.err()?.render(Door::Terminal));
    }
    let own = lines_about(word);
    if let (None, Some(line)) = (&own, named(word)) {
        return Some(format!(
            "\"{word}\" is no command and no target: did you mean `{line}`?"
        ));
    }
    let target = typed[1..].iter().find(|word| is_target(word));
    let target = target.map_or("6", String::as_str);
    let mut about = own.or_else(|| typed[1..].iter().find_map(|word| lines_about(word)))?;
    let shown = about.iter_mut().map(|(line, what)| {
        let words = line
            .split(' ')
            .map(|word| if word == "N" { target } else { word });
        format!(
            "`flipcost {}` ({what})",
            words.collect::<Vec<_>>().join(" ")
        )
    });
    let shown = shown.collect::<Vec<_>>().join("; ");
    Some(format!("\"{word}\" is no command and no target: {shown}"))
}

/// The line about what has this name: a sequence, an algorithm, a function or a language of a library.
fn named(word: &str) -> Option<String> {
    let lines = [
        ("sequence", "id"),
        ("list algorithms", "algorithm"),
        ("libraries", "word"),
    ];
    lines.into_iter().find_map(|(command, name)| {
        let ask = command.replace(' ', "-");
        let query = flipcost_all::read(&ask, vec![(name.to_string(), word.into())]).ok()?;
        let answer = query.answer(&Control::default()).ok()?;
        (!answer.rows.is_empty()).then(|| query.command().to_string())
    })
}

/// The lines that are about a word, each with what it does.
fn lines_about(word: &str) -> Option<Vec<(&'static str, &'static str)>> {
    let word = word
        .trim_matches(|c: char| ",.?!\"".contains(c))
        .to_lowercase();
    let lines = include_str!("../../data/meanings.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let mut lines = lines
        .skip_while(|line| line.starts_with(' ') || !line.split(' ').any(|known| known == word));
    lines.next()?;
    let below = lines.map_while(|line| line.strip_prefix("  ")?.rsplit_once(": "));
    Some(below.map(|(line, what)| (line, what)).collect())
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
    if word == "--from" {
        let source = typed[1..]
            .iter()
            .map(|other| if other == word { "--source" } else { other });
        return read(&source.collect::<Vec<_>>());
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
    flags.sort_by_key(|flag| !["--target", "--draw"].contains(&flag.as_str()));
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
