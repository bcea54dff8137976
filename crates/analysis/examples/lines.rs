//! Prints how often a load line over rounds holds the truth, as a table in Markdown: see `benches/line`.

use std::{env, process::ExitCode, thread};

use plimsoll_analysis::line::coverage::{Coverage, Experiments, Found};

const SPREADS: [f64; 3] = [0.02, 0.05, 0.1];
const ROUNDS: [u64; 3] = [1, 3, 5];

fn main() -> ExitCode {
    let arguments: Vec<f64> = env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [count, resolution] = arguments[..] else {
        eprintln!("expected a number of experiments and a resolution, e.g. 200 0.1");
        return ExitCode::from(2);
    };
    println!("| speeds differ by |{}", ROUNDS.map(|rounds| format!(" {rounds} rounds |")).concat());
    println!("|---|{}", "---|".repeat(ROUNDS.len()));
    for spread in SPREADS {
        let shown = ROUNDS.map(|rounds| {
            let experiments = Experiments { spread, rounds, resolution };
            let Coverage { covered, width } = Coverage::of(&make(&experiments, count as u64));
            format!(" {:.1} % · {:.1} % |", covered * 100.0, width * 100.0)
        });
        println!("| {:.0} % |{}", spread * 100.0, shown.concat());
    }
    ExitCode::SUCCESS
}

/// On all cores.
fn make(experiments: &Experiments, count: u64) -> Vec<Found> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let part =
            |first| scope.spawn(move || (first..count).step_by(threads).map(|it| experiments.make(it)).collect());
        let parts: Vec<_> = (0..threads as u64).map(part).collect();
        parts.into_iter().flat_map(|part| -> Vec<Found> { part.join().unwrap_or_default() }).collect()
    })
}
