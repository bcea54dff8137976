//! Classes whose objects tell what asynchronous code waits for: a table, as [`known`](super::known) is one of frames.

use super::known::{Gives, Library};

/// A class whose objects are waits.
pub(super) struct Wait {
    pub class: &'static str,
    /// The call in which it began.
    pub place: &'static str,
    /// Waits in each object, at most.
    pub each: f64,
    /// A class that must have as many objects; without them these are no such waits.
    pub with: Option<&'static str>,
    /// A class each of whose objects has one of these that is no such wait.
    pub but: Option<&'static str>,
    /// A class whose objects have a connection that many share. Connections that are not shared are counted at sockets.
    pub sharing: Option<&'static str>,
    /// A jar that the process must have open, if the class is the JDK's.
    pub jar: Option<&'static str>,
    pub what: What,
}

/// Something that asynchronous code waits for.
pub(super) enum What {
    Lock(&'static str),
    Of(&'static Library),
    /// Time that passes: a limit if the wait grows with the number of those who wait.
    Time(&'static str),
    /// The address of a name.
    Names,
}

static HIKARI: Library = Library { frames: &[], name: "HikariCP", gives: Gives::DatabaseConnections };
static TOMCAT_JDBC: Library = Library { frames: &[], name: "Tomcat JDBC", gives: Gives::DatabaseConnections };
static SEMAPHORE_OF_JDK: Library =
    Library { frames: &[], name: "java.util.concurrent.Semaphore", gives: Gives::Permits };
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
pub(super) static HTTPCLIENT_5: Library =
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
    Wait { class, place, each: 1.0, with: None, but: None, sharing: None, jar: None, what }
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

/// A query of Vert.x’s SQL client, under way or waiting.
pub(super) const SQL_QUERY: &str = "io.vertx.sqlclient.impl.QueryExecutor";
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

/// Classes whose objects are calls under way, of clients that have many of them on one connection.
pub(super) const CALLS: [&str; 9] = [
    "com.datastax.oss.driver.internal.core.cql.CqlRequestHandler",
    "io.grpc.internal.ClientCallImpl",
    "io.lettuce.core.RedisPublisher$SubscriptionCommand",
    "io.lettuce.core.protocol.AsyncCommand",
    "io.nats.client.impl.NatsRequestCompletableFuture",
    "jdk.internal.net.http.Stream",
    "okhttp3.internal.http2.Http2Stream",
    "org.apache.kafka.clients.producer.internals.FutureRecordMetadata",
    REACTOR_STREAM,
];

/// Classes whose objects run something after some time.
pub(super) const TIMERS: [&str; 10] = [
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
pub(super) const WAITS: &[Wait] = &[
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

/// Waits of threads that were not asked, as of virtual ones where the JVM may crash on that: each has a node in the
/// queue of what it waits for.
pub(super) const WAITS_OF_THREADS: &[Wait] = &[
    wait(
        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ExclusiveNode",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
        What::Lock("ReentrantLock, or another one of its kind"),
    ),
    wait(
        "java.util.concurrent.locks.StampedLock$WriterNode",
        "java.util.concurrent.locks.StampedLock.writeLock",
        What::Lock("StampedLock"),
    ),
    wait(
        "org.apache.tomcat.jdbc.pool.FairBlockingQueue$ExchangeCountDownLatch",
        "org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection",
        What::Of(&TOMCAT_JDBC),
    ),
    // A connection that is given back is handed on in a SynchronousQueue.
    Wait {
        jar: Some("HikariCP"),
        ..wait(
            "java.util.concurrent.LinkedTransferQueue$DualNode",
            "com.zaxxer.hikari.util.ConcurrentBag.borrow",
            What::Of(&HIKARI),
        )
    },
    // Latches have nodes of that kind, too.
    Wait {
        but: Some("java.util.concurrent.CountDownLatch$Sync"),
        ..wait(
            "java.util.concurrent.locks.AbstractQueuedSynchronizer$SharedNode",
            "java.util.concurrent.Semaphore.acquire",
            What::Of(&SEMAPHORE_OF_JDK),
        )
    },
];
