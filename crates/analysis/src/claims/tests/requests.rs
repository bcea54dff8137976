//! Claims about one of several requests.

use plimsoll_record::{ErrorKind, ExecutionData, Nanos};

use super::judged;
use crate::{
    claims::parse,
    results::Verdict,
    testing::{Request, burst, execution, level, plan, run, variant},
};

/// A variant with the requests `find` and `buy`: 1,500 of the first in 100 ms each, 500 of the other in 300 ms, one of
/// which fails; over three rounds.
fn of_requests(variant_name: &str) -> ExecutionData {
    let mut plan_of_level = burst(1);
    plan_of_level.requests = vec!["find".to_owned(), "buy".to_owned()];
    let ms = Nanos::from_millis;
    let round = |round| {
        let of = |request: u32, count: u64, took: u64| {
            let request_of = |k: u64| match (request, k) {
                (1, 0) => Request::failed(ms(0), ms(took), ErrorKind::Status5xx),
                _ => Request::ok(ms(k), ms(k + took)),
            };
            let mut data = level(&plan_of_level, ms(0), &(0..count).map(request_of).collect::<Vec<_>>());
            data.intervals.iter_mut().for_each(|it| it.request = request);
            data.intervals
        };
        let mut data = level(&plan_of_level, ms(0), &[]);
        data.intervals = [of(0, 1_500, 100), of(1, 500, 300)].concat();
        data.took = Some(ms(2_000));
        run(0, round, ms(0), vec![data])
    };
    let plan = plan(vec![variant(variant_name)], vec![plan_of_level.clone()], 3);
    execution(plan, (0..3).map(round).collect())
}

#[test]
fn a_claim_may_be_about_one_of_several_requests() {
    let verdict = |expression: &str| {
        let found = judged(of_requests("a"), expression);
        (found.verdict, found.value.map(|value| value.round()))
    };
    assert_eq!(verdict("p99(a/find @ 1) < 101 ms"), (Verdict::Holds, Some(100.0)));
    assert_eq!(verdict("throughput(a/find @ 1) / throughput(a/buy @ 1) > 2.9"), (Verdict::Holds, Some(3.0)));
    assert_eq!(verdict("max(mean(a/* @ *)) > 299 ms"), (Verdict::Holds, Some(300.0)));
    let errors = judged(of_requests("a"), "errors(a/buy @ 1) < 0.1 %").value.unwrap();
    assert!((errors - 0.2).abs() < 1e-9, "1 of 500: {errors}");
    assert_eq!(verdict("errors(a/find @ 1) <= 0 %").1, Some(0.0));
    let few = judged(of_requests("a"), "p99(a/buy @ 1) < 1 s");
    let reason = "p99(a/buy @ 1) was not measured: fewer than 10 of the 499 responses of a round lie beyond p99";
    assert_eq!((few.verdict, few.reason.as_str()), (Verdict::Undecided, reason));
}

#[test]
fn a_request_that_is_not_there_is_refused_with_its_column_and_a_variant_may_have_a_slash() {
    let checked = |expression: &str| {
        let claim = parse(expression).unwrap();
        let checked = claim.check(&["a", "b/c"], &["1"]);
        checked.and_then(|()| claim.check_requests(&["a", "b/c"], &["find", "buy"])).map_err(|it| it.to_string())
    };
    assert_eq!(checked("p99(a/find @ 1) < 1 s"), Ok(()));
    assert_eq!(checked("p99(b/c @ 1) < 1 s"), Ok(()));
    let nested = checked("p99(b/c/buy @ 1) < 1 s").unwrap_err();
    assert!(nested.starts_with("column 5: there is no variant `b`"), "{nested}");
    let missing = checked("p99(a/fund @ 1) < 1 s").unwrap_err();
    assert!(missing.starts_with("column 7: there is no request `fund` (did you mean `find`?)"), "{missing}");
    let of_run = checked("startup(a/find) < 1 s").unwrap_err();
    assert_eq!(of_run, "column 11: startup is no figure of a request: remove `/find` after a");
}
