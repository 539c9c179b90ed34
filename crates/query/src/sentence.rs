//! Sentences for people. What a sentence says of fields and of other questions is kept as data, and
//! each [`Door`] writes it in its own terms: the command line as `--digits 30`, Python as `digits=30`.

use crate::Query;
use crate::description::{FieldAbout, Place, python_name};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::panic::Location;

/// Where a sentence is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// The command line: `--digits 30`, `flipcost plan 7 --dice 4,6`.
    Terminal,
    /// Python: `digits=30`, `flipcost.ask('plan', dice='4,6', target='7')`.
    Python,
    /// All others: the names of fields and JSON, in backticks.
    Plain,
}

/// One sentence, part by part. Its `Display` is that of [`Door::Plain`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sentence(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Part {
    Text(String),
    Field(Field),
    Question(Box<Query>),
    /// A field by its name alone.
    Named(Field),
    /// That a field has a value that cannot be read.
    Malformed(Field),
    /// What only the command line says.
    Terminal(String),
}

/// A field of a question in a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    name: String,
    value: Value,
    /// The word for its value at the command line, as FILE.
    word: String,
}

/// A text that only the command line says.
pub struct Terminal(pub &'static str);

/// A field, by its name in the question's JSON.
pub fn field(name: &str) -> Field {
    Field {
        name: name.to_string(),
        value: Value::Null,
        word: String::new(),
    }
}

/// A field that is spoken of, whatever its value is.
pub(crate) struct Named(Field);

/// See [`Named`].
pub(crate) fn named(name: &str) -> Named {
    Named(field(name))
}

impl Field {
    /// With this value.
    pub fn is(self, value: impl Into<Value>) -> Field {
        let value = value.into();
        Field { value, ..self }
    }

    /// With a word for its value at the command line.
    pub fn of(self, word: &str) -> Field {
        let word = word.to_string();
        Field { word, ..self }
    }

    fn at(&self, door: Door, ask: Option<&str>) -> String {
        let Field { name, value, .. } = self;
        match (door, value) {
            (Door::Terminal, _) => self.flag(ask),
            (Door::Python, Value::Null) => python_name(name),
            (Door::Python, value) => format!("{}={}", python_name(name), python(value)),
            (Door::Plain, Value::Null) => format!("`{name}`"),
            (Door::Plain, value) => format!("`{name}={}`", bare(value)),
        }
    }

    fn malformed(&self, ask: Option<&str>) -> String {
        let value = shortened(&bare(&self.value));
        format!("invalid value '{value}' for '{}'", self.placed(ask))
    }

    /// As the help has it: `--digits <D>`, `<N>`.
    fn placed(&self, ask: Option<&str>) -> String {
        match about(ask, &self.name) {
            None => format!("--{}", self.name.replace('_', "-")),
            Some(field) => field.placed(),
        }
    }

    fn flag(&self, ask: Option<&str>) -> String {
        let value = match &self.value {
            Value::Null => self.word.clone(),
            Value::Bool(_) => String::new(),
            value => bare(value),
        };
        match argument(ask, &self.name) {
            Argument::Positional(_) if !value.is_empty() => value,
            Argument::Positional(word) => word.to_string(),
            Argument::Option(name) if value.is_empty() => format!("--{name}"),
            Argument::Option(name) => format!("--{name} {value}"),
        }
    }
}

/// What a field is at the command line.
enum Argument {
    /// A word, which the help calls so.
    Positional(&'static str),
    Option(String),
}

/// What a field is of the question that JSON calls `ask`; without one, of the first that has it.
fn about(ask: Option<&str>, field: &str) -> Option<&'static FieldAbout> {
    let mut all = Query::descriptions()
        .iter()
        .filter(|description| ask.is_none_or(|ask| description.ask == ask));
    all.find_map(|description| description.field(field))
}

fn argument(ask: Option<&str>, field: &str) -> Argument {
    match about(ask, field) {
        None => Argument::Option(field.replace('_', "-")),
        Some(field) => match field.argument.place {
            Place::Word | Place::Target => Argument::Positional(field.argument.value),
            Place::Option | Place::Flag => Argument::Option(field.flag()),
        },
    }
}

/// A value of JSON without quotes around a text.
pub(crate) fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(bare).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

/// A value of JSON as Python writes it.
fn python(value: &Value) -> String {
    let list = |values: Vec<String>| values.join(", ");
    match value {
        Value::Null => "None".to_string(),
        Value::Bool(true) => "True".to_string(),
        Value::Bool(false) => "False".to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.contains('\'') => format!("{text:?}"),
        Value::String(text) => format!("'{}'", text.escape_debug()),
        Value::Array(all) => format!("[{}]", list(all.iter().map(python).collect())),
        Value::Object(all) => {
            let pair = |(name, value): (&String, &Value)| format!("'{name}': {}", python(value));
            format!("{{{}}}", list(all.iter().map(pair).collect()))
        }
    }
}

/// A question as Python asks it.
fn call(query: &Query) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(query) else {
        return String::new();
    };
    let ask = fields.remove("ask").unwrap_or_default();
    let argument =
        |(name, value): (&String, &Value)| format!(", {}={}", python_name(name), python(value));
    let arguments: String = fields.iter().map(argument).collect();
    format!("`flipcost.ask({}{arguments})`", python(&ask))
}

impl Part {
    fn at(&self, door: Door, ask: Option<&str>) -> String {
        match (self, door) {
            (Part::Text(text), _) => text.clone(),
            (Part::Field(field), door) => field.at(door, ask),
            (Part::Question(query), Door::Terminal) => format!("`{}`", query.command()),
            (Part::Question(query), Door::Python) => call(query),
            (Part::Question(query), Door::Plain) => format!("`{}`", query.to_json()),
            (Part::Named(field), Door::Terminal) => field.placed(ask),
            (Part::Named(field), _) => format!("the field `{}`", field.name),
            (Part::Malformed(field), Door::Terminal) => field.malformed(ask),
            (Part::Malformed(field), _) => format!("the field `{}`", field.name),
            (Part::Terminal(text), Door::Terminal) => text.clone(),
            (Part::Terminal(_), _) => String::new(),
        }
    }
}

impl Sentence {
    /// As it is said there.
    pub fn at(&self, door: Door) -> String {
        self.of(door, None)
    }

    /// The same in a question that JSON calls `ask`.
    fn of(&self, door: Door, ask: Option<&str>) -> String {
        self.0.iter().map(|part| part.at(door, ask)).collect()
    }

    /// Adds what comes next.
    pub fn push(&mut self, more: impl Into<Sentence>) {
        self.0.extend(more.into().0);
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.at(Door::Plain))
    }
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
    String, |text| Part::Text(text);
    &str, |text| Part::Text(text.to_string());
    fmt::Arguments<'_>, |text| Part::Text(text.to_string());
    Field, |field| Part::Field(field);
    Query, |query| Part::Question(Box::new(query));
    Named, |named| Part::Named(named.0);
    Terminal, |text| Part::Terminal(text.0.to_string());
}

/// A sentence of parts: a text in quotes is read as `format!` reads it, and all else is a text, a
/// [`Field`], a [`Query`], a [`Terminal`] or a [`Sentence`].
///
/// ```
/// use flipcost_query::{Door, field, say};
/// let most = 40;
/// let sentence = say!(field("digits").is(50), " is too many: {most} is the most");
/// assert_eq!(sentence.at(Door::Terminal), "--digits 50 is too many: 40 is the most");
/// assert_eq!(sentence.at(Door::Python), "digits=50 is too many: 40 is the most");
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

pub(crate) use say;

/// What is wrong with a question.
#[derive(Clone, Debug)]
pub struct InputError {
    /// The field that is wrong, by its name in the question's JSON.
    pub field: Option<String>,
    /// What that field is, shortened where it is long.
    pub given: Option<String>,
    /// What is wrong.
    pub what: Sentence,
    /// What would be right.
    pub right: Option<Sentence>,
    /// The line of the program that says so: a test asks whether it has met every one.
    pub place: &'static Location<'static>,
    /// Which question it is, as `ask` in JSON.
    pub(crate) ask: Option<String>,
}

/// The longest value that is kept whole.
const LONGEST: usize = 80;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

impl InputError {
    #[track_caller]
    pub(crate) fn new(field: Option<&str>, what: impl Into<Sentence>) -> InputError {
        InputError::said(Location::caller(), field, what.into())
    }

    pub(crate) fn said(
        place: &'static Location<'static>,
        field: Option<&str>,
        what: Sentence,
    ) -> InputError {
        InputError {
            field: field.map(String::from),
            given: None,
            what,
            right: None,
            place,
            ask: None,
        }
    }

    /// That a field has a value that cannot be read.
    #[track_caller]
    pub(crate) fn malformed(name: &str, value: &Value, said: impl Into<Sentence>) -> InputError {
        let mut what = Sentence(vec![Part::Malformed(field(name).is(value.clone()))]);
        what.push(": ");
        what.push(said);
        InputError::said(Location::caller(), Some(name), what).given(value)
    }

    /// With the value of its field.
    pub(crate) fn given(mut self, value: &Value) -> InputError {
        self.given = Some(shortened(&bare(value)));
        self
    }

    /// As an error of this question: the value of its field, if that was given, is taken from there.
    pub(crate) fn of(mut self, query: &Query) -> InputError {
        let fields = serde_json::to_value(query).unwrap_or_default();
        self.ask = fields["ask"].as_str().map(String::from);
        // the fields of a summary are those of its sweep
        let of = |name: &String| fields.get(name).or_else(|| fields["sweep"].get(name));
        let value = self.field.as_ref().and_then(of);
        match (&self.given, value) {
            (None, Some(value)) => self.given(value),
            _ => self,
        }
    }

    /// The whole sentence as it is said there.
    pub fn at(&self, door: Door) -> String {
        let ask = self.ask.as_deref();
        let what = self.what.of(door, ask);
        match &self.right {
            Some(right) => format!("{what}: {}", right.of(door, ask)),
            None => what,
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.at(Door::Plain))
    }
}
