//! Renders the advice as one page.

use super::{Advise, Method};
use flipcost::algorithms::{Algorithm, Purpose, find};
use flipcost::table::Precision;
use flipcost::task::Task;
use flipcost_dice_set::page::WIDTH;
use flipcost_number::{BigUint, Real};
use flipcost_one_draw::block_table;
use flipcost_question::format_cell;
use flipcost_question::prelude::*;
use flipcost_question::spell::{SHOWN_DIGITS, round_near_integer};
use std::fmt::Write;

impl Advise {
    pub(super) fn render_page(
        &self,
        called: &str,
        best: &Method,
        others: &[Method],
        entropy: &Real,
        task: &Task,
    ) -> Result<String, QueryError> {
        let unit = match &self.dice {
            Some(dice) if dice.get().len() > 1 => "rolls",
            _ => task.source().unit().plural(),
        };
        let mut text = self.render_costs(called, best, entropy, task, unit)?;
        text += "\n";
        text += &self.render_instructions(best, others, task, unit)?;
        let is_free = |other: &&Method| {
            let known = find(&other.id)
                .ok()
                .filter(|_| !other.needs_probabilities());
            known.is_some_and(|algorithm| render_hand_instructions(algorithm, task).is_some())
        };
        if best.needs_probabilities()
            && let Some(free) = others
                .iter()
                .filter(is_free)
                .min_by_key(|free| free.how.len())
        {
            writeln!(
                text,
                "\nWithout knowing the load, {}: {} {unit} expected\n{}",
                free.id,
                format_value(&free.mean)?,
                free.how.trim_end()
            )
            .expect("memory takes every byte");
        }
        if !others.is_empty() {
            text += &self.render_others(best, others, task, unit)?;
        }
        Ok(text)
    }

    /// Renders the cost and the drawbacks of the best method, and the functions of the library.
    fn render_costs(
        &self,
        called: &str,
        best: &Method,
        entropy: &Real,
        task: &Task,
        unit: &str,
    ) -> Result<String, QueryError> {
        let mut text = String::new();
        let mut line = |words: String| {
            let options = textwrap::Options::new(WIDTH).subsequent_indent("            ");
            writeln!(text, "{}", textwrap::fill(&words, options)).expect("memory takes every byte");
        };
        let from = match &self.dice {
            Some(dice) => {
                let names = dice.get().iter().map(|m| match m {
                    2 => "a coin".to_string(),
                    m => format!("a d{m}"),
                });
                names.collect::<Vec<_>>().join(", ")
            }
            None => self.source.0.with_article(),
        };
        line(format!("{} from {from}: {}", capitalize(called), best.id));
        line(String::new());
        line(format!(
            "expected    {}",
            with_unit(&format_value(&best.mean)?, unit)
        ));
        if !best.command.is_empty() {
            line(format!("            {}", best.command));
        }
        line(format!(
            "worst case  {}",
            best.worst.map_or("no bound".to_string(), |worst| with_unit(
                &worst.to_string(),
                unit
            ))
        ));
        line(format!(
            "entropy     {} {unit}: no method takes fewer on average",
            format_value(entropy)?
        ));
        line(format!("drawbacks   {}", best.gives_up));
        let library = self.language;
        if let Some(library) =
            library.and_then(|language| self.suggest_library_functions(language, task))
        {
            line(format!("library     {library}"));
        }
        Ok(text)
    }

    /// Returns instructions for the best method. If it has no function in the language, also
    /// returns instructions for another method that has one.
    fn render_instructions(
        &self,
        best: &Method,
        others: &[Method],
        task: &Task,
        unit: &str,
    ) -> Result<String, QueryError> {
        let mut text = String::new();
        let function = self
            .language
            .map(|language| self.render_function(language, best, task));
        match function.filter(|function| !function.is_empty()) {
            Some(function) => text += &indent_lines(function.lines()),
            None => text += &best.how,
        }
        let write = |method: &Method| {
            let language = self.language?;
            Some(self.render_function(language, method, task)).filter(|code| !code.is_empty())
        };
        let unwritten = self.language.filter(|_| write(best).is_none());
        let beside = match best.id.as_str() {
            "batches" => others.iter().find(|other| other.id == "greedy-batches"),
            _ => others
                .iter()
                .find(|other| unwritten.is_some() && write(other).is_some()),
        };
        let mut heading = match unwritten {
            Some(language) => {
                format!(
                    "flipcost has no function in {} for this method. ",
                    language.title()
                )
            }
            None => String::new(),
        };
        if let Some(beside) = beside {
            let any = match beside.id.as_str() {
                "greedy-batches" => "For a deck of any size, here",
                _ => "Beside it,",
            };
            heading += &format!(
                "{any} {}: {} {unit}",
                beside.id,
                format_value(&beside.mean)?
            );
        }
        if !heading.is_empty() {
            text += &format!("\n{}\n", textwrap::fill(heading.trim_end(), WIDTH));
        }
        if let Some(beside) = beside {
            let how = write(beside).map_or(beside.how.clone(), |code| indent_lines(code.lines()));
            text += &format!("\n{}\n", how.trim_end());
        }
        Ok(text)
    }

    fn render_others(
        &self,
        best: &Method,
        others: &[Method],
        task: &Task,
        unit: &str,
    ) -> Result<String, QueryError> {
        let mut text = "\nOthers, to six digits:\n".to_string();
        for other in others {
            let mean = short_decimal(&other.mean)?;
            let (id, command) = (&other.id, &other.command);
            let gap = " ".repeat(16usize.saturating_sub(mean.len()));
            let cost = with_unit(&mean, unit);
            writeln!(text, "  {id:36} {gap}{cost}\n      {command}")
                .expect("memory takes every byte");
            if self.explain {
                let why = capitalize(&self.explain_objection(best, other, task));
                writeln!(text, "      {why}.").expect("memory takes every byte");
            }
        }
        Ok(text)
    }
}

/// Rounds a value to six digits.
pub(super) fn short_decimal(value: &Real) -> Result<String, QueryError> {
    match value.exact() {
        Some(value) => Ok(round_near_integer(value, SHOWN_DIGITS).0),
        None => Ok(format_cell(
            &decimal(value, Precision::default())?,
            CellKind::Decimal,
        )),
    }
}

pub(super) fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

pub(super) fn indent_lines<'a>(code: impl Iterator<Item = &'a str>) -> String {
    code.map(|line| format!("    {line}\n")).collect()
}

/// Formats a value for the page; a fraction that is too long to read is rounded to the nearest
/// double.
pub(super) fn format_value(value: &Real) -> Result<String, QueryError> {
    let precision = Precision::default();
    match value.exact() {
        Some(value) => fraction_with_decimal(value, MAX_SENTENCE_FRACTION, precision),
        None => Ok(format!("≈ {}", short_decimal(value)?)),
    }
}

/// Folds a sentence to the width of the page, without breaking formulas.
pub(super) fn fold_sentence(sentence: &str) -> String {
    const NO_BREAK_SPACE: &str = "\u{a0}";
    let mut words = sentence.to_string();
    for sign in ["=", "-", "+"] {
        words = words.replace(
            &format!(" {sign} "),
            &format!("{NO_BREAK_SPACE}{sign}{NO_BREAK_SPACE}"),
        );
    }
    textwrap::fill(&words, WIDTH).replace(NO_BREAK_SPACE, " ")
}

/// A power of two with more digits than this is written as a power.
const MAX_POWER_DIGITS: u64 = 40;

/// Returns the pseudocode of an algorithm, below the meaning of its letters.
pub(super) fn render_pseudocode(algorithm: &dyn Algorithm, task: &Task) -> String {
    let m = task.source().sides();
    let n = match task.target().sides() {
        Some(n) => match n
            .trailing_zeros()
            .filter(|k| *k > MAX_POWER_DIGITS && n.bits() == k + 1)
        {
            Some(k) => format!("n = 2^{k}"),
            None => format!("n = {}", flipcost_number::short::short(n)),
        },
        None => format!(
            "a_1, a_2, ... = the weights, M = {} their sum",
            flipcost_number::short::short(task.target().weight_sum())
        ),
    };
    let loaded = !task.source().is_fair();
    let letters = format!("With m = {m} and {n}; roll() is a face from 0 to m - 1:");
    let mut text = if loaded {
        String::new()
    } else {
        fold_sentence(&letters) + "\n"
    };
    text += &render_steps(algorithm, task);
    text
}

/// Returns the pseudocode of an algorithm, or its rule in words.
pub(super) fn render_steps(algorithm: &dyn Algorithm, task: &Task) -> String {
    // the pseudocode is for fair dice and fair sources, unless it was written for weights
    let loaded = !task.source().is_fair();
    let both = task.target().sides().is_none() && algorithm.purpose() != Purpose::Weights;
    let code = algorithm.pseudocode();
    if !(code.is_empty() || both || loaded) {
        return indent_lines(code.iter().copied());
    }
    let rule = render_hand_instructions(algorithm, task);
    let rule = rule.unwrap_or_else(|| algorithm.about().rule.to_string());
    let options = textwrap::Options::new(WIDTH)
        .initial_indent("    ")
        .subsequent_indent("    ");
    textwrap::fill(&rule, options) + "\n"
}

/// Returns instructions for a person with a loaded coin.
pub(super) fn render_hand_instructions(algorithm: &dyn Algorithm, task: &Task) -> Option<String> {
    let source = task.source();
    if source.is_fair() || source.sides() != BigUint::from(2u8) {
        return None;
    }
    if algorithm.purpose() == Purpose::UnknownSources {
        return block_table(task, algorithm).ok()?.by_hand();
    }
    let n = task
        .target()
        .sides()
        .filter(|_| algorithm.about().id == "interval")?;
    let (heads, tails) = (source.probability(0)?, source.probability(1)?);
    let whole = if *n == BigUint::from(2u8) {
        "the left half of [0, 1), the result is heads; once inside the right half, tails"
            .to_string()
    } else {
        format!(
            "one of the {} equal cells of [0, 1), the number of this cell is the outcome",
            flipcost_number::short::short(n)
        )
    };
    Some(format!(
        "keep a part of [0, 1), at first all of it, and flip the coin: heads keeps the left {heads} of the part, tails the right {tails}; once the part lies inside {whole}"
    ))
}
