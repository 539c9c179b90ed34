//! Prints the command line of a question.

use super::{ArgumentKind, Description, GivenField};
use crate::CommandLine;
use crate::sentence::json_text;
use serde_json::Value;

/// Returns the value as it is written in a command line. The text of a file is replaced by the name
/// of the file, which is the first line of the text.
fn name_or_value(value: &Value) -> String {
    let text = json_text(value);
    match text.split_once('\n') {
        Some((name, _)) => name.to_string(),
        None => text,
    }
}

/// Returns the command line that asks the question: first the positional arguments, then the
/// options that differ from their defaults, both in the order of the fields.
pub fn command_line(description: &Description, given: &[GivenField]) -> CommandLine {
    let mut line = CommandLine {
        words: description.command.split(' ').map(String::from).collect(),
    };
    let about = |given: &GivenField| {
        let field = description.field(given.name);
        field.expect("every field is described")
    };
    let values = |given: &GivenField| match given.value.as_ref() {
        None => Vec::new(),
        Some(Value::Array(all)) => all.iter().map(name_or_value).collect(),
        Some(value) => vec![name_or_value(value)],
    };
    let by_place = |place| matches!(place, ArgumentKind::Word | ArgumentKind::Target);
    // A value that could be mistaken for an option comes last.
    let mut last = Vec::new();
    for field in given
        .iter()
        .filter(|field| by_place(about(field).argument.place))
    {
        for word in values(field) {
            if word.starts_with('-') {
                last.push(word)
            } else {
                line.words.push(word)
            }
        }
    }
    for field in given
        .iter()
        .filter(|field| !field.usual || about(field).argument.printed)
    {
        let about = about(field);
        let name = about.flag();
        let values = values(field);
        match about.argument.place {
            ArgumentKind::Word | ArgumentKind::Target => {}
            ArgumentKind::Flag => line
                .words
                .extend(values.iter().map(|_| format!("--{name}"))),
            ArgumentKind::Option if about.argument.each => {
                values.iter().for_each(|value| line.option(&name, value));
            }
            ArgumentKind::Option if values.is_empty() => {}
            ArgumentKind::Option => line.option(&name, &values.join(",")),
        }
    }
    if !last.is_empty() {
        line.words.push("--".to_string());
        line.words.append(&mut last);
    }
    line
}
