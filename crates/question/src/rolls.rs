//! The rolls for a question that really rolls: typed by a person, made from a seed, or taken from
//! the operating system.

use crate::say;
use crate::sentence::field;
use crate::summary::with_unit;
use crate::{Foot, QueryError, Sentence, Sides};
use flipcost::algorithms::{Faces, FacesError};
use flipcost::algorithms::{GENERATOR, parse_rolls};
use flipcost::task::Source;

pub struct Rolls {
    source: Source,
    own: Option<std::vec::IntoIter<u64>>,
    length: usize,
    seed: Option<u64>,
    faces: Faces<'static>,
    failed: Option<FacesError>,
}

impl Rolls {
    /// Reads the fields `input` and `seed` of a question about this source.
    pub fn from_fields(
        input: Option<&str>,
        seed: Option<u64>,
        source: &Sides,
    ) -> Result<Rolls, QueryError> {
        if input.is_some() && seed.is_some() {
            let what = "rolls come from a seed or from an input, and not from both";
            return Err(QueryError::wrong("input", what));
        }
        let own = input
            .map(|text| parse_rolls(text, source.get()))
            .transpose();
        let own = own.map_err(QueryError::for_field("input"))?;
        Ok(Rolls {
            source: source.0.clone(),
            length: own.as_ref().map_or(0, Vec::len),
            own: own.map(Vec::into_iter),
            seed,
            faces: seed.map_or_else(Faces::system, Faces::seeded),
            failed: None,
        })
    }

    /// Returns the next roll, of the source or of a fair die with this many sides; `None` after the
    /// last roll.
    pub fn next(&mut self, sides: u128) -> Option<u64> {
        match &mut self.own {
            Some(own) => own.next(),
            None => match self.faces.roll_of(&self.source, sides) {
                Ok(face) => Some(face),
                Err(error) => {
                    self.failed = Some(error);
                    None
                }
            },
        }
    }

    /// Says where the rolls come from.
    pub fn origin(&self) -> String {
        match (&self.own, self.seed) {
            (Some(_), _) => "the input".to_string(),
            (None, Some(seed)) => format!("{GENERATOR}, seed {seed}"),
            (None, None) => "the operating system's randomness".to_string(),
        }
    }

    /// Adds a note that says where the rolls come from, unless a person typed them.
    pub fn note_origin(&self, foot: &mut Foot) {
        if self.own.is_none() {
            foot.note(format!("rolls from {}", self.origin()));
        }
    }

    /// Adds a note with the number of unused rolls if a person typed them; `called` is the plural
    /// noun for the rolls, for example `flips`.
    pub fn note_rest(&self, called: &str, foot: &mut Foot) {
        let rest = self.own.as_ref().map_or(0, ExactSizeIterator::len);
        if rest > 0 {
            foot.note(format!("unused: {rest} of the given {called}"));
        }
    }

    /// The error if the typed rolls ran out. `before` says what was left unfinished, and `right` is
    /// a hint.
    pub fn ran_out_error(&self, called: &str, before: &str, right: Option<Sentence>) -> QueryError {
        if let Some(error) = &self.failed {
            return QueryError::not_faces(error);
        }
        let given = with_unit(&self.length.to_string(), called);
        let input = field("input");
        let what = say!("the {given} of ", input, " ran out before {before}");
        let wrong = QueryError::wrong("input", what);
        match right {
            Some(right) => wrong.right(right),
            None => wrong,
        }
    }
}
