//! A study's file: a title, a question, figures, documents and checks.
//!
//! Every figure is an item of the list of its kind (`[[plot]]`, `[[histogram]]`, ...: the keys of
//! [`figures`](super::figures)). The same holds for documents ([`documents`](super::documents)).
//! Every check is a `[[check]]`. The order of the file is kept. A mistake is reported with its
//! file, line and column.

use super::check::Check;
use super::documents::Document;
use super::error::{Mistake, SerializedMistake, StudyError};
use super::figures::Figure;
use super::limits::MAX_FILE_BYTES;
use super::place::{SpannedError, SpannedValue, parse};
use super::record::digest;
use super::schema::{PlainKey, keys};
use super::source_line::mistake;
use super::tagged::known_key;
use super::values::{FromText, Line};
use flipcost_question::side_files::{add_rule_file, rule_files};
use flipcost_terminal::files;
use serde::de::Error;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// A study, as its file states it.
pub struct Study {
    /// The file's name without its ending.
    pub name: String,
    /// The title of the article.
    pub title: String,
    /// The question of the article.
    pub question: String,
    /// The address of the article.
    pub address: Option<String>,
    /// Whether a run also writes `record.toml`, which records versions and digests.
    pub record: bool,
    /// The SHA-256 of its file.
    pub digest: String,
    /// The figures, in the order of the file.
    pub figures: Vec<Figure>,
    /// The documents, in the order of the file.
    pub documents: Vec<Document>,
    /// The claims, in the order of the file.
    pub checks: Vec<Check>,
}

/// The contents of a study's file.
struct Contents {
    title: String,
    question: String,
    address: Option<String>,
    record: bool,
    figures: Vec<(Range<usize>, Figure)>,
    documents: Vec<(Range<usize>, Document)>,
    checks: Vec<Check>,
}

/// The keys of a study, apart from its figures and documents.
pub const KEYS: [PlainKey; 5] = [
    PlainKey {
        key: "title",
        kind: Line::WHAT,
        meaning: "The article that is reproduced.",
    },
    PlainKey {
        key: "question",
        kind: Line::WHAT,
        meaning: "The question that the article asks.",
    },
    PlainKey {
        key: "address",
        kind: Line::WHAT,
        meaning: "The address of the article, such as `https://arxiv.org/abs/1304.1916`.",
    },
    PlainKey {
        key: "record",
        kind: "true or false",
        meaning: "Whether a run writes a record, `data/STUDY/record.toml`: the digest of this file, the version of \
                  flipcost and the digest of every table. False if it is not given.",
    },
    PlainKey {
        key: "check",
        kind: "a list of checks",
        meaning: "The claims, each a `[[check]]`; a study may have no claims.",
    },
];

const OWN_KEYS: &[&str] = &keys(&KEYS);

impl Contents {
    fn read(file: SpannedValue) -> Result<Contents, SpannedError> {
        let (mut title, mut question, mut address, mut record) = (None, None, None, false);
        let (mut figures, mut documents, mut checks) = (Vec::new(), Vec::new(), Vec::new());
        for (key, span, value) in file.entries("a study")? {
            let key = known_key(&[OWN_KEYS, Figure::KEYS, Document::KEYS], key);
            match key.map_err(|wrong| wrong.with_span(span))? {
                "title" => title = Some(value.read::<Line>()?.0),
                "question" => question = Some(value.read::<Line>()?.0),
                "address" => {
                    let Line(text) = value.read()?;
                    if !["https://", "http://"]
                        .iter()
                        .any(|begin| text.starts_with(begin))
                    {
                        let what =
                            format!("\"{}\" is not the address of a page", text.escape_debug());
                        let mistake = Mistake::in_field("address", text, what);
                        let mistake = mistake.right("one such as https://arxiv.org/abs/1304.1916");
                        return Err(SpannedError::custom(SerializedMistake(mistake))
                            .with_span(value.span()));
                    }
                    address = Some(text);
                }
                "record" => record = value.read()?,
                "check" => {
                    for check in value.items()? {
                        checks.push(Check::read(check)?);
                    }
                }
                key if Document::KEYS.contains(&key) => {
                    for item in value.items()? {
                        documents.push((item.span(), Document::of_key(key, item)?));
                    }
                }
                key => {
                    for item in value.items()? {
                        figures.push((item.span(), Figure::of_key(key, item)?));
                    }
                }
            }
        }
        // The lists were read one kind at a time; sorting by the spans restores the order of the
        // file.
        figures.sort_by_key(|(span, _)| span.start);
        documents.sort_by_key(|(span, _)| span.start);
        let missing = |key| SpannedError::missing_field(key).with_span(file.span());
        Ok(Contents {
            title: title.ok_or_else(|| missing("title"))?,
            question: question.ok_or_else(|| missing("question"))?,
            address,
            record,
            figures,
            documents,
            checks,
        })
    }
}

/// Returns the name of a study, which is the name of its file without the ending. The folders in
/// data/ and figures/ get this name.
fn study_name_of_path(path: &Path) -> Result<String, StudyError> {
    let name = path.file_stem().and_then(|name| name.to_str());
    // A name such as `..` would lead out of data/ and figures/.
    let plain = |name: &&str| !name.starts_with('.') && !name.contains(char::is_control);
    name.filter(plain).map(String::from).ok_or_else(|| {
        let shown = path.display().to_string();
        let shown = shown.escape_debug();
        let what = format!("the file \"{shown}\" cannot give its name to the folders of a study");
        Mistake::new(what)
            .with_value(shown)
            .right("call it mine.toml")
            .into()
    })
}

impl Study {
    /// Reads a study file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a study; the sentence names the file, the line and the
    /// remedy.
    pub fn read(path: &Path) -> Result<Study, StudyError> {
        let shown = path.display().to_string();
        let shown = shown.escape_debug().to_string();
        let name = study_name_of_path(path)?;
        let wrong =
            |what: String| Mistake::new(format!("cannot read the study \"{shown}\": {what}"));
        let text =
            files::read_text(path, MAX_FILE_BYTES).map_err(|error| wrong(error.to_string()))?;
        // a rule file is named relative to the folder of the study or to a folder above it
        for name in rule_files(&text) {
            let mut folders = path.ancestors().skip(1);
            let found = folders
                .find_map(|folder| files::read_text(&folder.join(name), MAX_FILE_BYTES).ok());
            if let Some(rule) = found {
                add_rule_file(name, rule).map_err(wrong)?;
            }
        }
        Study::parse(&text, &name, &shown)
    }

    /// Parses a study from its text.
    ///
    /// # Errors
    /// The errors of [`Study::read`].
    pub fn parse(text: &str, name: &str, file: &str) -> Result<Study, StudyError> {
        let contents = parse(text).and_then(|table| Contents::read(SpannedValue(&table)));
        let contents =
            contents.map_err(|wrong| mistake(file, text, wrong.place(), wrong.message()))?;
        let figures = contents.figures.iter();
        let figures = figures.map(|(span, one)| ("figures", one.name(), span.clone()));
        let documents = contents.documents.iter();
        let documents = documents.map(|(span, one)| ("documents", one.name(), span.clone()));
        // figures, documents and the table of the claims are all written to data/
        let mut names = BTreeSet::from(["claims"]);
        for (what, name, span) in figures.chain(documents) {
            if !names.insert(name) {
                let message = match name {
                    "claims" => "\"claims\" is the name of the table of the claims".to_string(),
                    name => format!("two {what} are named \"{name}\""),
                };
                return Err(mistake(file, text, Some(span), &message));
            }
        }
        let figures = contents.figures.into_iter().map(|(_, one)| one);
        let documents = contents.documents.into_iter().map(|(_, one)| one);
        Ok(Study {
            name: name.to_string(),
            title: contents.title,
            question: contents.question,
            address: contents.address,
            record: contents.record,
            digest: digest(text.as_bytes()),
            figures: figures.collect(),
            documents: documents.collect(),
            checks: contents.checks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title = \"t\"\nquestion = \"q\"\n";

    fn parse(rest: &str) -> Result<Study, String> {
        let text = format!("{HEAD}{rest}");
        Study::parse(&text, "x", "x.toml").map_err(|error| error.to_string())
    }

    fn refusal(rest: &str) -> String {
        parse(rest).err().expect("a mistake")
    }

    const AXES: &str = "x = { label = \"x\" }\ny = { label = \"y\" }\n";

    fn chart(name: &str, rest: &str) -> String {
        format!("[[plot]]\nname = \"{name}\"\ntitle = \"t\"\nn = \"1..9\"\n{AXES}{rest}\n")
    }

    fn grid(name: &str) -> String {
        format!(
            "[[grid]]\nname = \"{name}\"\ntitle = \"t\"\nrule = {{ dice = [2, 2], value = \"a\" }}\n\
             x = \"x\"\ny = \"y\"\n"
        )
    }

    /// What a study can have wrong is in `sentences.txt`.
    #[test]
    fn a_long_text_is_refused_in_a_short_sentence() {
        let long =
            chart("f", "series = []").replace("\"t\"", &format!("{:?}", "t".repeat(1_000_000)));
        let refused = refusal(&long);
        assert!(refused.contains("1000000 characters: 1000 is the most") && refused.len() < 1000);
        assert!(refusal(&long.replace(&"t".repeat(1_000_000), "\u{fffe}")).contains("U+FFFE"));
        assert!(parse("address = \"https://arxiv.org/abs/1304.1916\"\n").is_ok());
        let empty = Study::parse("title = ", "x", "x.toml").err().unwrap();
        assert!(
            empty.to_string().starts_with("x.toml, line 1, column "),
            "{empty}"
        );
    }

    #[test]
    fn figures_are_in_the_order_of_the_file() {
        let text = [
            grid("one"),
            chart("two", "series = []"),
            "[[flow-chart]]\nname = \"three\"\nn = 6\n".to_string(),
            grid("four"),
            chart("five", "series = []"),
        ];
        let study = parse(&text.concat()).unwrap();
        let names: Vec<&str> = study.figures.iter().map(|figure| figure.name()).collect();
        assert_eq!(names, ["one", "two", "three", "four", "five"]);
    }

    #[test]
    fn the_name_of_a_study_stays_below_its_folders() {
        let name =
            |path: &str| study_name_of_path(Path::new(path)).map_err(|error| error.to_string());
        assert_eq!(name("analysis/mine.v2.toml").as_deref(), Ok("mine.v2"));
        for path in [
            "...toml",
            "a/...toml",
            "..",
            ".",
            "/",
            ".toml",
            "a/.hidden.toml",
            "a\u{1b}[31m.toml",
        ] {
            let refused = name(path).unwrap_err();
            assert!(
                refused.contains("call it mine.toml") && !refused.contains('\u{1b}'),
                "{refused}"
            );
        }
    }

    #[test]
    fn an_endless_file_is_refused() {
        let refused = Study::read(Path::new("/dev/zero"))
            .err()
            .map(|error| error.to_string());
        if let Some(refused) = refused.filter(|_| Path::new("/dev/zero").exists()) {
            assert!(refused.contains("more than 4000000 bytes"), "{refused}");
        }
    }
}
