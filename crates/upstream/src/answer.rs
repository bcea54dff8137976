//! The body of an answer: as long as it should be, and as slow.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::life::InUse;

static FILLER: [u8; 65_536] = [b'x'; 65_536];

/// A slow body comes in as many pieces, evenly spaced.
const PIECES: u64 = 10;

/// A body, sent from `first_byte` to `done`.
pub struct Answer {
    length: u64,
    sent: u64,
    /// None: as fast as it is taken.
    pace: Option<Pace>,
    /// The connection is in use until the body is sent, or given up.
    _in_use: InUse,
}

struct Pace {
    first_byte: Instant,
    done: Instant,
    pieces: u64,
    /// The one that comes next, counted from 0.
    piece: u64,
    timer: Pin<Box<Sleep>>,
}

impl Pace {
    fn new(length: u64, first_byte: Instant, done: Instant) -> Self {
        let mut pace =
            Self { first_byte, done, pieces: length.min(PIECES), piece: 0, timer: Box::pin(sleep_until(first_byte)) };
        pace.set_timer();
        pace
    }

    /// The first piece is sent with the first byte, the last one when all is done.
    fn set_timer(&mut self) {
        let (passed, all) = if self.pieces > 1 { (self.piece, self.pieces - 1) } else { (1, 1) };
        let since_first_byte = (self.done - self.first_byte).mul_f64(passed as f64 / all as f64);
        self.timer.as_mut().reset(self.first_byte + since_first_byte);
    }

    /// Where the piece ends, in a body of this length.
    fn end(&self, length: u64) -> u64 {
        (u128::from(self.piece + 1) * u128::from(length) / u128::from(self.pieces)) as u64
    }
}

impl Answer {
    /// Body of `length` bytes, the first and the last at these instants.
    pub fn new(length: u64, first_byte: Instant, done: Instant, in_use: InUse) -> Self {
        let pace = (length > 0 && done > first_byte).then(|| Pace::new(length, first_byte, done));
        Self { length, sent: 0, pace, _in_use: in_use }
    }

    /// Bytes of the body that may be sent by now.
    fn poll_allowed(&mut self, context: &mut Context<'_>) -> Poll<u64> {
        let Some(pace) = &mut self.pace else { return Poll::Ready(self.length) };
        ready!(pace.timer.as_mut().poll(context));
        Poll::Ready(pace.end(self.length))
    }

    fn send(&mut self, length: u64) {
        self.sent += length;
        if let Some(pace) = self.pace.as_mut().filter(|pace| pace.end(self.length) == self.sent) {
            pace.piece += 1;
            pace.set_timer();
        }
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.is_end_stream() {
            return Poll::Ready(None);
        }
        let allowed = ready!(self.poll_allowed(context));
        let length = (allowed - self.sent).min(FILLER.len() as u64);
        self.send(length);
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&FILLER[..length as usize])))))
    }

    fn is_end_stream(&self) -> bool {
        self.sent == self.length
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.length - self.sent)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http_body_util::BodyExt;
    use proptest::prelude::*;

    use super::*;

    /// Lengths of the frames of a body, each with the milliseconds until it came.
    fn frames(length: u64, body_ms: u64) -> Vec<(u64, u64)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let start = Instant::now();
            let mut body = Answer::new(length, start, start + Duration::from_millis(body_ms), InUse::for_tests());
            let mut frames = Vec::new();
            while let Some(frame) = body.frame().await {
                let length = frame.unwrap().into_data().unwrap().len() as u64;
                frames.push((length, start.elapsed().as_millis() as u64));
            }
            frames
        })
    }

    #[test]
    fn a_slow_body_comes_in_pieces() {
        let expected: Vec<_> = (0..10).map(|piece| (100, piece * 100)).collect();
        assert_eq!(frames(1_000, 900), expected);
        assert_eq!(frames(2, 500), [(1, 0), (1, 500)]);
        assert_eq!(frames(1, 500), [(1, 500)]);
        assert_eq!(frames(0, 500), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]

        #[test]
        fn it_is_as_long_and_as_slow_as_it_should_be(length in 1..2_000_000_u64, body_ms in 0..10_000_u64) {
            let frames = frames(length, body_ms);
            prop_assert_eq!(frames.iter().map(|(length, _)| length).sum::<u64>(), length);
            let took_ms = frames.last().unwrap().1;
            prop_assert!(took_ms.abs_diff(body_ms) <= 1, "{took_ms}");
        }
    }
}
