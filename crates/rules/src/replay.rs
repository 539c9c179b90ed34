//! Runs a rule that is straight code, `fn rule(n, m)`. For each path, the program is run again with
//! the rolls of this path, and stops when it asks for a further roll. A run need not begin at the
//! first roll. At the beginning of each statement of the rule itself, and of each round of its
//! loops, the variables are the whole state, so a run can also begin there.
//!
//! The future of a run depends on these data of each function that is running: its current
//! statement, the variables at the beginning of this statement, the remaining items of the loops
//! over lists around it, and the results of rolls and calls since the statement began. Two paths
//! that agree in all of these data have the same future and are one state. A run cannot begin at a
//! statement within an expression, since no variable contains the intermediate values of the
//! expression.

use crate::explore::{Move, Program};
use crate::fault::Fault;
use crate::script;
use crate::value::Value;
use flipcost_number::budget;
use rhai::debugger::{DebuggerCommand, DebuggerEvent};
use rhai::{
    AST, ASTNode, Dynamic, Engine, EvalAltResult, EvalContext, Expr, Module, Position, Scope,
    Shared, Stmt,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the only function of a rule in straight code.
pub(crate) const RULE: &str = "rule";

/// The properties of a statement or of a loop's condition that are known before the program runs.
#[derive(Clone, Debug, Default)]
struct StatementPlace {
    number: i64,
    /// The numbers of the loops over lists that contain the statement.
    loops: Vec<i64>,
    /// The loop whose body begins here, if any.
    first_of: Option<i64>,
    /// The variables in the expression of the list, if the statement is a loop over a list.
    list: Option<Vec<String>>,
}

/// All complete statements and all conditions of loops, by their addresses.
type StatementPlaces = HashMap<usize, StatementPlace>;

fn node_address(node: &ASTNode) -> usize {
    match node {
        ASTNode::Stmt(statement) => std::ptr::from_ref::<Stmt>(statement) as usize,
        ASTNode::Expr(expression) => std::ptr::from_ref::<Expr>(expression) as usize,
        _ => 0,
    }
}

/// Returns a number that identifies a node. It depends only on the position in the text, so it is
/// the same for every copy of the node.
fn node_number(node: &ASTNode) -> i64 {
    let position = node.position();
    let (line, column) = (
        position.line().unwrap_or(0),
        position.position().unwrap_or(0),
    );
    let statement = i64::from(matches!(node, ASTNode::Stmt(_)));
    ((line as i64) << 17 | column as i64) << 1 | statement
}

/// Adds the complete statements and the conditions of loops of a program and its functions.
fn collect_statements_and_conditions(ast: &AST, places: &mut StatementPlaces) {
    ast.walk(&mut |path: &[ASTNode]| {
        let (node, around) = path.split_last().expect("a path ends with its node");
        // Inside an expression, intermediate values may still be needed, so no run can begin there.
        // An expression that is a whole statement, or a whole branch of a switch, is an exception.
        let held =
            (0..around.len()).any(
                |i| match (&around[i], i.checked_sub(1).map(|i| &around[i])) {
                    (
                        ASTNode::Expr(Expr::Stmt(_)),
                        Some(ASTNode::Stmt(Stmt::Switch(..) | Stmt::Expr(_))),
                    ) => false,
                    (node, _) => matches!(node, ASTNode::Expr(_)),
                },
            );
        // If a statement is an expression, the engine runs the expression.
        let (statement, outer) = match (node, around) {
            (ASTNode::Expr(_), [outer @ .., statement @ ASTNode::Stmt(Stmt::Expr(_))]) => {
                (statement, outer)
            }
            _ => (node, around),
        };
        let outer = outer.last();
        let condition = match outer {
            Some(ASTNode::Stmt(Stmt::While(parts, _) | Stmt::Do(parts, ..))) => {
                node_address(node) == std::ptr::from_ref(&parts.expr) as usize
            }
            _ => false,
        };
        if held || !(condition || matches!(statement, ASTNode::Stmt(_))) {
            return true;
        }
        let loops = around
            .iter()
            .enumerate()
            .filter_map(|(i, outer)| match outer {
                ASTNode::Stmt(Stmt::For(parts, _)) => {
                    let list = std::ptr::from_ref(&parts.2.expr) as usize;
                    (path.get(i + 1).map(node_address) != Some(list)).then(|| node_number(outer))
                }
                _ => None,
            });
        let first_of = match outer {
            Some(outer @ ASTNode::Stmt(Stmt::For(parts, _))) => {
                let first = parts.2.body.statements().first();
                let first = first.map(|first| std::ptr::from_ref(first) as usize);
                (first == Some(node_address(statement))).then(|| node_number(outer))
            }
            _ => None,
        };
        let list = match statement {
            ASTNode::Stmt(Stmt::For(parts, _)) => Some(variables(&parts.2.expr)),
            _ => None,
        };
        let place = StatementPlace {
            number: node_number(node),
            loops: loops.collect(),
            first_of,
            list,
        };
        places.insert(node_address(node), place);
        true
    });
}

/// Collects the nodes before which a run can begin: the statements of the rule itself, and the
/// rounds of its loops. Each node is mapped to the index of the statement with which such a run
/// begins.
fn collect_statement_starts(body: &[Stmt], first: usize, all: &mut HashMap<usize, usize>) {
    for (i, statement) in (first..).zip(body) {
        all.insert(node_address(&ASTNode::Stmt(statement)), i);
        if let Stmt::Expr(expression) = statement {
            all.insert(std::ptr::from_ref::<Expr>(expression) as usize, i);
        }
        if let Stmt::While(parts, _) = statement {
            all.insert(std::ptr::from_ref(&parts.expr) as usize, i);
            if let (Expr::Unit(_), Some(first)) = (&parts.expr, parts.body.statements().first()) {
                all.insert(node_address(&ASTNode::Stmt(first)), i);
                if let Stmt::Expr(expression) = first {
                    all.insert(std::ptr::from_ref::<Expr>(expression) as usize, i);
                }
            }
        }
    }
}

/// Returns the names of the variables in an expression.
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

/// A running loop over a list.
#[derive(Clone, Debug)]
struct Loop {
    number: i64,
    /// The values of the variables in its list.
    list: Vec<Value>,
    items: i64,
}

/// A running function.
#[derive(Clone, Debug, Default)]
struct CallFrame {
    statement: i64,
    variables: Vec<Value>,
    /// The names of the variables, except those of the task.
    names: Vec<String>,
    /// The results of rolls and calls since the statement began.
    results_since_statement: Vec<Value>,
    loops: Vec<Loop>,
}

impl CallFrame {
    /// Formats the variables, followed by the results since the statement began.
    fn name(&self, task: &[String]) -> String {
        let pairs = self.names.iter().zip(&self.variables).rev();
        let pairs = pairs.filter(|(name, _)| !task.contains(name));
        let pairs = pairs.map(|(name, value)| format!("{name} = {value}"));
        let results = self
            .results_since_statement
            .iter()
            .map(|value| format!("+ {value}"));
        pairs.chain(results).collect::<Vec<_>>().join(", ")
    }

    fn value(&self) -> Value {
        let each = |running: &Loop| {
            let (number, items) = (Value::Small(running.number), Value::Small(running.items));
            Value::Array(vec![number, items, Value::Array(running.list.clone())])
        };
        Value::Array(vec![
            Value::Small(self.statement),
            Value::Array(self.variables.clone()),
            Value::Array(self.results_since_statement.clone()),
            Value::Array(self.loops.iter().map(each).collect()),
        ])
    }
}

/// A point where a run can begin: a statement of the rule, and the variables before it.
#[derive(Clone, Default)]
struct StartPoint {
    statement: usize,
    variables: Vec<(String, bool, Dynamic)>,
}

/// The shortest known way to a state: where to begin, and the rolls from there.
#[derive(Clone, Default)]
struct Way {
    beginning: StartPoint,
    faces: Vec<u64>,
}

/// The state of one run.
#[derive(Default)]
struct ReplayRun {
    way: Way,
    used: usize,
    /// The number of values of variables that were copied.
    copied: usize,
    frames: Vec<CallFrame>,
    /// The last point where the run could have begun, and the number of rolls before it.
    last: Option<(StartPoint, usize)>,
    /// The state in which the run asked for a roll that the path does not have.
    stopped: Option<Value>,
}

/// The program of a rule in straight code, `fn rule(n, m)`.
pub(crate) struct Replay {
    engine: Engine,
    /// For each statement of the rule, the part of the rule that begins with this statement.
    remaining_programs: Vec<AST>,
    file: String,
    first: StartPoint,
    run: Arc<Mutex<ReplayRun>>,
    ways: Mutex<HashMap<Value, Way>>,
    /// The names of the reached states.
    names: Mutex<HashMap<Value, String>>,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the next roll, or an error if there is none.
fn next_roll(run: &Mutex<ReplayRun>) -> Result<u64, Box<EvalAltResult>> {
    let mut run = lock(run);
    match run.way.faces.get(run.used).copied() {
        Some(face) => {
            run.used += 1;
            if let Some(frame) = run.frames.last_mut() {
                frame
                    .results_since_statement
                    .push(Value::Small(face as i64));
            }
            Ok(face)
        }
        None => {
            run.stopped = Some(Value::Array(
                run.frames.iter().map(CallFrame::value).collect(),
            ));
            Err(Box::new(EvalAltResult::ErrorTerminated(
                Dynamic::UNIT,
                Position::NONE,
            )))
        }
    }
}

/// Copies the variables of a running function.
fn copy_variables(scope: &Scope) -> Vec<(String, bool, Dynamic)> {
    let all = scope.iter();
    all.map(|(name, constant, value)| (name.to_string(), constant, value))
        .collect()
}

/// Returns whether a function of the program ends here. A function that is a single expression has
/// no position, but it has a name.
fn is_end_of_function(context: &EvalContext, place: Position, ends: &[(String, Position)]) -> bool {
    let stack = context.global_runtime_state().debugger().call_stack();
    let name = stack.last().map(|frame| frame.fn_name.as_str());
    ends.iter()
        .any(|(one, end)| Some(one.as_str()) == name && (*end == place || end.is_none()))
}

/// The largest number of values of variables that are copied in one run.
const MAX_COPIED: usize = 50_000_000;

fn uncomparable_sentence(kind: String) -> String {
    format!("a variable holds {kind}, which cannot be compared")
}

/// Records a node of a program; the engine calls this before it runs the node.
fn record_statement(
    run: &mut ReplayRun,
    context: &EvalContext,
    event: &DebuggerEvent,
    place: Option<&StatementPlace>,
    beginning: Option<usize>,
) -> Result<(), String> {
    let level = context.call_level();
    if let DebuggerEvent::FunctionExitWithValue(value) = event {
        // A built-in function of the language has no frame, so it adds nothing to the state.
        if run.frames.len() > level {
            run.frames.truncate(level);
            if let Some(caller) = run.frames.last_mut() {
                caller
                    .results_since_statement
                    .push(Value::from_dynamic(value).map_err(uncomparable_sentence)?);
                let this = context.this_ptr().map(Value::from_dynamic);
                caller
                    .results_since_statement
                    .extend(this.transpose().map_err(uncomparable_sentence)?);
            }
        }
        return Ok(());
    }
    run.frames.resize_with(level + 1, CallFrame::default);
    let (Some(place), Some(frame)) = (place, run.frames.last_mut()) else {
        return Ok(());
    };
    let scope = context.scope();
    let variables: Result<Vec<Value>, String> = (scope
        .iter_raw()
        .map(|(.., value)| Value::from_dynamic(value)))
    .chain(context.this_ptr().map(Value::from_dynamic))
    .collect();
    let variables = variables.map_err(uncomparable_sentence)?;
    // Copying the variables at every statement takes time that the limit of operations does not
    // count.
    let size: usize = variables.iter().map(Value::size).sum();
    run.copied += size;
    budget::spend(10 * size as u64);
    if run.copied > MAX_COPIED {
        return Err(
            "the values in its variables and the number of its statements are too large: it may never end".to_string(),
        );
    }
    begin_statement(frame, place, variables, scope);
    if run.used == run.way.faces.len() {
        // The path has no further roll, so the run will stop here.
        frame.names = scope
            .iter_raw()
            .map(|(name, ..)| name.to_string())
            .collect();
    }
    if let (0, Some(statement)) = (level, beginning) {
        let variables = copy_variables(scope);
        run.last = Some((
            StartPoint {
                statement,
                variables,
            },
            run.used,
        ));
    }
    Ok(())
}

impl Replay {
    #[allow(deprecated)] // the language marks interfaces that may change as deprecated
    pub(crate) fn new(
        mut engine: Engine,
        ast: &AST,
        file: &str,
        n: Dynamic,
        m: Dynamic,
        faces: u64,
    ) -> Option<Replay> {
        let functions: &Shared<Module> = ast.as_ref();
        let rule = functions.get_script_fn(RULE, 2)?;
        // The function without the anonymous functions inside it.
        let mut alone = ast.clone_functions_only();
        alone.retain_functions(|_, _, name, parameters| name == RULE && parameters == 2);
        let mut statements: Vec<Stmt> = Vec::new();
        alone.walk(&mut |path: &[ASTNode]| {
            if let [ASTNode::Stmt(statement)] = path {
                statements.push((*statement).clone());
            }
            true
        });
        let remaining_programs: Vec<AST> = (0..statements.len().max(1))
            .map(|first| AST::new(statements.iter().skip(first).cloned(), functions.clone()))
            .collect();
        let (mut places, mut starts) = (StatementPlaces::new(), HashMap::new());
        for (first, rest) in remaining_programs.iter().enumerate() {
            collect_statements_and_conditions(rest, &mut places);
            collect_statement_starts(rest.statements(), first, &mut starts);
        }
        let names = rule.params.iter().map(ToString::to_string);
        let variables = names
            .zip([n, m])
            .map(|(name, value)| (name, false, value))
            .collect();
        let run = Arc::new(Mutex::new(ReplayRun::default()));
        let watched = run.clone();
        let ends: Vec<(String, Position)> = (ast.iter_functions())
            .filter_map(|about| functions.get_script_fn(about.name, about.params.len()))
            .map(|function| (function.name.to_string(), function.body.end_position()))
            .collect();
        engine.register_debugger(
            |_, debugger| debugger,
            move |context, event, node, _, _| {
                // The engine also reports the end of an operator such as += as the end of a
                // function.
                if matches!(event, DebuggerEvent::FunctionExitWithValue(_))
                    && !is_end_of_function(&context, node.position(), &ends)
                {
                    return Ok(DebuggerCommand::StepInto);
                }
                let address = node_address(&node);
                let (place, start) = (places.get(&address), starts.get(&address).copied());
                record_statement(&mut lock(&watched), &context, &event, place, start)?;
                Ok(DebuggerCommand::StepInto)
            },
        );
        register_rolls(&mut engine, &run, faces);
        Some(Replay {
            engine,
            remaining_programs,
            file: file.to_string(),
            first: StartPoint {
                statement: 0,
                variables,
            },
            run,
            ways: Mutex::default(),
            names: Mutex::default(),
        })
    }

    /// Runs the program along a way and returns its next move.
    fn run_way(&self, way: Way) -> Result<Move, Fault> {
        let StartPoint {
            statement,
            variables,
        } = way.beginning.clone();
        let mut scope = Scope::new();
        for (name, constant, value) in variables {
            if constant {
                scope.push_constant_dynamic(name, value);
            } else {
                scope.push_dynamic(name, value);
            }
        }
        *lock(&self.run) = ReplayRun {
            way,
            ..ReplayRun::default()
        };
        let value = self
            .engine
            .eval_ast_with_scope::<Dynamic>(&mut scope, &self.remaining_programs[statement]);
        let mut run = lock(&self.run);
        if let Some(state) = run.stopped.take() {
            let mut way = std::mem::take(&mut run.way);
            if let Some((beginning, before)) = run.last.take() {
                way = Way {
                    beginning,
                    faces: way.faces.split_off(before),
                };
            }
            let name = || {
                let task: Vec<String> = (self.first.variables.iter())
                    .map(|(name, ..)| name.clone())
                    .collect();
                let hidden = |depth: usize| if depth == 0 { &task[..] } else { &[] };
                let frames = run.frames.iter().enumerate();
                let names: Vec<String> = frames
                    .map(|(depth, frame)| frame.name(hidden(depth)))
                    .collect();
                names.join(" / ")
            };
            lock(&self.names).entry(state.clone()).or_insert_with(name);
            lock(&self.ways).entry(state.clone()).or_insert(way);
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

/// Registers `flip()`, `roll(m)` and `word(w)`.
fn register_rolls(engine: &mut Engine, run: &Arc<Mutex<ReplayRun>>, faces: u64) {
    let other_die = move |die: i64| -> Box<EvalAltResult> {
        format!(
            "it rolls a d{die}, and the source has {faces} sides: a source of {die} sides was expected"
        )
        .into()
    };
    let rolled = run.clone();
    engine.register_fn("flip", move || match faces {
        2 => Ok(next_roll(&rolled)? as i64),
        _ => Err(other_die(2)),
    });
    let rolled = run.clone();
    engine.register_fn("roll", move |die: i64| match u64::try_from(die) {
        Ok(die) if die == faces => Ok(next_roll(&rolled)? as i64 + 1),
        _ => Err(other_die(die)),
    });
    let rolled = run.clone();
    engine.register_fn("word", move |bits: i64| {
        let each = if faces.is_power_of_two() { i64::from(faces.trailing_zeros()) } else { 0 };
        if each == 0 || !(0..=62).contains(&bits) || bits % each != 0 {
            return Err(Box::<EvalAltResult>::from(format!(
                "word({bits}): a word has at most 62 bits, and must be made of whole rolls of the source of {faces} sides"
            )));
        }
        let digit = |word: i64, _| Ok(word << each | next_roll(&rolled)? as i64);
        (0..bits / each).try_fold(0, digit)
    });
}

/// Records the beginning of a statement. From here on only the variables and the remaining items of
/// the loops around the statement matter.
fn begin_statement(
    frame: &mut CallFrame,
    place: &StatementPlace,
    variables: Vec<Value>,
    scope: &Scope,
) {
    let items = std::mem::take(&mut frame.results_since_statement);
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
        self.run_way(Way {
            beginning: self.first.clone(),
            faces: Vec::new(),
        })
    }

    fn step(&self, state: &Value, face: u64) -> Result<Move, Fault> {
        let mut way = lock(&self.ways).get(state).cloned().unwrap_or_default();
        way.faces.push(face);
        self.run_way(way)
    }

    fn state_name(&self, state: &Value) -> String {
        lock(&self.names).get(state).cloned().unwrap_or_default()
    }
}
