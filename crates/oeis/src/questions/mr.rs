//! MR-expansions.

use flipcost_number::Real;
use flipcost_number::mr;
use flipcost_question::prelude::*;
use flipcost_question::{Natural, Positive};

question! {
    /// The MR-expansion of a positive number: terms, and for a rational pre-period and period
    ///
    /// The MR-expansion of a positive number: a row for every term; for a rational the note says its
    /// pre-period and period.
    pub struct Mr: "mr" {
        /// The number, such as 1/29, e, pi, sqrt(2), ln(2) or e-2
        x: Positive; word("X").dash(),
        /// The base
        base: u64 = 2; option("M").short('b'),
        /// How many terms to print
        terms: u64 = 30; option("K").short('t'),
    }
    purpose: Numbers
    examples: ["mr 1/29", "mr e --terms 30 --base 3"]
}

/// Terms that are searched for the period of a rational of machine words.
const MOST: u64 = 20_000_000;

impl Mr {
    /// The most terms of a number that is not a fraction: all of them are decided before the first
    /// is told.
    const MOST_IRRATIONAL: u64 = 200_000;

    /// Thirty terms in base 2.
    pub fn new(x: Positive) -> Mr {
        Mr::usual([("x", x.json())])
    }

    /// Is this a base?
    ///
    /// # Errors
    /// [`QueryError::Input`] unless it is from 2 to 2^32.
    fn check_base(base: u64) -> Result<(), QueryError> {
        match base {
            2..=0x1_0000_0000 => Ok(()),
            _ => Err(
                QueryError::wrong("base", say!("base {base} is out of range"))
                    .right("it must be 2 to 2^32"),
            ),
        }
    }
}

impl Question for Mr {
    fn is_watched(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let terms = u128::from(self.terms);
        match self.x.value() {
            Real::Exact(x) => {
                let words = u128::from((x.numer().bits() + x.denom().bits()) / 64 + 1);
                let period = u128::from(MOST) * 100; // see `run`: fewer terms of longer numbers
                Estimate::of(
                    terms.saturating_mul(20 * words).saturating_add(period),
                    (1 << 20) + 64 * words,
                    terms.saturating_mul(4),
                )
            }
            // Products of as many bits as there are terms and a few.
            _ => Estimate::of(
                terms.saturating_mul(terms / 4 + 1000),
                (1 << 20) + terms * 32,
                terms.saturating_mul(4),
            ),
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        Mr::check_base(self.base)?;
        control.go_on()?;
        let head = Head::new().columns(Kind::Count, ["place", "term"]);
        let Real::Exact(x) = self.x.value() else {
            if self.terms > Mr::MOST_IRRATIONAL {
                let what = format!(
                    "{} terms of a number that is not a fraction are too many",
                    self.terms
                );
                let right = format!("{} is the most", Mr::MOST_IRRATIONAL);
                return Err(QueryError::wrong("terms", what).right(right));
            }
            let terms = mr::terms_of_real(self.x.value(), self.base, self.terms as usize);
            let terms = terms.map_err(QueryError::of("x"))?;
            let mut rows = Chunks::begin(&head, control, sink)?;
            for (place, term) in (1u64..).zip(terms) {
                rows.push(row![place, term])?;
            }
            return rows.end(Foot::default());
        };
        let bits = x.numer().bits().max(x.denom().bits());
        if bits > Natural::MOST_BITS {
            let right = format!(
                "numerator and denominator must be below 2^{}",
                Natural::MOST_BITS
            );
            return Err(
                QueryError::wrong("x", say!("a fraction of {bits} bits is too long")).right(right),
            );
        }
        let expansion = mr::Expansion::new(x, self.base).expect("x and the base were checked");
        let mut rows = Chunks::begin(&head, control, sink)?;
        for (place, term) in (1..=self.terms).zip(expansion) {
            rows.push(row![place, term])?;
        }
        rows.flush()?;
        // A term of a long rational takes longer.
        let most = MOST / (1 + x.denom().bits() / 64);
        let period = mr::period_while(x, self.base, most, || control.go_on().is_ok());
        control.go_on()?;
        let mut foot = Foot::default();
        foot.note(match period {
            Some(period) => format!("pre-period {}, period {}", period.before, period.length),
            None => format!("no period was found: the search ends after {most} terms"),
        });
        rows.end(foot)
    }
}
