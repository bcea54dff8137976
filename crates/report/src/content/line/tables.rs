//! Variants, searches and trials as rows.

use plimsoll_analysis::{
    Results,
    results::{Figure, LineEnd, LineResults, Outcome, RatePoint, SearchResults, TrialResults},
};
use plimsoll_text::{
    joined,
    number::{NONE, sig3},
};

use super::{
    super::{Column, Table},
    known, load,
    loads::{cold, thinking},
    name,
    recovery::{overload, recovered_after},
};

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

/// A percentile of the response time that is shown against the rate.
pub struct Percentile {
    /// The name in heads.
    pub name: String,
    /// Reads it from a rate.
    pub of_rate: fn(&RatePoint) -> Option<f64>,
    /// Reads it from a trial.
    pub of_trial: fn(&TrialResults) -> Option<f64>,
}

/// The percentiles shown: the median, the 90th, and the objective's.
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
