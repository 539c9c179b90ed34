//! The engine of the page as a WebAssembly module. `site/build.sh` builds it.
//!
//! The worker of the page calls `question(length)`, which returns an address, writes the bytes of
//! the question there, and calls `answer(form)`. The result is 1 if there is an answer, and 0 if
//! there is a sentence that says why there is none. `body()` and `length()` give the address and
//! the length of its bytes. While it answers, the module calls the worker's `progress(done, all)`;
//! if the module fails, it calls `failed(at, length)`. On targets other than WebAssembly this
//! package is empty.
//!
//! Rust requires `unsafe` for names that a host sees and for functions that the host provides,
//! because the linker does not check their types. There is no other `unsafe` code here.

#[cfg(target_family = "wasm")]
mod abi;
