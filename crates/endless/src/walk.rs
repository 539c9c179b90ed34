//! Draws with the optimal tree (Knuth & Yao 1976). The undecided nodes of a level are numbered. A
//! flip turns each of them into two nodes of the next level. The first of these nodes are the
//! leaves, one for each probability that has the digit 1 at this level.

use crate::text::{EndlessText, LawKind};
use flipcost_question::QueryError;
use std::sync::Arc;

/// The levels of the tree, each computed when a draw reaches it.
pub struct Walk<'a> {
    law: &'a EndlessText,
    field: &'static str,
    digits: Arc<crate::law::Digits>,
    /// The outcomes of the leaves of levels 0, 1, ...
    levels: Vec<Vec<i64>>,
}

/// The number of digits that are computed at first.
const FIRST_DIGITS: u64 = 64;

impl<'a> Walk<'a> {
    /// Begins a walk for the law in this field of a question.
    ///
    /// # Errors
    /// A sentence if the law is too wide.
    pub fn new(law: &'a EndlessText, field: &'static str) -> Result<Walk<'a>, QueryError> {
        Ok(Walk {
            law,
            field,
            digits: law.checked(field, FIRST_DIGITS)?,
            levels: Vec::new(),
        })
    }

    /// Returns the outcomes of the leaves of level t.
    ///
    /// # Errors
    /// The errors of [`Walk::new`].
    pub fn leaves(&mut self, t: usize) -> Result<&[i64], QueryError> {
        while self.levels.len() <= t {
            let place = self.levels.len() as u64;
            if let LawKind::Zeta(zeta) = self.law.kind() {
                let leaves = zeta.leaves_at(place);
                self.levels
                    .push(leaves.map_err(|error| self.law.digits_error(self.field, error))?);
                continue;
            }
            if place > self.digits.depth {
                self.digits = self.law.checked(self.field, 2 * self.digits.depth)?;
            }
            let place = self.digits.depth - place;
            let has_leaf = |one: &&crate::law::OutcomeDigits| one.digits.bit(place);
            let leaves = self.digits.outcomes.iter().filter(has_leaf);
            self.levels.push(leaves.map(|one| one.x).collect());
        }
        Ok(&self.levels[t])
    }

    /// Draws an outcome. Returns the outcome and the number of flips, or `None` if the flips ran
    /// out.
    ///
    /// # Errors
    /// The errors of [`Walk::new`].
    pub fn draw(
        &mut self,
        mut flip: impl FnMut() -> Option<bool>,
    ) -> Result<Option<(i64, u64)>, QueryError> {
        let mut node = 0usize;
        for t in 1.. {
            let Some(bit) = flip() else { return Ok(None) };
            node = 2 * node + usize::from(bit);
            let leaves = self.leaves(t)?;
            match leaves.get(node) {
                Some(x) => return Ok(Some((*x, t as u64))),
                None => node -= leaves.len(),
            }
        }
        unreachable!("the loop only ends with a return")
    }
}
