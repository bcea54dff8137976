//! The first requests, told one by one. Nothing of it is called once there are as many as were asked for.

use plimsoll_record::{ErrorKind, Nanos, TracedRequest};

use super::exchange::Exchange;

/// Parts of a response that are kept for a traced request.
#[derive(Debug, Default)]
pub(super) struct Trace {
    /// The `Server-Timing` of the response, if it has one.
    server_timing: Option<String>,
}

impl Trace {
    /// More of the header than this is left out.
    const SERVER_TIMING_BYTES_MAX: usize = 4_096;

    /// A header of the response came.
    pub fn header(&mut self, name: &str, value: &[u8]) {
        if !name.eq_ignore_ascii_case("server-timing") {
            return;
        }
        let value = String::from_utf8_lossy(&value[..value.len().min(Self::SERVER_TIMING_BYTES_MAX)]);
        match &mut self.server_timing {
            // Several headers of a name say what one with their values says.
            Some(text) if text.len() < Self::SERVER_TIMING_BYTES_MAX => {
                text.push_str(", ");
                text.push_str(&value);
            }
            Some(_) => {}
            none => *none = Some(value.into_owned()),
        }
    }

    /// The request of `exchange` as it is told, ended with this status of a response, or for this reason.
    #[cold]
    pub fn tell(
        self,
        exchange: &Exchange,
        status: Option<u16>,
        error: Option<ErrorKind>,
        done: Nanos,
    ) -> TracedRequest {
        let &Exchange { intended, key, sent, first_byte } = exchange;
        TracedRequest {
            stage: key.stage,
            request: key.request,
            intended,
            sent,
            first_byte,
            done,
            status,
            error,
            server_timing: self.server_timing,
        }
    }
}
