//! The first answer, on one screen: a line for each variant, claims, thresholds, the findings that matter, and the way
//! to the rest.

use plimsoll_analysis::{
    Results,
    results::{ClaimResult, Explanation, Verdict, Weight},
};
use plimsoll_text::{
    columns::{self, padded},
    count, counted,
};

use super::{
    blocks::{characters, claim_ink, ink},
    layout::{Ink, Page},
};
use crate::{
    Style,
    content::{
        Table, benchmarks, block, brief, chain, claims, curve, explanation, findings, line,
        load::{self, LevelOfLoad},
        problems, proof, summary, thresholds,
    },
};

/// Lines of the whole answer; one is left for the path of the report with charts, which `run` adds.
const LINES: usize = 24;
/// The most explanations that are told.
const LIMITS: usize = 6;
/// Explanations and claims that are told even if rows would fill the screen.
const LIMITS_LEAST: usize = 2;
const CLAIMS_LEAST: usize = 2;
/// Rows of a table that are shown even if all else would fill the screen.
const ROWS_LEAST: usize = 3;
/// Findings that are told even if claims would fill the screen.
const FINDINGS_LEAST: usize = 2;
/// Width of the longest verdict.
const VERDICT: usize = 11;
/// Lines of the footer: an empty one, and the way to the full report.
const FOOTER: usize = 2;

/// The first answer, in at most 24 lines.
pub fn render(results: &Results, style: &Style) -> String {
    let mut page = Page::new(style);
    page.heading(summary::title(results));
    page.line_of(&summary::line(results));
    let found = told(results);
    results.proof.iter().for_each(|it| page.table(&proof::table(it)));
    match load::levels_of(results).as_slice() {
        // The table of the changes says all.
        _ if results.proof.is_some() => {}
        _ if explanation::is_alone(results) => explanations(&mut page, results, style),
        _ if !results.lines.is_empty() => lines(&mut page, results, &found),
        [] => experiment(&mut page, results, &found),
        [only] if results.levels.len() == 1 => single_load(&mut page, results, only, &found),
        levels => loads(&mut page, results, levels, &found),
    }
    if !explanation::is_alone(results) {
        let room = room(&page).saturating_sub(of_findings(&found) + of_claims(results));
        limits(&mut page, results, room);
    }
    if results.proof.is_none() {
        let room = room(&page).saturating_sub(of_findings(&found));
        verdicts(&mut page, results, room);
    }
    let room = room(&page);
    finding_lines(&mut page, &found, room);
    page.empty_line();
    page.note(&format!("All figures: plimsoll report {} --full; charts: --format html -o FILE", results.execution.id));
    page.finish()
}

/// Lines that are left above the footer.
fn room(page: &Page) -> usize {
    (LINES - FOOTER).saturating_sub(page.lines())
}

fn experiment(page: &mut Page, results: &Results, found: &[Told]) {
    brief::variants(results).iter().for_each(|it| table(page, it, "variant", of_rest(results, found)));
    benchmarks::scores_of_all(results).iter().for_each(|it| table(page, it, "score", of_rest(results, found)));
}

/// Adds as many rows as leave `rest` lines for what follows, and the number of further ones, each called `one`.
fn table(page: &mut Page, whole: &Table, one: &str, rest: usize) {
    // A title after an empty line, the heads, their rule, and the line with the number of further rows.
    let frame = if whole.title.is_empty() { 3 } else { 5 };
    let most = room(page).saturating_sub(rest + frame).max(ROWS_LEAST);
    // A single further row takes no more room than the line about it.
    if whole.rows.len() <= most + 1 {
        return page.table(whole);
    }
    let rows = whole.rows[..most].to_vec();
    page.table(&Table { rows, ..whole.clone() });
    let more = counted((whole.rows.len() - most) as u64, &format!("more {one}"));
    page.note(&format!("and {more}: --full"));
}

/// The fewest lines that limits, claims and findings take.
fn of_rest(results: &Results, found: &[Told]) -> usize {
    let limits = match results.explanations.len() {
        _ if explanation::is_alone(results) => 0,
        0 => 0,
        all => all.min(LIMITS_LEAST) + 2,
    };
    limits + of_claims(results) + of_findings(found)
}

/// The fewest lines that claims and thresholds take.
fn of_claims(results: &Results) -> usize {
    let least = |all: usize| if all == 0 { 0 } else { all.min(CLAIMS_LEAST) + 2 };
    least(results.claims.len()) + least(results.thresholds.len())
}

/// Adds as many explanations as there is room for, the first in any case.
fn explanations(page: &mut Page, results: &Results, style: &Style) {
    let all = &results.explanations;
    for (index, one) in all.iter().enumerate() {
        let mut alone = Page::new(style);
        explained(&mut alone, one);
        // Further explanations take a line with their number.
        let is_last = index + 1 == all.len();
        if index > 0 && alone.lines() + usize::from(!is_last) > room(page) {
            let more = counted((all.len() - index) as u64, "more explanation");
            return page.note(&format!("and {more}: --full"));
        }
        explained(page, one);
    }
}

fn explained(page: &mut Page, one: &Explanation) {
    page.empty_line();
    page.labelled(&explanation::first_facts(one));
    chain::line(&one.chain).iter().for_each(|line| page.labelled(&[("chain", line.clone())]));
}

/// The first limit of each level that was explained, a line each.
fn limits(page: &mut Page, results: &Results, room: usize) {
    let most = LIMITS.min(room.saturating_sub(2).max(LIMITS_LEAST));
    let shown = &results.explanations[..results.explanations.len().min(most)];
    if shown.is_empty() {
        return;
    }
    let of_all = match results.explanations.len() {
        all if all > shown.len() => format!(" ({} of {})", shown.len(), count(all as u64)),
        _ => String::new(),
    };
    page.heading(&format!("First to give way{of_all}"));
    let places: Vec<String> = shown.iter().map(|it| explanation::place(results, it).unwrap_or_default()).collect();
    let longest = columns::widest(places.iter().map(String::as_str));
    for (place, one) in places.iter().zip(shown) {
        let text = explanation::in_short(one);
        match longest {
            0 => page.line_of(&text),
            _ => page.marked_line(&padded(place, longest), Ink::Plain, &text, ""),
        }
    }
}

/// The fewest lines that findings take.
fn of_findings(found: &[Told]) -> usize {
    if found.is_empty() { 0 } else { found.len().min(FINDINGS_LEAST) + 2 }
}

/// Adds load lines that were searched for; the curve of a single search as far as findings leave room.
fn lines(page: &mut Page, results: &Results, found: &[Told]) {
    let Some((lines, search)) = line::of_one_search(results) else {
        return line::table(results).iter().for_each(|it| table(page, it, "line", of_rest(results, found)));
    };
    // If there are several lines, only the interval of each has room, which comes first.
    let most = if lines.len() == 1 { usize::MAX } else { 1 };
    let of_lines = lines.iter().flat_map(|it| line::facts(it, &it.searches[0]).into_iter().take(most));
    let of_search = line::critical(results).into_iter().chain(line::facts_of_search(&lines[0], search));
    page.empty_line();
    page.labelled(&of_lines.chain(of_search).collect::<Vec<_>>());
    if let [only] = lines {
        let room = (LINES - FOOTER).saturating_sub(page.lines() + of_findings(found) + 1 + curve::FRAME);
        characters(page, &curve::characters(only, search, room.min(curve::ROWS)).unwrap_or_default());
    }
}

/// Facts and times of the only level.
fn single_load(page: &mut Page, results: &Results, of: &LevelOfLoad<'_>, found: &[Told]) {
    let LevelOfLoad { heading, offered, level } = of;
    let mut facts = load::first_facts(offered, level);
    let kinds = level.totals.errors.iter().map(|(kind, error)| format!("{kind}: {}", count(error.count)));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    if !kinds.is_empty() {
        facts.push(("Errors", kinds));
    }
    page.facts(heading, &facts);
    if level.totals.counts.succeeded > 0 {
        page.empty_line();
        page.table(&brief::times(level));
        // Verdicts matter more than the reason.
        let verdicts = results.claims.len() + results.thresholds.len() + of_claims(results);
        let why_missing = brief::why_missing(level).filter(|_| room(page) > verdicts + of_findings(found));
        why_missing.iter().for_each(|why| page.note(why));
    }
}

fn loads(page: &mut Page, results: &Results, levels: &[LevelOfLoad<'_>], found: &[Told]) {
    page.heading(&counted(levels.len() as u64, "level"));
    brief::levels_of_load(results).iter().for_each(|it| table(page, it, "level", of_rest(results, found)));
}

/// Adds claims and thresholds; if there is no room for all, those that fail come first.
fn verdicts(page: &mut Page, results: &Results, mut room: usize) {
    let (claims, thresholds) = (&results.claims, &results.thresholds);
    if let Some(tally) = claims::tally(claims) {
        page.heading(&format!("Claims: {tally}"));
        room = room.saturating_sub(2);
        let shown = most_urgent(claims, room, |claim| rank(claim.verdict));
        room -= shown.len();
        shown.into_iter().for_each(|claim| claim_line(page, claim));
    }
    if let Some(tally) = thresholds::tally(thresholds) {
        page.heading(&tally);
        for threshold in most_urgent(thresholds, room.saturating_sub(2), |threshold| u8::from(threshold.is_kept)) {
            let text = format!("{}  ({})", threshold.threshold, thresholds::measured(threshold));
            let verdict = format!("{:<VERDICT$}", thresholds::verdict(threshold));
            page.marked_line(&verdict, if threshold.is_kept { Ink::Good } else { Ink::Bad }, &text, "");
        }
    }
}

/// Claims that fail come first, then those that are undecided.
const fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Fails => 0,
        Verdict::Undecided => 1,
        Verdict::Holds => 2,
    }
}

/// The items of the lowest rank, at most `room` of them, in their order.
fn most_urgent<T>(all: &[T], room: usize, rank: impl Fn(&T) -> u8) -> Vec<&T> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&index| rank(&all[index]));
    order.truncate(room);
    order.sort_unstable();
    order.into_iter().map(|index| &all[index]).collect()
}

fn claim_line(page: &mut Page, claim: &ClaimResult) {
    let word = format!("{} {:<2$}", claims::mark(claim.verdict), claims::word(claim.verdict), VERDICT - 2);
    let figure = claims::figure(claim).map_or_else(String::new, |figure| format!("  {figure}"));
    page.marked_line(&word, claim_ink(claim.verdict), &claim.says, &figure);
}

/// Word, colour and text of a line about a finding.
type Told = (&'static str, Ink, String);

/// Variants with fewer figures than planned, then findings, the gravest first: all warnings, or some others if there
/// are none.
fn told(results: &Results) -> Vec<Told> {
    let problems = problems::variants(results)
        .map(|(variant, problem)| ("warning", Ink::Doubt, format!("{variant}: {}", findings::sentence(problem))));
    let groups = findings::groups(results);
    let has_warnings = groups.iter().any(|group| group.first.weight > Weight::Info);
    let matters = groups.iter().filter(|group| group.first.weight > Weight::Info || !has_warnings);
    let of_findings = matters
        .map(|group| (findings::word(group.first.weight), ink(block::tone_of(group.first.weight)), group.line()));
    problems.chain(of_findings).collect()
}

fn finding_lines(page: &mut Page, found: &[Told], room: usize) {
    let shown = found.len().min(room.saturating_sub(2));
    if shown == 0 {
        return;
    }
    let of_all =
        if shown < found.len() { format!(" ({shown} of {})", count(found.len() as u64)) } else { String::new() };
    page.heading(&format!("Findings{of_all}"));
    let longest = found[..shown].iter().map(|(word, ..)| word.len()).max().unwrap_or_default();
    for (word, ink, text) in &found[..shown] {
        page.marked_line(&format!("{word:<longest$}"), *ink, text, "");
    }
}
