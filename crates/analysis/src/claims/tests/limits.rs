//! Claims about what gives way first.

use plimsoll_record::Claim;

use super::error;
use crate::{
    analyse,
    claims::{limit_of, undecided},
    results::{ClaimResult, Verdict},
    testing::recorded,
};

/// Judges a claim about a run in which a lock gives way at 16 users and the server's threads at 256.
fn judged(expression: &str) -> ClaimResult {
    let mut data = recorded::explained();
    data.execution.plan.claims = vec![Claim { says: String::new(), expression: expression.to_owned(), line: None }];
    let open = undecided(&data);
    assert!(open.is_empty(), "no further round explains anything: {open:?}");
    analyse(&data).claims.remove(0)
}

#[test]
fn the_kind_that_was_found_decides() {
    let lock = "lock: a lock (java.lang.Object) in Planted.work";
    for (expression, verdict, reason) in [
        ("limit(a @ 16) = lock", Verdict::Holds, lock),
        ("limit(a @ 16) != lock", Verdict::Fails, lock),
        ("limit( a@16 )=client-pool", Verdict::Fails, lock),
        ("limit(a @ 256) != lock", Verdict::Holds, "server-threads: the executor of com.sun.net.httpserver (20)"),
    ] {
        let found = judged(expression);
        assert_eq!((found.verdict, found.reason.as_str()), (verdict, reason), "{expression}");
        assert_eq!((found.value, found.interval, found.rounds_needed), (None, None, None), "{expression}");
        assert_eq!(found.about.len(), 1, "{expression}");
    }
}

#[test]
fn what_was_not_seen_decides_nothing() {
    let of_several = judged("limit(a) = lock");
    assert_eq!(of_several.verdict, Verdict::Undecided);
    assert_eq!(of_several.reason, "`a` was explained at `16`, `256`: write limit(a @ 16)");

    let mut data = recorded::explained();
    let claim = |expression: &str| Claim { says: String::new(), expression: expression.to_owned(), line: None };
    data.execution.plan.claims = vec![claim("limit(a @ 16) = lock"), claim("limit(a @ 256) != lock")];
    // Threads were not seen, of the second load nothing at all.
    data.runs[0].censuses.iter_mut().for_each(|census| census.stacks.clear());
    data.runs[0].levels.retain(|level| level.plan.explains.as_deref() != Some("256"));
    let found = analyse(&data).claims;
    assert!(found.iter().all(|claim| claim.verdict == Verdict::Undecided), "{found:#?}");
    assert!(found[0].reason.starts_with("unknown: 16 requests in flight"), "{}", found[0].reason);
    assert_eq!(found[1].reason, "`a` was not explained at 256");
}

#[test]
fn what_is_wrong_is_said_where_it_is() {
    let said = |text: &str, column: usize, said: &str| {
        let (at, message) = error(text);
        assert!(at == column && message.contains(said), "{text}: {at}: {message}");
    };
    said("limit(a @ 16) = clientpool", 17, "there is no kind of limit `clientpool` (did you mean `client-pool`?)");
    said("limit(a @ 16) = unknown", 17, "where the limit is unknown no claim is decided");
    said("limit(a @ 16) > lock", 15, "expected `=` or `!=`, and a kind of limit, found `>`");
    said("limit(a) =", 11, "expected a kind of limit, e.g. `client-pool`, found the end");
    said("limit(a) = lock or cpu", 17, "expected the end, found `o`");
    said("limit(* @ 16) = lock", 7, "a limit is of one: name it");
    said("limit(a, b) = lock", 10, "a limit is of no series: remove `, b`");
    said("2 * limit(a @ 16) > 1", 5, "a limit is a kind and no number, and stands alone");
    let check = |text: &str| super::parse(text).unwrap().check(&["tuned"], &["500"]).unwrap_err();
    assert_eq!(
        check("limit(tund @ 500) = lock").to_string(),
        "column 7: there is no variant `tund` (did you mean `tuned`?)"
    );
    assert_eq!(check("limit(tuned @ 50) = lock").to_string(), "column 15: there is no level `50`: there are `500`");
}

#[test]
fn the_load_that_is_to_be_explained_is_known_beforehand() {
    assert_eq!(limit_of("limit(a @ 400/s) != lock"), Some(("a".to_owned(), Some("400/s".to_owned()))));
    assert_eq!(limit_of("limit(a) = lock"), Some(("a".to_owned(), None)));
    assert_eq!(limit_of("throughput(a @ 1) > 1/s"), None);
    assert_eq!(limit_of("limit(a) = no-such-kind"), None);
}
