//! Parts of the report for pages around it: its look, its behaviour, and its charts of a run that goes on.

use maud::{Markup, html};
use plimsoll_analysis::{Results, RunResults, results::Comparison};

use super::{parts, timeline};
use crate::{cleaned, content::comparison as content};

/// Style sheet of the report: colours, type, tables and charts, light and dark.
pub const STYLE: &str = include_str!("style.css");

/// Script of the report: hover values and keys of charts, and the theme. Charts that are added later are announced by
/// an event `plimsoll-charts` at the element that holds them.
pub const SCRIPT: &str = include_str!("script.js");

/// A link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its address.
    pub href: String,
    /// Its words.
    pub text: String,
}

/// The report for a browser, with links to other pages above it.
pub fn page_among(results: &Results, links: &[Link]) -> String {
    cleaned(super::page(results, &bar(links), None).into_string())
}

/// A comparison for a browser, likewise.
pub fn comparison_among(comparison: &Comparison, links: &[Link]) -> String {
    let (title, line, verdict) = (content::title(comparison), content::line(comparison), content::verdict(comparison));
    cleaned(super::of_blocks_below(&bar(links), &title, &line, &verdict, &super::comparison::sections(comparison)))
}

fn bar(links: &[Link]) -> Markup {
    html! {
        nav.among aria-label="Around this report" {
            @for link in links { a href=(link.href) { (link.text) } }
        }
    }
}

/// The mark on a ship’s hull, and the name.
pub fn brand() -> Markup {
    parts::brand()
}

/// The charts of a run from `from_s` on, in seconds from the spawn of its target: those of the report’s time line.
pub fn time_line(run: &RunResults, from_s: f64) -> Markup {
    timeline::pane(run, from_s)
}
