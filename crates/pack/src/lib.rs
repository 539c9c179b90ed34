//! Packs the text files of a package into one compressed file, for the package's build script. The
//! program includes the packed file, which is about a fifth of the size of the texts, and unpacks
//! it with `flipcost_question::text::unpack_texts`.

use flate2::{Compression, write::GzEncoder};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes the files in these folders (not in folders within them) into `OUT_DIR/texts.gz`: the path
/// and the text of each file, both followed by a zero byte. A file is read from `root` joined with
/// its folder; its path in the packed file begins with the folder.
///
/// # Errors
/// If a folder or a file cannot be read, or the packed file cannot be written.
pub fn pack(root: &str, folders: &[&str]) -> io::Result<()> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut packed = GzEncoder::new(File::create(out.join("texts.gz"))?, Compression::best());
    for folder in folders {
        let directory = Path::new(root).join(folder);
        println!("cargo::rerun-if-changed={}", directory.display());
        let mut names = fs::read_dir(&directory)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort();
        for name in names {
            let path = directory.join(&name);
            if path.is_file() {
                write!(packed, "{folder}/{name}\0{}\0", fs::read_to_string(&path)?)?;
            }
        }
    }
    packed.finish()?;
    Ok(())
}
