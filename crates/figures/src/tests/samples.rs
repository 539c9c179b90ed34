//! Sample pictures of every kind.

use crate::*;

/// Returns the three curves of the source article, in plain f64 for the picture alone.
pub fn article_curves(upto: u64) -> Chart {
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

pub fn six() -> FlowChart {
    FlowChart {
        target: "6".into(),
        unit: "flip".into(),
        rounds: vec![
            FlowChartRound::new("1", 3, "8", "6"),
            FlowChartRound::new("2", 2, "8", "6"),
        ],
        cycle: Some(1),
        guide: None,
    }
}

pub fn eleven() -> FlowChart {
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
            .map(|(v, k, w)| FlowChartRound::new(*v, *k, *w, "11"))
            .collect(),
        cycle: Some(0),
        guide: None,
    }
}

pub fn thirty_two() -> FlowChart {
    FlowChart {
        target: "32".into(),
        unit: "flip".into(),
        rounds: vec![FlowChartRound::new("1", 5, "32", "32")],
        cycle: None,
        guide: None,
    }
}

pub fn bars(n: usize, width: f64) -> Series {
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

pub fn unfair() -> Chart {
    Chart::new("Three flips modulo 6: an unfair die")
        .x(Axis::new("outcome").ticks(Ticks::Every(1.0)))
        .y(Axis::new("probability"))
        .series(bars(6, 0.7))
}

pub fn geometric() -> Chart {
    let points: Vec<(f64, f64)> = (1..=8)
        .map(|k| (3.0 * k as f64, 0.75 * 0.25f64.powi(k - 1)))
        .collect();
    let labels = (1..=8).map(|k| format!("3/{}", 4u64.pow(k))).collect();
    Chart::new("Flips that rejection takes for a die of 6 sides")
        .x(Axis::new("flips, t").ticks(Ticks::Every(3.0)))
        .y(Axis::new("P(T = t)"))
        .series(Series::bars("rejection", 1.6, points, labels).hue(Hue::Vermillion))
}

pub fn survival(columns: usize, scale: Scale) -> HeatMap {
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

pub fn small_map() -> HeatMap {
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

pub fn tolls() -> Chart {
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

/// Returns the tree of the fast dice roller for n sides, to a depth.
pub fn roller_tree(n: u64, faces: u64, depth: u32) -> Tree {
    let mut nodes: Vec<TreeNode> = Vec::new();
    // Each entry contains a node, v, c, and the depth.
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

pub fn gallery() -> Vec<(&'static str, Drawing)> {
    let long = FlowChart {
        target: "1000000000000000000000000000000000000007".into(),
        unit: "roll".into(),
        rounds: vec![
            FlowChartRound::new(
                "1",
                130,
                "1361129467683753853853498429727072845824",
                "1000000000000000000000000000000000000007",
            ),
            FlowChartRound::new(
                "361129467683753853853498429727072845817",
                2,
                "1444517870735015415413993718908291383268",
                "1000000000000000000000000000000000000007",
            ),
        ],
        cycle: Some(1),
        guide: None,
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
    let shapes = (1..=5).fold(
        Chart::new("The shapes of points")
            .x(Axis::new("x"))
            .y(Axis::new("y")),
        |chart, i| {
            let points = (0..=10).map(|x| (f64::from(x), f64::from(i * (x + 2))));
            chart.series(Series::points(format!("{i}(x + 2)"), points.collect()))
        },
    );
    let one = FlowChart {
        target: "1".into(),
        unit: "flip".into(),
        rounds: Vec::new(),
        cycle: None,
        guide: None,
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
        ("shapes", shapes.draw().unwrap()),
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
