//! Threads queue for a connection to a database.

use super::{
    super::{
        Knob, Limit, Verdict,
        case::Case,
        framework::Words,
        known::Gives,
        settings::{self, Named},
        waits::R2DBC_BORROWER,
    },
    ceiling, queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "database-pool",
    means: "connections of HikariCP, Tomcat JDBC, DBCP, Agroal, c3p0, Druid, UCP, R2DBC, the SQL client of Vert.x or \
            the MongoDB driver, blocking or reactive",
    find,
    cleared: silent,
    knob,
};

fn find(case: &Case) -> Option<Verdict> {
    let found = queue::for_pool(case, Gives::DatabaseConnections, "connections to the database", "a connection");
    let found = found.or_else(|| of_reactive(case))?;
    let how = match case.framework().words() {
        Some(Words::SpringBoot) => "spring.jpa.open-in-view=false, shorter transactions",
        _ => "shorter transactions",
    };
    // None would be held for less.
    if case.view.full.is_stuck() {
        return Some(found);
    }
    let change = found.change.trim_end_matches('.');
    Some(Verdict { change: format!("{change}; or hold a connection for less of each request ({how})."), ..found })
}

/// Ports of PostgreSQL, MySQL and MariaDB, SQL Server, Oracle.
const PORTS: [u16; 4] = [5432, 3306, 1433, 1521];

/// A pool that no thread waits for: connections to one peer are all in use, far fewer than there are requests.
struct Reactive {
    name: &'static str,
    setting: &'static str,
}

fn of_reactive(case: &Case) -> Option<Verdict> {
    let (pool, size) = reactive(case)?;
    let peer = case.upstream()?.peer;
    let mut evidence = vec![format!(
        "{} of {} connections are busy at each look; {} requests are in flight, and the others have none",
        number(peer.open),
        number(size),
        number(case.in_flight().round())
    )];
    evidence.extend(ceiling::of(case, size));
    Some(Verdict {
        says: format!("connections to the database at {} ({}, {})", peer.name(), pool.name, number(size)),
        evidence,
        change: format!("Raise {}.", named(case, &pool).text),
    })
}

/// The pool, and how many connections it has. A database is known by its port. Connections of R2DBC are read by loops
/// that no HTTP client has, and who waits for one is an object; those of Vert.x may belong to its HTTP client where the
/// heap has no queries. Quarkus renames the jar of Vert.x's SQL client, and closes it.
fn reactive(case: &Case) -> Option<(Reactive, f64)> {
    let peer = case.upstream().filter(|_| case.is_full_of_calls())?.peer;
    let (has, is_port) = (|jar: &str| case.framework().version(jar).is_some(), PORTS.contains(&peer.port));
    let is_of_r2dbc = || case.has_threads("reactor-tcp-") && !case.has_no_objects(&[R2DBC_BORROWER]);
    let pool = if has("r2dbc-pool") && (is_port || is_of_r2dbc()) {
        Reactive { name: "R2DBC", setting: "R2DBC’s pool" }
    } else if is_port && case.has_threads("vert.x-eventloop-thread-") || has("vertx-sql-client") && case.queries() {
        Reactive { name: "Vert.x’s SQL client", setting: "Vert.x’s SQL client" }
    } else {
        return None;
    };
    Some((pool, peer.established.round()))
}

/// Whether requests that are in no thread lack connections of a database.
pub(crate) fn is_reactive(case: &Case) -> bool {
    reactive(case).is_some()
}

fn named(case: &Case, pool: &Reactive) -> Named {
    settings::of(pool.setting, case.framework()).unwrap_or_default()
}

fn knob(case: &Case) -> Option<Knob> {
    if let Some(queued) = queue::for_what(case, Gives::DatabaseConnections) {
        return queue::knob(case, &queued);
    }
    let (pool, size) = reactive(case)?;
    Some(Knob::sized(named(case, &pool).names, size, case.in_flight()))
}
