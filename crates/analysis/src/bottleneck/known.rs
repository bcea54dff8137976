//! Known frames: libraries whose resources threads wait for, with the words of their settings; servers; and where a
//! thread of a pool waits for work.

/// A library that hands something out which there is only so much of.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Library {
    /// Class, or package, of frames in which a thread waits for it.
    pub frames: &'static [&'static str],
    /// Its name.
    pub name: &'static str,
    /// The resource that it hands out.
    pub gives: Gives,
    /// The setting that says how much there is.
    pub setting: &'static str,
}

/// A resource that a library hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gives {
    DatabaseConnections,
    ClientConnections,
    Permits,
    Rate,
}

const fn library(name: &'static str, gives: Gives, frames: &'static [&'static str], setting: &'static str) -> Library {
    Library { frames, name, gives, setting }
}

/// The first that has a frame counts.
pub(crate) const LIBRARIES: &[Library] = &[
    library(
        "HikariCP",
        Gives::DatabaseConnections,
        &["com.zaxxer.hikari.util.ConcurrentBag.borrow", "com.zaxxer.hikari.pool.HikariPool.getConnection"],
        "spring.datasource.hikari.maximum-pool-size (HikariConfig.setMaximumPoolSize, 10 by default)",
    ),
    library(
        "Tomcat JDBC",
        Gives::DatabaseConnections,
        &["org.apache.tomcat.jdbc.pool.ConnectionPool."],
        "spring.datasource.tomcat.max-active (100 by default)",
    ),
    library(
        "Commons DBCP",
        Gives::DatabaseConnections,
        &["org.apache.commons.dbcp2.", "org.apache.tomcat.dbcp."],
        "spring.datasource.dbcp2.max-total (8 by default)",
    ),
    library("Agroal", Gives::DatabaseConnections, &["io.agroal.pool."], "quarkus.datasource.jdbc.max-size"),
    library("c3p0", Gives::DatabaseConnections, &["com.mchange.v2."], "c3p0.maxPoolSize (15 by default)"),
    library("Druid", Gives::DatabaseConnections, &["com.alibaba.druid.pool."], "spring.datasource.druid.max-active"),
    library("UCP", Gives::DatabaseConnections, &["oracle.ucp."], "spring.datasource.oracleucp.max-pool-size"),
    library("Vibur", Gives::DatabaseConnections, &["org.vibur."], "poolMaxSize"),
    library("H2", Gives::DatabaseConnections, &["org.h2.jdbcx.JdbcConnectionPool."], "setMaxConnections"),
    library(
        "Apache HttpClient 5",
        Gives::ClientConnections,
        &["org.apache.hc.core5.pool.", "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager"],
        "PoolingHttpClientConnectionManagerBuilder.setMaxConnPerRoute and setMaxConnTotal (5 and 25 by default)",
    ),
    library(
        "Apache HttpClient 4",
        Gives::ClientConnections,
        &["org.apache.http.pool.", "org.apache.http.impl.conn.PoolingHttpClientConnectionManager"],
        "HttpClientBuilder.setMaxConnPerRoute and setMaxConnTotal (2 and 20 by default)",
    ),
    library(
        "Commons HttpClient",
        Gives::ClientConnections,
        &["org.apache.commons.httpclient.MultiThreadedHttpConnectionManager"],
        "setDefaultMaxConnectionsPerHost (2 by default)",
    ),
    library("Jedis", Gives::ClientConnections, &["redis.clients.jedis."], "spring.data.redis.jedis.pool.max-active"),
    library(
        "Lettuce",
        Gives::ClientConnections,
        &["io.lettuce.core.support."],
        "spring.data.redis.lettuce.pool.max-active",
    ),
    library("Commons Pool", Gives::ClientConnections, &["org.apache.commons.pool2."], "setMaxTotal (8 by default)"),
    library(
        "Resilience4j’s rate limiter",
        Gives::Rate,
        &["io.github.resilience4j.ratelimiter."],
        "resilience4j.ratelimiter.instances.NAME.limit-for-period",
    ),
    library(
        "Guava’s RateLimiter",
        Gives::Rate,
        &["com.google.common.util.concurrent.RateLimiter"],
        "RateLimiter.setRate",
    ),
    library("Bucket4j", Gives::Rate, &["io.github.bucket4j."], "the bandwidth’s capacity and refill"),
    library(
        "Resilience4j’s bulkhead",
        Gives::Permits,
        &["io.github.resilience4j.bulkhead."],
        "resilience4j.bulkhead.instances.NAME.max-concurrent-calls (25 by default)",
    ),
    library(
        "Spring’s concurrency limit",
        Gives::Permits,
        &["org.springframework.util.ConcurrencyThrottleSupport", "org.springframework.resilience."],
        "@ConcurrencyLimit, or setConcurrencyLimit",
    ),
    library(
        "Hystrix",
        Gives::Permits,
        &["com.netflix.hystrix."],
        "execution.isolation.semaphore.maxConcurrentRequests",
    ),
    library(
        "java.util.concurrent.Semaphore",
        Gives::Permits,
        &["java.util.concurrent.Semaphore."],
        "the semaphore’s permits",
    ),
];

/// Frames of a database driver, below which a thread reads an answer.
pub(crate) const DRIVERS: &[&str] = &[
    "org.postgresql.",
    "com.mysql.",
    "org.mariadb.",
    "oracle.jdbc.",
    "com.microsoft.sqlserver.",
    "org.h2.",
    "com.ibm.db2.",
    "com.mongodb.",
];

/// A thread of a pool, or of the JVM, that waits for work.
pub(crate) const IDLE: &[&str] = &[
    "java.util.concurrent.ThreadPoolExecutor.getTask",
    "java.util.concurrent.ForkJoinPool.awaitWork",
    "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take",
    "java.util.concurrent.DelayScheduler.loop",
    "java.util.TimerThread.mainLoop",
    "java.lang.ref.Reference.waitForReferencePendingList",
    "java.lang.ref.ReferenceQueue.remove",
    "org.apache.tomcat.util.threads.TaskQueue.",
    "org.apache.catalina.core.StandardServer.await",
    "org.springframework.boot.web.embedded.netty.NettyWebServer$1.run",
    "org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll",
    "org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll",
    "org.eclipse.jetty.util.thread.ReservedThreadExecutor",
    "org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode.",
    "sun.nio.ch.EPoll.wait",
    "sun.nio.ch.EPollSelectorImpl.doSelect",
    "io.netty.channel.epoll.Native.",
    "io.netty.channel.uring.",
    "io.netty.util.HashedWheelTimer",
    "io.netty.util.concurrent.SingleThreadEventExecutor.takeTask",
    "io.netty.util.concurrent.GlobalEventExecutor.takeTask",
    "sun.nio.ch.Net.accept",
    "sun.nio.ch.ServerSocketChannelImpl.accept",
    "sun.net.httpserver.ServerImpl$ServerTimerTask",
    "sun.misc.Signal",
    "jdk.internal.misc.Signal",
    "java.lang.Thread.join",
];

/// Frames of servers: a thread with one of them serves a request.
pub(crate) const SERVERS: &[(&str, &str, &str)] = &[
    ("org.apache.coyote.", "Tomcat’s threads", "server.tomcat.threads.max (Tomcat’s maxThreads, 200 by default)"),
    (
        "org.apache.tomcat.util.net.",
        "Tomcat’s threads",
        "server.tomcat.threads.max (Tomcat’s maxThreads, 200 by default)",
    ),
    ("org.eclipse.jetty.", "Jetty’s threads", "server.jetty.threads.max (200 by default)"),
    ("io.undertow.", "Undertow’s worker threads", "server.undertow.threads.worker (8 for each core by default)"),
    ("io.quarkus.", "Quarkus’ worker threads", "quarkus.thread-pool.max-threads"),
    ("io.micronaut.", "Micronaut’s executor", "micronaut.executors.io.n-threads"),
    ("io.vertx.", "Vert.x’s worker threads", "VertxOptions.setWorkerPoolSize (20 by default)"),
    ("io.grpc.", "gRPC’s executor", "ServerBuilder.executor"),
    ("io.helidon.", "Helidon’s threads", "server.worker-thread-pool"),
    ("sun.net.httpserver.", "the executor of com.sun.net.httpserver", "the executor given to HttpServer.setExecutor"),
    (
        "com.sun.net.httpserver.",
        "the executor of com.sun.net.httpserver",
        "the executor given to HttpServer.setExecutor",
    ),
];

/// In names of a server's threads that only accept connections and hand them on.
pub(crate) const HAND_ON: &[&str] = &["Acceptor", "acceptor", "Poller", "Dispatcher", "selector", "Selector"];

/// Frames below which a thread of a server reads a request, or waits for the next one on its connection.
pub(crate) const READS_REQUESTS: &[&str] = &[
    "org.apache.coyote.http11.Http11InputBuffer.",
    "org.apache.coyote.http2.",
    "sun.net.httpserver.Request",
    "sun.net.httpserver.ChunkedInputStream",
    "sun.net.httpserver.FixedLengthInputStream",
    "org.eclipse.jetty.server.HttpInput",
    "io.undertow.channels.",
    "io.helidon.common.socket.",
    "io.helidon.common.buffers.",
];

/// Threads that run many requests each and must never wait.
pub(crate) const EVENT_LOOPS: &[&str] = &[
    "reactor-http-",
    "nioEventLoopGroup-",
    "epollEventLoopGroup-",
    "MultiThreadIoEventLoopGroup",
    "vert.x-eventloop-thread-",
    " I/O-",
    "parallel-",
    "armeria-common-worker-",
    "ktor-",
];

/// Packages of the JDK, of frameworks and of libraries: the first frame of another is the service’s own.
const OTHERS: &[&str] = &[
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "jakarta.",
    "org.springframework.",
    "org.apache.",
    "ch.qos.",
    "org.slf4j.",
    "io.netty.",
    "reactor.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "okhttp3.",
    "okio.",
    "feign.",
    "retrofit2.",
    "org.eclipse.jetty.",
    "io.undertow.",
    "org.xnio.",
    "org.jboss.",
    "io.quarkus.",
    "io.micronaut.",
    "io.vertx.",
    "io.grpc.",
    "io.helidon.",
    "com.zaxxer.",
    "org.hibernate.",
    "com.fasterxml.",
    "tools.jackson.",
    "com.google.",
    "io.github.",
    "org.postgresql.",
    "com.mysql.",
    "org.mariadb.",
    "org.h2.",
    "org.aspectj.",
    "net.bytebuddy.",
    "io.micrometer.",
    "io.opentelemetry.",
    "com.netflix.",
    "redis.clients.",
    "io.lettuce.",
    "org.graalvm.",
    "io.projectreactor.",
    "io.reactivex.",
    "org.reactivestreams.",
    "io.smallrye.",
    "io.agroal.",
    "com.mchange.",
];

/// Whether a frame is the service's own.
pub(crate) fn is_own(frame: &str) -> bool {
    !OTHERS.iter().any(|package| frame.starts_with(package))
        && !frame.contains("$$FastClass")
        && !frame.contains("$Proxy")
}

/// The property that a setting's text begins with, if it is one: `server.tomcat.threads.max (200 by default)`.
pub(crate) fn property(setting: &str) -> Option<&str> {
    let word = setting.split(' ').next()?;
    let is_property = word.contains('.') && !word.contains(char::is_uppercase);
    is_property.then_some(word)
}

/// Threads by the kernel’s name that collect garbage.
const COLLECTORS: [&str; 8] =
    ["GC Thread", "G1 ", "ParGC", "ZWorker", "XWorker", "ZDriver", "Shenandoah", "ParallelGC"];

/// Whether threads of that name collect garbage.
pub(crate) fn is_collector(name: &str) -> bool {
    COLLECTORS.iter().any(|prefix| name.starts_with(prefix))
}
