//! Thresholds from text to verdict.

use plimsoll_record::{CheckCount, Interval};
use proptest::prelude::*;

use super::*;
use crate::testing::{self, Request, burst};

fn parse(text: &str) -> Threshold {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> (usize, String) {
    let error = text.parse::<Threshold>().expect_err(text);
    (error.column, error.message)
}

/// 99 requests that took 100 ms, each sent 40 ms late, and one that failed.
fn second(request: u32) -> Interval {
    let mut interval = Interval { duration: Nanos::from_secs(1), request, ..Interval::default() };
    for _ in 0..99 {
        interval.ok.response.record(Nanos::from_millis(100));
        interval.ok.service.record(Nanos::from_millis(60));
    }
    interval.counts.succeeded = 99;
    interval.counts.failed = 1;
    interval.checks.insert("body".to_owned(), CheckCount { passed: 3, failed: 1 });
    interval
}

fn level(label: &str, requests: &[&str]) -> LevelPlan {
    let requests = requests.iter().map(|name| name.to_string()).collect();
    LevelPlan { label: label.to_owned(), requests, ..burst(1) }
}

fn value(text: &str) -> f64 {
    let mut parts = Vec::new();
    judge::add(&mut parts, &level("browse", &["search", "buy"]), &second(0));
    judge::add(&mut parts, &level("other", &[]), &second(0));
    parse(text).value(&parts).unwrap()
}

#[test]
fn what_is_measured_is_compared() {
    assert!((value("p(99)<1") - 100.0).abs() < 0.1);
    assert!((value("service.med<1") - 60.0).abs() < 0.1);
    assert_eq!(value("errors<1%"), 1.0);
    assert_eq!(value("checks>1%"), 75.0);
    assert_eq!((value("throughput>1"), value("count>1"), value("dropped==0")), (198.0, 200.0, 0.0));
    assert_eq!(value("count{scenario:browse}>1"), 100.0);
    assert_eq!(value("count{scenario:browse, request:search}>1"), 100.0);
}

#[test]
fn a_load_that_was_never_driven_keeps_no_threshold() {
    let mut parts = Vec::new();
    judge::add(&mut parts, &level("driven", &["search"]), &second(0));
    for text in ["dropped{scenario:never}<1", "count{scenario:never}<10", "errors{scenario:never}<1%"] {
        let threshold = parse(text);
        assert!(threshold.value(&parts).is_none() && !threshold.is_kept(None), "{text}");
    }
    assert_eq!(parse("dropped{scenario:driven}<1").value(&parts), Some(0.0));
}

/// Two levels of 198 requests within 1.1 s each, in three rounds.
#[test]
fn throughput_is_that_of_all_rounds_and_levels_one_after_the_other() {
    let plans = [level("a", &[]), level("b", &[])];
    let run = |round| {
        let of = |plan: &LevelPlan| {
            let requests = (0..198).map(|_| Request::ok(Nanos::ZERO, Nanos::from_millis(1_100)));
            testing::level(plan, Nanos::ZERO, &requests.collect::<Vec<_>>())
        };
        testing::run(0, round, Nanos::ZERO, plans.iter().map(of).collect())
    };
    let mut data =
        testing::execution(testing::plan(vec![testing::variant("web")], plans.to_vec(), 3), (0..3).map(run).collect());
    data.execution.plan.thresholds = vec!["throughput>200".to_owned(), "count>1".to_owned()];
    let [throughput, count] = judge_all(&data).try_into().unwrap();
    assert!((throughput.value.unwrap() - 180.0).abs() < 0.1, "{throughput:?}");
    assert_eq!((throughput.is_kept, count.value), (false, Some(6.0 * 198.0)));
}

#[test]
fn limits_have_units() {
    let limit = |text| parse(text).limit;
    assert_eq!(
        [limit("p(99)<200"), limit("p(99) < 200 ms"), limit("avg<=1.5s"), limit("max<800us")],
        [200.0, 200.0, 1_500.0, 0.8]
    );
    assert_eq!([limit("errors<0.1%"), limit("throughput>5000/s"), limit("count>=10")], [0.1, 5_000.0, 10.0]);
    assert_eq!(parse("errors<1% abort").abort_after(), Some(Nanos::ZERO));
    assert_eq!(parse("p(99.9)<200 abort after 1.5s").abort_after(), Some(Nanos::from_millis(1_500)));
    assert_eq!(parse("med<1").abort_after(), None);
}

#[test]
fn errors_say_where_and_what_to_do() {
    assert_eq!(error("errors<0.1"), (11, "expected a share in percent, e.g. `0.1%`; found the end".to_owned()));
    assert_eq!(error("p(101)<5").0, 3);
    assert_eq!(error("p99<200ms").0, 1);
    assert!(error("p99<200").1.ends_with("found `p99<200`. Did you mean `p(99)<200ms`?"));
    assert!(error("p99.9 < 1s").1.ends_with("Did you mean `p(99.9) < 1s`?"));
    assert!(error("p999<1s").1.ends_with("found `p999<1s`"));
    assert!(error("latency<5").1.starts_with("expected `p(99)`, `avg`"));
    assert_eq!(error("p(99)=5"), (6, "expected one of < <= > >= == !=; found `=5`".to_owned()));
    assert!(error("p(99)<5 requests").1.starts_with("expected a time such as `200ms`"));
    assert!(error("count{method:GET}<5").1.starts_with("expected `scenario:NAME` or `request:NAME`"));
    assert!(error("count<5 abort after 10").1.contains("abort after 10s"));
    assert!(error("").1.ends_with("found the end"));
    let levels = [level("browse", &["search"])];
    let unknown = Threshold::of_levels("count{request:serch}>1", &levels).unwrap_err();
    assert_eq!(
        unknown,
        ThresholdError { column: 15, message: "no request is called `serch`; there are search".to_owned() }
    );
    assert!(Threshold::of_levels("count{request:search}>1", &levels).is_ok());
    let column = |text: &str| Threshold::of_levels(text, &levels).unwrap_err().column;
    assert_eq!(column("count{request:count}>1"), 15, "not the metric of that name");
    assert_eq!(column("count{scenario:é, request:x}>1"), 16);
    let levels = [level("é", &["search"])];
    let behind = Threshold::of_levels("count{scenario:é, request:x}>1", &levels).unwrap_err();
    assert_eq!(behind.column, 27, "in characters, not in bytes");
}

#[test]
fn a_load_is_aborted_once_the_delay_is_over() {
    let thresholds = ["errors<0.5% abort after 3s", "p(99)<1ms"].map(parse);
    let mut watch = Watch::new(&thresholds);
    let mut at = |start_s| {
        let interval = Interval { start: Nanos::from_secs(start_s), ..second(0) };
        watch.add(&level("load", &[]), &interval).map(ToString::to_string)
    };
    assert_eq!((at(0), at(1)), (None, None), "what does not abort is judged at the end");
    assert_eq!(at(2), Some("errors<0.5% abort after 3s".to_owned()));
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,40}") {
        let _ = text.parse::<Threshold>();
    }

    #[test]
    fn garbled_thresholds_do_not_panic(text in "(p\\(|errors|service\\.|\\{|request:|a|\\}|<|=|[0-9.]|ms|%|abort|after| |µ){0,12}") {
        let _ = text.parse::<Threshold>();
    }
}
