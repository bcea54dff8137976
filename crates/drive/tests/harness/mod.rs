//! Rules that hold whatever a proxy answers: called by `fuzz/` with what a fuzzer makes up, and by `./test` with the
//! files of `tests/corpus/`.

use plimsoll_drive::connection::Proxy;

/// Whether the tunnel is open by the whole of `data`. No beginning of it opens it: what follows is the target's.
pub fn proxy_answer(data: &[u8]) -> bool {
    match Proxy::opens(data) {
        Ok(is_open) => {
            // As many as take a moment.
            for end in 0..if is_open { data.len().min(500) } else { 0 } {
                assert_ne!(Proxy::opens(&data[..end]), Ok(true), "open at {end} and at {} bytes", data.len());
            }
            is_open
        }
        Err(message) => {
            assert!(message.contains("proxy"), "{message}");
            false
        }
    }
}
