//! Tokens of HTTP (RFC 9110, section 5.6.2): names of headers and methods.

/// Whether a token may have this byte.
#[inline]
pub fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Whether it is a token: not empty, and of such bytes alone.
pub fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_of_token)
}
