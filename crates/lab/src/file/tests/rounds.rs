//! How often variants run.

use plimsoll_analysis::intervals::looks;
use plimsoll_record::UntilDecided;

use super::{LOAD, VARIANT, plan};

fn rounds(text: &str) -> (u32, Option<UntilDecided>) {
    let claims = "claims: [{says: It starts., claim: startup(web) < 9 s}]\n";
    let plan = plan(&format!("{text}{VARIANT}{LOAD}{claims}"));
    (plan.rounds, plan.until_decided)
}

#[test]
fn rounds_are_a_number_or_end_once_all_is_decided() {
    let until = |at_least, at_most| UntilDecided { at_least, error_per_look: looks::error_per_look(at_least, at_most) };
    assert_eq!(rounds(""), (3, None));
    assert_eq!(rounds("rounds: 7\n"), (7, None));
    assert_eq!(rounds("rounds: {until: decided}\n"), (20, Some(until(3, 20))));
    assert_eq!(rounds("rounds: {at-least: 4, at-most: 9, until: decided}\n"), (9, Some(until(4, 9))));
    assert_eq!(rounds("rounds: {at-least: 25, until: decided}\n"), (25, Some(until(25, 25))));
}
