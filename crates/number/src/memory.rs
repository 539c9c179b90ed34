//! Reuse of freed memory.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

/// Slightly less than the largest block that makes glibc's allocator move its thresholds, 32 MB.
const MAX_BLOCK: usize = (32 << 20) - (1 << 16);

/// The heap of a thread grows by this amount at once.
const HEAP_GROWTH: usize = 16 << 20;

/// Whether [`keep_freed`] was called.
static KEEPS_FREED: AtomicBool = AtomicBool::new(false);

/// Lets glibc's allocator keep up to 64 MB of freed memory for each of its heaps.
///
/// By default it returns memory above 128 kB at the end of a heap to the system on each call of
/// `free`, and takes it again page by page: a program that works on chunks of some megabytes, one
/// after the other, has a page fault for each 4 kB of each chunk. After a block with a separate
/// mapping is freed, smaller blocks come from the heaps, and up to twice its size is kept. So a
/// program may call this when it starts, before there are threads; the block is never touched.
/// Other allocators ignore it.
pub fn keep_freed() {
    allocate_and_free(MAX_BLOCK);
    KEEPS_FREED.store(true, Ordering::Relaxed);
}

/// If freed memory is kept, enlarges the heap of a new thread by one system call instead of one for
/// each block that does not fit.
pub(crate) fn begin_thread() {
    if KEEPS_FREED.load(Ordering::Relaxed) {
        allocate_and_free(HEAP_GROWTH);
    }
}

/// Allocates memory and frees it untouched.
fn allocate_and_free(bytes: usize) {
    drop(black_box(Vec::<u8>::with_capacity(bytes)));
}
