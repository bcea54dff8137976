//! Blocks of the outline as HTML.

use maud::{Markup, html};
use plimsoll_analysis::{Results, results::Verdict};

use super::{curves, explanation, figures, first, line, packagings, parts, requests, run, timeline};
use crate::content::{
    block::{Block, Figure, Item, Judged, Tone},
    claims, load,
};

/// A block; none if a page does not show it. Drawings need the results.
pub fn block(block: &Block, results: Option<&Results>) -> Option<Markup> {
    Some(match block {
        Block::Heading(text) => html! { h3 { (text) } },
        Block::Text(text) => html! { p { (text) } },
        Block::Aside(text) => html! { p.aside { (text) } },
        Block::Table(table) => parts::table(table),
        Block::Folded(summary, blocks) => html! {
            details { summary { (summary) } @for part in all(blocks, results) { (part) } }
        },
        Block::Facts(facts) => parts::facts(facts),
        Block::Claims(claims) => html! { ol.claims { @for claim in claims { (judged(claim)) } } },
        Block::Items(items) => html! { ul.notes { @for Item { tone, word, text } in items {
            li.warning[*tone != Tone::Plain] { strong { (word) } " " (text) }
        } } },
        // The drawing of the runs has all their outputs.
        Block::Output(..) | Block::Histogram(_) | Block::Characters(_) => return None,
        Block::Drawn { figure, .. } | Block::Figure(figure) => return draw(*figure, results?),
    })
}

/// The blocks that a page shows.
pub fn all(blocks: &[Block], results: Option<&Results>) -> Vec<Markup> {
    blocks.iter().filter_map(|it| block(it, results)).collect()
}

fn draw(figure: Figure, results: &Results) -> Option<Markup> {
    match figure {
        Figure::Chain(index) => explanation::draw_chain(results, index),
        Figure::WhereRequestsAre(index) => requests::draw(results, index),
        Figure::RequestsByLoad(index) => requests::draw_by_load(results, index),
        Figure::LineIntervals => figures::lines(results),
        Figure::LineCurve => line::section(results),
        Figure::Throughput => figures::throughput(results),
        Figure::ResponseTime => figures::response(results),
        Figure::Percentiles => curves::section(results),
        Figure::FirstRequests => first::section(results),
        Figure::TimeLine => timeline::section(results),
        Figure::Resources => figures::resources(results),
        Figure::Packagings => packagings::section(results),
        Figure::Runs => run::section(results),
        Figure::Reading => Some(reading()),
        // These are drawn in characters, for formats that cannot do better.
        Figure::LevelBars(_) | Figure::FirstBars(_) | Figure::PackagingBars | Figure::TimeWait => None,
    }
}

fn judged(claim: &Judged) -> Markup {
    html! {
        li class=(claims::word(claim.verdict)) {
            p.verdict { (badge(claim.verdict)) }
            div {
                p.says { (claim.says) }
                p.judged {
                    @if let Some(figure) = &claim.figure { strong { (figure) } " " }
                    code { (claim.expression) }
                }
                @for text in &claim.details { p.reason { (text) } }
            }
        }
    }
}

/// A verdict as a badge.
pub fn badge(verdict: Verdict) -> Markup {
    let word = claims::word(verdict);
    html! { span class={ "badge " (word) } { (claims::mark(verdict)) " " (word) } }
}

/// The meaning of the report's words.
fn reading() -> Markup {
    html! {
        dl.facts {
            div { dt { "Response and service time" } dd { (load::RESPONSE_OR_SERVICE)
                " The difference is what waiting for a free connection or a late generator adds." } }
            div { dt { "Median and rounds" } dd { "Every figure is taken in each round on its own. "
                "Shown is the median of the rounds; of throughput, start-up, CPU and memory with the interval over rounds in brackets, from three rounds on, and of other figures with the least and the greatest. In charts each round is a dot. Percentiles are never averaged." } }
            div { dt { "Interval" } dd { "Where the truth lies, right in 95 of 100 experiments, with three rounds as with thirty. The estimate before it is its own centre: the typical round, by the geometric mean. "
                "A claim holds only if the whole interval satisfies it, fails if no part does, and is undecided otherwise." } }
            div { dt { "99.9 %" } dd { "One of a thousand requests took longer. The percentile axis gives every further nine as much room as the one before." } }
            div { dt { "Charts" } dd { "Point at a mark for its values; or tab to a chart and use the arrow keys. "
                "Press a variant in a legend, or a row, to make it stand out everywhere." } }
        }
    }
}
