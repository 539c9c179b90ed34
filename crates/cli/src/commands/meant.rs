//! What a command line that cannot be read was probably meant to be.

use super::phrases;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use flipcost::task::coin_weights;
use flipcost_question::{ArgumentKind, Control, Door, Sides, find_renamed, nearest};
use flipcost_terminal::first_word::is_target;
use flipcost_terminal::question::{asked_by, commands, one_sentence, query_of, tips};
use std::ffi::OsString;
use std::path::Path;

/// The line that was probably meant by one with a value that cannot be read.
pub fn by_values(program: &clap::Command, typed: &[String]) -> Option<String> {
    let words: Vec<&str> = typed[1..].iter().map(String::as_str).collect();
    let is_read = phrases::line_of(program, &words).is_some();
    (!is_read).then(|| phrases::meant(program, typed))?
}

/// What is wrong with the words, the program's name being the first, with the line that was probably meant, and tips.
pub fn explain(
    program: &clap::Command,
    error: &clap::Error,
    typed: &[String],
) -> (String, Vec<String>) {
    if let Some(renamed) = renamed(error, typed) {
        return (renamed, Vec::new());
    }
    let text = error.to_string();
    let word = match error
        .get(ContextKind::InvalidArg)
        .or(error.get(ContextKind::InvalidSubcommand))
    {
        Some(ContextValue::String(word)) => word,
        _ => {
            let missing = error.kind() == ErrorKind::MissingRequiredArgument;
            let more = missing.then(|| phrases::completed(program, error, typed));
            let more = more.flatten().unwrap_or_default();
            return (one_sentence(&text) + more.as_str(), tips(&text));
        }
    };
    let unknown = format!("unexpected argument '{word}' found");
    let meant = match error.kind() {
        ErrorKind::UnknownArgument if is_without_source(word, typed) => Some(format!(
            "a source is missing after '{word}', as in `flipcost d7 from d6`"
        )),
        ErrorKind::UnknownArgument => {
            let line = phrases::meant(program, typed).or_else(|| names(program, typed));
            let line = line.or_else(|| line_with_option(program, word, typed));
            line.map(|line| format!("{unknown}: did you mean `{line}`?"))
        }
        ErrorKind::InvalidSubcommand => match phrases::meant(program, typed) {
            Some(line) => Some(format!("\"{word}\" is no command: did you mean `{line}`?")),
            None => below(program, word, typed)
                .or_else(|| {
                    names(program, typed)
                        .map(|line| format!("\"{word}\" is no command: did you mean `{line}`?"))
                })
                .or_else(|| first_word(program, word, typed)),
        },
        ErrorKind::ArgumentConflict if error.get(ContextKind::InvalidSubcommand).is_some() => {
            let line = line_with_option(program, word, typed);
            line.map(|line| format!("{unknown}: did you mean `{line}`?"))
        }
        ErrorKind::InvalidValue => phrases::meant(program, typed)
            .map(|line| format!("{}: did you mean `{line}`?", one_sentence(&text))),
        _ => None,
    };
    if let Some(meant) = meant {
        return (meant, Vec::new());
    }
    if error.kind() == ErrorKind::UnknownArgument {
        // an option is seldom meant as a value
        let tips = tips(&text).into_iter();
        return (
            unknown,
            tips.filter(|tip| !tip.contains(" as a value")).collect(),
        );
    }
    let mut tips = tips(&text);
    if error.kind() == ErrorKind::InvalidSubcommand && tips.is_empty() {
        let names = program.get_subcommands().map(clap::Command::get_name);
        tips.push(match nearest(word, names) {
            Some(near) => format!("did you mean '{near}'?"),
            None => "`flipcost help all` lists all commands".to_string(),
        });
    }
    if let (true, Some(ContextValue::String(value)), Some(ContextValue::Strings(known))) = (
        tips.is_empty(),
        error.get(ContextKind::InvalidValue),
        error.get(ContextKind::ValidValue),
    ) && let Some(near) = nearest(value, known.iter().map(String::as_str))
    {
        tips.push(format!("did you mean '{near}'?"));
    }
    let mut sentence = one_sentence(&text);
    if tips.is_empty() && word.starts_with(['[', '<']) {
        sentence += &phrases::example(typed, &[]).unwrap_or_default();
    }
    (sentence, tips)
}

/// The command that was probably meant below another, as in `list algorithm`.
fn below(program: &clap::Command, word: &str, typed: &[String]) -> Option<String> {
    let parent = typed.get(1).filter(|parent| *parent != word)?;
    let names = program.find_subcommand(parent)?.get_subcommands();
    let near = nearest(word, names.map(clap::Command::get_name))?;
    Some(format!(
        "\"{word}\" is no such command: did you mean `flipcost {parent} {near}`?"
    ))
}

/// What a first word that is no command is about: a target that cannot be read, or what the words say.
fn first_word(program: &clap::Command, word: &str, typed: &[String]) -> Option<String> {
    let words = typed[1..].iter().map(String::as_str);
    let words = words.filter(|other| !other.starts_with('-') && *other != "help");
    let first = words.clone().next()?;
    // also of what stands in quotes
    let words = words.flat_map(str::split_whitespace);
    if word == first && Path::new(word).is_file() {
        return Some(format!(
            "\"{word}\" is no command: a file with weights is written @FILE, as in `flipcost @{word}`"
        ));
    }
    let is_number = |c: char| c.is_ascii_digit() || "(.-".contains(c);
    let rest = word.strip_prefix(['d', 'D', 'p']).unwrap_or(word);
    if word == first && (rest.starts_with(is_number) || word.contains(['=', ':', '('])) {
        let read = flipcost_all::read("cost", vec![("target".to_string(), word.into())]);
        return Some(read.err()?.render(Door::Terminal));
    }
    let what = if word == first {
        "is no command and no target"
    } else {
        "is no such command"
    };
    let (mut targets, mut topics) = (Vec::new(), Vec::new());
    for word in words {
        match coin_weights(word) {
            Some((heads, tails)) => targets.push(format!("{heads}:{tails}")),
            None if is_target(word) => targets.push(word.to_string()),
            None => topics.push(word),
        }
    }
    let target = targets.last().map_or("6", String::as_str);
    let Some((topic, about)) = lines_about(&topics) else {
        let by_rule = ["", "word:32"].into_iter().find_map(|source| {
            let fields = [("target", target), ("algorithms", word), ("source", source)];
            let fields = fields.iter().filter(|(_, value)| !value.is_empty());
            let fields = fields.map(|(name, value)| (name.to_string(), (*value).into()));
            let query = flipcost_all::read("cost", fields.collect()).ok()?;
            let is_answered = query.answer(&Control::default()).is_ok();
            is_answered.then(|| query.command().to_string())
        });
        let line = by_rule.filter(|_| !targets.is_empty()).or(named(word))?;
        return Some(format!("\"{word}\" {what}: did you mean `{line}`?"));
    };
    let shown = about.into_iter().filter_map(|(line, what)| {
        let with = |target: &str| {
            let words = phrases::words_of(line).into_iter().map(|word| match word {
                "N" => target,
                "WORD" => topic,
                word => word,
            });
            phrases::line_of(program, &words.collect::<Vec<_>>())
        };
        // a range is no target of some
        let words = with(target).or_else(|| with("6"));
        let what = what.replace(" N ", &format!(" {target} "));
        Some(format!("`{}` ({what})", words?))
    });
    let shown = shown.collect::<Vec<_>>().join("; ");
    Some(format!("\"{word}\" {what}: {shown}"))
}

/// A roll among names, as in `roll alice bob carol`.
fn names(program: &clap::Command, typed: &[String]) -> Option<String> {
    let names: Vec<&str> = typed.get(2..)?.iter().map(String::as_str).collect();
    let is_name = |name: &&str| name.len() > 1 && name.chars().all(char::is_alphabetic);
    if !["roll", "pick", "choose", "draw"].contains(&typed[1].as_str())
        || names.len() < 2
        || !names.iter().all(is_name)
        || lines_about(&names).is_some()
    {
        return None;
    }
    let weights: Vec<String> = names.iter().map(|name| format!("\"{name}\": 1")).collect();
    phrases::line_of(program, &["roll", &format!("{{{}}}", weights.join(", "))])
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

/// The first of these topics that is known, by the order of the list of meanings, and its lines, each with what it does.
fn lines_about<'a>(topics: &[&'a str]) -> Option<(&'a str, Vec<(&'static str, &'static str)>)> {
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

/// That a command or an option has another name now.
fn renamed(error: &clap::Error, typed: &[String]) -> Option<String> {
    let words = typed[1..].iter().map(String::as_str);
    let mut words = words.filter(|word| !word.starts_with('-') && *word != "help");
    let (first, second) = (words.next()?, words.next());
    // of a range there is no tree and no table
    if second.is_some_and(|second| second.contains("..")) {
        return None;
    }
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
            "there is no {kind} `{name}`: `flipcost {line}` does it"
        ))
    });
    found.next()
}

/// The words behind which a source stands.
const JOINTS: [&str; 3] = ["from", "with", "using"];

fn is_without_source(word: &str, typed: &[String]) -> bool {
    JOINTS.contains(&word) && typed.last().is_some_and(|last| last == word)
}

/// The line without `--list`, or with the option that the word is probably the value of: a target
/// before all others.
fn line_with_option(program: &clap::Command, word: &str, typed: &[String]) -> Option<String> {
    let at = typed.iter().rposition(|other| other == word)?;
    // several numbers are a list: 6 10 20
    let is_number = |other: &&String| other.parse::<Sides>().is_ok();
    let count = typed[at..].iter().take_while(is_number).count().max(1);
    let list = typed[at..at + count].join(",");
    let rest: Vec<&str> = (typed[1..at].iter().chain(&typed[at + count..]))
        .map(String::as_str)
        .collect();
    // terms that are one list
    if let ["oeis", command, first] = rest[..] {
        let line = ["oeis", command, &format!("{first},{list}")];
        return phrases::line_of(program, &line);
    }
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
    let range = word.split_once("..").map(|(from, to)| {
        let to = to.trim_start_matches('=');
        [&rest[..], &["--from", from, "--to", to]].concat()
    });
    if let Some(line) =
        range.and_then(|words| read(&words).or_else(|| phrases::line_of(program, &words)))
    {
        return Some(line);
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
    // words are no rolls
    if list.starts_with('-') || !list.contains(|c: char| c.is_ascii_digit()) {
        flags.retain(|flag| flag != "--input");
    }
    flags.sort_by_key(|flag| !["--target", "--draw"].contains(&flag.as_str()));
    let mut lines = flags
        .iter()
        .filter_map(|flag| read(&[&rest[..], &[flag, &list]].concat()));
    lines.next()
}
