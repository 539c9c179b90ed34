//! Integers of any size in programs. Every operator of the language gives the exact result, as a
//! machine word if the result fits, otherwise as a larger integer.

use flipcost_number::BigInt;
use num_integer::Integer as _;
use num_traits::{One, Signed, ToPrimitive, Zero};
use rhai::{Array, Dynamic, Engine, EvalAltResult};

/// An integer that does not fit into a machine word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Integer(pub(crate) BigInt);

/// The largest number of bits of an integer.
pub(crate) const MAX_BITS: u64 = 1 << 16;

type Outcome = Result<Dynamic, Box<EvalAltResult>>;

fn exact(number: BigInt) -> Outcome {
    match i64::try_from(&number) {
        Ok(small) => Ok(Dynamic::from_int(small)),
        Err(_) if number.bits() > MAX_BITS => {
            Err(format!("an integer of more than {MAX_BITS} bits").into())
        }
        Err(_) => Ok(Dynamic::from(Integer(number))),
    }
}

/// Converts an integer of a program, small or large.
pub(crate) fn integer(value: &Dynamic) -> Option<BigInt> {
    match value.as_int() {
        Ok(small) => Some(small.into()),
        Err(_) => value.read_lock::<Integer>().map(|large| large.0.clone()),
    }
}

fn power(base: &BigInt, exponent: &BigInt) -> Result<BigInt, Box<EvalAltResult>> {
    if exponent.is_negative() {
        return Err(format!("{base} to the power {exponent} is not an integer").into());
    }
    let trivial = base.is_zero() || base.magnitude().is_one();
    let exponent = if trivial {
        // For 0, 1 and -1 only two properties of the exponent matter: whether it is zero, and
        // whether it is odd.
        Some(exponent.is_odd() as u32 + 2 * !exponent.is_zero() as u32)
    } else {
        let longest = |e: &u32| base.bits().saturating_mul((*e).into()) <= 2 * MAX_BITS;
        exponent.to_u32().filter(longest)
    };
    exponent
        .map(|exponent| base.pow(exponent))
        .ok_or_else(|| format!("an integer of more than {MAX_BITS} bits").into())
}

fn shift_left(number: BigInt, by: &BigInt) -> Result<BigInt, Box<EvalAltResult>> {
    match by.to_i64() {
        Some(by) if by.unsigned_abs() <= MAX_BITS => Ok(if by < 0 {
            number >> by.unsigned_abs()
        } else {
            number << by
        }),
        _ if by.is_negative() => Ok(BigInt::from(-i32::from(number.is_negative()))),
        _ => Err(format!("an integer of more than {MAX_BITS} bits").into()),
    }
}

/// An operator of two integers.
type Operator = fn(BigInt, BigInt) -> Result<BigInt, Box<EvalAltResult>>;

const OPERATORS: [(&str, Operator); 11] = [
    ("+", |a, b| Ok(a + b)),
    ("-", |a, b| Ok(a - b)),
    ("*", |a, b| Ok(a * b)),
    ("/", |a, b| {
        if b.is_zero() {
            Err("division by zero".into())
        } else {
            Ok(a / b)
        }
    }),
    ("%", |a, b| {
        if b.is_zero() {
            Err("division by zero".into())
        } else {
            Ok(a % b)
        }
    }),
    ("**", |a, b| power(&a, &b)),
    ("<<", |a, b| shift_left(a, &b)),
    (">>", |a, b| shift_left(a, &-b)),
    ("&", |a, b| Ok(a & b)),
    ("|", |a, b| Ok(a | b)),
    ("^", |a, b| Ok(a ^ b)),
];

/// A comparison of two integers.
type Comparison = fn(&BigInt, &BigInt) -> bool;

const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", |a, b| a == b),
    ("!=", |a, b| a != b),
    ("<", |a, b| a < b),
    ("<=", |a, b| a <= b),
    (">", |a, b| a > b),
    (">=", |a, b| a >= b),
];

fn type_mismatch_error(operator: &str, left: &Dynamic, right: &Dynamic) -> Box<EvalAltResult> {
    format!(
        "{operator} of {} and {}",
        left.type_name(),
        right.type_name()
    )
    .into()
}

/// Appends to a text or an array, for `+=` of values that are not integers.
fn append_to_value(left: &mut Dynamic, right: Dynamic) -> Outcome {
    if let Some(mut array) = left.write_lock::<Array>() {
        match right.clone().try_cast::<Array>() {
            Some(more) => array.extend(more),
            None => array.push(right),
        }
        return Ok(Dynamic::from_array(std::mem::take(&mut array)));
    }
    match left.as_immutable_string_ref() {
        Ok(text) => Ok(Dynamic::from(format!("{}{right}", *text))),
        Err(_) => Err(type_mismatch_error("+=", left, &right)),
    }
}

/// Registers every operator for all combinations of small and large integers.
pub(crate) fn register(engine: &mut Engine) {
    // Without this setting the language would compute with machine words and never call these
    // operators.
    engine.set_fast_operators(false);
    engine.register_type_with_name::<Integer>("integer");
    for (name, apply) in OPERATORS {
        engine.register_fn(name, move |a: i64, b: i64| {
            exact(apply(a.into(), b.into())?)
        });
        engine.register_fn(name, move |a: Integer, b: i64| exact(apply(a.0, b.into())?));
        engine.register_fn(name, move |a: i64, b: Integer| exact(apply(a.into(), b.0)?));
        engine.register_fn(name, move |a: Integer, b: Integer| exact(apply(a.0, b.0)?));
        let change = move |left: &mut Dynamic, right: Dynamic| -> Result<(), Box<EvalAltResult>> {
            *left = match (integer(left), integer(&right)) {
                (Some(a), Some(b)) => exact(apply(a, b)?)?,
                _ if name == "+" => append_to_value(left, right)?,
                _ => return Err(type_mismatch_error(&format!("{name}="), left, &right)),
            };
            Ok(())
        };
        engine.register_fn(format!("{name}="), change);
    }
    for (name, holds) in COMPARISONS {
        engine.register_fn(name, move |a: i64, b: i64| holds(&a.into(), &b.into()));
        engine.register_fn(name, move |a: Integer, b: i64| holds(&a.0, &b.into()));
        engine.register_fn(name, move |a: i64, b: Integer| holds(&a.into(), &b.0));
        engine.register_fn(name, move |a: Integer, b: Integer| holds(&a.0, &b.0));
    }
    engine.register_fn("-", |a: i64| exact(-BigInt::from(a)));
    engine.register_fn("-", |a: Integer| exact(-a.0));
    engine.register_fn("abs", |a: i64| exact(BigInt::from(a).abs()));
    engine.register_fn("abs", |a: Integer| exact(a.0.abs()));
    engine.register_fn("to_string", |a: Integer| a.0.to_string());
    for (name, larger) in [("max", true), ("min", false)] {
        engine.register_fn(name, move |a: Dynamic, b: Dynamic| -> Outcome {
            match (integer(&a), integer(&b)) {
                (Some(x), Some(y)) => Ok(if (x < y) == larger { b } else { a }),
                _ => Err(type_mismatch_error(name, &a, &b)),
            }
        });
    }
}
