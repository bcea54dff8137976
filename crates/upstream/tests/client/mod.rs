//! An upstream in a thread, and a plain client of it.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc,
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use plimsoll_record::{Nanos, UpstreamCounts, UpstreamLine, UpstreamPlan, UpstreamReady};
use plimsoll_upstream::{Options, serve};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject},
};
use tempfile::TempDir;

/// How long anything may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Running {
    pub ready: UpstreamReady,
    stop: Arc<AtomicBool>,
    lines: Arc<Mutex<Vec<UpstreamCounts>>>,
    thread: Option<JoinHandle<UpstreamCounts>>,
    pub certificates: TempDir,
}

fn options(certificates: &Path) -> Options {
    Options {
        threads: 1,
        certificates: certificates.to_owned(),
        removes_certificates: true,
        interval: Nanos::from_millis(20),
    }
}

/// Why this one does not start.
pub fn refused(plan: &UpstreamPlan) -> String {
    let folder = tempfile::tempdir().unwrap();
    serve(plan, &options(folder.path()), &AtomicBool::new(true), &mut |_| {}).unwrap_err().to_string()
}

impl Running {
    pub fn start(plan: &UpstreamPlan) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (stop, lines) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let (sender, ready) = mpsc::channel();
        let (plan, options, stopped, kept) = (plan.clone(), options(folder.path()), stop.clone(), lines.clone());
        let thread = std::thread::spawn(move || {
            let on_line = &mut |line| match line {
                UpstreamLine::Ready(ready) => sender.send(ready).unwrap(),
                UpstreamLine::Counts(counts) => kept.lock().unwrap().push(counts),
            };
            serve(&plan, &options, &stopped, on_line).unwrap()
        });
        let ready = ready.recv_timeout(PATIENCE).expect("an upstream that is ready");
        Self { ready, stop, lines, thread: Some(thread), certificates: folder }
    }

    pub fn lines(&self) -> Vec<UpstreamCounts> {
        self.lines.lock().unwrap().clone()
    }

    /// Counts that were taken after this was called.
    pub fn snapshot(&self) -> UpstreamCounts {
        let (before, until) = (self.lines().len(), Instant::now() + PATIENCE);
        while self.lines().len() < before + 2 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.lines().pop().expect("counts")
    }

    pub fn stop(mut self) -> UpstreamCounts {
        self.stop.store(true, Relaxed);
        self.thread.take().expect("it runs").join().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub struct Client {
    pub stream: TcpStream,
    buffered: BufReader<TcpStream>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
    pub first_byte: Instant,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

impl Client {
    pub fn connect(upstream: &Running) -> Self {
        let stream = TcpStream::connect((upstream.ready.host.as_str(), upstream.ready.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { buffered: BufReader::with_capacity(64, stream.try_clone().unwrap()), stream }
    }

    pub fn get(&mut self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"))
    }

    pub fn send(&mut self, request: &str) -> Answer {
        self.write(request);
        self.read_answer()
    }

    pub fn write(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    pub fn read_answer(&mut self) -> Answer {
        let mut line = String::new();
        self.buffered.read_line(&mut line).unwrap();
        let first_byte = Instant::now();
        let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no status in {line:?}")).parse().unwrap();
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            self.buffered.read_line(&mut line).unwrap();
            let Some((name, value)) = line.split_once(':') else { break };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        self.buffered.read_exact(&mut body).unwrap();
        Answer { status, headers, body, first_byte }
    }

    /// Waits for it.
    pub fn is_closed_by_peer(&mut self) -> bool {
        self.buffered.read(&mut [0]).is_ok_and(|length| length == 0)
    }
}

type TlsStream = StreamOwned<ClientConnection, TcpStream>;

fn roots(upstream: &Running) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    let file = upstream.ready.ca.as_ref().expect("an authority");
    roots.add(CertificateDer::from_pem_file(file).unwrap()).unwrap();
    roots
}

fn builder() -> rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap()
}

/// With the certificate for clients, if there is one.
pub fn tls_config(upstream: &Running, protocols: &[&str]) -> Arc<ClientConfig> {
    let builder = builder().with_root_certificates(roots(upstream));
    let mut config = match (&upstream.ready.client_cert, &upstream.ready.client_key) {
        (Some(certificate), Some(key)) => {
            let chain = vec![CertificateDer::from_pem_file(certificate).unwrap()];
            builder.with_client_auth_cert(chain, PrivateKeyDer::from_pem_file(key).unwrap()).unwrap()
        }
        _ => builder.with_no_client_auth(),
    };
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    Arc::new(config)
}

pub fn tls_config_without_identity(upstream: &Running) -> Arc<ClientConfig> {
    Arc::new(builder().with_root_certificates(roots(upstream)).with_no_client_auth())
}

/// A connection after its handshake, as far as the client can tell.
pub fn tls_connect(upstream: &Running, config: &Arc<ClientConfig>) -> TlsStream {
    let mut stream = TcpStream::connect((upstream.ready.host.as_str(), upstream.ready.port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut connection = ClientConnection::new(config.clone(), name).unwrap();
    while connection.is_handshaking() {
        connection.complete_io(&mut stream).unwrap();
    }
    StreamOwned::new(connection, stream)
}

/// Descriptors that this process may have.
pub fn allowed_descriptors() -> usize {
    let mut text = String::new();
    File::open("/proc/self/limits").unwrap().read_to_string(&mut text).unwrap();
    let line = text.lines().find(|line| line.starts_with("Max open files")).unwrap();
    line.split_whitespace().nth(3).unwrap().parse().unwrap_or(1 << 20)
}
