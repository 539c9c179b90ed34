//! The parser of requests never panics. A head stays within its limits, and does not depend on the
//! bytes that follow it. A body is answered like a question, or refused with a sentence.

use flipcost_page::{MAX_HEAD_BYTES, MAX_QUESTION_BYTES, read_head};

/// Checks the property that the module describes.
pub fn request(bytes: &[u8]) {
    let Ok(Some(head)) = read_head(bytes) else {
        return;
    };
    assert!(head.bytes <= MAX_HEAD_BYTES && head.length <= MAX_QUESTION_BYTES);
    assert_eq!(read_head(&bytes[..head.bytes]), Ok(Some(head.clone())));
    // A foreign host is never accepted.
    assert!(!head.is_from_own_page(&[]));
    crate::ask(&bytes[head.bytes..]);
}
