//! Lines that cannot be read, with what people call things in place of what they are called here.

use super::help::examples;
use clap::error::{ContextKind, ContextValue};
use flipcost_question::Control;
use flipcost_terminal::first_word::{spelled, with_command};
use flipcost_terminal::question;
use flipcost_terminal::short_forms::in_full;
use std::ffi::OsString;

/// The line that was probably meant: one with a phrase of the list in it, if it can be read.
pub fn meant(program: &clap::Command, typed: &[String]) -> Option<String> {
    // --name=value as two words
    let words = typed[1..]
        .iter()
        .flat_map(|word| match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => vec![name, value],
            _ => vec![word.as_str()],
        });
    let words: Vec<&str> = words.collect();
    // also of a sentence in quotes
    let parts: Vec<&str> = words
        .iter()
        .flat_map(|word| word.split_whitespace())
        .collect();
    meant_by(program, &words).or_else(|| meant_by(program, &parts))
}

fn meant_by(program: &clap::Command, words: &[&str]) -> Option<String> {
    let phrases = include_str!("../../data/phrases.txt").lines();
    let mut phrases = phrases.filter_map(|line| line.split_once(" =>"));
    phrases.find_map(|(phrase, meant)| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        let mut places = (0..words.len()).filter_map(|at| {
            let end = at + phrase.len();
            let values = captured(&phrase, words.get(at..end)?)?;
            let meant = words_of(meant).into_iter();
            let meant: Vec<String> = meant.map(|word| filled(word, &values)).collect();
            let meant = meant.iter().map(String::as_str);
            let line = words[..at].iter().copied().chain(meant);
            line_of(
                program,
                &line.chain(words[end..].iter().copied()).collect::<Vec<_>>(),
            )
        });
        places.next()
    })
}

/// The words of a line, where what stands in quotes is one.
pub fn words_of(line: &str) -> Vec<&str> {
    let quoted = line.split('\'').enumerate();
    let words = quoted.flat_map(|(i, part)| match i % 2 {
        1 => vec![part],
        _ => part.split_whitespace().collect(),
    });
    words.collect()
}

/// The words or parts of words that a phrase leaves open.
const OPEN: [char; 3] = ['A', 'B', 'C'];

/// What stands for them where the words are those of a phrase.
fn captured<'a>(phrase: &[&str], words: &[&'a str]) -> Option<[&'a str; 3]> {
    let mut values = [""; 3];
    for (part, word) in phrase.iter().zip(words) {
        match part.find(OPEN) {
            Some(at) => {
                let (before, value) = word.split_at_checked(at)?;
                let value = value.strip_suffix(&part[at + 1..])?;
                let is_other = !before.eq_ignore_ascii_case(&part[..at]);
                if is_other || value.is_empty() || value.starts_with('-') {
                    return None;
                }
                values[OPEN.iter().position(|open| part[at..].starts_with(*open))?] = value;
            }
            _ if part.eq_ignore_ascii_case(word) => {}
            _ => return None,
        }
    }
    Some(values)
}

/// A word of what is meant, with the values of what a phrase leaves open.
fn filled(word: &str, values: &[&str; 3]) -> String {
    let fill = |c: char| match OPEN.iter().position(|open| *open == c) {
        Some(place) => values[place].to_string(),
        None => c.to_string(),
    };
    word.chars().map(fill).collect()
}

/// The line of these words as it would be typed, if it can be read.
pub fn line_of(program: &clap::Command, words: &[&str]) -> Option<String> {
    let all = ["flipcost"].iter().chain(words).map(OsString::from);
    let all: Vec<OsString> = all.collect();
    let all = with_command(&all).unwrap_or(all);
    let asked = program
        .clone()
        .try_get_matches_from(in_full(all.clone()).ok()?);
    let is_read = match asked {
        Ok(matches) => {
            let (name, below) = question::path(&matches);
            !question::commands().contains(&name.as_str())
                || question::read(&name, below, Vec::new()).is_ok_and(|query| {
                    // a formula is read for its answer
                    name != "law" || query.answer(&Control::default()).is_ok()
                })
        }
        // help is an error that is none
        Err(error) => !error.use_stderr(),
    };
    is_read.then(|| spelled(&all))
}

/// How a line goes on that lacks something: the line with a flag that is missing, or an example with what is missing.
pub fn completed(program: &clap::Command, error: &clap::Error, typed: &[String]) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let names = missing.iter().filter(|one| one.starts_with("--"));
    let flags = names.clone().filter(|one| !one.contains(' '));
    let words = typed[1..].iter().chain(flags).map(String::as_str);
    let line = words.collect::<Vec<_>>();
    if let Some(line) = line_of(program, &line) {
        return Some(format!(": did you mean `{line}`?"));
    }
    let names: Vec<&str> = names.filter_map(|one| one.split(' ').next()).collect();
    example(typed, &names)
}

/// An example of the command of a line that has these options.
pub fn example(typed: &[String], options: &[&str]) -> Option<String> {
    let words = typed[1..].iter().map(String::as_str);
    let plain: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
    let named = |name: &str| {
        let mut parts = name.split(' ').zip(&plain);
        name.split(' ').count() <= plain.len() && parts.all(|(part, word)| part == *word)
    };
    let (_, lines) = examples().into_iter().rfind(|(name, _)| named(name))?;
    let has = |line: &str, option: &str| {
        let short = &option[1..3];
        line.split(' ').any(|word| word == option || word == short)
    };
    let mut lines = lines.into_iter();
    let line = lines.find(|line| options.iter().all(|option| has(line, option)))?;
    Some(format!(", as in `flipcost {line}`"))
}
