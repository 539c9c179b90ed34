//! Packs the texts of a package for its program, a fifth of their size: of each its path and itself, each ended by a zero.
//! Other packages link to this file.

use flate2::{Compression, write::GzEncoder};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 6] = [
    "page",
    "page/views",
    "data",
    "data/analysis",
    "data/analysis/long",
    "data/analysis/rules",
];

fn main() -> io::Result<()> {
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let file = File::create(folder.join("texts.gz"))?;
    let mut packed = GzEncoder::new(file, Compression::best());
    for folder in FOLDERS.iter().filter(|folder| Path::new(folder).is_dir()) {
        println!("cargo::rerun-if-changed={folder}");
        let mut names = fs::read_dir(folder)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort();
        for path in names.iter().map(|name| format!("{folder}/{name}")) {
            if Path::new(&path).is_file() {
                write!(packed, "{path}\0{}\0", fs::read_to_string(&path)?)?;
            }
        }
    }
    packed.finish()?;
    Ok(())
}
