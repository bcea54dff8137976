//! Parts that offer the loads, and what they cannot do.

use std::path::Path;

use plimsoll_record::Nanos;

use super::{LOAD, VARIANT, errors, read};
use crate::experiment::Gathering;

fn gathering(text: &str) -> Option<Gathering> {
    read(&format!("{VARIANT}{LOAD}{text}")).unwrap_or_else(|errors| panic!("{errors}")).experiment.generator
}

#[test]
fn this_process_offers_the_loads_unless_parts_are_to() {
    assert_eq!(gathering(""), None);
    let found = gathering("generator: {parts: 3}\n").unwrap();
    assert_eq!((found.parts, found.listen, found.token_file), (3, "127.0.0.1:7400".parse().unwrap(), None));
    assert_eq!((found.deadline, found.silence), (Nanos::from_secs(60), Nanos::from_secs(10)));
}

#[test]
fn parts_are_gathered_as_the_file_says() {
    let text = "generator: {parts: 2, listen: \"[::]:0\", deadline: 5min, silence: 2s, token-file: secret}\n";
    let found = gathering(text).unwrap();
    assert_eq!(
        (found.listen, found.token_file.as_deref()),
        ("[::]:0".parse().unwrap(), Some(Path::new("experiments/secret")))
    );
    assert_eq!((found.deadline, found.silence), (Nanos::from_secs(300), Nanos::from_secs(2)));
}

#[test]
fn each_thing_that_parts_cannot_do_is_refused_at_its_place() {
    let refused = |text: &str, expected: &str| {
        let told = errors(text);
        assert!(told.contains(expected), "expected `{expected}` in:\n{told}");
    };
    let with = |generator: &str| format!("{VARIANT}{LOAD}generator: {generator}\n");
    refused(&with("{listen: \"0.0.0.0:7400\"}"), "the key `parts` is missing");
    refused(&with("{parts: 0}"), "expected a whole number from 1 to 9999, found `0`");
    refused(
        &with("{parts: 2, listen: here}"),
        ":3:31: generator.listen: expected an address and a port, e.g. `0.0.0.0:7400`, found `here`",
    );
    refused(&with("{parts: 2, silence: 1s}"), "expected at least 2s");
    refused(&with("{parts: 2, deadline: 0s}"), "expected a duration above zero");
    let far = "variants: {web: {subject: greetings-web, network: {rtt: 10ms}}}\n";
    refused(
        &format!("{far}{LOAD}generator: {{parts: 2}}\n"),
        "the `network` of variant `web` is made around this process",
    );
    let source = "connection: {source: 127.0.0.1}\n";
    refused(&format!("{VARIANT}{LOAD}{source}generator: {{parts: 2}}\n"), "source addresses are those of one machine");
    refused("variants: {a: {jmh: {}}}\ngenerator: {parts: 2}\n", "benchmarks have no load that parts could offer");
}
