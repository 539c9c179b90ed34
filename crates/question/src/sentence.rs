//! Sentences for people. Fields and questions in a sentence are stored as data, and each
//! [`FrontEnd`](crate::FrontEnd) writes them in its own notation: the command line as
//! `--digits 30`, Python as `digits=30`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// One sentence, as a list of parts. Its `Display` renders it for
/// [`FrontEnd::Plain`](crate::FrontEnd::Plain).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sentence(pub Vec<SentencePart>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SentencePart {
    Text(String),
    Field(Field),
    /// A question, by its command line and its JSON.
    Question(String, String),
    /// A field, named without its value.
    Named(Field),
    /// A field whose value cannot be parsed.
    Malformed(Field),
    /// A text that only the command line shows.
    Terminal(String),
}

/// A field of a question in a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    pub value: Value,
    /// The name of the field's value at the command line, for example FILE.
    pub word: String,
}

/// A text that only the command line shows.
pub struct Terminal(pub &'static str);

/// A field, given by its name in the question's JSON.
pub fn field(name: &str) -> Field {
    Field {
        name: name.to_string(),
        value: Value::Null,
        word: String::new(),
    }
}

/// A field that is named without its value.
pub struct NamedField(Field);

/// Names a field without its value: see [`NamedField`].
pub fn field_name(name: &str) -> NamedField {
    NamedField(field(name))
}

impl Sentence {
    /// A question, given by its command line and its JSON.
    pub fn question(line: &str, json: &str) -> Sentence {
        SentencePart::Question(line.to_string(), json.to_string()).into()
    }
}

impl Field {
    /// Sets the value.
    pub fn is(self, value: impl Into<Value>) -> Field {
        let value = value.into();
        Field { value, ..self }
    }

    /// Sets the name of its value at the command line.
    pub fn with_word(self, word: &str) -> Field {
        let word = word.to_string();
        Field { word, ..self }
    }
}

/// The text of a JSON value; a string is written without quotes.
pub fn json_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(json_text).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

impl Sentence {
    /// Appends a part.
    pub fn push(&mut self, more: impl Into<Sentence>) {
        self.0.extend(more.into().0);
    }
}

impl fmt::Display for SentencePart {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SentencePart::Text(text) => f.write_str(text),
            SentencePart::Question(_, json) => write!(f, "`{json}`"),
            SentencePart::Field(Field { name, value, .. }) if value.is_null() => {
                write!(f, "`{name}`")
            }
            SentencePart::Field(Field { name, value, .. }) => {
                write!(f, "`{name}={}`", json_text(value))
            }
            SentencePart::Named(field) | SentencePart::Malformed(field) => {
                write!(f, "the field `{}`", field.name)
            }
            SentencePart::Terminal(_) => Ok(()),
        }
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|part| part.fmt(f))
    }
}

/// Makes a sentence safe to show at a terminal or on the page. A sentence can quote typed text or
/// text from a file: control characters, and characters that change the direction of writing, are
/// escaped, and the middle of very long text is left out.
pub fn make_printable(sentence: &str) -> String {
    const MAX_LEN: usize = 2000; // a sentence
    const WORD: usize = 300; // a word between blanks
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let ends_line = |c| matches!(c, '\u{2028}' | '\u{2029}');
    let mut plain = String::new();
    for c in sentence.chars() {
        if c.is_control() || turns(c) || ends_line(c) {
            plain.extend(c.escape_default())
        } else {
            plain.push(c)
        }
    }
    let words: Vec<String> = plain
        .split(' ')
        .map(|word| shorten_middle(word, WORD))
        .collect();
    shorten_middle(&words.join(" "), MAX_LEN)
}

/// Leaves out the middle of a text with more than `most` characters.
fn shorten_middle(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_string();
    }
    let (head, tail) = (most * 2 / 3, most / 6);
    let begin: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(count - tail).collect();
    format!("{begin}... ({count} characters) ...{end}")
}

macro_rules! parts {
    ($($from:ty, |$it:ident| $part:expr);* $(;)?) => {$(
        impl From<$from> for Sentence {
            fn from($it: $from) -> Sentence {
                Sentence(vec![$part])
            }
        }
    )*};
}

parts! {
    SentencePart, |part| part;
    String, |text| SentencePart::Text(text);
    &str, |text| SentencePart::Text(text.to_string());
    fmt::Arguments<'_>, |text| SentencePart::Text(text.to_string());
    Field, |field| SentencePart::Field(field);
    NamedField, |named| SentencePart::Named(named.0);
    Terminal, |text| SentencePart::Terminal(text.0.to_string());
}

/// Makes a sentence from parts. A string literal is formatted as by `format!`; other parts are
/// texts, [`Field`]s, questions, [`Terminal`]s or [`Sentence`]s.
///
/// ```
/// use flipcost_question::{FrontEnd, field, say};
/// let most = 40;
/// let sentence = say!(field("digits").is(50), " is too many: {most} is the most");
/// assert_eq!(sentence.render(FrontEnd::Terminal(|_, _| None)), "--digits 50 is too many: 40 is the most");
/// assert_eq!(sentence.render(FrontEnd::Python), "digits=50 is too many: 40 is the most");
/// assert_eq!(sentence.to_string(), "`digits=50` is too many: 40 is the most");
/// ```
#[macro_export]
macro_rules! say {
    (@$said:ident) => {};
    (@$said:ident $text:literal $(, $($rest:tt)*)?) => {
        $said.push(format_args!($text));
        $crate::say!(@$said $($($rest)*)?)
    };
    (@$said:ident $part:expr $(, $($rest:tt)*)?) => {
        $said.push($part);
        $crate::say!(@$said $($($rest)*)?)
    };
    ($($parts:tt)+) => {{
        let mut said = $crate::Sentence::default();
        $crate::say!(@said $($parts)+);
        said
    }};
}
/// Returns the text with a capital letter and a full stop.
pub(crate) fn capitalize_and_stop(text: &str) -> String {
    let (text, mut letters) = (text.trim(), text.trim().chars());
    // Code, for example `rand() % 100`, keeps its spelling.
    let is_word = |word: &str| word.chars().all(|c| c.is_alphabetic());
    let text = match letters.next() {
        Some(first) if text.split(' ').next().is_some_and(is_word) => {
            first.to_uppercase().to_string() + letters.as_str()
        }
        _ => text.to_string(),
    };
    if text.ends_with(['.', '?', '!']) {
        text
    } else {
        text + "."
    }
}
