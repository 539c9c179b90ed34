//! Passes rows to a sink in chunks of about 256 KB.

use crate::buffers::cell_size;
use crate::{Control, Foot, Head, QueryError, Sink};
use flipcost::table::Cell;
use flipcost_number::threads;

/// Collects rows and passes them to a sink in chunks. Between two chunks, checks whether the run
/// was stopped.
pub struct Chunks<'a> {
    control: &'a Control,
    sink: &'a mut dyn Sink,
    rows: Vec<Vec<Cell>>,
    bytes: u64,
}

/// The approximate size of a chunk in bytes.
const CHUNK_BYTES: u64 = 1 << 18;

impl<'a> Chunks<'a> {
    /// Passes the head of the answer to the sink.
    pub fn begin(
        head: &Head,
        control: &'a Control,
        sink: &'a mut dyn Sink,
    ) -> Result<Chunks<'a>, QueryError> {
        control.go_on()?;
        sink.head(head)?;
        Ok(Chunks {
            control,
            sink,
            rows: Vec::new(),
            bytes: 0,
        })
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<Cell>) -> Result<(), QueryError> {
        self.bytes += row.iter().map(cell_size).sum::<u64>();
        self.rows.push(row);
        if self.bytes < CHUNK_BYTES {
            Ok(())
        } else {
            self.flush()
        }
    }

    /// Adds one row for each of these values; the rows are computed in parallel batches.
    pub fn push_all<T: Sync>(
        &mut self,
        all: &[T],
        row: impl Fn(&T) -> Vec<Cell> + Sync,
    ) -> Result<(), QueryError> {
        const PARALLEL_ROWS: usize = 64;
        for (done, together) in all.chunks(PARALLEL_ROWS).enumerate() {
            self.control.go_on()?;
            self.control
                .progress((done * PARALLEL_ROWS) as u64, all.len() as u64);
            for row in threads::map_of(together, &row) {
                self.push(row)?;
            }
        }
        self.control.progress(all.len() as u64, all.len() as u64);
        Ok(())
    }

    /// Passes the rows collected so far to the sink.
    pub fn flush(&mut self) -> Result<(), QueryError> {
        self.control.go_on()?;
        self.bytes = 0;
        let few = Vec::with_capacity(self.rows.len());
        let rows = std::mem::replace(&mut self.rows, few);
        if rows.is_empty() {
            Ok(())
        } else {
            self.sink.rows(rows)
        }
    }

    /// Passes the remaining rows and the foot to the sink.
    pub fn end(mut self, foot: Foot) -> Result<(), QueryError> {
        self.flush()?;
        self.sink.foot(foot)
    }
}
