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
//! Storm's are read, too: a .tra with the first line `dtmc` and no numbers, a .lab with its labels between `#DECLARATION` and
//! `#END` and then lines of a state and its labels, and a .rew of states and rewards alone.
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
        ["dtmc"] => extent(transitions)?,
        [kind @ ("mdp" | "ctmc" | "ma")] => {
            return Err(fail(format!(
                "the type is \"{kind}\", and only a dtmc, a discrete-time Markov chain, is read"
            )));
        }
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

/// The numbers of states and transitions of a file that does not say them.
fn extent(transitions: File) -> Result<(usize, usize), ModelFileError> {
    let (mut states, mut many) = (0, 0);
    for (line, words) in words(transitions)?.skip(1) {
        let fail = |wrong: String| ModelFileError::at_line(transitions.0, line, wrong);
        for word in words.iter().take(2) {
            states = states.max(index(word, MOST_TRANSITIONS).map_err(fail)? + 1);
        }
        many += 1;
        if many > MOST_TRANSITIONS {
            return Err(fail(format!(
                "it has more than {MOST_TRANSITIONS} transitions, the most that are read"
            )));
        }
    }
    Ok((states, many))
}

/// Labels as Storm writes them, or `None`.
fn read_storm_labels(
    (file, bytes): File,
    model: &mut Model,
) -> Result<Option<usize>, ModelFileError> {
    let mut all = lines(file, bytes)?.filter(|(_, line)| !line.trim().is_empty());
    let declared = |line: &str| line.trim() == "#DECLARATION";
    if !all.next().is_some_and(|(_, line)| declared(line)) {
        return Ok(None);
    }
    let mut names: Vec<&str> = Vec::new();
    for (_, line) in all.by_ref().take_while(|(_, line)| line.trim() != "#END") {
        names.extend(line.split_whitespace());
    }
    let mut initial = None;
    for (line, text) in all {
        let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
        let mut words = text.split_whitespace();
        let state = index(words.next().unwrap_or(""), model.states.len()).map_err(fail)?;
        for label in words {
            if !names.contains(&label) {
                let label = quoted_prefix(label);
                return Err(fail(format!(
                    "{label} is not among the labels of #DECLARATION"
                )));
            }
            add_label(model, &mut initial, state, label).map_err(fail)?;
        }
    }
    Ok(initial)
}

/// One label more; `init` says where the model begins.
fn add_label(
    model: &mut Model,
    initial: &mut Option<usize>,
    state: usize,
    label: &str,
) -> Result<(), String> {
    let labels = &mut model.states[state].labels;
    if label != "init" {
        if !labels.iter().any(|known| known == label) {
            labels.push(label.to_string());
        }
        return Ok(());
    }
    match initial.replace(state) {
        Some(other) => Err(format!(
            "the states {other} and {state} are both initial: one was expected"
        )),
        None => Ok(()),
    }
}

fn read_labels(of: File, model: &mut Model) -> Result<(), ModelFileError> {
    let (file, bytes) = of;
    let no_start =
        || ModelFileError::whole_file(file, "no state has the label init: one was expected");
    if bytes.trim_ascii_start().starts_with(b"#DECLARATION") {
        model.initial = read_storm_labels(of, model)?.ok_or_else(no_start)?;
        return Ok(());
    }
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
            add_label(model, &mut initial, state, name).map_err(fail)?;
        }
    }
    model.initial = initial.ok_or_else(no_start)?;
    Ok(())
}

/// Is the first line a state with its reward, and no head? Then the states of all lines rise, and the first is below the
/// number of states.
fn begins_with_a_state(of: File, states: usize) -> Result<bool, ModelFileError> {
    let mut last = None;
    for (_, words) in words(of)? {
        let state = words.first().and_then(|word| index(word, states).ok());
        if state.is_none() || state <= last {
            return Ok(false);
        }
        last = state;
    }
    Ok(last.is_some())
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
    let states = model.states.len();
    let many = if begins_with_a_state(of, states)? {
        None
    } else {
        let (line, head) = all.next().ok_or_else(|| {
            ModelFileError::whole_file(
                file,
                "it is empty: the numbers of states and of lines were expected",
            )
        })?;
        let fail = |wrong: String| ModelFileError::at_line(file, line, wrong);
        let [all_states, many] = head[..] else {
            return Err(fail(
                "two numbers were expected, of the states and of the lines".to_string(),
            ));
        };
        let all_states = count(all_states, "states", MOST_TRANSITIONS).map_err(fail)?;
        if all_states != states {
            return Err(fail(format!(
                "it has the rewards of {all_states} states, and the model has {states}"
            )));
        }
        Some(count(many, "rewards", MOST_TRANSITIONS).map_err(fail)?)
    };
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
    match many.filter(|many| *many != found) {
        None => Ok(()),
        Some(many) => Err(ModelFileError::whole_file(
            file,
            format!("its first line says {many} rewards, and it has {found}"),
        )),
    }
}
