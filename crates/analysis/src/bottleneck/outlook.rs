//! The throughput that another size of a limit makes room for, and the resource that gives way next: extrapolated from
//! how much of each was used, if all takes as long as it did.

use super::case::Case;
use crate::{
    results::{Knob, Link, Outlook},
    text::number,
};

/// Kinds of limits each unit of which carries as much as another.
const SIZED: &[&str] =
    &["client-pool", "database-pool", "semaphore", "server-threads", "executor", "common-pool", "rate-limiter"];
/// The next resource is named if it carries no more than this many times what the limit makes room for.
const NEAR: f64 = 1.1;
/// A resource of which less is in use does not tell what it carries.
const LEAST_USED: f64 = 0.02;

/// The outlook for a knob; none where it cannot be told.
pub(super) fn of(case: &Case, limit: &str, knob: &Knob, chain: &[Link]) -> Option<Outlook> {
    let (has, to, now) = (knob.has?, knob.target()?, case.view.full.throughput_per_s);
    if !SIZED.contains(&limit) || now <= 0.0 {
        return None;
    }
    let own = now * to / has;
    let next = next(case, chain, has, now);
    let then = next.as_ref().filter(|(_, ceiling)| *ceiling <= NEAR * own);
    Some(Outlook {
        has,
        to,
        up_to_per_s: then.map_or(own, |(_, ceiling)| ceiling.min(own)),
        then: then.map(|(name, _)| name.clone()),
    })
}

/// The resource that carries the least of the others, and how much.
fn next(case: &Case, chain: &[Link], has: f64, now: f64) -> Option<(String, f64)> {
    let limit = chain.iter().position(|link| link.is_limit);
    let waiting = limit.map_or(0.0, |index| chain[index].waiting);
    let others = chain.iter().enumerate().filter(|(index, link)| Some(*index) != limit && link.kind != "listen-queue");
    let of_chain = others.filter_map(|(index, link)| {
        // Threads that run the calls which a dispatcher lets run are that limit.
        if limit.is_none() && link.kind == "server-threads" && link.size.is_some_and(|size| (size - has).abs() < 0.5) {
            return None;
        }
        // Resources before the limit are held by requests that wait for it, too.
        let is_before = limit.is_some_and(|limit| index < limit);
        let held = if is_before { link.busy? - waiting } else { link.busy? };
        let used = held / link.size.filter(|&size| size > 0.0)?;
        (used >= LEAST_USED && link.kind != "cpu").then(|| (named(link), now / used))
    });
    // CPU that others use has nothing to do with the load.
    let full = &case.view.full;
    let of_machine = (full.cpu_percent.unwrap_or(0.0) + full.own_percent) / (case.machine_cores * 100.0);
    let cpu = Some(case.target_share().max(of_machine)).filter(|&used| used >= LEAST_USED);
    let cpu = cpu.map(|used| ("the CPU".to_owned(), now / used));
    of_chain.chain(cpu).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// `Tomcat’s threads (400)`.
fn named(link: &Link) -> String {
    let name = link.detail.as_ref().map_or_else(|| link.name.clone(), |detail| format!("{} ({detail})", link.name));
    link.size.map_or_else(|| name.clone(), |size| format!("{name} ({})", number(size.round())))
}

impl Outlook {
    /// `100 → 400: up to 1,590/s, then Tomcat’s threads (400).`
    pub(super) fn sentence(&self) -> String {
        let then = self.then.as_ref().map_or_else(String::new, |then| format!(", then {then}"));
        format!("{} → {}: up to {}/s{then}.", number(self.has), number(self.to), number(self.up_to_per_s))
    }
}
