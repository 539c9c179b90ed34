//! The columns of a row: the costs of an algorithm for a task.
//!
//! A column is one line of the registry below, which states its name, its meaning, its unit, and
//! how its value is computed. The commands, the help, a sweep and the rule for b-files (integers
//! only) derive everything else from that line, so to add a column, add a line.

use super::precision::EXACT_LIMIT;
use super::{Cell, Integer};
use crate::algorithms::bounded::missing_prime;
use crate::algorithms::{Algorithm, NotKnown, Prepared, Purpose, Quantity, TableRequest, find};
#[cfg(feature = "statistics")]
use crate::law::Detection;
use crate::law::{Bias, FractionSize, Law, surprise};
use crate::roller::narrow::Narrow;
use crate::task::{Source, Target, Task};
use flipcost_number::Real;
use flipcost_number::expression::ExpressionError;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::Zero;
use std::collections::BTreeMap;
use std::fmt;
use std::slice;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The cell of a source: the number of sides of a fair source, otherwise the source as it is
/// written.
pub fn source_cell(source: &Source) -> Cell {
    if source.is_fair() {
        Cell::Integer((&source.sides()).into())
    } else {
        Cell::Text(source.to_string())
    }
}

/// The values that identify a row: the target, the source and the algorithm.
#[derive(Clone, Copy)]
pub(crate) struct RowKey<'a> {
    /// The target.
    pub(crate) target: RowTarget<'a>,
    /// The source.
    pub(crate) source: &'a Source,
    /// The id of the algorithm.
    pub(crate) algorithm: &'static str,
}

/// The target of a row. Most targets are fair dice of a range, which need no allocation.
#[derive(Clone, Copy)]
pub(crate) enum RowTarget<'a> {
    /// A fair die.
    Sides(&'a Integer),
    /// Any target.
    Target(&'a Target),
}

impl RowKey<'_> {
    /// Computes a cell that depends only on the target and the source.
    pub(super) fn of_pair(&self, cell: fn(&Target, &Source) -> Cell) -> Cell {
        let target = self.target.target();
        target.map_or(Cell::Empty, |target| cell(&target, self.source))
    }
}

impl RowTarget<'_> {
    /// The target itself.
    pub(super) fn target(&self) -> Option<Target> {
        match self {
            RowTarget::Sides(n) => Target::uniform(n.to_big()).ok(),
            RowTarget::Target(target) => Some((*target).clone()),
        }
    }

    fn sides(&self) -> Cell {
        match self {
            RowTarget::Sides(n) => Cell::Integer((*n).clone()),
            RowTarget::Target(target) => {
                (target.sides()).map_or(Cell::Empty, |n| Cell::Integer(n.into()))
            }
        }
    }

    fn written(&self) -> Cell {
        Cell::Text(match self {
            RowTarget::Sides(n) => n.to_string(),
            RowTarget::Target(target) => target.to_string(),
        })
    }

    fn weight_sum(&self) -> Cell {
        Cell::Integer(match self {
            RowTarget::Sides(n) => (*n).clone(),
            RowTarget::Target(target) => target.weight_sum().into(),
        })
    }
}

/// The costs of an algorithm for a task: the values of the columns, each computed on its first
/// request.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::table::Costs;
/// let costs = Costs::new(FAST_DICE_ROLLER, &"d12 from d6".parse()?)?;
/// assert_eq!(costs.mean().to_string(), "2");
/// assert_eq!(costs.toll().decimals(4)?, "0.6131"); // 2 - log_6 12
/// use flipcost::task::{Source, Target, Task};
/// let knuth_yao = flipcost::algorithms::find("knuth-yao")?;
/// let loaded = Task::new(Target::weighted([4u8, 7, 8])?, Source::COIN);
/// let costs = Costs::new(knuth_yao, &loaded)?;
/// assert_eq!(costs.mean().to_string(), "1538/513");
/// assert_eq!(costs.toll().decimals(4)?, "1.4686"); // above the entropy of 4/19, 7/19, 8/19
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub struct Costs {
    law: Law,
    task: Task,
    prepared: Arc<dyn Prepared>,
    mean: OnceLock<Real>,
    entropy: OnceLock<Real>,
    bias: OnceLock<Option<Bias>>,
}

impl Costs {
    /// Creates the costs of a rule that was prepared for a task, from its law.
    pub(super) fn known(law: Law, prepared: Arc<dyn Prepared>, task: Task) -> Costs {
        Costs {
            law,
            task,
            prepared,
            mean: OnceLock::new(),
            entropy: OnceLock::new(),
            bias: OnceLock::new(),
        }
    }

    pub(super) fn task(&self) -> &Task {
        &self.task
    }

    /// The law of T.
    pub fn law(&self) -> &Law {
        &self.law
    }

    /// `E[T]`. Cost: as [`Law::mean`], on the first call.
    pub fn mean(&self) -> &Real {
        self.mean.get_or_init(|| self.law.mean_real())
    }

    /// The entropy of the outcomes, in source rolls: the entropy of the target, unless the rule is
    /// biased.
    pub fn entropy(&self) -> &Real {
        self.entropy.get_or_init(|| match self.bias() {
            None => self.task.entropy(),
            Some(bias) => bias.entropy().over(&self.task.source().entropy()),
        })
    }

    /// The distance of the outcomes from the target; `None` if the rule is exactly fair.
    pub fn bias(&self) -> Option<&Bias> {
        let bias = || self.prepared.bias().expect("of a rule with a law");
        self.bias.get_or_init(bias).as_ref()
    }

    /// The number of bits drawn; empty if a roll is not a whole number of bits, or if the fraction
    /// is too large.
    fn bits_drawn(&self) -> Cell {
        let source = self.task.source();
        let bits = source.is_fair() && source.sides().count_ones() == 1;
        let bits = bits.then(|| BigInt::from(source.sides().bits() - 1));
        match (bits, self.law.mean_up_to(EXACT_LIMIT)) {
            (Some(bits), Ok(mean)) => (mean * bits).into(),
            _ => Cell::Empty,
        }
    }

    /// The number of bits that the rule looks at, if this is less than the number of bits drawn.
    fn bits_used(&self) -> Cell {
        match self.prepared.bits_used() {
            Some(bits) => bits.into(),
            None => self.bits_drawn(),
        }
    }

    /// `E[T]` minus the entropy: `E[T]` - log_m n for a fair die.
    pub fn toll(&self) -> Real {
        self.mean().minus(self.entropy())
    }

    /// The entropy divided by `E[T]`, for a fair die log_m n / `E[T]`; `None` if `E[T]` is 0.
    pub(crate) fn efficiency(&self) -> Option<Real> {
        let free = self.mean().exact().is_some_and(|mean| mean.is_zero());
        (!free).then(|| self.entropy().over(self.mean()))
    }

    /// Returns `of(bias)`, or `none()` if the rule is exactly fair.
    fn map_bias<T>(&self, of: fn(&Bias) -> T, none: fn() -> T) -> T {
        self.bias().map_or_else(none, of)
    }

    /// The least weight of the target, the largest weight, and the sum of all weights.
    fn weight_extremes(&self) -> (BigUint, BigUint, BigUint) {
        let target = self.task.target();
        let groups = target.groups();
        let possible = target.possible() == target.outcomes();
        let least = if possible {
            groups[0].0.clone()
        } else {
            BigUint::ZERO
        };
        let largest = groups[groups.len() - 1].0.clone();
        (least, largest, target.weight_sum().clone())
    }

    /// The largest probability of an outcome.
    pub(crate) fn largest(&self) -> Rational {
        match self.bias() {
            Some(bias) => bias.largest().clone(),
            None => {
                let (_, largest, sum) = self.weight_extremes();
                Rational::new(largest.into(), sum.into())
            }
        }
    }

    /// The least probability of an outcome.
    pub(crate) fn smallest(&self) -> Rational {
        match self.bias() {
            Some(bias) => bias.smallest().clone(),
            None => {
                let (least, _, sum) = self.weight_extremes();
                Rational::new(least.into(), sum.into())
            }
        }
    }

    /// The largest probability divided by the least; `None` if the least is 0.
    pub(crate) fn ratio(&self) -> Option<Rational> {
        let least = self.smallest();
        (!least.is_zero()).then(|| self.largest() / least)
    }

    /// -log2 of the largest probability, in bits.
    pub(crate) fn min_entropy(&self) -> Real {
        surprise(&self.largest())
    }

    /// The number of results that reveal the bias.
    #[cfg(feature = "statistics")]
    fn detection_cell(&self, of: fn(&Bias) -> Detection) -> Cell {
        self.bias().map_or(Detection::Never, of).into()
    }

    fn worst_case(&self) -> Cell {
        Cell::or_infinite(self.law.max())
    }
}

/// The reason why a column has no value for an expression.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoValue {
    /// The worst case is unbounded.
    #[error("it is infinite")]
    Infinite,
    /// The algorithm does not offer this quantity, or it would take too long.
    #[error(transparent)]
    NotKnown(#[from] NotKnown),
    /// The value would be a quotient by 0.
    #[error("it is not defined for a roll that costs nothing")]
    Undefined,
    /// The column does not apply to the row.
    #[error("it is empty in this row")]
    Empty,
    /// The fraction is so large that it is computed only if requested by name.
    #[error("its fraction {0}")]
    TooLarge(FractionSize),
}

/// Returns the enclosure of a column in machine words, if there is one.
pub(crate) type NarrowColumnLookup<'a> = &'a dyn Fn(&'static Column) -> Option<Narrow>;

/// A formula that computes a column from other columns.
pub(crate) trait ColumnFormula: Sync {
    /// The columns that the formula uses, each once.
    fn columns(&self) -> &[&'static Column];

    /// Computes the formula from the values of its columns, which are given with their names.
    ///
    /// # Errors
    /// If an operation is not possible for these values.
    fn value(&self, names: &[(&str, Real)]) -> Result<Real, ExpressionError>;

    /// Whether machine words can enclose the value, if they enclose the values of the formula's
    /// columns.
    fn is_narrow(&self) -> bool {
        false
    }

    /// The enclosure of the value in machine words, if there is one.
    fn narrow(&self, _column: NarrowColumnLookup) -> Option<Narrow> {
        None
    }
}

/// How the value of a column is computed.
#[derive(Clone, Copy)]
pub(super) enum CellFormula {
    /// The cell identifies the row, for example by the id of its algorithm. If it is a text, it is
    /// the same for all n.
    Key(fn(&RowKey) -> Cell),
    /// The cell depends only on the target and the source, not on the algorithm.
    OfPair(fn(&Target, &Source) -> Cell),
    /// The value is a reduced fraction, if it is not too large.
    Exact(fn(&Law, u128) -> Result<Rational, FractionSize>),
    /// The value is a reduced fraction, computed from the outcomes; `None` means infinity.
    Ratio(fn(&Costs) -> Option<Rational>),
    /// The value is a real number, written as a double or as decimals; `None` leaves the cell
    /// empty.
    Real(fn(&Costs) -> Option<Real>),
    /// The value is computed from the law in another way.
    Law(fn(&Costs) -> Cell),
    /// The value is a quantity that an algorithm may offer besides its law.
    Offered(Quantity),
    /// The value is computed from other columns.
    Formula(&'static dyn ColumnFormula),
    /// The expected source rolls in excess of those of another algorithm, or of the optimum if
    /// `None`.
    Over(Option<&'static dyn Algorithm>),
}

/// The kind of a column's cells.
///
/// ```
/// use flipcost::table::{Column, ColumnKind};
/// assert_eq!(Column::find("expected_exact").unwrap().kind(), ColumnKind::Exact);
/// assert_eq!(Column::find("expected").unwrap().kind(), ColumnKind::Decimal);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// Integers (or `inf`).
    Count,
    /// Reduced fractions.
    Exact,
    /// Nearest doubles or correctly rounded decimals.
    Decimal,
    /// Yes or no, 1 or 0 in a statement.
    Flag,
}

/// The unit of a column.
///
/// ```
/// use flipcost::table::{Column, ColumnUnit};
/// assert_eq!(Column::find("toll").unwrap().unit(), ColumnUnit::Rolls);
/// assert_eq!(Column::find("cycle_rounds").unwrap().unit(), ColumnUnit::Rounds);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnUnit {
    /// A pure number, or a text without a unit.
    None,
    /// Source rolls: flips, rolls or words, depending on the source.
    Rolls,
    /// Squares of source rolls.
    RollsSquared,
    /// Cubes of source rolls.
    RollsCubed,
    /// Fourth powers of source rolls.
    RollsToTheFourth,
    /// Rounds of the flow chart.
    Rounds,
    /// Bits.
    Bits,
    /// Results of a test.
    Results,
}

/// A column: one line of [`COLUMNS`].
///
/// ```
/// use flipcost::table::{COLUMNS, Column};
/// let rounds = Column::find("cycle_rounds").unwrap();
/// assert!(rounds.is_integer() && COLUMNS.iter().any(|column| column.name() == rounds.name()));
/// ```
pub struct Column {
    name: &'static str,
    /// The text that requests the column: its name, or an expression with a name that the user
    /// chose, such as `mine = expected/log2(n)`.
    written: &'static str,
    about: &'static str,
    kind: ColumnKind,
    unit: ColumnUnit,
    pub(super) find: CellFormula,
    visibility: Visibility,
}

/// When a column is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    /// The column is shown if the user names no columns.
    Usually,
    /// The column is also shown in the table of algorithms that a terminal shows for a single
    /// target.
    Beside,
    /// As `Beside`; moreover the column answers the question of the cost, so on a narrow screen it
    /// is hidden last.
    Answer,
    /// The column is shown only if it is requested by name.
    ByName,
}

macro_rules! visibility {
    () => {
        Visibility::Usually
    };
    (beside) => {
        Visibility::Beside
    };
    (answers) => {
        Visibility::Answer
    };
    (by_name) => {
        Visibility::ByName
    };
}

/// Defines the columns as statics, and the list of all of them in order.
macro_rules! columns {
    ($($(#[$needs:meta])? $id:ident $name:literal $about:literal $kind:ident $unit:ident $find:expr $(, $visibility:ident)?;)*) => {
        $($(#[$needs])?
        #[doc = concat!("`", $name, "`: ", $about, ".")]
        pub static $id: &Column = &Column {
            name: $name,
            written: $name,
            about: $about,
            kind: ColumnKind::$kind,
            unit: ColumnUnit::$unit,
            find: $find,
            visibility: visibility!($($visibility)?),
        };)*

        /// Every column, in the order in which they are written.
        pub static COLUMNS: &[&Column] = &[$($(#[$needs])? $id),*];
    };
}

columns! {
    N "n" "sides of the target" Count None CellFormula::Key(|key| key.target.sides());
    TARGET "target" "the target as it is written: the sides of a fair die, or weights such as 4:7:8" Text None CellFormula::Key(|key| key.target.written());
    WEIGHT_SUM "weight_sum" "sum of the weights in lowest terms, n for a fair die" Count None CellFormula::Key(|key| key.target.weight_sum());
    SOURCE "source" "sides of the source, or its weights" Count None CellFormula::Key(|key| source_cell(key.source));
    ALGORITHM "algorithm" "id of the algorithm" Text None CellFormula::Key(|key| Cell::Text(key.algorithm.to_string())), beside;
    EXPECTED_EXACT "expected_exact" "expected source rolls, a reduced fraction" Exact Rolls CellFormula::Exact(Law::mean_up_to), answers;
    EXPECTED "expected" "expected source rolls, the nearest double or rounded decimals" Decimal Rolls CellFormula::Real(|costs| Some(costs.mean().clone())), answers;
    ENTROPY "entropy" "entropy of the target over the entropy of a source roll, log_m n for fair dice: no algorithm costs less" Decimal Rolls CellFormula::Real(|costs| Some(costs.entropy().clone())), beside;
    INTERVAL_BOUND "interval_bound" "Han & Hoshi's bound on the expected source rolls of the interval algorithm" Decimal Rolls CellFormula::Real(|costs| Some(costs.task().interval_bound())), by_name;
    TOLL "toll" "expected source rolls above the entropy" Decimal Rolls CellFormula::Real(|costs| Some(costs.toll())), answers;
    OVER_OPTIMUM_EXACT "over_optimum_exact" "expected source rolls above the least of any algorithm (Knuth and Yao), a reduced fraction" Exact Rolls CellFormula::Over(None), by_name;
    EFFICIENCY "efficiency" "entropy over the expected source rolls" Decimal None CellFormula::Real(Costs::efficiency), beside;
    VARIANCE_EXACT "variance_exact" "variance in source rolls squared, a reduced fraction" Exact RollsSquared CellFormula::Exact(Law::variance_up_to);
    VARIANCE "variance" "variance in source rolls squared, the nearest double or rounded decimals" Decimal RollsSquared CellFormula::Real(|costs| Some(costs.law().variance_real()));
    THIRD_CENTRAL_EXACT "third_central_exact" "third central moment, a reduced fraction" Exact RollsCubed CellFormula::Exact(|law, most| law.central_moments_up_to(most).map(|[third, _]| third)), by_name;
    THIRD_CENTRAL "third_central" "third central moment, the nearest double or rounded decimals" Decimal RollsCubed CellFormula::Real(|costs| { let [third, _] = costs.law().central_moments_real(); Some(third) }), by_name;
    FOURTH_CENTRAL_EXACT "fourth_central_exact" "fourth central moment, a reduced fraction" Exact RollsToTheFourth CellFormula::Exact(|law, most| law.central_moments_up_to(most).map(|[_, fourth]| fourth)), by_name;
    FOURTH_CENTRAL "fourth_central" "fourth central moment, the nearest double or rounded decimals" Decimal RollsToTheFourth CellFormula::Real(|costs| { let [_, fourth] = costs.law().central_moments_real(); Some(fourth) }), by_name;
    BITS_DRAWN_EXACT "bits_drawn_exact" "expected bits of the words that are drawn, a reduced fraction; empty if the source is not a power of two" Exact Bits CellFormula::Law(Costs::bits_drawn), by_name;
    BITS_USED_EXACT "bits_used_exact" "expected bits that the rule looks at, a reduced fraction" Exact Bits CellFormula::Law(Costs::bits_used), by_name;
    TOTAL_VARIATION_EXACT "total_variation_exact" "total variation distance of the outcomes from the target, a reduced fraction" Exact None CellFormula::Ratio(|costs| Some(costs.map_bias(Bias::total_variation, Rational::zero))), by_name;
    TOTAL_VARIATION "total_variation" "total variation distance of the outcomes from the target" Decimal None CellFormula::Real(|costs| Some(Real::Exact(costs.map_bias(Bias::total_variation, Rational::zero)))), by_name;
    MAX_EXACT "largest_exact" "the largest probability of an outcome, a reduced fraction" Exact None CellFormula::Ratio(|costs| Some(costs.largest())), by_name;
    SMALLEST_EXACT "smallest_exact" "the smallest probability of an outcome, a reduced fraction; 0 if one never occurs" Exact None CellFormula::Ratio(|costs| Some(costs.smallest())), by_name;
    RATIO_EXACT "ratio_exact" "largest over smallest probability of an outcome, a reduced fraction, or inf" Exact None CellFormula::Ratio(Costs::ratio), by_name;
    KULLBACK_LEIBLER_BITS "kullback_leibler_bits" "Kullback-Leibler divergence of the outcomes from the target" Decimal Bits CellFormula::Real(|costs| Some(costs.map_bias(Bias::divergence, || Real::integer(0)))), by_name;
    MIN_ENTROPY_BITS "min_entropy_bits" "min-entropy of the outcomes, -log2 of the largest probability" Decimal Bits CellFormula::Real(|costs| Some(costs.min_entropy())), by_name;
# [ cfg ( feature = "statistics" ) ] DETECT "detect" "the number of results after which a test of all outcomes (size 0.01, power 0.9) finds the bias, or inf; a statistical number, empty if it is below 5 for each outcome" Count Results CellFormula :: Law ( | costs | costs . detection_cell ( Bias :: detect ) ) , by_name ; # [ cfg ( feature = "statistics" ) ] DETECT_BEST "detect_best" "as detect, for a test of two classes: the favoured outcomes and all other outcomes" Count Results CellFormula :: Law ( | costs | costs . detection_cell ( Bias :: detect_best ) ) , by_name ;
    WORST_CASE "worst_case" "the most source rolls that can be needed, or inf" Count Rolls CellFormula::Law(Costs::worst_case), beside;
    POSSIBLE "possible" "does some rule make the target in a bounded number of source rolls? 1 or 0 in a statement" Flag None CellFormula::OfPair(|target, source| Cell::Flag(target.is_bounded(slice::from_ref(source)))), by_name;
    NEEDS_LOAD "needs_load" "does the rule need to know how the source is loaded? A rule that does not is fair with every coin or die" Flag None CellFormula::Key(|key| find(key.algorithm).map_or(Cell::Empty, |algorithm| Cell::Flag(algorithm.purpose() != Purpose::UnknownSources))), by_name;
    MISSING_PRIME "missing_prime" "the least prime factor of the sum of the target's weights that does not divide the sum of the source's weights, so that no rule is bounded; empty if there is none" Count None CellFormula::OfPair(|target, source| missing_prime(slice::from_ref(source), target).map_or(Cell::Empty, |prime| Cell::Integer(prime.into()))), by_name;
    PREPERIOD "preperiod" "rolls before m^t mod n is periodic (fast dice roller)" Count Rolls CellFormula::Offered(Quantity::Preperiod);
    PERIOD "period" "rolls in one period of m^t mod n (fast dice roller)" Count Rolls CellFormula::Offered(Quantity::Period);
    CYCLE_ROUNDS "cycle_rounds" "rounds in the cycle of the flow chart, 1 if there is none (fast dice roller)" Count Rounds CellFormula::Offered(Quantity::CycleRounds);
}

impl Column {
    /// Creates a column that is computed from other columns.
    pub(super) fn computed(
        name: &'static str,
        written: &'static str,
        formula: &'static dyn ColumnFormula,
    ) -> Column {
        Column {
            name,
            written,
            about: "an expression of columns",
            kind: ColumnKind::Decimal,
            unit: ColumnUnit::None,
            find: CellFormula::Formula(formula),
            visibility: Visibility::ByName,
        }
    }

    /// Returns the column `over:ID`: the expected source rolls above those of this algorithm. It is
    /// created once and lives as long as the program.
    pub fn over(algorithm: &'static dyn Algorithm) -> &'static Column {
        static MADE: Mutex<BTreeMap<&'static str, &'static Column>> = Mutex::new(BTreeMap::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry(algorithm.about().id).or_insert_with_key(|id| {
            let name: &'static str = format!("over:{id}").leak();
            Box::leak(Box::new(Column {
                name,
                written: name,
                about: "expected source rolls above those of another algorithm",
                kind: ColumnKind::Decimal,
                unit: ColumnUnit::Rolls,
                find: CellFormula::Over(Some(algorithm)),
                visibility: Visibility::ByName,
            }))
        })
    }

    /// The text that requests the column: its name, or an expression with a name that the user
    /// chose, such as `mine = expected/log2(n)`.
    pub fn written(&self) -> &'static str {
        self.written
    }

    /// The columns from which this column is computed; empty if this column is not an expression.
    pub(crate) fn operands(&self) -> &[&'static Column] {
        match self.find {
            CellFormula::Formula(formula) => formula.columns(),
            _ => &[],
        }
    }

    /// The columns that are shown for a target if the user names none, in order.
    ///
    /// ```
    /// use flipcost::table::Column;
    /// use flipcost::task::Target;
    /// let first = |target: &Target| Column::defaults(target)[0].name();
    /// assert_eq!(first(&Target::uniform(6u8)?), "n");
    /// assert_eq!(first(&Target::weighted([4u8, 7, 8])?), "target");
    /// # Ok::<(), flipcost::task::TargetError>(())
    /// ```
    pub fn defaults(target: &Target) -> Vec<&'static Column> {
        let visibility = |column: &&'static Column| column.is_default(target);
        COLUMNS.iter().copied().filter(visibility).collect()
    }

    /// The name of the column, as headers show it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A description of the values of the column.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// The kind of the column's cells.
    pub fn kind(&self) -> ColumnKind {
        self.kind
    }

    /// The unit of the column's values.
    pub fn unit(&self) -> ColumnUnit {
        self.unit
    }

    /// Whether the column is shown in the table of algorithms that a terminal shows for one target.
    pub fn is_beside(&self) -> bool {
        matches!(self.visibility, Visibility::Beside | Visibility::Answer)
    }

    /// Whether the column answers the question of the cost. On a narrow screen such a column is
    /// hidden last.
    pub fn answers(&self) -> bool {
        self.visibility == Visibility::Answer
    }

    /// Whether the column contains only integers, as a b-file requires.
    pub fn is_integer(&self) -> bool {
        self.kind == ColumnKind::Count
    }

    /// Whether the column is shown for this target if the user names no columns. Fair dice are
    /// identified by n, and weights by the target as it is written and by their sum. Columns that
    /// exist only for fair dice are not shown for weights.
    pub(crate) fn is_default(&self, target: &Target) -> bool {
        match target.sides() {
            _ if self.visibility == Visibility::ByName => false,
            Some(_) => self != TARGET && self != WEIGHT_SUM,
            None => self != N && !matches!(self.find, CellFormula::Offered(_)),
        }
    }

    /// Whether the column only identifies the row, and needs no computation.
    pub fn is_key(&self) -> bool {
        matches!(self.find, CellFormula::Key(_))
    }

    /// Whether the column has the same values for every algorithm.
    pub fn is_of_task(&self) -> bool {
        [N, TARGET, WEIGHT_SUM, SOURCE, ENTROPY].contains(&self)
    }

    /// Whether enclosures in machine words, if the algorithm provides them, can decide the doubles
    /// of this column.
    pub(crate) fn is_narrow(&self) -> bool {
        match self.find {
            CellFormula::Formula(formula) => formula.is_narrow(),
            CellFormula::Key(_) => [N, WEIGHT_SUM, SOURCE].contains(&self),
            _ => [EXPECTED, ENTROPY, TOLL, EFFICIENCY, VARIANCE].contains(&self),
        }
    }

    /// The quantity that an algorithm must offer for this column, if the column is not computed
    /// from the law.
    pub fn quantity(&self) -> Option<Quantity> {
        match self.find {
            CellFormula::Offered(quantity) => Some(quantity),
            _ => None,
        }
    }

    /// The values that the column requests from the tables of a range, with this number of decimals
    /// and this maximum size of a fraction.
    pub(crate) fn wanted(&self, digits: Option<u32>, most_bits: u128) -> Option<TableRequest> {
        match (self.find, digits) {
            (CellFormula::Offered(quantity), _) => Some(TableRequest::Quantity(quantity)),
            (CellFormula::Exact(_), _) if self == EXPECTED_EXACT => {
                Some(TableRequest::MeanFraction { most_bits })
            }
            (CellFormula::Exact(_), _) => Some(TableRequest::LawFraction { most_bits }),
            (CellFormula::Law(_), _) if self == WORST_CASE => Some(TableRequest::WorstCase),
            (CellFormula::Real(_), None) if self == EXPECTED => Some(TableRequest::MeanDouble),
            (CellFormula::Real(_), Some(digits)) if self == EXPECTED => {
                Some(TableRequest::MeanDecimals(digits))
            }
            (CellFormula::Real(_) | CellFormula::Formula(_), None) if self.is_narrow() => {
                Some(TableRequest::MeanNarrow)
            }
            _ => None,
        }
    }
}

impl PartialEq for Column {
    fn eq(&self, other: &Column) -> bool {
        self.name == other.name
    }
}

impl Eq for Column {}

/// Writes the name of the column.
impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Writes the name of the column.
impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}
