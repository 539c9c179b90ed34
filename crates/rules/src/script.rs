//! Parses and runs a program in the language Rhai, within limits.

use crate::fault::Fault;
use crate::integer::{self, integer};
use crate::value::Value;
use flipcost_number::BigUint;
use flipcost_number::budget;
use num_traits::Signed;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, Package,
};
use rhai::{AST, Dynamic, Engine, EvalAltResult, ParseErrorType, Position};

/// The largest number of operations in one run of a program.
pub const MAX_OPERATIONS: u64 = 10_000_000;
/// The largest depth of nested calls.
pub const MAX_DEPTH: usize = 64;
/// The largest number of items of an array or a map, and letters of a text.
pub const MAX_ITEMS: usize = 100_000;
/// The largest number of bytes of a program.
pub const MAX_BYTES: usize = 1 << 18;

/// An outcome, as returned by `out(x)`.
#[derive(Clone)]
pub(crate) struct Outcome(pub(crate) Dynamic);

/// The value that `again()` returns.
#[derive(Clone)]
pub(crate) struct Again;

/// Returns an engine with integers of any size, arrays, maps and texts, and no access to the
/// machine.
pub(crate) fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    // none of the packages registered here can read the time, random numbers or files
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    BasicStringPackage::new().register_into_engine(&mut engine);
    integer::register(&mut engine);
    engine.disable_symbol("eval");
    engine.set_max_operations(MAX_OPERATIONS);
    engine.set_max_call_levels(MAX_DEPTH);
    engine.set_max_expr_depths(64, 64);
    engine.set_max_array_size(MAX_ITEMS);
    engine.set_max_map_size(MAX_ITEMS);
    engine.set_max_string_size(MAX_ITEMS);
    engine.set_max_variables(1000);
    engine.set_max_functions(1000);
    engine.on_print(|_| {});
    engine.on_debug(|_, _, _| {});
    engine.on_progress(|operations| {
        if operations % 1024 == 0 {
            budget::spend(1024 * 30);
        }
        None
    });
    engine.register_type_with_name::<Outcome>("out(x)");
    engine.register_type_with_name::<Again>("again()");
    engine.register_fn("out", Outcome);
    engine.register_fn("again", || Again);
    engine
}

/// Parses a program.
pub(crate) fn parse(engine: &Engine, file: &str, text: &str) -> Result<AST, Fault> {
    if text.len() > MAX_BYTES {
        return Err(Fault::Long {
            file: file.to_string(),
            most: MAX_BYTES,
        });
    }
    engine.compile(text).map_err(|error| {
        let is_missing =
            matches!(error.err_type(), ParseErrorType::MissingToken(token, _) if token == ";");
        let line = error.position().line();
        let column = error.position().position().unwrap_or(1);
        Fault::Syntax {
            file: file.to_string(),
            line: line.map(|line| {
                if is_missing {
                    unfinished_statement_line(text, line, column)
                } else {
                    line
                }
            }),
            what: error.err_type().to_string(),
        }
    })
}

/// Returns the line of a statement that lacks its `;`. The parser reports the line of the token
/// that follows instead.
fn unfinished_statement_line(text: &str, next: usize, column: usize) -> usize {
    let is_code = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let of_next = text.lines().nth(next - 1).unwrap_or_default();
    if of_next.chars().take(column - 1).any(|c| !c.is_whitespace()) {
        return next;
    }
    let before = text.lines().zip(1..).take(next - 1);
    before
        .filter(|(line, _)| is_code(line))
        .last()
        .map_or(next, |(_, number)| number)
}

/// Returns whether the program has a function with this name and number of parameters.
pub(crate) fn has_function(ast: &AST, name: &str, parameters: usize) -> bool {
    ast.iter_functions()
        .any(|function| function.name == name && function.params.len() == parameters)
}

/// Describes the error that stopped a run, in a sentence with the line.
pub(crate) fn run_fault(file: &str, error: EvalAltResult) -> Fault {
    let mut inner = error;
    // if functions call each other, the innermost error has the line and the cause
    while let EvalAltResult::ErrorInFunctionCall(_, _, cause, _) = inner {
        inner = *cause;
    }
    let position: Position = inner.position();
    let what = match &inner {
        EvalAltResult::ErrorRuntime(text, _) => text.to_string(),
        EvalAltResult::ErrorTooManyOperations(_) => {
            format!("more than {MAX_OPERATIONS} operations in one run: it may never end")
        }
        EvalAltResult::ErrorStackOverflow(_) => {
            format!("more than {MAX_DEPTH} nested calls")
        }
        other => {
            let hint = match other {
                EvalAltResult::ErrorVariableNotFound(name, _) => {
                    format!(": `let {name} = ...` makes one")
                }
                EvalAltResult::ErrorFunctionNotFound(name, _) if name.starts_with("flip (") => {
                    ": a step has its roll as `face`".to_string()
                }
                EvalAltResult::ErrorFunctionNotFound(name, _) if name.starts_with("rand") => {
                    ": only flip(), roll(m) and word(w) are random".to_string()
                }
                _ => String::new(),
            };
            let mut other = other.to_string();
            if let Some(end) = other.rfind(" (line ") {
                other.truncate(end);
            }
            format!("{other}{hint}")
        }
    };
    Fault::Run {
        file: file.to_string(),
        line: position.line(),
        what,
    }
}

/// Returns the outcome that a program gives.
pub(crate) fn outcome(value: &Dynamic) -> Result<BigUint, String> {
    if let Some(Outcome(value)) = value.clone().try_cast::<Outcome>() {
        return outcome(&value);
    }
    if value.is::<Again>() {
        return Err("again() is for fn step: fn rule begins again with a loop".to_string());
    }
    match integer(value) {
        Some(number) if number.is_negative() => {
            Err(format!("{number} is not an outcome: outcomes begin at 0"))
        }
        Some(number) => Ok(number.magnitude().clone()),
        None if value.is_unit() => {
            Err("a path returns nothing: an outcome is an integer from 0 on".to_string())
        }
        None => {
            let shown =
                Value::from_dynamic(value).map_or_else(|kind| kind, |value| value.to_string());
            Err(format!(
                "{shown} is not an outcome: an outcome is an integer from 0 on"
            ))
        }
    }
}
