//! `flipcost oeis drafts`: the drafts of all sequences without an A-number, as one folder.

use super::folder::Folder;
use super::submission::SubmissionArgs;
use super::{Failure, answer};
use crate::progress_bar::bar_of_files;
use flipcost::sequences::{self, Sequence};
use flipcost_oeis::entry_of_sequence::entry;
use flipcost_oeis::questions::OeisDraft;
use flipcost_question::{Door, Query, counted};
use flipcost_terminal::rows::{Format, Lines};
use std::fmt::Write;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Write the drafts of all sequences that have no A-number, a folder for each, an index that says why
/// each is of interest, and corrections for existing entries
///
/// The folder appears whole: until then FOLDER.part holds what there is, and the same command goes on
/// from there.
#[derive(clap::Args)]
pub struct OeisDraftsArgs {
    /// The folder, which is to be made
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    #[command(flatten)]
    submission: SubmissionArgs,
}

/// Why a family is of interest, and which member is among the best, if one is.
struct Interest {
    family: &'static str,
    best: &'static str,
    why: &'static str,
}

/// The lines of the table, the best in their order.
fn interests() -> impl Iterator<Item = Interest> {
    let lines = include_str!("../../data/oeis-drafts.md").lines();
    lines.filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        match cells[..] {
            ["family", ..] | ["---", ..] => None,
            [family, best, why] => Some(Interest { family, best, why }),
            _ => None,
        }
    })
}

/// The sequences that have no A-number.
fn unlisted() -> Vec<Sequence> {
    let mut all = sequences::all();
    all.retain(|sequence| sequence.a_number().is_none());
    all
}

/// The family of an id such as `mr-period:base=3`.
fn family(id: &str) -> &str {
    id.split(':').next().unwrap_or(id)
}

/// A name of a folder.
fn name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    id.chars()
        .map(plain)
        .collect::<String>()
        .trim_end_matches('-')
        .to_string()
}

const CORRECTIONS: &str = include_str!("../../data/oeis-corrections.md");

impl OeisDraftsArgs {
    pub fn run(self) -> Result<(), Failure> {
        flipcost_oeis::draft::check_date(&self.submission.date).map_err(Failure::input)?;
        let request = format!(
            "oeis drafts, author {:?}, date {:?}, terms {:?}",
            self.submission.author, self.submission.date, self.submission.terms
        );
        let folder = Folder::begin(&self.output, &request)?;
        let all = unlisted();
        let work: Vec<u64> = all.iter().map(|sequence| self.work(sequence)).collect();
        let bar = bar_of_files(work.iter().sum());
        for ((done, sequence), work) in (0..).zip(&all).zip(work) {
            bar.set_message(format!("draft {} of {}", done + 1, all.len()));
            self.draft(&folder, sequence)?;
            bar.inc(work);
        }
        bar.finish_and_clear();
        folder.write_file("corrections.md", CORRECTIONS.as_bytes())?;
        folder.write_file("README.md", index(&all).as_bytes())?;
        folder.finish(&format!(
            "{} of sequences, README.md to choose among them, and corrections.md for existing entries",
            counted(all.len() as u64, "draft")
        ))
    }

    /// About how long the draft of a sequence takes.
    fn work(&self, sequence: &Sequence) -> u64 {
        let draft = Query::from(self.question(sequence));
        draft.estimate().work.clamp(1, 1 << 40) as u64
    }

    /// The draft of a sequence, with no more terms than is practical of a slow one.
    fn question(&self, sequence: &Sequence) -> OeisDraft {
        let mut draft = self.submission.draft_question(sequence.id());
        let practical = sequence.practical().and_then(NonZeroU64::new);
        draft.terms = draft
            .terms
            .map(|terms| terms.min(practical.unwrap_or(terms)));
        draft
    }

    /// The folder of one sequence; its entry is written last.
    fn draft(&self, folder: &Folder, sequence: &Sequence) -> Result<(), Failure> {
        let name = name(sequence.id());
        let file = format!("{name}/entry.seq");
        if folder.has(&file) {
            return Ok(());
        }
        let answer = answer::collect(self.question(sequence))?;
        folder.make(&name)?;
        let lines = Lines::new(Format::BFile, &["n", "a"]).expect("a format of lines");
        let mut batch = lines.batch(answer.rows.len());
        answer.rows.iter().for_each(|row| batch.push_row(row));
        folder.write_file(&format!("{name}/b-file.txt"), &batch.into_bytes())?;
        let about = entry(sequence);
        for (program, file) in [(&about.pari, "a.gp"), (&about.python, "a.py")] {
            if let Some(program) = program {
                folder.write_file(&format!("{name}/{file}"), format!("{program}\n").as_bytes())?;
            }
        }
        let count = counted(answer.rows.len() as u64, "term");
        let mut notes = format!("{}\n\nThe b-file has {count}.\n", about.title);
        for note in &answer.foot.notes {
            writeln!(notes, "- {}", note.render(Door::Terminal)).expect("memory takes every byte");
        }
        folder.write_file(&format!("{name}/notes.md"), notes.as_bytes())?;
        folder.write_file(&file, answer.foot.text.unwrap_or_default().as_bytes())
    }
}

/// The index: the best in order, then all by family.
fn index(all: &[Sequence]) -> String {
    let title = |id: &str| {
        let found = all.iter().find(|sequence| sequence.id() == id);
        found.map_or(String::new(), |sequence| entry(sequence).title)
    };
    let mut text = format!(
        "# {} drafts for the OEIS\n\n\
         Each folder holds entry.seq (the entry in the internal format), b-file.txt, the programs a.gp (PARI/GP) and \
         a.py (Python), which the tests of flipcost run on the first terms, and notes.md (what the author should still \
         see to). corrections.md has corrections for existing entries.\n\n\
         Search the encyclopedia for the terms before one is sent: `flipcost oeis identify --sequence ID --stripped \
         stripped.gz`.\n\n## The best first\n\n",
        all.len()
    );
    let mut put = |line: String| writeln!(text, "{line}").expect("memory takes every byte");
    for interest in interests() {
        let id = match interest.best {
            "" => continue,
            "alone" => interest.family.to_string(),
            arguments => format!("{}:{arguments}", interest.family),
        };
        put(format!(
            "- [{id}]({}): {}.\n  {}",
            name(&id),
            title(&id),
            interest.why
        ));
    }
    put("\n## All, by family".to_string());
    for interest in interests() {
        put(format!("\n### {}\n\n{}\n", interest.family, interest.why));
        for sequence in all
            .iter()
            .filter(|sequence| family(sequence.id()) == interest.family)
        {
            let id = sequence.id();
            put(format!("- [{id}]({}): {}", name(id), entry(sequence).title));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every family with a draft has its line and no other has, and what is best is a draft.
    #[test]
    fn the_table_is_of_the_drafts() {
        let all = unlisted();
        let drafted: BTreeSet<&str> = all.iter().map(|sequence| family(sequence.id())).collect();
        let lines: Vec<&str> = interests().map(|interest| interest.family).collect();
        assert_eq!(lines.iter().copied().collect::<BTreeSet<_>>(), drafted);
        assert_eq!(lines.len(), drafted.len(), "a family is there twice");
        let index = index(&all);
        let best = index.split("## All").next().unwrap();
        let best: Vec<&str> = best
            .lines()
            .filter(|line| line.starts_with("- ["))
            .collect();
        assert_eq!(best.len(), 12);
        for line in best {
            assert!(!line.ends_with(": ."), "{line}");
        }
        let names: BTreeSet<String> = all.iter().map(|sequence| name(sequence.id())).collect();
        assert_eq!(names.len(), all.len(), "two drafts would share a folder");
    }
}
