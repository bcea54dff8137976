//! HTTP/1.1 from the client's side: requests as bytes, and responses read as they come (RFC 9112).

mod chunked;
#[cfg(test)]
mod differential;
mod error;
mod head;
mod last_head;
mod request;
mod response;

pub use error::ProtocolError;
pub(crate) use last_head::LastHead;
pub(crate) use request::USER_AGENT;
pub use request::{RedirectError, Request};
pub(crate) use response::ResponseObserver;
pub use response::{HEAD_BYTES_MAX, Progress, ResponseParser};
