//! The laws of a link.

use proptest::prelude::*;

use super::*;

const MS: u64 = 1_000_000;

fn plan(rtt_ms: u64) -> NetworkPlan {
    NetworkPlan { rtt: Nanos::from_millis(rtt_ms), ..NetworkPlan::default() }
}

fn link(plan: &NetworkPlan) -> Link<usize> {
    Link::new(Path::of(plan), 7)
}

fn plans() -> impl Strategy<Value = NetworkPlan> {
    (0..200 * MS, 0..=100_u64, 0..=100_u32, proptest::option::of(1_000..2_000_000_000_u64)).prop_map(
        |(rtt, jitter, loss, bandwidth_bits_per_s)| NetworkPlan {
            rtt: Nanos(rtt),
            jitter: Nanos(rtt * jitter / 100),
            loss_percent: f64::from(loss),
            bandwidth_bits_per_s,
            ..NetworkPlan::default()
        },
    )
}

/// Gaps before packets, and their sizes.
fn arrivals() -> impl Strategy<Value = Vec<(u64, usize)>> {
    proptest::collection::vec((0..3 * MS, 20..=1_500_usize), 1..200)
}

/// The fate of each packet with the instant it came and its size.
fn offered(link: &mut Link<usize>, arrivals: &[(u64, usize)]) -> Vec<(Nanos, usize, Fate)> {
    let mut now = Nanos::ZERO;
    let offer = |(index, &(gap, bytes)): (usize, &(u64, usize))| {
        now = now + Nanos(gap);
        (now, bytes, link.offer(now, bytes, index))
    };
    arrivals.iter().enumerate().map(offer).collect()
}

fn all_due(link: &mut Link<usize>) -> Vec<usize> {
    std::iter::from_fn(|| link.take_due(Nanos::MAX)).collect()
}

proptest! {
    #[test]
    fn every_packet_has_one_fate_and_none_overtakes(plan in plans(), arrivals in arrivals()) {
        let mut link = link(&plan);
        let fates = offered(&mut link, &arrivals);
        let of = |wanted: fn(&Fate) -> bool| fates.iter().filter(|(_, _, fate)| wanted(fate)).count() as u64;
        let arrived: Vec<usize> = all_due(&mut link);
        prop_assert!(arrived.is_sorted());
        let counts = link.counts();
        prop_assert_eq!(counts.packets, arrived.len() as u64);
        prop_assert_eq!(counts.lost, of(|fate| *fate == Fate::Lost));
        prop_assert_eq!(counts.queue_full, of(|fate| *fate == Fate::NoRoom));
        prop_assert_eq!(counts.packets + counts.lost + counts.queue_full, arrivals.len() as u64);
        prop_assert_eq!(counts.bytes, arrived.iter().map(|&index| arrivals[index].1 as u64).sum::<u64>());
        prop_assert_eq!(link.next_due(), None);
    }

    #[test]
    fn each_takes_half_the_round_trip_within_its_jitter(plan in plans(), arrivals in arrivals()) {
        let plan = NetworkPlan { bandwidth_bits_per_s: None, ..plan };
        let mut latest = Nanos::ZERO;
        for (at, _, fate) in offered(&mut link(&plan), &arrivals) {
            let Fate::Arrives(due) = fate else { continue };
            let (least, most) = (Nanos((plan.rtt.0 - plan.jitter.0) / 2), Nanos((plan.rtt.0 + plan.jitter.0) / 2 + 1));
            prop_assert!(due + Nanos(2) >= at + least, "{due} for {at}");
            // One that is held up by the packet before it arrives together with that one.
            prop_assert!(due <= (at + most).max(latest), "{due} for {at}");
            latest = due;
        }
    }

    #[test]
    fn the_wire_carries_its_bandwidth_and_no_more(
        bits_per_s in 8_000..1_000_000_000_u64,
        arrivals in arrivals(),
    ) {
        let plan = NetworkPlan { bandwidth_bits_per_s: Some(bits_per_s), ..plan(0) };
        let fates = offered(&mut link(&plan), &arrivals);
        let sent: Vec<(Nanos, Nanos, usize)> = fates.iter().filter_map(|&(at, bytes, fate)| match fate {
            Fate::Arrives(due) => Some((at, due, bytes)),
            _ => None,
        }).collect();
        for window in (1..sent.len()).flat_map(|end| (0..end).map(move |start| (start, end))).take(2_000) {
            let (start, end) = window;
            let bytes: usize = sent[start + 1..=end].iter().map(|it| it.2).sum();
            let most = (sent[end].1 - sent[start].1).as_secs_f64() * bits_per_s as f64 / 8.0;
            prop_assert!(bytes as f64 <= most + 1.0, "{bytes} bytes where {most} fit");
        }
        // It is never idle while something waits.
        let mut free = Nanos::ZERO;
        for (at, due, bytes) in sent {
            let takes = Nanos((bytes as u64 * 8 * 1_000_000_000).div_ceil(bits_per_s));
            prop_assert_eq!(due, at.max(free) + takes);
            free = due;
        }
    }

    #[test]
    fn the_queue_is_bounded(plan in plans(), arrivals in arrivals()) {
        let path = Path::of(&plan);
        let mut link = link(&plan);
        for (at, _, fate) in offered(&mut link, &arrivals) {
            if let Fate::Arrives(due) = fate {
                let most = path.queue + path.transmission(1_500) + path.delay + path.jitter;
                // Or it was held up by one that travelled slowly.
                prop_assert!(due <= at + most + path.jitter + path.jitter, "{due} for {at}");
            }
        }
    }

    #[test]
    fn a_seed_says_it_all(plan in plans(), arrivals in arrivals()) {
        prop_assert_eq!(offered(&mut link(&plan), &arrivals), offered(&mut link(&plan), &arrivals));
    }
}

#[test]
fn a_packet_is_there_when_it_is_due_and_not_before() {
    let mut link = link(&plan(70));
    assert_eq!(link.offer(Nanos(5), 100, 1), Fate::Arrives(Nanos(35 * MS + 5)));
    assert_eq!(link.next_due(), Some(Nanos(35 * MS + 5)));
    assert_eq!(link.take_due(Nanos(35 * MS + 4)), None);
    assert_eq!(link.take_due(Nanos(35 * MS + 5)), Some(1));
    assert_eq!((link.counts().packets, link.counts().late), (1, 0));
}

#[test]
fn what_is_late_is_counted() {
    let mut link = link(&plan(0));
    for (at, taken) in [(0, 900_000), (10 * MS, 13 * MS)] {
        link.offer(Nanos(at), 100, 0);
        assert!(link.take_due(Nanos(taken)).is_some());
    }
    assert_eq!((link.counts().late, link.counts().lateness_max), (1, Nanos::from_millis(3)));
}

#[test]
fn losses_are_as_frequent_as_planned() {
    let mut link = link(&NetworkPlan { loss_percent: 2.0, ..plan(0) });
    (0..100_000).for_each(|at| {
        link.offer(Nanos(at), 100, 0);
    });
    // 2,000 are expected, with a standard deviation of 44.
    assert!((1_800..2_200).contains(&link.counts().lost), "{:?}", link.counts());
    let mut none = super::Link::new(Path::of(&NetworkPlan { loss_percent: 100.0, ..plan(0) }), 1);
    assert_eq!(none.offer(Nanos(0), 100, ()), Fate::Lost);
}

#[test]
fn jitter_is_spread_evenly_on_both_sides() {
    let mut link = link(&NetworkPlan { jitter: Nanos::from_millis(20), ..plan(100) });
    // Instants so far apart that none holds up the next.
    let second = |k: u64| Nanos(k * 1_000 * MS);
    let delays = (0..10_000).map(|k| match link.offer(second(k), 100, 0) {
        Fate::Arrives(due) => (due - second(k)).as_millis_f64(),
        other => panic!("{other:?}"),
    });
    let delays: Vec<f64> = delays.collect();
    let mean = delays.iter().sum::<f64>() / delays.len() as f64;
    assert!((mean - 50.0).abs() < 0.3, "{mean}");
    assert!(delays.iter().all(|delay| (40.0..=60.0).contains(delay)));
    assert!(delays.iter().any(|delay| *delay < 41.0) && delays.iter().any(|delay| *delay > 59.0));
}

#[test]
fn a_slow_wire_has_room_for_an_initial_window() {
    let mut link = link(&NetworkPlan { bandwidth_bits_per_s: Some(64_000), ..plan(10) });
    let fates: Vec<Fate> = (0..20).map(|index| link.offer(Nanos::ZERO, 1_500, index)).collect();
    let arrived = fates.iter().filter(|fate| matches!(fate, Fate::Arrives(_))).count();
    // Ten wait, and one is being sent.
    assert_eq!(arrived, 11);
    assert!(link.wait(Nanos::ZERO) > Nanos::from_secs(1));
}
