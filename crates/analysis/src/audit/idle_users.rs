//! Idle users: a closed load without pauses must have as many requests in flight as users.

use plimsoll_record::Statistic;

use super::{Bounds, Row, row::FAILED_PERCENT};
use plimsoll_text::joined;

use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::{figure, ms, number, seconds},
};

pub(super) const KINDS: &[&Kind] = &[&NOT_AT_ONCE, &IDLE];

static NOT_AT_ONCE: Kind = Kind {
    id: "audit-users-not-at-once",
    title: "users not at once",
    weight: Weight::Warning,
    means: "Requests that were to come at once came one after the other: the generator started them slowly, and that \
            set the throughput.",
    remedy: "Do not take the throughput for that of the server.",
    evidence: &[
        Measure { name: "in_flight", unit: "", about: "requests in flight on average" },
        Measure { name: "users", unit: "", about: "users" },
    ],
};

static IDLE: Kind = Kind {
    id: "audit-users-idle",
    title: "users idle",
    weight: Weight::Warning,
    means: "Fewer requests were in flight than there were users: each user paused between requests, which is not said.",
    remedy: "Ask for the pause before comparing: a script pauses alike whoever answers.",
    evidence: &[
        Measure { name: "pause", unit: "s", about: "pause between requests" },
        Measure { name: "in_flight", unit: "", about: "requests in flight on average" },
        Measure { name: "users", unit: "", about: "users" },
    ],
};

/// Below this share of busy users a level was not the load that its name says.
const BUSY: f64 = 0.9;
/// The same for requests that come at once, which wait for each other and end one by one.
const BUSY_IN_BURST: f64 = 0.1;

pub(super) fn check(row: &Row, table: &[Row]) -> Option<Vec<Finding>> {
    let users = row.conditions.vus.filter(|_| row.conditions.ramp_up.is_none())?;
    let busy = busy(row)?;
    if row.is_burst() {
        let is_idle = busy.high < BUSY_IN_BURST * users;
        return Some(if is_idle { vec![one_after_the_other(row, users, busy)?] } else { Vec::new() });
    }
    let held_s = row.conditions.duration?.as_secs_f64();
    if row.get(Statistic::Errors).is_some_and(|it| it.high > FAILED_PERCENT) {
        return None;
    }
    // Each user can have had a request under way, or a pause, when the level ended.
    let longest_s = row.get(Statistic::Max).map_or(row.mean_s()?.high, |it| it.high / 1e3) + row.think_s();
    let is_idle = busy.high + users * longest_s / held_s < BUSY * users;
    Some(if is_idle { vec![pauses(row, table, users, busy)?] } else { Vec::new() })
}

/// Requests in flight, and users in a pause that is known.
fn busy(row: &Row) -> Option<Bounds> {
    Some(row.throughput()?.times(row.mean_s()?.plus(Bounds::exact(row.think_s()))))
}

fn one_after_the_other(row: &Row, users: f64, busy: Bounds) -> Option<Finding> {
    let text = format!(
        "{}/s × {} are {} requests in flight on average, {} at most, of {} that were to come at once: they came one \
         after the other, and how fast the generator started them set the throughput.",
        figure(row.throughput()?.value),
        ms(row.mean_s()?.scaled(1e3).value),
        number(busy.value),
        number(busy.high),
        number(users)
    );
    Some(NOT_AT_ONCE.at(row.place(), text).with("in_flight", busy.value).with("users", users))
}

fn pauses(row: &Row, table: &[Row], users: f64, busy: Bounds) -> Option<Finding> {
    let others = table.iter().filter(|it| it.level == row.level && it.variant != row.variant);
    let others: Vec<String> =
        others.filter_map(|it| Some(format!("{} {}", seconds(pause_s(it)?), it.variant))).collect();
    let others = match others.len() {
        0 => String::new(),
        _ => format!(" Under the same load the pauses were {}.", joined(&others)),
    };
    let text = format!(
        "{}/s × {} are {} requests in flight on average, of {} users: each of them paused {} between requests, which \
         is not said.{others}",
        figure(row.throughput()?.value),
        ms(row.mean_s()?.scaled(1e3).value),
        number(busy.value),
        number(users),
        seconds(pause_s(row)?)
    );
    let found = IDLE.at(row.place(), text).with("pause", pause_s(row)?);
    Some(found.with("in_flight", busy.value).with("users", users))
}

/// The pause beside the one that is known, Z = N ÷ X − R; none for a row in which that cannot be.
fn pause_s(row: &Row) -> Option<f64> {
    let pause = row.conditions.vus? / row.throughput()?.value - row.mean_s()?.value - row.think_s();
    (pause > 0.0).then_some(pause)
}
