//! Short forms: `sweep --from A --to B` is `cost A..B`, and `compare` is `cost TARGETS --sources M --best`. They take the options
//! of `cost` beside their own.

use flipcost_all::first_word::{commands, rewrite};
use flipcost_number::grammar::items;
use flipcost_question::{Natural, Numbers};
use std::ffi::OsString;

/// What `compare` takes where nothing is said.
const SOURCES: &str = "2,4,6,8,10,12,20";
const TARGETS: &str = "2..100";

/// The words of a command line, the program's name being the first, with a short form in full.
///
/// ```
/// use flipcost_terminal::short_forms::in_full;
/// let words = "flipcost sweep --from 2 --to 9 -d 5".split(' ').map(Into::into).collect();
/// assert_eq!(in_full(words)?.join(" ".as_ref()), "flipcost cost -d 5 -- 2..9");
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// One sentence on what is missing or does not go together.
pub fn in_full(mut words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let is_word = |word: &OsString| !word.to_string_lossy().starts_with('-');
    let mut command = words.iter().skip(1).position(is_word).unwrap_or(0) + 1;
    if words.get(command).is_some_and(|word| word == "help") {
        command += 1;
    }
    let mut rest = words.split_off(words.len().min(command + 1));
    let word = |word: &OsString| word.to_string_lossy().into_owned();
    let mut name = words.last().map(word).unwrap_or_default();
    let both = rest
        .first()
        .map(|second| format!("{name} {}", word(second)));
    if let Some(both) = both.filter(|both| commands().contains(&both.as_str())) {
        name = both;
    }
    let is_short = ["sweep", "compare"].contains(&name.as_str());
    let is_sweep = name == "sweep";
    rest = with_sources(if is_short { "cost" } else { &name }, rest);
    if !is_short {
        words.append(&mut rest);
        return Ok(words);
    }
    words[command] = "cost".into();
    let is_help = |word: &OsString| word == "--help" || word == "-h";
    if words[command - 1] == "help" || rest.iter().any(is_help) {
        words.append(&mut rest);
        return Ok(words);
    }
    let first = rest.first().is_some_and(is_word);
    let first = first.then(|| rest.remove(0).to_string_lossy().into_owned());
    let weights = take("weights", &mut rest);
    let mut last = |name: &str| take(name, &mut rest).pop();
    let (range, targets) = if is_sweep {
        ((last("from"), last("to")), first)
    } else {
        ((None, None), first.or_else(|| last("targets")))
    };
    let has = |name: &str| (rest.iter()).any(|word| word.to_string_lossy().starts_with(name));
    let is_listed = !weights.is_empty() || has("--weights-file");
    let target = match (range, targets) {
        ((None, None), None) if is_listed => (!weights.is_empty()).then(|| list_of(&weights)),
        _ if is_listed => {
            let name = if is_sweep { "from" } else { "targets" };
            return Err(format!(
                "the argument '--{name}' cannot be used with '--weights'"
            ));
        }
        ((from, Some(to)), None) => Some(format!("{}..{to}", from.as_deref().unwrap_or("1"))),
        // up to this one
        ((from, None), Some(to)) if is_sweep && to.parse::<Natural>().is_ok() => {
            Some(format!("{}..{to}", from.as_deref().unwrap_or("1")))
        }
        (_, Some(targets)) if is_sweep => Some(targets),
        _ if is_sweep => {
            return Err("the following required arguments were not provided: --to <B>, as in `flipcost sweep --to 20`, which is `flipcost cost 1..20`".to_string());
        }
        // in increasing order, each once
        (_, targets) => {
            let targets = targets.unwrap_or(TARGETS.to_string());
            Some(
                targets
                    .parse::<Numbers>()
                    .map_or(targets, |numbers| numbers.to_string()),
            )
        }
    };
    if !is_sweep {
        words.push("--best".into());
        if !has("--sources") {
            words.extend(["--sources", SOURCES].map(Into::into));
        }
    }
    words.append(&mut rest);
    words.extend(
        target
            .iter()
            .flat_map(|target| ["--", target])
            .map(Into::into),
    );
    Ok(words)
}

/// The words behind a command, with its own options for what names a source.
fn with_sources(command: &str, rest: Vec<OsString>) -> Vec<OsString> {
    let texts = rest.iter().map(|word| word.to_str().map(String::from));
    match texts.collect::<Option<Vec<String>>>() {
        Some(texts) => rewrite(command, texts)
            .into_iter()
            .map(Into::into)
            .collect(),
        None => rest,
    }
}

/// Takes the values of an option out of these words.
fn take(name: &str, words: &mut Vec<OsString>) -> Vec<String> {
    let option = format!("--{name}");
    let mut values = Vec::new();
    let mut rest = std::mem::take(words).into_iter();
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        match text.strip_prefix(&option) {
            Some("") => values.extend(
                rest.next()
                    .map(|value| value.to_string_lossy().into_owned()),
            ),
            Some(value) if value.starts_with('=') => values.push(value[1..].to_string()),
            _ => words.push(word),
        }
    }
    values
}

/// Targets as one list.
pub(crate) fn list_of(targets: &[String]) -> String {
    let item = |target: &String| match items(target).count() {
        1 => format!("{target},"),
        _ => format!("({target}),"),
    };
    targets.iter().map(item).collect()
}
