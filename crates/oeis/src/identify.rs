//! Which entries of the OEIS hold given terms, as they are or transformed by a [`Relation`].
//!
//! The file `stripped.gz` has some 390,000 lines. One thread decompresses it into blocks of whole
//! lines, the others search the blocks. A line is parsed once, into its terms and their first
//! differences modulo 2^64. For each [`Relation`] there is a run of numbers to look for among the
//! terms or among the differences: adding a constant does not change differences, an entry with the
//! partial sums has the terms as its differences, and a factor is found by cross-multiplication.
//! The search begins at the largest number of the run, which is the rarest. Only where a run is
//! found are the integers themselves read, and the relation is then verified exactly.

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use super::stripped::{self, Block, Blocks};
use super::text::{self, quoted};
use super::{ANumber, LineError, Refusal, names};

/// The fewest terms that can be searched for.
pub const MIN_TERMS: usize = 4;

/// The fewest of them that must be known.
pub const MIN_KNOWN: usize = 3;

/// The fewest terms that must agree without a gap, unless fewer are searched for.
pub const MIN_CORE: usize = 6;

/// How the terms searched for and the terms of an entry are related.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// The entry has the terms themselves.
    Contains,
    /// The entry has the terms with the other sign.
    Negated,
    /// The entry has each term plus this constant.
    Shifted(BigInt),
    /// The entry has this constant minus each term.
    Reflected(BigInt),
    /// The entry has each term times this constant.
    Multiplied(BigInt),
    /// The entry has each term divided by this constant.
    Divided(BigInt),
    /// The entry has the first differences of the terms.
    Differences,
    /// The entry has the partial sums of the terms, from some start on.
    PartialSums,
}

impl Relation {
    fn rank(&self) -> u8 {
        match self {
            Relation::Contains => 0,
            Relation::Negated => 1,
            Relation::Shifted(_) => 2,
            Relation::Multiplied(_) => 3,
            Relation::Divided(_) => 4,
            Relation::Reflected(_) => 5,
            Relation::Differences => 6,
            Relation::PartialSums => 7,
        }
    }
}

impl fmt::Display for Relation {
    /// What the entry has, in words: `the terms plus 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Relation::Contains => write!(f, "the terms"),
            Relation::Negated => write!(f, "the terms with the other sign"),
            Relation::Shifted(by) if by.is_negative() => {
                write!(f, "the terms minus {}", by.magnitude())
            }
            Relation::Shifted(by) => write!(f, "the terms plus {by}"),
            Relation::Reflected(from) => write!(f, "{from} minus the terms"),
            Relation::Multiplied(by) => write!(f, "the terms times {by}"),
            Relation::Divided(by) => write!(f, "the terms divided by {by}"),
            Relation::Differences => write!(f, "first differences of the terms"),
            Relation::PartialSums => write!(f, "partial sums of the terms"),
        }
    }
}

/// An entry that holds the terms searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The entry.
    pub a_number: ANumber,
    /// Its title, once [`add_names`] has looked it up.
    pub name: Option<String>,
    /// How the entry is related to the terms searched for.
    pub relation: Relation,
    /// The position in the entry, counted from 0, of the first term that agrees.
    pub position: usize,
    /// How many terms agree.
    pub matched: usize,
    /// How many of the leading terms searched for differ in the entry.
    pub mismatches: usize,
    /// How many of the leading terms searched for lie before the entry's first term.
    pub dropped: usize,
    /// How many of the terms searched for lie beyond the entry's last listed term.
    pub beyond: usize,
}

impl Found {
    fn lacking(&self) -> usize {
        self.mismatches + self.dropped + self.beyond
    }

    /// By which the best come first: fewest terms lacking, then the plainest relation, then the
    /// earliest position, then the most terms that agree.
    pub fn key(&self) -> (usize, u8, usize, usize, ANumber) {
        (
            self.lacking(),
            self.relation.rank(),
            self.position,
            usize::MAX - self.matched,
            self.a_number,
        )
    }
}

/// What to search for.
#[derive(Debug, Clone)]
pub struct Search {
    /// The terms, at least [`MIN_TERMS`] of them; `None` for one that is not known, which agrees with
    /// anything. Where one is not known, differences and sums are not looked for.
    pub terms: Vec<Option<BigInt>>,
    /// How many leading terms may differ or be missing in the entry; 3 unless set otherwise. At
    /// least [`MIN_CORE`] terms are always demanded.
    pub leading: usize,
    /// Whether relations other than [`Relation::Contains`] are looked for; true unless set
    /// otherwise.
    pub transformed: bool,
    /// How many entries are reported; 20 unless set otherwise.
    pub limit: usize,
}

impl Search {
    /// A search for these terms, with the usual settings.
    pub fn new(terms: Vec<BigInt>) -> Self {
        Search::with_gaps(terms.into_iter().map(Some).collect())
    }

    /// The same for terms of which some are not known; what is not known at either end is left out.
    pub fn with_gaps(mut terms: Vec<Option<BigInt>>) -> Self {
        let begin = terms.iter().position(Option::is_some);
        terms.drain(..begin.unwrap_or(terms.len()));
        let end = terms.iter().rposition(Option::is_some);
        terms.truncate(end.map_or(0, |at| at + 1));
        Search {
            terms,
            leading: 3,
            transformed: true,
            limit: 20,
        }
    }
}

/// Why a search has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Fewer than [`MIN_TERMS`] terms.
    #[error("too few terms ({0}) to identify a sequence: give {MIN_TERMS} or more.")]
    TooFew(usize),
    /// Fewer than [`MIN_KNOWN`] known terms.
    #[error("too few known terms ({0}) to identify a sequence: give {MIN_KNOWN} or more.")]
    TooFewKnown(usize),
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] Refusal),
}

/// The outcome of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identified {
    /// The best entries, best first: fewest terms lacking, then the plainest relation, then the
    /// earliest position, then the most terms that agree.
    pub found: Vec<Found>,
    /// How many entries hold the terms, reported or not.
    pub total: u64,
    /// How many entries were searched.
    pub searched: u64,
}

/// Searches the file `stripped` or `stripped.gz` at `path`, as a stream, with all processors.
///
/// Time: one pass, limited by decompression. Memory: a few blocks of half a megabyte.
///
/// # Errors
/// As [`search`], and [`Error::File`] if the file cannot be opened.
pub fn in_stripped(path: &Path, wanted: &Search) -> Result<Identified, Error> {
    search(&text::display_name(path), text::open(path)?, wanted)
}

/// Searches the [`published()`](super::published()) terms: 36 entries only.
///
/// # Errors
/// [`Error::TooFew`] for fewer than [`MIN_TERMS`] terms.
pub fn in_published(wanted: &Search) -> Result<Identified, Error> {
    let mut text = Vec::new();
    let published = super::published();
    for entry in &published {
        // Writing to memory cannot fail.
        let _ = stripped::write_line(&mut text, entry.a_number, &entry.terms);
    }
    let mut outcome = search("the published terms", &text[..], wanted)?;
    for found in &mut outcome.found {
        found.name = published
            .iter()
            .find(|entry| entry.a_number == found.a_number)
            .map(|entry| entry.title.clone());
    }
    Ok(outcome)
}

/// Looks up the titles of the entries found in the file `names` or `names.gz` at `path`.
///
/// # Errors
/// As [`names::find`].
pub fn add_names(path: &Path, found: &mut [Found]) -> Result<(), Refusal> {
    let wanted: Vec<ANumber> = found.iter().map(|found| found.a_number).collect();
    let titles = names::find(path, &wanted)?;
    for found in found {
        if let Some(title) = titles.get(&found.a_number) {
            found.name = Some(title.clone());
        }
    }
    Ok(())
}

/// Searches text in the format of `stripped`, as a stream, with all processors; `file` is its name
/// in error messages.
///
/// # Errors
/// [`Error::TooFew`] for fewer than [`MIN_TERMS`] terms; [`Error::File`] if reading fails, a line
/// is damaged or there is no entry.
pub fn search(file: &str, reader: impl Read, wanted: &Search) -> Result<Identified, Error> {
    if wanted.terms.len() < MIN_TERMS {
        return Err(Error::TooFew(wanted.terms.len()));
    }
    let known = wanted.terms.iter().flatten().count();
    if known < MIN_KNOWN {
        return Err(Error::TooFewKnown(known));
    }
    let plan = &Plan::new(wanted);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (send, receive) = sync_channel::<Block>(workers + 1);
    let receive = Arc::new(Mutex::new(receive));
    let (read, partial) = std::thread::scope(|scope| {
        let searchers: Vec<_> = (0..workers)
            .map(|_| {
                let receive = Arc::clone(&receive);
                scope.spawn(move || {
                    let mut searcher = Searcher::new(plan, wanted.limit);
                    let mut refused = None;
                    loop {
                        let block = match receive.lock() {
                            Ok(receive) => receive.recv(),
                            Err(_) => break,
                        };
                        let Ok(block) = block else { break };
                        if let Err(refusal) = searcher.block(file, &block) {
                            refused = Some(refusal);
                            break;
                        }
                    }
                    (searcher, refused)
                })
            })
            .collect();
        // With this handle gone, the sender notices when every searcher has stopped.
        drop(receive);
        let mut blocks = Blocks::new(file, reader);
        let read = loop {
            match blocks.next() {
                Ok(Some(block)) => {
                    if send.send(block).is_err() {
                        break Ok(());
                    }
                }
                Ok(None) => break Ok(()),
                Err(refusal) => break Err(refusal),
            }
        };
        drop(send);
        let partial: Vec<_> = searchers
            .into_iter()
            .filter_map(|searcher| searcher.join().ok())
            .collect();
        (read, partial)
    });
    let mut outcome = Identified {
        found: Vec::new(),
        total: 0,
        searched: 0,
    };
    let mut refusals: Vec<Refusal> = read.err().into_iter().collect();
    for (searcher, refused) in partial {
        outcome.found.extend(searcher.found);
        outcome.total += searcher.total;
        outcome.searched += searcher.searched;
        refusals.extend(refused);
    }
    if let Some(first) = refusals.into_iter().min_by_key(|refusal| refusal.line) {
        return Err(first.into());
    }
    if outcome.searched == 0 {
        return Err(Refusal::whole(file, "it holds no entries", stripped::RIGHT).into());
    }
    outcome.found.sort_by_key(Found::key);
    outcome.found.truncate(wanted.limit);
    Ok(outcome)
}

/// What a pattern, once found, means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Contains,
    Negated,
    Shifted,
    Reflected,
    Scaled,
    Differences,
    PartialSums,
}

/// A run of numbers modulo 2^64 to be found among the terms of a line or among their differences.
struct Pattern {
    kind: Kind,
    /// Whether it is looked for among the first differences of the line.
    in_differences: bool,
    /// The numbers that must be there: those searched for, after the leading ones; `None`: any.
    core: Vec<Option<u64>>,
    /// How many numbers of the core must lie inside the line: all, unless they are many.
    inside: usize,
    /// The place in the core, below `inside`, of the number to look for first.
    anchor: usize,
    /// For [`Kind::Scaled`]: a second place, not zero, used for a quick test.
    other: usize,
}

struct Plan<'q> {
    wanted: &'q [Option<BigInt>],
    leading: usize,
    patterns: Vec<Pattern>,
    any_differences: bool,
}

/// More terms than this may run off the end of an entry.
const LONG: usize = 12;

/// If it runs off the end, its core begins in the entry at this position or before.
const NEAR_START: usize = 8;

impl<'q> Plan<'q> {
    fn new(search: &'q Search) -> Self {
        let terms = &search.terms[..];
        let difference = |pair: &[Option<BigInt>]| Some(pair[1].as_ref()? - pair[0].as_ref()?);
        let differences: Vec<Option<BigInt>> = terms.windows(2).map(difference).collect();
        let gaps = terms.contains(&None);
        let mut leading = search.leading.min(terms.len().saturating_sub(MIN_CORE));
        let known = |from: usize| terms[from..].iter().flatten().count();
        while leading > 0 && known(leading) < MIN_CORE {
            leading -= 1;
        }
        let mut patterns = Vec::new();
        let mut add = |kind: Kind, in_differences: bool, values: &[Option<BigInt>]| {
            let core = &values[leading.min(values.len())..];
            // A constant run is found in thousands of entries and means nothing.
            let first = core.iter().flatten().next();
            let varied = core.iter().flatten().any(|value| Some(value) != first);
            if first.is_none() || (!varied && !matches!(kind, Kind::Contains)) {
                return;
            }
            let inside = core.len().min(LONG);
            let largest = |avoid: Option<&BigInt>| {
                let known = core[..inside].iter().enumerate();
                known
                    .filter_map(|(at, value)| Some((at, value.as_ref()?)))
                    .filter(|&(_, value)| avoid != Some(value))
                    .max_by_key(|&(at, value)| (value.magnitude(), usize::MAX - at))
            };
            let Some((anchor, most)) = largest(None) else {
                return;
            };
            let other = largest(Some(most)).map_or(anchor, |(at, _)| at);
            if kind == Kind::Scaled && most.is_zero() {
                return;
            }
            patterns.push(Pattern {
                kind,
                in_differences,
                core: core
                    .iter()
                    .map(|value| value.as_ref().map(low_word))
                    .collect(),
                inside,
                anchor,
                other,
            });
        };
        add(Kind::Contains, false, terms);
        if search.transformed {
            let minus = |values: &[Option<BigInt>]| -> Vec<Option<BigInt>> {
                values
                    .iter()
                    .map(|value| value.as_ref().map(|value| -value))
                    .collect()
            };
            let falling = minus(&differences);
            add(Kind::Negated, false, &minus(terms));
            if !gaps {
                add(Kind::Differences, false, &differences);
            }
            add(Kind::Scaled, false, terms);
            add(Kind::Shifted, true, &differences);
            add(Kind::Reflected, true, &falling);
            if !gaps {
                add(Kind::PartialSums, true, terms);
            }
        }
        let any_differences = patterns.iter().any(|pattern| pattern.in_differences);
        Plan {
            wanted: terms,
            leading,
            patterns,
            any_differences,
        }
    }
}

/// An integer modulo 2^64.
fn low_word(value: &BigInt) -> u64 {
    let low = value.magnitude().iter_u64_digits().next().unwrap_or(0);
    if value.is_negative() {
        low.wrapping_neg()
    } else {
        low
    }
}

struct Searcher<'p> {
    plan: &'p Plan<'p>,
    limit: usize,
    found: Vec<Found>,
    total: u64,
    searched: u64,
    terms: Vec<u64>,
    differences: Vec<u64>,
}

impl<'p> Searcher<'p> {
    fn new(plan: &'p Plan<'p>, limit: usize) -> Self {
        Searcher {
            plan,
            limit,
            found: Vec::new(),
            total: 0,
            searched: 0,
            terms: Vec::new(),
            differences: Vec::new(),
        }
    }

    fn block(&mut self, file: &str, block: &Block) -> Result<(), Refusal> {
        for (line, number) in block
            .bytes
            .split(|&byte| byte == b'\n')
            .zip(block.first_line..)
        {
            let line = line.trim_ascii_end();
            if line.is_empty() || line[0] == b'#' {
                continue;
            }
            self.line(line)
                .map_err(|wrong| Refusal::at(file, number, wrong, stripped::RIGHT))?;
        }
        if self.found.len() > 4 * self.limit + 64 {
            self.found.sort_by_key(Found::key);
            self.found.truncate(self.limit);
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<(), LineError> {
        let end = line
            .iter()
            .position(|&byte| byte == b' ')
            .unwrap_or(line.len());
        let a_number = ANumber::from_bytes(&line[..end]).ok_or_else(|| {
            let label = &line[..end.min(40)];
            format!(
                "{} is not an A-number",
                quoted(&String::from_utf8_lossy(label))
            )
        })?;
        let data = line[end..].trim_ascii();
        self.searched += 1;
        if data.is_empty() {
            return Ok(());
        }
        low_words(data, &mut self.terms)?;
        if self.plan.any_differences {
            self.differences.clear();
            self.differences.extend(
                self.terms
                    .windows(2)
                    .map(|pair| pair[1].wrapping_sub(pair[0])),
            );
        }
        let mut exact: Option<Vec<BigInt>> = None;
        let mut best: Option<Found> = None;
        for pattern in &self.plan.patterns {
            let hay = if pattern.in_differences {
                &self.differences
            } else {
                &self.terms
            };
            candidates(pattern, hay, |core_at| {
                let terms = exact.get_or_insert_with(|| integers(data));
                if let Some(found) = verify(self.plan, pattern, terms, core_at, a_number)
                    && best.as_ref().is_none_or(|best| found.key() < best.key())
                {
                    best = Some(found);
                }
                // Nothing better can come of this pattern once all terms agree.
                best.as_ref().is_some_and(|best| best.lacking() == 0)
            });
            if best.as_ref().is_some_and(|best| best.lacking() == 0) {
                break;
            }
        }
        if let Some(found) = best {
            self.total += 1;
            self.found.push(found);
        }
        Ok(())
    }
}

/// Reads `,1,-2,3,` modulo 2^64.
fn low_words(data: &[u8], terms: &mut Vec<u64>) -> Result<(), LineError> {
    terms.clear();
    let [b',', rest @ ..] = data else {
        return Err("there is no comma before the first term".into());
    };
    let (mut value, mut negative, mut digits) = (0u64, false, false);
    for &byte in rest {
        match byte {
            b'0'..=b'9' => {
                value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                digits = true;
            }
            b',' if digits => {
                terms.push(if negative {
                    value.wrapping_neg()
                } else {
                    value
                });
                (value, negative, digits) = (0, false, false);
            }
            b'-' if !digits && !negative => negative = true,
            b',' if terms.is_empty() && !negative && rest.len() == 1 => {}
            _ => return Err("the terms are not integers between commas".into()),
        }
    }
    if digits || negative {
        return Err("there is no comma after the last term, so it may be cut off".into());
    }
    Ok(())
}

/// The integers of data that [`low_words`] has accepted.
fn integers(data: &[u8]) -> Vec<BigInt> {
    data.split(|&byte| byte == b',')
        .filter(|term| !term.is_empty())
        .map(|term| BigInt::parse_bytes(term, 10).unwrap_or_default())
        .collect()
}

/// Calls `hit` with each place of `hay` where the core of the pattern is found, until it says true.
fn candidates(pattern: &Pattern, hay: &[u64], mut hit: impl FnMut(usize) -> bool) {
    let core = &pattern.core[..];
    if hay.len() < pattern.inside {
        return;
    }
    let starts = hay.len() - pattern.inside + 1;
    // Where a long core would run off the end of the line, it must begin near its start.
    let full = (hay.len() + 1)
        .saturating_sub(core.len())
        .max(starts.min(NEAR_START + 1));
    if pattern.kind == Kind::Scaled {
        let known = |at: usize| core[at].expect("the places to look for first are known");
        let (anchor, other) = (known(pattern.anchor), known(pattern.other));
        for at in 0..full {
            let there = hay[at + pattern.anchor];
            let quick = hay[at + pattern.other].wrapping_mul(anchor) == there.wrapping_mul(other);
            if quick
                && there != 0
                && core.iter().zip(&hay[at..]).all(|(ours, b)| {
                    ours.is_none_or(|ours| b.wrapping_mul(anchor) == there.wrapping_mul(ours))
                })
                && hit(at)
            {
                return;
            }
        }
        return;
    }
    let wanted = core[pattern.anchor];
    for (at, &value) in hay[pattern.anchor..pattern.anchor + full]
        .iter()
        .enumerate()
    {
        let agrees = |(a, b): (&Option<u64>, &u64)| a.is_none_or(|a| a == *b);
        if Some(value) == wanted && core.iter().zip(&hay[at..]).all(agrees) && hit(at) {
            return;
        }
    }
}

/// What stands in an entry for a term searched for.
#[derive(PartialEq)]
enum Expected {
    /// Anything: the term is not known.
    Any,
    /// Nothing: the relation gives no integer.
    Never,
    /// This.
    Is(BigInt),
}

impl Expected {
    fn is(&self, there: &BigInt) -> bool {
        matches!(self, Expected::Is(value) if value == there)
    }
}

/// Works out what the entry should hold if the relation is true of all terms, and compares.
fn verify(
    plan: &Plan<'_>,
    pattern: &Pattern,
    entry: &[BigInt],
    core_at: usize,
    a_number: ANumber,
) -> Option<Found> {
    let wanted = plan.wanted;
    let lead = plan.leading;
    let here = &entry[core_at];
    // The first known term of the core, and what stands for it.
    let first = || {
        let mut core = wanted[lead..].iter().zip(&entry[core_at..]);
        core.find_map(|(term, there)| Some((term.as_ref()?, there)))
    };
    let each = |value: &dyn Fn(&BigInt) -> Option<BigInt>| -> Vec<Expected> {
        let one = |term: &Option<BigInt>| match term {
            Some(term) => value(term).map_or(Expected::Never, Expected::Is),
            None => Expected::Any,
        };
        wanted.iter().map(one).collect()
    };
    // Sums and differences are looked for where all terms are known.
    let known = || wanted.iter().flatten();
    let (relation, expected): (Relation, Vec<Expected>) = match pattern.kind {
        Kind::Contains => (Relation::Contains, each(&|term| Some(term.clone()))),
        Kind::Negated => (Relation::Negated, each(&|term| Some(-term))),
        Kind::Shifted => {
            let (term, there) = first()?;
            let by = there - term;
            if by.is_zero() {
                return None;
            }
            let moved = each(&|term| Some(term + &by));
            (Relation::Shifted(by), moved)
        }
        Kind::Reflected => {
            let (term, there) = first()?;
            let from = there + term;
            if from.is_zero() {
                return None;
            }
            let moved = each(&|term| Some(&from - term));
            (Relation::Reflected(from), moved)
        }
        Kind::Scaled => {
            let ours = wanted[lead + pattern.anchor].as_ref()?;
            let theirs = &entry[core_at + pattern.anchor];
            let (factor, rest) = theirs.div_rem(ours);
            if rest.is_zero() {
                if factor.magnitude().to_u8() == Some(1) {
                    return None;
                }
                let scaled = each(&|term| Some(term * &factor));
                (Relation::Multiplied(factor), scaled)
            } else {
                let (divisor, rest) = ours.div_rem(theirs);
                if !rest.is_zero() {
                    return None;
                }
                let scaled = each(&|term| {
                    let (quotient, rest) = term.div_rem(&divisor);
                    rest.is_zero().then_some(quotient)
                });
                (Relation::Divided(divisor), scaled)
            }
        }
        Kind::Differences => {
            let pairs = known().zip(known().skip(1));
            let rises = pairs.map(|(term, next)| Expected::Is(next - term));
            (Relation::Differences, rises.collect())
        }
        Kind::PartialSums => {
            let before: BigInt = known().take(lead).sum();
            let mut sum = here - before;
            let mut sums = vec![Expected::Is(sum.clone())];
            for term in known() {
                sum += term;
                sums.push(Expected::Is(sum.clone()));
            }
            (Relation::PartialSums, sums)
        }
    };
    let mut found = Found {
        a_number,
        name: None,
        relation,
        position: usize::MAX,
        matched: 0,
        mismatches: 0,
        dropped: 0,
        beyond: 0,
    };
    for (index, value) in expected.iter().enumerate() {
        if *value == Expected::Any {
            continue;
        }
        let Some(at) = (core_at + index).checked_sub(lead) else {
            found.dropped += 1;
            continue;
        };
        match entry.get(at) {
            None => found.beyond += 1,
            Some(term) if value.is(term) => {
                found.matched += 1;
                found.position = found.position.min(at);
            }
            // The core was found modulo 2^64 only, and here it turns out to be another.
            Some(_) if index >= lead => return None,
            Some(_) => found.mismatches += 1,
        }
    }
    (found.matched > 0).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn big(values: &[i64]) -> Vec<BigInt> {
        values.iter().map(|&value| value.into()).collect()
    }

    fn only(entry: &[i64], query: &[i64]) -> Option<Found> {
        let mut text = Vec::new();
        stripped::write_line(&mut text, ANumber::new(1).unwrap(), &big(entry)).unwrap();
        let outcome = search("s", &text[..], &Search::new(big(query))).unwrap();
        assert_eq!(outcome.total as usize, outcome.found.len());
        outcome.found.into_iter().next()
    }

    const FIBONACCI: [i64; 14] = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233];

    #[test]
    fn every_relation_is_recognised() {
        let query = &FIBONACCI[3..12];
        let cases: Vec<(Vec<i64>, Relation)> = vec![
            (FIBONACCI.to_vec(), Relation::Contains),
            (FIBONACCI.map(|f| -f).to_vec(), Relation::Negated),
            (
                FIBONACCI.map(|f| f - 1).to_vec(),
                Relation::Shifted((-1).into()),
            ),
            (
                FIBONACCI.map(|f| 100 - f).to_vec(),
                Relation::Reflected(100.into()),
            ),
            (
                FIBONACCI.map(|f| 6 * f).to_vec(),
                Relation::Multiplied(6.into()),
            ),
            (
                FIBONACCI.map(|f| -2 * f).to_vec(),
                Relation::Multiplied((-2).into()),
            ),
        ];
        for (entry, relation) in cases {
            let found = only(&entry, query).unwrap();
            assert_eq!(found.relation, relation);
            assert_eq!((found.matched, found.position), (9, 3));
            assert_eq!(found.lacking(), 0);
        }
        let squares: Vec<i64> = (0..20).map(|n| n * n).collect();
        let odd: Vec<i64> = (0..20).map(|n| 2 * n + 1).collect();
        let found = only(&odd, &squares[3..13]).unwrap();
        assert_eq!(
            (found.relation, found.position, found.matched),
            (Relation::Differences, 3, 9)
        );
        let cubes: Vec<i64> = (0..20).map(|n| n * n * n).collect();
        let slopes: Vec<i64> = cubes.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let found = only(&cubes, &slopes[2..12]).unwrap();
        assert_eq!(
            (found.relation, found.position, found.matched),
            (Relation::PartialSums, 2, 11)
        );
        let six = FIBONACCI.map(|f| 6 * f);
        let found = only(&FIBONACCI, &six[3..12]).unwrap();
        assert_eq!(found.relation, Relation::Divided(6.into()));
    }

    #[test]
    fn terms_that_are_not_known_agree_with_anything() {
        let find = |entry: &[i64], query: &[Option<i64>]| {
            let mut text = Vec::new();
            stripped::write_line(&mut text, ANumber::new(1).unwrap(), &big(entry)).unwrap();
            let query = query.iter().map(|term| term.map(BigInt::from)).collect();
            let outcome = search("s", &text[..], &Search::with_gaps(query));
            outcome.unwrap().found.into_iter().next()
        };
        let gaps = [
            Some(2),
            Some(3),
            None,
            Some(8),
            None,
            Some(21),
            Some(34),
            Some(55),
        ];
        type Change = fn(i64) -> i64;
        let cases: [(Change, Relation); 5] = [
            (|f| f, Relation::Contains),
            (|f| -f, Relation::Negated),
            (|f| f + 4, Relation::Shifted(4.into())),
            (|f| 9 - f, Relation::Reflected(9.into())),
            (|f| 3 * f, Relation::Multiplied(3.into())),
        ];
        for (change, relation) in cases {
            let found = find(&FIBONACCI.map(change), &gaps).unwrap();
            assert_eq!(found.relation, relation);
            assert_eq!((found.position, found.matched, found.lacking()), (3, 6, 0));
        }
        let six = gaps.map(|term| term.map(|term| 6 * term));
        assert_eq!(
            find(&FIBONACCI, &six).unwrap().relation,
            Relation::Divided(6.into())
        );
        // another number beside a gap is another sequence
        let mut other = gaps;
        other[3] = Some(9);
        assert_eq!(find(&FIBONACCI, &other), None);
        // a gap at either end, and four terms of which one is not known
        let ends = [None, Some(5), Some(8), Some(13), Some(21), None];
        assert_eq!(find(&FIBONACCI, &ends).unwrap().matched, 4);
        assert_eq!(find(&FIBONACCI[5..], &ends).unwrap().dropped, 0);
        assert!(find(&[0, 1, 2, 9, 4], &[Some(1), Some(2), None, Some(4)]).is_some());
        let few = Search::with_gaps(vec![Some(1.into()), None, None, Some(2.into())]);
        assert!(matches!(
            search("s", &b""[..], &few),
            Err(Error::TooFewKnown(2))
        ));
    }

    #[test]
    fn leading_terms_may_be_missing_or_differ() {
        let mut query = FIBONACCI[3..13].to_vec();
        query[0] = 7;
        query[2] = 9;
        let found = only(&FIBONACCI, &query).unwrap();
        assert_eq!((found.mismatches, found.matched, found.position), (2, 8, 4));
        let found = only(&FIBONACCI[5..], &FIBONACCI[3..13]).unwrap();
        assert_eq!((found.dropped, found.matched, found.position), (2, 8, 0));
        query[5] = 1;
        assert_eq!(only(&FIBONACCI, &query), None);
    }

    #[test]
    fn a_long_query_may_run_off_the_end_of_an_entry() {
        let long: Vec<i64> = (0..60).map(|n| n * n * n % 1009).collect();
        let found = only(&long[..25], &long).unwrap();
        assert_eq!((found.matched, found.beyond, found.position), (25, 35, 0));
        assert_eq!(only(&long[..25], &long[12..]), None);
    }

    #[test]
    fn equality_modulo_two_to_the_64_is_not_enough() {
        let modulus = BigInt::from(1) << 64;
        let mut text = Vec::new();
        let terms: Vec<BigInt> = FIBONACCI.iter().map(|&f| &modulus * 3 + f).collect();
        stripped::write_line(&mut text, ANumber::new(1).unwrap(), &terms).unwrap();
        let outcome = search("s", &text[..], &Search::new(big(&FIBONACCI))).unwrap();
        assert_eq!(outcome.found[0].relation, Relation::Shifted(&modulus * 3));
        let mut mixed = terms;
        mixed[9] += &modulus;
        text.clear();
        stripped::write_line(&mut text, ANumber::new(1).unwrap(), &mixed).unwrap();
        let outcome = search("s", &text[..], &Search::new(big(&FIBONACCI))).unwrap();
        assert_eq!(outcome.total, 0);
    }

    #[test]
    fn refusals_name_the_line() {
        let wanted = Search::new(big(&FIBONACCI));
        for (text, line) in [
            ("A000001 ,1,2,\nA000002 ,1,x,\n", Some(2)),
            ("A000001 ,1,2\n", Some(1)),
            ("A000001 1,2,\n", Some(1)),
            ("A000001 ,1,,2,\n", Some(1)),
            ("rubbish\n", Some(1)),
            ("A000001 ,-,\n", Some(1)),
            ("# nothing\n", None),
        ] {
            let Err(Error::File(refusal)) = search("s", text.as_bytes(), &wanted) else {
                panic!("{text:?}");
            };
            assert_eq!(refusal.line, line, "{text:?}");
        }
        let few = Search::new(big(&[1, 2]));
        assert!(matches!(search("s", &b""[..], &few), Err(Error::TooFew(2))));
    }

    #[test]
    fn our_own_terms_are_found_among_the_published() {
        let terms = big(&[1, 1, 1, 1, 2, 1, 1, 1, 3]);
        let outcome = in_published(&Search::new(terms)).unwrap();
        assert_eq!(outcome.searched, 36);
        assert_eq!(outcome.found[0].a_number.to_string(), "A136043");
        assert_eq!(
            (outcome.found[0].position, outcome.found[0].matched),
            (0, 9)
        );
        assert!(
            outcome.found[0]
                .name
                .as_deref()
                .unwrap()
                .contains("MR-expansion")
        );
    }

    /// A file as `stripped` is: `lines` entries of some 260 characters, the real ones of
    /// `published` in their places among pseudo-random ones of many kinds.
    fn synthetic(lines: u32, out: &mut impl Write) {
        let published = super::super::published();
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut draw = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut line = String::new();
        writeln!(out, "# A synthetic file of sequences").unwrap();
        for number in 1..=lines {
            use std::fmt::Write as _;
            let a_number = ANumber::new(number).unwrap();
            if let Some(entry) = published.iter().find(|entry| entry.a_number == a_number) {
                stripped::write_line(out, a_number, &entry.terms).unwrap();
                continue;
            }
            line.clear();
            write!(line, "{a_number} ,").unwrap();
            let (kind, step) = (draw() % 4, draw() % 50 + 6);
            let mut value = draw() % 9;
            while line.len() < 250 {
                match kind {
                    0 => value = draw() % step,
                    1 => value += draw() % step,
                    2 => value = value.wrapping_mul(step).wrapping_add(draw() % 7) % (1 << 60),
                    _ => value = draw() % 10,
                }
                if kind == 0 && draw() % 5 == 0 && value > 0 {
                    line.push('-');
                }
                write!(line, "{value},").unwrap();
            }
            writeln!(out, "{line}").unwrap();
        }
    }

    #[test]
    fn a_truncated_gzip_is_refused() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        synthetic(3000, &mut encoder);
        let packed = encoder.finish().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("stripped.gz");
        std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
        let Err(Error::File(refusal)) = in_stripped(&path, &Search::new(big(&FIBONACCI))) else {
            panic!("half a file was taken for a whole one");
        };
        assert!(
            refusal.wrong.contains("stop early") && refusal.line > Some(1),
            "{refusal}"
        );
    }

    /// The measure of this module:
    /// `cargo test --release --lib four_hundred -- --ignored --nocapture`.
    #[test]
    #[ignore = "writes a file of 40 megabytes and takes a few seconds"]
    fn four_hundred_thousand_lines() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("stripped.gz");
        let file = std::fs::File::create(&path).unwrap();
        let mut encoder = GzEncoder::new(std::io::BufWriter::new(file), Compression::default());
        synthetic(400_000, &mut encoder);
        encoder.finish().unwrap().flush().unwrap();
        let size = std::fs::metadata(&path).unwrap().len();
        for terms in [
            &[1, 1, 1, 1, 2, 1, 1, 1, 3][..],
            &[0, 0, 0, 0, 1, 0, 0, 0, 2],
        ] {
            let start = std::time::Instant::now();
            let outcome = in_stripped(&path, &Search::new(big(terms))).unwrap();
            let time = start.elapsed();
            eprintln!(
                "{size} bytes packed, {} entries, {time:?}",
                outcome.searched
            );
            for found in outcome.found.iter().take(4) {
                eprintln!(
                    "{} position {}: {}",
                    found.a_number, found.position, found.relation
                );
            }
            assert!(
                outcome
                    .found
                    .iter()
                    .any(|found| found.a_number.number() == 136_043 && found.lacking() == 0)
            );
        }
        let start = std::time::Instant::now();
        let mut blocks = Blocks::new("s", text::open(&path).unwrap());
        let mut bytes = 0;
        while let Some(block) = blocks.next().unwrap() {
            bytes += block.bytes.len();
        }
        eprintln!("decompression alone: {bytes} bytes, {:?}", start.elapsed());
    }
}
