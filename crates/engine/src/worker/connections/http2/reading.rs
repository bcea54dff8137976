//! Events of streams, as a connection reads them.

use std::collections::VecDeque;

use plimsoll_record::Nanos;

use super::Place;
use crate::{
    http1::ResponseObserver,
    http2::{Event, Fields, StreamFailure},
    worker::{
        action::SlotId,
        requests::Requests,
        unanswered::{RETRIES_MAX, Unanswered},
    },
};

/// State at hand while a connection reads.
pub(super) struct Reading<'a> {
    pub places: &'a mut [Place],
    /// Slots that wait for a stream of this connection.
    pub waiting: &'a mut VecDeque<SlotId>,
    pub requests: &'a mut Requests,
    pub now: Nanos,
}

impl Reading<'_> {
    /// Something came on the stream of a slot.
    pub fn take(&mut self, id: SlotId, event: Event<'_>) {
        let slot = &mut self.requests.slots[id as usize];
        let exchange = slot.exchange_in_flight();
        match event {
            Event::Interim => drop(exchange.first_byte.get_or_insert(self.now)),
            Event::Head { status, fields } => {
                exchange.first_byte.get_or_insert(self.now);
                slot.observers().fields(fields);
                let place = &mut self.places[id as usize];
                place.status = status;
                if (300..400).contains(&status) {
                    place.location = location(fields);
                }
            }
            Event::Data(data) => {
                self.requests.recorder.counts(exchange.key).bytes_received += data.len() as u64;
                slot.observers().data(data);
            }
            Event::Complete => self.end(id, Ok(())),
            Event::Failed(StreamFailure::NotProcessed(_)) if self.places[id as usize].retries < RETRIES_MAX => {
                let Place { connection, retries, .. } = self.places[id as usize];
                self.places[id as usize] =
                    Place { connection, since: self.now, retries: retries + 1, ..Place::default() };
                self.waiting.push_back(id);
            }
            Event::Failed(failure) => self.end(id, Err(Unanswered::Stream(failure))),
        }
    }

    /// The slot's stream has ended, and its request with it.
    fn end(&mut self, id: SlotId, outcome: Result<(), Unanswered>) {
        self.places[id as usize].stream = None;
        self.requests.ended.push_back((id, outcome));
    }
}

fn location(fields: Fields<'_>) -> Option<Box<str>> {
    let bytes = fields.get("location")?.to_bytes().ok()?;
    String::from_utf8(bytes).ok().map(Into::into)
}
