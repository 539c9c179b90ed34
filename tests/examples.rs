//! Every program of `examples/` runs to its end.

#[path = "../examples/bias.rs"]
mod bias;
#[path = "../examples/cancel.rs"]
mod cancel;
#[path = "../examples/chart.rs"]
mod chart;
#[path = "../examples/draws.rs"]
mod draws;
#[path = "../examples/million.rs"]
mod million;
#[path = "../examples/own_rng.rs"]
mod own_rng;
#[path = "../examples/own_rule.rs"]
mod own_rule;
#[path = "../examples/recipe.rs"]
mod recipe;
#[path = "../examples/sequence.rs"]
mod sequence;
#[path = "../examples/weights.rs"]
mod weights;

#[test]
fn own_rule_runs() {
    own_rule::main().unwrap();
}

#[test]
fn own_rng_runs() {
    own_rng::main().unwrap();
}

#[test]
fn recipe_runs() {
    recipe::main().unwrap();
}

#[test]
fn cancel_runs() {
    cancel::main().unwrap();
}

#[test]
fn chart_runs() {
    chart::main().unwrap();
}

#[test]
fn million_runs() {
    million::main().unwrap();
}

#[test]
fn weights_runs() {
    weights::main().unwrap();
}

#[test]
fn bias_runs() {
    bias::main().unwrap();
}

#[test]
fn draws_runs() {
    draws::main().unwrap();
}

#[test]
fn sequence_runs() {
    sequence::main().unwrap();
}
