//! The best rule for several dice, or bounds from a search.

use super::{Plan, double_cell, fraction_and_decimals};
use crate::optimal::LookUp;
use crate::page::WIDTH;
use crate::sheet::RecipeSheet;
use crate::{Die, EFFORT, MAX_PLANNED_SIDES, Optimal, optimal};
use flipcost_number::short::short;
use flipcost_number::{BigUint, Decimal, Real};
use flipcost_question::count_with_noun;
use flipcost_question::prelude::*;
use num_traits::One;
use std::num::NonZeroU64;

impl Plan {
    /// The maximum number of steps of the search.
    pub(super) fn steps(&self) -> u64 {
        self.effort.map_or(EFFORT, NonZeroU64::get)
    }

    /// Writes the row of the best rule, and its page.
    pub(super) fn write_best_rule(
        &self,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let (dice, found) = self.search_best_rule(control)?;
        let sides: Vec<String> = dice.iter().map(|die| self.die_cell(die)).collect();
        let unit = self.cost_unit(&dice);
        let row = row![
            self.target.cell(),
            sides.join(","),
            &found.expected,
            double_cell(&Real::Exact(found.expected.clone()))?,
            &found.lower,
            if found.proved { "yes" } else { "no" }.to_string()
        ];
        let head = Head::new()
            .column("target", self.target.kind())
            .column("dice", CellKind::Text)
            .measured("expected_exact", CellKind::Exact, unit)
            .measured("expected", CellKind::Decimal, unit)
            .measured("lower_exact", CellKind::Exact, unit)
            .column("proved", CellKind::Text);
        let mut foot = Foot::default();
        if !found.proved {
            foot.note(self.gap_sentence(&found));
        }
        foot.text = Some(self.best_rule_sheet(&dice, &found)?.to_text(WIDTH));
        sink.write_answer(&head, vec![row], foot)
    }

    /// Returns the page of the best rule.
    pub(super) fn best_sheet(&self, control: &Control) -> Result<RecipeSheet, QueryError> {
        let (dice, found) = self.search_best_rule(control)?;
        self.best_rule_sheet(&dice, &found)
    }

    fn search_best_rule(&self, control: &Control) -> Result<(Vec<Die>, Optimal), QueryError> {
        if self.no_split {
            let (no_split, optimal) = (field("no_split").is(true), field("optimal").is(true));
            let what = say!(
                no_split,
                " restricts the form of rules, and ",
                optimal,
                " compares all forms"
            );
            return Err(QueryError::wrong("no_split", what).right("leave one of them out"));
        }
        let dice = self.priced()?;
        let steps = self.steps();
        let mut go_on = |done: u64| {
            control.progress(done, steps);
            control.go_on().is_ok()
        };
        let target = self.target.checked()?;
        if let Some(n) = target
            .sides()
            .filter(|n| **n > BigUint::from(MAX_PLANNED_SIDES))
        {
            let n = short(n);
            let what = say!("a d{n} is too large to plan");
            return Err(QueryError::wrong("target", what)
                .right(say!("n must be at most {MAX_PLANNED_SIDES}")));
        }
        let found =
            optimal(target, &dice, steps, &mut go_on).map_err(QueryError::for_field("dice"))?;
        control.go_on()?;
        Ok((dice, found))
    }

    fn gap_sentence(&self, found: &Optimal) -> Sentence {
        let steps = count_with_noun(found.steps, "step");
        say!(
            "the search ended after {steps} without a proof: the optimum is at least lower_exact; ",
            field("effort"),
            " takes more steps"
        )
    }

    fn best_rule_sheet(&self, dice: &[Die], found: &Optimal) -> Result<RecipeSheet, QueryError> {
        let unit = match self.cost_unit(dice) {
            "" => "expected cost".to_string(),
            unit => format!("expected {unit}"),
        };
        let mut facts = vec![(unit, fraction_and_decimals(&found.expected)?)];
        facts.push(if found.proved {
            (
                "proved".to_string(),
                "no rule of any form costs less".to_string(),
            )
        } else {
            ("not proved".to_string(), {
                let lower = Decimal::down(&found.lower, 12);
                format!("no rule of any form costs less than {lower}")
            })
        });
        if dice.iter().any(|die| !die.price.is_one()) {
            let price = |die: &Die| format!("{} {}", self.name(die), die.price);
            let prices: Vec<String> = dice.iter().map(price).collect();
            facts.push(("prices".to_string(), prices.join(", ")));
        }
        let label = |outcome: u64| self.target.label(&BigUint::from(outcome));
        let name = |die: &Die| self.name(die);
        let outcomes = self.target.target().outcomes();
        let outcomes = u64::try_from(outcomes).unwrap_or(u64::MAX);
        // The page is shown only if it describes the rule that was proved.
        let page = found.rule.as_ref().and_then(|rule| {
            let page = rule.page(&name, &label)?;
            let read = LookUp::read(&page, outcomes, dice, &name, &label);
            (read.as_ref() == Some(rule)).then_some(page)
        });
        let names: Vec<String> = dice.iter().map(name).collect();
        let (mut intro, steps) = match page {
            Some(page) => (page.intro, page.blocks),
            None => {
                let cells = match &found.rule {
                    Some(rule) => format!("its tables have {} cells", rule.cells()),
                    None => "its tables have more than 20000 cells".to_string(),
                };
                let text = format!("The rule does not fit a page: {cells}.");
                (vec![text], Vec::new())
            }
        };
        intro.extend(self.readings(dice));
        Ok(RecipeSheet {
            title: match (self.target.sides(), self.target.formula()) {
                (Some(n), _) => format!(
                    "The best rule of all for a d{n} with these dice: {}",
                    names.join(", ")
                ),
                (None, Some(formula)) => format!(
                    "The best rule of all for {formula} with these dice: {}",
                    names.join(", ")
                ),
                (None, None) => format!(
                    "The best rule of all for the weights {:#} with these dice: {}",
                    self.target.target(),
                    names.join(", ")
                ),
            },
            facts,
            intro,
            pairs: vec![None; steps.len()],
            steps,
            notes: Vec::new(),
            is_proved: found.proved,
            is_simple: false,
            cost: found.expected.clone(),
            worst: found.rule.as_ref().and_then(LookUp::worst_case),
        })
    }
}
