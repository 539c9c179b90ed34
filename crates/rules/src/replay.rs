//! A rule as straight code, `fn rule(n, m)`: it is run again with the rolls of a path, and stops where
//! it asks for one more.
//!
//! What it does from there on follows from what it has in hand: in each function that is running the
//! statement, the variables at its beginning, the items left of the loops over lists around it, and
//! what rolls and calls gave since the statement began. Two paths that agree in all of these have the
//! same future and are one state. Statements within an expression begin nothing, since the expression
//! around them holds values that no variable has.

use crate::explore::{Move, Program};
use crate::fault::Fault;
use crate::script;
use crate::value::Value;
use rhai::debugger::{DebuggerCommand, DebuggerEvent};
use rhai::{
    AST, ASTNode, CallFnOptions, Dynamic, Engine, EvalAltResult, Expr, Position, Scope, Stmt,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the only function of a rule in straight code.
pub(crate) const RULE: &str = "rule";

/// What is known of a node of the program before it runs.
#[derive(Clone, Debug, Default)]
struct Place {
    number: i64,
    /// The loops over lists around it, by their numbers.
    loops: Vec<i64>,
    /// The loop whose body begins here.
    first_of: Option<i64>,
    /// It is a loop over a list, whose list is made of these variables.
    list: Option<Vec<String>>,
}

/// Every statement that stands for itself, and every condition of a loop.
type Places = HashMap<usize, Place>;

fn address(node: &ASTNode) -> usize {
    match node {
        ASTNode::Stmt(statement) => std::ptr::from_ref::<Stmt>(statement) as usize,
        ASTNode::Expr(expression) => std::ptr::from_ref::<Expr>(expression) as usize,
        _ => 0,
    }
}

fn places(ast: &AST) -> Places {
    let mut places = Places::new();
    let mut number = 0;
    ast.walk(&mut |path: &[ASTNode]| {
        number += 1;
        let (node, around) = path.split_last().expect("a path ends with its node");
        // an expression that is a whole statement, or a whole branch of a switch, holds no value
        let held =
            (0..around.len()).any(
                |i| match (&around[i], i.checked_sub(1).map(|i| &around[i])) {
                    (
                        ASTNode::Expr(Expr::Stmt(_)),
                        Some(ASTNode::Stmt(Stmt::Switch(..) | Stmt::Expr(_))),
                    ) => false,
                    (ASTNode::Expr(_), _) => true,
                    _ => false,
                },
            );
        let loops = || {
            let each = around
                .iter()
                .enumerate()
                .filter_map(|(i, outer)| match outer {
                    ASTNode::Stmt(statement @ Stmt::For(parts, _)) => {
                        let next = path.get(i + 1).map(address);
                        let in_list = next == Some(std::ptr::from_ref(&parts.2.expr) as usize);
                        let known = places.get(&(std::ptr::from_ref::<Stmt>(statement) as usize));
                        known.filter(|_| !in_list).map(|place| place.number)
                    }
                    _ => None,
                });
            each.collect::<Vec<i64>>()
        };
        match node {
            ASTNode::Stmt(statement) if !held => {
                let first_of = match around.last() {
                    Some(ASTNode::Stmt(outer @ Stmt::For(parts, _))) => {
                        let first = parts.2.body.statements().first();
                        let here = first.is_some_and(|first| std::ptr::eq(first, *statement));
                        let outer = places.get(&(std::ptr::from_ref::<Stmt>(outer) as usize));
                        outer.filter(|_| here).map(|outer| outer.number)
                    }
                    _ => None,
                };
                let list = match statement {
                    Stmt::For(parts, _) => Some(variables(&parts.2.expr)),
                    _ => None,
                };
                let place = Place {
                    number,
                    loops: loops(),
                    first_of,
                    list,
                };
                places.insert(address(node), place);
            }
            ASTNode::Expr(_) if !held => {
                let condition = match around.last() {
                    Some(ASTNode::Stmt(Stmt::While(parts, _) | Stmt::Do(parts, ..))) => {
                        address(node) == std::ptr::from_ref(&parts.expr) as usize
                    }
                    // of a statement that is an expression, the expression is what runs
                    Some(ASTNode::Stmt(Stmt::Expr(_))) => true,
                    _ => false,
                };
                if condition {
                    let place = Place {
                        number,
                        loops: loops(),
                        ..Place::default()
                    };
                    places.insert(address(node), place);
                }
            }
            _ => {}
        }
        true
    });
    places
}

/// The names of the variables in an expression.
fn variables(expression: &Expr) -> Vec<String> {
    let mut names = Vec::new();
    expression.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
        if let Some(ASTNode::Expr(Expr::Variable(variable, ..))) = path.last() {
            names.push(variable.1.to_string());
        }
        true
    });
    names
}

/// A loop over a list that is running.
#[derive(Clone, Debug)]
struct Loop {
    number: i64,
    /// What its list was made of.
    list: Vec<Value>,
    items: i64,
}

/// A function that is running.
#[derive(Clone, Debug, Default)]
struct Frame {
    statement: i64,
    variables: Vec<Value>,
    /// What rolls and calls gave since the statement began.
    since: Vec<Value>,
    loops: Vec<Loop>,
}

impl Frame {
    fn value(&self) -> Value {
        let each = |running: &Loop| {
            let (number, items) = (Value::Small(running.number), Value::Small(running.items));
            Value::Array(vec![number, items, Value::Array(running.list.clone())])
        };
        Value::Array(vec![
            Value::Small(self.statement),
            Value::Array(self.variables.clone()),
            Value::Array(self.since.clone()),
            Value::Array(self.loops.iter().map(each).collect()),
        ])
    }
}

/// One run.
#[derive(Default)]
struct Run {
    faces: Vec<u64>,
    used: usize,
    frames: Vec<Frame>,
    /// The state in which it asked for a roll that is not there.
    stopped: Option<Value>,
}

/// `fn rule(n, m)`.
pub(crate) struct Replay {
    engine: Engine,
    ast: AST,
    file: String,
    n: Dynamic,
    m: Dynamic,
    run: Arc<Mutex<Run>>,
}

fn lock(run: &Mutex<Run>) -> MutexGuard<'_, Run> {
    run.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next roll, if it is there.
fn roll(run: &Mutex<Run>) -> Result<u64, Box<EvalAltResult>> {
    let mut run = lock(run);
    match run.faces.get(run.used).copied() {
        Some(face) => {
            run.used += 1;
            if let Some(frame) = run.frames.last_mut() {
                frame.since.push(Value::Small(face as i64));
            }
            Ok(face)
        }
        None => {
            run.stopped = Some(Value::Array(run.frames.iter().map(Frame::value).collect()));
            Err(Box::new(EvalAltResult::ErrorTerminated(
                Dynamic::UNIT,
                Position::NONE,
            )))
        }
    }
}

impl Replay {
    #[allow(deprecated)] // the language says so of what may change
    pub(crate) fn new(
        mut engine: Engine,
        ast: AST,
        file: &str,
        n: Dynamic,
        m: Dynamic,
        faces: u64,
    ) -> Replay {
        let run = Arc::new(Mutex::new(Run::default()));
        let known = places(&ast);
        let watched = run.clone();
        engine.register_debugger(
            |_, debugger| debugger,
            move |context, event, node, _, _| {
                let mut run = lock(&watched);
                let level = context.call_level();
                match event {
                    DebuggerEvent::FunctionExitWithValue(value) => {
                        // a function of the language itself has no frame, and gives nothing new
                        if run.frames.len() <= level {
                            return Ok(DebuggerCommand::StepInto);
                        }
                        run.frames.truncate(level);
                        if let Some(caller) = run.frames.last_mut() {
                            caller
                                .since
                                .push(Value::from_dynamic(value).unwrap_or(Value::Unit));
                            let this = context.this_ptr().map(|this| Value::from_dynamic(this));
                            caller.since.extend(this.and_then(Result::ok));
                        }
                    }
                    _ => {
                        run.frames.resize_with(level + 1, Frame::default);
                        if let (Some(place), Some(frame)) =
                            (known.get(&address(&node)), run.frames.last_mut())
                        {
                            let variables = context.scope().iter_raw();
                            let variables: Result<Vec<Value>, String> = variables
                                .map(|(_, _, value)| Value::from_dynamic(value))
                                .chain(context.this_ptr().map(|this| Value::from_dynamic(this)))
                                .collect();
                            match variables {
                                Ok(variables) => begin(frame, place, variables, context.scope()),
                                Err(kind) => {
                                    let what = format!(
                                        "a variable holds {kind}, which cannot be compared"
                                    );
                                    return Err(what.into());
                                }
                            }
                        }
                    }
                }
                Ok(DebuggerCommand::StepInto)
            },
        );
        let sides = m.as_int().unwrap_or(i64::MAX);
        let other_die = move |die: i64| -> Box<EvalAltResult> {
            format!("it rolls a d{die}, and the source has {sides} sides: give --source {die}")
                .into()
        };
        let rolled = run.clone();
        engine.register_fn("flip", move || match faces {
            2 => Ok(roll(&rolled)? as i64),
            _ => Err(other_die(2)),
        });
        let rolled = run.clone();
        engine.register_fn("roll", move |die: i64| match u64::try_from(die) {
            Ok(die) if die == faces => Ok(roll(&rolled)? as i64 + 1),
            _ => Err(other_die(die)),
        });
        let rolled = run.clone();
        engine.register_fn("word", move |bits: i64| {
            let each = if faces.is_power_of_two() { i64::from(faces.trailing_zeros()) } else { 0 };
            if each == 0 || !(0..=62).contains(&bits) || bits % each != 0 {
                return Err(Box::<EvalAltResult>::from(format!(
                    "word({bits}): a word has at most 62 bits, as many as some rolls of the source, of {sides} sides"
                )));
            }
            let digit = |word: i64, _| Ok(word << each | roll(&rolled)? as i64);
            (0..bits / each).try_fold(0, digit)
        });
        Replay {
            engine,
            ast,
            file: file.to_string(),
            n,
            m,
            run,
        }
    }
}

/// A statement begins: nothing is in hand but the variables and the loops around it.
fn begin(frame: &mut Frame, place: &Place, variables: Vec<Value>, scope: &Scope) {
    let items = std::mem::take(&mut frame.since);
    frame
        .loops
        .retain(|running| place.loops.contains(&running.number));
    if let Some(number) = place.first_of
        && let Some(running) = frame
            .loops
            .iter_mut()
            .find(|running| running.number == number)
    {
        if running.items == 0 {
            running.list.extend(items);
        }
        running.items += 1;
    }
    if let Some(names) = &place.list {
        let value = |name: &String| {
            scope
                .get(name)
                .and_then(|value| Value::from_dynamic(value).ok())
        };
        let list = names.iter().filter_map(value).collect();
        frame.loops.push(Loop {
            number: place.number,
            list,
            items: 0,
        });
    }
    frame.statement = place.number;
    frame.variables = variables;
}

impl Program for Replay {
    fn start(&self) -> Result<Move, Fault> {
        self.play(Vec::new())
    }

    fn step(&self, _state: &Value, path: &[u64], face: u64) -> Result<Move, Fault> {
        let mut path = path.to_vec();
        path.push(face);
        self.play(path)
    }
}

impl Replay {
    fn play(&self, path: Vec<u64>) -> Result<Move, Fault> {
        *lock(&self.run) = Run {
            faces: path,
            ..Run::default()
        };
        let options = CallFnOptions::new().eval_ast(false);
        let arguments = vec![self.n.clone(), self.m.clone()];
        let value: Result<Dynamic, Box<EvalAltResult>> = self.engine.call_fn_with_options(
            options,
            &mut Scope::new(),
            &self.ast,
            RULE,
            arguments,
        );
        if let Some(state) = lock(&self.run).stopped.take() {
            return Ok(Move::Roll(state));
        }
        let fault = |what: String| Fault::Run {
            file: self.file.clone(),
            line: None,
            what,
        };
        let value = value.map_err(|error| script::run_fault(&self.file, *error))?;
        script::outcome(&value).map(Move::Output).map_err(fault)
    }
}
