//! Memory that was freed and is used again.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

/// A little less than the largest block by which glibc's allocator moves its thresholds, 32 MB.
const BLOCK: usize = (32 << 20) - (1 << 16);

/// By so much the heap of a thread grows at once.
const HEAP: usize = 16 << 20;

/// Was [`keep_freed`] called?
static KEPT: AtomicBool = AtomicBool::new(false);

/// Lets glibc's allocator keep up to 64 MB of freed memory for each of its heaps.
///
/// By itself it gives what is above 128 kB at the end of a heap back to the system at each call of
/// `free`, and takes it again page by page: a program that works on chunks of some megabytes, one
/// after the other, has a page fault for each 4 kB of each chunk. When a block that had a mapping
/// of its own is freed, smaller ones come from the heaps from then on, and twice its size is kept.
/// So a program may call this when it starts, before there are threads; the block is never touched.
/// Other allocators forget it.
pub fn keep_freed() {
    take(BLOCK);
    KEPT.store(true, Ordering::Relaxed);
}

/// Where freed memory is kept, makes the heap of a new thread larger by one call of the system
/// instead of one for each block that does not fit.
pub(crate) fn begin_thread() {
    if KEPT.load(Ordering::Relaxed) {
        take(HEAP);
    }
}

/// Takes memory and gives it back untouched.
fn take(bytes: usize) {
    drop(black_box(Vec::<u8>::with_capacity(bytes)));
}
