//! Settings that move a limit which is no size of a pool: open files, answers of name servers, a switch.

use plimsoll_record::{ExecutionData, Nanos, ProcessFacts, ThreadState};

use super::{
    explained,
    shapes::{dumps, stack},
};
use crate::{
    analyse,
    results::{Explanation, Knob},
    testing::recorded::{Recorded, named},
};

fn first(data: &ExecutionData) -> Explanation {
    analyse(data).explanations.swap_remove(0)
}

#[test]
fn open_files_are_a_limit_of_the_variant_and_enough_for_all_users() {
    let mut recorded = named("server-threads-17");
    for load in recorded.loads.values_mut() {
        load.means.insert("descriptors".to_owned(), 254.0);
    }
    for census in &mut recorded.censuses {
        census.process = ProcessFacts { descriptors_max: Some(256), ..census.process.clone() };
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "descriptors", "{found:#?}");
    // 256, and 4 for each of 256 users.
    let expected = Knob { settings: vec!["limits.files".to_owned()], has: Some(256.0), wants: Some(1280.0), to: None };
    assert_eq!(found.knob, Some(expected));
    assert_eq!(found.outlook, None, "a file carries no requests by itself");
    assert!(found.change.contains("limits.files"), "{}", found.change);
}

/// Threads of the JDK's server look up a name, in these frames.
fn explained_lookups(looks_up: &[&str]) -> Explanation {
    let mut recorded = named("server-threads-17");
    let server = ["sun.net.httpserver.ServerImpl$Exchange.run", "java.util.concurrent.ThreadPoolExecutor.runWorker"];
    for census in dumps(&mut recorded) {
        census.stacks.retain(|stack| stack.group != "pool-2-thread-*");
        census.stacks.push(stack("pool-2-thread-*", 20, ThreadState::Runnable, &[looks_up, &server].concat()));
    }
    let found = explained(&recorded);
    assert_eq!(found.limit, "dns", "{found:#?}");
    found
}

#[test]
fn answers_of_name_servers_are_kept_longer() {
    let frames = ["java.net.Inet4AddressImpl.lookupAllHostAddr", "java.net.InetAddress.getAllByName"];
    let found = explained_lookups(&[&frames[..], &["app.Orders.find"]].concat());
    assert!(found.evidence[0].ends_with(", called from app.Orders.find"), "{found:#?}");
    let settings = vec!["-Dsun.net.inetaddr.ttl".to_owned()];
    assert_eq!(found.knob, Some(Knob { settings, has: None, wants: None, to: Some("300") }));
}

#[test]
fn names_of_addresses_are_kept_by_nothing() {
    let found = explained_lookups(&[
        "java.net.Inet4AddressImpl.getHostByAddr",
        "java.net.InetAddress$PlatformResolver.lookupByAddress",
        "java.net.InetAddress.getHostFromNameService",
        "java.net.InetAddress.getHostName",
        "org.apache.catalina.connector.Request.getRemoteHost",
        "org.apache.catalina.connector.Request.getRemoteHost",
        "org.apache.catalina.valves.RemoteIpValve.invoke",
    ]);
    let asked = "org.apache.catalina.connector.Request.getRemoteHost, called from \
                 org.apache.catalina.valves.RemoteIpValve.invoke";
    assert!(found.evidence[0].contains("look up the name of an address"), "{found:#?}");
    assert!(found.evidence[0].ends_with(asked), "{found:#?}");
    assert!(found.change.contains("enableLookups"), "{}", found.change);
    assert_eq!(found.knob, None);
}

/// The body comes 40 ms after the head, alone and under load.
fn held_back(recorded: &Recorded) -> ExecutionData {
    let mut data = recorded.data();
    for level in &mut data.runs[0].levels {
        for interval in &mut level.intervals {
            (interval.ok.response, interval.body) = Default::default();
            for times in [&mut interval.ok.response, &mut interval.body] {
                (0..interval.counts.succeeded).for_each(|_| times.record(Nanos::from_millis(41)));
            }
        }
    }
    data
}

#[test]
fn a_server_that_leaves_nagles_algorithm_on_has_a_switch() {
    let mut recorded = named("server-threads-17");
    // It is not its threads that are full.
    for census in dumps(&mut recorded) {
        for stack in census.stacks.iter_mut().filter(|stack| stack.group == "pool-2-thread-*") {
            stack.count = 2;
            stack.frames.insert(2, "sun.net.httpserver.ServerImpl$Exchange.run(ServerImpl.java:1)".to_owned());
        }
    }
    let knob_of = |recorded: &Recorded| {
        let found = first(&held_back(recorded));
        assert_eq!(found.limit, "delayed-ack", "{found:#?}");
        found.knob.expect("a switch")
    };
    let knob = knob_of(&recorded);
    assert_eq!((knob.settings.join(" ").as_str(), knob.to), ("-Dsun.net.httpserver.nodelay", Some("true")));
    // Another server's threads: one of the service's own may be in its file.
    for stack in recorded.censuses.iter_mut().flat_map(|census| &mut census.stacks) {
        stack.frames.retain(|frame| !frame.contains("httpserver"));
    }
    assert_eq!(knob_of(&recorded).settings, [""; 0]);
}
