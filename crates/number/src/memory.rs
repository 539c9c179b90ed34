//! Makes the allocator keep freed memory for reuse.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

/// 32 MB, the largest block at which glibc's allocator adjusts its thresholds, minus a little.
const MAX_BLOCK: usize = (32 << 20) - (1 << 16);

/// The amount by which the heap of a new thread is enlarged with one system call.
const HEAP_GROWTH: usize = 16 << 20;

/// Whether [`keep_freed`] was called.
static KEEPS_FREED: AtomicBool = AtomicBool::new(false);

/// Lets glibc's allocator keep up to 64 MB of freed memory for each of its heaps.
///
/// By default the allocator returns memory above 128 kB at the end of a heap to the system on each
/// call of `free`, and takes it again page by page. A program that works on chunks of some
/// megabytes, one after the other, then has a page fault for each 4 kB of each chunk. This function
/// allocates a large block and frees it untouched. After that, glibc's allocator takes smaller
/// blocks from the heaps, and each heap keeps up to twice the size of that block. Call it when the
/// program starts, before there are threads. Other allocators ignore it.
pub fn keep_freed() {
    allocate_and_free(MAX_BLOCK);
    KEEPS_FREED.store(true, Ordering::Relaxed);
}

/// If freed memory is kept, enlarges the heap of a new thread at once, which saves a system call
/// for each block that does not fit.
pub(crate) fn enlarge_thread_heap() {
    if KEEPS_FREED.load(Ordering::Relaxed) {
        allocate_and_free(HEAP_GROWTH);
    }
}

/// Allocates memory and frees it untouched.
fn allocate_and_free(bytes: usize) {
    drop(black_box(Vec::<u8>::with_capacity(bytes)));
}
