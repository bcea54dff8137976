//! A stand-in for an upstream: it reports as one does, and accepts connections without an answer.

use std::{
    net::TcpListener,
    process::{self, ExitCode},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use plimsoll_record::{Nanos, UpstreamCounts, UpstreamLine, UpstreamPlan, UpstreamReady};

static OPENED: AtomicU64 = AtomicU64::new(0);

/// The flags that the lab gives it. One that should freeze dies instead: a plan knows no other bad habit.
pub fn run(arguments: &[String]) -> ExitCode {
    let after = |flag: &str| {
        let index = arguments.iter().position(|argument| argument == flag).expect("the flag");
        &arguments[index + 1]
    };
    let plan: UpstreamPlan = serde_json::from_str(after("--config")).expect("a plan");
    assert!(arguments.contains(&"--json".to_owned()) && after("--interval") == "100ms");
    let Ok(listener) = TcpListener::bind((plan.bind, plan.port)) else {
        eprintln!("error: the port is taken");
        return ExitCode::from(2);
    };
    let address = listener.local_addr().expect("it listens");
    thread::spawn(move || {
        // Kept open, all of them.
        let mut connections = Vec::new();
        for connection in listener.incoming() {
            OPENED.fetch_add(1, Relaxed);
            connections.push(connection);
        }
    });
    let url = format!("http://{address}");
    let host = address.ip().to_string();
    say(&UpstreamLine::Ready(UpstreamReady { url, host, port: address.port(), ..UpstreamReady::default() }));
    let begun = Instant::now();
    loop {
        thread::sleep(Duration::from_millis(100));
        let at = Nanos::from(begun.elapsed());
        if plan.freeze.is_some_and(|freeze| at >= freeze.every) {
            eprintln!("I cannot go on");
            process::exit(4);
        }
        say(&UpstreamLine::Counts(UpstreamCounts {
            at,
            connections_opened: OPENED.load(Relaxed),
            ..UpstreamCounts::default()
        }));
    }
}

fn say(line: &UpstreamLine) {
    println!("{}", serde_json::to_string(line).expect("JSON"));
}
