//! What an entry of the OEIS says of a sequence, apart from its terms.

/// What an entry of the OEIS says of a sequence, apart from its numbers: A-number, offset, terms.
///
/// Texts are plain ASCII; each element of a list is one line of the entry, and a line break inside
/// an element starts another.
///
/// ```
/// let rounds = flipcost::sequences::find("A136043").unwrap();
/// let description = rounds.description();
/// assert!(!description.title.is_empty() && description.pari.is_some());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Description {
    /// The title, the %N line of the entry.
    pub title: String,
    /// What the sequence is, exactly; the first comment of a draft unless the title says it all.
    pub definition: String,
    /// Further comments, the %C lines: theorems, where the sequence comes from.
    pub comments: Vec<String>,
    /// Books and papers, the %D lines.
    pub references: Vec<String>,
    /// Links, the %H lines, in the OEIS's HTML.
    pub links: Vec<String>,
    /// Formulas, the %F lines.
    pub formulas: Vec<String>,
    /// Examples, the %e lines.
    pub examples: Vec<String>,
    /// A program in PARI/GP.
    pub pari: Option<String>,
    /// A program in Python.
    pub python: Option<String>,
    /// Cross-references, the %Y lines: A-numbers, or sentences.
    pub cross_references: Vec<String>,
    /// Keywords, the %K line, without `nonn` and `sign`, which the terms decide.
    pub keywords: Vec<String>,
}
