//! Findings of the audit in the tables that Plimsoll began with.

use plimsoll_record::{
    Conditions, Nanos,
    Statistic::{
        self, Errors, Interval, Max, Mean, Median, Min, P90, P95, P99, Received, Sent, Stdev, Throughput, Total,
    },
};

use super::{audited, row};
use crate::{audit::Row, results::Weight};

/// Every row with its findings.
fn told(table: &[Row]) -> String {
    let rows = audited(table).into_iter().map(|(row, audit)| {
        let findings = audit
            .findings
            .iter()
            .map(|it| format!("\n  {:?}, {}: {} {}", it.weight, it.kind.title, it.says, it.remedy));
        let head = format!("{} @ {}: {:?}", row.variant, row.level, audit.verdict);
        head + &findings.collect::<String>()
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn outbound_clients_break_littles_law_and_pause_unalike() {
    let table: Vec<Row> = [
        ("feign-default", "100", "77.8", "366", None, 200),
        ("feign-tuned", "100", "153", "331", None, 400),
        ("webclient", "100", "91.7", "140", None, 200),
        ("feign-default", "300", "180", "2422", None, 200),
        ("feign-tuned", "300", "354", "2448", None, 400),
        ("webclient", "300", "546", "93.1", None, 200),
        ("feign-default", "500", "217", "4409", Some("7081"), 200),
        ("feign-tuned", "500", "394", "4972", None, 400),
        ("webclient", "500", "985", "102", Some("74.4"), 200),
    ]
    .map(|(variant, level, throughput, mean, p95, workers)| {
        let is_webclient = variant == "webclient";
        let conditions = Conditions {
            vus: level.parse().ok(),
            duration: Some(Nanos::from_secs(30)),
            workers: (!is_webclient).then_some(workers),
            service_time: Some(Nanos::from_millis(70)),
            pool: (variant == "feign-tuned").then_some(100),
            call_time: Some(Nanos::from_millis(70)),
            ..Conditions::default()
        };
        let mut figures = vec![(Throughput, throughput), (Mean, mean)];
        figures.extend(p95.map(|p95| (P95, p95)));
        row(variant, level, conditions, &figures)
    })
    .into();
    insta::assert_snapshot!(told(&table));
}

/// `resttemplate-pool` has no table: all that was printed is that throughput fell to the twenties.
#[test]
fn a_lone_throughput_is_too_little_to_check() {
    let table = [row("resttemplate-simple", "production", Conditions::default(), &[(Throughput, "20")])];
    insta::assert_snapshot!(told(&table), @"resttemplate-simple @ production: Unchecked");
}

#[test]
fn greetings_are_right_and_the_ceiling_shows() {
    let table: Vec<Row> = [
        ("web-jvm", "100", ["1.291", "1.279", "77.5"]),
        ("web-jvm", "300", ["2.294", "1.461", "130.8"]),
        ("web-jvm", "900", ["5.151", "2.898", "174.7"]),
        ("web-jvm", "2700", ["14.200", "7.417", "190.1"]),
        ("web-jvm-cds", "100", ["1.343", "1.328", "74.4"]),
        ("web-jvm-cds", "300", ["2.148", "1.424", "139.7"]),
        ("web-jvm-cds", "900", ["5.263", "2.975", "171.0"]),
        ("web-jvm-cds", "2700", ["14.217", "7.403", "189.9"]),
        ("web-jvm-cds-aot", "100", ["1.426", "1.400", "70.1"]),
        ("web-jvm-cds-aot", "300", ["2.192", "1.439", "136.9"]),
        ("web-jvm-cds-aot", "900", ["5.205", "2.925", "172.9"]),
        ("web-jvm-cds-aot", "2700", ["14.161", "7.361", "190.7"]),
        ("web-native", "100", ["1.070", "1.051", "93.5"]),
        ("web-native", "300", ["2.162", "1.549", "138.7"]),
        ("web-native", "900", ["5.141", "2.889", "175.1"]),
        ("web-native", "2700", ["14.231", "7.385", "189.7"]),
        ("web-jvm-vt", "100", ["1.225", "1.205", "81.6"]),
        ("web-jvm-vt", "300", ["2.255", "1.439", "133.0"]),
        ("web-jvm-vt", "900", ["2.532", "1.679", "355.5"]),
        ("web-jvm-vt", "2700", ["5.052", "2.734", "534.4"]),
        ("web-jvm-cds-vt", "100", ["1.273", "1.233", "78.5"]),
        ("web-jvm-cds-vt", "300", ["2.304", "1.411", "130.2"]),
        ("web-jvm-cds-vt", "900", ["3.191", "1.715", "282.0"]),
        ("web-jvm-cds-vt", "2700", ["4.389", "2.422", "615.2"]),
        ("web-jvm-cds-aot-vt", "100", ["1.335", "1.288", "74.9"]),
        ("web-jvm-cds-aot-vt", "300", ["2.305", "1.479", "130.1"]),
        ("web-jvm-cds-aot-vt", "900", ["2.601", "1.702", "346.0"]),
        ("web-jvm-cds-aot-vt", "2700", ["4.497", "2.656", "600.4"]),
        ("reactive", "100", ["", "1.214", ""]),
        ("reactive", "300", ["", "1.090", ""]),
        ("reactive", "900", ["", "1.258", ""]),
        ("reactive", "2700", ["", "1.705", ""]),
    ]
    .map(|(variant, level, [total, mean_s, throughput])| {
        let has_workers = variant.starts_with("web") && !variant.ends_with("-vt");
        let conditions = Conditions {
            vus: level.parse().ok(),
            requests: level.parse().ok(),
            workers: has_workers.then_some(200),
            service_time: Some(Nanos::from_secs(1)),
            ..Conditions::default()
        };
        let mean_ms = mean_s.replace('.', "");
        let figures = [(Total, total), (Mean, mean_ms.as_str()), (Throughput, throughput)];
        let printed: Vec<_> = figures.into_iter().filter(|(_, text)| !text.is_empty()).collect();
        row(variant, level, conditions, &printed)
    })
    .into();
    insta::assert_snapshot!(told(&table));
}

#[test]
fn the_processors_of_the_cold_start_make_no_difference() {
    // 50 calls, 10 in flight, 200 ms each: five waves.
    let conditions = Conditions { service_time: Some(Nanos::from_secs(1)), ..Conditions::default() };
    let of = |variant, [mean, stdev, interval]: [&str; 3]| {
        row(variant, "batch", conditions, &[(Mean, mean), (Stdev, stdev), (Interval, interval)])
    };
    let table =
        [of("10 processors", ["1035.498", "7.496", "22.667"]), of("2 processors", ["1049.652", "18.554", "56.103"])];
    insta::assert_snapshot!(told(&table));
}

const OF_THREADS: [Statistic; 11] = [Mean, Median, P90, P95, P99, Min, Max, Errors, Throughput, Received, Sent];

#[test]
fn thread_servers_show_the_ramp_up_the_backlog_and_the_tools_own_words() {
    let rows = [
        ("per-request", "500", "1 1 2 2 24 0 35 0 498.5 59.39 77.40"),
        ("pool", "500", "1 1 2 3 26 0 36 0 499.0 59.45 77.48"),
        ("per-request", "2000", "0 0 1 2 8 0 33 0 997.5 118.84 154.89"),
        ("pool", "2000", "0 0 1 1 18 0 38 0 999.0 119.02 155.12"),
        ("per-request", "5000", "3 1 5 13 21 0 351 8.22 10683.8 3397.20 1522.54"),
        ("pool", "5000", "7 0 5 101 102 0 104 3.76 10893.3 2288.59 1627.83"),
        ("per-request", "10000", "32 1 170 205 235 0 480 18.14 8045.1 4488.39 1022.58"),
        ("pool", "10000", "4 0 1 4 151 0 154 1.67 11481.1 1831.31 1752.93"),
    ];
    let table: Vec<Row> = rows
        .map(|(variant, level, figures)| {
            let ramp_up_s = [("500", 1), ("2000", 2)].iter().find(|(of, _)| *of == level).map(|(_, s)| *s);
            let conditions = Conditions {
                vus: level.parse().ok(),
                requests: level.parse().ok(),
                ramp_up: ramp_up_s.map(Nanos::from_secs),
                ..Conditions::default()
            };
            let figures: Vec<_> = OF_THREADS.into_iter().zip(figures.split(' ')).collect();
            row(variant, level, conditions, &figures)
        })
        .into();
    insta::assert_snapshot!(told(&table));
}

/// Figures as they stand in a table.
type Printed<'a> = &'a [(Statistic, &'a str)];

/// Rows that break a law each, with the id of what must be found.
#[test]
fn a_row_that_cannot_be_is_found_out() {
    let second = Some(Nanos::from_secs(1));
    let closed = |vus: f64| Conditions { vus: Some(vus), ..Conditions::default() };
    let workers = Conditions { workers: Some(200), service_time: second, ..closed(1_000.0) };
    let hundred = Conditions { requests: Some(100), ..closed(100.0) };
    let offered = Conditions { offered_per_s: Some(10.0), ..Conditions::default() };
    let cases: [(&str, Conditions, Printed); 8] = [
        ("audit-littles-law", closed(20.0), &[(Throughput, "100"), (Mean, "1000")]),
        ("audit-throughput", hundred, &[(Total, "10.0"), (Throughput, "20.0")]),
        ("audit-longer-than-level", hundred, &[(Total, "1.0"), (Max, "5000")]),
        ("audit-percentile-order", closed(1.0), &[(Median, "100"), (P90, "50")]),
        ("audit-mean", closed(1.0), &[(Mean, "1000"), (P99, "10"), (Max, "20")]),
        ("audit-faster-than-service", workers, &[(Min, "500")]),
        ("audit-above-ceiling", workers, &[(Throughput, "500")]),
        ("audit-more-than-offered", offered, &[(Throughput, "20")]),
    ];
    for (id, conditions, figures) in cases {
        let table = [row("theirs", "1", conditions, figures)];
        let (_, audit) = audited(&table).remove(0);
        let found = audit.findings.iter().find(|it| it.kind.id == id);
        let found = found.unwrap_or_else(|| panic!("{id} is not among {:#?}", audit.findings));
        assert_eq!((found.weight, found.place.to_string().as_str()), (Weight::Contradiction, "theirs @ 1"));
        assert_eq!(found.evidence.len(), found.kind.evidence.len(), "{found:#?}");
    }
}

/// A tool that starts a thousand users within a second prints such a row of a service that nothing is wrong with.
#[test]
fn a_burst_that_came_slowly_is_no_contradiction() {
    let service_time = Some(Nanos::from_millis(100));
    let conditions = Conditions { requests: Some(1_000), workers: Some(200), service_time, ..Conditions::default() };
    let conditions = Conditions { vus: Some(1_000.0), ..conditions };
    let (_, audit) = audited(&[row("slow start", "1000", conditions, &[(Throughput, "909"), (Mean, "100")])]).remove(0);
    let found: Vec<_> = audit.findings.iter().map(|it| (it.kind.id, it.weight)).collect();
    let expected = ["audit-faster-than-workers", "audit-users-not-at-once"].map(|id| (id, Weight::Warning));
    assert_eq!(found, expected, "{audit:#?}");
}

#[test]
fn means_differ_if_their_difference_does_and_each_is_held_against_the_rows_before_it() {
    let of =
        |variant, level, mean, width| row(variant, level, Conditions::default(), &[(Mean, mean), (Interval, width)]);
    let told = |table: &[Row]| {
        let found = audited(table).into_iter().flat_map(|(row, audit)| {
            let none_shown = audit.findings.into_iter().filter(|it| it.kind.id == "audit-no-difference-shown");
            none_shown.map(move |_| format!("{} @ {}", row.variant, row.level))
        });
        found.collect::<Vec<_>>()
    };
    // 1.6 apart, and ± 1 and ± 1 make ± 1.41, although 11.0 lies above 10.6.
    assert!(told(&[of("a", "1", "10.0", "2.0"), of("b", "1", "11.6", "2.0")]).is_empty());
    let by_level = [of("a", "1", "10", "1"), of("b", "1", "20", "1"), of("a", "2", "10", "1"), of("b", "2", "10", "1")];
    assert_eq!(told(&by_level), ["b @ 2"]);
}

/// Rows as other tools print them of services that do just that.
#[test]
fn rows_that_exist_are_not_accused() {
    let of = |vus: f64| Conditions { vus: Some(vus), ..Conditions::default() };
    let (second, half_minute) = (Some(Nanos::from_secs(1)), Some(Nanos::from_secs(30)));
    let counted = Conditions { requests: Some(50), think_time: second, ..of(10.0) };
    let refused = Conditions { workers: Some(200), service_time: second, duration: half_minute, ..of(1_000.0) };
    let started = Conditions { ramp_up: Some(Nanos::from_secs(10)), duration: half_minute, ..of(100.0) };
    let few = Conditions { requests: Some(1_000), duration: None, ramp_up: Some(Nanos::from_secs(10)), ..of(2.0) };
    let arrivals =
        Conditions { offered_per_s: Some(5.0), duration: Some(Nanos::from_secs(20)), ..Conditions::default() };
    let fourteen = Conditions { requests: Some(14), ..Conditions::default() };
    let paused = Conditions { think_time: Some(Nanos::from_secs(5)), duration: half_minute, ..of(10.0) };
    let rows = [
        // Five requests of 100 ms each, four pauses between them.
        row("counted", "10", counted, &[(Throughput, "11.1"), (Mean, "100")]),
        // 503 at once.
        row("refused", "1000", refused, &[(Throughput, "5000"), (Min, "0"), (Mean, "150"), (Errors, "96.0")]),
        // Each user makes many requests.
        row("started", "100", started, &[(Throughput, "500"), (Mean, "150")]),
        row("few", "2", few, &[(Throughput, "200"), (Mean, "5")]),
        // 111 where 100 are expected.
        row("arrivals", "5/s", arrivals, &[(Throughput, "5.55")]),
        // 13 of 10 ms; JMeter takes the 13th of 14 as p95.
        row("fourteen", "1", fourteen, &[(Mean, "81"), (P95, "10"), (Max, "1000")]),
        // JMeter pauses before each request.
        row("paused", "10", paused, &[(Throughput, "1.67"), (Mean, "100")]),
    ];
    let found = audited(&rows).into_iter().flat_map(|(_, audit)| audit.findings);
    let accused: Vec<String> = found.filter(|it| it.weight >= Weight::Warning).map(|it| it.says).collect();
    let slow = "The mean, 81 ms, is above p95, 10 ms: the slowest 12 % of requests must average";
    assert!(accused.len() == 1 && accused[0].starts_with(slow), "{accused:#?}");
}
