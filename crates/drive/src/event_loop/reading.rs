//! Reading: until a socket is empty, or others must have their turn.

use plimsoll_engine::SlotId;
use plimsoll_record::Nanos;
use rustix::{
    event::epoll::EventFlags,
    io::Errno,
    net::{RecvFlags, recv},
};

use super::{ENDS, EventLoop, failing::failure};
use crate::{observer::Seen, socket::kind_of};

/// Reads of one socket in a turn, and time for them: an endless response must not keep the others, nor the clock,
/// waiting.
const READS_MAX: usize = 16;
const READING_MAX: Nanos = Nanos::from_micros(200);

impl EventLoop {
    /// Goes on with a socket that had more to read than one turn took.
    pub(super) fn read_on(&mut self, id: SlotId, generation: u32) {
        if self.is_current(id, generation)
            && let Some(flags) = self.links[id as usize].unread.take()
        {
            self.read(id, generation, flags);
        }
    }

    /// Reads until the socket is empty, or until others must have their turn.
    pub(super) fn read(&mut self, id: SlotId, generation: u32, flags: EventFlags) {
        let ends = flags.intersects(ENDS);
        if ends && self.is_current(id, generation) {
            self.links[id as usize].is_ended = true;
            if self.links[id as usize].opening.is_none() {
                self.worker.half_closed(id, self.clock.now());
                self.act();
            }
        }
        let mut began = None;
        for _ in 0..READS_MAX {
            let link = &self.links[id as usize];
            let Some(socket) = link.socket.as_ref().filter(|_| link.generation == generation) else { return };
            let is_secure = link.tls.is_some();
            let is_plain = link.opening.is_none() && !is_secure;
            let from = link.tls.as_ref().map_or(0, |tls| tls.restore(&mut self.buffer));
            let read = recv(socket, &mut self.buffer[from..], RecvFlags::empty());
            let now = self.clock.now();
            let is_emptied = match read {
                Ok((0, _)) => {
                    self.ended(id, is_secure, now);
                    true
                }
                Ok((length, _)) => {
                    if is_plain {
                        if self.observer.is_some() {
                            self.show(Seen::Received(&self.buffer[..length]));
                        }
                        if self.links[id as usize].is_sending() {
                            self.worker.answers_early(id);
                        }
                        self.worker.received(id, &self.buffer[..length], now);
                    } else {
                        self.received(id, generation, from + length, now);
                    }
                    from + length < self.buffer.len() && !ends
                }
                Err(Errno::AGAIN) => true,
                Err(Errno::INTR) => false,
                Err(error) => {
                    self.broken(id, error, now);
                    true
                }
            };
            self.act();
            if is_emptied {
                return;
            }
            if now - *began.get_or_insert(now) > READING_MAX {
                break;
            }
        }
        if self.is_current(id, generation) {
            self.links[id as usize].unread = Some(flags);
            self.unread.push((id, generation));
        }
    }

    /// The first `filled` bytes of the buffer came on a connection that is not plain.
    fn received(&mut self, id: SlotId, generation: u32, filled: usize, now: Nanos) {
        if self.links[id as usize].tls.is_some() {
            self.secure_received(id, generation, filled, now);
        } else {
            self.tunnel_received(id, filled);
        }
    }

    /// The other side has closed the connection. `is_cut`: without the goodbye that it should have said.
    pub(super) fn ended(&mut self, id: SlotId, is_cut: bool, now: Nanos) {
        if self.links[id as usize].opening.is_some() {
            self.ended_early(id, None, now);
        } else {
            self.show(Seen::Closed);
            if is_cut { self.worker.truncated(id, now) } else { self.worker.ended(id, now) }
        }
    }

    /// The connection could not be read.
    fn broken(&mut self, id: SlotId, error: Errno, now: Nanos) {
        if self.links[id as usize].opening.is_some() {
            self.ended_early(id, Some(error), now);
        } else {
            self.worker.failed(id, kind_of(error), &failure("receive from", &self.route.end, None, error), now);
        }
    }
}
