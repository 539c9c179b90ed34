//! The cost of a target from sources with known probabilities.

use super::remarks::{Omissions, missing_columns, name_of_fraction, omission_sentence_about};
use super::{AlgorithmRow, Cost, PreparedAlgorithms, best_first};
use crate::block_table;
use flipcost::algorithms::{Algorithm, Purpose};
use flipcost::table::{Column, ColumnUnit, NEEDS_LOAD, Precision, PreparedRow, Request, RowError};
use flipcost::task::{Source, Task};
use flipcost_question::at::heads;
use flipcost_question::column;
use flipcost_question::prelude::*;
use std::cmp::Ordering;

/// The rows of one source, best first.
struct KnownRows<'a> {
    task: &'a Task,
    request: Request,
    rows: Vec<AlgorithmRow>,
}

impl Cost {
    /// Writes the rows for each source of `at`, or for the source itself.
    pub(super) fn answer_known_sources(
        &self,
        task: &Task,
        prepared: &PreparedAlgorithms,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let mut foot = Foot::default();
        let Some(at) = &self.at else {
            let known = self.rows_of_known_source(prepared, task, control, &mut foot)?;
            self.summarize(&known, &mut foot);
            let head = column::head(&known.request.columns, Some(task.source()), &self.columns);
            let head = match &known.rows[..] {
                [row] => {
                    let (usual, own) = (task.source().unit(), row.algorithm.unit(task.source()));
                    head.with_unit(usual.plural(), own.plural())
                }
                _ => head,
            };
            return sink.write_answer(&head, self.cells(known), foot);
        };
        let mut head = Head::default();
        let mut all = Vec::new();
        for source in at.for_source(&self.source.0)? {
            let task = Task::new(task.target().clone(), source.0.clone());
            let known = self.rows_of_known_source(prepared, &task, control, &mut foot)?;
            for aside in &prepared.asides {
                if !foot.asides.contains(aside) {
                    foot.asides.push(aside.clone());
                }
            }
            if all.is_empty() {
                self.summarize(&known, &mut foot);
            }
            head = column::head(&known.request.columns, Some(&source.0), &self.columns);
            let (name, kind, cell) = match heads(source) {
                Some(p) => ("p", CellKind::Exact, (&p).into()),
                None => ("at", CellKind::Text, Cell::Text(source.to_string())),
            };
            head.columns
                .insert(0, Head::default().column(name, kind).columns.remove(0));
            all.extend(self.cells(known).into_iter().map(|mut row| {
                row.insert(0, cell.clone());
                row
            }));
        }
        let mut said = Vec::new();
        foot.notes.retain(|note| {
            let new = !said.contains(note);
            said.push(note.clone());
            new
        });
        sink.write_answer(&head, all, foot)
    }

    fn summarize(&self, known: &KnownRows, foot: &mut Foot) {
        if let Some(sentence) = self.costs_sentence(&known.rows) {
            foot.set_summary(&sentence);
        }
    }

    /// Returns the rows for a source whose probabilities are known.
    fn rows_of_known_source<'a>(
        &self,
        prepared: &PreparedAlgorithms,
        task: &'a Task,
        control: &Control,
        foot: &mut Foot,
    ) -> Result<KnownRows<'a>, QueryError> {
        let mut columns = column::columns_for(&self.columns, task.target())?;
        let is_loaded = !task.source().is_fair();
        if is_loaded && self.columns.is_empty() {
            columns.push(NEEDS_LOAD);
        }
        let request = Request {
            algorithms: Vec::new(),
            source: task.source().clone(),
            columns,
            precision: precision(self.digits, self.exact)?,
        };
        let mut units = Vec::new();
        let rows = self.costed_rows(prepared, task, &request, control, (&mut *foot, &mut units))?;
        let mut known = KnownRows {
            task,
            request,
            rows,
        };
        // The sort is stable, so algorithms with equal means keep the order of the registry.
        known.rows.sort_by(|a, b| match (&a.order, &b.order) {
            (Some(a), Some(b)) => best_first(a, b),
            _ => Ordering::Equal,
        });
        self.remove_expensive_rows(&mut known.rows, foot);
        self.note_omissions(&known, foot)?;
        units.into_iter().for_each(|note| foot.note(note));
        self.note_bits_and_load(&known, prepared, foot);
        Ok(known)
    }

    /// Returns the rows of the algorithms, in the order of the registry. Adds notes that say why
    /// other algorithms have no row, and to how many words the flips of a library function
    /// correspond.
    fn costed_rows(
        &self,
        prepared: &PreparedAlgorithms,
        task: &Task,
        request: &Request,
        control: &Control,
        notes: (&mut Foot, &mut Vec<String>),
    ) -> Result<Vec<AlgorithmRow>, QueryError> {
        let (foot, units) = notes;
        let mut rows = Vec::new();
        let (mut refused, mut silent) = (None, None);
        let in_rolls = |column: &&'static Column| column.unit() == ColumnUnit::Rolls;
        let in_rolls = request.columns.iter().any(in_rolls);
        let all = prepared.algorithms.len() as u64;
        for (done, &algorithm) in (0..).zip(&prepared.algorithms) {
            control.go_on()?;
            control.progress(done, all);
            let mut costed = PreparedRow::new(algorithm, task);
            match self.costed_row(algorithm, request, &mut costed, all == 1) {
                Ok(row) => {
                    let id = algorithm.about().id;
                    if in_rolls && let Some(note) = self.words_note(id, task, &mut costed)? {
                        units.push(note);
                    }
                    rows.push(row);
                }
                Err(error) if self.is_omitted_quietly(algorithm) => {
                    silent.get_or_insert((algorithm, error));
                }
                Err(error) if self.algorithms.len() != 1 && all != 1 => {
                    let id = algorithm.about().id;
                    foot.asides.push(say!("{id}: {error}"));
                    refused.get_or_insert((algorithm, error));
                }
                Err(error) => return Err(self.refusal(algorithm, task, error)),
            }
        }
        match refused.or(silent) {
            Some((algorithm, error)) if rows.is_empty() => {
                Err(QueryError::of_algorithm("algorithms", algorithm)(error))
            }
            _ => Ok(rows),
        }
    }

    fn costed_row(
        &self,
        algorithm: &'static dyn Algorithm,
        request: &Request,
        costed: &mut PreparedRow,
        is_alone: bool,
    ) -> Result<AlgorithmRow, RowError> {
        // A single row need not be sorted, so its mean is computed only if a column shows it.
        let order = if is_alone {
            None
        } else {
            let costs = costed.costs()?;
            Some((costs.bias().is_some(), costs.mean().clone()))
        };
        let row = request.row_from(costed)?;
        Ok(AlgorithmRow {
            algorithm,
            expected: self.expected_cells(request, &row, costed),
            order,
            distance: costed.bias().map(|bias| bias.total_variation()),
            row,
        })
    }

    /// Returns the error of the only requested algorithm. The error proposes words as the source if
    /// the algorithm works with them.
    fn refusal(
        &self,
        algorithm: &'static dyn Algorithm,
        task: &Task,
        error: RowError,
    ) -> QueryError {
        let error = QueryError::of_algorithm("algorithms", algorithm)(error);
        let words = Source::word(32).map(|word| Task::new(task.target().clone(), word));
        let takes = |words| PreparedRow::new(algorithm, &words).costs().is_ok();
        if task.source().is_fair() && words.is_ok_and(takes) {
            error.right(field("source").is("word:32"))
        } else {
            error
        }
    }

    /// Adds notes that say what the rows leave out, and which algorithms are not exact.
    fn note_omissions(&self, known: &KnownRows, foot: &mut Foot) -> Result<(), QueryError> {
        let (mut said, mut omissions) = (Vec::new(), Omissions::default());
        for AlgorithmRow { algorithm, row, .. } in &known.rows {
            let of = || format!("{} for {}", algorithm.about().id, self.target.phrase());
            omissions.add(row, of);
            if let Some(size) = row.left_out {
                let what = match missing_columns(&known.request.columns, &row.cells) {
                    Some(names) => format!("{names} of {}", of()),
                    None => name_of_fraction(&of()),
                };
                foot.note(omission_sentence_about(
                    &what,
                    0,
                    &format!("{size:#}"),
                    self.exact,
                ));
            }
            if let Some((name, why)) = &row.not_known {
                let note = say!("{name} is left out: {why}");
                if !said.contains(&note) {
                    said.push(note);
                }
            }
        }
        let wanted = if known.task.target().sides().is_some() {
            "equally likely ones"
        } else {
            "those of the weights"
        };
        for row in &known.rows {
            if let Some(distance) = &row.distance {
                let id = row.algorithm.about().id;
                foot.note(format!(
                    "{id} is not exact: the total variation distance of its outcomes from {wanted} is {}",
                    fraction_with_decimal(distance, MAX_SENTENCE_FRACTION, Precision::default())?
                ));
            }
        }
        foot.notes.extend(omissions.notes());
        foot.notes.extend(said);
        Ok(())
    }

    /// Adds notes that say how to follow a rule by hand that works for every load of the source,
    /// and how bits are taken from words.
    fn note_bits_and_load(
        &self,
        known: &KnownRows,
        prepared: &PreparedAlgorithms,
        foot: &mut Foot,
    ) {
        let (task, algorithms) = (known.task, &prepared.algorithms);
        let says_load = !task.source().is_fair() && known.request.columns.contains(&NEEDS_LOAD);
        let by_hand = algorithms.iter().find_map(|algorithm| {
            let free = says_load && algorithm.purpose() == Purpose::UnknownSources;
            let table = free.then(|| block_table(task, *algorithm).ok())??;
            Some((algorithm.about().id, table.by_hand()?))
        });
        if let Some((id, steps)) = by_hand {
            foot.note(format!("{id} works whatever the load is: {steps}"));
        }
        let takes_bits = || algorithms.iter().any(|algorithm| algorithm.takes_bits());
        if self.takes_bits(task.target()) && takes_bits() {
            foot.note(if self.keep_bits {
                say!("words are used bit by bit, and the bits of a word that are left are kept for the next result")
            } else {
                say!(
                    "words are used bit by bit, and the bits of a word that are left at the end of a result are thrown away: ",
                    field("keep_bits"),
                    " keeps them"
                )
            });
        }
        if let Some(bits) = task.source().bits() {
            foot.note(format!("bits read = {bits} times the expected words"));
        }
    }

    /// Returns the cells of the rows, with the target as the user wrote it.
    fn cells(&self, known: KnownRows) -> Vec<Vec<Cell>> {
        let columns = &known.request.columns;
        let target = columns.iter().position(|column| column.name() == "target");
        let written = target.zip(self.target.formula());
        let cells = |found: AlgorithmRow| {
            let mut cells = found.row.cells;
            if let Some((at, written)) = written {
                cells[at] = Cell::Text(written.to_string());
            }
            cells
        };
        known.rows.into_iter().map(cells).collect()
    }
}
