//! A rule as a table of `state,face,next`, for those without a language.

use crate::explore::{Move, Program};
use crate::fault::Fault;
use crate::value::Value;
use flipcost_number::BigUint;
use std::collections::BTreeMap;

/// Where each face of each state leads: of every state that is named, every face.
pub(crate) struct Table {
    first: Value,
    moves: BTreeMap<(String, u64), Move>,
}

/// The columns of such a table.
pub(crate) const HEADER: [&str; 3] = ["state", "face", "next"];

/// The cells of a line.
fn cells(line: &str) -> Vec<&str> {
    line.split(',').map(str::trim).collect()
}

/// Is this the text of a table?
pub(crate) fn is_table(text: &str) -> bool {
    text.lines()
        .next()
        .is_some_and(|line| cells(line) == HEADER)
}

impl Table {
    /// The first state is where it starts; `next` is a state, or `=` and an outcome.
    pub(crate) fn parse(file: &str, text: &str, m: u64) -> Result<Table, Fault> {
        let mut moves: BTreeMap<(String, u64), Move> = BTreeMap::new();
        let mut first = None;
        let fault = |line: usize, what: String| {
            let (file, line) = (file.to_string(), Some(line));
            Fault::Syntax { file, line, what }
        };
        let mut named: BTreeMap<String, usize> = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()).skip(1) {
            if line.trim().is_empty() {
                continue;
            }
            let [state, face, next] = cells(line)[..] else {
                return Err(fault(
                    number,
                    format!("\"{line}\" is not three cells: state,face,next"),
                ));
            };
            let shown = face
                .parse::<u64>()
                .ok()
                .filter(|face| (1..=m).contains(face));
            let shown = shown.ok_or_else(|| {
                fault(
                    number,
                    format!("\"{face}\" is no face of the source, whose faces are 1 to {m}"),
                )
            })?;
            let next = match next
                .strip_prefix('=')
                .map(|outcome| outcome.trim().parse::<BigUint>())
            {
                Some(Ok(outcome)) => Move::Output(outcome),
                Some(Err(_)) => {
                    let what = format!("\"{next}\" is no outcome: = and an integer from 0");
                    return Err(fault(number, what));
                }
                None => {
                    named.entry(next.to_string()).or_insert(number);
                    Move::Roll(Value::Text(next.to_string()))
                }
            };
            first.get_or_insert_with(|| state.to_string());
            if moves.insert((state.to_string(), shown), next).is_some() {
                return Err(fault(
                    number,
                    format!("face {face} of state {state} is there twice"),
                ));
            }
        }
        let Some(first) = first else {
            return Err(fault(
                1,
                "a table needs a line below its header".to_string(),
            ));
        };
        named.entry(first.clone()).or_insert(2);
        for (state, line) in named {
            if let Some(face) = (1..=m).find(|face| !moves.contains_key(&(state.clone(), *face))) {
                return Err(fault(
                    line,
                    format!("state {state} has no line for face {face}"),
                ));
            }
        }
        Ok(Table {
            first: Value::Text(first),
            moves,
        })
    }
}

impl Program for Table {
    fn start(&self) -> Result<Move, Fault> {
        Ok(Move::Roll(self.first.clone()))
    }

    fn step(&self, state: &Value, face: u64) -> Result<Move, Fault> {
        Ok(self.moves[&(state.to_string(), face + 1)].clone())
    }
}
