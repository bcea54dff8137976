//! One connection: opens streams, writes what is to be sent, reads what came.

mod idle;
mod receive;

use std::collections::VecDeque;

use idle::Idle;

use super::{
    EncodedRequest,
    error::{ConnectionError, ErrorCode},
    flow::{RECEIVE_WINDOW, ReceiveWindow, SendWindow, WINDOW_DEFAULT},
    frame::{self, PAYLOAD_BYTES_MAX, flag, kind},
    head::LastHead,
    hpack::Fields,
    streams::{Stream, Streams, Unsent},
};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Bytes that the fields of a head may have; the same as for HTTP/1.1.
const BLOCK_BYTES_MAX: usize = crate::http1::HEAD_BYTES_MAX;
/// Bytes waiting to be sent up to which requests and bodies are added to them. The target chooses its windows: one of 2
/// GiB is no reason to copy so much of a body.
pub const OUTPUT_BYTES_HIGH: usize = 256 * 1024;
/// Bytes that wait to be sent at most, with the answers that the protocol asks for. Otherwise a target that makes us
/// answer and reads nothing would fill all memory.
const OUTPUT_BYTES_MAX: usize = 1024 * 1024;
/// Streams at a time before the target has said how many it allows: what the RFC asks of every server (section 6.5.2).
const STREAMS_MAX_DEFAULT: u32 = 100;
const STREAM_ID_MAX: u32 = (1 << 31) - 1;

mod setting {
    pub const HEADER_TABLE_SIZE: u16 = 1;
    pub const ENABLE_PUSH: u16 = 2;
    pub const MAX_CONCURRENT_STREAMS: u16 = 3;
    pub const INITIAL_WINDOW_SIZE: u16 = 4;
    pub const MAX_FRAME_SIZE: u16 = 5;
    pub const MAX_HEADER_LIST_SIZE: u16 = 6;
}

/// An event of a stream.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// An interim response (1xx).
    Interim,
    /// The head of the response.
    Head {
        /// 200 to 599, and whatever else a server makes up that is not interim.
        status: u16,
        /// Its fields, decoded when they are asked for.
        fields: Fields<'a>,
    },
    /// A part of the body.
    Data(&'a [u8]),
    /// The response is complete.
    Complete,
    /// There will be no complete response.
    Failed(StreamFailure),
}

/// Why a stream has ended without a complete response; the connection goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamFailure {
    /// The target did not begin to process the request: it can be made again on another stream or connection.
    NotProcessed(ErrorCode),
    /// The target ended it.
    Reset(ErrorCode),
    /// The response broke the rules, in words.
    Malformed(&'static str),
}

/// One connection of HTTP/2, from its preface on.
#[derive(Debug)]
pub struct Client {
    output: Vec<u8>,
    /// The beginning of a frame whose end has not come.
    held: Vec<u8>,
    /// A head that is continued in the next frame.
    continued: Option<receive::Continued>,
    streams: Streams,
    /// Streams with an unsent part of a body, in the order in which they were opened.
    blocked: VecDeque<u32>,
    next_stream: u32,
    has_settings: bool,
    streams_max: u32,
    stream_window: u32,
    send_window: SendWindow,
    received: ReceiveWindow,
    going_away: Option<ErrorCode>,
    idle: Idle,
    last_head: LastHead,
    /// Bytes that were taken for sending and that the socket has not taken.
    unsent: usize,
    /// Whether a body waits for the output to be sent, and not for a window.
    holds_back: bool,
}

impl Default for Client {
    fn default() -> Self {
        Self::new()
    }
}

impl Client {
    /// A new connection; its preface is the first [`Client::output`].
    pub fn new() -> Self {
        let mut client = Self {
            output: PREFACE.to_vec(),
            held: Vec::new(),
            continued: None,
            streams: Streams::default(),
            blocked: VecDeque::new(),
            next_stream: 1,
            has_settings: false,
            streams_max: STREAMS_MAX_DEFAULT,
            stream_window: WINDOW_DEFAULT,
            send_window: SendWindow::new(WINDOW_DEFAULT),
            received: ReceiveWindow::default(),
            going_away: None,
            idle: Idle::default(),
            last_head: LastHead::default(),
            unsent: 0,
            holds_back: false,
        };
        let settings = [
            (setting::HEADER_TABLE_SIZE, 0),
            (setting::ENABLE_PUSH, 0),
            (setting::INITIAL_WINDOW_SIZE, RECEIVE_WINDOW),
            (setting::MAX_HEADER_LIST_SIZE, BLOCK_BYTES_MAX as u32),
        ];
        let payload = settings.map(|(key, value)| [&key.to_be_bytes()[..], &value.to_be_bytes()].concat()).concat();
        frame::write(&mut client.output, kind::SETTINGS, 0, 0, &payload);
        frame::write_window_update(&mut client.output, 0, RECEIVE_WINDOW - WINDOW_DEFAULT);
        client
    }

    /// Whether another stream can be opened now.
    pub fn can_open(&self) -> bool {
        !self.is_ending() && !self.is_congested() && self.streams.len() < self.streams_max as usize
    }

    /// Whether no stream can be opened any more: the target goes away, or the numbers of streams are used up.
    pub fn is_ending(&self) -> bool {
        self.going_away.is_some() || self.next_stream > STREAM_ID_MAX
    }

    /// Streams that have not ended.
    pub fn open_streams(&self) -> usize {
        self.streams.len()
    }

    /// Bytes that it keeps: of frames and heads of which the rest is still to come, of the last head, and those that
    /// wait to be sent. [`Client::HELD_BYTES_MAX`] at most, beside the head of one request.
    pub fn held_bytes(&self) -> usize {
        let continued = self.continued.as_ref().map_or(0, receive::Continued::held_bytes);
        self.held.len() + continued + self.last_head.held_bytes() + self.waiting_bytes()
    }

    /// The most of [`Client::held_bytes`], whatever the target does.
    pub const HELD_BYTES_MAX: usize =
        OUTPUT_BYTES_MAX + BLOCK_BYTES_MAX + LastHead::BYTES_MAX + 3 * (frame::HEADER_BYTES + PAYLOAD_BYTES_MAX);

    /// Bytes that wait to be sent: the output, and what was taken of it but not by the socket yet.
    fn waiting_bytes(&self) -> usize {
        self.output.len() + self.unsent
    }

    /// Whether so much waits to be sent that nothing is to be added to it: the target reads slowly, or not at all.
    pub fn is_congested(&self) -> bool {
        self.waiting_bytes() >= OUTPUT_BYTES_HIGH
    }

    /// Notes how much of what was taken by [`Client::swap_output`] is unsent. Returns whether a body waits for room
    /// that there is now: then [`Client::send_held_back`] adds to the output.
    pub fn set_unsent(&mut self, bytes: usize) -> bool {
        self.unsent = bytes;
        self.holds_back && !self.is_congested()
    }

    /// Asks the target for a sign of life.
    pub fn ping(&mut self) {
        frame::write(&mut self.output, kind::PING, 0, 0, &[0; 8]);
    }

    /// The code with which the target went away, if it did.
    pub fn going_away(&self) -> Option<ErrorCode> {
        self.going_away
    }

    /// Sends a request; its events will come with `token`. Only where [`Client::can_open`]. Returns the number of its
    /// stream, and how many bytes were added to the output.
    pub fn open(&mut self, request: &EncodedRequest, token: u32) -> (u32, usize) {
        debug_assert!(self.can_open());
        let before = self.output.len();
        let id = self.next_stream;
        self.next_stream += 2;
        request.write_head(id, &mut self.output);
        let has_body = !request.body.is_empty();
        let mut stream = Stream {
            token,
            is_to_head: request.is_head,
            interim: 0,
            has_head: false,
            length_left: None,
            received: ReceiveWindow::default(),
            send_window: SendWindow::new(self.stream_window),
            unsent: has_body.then(|| Unsent { body: request.body.clone(), from: 0 }),
        };
        let most = OUTPUT_BYTES_HIGH.saturating_sub(self.unsent);
        if !stream.send_body(id, &mut self.send_window, &mut self.output, most) {
            self.blocked.push_back(id);
            self.holds_back = self.is_congested();
        }
        self.streams.insert(id, stream);
        (id, self.output.len() - before)
    }

    /// Gives a stream up: nothing more is told of it.
    pub fn cancel(&mut self, stream: u32) {
        if self.end(stream).is_some() {
            frame::write_reset(&mut self.output, stream, ErrorCode::CANCEL);
        }
    }

    /// Bytes to be sent.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Takes what is to be sent, and leaves an empty buffer for what comes next.
    pub fn swap_output(&mut self, empty: &mut Vec<u8>) {
        debug_assert!(empty.is_empty());
        std::mem::swap(&mut self.output, empty);
    }

    /// Reads bytes that came. `on_event` is told of their events with the token of the stream.
    ///
    /// # Errors
    ///
    /// The rule that the target broke, for the whole connection. It is to be closed after its output is sent: a GOAWAY
    /// that says why.
    pub fn receive(&mut self, bytes: &[u8], mut on_event: impl FnMut(u32, Event<'_>)) -> Result<(), ConnectionError> {
        let result = self.read(bytes, &mut on_event);
        if let Err(error) = result {
            let payload = [[0; 4], error.code.0.to_be_bytes()].concat();
            frame::write(&mut self.output, kind::GOAWAY, 0, 0, &payload);
        }
        result
    }

    /// Sends as much of the bodies as the windows allow and the output has room for, the oldest stream first.
    fn send_bodies(&mut self) {
        let Self { blocked, streams, send_window, output, unsent, .. } = self;
        let most = OUTPUT_BYTES_HIGH.saturating_sub(*unsent);
        blocked.retain(|id| {
            let stream = streams.get_mut(id);
            stream.is_some_and(|stream| !stream.send_body(*id, send_window, output, most))
        });
        self.holds_back = !self.blocked.is_empty() && self.is_congested();
    }

    /// Goes on with bodies that waited for the output to be sent.
    pub fn send_held_back(&mut self) {
        if self.holds_back && !self.is_congested() {
            self.send_bodies();
        }
    }

    /// Forgets a stream.
    fn end(&mut self, id: u32) -> Option<Stream> {
        let ended = self.streams.remove(&id)?;
        self.idle = Idle::default();
        if ended.unsent.is_some() {
            self.blocked.retain(|&blocked| blocked != id);
        }
        Some(ended)
    }
}

impl Stream {
    /// Sends as much of the body as the windows allow, until the output has `most` bytes; whether it is all sent.
    fn send_body(&mut self, id: u32, connection: &mut SendWindow, output: &mut Vec<u8>, most: usize) -> bool {
        let Some(unsent) = &mut self.unsent else { return true };
        loop {
            let rest = &unsent.body[unsent.from..];
            let room = connection.available().min(self.send_window.available()).min(PAYLOAD_BYTES_MAX);
            let length = rest.len().min(room);
            if length == 0 || output.len() >= most {
                return false;
            }
            let is_last = length == rest.len();
            frame::write(output, kind::DATA, if is_last { flag::END_STREAM } else { 0 }, id, &rest[..length]);
            connection.take(length);
            self.send_window.take(length);
            unsent.from += length;
            if is_last {
                self.unsent = None;
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests;
