//! Activities of threads, told by their frames.

use plimsoll_record::{Stack, ThreadState};

use super::known::{self, Gives, LIBRARIES, Library};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Activity {
    /// Waits for work.
    Idle,
    /// Has work, and could go on if it had a core.
    Runs,
    /// Waits for a lock that others hold.
    Lock {
        /// The class of the lock, or whose it is.
        class: String,
    },
    /// Waits to write a line of a log, or writes it.
    Logs,
    /// Waits for what a library hands out.
    Wants(&'static Library),
    /// Waits for something that the service hands out itself; by the name of its class.
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
    },
    /// Waits for a connection to be made.
    Connects,
    /// Looks up a name.
    Resolves,
    /// Sleeps.
    Sleeps,
    /// Waits for something else; by class.
    Waits(String),
}

impl Activity {
    /// Whether it stands in a queue for something that there is only so much of.
    pub fn is_queued(&self) -> bool {
        matches!(self, Self::Lock { .. } | Self::Logs | Self::Wants(_) | Self::WantsOwn(..) | Self::Resolves)
    }

    pub fn of(stack: &Stack) -> Self {
        let frames = Frames(&stack.frames);
        if frames.0.is_empty() {
            // A virtual thread that has not begun has work; a thread of the JVM is none of ours.
            return if stack.is_virtual { Self::Runs } else { Self::Idle };
        }
        let waits = stack.state != ThreadState::Runnable;
        if frames.is_idle() && !frames.is_helping() {
            return Self::Idle;
        }
        if frames.resolves(stack) {
            return Self::Resolves;
        }
        if frames.logs(waits) {
            return Self::Logs;
        }
        if waits && let Some(library) = frames.library() {
            return Self::Wants(library);
        }
        if frames.connects() {
            return Self::Connects;
        }
        if frames.reads() {
            return frames.reader();
        }
        match stack.state {
            ThreadState::Blocked => Self::Lock { class: class_of(stack) },
            ThreadState::Runnable => Self::Runs,
            ThreadState::Waiting | ThreadState::TimedWaiting => frames.waits(stack),
        }
    }
}

fn class_of(stack: &Stack) -> String {
    stack.awaited.as_ref().map(|it| it.class.clone()).unwrap_or_default()
}

/// Frames of a thread, innermost first.
struct Frames<'a>(&'a [String]);

/// Classes that write lines of a log.
const LOGGERS: &[&str] =
    &["ch.qos.logback.", "org.apache.logging.log4j.core.", "java.util.logging.", "java.io.PrintStream."];

/// A wait is told by the frames near it.
const NEAR: usize = 40;

impl Frames<'_> {
    fn near(&self) -> impl Iterator<Item = &str> {
        self.0.iter().take(NEAR).map(String::as_str)
    }

    fn has(&self, prefixes: &[&str]) -> bool {
        self.near().any(|frame| starts(frame, prefixes))
    }

    /// A thread without work waits near its innermost frame.
    fn is_idle(&self) -> bool {
        self.0.iter().take(12).any(|frame| starts(frame, known::IDLE))
    }

    fn top(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    /// A thread that waits for a task of its own pool may do others meanwhile.
    fn is_helping(&self) -> bool {
        self.has(&["java.util.concurrent.ForkJoinPool.awaitDone", "java.util.concurrent.ForkJoinPool.helpJoin"])
    }

    fn resolves(&self, stack: &Stack) -> bool {
        let looks_up = [
            "java.net.Inet4AddressImpl.lookupAllHostAddr",
            "java.net.Inet6AddressImpl.lookupAllHostAddr",
            "java.net.InetAddress$NameServiceAddresses.get",
            "java.net.InetAddress.getAddressesFromNameService",
            "java.net.InetAddress$PlatformResolver.lookup",
        ];
        self.has(&looks_up)
            || stack.state != ThreadState::Runnable
                && self.has(&["java.net.InetAddress.getAllByName", "com.sun.jndi.dns."])
    }

    /// The frames that make a line, and write it; running in one of them only if it writes.
    fn logs(&self, waits: bool) -> bool {
        let writes = [
            "java.io.FileOutputStream.writeBytes",
            "sun.nio.ch.FileDispatcherImpl.write",
            "sun.nio.ch.UnixFileDispatcherImpl.write",
        ];
        // A logger that calls somebody else's code is not meant: what waits is near.
        let is_near = self.0.iter().take(25).any(|frame| starts(frame, LOGGERS));
        is_near && (waits || starts(self.top(), &writes)) && !self.reads_socket()
    }

    fn library(&self) -> Option<&'static Library> {
        let first = self.near().position(|frame| LIBRARIES.iter().any(|library| starts(frame, library.frames)))?;
        // The innermost may be a part of another: a bulkhead waits in a semaphore, DBCP in Commons Pool.
        let around = self.0.iter().skip(first).take(8);
        let found = around.filter_map(|frame| LIBRARIES.iter().find(|library| starts(frame, library.frames)));
        let order = |library: &&'static Library| LIBRARIES.iter().position(|it| it == *library);
        found.min_by_key(order).filter(|library| self.is_wait_for(library))
    }

    /// A thread that reads its answer below frames of a pool has what it wanted.
    fn is_wait_for(&self, _library: &Library) -> bool {
        !self.reads_socket()
    }

    fn connects(&self) -> bool {
        self.has(&[
            "sun.nio.ch.Net.connect",
            "java.net.PlainSocketImpl.socketConnect",
            "sun.nio.ch.NioSocketImpl.timedFinishConnect",
            "sun.nio.ch.SocketChannelImpl.finishTimedConnect",
        ]) || self.has(&["sun.nio.ch.NioSocketImpl.connect"])
    }

    fn reads_socket(&self) -> bool {
        self.0.iter().take(12).any(|frame| {
            starts(
                frame,
                &[
                    "sun.nio.ch.NioSocketImpl.timedRead",
                    "sun.nio.ch.NioSocketImpl.implRead",
                    "sun.nio.ch.NioSocketImpl.tryRead",
                    "sun.nio.ch.SocketDispatcher.read",
                    "sun.nio.ch.SocketChannelImpl.blockingRead",
                    "sun.nio.ch.SocketChannelImpl.read",
                    "java.net.SocketInputStream.socketRead",
                ],
            )
        })
    }

    /// Waits for the answer of another service: by a socket, or by a client that has threads of its own.
    fn reads(&self) -> bool {
        self.reads_socket()
            || self.has(&[
                "jdk.internal.net.http.HttpClientImpl.send",
                "okhttp3.internal.http2.Http2Stream.waitForIo",
                "org.eclipse.jetty.client.",
                "io.grpc.stub.ClientCalls.",
                "io.lettuce.core.internal.Futures.",
            ])
    }

    fn reader(&self) -> Activity {
        // The first frame beyond the JDK's input says for whom it reads.
        let beyond = self.near().find(|frame| {
            !starts(
                frame,
                &["sun.nio.ch.", "java.io.", "java.net.Socket", "java.lang.", "sun.security.ssl.", "java.nio."],
            )
        });
        match beyond {
            Some(frame) if starts(frame, known::READS_REQUESTS) => Activity::Idle,
            _ => Activity::Calls { is_database: self.has(known::DRIVERS) },
        }
    }

    fn waits(&self, stack: &Stack) -> Activity {
        if let Some(own) = self.own_queue() {
            return own;
        }
        if self.near().take(6).any(|frame| starts(frame, &["java.lang.Thread.sleep"])) {
            return Activity::Sleeps;
        }
        if self.has(&FUTURES) {
            return Activity::Future { is_common: false };
        }
        let is_lock = self.near().take(12).any(|frame| {
            starts(
                frame,
                &[
                    "java.util.concurrent.locks.ReentrantLock",
                    "java.util.concurrent.locks.ReentrantReadWriteLock",
                    "java.util.concurrent.locks.StampedLock",
                    "jdk.internal.misc.InternalLock",
                    "java.lang.VirtualThread.parkOnMonitorEnter",
                ],
            )
        });
        let class = class_of(stack);
        let is_condition = class.contains("ConditionObject") || self.has(&["java.lang.Object.wait"]);
        if is_lock && !is_condition { Activity::Lock { class } } else { Activity::Waits(class) }
    }

    /// A pool, a limiter or a bulkhead that the service has made itself: by the name of the class in which it waits.
    fn own_queue(&self) -> Option<Activity> {
        let own = self.near().take(14).find(|frame| known::is_own(frame))?;
        let class = own.split('(').next()?.rsplit_once('.')?.0;
        let simple = class.rsplit('.').next()?.to_owned();
        let word = simple.to_lowercase();
        let method = own.split('(').next()?.rsplit('.').next()?.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|it| word.contains(it));
        let gives = if has(&["ratelimit", "throttle", "tokenbucket", "leakybucket"]) {
            Gives::Rate
        } else if has(&["bulkhead", "semaphore"]) {
            Gives::Permits
        } else if has(&["pool"])
            || ["lease", "borrow", "acquireconnection", "checkout"].iter().any(|it| method.contains(it))
        {
            let is_database = has(&["jdbc", "sql", "database", "datasource", "db"]);
            if is_database { Gives::DatabaseConnections } else { Gives::ClientConnections }
        } else {
            return None;
        };
        Some(Activity::WantsOwn(gives, simple))
    }
}

const FUTURES: [&str; 9] = [
    "java.util.concurrent.FutureTask.get",
    "java.util.concurrent.FutureTask.awaitDone",
    "java.util.concurrent.CompletableFuture.",
    "java.util.concurrent.ForkJoinTask.",
    "java.util.concurrent.CountDownLatch.await",
    "java.util.concurrent.ExecutorCompletionService.",
    "java.util.concurrent.AbstractExecutorService.invoke",
    "reactor.core.publisher.BlockingSingleSubscriber.blockingGet",
    "reactor.core.publisher.BlockingMonoSubscriber.blockingGet",
];

fn starts(frame: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| frame.starts_with(prefix))
}

/// The service's own frame that is the innermost, as `app.OrderClient.find`.
pub(crate) fn site(stack: &Stack) -> Option<String> {
    place_of(stack.frames.iter().find(|frame| known::is_own(frame))?)
}

/// The innermost of another of the service's own classes: who calls the site.
pub(crate) fn caller(stack: &Stack) -> Option<String> {
    let class = |place: &str| place.rsplit_once('.').map(|it| it.0.to_owned());
    let mut own = stack.frames.iter().filter(|frame| known::is_own(frame)).filter_map(|frame| place_of(frame));
    let site = class(&own.next()?);
    own.find(|place| class(place) != site)
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

/// The library's own frame in which a thread waits: the outermost, which its caller knows.
pub(crate) fn place(stack: &Stack, what: &Activity) -> Option<String> {
    let prefixes: &[&str] = match what {
        Activity::Wants(library) => library.frames,
        Activity::Logs => LOGGERS,
        _ => return None,
    };
    let mut frames = stack.frames.iter().take(NEAR).rev().filter(|frame| starts(frame, prefixes));
    Some(frames.next()?.split('(').next()?.to_owned())
}

/// The class of the innermost frame.
pub(crate) fn top_class(stack: &Stack) -> Option<&str> {
    Some(stack.frames.first()?.split('(').next()?.rsplit_once('.')?.0)
}

/// The queue of OkHttp's asynchronous calls, of which a thread runs each.
pub(crate) const DISPATCHER: &str = "OkHttp’s Dispatcher";

/// The executor of `java.util.concurrent`, or the library, whose thread it is.
pub(crate) fn executor(stack: &Stack) -> Option<&'static str> {
    // `okhttp3.internal.connection.RealCall$AsyncCall.run`, before OkHttp 4 `okhttp3.RealCall$AsyncCall.execute`.
    if stack.frames.iter().any(|frame| frame.starts_with("okhttp3.") && frame.contains("$AsyncCall.")) {
        return Some(DISPATCHER);
    }
    let kinds = [
        ("java.util.concurrent.ThreadPoolExecutor.", "ThreadPoolExecutor"),
        ("org.jboss.threads.EnhancedQueueExecutor", "EnhancedQueueExecutor"),
        ("java.util.concurrent.ForkJoinPool", "ForkJoinPool"),
    ];
    let outermost = stack.frames.iter().rev().take(6);
    outermost.flat_map(|frame| kinds.iter().find(|(prefix, _)| frame.starts_with(prefix))).map(|(_, name)| *name).next()
}

/// The server whose frames are there, as an index into [`known::SERVERS`].
pub(crate) fn server(stack: &Stack) -> Option<usize> {
    let frames = || stack.frames.iter().rev();
    let found = |frame: &String| known::SERVERS.iter().position(|(prefix, ..)| frame.starts_with(prefix));
    frames().find_map(found)
}
