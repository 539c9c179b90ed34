//! The methods that are compared, each with its cost and how it is done.

use super::page::{code, filled, lines, stated, steps};
use super::ranking::{WORD, number_bits};
use super::{Advise, CARD_BY_CARD, MOST_DEALT, Method, Prefer, STOPPED};
use flipcost::algorithms::{Algorithm, Memory, find};
use flipcost::table::Costs;
use flipcost::task::{Source, Target, Task};
use flipcost_dice_set::Dice;
use flipcost_dice_set::MOST;
use flipcost_dice_set::page::WIDTH;
use flipcost_dice_set::questions::Plan;
use flipcost_libraries::questions::WordBias;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_one_draw::questions::{Cost, CostRows};
use flipcost_question::description::Pairs;
use flipcost_question::prelude::*;
use flipcost_question::value::algorithms_for;
use flipcost_streams::questions::Shuffle;
use flipcost_streams::questions::shuffle::sizes;
use flipcost_streams::{WordBatches, best_batches, fisher_yates, greedy_batches, one_by_one};
use num_traits::{One, Signed, Zero};
use serde_json::json;
use std::cmp::Ordering;

impl Advise {
    /// The methods for one source, the recommended one first, then by cost.
    pub(super) fn with_source(
        &self,
        task: &Task,
        control: &Control,
    ) -> Result<Vec<Method>, QueryError> {
        let (mut methods, mut refused) = (Vec::new(), None);
        let cards = self.shuffle.filter(|cards| *cards > 1);
        let batches = cards.map_or(Vec::new(), |cards| in_batches(cards, task.source()));
        let large = cards.filter(|cards| *cards > MOST_DEALT);
        if let Some(cards) = large.filter(|_| !batches.is_empty()) {
            // of words one roll for all orders of a large deck is no advice
            let lemire = find("lemire").map_err(QueryError::input)?;
            let words = one_by_one(task.source(), cards);
            methods.extend(words.map(|words| self.dealt(lemire, cards, task, words, None)));
        } else {
            for algorithm in algorithms_for(&[], task.source(), task.target()) {
                control.go_on()?;
                match Costs::new(algorithm, task) {
                    Ok(costs) => methods.push(self.method(algorithm, &costs, task)),
                    Err(error) => refused = Some(error),
                }
            }
        }
        if let Some(cards) = large.filter(|_| batches.is_empty()) {
            // one roll for all orders of a large deck has numbers of thousands of bits: beside it one die a card
            let roller = find("fast-dice-roller").map_err(QueryError::input)?;
            let costs = fisher_yates(roller, task.source(), &[cards]);
            let cost = costs.ok().and_then(|costs| costs.into_iter().next());
            methods.extend(cost.map(|mean| self.dealt(roller, cards, task, mean, None)));
        }
        if let Some(cards @ 2..=MOST_DEALT) = cards {
            for algorithm in algorithms_for(&[], task.source(), task.target()) {
                control.go_on()?;
                methods.extend(self.card_by_card(algorithm, cards, task));
            }
        }
        methods.extend(batches);
        if let (true, Some(error)) = (methods.is_empty(), refused) {
            return Err(QueryError::for_field("target")(error));
        }
        methods.sort_by(|a, b| a.mean.compare(&b.mean).unwrap_or(Ordering::Equal));
        if self.prefer == Prefer::ConstantTime {
            methods.retain(Method::is_steady);
        }
        let loaded = task.source().weights().is_some();
        match self.recommended(&methods, task) {
            Some(place) => {
                let best = methods.remove(place);
                methods.insert(0, best);
            }
            None if matches!(self.prefer, Prefer::Bounded | Prefer::ConstantTime) => {
                if loaded {
                    return Err(self.never(task));
                }
                methods.insert(0, self.within_distance(task)?);
            }
            None => {}
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
        Some(self.dealt(algorithm, cards, task, mean, worst))
    }

    /// The same with its cost.
    fn dealt(
        &self,
        algorithm: &dyn Algorithm,
        cards: u64,
        task: &Task,
        mean: Real,
        worst: Option<u64>,
    ) -> Method {
        let id = algorithm.about().id;
        let unit = task.source().unit().plural();
        let source = task.source();
        let columns = "n,expected_exact";
        let command = match task.words() {
            Ok(_) => command::<Shuffle>(json!({ "cards": cards, "algorithm": id }), source),
            Err(_) => command::<CostRows>(
                json!({ "target": format!("2..{cards}"), "algorithms": id, "columns": columns }),
                source,
            ),
        };
        let mut gives_up = vec!["what is left over from a card is thrown away".to_string()];
        if worst.is_none() {
            gives_up.push(format!("the {unit} have no bound"));
        }
        Method {
            memory: algorithm.about().memory,
            number_bits: number_bits(id, &Task::new(source.clone(), a_card(cards))),
            id: format!("{id}{CARD_BY_CARD}"),
            mean,
            worst,
            distance: Rational::zero(),
            gives_up: gives_up.join("; "),
            command,
            how: swap_each(cards, task) + steps(algorithm, task).as_str(),
        }
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
            let grow = match task.source().law() {
                Some(_) => ", fractions that grow with every one",
                None => "",
            };
            gives_up.push(format!(
                "two numbers are kept from one roll to the next{grow}"
            ));
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
            number_bits: number_bits(id, task),
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

    /// As many rolls as bring the total variation to at most `within`: always all of them, or with a bound alone
    /// only those that decide.
    fn within_distance(&self, task: &Task) -> Result<Method, QueryError> {
        let most = self.most_distance();
        let unit = task.source().unit().plural();
        let source = task.source().with_article();
        let steady = self.prefer == Prefer::ConstantTime;
        if task.target().sides().is_none() && !steady {
            return Err(QueryError::wrong(
                "prefer",
                say!(
                    "no exact method makes these weights from {source} in a bounded number of {unit}"
                ),
            )
            .right(say!(field("prefer").is("constant-time"), " comes near them")));
        }
        let m = task.words().map_err(QueryError::for_field("source"))?;
        // a deck is dealt from words, each card from as many: each n adds n / (4 m^t) at most
        let is_word = task.source().bits().is_some_and(|bits| bits > 1);
        let dealt = self.shuffle.filter(|_| is_word);
        let (mut rolls, mut all) = (0u64, BigUint::one());
        let distance = loop {
            let distance = match dealt {
                Some(cards) => Rational::new((cards * (cards + 1) / 2).into(), (&all * 4u8).into()),
                None => distance_of_products(task.target(), &all),
            };
            if distance <= most {
                break distance;
            }
            all *= m;
            rolls += 1;
        };
        let exactly = distance.is_zero();
        let gives_up = if exactly {
            format!("nothing but {unit}: the outcomes are exactly fair")
        } else {
            let most = (self.within.as_ref()).map_or("2^-64".to_string(), ToString::to_string);
            format!(
                "exactness: the total variation distance from {} is at most {most}, and more {unit} make it smaller",
                match task.target().sides() {
                    Some(_) => "fair",
                    None => "the weights",
                }
            )
        };
        if !steady {
            let id = match rolls {
                2 => "canon".to_string(),
                rolls => format!("canon:t={rolls}"),
            };
            let known = find(&id).map_err(QueryError::input)?;
            let by_cards = dealt.and_then(|cards| self.card_by_card(known, cards, task));
            if let Some(method) = by_cards {
                let cards = json!({ "cards": self.shuffle, "algorithm": id });
                return Ok(Method {
                    distance,
                    gives_up,
                    command: command::<Shuffle>(cards, task.source()),
                    how: method.how.replace("j = t", &format!("j = {rolls}")),
                    ..method
                });
            }
            let costs = Costs::new(known, task).map_err(QueryError::for_field("source"))?;
            if !is_word
                && let Some(stopped) = self.stopped_roller(task, &most, &gives_up)
                && stopped.mean.compare(costs.mean()) != Ok(Ordering::Greater)
            {
                return Ok(stopped);
            }
            let how = code(known, task).replace("until j = t", &format!("until j = {rolls}"));
            return Ok(Method {
                distance,
                gives_up,
                command: self.costs(&id, task.source()),
                how,
                ..self.method(known, &costs, task)
            });
        }
        let id = match task.target().sides() {
            _ if exactly => "bounded",
            Some(_) => "multiply-shift",
            None => "inversion",
        };
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
            Some(bits @ 1..=128) if id == "multiply-shift" && dealt.is_none() => {
                command::<WordBias>(
                    json!({ "target": self.target_word(), "words": bits }),
                    &Source::COIN,
                )
            }
            _ => String::new(),
        };
        let read = match rolls {
            1 => "x = roll()".to_string(),
            rolls => format!("x = 0; {rolls} times: x = {m} x + roll()"),
        };
        let (number, care) = match task.target().sides() {
            Some(_) => (
                format!("return floor(x n / {m}^{rolls})"),
                "the product with n and the division by a power of m, for all x".to_string(),
            ),
            None => (
                textwrap::fill(
                    &format!(
                        "return how many of these are at most x: {}",
                        thresholds(task.target(), &all)
                    ),
                    WIDTH - 4,
                ),
                "every comparison, all of which are made, for all x".to_string(),
            ),
        };
        let (draws, by_cards, each) = match dealt {
            Some(cards) => (cards - 1, CARD_BY_CARD, swap_each(cards, task)),
            None => (1, "", String::new()),
        };
        let swaps = match dealt {
            Some(_) => "; each swap, which reads and writes all cards up to n",
            None => "",
        };
        let how = format!(
            "{each}{}{}",
            lines(read.lines().chain(number.lines())),
            filled(&format!(
                "\nIn constant time must be: {care}{swaps}; and whatever uses the outcome: no branch and no place in memory may depend on it."
            ))
        );
        Ok(Method {
            memory: Memory::State,
            number_bits: all.bits() + dealt.map_or(task.target().weight_sum().bits(), |_| WORD),
            id: format!("{id}{by_cards}"),
            mean: Real::integer(rolls * draws),
            worst: Some(rolls * draws),
            distance,
            gives_up,
            command,
            how: how + "\n",
        })
    }

    /// The fast dice roller that stops after so many rolls, with the outcome c, that it is as near as wanted: it goes on after
    /// t rolls with probability v / m^t, and c is then uniform below v, its total variation from fair 1 - v / n.
    fn stopped_roller(&self, task: &Task, most: &Rational, gives_up: &str) -> Option<Method> {
        let roller = find("fast-dice-roller").ok()?;
        let (m, n) = (task.words().ok()?, task.target().sides()?);
        let (mut v, mut all, mut rolls) = (BigUint::one(), BigUint::one(), 0);
        let mut mean = Rational::zero();
        let distance = loop {
            let goes_on = Rational::new(v.clone().into(), all.clone().into());
            let distance = &goes_on * Rational::new((n - &v).into(), n.clone().into());
            if distance <= *most {
                break distance;
            }
            mean += goes_on;
            v = v * m % n;
            all *= m;
            rolls += 1;
        };
        let costs = Costs::new(roller, task).ok()?;
        let plain = self.method(roller, &costs, task);
        let times = format!("{rolls} times:");
        let unit = task.source().unit().plural().trim_end_matches('s');
        Some(Method {
            id: format!("{}{STOPPED}{}", plain.id, counted(rolls, unit)),
            mean: Real::Exact(mean),
            worst: Some(rolls),
            distance,
            gives_up: format!("{gives_up}; two numbers are kept from one roll to the next"),
            // no command has a roller that stops
            command: String::new(),
            how: plain.how.replace("repeat:", &times) + lines(["return c"].into_iter()).as_str(),
            ..plain
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
            plan.simple = self.prefer == Prefer::Simple;
            let mut sheet = plan.sheet(control)?;
            if sheet.is_simple && !plan.simple {
                plan.cheapest = true;
                sheet = plan.sheet(control)?;
            }
            let mut gives_up =
                vec!["other forms of rules may be cheaper: they are not compared".to_string()];
            if sheet.worst.is_none() {
                gives_up.insert(0, "the rolls have no bound".to_string());
            }
            methods.push(Method {
                memory: Memory::State,
                number_bits: 0,
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

/// What is done with the outcome r of each die of a shuffle.
fn swap_each(cards: u64, task: &Task) -> String {
    let m = task.source().sides();
    let swap =
        format!("For n = {cards} down to 2 swap card n with card r + 1, r by this with m = {m}:");
    filled(&swap) + "\n"
}

/// A die of as many sides as the deck has cards, the largest that is rolled one by one.
fn a_card(cards: u64) -> Target {
    Target::uniform(cards).expect("a card at least")
}

/// Shuffles with several indices from each word: by the best sizes, and by a rule for any deck; none if the source is no word, or
/// too narrow for one index.
fn in_batches(cards: u64, source: &Source) -> Vec<Method> {
    let m = source.sides();
    let best = source.bits().and_then(|_| best_batches(source, cards));
    let greedy = best.as_ref().and_then(|_| greedy_batches(source, cards));
    let sizes = best.as_ref().map(sizes).unwrap_or_default();
    let of_sizes = format!(
        "For batches of indices, {sizes}: with n cards still to do, b indices in the batch and m = {m}:"
    );
    let any = format!(
        "For any deck: with n cards still to do, m = {m} and b the most indices for which p is at most m / 16, or 1:"
    );
    let best = best.map(|batches| batch_method("batches", batches, &of_sizes, source));
    let greedy = greedy.map(|batches| batch_method("greedy-batches", batches, &any, source));
    best.into_iter().chain(greedy).collect()
}

fn batch_method(id: &str, batches: WordBatches, head: &str, source: &Source) -> Method {
    let code = [
        "p = n (n - 1) ... (n - b + 1)",
        "repeat: x = roll()",
        "until x < m - (m mod p)",
        "b times: swap card n with card (x mod n) + 1, x = floor(x / n), n = n - 1",
    ];
    let batched = json!({ "cards": batches.cards, "batches": true });
    let unit = source.unit().plural();
    let mut each = batches.batches.iter();
    let exact = each.all(|batch| batch.accepted().is_one());
    let leftover = "what is left over from a batch is thrown away";
    Method {
        memory: Memory::State,
        number_bits: source.sides().bits() - 1,
        id: id.to_string(),
        mean: batches.words(),
        worst: exact.then_some(batches.batches.len() as u64),
        distance: Rational::zero(),
        gives_up: if exact {
            leftover.to_string()
        } else {
            format!("{leftover}; the {unit} have no bound")
        },
        command: command::<Shuffle>(batched, source),
        how: format!("{}\n{}", filled(head), lines(code.into_iter())),
    }
}

/// Where the outcomes of weights begin, but for the first: ceil(all (a_1 + ... + a_i) / M); the first ones of many.
fn thresholds(target: &Target, all: &BigUint) -> String {
    const MOST_SHOWN: usize = 16;
    let (sum, mut upto) = (target.weight_sum(), BigUint::zero());
    let weights: Vec<_> = target.weights().into_iter().flatten().collect();
    let begins = weights[..weights.len() - 1].iter().map(|weight| {
        upto += *weight;
        ((&upto * all + sum - 1u8) / sum).to_string()
    });
    let mut shown: Vec<String> = begins.take(MOST_SHOWN).collect();
    if weights.len() > MOST_SHOWN + 1 {
        shown.push("... ceil(m^k (a_1 + ... + a_i) / M)".to_string());
    }
    shown.join(", ")
}

/// The total variation of floor(x n / all) from a fair target, of x below `all`; of weights, with the sums that
/// are at most x M / all.
fn distance_of_products(target: &Target, all: &BigUint) -> Rational {
    let sum = target.weight_sum();
    if let Some(n) = target.sides() {
        let r = all % n;
        return Rational::new((&r * (n - &r)).into(), (n * all).into());
    }
    let (mut upto, mut last) = (BigUint::zero(), BigUint::zero());
    let mut twice = BigInt::zero();
    for weight in target.weights().into_iter().flatten() {
        upto += weight;
        // x counts for this outcome or one before if x M < upto all
        let below = (&upto * all + sum - 1u8) / sum;
        let more = BigInt::from((&below - &last) * sum) - BigInt::from(weight * all);
        twice += more.abs();
        last = below;
    }
    Rational::new(twice, BigInt::from(sum * all) * 2)
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
