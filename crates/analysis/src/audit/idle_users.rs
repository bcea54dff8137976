//! Users who were not there: a closed load without pauses has as many requests in flight as users.

use plimsoll_record::Statistic;

use super::{Bounds, Row, question, words::*};
use crate::results::AuditFinding;

/// Below this share of busy users a level was not the load that its name says.
const BUSY: f64 = 0.9;
/// More failures than this share, in percent: how long these took is in no mean, or not as long as an answer takes.
const FAILED_PERCENT: f64 = 1.0;
/// Requests that come at once wait for each other and end one by one; below this share they did not come at once.
const BUSY_IN_BURST: f64 = 0.1;

pub(super) fn check(row: &Row, table: &[Row]) -> Option<Vec<AuditFinding>> {
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
    // Of each user a request can have been under way when the level ended.
    let longest_s = row.get(Statistic::Max).map_or(row.mean_s()?.high, |it| it.high / 1e3);
    let is_idle = busy.high + users * longest_s / held_s < BUSY * users;
    Some(if is_idle { vec![pauses(row, table, users, busy)?] } else { Vec::new() })
}

/// Requests in flight, and users in a pause that is known.
fn busy(row: &Row) -> Option<Bounds> {
    Some(row.throughput()?.times(row.mean_s()?.plus(Bounds::exact(row.think_s()))))
}

fn one_after_the_other(row: &Row, users: f64, busy: Bounds) -> Option<AuditFinding> {
    let text = format!(
        "{}/s × {} are {} requests in flight on average, {} at most, of {} that were to come at once: they came one \
         after the other, and how fast the generator started them set the throughput.",
        figure(row.throughput()?.value),
        ms(row.mean_s()?.scaled(1e3).value),
        number(busy.value),
        number(busy.high),
        number(users)
    );
    Some(question("users not at once", text))
}

fn pauses(row: &Row, table: &[Row], users: f64, busy: Bounds) -> Option<AuditFinding> {
    let others = table.iter().filter(|it| it.level == row.level && it.variant != row.variant);
    let others: Vec<String> =
        others.filter_map(|it| Some(format!("{} {}", seconds(pause_s(it)?), it.variant))).collect();
    let others = match others.len() {
        0 => String::new(),
        _ => format!(" Under the same load {}: a script pauses alike whoever answers.", listed(&others)),
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
    Some(question("users idle", text))
}

/// Z = N ÷ X − R; none for a row in which that cannot be.
fn pause_s(row: &Row) -> Option<f64> {
    let pause = row.conditions.vus? / row.throughput()?.value - row.mean_s()?.value;
    (pause > 0.0).then_some(pause)
}
