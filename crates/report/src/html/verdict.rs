//! The opening: title and summary of the execution, and the claim to lead with.

use maud::{Markup, PreEscaped, html};
use plimsoll_analysis::{
    Results,
    results::{ClaimResult, Figure, LevelResults},
};
use plimsoll_record::ExecutionStatus;
use plimsoll_text::{
    counted,
    number::{NONE, errors_percent, sig3, time},
};

use super::blocks::badge;
use crate::{
    content::{claims, levels::with_range_as, load, problems, summary},
    prose,
};

/// Title, summary, key finding.
pub fn hero(results: &Results) -> Markup {
    let words = summary::title(results).split_whitespace();
    let is_long = summary::title(results).chars().count() > 64 || words.into_iter().any(|word| word.len() > 20);
    html! {
        section.hero {
            p.kicker { (summary::line(results)) }
            h1.long[is_long] { (summary::title(results)) }
            p.lede { (lede(results)) }
            @if !results.claims.is_empty() {
                p.strip aria-hidden="true" {
                    @for claim in &results.claims {
                        span class={ "chip " (claims::word(claim.verdict)) } { (claims::mark(claim.verdict)) }
                    }
                }
            }
            @if let Some(claim) = claims::key(&results.claims) { (key_finding(claim)) }
            @if let Some(level) = load::single(results) { (tiles(level)) }
            @if !results.execution.description.is_empty() {
                div.prose { (PreEscaped(prose::html(&results.execution.description))) }
            }
        }
    }
}

/// One paragraph: the tally of claims, how much was run, what is missing.
fn lede(results: &Results) -> String {
    let execution = &results.execution;
    let mut sentences: Vec<String> =
        claims::tally(&results.claims).into_iter().map(|tally| format!("{tally}.")).collect();
    sentences.push(match load::single(results) {
        Some(_) => format!("{}.", load::in_words(&results.levels[0].load)),
        None if results.levels.is_empty() => format!(
            "{}, {}{}.",
            counted(results.variants.len() as u64, "variant"),
            summary::rounds(results),
            summary::pace(results).map_or_else(String::new, |pace| format!(", {pace}")),
        ),
        None => format!(
            "{} at {}, {}{}.",
            counted(results.variants.len() as u64, "variant"),
            counted(results.levels.len() as u64, "level"),
            summary::rounds(results),
            summary::pace(results).map_or_else(String::new, |pace| format!(", {pace}")),
        ),
    });
    if execution.status != ExecutionStatus::Done {
        sentences.push(format!("The execution is {}.", summary::status(execution.status)));
    }
    match problems::variants(results).count() {
        0 => {}
        1 => sentences.push("One variant has fewer figures than planned.".to_owned()),
        several => sentences.push(format!("{several} variants have fewer figures than planned.")),
    }
    sentences.join(" ")
}

fn key_finding(claim: &ClaimResult) -> Markup {
    html! {
        div class={ "finding " (claims::word(claim.verdict)) } {
            @if let Some(value) = claims::value(claim) {
                p.figure { (value) @if claim.unit.is_empty() { span.times { "×" } } }
            }
            div {
                p.verdict { (badge(claim.verdict)) }
                p.says { (claim.says) }
                @if let Some(interval) = claims::interval(claim) {
                    p.interval { "95 % interval " (interval) }
                }
            }
        }
    }
}

/// Tiles with the main figures of a level.
fn tiles(level: &LevelResults) -> Markup {
    let median = Some(&level.response.median_ms).filter(|it| !it.rounds.is_empty());
    let shown = |figure: Option<&Figure>| figure.map_or(NONE.to_owned(), |it| time(it.median));
    let figures = [
        ("Throughput", format!("{}/s", sig3(level.throughput_per_s.median))),
        ("Median response", shown(median)),
        ("99th percentile", shown(level.response.p99_ms.as_ref())),
        (
            "Errors",
            level.errors_percent().map_or(NONE.to_owned(), |it| format!("{} %", with_range_as(&it, errors_percent))),
        ),
    ];
    html! { div.tiles { @for (label, figure) in figures { div { p.figure { (figure) } p { (label) } } } } }
}
