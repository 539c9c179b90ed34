//! The question `list constants`: numbers that have names.

use flipcost_number::expression::parse_natural;
use flipcost_number::named::NAMED;
use flipcost_question::prelude::*;

question! {
    /// The group orders and primes of cryptography whose names can stand for numbers, as in `cost
    /// p256`
    ///
    /// The name of a curve is the order of its group, by which a nonce is reduced. The name
    /// followed by `p` is the prime of its field, by which RFC 9380 reduces.
    pub struct Constants: "list-constants", "list constants" {
    }
    purpose: Reference
    examples: ["list constants"]
}

impl Question for Constants {
    fn summary(&self, answer: &Answer) -> String {
        format!(
            "{} group orders and primes of cryptography have names that can stand for numbers",
            answer.rows.len()
        )
    }

    fn run(&self, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let head = Head::new()
            .column("name", CellKind::Text)
            .measured("bits", CellKind::Count, "bits")
            .columns(CellKind::Text, ["written", "about", "source"])
            .column("value", CellKind::Count);
        let mut rows = Vec::new();
        for named in NAMED {
            let value = parse_natural(named.name).map_err(QueryError::input)?;
            let bits = value.bits();
            rows.push(row![
                named.name,
                bits,
                named.written,
                named.about,
                named.source,
                value
            ]);
        }
        sink.write_answer(&head, rows, Foot::default())
    }
}
