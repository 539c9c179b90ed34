//! The question `roll`: real rolls from a sampler.

use flipcost::algorithms::{Prepared, Rolled, Traced, face_name};
use flipcost_question::dice::check_entropy;
use flipcost_question::dice::estimate_rolls;
use flipcost_question::dice::words_for_bits;
use flipcost_question::prelude::*;
use flipcost_question::rolls::Rolls;

question! {
    /// Really roll: a fair number from 1 to N, or an outcome of weights, out of coin flips or other
    /// rolls
    ///
    /// Numbers from 1 to n, or outcomes of weights by their names, from real rolls: a row for every
    /// result with the source rolls that it took. With `trace` the row has every step too, one per
    /// line.
    ///
    /// If the rolls of an input run out before a result is decided, the answer ends with an error;
    /// with `trace` a last row without a result has the steps so far.
    pub struct Roll: "roll" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The algorithm.
        algorithm: AlgorithmId => target.algorithm(&source); ALGORITHM,
        /// The number of results
        count: u64 = 1; option("K").short('k'),
        /// Make repeatable rolls from this seed, instead of using the operating system's randomness
        seed: Option<u64>; option("S"),
        /// Show every step, with the rolls that it used
        trace: bool; flag().short('t'),
        /// Your own physical rolls: HTHHT for a coin (H is face 1, T is 2), or faces such as
        /// 6,3,4,3 (the 0 of a d10 is its 10)
        input: Option<String>; option("ROLLS").short('i').without(&["seed"]).dash(),
    }
    purpose: Table
    examples: [
        "roll 6",
        "roll 20 --source 6 --input 3,1,4,1,5",
        "roll 6 --count 10 --seed 1",
        "roll 1:2:3",
        "roll 3d6 -a fldr --trace",
    ]
}

/// The largest number of bytes of the trace of one result, which is one cell: 64 MB.
pub const MAX_TRACE_LEN: usize = 1 << 26;

/// Estimates the length in bytes of the trace of a result: log_m n steps, each with two numbers
/// before the step and two after it. The numbers grow up to n, so on average they are half as long
/// as n.
pub fn estimate_trace_bytes(source: &Sides, target: &TargetText) -> u128 {
    estimate_rolls(source, target).saturating_mul(u128::from(target.bits()) / 4)
}

/// Formats a step: `[v = 1, c = 0]  coin shows H  ->  v = 2, c = 0`.
fn format_step(step: Traced) -> String {
    let die = match step.sides {
        2 => "coin".to_string(),
        sides => format!("d{sides}"),
    };
    let face = face_name(step.sides, step.face);
    let after = step.after.unwrap_or("output".to_string());
    format!("[{}]  {die} shows {face}  ->  {after}", step.before)
}

/// The rolls of one result.
struct Played {
    /// `None` if the rolls ran out.
    rolled: Option<Rolled>,
    used: u64,
    /// The steps, one per line, if they are traced.
    steps: String,
}

impl Roll {
    /// Rejects a trace that would certainly be too long.
    fn check_trace(&self) -> Result<(), QueryError> {
        let bytes = estimate_trace_bytes(&self.source, &self.target);
        if self.trace && bytes > MAX_TRACE_LEN as u128 {
            Err(self.long_trace_error())
        } else {
            Ok(())
        }
    }

    fn long_trace_error(&self) -> QueryError {
        let (target, most) = (self.target.phrase(), MAX_TRACE_LEN >> 20);
        let what = say!("the trace of a result for {target} is longer than {most} MB");
        QueryError::wrong("trace", what)
            .right(say!("choose a smaller n, or leave out ", field("trace")))
    }

    /// Rolls one result.
    fn play(
        &self,
        prepared: &dyn Prepared,
        rolls: &mut Rolls,
        control: &Control,
    ) -> Result<Played, QueryError> {
        let (mut steps, mut used) = (String::new(), 0u64);
        let long = std::cell::Cell::new(false);
        let mut tell = |told: Traced| {
            if !steps.is_empty() {
                steps.push('\n');
            }
            steps += &format_step(told);
            long.set(steps.len() > MAX_TRACE_LEN);
        };
        // A run that was stopped gets no more rolls.
        let mut roll = |sides: u128| {
            control.go_on().ok()?;
            if long.get() {
                return None;
            }
            let face = rolls.next(sides)?;
            used += 1;
            Some(face)
        };
        let trace: Option<&mut dyn FnMut(Traced)> = if self.trace { Some(&mut tell) } else { None };
        let rolled = prepared.play(&mut roll, trace);
        control.go_on()?;
        let rolled = rolled.map_err(QueryError::of_algorithm("algorithm", self.algorithm.0))?;
        if rolled.is_none() && long.get() {
            return Err(self.long_trace_error());
        }
        Ok(Played {
            rolled,
            used,
            steps,
        })
    }
}

impl Question for Roll {
    fn summary(&self, answer: &Answer) -> String {
        let what = self.target.with_article();
        match answer.rows.len() {
            1 => match answer.cell(0, "result") {
                Cell::Empty => format!(
                    "the {} ran out before {what} was decided",
                    self.source.0.unit().plural()
                ),
                result => format!(
                    "{what} {} {result}, after {}",
                    if what.starts_with("weights") {
                        "show"
                    } else {
                        "shows"
                    },
                    answer.measure(0, "rolls").unwrap_or_default()
                ),
            },
            many => format!(
                "{many} results of {what} from {}",
                self.source.0.with_article()
            ),
        }
    }

    /// Returns whether the rows appear one after the other; a single result appears only when it is
    /// complete.
    fn is_streamed(&self) -> bool {
        self.count > 1
    }

    fn estimate(&self) -> Estimate {
        let rolls = estimate_rolls(&self.source, &self.target);
        let words = words_for_bits(self.target.bits());
        let trace = if self.trace { rolls * 80 * words } else { 0 };
        let bytes = 2 + 20 * words + trace;
        Estimate::space(
            (1 << 20) + 2 * bytes,
            u128::from(self.count).saturating_mul(bytes),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let (source, algorithm) = (&self.source.0, self.algorithm);
        if source.is_unknown() && self.input.is_none() {
            let name = source.with_article();
            let what = format!("{name} cannot be rolled here, since its probabilities are unknown");
            let right = say!(
                field("input").with_word("ROLLS"),
                " takes your own rolls of it, and a source with known probabilities, such as 1:2 or p=1/3, is rolled for you"
            );
            return Err(QueryError::wrong("source", what).right(right));
        }
        let task = match &self.input {
            Some(_) => self.target.task_of_any(source)?,
            None => self.target.task(source)?,
        };
        if self.input.is_none() {
            check_entropy(&task)?;
        }
        let prepared = match &self.input {
            Some(_) => algorithm.0.prepare_to_play(&task),
            None => algorithm.0.prepare(&task),
        };
        let prepared = prepared.map_err(QueryError::of_algorithm("algorithm", algorithm.0))?;
        let mut rolls = Rolls::from_fields(self.input.as_deref(), self.seed, &self.source)?;
        self.check_trace()?;
        let mut foot = Foot::default();
        if self.trace {
            rolls.note_origin(&mut foot);
        }
        let unit = task.source().unit();
        let result = if self.target.is_labelled() {
            CellKind::Text
        } else {
            CellKind::Statistical
        };
        let mut head = Head::new().column("result", result);
        head = head.measured("rolls", CellKind::Statistical, unit.plural());
        if self.trace {
            head = head.column("trace", CellKind::Text);
        }
        let mut rows = Chunks::begin(&head, control, sink)?;
        for done in 0..self.count {
            if done.is_multiple_of(1 << 16) {
                control.progress(done, self.count);
            }
            let Played {
                rolled,
                used,
                steps,
            } = self.play(&*prepared, &mut rolls, control)?;
            let result = (rolled.as_ref()).map(|rolled| self.target.outcome(&rolled.outcome));
            let mut row = row![result, used];
            if self.trace {
                row.push(Cell::Text(steps));
            }
            if rolled.is_some() || self.trace {
                rows.push(row)?;
            }
            if rolled.is_some() {
                continue;
            }
            rows.flush()?;
            let called = unit.plural();
            let before = format!("result {} of {} was decided", done + 1, self.count);
            let algorithm = self.algorithm;
            let right = say!("{algorithm} needs more {called}");
            return Err(rolls.ran_out_error(called, &before, Some(right)));
        }
        control.progress(self.count, self.count);
        rolls.note_rest(unit.plural(), &mut foot);
        rows.end(foot)
    }
}
