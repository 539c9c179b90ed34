//! Parses command lines in everyday words. For example, `flipcost d7 from d6` means `flipcost cost
//! d7 --source d6`; with several dice it means `plan`. The words `from` and `--dice` mean
//! `--source` in every command that has no option with that name.

use flipcost::task::{has_dice, is_formula, several_dice, strip_die};
use flipcost_number::grammar::items;
use flipcost_question::sides::UNFAIR_WORDS;
use flipcost_question::{ArgumentKind, CommandLine, Description, QuestionKind, Sides};
use serde_json::Value;
use std::ffi::OsString;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Returns the questions of a command; the default question comes first.
pub fn questions_of_command(command: &str) -> impl Iterator<Item = &'static Description> {
    let kinds = crate::QUESTIONS.kinds().iter();
    let of_command = kinds.filter(move |kind| kind.command == command);
    of_command.map(QuestionKind::description)
}

/// Returns the commands of questions, without repetitions, in the order of the help.
pub fn commands() -> Vec<&'static str> {
    let mut all: Vec<&str> = Vec::new();
    for kind in crate::QUESTIONS.kinds() {
        if !all.contains(&kind.command) {
            all.push(kind.command);
        }
    }
    all
}

/// Options that may precede the first word.
const GLOBAL_OPTIONS: [&str; 3] = ["--query", "--no-pager", "--yes"];

/// The word for a coin, which is a source rather than a target.
const COIN_WORD: &str = "coin";

/// Words that may precede a source.
const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// Words between two sources.
const SOURCE_SEPARATORS: [&str; 3] = ["and", "+", ","];

/// Words that may precede `coins`.
const COUNT_WORDS: [&str; 6] = ["one", "two", "three", "some", "several", "many"];

/// Options that only `cost` has.
const COST_OPTIONS: [&str; 9] = [
    "-a",
    "--algorithm",
    "-c",
    "--columns",
    "-d",
    "--digits",
    "--exact",
    "--top",
    "--sources",
];

/// Those of the options in [`COST_OPTIONS`] that `law` also has.
const COST_AND_LAW_OPTIONS: [&str; 4] = ["-c", "--columns", "-d", "--digits"];

/// Returns whether a target is a single formula of dice that is more than one die.
fn is_dice_formula(target: &str) -> bool {
    let die = strip_die(target);
    let is_die = die
        .strip_prefix('1')
        .is_some_and(|die| !has_dice(strip_die(die)));
    is_formula(die) && !is_die && items(target).nth(1).is_none()
}

/// Completes a line without a command: adds `cost` for a target, or `plan` for several dice. The
/// first word is the program's name.
///
/// ```
/// use flipcost_all::first_word::complete_command;
/// let words = "flipcost d7 from d6,d10".split(' ').map(Into::into).collect::<Vec<_>>();
/// let line = complete_command(&words).unwrap();
/// assert_eq!(line.join(" ".as_ref()), "flipcost plan d7 --dice d6,d10");
/// ```
pub fn complete_command(words: &[OsString]) -> Option<Vec<OsString>> {
    let texts: Vec<&str> = words
        .iter()
        .map(|word| word.to_str())
        .collect::<Option<_>>()?;
    let at = (1..texts.len()).find(|at| !GLOBAL_OPTIONS.contains(&texts[*at]))?;
    let (before, rest) = texts.split_at(at);
    let everyday = parse_everyday_words(rest);
    let everyday: Option<Vec<&str>> = everyday
        .as_ref()
        .map(|words| words.iter().map(String::as_str).collect());
    let rest = everyday.as_deref().unwrap_or(rest);
    if rest[0] == "shuffle" && everyday.is_some() {
        return Some(
            before
                .iter()
                .chain(rest)
                .map(OsString::from)
                .collect::<Vec<_>>(),
        );
    }
    let with = |command: &str, rest: &[&str]| {
        let all = before.iter().chain([&command]).chain(rest);
        all.map(OsString::from).collect::<Vec<OsString>>()
    };
    let target = if names_source(rest[0]) {
        // whether an option and its value are joined, as in --dice=2,6
        let is_joined = rest[0].contains('=');
        *rest.get(if is_joined { 1 } else { 2 })?
    } else {
        rest[0]
    };
    if commands()
        .iter()
        .any(|name| name.split(' ').next() == Some(rest[0]))
    {
        return None;
    }
    // a formula in several words, for example 3d6 >= 15
    if rest
        .get(1)
        .is_some_and(|word| word.starts_with(['<', '>', '=']))
    {
        let end = rest.iter().position(|word| word.starts_with('-'));
        let (formula, options) = rest.split_at(end.unwrap_or(rest.len()));
        let formula = formula.join(" ");
        return Some(with("law", &[&[formula.as_str()], options].concat()));
    }
    // `coin` is a target if nothing but options follows, for example `coin from 60%`
    let is_coin = target == COIN_WORD
        && rest
            .get(1)
            .is_none_or(|word| names_source(word) || word.starts_with('-'));
    if !is_target(target) && !is_coin {
        let command = command_of_formula(target, rest).filter(|_| !names_source(rest[0]));
        return command.map(|command| with(command, rest));
    }
    // the line asks for the law of the formula, unless it has a source or an option that only
    // `cost` has
    let of_cost = |word: &&str| COST_OPTIONS.contains(word) && !COST_AND_LAW_OPTIONS.contains(word);
    if is_dice_formula(target) && !rest.iter().any(|word| names_source(word) || of_cost(word)) {
        return Some(with("law", rest));
    }
    let (command, line) = cost_or_plan(target, rest);
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    Some(with(command, &line))
}

/// Returns the command for a text that is not a target: a formula such as `3d6 >= 15`, or `a + b`
/// with `--dice`; or a text such as `1,000`, `d66` or `2W6`, whose notation the command's error
/// explains.
fn command_of_formula(text: &str, rest: &[&str]) -> Option<&'static str> {
    let has_dice = rest
        .iter()
        .any(|word| option_value(word, "--dice").is_some());
    let is_die = |c: &[u8]| {
        c[0].is_ascii_digit() && c[1].eq_ignore_ascii_case(&b'd') && c[2].is_ascii_digit()
    };
    let has_die = text.as_bytes().windows(3).any(is_die);
    let begins_as_number = text.starts_with(|c: char| c.is_ascii_digit());
    let sides = text.strip_prefix(['d', 'D']);
    let begins_as_die = sides.is_some_and(|sides| sides.starts_with(|c: char| !c.is_alphabetic()));
    if begins_as_number && !text.contains(char::is_alphabetic) {
        Some("cost")
    } else {
        (has_dice || has_die || begins_as_number || begins_as_die).then_some("law")
    }
}

fn names_source(word: &str) -> bool {
    SOURCE_OPTIONS
        .iter()
        .any(|name| option_value(word, name).is_some())
}

/// Returns the command for a target and its words: `plan` if there are several dice, `cost`
/// otherwise.
fn cost_or_plan(target: &str, words: &[&str]) -> (&'static str, Vec<String>) {
    let mut line = rewrite_source_options("cost", words.iter().map(ToString::to_string).collect());
    let source = line.iter().position(|word| names_source(word));
    let dice = source.and_then(|at| match line[at].split_once('=') {
        Some((_, value)) => Some((at, 1, value.to_string())),
        None => Some((at, 2, line.get(at + 1)?.clone())),
    });
    let is_of_cost = |word: &String| COST_OPTIONS.contains(&word.as_str());
    match dice {
        Some((at, length, dice))
            if !line.iter().any(is_of_cost) && asks_for_plan(target, &dice) =>
        {
            line.splice(at..at + length, ["--dice".to_string(), dice]);
            ("plan", line)
        }
        _ => ("cost", line),
    }
}

/// Translates everyday words, for example a card, 5 of 52 or 1 in 20, to words of a command line.
fn parse_everyday_words(words: &[&str]) -> Option<Vec<String>> {
    let line = |words: &[&str]| Some(words.iter().map(ToString::to_string).collect());
    let count = |word: &str| word.parse::<u64>().ok();
    match words {
        ["a" | "an" | "the" | "one", rest @ ..] if !rest.is_empty() => {
            parse_everyday_words(rest).or_else(|| line(rest))
        }
        ["card", rest @ ..] => line(&[&["52"], rest].concat()),
        [source, "to", target, rest @ ..] if is_source(source) => {
            line(&[&[target, "from", source], rest].concat())
        }
        [drawn, "of", cards, rest @ ..] if count(drawn).is_some() && count(cards).is_some() => {
            line(&[&["shuffle", cards, "--draw", drawn], rest].concat())
        }
        [part, "in", all, rest @ ..] => {
            let (part, all) = (count(part)?, count(all)?);
            let other = all.checked_sub(part).filter(|_| part > 0)?;
            line(&[&[format!("{part}:{other}").as_str()], rest].concat())
        }
        _ => None,
    }
}

/// Converts a request in words, for example `d7 from a d6`, to data: the command, and its target
/// and options by name.
///
/// ```
/// use flipcost_all::first_word::parse_request;
/// let read = parse_request("d7 from a d6").unwrap();
/// assert_eq!((&read["ask"], &read["of"], &read["source"]), (&"cost".into(), &"d7".into(), &"d6".into()));
/// let read = parse_request("d7 from a coin and a d6").unwrap();
/// assert_eq!((&read["ask"], &read["dice"]), (&"plan".into(), &"coin,d6".into()));
/// assert_eq!(parse_request("5 of 52").unwrap()["draw"], "5");
/// assert_eq!(parse_request("1 in 20").unwrap()["of"], "1:19");
/// assert!(parse_request("rhubarb").is_none());
/// ```
pub fn parse_request(text: &str) -> Option<Value> {
    let words = ["flipcost"].into_iter().chain(text.split_whitespace());
    let line = complete_command(&words.map(OsString::from).collect::<Vec<_>>())?;
    let mut read = serde_json::Map::new();
    read.insert("command".to_string(), format_command_line(&line).into());
    let mut name = "ask".to_string();
    for word in &line[1..] {
        let word = word.to_str()?;
        match word.strip_prefix("--") {
            Some(option) => name = option.to_string(),
            None => {
                let before =
                    read.insert(std::mem::replace(&mut name, "of".to_string()), word.into());
                if before.is_some() {
                    return None; // a word is left over
                }
            }
        }
    }
    Some(read.into())
}

/// Formats a command line as a person would type it.
pub fn format_command_line(words: &[OsString]) -> String {
    let words = words[1..].iter().map(|word| word.to_string_lossy());
    let words = words.filter(|word| !GLOBAL_OPTIONS.contains(&word.as_ref()));
    CommandLine {
        words: words.map(|word| word.into_owned()).collect(),
    }
    .to_string()
}

/// Returns whether `cost` accepts the text as a target.
pub fn is_target(word: &str) -> bool {
    let read = || crate::read("cost", vec![("target".to_string(), word.into())]);
    word != COIN_WORD && (word.len() > 1 && word.starts_with('@') || read().is_ok())
}

/// Returns whether `dice` is a list of dice, or a name for dice, from which a plan can make the
/// target.
fn asks_for_plan(target: &str, dice: &str) -> bool {
    let field = |name: &str, value: &str| (name.to_string(), Value::from(value));
    let cost = || crate::read("cost", vec![field("target", target), field("source", dice)]);
    let is_several = items(dice).nth(1).is_some() || cost().is_err();
    let target = if target.starts_with('@') { "2" } else { target };
    let plan = vec![field("target", target), field("dice", dice)];
    is_several && crate::read("plan", plan).is_ok()
}

/// Returns the command line that prints the recipe for a die, if the given line asks only for the
/// cost of the die from another die.
///
/// ```
/// use flipcost_all::first_word::recipe_command;
/// let words = ["flipcost", "cost", "d100", "--source", "d10"].map(Into::into);
/// assert_eq!(recipe_command(&words).as_deref(), Some("flipcost plan d100 --dice d10"));
/// ```
pub fn recipe_command(words: &[OsString]) -> Option<String> {
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    let [_, "cost", target, "--source", source] = texts?[..] else {
        return None;
    };
    let field = |name: &str, value: &str| (name.to_string(), Value::from(value));
    let plan = crate::read("plan", vec![field("target", target), field("dice", source)]);
    plan.ok()?;
    Some(format!("flipcost plan {target} --dice {source}"))
}

/// The options and words that name a source.
const SOURCE_OPTIONS: [&str; 6] = ["from", "with", "using", "--source", "-s", "--dice"];

/// If the word is this option (or a word such as `from`), returns the value that is joined to it,
/// as in `--dice=6`. The inner `None` means that no value is joined.
fn option_value<'a>(word: &'a str, name: &str) -> Option<Option<&'a str>> {
    if !name.starts_with('-') {
        return word.eq_ignore_ascii_case(name).then_some(None);
    }
    match word.strip_prefix(name)? {
        "" => Some(None),
        value if name.starts_with("--") => value.strip_prefix('=').map(Some),
        _ => None,
    }
}

/// Returns the dice of a list in which 2d6 is replaced by 6,6.
fn expand_dice_list(list: &str) -> String {
    let each = items(list).map(|item| match several_dice(item) {
        Some((count, sides)) if count <= MAX_EXPANDED_DICE => vec![sides; count as usize].join(","),
        _ => item.to_string(),
    });
    if items(list).any(|item| several_dice(item).is_some()) {
        each.collect::<Vec<_>>().join(",")
    } else {
        list.to_string()
    }
}

/// The largest number of equal dice that are written one by one.
const MAX_EXPANDED_DICE: u64 = 20;

/// Returns whether the text is a die or a coin, and not a number.
fn is_source(word: &str) -> bool {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(':');
    !is_number && !word.starts_with('-') && word.parse::<Sides>().is_ok()
}

/// Replaces `from`, `--source` and `--dice` by the corresponding option of the command. The words
/// begin with the program's name.
pub fn translate_source_options(mut words: Vec<OsString>) -> Vec<OsString> {
    let texts: Option<Vec<String>> = words[1..]
        .iter()
        .map(|word| word.to_str().map(String::from))
        .collect();
    let Some(texts) = texts else {
        return words;
    };
    let is_word = |word: &String| !word.starts_with('-') && word != "help";
    let Some(at) = texts.iter().position(is_word) else {
        return words;
    };
    let both = texts[at..].iter().take(2).map(String::as_str);
    let both = both.collect::<Vec<_>>().join(" ");
    let is_known = commands().contains(&both.as_str());
    let command = if is_known { &both } else { &texts[at] };
    let rest = rewrite_source_options(command, texts[at + 1..].to_vec());
    words.truncate(at + 2);
    words.extend(rest.into_iter().map(OsString::from));
    words
}

/// Replaces `from`, `--source` and `--dice` by the corresponding option of the command. The words
/// are those after the command.
fn rewrite_source_options(command: &str, words: Vec<String>) -> Vec<String> {
    let mut words = words;
    // the argument of `verify` may be a statement, which is not an id
    if command == "verify"
        && let Some(first) = words.first_mut()
        && !first.starts_with('-')
        && first.contains(['<', '>', '='])
    {
        *first = format!("--that={first}");
    }
    let has = |name: &str| {
        let mut fields = questions_of_command(command).flat_map(|question| &question.fields);
        fields.any(|field| field.argument.place == ArgumentKind::Option && field.flag() == name)
    };
    let (source, dice) = (has("source") || command == "figure", has("dice"));
    if !source && !dice {
        return words;
    }
    let mut all: Vec<String> = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            all.push(word);
            all.extend(words);
            break;
        }
        let option = |name: &'static str| Some((name, option_value(&word, name)?));
        // --from d6 names a source, while --from and a number give the first n of a range
        let from = option("--from").map(|(_, joined)| joined.or(words.peek().map(String::as_str)));
        let named = if from.flatten().is_some_and(is_source) {
            option("--from").map(|(_, value)| ("--source", value))
        } else {
            SOURCE_OPTIONS.iter().find_map(|name| option(name))
        };
        let Some((name, value)) = named else {
            all.push(word);
            continue;
        };
        let value = value.map(String::from);
        if !name.starts_with('-') {
            words.next_if(|word| ARTICLES.contains(&word.as_str()));
        }
        let Some(given) = value.or_else(|| words.next()) else {
            all.push(word);
            break;
        };
        let may_continue = all.first().is_some_and(|word| !word.starts_with('-'));
        let given = complete_source(given, &mut words, may_continue);
        let given = expand_dice_list(given.trim_end_matches(','));
        let several = items(&given).nth(1).is_some();
        let option = match (name, source, dice) {
            ("--dice", _, true) => "--dice",
            (_, true, true) if several => "--dice",
            (_, true, _) => "--source",
            _ => "--dice",
        };
        if given.starts_with('-') {
            all.push(word);
            all.push(given);
        } else {
            all.extend([option.to_string(), given]);
        }
    }
    all
}

/// Returns the source that begins with this word, together with the other words of this source,
/// such as `coin` after `bent`, or the other numbers of a list after `6`.
fn complete_source(
    mut given: String,
    words: &mut Peekable<IntoIter<String>>,
    may_continue: bool,
) -> String {
    // a bent coin is a single source
    if UNFAIR_WORDS.contains(&given.as_str())
        && let Some(die) = words.next_if(|word| ["coin", "die"].contains(&word.as_str()))
    {
        given = format!("{given} {die}");
    }
    // several coins give the same source as one coin
    let is_number =
        given.bytes().all(|b| b.is_ascii_digit()) || COUNT_WORDS.contains(&given.as_str());
    if is_number
        && words
            .next_if(|word| ["coin", "coins"].contains(&word.as_str()))
            .is_some()
    {
        given = COIN_WORD.to_string();
    }
    // in a line such as 6 10 20, the separate numbers form one list if the target comes first
    if !may_continue {
        return given;
    }
    let is_source = |word: &String| {
        let word = word.trim_matches(',');
        several_dice(word).is_some() || word.parse::<Sides>().is_ok()
    };
    let mut is_listed = given.ends_with(',');
    loop {
        let separator = words.next_if(|word| SOURCE_SEPARATORS.contains(&word.as_str()));
        if is_listed || separator.is_some() {
            words.next_if(|word| ARTICLES.contains(&word.as_str()));
        }
        let Some(next) = words.next_if(is_source) else {
            return given;
        };
        given = format!("{},{next}", given.trim_end_matches(','));
        is_listed = next.ends_with(',');
    }
}
