//! What a submission to the OEIS says beside its sequence: `--author`, `--date` and `--terms`.

use flipcost_oeis::questions::OeisDraft;
use std::num::NonZeroU64;

/// What a submission says beside its sequence.
#[derive(clap::Args)]
pub struct SubmissionArgs {
    /// Your name as registered with the OEIS
    #[arg(long, value_name = "NAME", default_value = "")]
    pub author: String,
    /// The date as the OEIS writes it, such as "Nov 21 2026"
    #[arg(long, value_name = "DATE", default_value = "")]
    pub date: String,
    /// The most terms in a b-file [default: 10000, fewer where terms are slow or long]
    #[arg(short, long, value_name = "K", value_parser = crate::numbers::positive, allow_negative_numbers = true)]
    pub terms: Option<u64>,
}

impl SubmissionArgs {
    /// The draft of a sequence.
    pub fn draft_question(&self, id: &str) -> OeisDraft {
        OeisDraft {
            id: id.to_string(),
            author: self.author.clone(),
            date: self.date.clone(),
            terms: self.terms.and_then(NonZeroU64::new),
        }
    }
}
