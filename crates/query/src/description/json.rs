//! Questions as objects of JSON.

use super::value::kind;
use super::{Given, Value};
use crate::sentence::{InputError, named, say};
use crate::{Query, QueryError};
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serializer};
use serde_json::Value as Json;
use std::fmt;

/// The field that names the question.
const ASK: &str = "ask";
/// What a query looks like.
const FORM: &str = r#"a query is a JSON object such as {"ask":"cost","target":"6"}"#;

/// The fields of an object, each once.
pub(crate) struct Pairs(Vec<(String, Json)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Pairs, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs: Vec<(String, Json)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Json>()? {
                    if pairs.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!(
                            "the field `{name}` is given twice"
                        )));
                    }
                    pairs.push((name, value));
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(Object)
    }
}

impl Pairs {
    /// Reads one object.
    pub(crate) fn read(text: &str) -> Result<Pairs, QueryError> {
        let json: Json = serde_json::from_str(text).map_err(|error| {
            // on one line the place is the column alone
            let error = error.to_string();
            let error = error.replace(" at line 1 column ", ", at character ");
            QueryError::refused(format!("this is no JSON: {error}")).right(FORM)
        })?;
        if !json.is_object() {
            return Err(QueryError::refused(format!("this is {}", kind(&json))).right(FORM));
        }
        serde_json::from_str(text).map_err(|error| {
            let error = error.to_string();
            let twice = error.split(" at line ").next().unwrap_or_default();
            QueryError::refused(twice)
        })
    }

    /// The fields of an object that is the value of a field.
    pub(crate) fn of(field: &str, json: &Json) -> Result<Pairs, QueryError> {
        match json {
            Json::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), value.clone()));
                Ok(Pairs(fields.collect()))
            }
            json => {
                let what = format!("it is {}: an object was expected", kind(json));
                Err(QueryError::Input(
                    InputError::malformed(field, json, what).into(),
                ))
            }
        }
    }

    /// Takes out the name of the question.
    pub(crate) fn take_ask(&mut self) -> Result<String, QueryError> {
        let place = self.0.iter().position(|(name, _)| name == ASK);
        let Some(place) = place else {
            let what = "the field `ask` is missing, which names the question";
            return Err(QueryError::wrong(ASK, what).right(FORM));
        };
        match self.0.remove(place).1 {
            Json::String(ask) => Ok(ask),
            other => {
                let what = format!("the field `ask` is {}", kind(&other));
                let wrong = InputError::new(Some(ASK), what).given(&other);
                Err(QueryError::Input(wrong.into()).right(FORM))
            }
        }
    }

    /// That there is no question of this name.
    pub(crate) fn unknown(ask: &str, known: &[&str]) -> QueryError {
        let what = format!("there is no question `{ask}`, known are {}", listed(known));
        let wrong = InputError::new(Some(ASK), what).given(&ask.into());
        QueryError::Input(wrong.into())
    }
}

fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The fields that a question was given.
pub(crate) struct Fields {
    ask: &'static str,
    given: Vec<(String, Json)>,
}

impl Fields {
    /// Of the question `ask`, which has the fields `known`.
    pub(crate) fn new(
        ask: &'static str,
        known: &[&'static str],
        pairs: Pairs,
    ) -> Result<Fields, QueryError> {
        for (name, value) in &pairs.0 {
            if !known.contains(&name.as_str()) {
                let what = format!("there is no field `{name}`, known are {}", listed(known));
                let wrong = InputError::new(Some(name), what).given(value);
                return Err(QueryError::Input(wrong.into()).asked(ask));
            }
        }
        Ok(Fields {
            ask,
            given: pairs.0,
        })
    }

    /// Was this field given?
    pub(crate) fn has(&self, field: &str) -> bool {
        self.given.iter().any(|(name, _)| name == field)
    }

    /// The value of a field, or what is usual.
    pub(crate) fn take<T: Value>(
        &self,
        field: &str,
        usual: impl FnOnce() -> Option<T>,
    ) -> Result<T, QueryError> {
        let given = self.given.iter().find(|(name, _)| name == field);
        let value = match given {
            Some((_, json)) => T::of_field(field, json),
            None => usual().ok_or_else(|| {
                QueryError::wrong(field, say!("this question needs ", named(field)))
            }),
        };
        value.map_err(|error| error.asked(self.ask))
    }
}

/// What other programs call `=`, dice that are rolled several times, and a source that is no die:
/// the field that was probably meant, and its value.
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
        "source" if text.contains(':') => return Some(("target", text.to_string())),
        _ => return None,
    };
    (meant != text).then_some((name, meant))
}

impl Pairs {
    /// The question; an error names the one that was probably meant.
    pub(crate) fn query(self) -> Result<Query, QueryError> {
        let meant = self.0.iter().find_map(|(name, value)| {
            let (field, value) = other(name, value.as_str()?)?;
            let rest = self
                .0
                .iter()
                .filter(|(other, _)| other != name && other != field);
            let pairs = rest.cloned().chain([(field.to_string(), value.into())]);
            Some((name.clone(), Pairs(pairs.collect())))
        });
        Query::of_pairs(self).map_err(|error| match (error, meant) {
            (QueryError::Input(mut wrong), Some((name, pairs)))
                if wrong.field.as_ref() == Some(&name) =>
            {
                if let Ok(query) = Query::of_pairs(pairs) {
                    wrong.right = Some(say!("did you mean ", query, "?"));
                }
                QueryError::Input(wrong)
            }
            (error, _) => error,
        })
    }
}

impl Query {
    /// The question of this name with these fields, each as in JSON.
    ///
    /// # Errors
    /// [`QueryError::Input`] if there is no such question, or a field is wrong or missing.
    pub fn read(ask: &str, fields: Vec<(String, Json)>) -> Result<Query, QueryError> {
        let mut pairs = Pairs(fields);
        pairs.0.push((ASK.to_string(), ask.into()));
        pairs.query()
    }
}

/// Writes a question, with its name if it stands alone.
pub(crate) fn write<S: Serializer>(
    ask: Option<&str>,
    given: Vec<Given>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    if let Some(ask) = ask {
        map.serialize_entry(ASK, ask)?;
    }
    for field in given {
        if let Some(value) = &field.value {
            map.serialize_entry(field.name, value)?;
        }
    }
    map.end()
}

impl serde::Serialize for Query {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        write(Some(self.ask()), self.given(), to)
    }
}

impl<'de> Deserialize<'de> for Query {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Query, D::Error> {
        Pairs::deserialize(from)?.query().map_err(D::Error::custom)
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
