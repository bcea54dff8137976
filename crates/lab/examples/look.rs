//! Looks at a process as an explanation does while it makes figures, and at nothing else: `look PID PORT SECONDS
//! [dump]`. `benches/explain/cost` measures what that costs the process.

use std::{env, process::ExitCode, thread, time::Duration};

use plimsoll_lab::explain::{CensusOrder, CensusThread};
use plimsoll_record::{Nanos, Window};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |index: usize| arguments.get(index).and_then(|text| text.parse::<u32>().ok());
    let (Some(pid), Some(port), Some(seconds)) = (number(0), number(1), number(2)) else {
        eprintln!("usage: look PID PORT SECONDS [dump]");
        return ExitCode::from(2);
    };
    let looking = CensusThread::start(pid.cast_signed(), port as u16, Nanos::ZERO);
    let is_dump = arguments.get(3).is_some_and(|word| word == "dump");
    looking.order(if is_dump { CensusOrder::Dump(Window::Full) } else { CensusOrder::Glance(Window::Full) });
    thread::sleep(Duration::from_secs(seconds.into()));
    let looks = looking.end();
    let threads: u32 = looks.last().map_or(0, |census| census.tasks.iter().map(|tasks| tasks.count).sum());
    println!("{} looks at {threads} threads", looks.len());
    ExitCode::SUCCESS
}
