//! A row whose throughput is what was asked for says how fast it was asked, not how fast it can answer.

use super::{Bounds, Row, contradiction, limit, words::*};
use crate::results::AuditFinding;

/// What is offered is answered if it takes at most so much longer than the offering.
const KEPT_UP: f64 = 1.1;
/// Of the most that users can ask for.
const WAITED_FOR_USERS: f64 = 0.9;

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<AuditFinding>> {
    let throughput = row.throughput()?;
    if let Some((offered, how)) = offered(row) {
        return Some(judged(throughput, offered, &how));
    }
    let (most, how) = most_of_users(row)?;
    let text = || text(throughput, most, &how);
    Some(if throughput.high >= WAITED_FOR_USERS * most { vec![limit(LABEL, text())] } else { Vec::new() })
}

const LABEL: &str = "limited by offered load";

fn judged(throughput: Bounds, offered: f64, how: &str) -> Vec<AuditFinding> {
    if throughput.low > KEPT_UP * offered {
        let text = format!("{how} offer {}/s, but {}/s were answered.", number(offered), figure(throughput.value));
        return vec![contradiction("more than was offered", text)];
    }
    if throughput.high < offered / KEPT_UP {
        return Vec::new();
    }
    vec![limit(LABEL, text(throughput, offered, how))]
}

fn text(throughput: Bounds, offered: f64, how: &str) -> String {
    format!(
        "{how} offer {}/s at most, and {}/s is {:.1} % of that: as fast as it was asked. This row tells no servers \
         apart; a higher level does.",
        number(offered),
        figure(throughput.value),
        throughput.value / offered * 100.0
    )
}

/// Requests a second, and how that comes about.
fn offered(row: &Row) -> Option<(f64, String)> {
    if let Some(rate) = row.conditions.offered_per_s {
        return Some((rate, "Arrivals".to_owned()));
    }
    let over = row.conditions.ramp_up?.as_secs_f64();
    let starts = row.conditions.requests.map(|it| it as f64).or(row.conditions.vus).filter(|&it| it > 1.0)?;
    let how = format!("{} requests spread over {}", number(starts), seconds(over));
    // The last of n comes at (n − 1)/n of the time.
    (over > 0.0).then(|| (starts * starts / (starts - 1.0) / over, how))
}

/// As each user waits for the least service time and pauses, so many cannot ask for more; none if workers are fewer.
fn most_of_users(row: &Row) -> Option<(f64, String)> {
    let users = row.conditions.vus?;
    let each_s = row.conditions.service_time?.as_secs_f64() + row.think_s();
    let is_by_workers = row.conditions.workers.is_some_and(|workers| f64::from(workers) < users);
    let how = format!("{} users ÷ {}", number(users), seconds(each_s));
    (each_s > 0.0 && !is_by_workers).then(|| (users / each_s, how))
}
