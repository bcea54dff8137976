//! A page that says why there is no other.

use hyper::StatusCode;
use maud::{Markup, html};

use crate::route::Place;

/// Why there is no page, and what to do.
#[derive(Debug)]
pub struct Message {
    /// Status of HTTP.
    pub status: StatusCode,
    heading: String,
    text: String,
}

impl Message {
    /// With a heading and lines of text.
    pub fn new(status: StatusCode, heading: &str, text: &str) -> Self {
        Self { status, heading: heading.to_owned(), text: text.to_owned() }
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

    /// A comparison of less than two.
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
            p { a href="/" { "All executions" } }
        }
    };
    super::page(&message.heading, &[], &main)
}
