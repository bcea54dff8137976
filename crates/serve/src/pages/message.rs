//! A page that says why the wanted one cannot be shown.

use hyper::StatusCode;
use maud::{Markup, html};

use plimsoll_analysis::compare::DifferentLoads;
use plimsoll_report::frame::Link;

use crate::route::Place;

/// Why there is no page, and what to do.
#[derive(Debug)]
pub struct Message {
    /// Status of HTTP.
    pub status: StatusCode,
    heading: String,
    text: String,
    /// Links to other pages, beside the list.
    links: Vec<Link>,
}

impl Message {
    /// A message with a heading and lines of text.
    pub fn new(status: StatusCode, heading: &str, text: &str) -> Self {
        Self { status, heading: heading.to_owned(), text: text.to_owned(), links: Vec::new() }
    }

    /// No page at this address.
    pub fn no_page() -> Self {
        Self::new(StatusCode::NOT_FOUND, "No such page", "All executions are listed on the first page.")
    }

    /// No record has this key.
    pub fn no_record(place: &Place) -> Self {
        let text =
            format!("No record is called “{}” here. All that were found are listed on the first page.", place.key);
        Self::new(StatusCode::NOT_FOUND, "No such record", &text)
    }

    /// A comparison of executions under different loads.
    pub fn different_loads([a, b]: [&Place; 2], loads: &DifferentLoads) -> Self {
        let changed = loads.0.iter().map(|it| {
            let of = |value: &Option<String>| super::cut(value.as_deref().unwrap_or("–"), 200);
            format!("{}: {} → {}", super::cut(&it.name, 100), of(&it.before), of(&it.after))
        });
        let text = changed.chain(["Figures under different loads say little about the service.".to_owned()]);
        let text = text.collect::<Vec<_>>().join("\n");
        let anyway = Link { href: format!("/compare?a={a}&b={b}&anyway=yes"), text: "Compare anyway".to_owned() };
        Self { links: vec![anyway], ..Self::new(StatusCode::CONFLICT, "The two had different loads", &text) }
    }

    /// A comparison of fewer than two executions.
    pub fn not_two() -> Self {
        let text = "Tick two executions in the list, then press “Compare”.";
        Self::new(StatusCode::BAD_REQUEST, "A comparison is of two executions", text)
    }
}

/// The page.
pub fn page(message: &Message) -> Markup {
    let main = html! {
        section.hero {
            h1.long { (message.heading) }
            @for line in message.text.lines() { p { bdi { (line) } } }
            p.ways {
                @for link in &message.links { a href=(link.href) { (link.text) } " " }
                a href="/" { "All executions" }
            }
        }
    };
    super::page(&message.heading, &[], &main)
}
