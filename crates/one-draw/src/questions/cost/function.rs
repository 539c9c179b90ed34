//! What a coin of f(p) costs.

use super::{Cost, Made};
use crate::cost_target::FunctionText;
use crate::cost_target::RULE;
use flipcost::algorithms::CoinFunction;
use flipcost::law::CostFormula;
use flipcost::task::Target;
use flipcost_question::at::heads;
use flipcost_question::counted;
use flipcost_question::prelude::*;
use std::sync::Arc;

impl Cost {
    /// The rows of the rule that makes a coin of f(p): a formula, or at known p.
    pub(super) fn of_function(
        &self,
        function: &FunctionText,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        for (name, given) in [("optimal", self.optimal), ("effort", self.effort.is_some())] {
            if given {
                let what = say!(field(name), " is for a number of sides or weights");
                let right = format!("{function} has one rule, the automaton of Mossel and Peres");
                return Err(QueryError::wrong(name, what).right(right));
            }
        }
        for algorithm in &self.algorithms {
            function.made_by("algorithms", *algorithm)?;
        }
        let source = &self.source.0;
        let rule = function.rule(source)?;
        control.go_on()?;
        if source.is_unknown() && self.at.is_none() {
            return self.formula(&rule, sink);
        }
        let algorithm = rule.clone().algorithm();
        let made = |source: &Sides| {
            Ok(Made {
                target: rule
                    .target(&source.0)
                    .map_err(QueryError::for_field("source"))?,
                // whichever weights they are
                usual: Target::weighted([1u8, 2]).expect("weights"),
                algorithms: vec![&*algorithm],
                asides: Vec::new(),
                words: function.to_string(),
                written: Some(function.to_string()),
            })
        };
        self.at_known(&made, control, sink)
    }

    fn formula(&self, rule: &CoinFunction, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let names = self.names_of_formulas()?;
        let formula = Arc::new(CostFormula::Rational(rule.mean()));
        let row = vec![self.row_of_formula(&names, RULE, &formula)];
        let mut foot = Foot::default();
        let most = if rule.is_bounded() {
            "at most"
        } else {
            "rounds of at most"
        };
        let flips = counted(rule.length() as u64, "flip");
        foot.note(format!("p is the probability of heads; {most} {flips}"));
        sink.write_answer(&self.head_of_formulas(&names), row, foot)
    }

    /// The rows at the sources of `at`, or of the source.
    pub(super) fn at_known<'a>(
        &'a self,
        made: &dyn Fn(&Sides) -> Result<Made<'a>, QueryError>,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let mut foot = Foot::default();
        let Some(at) = &self.at else {
            let made = made(&self.source)?;
            let (columns, rows) = self.known(&made, &self.source, control, &mut foot)?;
            return sink.write_answer(
                &flipcost_question::column::head(&columns, Some(&self.source.0), &self.columns),
                rows,
                foot,
            );
        };
        let mut head = Head::default();
        let mut all = Vec::new();
        for source in at.for_source(&self.source.0)? {
            let made = made(source)?;
            let (columns, mut rows) = self.known(&made, source, control, &mut foot)?;
            for aside in made.asides {
                if !foot.asides.contains(&aside) {
                    foot.asides.push(aside);
                }
            }
            head = flipcost_question::column::head(&columns, Some(&source.0), &self.columns);
            let (name, kind, cell) = match heads(source) {
                Some(p) => ("p", CellKind::Exact, (&p).into()),
                None => ("at", CellKind::Text, Cell::Text(source.to_string())),
            };
            head.columns
                .insert(0, Head::default().column(name, kind).columns.remove(0));
            rows.iter_mut().for_each(|row| row.insert(0, cell.clone()));
            all.append(&mut rows);
        }
        let mut said = Vec::new();
        foot.notes.retain(|note| {
            let new = !said.contains(note);
            said.push(note.clone());
            new
        });
        sink.write_answer(&head, all, foot)
    }
}
