//! The explicit files of PRISM, read: transitions, labels, rewards of states.
//!
//! ```text
//! .tra   the numbers of states and transitions, then lines: from, to, probability
//! .lab   0="init" 1="deadlock" 2="done", then lines: a state, a colon, the numbers of its labels
//! .srew  the numbers of states and of lines, then lines: a state, its reward
//! ```
//!
//! PRISM writes them with `-exporttrans`, `-exportlabels` and `-exportstaterewards` (or all at once
//! with `-exportmodel`). Lines that begin with `#` are comments. Every number is taken as exactly
//! what is written, as in [`drn`](crate::drn).
//!
//! **Source.** The manual of PRISM, appendix on explicit model files.

use crate::ModelFileError;
use crate::model::{MOST_TRANSITIONS, Model, ModelState};
use crate::text::{complete, count, index, lines, number, quoted_prefix};
use flipcost_number::Rational;
use num_traits::Zero;

/// A file: its name for messages, and its bytes.
pub type File<'a> = (&'a str, &'a [u8]);

/// Lines that say something, as words.
fn words<'a>(
    (file, bytes): File<'a>,
) -> Result<impl Iterator<Item = (usize, Vec<&'a str>)>, ModelFileError> {
    let all = lines(file, bytes)?;
    Ok(all
        .filter(|(_, line)| !line.trim_start().starts_with('#'))
        .map(|(at, line)| (at, line.split_whitespace().take(WORDS).collect::<Vec<_>>()))
        .filter(|(_, words)| !words.is_empty()))
}

/// More words than this are on no line that is read by words.
const WORDS: usize = 5;

/// Reads a model from its transitions, its labels (without them state 0 is initial), and the rewards
/// of its states (without them every step from a state that is not final costs 1).
///
/// Cost: O(bytes), and one sort of the transitions of every state.
///
/// ```
/// use flipcost_models::explicit;
/// let tra = ("heads.tra", "2 3\n0 0 0.5\n0 1 0.5\n1 1 1\n".as_bytes());
/// let analysis = explicit::read(tra, None, None)?.analysis()?;
/// assert_eq!(analysis.expected.to_string(), "2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ModelFileError`], as for [`drn::read`](crate::drn::read).
pub fn read(
    transitions: File,
    labels: Option<File>,
    rewards: Option<File>,
) -> Result<Model, ModelFileError> {
    let (file, _) = transitions;
    let mut all = words(transitions)?;
    let (line, head) = all.next().ok_or_else(|| {
        ModelFileError::whole_file(
            file,
            "it is empty: the numbers of states and transitions were expected",
        )
    })?;
    let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
    let (states, many) = match head[..] {
        [states, many] => (
            count(states, "states", MOST_TRANSITIONS).map_err(fail)?,
            count(many, "transitions", MOST_TRANSITIONS).map_err(fail)?,
        ),
        [_, _, _] => return Err(fail("three numbers are the head of a model with choices: a Markov chain has two, its states and transitions".to_string())),
        _ => return Err(fail("two numbers were expected, of the states and of the transitions".to_string())),
    };
    if states == 0 {
        return Err(fail("a chain has at least 1 state".to_string()));
    }
    let state = ModelState {
        name: String::new(),
        reward: Rational::zero(),
        labels: Vec::new(),
        next: Vec::new(),
    };
    let mut model = Model {
        title: file.to_string(),
        reward: "steps".to_string(),
        initial: 0,
        states: vec![state; states],
    };
    let mut found = 0;
    for (line, words) in all {
        let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
        let [from, to, p] = words[..] else {
            return Err(fail(
                "three words were expected: from, to, probability".to_string(),
            ));
        };
        let from = index(from, states).map_err(fail)?;
        let to = index(to, states).map_err(fail)?;
        found += 1;
        if found > many {
            return Err(fail(format!(
                "there are more transitions than the {many} of the first line"
            )));
        }
        model.states[from].next.push((to, number(p).map_err(fail)?));
    }
    if found != many {
        return Err(ModelFileError::whole_file(
            file,
            format!("its first line says {many} transitions, and it has {found}"),
        ));
    }
    if let Some(labels) = labels {
        read_labels(labels, &mut model)?;
    }
    if let Some(rewards) = rewards {
        read_rewards(rewards, &mut model)?;
    }
    complete(file, model, rewards.is_none())
}

fn read_labels((file, bytes): File, model: &mut Model) -> Result<(), ModelFileError> {
    let mut all =
        lines(file, bytes)?.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let (line, head) = all.next().ok_or_else(|| {
        ModelFileError::whole_file(file, "it is empty: a line such as 0=\"init\" was expected")
    })?;
    let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
    let mut names: Vec<String> = Vec::new();
    for word in head.split_whitespace() {
        let name = word.split_once('=').and_then(|(at, name)| {
            let name = name.strip_prefix('"')?.strip_suffix('"')?;
            (at == names.len().to_string()).then(|| name.to_string())
        });
        names.push(name.ok_or_else(|| {
            fail(format!(
                "{} was expected to be {}=\"NAME\"",
                quoted_prefix(word),
                names.len()
            ))
        })?);
    }
    let mut initial = None;
    for (line, text) in all {
        let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
        let Some((state, of)) = text.split_once(':') else {
            return Err(fail(format!(
                "{} is no line such as 3: 0 2",
                quoted_prefix(text)
            )));
        };
        let state = index(state.trim(), model.states.len()).map_err(fail)?;
        for label in of.split_whitespace() {
            let name = (label.parse::<usize>().ok())
                .and_then(|label| names.get(label))
                .ok_or_else(|| {
                    fail(format!(
                        "{} is not the number of a label",
                        quoted_prefix(label)
                    ))
                })?;
            if name != "init" {
                if !model.states[state].labels.contains(name) {
                    model.states[state].labels.push(name.clone());
                }
            } else if let Some(other) = initial.replace(state) {
                return Err(fail(format!(
                    "the states {other} and {state} are both initial: one was expected"
                )));
            }
        }
    }
    model.initial = initial.ok_or_else(|| {
        ModelFileError::whole_file(file, "no state has the label init: one was expected")
    })?;
    Ok(())
}

fn read_rewards(of: File, model: &mut Model) -> Result<(), ModelFileError> {
    let (file, bytes) = of;
    // the name of the reward stands in a comment
    let name = lines(file, bytes)?.find_map(|(_, line)| {
        let name = line.strip_prefix("# Reward structure")?.trim();
        Some(name.trim_matches('"').to_string())
    });
    model.reward = name
        .filter(|name| !name.is_empty())
        .unwrap_or("rewards".to_string());
    let mut all = words(of)?;
    let (line, head) = all.next().ok_or_else(|| {
        ModelFileError::whole_file(
            file,
            "it is empty: the numbers of states and of lines were expected",
        )
    })?;
    let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
    let [states, many] = head[..] else {
        return Err(fail(
            "two numbers were expected, of the states and of the lines".to_string(),
        ));
    };
    let states = count(states, "states", MOST_TRANSITIONS).map_err(fail)?;
    if states != model.states.len() {
        return Err(fail(format!(
            "it has the rewards of {states} states, and the model has {}",
            model.states.len()
        )));
    }
    let many = count(many, "rewards", MOST_TRANSITIONS).map_err(fail)?;
    let (mut found, mut known) = (0, vec![false; states]);
    for (line, words) in all {
        let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
        let [state, reward] = words[..] else {
            return Err(fail(
                "two words were expected: a state and its reward".to_string(),
            ));
        };
        let state = index(state, states).map_err(fail)?;
        if std::mem::replace(&mut known[state], true) {
            return Err(fail(format!("state {state} has a second reward")));
        }
        model.states[state].reward = number(reward).map_err(fail)?;
        found += 1;
    }
    if found == many {
        Ok(())
    } else {
        Err(ModelFileError::whole_file(
            file,
            format!("its first line says {many} rewards, and it has {found}"),
        ))
    }
}
