//! Sections of words and tables.

use maud::{Markup, html};
use plimsoll_analysis::{Results, results::Weight};

use super::parts;
use crate::content::{benchmarks, environment, findings, limits, load, published, ratios, target, thresholds};

/// Each variant against the baseline.
pub fn ratios(results: &Results) -> Option<Markup> {
    let tables = ratios::tables(results, ratios::ALL);
    (!tables.is_empty()).then(|| {
        html! {
            p { (ratios::HOW_TO_READ) }
            @for table in &tables { (parts::table(table)) }
        }
    })
}

/// Limits that the load had to keep.
pub fn thresholds(results: &Results) -> Option<Markup> {
    let tally = thresholds::tally(&results.thresholds)?;
    Some(html! {
        p { (tally) "." }
        @if let Some(table) = thresholds::table(&results.thresholds) { (parts::table(&table)) }
    })
}

/// Scores of benchmarks.
pub fn benchmarks(results: &Results) -> Option<Markup> {
    let tables = benchmarks::tables(results);
    (!tables.is_empty()).then(|| {
        html! {
            @for table in &tables { (parts::table(table)) }
            p { (benchmarks::HOW_TO_READ) }
        }
    })
}

/// Metrics of the targets.
pub fn target(results: &Results) -> Option<Markup> {
    let table = target::table(results)?;
    Some(html! {
        (parts::table(&table))
        p.aside { (target::HOW_TO_READ) }
    })
}

/// Ceilings by settings, and Little's law.
pub fn limits(results: &Results) -> Option<Markup> {
    let limits = limits::of(results);
    (!limits.is_empty()).then(|| {
        html! {
            p {
                "Requests in flight = throughput × time in the system: a figure that breaks this law is wrong. "
                "Where settings fix how many workers or connections there are and how long each request needs them, they also "
                "fix a ceiling."
            }
            dl.facts { @for level in limits { div {
                dt { (level.level) }
                dd { p { (level.law) } @for ceiling in level.ceilings { p { (ceiling) } } }
            } } }
        }
    })
}

/// Somebody else's figures, each with ours beside it.
pub fn published(results: &Results) -> Option<Markup> {
    let published = results.published.as_ref()?;
    Some(html! {
        p { (published.source) }
        @for table in published::tables(published) { (parts::table(&table)) }
        @if let Some(text) = published::how_to_read(published) { p { (text) } }
        dl.facts { @for explanation in published::explanations(published) { div {
            dt { (explanation.heading()) }
            dd {
                @for (row, text) in &explanation.rows { p { strong { (row) } ": " (text) } }
                p { (explanation.finding.remedy) }
            }
        } } }
    })
}

/// Findings.
pub fn findings(results: &Results) -> Option<Markup> {
    let groups = findings::groups(&results.findings);
    (!groups.is_empty()).then(|| {
        html! { ul.notes { @for group in &groups {
            li.warning[group.first.weight > Weight::Info] {
                strong { (findings::word(group.first.weight)) } " " (group.text())
            }
        } } }
    })
}

/// Where it ran.
pub fn environment(results: &Results) -> Option<Markup> {
    Some(parts::facts(&environment::lines(results)))
}

/// Meaning of the words.
pub fn reading() -> Markup {
    html! {
        dl.facts {
            div { dt { "Response and service time" } dd { (load::RESPONSE_OR_SERVICE)
                " The difference is what waiting for a free connection or a late generator adds." } }
            div { dt { "Median and range" } dd { "Every figure is taken in each round on its own. "
                "Shown are the median of the rounds and, in brackets or as a whisker, the least and the greatest. Percentiles are never averaged." } }
            div { dt { "Interval" } dd { "A 95 % bootstrap interval over rounds: where the value would lie if the rounds were drawn again. "
                "A claim holds only if the whole interval satisfies it, fails if no part does, and is undecided otherwise." } }
            div { dt { "99.9 %" } dd { "One of a thousand requests took longer. The percentile axis gives every further nine as much room as the one before." } }
            div { dt { "Charts" } dd { "Point at a mark for its values; or tab to a chart and use the arrow keys. "
                "Press a variant in a legend, or a row, to make it stand out everywhere." } }
        }
    }
}
