//! The strategies of others on the simulated servers: how often the interval holds the line, how wide it is, how long
//! it takes. Prints the table of `docs/line.md`.
//!
//! `benches/line peers [SEARCHES] [RESOLUTION] [SYSTEM]`

mod many;

use std::env;

use plimsoll_search::testing::{Peer, System, peers, systems};

use self::many::many;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number =
        |index: usize, otherwise: f64| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (searches, resolution) = (number(0, 40.0) as u64, number(1, 0.05));
    let peers = peers();
    println!("| system | {} |", peers.iter().map(|peer| peer.name).collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "---|".repeat(peers.len()));
    for system in systems() {
        if arguments.get(2).is_some_and(|name| !system.name.contains(name.as_str())) {
            continue;
        }
        let cells = peers.iter().map(|peer| cell(peer, &system, resolution, searches)).collect::<Vec<_>>();
        println!("| {} | {} |", system.name, cells.join(" | "));
    }
}

fn cell(peer: &Peer, system: &System, resolution: f64, searches: u64) -> String {
    let found = many(searches, |seed| peer.search(system, resolution, 1000 + seed));
    let holding = found.iter().filter(|(interval, _)| interval.holds(system.line)).count();
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[(values.len() - 1) / 2]
    };
    let width = median(found.iter().map(|(interval, _)| interval.width()).collect());
    let seconds = median(found.iter().map(|&(_, seconds)| seconds).collect());
    let width = if width.is_finite() { format!("{:.1} %", 100.0 * width) } else { "open".to_owned() };
    format!("{:.0} % · {width} · {seconds:.0} s", 100.0 * holding as f64 / found.len() as f64)
}
