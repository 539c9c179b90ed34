//! The command `flipcost export` writes models to files.

use crate::support;

use std::fs;
use support::flipcost;

#[test]
fn a_model_is_written_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for (n, source, algorithm) in [
        ("6", "2", "fast-dice-roller"),
        ("4:7:8", "2", "fldr"),
        ("5", "10", "rejection"),
    ] {
        for (language, first) in [("prism", "//"), ("drn", "// "), ("dot", "digraph chain {")] {
            let file = folder.path().join("chain");
            let line = ["export", language, n, "-s", source, "-a", algorithm];
            let printed = flipcost("").args(line).output().unwrap();
            let written = flipcost("")
                .args(line)
                .arg("-o")
                .arg(&file)
                .output()
                .unwrap();
            assert!(printed.status.success() && written.status.success());
            assert_eq!(fs::read(&file).unwrap(), printed.stdout);
            assert!(printed.stdout.starts_with(first.as_bytes()));
        }
    }
}
