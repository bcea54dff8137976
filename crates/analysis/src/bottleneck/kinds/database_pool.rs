//! Threads queue for a connection to a database.

use super::{
    super::{
        Knob, Limit, Verdict,
        case::Case,
        known::Gives,
        settings::{self, Named},
    },
    ceiling, queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "database-pool",
    means: "connections of HikariCP, Tomcat JDBC, DBCP, Agroal, c3p0, Druid, UCP, R2DBC or the MongoDB driver",
    find,
    cleared: silent,
    knob,
};

fn find(case: &Case) -> Option<Verdict> {
    let found = queue::for_pool(case, Gives::DatabaseConnections, "connections to the database", "a connection");
    let found = found.or_else(|| of_r2dbc(case))?;
    let or = "; or hold a connection for less of each request (spring.jpa.open-in-view=false, shorter transactions).";
    Some(Verdict { change: found.change.trim_end_matches('.').to_owned() + or, ..found })
}

/// Ports of PostgreSQL, MySQL and MariaDB, SQL Server, Oracle.
const PORTS: [u16; 4] = [5432, 3306, 1433, 1521];

/// R2DBC's pool, which no thread waits for: connections to one peer are all in use, far fewer than there are requests,
/// and are read by loops that no HTTP client has, or go to a database's port.
fn of_r2dbc(case: &Case) -> Option<Verdict> {
    let size = r2dbc_connections(case)?;
    let peer = case.upstream()?.peer;
    let mut evidence = vec![format!(
        "{} of {} connections are busy at each look; {} requests are in flight, and the others have none",
        number(peer.open),
        number(size),
        number(case.in_flight().round())
    )];
    evidence.extend(ceiling::of(case, size));
    Some(Verdict {
        says: format!("connections to the database at {} (R2DBC, {})", peer.name(), number(size)),
        evidence,
        change: format!("Raise {}.", r2dbc(case).text),
    })
}

fn r2dbc_connections(case: &Case) -> Option<f64> {
    case.framework().version("r2dbc-pool")?;
    let peer = case.upstream()?.peer;
    let of_database = || case.view.full.threads.iter().any(|doing| doing.group.starts_with("reactor-tcp-"));
    let is_meant = case.is_full_of_calls() && (PORTS.contains(&peer.port) || of_database());
    is_meant.then_some(peer.established.round())
}

fn r2dbc(case: &Case) -> Named {
    settings::of("R2DBC’s pool", case.framework()).unwrap_or_default()
}

fn knob(case: &Case) -> Option<Knob> {
    if let Some(queued) = queue::for_what(case, Gives::DatabaseConnections) {
        return queue::knob(case, &queued);
    }
    Some(Knob::sized(r2dbc(case).names, r2dbc_connections(case)?, case.in_flight()))
}
