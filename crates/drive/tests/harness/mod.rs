//! Rules that hold whatever a proxy answers: called by `fuzz/` with what a fuzzer makes up, and by `./test` with the
//! files of `tests/corpus/`.

use plimsoll_drive::connection::Proxy;

/// Whether the tunnel is open by the whole of `data`. No beginning of it opens it: what follows is the target's.
pub fn proxy_answer(data: &[u8]) -> bool {
    let whole = Proxy::opens(data);
    for end in 0..data.len().min(500) {
        let is_open = Proxy::opens(&data[..end]) == Ok(true);
        assert!(!is_open || whole != Ok(true), "open at {end} and at {} bytes", data.len());
    }
    if let Err(message) = &whole {
        assert!(message.contains("proxy"), "{message}");
    }
    whole == Ok(true)
}
