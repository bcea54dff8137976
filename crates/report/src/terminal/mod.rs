//! The report for a terminal: no line is wider than the style allows.

mod brief;
mod layout;
mod load;

use plimsoll_analysis::{
    Results,
    results::{PublishedResults, RunResults, ThresholdResult, Verdict, Weight},
};

use crate::{
    Style,
    content::{
        benchmarks, claims, environment, findings, first, levels, limits, load as content, problems, published, ratios,
        resources, summary, thresholds, watched,
    },
};
use layout::{Ink, Page};

/// The first answer, or everything.
pub fn render(results: &Results, style: &Style) -> String {
    if style.is_brief { brief::render(results, style) } else { full(results, style) }
}

/// From the figures to where they were measured.
fn full(results: &Results, style: &Style) -> String {
    let mut page = Page::new(style);
    page.heading(summary::title(results));
    page.text(&summary::line(results), 0);
    match content::levels_of(results).as_slice() {
        [] => experiment_report(&mut page, results),
        levels => load_report(&mut page, results, levels),
    }
    page.facts("Environment", &environment::lines(results));
    page.finish()
}

fn load_report(page: &mut Page, results: &Results, levels: &[content::LevelOfLoad<'_>]) {
    load::lay_out(page, levels);
    first_requests(page, results);
    threshold_lines(page, results);
    limit_lines(page, results);
    finding_lines(page, results);
    problem_lines(page, results);
}

fn experiment_report(page: &mut Page, results: &Results) {
    for table in levels::tables(results) {
        page.table(&table);
    }
    let benchmarks = benchmarks::tables(results);
    if !benchmarks.is_empty() {
        benchmarks.iter().for_each(|table| page.table(table));
        page.note(benchmarks::HOW_TO_READ);
    }
    if let Some(table) = resources::table(results) {
        page.table(&table);
    }
    if !results.levels.is_empty() {
        page.note(
            "Throughput, errors and start-up: median over rounds [least – greatest]. Times: response time, median over \
             rounds.",
        );
    }
    for (table, how_to_read) in watched(results) {
        page.table(&table);
        page.note(how_to_read);
    }
    let ratios = ratios::tables(results, ratios::BRIEF);
    if !ratios.is_empty() {
        ratios.iter().for_each(|table| page.table(table));
        page.note(ratios::HOW_TO_READ);
    }
    first_requests(page, results);
    limit_lines(page, results);
    claim_lines(page, results);
    threshold_lines(page, results);
    if let Some(published) = &results.published {
        published_lines(page, published);
    }
    finding_lines(page, results);
    problem_lines(page, results);
}

fn first_requests(page: &mut Page, results: &Results) {
    let tables = first::tables(results);
    if tables.is_empty() {
        return;
    }
    tables.iter().for_each(|table| page.table(table));
    page.note(first::HOW_TO_READ);
    let inside = first::inside(results);
    inside.iter().for_each(|table| page.table(table));
    if !inside.is_empty() {
        page.note(first::HOW_TO_READ_INSIDE);
    }
}

fn limit_lines(page: &mut Page, results: &Results) {
    let limits = limits::of(results);
    if limits.is_empty() {
        return;
    }
    page.heading("Ceilings and Little’s law");
    for level in limits {
        page.text(&format!("{}: {}", level.level, level.law), 2);
        level.ceilings.iter().for_each(|text| page.text(&format!("  {text}"), 4));
    }
}

fn claim_lines(page: &mut Page, results: &Results) {
    let Some(tally) = claims::tally(&results.claims) else { return };
    page.heading(&format!("Claims: {tally}"));
    for claim in &results.claims {
        let word = format!("{} {}", claims::mark(claim.verdict), claims::word(claim.verdict));
        page.marked(&word, claim_ink(claim.verdict), &claim.says);
        let figure = claims::figure(claim).map(|figure| format!("{figure}  ")).unwrap_or_default();
        page.text(&format!("  {figure}{}", claim.expression), 4);
        if claim.verdict != Verdict::Holds && !claim.reason.is_empty() {
            page.text(&format!("  {}", claim.reason), 4);
        }
        if let Some(explanation) = findings::explanation(claim) {
            page.text(&format!("  {explanation}"), 4);
        }
    }
}

fn threshold_lines(page: &mut Page, results: &Results) {
    let Some(tally) = thresholds::tally(&results.thresholds) else { return };
    page.heading(&tally);
    for threshold in &results.thresholds {
        let of = if results.variants.len() > 1 { format!("{}: ", threshold.variant) } else { String::new() };
        let text = format!("{of}{}  ({})", threshold.threshold, thresholds::measured(threshold));
        page.marked(thresholds::verdict(threshold), threshold_ink(threshold), &text);
    }
}

/// Audit of published figures alone.
pub fn audit(published: &PublishedResults, style: &Style) -> String {
    let mut page = Page::new(style);
    audit_lines(&mut page, published);
    page.finish()
}

fn published_lines(page: &mut Page, published: &PublishedResults) {
    page.heading("Published beside ours");
    page.text(&published.source, 0);
    published::tables(published).iter().for_each(|table| page.table(table));
    audit_lines(page, published);
}

/// The first finding of each kind: the others differ in their figures.
fn audit_lines(page: &mut Page, published: &PublishedResults) {
    published::how_to_read(published).iter().for_each(|text| page.note(text));
    for explanation in published::explanations(published) {
        let ink = ink(explanation.finding.weight);
        let Some(((row, text), others)) = explanation.rows.split_first() else { continue };
        let others: Vec<&str> = others.iter().map(|(row, _)| row.as_str()).collect();
        let others = if others.is_empty() { String::new() } else { format!(" The same of {}.", others.join(", ")) };
        page.marked(&explanation.heading(), ink, &format!("{row}: {text} {}{others}", explanation.finding.remedy));
    }
}

fn finding_lines(page: &mut Page, results: &Results) {
    if results.findings.is_empty() {
        return;
    }
    page.heading("Findings");
    for group in findings::groups(&results.findings) {
        let weight = group.first.weight;
        page.marked(findings::word(weight), ink(weight), &group.text());
    }
}

const fn claim_ink(verdict: Verdict) -> Ink {
    match verdict {
        Verdict::Holds => Ink::Good,
        Verdict::Fails => Ink::Bad,
        Verdict::Undecided => Ink::Doubt,
    }
}

const fn threshold_ink(threshold: &ThresholdResult) -> Ink {
    if threshold.is_kept { Ink::Good } else { Ink::Bad }
}

const fn ink(weight: Weight) -> Ink {
    match weight {
        Weight::Info => Ink::Plain,
        Weight::Warning => Ink::Doubt,
        Weight::Contradiction => Ink::Bad,
    }
}

fn problem_lines(page: &mut Page, results: &Results) {
    let problems: Vec<_> = problems::variants(results).collect();
    if problems.is_empty() {
        return;
    }
    page.heading("Variants with fewer figures than planned");
    for (variant, problem) in problems {
        page.marked(variant, Ink::Doubt, problem);
        let last = results.runs.iter().rfind(|run| run.variant == variant && !run.output_tail.is_empty());
        last.into_iter().for_each(|run| output(page, run));
    }
}

/// The last lines that the target wrote before it died.
fn output(page: &mut Page, run: &RunResults) {
    const LINES: usize = 8;
    let tail = &run.output_tail[run.output_tail.len().saturating_sub(LINES)..];
    tail.iter().for_each(|line| page.verbatim(&format!("  | {line}")));
}
