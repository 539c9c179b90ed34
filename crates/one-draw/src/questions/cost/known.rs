//! What a target costs from sources of known probabilities.

use super::{Cost, Prepared};
use flipcost_question::at::heads;
use flipcost_question::prelude::*;

impl Cost {
    /// The rows at the sources of `at`, or of the source.
    pub(super) fn at_known(
        &self,
        prepared: &Prepared,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let mut foot = Foot::default();
        let Some(at) = &self.at else {
            let (columns, rows) = self.known(prepared, &self.source, control, &mut foot)?;
            return sink.write_answer(
                &flipcost_question::column::head(&columns, Some(&self.source.0), &self.columns),
                rows,
                foot,
            );
        };
        let mut head = Head::default();
        let mut all = Vec::new();
        for source in at.for_source(&self.source.0)? {
            let (columns, mut rows) = self.known(prepared, source, control, &mut foot)?;
            for aside in &prepared.asides {
                if !foot.asides.contains(aside) {
                    foot.asides.push(aside.clone());
                }
            }
            head = flipcost_question::column::head(&columns, Some(&source.0), &self.columns);
            let (name, kind, cell) = match heads(source) {
                Some(p) => ("p", CellKind::Exact, (&p).into()),
                None => ("at", CellKind::Text, Cell::Text(source.to_string())),
            };
            head.columns
                .insert(0, Head::default().column(name, kind).columns.remove(0));
            rows.iter_mut().for_each(|row| row.insert(0, cell.clone()));
            all.append(&mut rows);
        }
        let mut said = Vec::new();
        foot.notes.retain(|note| {
            let new = !said.contains(note);
            said.push(note.clone());
            new
        });
        sink.write_answer(&head, all, foot)
    }
}
