//! Intervals of any values.

use plimsoll_record::{
    ArrivalSlot, CheckCount, Counts, ErrorCount, ErrorKind, Generator, Histogram, Interval, Nanos, Timings,
};
use proptest::{collection::btree_map, prelude::*, sample::select};

use super::{
    open,
    samples::{environment, plan},
};

/// Range of SQLite's signed integers.
const COUNT: std::ops::RangeInclusive<u64> = 0..=i64::MAX as u64;

fn histogram() -> impl Strategy<Value = Histogram> {
    prop::collection::vec(0..=Histogram::HIGHEST.0, 0..20).prop_map(|values| {
        let mut histogram = Histogram::new();
        values.into_iter().for_each(|value| histogram.record(Nanos(value)));
        histogram
    })
}

fn counts() -> impl Strategy<Value = Counts> {
    prop::array::uniform14(COUNT).prop_map(
        |[
            offered,
            sent,
            succeeded,
            failed,
            dropped,
            abandoned,
            iterations,
            connections_opened,
            connections_reused,
            tls_handshakes,
            tls_resumed,
            bytes_received,
            bytes_sent,
            generator_cpu_ns,
        ]| Counts {
            offered,
            sent,
            succeeded,
            failed,
            dropped,
            abandoned,
            iterations,
            connections_opened,
            connections_reused,
            tls_handshakes,
            tls_resumed,
            bytes_received,
            bytes_sent,
            generator_cpu_ns,
        },
    )
}

prop_compose! {
    fn interval()(
        times in (COUNT, COUNT, any::<u32>(), any::<u32>()),
        counts in counts(),
        ok in (histogram(), histogram()),
        failed in (histogram(), histogram()),
        others in prop::array::uniform8(histogram()),
        statuses in btree_map(any::<u16>(), any::<u64>(), 0..4),
        errors in btree_map(select(ErrorKind::ALL), (any::<u64>(), any::<String>()), 0..4),
        checks in btree_map(any::<String>(), (any::<u64>(), any::<u64>()), 0..3),
        arrivals in prop::collection::vec((any::<[u32; 4]>(), prop::collection::vec(any::<u32>(), 0..3)), 0..4),
        generator in (0..100_u8, any::<u64>(), prop::option::of(any::<u64>()), prop::option::of(any::<u64>())),
    ) -> Interval {
        let [send_lag, connection_wait, dns, connect, tls, first_byte, body, iteration] = others;
        Interval {
            start: Nanos(times.0),
            duration: Nanos(times.1),
            stage: times.2,
            request: times.3,
            counts,
            ok: Timings { response: ok.0, service: ok.1 },
            failed: Timings { response: failed.0, service: failed.1 },
            send_lag,
            connection_wait,
            dns,
            connect,
            tls,
            first_byte,
            body,
            iteration,
            statuses,
            errors: errors.into_iter().map(|(kind, (count, example))| (kind, ErrorCount { count, example })).collect(),
            checks: checks.into_iter().map(|(name, (passed, failed))| (name, CheckCount { passed, failed })).collect(),
            arrivals: arrivals
                .into_iter()
                .map(|([slot, offered, ended, failed], within)| ArrivalSlot { slot, offered, ended, failed, within })
                .collect(),
            generator: Generator {
                busiest_worker_percent: f64::from(generator.0),
                involuntary_switches: generator.1,
                descriptors_left: generator.2,
                ports_left: generator.3,
            },
            traced: Vec::new(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 8, ..ProptestConfig::default() })]

    #[test]
    fn every_interval_reads_back_as_it_was_written(mut intervals in prop::collection::vec(interval(), 0..6)) {
        let (_directory, mut store) = open();
        let execution = store.begin_execution(&plan(), &environment(), "").unwrap();
        let run = store.begin_run(execution, 0, 0, 0).unwrap();
        let level = store.begin_level(run.id, 0, Nanos::ZERO).unwrap();
        store.add_intervals(level, &intervals).unwrap();
        intervals.sort_by_key(|interval| (interval.start, interval.stage, interval.request));
        let read = store.read(execution).unwrap();
        prop_assert_eq!(&read.runs[0].levels[0].intervals, &intervals);
    }
}
