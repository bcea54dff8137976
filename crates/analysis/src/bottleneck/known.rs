//! Known frames: libraries whose resources threads wait for, with the words of their settings; servers; and where a
//! thread of a pool waits for work.

/// A library that hands out a limited resource.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Library {
    /// Class, or package, of frames in which a thread waits for it.
    pub frames: &'static [&'static str],
    /// Its name.
    pub name: &'static str,
    /// The resource that it hands out.
    pub gives: Gives,
}

/// A resource that a library hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gives {
    DatabaseConnections,
    ClientConnections,
    Permits,
    Rate,
}

const fn library(name: &'static str, gives: Gives, frames: &'static [&'static str]) -> Library {
    Library { frames, name, gives }
}

/// Libraries; the first one that matches a frame counts.
pub(crate) const LIBRARIES: &[Library] = &[
    library(
        "HikariCP",
        Gives::DatabaseConnections,
        &["com.zaxxer.hikari.util.ConcurrentBag.borrow", "com.zaxxer.hikari.pool.HikariPool.getConnection"],
    ),
    library(
        "the MongoDB driver",
        Gives::DatabaseConnections,
        &["com.mongodb.internal.connection.DefaultConnectionPool", "com.mongodb.internal.connection.ConcurrentPool"],
    ),
    library("Tomcat JDBC", Gives::DatabaseConnections, &["org.apache.tomcat.jdbc.pool.ConnectionPool."]),
    library("Commons DBCP", Gives::DatabaseConnections, &["org.apache.commons.dbcp2.", "org.apache.tomcat.dbcp."]),
    library("Agroal", Gives::DatabaseConnections, &["io.agroal.pool."]),
    library("c3p0", Gives::DatabaseConnections, &["com.mchange.v2."]),
    library("Druid", Gives::DatabaseConnections, &["com.alibaba.druid.pool."]),
    library("UCP", Gives::DatabaseConnections, &["oracle.ucp."]),
    library("Vibur", Gives::DatabaseConnections, &["org.vibur."]),
    library("MyBatis", Gives::DatabaseConnections, &["org.apache.ibatis.datasource.pooled.PooledDataSource."]),
    library("IronJacamar", Gives::DatabaseConnections, &["org.jboss.jca.core.connectionmanager.pool."]),
    library("Atomikos", Gives::DatabaseConnections, &["com.atomikos.datasource.pool."]),
    library("BoneCP", Gives::DatabaseConnections, &["com.jolbox.bonecp."]),
    library("H2", Gives::DatabaseConnections, &["org.h2.jdbcx.JdbcConnectionPool."]),
    library(
        "Apache HttpClient 5",
        Gives::ClientConnections,
        &["org.apache.hc.core5.pool.", "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager"],
    ),
    library(
        "Apache HttpClient 4",
        Gives::ClientConnections,
        &["org.apache.http.pool.", "org.apache.http.impl.conn.PoolingHttpClientConnectionManager"],
    ),
    library(
        "Commons HttpClient",
        Gives::ClientConnections,
        &["org.apache.commons.httpclient.MultiThreadedHttpConnectionManager"],
    ),
    library("AsyncHttpClient", Gives::ClientConnections, &["org.asynchttpclient.netty.channel."]),
    library("Jedis", Gives::ClientConnections, &["redis.clients.jedis."]),
    library("Lettuce", Gives::ClientConnections, &["io.lettuce.core.support."]),
    library("Commons Pool", Gives::ClientConnections, &["org.apache.commons.pool2."]),
    library("JNDI’s LDAP connections", Gives::ClientConnections, &["com.sun.jndi.ldap.pool."]),
    library(
        "UnboundID’s LDAP connections",
        Gives::ClientConnections,
        &["com.unboundid.ldap.sdk.LDAPConnectionPool.getConnection"],
    ),
    library("Resilience4j’s rate limiter", Gives::Rate, &["io.github.resilience4j.ratelimiter."]),
    library("Guava’s RateLimiter", Gives::Rate, &["com.google.common.util.concurrent.RateLimiter"]),
    library(
        "Bucket4j",
        Gives::Rate,
        &["io.github.bucket4j.BlockingStrategy", "io.github.bucket4j.UninterruptibleBlockingStrategy"],
    ),
    library("Sentinel", Gives::Rate, &["com.alibaba.csp.sentinel.slots.block.flow."]),
    library("TimedSemaphore", Gives::Rate, &["org.apache.commons.lang3.concurrent.TimedSemaphore."]),
    library("Redisson’s rate limiter", Gives::Rate, &["org.redisson.RedissonRateLimiter."]),
    library("Failsafe’s rate limiter", Gives::Rate, &["dev.failsafe.internal.RateLimiterImpl"]),
    library("Resilience4j’s bulkhead", Gives::Permits, &["io.github.resilience4j.bulkhead."]),
    library("Failsafe’s bulkhead", Gives::Permits, &["dev.failsafe.internal.BulkheadImpl"]),
    library(
        "Spring’s concurrency limit",
        Gives::Permits,
        &["org.springframework.util.ConcurrencyThrottleSupport", "org.springframework.resilience."],
    ),
    library("Hystrix", Gives::Permits, &["com.netflix.hystrix."]),
    library("Tomcat’s SemaphoreValve", Gives::Permits, &["org.apache.catalina.valves.SemaphoreValve."]),
    library(
        "Spring AMQP’s channels",
        Gives::ClientConnections,
        &["org.springframework.amqp.rabbit.connection.CachingConnectionFactory.obtainPermits"],
    ),
    library(
        "Spring Integration’s SimplePool",
        Gives::ClientConnections,
        &["org.springframework.integration.util.SimplePool."],
    ),
    library("java.util.concurrent.Semaphore", Gives::Permits, &["java.util.concurrent.Semaphore."]),
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

/// The frame that reserves memory outside the heap: if too little is left the JVM collects garbage, and tries again.
pub(crate) const RESERVES_MEMORY: &str = "java.nio.Bits.reserveMemory";

/// The frame in which the service itself has garbage collected.
pub(crate) const ASKS_TO_COLLECT: &str = "java.lang.Runtime.gc";

/// Frames of threads, of a pool or of the JVM, that wait for work.
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
    "io.netty.channel.uring.Native.",
    "io.netty.util.HashedWheelTimer",
    "io.netty.util.concurrent.SingleThreadEventExecutor.takeTask",
    "io.netty.util.concurrent.GlobalEventExecutor.takeTask",
    "sun.nio.ch.Net.accept",
    "sun.nio.ch.ServerSocketChannelImpl.accept",
    "sun.net.httpserver.ServerImpl$ServerTimerTask",
    "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park",
    "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.tryPark",
    "sun.misc.Signal",
    "jdk.internal.misc.Signal",
    "io.quarkus.runtime.ApplicationLifecycleManager.run",
    "java.lang.Thread.join",
    "org.eclipse.jetty.util.thread.QueuedThreadPool.join",
];

/// Frames among them whose thread runs tasks, too.
pub(crate) const TIMER_LOOPS: &[&str] = &["java.util.TimerThread.mainLoop", "io.netty.util.HashedWheelTimer"];

/// Frames of servers, and the name of their threads: a thread with one of them serves a request.
pub(crate) const SERVERS: &[(&str, &str)] = &[
    ("org.apache.coyote.", "Tomcat’s threads"),
    ("org.apache.tomcat.util.net.", "Tomcat’s threads"),
    ("org.eclipse.jetty.server.", "Jetty’s threads"),
    ("io.undertow.", "Undertow’s worker threads"),
    ("io.quarkus.", "Quarkus’ worker threads"),
    ("io.grpc.internal.ServerImpl", "gRPC’s executor"),
    ("io.helidon.", "Helidon’s threads"),
    ("sun.net.httpserver.", "the executor of com.sun.net.httpserver"),
    ("com.sun.net.httpserver.", "the executor of com.sun.net.httpserver"),
];

/// The server whose frames are there, as an index into [`SERVERS`].
pub(crate) fn server_of(frames: &[String]) -> Option<usize> {
    let found = |frame: &String| SERVERS.iter().position(|(prefix, ..)| frame.starts_with(prefix));
    frames.iter().rev().find_map(found)
}

/// Whether a frame is a server's.
pub(crate) fn is_of_server(frame: &str) -> bool {
    SERVERS.iter().any(|(prefix, ..)| frame.starts_with(prefix))
}

/// Whether requests may leave a server's threads before they have an answer, as those of asynchronous servlets do, and
/// exchanges of the JDK's server that another thread answers.
pub(crate) fn lets_go(server: usize) -> bool {
    let asynchronous = ["org.apache.", "org.eclipse.jetty.", "io.undertow.", "sun.net.", "com.sun.net."];
    SERVERS.get(server).is_some_and(|(frames, _)| asynchronous.iter().any(|it| frames.starts_with(it)))
}

/// Parts of names of a server's threads that only accept connections and hand them on.
pub(crate) const HAND_ON: &[&str] = &["Acceptor", "acceptor", "Poller", "Dispatcher", "selector", "Selector"];

/// Whether threads of that name only accept connections, as `http-nio-8080-Acceptor` and `qtp1-acceptor-0@…` do.
pub(crate) fn accepts(group: &str) -> bool {
    group.contains("Acceptor") || group.contains("acceptor")
}

/// Frames of loops that accept connections: their thread serves no request, whatever its name is.
const ACCEPT_LOOPS: &[&str] = &[
    "io.helidon.webserver.ServerListener.listen",
    "org.apache.tomcat.util.net.Acceptor.run",
    "org.eclipse.jetty.server.AbstractConnector$Acceptor.run",
];

/// Whether a thread of that name and with these frames accepts connections, or waits until it may.
pub(crate) fn is_acceptor(group: &str, frames: &[String]) -> bool {
    accepts(group) || frames.iter().any(|frame| ACCEPT_LOOPS.iter().any(|it| frame.starts_with(it)))
}

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

/// Names of threads that run many requests each and must never wait.
const EVENT_LOOPS: &[&str] = &[
    "reactor-http-",
    "nioEventLoopGroup-",
    "epollEventLoopGroup-",
    "MultiThreadIoEventLoopGroup",
    "vert.x-eventloop-thread-",
    " I/O-",
    "armeria-common-worker-",
];

/// Frames of such threads, whatever their name is.
const LOOPS: &[&str] = &[
    "io.netty.channel.nio.NioEventLoop.run",
    "io.netty.channel.epoll.EpollEventLoop.run",
    "io.netty.channel.SingleThreadIoEventLoop.run",
    "org.xnio.nio.WorkerThread.run",
];

/// Whether a thread of that name and with these frames runs many requests and must never wait. Reactor's parallel
/// scheduler is one of them.
pub(crate) fn is_event_loop(group: &str, frames: &[String]) -> bool {
    group.starts_with("parallel-")
        || EVENT_LOOPS.iter().any(|name| group.contains(name))
        || frames.iter().rev().take(12).any(|frame| LOOPS.iter().any(|it| frame.starts_with(it)))
}

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
    "io.github.resilience4j.",
    "io.github.bucket4j.",
    "io.github.classgraph.",
    "io.github.openfeign.",
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
    "com.alibaba.",
    "org.vibur.",
    "oracle.",
    "com.microsoft.sqlserver.",
    "com.mongodb.",
    "com.datastax.",
    "io.r2dbc.",
    "org.jooq.",
    "org.mybatis.",
    "com.jolbox.",
    "com.atomikos.",
    "org.redisson.",
    "com.rabbitmq.",
    "software.amazon.awssdk.",
    "com.amazonaws.",
    "com.azure.",
    "co.elastic.",
    "org.elasticsearch.",
    "com.hazelcast.",
    "org.infinispan.",
    "com.github.benmanes.",
    "com.linecorp.armeria.",
    "io.ktor.",
    "akka.",
    "play.",
    "ratpack.",
    "io.javalin.",
    "org.glassfish.",
    "org.asynchttpclient.",
    "groovy.",
    "clojure.",
    "com.lmax.",
    "org.jctools.",
    "io.prometheus.",
    "org.eclipse.",
    "io.dropwizard.",
    "com.codahale.",
    "org.http4k.",
    "spark.",
    "dev.failsafe.",
    "net.jodah.failsafe.",
    "com.squareup.",
    "com.auth0.",
    "com.jayway.",
    "com.nimbusds.",
    "io.jsonwebtoken.",
    "org.bouncycastle.",
    "org.codehaus.",
    "org.thymeleaf.",
    "org.xerial.",
    "org.sqlite.",
    "org.yaml.",
    "org.jetbrains.",
    "freemarker.",
    "cats.",
    "zio.",
    "org.hsqldb.",
    "org.duckdb.",
    "org.firebirdsql.",
    "com.clickhouse.",
    "com.couchbase.",
    "org.neo4j.",
    "org.mapdb.",
    "com.sleepycat.",
    "org.rocksdb.",
    "org.ehcache.",
    "net.sf.ehcache.",
    "net.spy.",
    "net.rubyeye.",
    "org.quartz.",
    "io.nats.",
    "com.unboundid.",
    "com.ibm.",
    "fi.iki.elonen.",
];

/// Exceptions to [`OTHERS`]: packages of a framework's samples, which many services start from.
const OWN: &[&str] = &["org.springframework.samples.", "io.helidon.examples.", "io.vertx.example."];

/// Whether a frame is the JDK's.
pub(crate) fn is_of_jdk(frame: &str) -> bool {
    ["java.", "javax.", "jdk.", "sun.", "com.sun."].iter().any(|package| frame.starts_with(package))
}

/// Whether a frame is the service's own.
pub(crate) fn is_own(frame: &str) -> bool {
    if OWN.iter().any(|package| frame.starts_with(package)) {
        return true;
    }
    !OTHERS.iter().any(|package| frame.starts_with(package))
        && !frame.contains("$$FastClass")
        && !frame.contains("$Proxy")
}

/// Threads by the kernel’s name that collect garbage.
const COLLECTORS: [&str; 9] =
    ["GC Thread", "G1 ", "ParGC", "ZWorker", "XWorker", "ZDriver", "Shenand", "ParallelGC", "VM Thread"];

/// Whether threads of that name collect garbage.
pub(crate) fn is_collector(name: &str) -> bool {
    COLLECTORS.iter().any(|prefix| name.starts_with(prefix))
}
