//! Writes `flipcost.questions` for Python, with a function for every question, from the
//! descriptions of the questions.
//!
//! After a change of a question, `UPDATE=1 cargo test -p flipcost-all --test it python` writes the
//! file again.

use flipcost_question::description::{FieldAbout, python_name};
use flipcost_question::{ArgumentKind, Arity, Control, Description, FieldDefault};
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = r#""""Every question of flipcost as a function of its fields, whose answer is a table.

`flipcost` has the same functions, except under three names: `flipcost.roll` returns one outcome,
`flipcost.sequence` an object with terms, and `flipcost.cite` a text.

This file is written by `UPDATE=1 cargo test -p flipcost-all --test it python`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsIndex

from . import _arguments as given
from ._ask import asked
from ._table import Answer
from ._types import (
    AlgorithmLike,
    AlgorithmsLike,
    AtLike,
    DiceLike,
    ExactLike,
    Executor,
    LoadLike,
    NaturalLike,
    NumbersLike,
    PathLike,
    PricesLike,
    RuleLike,
    SettingsLike,
    SourceLike,
    TargetLike,
    TargetsLike,
    TermsLike,
    WantedLike,
)
"#;

/// Functions with these names are written by hand in the Python package.
const HAND_WRITTEN_FUNCTIONS: [&str; 3] = ["cite", "roll", "sequence"];
/// The maximal length of a line, in characters.
const WIDTH: usize = 100;

/// The arguments of every function in addition to the fields of its question: the name, the type,
/// how the value is parsed, and the description.
const VIEW_ARGUMENTS: [(&str, &str, &str, &str); 2] = [
    (
        "top",
        "SupportsIndex",
        "maybe",
        "Only the first rows, at most this many",
    ),
    (
        "by",
        "str",
        "text",
        "Sort the rows by this column, largest first; a minus before its name sorts them smallest first",
    ),
];

/// A field as an argument of a function.
struct Argument<'a> {
    field: &'a FieldAbout,
    name: String,
    /// The type of the argument in Python. A target that is single in one question and a list in
    /// another has both types.
    python: &'static str,
    /// Whether the argument is the negation of the field, as `split` is of `no_split`.
    is_negation: bool,
    /// Whether all questions of this name have the field, with the same default.
    everywhere: bool,
    /// The choices of the field, from all of these questions.
    choices: Vec<&'static str>,
}

impl Argument<'_> {
    fn new<'a>(field: &'a FieldAbout, questions: &[&Description]) -> Argument<'a> {
        let flag = field.value.shape == Arity::Flag;
        let is_negation = field.name.strip_prefix("no_").filter(|_| flag);
        let name = field.argument.python.or(is_negation).unwrap_or(field.name);
        let same = |question: &&Description| question.field(field.name).map(|one| one.value.python);
        let is_list = questions
            .iter()
            .filter_map(same)
            .any(|one| one == "WantedLike");
        Argument {
            field,
            name: python_name(name),
            python: match field.value.python {
                "TargetLike" if is_list => "WantedLike",
                python => python,
            },
            is_negation: is_negation.is_some(),
            everywhere: questions.iter().all(|question| {
                (question.field(field.name)).is_some_and(|other| other.usual == field.usual)
            }),
            choices: (questions
                .iter()
                .filter_map(|question| question.field(field.name)))
            .flat_map(|field| (field.value.choices)())
            .map(|choice| choice.name)
            .collect(),
        }
    }

    /// Returns whether the argument is required. A flag that selects the question is also required.
    fn is_required(&self) -> bool {
        self.everywhere && self.field.usual == FieldDefault::Required
    }

    /// Returns whether the argument can be positional. The positional arguments are the subjects of
    /// questions: required fields, positional arguments of the command line, and then those
    /// sources, dice and ranges that are always printed.
    fn is_positional(&self) -> bool {
        let about = &self.field.argument;
        self.is_required()
            || matches!(about.place, ArgumentKind::Word | ArgumentKind::Target)
            || match self.python {
                "SourceLike" | "DiceLike" => true,
                "NumbersLike" | "SupportsIndex" => about.printed,
                _ => false,
            }
    }

    /// Returns the argument in the signature.
    fn declaration(&self) -> String {
        let value = &self.field.value;
        let one = self.python;
        let kind = match (value.shape, one) {
            (Arity::Several, "TargetsLike") if !self.is_required() => {
                format!("SupportsIndex | {one}")
            }
            (Arity::Several, "TargetsLike" | "PricesLike" | "SettingsLike")
            | (Arity::One | Arity::Flag, _) => one.to_string(),
            (Arity::Several, "AlgorithmLike") => "AlgorithmsLike".to_string(),
            (Arity::Several, "str") => "str | Iterable[str]".to_string(),
            (Arity::Several, _) => format!("{one} | Iterable[{one}]"),
        };
        let name = &self.name;
        match (&self.field.usual, value.shape) {
            _ if self.is_required() => format!("{name}: {kind}"),
            (_, Arity::Flag) if self.is_negation => format!("{name}: bool = True"),
            (_, Arity::Flag) => format!("{name}: bool = False"),
            (FieldDefault::Is(usual), _) if self.everywhere => {
                let usual = match one {
                    "SupportsIndex" | "NaturalLike" => usual.clone(),
                    "SourceLike" if usual == "2" => format!("{:?}", "coin"),
                    _ => format!("{usual:?}"),
                };
                format!("{name}: {kind} = {usual}")
            }
            _ => format!("{name}: {kind} | None = None"),
        }
    }

    /// Returns the argument as the function passes it to the question.
    fn passed_value(&self) -> String {
        let (value, name) = (&self.field.value, &self.name);
        let said = match value.shape {
            Arity::Flag if self.is_negation => format!("not given.flag({name}, \"{name}\")"),
            Arity::Flag => format!("given.flag({name}, \"{name}\")"),
            shape => {
                let one = match (self.python, shape) {
                    ("NaturalLike" | "ExactLike", _) => "plain".to_string(),
                    ("str", _) | ("AlgorithmLike", Arity::One) => "text".to_string(),
                    ("SupportsIndex", Arity::Several) => "whole".to_string(),
                    ("SupportsIndex", _) if !self.everywhere => "maybe".to_string(),
                    ("SupportsIndex", _) => match self.field.usual {
                        FieldDefault::Absent | FieldDefault::Depends => "maybe".to_string(),
                        FieldDefault::Required | FieldDefault::Is(_) => "whole".to_string(),
                    },
                    (python, _) => python.trim_end_matches("Like").to_lowercase(),
                };
                let several = shape == Arity::Several && one != "plain" && !one.ends_with('s');
                let s = if several { "s" } else { "" };
                // None must not mean that the subject of a question is left out; if no target is
                // required, a single target becomes a list
                let (value, more) = match (self.python, self.is_required()) {
                    ("TargetLike" | "WantedLike" | "SourceLike", true) => {
                        (format!("given.needed({name}, {name:?})"), "")
                    }
                    ("TargetsLike", false) => (name.clone(), ", one=True"),
                    _ => (name.clone(), ""),
                };
                format!("given.{one}{s}({value}, {name:?}{more})")
            }
        };
        format!("{:?}: {said}", self.field.name)
    }

    fn about(&self, question: &Description) -> String {
        let mut about = text_for_python(question, &self.field.about.join(" "));
        if self.is_negation {
            about.insert_str(0, "False: ");
        }
        if self.field.value.closed && !self.choices.is_empty() {
            let names: Vec<String> = (self.choices.iter())
                .map(|name| format!("`{name}`"))
                .collect();
            write!(about, "; one of {}", names.join(", ")).unwrap();
        }
        format!("{}: {about}", self.name)
    }
}

/// Rewrites a text so that it does not mention the command line. An option is replaced by the name
/// of its field, and sentences that apply only to the command line are left out.
fn text_for_python(question: &Description, text: &str) -> String {
    let sentences = text.split_inclusive(". ");
    let read = |sentence: &str| -> Option<String> {
        let mut said = String::new();
        let mut rest = sentence;
        while let Some(at) = rest.find("--") {
            let (before, option) = rest.split_at(at);
            let letter = |c: char| c.is_ascii_lowercase() || c == '-';
            let end = option.find(|c| !letter(c)).unwrap_or(option.len());
            let name = option[..end].trim_matches('-');
            let mut fields = flipcost_all::descriptions()
                .into_iter()
                .filter(|other| other.command == question.command)
                .flat_map(|other| &other.fields);
            let field = fields.find(|field| field.flag() == name)?;
            let name = Argument::new(field, &[]).name;
            let quote = if before.ends_with('`') { "" } else { "`" };
            write!(said, "{before}{quote}{name}{quote}").unwrap();
            rest = &option[end..];
        }
        said += rest;
        for field in &question.fields {
            if let Some(letter) = field.argument.short {
                let name = Argument::new(field, &[]).name;
                said = said.replace(&format!(" -{letter} "), &format!(" {name} "));
            }
        }
        for other in flipcost_all::descriptions() {
            let name = python_name(other.ask);
            let module = if HAND_WRITTEN_FUNCTIONS.contains(&&*name) {
                ".questions"
            } else {
                ""
            };
            let call = format!("`flipcost{module}.{name}()`");
            said = said.replace(&format!("`flipcost {}`", other.command), &call);
        }
        Some(said)
    };
    let mut said: String = sentences.filter_map(read).collect();
    for (words, python) in WORDS {
        said = said.replace(words, python);
    }
    while let Some((before, rest)) = said.split_once(" [default: ") {
        let (usual, after) = rest.split_once(']').expect("a bracket");
        said = format!("{before}; by default {usual}{after}");
    }
    said.trim_end().to_string()
}

/// Words about what a command prints, and the words about what a function returns.
const WORDS: [(&str, &str); 7] = [
    ("Print ", "Return "),
    ("print ", "return "),
    (" prints", " returns"),
    ("printing ", "returning "),
    ("printed", "returned"),
    ("`rule new`", "`flipcost.rule_new()`"),
    (" for -a rule:FILE", ""),
];

/// Splits an example of a command into its words; quotation marks enclose a word with blanks.
fn words(example: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in example.chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => quote = Some(letter),
            (' ', None) => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(letter),
        }
    }
    words
}

/// Reads an example of a command as fields with their values, in order; `None` if an option is not
/// a field, such as the name of a file for the answer.
fn fields_of<'a>(
    question: &'a Description,
    example: &str,
) -> Option<Vec<(&'a FieldAbout, Vec<String>)>> {
    let mut words = words(example)
        .into_iter()
        .skip(question.command.split(' ').count());
    let place = |field: &&FieldAbout| {
        matches!(
            field.argument.place,
            ArgumentKind::Word | ArgumentKind::Target
        )
    };
    let mut positional = question.fields.iter().filter(place).peekable();
    let mut found: Vec<(&FieldAbout, Vec<String>)> = Vec::new();
    while let Some(word) = words.next() {
        let short = |field: &FieldAbout| field.argument.short.map(|letter| format!("-{letter}"));
        let named = |field: &&FieldAbout| {
            format!("--{}", field.flag()) == word || short(field).is_some_and(|short| short == word)
        };
        let field = match question.fields.iter().find(named) {
            Some(field) => field,
            None if word.starts_with('-') => return None,
            None => match positional.next_if(|field| field.value.shape != Arity::Several) {
                Some(field) => field,
                None => positional.peek()?,
            },
        };
        let value = match (field.value.shape, word.starts_with('-')) {
            (Arity::Flag, _) => "true".to_string(),
            (_, true) => words.next()?,
            (_, false) => word,
        };
        match found.iter_mut().find(|(known, _)| known.name == field.name) {
            Some((_, values)) => values.push(value),
            None => found.push((field, vec![value])),
        }
    }
    Some(found)
}

/// Writes a value of an argument as a literal of Python.
fn literal(value: &str, python: &str) -> String {
    if python == "SupportsIndex" && value.contains('^') {
        return value.replace('^', "**");
    }
    let is_number = value == "0"
        || !value.starts_with('0') && value.bytes().all(|digit| digit.is_ascii_digit());
    if is_number {
        value.to_string()
    } else {
        format!("{value:?}")
    }
}

/// Returns the first example of a command that has the same answer each time and needs no file, as
/// a call in Python with the first sentence of its answer.
fn example(questions: &[&Description], positional: &[&Argument]) -> Option<String> {
    for question in questions {
        for text in question.examples {
            let Some(fields) = fields_of(question, text) else {
                continue;
            };
            let json = |(field, values): &(&FieldAbout, Vec<String>)| {
                let value = match &values[..] {
                    _ if field.value.shape == Arity::Flag => true.into(),
                    [value] => value.as_str().into(),
                    values => values.into(),
                };
                (field.name.to_string(), value)
            };
            let answer = || {
                let query = flipcost_all::read(question.ask, fields.iter().map(json).collect());
                let answer = query.ok()?.answer(&Control::default()).ok()?;
                Some(answer.summary())
            };
            let Some(sentence) = answer() else {
                continue;
            };
            if (0..20)
                .any(|_| question.field("seed").is_some() && answer().as_ref() != Some(&sentence))
            {
                continue; // of random rolls
            }
            let values = |argument: &Argument| {
                let (_, values) = fields
                    .iter()
                    .find(|(field, _)| field.name == argument.field.name)?;
                Some(match &values[..] {
                    _ if argument.field.value.shape == Arity::Flag => if argument.is_negation {
                        "False"
                    } else {
                        "True"
                    }
                    .to_string(),
                    [value] => literal(value, argument.python),
                    values => {
                        let all: Vec<String> = values
                            .iter()
                            .map(|value| literal(value, argument.python))
                            .collect();
                        format!("[{}]", all.join(", "))
                    }
                })
            };
            let first = positional.iter().map_while(|argument| values(argument));
            let first: Vec<String> = first.collect();
            let rest = fields
                .iter()
                .map(|(field, _)| Argument::new(field, questions));
            let is_rest = |one: &Argument| {
                !positional[..first.len()]
                    .iter()
                    .any(|other| other.name == one.name)
            };
            let rest = rest
                .filter(is_rest)
                .map(|one| format!("{}={}", one.name, values(&one).expect("a value")));
            let arguments: Vec<String> = first.iter().cloned().chain(rest).collect();
            let name = python_name(question.ask);
            let module = if HAND_WRITTEN_FUNCTIONS.contains(&&*name) {
                ".questions"
            } else {
                ""
            };
            let call = format!("flipcost{module}.{name}({}).summary", arguments.join(", "));
            return Some(format!(
                "    >>> import flipcost\n    >>> print({call})\n    {sentence}"
            ));
        }
    }
    None
}

fn wrapped(text: &str, first: &str, indent: &str) -> String {
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(first)
        .subsequent_indent(indent)
        .break_words(false);
    textwrap::fill(text, options)
}

/// The example of `rule_check`, whose command needs a file.
const RULE_EXAMPLE: &str = r#"    >>> import flipcost
    >>> print(flipcost.rule_check(lambda n, m: flipcost.flip(), targets=2).verdict)
    True"#;

/// Writes one function for all questions with the same name.
fn function(questions: &[&Description]) -> String {
    let question = questions[0];
    let in_units = questions.iter().any(|question| question.in_units);
    let mut fields: Vec<&FieldAbout> = Vec::new();
    for field in questions.iter().flat_map(|question| &question.fields) {
        match fields.iter_mut().find(|known| known.name == field.name) {
            None => fields.push(field),
            Some(known) if known.argument.place == ArgumentKind::Target => {}
            Some(known) if field.argument.place == ArgumentKind::Target => *known = field,
            Some(_) => {}
        }
    }
    let arguments: Vec<Argument> = fields
        .into_iter()
        .map(|field| Argument::new(field, questions))
        // a required flag is left out, because the name of the question already implies it
        .filter(|one| one.field.value.shape != Arity::Flag || !one.is_required())
        .collect();
    let place = |argument: &&Argument| argument.is_positional();
    let needed = |argument: &&Argument| argument.is_required();
    let (first, rest): (Vec<&Argument>, Vec<&Argument>) = arguments.iter().partition(place);
    let (first, second): (Vec<&Argument>, Vec<&Argument>) = first.into_iter().partition(needed);
    let mut code = format!("\n\ndef {}(", python_name(question.ask));
    // the function itself reports a missing argument
    let missing = |one: &Argument| first.iter().skip(1).any(|other| other.name == one.name);
    let mut lines: Vec<String> = first
        .iter()
        .chain(&second)
        .map(|one| one.declaration() + if missing(one) { " = given.MISSING" } else { "" })
        .collect();
    let has = |name: &str| arguments.iter().any(|one| one.name == name);
    let views = VIEW_ARGUMENTS.into_iter().filter(|(name, ..)| !has(name));
    let views: Vec<(&str, &str, &str, &str)> = views.collect();
    lines.push("*".to_string());
    lines.extend(rest.iter().map(|one| one.declaration()));
    lines.extend(
        views
            .iter()
            .map(|(name, kind, ..)| format!("{name}: {kind} | None = None")),
    );
    if in_units {
        lines.push("executor: Executor | None = None".to_string());
    }
    write!(code, "\n    {},\n", lines.join(",\n    ")).unwrap();
    code += ") -> Answer:\n";
    let mut about: Vec<String> = Vec::new();
    let paragraphs = questions.iter().flat_map(|question| &question.about);
    for (at, paragraph) in paragraphs.enumerate() {
        let mut said = text_for_python(question, paragraph);
        if said.is_empty() {
            continue;
        }
        if !said.ends_with('.') {
            said.push('.');
        }
        about.push(wrapped(
            &said,
            if at == 0 { "    \"\"\"" } else { "    " },
            "    ",
        ));
    }
    {
        let all = first.iter().chain(&second).chain(&rest);
        let all = all.map(|one| one.about(question));
        let views = views
            .iter()
            .map(|(name, _, _, about)| format!("{name}: {about}"));
        let lines: Vec<String> = all
            .chain(views)
            .map(|about| wrapped(&about, "        ", "            "))
            .collect();
        let units = if in_units {
            "\n        executor: An executor that computes the parts of the question, through its `submit`"
        } else {
            ""
        };
        about.push(format!("    Arguments:\n{}{units}", lines.join("\n")));
    }
    let positional: Vec<&Argument> = first.iter().chain(&second).copied().collect();
    about.push(match example(questions, &positional) {
        Some(example) => example,
        None => RULE_EXAMPLE.to_string(),
    });
    writeln!(code, "{}\n    \"\"\"", about.join("\n\n")).unwrap();
    let handed_on = |one: &Argument| {
        let (said, name) = (one.passed_value(), &one.name);
        if missing(one) && !said.contains("needed(") {
            let there = format!("(given.needed({name}, {name:?}), ");
            return said.replace(&format!("({name}, "), &there);
        }
        said
    };
    let mut given: Vec<String> = arguments.iter().map(handed_on).collect();
    given.extend(
        views
            .iter()
            .map(|(name, _, read, _)| format!("{name:?}: given.{read}({name}, {name:?})")),
    );
    let (ask, given) = (question.ask, given.join(",\n        "));
    let units = if in_units { ", executor" } else { "" };
    writeln!(
        code,
        "    return asked({ask:?}, {{\n        {given},\n    }}{units})"
    )
    .unwrap();
    code
}

#[test]
fn every_question_is_a_python_function() {
    let all = flipcost_all::descriptions();
    let mut code = HEAD.to_string();
    let mut names: Vec<String> = all.iter().map(|one| python_name(one.ask)).collect();
    names.retain(|name| !HAND_WRITTEN_FUNCTIONS.contains(&&**name));
    names.sort();
    names.dedup();
    let names: String = names
        .iter()
        .map(|name| format!("    {name:?},\n"))
        .collect();
    write!(code, "\n__all__ = [\n{names}]\n").unwrap();
    let mut asks: Vec<&str> = all.iter().map(|one| one.ask).collect();
    asks.dedup();
    let named = |ask: &&str| -> Vec<&Description> {
        all.iter().copied().filter(|one| one.ask == *ask).collect()
    };
    let functions: String = asks.iter().map(|ask| function(&named(ask))).collect();
    let named: Vec<&str> = functions
        .lines()
        .filter(|line| line.contains("--"))
        .collect();
    assert!(
        named.is_empty(),
        "the command line is named in Python: {named:#?}"
    );
    code += &functions;
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/package/flipcost");
    let init = std::fs::read_to_string(package.join("__init__.py")).unwrap();
    let (before, after) = init.split_once("\n__all__ += [\n").unwrap();
    let (_, after) = after.split_once("]\n").unwrap();
    let init = format!("{before}\n__all__ += [\n{names}]\n{after}");
    for (file, text) in [("questions.py", code), ("__init__.py", init)] {
        let path = package.join(file);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let current = std::fs::read_to_string(&path).unwrap_or_default() == text;
        assert!(
            current,
            "{file} is not what the questions are now: \
             UPDATE=1 cargo test -p flipcost-all --test it python writes it"
        );
    }
}
