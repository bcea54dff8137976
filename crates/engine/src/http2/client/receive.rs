//! Reads frames and tells what they mean (RFC 9113, sections 4 to 6 and 8).

use super::{
    super::{
        error::{ConnectionError, ErrorCode},
        flow::SendWindow,
        frame::{self, Frame, HEADER_BYTES, PAYLOAD_BYTES_MAX, be_u32, flag, kind},
        head::HeadError,
        hpack::Fields,
    },
    BLOCK_BYTES_MAX, Client, Event, OUTPUT_BYTES_MAX, StreamFailure,
    idle::Idle,
    setting,
};

/// Interim responses (1xx) that may precede one, as over HTTP/1.1.
const INTERIM_MAX: u8 = 100;
/// The beginning of a head that is continued in the next frame.
#[derive(Debug)]
pub(super) struct Continued {
    stream: u32,
    ends_stream: bool,
    block: Vec<u8>,
}

impl Continued {
    pub fn held_bytes(&self) -> usize {
        self.block.len()
    }
}

type Done = Result<(), ConnectionError>;

impl Client {
    /// Reads all whole frames and holds the beginning of the next one.
    pub(super) fn read(&mut self, mut bytes: &[u8], on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        if !self.held.is_empty() {
            let mut held = std::mem::take(&mut self.held);
            let is_whole = self.fill(&mut held, &mut bytes)?;
            if is_whole {
                self.take_whole(Frame::read(&held), on_event)?;
                held.clear();
            }
            self.held = held;
            if !is_whole {
                return Ok(());
            }
        }
        while let Some(length) = self.frame_length(bytes)?.filter(|&length| length <= bytes.len()) {
            let (frame, rest) = bytes.split_at(length);
            self.take_whole(Frame::read(frame), on_event)?;
            bytes = rest;
        }
        self.held.extend_from_slice(bytes);
        Ok(())
    }

    /// Moves the rest of the frame that `held` begins from `bytes` to it. Returns whether the frame is whole.
    fn fill(&self, held: &mut Vec<u8>, bytes: &mut &[u8]) -> Result<bool, ConnectionError> {
        loop {
            let length = self.frame_length(held)?;
            let wanted = length.unwrap_or(HEADER_BYTES);
            let (taken, rest) = bytes.split_at(bytes.len().min(wanted - held.len()));
            held.extend_from_slice(taken);
            *bytes = rest;
            if held.len() < wanted {
                return Ok(false);
            }
            if length.is_some() {
                return Ok(true);
            }
        }
    }

    fn frame_length(&self, bytes: &[u8]) -> Result<Option<usize>, ConnectionError> {
        let length = Frame::length(bytes);
        if length.is_some_and(|length| length > HEADER_BYTES + PAYLOAD_BYTES_MAX) {
            return Err(if self.has_settings {
                ConnectionError::frame_size("frame longer than 16 KiB")
            } else {
                NOT_HTTP2
            });
        }
        Ok(length)
    }

    fn take_whole(&mut self, frame: Frame<'_>, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        self.take_frame(frame, on_event)?;
        if self.waiting_bytes() > OUTPUT_BYTES_MAX {
            let what = "the target reads nothing: more than 1 MiB wait to be sent";
            return Err(ConnectionError { code: ErrorCode::ENHANCE_YOUR_CALM, what });
        }
        Ok(())
    }

    fn take_frame(&mut self, frame: Frame<'_>, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        if !self.has_settings && (frame.kind != kind::SETTINGS || frame.has(flag::ACK)) {
            return Err(NOT_HTTP2);
        }
        if self.continued.is_some() && frame.kind != kind::CONTINUATION {
            return Err(ConnectionError::protocol("head that is not continued"));
        }
        match frame.kind {
            kind::HEADERS => self.take_headers(frame, on_event),
            kind::DATA => self.take_data(frame, on_event),
            kind::WINDOW_UPDATE => self.take_window_update(frame, on_event),
            kind::SETTINGS => self.take_settings(frame),
            kind::PING => self.take_ping(frame),
            kind::RST_STREAM => self.take_reset(frame, on_event),
            kind::GOAWAY => self.take_going_away(frame, on_event),
            kind::CONTINUATION => self.take_continuation(frame, on_event),
            kind::PUSH_PROMISE => Err(ConnectionError::protocol("PUSH_PROMISE, though push was switched off")),
            // PRIORITY, and whatever extensions there are.
            _ => self.idle.take_nothing(),
        }
    }

    /// Checks that the stream of a frame was opened; it may have ended since.
    fn check_stream(&self, frame: &Frame<'_>) -> Done {
        if frame.stream.is_multiple_of(2) || frame.stream >= self.next_stream {
            return Err(ConnectionError::protocol("frame of a stream that was never opened"));
        }
        Ok(())
    }

    fn take_headers(&mut self, frame: Frame<'_>, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        self.check_stream(&frame)?;
        let mut block = frame.unpadded()?;
        if frame.has(flag::PRIORITY) {
            block = block.get(5..).ok_or(ConnectionError::frame_size("HEADERS too short for its priority"))?;
        }
        let ends_stream = frame.has(flag::END_STREAM);
        if frame.has(flag::END_HEADERS) {
            return self.take_head(frame.stream, block, ends_stream, on_event);
        }
        self.continued = Some(Continued { stream: frame.stream, ends_stream, block: block.to_vec() });
        Ok(())
    }

    fn take_continuation(&mut self, frame: Frame<'_>, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        let begun = self.continued.take().filter(|begun| begun.stream == frame.stream);
        let mut head = begun.ok_or(ConnectionError::protocol("CONTINUATION of nothing"))?;
        head.block.extend_from_slice(frame.payload);
        if head.block.len() > BLOCK_BYTES_MAX {
            return Err(ConnectionError { code: ErrorCode::ENHANCE_YOUR_CALM, what: "head longer than 64 KiB" });
        }
        if frame.has(flag::END_HEADERS) {
            return self.take_head(head.stream, &head.block, head.ends_stream, on_event);
        }
        self.continued = Some(head);
        if frame.payload.is_empty() { self.idle.take_nothing() } else { Ok(()) }
    }

    fn take_head(
        &mut self,
        id: u32,
        block: &[u8],
        ends_stream: bool,
        on_event: &mut impl FnMut(u32, Event<'_>),
    ) -> Done {
        let Self { streams, last_head, .. } = self;
        let Some(stream) = streams.get_mut(&id) else { return self.idle.take_nothing() };
        let head = match last_head.read(block) {
            Ok(head) => head,
            Err(HeadError::Compression(error)) => {
                return Err(ConnectionError { code: ErrorCode::COMPRESSION, what: error.0 });
            }
            Err(HeadError::Malformed(what)) => return self.refuse(id, what, on_event),
        };
        let token = stream.token;
        match head.status {
            _ if stream.has_head && !ends_stream => return self.refuse(id, "a second head", on_event),
            Some(_) if stream.has_head => return self.refuse(id, ":status in trailers", on_event),
            None if stream.has_head => {}
            None => return self.refuse(id, "head without :status", on_event),
            Some(101) => return self.refuse(id, "status 101, which HTTP/2 does not have", on_event),
            Some(100..200) if ends_stream => return self.refuse(id, "interim response that ends the stream", on_event),
            Some(100..200) if stream.interim == INTERIM_MAX => {
                return self.refuse(id, "more than 100 interim responses (1xx)", on_event);
            }
            Some(100..200) => {
                stream.interim += 1;
                on_event(token, Event::Interim);
            }
            Some(status) => {
                stream.has_head = true;
                self.idle = Idle::default();
                let has_no_body = stream.is_to_head || matches!(status, 204 | 304);
                stream.length_left = if has_no_body { Some(0) } else { head.content_length };
                on_event(token, Event::Head { status, fields: Fields::new(block) });
            }
        }
        if ends_stream { self.complete(id, on_event) } else { Ok(()) }
    }

    fn take_data(&mut self, frame: Frame<'_>, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        self.check_stream(&frame)?;
        let data = frame.unpadded()?;
        // Flow control counts the whole frame, with its padding, even if its stream has ended.
        if let Some(increment) = self.received.take(frame.payload.len())? {
            frame::write_window_update(&mut self.output, 0, increment);
        }
        let ends_stream = frame.has(flag::END_STREAM);
        if data.is_empty() && !ends_stream {
            self.idle.take_nothing()?;
        }
        let Some(stream) = self.streams.get_mut(&frame.stream) else { return self.idle.take_stray(data.len()) };
        if !stream.has_head {
            return self.refuse(frame.stream, "body before its head", on_event);
        }
        if let Some(left) = &mut stream.length_left {
            match left.checked_sub(data.len() as u64) {
                Some(after) => *left = after,
                None => return self.refuse(frame.stream, "body longer than its Content-Length", on_event),
            }
        }
        let increment = stream.received.take(frame.payload.len())?;
        if !data.is_empty() {
            self.idle = Idle::default();
            on_event(stream.token, Event::Data(data));
        }
        if ends_stream {
            return self.complete(frame.stream, on_event);
        }
        if let Some(increment) = increment {
            frame::write_window_update(&mut self.output, frame.stream, increment);
        }
        Ok(())
    }

    /// The target has sent all of a response.
    fn complete(&mut self, id: u32, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        let Some(stream) = self.end(id) else { return Ok(()) };
        if stream.unsent.is_some() {
            // Answered before the request was all sent: nobody wants the rest.
            frame::write_reset(&mut self.output, id, ErrorCode::CANCEL);
        }
        let is_short = stream.length_left.is_some_and(|left| left > 0);
        let malformed = Event::Failed(StreamFailure::Malformed("body shorter than its Content-Length"));
        on_event(stream.token, if is_short { malformed } else { Event::Complete });
        Ok(())
    }

    /// Ends a stream on which the target broke the rules.
    fn refuse(&mut self, id: u32, what: &'static str, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        self.refuse_with(id, ErrorCode::PROTOCOL, what, on_event);
        Ok(())
    }

    fn refuse_with(&mut self, id: u32, code: ErrorCode, what: &'static str, on_event: &mut impl FnMut(u32, Event<'_>)) {
        if let Some(stream) = self.end(id) {
            frame::write_reset(&mut self.output, id, code);
            on_event(stream.token, Event::Failed(StreamFailure::Malformed(what)));
        }
    }

    fn take_reset(&mut self, frame: Frame<'_>, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        self.check_stream(&frame)?;
        if frame.payload.len() != 4 {
            return Err(ConnectionError::frame_size("RST_STREAM that has not 4 bytes"));
        }
        let Some(stream) = self.end(frame.stream) else { return self.idle.take_nothing() };
        let failure = match ErrorCode(be_u32(frame.payload)) {
            ErrorCode::REFUSED_STREAM => StreamFailure::NotProcessed(ErrorCode::REFUSED_STREAM),
            code => StreamFailure::Reset(code),
        };
        on_event(stream.token, Event::Failed(failure));
        Ok(())
    }

    fn take_going_away(&mut self, frame: Frame<'_>, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        if frame.stream != 0 {
            return Err(ConnectionError::protocol("GOAWAY on a stream"));
        }
        if frame.payload.len() < 8 {
            return Err(ConnectionError::frame_size("GOAWAY shorter than 8 bytes"));
        }
        let last = be_u32(frame.payload) & 0x7fff_ffff;
        let code = ErrorCode(be_u32(&frame.payload[4..]));
        if self.going_away.replace(code).is_some() {
            self.idle.take_nothing()?;
        }
        let mut unprocessed: Vec<u32> = self.streams.keys().copied().filter(|&id| id > last).collect();
        unprocessed.sort_unstable();
        for id in unprocessed {
            if let Some(stream) = self.end(id) {
                on_event(stream.token, Event::Failed(StreamFailure::NotProcessed(code)));
            }
        }
        Ok(())
    }

    fn take_ping(&mut self, frame: Frame<'_>) -> Done {
        if frame.stream != 0 {
            return Err(ConnectionError::protocol("PING on a stream"));
        }
        if frame.payload.len() != 8 {
            return Err(ConnectionError::frame_size("PING that has not 8 bytes"));
        }
        if frame.has(flag::ACK) { self.idle.take_nothing() } else { self.answer(kind::PING, frame.payload) }
    }

    fn answer(&mut self, kind: u8, payload: &[u8]) -> Done {
        self.idle.take_nothing()?;
        frame::write(&mut self.output, kind, flag::ACK, 0, payload);
        Ok(())
    }

    fn take_window_update(&mut self, frame: Frame<'_>, on_event: &mut impl FnMut(u32, Event<'_>)) -> Done {
        if frame.payload.len() != 4 {
            return Err(ConnectionError::frame_size("WINDOW_UPDATE that has not 4 bytes"));
        }
        let increment = be_u32(frame.payload) & 0x7fff_ffff;
        let is_valid = if frame.stream == 0 {
            increment > 0 && self.send_window.change(increment.into())
        } else {
            self.check_stream(&frame)?;
            let Some(stream) = self.streams.get_mut(&frame.stream) else { return Ok(()) };
            increment > 0 && stream.send_window.change(increment.into())
        };
        match is_valid {
            true => self.send_bodies(),
            false if frame.stream == 0 => return Err(ConnectionError::flow_control(IMPOSSIBLE_INCREMENT)),
            false => self.refuse_with(frame.stream, ErrorCode::FLOW_CONTROL, IMPOSSIBLE_INCREMENT, on_event),
        }
        Ok(())
    }

    fn take_settings(&mut self, frame: Frame<'_>) -> Done {
        if frame.stream != 0 {
            return Err(ConnectionError::protocol("SETTINGS on a stream"));
        }
        let is_ack = frame.has(flag::ACK);
        if !frame.payload.len().is_multiple_of(6) || (is_ack && !frame.payload.is_empty()) {
            return Err(ConnectionError::frame_size("SETTINGS of a wrong length"));
        }
        if is_ack {
            return self.idle.take_nothing();
        }
        self.has_settings = true;
        for setting in frame.payload.chunks_exact(6) {
            self.take_setting(u16::from_be_bytes([setting[0], setting[1]]), be_u32(&setting[2..]))?;
        }
        self.answer(kind::SETTINGS, &[])?;
        self.send_bodies();
        Ok(())
    }

    fn take_setting(&mut self, key: u16, value: u32) -> Done {
        match key {
            setting::ENABLE_PUSH if value != 0 => Err(ConnectionError::protocol("ENABLE_PUSH from a server")),
            setting::MAX_FRAME_SIZE if !(PAYLOAD_BYTES_MAX as u32..1 << 24).contains(&value) => {
                Err(ConnectionError::protocol("MAX_FRAME_SIZE that is not allowed"))
            }
            setting::MAX_CONCURRENT_STREAMS => {
                self.streams_max = value;
                Ok(())
            }
            setting::INITIAL_WINDOW_SIZE => self.change_stream_windows(value),
            // Our frames are never longer, and our encoder needs no table.
            _ => Ok(()),
        }
    }

    /// The change applies to streams that are open, too (section 6.9.2).
    fn change_stream_windows(&mut self, window: u32) -> Done {
        let by = i64::from(window) - i64::from(self.stream_window);
        self.stream_window = window;
        let fits = |window: &mut SendWindow| window.change(by);
        let all_fit = self.streams.values_mut().all(|stream| fits(&mut stream.send_window));
        if window >> 31 != 0 || !all_fit {
            return Err(ConnectionError::flow_control("INITIAL_WINDOW_SIZE larger than a window can be"));
        }
        Ok(())
    }
}

const NOT_HTTP2: ConnectionError = ConnectionError::protocol(
    "the target does not speak HTTP/2 here: its first frame is not SETTINGS (leave out --http2 if it speaks HTTP/1.1)",
);
const IMPOSSIBLE_INCREMENT: &str = "WINDOW_UPDATE of nothing, or beyond what a window can be";
