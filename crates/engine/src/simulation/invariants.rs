//! Laws of every load against every server: nothing is left out, counted twice, or counted otherwise than the
//! other side of the wire counts it.

use plimsoll_record::{ArrivalCounts, ArrivalSlot, Arrivals, Counts, Interval, Load, Nanos, Stage, ThinkTime};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{Connects, Reply, Simulated, Simulation, ok};

/// Faults of a server, in percent of all requests.
#[derive(Clone, Debug)]
struct Habits {
    seed: u64,
    delay_max: Nanos,
    redirects: u32,
    errors: u32,
    closes: u32,
    resets: u32,
    silences: u32,
    garbage: u32,
}

/// A server with such habits.
struct Server {
    habits: Habits,
    rng: Xoshiro256PlusPlus,
}

impl Server {
    fn new(habits: &Habits) -> Self {
        Self { habits: habits.clone(), rng: Xoshiro256PlusPlus::seed_from_u64(habits.seed) }
    }

    /// Replies in one or two pieces, some of which tell the client to close, or do it themselves.
    fn answer(&mut self, at: Nanos) -> Vec<(Nanos, Reply)> {
        let first = at + Nanos(self.rng.random_range(0..=self.habits.delay_max.0));
        let second = first + Nanos(self.rng.random_range(0..=self.habits.delay_max.0));
        let text = |text: &str| Reply::Bytes(text.as_bytes().to_vec());
        let Habits { redirects, errors, closes, resets, silences, garbage, .. } = self.habits;
        let mut dice = self.rng.random_range(0..100);
        let mut falls_on = |share: u32| {
            let is_it = dice < share;
            dice = if is_it { u32::MAX } else { dice - share };
            is_it
        };
        if falls_on(redirects) {
            vec![(first, text("HTTP/1.1 302 F\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"))]
        } else if falls_on(errors) {
            vec![(first, text("HTTP/1.1 503 S\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))]
        } else if falls_on(closes) {
            vec![(first, text("HTTP/1.1 200 OK\r\nContent-Le")), (second, Reply::End)]
        } else if falls_on(resets) {
            vec![(first, Reply::Reset)]
        } else if falls_on(silences) {
            vec![]
        } else if falls_on(garbage) {
            vec![(first, text("no HTTP\r\n"))]
        } else if self.rng.random_bool(0.1) {
            vec![(first, text("HTTP/1.0 200 OK\r\n\r\nuntil the end")), (second, Reply::End)]
        } else if self.rng.random_bool(0.2) {
            vec![(first, text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha")), (second, text("lf"))]
        } else {
            vec![(first, ok())]
        }
    }
}

fn millis(range: std::ops::Range<u64>) -> impl Strategy<Value = Nanos> {
    range.prop_map(Nanos::from_millis)
}

fn habits() -> impl Strategy<Value = Habits> {
    let some = 0_u32..16;
    let shares = (some.clone(), some.clone(), some.clone(), some.clone(), some.clone(), some);
    (any::<u64>(), millis(0..400), shares).prop_map(|(seed, delay_max, shares)| {
        let (redirects, errors, closes, resets, silences, garbage) = shares;
        Habits { seed, delay_max, redirects, errors, closes, resets, silences, garbage }
    })
}

fn think() -> impl Strategy<Value = ThinkTime> {
    prop_oneof![
        Just(ThinkTime::None),
        millis(1..300).prop_map(|pause| ThinkTime::Constant { pause }),
        millis(1..300).prop_map(|mean| ThinkTime::Exponential { mean }),
    ]
}

fn stages(target_max: u32) -> impl Strategy<Value = Vec<Stage>> {
    let stage = (millis(100..2_000), 0..target_max);
    let stage = stage.prop_map(|(duration, target)| Stage { duration, target: f64::from(target) });
    prop::collection::vec(stage, 1..4)
}

fn load() -> impl Strategy<Value = Load> {
    let (vus, lasts) = (1_u32..12, || millis(500..5_000));
    let arrivals = || prop_oneof![Just(Arrivals::Even), Just(Arrivals::Poisson)];
    let limits = || (1_u32..40, any::<bool>());
    prop_oneof![
        (vus.clone(), lasts(), think())
            .prop_filter("without delay or pause it would never end", |(_, _, think)| *think != ThinkTime::None)
            .prop_map(|(vus, duration, think)| Load::ConstantVus { vus, duration, think }),
        (vus.clone(), stages(12)).prop_map(|(start_vus, stages)| {
            let think = ThinkTime::Constant { pause: Nanos::from_millis(20) };
            Load::RampingVus { start_vus, stages, think }
        }),
        (vus.clone(), 1_u64..300, prop::option::of(lasts()), think()).prop_map(
            |(vus, iterations, max_duration, think)| {
                Load::SharedIterations { vus, iterations, max_duration, think }
            }
        ),
        (vus, 1_u64..30, millis(0..2_000), prop::option::of(lasts()), think()).prop_map(
            |(vus, iterations, ramp_up, max_duration, think)| {
                Load::PerVuIterations { vus, iterations, ramp_up, max_duration, think }
            }
        ),
        (1_u32..200, lasts(), arrivals(), limits()).prop_map(
            |(rate, duration, arrivals, (max_in_flight, drop_late))| {
                Load::ConstantArrivalRate { rate: f64::from(rate), duration, arrivals, max_in_flight, drop_late }
            }
        ),
        (stages(200), arrivals(), limits()).prop_map(|(stages, arrivals, (max_in_flight, drop_late))| {
            Load::RampingArrivalRate { start_rate: 10.0, stages, arrivals, max_in_flight, drop_late }
        }),
    ]
}

fn simulation() -> impl Strategy<Value = Simulation> {
    let connects = prop_oneof![
        8 => millis(0..100).prop_map(Connects::After),
        1 => Just(Connects::Refused),
        1 => Just(Connects::Never),
    ];
    let stop_at = prop::option::weighted(0.3, millis(0..5_000));
    let finish_at = prop::option::weighted(0.3, millis(0..5_000));
    let options = (any::<bool>(), 0_u32..4, millis(50..1_000), any::<u64>());
    let ends = (stop_at, finish_at);
    (connects, ends, options).prop_map(|(connects, ends, (keep_alive, max_redirects, timeout, seed))| {
        let ((stop_at, finish_at), limits) = (ends, LIMITS.to_vec());
        let mut simulation = Simulation { connects, stop_at, finish_at, limits, ..Simulation::default() };
        simulation.options.trace = u32::MAX;
        simulation.options.keep_alive = keep_alive;
        simulation.options.max_redirects = max_redirects;
        simulation.options.response_timeout = timeout;
        simulation.options.connect_timeout = Nanos::from_millis(80);
        simulation.options.seed = seed;
        simulation
    })
}

/// Every request ended in one outcome, and each is in exactly the histograms that it belongs to.
fn assert_one_outcome_each(total: &Interval) {
    let Counts { offered, sent, succeeded, failed, dropped, abandoned, .. } = total.counts;
    let failed_when_sent = total.failed.response.count();
    assert_eq!(offered, succeeded + failed + dropped + abandoned);
    assert_eq!(sent, succeeded + failed_when_sent + abandoned);
    assert_eq!(total.errors.values().map(|error| error.count).sum::<u64>(), failed);
    assert_eq!((total.ok.response.count(), total.ok.service.count()), (succeeded, succeeded));
    assert_eq!(total.failed.service.count(), failed_when_sent);
    assert!(total.statuses.values().sum::<u64>() <= succeeded + failed_when_sent);
    assert!(total.first_byte.count() <= sent);
    assert!(total.send_lag.count() <= offered);
}

/// Client and server count the same. Every connection carries a request at once, so that all requests
/// are first on theirs or not.
fn assert_agrees_with_the_server(simulated: &Simulated, keeps_alive: bool) {
    let (counts, seen) = (&simulated.total.counts, &simulated.seen);
    assert_eq!(counts.connections_opened, seen.connections);
    assert_eq!(counts.connections_opened + counts.connections_reused, seen.requests);
    assert_eq!(counts.bytes_sent, seen.bytes_in);
    assert_eq!(counts.bytes_received, seen.bytes_out);
    assert_eq!(simulated.total.connect.count(), seen.connections);
    assert!(counts.sent <= seen.requests, "redirects are requests too");
    assert!(keeps_alive || counts.connections_reused == 0);
}

/// Totals without what is not of the load: where intervals begin and end, and which requests were traced.
fn figures(simulated: &Simulated) -> Interval {
    Interval { start: Nanos::ZERO, duration: Nanos::ZERO, traced: Vec::new(), ..simulated.total.clone() }
}

/// Response times within which requests are counted: many are within the first, most within the second.
const LIMITS: [Nanos; 2] = [Nanos::from_millis(100), Nanos::from_millis(450)];

/// Counts by arrival are those of the requests one by one.
fn assert_counts_by_arrival(total: &Interval) {
    let slots = total.arrivals.slots();
    assert!(slots.is_sorted_by(|a, b| a.slot < b.slot));
    let sum = |count: fn(&ArrivalSlot) -> u32| slots.iter().map(|slot| u64::from(count(slot))).sum::<u64>();
    assert_eq!(sum(|slot| slot.offered), total.counts.offered);
    assert_eq!(sum(|slot| slot.failed), total.counts.failed);
    let told = total.traced.iter().map(|request| {
        let took = request.done - request.intended;
        let within = |limit| u32::from(request.error.is_none() && took <= limit);
        ArrivalSlot {
            slot: (request.intended.0 / 100_000_000) as u32,
            offered: 0,
            ended: 1,
            failed: u32::from(request.error.is_some()),
            within: LIMITS.map(within).to_vec(),
        }
    });
    let counted = slots.iter().filter(|slot| slot.ended > 0).map(|slot| ArrivalSlot { offered: 0, ..slot.clone() });
    assert_eq!(counted.collect::<ArrivalCounts>(), told.collect());
    // The histogram has three digits: up to the bucket in which a limit lies.
    for (index, limit) in LIMITS.into_iter().enumerate() {
        let within: u64 = slots.iter().map(|slot| u64::from(slot.within[index])).sum();
        let buckets: Vec<(Nanos, u64)> = total.ok.response.buckets().collect();
        let below = buckets.partition_point(|&(most, _)| most <= limit);
        let up_to = |end: usize| buckets[..end].iter().map(|&(_, count)| count).sum::<u64>();
        assert!((up_to(below)..=up_to((below + 1).min(buckets.len()))).contains(&within), "{within} within {limit}");
    }
}

/// Counts of a slot are final at its end, and those of requests within a limit as soon as that is over, too.
fn assert_known_in_time(simulated: &Simulated) {
    let last = simulated.total.arrivals.slots();
    let mut so_far = ArrivalCounts::new();
    for interval in &simulated.intervals {
        so_far.merge(&interval.arrivals);
        let now = Nanos(interval.start.0 / 1_000_000_000 * 1_000_000_000 + 1_000_000_000);
        if simulated.intervals.iter().any(|other| other != interval && other.start == interval.start) {
            continue;
        }
        let ended = |slot: &&ArrivalSlot| slot.end() <= now;
        for (known, last) in so_far.slots().iter().filter(ended).zip(last.iter().filter(ended)) {
            assert_eq!((known.slot, known.offered), (last.slot, last.offered));
            for (index, limit) in LIMITS.into_iter().enumerate().filter(|&(_, limit)| known.is_known_at(now, limit)) {
                assert_eq!(known.within[index], last.within[index], "slot {} within {limit} at {now}", known.slot);
            }
        }
    }
}

/// Nothing is intended after a soft end, and all that is in flight is awaited.
fn assert_soft_end(simulation: &Simulation, simulated: &Simulated) {
    let Some(at) = simulation.finish_at else { return };
    let latest = simulated.total.traced.iter().map(|request| request.intended).max();
    assert!(latest.is_none_or(|latest| latest <= at), "intended at {latest:?} after the end at {at}");
    let last_slot = simulated.total.arrivals.slots().last().map(|slot| slot.slot);
    assert!(last_slot.is_none_or(|slot| slot <= ArrivalSlot::at(at)));
    if simulation.stop_at.is_none() {
        assert_eq!(simulated.total.counts.abandoned, 0);
    }
}

proptest! {
    #[test]
    fn nothing_is_left_out_nor_counted_twice(load in load(), habits in habits(), mut simulation in simulation()) {
        let mut server = Server::new(&habits);
        let by_second = simulation.run(&load, &mut |at, _| server.answer(at));
        assert_one_outcome_each(&by_second.total);
        assert_agrees_with_the_server(&by_second, simulation.options.keep_alive);
        assert_counts_by_arrival(&by_second.total);
        assert_known_in_time(&by_second);
        assert_soft_end(&simulation, &by_second);
        // Intervals of a second add up to one interval over the whole load.
        simulation.interval = Nanos::from_secs(50_000);
        let mut server = Server::new(&habits);
        let at_once = simulation.run(&load, &mut |at, _| server.answer(at));
        assert_eq!(figures(&by_second), figures(&at_once));
        assert_eq!(by_second.seen, at_once.seen);
    }
}
