//! Errors about sequences: an unknown id, or terms that cannot be computed.

/// The error for an unknown sequence, or for terms that a sequence does not have.
///
/// ```
/// use flipcost::sequences::{SequenceError, find};
/// assert!(matches!(find("A000000"), Err(SequenceError::Unknown(_))));
/// let rounds = find("A136043").unwrap();
/// assert!(matches!(rounds.terms(0..=5), Err(SequenceError::Early { .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SequenceError {
    /// No sequence has this id.
    #[error("\"{0}\" is not a known sequence")]
    Unknown(String),
    /// The family does not accept these arguments.
    #[error("{0}")]
    Argument(String),
    /// The range begins before the offset of the sequence.
    #[error("{id} begins at n = {offset}, so there is no a({from})")]
    Early {
        /// The id of the sequence.
        id: String,
        /// The offset of the sequence.
        offset: u64,
        /// The requested index.
        from: u64,
    },
    /// A term cannot be computed.
    #[error("{0}")]
    Cannot(String),
}
