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
    use super::super::draw::DrawContext;
    use super::*;

    /// A context for figures that write nothing.
    fn context_without_files() -> DrawContext<'static> {
        DrawContext {
            file: Path::new("none.csv"),
            on_part_done: &|| (),
        }
    }

    const HEAD: &str = "title = \"t\"\nquestion = \"q\"\n";

    fn parse(rest: &str) -> Result<Study, String> {
        let text = format!("{HEAD}{rest}");
        Study::parse(&text, "x", "x.toml").map_err(|error| error.to_string())
    }

    fn refusal(rest: &str) -> String {
        parse(rest).err().expect("a mistake")
    }

    /// Returns the rest of the line, from the place that the error names.
    fn rest_of_marked_line(rest: &str, refusal: &str) -> String {
        let number = |after: &str| {
            let (_, number) = refusal.split_once(after).expect("a place");
            let end = number.find([',', ':']).expect("more behind it");
            number[..end].parse::<usize>().expect("a number")
        };
        let text = format!("{HEAD}{rest}");
        let line = text.lines().nth(number(", line ") - 1).unwrap_or("");
        line.chars().skip(number(", column ") - 1).collect()
    }

    #[test]
    fn an_address_must_be_that_of_a_web_page() {
        for text in ["address = 7\n", "address = \"javascript:alert(1)\"\n"] {
            let refused = refusal(text);
            assert!(
                refused.contains("is not the address of a page"),
                "{refused}"
            );
        }
        assert!(parse("address = \"https://arxiv.org/abs/1304.1916\"\n").is_ok());
    }

    #[test]
    fn a_mistake_is_named_by_file_line_and_column() {
        let check = |rest: &str| format!("[[check]]\nclaim = \"c\"\npublished = \"p\"\n{rest}\n");
        let fairness = |inner: &str| check(&format!("fairness = {{ {inner} }}"));
        for (text, line, what, mark) in [
            (
                "colour = 1\n".to_string(),
                3,
                "expected one of title, question, address, record, check, plot,",
                "colour",
            ),
            (
                fairness("algorithm = \"rejektion\", targets = [6]"),
                6,
                "\"rejektion\" is not an algorithm: did you mean rejection?",
                "\"rejektion\"",
            ),
            (
                fairness("algorithm = \"recycling\", targets = [6]"),
                6,
                "batches use it",
                "\"recycling\"",
            ),
            (fairness("targets = [\"four\"]"), 6, "four", "\"four\""),
            (fairness("targets = [6.5]"), 6, "a whole number", "6.5"),
            (
                fairness("target = 6"),
                6,
                "unknown field `target`",
                "target",
            ),
            (
                check("expekted = 4"),
                6,
                "expected one of claim, published, verdict, source, mark, for, at, that,",
                "expekted",
            ),
            (
                check(""),
                3,
                "the check \"c\" must ask exactly one of",
                "[[check]]",
            ),
            (
                "[[check]]\npublished = \"p\"\n".to_string(),
                3,
                "missing field `claim`",
                "[[check]]",
            ),
            (
                "[[check]]\nclaim = \"c\"\n".to_string(),
                3,
                "has no `published`",
                "[[check]]",
            ),
            (
                "[[check]]\nclaim = \"a\\nb\"\npublished = \"p\"\n".to_string(),
                4,
                "must be one line",
                "\"a\\nb\"",
            ),
            (
                check("fairness = { targets = [4,\n  \"six\"] }"),
                7,
                "six",
                "\"six\"",
            ),
            (
                check("that = [\"1 < 2\",\n  \"cost(6, algorithm: no).expected = \"]"),
                7,
                "at its end",
                "\"cost(6",
            ),
            ("x = [\n".to_string(), 3, "unclosed array", ""),
        ] {
            let refused = refusal(&text);
            assert!(
                refused.starts_with(&format!("x.toml, line {line}, column ")),
                "{refused}"
            );
            assert!(refused.contains(what), "{refused}");
            assert!(
                rest_of_marked_line(&text, &refused).starts_with(mark),
                "{refused}"
            );
        }
        let empty = Study::parse("title = ", "x", "x.toml").err().unwrap();
        assert!(
            empty.to_string().starts_with("x.toml, line 1, column "),
            "{empty}"
        );
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
    fn a_name_occurs_only_once() {
        let text = [
            grid("one"),
            chart("two", "series = []"),
            chart("one", "series = []"),
        ]
        .concat();
        let twice = refusal(&text);
        assert!(twice.contains("two figures are named \"one\""), "{twice}");
        // the second figure with this name
        let line = HEAD.lines().count() + grid("one").lines().count() + 7 + 1;
        assert!(
            twice.starts_with(&format!("x.toml, line {line}, column ")),
            "{twice}"
        );
        assert_eq!(rest_of_marked_line(&text, &twice), "[[plot]]");
    }

    #[test]
    fn an_axis_needs_a_distance_above_0() {
        for every in ["0.0", "-1.0", "nan", "inf", "0"] {
            let text =
                format!("[[plot]]\nname = \"c\"\ny = {{ label = \"y\", every = {every} }}\n");
            let refused = refusal(&text);
            assert!(refused.contains("must be a number above 0"), "{refused}");
        }
    }

    #[test]
    fn a_histogram_shows_one_law() {
        let bars =
            |laws: &str| format!("[[histogram]]\nname = \"h\"\ntitle = \"t\"\n{AXES}{laws}\n");
        assert!(parse(&bars("rule = { dice = [6], value = \"a\" }")).is_ok());
        for laws in [
            "",
            "outcomes = { algorithm = \"interval\", n = 6 }\nrule = { dice = [6], value = \"a\" }",
        ] {
            let text = bars(laws);
            let refused = refusal(&text);
            assert!(
                refused.contains("the histogram \"h\" needs one of rolls, outcomes and rule"),
                "{refused}"
            );
            assert_eq!(rest_of_marked_line(&text, &refused), "[[histogram]]");
        }
    }

    #[test]
    fn a_figure_beyond_the_limits_is_refused_before_it_is_drawn() {
        let head = format!("name = \"f\"\ntitle = \"t\"\n{AXES}");
        let long = format!(
            "[[plot]]\n{}",
            head.replace(
                "title = \"t\"",
                &format!("title = \"{}\"", "t".repeat(1_000_000))
            )
        );
        let refused = refusal(&long);
        assert!(refused.contains("1000000 characters: 1000 is the most") && refused.len() < 1000);
        assert!(refusal(&long.replace(&"t".repeat(1_000_000), "\u{fffe}")).contains("U+FFFE"));
        for (kind, rest, what) in [
            (
                "heat-map",
                "value = { label = \"v\" }\ncolumns = []\nrows = [\"2\"]\nheads = [\"x\", \"y\"]\nask = \"cost(x, source: y)\"\ntable = [\"expected\"]\ncolour = \"expected\"",
                "a map needs at least one cell",
            ),
            (
                "heat-map",
                "value = { label = \"v\" }\ncolumns = [\"2\"]\nrows = [\"unknown:2\"]\nheads = [\"x\", \"y\"]\nask = \"cost(x, source: y, optimal)\"\ntable = [\"expected\"]\ncolour = \"expected\"",
                "the optimum needs known probabilities",
            ),
            (
                "heat-map",
                "value = { label = \"v\" }\ncolumns = [\"1..2^64-1\"]\nrows = [\"0..9\"]\nheads = [\"x\", \"y\"]\nask = \"distribution(x, upto: y)\"\ntable = [\"survival\"]\ncolour = \"survival\"",
                "10000 is the most",
            ),
            (
                "histogram",
                "rolls = { algorithm = \"rejection\", n = 6, upto = 10001 }",
                "10000 is the most",
            ),
            (
                "histogram",
                "rolls = { algorithm = \"rejection\", n = 6, upto = 10000 }",
                "the exact numbers",
            ),
            (
                "histogram",
                "rolls = { source = 1, algorithm = \"rejection\", n = 6, upto = 9 }",
                "a source of 1 side",
            ),
            (
                "histogram",
                "outcomes = { algorithm = \"interval\", n = \"10^9\" }",
                "100000 is the most",
            ),
            (
                "histogram",
                "outcomes = { source = 0, algorithm = \"interval\", n = 6 }",
                "a source of 0 sides",
            ),
            (
                "histogram",
                "rule = { dice = [6], value = \"a - 3\" }",
                "values below 0",
            ),
            (
                "histogram",
                "rule = { dice = [1000000], value = \"a\" }",
                "100000 is the most",
            ),
            (
                "plot",
                "n = \"1..2^63\"\nseries = []",
                "1000000 is the most",
            ),
            (
                "plot",
                "n = \"100..101\"\nper-octave = 2\nseries = []",
                "no n of the range",
            ),
            (
                "plot",
                "n = \"1..9\"\nevery = 0\nseries = []",
                "every = 0 selects no n",
            ),
            (
                "plot",
                "n = \"1..9\"\nseries = [{ name = \"s\", of = \"cost(n, source: 1, algorithm: interval).entropy\" }]",
                "a source of 1 side",
            ),
            (
                "table-plot",
                "place = \"n\"\nseries = []\ntable = { recipes = { source = 6, targets = \"1..2^60\" } }",
                "10000 is the most",
            ),
            (
                "table-plot",
                "place = \"n\"\nseries = []\ntable = { recipes = { source = 1, targets = \"1..9\" } }",
                "a source of 1 side",
            ),
            (
                "table-plot",
                "place = \"m\"\nseries = [{ name = \"s\", of = \"n\" }]\ntable = { recipes = { source = 6, targets = \"1..9\" } }",
                "the table has no column m",
            ),
            (
                "table-plot",
                "place = \"n\"\nseries = []\ntable = { recycling = { targets = [1], bits = \"4..6\" } }",
                "a target of one outcome takes no flips",
            ),
        ] {
            let text = format!("[[{kind}]]\n{head}{rest}\n");
            let study = parse(&text).unwrap_or_else(|error| panic!("{rest}: {error}"));
            let refused = study.figures[0]
                .draw(&context_without_files())
                .err()
                .expect(rest)
                .to_string();
            assert!(refused.contains(what), "{rest}: {refused}");
        }
        let none = refusal(&format!("[[plot]]\n{head}n = \"3, 0\"\nseries = []\n"));
        assert!(none.contains("must rise from 1 or more"), "{none}");
        for (text, what) in [
            (
                "[[flow-chart]]\nname = \"f\"\nn = \"10^1000\"\n".to_string(),
                "512 is the most",
            ),
            (
                "[[flow-chart]]\nname = \"f\"\nn = 1009\n".to_string(),
                "more than 200 rounds",
            ),
            (
                "[[flow-chart]]\nname = \"f\"\nsource = 1\nn = 6\n".to_string(),
                "a source of 1 side",
            ),
            (
                grid("g").replace("[2, 2]", "[101, 100]"),
                "10000 is the most",
            ),
            (grid("g").replace("[2, 2]", "[2]"), "a rule of two dice"),
            (
                grid("g").replace("rule = { dice = [2, 2], value = \"a\" }\n", ""),
                "give one of the two",
            ),
            (
                grid("g").replace(
                    "rule = { dice = [2, 2], value = \"a\" }",
                    "block = { algorithm = \"base-conversion\", n = 60000 }",
                ),
                "1 to 10000 cells",
            ),
        ] {
            let refused = parse(&text).unwrap().figures[0]
                .draw(&context_without_files())
                .err()
                .expect(&text)
                .to_string();
            assert!(refused.contains(what), "{text}: {refused}");
        }
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
