//! Finds out when a target serves: a GET on a connection of its own, again and again, until a 2xx comes.

use std::{
    fmt,
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use plimsoll_drive::{connection::Tls, tls::Client};
use plimsoll_record::Nanos;
use url::{Position, Url};

use crate::clock;

/// From one try to the next while nothing listens: this is how exactly start-up is measured.
const PAUSE_REFUSED: Duration = Duration::from_millis(1);
/// From one try to the next when the target answers, but not with 2xx: every such try costs the target work.
const PAUSE_ANSWERED: Duration = Duration::from_millis(10);
/// A connection that gets no answer is given up after this long, for the target may have lost it. A slow first answer
/// must be within it.
const ANSWER_PATIENCE: Nanos = Nanos::from_secs(5);
const CONNECT_PATIENCE: Duration = Duration::from_secs(1);
/// How long a read blocks before it is looked whether to go on.
const LOOK_UP: Duration = Duration::from_millis(20);
const UNANSWERED: &str = "it took the connection and did not answer";

/// Asks one URL.
#[derive(Clone, Debug)]
pub struct Probe {
    url: Url,
    addresses: Vec<SocketAddr>,
    request: Vec<u8>,
    /// TLS, for https.
    tls: Option<Client>,
    /// Whether any status below 500 says that the target serves.
    takes_any_answer: bool,
}

/// Error where no 2xx came: the last answer in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReady(pub String);

/// The outcome of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    /// 2xx, and when.
    Ready(Nanos),
    /// Nothing listens.
    Refused(String),
    /// Something listens, but did not answer 2xx.
    Other(String),
    /// Something listens, and there was no more time for its answer.
    CutOff,
}

impl Probe {
    /// # Errors
    ///
    /// If it is neither an `http` nor an `https` URL, its host cannot be resolved, or a file that `tls` names cannot be
    /// used.
    pub fn new(url: &Url, tls: &Tls) -> Result<Self, String> {
        let tls = match url.scheme() {
            "http" => None,
            "https" => Some(Client::new(tls, url).map_err(|error| error.to_string())?),
            _ => {
                return Err(format!(
                    "`{url}` cannot be asked whether the target is ready: an http:// or https:// URL is needed"
                ));
            }
        };
        let addresses =
            url.socket_addrs(|| None).map_err(|error| format!("the host of `{url}` is not known: {error}"))?;
        let host = &url[Position::BeforeHost..Position::AfterPort];
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: plimsoll\r\nAccept: */*\r\nConnection: close\r\n\r\n",
            &url[Position::BeforePath..Position::AfterQuery]
        );
        Ok(Self { url: url.clone(), addresses, request: request.into_bytes(), tls, takes_any_answer: false })
    }

    /// The same probe, content with any status below 500: a target serves even if the path is forbidden or missing.
    #[must_use]
    pub fn taking_any_answer(self) -> Self {
        Self { takes_any_answer: true, ..self }
    }

    /// Asks until a 2xx comes and returns the instant of its status line, by [`clock`].
    ///
    /// # Errors
    ///
    /// If none came until `deadline`, before which it asks once at least, or before `abort` was set.
    pub fn await_ready(&self, deadline: Nanos, abort: &AtomicBool) -> Result<Nanos, NotReady> {
        let mut last: Option<String> = None;
        let over = || abort.load(Ordering::Relaxed) || clock::now() >= deadline;
        for address in self.addresses.iter().cycle() {
            if abort.load(Ordering::Relaxed) || (last.is_some() && over()) {
                break;
            }
            let (words, pause) = match self.ask(*address, &over) {
                Answer::Ready(at) => return Ok(at),
                Answer::Refused(words) => (words, PAUSE_REFUSED),
                Answer::Other(words) => (words, PAUSE_ANSWERED),
                // The answer before tells more than one that was cut off.
                Answer::CutOff => (last.unwrap_or_else(|| UNANSWERED.to_owned()), PAUSE_ANSWERED),
            };
            last = Some(words);
            thread::sleep(pause);
        }
        Err(NotReady(last.unwrap_or_else(|| "no answer".to_owned())))
    }

    fn ask(&self, address: SocketAddr, over: &dyn Fn() -> bool) -> Answer {
        let connection = match TcpStream::connect_timeout(&address, CONNECT_PATIENCE) {
            Ok(connection) => connection,
            Err(error) => return Answer::Refused(error.to_string()),
        };
        // On one machine a connect to a port of the kernel's range can meet itself (simultaneous open).
        if connection.local_addr().is_ok_and(|own| own == address) {
            return Answer::Refused("nothing listens".to_owned());
        }
        match self.send(connection) {
            Ok(mut connection) => answer(&mut *connection, self.last_good(), over),
            Err(error) => Answer::Other(format!("the connection broke: {error}")),
        }
    }

    /// The highest status that says that the target serves.
    fn last_good(&self) -> u16 {
        if self.takes_any_answer { 499 } else { 299 }
    }

    /// Sends the request; what comes back.
    fn send(&self, mut connection: TcpStream) -> io::Result<Box<dyn Read>> {
        connection.set_read_timeout(Some(LOOK_UP))?;
        if let Some(tls) = &self.tls {
            return Ok(Box::new(tls.ask(connection, &self.request)?));
        }
        connection.write_all(&self.request)?;
        Ok(Box::new(connection))
    }
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.url)
    }
}

fn answer(connection: &mut dyn Read, last_good: u16, over: &dyn Fn() -> bool) -> Answer {
    let patience_ends = clock::now() + ANSWER_PATIENCE;
    let mut received = Vec::new();
    let mut buffer = [0; 4_096];
    loop {
        match connection.read(&mut buffer) {
            Ok(0) => return Answer::Other("it closed the connection without an answer".to_owned()),
            Ok(count) => received.extend_from_slice(&buffer[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if clock::now() >= patience_ends {
                    return Answer::Other(UNANSWERED.to_owned());
                }
                if over() {
                    return Answer::CutOff;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Answer::Other(format!("the connection broke: {error}")),
        }
        if let Some(answer) = status_line(&received, last_good) {
            drain(connection, &mut buffer);
            return answer;
        }
    }
}

/// The status in the first bytes of a response; none until it is complete.
fn status_line(received: &[u8], last_good: u16) -> Option<Answer> {
    const LONGEST: usize = 4_096;
    let end = received.iter().position(|&byte| byte == b'\n');
    if end.is_none() && received.len() < LONGEST {
        return None;
    }
    let line = String::from_utf8_lossy(&received[..end.unwrap_or(LONGEST)]);
    let line = line.trim_end();
    let status = line.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5));
    Some(match status.and_then(|status| status.parse::<u16>().ok()) {
        Some(status) if (200..=last_good).contains(&status) => Answer::Ready(clock::now()),
        Some(_) => Answer::Other(format!("it answered `{line}`")),
        None => Answer::Other("it answered with something that is not HTTP/1.1".to_owned()),
    })
}

/// Reads the rest of a short response, so that the target does not see its answer refused.
fn drain(connection: &mut dyn Read, buffer: &mut [u8]) {
    const READS_MAX: usize = 64;
    for _ in 0..READS_MAX {
        if !matches!(connection.read(buffer), Ok(1..)) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{net::TcpListener, sync::Arc};

    use super::*;

    /// A server that treats its connections one after the other as `behaviours` say, and is silent afterwards: then
    /// the flag is set.
    fn server(behaviours: Vec<&'static [u8]>) -> (Probe, Arc<AtomicBool>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/health?deep=1", listener.local_addr().expect("bound"));
        let over = Arc::<AtomicBool>::default();
        let is_over = over.clone();
        thread::spawn(move || {
            for (behaviour, connection) in behaviours.into_iter().zip(listener.incoming()) {
                let mut connection = connection.expect("a connection");
                let mut request = [0; 1_024];
                let count = connection.read(&mut request).expect("a request");
                assert!(request[..count].starts_with(b"GET /health?deep=1 HTTP/1.1\r\nHost: 127.0.0.1:"));
                connection.write_all(behaviour).expect("it listens");
            }
            let silent = listener.accept();
            is_over.store(true, Ordering::Relaxed);
            drop(silent.map(|(mut connection, _)| connection.read_to_end(&mut Vec::new())));
        });
        (Probe::new(&url.parse().expect("a URL"), &Tls::default()).expect("http"), over)
    }

    fn wait(probe: &Probe, patience: Nanos) -> Result<Nanos, NotReady> {
        probe.await_ready(clock::now() + patience, &AtomicBool::new(false))
    }

    #[test]
    fn a_server_is_ready_at_its_first_2xx() {
        let before = clock::now();
        let unavailable: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\nno";
        let (probe, _) = server(vec![unavailable, b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 204 No Content\r\n\r\n"]);
        let ready = wait(&probe, Nanos::from_secs(30)).expect("the fourth answer");
        assert!(ready >= before + Nanos::from(3 * PAUSE_ANSWERED));
    }

    #[test]
    fn the_last_answer_is_told_and_no_question_that_is_cut_off() {
        let (probe, over) = server(vec![b"HTTP/1.1 404 No\r\n\r\n", b"HTTP/1.1 503 Service Unavailable\r\n\r\n"]);
        let far = clock::now() + Nanos::from_secs(3_600);
        let not_ready = probe.await_ready(far, &over).expect_err("never ready");
        assert_eq!(not_ready, NotReady("it answered `HTTP/1.1 503 Service Unavailable`".to_owned()));
    }

    #[test]
    fn nothing_that_listens_is_told() {
        // The discard port: one that was free a moment ago could be another test's by now.
        let probe = Probe::new(&"http://127.0.0.1:9".parse().expect("a URL"), &Tls::default()).expect("http");
        for patience in [Nanos::ZERO, Nanos::from_millis(50)] {
            let NotReady(last) = wait(&probe, patience).expect_err("nothing listens");
            assert!(last.contains("refused"), "{last}");
        }
    }

    #[test]
    fn a_server_that_hangs_is_left_when_time_is_up_or_it_is_aborted() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let probe = Probe::new(&url.parse().expect("a URL"), &Tls::default()).expect("http");
        let NotReady(last) = wait(&probe, Nanos::from_millis(200)).expect_err("it hangs");
        assert_eq!(last, "it took the connection and did not answer");
        let far = clock::now() + Nanos::from_secs(3_600);
        assert!(probe.await_ready(far, &AtomicBool::new(true)).is_err());
    }

    #[test]
    fn only_http_can_be_asked() {
        let error = Probe::new(&"ftp://localhost/".parse().expect("a URL"), &Tls::default()).expect_err("not HTTP");
        assert!(error.contains("an http:// or https:// URL is needed"), "{error}");
    }

    #[test]
    fn what_does_not_speak_tls_is_told() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("https://{}/health", listener.local_addr().expect("bound"));
        let over = Arc::<AtomicBool>::default();
        let is_over = over.clone();
        thread::spawn(move || {
            for (number, connection) in listener.incoming().enumerate() {
                // The first answer was heard once there is a second question.
                is_over.store(number > 0, Ordering::Relaxed);
                let mut connection = connection.expect("a connection");
                let _ = connection.read(&mut [0; 1_024]);
                let _ = connection.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
            }
        });
        let probe = Probe::new(&url.parse().expect("a URL"), &Tls::default()).expect("https");
        let far = clock::now() + Nanos::from_secs(3_600);
        let NotReady(last) = probe.await_ready(far, &over).expect_err("no TLS there");
        assert!(last.contains("does it speak plain HTTP"), "{last}");
    }

    #[test]
    fn a_status_line_is_understood_as_soon_as_it_is_complete() {
        assert_eq!(status_line(b"HTTP/1.1 20", 299), None);
        assert!(matches!(status_line(b"HTTP/1.0 200\r\n", 299), Some(Answer::Ready(_))));
        assert!(matches!(status_line(b"HTTP/1.1 301 Moved\r\n", 299), Some(Answer::Other(_))));
        assert!(matches!(status_line(b"HTTP/1.1 404 Not Found\r\n", 499), Some(Answer::Ready(_))));
        assert!(matches!(status_line(b"HTTP/1.1 503 No\r\n", 499), Some(Answer::Other(_))));
        assert!(matches!(status_line(&[b'x'; 5_000], 299), Some(Answer::Other(_))));
    }
}
