//! Threads queue for a connection to a database.

use super::{
    super::{Knob, Limit, Verdict, activity::Activity, case::Case, known::Gives},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "database-pool",
    means: "connections of HikariCP, Tomcat JDBC, DBCP, Agroal, c3p0, Druid or UCP",
    look,
    cleared: silent,
    knob,
};

fn look(case: &Case) -> Option<Verdict> {
    let queued = queue::for_what(case, Gives::DatabaseConnections)?;
    let (name, setting) = match &queued.what {
        Activity::Wants(library) => (library.name.to_owned(), queue::setting(case, library)),
        Activity::WantsOwn(_, class) => (class.clone(), format!("the size of {class}")),
        _ => return None,
    };
    let holding = queue::holding(case, &queued);
    let past = queue::past(case, &queued).map_or_else(String::new, |past| format!(": {past}"));
    Some(Verdict {
        says: format!("connections to the database ({name})"),
        evidence: vec![
            queue::evidence(case, &queued, "a connection"),
            format!("{} have what they waited for{past}", number(holding.round())),
            queue::growth(case),
        ],
        change: format!(
            "Raise {setting}; or hold a connection for less of each request (spring.jpa.open-in-view=false, shorter transactions)."
        ),
    })
}

fn knob(case: &Case) -> Option<Knob> {
    queue::knob(case, &queue::for_what(case, Gives::DatabaseConnections)?)
}
