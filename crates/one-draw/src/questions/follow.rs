//! The question `show` with rolls: traces the states of an algorithm, roll by roll.

use flipcost::algorithms::{FAST_DICE_ROLLER, Traced};
use flipcost::algorithms::{RoundCycle, flow_chart};
use flipcost::algorithms::{face_name, parse_rolls};
use flipcost_question::prelude::*;

question! {
    /// Step through an algorithm with rolls you give
    ///
    /// A row for each roll, and one before the first, with the state of the algorithm or the
    /// outcome. The rolls may leave the outcome undecided.
    ///
    /// For a fair target and the fast dice roller, `round` is the row of the flow chart, and
    /// `of_round` counts the rolls that were made in it.
    pub struct Follow: "show" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// Instead of --as, step through the algorithm with these rolls: faces such as 6,3,4,3, or
        /// HTHHT for a coin (H is face 1, T is 2)
        rolls: String; option("ROLLS").short('r').dash(),
        /// The algorithm.
        algorithm: AlgorithmId => target.algorithm(&source); ALGORITHM,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
    }
    purpose: Table
    examples: ["show 6 --rolls 1,2,2", "show 7 --source 6 --rolls 6,6"]
}

/// The largest number of rolls that are followed.
const MAX_ROLLS: usize = 10_000;

/// Returns the place in the chart after a number of rolls: the number of the round, counted from 1,
/// and the number of rolls made in it. `decided` says whether the last roll decided the outcome.
fn chart_place(chart: &RoundCycle, rolls: u64, decided: bool) -> Option<(usize, u64)> {
    let (mut left, mut at) = (rolls, 0);
    loop {
        let round = chart.rounds.get(at)?;
        if left < round.rolls || decided && left == round.rolls {
            return Some((at + 1, left));
        }
        left -= round.rolls;
        at += 1;
        if at == chart.rounds.len() {
            at = chart.back_to?;
        }
    }
}

impl Question for Follow {
    fn summary(&self, answer: &Answer) -> String {
        let last = answer.rows.len().saturating_sub(1);
        let what = self.target.with_article();
        match (answer.cell(last, "outcome"), answer.measure(last, "rolls")) {
            (Cell::Empty, _) => format!(
                "these {} do not decide {what} yet",
                self.source.0.unit().plural()
            ),
            (outcome, rolls) => {
                format!("{what} shows {outcome} after {}", rolls.unwrap_or_default())
            }
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let (source, algorithm) = (&self.source.0, self.algorithm);
        let task = self.target.task_of_any(source)?;
        let prepared = algorithm
            .0
            .prepare_to_play(&task)
            .map_err(QueryError::of_algorithm("algorithm", algorithm.0))?;
        let given =
            parse_rolls(&self.rolls, self.source.get()).map_err(QueryError::for_field("rolls"))?;
        if given.len() > MAX_ROLLS {
            let what = format!("{} rolls are too many to follow", given.len());
            return Err(QueryError::wrong("rolls", what).right(say!("{MAX_ROLLS} is the most")));
        }
        control.go_on()?;
        let chart = match task.fair() {
            Ok(fair) if self.algorithm == AlgorithmId::from(FAST_DICE_ROLLER) => {
                // Each roll enters at most one round, and one more round may begin after the last
                // roll.
                flow_chart(fair, MAX_ROLLS + 1, given.len() as u64)
            }
            _ => None,
        };
        // Add one more roll, of any face: its step shows the state after the given rolls.
        let mut faces = given.iter().copied().chain([0]);
        let mut steps: Vec<Traced> = Vec::new();
        let mut tell = |told: Traced| steps.push(told);
        let mut roll = |_| {
            control.go_on().ok()?;
            faces.next()
        };
        let rolled = prepared.play(&mut roll, Some(&mut tell));
        control.go_on()?;
        let rolled = rolled.map_err(QueryError::of_algorithm("algorithm", algorithm.0))?;
        let rolled = rolled.filter(|rolled| rolled.rolls <= given.len() as u64);
        let unit = task.source().unit();
        let head = Head::new()
            .measured("rolls", CellKind::Count, unit.plural())
            .columns(CellKind::Text, ["face", "state"])
            .column("outcome", self.target.outcome_kind())
            .column("round", CellKind::Count)
            .measured("of_round", CellKind::Count, unit.plural());
        let mut rows = Chunks::begin(&head, control, sink)?;
        let last = (rolled.as_ref()).map_or(given.len() as u64, |rolled| rolled.rolls);
        for made in 0..=last {
            let at = made as usize;
            let outcome = rolled.as_ref().filter(|rolled| rolled.rolls == made);
            let shown = (at > 0).then(|| face_name(steps[at - 1].sides, steps[at - 1].face));
            let state = outcome.is_none().then(|| steps[at].before.clone());
            let place = chart
                .as_ref()
                .and_then(|chart| chart_place(chart, made, outcome.is_some()));
            let number = |value: u64| Cell::Integer(value.into());
            rows.push(row![
                made,
                shown,
                state,
                outcome.map_or(Cell::Empty, |rolled| self.target.outcome(&rolled.outcome)),
                place.map_or(Cell::Empty, |(round, _)| number(round as u64)),
                place.map_or(Cell::Empty, |(_, of_round)| number(of_round))
            ])?;
        }
        let mut foot = Foot::default();
        match given.len() as u64 - last {
            0 if rolled.is_none() => foot.note("not decided yet"),
            0 => {}
            more => foot.note(format!("unused: {more} of the given {}", unit.plural())),
        }
        rows.end(foot)
    }
}
