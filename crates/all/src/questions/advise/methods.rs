//! The methods that the advice compares, each with its cost and its steps.

use super::page::{fold_sentence, format_value, indent_lines, render_pseudocode};
use super::ranking::largest_number_bits;
use super::{Advise, MAX_CARD_BY_CARD, Method, Prefer, SEARCH_STEPS, command_line, die_from};
use flipcost::algorithms::factoring::recipe_with_remainders;
use flipcost::algorithms::{Algorithm, Memory, find};
use flipcost::table::Costs;
use flipcost::task::{RollUnit, Source, Target, Task};
use flipcost_dice_set::Dice;
use flipcost_dice_set::MAX_PLANNED_SIDES;
use flipcost_dice_set::page::WIDTH;
use flipcost_dice_set::questions::Plan;
use flipcost_number::{BigUint, Rational, Real};
use flipcost_one_draw::questions::Cost;
use flipcost_question::prelude::*;
use flipcost_question::value::algorithms_for;
use num_traits::{One, ToPrimitive, Zero};
use serde_json::json;
use std::cmp::Ordering;
use std::num::NonZeroU64;

impl Advise {
    /// Returns the methods for one source: the recommended method first, then the others by cost.
    pub(super) fn methods_for_source(
        &self,
        task: &Task,
        control: &Control,
    ) -> Result<Vec<Method>, QueryError> {
        let (mut methods, mut refused) = (Vec::new(), None);
        let cards = self.shuffle.filter(|cards| *cards > 1);
        // with words, a single roll that chooses among all orders of a large deck is not practical
        // advice
        let large = cards.is_some_and(|cards| cards > MAX_CARD_BY_CARD);
        if !(large && task.source().bits().is_some_and(|bits| bits > 1)) {
            for algorithm in algorithms_for(&[], task.source(), task.target()) {
                control.go_on()?;
                match Costs::new(algorithm, task) {
                    Ok(costs) => methods.push(self.method_of_algorithm(algorithm, &costs, task)),
                    Err(error) => refused = Some(error),
                }
            }
        }
        if let Some(cards) = cards {
            methods.extend(self.shuffle_methods(cards, task, control)?);
        } else {
            methods.extend(self.lemire_by_weight_sum(task));
            methods.extend(self.loaded_optimum(task, control));
        }
        if let (true, Some(error)) = (methods.is_empty(), refused) {
            return Err(QueryError::for_field("target")(error));
        }
        methods.sort_by(|a, b| a.mean.compare(&b.mean).unwrap_or(Ordering::Equal));
        if self.prefer == Prefer::ConstantTime {
            methods.retain(Method::has_fixed_rolls);
        }
        let loaded = task.source().weights().is_some();
        match self.recommend_method(&methods, task) {
            Some(place) => {
                let best = methods.remove(place);
                methods.insert(0, best);
            }
            None if matches!(self.prefer, Prefer::Bounded | Prefer::ConstantTime) => {
                if loaded {
                    return Err(self.no_rule_error(task));
                }
                methods.insert(0, self.method_within_distance(task)?);
            }
            None => {}
        }
        Ok(methods)
    }

    /// Returns the error if this loaded source has no rule that satisfies the preference.
    pub(super) fn no_rule_error(&self, task: &Task) -> QueryError {
        let (source, unit) = (task.source().with_article(), task.source().unit().plural());
        let what = match self.prefer {
            Prefer::ConstantTime => format!(
                "no rule in constant time is known for {source}: what the known rules do with the {unit} depends on earlier results"
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

    /// Explains how often the source is rolled and how the result becomes bits. Returns an empty
    /// text if no bits were requested.
    fn explain_bits(&self, costs: &Costs, task: &Task) -> String {
        let Some(bits) = self.bits else {
            return String::new();
        };
        let unit = task.source().unit();
        let verb = match unit {
            RollUnit::Flips => "Flip",
            RollUnit::Words => "Draw",
            _ => "Roll",
        };
        let source = format!("{verb} {}", task.source().with_article());
        let mean = format_value(costs.mean()).unwrap_or_default();
        let most = costs.law().max().map(|most| format!(", {most} at most"));
        let how = format!(
            "{source} again and again until the steps below return a result: {mean} {} on average{}. It is a number below 2^{bits}: written in binary, with zeros in front, its {bits} digits are the bits.",
            unit.plural(),
            most.unwrap_or_default()
        );
        fold_sentence(&how) + "\n\n"
    }

    pub(super) fn method_of_algorithm(
        &self,
        algorithm: &dyn Algorithm,
        costs: &Costs,
        task: &Task,
    ) -> Method {
        let id = algorithm.about().id;
        let unit = task.source().unit().plural();
        let mut gives_up = Vec::new();
        let worst = costs.law().max();
        if worst.is_none() {
            gives_up.push(format!("the number of {unit} is unbounded"));
        }
        if algorithm.about().memory == Memory::TwoNumbers {
            let grow = match task.source().law() {
                Some(_) => ", as fractions that grow with every roll",
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
            let toll = if is_small {
                format_value(&toll)
            } else {
                Ok(places)
            };
            let toll = toll.unwrap_or_default();
            gives_up.push(format!("{toll} {unit} above the entropy"));
        }
        let line = self.cost_command(id, &self.target_word(), task.source());
        // if the requested number of bits is a multiple of the word size, whole words are joined
        let words = self.bits.zip(task.source().bits().filter(|bits| *bits > 1));
        let words = words.filter(|(bits, word)| bits.is_multiple_of(u64::from(*word)));
        let how = match words.map(|(bits, word)| bits / u64::from(word)) {
            Some(words) if costs.mean().exact() == Some(&Rational::from_integer(words.into())) => {
                let join = format!(
                    "x = 0; {words} times: x = 2^{} x + roll()",
                    task.source().bits().unwrap_or(0)
                );
                indent_lines([join.as_str(), "return x"].into_iter())
            }
            _ => self.explain_bits(costs, task) + render_pseudocode(algorithm, task).as_str(),
        };
        Method {
            memory: algorithm.about().memory,
            number_bits: largest_number_bits(id, task),
            id: id.to_string(),
            mean: costs.mean().clone(),
            worst,
            distance: Some(Rational::zero()),
            words_joined: 1,
            gives_up: gives_up.join("; "),
            command: line,
            how,
        }
    }

    /// Returns a method for weights from words: Lemire's method for a die whose number of sides is
    /// the sum of the weights.
    fn lemire_by_weight_sum(&self, task: &Task) -> Option<Method> {
        let (sum, source) = (task.target().weight_sum(), task.source());
        let is_word = source.bits().is_some_and(|bits| bits > 1);
        let is_word = is_word && !sum.is_one() && *sum < source.sides();
        task.target().weights().filter(|_| is_word)?;
        let (die, lemire) = (die_from(source, sum).ok()?, find("lemire").ok()?);
        let method = self.method_of_algorithm(lemire, &Costs::new(lemire, &die).ok()?, &die);
        let gives_up = match method.worst {
            Some(_) => String::new(),
            None => format!("the number of {} is unbounded", source.unit().plural()),
        };
        let command = self.cost_command("lemire", &sum.to_string(), source);
        let method = Method {
            command,
            gives_up,
            ..method
        };
        Some(method.for_weights(task.target(), self.target.as_ref()))
    }

    /// Returns the command that prints the cost of an algorithm.
    pub(super) fn cost_command(&self, id: &str, target: &str, source: &Source) -> String {
        let cost = json!({ "target": target, "algorithms": id });
        command_line::<Cost>(cost, source)
    }

    /// Returns the methods for several dice: first the recipe of a plan, or the best rule if a
    /// short search proves it; then each die alone.
    pub(super) fn methods_for_dice(
        &self,
        dice: &Dice,
        target: &Target,
        control: &Control,
    ) -> Result<(&'static str, Vec<Method>, Real), QueryError> {
        if !matches!(self.prefer, Prefer::Rolls | Prefer::Simple) {
            let what = say!(
                field("prefer").is(self.prefer.to_string()),
                " works with one source only"
            );
            return Err(
                QueryError::wrong("prefer", what).right(say!("give one die in ", field("dice")))
            );
        }
        let word: TargetText = self
            .target_word()
            .parse()
            .map_err(QueryError::for_field("target"))?;
        let mut plan = Plan::new(word, dice.clone());
        // for a large target only single dice are compared
        let large = *target.weight_sum() > BigUint::from(MAX_PLANNED_SIDES);
        let mut methods = Vec::new();
        if !large {
            methods.push(self.planned_method(&mut plan, dice, target, control)?);
        }
        let bound = flipcost_dice_set::entropy_bound(target, &plan.priced()?);
        let planned = methods.len();
        for &sides in dice.get() {
            let source = Source::die(sides).map_err(QueryError::for_field("dice"))?;
            let task = Task::new(target.clone(), source);
            let id = match target.sides() {
                Some(_) => "fast-dice-roller",
                None => "knuth-yao",
            };
            let algorithm = find(id).map_err(QueryError::input)?;
            let costs = Costs::new(algorithm, &task).map_err(QueryError::for_field("dice"))?;
            let mut method = self.method_of_algorithm(algorithm, &costs, &task);
            method.id = format!("{id}, d{sides} alone");
            if large {
                method.gives_up = format!(
                    "{}; recipes for several dice are computed for up to {MAX_PLANNED_SIDES} outcomes only, and a mix of dice may be cheaper",
                    method.gives_up
                );
            }
            methods.push(method);
        }
        methods[planned..].sort_by(|a, b| a.mean.compare(&b.mean).unwrap_or(Ordering::Equal));
        // the recipe for weights uses a die whose number of sides is their sum, so one of the given
        // dice alone may be cheaper
        let cheaper = planned == 1
            && methods.len() > 1
            && methods[1].mean.compare(&methods[0].mean) == Ok(Ordering::Less);
        if cheaper && self.prefer == Prefer::Rolls {
            methods.swap(0, 1);
        }
        Ok(("rolls", methods, bound))
    }

    /// Returns the recipe of a plan, or the best rule if a short search proves it.
    fn planned_method(
        &self,
        plan: &mut Plan,
        dice: &Dice,
        target: &Target,
        control: &Control,
    ) -> Result<Method, QueryError> {
        let simple = self.prefer == Prefer::Simple;
        let mut sheet = if simple {
            plan.simple_sheet()?
        } else {
            plan.sheet(control)?
        };
        if sheet.is_simple && !simple {
            plan.cheapest = true;
            sheet = plan.sheet(control)?;
        }
        let cheaper = if simple && sheet.is_simple {
            "the cheapest recipe takes fewer rolls"
        } else {
            "other forms of rules may be cheaper: they are not compared"
        };
        let mut gives_up = vec![cheaper.to_string()];
        if sheet.worst.is_none() {
            gives_up.insert(0, "the number of rolls is unbounded".to_string());
        }
        let best = Plan {
            optimal: true,
            effort: NonZeroU64::new(SEARCH_STEPS),
            ..plan.clone()
        };
        if self.prefer == Prefer::Rolls
            && let Ok(best) = best.sheet(control)
            && best.is_proved
            && !best.steps.is_empty()
            && Real::Exact(best.cost.clone()).compare(Real::Exact(
                &sheet.cost / (Rational::one() + self.cost_tolerance()),
            )) == Ok(Ordering::Less)
        {
            (plan.optimal, plan.cheapest, sheet) = (true, false, best);
            gives_up = vec![format!(
                "{} to follow",
                count_with_noun(sheet.steps.len() as u64, "table")
            )];
            if sheet.worst.is_none() {
                gives_up.push("the number of rolls is unbounded".to_string());
            }
        }
        // the simple recipe is the one by factoring, or the one that never splits off a remainder
        let sum = target
            .weight_sum()
            .to_u64()
            .filter(|_| simple && sheet.is_simple);
        let factored = sum.and_then(|sum| recipe_with_remainders(dice.get(), sum).ok());
        let suffix = match factored {
            Some(recipe) if recipe.cost == sheet.cost => " --factoring",
            Some(_) => " --no-split",
            None => "",
        };
        let command = format!("{}{suffix}", plan.line());
        Ok(Method {
            memory: Memory::State,
            number_bits: 0,
            id: "plan".to_string(),
            mean: Real::Exact(sheet.cost.clone()),
            worst: sheet.worst,
            distance: Some(Rational::zero()),
            words_joined: 1,
            gives_up: gives_up.join("; "),
            command,
            how: sheet.to_text(WIDTH),
        })
    }
}
