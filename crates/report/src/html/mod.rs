//! The report for a browser: one file that needs nothing else, light or dark, on paper and on a phone.

mod blocks;
pub mod comparison;
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
use plimsoll_analysis::{Results, results::Comparison};

use crate::{
    Style,
    content::{outline, part::Part, summary},
};

/// Nothing may be loaded: the page must be the same wherever it is opened.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The page.
pub fn render(results: &Results, _: &Style) -> String {
    page(results, &html! {}, None).into_string()
}

/// The page, with a comparison before all sections.
pub fn against(results: &Results, compared: &Comparison) -> String {
    page(results, &html! {}, Some(compared)).into_string()
}

/// A section of the outline that has something to show.
pub struct Section {
    id: &'static str,
    title: &'static str,
    body: Vec<Markup>,
}

fn sections(results: &Results) -> Vec<Section> {
    let section = |it: &outline::Section| Section {
        id: it.id,
        title: it.title,
        body: blocks::all(&(it.blocks)(results), Some(results)),
    };
    outline::SECTIONS.iter().map(section).filter(|it| !it.body.is_empty()).collect()
}

/// The page, with `above` at its top.
fn page(results: &Results, above: &Markup, compared: Option<&Comparison>) -> Markup {
    let sections: Vec<Section> = compared.map(comparison::section).into_iter().chain(sections(results)).collect();
    let footer = html! {
        "Made by Plimsoll " (results.environment.plimsoll) " from the record of execution " (results.execution.id) "."
    };
    shell(summary::title(results), above, &sections, &verdict::hero(results), &footer)
}

/// A self-contained page around sections.
fn shell(title: &str, above: &Markup, sections: &[Section], hero: &Markup, footer: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (title) " – Plimsoll" }
                style { (PreEscaped(frame::STYLE)) }
            }
            body {
                (above)
                header.top {
                    (parts::brand())
                    nav aria-label="Sections" {
                        @for section in sections { a href={ "#" (section.id) } { (section.title) } }
                    }
                    button #theme type="button" hidden { "Dark" }
                }
                main {
                    (hero)
                    @for section in sections {
                        section id=(section.id) {
                            h2 { (section.title) }
                            @for part in &section.body { (part) }
                        }
                    }
                }
                footer { (footer) }
                div #tip role="status" hidden {}
                script { (PreEscaped(frame::SCRIPT)) }
            }
        }
    }
}

/// A drawing below the names of its lines, each with the index of its colour; a single line needs none.
pub fn with_legend(names: &[(&str, usize)], drawing: &Markup) -> Markup {
    html! { @if !names.is_empty() { (parts::lines_legend(names)) } (drawing) }
}

/// A page of sections that are made of blocks alone.
pub fn of_blocks(title: &str, kicker: &str, lede: &str, sections: &[Part]) -> String {
    of_blocks_below(&html! {}, title, kicker, lede, sections)
}

/// The same with `above` at its top.
fn of_blocks_below(above: &Markup, title: &str, kicker: &str, lede: &str, sections: &[Part]) -> String {
    let hero = html! {
        section.hero { p.kicker { (kicker) } h1.long { (title) } p.lede { (lede) } }
    };
    let drawn = |part: &Part| {
        let charts = part.charts.iter().map(|chart| html! { figure { (chart) } });
        let body = charts.chain(blocks::all(&part.blocks, None)).collect();
        Section { id: part.id, title: part.title, body }
    };
    let sections: Vec<Section> = sections.iter().map(drawn).filter(|it| !it.body.is_empty()).collect();
    shell(title, above, &sections, &hero, &html! { "Made by Plimsoll " (env!("CARGO_PKG_VERSION")) "." }).into_string()
}
