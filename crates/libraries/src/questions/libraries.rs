//! The question `libraries`: how many random words the functions of libraries draw for a die.

use super::measures::{Comparison, note_on_detection, ratio_cell};
use crate::function::{described, with_word};
use crate::weights::{GivenWeights, MAX_WEIGHTS, WEIGHTS};
use crate::{LIBRARIES, Library, LibraryCost};
use flipcost::law::Detection;
use flipcost::law::{Bias, OutcomeClass};
use flipcost::table::Precision;
use flipcost_number::short::short;
use flipcost_number::threads;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::long::OptionalFractions;
use flipcost_question::near;
use flipcost_question::prelude::*;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

question! {
    /// The random functions of programming languages: the words and bits that they draw for a die,
    /// and their bias
    ///
    /// A row for each function with exact values: the expected words and bits that it draws, the
    /// bits that it looks at, and how far its results are from fair. The ids work wherever an
    /// algorithm is named, as in `flipcost cost 6 -a cpython-randbelow`.
    ///
    /// The rows are in the order of the table. If n is too large for the type of a function, the
    /// cells of its row are empty.
    ///
    /// For weights, as in 1:2:3, the rows are the functions that take weights: `ratio_exact` is
    /// then the largest ratio of a probability to the intended one. The functions get whole numbers
    /// unchanged, and other weights as the nearest doubles.
    pub struct Libraries: "libraries" {
        /// The target: sides, or weights for the functions that take them
        target: TargetText = 6.into(); option("N"),
        /// Only functions with this word in id, language, name or version, as in python; `fair` or
        /// `biased` selects the functions that are fair or biased for this n
        word: Option<String>; word("WORD"),
    }
    purpose: Libraries
    examples: ["libraries", "libraries python --target 52", "libraries java -f markdown", "libraries --target 1:2:3"]
}

/// Returns the name of a row's function, with its language.
fn function(answer: &Answer, row: usize) -> String {
    let (language, name) = (answer.cell(row, "language"), answer.cell(row, "function"));
    format!("{name} of {language}")
}

impl Question for Libraries {
    fn summary(&self, answer: &Answer) -> String {
        let all = answer.rows.len();
        let Some(n) = self.target.sides() else {
            let exact = |row: &usize| matches!(answer.cell(*row, "total_variation_exact"), Cell::Exact(tv) if tv.is_zero());
            let exact = (0..all).filter(exact).count();
            let functions = count_with_noun(all as u64, "function");
            return format!(
                "of {functions} for {}, {} exact",
                self.target.with_article(),
                is_or_are(exact as u64)
            );
        };
        let n = short(n);
        let refuse = (0..all).filter(|row| *answer.cell(*row, "words") == Cell::Empty);
        let refuse = refuse.count();
        let functions = count_with_noun(all as u64, "function");
        if let Some(fair) = self.requested_fairness() {
            let are = if all == 1 { "is" } else { "are" };
            let fair = if fair { "exactly fair" } else { "biased" };
            return format!("{functions} {are} {fair} for a d{n}");
        }
        if refuse == all {
            return format!("of {functions}, none can make a d{n}");
        }
        let fair = (0..all)
            .filter(|row| matches!(answer.cell(*row, "total_variation_exact"), Cell::Exact(tv) if tv.is_zero()));
        let fair = fair.count();
        if all == 1 {
            let not = if fair == 1 { "" } else { "not " };
            return format!("a d{n} by {} is {not}exactly fair", function(answer, 0));
        }
        let mut text = format!(
            "of {functions} for a d{n}, {} exactly fair",
            is_or_are(fair as u64)
        );
        if let Some((least, _)) = answer.extremes("bits_drawn") {
            let bits = answer.measure(least, "bits_drawn").unwrap_or_default();
            let function = function(answer, least);
            text += &format!(", and {function} draws the fewest bits: {bits} on average");
        }
        if refuse > 0 {
            text += &format!("; {refuse} cannot take this n");
        }
        text
    }

    fn estimate(&self) -> Estimate {
        self.target
            .sides()
            .map_or(Estimate::space(1 << 22, 8000), estimate)
    }

    fn optional_fractions(&self) -> Option<OptionalFractions> {
        Some(OptionalFractions {
            answers: &["total_variation_exact"],
            ask: |name| match name {
                "words_exact" => {
                    say!("`cost` from a source of words with the column expected_exact")
                }
                name => say!("`cost` with the algorithm and the column {name}"),
            },
        })
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let target = self.target.checked()?;
        let word = self.word.as_deref().unwrap_or_default();
        let word: String = word.chars().take(40).collect();
        if word.starts_with(|c: char| c.is_ascii_digit())
            && let Ok(target) = word.parse()
        {
            let meant = Libraries { target, word: None };
            let what = say!(
                "\"{word}\" is a number, but this field takes a word that occurs in a row, such as python"
            );
            return Err(QueryError::wrong("word", what).right(say!("did you mean ", meant, "?")));
        }
        let Some(n) = target.sides() else {
            return self.answer_weights(sink);
        };
        let mut lines = self.lines();
        if lines.is_empty() {
            let what = say!(
                "no row has the word \"{word}\" in its id, language, function, version or rule; a word such as java, numpy or modulo was expected"
            );
            let names = LIBRARIES.iter().flat_map(|line| [line.id, line.language]);
            let near = near::nearest(&word, names)
                .map_or(String::new(), |near| format!("did you mean {near}? "));
            let all = Libraries::all();
            return Err(QueryError::wrong("word", what).right(say!(near, all, " lists all")));
        }
        control.go_on()?;
        let rows = threads::map_of(&lines, &|line| library_row(line, n));
        let mut rows: Vec<_> = rows.into_iter().collect::<Result<_, _>>()?;
        if let Some(fair) = self.requested_fairness() {
            let is_wanted = |row: &Vec<Cell>| matches!(&row[TOTAL_VARIATION_CELL], Cell::Exact(tv) if tv.is_zero() == fair);
            let wanted: Vec<bool> = rows.iter().map(is_wanted).collect();
            let mut each = wanted.iter();
            lines.retain(|_| *each.next().unwrap_or(&false));
            let mut each = wanted.iter();
            rows.retain(|_| *each.next().unwrap_or(&false));
        }
        let mut foot = Foot::default();
        let mut beyond = Vec::new();
        for (line, _) in lines
            .iter()
            .zip(&rows)
            .filter(|(_, row)| row[1] == Cell::Empty)
        {
            match line.cost(n) {
                Err(refusal) if !refusal.to_string().contains("too large for its type") => {
                    foot.note(format!("{}: {refusal}", line.id));
                }
                _ => beyond.push(line.id),
            }
        }
        if !beyond.is_empty() {
            foot.note(format!(
                "n is too large for the type of {}",
                beyond.join(", ")
            ));
        }
        let head = head();
        note_on_detection(&mut foot, &head, &rows);
        if let [line] = lines[..]
            && let Some(why) = why_biased(line, n)
        {
            foot.note(why);
        }
        sink.write_answer(&head, rows, foot)
    }
}

/// Estimates the work for all rows with n sides. Functions that compute with doubles list the words
/// of every outcome.
fn estimate(n: &BigUint) -> Estimate {
    let bits = u128::from(n.bits());
    // no function lists more outcomes than this limit
    let listed = n.to_u128().filter(|n| *n <= 1 << 24).unwrap_or(0);
    let rows = LIBRARIES.len() as u128;
    // If an algorithm draws bits, its law has one number for each flip, and each number has as many
    // bits as there are flips. The constants were measured for 1000 and 3000 digits.
    Estimate::space(
        listed * 400 + rows * bits + 28 * bits * bits,
        rows * (400 + 4 * bits),
    )
}

impl Libraries {
    /// Writes the rows of the functions that take weights.
    fn answer_weights(&self, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let lines = match self.requested_fairness() {
            Some(_) => WEIGHTS.iter().collect(),
            None => with_word(WEIGHTS, self.word.as_deref(), "word")?,
        };
        let Some(given) = GivenWeights::new(&self.target.to_string()) else {
            let what = say!("there are too many weights to follow functions word by word");
            return Err(QueryError::wrong("target", what).right(say!("{MAX_WEIGHTS} is the most")));
        };
        let wanted = given.intended_probabilities();
        let (mut foot, mut rows) = (Foot::default(), Vec::new());
        for line in lines {
            let law = match (line.rule)(&given) {
                Ok(law) => law,
                Err(why) => {
                    foot.note(format!("{} is left out: it {why}", line.id));
                    continue;
                }
            };
            let apart = Comparison::new(law.probabilities.into_iter().zip(wanted.iter().cloned()));
            let distance = apart.0.total_variation();
            if self
                .requested_fairness()
                .is_some_and(|fair| fair != distance.is_zero())
            {
                continue;
            }
            let drawn = &law.words * BigInt::from(law.word_bits);
            let mut row = row![line.id, &law.words, &drawn, Cell::Empty];
            row.extend([
                nearest_double_cell(Some(&law.words))?,
                nearest_double_cell(Some(&drawn))?,
                Cell::Empty,
                Cell::Empty,
            ]);
            row.extend([nearest_double_cell(Some(&distance))?, Cell::from(&distance)]);
            row.push(apart.0.largest_ratio().map_or(Cell::Infinite, Cell::from));
            row.extend([
                apart.detect(),
                Cell::Integer(u64::from(law.word_bits).into()),
            ]);
            row.extend(line.cells());
            rows.push(row);
        }
        sink.write_answer(&head(), rows, foot)
    }

    /// Returns the question about all functions, for a d6.
    pub fn all() -> Libraries {
        Libraries {
            target: 6.into(),
            word: None,
        }
    }

    /// Returns `true` if the user requests fair functions, `false` for biased ones, and `None` for
    /// neither.
    fn requested_fairness(&self) -> Option<bool> {
        match self.word.as_deref()?.to_lowercase().as_str() {
            "fair" | "unbiased" => Some(true),
            "biased" | "unfair" => Some(false),
            _ => None,
        }
    }

    /// Returns the rows of the language that the word names, by any of its names. If it names no
    /// language, returns the rows that contain the word.
    fn lines(&self) -> Vec<&'static Library> {
        let word = self.word.as_deref().unwrap_or_default().to_lowercase();
        let of_language = |line: &&Library| {
            let same = |name: &&str| name.to_lowercase() == word;
            same(&line.language) || line.also.iter().any(same)
        };
        let has_word = |line: &&Library| {
            [
                line.id,
                line.language,
                line.function,
                line.version,
                line.rule,
            ]
            .iter()
            .any(|text| text.to_lowercase().contains(&word))
        };
        if self.requested_fairness().is_some() {
            LIBRARIES.iter().collect()
        } else if LIBRARIES.iter().any(|line| of_language(&line)) {
            LIBRARIES.iter().filter(of_language).collect()
        } else {
            LIBRARIES.iter().filter(has_word).collect()
        }
    }
}

/// Explains the bias of a function: the number of words for each result. If the words are
/// distributed as evenly as possible, also says why the results are still biased.
fn why_biased(line: &Library, n: &BigUint) -> Option<String> {
    let law = line.cost(n).ok()?.outcomes?;
    let (most, least) = (law.classes().first()?, law.classes().last()?);
    let cases = most.probability.denom().lcm(least.probability.denom());
    let times =
        |class: &OutcomeClass| short((&class.probability * &cases).to_integer().magnitude());
    let is_power = cases.magnitude().count_ones() == 1;
    let all = match cases.bits() - 1 {
        bits if is_power && bits > 5 => format!("2^{bits}"),
        _ => short(cases.magnitude()),
    };
    let [_, _] = law.classes() else {
        let (most, least) = (times(most), times(least));
        return Some(format!(
            "of {all} cases, each result gets {least} to {most}"
        ));
    };
    let (more, rest) = (&most.multiplicity, short(&least.multiplicity));
    let even = &least.probability * &cases * BigInt::from(n.clone()) + BigInt::from(more.clone());
    let why = if even.to_integer() == cases {
        format!("{all} mod {} = {}: ", short(n), short(more))
    } else {
        String::new()
    };
    let (more, most, least) = (short(more), times(most), times(least));
    Some(format!(
        "{why}of {all} cases, {more} of the results get {most} each, and {rest} get {least} each"
    ))
}

/// Returns the columns of the answer.
fn head() -> Head {
    let head = Head::new()
        .column("id", CellKind::Text)
        .measured("words_exact", CellKind::Exact, "words")
        .measured("bits_drawn_exact", CellKind::Exact, "bits")
        .measured("bits_used_exact", CellKind::Exact, "bits")
        .measured("words", CellKind::Decimal, "words")
        .measured("bits_drawn", CellKind::Decimal, "bits")
        .answers()
        .measured("bits_used", CellKind::Decimal, "bits")
        .measured("worst_case", CellKind::Count, "words")
        .column("total_variation", CellKind::Decimal)
        .answers()
        .columns(CellKind::Exact, ["total_variation_exact", "ratio_exact"])
        .measured("detect", CellKind::Statistical, "results")
        .measured("word_bits", CellKind::Count, "bits");
    described(head)
}

/// Returns the cell of an expected value, as a fraction; an empty cell if there is no value.
fn expected_cell(value: Option<&Rational>) -> Cell {
    value.map_or(Cell::Empty, Cell::from)
}

fn library_row(line: &Library, n: &BigUint) -> Result<Vec<Cell>, QueryError> {
    let cost = line.cost(n);
    let mut cells = row![line.id.to_string()];
    match &cost {
        Ok(cost) => cells.extend(cost_cells(cost, n)?),
        Err(_) => cells.extend((0..COST_CELLS).map(|_| Cell::Empty)),
    }
    let texts = [line.language, line.function, line.version, line.file];
    cells.extend(texts.map(|text| Cell::Text(text.to_string())));
    cells.push(Cell::Text(line.checked.word().to_string()));
    Ok(cells)
}

/// The index of the exact distance in a row.
const TOTAL_VARIATION_CELL: usize = 9;

/// The number of cells of a row that are about its cost.
const COST_CELLS: usize = 12;

/// Returns the cell of the nearest double; an empty cell if there is no value.
fn nearest_double_cell(value: Option<&Rational>) -> Result<Cell, QueryError> {
    match value {
        Some(value) => decimal(&Real::Exact(value.clone()), Precision::default()),
        None => Ok(Cell::Empty),
    }
}

fn cost_cells(cost: &LibraryCost, n: &BigUint) -> Result<[Cell; COST_CELLS], QueryError> {
    let bias = cost.outcomes.as_ref().map(|law| Bias::new(law, n.clone()));
    let zero = Rational::zero();
    let distance = bias.as_ref().map_or(zero, Bias::total_variation);
    let worst = cost.words.max();
    let words = cost.words.mean().map_err(QueryError::input)?;
    let drawn = cost.bits_drawn();
    Ok([
        expected_cell(Some(&words)),
        expected_cell(drawn.as_ref()),
        expected_cell(cost.bits_used.as_ref()),
        nearest_double_cell(Some(&words))?,
        nearest_double_cell(drawn.as_ref())?,
        nearest_double_cell(cost.bits_used.as_ref())?,
        Cell::or_infinite(worst),
        nearest_double_cell(Some(&distance))?,
        Cell::from(&distance),
        bias.as_ref()
            .map_or_else(|| Cell::from(Rational::from_integer(1.into())), ratio_cell),
        bias.as_ref().map_or(Detection::Never, Bias::detect).into(),
        cost.word_bits
            .map_or(Cell::Empty, |bits| Cell::Integer(u64::from(bits).into())),
    ])
}
