//! Reads what a target tells of itself: its page of metrics, again and again, on a thread of its own. A page that does
//! not come delays nothing and is no reason to end a run.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use plimsoll_observe::parse::prometheus::{self, Selector};
use plimsoll_record::{Nanos, Sample, metric};
use url::{Position, Url};

use crate::{clock, placement::Stand};

/// A page that is longer is given up.
const PAGE_BYTES_MAX: usize = 4 << 20;
/// A page is made by the threads that serve requests: where these are busy, it waits as long as the requests do.
const PATIENCE: Nanos = Nanos::from_secs(10);
const CONNECT_PATIENCE: Duration = Duration::from_secs(1);
/// How long anything else blocks before it is looked whether to end.
const LOOK_UP: Duration = Duration::from_millis(50);

/// What is read, and how often.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// `http` only.
    pub url: Url,
    /// From one reading to the next.
    pub every: Nanos,
    /// The series that are kept.
    pub keep: Vec<Selector>,
}

/// A reader at work, until it is dropped.
#[derive(Debug)]
pub struct Scraping {
    found: Arc<Mutex<Found>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Found {
    samples: Vec<Sample>,
    /// Why nothing came, the first time.
    problem: Option<String>,
    /// By series: whether it was there at any time.
    seen: Vec<bool>,
    pages: u64,
}

impl Scraping {
    /// Reads from now on, at `stand`; instants are counted from `spawned`.
    pub fn start(page: Page, spawned: Nanos, stand: Stand) -> Self {
        let found = Arc::new(Mutex::new(Found { seen: vec![false; page.keep.len()], ..Found::default() }));
        let over = Arc::<AtomicBool>::default();
        let (into, until) = (Arc::clone(&found), Arc::clone(&over));
        let thread = thread::spawn(move || {
            if let Err(error) = stand.take() {
                lock(&into).problem = Some(format!("the network of the target cannot be entered: {error}"));
                return;
            }
            let mut due = clock::now();
            while !until.load(Ordering::Relaxed) {
                read_into(&into, &page, spawned, &until);
                due = (due + page.every).max(clock::now());
                while !until.load(Ordering::Relaxed) && clock::now() < due {
                    thread::sleep(LOOK_UP.min((due - clock::now()).into()));
                }
            }
        });
        Self { found, over, thread: Some(thread) }
    }

    /// The samples taken since the last call.
    pub fn take(&self) -> Vec<Sample> {
        std::mem::take(&mut lock(&self.found).samples)
    }

    /// What the user should know: that no page came, or which of `keep` were on none.
    pub fn problems(&self, keep: &[Selector]) -> Vec<String> {
        let found = lock(&self.found);
        let problem = found.problem.as_ref().map(|why| format!("its metrics could not be read at some time: {why}"));
        let missing = keep.iter().zip(&found.seen).filter(|(_, seen)| !**seen && found.pages > 0);
        let missing = missing.map(|(series, _)| format!("its page of metrics has no `{}`", series.text()));
        problem.into_iter().chain(missing).collect()
    }

    /// Ends it: no more samples come, but for those that [`Scraping::take`] has not taken.
    pub fn end(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Drop for Scraping {
    fn drop(&mut self) {
        self.end();
    }
}

fn lock(found: &Mutex<Found>) -> MutexGuard<'_, Found> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read_into(found: &Mutex<Found>, page: &Page, spawned: Nanos, over: &AtomicBool) {
    match get(&page.url, over) {
        Ok(text) => {
            let at = clock::now() - spawned;
            let values = prometheus::values(&text, &page.keep);
            let mut found = lock(found);
            found.pages += 1;
            for (index, (series, value)) in page.keep.iter().zip(values).enumerate() {
                let Some(value) = value else { continue };
                found.seen[index] = true;
                found.samples.push(Sample { at, metric: metric::of_target(series.text()), value });
            }
        }
        // What the end of the run has cut off has not failed.
        Err(_) if over.load(Ordering::Relaxed) => {}
        Err(why) => drop(lock(found).problem.get_or_insert(format!("GET {}: {why}", page.url))),
    }
}

/// The body of a page with status 200; in words why there is none.
fn get(url: &Url, over: &AtomicBool) -> Result<String, String> {
    let address = url.socket_addrs(|| None).map_err(|error| error.to_string())?;
    let address: &SocketAddr = address.first().ok_or("its host has no address")?;
    let answer = exchange(address, url, over).map_err(|error| error.to_string())?;
    let Answer { head, body } = Answer::of(&answer).ok_or("it answered without a whole head")?;
    if head.split_whitespace().nth(1) != Some("200") {
        return Err(format!("expected status 200, found `{}`", head.lines().next().unwrap_or_default()));
    }
    let body = body.ok_or("its page ends early")?;
    String::from_utf8(body).map_err(|_| "its page is not text in UTF-8".to_owned())
}

/// All that comes until the answer is whole, or the connection ends.
fn exchange(address: &SocketAddr, url: &Url, over: &AtomicBool) -> io::Result<Vec<u8>> {
    let deadline = clock::now() + PATIENCE;
    let mut connection = TcpStream::connect_timeout(address, CONNECT_PATIENCE)?;
    connection.set_read_timeout(Some(LOOK_UP))?;
    let host = &url[Position::BeforeHost..Position::AfterPort];
    let path = &url[Position::BeforePath..Position::AfterQuery];
    let accept = "text/plain; version=0.0.4";
    write!(connection, "GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: {accept}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    let mut buffer = [0; 16 * 1_024];
    loop {
        match connection.read(&mut buffer) {
            Ok(0) => return Ok(answer),
            Ok(length) => answer.extend_from_slice(&buffer[..length]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
        if Answer::of(&answer).is_some_and(|answer| answer.says_its_length() && answer.body.is_some()) {
            return Ok(answer);
        }
        if answer.len() > PAGE_BYTES_MAX {
            return Err(io::Error::other("its page is longer than 4 MiB"));
        }
        if clock::now() > deadline || over.load(Ordering::Relaxed) {
            return Err(io::Error::other(format!("no whole answer within {PATIENCE}")));
        }
    }
}

/// What has come so far, once that is a whole head.
struct Answer {
    /// In lower case.
    head: String,
    /// If it is whole.
    body: Option<Vec<u8>>,
}

impl Answer {
    fn of(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let mut answer = Self { head: String::from_utf8_lossy(&bytes[..end]).to_lowercase(), body: None };
        let rest = &bytes[end + 4..];
        answer.body = match answer.header("content-length").map(str::parse) {
            Some(Ok(length)) => rest.get(..length).map(<[u8]>::to_vec),
            Some(Err(_)) => None,
            None if answer.is_chunked() => joined(rest),
            None => Some(rest.to_vec()),
        };
        Some(answer)
    }

    fn says_its_length(&self) -> bool {
        self.header("content-length").is_some() || self.is_chunked()
    }

    fn is_chunked(&self) -> bool {
        self.header("transfer-encoding").is_some_and(|coding| coding.ends_with("chunked"))
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().filter_map(|line| line.split_once(':'));
        headers.find(|(found, _)| *found == name).map(|(_, value)| value.trim())
    }
}

/// A body that came in chunks.
fn joined(mut chunks: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = chunks.windows(2).position(|window| window == b"\r\n")?;
        let digits = std::str::from_utf8(&chunks[..line]).ok()?.split(';').next()?.trim();
        let length = usize::from_str_radix(digits, 16).ok()?;
        if length == 0 {
            return Some(body);
        }
        let start = line + 2;
        body.extend_from_slice(chunks.get(start..start.checked_add(length)?)?);
        chunks = chunks.get(start + length + 2..)?;
    }
}

#[cfg(test)]
mod tests {
    use std::{io::BufRead, net::TcpListener};

    use super::*;

    /// Serves the answer to everybody; the address.
    fn serve(answer: &'static str) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/metrics", listener.local_addr().unwrap());
        thread::spawn(move || {
            for connection in listener.incoming() {
                let mut connection = connection.unwrap();
                let mut lines = io::BufReader::new(connection.try_clone().unwrap()).lines();
                while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
                let _ = connection.write_all(answer.as_bytes());
            }
        });
        Url::parse(&url).unwrap()
    }

    fn got(answer: &'static str) -> Result<String, String> {
        get(&serve(answer), &AtomicBool::new(false))
    }

    #[test]
    fn a_page_is_read_however_its_body_comes() {
        assert_eq!(got("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nup 1\n").as_deref(), Ok("up 1\n"));
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nup \r\n2;x=y\r\n1\n\r\n0\r\n\r\n";
        assert_eq!(got(chunked).as_deref(), Ok("up 1\n"));
        assert_eq!(
            got("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nup"),
            Err("its page ends early".to_owned())
        );
        assert_eq!(
            got("HTTP/1.1 404 Not Found\r\n\r\n"),
            Err("expected status 200, found `http/1.1 404 not found`".to_owned())
        );
        assert_eq!(got("no"), Err("it answered without a whole head".to_owned()));
    }

    #[test]
    fn series_become_samples_and_what_is_missing_is_told() {
        let keep = ["up", "down"].map(|text| Selector::parse(text).unwrap()).to_vec();
        let url = serve("HTTP/1.1 200 OK\r\n\r\nup 1\n");
        let page = Page { url, every: Nanos::from_millis(20), keep: keep.clone() };
        let mut scraping = Scraping::start(page, Nanos::ZERO, crate::placement::Placement::here().stand_in(None));
        let deadline = clock::now() + Nanos::from_secs(20);
        while lock(&scraping.found).pages < 3 && clock::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        scraping.end();
        let samples = scraping.take();
        assert!(samples.len() >= 3 && samples.iter().all(|sample| sample.metric == "target:up" && sample.value == 1.0));
        assert_eq!(scraping.problems(&keep), ["its page of metrics has no `down`"]);
    }

    #[test]
    fn nobody_who_answers_is_told_once() {
        let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let found = Mutex::new(Found::default());
        let page =
            Page { url: Url::parse(&format!("http://{nobody}/m")).unwrap(), every: Nanos::ZERO, keep: Vec::new() };
        read_into(&found, &page, Nanos::ZERO, &AtomicBool::new(false));
        let problem = lock(&found).problem.clone().unwrap();
        assert!(problem.contains("refused"), "{problem}");
    }
}
