//! A rule as a table, for people who do not program: `state,face,next`, or
//! `state,probability,next`. The second form has its own probabilities and does not roll a source.

use crate::explore::{Move, Program};
use crate::fault::Fault;
use crate::value::Value;
use flipcost_number::expression::parse_rational;
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeMap;

/// The table: the next state or outcome for each face or probability of each state.
pub(crate) struct Table {
    first: Value,
    states: BTreeMap<String, TableState>,
    /// Whether the table has probabilities.
    weighted: bool,
}

/// A state, which rolls a die. A move with the number e is made on all faces below e on which no
/// earlier move is made.
struct TableState {
    moves: Vec<(u64, Move)>,
}

/// The columns of a table of the faces of a source.
const FACE_COLUMNS: [&str; 3] = ["state", "face", "next"];
/// The columns of a table with its own probabilities.
const PROBABILITY_COLUMNS: [&str; 3] = ["state", "probability", "next"];

/// Returns whether a table with this text has its own probabilities.
pub(crate) fn has_probabilities(text: &str) -> bool {
    header(text.trim_start_matches('\u{feff}')) == Some(PROBABILITY_COLUMNS)
}

/// The largest common denominator of the probabilities of a state.
const MAX_SIDES: u64 = 1 << 63;

/// A line below the header: its line number, its face or probability, and the move to the next
/// state or outcome.
type TableLine<'a> = (usize, &'a str, Move);

/// Splits a line into cells, which may have quotation marks.
fn cells(line: &str) -> Vec<&str> {
    let cells = line.split(',').map(str::trim);
    cells.map(|cell| cell.trim_matches('"')).collect()
}

/// Returns the columns in the first line, if they are those of a table.
fn header(text: &str) -> Option<[&'static str; 3]> {
    let line = text.lines().next().unwrap_or_default().to_lowercase();
    [FACE_COLUMNS, PROBABILITY_COLUMNS]
        .into_iter()
        .find(|columns| cells(&line) == *columns)
}

/// Returns whether a text is a table.
pub(crate) fn is_table(file: &str, text: &str) -> bool {
    file.to_lowercase().ends_with(".csv") || header(text).is_some()
}

impl Table {
    /// Parses a table. The rule starts in the first state; `next` is a state, or `=` and an
    /// outcome.
    pub(crate) fn parse(file: &str, text: &str, m: u64) -> Result<Table, Fault> {
        let fault = |(line, what): (usize, String)| {
            let (file, line) = (file.to_string(), Some(line));
            Fault::Syntax { file, line, what }
        };
        let Some(header) = header(text) else {
            let line = text.lines().next().unwrap_or_default();
            let [faces, own] = [FACE_COLUMNS, PROBABILITY_COLUMNS].map(|columns| columns.join(","));
            let what =
                format!("\"{line}\" is not the header of a table: {faces} or {own} was expected");
            return Err(fault((1, what)));
        };
        let weighted = header == PROBABILITY_COLUMNS;
        let mut lines: BTreeMap<&str, Vec<TableLine>> = BTreeMap::new();
        let (mut first, mut named) = (None, BTreeMap::new());
        for (number, line) in (1..).zip(text.lines()).skip(1) {
            if line.trim().is_empty() {
                continue;
            }
            let [state, cell, next] = cells(line)[..] else {
                let what = format!("\"{line}\" does not have three cells: {}", header.join(","));
                return Err(fault((number, what)));
            };
            first.get_or_insert(state);
            let to = target(next).map_err(|what| fault((number, what)))?;
            if let Move::Roll(_) = to {
                named.entry(next).or_insert(number);
            }
            lines.entry(state).or_default().push((number, cell, to));
        }
        let Some(first) = first else {
            let what = "a table needs a row below its header".to_string();
            return Err(fault((1, what)));
        };
        if let Some((state, line)) = named.iter().find(|(state, _)| !lines.contains_key(*state)) {
            let face = if weighted { "" } else { " for face 1" };
            let what = format!("state {state} has no row{face}");
            return Err(fault((*line, what)));
        }
        let states = lines.into_iter().map(|(state, lines)| {
            let place = named.get(state).copied().unwrap_or(2);
            let made = if weighted {
                parse_state_by_probability(state, &lines)
            } else {
                parse_state_by_face(state, lines, m, place)
            };
            Ok((state.to_string(), made.map_err(fault)?))
        });
        Ok(Table {
            first: Value::Text(first.to_string()),
            states: states.collect::<Result<_, Fault>>()?,
            weighted,
        })
    }

    fn state(&self, state: &Value) -> &TableState {
        &self.states[&state.to_string()]
    }
}

fn target(next: &str) -> Result<Move, String> {
    let Some(outcome) = next.strip_prefix('=') else {
        return Ok(Move::Roll(Value::Text(next.to_string())));
    };
    let outcome = outcome.trim().parse::<BigUint>();
    outcome.map(Move::Output).map_err(|_| {
        format!("\"{next}\" is not an outcome: = and an integer from 0 on were expected")
    })
}

/// Returns a state whose lines list the faces of the source; `place` is the number of the line in
/// which the state begins.
fn parse_state_by_face(
    state: &str,
    lines: Vec<TableLine>,
    m: u64,
    place: usize,
) -> Result<TableState, (usize, String)> {
    let mut faces: BTreeMap<u64, Move> = BTreeMap::new();
    for (line, cell, to) in lines {
        let face = cell.parse::<u64>().ok();
        let Some(face) = face.filter(|face| (1..=m).contains(face)) else {
            let what = format!("\"{cell}\" is not a face of the source, whose faces are 1 to {m}");
            return Err((line, what));
        };
        if faces.insert(face, to).is_some() {
            return Err((line, format!("face {cell} of state {state} occurs twice")));
        }
    }
    match (1..=m).find(|face| !faces.contains_key(face)) {
        Some(face) => Err((place, format!("state {state} has no row for face {face}"))),
        None => Ok(TableState {
            moves: faces.into_iter().collect(),
        }),
    }
}

/// Returns a state whose lines list its own probabilities.
fn parse_state_by_probability(
    state: &str,
    lines: &[TableLine],
) -> Result<TableState, (usize, String)> {
    let mut shares: Vec<(Rational, Move)> = Vec::new();
    for (line, cell, to) in lines {
        let share = parse_rational(cell).map_err(|_| {
            let what = format!("\"{cell}\" is not a probability: 1/3 or 0.25 was expected");
            (*line, what)
        })?;
        shares.push((share, to.clone()));
    }
    let line = lines[0].0;
    let sum: Rational = shares.iter().map(|(share, _)| share).sum();
    if !sum.is_one() {
        let what = format!("the probabilities of state {state} sum to {sum}, and not to 1");
        return Err((line, what));
    }
    let sides = (shares.iter()).fold(BigInt::one(), |all, (share, _)| all.lcm(share.denom()));
    let Some(sides) = sides.to_u64().filter(|sides| *sides <= MAX_SIDES) else {
        let what = format!(
            "the probabilities of state {state} have the common denominator {sides}: at most 2^63 was expected"
        );
        return Err((line, what));
    };
    let mut end = Rational::zero();
    let moves = shares.into_iter().map(|(share, to)| {
        end += share;
        let faces = &end * Rational::from_integer(sides.into());
        (faces.to_u64().unwrap_or(sides), to)
    });
    let moves = moves.collect();
    Ok(TableState { moves })
}

impl Program for Table {
    fn start(&self) -> Result<Move, Fault> {
        Ok(Move::Roll(self.first.clone()))
    }

    fn step(&self, state: &Value, face: u64) -> Result<Move, Fault> {
        let moves = &self.state(state).moves;
        let place = moves.partition_point(|(end, _)| *end <= face);
        Ok(moves[place].1.clone())
    }

    fn is_finite(&self) -> bool {
        true
    }

    fn own_branches(&self, state: &Value) -> Option<&[(u64, Move)]> {
        self.weighted.then(|| &self.state(state).moves[..])
    }
}
