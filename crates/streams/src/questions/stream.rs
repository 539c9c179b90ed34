//! The best policy of a store of S states, for an endless stream of one target, or of several
//! targets in a fixed order.

use crate::questions::Batch;
use crate::{
    BestStore, MAX_STATES, Move, Policy, StageDecision, Staged, StoreError, StoreRun, StoreStep,
    best_store, eager_repeat,
};
use flipcost::table::Precision;
use flipcost::task::Target;
use flipcost_number::{BigUint, Decimal, Rational, Real};
use flipcost_question::precision::cell_between_bounds;
use flipcost_question::prelude::*;
use flipcost_question::rolls::Rolls;
use flipcost_question::texts;
use flipcost_question::value::join_values;
use flipcost_question::{Targets, TargetsError};
use num_traits::ToPrimitive;
use std::fmt::{self, Write};
use std::str::FromStr;

question! {
    /// The fewest rolls per result, on average, if one of S values may be stored between results
    ///
    /// The least cost of such a store for an endless stream of fair dice, and a policy that reaches
    /// it, with its proof. The stream requests the same die again and again, or several dice in
    /// turn, such as 4,13.
    ///
    /// Between rolls and results the state is a number uniform on at most S values. Up to 512
    /// states, a certificate in whole numbers proves that the policy is the best; up to 10,000
    /// states, the cost is enclosed. Both limits count the states once for each die in turn. The
    /// class `staged` is a rule for coins that also stores a partly answered request; it works for
    /// every N and S.
    ///
    /// `expected` is the rolls per result in the long run; `fill_exact` is the cost of filling the
    /// store and then taking the result from the largest multiple of the target (for a single
    /// target); `loss_bits` is the entropy that is lost per result. With `trace` the store is run:
    /// a row for each step.
    pub struct Stream: "stream" {
        /// The sides of the die, or of the dice in the order in which they are requested: 6, or
        /// 4,13
        target: TargetsInTurn; word("N"),
        /// S, the maximum number of values of the stored number
        states: u64; option("S"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The kind of state: whole (a number; no request is partly answered) or staged (a request
        /// may be partly answered)
        class: StoreClass = StoreClass::Whole; option("CLASS"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Roll, and show every step
        trace: bool; flag().short('t').without(&["digits"]),
        /// The number of results of --trace [default: 3]
        results: Option<u64>; option("COUNT").with("trace"),
        /// A person's own rolls for `trace`: `HTHHT` for a coin (H is 1, T is 2), or faces as in
        /// `6,3,4`.
        input: Option<String>; ROLLS.with("trace").without(&["seed"]),
        /// The seed of repeatable rolls for `trace`.
        seed: Option<u64>; option("S").with("trace"),
    }
    purpose: Table
    examples: [
        "stream 6 --states 64",
        "stream 10 --states 60 --source 6",
        "stream 1000 --states 16 --class staged",
        "stream 3 --states 32 --trace --input HTHHTTHTHH --results 2",
    ]
}

/// The targets of a stream in their order: `6`, or `4,13` for a d4 and a d13 in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetsInTurn(Vec<u64>);

impl TargetsInTurn {
    /// The numbers of sides of the dice: one or more.
    pub fn targets(&self) -> &[u64] {
        &self.0
    }

    /// The dice.
    fn dice(&self) -> Vec<Target> {
        let die = |n: &u64| Target::uniform(*n).expect("each has a side");
        self.0.iter().map(die).collect()
    }

    /// The target, if there is only one.
    fn only_target(&self) -> Option<u64> {
        match self.0[..] {
            [target] => Some(target),
            _ => None,
        }
    }
}

impl fmt::Display for TargetsInTurn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&join_values(&self.0, ","))
    }
}

/// The error for a text that is not a list of targets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetsInTurnError {
    /// An item is not a target.
    #[error(transparent)]
    Targets(#[from] TargetsError),
    /// A target is not fair.
    #[error("a stream needs fair dice, and {0} are not fair: write 6, or 4,13 for dice in turn")]
    Weights(String),
    /// A die has more sides than a word holds.
    #[error("{0} is too large for a stream: a die of fewer than 2^64 sides was expected")]
    Large(String),
    /// There are more dice than can be solved.
    #[error("{0} dice in an order are too many: {MAX_TARGETS} is the most")]
    TooMany(usize),
}

/// The maximum number of targets in an order.
const MAX_TARGETS: usize = 1000;

impl FromStr for TargetsInTurn {
    type Err = TargetsInTurnError;

    fn from_str(text: &str) -> Result<TargetsInTurn, TargetsInTurnError> {
        let targets: Targets = text.parse()?;
        if targets.get().len() > MAX_TARGETS {
            return Err(TargetsInTurnError::TooMany(targets.get().len()));
        }
        let targets = targets.get().iter().map(|target| match target.sides() {
            None => Err(TargetsInTurnError::Weights(target.phrase())),
            Some(sides) => {
                (sides.to_u64()).ok_or_else(|| TargetsInTurnError::Large(target.phrase()))
            }
        });
        targets.collect::<Result<_, _>>().map(TargetsInTurn)
    }
}

choices! {
    /// The kind of state that is kept between two rolls.
    pub enum StoreClass {
        /// A number only: no request is half answered when the source is rolled.
        Whole = "whole",
        /// A number and a half-answered request: the largest power of two first, from coins.
        Staged = "staged",
    }
}

/// The maximum number of results in a trace.
const MAX_RESULTS: u64 = 100_000;
/// The maximum number of lines of a policy that are shown.
const MAX_POLICY_LINES: usize = 60;
/// For an enclosed cost, at most this many decimals are tried.
const MAX_CERTAIN_DECIMALS: u32 = 15;
/// Fractions whose denominator has more bits than this are left out of the text; the row contains
/// them.
const MAX_FRACTION_BITS: u64 = 100;

/// A cost: an exact value, or two bounds.
struct CostBounds {
    low: Real,
    high: Real,
    is_exact: bool,
}

impl Question for Stream {
    fn summary(&self, answer: &Answer) -> String {
        if self.trace {
            return format!(
                "the stream of d{} was rolled, in {}",
                self.target,
                count_with_noun(answer.rows.len() as u64, "step")
            );
        }
        let cost = answer.measure(0, "expected").unwrap_or_default();
        let proved = match answer.cell(0, "proved").to_string().as_str() {
            "yes" => "; no policy with this many states takes fewer",
            _ => "",
        };
        format!(
            "a result of a stream of d{} takes {cost} on average with {}{proved}",
            self.target,
            count_with_noun(self.states, "state")
        )
    }

    fn is_streamed(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let places = self.target.targets().len() as u128;
        let states = u128::from(self.states.min(MAX_STATES)) * places;
        let results = u128::from(self.results.unwrap_or(3).min(MAX_RESULTS));
        Estimate::space(
            states * 4000 + 10_000_000,
            if self.trace {
                results * 5000
            } else {
                20_000 + 3 * states + 3 * u128::from(self.digits.unwrap_or(16))
            },
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let source = self.source_sides()?;
        for target in self.target.targets() {
            Target::uniform(*target).map_err(QueryError::for_field("target"))?;
        }
        if self.states < 2 {
            let what = "a store of a single state cannot be rolled";
            return Err(
                QueryError::wrong("states", what).right(say!(field("states"), " takes 2 or more"))
            );
        }
        control.go_on()?;
        match self.class {
            StoreClass::Whole => self.answer_whole_class(source, precision, control, sink),
            StoreClass::Staged => self.answer_staged_class(source, precision, control, sink),
        }
    }
}

impl Stream {
    /// The number of sides of the source; a roll multiplies the number of values in the store by
    /// this number.
    fn source_sides(&self) -> Result<u64, QueryError> {
        let sides = self.source.fair("a store")?;
        let small = u64::try_from(sides).ok().filter(|m| *m <= MAX_STATES);
        small.ok_or_else(|| {
            let source = self.source.0.with_article();
            let what = say!(
                "a store has at most {MAX_STATES} states, and a roll of {source} makes {sides} or more"
            );
            let mut right = say!("choose a source of up to {MAX_STATES} sides");
            if self.target.only_target().is_some() {
                let batch = Batch::with_defaults([
                    ("targets", Some(self.target.to_string().into())),
                    ("source", self.source.json()),
                    ("repeat", Some(true.into())),
                ]);
                right = say!(right, "; ", batch, " keeps what is left of a roll for any source");
            }
            QueryError::wrong("source", what).right(right)
        })
    }

    fn answer_whole_class(
        &self,
        source: u64,
        precision: Precision,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let best = best_store(
            &self.source.0,
            &self.target.dice(),
            self.states,
            &mut || control.go_on().is_ok(),
        );
        control.go_on()?;
        let best = best.map_err(|error| match error {
            StoreError::TooLarge(_) if source == 2 && self.target.only_target().is_some() => {
                let staged = field("class").is("staged");
                QueryError::wrong("states", say!("{error}; ", staged, " takes any"))
            }
            StoreError::TooSmall { target, least, .. } => {
                let source = self.source.0.with_article();
                let what = say!(
                    field("states"),
                    " must be at least {least} for a d{target} from {source}"
                );
                QueryError::wrong("states", what)
            }
            error => QueryError::for_field("states")(error),
        })?;
        if self.trace {
            return self.run_store(StoreRun::new(best.policy), source, control, sink);
        }
        let mut foot = Foot::text(self.policy_text(source, &best.policy));
        let cost = CostBounds {
            low: Real::Exact(best.low.clone()),
            high: Real::Exact(best.high.clone()),
            is_exact: best.low == best.high,
        };
        if !cost.is_exact {
            foot.note(bounds_text(&best));
        }
        let exceptions = self.count_exceptions(source, &best.policy);
        self.write_cost_row(source, &cost, Some(exceptions), precision, foot, sink)
    }

    fn answer_staged_class(
        &self,
        source: u64,
        precision: Precision,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        if source != 2 {
            let what =
                say!("the staged rule works only for coins, and the source has {source} sides");
            let whole = field("class").is("whole");
            let right = say!("leave out ", field("source"), ", or choose ", whole);
            return Err(QueryError::wrong("source", what).right(right));
        }
        if self.states < 4 {
            let states = self.states;
            let what =
                say!("the staged rule needs a store of 4 states or more, and {states} are too few");
            return Err(QueryError::wrong("states", what));
        }
        let Some(target) = self.target.only_target() else {
            let targets = &self.target;
            let what =
                say!("the staged rule works only for a single target, and {targets} are several");
            return Err(
                QueryError::wrong("class", what).right(say!("choose ", field("class").is("whole")))
            );
        };
        let rule = Staged::new(target, self.states);
        if self.trace {
            return self.run_store(StoreRun::staged(rule), source, control, sink);
        }
        let entropy = Real::log(target, 2);
        let mut foot = Foot::text(self.staged_rule_text(&rule));
        let cost = match rule.cost() {
            Some(exact) => CostBounds {
                low: Real::Exact(exact.clone()),
                high: Real::Exact(exact),
                is_exact: true,
            },
            None => {
                let high = entropy.plus(&rule.loss_bound());
                // Half a unit of the sixth decimal is subtracted from the lower bound and added to
                // the upper, so that the rounded values are still bounds.
                let half = Real::Exact(Rational::new(1.into(), 2_000_000.into()));
                let low = entropy
                    .minus(&half)
                    .decimals(6)
                    .map_err(QueryError::input)?;
                let above = high.plus(&half).decimals(6).map_err(QueryError::input)?;
                foot.note(format!(
                    "the chain is too large to solve exactly: the rule costs from {low} to {above} coins a \
                     result, and expected and loss_bits have only the decimals on which the entropy and the rule's \
                     bound agree on"
                ));
                CostBounds {
                    high,
                    low: entropy,
                    is_exact: false,
                }
            }
        };
        control.go_on()?;
        foot.note("expected is the cost of this rule; another rule of its class may cost less");
        self.write_cost_row(source, &cost, None, precision, foot, sink)
    }

    fn write_cost_row(
        &self,
        source: u64,
        cost: &CostBounds,
        exceptions: Option<u64>,
        precision: Precision,
        foot: Foot,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let unit = self.source.0.unit().plural();
        let proved = cost.is_exact && self.class == StoreClass::Whole;
        let one = self.target.only_target();
        let kind = one.map_or(CellKind::Text, |_| CellKind::Count);
        let head = Head::new()
            .column("target", kind)
            .columns(CellKind::Count, ["source", "states"])
            .column("class", CellKind::Text)
            .measured("expected_exact", CellKind::Exact, unit)
            .measured("expected", CellKind::Decimal, unit)
            .measured("fill_exact", CellKind::Exact, unit)
            .measured("loss_bits", CellKind::Decimal, "bits")
            .column("proved", CellKind::Text)
            .column("exceptions", CellKind::Count);
        let targets = self.target.targets();
        let (all, m): (BigUint, _) = (
            targets.iter().map(|n| BigUint::from(*n)).product(),
            BigUint::from(source),
        );
        // The loss is computed in units of log m, so that a difference of 0 is recognized as 0.
        let entropy = Real::log(all.clone(), source).over(&Real::integer(targets.len() as u64));
        let loss = |cost: &Real| cost.minus(&entropy).times(&Real::log(m.clone(), 2));
        let loss = CostBounds {
            low: loss(&cost.low),
            high: loss(&cost.high),
            is_exact: cost.is_exact,
        };
        let fill = match self.target.only_target() {
            Some(n) if n <= self.states / source + 1 => {
                let die = Target::uniform(n).map_err(QueryError::for_field("target"))?;
                let run = eager_repeat(&self.source.0, &die, self.states / source + 1);
                run.map_err(QueryError::input)?.exact
            }
            _ => None,
        };
        let row = row![
            one.map_or_else(
                || Cell::Text(self.target.to_string()),
                |n| Cell::Integer(n.into()),
            ),
            source,
            self.states,
            self.class.to_string(),
            if cost.is_exact {
                exact_cell(&cost.low)
            } else {
                Cell::Empty
            },
            certain_decimals_cell(cost, precision)?,
            fill.map_or(Cell::Empty, |fill| exact_cell(&Real::Exact(fill))),
            certain_decimals_cell(&loss, precision)?,
            if proved { "yes" } else { "no" }.to_string(),
            exceptions
        ];
        sink.write_answer(&head, vec![row], foot)
    }

    /// Runs the store with rolls of the source.
    fn run_store(
        &self,
        mut run: StoreRun,
        source: u64,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let wanted = self.results.unwrap_or(3);
        if wanted > MAX_RESULTS {
            let what = say!("{wanted} results are too many for a trace");
            return Err(QueryError::wrong("results", what).right(say!("{MAX_RESULTS} is the most")));
        }
        let mut rolls = Rolls::from_fields(self.input.as_deref(), self.seed, &self.source)?;
        let mut foot = Foot::default();
        rolls.note_origin(&mut foot);
        let head = Head::new()
            .column("step", CellKind::Text)
            .columns(CellKind::Count, ["face", "v", "c"]);
        sink.head(&head)?;
        let mut done = 0;
        while done < wanted {
            control.go_on()?;
            control.progress(done, wanted);
            let next = run.target();
            let Some(step) = run.step(&mut || rolls.next(source.into())) else {
                sink.foot(foot)?;
                let before = format!("result {} of {wanted} was decided", done + 1);
                return Err(rolls.ran_out_error("rolls", &before, None));
            };
            let (number, values) = run.state();
            let (name, face) = match step {
                StoreStep::Roll(face) => ("roll".to_string(), Some(face + 1)),
                StoreStep::Split(k) => (format!("split at {k}"), None),
                StoreStep::Decide(size, decision) => {
                    let what = match decision {
                        StageDecision::Group => format!("one of {size}"),
                        StageDecision::Others => format!("none of {size}"),
                        _ => "left over".to_string(),
                    };
                    (what, None)
                }
                StoreStep::Outcome(face) => {
                    done += 1;
                    let name = match self.target.only_target() {
                        Some(_) => "result".to_string(),
                        None => format!("result d{next}"),
                    };
                    (name, Some(face + 1))
                }
            };
            sink.rows(vec![row![name, face, values, number]])?;
        }
        rolls.note_rest("rolls", &mut foot);
        sink.foot(foot)
    }

    /// The number of sizes of the store at which the policy makes another move than the policy
    /// "fill, then extract".
    fn count_exceptions(&self, source: u64, policy: &Policy) -> u64 {
        let filling = Policy::fill(source, self.target.targets(), self.states);
        let reached = policy.reached();
        let places = 0..self.target.targets().len();
        let other = |place: usize, v: u64| {
            reached[place][v as usize] && policy.move_at(place, v) != filling.move_at(place, v)
        };
        let count = |place: usize| (1..=policy.largest()).filter(|v| other(place, *v)).count();
        places.map(count).sum::<usize>() as u64
    }

    /// Describes the policy: how the store is filled, which move follows, and the exceptions.
    fn policy_text(&self, source: u64, policy: &Policy) -> String {
        let filling = Policy::fill(source, self.target.targets(), self.states);
        let reached = policy.reached();
        let roots = self.states / source;
        let (order, n) = match self.target.only_target() {
            Some(n) => (String::new(), n.to_string()),
            None => {
                let order = format!(
                    "n is {} in turn, the sides of the die that is next.\n",
                    self.target
                );
                (order, "n".to_string())
            }
        };
        let mut text = format!(
            "{order}The store holds c, uniform on 0 to v - 1; it begins with v = 1, c = 0.\n\
             roll     while v <= {roots}: v becomes {source} v, and c becomes {source} c + face - 1\n\
             split    at v > {roots}: with k the largest multiple of {n} up to v,\n         \
             if c < k go on with v = k, else with v - k and c - k\n\
             result   where {n} divides v: c mod {n} + 1; v becomes v / {n}, and c becomes c / {n}\n"
        );
        let mut lines = Vec::new();
        for (place, &n) in self.target.targets().iter().enumerate() {
            let when = match self.target.only_target() {
                Some(_) => String::new(),
                None => format!("die {} (d{n}) next, ", place + 1),
            };
            for v in roots + 1..=policy.largest() {
                let (own, fill) = (policy.move_at(place, v), filling.move_at(place, v));
                if !reached[place][v as usize] || (own == fill && v >= n) {
                    continue;
                }
                let line = match own {
                    Move::Split(k) => format!("{when}at v = {v}: split, k = {k}"),
                    Move::Output => format!("{when}at v = {v}: result"),
                    _ => continue,
                };
                lines.push(line);
            }
        }
        let text_of = |text: &mut String, line: &str| {
            writeln!(text, "{line}").expect("memory takes every byte");
        };
        match lines.len() {
            0 => text_of(&mut text, "No exceptions."),
            1 => text_of(&mut text, "But"),
            more => text_of(&mut text, &format!("But ({more} exceptions)")),
        }
        for line in lines.iter().take(MAX_POLICY_LINES) {
            text_of(&mut text, &format!("  {line}"));
        }
        if let Some(more) = lines
            .len()
            .checked_sub(MAX_POLICY_LINES)
            .filter(|more| *more > 0)
        {
            text_of(&mut text, &format!("  and {more} more"));
        }
        text
    }

    /// Describes the staged rule.
    fn staged_rule_text(&self, rule: &Staged) -> String {
        let (n, states) = (rule.target(), self.states);
        if n.is_power_of_two() {
            let coins = n.ilog2();
            return format!("{coins} coins are a result by themselves: the store is not used.\n");
        }
        let half = states / 2;
        let power = 1u64 << n.ilog2();
        let mut text = format!(
            "The store holds c, uniform on 0 to v - 1; it begins with v = 1, c = 0.\n\
             A request for one of n = {n}:\n\
             1  If n = 2^k is a power of two, k coins are the result.\n\
             2  Else let j = {power}, the largest power of two up to n.\n\
             3  Flip while v <= {half}: v becomes 2 v, and c becomes 2 c + coin.\n\
             4  g = floor(j v / n), h = floor((n - j) v / n).\n   \
             c < g: v becomes g; coins choose among the first {power} outcomes.\n   \
             c < g + h: v becomes h, c becomes c - g; ask for one of the other n - {power}.\n   \
             else: v = 1, c = 0, j becomes j v mod n (v as it was); go to 3.\n"
        );
        let stages = rule.stages();
        if stages.denom().bits() <= MAX_FRACTION_BITS {
            writeln!(text, "{stages} stages are expected for each result.")
                .expect("memory takes every byte");
        }
        text
    }
}

/// The decimals that both bounds share, up to the requested precision.
fn certain_decimals_cell(cost: &CostBounds, precision: Precision) -> Result<Cell, QueryError> {
    let (low, high) = (
        decimal(&cost.low, precision),
        decimal(&cost.high, precision),
    );
    if cost.is_exact {
        return low;
    }
    if let (Ok(low), Ok(high)) = (low, high)
        && let known = cell_between_bounds(&low, &high)
        && known != Cell::Empty
    {
        return Ok(known);
    }
    for digits in (1..=precision
        .digits
        .unwrap_or(MAX_CERTAIN_DECIMALS)
        .min(MAX_CERTAIN_DECIMALS))
        .rev()
    {
        if let (Ok(low), Ok(high)) = (cost.low.decimal(digits), cost.high.decimal(digits))
            && let Some(known) = Decimal::common(&low, &high)
        {
            return Ok(Cell::Decimal(known));
        }
    }
    Ok(Cell::Empty)
}

/// The number of decimals of the bounds of an enclosure.
const BOUND_DECIMALS: u32 = 12;

/// Describes the bounds for a store that is too large for exact values.
fn bounds_text(best: &BestStore) -> String {
    let low = Decimal::down(&best.low, BOUND_DECIMALS);
    let high = Decimal::up(&best.high, BOUND_DECIMALS);
    format!(
        "no policy costs less than {low}, and this one costs at most {high}: expected and \
         loss_bits have only the decimals that are certain"
    )
}

texts! { TargetsInTurn, "DiceLike" }
