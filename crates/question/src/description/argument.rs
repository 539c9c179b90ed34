//! How fields are written at the command line.

/// The argument of a field at the command line. Created by `word`, `option` or `flag`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Whether the argument is a positional argument, an option or a flag.
    pub place: ArgumentKind,
    /// The name of the value in help, for example `M`; empty for a flag.
    pub value: &'static str,
    /// The argument's short option.
    pub short: Option<char>,
    /// The argument's long option, if it differs from the name of the field.
    pub name: Option<&'static str>,
    /// The argument's id among the arguments of its command, if another argument has the name of
    /// the field.
    pub id: Option<&'static str>,
    /// The argument's name in Python, if it differs from the name of the field.
    pub python: Option<&'static str>,
    /// Another name of the option.
    pub alias: Option<&'static str>,
    /// The argument's help text, if many questions have this argument.
    pub help: Option<&'static str>,
    /// The field that must be given together with this argument.
    pub with: Option<&'static str>,
    /// The fields that cannot be given together with this argument.
    pub without: &'static [&'static str],
    /// The value of the option if it is given without a value.
    pub missing: Option<&'static str>,
    /// Whether several values are given by repeating the option, and not by commas between them.
    pub each: bool,
    /// Whether the argument is printed even if it has its default.
    pub printed: bool,
    /// Whether the argument's value can begin with a dash.
    pub dash: bool,
}

/// The kinds of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A target, given by position or by `--weights`.
    Target,
    /// A positional argument.
    Word,
    /// An option with a value.
    Option,
    /// A flag without a value.
    Flag,
}

const fn argument(place: ArgumentKind, value: &'static str) -> Argument {
    Argument {
        place,
        value,
        short: None,
        name: None,
        id: None,
        python: None,
        alias: None,
        help: None,
        with: None,
        without: &[],
        missing: None,
        each: false,
        printed: false,
        dash: false,
    }
}

macro_rules! with {
    ($($name:ident($($value:ident: $type:ty)?) = $set:expr;)*) => {
        impl Argument {
            $(pub const fn $name(mut self $(, $value: $type)?) -> Argument {
                self.$name = $set;
                self
            })*
        }
    };
}

with! {
    short(letter: char) = Some(letter);
    name(name: &'static str) = Some(name);
    id(id: &'static str) = Some(id);
    python(name: &'static str) = Some(name);
    alias(name: &'static str) = Some(name);
    help(help: &'static str) = Some(help);
    with(field: &'static str) = Some(field);
    without(fields: &'static [&'static str]) = fields;
    missing(value: &'static str) = Some(value);
    each() = true;
    printed() = true;
    dash() = true;
}

/// Constructors of arguments.
pub mod arguments {
    use super::{Argument, ArgumentKind, argument};

    /// A positional argument.
    pub const fn word(value: &'static str) -> Argument {
        argument(ArgumentKind::Word, value)
    }

    /// An option with a value.
    pub const fn option(value: &'static str) -> Argument {
        argument(ArgumentKind::Option, value)
    }

    /// An option without a value.
    pub const fn flag() -> Argument {
        argument(ArgumentKind::Flag, "")
    }

    // Arguments that many questions share.

    pub const TARGET: Argument = argument(ArgumentKind::Target, "N").help(
        "The target: the sides of a fair die (6, 10^18+9), weights (1:2:3), dice (3d6, 4d6kh3, \
         '3d6 >= 15'; see `flipcost help law`), a law (binomial:n=20,p=1/3; with infinitely \
         many outcomes: poisson:1, dgauss:sigma=3/2), or @FILE with weights in a file: lines, a CSV table (@FILE:COLUMN), JSON, a Python dict",
    );

    pub const SOURCE: Argument = option("M").short('s').help(
        "The source: 2 or coin, 6 or d6, word:32, loaded (1:2, p=1/3, 60%), unknown:2, @FILE (also: from M, --dice M)",
    );

    pub const ALGORITHM: Argument = option("ID").short('a').help(
        "The algorithm, by id (see `flipcost list algorithms`, `flipcost libraries`) [default: \
         fast-dice-roller; knuth-yao for weights; interval or elias from a loaded source]",
    );

    pub const ALGORITHMS: Argument = option("ID").short('a').name("algorithm").help(
        "Only these algorithms, by id (see `flipcost list algorithms`, `flipcost libraries`)",
    );

    pub const DIGITS: Argument = option("D")
        .short('d')
        .help("Print D correctly rounded decimals instead of the nearest double");

    pub const EXACT: Argument = flag().help("Print exact fractions however large they are");

    pub const ROLLS: Argument = option("ROLLS").short('i').dash().help(
        "Your own physical rolls: HTHHT for a coin (H is face 1, T is 2), or faces such as 6,3,4,3 (the 0 of a d10 is its 10)",
    );
}
