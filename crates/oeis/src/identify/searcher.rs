//! The part of a search that one thread does: it searches line by line.

use super::pattern::{PatternSet, integers, low_words, verify_match, visit_candidates};
use super::relation::MatchingEntry;
use crate::stripped::{self, LineBlock};
use crate::text::quote_excerpt;
use crate::{ANumber, OeisFileError};
use num_bigint::BigInt;

pub(super) struct Searcher<'p> {
    plan: &'p PatternSet<'p>,
    limit: usize,
    pub(super) found: Vec<MatchingEntry>,
    pub(super) total: u64,
    pub(super) searched: u64,
    terms: Vec<u64>,
    differences: Vec<u64>,
}

impl<'p> Searcher<'p> {
    pub(super) fn new(plan: &'p PatternSet<'p>, limit: usize) -> Self {
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

    pub(super) fn block(&mut self, file: &str, block: &LineBlock) -> Result<(), OeisFileError> {
        for (line, number) in block
            .bytes
            .split(|&byte| byte == b'\n')
            .zip(block.first_line..)
        {
            let line = line.trim_ascii_end();
            if line.is_empty() || line[0] == b'#' {
                continue;
            }
            self.line(line).map_err(|wrong| {
                OeisFileError::at_line(file, number, wrong, stripped::EXPECTED_FORMAT)
            })?;
        }
        if self.found.len() > self.limit.saturating_mul(4).saturating_add(64) {
            self.found.sort_by_key(MatchingEntry::key);
            self.found.truncate(self.limit);
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<(), String> {
        let end = line
            .iter()
            .position(|&byte| byte == b' ')
            .unwrap_or(line.len());
        let a_number = ANumber::from_bytes(&line[..end]).ok_or_else(|| {
            let label = &line[..end.min(40)];
            format!(
                "{} is not an A-number",
                quote_excerpt(&String::from_utf8_lossy(label))
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
        let mut best: Option<MatchingEntry> = None;
        for pattern in &self.plan.patterns {
            let hay = if pattern.in_differences {
                &self.differences
            } else {
                &self.terms
            };
            visit_candidates(pattern, hay, |core_at| {
                let terms = exact.get_or_insert_with(|| integers(data));
                if let Some(found) = verify_match(self.plan, pattern, terms, core_at, a_number)
                    && best.as_ref().is_none_or(|best| found.key() < best.key())
                {
                    best = Some(found);
                }
                // No further match of this pattern can be better once all terms agree.
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
