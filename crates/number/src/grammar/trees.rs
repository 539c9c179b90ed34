//! Random syntax trees, for the tests of the grammar and of its algebras.

use super::tree::{ExprKind, ExprNode};
use super::{Expr, Operator};
use proptest::prelude::*;
use proptest::strategy::Union;

/// A syntax tree with boxed subtrees.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Number(String),
    Name(&'static str),
    Dice(String),
    Call(&'static str, Vec<Tree>),
    Negate(Box<Tree>),
    Factorial(Box<Tree>),
    Binary(Operator, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// The text of the tree, with brackets around every operand that is not a leaf.
    pub(crate) fn text(&self) -> String {
        match self {
            Tree::Number(text) | Tree::Dice(text) => text.clone(),
            Tree::Name(name) => name.to_string(),
            Tree::Call(name, given) => {
                let given: Vec<String> = given.iter().map(Tree::text).collect();
                format!("{name}({})", given.join(","))
            }
            Tree::Negate(x) => format!("(-{})", x.text()),
            Tree::Factorial(x) => format!("(({})!)", x.text()),
            Tree::Binary(operator, x, y) => {
                format!("({} {} {})", x.text(), operator.sign(), y.text())
            }
        }
    }

    /// Converts the tree to an expression without a source text.
    pub(crate) fn expr(&self) -> Expr {
        let mut expr = Expr {
            text: String::new(),
            nodes: Vec::new(),
        };
        self.write(&mut expr);
        expr
    }

    fn write(&self, expr: &mut Expr) {
        let word = |text: &str, expr: &mut Expr| {
            let start = expr.text.len();
            expr.text.push_str(text);
            (start, expr.text.len())
        };
        let kind = match self {
            Tree::Number(text) => {
                let (start, end) = word(text, expr);
                ExprKind::Number { start, end }
            }
            Tree::Dice(text) => {
                let (start, end) = word(text, expr);
                ExprKind::Dice { start, end }
            }
            Tree::Name(name) => {
                let (start, end) = word(name, expr);
                ExprKind::Name { start, end }
            }
            Tree::Call(name, given) => {
                given.iter().for_each(|part| part.write(expr));
                let (start, end) = word(name, expr);
                let arguments = given.len();
                ExprKind::Call {
                    start,
                    end,
                    arguments,
                }
            }
            Tree::Negate(x) => {
                x.write(expr);
                ExprKind::Negate
            }
            Tree::Factorial(x) => {
                x.write(expr);
                ExprKind::Factorial
            }
            Tree::Binary(operator, x, y) => {
                x.write(expr);
                y.write(expr);
                ExprKind::Binary(*operator)
            }
        };
        expr.nodes.push(ExprNode { kind, at: 0 });
    }
}

/// Generates trees from these leaves, with binary operators and optionally factorials and signs.
pub(crate) fn trees(
    leaves: impl Strategy<Value = Tree> + 'static,
    operators: &'static [Operator],
    factorials: bool,
    negations: bool,
    functions: &'static [&'static str],
) -> impl Strategy<Value = Tree> {
    leaves.prop_recursive(6, 40, 3, move |part| {
        let both = (prop::sample::select(operators), part.clone(), part.clone());
        let both = both.prop_map(|(operator, x, y)| Tree::Binary(operator, x.into(), y.into()));
        let mut kinds = vec![(4, both.boxed())];
        if factorials {
            let of = part.clone().prop_map(|x| Tree::Factorial(x.into()));
            kinds.push((1, of.boxed()));
        }
        if negations {
            let of = part.clone().prop_map(|x| Tree::Negate(x.into()));
            kinds.push((1, of.boxed()));
        }
        if !functions.is_empty() {
            let given = prop::collection::vec(part, 1..3);
            let of = (prop::sample::select(functions), given);
            kinds.push((
                1,
                of.prop_map(|(name, given)| Tree::Call(name, given)).boxed(),
            ));
        }
        Union::new_weighted(kinds)
    })
}

/// Generates numbers whose digits match this pattern.
pub(crate) fn numbers(pattern: &'static str) -> impl Strategy<Value = Tree> {
    pattern.prop_map(Tree::Number)
}
