//! The question of a claim as the program answers it, so that a reader can ask it again.

use super::of_n::OfN;
use super::values::{AlgorithmName, Written};
use flipcost_query::Query;
use serde_json::Value;

/// The command line of a question in JSON; `None` if it is no question.
pub fn command(question: &Value) -> Option<String> {
    let query = Query::from_json(&question.to_string()).ok()?;
    Some(query.command().to_string())
}

/// The columns of a question of what one algorithm costs.
pub fn cost(algorithm: AlgorithmName, source: u64, target: &str, columns: &[&str]) -> Value {
    serde_json::json!({
        "ask": "cost",
        "target": target,
        "source": source.to_string(),
        "algorithms": [algorithm.0.about().id],
        "columns": columns,
    })
}

/// The number as a question has it; `None` if it speaks of the n of `for-all`.
pub fn number<T: Written + Clone + ToString>(n: &OfN<T>) -> Option<String> {
    Some(n.at(None).ok()?.to_string())
}
