//! Tables of frames: who waits, and for what.

/// Classes that write lines of a log.
pub(in super::super) const LOGGERS: &[&str] = &[
    "ch.qos.logback.",
    "org.apache.logging.log4j.core.",
    "org.apache.log4j.",
    "org.apache.juli.",
    "org.apache.catalina.valves.AccessLogValve.",
    "org.jboss.logmanager.",
    "java.util.logging.",
    "java.io.PrintStream.",
    "java.lang.Throwable.printStackTrace(",
    "org.eclipse.jetty.server.RequestLogWriter.",
];

/// Methods of `java.sql` that wait for a database.
pub(super) const QUESTIONS: [&str; 5] =
    ["executeQuery", "executeUpdate", "executeBatch", "executeLargeUpdate", "executeLargeBatch"];

/// Clients that wait for answers in threads of their own, and whether one connection has the calls of many threads, so
/// that these need no pool.
pub(super) const CLIENTS: &[(&str, bool)] = &[
    ("jdk.internal.net.http.HttpClientImpl.send", false),
    // Asks by sendAsync and waits for the future.
    ("org.springframework.http.client.JdkClientHttpRequest.", false),
    ("okhttp3.internal.http2.Http2Stream.waitForIo", false),
    ("org.eclipse.jetty.client.", false),
    ("org.asynchttpclient.netty.NettyResponseFuture.", false),
    ("org.redisson.command.", false),
    ("com.sun.jndi.ldap.LdapRequest.", false),
    ("com.unboundid.ldap.sdk.LDAPConnection.", false),
    ("com.hazelcast.client.impl.spi.", true),
    ("com.datastax.oss.driver.internal.core.util.concurrent.", true),
    ("com.rabbitmq.client.impl.AMQChannel.", true),
    ("com.rabbitmq.client.impl.ChannelN.waitForConfirms", true),
    ("io.grpc.stub.ClientCalls.", true),
    ("io.lettuce.core.internal.Futures.", true),
    ("io.nats.client.impl.NatsConnection.request", true),
    ("net.rubyeye.xmemcached.XMemcachedClient.", true),
    ("net.spy.memcached.internal.", true),
    ("org.apache.activemq.artemis.core.protocol.core.impl.ChannelImpl.sendBlocking", true),
    ("org.apache.activemq.transport.FutureResponse.", true),
    // Records wait for room while the broker does not take them.
    ("org.apache.kafka.clients.producer.internals.BufferPool.allocate", true),
    ("org.apache.kafka.clients.producer.internals.FutureRecordMetadata.", true),
    ("org.apache.zookeeper.ClientCnxn.", true),
];

/// Classes of child processes and of their pipes.
pub(super) const CHILDREN: &[&str] = &["java.lang.Process"];
/// Methods that wait until a child process ends.
pub(super) const ENDS: &[&str] = &["java.lang.Process.waitFor", "java.lang.ProcessImpl.waitFor"];
/// Methods that wait for a datagram.
pub(super) const DATAGRAMS: &[&str] = &["java.net.DatagramSocket.receive", "sun.nio.ch.DatagramChannelImpl."];
/// Native methods that read, write or find files.
pub(super) const FILES: &[&str] = &[
    "java.io.FileDescriptor.sync",
    "java.io.FileInputStream.read",
    "java.io.FileOutputStream.write",
    "java.io.RandomAccessFile.",
    "java.io.UnixFileSystem.",
    "java.nio.MappedByteBuffer.force0",
    "java.nio.MappedMemoryUtils.force0",
    "sun.nio.fs.UnixNativeDispatcher.",
];
/// The same of channels, of which older JDKs have some for sockets, too.
pub(super) const DISPATCHERS: &[&str] = &["sun.nio.ch.FileDispatcherImpl.", "sun.nio.ch.UnixFileDispatcherImpl."];

/// Packages of the JDK through which a socket is read.
pub(super) const STREAMS: &[&str] = &[
    "sun.nio.ch.",
    "sun.nio.cs.",
    "java.io.",
    "java.net.Socket",
    "java.lang.",
    "java.util.Scanner.",
    "sun.security.ssl.",
    "java.nio.",
];

/// Frames of databases within the service that wait for another transaction, which has locked a row or a table, and of
/// caches that wait for another thread, which loads the value; and how near they are.
pub(super) const ROWS: &[&str] = &[
    "org.h2.mvstore.tx.Transaction.waitFor",
    "org.h2.mvstore.db.MVTable.doLock",
    "org.hsqldb.lib.CountUpDownLatch.",
    "org.apache.derby.impl.services.locks.",
    "com.google.common.cache.LocalCache$LoadingValueReference.waitForValue",
];
pub(super) const ROWS_NEAR: usize = 12;

/// Locks in another process.
pub(super) const DISTRIBUTED_LOCKS: &[&str] = &[
    "org.redisson.RedissonLock.",
    "org.redisson.RedissonBaseLock.",
    "org.redisson.RedissonFairLock.",
    "org.redisson.RedissonSpinLock.",
    "org.apache.curator.framework.recipes.locks.LockInternals.",
    "org.springframework.data.redis.cache.DefaultRedisCacheWriter.checkAndPotentiallyWaitUntilUnlocked",
];
/// Locks whose owner is asked for them, and answers when they are free: the wait is in a future.
pub(super) const ASKED_LOCKS: &[&str] =
    &["com.hazelcast.internal.locksupport.LockProxySupport.", "com.hazelcast.cp.internal.datastructures.lock."];

/// Locks that hand themselves from one to the next.
pub(super) const LOCKS: &[&str] = &[
    "java.util.concurrent.locks.ReentrantLock",
    "java.util.concurrent.locks.ReentrantReadWriteLock",
    "java.util.concurrent.locks.StampedLock",
    "jdk.internal.misc.InternalLock",
    "java.lang.VirtualThread.parkOnMonitorEnter",
];

/// Methods of the class that locks are made of, by which one thread alone takes one.
pub(super) const ACQUIRES: &[&str] = &[
    "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquireInterruptibly(",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer.tryAcquireNanos(",
];

/// Frames of the JDK in which a thread waits for other threads.
pub(super) const FUTURES: &[&str] = &[
    "java.util.concurrent.FutureTask.get",
    "java.util.concurrent.FutureTask.awaitDone",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.ForkJoinTask.",
    "java.util.concurrent.CountDownLatch.await",
    "java.util.concurrent.ExecutorCompletionService.",
    // Others take what is put into a queue that is full.
    "java.util.concurrent.ArrayBlockingQueue.put",
    "java.util.concurrent.LinkedBlockingQueue.put",
    "java.util.concurrent.LinkedBlockingDeque.put",
    "java.util.concurrent.LinkedTransferQueue.transfer",
    "java.util.concurrent.SynchronousQueue.put",
    "java.util.concurrent.AbstractExecutorService.invoke",
    "java.util.concurrent.StructuredTaskScope",
    "jdk.internal.misc.ThreadFlock.",
    "java.lang.Thread.join",
];

/// Frames of [`FUTURES`] that run a task, or what follows it.
pub(super) const TASKS: &[&str] = &[
    "java.util.concurrent.ForkJoinTask.doExec",
    "java.util.concurrent.CompletableFuture$Async",
    "java.util.concurrent.CompletableFuture$Uni",
    "java.util.concurrent.CompletableFuture$Bi",
    "java.util.concurrent.CompletableFuture.complete",
    "java.util.concurrent.CompletableFuture.postComplete",
    "java.util.concurrent.CompletableFuture.uni",
];

/// [`FUTURES`] of libraries.
pub(super) const FUTURES_OF_OTHERS: &[&str] = &[
    "reactor.core.publisher.Blocking",
    "com.google.common.util.concurrent.AbstractFuture",
    "com.google.common.util.concurrent.Uninterruptibles.getUninterruptibly",
    "io.netty.util.concurrent.DefaultPromise.",
    "io.smallrye.mutiny.",
    "kotlinx.coroutines.BlockingCoroutine.",
    "scala.concurrent.",
    "org.apache.hc.core5.concurrent.BasicFuture.",
    "org.apache.http.concurrent.BasicFuture.",
];
