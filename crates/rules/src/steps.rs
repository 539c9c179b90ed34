//! Runs a rule that is written as two functions, `start` and `step`.

use crate::explore::{Move, Program};
use crate::fault::Fault;
use crate::script::{self, Again, Outcome};
use crate::value::Value;
use rhai::{AST, CallFnOptions, Dynamic, Engine, Scope};

/// The functions `fn start(n, m)` and `fn step(state, face, n, m)`.
pub(crate) struct Steps {
    pub(crate) engine: Engine,
    pub(crate) ast: AST,
    pub(crate) file: String,
    pub(crate) n: Dynamic,
    pub(crate) m: Dynamic,
}

impl Steps {
    fn call(&self, name: &str, arguments: Vec<Dynamic>) -> Result<Dynamic, Fault> {
        let options = CallFnOptions::new().eval_ast(false);
        self.engine
            .call_fn_with_options(options, &mut Scope::new(), &self.ast, name, arguments)
            .map_err(|error| script::run_fault(&self.file, *error))
    }

    fn read(&self, value: Dynamic) -> Result<Move, Fault> {
        if value.is::<Again>() {
            return self.start();
        }
        let fault = |what: String| Fault::Run {
            file: self.file.clone(),
            line: None,
            what,
        };
        if let Some(Outcome(value)) = value.clone().try_cast::<Outcome>() {
            return script::outcome(&value).map(Move::Output).map_err(fault);
        }
        let state = Value::from_dynamic(&value);
        let state = state.map_err(|kind| {
            fault(format!(
                "{kind} is not a state: a state is an integer, an array or a map"
            ))
        })?;
        if state == Value::Unit {
            return Err(fault(
                "it returns nothing: a step returns a state, out(x) or again()".to_string(),
            ));
        }
        Ok(Move::Roll(state))
    }
}

impl Program for Steps {
    fn start(&self) -> Result<Move, Fault> {
        let value = self.call("start", vec![self.n.clone(), self.m.clone()])?;
        if value.is::<Again>() {
            let what = "start(n, m) returns again(), which would begin at start(n, m) for ever";
            return Err(Fault::Run {
                file: self.file.clone(),
                line: None,
                what: what.to_string(),
            });
        }
        self.read(value)
    }

    fn step(&self, state: &Value, face: u64) -> Result<Move, Fault> {
        let face = Dynamic::from_int(face as i64 + 1);
        let arguments = vec![state.to_dynamic(), face, self.n.clone(), self.m.clone()];
        let value = self.call("step", arguments)?;
        self.read(value)
    }
}
