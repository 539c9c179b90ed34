//! Texts beside points, where they cover neither each other nor a point, nor a line if that can be.

use super::glyphs;
use super::marks::Styled;
use super::pen::{Anchor, Ink, Pen, Type};
use super::plot::PlotArea;
use super::style;

/// Between two lines of text, and the room around a point.
const ROW: f64 = 13.0;
const POINT: f64 = 5.0;
/// Rows above or below the point that are tried.
const ROWS: i32 = 24;

/// A rectangle: left, top, width, height.
type Room = (f64, f64, f64, f64);

fn meet(a: Room, b: Room) -> bool {
    a.0 < b.0 + b.2 && b.0 < a.0 + a.2 && a.1 < b.1 + b.3 && b.1 < a.1 + a.3
}

/// A place for a text: the room that it takes, and where it is set.
struct LabelPosition {
    room: Room,
    at: (f64, f64),
    set: Type,
    /// Is it away from the point, so that a line leads to it?
    away: bool,
}

/// The places for a text of this width beside a point, the nearest first: upright above a point at
/// the foot of the plot, else to its right or left.
fn places((x, y): (f64, f64), width: f64, foot: bool) -> Vec<LabelPosition> {
    let set = Type::start(style::NOTE_SIZE).color(style::INK);
    let gap = POINT + 3.0;
    let mut places = Vec::new();
    for row in 0..=ROWS {
        let off = f64::from(row) * ROW;
        for off in if row == 0 { vec![0.0] } else { vec![-off, off] } {
            if foot {
                let (x, y) = (x + off, y - gap - off.abs().min(2.0 * ROW) / 2.0);
                places.push(LabelPosition {
                    room: (x - ROW / 2.0, y - width, ROW, width),
                    at: (x, y),
                    set: Type {
                        angle: -90.0,
                        ..set
                    },
                    away: row > 0,
                });
                continue;
            }
            let y = y + off;
            let right = (x + gap, Anchor::Start, x + gap);
            let left = (x - gap, Anchor::End, x - gap - width);
            for (x, anchor, from) in [right, left] {
                places.push(LabelPosition {
                    room: (from, y - ROW / 2.0, width, ROW),
                    at: (x, y),
                    set: Type { anchor, ..set },
                    away: row > 0,
                });
            }
        }
    }
    places
}

/// Draws the texts of all series.
pub(super) fn draw(plot: &PlotArea, all: &[Styled], pen: &mut Pen) {
    let mut points = Vec::new();
    for (i, styled) in all.iter().enumerate() {
        for (point, text) in styled.series.points.iter().zip(&styled.series.labels) {
            let shown = plot.point(*point).filter(|point| plot.holds(*point));
            if let Some(point) = shown {
                points.push((plot.place(point), text, i));
            }
        }
    }
    // Those at the foot have the least choice: they are first, from left to right; then downwards.
    let at_foot = |y: f64| y > plot.bottom - 1.0;
    points.sort_by(|((x, y), ..), ((u, v), ..)| {
        let order = at_foot(*v).cmp(&at_foot(*y));
        if at_foot(*y) && at_foot(*v) {
            x.total_cmp(u)
        } else {
            order.then(y.total_cmp(v)).then(x.total_cmp(u))
        }
    });
    let around =
        |&((x, y), ..): &((f64, f64), _, _)| (x - POINT, y - POINT, 2.0 * POINT, 2.0 * POINT);
    let mut taken: Vec<Room> = points.iter().map(around).collect();
    for ((x, y), text, i) in points {
        let width = glyphs::width(text, style::NOTE_SIZE);
        let foot = at_foot(y);
        let inside = |&(left, top, w, h): &Room| {
            left >= plot.left && left + w <= plot.right && top >= plot.top && top + h <= plot.bottom
        };
        let free = |place: &LabelPosition| {
            inside(&place.room) && !taken.iter().any(|room| meet(*room, place.room))
        };
        let crossed = |place: &LabelPosition| {
            let others = all.iter().enumerate().filter(|(j, _)| *j != i);
            others
                .into_iter()
                .any(|(_, other)| other.touches(plot, place.room))
        };
        let tried = places((x, y), width, foot);
        let best = tried
            .iter()
            .position(|place| free(place) && !crossed(place));
        let best = best.or_else(|| tried.iter().position(free)).unwrap_or(0);
        let place = &tried[best];
        if place.away {
            let ink = Ink::stroke(style::INK.tint(0.4), 0.8);
            pen.line(&ink, &[(x, y), place.at]);
        }
        pen.text(&place.set, place.at, text);
        taken.push(place.room);
    }
}
