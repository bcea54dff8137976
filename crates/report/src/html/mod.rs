//! The report for a browser: one file that needs nothing else, light or dark, on paper and on a phone.

mod curves;
mod figures;
mod first;
mod parts;
mod prose;
mod run;
mod timeline;
mod verdict;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use plimsoll_analysis::Results;

use crate::{Style, content::summary};

/// Nothing may be loaded: the page must be the same wherever it is opened.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The page.
pub fn render(results: &Results, _: &Style) -> String {
    page(results).into_string()
}

/// A part of the page: the anchor, the heading, and what it holds; none if there is nothing to show.
struct Section {
    id: &'static str,
    title: &'static str,
    body: Markup,
}

/// The parts in the order in which they tell the story.
fn sections(results: &Results) -> Vec<Section> {
    let all = [
        ("claims", "Claims", verdict::claims(results)),
        ("thresholds", "Thresholds", prose::thresholds(results)),
        ("benchmarks", "Benchmarks", prose::benchmarks(results)),
        ("throughput", "Throughput", figures::throughput(results)),
        ("response-time", "Response time", figures::response(results)),
        ("load", "The load", figures::load(results)),
        ("percentiles", "Percentiles", curves::section(results)),
        ("first-requests", "First requests", first::section(results)),
        ("time-line", "Time line", timeline::section(results)),
        ("errors", "Errors by kind", figures::errors(results)),
        ("sockets", "Sockets", figures::sockets(results)),
        ("upstream", "Upstream", figures::upstream(results)),
        ("target", "The target’s own metrics", prose::target(results)),
        ("start-up", "Start-up and peaks", figures::resources(results)),
        ("ratios", "Compared", prose::ratios(results)),
        ("limits", "Ceilings and Little’s law", prose::limits(results)),
        ("published", "Published beside ours", prose::published(results)),
        ("findings", "Findings", prose::findings(results)),
        ("runs", "Runs", run::section(results)),
        ("environment", "Environment", prose::environment(results)),
        ("reading", "How to read this", Some(prose::reading())),
    ];
    all.into_iter().filter_map(|(id, title, body)| Some(Section { id, title, body: body? })).collect()
}

fn page(results: &Results) -> Markup {
    let sections = sections(results);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (summary::title(results)) " – Plimsoll" }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                header.top {
                    (parts::brand())
                    nav aria-label="Sections" {
                        @for section in &sections { a href={ "#" (section.id) } { (section.title) } }
                    }
                    button #theme type="button" hidden { "Dark" }
                }
                main {
                    (verdict::hero(results))
                    @for section in &sections {
                        section id=(section.id) {
                            h2 { (section.title) }
                            (section.body)
                        }
                    }
                }
                footer {
                    "Made by Plimsoll " (results.environment.plimsoll) " from the record of execution "
                    (results.execution.id) "."
                }
                div #tip role="status" hidden {}
                script { (PreEscaped(include_str!("script.js"))) }
            }
        }
    }
}
