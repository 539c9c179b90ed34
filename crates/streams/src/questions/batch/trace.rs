//! A run of a batch with real rolls, step by step.

use super::Batch;
use crate::sampler::{Event, StreamSampler};
use flipcost_number::BigUint;
use flipcost_one_draw::questions::roll::{MAX_TRACE_LEN, estimate_trace_bytes};
use flipcost_question::prelude::*;
use flipcost_question::rolls::Rolls;
use flipcost_question::value::join_values;
use std::fmt::Write;

impl Batch {
    /// Writes a row for each step, and a text with the same steps and the results. If the rolls run
    /// out, the steps so far are written before the run fails.
    pub(super) fn trace(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let m = self.source.fair("a batch")?;
        let bytes = (self.targets.get().iter()).fold(0u128, |sum, target| {
            sum.saturating_add(estimate_trace_bytes(&self.source, target))
        });
        if bytes > MAX_TRACE_LEN as u128 {
            let most = MAX_TRACE_LEN >> 20;
            let what = say!("the trace of this batch is longer than {most} MB");
            let right = say!(
                "choose smaller targets or fewer, or leave out ",
                field("trace")
            );
            return Err(QueryError::wrong("trace", what).right(right));
        }
        let mut rolls = Rolls::from_fields(self.input.as_deref(), self.seed, &self.source)?;
        let mut foot = Foot::default();
        rolls.note_origin(&mut foot);
        let head = Head::new()
            .column("step", CellKind::Text)
            .columns(CellKind::Count, ["die", "face", "v", "c"]);
        sink.head(&head)?;
        let capacity = self.capacities().first().copied().unwrap_or(1);
        let called = if m == 2 { "flips" } else { "rolls" };
        let mut recycler = StreamSampler::eager(m, capacity);
        let (mut results, mut text) = (Vec::new(), String::new());
        for (wanted, target) in self.targets.get().iter().zip(&self.values()) {
            control.go_on()?;
            control.progress(results.len() as u64, self.targets.get().len() as u64);
            let mut steps = Vec::new();
            let mut tell = |event: Event| {
                steps.push(event_row(m, &event));
                let _ = writeln!(text, "{}", sentence(m, &event));
            };
            let mut roll = || rolls.next(m);
            let result = recycler.draw(target, &mut roll, Some(&mut tell));
            sink.rows(steps)?;
            match result {
                Some(result) => results.push(label_of(wanted, result)),
                None => {
                    foot.text = Some(text);
                    sink.foot(foot)?;
                    let (result, all) = (results.len() + 1, self.targets.get().len());
                    let before = format!("result {result} of {all} was decided");
                    return Err(rolls.ran_out_error(called, &before, None));
                }
            }
        }
        let _ = writeln!(text, "results: {}", join_values(&results, " "));
        foot.text = Some(text);
        rolls.note_rest(called, &mut foot);
        sink.foot(foot)
    }
}

/// The result for a face of the fair die whose number of sides is the sum of the weights: each
/// outcome, in order, has as many faces as its weight.
fn label_of(wanted: &TargetText, face: BigUint) -> String {
    let Some(weights) = wanted.target().weights() else {
        return wanted.label(&face);
    };
    let mut end = BigUint::ZERO;
    let outcome = weights.iter().position(|weight| {
        end += weight;
        face < end
    });
    wanted.label(&outcome.expect("a face of the die").into())
}

/// The row of an event: what happened, the die and its face counted from 1, and the state after the
/// event.
fn event_row(m: u128, event: &Event) -> Vec<Cell> {
    let integer = |value: &BigUint| Cell::Integer(value.into());
    let (step, die, face, v, c) = match event {
        Event::Expand { face, v, c } => {
            let (die, face) = (
                Cell::Integer(BigUint::from(m).into()),
                Cell::Integer((BigUint::from(*face) + 1u8).into()),
            );
            ("roll", die, face, v, c)
        }
        Event::Reject { v, c } => ("reject", Cell::Empty, Cell::Empty, v, c),
        Event::Extract {
            sides,
            outcome,
            v,
            c,
        } => ("result", integer(sides), integer(&(outcome + 1u8)), v, c),
    };
    row![step.to_string(), die, face, v, c]
}

/// Describes the event in words.
fn sentence(m: u128, event: &Event) -> String {
    match event {
        Event::Expand { face, v, c } => {
            let shown = match (m, face) {
                (2, 0) => "coin shows H".to_string(),
                (2, _) => "coin shows T".to_string(),
                _ => format!("d{m} shows {}", u128::from(*face) + 1),
            };
            format!("  {shown}  ->  v = {v}, c = {c}")
        }
        Event::Reject { v, c } => format!("  reject  ->  v = {v}, c = {c}"),
        Event::Extract {
            sides,
            outcome,
            v,
            c,
        } => format!("d{sides} = {}  ->  v = {v}, c = {c}", outcome + 1u8),
    }
}
