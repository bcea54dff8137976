//! Threads queue for a connection to a database.

use super::{
    super::{Knob, Limit, Verdict, case::Case, known::Gives},
    queue, silent,
};

pub(super) static LIMIT: Limit = Limit {
    id: "database-pool",
    means: "connections of HikariCP, Tomcat JDBC, DBCP, Agroal, c3p0, Druid, UCP or the MongoDB driver",
    find,
    cleared: silent,
    knob,
};

fn find(case: &Case) -> Option<Verdict> {
    let found = queue::for_pool(case, Gives::DatabaseConnections, "connections to the database", "a connection")?;
    let or = "; or hold a connection for less of each request (spring.jpa.open-in-view=false, shorter transactions).";
    Some(Verdict { change: found.change.trim_end_matches('.').to_owned() + or, ..found })
}

fn knob(case: &Case) -> Option<Knob> {
    queue::knob(case, &queue::for_what(case, Gives::DatabaseConnections)?)
}
