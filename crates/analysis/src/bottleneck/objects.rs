//! Objects of the heap in which asynchronous code waits: a coroutine or an operator that waits is in no thread.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_record::{Census, HeapLook};

use super::{
    activity::Activity,
    calls::SHARED,
    case::{Case, Queued},
    known::{self, Gives, Library},
};

/// The share of the requests in flight that must wait in objects of one kind for it to be the limit.
const MOST: f64 = 0.5;
/// A wait for time to pass grows with the load if it is this many times as long as all of one request alone.
const LONGER: f64 = 1.5;
/// Requests that let time pass, from which on they are known to be always as many: one may be there by chance.
const FEW_LEAST: f64 = 2.0;
/// The difference up to which their number is that by throughput.
const NEAR: f64 = 0.1;
/// Looks that it takes to tell how many objects there always are.
const LOOKS_LEAST: usize = 2;
/// Classes of the service's own whose objects are told, at most.
const OWN_MOST: usize = 2;

/// A class whose objects are waits.
struct Wait {
    class: &'static str,
    /// The call in which it began.
    place: &'static str,
    /// Waits in each object, at most.
    each: f64,
    /// A class that must have as many objects; without them these are no such waits.
    with: Option<&'static str>,
    /// A class each of whose objects has one of these that is no such wait.
    but: Option<&'static str>,
    /// A class whose objects have a connection that many share. Connections that are not shared are counted at sockets.
    sharing: Option<&'static str>,
    what: What,
}

/// Something that asynchronous code waits for.
enum What {
    Lock(&'static str),
    Of(&'static Library),
    /// Time that passes: a limit if the wait grows with the number of those who wait.
    Time(&'static str),
    /// The address of a name.
    Names,
}

static SEMAPHORE: Library = Library { frames: &[], name: "Semaphore of kotlinx.coroutines", gives: Gives::Permits };
static KTOR_CIO: Library = Library { frames: &[], name: "Ktor’s client on CIO", gives: Gives::ClientConnections };
static VERTX_SHARED: Library =
    Library { frames: &[], name: "Vert.x’s client over HTTP/2", gives: Gives::ClientConnections };
static VERTX_SQL: Library = Library { frames: &[], name: "Vert.x’s SQL client", gives: Gives::DatabaseConnections };
static R2DBC: Library = Library { frames: &[], name: "R2DBC’s pool", gives: Gives::DatabaseConnections };
static REACTOR_SHARED: Library =
    Library { frames: &[], name: "Reactor Netty over HTTP/2", gives: Gives::ClientConnections };
static RATE_LIMITER: Library = Library { frames: &[], name: "Resilience4j’s rate limiter", gives: Gives::Rate };
static MONGO: Library = Library { frames: &[], name: "the MongoDB driver", gives: Gives::DatabaseConnections };
static HTTPCLIENT_5: Library =
    Library { frames: &[], name: "Apache HttpAsyncClient 5", gives: Gives::ClientConnections };
static HTTPCLIENT_4: Library =
    Library { frames: &[], name: "Apache HttpAsyncClient 4", gives: Gives::ClientConnections };
static AWS: Library = Library { frames: &[], name: "the AWS SDK’s Netty client", gives: Gives::ClientConnections };
static NETTY: Library = Library { frames: &[], name: "Netty’s FixedChannelPool", gives: Gives::ClientConnections };
static GRPC: Library = Library { frames: &[], name: "a channel of gRPC", gives: Gives::ClientConnections };
static RETRIED: Library = Library { frames: &[], name: "what Reactor’s retryWhen asks again", gives: Gives::Permits };
static REPEATED: Library =
    Library { frames: &[], name: "what Reactor’s repeatWhen asks again", gives: Gives::Permits };
static REACTOR_POOL: Library = Library { frames: &[], name: "Reactor Pool", gives: Gives::ClientConnections };
static BUCKET4J: Library = Library { frames: &[], name: "Bucket4j", gives: Gives::Rate };
static SMALLRYE: Library = Library { frames: &[], name: "a bulkhead of SmallRye", gives: Gives::Permits };
static JETTY_REQUESTS: Library = Library { frames: &[], name: "requests of Jetty", gives: Gives::Permits };
static UNDERTOW_REQUESTS: Library = Library { frames: &[], name: "requests of Undertow", gives: Gives::Permits };

const fn wait(class: &'static str, place: &'static str, what: What) -> Wait {
    Wait { class, place, each: 1.0, with: None, but: None, sharing: None, what }
}

/// A request of Vert.x’s client for HTTP, among those of other clients with the same pool.
const fn vertx_shared(class: &'static str, lease: &'static str, request: &'static str) -> Wait {
    let place = "io.vertx.core.http.HttpClient.request";
    Wait { with: Some(request), sharing: Some(lease), ..wait(class, place, What::Of(&VERTX_SHARED)) }
}

/// A connection of Vert.x’s SQL client, for a query or for longer.
const fn vertx_sql(class: &'static str, used_by: &'static str) -> Wait {
    let place = "io.vertx.sqlclient.Pool.getConnection";
    Wait { with: Some(used_by), ..wait(class, place, What::Of(&VERTX_SQL)) }
}

const SQL_QUERY: &str = "io.vertx.sqlclient.impl.QueryExecutor";
const SQL_CONNECTION: &str = "io.vertx.sqlclient.impl.pool.SqlConnectionPool$1PoolRequest";
/// A wait for a connection of Vert.x’s clients.
pub(crate) const VERTX_5_ACQUIRE: &str = "io.vertx.core.internal.pool.SimpleConnectionPool$Acquire";
/// The same in Vert.x 4.
pub(crate) const VERTX_4_ACQUIRE: &str = "io.vertx.core.net.impl.pool.SimpleConnectionPool$Acquire";
/// A wait for a connection of R2DBC’s pool.
pub(crate) const R2DBC_BORROWER: &str = "reactor.pool.AbstractPool$Borrower";
/// Waits for a connection of Apache HttpAsyncClient 5, by the kind of its pool.
pub(crate) const HTTPCLIENT_5_LEASES: &[&str] = &[
    "org.apache.hc.core5.pool.StrictConnPool$LeaseRequest",
    "org.apache.hc.core5.pool.LaxConnPool$LeaseRequest",
    "org.apache.hc.core5.pool.RouteSegmentedConnPool$Waiter",
];
/// The same in version 4.
pub(crate) const HTTPCLIENT_4_LEASE: &str = "org.apache.http.nio.pool.LeaseRequest";
/// A wait for a connection of the AWS SDK’s Netty client.
pub(crate) const AWS_ACQUIRE: &str =
    "software.amazon.awssdk.http.nio.netty.internal.utils.BetterFixedChannelPool$AcquireTask";
/// A wait for a connection of Reactor Netty’s client.
pub(crate) const REACTOR_BORROWER: &str = "reactor.netty.internal.shaded.reactor.pool.AbstractPool$Borrower";

/// A call of gRPC for which its connection has no stream left.
const fn grpc(class: &'static str) -> Wait {
    wait(class, "io.grpc.stub.ClientCalls", What::Of(&GRPC))
}

/// A name that Netty’s own resolver looks up.
const fn names(class: &'static str) -> Wait {
    wait(class, "io.netty.resolver.dns.DnsNameResolver.resolve", What::Names)
}

const DELAYED: &str = "reactor.core.publisher.MonoDelay$MonoDelayRunnable";
/// A time-out of Reactor, which has a delay of its own.
const TIMED_OUT: &str = "reactor.core.publisher.FluxTimeout$TimeoutMainSubscriber";
const DEQUE_NODE: &str = "java.util.concurrent.ConcurrentLinkedDeque$Node";
const DELAYED_COROUTINE: &str = "kotlinx.coroutines.EventLoopImplBase$DelayedResumeTask";
const REACTOR_STREAM: &str = "reactor.netty.http.client.Http2Pool$Http2PooledRef";

/// Classes whose objects run something after some time.
const TIMERS: [&str; 10] = [
    DELAYED,
    DELAYED_COROUTINE,
    "io.vertx.core.impl.VertxImpl$InternalTimerHandler",
    "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask",
    // Since JDK 25.
    "java.util.concurrent.DelayScheduler$ScheduledForkJoinTask",
    "kotlinx.coroutines.ResumeUndispatchedRunnable",
    "io.netty.util.HashedWheelTimer$HashedWheelTimeout",
    "io.netty.util.concurrent.ScheduledFutureTask",
    "org.apache.pekko.actor.LightArrayRevolverScheduler$TaskHolder",
    "akka.actor.LightArrayRevolverScheduler$TaskHolder",
];

/// Waits; the first that has enough objects counts. Ktor's client waits in a Semaphore, and a Mutex has the segments of
/// one, too; a segment has room for 16.
const WAITS: &[Wait] = &[
    // Questions to a name server, and waits for the answer to another's question. Names come before connections.
    names("io.netty.resolver.dns.DatagramDnsQueryContext"),
    names("io.netty.resolver.dns.InflightNameResolver$1"),
    names("io.netty.resolver.dns.InflightNameResolver$$Lambda"),
    names("io.netty.resolver.dns.InflightNameResolver$TransferListener"),
    wait(
        "io.ktor.client.engine.cio.ConnectionFactory$connect$1",
        "io.ktor.client.engine.cio.ConnectionFactory.connect",
        What::Of(&KTOR_CIO),
    ),
    wait(
        "kotlinx.coroutines.sync.MutexImpl$CancellableContinuationWithOwner",
        "kotlinx.coroutines.sync.Mutex.lock",
        What::Lock("Mutex of kotlinx.coroutines"),
    ),
    Wait {
        each: 16.0,
        ..wait(
            "kotlinx.coroutines.sync.SemaphoreSegment",
            "kotlinx.coroutines.sync.Semaphore.acquire",
            What::Of(&SEMAPHORE),
        )
    },
    // Bulkheads of SmallRye have a task for those under way, too: those that wait stand in a queue.
    Wait {
        with: Some(DEQUE_NODE),
        ..wait(
            "io.smallrye.faulttolerance.core.bulkhead.Bulkhead$BulkheadTask",
            "io.smallrye.faulttolerance.core.bulkhead.Bulkhead",
            What::Of(&SMALLRYE),
        )
    },
    wait(
        "org.eclipse.jetty.server.handler.QoSHandler$Entry",
        "org.eclipse.jetty.server.handler.QoSHandler",
        What::Of(&JETTY_REQUESTS),
    ),
    wait(
        "io.undertow.server.handlers.RequestLimit$SuspendedRequest",
        "io.undertow.server.handlers.RequestLimit",
        What::Of(&UNDERTOW_REQUESTS),
    ),
    // Each lock that is held has one of these objects, which releases it.
    Wait {
        but: Some("io.vertx.core.shareddata.impl.LocalAsyncLocks$AsyncLock"),
        ..wait(
            "io.vertx.core.shareddata.impl.LocalAsyncLocks$LockWaiter",
            "io.vertx.core.shareddata.SharedData.getLocalLock",
            What::Lock("local lock of Vert.x"),
        )
    },
    wait(
        "com.mongodb.internal.connection.DefaultConnectionPool$Task",
        "com.mongodb.internal.connection.DefaultConnectionPool.getAsync",
        What::Of(&MONGO),
    ),
    wait(HTTPCLIENT_5_LEASES[0], "org.apache.hc.core5.pool.StrictConnPool.lease", What::Of(&HTTPCLIENT_5)),
    wait(HTTPCLIENT_5_LEASES[1], "org.apache.hc.core5.pool.LaxConnPool.lease", What::Of(&HTTPCLIENT_5)),
    wait(HTTPCLIENT_5_LEASES[2], "org.apache.hc.core5.pool.RouteSegmentedConnPool.lease", What::Of(&HTTPCLIENT_5)),
    wait(HTTPCLIENT_4_LEASE, "org.apache.http.nio.pool.AbstractNIOConnPool.lease", What::Of(&HTTPCLIENT_4)),
    wait(
        AWS_ACQUIRE,
        "software.amazon.awssdk.http.nio.netty.internal.utils.BetterFixedChannelPool.acquire",
        What::Of(&AWS),
    ),
    wait(
        "io.netty.channel.pool.FixedChannelPool$AcquireTask",
        "io.netty.channel.pool.FixedChannelPool.acquire",
        What::Of(&NETTY),
    ),
    grpc("io.netty.handler.codec.http2.StreamBufferingEncoder$PendingStream"),
    grpc("io.grpc.netty.shaded.io.netty.handler.codec.http2.StreamBufferingEncoder$PendingStream"),
    // Reactor Netty has a copy of the pool, of its own. R2DBC asks its pool by one publisher, others by one each time.
    Wait {
        with: Some("reactor.pool.SimpleDequePool$QueueBorrowerMono"),
        ..wait(R2DBC_BORROWER, "reactor.pool.Pool.acquire", What::Of(&REACTOR_POOL))
    },
    wait(R2DBC_BORROWER, "io.r2dbc.pool.ConnectionPool.create", What::Of(&R2DBC)),
    vertx_sql(VERTX_5_ACQUIRE, SQL_QUERY),
    vertx_sql(VERTX_5_ACQUIRE, SQL_CONNECTION),
    vertx_sql(VERTX_4_ACQUIRE, SQL_QUERY),
    vertx_sql(VERTX_4_ACQUIRE, SQL_CONNECTION),
    vertx_shared(
        VERTX_5_ACQUIRE,
        "io.vertx.core.internal.pool.SimpleConnectionPool$LeaseImpl",
        "io.vertx.core.http.impl.SharedHttpClientConnectionGroup$Request",
    ),
    vertx_shared(
        VERTX_4_ACQUIRE,
        "io.vertx.core.net.impl.pool.SimpleConnectionPool$LeaseImpl",
        "io.vertx.core.http.impl.SharedClientHttpStreamEndpoint$Request",
    ),
    Wait {
        but: Some(REACTOR_STREAM),
        sharing: Some(REACTOR_STREAM),
        ..wait(
            "reactor.netty.http.client.Http2Pool$Borrower",
            "reactor.netty.http.client.Http2Pool.acquire",
            What::Of(&REACTOR_SHARED),
        )
    },
    Wait {
        with: Some("io.github.resilience4j.reactor.ratelimiter.operator.CorePublisherRateLimiterOperator"),
        ..wait(DELAYED, "io.github.resilience4j.ratelimiter.RateLimiter", What::Of(&RATE_LIMITER))
    },
    Wait {
        with: Some("java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask"),
        ..wait("io.github.bucket4j.AbstractBucket$$Lambda", "io.github.bucket4j.SchedulingBucket", What::Of(&BUCKET4J))
    },
    // Retries after a refusal, and looks again for something that was not free, each of which waits for a while.
    Wait {
        with: Some("reactor.core.publisher.FluxRetryWhen$RetryWhenMainSubscriber"),
        but: Some(TIMED_OUT),
        ..wait(DELAYED, "reactor.core.publisher.Mono.retryWhen", What::Of(&RETRIED))
    },
    Wait {
        with: Some("reactor.core.publisher.FluxRepeatWhen$RepeatWhenMainSubscriber"),
        but: Some(TIMED_OUT),
        ..wait(DELAYED, "reactor.core.publisher.Mono.repeatWhen", What::Of(&REPEATED))
    },
    Wait {
        but: Some(TIMED_OUT),
        ..wait(DELAYED, "reactor.core.publisher.Mono.delay", What::Time("a delay of Reactor"))
    },
    wait(DELAYED_COROUTINE, "kotlinx.coroutines.delay", What::Time("a delay of kotlinx.coroutines")),
    // Time-outs of Vert.x have no such object.
    wait("io.vertx.core.impl.TimerImpl", "io.vertx.core.Vertx.timer", What::Time("a timer of Vert.x")),
];

/// Objects by class, beyond those without load: the number that half of the looks reached.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectsSeen {
    more: BTreeMap<String, f64>,
    /// Classes with as many objects at each look.
    steady: BTreeSet<String>,
    looks: usize,
    /// How long the JVM stood still to count them, on average.
    pub took_ms: Option<f64>,
}

impl ObjectsSeen {
    pub(crate) fn of(censuses: &[&Census]) -> Self {
        let looks: Vec<&HeapLook> = censuses.iter().filter_map(|census| census.heap.as_ref()).collect();
        let mut counts: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for objects in looks.iter().flat_map(|look| &look.grown) {
            counts.entry(&objects.class).or_default().push(objects.more);
        }
        let middle = |mut counts: Vec<u64>| {
            counts.sort_unstable_by(|a, b| b.cmp(a));
            counts.get((looks.len() - 1) / 2).copied().unwrap_or(0) as f64
        };
        let is_steady = |counts: &[u64]| counts.len() == looks.len() && counts.iter().all(|count| *count == counts[0]);
        let steady = counts.iter().filter(|(_, counts)| is_steady(counts)).map(|(class, _)| (*class).to_owned());
        let steady = steady.collect();
        let more = counts.into_iter().map(|(class, counts)| (class.to_owned(), middle(counts)));
        let took: f64 = looks.iter().map(|look| look.took.as_millis_f64()).sum();
        Self {
            more: more.filter(|(_, more)| *more > 0.0).collect(),
            steady,
            looks: looks.len(),
            took_ms: (!looks.is_empty()).then(|| took / looks.len() as f64),
        }
    }

    fn count(&self, class: &str) -> f64 {
        self.more.get(class).copied().unwrap_or(0.0)
    }

    /// Classes of the service's own, and how many objects they have.
    fn own(&self) -> impl Iterator<Item = (&str, f64)> {
        self.more.iter().map(|(class, more)| (class.as_str(), *more)).filter(|(class, _)| known::is_own(class))
    }
}

impl Case<'_> {
    /// The queue in which most requests stand that are in no thread, as objects tell.
    pub(crate) fn queued_in_objects(&self) -> Option<Queued> {
        let (objects, in_flight) = (&self.view.full.objects, self.received());
        // Requests that call another service already have what the others wait for.
        let called = self.upstream().map_or(0.0, |upstream| upstream.peer.open.round());
        let most = (self.in_flight() - called).min(self.outside());
        let waiting = |wait: &Wait| {
            let with = wait.with.map_or(f64::INFINITY, |class| objects.count(class));
            let but = wait.but.map_or(0.0, |class| objects.count(class));
            ((objects.count(wait.class) - but) * wait.each).min(with).min(most)
        };
        let connections = self.upstream().map_or(0.0, |upstream| upstream.peer.established);
        let is_shared = |class| connections > 0.0 && objects.count(class) >= SHARED * connections;
        let is_meant = |wait: &Wait| wait.sharing.is_none_or(is_shared);
        let is_long = |wait: &Wait| match wait.what {
            What::Time(_) => {
                let (light, full) = (&self.view.light, &self.view.full);
                waiting(wait) / in_flight * full.response_ms >= LONGER * light.response_ms
            }
            What::Lock(_) | What::Of(_) | What::Names => true,
        };
        let is_most = |wait: &Wait| waiting(wait) >= (MOST * in_flight).max(1.0);
        let found = WAITS.iter().find(|wait| is_most(wait) && is_meant(wait) && is_long(wait))?;
        let what = match found.what {
            What::Lock(name) => Activity::Lock { class: name.to_owned() },
            What::Of(library) => Activity::Wants(self.of_threads(library)),
            What::Time(name) => Activity::WantsOwn(Gives::Rate, name.to_owned()),
            What::Names => Activity::Resolves,
        };
        Some(Queued {
            what,
            waiting: waiting(found),
            past: (in_flight - waiting(found)).max(0.0),
            site: self.suspended(),
            holder: None,
            place: Some(found.place.to_owned()),
            seen: u64::MAX,
            pool: None,
            is_in_objects: true,
        })
    }

    /// The blocking client of Apache where no thread of the asynchronous one is there: both have the same pool.
    fn of_threads(&self, library: &'static Library) -> &'static Library {
        let is_asynchronous = ["httpclient-dispatch-", "httpclient-main-"].iter().any(|name| self.has_threads(name));
        let is_of_both = library == &HTTPCLIENT_5 && !is_asynchronous;
        let blocking = known::LIBRARIES.iter().find(|it| is_of_both && it.name == "Apache HttpClient 5");
        blocking.unwrap_or(library)
    }

    /// Whether queries of Vert.x’s SQL client are under way, or wait.
    pub(crate) fn queries(&self) -> bool {
        self.view.full.objects.count(SQL_QUERY) >= 1.0
    }

    /// Requests in flight that have come to the service: of an open load some may have no connection yet.
    fn received(&self) -> f64 {
        let full = &self.view.full;
        if full.open.is_some() { self.in_flight().min(full.inbound().established.max(1.0)) } else { self.in_flight() }
    }

    /// Calls that are under way at once, if few of the service's coroutines are at them, though most requests are in
    /// one: the others wait for their turn, and for no connection.
    pub(crate) fn few_at_calls(&self) -> Option<f64> {
        let calls = self.upstream()?.peer.established.round();
        let is_few = calls >= 1.0 && calls <= MOST * self.received();
        let is_at_calls = self.coroutines().any(|(_, count)| (count - calls).abs() < 0.5);
        (is_few && is_at_calls && self.suspended().is_some()).then_some(calls)
    }

    /// The function of the service's own in which most requests are suspended.
    pub(crate) fn suspended(&self) -> Option<String> {
        let most = self.coroutines().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (most.1 >= MOST * self.received()).then(|| function_of(most.0))
    }

    /// Whether objects were counted, and hardly any request that is in no thread has one of these classes.
    pub(crate) fn has_no_objects(&self, classes: &[&str]) -> bool {
        let objects = &self.view.full.objects;
        let count: f64 = classes.iter().map(|class| objects.count(class)).sum();
        objects.looks >= LOOKS_LEAST && count < (1.0 - MOST) * self.outside()
    }

    /// Tasks of Vert.x that run one after the other: those of one context wait for each other.
    pub(crate) fn tasks_in_order(&self) -> f64 {
        self.view.full.objects.count("io.vertx.core.impl.TaskQueue$ExecuteTask")
    }

    /// Coroutines that a dispatcher runs for others, or that wait for one of its threads (`withContext`).
    pub(crate) fn dispatched(&self) -> f64 {
        self.view.full.objects.count("kotlinx.coroutines.DispatchedCoroutine")
    }

    /// Whether some requests, but not most, let time pass in no thread, as those may which have what the others lack.
    pub(crate) fn do_some_let_time_pass(&self) -> bool {
        let some = 1.0..MOST * self.in_flight();
        TIMERS.iter().any(|class| some.contains(&self.view.full.objects.count(class)))
    }

    /// How many requests let time pass in no thread, if these are always the same few, and as many as go on at once by
    /// throughput: something lets in no more.
    pub(crate) fn few_let_time_pass(&self) -> Option<f64> {
        let (objects, at_once) = (&self.view.full.objects, self.at_once());
        let is_few = |count: f64| count >= FEW_LEAST && count <= MOST * self.in_flight();
        let is_meant = |count: &f64| is_few(*count) && (at_once - *count).abs() <= NEAR * *count;
        let is_steady = |class: &&&str| objects.looks >= LOOKS_LEAST && objects.steady.contains(**class);
        TIMERS.iter().filter(is_steady).map(|class| objects.count(class)).find(is_meant)
    }

    /// Continuations of the service's own suspended functions, by the class that Kotlin's compiler makes for each, and
    /// how many are suspended there.
    fn coroutines(&self) -> impl Iterator<Item = (&str, f64)> {
        let objects = &self.view.full.objects;
        let has_coroutines = objects.count("kotlinx.coroutines.CancellableContinuationImpl") >= 1.0;
        let is_told = has_coroutines && objects.looks >= LOOKS_LEAST;
        objects.own().filter(move |(class, _)| is_told && is_continuation(class))
    }

    /// `the heap has 64 app.Order more than without load`: classes of the service's own with about as many objects as
    /// requests wait in no thread; suspended functions if there are no others.
    pub(crate) fn own_objects(&self, waiting: f64) -> Option<String> {
        let (least, most) = (0.7 * waiting, 1.1 * self.in_flight() + 1.0);
        let objects = &self.view.full.objects;
        let mut own: Vec<_> = objects.own().filter(|(_, more)| (least.max(2.0)..=most).contains(more)).collect();
        own.sort_by(|a, b| (a.1 - waiting).abs().total_cmp(&(b.1 - waiting).abs()));
        let named = own.iter().filter(|(class, _)| !is_made_by_a_compiler(class));
        let named = named.map(|(class, more)| format!("{more} {class}"));
        let functions = own.iter().filter_map(|(class, more)| Some((class.split_once("$$Lambda")?.0, more)));
        let functions = functions.map(|(class, more)| format!("{more} functions of {class}"));
        let named: Vec<String> = named.take(OWN_MOST).collect();
        let all = if named.is_empty() { functions.take(OWN_MOST).collect() } else { named };
        (!all.is_empty()).then(|| format!("the heap has {} more than without load", all.join(" and ")))
    }
}

/// Whether a class is like `app.OrdersKt$find$1`.
fn is_continuation(class: &str) -> bool {
    class
        .rsplit_once('$')
        .filter(|(rest, number)| rest.contains('$') && !number.is_empty())
        .is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_made_by_a_compiler(class: &str) -> bool {
    class.contains("$$") || is_continuation(class)
}

/// `app.OrdersKt.find` of `app.OrdersKt$find$1`.
fn function_of(class: &str) -> String {
    let mut parts = class.split('$').filter(|part| !part.bytes().all(|byte| byte.is_ascii_digit()));
    let (class, function) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    format!("{class}.{function}")
}
