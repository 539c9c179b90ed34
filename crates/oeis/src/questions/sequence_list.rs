//! The question `list sequences`: the named sequences.

use crate::Entry;
use crate::entry_of_sequence::entry;
use flipcost::sequences;
use flipcost_question::prelude::*;

question! {
    /// List every sequence: id, A-number, offset, title, definition. A sequence with a parameter
    /// also accepts other values than the listed ones, as in mr-period:base=7
    ///
    /// All named sequences, or only those that contain a word: a row for each, with its id,
    /// A-number, offset, title and definition.
    pub struct SequenceList: "list-sequences", "list sequences" {
        /// Only those whose id, A-number, title or definition holds this word
        word: Option<String>; word("WORD"),
    }
    purpose: Reference
    examples: ["list sequences", "list sequences period"]
}

impl Question for SequenceList {
    fn summary(&self, answer: &Answer) -> String {
        count_with_noun(answer.rows.len() as u64, "sequence") + " can be computed by name"
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let head = Head::new()
            .columns(CellKind::Text, ["id", "a_number"])
            .column("offset", CellKind::Count)
            .column("title", CellKind::Text)
            .answers()
            .column("definition", CellKind::Text);
        sink.head(&head)?;
        let word = self.word.as_deref().unwrap_or_default().to_lowercase();
        let is_named = |(sequence, about): &(sequences::Sequence, Entry)| {
            let number = sequence.a_number().unwrap_or_default();
            [sequence.id(), number, &about.title, &about.definition]
                .iter()
                .any(|text| text.to_lowercase().contains(&word))
        };
        let all = sequences::all().into_iter();
        let all = all.map(|sequence| (sequence.clone(), entry(&sequence)));
        let named: Vec<_> = all.filter(is_named).collect();
        let mut foot = Foot::default();
        if named.is_empty() {
            let all = SequenceList { word: None };
            foot.note(say!(
                "no sequence has \"{word}\" in its id, A-number, title or definition: ",
                all,
                " names them all"
            ));
        }
        let rows = named.into_iter().map(|(sequence, about)| {
            row![
                sequence.id(),
                sequence.a_number(),
                sequence.offset(),
                about.title,
                about.definition
            ]
        });
        sink.rows(rows.collect())?;
        sink.foot(foot)
    }
}
