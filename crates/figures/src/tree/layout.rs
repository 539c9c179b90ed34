//! Computes the positions of the nodes of a tree.

use super::Tree;
use crate::error::FigureError;

/// The largest depth of a tree that can be drawn.
const DEPTH_LIMIT: usize = 1000;
/// The smallest space between the nodes of a level, in pixels.
const GAP: f64 = 7.0;

/// The positions of the nodes: x in pixels from an arbitrary origin, y in levels.
pub(super) struct Layout {
    pub x: Vec<f64>,
    pub depth: Vec<usize>,
}

impl Tree {
    /// Returns every node with its depth, parents before their children.
    fn order(&self) -> Result<Vec<(usize, usize)>, FigureError> {
        let wrong = |text: String| Err(FigureError::Mismatch(text));
        if self.nodes.is_empty() {
            return Err(FigureError::Empty(format!(
                "the tree {:?} has no nodes",
                self.title
            )));
        }
        let mut seen = vec![false; self.nodes.len()];
        seen[0] = true;
        let mut order = vec![(0, 0)];
        let mut next = 0;
        while let Some(&(node, depth)) = order.get(next) {
            next += 1;
            for (_, child) in &self.nodes[node].edges {
                match seen.get(*child) {
                    None => {
                        return wrong(format!(
                            "node {node} leads to node {child}, which is not there"
                        ));
                    }
                    Some(true) => {
                        return wrong(format!("two edges lead to node {child}: not a tree"));
                    }
                    Some(false) if depth >= DEPTH_LIMIT => {
                        return wrong(format!("the tree is deeper than {DEPTH_LIMIT}"));
                    }
                    Some(false) => {
                        seen[*child] = true;
                        order.push((*child, depth + 1));
                    }
                }
            }
        }
        match seen.iter().position(|s| !s) {
            Some(lost) => wrong(format!("no edge leads to node {lost}")),
            None => Ok(order),
        }
    }

    pub(super) fn layout(&self) -> Result<Layout, FigureError> {
        let order = self.order()?;
        let count = self.nodes.len();
        // The outline of each subtree: how far left and right of the root it reaches, for every
        // level below the root. Children are merged from left to right.
        let mut outline: Vec<Vec<(f64, f64)>> = vec![Vec::new(); count];
        let mut offset = vec![0.0; count];
        for &(node, _) in order.iter().rev() {
            let mut merged: Vec<(f64, f64)> = Vec::new();
            let mut places = Vec::new();
            for (_, child) in &self.nodes[node].edges {
                let below = std::mem::take(&mut outline[*child]);
                let shift = merged
                    .iter()
                    .zip(&below)
                    .map(|((_, right), (left, _))| right + GAP - left)
                    .fold(f64::NEG_INFINITY, f64::max);
                let shift = if merged.is_empty() { 0.0 } else { shift };
                for (level, (left, right)) in below.iter().enumerate() {
                    match merged.get_mut(level) {
                        Some(edge) => edge.1 = right + shift,
                        None => merged.push((left + shift, right + shift)),
                    }
                }
                places.push((*child, shift));
            }
            let middle = match (places.first(), places.last()) {
                (Some(a), Some(b)) => (a.1 + b.1) / 2.0,
                _ => 0.0,
            };
            for (child, shift) in places {
                offset[child] = shift - middle;
            }
            let half = self.nodes[node].half_width();
            let mut whole = vec![(-half, half)];
            whole.extend(merged.iter().map(|(l, r)| (l - middle, r - middle)));
            // The text under a leaf also needs room, since the edges of a neighbouring node pass
            // next to it.
            if merged.is_empty() && !self.nodes[node].lines_below().is_empty() {
                whole.push((0.0, 0.0));
            }
            outline[node] = whole;
        }
        let (mut x, mut depth) = (vec![0.0; count], vec![0; count]);
        for &(node, level) in &order {
            depth[node] = level;
            for (_, child) in &self.nodes[node].edges {
                x[*child] = x[node] + offset[*child];
            }
        }
        let left = outline[0].iter().map(|o| o.0).fold(0.0, f64::min);
        for place in &mut x {
            *place -= left;
        }
        Ok(Layout { x, depth })
    }

    /// Returns the left edge, the right edge and the level of every node; the tests check that
    /// nodes do not overlap.
    #[cfg(test)]
    pub(crate) fn boxes(&self) -> Result<Vec<(f64, f64, usize)>, FigureError> {
        let layout = self.layout()?;
        let half = |i: usize| self.nodes[i].half_width();
        let sides = |i: usize| {
            (
                layout.x[i] - half(i),
                layout.x[i] + half(i),
                layout.depth[i],
            )
        };
        Ok((0..self.nodes.len()).map(sides).collect())
    }
}
