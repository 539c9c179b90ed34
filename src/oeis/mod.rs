//! The room `oeis`.
