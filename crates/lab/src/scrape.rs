//! Reads what a target tells of itself: its metrics, again and again, on a thread of its own. A page that does
//! not come delays nothing and is no reason to end a run.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use plimsoll_observe::parse::{
    actuator::Meter,
    prometheus::{self, Selector},
};
use plimsoll_record::{Nanos, Sample, metric};
use ureq::{Agent, Body, http::Response};
use url::Url;

use crate::{
    clock,
    experiment::Kept,
    jmx::{Asked, Attribute, Helper},
    placement::ThreadPlacement,
};

/// A page that is longer is given up.
const PAGE_BYTES_MAX: u64 = 4 << 20;
/// A page is made by the threads that serve requests: where these are busy, it waits as long as the requests do.
const PATIENCE: Duration = Duration::from_secs(10);
const CONNECT_PATIENCE: Duration = Duration::from_secs(1);
/// Longest wait of the load for the first page, and for that of a helper, which must start before.
const FIRST_PATIENCE: Duration = Duration::from_secs(2);
const HELPER_PATIENCE: Duration = Duration::from_secs(10);
/// Time between two looks at whether to end.
const LOOK_UP: Duration = Duration::from_millis(50);

/// The page that is read, and how often.
#[derive(Debug)]
pub struct Page {
    /// Where the series are.
    pub origin: Origin,
    /// From one reading to the next.
    pub every: Nanos,
    /// The series, as they were written.
    pub names: Vec<String>,
}

/// Where series are read.
#[derive(Debug)]
pub enum Origin {
    /// On one page.
    Prometheus(Agent, Url, Vec<Selector>),
    /// Each on a page below this one.
    Actuator(Agent, Url, Vec<Meter>),
    /// In a JVM of this machine, by a helper once it is started.
    Jmx(Asked, Vec<Attribute>, Option<Helper>),
}

impl Page {
    /// A page of the series `keep`: at `url`, `http` only, or in the JVM that is asked.
    pub fn new(keep: &Kept, url: Option<Url>, jvm: Asked, every: Nanos) -> Option<Self> {
        let names = keep.names().into_iter().map(ToOwned::to_owned).collect();
        let origin = match keep {
            Kept::Prometheus(series) => Origin::Prometheus(agent(), url?, series.clone()),
            Kept::Actuator(meters) => Origin::Actuator(agent(), url?, meters.clone()),
            Kept::Jmx(attributes) => Origin::Jmx(jvm, attributes.clone(), None),
        };
        Some(Self { origin, every, names })
    }
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
    /// Flags by series: whether it was there at any time.
    seen: Vec<bool>,
    pages: u64,
    /// When the last page came.
    last: Option<Nanos>,
}

impl Scraping {
    /// Reads from now on, at `placement`; instants count from `spawned`. The first page is waited for, if it comes
    /// soon: what grows is measured from there.
    pub fn start(mut page: Page, spawned: Nanos, placement: ThreadPlacement) -> Self {
        let found = Arc::new(Mutex::new(Found { seen: vec![false; page.names.len()], ..Found::default() }));
        let patience = if matches!(page.origin, Origin::Jmx(..)) { HELPER_PATIENCE } else { FIRST_PATIENCE };
        let over = Arc::<AtomicBool>::default();
        let (into, until) = (Arc::clone(&found), Arc::clone(&over));
        let (first_read, first) = mpsc::channel();
        let thread = thread::spawn(move || {
            if let Err(error) = placement.apply() {
                lock(&into).problem = Some(format!("the network of the target cannot be entered: {error}"));
                return;
            }
            read_into(&into, &mut page, spawned, &until);
            let _ = first_read.send(());
            let mut due = clock::now() + page.every;
            while !until.load(Ordering::Relaxed) {
                if clock::now() < due {
                    thread::sleep(LOOK_UP.min((due - clock::now()).into()));
                    continue;
                }
                read_into(&into, &mut page, spawned, &until);
                due = (due + page.every).max(clock::now());
            }
        });
        let _ = first.recv_timeout(patience);
        Self { found, over, thread: Some(thread) }
    }

    /// The samples taken since the last call.
    pub fn take(&self) -> Vec<Sample> {
        std::mem::take(&mut lock(&self.found).samples)
    }

    /// Problems for the user: no page came, or none had some of `keep`.
    pub fn problems(&self, keep: &Kept) -> Vec<String> {
        let found = lock(&self.found);
        let problem = found.problem.as_ref().map(|why| format!("its metrics could not be read at some time: {why}"));
        let names = keep.names();
        let missing = names.iter().zip(&found.seen).filter(|(_, seen)| !**seen && found.pages > 0);
        let missing = missing.map(|(name, _)| format!("its metrics have no `{name}`"));
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

fn read_into(found: &Mutex<Found>, page: &mut Page, spawned: Nanos, over: &AtomicBool) {
    match values(&mut page.origin, over) {
        Ok(values) => {
            let at = clock::now() - spawned;
            let mut found = lock(found);
            let before = found.last.replace(at);
            found.pages += 1;
            for (index, (series, told)) in page.names.iter().zip(values).enumerate() {
                let value = told.unwrap_or_else(|why| {
                    found.problem.get_or_insert(why);
                    // It is there, though nobody knows its value.
                    found.seen[index] = true;
                    None
                });
                let Some(value) = value else { continue };
                let metric = metric::of_target(series);
                // Many counters are on no page until they count: they began at 0.
                if let Some(at) = before.filter(|_| !found.seen[index]) {
                    found.samples.push(Sample { at, metric: metric.clone(), value: 0.0 });
                }
                found.seen[index] = true;
                found.samples.push(Sample { at, metric, value });
            }
        }
        // A read that the end of the run cut off has not failed.
        Err(_) if over.load(Ordering::Relaxed) => {}
        Err(why) => drop(lock(found).problem.get_or_insert(why)),
    }
}

/// The value of a series, if the target has it; or why it could not be read.
type Told = Result<Option<f64>, String>;

/// The values of all series; or why none could be asked for.
fn values(origin: &mut Origin, over: &AtomicBool) -> Result<Vec<Told>, String> {
    match origin {
        Origin::Prometheus(agent, url, series) => {
            let text =
                page(ask(agent, url)?, url)?.ok_or_else(|| format!("GET {url}: expected status 200, found 404"))?;
            Ok(prometheus::values(&text, series).into_iter().map(Ok).collect())
        }
        Origin::Actuator(agent, url, meters) => meters.iter().map(|meter| measurement(agent, url, meter)).collect(),
        Origin::Jmx(asked, attributes, helper) => {
            let mut connected = helper.take().map_or_else(|| Helper::start(asked, attributes), Ok)?;
            let values = connected.read(over)?;
            // A helper that failed is replaced next time.
            *helper = Some(connected);
            Ok(values.into_iter().map(Ok).collect())
        }
    }
}

/// None where there is no such meter, as long as nothing was counted. The outer error is that nobody answers: the other
/// meters would be waited for in vain.
fn measurement(agent: &Agent, above: &Url, meter: &Meter) -> Result<Told, String> {
    let mut url = above.clone();
    url.path_segments_mut().map_err(|()| format!("{above} has no path"))?.push(meter.name());
    for tag in meter.tags() {
        url.query_pairs_mut().append_pair("tag", &tag);
    }
    let read =
        |page: String| meter.value(&page).map_err(|why| format!("GET {url}: expected a meter of Spring Boot: {why}"));
    Ok(page(ask(agent, &url)?, &url).and_then(|found| found.map_or(Ok(None), read)))
}

/// HTTP client that keeps its connection as long as the target does, so that watching changes the target little.
fn agent() -> Agent {
    let config = Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .timeout_connect(Some(CONNECT_PATIENCE))
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None);
    config.build().into()
}

/// The answer of `url`, whatever it is; or a message explaining why there is none.
fn ask(agent: &Agent, url: &Url) -> Result<Response<Body>, String> {
    // `text/plain` is the format of Prometheus; the actuator answers in JSON to anything.
    let request = agent.get(url.as_str()).header("Accept", "text/plain; version=0.0.4, */*; q=0.5");
    request.call().map_err(|error| format!("GET {url}: {error}"))
}

/// The body of a page with status 200, none of one with status 404; or a message explaining why there is none.
fn page(mut answer: Response<Body>, url: &Url) -> Result<Option<String>, String> {
    let failed = |why: String| format!("GET {url}: {why}");
    match answer.status().as_u16() {
        200 => {
            let page = answer.body_mut().with_config().limit(PAGE_BYTES_MAX).read_to_string();
            page.map(Some).map_err(|error| failed(error.to_string()))
        }
        404 => Ok(None),
        _ => Err(failed(format!("expected status 200, found {}", answer.status()))),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{self, BufRead, Write},
        net::TcpListener,
    };

    use plimsoll_observe::parse::prometheus::Selector;

    use super::*;

    /// Serves the answer to everybody, and says that it closes the connection then; the address.
    fn serve(answer: &'static str) -> Url {
        serve_each(move |_| answer)
    }

    /// The same with an answer to each request, by its first line.
    fn serve_each(answer: impl Fn(&str) -> &'static str + Send + 'static) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/metrics", listener.local_addr().unwrap());
        thread::spawn(move || {
            for connection in listener.incoming() {
                let mut connection = connection.unwrap();
                let mut lines = io::BufReader::new(connection.try_clone().unwrap()).lines();
                let first = lines.next().and_then(Result::ok).unwrap_or_default();
                while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
                let answer = answer(&first).replacen("\r\n", "\r\nConnection: close\r\n", 1);
                let _ = connection.write_all(answer.as_bytes());
            }
        });
        Url::parse(&url).unwrap()
    }

    fn series(texts: &[&str]) -> Kept {
        Kept::Prometheus(texts.iter().map(|text| Selector::parse(text).unwrap()).collect())
    }

    fn page(keep: &Kept, url: Url, every: Nanos) -> Page {
        let no_jvm = Asked { pids: Vec::new(), java: Err("no JVM is asked here".to_owned()) };
        Page::new(keep, Some(url), no_jvm, every).unwrap()
    }

    fn got(answer: &'static str) -> Result<Option<String>, String> {
        let url = serve(answer);
        super::page(ask(&agent(), &url)?, &url)
    }

    #[test]
    fn a_page_is_read_or_why_not_is_said() {
        assert_eq!(got("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nup 1\n"), Ok(Some("up 1\n".to_owned())));
        let early = got("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nup");
        assert!(early.is_err(), "{early:?}");
        assert_eq!(got("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), Ok(None));
        let broken = got("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n").unwrap_err();
        assert!(broken.contains(": expected status 200, found 500"), "{broken}");
        assert!(got("no").is_err());
    }

    #[test]
    fn meters_have_a_page_each() {
        let url = serve(
            "HTTP/1.1 200 OK\r\nContent-Length: 52\r\n\r\n{\"measurements\":[{\"statistic\":\"VALUE\",\"value\":7.0}]}",
        );
        let meters = ["jvm.threads.live", "jvm.threads.live COUNT"].map(|text| Meter::parse(text).unwrap());
        let found = |url| values(&mut Origin::Actuator(agent(), url, meters.to_vec()), &AtomicBool::new(false));
        assert_eq!(found(url), Ok(vec![Ok(Some(7.0)), Ok(None)]));
        let gone = serve("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        assert_eq!(found(gone), Ok(vec![Ok(None), Ok(None)]));
    }

    #[test]
    fn a_meter_that_cannot_be_read_leaves_the_others_their_values() {
        let url = serve_each(|first| match first.contains("/metrics/good ") {
            true => {
                "HTTP/1.1 200 OK\r\nContent-Length: 46\r\n\r\n{\"measurements\":[{\"statistic\":\"A\",\"value\":7}]}"
            }
            false => "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n",
        });
        let keep = Kept::Actuator(["bad", "good"].map(|text| Meter::parse(text).unwrap()).to_vec());
        let found = Mutex::new(Found { seen: vec![false; 2], ..Found::default() });
        let mut page = page(&keep, url, Nanos::ZERO);
        for _ in 0..2 {
            read_into(&found, &mut page, Nanos::ZERO, &AtomicBool::new(false));
        }
        let found = lock(&found);
        let good: Vec<f64> = found.samples.iter().filter(|it| it.metric == "target:good").map(|it| it.value).collect();
        assert_eq!((good, found.samples.len()), (vec![7.0, 7.0], 2));
        let problem = found.problem.clone().unwrap();
        assert!(problem.contains("/metrics/bad: expected status 200, found 500"), "{problem}");
    }

    #[test]
    fn a_series_that_appears_later_has_grown_from_nothing() {
        let keep = series(&["up"]);
        let page = |answer| page(&keep, serve(answer), Nanos::ZERO);
        let found = Mutex::new(Found { seen: vec![false], ..Found::default() });
        for answer in
            ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nup 3\n"]
        {
            read_into(&found, &mut page(answer), Nanos::ZERO, &AtomicBool::new(false));
        }
        let found = lock(&found);
        assert_eq!(found.samples.iter().map(|it| it.value).collect::<Vec<_>>(), [0.0, 3.0]);
        assert!(found.samples[0].at < found.samples[1].at);
    }

    #[test]
    fn series_become_samples_and_what_is_missing_is_told() {
        let keep = series(&["up", "down"]);
        let url = serve("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nup 1\n");
        let page = page(&keep, url, Nanos::from_millis(20));
        let mut scraping = Scraping::start(page, Nanos::ZERO, crate::placement::Placement::here().thread_in(None));
        let deadline = clock::now() + Nanos::from_secs(60);
        while lock(&scraping.found).pages < 3 && clock::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        scraping.end();
        let samples = scraping.take();
        assert!(samples.len() >= 3 && samples.iter().all(|sample| sample.metric == "target:up" && sample.value == 1.0));
        assert_eq!(scraping.problems(&keep), ["its metrics have no `down`"]);
    }

    #[test]
    fn nobody_who_answers_is_told_once() {
        // The discard port: one that was free a moment ago could be another test's by now.
        let nobody = "127.0.0.1:9";
        let found = Mutex::new(Found::default());
        let mut page = page(&series(&[]), Url::parse(&format!("http://{nobody}/m")).unwrap(), Nanos::ZERO);
        read_into(&found, &mut page, Nanos::ZERO, &AtomicBool::new(false));
        let problem = lock(&found).problem.clone().unwrap();
        assert!(problem.contains("refused"), "{problem}");
    }
}
