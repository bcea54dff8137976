use plimsoll_drive::{Options, Request};
use plimsoll_record::{ErrorCount, Stage, ThinkTime};
use unicode_width::UnicodeWidthStr;

use super::*;

fn job(load: Load) -> Job {
    let url = "http://127.0.0.1:8080/인사말".parse().unwrap();
    let request = Request { url, method: "GET".to_owned(), headers: Vec::new(), body: Vec::new() };
    Job::single(load, request, Options::default())
}

fn for_a_minute() -> Load {
    Load::ConstantVus { vus: 50, duration: Nanos::from_secs(60), think: ThinkTime::None }
}

fn second(number: u64, succeeded: u64, ms: u64) -> Interval {
    let mut interval =
        Interval { start: Nanos::from_secs(number), duration: Nanos::from_secs(1), ..Interval::default() };
    interval.counts.offered = succeeded;
    interval.counts.succeeded = succeeded;
    (0..succeeded).for_each(|_| interval.ok.response.record(Nanos::from_millis(ms)));
    interval
}

fn text(dashboard: &Dashboard, elapsed_s: u64, width: usize) -> String {
    let lines = dashboard.lines(Nanos::from_secs(elapsed_s), width);
    lines.into_iter().map(|line| line.text + "\n").collect()
}

#[test]
fn it_shows_the_last_second_the_last_five_and_the_last_minute() {
    let mut dashboard = Dashboard::new(&job(for_a_minute()));
    (0..20).for_each(|number| dashboard.add(0, &second(number, 1_000, 500)));
    (20..25).for_each(|number| dashboard.add(0, &second(number, 2_000, 5)));
    let shown = text(&dashboard, 25, 100);
    assert!(shown.contains("0:25 of 1:00  0:35 left"), "{shown}");
    assert!(shown.contains("2,000/s of 2,000/s offered  30,000 done  0 under way"), "{shown}");
    assert!(shown.contains("p99 5.00 ms  (last 5 s)"), "{shown}");
    assert!(shown.contains("max 2,000/s") && shown.contains("max 500 ms"), "{shown}");
    assert!(shown.contains("errors    none"), "{shown}");
}

#[test]
fn several_requests_and_scenarios_of_a_second_are_summed() {
    let mut both = job(for_a_minute());
    both.scenarios.push(Scenario { start: Nanos::from_secs(5), ..both.scenarios[0].clone() });
    let mut dashboard = Dashboard::new(&both);
    dashboard.add(0, &second(5, 100, 1));
    dashboard.add(0, &Interval { request: 1, ..second(5, 20, 1) });
    dashboard.add(1, &second(0, 3, 1));
    let shown = text(&dashboard, 6, 100);
    assert!(shown.contains("123/s of 123/s"), "{shown}");
    assert!(shown.contains("of 1:05"), "the later one ends later: {shown}");
}

#[test]
fn errors_are_counted_by_kind_most_frequent_first() {
    let mut dashboard = Dashboard::new(&job(for_a_minute()));
    let mut interval = second(0, 1, 1);
    let error = |count| ErrorCount { count, example: String::new() };
    interval.errors = [(ErrorKind::Refused, error(2)), (ErrorKind::Status5xx, error(1_500))].into();
    interval.counts.failed = 1_502;
    dashboard.add(0, &interval);
    let lines = dashboard.lines(Nanos::from_secs(1), 80);
    let errors = lines.iter().find(|line| line.tone == Tone::Bad).unwrap();
    assert_eq!(errors.text, "errors    status-5xx: 1,500  refused: 2");
}

#[test]
fn a_ramp_names_its_stage_and_target() {
    let leg = |target| Stage { duration: Nanos::from_secs(10), target };
    let load = Load::RampingVus { start_vus: 0, stages: vec![leg(100.0), leg(300.0)], think: ThinkTime::None };
    let dashboard = Dashboard::new(&job(load));
    assert!(text(&dashboard, 15, 80).contains("stage     2 of 2: 200 VUs → 300 VUs"), "{}", text(&dashboard, 15, 80));
}

#[test]
fn iterations_are_counted_where_the_load_says_how_many() {
    let load = Load::SharedIterations { vus: 5, iterations: 10_000, max_duration: None, think: ThinkTime::None };
    let mut dashboard = Dashboard::new(&job(load));
    let mut interval = second(0, 2_500, 1);
    interval.counts.iterations = 2_500;
    dashboard.add(0, &interval);
    let shown = text(&dashboard, 1, 80);
    assert!(shown.contains("█████░░░░░░░░░░░░░░░"), "{shown}");
    assert!(shown.contains("2,500 of 10,000 iterations"), "{shown}");
    assert_eq!(
        dashboard.one_line(Nanos::from_secs(1)),
        "0:01  2,500 of 10,000 iterations  2,500 req/s  p99 1.00 ms  2,500 done  0 errors"
    );
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let mut dashboard = Dashboard::new(&job(for_a_minute()));
    assert!(text(&dashboard, 0, 80).contains("response  –"), "before anything was measured");
    (0..100).for_each(|number| dashboard.add(0, &second(number, 12_345, 7)));
    for width in [20, 40, 60, 80, 200] {
        for line in dashboard.lines(Nanos::from_secs(100), width) {
            assert!(line.text.width() <= width, "{width}: {}", line.text);
        }
    }
    assert_eq!(dashboard.seconds.len(), 60, "no more than a minute is kept");
}
