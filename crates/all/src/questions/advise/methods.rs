//! The methods that are compared, each with its cost and how it is done.

use super::page::{code, filled, lines, stated, steps};
use super::{Advise, CARD_BY_CARD, Method, Prefer};
use flipcost::algorithms::{Algorithm, Memory, find};
use flipcost::table::Costs;
use flipcost::task::{Source, Target, Task};
use flipcost_dice_set::Dice;
use flipcost_dice_set::MOST;
use flipcost_dice_set::questions::Plan;
use flipcost_dice_set::sheet::WIDTH;
use flipcost_libraries::questions::WordBias;
use flipcost_number::{BigUint, Rational, Real};
use flipcost_one_draw::questions::{Cost, CostRows};
use flipcost_question::description::Pairs;
use flipcost_question::prelude::*;
use flipcost_question::value::algorithms_for;
use flipcost_streams::best_batches;
use flipcost_streams::questions::Shuffle;
use flipcost_streams::questions::shuffle::sizes;
use num_traits::{One, Zero};
use serde_json::json;
use std::cmp::Ordering;

/// Always the same rolls: so many that the distance from the target is at most 2^-SECRET.
const SECRET: u32 = 64;

/// The effort of attempts that are plain rejection, of so many rolls each.
const PLAIN: u8 = 7;

/// The largest deck whose cards are costed one by one.
const MOST_DEALT: u64 = 200;

impl Advise {
    /// The methods for one source, the recommended one first, then by cost.
    pub(super) fn with_source(
        &self,
        task: &Task,
        control: &Control,
    ) -> Result<Vec<Method>, QueryError> {
        let (mut methods, mut refused) = (Vec::new(), None);
        for algorithm in algorithms_for(&[], task.source(), task.target()) {
            control.go_on()?;
            match Costs::new(algorithm, task) {
                Ok(costs) => methods.push(self.method(algorithm, &costs, task)),
                Err(error) => refused = Some(error),
            }
        }
        if let Some(cards @ 2..=MOST_DEALT) = self.shuffle {
            for algorithm in algorithms_for(&[], task.source(), task.target()) {
                control.go_on()?;
                methods.extend(self.card_by_card(algorithm, cards, task));
            }
            methods.extend(in_batches(cards, task.source()));
        }
        if let (true, Some(error)) = (methods.is_empty(), refused) {
            return Err(QueryError::for_field("target")(error));
        }
        // Best first; of equal means plain rejection, then the optimum, then in the order of the registry.
        let optimum = match task.target().sides() {
            Some(_) => "fast-dice-roller",
            None => "knuth-yao",
        };
        methods.sort_by_key(|method| match method.memory {
            Memory::OneAttempt { effort } if effort <= PLAIN => effort,
            _ if method.id == optimum => PLAIN + 1,
            _ => PLAIN + 2,
        });
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
        let effort = |method: &Method| match method.memory {
            Memory::OneAttempt { effort } if alike(&method) && !dear(method) => Some(effort),
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
            None if task.source().weights().is_some() => return Err(self.never(task)),
            None => methods.insert(0, self.always(task)?),
        }
        Ok(methods)
    }

    /// That no rule for this loaded source is as it is preferred.
    fn never(&self, task: &Task) -> QueryError {
        let (source, unit) = (task.source().with_article(), task.source().unit().plural());
        let what = match self.prefer {
            Prefer::ConstantTime => format!(
                "of {source} no rule in constant time is known: their {unit} are worked out from the results before"
            ),
            _ if task.is_bounded() => {
                format!(
                    "no rule with a bounded number of {unit} of {source} is known for this target"
                )
            }
            _ => format!("no rule makes this target in a bounded number of {unit} of {source}"),
        };
        QueryError::wrong("prefer", what).right(say!("choose another ", field("prefer")))
    }

    /// A die for every card, one after the other; `None` if the algorithm refuses one of them.
    fn card_by_card(&self, algorithm: &dyn Algorithm, cards: u64, task: &Task) -> Option<Method> {
        let (mut mean, mut worst) = (Real::integer(0), Some(0u64));
        for n in 2..=cards {
            let task = Task::new(task.source().clone(), Target::uniform(n).ok()?);
            let costs = Costs::new(algorithm, &task).ok()?;
            mean = mean.plus(costs.mean());
            worst = worst.zip(costs.law().max()).map(|(all, one)| all + one);
        }
        let id = algorithm.about().id;
        let unit = task.source().unit().plural();
        let source = task.source();
        let columns = "n,expected_exact";
        let command = match task.words() {
            Ok(_) => command::<Shuffle>(json!({ "cards": cards }), source),
            Err(_) => command::<CostRows>(
                json!({ "target": format!("2..{cards}"), "algorithms": id, "columns": columns }),
                source,
            ),
        };
        let mut gives_up = vec!["what is left over from a card is thrown away".to_string()];
        if worst.is_none() {
            gives_up.push(format!("the {unit} have no bound"));
        }
        let m = task.source().sides();
        Some(Method {
            memory: algorithm.about().memory,
            id: format!("{id}{CARD_BY_CARD}"),
            mean,
            worst,
            distance: Rational::zero(),
            gives_up: gives_up.join("; "),
            command,
            how: format!(
                "{}\n{}",
                filled(&format!(
                    "For n = {cards} down to 2 swap card n with card r + 1, r by this with m = {m}:"
                )),
                steps(algorithm, task)
            ),
        })
    }

    pub(super) fn method(&self, algorithm: &dyn Algorithm, costs: &Costs, task: &Task) -> Method {
        let id = algorithm.about().id;
        let unit = task.source().unit().plural();
        let mut gives_up = Vec::new();
        let worst = costs.law().max();
        if worst.is_none() {
            gives_up.push(format!("the {unit} have no bound"));
        }
        if algorithm.about().memory == Memory::TwoNumbers {
            gives_up.push("two numbers are kept from one roll to the next".to_string());
        }
        let toll = costs.toll();
        if toll.compare(0) == Ok(Ordering::Greater)
            && let Ok(places) = toll.decimals(3)
        {
            let is_small = places.bytes().all(|digit| matches!(digit, b'0' | b'.'));
            let toll = if is_small { stated(&toll) } else { Ok(places) };
            let toll = toll.unwrap_or_default();
            gives_up.push(format!("{toll} {unit} above the entropy"));
        }
        let line = self.costs(id, task.source());
        Method {
            memory: algorithm.about().memory,
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
    fn costs(&self, id: &str, source: &Source) -> String {
        let cost = json!({ "target": self.target_word(), "algorithms": id });
        command::<Cost>(cost, source)
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
        let m = task.words().map_err(QueryError::for_field("source"))?;
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
        let gives_up = if exactly {
            format!("nothing but {unit}: the outcomes are exactly fair")
        } else {
            format!(
                "exactness: the total variation distance from fair is below 2^-{SECRET}, and more {unit} make it smaller"
            )
        };
        let id = if exactly { "bounded" } else { "multiply-shift" };
        let bits = task.source().sides();
        let bits = (bits.count_ones() == 1).then(|| (bits.bits() - 1) * rolls);
        // an algorithm that always takes so many; no command multiplies the rolls of a die
        let steady = |id: &&str| {
            let law = find(id).ok().and_then(|algorithm| algorithm.law(task).ok());
            law.is_some_and(|law| {
                law.mean_real().exact() == Some(&Rational::from_integer(rolls.into()))
            })
        };
        let command = match bits {
            _ if exactly => (["bounded", "base-conversion"].iter().find(|id| steady(id)))
                .map_or(String::new(), |id| self.costs(id, task.source())),
            Some(bits @ 1..=128) => command::<WordBias>(
                json!({ "target": self.target_word(), "words": bits }),
                &Source::COIN,
            ),
            _ => String::new(),
        };
        let code = [
            format!("x = 0; {rolls} times: x = {m} x + roll()"),
            format!("return floor(x n / {m}^{rolls})"),
        ];
        Ok(Method {
            memory: Memory::State,
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
    pub(super) fn with_dice(
        &self,
        dice: &Dice,
        target: &Target,
        control: &Control,
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
            .map_err(QueryError::for_field("target"))?;
        let mut plan = Plan::new(word, dice.clone());
        // a large target is made with one of the dice
        let large = *target.weight_sum() > BigUint::from(MOST);
        let mut methods = Vec::new();
        if !large {
            let mut sheet = plan.sheet(control)?;
            match (self.prefer == Prefer::Simple, sheet.is_simple) {
                (true, false) => plan.no_split = true,
                (false, true) => plan.cheapest = true,
                _ => {}
            }
            if plan.no_split || plan.cheapest {
                sheet = plan.sheet(control)?;
            }
            let mut gives_up =
                vec!["other forms of rules may be cheaper: they are not compared".to_string()];
            if sheet.worst.is_none() {
                gives_up.insert(0, "the rolls have no bound".to_string());
            }
            methods.push(Method {
                memory: Memory::State,
                id: "plan".to_string(),
                mean: Real::Exact(sheet.cost.clone()),
                worst: sheet.worst,
                distance: Rational::zero(),
                gives_up: gives_up.join("; "),
                command: plan.line().to_string(),
                how: sheet.to_text(WIDTH),
            });
        }
        let bound = flipcost_dice_set::entropy_bound(target, &plan.priced()?);
        let planned = methods.len();
        for &sides in dice.get() {
            let source = Source::die(sides).map_err(QueryError::for_field("dice"))?;
            let task = Task::new(source, target.clone());
            let id = match target.sides() {
                Some(_) => "fast-dice-roller",
                None => "knuth-yao",
            };
            let algorithm = find(id).map_err(QueryError::input)?;
            let costs = Costs::new(algorithm, &task).map_err(QueryError::for_field("dice"))?;
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
}

/// A shuffle with several indices from each word; `None` if the source is no word, or too narrow for one
/// index.
fn in_batches(cards: u64, source: &Source) -> Option<Method> {
    source.bits()?;
    let m = source.sides();
    let batches = best_batches(source, cards)?;
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
    let batched = json!({ "cards": cards, "batches": true });
    let unit = source.unit().plural();
    let exact = batches
        .batches
        .iter()
        .all(|batch| batch.accepted().is_one());
    let leftover = "what is left over from a batch is thrown away";
    Some(Method {
        memory: Memory::State,
        id: "batches of indices".to_string(),
        mean: batches.words(),
        worst: exact.then_some(batches.batches.len() as u64),
        distance: Rational::zero(),
        gives_up: if exact {
            leftover.to_string()
        } else {
            format!("{leftover}; the {unit} have no bound")
        },
        command: command::<Shuffle>(batched, source),
        how: format!("{}\n{}", filled(&how), lines(code.into_iter())),
    })
}

/// The command line of a question, from this source.
fn command<Q: Described>(mut asked: serde_json::Value, source: &Source) -> String {
    if *source != Source::COIN {
        asked["source"] = source.to_string().into();
    }
    let question = Pairs::from_json_object("", &asked).and_then(Q::of_pairs);
    question
        .expect("the question is well formed")
        .line()
        .to_string()
}
