//! The process that makes a network, and is it.

use std::{
    io::{self, BufReader, Stdin},
    net::{Ipv4Addr, TcpListener},
    num::NonZeroU64,
    process::ExitCode,
};

use plimsoll_record::NetworkBy;
use rustix::{
    event::{PollFd, PollFlags},
    process::{Signal, set_parent_process_death_signal},
    thread::set_current_timer_slack,
};
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};

use crate::{
    control::{REPORT_INTERVAL, Reports, is_ready, wait},
    end::End,
    protocol::{Config, FAR, NEAR, Opened, PREFIX, Report, receive, send},
    relay, router,
};

/// Standard input holds a [`Config`] and stays open as long as the network shall be there; standard output takes
/// [`Report`]s.
pub fn helper_main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If nobody listens, nobody needs to know.
            let _ = send(&mut io::stdout(), &Report::Failed(error.to_string()));
            ExitCode::FAILURE
        }
    }
}

fn serve() -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    take_precedence();
    let mut control = BufReader::new(io::stdin());
    let Some(config) = receive::<Config>(&mut control)? else { return Ok(()) };
    let because = match config.plan.by {
        NetworkBy::Relay => None,
        NetworkBy::Namespaces => match ends() {
            Ok([near, far]) => return route(near, far, &config, &control.into_inner()),
            Err(reason) => Some(reason),
        },
    };
    relay(&config, because, control)
}

/// The work of a router takes little time but must be done in time, as by a box of its own, and load tests keep
/// machines busy. Without root it stays a process like others.
fn take_precedence() {
    let fifo = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, fifo);
    // By default the kernel lets a timer be 50 µs late, to save energy.
    let _ = set_current_timer_slack(NonZeroU64::new(1));
}

fn ends() -> Result<[End; 2], String> {
    Ok([End::make(NEAR, PREFIX)?, End::make(FAR, PREFIX)?])
}

fn route(near: End, far: End, config: &Config, control: &Stdin) -> io::Result<()> {
    let opened = Opened::Namespaces { near: near.namespace.namespace(), far: far.namespace.namespace() };
    let mut reports = Reports::open(opened)?;
    router::Router::new([near.device, far.device], config).run(control, &mut reports)
}

fn relay(config: &Config, because: Option<String>, mut control: BufReader<Stdin>) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut reports = Reports::open(Opened::Relay { listen: listener.local_addr()?, because })?;
    let Some(to) = receive(&mut control)? else { return Ok(()) };
    let relay = relay::Relay::start(listener, to, config)?;
    let control = control.into_inner();
    loop {
        let mut fds = [PollFd::new(&control, PollFlags::IN)];
        wait(&mut fds, REPORT_INTERVAL)?;
        if is_ready(&fds[0]) {
            return Ok(());
        }
        reports.tell_if_due(|| relay.counts());
    }
}
