//! How biased a rule is that never draws again.

use crate::Natural;
use crate::question::*;
use flipcost::law::{Bias as Distance, OutcomeLaw};
use flipcost::number::{BigUint, Real};
use flipcost::table::Precision;
use flipcost::unstable::number::short;
use num_traits::{One, ToPrimitive};

question! {
    /// How biased x % n, multiply-shift and floor(random() * n) are: exactly, and when somebody notices
    ///
    /// The bias of the rules that take one word and never draw again: a row for a word modulo n, for the
    /// high half of its product with n, and with `double` for floor(u n) of a double u.
    pub struct Bias: "bias" {
        /// Sides of the target.
        target: Natural; word("N"),
        /// Bits of the random word, 1 to 128
        words: u32 = 32; option("W"),
        /// Add floor(random() * n) with a double of B random bits, 1 to 53 [default: 53]
        double: Option<u32>; option("B").missing("53"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Libraries
    examples: ["bias 52", "bias 6 --words 8 --double", "bias 10^9 --words 64 -f json"]
}

/// The most outcomes whose words are counted one by one.
const MOST_COUNTED: u64 = 1 << 24;

impl Question for Bias {
    fn estimate(&self) -> Estimate {
        let counted = match self.double {
            Some(_) => self.target.value().to_u64().unwrap_or(MOST_COUNTED),
            None => 0,
        };
        let counted = u128::from(counted.min(MOST_COUNTED));
        let bits =
            u128::from(self.target.value().bits()) + 4 * u128::from(self.digits.unwrap_or(20));
        Estimate {
            work: counted * 500 + bits * bits + 1_000_000,
            memory: counted * 200 + bits * 10,
            output: 20 * bits + 1000,
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let n = self.target.positive("target")?;
        if !(1..=128).contains(&self.words) {
            let what = format!("a word of {} bits cannot be drawn", self.words);
            return Err(QueryError::wrong("words", what).right("it has 1 to 128 bits"));
        }
        if let Some(bits) = self.double.filter(|bits| !(1..=53).contains(bits)) {
            let what = say!("a double has 1 to 53 random bits, and not {bits}");
            return Err(QueryError::wrong("double", what));
        }
        let law = OutcomeLaw::of_words(&(BigUint::one() << self.words), n);
        let words = Distance::new(&law, n);
        let mut rows = vec![
            row("modulo", &words, precision)?,
            row("multiply-shift", &words, precision)?,
        ];
        if let Some(bits) = self.double {
            control.go_on()?;
            let small = n.to_u64().filter(|n| *n <= MOST_COUNTED);
            let Some(counted) = small else {
                let n = short(n);
                let what = say!(field("double"), " counts the doubles of every outcome");
                return Err(QueryError::wrong("target", what)
                    .right(say!("n = {n} is too large, {MOST_COUNTED} is the most")));
            };
            let law = OutcomeLaw::of_doubles(bits, counted);
            rows.push(row("double", &Distance::new(&law, n), precision)?);
        }
        let mut foot = Foot::default();
        foot.note(STATISTICAL);
        note_on_detection(&mut foot, &head(), &rows);
        sink.whole(&head(), rows, foot)
    }
}

/// What `detect` and `detect_best` are.
pub(crate) const STATISTICAL: &str = "detect is statistical: the results after which a test of all outcomes (size 0.01, power 0.9) finds the bias; detect_best tests two classes, the outcomes that are favoured and the others";

/// The columns of [`row`].
pub(crate) fn head() -> Head {
    Head::new()
        .column("id", Kind::Text)
        .column("total_variation_exact", Kind::Exact)
        .column("total_variation", Kind::Decimal)
        .answers()
        .columns(
            Kind::Exact,
            ["ratio_exact", "largest_exact", "smallest_exact"],
        )
        .measured("kullback_leibler_bits", Kind::Decimal, "bits")
        .measured("min_entropy_bits", Kind::Decimal, "bits")
        .measured("detect", Kind::Statistical, "results")
        .answers()
        .measured("detect_best", Kind::Statistical, "results")
        .answers()
}

/// Says why a biased row has no number of results that find its bias, if one has none.
pub(crate) fn note_on_detection(foot: &mut Foot, head: &Head, rows: &[Vec<Cell>]) {
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
pub(crate) fn row(
    id: &str,
    bias: &Distance,
    precision: Precision,
) -> Result<Vec<Cell>, QueryError> {
    let number = |value: &Real| decimal(value, precision);
    let distance = bias.total_variation();
    Ok(row![
        id.to_string(),
        &distance,
        number(&Real::Exact(distance))?,
        ratio(bias),
        bias.largest(),
        bias.smallest(),
        number(&bias.divergence())?,
        number(&bias.min_entropy())?,
        Cell::from(bias.detect()),
        Cell::from(bias.detect_best())
    ])
}
