//! Tests of the PNG: letters are visible, and the bytes are reproducible.

use tiny_skia::Pixmap;

use super::samples::*;
use crate::*;

/// Returns the pixels of a picture, as rows of (r, g, b).
fn pixels(drawing: &Drawing) -> (usize, Vec<[u8; 3]>) {
    let png = drawing.png(1.0).unwrap();
    let map = Pixmap::decode_png(&png).unwrap();
    let colors = map
        .pixels()
        .iter()
        .map(|p| [p.red(), p.green(), p.blue()])
        .collect();
    (map.width() as usize, colors)
}

fn dark(drawing: &Drawing, (x0, y0, x1, y1): (usize, usize, usize, usize)) -> usize {
    let (width, all) = pixels(drawing);
    let inside = |i: usize| (x0..x1).contains(&(i % width)) && (y0..y1).contains(&(i / width));
    all.iter()
        .enumerate()
        .filter(|(i, p)| inside(*i) && p.iter().all(|c| *c < 100))
        .count()
}

#[test]
fn letters_are_visible() {
    let title = (14, 12, 400, 34);
    assert!(dark(&article_curves(100).draw().unwrap(), title) > 300);
    assert!(dark(&six().draw().unwrap(), title) > 100);
    assert!(dark(&roller_tree(6, 2, 4).draw().unwrap(), title) > 300);
    assert!(dark(&small_map().draw().unwrap(), title) > 80);
    let untitled = Chart {
        title: String::new(),
        ..unfair()
    };
    let plain = untitled.draw().unwrap();
    assert_eq!(dark(&plain, (14, 2, 700, 12)), 0);
}

#[test]
fn the_same_description_gives_the_same_png() {
    let draw = || six().draw().unwrap().png(2.0).unwrap();
    assert_eq!(draw(), draw());
}

#[test]
fn no_letter_is_refused() {
    for text in [
        "\u{0}",
        "a\tb",
        "\u{85}",
        "\u{fffe}",
        "a\u{2029}b",
        "<&\">",
        "日",
    ] {
        let drawing = Chart::new(text)
            .x(Axis::new(text))
            .series(Series::line(text, vec![(1.0, 1.0), (2.0, 2.0)]))
            .draw()
            .unwrap();
        drawing.png(1.0).unwrap();
    }
}

#[test]
fn too_many_pixels_are_refused() {
    let huge = six().draw().unwrap().png(1000.0);
    assert!(matches!(huge, Err(FigureError::TooLarge { .. })));
}
