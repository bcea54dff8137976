//! Answers to requests: routes, and their pages.

use std::{io, path::PathBuf};

use base64::{Engine, engine::general_purpose::STANDARD};
use hyper::{
    Request, Response, StatusCode,
    header::{self, HeaderValue},
};
use jiff::Timestamp;
use plimsoll_analysis::{
    analyse,
    compare::{Executed, Options, compare},
};
use plimsoll_record::{ExecutionData, ExecutionStatus, Nanos, Store, StoreError, store::Recent};
use plimsoll_report::frame::{self, Link};
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use crate::{
    guard,
    held::Held,
    pages,
    pages::{list::Wanted, live::Written, message::Message},
    route::{Place, Route},
    shelf::Shelf,
};

/// Length of the window that is shown of a live run.
const WINDOW: Nanos = Nanos::from_secs(120);

const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// All pages.
pub struct Site {
    shelf: Shelf,
    held: Held,
    port: u16,
    /// Policies of our own pages, and of reports, which have their script and their style inline.
    policies: [HeaderValue; 2],
}

/// A page, or the message on why there is none.
type Answer = Result<Page, Message>;

/// A body with its type.
struct Page {
    kind: &'static str,
    text: String,
    is_report: bool,
}

impl Page {
    fn html(markup: maud::Markup) -> Self {
        Self { kind: HTML, text: plimsoll_text::printable(&markup.into_string()).into_owned(), is_report: false }
    }
}

impl Site {
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn new(places: Vec<PathBuf>, port: u16) -> io::Result<Self> {
        let policies = [guard::POLICY.to_owned(), report_policy()].map(HeaderValue::try_from);
        let [Ok(own), Ok(of_report)] = policies else { return Err(io::Error::other("a policy is no header")) };
        Ok(Self { shelf: Shelf::new(places)?, held: Held::default(), port, policies: [own, of_report] })
    }

    /// The answer to a request.
    pub fn answer(&self, request: &Request<()>) -> Response<String> {
        let (status, page) = match guard::refusal(request, self.port) {
            Some((status, text)) => (status, Page { kind: TEXT, text, is_report: false }),
            None => match self.page(request.uri().path(), request.uri().query().unwrap_or_default()) {
                Ok(page) => (StatusCode::OK, page),
                Err(message) => (message.status, Page::html(pages::message::page(&message))),
            },
        };
        let mut response = Response::new(page.text);
        *response.status_mut() = status;
        let headers = response.headers_mut();
        guard::protect(headers, &self.policies[usize::from(page.is_report)]);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(page.kind));
        if status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        response
    }

    fn page(&self, path: &str, query: &str) -> Answer {
        match Route::of(path) {
            Some(Route::List) => Ok(Page::html(pages::list::page(&self.shelf.list(), &Wanted::of(query)))),
            Some(Route::Compare) => self.compare(query),
            Some(Route::Report(place)) => self.report(&place),
            Some(Route::Live(place)) => {
                self.live(&place).map(|(recent, live)| Page::html(pages::live::page(&place, &recent, &live)))
            }
            Some(Route::Now(place)) => {
                self.live(&place).map(|(recent, live)| Page::html(pages::live::now(&place, &recent, &live)))
            }
            Some(Route::Asset(name)) => asset(&name).ok_or_else(Message::no_page),
            None => Err(Message::no_page()),
        }
    }

    fn report(&self, place: &Place) -> Answer {
        let data = self.read(place)?;
        let mut links =
            vec![link("/".to_owned(), "← All executions"), link(format!("/?a={place}"), "Compare with another")];
        if data.execution.status == ExecutionStatus::Running {
            links.push(link(place.live(), "While it goes"));
        }
        Ok(Page { kind: HTML, text: frame::page_among(&analyse(&data), &links), is_report: true })
    }

    fn compare(&self, query: &str) -> Answer {
        let named = |wanted: &str| {
            let found = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.into_owned())
        };
        let ticked = |index| form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "of").nth(index);
        let place = |name: &str, index| {
            let text = named(name).or_else(|| ticked(index).map(|(_, value)| value.into_owned()));
            text.and_then(|text| Place::parse(&text)).ok_or_else(Message::not_two)
        };
        // Ticked rows come newest first.
        let (a, b) = (place("a", 1)?, place("b", 0)?);
        let options = Options { tolerance: Options::TOLERANCE, is_anyway: named("anyway").is_some() };
        let [of_a, of_b] = [self.read(&a)?, self.read(&b)?].map(|data| (analyse(&data), data.execution.plan));
        let [before, after] = [&of_a, &of_b].map(|(results, plan)| Executed { plan, results });
        let comparison =
            compare(&before, &after, options).map_err(|loads| Message::different_loads([&a, &b], &loads))?;
        let links = [
            link("/".to_owned(), "← All executions"),
            link(a.report(), &format!("Report of #{}", a.id)),
            link(b.report(), &format!("Report of #{}", b.id)),
            link(format!("/compare?a={b}&b={a}"), "Swap"),
        ];
        Ok(Page { kind: HTML, text: frame::comparison_among(&comparison, &links), is_report: true })
    }

    fn read(&self, place: &Place) -> Result<ExecutionData, Message> {
        let (_, store) = self.shelf.open(place).ok_or_else(|| Message::no_record(place))?;
        store.and_then(|store| store.read(place.id)).map_err(|error| unreadable(&error))
    }

    fn live(&self, place: &Place) -> Result<(Recent, Written), Message> {
        let (record, store) = self.shelf.open(place).ok_or_else(|| Message::no_record(place))?;
        let look = |store: Store| {
            let recent = store.recent(place.id, WINDOW)?;
            let run = recent.run.as_ref().map(|run| run.run.id);
            // A number that was deleted may be another execution's now.
            let key = format!("{}@{}", place.key, recent.execution.started_at);
            let held = run.map(|run| self.held.before(&store, &key, run, recent.from)).transpose()?;
            Ok((recent, held.unwrap_or_default(), store.last()? == Some(place.id)))
        };
        let (recent, held, is_newest) = store.and_then(look).map_err(|error| unreadable(&error))?;
        let is_written = record.is_being_written();
        let (is_going_on, is_by_another) = (is_written && is_newest, is_written && !is_newest);
        Ok((recent, Written { is_going_on, is_by_another, held, ago: record.written_ago(), now: Timestamp::now() }))
    }
}

fn link(href: String, text: &str) -> Link {
    Link { href, text: text.to_owned() }
}

fn unreadable(error: &StoreError) -> Message {
    match error {
        StoreError::NoExecution { .. } => Message::new(StatusCode::NOT_FOUND, "No such execution", &error.to_string()),
        _ => Message::new(StatusCode::INTERNAL_SERVER_ERROR, "This record cannot be read", &error.to_string()),
    }
}

fn asset(name: &str) -> Option<Page> {
    const STYLE: &str = "text/css; charset=utf-8";
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let (kind, text) = match name {
        "report.css" => (STYLE, frame::STYLE),
        "report.js" => (SCRIPT, frame::SCRIPT),
        "serve.css" => (STYLE, include_str!("assets/serve.css")),
        "list.js" => (SCRIPT, include_str!("assets/list.js")),
        "live.js" => (SCRIPT, include_str!("assets/live.js")),
        _ => return None,
    };
    Some(Page { kind, text: text.to_owned(), is_report: false })
}

/// Policy of reports: only the report's own script may run, by its hash.
fn report_policy() -> String {
    let digest = STANDARD.encode(Sha256::digest(frame::SCRIPT));
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; form-action 'none'; \
         base-uri 'none'; frame-ancestors 'none'"
    )
}
