//! The chunked transfer coding (RFC 9112, section 7.1): finds its end, and what of it is data.

use super::error::ProtocolError;

/// Bytes that one size line, or all trailers together, may have.
const LINE_BYTES_MAX: u32 = 16 * 1024;

/// State of the decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// In the hexadecimal size, `digits` of it seen.
    Size { digits: u8 },
    /// In what follows the size on its line.
    Extension,
    /// In the chunk's data.
    Data,
    /// Before the CR, or bare LF, that ends the data.
    DataEnd,
    /// Before that line's LF.
    DataLf,
    /// At the beginning of a trailer line.
    TrailerStart,
    /// Within a trailer line.
    Trailer,
    /// After the CR of the empty line that ends it all.
    LastLf,
}

/// A chunked body that is being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunked {
    state: State,
    /// Size of the chunk; then how much of its data is still to come.
    remaining: u64,
    /// Bytes of the current line, or of all trailers.
    line_bytes: u32,
}

impl Chunked {
    pub(super) const fn new() -> Self {
        Self { state: State::Size { digits: 0 }, remaining: 0, line_bytes: 0 }
    }

    /// Reads `bytes`, and gives what is data to `keep`; the number consumed when the body is complete, which leaves
    /// what follows it unread.
    pub(super) fn feed(&mut self, bytes: &[u8], mut keep: impl FnMut(&[u8])) -> Result<Option<usize>, ProtocolError> {
        let mut at = 0;
        while at < bytes.len() {
            if self.state == State::Data {
                let taken = (bytes.len() - at).min(usize::try_from(self.remaining).unwrap_or(usize::MAX));
                keep(&bytes[at..at + taken]);
                at += taken;
                self.remaining -= taken as u64;
                if self.remaining == 0 {
                    self.state = State::DataEnd;
                }
                continue;
            }
            at += 1;
            if self.step(bytes[at - 1])? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Takes one byte outside of data; true when the body is complete.
    fn step(&mut self, byte: u8) -> Result<bool, ProtocolError> {
        self.line_bytes += 1;
        if self.line_bytes > LINE_BYTES_MAX {
            return Err(ProtocolError("chunk size line or trailers longer than 16 KiB"));
        }
        self.state = match (self.state, byte) {
            (State::Size { digits }, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                if digits == 15 {
                    return Err(ProtocolError("chunk size of more than 15 hexadecimal digits"));
                }
                let digit = (byte as char).to_digit(16).unwrap_or(0);
                self.remaining = self.remaining * 16 + u64::from(digit);
                State::Size { digits: digits + 1 }
            }
            (State::Size { digits: 0 }, _) => return Err(ProtocolError("chunk size is not a hexadecimal number")),
            (State::Size { .. } | State::Extension, b'\n') => self.size_is_known(),
            (State::Size { .. }, b'\r' | b';' | b' ' | b'\t') | (State::Extension, _) => State::Extension,
            (State::Size { .. }, _) => return Err(ProtocolError("chunk size is not a hexadecimal number")),
            (State::DataEnd, b'\r') => State::DataLf,
            (State::DataEnd | State::DataLf, b'\n') => self.next_size(),
            (State::DataEnd | State::DataLf, _) => return Err(ProtocolError("chunk data longer than its size")),
            (State::TrailerStart, b'\r') => State::LastLf,
            (State::TrailerStart, b'\n') | (State::LastLf, b'\n') => return Ok(true),
            (State::LastLf, _) => return Err(ProtocolError("chunked body does not end in an empty line")),
            (State::Trailer, b'\n') => State::TrailerStart,
            (State::TrailerStart | State::Trailer, _) => State::Trailer,
            (State::Data, _) => State::Data,
        };
        Ok(false)
    }

    fn size_is_known(&mut self) -> State {
        self.line_bytes = 0;
        if self.remaining == 0 { State::TrailerStart } else { State::Data }
    }

    fn next_size(&mut self) -> State {
        self.line_bytes = 0;
        State::Size { digits: 0 }
    }
}
