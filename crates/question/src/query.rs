//! The registry of the questions: what stands above all of them.

use crate::description::{ASK, Described, Description, Given, Pairs, write};
use crate::long::Shortened;
use crate::places::Places;
use crate::prelude::Question;
use crate::say;
use crate::sentence::Part;
use crate::{CommandLine, Control, Estimate, Foot, Head, QueryError, Sentence, Sink};
use flipcost::table::Cell;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use serde_json::Value as Json;
use std::any::Any;
use std::fmt::{self, Debug, Formatter};
use std::sync::{Arc, OnceLock};

/// An answer on its way, whose first notes say how the question was read.
struct Remarked<'a> {
    readings: Vec<String>,
    sink: &'a mut dyn Sink,
}

impl Sink for Remarked<'_> {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        self.sink.head(head)
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        self.sink.rows(rows)
    }

    fn foot(&mut self, mut foot: Foot) -> Result<(), QueryError> {
        let readings = self.readings.drain(..).map(Sentence::from);
        foot.notes.splice(0..0, readings);
        self.sink.foot(foot)
    }
}

/// What a question is, whatever its kind.
trait AnyQuestion: Debug + Send + Sync {
    fn ask(&self) -> &'static str;
    fn description(&self) -> Description;
    fn question(&self) -> &dyn Question;
    fn given(&self) -> Vec<Given>;
    fn places(&self) -> Option<&dyn Places>;
    fn readings(&self) -> Vec<String>;
    fn line(&self) -> CommandLine;
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn AnyQuestion) -> bool;
}

impl<Q: Question + Described + Debug + PartialEq + Send + Sync + 'static> AnyQuestion for Q {
    fn ask(&self) -> &'static str {
        Q::ASK
    }

    fn description(&self) -> Description {
        Q::description()
    }

    fn question(&self) -> &dyn Question {
        self
    }

    fn given(&self) -> Vec<Given> {
        Described::given(self)
    }

    fn places(&self) -> Option<&dyn Places> {
        Described::places(self)
    }

    fn readings(&self) -> Vec<String> {
        Described::readings(self)
    }

    fn line(&self) -> CommandLine {
        Described::line(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn AnyQuestion) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }
}

/// A question. In JSON its field `ask` says of which kind it is.
#[derive(Clone)]
pub struct Query(Arc<dyn AnyQuestion>);

impl Debug for Query {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for Query {
    fn eq(&self, other: &Query) -> bool {
        self.0.equals(&*other.0)
    }
}

impl<Q: Question + Described + Debug + PartialEq + Send + Sync + 'static> From<Q> for Query {
    fn from(question: Q) -> Query {
        Query(Arc::new(question))
    }
}

/// A kind of question that can be read.
#[derive(Clone, Copy)]
pub struct QuestionKind {
    ask: &'static str,
    describe: fn() -> Description,
    read: fn(Pairs) -> Result<Query, QueryError>,
}

impl QuestionKind {
    /// The kind of these questions.
    pub const fn new<Q>() -> QuestionKind
    where
        Q: Question + Described + Debug + PartialEq + Send + Sync + 'static,
    {
        QuestionKind {
            ask: Q::ASK,
            describe: Q::description,
            read: |pairs| Q::of_pairs(pairs).map(Query::from),
        }
    }
}

/// The kinds that are known, in the order of the program's help.
static KINDS: OnceLock<Vec<QuestionKind>> = OnceLock::new();

/// Hands over the list of all kinds of questions, in the order of the program's help. The first call counts.
pub fn register_questions(kinds: impl FnOnce() -> Vec<QuestionKind>) {
    KINDS.get_or_init(kinds);
}

fn kinds() -> &'static [QuestionKind] {
    KINDS.get().map_or(&[], Vec::as_slice)
}

impl Query {
    /// The question itself.
    pub fn question(&self) -> &dyn Question {
        self.0.question()
    }

    /// Its name in JSON, as in `toll-distribution`.
    pub fn ask(&self) -> &'static str {
        self.0.ask()
    }

    /// The question, if it is one of this kind.
    pub fn downcast<Q: Described + 'static>(&self) -> Option<&Q> {
        self.0.as_any().downcast_ref()
    }

    /// Is it a question of this kind?
    pub fn is<Q: Described + 'static>(&self) -> bool {
        self.downcast::<Q>().is_some()
    }

    /// What every question is, in the order of the program's help.
    pub fn descriptions() -> &'static [Description] {
        static ALL: OnceLock<Vec<Description>> = OnceLock::new();
        if kinds().is_empty() {
            return &[];
        }
        ALL.get_or_init(|| kinds().iter().map(|kind| (kind.describe)()).collect())
    }

    fn given(&self) -> Vec<Given> {
        self.0.given()
    }

    /// The question place by place, if its answer is put together from places.
    pub fn places(&self) -> Option<&dyn Places> {
        self.0.places()
    }

    fn readings(&self) -> Vec<String> {
        self.0.readings()
    }

    fn line(&self) -> CommandLine {
        self.0.line()
    }

    fn read_pairs(mut pairs: Pairs) -> Result<Query, QueryError> {
        let ask = pairs.take_ask()?;
        match kinds().iter().find(|kind| kind.ask == ask) {
            Some(kind) => (kind.read)(pairs),
            None => {
                let known: Vec<&str> = kinds().iter().map(|kind| kind.ask).collect();
                Err(Pairs::unknown(&ask, &known))
            }
        }
    }
}

impl Query {
    /// Reads a query from one JSON object.
    ///
    /// # Errors
    /// [`QueryError::Input`] if it is no JSON, no query, or has a field that the query does not
    /// know.
    pub fn from_json(text: &str) -> Result<Query, QueryError> {
        Query::of(Pairs::read(text)?)
    }

    /// The query as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("queries are plain values")
    }

    /// What a question of its kind is.
    pub fn description(&self) -> Description {
        self.0.description()
    }

    /// The command line that asks it.
    pub fn command(&self) -> CommandLine {
        self.line()
    }

    /// About how much it takes: work, memory, bytes of output. Cheap, and computed before anything
    /// runs.
    pub fn estimate(&self) -> Estimate {
        self.question().estimate()
    }

    /// Does it go on for as long as it is let, in parts that are seen, kept or stopped, as a sweep does? Others
    /// give one answer, which is awaited.
    pub fn is_watched(&self) -> bool {
        self.question().is_watched()
    }

    /// Is the work of [`Query::estimate`] near enough to be said as a time?
    pub fn has_forecast(&self) -> bool {
        self.question().has_forecast()
    }

    /// Answers it into a sink.
    ///
    /// # Errors
    /// [`QueryError::Input`] if it cannot be answered, [`QueryError::Stopped`] if `control` says
    /// so, [`QueryError::Sink`] if the sink fails.
    pub fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let question = self.question();
        self.told(control, sink, |sink| question.run(control, sink))
    }

    /// An answer that `tell` gives, with its readings and without what is too long.
    pub fn told(
        &self,
        control: &Control,
        sink: &mut dyn Sink,
        tell: impl FnOnce(&mut dyn Sink) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let sink = &mut Remarked {
            readings: self.readings(),
            sink,
        };
        self.within(control, || match self.question().short() {
            Some(short) => tell(&mut Shortened::new(short, sink)),
            None => tell(sink),
        })
    }

    /// What the work gives, whose errors name what was given in its fields.
    pub fn within<T>(
        &self,
        control: &Control,
        work: impl FnOnce() -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        control.run(work).map_err(|error| match error {
            QueryError::Input(wrong) => {
                let fields = serde_json::to_value(self).unwrap_or_default();
                QueryError::Input(wrong.of(&fields).into())
            }
            error => error,
        })
    }
}

/// What other programs call `=`, and dice that are rolled several times: the field that was probably
/// meant, and its value.
fn other(name: &str, text: &str) -> Option<(&'static str, String)> {
    let die = |die: &str| match die.trim().split_once('d') {
        Some((count, sides)) if count.parse::<u64>().is_ok() => sides.to_string(),
        _ => die.to_string(),
    };
    let (name, meant) = match name {
        "that" => ("that", text.replace("==", "=")),
        "dice" => (
            "dice",
            text.split(',').map(die).collect::<Vec<_>>().join(","),
        ),
        _ => return None,
    };
    (meant != text).then_some((name, meant))
}

impl Query {
    /// The question; an error names the one that was probably meant.
    fn of(pairs: Pairs) -> Result<Query, QueryError> {
        let meant = pairs.0.iter().find_map(|(name, value)| {
            let (field, value) = other(name, value.as_str()?)?;
            let rest = (pairs.0.iter()).filter(|(other, _)| other != name && other != field);
            let pairs = rest.cloned().chain([(field.to_string(), value.into())]);
            Some((name.clone(), Pairs(pairs.collect())))
        });
        Query::read_pairs(pairs).map_err(|error| match (error, meant) {
            (QueryError::Input(mut wrong), Some((name, pairs)))
                if wrong.field.as_ref() == Some(&name) =>
            {
                if let Ok(query) = Query::read_pairs(pairs) {
                    wrong.right = Some(say!("did you mean ", query, "?"));
                }
                QueryError::Input(wrong)
            }
            (error, _) => error,
        })
    }

    /// The question of this name with these fields, each as in JSON.
    ///
    /// # Errors
    /// [`QueryError::Input`] if there is no such question, or a field is wrong or missing.
    pub fn read(ask: &str, fields: Vec<(String, Json)>) -> Result<Query, QueryError> {
        let mut pairs = Pairs(fields);
        pairs.0.push((ASK.to_string(), ask.into()));
        Query::of(pairs)
    }
}

impl serde::Serialize for Query {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        write(Some(self.ask()), self.given(), to)
    }
}

impl<'de> Deserialize<'de> for Query {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Query, D::Error> {
        Query::of(Pairs::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl From<Query> for Sentence {
    fn from(query: Query) -> Sentence {
        Part::Question(query.command().to_string(), query.to_json()).into()
    }
}

#[cfg(test)]
mod tests {
    use crate::Query;

    #[test]
    fn what_is_no_query_is_said_in_one_sentence() {
        for (text, said) in [
            ("cost 6", "this is no JSON: expected value, at character 1"),
            ("[1]", "this is a list: a query is a JSON object"),
            ("\"cost\"", "this is a text"),
            ("7", "this is the number 7"),
            (
                "{}",
                "the field `ask` is missing, which names the question: a query is a JSON object",
            ),
            (
                r#"{"ask":7}"#,
                r#"the field `ask` is the number 7: a query is a JSON object such as {"ask":"cost""#,
            ),
            (
                r#"{"ask":"no"}"#,
                "there is no question `no`, known are `cost`, `why`",
            ),
            (
                r#"{"ask":"cost","ask":"plan"}"#,
                "the field `ask` is given twice",
            ),
            (
                r#"{"ask":"cost"}"#,
                "this question needs the field `target`",
            ),
            (
                r#"{"ask":"cost","target":"6","x":1}"#,
                "there is no field `x`, known are `target`",
            ),
            (
                r#"{"ask":"sweep","from":"x","to":9}"#,
                "the field `from`: \"x\" is not a number that can be used",
            ),
            (
                r#"{"ask":"sweep","from":0.5,"to":9}"#,
                "the field `from`: it is the number 0.5: a whole number, or a text such as \"10^18+9\", was expected",
            ),
            (
                r#"{"ask":"cost","target":"6","exact":1}"#,
                "the field `exact`: it is the number 1: true or false was expected",
            ),
            (
                r#"{"ask":"cost","target":"6x"}"#,
                "the field `target`: \"6x\" is not a target",
            ),
        ] {
            let error = Query::from_json(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
