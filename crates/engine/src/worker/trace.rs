//! The first requests, told one by one. Nothing of it is called once there are as many as were asked for.

use plimsoll_record::{ErrorKind, Nanos, TracedRequest};

use super::{SlotId, Worker};
use crate::slot::Exchange;

impl Worker {
    #[cold]
    pub(super) fn begin_trace(&mut self, id: SlotId) {
        self.trace_left -= 1;
        self.slots[id as usize].trace = Some(Box::default());
    }

    /// The request of `exchange` has ended, with this status of a response, or for this reason.
    #[cold]
    pub(super) fn end_trace(
        &mut self,
        id: SlotId,
        exchange: &Exchange,
        status: Option<u16>,
        error: Option<ErrorKind>,
        done: Nanos,
    ) {
        let Some(trace) = self.slots[id as usize].trace.take() else { return };
        let &Exchange { intended, key, sent, first_byte } = exchange;
        self.recorder.at(key).traced.push(TracedRequest {
            stage: key.stage,
            request: key.request,
            intended,
            sent,
            first_byte,
            done,
            status,
            error,
            server_timing: trace.server_timing,
        });
    }
}
