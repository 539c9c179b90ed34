//! Draws from a law without an end.

use super::require_coin;
use crate::text::EndlessText;
use crate::walk::Walk;
use flipcost_question::prelude::*;
use flipcost_question::rolls::Rolls;

question! {
    /// Really draw from a law with infinitely many outcomes, by its optimal tree, whose digits are
    /// computed when they are needed
    pub struct EndlessRoll: "roll" {
        /// The law.
        target: EndlessText; TARGET,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The number of results
        count: u64 = 1; option("K").short('k'),
        /// Make repeatable rolls from this seed, instead of using the operating system's randomness
        seed: Option<u64>; option("S"),
        /// Your own physical rolls: HTHHT for a coin (H is face 1, T is 2)
        input: Option<String>; option("ROLLS").short('i').without(&["seed"]).dash(),
    }
    purpose: Table
    examples: ["roll dgauss:sigma=3/2 --count 10", "roll 'bernoulli:exp(-1)' --seed 1"]
}

impl Question for EndlessRoll {
    fn summary(&self, answer: &Answer) -> String {
        match answer.rows.len() {
            1 => format!(
                "{} shows {}, after {}",
                self.target,
                answer.cell(0, "result"),
                answer.measure(0, "rolls").unwrap_or_default()
            ),
            many => format!("{many} results of {} from a coin", self.target),
        }
    }

    fn is_streamed(&self) -> bool {
        self.count > 1
    }

    fn estimate(&self) -> Estimate {
        Estimate::space(1 << 24, u128::from(self.count).saturating_mul(16))
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        require_coin(&self.source)?;
        let mut rolls = Rolls::from_fields(self.input.as_deref(), self.seed, &self.source)?;
        let mut walk = Walk::new(&self.target, "target")?;
        let head = Head::new()
            .column("result", CellKind::Statistical)
            .measured("rolls", CellKind::Statistical, "flips");
        let mut rows = Chunks::begin(&head, control, sink)?;
        for done in 0..self.count {
            if done.is_multiple_of(1 << 16) {
                control.progress(done, self.count);
            }
            let drawn = walk.draw(|| {
                control.go_on().ok()?;
                rolls.next(2).map(|face| face == 1)
            })?;
            control.go_on()?;
            let Some((x, flips)) = drawn else {
                rows.flush()?;
                let before = format!("result {} of {} was decided", done + 1, self.count);
                return Err(rolls.ran_out_error("flips", &before, None));
            };
            rows.push(row![x.to_string(), flips])?;
        }
        control.progress(self.count, self.count);
        let mut foot = Foot::default();
        rolls.note_rest("flips", &mut foot);
        rows.end(foot)
    }
}
