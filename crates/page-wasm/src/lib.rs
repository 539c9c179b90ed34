//! The engine of the page as a WebAssembly module. `site/build.sh` builds it.
//!
//! The worker of the page calls `question(length)`, which gives the place for the question's bytes,
//! writes them there, and calls `answer(form)`: 1 if there is an answer, 0 if there is a sentence
//! in its place. `body()` and `length()` say where its bytes are. While it runs, the module calls
//! `progress(done, all)` of the worker, and if it fails, `failed(at, length)`. Elsewhere than in
//! WebAssembly this package is empty.
//!
//! Names that a host sees, and a function that it lends, are `unsafe` in Rust's eyes, because the
//! linker does not check their types; these are the only such words here, and no other code is.

#[cfg(target_family = "wasm")]
mod abi;
