//! The engine of the page as a WebAssembly module. `site/build.sh` builds it.
//!
//! The worker of the page calls `question(length)`, which returns the address for the question's
//! bytes, writes them there, and calls `answer(form)`. It returns 1 if there is an answer, and 0 if
//! there is a sentence instead. `body()` and `length()` give the place of its bytes. While it runs,
//! the module calls `progress(done, all)` of the worker; if it fails, `failed(at, length)`. On
//! targets other than WebAssembly this package is empty.
//!
//! Rust requires `unsafe` for names that a host sees and for functions that it provides, because
//! the linker does not check their types. There is no other `unsafe` code here.

#[cfg(target_family = "wasm")]
mod abi;
