//! The means of the toll of the fast dice roller, and the amplitudes of its oscillations.

use crate::{fourier, toll};
use flipcost_number::Real;
use flipcost_question::prelude::*;

question! {
    /// The mean toll of the fast dice roller with a coin over all n, and its oscillations
    ///
    /// With a coin the toll has the period 1 in log2 n. The rows are the mean of the toll over log
    /// n (`mean-over-log`), the limit of its mean over the n between two powers of two
    /// (`mean-over-sides`), and the amplitudes of the oscillations with 1, 2, ... waves between two
    /// powers of two (`amplitude-1`, ...): twice the absolute value of the Fourier coefficient.
    pub struct TollOscillations: "toll-oscillations", "toll oscillations" {
        /// How many oscillations to list
        upto: u64 = 3; option("H"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: ["toll oscillations", "toll oscillations --upto 5 --digits 20"]
}

/// The maximum number of oscillations.
const MAX_TERMS: u64 = 500;

impl Question for TollOscillations {
    fn summary(&self, answer: &Answer) -> String {
        format!(
            "over all n the toll of the fast dice roller with a coin is {} on average, along log n",
            answer.measure(0, "value").unwrap_or_default()
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        if self.upto > MAX_TERMS {
            let what = say!(field("upto").is(self.upto), " is too many oscillations");
            return Err(QueryError::wrong("upto", what).right(say!("{MAX_TERMS} is the most")));
        }
        let head = Head::new().column("what", CellKind::Text).measured(
            "value",
            CellKind::Decimal,
            "flips",
        );
        sink.head(&head)?;
        let mut row = |what: String, value: &Real| {
            control.go_on()?;
            sink.rows(vec![row![what, decimal(value, precision)?]])
        };
        row("mean-over-log".to_string(), &toll::mean_over_log())?;
        row("mean-over-sides".to_string(), &toll::mean_over_n())?;
        for h in 1..=self.upto {
            row(format!("amplitude-{h}"), &fourier::amplitude(h as usize))?;
        }
        sink.foot(Foot::default())
    }
}
