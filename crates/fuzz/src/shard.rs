//! No bytes make the joining of parts panic, whatever they say of themselves.

use flipcost_cli::sweep::shard::Shards;
use flipcost_question::{Answer, JoinedUnits};

/// See the module.
pub fn shard(bytes: &[u8]) {
    let _ = JoinedUnits::from_bytes(bytes);
    let _ = Answer::from_bytes(bytes);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("shard.csv");
    std::fs::write(&file, bytes).expect("a file");
    if let Ok(shards) = Shards::find(std::slice::from_ref(&file)) {
        let mut whole = Vec::new();
        let _ = shards.merge(|part| {
            whole.extend_from_slice(part);
            Ok(())
        });
    }
}
