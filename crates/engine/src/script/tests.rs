//! How scripts are drawn, resolved and filled in.

use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use plimsoll_record::Nanos;

use super::*;

fn step(name: &str) -> Step {
    Step::new(name, Request::get(format!("http://h/{name}").parse().unwrap()))
}

#[test]
fn flows_are_drawn_by_weight() {
    let flow = |weight, names: &[&str]| Flow::new(weight, names.iter().map(|name| step(name)).collect());
    let script = Script::new(vec![flow(3.0, &["a", "b"]), flow(1.0, &["c"])]);
    assert_eq!(script.names(), ["a", "b", "c"]);
    let prepared = Prepared::new(&script, false, Segment::WHOLE, 1);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let drawn: Vec<u32> = (0..10_000).map(|_| prepared.draw(&mut rng)).collect();
    let second = drawn.iter().filter(|&&first| first == 2).count();
    assert!(drawn.iter().all(|&first| first == 0 || first == 2) && (2_300..2_700).contains(&second), "{second}");
    assert_eq!(prepared.steps.iter().map(|step| step.has_next).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn a_script_has_a_thousand_requests_at_most() {
    let text = |count: usize| ScriptText {
        flows: (0..count).map(|_| FlowText { weight: 1.0, steps: vec![StepText::default()] }).collect(),
        ..ScriptText::default()
    };
    let base = "http://h/".parse().unwrap();
    assert!(text(1_000).resolve(&base).is_ok());
    let errors = text(1_001).resolve(&base).unwrap_err();
    assert_eq!(errors[0].place, Place::Step(1_000, Field::Url));
    assert!(errors[0].problem.contains("at most 1,000 requests, found 1,001"), "{}", errors[0].problem);
}

#[test]
fn a_header_is_one_line() {
    let base = "http://h/".parse().unwrap();
    let with = |value: &str| {
        let step = StepText { headers: vec![("X".to_owned(), value.to_owned())], ..StepText::default() };
        let flows = vec![FlowText { weight: 1.0, steps: vec![step] }];
        ScriptText { flows, ..ScriptText::default() }.resolve(&base)
    };
    for value in ["a\r\nY: b", "a\r", "a\n", "a\0"] {
        let errors = with(value).unwrap_err();
        assert_eq!(errors[0].place, Place::Step(0, Field::Header(0)));
        assert!(errors[0].problem.contains("is one line"), "{}", errors[0].problem);
    }
    assert!(with("a\tb").is_ok());
}

/// One of two workers is faster: it takes seven of ten rows. A part of a load takes every second one.
#[test]
fn workers_take_rows_in_turn_however_unequal_their_shares_are() {
    let table = Table { columns: vec!["id".to_owned()], rows: (0..10).map(|row| vec![row.to_string()]).collect() };
    let feeder = Feeder { name: "f".to_owned(), table: Arc::new(table), order: Order::Sequential };
    let step = StepText { url: "{{f.id}}".to_owned(), ..StepText::default() };
    let text = ScriptText {
        flows: vec![FlowText { weight: 1.0, steps: vec![step] }],
        feeders: vec![feeder],
        ..ScriptText::default()
    };
    let script = text.resolve(&"http://h/".parse().unwrap()).unwrap();
    let taken = |part: Segment, shares: [usize; 2]| {
        let script = script.shared_by_workers(part);
        let rows_of = |worker: usize| {
            let mut prepared = Prepared::new(&script, false, part.part(worker, 2), 1);
            let mut user = prepared.new_user(0);
            let mut row = || {
                prepared.begin_iteration(0, &mut user, Nanos::ZERO);
                let request = prepared.render(0, &mut user, Nanos::ZERO).unwrap().unwrap();
                request.url.path().trim_start_matches('/').to_owned()
            };
            (0..shares[worker]).map(|_| row()).collect::<Vec<_>>()
        };
        let mut rows = [rows_of(0), rows_of(1)].concat();
        rows.sort_unstable();
        rows
    };
    assert_eq!(taken(Segment::WHOLE, [7, 3]), ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!(taken(Segment { index: 1, count: 2 }, [4, 1]), ["1", "3", "5", "7", "9"]);
}
