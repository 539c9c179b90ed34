//! `flipcost completions` and `flipcost man`: generated from the definitions of the commands.

use super::Failure;
use flipcost_terminal::rows::Output;
use flipcost_terminal::screen;
use std::path::PathBuf;

/// Print completions for a shell
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

impl CompletionsArgs {
    pub fn run(self, mut program: clap::Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "flipcost", &mut script);
        Ok(screen::print_paged(&String::from_utf8_lossy(&script))?)
    }
}

/// Print the man page, or write one for every command into a folder
#[derive(clap::Args)]
pub struct ManArgs {
    /// Write flipcost.1, flipcost-cost.1, ... into this folder, which must exist
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl ManArgs {
    pub fn run(self, mut command: clap::Command) -> Result<(), Failure> {
        command.build();
        let page = |command: clap::Command| {
            let mut page = Vec::new();
            let man = clap_mangen::Man::new(command);
            man.render(&mut page).map(|()| page).map_err(Failure::input)
        };
        let Some(folder) = self.output else {
            let page = page(command)?;
            return Ok(screen::print_paged(&String::from_utf8_lossy(&page))?);
        };
        for sub in command
            .get_subcommands()
            .filter(|sub| sub.get_name() != "help")
        {
            let name = format!("flipcost-{}", sub.get_name());
            let file = folder.join(format!("{name}.1"));
            let name: &'static str = name.leak(); // clap needs a 'static name
            Output::write_all(Some(&file), &page(sub.clone().name(name))?)?;
        }
        Ok(Output::write_all(
            Some(&folder.join("flipcost.1")),
            &page(command)?,
        )?)
    }
}
