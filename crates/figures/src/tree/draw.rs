//! Draws a decision tree as a picture.

use super::node::{RADIUS, TEXT};
use super::{NodeKind, Tree, TreeNode};
use crate::drawing::Drawing;
use crate::error::FigureError;
use crate::glyphs;
use crate::pen::{Ink, Pen, TextStyle};
use crate::style::{self, Dash, Hue};

/// The height of a level, in pixels.
const LEVEL_HEIGHT: f64 = 72.0;
/// The height of a level, in pixels, if a node has more than three children.
const FAN_LEVEL_HEIGHT: f64 = 96.0;

/// The largest width and height of a page, in pixels; a larger tree is drawn smaller.
const PAGE: (f64, f64) = (2000.0, 1400.0);
/// The smallest scale of the letters, as a part of their normal size.
const MIN_LETTER_SCALE: f64 = 0.45;

impl Tree {
    /// Draws the tree. Its width grows with the number of leaves up to 2000 pixels, its height with
    /// the depth up to 1400 pixels. A larger tree is drawn smaller, down to letters of 5 pixels.
    ///
    /// # Errors
    /// [`FigureError::Mismatch`] if the nodes do not form one tree, [`FigureError::Empty`] if there
    /// are no nodes, [`FigureError::Unreadable`] if the letters would have to be smaller.
    pub fn draw(&self) -> Result<Drawing, FigureError> {
        let layout = self.layout()?;
        let mut pen = Pen::default();
        let levels = layout.depth.iter().max().map_or(0, |d| d + 1);
        let spread = layout
            .x
            .iter()
            .zip(&self.nodes)
            .map(|(x, node)| x + node.half_width())
            .fold(0.0, f64::max);
        // The scale at the left counts the rolls.
        let scale =
            glyphs::width(&self.unit, TEXT).max(glyphs::width(&levels.to_string(), TEXT)) + 18.0;
        let least = glyphs::width(&self.title, style::TITLE_SIZE).min(420.0) + 2.0 * style::MARGIN;
        let width = (style::MARGIN + scale + spread + 8.0 + style::MARGIN).max(least);
        let left =
            style::MARGIN + scale + (width - 2.0 * style::MARGIN - scale - 8.0 - spread) / 2.0;
        let gap = if self.is_fan() {
            FAN_LEVEL_HEIGHT
        } else {
            LEVEL_HEIGHT
        };
        let high = gap * levels as f64 + 2.0 * LEVEL_HEIGHT;
        let scale_down = (PAGE.0 / width).min(PAGE.1 / high).min(1.0);
        if scale_down < MIN_LETTER_SCALE {
            let (width, height) = (width * MIN_LETTER_SCALE, high * MIN_LETTER_SCALE);
            return Err(FigureError::Unreadable { width, height });
        }
        let head = pen.title(&self.title, (width * scale_down).max(least));
        if scale_down < 1.0 {
            pen.transform((0.0, head * (1.0 - scale_down)), (scale_down, scale_down));
        }
        let top = head + 22.0 + RADIUS;
        let place = |i: usize| (left + layout.x[i], top + gap * layout.depth[i] as f64);

        let soft = TextStyle::start(TEXT).color(style::SOFT);
        pen.text(&soft, (style::MARGIN, top - 24.0), &self.unit);
        for level in 0..levels {
            let y = top + gap * level as f64;
            let line = Ink::stroke(style::GRID, 1.0);
            pen.line(
                &line,
                &[(style::MARGIN + scale - 8.0, y), (width - style::MARGIN, y)],
            );
            pen.text(&soft, (style::MARGIN, y), &level.to_string());
        }
        self.draw_edges(&mut pen, &place);
        for (i, node) in self.nodes.iter().enumerate() {
            draw_node(&mut pen, node, place(i));
        }
        let last = self
            .nodes
            .iter()
            .enumerate()
            .map(|(i, node)| place(i).1 + node.lines_below().len() as f64 * style::NOTE_SIZE * 1.3)
            .fold(0.0, f64::max);
        if scale_down < 1.0 {
            pen.end();
        }
        let mut bottom = head + (last + RADIUS + 6.0 - head) * scale_down;
        let width = (width * scale_down).max(least);
        for note in &self.notes {
            for line in glyphs::wrap(note, TEXT, width - 2.0 * style::MARGIN) {
                bottom += TEXT * 1.4;
                pen.text(&soft, (style::MARGIN, bottom), &line);
            }
        }
        Ok(pen.finish(width, bottom + style::MARGIN, &self.title))
    }

    fn is_fan(&self) -> bool {
        self.nodes.iter().any(|node| node.edges.len() > 3)
    }

    fn draw_edges(&self, pen: &mut Pen, place: &dyn Fn(usize) -> (f64, f64)) {
        let fan = self.is_fan();
        // Each edge runs from the bottom of its parent to the top of its child, so that it does not
        // touch neighbouring nodes or the texts under them. It is straight, or curved if there are
        // many children.
        let ends = |i: usize, child: usize| {
            let ((x0, y0), (x1, y1)) = (place(i), place(child));
            (
                (x0, y0 + self.nodes[i].half_height()),
                (x1, y1 - self.nodes[child].half_height()),
            )
        };
        let edges = || {
            let all = self.nodes.iter().enumerate();
            all.flat_map(|(i, node)| {
                node.edges
                    .iter()
                    .map(move |(face, child)| (i, face, *child))
            })
        };
        let ink = Ink::stroke(style::AXIS, 1.2);
        for (i, _, child) in edges() {
            let (from, to) = ends(i, child);
            if fan {
                pen.curve(&ink, from, to)
            } else {
                pen.line(&ink, &[from, to])
            }
        }
        for (i, face, child) in edges() {
            let ((x0, y0), (x1, y1)) = ends(i, child);
            // A label on a curve is near the child, where the edges are apart: at 4/5 of the
            // curve's parameter.
            let (across, down) = if fan { (0.896, 0.752) } else { (0.55, 0.55) };
            let set = TextStyle::centred(style::NOTE_SIZE).color(style::SOFT);
            pen.label(&set, (x0 + (x1 - x0) * across, y0 + (y1 - y0) * down), face);
        }
    }
}

/// Draws a node, and the texts below it.
fn draw_node(pen: &mut Pen, node: &TreeNode, (x, y): (f64, f64)) {
    let half = node.half_shape();
    let label = node.text();
    let (ink, letters) = match node.kind {
        NodeKind::Output => (
            Ink::fill(Hue::Green.rgb().mix(style::INK, 0.12)),
            style::WHITE,
        ),
        NodeKind::Open => {
            let ink = Ink::fill(style::WHITE)
                .outlined(style::AXIS, 1.4)
                .dashed(Dash::Dashed);
            (ink, style::SOFT)
        }
        NodeKind::Roll => {
            let blue = Hue::Blue.rgb();
            let tint = if label.is_empty() {
                blue
            } else {
                blue.tint(0.12)
            };
            (Ink::fill(tint).outlined(blue, 1.4), style::INK)
        }
    };
    let radius = node.half_height();
    match node.kind {
        // outcomes and states also differ in shape, not only in colour
        NodeKind::Output => pen.rect(&ink, x - half, y - RADIUS, 2.0 * half, 2.0 * RADIUS),
        _ => pen.pill(&ink, (x, y), radius, half),
    }
    let shown = if label.is_empty() && node.kind == NodeKind::Open {
        "…"
    } else {
        &label
    };
    pen.text(&TextStyle::centred(TEXT).color(letters), (x, y), shown);
    let mut y = y + RADIUS + 4.0;
    for line in node.lines_below() {
        // The text has a white background, in case the edge of a neighbour passes behind it.
        let set = TextStyle::centred(style::NOTE_SIZE).color(style::SOFT);
        pen.label(&set, (x, y + style::NOTE_SIZE * 0.45), &line);
        y += style::NOTE_SIZE * 1.3;
    }
}
