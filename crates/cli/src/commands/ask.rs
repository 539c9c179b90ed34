//! `flipcost ask`: queries in, answers out, as JSON lines.

use super::{Failure, answer};
use flipcost_terminal::rows::Output;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

/// Answer queries: JSON lines in (as `flipcost --query COMMAND ...` prints them), JSON lines out
#[derive(clap::Args)]
pub struct AskArgs {
    /// A file of queries, one JSON object per line; - is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// The longest line of queries, in bytes.
const MAX_INPUT_BYTES: u64 = 1 << 26;

impl AskArgs {
    pub fn run(self) -> Result<(), Failure> {
        let Some(file) = self.file else {
            let what = "a FILE of queries was expected, one JSON object per line as `flipcost --query cost 6` prints it; - reads them from standard input";
            return Err(Failure::Input(what.to_string()));
        };
        let unreadable = |error: std::io::Error| {
            let name = file.display();
            Failure::Input(format!("cannot read \"{name}\": {error}"))
        };
        let input: Box<dyn Read> = if file.as_os_str() == "-" {
            Box::new(std::io::stdin().lock())
        } else {
            Box::new(File::open(&file).map_err(unreadable)?)
        };
        let mut input = BufReader::new(input);
        let mut output = Output::open(None)?;
        let mut bad = 0u64;
        for number in 1u64.. {
            let mut line = Vec::new();
            let read = (&mut input)
                .take(MAX_INPUT_BYTES)
                .read_until(b'\n', &mut line);
            if read.map_err(unreadable)? == 0 {
                break;
            }
            if line.len() as u64 == MAX_INPUT_BYTES {
                let what = format!("line {number} has more than {MAX_INPUT_BYTES} bytes");
                return Err(Failure::Input(what));
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let text = String::from_utf8_lossy(&line);
            let answered = flipcost_all::from_json(&text)
                .and_then(|query| answer::answer_with_threads(query, 0));
            output.with_writer(|out| match &answered {
                Ok(answer) => answer.write_json(out),
                Err(error) => {
                    bad += 1;
                    let mut error = error.to_json();
                    error["line"] = number.into();
                    writeln!(out, "{error}")
                }
            })?;
            output.with_writer(|out| out.flush())?;
        }
        output.finish()?;
        match bad {
            0 => Ok(()),
            1 => Err(Failure::Input("1 query has no answer: see its line".into())),
            _ => Err(Failure::Input(format!(
                "{bad} queries have no answer: see their lines"
            ))),
        }
    }
}
