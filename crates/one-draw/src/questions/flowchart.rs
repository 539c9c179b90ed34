//! The question `show --as flowchart`: the flow chart of the fast dice roller.

use flipcost::algorithms::{RoundCycle, flow_chart};
use flipcost_figures::Drawing;
use flipcost_number::short::short;
use flipcost_question::Natural;
use flipcost_question::count_with_noun;
use flipcost_question::dice::{task, words_for_bits};
use flipcost_question::prelude::*;
use flipcost_question::{Answer, FrontEnd, PictureError, Query};

question! {
    /// The flow chart of the fast dice roller: the rounds, and where the cycle closes
    ///
    /// In the arithmetic a roll counts as its face minus 1: heads, face 1 of a coin, is 0, and
    /// tails is 1.
    ///
    /// One row for every round of the fast dice roller.
    ///
    /// A round begins with `before` equally likely states, and after its `rolls` there are `after`:
    /// those below the `threshold` are accepted. The threshold is subtracted from the others, which
    /// begin the next round. The last round goes back to the first round that is `in_cycle`;
    /// without such a round, the last round accepts every state. The note states how many rolls and
    /// rounds come before the cycle, and how many are in the cycle.
    pub struct Flowchart: "show" {
        /// Sides of the target.
        target: Natural; word("N"),
        /// How the algorithm is shown
        view: FlowchartView; option("VIEW").name("as"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
    }
    purpose: Table
    examples: ["show 6 --as flowchart", "show 11 --as flowchart -o chart.svg"]
}

choices! {
    /// The view that selects this question.
    pub enum FlowchartView {
        /// The flow chart of the fast dice roller: the rounds, and where the cycle closes.
        Flowchart = "flowchart",
    }
}

impl Flowchart {
    /// The largest number of rounds.
    pub const MAX_ROUNDS: usize = 10_000;

    /// The largest number of bytes of the numbers of all rounds, three numbers as long as n each:
    /// 64 MB.
    const MAX_BYTES: u64 = 1 << 26;

    /// Returns the question about the flow chart of a target from a coin.
    pub fn new(n: impl Into<Natural>) -> Flowchart {
        Flowchart {
            target: n.into(),
            view: FlowchartView::Flowchart,
            source: Sides::default(),
        }
    }
}

impl Question for Flowchart {
    fn summary(&self, answer: &Answer) -> String {
        let cycle = answer.column("in_cycle").into_iter().flatten();
        let cycle = cycle.filter(|cell| **cell == Cell::Flag(true)).count();
        format!(
            "the fast dice roller makes a d{} from {} in {}, and repeats {cycle} of them",
            short(self.target.value()),
            self.source.0.with_article(),
            count_with_noun(answer.rows.len() as u64, "round")
        )
    }

    fn estimate(&self) -> Estimate {
        let n = self.target.value().try_into().unwrap_or(u128::MAX);
        let rounds = n.min(Flowchart::MAX_ROUNDS as u128);
        Estimate::cells(
            6 * rounds,
            8 + 12 * words_for_bits(self.target.value().bits()),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        self.source.fair("a flow chart")?;
        let task = task(&self.source, &self.target)?;
        let fair = task.fair().map_err(QueryError::for_field("target"))?;
        let fit = Self::MAX_BYTES / (3 * (fair.n.bits() / 8 + 1));
        let most = Self::MAX_ROUNDS.min(fit as usize);
        control.go_on()?;
        let chart = flow_chart(fair, most, u64::MAX).ok_or_else(|| {
            let n = short(fair.n);
            let what = say!("the flow chart of n = {n} has more than {most} rounds");
            QueryError::wrong("target", what).right("choose a smaller n")
        })?;
        let unit = task.source().unit();
        let head = Head::new()
            .columns(CellKind::Count, ["round", "before"])
            .measured("rolls", CellKind::Count, unit.plural())
            .columns(CellKind::Count, ["after", "threshold"])
            .column("in_cycle", CellKind::Flag);
        let mut rows = Chunks::begin(&head, control, sink)?;
        let back_to = chart.back_to.unwrap_or(chart.rounds.len());
        for (i, round) in chart.rounds.iter().enumerate() {
            rows.push(row![
                i + 1,
                &round.before,
                round.rolls,
                &round.after,
                &round.after - &round.after % fair.n,
                i >= back_to
            ])?;
        }
        let mut foot = Foot::default();
        foot.note(cycle_sentence(&chart, unit.singular()));
        rows.end(foot)
    }

    fn picture_query(&self) -> Option<Query> {
        Some(self.clone().into())
    }

    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }

    fn to_text(&self, answer: &Answer, _: FrontEnd) -> Result<String, PictureError> {
        self.lines(answer)
    }
}

/// Counts the rolls and rounds before the cycle and in it.
fn cycle_sentence(chart: &RoundCycle, unit: &str) -> String {
    let rounds = |count: usize| count_with_noun(count as u64, "round");
    match chart.back_to {
        Some(_) => format!(
            "{} in {} before the cycle, {} in {} in it",
            count_with_noun(chart.rolls_before(), unit),
            rounds(chart.rounds_before()),
            count_with_noun(chart.rolls_in_cycle(), unit),
            rounds(chart.rounds.len() - chart.rounds_before())
        ),
        None => format!(
            "no cycle: at most {} in {}",
            count_with_noun(chart.rolls_before(), unit),
            rounds(chart.rounds.len())
        ),
    }
}
