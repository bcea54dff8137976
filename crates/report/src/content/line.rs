//! Load lines in words: of a single search the interval, what was carried and what was not, and the trials; of an
//! experiment a row for each variant.

use plimsoll_analysis::{
    Results,
    results::{
        CriticalResults, Figure, LineEnd, LineResults, Outcome, Queue, RatePoint, RecoveryResults, SearchResults,
        TrialResults, Unrecovered, Usage,
    },
};
use plimsoll_text::{
    counted, joined,
    number::{NONE, in_full, lasting, sig3},
};

use super::{Column, Table};

/// How to read the table of variants.
pub const HOW_TO_READ: &str = "The line is the highest rate that keeps the objectives, or the most users. With three \
    rounds or more its interval is that of the service, over processes; with fewer it is what the searches know of \
    theirs, and another process may differ. CPU and memory are those of the trials at the lower end. “Within” is the \
    width of a search’s interval, “between” the standard deviation from process to process.";

/// The lines of an execution that made one search of one variant, and that search as its first line has it.
pub fn of_one_search(results: &Results) -> Option<(&[LineResults], &SearchResults)> {
    let first = results.lines.first()?;
    let is_single = results.lines.iter().all(|line| line.variant == first.variant && line.searches.len() == 1);
    (is_single && results.execution.runs_planned <= 1).then_some((results.lines.as_slice(), first.searches.first()?))
}

/// One row for each variant and line; none where nothing was searched.
pub fn table(results: &Results) -> Option<Table> {
    let first = results.lines.first()?;
    let has_names = results.lines.iter().any(|line| !line.name.is_empty());
    let has_rounds = results.lines.iter().any(|line| line.line.between_percent.is_some());
    let percentile = results.lines.iter().find_map(|line| line.percentile);
    let has_limits = results.lines.iter().any(|line| line.limited_by.is_some());
    let columns = [
        Some(Column::words("variant")),
        Some(Column::whole("load line")),
        percentile.map(|percentile| Column::numbers(format!("p{percentile} ms"))),
        Some(Column::numbers("CPU %")),
        Some(Column::numbers("CPU ms/req")),
        Some(Column::numbers("RSS MB")),
        Some(Column::numbers("within %")),
        has_rounds.then(|| Column::numbers("between %")),
        Some(Column::words("search")),
        has_limits.then(|| Column::words("limited by")),
    ];
    let row = |line: &LineResults| {
        let shown = |figure: &Option<Figure>| figure.as_ref().map_or_else(|| NONE.to_owned(), |it| sig3(it.median));
        let percent = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), sig3);
        let at_lower = line.searches.iter().filter_map(|search| search.lower.as_ref()?.percentile_ms);
        let cells = [
            Some(name(line)),
            Some(known(line)),
            percentile.map(|_| at_lower.reduce(f64::max).map_or_else(|| NONE.to_owned(), sig3)),
            Some(shown(&line.usage.cpu_percent)),
            Some(shown(&line.usage.cpu_ms_per_request)),
            Some(shown(&line.usage.memory_mb)),
            Some(percent(line.line.within_percent)),
            has_rounds.then(|| percent(line.line.between_percent)),
            Some(outcomes(&line.searches)),
            has_limits.then(|| line.limited_by.clone().unwrap_or_else(|| NONE.to_owned())),
        ];
        cells.into_iter().flatten().collect()
    };
    let objectives = if has_names { String::new() } else { format!(": {}", joined(&first.objectives)) };
    let users = first.think_ms.map_or_else(String::new, |_| format!(" in users{}", thinking(first)));
    Some(Table {
        title: format!("Load lines{users}{}{objectives}, 95 % sure", cold(first)),
        columns: columns.into_iter().flatten().collect(),
        rows: results.lines.iter().map(row).collect(),
    })
}

/// `web`, or `web, strict`.
pub fn name(line: &LineResults) -> String {
    if line.name.is_empty() { line.variant.clone() } else { format!("{}, {}", line.variant, line.name) }
}

/// `found`, or `2 found, 1 time up`.
fn outcomes(searches: &[SearchResults]) -> String {
    const WORDS: [&str; 5] = ["found", "time up", "metastable", "holds at all rates offered", "holds nowhere"];
    let word = |search: &SearchResults| match search.outcome {
        Outcome::Found => WORDS[0],
        Outcome::TimeUp if search.ended_unrecovered() => WORDS[2],
        Outcome::TimeUp => WORDS[1],
        Outcome::AlwaysHolds => WORDS[3],
        Outcome::NeverHolds => WORDS[4],
    };
    let count = |of: &str| searches.iter().filter(|search| word(search) == of).count();
    let there: Vec<(usize, &str)> = WORDS.iter().map(|&of| (count(of), of)).filter(|it| it.0 > 0).collect();
    match there.as_slice() {
        [] => NONE.to_owned(),
        [(_, word)] => (*word).to_owned(),
        several => several.iter().map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", "),
    }
}

/// Searches of each variant and line, round by round.
pub fn searches(results: &Results) -> Vec<Table> {
    results.lines.iter().filter(|line| !line.searches.is_empty()).map(searches_of).collect()
}

fn searches_of(line: &LineResults) -> Table {
    let end = |end: &Option<LineEnd>| end.as_ref().map_or_else(|| NONE.to_owned(), |end| load(line, end.load()));
    let optional = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), sig3);
    let most = |search: &SearchResults| match (search.offered_most, search.unrecovered) {
        (Some(most), _) => format!(", the generator offers at most {}", load(line, most)),
        (None, Some(found)) => format!(", did not recover from {}", overload(found)),
        (None, None) => String::new(),
    };
    let has_overload = line.searches.iter().any(|search| search.recovery.is_some());
    let row = |search: &SearchResults| {
        let cells = vec![
            (search.round + 1).to_string(),
            end(&search.lower),
            end(&search.upper),
            optional(search.capacity_per_s),
            optional(search.usage.cpu_percent),
            search.trials.len().to_string(),
            format!("{:.0}", search.took_s),
            outcomes(std::slice::from_ref(search)) + &most(search),
        ];
        cells
            .into_iter()
            .chain(has_overload.then(|| search.recovery.as_ref().map_or_else(|| NONE.to_owned(), recovered_after)))
            .collect()
    };
    let heads = ["carried", "not carried", "capacity /s", "CPU %", "trials", "s"];
    let columns = std::iter::once(Column::words("round")).chain(heads.map(Column::numbers));
    let recovery = has_overload.then(|| Column::words("recovers"));
    Table {
        title: name(line),
        columns: columns.chain([Column::words("search")]).chain(recovery).collect(),
        rows: line.searches.iter().map(row).collect(),
    }
}

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

/// `1,840 – 1,905/s, 95 % sure`, or where else the line lies.
fn answer(line: &LineResults, search: &SearchResults) -> String {
    let lowest = search.trials.iter().map(TrialResults::load).reduce(f64::min);
    match (search.outcome, lowest, &search.lower) {
        (Outcome::NeverHolds, Some(lowest), _) => format!("nowhere: not kept at {} either", load(line, lowest)),
        (Outcome::NeverHolds, None, _) => "nowhere: nothing succeeded while the capacity was looked for".to_owned(),
        (Outcome::AlwaysHolds, _, Some(end)) => {
            format!("{} or more: kept at all that was offered (--to)", load(line, end.load()))
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

/// Critical rates, by variant; the name is left out where there is but one.
pub fn critical(results: &Results) -> Vec<(String, String)> {
    let is_single = results.critical.len() == 1;
    let fact = |it: &CriticalResults| {
        let label = if is_single { "critical rate".to_owned() } else { it.variant.clone() };
        (label, critical_rate(it))
    };
    results.critical.iter().map(fact).collect()
}

/// `612 – 701/s, the geometric mean of the lines`, or why there is none.
fn critical_rate(found: &CriticalResults) -> String {
    let rate = match (found.low_per_s, found.high_per_s) {
        _ if !found.nowhere.is_empty() => return format!("none: {} holds nowhere", joined(&found.nowhere)),
        (Some(low), Some(high)) => format!("{} – {}", in_full(low, 4), rate(high)),
        (Some(low), None) => format!("at least {}", rate(low)),
        (None, Some(high)) => format!("below {}", rate(high)),
        (None, None) => "unknown".to_owned(),
    };
    format!("{rate}, the geometric mean of the lines at 10, 25, 50, 75 and 100 ms (as SPECjbb2015 has it)")
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

/// `2.1 s after an overload of 1,730/s for 5 s`; none if there was too little to be seen.
fn recovers(found: &RecoveryResults) -> Option<String> {
    let overload = format!("an overload of {} for {}", rate(found.overload_per_s), lasting(found.overload_s));
    match found.recovered_s {
        Some(seconds) if seconds <= 0.0 => Some(format!("at once after {overload}")),
        Some(seconds) => Some(format!("{seconds:.1} s after {overload}")),
        None if !found.is_metastable => None,
        None => Some(format!(
            "not within {} after {overload}, at {}: a metastable failure (Bronson et al. 2021)",
            lasting(found.watched_s),
            rate(found.after_per_s)
        )),
    }
}

/// The load that a service did not recover from.
fn overload(found: Unrecovered) -> String {
    if found.is_users { counted(found.load as u64, "user") } else { rate(found.load) }
}

/// `did not recover within 30 s from an overload of 900/s: …`.
fn unrecovered(found: Unrecovered) -> String {
    let restarted = match found.restarts {
        0 => String::new(),
        1 => "; it was started anew once".to_owned(),
        many => format!("; it was started anew {many} times"),
    };
    let end = if found.is_end { "; the search ended there" } else { ", and the search went on" };
    format!(
        "did not recover within {} from an overload of {}: a metastable failure (Bronson et al. 2021){restarted}{end}",
        lasting(found.waited_s),
        overload(found)
    )
}

/// `after 2.1 s`, or `not within 30 s`.
fn recovered_after(found: &RecoveryResults) -> String {
    match found.recovered_s {
        Some(seconds) if seconds <= 0.0 => "at once".to_owned(),
        Some(seconds) => format!("after {seconds:.1} s"),
        None => format!("not within {}", lasting(found.watched_s)),
    }
}

fn counted_cores(cores: f64) -> String {
    if cores == 1.0 { "1 core".to_owned() } else { format!("{} cores", in_full(cores, 3)) }
}

/// `1,840 – 1,905/s, 95 % sure`, or `1,840 – 1,905 users with 1 s of think time, 95 % sure`, or what is known instead.
pub fn interval(line: &LineResults) -> String {
    match (
        format!("{}{}{}", bounds(line, "at least"), thinking(line), cold(line)),
        line.line.low().or(line.line.high()),
    ) {
        (known, Some(_)) => format!("{known}, 95 % sure"),
        (unknown, None) => unknown,
    }
}

/// `1,840 – 1,905/s`, `≥ 1,840/s`, or whatever else is known.
pub fn known(line: &LineResults) -> String {
    bounds(line, "≥")
}

fn bounds(line: &LineResults, at_least: &str) -> String {
    let load = |number: f64| load(line, number);
    match (line.line.low(), line.line.high(), line.tested()) {
        (Some(_), _, Some(tested)) => format!("above {}", load(tested)),
        (_, Some(_), Some(tested)) => format!("below {}", load(tested)),
        (None, None, Some(tested)) => format!("undecided whether it is above {}", load(tested)),
        (Some(low), Some(high), None) => format!("{} – {}", in_full(low, digits(line)), load(high)),
        (Some(low), None, None) => format!("{at_least} {}", load(low)),
        (None, Some(high), None) => format!("below {}", load(high)),
        (None, None, None) => "unknown".to_owned(),
    }
}

/// ` with 1 s of think time`, of users.
fn thinking(line: &LineResults) -> String {
    match line.think_ms {
        None => String::new(),
        Some(ms) if ms >= 1e3 => format!(" with {} s of think time", in_full(ms / 1e3, 3)),
        Some(ms) if ms > 0.0 => format!(" with {} ms of think time", in_full(ms, 3)),
        Some(_) => " without think time".to_owned(),
    }
}

/// ` of cold processes, in their first 20 s`, of such.
fn cold(line: &LineResults) -> String {
    line.cold_s.map_or_else(String::new, |seconds| format!(" of cold processes, in their first {}", lasting(seconds)))
}

/// A load in the unit of the line: `1,840/s`, or `1,840 users`.
pub fn load(line: &LineResults, number: f64) -> String {
    format!("{}{}", in_full(number, digits(line)), unit(line))
}

/// Behind a number.
pub fn unit(line: &LineResults) -> &'static str {
    if line.think_ms.is_some() { " users" } else { "/s" }
}

/// Users are whole.
fn digits(line: &LineResults) -> i32 {
    const WHOLE: i32 = 9;
    if line.think_ms.is_none() { 3 } else { WHOLE }
}

fn rate(per_s: f64) -> String {
    format!("{}/s", in_full(per_s, 4))
}

fn figures(line: &LineResults, end: &LineEnd) -> String {
    let percentile = line.percentile.zip(end.percentile_ms);
    let percentile = percentile.map(|(percentile, ms)| format!("p{percentile} {} ms{}", sig3(ms), bounds_of(end)));
    let status = end.error_status.map_or_else(String::new, |status| format!(" (status {status})"));
    let errors = (end.errors_percent > 0.0).then(|| format!("errors {} %{status}", sig3(end.errors_percent)));
    let share = format!("{} the requests allowed are beyond the objective", share(end.share_of_allowed));
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

/// A percentile of the response time that is shown against the rate.
pub struct Percentile {
    /// As heads have it.
    pub name: String,
    /// At a rate.
    pub of_rate: fn(&RatePoint) -> Option<f64>,
    /// In a trial.
    pub of_trial: fn(&TrialResults) -> Option<f64>,
}

/// The median, the 90th, and the objective's.
pub fn percentiles(line: &LineResults) -> Vec<Percentile> {
    let of = |name: &str, of_rate, of_trial| Percentile { name: name.to_owned(), of_rate, of_trial };
    let mut all = vec![of("p50", |it| it.median_ms, |it| it.median_ms), of("p90", |it| it.p90_ms, |it| it.p90_ms)];
    if let Some(percentile) = line.percentile {
        let name = format!("p{percentile}");
        all.retain(|it| it.name != name);
        all.push(of(&name, |it| it.percentile_ms, |it| it.percentile_ms));
    }
    all
}

/// Every trial, by rate.
pub fn trials(line: &LineResults, search: &SearchResults) -> Table {
    let mut trials: Vec<&TrialResults> = search.trials.iter().collect();
    trials.sort_by(|a, b| a.load().total_cmp(&b.load()));
    let columns = trial_columns(line, &trials);
    let row = |trial: &&TrialResults| {
        let figures = columns.iter().map(|(_, of)| of(trial).map_or_else(|| NONE.to_owned(), sig3));
        let head = [load(line, trial.load()), format!("{:.0}", trial.took_s)];
        head.into_iter().chain(figures).collect()
    };
    let heads = columns.iter().map(|(head, _)| Column::numbers(head.clone()));
    Table {
        title: "Trials".to_owned(),
        columns: [Column::words("offered"), Column::numbers("s")].into_iter().chain(heads).collect(),
        rows: trials.iter().map(row).collect(),
    }
}

type OfTrial = fn(&TrialResults) -> Option<f64>;

/// Figures with their heads; those of the target only if it was watched.
fn trial_columns(line: &LineResults, trials: &[&TrialResults]) -> Vec<(String, OfTrial)> {
    let times = percentiles(line).into_iter().map(|it| (format!("{} ms", it.name), it.of_trial));
    let others: [(&str, OfTrial); 6] = [
        ("req/s", |it| it.users.map(|_| it.rate_per_s)),
        ("errors %", |it| Some(it.errors_percent)),
        ("CPU %", |it| it.usage.cpu_percent),
        ("CPU ms/req", |it| it.usage.cpu_ms_per_request),
        ("memory MB", |it| it.usage.memory_mb),
        ("threads", |it| it.usage.threads),
    ];
    let others = others.into_iter().filter(|(_, of)| trials.iter().any(|trial| of(trial).is_some()));
    times.chain(others.map(|(head, of)| (head.to_owned(), of))).collect()
}
