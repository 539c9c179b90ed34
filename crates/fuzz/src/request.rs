//! No bytes make the reader of requests panic; a head stays within its limits, and is the same
//! whatever follows it. A body is answered or refused by a sentence, as a question is.

use flipcost_page::{MAX_HEAD_BYTES, MAX_QUESTION_BYTES, read_head};

/// See the module.
pub fn request(bytes: &[u8]) {
    let Ok(Some(head)) = read_head(bytes) else {
        return;
    };
    assert!(head.bytes <= MAX_HEAD_BYTES && head.length <= MAX_QUESTION_BYTES);
    assert_eq!(read_head(&bytes[..head.bytes]), Ok(Some(head.clone())));
    // Foreign hosts are never ours.
    assert!(!head.is_ours(&[]));
    crate::ask(&bytes[head.bytes..]);
}
