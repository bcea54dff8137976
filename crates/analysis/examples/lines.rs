//! Prints how often a load line over rounds holds the truth, or how often two names of one service are told apart, as
//! tables in Markdown: see `benches/line`.

use std::{env, process::ExitCode, thread};

use plimsoll_analysis::line::{
    coverage::{Coverage, Experiments},
    identical::{Called, FIXED, LOOKS, OneEach, Pairs},
};
use plimsoll_text::counted;

const SPREADS: [f64; 4] = [0.0, 0.02, 0.05, 0.1];
const SLOWER: [f64; 4] = [1.0, 1.05, 1.1, 1.25];
const ROUNDS: [u64; 3] = [1, 3, 5];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [of, count, resolution] = &arguments[..] else { return usage() };
    let (Ok(count), Ok(resolution)) = (count.parse(), resolution.parse()) else { return usage() };
    match of.as_str() {
        "rounds" => rounds(count, resolution),
        "a-a" => identical(count, resolution),
        "one-each" => one_each(count, resolution),
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("expected `rounds`, `a-a` or `one-each`, a number of experiments and a resolution, e.g. rounds 200 0.1");
    ExitCode::from(2)
}

fn rounds(count: u64, resolution: f64) {
    table(&ROUNDS.map(|rounds| counted(rounds, "round")), |spread| {
        let shown = ROUNDS.map(|rounds| {
            let experiments = Experiments { spread, rounds, resolution };
            let Coverage { covered, width } = Coverage::of(&make(count, |number| experiments.make(number)));
            format!("{:.1} % · {:.1} %", covered * 100.0, width * 100.0)
        });
        shown.to_vec()
    });
}

fn identical(count: u64, resolution: f64) {
    let (first, last) = LOOKS;
    let mut columns = FIXED.map(|rounds| format!("{rounds} rounds")).to_vec();
    columns.push(format!("until decided, {first} to {last}"));
    table(&columns, |spread| {
        let found = make(count, |number| Pairs { spread, resolution }.make(number));
        let percent = |is_called: &dyn Fn(&Called) -> bool| {
            let called = found.iter().filter(|it| is_called(it)).count();
            format!("{:.1} %", called as f64 / count as f64 * 100.0)
        };
        let fixed = (0..FIXED.len()).map(|place| percent(&|it| it.fixed[place]));
        fixed.chain([percent(&|it| it.until_decided)]).collect()
    });
}

fn one_each(count: u64, resolution: f64) {
    let columns = SLOWER.map(|slowness| match slowness {
        1.0 => "the same".to_owned(),
        other => format!("{other} times as long"),
    });
    table(&columns, |spread| {
        let shown = SLOWER.map(|slowness| {
            let found = make(count, |number| OneEach { spread, slowness, resolution }.make(number));
            let called = found.iter().filter(|is_called| **is_called).count();
            format!("{:.1} %", called as f64 / count as f64 * 100.0)
        });
        shown.to_vec()
    });
}

fn table(columns: &[String], cells_of: impl Fn(f64) -> Vec<String>) {
    println!("| speeds differ by | {} |", columns.join(" | "));
    println!("|---|{}", "---|".repeat(columns.len()));
    for spread in SPREADS {
        println!("| {:.0} % | {} |", spread * 100.0, cells_of(spread).join(" | "));
    }
}

/// On all cores.
fn make<T: Send>(count: u64, experiment: impl Fn(u64) -> T + Copy + Send) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let part = |first| scope.spawn(move || (first..count).step_by(threads).map(experiment).collect::<Vec<_>>());
        let parts: Vec<_> = (0..threads as u64).map(part).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
    })
}
