//! Parses a text to its syntax tree: an operator precedence parser (Pratt 1973).

use super::dice::{dice_length, law_length};
use super::token::{Token, TokenKind, Tokens};
use super::tree::{Expr, ExprKind, ExprNode, Operator, strength};
use super::{AlgebraError, ExpressionError, Vocabulary};

/// The maximum nesting depth of brackets, powers of powers and signs of signs.
pub const MAX_DEPTH: u32 = 50;

/// The maximum number of numbers, names, operators and brackets in one text.
pub const MAX_SYMBOLS: usize = 10_000;

impl Expr {
    /// Parses a text to an expression. Cost: linear in the length of the text.
    ///
    /// # Errors
    /// If the text is not an expression, or exceeds `MAX_DEPTH` or `MAX_SYMBOLS`. The error message
    /// uses the words of the given algebra.
    pub fn parse(text: &str, words: &'static Vocabulary) -> Result<Expr, ExpressionError> {
        Parser::new(text, words).parse_all()
    }
}

type ParseResult = Result<(), AlgebraError>;

struct Parser<'a> {
    text: &'a str,
    words: &'static Vocabulary,
    tokens: Tokens<'a>,
    /// The next symbol of the text.
    token: Token,
    symbols: usize,
    depth: u32,
    nodes: Vec<ExprNode>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, words: &'static Vocabulary) -> Self {
        let mut tokens = Tokens::new(text, words.dice);
        let token = tokens.next();
        Parser {
            text,
            words,
            tokens,
            token,
            symbols: 1,
            depth: 0,
            nodes: Vec::new(),
        }
    }

    fn parse_all(mut self) -> Result<Expr, ExpressionError> {
        let parsed = self
            .parse_expression(0)
            .and_then(|()| match self.token.kind {
                TokenKind::End => Ok(()),
                _ => Err(self.operator_error()),
            });
        match parsed {
            Ok(()) => Ok(Expr {
                text: self.text.to_string(),
                nodes: self.nodes,
            }),
            Err(refusal) => Err(ExpressionError::new(self.text, self.words, refusal)),
        }
    }

    /// The error for a symbol that is not an operator. It says how a sign of other programs is
    /// written here.
    fn operator_error(&self) -> AlgebraError {
        let what = match self.text[self.token.start..].chars().next() {
            Some('\u{2212}' | '\u{2013}' | '\u{2014}') => "the minus sign is written -",
            Some('x' | 'X') if self.words.dice => {
                "a product is written with *, as in 6*d4, and six rolls are `flipcost roll d4 --count 6`"
            }
            Some('\u{d7}' | '\u{b7}' | 'x' | 'X' | '(') => {
                "a product is written with *, as in 3*(4 + 1)"
            }
            Some('\u{f7}') => "a quotient is written with /",
            Some('\'' | '\u{2019}') => "the digits of a number can be grouped by _, as in 1_000",
            Some('W' | 'w') => "dice are written with d, as in 3d6",
            _ => return self.words.no_operator(self.token.at),
        };
        AlgebraError::new(self.token.at, what)
    }

    /// Advances to the next symbol, and returns the previous one.
    fn advance(&mut self) -> Result<Token, AlgebraError> {
        let before = self.token;
        self.token = self.tokens.next();
        if self.token.kind != TokenKind::End {
            self.symbols += 1;
            if self.symbols > MAX_SYMBOLS {
                let most = format!("it has more than {MAX_SYMBOLS} numbers, names and signs");
                return Err(AlgebraError::new(self.token.at, most));
            }
        }
        Ok(before)
    }

    fn push(&mut self, kind: ExprKind, at: usize) {
        self.nodes.push(ExprNode { kind, at });
    }

    /// Parses an expression inside the symbol at this position, one nesting level deeper.
    fn parse_nested(&mut self, least: u8, at: usize) -> ParseResult {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let most = format!("nested too deeply ({MAX_DEPTH} levels at most)");
            return Err(AlgebraError::new(at, most));
        }
        self.parse_expression(least)?;
        self.depth -= 1;
        Ok(())
    }

    /// Parses an expression; stops before an operator that binds less tightly than `least`.
    fn parse_expression(&mut self, least: u8) -> ParseResult {
        self.parse_operand()?;
        let mut compared = false;
        while let Some(operator) = binary_operator(self.token.kind) {
            let own = operator.binding_strength();
            if own < least {
                break;
            }
            let at = self.advance()?.at;
            if own == strength::COMPARISON
                && std::mem::replace(&mut compared, true)
                && self.words.dice
            {
                let what = "two comparisons are joined by `and`, as in a >= 2 and a <= 5, where a letter is one roll";
                return Err(AlgebraError::new(at, what));
            }
            if operator == Operator::Power {
                self.parse_nested(own, at)?;
            } else {
                self.parse_expression(own + 1)?;
            }
            self.push(ExprKind::Binary(operator), at);
        }
        Ok(())
    }

    fn parse_operand(&mut self) -> ParseResult {
        let Token {
            kind,
            at,
            start,
            end,
        } = self.token;
        let rest = &self.text.as_bytes()[start..];
        if self.words.dice
            && let Some(length) = dice_length(rest).or_else(|| law_length(rest))
        {
            self.tokens.skip(self.token, length);
            self.advance()?;
            let end = start + length;
            self.push(ExprKind::Dice { start, end }, at);
            return Ok(());
        }
        match kind {
            TokenKind::Number => {
                self.advance()?;
                self.push(ExprKind::Number { start, end }, at);
            }
            TokenKind::Malformed(place) => {
                let what = "a '_' can stand only between digits";
                return Err(AlgebraError::new(at + place, what));
            }
            TokenKind::Name if self.words.names => {
                self.advance()?;
                let name = &self.text[start..end];
                match self.token.kind {
                    TokenKind::Open => {
                        let arguments = self.parse_bracketed(true)?;
                        let kind = ExprKind::Call {
                            start,
                            end,
                            arguments,
                        };
                        self.push(kind, at);
                    }
                    _ if self.words.functions.contains(&name) => {
                        let what = format!("a '(' is needed after {name}");
                        return Err(AlgebraError::new(self.token.at, what));
                    }
                    _ => self.push(ExprKind::Name { start, end }, at),
                }
            }
            TokenKind::Open => {
                self.parse_bracketed(false)?;
            }
            TokenKind::Minus => {
                self.advance()?;
                self.parse_nested(strength::SIGNED, at)?;
                self.push(ExprKind::Negate, at);
                return Ok(());
            }
            _ => return Err(self.words.no_operand(at)),
        }
        loop {
            let kind = match self.token.kind {
                TokenKind::Factorial => ExprKind::Factorial,
                TokenKind::Modulo if !self.value_follows() => ExprKind::Percent,
                _ => return Ok(()),
            };
            let at = self.advance()?.at;
            self.push(kind, at);
        }
    }

    /// Checks whether the symbol after the next one is a number, a name or a bracket.
    fn value_follows(&self) -> bool {
        let next = self.tokens.clone().next().kind;
        matches!(
            next,
            TokenKind::Number | TokenKind::Malformed(_) | TokenKind::Name | TokenKind::Open
        )
    }

    /// Parses one expression in brackets or, if `arguments`, several separated by commas; returns
    /// their number.
    fn parse_bracketed(&mut self, arguments: bool) -> Result<usize, AlgebraError> {
        let at = self.advance()?.at;
        let mut count = 1;
        self.parse_nested(0, at)?;
        while arguments && self.token.kind == TokenKind::Comma {
            let at = self.advance()?.at;
            self.parse_nested(0, at)?;
            count += 1;
        }
        if self.token.kind != TokenKind::Close {
            return Err(AlgebraError::new(self.token.at, "a ')' is missing"));
        }
        self.advance()?;
        Ok(count)
    }
}

fn binary_operator(kind: TokenKind) -> Option<Operator> {
    Some(match kind {
        TokenKind::Plus => Operator::Plus,
        TokenKind::Minus => Operator::Minus,
        TokenKind::Times => Operator::Times,
        TokenKind::Over => Operator::Over,
        TokenKind::Modulo => Operator::Modulo,
        TokenKind::Power => Operator::Power,
        TokenKind::Less => Operator::Less,
        TokenKind::AtMost => Operator::AtMost,
        TokenKind::Equal => Operator::Equal,
        TokenKind::NotEqual => Operator::NotEqual,
        TokenKind::AtLeast => Operator::AtLeast,
        TokenKind::Greater => Operator::Greater,
        TokenKind::And => Operator::And,
        TokenKind::Or => Operator::Or,
        _ => return None,
    })
}
