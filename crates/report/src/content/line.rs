//! The load line in words: the interval, what was carried and what was not, and the trials.

use plimsoll_analysis::results::{LineEnd, LineResults, TrialResults};
use plimsoll_text::{
    counted,
    number::{in_full, sig3},
};

use super::{Column, Table};

/// The search takes about so many times what is needed at best.
const OF_LEAST: f64 = 3.0;

/// What the search says, label by label.
pub fn facts(line: &LineResults) -> Vec<(String, String)> {
    let label = if line.name.is_empty() { "load line".to_owned() } else { format!("load line {}", line.name) };
    let mut facts = vec![(label, format!("{}; {}", interval(line), line.objectives.join(" and ")))];
    let mut fact = |label: &str, text: String| facts.push((label.to_owned(), text));
    if let Some(end) = &line.lower {
        fact("carried", format!("{} for {:.0} s: {}", rate(end.rate_per_s), end.offered_s, figures(line, end)));
    }
    if let Some(end) = &line.upper {
        fact("not carried", format!("{}: {}", rate(end.rate_per_s), figures(line, end)));
    }
    if let Some(capacity) = line.capacity_per_s {
        let warm = if line.is_warm { "" } else { "; throughput was still rising when the search began" };
        fact("capacity", format!("{} with virtual users that do not pause{warm}", rate(capacity)));
    }
    fact("search", search(line));
    facts
}

/// `1,840 – 1,905/s, 95 % sure`, or what is known instead.
pub fn interval(line: &LineResults) -> String {
    let known = match (&line.lower, &line.upper, line.tested_per_s) {
        (Some(_), _, Some(tested)) => format!("above {}", rate(tested)),
        (_, Some(_), Some(tested)) => format!("below {}", rate(tested)),
        (None, None, Some(tested)) => return format!("undecided whether it is above {}", rate(tested)),
        (Some(lower), Some(upper), None) => {
            format!("{} – {}", in_full(lower.rate_per_s, 4), rate(upper.rate_per_s))
        }
        (Some(lower), None, None) => format!("at least {}", rate(lower.rate_per_s)),
        (None, Some(upper), None) => format!("below {}", rate(upper.rate_per_s)),
        (None, None, None) => return "unknown".to_owned(),
    };
    format!("{known}, 95 % sure")
}

fn rate(per_s: f64) -> String {
    format!("{}/s", in_full(per_s, 4))
}

fn figures(line: &LineResults, end: &LineEnd) -> String {
    let percentile = line.percentile.zip(end.percentile_ms);
    let percentile = percentile.map(|(percentile, ms)| format!("p{percentile} {} ms", sig3(ms)));
    let errors = (end.errors_percent > 0.0).then(|| format!("errors {} %", sig3(end.errors_percent)));
    let share = format!("{} the requests allowed are beyond the objective", share(end.share_of_allowed));
    percentile.into_iter().chain(errors).chain([share]).collect::<Vec<_>>().join(", ")
}

fn share(of_allowed: f64) -> String {
    if of_allowed < 2.0 { format!("{} % of", sig3(of_allowed * 100.0)) } else { format!("{} times", sig3(of_allowed)) }
}

fn search(line: &LineResults) -> String {
    let text = format!("{}, {:.0} s", counted(line.trials.len() as u64, "trial"), line.took_s);
    let is_open = match (&line.lower, &line.upper) {
        (Some(lower), Some(upper)) => upper.rate_per_s / lower.rate_per_s > 1.0 + line.resolution * 1.01,
        _ => true,
    };
    if line.tested_per_s.is_some() || !is_open || line.needed_s == 0.0 {
        return text;
    }
    let minutes = f64::max(1.0, OF_LEAST * line.needed_s / 60.0);
    format!(
        "{text}; an interval of {} % would take about {minutes:.0} min (--at-most)",
        in_full(line.resolution * 100.0, 2)
    )
}

/// Every trial, by rate.
pub fn trials(line: &LineResults) -> Table {
    let mut trials: Vec<&TrialResults> = line.trials.iter().collect();
    trials.sort_by(|a, b| a.rate_per_s.total_cmp(&b.rate_per_s));
    let row = |trial: &TrialResults| {
        let percentile = trial.percentile_ms.map_or_else(|| "–".to_owned(), sig3);
        vec![rate(trial.rate_per_s), format!("{:.0}", trial.took_s), percentile, sig3(trial.errors_percent)]
    };
    let percentile = line.percentile.map_or_else(|| "ms".to_owned(), |percentile| format!("p{percentile} ms"));
    Table {
        title: "Trials".to_owned(),
        columns: vec![
            Column::words("offered"),
            Column::numbers("s"),
            Column::numbers(percentile),
            Column::numbers("errors %"),
        ],
        rows: trials.into_iter().map(row).collect(),
    }
}
