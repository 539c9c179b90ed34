//! The reference of a study's file: every key of every table, with its type, its default, its
//! meaning, and examples. The page is generated from the types that read the file, so that a new
//! kind of figure or check appears on the page without further edits.

use super::check;
use super::checks::CheckQuestion;
use super::documents::Document;
use super::figures::Figure;
use super::schema::PlainKey;
use super::study;
use super::tables::StudyTable;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::fmt::Write;

/// The meanings of the keys that many tables share.
const COMMON_MEANINGS: &[(&str, &str)] = &[
    ("name", "The name of the figure's files."),
    ("title", "The heading above the figure."),
    ("source", "The sides of the die that is rolled."),
    ("algorithm", "The algorithm that makes the die."),
    ("n", "The sides of the die that is made."),
    ("targets", "The range of n."),
    ("x", "The horizontal axis."),
    ("y", "The vertical axis."),
    (
        "hue",
        "The colour; chosen for each curve unless it is given.",
    ),
    (
        "dash",
        "The style of the line; chosen for each curve unless it is given.",
    ),
    (
        "id",
        "The A-number or the id of a sequence (see `flipcost list sequences`).",
    ),
    ("is", "The claimed value, exactly."),
];

/// The first paragraph of the page.
const INTRODUCTION: &str = "A study is a TOML file that says what to compute, what to draw and what to check; `flipcost reproduce FILE` runs it. Its figures and documents are items of lists, one list for each kind. Its claims are the items of the list `check`, and each claim asks one question.";

/// The commands that write and run the example.
const TRY_COMMANDS: &str = "`flipcost reproduce --keys example > mine.toml` writes this study, and `flipcost reproduce mine.toml` draws figures/mine/toll.svg and .png, writes data/mine/ and decides both claims.";

/// A complete short study, printed by `flipcost reproduce --keys example`.
pub const EXAMPLE: &str = "\
title = \"What a coin makes\"
question = \"How far are two ways to roll a die with a coin from the bound?\"

[[plot]]
name = \"toll\"
title = \"Flips above the entropy bound\"
n = \"1..=64\"
x = { label = \"sides of the die, n\" }
y = { label = \"flips\" }
series = [
  { name = \"rejection\", of = \"cost(n, algorithm: rejection).toll\" },
  { name = \"optimal\", of = \"cost(n, algorithm: fast-dice-roller).toll\" },
]

[[check]]
claim = \"a d6 takes 11/3 flips\"
published = \"3.67\"
that = \"cost(6, algorithm: fast-dice-roller).expected = 11/3\"

[[check]]
claim = \"the fast dice roller stays within 2 flips of the bound\"
published = \"toll < 2\"
for = \"n in 1..1000\"
that = \"cost(n, algorithm: fast-dice-roller).toll < 2\"
";

/// The argument of `--keys` that selects the example instead of a part of the page.
const EXAMPLE_NAME: &str = "example";

/// A key of a table, as the page describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDescription {
    /// The key.
    pub key: String,
    /// The type of the key's value, in words.
    pub kind: String,
    /// Whether every table must have the key.
    pub needed: bool,
    /// The default, if the key has one.
    pub default: Option<String>,
    /// The key's meaning.
    pub meaning: String,
    /// The name of the table, if the value is a table or a list of tables.
    pub table: Option<String>,
}

/// A part of the page: a table with its keys, or a value that is not a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartDescription {
    /// The chapter of the page.
    pub chapter: &'static str,
    /// The key of the table, or the name of the value's type.
    pub name: String,
    /// The table's description.
    pub about: String,
    /// The type of a value that is not a table, in words.
    pub kind: Option<String>,
    /// The keys, the required ones first.
    pub keys: Vec<KeyDescription>,
    /// Pieces of TOML. A line that begins with `# or:` is an alternative to the last line before
    /// the first such line.
    pub example: String,
}

/// The chapters of the page, in order.
const FILE: &str = "The file";
const FIGURES: &str = "Figures";
const DOCUMENTS: &str = "Documents";
const COMPUTED: &str = "Tables of a table-plot";
const CHECKS: &str = "Checks";
const TABLES: &str = "Tables within";

/// Returns all parts of the page.
pub fn parts() -> Vec<PartDescription> {
    let mut made = SchemaSettings::default().into_generator();
    let plain = |name: &str, about: &str, keys: &[PlainKey]| PartDescription {
        chapter: FILE,
        name: name.to_string(),
        about: about.to_string(),
        kind: None,
        keys: keys.iter().map(plain_key).collect(),
        example: String::new(),
    };
    let mut parts = vec![
        plain(
            "study",
            "The whole file: these keys, figures and documents.",
            &study::KEYS,
        ),
        plain(
            "[[check]]",
            "A claim: these keys, and one question, a key of the chapter on checks.",
            &check::KEYS,
        ),
    ];
    for (chapter, kinds) in [
        (FIGURES, Figure::schemas(&mut made)),
        (COMPUTED, StudyTable::schemas(&mut made)),
        (DOCUMENTS, Document::schemas(&mut made)),
        (CHECKS, CheckQuestion::schemas(&mut made)),
    ] {
        let heading = |key: &str| match chapter {
            FIGURES | DOCUMENTS => format!("[[{key}]]"),
            _ => key.to_string(),
        };
        let kinds = kinds.iter();
        parts.extend(kinds.map(|(key, schema)| part(chapter, heading(key), schema)));
    }
    let tables = made.take_definitions(true);
    let tables = tables.iter().filter_map(|(name, schema)| {
        let schema: &Schema = schema.try_into().ok()?;
        let is_table = schema.get("properties").is_some();
        is_table.then(|| part(TABLES, name.to_lowercase(), schema))
    });
    parts.extend(tables);
    parts
}

fn plain_key(plain: &PlainKey) -> KeyDescription {
    KeyDescription {
        key: plain.key.to_string(),
        kind: plain.kind.to_string(),
        needed: !matches!(plain.key, "check" | "for" | "at"),
        default: None,
        meaning: plain.meaning.to_string(),
        table: None,
    }
}

/// Returns the text that a schema has under a key.
fn text<'a>(schema: &'a Value, key: &str) -> Option<&'a str> {
    schema.get(key).and_then(Value::as_str)
}

fn part(chapter: &'static str, name: String, schema: &Schema) -> PartDescription {
    let schema = schema.as_value();
    let (about, example) = split_text_and_example(text(schema, "description").unwrap_or_default());
    let needed: Vec<&str> = list(schema, "required").filter_map(Value::as_str).collect();
    let mut keys: Vec<KeyDescription> = Vec::new();
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let key = |(name, schema): (&String, &Value)| key(name, schema, &needed);
        keys.extend(properties.iter().map(key));
        let place = |key: &KeyDescription| needed.iter().position(|one| *one == key.key);
        keys.sort_by_key(|key| place(key).unwrap_or(usize::MAX));
    }
    PartDescription {
        chapter,
        name,
        about,
        kind: keys.is_empty().then(|| kind_in_words(schema)),
        keys,
        example,
    }
}

fn list<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    schema
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// Splits a doc comment into its sentences, as one paragraph, and its TOML example.
fn split_text_and_example(doc: &str) -> (String, String) {
    let (mut about, mut example) = (String::new(), String::new());
    let mut inside = false;
    for line in doc.lines() {
        match (line.trim_end(), inside) {
            ("```toml", _) => inside = true,
            ("```", _) => inside = false,
            (line, true) => {
                example += line;
                example.push('\n');
            }
            ("", false) => {}
            (line, false) => {
                about += if about.is_empty() { "" } else { " " };
                about += line.trim();
            }
        }
    }
    (about, example)
}

fn key(name: &str, schema: &Value, needed: &[&str]) -> KeyDescription {
    let said = text(schema, "description").map(|doc| split_text_and_example(doc).0);
    let common = || {
        let found = COMMON_MEANINGS.iter().find(|(key, _)| *key == name);
        found.map(|(_, meaning)| meaning.to_string())
    };
    KeyDescription {
        key: name.to_string(),
        kind: kind_in_words(schema),
        needed: needed.contains(&name),
        default: schema.get("default").and_then(default),
        meaning: said.or_else(common).unwrap_or_default(),
        table: table(schema),
    }
}

/// Formats a default as a study's file would write it.
fn default(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Array(list) if list.is_empty() => None,
        value => Some(value.to_string()),
    }
}

/// Returns the first alternative of a schema that is not `null`, or the schema itself.
fn non_null_schema(schema: &Value) -> &Value {
    let is_null = |one: &Value| text(one, "type") == Some("null");
    list(schema, "anyOf")
        .find(|one| !is_null(one))
        .unwrap_or(schema)
}

/// Returns the name of the table to which a schema refers, itself or in its items.
fn table(schema: &Value) -> Option<String> {
    let schema = non_null_schema(schema);
    match text(schema, "$ref") {
        Some(place) => place.rsplit('/').next().map(str::to_lowercase),
        None => table(schema.get("items")?),
    }
}

/// Returns the type of a value, in words.
fn kind_in_words(schema: &Value) -> String {
    let schema = non_null_schema(schema);
    let choices = |mut names: Vec<&str>| {
        names.dedup();
        format!("one of {}", names.join(", "))
    };
    if let Some(names) = text(schema, "x-choices") {
        let what = text(schema, "format").unwrap_or_default();
        return format!("{what}: {names}");
    }
    if let Some(name) = text(schema, "$ref").and_then(|place| place.rsplit('/').next()) {
        return format!("a table: {}", name.to_lowercase());
    }
    let constants: Vec<&str> = (list(schema, "oneOf").filter_map(|one| text(one, "const")))
        .chain(list(schema, "enum").filter_map(Value::as_str))
        .collect();
    if !constants.is_empty() {
        return choices(constants);
    }
    let types = schema.get("type");
    let first = match types {
        Some(Value::Array(types)) => types.first().and_then(Value::as_str),
        types => types.and_then(Value::as_str),
    };
    match first {
        Some("integer") => match schema.get("minimum") {
            Some(_) => "a whole number".to_string(),
            None => "a whole number, also below 0".to_string(),
        },
        Some("number") => "a number".to_string(),
        Some("boolean") => "true or false".to_string(),
        Some("string") => "a text".to_string(),
        Some("array") => match schema.get("items") {
            Some(items) => format!("a list, each item of which is {}", kind_in_words(items)),
            None => {
                let items: Vec<String> = list(schema, "prefixItems").map(kind_in_words).collect();
                format!("[{}]", items.join(", "))
            }
        },
        _ => text(schema, "format").unwrap_or("a value").to_string(),
    }
}

/// Wraps a paragraph to lines of at most 80 letters.
fn wrap_paragraph(text: &str, first: &str, rest: &str) -> String {
    let options = textwrap::Options::new(80)
        .initial_indent(first)
        .subsequent_indent(rest)
        .break_words(false);
    textwrap::fill(text, options) + "\n"
}

impl PartDescription {
    /// Returns whether a word is the name of this part.
    pub fn has_name(&self, word: &str) -> bool {
        self.name.trim_matches(['[', ']']) == word
    }

    /// Renders this part of the page as text.
    fn text(&self) -> String {
        let mut text = format!("{}\n", self.name);
        text += &wrap_paragraph(&self.about, "  ", "  ");
        if let Some(kind) = &self.kind {
            text += &wrap_paragraph(&format!("It is {kind}."), "  ", "  ");
        }
        for key in &self.keys {
            let given = match (&key.default, key.needed) {
                (Some(value), _) => format!("; {value} unless it is given"),
                (None, true) => String::new(),
                (None, false) => "; may be left out".to_string(),
            };
            let line = format!("{}: {}{given}.", key.key, key.kind);
            text += &wrap_paragraph(&line, "  ", "      ");
            text += &wrap_paragraph(&key.meaning, "      ", "      ");
        }
        if !self.example.is_empty() {
            text.push('\n');
            for line in
                (self.example.lines()).flat_map(|line| split_long_line(line, MAX_EXAMPLE_WIDTH))
            {
                writeln!(text, "    {line}").expect("memory takes every byte");
            }
        }
        text
    }
}

/// The largest number of letters in a line of an example.
const MAX_EXAMPLE_WIDTH: usize = 76;

/// Splits a line of an example into equivalent lines of at most `room` letters: a table in braces
/// becomes dotted keys, and a list gets a line for each item. Each line keeps the prefix `# or: `,
/// which marks an alternative.
fn split_long_line(line: &str, room: usize) -> Vec<String> {
    const ALTERNATIVE_MARK: &str = "# or: ";
    if line.chars().count() <= room {
        return vec![line.to_string()];
    }
    if let Some(other) = line.strip_prefix(ALTERNATIVE_MARK) {
        let rest = format!("#{}", " ".repeat(ALTERNATIVE_MARK.len() - 1));
        let marks = std::iter::once(ALTERNATIVE_MARK).chain(std::iter::repeat(rest.as_str()));
        let lines = marks.zip(split_long_line(other, room - ALTERNATIVE_MARK.len()));
        return lines.map(|(mark, line)| format!("{mark}{line}")).collect();
    }
    let Some((key, value)) = line.split_once(" = ") else {
        return vec![line.to_string()];
    };
    let inside = |open: char, close: char| value.strip_prefix(open)?.strip_suffix(close);
    if let Some(keys) = inside('{', '}') {
        let dotted = items(keys).into_iter().map(|item| format!("{key}.{item}"));
        dotted
            .flat_map(|line| split_long_line(&line, room))
            .collect()
    } else if let Some(list) = inside('[', ']') {
        let items = items(list).into_iter().map(|item| format!("  {item},"));
        let (first, last) = (format!("{key} = ["), "]".to_string());
        std::iter::once(first).chain(items).chain([last]).collect()
    } else {
        vec![line.to_string()]
    }
}

/// Splits a list at its commas, except for commas within brackets and quotes.
fn items(list: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut from) = (0u32, false, 0);
    let mut items = Vec::new();
    for (at, letter) in list.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                items.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = list[from..].trim();
    items.extend((!last.is_empty()).then_some(last));
    items
}

/// Returns the page, or only the parts with this name; `None` if no part has it.
pub fn page(word: Option<&str>) -> Option<String> {
    let mut parts = parts();
    let Some(word) = word else {
        let mut text = wrap_paragraph(INTRODUCTION, "", "");
        text += "\nA whole study\n=============\n\n";
        text += &wrap_paragraph(TRY_COMMANDS, "", "");
        text.push('\n');
        for line in EXAMPLE.lines() {
            text += format!("    {line}").trim_end();
            text.push('\n');
        }
        let mut chapter = "";
        for part in &parts {
            if part.chapter != chapter {
                chapter = part.chapter;
                let line = "=".repeat(chapter.len());
                write!(text, "\n{chapter}\n{line}\n").expect("memory takes every byte");
            }
            text.push('\n');
            text += &part.text();
        }
        return Some(text);
    };
    if word == EXAMPLE_NAME {
        return Some(EXAMPLE.to_string());
    }
    let all = parts.clone();
    parts.retain(|part| part.has_name(word));
    // Add the tables that these parts refer to.
    let mut at = 0;
    while at < parts.len() {
        let tables: Vec<String> = parts[at]
            .keys
            .iter()
            .filter_map(|key| key.table.clone())
            .collect();
        for part in &all {
            if part.chapter == TABLES && tables.contains(&part.name) && !parts.contains(part) {
                parts.push(part.clone());
            }
        }
        at += 1;
    }
    let texts: Vec<String> = parts.iter().map(PartDescription::text).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Returns the names of all parts, for an error message.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = vec![EXAMPLE_NAME.to_string()];
    for part in parts() {
        let name = part.name.trim_matches(['[', ']']).to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests;
