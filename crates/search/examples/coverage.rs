//! Searches on simulated servers, many of each: how often the interval holds the line, how wide it is, how long it
//! takes.
//!
//! `benches/line [SEARCHES] [RESOLUTION] [SECONDS] [SYSTEM]`

mod many;

use std::env;

use plimsoll_search::testing::{System, crowds, search_on, strangers, systems};

use self::many::many;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number =
        |index: usize, otherwise: f64| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (searches, resolution, at_most) = (number(0, 40.0) as u64, number(1, 0.05), number(2, 600.0));
    println!(
        "{:<16} {:>7} {:>5} {:>5} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6}",
        "system", "covers", "low", "high", "seconds", "p90", "bar", "width", "wider", "trials"
    );
    for system in systems().into_iter().chain(crowds()).chain(strangers()) {
        if arguments.get(3).is_some_and(|name| !system.name.contains(name.as_str())) {
            continue;
        }
        row(&system, searches, resolution, at_most);
    }
}

fn row(system: &System, searches: u64, resolution: f64, at_most: f64) {
    let found = many(searches, |seed| search_on(system, resolution, at_most, 1000 + seed));
    let share = |count: usize| 100.0 * count as f64 / found.len() as f64;
    let covers = found.iter().filter(|it| system.is_true(&it.answer)).count();
    let too_low = found.iter().filter(|it| it.answer.upper.is_some_and(|end| end.rate < system.line)).count();
    let too_high = found.iter().filter(|it| it.answer.lower.is_some_and(|end| end.rate > system.line)).count();
    let mut seconds: Vec<f64> = found.iter().map(|it| it.seconds).collect();
    let mut widths: Vec<f64> = found.iter().map(|it| it.answer.width().unwrap_or(f64::INFINITY)).collect();
    let mut trials: Vec<f64> = found.iter().map(|it| it.trials.len() as f64).collect();
    for values in [&mut seconds, &mut widths, &mut trials] {
        values.sort_by(f64::total_cmp);
    }
    let at = |values: &[f64], q: f64| values[((values.len() - 1) as f64 * q) as usize];
    let wider = widths.iter().filter(|&&width| width > resolution * 1.01).count();
    println!(
        "{:<16} {:>6.1}% {:>4.1}% {:>4.1}% {:>7.0} {:>7.0} {:>7.0} {:>6.1}% {:>5.0}% {:>6.0}",
        system.name,
        share(covers),
        share(too_low),
        share(too_high),
        at(&seconds, 0.5),
        at(&seconds, 0.9),
        2.5 * system.least_seconds(resolution) + 40.0,
        100.0 * at(&widths, 0.5),
        share(wider),
        at(&trials, 0.5),
    );
}
