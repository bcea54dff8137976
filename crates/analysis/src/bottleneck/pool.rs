//! Threads of one name under full load: those of a server, of an executor, of event loops.

use std::collections::BTreeMap;

use super::{
    activity::Activity,
    doing::{Doing, count},
    framework::Framework,
    known,
    settings::{self, Named},
    view::View,
};

/// Idle threads of a pool that is always busy: as a share of its threads, and in number.
const IDLE_MOST: f64 = 0.04;

/// Bounds for a server whose threads hand on all requests: how many of them wait for something, and the share of the
/// requests that they have at all.
const PASSING: f64 = 0.5;
const PASSING_PART: f64 = 0.1;
/// The share of the requests that is most of them.
const MOST: f64 = 0.5;

/// Threads of one name under full load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    pub name: String,
    pub busy: f64,
    pub idle: f64,
    /// Index into the known servers, if its threads serve requests.
    pub server: Option<usize>,
    pub is_virtual: bool,
    pub executor: Option<&'static str>,
    /// Whether its threads run many requests each.
    pub is_loop: bool,
    /// Threads of it that accept connections, or wait for their requests, and never serve one.
    pub handing_on: f64,
}

impl Pool {
    /// Whether all its threads have work all the time.
    pub(crate) fn is_full(&self) -> bool {
        !self.is_virtual && self.busy >= 0.8 && self.idle <= f64::max(0.34, IDLE_MOST * (self.busy + self.idle))
    }

    pub(crate) fn size(&self) -> f64 {
        self.busy + self.idle
    }

    /// All its threads, as its setting counts them.
    pub(crate) fn all(&self) -> f64 {
        self.size() + self.handing_on
    }

    /// Its name for people, and the setting of its size.
    pub(crate) fn title(&self, framework: Framework) -> (String, Named) {
        let server = self.server.and_then(|index| known::SERVERS.get(index)).map(|(_, name)| *name);
        let own = || Named { text: "the size of that pool, where it is made".to_owned(), names: Vec::new() };
        let by_name = || settings::of_threads(&self.name, framework);
        // Threads that a framework names are sized by its setting, whatever server is below it.
        let setting = by_name().or_else(|| settings::of(server?, framework)).unwrap_or_else(own);
        (server.map_or_else(|| format!("threads “{}”", self.name), ToOwned::to_owned), setting)
    }
}

/// Groups of threads by name.
pub(super) fn pools(view: &View, busy: &[Doing]) -> BTreeMap<String, Pool> {
    let mut pools: BTreeMap<String, Pool> = BTreeMap::new();
    for doing in busy {
        let pool = pools.entry(doing.group.clone()).or_default();
        pool.busy += doing.count;
        pool.is_loop |= doing.is_loop;
        pool.server = pool.server.or(doing.server).filter(|_| !pool.is_loop);
        // A pool of carriers counts as one of virtual threads: these run on it.
        pool.is_virtual |= doing.is_virtual || doing.is_carrying;
        pool.executor = pool.executor.or(doing.executor);
    }
    for doing in view.full.threads.iter().filter(|doing| doing.what == Activity::Idle) {
        if let Some(pool) = pools.get_mut(&doing.group) {
            // Such a thread of a pool finds requests for the others, and takes none itself.
            match doing.is_selecting && !pool.is_loop && pool.server.is_some() {
                true => pool.handing_on += doing.count,
                false => pool.idle += doing.count,
            }
        }
    }
    // Jetty’s acceptors are threads of its pool, too: `qtp1-acceptor-0@…` of `qtp1-*`.
    let accepting = view.full.threads.iter().filter(|doing| known::accepts(&doing.group));
    for doing in accepting {
        let is_its = |name: &str| {
            let rest = name.strip_suffix('*').and_then(|head| doing.group.strip_prefix(head));
            // `dw-admin-32-acceptor-0@…` is of another pool than `dw-*`.
            rest.is_some_and(|it| it.starts_with("acceptor") || it.starts_with(|char: char| char.is_ascii_digit()))
        };
        let pool = pools.iter_mut().find(|(name, pool)| pool.server.is_some() && is_its(name));
        pool.into_iter().for_each(|(_, pool)| pool.handing_on += doing.count);
    }
    if are_elsewhere(view, &pools, busy) {
        pools.values_mut().for_each(|pool| pool.server = None);
    }
    let whole = |(name, pool): (String, Pool)| (name.clone(), without_spare(Pool { name, ..pool }, view.full.cores));
    pools.into_iter().map(whole).collect()
}

/// Whether a server's threads hand on all requests, except a few that are just being handed on: most requests have been
/// read, and are in none of its threads.
fn are_elsewhere(view: &View, pools: &BTreeMap<String, Pool>, busy: &[Doing]) -> bool {
    let is_serving = |doing: &Doing| pools.get(&doing.group).is_some_and(|pool| pool.server.is_some());
    let (serving, in_flight) = (count(busy, is_serving), view.full.in_flight);
    let waiting = count(busy, |doing| is_serving(doing) && doing.what != Activity::Runs);
    let is_passing = serving < PASSING_PART * in_flight && waiting < PASSING;
    let inbound = view.full.inbound();
    let elsewhere = in_flight - serving - inbound.unread - inbound.unaccepted;
    let mut others = pools.values().filter(|pool| pool.server.is_none() && !pool.is_loop);
    is_passing && elsewhere >= MOST * in_flight && others.any(|pool| pool.busy >= 1.0)
}

/// Threads of coroutines that block, and how many of them may at once, or as many as there are cores if these are more.
pub(crate) const COROUTINES: (&str, f64) = ("DefaultDispatcher-worker-", 64.0);
/// Virtual threads that Reactor runs blocking code on, and how many there are for each core: a pool, for all that.
const ELASTIC: (&str, f64) = ("loomBoundedElastic-", 10.0);
/// The part of that number from which on all of them are busy.
const NEARLY: f64 = 0.95;

fn without_spare(pool: Pool, cores: f64) -> Pool {
    if pool.name.starts_with(ELASTIC.0) && pool.busy >= NEARLY * ELASTIC.1 * cores {
        return Pool { is_virtual: false, idle: 0.0, ..pool };
    }
    let (name, blocking) = (COROUTINES.0, COROUTINES.1.max(cores));
    let has_all = pool.name.starts_with(name) && pool.busy >= NEARLY * blocking && pool.busy <= blocking + 0.5;
    if has_all { Pool { idle: pool.idle.min((blocking - pool.busy).max(0.0)), ..pool } } else { pool }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_of_coroutines_beyond_those_that_may_block_are_no_reserve() {
        let of = |name: &str, busy, idle| {
            without_spare(Pool { name: name.to_owned(), busy, idle, ..Pool::default() }, 2.0).is_full()
        };
        assert!(of("DefaultDispatcher-worker-*", 62.0, 6.0), "Dispatchers.IO has 64");
        assert!(!of("DefaultDispatcher-worker-*", 58.0, 6.0));
        assert!(!of("DefaultDispatcher-worker-*", 6.0, 62.0));
        assert!(!of("pool-1-thread-*", 62.0, 6.0));
    }

    #[test]
    fn virtual_threads_of_which_there_are_so_many_are_a_pool() {
        let of = |name: &str, busy| {
            without_spare(Pool { name: name.to_owned(), busy, is_virtual: true, ..Pool::default() }, 2.0).is_full()
        };
        assert!(of("loomBoundedElastic-*", 19.6));
        assert!(!of("loomBoundedElastic-*", 12.0) && !of("tomcat-handler-*", 60.0));
    }
}
