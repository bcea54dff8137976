//! A throughput that equals the offered load says how fast the service was asked, not how fast it can answer.

use plimsoll_record::Nanos;

use super::{Bounds, Row};
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::{figure, number, seconds},
};

pub(super) const KINDS: &[&Kind] = &[&MORE, &LIMITED];

static MORE: Kind = Kind {
    id: "audit-more-than-offered",
    title: "more than was offered",
    weight: Weight::Contradiction,
    means: "More requests were answered than the load offers.",
    remedy: "Do not use the row: one of the figures is wrong.",
    evidence: &[
        Measure { name: "throughput", unit: "/s", about: "printed" },
        Measure { name: "offered", unit: "/s", about: "offered" },
    ],
};

static LIMITED: Kind = Kind {
    id: "audit-offered-load",
    title: "limited by offered load",
    weight: Weight::Info,
    means: "Throughput is what the load offers: as fast as it was asked. The row tells no servers apart.",
    remedy: "Compare at a higher level.",
    evidence: &[
        Measure { name: "throughput", unit: "/s", about: "printed" },
        Measure { name: "offered", unit: "/s", about: "offered at most" },
    ],
};

/// The offered load is kept up with if answering takes at most this much longer than offering.
const KEPT_UP: f64 = 1.1;
/// Standard deviations of Poisson arrivals that chance may add to the offered load.
const BY_CHANCE: f64 = 4.0;
/// The share of the most that users can ask for, from which on a throughput is limited by the users.
const WAITED_FOR_USERS: f64 = 0.9;

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<Finding>> {
    let throughput = row.throughput()?;
    if let Some((offered, how)) = offered(row) {
        return Some(judged(row, throughput, offered, &how));
    }
    let (most, how) = most_of_users(row)?;
    Some(if throughput.high >= WAITED_FOR_USERS * most {
        vec![limited(row, throughput, most, &how)]
    } else {
        Vec::new()
    })
}

fn judged(row: &Row, throughput: Bounds, offered: f64, how: &str) -> Vec<Finding> {
    let of_chance = |held: Nanos| BY_CHANCE * (offered / held.as_secs_f64().max(1e-9)).sqrt();
    if throughput.low > KEPT_UP * offered + row.conditions.duration.map_or(0.0, of_chance) {
        let text = format!("{how} offer {}/s, but {}/s were answered.", number(offered), figure(throughput.value));
        return vec![MORE.at(row.place(), text).with("throughput", throughput.value).with("offered", offered)];
    }
    if throughput.high < offered / KEPT_UP {
        return Vec::new();
    }
    vec![limited(row, throughput, offered, how)]
}

fn limited(row: &Row, throughput: Bounds, offered: f64, how: &str) -> Finding {
    let says = format!(
        "{how} offer {}/s at most, and {}/s is {:.1} % of that: as fast as it was asked.",
        number(offered),
        figure(throughput.value),
        throughput.value / offered * 100.0
    );
    LIMITED.at(row.place(), says).with("throughput", throughput.value).with("offered", offered)
}

/// Offered requests per second, and how they come about, in words. Users who start one after the other offer that many
/// only if each makes one request.
fn offered(row: &Row) -> Option<(f64, String)> {
    if let Some(rate) = row.conditions.offered_per_s {
        return Some((rate, "Arrivals".to_owned()));
    }
    let over = row.conditions.ramp_up.filter(|_| !row.is_looping())?.as_secs_f64();
    let starts = row.conditions.requests.map(|it| it as f64).or(row.conditions.vus).filter(|&it| it > 1.0)?;
    let how = format!("{} requests spread over {}", number(starts), seconds(over));
    // The last of n comes at (n − 1)/n of the time.
    (over > 0.0).then(|| (starts * starts / (starts - 1.0) / over, how))
}

/// The most that users can ask for, each waiting for the least service time and its pause; none if workers are fewer.
fn most_of_users(row: &Row) -> Option<(f64, String)> {
    let users = row.conditions.vus?;
    let each_s = row.conditions.service_time?.as_secs_f64() + row.think_s();
    let is_by_workers = row.conditions.workers.is_some_and(|workers| f64::from(workers) < users);
    let how = format!("{} users ÷ {}", number(users), seconds(each_s));
    (each_s > 0.0 && !is_by_workers).then(|| (users / each_s, how))
}
