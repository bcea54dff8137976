//! Checks: which hold for which responses, and their messages where they do not.

use std::sync::Arc;

use plimsoll_record::Nanos;
use proptest::prelude::*;
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::*;
use crate::script::{
    User,
    response::{Kept, Wanted},
};

const BODY: &str =
    r#"{"id": 7, "name": "Ann Lee", "items": [{"sku": "a b", "n": 1.5}, {"sku": "c", "n": 2}], "none": null}"#;

/// Whether it holds for a 201 after 40 ms; what was found if not.
fn check(text: &str) -> Result<(), String> {
    check_of(text, BODY)
}

fn check_of(text: &str, body: &str) -> Result<(), String> {
    let mut scope = Scope::default();
    scope.add_variable("name").unwrap();
    let check = Check::parse(text, &scope).unwrap_or_else(|problem| panic!("{text}: {problem}"));
    let mut wanted = Wanted::default();
    check.source.add_wanted(&mut wanted);
    let mut kept = Kept::default();
    kept.begin(&Arc::new(wanted));
    kept.header("Content-Type", b"application/json; charset=utf-8");
    kept.header("Set-Cookie", b"session=abc; Path=/");
    kept.data(body.as_bytes());
    let user = User { values: vec!["Ann Lee".to_owned()], ..User::default() };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let response = Response::new(201, Nanos::from_millis(40), &kept);
    check.examine(&response, &mut Context { user: &user, unix: Nanos::ZERO, rng: &mut rng })
}

#[test]
fn checks_hold() {
    for text in [
        "status == 201",
        "status=201",
        "status == 2xx",
        "status in 200, 201",
        "status != 404",
        "status < 300",
        "status >= 201",
        "time < 41ms",
        "time<=0.04 s",
        "body contains Ann",
        "body matches '\"id\": \\d+'",
        "body contains \"Ann Lee\"",
        "header content-type contains json",
        "header Content-Type exists",
        "header X-Other absent",
        "cookie session == abc",
        "json $.id == 7",
        "json $.id > 6.5",
        "json $.name == 'Ann Lee'",
        "json $.name == {{name}}",
        "json $.items[?@.sku == 'a b'].n == 1.5",
        "json $.items[1] == {\"n\": 2, \"sku\": \"c\"}",
        "json $.missing absent",
        "json $.none exists",
        "json $.id != 8",
    ] {
        assert_eq!(check(text), Ok(()), "{text}");
    }
}

/// Identifiers of 64 bits that are one number as floats.
#[test]
fn whole_numbers_are_compared_with_all_their_digits() {
    let body = r#"{"id": 9007199254740992, "n": 7.0}"#;
    assert!(check_of("json $.id == 9007199254740993", body).is_err());
    assert!(check_of("json $.id != 9007199254740993", body).is_ok());
    assert!(check_of("json $.id == 9007199254740992", body).is_ok());
    assert!(check_of("json $.n == 7", body).is_ok());
}

#[test]
fn what_was_found_instead_is_said() {
    let found = |text: &str| check(text).expect_err(text);
    assert_eq!(found("status == 200"), "201");
    assert_eq!(found("status < 201"), "201");
    assert_eq!(found("time < 10ms"), "40.0 ms");
    assert_eq!(found("json $.id == 8"), "`7`");
    assert_eq!(found("json $.name > 5"), "`Ann Lee`");
    assert!(found("json $.missing exists").starts_with("nothing in `{\"id\": 7"));
    assert_eq!(found("header X-Other == 1"), "nothing");
    assert!(found("body contains zebra").ends_with("…`"), "{}", found("body contains zebra"));
    assert!(check_of("json $.id exists", "<html>").unwrap_err().contains("not JSON"));
    assert_eq!(check_of("body contains x", "").unwrap_err(), "an empty body");
}

#[test]
fn what_cannot_be_read_is_said() {
    let problem = |text: &str| Check::parse(text, &Scope::default()).expect_err(text);
    for (text, said) in [
        ("statsu == 200", "expected `status`, `time`"),
        ("status", "found nothing"),
        ("status == 2000", "such as `200`, or `2xx`"),
        ("status contains 2", "not for the status"),
        ("time < 500", "such as `500ms`"),
        ("time == 5ms", "`time < 500ms`"),
        ("json items exists", "expected a JSONPath"),
        (r#"json $["\u exists"#, "character 4"),
        (r#"json $["\u"#, "ends within an escape"),
        (r#"json $["a\uD"#, "ends within an escape"),
        (r#"json $["\uD83D\u"#, "ends within an escape"),
        (&format!("json ${}", "[?$.a".repeat(11)), "at most 10 filters"),
        ("json $.a ~ 5", "found `~ 5`"),
        ("json $.a > b", "expected a number"),
        ("body matches (", "regular expression"),
        ("body exists yes", "expected nothing after"),
        ("header == x", "expected"),
        ("body == {{nope}}", "nothing here is called `nope`"),
        ("regex a", "for captures"),
    ] {
        assert!(problem(text).contains(said), "{text}: {}", problem(text));
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(status|time|body|json|header|cookie|)[ =<>!$.\\[\\]()'\"a-z0-9{}]{0,30}") {
        let _ = Check::parse(&text, &Scope::default());
    }

    #[test]
    fn no_body_makes_it_panic(body in "\\PC{0,200}") {
        let _ = check_of("json $.a == 1", &body);
        let _ = check_of("body contains zz", &body);
    }
}
