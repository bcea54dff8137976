//! Stacks as JVMs tell them, shortened, by what their thread does.

use plimsoll_record::{Awaited, Stack, ThreadState};

use crate::bottleneck::{
    activity::Activity,
    known::{self, Gives},
};

const SLEEPS: &[&str] = &["java.lang.Thread.sleep0", "java.lang.Thread.sleep"];
const PARKS: &[&str] = &["jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park"];
const WAITS: &[&str] = &[
    "jdk.internal.misc.Unsafe.park",
    "java.util.concurrent.locks.LockSupport.park",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await",
];
const LOCKS: &[&str] = &[
    "jdk.internal.misc.Unsafe.park",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
    "java.util.concurrent.locks.ReentrantLock$Sync.lock",
    "java.util.concurrent.locks.ReentrantLock.lock",
];
const TOMCAT: &str = "org.apache.coyote.http11.Http11Processor.service";

fn frames(parts: &[&[&str]]) -> Vec<String> {
    parts.iter().copied().flatten().map(|frame| format!("{frame}(Source.java:1)")).collect()
}

/// The activity of a thread that waits for an object of `class`, with these frames, innermost first.
fn waiting(class: &str, parts: &[&[&str]]) -> Activity {
    let awaited = (!class.is_empty()).then(|| Awaited { class: class.to_owned(), ..Awaited::default() });
    Activity::of(&Stack { state: ThreadState::Waiting, frames: frames(parts), awaited, ..Stack::default() })
}

fn library(activity: &Activity) -> &'static str {
    let Activity::Wants(library) = activity else { panic!("{activity:?}") };
    library.name
}

const CONDITION: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
const BULKHEAD: &str = "io.github.resilience4j.bulkhead.Bulkhead.lambda$decorateSupplier$2";

#[test]
fn who_waits_in_a_library_wants_what_it_hands_out() {
    let bulkhead = [
        "java.util.concurrent.Semaphore.tryAcquire",
        "io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead.tryEnterBulkhead",
        BULKHEAD,
        "app.Orders.find",
    ];
    assert_eq!(library(&waiting("", &[PARKS, &bulkhead])), "Resilience4j’s bulkhead");
    let client = [
        "org.apache.hc.core5.concurrent.BasicFuture.get",
        "org.apache.hc.core5.pool.StrictConnPool$1.get",
        "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager$1.get",
    ];
    assert_eq!(library(&waiting(CONDITION, &[WAITS, &client])), "Apache HttpClient 5");
    let limiter = [
        "com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly",
        "com.google.common.util.concurrent.RateLimiter$SleepingStopwatch$1.sleepMicrosUninterruptibly",
        "com.google.common.util.concurrent.RateLimiter.acquire",
    ];
    assert_eq!(library(&waiting("", &[SLEEPS, &limiter])), "Guava’s RateLimiter");
    let borrows = [
        "org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst",
        "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject",
        "org.apache.commons.dbcp2.PoolingDataSource.getConnection",
    ];
    assert_eq!(library(&waiting(CONDITION, &[WAITS, &borrows])), "Commons DBCP");
    let mongo = [
        "com.mongodb.internal.connection.ConcurrentPool$StateAndPermits.acquirePermit",
        "com.mongodb.internal.connection.DefaultConnectionPool.getPooledConnection",
    ];
    assert_eq!(library(&waiting(CONDITION, &[WAITS, &mongo])), "the MongoDB driver");
}

/// Names of the service's own classes and methods.
#[test]
fn a_pool_is_told_by_the_words_of_its_name() {
    let given = |frame: &str| waiting(CONDITION, &[WAITS, &[frame, TOMCAT]]).gives();
    for pool in ["app.JDBCConnectionPool.take", "app.DBPool.take", "app.SQLConnectionPool.get"] {
        assert_eq!(given(pool), Some(Gives::DatabaseConnections), "{pool}");
    }
    for pool in ["app.ConnectionPool.take", "app.Clients.leaseClient", "app.Clients.checkoutConnection"] {
        assert_eq!(given(pool), Some(Gives::ClientConnections), "{pool}");
    }
    for limiter in ["app.IPRateLimiter.await", "app.APIRateLimiter.await"] {
        assert_eq!(given(limiter), Some(Gives::Rate), "{limiter}");
    }
    for other in [
        "app.Spool.add",
        "app.WorkerPool.submit",
        "app.WorkerPool.take",
        "app.Stock.awaitRelease",
        "app.CheckoutService.checkout",
    ] {
        assert_eq!(given(other), None, "{other}");
    }
}

#[test]
fn a_lock_of_all_processes_is_a_lock() {
    let taken = ["java.util.concurrent.Semaphore.acquire", "org.redisson.RedissonLock.lock", "app.Orders.find"];
    assert_eq!(waiting("", &[PARKS, &taken]), Activity::Lock { class: "RedissonLock".to_owned() });
    let asked = [
        "java.util.concurrent.locks.LockSupport.park",
        "com.hazelcast.spi.impl.AbstractInvocationFuture.joinInternal",
        "com.hazelcast.internal.locksupport.LockProxySupport.lock",
        "com.hazelcast.map.impl.proxy.MapProxyImpl.lock",
        "app.Orders.find",
    ];
    assert_eq!(waiting("", &[&asked]), Activity::Lock { class: "LockProxySupport".to_owned() });
}

/// Callbacks are the service's own, though a client's thread runs them.
#[test]
fn code_that_a_client_calls_back_waits_for_no_answer() {
    let called = ["app.Orders.on", "org.eclipse.jetty.client.transport.HttpReceiver.responseContent"];
    assert_eq!(waiting("", &[SLEEPS, &called]), Activity::Sleeps);
    let waits = ["org.eclipse.jetty.client.CompletableResponseListener.send", "app.Orders.find"];
    assert!(matches!(waiting(CONDITION, &[WAITS, &waits]), Activity::Calls { by_others: true, .. }));
}

#[test]
fn who_is_past_a_library_does_what_its_own_frames_say() {
    assert_eq!(waiting("", &[SLEEPS, &["app.Orders.find", BULKHEAD]]), Activity::Sleeps);
    // Another module of the same vendor is past it as well.
    let retries = "io.github.resilience4j.retry.internal.RetryImpl$ContextImpl.waitIntervalAfterFailure";
    assert_eq!(waiting("", &[SLEEPS, &[retries, BULKHEAD]]), Activity::Sleeps);
    let lock = Activity::Lock { class: "java.util.concurrent.locks.ReentrantLock$NonfairSync".to_owned() };
    let class = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    assert_eq!(waiting(class, &[LOCKS, &["app.Orders.find", BULKHEAD]]), lock);
    let semaphore = ["java.util.concurrent.Semaphore.acquire", "app.Orders.find", BULKHEAD];
    assert_eq!(library(&waiting("", &[PARKS, &semaphore])), "java.util.concurrent.Semaphore");
    let statement = [
        "java.lang.reflect.Method.invoke",
        "org.h2.schema.FunctionAlias$JavaMethod.execute",
        "org.apache.commons.dbcp2.DelegatingPreparedStatement.executeQuery",
    ];
    assert_eq!(
        waiting("", &[SLEEPS, &statement]),
        Activity::Calls { is_database: true, by_others: false },
        "a database within the process"
    );
}

#[test]
fn tasks_and_what_follows_them_wait_for_what_they_say() {
    let class = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let of = |after: &str| waiting(class, &[LOCKS, &["app.Orders.find", after]]);
    for after in ["java.util.concurrent.ForkJoinTask.doExec", "java.util.concurrent.CompletableFuture$UniApply.tryFire"]
    {
        assert_eq!(of(after), Activity::Lock { class: class.to_owned() }, "{after}");
    }
    let future = Activity::Future { is_common: false };
    let joins = ["java.util.concurrent.CompletableFuture.join", "app.Orders.find"];
    assert_eq!(waiting("", &[PARKS, &joins]), future);
    let blocks = [
        "java.util.concurrent.CountDownLatch.await",
        "reactor.core.publisher.BlockingSingleSubscriber.blockingGet",
        "app.Orders.find",
    ];
    assert_eq!(waiting("", &[PARKS, &blocks]), future);
    assert_eq!(waiting("", &[PARKS, &["com.google.common.util.concurrent.AbstractFuture.get"]]), future);
    let thread = ["java.lang.Object.wait0", "java.lang.Thread.join", "app.Orders.find"];
    assert_eq!(waiting("", &[&thread, &[TOMCAT]]), future, "a thread that was started for the request");
    assert_eq!(waiting("", &[&thread]), Activity::Idle);
}

#[test]
fn a_pool_of_the_services_own_is_told_by_words_and_by_its_queue() {
    let own = |class: &str, parts: &[&[&str]]| match waiting(class, parts) {
        Activity::WantsOwn(gives, class) => Some((gives, class)),
        _ => None,
    };
    let taken = |frame: &str| own(CONDITION, &[WAITS, &[frame]]).map(|it| it.0);
    assert_eq!(taken("app.ConnectionPool.get"), Some(Gives::ClientConnections));
    assert_eq!(taken("app.JdbcPool.get"), Some(Gives::DatabaseConnections));
    assert_eq!(taken("app.SessionPoolManager.acquire"), Some(Gives::ClientConnections));
    assert_eq!(taken("app.RateLimiter.await"), Some(Gives::Rate));
    assert_eq!(taken("app.Spooler.print"), None, "no pool");
    assert_eq!(taken("app.FeedbackPool.get"), Some(Gives::ClientConnections), "no db");
    assert_eq!(own("", &[SLEEPS, &["app.CarPoolService.find"]]), None, "who sleeps wants none of a pool");
    assert_eq!(own("", &[SLEEPS, &["app.TokenBucket.take"]]).map(|it| it.0), Some(Gives::Rate));
    let queue = ["java.util.concurrent.ArrayBlockingQueue.take", "app.Mainframe.ask"];
    let expected = Some((Gives::ClientConnections, "Mainframe".to_owned()));
    assert_eq!(own(CONDITION, &[WAITS, &queue, &[TOMCAT]]), expected);
    assert_eq!(own(CONDITION, &[WAITS, &queue]), None, "a worker that waits for work");
}

#[test]
fn servers_and_event_loops_are_told_by_frames_whatever_their_threads_are_called() {
    let server = |frame: &str| known::server_of(&frames(&[&[frame]])).map(|index| known::SERVERS[index].1);
    assert_eq!(server("org.eclipse.jetty.server.Server.handle"), Some("Jetty’s threads"));
    assert_eq!(server("org.eclipse.jetty.client.transport.HttpReceiver.responseContent"), None);
    let is_loop = |group: &str, frame: &str| known::is_event_loop(group, &frames(&[&["app.Orders.find", frame]]));
    assert!(is_loop("http-worker-*", "io.netty.channel.nio.NioEventLoop.run"));
    assert!(is_loop("parallel-*", "java.lang.Thread.run") && !is_loop("my-parallel-*", "java.lang.Thread.run"));
    assert!(!is_loop("http-worker-*", "io.netty.util.concurrent.DefaultEventExecutor.run"));
}

#[test]
fn jndi_polls_for_the_answer_of_a_name_server() {
    let polls = [
        "sun.nio.ch.EPoll.wait",
        "sun.nio.ch.EPollSelectorImpl.doSelect",
        "sun.nio.ch.SelectorImpl.select",
        "com.sun.jndi.dns.DnsClient.blockingReceive",
        "com.sun.jndi.dns.DnsClient.doUdpQuery",
        "com.sun.jndi.dns.DnsContext.c_getAttributes",
        "app.Mail.servers",
    ];
    let runs = Stack { state: ThreadState::Runnable, frames: frames(&[&polls]), ..Stack::default() };
    assert_eq!(Activity::of(&runs), Activity::Resolves { is_reverse: false });
    let selects = Stack { frames: frames(&[&polls[..3]]), ..runs };
    assert_eq!(Activity::of(&selects), Activity::Idle);
}

#[test]
fn a_timer_runs_its_tasks_itself() {
    let timer = ["java.util.TimerThread.mainLoop", "java.util.TimerThread.run"];
    assert_eq!(waiting("java.util.TaskQueue", &[&["java.lang.Object.wait"], &timer]), Activity::Idle);
    assert_eq!(waiting("", &[SLEEPS, &["app.Reminders.run"], &timer]), Activity::Sleeps);
    let wheel = ["io.netty.util.HashedWheelTimer$Worker.waitForNextTick", "io.netty.util.HashedWheelTimer$Worker.run"];
    assert_eq!(waiting("", &[SLEEPS, &wheel]), Activity::Idle);
}

#[test]
fn who_puts_into_a_full_queue_waits_for_those_who_take() {
    let puts = ["java.util.concurrent.ArrayBlockingQueue.put", "app.Shipping.ship"];
    assert_eq!(waiting(CONDITION, &[WAITS, &puts]), Activity::Future { is_common: false });
}

#[test]
fn a_thread_in_the_kernel_for_a_file_may_wait_for_the_disk() {
    let running = |parts: &[&str]| {
        Activity::of(&Stack { state: ThreadState::Runnable, frames: frames(&[parts]), ..Stack::default() })
    };
    let forced =
        ["sun.nio.ch.UnixFileDispatcherImpl.force0", "sun.nio.ch.FileChannelImpl.implForce", "app.Journal.add"];
    let read = ["java.io.RandomAccessFile.readBytes0", "java.io.RandomAccessFile.read", "app.Index.find"];
    let written = ["sun.nio.ch.FileDispatcherImpl.pwrite0", "sun.nio.ch.FileChannelImpl.write", "app.Journal.add"];
    for parts in [forced, read, written] {
        assert_eq!(running(&parts), Activity::Disk, "{parts:?}");
    }
    let sent = ["sun.nio.ch.FileDispatcherImpl.write0", "sun.nio.ch.SocketDispatcher.write", "app.Client.send"];
    let child = [
        "java.io.FileInputStream.readBytes",
        "java.io.FileInputStream.read",
        "java.lang.Process$PipeInputStream.read",
        "java.io.BufferedInputStream.read",
        "app.Tool.run",
    ];
    assert_eq!(running(&child), Activity::Outside("a child process"));
    let computes = ["app.Orders.sum", "sun.nio.ch.FileChannelImpl.map", "app.Orders.find"];
    for parts in [sent, computes] {
        assert_ne!(running(&parts), Activity::Disk, "{parts:?}");
    }
}

#[test]
fn what_comes_from_outside_by_no_connection_is_no_work() {
    let datagram = [
        "sun.nio.ch.Net.poll",
        "sun.nio.ch.DatagramChannelImpl.park",
        "sun.nio.ch.DatagramChannelImpl.trustedBlockingReceive",
        "sun.nio.ch.DatagramSocketAdaptor.receive",
        "java.net.DatagramSocket.receive",
        "app.Clock.now",
    ];
    let receives = Stack { state: ThreadState::Runnable, frames: frames(&[&datagram]), ..Stack::default() };
    assert_eq!(Activity::of(&receives), Activity::Outside("a datagram"));
    let ends = waiting(CONDITION, &[WAITS, &["java.lang.ProcessImpl.waitFor", "app.Pdf.print"]]);
    assert_eq!(ends, Activity::Outside("a child process"));
}

/// Berth extends `AbstractQueuedSynchronizer`.
#[test]
fn a_lock_by_hand_is_one_that_a_thread_takes_alone() {
    let acquire = "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire";
    let shared = "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquireSharedInterruptibly";
    let berth = |parts: &[&str]| waiting("app.Berth", &[PARKS, parts, &["app.Harbour.moor", TOMCAT]]);
    assert_eq!(berth(&[acquire, acquire]), Activity::Lock { class: "app.Berth".to_owned() });
    assert_eq!(berth(&[acquire, shared]), Activity::Waits("app.Berth".to_owned()));
}

const TAKES: &[&str] = &["java.util.concurrent.LinkedBlockingQueue.poll"];

#[test]
fn connections_of_a_library_that_is_not_known_are_told_by_the_name_of_their_pool() {
    let pool = |class: &str| waiting(CONDITION, &[WAITS, TAKES, &[class, "app.Staff.find", TOMCAT]]);
    let ldap = pool("com.unboundid.ldap.sdk.LDAPConnectionPool.getConnection");
    assert_eq!(library(&ldap), "UnboundID’s LDAP connections");
    let of_another = Activity::WantsOwn(Gives::ClientConnections, "SftpSessionPool".to_owned());
    assert_eq!(pool("org.apache.other.SftpSessionPool.get"), of_another);
    let buffers = pool("org.apache.other.BufferPool.allocate");
    assert_eq!(buffers, Activity::Waits(CONDITION.to_owned()));
}

/// One connection has the questions of many threads, and a thread of the client reads the answers.
#[test]
fn who_waits_for_an_answer_of_a_broker_or_a_directory_calls_it() {
    let asks = |frames: &[&str]| waiting(CONDITION, &[WAITS, frames, &["app.Staff.find", TOMCAT]]);
    for frames in [
        ["java.util.concurrent.LinkedBlockingQueue.poll", "com.unboundid.ldap.sdk.LDAPConnection.search"],
        ["java.util.concurrent.LinkedBlockingQueue.take", "com.sun.jndi.ldap.LdapRequest.getReplyBer"],
        ["com.rabbitmq.utility.BlockingCell.get", "com.rabbitmq.client.impl.AMQChannel.privateRpc"],
        [
            "org.apache.kafka.clients.producer.internals.ProduceRequestResult.await",
            "org.apache.kafka.clients.producer.internals.FutureRecordMetadata.get",
        ],
    ] {
        assert_eq!(asks(&frames), Activity::Calls { is_database: false, by_others: true }, "{frames:?}");
    }
}

/// As these libraries’ newest releases call.
#[test]
fn waits_of_libraries_are_told_by_what_they_wait_for() {
    let of = |frames: &[&str]| waiting(CONDITION, &[WAITS, frames, &["app.Staff.find", TOMCAT]]);
    let calls = Activity::Calls { is_database: false, by_others: true };
    for frames in [
        ["org.apache.kafka.clients.producer.internals.BufferPool.allocate", "org.apache.kafka.clients.Other.send"],
        ["org.apache.activemq.artemis.core.protocol.core.impl.ChannelImpl.sendBlocking", "org.apache.Other.send"],
        ["com.hazelcast.spi.impl.AbstractInvocationFuture.get", "com.hazelcast.client.impl.spi.ClientProxy.invoke"],
    ] {
        assert_eq!(of(&frames), calls, "{frames:?}");
    }
    let limiter = [
        "java.util.concurrent.CompletableFuture.get",
        "org.redisson.command.CommandAsyncService.get",
        "org.redisson.RedissonObject.get",
        "org.redisson.RedissonRateLimiter.acquire",
    ];
    assert_eq!(library(&of(&limiter)), "Redisson’s rate limiter");
    let loads = "com.google.common.cache.LocalCache$LoadingValueReference.waitForValue";
    assert!(matches!(of(&["com.google.common.util.concurrent.AbstractFuture.get", loads]), Activity::Lock { .. }));
    let writer = "org.springframework.data.redis.cache.DefaultRedisCacheWriter.checkAndPotentiallyWaitUntilUnlocked";
    let locked = Activity::Lock { class: "DefaultRedisCacheWriter".to_owned() };
    assert_eq!(waiting("", &[SLEEPS, &[writer], &["app.Staff.find", TOMCAT]]), locked);
}

#[test]
fn a_stack_trace_that_is_printed_is_a_log_and_a_name_of_an_address_is_looked_up() {
    let of = |state, parts: &[&[&str]]| Activity::of(&Stack { state, frames: frames(parts), ..Stack::default() });
    let own = ["app.Staff.find", TOMCAT];
    let prints = ["java.lang.Throwable.printStackTrace", "java.lang.Throwable.printStackTrace"];
    assert_eq!(of(ThreadState::Blocked, &[&prints, &own]), Activity::Logs);
    let names = ["java.net.Inet6AddressImpl.getHostByAddr", "java.net.InetAddress.getHostFromNameService"];
    assert_eq!(of(ThreadState::Runnable, &[&names, &own]), Activity::Resolves { is_reverse: true });
}
