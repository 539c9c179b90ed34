//! No text makes the grammar or one of its algebras panic: a text is read or refused at one of its
//! characters, and what was read is printed, read back as the same tree, and has the same value.

use flipcost::number::Real;
use flipcost::unstable::grammar::{Expr, ExpressionError, Formula, Integers, Limits};
use flipcost::unstable::number::constant::REAL;
use flipcost::unstable::number::expression::{NATURAL, RATIONAL};
use flipcost::unstable::number::rationals::Rationals;
use flipcost::unstable::number::reals::Reals;

/// Far below those of the program, so that a run takes no time.
const LIMITS: Limits = Limits {
    bits: 1 << 12,
    steps: 1 << 18,
};

fn inside<T>(text: &str, read: Result<T, ExpressionError>) -> Option<T> {
    read.map_err(|error| {
        assert!(error.at() <= text.chars().count());
        assert!(!error.to_string().contains(char::is_control));
    })
    .ok()
}

/// See the module.
pub fn numbers(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Some(formula) = inside(text, Formula::read(text, &["a", "b"])) {
        inside(text, formula.value(&[5, -3]));
    }
    for read in [Expr::parse, Expr::parse_fraction] {
        let Some(expr) = inside(text, read(text, &REAL)) else {
            continue;
        };
        let printed = expr.to_string();
        // brackets around a fraction's parts may pass the depth
        if let Ok(again) = Expr::parse(&printed, &REAL) {
            assert_eq!((&again, again.to_string()), (&expr, printed));
        }
        let integer = inside(text, Integers::value(&expr, &NATURAL, LIMITS));
        let rational = inside(text, Rationals::value(&expr, &RATIONAL, LIMITS));
        let real = inside(text, Reals::value(&expr, &REAL, &[]));
        if let Some(integer) = integer {
            assert_eq!(rational, Some(integer.into()));
        }
        if let (Some(rational), Some(real)) = (&rational, &real) {
            assert_eq!(real.exact(), Some(rational));
        }
        if let Some(real @ Real::Enclosed(_)) = real {
            assert!(real.enclose(64).is_within(64));
        }
    }
}
