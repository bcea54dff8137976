//! Messages of a search about itself, on a service of 100 requests a second.

use plimsoll_record::{Counts, Generator};
use plimsoll_text::number::in_full;

use super::*;

/// Requests per second that the service carries.
const CAPACITY: u32 = 100;

fn plan(objective: &str, at_most: Nanos) -> LinePlan {
    let objectives =
        vec![plimsoll_record::ObjectivePlan { name: String::new(), thresholds: vec![objective.to_owned()] }];
    LinePlan { objectives, at_most, warm_up: Nanos::ZERO, ..LinePlan::default() }
}

fn second(number: u64, requests: u32, busiest_worker_percent: f64) -> Interval {
    let (offered, duration) = (u64::from(requests), Nanos::from_secs(1));
    Interval {
        start: Nanos::from_secs(number),
        duration,
        counts: Counts { offered, sent: offered, succeeded: offered, ..Counts::default() },
        generator: Generator { busiest_worker_percent, ..Generator::default() },
        ..Interval::default()
    }
}

/// The search once its probe is over, with the offer of its first trial.
fn probed(plan: &LinePlan) -> (Searching, Offer) {
    let mut searching = Searching::new(plan, Vec::new(), 1.0, &[]);
    loop {
        let offer = searching.next_offer().unwrap();
        let Load::ConstantVus { vus, .. } = offer.level.load else { return (searching, offer) };
        // Each user has an answer in 20 ms at best.
        for number in 0.. {
            searching.add(second(number, (vus * 50).min(CAPACITY), 10.0), false);
            if searching.is_enough() {
                break;
            }
        }
        searching.end();
    }
}

#[test]
fn a_generator_that_is_the_limit_is_named_with_what_it_offers() {
    let (mut searching, mut offer) = probed(&plan("p(90)<1s", Nanos::from_secs(300)));
    for trial in 1..=3 {
        assert_eq!(searching.line_run().offered_most, None, "it may be by chance");
        let rate = offer.level.load.peak_target();
        searching.add(second(0, rate as u32, 99.0), false);
        let Ended::Spoilt(notes) = searching.end() else { panic!("trial {trial} counts") };
        let limit = "the generator was the limit: its busiest thread used 99 % of a core; the trial is left out";
        assert_eq!(notes[0], limit);
        offer = searching.next_offer().unwrap();
        if trial == 3 {
            let most = rate * 0.9;
            assert_eq!(notes[1], format!("from here on at most {}/s are offered", in_full(most, 4)));
            assert_eq!(searching.line_run().offered_most, Some(most));
            assert!(offer.level.load.peak_target() <= most, "{} of {most}", offer.level.load.peak_target());
        }
    }
}

/// None of 100 requests a second is answered once the probe is over, and nothing ends.
#[test]
fn a_service_that_never_comes_to_rest_is_named_and_may_be_started_anew() {
    let (mut searching, offer) = probed(&plan("p(90)<1s", Nanos::from_secs(300)));
    let hanging = |number, offered| Interval {
        counts: Counts { offered, sent: offered, ..Counts::default() },
        ..second(number, 0, 10.0)
    };
    let mut number = 0;
    while !searching.is_enough() {
        searching.add(hanging(number, 100), false);
        number += 1;
        assert!(number < 20, "a queue that only grows ends a trial");
    }
    for waited in 1..30 {
        searching.add(hanging(number, 0), false);
        number += 1;
        assert!(!searching.is_stuck(), "after {waited} s");
    }
    searching.add(hanging(number, 0), false);
    assert!(searching.is_stuck());
    let Ended::Unrecovered { note, .. } = searching.end() else { panic!("it has not recovered") };
    let load = offer.level.load.peak_target();
    assert_eq!(
        note,
        format!("the target did not recover from {}/s within 30 s: a metastable failure", in_full(load, 4))
    );
    let expected = Unrecovered { load, is_users: false, waited_s: 30.0, restarts: 0, is_end: true };
    assert_eq!(searching.line_run().unrecovered, Some(expected));
    assert!(searching.next_offer().is_none() && searching.may_restart());
    searching.restarted();
    assert_eq!(searching.line_run().unrecovered, Some(Unrecovered { restarts: 1, is_end: false, ..expected }));
    let again = searching.next_offer().expect("the search goes on");
    assert!(again.level.load.is_closed(), "a cold process is warmed up first: {again:?}");
}

#[test]
fn a_long_limit_waits_for_longer() {
    let (mut searching, _) = probed(&plan("p(90)<5s", Nanos::from_secs(300)));
    assert!(!searching.is_stuck());
    if let Some(step) = &mut searching.step {
        (step.is_enough, step.drained) = (true, Nanos::from_secs(40));
    }
    assert!(!searching.is_stuck(), "ten times the limit are 50 s");
}

/// The line at p99.99 takes 61 / (0.1² ln²(10⁴) 10⁻⁴) = 719,000 requests to be known to 10 %: two hours at 100/s. On an
/// M/M/1 server it is at 100/s − ln(10⁴) / 200 ms = 54/s, where they take 222 minutes.
#[test]
fn an_interval_that_takes_more_time_than_there_is_is_said_before() {
    let (_, offer) = probed(&plan("p(99.99)<200ms", Nanos::from_secs(20)));
    let note = offer.note.unwrap();
    let rest = note.strip_prefix("an interval of 10 % takes about ").unwrap();
    let (minutes, rest) = rest.split_once(' ').unwrap();
    assert_eq!(rest, "min at best; after 20.0 s it will be wider");
    assert!((120..240).contains(&minutes.parse::<u32>().unwrap()), "{note}");
    // With p90 there is time for it.
    let (_, offer) = probed(&plan("p(90)<200ms", Nanos::from_secs(300)));
    assert_eq!(offer.note, None);
}

/// The service answers 60 a second once it has used up what it saved, in the middle of the first trial.
#[test]
fn a_service_that_answers_more_for_a_while_is_named() {
    let (mut searching, _) = probed(&plan("errors<1%", Nanos::from_secs(300)));
    assert_eq!(searching.lasting_note(), None);
    let slot = |number| plimsoll_search::Slot { offered: 10, beyond: vec![if number < 150 { 0 } else { 4 }] };
    searching.search.ended(0.0, Seen { slots: (0..300).map(slot).collect(), ..Seen::default() });
    let note = searching.lasting_note().unwrap();
    let expected = format!("the target answered more for a while than the {}/s that it goes on to,", in_full(60.0, 4));
    assert!(note.starts_with(&expected), "{note}");
    assert_eq!(searching.lasting_note(), None, "it is said once");
}

/// A rate limit per second may still count the requests before.
#[test]
fn nothing_is_offered_for_a_second_after_failures() {
    let (mut searching, offer) = probed(&plan("p(90)<1s", Nanos::from_secs(300)));
    assert_eq!(offer.rest, Nanos::ZERO);
    let failed = Counts { offered: 10, sent: 10, succeeded: 8, failed: 2, ..Counts::default() };
    searching.add(Interval { counts: failed, ..second(0, 10, 10.0) }, false);
    searching.end();
    let asked = searching.now();
    assert_eq!(searching.next_offer().unwrap().rest, Nanos::from_secs(1));
    assert!(searching.step.as_ref().is_some_and(|step| step.began >= asked + 1.0), "the trial begins after it");
    searching.end();
    assert_eq!(searching.next_offer().unwrap().rest, Nanos::ZERO);
    searching.end();
    (searching.has_failures, searching.plan.cold) = (true, Some(Nanos::from_secs(20)));
    assert_eq!(searching.next_offer().unwrap().rest, Nanos::ZERO, "a process that has just started has counted none");
}
