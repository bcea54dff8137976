//! A part on a machine of its own, as far as its network goes: a namespace that one cable leads to.

use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{
    session::{Collecting, DEADLINE, Part, Watched, upstream_of, wait_for_seconds},
    sum,
};
use crate::plimsoll::Project;

/// Another machine.
struct Namespace {
    /// It keeps the namespace, which ends with it, and the cable with that.
    holder: Child,
    /// This side's address, and the name of the other side's interface.
    here: String,
    interface: String,
}

impl Namespace {
    /// None where that takes more than we may.
    fn new() -> Option<Self> {
        let holder = Command::new("unshare").args(["--net", "sleep", "600"]).stderr(Stdio::null()).spawn().ok()?;
        let process = holder.id();
        let (own, interface) = (format!("ph{process}"), format!("pp{process}"));
        let net = format!("10.213.{}", process % 250);
        let namespace = Self { holder, here: format!("{net}.1"), interface };
        // The process must have got there; one that may not has ended, or stays here.
        let begun = Instant::now();
        let place = |process: &str| fs::read_link(format!("/proc/{process}/ns/net")).ok();
        while place("self").is_some() && place(&process.to_string()) == place("self") && begun.elapsed() < DEADLINE {
            thread::sleep(Duration::from_millis(20));
        }
        let (holder, there) = (process.to_string(), &namespace.interface);
        let made = ip(&["link", "add", &own, "type", "veth", "peer", "name", there, "netns", &holder])
            && ip(&["addr", "add", &format!("{net}.1/30"), "dev", &own])
            && ip(&["link", "set", &own, "up"])
            && namespace.ip(&["addr", "add", &format!("{net}.2/30"), "dev", there])
            && namespace.ip(&["link", "set", there, "up"])
            && namespace.ip(&["link", "set", "lo", "up"]);
        if !made {
            println!("skipped: a part in a network namespace, which takes root, ip, unshare and nsenter");
        }
        made.then_some(namespace)
    }

    fn ip(&self, arguments: &[&str]) -> bool {
        let mut command = self.inside("ip");
        succeeds(command.args(arguments))
    }

    fn inside(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--net", "--target", &self.holder.id().to_string(), program]);
        command
    }

    /// The same command, there.
    fn moved(&self, own: &Command) -> Command {
        let mut command = self.inside(&own.get_program().to_string_lossy());
        command.args(own.get_args()).current_dir(own.get_current_dir().unwrap());
        for (name, value) in own.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

fn ip(arguments: &[&str]) -> bool {
    succeeds(Command::new("ip").args(arguments))
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The cable is out for longer than a part may be silent: it is lost, comes back, and nothing is missing in the end.
#[test]
fn a_part_behind_a_network_that_fails_for_a_while_comes_back() {
    let project = Project::new();
    let Some(namespace) = Namespace::new() else { return };
    let target = upstream_of(namespace.moved(&project.command(&["upstream", "--port", "0", "--json"])));
    let listen = format!("{}:0", namespace.here);
    let collecting = Collecting::start(&project, 1, &["--listen", &listen]);
    assert!(collecting.url.starts_with("https://10.213."), "{}", collecting.url);
    let load = ["-q", "100", "-z", "3s"];
    let part = Part::command(&project, &collecting, &collecting.url, &target.url, &load);
    let part = Watched::start(namespace.moved(&part));
    wait_for_seconds(&project, 1);
    assert_eq!(collecting.wait().code, Some(0));
    assert_eq!((part.wait().code, target.end()), (Some(0), 300));

    // At no port that the kernel gives: another test's service, here, might have the same one.
    let target = upstream_of(namespace.moved(&project.command(&["upstream", "--port", "1213", "--json"])));
    let collecting = Collecting::start(&project, 2, &["--listen", &listen, "--silence", "8s"]);
    // On a busy machine, too, it is back long before the load ends: nobody waits for a lost one.
    let load = ["-q", "50", "-z", "60s", "--deadline", "30s"];
    let command = |part| {
        let flags = [&load[..], &["--part", part]].concat();
        Part::command(&project, &collecting, &collecting.url, &target.url, &flags)
    };
    let behind = Watched::start(namespace.moved(&command("1")));
    // Its target is the other one's, which it cannot reach from here: its requests fail, and it is a part all the same.
    let here = Watched::start(command("2"));
    wait_for_seconds(&project, 1);
    assert!(namespace.ip(&["link", "set", &namespace.interface, "down"]));
    collecting.process.wait_until_it_says("part 1/2 is lost");
    assert!(namespace.ip(&["link", "set", &namespace.interface, "up"]));
    collecting.process.wait_until_it_says("part 1/2 is back");
    let (finished, behind, here) = (collecting.wait(), behind.wait(), here.wait());
    let said = format!("{}\nbehind the cable:\n{}\nhere:\n{}", finished.stderr, behind.stderr, here.stderr);
    assert_eq!((finished.code, behind.code, here.code), (Some(0), Some(0), Some(0)), "{said}");
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!((sum(&report, "offered"), sum(&report, "succeeded"), target.end()), (3_000, 1_500, 1_500), "{said}");
}
