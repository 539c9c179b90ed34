//! `flipcost tree`: the decision tree of an algorithm.

use super::args::{self, SourceArg};
use super::roll::face_name;
use super::{Failure, flowchart};
use crate::rows::Output;
use flipcost::algorithms::tree::{Kind, Node, decision_tree};
use flipcost::algorithms::{Algorithm, FAST_DICE_ROLLER};
use flipcost::number::BigUint;
use flipcost::task::Task;
use flipcost_figures;
use std::fmt::Write;
use std::path::PathBuf;

/// The decision tree of an algorithm, with the probability of every outcome
#[derive(clap::Args)]
pub struct Tree {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    /// The algorithm, by id (see `flipcost algorithms`)
    #[arg(short, long, value_name = "ID", default_value = FAST_DICE_ROLLER.about().id, value_parser = args::algorithm())]
    algorithm: &'static dyn Algorithm,
    /// Rolls after which the tree is cut off [default: about as many as fit on a page]
    #[arg(long, value_name = "D", value_parser = args::word, allow_negative_numbers = true)]
    depth: Option<u64>,
    #[command(flatten)]
    source: SourceArg,
    /// Write a picture instead: the name ends in .svg, .png or .dot
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The deepest tree.
const DEEPEST: u64 = 1000;
/// The most nodes of a text or a .dot file.
const MOST_WRITTEN: usize = 200_000;
/// The most nodes of a picture.
const MOST_DRAWN: usize = 2000;

impl Tree {
    pub fn run(self) -> Result<(), Failure> {
        let dice = Task::dice(self.source.source, self.n.clone()).map_err(Failure::input)?;
        let m = self.source.source;
        let depth = self.depth.unwrap_or_else(|| {
            let fits = |depth: &u64| m.checked_pow(*depth as u32).is_some_and(|all| all <= 64);
            (1..=6).take_while(fits).last().unwrap_or(1)
        });
        if depth > DEEPEST {
            return Err(Failure::Input(format!(
                "a tree of depth {depth} is too deep: {DEEPEST} is the most"
            )));
        }
        let nodes = decision_tree(self.algorithm, &dice, depth).map_err(Failure::input)?;
        let dot =
            (self.output.as_ref()).is_some_and(|path| path.extension() == Some("dot".as_ref()));
        let most = match self.output {
            Some(_) if !dot => MOST_DRAWN,
            _ => MOST_WRITTEN,
        };
        if nodes.len() > most {
            return Err(Failure::Input(format!(
                "the tree of depth {depth} has {} nodes, and {most} is the most here: choose a smaller --depth",
                nodes.len()
            )));
        }
        let Some(path) = &self.output else {
            let text = text(&dice, &nodes);
            return Ok(Output::write_all(None, text.as_bytes())?);
        };
        let title = format!(
            "{}: a d{} from {}",
            self.algorithm.about().name,
            super::cost::short(dice.target().weight_sum()),
            dice.source().with_article()
        );
        let tree = picture(title, &dice, &nodes);
        flowchart::write(path, Some(&|| tree.to_dot()), || tree.draw())
    }
}

/// The face that leads to every node, in the words of its parent's die.
fn edge(nodes: &[Node], node: &Node) -> Option<String> {
    let parent = &nodes[node.parent?];
    match parent.kind {
        Kind::Roll { sides } => Some(face_name(sides, node.face?)),
        _ => None,
    }
}

fn children(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); nodes.len()];
    for node in nodes {
        if let Some(parent) = node.parent {
            children[parent].push(node.id);
        }
    }
    children
}

/// The tree with lines of boxes, and the probability of each outcome so far.
fn text(dice: &Task, nodes: &[Node]) -> String {
    let children = children(nodes);
    let mut text = String::new();
    // node, what stands before its line, what stands before its children's
    let mut open = vec![(0, String::new(), String::new())];
    while let Some((at, before, below)) = open.pop() {
        let node = &nodes[at];
        let face = edge(nodes, node).map_or(String::new(), |face| format!("{face} "));
        let said = match &node.kind {
            Kind::Roll { .. } if node.state.is_empty() => "roll".to_string(),
            Kind::Roll { .. } => format!("[{}]", node.state),
            Kind::Output(outcome) => format!("= {}  ({})", outcome + 1u8, node.probability),
            Kind::CutOff => format!("[{}] ...  ({})", node.state, node.probability),
        };
        let _ = writeln!(text, "{before}{face}{said}");
        let last = children[at].len().saturating_sub(1);
        for (i, &child) in children[at].iter().enumerate().rev() {
            let (branch, rest) = match i == last {
                true => ("└─ ", "   "),
                false => ("├─ ", "│  "),
            };
            open.push((child, format!("{below}{branch}"), format!("{below}{rest}")));
        }
    }
    let open: flipcost::number::Rational = (nodes.iter())
        .filter(|node| node.kind == Kind::CutOff)
        .map(|node| &node.probability)
        .sum();
    let depth = nodes.last().map_or(0, |node| node.depth);
    let unit = dice.source().unit().singular();
    let s = if depth == 1 { "" } else { "s" };
    let _ = match num_traits::Zero::is_zero(&open) {
        true => writeln!(text, "every outcome is decided after {depth} {unit}{s}"),
        false => writeln!(text, "undecided after {depth} {unit}{s}: {open}"),
    };
    text
}

/// The tree as plain data for the figures.
fn picture(title: String, dice: &Task, nodes: &[Node]) -> flipcost_figures::Tree {
    let children = children(nodes);
    let draw = |node: &Node| {
        let probability = node.probability.to_string();
        match &node.kind {
            Kind::Roll { .. } => {
                let edges = children[node.id].iter();
                let edges = edges.map(|&child| {
                    let face = edge(nodes, &nodes[child]).unwrap_or_default();
                    (face, child)
                });
                flipcost_figures::TreeNode::roll("", edges.collect())
            }
            Kind::Output(outcome) => {
                flipcost_figures::TreeNode::output((outcome + 1u8).to_string(), probability)
            }
            Kind::CutOff => flipcost_figures::TreeNode::open("…", probability),
        }
    };
    let unit = dice.source().unit().plural();
    flipcost_figures::Tree::new(title, unit, nodes.iter().map(draw).collect())
}
