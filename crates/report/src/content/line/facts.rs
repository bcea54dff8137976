//! The answer of a search, label by label.

use plimsoll_analysis::results::{LineEnd, LineResults, Outcome, Queue, SearchResults, TrialResults, Usage};
use plimsoll_text::{
    counted, joined,
    number::{in_full, lasting, sig3},
};

use super::{
    interval, load,
    loads::rate,
    recovery::{recovers, unrecovered},
};

/// Facts about a line, label by label.
pub fn facts(line: &LineResults, search: &SearchResults) -> Vec<(String, String)> {
    let label = if line.name.is_empty() { "load line".to_owned() } else { format!("load line {}", line.name) };
    let mut facts = vec![(label, format!("{}; {}", answer(line, search), joined(&line.objectives)))];
    let mut fact = |label: &str, text: String| facts.push((label.to_owned(), text));
    if let Some(end) = &search.lower {
        fact("carried", format!("{} for {}: {}", load(line, end.load()), lasting(end.offered_s), figures(line, end)));
    }
    if let Some(end) = &search.upper {
        fact("not carried", format!("{}: {}", load(line, end.load()), figures(line, end)));
    }
    facts
}

/// The answers of all searches for a line, each told once.
pub fn answers(line: &LineResults) -> String {
    let mut all: Vec<String> = line.searches.iter().map(|search| answer(line, search)).collect();
    all.dedup();
    if all.is_empty() { interval(line) } else { all.join("; ") }
}

/// `1,840 – 1,905/s, 95 % sure`, or where else the line lies.
fn answer(line: &LineResults, search: &SearchResults) -> String {
    let lowest = search.trials.iter().map(TrialResults::load).reduce(f64::min);
    match (search.outcome, lowest, &search.lower) {
        (Outcome::NeverHolds, Some(lowest), _) => format!("nowhere: not kept at {} either", load(line, lowest)),
        (Outcome::NeverHolds, None, _) => "nowhere: nothing succeeded while the capacity was looked for".to_owned(),
        (Outcome::AlwaysHolds, _, Some(end)) => {
            // The generator, or --max-in-flight, may have been the limit instead.
            let by_plan = if search.offered_most.is_none() && end.users.is_none() { " (--to)" } else { "" };
            format!("{} or more: kept at all that was offered{by_plan}", load(line, end.load()))
        }
        _ => interval(line),
    }
}

/// Facts about the search beside its lines, label by label; `line` is the first of them.
pub fn facts_of_search(line: &LineResults, search: &SearchResults) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut fact = |label: &str, text: String| facts.push((label.to_owned(), text));
    if let Some(capacity) = search.capacity_per_s {
        let warm = if search.is_warm { "" } else { "; it was still warming up when the search began" };
        fact("capacity", format!("{} with virtual users that do not pause{warm}", rate(capacity)));
    }
    if let Some(most) = search.offered_most {
        fact("generator", format!("offers at most {}, so that nothing is known beyond", load(line, most)));
    }
    if let Some(text) = at_the_line(&search.usage) {
        fact("at the line", text);
    }
    if let Some(text) = search.recovery.as_ref().and_then(recovers) {
        fact("recovers", text);
    }
    if let Some(found) = search.unrecovered {
        fact("metastable", unrecovered(found));
    }
    fact("search", effort(line, search));
    facts
}

/// `1.71 of 2 cores, 0.920 ms of CPU per request, 412 MB; CPU allows 2,160/s at most`, as far as it is known.
fn at_the_line(usage: &Usage) -> Option<String> {
    let cores = |percent: f64| match usage.cores {
        Some(cores) => format!("{} of {}", sig3(percent / 100.0), counted_cores(cores)),
        None => counted_cores(percent / 100.0),
    };
    let parts = [
        usage.cpu_percent.map(cores),
        usage.cpu_ms_per_request.map(|ms| format!("{} ms of CPU per request", sig3(ms))),
        usage.memory_mb.map(|mb| format!("{} MB", sig3(mb))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let allows =
        usage.cpu_allows_per_s.map_or_else(String::new, |it| format!("; CPU allows {}/s at most", in_full(it, 3)));
    (!parts.is_empty()).then(|| format!("{}{allows}", parts.join(", ")))
}

fn counted_cores(cores: f64) -> String {
    if cores == 1.0 { "1 core".to_owned() } else { format!("{} cores", in_full(cores, 3)) }
}

fn figures(line: &LineResults, end: &LineEnd) -> String {
    let percentile = line.percentile.zip(end.percentile_ms);
    let percentile = percentile.map(|(percentile, ms)| format!("p{percentile} {} ms{}", sig3(ms), bounds_of(end)));
    let status = end.error_status.map_or_else(String::new, |status| format!(" (status {status})"));
    let errors = (end.errors_percent > 0.0).then(|| format!("errors {} %{status}", sig3(end.errors_percent)));
    let share = format!("{} the error budget used", share(end.share_of_allowed));
    let throughput = end.users.map(|_| rate(end.rate_per_s));
    let all = throughput
        .into_iter()
        .chain(percentile)
        .chain(errors)
        .chain([share])
        .chain(end.queue.map(|queue| in_flight(queue, end.share_of_allowed)));
    all.collect::<Vec<_>>().join(", ")
}

/// ` [148 – 179]`, or the bound that is known, of the percentile at an end.
fn bounds_of(end: &LineEnd) -> String {
    match (end.percentile_low_ms, end.percentile_high_ms) {
        (Some(low), Some(high)) => format!(" [{} – {}]", sig3(low), sig3(high)),
        (Some(low), None) => format!(" [≥ {}]", sig3(low)),
        (None, Some(high)) => format!(" [≤ {}]", sig3(high)),
        (None, None) => String::new(),
    }
}

/// `87 in flight, steady`, or `412 in flight, 31 more each second`. An overload that is not seen to grow is not steady.
fn in_flight(queue: Queue, share_of_allowed: f64) -> String {
    let trend = match queue.grew_per_s {
        0.0 if share_of_allowed > 1.0 => String::new(),
        0.0 => ", steady".to_owned(),
        grew => format!(", {} more each second", sig3(grew)),
    };
    format!("{} in flight{trend}", sig3(queue.in_flight))
}

fn share(of_allowed: f64) -> String {
    if of_allowed < 2.0 { format!("{} % of", sig3(of_allowed * 100.0)) } else { format!("{} times", sig3(of_allowed)) }
}

/// `14 trials, 220 s`, and how much longer would tell more.
fn effort(line: &LineResults, search: &SearchResults) -> String {
    let text = format!("{}, {}", counted(search.trials.len() as u64, "trial"), lasting(search.took_s));
    match (search.longer_s, line.tested()) {
        (None, _) => text,
        (Some(seconds), Some(_)) if search.trials.is_empty() => {
            format!("{text}; undecided, since no trial fits into --at-most: try --at-most {seconds:.0}s")
        }
        (Some(seconds), Some(_)) => format!(
            "{text}; undecided, as the line is near: four times as long (--at-most {seconds:.0}s) knows it twice as \
             closely"
        ),
        (Some(seconds), None) => format!(
            "{text}; an interval of {} % would take about {:.0} min (--at-most)",
            in_full(line.resolution * 100.0, 2),
            (seconds / 60.0).max(1.0)
        ),
    }
}
