//! The report for a browser: one file that needs nothing else, light or dark, on paper and on a phone.

mod blocks;
mod curves;
mod explanation;
mod figures;
mod first;
pub mod frame;
mod line;
mod packagings;
mod parts;
mod requests;
mod run;
mod timeline;
mod verdict;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use plimsoll_analysis::Results;

use crate::{
    Style,
    content::{outline, summary},
};

/// Nothing may be loaded: the page must be the same wherever it is opened.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The page.
pub fn render(results: &Results, _: &Style) -> String {
    page(results, html! {}).into_string()
}

/// A section of the outline that has something to show.
struct Section {
    id: &'static str,
    title: &'static str,
    body: Vec<Markup>,
}

fn sections(results: &Results) -> Vec<Section> {
    let section = |it: &outline::Section| Section {
        id: it.id,
        title: it.title,
        body: blocks::all(&(it.blocks)(results), results),
    };
    outline::SECTIONS.iter().map(section).filter(|it| !it.body.is_empty()).collect()
}

/// The page, with `above` at its top.
fn page(results: &Results, above: Markup) -> Markup {
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
                style { (PreEscaped(frame::STYLE)) }
            }
            body {
                (above)
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
                            @for part in &section.body { (part) }
                        }
                    }
                }
                footer {
                    "Made by Plimsoll " (results.environment.plimsoll) " from the record of execution "
                    (results.execution.id) "."
                }
                div #tip role="status" hidden {}
                script { (PreEscaped(frame::SCRIPT)) }
            }
        }
    }
}
