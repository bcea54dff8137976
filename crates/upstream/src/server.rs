//! The listener, the runtime, and the reports.

use std::{
    fs, io,
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use hyper_util::{rt::TokioExecutor, server::conn::auto};
use plimsoll_record::{Nanos, UpstreamCounts, UpstreamLine, UpstreamPlan, UpstreamReady};
use tokio::{
    net::{TcpListener, TcpSocket},
    runtime::{self, Runtime},
    sync::Semaphore,
    time::{MissedTickBehavior, interval, sleep},
};
use tokio_rustls::TlsAcceptor;

use crate::{
    UpstreamError,
    certificates::Certificates,
    connection::{self, Speaks},
    limits,
    shared::Shared,
};

/// How an upstream runs, whatever it does.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that serve; one serves tens of thousands of requests a second.
    pub threads: u16,
    /// Where the certificates go that clients need; made if it is not there.
    pub certificates: PathBuf,
    /// Whether they are removed at the end, with the folder if nothing else is in it.
    pub removes_certificates: bool,
    /// From one line of counts to the next.
    pub interval: Nanos,
}

/// How often `stop` is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// How long nothing is accepted after the system refused a connection, mostly for want of descriptors.
const BREATHER: Duration = Duration::from_millis(10);

/// Does what `plan` says until `stop` is set. `on_line` gets the first line when connections are accepted, then counts.
///
/// # Errors
/// [`UpstreamError`] if it cannot start; once it has, nothing a client does ends it.
pub fn serve(
    plan: &UpstreamPlan,
    options: &Options,
    stop: &AtomicBool,
    on_line: &mut dyn FnMut(UpstreamLine),
) -> Result<UpstreamCounts, UpstreamError> {
    plan.check().map_err(UpstreamError::Plan)?;
    limits::allow_connections(plan.connections_max)?;
    let certificates = plan.tls.as_ref().map(|tls| Certificates::make(plan, tls, &options.certificates)).transpose()?;
    let files = certificates.as_ref().map(Certificates::files).unwrap_or_default();
    let runtime = start_runtime(options.threads)?;
    let counts = runtime.block_on(async {
        let listener = listen(plan)?;
        let ready = ready(listener.local_addr()?, certificates.as_ref());
        let shared = Arc::new(Shared::new(plan));
        let tls = certificates.map(|certificates| TlsAcceptor::from(certificates.config));
        let speaks = Arc::new(Speaks { http: http(plan), tls });
        tokio::spawn(accept_all(listener, shared.clone(), speaks, plan.connections_max));
        on_line(UpstreamLine::Ready(ready));
        report(&shared, options.interval, stop, on_line).await;
        Ok(shared.snapshot())
    });
    runtime.shutdown_background();
    if options.removes_certificates {
        // Files that are gone need not be removed, and a folder with something else in it stays.
        files.iter().for_each(|file| drop(fs::remove_file(file)));
        drop(fs::remove_dir(&options.certificates));
    }
    counts
}

fn start_runtime(threads: u16) -> io::Result<Runtime> {
    let mut builder = match threads {
        0 | 1 => runtime::Builder::new_current_thread(),
        _ => runtime::Builder::new_multi_thread(),
    };
    builder.worker_threads(usize::from(threads.max(1))).thread_name("upstream").enable_all().build()
}

fn listen(plan: &UpstreamPlan) -> Result<TcpListener, UpstreamError> {
    let address = SocketAddr::new(plan.bind, plan.port);
    let listener = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(plan.backlog)
    };
    listener().map_err(|error| UpstreamError::Listen { address, error })
}

fn ready(address: SocketAddr, certificates: Option<&Certificates>) -> UpstreamReady {
    let scheme = if certificates.is_some() { "https" } else { "http" };
    let mut ready = UpstreamReady {
        url: format!("{scheme}://{address}"),
        host: address.ip().to_string(),
        port: address.port(),
        ..UpstreamReady::default()
    };
    if let Some(certificates) = certificates {
        certificates.announce(&mut ready);
    }
    ready
}

fn http(plan: &UpstreamPlan) -> auto::Builder<TokioExecutor> {
    let builder = auto::Builder::new(TokioExecutor::new());
    if plan.http2 { builder } else { builder.http1_only() }
}

async fn accept_all(listener: TcpListener, shared: Arc<Shared>, speaks: Arc<Speaks>, connections_max: Option<u32>) {
    let room = Arc::new(Semaphore::new(connections_max.map_or(Semaphore::MAX_PERMITS, |most| most as usize)));
    loop {
        let Ok(place) = room.clone().acquire_owned().await else { return };
        shared.thaw().await;
        match listener.accept().await {
            Ok((stream, _)) => {
                let serving = connection::serve(stream, shared.clone(), speaks.clone());
                tokio::spawn(async move {
                    serving.await;
                    drop(place);
                });
            }
            Err(_) => sleep(BREATHER).await,
        }
    }
}

/// Hands out counts at each interval until `stop` is set.
async fn report(shared: &Shared, every: Nanos, stop: &AtomicBool, on_line: &mut dyn FnMut(UpstreamLine)) {
    let mut next = every;
    let mut looks = interval(LOOK.min(every.into()));
    looks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    while !stop.load(Relaxed) {
        looks.tick().await;
        let now = shared.now();
        if now >= next {
            on_line(UpstreamLine::Counts(shared.snapshot()));
            // The next report is in step with the start, however late this one was.
            next = Nanos((now.0 / every.0.max(1) + 1).saturating_mul(every.0.max(1)));
        }
    }
}
