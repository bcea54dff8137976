//! Prints how often intervals over rounds hold the truth, as tables in Markdown: see `benches/intervals`.

use std::{env, process::ExitCode};

use plimsoll_analysis::intervals::coverage::{
    CELLS, PAIRS, coverage, errors_per_look, falsely_called, of_pairs, until_decided,
};

const ROUNDS: [u32; 8] = [3, 4, 5, 7, 10, 15, 20, 30];
const LOOKS: [(u32, u32); 5] = [(3, 10), (3, 20), (3, 30), (5, 20), (10, 30)];
const RATIOS: usize = 8;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => tables(20_000),
        ["--looks"] => looks(2_000_000),
        ["--pairs"] => pairs(4_000),
        [experiments] if experiments.parse::<u32>().is_ok_and(|it| it > 0) => {
            tables(experiments.parse().unwrap_or(1));
        }
        _ => {
            eprintln!("expected nothing, a number of experiments, --looks or --pairs");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Two executions whose rounds do not belong together.
fn pairs(experiments: u32) {
    const ROUNDS: [u32; 6] = [3, 4, 5, 7, 10, 20];
    println!("Coverage of 95 % intervals of two executions in {experiments} experiments.\n");
    println!("| rounds of each |{}", ROUNDS.map(|rounds| format!(" {rounds} |")).concat());
    println!("|---|{}", "---|".repeat(ROUNDS.len()));
    for pair in PAIRS {
        let found = ROUNDS.map(|rounds| of_pairs(pair, rounds, experiments, u64::from(rounds)));
        println!("| {} |{}", pair.name, found.map(|it| format!(" {:.1} |", it * 100.0)).concat());
    }
    println!("\nComparisons of executions that do not differ in which a figure is called different, in %.\n");
    println!("| figures |{}", ROUNDS.map(|rounds| format!(" {rounds} rounds |")).concat());
    println!("|---|{}", "---|".repeat(ROUNDS.len()));
    for figures in [1, 10, 50] {
        let found = ROUNDS.map(|rounds| falsely_called(figures, rounds, experiments / 4, u64::from(rounds)));
        println!("| {figures} |{}", found.map(|it| format!(" {:.1} |", it * 100.0)).concat());
    }
}

fn tables(experiments: u32) {
    println!("Coverage of 95 % intervals in {experiments} experiments, and their median width.\n");
    println!("| rounds |{}", ROUNDS.map(|rounds| format!(" {rounds} |")).concat());
    println!("|---|{}", "---|".repeat(ROUNDS.len()));
    let mut least = (1.0, String::new());
    for cell in CELLS {
        let found = ROUNDS.map(|rounds| coverage(cell, rounds, experiments, u64::from(rounds)));
        let shown = found.map(|it| format!(" {:.1} {:.3} |", it.covered * 100.0, it.width));
        println!("| {} |{}", cell.name, shown.concat());
        for rounds in 3..=30 {
            let covered = coverage(cell, rounds, experiments, u64::from(100 + rounds)).covered;
            if covered < least.0 {
                least = (covered, format!("{}, {rounds} rounds", cell.name));
            }
        }
    }
    println!("\nThe least of every number of rounds from 3 to 30: {:.1} % ({}).\n", least.0 * 100.0, least.1);

    println!("Called different though they are the same, in % of {experiments} experiments.\n");
    println!("| | 3 rounds | 5 | 10 |{}", LOOKS.map(|(from, to)| format!(" until decided, {from} to {to} |")).concat());
    println!("|---|---|---|---|{}", "---|".repeat(LOOKS.len()));
    for cell in &CELLS[..RATIOS] {
        let fixed = [3, 5, 10].map(|rounds| until_decided(cell, (rounds, rounds), 1.0, experiments, 5).called);
        let looks = LOOKS.map(|looks| until_decided(cell, looks, 1.0, experiments, 6).called);
        let shown: Vec<String> = fixed.iter().chain(&looks).map(|called| format!(" {:.1} |", called * 100.0)).collect();
        println!("| {} |{}", cell.name, shown.concat());
    }
    let all = (3..=30).flat_map(|to| (3..=to).map(move |from| (from, to)));
    let worst = all.map(|looks| (until_decided(&CELLS[1], looks, 1.0, experiments, 8).called, looks));
    let (called, (from, to)) = worst.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    println!("\nThe most of every `at-least` and `at-most` from 3 to 30: {:.1} % ({from} to {to}).\n", called * 100.0);

    println!("Decided of what differs, in %, and the rounds that half of them took at most; 5 % noise each.\n");
    let times = [1.05, 1.11, 1.22, 1.5];
    println!("| |{}", times.map(|times| format!(" {times} |")).concat());
    println!("|---|{}", "---|".repeat(times.len()));
    for (from, to) in LOOKS {
        let found = times.map(|times| until_decided(&CELLS[1], (from, to), times, experiments, 9));
        let shown = found.map(|it| format!(" {:.0} ({}) |", it.called * 100.0, it.rounds));
        println!("| until decided, {from} to {to} |{}", shown.concat());
    }
}

fn looks(experiments: usize) {
    for row in errors_per_look(experiments, 14) {
        println!("{}", row.iter().map(|error| format!("{}", (error * 1e5).floor())).collect::<Vec<_>>().join(", "));
    }
}
