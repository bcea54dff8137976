//! Loads of which nothing came: figures of them say nothing, and whatever called the program must not go on.

use plimsoll_analysis::{
    Results,
    results::{LevelResults, VariantResults},
};
use plimsoll_lab::listening::elsewhere;
use plimsoll_record::{ErrorKind, RunStatus};
use plimsoll_text::number::count;

/// Says on stderr which variant was loaded without one request that succeeded, and why; whether there is one.
pub fn succeeded_nowhere(results: &Results) -> bool {
    let found = results.variants.iter().find_map(|variant| Some((variant, reason(variant)?)));
    let Some((variant, reason)) = found else { return false };
    // Otherwise the reason is that the target died, or was never ready, which has been said.
    let is_done = |name: &str| results.runs.iter().any(|run| run.variant == name && run.status == RunStatus::Done);
    if is_done(&variant.name) {
        let of = if results.variants.len() > 1 { format!("{}: ", variant.name) } else { String::new() };
        tell!("{}", crate::failure::Failure::running(format_args!("{of}{reason}")));
    }
    true
}

/// None if a request succeeded, or none was to be sent.
fn reason(variant: &VariantResults) -> Option<String> {
    let levels = || variant.levels.iter().flatten();
    let sum = |of: fn(&LevelResults) -> u64| levels().map(of).sum::<u64>();
    let (succeeded, offered) = (sum(|it| it.totals.counts.succeeded), sum(|it| it.totals.counts.offered));
    if succeeded > 0 || offered == 0 {
        return None;
    }
    let of_kind = |kind: ErrorKind| {
        let errors = levels().filter_map(move |level| level.totals.errors.get(&kind));
        let example = errors.clone().map(|error| error.example.as_str()).find(|example| !example.is_empty());
        (errors.map(|error| error.count).sum::<u64>(), kind, example.unwrap_or(kind.meaning()))
    };
    let (most, kind, example) = ErrorKind::ALL.iter().map(|&kind| of_kind(kind)).max_by_key(|it| it.0)?;
    Some(match most {
        0 => format!("no request succeeded: none of {} was answered before the load ended", count(offered)),
        _ => {
            // `load` calls the target by its URL.
            let refused_at = (kind == ErrorKind::Refused).then(|| variant.name.parse().ok()).flatten();
            let elsewhere = refused_at.and_then(|url| elsewhere(&url)).map_or_else(String::new, |other| {
                format!("; a service listens on the other loopback: name it as {other}")
            });
            let (most, offered) = (count(most), count(offered));
            format!("no request succeeded: {most} of {offered} failed as `{kind}`: {example}{elsewhere}")
        }
    })
}
