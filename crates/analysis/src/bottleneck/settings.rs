//! Settings that size a resource: the property of the service's framework if it has one, else the library's own setter.

use super::framework::{Framework, Words};

/// A resource, and what sizes it.
struct Setting {
    /// The library, the server's threads, or the executor.
    of: &'static str,
    /// Properties of Spring Boot, Quarkus and Micronaut; empty where one has none.
    spring: &'static str,
    quarkus: &'static str,
    micronaut: &'static str,
    /// The setting in the library's own words.
    own: &'static str,
    /// The default; empty where it varies.
    default: &'static str,
}

const fn own(of: &'static str, own: &'static str, default: &'static str) -> Setting {
    Setting { of, spring: "", quarkus: "", micronaut: "", own, default }
}

/// Threads of Undertow, and of whatever serves requests on Quarkus.
const QUARKUS_THREADS: &str = "quarkus.thread-pool.max-threads";

/// The kernel's limit, which is Netty's default.
const SOMAXCONN: &str = "net.core.somaxconn";

/// A pool of Reactor Netty whose size the service gives, and the one of a client that is made without any. The system
/// property is the default of providers that are given no size.
pub(super) const SIZED_REACTOR: &str = "Reactor Netty, sized by the service";
pub(super) const DEFAULT_REACTOR: &str = "Reactor Netty, by default";

const NO_LIMIT: &str = "no limit";

/// One line for each resource: every library and server of `known`, and what kinds of limits ask for.
const SETTINGS: &[Setting] = &[
    Setting {
        spring: "spring.datasource.hikari.maximum-pool-size",
        micronaut: "datasources.default.maximum-pool-size",
        ..own("HikariCP", "HikariConfig.setMaximumPoolSize", "10")
    },
    own("the MongoDB driver", "maxPoolSize of the connection string", "100"),
    Setting {
        spring: "spring.datasource.tomcat.max-active",
        micronaut: "datasources.default.max-active",
        ..own("Tomcat JDBC", "PoolProperties.setMaxActive", "100")
    },
    Setting {
        spring: "spring.datasource.dbcp2.max-total",
        micronaut: "datasources.default.max-total",
        ..own("Commons DBCP", "BasicDataSource.setMaxTotal", "8")
    },
    Setting {
        spring: "spring.datasource.agroal.max-size",
        quarkus: "quarkus.datasource.jdbc.max-size",
        ..own("Agroal", "AgroalConnectionPoolConfigurationSupplier.maxSize", "")
    },
    Setting {
        spring: "spring.r2dbc.pool.max-size",
        ..own("R2DBC’s pool", "ConnectionPoolConfiguration.Builder.maxSize", "10")
    },
    Setting {
        quarkus: "quarkus.datasource.reactive.max-size",
        ..own("Vert.x’s SQL client", "PoolOptions.setMaxSize", "4")
    },
    own(
        "Vert.x’s client for HTTP or SQL",
        "PoolOptions.setHttp1MaxSize (HTTP, 5 by default) or PoolOptions.setMaxSize (SQL, 4)",
        "",
    ),
    own("c3p0", "ComboPooledDataSource.setMaxPoolSize", "15"),
    Setting { spring: "spring.datasource.druid.max-active", ..own("Druid", "DruidDataSource.setMaxActive", "8") },
    Setting { spring: "spring.datasource.oracleucp.max-pool-size", ..own("UCP", "PoolDataSource.setMaxPoolSize", "") },
    own("Vibur", "ViburDBCPDataSource.setPoolMaxSize", "100"),
    own("MyBatis", "poolMaximumActiveConnections of its PooledDataSource", "10"),
    own("IronJacamar", "max-pool-size of the datasource", "20"),
    own("Atomikos", "AtomikosDataSourceBean.setMaxPoolSize", ""),
    own("BoneCP", "BoneCPConfig.setMaxConnectionsPerPartition", ""),
    own("H2", "JdbcConnectionPool.setMaxConnections", "10"),
    own(
        "Apache HttpClient 5",
        "setMaxConnPerRoute and setMaxConnTotal of PoolingHttpClientConnectionManagerBuilder",
        "5 and 25",
    ),
    own("Apache HttpClient 4", "HttpClientBuilder.setMaxConnPerRoute and setMaxConnTotal", "2 and 20"),
    own("Commons HttpClient", "HttpConnectionManagerParams.setDefaultMaxConnectionsPerHost", "2"),
    own("OkHttp", "Dispatcher.setMaxRequestsPerHost and setMaxRequests", "5 and 64"),
    own(
        "Reactor Netty",
        "ConnectionProvider.maxConnections, or -Dreactor.netty.pool.maxConnections",
        "twice the cores, 16 at least,",
    ),
    own(DEFAULT_REACTOR, "ConnectionProvider.maxConnections of one that is given to HttpClient.create", "500"),
    own("Reactor Netty over HTTP/2", "maxConnections and maxConcurrentStreams of Http2AllocationStrategy", ""),
    own(SIZED_REACTOR, "ConnectionProvider.maxConnections", ""),
    own("Jetty’s HttpClient", "HttpClient.setMaxConnectionsPerDestination", "64"),
    own(
        "Apache HttpAsyncClient 5",
        "setMaxConnPerRoute and setMaxConnTotal of PoolingAsyncClientConnectionManagerBuilder",
        "5 and 25",
    ),
    own("Apache HttpAsyncClient 4", "HttpAsyncClientBuilder.setMaxConnPerRoute and setMaxConnTotal", "2 and 20"),
    own("AsyncHttpClient", "DefaultAsyncHttpClientConfig.Builder.setMaxConnectionsPerHost", NO_LIMIT),
    Setting {
        micronaut: "micronaut.http.client.pool.max-concurrent-http1-connections",
        ..own("Micronaut’s client", "the greatest number of its connections", "")
    },
    Setting {
        quarkus: "quarkus.rest-client.connection-pool-size",
        ..own("Vert.x’s client", "PoolOptions.setHttp1MaxSize", "5")
    },
    own(
        "Vert.x’s client over HTTP/2",
        "PoolOptions.setHttp2MaxSize, or HttpClientOptions.setHttp2MultiplexingLimit and what the other side allows",
        "1, and as many streams as the other side allows,",
    ),
    Setting {
        spring: "spring.rabbitmq.cache.channel.size",
        ..own("Spring AMQP’s channels", "CachingConnectionFactory.setChannelCacheSize", "25")
    },
    own("Spring Integration’s SimplePool", "the size of the pool", ""),
    own("the AWS SDK’s Netty client", "NettyNioAsyncHttpClient.Builder.maxConcurrency", "50"),
    own("Reactor Pool", "PoolBuilder.sizeBetween", ""),
    own("Netty’s FixedChannelPool", "its maxConnections", ""),
    own(
        "a channel of gRPC",
        "the number of channels, or the server’s NettyServerBuilder.maxConcurrentCallsPerConnection",
        NO_LIMIT,
    ),
    Setting { spring: "spring.data.redis.jedis.pool.max-active", ..own("Jedis", "JedisPoolConfig.setMaxTotal", "8") },
    Setting {
        spring: "spring.data.redis.lettuce.pool.max-active",
        ..own("Lettuce", "GenericObjectPoolConfig.setMaxTotal", "8")
    },
    own("Commons Pool", "GenericObjectPoolConfig.setMaxTotal", "8"),
    own("JNDI’s LDAP connections", "com.sun.jndi.ldap.connect.pool.maxsize", NO_LIMIT),
    own("UnboundID’s LDAP connections", "the size of LDAPConnectionPool", ""),
    Setting {
        spring: "resilience4j.ratelimiter.instances.NAME.limit-for-period",
        micronaut: "resilience4j.ratelimiter.instances.NAME.limit-for-period",
        ..own("Resilience4j’s rate limiter", "RateLimiterConfig.limitForPeriod", "50")
    },
    own("Guava’s RateLimiter", "RateLimiter.setRate", ""),
    own("Bucket4j", "the bandwidth’s capacity and refill", ""),
    Setting {
        spring: "resilience4j.bulkhead.instances.NAME.max-concurrent-calls",
        micronaut: "resilience4j.bulkhead.instances.NAME.max-concurrent-calls",
        ..own("Resilience4j’s bulkhead", "BulkheadConfig.maxConcurrentCalls", "25")
    },
    own("Sentinel", "the count of the flow rule (FlowRule.setCount)", ""),
    own("TimedSemaphore", "TimedSemaphore.setLimit", ""),
    own("Redisson’s rate limiter", "the rate of RRateLimiter.trySetRate", ""),
    own("Failsafe’s rate limiter", "the executions of RateLimiter.smoothBuilder or burstyBuilder", ""),
    own("Failsafe’s bulkhead", "the concurrency of Bulkhead.builder", ""),
    own("Spring’s concurrency limit", "@ConcurrencyLimit, or setConcurrencyLimit", ""),
    own("Hystrix", "execution.isolation.semaphore.maxConcurrentRequests", "10"),
    own("Tomcat’s SemaphoreValve", "SemaphoreValve.setConcurrency", "10"),
    own("java.util.concurrent.Semaphore", "the semaphore’s permits", ""),
    own("Ktor’s client on CIO", "endpoint.maxConnectionsPerRoute and maxConnectionsCount", "100 and 1,000"),
    own("Semaphore of kotlinx.coroutines", "the semaphore’s permits", ""),
    own("what Reactor’s repeatWhen asks again", "how many it lets in at once, or have requests wait in a queue", ""),
    own("what Reactor’s retryWhen asks again", "how many it lets in at once, or have requests wait in a queue", ""),
    Setting {
        spring: "server.tomcat.threads.max",
        ..own("Tomcat’s threads", "maxThreads of Tomcat’s connector", "200")
    },
    Setting { spring: "server.jetty.threads.max", ..own("Jetty’s threads", "QueuedThreadPool.setMaxThreads", "200") },
    Setting {
        spring: "server.undertow.threads.worker",
        quarkus: QUARKUS_THREADS,
        ..own("Undertow’s worker threads", "Undertow.Builder.setWorkerThreads", "8 for each core")
    },
    Setting { quarkus: QUARKUS_THREADS, ..own("Quarkus’ worker threads", "the executor’s threads", "") },
    own("gRPC’s executor", "the executor given to ServerBuilder.executor", ""),
    own("Helidon’s threads", "server.worker-thread-pool", ""),
    own(
        "the executor of com.sun.net.httpserver",
        "the executor given to HttpServer.setExecutor",
        "the thread HTTP-Dispatcher alone,",
    ),
    // Executors of frameworks, by the name that each gives to its threads.
    Setting {
        spring: "spring.task.execution.pool.core-size",
        ..own("task-", "ThreadPoolTaskExecutor.setCorePoolSize", "8")
    },
    Setting { quarkus: QUARKUS_THREADS, ..own("executor-thread-", "the executor’s threads", "") },
    Setting {
        micronaut: "micronaut.executors.io.n-threads",
        ..own("io-executor-thread-", "the executor’s threads", "")
    },
    Setting { quarkus: QUARKUS_THREADS, ..own("vert.x-worker-thread-", "VertxOptions.setWorkerPoolSize", "20") },
    own("boundedElastic-", "-Dreactor.schedulers.defaultBoundedElasticSize", "10 for each core"),
    own("loomBoundedElastic-", "-Dreactor.schedulers.defaultBoundedElasticSize", "10 for each core"),
    own("DefaultDispatcher-worker-", "-Dkotlinx.coroutines.io.parallelism", "64, or the cores if these are more,"),
    Setting {
        quarkus: "quarkus.vertx.event-loops-pool-size",
        ..own("vert.x-eventloop-thread-", "VertxOptions.setEventLoopPoolSize", "twice the cores")
    },
    Setting {
        micronaut: "micronaut.netty.event-loops.default.num-threads",
        ..own("default-nioEventLoopGroup-", "the event loop group’s threads", "")
    },
    // Since Micronaut 4.10.
    Setting {
        micronaut: "micronaut.netty.event-loops.default.num-threads",
        ..own("default-eventLoopGroup-", "the event loop group’s threads", "")
    },
    own("dw-", "-Ddw.server.maxThreads, or maxThreads of its configuration’s server", "1024"),
    own("eventLoopGroupProxy-", "callGroupSize and workerGroupSize of Ktor’s engine", "as many as cores"),
    own("reactor-http-", "-Dreactor.netty.ioWorkerCount", "as many as cores, 4 at least,"),
    Setting {
        spring: "server.undertow.threads.io",
        quarkus: "quarkus.http.io-threads",
        ..own(" I/O-", "Undertow.Builder.setIoThreads", "as many as cores")
    },
    Setting {
        spring: "server.tomcat.max-connections",
        ..own("connections of Tomcat", "maxConnections of Tomcat’s connector", "8192")
    },
    Setting {
        spring: "server.jetty.max-connections",
        ..own("connections of Jetty", "NetworkConnectionLimit, or ConnectionLimit before Jetty 12.1", NO_LIMIT)
    },
    Setting {
        spring: "server.undertow.options.socket.CONNECTION_HIGH_WATER",
        quarkus: "quarkus.http.limits.max-connections",
        ..own("connections of Undertow", "Options.CONNECTION_HIGH_WATER of Undertow.Builder.setSocketOption", NO_LIMIT)
    },
    own("connections of Helidon", "server.max-tcp-connections", NO_LIMIT),
    own("connections of the executor of com.sun.net.httpserver", "-Djdk.httpserver.maxConnections", NO_LIMIT),
    Setting {
        quarkus: "quarkus.http.limits.max-connections",
        ..own("connections", "the greatest number of connections that the server accepts", "")
    },
    // Limits of requests at once, in front of the threads of a server.
    own(
        "requests of Jetty",
        "maxRequestCount of QoSHandler, threadLimit of ThreadLimitHandler, or maxRequests of QoSFilter",
        "as many as threads",
    ),
    own("requests of Undertow", "maximumConcurrentRequests of RequestLimitingHandler", ""),
    own("requests", "what limits requests at once in front of the threads, as a semaphore of asynchronous code", ""),
    // The JDK reads its security property first, which has no value by default.
    own("answers of name servers", "-Dsun.net.inetaddr.ttl", "30"),
    // Servers that leave Nagle's algorithm on, by the name of their threads.
    own("no delay of the executor of com.sun.net.httpserver", "-Dsun.net.httpserver.nodelay", "false"),
    // Accept queues, by the servers of `server`; the last one is that of any other server.
    Setting {
        spring: "server.tomcat.accept-count",
        ..own("listen queue of Tomcat", "acceptCount of Tomcat’s connector", "100")
    },
    own("listen queue of Jetty", "ServerConnector.setAcceptQueueSize", "50"),
    Setting {
        spring: "server.undertow.options.socket.BACKLOG",
        ..own("listen queue of Undertow", "Options.BACKLOG of Undertow.Builder.setSocketOption", "1000")
    },
    own("listen queue of Helidon", "server.backlog", "1024"),
    Setting {
        micronaut: "micronaut.server.netty.options.so-backlog",
        ..own("listen queue of Micronaut", "ChannelOption.SO_BACKLOG", SOMAXCONN)
    },
    Setting {
        quarkus: "quarkus.http.accept-backlog",
        ..own("listen queue of Vert.x", "HttpServerOptions.setAcceptBacklog", SOMAXCONN)
    },
    own("listen queue of Armeria", "ServerBuilder.channelOption(ChannelOption.SO_BACKLOG, …)", SOMAXCONN),
    own("listen queue of Ktor", "ChannelOption.SO_BACKLOG in configureBootstrap of Ktor’s Netty engine", SOMAXCONN),
    own("listen queue of Netty", "ChannelOption.SO_BACKLOG", SOMAXCONN),
    own("listen queue of com.sun.net.httpserver", "the backlog of HttpServer.create", "50"),
    own("listen queue of nginx", "`backlog=` of nginx’s `listen`", "511"),
    own("listen queue of Apache httpd", "ListenBacklog", "511"),
    own("listen queue of Gunicorn", "--backlog", "2048"),
    own("listen queue of Uvicorn", "--backlog", "2048"),
    own(
        "listen queue of Python",
        "the backlog of the server’s socket (request_queue_size of socketserver and http.server, 5 by default; \
         backlog of asyncio’s create_server, 100)",
        "",
    ),
    own("listen queue of Node.js", "backlog of server.listen", "511"),
    own("listen queue", "the backlog that the server gives to listen(2)", ""),
];

/// The setting of a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Named {
    /// The setting with its default.
    pub text: String,
    /// Names by which it can be set from outside: properties, `-D…`; `NAME` stands for a word of the service's own.
    pub names: Vec<String>,
}

/// The setting that sizes it; none of a resource that is not known.
pub(crate) fn of(resource: &str, framework: Framework) -> Option<Named> {
    let setting = SETTINGS.iter().find(|setting| setting.of == resource)?;
    Some(named(setting, framework))
}

/// The setting of threads by their name.
pub(crate) fn of_threads(group: &str, framework: Framework) -> Option<Named> {
    let is_meant = |it: &&Setting| {
        it.of.ends_with('-') && if it.of.starts_with(' ') { group.contains(it.of) } else { group.starts_with(it.of) }
    };
    Some(named(SETTINGS.iter().find(is_meant)?, framework))
}

fn named(setting: &Setting, framework: Framework) -> Named {
    let property = match framework.words() {
        Some(Words::SpringBoot) if framework.has_spring_property(setting.spring) => setting.spring,
        Some(Words::SpringBoot) => "",
        Some(Words::Quarkus) => setting.quarkus,
        Some(Words::Micronaut) => setting.micronaut,
        None => "",
    };
    // Quarkus has its own defaults, except for the kernel's and for no limit.
    let is_its = |default: &&str| framework.words() != Some(Words::Quarkus) || [SOMAXCONN, NO_LIMIT].contains(default);
    let is_told = |default: &&str| !default.is_empty() && (property.is_empty() || is_its(default));
    let default = Some(setting.default).filter(is_told).map(|default| format!("{default} by default"));
    if property.is_empty() {
        let default = default.map_or_else(String::new, |default| format!(" ({default})"));
        let options = setting.own.split([' ', ',']).filter(|word| word.starts_with("-D"));
        return Named { text: setting.own.to_owned() + &default, names: options.map(ToOwned::to_owned).collect() };
    }
    let property = framework.spring_name(property);
    let default = default.map_or_else(String::new, |default| format!(", {default}"));
    let text = format!("{property} ({}{default})", setting.own);
    Named { text, names: vec![property] }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::ProcessFacts;

    use super::{
        super::{known, server},
        *,
    };

    fn said(resource: &str, libraries: &[&str]) -> Named {
        let libraries = libraries.iter().map(ToString::to_string).collect();
        of(resource, Framework::of(&ProcessFacts { libraries, ..ProcessFacts::default() })).expect("it is known")
    }

    #[test]
    fn every_library_and_every_server_has_a_setting() {
        let names = known::LIBRARIES.iter().map(|it| it.name).chain(known::SERVERS.iter().map(|it| it.1));
        for name in names {
            assert_eq!(SETTINGS.iter().filter(|setting| setting.of == name).count(), 1, "{name}");
        }
        for name in server::names() {
            let queue = format!("listen queue of {name}");
            assert_eq!(SETTINGS.iter().filter(|setting| setting.of == queue).count(), 1, "{queue}");
        }
    }

    #[test]
    fn a_framework_that_is_not_there_is_not_spoken_of() {
        let hikari = |libraries: &[&str]| said("HikariCP", libraries);
        let own = Named { text: "HikariConfig.setMaximumPoolSize (10 by default)".to_owned(), names: Vec::new() };
        assert_eq!(hikari(&["HikariCP-7.0.2"]), own);
        assert_eq!(hikari(&["quarkus-core-3.20.0"]), own, "Quarkus has no property for it");
        let spring = hikari(&["spring-boot-3.5.7"]);
        let property = "spring.datasource.hikari.maximum-pool-size";
        assert_eq!(spring.text, format!("{property} (HikariConfig.setMaximumPoolSize, 10 by default)"));
        assert_eq!(spring.names, [property]);
        assert_eq!(hikari(&["micronaut-core-4.8.3"]).names, ["datasources.default.maximum-pool-size"]);
        assert_eq!(said("Agroal", &["quarkus-core-3.20.0"]).names, ["quarkus.datasource.jdbc.max-size"]);
    }

    /// Quarkus’ REST client has 50 connections, where Vert.x’s has 5.
    #[test]
    fn a_default_of_the_library_is_none_of_a_framework_that_has_its_own() {
        let quarkus = said("Vert.x’s client", &["io.quarkus.quarkus-bootstrap-runner-3.33.2"]);
        assert_eq!(quarkus.text, "quarkus.rest-client.connection-pool-size (PoolOptions.setHttp1MaxSize)");
        assert_eq!(said("Vert.x’s client", &["vertx-core-5.0.7"]).text, "PoolOptions.setHttp1MaxSize (5 by default)");
        let queue = said("listen queue of Vert.x", &["quarkus-core-3.20.0"]);
        assert!(queue.text.ends_with("net.core.somaxconn by default)"), "{}", queue.text);
        assert!(said("connections", &["quarkus-core-3.20.0"]).text.starts_with("quarkus.http.limits.max-connections"));
    }

    #[test]
    fn names_are_those_of_the_version() {
        assert_eq!(said("Tomcat’s threads", &["spring-boot-2.2.13"]).names, ["server.tomcat.max-threads"]);
        let jetty = |boot| said("connections of Jetty", &[boot]).names;
        assert_eq!(jetty("spring-boot-3.5.7"), ["server.jetty.max-connections"]);
        assert!(jetty("spring-boot-3.1.9").is_empty(), "it came with 3.2");
        let bulkhead = "resilience4j.bulkhead.instances.NAME.max-concurrent-calls";
        assert_eq!(said("Resilience4j’s bulkhead", &["spring-boot-3.5.7"]).names, [bulkhead]);
        assert_eq!(said("Reactor Netty", &[]).names, ["-Dreactor.netty.pool.maxConnections"]);
    }

    #[test]
    fn threads_are_known_by_the_name_that_their_framework_gives_them() {
        let libraries = vec!["quarkus-core-3.20.0".to_owned()];
        let facts = ProcessFacts { libraries, ..ProcessFacts::default() };
        let of = |group| of_threads(group, Framework::of(&facts)).map(|it| it.names.join(" "));
        assert_eq!(of("executor-thread-*").as_deref(), Some(QUARKUS_THREADS));
        assert_eq!(of("XNIO-1 I/O-*").as_deref(), Some("quarkus.http.io-threads"));
        assert_eq!(of("vert.x-eventloop-thread-*").as_deref(), Some("quarkus.vertx.event-loops-pool-size"));
        assert_eq!(of("pool-3-thread-*"), None);
        assert_eq!(of("dw-*").as_deref(), Some("-Ddw.server.maxThreads"), "Dropwizard’s, whose server is Jetty");
    }
}
