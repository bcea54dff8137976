//! Response observers: checks and captures of a script, and the trace of the first requests. Most requests have none.

use super::trace::Trace;
use crate::{http1, http2, script::Kept};

/// The observers of one response.
pub(super) struct ResponseObservers<'a> {
    pub kept: Option<&'a mut Kept>,
    pub trace: Option<&'a mut Trace>,
}

impl ResponseObservers<'_> {
    /// Shows the head of an HTTP/2 response. Fields that cannot be read have been refused before.
    pub fn fields(&mut self, fields: http2::Fields<'_>) {
        if self.kept.is_none() && self.trace.is_none() {
            return;
        }
        for field in fields.flatten() {
            if let (Ok(name), Ok(value)) = (field.name.to_bytes(), field.value.to_bytes()) {
                http1::ResponseObserver::header(self, &String::from_utf8_lossy(&name), &value);
            }
        }
    }
}

impl http1::ResponseObserver for ResponseObservers<'_> {
    #[inline]
    fn sees_headers(&self) -> bool {
        self.kept.is_some() || self.trace.is_some()
    }

    fn header(&mut self, name: &str, value: &[u8]) {
        if let Some(kept) = &mut self.kept {
            kept.header(name, value);
        }
        if let Some(trace) = &mut self.trace {
            trace.header(name, value);
        }
    }

    #[inline]
    fn data(&mut self, data: &[u8]) {
        if let Some(kept) = &mut self.kept {
            kept.data(data);
        }
    }
}
