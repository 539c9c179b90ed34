//! Runs every input in fuzz/corpus again. Fails if a folder is not named after a target, or if a
//! target has no inputs.

use flipcost_fuzz_targets::TARGETS;
use std::fs;
use std::path::Path;

#[test]
fn every_target_holds_for_its_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for folder in fs::read_dir(&corpus).unwrap() {
        let name = folder.unwrap().file_name();
        assert!(
            TARGETS.iter().any(|(target, _)| name == *target),
            "{name:?}"
        );
    }
    for (name, target) in TARGETS {
        let mut inputs = 0;
        for file in fs::read_dir(corpus.join(name)).unwrap() {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            target(&bytes);
            inputs += 1;
        }
        assert!(inputs > 0, "{name} has no inputs");
    }
}
