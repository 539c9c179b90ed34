//! `flipcost study`: what a study's file may hold. `flipcost help study` is the same.

use super::Failure;
use flipcost_studies::page;
use flipcost_terminal::screen;

/// What a study's file may hold: every figure, check and quantity, with its keys
#[derive(clap::Args)]
pub struct Study {
    /// Only the parts with this name, such as chart, expected or axis; `example` is a whole study
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Study {
    pub fn run(self) -> Result<(), Failure> {
        let name = self.name.as_deref();
        let text = page::page(name).ok_or_else(|| {
            Failure::Input(format!(
                "a study has nothing called \"{}\": choose one of {}",
                name.unwrap_or_default(),
                page::names().join(", ")
            ))
        })?;
        Ok(screen::print(&text)?)
    }
}
