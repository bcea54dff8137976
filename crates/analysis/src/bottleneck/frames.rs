//! Frames of a thread: how it waits, and in whose code.

mod tables;
#[cfg(test)]
mod tests;

use plimsoll_record::{Stack, ThreadState};

pub(super) use self::tables::LOGGERS;
use self::tables::{
    ACQUIRES, ASKED_LOCKS, CHILDREN, CLIENTS, DATAGRAMS, DISPATCHERS, DISTRIBUTED_LOCKS, ENDS, FILES, FUTURES,
    FUTURES_OF_OTHERS, LOCKS, QUESTIONS, ROWS, ROWS_NEAR, STREAMS, TASKS,
};
use super::{
    activity::{Activity, class_of},
    known::{self, Gives, LIBRARIES, Library},
};

/// Frames of a thread, innermost first.
pub(super) struct Frames<'a>(pub &'a [String]);

/// The name of a wait for a child process.
pub(super) const CHILD: &str = "a child process";

/// Frames from the innermost on that are looked at to tell a wait.
pub(super) const NEAR: usize = 40;

impl Frames<'_> {
    fn near(&self) -> impl Iterator<Item = &str> {
        self.0.iter().take(NEAR).map(String::as_str)
    }

    fn has(&self, prefixes: &[&str]) -> bool {
        self.near().any(|frame| starts(frame, prefixes))
    }

    /// Whether a thread has no work: it waits for work near its innermost frame.
    pub fn is_idle(&self) -> bool {
        let Some(place) = self.0.iter().take(12).position(|frame| starts(frame, known::IDLE)) else { return false };
        let runs_a_task = || {
            starts(&self.0[place], known::TIMER_LOOPS) && !self.0[..place].iter().all(|frame| known::is_of_jdk(frame))
        };
        !self.joins() && !runs_a_task()
    }

    /// Whether a thread that serves a request waits for threads that it has started.
    fn joins(&self) -> bool {
        self.jdk().any(|frame| frame.starts_with("java.lang.Thread.join")) && known::server_of(self.0).is_some()
    }

    fn top(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    /// Whether a thread waits for a task of its own pool, and may run others meanwhile.
    pub fn is_helping(&self) -> bool {
        self.has(&["java.util.concurrent.ForkJoinPool.awaitDone", "java.util.concurrent.ForkJoinPool.helpJoin"])
    }

    /// Whether the name of an address is looked up.
    pub fn names_an_address(&self) -> bool {
        self.has(&[
            "java.net.InetAddress.getHostFromNameService",
            "java.net.InetAddress$PlatformResolver.lookupByAddress",
        ])
    }

    pub fn resolves(&self, stack: &Stack) -> bool {
        let looks_up = [
            "java.net.Inet4AddressImpl.lookupAllHostAddr",
            "java.net.Inet6AddressImpl.lookupAllHostAddr",
            "java.net.InetAddress$NameServiceAddresses.get",
            "java.net.InetAddress.getAddressesFromNameService",
            "java.net.InetAddress.getHostFromNameService",
            "java.net.InetAddress$PlatformResolver.lookup",
        ];
        // JNDI's DNS client polls a socket, so that the thread looks as if it ran.
        self.has(&looks_up)
            || self.has(&["com.sun.jndi.dns.DnsClient."])
            || stack.state != ThreadState::Runnable
                && self.has(&["java.net.InetAddress.getAllByName", "com.sun.jndi.dns."])
    }

    /// Whether a thread is in a logger: it waits there, or runs in a frame that writes.
    pub fn logs(&self, waits: bool) -> bool {
        let writes = [
            "java.io.FileOutputStream.writeBytes",
            "sun.nio.ch.FileDispatcherImpl.write",
            "sun.nio.ch.UnixFileDispatcherImpl.write",
        ];
        // A logger that calls other code is not meant: its own frames are near the innermost one.
        let is_near = self.0.iter().take(25).any(|frame| starts(frame, LOGGERS));
        is_near && (waits || starts(self.top(), &writes)) && !self.reads_socket()
    }

    /// Something outside of the process that a thread waits for, and that comes by no connection.
    pub fn outside(&self) -> Option<&'static str> {
        let is_at_a_pipe = starts(self.top(), FILES) && self.has(CHILDREN);
        if is_at_a_pipe || self.jdk().any(|frame| starts(frame, ENDS)) {
            return Some(CHILD);
        }
        self.jdk().any(|frame| starts(frame, DATAGRAMS)).then_some("a datagram")
    }

    /// Whether a thread is in the kernel for a file.
    pub fn is_at_a_file(&self) -> bool {
        starts(self.top(), FILES) && !self.has(CHILDREN)
            || starts(self.top(), DISPATCHERS) && self.has(&["sun.nio.ch.FileChannelImpl."])
    }

    /// The innermost frames, which are the JDK's: how a thread waits.
    fn jdk(&self) -> impl Iterator<Item = &str> {
        self.near().take_while(|frame| known::is_of_jdk(frame))
    }

    /// The innermost frame that is not the JDK's: the code that waits.
    fn beyond(&self) -> &str {
        self.near().find(|frame| !known::is_of_jdk(frame)).unwrap_or_default()
    }

    /// The library that hands out what is waited for: its own code waits. Code that it calls has what it wanted, as the
    /// code that a bulkhead guards, or a driver's statement below that of a pool.
    pub fn library(&self) -> Option<&'static Library> {
        let of = |frame: &str| LIBRARIES.iter().position(|library| starts(frame, library.frames));
        let first = self.near().position(|frame| of(frame).is_some())?;
        let vendor = vendor(&self.0[first]);
        let waits_itself =
            self.near().take(first).all(|frame| known::is_of_jdk(frame) || vendor == self::vendor(frame));
        // The innermost library may be a part of another one: a bulkhead waits in a semaphore, DBCP in Commons Pool.
        let around = self.near().skip(first).take_while(|frame| of(frame).is_some() || known::is_of_jdk(frame));
        let order = around.filter_map(of).min().filter(|_| waits_itself && !self.reads_socket())?;
        LIBRARIES.get(order)
    }

    /// The lock that a thread waits for which is held by threads of any process.
    pub fn distributed_lock(&self) -> Option<&str> {
        let asked = self.near().take_while(|frame| !known::is_own(frame)).find(|frame| starts(frame, ASKED_LOCKS));
        Some(self.beyond()).filter(|frame| starts(frame, DISTRIBUTED_LOCKS)).or(asked).map(simple_class)
    }

    /// The library that has let the thread into the service's own code in which it waits, as a bulkhead does.
    pub fn let_in_by(&self) -> Option<&'static Library> {
        let around = self.0.iter().skip_while(|frame| !known::is_own(frame));
        let permits = || LIBRARIES.iter().filter(|library| library.gives == Gives::Permits);
        around.flat_map(|frame| permits().find(|library| starts(frame, library.frames))).next()
    }

    pub fn connects(&self) -> bool {
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

    /// Whether it waits for the answer of another service: at a socket, or, where the thread `waits`, for a client that
    /// has threads of its own. Code that such a client calls back does not.
    pub fn reads(&self, waits: bool) -> bool {
        self.reads_socket() || waits && self.waits_for_a_client()
    }

    fn waits_for_a_client(&self) -> bool {
        let client = self.near().position(|frame| CLIENTS.iter().any(|(client, _)| frame.starts_with(client)));
        client.is_some_and(|client| self.near().take(client).all(|frame| !known::is_own(frame)))
    }

    /// Whether it waits for an answer on a connection that the calls of many threads share by design.
    pub fn shares_its_connection(&self) -> bool {
        self.near().any(|frame| CLIENTS.iter().any(|(client, shares)| *shares && frame.starts_with(client)))
    }

    /// Whether the service reads a socket through the JDK's streams alone, without a client.
    pub fn is_read_by_the_service(&self) -> bool {
        let is_stream = |frame: &str| starts(frame, STREAMS);
        let beyond = self.near().find(|frame| !is_stream(frame));
        beyond.is_some_and(known::is_own)
    }

    /// Whether it asks a database: by the driver's package, or by JDBC's names of queries.
    fn asks_a_database(&self) -> bool {
        self.has(known::DRIVERS) || self.near().any(|frame| QUESTIONS.contains(&method(frame)))
    }

    pub fn reader(&self) -> Activity {
        // The first frame beyond the JDK's streams tells who reads.
        let beyond = self.near().find(|frame| !starts(frame, STREAMS));
        match beyond {
            Some(frame) if starts(frame, known::READS_REQUESTS) => Activity::Idle,
            _ => Activity::Calls { is_database: self.asks_a_database(), by_others: !self.reads_socket() },
        }
    }

    pub fn waits(&self, stack: &Stack) -> Activity {
        let class = class_of(stack);
        let is_condition =
            class.contains("ConditionObject") || self.jdk().any(|it| it.starts_with("java.lang.Object.wait"));
        let is_lock = (self.jdk().any(|frame| starts(frame, LOCKS)) || self.acquires_alone()) && !is_condition;
        let sleeps = self.sleeps();
        let own = self.own_queue().filter(|gives| !sleeps || *gives == Gives::Rate).or_else(|| self.takes());
        let is_future = self.jdk().any(is_future)
            || self.near().take(8).any(|frame| starts(frame, FUTURES_OF_OTHERS))
            || is_called_a_future(self.beyond());
        if is_lock || self.near().take(ROWS_NEAR).any(|frame| starts(frame, ROWS)) {
            Activity::Lock { class }
        } else if let (Some(gives), false) = (own, is_future) {
            Activity::WantsOwn(gives, simple_class(self.beyond()).to_owned())
        } else if starts(self.beyond(), known::DRIVERS) {
            Activity::Calls { is_database: true, by_others: false }
        } else if sleeps {
            Activity::Sleeps
        } else if is_future {
            Activity::Future { is_common: false }
        } else {
            Activity::Waits(class)
        }
    }

    /// Whether it waits in a synchronizer made by hand that only one thread may have.
    fn acquires_alone(&self) -> bool {
        let mut taken = self.near().skip_while(|frame| !starts(frame, ACQUIRES));
        taken.find(|frame| !starts(frame, ACQUIRES)).is_some_and(|taker| !known::is_of_jdk(taker))
    }

    /// Whether the service's own code waits, in nothing but the JDK.
    pub fn waits_itself(&self) -> bool {
        self.0.iter().find(|frame| !known::is_of_jdk(frame)).is_some_and(|frame| known::is_own(frame))
    }

    /// Whether it waits for time to pass: in a sleep, or in a timed park that no class of the JDK asked for.
    fn sleeps(&self) -> bool {
        let parks =
            ["java.util.concurrent.locks.LockSupport.parkNanos", "java.util.concurrent.locks.LockSupport.parkUntil"];
        self.near().take(6).any(|frame| frame.starts_with("java.lang.Thread.sleep"))
            || self.waits_itself() && self.jdk().last().is_some_and(|frame| starts(frame, &parks))
    }

    /// The resource that a thread which serves a request takes out of a queue.
    fn takes(&self) -> Option<Gives> {
        let takes = |frame: &str| {
            let method = frame.split('(').next().unwrap_or_default();
            let is_queue = ["Queue", "Deque"].iter().any(|it| method.contains(it));
            is_queue && [".take", ".poll", ".takeFirst", ".pollFirst"].iter().any(|it| method.ends_with(it))
        };
        let is_own = known::is_own(self.beyond()) && known::server_of(self.0).is_some();
        (is_own && self.jdk().any(takes)).then_some(Gives::ClientConnections)
    }

    /// The resource of a limiter, a bulkhead or a pool that is not known: by the name of the class that waits.
    fn own_queue(&self) -> Option<Gives> {
        let own = Some(self.beyond()).filter(|frame| !frame.is_empty())?;
        let class = words(simple_class(own));
        let has = |meant: &[&str]| meant.iter().any(|meant| class.contains(meant));
        let method = words(method(own));
        let hands_out = [" lease", " borrow", " acquire", " checkout", " check out", " take", " obtain"];
        let hands_out = hands_out.iter().any(|it| method.contains(it));
        let is_pool = has(&[" pool "]) && !has(&[" thread ", " worker ", " task "]);
        if has(&[" ratelimit", " throttl", " tokenbucket", " leakybucket"]) {
            Some(Gives::Rate)
        } else if has(&[" bulkhead", " semaphore"]) {
            Some(Gives::Permits)
        } else if !known::is_own(own) && !is_pool_of(&class) {
            None
        } else if is_pool && (class.ends_with(" pool ") || hands_out) || is_lease(&method) {
            let is_database = has(&[" jdbc ", " sql ", " database ", " data source ", " datasource ", " db "]);
            Some(if is_database { Gives::DatabaseConnections } else { Gives::ClientConnections })
        } else {
            None
        }
    }
}

/// Whether the class that waits is a future, by its name.
fn is_called_a_future(frame: &str) -> bool {
    let class = words(simple_class(frame));
    [" future", " promise"].iter().any(|it| class.contains(it))
}

/// Whether a class is a pool by its words, whoever has made it: ` ldap connection pool `, but no pool of buffers.
fn is_pool_of(class: &str) -> bool {
    ["connection", "session", "channel", "client"].iter().any(|it| class.ends_with(&format!(" {it} pool ")))
}

/// Whether a method, by its words, hands out one of a pool, whatever its class is called: `leaseClient`, but not
/// `release`.
fn is_lease(method: &str) -> bool {
    [" lease ", " borrow ", " acquire connection ", " checkout connection ", " check out "]
        .iter()
        .any(|it| method.contains(it))
}

/// `ConnectionPool` of `app.ConnectionPool.take(ConnectionPool.java:7)`.
pub(super) fn simple_class(frame: &str) -> &str {
    let place = frame.split('(').next().unwrap_or_default();
    let class = place.rsplit_once('.').map_or(place, |it| it.0);
    class.rsplit('.').next().unwrap_or(class)
}

/// `take` of `app.ConnectionPool.take(ConnectionPool.java:7)`.
fn method(frame: &str) -> &str {
    let place = frame.split('(').next().unwrap_or_default();
    place.rsplit('.').next().unwrap_or_default()
}

/// ` connection pool ` of `ConnectionPool`, so that `Spooler` has no pool; a word for `RateLimit` and the like.
fn words(class: &str) -> String {
    let mut words = String::from(" ");
    let mut letters = class.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_after_upper = words.chars().last().is_some_and(char::is_uppercase);
        // `JDBC` is one word of `JDBCPool`.
        let begins = !is_after_upper || letters.peek().is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && !words.ends_with(' ') && begins {
            words.push(' ');
        }
        words.push(if letter.is_alphanumeric() { letter } else { ' ' });
    }
    let words = words.to_lowercase() + " ";
    let pairs = [("rate limit", "ratelimit"), ("token bucket", "tokenbucket"), ("leaky bucket", "leakybucket")];
    pairs.iter().fold(words, |words, (apart, together)| words.replace(apart, together))
}

/// The first three words of a package: `org.apache.hc`. Four where the first two are a host of many: a library has
/// several modules below `io.github.resilience4j`. Two where they are the library's own.
fn vendor(frame: &str) -> Option<&str> {
    let words = match frame {
        _ if frame.starts_with("io.github.") => 4,
        _ if frame.starts_with("org.redisson.") => 2,
        _ => 3,
    };
    frame.match_indices('.').nth(words - 1).map(|(end, _)| &frame[..end])
}

fn is_future(frame: &str) -> bool {
    starts(frame, FUTURES) && !starts(frame, TASKS)
}

pub(super) fn starts(frame: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| frame.starts_with(prefix))
}
