//! Memory that was freed and is used again.

/// A little less than the largest block by which glibc's allocator moves its thresholds, 32 MB.
const BLOCK: usize = (32 << 20) - (1 << 16);

/// Lets glibc's allocator keep up to 64 MB of freed memory for each of its heaps.
///
/// By itself it gives what is above 128 kB at the end of a heap back to the system at each call of `free`, and takes it
/// again page by page: a program that works on chunks of some megabytes, one after the other, has a page fault for each 4 kB of
/// each chunk. When a block that had a mapping of its own is freed, smaller ones come from the heaps from then on, and twice its
/// size is kept. So a program may call this when it starts; the block is never touched. Other allocators forget it.
pub fn keep_freed() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(BLOCK)));
}
