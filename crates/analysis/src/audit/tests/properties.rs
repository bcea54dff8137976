//! Rows of systems that exist are never accused, whatever is printed of them and however it is rounded.

use plimsoll_record::{
    Conditions, Nanos,
    Statistic::{self, Max, Mean, Median, Min, P90, P95, P99, Throughput, Total},
};
use proptest::prelude::*;

use super::row;
use crate::{audit, results::Weight};

/// A closed load on workers with a queue. Times in milliseconds.
#[derive(Clone, Debug)]
struct System {
    users: usize,
    workers: usize,
    /// Requests of each user, if they are counted.
    each: usize,
    think: u64,
    /// The start of the last user.
    ramp_up: u64,
    /// The least, and what is added, request by request.
    service: u64,
    more: Vec<u64>,
}

impl System {
    /// Instants (intended, done) of every request, each user's in order, until `each` are made and `until` is over.
    fn run(&self, until: u64) -> Vec<(u64, u64)> {
        let mut free_at = vec![0_u64; self.workers];
        let mut next: Vec<(u64, usize, usize)> =
            (0..self.users).map(|user| (self.ramp_up * user as u64 / self.users as u64, user, 0)).collect();
        let mut requests = Vec::new();
        // First come, first served.
        while let Some(index) = (0..next.len()).min_by_key(|&index| next[index]) {
            let (start, user, made) = next.swap_remove(index);
            if made >= self.each && start >= until {
                continue;
            }
            let worker = (0..self.workers).min_by_key(|&worker| free_at[worker]).unwrap();
            let takes = self.service + self.more[requests.len() % self.more.len()];
            let done = free_at[worker].max(start) + takes;
            free_at[worker] = done;
            requests.push((start, done));
            next.push((done + self.think, user, made + 1));
        }
        requests
    }
}

fn systems() -> impl Strategy<Value = System> {
    let more = prop::collection::vec(prop_oneof![4 => 0..30_u64, 1 => 0..2_000_u64], 1..50);
    (1..60_usize, 1..20_usize, 1..8_usize, prop_oneof![Just(0), 0..300_u64], 0..3_000_u64, 1..200_u64, more).prop_map(
        |(users, workers, each, think, ramp_up, service, more)| System {
            users,
            workers,
            each,
            think,
            ramp_up,
            service,
            more,
        },
    )
}

/// How somebody prints a figure: decimals, rounded or cut.
#[derive(Clone, Copy, Debug)]
struct Print {
    decimals: i32,
    is_cut: bool,
}

impl Print {
    fn text(self, value: f64) -> String {
        let tens = 10_f64.powi(self.decimals);
        let digits = if self.is_cut { (value * tens + 1e-6).floor() } else { (value * tens).round() };
        format!("{:.*}", self.decimals as usize, digits / tens)
    }
}

fn prints() -> impl Strategy<Value = Print> {
    (0..3_i32, any::<bool>()).prop_map(|(decimals, is_cut)| Print { decimals, is_cut })
}

/// Response times in milliseconds as a tool prints them.
fn times(mut times: Vec<u64>) -> Vec<(Statistic, f64)> {
    times.sort_unstable();
    let quantile = |q: f64| times[((q * times.len() as f64).ceil() as usize).clamp(1, times.len()) - 1] as f64;
    let mean = times.iter().sum::<u64>() as f64 / times.len() as f64;
    let percentiles = [(Median, 0.5), (P90, 0.9), (P95, 0.95), (P99, 0.99)].map(|(it, q)| (it, quantile(q)));
    [(Mean, mean), (Min, times[0] as f64), (Max, times[times.len() - 1] as f64)]
        .into_iter()
        .chain(percentiles)
        .collect()
}

/// Accusations of the figures that `which` selects, bit by bit, as they are printed.
fn accused(figures: Vec<(Statistic, f64)>, conditions: Conditions, print: Print, which: u16) -> Vec<String> {
    let printed = figures.iter().enumerate().filter(|(index, _)| which >> index & 1 == 1);
    let printed: Vec<(Statistic, String)> = printed.map(|(_, &(it, value))| (it, print.text(value))).collect();
    let printed: Vec<(Statistic, &str)> = printed.iter().map(|(it, text)| (*it, text.as_str())).collect();
    let row = row("a", "1", conditions, &printed);
    let audit = audit::of(&row, std::slice::from_ref(&row));
    let grave = audit.findings.into_iter().filter(|it| it.weight == Weight::Contradiction);
    grave.map(|it| it.says).collect()
}

fn idle(figures: Vec<(Statistic, f64)>, conditions: Conditions, print: Print) -> bool {
    let printed: Vec<(Statistic, String)> = figures.iter().map(|&(it, value)| (it, print.text(value))).collect();
    let printed: Vec<(Statistic, &str)> = printed.iter().map(|(it, text)| (*it, text.as_str())).collect();
    let row = row("a", "1", conditions, &printed);
    audit::of(&row, std::slice::from_ref(&row)).findings.iter().any(|it| it.kind.id == "audit-users-idle")
}

fn known(system: &System) -> Conditions {
    Conditions {
        vus: Some(system.users as f64),
        think_time: Some(Nanos::from_millis(system.think)),
        workers: Some(system.workers as u32),
        service_time: Some(Nanos::from_millis(system.service)),
        pool: Some(system.workers as u32),
        call_time: Some(Nanos::from_millis(system.service)),
        ..Conditions::default()
    }
}

proptest! {
    /// A load that ends when all requests are made.
    #[test]
    fn counted_requests_are_never_accused(system in systems(), print in prints(), which: u16) {
        let requests = system.run(0);
        let total_s = requests.iter().map(|it| it.1).max().unwrap() as f64 / 1e3;
        let mut figures = times(requests.iter().map(|it| it.1 - it.0).collect());
        figures.push((Throughput, requests.len() as f64 / total_s));
        figures.push((Total, total_s));
        let ramp_up = Some(Nanos::from_millis(system.ramp_up)).filter(|it| *it > Nanos::ZERO);
        let conditions = Conditions { requests: Some(requests.len() as u64), ramp_up, ..known(&system) };
        prop_assert_eq!(accused(figures, conditions, print, which), Vec::<String>::new());
    }

    /// A level that time ends: requests that ended in it, some of which began before.
    #[test]
    fn a_window_of_a_longer_load_is_never_accused(
        system in systems(), print in prints(), which: u16, from in 0..3_000_u64, held in 50..10_000_u64,
    ) {
        let system = System { ramp_up: 0, each: 0, ..system };
        if let Some(window) = Window::of(&system, from, held) {
            prop_assert_eq!(window.accused(print, which), Vec::<String>::new());
            prop_assert!(!window.is_called_idle(print), "users who were there all the time are called idle");
        }
    }
}

/// Requests that end in `held` ms from `from` on.
struct Window {
    figures: Vec<(Statistic, f64)>,
    conditions: Conditions,
    /// Whether a request that is under way at the end has taken longer than every one that ended.
    is_stalled: bool,
}

impl Window {
    /// None if nothing ends in it.
    fn of(system: &System, from: u64, held: u64) -> Option<Self> {
        let end = from + held;
        let requests = system.run(end);
        let ended = requests.iter().filter(|(_, done)| (from..end).contains(done));
        let ended: Vec<u64> = ended.map(|(start, done)| done - start).collect();
        let longest = *ended.iter().max()?;
        let is_stalled = requests.iter().any(|&(start, done)| start < end && done >= end && end - start > longest);
        let mut figures = times(ended.clone());
        figures.push((Throughput, ended.len() as f64 / (held as f64 / 1e3)));
        let conditions = Conditions { duration: Some(Nanos::from_millis(held)), ..known(system) };
        Some(Self { figures, conditions, is_stalled })
    }

    fn accused(&self, print: Print, which: u16) -> Vec<String> {
        // The maximum bounds the requests that are under way when the window begins.
        let which = which | 1 << self.figures.iter().position(|(it, _)| *it == Max).unwrap();
        accused(self.figures.clone(), self.conditions, print, which)
    }

    /// Whether users are called idle who are known not to pause. A stall that outlasts the window is in no figure.
    fn is_called_idle(&self, print: Print) -> bool {
        let may_be = self.is_stalled || self.conditions.think_time != Some(Nanos::ZERO);
        !may_be && idle(self.figures.clone(), self.conditions, print)
    }
}

/// One user who pauses 121 ms between requests: 17 pauses and requests are cut by 2,651 ms at the earlier end.
#[test]
fn a_window_that_begins_within_a_pause_is_not_accused() {
    let system = System { users: 1, workers: 1, each: 1, think: 121, ramp_up: 0, service: 21, more: vec![18] };
    let window = Window::of(&System { each: 0, ..system }, 589, 2_651).unwrap();
    let print = Print { decimals: 2, is_cut: false };
    assert_eq!(window.accused(print, 30_855), Vec::<String>::new());
}

/// Two workers of 200 ms each end two requests each in 210 ms, because a window cuts what they began before.
#[test]
fn a_window_shorter_than_two_requests_is_not_above_its_ceiling() {
    let system = System { users: 2, workers: 2, each: 0, think: 0, ramp_up: 0, service: 200, more: vec![0] };
    for held in [50, 99, 150, 201, 210] {
        let window = Window::of(&system, 195, held).unwrap();
        assert_eq!(window.accused(Print { decimals: 2, is_cut: false }, u16::MAX), Vec::<String>::new());
    }
}
