//! Advice for a source whose probabilities are unknown.

use super::page::{capitalize, format_value, render_hand_instructions};
use super::{Advise, Method, Prefer};
use flipcost::algorithms::{Memory, find};
use flipcost::law::CostFormula;
use flipcost::table::Costs;
use flipcost::task::{Source, Task};
use flipcost_dice_set::page::WIDTH;
use flipcost_one_draw::questions::cost::FORMULA_LIMIT;
use flipcost_question::prelude::*;
use flipcost_question::value::algorithms_for;
use std::cmp::Ordering;
use std::fmt::Write;
use std::sync::Arc;

impl Advise {
    /// Writes the rules that are fair whatever the probabilities are, sorted by their costs from a
    /// fair source.
    pub(super) fn answer_unknown_source(
        &self,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let (target, called) = self.target_and_title()?;
        let source = &self.source.0;
        let unit = source.unit().plural();
        if matches!(self.prefer, Prefer::Bounded | Prefer::ConstantTime) {
            // If the probability of a face tends to 1, the probability of the leaf that is reached
            // by this face alone also tends to 1.
            let what = format!(
                "no rule is fair after a bounded number of {unit} of {}",
                source.with_article()
            );
            let right = say!("choose another ", field("prefer"));
            return Err(QueryError::wrong("prefer", what).right(right));
        }
        let task = Task::new(target.clone(), source.clone());
        let equal = Source::die(source.sides()).map_err(QueryError::for_field("source"))?;
        let equal = Task::new(target.clone(), equal);
        let mut methods: Vec<(Method, Arc<CostFormula>)> = Vec::new();
        for algorithm in algorithms_for(&[], source, &target) {
            control.go_on()?;
            let found = algorithm.formula(&task, FORMULA_LIMIT).ok();
            if let Some((formula, costs)) = found.zip(Costs::new(algorithm, &equal).ok()) {
                let method = Method {
                    gives_up: format!("the number of {unit} is unbounded"),
                    ..self.method_of_algorithm(algorithm, &costs, &task)
                };
                methods.push((method, formula.into()));
            }
        }
        methods.sort_by(|(a, _), (b, _)| a.mean.compare(&b.mean).unwrap_or(Ordering::Equal));
        let effort = |(_, (method, _)): &(usize, &(Method, _))| match method.memory {
            Memory::OneAttempt { effort } => effort,
            _ => u8::MAX,
        };
        let place = match self.prefer {
            Prefer::Simple => methods.iter().enumerate().min_by_key(effort),
            Prefer::NoMemory => methods.iter().enumerate().find(|of| effort(of) < u8::MAX),
            _ => methods.iter().enumerate().next(),
        };
        let Some((place, _)) = place else {
            let what = format!("no rule makes {called} from {}", source.with_article());
            let right = "a number of equally likely outcomes such as 2 was expected";
            return Err(QueryError::wrong("target", what).right(right));
        };
        methods[..=place].rotate_right(1);
        let head = Head::new()
            .column("method", CellKind::Text)
            .measured("expected_exact", CellKind::Formula, unit)
            .measured("worst_case", CellKind::Count, unit)
            .columns(CellKind::Text, ["gives_up", "command"]);
        let row = |(method, formula): &(Method, Arc<CostFormula>)| {
            row![
                method.id.clone(),
                Cell::Formula(formula.clone()),
                Cell::Infinite,
                method.gives_up.clone(),
                method.command.clone()
            ]
        };
        let rows = methods.iter().map(row).collect();
        let mut foot = Foot::text(self.render_unknown_page(&called, unit, &methods)?);
        foot.note(match self.source.get() {
            2 => "p is the probability of heads; which rule costs the least may depend on p".to_string(),
            m => format!("p1, ..., p{m} are the probabilities of the faces; which rule costs the least may depend on them"),
        });
        sink.write_answer(&head, rows, foot)
    }

    fn render_unknown_page(
        &self,
        called: &str,
        unit: &str,
        methods: &[(Method, Arc<CostFormula>)],
    ) -> Result<String, QueryError> {
        let Some(((best, formula), others)) = methods.split_first() else {
            return Ok(String::new());
        };
        let source = self.source.0.with_article();
        let options = textwrap::Options::new(WIDTH).subsequent_indent("            ");
        let expected = textwrap::fill(&format!("expected    {formula} {unit}"), options);
        let mut text = format!(
            "{} from {source}: {}\n\n{expected}\n            {}\n",
            capitalize(called),
            best.id,
            best.command
        );
        let mean = format_value(&best.mean)?;
        write!(
            text,
            "if fair     {mean} {unit}\nworst case  no bound\n\n{}",
            best.how
        )
        .expect("memory takes every byte");
        let task = Task::new(self.target_and_title()?.0, self.source.0.clone());
        let easy = |(method, _): &&(Method, Arc<CostFormula>)| {
            let known = find(&method.id).ok();
            known.is_some_and(|algorithm| render_hand_instructions(algorithm, &task).is_some())
        };
        let easiest = methods
            .iter()
            .filter(easy)
            .min_by_key(|(method, _)| method.how.len());
        if let Some((easy, _)) = easiest.filter(|(easy, _)| easy.id != best.id) {
            let (id, how) = (&easy.id, easy.how.trim_end());
            write!(text, "\nThe simplest rule, {id}:\n{how}\n").expect("memory takes every byte");
        }
        if !others.is_empty() {
            text += "\nOthers, with their costs if the source is fair:\n";
        }
        for (other, _) in others {
            let (id, mean, command) = (&other.id, format_value(&other.mean)?, &other.command);
            writeln!(text, "  {id:40} {mean:>12} {unit}\n      {command}")
                .expect("memory takes every byte");
        }
        Ok(text)
    }
}
