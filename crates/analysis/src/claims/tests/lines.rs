//! Claims about load lines, from the searches of runs.

use plimsoll_record::LoadUnit;

use super::{error, *};
use crate::testing::{Line, lines};

const OPEN: Line = Line { has_upper: false, ..Line::at(60.0) };

/// Lines of `a` and `b` by round, each known to 5 % on either side.
fn judged_of(a: &[Line], b: &[Line], expression: &str) -> ClaimResult {
    let data = lines(&[("a", a), ("b", b)], &[expression]);
    judge_all(&Measured::of(&data), &[]).remove(0)
}

fn verdict(a: &[Line], b: &[Line], expression: &str) -> Verdict {
    let result = judged_of(a, b, expression);
    assert!(!result.reason.is_empty());
    result.verdict
}

/// 47.5 to 52.5 against 142.5 to 157.5: the ratio lies between 142.5 / 52.5 = 2.71 and 157.5 / 47.5 = 3.32.
#[test]
fn one_round_decides_what_its_searches_know() {
    let (a, b) = ([Line::at(50.0)], [Line::at(150.0)]);
    let result = judged_of(&a, &b, "line(b) / line(a) >= 1.5");
    assert_eq!(result.verdict, Verdict::Holds);
    assert!((result.value.unwrap() - 3.0).abs() < 1e-9);
    let [low, high] = result.interval.unwrap();
    assert!((low - 142.5 / 52.5).abs() < 1e-9 && (high - 157.5 / 47.5).abs() < 1e-9);
    assert_eq!(result.reason, "2.71 to 3.32, by the searches of 1 round: it is at least 1.5");
    assert_eq!(verdict(&a, &b, "line(b) / line(a) >= 3.4"), Verdict::Fails);
    assert_eq!(verdict(&a, &b, "line(b) / line(a) >= 3"), Verdict::Undecided);
    assert_eq!(verdict(&a, &b, "line(a) >= 47/s"), Verdict::Holds);
    assert_eq!(verdict(&a, &b, "line(a) >= 50/s"), Verdict::Undecided);
    assert_eq!(verdict(&a, &b, "53/s > line(a)"), Verdict::Holds);
    assert_eq!(verdict(&a, &b, "line(a) < line(b)"), Verdict::Holds);
    assert_eq!(verdict(&a, &b, "max(line(*)) >= 100/s"), Verdict::Holds);
}

/// The machine slows down from round to round, by a fifth each time, and both lines with it: their ratio does not.
#[test]
fn over_rounds_a_ratio_is_paired() {
    let (a, b) = ([1.0, 0.8, 0.64].map(|it| Line::at(50.0 * it)), [1.0, 0.8, 0.64].map(|it| Line::at(100.0 * it)));
    let result = judged_of(&a, &b, "line(b) / line(a) >= 1.5");
    assert_eq!(result.verdict, Verdict::Holds, "{}", result.reason);
    assert!((result.value.unwrap() - 2.0).abs() < 1e-9);
    let [low, high] = result.interval.unwrap();
    assert!(low < 2.0 && high > 2.0, "what searches do not know is in the interval: {low} to {high}");
    assert!(result.reason.contains("95 % interval"), "{}", result.reason);
    assert_eq!(verdict(&a, &b, "line(a) >= 40/s"), Verdict::Undecided);
}

#[test]
fn a_search_with_an_open_side_is_a_bound() {
    let closed = Line::at(20.0);
    let (a, b) = ([closed, closed, closed], [OPEN, Line::at(62.0), OPEN]);
    let result = judged_of(&a, &b, "line(b) >= 50/s");
    assert_eq!((result.verdict, result.value, result.interval), (Verdict::Holds, None, None));
    assert_eq!(result.reason, "at least 57/s, by the searches of 3 rounds: it is at least 50/s");
    assert_eq!((result.value, result.at_least, result.at_most), (None, Some(57.0), None));
    assert_eq!(verdict(&a, &b, "line(b) >= 60/s"), Verdict::Undecided);
    assert_eq!(verdict(&a, &b, "line(b) < 57/s"), Verdict::Fails);
    assert_eq!(verdict(&a, &b, "line(b) / line(a) >= 2.5"), Verdict::Holds);
    assert_eq!(verdict(&a, &b, "line(a) / line(b) >= 1"), Verdict::Fails);
    assert_eq!(verdict(&a, &b, "line(b) / line(a) <= 2.9"), Verdict::Undecided);
    let mixed = judged_of(&a, &b, "line_cpu(b) / line_cpu(a) * line(b) / line(a) <= 100");
    assert_eq!(mixed.verdict, Verdict::Undecided);
    assert!(mixed.reason.contains("has an open side"), "{}", mixed.reason);
}

/// Half a millisecond of CPU per request, for as long as requests are offered; the last ones take 110 ms more.
#[test]
fn figures_at_the_line_are_those_of_its_lower_end() {
    let a = [Line { cpu_ms: 2.0, memory_mb: 300.0, ..Line::at(50.0) }; 3];
    let b = [Line::at(50.0); 3];
    let result = judged_of(&a, &b, "cpu_per_request(a) / cpu_per_request(b) >= 3.9");
    assert_eq!((result.verdict, result.value.map(f64::round)), (Verdict::Holds, Some(4.0)));
    assert_eq!(verdict(&a, &b, "cpu_per_request(a) < 2.2 ms"), Verdict::Holds);
    let cpu = judged_of(&a, &b, "line_cpu(a) <= 10 %");
    assert!((cpu.value.unwrap() - 47.5 * 0.2).abs() < 1e-9, "{:?}", cpu.value);
    let memory = judged_of(&a, &b, "line_memory(a) - line_memory(b) <= 100 MB");
    assert_eq!((memory.verdict, memory.value), (Verdict::Holds, Some(100.0)));
    assert_eq!(verdict(&a[..1], &b[..1], "line_cpu(a) <= 10 %"), Verdict::Undecided);
}

#[test]
fn a_line_is_named_where_there_are_several() {
    let read = |text: &str, lines: &[&str]| {
        parse(text).unwrap().check_lines(lines, LoadUnit::PerSecond).map_err(|error| error.message)
    };
    assert_eq!(read("line(a) > 1/s", &[""]), Ok(()));
    assert_eq!(read("line(a, strict) > 1/s", &["strict", "loose"]), Ok(()));
    assert_eq!(read("line_cpu(a, 'strict') > 1 %", &["strict", "loose"]), Ok(()));
    let refused = |text: &str, lines: &[&str], said: &str| {
        let message = read(text, lines).expect_err(text);
        assert!(message.contains(said), "{message}");
    };
    refused("line(a) > 1/s", &["strict", "loose"], "there are the lines `strict`, `loose`: write line(a, strict)");
    refused("line(a, strct) > 1/s", &["strict", "loose"], "there is no line `strct` (did you mean `strict`?)");
    refused("line(a, strict) > 1/s", &[""], "the line has no name: write line(a)");
    refused("cpu_per_request(a) < 1 ms", &[], "the file needs `line` in place of `load`");
    assert!(error("line(a @ 10) > 1/s").1.contains("without a level"));
}

#[test]
fn a_search_that_did_not_end_is_no_figure() {
    let mut data = lines(&[("a", &[Line::at(50.0)]), ("b", &[Line::at(50.0)])], &["line(a) >= 1/s"]);
    data.runs[0].run.status = RunStatus::Died;
    let result = judge_all(&Measured::of(&data), &[]).remove(0);
    assert_eq!(result.verdict, Verdict::Undecided);
    assert!(result.reason.starts_with("line(a) was not measured: "), "{}", result.reason);
}

#[test]
fn a_line_in_users_is_called_so() {
    let read = |text: &str, unit| parse(text).unwrap().check_lines(&[""], unit).map_err(|error| error.message);
    assert_eq!(read("line_users(a) >= 500", LoadUnit::VirtualUsers), Ok(()));
    assert_eq!(read("line_users(a) / line_users(b) >= 2", LoadUnit::VirtualUsers), Ok(()));
    let refused = read("line(a) >= 500/s", LoadUnit::VirtualUsers).expect_err("a rate");
    assert!(refused.contains("is a number of users: write line_users(a)"), "{refused}");
    let refused = read("line_users(a) >= 500", LoadUnit::PerSecond).expect_err("users");
    assert!(refused.contains("is a rate: write line(a)"), "{refused}");
}
