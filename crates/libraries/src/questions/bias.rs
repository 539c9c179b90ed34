//! How biased a rule is that never draws again.

use crate::reduction::{
    MOST_TERMS, bits_within, modulo_bleichenbacher, multiply_bleichenbacher,
    total_variation_of_bits, total_variation_of_samples_log2,
};
use flipcost::law::log2;
use flipcost::law::{Bias as Distance, OutcomeLaw};
use flipcost::table::Precision;
use flipcost_number::short::short;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::named_short;
use flipcost_question::precision::small;
use flipcost_question::prelude::*;
use flipcost_question::spell::significant;
use flipcost_question::{Natural, Probability};
use num_traits::{One, ToPrimitive, Zero};

question! {
    /// How biased x % n, multiply-shift and floor(random() * n) are: exactly, and when somebody notices
    ///
    /// The bias of the rules that take one word and never draw again: a row for a word modulo n, for the
    /// high half of its product with n, and with `double` for floor(u n) of a double u. With `within`, how
    /// many bits bring a word modulo n so near to uniform, in three rows: the least number of bits; the least from
    /// which on every number of bits does (at most log2 of n / (4 P), since the total variation of W values is at most
    /// n / (4 W)); and the whole bytes of RFC 9380, whose rule is L = ceil((ceil(log2 n) + k) / 8).
    ///
    /// With `samples`, `advantage_log2` is log2 of the total variation distance of so many results from as many
    /// uniform ones, and `bound_log2` that of its bound, so many times the distance of one.
    pub struct WordBias: "bias" {
        /// Sides of the target.
        target: Natural; word("N"),
        /// Bits of the random word, 1 to 8192 [default: 32]
        words: Option<u32>; option("W").without(&["from", "within"]),
        /// In place of `words`, the number of values of the word: 2^384, p256
        from: Option<Natural>; option("W").without(&["within"]),
        /// Add floor(random() * n) with a double of B random bits, 1 to 53 [default: 53]
        double: Option<u32>; option("B").missing("53"),
        /// Results that are seen: add their distance from uniform ones
        samples: Option<u64>; option("Q").without(&["within"]),
        /// How many bits bring the total variation to at most P
        within: Option<Probability>; option("P").without(&["double"]),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Libraries
    examples: [
        "bias 52",
        "bias 6 --words 8 --double",
        "bias p256 --from 2^256 --samples 1000",
        "bias p256p --within 2^-128",
    ]
}

/// The most bits of the number of values of a word.
const MOST_BITS: u64 = 8192;
/// The most bits of a distance that is wanted.
const LONGEST: u64 = 2 * MOST_BITS;

/// The most outcomes whose words are counted one by one.
const MOST_COUNTED: u64 = 1 << 24;

impl Question for WordBias {
    fn summary(&self, answer: &Answer) -> String {
        let n = named_short(&self.target.to_string(), self.target.value());
        if let Some(within) = &self.within {
            let [bits, bytes] = [answer.phrase(0, "bits"), answer.phrase(2, "bytes")];
            return format!(
                "{} modulo {n} are within {} of uniform; RFC 9380 draws {}",
                with_unit(&bits.unwrap_or_default(), "random bits"),
                exact_phrase(within.get()),
                with_unit(&bytes.unwrap_or_default(), "bytes")
            );
        }
        let word = match (&self.from, self.words) {
            (Some(from), _) => format!("from {}", with_unit(&from.to_string(), "values")),
            (None, words) => format!("from {}", counted(words.unwrap_or(32).into(), "bit")),
        };
        let what = format!("rand() % {n} {word}");
        let apart = match answer.cell(0, "ratio_exact") {
            Cell::Exact(ratio) if ratio.is_one() => return format!("{what} is exactly fair"),
            Cell::Exact(ratio) => {
                format!(
                    "outcomes differ by {}",
                    parts_phrase(&(&**ratio - Rational::one()))
                )
            }
            _ => "some outcomes never come".to_string(),
        };
        let seen = match answer.cell(0, "detect_best") {
            Cell::Integer(detect) => format!(
                "; nobody notices before {} results",
                roughly(&detect.to_big())
            ),
            _ => String::new(),
        };
        format!("{what}: {apart}{seen}")
    }

    fn estimate(&self) -> Estimate {
        let counted = match self.double {
            Some(_) => self.target.value().to_u64().unwrap_or(MOST_COUNTED),
            None => 0,
        };
        let from = self.from.as_ref().map_or(0, |from| from.value().bits());
        let from = from.max(self.words.unwrap_or(0).into());
        let bits = u128::from(self.target.value().bits().max(from))
            + 4 * u128::from(self.digits.unwrap_or(20));
        let counted = u128::from(counted.min(MOST_COUNTED));
        Estimate::space(counted * 200 + bits * 10, 20 * bits + 1000)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let n = self.target.positive("target")?;
        for (one, other, both) in [
            ("words", "from", self.words.is_some() && self.from.is_some()),
            (
                "words",
                "within",
                self.words.is_some() && self.within.is_some(),
            ),
            (
                "from",
                "within",
                self.from.is_some() && self.within.is_some(),
            ),
            (
                "double",
                "within",
                self.double.is_some() && self.within.is_some(),
            ),
            (
                "samples",
                "within",
                self.samples.is_some() && self.within.is_some(),
            ),
        ] {
            if both {
                return Err(QueryError::both(one, other));
            }
        }
        if let Some(most) = &self.within {
            return self.answer_bits_needed(n, most.get(), precision, sink);
        }
        let bits = self.words.unwrap_or(32);
        if !(1..=MOST_BITS).contains(&bits.into()) {
            let what = format!("a word of {bits} bits cannot be drawn");
            let right = format!("it has 1 to {MOST_BITS} bits");
            return Err(QueryError::wrong("words", what).right(right));
        }
        if let Some(bits) = self.double.filter(|bits| !(1..=53).contains(bits)) {
            let what = say!("a double has 1 to 53 random bits, and not {bits}");
            return Err(QueryError::wrong("double", what));
        }
        if self.samples == Some(0) {
            let what = say!(field("samples").is(0), " are none");
            return Err(QueryError::wrong("samples", what).right("it must be at least 1"));
        }
        let words = match &self.from {
            None => {
                if bits > 128 {
                    short_enough("target", n)?;
                }
                BigUint::one() << bits
            }
            Some(from) => {
                short_enough("from", from.value())?;
                short_enough("target", n)?;
                if from.value().is_zero() {
                    let what = "a word without values cannot be drawn";
                    return Err(QueryError::wrong("from", what).right("it has at least 1 value"));
                }
                from.value().clone()
            }
        };
        let both = Distance::new(&OutcomeLaw::of_words(words.clone(), n.clone()), n.clone());
        let mut rows = Vec::new();
        for (id, bleichenbacher) in [
            ("modulo", modulo_bleichenbacher(&words, n)),
            ("multiply-shift", multiply_bleichenbacher(&words, n)),
        ] {
            control.go_on()?;
            let bleichenbacher = logarithm(bleichenbacher, precision)?;
            rows.push(self.row_with_reductions(id, &both, bleichenbacher, precision)?);
        }
        if let Some(bits) = self.double {
            control.go_on()?;
            let small = n.to_u64().filter(|n| *n <= MOST_COUNTED);
            let Some(counted) = small else {
                let n = short(n);
                let what = say!(field("double"), " counts the doubles of every outcome");
                return Err(QueryError::wrong("target", what)
                    .right(say!("n = {n} is too large, {MOST_COUNTED} is the most")));
            };
            let law = Distance::new(&OutcomeLaw::of_doubles(bits, counted), n.clone());
            rows.push(self.row_with_reductions("double", &law, Cell::Empty, precision)?);
        }
        let mut head = head()
            .column("total_variation_log2", CellKind::Decimal)
            .answers()
            .measured("renyi2_bits", CellKind::Decimal, "bits")
            .column("bleichenbacher_log2", CellKind::Decimal);
        let mut foot = Foot::default();
        // RFC 9380 draws as many bits more as the security that it wants
        let enough = (n.bits() + 64).next_multiple_of(32);
        if self.words.is_none() && self.from.is_none() && *n > words && enough <= MOST_BITS {
            foot.note(say!(
                "32 bits are too few for this n: with ",
                field("words").is(enough),
                " it is near fair, and ",
                field("within").is("2^-128"),
                " says how many it takes"
            ));
        }
        foot.note(STATISTICAL);
        note_on_detection(&mut foot, &head, &rows);
        if self.samples.is_some() {
            head = head
                .column("advantage_log2", CellKind::Decimal)
                .answers()
                .column("bound_log2", CellKind::Decimal)
                .answers();
            let is = |cell: Cell| rows.iter().any(|row| row[row.len() - 2] == cell);
            if is(Cell::Empty) {
                foot.note(say!("advantage_log2 is empty where outcomes have more than two probabilities, or where it would take more than {MOST_TERMS} terms of a binomial law"));
            }
            if is(Cell::Undefined) {
                foot.note(say!(
                    "advantage_log2 is left out where no double but 0 is near it, a distance of nearly 1: ",
                    field("digits"),
                    " writes decimals"
                ));
            }
        }
        sink.write_answer(&head, rows, foot)
    }
}

/// Refuses a number that is too long for such a word.
fn short_enough(name: &str, number: &BigUint) -> Result<(), QueryError> {
    // 2^8192 itself has a bit more
    match number.bits() {
        bits if bits <= MOST_BITS || number == &(BigUint::one() << MOST_BITS) => Ok(()),
        bits => {
            let what = say!("a number of {bits} bits is too long for the bias of a long word");
            Err(QueryError::wrong(name, what).right(say!("2^{MOST_BITS} is the most")))
        }
    }
}

/// The cell of a logarithm, minus infinity where there is none.
fn logarithm(value: Option<Real>, precision: Precision) -> Result<Cell, QueryError> {
    match value {
        Some(value) => decimal(&value, precision),
        None => Ok(Cell::Double(f64::NEG_INFINITY)),
    }
}

/// The logarithm of a fraction from 0.
fn logarithm_of(value: &Rational, precision: Precision) -> Result<Cell, QueryError> {
    logarithm((!value.is_zero()).then(|| log2(value)), precision)
}

/// A number of results to two digits: `27000`, `7·10^17`.
fn roughly(results: &BigUint) -> String {
    let results = Rational::from(BigInt::from(results.clone()));
    let (text, _) = significant(&results, 2);
    if text.contains('e') {
        power_of_ten_phrase(&results)
    } else {
        text
    }
}

impl WordBias {
    /// [`distance_row`], and the columns of reductions.
    fn row_with_reductions(
        &self,
        id: &str,
        bias: &Distance,
        bleichenbacher: Cell,
        precision: Precision,
    ) -> Result<Vec<Cell>, QueryError> {
        let mut cells = distance_row(id, bias, precision)?;
        let distance = bias.total_variation();
        cells.extend([
            logarithm_of(&distance, precision)?,
            small(&bias.renyi2(), precision)?,
            bleichenbacher,
        ]);
        if let Some(samples) = self.samples {
            let advantage =
                total_variation_of_samples_log2(bias, samples).map_err(QueryError::input)?;
            cells.push(match advantage {
                None => Cell::Empty,
                Some(advantage) => logarithm(advantage, precision)?,
            });
            cells.push(logarithm_of(
                &(distance * BigInt::from(samples)),
                precision,
            )?);
        }
        Ok(cells)
    }

    /// How many bits are near enough.
    fn answer_bits_needed(
        &self,
        n: &BigUint,
        most: &Rational,
        precision: Precision,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        short_enough("target", n)?;
        if most.is_zero() {
            let what = "a distance of 0 is not reached by more bits";
            return Err(QueryError::wrong("within", what).right("it must be above 0 and at most 1"));
        }
        let length = most.denom().bits().max(most.numer().bits());
        if length > LONGEST {
            let what = say!("a distance of {length} bits is too long");
            return Err(QueryError::wrong("within", what).right(say!("{LONGEST} is the most")));
        }
        let (least, every) = bits_within(n, most);
        let whole = |bits: u64| bits.div_ceil(8);
        let near = |bits: u64| total_variation_of_bits(n, bits) <= *most;
        let bytes = (0..=whole(every)).find(|bytes| near(8 * bytes));
        let bytes = bytes.unwrap_or_else(|| whole(every));
        // of RFC 9380, 5.1: k bits of security, the least with 2^-k <= P
        let security = most.denom().bits() - most.numer().bits();
        let security = security
            + u64::from((most.numer().magnitude() << security) < *most.denom().magnitude());
        let rfc = whole((n - 1u8).bits() + security);
        let mut rows = Vec::new();
        for (id, bits, bytes) in [
            ("least", least, bytes),
            ("every", every, whole(every)),
            ("rfc9380", 8 * rfc, rfc),
        ] {
            let distance = total_variation_of_bits(n, bits);
            rows.push(row![
                id,
                bits,
                bytes,
                &distance,
                total_variation(&distance, precision)?,
                logarithm_of(&distance, precision)?
            ]);
        }
        let head = Head::new()
            .column("id", CellKind::Text)
            .explained(&[
                (
                    "least",
                    "the fewest bits that are near enough; more may not be",
                ),
                (
                    "every",
                    "the fewest bits from which on every number of bits is near enough",
                ),
                ("rfc9380", "the whole bytes that RFC 9380 draws"),
            ])
            .measured("bits", CellKind::Count, "bits")
            .answers()
            .measured("bytes", CellKind::Count, "bytes")
            .answers()
            .column("total_variation_exact", CellKind::Exact)
            .column("total_variation", CellKind::Decimal)
            .column("total_variation_log2", CellKind::Decimal)
            .answers();
        sink.write_answer(&head, rows, Foot::default())
    }
}

/// The distance as a decimal.
fn total_variation(value: &Rational, precision: Precision) -> Result<Cell, QueryError> {
    small(&Real::Exact(value.clone()), precision)
}

/// What `detect` and `detect_best` are.
pub const STATISTICAL: &str = "detect is statistical: the results after which a test of all outcomes (size 0.01, power 0.9) finds the bias; detect_best tests two classes, the outcomes that are favoured and the others";

/// The columns of `distance_row`.
pub fn head() -> Head {
    measures(Head::new().column("id", CellKind::Text))
}

/// The columns of [`measured`] behind others.
pub fn measures(head: Head) -> Head {
    head.column("total_variation_exact", CellKind::Exact)
        .column("total_variation", CellKind::Decimal)
        .answers()
        .columns(
            CellKind::Exact,
            ["ratio_exact", "largest_exact", "smallest_exact"],
        )
        .measured("kullback_leibler_bits", CellKind::Decimal, "bits")
        .measured("min_entropy_bits", CellKind::Decimal, "bits")
        .measured("detect", CellKind::Statistical, "results")
        .answers()
        .measured("detect_best", CellKind::Statistical, "results")
        .answers()
}

/// Says why a biased row has no number of results that find its bias, if one has none.
pub fn note_on_detection(foot: &mut Foot, head: &Head, rows: &[Vec<Cell>]) {
    let at = |name: &str| head.names().iter().position(|column| *column == name);
    let (Some(distance), Some(ratio)) = (at("total_variation_exact"), at("ratio_exact")) else {
        return;
    };
    let found = [at("detect"), at("detect_best")].into_iter().flatten();
    let found: Vec<usize> = found.collect();
    let silent = |row: &Vec<Cell>| {
        let known = row[distance] != Cell::Empty && row[ratio] != Cell::Empty;
        known && found.iter().any(|at| row[*at] == Cell::Empty)
    };
    if rows.iter().any(silent) {
        foot.note("where detect is empty, the bias shows in fewer results than 5 for each outcome, too few for the law of the test");
    }
}

/// The largest over the least probability.
pub(crate) fn ratio(bias: &Distance) -> Cell {
    bias.ratio().map_or(Cell::Infinite, Cell::from)
}

/// A rule and its bias.
pub fn distance_row(
    id: &str,
    bias: &Distance,
    precision: Precision,
) -> Result<Vec<Cell>, QueryError> {
    let mut cells = row![id.to_string()];
    cells.extend(measured(bias, precision)?);
    Ok(cells)
}

/// How far outcomes are from a fair die.
pub fn measured(bias: &Distance, precision: Precision) -> Result<Vec<Cell>, QueryError> {
    let number = |value: &Real| small(value, precision);
    let distance = bias.total_variation();
    Ok(row![
        &distance,
        total_variation(&distance, precision)?,
        ratio(bias),
        bias.largest(),
        bias.smallest(),
        number(&bias.divergence())?,
        number(&bias.min_entropy())?,
        Cell::from(bias.detect()),
        Cell::from(bias.detect_best())
    ])
}
