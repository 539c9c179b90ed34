//! What somebody else's chain costs, and how far it is from the optimum.

use crate::{
    Analysis, ChainFault, MOST_BYTES, MOST_TRANSITIONS, Model, ModelOutcome, ModelParameter, drn,
    explicit,
};
use flipcost::law::{FractionSize, Law};
use flipcost::table::Precision;
use flipcost_number::{Rational, Real};
use flipcost_one_draw::questions::cost::remarks::left_out;
use flipcost_question::prelude::*;
use flipcost_question::{counted, display_name};
use flipcost_question::{file_size, open, unreadable};
use num_traits::Zero;
use std::io::Read;
use std::path::{Path, PathBuf};

flipcost_question::texts! { ModelParameter, "SettingsLike" }

question! {
    /// Read somebody's chain: its exact cost, its outcomes, whether it is fair, and how far it is from
    /// the optimum
    ///
    /// Numbers are taken as exactly what is written: a third is 1/3. A chain without rewards costs 1 for
    /// every step.
    ///
    /// The expected cost, the outcomes and the distance from the optimum of a discrete-time Markov chain
    /// that stands in files. Its final states are those that only lead to themselves; those that bear the
    /// same labels are one outcome.
    ///
    /// One row: `states` and `transitions` that are not final and can be reached, `outcomes`, the
    /// expected reward and its variance until the end, `fair` and the total variation distance of the
    /// outcomes from the uniform law on them, the `optimum` (the least expected rolls of the source with
    /// which any rule has this law), and the `distance` of the chain from it. With `law` a row for each
    /// outcome instead.
    pub struct Import: "import" {
        /// The format of the files.
        format: ModelFormat; word("FORMAT").id("format_of_files"),
        /// The file, also compressed by gzip; of explicit files that of the transitions, .tra. What has
        /// several lines is no name, but the text of a file
        file: PathBuf; word("FILE"),
        /// The file of the labels, .lab [default: state 0 is initial, and every final state an outcome]
        labels: Option<PathBuf>; option("FILE"),
        /// The file of the rewards of states, .srew [default: every step costs 1]
        rewards: Option<PathBuf>; option("FILE"),
        /// The reward that is the cost, where there are several
        reward: Option<String>; option("NAME"),
        /// The values of the parameters of a model that has some, as in p=1/3,q=1/4
        set: Vec<ModelParameter>; option("NAME=VALUE"),
        /// The die whose rolls the cost counts.
        source: Sides = Sides::default(); SOURCE,
        /// List the outcomes with their probabilities instead
        law: bool; flag(),
        /// Correctly rounded decimals instead of the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are.
        exact: bool; EXACT,
    }
    purpose: Models
    examples: [
        "import drn die.drn",
        "import drn die.drn --law",
        "import prism-explicit die.tra --labels die.lab --rewards die.srew",
        "import drn coin.drn --set p=1/3",
    ]
}

choices! {
    /// A format in which models are read.
    pub enum ModelFormat {
        /// DRN, Storm's explicit format.
        Drn = "drn",
        /// The explicit files of PRISM (.tra, .lab, .srew), as -exporttrans, -exportlabels and
        /// -exportstaterewards write them, and those of Storm (.tra, .lab, .rew).
        PrismExplicit = "prism-explicit",
    }
}

/// The text of a file that stands in place of its name.
fn text_of(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.contains('\n'))
}

/// A file in messages.
fn name_of(path: &Path) -> String {
    text_of(path).map_or_else(|| display_name(path), |_| "the text".to_string())
}

/// The bytes of a file, decompressed if it is gzip, and its name for messages.
fn load(name: &str, path: &Path) -> Result<(String, Vec<u8>), QueryError> {
    if let Some(text) = text_of(path) {
        return Ok((name_of(path), text.as_bytes().to_vec()));
    }
    let shown = display_name(path);
    let file = open(path).map_err(|cause| {
        let (wrong, right) = unreadable(&cause);
        QueryError::for_field(name)(format!("{shown}: {wrong}; {right}."))
    })?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| QueryError::wrong(name, say!("cannot read \"{shown}\": {error}")))?;
    Ok((shown, bytes))
}

impl Import {
    /// A chain in DRN that flips coins.
    pub fn drn(file: impl Into<PathBuf>) -> Import {
        Import {
            format: ModelFormat::Drn,
            file: file.into(),
            labels: None,
            rewards: None,
            reward: None,
            set: Vec::new(),
            source: Sides::default(),
            law: false,
            digits: None,
            exact: false,
        }
    }

    fn model(&self) -> Result<Model, QueryError> {
        let (name, bytes) = load("file", &self.file)?;
        match self.format {
            ModelFormat::Drn => {
                if self.labels.is_some() || self.rewards.is_some() {
                    let wrong = if self.labels.is_some() {
                        "labels"
                    } else {
                        "rewards"
                    };
                    let what = "a DRN file holds its labels and rewards";
                    return Err(
                        QueryError::wrong(wrong, what).right("no files of them were expected")
                    );
                }
                let parameters =
                    drn::parameters(&name, &bytes).map_err(QueryError::for_field("file"))?;
                self.check_parameters(&name, &parameters)?;
                drn::read_with(&name, &bytes, self.reward.as_deref(), &self.set)
                    .map_err(QueryError::for_field("file"))
            }
            ModelFormat::PrismExplicit => {
                self.check_parameters(&name, &[])?;
                if self.reward.is_some() {
                    let what = "explicit files hold one reward each";
                    let right = "give the file of the one that is the cost, and no name";
                    return Err(QueryError::wrong("reward", what).right(right));
                }
                let labels = self
                    .labels
                    .as_deref()
                    .map(|path| load("labels", path))
                    .transpose()?;
                let rewards = self
                    .rewards
                    .as_deref()
                    .map(|path| load("rewards", path))
                    .transpose()?;
                explicit::read(
                    (&name, &bytes),
                    labels
                        .as_ref()
                        .map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
                    rewards
                        .as_ref()
                        .map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
                )
                .map_err(QueryError::for_field("file"))
            }
        }
    }

    /// Refuses values of what the model does not have, and parameters without a value.
    fn check_parameters(&self, file: &str, names: &[String]) -> Result<(), QueryError> {
        let given = |name: &&String| self.set.iter().any(|one| one.name == **name);
        if let Some(name) = names.iter().find(|name| !given(name)) {
            let what = say!("\"{file}\" has the parameter {name}, and it has no value");
            let example = field("set").is(format!("{name}=1/3"));
            return Err(QueryError::wrong("set", what).right(say!("give it one, as in ", example)));
        }
        let known = |one: &&ModelParameter| names.contains(&one.name);
        match self.set.iter().find(|one| !known(one)) {
            None => Ok(()),
            Some(one) => {
                let name = &one.name;
                let what = say!("\"{file}\" has no parameter {name}");
                Err(QueryError::wrong("set", what).right(match names {
                    [] => "it has none at all".to_string(),
                    names => format!("its parameters are {}", names.join(", ")),
                }))
            }
        }
    }

    /// The law of the cost, and the outcomes.
    ///
    /// # Errors
    /// As those of the answer, and for a state that does not cost a number of rolls.
    pub fn cost_law(&self) -> Result<(Law, Vec<ModelOutcome>), QueryError> {
        let model = self.model()?;
        model.cost_law().map_err(|error| self.fault(&error))
    }

    fn fault(&self, error: &ChainFault) -> QueryError {
        let file = name_of(&self.file);
        QueryError::wrong("file", say!("\"{file}\": {error}"))
    }

    /// The least cost of its law, unless the source cannot drive the model, which a note says.
    fn optimum(
        &self,
        model: &Model,
        analysis: &Analysis,
        most_bits: u128,
        foot: &mut Foot,
    ) -> Option<Real> {
        let optimum = match model.driven_by(&self.source.0) {
            Ok(()) => analysis
                .least_expected_rolls(&self.source.0, most_bits)
                .map_err(|error| error.to_string()),
            Err(undriven) => Err(undriven.to_string()),
        };
        optimum
            .map_err(|why| foot.note(format!("no optimum is named: {why}")))
            .ok()
    }
}

/// A fraction that is not too long.
fn exact(value: &Rational, of: &str, precision: Precision, foot: &mut Foot) -> Cell {
    let bits = u128::from(value.denom().bits());
    if bits <= precision.exact_limit {
        Cell::from(value)
    } else {
        foot.note(left_out(
            of,
            0,
            &format!("{:#}", FractionSize::Bits(bits)),
            false,
        ));
        Cell::Empty
    }
}

impl Question for Import {
    fn summary(&self, answer: &Answer) -> String {
        if self.law {
            return format!(
                "the chain has {}",
                counted(answer.rows.len() as u64, "outcome")
            );
        }
        let outcomes = with_unit(
            &answer.phrase(0, "outcomes").unwrap_or_default(),
            "outcomes",
        );
        let cost = answer.measure(0, "expected");
        let mut text = match cost {
            Some(cost) => {
                format!("the chain reaches one of {outcomes} after {cost} on average")
            }
            None => format!("the chain has {outcomes}"),
        };
        match (answer.cell(0, "fair"), answer.phrase(0, "optimum")) {
            (_, None) => {}
            (Cell::Flag(true), Some(least)) => text += &format!(", fair; the least is {least}"),
            (_, Some(least)) => text += &format!("; the least for these outcomes is {least}"),
        }
        text
    }

    fn estimate(&self) -> Estimate {
        let files = [
            Some(&self.file),
            self.labels.as_ref(),
            self.rewards.as_ref(),
        ];
        let bytes: u128 = (files.into_iter().flatten())
            .map(|file| {
                let text = text_of(file).map(|text| text.len() as u128);
                text.unwrap_or_else(|| file_size(file))
            })
            .sum();
        // a transition takes 6 bytes at least
        let transitions = (bytes / 6 + 1).min(MOST_TRANSITIONS as u128);
        Estimate::space(
            bytes.min(3 * MOST_BYTES as u128) + 1000 * transitions,
            if self.law {
                100 * transitions
            } else {
                1000 + 8 * u128::from(self.digits.unwrap_or(20))
            },
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, self.exact)?;
        control.go_on()?;
        let model = self.model()?;
        control.go_on()?;
        let analysis = model.analysis().map_err(|error| self.fault(&error))?;
        control.go_on()?;
        let mut foot = Foot::default();
        if analysis.uncounted > 0 {
            foot.note(format!(
                "{} a reward that is not counted: a model ends in a final state, and earns nothing there",
                match analysis.uncounted {
                    1 => "1 final state has".to_string(),
                    many => format!("{many} final states have"),
                }
            ));
        }
        if self.law {
            self.outcomes(&analysis, precision, foot, control, sink)
        } else {
            let row = self.analysis_row(&model, &analysis, precision, &mut foot)?;
            sink.write_answer(&head(&model.reward), vec![row], foot)
        }
    }

    fn names_a_file(&self) -> bool {
        true
    }
}

/// The columns of the one row.
fn head(unit: &str) -> Head {
    Head::new()
        .columns(CellKind::Count, ["states", "transitions", "outcomes"])
        .answers()
        .measured("expected", CellKind::Decimal, unit)
        .answers()
        .measured("expected_exact", CellKind::Exact, unit)
        .answers()
        .column("variance_exact", CellKind::Exact)
        .column("fair", CellKind::Flag)
        .answers()
        .column("total_variation_exact", CellKind::Exact)
        .column("total_variation", CellKind::Decimal)
        .answers()
        .measured("optimum", CellKind::Decimal, unit)
        .answers()
        .measured("optimum_exact", CellKind::Exact, unit)
        .measured("distance", CellKind::Decimal, unit)
        .answers()
        .measured("distance_exact", CellKind::Exact, unit)
}

impl Import {
    fn analysis_row(
        &self,
        model: &Model,
        analysis: &Analysis,
        precision: Precision,
        foot: &mut Foot,
    ) -> Result<Vec<Cell>, QueryError> {
        let optimum = self.optimum(model, analysis, precision.exact_limit, foot);
        let count = |value: usize| Cell::Integer((value as u64).into());
        let expected = Real::Exact(analysis.expected.clone());
        let unfair = analysis.total_variation();
        let mut row = row![
            count(analysis.unfinished),
            count(analysis.transitions),
            count(analysis.outcomes.len()),
            decimal(&expected, precision)?,
            exact(&analysis.expected, "the expected cost", precision, foot),
            exact(&analysis.variance, "the variance", precision, foot),
            analysis.is_fair(),
            exact(&unfair, "the total variation distance", precision, foot),
            decimal(&Real::Exact(unfair), precision)?
        ];
        match &optimum {
            None => row.extend([Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty]),
            Some(optimum) => {
                let known = optimum.exact();
                let distance = match known {
                    Some(known) => Real::Exact(&analysis.expected - known),
                    None => expected.minus(optimum),
                };
                row.push(decimal(optimum, precision)?);
                row.push(known.map_or(Cell::Empty, |known| {
                    exact(known, "the optimum", precision, foot)
                }));
                // what is not known exactly may be 0, which no enclosure shows
                row.push(precision.cell(&distance).unwrap_or_else(|undecided| {
                    foot.note(format!("the distance is left out: {undecided}"));
                    Cell::Empty
                }));
                row.push(distance.exact().map_or(Cell::Empty, |distance| {
                    exact(distance, "the distance", precision, foot)
                }));
                foot.note(match distance.exact() {
                    Some(distance) if distance.is_zero() => {
                        format!("optimal: no rule with {} has this law of outcomes at a smaller expected cost", self.source.0.with_article())
                    }
                    Some(_) => format!("not optimal: the distance is what it costs above the optimal tree of Knuth and Yao with {}", self.source.0.with_article()),
                    None => format!("not proved optimal: the distance is what it costs above the optimal tree of Knuth and Yao with {}", self.source.0.with_article()),
                });
            }
        }
        let many = counted(analysis.outcomes.len() as u64, "outcome");
        foot.note(match (analysis.outcomes.len(), analysis.is_fair()) {
            (1, _) => say!("there is one outcome"),
            (_, true) => say!("fair: the {many} are equally likely"),
            (_, false) => say!(
                "unfair: the {many} are not equally likely; ",
                field("law"),
                " lists them"
            ),
        });
        Ok(row)
    }

    fn outcomes(
        &self,
        analysis: &Analysis,
        precision: Precision,
        mut foot: Foot,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let head = Head::new()
            .column("outcome", CellKind::Text)
            .column("probability_exact", CellKind::Exact)
            .column("probability", CellKind::Decimal);
        let mut rows = Chunks::begin(&head, control, sink)?;
        let shown = |name: &str| -> String {
            name.chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect()
        };
        for outcome in &analysis.outcomes {
            let p = &outcome.probability;
            rows.push(row![
                shown(&outcome.name),
                exact(p, "a probability", precision, &mut foot),
                decimal(&Real::Exact(p.clone()), precision)?
            ])?;
        }
        rows.end(foot)
    }
}
