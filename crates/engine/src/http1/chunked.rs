//! The chunked transfer coding (RFC 9112, section 7.1): finds its end, and what of it is data.

use plimsoll_text::is_of_token;

use super::error::ProtocolError;

/// Bytes that one size line, or all trailers together, may have.
const LINE_BYTES_MAX: u32 = 16 * 1024;
const NO_SIZE: ProtocolError = ProtocolError("chunk size is not a hexadecimal number");

/// State of the decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// In the hexadecimal size, `digits` of it seen.
    Size { digits: u8 },
    /// In white space after the size, which is there before an extension, or pads the size.
    SizePadding,
    /// In the extensions of the size.
    Extension,
    /// After the CR of the size's line.
    SizeLf,
    /// In the chunk's data.
    Data,
    /// Before the CR that ends the data.
    DataEnd,
    /// After the CR that ends the data, before its LF.
    DataLf,
    /// At the beginning of a trailer line; unless it `is_first`, it may continue the one before.
    TrailerStart { is_first: bool },
    /// Within the name of a trailer.
    TrailerName,
    /// Within its value.
    TrailerValue,
    /// After the CR of a trailer's line.
    TrailerLf,
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

    /// Reads `bytes` and gives the data among them to `keep`. Once the body is complete, returns the number of bytes
    /// consumed; what follows the body stays unread.
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
        self.state = match self.state {
            State::Size { .. } | State::SizePadding | State::Extension | State::SizeLf => self.step_in_size(byte)?,
            State::Data => State::Data,
            State::DataEnd if byte == b'\r' => State::DataLf,
            State::DataLf if byte == b'\n' => self.next_size(),
            State::DataEnd | State::DataLf => return Err(ProtocolError("chunk data longer than its size")),
            State::TrailerStart { .. } if byte == b'\n' => return Ok(true),
            State::LastLf if byte == b'\n' => return Ok(true),
            State::LastLf => return Err(ProtocolError("chunked body does not end in an empty line")),
            State::TrailerStart { .. } | State::TrailerName | State::TrailerValue | State::TrailerLf => {
                self.step_in_trailer(byte)?
            }
        };
        Ok(false)
    }

    /// Takes one byte of a size's line. Its end is CR LF: RFC 9112, section 2.2, lets a bare LF end a start line and a
    /// field, and nothing else.
    fn step_in_size(&mut self, byte: u8) -> Result<State, ProtocolError> {
        match (self.state, byte) {
            (State::Size { digits }, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                if digits == 15 {
                    return Err(ProtocolError("chunk size of more than 15 hexadecimal digits"));
                }
                let digit = (byte as char).to_digit(16).unwrap_or(0);
                self.remaining = self.remaining * 16 + u64::from(digit);
                Ok(State::Size { digits: digits + 1 })
            }
            (State::Size { digits: 0 }, _) => Err(NO_SIZE),
            (State::SizeLf, b'\n') => Ok(self.size_is_known()),
            (State::SizeLf, _) | (_, b'\n') => Err(ProtocolError("chunk size line does not end in CR LF")),
            (_, b'\r') => Ok(State::SizeLf),
            (State::Size { .. } | State::SizePadding, b' ' | b'\t') => Ok(State::SizePadding),
            (State::Size { .. } | State::SizePadding, b';') => Ok(State::Extension),
            (State::Extension, _) if is_text(byte) => Ok(State::Extension),
            (State::Extension, _) => Err(ProtocolError("chunk extension with a control character")),
            _ => Err(NO_SIZE),
        }
    }

    fn step_in_trailer(&self, byte: u8) -> Result<State, ProtocolError> {
        match (self.state, byte) {
            (State::TrailerStart { .. }, b'\r') => Ok(State::LastLf),
            // RFC 9112, section 5.2: a client reads folded fields.
            (State::TrailerStart { is_first: false }, b' ' | b'\t') => Ok(State::TrailerValue),
            (State::TrailerName, b':') => Ok(State::TrailerValue),
            (State::TrailerStart { .. } | State::TrailerName, _) if is_of_token(byte) => Ok(State::TrailerName),
            (State::TrailerValue, b'\r') => Ok(State::TrailerLf),
            (State::TrailerValue | State::TrailerLf, b'\n') => Ok(State::TrailerStart { is_first: false }),
            (State::TrailerValue, _) if is_text(byte) => Ok(State::TrailerValue),
            _ => Err(ProtocolError("trailer that is not a field")),
        }
    }

    fn size_is_known(&mut self) -> State {
        self.line_bytes = 0;
        if self.remaining == 0 { State::TrailerStart { is_first: true } } else { State::Data }
    }

    fn next_size(&mut self) -> State {
        self.line_bytes = 0;
        State::Size { digits: 0 }
    }
}

/// Whether a value of a field may hold it: RFC 9110, section 5.5, and what httparse lets heads hold.
fn is_text(byte: u8) -> bool {
    byte == b'\t' || !byte.is_ascii_control()
}
