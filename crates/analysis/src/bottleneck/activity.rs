//! Activities of threads, told by their frames.

use plimsoll_record::{Stack, ThreadState};

use super::{
    frames::{Frames, LOGGERS, NEAR, starts},
    known::{self, Gives, Library},
};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Activity {
    /// Waits for work.
    Idle,
    /// Has work, and could go on if it had a core.
    Runs,
    /// Reads or writes a file: it waits for the disk.
    Disk,
    /// Waits for a lock that others hold.
    Lock {
        /// The class of the lock, or whose it is.
        class: String,
    },
    /// Waits to write a line of a log, or writes it.
    Logs,
    /// Waits for what a library hands out.
    Wants(&'static Library),
    /// Waits for something that the service hands out itself, by the name of the class.
    WantsOwn(Gives, String),
    /// Waits for what another thread computes.
    Future {
        /// Whether it is the pool that all share.
        is_common: bool,
    },
    /// Waits for the answer to a call.
    Calls {
        /// Whether it is a database that is asked.
        is_database: bool,
        /// Whether a client's own threads read the answer: then others may have all its connections.
        by_others: bool,
    },
    /// Waits for a connection to be made.
    Connects,
    /// Looks up a name.
    Resolves {
        /// Whether it is the name of an address, and not the address of a name.
        is_reverse: bool,
    },
    /// Sleeps.
    Sleeps,
    /// Waits for something outside of the process that comes by no connection; by its name.
    Outside(&'static str),
    /// Waits for something else; by class.
    Waits(String),
}

impl Activity {
    /// Whether it stands in a queue for something that there is only so much of.
    pub fn is_queued(&self) -> bool {
        matches!(self, Self::Lock { .. } | Self::Logs | Self::Wants(_) | Self::WantsOwn(..) | Self::Resolves { .. })
    }

    /// The resource that it waits to be handed out.
    pub fn gives(&self) -> Option<Gives> {
        match self {
            Self::Wants(library) => Some(library.gives),
            Self::WantsOwn(gives, _) => Some(*gives),
            _ => None,
        }
    }

    /// Whether the thread itself calls another service.
    pub fn calls_itself(&self) -> bool {
        matches!(self, Self::Calls { by_others: false, .. } | Self::Connects)
    }

    /// Whether it waits for other threads of the process: for their results, or for answers that they read.
    pub fn is_for_others(&self) -> bool {
        matches!(self, Self::Future { .. } | Self::Calls { by_others: true, .. })
    }

    pub fn of(stack: &Stack) -> Self {
        let frames = Frames(&stack.frames);
        if frames.0.is_empty() {
            // A virtual thread that has not begun has work; a thread of the JVM itself has none of the service's.
            return if stack.is_virtual { Self::Runs } else { Self::Idle };
        }
        let waits = stack.state != ThreadState::Runnable;
        if frames.resolves(stack) {
            return Self::Resolves { is_reverse: frames.names_an_address() };
        }
        if frames.is_idle() && !frames.is_helping() {
            return Self::Idle;
        }
        if frames.logs(waits) {
            return Self::Logs;
        }
        if frames.connects() {
            return Self::Connects;
        }
        if waits && let Some(class) = frames.distributed_lock() {
            return Self::Lock { class: class.to_owned() };
        }
        if waits && let Some(library) = frames.library() {
            return Self::Wants(library);
        }
        if frames.reads(waits) {
            return frames.reader();
        }
        if let Some(outside) = frames.outside() {
            return Self::Outside(outside);
        }
        match stack.state {
            ThreadState::Blocked => Self::Lock { class: class_of(stack) },
            ThreadState::Runnable if frames.is_at_a_file() => Self::Disk,
            ThreadState::Runnable => Self::Runs,
            ThreadState::Waiting | ThreadState::TimedWaiting => frames.waits(stack),
        }
    }
}

pub(super) fn class_of(stack: &Stack) -> String {
    stack.awaited.as_ref().map(|it| it.class.clone()).unwrap_or_default()
}

/// The innermost of the service's own frames, as `app.OrderClient.find`.
pub(crate) fn site(stack: &Stack) -> Option<String> {
    place_of(stack.frames.iter().find(|frame| known::is_own(frame))?)
}

/// Whether a thread works for the service: it has one of the service's frames, or runs a library that a server has
/// called for it, as one that writes a response.
pub(crate) fn is_work(stack: &Stack) -> bool {
    let beyond = || stack.frames.iter().find(|frame| !known::is_of_jdk(frame));
    site(stack).is_some() || server(stack).is_some() && beyond().is_some_and(|frame| !known::is_of_server(frame))
}

/// The caller of the site: the innermost frame of another of the service's own classes, preferably of another vendor,
/// since the site may be in an unknown library.
pub(crate) fn caller(stack: &Stack) -> Option<String> {
    let class = |place: &str| place.rsplit_once('.').map(|it| it.0.to_owned());
    let vendor = |place: &str| place.split('.').take(2).collect::<Vec<_>>().join(".");
    let own = stack.frames.iter().filter(|frame| known::is_own(frame)).filter_map(|frame| place_of(frame));
    let own: Vec<String> = own.collect();
    let site = own.first()?;
    let of_another = own.iter().find(|place| vendor(place) != vendor(site));
    of_another.or_else(|| own.iter().find(|place| class(place) != class(site))).cloned()
}

/// `app.OrderClient.find` of a frame.
fn place_of(frame: &str) -> Option<String> {
    let place = frame.split('(').next()?;
    let (class, method) = place.rsplit_once('.')?;
    // A class that the JVM has hidden has its address in its name.
    let class = class.split("/0x").next()?;
    // `lambda$find$0` is a part of `find`.
    let method = method.strip_prefix("lambda$").and_then(|rest| rest.split('$').next()).unwrap_or(method);
    Some(format!("{}.{method}", class.split("$$").next()?))
}

/// The library's frame in which a thread waits: the outermost one, which the caller knows; for a lock the innermost
/// one, which takes it.
pub(crate) fn place(stack: &Stack, what: &Activity) -> Option<String> {
    let prefixes: &[&str] = match what {
        Activity::Wants(library) => library.frames,
        Activity::Logs => LOGGERS,
        Activity::Lock { .. } => {
            let taker = stack.frames.iter().find(|frame| !known::is_of_jdk(frame))?;
            return place_of(taker).filter(|_| !known::is_own(taker) && !known::is_of_server(taker));
        }
        Activity::Resolves { .. } => {
            let beyond = stack.frames.iter().filter(|frame| !known::is_of_jdk(frame));
            let libraries = beyond.take_while(|frame| !known::is_own(frame));
            let mut places: Vec<String> = libraries.take(NEAR).filter_map(|frame| place_of(frame)).collect();
            places.dedup_by_key(|place| class(place).map(ToOwned::to_owned));
            places.truncate(2);
            return Some(places.join(", called from ")).filter(|places| !places.is_empty());
        }
        _ => return None,
    };
    let mut frames = stack.frames.iter().take(NEAR).rev().filter(|frame| starts(frame, prefixes));
    Some(frames.next()?.split('(').next()?.to_owned())
}

/// The class of a frame.
pub(crate) fn class(frame: &str) -> Option<&str> {
    Some(frame.split('(').next()?.rsplit_once('.')?.0)
}

/// The queue of OkHttp's asynchronous calls, each of which is run by a thread.
pub(crate) const DISPATCHER: &str = "OkHttp’s Dispatcher";

/// An executor that has a parallelism, and no size.
pub(crate) const FORK_JOIN_POOL: &str = "ForkJoinPool";

/// The executor of `java.util.concurrent`, or the library, that owns the thread.
pub(crate) fn executor(stack: &Stack) -> Option<&'static str> {
    // `okhttp3.internal.connection.RealCall$AsyncCall.run`, before OkHttp 4 `okhttp3.RealCall$AsyncCall.execute`.
    if stack.frames.iter().any(|frame| frame.starts_with("okhttp3.") && frame.contains("$AsyncCall.")) {
        return Some(DISPATCHER);
    }
    let kinds = [
        ("java.util.concurrent.ThreadPoolExecutor.", "ThreadPoolExecutor"),
        ("org.jboss.threads.EnhancedQueueExecutor", "EnhancedQueueExecutor"),
        ("java.util.concurrent.ForkJoinPool", FORK_JOIN_POOL),
        ("kotlinx.coroutines.scheduling.CoroutineScheduler", "Kotlin’s CoroutineScheduler"),
        ("io.netty.util.concurrent.DefaultEventExecutor", "DefaultEventExecutor"),
    ];
    let outermost = stack.frames.iter().rev().take(6);
    outermost.flat_map(|frame| kinds.iter().find(|(prefix, _)| frame.starts_with(prefix))).map(|(_, name)| *name).next()
}

/// The library whose permit a thread has.
pub(crate) fn let_in_by(stack: &Stack) -> Option<&'static Library> {
    Frames(&stack.frames).let_in_by()
}

/// Whether the service's own code reads a socket, without a client between.
pub(crate) fn reads_itself(stack: &Stack) -> bool {
    let is_call = matches!(Activity::of(stack), Activity::Calls { is_database: false, by_others: false });
    is_call && Frames(&stack.frames).is_read_by_the_service()
}

/// Whether a thread waits for an answer on a connection that many calls share.
pub(crate) fn shares_its_connection(stack: &Stack) -> bool {
    matches!(Activity::of(stack), Activity::Calls { by_others: true, .. })
        && Frames(&stack.frames).shares_its_connection()
}

/// Whether the service's own code waits, without a library between.
pub(crate) fn waits_itself(stack: &Stack) -> bool {
    Frames(&stack.frames).waits_itself()
}

/// Whether a thread waits for events of sockets, or, as one that Jetty reserves, to take over from one that does.
pub(crate) fn is_selecting(stack: &Stack) -> bool {
    let selects = ["sun.nio.ch.EPoll.wait", "sun.nio.ch.EPollSelectorImpl.doSelect", "sun.nio.ch.KQueue.poll"];
    let takes_over = ["org.eclipse.jetty.util.thread.ReservedThreadExecutor"];
    let has = |near: usize, those: &[&str]| stack.frames.iter().take(near).any(|frame| starts(frame, those));
    has(6, &selects) || has(12, &takes_over)
}

/// The server whose frames are there, as an index into [`known::SERVERS`].
pub(crate) fn server(stack: &Stack) -> Option<usize> {
    known::server_of(&stack.frames)
}
