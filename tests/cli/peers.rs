//! Hostile collectors and clients of the metrics: a load neither fails nor waits for them, and its memory is bounded.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use plimsoll_hostile::{Behaviour, ENDS_WITHIN, Family, PROCESS_KB_MAX, Server, memory_kb};
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    plimsoll::{Finished, Project},
    target,
};

/// Commands at a time.
const AT_ONCE: usize = 6;
/// Looks at a process until it must have ended.
const LOOKS: u128 = ENDS_WITHIN.as_millis() / PAUSE.as_millis();
const PAUSE: Duration = Duration::from_millis(50);

#[test]
fn no_collector_can_end_a_load_or_hold_it_up() {
    let port = target::start();
    let behaviours = plimsoll_hostile::of(Family::Collector);
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(behaviour) = behaviours.get(next.fetch_add(1, Relaxed)) {
                    if let Err(problem) = push_to(behaviour, port) {
                        wrong.lock().unwrap().push(format!("{}: {problem}", behaviour.name));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), behaviours.len(), wrong.join("\n"));
}

/// A load that is over in a moment, and pushes its metrics once.
fn push_to(behaviour: &Behaviour, port: u16) -> Result<(), String> {
    let (project, collector) = (Project::new(), Server::start(behaviour).unwrap().address);
    let (url, collector) = (format!("127.0.0.1:{port}/"), format!("http://{collector}"));
    let mut command = project.command(&["load", &url, "-n", "5", "-c", "1", "--otlp", &collector]);
    let mut child = piped(&mut command);
    let peak = watch(&mut child);
    let load = Finished::from(child.wait_with_output().unwrap());
    let peak = peak.ok_or_else(|| format!("the load does not end: {load:#?}"))?;
    let is_said = behaviour.outcome.words.iter().all(|words| load.stderr.contains(words));
    if load.code != Some(0) || !is_said || behaviour.outcome.words.is_empty() == load.stderr.contains("no metrics") {
        return Err(format!("expected {:?}: {load:#?}", behaviour.outcome.words));
    }
    if peak < PROCESS_KB_MAX { Ok(()) } else { Err(format!("{peak} kB")) }
}

/// The most memory of a process (kB) until it has ended; none if it does not end within a minute, and is ended then.
fn watch(child: &mut Child) -> Option<u64> {
    let mut most = 0;
    for _ in 0..LOOKS {
        most = most.max(memory_kb(&child.id().to_string()).unwrap_or_default());
        if child.try_wait().unwrap().is_some() {
            return Some(most);
        }
        thread::sleep(PAUSE);
    }
    child.kill().unwrap();
    None
}

fn piped(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn no_client_of_the_metrics_can_end_a_load_or_keep_others_from_them() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let mut child = piped(&mut project.command(&["load", &url, "-z", "1h", "-c", "1", "--prometheus", "127.0.0.1:0"]));
    let address = metrics_address(&mut child);
    for behaviour in plimsoll_hostile::of(Family::PrometheusClient) {
        let address = address.clone();
        // It ends when the endpoint, or the load, has left.
        thread::spawn(move || plimsoll_hostile::call(&behaviour, address));
    }
    let answer = (0..LOOKS).find_map(|_| {
        thread::sleep(PAUSE);
        metrics(&address).filter(|answer| answer.starts_with("HTTP/1.1 200"))
    });
    let peak = memory_kb(&child.id().to_string());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let has_ended = watch(&mut child).is_some();
    let load = Finished::from(child.wait_with_output().unwrap());
    assert!(has_ended && load.code == Some(130), "{load:#?}");
    assert!(answer.is_some(), "nobody gets any metrics");
    assert!(load.stdout.contains("requests"), "{load:#?}");
    assert!(peak.is_some_and(|peak| peak < PROCESS_KB_MAX), "{peak:?} kB");
}

/// The answer to a client that means no harm.
fn metrics(address: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok().map(|_| answer)
}

/// From the line on stderr that names it; the rest of stderr is read away.
fn metrics_address(child: &mut Child) -> String {
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let address = lines.find_map(|line| Some(line.split_once("http://")?.1.strip_suffix("/metrics")?.to_owned()));
    thread::spawn(move || lines.for_each(drop));
    address.expect("a line with the address")
}
