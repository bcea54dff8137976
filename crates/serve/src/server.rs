//! An HTTP server for a few clients on a thread of its own. Whatever a client does, others are served, and memory is
//! bounded. Its end waits only a moment, for answers that are under way.

use std::{
    convert::Infallible,
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use hyper::{Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::{GracefulShutdown, Watcher},
};
use rustls::ServerConfig;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net,
    runtime::{Builder, Runtime},
    sync::{Semaphore, oneshot},
    time::{sleep, timeout},
};
use tokio_rustls::TlsAcceptor;

/// The error of a kernel that does not have a family of addresses.
const EAFNOSUPPORT: i32 = 97;
/// Bytes of a request's head, and of what is buffered of an answer.
const BUFFER_MOST: usize = 16 * 1024;
/// Pause after the system failed to accept a connection, mostly for lack of descriptors.
const BREATHER: Duration = Duration::from_millis(100);
/// Time for answers that are under way when the server ends, so that clients get them.
const LAST_ANSWERS: Duration = Duration::from_secs(1);
/// Threads for answers that block.
const BLOCKING_THREADS_MOST: usize = 4;

/// Bounds on clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most connections at a time; further ones wait in the listen queue.
    pub connections: usize,
    /// Time for a TLS handshake, and for the head of a request.
    pub head: Duration,
    /// Time for all of a connection.
    pub whole: Duration,
    /// Whether a connection may carry more than one request.
    pub keep_alive: bool,
}

/// A server, which serves until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    /// A sender that ends the thread when it is dropped.
    end: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

/// Listens, without accepting yet.
///
/// # Errors
///
/// If the address cannot be listened on.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address).or_else(|error| match address {
        // A kernel without IPv6: all addresses are those of IPv4.
        SocketAddr::V6(all) if all.ip().is_unspecified() && error.raw_os_error() == Some(EAFNOSUPPORT) => {
            TcpListener::bind((Ipv4Addr::UNSPECIFIED, all.port()))
        }
        _ => Err(error),
    })?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

impl Server {
    /// Answers every request by `answer`, which reads the body if it wants it; over TLS, where that is configured.
    ///
    /// # Errors
    ///
    /// If the thread, which is called `name`, cannot be started.
    pub fn start<Answer, Answered>(
        name: &str,
        listener: TcpListener,
        tls: Option<Arc<ServerConfig>>,
        limits: Limits,
        answer: Answer,
    ) -> io::Result<Self>
    where
        Answer: Fn(Request<Incoming>) -> Answered + Send + Sync + 'static,
        Answered: Future<Output = Response<String>> + Send + 'static,
    {
        let address = listener.local_addr()?;
        let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(BLOCKING_THREADS_MOST).build()?;
        let (end, ended) = oneshot::channel();
        let tls = tls.map(TlsAcceptor::from);
        let serve = move || serve(runtime, listener, tls, limits, answer, ended);
        let thread = thread::Builder::new().name(name.to_owned()).spawn(serve)?;
        Ok(Self { address, end: Some(end), thread: Some(thread) })
    }

    /// The address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.end.take());
        self.thread.take().map(JoinHandle::join);
    }
}

/// Serves until it is told to end; connections that are open then are closed after their answer.
fn serve<Answer, Answered>(
    runtime: Runtime,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    limits: Limits,
    answer: Answer,
    ended: oneshot::Receiver<Infallible>,
) where
    Answer: Fn(Request<Incoming>) -> Answered + Send + Sync + 'static,
    Answered: Future<Output = Response<String>> + Send + 'static,
{
    runtime.block_on(async {
        let connections = GracefulShutdown::new();
        tokio::select! {
            _ = accept_all(listener, tls, limits, answer, &connections) => {}
            _ = ended => {}
        }
        // Clients that have sent no whole request by then get no answer.
        drop(timeout(LAST_ANSWERS, connections.shutdown()).await);
    });
    runtime.shutdown_background();
}

async fn accept_all<Answer, Answered>(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    limits: Limits,
    answer: Answer,
    connections: &GracefulShutdown,
) -> io::Result<Infallible>
where
    Answer: Fn(Request<Incoming>) -> Answered + Send + Sync + 'static,
    Answered: Future<Output = Response<String>> + Send + 'static,
{
    let listener = net::TcpListener::from_std(listener)?;
    let answer = Arc::new(answer);
    let slots = Arc::new(Semaphore::new(limits.connections));
    loop {
        let slot = slots.clone().acquire_owned().await.map_err(io::Error::other)?;
        let Ok((stream, _)) = listener.accept().await else {
            sleep(BREATHER).await;
            continue;
        };
        // Answers are short, and must not wait for more data.
        let _ = stream.set_nodelay(true);
        let (answer, tls, watcher) = (answer.clone(), tls.clone(), connections.watcher());
        tokio::spawn(async move {
            // A client that is too slow, speaks another protocol, or has gone away gets no answer.
            match tls {
                None => drop(timeout(limits.whole, converse(stream, limits, answer, watcher)).await),
                Some(tls) => {
                    if let Ok(Ok(stream)) = timeout(limits.head, tls.accept(stream)).await {
                        drop(timeout(limits.whole, converse(stream, limits, answer, watcher)).await);
                    }
                }
            }
            drop(slot);
        });
    }
}

/// Answers the requests of one connection.
async fn converse<Stream, Answer, Answered>(
    stream: Stream,
    limits: Limits,
    answer: Arc<Answer>,
    watcher: Watcher,
) -> Result<(), hyper::Error>
where
    Stream: AsyncRead + AsyncWrite + Unpin + 'static,
    Answer: Fn(Request<Incoming>) -> Answered,
    Answered: Future<Output = Response<String>>,
{
    let answer = service_fn(|request| {
        let answered = answer(request);
        async { Ok::<_, Infallible>(answered.await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(BUFFER_MOST)
        .keep_alive(limits.keep_alive)
        .serve_connection(TokioIo::new(stream), answer);
    watcher.watch(connection).await
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read as _, Write as _},
        net::TcpStream,
        sync::mpsc,
        time::Instant,
    };

    use super::*;

    fn server<Answered>(answer: impl Fn() -> Answered + Send + Sync + 'static) -> Server
    where
        Answered: Future<Output = ()> + Send + 'static,
    {
        let limits = Limits {
            connections: 8,
            head: Duration::from_secs(3_600),
            whole: Duration::from_secs(3_600),
            keep_alive: true,
        };
        let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let answer = move |_| {
            let answered = answer();
            async {
                answered.await;
                Response::new("told".to_owned())
            }
        };
        Server::start("test", listener, None, limits, answer).unwrap()
    }

    fn ask(server: &Server, head: &str) -> TcpStream {
        let mut client = TcpStream::connect(server.address()).unwrap();
        client.write_all(head.as_bytes()).unwrap();
        client
    }

    #[test]
    fn whoever_is_being_answered_at_the_end_hears_it() {
        let heard = || {
            let (asked, is_asked) = mpsc::channel();
            let server = server(move || {
                asked.send(()).unwrap();
                sleep(Duration::from_millis(100))
            });
            let mut client = ask(&server, "GET / HTTP/1.1\r\nHost: here\r\n\r\n");
            is_asked.recv().unwrap();
            let ending = Instant::now();
            drop(server);
            let mut answer = String::new();
            client.read_to_string(&mut answer).unwrap();
            (answer, ending.elapsed())
        };
        // Tries are repeated in case the machine stood still meanwhile.
        let heard = (0..60).map(|_| heard()).find(|(_, took)| *took < LAST_ANSWERS);
        let (answer, _) = heard.expect("a second without a standstill");
        assert!(answer.ends_with("told"), "{answer}");
    }

    #[test]
    fn the_end_does_not_wait_for_those_who_are_silent_or_slow() {
        let server = server(|| sleep(Duration::from_secs(3_600)));
        let clients = ["", "GET / HT", "GET / HTTP/1.1\r\nHost: here\r\n\r\n"].map(|head| ask(&server, head));
        let ending = Instant::now();
        drop(server);
        assert!(ending.elapsed() < Duration::from_secs(600), "{:?}", ending.elapsed());
        drop(clients);
    }
}
