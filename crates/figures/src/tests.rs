//! Tests of the room: letters leave ink, the bytes are the same, ticks are honest.

use super::*;

/// The three curves of the source article, in plain f64 for the picture alone.
fn article_curves(upto: u64) -> Chart {
    let curve = |f: &dyn Fn(u64) -> f64| (1..=upto).map(|n| (n as f64, f(n))).collect::<Vec<_>>();
    let rejection = |n: u64| {
        let k = u64::BITS - n.leading_zeros();
        f64::from(k) * 2f64.powi(k as i32) / n as f64
    };
    let roller = |n: u64| {
        let (mut x, mut weight, mut sum) = (1 % n, 1.0, 0.0);
        for _ in 0..80 {
            sum += x as f64 * weight;
            x = 2 * x % n;
            weight /= 2.0;
        }
        sum
    };
    Chart::new("Expected coin flips to roll a fair n-sided die")
        .x(Axis::new("sides of the die, n"))
        .y(Axis::new("expected flips, E[T]").range(0.0, 15.0))
        .series(
            Series::line("rejection", curve(&rejection))
                .hue(Hue::Vermillion)
                .dash(Dash::Dashed),
        )
        .series(
            Series::line("fast dice roller", curve(&roller))
                .hue(Hue::Green)
                .dash(Dash::DashDot),
        )
        .series(
            Series::line("entropy, log₂ n", curve(&|n| (n as f64).log2()))
                .hue(Hue::Blue)
                .dash(Dash::Solid),
        )
}

fn six() -> FlowChart {
    FlowChart {
        target: "6".into(),
        unit: "flip".into(),
        rounds: vec![Round::new("1", 3, "8", "6"), Round::new("2", 2, "8", "6")],
        cycle: Some(1),
    }
}

fn eleven() -> FlowChart {
    let rounds = [
        ("1", 4, "16"),
        ("5", 2, "20"),
        ("9", 1, "18"),
        ("7", 1, "14"),
        ("3", 2, "12"),
    ];
    FlowChart {
        target: "11".into(),
        unit: "flip".into(),
        rounds: rounds
            .iter()
            .map(|(v, k, w)| Round::new(*v, *k, *w, "11"))
            .collect(),
        cycle: Some(0),
    }
}

fn thirty_two() -> FlowChart {
    FlowChart {
        target: "32".into(),
        unit: "flip".into(),
        rounds: vec![Round::new("1", 5, "32", "32")],
        cycle: None,
    }
}

fn bars(n: usize, width: f64) -> Series {
    let (p, text) = match n {
        6 => (
            vec![0.25, 0.25, 0.125, 0.125, 0.125, 0.125],
            vec!["1/4", "1/4", "1/8", "1/8", "1/8", "1/8"],
        ),
        _ => (vec![0.125; 8], vec!["1/8"; 8]),
    };
    let points = p
        .iter()
        .enumerate()
        .map(|(i, p)| ((i + usize::from(n == 6)) as f64, *p))
        .collect();
    Series::bars(
        "probability",
        width,
        points,
        text.iter().map(|t| t.to_string()).collect(),
    )
}

fn unfair() -> Chart {
    Chart::new("Three flips modulo 6: an unfair die")
        .x(Axis::new("outcome").ticks(Ticks::Every(1.0)))
        .y(Axis::new("probability"))
        .series(bars(6, 0.7))
}

fn geometric() -> Chart {
    let points: Vec<(f64, f64)> = (1..=8)
        .map(|k| (3.0 * k as f64, 0.75 * 0.25f64.powi(k - 1)))
        .collect();
    let labels = (1..=8).map(|k| format!("3/{}", 4u64.pow(k))).collect();
    Chart::new("Flips that rejection takes for a die of 6 sides")
        .x(Axis::new("flips, t").ticks(Ticks::Every(3.0)))
        .y(Axis::new("P(T = t)"))
        .series(Series::bars("rejection", 1.6, points, labels).hue(Hue::Vermillion))
}

fn survival(columns: usize, scale: Scale) -> HeatMap {
    let xs: Vec<f64> = (1..=columns).map(|n| n as f64).collect();
    let ys: Vec<f64> = (0..=24).map(f64::from).collect();
    let value = |n: u64, t: u32| {
        let p = ((1u64 << t) % n) as f64 / (1u64 << t) as f64;
        (p > 0.0).then_some(p)
    };
    let values = (0..=24u32)
        .map(|t| (1..=columns as u64).map(|n| value(n, t)).collect())
        .collect();
    HeatMap::new(
        "Chance that the fast dice roller needs more than t flips",
        xs,
        ys,
        values,
    )
    .x(Axis::new("sides of the die, n"))
    .y(Axis::new("flips, t"))
    .value(Axis::new("P(T > t)").scale(scale))
    .missing("exactly 0")
}

fn small_map() -> HeatMap {
    let names = ["d2", "d4", "d6", "d8", "d10", "d12", "d20"];
    let place: Vec<f64> = (0..names.len()).map(|i| i as f64).collect();
    let rows: Vec<f64> = (0..5).map(f64::from).collect();
    let cell = |i: usize, j: usize| ((i + 2 * j) % 7 != 3).then_some((i * j) as f64 / 3.0 + 1.0);
    let values: Vec<Vec<Option<f64>>> = (0..5)
        .map(|j| (0..7).map(|i| cell(i, j)).collect())
        .collect();
    let texts = values
        .iter()
        .map(|row| {
            row.iter()
                .map(|v| v.map_or("never".into(), |v| format!("{v:.2}")))
                .collect()
        })
        .collect();
    let named = |names: &[&str]| {
        Ticks::At(
            names
                .iter()
                .enumerate()
                .map(|(i, n)| (i as f64, n.to_string()))
                .collect(),
        )
    };
    HeatMap::new("A small grid", place, rows, values)
        .x(Axis::new("source die").ticks(named(&names)))
        .y(Axis::new("target die").ticks(named(&names[..5])))
        .value(Axis::new("expected rolls"))
        .colors(ColorMap::Cividis)
        .texts(texts)
}

fn tolls() -> Chart {
    let toll = |n: u64| {
        let (mut x, mut weight, mut sum) = (1 % n, 1.0, 0.0);
        for _ in 0..80 {
            sum += x as f64 * weight;
            x = 2 * x % n;
            weight /= 2.0;
        }
        (n as f64, sum - (n as f64).log2())
    };
    let interval = |n: u64| {
        let odd = n >> n.trailing_zeros();
        let k = u64::BITS - (odd - 1).leading_zeros();
        let head = f64::from(k) + (odd - 1) as f64 * 2f64.powi(1 - k as i32);
        (
            n as f64,
            head + f64::from(n.trailing_zeros()) - (n as f64).log2(),
        )
    };
    Chart::new("Toll: flips above the entropy")
        .x(Axis::new("sides of the die, n")
            .scale(Scale::Log2)
            .range(1.0, 4096.0))
        .y(Axis::new("E[T] − log₂ n (flips)"))
        .series(
            Series::points("interval algorithm", (2..=4096).map(interval).collect())
                .hue(Hue::Purple),
        )
        .series(Series::points("fast dice roller", (2..=4096).map(toll).collect()).hue(Hue::Green))
        .series(
            Series::hline("2 flips", 2.0)
                .hue(Hue::Grey)
                .dash(Dash::Dashed),
        )
}

/// The tree of the fast dice roller for n sides, to a depth.
fn roller_tree(n: u64, faces: u64, depth: u32) -> Tree {
    let mut nodes: Vec<TreeNode> = Vec::new();
    // Node, v, c, depth.
    let mut queue = std::collections::VecDeque::from([(0usize, 1u64, 0u64, 0u32)]);
    nodes.push(TreeNode::roll("1, 0", Vec::new()));
    while let Some((at, v, c, d)) = queue.pop_front() {
        for face in 0..faces {
            let (mut v, mut c) = (v * faces, c * faces + face);
            let child = nodes.len();
            let name = if faces == 2 {
                ["T", "H"][face as usize].to_string()
            } else {
                (face + 1).to_string()
            };
            nodes[at].edges.push((name, child));
            let p = format!("1/{}", faces.pow(d + 1));
            let q = v / n;
            if c < q * n {
                nodes.push(TreeNode::output((c % n + 1).to_string(), p));
                continue;
            }
            (v, c) = (v - q * n, c - q * n);
            if d + 1 == depth {
                nodes.push(TreeNode::open("", p).back_to(format!("{v}, {c}")));
            } else {
                nodes.push(TreeNode::roll(format!("{v}, {c}"), Vec::new()));
                queue.push_back((child, v, c, d + 1));
            }
        }
    }
    Tree::new(
        format!("Decision tree of the fast dice roller, n = {n}"),
        if faces == 2 { "flips" } else { "rolls" },
        nodes,
    )
}

fn gallery() -> Vec<(&'static str, Drawing)> {
    let long = FlowChart {
        target: "1000000000000000000000000000000000000007".into(),
        unit: "roll".into(),
        rounds: vec![
            Round::new(
                "1",
                130,
                "1361129467683753853853498429727072845824",
                "1000000000000000000000000000000000000007",
            ),
            Round::new(
                "361129467683753853853498429727072845817",
                2,
                "1444517870735015415413993718908291383268",
                "1000000000000000000000000000000000000007",
            ),
        ],
        cycle: Some(1),
    };
    let many = (0..7).fold(
        Chart::new("Seven series")
            .x(Axis::new("x").scale(Scale::Log10).range(1.0, 1000.0))
            .y(Axis::new("y").scale(Scale::Log10)),
        |chart, i| {
            let points = (0..=30)
                .map(|k| 10f64.powf(f64::from(k) / 10.0))
                .map(|x| (x, (x + 1.0).powi(i) + 1.0))
                .collect();
            let name = format!(
                "(x + 1){} + 1",
                ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶'][i as usize]
            );
            chart.series(if i % 3 == 2 {
                Series::points(name, points)
            } else {
                Series::line(name, points)
            })
        },
    );
    let steps = Chart::new("Survival of two algorithms for a die of 6 sides")
        .x(Axis::new("flips, t"))
        .y(Axis::new("P(T > t)"))
        .series(
            Series::step(
                "rejection",
                (0..=15)
                    .map(|t| (f64::from(t), 0.25f64.powi(t / 3)))
                    .collect(),
            )
            .hue(Hue::Vermillion),
        )
        .series(
            Series::step(
                "fast dice roller",
                (0..=15)
                    .map(|t| (f64::from(t), ((1u64 << t) % 6) as f64 / (1u64 << t) as f64))
                    .collect(),
            )
            .hue(Hue::Green),
        );
    let one = FlowChart {
        target: "1".into(),
        unit: "flip".into(),
        rounds: Vec::new(),
        cycle: None,
    };
    vec![
        ("curves", article_curves(100).draw().unwrap()),
        (
            "curves-1024",
            article_curves(1024)
                .y(Axis::new("expected flips, E[T]"))
                .draw()
                .unwrap(),
        ),
        ("unfair", unfair().draw().unwrap()),
        (
            "uniform",
            Chart::new("Three flips: 0 to 7")
                .x(Axis::new("outcome"))
                .y(Axis::new("probability"))
                .series(bars(8, 0.7))
                .draw()
                .unwrap(),
        ),
        ("geometric", geometric().draw().unwrap()),
        ("steps", steps.draw().unwrap()),
        ("many", many.draw().unwrap()),
        ("tolls", tolls().draw().unwrap()),
        ("heat-log", survival(300, Scale::Log10).draw().unwrap()),
        ("heat-linear", survival(64, Scale::Linear).draw().unwrap()),
        ("heat-small", small_map().draw().unwrap()),
        ("flow-1", one.draw().unwrap()),
        ("flow-6", six().draw().unwrap()),
        ("flow-11", eleven().draw().unwrap()),
        ("flow-32", thirty_two().draw().unwrap()),
        ("flow-long", long.draw().unwrap()),
        ("tree-6", roller_tree(6, 2, 7).draw().unwrap()),
        ("tree-11", roller_tree(11, 2, 14).draw().unwrap()),
        ("tree-17-d6", roller_tree(17, 6, 3).draw().unwrap()),
    ]
}

/// Set FLIPCOST_GALLERY to a directory to keep the pictures and look at them.
#[test]
fn the_gallery_is_outlines_only_and_reproducible() {
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
            let png = drawing.png(1.5).unwrap();
            std::fs::write(format!("{folder}/{name}.svg"), drawing.svg()).unwrap();
            std::fs::write(format!("{folder}/{name}.png"), png).unwrap();
        }
    }
    if let Ok(folder) = std::env::var("FLIPCOST_GALLERY") {
        let text: String = [six(), eleven(), thirty_two()]
            .iter()
            .map(|f| f.to_text() + "\n" + &f.to_ascii() + "\n")
            .collect();
        std::fs::write(format!("{folder}/flow.txt"), text).unwrap();
        std::fs::write(format!("{folder}/flow.dot"), eleven().to_dot()).unwrap();
        std::fs::write(format!("{folder}/tree.dot"), roller_tree(6, 2, 5).to_dot()).unwrap();
    }
}

/// The pixels of a picture, as rows of (r, g, b).
fn pixels(drawing: &Drawing) -> (usize, Vec<[u8; 3]>) {
    let png = drawing.png(1.0).unwrap();
    let map = resvg::tiny_skia::Pixmap::decode_png(&png).unwrap();
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

/// The texts of a picture in the order of drawing.
fn texts(drawing: &Drawing) -> Vec<String> {
    let document = resvg::usvg::roxmltree::Document::parse(drawing.svg()).unwrap();
    document
        .descendants()
        .filter_map(|n| n.attribute("aria-label"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn letters_leave_ink() {
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
fn letters_of_mathematics_are_in_the_font() {
    // A letter that the font lacks would be drawn as nothing or as an empty box.
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
fn an_accent_stands_on_its_letter() {
    // A letter and its accent are two glyphs, but one place and one outline; so is a ligature.
    let places = |text: &str| glyphs::shape(text).letters.clone();
    let x = glyphs::shape("x").width;
    assert_eq!(
        places("x\u{304}x"),
        [("x\u{304}".to_owned(), 0), ("x".to_owned(), x)]
    );
    assert!(glyphs::outline("x\u{304}").starts_with(&*glyphs::outline("x")));
    assert_eq!(places("ﬁ").len(), 1);
    assert_eq!(places("fi")[0].0, "fi");
    // Hebrew runs from right to left.
    assert_eq!(places("א ב")[0].0, "ב");
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
fn every_named_series_is_in_the_legend() {
    let found = texts(&article_curves(100).draw().unwrap());
    for name in ["rejection", "fast dice roller", "entropy, log₂ n"] {
        assert_eq!(found.iter().filter(|t| *t == name).count(), 1, "{name}");
    }
    let none = article_curves(100).legend(Legend::None).draw().unwrap();
    assert!(!texts(&none).contains(&"rejection".to_owned()));
    // In a row above the chart where no corner is free.
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
    // Linear ones are round, and meet both ends where they can.
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
    let huge = six().draw().unwrap().png(1000.0);
    assert!(matches!(huge, Err(FigureError::TooLarge { .. })));
    // A single point, a gap and a point outside are no mistakes.
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
fn trees_that_are_none_are_refused() {
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

/// Nodes of one level keep apart, in trees of coins and of dice.
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
fn flow_charts_as_text() {
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
    assert!(six().to_ascii().is_ascii());
    // Widths of numbers differ: all lines of the rounds keep their columns.
    let mixed = FlowChart {
        target: "100".into(),
        unit: "roll".into(),
        rounds: vec![
            Round::new("1", 10, "1024", "100"),
            Round::new("24", 1, "48", "100"),
        ],
        cycle: Some(0),
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
fn dot_is_quoted_and_complete() {
    let dot = six().to_dot();
    assert!(dot.starts_with("digraph") && dot.ends_with("}\n"));
    assert!(dot.contains("before0 -> after0 [label=\"3× flip\"]"));
    assert!(dot.contains("test1 -> before1 [label=\"subtract 6\""));
    let tree = Tree::new("say \"heads\"", "flips", vec![TreeNode::output("\\", "1")]);
    assert!(tree.to_dot().contains("label=\"say \\\"heads\\\"\""));
    assert!(tree.to_dot().contains("label=\"\\\\\\n1\""));
}

#[test]
fn names_of_colours_and_dashes_are_read() {
    assert_eq!("red".parse(), Ok(Hue::Vermillion));
    assert_eq!("blue".parse::<Hue>().unwrap().rgb().hex(), "#0072b2");
    assert_eq!("dash-dot".parse(), Ok(Dash::DashDot));
    assert_eq!("cividis".parse(), Ok(ColorMap::Cividis));
    assert!("mauve".parse::<Hue>().unwrap_err().contains("vermillion"));
    // Light grows along each map, so that it reads in grey too.
    for map in [ColorMap::Viridis, ColorMap::Cividis] {
        let light: Vec<f64> = (0..=50)
            .map(|i| map.rgb(f64::from(i) / 50.0).luminance())
            .collect();
        assert!(light.windows(2).all(|w| w[0] < w[1]), "{map:?}");
    }
}
