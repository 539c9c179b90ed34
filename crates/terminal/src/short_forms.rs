//! Short forms: `sweep --from A --to B` is `cost A..B`, and `compare` is `cost TARGETS --sources M --best`. They take the options
//! of `cost` beside their own.

use flipcost_number::grammar::items;
use flipcost_question::Numbers;
use std::ffi::OsString;

/// What `compare` takes where nothing is said.
const SOURCES: &str = "2,4,6,8,10,12,20";
const TARGETS: &str = "2..100";

/// The words of a command line, the program's name being the first, with a short form in full.
///
/// ```
/// use flipcost_terminal::short_forms::in_full;
/// let words = "flipcost sweep --from 2 --to 9 -d 5".split(' ').map(Into::into).collect();
/// assert_eq!(in_full(words)?.join(" ".as_ref()), "flipcost cost 2..9 -d 5");
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// One sentence on what is missing or does not go together.
pub fn in_full(mut words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let is_word = |word: &OsString| !word.to_string_lossy().starts_with('-');
    let Some(mut place) = (1..words.len()).find(|&i| is_word(&words[i])) else {
        return Ok(words);
    };
    let is_short =
        |word: Option<&OsString>| word.is_some_and(|word| word == "sweep" || word == "compare");
    if words[place] == "help" {
        place += 1;
    }
    if !is_short(words.get(place)) {
        return Ok(words);
    }
    let mut rest = words.split_off(place + 1);
    let is_sweep = words[place] == "sweep";
    words[place] = "cost".into();
    if words[place - 1] == "help" || rest.iter().any(|word| word == "--help" || word == "-h") {
        words.push("--help".into());
        words.retain(|word| word != "help");
        return Ok(words);
    }
    let weights = take("weights", &mut rest);
    let has = |name: &str| {
        rest.iter()
            .any(|word| word.to_string_lossy().starts_with(name))
    };
    let (file, sources) = (has("--weights-file"), has("--sources"));
    let mut ranged = Vec::new();
    if rest.first().is_some_and(is_word) {
        ranged.push(("targets", rest.remove(0).to_string_lossy().into_owned()));
    }
    for name in if is_sweep {
        &["from", "to"][..]
    } else {
        &["targets"]
    } {
        ranged.extend(take(name, &mut rest).pop().map(|value| (*name, value)));
    }
    if let (Some((name, _)), false) = (ranged.first(), weights.is_empty() && !file) {
        return Err(format!(
            "the argument '--{name}' cannot be used with '--weights'"
        ));
    }
    let target = match &ranged[..] {
        _ if !weights.is_empty() => Some(list_of(&weights)),
        _ if file => None,
        [("from", from), ("to", to)] => Some(format!("{from}..{to}")),
        [] | [("from" | "to", _), ..] if is_sweep => {
            return Err("the following required arguments were not provided: --from <A> --to <B>, as in `flipcost sweep --from 2 --to 20`, which is `flipcost cost 2..20`".to_string());
        }
        [(_, targets), ..] if is_sweep => Some(targets.clone()),
        // in increasing order, each once
        [(_, targets), ..] => Some(match targets.parse::<Numbers>() {
            Ok(numbers) => numbers.to_string(),
            Err(_) => targets.clone(),
        }),
        [] => Some(TARGETS.to_string()),
    };
    if !is_sweep {
        words.push("--best".into());
        if !sources {
            words.extend(["--sources", SOURCES].map(Into::into));
        }
    }
    let last = target
        .as_ref()
        .is_some_and(|target| target.starts_with('-'));
    if last {
        rest.push("--".into());
    }
    words.splice(
        place + 1..place + 1,
        target.iter().filter(|_| !last).map(Into::into),
    );
    words.append(&mut rest);
    words.extend(target.iter().filter(|_| last).map(Into::into));
    Ok(words)
}

/// Takes the values of an option out of these words.
fn take(name: &str, words: &mut Vec<OsString>) -> Vec<String> {
    let (option, joined) = (format!("--{name}"), format!("--{name}="));
    let mut values = Vec::new();
    let mut rest = std::mem::take(words).into_iter();
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        if text == option {
            values.extend(
                rest.next()
                    .map(|value| value.to_string_lossy().into_owned()),
            );
        } else if let Some(value) = text.strip_prefix(&joined) {
            values.push(value.to_string());
        } else {
            words.push(word);
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
