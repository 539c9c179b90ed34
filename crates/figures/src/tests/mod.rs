//! Tests of the pictures: their bytes are reproducible, their ticks are right, and impossible
//! pictures are refused.
// The callers compute the numbers that are drawn.
#![allow(clippy::disallowed_methods)]

use super::*;
use samples::*;

mod font;
mod letters;
#[cfg(feature = "png")]
mod png;
mod samples;

/// If FLIPCOST_GALLERY names a directory, the test writes the pictures there, so that a person can
/// look at them.
#[test]
fn pictures_have_only_outlines_and_are_reproducible() {
    let again = gallery();
    for ((name, drawing), (_, second)) in gallery().into_iter().zip(again) {
        assert_eq!(drawing.svg(), second.svg(), "{name}");
        assert!(
            !drawing.svg().contains("<text"),
            "{name} has text that needs a font"
        );
        assert!(!drawing.svg().contains("font-"), "{name}");
        assert!(!drawing.svg().contains("NaN"), "{name}");
        if let Ok(folder) = std::env::var("FLIPCOST_GALLERY") {
            std::fs::write(format!("{folder}/{name}.svg"), drawing.svg()).unwrap();
            #[cfg(feature = "png")]
            std::fs::write(format!("{folder}/{name}.png"), drawing.png(1.5).unwrap()).unwrap();
        }
    }
    if let Ok(folder) = std::env::var("FLIPCOST_GALLERY") {
        let text: String = [six(), eleven(), thirty_two()]
            .iter()
            .map(|f| f.to_text() + "\n")
            .collect();
        std::fs::write(format!("{folder}/flow.txt"), text).unwrap();
    }
}

/// Returns the texts of a picture in the order of drawing.
fn texts(drawing: &Drawing) -> Vec<String> {
    let svg = drawing.svg();
    let labels = svg.split("aria-label=\"").skip(1);
    let text = |rest: &str| {
        let escaped = rest.split('"').next().unwrap_or_default();
        escaped
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&")
    };
    labels.map(text).collect()
}

#[test]
fn letters_of_mathematics_are_in_the_font() {
    // A letter that is not in the font would be drawn as nothing or as an empty box.
    let boxed = glyphs::outline("\u{10ffff}");
    for letter in "₂⁰¹²³⁴⁵⁶⁷⁸⁹⁻⌈⌉⌊⌋√−≤≥<×✓↺…∑½λμ".chars()
    {
        let outline = glyphs::outline(&letter.to_string());
        assert!(!outline.is_empty() && outline != boxed, "{letter}");
    }
}

#[test]
fn text_is_as_wide_as_its_letters() {
    let one = glyphs::width("n", 10.0);
    assert!((glyphs::width("nnnn", 10.0) - 4.0 * one).abs() < 0.01);
    assert!(glyphs::width("n n", 10.0) > 2.0 * one + 2.0);
    assert!(glyphs::width("n ", 10.0) > one + 2.0);
    assert_eq!(glyphs::ellipsize("123456789", 5), "12…89");
    assert_eq!(glyphs::ellipsize("12345", 5), "12345");
}

#[test]
fn every_named_series_is_in_the_legend() {
    let found = texts(&article_curves(100).draw().unwrap());
    for name in ["rejection", "fast dice roller", "entropy, log₂ n"] {
        assert_eq!(found.iter().filter(|t| *t == name).count(), 1, "{name}");
    }
    let none = article_curves(100).legend(Legend::None).draw().unwrap();
    assert!(!texts(&none).contains(&"rejection".to_owned()));
    // The legend is in a row above the chart if no corner is free.
    let full = Chart::new("Full")
        .series(Series::line("up", vec![(0.0, 0.0), (1.0, 1.0)]))
        .series(Series::line("down", vec![(0.0, 1.0), (1.0, 0.0)]));
    let found = texts(&full.draw().unwrap());
    assert!(found.contains(&"up".to_owned()) && found.contains(&"down".to_owned()));
}

#[test]
fn logarithmic_ticks_are_powers() {
    let ruler = |scale, low, high, room| {
        ruler::Ruler::new(
            &Axis::new("n").scale(scale).range(low, high),
            (1.0, 2.0),
            true,
            room,
        )
        .unwrap()
    };
    let labels = |r: &ruler::Ruler| r.ticks.iter().map(|t| t.1.clone()).collect::<Vec<_>>();
    let two = ruler(Scale::Log2, 1.0, 1024.0, 9);
    assert_eq!(
        labels(&two),
        [
            "1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024"
        ]
    );
    assert_eq!(two.ticks[10].0, 10.0);
    assert_eq!(
        labels(&ruler(Scale::Log2, 1.0, 100.0, 9)),
        ["1", "2", "4", "8", "16", "32", "64"]
    );
    let far = ruler(Scale::Log2, 1.0, 2f64.powi(60), 9);
    assert!(labels(&far).contains(&"2⁴⁰".to_owned()));
    assert_eq!(
        labels(&ruler(Scale::Log10, 1e-6, 1.0, 9)).first().unwrap(),
        "10⁻⁶"
    );
    assert_eq!(
        labels(&ruler(Scale::Log10, 1.0, 1000.0, 9)),
        ["1", "10", "100", "1000"]
    );
    assert_eq!(
        labels(&ruler(Scale::Log10, 1.0, 50.0, 9)),
        ["1", "2", "5", "10", "20", "50"]
    );
    // Linear ticks are at round numbers, and at both ends of the axis if possible.
    assert_eq!(
        labels(&ruler(Scale::Linear, 0.0, 15.0, 8)),
        ["0", "5", "10", "15"]
    );
    assert_eq!(
        labels(&ruler(Scale::Linear, -0.3, 0.3, 4)),
        ["−0.2", "0.0", "0.2"]
    );
}

#[test]
fn impossible_charts_are_refused() {
    let line = || Series::line("a", vec![(1.0, 1.0), (2.0, 2.0)]);
    let empty = Chart::new("nothing").draw();
    assert!(matches!(empty, Err(FigureError::Empty(_))));
    let nan = Chart::new("nan")
        .series(Series::line("a", vec![(1.0, f64::NAN)]))
        .draw();
    assert!(matches!(nan, Err(FigureError::Empty(_))));
    let axis = |axis| Chart::new("axis").series(line()).x(axis).draw();
    assert!(matches!(
        axis(Axis::new("n").range(3.0, 2.0)),
        Err(FigureError::Range { .. })
    ));
    assert!(matches!(
        axis(Axis::new("n").range(0.0, f64::INFINITY)),
        Err(FigureError::Range { .. })
    ));
    let log = axis(Axis::new("n").scale(Scale::Log2).range(0.0, 2.0));
    assert!(matches!(log, Err(FigureError::Range { .. })));
    let labels = Series::bars("a", 1.0, vec![(1.0, 1.0)], vec!["1".into(), "2".into()]);
    assert!(matches!(
        Chart::new("bars").series(labels).draw(),
        Err(FigureError::Mismatch(_))
    ));
    let ragged = HeatMap::new("ragged", vec![1.0, 2.0], vec![1.0], vec![vec![Some(1.0)]]);
    assert!(matches!(ragged.draw(), Err(FigureError::Mismatch(_))));
    // A single point, a gap and a point outside are allowed.
    Chart::new("one")
        .series(Series::points("a", vec![(1.0, 1.0)]))
        .draw()
        .unwrap();
    let gap = vec![(1.0, 1.0), (2.0, f64::NAN), (3.0, 1e300)];
    Chart::new("gap")
        .y(Axis::new("y").range(0.0, 2.0))
        .series(Series::line("a", gap))
        .draw()
        .unwrap();
}

#[test]
fn invalid_trees_are_refused() {
    let edge = |to| vec![("H".to_owned(), to)];
    let draw = |nodes| Tree::new("t", "flips", nodes).draw();
    assert!(matches!(draw(vec![]), Err(FigureError::Empty(_))));
    assert!(matches!(
        draw(vec![TreeNode::roll("", edge(7))]),
        Err(FigureError::Mismatch(_))
    ));
    assert!(matches!(
        draw(vec![TreeNode::roll("", edge(0))]),
        Err(FigureError::Mismatch(_))
    ));
    let lost = vec![TreeNode::output("1", "1"), TreeNode::output("2", "1")];
    assert!(matches!(draw(lost), Err(FigureError::Mismatch(_))));
    draw(vec![TreeNode::output("1", "1")]).unwrap();
}

/// Nodes of the same level do not overlap, in trees of coins and of dice.
#[test]
fn nodes_do_not_overlap() {
    for tree in [
        roller_tree(11, 2, 14),
        roller_tree(17, 6, 3),
        roller_tree(100, 2, 9),
    ] {
        let boxes = tree.boxes().unwrap();
        for (i, a) in boxes.iter().enumerate() {
            for b in &boxes[..i] {
                let apart = a.0 >= b.1 || b.0 >= a.1;
                assert!(a.2 != b.2 || apart, "{}: {a:?} and {b:?}", tree.title);
            }
        }
    }
}

#[test]
fn flow_charts_are_rendered_as_text() {
    let expected = "      (1) ── 3× flip ──▶ (8) ─ < 6? ──▶ ✓
                               │ subtract 6
       ┌───────────────────────┘
       ▼
┌───▶ (2) ── 2× flip ──▶ (8) ─ < 6? ──▶ ✓
│                              │ subtract 6
└──────────────────────────────┘
";
    assert_eq!(six().to_text(), expected);
    assert_eq!(
        thirty_two().to_text(),
        "  (1) ── 5× flip ──▶ (32) ─ < 32? ──▶ ✓ always\n"
    );
    let eleven = eleven().to_text();
    assert_eq!(eleven.matches("✓").count(), 5);
    assert_eq!(eleven.matches("subtract 11").count(), 5);
    assert!(eleven.starts_with("┌───▶ (1) ── 4× flip ──▶ (16)"));
    assert!(eleven.contains("│     (5) ── 2× flip ──▶ (20)"));
    assert!(eleven.lines().last().unwrap().starts_with('└'));
    // The numbers have different widths, but in the text the same columns are aligned in all
    // rounds.
    let mixed = FlowChart {
        target: "100".into(),
        unit: "roll".into(),
        rounds: vec![
            FlowChartRound::new("1", 10, "1024", "100"),
            FlowChartRound::new("24", 1, "48", "100"),
        ],
        cycle: Some(0),
        guide: None,
    };
    let column = |line: &str| line.chars().position(|c| c == '<').unwrap();
    let text = mixed.to_text();
    let tests: Vec<usize> = text
        .lines()
        .filter(|l| l.contains('<'))
        .map(column)
        .collect();
    assert_eq!(tests[0], tests[1], "{text}");
}

fn guided(chart: FlowChart) -> FlowChart {
    FlowChart {
        guide: Some(Guide {
            lines: vec!["Carry c, at first 0.".into()],
            roll: "c = 2c + flip".into(),
            n: chart.target.clone(),
        }),
        ..chart
    }
}

#[test]
fn a_guided_flow_chart_shows_the_carried_number() {
    let expected = "Carry c, at first 0.

      (1) ── 3× flip ──▶ (8) ─ c < 6? ──▶ ✓ c + 1
                                │ c = c - 6
       ┌────────────────────────┘
       ▼
┌───▶ (2) ── 2× flip ──▶ (8) ─ c < 6? ──▶ ✓ c + 1
│                               │ c = c - 6
└───────────────────────────────┘
";
    assert_eq!(guided(six()).to_text(), expected);
    let found = texts(&guided(six()).draw().unwrap());
    for text in [
        "Carry c, at first 0.",
        "c = 2c + flip",
        "c < 6?",
        "c = c - 6",
        "c + 1",
    ] {
        assert!(found.iter().any(|t| t == text), "{text}: {found:?}");
    }
    // The threshold is a multiple of n.
    let two = FlowChart {
        target: "2".into(),
        rounds: vec![FlowChartRound::new("1", 1, "6", "6")],
        cycle: None,
        ..six()
    };
    assert!(guided(two).to_text().contains("c < 6? ──▶ ✓ c mod 2 + 1"));
}

/// A chart of many rounds is folded into columns that fit on a page. In an earlier version its
/// picture was 20,000 pixels high.
#[test]
fn long_flow_charts_are_folded_onto_a_page() {
    for count in [11, 40, 166, 200] {
        let round = |i: usize| {
            FlowChartRound::new((i + 1).to_string(), 1, (2 * i + 1000).to_string(), "997")
        };
        for cycle in [None, Some(0), Some(count - 1), Some(count / 2)] {
            let chart = guided(FlowChart {
                target: "997".into(),
                rounds: (0..count).map(round).collect(),
                cycle,
                ..six()
            });
            let drawing = chart.draw().unwrap();
            let (width, height) = drawing.size();
            assert!(
                width <= 2000.0 && height <= 1500.0,
                "{count}: {width} x {height}"
            );
            let found = texts(&drawing);
            for round in &chart.rounds {
                assert!(found.contains(&round.before) && found.contains(&round.after));
            }
            let back = cycle.map(|to| format!("c = c - 997, back to {}: cycle", to + 1));
            assert!(back.is_none_or(|back| found.contains(&back)));
        }
    }
}

#[test]
fn a_sheet_contains_all_its_words_and_cells() {
    let row = |i: usize| (0..30).map(|j| format!("{i}.{j}")).collect();
    let sheet = |rows: usize| Sheet {
        title: "A page".into(),
        parts: vec![
            SheetPart::Item("cost".into(), "11/3".into()),
            SheetPart::Gap,
            SheetPart::Text("Begin at A.".into()),
            SheetPart::Heading("A: roll".into()),
            SheetPart::Table((0..rows).map(row).collect()),
        ],
    };
    for rows in [2, 20, 70] {
        let drawing = sheet(rows).draw().unwrap();
        assert!(drawing.size().1 < 1400.0);
        let found = texts(&drawing);
        for text in ["cost", "11/3", "Begin at A.", "A: roll"] {
            assert!(found.iter().any(|t| t == text), "{text}");
        }
        for i in 0..rows {
            assert!((0..30).all(|j| found.contains(&format!("{i}.{j}"))));
        }
    }
    assert!(matches!(sheet(5000).draw(), Err(FigureError::Mismatch(_))));
    let ragged = Sheet {
        title: "A page".into(),
        parts: vec![SheetPart::Table(vec![
            vec!["a".into(); 3],
            vec!["b".into(); 2],
        ])],
    };
    assert!(matches!(ragged.draw(), Err(FigureError::Mismatch(_))));
}

#[test]
fn large_trees_are_drawn_smaller_but_stay_readable() {
    let size = |depth| {
        roller_tree(100, 2, depth)
            .draw()
            .map(|drawing| drawing.size())
    };
    let (width, height) = size(6).unwrap();
    assert!(width <= 2000.0 && height <= 1500.0, "{width} x {height}");
    assert!(matches!(size(9), Err(FigureError::Unreadable { .. })));
}

#[test]
fn flow_charts_name_every_round() {
    for chart in [six(), eleven(), thirty_two()] {
        let found = texts(&chart.draw().unwrap());
        for round in &chart.rounds {
            assert!(found.contains(&round.before) && found.contains(&round.after));
            assert!(found.contains(&format!("{}× flip", round.rolls)));
        }
        assert_eq!(found.contains(&"cycle".to_owned()), chart.cycle.is_some());
    }
    let broken = FlowChart {
        cycle: Some(2),
        ..six()
    };
    assert!(matches!(broken.draw(), Err(FigureError::Mismatch(_))));
}

#[test]
fn names_of_colours_and_dashes_are_parsed() {
    assert_eq!("red".parse(), Ok(Hue::Vermillion));
    assert_eq!("blue".parse::<Hue>().unwrap().rgb().hex(), "#0072b2");
    assert_eq!("dash-dot".parse(), Ok(Dash::DashDot));
    assert_eq!("cividis".parse(), Ok(ColorMap::Cividis));
    assert!(
        "mauve"
            .parse::<Hue>()
            .unwrap_err()
            .to_string()
            .contains("vermillion")
    );
    // The lightness increases along each map, so that the map can also be read in shades of grey.
    for map in [ColorMap::Viridis, ColorMap::Cividis] {
        let light: Vec<f64> = (0..=50)
            .map(|i| map.rgb(f64::from(i) / 50.0).luminance())
            .collect();
        assert!(light.windows(2).all(|w| w[0] < w[1]), "{map:?}");
    }
}

/// The edges of a neighbouring node do not cross the text under a leaf.
#[test]
fn edges_do_not_cross_the_text_of_a_neighbouring_leaf() {
    let edges = |a, b| vec![("H".to_string(), a), ("T".to_string(), b)];
    let leaf = || TreeNode::output("6", "1/8");
    let nodes = vec![
        TreeNode::roll("", edges(1, 2)),
        leaf(),
        TreeNode::roll("", edges(3, 4)),
        leaf(),
        leaf(),
    ];
    let boxes = Tree::new("a tree", "flips", nodes).boxes().unwrap();
    let middle = (boxes[1].0 + boxes[1].1) / 2.0;
    assert!(boxes[3].0 > middle, "{boxes:?}");
}

/// A line that leaves the plot and returns is cut at both points on the edge.
#[test]
fn a_line_that_leaves_the_plot_is_cut_at_its_edges() {
    let drawn = |points: Vec<(f64, f64)>| {
        let chart = Chart::new("Line")
            .x(Axis::new("x").range(0.0, 16.0))
            .y(Axis::new("y").range(0.0, 2.0))
            .series(Series::line("", points));
        chart.draw().unwrap().svg()
    };
    let gap = (8.0, f64::NAN);
    assert_eq!(
        drawn(vec![(0.0, 0.0), (8.0, 8.0), (16.0, 0.0)]),
        drawn(vec![(0.0, 0.0), (2.0, 2.0), gap, (14.0, 2.0), (16.0, 0.0)])
    );
}
