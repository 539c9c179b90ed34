//! The question `bias`: how far from uniform a rule is that takes one random word and never draws
//! another.

use super::measures::{
    STATISTICAL, add_measure_columns, advantage_cells, advantage_head, check_samples_not_zero,
    distance_row, fraction_logarithm_cell, head, logarithm_cell, note_on_detection,
    total_variation_cell,
};
use super::reductions::Reductions;
use crate::reduced::{self, EqualOutcomes};
use crate::reduction::{
    MAX_TERMS, bits_within, modulo_bleichenbacher, multiply_bleichenbacher, total_variation_of_bits,
};
use flipcost::law::{Bias as Distance, DoubleBounds, OutcomeLaw};
use flipcost::table::Precision;
use flipcost_number::short::short;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::precision::nonnegative_decimal;
use flipcost_question::prelude::*;
use flipcost_question::short_number_phrase;
use flipcost_question::spell::round_significant;
use flipcost_question::{Natural, Probability};
use num_traits::{One, ToPrimitive, Zero};

question! {
    /// How biased x % n, multiply-shift and floor(random() * n) are, exactly, and after how many
    /// results a test finds the bias
    ///
    /// The bias of the rules that take one word and never draw again: a row for a word modulo n,
    /// and one for the high half of its product with n. With `double` there are also rows for
    /// floor(u n) of a double u, for round(u (n - 1)), whose ends are half as likely, and for
    /// ceil(u n). With `within`, three rows say how many bits bring a word modulo n near enough to
    /// uniform: the least number of bits; the least number such that this and every larger number
    /// of bits does (at most log2 of n / (4 P), since the total variation of W values is at most n
    /// / (4 W)); and the whole bytes of RFC 9380, whose rule is L = ceil((ceil(log2 n) + k) / 8).
    ///
    /// With `samples`, `advantage_log2` is log2 of the total variation distance of that many
    /// results from as many uniform ones. `bound_log2` is log2 of its bound: the distance of one
    /// result times the number of results.
    ///
    /// With `outcomes`, a row for each class of equally likely outcomes, the most likely first; the
    /// numbers start at 0, as the rule gives them.
    ///
    /// Several targets or sizes of words, as in 6,10 and 32,64, are compared: a row for each
    /// target, size and rule. With `joint`, the answer has the joint total variation of the results
    /// of all targets, where each result has its own word.
    pub struct WordBias: "bias" {
        /// Sides of the target; several are compared, as in 6,10
        target: Reductions; word("N"),
        /// Bits of the random word, 1 to 8192 [default: 32]; several are compared, as in 32,64
        words: Vec<u32>; option("W").without(&["from", "within"]),
        /// Instead of `words`, the number of values of the word: 2^384, p256
        from: Option<Natural>; option("W").without(&["within"]),
        /// Add rules such as floor(random() * n), with a double of B random bits, 1 to 53 [default:
        /// 53]
        double: Option<u32>; option("B").missing("53"),
        /// List the classes of equally likely outcomes, the most likely class first
        outcomes: bool; flag().without(&["samples", "within"]),
        /// For several targets, add how far their results are from uniform when all of them are
        /// tested jointly
        joint: bool; flag().without(&["outcomes", "within"]),
        /// Add the distance of this many results from as many uniform ones
        samples: Option<u64>; option("Q").without(&["within"]),
        /// Show how many bits bring the total variation to at most P
        within: Option<Probability>; option("P").without(&["double"]),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Libraries
    examples: [
        "bias 52",
        "bias 6 --words 8 --double",
        "bias 10 --words 8 --outcomes",
        "bias 6,10 --words 8,16",
        "bias 6,10 --words 8 --joint",
        "bias p256 --from 2^256 --samples 1000",
        "bias p256p --within 2^-128",
    ]
}

/// The largest number of bits of the number of values of a word.
const MAX_BITS: u64 = 8192;
/// The largest number of bits of the requested distance.
const MAX_SAMPLES_BITS: u64 = 2 * MAX_BITS;

/// The largest number of sides for rules that use doubles.
const MAX_SIDES: u64 = 1 << 53;
/// The largest number of classes of outcomes of several results together.
const MAX_CLASSES: usize = 1 << 16;

impl Question for WordBias {
    fn summary(&self, answer: &Answer) -> String {
        let first = &self.target.0[0];
        if self.joint {
            let joint = answer
                .phrase(0, "joint_total_variation")
                .unwrap_or_default();
            return format!(
                "the words modulo {} have the joint total variation {joint} from uniform",
                self.target
            );
        }
        if self.is_compared() && !self.outcomes {
            return self.farthest_summary(answer);
        }
        let n = short_number_phrase(&first.to_string(), first.value());
        if self.outcomes {
            return format!(
                "the most likely outcomes of x % {n}: {}, each given by {} words",
                answer.cell(0, "outcomes"),
                answer.cell(0, "words")
            );
        }
        if let Some(within) = &self.within {
            let [bits, bytes] = [answer.phrase(0, "bits"), answer.phrase(2, "bytes")];
            return format!(
                "{} modulo {n} are within {} of uniform; RFC 9380 draws {}",
                with_unit(&bits.unwrap_or_default(), "random bits"),
                exact_phrase(within.get()),
                with_unit(&bytes.unwrap_or_default(), "bytes")
            );
        }
        let word = match &self.from {
            Some(from) => format!("from {}", with_unit(&from.to_string(), "values")),
            None => format!(
                "from {}",
                count_with_noun(self.word_sizes()[0].into(), "bit")
            ),
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
                format_roughly(&detect.to_big())
            ),
            _ => String::new(),
        };
        format!("{what}: {apart}{seen}")
    }

    fn estimate(&self) -> Estimate {
        let longest = self.target.0.iter().map(|n| n.value()).max();
        let longest = longest.cloned().unwrap_or_default();
        let counted = if self.double.is_some() {
            longest
                .to_u64()
                .unwrap_or(u64::MAX)
                .min(reduced::MAX_COUNTED)
        } else {
            0
        };
        let from = self.from.as_ref().map_or(0, |from| from.value().bits());
        let from = from.max(self.word_sizes().into_iter().max().unwrap_or(0).into());
        let bits = u128::from(longest.bits().max(from)) + 4 * u128::from(self.digits.unwrap_or(20));
        let counted = u128::from(counted);
        Estimate::space(counted * 200 + bits * 10, 20 * bits + 1000)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let targets: Vec<&BigUint> = (self.target.0.iter())
            .map(|n| n.positive_value("target"))
            .collect::<Result<_, _>>()?;
        let n = targets[0];
        self.check_fields_together()?;
        if let Some(most) = &self.within {
            if targets.len() > 1 {
                let what = say!(field("within"), " takes a single number of sides");
                return Err(QueryError::wrong("target", what)
                    .right("a single number such as 6 was expected"));
            }
            return self.answer_bits_needed(n, most.get(), precision, sink);
        }
        self.check_field_values()?;
        check_samples_not_zero(self.samples)?;
        let words = self.values_of_words(&targets)?;
        let mut foot = Foot::default();
        if self.double.is_some() {
            check_doubles(&targets, &mut foot)?;
        }
        if self.outcomes {
            return self.answer_outcomes(&targets, &words[0].1, foot, precision, control, sink);
        }
        let (mut rows, distances) = self.rows(&targets, &words, precision, control)?;
        let mut head = self.measures_head();
        self.note_on_short_words(n, &words[0].1, &mut foot);
        foot.note(STATISTICAL);
        note_on_detection(&mut foot, &head, &rows);
        if self.samples.is_some() {
            head = advantage_head(head);
            note_on_advantage(&mut foot, &rows);
        }
        if self.joint {
            head = head
                .column("joint_total_variation_exact", CellKind::Exact)
                .answers()
                .column("joint_total_variation", CellKind::Decimal)
                .answers();
            append_joint(&mut rows, &distances, precision)?;
        }
        sink.write_answer(&head, rows, foot)
    }
}

/// Adds notes that explain the empty cells of `advantage_log2`.
fn note_on_advantage(foot: &mut Foot, rows: &[Vec<Cell>]) {
    let is = |cell: Cell| rows.iter().any(|row| row[row.len() - 2] == cell);
    if is(Cell::Empty) {
        foot.note(say!("advantage_log2 is empty if outcomes have more than two probabilities, or if it would take more than {MAX_TERMS} terms of a binomial law"));
    }
    if is(Cell::Undefined) {
        foot.note(say!(
            "advantage_log2 is left out if the distance is so near 1 that the nearest double is 0: ",
            field("digits"),
            " writes decimals"
        ));
    }
}

/// Rejects targets that are too large for doubles, and adds a note if rules are left out.
fn check_doubles(targets: &[&BigUint], foot: &mut Foot) -> Result<(), QueryError> {
    let too_large = |n: &&&BigUint| n.to_u64().is_none_or(|n| n > MAX_SIDES);
    if let Some(n) = targets.iter().find(too_large) {
        let what = say!(
            field("double"),
            " multiplies doubles, which hold whole numbers up to 2^53"
        );
        return Err(QueryError::wrong("target", what).right(say!(
            "n = ",
            short(n),
            " is too large"
        )));
    }
    if targets.iter().any(|n| **n > reduced::MAX_COUNTED.into()) {
        foot.note(format!(
            "round and ceil are counted outcome by outcome, and left out for n above {}",
            reduced::MAX_COUNTED
        ));
    }
    Ok(())
}

/// The words, the rule and the distance of a row.
type RowDistance<'a> = (&'a BigUint, &'static str, Distance);

/// Appends to each row the joint total variation of all independent results with the same words and
/// rule.
fn append_joint(
    rows: &mut [Vec<Cell>],
    all: &[RowDistance],
    precision: Precision,
) -> Result<(), QueryError> {
    for (row, (words, id, _)) in rows.iter_mut().zip(all) {
        let same = all
            .iter()
            .filter(|other| (other.0, other.1) == (*words, *id));
        let joint = joint_total_variation(same.map(|(.., law)| law));
        row.extend(match &joint {
            Some(joint) => [Cell::from(joint), total_variation_cell(joint, precision)?],
            None => [Cell::Empty, Cell::Empty],
        });
    }
    Ok(())
}

/// Returns the total variation of several independent results taken together; `None` if these have
/// too many different probabilities.
fn joint_total_variation<'a>(mut laws: impl Iterator<Item = &'a Distance>) -> Option<Rational> {
    let first = laws.next()?.clone();
    let all = laws.try_fold(first, |all, law| {
        let few = all.classes().len() * law.classes().len() <= MAX_CLASSES;
        few.then(|| all.joint(law))
    })?;
    Some(all.total_variation())
}

/// Rejects a number that is too long for a question about the bias of a word.
fn check_bit_count(name: &str, number: &BigUint) -> Result<(), QueryError> {
    // 2^8192 itself is allowed; it has one bit more than 8192
    match number.bits() {
        bits if bits <= MAX_BITS || number == &(BigUint::one() << MAX_BITS) => Ok(()),
        bits => {
            let what = say!("this number has {bits} bits");
            Err(QueryError::wrong(name, what).right(say!(
                "the bias of words is computed only for numbers up to 2^{MAX_BITS}"
            )))
        }
    }
}

/// Formats a number of results with at most two digits: `27000`, `7·10^17`.
fn format_roughly(results: &BigUint) -> String {
    let results = Rational::from(BigInt::from(results.clone()));
    let (text, _) = round_significant(&results, 2);
    if text.contains('e') {
        power_of_ten_phrase(&results)
    } else {
        text
    }
}

impl WordBias {
    /// Returns the sizes of the words, in bits.
    fn word_sizes(&self) -> Vec<u32> {
        if self.words.is_empty() {
            vec![32]
        } else {
            self.words.clone()
        }
    }

    /// Returns whether the answer compares several targets or sizes of words.
    fn is_compared(&self) -> bool {
        self.target.0.len() > 1 || self.words.len() > 1
    }

    /// Returns each size of a word twice: as a cell (the bits, or the given number of values), and
    /// as the number of values.
    fn values_of_words(&self, targets: &[&BigUint]) -> Result<Vec<(Cell, BigUint)>, QueryError> {
        let all_short = || {
            targets
                .iter()
                .try_for_each(|n| check_bit_count("target", n))
        };
        if let Some(from) = &self.from {
            check_bit_count("from", from.value())?;
            all_short()?;
            if from.value().is_zero() {
                let what = "a word without values cannot be drawn";
                return Err(QueryError::wrong("from", what).right("it has at least 1 value"));
            }
            return Ok(vec![(
                Cell::Integer(from.value().into()),
                from.value().clone(),
            )]);
        }
        let word = |bits: u32| {
            if !(1..=MAX_BITS).contains(&bits.into()) {
                let what = format!("a word of {bits} bits cannot be drawn");
                let right = format!("it has 1 to {MAX_BITS} bits");
                return Err(QueryError::wrong("words", what).right(right));
            }
            if bits > 128 {
                all_short()?;
            }
            Ok((
                Cell::Integer(u64::from(bits).into()),
                BigUint::one() << bits,
            ))
        };
        self.word_sizes().into_iter().map(word).collect()
    }

    /// Returns a sentence about the target and the size that are the farthest from uniform.
    fn farthest_summary(&self, answer: &Answer) -> String {
        let Some((_, row)) = answer.extremes("total_variation") else {
            return format!("words modulo {}", self.target);
        };
        let unit = if self.from.is_some() { "value" } else { "bit" };
        let size = match answer.cell(row, "words") {
            Cell::Integer(size) => {
                count_with_noun(size.to_big().to_u64().unwrap_or(u64::MAX), unit)
            }
            _ => unit.to_string(),
        };
        format!(
            "of all cases, words of {size} modulo {} are the farthest from uniform: their total variation from it is {}",
            cell_phrase(answer.cell(row, "target")),
            answer.phrase(row, "total_variation").unwrap_or_default()
        )
    }

    fn check_fields_together(&self) -> Result<(), QueryError> {
        let words = ("words", !self.words.is_empty());
        let from = ("from", self.from.is_some());
        let within = ("within", self.within.is_some());
        let double = ("double", self.double.is_some());
        let samples = ("samples", self.samples.is_some());
        let outcomes = ("outcomes", self.outcomes);
        let joint = ("joint", self.joint);
        for (one, other) in [
            (words, from),
            (words, within),
            (from, within),
            (double, within),
            (samples, within),
            (outcomes, samples),
            (outcomes, within),
            (joint, outcomes),
            (joint, within),
        ] {
            if one.1 && other.1 {
                return Err(QueryError::both_given(one.0, other.0));
            }
        }
        Ok(())
    }

    /// Rejects field values that do not fit the other given fields.
    fn check_field_values(&self) -> Result<(), QueryError> {
        if self.joint && self.target.0.len() == 1 {
            let what = say!(field("joint"), " combines several targets");
            let right = "several numbers such as 6,10 were expected";
            return Err(QueryError::wrong("target", what).right(right));
        }
        if self.outcomes && self.words.len() > 1 {
            let what = say!(
                field("outcomes"),
                " lists outcomes for a single size of words"
            );
            return Err(
                QueryError::wrong("words", what).right("a single size such as 32 was expected")
            );
        }
        if let Some(bits) = self.double.filter(|bits| !(1..=53).contains(bits)) {
            let what = say!("a double has 1 to 53 random bits, and not {bits}");
            return Err(QueryError::wrong("double", what));
        }
        Ok(())
    }

    /// Returns a row for each target, size of words and rule, with the distance that it states.
    fn rows<'a>(
        &self,
        targets: &[&BigUint],
        words: &'a [(Cell, BigUint)],
        precision: Precision,
        control: &Control,
    ) -> Result<(Vec<Vec<Cell>>, Vec<RowDistance<'a>>), QueryError> {
        let (mut rows, mut distances) = (Vec::new(), Vec::new());
        for &n in targets {
            for (size, words) in words {
                for (id, law) in self.rule_distances(n, words) {
                    control.go_on()?;
                    let mut row = self.row_with_reductions((n, words), id, &law, precision)?;
                    if self.is_compared() {
                        row.splice(0..0, [Cell::Integer(n.into()), size.clone()]);
                    }
                    rows.push(row);
                    distances.push((words, id, law));
                }
            }
        }
        Ok((rows, distances))
    }

    /// Adds a note on how many bits are nearly fair, if the default words have fewer values than
    /// the target.
    fn note_on_short_words(&self, n: &BigUint, words: &BigUint, foot: &mut Foot) {
        // RFC 9380 draws k more bits than n has for a security of k bits.
        let enough = (n.bits() + 64).next_multiple_of(32);
        let is_usual = self.words.is_empty() && self.from.is_none();
        if is_usual && n > words && enough <= MAX_BITS {
            foot.note(say!(
                "32 bits are too few for this n: with ",
                field("words").is(enough),
                " it is nearly fair, and ",
                field("within").is("2^-128"),
                " computes how many bits are enough"
            ));
        }
    }

    fn measures_head(&self) -> Head {
        let head = if self.is_compared() {
            let size = if self.from.is_some() {
                "values"
            } else {
                "bits"
            };
            let places = Head::new().column("target", CellKind::Count);
            let places = places.measured("words", CellKind::Count, size);
            add_measure_columns(places.column("id", CellKind::Text).answers())
        } else {
            head()
        };
        head.column("total_variation_log2", CellKind::Decimal)
            .answers()
            .measured("renyi2_bits", CellKind::Decimal, "bits")
            .column("bleichenbacher_log2", CellKind::Decimal)
    }

    /// Returns the cells of [`distance_row`], followed by those of the columns about reductions.
    fn row_with_reductions(
        &self,
        (n, words): (&BigUint, &BigUint),
        id: &str,
        bias: &Distance,
        precision: Precision,
    ) -> Result<Vec<Cell>, QueryError> {
        let bleichenbacher = match id {
            "modulo" => logarithm_cell(modulo_bleichenbacher(words, n), precision)?,
            "multiply-shift" => logarithm_cell(multiply_bleichenbacher(words, n), precision)?,
            _ => Cell::Empty,
        };
        let mut cells = distance_row(id, bias, precision)?;
        let distance = bias.total_variation();
        cells.extend([
            fraction_logarithm_cell(&distance, precision)?,
            if bias.is_finite() {
                nonnegative_decimal(&bias.renyi2(), precision)?
            } else {
                Cell::Infinite
            },
            bleichenbacher,
        ]);
        if let Some(samples) = self.samples {
            cells.extend(advantage_cells(bias, samples, precision)?);
        }
        Ok(cells)
    }

    /// Returns the rules with the classes of their outcomes, and the number of words.
    fn reductions(
        &self,
        n: &BigUint,
        words: &BigUint,
    ) -> Vec<(&'static str, Vec<EqualOutcomes>, BigUint)> {
        let mut all = vec![
            ("modulo", reduced::modulo(words, n), words.clone()),
            (
                "multiply-shift",
                reduced::multiply_shift(words, n),
                words.clone(),
            ),
        ];
        if let (Some(bits), Some(n)) = (self.double, n.to_u64()) {
            let words = BigUint::one() << bits;
            all.push((
                "double",
                reduced::classes_of_floor(DoubleBounds { bits, n }),
                words.clone(),
            ));
            if n <= reduced::MAX_COUNTED {
                all.push(("round", reduced::classes_of_round(bits, n), words.clone()));
                all.push(("ceil", reduced::classes_of_ceil(bits, n), words));
            }
        }
        all
    }

    /// Returns the distances of the rules from a fair die. The rule ceil can give 0, which is not a
    /// face of the die.
    fn rule_distances(&self, n: &BigUint, words: &BigUint) -> Vec<(&'static str, Distance)> {
        let words_law = Distance::new(&OutcomeLaw::of_words(words.clone(), n.clone()), n.clone());
        let mut all = vec![("modulo", words_law.clone()), ("multiply-shift", words_law)];
        if let (Some(bits), Some(sides)) = (self.double, n.to_u64()) {
            all.push((
                "double",
                Distance::new(&OutcomeLaw::of_doubles(bits, sides), n.clone()),
            ));
            if sides <= reduced::MAX_COUNTED {
                let whole = BigInt::one() << bits;
                let each = Rational::new(BigInt::one(), n.clone().into());
                let law = |classes: Vec<EqualOutcomes>,
                           more: Vec<(Rational, Rational, BigUint)>| {
                    let part = |words: &BigUint| Rational::new(words.clone().into(), whole.clone());
                    let class =
                        |class: EqualOutcomes| (part(&class.words), each.clone(), class.count);
                    Distance::between(
                        classes
                            .into_iter()
                            .map(class)
                            .chain(more)
                            .filter(|(.., count)| !count.is_zero()),
                    )
                };
                all.push((
                    "round",
                    law(reduced::classes_of_round(bits, sides), Vec::new()),
                ));
                let mut ceil = reduced::classes_of_ceil(bits, sides);
                let one = BigUint::one();
                if let Some(class) = ceil.iter_mut().find(|class| class.words.is_one()) {
                    class.count -= 1u8;
                }
                let zero = (
                    Rational::new(BigInt::one(), whole.clone()),
                    Rational::zero(),
                    one,
                );
                all.push(("ceil", law(ceil, vec![zero])));
            }
        }
        all
    }

    /// Writes the classes of equally likely outcomes.
    fn answer_outcomes(
        &self,
        targets: &[&BigUint],
        words: &BigUint,
        mut foot: Foot,
        precision: Precision,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let several = targets.len() > 1;
        let head = if several {
            Head::new().column("target", CellKind::Count)
        } else {
            Head::new()
        };
        let head = head
            .column("id", CellKind::Text)
            .column("outcomes", CellKind::Text)
            .answers()
            .column("count", CellKind::Count)
            .measured("words", CellKind::Count, "words")
            .answers()
            .column("probability_exact", CellKind::Exact)
            .answers()
            .column("probability", CellKind::Decimal);
        let mut rows = Vec::new();
        for n in targets {
            control.go_on()?;
            for (id, classes, all) in self.reductions(n, words) {
                for class in classes {
                    let p = Rational::new(class.words.clone().into(), all.clone().into());
                    let mut row = row![id, class.ranges(), &class.count, &class.words, &p];
                    row.push(decimal(&Real::Exact(p), precision)?);
                    if several {
                        row.insert(0, Cell::Integer((*n).into()));
                    }
                    rows.push(row);
                }
            }
        }
        foot.note("outcomes are the numbers that the rule gives: 0 to n - 1; ceil gives 1 to n, and 0 only for u = 0");
        sink.write_answer(&head, rows, foot)
    }

    /// Writes the rows that say how many bits suffice.
    fn answer_bits_needed(
        &self,
        n: &BigUint,
        most: &Rational,
        precision: Precision,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        check_bit_count("target", n)?;
        if most.is_zero() {
            let what = "no number of bits reaches a distance of 0";
            return Err(QueryError::wrong("within", what).right("it must be above 0 and at most 1"));
        }
        let length = most.denom().bits().max(most.numer().bits());
        if length > MAX_SAMPLES_BITS {
            let what = say!("a distance of {length} bits is too long");
            return Err(
                QueryError::wrong("within", what).right(say!("{MAX_SAMPLES_BITS} is the most"))
            );
        }
        let (least, every) = bits_within(n, most);
        let whole = |bits: u64| bits.div_ceil(8);
        let near = |bits: u64| total_variation_of_bits(n, bits) <= *most;
        let bytes = (0..=whole(every)).find(|bytes| near(8 * bytes));
        let bytes = bytes.unwrap_or_else(|| whole(every));
        // RFC 9380, 5.1: k bits of security, the least k with 2^-k <= P.
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
                total_variation_cell(&distance, precision)?,
                fraction_logarithm_cell(&distance, precision)?
            ]);
        }
        let head = Head::new()
            .column("id", CellKind::Text)
            .explained(&[
                (
                    "least",
                    "the least number of bits that is near enough; some larger number may not be",
                ),
                (
                    "every",
                    "the least number of bits such that it and every larger number are near enough",
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
