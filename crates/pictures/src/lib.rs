//! Pictures of answers: what a question's columns and rows look like.
//!
//! An [`Answer`] says its own question and holds its numbers; each module here turns the answer of
//! one kind of question into a picture of `flipcost_figures`, or into text for a terminal.
//! [`draw`], [`dot`] and [`text`] take the answer of any question and say if it has no such
//! picture.
//!
//! ```
//! use flipcost_query::{Control, Door, Query};
//! let query = flipcost_query::from_json(r#"{"ask":"tree","target":3,"depth":2}"#)?;
//! let answer = query.answer(&Control::default())?;
//! assert!(flipcost_pictures::draw(&answer)?.svg().starts_with("<svg"));
//! assert!(flipcost_pictures::text(&answer, Door::Plain)?.contains("├─ H [v = 2, c = 0]"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

pub mod curves;
pub mod heat_map;
mod stream;

pub use stream::stream;

mod columns;
mod error;
mod flow_chart;
mod frontier;
mod law;
mod sheet;
mod simulation;
mod supply;
mod tree;
mod unknown_coin;

pub use error::PictureError;
pub use sheet::sheet;
pub use supply::{range as supply_range, supply};
pub use unknown_coin::against_p;

pub use flow_chart::{MOST_ROUNDS, flow_chart, small as small_flow_chart};
pub use tree::{MOST_DRAWN, MOST_WRITTEN, tree};

use flipcost::table::columns::EXPECTED;
use flipcost_figures::{Drawing, FigureError, Scale};
use flipcost_query::{Answer, ColumnId, Control, Door, Query, Terminal, field, say};

/// Draws an answer.
///
/// # Errors
/// [`PictureError::Kind`] if answers of its kind are not drawn, [`PictureError::Input`] if it is
/// too large, [`PictureError::Figure`] if the drawing fails.
pub fn draw(answer: &Answer) -> Result<Drawing, PictureError> {
    match &answer.query {
        Query::Flowchart(_) => Ok(flow_chart::small(answer)?.draw()?),
        Query::Tree(query) => tree::small(answer)?.draw().map_err(|error| match error {
            FigureError::Unreadable { .. } => {
                let depth = query.depth();
                PictureError::Input(say!(
                    "a tree of depth {depth} is too large to be read on a page: choose a smaller ",
                    field("depth"),
                    Terminal(", or a name that ends in .dot")
                ))
            }
            error => error.into(),
        }),
        Query::Plan(query) => sheet(&query.sheet(&Control::default())?),
        Query::Sweep(_) => curves::curves(answer, Scale::Linear),
        Query::Compare(_) => heat_map::compare(answer),
        Query::Batch(_) => Ok(stream(answer)?.draw()?),
        Query::Law(_) => Ok(law::law(answer)?.draw()?),
        Query::Supply(query) => {
            let (least, most) = supply_range(answer)?;
            let curve = Query::from(query.curve(least, most));
            Ok(supply(answer, &curve.answer(&Control::default())?)?.draw()?)
        }
        Query::Frontier(_) => Ok(frontier::frontier(answer)?.draw()?),
        Query::Cost(query) if query.source.0.is_unknown() && !query.optimal => match query.at {
            Some(_) => Ok(against_p(answer)?.draw()?),
            None => {
                let curve = query.against_p(ColumnId(EXPECTED));
                let curve = Query::from(curve.ok_or_else(|| PictureError::kind(answer))?);
                Ok(against_p(&curve.answer(&Control::default())?)?.draw()?)
            }
        },
        _ => Err(PictureError::kind(answer)),
    }
}

/// An answer in the DOT language of Graphviz.
///
/// # Errors
/// [`PictureError::Kind`] if answers of its kind are no graphs, [`PictureError::Input`] if it is
/// too large.
pub fn dot(answer: &Answer) -> Result<String, PictureError> {
    match &answer.query {
        Query::Flowchart(_) => Ok(flow_chart::small(answer)?.to_dot()),
        Query::Tree(_) => Ok(tree(answer)?.to_dot()),
        _ => Err(PictureError::kind(answer)),
    }
}

/// An answer as lines of text, its notes included as they are said at this door. Ends with a line break.
///
/// # Errors
/// [`PictureError::Kind`] if answers of its kind are rows and no more, [`PictureError::Input`] if
/// it is too large.
pub fn text(answer: &Answer, door: Door) -> Result<String, PictureError> {
    let mut text = match &answer.query {
        Query::Flowchart(_) => flow_chart::text(answer),
        Query::Tree(_) => tree::text(answer),
        Query::Simulate(_) => simulation::text(answer),
        _ => Err(PictureError::kind(answer)),
    }?;
    for note in &answer.foot.notes {
        text += &note.at(door);
        text.push('\n');
    }
    Ok(text)
}
