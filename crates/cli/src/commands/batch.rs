//! `flipcost batch`: several targets in a row, and endless streams of one.

use super::args::{self, DigitsArg, OutputArgs, SourceArg};
use super::{Failure, flowchart, remark};
use crate::rows::Output;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::algorithms::faces::{Faces, GENERATOR, parse_rolls};
use flipcost::law::Size;
use flipcost::number::real::Real;
use flipcost::number::{BigInt, BigUint, Rational};
use flipcost::streams::{self, EXHAUSTIVE, Event, LongRun, Recycler};
use flipcost::table::Cell;
use flipcost::table::EXACT_LIMIT;
use flipcost::task::Task;
use flipcost_figures::{Axis, Chart, Dash, Hue, Scale, Series};
use num_traits::ToPrimitive;
use std::path::{Path, PathBuf};

/// What several targets in a row cost, with the state kept between them or not
#[derive(clap::Args)]
pub struct Batch {
    /// Sides of the targets, in order
    #[arg(value_name = "N", required = true, value_parser = args::target, allow_negative_numbers = true)]
    targets: Vec<BigUint>,
    #[command(flatten)]
    source: SourceArg,
    /// Add the order of the targets that costs least with the state kept
    #[arg(long)]
    best_order: bool,
    /// Really roll the targets once, and show every step
    #[arg(short, long, conflicts_with_all = ["best_order", "repeat", "power", "chart", "digits", "format", "output"])]
    trace: bool,
    /// Your own physical rolls for --trace: HTHHT for a coin (H is 1, T is 2), or faces as in 6,3,4,3
    #[arg(
        short,
        long,
        value_name = "ROLLS",
        requires = "trace",
        conflicts_with = "seed",
        allow_hyphen_values = true
    )]
    input: Option<String>,
    /// Repeatable rolls for --trace from this seed, instead of the operating system's randomness
    #[arg(long, value_name = "S", requires = "trace", value_parser = args::word, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// The long-run cost per result of an endless stream of one target
    #[arg(long, conflicts_with = "best_order")]
    repeat: bool,
    /// The eager variant: expand to at least C before every result
    #[arg(long, value_name = "C", value_parser = args::positive, allow_negative_numbers = true)]
    capacity: Option<u64>,
    /// One roll of a die with N^J sides serves J results: its cost per result
    #[arg(long, value_name = "J", value_parser = args::positive, allow_negative_numbers = true, conflicts_with = "best_order")]
    power: Option<u64>,
    /// Draw the cost per result of an endless stream against the capacity, up to --capacity (the name
    /// ends in .svg or .png; -o with such a name does the same)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

/// The most targets.
const MOST_TARGETS: usize = 200;
/// The most targets that are put in order.
const MOST_ORDERED: usize = 100;
/// The highest power.
const MOST_POWER: u64 = 10_000;
/// Decimals of the ends of an enclosed long run.
const ENDS: u32 = 12;

impl Batch {
    pub fn run(mut self) -> Result<(), Failure> {
        if self.targets.len() > MOST_TARGETS {
            return Err(Failure::Input(format!(
                "{} targets are too many: {MOST_TARGETS} is the most",
                self.targets.len()
            )));
        }
        if self.trace {
            return self.play();
        }
        if self.chart.is_none() {
            self.chart = self.output.take_picture();
        }
        if self.chart.is_some() && self.capacity.is_none() {
            return Err(Failure::Input(
                "a chart needs --capacity C: it shows the cost against the capacities up to C"
                    .into(),
            ));
        }
        if self.best_order && self.targets.len() > MOST_ORDERED {
            return Err(Failure::Input(format!(
                "{} targets are too many for --best-order: {MOST_ORDERED} is the most",
                self.targets.len()
            )));
        }
        if let (Some(path), Some(capacity)) = (&self.chart, self.capacity) {
            let n = self.one_target("the chart")?;
            chart(self.source.source, n, capacity, path)?;
        }
        if self.repeat || self.power.is_some() {
            return self.stream();
        }
        self.modes()
    }

    /// The one target of a stream.
    fn one_target(&self, why: &str) -> Result<u64, Failure> {
        let [target] = &self.targets[..] else {
            return Err(Failure::Input(format!(
                "{why} is about an endless stream of one target, and {} targets are given",
                self.targets.len()
            )));
        };
        target.to_u64().ok_or_else(|| {
            let n = super::cost::short(target);
            Failure::Input(format!("{why} needs a target below 2^64, and n = {n}"))
        })
    }

    /// One row: what is served, its cost, and the shares.
    fn row(
        &self,
        mode: &str,
        order: String,
        cost: &Real,
        shares: &[Real],
    ) -> Result<Vec<Cell>, Failure> {
        let shares: Result<Vec<Cell>, Failure> =
            shares.iter().map(|share| self.digits.cell(share)).collect();
        Ok(vec![
            Cell::Text(mode.to_string()),
            Cell::Text(order),
            self.digits.exact(cost),
            self.digits.cell(cost)?,
            Cell::Text(args::joined(&shares?, " ")),
        ])
    }

    fn modes(&self) -> Result<(), Failure> {
        let m = self.source.source;
        let order = args::joined(&self.targets, " ");
        let costs = streams::batch(m, &self.targets);
        let mut rows = Vec::new();
        for mode in costs.modes() {
            rows.push(self.row(mode.id, order.clone(), &mode.cost, &mode.shares)?);
        }
        if let Some(capacity) = self.capacity {
            let eager = streams::eager_batch(m, capacity, &self.targets).keep;
            rows.push(self.row("eager", order, &eager.cost, &eager.shares)?);
        }
        if self.best_order {
            let best = streams::best_order(m, &self.targets);
            if !best.exhaustive {
                remark(&format!(
                    "more than {EXHAUSTIVE} targets (or one above 2^64): no move of one target to another place is better, but not all orders were compared"
                ));
            } else if !best.proved {
                remark(
                    "all orders were compared, but too many cost the same to prove the best: none is better by more than 1 in 10^9",
                );
            }
            let keep = streams::batch(m, &best.targets).keep;
            rows.push(self.row(
                "keep",
                args::joined(&best.targets, " "),
                &best.cost,
                &keep.shares,
            )?);
        }
        let headers = ["mode", "order", "expected_exact", "expected", "shares"];
        self.output.write(&headers, &rows)
    }

    /// `--repeat` and `--power`: per result.
    fn stream(&self) -> Result<(), Failure> {
        let m = self.source.source;
        let mut rows = Vec::new();
        let order = self.targets[0].to_string();
        if self.repeat {
            let n = self.one_target("--repeat")?;
            rows.push(self.long_run("repeat", &order, &streams::repeat(m, n))?);
            if let Some(capacity) = self.capacity {
                rows.push(self.long_run(
                    "eager",
                    &order,
                    &streams::eager_repeat(m, n, capacity),
                )?);
            }
        }
        let n = BigUint::from(self.one_target("--power")?);
        let mut known = |mode: &str, order: String, cost: Real| -> Result<(), Failure> {
            rows.push(vec![
                Cell::Text(mode.to_string()),
                Cell::Text(order),
                self.digits.exact(&cost),
                self.digits.cell(&cost)?,
                Cell::Empty,
                Cell::Empty,
            ]);
            Ok(())
        };
        if let Some(power) = self.power {
            if power > MOST_POWER {
                return Err(Failure::Input(format!(
                    "a power of {power} is too high: {MOST_POWER} is the most"
                )));
            }
            let all = fast(m, n.pow(power as u32))?;
            known(
                "power",
                format!("{order}^{power}"),
                all.over(&Real::integer(power)),
            )?;
        }
        known("separate", order.clone(), fast(m, n.clone())?)?;
        known("bound", order, Real::log(&n, m))?;
        let headers = ["mode", "order", "expected_exact", "expected", "low", "high"];
        self.output.write(&headers, &rows)
    }

    /// A long run: exact, or enclosed with its ends rounded outwards.
    fn long_run(&self, mode: &str, order: &str, run: &LongRun) -> Result<Vec<Cell>, Failure> {
        let (low, high) = (Real::Exact(run.low.clone()), Real::Exact(run.high.clone()));
        let mut row = vec![Cell::Text(mode.to_string()), Cell::Text(order.to_string())];
        if run.exact.is_some() {
            row.extend([
                self.digits.exact(&low),
                self.digits.cell(&low)?,
                Cell::Empty,
                Cell::Empty,
            ]);
            return Ok(row);
        }
        let (below, above) = (self.digits.cell(&low)?, self.digits.cell(&high)?);
        let known = if below == above { below } else { Cell::Empty };
        if known == Cell::Empty {
            let why = match run.classes {
                Some(classes) if classes > 1 => {
                    format!(
                        "it depends on chance in which of {classes} closed classes of the chain the stream ends"
                    )
                }
                _ => "the chain is too large to solve exactly".to_string(),
            };
            remark(&format!(
                "{mode}: {why}; the cost lies between low and high"
            ));
        }
        let digits = self.digits.digits.unwrap_or(ENDS).max(1);
        let end = |value: &Rational, up: bool| -> Result<Cell, Failure> {
            let scale = BigInt::from(10u8).pow(digits);
            let scaled = value * &scale;
            let whole = if up { scaled.ceil() } else { scaled.floor() };
            let text = Real::Exact(whole / scale)
                .decimals(digits)
                .map_err(Failure::input)?;
            Ok(Cell::Exact(text))
        };
        row.extend([
            Cell::Empty,
            known,
            end(&run.low, false)?,
            end(&run.high, true)?,
        ]);
        Ok(row)
    }

    /// `--trace`.
    fn play(&self) -> Result<(), Failure> {
        let m = self.source.source;
        let given = (self.input.as_deref())
            .map(|text| parse_rolls(text, m))
            .transpose();
        let given = given.map_err(Failure::input)?;
        let length = given.as_ref().map_or(0, Vec::len);
        let mut given = given.map(Vec::into_iter);
        let mut faces = match self.seed {
            Some(seed) => Faces::seeded(seed),
            None => Faces::system(),
        };
        match (&given, self.seed) {
            (Some(_), _) => {}
            (None, Some(seed)) => remark(&format!("rolls from {GENERATOR}, seed {seed}")),
            (None, None) => remark("rolls from the operating system's randomness"),
        }
        let (unit, die) = match m {
            2 => ("flip", "coin".to_string()),
            m => ("roll", format!("d{m}")),
        };
        let mut recycler = Recycler::eager(m, self.capacity.unwrap_or(1));
        let mut output = Output::open(None)?;
        let mut results = Vec::new();
        for target in &self.targets {
            let mut lines = Vec::new();
            let mut tell = |event: Event| {
                lines.push(match event {
                    Event::Expand { face, v, c } => {
                        let face = super::roll::face_name(m, face);
                        format!("  {die} shows {face}  ->  v = {v}, c = {c}")
                    }
                    Event::Reject { v, c } => format!("  reject  ->  v = {v}, c = {c}"),
                    Event::Extract { sides, face, v, c } => {
                        format!("d{sides} = {face}  ->  v = {v}, c = {c}")
                    }
                });
            };
            let mut roll = || match given.as_mut() {
                Some(rolls) => rolls.next(),
                None => faces.roll(m),
            };
            let result = recycler.draw(target, &mut roll, Some(&mut tell));
            output.with(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
            let Some(result) = result else {
                output.finish()?;
                return Err(Failure::Input(match faces.failed {
                    Some(error) => format!("the operating system gave no randomness: {error}"),
                    None => format!(
                        "the {length} {unit}s of --input ran out before result {} of {} was decided",
                        results.len() + 1,
                        self.targets.len()
                    ),
                }));
            };
            results.push(result);
        }
        output.with(|out| writeln!(out, "results: {}", args::joined(&results, " ")))?;
        output.finish()?;
        if let Some(rest) = given.filter(|rest| rest.len() > 0) {
            remark(&format!(
                "{} of the {unit}s given were not needed",
                rest.len()
            ));
        }
        Ok(())
    }
}

/// The expected rolls of the fast dice roller: exact where the fraction is not too large.
fn fast(source: u64, n: BigUint) -> Result<Real, Failure> {
    let dice = Task::dice(source, n).map_err(Failure::input)?;
    let law = FAST_DICE_ROLLER
        .prepare(&dice)
        .map_err(Failure::input)?
        .law();
    let law = law.map_err(Failure::input)?;
    Ok(match law.size() {
        Size::Bits(bits) if bits <= EXACT_LIMIT => Real::Exact(law.exact_mean()),
        _ => law.mean(),
    })
}

/// Cost per result against the capacity, at the powers of two up to `capacity`.
fn chart(source: u64, n: u64, capacity: u64, path: &Path) -> Result<(), Failure> {
    let middle = |run: LongRun| {
        let middle = (run.low + run.high) / BigInt::from(2);
        Real::Exact(middle).nearest_f64().map_err(Failure::input)
    };
    let mut capacities: Vec<u64> = (0..64)
        .map(|k| 1u64 << k)
        .take_while(|c| *c < capacity)
        .collect();
    capacities.push(capacity);
    let mut points = Vec::new();
    for c in capacities {
        points.push((c as f64, middle(streams::eager_repeat(source, n, c))?));
    }
    let double = |value: Real| value.nearest_f64().map_err(Failure::input);
    let bound = double(Real::log(&n.into(), source))?;
    let separate = double(fast(source, n.into())?)?;
    let unit = if source == 2 { "flips" } else { "rolls" };
    let title = format!(
        "An endless stream of d{n} from {}",
        super::recipe::die_name(source)
    );
    let drawing = Chart::new(title)
        .x(Axis::new("capacity").scale(Scale::Log2))
        .y(Axis::new(format!("{unit} per result")))
        .series(
            Series::hline("a fresh start for every result", separate)
                .hue(Hue::Vermillion)
                .dash(Dash::Dashed),
        )
        .series(
            Series::hline("entropy bound", bound)
                .hue(Hue::Blue)
                .dash(Dash::Dotted),
        )
        .series(
            Series::line("", points.clone())
                .hue(Hue::Green)
                .dash(Dash::Solid),
        )
        .series(Series::points("state kept, expanded to the capacity", points).hue(Hue::Green));
    flowchart::write(path, None, || drawing.draw())
}
