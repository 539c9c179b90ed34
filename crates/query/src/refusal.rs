//! What is wrong with a text that is no query, as one plain sentence: it names the field that is wrong
//! and says what would be right there.

use crate::{InputError, Query, QueryError};
use serde_json::{Map, Value};

/// The field that says which question it is.
const ASK: &str = "ask";

/// How a sentence begins where that field names none, and where another is missing.
const NO_QUESTION: &str = "there is no question";
const NEEDS: &str = "this question needs the field";

/// What a query looks like.
const FORM: &str = "a query is a JSON object such as {\"ask\":\"cost\",\"target\":\"6\"}";

/// The refusal of a text that was not read as a query, because of `error`. Cost: a few readings of the
/// text for every field.
pub(crate) fn of(text: &str, error: &serde_json::Error) -> QueryError {
    match serde_json::from_str(text) {
        // The text itself is wrong; on one line the place is the column alone.
        Err(_) => {
            let error = error.to_string();
            let error = error.replace(" at line 1 column ", ", at character ");
            QueryError::refused(format!("this is no JSON: {error}")).right(FORM)
        }
        Ok(Value::Object(fields)) => of_fields(&fields, error),
        Ok(other) => QueryError::refused(format!("this is {}", kind(&other))).right(FORM),
    }
}

/// What is wrong with the fields of an object.
fn of_fields(fields: &Map<String, Value>, error: &serde_json::Error) -> QueryError {
    let wrong = match fields.get(ASK) {
        None => {
            let what = "the field `ask` is missing, which names the question";
            Some(InputError::new(Some(ASK), what))
        }
        Some(Value::String(_)) => None,
        Some(other) => {
            let what = format!("the field `ask` is {}", kind(other));
            Some(InputError::new(Some(ASK), what).given(other))
        }
    };
    if let Some(wrong) = wrong {
        return QueryError::Input(wrong.into()).right(FORM);
    }
    let said = plain(error);
    // The field without which something else is wrong, or nothing.
    let mut names = fields
        .iter()
        .filter(|(name, _)| *name != ASK && !said.starts_with(NEEDS));
    let culprit = names.find(|(name, _)| {
        let mut rest = fields.clone();
        rest.remove(name.as_str());
        match serde_json::from_value::<Query>(Value::Object(rest)) {
            Ok(_) => true,
            Err(error) => plain(&error) != said,
        }
    });
    let wrong = match culprit {
        Some((name, value)) => {
            let what = match said.contains(&format!("`{name}`")) {
                true => said,
                false => format!("the field `{name}`: {said}"),
            };
            InputError::new(Some(name), what).given(value)
        }
        None if said.starts_with(NO_QUESTION) => {
            InputError::new(Some(ASK), said).given(&fields[ASK])
        }
        None => {
            let name = said
                .strip_prefix(NEEDS)
                .and_then(|rest| rest.split('`').nth(1));
            InputError::new(name, said.as_str())
        }
    };
    QueryError::Input(wrong.into())
}

/// An error of serde without its names of types and without the place.
fn plain(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let said = match said.rfind(" at line ") {
        Some(place) => &said[..place],
        None => &said,
    };
    [
        ("unknown variant", NO_QUESTION),
        ("unknown field", "there is no field"),
        ("missing field", NEEDS),
        ("duplicate field", "given twice: the field"),
        ("invalid type: ", "it is "),
        ("invalid value: ", "it is "),
        ("expected u64", "a whole number below 2^64 was expected"),
        ("expected u32", "a whole number below 2^32 was expected"),
        ("expected a boolean", "true or false was expected"),
        ("expected a string", "a text was expected"),
        ("expected a sequence", "a list was expected"),
        ("expected one of", "known are"),
    ]
    .iter()
    .fold(said.to_string(), |said, (serde, plain)| {
        said.replace(serde, plain)
    })
}

/// What a value is.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use crate::Query;

    #[test]
    fn what_is_no_query_is_said_without_the_words_of_serde() {
        for (text, said) in [
            ("cost 6", "this is no JSON: expected value, at character 1"),
            ("[1]", "this is a list"),
            ("\"cost\"", "this is a text"),
            ("7", "this is a number"),
            (
                "{}",
                "the field `ask` is missing, which names the question: a query is a JSON object",
            ),
            (
                r#"{"ask":7}"#,
                "the field `ask` is a number: a query is a JSON object such as {\"ask\":\"cost\"",
            ),
            (
                r#"{"ask":"no"}"#,
                "there is no question `no`, known are `cost`, `compare`",
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
                "the field `from`: it is string \"x\", a whole number below 2^64 was expected",
            ),
            (
                r#"{"ask":"cost","target":"6","exact":1}"#,
                "the field `exact`: it is integer `1`, true or false was expected",
            ),
            (
                r#"{"ask":"cost","target":"6x"}"#,
                "the field `target`: \"6x\" is not a target",
            ),
        ] {
            let error = Query::from_json(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
            for word in ["enum", "tagged", "variant", "u64", "struct", "invalid type"] {
                assert!(!error.contains(word), "{text}: {error}");
            }
        }
    }
}
