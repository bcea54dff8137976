//! Cost of many short loads one after another in one process, as a search makes them, beyond the time that they offer
//! requests.
//!
//! ```text
//! again URL LOADS MILLISECONDS RATE
//! ```
//!
//! Prints the median and the longest time that a load took beyond its length, the median of the CPU time of a load and
//! of one that offers nothing, and what the process has after a quarter of the loads and after all.

use std::{error::Error, fs, time::Instant};

use plimsoll_drive::{Job, Options, Request, Stop, drive};
use plimsoll_record::{Arrivals, Interval, Load, Nanos};
use rustix::time::{ClockId, clock_gettime};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, loads, milliseconds, rate] = &arguments[..] else {
        return Err("expected: again URL LOADS MILLISECONDS RATE".into());
    };
    let (loads, length) = (loads.parse::<usize>()?, Nanos::from_millis(milliseconds.parse()?));
    let load = Load::ConstantArrivalRate {
        rate: rate.parse()?,
        duration: length,
        arrivals: Arrivals::Poisson,
        max_in_flight: Load::DEFAULT_MAX_IN_FLIGHT,
        drop_late: false,
    };
    let mut job = Job::single(load, Request::get(url.parse()?), Options::default());
    job.scenarios[0].limits = vec![Nanos::from_millis(100)];
    let (mut beyond_ms, mut cpu_ms, mut idle_ms, mut idle_cpu_ms) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut total = Interval::default();
    for number in 1..=loads {
        let (took_ms, cpu) = timed(&job, &Stop::new(), &mut total)?;
        beyond_ms.push(took_ms - length.as_millis_f64());
        cpu_ms.push(cpu);
        let nothing = Stop::new();
        nothing.finish();
        let (took_ms, cpu) = timed(&job, &nothing, &mut total)?;
        idle_ms.push(took_ms);
        idle_cpu_ms.push(cpu);
        if number == loads.div_ceil(4) || number == loads {
            println!("after {number} loads: {}", held()?);
        }
    }
    println!("beyond its length: median {:.2} ms, longest {:.2} ms", median(&mut beyond_ms), last(&beyond_ms));
    println!("CPU of a load: median {:.2} ms", median(&mut cpu_ms));
    println!(
        "a load that offers nothing: median {:.2} ms, CPU {:.2} ms",
        median(&mut idle_ms),
        median(&mut idle_cpu_ms)
    );
    println!("{:?}", total.counts);
    Ok(())
}

/// Wall-clock and CPU time of one load in milliseconds.
fn timed(job: &Job, stop: &Stop, total: &mut Interval) -> Result<(f64, f64), Box<dyn Error>> {
    let (began, cpu) = (Instant::now(), process_cpu_ms());
    drive(job, stop, &mut |_, interval| total.merge(&interval))?;
    Ok((began.elapsed().as_secs_f64() * 1e3, process_cpu_ms() - cpu))
}

fn process_cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

fn held() -> Result<String, Box<dyn Error>> {
    let count = |directory| fs::read_dir(directory).map(Iterator::count);
    let status = fs::read_to_string("/proc/self/status")?;
    let memory = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    let memory = memory.trim_start_matches("VmRSS:").trim();
    Ok(format!("{} descriptors, {} threads, {memory}", count("/proc/self/fd")?, count("/proc/self/task")?))
}

/// Sorts.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn last(sorted: &[f64]) -> f64 {
    sorted.last().copied().unwrap_or_default()
}
