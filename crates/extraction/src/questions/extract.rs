//! The question `extract`: how many fair bits a block of rolls yields.

use super::test_die::MAX_DIGITS;
use crate::{BlockYield, EXTRACTORS, Extractor, NotComputed};
use flipcost::law::CostFormula;
use flipcost::table::Precision;
use flipcost::task::Source;
use flipcost_number::Real;
use flipcost_question::at::heads;
use flipcost_question::precision::nonnegative_decimal;
use flipcost_question::prelude::*;
use flipcost_question::{KnownSources, Numbers};
use num_traits::ToPrimitive;

question! {
    /// How many fair bits N flips of a loaded or unknown coin yield: von Neumann's pairs, Peres's
    /// iteration, Elias's blocks
    ///
    /// The expected number of fair bits from a block of N rolls, a row for each method; each is
    /// fair for every load of the source. No method yields more than Elias's from a block of an
    /// unknown source. Peres's method takes coins, up to 512 flips. For an unknown coin the
    /// expected bits are a polynomial in p, the probability of face 1; for an unknown die they are
    /// a polynomial in p1, p2, ..., the probabilities of all faces, if this polynomial has few
    /// terms.
    pub struct Extract: "extract" {
        /// The source, of any law, known or unknown.
        source: Sides = Sides::default(); SOURCE,
        /// The number of rolls in a block, or several numbers, as in 4,8
        length: Numbers; option("N"),
        /// Only these methods
        method: Vec<ExtractMethod>; option("METHOD"),
        /// Compute the bits for these known sources instead of the unknown one: probabilities of
        /// heads as in p=1/3,1/10, or weights of faces
        at: Option<KnownSources>; option("P"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: [
        "extract --source p=1/3 --length 8",
        "extract --source unknown:2 --length 4,8 --at p=1/3,1/2",
    ]
}

choices! {
    /// A method that makes fair bits from a block of rolls.
    ///
    /// ```
    /// use flipcost_extraction::questions::ExtractMethod;
    /// assert_eq!("elias".parse::<ExtractMethod>()?, ExtractMethod::Elias);
    /// # Ok::<(), flipcost_question::ChoiceError>(())
    /// ```
    pub enum ExtractMethod {
        /// Uses the order of two different rolls.
        VonNeumann = "von-neumann",
        /// Uses pairs, and then, at all levels, pairs of the information that pairs discard.
        Peres = "peres",
        /// Uses the rank of a word among the words of its type; no method yields more bits.
        Elias = "elias",
    }
}

/// The largest number of rows.
const MAX_ROWS: usize = 4096;

impl Extract {
    /// Returns the known sources, each with its cell if it replaces an unknown source; empty if the
    /// source stays unknown.
    fn sources(&self) -> Result<Vec<(Option<Cell>, Source)>, QueryError> {
        let source = &self.source.0;
        if let Some(at) = &self.at {
            let known = |at: &Sides| {
                let cell = match heads(at) {
                    Some(p) => (&p).into(),
                    None => Cell::Text(at.to_string()),
                };
                (Some(cell), at.0.clone())
            };
            return Ok(at.for_source(source)?.iter().map(known).collect());
        }
        if source.is_unknown() {
            Ok(Vec::new())
        } else {
            Ok(vec![(None, source.clone())])
        }
    }

    /// Returns the methods that the user requested, or all methods.
    fn methods(&self) -> Vec<&'static dyn Extractor> {
        let named = |method: &ExtractMethod| {
            let mut rules = EXTRACTORS.iter();
            *rules
                .find(|rule| rule.id() == method.name())
                .expect("a test finds all methods")
        };
        match self.method.len() {
            0 => EXTRACTORS.to_vec(),
            _ => self.method.iter().map(named).collect(),
        }
    }

    /// Returns whether the probabilities are unknown and `at` does not replace them.
    fn is_unknown(&self) -> bool {
        self.source.0.is_unknown() && self.at.is_none()
    }

    fn not_computed_error(&self, why: &NotComputed, id: &str) -> QueryError {
        let what = say!("{id}: ", why.to_string());
        let wrong = |name| QueryError::wrong(name, what);
        match why {
            NotComputed::Dice => wrong("method"),
            NotComputed::Long { .. } | NotComputed::Terms if self.is_unknown() => wrong("length")
                .right(say!(
                    field("at"),
                    " evaluates longer blocks at known probabilities"
                )),
            _ => wrong("length"),
        }
    }

    /// Rejects fields that would give too many rows or decimals, and empty blocks.
    fn check(&self, rules: usize) -> Result<(), QueryError> {
        if let Some(digits) = self.digits.filter(|digits| *digits > MAX_DIGITS) {
            let what = say!("{digits} decimals are too many here");
            return Err(QueryError::wrong("digits", what).right(say!("{MAX_DIGITS} is the most")));
        }
        let lengths = self.length.get();
        let points = self.at.as_ref().map_or(1, |at| at.get().len());
        let rows = lengths.len() * rules * points;
        if rows > MAX_ROWS {
            let what = say!("{rows} rows of blocks");
            return Err(QueryError::wrong("length", what).right(say!("{MAX_ROWS} is the most")));
        }
        if lengths.first() == Some(&0) {
            return Err(
                QueryError::wrong("length", "a block of 0 rolls yields nothing")
                    .right("1 roll at least was expected"),
            );
        }
        Ok(())
    }

    /// The faces of the source.
    fn faces(&self) -> u64 {
        self.source.get().to_u64().unwrap_or(u64::MAX)
    }

    /// The rows of a block of this length, one for each source; without sources, a row with a
    /// polynomial. A row that cannot be computed is an error.
    fn block_rows(
        &self,
        rule: &dyn Extractor,
        n: u64,
        sources: &[(Option<Cell>, Source)],
        precision: Precision,
        control: &Control,
    ) -> Result<Vec<Result<Vec<Cell>, NotComputed>>, QueryError> {
        if sources.is_empty() {
            let row = rule.polynomial(self.faces(), n).map(|polynomial| {
                let bits = Cell::Formula(CostFormula::Rational(polynomial.into()).into());
                let mut row = row![rule.id(), n, bits];
                row.extend([const { Cell::Empty }; 4]);
                row
            });
            return Ok(vec![row]);
        }
        let mut rows = Vec::new();
        for (at, source) in sources {
            control.go_on()?;
            rows.push(match rule.yielded(source, n) {
                Ok(yielded) => {
                    let mut row = row![rule.id(), n];
                    row.extend(at.clone());
                    row.extend(cells(n, &source.entropy(), &yielded, precision)?);
                    Ok(row)
                }
                Err(why) => Err(why),
            });
        }
        Ok(rows)
    }

    fn head(&self) -> Head {
        let head = Head::new()
            .column("method", CellKind::Text)
            .column("length", CellKind::Count);
        let head = match self.at {
            None => head,
            Some(_) if self.source.get() > 2 => head.column("at", CellKind::Text),
            Some(_) => head.column("p", CellKind::Exact),
        };
        let bits = if self.is_unknown() {
            CellKind::Formula
        } else {
            CellKind::Exact
        };
        head.measured("bits_exact", bits, "bits")
            .answers()
            .measured("bits", CellKind::Decimal, "bits")
            .answers()
            .measured("bits_per_flip", CellKind::Decimal, "bits")
            .column("share", CellKind::Decimal)
            .explained(&[(
                "share",
                "the part of the entropy of the flips that becomes bits",
            )])
            .answers()
            .measured("variance_exact", CellKind::Exact, "bits^2")
    }
}

/// Returns a note that says what the variables of the polynomials are, and how to evaluate the
/// polynomials.
fn note_on_polynomials(faces: u64) -> Sentence {
    let (of, at) = match faces {
        2 => (
            "p, the probability of face 1".to_string(),
            "1/3".to_string(),
        ),
        m => {
            let weights = match m {
                ..=12 => "1:".repeat(m as usize - 1) + "2",
                _ => "1:...:1:2".to_string(),
            };
            (
                format!("p1, ..., p{m}, the probabilities of the faces"),
                weights,
            )
        }
    };
    say!(
        "the values are polynomials in {of}; ",
        field("at").is(at),
        " evaluates them"
    )
}

/// The cells of a block: its bits, and their share of the entropy of a flip.
fn cells(
    n: u64,
    entropy: &Real,
    yielded: &BlockYield,
    precision: Precision,
) -> Result<Vec<Cell>, QueryError> {
    let each = &yielded.bits / &Real::integer(n);
    let share = &each / entropy;
    Ok(row![
        exact_cell(&yielded.bits),
        nonnegative_decimal(&yielded.bits, precision)?,
        nonnegative_decimal(&each, precision)?,
        nonnegative_decimal(&share, precision)?,
        yielded.variance.as_ref()
    ])
}

impl Question for Extract {
    fn summary(&self, answer: &Answer) -> String {
        let (_, best) = answer.extremes("bits").unwrap_or_default();
        let length = answer.phrase(best, "length").unwrap_or_default();
        let method = answer.cell(best, "method");
        match answer.measure(best, "bits") {
            Some(bits) => {
                let source = self.source.0.with_article();
                let rolls = with_unit(&length, self.source.0.unit().plural());
                format!("{rolls} of {source} give {bits} on average by {method}")
            }
            None => count_with_noun(answer.rows.len() as u64, "block") + " are compared",
        }
    }

    fn estimate(&self) -> Estimate {
        let places = u128::from(self.digits.unwrap_or(0) / 18 + 1);
        let longest = self.length.get().iter().copied().max().unwrap_or(0);
        let longest = u128::from(longest.min(1 << 24));
        Estimate::space(
            longest * 100 * places + (1 << 25),
            longest.min(10_000) * 10 + 10_000,
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let rules = self.methods();
        self.check(rules.len())?;
        let precision = precision(self.digits, false)?;
        let sources = self.sources()?;
        let mut foot = Foot::default();
        let mut all = Vec::new();
        let mut refused = None;
        for &n in self.length.get() {
            for rule in &rules {
                for row in self.block_rows(*rule, n, &sources, precision, control)? {
                    match row {
                        Ok(row) => all.push(row),
                        Err(NotComputed::Dice) if self.method.is_empty() => {}
                        Err(why) => {
                            foot.note(say!(rule.id(), " of {n} is left out: ", why.to_string()));
                            refused.get_or_insert((why, rule.id()));
                        }
                    }
                }
            }
        }
        // The methods that the user named work with none of the lengths.
        if let Some((why, id)) = refused
            && all.is_empty()
            && !self.method.is_empty()
        {
            return Err(self.not_computed_error(&why, id));
        }
        let place = self
            .head()
            .columns
            .iter()
            .position(|column| column.name == "bits_exact");
        let is_empty = |row: &Vec<Cell>| place.is_some_and(|place| row[place] == Cell::Empty);
        if all.iter().any(is_empty) {
            foot.note(say!(
                "bits_exact and variance_exact are left out of long blocks, for which only bounds are computed"
            ));
        }
        if sources.is_empty() {
            foot.note(note_on_polynomials(self.faces()));
        }
        sink.write_answer(&self.head(), all, foot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_of_the_engine_can_be_requested() {
        let names: Vec<&str> = ExtractMethod::ALL
            .iter()
            .map(|method| method.name())
            .collect();
        let rolls = EXTRACTORS.iter().map(|rule| rule.id());
        assert_eq!(names, rolls.collect::<Vec<&str>>());
    }
}
