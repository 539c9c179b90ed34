//! What a draw from a law without an end costs.

use super::only_coin;
use crate::samplers::{DrawSampler, samplers};
use crate::text::EndlessText;
use flipcost_number::Real;
use flipcost_question::prelude::*;

question! {
    /// What a draw from a law without an end costs from a coin, the optimum beside the samplers in use
    ///
    /// `geometric:p=1/3`, `poisson:1`, `dlaplace:scale=2` (in proportion to e^(-|x|/scale)), `dgauss:sigma=3/2` (to
    /// e^(-x^2/(2 sigma^2)); with `from=0` the half from 0 on), `rgauss:sigma=14/5` (a Gaussian that is rounded to
    /// integers), `bernoulli:exp(-1)` (a coin whose probability is no fraction). Of the samplers `model` says what is
    /// counted, `loops` how often they begin again on average, the accepted time with it, and `t` the scale of the discrete
    /// Laplace law that `canonne-kamath-steinke` begins with: floor(sigma) + 1, as published, or floor(sigma).
    pub struct EndlessCost: "cost" {
        /// The law.
        target: EndlessText; TARGET,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Correctly rounded decimals instead of the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: ["cost dgauss:sigma=3/2", "cost dlaplace:scale=2 --digits 30", "cost 'bernoulli:exp(-1)'"]
}

/// The bits that so many decimals need, or a double.
fn bits(digits: Option<u32>) -> u64 {
    u64::from(digits.unwrap_or(20)) * 10 / 3 + 80
}

impl Question for EndlessCost {
    fn summary(&self, answer: &Answer) -> String {
        let flips = answer.measure(0, "expected").unwrap_or_default();
        let least = format!(
            "{} takes {flips} on average by {}; no method takes fewer",
            self.target,
            by_algorithm("knuth-yao"),
        );
        let other =
            (1..answer.rows.len()).find(|row| *answer.cell(*row, "exact") == Cell::Flag(true));
        match other.map(|row| {
            (
                answer.cell(row, "algorithm"),
                answer.measure(row, "expected"),
            )
        }) {
            Some((id, Some(flips))) => format!("{least}, and {id} takes {flips}"),
            _ => least,
        }
    }

    fn estimate(&self) -> Estimate {
        let bits = u128::from(bits(self.digits));
        Estimate::space(1 << 24, 40 * bits)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        only_coin(&self.source)?;
        let precision = precision(self.digits, false)?;
        let law = &self.target;
        law.checked("target", bits(self.digits))?;
        control.go_on()?;
        let entropy = law.entropy();
        let head = Head::new()
            .column("algorithm", CellKind::Text)
            .answers()
            .column("t", CellKind::Count)
            .measured("expected", CellKind::Decimal, "flips")
            .answers()
            .measured("toll", CellKind::Decimal, "flips")
            .answers()
            .measured("entropy", CellKind::Decimal, "bits")
            .column("variance", CellKind::Decimal)
            .answers()
            .column("loops", CellKind::Decimal)
            .column("exact", CellKind::Flag)
            .column("model", CellKind::Text);
        let optimum = DrawSampler {
            id: "knuth-yao",
            t: None,
            expected: law.optimum(),
            loops: None,
            exact: true,
            model: "the optimum, digits as they are needed",
        };
        let mut rows = Vec::new();
        for sampler in std::iter::once(optimum).chain(samplers(law.kind())) {
            control.go_on()?;
            let write = |value: &Real| decimal(value, precision);
            let variance = match sampler.id {
                "knuth-yao" => write(&law.variance())?,
                _ => Cell::Empty,
            };
            rows.push(row![
                sampler.id.to_string(),
                sampler.t,
                write(&sampler.expected)?,
                write(&sampler.expected.minus(&entropy))?,
                write(&entropy)?,
                variance,
                sampler.loops.as_ref().map_or(Ok(Cell::Empty), write)?,
                Cell::Flag(sampler.exact),
                sampler.model.to_string()
            ]);
        }
        sink.write_answer(&head, rows, Foot::default())
    }
}
