//! From a file and flags to a plan.

use std::path::Path;

use plimsoll_drive::files;
use plimsoll_record::{UpstreamPlan, UpstreamTls};

use crate::{cli::UpstreamArgs, failure::Failure};

/// The file's plan, overridden by the flags that are given.
pub fn of(arguments: &UpstreamArgs) -> Result<UpstreamPlan, Failure> {
    let mut plan = arguments.config.as_deref().map_or_else(|| Ok(UpstreamPlan::default()), config)?;
    speed(arguments, &mut plan);
    connections(arguments, &mut plan);
    tls(arguments, &mut plan)?;
    set(&mut plan.bind, arguments.process.bind);
    set(&mut plan.port, arguments.process.port);
    Ok(plan)
}

fn set<T>(field: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *field = given;
    }
}

/// Reads JSON, or a file with it.
fn config(given: &str) -> Result<UpstreamPlan, Failure> {
    if given.trim_start().starts_with('{') {
        return parse(given).map_err(|why| Failure::input(format_args!("--config: {why}")));
    }
    let failure = |why: &dyn std::fmt::Display| Failure::input(format_args!("{given}: {why}"));
    let text = files::read_text(Path::new(given), files::PLAN_BYTES_MAX)
        .map_err(|error| failure(&format_args!("cannot be read: {error}")))?;
    parse(&text).map_err(|why| failure(&why))
}

fn parse(text: &str) -> Result<UpstreamPlan, String> {
    let plan: UpstreamPlan = serde_json::from_str(text).map_err(|error| error.to_string())?;
    plan.check().map(|()| plan)
}

fn speed(arguments: &UpstreamArgs, plan: &mut UpstreamPlan) {
    let (speed, answers) = (&arguments.speed, &arguments.answers);
    set(&mut plan.latency, speed.latency.clone());
    set(&mut plan.body_time, speed.body_time.clone());
    plan.servers = speed.servers.or(plan.servers);
    plan.freeze = speed.freeze.or(plan.freeze);
    set(&mut plan.seed, speed.seed);
    set(&mut plan.answer_bytes, answers.size.clone());
    set(&mut plan.statuses, answers.status.clone().map(|statuses| statuses.0));
}

fn connections(arguments: &UpstreamArgs, plan: &mut UpstreamPlan) {
    let given = &arguments.connections;
    plan.keep_alive.enabled &= !given.disable_keepalive;
    plan.keep_alive.is_announced |= given.announce_keepalive || given.announced_idle_time.is_some();
    plan.keep_alive.announced_idle_time = given.announced_idle_time.or(plan.keep_alive.announced_idle_time);
    plan.keep_alive.closes_silently |= given.close_without_notice;
    plan.keep_alive.idle_time = given.idle_time.or(plan.keep_alive.idle_time);
    plan.keep_alive.requests_max = given.max_requests_per_connection.or(plan.keep_alive.requests_max);
    plan.connections_max = given.max_connections.or(plan.connections_max);
    set(&mut plan.backlog, given.backlog);
    plan.http2 |= given.http2;
}

fn tls(arguments: &UpstreamArgs, plan: &mut UpstreamPlan) -> Result<(), Failure> {
    let given = &arguments.tls;
    if given.tls || given.mtls {
        plan.tls.get_or_insert_with(UpstreamTls::default).is_mutual |= given.mtls;
    }
    match &mut plan.tls {
        Some(tls) => tls.resumption &= !given.no_tls_resumption,
        None if given.no_tls_resumption => {
            return Err(Failure::input("--no-tls-resumption is for TLS: add --tls or --mtls"));
        }
        None => {}
    }
    Ok(())
}
