//! The first levels of the optimal tree of a law without an end.

use super::{check_row_count, require_coin};
use crate::text::EndlessText;
use crate::walk::Walk;
use flipcost_number::{BigInt, Rational};
use flipcost_question::prelude::*;
use flipcost_question::{FrontEnd, PictureError};
use num_traits::{One, Zero};

question! {
    /// The first levels of the optimal tree of a law with infinitely many outcomes: a row for every
    /// node, level by level
    pub struct EndlessTree: "show" {
        /// The law.
        target: EndlessText; TARGET,
        /// How the law is shown
        view: EndlessView = EndlessView::Tree; option("VIEW").name("as").printed(),
        /// Cut off the tree after this many flips
        depth: u64 = 6; option("D"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
    }
    purpose: Table
    examples: ["show dgauss:sigma=1 --as tree --depth 5"]
}

/// The largest depth of a tree.
const MAX_DEPTH: u64 = 16;

choices! {
    /// The view that selects this question.
    pub enum EndlessView {
        /// The first levels of the tree.
        Tree = "tree",
    }
}

impl Question for EndlessTree {
    fn summary(&self, answer: &Answer) -> String {
        let leaves = answer.column("outcome").into_iter().flatten();
        let leaves = leaves.filter(|cell| **cell != Cell::Empty).count();
        format!(
            "the optimal tree of {} from a coin has {leaves} leaves among the {} nodes that are shown",
            self.target,
            answer.rows.len()
        )
    }

    fn estimate(&self) -> Estimate {
        Estimate::cells(6 << self.depth.min(MAX_DEPTH), 16)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        require_coin(&self.source)?;
        check_row_count("depth", self.depth, MAX_DEPTH)?;
        let mut walk = Walk::new(&self.target, "target")?;
        let head = Head::new()
            .columns(CellKind::Count, ["node", "parent"])
            .measured("depth", CellKind::Count, "flips")
            .column("face", CellKind::Count)
            .column("kind", CellKind::Text)
            .column("outcome", CellKind::Text)
            .column("probability_exact", CellKind::Exact);
        let mut rows = Chunks::begin(&head, control, sink)?;
        let (mut level, mut id) = (vec![None::<(u64, u64)>], 0u64);
        for t in 0..=self.depth {
            let leaves = walk.leaves(t as usize)?.to_vec();
            let p = Rational::new(BigInt::one(), BigInt::one() << t);
            let mut next = Vec::new();
            for (i, place) in level.iter().enumerate() {
                let outcome = leaves.get(i).map(i64::to_string);
                let kind = match &outcome {
                    Some(_) => "outcome",
                    None if t == self.depth => "undecided",
                    None => "roll",
                };
                if outcome.is_none() {
                    next.extend([Some((id, 1)), Some((id, 2))]);
                }
                rows.push(row![
                    id,
                    place.map(|(parent, _)| parent),
                    t,
                    place.map(|(_, face)| face),
                    kind.to_string(),
                    outcome.map_or(Cell::Empty, Cell::Text),
                    &p
                ])?;
                id += 1;
            }
            level = next;
        }
        let open = Rational::new(BigInt::from(level.len() / 2), BigInt::one() << self.depth);
        let mut foot = Foot::default();
        if !open.is_zero() {
            foot.note(format!(
                "undecided after {}: probability {open}",
                count_with_noun(self.depth, "flip")
            ));
        }
        rows.end(foot)
    }

    fn to_text(&self, answer: &Answer, _: FrontEnd) -> Result<String, PictureError> {
        let rows = answer.cells(["parent", "face", "kind", "outcome", "probability_exact"])?;
        let mut children = vec![Vec::new(); rows.len()];
        for (id, [parent, ..]) in rows.iter().enumerate() {
            let parent: Option<usize> = parent.to_string().parse().ok();
            if let Some(all) = parent.and_then(|parent| children.get_mut(parent)) {
                all.push(id);
            }
        }
        let mut text = String::new();
        let mut open = vec![(0, String::new(), String::new())];
        while let Some((id, before, below)) = open.pop() {
            let Some([_, face, kind, outcome, p]) = rows.get(id) else {
                break;
            };
            let face = match face.to_string().as_str() {
                "1" => "H ",
                "2" => "T ",
                _ => "",
            };
            let said = match kind.to_string().as_str() {
                "outcome" => format!("= {outcome}  ({p})"),
                "undecided" => format!("...  ({p})"),
                _ => "roll".to_string(),
            };
            text += &format!("{before}{face}{said}\n");
            let last = children[id].len().saturating_sub(1);
            for (i, child) in children[id].iter().enumerate().rev() {
                let (branch, rest) = if i == last {
                    ("└─ ", "   ")
                } else {
                    ("├─ ", "│  ")
                };
                open.push((*child, format!("{below}{branch}"), format!("{below}{rest}")));
            }
        }
        Ok(text)
    }
}
