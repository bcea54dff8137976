//! A slot: a place for one request in flight at a time, which keeps its connection. A virtual user has one of its own;
//! open models take them from a pool.

use plimsoll_record::Nanos;

use crate::{
    http1::{Request, ResponseParser},
    recorder::{Instants, Key},
    script::User,
};

/// What the slot's connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    Closed,
    /// Since this instant.
    Connecting(Nanos),
    Open,
    /// It is one that several slots share: the worker keeps it apart.
    Shared,
}

/// A request that the slot works on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange {
    pub intended: Nanos,
    pub key: Key,
    pub sent: Option<Nanos>,
    pub first_byte: Option<Nanos>,
}

impl Exchange {
    /// Its instants if it ends at `done`; none if it was never sent.
    pub fn instants(&self, done: Nanos) -> Option<Instants> {
        let sent = self.sent?;
        Some(Instants { intended: self.intended, sent, first_byte: self.first_byte, done })
    }
}

/// A request that is not the step's as it is: its values were filled in, or it follows a redirect. Out of line, since
/// most are not.
#[derive(Debug)]
pub(crate) struct OwnRequest {
    pub request: Request,
    pub bytes: Vec<u8>,
    /// Redirects followed so far.
    pub hops: u32,
}

/// What is kept of a request that is traced.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// The header of that name in the response, if it has one.
    pub server_timing: Option<String>,
}

impl Trace {
    /// More of the header than this is left out.
    const SERVER_TIMING_BYTES_MAX: usize = 4_096;

    /// A header of the response came.
    pub fn header(&mut self, name: &[u8], value: &[u8]) {
        if !name.eq_ignore_ascii_case(b"server-timing") {
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
}

/// The virtual user of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vu {
    /// Has not begun, or has ended.
    Off,
    On {
        iterations_left: u64,
        /// Ends after this iteration.
        stopping: bool,
    },
}

/// What a slot without a request waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    None,
    /// Its virtual user's next iteration begins at this instant.
    BetweenIterations(Nanos),
    /// The next step of its iteration begins at this instant.
    BetweenSteps(Nanos),
}

#[derive(Debug)]
pub(crate) struct Slot {
    pub connection: Connection,
    /// Requests that the connection has carried.
    pub carried: u32,
    /// When its last request ended.
    pub idle_since: Nanos,
    /// Whether the target has closed its side of the connection.
    pub is_half_closed: bool,
    pub exchange: Option<Exchange>,
    pub own: Option<Box<OwnRequest>>,
    pub parser: ResponseParser,
    pub vu: Vu,
    /// If the script needs to remember anything.
    pub user: Option<Box<User>>,
    /// The step of the iteration that it is at.
    pub step: u32,
    /// When the iteration was intended.
    pub iteration: Nanos,
    pub pause: Pause,
    /// If its request is one of the first, which are told one by one.
    pub trace: Option<Box<Trace>>,
    /// By when what it waits for must have happened.
    pub deadline: Nanos,
    /// Its earliest entry among the deadlines that is still to come.
    pub deadline_entry: Nanos,
}

impl Slot {
    pub fn new(connection: Connection) -> Self {
        Self {
            connection,
            carried: 0,
            idle_since: Nanos::ZERO,
            is_half_closed: false,
            exchange: None,
            own: None,
            user: None,
            parser: ResponseParser::default(),
            vu: Vu::Off,
            step: 0,
            iteration: Nanos::ZERO,
            pause: Pause::None,
            trace: None,
            deadline: Nanos::MAX,
            deadline_entry: Nanos::MAX,
        }
    }
}
