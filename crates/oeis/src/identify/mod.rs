//! Searches the OEIS for entries that contain given terms, unchanged or transformed by a
//! [`Relation`].
//!
//! The file `stripped.gz` has about 390,000 lines. One thread decompresses it into blocks of whole
//! lines, and the other threads search the blocks. Each line is parsed once, into its terms and
//! their first differences, both modulo 2^64. Each [`Relation`] gives a run of numbers to find
//! among the terms or among the differences. Adding a constant does not change differences; an
//! entry with the partial sums has the wanted terms as its differences; and a factor is found by
//! cross-multiplication. The search looks first for the largest number of the run, because it is
//! the rarest. Only if a run is found are the integers themselves parsed, and then the relation is
//! verified exactly.

mod pattern;
mod relation;
mod searcher;

pub use relation::{MatchingEntry, Relation, TermSearch};

use crate::stripped::{self, LineBlock, LineBlocks};
use crate::{ANumber, OeisFileError, names, text};
use pattern::PatternSet;
use searcher::Searcher;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

/// The smallest number of terms that can be searched for.
pub const MIN_TERMS: usize = 4;

/// The smallest number of given terms that must be known.
pub const MIN_KNOWN: usize = 3;

/// The error of a search.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There are fewer than [`MIN_TERMS`] terms.
    #[error("too few terms ({0}) to identify a sequence: give {MIN_TERMS} or more.")]
    TooFew(usize),
    /// There are fewer than [`MIN_KNOWN`] known terms.
    #[error("too few known terms ({0}) to identify a sequence: give {MIN_KNOWN} or more.")]
    TooFewKnown(usize),
    /// The file of entries cannot be used.
    #[error(transparent)]
    File(#[from] OeisFileError),
}

/// The outcome of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchMatches {
    /// The best entries. They are sorted by the number of terms that they lack, then by the
    /// simplicity of the relation, then by the position (the earliest first), then by the number of
    /// terms that agree.
    pub found: Vec<MatchingEntry>,
    /// The number of entries that contain the terms, including those that are not listed.
    pub total: u64,
    /// The number of entries that were searched.
    pub searched: u64,
}

/// Searches only the 36 entries of [`published()`](super::published()).
///
/// # Errors
/// [`Error::TooFew`] for fewer than [`MIN_TERMS`] terms.
pub fn in_published(wanted: &TermSearch) -> Result<SearchMatches, Error> {
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
/// The errors of [`names::find`].
pub fn add_names(path: &Path, found: &mut [MatchingEntry]) -> Result<(), OeisFileError> {
    let wanted: Vec<ANumber> = found.iter().map(|found| found.a_number).collect();
    let titles = names::find(&text::display_name(path), text::open(path)?, &wanted)?;
    for found in found {
        if let Some(title) = titles.get(&found.a_number) {
            found.name = Some(title.clone());
        }
    }
    Ok(())
}

/// Searches a stream in the format of `stripped` with all processors; `file` is its name in error
/// messages.
///
/// # Errors
/// [`Error::TooFew`] for fewer than [`MIN_TERMS`] terms; [`Error::File`] if reading fails, a line
/// is damaged, or the file has no entries.
pub fn search(file: &str, reader: impl Read, wanted: &TermSearch) -> Result<SearchMatches, Error> {
    if wanted.terms.len() < MIN_TERMS {
        return Err(Error::TooFew(wanted.terms.len()));
    }
    let known = wanted.terms.iter().flatten().count();
    if known < MIN_KNOWN {
        return Err(Error::TooFewKnown(known));
    }
    let plan = &PatternSet::new(wanted);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (send, receive) = sync_channel::<LineBlock>(workers + 1);
    let receive = Arc::new(Mutex::new(receive));
    let (read, partial) = std::thread::scope(|scope| {
        let searchers: Vec<_> = (0..workers)
            .filter_map(|_| {
                let receive = Arc::clone(&receive);
                let search =
                    move || search_received(file, &receive, Searcher::new(plan, wanted.limit));
                std::thread::Builder::new().spawn_scoped(scope, search).ok()
            })
            .collect();
        // if no thread can start, this thread searches alone
        let mut alone = searchers
            .is_empty()
            .then(|| Searcher::new(plan, wanted.limit));
        // This handle is dropped so that sending fails when every searcher has stopped.
        drop(receive);
        let read = pass_blocks(file, reader, send, alone.as_mut());
        let searched = searchers.into_iter();
        let searched = searched.filter_map(|searcher| searcher.join().ok());
        let partial: Vec<_> = searched
            .chain(alone.map(|searcher| (searcher, None)))
            .collect();
        (read, partial)
    });
    let mut refusals: Vec<OeisFileError> = read.err().into_iter().collect();
    let mut outcome = SearchMatches {
        found: Vec::new(),
        total: 0,
        searched: 0,
    };
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
        return Err(OeisFileError::whole_file(
            file,
            "it holds no entries",
            stripped::EXPECTED_FORMAT,
        )
        .into());
    }
    outcome.found.sort_by_key(MatchingEntry::key);
    outcome.found.truncate(wanted.limit);
    Ok(outcome)
}

/// Passes the blocks to the searching threads, or to the single searcher of this thread.
fn pass_blocks(
    file: &str,
    reader: impl Read,
    searchers: SyncSender<LineBlock>,
    mut alone: Option<&mut Searcher>,
) -> Result<(), OeisFileError> {
    let mut blocks = LineBlocks::new(file, reader);
    while let Some(block) = blocks.next()? {
        match &mut alone {
            Some(searcher) => searcher.block(file, &block)?,
            None if searchers.send(block).is_err() => break,
            None => {}
        }
    }
    Ok(())
}

/// Searches the blocks that arrive, until there are no more or a block is damaged.
fn search_received<'p>(
    file: &str,
    blocks: &Mutex<Receiver<LineBlock>>,
    mut searcher: Searcher<'p>,
) -> (Searcher<'p>, Option<OeisFileError>) {
    loop {
        let Ok(blocks) = blocks.lock() else { break };
        let Ok(block) = blocks.recv() else { break };
        drop(blocks);
        if let Err(refusal) = searcher.block(file, &block) {
            return (searcher, Some(refusal));
        }
    }
    (searcher, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use num_bigint::BigInt;
    use std::io::Write;

    fn big(values: &[i64]) -> Vec<BigInt> {
        values.iter().map(|&value| value.into()).collect()
    }

    fn single_match(entry: &[i64], query: &[i64]) -> Option<MatchingEntry> {
        let mut text = Vec::new();
        stripped::write_line(&mut text, ANumber::new(1).unwrap(), &big(entry)).unwrap();
        let outcome = search("s", &text[..], &TermSearch::new(big(query))).unwrap();
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
            let found = single_match(&entry, query).unwrap();
            assert_eq!(found.relation, relation);
            assert_eq!((found.matched, found.position), (9, 3));
            assert_eq!(found.lacking(), 0);
        }
        let squares: Vec<i64> = (0..20).map(|n| n * n).collect();
        let odd: Vec<i64> = (0..20).map(|n| 2 * n + 1).collect();
        let found = single_match(&odd, &squares[3..13]).unwrap();
        assert_eq!(
            (found.relation, found.position, found.matched),
            (Relation::Differences, 3, 9)
        );
        let cubes: Vec<i64> = (0..20).map(|n| n * n * n).collect();
        let slopes: Vec<i64> = cubes.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let found = single_match(&cubes, &slopes[2..12]).unwrap();
        assert_eq!(
            (found.relation, found.position, found.matched),
            (Relation::PartialSums, 2, 11)
        );
        let six = FIBONACCI.map(|f| 6 * f);
        let found = single_match(&FIBONACCI, &six[3..12]).unwrap();
        assert_eq!(found.relation, Relation::Divided(6.into()));
    }

    #[test]
    fn terms_that_are_not_known_agree_with_anything() {
        let find = |entry: &[i64], query: &[Option<i64>]| {
            let mut text = Vec::new();
            stripped::write_line(&mut text, ANumber::new(1).unwrap(), &big(entry)).unwrap();
            let query = query.iter().map(|term| term.map(BigInt::from)).collect();
            let outcome = search("s", &text[..], &TermSearch::with_gaps(query));
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
        // a different number next to a gap makes a different sequence
        let mut other = gaps;
        other[3] = Some(9);
        assert_eq!(find(&FIBONACCI, &other), None);
        // a gap at either end, and four terms of which one is not known
        let ends = [None, Some(5), Some(8), Some(13), Some(21), None];
        assert_eq!(find(&FIBONACCI, &ends).unwrap().matched, 4);
        assert_eq!(find(&FIBONACCI[5..], &ends).unwrap().dropped, 0);
        assert!(find(&[0, 1, 2, 9, 4], &[Some(1), Some(2), None, Some(4)]).is_some());
        let few = TermSearch::with_gaps(vec![Some(1.into()), None, None, Some(2.into())]);
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
        let found = single_match(&FIBONACCI, &query).unwrap();
        assert_eq!((found.mismatches, found.matched, found.position), (2, 8, 4));
        let found = single_match(&FIBONACCI[5..], &FIBONACCI[3..13]).unwrap();
        assert_eq!((found.dropped, found.matched, found.position), (2, 8, 0));
        query[5] = 1;
        assert_eq!(single_match(&FIBONACCI, &query), None);
    }

    #[test]
    fn a_long_query_may_extend_beyond_an_entry() {
        let long: Vec<i64> = (0..60).map(|n| n * n * n % 1009).collect();
        let found = single_match(&long[..25], &long).unwrap();
        assert_eq!((found.matched, found.beyond, found.position), (25, 35, 0));
        assert_eq!(single_match(&long[..25], &long[12..]), None);
    }

    #[test]
    fn equality_modulo_two_to_the_64_is_not_enough() {
        let modulus = BigInt::from(1) << 64;
        let mut text = Vec::new();
        let terms: Vec<BigInt> = FIBONACCI.iter().map(|&f| &modulus * 3 + f).collect();
        stripped::write_line(&mut text, ANumber::new(1).unwrap(), &terms).unwrap();
        let outcome = search("s", &text[..], &TermSearch::new(big(&FIBONACCI))).unwrap();
        assert_eq!(outcome.found[0].relation, Relation::Shifted(&modulus * 3));
        let mut mixed = terms;
        mixed[9] += &modulus;
        text.clear();
        stripped::write_line(&mut text, ANumber::new(1).unwrap(), &mixed).unwrap();
        let outcome = search("s", &text[..], &TermSearch::new(big(&FIBONACCI))).unwrap();
        assert_eq!(outcome.total, 0);
    }

    #[test]
    fn an_error_names_the_line() {
        let wanted = TermSearch::new(big(&FIBONACCI));
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
        let few = TermSearch::new(big(&[1, 2]));
        assert!(matches!(search("s", &b""[..], &few), Err(Error::TooFew(2))));
    }

    #[test]
    fn our_own_terms_are_found_among_the_published() {
        let terms = big(&[1, 1, 1, 1, 2, 1, 1, 1, 3]);
        let outcome = in_published(&TermSearch::new(terms)).unwrap();
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

    /// Writes a file in the format of `stripped` with `lines` entries of about 260 characters. The
    /// entries of `published` are at their real places among pseudo-random entries of many kinds.
    fn write_synthetic_file(lines: u32, out: &mut impl Write) {
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
        write_synthetic_file(3000, &mut encoder);
        let packed = encoder.finish().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("stripped.gz");
        std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
        let Err(Error::File(refusal)) = search(
            "s",
            text::open(&path).unwrap(),
            &TermSearch::new(big(&FIBONACCI)),
        ) else {
            panic!("half a file was taken for a whole one");
        };
        assert!(
            refusal.wrong.contains("stop early") && refusal.line > Some(1),
            "{refusal}"
        );
    }

    /// This test is the benchmark of the module: `cargo test --release --lib four_hundred --
    /// --ignored --nocapture`.
    #[test]
    #[ignore = "writes a file of 40 megabytes and takes a few seconds"]
    fn four_hundred_thousand_lines_are_searched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("stripped.gz");
        let file = std::fs::File::create(&path).unwrap();
        let mut encoder = GzEncoder::new(std::io::BufWriter::new(file), Compression::default());
        write_synthetic_file(400_000, &mut encoder);
        encoder.finish().unwrap().flush().unwrap();
        let size = std::fs::metadata(&path).unwrap().len();
        for terms in [
            &[1, 1, 1, 1, 2, 1, 1, 1, 3][..],
            &[0, 0, 0, 0, 1, 0, 0, 0, 2],
        ] {
            let start = std::time::Instant::now();
            let outcome = search(
                "s",
                text::open(&path).unwrap(),
                &TermSearch::new(big(terms)),
            )
            .unwrap();
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
        let mut blocks = LineBlocks::new("s", text::open(&path).unwrap());
        let mut bytes = 0;
        while let Some(block) = blocks.next().unwrap() {
            bytes += block.bytes.len();
        }
        eprintln!("decompression alone: {bytes} bytes, {:?}", start.elapsed());
    }
}
