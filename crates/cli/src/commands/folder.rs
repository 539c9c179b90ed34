//! A folder that appears whole: made beside its place, and renamed at the end. What an interrupted
//! run leaves is gone on from by the same request.

use super::Failure;
use flipcost_terminal::files;
use flipcost_terminal::rows::Output;
use flipcost_terminal::{screen, terminal};
use std::path::{Path, PathBuf};

/// A folder under way.
pub struct Folder {
    place: PathBuf,
    part: PathBuf,
}

/// The file that says whose the part is.
const REQUEST: &str = "request.txt";

impl Folder {
    /// Begins the folder `place`, or goes on with its part. `request` says all that its contents
    /// depend on.
    ///
    /// # Errors
    /// If the folder is there already, or its part was begun by another request.
    pub fn begin(place: &Path, request: &str) -> Result<Folder, Failure> {
        let shown = place.display();
        if std::fs::symlink_metadata(place).is_ok() {
            return Err(Failure::Input(format!(
                "\"{shown}\" is there already: name a folder that is to be made"
            )));
        }
        let Some(name) = place.file_name() else {
            return Err(Failure::Input(format!(
                "\"{shown}\" is no name of a folder to be made"
            )));
        };
        let mut beside = name.to_os_string();
        beside.push(".part");
        let part = place.with_file_name(beside);
        let folder = Folder {
            place: place.to_path_buf(),
            part,
        };
        let request = format!("flipcost {}: {request}\n", env!("CARGO_PKG_VERSION"));
        folder.make("")?;
        let known = files::read_text(&folder.part.join(REQUEST), files::USUAL);
        let is_empty = || std::fs::read_dir(&folder.part).is_ok_and(|mut all| all.next().is_none());
        match known {
            Ok(known) if known == request => {}
            // whose they are is not known
            Err(_) if is_empty() => folder.write_file(REQUEST, request.as_bytes())?,
            _ => {
                return Err(Failure::Input(format!(
                    "\"{}\" was begun by another request: remove it, or repeat that request",
                    folder.part.display()
                )));
            }
        }
        Ok(folder)
    }

    /// Where a file of it is until the folder is whole.
    pub fn path(&self, file: &str) -> PathBuf {
        self.part.join(file)
    }

    /// Is this file there? Then it is whole.
    pub fn has(&self, file: &str) -> bool {
        self.path(file).exists()
    }

    /// Makes a folder in it.
    pub fn make(&self, folder: &str) -> Result<(), Failure> {
        let path = self.path(folder);
        std::fs::create_dir_all(&path).map_err(|error| {
            let shown = path.display();
            Failure::Input(format!("cannot make the folder \"{shown}\": {error}"))
        })
    }

    /// Writes a file of it.
    pub fn write_file(&self, file: &str, bytes: &[u8]) -> Result<(), Failure> {
        Ok(Output::write_quietly(&self.path(file), bytes)?)
    }

    /// Puts the folder in its place, and says where; to a person at a terminal, what it holds.
    pub fn finish(self, contents: &str) -> Result<(), Failure> {
        let shown = self.place.display();
        std::fs::rename(&self.part, &self.place).map_err(|error| {
            let part = self.part.display();
            Failure::Input(format!("cannot rename \"{part}\" to \"{shown}\": {error}"))
        })?;
        if terminal::is_read() {
            return Ok(screen::print_text(&format!("{shown}: {contents}"))?);
        }
        Ok(Output::write_all(None, format!("{shown}\n").as_bytes())?)
    }
}
