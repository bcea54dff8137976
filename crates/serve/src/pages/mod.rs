//! Pages. Everything that comes from records passes maud, which escapes it.

pub mod list;
pub mod live;
pub mod message;

use jiff::{Timestamp, tz::TimeZone};
use maud::{DOCTYPE, Markup, html};
use plimsoll_report::frame;
use plimsoll_text::printable_line;

/// A page with its heading; `scripts` are loaded beside that of reports, which has the theme.
fn page(title: &str, scripts: &[&str], main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – Plimsoll" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/-/report.css";
                link rel="stylesheet" href="/-/serve.css";
                script src="/-/report.js" defer {}
                @for script in scripts { script src={ "/-/" (script) } defer {} }
            }
            body {
                header.top {
                    a.home href="/" aria-label="Plimsoll: all executions" { (frame::brand()) }
                    nav aria-label="Pages" { a href="/" { "All executions" } }
                    button #theme type="button" hidden { "Dark" }
                }
                main { (main) }
                div #tip role="status" hidden {}
            }
        }
    }
}

/// Text of a record on one line, of at most `most` characters.
fn cut(text: &str, most: usize) -> String {
    let line = printable_line(text);
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.into_owned(),
    }
}

/// Text of a record, cut if it is too long, whose direction may be right to left; all of it is shown on hover.
fn shown(text: &str, most: usize) -> Markup {
    let is_cut = text.chars().nth(most).is_some();
    html! { bdi title=[is_cut.then(|| printable_line(text))] { (cut(text, most)) } }
}

/// `2026-11-24 07:30`, in UTC.
fn moment(at: Option<Timestamp>) -> Markup {
    let Some(at) = at else { return html! { "–" } };
    let text = at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M").to_string();
    html! { time datetime=(at) { (text) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_records_is_escaped_and_cut() {
        let hostile = "<script>alert('x')</script>\u{1b}[31m\u{202e}\n\"".to_owned() + &"長".repeat(300);
        let markup = shown(&hostile, 60).into_string();
        let (whole, text) = markup.split_once("\">").unwrap();
        assert!(whole.starts_with("<bdi title=\"&lt;script") && !whole.contains('\u{1b}'), "{whole}");
        assert!(text.contains("&lt;script&gt;alert('x')&lt;/script&gt;�[31m� &quot;長"), "{text}");
        assert!(!text.contains("<script") && text.contains("…</bdi>"), "{text}");
        assert_eq!(cut(&hostile, 60).chars().count(), 61);
        assert_eq!(shown("a", 60).into_string(), "<bdi>a</bdi>");
    }

    #[test]
    fn moments_are_those_of_utc() {
        let text = moment("2026-11-24T07:30:59.5Z".parse().ok()).into_string();
        assert_eq!(text, "<time datetime=\"2026-11-24T07:30:59.5Z\">2026-11-24 07:30</time>");
        assert_eq!(moment(None).into_string(), "–");
    }
}
