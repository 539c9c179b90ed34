//! Cells and answers as JSON from which they are read again, type by type.

use crate::{Answer, Buffers, Foot, Head, Query, Verdict};
use flipcost::law::Formula;
use flipcost::table::Cell;
use flipcost_number::{BigInt, Decimal, Polynomial, Rational, RationalFunction, Rounding};
use serde_json::{Value, json};

/// What the digits of a decimal are to its value, as it is kept.
const ROUNDINGS: [(Rounding, &str); 4] = [
    (Rounding::Exact, "exact"),
    (Rounding::Nearest, "nearest"),
    (Rounding::Down, "down"),
    (Rounding::Up, "up"),
];

/// A cell as JSON from which [`cell_of_state`] makes the same.
pub fn cell_state(cell: &Cell) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Undefined => json!({ "undefined": null }),
        Cell::Infinite => json!({ "infinite": null }),
        Cell::Text(text) => json!({ "text": text }),
        Cell::Exact(value) => {
            json!({ "fraction": [value.numer().to_string(), value.denom().to_string()] })
        }
        Cell::Decimal(value) => {
            let mut all = ROUNDINGS.iter();
            let name = all.find(|(rounding, _)| *rounding == value.rounding());
            json!({ (name.map_or("", |(_, name)| name)): value.text() })
        }
        Cell::Integer(value) => json!({ "integer": value.to_string() }),
        Cell::Double(value) => json!({ "double": value.to_bits() }),
        Cell::Flag(value) => json!(value),
        Cell::Formula(value) => match &**value {
            Formula::Rational(function) => {
                let parts = [function.numerator(), function.denominator()];
                let term = |(e, c): (&[u32], &BigInt)| json!([e, c.to_string()]);
                let terms = parts.map(|part| part.terms().map(term).collect::<Vec<_>>());
                json!({ "function": terms })
            }
            Formula::Text(text) => json!({ "formula": text }),
        },
    }
}

/// What [`cell_state`] wrote.
pub fn cell_of_state(value: &Value) -> Option<Cell> {
    match value {
        Value::Null => return Some(Cell::Empty),
        Value::Bool(flag) => return Some(Cell::Flag(*flag)),
        _ => {}
    }
    let (kind, value) = value.as_object()?.iter().next()?;
    Some(match kind.as_str() {
        "undefined" => Cell::Undefined,
        "infinite" => Cell::Infinite,
        "text" => Cell::Text(value.as_str()?.to_string()),
        "fraction" => {
            let (p, q) = (value.get(0)?.as_str()?, value.get(1)?.as_str()?);
            let (p, q) = (p.parse().ok()?, q.parse().ok()?);
            Cell::from(Rational::new_raw(p, q))
        }
        "integer" => {
            let number: BigInt = value.as_str()?.parse().ok()?;
            Cell::Integer(number.to_biguint()?.into())
        }
        "formula" => Cell::Formula(Formula::Text(value.as_str()?.to_string()).into()),
        "function" => {
            let term = |term: &Value| {
                let exponents = term.get(0)?.as_array()?.iter();
                let exponents = exponents.map(|e| u32::try_from(e.as_u64()?).ok());
                Some((
                    exponents.collect::<Option<_>>()?,
                    term.get(1)?.as_str()?.parse().ok()?,
                ))
            };
            let part = |i: usize| {
                let terms = value.get(i)?.as_array()?.iter().map(term);
                Some(Polynomial::of(terms.collect::<Option<Vec<_>>>()?))
            };
            let function = RationalFunction::new(part(0)?, part(1).filter(|b| !b.is_zero())?);
            Cell::Formula(Formula::Rational(function).into())
        }
        "double" => Cell::Double(f64::from_bits(value.as_u64()?)),
        kind => {
            let (rounding, _) = ROUNDINGS.iter().find(|(_, name)| *name == kind)?;
            Cell::Decimal(Decimal::read(value.as_str()?, *rounding)?)
        }
    })
}

impl Answer {
    /// The answer as bytes from which [`Answer::from_bytes`] makes the same.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows: Buffers = self.rows.iter().cloned().collect();
        rows.to_bytes(&self.state())
    }

    /// What [`Answer::to_bytes`] wrote; `None` for what it did not.
    pub fn from_bytes(bytes: &[u8]) -> Option<Answer> {
        let (state, rows): (Value, _) = Buffers::from_bytes(bytes)?;
        let mut answer = Answer::from_state(&state)?;
        answer.rows = rows.rows(0..rows.len()).collect();
        Some(answer)
    }

    /// All but the rows as JSON from which [`Answer::from_state`] makes the same.
    pub fn state(&self) -> Value {
        let foot = &self.foot;
        json!({
            "query": self.query.to_json(),
            "columns": self.head.columns,
            "answers": self.head.columns.iter().map(|column| column.answers).collect::<Vec<_>>(),
            "notes": foot.notes,
            "asides": foot.asides,
            "verdict": match &foot.verdict {
                None => Value::Null,
                Some(Verdict::Holds) => json!(true),
                Some(Verdict::Fails(why)) => json!(why),
            },
            "text": foot.text,
            "values": foot.values.iter().map(|(name, value)| (name, cell_state(value))).collect::<Vec<_>>(),
        })
    }

    /// What [`Answer::state`] wrote, without rows; `None` for what it did not.
    pub fn from_state(state: &Value) -> Option<Answer> {
        let sentences = |name: &str| serde_json::from_value(state.get(name)?.clone()).ok();
        let mut head = Head::new();
        let answers = state.get("answers")?.as_array()?;
        for (column, answers) in state.get("columns")?.as_array()?.iter().zip(answers) {
            let text = |name: &str| column.get(name).and_then(Value::as_str);
            let kind = serde_json::from_value(column.get("kind")?.clone()).ok()?;
            head = head.measured(text("name")?, kind, text("unit").unwrap_or_default());
            if answers.as_bool()? {
                head = head.answers();
            }
        }
        Some(Answer {
            query: Query::from_json(state.get("query")?.as_str()?).ok()?,
            head,
            rows: Vec::new(),
            foot: Foot {
                notes: sentences("notes")?,
                asides: sentences("asides")?,
                verdict: match state.get("verdict")? {
                    Value::Bool(true) => Some(Verdict::Holds),
                    Value::String(why) => Some(Verdict::Fails(why.clone())),
                    _ => None,
                },
                text: state.get("text")?.as_str().map(str::to_string),
                values: (state.get("values")?.as_array()?.iter())
                    .map(|pair| {
                        let name = pair.get(0)?.as_str()?.to_string();
                        Some((name, cell_of_state(pair.get(1)?)?))
                    })
                    .collect::<Option<_>>()?,
            },
        })
    }
}
