//! Services that refuse what is beyond a limit, instead of letting it wait.

use plimsoll_record::{Census, Interval, Nanos, Phase};

use crate::{
    analyse,
    results::Explanation,
    testing::recorded::{Recorded, SECONDS, named},
};

/// A service that is limited by a lock, if it did not answer `share` of the requests so, after a millisecond.
fn refusing(status: u16, share: f64, libraries: &[&str]) -> Explanation {
    refused(named("lock-17"), status, share, libraries)
}

fn refused(mut recorded: Recorded, status: u16, share: f64, libraries: &[&str]) -> Explanation {
    for census in &mut recorded.censuses {
        census.process.libraries = libraries.iter().map(ToString::to_string).collect();
    }
    let mut data = recorded.data();
    for level in data.runs[0].levels.iter_mut().filter(|level| level.plan.label == "full") {
        for interval in &mut level.intervals {
            let refused = (interval.counts.succeeded as f64 * share / (1.0 - share)).round() as u64;
            interval.counts.failed = refused;
            interval.statuses.insert(status, refused);
            (0..refused).for_each(|_| interval.failed.response.record(Nanos::from_millis(1)));
        }
    }
    analyse(&data).explanations.swap_remove(0)
}

#[test]
fn too_many_requests_are_said_by_a_rate_limiter() {
    let found = refusing(429, 0.6, &["resilience4j-ratelimiter-2.3.0"]);
    assert_eq!(found.limit, "rate-limiter", "{found:#?}");
    assert!(found.evidence[0].contains("60 % of the requests were answered 429"), "{:?}", found.evidence);
    assert!(found.change.contains("RateLimiterConfig.limitForPeriod"), "{}", found.change);
    assert!(refusing(429, 0.6, &[]).change.contains("the limit, where it is made"));
    assert_eq!(refusing(429, 0.05, &[]).limit, "lock", "some are refused, and that is not the limit");
}

#[test]
fn other_refusals_are_told_and_not_guessed() {
    let found = refusing(503, 0.9, &[]);
    assert_eq!(found.limit, "unknown", "{found:#?}");
    assert!(found.evidence.iter().any(|it| it.contains("were answered 503")), "{:?}", found.evidence);
    assert_eq!(refusing(503, 0.3, &[]).limit, "lock");
}

/// A bulkhead that lets as many in as there were threads of a server, and lets nobody wait.
#[test]
fn as_many_as_succeed_at_once_and_stand_in_threads_are_let_in() {
    let all_busy = analyse(&named("server-threads-17").data()).explanations.swap_remove(0);
    let threads = all_busy.chain.iter().find(|it| it.kind == "server-threads").and_then(|it| it.busy).expect("threads");
    let of = |at_once: f64| {
        let mut recorded = named("server-threads-17");
        let ms = at_once / recorded.loads["full"].per_s as f64 * 1e3;
        recorded.loads.values_mut().for_each(|load| load.ms = ms);
        let dump = recorded.censuses.iter().rfind(|census| !census.stacks.is_empty()).expect("a dump").clone();
        recorded.censuses.extend((1..3).map(|later| Census { at: dump.at + Nanos::from_secs(later), ..dump.clone() }));
        refused(recorded, 503, 0.9, &[])
    };
    let found = of(threads);
    assert_eq!(found.limit, "semaphore", "{found:#?}");
    assert!(found.says.ends_with("others are refused (503)"), "{}", found.says);
    assert_eq!(of(0.5 * threads).limit, "unknown", "more stand in threads than succeed");
}

/// A server that closes connections beyond a number answers the others as fast as one alone.
#[test]
fn requests_that_fail_are_not_carried_however_fast_the_others_are() {
    let of = |failed: u64| {
        let mut recorded = named("server-threads-17");
        for census in &mut recorded.censuses {
            census.stacks.retain(|stack| !stack.group.contains("pool-"));
            census.peers.clear();
        }
        recorded.loads.get_mut("light").expect("a light load").ms = recorded.loads["full"].ms;
        let mut data = recorded.data();
        for level in data.runs[0].levels.iter_mut().filter(|level| level.plan.label == "full") {
            level.intervals.iter_mut().for_each(|interval| interval.counts.failed = failed);
        }
        analyse(&data).explanations.swap_remove(0)
    };
    assert_eq!(of(0).limit, "offered-load", "{:#?}", of(0));
    let found = of(1_000);
    assert_eq!(found.limit, "unknown", "{found:#?}");
    assert!(found.evidence.iter().any(|it| it.ends_with("% of the requests fail, 0 % of one at a time")), "{found:#?}");
}

/// By Ctrl-C while the capacity was looked for.
#[test]
fn a_service_that_nobody_has_looked_at_is_not_said_to_have_no_limit() {
    let mut recorded = named("lock-17");
    recorded.censuses.clear();
    let found = analyse(&recorded.data()).explanations.swap_remove(0);
    assert_eq!(found.limit, "unknown", "{found:#?}");
    assert!(found.evidence[0].ends_with("it ended before the target was looked at under full load"), "{found:#?}");
}

/// The silence after its end is no figure of a target.
#[test]
fn a_target_that_ended_has_the_throughput_that_it_had_until_then() {
    let recorded = named("lock-17");
    let whole = analyse(&recorded.data()).explanations.swap_remove(0).throughput_per_s;
    let mut data = recorded.data();
    for level in data.runs[0].levels.iter_mut().filter(|level| level.plan.label == "full") {
        level.plan.phase = Phase::Discarded;
        let mut silent: Vec<Interval> = level.intervals.clone();
        for interval in &mut silent {
            interval.start = interval.start + Nanos::from_secs(SECONDS);
            (interval.counts.failed, interval.counts.succeeded) = (interval.counts.succeeded, 0);
        }
        level.intervals.append(&mut silent);
    }
    let found = analyse(&data).explanations.swap_remove(0).throughput_per_s;
    assert!(whole > 0.0 && (found / whole - 1.0).abs() < 0.01, "{found} of {whole}");
}
