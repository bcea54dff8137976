//! Peers that mean harm, or are broken: targets over HTTP/1.1, HTTP/2 and TLS, proxies, collectors of metrics, and
//! clients that ask for metrics. Each behaviour is data: what it does on a socket, and what must come of it. For tests
//! only.

mod behaviour;
mod collector;
pub mod frames;
mod http1;
mod http2;
mod play;
mod prometheus;
mod proxy;
mod server;
pub mod tls;
mod tls_faults;

pub use behaviour::{Behaviour, Connections, Family, Outcome, Place, Security, Step};
pub use play::call;
pub use server::{GOOD_BODY, Server};

/// Every behaviour, family by family.
pub fn all() -> Vec<Behaviour> {
    [http1::behaviours(), http2::behaviours(), tls_faults::behaviours(), proxy::behaviours()]
        .into_iter()
        .chain([collector::behaviours(), prometheus::behaviours()])
        .flatten()
        .collect()
}

/// All of one family.
pub fn of(family: Family) -> Vec<Behaviour> {
    all().into_iter().filter(|behaviour| behaviour.family == family).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_behaviour_has_a_name_of_its_own_and_does_something_of_its_own() {
        let all = all();
        let names: HashSet<_> = all.iter().map(|it| (it.family, it.name)).collect();
        assert_eq!(names.len(), all.len(), "two of the same name");
        let deeds: HashSet<_> =
            all.iter().map(|it| format!("{:?} {:?} {:?} {:?}", it.family, it.security, it.place, it.deeds())).collect();
        assert_eq!(deeds.len(), all.len(), "two that do the same");
        assert!(all.len() >= 150, "{}", all.len());
    }
}
