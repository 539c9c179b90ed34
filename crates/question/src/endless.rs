//! Recognizes texts that name a law without an end.

use flipcost_number::Real;
use flipcost_number::constant::Constant;
use flipcost_number::grammar::unbracketed;
use serde_json::Value as Json;

/// The laws that can be without an end: the name of each, an example of its text, and the field
/// that it requires.
pub const LAWS: [(&str, &str, &str); 7] = [
    ("geometric", "geometric:p=1/3", "p"),
    ("poisson", "poisson:1", "mean"),
    ("dlaplace", "dlaplace:scale=2", "scale"),
    ("dgauss", "dgauss:sigma=3/2", "sigma"),
    ("rgauss", "rgauss:sigma=14/5", "sigma"),
    ("zeta", "zeta:s=3", "s"),
    ("bernoulli", "bernoulli:exp(-1)", "p"),
];

/// Checks whether the text is a named law with infinitely many outcomes, or a coin whose
/// probability is not a fraction.
pub fn is_endless(text: &str) -> bool {
    let text = unbracketed(text).map_or(text, |(inner, _)| inner);
    let (name, fields) = text.split_once(':').unwrap_or((text, ""));
    match name.trim() {
        "geometric" => !fields.is_empty() && !fields.contains(',') && !fields.contains("max"),
        "bernoulli" => {
            let fields = fields.trim();
            let p = fields.strip_prefix("p=").unwrap_or(fields);
            matches!(Constant::real(p), Ok(Real::Enclosed(_)))
        }
        name => LAWS.iter().any(|law| law.0 == name),
    }
}

/// Checks whether this can be a target whose law has an end.
pub fn has_end(json: &Json) -> bool {
    let listed = json.as_array().map(Vec::as_slice);
    let mut all = listed.unwrap_or(std::slice::from_ref(json)).iter();
    !all.any(|one| one.as_str().is_some_and(is_endless))
}
