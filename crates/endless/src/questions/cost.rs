//! The cost of a draw from a law without an end.

use super::require_coin;
use crate::samplers::samplers;
use crate::text::EndlessText;
use flipcost_number::Real;
use flipcost_question::prelude::*;

/// The name of the row with the least expected flips.
const OPTIMUM_ID: &str = "knuth-yao";

question! {
    /// The cost in coin flips of a draw from a law with infinitely many outcomes: the optimum, and
    /// the samplers used in practice
    ///
    /// `geometric:p=1/3`, `poisson:1`, `dlaplace:scale=2` (in proportion to e^(-|x|/scale)),
    /// `dgauss:sigma=3/2` (to e^(-x^2/(2 sigma^2)); with `from=0` the half from 0 on),
    /// `rgauss:sigma=14/5` (a Gaussian that is rounded to integers), `bernoulli:exp(-1)` (a coin
    /// with an irrational probability), `zeta:s=3` (in proportion to 1/x^s). For the samplers,
    /// `model` says what is counted, and `loops` is the expected number of attempts, including the
    /// accepted one. `t` is the scale of the discrete Laplace law that `canonne-kamath-steinke`
    /// begins with: floor(sigma) + 1, as published, or floor(sigma).
    pub struct EndlessCost: "cost" {
        /// The law.
        target: EndlessText; TARGET,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Only the optimum (knuth-yao) or these samplers.
        algorithms: Vec<String>; ALGORITHMS,
        /// Only these columns, in this order
        columns: Vec<String>; option("NAMES").short('c'),
        /// Correctly rounded decimals instead of the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: ["cost dgauss:sigma=3/2", "cost dlaplace:scale=2 --digits 30", "cost 'bernoulli:exp(-1)'"]
}

impl Question for EndlessCost {
    fn summary(&self, answer: &Answer) -> String {
        let Some(flips) = answer.measure(0, "expected") else {
            return format!("{}: {}", self.target, answer.row_phrase(0));
        };
        let first = self.algorithms.first().map_or(OPTIMUM_ID, |id| id.trim());
        let by = algorithm_phrase(first);
        let takes = format!("{} takes {flips} on average by {by}", self.target);
        if first != OPTIMUM_ID {
            return takes;
        }
        let least = format!("{takes}; no method takes fewer");
        let other =
            (1..answer.rows.len()).find(|row| *answer.cell(*row, "exact") == Cell::Flag(true));
        match other.map(|row| {
            (
                answer.cell(row, "algorithm"),
                answer.measure(row, "expected"),
            )
        }) {
            Some((id, Some(flips))) => format!("{least}, and {id} takes {flips}"),
            _ => least,
        }
    }

    fn estimate(&self) -> Estimate {
        Estimate::space(1 << 24, 140 * u128::from(self.digits.unwrap_or(20) + 24))
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        require_coin(&self.source)?;
        let precision = precision(self.digits, false)?;
        let law = &self.target;
        law.check_precision("target", self.digits)?;
        control.go_on()?;
        let entropy = law.entropy();
        let head = Head::new()
            .column("algorithm", CellKind::Text)
            .answers()
            .column("t", CellKind::Count)
            .measured("expected", CellKind::Decimal, "flips")
            .answers()
            .measured("toll", CellKind::Decimal, "flips")
            .answers()
            .measured("entropy", CellKind::Decimal, "bits")
            .column("variance", CellKind::Decimal)
            .answers()
            .column("loops", CellKind::Decimal)
            .column("exact", CellKind::Flag)
            .column("model", CellKind::Text);
        let write = |value: &Real| decimal(value, precision);
        let [expected, toll, variance] = law.flip_cells(precision)?;
        let mut rows = vec![row![
            OPTIMUM_ID.to_string(),
            Cell::Empty,
            expected,
            toll,
            write(&entropy)?,
            variance,
            Cell::Empty,
            Cell::Flag(true),
            "the optimum; digits are computed when they are needed".to_string()
        ]];
        let in_use = samplers(law.kind(), self.digits.unwrap_or(0));
        for sampler in in_use.rows {
            control.go_on()?;
            rows.push(row![
                sampler.id.to_string(),
                sampler.t,
                write(&sampler.expected)?,
                write(&sampler.expected.minus(&entropy))?,
                write(&entropy)?,
                Cell::Empty,
                sampler.loops.as_ref().map_or(Ok(Cell::Empty), write)?,
                Cell::Flag(sampler.exact),
                sampler.model.to_string()
            ]);
        }
        let rows = self.keep_algorithms(rows)?;
        let (head, rows) = self.keep_columns(head, rows)?;
        let mut foot = Foot::default();
        for note in in_use.left_out {
            foot.note(note);
        }
        sink.write_answer(&head, rows, foot)
    }
}

impl EndlessCost {
    /// Keeps the rows of the requested algorithms, in their order.
    fn keep_algorithms(&self, rows: Vec<Vec<Cell>>) -> Result<Vec<Vec<Cell>>, QueryError> {
        if self.algorithms.is_empty() {
            return Ok(rows);
        }
        let ids: Vec<String> = rows.iter().map(|row| row[0].to_string()).collect();
        let row_of = |wanted: &String| {
            let place = ids.iter().position(|id| id == wanted.trim());
            place.map(|place| rows[place].clone()).ok_or_else(|| {
                let what = format!("{wanted} has no row for {}", self.target);
                let right = format!("choose from {}", ids.join(", "));
                QueryError::wrong("algorithms", what).right(right)
            })
        };
        self.algorithms.iter().map(row_of).collect()
    }

    /// Keeps the requested columns, in their order.
    fn keep_columns(
        &self,
        head: Head,
        rows: Vec<Vec<Cell>>,
    ) -> Result<(Head, Vec<Vec<Cell>>), QueryError> {
        if self.columns.is_empty() {
            return Ok((head, rows));
        }
        let mut places = Vec::new();
        for name in self.columns.iter().map(|name| name.trim()) {
            let place = head.columns.iter().position(|column| column.name == name);
            places.push(place.ok_or_else(|| {
                let what =
                    format!("{name} is not a column for a law with infinitely many outcomes");
                let right = format!("choose from {}", head.names().join(", "));
                QueryError::wrong("columns", what).right(right)
            })?);
        }
        let mut chosen = head.clone();
        chosen.columns = places.iter().map(|at| head.columns[*at].clone()).collect();
        let pick = |row: &Vec<Cell>| places.iter().map(|at| row[*at].clone()).collect();
        Ok((chosen, rows.iter().map(pick).collect()))
    }
}
