//! Neither the grammar nor any of its algebras ever panics. A text is either parsed, or refused at
//! one of its characters. A parsed expression can be printed; the printed text is parsed as the
//! same tree, and has the same value.

use flipcost_number::Real;
use flipcost_number::constant::REAL;
use flipcost_number::expression::{ExpressionError, NUMBER};
use flipcost_number::grammar::{Expr, Formula};
use flipcost_number::rationals::{Limits, rational_value};
use flipcost_number::reals::real_value;

/// These limits are far below those of the program, so that a run is quick.
const LIMITS: Limits = Limits {
    bits: 1 << 12,
    steps: 1 << 18,
};

fn value_within_limits<T>(text: &str, read: Result<T, ExpressionError>) -> Option<T> {
    read.map_err(|error| {
        assert!(error.position() <= text.chars().count());
        assert!(!error.to_string().contains(char::is_control));
    })
    .ok()
}

/// Checks the property that the module describes.
pub fn numbers(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Some(formula) = value_within_limits(text, Formula::read(text, &["a", "b"])) {
        value_within_limits(text, formula.value(&[5, -3]));
    }
    let Some(expr) = value_within_limits(text, Expr::parse(text, &REAL)) else {
        return;
    };
    let printed = expr.to_string();
    let again = Expr::parse(&printed, &REAL).expect("what is printed is read");
    assert_eq!((&again, again.to_string()), (&expr, printed));
    let rational = value_within_limits(text, rational_value(&expr, &NUMBER, LIMITS));
    let real = value_within_limits(text, real_value(&expr, &REAL, &[]));
    if let (Some(rational), Some(real)) = (&rational, &real) {
        assert_eq!(real.exact(), Some(rational));
    }
    if let Some(real @ Real::Enclosed(_)) = real {
        assert!(real.enclose(64).is_within(64));
    }
}
