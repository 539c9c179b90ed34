//! Measures the time of the question `cost`: with two algorithms together, and with each of them
//! alone.

use flipcost_question::{Answer, Control};

fn main() {
    divan::main();
}

#[divan::bench(args = ["\"interval\"", "\"knuth-yao\"", "\"interval\",\"knuth-yao\""])]
fn cost(algorithms: &str) -> Answer {
    let query =
        format!(r#"{{"ask":"cost","target":"binomial:n=600,p=1/3","algorithms":[{algorithms}]}}"#);
    let query = flipcost_all::from_json(&query).unwrap();
    query.answer(&Control::default()).unwrap()
}
