//! Rules that hold whatever a server sends, as functions of its bytes: called by `fuzz/` with what a fuzzer makes up,
//! and by `./test` with the files of `tests/corpus/`.

pub mod hpack;
pub mod http1;
pub mod http2;
mod huffman;
pub mod load;
pub mod random;
pub mod template;
