//! How many fair bits a block of rolls yields.

use super::test_die::MOST_DIGITS;
use crate::BlockSource;
use crate::{EXTRACTORS, Extractor, FromMemory, MemoryCoin, NotComputed, PERES_LEVELS, Yielded};
use flipcost::law::CostFormula;
use flipcost::table::Precision;
use flipcost::task::Source;
use flipcost_number::Real;
use flipcost_question::at::heads;
use flipcost_question::precision::small;
use flipcost_question::prelude::*;
use flipcost_question::{KnownSources, Numbers};
use num_traits::ToPrimitive;

question! {
    /// How many fair bits N flips of a loaded or unknown coin yield: von Neumann's pairs, Peres's iteration, Elias's blocks
    ///
    /// The expected number of fair bits from a block of N rolls, a row for each method; each is fair for every load of
    /// the source. No method yields more than Elias's from a block of an unknown source. Peres's takes dice
    /// by Pae's form, to 512 rolls, Elias's to fewer; `peres:levels=2` goes through two levels only, 1 to 9, to 512 rolls. Of an unknown coin the expected bits are a polynomial in p, the probability of face 1;
    /// of an unknown die one in p1, p2, ..., those of all faces, where it has few terms.
    ///
    /// A coin with memory is written by the probabilities of heads after heads and after tails, markov:1/3,3/5. Its
    /// methods are blum, pairs of what follows heads and of what follows tails, the last of each kept apart where the
    /// block ends elsewhere, blum-elias and zhou-bruck, which is the optimum among methods that are fair whatever the law
    /// of the first flip is; stationary, which has more bits but needs a block that begins in the stationary law, and is no
    /// optimum; and exits, the pairs as they come, whose bits are not fair, as `first_bit_exact` shows, the probability that
    /// the first bit is 1. The yields are those of a block that begins in the stationary law.
    pub struct Extract: "extract" {
        /// The source, of any law, known or unknown, or a coin with memory.
        source: BlockSource = BlockSource::default(); SOURCE,
        /// The rolls of a block, or several such numbers
        length: Numbers; option("N"),
        /// Only these methods; peres:levels=L, which are not among all, go through L levels
        method: Vec<ExtractMethod>; option("METHOD"),
        /// Known sources in place of the unknown one: probabilities of heads as in p=1/3,1/10, or weights of faces
        at: Option<KnownSources>; option("P"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: [
        "extract --source p=1/3 --length 8",
        "extract --source unknown:2 --length 4,8 --at p=1/3,1/2",
        "extract --source markov:1/3,3/5 --length 16",
    ]
}

choices! {
    /// A way to make fair bits of a block of rolls.
    ///
    /// ```
    /// use flipcost_extraction::questions::ExtractMethod;
    /// assert_eq!("elias".parse::<ExtractMethod>()?, ExtractMethod::Elias);
    /// # Ok::<(), flipcost_question::ChoiceError>(())
    /// ```
    pub enum ExtractMethod {
        /// The order of two rolls that differ.
        VonNeumann = "von-neumann",
        /// Pairs, then pairs of what the pairs leave, at all levels.
        Peres = "peres",
        /// The number of a word among those of its type: the optimum.
        Elias = "elias",
        /// Pairs of the flips after heads and of those after tails, as they come: not fair.
        Exits = "exits",
        /// The same without the last flip after heads, or tails, where the block ends elsewhere.
        Blum = "blum",
        /// The number of what follows heads among such words, and of what follows tails.
        BlumElias = "blum-elias",
        /// The number of a word among those of its type: the optimum of a coin with memory whose first flip has any law.
        ZhouBruck = "zhou-bruck",
        /// The same, and the first flip if it is not the last one: fair in the stationary law only, and no optimum.
        Stationary = "stationary",
        /// Peres's with one level: von Neumann's pairs.
        PeresLevels1 = "peres:levels=1",
        /// The same with so many levels.
        PeresLevels2 = "peres:levels=2",
        /// The same with so many levels.
        PeresLevels3 = "peres:levels=3",
        /// The same with so many levels.
        PeresLevels4 = "peres:levels=4",
        /// The same with so many levels.
        PeresLevels5 = "peres:levels=5",
        /// The same with so many levels.
        PeresLevels6 = "peres:levels=6",
        /// The same with so many levels.
        PeresLevels7 = "peres:levels=7",
        /// The same with so many levels.
        PeresLevels8 = "peres:levels=8",
        /// The same with so many levels.
        PeresLevels9 = "peres:levels=9",
    }
}

/// What a method takes.
enum Takes {
    Independent(&'static dyn Extractor),
    Memory(FromMemory),
}

impl ExtractMethod {
    fn takes(self) -> Takes {
        let mut rules = EXTRACTORS.iter().chain(PERES_LEVELS);
        match rules.find(|rule| rule.id() == self.name()) {
            Some(rule) => Takes::Independent(*rule),
            None => {
                let mut ways = FromMemory::ALL.iter();
                let way = ways.find(|way| way.id() == self.name());
                Takes::Memory(*way.expect("a test goes through them"))
            }
        }
    }
}

/// The most rows.
const MOST_ROWS: usize = 4096;

impl Extract {
    /// The known sources, each with its cell if it stands in place of an unknown one; none for an unknown one as such.
    fn sources(&self, sides: &Sides) -> Result<Vec<(Option<Cell>, Source)>, QueryError> {
        let source = &sides.0;
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

    /// The methods that are wanted, of those for independent rolls or for coins with memory.
    fn methods<T>(&self, taken: fn(Takes) -> Option<T>, of: &str) -> Result<Vec<T>, QueryError> {
        let all = ExtractMethod::ALL.iter().filter(|method| {
            let id = method.name();
            PERES_LEVELS.iter().all(|variant| variant.id() != id)
        });
        if self.method.is_empty() {
            return Ok(all.filter_map(|method| taken(method.takes())).collect());
        }
        let mut methods = Vec::new();
        for method in &self.method {
            let Some(found) = taken(method.takes()) else {
                let what = say!(method.name(), " does not take ", of.to_string());
                let fit = all.filter(|one| taken(one.takes()).is_some());
                let fit: Vec<&str> = fit.map(|one| one.name()).collect();
                return Err(QueryError::wrong("method", what).right(say!(
                    "one of ",
                    fit.join(", "),
                    " was expected"
                )));
            };
            methods.push(found);
        }
        Ok(methods)
    }

    /// Is it about probabilities that nobody knows, and not evaluated?
    fn is_open(&self) -> bool {
        let is_unknown = match &self.source {
            BlockSource::Independent(sides) => sides.0.is_unknown(),
            BlockSource::Memory(_) => false,
        };
        is_unknown && self.at.is_none()
    }

    fn refused(&self, why: &NotComputed, id: &str) -> QueryError {
        let what = say!("{id}: ", why.to_string());
        let wrong = QueryError::wrong("length", what);
        match why {
            NotComputed::Long { .. } | NotComputed::Terms if self.is_open() => wrong.right(say!(
                field("at"),
                " evaluates longer blocks at known probabilities"
            )),
            _ => wrong,
        }
    }

    fn head(&self) -> Head {
        let head = Head::new()
            .column("method", CellKind::Text)
            .column("length", CellKind::Count);
        let head = match (&self.at, &self.source) {
            (None, _) => head,
            (Some(_), BlockSource::Independent(sides)) if sides.get() > 2 => {
                head.column("at", CellKind::Text)
            }
            (Some(_), _) => head.column("p", CellKind::Exact),
        };
        let bits = if self.is_open() {
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

    /// The rows of a coin with memory.
    fn of_memory(
        &self,
        coin: &MemoryCoin,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        if self.at.is_some() {
            let what = say!(
                field("at"),
                " is for an unknown source, and the source is ",
                coin.to_string()
            );
            return Err(QueryError::wrong("at", what)
                .right(say!(field("source").is("unknown:2"), " was expected")));
        }
        let precision = precision(self.digits, false)?;
        let memory = |takes| match takes {
            Takes::Memory(way) => Some(way),
            Takes::Independent(_) => None,
        };
        let ways = self.methods(memory, &coin.to_string())?;
        let rate = coin.entropy();
        let mut rows = Vec::new();
        for (&n, way) in self
            .length
            .get()
            .iter()
            .flat_map(|n| ways.iter().map(move |way| (n, way)))
        {
            control.go_on()?;
            let refused = |why| match why {
                // where none was named, they are refused together
                NotComputed::Long { most } if self.method.is_empty() => {
                    let what = say!("a block of {n} flips of a coin with memory is too long");
                    QueryError::wrong("length", what).right(say!("{most} flips are the most"))
                }
                why => self.refused(&why, way.id()),
            };
            let yielded = way.yielded(coin, n).map_err(refused)?;
            let mut row = row![way.id(), n];
            row.extend(cells(n, &rate, &yielded, precision)?);
            row.extend(row![way.first_bit(coin, n).map_err(refused)?]);
            rows.push(row);
        }
        let mut foot = Foot::default();
        if ways.contains(&FromMemory::Exits) {
            foot.note(say!(
                "the bits of exits are not fair: where the block ends depends on the flips that are paired"
            ));
        }
        if ways.contains(&FromMemory::Stationary) {
            foot.note(say!(
                "stationary is fair only if the block begins in the stationary law, as here, and is no optimum; zhou-bruck is the optimum of the methods that are fair whatever the law of the first flip is"
            ));
        }
        sink.write_answer(
            &self.head().column("first_bit_exact", CellKind::Exact),
            rows,
            foot,
        )
    }
}

/// What a row says of a block: its bits, and their share of the entropy of a flip.
fn cells(
    n: u64,
    entropy: &Real,
    yielded: &Yielded,
    precision: Precision,
) -> Result<Vec<Cell>, QueryError> {
    let each = &yielded.bits / &Real::integer(n);
    let share = &each / entropy;
    Ok(row![
        exact(&yielded.bits),
        small(&yielded.bits, precision)?,
        small(&each, precision)?,
        small(&share, precision)?,
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
                let (unit, source) = match &self.source {
                    BlockSource::Independent(source) => {
                        (source.0.unit().plural(), source.0.with_article())
                    }
                    memory => ("flips", memory.to_string()),
                };
                let rolls = with_unit(&length, unit);
                format!("{rolls} of {source} give {bits} on average by {method}")
            }
            None => counted(answer.rows.len() as u64, "block") + " are compared",
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
        if let Some(digits) = self.digits.filter(|digits| *digits > MOST_DIGITS) {
            let what = say!("{digits} decimals are too many here");
            return Err(QueryError::wrong("digits", what).right(say!("{MOST_DIGITS} is the most")));
        }
        let lengths = self.length.get();
        let points = self.at.as_ref().map_or(1, |at| at.get().len());
        let methods = match (&self.source, self.method.len()) {
            (BlockSource::Independent(_), 0) => EXTRACTORS.len(),
            (BlockSource::Memory(_), 0) => FromMemory::ALL.len(),
            (_, named) => named,
        };
        let rows = lengths.len() * methods * points;
        if rows > MOST_ROWS {
            let what = say!("{rows} rows of blocks");
            return Err(QueryError::wrong("length", what).right(say!("{MOST_ROWS} is the most")));
        }
        if lengths.first() == Some(&0) {
            return Err(
                QueryError::wrong("length", "a block of 0 rolls yields nothing")
                    .right("1 roll at least was expected"),
            );
        }
        match &self.source {
            BlockSource::Independent(sides) => self.of_rolls(sides, control, sink),
            BlockSource::Memory(coin) => self.of_memory(coin, control, sink),
        }
    }
}

impl Extract {
    /// The rows of a source whose rolls are independent.
    fn of_rolls(
        &self,
        sides: &Sides,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let sources = self.sources(sides)?;
        let independent = |takes| match takes {
            Takes::Independent(rule) => Some(rule),
            Takes::Memory(_) => None,
        };
        let rules = self.methods(independent, &sides.0.with_article())?;
        let faces = sides.get().to_u64().unwrap_or(u64::MAX);
        let mut foot = Foot::default();
        let mut all = Vec::new();
        let mut refused = None;
        for &n in self.length.get() {
            for rule in &rules {
                let polynomial = |n| {
                    let bits = CostFormula::Rational(rule.polynomial(faces, n)?.into());
                    Ok(row![
                        rule.id(),
                        n,
                        Cell::Formula(bits.into()),
                        Cell::Empty,
                        Cell::Empty,
                        Cell::Empty,
                        Cell::Empty
                    ])
                };
                let mut rows: Vec<Result<Vec<Cell>, NotComputed>> = Vec::new();
                if sources.is_empty() {
                    rows.push(polynomial(n));
                }
                for (at, source) in &sources {
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
                for row in rows {
                    match row {
                        Ok(row) => all.push(row),
                        Err(why) => {
                            foot.note(say!(rule.id(), " of {n} is left out: ", why.to_string()));
                            refused.get_or_insert((why, rule.id()));
                        }
                    }
                }
            }
        }
        // a method that was named, and no length for it
        if let Some((why, id)) = refused
            && all.is_empty()
            && !self.method.is_empty()
        {
            return Err(self.refused(&why, id));
        }
        let place = self
            .head()
            .columns
            .iter()
            .position(|column| column.name == "bits_exact");
        let is_empty = |row: &Vec<Cell>| place.is_some_and(|place| row[place] == Cell::Empty);
        if all.iter().any(is_empty) {
            foot.note(say!(
                "bits_exact and variance_exact are left out of long blocks, whose bits are enclosed"
            ));
        }
        if sources.is_empty() {
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
            let at = field("at").is(at);
            foot.note(say!("polynomials in {of}; ", at, " evaluates them"));
        }
        sink.write_answer(&self.head(), all, foot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_methods_are_those_of_the_engine() {
        let names: Vec<&str> = ExtractMethod::ALL
            .iter()
            .map(|method| method.name())
            .collect();
        let rolls = EXTRACTORS.iter().map(|rule| rule.id());
        let flips = FromMemory::ALL.iter().map(|way| way.id());
        let variants = PERES_LEVELS.iter().map(|rule| rule.id());
        let all = rolls.chain(flips).chain(variants);
        assert_eq!(names, all.collect::<Vec<&str>>());
    }
}
