//! The syntax tree of an expression, as one list in postfix order.

use super::{Algebra, AlgebraError, ExpressionError, Literal, Vocabulary, dice_length};
use std::fmt;

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Over,
    /// `%`
    Modulo,
    /// `^`, right to left
    Power,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
    /// `and`
    And,
    /// `or`
    Or,
}

/// How tightly operators bind; operators of equal strength associate to the left.
pub(super) mod strength {
    pub(crate) const OR: u8 = 1;
    pub(crate) const AND: u8 = 2;
    pub(crate) const COMPARISON: u8 = 3;
    pub(crate) const SUM: u8 = 4;
    pub(crate) const PRODUCT: u8 = 5;
    pub(crate) const SIGNED: u8 = 6;
    pub(crate) const POWER: u8 = 7;
    pub(crate) const PRIMARY: u8 = 8;
}

impl Operator {
    /// Applies the operator to two integers; a comparison gives 1 or 0. Returns `None` if the
    /// result exceeds 2^63, for a divisor of 0, and for operators that are not defined for
    /// integers.
    pub fn of_words(self, x: i64, y: i64) -> Option<i64> {
        match self {
            Operator::Plus => x.checked_add(y),
            Operator::Minus => x.checked_sub(y),
            Operator::Times => x.checked_mul(y),
            Operator::Over => x.checked_div_euclid(y),
            Operator::Modulo => x.checked_rem_euclid(y),
            Operator::Less => Some((x < y).into()),
            Operator::AtMost => Some((x <= y).into()),
            Operator::Equal => Some((x == y).into()),
            Operator::NotEqual => Some((x != y).into()),
            Operator::AtLeast => Some((x >= y).into()),
            Operator::Greater => Some((x > y).into()),
            Operator::And => Some((x != 0 && y != 0).into()),
            Operator::Or => Some((x != 0 || y != 0).into()),
            Operator::Power => None,
        }
    }

    /// Returns the comparison with its sides exchanged: `<` becomes `>`.
    #[must_use]
    pub fn mirrored(self) -> Operator {
        match self {
            Operator::Less => Operator::Greater,
            Operator::AtMost => Operator::AtLeast,
            Operator::AtLeast => Operator::AtMost,
            Operator::Greater => Operator::Less,
            same => same,
        }
    }

    /// Whether the operator is `<`, `<=`, `=`, `!=`, `>=` or `>`.
    pub fn is_comparison(self) -> bool {
        self.binding_strength() == strength::COMPARISON
    }

    /// Every operator.
    pub const ALL: [Operator; 14] = {
        use Operator::*;
        [
            Plus, Minus, Times, Over, Modulo, Power, Less, AtMost, Equal, NotEqual, AtLeast,
            Greater, And, Or,
        ]
    };

    /// The operator as text.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Times => "*",
            Operator::Over => "/",
            Operator::Modulo => "%",
            Operator::Power => "^",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::AtLeast => ">=",
            Operator::Greater => ">",
            Operator::And => "and",
            Operator::Or => "or",
        }
    }

    pub(super) fn binding_strength(self) -> u8 {
        match self {
            Operator::Plus | Operator::Minus => strength::SUM,
            Operator::Times | Operator::Over | Operator::Modulo => strength::PRODUCT,
            Operator::Power => strength::POWER,
            Operator::And => strength::AND,
            Operator::Or => strength::OR,
            _ => strength::COMPARISON,
        }
    }
}

/// A part of an expression: a number, a name, or an operation. The operands of an operation are the
/// parts that end immediately before it in the list.
#[derive(Clone, Debug)]
pub struct ExprNode {
    pub kind: ExprKind,
    /// The position of the first character of its number or name, or of its operator.
    pub(crate) at: usize,
}

/// The kind of a part. Numbers and names are bytes `start..end` of the text.
#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Number {
        start: usize,
        end: usize,
    },
    Name {
        start: usize,
        end: usize,
    },
    /// Dice, which an algebra parses itself.
    Dice {
        start: usize,
        end: usize,
    },
    /// A function and its number of arguments.
    Call {
        start: usize,
        end: usize,
        arguments: usize,
    },
    Negate,
    Factorial,
    Percent,
    Binary(Operator),
}

/// An expression: a syntax tree in which each part has its position in the text.
///
/// Two expressions are equal if their trees are equal, even if brackets and blanks differ; numbers
/// are compared as they are written. `Display` writes the tree with only the necessary brackets;
/// parsing that text gives the same tree.
///
/// ```
/// use flipcost_number::grammar::{Expr, Vocabulary};
/// static WORDS: Vocabulary = Vocabulary {
///     noun: "a formula",
///     operand: "a value was expected",
///     operator: "a sign was expected",
///     names: true,
///     dice: false,
///     functions: &["log2"],
/// };
/// let expr = Expr::parse("((2*n) - log2(n))", &WORDS).unwrap();
/// assert_eq!(expr.to_string(), "2 * n - log2(n)");
/// assert_eq!(expr.names().collect::<Vec<_>>(), [("n", 4), ("n", 14)]);
/// ```
#[derive(Clone, Debug)]
pub struct Expr {
    pub(super) text: String,
    /// The parts in postfix order; the last is the root.
    pub(super) nodes: Vec<ExprNode>,
}

impl Expr {
    /// The text from which the expression was parsed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The names of variables with their positions, in the order of the text. A name before a
    /// bracket is a call, not a variable.
    pub fn names(&self) -> impl Iterator<Item = (&str, usize)> {
        self.nodes.iter().filter_map(|node| match node.kind {
            ExprKind::Name { start, end } => Some((&self.text[start..end], node.at)),
            _ => None,
        })
    }

    /// The dice and named laws, each with the byte position where it begins, in the order of the
    /// text.
    pub fn dice(&self) -> impl Iterator<Item = (&str, usize)> {
        self.nodes.iter().filter_map(|node| match node.kind {
            ExprKind::Dice { start, end } => Some((&self.text[start..end], start)),
            _ => None,
        })
    }

    /// Whether the expression's last operation is a comparison, `and` or `or`.
    pub fn is_condition(&self) -> bool {
        let last = self.nodes.last().map(|node| &node.kind);
        matches!(last, Some(ExprKind::Binary(operator)) if operator.binding_strength() <= strength::COMPARISON)
    }

    /// Returns all comparisons of this name with numbers; `None` if the name also occurs elsewhere.
    pub fn comparisons_of(&self, name: &str) -> Option<Vec<(Operator, i64)>> {
        let number = |at: Option<usize>| match self.nodes.get(at?)?.kind {
            ExprKind::Number { start, end } => Literal(&self.text[start..end]).word().ok(),
            _ => None,
        };
        let comparison = |at: usize| match self.nodes.get(at)?.kind {
            ExprKind::Binary(operator) if operator.is_comparison() => Some(operator),
            _ => None,
        };
        let places = (0..self.nodes.len()).filter(|at| {
            let kind = &self.nodes[*at].kind;
            matches!(kind, ExprKind::Name { .. }) && self.name_text(kind) == name
        });
        let compared = |at: usize| {
            let behind = number(Some(at + 1)).zip(comparison(at + 2));
            let before =
                || number(at.checked_sub(1)).zip(comparison(at + 1).map(Operator::mirrored));
            behind
                .or_else(before)
                .map(|(number, operator)| (operator, number))
        };
        places.map(compared).collect()
    }

    /// Finds the first number directly before or after `and` or `or`, as in `a = 10 or 11`: the
    /// operator, and the position of the number.
    pub fn joined_number(&self) -> Option<(Operator, usize)> {
        (0..self.nodes.len()).find_map(|place| {
            let ExprKind::Binary(operator @ (Operator::And | Operator::Or)) =
                self.nodes[place].kind
            else {
                return None;
            };
            let (right, left) = self.split_last_value(&self.nodes[..place])?;
            let sides = [left.last()?, right.last()?].into_iter();
            let mut numbers = sides.filter(|node| matches!(node.kind, ExprKind::Number { .. }));
            numbers.next().map(|node| (operator, node.at))
        })
    }

    /// Finds the first difference of two numbers in a comparison without brackets, as in `a =
    /// 15-20`: both numbers, and the position of the first.
    pub fn compared_numbers(&self) -> Option<(&str, &str, usize)> {
        self.nodes.windows(4).find_map(|nodes| {
            let [first, last, minus, sign] = nodes else {
                return None;
            };
            let ExprKind::Number { start, .. } = first.kind else {
                return None;
            };
            let is_bracketed = self.text[..start].trim_end().ends_with('(');
            let are_compared = matches!(last.kind, ExprKind::Number { .. })
                && matches!(minus.kind, ExprKind::Binary(Operator::Minus))
                && matches!(sign.kind, ExprKind::Binary(operator) if operator.is_comparison());
            let texts = (self.name_text(&first.kind), self.name_text(&last.kind));
            (are_compared && !is_bracketed).then_some((texts.0, texts.1, first.at))
        })
    }

    /// The number of numbers, names, operators and functions in the expression.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The two sides of a comparison and the operator between them; `None` if the last operation of
    /// the expression is not a comparison. The sides keep their positions in the same text.
    pub fn comparison(&self) -> Option<(Expr, Operator, Expr)> {
        let (root, parts) = self.nodes.split_last()?;
        let ExprKind::Binary(operator) = root.kind else {
            return None;
        };
        if !operator.is_comparison() {
            return None;
        }
        let (right, left) = self.split_last_value(parts)?;
        Some((
            self.subexpression(left),
            operator,
            self.subexpression(right),
        ))
    }

    /// If the whole expression is a function call, the name and the arguments.
    pub fn call(&self) -> Option<(&str, Vec<Expr>)> {
        let (root, mut parts) = self.nodes.split_last()?;
        let ExprKind::Call {
            start,
            end,
            arguments,
        } = root.kind
        else {
            return None;
        };
        let mut given = Vec::new();
        for _ in 0..arguments {
            let (last, before) = self.split_last_value(parts)?;
            given.push(self.subexpression(last));
            parts = before;
        }
        given.reverse();
        Some((&self.text[start..end], given))
    }

    fn subexpression(&self, nodes: &[ExprNode]) -> Expr {
        Expr {
            text: self.text.clone(),
            nodes: nodes.to_vec(),
        }
    }

    /// Splits a list of parts into the parts that form its last value, and the parts before them.
    fn split_last_value<'a>(
        &self,
        parts: &'a [ExprNode],
    ) -> Option<(&'a [ExprNode], &'a [ExprNode])> {
        // Go backwards until the operators have exactly as many operands as they need.
        let mut wanted = 1;
        let begins = |node: &ExprNode| {
            wanted -= 1;
            wanted += match node.kind {
                ExprKind::Number { .. } | ExprKind::Name { .. } | ExprKind::Dice { .. } => 0,
                ExprKind::Call { arguments, .. } => arguments,
                ExprKind::Negate | ExprKind::Factorial | ExprKind::Percent => 1,
                ExprKind::Binary(_) => 2,
            };
            wanted == 0
        };
        let length = parts.iter().rev().map(begins).position(|ends| ends)? + 1;
        let (before, last) = parts.split_at(parts.len() - length);
        Some((last, before))
    }

    /// Refuses a percentage after + or -, as in 100 + 10%, which calculators read as 10% of 100,
    /// unless 1 or a percentage is on its left.
    pub(crate) fn check_percentages(&self) -> Result<(), AlgebraError> {
        for (i, pair) in self.nodes.windows(2).enumerate() {
            let [right, sum] = pair else { continue };
            let is_sum = matches!(sum.kind, ExprKind::Binary(Operator::Plus | Operator::Minus));
            if !is_sum || !matches!(right.kind, ExprKind::Percent) {
                continue;
            }
            let left = self.split_last_value(&self.nodes[..=i]);
            let left = left.and_then(|(_, before)| before.last());
            let is_equal = left.is_some_and(|left| match left.kind {
                ExprKind::Number { start, end } => &self.text[start..end] == "1",
                ref kind => matches!(kind, ExprKind::Percent),
            });
            if !is_equal {
                let what = "a percentage after + or - has two readings: 100 + 10% is 100 + 10/100, or 100 + 100*10/100; write the one that you mean";
                return Err(AlgebraError::new(sum.at, what));
            }
        }
        Ok(())
    }

    /// Creates the error message for this text.
    pub fn refuse(&self, words: &Vocabulary, refusal: AlgebraError) -> ExpressionError {
        ExpressionError::new(&self.text, words, refusal)
    }

    /// Evaluates the expression in an algebra: every part once, operands before operators.
    ///
    /// # Errors
    /// The first error of the algebra.
    pub fn evaluate<A: Algebra>(&self, algebra: &mut A) -> Result<A::Value, ExpressionError> {
        self.value(algebra)
            .map_err(|refusal| self.refuse(algebra.words(), refusal))
    }

    fn value<A: Algebra>(&self, algebra: &mut A) -> Result<A::Value, AlgebraError> {
        let mut stack: Vec<A::Value> = Vec::new();
        for node in &self.nodes {
            let at = node.at;
            let value = match node.kind {
                ExprKind::Number { start, end } => {
                    algebra.number(Literal(&self.text[start..end]), at)
                }
                ExprKind::Name { start, end } => algebra.name(&self.text[start..end], at),
                ExprKind::Dice { start, end } => algebra.dice(&self.text[start..end], at),
                ExprKind::Call {
                    start,
                    end,
                    arguments,
                } => {
                    let arguments = stack.split_off(stack.len() - arguments);
                    algebra.call(&self.text[start..end], arguments, at)
                }
                ExprKind::Negate => algebra.negate(pop_operand(&mut stack), at),
                ExprKind::Factorial => algebra.factorial(pop_operand(&mut stack), at),
                ExprKind::Percent => algebra.percent(pop_operand(&mut stack), at),
                ExprKind::Binary(operator) => {
                    let y = pop_operand(&mut stack);
                    let x = pop_operand(&mut stack);
                    algebra.binary(operator, x, y, at)
                }
            };
            stack.push(value?);
        }
        Ok(pop_operand(&mut stack))
    }

    fn name_text(&self, kind: &ExprKind) -> &str {
        match *kind {
            ExprKind::Number { start, end }
            | ExprKind::Name { start, end }
            | ExprKind::Dice { start, end }
            | ExprKind::Call { start, end, .. } => &self.text[start..end],
            _ => "",
        }
    }
}

/// Takes the last value from the stack.
fn pop_operand<V>(stack: &mut Vec<V>) -> V {
    stack.pop().expect("operands come before their operator")
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        let same = |(x, y): (&ExprNode, &ExprNode)| {
            let kinds = match (&x.kind, &y.kind) {
                (ExprKind::Call { arguments: a, .. }, ExprKind::Call { arguments: b, .. }) => {
                    a == b
                }
                (ExprKind::Binary(a), ExprKind::Binary(b)) => a == b,
                (x, y) => std::mem::discriminant(x) == std::mem::discriminant(y),
            };
            kinds && self.name_text(&x.kind) == other.name_text(&y.kind)
        };
        self.nodes.len() == other.nodes.len() && self.nodes.iter().zip(&other.nodes).all(same)
    }
}

impl Eq for Expr {}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.format_tree(f)
    }
}

/// Checks whether the last word of a text is dice.
fn ends_in_dice(text: &str) -> bool {
    let bytes = text.as_bytes();
    let part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    let begins = |i: usize| i == 0 || !part(bytes[i - 1]);
    (0..bytes.len()).any(|i| begins(i) && dice_length(&bytes[i..]) == Some(bytes.len() - i))
}

impl Expr {
    /// Writes the tree with the necessary brackets: around every part that binds less tightly than
    /// its context requires.
    fn format_tree(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fn bracket_if_weaker((text, strength): (String, u8), least: u8) -> String {
            if strength < least {
                format!("({text})")
            } else {
                text
            }
        }
        // The stack holds the texts of the parts, with the binding strength of each.
        let mut stack: Vec<(String, u8)> = Vec::new();
        for node in &self.nodes {
            let written = match node.kind {
                ExprKind::Number { .. } | ExprKind::Name { .. } | ExprKind::Dice { .. } => {
                    (self.name_text(&node.kind).to_string(), strength::PRIMARY)
                }
                ExprKind::Call { arguments, .. } => {
                    let arguments = stack.split_off(stack.len() - arguments);
                    let arguments: Vec<String> = arguments.into_iter().map(|(a, _)| a).collect();
                    let name = self.name_text(&node.kind);
                    (
                        format!("{name}({})", arguments.join(", ")),
                        strength::PRIMARY,
                    )
                }
                ExprKind::Negate => {
                    let x = pop_operand(&mut stack);
                    (
                        format!("-{}", bracket_if_weaker(x, strength::SIGNED)),
                        strength::SIGNED,
                    )
                }
                ExprKind::Factorial | ExprKind::Percent => {
                    let x = pop_operand(&mut stack);
                    let is_percent = matches!(node.kind, ExprKind::Percent);
                    // Exploding dice, for example `d6!`, are one word.
                    let is_dice = dice_length(x.0.as_bytes()) == Some(x.0.len());
                    let least = strength::PRIMARY + u8::from(is_dice);
                    let mut text = bracket_if_weaker(x, least);
                    text.push(if is_percent { '%' } else { '!' });
                    (text, strength::PRIMARY)
                }
                ExprKind::Binary(operator) => {
                    let y = pop_operand(&mut stack);
                    let x = pop_operand(&mut stack);
                    let own = operator.binding_strength();
                    // Powers associate to the right, and -y is allowed as an exponent: 2^3^2, 2^-1.
                    let power = operator == Operator::Power;
                    let (left, right, blank) = if power {
                        (own + 1, strength::SIGNED, "")
                    } else if operator.is_comparison() {
                        (own + 1, own + 1, " ")
                    } else {
                        (own, own + 1, " ")
                    };
                    let mut text = bracket_if_weaker(x, left);
                    let is_dice = ends_in_dice(&text);
                    text.push_str(blank);
                    text.push_str(operator.sign());
                    text.push_str(blank);
                    // A sign after % would make it a percentage, which formulas of dice do not
                    // support.
                    let is_remainder = matches!(operator, Operator::Modulo);
                    let right = if is_remainder && !is_dice && y.0.starts_with('-') {
                        strength::POWER
                    } else {
                        right
                    };
                    text.push_str(&bracket_if_weaker(y, right));
                    (text, own)
                }
            };
            stack.push(written);
        }
        let (text, _) = pop_operand(&mut stack);
        f.write_str(&text)
    }
}
