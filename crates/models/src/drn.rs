//! DRN, the explicit format of Storm: written, and read.
//!
//! A header, then for every state a line `state 3 [1] label`, with its rewards in brackets, a line
//! `action 0`, and a line `4 : 1/2` for every transition. Only discrete-time Markov chains with one
//! initial state are read. Every number is taken as exactly what is written, so that the
//! probabilities of a state must have the sum 1: a third is `1/3`, and not 0.333333.
//!
//! **Source.** Hensel, Junges, Katoen, Quatmann & Volk 2022, The probabilistic model checker Storm;
//! the format's page at stormchecker.org.

use crate::model::{MOST_TRANSITIONS, Model, ModelState};
use crate::prism::IN_MEMORY;
use crate::text::{count, index, lines, quoted_prefix};
use crate::{ModelFileError, ModelParameter, parameter, text};
use flipcost_number::Rational;
use num_traits::Zero;
use std::collections::HashMap;
use std::fmt::Write;

/// The model in DRN; names of states are left out.
pub(crate) fn write(model: &Model) -> String {
    let mut text = String::new();
    let states = model.states.len();
    writeln!(text, "// {}\n@type: DTMC\n@parameters\n", model.title).expect(IN_MEMORY);
    writeln!(text, "@reward_models\n{}", model.reward).expect(IN_MEMORY);
    writeln!(text, "@nr_states\n{states}\n@nr_choices\n{states}\n@model").expect(IN_MEMORY);
    for (index, state) in model.states.iter().enumerate() {
        write!(text, "state {index} [{}]", state.reward).expect(IN_MEMORY);
        if index == model.initial {
            text.push_str(" init");
        }
        for label in &state.labels {
            write!(text, " {label}").expect(IN_MEMORY);
        }
        text.push_str("\n\taction 0\n");
        for (to, p) in &state.next {
            writeln!(text, "\t\t{to} : {p}").expect(IN_MEMORY);
        }
    }
    text
}

/// What the header says.
struct Header<'p> {
    parameters: &'p [ModelParameter],
    states: usize,
    rewards: Vec<String>,
    constants: HashMap<String, Rational>,
}

impl Header<'_> {
    /// A number, an expression of the parameters, or one of the named constants.
    fn value(&self, text: &str) -> Result<Rational, String> {
        match text.strip_prefix('$') {
            None => parameter::value(text, self.parameters),
            Some(name) => (self.constants.get(name).cloned())
                .ok_or_else(|| format!("{} is not among the @placeholders", quoted_prefix(text))),
        }
    }

    /// The reward at this place of a list such as `[1, 0]`.
    fn reward(&self, list: &str, place: Option<usize>) -> Result<Rational, String> {
        let Some(place) = place else {
            return Ok(Rational::zero());
        };
        match list.split(',').nth(place) {
            Some(text) => self.value(text.trim()),
            None => Ok(Rational::zero()),
        }
    }
}

/// A text in brackets at the beginning of another, and what follows.
fn brackets(text: &str) -> Result<Option<(&str, &str)>, String> {
    let Some(rest) = text.strip_prefix('[') else {
        return Ok(None);
    };
    match rest.split_once(']') {
        Some((inner, rest)) => Ok(Some((inner, rest.trim_start()))),
        None => Err("a bracket [ has no ]".to_string()),
    }
}

/// A line up to a comment, which begins with // at the start of a word that does not stand in quotes.
fn without_comment(line: &str) -> &str {
    let (mut quoted, mut begins) = (false, true);
    for (at, letter) in line.char_indices() {
        if begins && !quoted && line[at..].starts_with("//") {
            return &line[..at];
        }
        quoted ^= letter == '"';
        begins = letter.is_whitespace();
    }
    line
}

/// Labels, which may stand in quotes.
fn labels(text: &str) -> Result<Vec<String>, String> {
    let (mut found, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (label, after) = match rest.strip_prefix('"') {
            Some(quoted) => (quoted.split_once('"')).ok_or("a label has no closing quote")?,
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        found.push(label.to_string());
        rest = after.trim_start();
    }
    Ok(found)
}

/// Where in the body the next line may be.
#[derive(PartialEq)]
enum BodyLine {
    State,
    Action,
    Transition,
}

/// Reads a model; `reward` names the reward model that is the cost, which may be left out if there is
/// one only. A model without rewards costs 1 for every step from a state that is not final.
///
/// Cost: O(bytes), and one sort of the transitions of every state.
///
/// ```
/// use flipcost_models::drn;
/// let heads = "@type: DTMC\n@parameters\n\n@nr_states\n2\n@model\n\
///     state 0 init\n\taction 0\n\t\t0 : 0.5\n\t\t1 : 0.5\nstate 1\n\taction 0\n\t\t1 : 1\n";
/// let analysis = drn::read("heads.drn", heads.as_bytes(), None)?.analysis()?;
/// assert_eq!(analysis.expected.to_string(), "2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ModelFileError`] of the first line that is not understood, of a model that is no discrete-time Markov
/// chain, of probabilities whose sum is not 1, and beyond the limits [`MOST_TRANSITIONS`],
/// [`MOST_BYTES`](crate::MOST_BYTES) and [`MOST_DIGITS`](crate::MOST_DIGITS).
pub fn read(file: &str, bytes: &[u8], reward: Option<&str>) -> Result<Model, ModelFileError> {
    read_with(file, bytes, reward, &[])
}

/// The names of the parameters of a model.
///
/// # Errors
/// [`ModelFileError`] if it is no text.
pub fn parameters(file: &str, bytes: &[u8]) -> Result<Vec<String>, ModelFileError> {
    let lines = lines(file, bytes)?.map(|(_, line)| without_comment(line).trim());
    let header = lines.take_while(|line| *line != "@model");
    let names = header.skip_while(|line| *line != "@parameters").nth(1);
    let names = names.filter(|names| !names.starts_with('@'));
    Ok(names
        .unwrap_or("")
        .split_whitespace()
        .map(str::to_string)
        .collect())
}

/// Reads a model whose parameters have these values. Cost: as [`read`].
///
/// # Errors
/// As [`read`], and of a parameter without a value.
pub fn read_with(
    file: &str,
    bytes: &[u8],
    reward: Option<&str>,
    parameters: &[ModelParameter],
) -> Result<Model, ModelFileError> {
    let mut all = lines(file, bytes)?;
    let header = read_header(file, &mut all, parameters)?;
    let place = text::reward_of(file, &header.rewards, reward)?;
    let mut model = Model {
        title: file.to_string(),
        reward: place.map_or("steps".to_string(), |at| header.rewards[at].clone()),
        initial: 0,
        states: Vec::new(),
    };
    let (mut initial, mut transitions, mut at) = (None, 0usize, BodyLine::State);
    let mut last = 0;
    for (line, text) in all {
        let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
        last = line;
        let text = without_comment(text).trim();
        if text.is_empty() {
            continue;
        }
        let known = model.states.len();
        if let Some(rest) = text.strip_prefix("state ") {
            if at == BodyLine::Action {
                return Err(fail(format!(
                    "state {} has no line \"action 0\"",
                    known - 1
                )));
            }
            let (number, rest) = rest
                .trim_start()
                .split_once(char::is_whitespace)
                .unwrap_or((rest.trim(), ""));
            if number != known.to_string() {
                return Err(fail(format!(
                    "state {known} was expected, and this is {}: states come in the order of their numbers",
                    quoted_prefix(number)
                )));
            }
            if known == header.states {
                return Err(fail(format!(
                    "there are more states than the {known} of @nr_states"
                )));
            }
            let rest = rest.trim_start();
            if rest.starts_with(['!', '{']) {
                return Err(fail(
                    "rates and observations are not of a discrete-time Markov chain".to_string(),
                ));
            }
            let (rewards, rest) = brackets(rest).map_err(fail)?.unwrap_or(("", rest));
            let earned = if rewards.is_empty() {
                Rational::zero()
            } else {
                header.reward(rewards, place).map_err(fail)?
            };
            let mut labels = labels(rest).map_err(fail)?;
            if labels.iter().any(|label| label == "init") {
                if let Some(other) = initial.replace(known) {
                    return Err(fail(format!(
                        "the states {other} and {known} are both initial: one was expected"
                    )));
                }
                labels.retain(|label| label != "init");
            }
            model.states.push(ModelState {
                name: String::new(),
                reward: earned,
                labels,
                next: Vec::new(),
            });
            at = BodyLine::Action;
        } else if let Some(rest) = text.strip_prefix("action ") {
            match at {
                BodyLine::State => {
                    return Err(fail("an action comes before the first state".to_string()));
                }
                BodyLine::Transition => {
                    return Err(fail(format!(
                        "state {} has a second action: a Markov chain has no choice",
                        known - 1
                    )));
                }
                BodyLine::Action => at = BodyLine::Transition,
            }
            let (_, rest) = rest
                .trim_start()
                .split_once(char::is_whitespace)
                .unwrap_or(("", ""));
            if let Some((rewards, _)) = brackets(rest.trim_start()).map_err(fail)? {
                let earned = header.reward(rewards, place).map_err(fail)?;
                model.states[known - 1].reward += earned;
            }
        } else {
            if at != BodyLine::Transition {
                return Err(fail(format!(
                    "{} is no state, action or transition",
                    quoted_prefix(text)
                )));
            }
            let Some((to, p)) = text.split_once(':') else {
                return Err(fail(format!(
                    "{} is no transition such as 4 : 1/2",
                    quoted_prefix(text)
                )));
            };
            let to = index(to.trim(), header.states).map_err(fail)?;
            let p = header.value(p.trim()).map_err(fail)?;
            transitions += 1;
            if transitions > MOST_TRANSITIONS {
                return Err(fail(format!(
                    "it has more than {MOST_TRANSITIONS} transitions, the most that are read"
                )));
            }
            model.states[known - 1].next.push((to, p));
        }
    }
    if at == BodyLine::Action {
        return Err(ModelFileError::at_line(
            file,
            last,
            "the last state has no line \"action 0\"",
        ));
    }
    if model.states.len() != header.states {
        return Err(ModelFileError::whole_file(
            file,
            format!(
                "@nr_states says {} states, and it has {}",
                header.states,
                model.states.len()
            ),
        ));
    }
    model.initial = initial.ok_or_else(|| {
        ModelFileError::whole_file(file, "no state has the label init: one was expected")
    })?;
    text::complete(file, model, place.is_none())
}

fn read_header<'a, 'p>(
    file: &str,
    all: &mut impl Iterator<Item = (usize, &'a str)>,
    parameters: &'p [ModelParameter],
) -> Result<Header<'p>, ModelFileError> {
    let known = |name: &str| parameters.iter().any(|one| one.name == name);
    let mut header = Header {
        parameters,
        states: 0,
        rewards: Vec::new(),
        constants: HashMap::new(),
    };
    let mut is_dtmc = false;
    let mut placing = false;
    while let Some((line, text)) = all.next() {
        let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
        let text = without_comment(text).trim();
        if text.is_empty() {
            continue;
        }
        if placing && let Some(rest) = text.strip_prefix('$') {
            let Some((name, value)) = rest.split_once(':') else {
                return Err(fail(format!(
                    "{} is no named constant such as $p : 1/2",
                    quoted_prefix(text)
                )));
            };
            let value = header.value(value.trim()).map_err(fail)?;
            if header.constants.len() == MOST_TRANSITIONS {
                return Err(fail(format!(
                    "it has more than {MOST_TRANSITIONS} named constants, the most that are read"
                )));
            }
            header.constants.insert(name.trim().to_string(), value);
            continue;
        }
        placing = false;
        let mut next = || {
            all.next()
                .map_or("", |(_, text)| without_comment(text).trim())
        };
        if let Some(kind) = text.strip_prefix("@type:") {
            is_dtmc = kind.trim().eq_ignore_ascii_case("dtmc");
            if !is_dtmc {
                return Err(fail(format!(
                    "the type is {}, and only a DTMC, a discrete-time Markov chain, is read",
                    quoted_prefix(kind.trim())
                )));
            }
        } else if let Some(kind) = text.strip_prefix("@value_type:") {
            if !["double", "rational"].contains(&kind.trim()) {
                return Err(fail(format!(
                    "values of the type {} are not read: double or rational was expected",
                    quoted_prefix(kind.trim())
                )));
            }
        } else {
            match text {
                "@parameters" => {
                    if !next().split_whitespace().all(known) {
                        return Err(fail(
                            "a model with parameters is not read: give them values".to_string(),
                        ));
                    }
                }
                "@placeholders" => placing = true,
                "@reward_models" => {
                    header.rewards = next().split_whitespace().map(str::to_string).collect()
                }
                "@nr_states" => {
                    header.states = count(next(), "states", MOST_TRANSITIONS).map_err(fail)?
                }
                "@nr_choices" => drop(count(next(), "choices", MOST_TRANSITIONS).map_err(fail)?),
                "@model" => {
                    return match (is_dtmc, header.states) {
                        (false, _) => Err(fail(
                            "there is no line \"@type: DTMC\" before @model".to_string(),
                        )),
                        (true, 0) => Err(fail(
                            "@nr_states with at least 1 state was expected before @model"
                                .to_string(),
                        )),
                        (true, _) => Ok(header),
                    };
                }
                _ => {
                    return Err(fail(format!(
                        "{} is no line of the header of a DRN file",
                        quoted_prefix(text)
                    )));
                }
            }
        }
    }
    Err(ModelFileError::whole_file(
        file,
        "it ends before @model: this is no DRN file",
    ))
}
