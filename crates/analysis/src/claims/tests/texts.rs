//! Texts of claims: those that read, errors with their place, and arithmetic.

use proptest::prelude::*;

use super::{data, error, judged};
use crate::claims::parse;

#[test]
fn what_is_written_reads() {
    for text in [
        "throughput(web-jar-vt @ 2700) / throughput(web-jar @ 2700) >= 2.8",
        "max(throughput(web-* @ *)) <= 200/s",
        "max(web @ 100) < 2 s",
        "max(max(web-* @ *), p99(other @ 5000/s)) < 2s",
        "abs(mean(a @ 1) - mean(b @ 1)) < 100 ms",
        "(1 - startup(cds) / startup(jar)) * 100 % >= 35 %",
        "throughput(a @ 1) / peak_memory(a) > 2 * throughput(b @ 1) / peak_memory(b)",
        "throughput(a @ 1) * mean(a @ 1) <= 500",
        "0.1 s > startup(\"a (old)\")",
        "received(a @ 0 → 100) > 1 MB/s",
        "-errors(a @ 1) > -0.5 %",
    ] {
        parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn errors_say_where_and_what_to_do() {
    assert_eq!(
        error("throughput(a @ 1) > 2 s"),
        (19, "this compares a rate and a time, but both must have the same unit".to_owned())
    );
    assert!(
        error("throughput(a @ 1) > 200")
            .1
            .ends_with("a bare number is a ratio; write a rate with its unit, e.g. `200/s`")
    );
    assert!(error("1 - startup(a) / startup(b) >= 35 %").1.contains("0.35 for 35 %"));
    assert_eq!(error("mean(a @ 1) + errors(a @ 1) > 1 s").0, 13);
    assert_eq!(
        error("troughput(a @ 1) > 1/s"),
        (1, "there is no metric `troughput` (did you mean `throughput`?)".to_owned())
    );
    assert_eq!(error("mean(a) > 1 s"), (1, "mean needs a level: write mean(a @ level)".to_owned()));
    assert_eq!(error("max(a) > 1 s").1, "max needs a level: write max(a @ level)");
    assert_eq!(error("startup(a @ 1) > 1 s").0, 13);
    assert_eq!(error("mean(a @ 1) == 1 s"), (13, "expected one of <, <=, >, >=, found `=`".to_owned()));
    assert_eq!(
        error("mean(a @ 1) < 1 s < 2 s"),
        (19, "expected the end: a claim has one comparison, found `<`".to_owned())
    );
    assert_eq!(error("mean(a @ 1) < 1 parsec").0, 17);
    assert!(error("mean(web-* @ 1) < 1 s").1.starts_with("`mean(web-* @ 1)` may be several figures"));
    assert!(error("max(mean(web-* @ 1) / 2) < 1 s").1.contains("may be several figures"));
    assert!(error("1 < 2").1.starts_with("this compares numbers only"));
    assert_eq!(error("mean(a @ ) < 1 s"), (10, "expected the label of a level, found `)`".to_owned()));
    assert_eq!(error("mean(a @ 1 < 1 s").1, "expected `)`, found the end");
    assert_eq!(error("").1, "expected a figure such as throughput(variant @ level), or a number, found the end");
    assert_eq!(error("1.2.3 s < mean(a @ 1)"), (1, "`1.2.3` is not a number".to_owned()));
    assert!(error(&"(".repeat(60)).1.starts_with("more than 50 parentheses"));
    assert!(error(&"1+".repeat(1_500)).1.starts_with("a claim has at most 2000 characters"));
}

#[test]
fn names_are_checked_against_the_plan() {
    let check = |text: &str| parse(text).unwrap().check(&["web-jar", "web-jar-vt"], &["100", "2700"]);
    assert_eq!(check("max(throughput(web-* @ *)) <= 200/s"), Ok(()));
    let error = check("throughput(web-jr @ 100) > 1/s").unwrap_err();
    assert_eq!((error.column, error.message.as_str()), (12, "there is no variant `web-jr` (did you mean `web-jar`?)"));
    let error = check("throughput(web-jar @ 900) > 1/s").unwrap_err();
    assert_eq!(error.to_string(), "column 22: there is no level `900`: there are `100`, `2700`");
    let error = check("min(startup(reactive-*)) > 1 s").unwrap_err();
    assert_eq!(error.message, "no variant matches `reactive-*`: there are `web-jar`, `web-jar-vt`");
}

#[test]
fn series_are_checked_against_what_is_kept() {
    let kept = [("pooled", vec!["pool_leased", "pool_pending"]), ("simple", vec![])];
    let check = |text: &str| parse(text).unwrap().check_series(&kept);
    assert_eq!(check("target_mean(pooled @ 1, 'pool_leased') > 1"), Ok(()));
    assert_eq!(check("max(target_mean(* @ 1, pool_leased)) > throughput(simple @ 1) / throughput(pooled @ 1)"), Ok(()));
    assert_eq!(check("target_peak(of-another-pace @ 1, pool_leased) > 1"), Ok(()));
    let error = check("target_mean(pooled @ 1, 'pool_lesed') > 1").unwrap_err();
    let told = "`metrics: {keep: …}` of `pooled` does not have `pool_lesed` (did you mean `pool_leased`?)";
    assert_eq!((error.column, error.message.as_str()), (25, told));
    let both = [kept[0].clone(), ("also-pooled", kept[0].1.clone())];
    let error = parse("1 < max(target_mean(* @ 1, up))").unwrap().check_series(&both).unwrap_err();
    assert_eq!(
        error.message,
        "`metrics: {keep: …}` of `*` does not have `up`: there are `pool_leased`, `pool_pending`"
    );
    let error = check("1 < target_growth(simple @ 1, up)").unwrap_err();
    assert_eq!(error.message, "`metrics: {keep: …}` of `simple` does not have `up`: it keeps none");
}

/// Arithmetic over ratios, as text and as what it comes to.
fn arithmetic() -> impl Strategy<Value = (String, f64)> {
    let leaf = prop_oneof![
        (1..100_u32).prop_map(|number| (number.to_string(), f64::from(number))),
        Just(("throughput(b-vt @ 1)/throughput(a @ 1)".to_owned(), 2.0))
            .prop_map(|(text, value)| (format!("({text})"), value)),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone().prop_map(|((a, x), (b, y))| (format!("({a} + {b})"), x + y)),
            pair.clone().prop_map(|((a, x), (b, y))| (format!("({a}-{b})"), x - y)),
            pair.clone().prop_map(|((a, x), (b, y))| (format!("({a} *{b})"), x * y)),
            pair.clone().prop_map(|((a, x), (b, y))| (format!("{a} * (1 + {b} - {b})"), x * (1.0 + y - y))),
            pair.prop_map(|((a, x), (b, y))| (
                format!("max((({a})), min({b}, startup(a)/startup(a)))"),
                x.max(y.min(1.0))
            )),
            inner.prop_map(|(a, x)| (format!("abs(-{a})"), x.abs())),
        ]
    })
}

proptest! {
    #[test]
    fn garbage_is_an_error_within_the_text_and_no_panic(text in "[a-z0-9@(),.*/+<>=\" %µ-]{0,40}|\\PC{0,40}") {
        if let Err(error) = parse(&text) {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{}", error);
        }
    }

    #[test]
    fn damaged_claims_are_errors_and_no_panic(at in 0..60_usize, with in "\\PC{0,3}") {
        let mut text: Vec<char> = "max(throughput(web-* @ *)) / throughput(a @ 5000/s) >= 2.8 % ".chars().collect();
        text.splice(at..(at + 1).min(text.len()), with.chars());
        let _ = parse(&text.into_iter().collect::<String>());
    }

    #[test]
    fn arithmetic_comes_to_what_it_should((text, expected) in arithmetic()) {
        // Without an interval: two rounds are quick.
        let claim = format!("{text} + startup(a) / startup(a) > 0");
        let found = judged(data(&[[1_000, 500]; 2]), &claim).value.unwrap();
        prop_assert!((found - expected - 1.0).abs() <= 1e-9 * expected.abs().max(1.0), "{} for {}", found, expected);
    }
}
