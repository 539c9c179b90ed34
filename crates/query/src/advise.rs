//! Which method to use: the decision on one page.

use crate::description::{choices, question};
use crate::precision::{READABLE, decimal, exact, spelled};
use crate::sentence::{field, say};
use crate::sheet::WIDTH;
use crate::shuffle::sizes;
use crate::value::algorithms_for;
use crate::{
    Control, Dice, Estimate, Foot, Head, Kind, Plan, Query, QueryError, Question, Sides, Sink,
    TargetText,
};
use flipcost::algorithms::{Algorithm, Keeps, find};
use flipcost::dice_set::MOST;
use flipcost::number::{BigUint, Rational, Real};
use flipcost::streams::best_batches;
use flipcost::table::{Cell, Costs, Precision};
use flipcost::task::{Source, Target, Task};
use num_traits::{One, ToPrimitive, Zero};
use serde_json::json;
use std::cmp::Ordering;
use std::fmt::Write;

question! {
    /// Which method to use: its exact cost, what it gives up, how it is done, on one page
    ///
    /// The method to use for a target, a shuffle or a number of random bits: the first row, and the
    /// others that were compared after it. The document of the answer is a page with the cost, what the
    /// method gives up, how it is done, and the command behind every number.
    pub struct Advise: "advise" {
        /// The target: the sides of a fair die, or weights.
        target: Option<TargetText>; TARGET,
        /// A deck of so many cards in random order, in place of N
        shuffle: Option<u64>; option("CARDS"),
        /// So many random bits, a seed or a key, in place of N
        bits: Option<u64>; option("BITS"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The dice that are at hand, as in 6,10
        dice: Option<Dice>; option("DICE"),
        /// What matters: few rolls, a bound, nothing to remember, little to do, always the same rolls
        prefer: Prefer = Prefer::Rolls; option("WHAT"),
    }
    purpose: Libraries
    examples: [
        "advise 6 --coin",
        "advise --bits 256 --dice 6",
        "advise --shuffle 52 --source word:64 --prefer simple",
    ]
}

choices! {
    /// What matters most.
    ///
    /// ```
    /// use flipcost_query::Prefer;
    /// assert_eq!("constant-time".parse::<Prefer>()?, Prefer::ConstantTime);
    /// # Ok::<(), flipcost_query::ChoiceError>(())
    /// ```
    pub enum Prefer {
        /// As few rolls as possible, on average.
        Rolls = "rolls",
        /// A bound on the rolls.
        Bounded = "bounded",
        /// Nothing to remember but the rolls of one attempt.
        NoMemory = "no-memory",
        /// As little to do as possible.
        Simple = "simple",
        /// Always the same number of rolls, and no branch: what a secret must not be seen in.
        ConstantTime = "constant-time",
    }
}

/// The largest deck.
const MOST_CARDS: u64 = 10_000;
/// The most bits.
const MOST_BITS: u64 = 1 << 16;
/// Always the same rolls: so many that the distance from the target is at most 2^-SECRET.
const SECRET: u32 = 64;

/// The largest deck whose cards are costed one by one.
const MOST_DEALT: u64 = 200;
/// What stands behind the id of an algorithm that rolls a die for every card.
const CARD_BY_CARD: &str = ", card by card";

/// A method with its cost.
struct Method {
    id: String,
    keeps: Keeps,
    mean: Real,
    worst: Option<u64>,
    /// How far it is from the target.
    distance: Rational,
    gives_up: String,
    command: String,
    /// How it is done.
    how: String,
}

impl Question for Advise {
    /// Each method costs numbers as long as the target; a plan of several dice n^2 of them.
    fn estimate(&self) -> Estimate {
        let bits = match (&self.target, self.shuffle, self.bits) {
            (Some(target), _, _) => target.size().1,
            (_, Some(cards), _) => u128::from(cards.min(MOST_CARDS)) * 14,
            (_, _, bits) => bits.unwrap_or(0).min(MOST_BITS).into(),
        };
        let planned = match (&self.dice, &self.target) {
            (Some(dice), Some(target)) if dice.get().len() > 1 => {
                let n = target.target().weight_sum().to_u64().unwrap_or(MOST);
                u128::from(n.min(MOST)).pow(2) * 2000
            }
            _ => 0,
        };
        let fractions = 1u128 << 23;
        Estimate {
            work: 20 * (bits * bits + 1000 * bits) + planned + (1 << 30),
            memory: 100 * bits + planned / 10 + fractions,
            output: 20 * (bits + 1000) + fractions,
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let (target, called) = self.wanted()?;
        control.go_on()?;
        let (unit, mut methods, entropy) = match &self.dice {
            Some(dice) if dice.get().len() > 1 => self.with_dice(dice, &target)?,
            dice => {
                let source = match dice {
                    Some(dice) => Source::die(dice.get()[0]).map_err(QueryError::of("dice"))?,
                    None => self.source.0,
                };
                let task = Task::new(source, target);
                let methods = self.with_source(&task, control)?;
                (source.unit().plural(), methods, task.entropy())
            }
        };
        control.go_on()?;
        let best = methods.remove(0);
        let page = self.page(&called, unit, &best, &methods, &entropy)?;
        let head = Head::new()
            .column("method", Kind::Text)
            .measured("expected_exact", Kind::Exact, unit)
            .measured("expected", Kind::Decimal, unit)
            .measured("worst_case", Kind::Count, unit)
            .column("total_variation_exact", Kind::Exact)
            .column("total_variation", Kind::Decimal)
            .column("gives_up", Kind::Text)
            .column("command", Kind::Text);
        sink.head(&head)?;
        let rows = std::iter::once(&best).chain(&methods).map(row);
        sink.rows(rows.collect::<Result<_, _>>()?)?;
        sink.foot(Foot {
            text: Some(page),
            ..Foot::default()
        })
    }
}

fn row(method: &Method) -> Result<Vec<Cell>, QueryError> {
    let worst = method.worst;
    Ok(vec![
        Cell::Text(method.id.clone()),
        match method.mean.exact() {
            Some(mean) if mean.denom().bits() <= 256 => exact(&method.mean),
            _ => Cell::Empty,
        },
        decimal(&method.mean, Precision::default())?,
        Cell::or_infinite(worst),
        Cell::from(&method.distance),
        decimal(&Real::Exact(method.distance.clone()), Precision::default())?,
        Cell::Text(method.gives_up.clone()),
        Cell::Text(method.command.clone()),
    ])
}

impl Advise {
    /// The target, and what a title calls it.
    fn wanted(&self) -> Result<(Target, String), QueryError> {
        if self.source != Sides::default() && self.dice.is_some() {
            let wrong = QueryError::wrong("dice", "a source and dice were both given");
            return Err(wrong.right("choose one of them"));
        }
        let fair = |n: BigUint| Target::uniform(n).map_err(QueryError::input);
        match (&self.target, self.shuffle, self.bits) {
            (Some(target), None, None) => Ok((target.checked()?.clone(), target.with_article())),
            (None, Some(cards @ 1..=MOST_CARDS), None) => {
                let orders: BigUint = (1..=cards).map(BigUint::from).product();
                Ok((fair(orders)?, format!("a shuffle of {cards} cards")))
            }
            (None, Some(cards), None) => {
                let what = say!("a deck of {cards} cards is none that is advised on");
                Err(QueryError::wrong("shuffle", what)
                    .right(say!("1 to {MOST_CARDS} cards were expected")))
            }
            (None, None, Some(bits @ 1..=MOST_BITS)) => {
                Ok((fair(BigUint::one() << bits)?, format!("{bits} random bits")))
            }
            (None, None, Some(bits)) => {
                let what = say!("{bits} random bits are none that are advised on");
                Err(QueryError::wrong("bits", what)
                    .right(say!("1 to {MOST_BITS} bits were expected")))
            }
            _ => Err(
                QueryError::wrong("target", "advice is about one thing").right(say!(
                    "a target, ",
                    field("shuffle").of("CARDS"),
                    " or ",
                    field("bits").of("BITS")
                )),
            ),
        }
    }

    /// N as a command takes it.
    fn target_word(&self) -> String {
        match (&self.target, self.shuffle, self.bits) {
            (Some(target), ..) => target.to_string(),
            (_, Some(cards), _) => format!("{cards}!"),
            (.., bits) => format!("2^{}", bits.unwrap_or(0)),
        }
    }

    /// The methods for one source, the recommended one first, then by cost.
    fn with_source(&self, task: &Task, control: &Control) -> Result<Vec<Method>, QueryError> {
        let mut methods = Vec::new();
        for algorithm in algorithms_for(&[], task.source(), task.target()) {
            control.go_on()?;
            if let Ok(costs) = Costs::new(algorithm, task) {
                methods.push(self.method(algorithm, &costs, task));
            }
        }
        if let Some(cards @ 2..=MOST_DEALT) = self.shuffle {
            for algorithm in algorithms_for(&[], task.source(), task.target()) {
                control.go_on()?;
                methods.extend(self.card_by_card(algorithm, cards, task));
            }
            methods.extend(in_batches(cards, task.source()));
        }
        // Best first; equal means in the order of the registry, but the optimum before all.
        let optimum = match task.target().sides() {
            Some(_) => "fast-dice-roller",
            None => "knuth-yao",
        };
        methods.sort_by_key(|method| method.id != optimum);
        methods.sort_by(|a, b| a.mean.compare(&b.mean).unwrap_or(Ordering::Equal));
        let cards = (self.shuffle).is_some_and(|cards| (2..=MOST_DEALT).contains(&cards));
        // what costs four times as much as another is no advice, however simple
        let four = Real::integer(4);
        let alike = |method: &&Method| method.id.ends_with(CARD_BY_CARD) == cards;
        let least = methods.iter().find(alike);
        let least = least.map(|method| method.mean.times(&four));
        let dear = |method: &Method| {
            let least = least.as_ref();
            least.is_some_and(|least| method.mean.compare(least) == Ok(Ordering::Greater))
        };
        let effort = |method: &Method| match method.keeps {
            Keeps::OneAttempt { effort } if alike(&method) && !dear(method) => Some(effort),
            _ => None,
        };
        let place = match self.prefer {
            Prefer::Rolls => Some(0),
            Prefer::Bounded => methods.iter().position(|method| method.worst.is_some()),
            Prefer::NoMemory => methods.iter().position(|method| effort(method).is_some()),
            Prefer::Simple => {
                let efforts = methods.iter().map(effort).enumerate();
                let known = efforts.filter_map(|(at, effort)| Some((effort?, at)));
                known.min().map(|(_, at)| at)
            }
            Prefer::ConstantTime => None,
        };
        match place {
            Some(place) => {
                let best = methods.remove(place);
                methods.insert(0, best);
            }
            None if matches!(self.prefer, Prefer::NoMemory | Prefer::Simple) => {}
            None => methods.insert(0, self.always(task)?),
        }
        Ok(methods)
    }

    /// A die for every card, one after the other; `None` if the algorithm refuses one of them.
    fn card_by_card(&self, algorithm: &dyn Algorithm, cards: u64, task: &Task) -> Option<Method> {
        let (mut mean, mut worst) = (Real::integer(0), Some(0u64));
        for n in 2..=cards {
            let task = Task::new(task.source(), Target::uniform(n).ok()?);
            let costs = Costs::new(algorithm, &task).ok()?;
            mean = mean.plus(costs.mean());
            worst = worst
                .zip(costs.law().worst_case())
                .map(|(all, one)| all + one);
        }
        let id = algorithm.about().id;
        let unit = task.source().unit().plural();
        let asked = match task.sides() {
            Ok(_) => json!({ "ask": "shuffle", "cards": cards }),
            Err(_) => json!({
                "ask": "sweep",
                "from": 2,
                "to": cards,
                "algorithms": id,
                "columns": "n,expected_exact",
            }),
        };
        let mut gives_up = vec!["what is left over from a card is thrown away".to_string()];
        if worst.is_none() {
            gives_up.push(format!("the {unit} have no bound"));
        }
        let m = task.source().sides();
        Some(Method {
            keeps: algorithm.about().keeps,
            id: format!("{id}{CARD_BY_CARD}"),
            mean,
            worst,
            distance: Rational::zero(),
            gives_up: gives_up.join("; "),
            command: command(asked, task.source()),
            how: format!(
                "{}\n{}",
                filled(&format!(
                    "For n = {cards} down to 2 swap card n with card r + 1, r by this with m = {m}:"
                )),
                lines(algorithm.pseudocode().iter().copied())
            ),
        })
    }

    fn method(&self, algorithm: &dyn Algorithm, costs: &Costs, task: &Task) -> Method {
        let id = algorithm.about().id;
        let unit = task.source().unit().plural();
        let mut gives_up = Vec::new();
        let worst = costs.law().worst_case();
        if worst.is_none() {
            gives_up.push(format!("the {unit} have no bound"));
        }
        if algorithm.about().keeps == Keeps::TwoNumbers {
            gives_up.push("two numbers are kept from one roll to the next".to_string());
        }
        let toll = costs.toll();
        if toll.compare(&Real::integer(0)) == Ok(Ordering::Greater)
            && let Ok(toll) = toll.decimals(3)
        {
            gives_up.push(format!("{toll} {unit} above the entropy"));
        }
        let line = self.costs(id, task.source());
        Method {
            keeps: algorithm.about().keeps,
            id: id.to_string(),
            mean: costs.mean().clone(),
            worst,
            distance: Rational::zero(),
            gives_up: gives_up.join("; "),
            command: line,
            how: code(algorithm, task),
        }
    }

    /// The command that costs an algorithm.
    fn costs(&self, id: &str, source: Source) -> String {
        let cost = json!({ "ask": "cost", "target": self.target_word(), "algorithms": id });
        command(cost, source)
    }

    /// Always the same number of rolls: so many that floor(x n / m^t) is within 2^-64 of the target.
    fn always(&self, task: &Task) -> Result<Method, QueryError> {
        let Some(n) = task.target().sides() else {
            let unit = task.source().unit().plural();
            let source = task.source().with_article();
            return Err(QueryError::wrong(
                "prefer",
                say!(
                    "no exact method makes these weights from {source} in a bounded number of {unit}, and what is near them is advised for fair dice only"
                ),
            ));
        };
        let m = task.words().map_err(QueryError::of("source"))?;
        let unit = task.source().unit().plural();
        let (mut rolls, mut all) = (0u64, BigUint::one());
        let distance = loop {
            let r = &all % n;
            let top = &r * (n - &r);
            let below = n * &all;
            if (top.clone() << SECRET) <= below {
                break Rational::new(top.into(), below.into());
            }
            all *= m;
            rolls += 1;
        };
        let exactly = distance.is_zero();
        let gives_up = match exactly {
            true => format!("nothing but {unit}: the outcomes are exactly fair"),
            false => format!(
                "exactness: the total variation distance from fair is below 2^-{SECRET}, and more {unit} make it smaller"
            ),
        };
        let id = match exactly {
            true => "bounded",
            false => "multiply-shift",
        };
        let bits = task.source().sides();
        let bits = (bits.count_ones() == 1).then(|| (bits.bits() - 1) * rolls);
        // an algorithm that always takes so many; no command multiplies the rolls of a die
        let steady = |id: &&str| {
            let law = find(id).ok().and_then(|algorithm| algorithm.law(task).ok());
            law.is_some_and(|law| law.mean().exact() == Some(&Rational::from_integer(rolls.into())))
        };
        let command = match bits {
            _ if exactly => (["bounded", "base-conversion"].iter().find(|id| steady(id)))
                .map_or(String::new(), |id| self.costs(id, task.source())),
            Some(bits @ 1..=128) => command(
                json!({ "ask": "bias", "target": self.target_word(), "words": bits }),
                Source::COIN,
            ),
            _ => String::new(),
        };
        let code = [
            format!("x = 0; {rolls} times: x = {m} x + roll()"),
            format!("return floor(x n / {m}^{rolls})"),
        ];
        Ok(Method {
            keeps: Keeps::State,
            id: id.to_string(),
            mean: Real::integer(rolls),
            worst: Some(rolls),
            distance,
            gives_up,
            command,
            how: lines(code.iter().map(String::as_str)),
        })
    }

    /// The best rule of one form for several dice.
    fn with_dice(
        &self,
        dice: &Dice,
        target: &Target,
    ) -> Result<(&'static str, Vec<Method>, Real), QueryError> {
        if !matches!(self.prefer, Prefer::Rolls | Prefer::Simple) {
            let what = say!(
                field("prefer").is(self.prefer.to_string()),
                " is about one source"
            );
            return Err(
                QueryError::wrong("prefer", what).right(say!(field("dice"), " takes one die then"))
            );
        }
        let word: TargetText = self
            .target_word()
            .parse()
            .map_err(QueryError::of("target"))?;
        let plan = Plan {
            no_split: self.prefer == Prefer::Simple,
            optimal: false,
            effort: None,
            ..Plan::new(word, dice.clone())
        };
        // a large target is made with one of the dice
        let large = *target.weight_sum() > BigUint::from(MOST);
        let mut methods = Vec::new();
        if !large {
            let (sheet, found) = plan.found()?;
            let mut gives_up =
                vec!["other forms of rules may be cheaper: they are not compared".to_string()];
            if found.worst_case.is_none() {
                gives_up.insert(0, "the rolls have no bound".to_string());
            }
            methods.push(Method {
                keeps: Keeps::State,
                id: "plan".to_string(),
                mean: found.expected_real(),
                worst: found.worst_case,
                distance: Rational::zero(),
                gives_up: gives_up.join("; "),
                command: Query::from(plan.clone()).command().to_string(),
                how: sheet.to_text(WIDTH),
            });
        }
        let bound = flipcost::dice_set::entropy_bound(target, &plan.priced()?);
        let planned = methods.len();
        for &sides in dice.get() {
            let source = Source::die(sides).map_err(QueryError::of("dice"))?;
            let task = Task::new(source, target.clone());
            let id = match target.sides() {
                Some(_) => "fast-dice-roller",
                None => "knuth-yao",
            };
            let algorithm = find(id).map_err(QueryError::input)?;
            let costs = Costs::new(algorithm, &task).map_err(QueryError::of("dice"))?;
            let mut method = self.method(algorithm, &costs, &task);
            method.id = format!("{id}, d{sides} alone");
            if large {
                method.gives_up = format!(
                    "{}; several dice are planned for up to {MOST} outcomes only, and one that takes turns with others may be cheaper",
                    method.gives_up
                );
            }
            methods.push(method);
        }
        methods[planned..].sort_by(|a, b| a.mean.compare(&b.mean).unwrap_or(Ordering::Equal));
        // weights are looked up from a die of their sum: one die alone may be cheaper
        let cheaper = planned == 1
            && methods.len() > 1
            && methods[1].mean.compare(&methods[0].mean) == Ok(Ordering::Less);
        if cheaper && self.prefer == Prefer::Rolls {
            methods.swap(0, 1);
        }
        Ok(("rolls", methods, bound))
    }

    fn page(
        &self,
        called: &str,
        unit: &str,
        best: &Method,
        others: &[Method],
        entropy: &Real,
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
        line(format!("{} from {from}: {}", capital(called), best.id));
        line(String::new());
        let one = best.mean.exact().is_some_and(One::is_one);
        let counted = |one: bool| match one {
            true => unit.trim_end_matches('s'),
            false => unit,
        };
        line(format!(
            "expected    {} {}",
            stated(&best.mean)?,
            counted(one)
        ));
        if !best.command.is_empty() {
            line(format!("            {}", best.command));
        }
        line(format!(
            "worst case  {}",
            best.worst.map_or("no bound".to_string(), |worst| format!(
                "{worst} {}",
                counted(worst == 1)
            ))
        ));
        line(format!(
            "entropy     {} {unit}: no method takes fewer on average",
            stated(entropy)?
        ));
        line(format!("gives up    {}", best.gives_up));
        text += "\n";
        text += &best.how;
        let dealt = |method: &Method| method.id.ends_with(CARD_BY_CARD);
        if let Some(plain) = others.iter().find(|other| dealt(other) && !dealt(best)) {
            let (mean, command) = (stated(&plain.mean)?, &plain.command);
            writeln!(
                text,
                "\nWith small numbers, {}: {mean} {unit} expected\n    {command}\n{}",
                plain.id,
                plain.how.trim_end()
            )
            .expect("memory takes every byte");
        }
        if !others.is_empty() {
            text += "\nOthers, to four decimals:\n";
            for other in others {
                let mean = short_decimal(&other.mean);
                let (id, command) = (&other.id, &other.command);
                writeln!(text, "  {id:40} {mean:>12} {unit}\n      {command}")
                    .expect("memory takes every byte");
            }
        }
        Ok(text)
    }
}

/// A shuffle with several indices from each word; `None` if the source is no word, or too narrow for one
/// index.
fn in_batches(cards: u64, source: Source) -> Option<Method> {
    source.bits()?;
    let m = source.sides();
    let batches = best_batches(m.to_u128()?, cards)?;
    let how = format!(
        "For batches of indices, {}: with n cards still to do, b indices in the batch and m = {m}:",
        sizes(&batches)
    );
    let code = [
        "p = n (n - 1) ... (n - b + 1)",
        "repeat: x = roll()",
        "until x < m - (m mod p)",
        "b times: swap card n with card (x mod n) + 1, x = floor(x / n), n = n - 1",
    ];
    let batched = json!({ "ask": "shuffle", "cards": cards, "batches": true });
    let unit = source.unit().plural();
    let exact = batches
        .batches
        .iter()
        .all(|batch| batch.accepted().is_one());
    let leftover = "what is left over from a batch is thrown away";
    Some(Method {
        keeps: Keeps::State,
        id: "batches of indices".to_string(),
        mean: batches.words(),
        worst: exact.then_some(batches.batches.len() as u64),
        distance: Rational::zero(),
        gives_up: match exact {
            true => leftover.to_string(),
            false => format!("{leftover}; the {unit} have no bound"),
        },
        command: command(batched, source),
        how: format!("{}\n{}", filled(&how), lines(code.into_iter())),
    })
}

/// Four decimals, for a list.
fn short_decimal(value: &Real) -> String {
    value.decimals(4).unwrap_or_else(|_| "?".to_string())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The command line of a question, from this source.
fn command(mut asked: serde_json::Value, source: Source) -> String {
    if source != Source::COIN {
        asked["source"] = Sides(source).to_string().into();
    }
    Query::from_json(&asked.to_string())
        .map(|query| query.command().to_string())
        .expect("the question is well formed")
}

fn lines<'a>(code: impl Iterator<Item = &'a str>) -> String {
    code.map(|line| format!("    {line}\n")).collect()
}

/// A value as the page says it: what is no fraction that can be read is rounded to the nearest double.
fn stated(value: &Real) -> Result<String, QueryError> {
    let precision = Precision::default();
    match value.exact() {
        Some(value) => spelled(value, READABLE, precision),
        None => Ok(format!("≈ {}", decimal(value, precision)?)),
    }
}

/// A sentence in lines of a page, none of which ends within a formula.
fn filled(sentence: &str) -> String {
    const KEPT: &str = "\u{a0}";
    let mut words = sentence.to_string();
    for sign in ["=", "-", "+"] {
        words = words.replace(&format!(" {sign} "), &format!("{KEPT}{sign}{KEPT}"));
    }
    textwrap::fill(&words, WIDTH).replace(KEPT, " ")
}

/// The pseudocode of an algorithm, and what its letters are.
fn code(algorithm: &dyn Algorithm, task: &Task) -> String {
    let m = task.source().sides();
    let n = match task.target().sides() {
        Some(n) => format!("n = {}", flipcost::unstable::number::short(n)),
        None => format!(
            "a_1, a_2, ... = the weights, M = {} their sum",
            flipcost::unstable::number::short(task.target().weight_sum())
        ),
    };
    let code = algorithm.pseudocode();
    let letters = format!("With m = {m} and {n}; roll() is a face from 0 to m - 1:");
    let mut text = filled(&letters) + "\n";
    // what stands there is for fair dice, unless it was made for weights
    let both = task.target().sides().is_none() && algorithm.made_for().makes_fair_dice();
    match code.is_empty() || both {
        true => writeln!(text, "    {}", algorithm.about().rule).expect("memory takes every byte"),
        false => text += &lines(code.iter().copied()),
    }
    text
}
