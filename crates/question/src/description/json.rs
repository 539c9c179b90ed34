//! Reads and writes questions as JSON objects.

use super::value::{ChoiceError, json_type_name};
use super::{FieldValue, GivenField};
use crate::say;
use crate::sentence::{field_name, json_text};
use crate::{InputError, Names, QueryError, nearest};
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serializer};
use serde_json::Value as Json;
use std::fmt;

/// The field that contains the name of the question.
pub const ASK: &str = "ask";
/// An example of a query, for error messages.
const QUERY_EXAMPLE: &str = r#"a query is a JSON object such as {"ask":"cost","target":"6"}"#;

/// The fields of an object, each of which occurs once.
pub struct FieldPairs(pub Vec<(String, Json)>);

impl<'de> Deserialize<'de> for FieldPairs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<FieldPairs, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = FieldPairs;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FieldPairs, A::Error> {
                let mut pairs: Vec<(String, Json)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Json>()? {
                    if pairs.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!(
                            "the field `{name}` is given twice"
                        )));
                    }
                    pairs.push((name, value));
                }
                Ok(FieldPairs(pairs))
            }
        }
        from.deserialize_map(Object)
    }
}

impl FieldPairs {
    /// Reads one object.
    pub fn read(text: &str) -> Result<FieldPairs, QueryError> {
        let json: Json = serde_json::from_str(text).map_err(|error| {
            // The text is one line, so the column alone gives the position.
            let error = error.to_string();
            let error = error.replace(" at line 1 column ", ", at character ");
            QueryError::general(format!("this is not JSON: {error}")).right(QUERY_EXAMPLE)
        })?;
        if !json.is_object() {
            return Err(
                QueryError::general(format!("this is {}", json_type_name(&json)))
                    .right(QUERY_EXAMPLE),
            );
        }
        serde_json::from_str(text).map_err(|error| {
            let error = error.to_string();
            let twice = error.split(" at line ").next().unwrap_or_default();
            QueryError::general(twice)
        })
    }

    /// Returns the fields of an object that is the value of `field`.
    pub fn from_json_object(field: &str, json: &Json) -> Result<FieldPairs, QueryError> {
        match json {
            Json::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), value.clone()));
                Ok(FieldPairs(fields.collect()))
            }
            json => {
                let what = format!("it is {}: an object was expected", json_type_name(json));
                Err(QueryError::Input(
                    InputError::malformed(field, json, what).into(),
                ))
            }
        }
    }

    /// Removes the field that contains the name of the question, and returns this name.
    pub fn take_ask(&mut self) -> Result<String, QueryError> {
        let place = self.0.iter().position(|(name, _)| name == ASK);
        let Some(place) = place else {
            let what = "the field `ask`, which names the question, is missing";
            return Err(QueryError::wrong(ASK, what).right(QUERY_EXAMPLE));
        };
        match self.0.remove(place).1 {
            Json::String(ask) => Ok(ask),
            other => {
                let what = format!("the field `ask` is {}", json_type_name(&other));
                let wrong = InputError::new(Some(ASK), what).with_value(&other);
                Err(QueryError::Input(wrong.into()).right(QUERY_EXAMPLE))
            }
        }
    }

    /// The error for a field whose value is not one of the known choices.
    pub fn unknown_choice_error(
        pairs: &FieldPairs,
        field: &str,
        known: &[&'static str],
    ) -> QueryError {
        let given = pairs.0.iter().find(|(name, _)| name == field);
        let value = given.map_or(Json::Null, |(_, value)| value.clone());
        let none = ChoiceError::new(&json_text(&value), known.to_vec());
        QueryError::Input(InputError::malformed(field, &value, none.to_string()).into())
    }

    /// The error for an unknown question.
    pub fn unknown_question_error(ask: &str, known: &[&str]) -> QueryError {
        let what = format!(
            "there is no question `{ask}`: choose one of {}{}",
            format_list(known),
            suggest_name(ask, known)
        );
        let wrong = InputError::new(Some(ASK), what).with_value(&ask.into());
        QueryError::Input(wrong.into())
    }
}

/// Suggests the name that was probably meant, to be appended to the list of names.
fn suggest_name(name: &str, known: &[&str]) -> String {
    let near = nearest(name, known.iter().copied());
    near.map_or(String::new(), |near| format!(": did you mean `{near}`?"))
}

fn format_list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The fields that were given for a question.
pub struct Fields {
    ask: &'static str,
    given: Vec<(String, Json)>,
    names: Names,
}

impl Fields {
    /// Takes the given fields of the question `ask`, whose fields are called `known`.
    pub fn new(
        ask: &'static str,
        known: &[&'static str],
        pairs: FieldPairs,
        names: Names,
    ) -> Result<Fields, QueryError> {
        for (name, value) in &pairs.0 {
            if !known.contains(&name.as_str()) {
                let what = format!(
                    "there is no field `{name}`: choose one of {}{}",
                    format_list(known),
                    suggest_name(name, known)
                );
                let wrong = InputError::new(Some(name), what).with_value(value);
                return Err(QueryError::Input(wrong.into()).in_question(ask));
            }
        }
        Ok(Fields {
            ask,
            given: pairs.0,
            names,
        })
    }

    /// Whether this field was given.
    pub fn has(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// Removes a field and returns its value or its default.
    pub fn take<T: FieldValue>(
        &self,
        field: &str,
        usual: &dyn Fn() -> Option<T>,
    ) -> Result<T, QueryError> {
        let value = match self.get(field) {
            Some(json) => T::of_field(field, json, self.names),
            None => usual().ok_or_else(|| missing_field_error(field)),
        };
        value.map_err(|error| error.in_question(self.ask))
    }

    fn get(&self, field: &str) -> Option<&Json> {
        let mut given = self.given.iter();
        given.find_map(|(name, json)| (name == field).then_some(json))
    }
}

#[cold]
fn missing_field_error(field: &str) -> QueryError {
    QueryError::wrong(field, say!("this question needs ", field_name(field)))
}

/// Writes a question. Includes its name unless the question is a part of another question.
pub fn serialize_question<S: Serializer>(
    ask: Option<&str>,
    given: Vec<GivenField>,
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

/// Writes a question that is not a part of another question, on one line.
pub fn question_to_json(ask: &str, given: Vec<GivenField>) -> String {
    let mut text = Vec::new();
    serialize_question(
        Some(ask),
        given,
        &mut serde_json::Serializer::new(&mut text),
    )
    .expect("questions are plain values");
    String::from_utf8(text).expect("JSON is UTF-8")
}
